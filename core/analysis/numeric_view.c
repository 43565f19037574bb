/* Intervals of some elements of a tensor: of a part along an axis, or where a condition holds. Both
 * are computed from the ops behind the tensor when they are asked for. See core/op/range.h. */
#include "core/analysis/numeric.h"

enum { SUPPOSE_DEPTH = 4, PART_DEPTH = 10, MOST_INPUTS = 4 };

/* Element by element, few inputs, and nothing that is fed. */
static bool is_followed(const SfRange *c, const SfTensor *t)
{
    const SfNode *n = t->node;
    return n && sf_numeric_is_computed(c->numeric, t) && n->nout == 1 && n->nin > 0 &&
           n->nin <= MOST_INPUTS && n->sig->def->range && n->sig->def->traits & SF_OP_ELEMENTWISE;
}

static bool is_identity(const SfRange *c, const SfTensor *t)
{
    return t->node && t->node->nin == 1 && sf_numeric_is_computed(c->numeric, t) &&
           (sf_node_role(t->node) == SF_ROLE_IDENTITY ||
            sf_node_role(t->node) == SF_ROLE_STOP_GRADIENT) &&
           !sf_dtype_is_ref(t->node->inputs[0].dtype);
}

static SfInterval recomputed(const SfRange *c, const SfNode *n, const SfInterval *in, int depth)
{
    SfInterval out = sf_interval_top(n->outputs[0].dtype);
    SfRange inner = {.node = n, .in = in, .out = &out, .numeric = c->numeric, .depth = depth};
    n->sig->def->range(&inner);
    return out;
}

/* where a condition holds */

static SfInterval suppose(const SfRange *c, const SfTensor *t, const SfAssumption *assumed, int n,
                          int depth)
{
    while (is_identity(c, t)) {
        t = &t->node->inputs[0];
    }
    for (int i = 0; i < n; i++) {
        if (sf_range_same_shaped(t, assumed[i].base)) {
            return assumed[i].as;
        }
    }
    if (depth == 0 || !is_followed(c, t)) {
        return sf_range_of(c, t);
    }
    SfInterval in[MOST_INPUTS];
    for (int i = 0; i < t->node->nin; i++) {
        in[i] = suppose(c, &t->node->inputs[i], assumed, n, depth - 1);
    }
    return recomputed(c, t->node, in, PART_DEPTH);
}

SfInterval sf_range_supposing(const SfRange *c, const SfTensor *t, const SfAssumption *assumed,
                              int n)
{
    return suppose(c, t, assumed, n, SUPPOSE_DEPTH);
}

/* parts */

static SfInterval part_of_value(const SfValue *v, SfRangePart p)
{
    SfInterval all = sf_interval_none();
    int64_t inner = 1;
    const SfShape *s = sf_value_shape(v);
    for (int axis = p.axis + 1; axis < sf_shape_rank(s); axis++) {
        inner *= sf_shape_dim(s, axis);
    }
    for (int64_t i = 0; i < sf_value_count(v); i++) {
        const int64_t at = i / inner % sf_shape_dim(s, p.axis);
        if (at >= p.begin && at < p.end) {
            const SfElem e = sf_value_elem(v, i);
            all = sf_interval_join(all, sf_interval_of_elem(e, sf_value_dtype(v)));
        }
    }
    return all;
}

static bool is_constant(const SfTensor *t)
{
    SfInterval all; /* all of its elements are known numbers */
    return t->value && (!t->node || t->node->nin == 0) &&
           sf_shape_rank(sf_value_shape(t->value)) == sf_shape_rank(t->shape) &&
           sf_interval_of_value(t->value, &all);
}

static SfInterval part_of_inputs(const SfRange *c, const SfNode *n, SfRangePart p)
{
    SfInterval in[MOST_INPUTS];
    const int rank = sf_shape_rank(n->outputs[0].shape);
    for (int i = 0; i < n->nin; i++) {
        const SfTensor *t = &n->inputs[i];
        const bool meets =
            sf_shape_rank(t->shape) == rank &&
            sf_shape_dim(t->shape, p.axis) == sf_shape_dim(n->outputs[0].shape, p.axis);
        in[i] = meets ? sf_range_part(c, t, p) : sf_range_of(c, t);
    }
    return recomputed(c, n, in, c->depth);
}

SfInterval sf_range_part(const SfRange *c, const SfTensor *t, SfRangePart p)
{
    const SfInterval whole = sf_range_of(c, t);
    const int rank = sf_shape_rank(t->shape);
    SfRange inner = *c;
    inner.depth++;
    if (rank < 0 || p.axis < 0 || p.axis >= rank || p.begin >= p.end || c->depth > PART_DEPTH) {
        return whole;
    }
    const SfDim n = sf_shape_dim(t->shape, p.axis);
    if (p.begin < 0 || (sf_dim_is_known(n) && p.begin == 0 && p.end >= n)) {
        return whole;
    }
    if (is_constant(t)) {
        return sf_interval_meet(whole, part_of_value(t->value, p));
    }
    SfInterval fed;
    if (sf_numeric_part(c->numeric, t, p, &fed)) {
        return sf_interval_meet(whole, fed);
    }
    if (is_identity(c, t)) {
        return sf_range_part(&inner, &t->node->inputs[0], p);
    }
    if (is_followed(c, t)) {
        return sf_interval_meet(whole, part_of_inputs(&inner, t->node, p));
    }
    if (t->node && t->node->sig->def->range_of_parts && sf_numeric_is_computed(c->numeric, t)) {
        SfInterval out = whole;
        p.output = t->index;
        inner = (SfRange){
            .node = t->node, .out = &out, .numeric = c->numeric, .part = &p, .depth = c->depth + 1};
        t->node->sig->def->range(&inner);
        return sf_interval_meet(whole, out);
    }
    return whole;
}
