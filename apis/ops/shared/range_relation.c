/* Relations between tensors. See range_relation.h. */
#include "apis/ops/shared/range_relation.h"

#include <math.h>

enum { DEPTH = 4 };

static bool reduces_axis(const SfNode *n, int axis, int rank)
{
    const SfValue *axes = n->nin > 1 ? n->inputs[1].value : NULL;
    for (int64_t i = 0; axes && i < sf_value_count(axes); i++) {
        const SfElem e = sf_value_elem(axes, i);
        if (e.kind == SF_ELEM_INT && (e.u.i == axis || e.u.i + rank == axis)) {
            return true;
        }
    }
    return false;
}

bool sf_range_is_aligned(const SfTensor *t, const SfNode *n, const SfTensor *of)
{
    const int rank = sf_shape_rank(of->shape);
    const SfAttr *keeps = sf_node_attr(n, "keep_dims");
    if (keeps && keeps->u.b && sf_range_in_place(t)->node == n) {
        return true; /* of any rank */
    }
    if (sf_shape_count(t->shape) == 1) {
        return sf_shape_count(n->outputs[0].shape) == 1;
    }
    if (rank < 0 || sf_shape_rank(t->shape) != rank || n->nin < 2 || !n->inputs[1].value ||
        !sf_value_is_exact(n->inputs[1].value)) {
        return false;
    }
    for (int axis = 0; axis < rank; axis++) {
        const SfDim dim = sf_shape_dim(t->shape, axis);
        if (reduces_axis(n, axis, rank) ? dim != 1 : dim != sf_shape_dim(of->shape, axis)) {
            return false;
        }
    }
    return true;
}

/* The largest and the least elements of the same groups. */
static bool has_same_groups(const SfTensor *big, const SfTensor *small)
{
    const SfTensor *most = sf_range_origin(big), *least = sf_range_origin(small);
    return sf_range_is(most, sf_range_max) && sf_range_is(least, sf_range_min) &&
           most->shape == big->shape && least->shape == small->shape &&
           most->shape == least->shape && most->node->nin > 1 && least->node->nin > 1 &&
           sf_range_same_shaped(&most->node->inputs[0], &least->node->inputs[0]) &&
           most->node->inputs[1].value && sf_value_is_exact(most->node->inputs[1].value) &&
           most->node->inputs[1].value == least->node->inputs[1].value;
}

typedef const SfTensor *(*Origin)(const SfTensor *t);

/* What `t` is a copy of; of what a condition chooses that always holds, or never, the chosen. */
static const SfTensor *chosen(const SfRange *c, const SfTensor *t, Origin origin)
{
    t = origin(t);
    while (sf_range_is(t, sf_range_select)) {
        const SfInterval condition = sf_range_of(c, &t->node->inputs[0]);
        if (sf_interval_is_empty(condition) || condition.lo != condition.hi) {
            break;
        }
        const SfTensor *from = &t->node->inputs[condition.lo == 1 ? 1 : 2];
        if (from->shape != t->shape) {
            break;
        }
        t = origin(from);
    }
    return t;
}

/* Rounds to another dtype, which keeps the order of any two. */
static bool is_cast(const SfTensor *t)
{
    return t->node && sf_node_role(t->node) == SF_ROLE_CAST &&
           !sf_dtype_is_bool(sf_dtype_base(t->dtype)) &&
           !sf_dtype_is_complex(sf_dtype_base(t->node->inputs[0].dtype));
}

/* The diagonal of a matrix, of which `sum` adds up the rows or the columns. */
static bool is_diagonal_of(const SfNode *sum, const SfTensor *small)
{
    const SfTensor *matrix = &sum->inputs[0];
    return sf_range_is(small, sf_range_diag_part) && sf_range_is_main(small->node, 1) &&
           sf_shape_rank(matrix->shape) == 2 && sf_shape_rank(small->shape) == 1 &&
           sf_shape_rank(sum->outputs[0].shape) == 1 &&
           sf_range_same_shaped(matrix, &small->node->inputs[0]);
}

static bool dominates(const SfRange *c, const SfTensor *big, const SfTensor *small, int depth)
{
    const SfTensor *from = chosen(c, big, sf_range_origin);
    const SfTensor *here = chosen(c, big, sf_range_in_place);
    const SfNode *n = from->node;
    if (sf_range_same_shaped(big, small)) {
        return true;
    }
    if (depth == 0) {
        return false;
    }
    const SfTensor *least = sf_range_origin(small);
    if (sf_range_is(least, sf_range_min)) {
        const SfTensor *of = &least->node->inputs[0];
        if ((sf_range_is_aligned(small, least->node, of) && dominates(c, big, of, depth - 1)) ||
            has_same_groups(big, small)) {
            return true;
        }
    }
    if (!n) {
        return false;
    }
    if (sf_range_is(from, sf_range_max)) {
        return sf_range_is_aligned(big, n, &n->inputs[0]) &&
               dominates(c, &n->inputs[0], small, depth - 1);
    }
    if (is_cast(here) && is_cast(least) && here->dtype == least->dtype &&
        here->node->inputs[0].dtype == least->node->inputs[0].dtype && here->shape == big->shape) {
        return dominates(c, here->node->inputs, least->node->inputs, depth - 1);
    }
    if (sf_range_is(from, sf_range_sum)) {
        const bool adds = sf_range_of(c, &n->inputs[0]).lo >= 0;
        return adds &&
               (is_diagonal_of(n, least) || (sf_range_is_aligned(big, n, &n->inputs[0]) &&
                                             dominates(c, &n->inputs[0], small, depth - 1)));
    }
    if (sf_range_is(here, sf_range_maximum)) {
        return dominates(c, &here->node->inputs[0], small, depth - 1) ||
               dominates(c, &here->node->inputs[1], small, depth - 1);
    }
    if (sf_range_is(here, sf_range_add)) {
        return (sf_range_of(c, &here->node->inputs[1]).lo >= 0 &&
                dominates(c, &here->node->inputs[0], small, depth - 1)) ||
               (sf_range_of(c, &here->node->inputs[0]).lo >= 0 &&
                dominates(c, &here->node->inputs[1], small, depth - 1));
    }
    return false;
}

bool sf_range_dominates(const SfRange *c, const SfTensor *big, const SfTensor *small)
{
    return dominates(c, big, small, DEPTH);
}

static bool is_held_by(const SfTensor *t, const SfTensor *v)
{
    const SfTensor *from = sf_range_in_place(t);
    return sf_range_same_shaped(t, v) || (v->state && from->node && from->node->nin > 0 &&
                                          from->node->inputs[0].state == v->state);
}

/* `part` is (a - b) * d with 0 <= d <= 1, and operand `own` of the difference is v. */
static const SfTensor *other_end(const SfRange *c, const SfTensor *v, const SfTensor *part, int own)
{
    const SfTensor *product = sf_range_in_place(part);
    if (!sf_range_is(product, sf_range_mul)) {
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        const SfTensor *distance = sf_range_in_place(&product->node->inputs[i]);
        const SfInterval d = sf_range_of(c, &product->node->inputs[1 - i]);
        if (sf_range_is(distance, sf_range_sub) && d.lo >= 0 && d.hi <= 1 &&
            !(d.flags & (SF_MAY_BE_NAN | SF_MAY_BE_INF)) &&
            is_held_by(&distance->node->inputs[own], v)) {
            return &distance->node->inputs[1 - own];
        }
    }
    return NULL;
}

const SfTensor *sf_range_target(const SfRange *c, const SfTensor *v, const SfTensor *off)
{
    return other_end(c, v, off, 0);
}

const SfTensor *sf_range_gained(const SfRange *c, const SfTensor *v, const SfTensor *on)
{
    return other_end(c, v, on, 1);
}

bool sf_range_sums_peak(const SfRange *c, const SfNode *sum)
{
    const SfTensor *terms = sf_range_origin(&sum->inputs[0]);
    if (!sf_range_is(terms, sf_range_exp) || terms->shape != sum->inputs[0].shape) {
        return false;
    }
    const SfTensor *distance = sf_range_origin(&terms->node->inputs[0]);
    if (!sf_range_is(distance, sf_range_sub) || distance->shape != terms->shape) {
        return false;
    }
    const SfTensor *in = distance->node->inputs, *most = chosen(c, &in[1], sf_range_origin);
    return sf_range_is(most, sf_range_max) &&
           sf_range_same_shaped(&most->node->inputs[0], &in[0]) &&
           sf_range_is_aligned(&in[1], most->node, &in[0]) && sum->nin > 1 && most->node->nin > 1 &&
           sum->inputs[1].value && sum->inputs[1].value == most->node->inputs[1].value;
}

static SfInterval above(SfInterval x, double least, bool strictly)
{
    if (x.flags & SF_ALL_INTEGERS) {
        least = strictly ? floor(least) + 1 : ceil(least);
        strictly = false; /* of the number that they are at least, which may be zero */
    }
    SfInterval limits = sf_interval_make(least, sf_dtype_largest(SF_DT_DOUBLE));
    limits.flags |= SF_MAY_BE_PINF;
    if (strictly && least >= 0) {
        limits.flags &= ~(unsigned)SF_MAY_BE_ZERO;
    }
    return sf_interval_meet(x, limits);
}

static SfInterval below(SfInterval x, double most, bool strictly)
{
    return sf_interval_neg(above(sf_interval_neg(x), -most, strictly));
}

static SfRangeFn opposite(SfRangeFn f)
{
    return f == sf_range_less            ? sf_range_greater_equal
           : f == sf_range_less_equal    ? sf_range_greater
           : f == sf_range_greater       ? sf_range_less_equal
           : f == sf_range_greater_equal ? sf_range_less
           : f == sf_range_equal         ? sf_range_not_equal
           : f == sf_range_not_equal     ? sf_range_equal
                                         : NULL;
}

const SfTensor *sf_range_given(const SfRange *c, const SfTensor *condition, bool truth,
                               SfInterval *as)
{
    const SfTensor *from = sf_range_origin(condition);
    const SfRangeFn is = from->node ? from->node->sig->def->range : NULL;
    if (is == sf_range_not) {
        return sf_range_given(c, &from->node->inputs[0], !truth, as);
    }
    const SfRangeFn f = truth ? is : opposite(is);
    if (!is || !opposite(is)) {
        return NULL;
    }
    const SfTensor *x = &from->node->inputs[0];
    const SfInterval k = sf_range_of(c, &from->node->inputs[1]), now = sf_range_of(c, x);
    const bool is_unordered = k.flags & SF_MAY_BE_NAN && (!truth || f == sf_range_not_equal);
    if (is_unordered || sf_interval_is_empty(k)) {
        return NULL; /* NaN fails every comparison but !=, and what is infinite bounds nothing */
    }
    if (f == sf_range_greater || f == sf_range_greater_equal) {
        *as = k.flags & SF_MAY_BE_NINF ? now : above(now, k.lo, f == sf_range_greater);
    } else if (f == sf_range_less || f == sf_range_less_equal) {
        *as = k.flags & SF_MAY_BE_PINF ? now : below(now, k.hi, f == sf_range_less);
    } else if (f == sf_range_equal) {
        *as = sf_interval_meet(now, k);
        as->flags &= sf_interval_has_zero(*as) ? ~(unsigned)SF_NO_MINUS_ZERO | now.flags : ~0u;
    } else {
        *as = now;
        if (k.lo == 0 && k.hi == 0) {
            as->flags &= ~(unsigned)SF_MAY_BE_ZERO;
        }
    }
    if (!truth && f != sf_range_equal) {
        as->flags |= now.flags & SF_MAY_BE_NAN;
    }
    return x;
}
