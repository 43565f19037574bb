/* The checks of transfer functions: refine what is known, or report.
 * Invariant: messages and order of checks are those of shape_inference.cc, so that construction
 * fails with TensorFlow's own message. Owner: shapes are interned.
 * Source: tensorflow/core/framework/shape_inference.cc (WithRank, Merge, MakeShapeFromTensor...).
 */
#include <string.h>

#include "core/op/infer_impl.h"

/* The shape a place stands for. */
static const SfShape *shape_at(const SfInfer *c, SfPlace p)
{
    return p.kind == SF_PLACE_OUTPUT ? sf_output(c, p.index) : sf_input(c, p.index);
}

static SfStatus return_shape(const SfShape *s, const SfShape **out)
{
    if (out) {
        *out = s;
    }
    return s ? SF_OK : SF_NOMEM;
}

/* rank */
SfStatus sf_want_rank(SfInfer *c, SfPlace place, int rank, const SfShape **out)
{
    const SfShape *s = shape_at(c, place);
    const int is = sf_shape_rank(s);
    if (is == SF_RANK_UNKNOWN) {
        return return_shape(sf_shape_of_rank(rank), out);
    }
    if (is != rank) {
        return sf_fail(c, SF_DIAG_RANK_EXACT, place, SF_THE_OP, SF_RANK_ARG(rank), SF_RANK_ARG(is));
    }
    return return_shape(s, out);
}

SfStatus sf_want_rank_at_least(SfInfer *c, SfPlace place, int rank, const SfShape **out)
{
    const SfShape *s = shape_at(c, place);
    const int is = sf_shape_rank(s);
    if (is != SF_RANK_UNKNOWN && is < rank) {
        return sf_fail(c, SF_DIAG_RANK_AT_LEAST, place, SF_THE_OP, SF_RANK_ARG(rank),
                       SF_RANK_ARG(is));
    }
    return return_shape(s, out);
}

SfStatus sf_want_rank_at_most(SfInfer *c, SfPlace place, int rank, const SfShape **out)
{
    const SfShape *s = shape_at(c, place);
    const int is = sf_shape_rank(s);
    if (is != SF_RANK_UNKNOWN && is > rank) {
        return sf_fail(c, SF_DIAG_RANK_AT_MOST, place, SF_THE_OP, SF_RANK_ARG(rank),
                       SF_RANK_ARG(is));
    }
    return return_shape(s, out);
}

SfStatus sf_want_scalar(SfInfer *c, SfPlace place)
{
    return sf_want_rank(c, place, 0, NULL);
}

SfStatus sf_want_vector(SfInfer *c, SfPlace place)
{
    return sf_want_rank(c, place, 1, NULL);
}

/* dims */
SfStatus sf_want_equal(SfInfer *c, SfPlace pa, SfDim a, SfPlace pb, SfDim b, SfDim *out)
{
    const SfDim both = sf_dim_meet(a, b);
    if (both == SF_DIM_BOTTOM) {
        return sf_fail(c, SF_DIAG_DIM_EQUAL, pa, pb, SF_DIM_ARG(a), SF_DIM_ARG(b));
    }
    if (out) {
        *out = both;
    }
    return SF_OK;
}

SfStatus sf_want_same_dim(SfInfer *c, SfPlace a, SfPlace b, SfDim *out)
{
    return sf_want_equal(c, a, sf_shape_dim(shape_at(c, a), a.axis), b,
                         sf_shape_dim(shape_at(c, b), b.axis), out);
}

SfStatus sf_want_dim(SfInfer *c, SfPlace axis, int64_t value)
{
    const SfDim d = sf_shape_dim(shape_at(c, axis), axis.axis);
    if (sf_dim_meet(d, value) == SF_DIM_BOTTOM) {
        return sf_fail(c, SF_DIAG_DIM_VALUE, axis, SF_THE_OP, SF_INT_ARG(value), SF_DIM_ARG(d));
    }
    return SF_OK;
}

/* shapes */
/* The axis of an input as a place; other places have no axes of their own. */
static SfPlace axis_of(SfPlace p, int axis)
{
    return p.kind == SF_PLACE_INPUT ? SF_AXIS(p.index, axis) : p;
}

SfStatus sf_want_merge(SfInfer *c, SfPlace pa, const SfShape *a, SfPlace pb, const SfShape *b,
                       const SfShape **out)
{
    const SfShape *both = sf_shape_meet(a, b);
    if (!both || !sf_shape_is_bottom(both)) {
        return return_shape(both, out);
    }
    const int ra = sf_shape_rank(a), rb = sf_shape_rank(b);
    if (ra != rb) {
        return sf_fail(c, SF_DIAG_MERGE_RANK, pa, pb, SF_RANK_ARG(ra), SF_RANK_ARG(rb));
    }
    int axis = 0;
    while (axis < ra - 1 &&
           sf_dim_meet(sf_shape_dim(a, axis), sf_shape_dim(b, axis)) != SF_DIM_BOTTOM) {
        axis++;
    }
    return sf_fail(c, SF_DIAG_MERGE_DIM, axis_of(pa, axis), axis_of(pb, axis), SF_INT_ARG(axis),
                   SF_DIM_ARG(sf_shape_dim(a, axis)), SF_DIM_ARG(sf_shape_dim(b, axis)),
                   SF_SHAPE_ARG(a), SF_SHAPE_ARG(b));
}

SfStatus sf_want_merge_inputs(SfInfer *c, int first, int count, const SfShape **out)
{
    const SfShape *merged = sf_input(c, first + count - 1);
    int from = first + count - 1; /* whose shape the finding shows beside input i */
    for (int i = count - 2; i >= 0; i--) {
        const SfShape *s = sf_input(c, first + i);
        sf_want_context(c, "\n\tFrom merging shape {0} with other shapes.", i);
        SF_TRY(sf_want_merge(c, SF_INPUT(first + i), s, SF_INPUT(from), merged, &merged));
        from = merged == s ? first + i : from;
    }
    sf_want_context(c, NULL, 0);
    return return_shape(merged, out);
}

/* values that are shapes */
/* Graph construction reads shapes from constants before it calls a shape function, hence without
 * the usual context; kernels name the dimension. */
static SfStatus fail_entry(SfInfer *c, SfPlace place, int64_t entry)
{
    if (sf_in_kernel(c)) {
        return sf_fail_with(c, SF_DIAG_SHAPE_ENTRY, place, SF_THE_OP, "Dimension {0} must be >= 0",
                            SF_INT_ARG(entry));
    }
    return sf_fail(c, SF_DIAG_SHAPE_ENTRY, place, SF_THE_OP, SF_INT_ARG(entry));
}

static SfStatus check_entries(SfInfer *c, SfPlace place, const SfValue *v, int64_t lowest)
{
    const SfNode *made = sf_input_node(c, place.index);
    if (!sf_in_kernel(c) && made && made->sig->def->role == SF_ROLE_PACK) {
        return SF_OK; /* element by element, construction takes what is negative for unknown */
    }
    for (int64_t i = 0; i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind == SF_ELEM_INT && e.u.i < lowest) {
            return fail_entry(c, place, e.u.i);
        }
    }
    return SF_OK;
}

static SfStatus want_shape_value(SfInfer *c, SfPlace place, int64_t lowest, const SfShape **out)
{
    const SfShape *holder;
    SF_TRY(sf_want_rank(c, place, 1, &holder));
    const SfValue *whole = sf_input_value(c, place.index);
    const SfValue *v = place.index < c->args->nin ? c->inputs[place.index].value : whole;
    if (place.index < 64) {
        c->asked_shapes |= UINT64_C(1) << place.index;
    }
    if (!v) {
        const SfDim rank = sf_shape_dim(holder, 0);
        return return_shape(sf_dim_is_known(rank) && rank <= SF_RANK_MAX
                                ? sf_shape_of_rank((int)rank)
                                : sf_shape_unknown(),
                            out);
    }
    const SfShape *held = sf_value_as_shape(v);
    if (!held || !sf_shape_is_known(held)) { /* else no entry is negative */
        SF_TRY(check_entries(c, place, v, lowest));
    }
    return return_shape(held, out);
}

SfStatus sf_want_shape_value(SfInfer *c, SfPlace place, const SfShape **out)
{
    return want_shape_value(c, place, -1, out);
}

SfStatus sf_want_dims_value(SfInfer *c, SfPlace place, const SfShape **out)
{
    return want_shape_value(c, place, sf_in_kernel(c) ? 0 : -1, out);
}

SfStatus sf_want_shape_or_any(SfInfer *c, SfPlace place, const SfShape **out)
{
    int64_t whole;
    if (sf_shape_rank(shape_at(c, place)) != 0) {
        return want_shape_value(c, place, -1, out);
    }
    if (sf_input_int(c, place.index, &whole) && whole != -1) {
        return sf_fail_with(c, SF_DIAG_RANK_EXACT, place, SF_THE_OP,
                            "Input tensor must be rank 1, or if its rank 0 it must have value -1 "
                            "(representing an unknown shape).  Saw value: {0}",
                            SF_INT_ARG(whole));
    }
    return return_shape(sf_shape_unknown(), out);
}
