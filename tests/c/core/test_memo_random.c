/* Memoised runs against full runs, over random graphs: variables and counters, branches on fed,
 * unknown and counted predicates, loops, control edges. Two sessions make the same calls; one of
 * them forgets everything before each. */
#include "tests/c/core/kit.h"

#include <stdio.h>

#include "core/session/session_impl.h"

enum { POOL = 64, FEEDS = 5 };

typedef struct Gen {
    Kit k;
    uint64_t seed;
    SfTensor floats[POOL], ints[POOL], bools[POOL], refs[8];
    SfNode *nodes[4 * POOL];
    int nfloat, nint, nbool, nref, nnode;
    SfTensor fed[FEEDS];
} Gen;

static uint32_t draw(Gen *g, uint32_t below)
{
    g->seed = g->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(g->seed >> 33) % below;
}

static SfTensor pick(Gen *g, const SfTensor *pool, int n)
{
    return pool[draw(g, (uint32_t)n)];
}

static void keep(Gen *g, SfTensor *pool, int *n, SfTensor t)
{
    if (*n < POOL) {
        pool[(*n)++] = t;
    }
    if (g->nnode < SF_ARRAY_LEN(g->nodes)) {
        g->nodes[g->nnode++] = t.node;
    }
}

#define FLOAT(g) pick((g), (g)->floats, (g)->nfloat)
#define INT(g)   pick((g), (g)->ints, (g)->nint)
#define BOOL(g)  pick((g), (g)->bools, (g)->nbool)

static void add_branch(Gen *g, bool ints)
{
    Kit *k = &g->k;
    const SfTensor x = ints ? INT(g) : FLOAT(g);
    const SfTensor sw = OP(k, "Switch", NULL, x, BOOL(g));
    const SfTensor a = ints ? OP(k, "Add", NULL, kit_out(sw, 0), INT(g))
                            : OP(k, "Join", NULL, kit_out(sw, 0), FLOAT(g));
    const SfTensor m = OP(k, "Merge", NULL, a, OP(k, "Identity", NULL, kit_out(sw, 1)));
    if (ints) {
        keep(g, g->ints, &g->nint, m);
    } else {
        keep(g, g->floats, &g->nfloat, m);
    }
}

static void add_loop(Gen *g)
{
    Kit *k = &g->k;
    char name[32];
    static int serial;
    sprintf(name, "loop%d", serial++);
    const SfAttrArg frame = kit_string("frame_name", name);
    const SfTensor zero = kit_const(k, NULL, 0), limit = INT(g), x = FLOAT(g);
    const SfTensor ie = kit_op(k, "Enter", NULL, &zero, 1, &frame, 1);
    const SfTensor le = kit_op(k, "Enter", NULL, &limit, 1, &frame, 1);
    const SfTensor xe = kit_op(k, "Enter", NULL, &x, 1, &frame, 1);
    const SfTensor im = OP(k, "Merge", NULL, ie, ie), xm = OP(k, "Merge", NULL, xe, xe);
    const SfTensor cond = OP(k, "LoopCond", NULL, OP(k, "Less", NULL, im, le));
    const SfTensor is = OP(k, "Switch", NULL, im, cond), xs = OP(k, "Switch", NULL, xm, cond);
    SfNode *const pivot[] = {kit_out(is, 1).node};
    kit_control(k, pivot, 1);
    const SfTensor one = kit_const(k, NULL, 1);
    kit_control(k, NULL, 0);
    const SfTensor in = OP(k, "NextIteration", NULL, OP(k, "Add", NULL, kit_out(is, 1), one));
    const SfTensor xn = OP(k, "NextIteration", NULL, OP(k, "Join", NULL, kit_out(xs, 1), xe));
    cr_assert(sf_node_set_input(im.node, 1, in) == SF_OK);
    cr_assert(sf_node_set_input(xm.node, 1, xn) == SF_OK);
    keep(g, g->floats, &g->nfloat, OP(k, "Exit", NULL, kit_out(xs, 0)));
    keep(g, g->ints, &g->nint, OP(k, "Exit", NULL, kit_out(is, 0)));
}

static void add_something(Gen *g)
{
    Kit *k = &g->k;
    SfNode *after[] = {g->nodes[draw(g, (uint32_t)g->nnode)]};
    if (draw(g, 4) == 0) {
        kit_control(k, after, 1);
    }
    const SfTensor ref = g->refs[draw(g, (uint32_t)g->nref)];
    const bool is_int = sf_dtype_base(ref.dtype) == SF_DT_INT32;
    const SfAttrArg loose = kit_bool("validate_shape", draw(g, 3) == 0); /* strict: may fail */
    const SfTensor to[] = {ref, is_int ? INT(g) : FLOAT(g)};
    switch (draw(g, 12)) {
    case 0:
        keep(g, g->floats, &g->nfloat, OP(k, "Relu", NULL, FLOAT(g)));
        break;
    case 1:
        keep(g, g->floats, &g->nfloat, OP(k, "Join", NULL, FLOAT(g), FLOAT(g)));
        break;
    case 2:
        keep(g, g->ints, &g->nint, OP(k, "Add", NULL, INT(g), INT(g)));
        break;
    case 3:
        keep(g, g->bools, &g->nbool, OP(k, "Less", NULL, INT(g), INT(g)));
        break;
    case 4: {
        const SfAttrArg dst = kit_type("DstT", SF_DT_FLOAT);
        const SfTensor r = OP(k, "Range", NULL, INT(g));
        keep(g, g->floats, &g->nfloat, kit_op(k, "Cast", NULL, &r, 1, &dst, 1));
        break;
    }
    case 5:
        kit_control(k, NULL, 0);
        add_branch(g, false);
        break;
    case 6:
        kit_control(k, NULL, 0);
        add_branch(g, true);
        break;
    case 7:
        kit_control(k, NULL, 0);
        add_loop(g);
        break;
    case 8: {
        const SfTensor a = kit_op(k, "Assign", NULL, to, 2, &loose, 1);
        g->nodes[g->nnode++ % SF_ARRAY_LEN(g->nodes)] = a.node;
        break;
    }
    case 9: {
        const SfTensor by[] = {g->refs[0], kit_const(k, NULL, (int64_t)draw(g, 3))};
        keep(g, g->ints, &g->nint, OP(k, "Identity", NULL, OP(k, "AssignAdd", NULL, by[0], by[1])));
        break;
    }
    default: {
        const SfTensor read = OP(k, "Identity", NULL, ref);
        if (is_int) {
            keep(g, g->ints, &g->nint, read);
        } else {
            keep(g, g->floats, &g->nfloat, read);
        }
    }
    }
    kit_control(k, NULL, 0);
    g->nnode = g->nnode < SF_ARRAY_LEN(g->nodes) ? g->nnode : SF_ARRAY_LEN(g->nodes);
}

static void generate(Gen *g, uint64_t seed)
{
    memset(g, 0, sizeof *g);
    g->seed = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    kit_open(&g->k, SF_VERSION(1, 15));
    Kit *k = &g->k;
    g->fed[0] = kit_placeholder(k, NULL, SF_DT_FLOAT, "[?]");
    g->fed[1] = kit_placeholder(k, NULL, SF_DT_INT32, "[]");
    g->fed[2] = kit_placeholder(k, NULL, SF_DT_INT32, "[]");
    g->fed[3] = kit_placeholder(k, NULL, SF_DT_BOOL, "[]");
    g->fed[4] = kit_placeholder(k, NULL, SF_DT_BOOL, "[]");
    keep(g, g->floats, &g->nfloat, g->fed[0]);
    keep(g, g->ints, &g->nint, g->fed[1]);
    keep(g, g->ints, &g->nint, g->fed[2]);
    keep(g, g->bools, &g->nbool, g->fed[3]);
    keep(g, g->bools, &g->nbool, g->fed[4]);
    keep(g, g->ints, &g->nint, kit_const(k, NULL, 2));
    g->refs[g->nref++] = kit_variable(k, NULL, SF_DT_INT32, "[]");
    g->refs[g->nref++] = kit_variable(k, NULL, SF_DT_INT32, "[]");
    g->refs[g->nref++] = kit_variable(k, NULL, SF_DT_FLOAT, "[?]");
    for (int i = 0; i < 40; i++) {
        add_something(g);
    }
}

static void init_variables(Gen *g, SfSession *s)
{
    for (int i = 0; i < g->nref; i++) {
        const bool is_int = sf_dtype_base(g->refs[i].dtype) == SF_DT_INT32;
        const SfState state = {.shape = is_int ? sf_shape_scalar() : sf_shape_vector(2),
                               .value = is_int ? sf_value_int(SF_DT_INT32, 0) : NULL,
                               .initialized = true,
                               .dtype = sf_dtype_base(g->refs[i].dtype)};
        cr_assert(sf_session_set_state(s, g->refs[i].node, &state) == SF_OK);
    }
}

typedef struct Call {
    SfTensor fetches[3];
    SfNode *targets[2];
} Call;

/* Runs one call; the status, results and finding. */
static SfStatus call(Gen *g, SfSession *s, const Call *c, const SfFeed *feeds, bool forget,
                     SfSink *sink, SfTensor *out)
{
    SfPlan *p;
    bool hit;
    uint64_t id;
    SF_TRY(sf_session_plan(s, c->fetches, 3, c->targets, 2, g->fed, FEEDS, sink, &p));
    if (forget) {
        sf_memo_clear(p);
    }
    return sf_plan_run(p, feeds, FEEDS, sink, out, &hit, &id);
}

static bool same_result(const SfTensor *a, const SfTensor *b)
{
    return a->shape == b->shape && a->value == b->value && a->dtype == b->dtype;
}

static uint64_t compare(Gen *g, SfSession *memo, SfSession *full, uint64_t seed)
{
    Call calls[2];
    for (int i = 0; i < SF_ARRAY_LEN(calls); i++) {
        calls[i].fetches[0] = FLOAT(g);
        calls[i].fetches[1] = INT(g);
        calls[i].fetches[2] = FLOAT(g);
        calls[i].targets[0] = g->nodes[draw(g, (uint32_t)g->nnode)];
        calls[i].targets[1] = g->nodes[draw(g, (uint32_t)g->nnode)];
    }
    for (int run = 0; run < 60; run++) {
        const Call *c = &calls[draw(g, SF_ARRAY_LEN(calls))];
        const SfFeed feeds[FEEDS] = {
            {g->fed[0], sf_shape_vector(2 + draw(g, 2)), NULL},
            kit_feed_int(g->fed[1], 1 + draw(g, 2)),
            kit_feed(g->fed[2], "[]"),
            kit_feed_int(g->fed[3], draw(g, 2)),
            kit_feed(g->fed[4], "[]"),
        };
        SfSink a = {0}, b = {0};
        SfTensor x[3], y[3];
        const SfStatus sx = call(g, memo, c, feeds, false, &a, x);
        const SfStatus sy = call(g, full, c, feeds, true, &b, y);
        cr_expect_eq(sx, sy, "seed %d, run %d: %s %s", (int)seed, run,
                     a.last ? a.last->message : "", b.last ? b.last->message : "");
        for (int i = 0; i < 3 && sx == SF_OK && sy == SF_OK; i++) {
            cr_expect(same_result(&x[i], &y[i]), "seed %d, run %d, fetch %d (%s)", (int)seed, run,
                      i, c->fetches[i].node->name);
        }
        if (sx == SF_REPORTED && sy == SF_REPORTED) {
            cr_expect_str_eq(a.last->message, b.last->message);
        }
        for (int i = 0; i < g->nref; i++) {
            SfState p, q;
            cr_assert(sf_session_state(memo, g->refs[i].node, &p));
            cr_assert(sf_session_state(full, g->refs[i].node, &q));
            cr_expect(p.shape == q.shape && p.value == q.value && p.initialized == q.initialized,
                      "seed %d, run %d, variable %d", (int)seed, run, i);
        }
        sf_sink_free(&a);
        sf_sink_free(&b);
    }
    return sf_session_stats(memo).memo_hits;
}

Test(memo, random_graphs)
{
    uint64_t hits = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        Gen g;
        generate(&g, seed);
        SfSession *full = sf_session_new(g.k.g);
        init_variables(&g, g.k.s);
        init_variables(&g, full);
        hits += compare(&g, g.k.s, full, seed);
        sf_session_free(full);
        kit_close(&g.k);
    }
    cr_expect_gt(hits, 3000, "%d repetitions", (int)hits);
}
