/* Indexing: Slice, StridedSlice, Gather, GatherNd, and how tensors are partitioned and stitched. */
#include <stdio.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/array/strided_slice.h"
#include "apis/ops/shared/range.h"

/* Slice */

#define SLICE_ARGUMENTS                                                                            \
    "Expected begin and size arguments to be 1-D tensors of size {rank 0}, but got shapes {shape " \
    "1} and {shape 2} instead."
static const SfMessage slice_messages[] = {
    {SF_ON(RANK_EXACT), .text = SLICE_ARGUMENTS}, {SF_ON(MERGE_DIM), .text = SLICE_ARGUMENTS}, {0}};

/* The length that begin, size and the input agree on, or -1. */
static SfStatus want_slice_rank(SfInfer *c, int *rank)
{
    const SfShape *both;
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_want_vector(c, SF_INPUT(2)));
    SF_TRY(sf_want_merge(c, SF_INPUT(1), sf_input(c, 1), SF_INPUT(2), sf_input(c, 2), &both));
    const int64_t n = sf_common_length(both);
    *rank = sf_shape_rank(sf_input(c, 0));
    if (n >= 0 && n <= SF_RANK_MAX) {
        if (*rank >= 0 && *rank != n) {
            return sf_fail(c, SF_DIAG_RANK_EXACT, SF_INPUT(0), SF_INPUT(1), SF_RANK_ARG(n),
                           SF_RANK_ARG(*rank));
        }
        *rank = (int)n;
    }
    return SF_OK;
}

/* What the kernel wants of one axis: both ends inside. */
static SfStatus check_slice(SfInfer *c, int axis, SfElem begin, SfElem size, SfDim d)
{
    const bool from = begin.kind == SF_ELEM_INT;
    if (!sf_common_runs(c) || !sf_dim_is_known(d) || !from) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, begin.u.i >= 0 && begin.u.i <= d, SF_DIAG_INDEX_RANGE, SF_INPUT(1),
                         SF_AXIS(0, axis), "Expected begin[{0}] in [0, {1}], but got {2}",
                         SF_INT_ARG(axis), SF_DIM_ARG(d), SF_INT_ARG(begin.u.i)));
    const bool negative = size.kind == SF_ELEM_INT && size.u.i < -1;
    return sf_require_as(c, !negative && (size.kind != SF_ELEM_INT || size.u.i <= d - begin.u.i),
                         SF_DIAG_INDEX_RANGE, SF_INPUT(2), SF_AXIS(0, axis),
                         "Expected size[{0}] in [0, {1}], but got {2}", SF_INT_ARG(axis),
                         SF_DIM_ARG(d - begin.u.i), SF_INT_ARG(size.u.i));
}

/* Entries below -1 are unknown, as in any argument that is read as a shape. */
static SfStatus check_slice_entries(SfInfer *c, int input, int rank)
{
    for (int i = 0; i < rank && !sf_common_runs(c); i++) {
        const SfElem e = sf_common_elem(c, input, i);
        if (sf_common_below(e, -1)) {
            return sf_fail(c, SF_DIAG_SHAPE_ENTRY, SF_INPUT(input), SF_THE_OP, SF_INT_ARG(e.u.i));
        }
    }
    return SF_OK;
}

/* Slice: `size` entries from `begin` on; -1 is all that is left. */
static SfStatus infer_slice(SfInfer *c)
{
    int rank;
    SfDim dims[SF_RANK_MAX];
    sf_kernel_messages(c, slice_messages);
    SF_TRY(want_slice_rank(c, &rank));
    sf_kernel_messages(c, NULL);
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(check_slice_entries(c, 1, rank));
    SF_TRY(check_slice_entries(c, 2, rank));
    for (int i = 0; i < rank; i++) {
        const SfElem begin = sf_common_elem(c, 1, i);
        const SfElem size = sf_common_elem(c, 2, i);
        const SfDim d = sf_input_dim(c, 0, i);
        SF_TRY(check_slice(c, i, begin, size, d));
        dims[i] = sf_elem_as_dim(size);
        if (size.kind == SF_ELEM_INT && size.u.i == -1) {
            dims[i] = sf_dim_sub(d, sf_elem_as_dim(begin));
            if (dims[i] == SF_DIM_BOTTOM) {
                return sf_fail(c, SF_DIAG_NEGATIVE_DIM, SF_AXIS(0, i), SF_INPUT(1),
                               SF_DIM_ARG(sf_elem_as_dim(begin)), SF_DIM_ARG(d));
            }
        }
    }
    return sf_set_output_shape(c, 0, sf_shape_make(rank, dims));
}

static void fold_slice(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const int64_t *begin;
    int64_t n;
    int rank;
    SfFoldCopy copy;
    SfElem *out = x && sf_common_ints(c, 1, &begin, &rank) ? sf_fold_begin(c, 0, &n) : NULL;
    const SfShape *block = sf_output(c, 0);
    if (!out || !sf_fold_copy_block(&copy, block, block, sf_value_shape(x))) {
        return;
    }
    for (int i = 0; i < rank; i++) {
        if (begin[i] < 0 || begin[i] + copy.count[i] > sf_shape_dim(sf_value_shape(x), i)) {
            return; /* the kernel will refuse it */
        }
        copy.from += begin[i] * copy.from_step[i];
    }
    sf_fold_copy(&copy, out, sf_value_elems(x));
    sf_fold_set_output(c, 0, out);
}

/* StridedSlice */

static bool is_of_spec(SfInfer *c, const SfFinding *f)
{
    return f->a.kind != SF_PLACE_ATTR && f->a.index >= 1;
}

#define STRIDED_ARGUMENTS                                                                          \
    "Expected begin, end, and strides to be 1D equal size tensors, but got shapes {shape 1}, "     \
    "{shape 2}, and {shape 3} instead."
static const SfMessage strided_messages[] = {
    {SF_ON(RANK_EXACT), .when = is_of_spec, .text = STRIDED_ARGUMENTS},
    {SF_ON_MERGE, .when = is_of_spec, .text = STRIDED_ARGUMENTS},
    {0}};

/* `data`: receives the plan. */
static SfStatus plan_slice(SfInfer *c, const void *data)
{
    return sf_strided_plan(c, 1, SF_INPUT(0), sf_input(c, 0), *(SfStrided *const *)data);
}

/* StridedSlice: while a graph is built TensorFlow checks the entries only when it knows all
 * strides; otherwise the kernel does. */
static SfStatus infer_strided_slice(SfInfer *c)
{
    SfStrided plan, *const to = &plan; /* too large to be cleared for nothing */
    const SfValue *strides = sf_input_value(c, 3);
    sf_kernel_messages(c, strided_messages);
    if (strides && sf_value_is_exact(strides)) {
        SF_TRY(plan_slice(c, &to));
    } else {
        SfDim n;
        plan.known = false;
        SF_TRY(sf_strided_want_length(c, 1, &n));
        SF_TRY(sf_kernel_check(c, plan_slice, &to));
    }
    return sf_set_output_shape(c, 0, sf_strided_shape(&plan));
}

static void fold_strided_slice(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    SfStrided plan;
    int64_t n;
    SfFoldCopy copy = {.rank = 0};
    int64_t step[SF_FOLD_RANK];
    SfElem *out = !x ? NULL : sf_fold_begin(c, 0, &n);
    if (!out || !sf_fold_strides(sf_value_shape(x), step) ||
        sf_strided_plan(c, 1, SF_INPUT(0), sf_value_shape(x), &plan) != SF_OK || !plan.known) {
        return;
    }
    int64_t inner = 1;
    for (int i = plan.rank - 1; i >= 0; i--) { /* new and shrunken axes do not move elements */
        if (!plan.exact[i] || !sf_dim_is_known(plan.size[i])) {
            return;
        }
        copy.count[i] = plan.size[i];
        copy.to_step[i] = inner;
        copy.from_step[i] = step[i] * plan.stride[i];
        copy.from += step[i] * plan.begin[i];
        inner *= plan.size[i];
    }
    copy.rank = plan.rank;
    sf_fold_copy(&copy, out, sf_value_elems(x));
    sf_fold_set_output(c, 0, out);
}

/* StridedSliceGrad: dy goes back to where it was cut from a tensor of the shape in input 0. */
static SfStatus infer_strided_slice_grad(SfInfer *c)
{
    const SfShape *shape;
    SfStrided plan;
    SF_TRY(sf_want_dims_value(c, SF_INPUT(0), &shape));
    if (sf_common_runs(c)) {
        SF_TRY(sf_strided_plan(c, 1, SF_INPUT(0), shape, &plan));
        const SfShape *part = sf_strided_shape(&plan);
        SF_TRY(sf_require_as(c, !part || sf_shape_compatible(part, sf_input(c, 4)),
                             SF_DIAG_OP_SHAPE, SF_INPUT(4), SF_INPUT(0),
                             "shape of dy was {a.shape} instead of {0}", SF_SHAPE_ARG(part)));
    }
    return sf_set_output_shape(c, 0, shape);
}

/* The value must broadcast to the part that it replaces; for an empty part the kernel checks
 * nothing. */
static bool fits_part(const SfShape *value, const SfShape *part)
{
    if (!sf_shape_is_ranked(value) || !sf_shape_is_ranked(part) ||
        sf_dim_lower(sf_shape_count(part)) == 0) {
        return true;
    }
    for (int i = 1; i <= sf_shape_rank(value); i++) {
        const SfDim d = i <= sf_shape_rank(part) ? sf_shape_dim(part, -i) : 1;
        if (sf_dim_never(sf_shape_dim(value, -i), 1) &&
            !sf_dim_compatible(sf_shape_dim(value, -i), d)) {
            return false;
        }
    }
    return true;
}

/* StridedSliceAssign, TensorStridedSliceUpdate: the tensor of input 0 with a slice replaced. */
static SfStatus infer_strided_update(SfInfer *c)
{
    SfStrided plan;
    sf_set_output_state(c, 0, 0);
    if (!sf_common_runs(c)) {
        return sf_set_output_same(c, 0, 0);
    }
    SF_TRY(sf_strided_plan(c, 1, SF_INPUT(0), sf_input(c, 0), &plan));
    const SfShape *part = sf_strided_shape(&plan);
    const SfShape *value = sf_input(c, 4);
    SF_TRY_ALLOC(part);
    SF_TRY(sf_require_as(c, fits_part(value, part), SF_DIAG_OP_SHAPE, SF_INPUT(4), SF_INPUT(0),
                         "Cannot broadcast input shape {a.shape} into final shape {0}",
                         SF_SHAPE_ARG(part)));
    return sf_set_output_same(c, 0, 0);
}

/* StridedSliceAssign writes a variable: the rest of its content is not followed. */
static SfStatus infer_strided_assign(SfInfer *c)
{
    SfState state;
    SF_TRY(infer_strided_update(c));
    if (sf_state_read(c, 0, &state)) {
        state.value = NULL;
        sf_state_write(c, 0, &state);
    }
    return SF_OK;
}

/* Gather */

/* The kernel looks at every index. */
static SfStatus check_gather(SfInfer *c, SfPlace axis, SfDim limit)
{
    const SfValue *v = sf_common_runs(c) ? sf_input_value(c, 1) : NULL;
    const int64_t i = sf_common_stray_index(v, &limit, 1);
    return sf_require_as(c, i < 0, SF_DIAG_INDEX_RANGE, SF_INPUT(1), axis,
                         "indices{0} = {1} is not in [0, {2})",
                         SF_TEXT_ARG(sf_common_place_text(c, sf_value_shape(v), i)),
                         SF_INT_ARG(sf_value_elem(v, i).u.i), SF_DIM_ARG(limit));
}

/* Gather: rows by number. */
static SfStatus infer_gather(SfInfer *c)
{
    const SfShape *params;
    const SfShape *indices = sf_input(c, 1);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &params));
    SF_TRY(check_gather(c, SF_AXIS(0, 0), sf_shape_dim(params, 0)));
    return sf_set_output_shape(c, 0, sf_shape_concat(indices, sf_common_rest(params, 1)));
}

/* What the kernel says of batch_dims, with the rank of params and indices known. */
static SfStatus check_batch_dims(SfInfer *c, int64_t given, int64_t batch, int64_t axis)
{
    const int rank = sf_shape_rank(sf_input(c, 1));
    if (!sf_common_runs(c)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, given >= -rank && given <= rank, SF_DIAG_AXIS_RANGE,
                         SF_ATTR("batch_dims"), SF_INPUT(1),
                         "Expected batch_dims in the range [-{0}, {0}], but got {1}",
                         SF_INT_ARG(rank), SF_INT_ARG(given)));
    SF_TRY(sf_require_as(c, axis < 0 || batch <= axis, SF_DIAG_AXIS_RANGE, SF_ATTR("batch_dims"),
                         SF_INPUT(2), "batch_dims ({0}) must be less than or equal to axis ({1}).",
                         SF_INT_ARG(batch), SF_INT_ARG(axis)));
    for (int i = 0; i < batch; i++) {
        const SfDim p = sf_input_dim(c, 0, i);
        const SfDim k = sf_input_dim(c, 1, i);
        SF_TRY(sf_require_as(c, sf_dim_compatible(p, k), SF_DIAG_DIM_EQUAL, SF_AXIS(0, i),
                             SF_AXIS(1, i),
                             "params.shape[{0}]: {1} should be equal to indices.shape[{0}]: {2}",
                             SF_INT_ARG(i), SF_DIM_ARG(p), SF_DIM_ARG(k)));
    }
    return SF_OK;
}

/* |i|, or one more than any rank: for asking a rank of what i counts or indexes. */
static int magnitude(int64_t i)
{
    const bool beyond = i < -SF_RANK_MAX || i > SF_RANK_MAX;
    return beyond ? SF_RANK_MAX + 1 : (int)(i < 0 ? -i : i);
}

/* GatherV2: params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis+1:]. */
static SfStatus infer_gather_v2(SfInfer *c)
{
    const SfShape *params;
    const SfShape *indices = sf_input(c, 1);
    const int64_t given = sf_attr_int(c, "batch_dims");
    int64_t batch = given;
    int64_t axis;
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 1, &params));
    SF_TRY(sf_require_as(c, !sf_common_runs(c) || sf_shape_rank(sf_input(c, 2)) <= 0,
                         SF_DIAG_RANK_EXACT, SF_INPUT(2), SF_THE_OP, "axis must be scalar"));
    SF_TRY(sf_want_scalar(c, SF_INPUT(2)));
    const int rank = sf_shape_rank(params);
    const int indices_rank = sf_shape_rank(indices);
    if (!sf_input_int(c, 2, &axis)) {
        /* TensorFlow subtracts a negative batch_dims as it is: too large a rank. */
        const int64_t counted = given < -SF_RANK_MAX || given > SF_RANK_MAX ? -1
                                : given < 0                                 ? given + indices_rank
                                                                            : given;
        const int64_t out = rank + indices_rank - 1 - counted;
        return sf_set_output_shape(c, 0,
                                   sf_shape_of_rank(rank < 0 || indices_rank < 0 || counted < 0 ||
                                                            out < 0 || out > SF_RANK_MAX
                                                        ? SF_RANK_UNKNOWN
                                                        : (int)out));
    }
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), magnitude(axis) + (axis >= 0), NULL));
    if (!sf_common_runs(c)) {
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), magnitude(given), NULL));
        SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), given < 0 ? 0 : magnitude(given) + 1, NULL));
    }
    if (rank < 0 || indices_rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    axis += axis < 0 ? rank : 0;
    batch += batch < 0 ? indices_rank : 0;
    SF_TRY(check_batch_dims(c, given, batch, axis));
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), (int)batch + 1, NULL));
    SF_TRY(check_gather(c, SF_AXIS(0, (int)axis), sf_shape_dim(params, (int)axis)));
    const SfShape *out = sf_shape_concat(sf_shape_slice(params, 0, (int)axis),
                                         sf_shape_slice(indices, (int)batch, indices_rank));
    return sf_set_output_shape(c, 0,
                               sf_shape_concat(out, sf_shape_slice(params, (int)axis + 1, rank)));
}

/* Both, without batch_dims: out[o, i, n] = params[o, indices[i], n]. */
static void fold_gather(SfInfer *c)
{
    const SfValue *params = sf_input_value(c, 0);
    const SfValue *indices = sf_input_value(c, 1);
    const bool v2 = sf_input_count(c) == 3;
    int64_t axis = 0;
    int64_t n;
    int64_t steps[SF_FOLD_RANK];
    SfElem *out = !params || !indices ? NULL : sf_fold_begin(c, 0, &n);
    if (!out || (v2 && (!sf_input_int(c, 2, &axis) || sf_attr_int(c, "batch_dims") != 0)) ||
        !sf_fold_strides(sf_value_shape(params), steps)) {
        return;
    }
    axis += axis < 0 ? sf_shape_rank(sf_value_shape(params)) : 0;
    const int64_t inner = steps[axis];
    const int64_t rows = sf_shape_dim(sf_value_shape(params), (int)axis);
    const int64_t picked = sf_value_count(indices);
    for (int64_t i = 0; i < n; i++) {
        const SfElem row = sf_value_elem(indices, i / inner % picked);
        if (row.kind == SF_ELEM_INT && row.u.i >= 0 && row.u.i < rows) {
            const int64_t outer = i / inner / picked;
            out[i] = sf_value_elem(params, (outer * rows + row.u.i) * inner + i % inner);
        }
    }
    sf_fold_set_output(c, 0, out);
}

static const SfMessage gather_nd_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "{a.name} must be at least a vector"},
    {.text =
         "index innermost dimension length must be <= params rank; saw: {dim 1 -1} vs. {rank 0}"},
    {0}};

/* The kernel looks at every row of indices that is known. */
static SfStatus check_gather_nd(SfInfer *c, const SfShape *params, int64_t depth)
{
    const SfValue *v = sf_common_runs(c) ? sf_input_value(c, 1) : NULL;
    const int64_t i = sf_common_stray_index(v, sf_shape_dims(params), depth);
    if (i < 0) {
        return SF_OK;
    }
    const SfElem *row = &sf_value_elems(v)[i - i % depth];
    return sf_fail_with(
        c, SF_DIAG_INDEX_RANGE, SF_INPUT(1), SF_AXIS(0, (int)(i % depth)),
        sf_phase(c) == SF_PHASE_EAGER && sf_version(c) >= SF_VERSION(2, 0)
            ? "indices[{0}] = [{1}] does not index into param shape {2}, node name: GatherNd"
            : "indices[{0}] = [{1}] does not index into param shape {2}",
        SF_INT_ARG(i / depth), SF_TEXT_ARG(sf_common_list_text(c, row, depth, ", ")),
        SF_SHAPE_ARG(params));
}

/* GatherNd: indices[..., k] names places in the first k axes of params. */
static SfStatus infer_gather_nd(SfInfer *c)
{
    const SfShape *params = sf_input(c, 0);
    const SfShape *indices;
    sf_kernel_messages(c, gather_nd_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(1), 1, &indices));
    const SfDim depth = sf_shape_is_ranked(indices) ? sf_shape_dim(indices, -1) : SF_DIM_UNKNOWN;
    const int rank = sf_shape_rank(params);
    if (rank < 0 || !sf_dim_is_known(depth)) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(sf_require_as(c, depth <= rank, SF_DIAG_OP_SHAPE, SF_AXIS(1, -1), SF_INPUT(0),
                         "indices.shape[-1] must be <= params.rank, but saw indices shape: "
                         "{a.shape} and params shape: {b.shape}"));
    sf_kernel_messages(c, NULL);
    SF_TRY(sf_expect(c, !sf_common_runs(c) || rank != 0, SF_INPUT(0),
                     "params must be at least a vector"));
    const SfShape *rows = sf_common_batch(indices, 1);
    SF_TRY(sf_require_as(c,
                         !sf_common_runs(c) || !rows || sf_shape_count(params) != 0 ||
                             sf_dim_lower(sf_shape_count(rows)) <= 0,
                         SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_INPUT(1),
                         "Requested more than 0 entries, but params is empty.  Params shape: "
                         "{a.shape}"));
    SF_TRY(check_gather_nd(c, params, depth));
    return sf_set_output_shape(c, 0, sf_shape_concat(rows, sf_common_rest(params, (int)depth)));
}

static void fold_gather_nd(SfInfer *c)
{
    const SfValue *params = sf_input_value(c, 0);
    const SfValue *indices = sf_input_value(c, 1);
    int64_t n;
    int64_t steps[SF_FOLD_RANK];
    SfElem *out = !params || !indices ? NULL : sf_fold_begin(c, 0, &n);
    if (!out || !sf_fold_strides(sf_value_shape(params), steps)) {
        return;
    }
    const int64_t depth = sf_shape_dim(sf_value_shape(indices), -1);
    const int64_t rows = depth > 0 ? sf_value_count(indices) / depth : 0;
    const int64_t inner = rows > 0 ? n / rows : 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t at = 0;
        bool known = true;
        for (int k = 0; k < depth; k++) {
            const SfElem e = sf_value_elem(indices, row * depth + k);
            known = known && e.kind == SF_ELEM_INT && e.u.i >= 0 &&
                    e.u.i < sf_shape_dim(sf_value_shape(params), k);
            at += known ? e.u.i * steps[k] : 0;
        }
        for (int64_t i = 0; known && i < inner; i++) {
            out[row * inner + i] = sf_value_elem(params, at + i);
        }
    }
    if (rows > 0) {
        sf_fold_set_output(c, 0, out);
    }
}

/* rows */

#define MASKS                                                                                      \
    "begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, "     \
    "shrink_axis_mask: int = 0"
#define SPEC "begin: Index, end: Index, strides: Index"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_MOVE(Slice, .inputs = "input: T, begin: Index, size: Index", .outputs = "output: T",
            .attrs = "T: type, Index: " SF_INDEX, .infer = infer_slice, .fold = fold_slice,
            SF_PARTS(sf_range_slice)),
    SF_MOVE(StridedSlice, .inputs = "input: T, " SPEC, .outputs = "output: T",
            .attrs = "T: type, Index: " SF_INDEX16 ", " MASKS, .infer = infer_strided_slice,
            .fold = fold_strided_slice, .role = SF_ROLE_STRIDED_SLICE, .folds = SF_FOLDS_SLICES,
            SF_PARTS(sf_range_strided_slice)),
    SF_MOVE(StridedSliceGrad, .inputs = "shape: Index, " SPEC ", dy: T", .outputs = "output: T",
            .attrs = "T: type, Index: " SF_INDEX ", " MASKS, .infer = infer_strided_slice_grad),
    SF_OP(StridedSliceAssign, .cost = sf_common_cost_none, .inputs = "ref: Ref(T), " SPEC
          ", value: T",
         .outputs = "output_ref: Ref(T)", .attrs = "T: type, Index: " SF_INDEX ", " MASKS,
         .infer = infer_strided_assign, .traits = SF_OP_WRITES | SF_OP_ASK_KERNEL,
         .grad = SF_GRAD_MISSING),
    SF_MOVE(TensorStridedSliceUpdate, .inputs = "input: T, " SPEC ", value: T",
            .outputs = "output: T", .attrs = "T: type, Index: " SF_INDEX ", " MASKS,
            .infer = infer_strided_update),
    SF_MOVE(Gather, .inputs = "params: Tparams, indices: Tindices", .outputs = "output: Tparams",
            .attrs = "validate_indices: bool = true, Tparams: type, Tindices: " SF_INDEX,
            .infer = infer_gather, .fold = fold_gather, .role = SF_ROLE_GATHER,
          .range = sf_range_gather),
    SF_MOVE(GatherV2, .inputs = "params: Tparams, indices: Tindices, axis: Taxis",
            .outputs = "output: Tparams",
            .attrs = "batch_dims: int = 0, Tparams: type, Tindices: " SF_INDEX16
                     ", Taxis: " SF_INDEX,
            .infer = infer_gather_v2, .fold = fold_gather, .role = SF_ROLE_GATHER_ALONG,
          .range = sf_range_gather),
    SF_MOVE(GatherNd, .inputs = "params: Tparams, indices: Tindices", .outputs = "output: Tparams",
            .attrs = "Tparams: type, Tindices: " SF_INDEX16 ", bad_indices_policy: string = ''",
            .infer = infer_gather_nd, .fold = fold_gather_nd, .role = SF_ROLE_GATHER_ND,
          .range = sf_range_gather_nd),
};
/* clang-format on */
const SfOpTable sf_ops_array_index = {ops, SF_ARRAY_LEN(ops), "array_index"};
