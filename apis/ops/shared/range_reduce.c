/* Ranges of ops that make one element of many, and of the layers that do. */
#include <float.h>
#include <math.h>

#include "apis/ops/shared/range_relation.h"

static bool is_complex(const SfRange *c)
{
    return sf_dtype_is_complex(sf_range_dtype(c, 0));
}

static void at_least(SfInterval *a, double least)
{
    if (!sf_interval_is_empty(*a) && a->lo < least) {
        a->lo = least;
        a->hi = fmax(a->hi, least);
        a->flags &= least > 0 ? ~(unsigned)SF_MAY_BE_ZERO : ~0u;
    }
    a->flags &= least >= 0 ? ~(unsigned)SF_MAY_BE_NINF : ~0u;
}

/* How many elements of input 0 go into one of output 0: *most < 0 when unknown. */
static void group(const SfRange *c, double *least, double *most)
{
    double in[2], out[2] = {1, 1};
    sf_range_count(c, 0, &in[0], &in[1]);
    const SfDim n = sf_shape_count(c->node->outputs[0].shape);
    const SfShape *x = c->node->inputs[0].shape;
    const SfValue *axes = c->node->nin > 1 ? c->node->inputs[1].value : NULL;
    *least = in[0] > 0 ? 1 : 0; /* a reduction of nothing is only of an empty tensor */
    *most = in[1];
    if (sf_dim_is_known(n) && n > 0 && in[1] >= 0) {
        out[0] = (double)n;
        *least = *most = in[1] / out[0];
        return;
    }
    double product = 1;
    const int rank = sf_shape_rank(x);
    for (int64_t i = 0; axes && rank > 0 && i < sf_value_count(axes); i++) {
        const SfElem e = sf_value_elem(axes, i);
        const SfDim d = e.kind == SF_ELEM_INT ? sf_shape_dim(x, (int)e.u.i) : SF_DIM_UNKNOWN;
        product = sf_dim_is_known(d) && product >= 0 ? product * (double)d : -1;
    }
    if (axes && rank > 0 && product >= 0) {
        *least = *most = product;
    } else {
        *least = 1; /* batches are not empty where anything is computed of them */
    }
}

static bool is_only(const SfValue *v, int64_t number, int rank)
{
    const SfElem e = v && sf_value_count(v) == 1 ? sf_value_elem(v, 0) : sf_elem_float(0);
    return e.kind == SF_ELEM_INT && (e.u.i == number || e.u.i + rank == number);
}

/* Is `t` one_hot along the axis that is summed, of 1 and 0? `found`: one of each row is 1. */
static bool is_one_hot(const SfRange *c, const SfTensor *t, bool *found)
{
    const SfTensor *from = sf_range_origin(t);
    const int rank = sf_shape_rank(t->shape);
    if (!sf_range_is(from, sf_range_one_hot) || from->shape != t->shape || from->node->nin < 4 ||
        rank <= 0 || c->node->nin < 2) {
        return false;
    }
    const SfNode *n = from->node;
    const SfAttr *axis = sf_node_attr(n, "axis");
    const int64_t along = axis && axis->u.i >= 0 ? axis->u.i : rank - 1;
    const SfInterval on = sf_range_of(c, &n->inputs[2]), off = sf_range_of(c, &n->inputs[3]),
                     index = sf_range_of(c, &n->inputs[0]), depth = sf_range_of(c, &n->inputs[1]);
    *found = index.lo >= 0 && index.hi < depth.lo;
    return on.lo == 1 && on.hi == 1 && off.lo == 0 && off.hi == 0 &&
           is_only(c->node->inputs[1].value, along, rank);
}

/* one_hot rows, of which the sum is their only 1, and products with them: what is added to zeros
   is one element, as it is. */
static void pick(SfRange *c)
{
    const SfTensor *terms = sf_range_origin(&c->node->inputs[0]);
    bool found = false;
    if (is_one_hot(c, &c->node->inputs[0], &found)) {
        const SfInterval one = sf_interval_exact(1);
        c->out[0] =
            sf_interval_meet(c->out[0], found ? one : sf_interval_join(one, sf_interval_exact(0)));
        return;
    }
    if (!sf_range_is(terms, sf_range_mul) || terms->shape != c->node->inputs[0].shape) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const SfTensor *row = &terms->node->inputs[i];
        if (row->shape == terms->shape && is_one_hot(c, row, &found)) {
            const SfInterval x = sf_range_of(c, &terms->node->inputs[1 - i]);
            SfInterval one = sf_interval_mul(x, sf_interval_exact(1), sf_range_dtype(c, 0));
            one = found ? one : sf_interval_join(one, sf_interval_exact(0));
            /* Zero times what is below it is -0. */
            one.flags &= c->out[0].flags | ~(unsigned)SF_NO_MINUS_ZERO;
            /* What is not finite among the others is not picked, but times zero it is NaN. */
            one.flags |= c->out[0].flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF);
            c->out[0] = sf_interval_meet(c->out[0], one);
            return;
        }
    }
}

/* The shares of a softmax that are summed along its axis are 1, but for rounding; of any number of
 * them the largest is not zero. */
static void sum_shares(SfRange *c)
{
    const SfTensor *terms = sf_range_origin(&c->node->inputs[0]);
    const int rank = sf_shape_rank(terms->shape);
    if (!sf_range_is(terms, sf_range_softmax) || terms->shape != c->node->inputs[0].shape ||
        rank <= 0 || c->node->nin < 2 || !is_only(c->node->inputs[1].value, rank - 1, rank)) {
        return;
    }
    const SfDtype t = sf_range_dtype(c, 0);
    const SfDim classes = sf_shape_dim(terms->shape, -1);
    const bool counts = sf_dim_is_known(classes) && classes > 0;
    const double slack = counts ? 2 * ((double)classes + 64) * sf_dtype_epsilon(t) : 1;
    const double least = slack < 0.5 ? 1 - slack : 0.5 / (counts ? (double)classes : 0x1p31);
    if (least > sf_dtype_least_normal(t)) {
        at_least(&c->out[0], least);
    }
    if (slack < 0.5 && !sf_interval_is_empty(c->out[0])) {
        c->out[0].hi = fmin(c->out[0].hi, 1 + slack);
    }
}

void sf_range_sum(SfRange *c)
{
    double least, most;
    if (is_complex(c)) {
        return;
    }
    group(c, &least, &most);
    c->out[0] = sf_interval_sum(c->in[0], least, most, sf_range_dtype(c, 0));
    if (sf_range_sums_peak(c, c->node)) {
        at_least(&c->out[0], 0.999);
    }
    pick(c);
    sum_shares(c);
}

/* Is a mean of numbers of one sign, none of which is zero, not zero? How many they are may not be
   known, but they can be counted: a sum of them, in whatever order, is at least as large as one. */
static bool is_mean_above_zero(const SfRange *c, SfInterval x, double most)
{
    const SfDtype t = sf_range_dtype(c, 0);
    const bool one_sided = x.lo >= 0 || x.hi <= 0;
    const double nearest = fmin(fabs(x.lo), fabs(x.hi));
    const bool is_wide = sf_dtype_is_floating(t) && sf_dtype_epsilon(t) <= FLT_EPSILON;
    return one_sided && !sf_interval_has_zero(x) &&
           (most >= 0 || (is_wide && nearest * 0x1p-63 > FLT_MIN));
}

/* Between the least and the largest, but for rounding. */
void sf_range_mean(SfRange *c)
{
    double least, most;
    const SfDtype t = sf_range_dtype(c, 0);
    if (is_complex(c) || sf_interval_is_empty(c->in[0])) {
        return;
    }
    group(c, &least, &most);
    const SfInterval sum = sf_interval_sum(c->in[0], least, most, t), x = c->in[0];
    const double slack = most < 0 ? 1 : fmin(most * sf_dtype_epsilon(t), 1);
    SfInterval y = sf_interval_make(x.lo < 0 ? x.lo * (1 + slack) : x.lo * (1 - slack),
                                    x.hi > 0 ? x.hi * (1 + slack) : x.hi * (1 - slack));
    y = sf_interval_round(y, t);
    y.flags |= sum.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF);
    y.flags |= least == 0 ? SF_MAY_BE_NAN : 0;
    if (is_mean_above_zero(c, x, most)) {
        y.flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
    c->out[0] = y;
}

void sf_range_prod(SfRange *c)
{
    const SfInterval x = c->in[0];
    if (!is_complex(c) && x.lo >= 0 && x.hi <= 1 && !(x.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF))) {
        c->out[0] = sf_interval_make(0, 1);
    } else if (!is_complex(c) && x.lo >= 0 && !(x.flags & SF_MAY_BE_NINF) &&
               sf_dtype_is_floating(sf_range_dtype(c, 0))) {
        at_least(&c->out[0], 0);
    }
}

/* Of none, one, or more elements along an axis. */
void sf_range_scan_prod(SfRange *c)
{
    sf_range_prod(c);
    c->out[0] = sf_interval_join(c->out[0], sf_interval_exact(1));
}

void sf_range_max(SfRange *c)
{
    double least, most;
    group(c, &least, &most);
    c->out[0] = c->in[0];
    if (least == 0 && sf_dtype_is_floating(sf_range_dtype(c, 0))) {
        c->out[0].flags |= SF_MAY_BE_NINF;
    }
}

void sf_range_min(SfRange *c)
{
    sf_range_max(c);
    c->out[0].flags |=
        c->out[0].flags & SF_MAY_BE_NINF && !(c->in[0].flags & SF_MAY_BE_NINF) ? SF_MAY_BE_PINF : 0;
}

static void root_of(SfRange *c, SfInterval sum)
{
    const SfDtype t = sf_range_dtype(c, 0);
    c->out[0] = sf_interval_map(sum, sqrt, false, NAN, INFINITY, t, 8);
}

void sf_range_norm(SfRange *c)
{
    double least, most;
    if (!is_complex(c)) {
        group(c, &least, &most);
        const SfDtype t = sf_range_dtype(c, 0);
        root_of(c, sf_interval_sum(sf_interval_square(c->in[0], t), least, most, t));
    }
}

void sf_range_l2_loss(SfRange *c)
{
    double least, most;
    const SfDtype t = sf_range_dtype(c, 0);
    sf_range_count(c, 0, &least, &most);
    const SfInterval square = sf_interval_square(c->in[0], t), half = sf_interval_exact(0.5);
    /* Halved before or after they are added, as the kernel likes. */
    c->out[0] = sf_interval_join(sf_interval_mul(sf_interval_sum(square, least, most, t), half, t),
                                 sf_interval_sum(sf_interval_mul(square, half, t), least, most, t));
}

/* The sum of up to so many terms, of none too. */
void sf_range_segment_sum(SfRange *c)
{
    double least, most;
    if (!is_complex(c)) {
        sf_range_count(c, 0, &least, &most);
        c->out[0] = sf_interval_join(sf_interval_sum(c->in[0], 1, most, sf_range_dtype(c, 0)),
                                     sf_interval_exact(0));
    }
}

/* How often each number is there; where input 2 has elements, what they weigh together. */
void sf_range_bincount(SfRange *c)
{
    double least, most, numbers[2];
    const SfAttr *is_binary = sf_node_attr(c->node, "binary_output");
    sf_range_count(c, 2, &least, &most);
    sf_range_count(c, 0, &numbers[0], &numbers[1]);
    const SfInterval one = sf_interval_exact(1), zero = sf_interval_exact(0);
    const SfInterval weights = most == 0  ? one
                               : most < 0 ? sf_interval_join(one, c->in[2])
                                          : c->in[2];
    c->out[0] =
        is_binary && is_binary->u.b
            ? sf_interval_join(one, zero)
            : sf_interval_join(sf_interval_sum(weights, 1, numbers[1], sf_range_dtype(c, 0)), zero);
}

/* What is added to elements of input 0, any number of times: none of them goes against its sign. */
static void scattered(SfRange *c, SfInterval updates)
{
    double least, most;
    sf_range_count(c, 2, &least, &most);
    const SfInterval terms = sf_interval_join(c->in[0], updates);
    SfInterval limits = {-DBL_MAX, DBL_MAX, SF_MAY_BE_ANY};
    limits.lo = updates.lo >= 0 ? c->in[0].lo : limits.lo;
    limits.hi = updates.hi <= 0 ? c->in[0].hi : limits.hi;
    const double all = most < 0 ? most : most + 1;
    c->out[0] = sf_interval_meet(sf_interval_sum(terms, 1, all, sf_range_dtype(c, 0)), limits);
}

void sf_range_tensor_scatter_add(SfRange *c)
{
    if (!is_complex(c)) {
        scattered(c, c->in[2]);
    }
}

void sf_range_tensor_scatter_sub(SfRange *c)
{
    if (!is_complex(c)) {
        scattered(c, sf_interval_sub(sf_interval_exact(0), c->in[2], sf_range_dtype(c, 0)));
    }
}

void sf_range_scatter_nd(SfRange *c)
{
    double least, most;
    if (!is_complex(c)) {
        sf_range_count(c, 1, &least, &most);
        c->out[0] = sf_interval_join(sf_interval_sum(c->in[1], 1, most, sf_range_dtype(c, 0)),
                                     sf_interval_exact(0));
    }
}

void sf_range_scan_sum(SfRange *c)
{
    sf_range_segment_sum(c);
}

/* The sum of `n` products of the elements of inputs 0 and 1; n < 0: of any number. */
static void products(SfRange *c, double n)
{
    const SfDtype t = sf_range_dtype(c, 0);
    if (!is_complex(c)) {
        SfInterval one = sf_interval_mul(c->in[0], c->in[1], t);
        if (t == SF_DT_HALF || t == SF_DT_BFLOAT16) {
            one = sf_interval_join(one, sf_interval_mul(c->in[0], c->in[1], SF_DT_FLOAT));
        }
        SfInterval sum = sf_interval_sum(one, n > 0 ? 1 : 0, n, t);
        /* Products are kept longer than in the dtype, or rounded: subnormal ones may vanish. */
        c->out[0] = sf_interval_has_zero(one) ? sum : sf_interval_loosen(sum, t, 1);
    }
}

static double known(SfDim d)
{
    return sf_dim_is_known(d) ? (double)d : -1;
}

/* The contracted axis: the last of input 0, or the one before it when it is transposed. */
void sf_range_matmul(SfRange *c)
{
    const SfNode *n = c->node;
    const SfAttr *transposed = sf_node_attr(n, "transpose_a");
    transposed = transposed ? transposed : sf_node_attr(n, "adj_x");
    if (n->nin != 2) {
        return;
    }
    if (!transposed) { /* Einsum: what is contracted is said by its equation */
        double least, most;
        sf_range_count(c, 0, &least, &most);
        products(c, most);
        return;
    }
    products(c, known(sf_shape_dim(n->inputs[0].shape, transposed->u.b ? -2 : -1)));
}

/* Every element of the filter but those of its last axis, and zeros where it hangs over. */
void sf_range_conv(SfRange *c)
{
    double least, most;
    sf_range_count(c, 1, &least, &most);
    const SfDim filters = sf_shape_dim(c->node->inputs[1].shape, -1);
    products(c,
             most >= 0 && sf_dim_is_known(filters) && filters > 0 ? most / (double)filters : most);
    c->out[0] = sf_interval_join(c->out[0], sf_interval_exact(0));
    if ((c->in[0].flags | c->in[1].flags) & SF_MAY_BE_INF) { /* times the zeros around it */
        c->out[0].flags |= SF_MAY_BE_NAN;
    }
}

/* Elements that are averaged, at most. */
static double window(const SfNode *n)
{
    const SfAttr *size = sf_node_attr(n, "ksize");
    double count = 1;
    for (int i = 0; size && i < size->u.list.n; i++) {
        count *= (double)size->u.list.u.i[i];
    }
    return fmax(count, 1);
}

void sf_range_average_pool(SfRange *c)
{
    if (!sf_interval_is_empty(c->in[0])) {
        SfInterval y = sf_interval_loosen(c->in[0], sf_range_dtype(c, 0), 1024);
        y.flags |= y.flags & SF_MAY_BE_INF ? SF_MAY_BE_NAN : 0;
        y.flags |= y.lo < 0 && y.hi > 0 ? SF_MAY_BE_ZERO : 0;
        const double most = sf_dtype_largest(sf_range_dtype(c, 0)) / window(c->node);
        y.flags |= y.hi > most ? SF_MAY_BE_PINF : 0; /* the sum that is divided */
        y.flags |= y.lo < -most ? SF_MAY_BE_NINF : 0;
        c->out[0] = y;
    }
}

/* layers */

static double last_dim(const SfRange *c)
{
    const SfDim d = sf_shape_dim(c->node->inputs[0].shape, -1);
    return sf_dim_is_known(d) ? (double)d : -1;
}

/* With logits at most a distance d apart no class has less than exp(-d) / classes. */
void sf_range_softmax(SfRange *c)
{
    const SfDtype t = sf_range_dtype(c, 0);
    const SfInterval x = c->in[0];
    const double classes = last_dim(c);
    SfInterval y = sf_interval_make(0, 1);
    if (!sf_interval_is_empty(x) && classes > 0) {
        const double least = exp(x.lo - x.hi) / classes * (1 - 64 * sf_dtype_epsilon(t));
        y = sf_interval_round(sf_interval_make(fmin(least, 1), 1), t);
        y.flags = least > sf_dtype_least_normal(t) ? 0 : SF_MAY_BE_ZERO;
    }
    y.flags |= x.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF) ? SF_MAY_BE_NAN | SF_MAY_BE_ZERO : 0;
    y.lo = y.flags & SF_MAY_BE_ZERO ? 0 : y.lo;
    c->out[0] = y;
}

void sf_range_log_softmax(SfRange *c)
{
    const SfInterval x = c->in[0];
    const double classes = last_dim(c);
    if (sf_interval_is_empty(x)) {
        return;
    }
    const double least = x.lo - x.hi - log(classes > 0 ? classes : 1e18);
    SfInterval y = sf_interval_make(least - fabs(least) * 1e-2, 0);
    y = sf_interval_round(y, sf_range_dtype(c, 0));
    y.flags |= x.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF) ? SF_MAY_BE_NAN | SF_MAY_BE_NINF : 0;
    c->out[0] = y;
}

/* The loss of distributions is never negative; labels that are none may make it so. */
void sf_range_cross_entropy(SfRange *c)
{
    const SfDtype labels = sf_dtype_base(c->node->inputs[1].dtype);
    const bool good =
        sf_dtype_is_integer(labels) || (c->in[1].lo >= 0 && c->in[1].hi <= 1 &&
                                        !(c->in[1].flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF)));
    if (good) {
        at_least(&c->out[0], 0);
    }
    /* A sum over classes, of distances of logits. */
    const double classes = last_dim(c) > 0 ? last_dim(c) : 1e9;
    const double most = (c->in[0].hi - c->in[0].lo + 100) * classes;
    if (good && !(c->in[0].flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF)) &&
        most < sf_dtype_largest(sf_range_dtype(c, 0)) / 2) {
        c->out[0].flags &=
            ~(unsigned)(SF_MAY_BE_INF | (sf_dtype_is_integer(labels) ? 0 : SF_MAY_BE_NAN));
        c->out[0].hi =
            fmin(c->out[0].hi,
                 sf_interval_round(sf_interval_make(0, 1.01 * most), sf_range_dtype(c, 0)).hi);
    }
}

/* Its second output, and those that keep variances, are never negative. */
void sf_range_batch_norm(SfRange *c)
{
    for (int i = 2; i < c->node->nout && i < 5; i += 2) {
        c->out[i].lo = 0;
    }
}
