/* Ranges of what moves elements, makes them from nothing, or keeps them in variables. */
#include <float.h>
#include <math.h>

#include "apis/ops/shared/range_relation.h"
#include "core/graph/graph.h"

/* movers */

void sf_range_move(SfRange *c)
{
    for (int i = 0; i < c->node->nout && c->node->nin > 0; i++) {
        if (sf_range_dtype(c, i) == sf_dtype_base(c->node->inputs[0].dtype)) {
            c->out[i] = c->in[0];
        }
    }
}

void sf_range_move_all(SfRange *c)
{
    for (int k = 0; k < c->node->nout; k++) {
        SfInterval all = sf_interval_none();
        int n = 0;
        for (int i = 0; i < c->node->nin; i++) {
            if (sf_dtype_base(c->node->inputs[i].dtype) == sf_range_dtype(c, k)) {
                all = sf_interval_join(all, c->in[i]);
                n++;
            }
        }
        c->out[k] = n ? all : c->out[k];
    }
}

void sf_range_move_second(SfRange *c)
{
    for (int i = 0; i < c->node->nout && c->node->nin > 1; i++) {
        c->out[i] = c->in[1];
    }
}

void sf_range_each(SfRange *c)
{
    for (int i = 0; i < c->node->nout && i < c->node->nin; i++) {
        c->out[i] = c->in[i];
    }
}

void sf_range_or_zero(SfRange *c)
{
    c->out[0] = sf_interval_join(c->in[0], sf_interval_exact(0));
}

void sf_range_cast(SfRange *c)
{
    const SfDtype from = sf_dtype_base(c->node->inputs[0].dtype), to = sf_range_dtype(c, 0);
    if (!sf_dtype_is_complex(from) && !sf_dtype_is_complex(to)) {
        c->out[0] = sf_interval_cast(c->in[0], from, to);
    }
}

void sf_range_one_hot(SfRange *c)
{
    c->out[0] = c->node->nin > 3 ? sf_interval_join(c->in[2], c->in[3]) : c->out[0];
}

void sf_range_between(SfRange *c)
{
    const SfInterval both = sf_interval_join(c->in[0], c->in[1]);
    c->out[0] = sf_interval_loosen(both, sf_range_dtype(c, 0), 64);
    c->out[0].flags |= c->in[0].flags & c->in[1].flags & c->in[2].flags & SF_ALL_INTEGERS;
}

/* sources */

void sf_range_unit_uniform(SfRange *c)
{
    const SfDtype t = sf_range_dtype(c, 0);
    const bool has_bits = t == SF_DT_FLOAT || t == SF_DT_DOUBLE;
    /* The kernel fills a significand of 1 to 2 and takes 1 off: 1 is never drawn, but float16 and
     * bfloat16 that a compiler draws in float32 may round up to it. */
    c->out[0] = sf_interval_make(0, has_bits ? 1 - sf_dtype_epsilon(t) : 1);
}

void sf_range_normal(SfRange *c)
{
    /* The most that the kernel's Box-Muller transform of 32 or 64 random bits gives. */
    c->out[0] = sf_interval_make(-10, 10);
}

void sf_range_truncated_normal(SfRange *c)
{
    c->out[0] = sf_interval_make(-2, 2);
}

void sf_range_uniform_int(SfRange *c)
{
    c->out[0] = sf_interval_join(c->in[c->node->nin - 2], c->in[c->node->nin - 1]);
}

void sf_range_positive(SfRange *c)
{
    c->out[0].lo = 0;
    c->out[0].flags &= ~(unsigned)SF_MAY_BE_NINF;
}

void sf_range_index(SfRange *c)
{
    for (int i = 0; i < c->node->nout; i++) {
        if (sf_dtype_is_integer(sf_range_dtype(c, i))) {
            c->out[i].lo = 0;
        }
    }
}

/* Does the dim come with the data, as that of a batch? What is computed of data, as by a mask, has
 * dims of its own. */
static bool is_of_data(const SfRange *c, SfDim d)
{
    const SfGraph *g = c->node->graph;
    for (int id = 0; sf_dim_is_symbol(d) && id < c->node->id; id++) {
        const SfNode *n = sf_graph_node(g, id);
        bool computes = false;
        for (int i = 0; i < n->nin; i++) {
            const SfDtype t = sf_dtype_base(n->inputs[i].dtype);
            computes = computes || (t != SF_DT_RESOURCE && t != SF_DT_VARIANT && t != SF_DT_STRING);
        }
        for (int k = 0; k < n->nout && !computes; k++) {
            const SfShape *s = n->outputs[k].shape;
            for (int axis = 0; axis < sf_shape_rank(s); axis++) {
                if (sf_shape_dim(s, axis) == d) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool has_elements(const SfRange *c, const SfTensor *t)
{
    const int rank = sf_shape_rank(t->shape);
    for (int axis = 0; axis < rank; axis++) {
        const SfDim d = sf_shape_dim(t->shape, axis);
        if (sf_dim_is_known(d) ? d == 0 : !is_of_data(c, d)) {
            return false;
        }
    }
    return rank >= 0;
}

void sf_range_sizes(SfRange *c)
{
    sf_range_index(c);
    for (int i = 0; i < c->node->nout && i < c->node->nin; i++) {
        if (has_elements(c, &c->node->inputs[i]) && c->out[i].lo == 0) {
            c->out[i].lo = 1;
            c->out[i].flags &= ~(unsigned)SF_MAY_BE_ZERO;
        }
    }
}

/* Each id is drawn with a probability that is not zero. */
void sf_range_candidates(SfRange *c)
{
    sf_range_index(c);
    for (int i = 1; i < c->node->nout; i++) {
        c->out[i] = sf_interval_finite(sf_range_dtype(c, i));
        c->out[i].lo = 0;
        c->out[i].flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
}

void sf_range_arg(SfRange *c)
{
    const SfValue *axis = c->node->nin > 1 ? c->node->inputs[1].value : NULL;
    sf_range_index(c);
    if (axis && sf_value_count(axis) == 1 && sf_value_elem(axis, 0).kind == SF_ELEM_INT) {
        const SfDim d = sf_shape_dim(c->node->inputs[0].shape, (int)sf_value_elem(axis, 0).u.i);
        if (sf_dim_is_known(d) && d > 0) {
            c->out[0].hi = (double)(d - 1);
        }
    }
}

/* The values, their places, and how often each is there. */
void sf_range_unique(SfRange *c)
{
    for (int k = 0; k < c->node->nout; k++) {
        c->out[k] = sf_interval_top(sf_range_dtype(c, k));
    }
    sf_range_index(c);
    c->out[0] = c->in[0];
    if (c->node->nout > 2) {
        c->out[2].lo = 1;
        c->out[2].flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
}

/* diagonals of matrices */

bool sf_range_is_main(const SfNode *n, int k)
{
    const SfValue *v = k < n->nin ? n->inputs[k].value : NULL;
    return k >= n->nin || (v && sf_value_count(v) == 1 && sf_value_elem(v, 0).kind == SF_ELEM_INT &&
                           sf_value_elem(v, 0).u.i == 0);
}

/* What its kernel takes has a positive diagonal (sf_range_diag_part); of the rest nothing is known.
 */
void sf_range_cholesky(SfRange *c)
{
    c->out[0] = sf_interval_top(sf_range_dtype(c, 0));
}

void sf_range_set_diag(SfRange *c)
{
    c->out[0] = sf_interval_join(c->in[0], c->in[1]);
}

void sf_range_diag_part(SfRange *c)
{
    const SfTensor *from = sf_range_origin(&c->node->inputs[0]);
    if (!sf_range_is_main(c->node, 1)) { /* shorter diagonals are padded */
        sf_range_move_all(c);
        return;
    }
    c->out[0] = c->in[0];
    const int rank = sf_shape_rank(c->node->inputs[0].shape);
    if (from->shape != c->node->inputs[0].shape || rank < 2 ||
        sf_shape_rank(c->node->outputs[0].shape) != rank - 1) { /* DiagPart halves the axes */
        return;
    }
    if (sf_range_is(from, sf_range_cholesky)) {
        c->out[0].lo = sf_dtype_least_normal(sf_range_dtype(c, 0));
        c->out[0].flags &= ~(unsigned)(SF_MAY_BE_ZERO | SF_MAY_BE_NINF);
    } else if (sf_range_is(from, sf_range_set_diag) && sf_range_is_main(from->node, 2)) {
        c->out[0] = sf_range_of(c, &from->node->inputs[1]);
    }
}

void sf_range_where(SfRange *c)
{
    sf_range_index(c);
}

void sf_range_truth(SfRange *c)
{
    c->out[0] = sf_interval_top(SF_DT_BOOL);
}

/* clang-format off */
void sf_range_not(SfRange *c)           { sf_range_truth(c); }
void sf_range_less(SfRange *c)          { sf_range_truth(c); }
void sf_range_less_equal(SfRange *c)    { sf_range_truth(c); }
void sf_range_greater(SfRange *c)       { sf_range_truth(c); }
void sf_range_greater_equal(SfRange *c) { sf_range_truth(c); }
void sf_range_equal(SfRange *c)         { sf_range_truth(c); }
void sf_range_not_equal(SfRange *c)     { sf_range_truth(c); }
/* clang-format on */

static void truth_of(SfRange *c, bool may_hold, bool may_fail)
{
    c->out[0] = sf_interval_make(may_fail ? 0 : 1, may_hold ? 1 : 0);
    c->out[0].flags |= SF_ALL_INTEGERS;
}

void sf_range_is_nan(SfRange *c)
{
    const SfInterval x = c->in[0];
    truth_of(c, x.flags & SF_MAY_BE_NAN,
             !sf_interval_is_empty(x) || x.flags & SF_MAY_BE_INF || !(x.flags & SF_MAY_BE_NAN));
}

void sf_range_is_inf(SfRange *c)
{
    const SfInterval x = c->in[0];
    truth_of(c, x.flags & SF_MAY_BE_INF,
             !sf_interval_is_empty(x) || x.flags & SF_MAY_BE_NAN || !(x.flags & SF_MAY_BE_INF));
}

void sf_range_is_finite(SfRange *c)
{
    const SfInterval x = c->in[0];
    const bool breaks = x.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF);
    truth_of(c, !sf_interval_is_empty(x) || !breaks, breaks);
}

void sf_range_zeros(SfRange *c)
{
    c->out[0] = sf_interval_exact(0);
}

void sf_range_ones(SfRange *c)
{
    c->out[0] = sf_interval_exact(1);
}

/* variables */

void sf_range_variable(SfRange *c)
{
    if (c->held && c->node->nout == 1 && sf_dtype_is_ref(c->node->outputs[0].dtype)) {
        c->out[0] = *c->held;
    }
}

void sf_range_read(SfRange *c)
{
    if (c->held) {
        c->out[0] = *c->held;
    }
}

void sf_range_assign(SfRange *c)
{
    if (c->written && c->node->nin > 1) {
        *c->written = c->in[1];
    }
}

static bool is_update(const SfRange *c)
{
    return c->written && c->held && c->node->nin > 1;
}

void sf_range_assign_add(SfRange *c)
{
    if (is_update(c)) {
        *c->written = sf_interval_add(*c->held, c->in[1], sf_dtype_base(c->node->inputs[1].dtype));
    }
}

void sf_range_assign_sub(SfRange *c)
{
    if (is_update(c)) {
        const SfTensor *in = c->node->inputs, *target = sf_range_target(c, &in[0], &in[1]);
        *c->written = target ? sf_range_of(c, target)
                             : sf_interval_sub(*c->held, c->in[1], sf_dtype_base(in[1].dtype));
    }
}

void sf_range_scatter(SfRange *c)
{
    if (c->written && c->node->nin > 2) {
        *c->written = sf_interval_top(sf_dtype_base(c->node->inputs[2].dtype));
    }
}

/* An element may be named any number of times. */
void sf_range_scatter_add(SfRange *c)
{
    sf_range_scatter(c);
    if (is_update(c) && c->node->nin > 2) {
        const SfInterval all = {-DBL_MAX, DBL_MAX, SF_MAY_BE_ANY};
        SfInterval limits = all;
        limits.lo = c->in[2].lo >= 0 ? c->held->lo : all.lo;
        limits.hi = c->in[2].hi <= 0 ? c->held->hi : all.hi;
        *c->written = sf_interval_meet(*c->written, limits);
    }
}
