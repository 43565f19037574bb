/* Intervals of ops: operands that are known, partly known, unknown, and of no element at all; and
 * what a trace says of variables. */
#include "core/analysis/numeric.h"

#include <math.h>

#include "core/graph/trace.h"
#include "tests/c/apis/net.h"

enum { ANY = SF_MAY_BE_NAN | SF_MAY_BE_INF, MOST = 3 };

static const SfInterval unit = {0, 1, SF_MAY_BE_ZERO}, empty = {1, -1, 0},
                        open_above = {0, 3.4028234663852886e38, SF_MAY_BE_ZERO | SF_MAY_BE_PINF},
                        minus = {-2, -1, 0}, two = {2, 2, SF_ALL_INTEGERS},
                        unknown = {-3.4028234663852886e38, 3.4028234663852886e38,
                                   SF_MAY_BE_ZERO | ANY};

/* The tensor's interval where what is fed keeps to the facts. */
static SfInterval known(const Net *n, SfTensor t, const SfRangeFact *facts, int nfacts,
                        bool is_unbroken)
{
    SfNumeric *numeric;
    SfArena arena;
    const SfNumericInput input = {
        .g = n->g, .facts = facts, .nfacts = nfacts, .is_unbroken = is_unbroken};
    sf_arena_init(&arena);
    cr_assert_eq(sf_numeric_make(&input, &arena, &numeric), SF_OK);
    const SfInterval a = sf_numeric_of(numeric, &t);
    sf_arena_free(&arena);
    return a;
}

typedef struct Row {
    const char *op, *attrs;
    SfInterval in[MOST];
    int nin;
    double lo, hi;
    unsigned may, never; /* flags that must be there, and those that must not */
} Row;

static const Row rows[] = {
    {"Exp", "", {unit}, 1, 1, 2.7182818, 0, ANY | SF_MAY_BE_ZERO},
    {"Exp", "", {unknown}, 1, 0, INFINITY, SF_MAY_BE_PINF, SF_MAY_BE_NINF},
    {"Log", "", {unit}, 1, -INFINITY, 0, SF_MAY_BE_NINF, SF_MAY_BE_PINF | SF_MAY_BE_NAN},
    {"Log", "", {minus}, 1, 1, -1, SF_MAY_BE_NAN, SF_MAY_BE_INF},
    {"Sqrt", "", {open_above}, 1, 0, 2e19, SF_MAY_BE_PINF, SF_MAY_BE_NAN},
    {"Reciprocal", "", {minus}, 1, -1, -0.5, 0, ANY | SF_MAY_BE_ZERO},
    {"Sigmoid", "", {unknown}, 1, 0, 1, SF_MAY_BE_NAN, SF_MAY_BE_INF},
    {"Neg", "", {empty}, 1, 1, -1, 0, ANY},
    {"AddV2", "", {unit, two}, 2, 2, 3, 0, ANY | SF_MAY_BE_ZERO},
    {"Sub", "", {unit, unit}, 2, -1, 1, SF_MAY_BE_ZERO, ANY},
    {"RealDiv", "", {two, unit}, 2, 2, INFINITY, SF_MAY_BE_PINF, SF_MAY_BE_ZERO},
    {"RealDiv", "", {unit, two}, 2, 0, 0.5, SF_MAY_BE_ZERO, ANY},
    {"DivNoNan", "", {unit, two}, 2, 0, 0.5, SF_MAY_BE_ZERO, ANY},
    {"Mul", "", {unit, unknown}, 2, -INFINITY, INFINITY, SF_MAY_BE_NAN, 0},
    {"Pow", "", {unit, two}, 2, 0, 1, SF_MAY_BE_ZERO, ANY},
    {"Pow", "", {open_above, two}, 2, 0, INFINITY, SF_MAY_BE_PINF, SF_MAY_BE_NAN},
    {"Maximum", "", {unknown, two}, 2, 2, INFINITY, SF_MAY_BE_NAN, SF_MAY_BE_ZERO},
    {"Minimum", "", {minus, unit}, 2, -2, -1, 0, ANY | SF_MAY_BE_ZERO},
    {"ClipByValue", "", {unknown, minus, two}, 3, -2, 2, SF_MAY_BE_NAN, SF_MAY_BE_INF},
    {"Softmax", "", {unknown}, 1, 0, 1, SF_MAY_BE_NAN, SF_MAY_BE_INF},
    {"Relu", "", {minus}, 1, 0, 0, SF_MAY_BE_ZERO, ANY},
    {"Atan2", "", {unknown, unknown}, 2, -3.1415927, 3.1415927, SF_MAY_BE_NAN, SF_MAY_BE_INF},
    {"Atan2", "", {unit, two}, 2, -3.1415927, 3.1415927, SF_MAY_BE_ZERO, ANY},
    {"FloorDiv", "", {unit, two}, 2, 0, 0, SF_MAY_BE_ZERO, ANY},
    {"FloorDiv", "", {minus, two}, 2, -2, -1, 0, ANY | SF_MAY_BE_ZERO}, /* an ulp below -1 */
    {"TruncateMod", "", {minus, two}, 2, -2, 0, SF_MAY_BE_ZERO, ANY},
    {"TruncateMod", "", {unit, unit}, 2, 0, 1, SF_MAY_BE_NAN | SF_MAY_BE_ZERO, SF_MAY_BE_INF},
    {"Igamma", "", {unknown, unknown}, 2, 0, 1, SF_MAY_BE_NAN, SF_MAY_BE_INF},
    {"Acosh", "", {unknown}, 1, 0, INFINITY, SF_MAY_BE_NAN, SF_MAY_BE_NINF},
    {"Digamma", "", {unit}, 1, -INFINITY, INFINITY, ANY, 0}, /* nothing is said of it */
};

static SfInterval range_of(const Row *r)
{
    Net n;
    SfTensor in[MOST];
    SfRangeFact facts[MOST];
    SfNumeric *numeric;
    SfArena arena;
    net_open(&n, SF_VERSION(2, 21));
    for (int i = 0; i < r->nin; i++) {
        const bool bound = strcmp(r->op, "ClipByValue") == 0 && i > 0;
        in[i] = net_placeholder(&n, "float", bound ? "[]" : "[2,3]");
        facts[i] = (SfRangeFact){in[i].node, 0, r->in[i], 0, 0};
    }
    const SfTensor out = net_op(&n, r->op, r->attrs, in, r->nin);
    sf_arena_init(&arena);
    const SfNumericInput input = {.g = n.g, .facts = facts, .nfacts = r->nin};
    cr_assert_eq(sf_numeric_make(&input, &arena, &numeric), SF_OK);
    const SfInterval a = sf_numeric_of(numeric, &out);
    sf_arena_free(&arena);
    net_close(&n);
    return a;
}

static bool is_near(double x, double want, bool above)
{
    if (isinf(want)) {
        return above ? x > 3e38 : want < 0 && x <= -103; /* the logarithm of the least number */
    }
    return fabs(x - want) <= 1e-5 * fmax(1, fabs(want)) || (want > 1e18 && fabs(x / want) < 1);
}

Test(range, of_what_is_known_partly_known_unknown_and_empty)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *r = &rows[i];
        const SfInterval a = range_of(r);
        cr_expect(is_near(a.lo, r->lo, false), "%s (row %zu): from %g", r->op, i, a.lo);
        cr_expect(is_near(a.hi, r->hi, true), "%s (row %zu): to %g", r->op, i, a.hi);
        cr_expect_eq(a.flags & r->may, r->may, "%s (row %zu): flags %u", r->op, i, a.flags);
        cr_expect_eq(a.flags & r->never, 0, "%s (row %zu): flags %u", r->op, i, a.flags);
    }
}

static SfInterval content(const SfTraceValues *v, const SfTrace *t, const SfTensor *x)
{
    SfNumeric *numeric;
    SfArena arena;
    int output;
    const SfNode *node = sf_trace_find(t, x, &output);
    sf_arena_init(&arena);
    const SfNumericInput input = {.g = sf_trace_graph(t), .eager = v};
    cr_assert_eq(sf_numeric_make(&input, &arena, &numeric), SF_OK);
    const SfInterval a = sf_numeric_of(numeric, &node->outputs[output]);
    sf_arena_free(&arena);
    return a;
}

/* w = 1; twice: w = relu(w) by the same call. */
Test(range, what_is_written_to_a_variable_is_read_afterwards)
{
    Net n;
    net_open(&n, SF_VERSION(2, 21)); /* its ops are known from here on */
    SfTrace *t = sf_trace_new(SF_VERSION(2, 21));
    const SfTraceValues *v = sf_trace_start_values(t, sf_op_find("Snapshot"));
    const SfShape *shape = sf_shape_vector(3);
    SfTensor w = {.shape = shape, .dtype = SF_DT_FLOAT};
    const SfAttr type = {.type = SF_ATTR_TYPE, .set = true, .u.type = SF_DT_FLOAT};
    sf_trace_tell_content(t, minus);
    sf_trace_record(t, sf_op_find("NoOp"), NULL, NULL, 0, &w, 1, 1);
    sf_trace_variable(t, &w, 1);
    cr_expect_eq(content(v, t, &w).hi, -1);
    int32_t held = 0;
    for (int turn = 0; turn < 3; turn++) {
        SfTensor y = {.shape = shape, .dtype = SF_DT_FLOAT};
        sf_trace_record(t, sf_op_find("Abs"), &type, &w, 1, &y, 1, 2);
        sf_trace_write(t, &w, &y, 3);
        cr_expect(turn == 0 || y.index == held); /* one record, in each turn */
        held = y.index;
        w = y;
    }
    const SfInterval a = content(v, t, &w);
    cr_expect(a.lo >= 0 && a.hi == 2 && !(a.flags & ANY));
    SfTensor any = {.shape = shape, .dtype = SF_DT_FLOAT};
    sf_trace_write(t, &w, &any, 3); /* nobody knows of what */
    cr_expect_lt(content(v, t, &any).lo, -1e38);
    sf_trace_free(t);
    net_close(&n);
}

/* Joined along axis 1, moved elsewhere, squared, and cut where they met. */
Test(range, what_is_cut_from_what_was_joined_has_the_bounds_of_its_part)
{
    static const struct {
        const char *moves;
        int index;
        double lo, hi;
    } cuts[] = {{"", 0, 1, 4}, {"", 2, 0, 1}, {"Transpose", 1, 1, 4}, {"Transpose", 3, 0, 1}};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        Net n;
        net_open(&n, SF_VERSION(2, 21));
        const SfTensor a = net_placeholder(&n, "float", "[?,2]");
        const SfTensor b = net_placeholder(&n, "float", "[?,3]");
        const SfRangeFact facts[] = {{a.node, 0, minus, 0, 0}, {b.node, 0, unit, 0, 0}};
        SfTensor t = net_op(&n, "ConcatV2", "N=2", (SfTensor[]){a, b, net_int(&n, "int32", 1)}, 3);
        t = net_op(&n, "Square", "", &t, 1);
        const bool is_moved = *cuts[i].moves != 0;
        if (is_moved) {
            const SfTensor axes[] = {net_int(&n, "int32", 1), net_int(&n, "int32", 0)};
            const SfTensor order = net_op(&n, "Pack", "N=2", axes, 2);
            t = net_op(&n, "Transpose", "", (SfTensor[]){t, order}, 2);
        }
        t = net_op(&n, "Unpack", is_moved ? "num=5,axis=0" : "num=5,axis=1", &t, 1);
        t = t.node->outputs[cuts[i].index];
        const SfInterval y = known(&n, t, facts, 2, false);
        cr_expect(y.lo == cuts[i].lo && y.hi == cuts[i].hi, "%zu: [%g, %g]", i, y.lo, y.hi);
        net_close(&n);
    }
}

/* x + cast(x == 0) */
Test(range, where_a_condition_holds_its_operand_is_what_it_says)
{
    Net n;
    net_open(&n, SF_VERSION(2, 21));
    const SfTensor x = net_placeholder(&n, "float", "[?,3]"),
                   zero = net_placeholder(&n, "float", "[]");
    const SfRangeFact facts[] = {{x.node, 0, unit, 0, 0},
                                 {zero.node, 0, sf_interval_exact(0), 0, 0}};
    const SfTensor is_zero = net_op(&n, "Equal", "", (SfTensor[]){x, zero}, 2);
    const SfTensor mask = net_op(&n, "Cast", "DstT=float", &is_zero, 1);
    const SfTensor sum = net_op(&n, "AddV2", "", (SfTensor[]){x, mask}, 2);
    const SfTensor product = net_op(&n, "Mul", "", (SfTensor[]){x, mask}, 2);
    cr_expect(!sf_interval_has_zero(known(&n, sum, facts, 2, false)));
    cr_expect_eq(known(&n, product, facts, 2, false).hi, 0);
    net_close(&n);
}

/* p * x + (1 - p) * y, and p + (1 - p) */
Test(range, a_blend_lies_between_its_ends_and_a_term_that_comes_again_is_one)
{
    Net n;
    net_open(&n, SF_VERSION(2, 21));
    const SfTensor p = net_placeholder(&n, "float", "[2,3]"),
                   x = net_placeholder(&n, "float", "[2,3]");
    const SfTensor y = net_placeholder(&n, "float", "[2,3]"),
                   one = net_placeholder(&n, "float", "[]");
    const SfRangeFact facts[] = {{p.node, 0, unit, 0, 0},
                                 {x.node, 0, minus, 0, 0},
                                 {y.node, 0, minus, 0, 0},
                                 {one.node, 0, sf_interval_exact(1), 0, 0}};
    const SfTensor rest = net_op(&n, "Sub", "", (SfTensor[]){one, p}, 2);
    const SfTensor a = net_op(&n, "Mul", "", (SfTensor[]){x, p}, 2);
    const SfTensor b = net_op(&n, "Mul", "", (SfTensor[]){rest, y}, 2);
    const SfInterval blend =
        known(&n, net_op(&n, "AddV2", "", (SfTensor[]){a, b}, 2), facts, 4, false);
    cr_expect(is_near(blend.lo, -2, false) && is_near(blend.hi, -1, true));
    const SfInterval sum =
        known(&n, net_op(&n, "AddV2", "", (SfTensor[]){p, rest}, 2), facts, 4, false);
    cr_expect(is_near(sum.lo, 1, false) && is_near(sum.hi, 1, true));
    net_close(&n);
}

/* 1 / x and the logarithm of that, as every element and as if nothing had broken before. */
Test(range, what_breaks_is_taken_off_where_it_breaks_first)
{
    Net n;
    net_open(&n, SF_VERSION(2, 21));
    const SfTensor x = net_placeholder(&n, "float", "[2,3]");
    const SfRangeFact fact = {x.node, 0, unit, 0, 0}, broken = {x.node, 0, unknown, 0, 0};
    const SfTensor y = net_op(&n, "Reciprocal", "", &x, 1), z = net_op(&n, "Log", "", &y, 1);
    cr_expect(known(&n, z, &fact, 1, false).flags & SF_MAY_BE_PINF);
    cr_expect(!(known(&n, y, &fact, 1, true).flags & ANY));
    cr_expect(!(known(&n, z, &fact, 1, true).flags & ANY));
    cr_expect(known(&n, z, &broken, 1, true).flags & ANY); /* what came in is no operation's */
    net_close(&n);
}
