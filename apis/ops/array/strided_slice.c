/* The arithmetic of StridedSlice. The spec is expanded to one entry for each axis of the input
 * (ellipsis, new axes), then each axis is cut by itself. */
#include "apis/ops/array/strided_slice.h"

#include "apis/ops/shared/common.h"

typedef struct Masks {
    uint64_t begin, end, ellipsis, new_axis, shrink;
} Masks;

/* One axis of the expanded spec. */
typedef struct Cut {
    SfElem begin, end, stride;
    bool from_start, to_end, shrink;
} Cut;

static uint64_t mask(SfInfer *c, const char *name)
{
    return (uint64_t)sf_attr_int(c, name);
}

static bool has(uint64_t bits, int i)
{
    return i < 64 && (bits >> i & 1) != 0;
}

/* one axis */

/* All of begin, stride and dim are numbers: exactly TensorFlow's clamping. */
static int64_t canonical(int64_t x, bool masked, bool is_end, int64_t stride, int64_t dim)
{
    const int64_t low = stride > 0 ? 0 : -1;
    const int64_t high = stride > 0 ? dim : dim - 1;
    if (masked) {
        return (stride > 0) == is_end ? high : low;
    }
    const int64_t forward = x < 0 ? dim + x : x;
    return forward < low ? low : forward > high ? high : forward;
}

static int64_t steps(int64_t length, int64_t stride)
{
    if (length == 0 || (length < 0) != (stride < 0)) {
        return 0;
    }
    return length / stride + (length % stride != 0);
}

/* min(x, d) when one of them is never the larger. */
static SfDim at_most(SfDim x, SfDim d)
{
    if (x == d || sf_dim_sub(x, d) == SF_DIM_BOTTOM || sf_dim_upper(x) <= sf_dim_lower(d)) {
        return x;
    }
    return sf_dim_upper(d) <= sf_dim_lower(x) || sf_dim_sub(d, x) == SF_DIM_BOTTOM ? d
                                                                                   : SF_DIM_UNKNOWN;
}

/* An end of a forward cut of a dim that is not a number. `is_end`: x[:-3] of n is taken for n-3,
 * that is, n is taken to be at least 3; of x[-3:] that is not assumed, for it is common. */
static SfDim bound(SfElem x, bool masked, bool is_end, SfDim d)
{
    if (masked) {
        return is_end ? d : 0;
    }
    if (x.kind == SF_ELEM_INT && x.u.i < 0) {
        if (x.u.i == INT64_MIN || (!is_end && sf_dim_lower(d) < -x.u.i)) {
            return SF_DIM_UNKNOWN;
        }
        const SfDim back = sf_dim_sub(d, -x.u.i);
        return back == SF_DIM_BOTTOM ? 0 : back;
    }
    const SfDim forward = sf_elem_as_dim(x);
    return is_end ? at_most(forward, d) : forward;
}

static SfDim cut_open(const Cut *cut, int64_t stride, SfDim d)
{
    if (cut->from_start && cut->to_end) {
        return sf_dim_div_ceil(d, stride < 0 ? -stride : stride);
    }
    if (stride < 0) {
        return SF_DIM_UNKNOWN;
    }
    const SfDim low = bound(cut->begin, cut->from_start, false, d);
    const SfDim high = bound(cut->end, cut->to_end, true, d);
    const SfDim length = sf_dim_sub(high, low);
    return length == SF_DIM_BOTTOM ? 0 : sf_dim_div_ceil(length, stride);
}

static SfStatus fail_index(SfInfer *c, SfPlace at, int axis, int64_t index)
{
    if (at.kind == SF_PLACE_INPUT) {
        at = SF_AXIS(at.index, axis);
    }
    return sf_fail(c, SF_DIAG_SLICE_RANGE, at, SF_THE_OP, SF_INT_ARG(index), SF_INT_ARG(axis));
}

/* x[3] needs a fourth entry, x[-3] a third. */
static SfStatus check_index(SfInfer *c, SfPlace at, int axis, const Cut *cut, SfDim d)
{
    if (cut->begin.kind != SF_ELEM_INT) {
        return SF_OK;
    }
    const int64_t i = cut->begin.u.i;
    const int64_t most = sf_dim_upper(d);
    return i >= 0 ? (i >= most ? fail_index(c, at, axis, i) : SF_OK)
                  : (i < -most ? fail_index(c, at, axis, sf_dim_is_known(d) ? i + d : i) : SF_OK);
}

static SfStatus cut_axis(SfInfer *c, SfPlace at, int axis, const Cut *cut, SfDim d, SfStrided *plan)
{
    plan->exact[axis] = false;
    plan->size[axis] = cut->shrink ? 1 : SF_DIM_UNKNOWN;
    if (cut->stride.kind != SF_ELEM_INT) {
        return SF_OK;
    }
    const int64_t stride = cut->stride.u.i;
    SF_TRY(sf_expect(c, stride != 0, at, "strides[{0}] must be non-zero", SF_INT_ARG(axis)));
    plan->stride[axis] = stride;
    if (cut->shrink) {
        SF_TRY(sf_expect(c, stride >= 0 || d == SF_DIM_UNKNOWN, at,
                         "only stride 1 allowed on non-range indexing."));
        SF_TRY(check_index(c, at, axis, cut, d));
        plan->exact[axis] = cut->begin.kind == SF_ELEM_INT && sf_dim_is_known(d);
        plan->begin[axis] = cut->begin.u.i < 0 ? cut->begin.u.i + d : cut->begin.u.i;
        return SF_OK;
    }
    const bool begins = cut->from_start || cut->begin.kind == SF_ELEM_INT;
    const bool ends = cut->to_end || cut->end.kind == SF_ELEM_INT;
    if (sf_dim_is_known(d) && begins && ends) {
        const int64_t first = canonical(cut->begin.u.i, cut->from_start, false, stride, d);
        const int64_t last = canonical(cut->end.u.i, cut->to_end, true, stride, d);
        plan->exact[axis] = true;
        plan->begin[axis] = first;
        plan->size[axis] = steps(last - first, stride);
        return SF_OK;
    }
    plan->size[axis] = cut_open(cut, stride, d);
    return SF_OK;
}

/* the spec */

static const Cut whole_axis = {
    .from_start = true, .to_end = true, .stride = {.kind = SF_ELEM_INT, .u = {.i = 1}}};

/* How many axes of the input the entries after the ellipsis take. */
static int axes_after(const Masks *m, int i, int n)
{
    int axes = 0;
    for (; i < n; i++) {
        axes += !has(m->new_axis, i);
    }
    return axes;
}

static SfStatus cut_whole_axes(SfInfer *c, SfPlace at, const SfShape *input, int *axis, int stop,
                               SfStrided *plan)
{
    for (; *axis < stop && *axis < plan->rank; ++*axis) {
        SF_TRY(cut_axis(c, at, *axis, &whole_axis, sf_shape_dim(input, *axis), plan));
        plan->from[plan->nout++] = *axis;
    }
    return SF_OK;
}

/* Entry i of the sparse spec. */
static SfStatus cut_entry(SfInfer *c, int first, SfPlace at, const SfShape *input, const Masks *m,
                          int i, int *axis, SfStrided *plan)
{
    if (*axis == plan->rank) {
        return sf_fail_with(c, SF_DIAG_OP_SHAPE, at, SF_THE_OP,
                            plan->rank == 0 && sf_version(c) >= SF_VERSION(2, 0)
                                ? "Attempting to slice scalar input."
                                : "Index out of range using input dim {0}; input has only {1} dims",
                            SF_INT_ARG(*axis), SF_INT_ARG(plan->rank));
    }
    const Cut cut = {.begin = sf_common_elem(c, first, i),
                     .end = sf_common_elem(c, first + 1, i),
                     .stride = sf_common_elem(c, first + 2, i),
                     .from_start = has(m->begin, i),
                     .to_end = has(m->end, i),
                     .shrink = has(m->shrink, i)};
    SF_TRY(cut_axis(c, at, *axis, &cut, sf_shape_dim(input, *axis), plan));
    plan->from[plan->nout++] = cut.shrink ? SF_STRIDED_SHRUNK : *axis;
    ++*axis;
    return SF_OK;
}

SfStatus sf_strided_want_length(SfInfer *c, int first, SfDim *n)
{
    const SfShape *all;
    for (int i = first; i < first + 3; i++) {
        SF_TRY(sf_want_vector(c, SF_INPUT(i)));
    }
    SF_TRY(sf_want_merge(c, SF_INPUT(first), sf_input(c, first), SF_INPUT(first + 1),
                         sf_input(c, first + 1), &all));
    SF_TRY(
        sf_want_merge(c, SF_INPUT(first), all, SF_INPUT(first + 2), sf_input(c, first + 2), &all));
    *n = sf_shape_dim(all, 0);
    return SF_OK;
}

SfStatus sf_strided_plan(SfInfer *c, int first, SfPlace at, const SfShape *input, SfStrided *plan)
{
    const Masks m = {mask(c, "begin_mask"), mask(c, "end_mask"), mask(c, "ellipsis_mask"),
                     mask(c, "new_axis_mask"), mask(c, "shrink_axis_mask")};
    SfDim n;
    int axis = 0;
    plan->known = false;
    plan->nout = 0;
    SF_TRY(sf_strided_want_length(c, first, &n));
    if (!sf_shape_is_ranked(input) || !sf_dim_is_known(n) || n > SF_RANK_MAX) {
        return SF_OK;
    }
    SF_TRY(sf_expect(c, (m.ellipsis & (m.ellipsis - 1)) == 0, SF_ATTR("ellipsis_mask"),
                     "Multiple ellipses in slice spec not allowed"));
    plan->rank = sf_shape_rank(input);
    for (int i = 0; i < n; i++) {
        if (has(m.ellipsis, i)) {
            SF_TRY(cut_whole_axes(c, at, input, &axis, plan->rank - axes_after(&m, i + 1, (int)n),
                                  plan));
        } else if (has(m.new_axis, i)) {
            plan->from[plan->nout++] = SF_STRIDED_NEW;
        } else {
            SF_TRY(cut_entry(c, first, at, input, &m, i, &axis, plan));
        }
    }
    SF_TRY(cut_whole_axes(c, at, input, &axis, plan->rank, plan));
    plan->known = true;
    return SF_OK;
}

const SfShape *sf_strided_shape(const SfStrided *plan)
{
    SfDim dims[2 * SF_RANK_MAX];
    int rank = 0;
    for (int i = 0; plan->known && i < plan->nout; i++) {
        if (plan->from[i] != SF_STRIDED_SHRUNK) {
            dims[rank++] = plan->from[i] == SF_STRIDED_NEW ? 1 : plan->size[plan->from[i]];
        }
    }
    return plan->known ? sf_shape_make(rank, dims) : sf_shape_unknown();
}
