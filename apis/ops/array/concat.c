/* Ops that put tensors together, and Unpack: Concat, ConcatOffset, ParallelConcat, Pack. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

enum { QUANTIZED = 1 }; /* variant */

/* Concat */

/* The inputs that are joined, and the one that holds the axis. */
typedef struct Joined {
    int first, count;
    int axis_input;
} Joined;

static Joined joined(SfInfer *c)
{
    Joined j;
    j.count = sf_input_range(c, "values", &j.first);
    j.axis_input = j.first == 0 ? j.count : 0; /* Concat: concat_dim, values; V2: values, axis */
    return j;
}

/* The first input that differs from input j.first in rank or off the axis; *axis is where. */
static int first_odd(SfInfer *c, Joined j, int *axis)
{
    const SfShape *s0 = sf_input(c, j.first);
    int64_t along = 0;
    (void)sf_input_int(c, j.axis_input, &along);
    along += along < 0 ? sf_shape_rank(s0) : 0;
    for (int i = j.first + 1; i < j.first + j.count; i++) {
        const SfShape *s = sf_input(c, i);
        *axis = -1;
        if (!sf_shape_is_ranked(s0) || !sf_shape_is_ranked(s)) {
            continue;
        }
        if (sf_shape_rank(s) != sf_shape_rank(s0)) {
            return i;
        }
        for (*axis = 0; *axis < sf_shape_rank(s); ++*axis) {
            if (*axis != along &&
                !sf_dim_compatible(sf_shape_dim(s0, *axis), sf_shape_dim(s, *axis))) {
                return i;
            }
        }
    }
    return -1;
}

/* Kernels compare ranks and dims with the first input's. */
static int concat_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const Joined j = joined(c);
    int axis;
    int other = first_odd(c, j, &axis);
    if (other < 0) { /* two others contradict each other while the first is not known */
        other = f->a.index == j.first ? f->b.index : f->a.index;
        axis = f->a.axis;
    }
    out[0] = SF_SHAPE_ARG(sf_input(c, j.first));
    out[1] = SF_INT_ARG(other - j.first);
    out[2] = SF_SHAPE_ARG(sf_input(c, other));
    out[3] = SF_INT_ARG(axis);
    return 4;
}

static bool ranks_differ(SfInfer *c, const SfFinding *f)
{
    SfDiagArg args[SF_MESSAGE_ARGS_MAX];
    concat_args(c, f, args);
    return sf_shape_rank(args[0].u.shape) != sf_shape_rank(args[2].u.shape);
}

static bool is_old_concat(SfInfer *c, const SfFinding *f)
{
    return sf_version(c) < SF_VERSION(2, 0) || sf_op_variant(c) == QUANTIZED;
}

#define CONCAT_MESSAGES(on)                                                                        \
    {on, SF_AS(CONCAT_DIM), .when = ranks_differ, .args = concat_args,                             \
     .text = "ConcatOp : Ranks of all input tensors should match: shape[0] = {0} vs. shape[{1}] "  \
             "= {2}"},                                                                             \
        {on, SF_AS(CONCAT_DIM), .when = is_old_concat, .args = concat_args},                       \
    {                                                                                              \
        on, SF_AS(CONCAT_DIM), .args = concat_args,                                                \
                               .text = "ConcatOp : Dimension {3} in both shapes must be equal: "   \
                                       "shape[0] = {0} vs. shape[{1}] = {2}"                       \
    }
static const SfMessage concat_messages[] = {
    CONCAT_MESSAGES(SF_ON_MERGE), CONCAT_MESSAGES(SF_ON(RANK_EXACT)), {0}};

/* Merges some of the dims that the axis leaves alone. TensorFlow's message shows those dims
 * alone; our places show the whole input. */
static SfStatus merge_part(SfInfer *c, int input, const SfShape *a, int from, const SfShape *b,
                           int offset, const SfShape **out)
{
    *out = sf_shape_meet(a, b);
    SF_TRY_ALLOC(*out);
    if (!sf_shape_is_bottom(*out)) {
        return SF_OK;
    }
    if (sf_shape_rank(a) != sf_shape_rank(b)) {
        return sf_fail(c, SF_DIAG_MERGE_RANK, SF_INPUT(input), SF_INPUT(from),
                       SF_RANK_ARG(sf_shape_rank(a)), SF_RANK_ARG(sf_shape_rank(b)));
    }
    int i = 0;
    while (sf_dim_compatible(sf_shape_dim(a, i), sf_shape_dim(b, i))) {
        i++;
    }
    return sf_fail(c, SF_DIAG_MERGE_DIM, SF_AXIS(input, offset + i), SF_AXIS(from, offset + i),
                   SF_INT_ARG(i), SF_DIM_ARG(sf_shape_dim(a, i)), SF_DIM_ARG(sf_shape_dim(b, i)),
                   SF_SHAPE_ARG(a), SF_SHAPE_ARG(b));
}

/* All inputs have one rank, which is not 0; -1 when none is known. */
static SfStatus want_concat_ranks(SfInfer *c, Joined j, int *rank)
{
    *rank = -1;
    for (int i = 0; i < j.count && *rank < 0; i++) {
        *rank = sf_shape_rank(sf_input(c, j.first + i));
    }
    SF_TRY(sf_expect(c, *rank != 0, SF_INPUT(j.first),
                     "Can't concatenate scalars (use tf.stack instead)"));
    for (int i = 0; *rank > 0 && i < j.count; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(j.first + i), *rank, NULL));
    }
    return SF_OK;
}

/* Kernels take a tensor of one element and rank 1 at most for the scalar. */
static SfStatus want_axis_number(SfInfer *c, Joined j)
{
    const SfShape *s = sf_input(c, j.axis_input);
    return sf_require_as(c, sf_shape_rank(s) <= 1 && !sf_dim_never(sf_shape_count(s), 1),
                         SF_DIAG_RANK_EXACT, SF_INPUT(j.axis_input), SF_THE_OP,
                         "{0} tensor should be a scalar integer, but got shape {1}",
                         SF_TEXT_ARG(j.axis_input > 0 ? "axis" : "concat_dim"), SF_SHAPE_ARG(s));
}

/* What the kernel says of ranks and axis before it looks at dims. */
static SfStatus check_concat_axis(SfInfer *c, Joined j, int64_t axis)
{
    const int rank = sf_shape_rank(sf_input(c, j.first));
    for (int i = 0; i < j.count; i++) {
        SF_TRY(sf_expect(c, sf_shape_rank(sf_input(c, j.first + i)) != 0, SF_INPUT(j.first + i),
                         "ConcatOp : Can't concatenate scalars (use tf.stack instead)"));
    }
    return sf_require_as(
        c, rank <= 0 || (axis >= -rank && axis < rank), SF_DIAG_AXIS_RANGE, SF_INPUT(j.axis_input),
        SF_INPUT(j.first),
        "ConcatOp : Expected concatenating dimensions in the range [{0}, {1}), but got {2}",
        SF_INT_ARG(-rank), SF_INT_ARG(rank), SF_INT_ARG(axis));
}

static SfStatus want_concat_rank(SfInfer *c, Joined j, int i, int64_t axis)
{
    const int64_t last = axis < 0 ? -(axis + 1) : axis; /* the axis from its end: -1 is 0 */
    return sf_want_rank_at_least(c, SF_INPUT(j.first + i),
                                 (int)(last >= SF_RANK_MAX ? SF_RANK_MAX + 1 : last + 1), NULL);
}

/* Concat, ConcatV2: the dims of the axis add up, all others are equal. */
static SfStatus infer_concat(SfInfer *c)
{
    const Joined j = joined(c);
    int64_t axis;
    int all;
    const bool known = sf_input_int(c, j.axis_input, &axis);
    SF_TRY(sf_common_runs(c) ? want_axis_number(c, j) : sf_want_scalar(c, SF_INPUT(j.axis_input)));
    SF_TRY(sf_common_runs(c) && known ? check_concat_axis(c, j, axis) : SF_OK);
    sf_kernel_messages(c, concat_messages);
    SF_TRY(want_concat_ranks(c, j, &all));
    if (!known) {
        return sf_set_output_shape(c, 0, sf_shape_of_rank(all));
    }
    const SfShape *before = NULL;
    const SfShape *after = NULL;
    SfDim middle = 0;
    for (int i = j.count - 1; i >= 0; i--) {
        const SfShape *s = sf_input(c, j.first + i);
        const int rank = sf_shape_rank(s);
        SF_TRY(want_concat_rank(c, j, i, axis));
        const int at = rank < 0 ? 0 : (int)(axis < 0 ? axis + rank : axis);
        const SfShape *head = sf_shape_slice(s, 0, at), *tail = sf_common_rest(s, at + 1);
        middle = sf_dim_add(middle, sf_shape_dim(s, at));
        if (!before) {
            before = head;
            after = tail;
            continue;
        }
        SF_TRY(merge_part(c, j.first + i, head, j.first + j.count - 1, before, 0, &before));
        SF_TRY(merge_part(c, j.first + i, tail, j.first + j.count - 1, after, at + 1, &after));
    }
    if (middle == SF_DIM_BOTTOM) {
        middle = SF_DIM_UNKNOWN;
    }
    return sf_set_output_shape(
        c, 0, sf_shape_insert(sf_shape_concat(before, after), sf_shape_rank(before), middle));
}

#define CONCAT_DIM_SCALAR "Concat dim tensor should be a scalar integer, but got shape {a.shape}"

static SfStatus check_quantized_concat(SfInfer *c, Joined j)
{
    const int rank = sf_shape_rank(sf_input(c, j.first));
    int64_t axis;
    SF_TRY(sf_require_rank(c, j.axis_input, 0, CONCAT_DIM_SCALAR));
    for (int i = j.first + j.count; i < sf_input_count(c); i++) {
        SF_TRY(sf_require_as(
            c, !sf_dim_never(sf_shape_count(sf_input(c, i)), 1), SF_DIAG_RANK_EXACT, SF_INPUT(i),
            SF_THE_OP,
            "{0} each tensor's num elements must be 1, given num elements {a.count} in index {1}",
            SF_TEXT_ARG(i < j.first + 2 * j.count ? "input_mins" : "input_maxes"),
            SF_INT_ARG((i - j.first) % j.count)));
    }
    return sf_require_as(
        c, rank < 0 || !sf_input_int(c, j.axis_input, &axis) || (axis >= 0 && axis < rank),
        SF_DIAG_AXIS_RANGE, SF_INPUT(j.axis_input), SF_INPUT(j.first),
        "ConcatOp : Expected concatenating dimensions in the range [0, {0}), but got {1}",
        SF_INT_ARG(rank), SF_INT_ARG(axis));
}

/* QuantizedConcat: the limits of the result are scalars; its kernel counts axes from the front. */
static SfStatus infer_quantized_concat(SfInfer *c)
{
    const Joined j = joined(c);
    const int end = sf_input_count(c);
    SF_TRY(sf_common_runs(c) ? check_quantized_concat(c, j) : SF_OK);
    SF_TRY(infer_concat(c));
    SF_TRY(sf_common_runs(c) ? SF_OK : sf_common_want_scalars(c, j.first + j.count, end));
    return sf_common_set_output_scalars(c, 1, 3);
}

/* Copies the content of `input` to where it lies in the output, `offset` along the axis. */
static bool place(SfInfer *c, int input, const SfShape *block, int axis, int64_t offset,
                  SfElem *out)
{
    const SfValue *v = sf_input_value(c, input);
    SfFoldCopy copy;
    if (!v || !sf_fold_copy_block(&copy, block, sf_output(c, 0), block)) {
        return !v;
    }
    copy.to = offset * copy.to_step[axis];
    sf_fold_copy(&copy, out, sf_value_elems(v));
    return true;
}

static void fold_concat(SfInfer *c)
{
    const Joined j = joined(c);
    const int rank = sf_shape_rank(sf_output(c, 0));
    int64_t axis;
    int64_t n;
    int64_t offset = 0;
    SfElem *out = sf_input_int(c, j.axis_input, &axis) ? sf_fold_begin(c, 0, &n) : NULL;
    if (!out || rank > SF_FOLD_RANK) {
        return;
    }
    axis += axis < 0 ? rank : 0;
    for (int i = 0; i < j.count; i++) {
        const SfShape *s = sf_input(c, j.first + i);
        if (!sf_shape_is_known(s) || !place(c, j.first + i, s, (int)axis, offset, out)) {
            return;
        }
        offset += sf_shape_dim(s, (int)axis);
    }
    sf_fold_set_output(c, 0, out);
}

/* A known vector as kernels print it: "2 3". */
static const char *vector_text(SfInfer *c, int input)
{
    const SfValue *v = sf_input_value(c, input);
    char *text = !v ? NULL : sf_scratch(c, 256);
    if (text) {
        (void)sf_value_format(v, text, 256);
        const size_t n = strlen(text);
        if (text[0] == '[' && n > 1 && n < 255) {
            text[n - 1] = '\0';
            return text + 1;
        }
    }
    return !text ? "" : text;
}

/* All dims but the axis are the first shape's. */
static SfStatus check_offsets_match(SfInfer *c, int64_t axis)
{
    for (int i = 2; i < sf_input_count(c); i++) {
        for (int64_t k = 0; k < sf_common_elems(c, 1); k++) {
            const SfElem a = sf_common_elem(c, 1, k);
            const SfElem b = sf_common_elem(c, i, k);
            SF_TRY(sf_require_as(
                c, k == axis || a.kind != SF_ELEM_INT || b.kind != SF_ELEM_INT || a.u.i == b.u.i,
                SF_DIAG_CONCAT_DIM, SF_INPUT(i), SF_INPUT(1),
                "All dimensions except {0} must match. Input {1} has shape [{2}] and doesn't match "
                "input 0 with shape [{3}].",
                SF_INT_ARG(axis), SF_INT_ARG(i - 1), SF_TEXT_ARG(vector_text(c, i)),
                SF_TEXT_ARG(vector_text(c, 1))));
        }
    }
    return SF_OK;
}

static SfStatus check_concat_offset(SfInfer *c)
{
    int64_t axis;
    SF_TRY(sf_require_rank(c, 0, 0, CONCAT_DIM_SCALAR));
    for (int i = 1; i < sf_input_count(c); i++) {
        SF_TRY(sf_require_rank(c, i, 1, "input {a} should be a vector, but got shape {a.shape}"));
    }
    const int64_t n = sf_common_length(sf_input(c, 1));
    const bool known = sf_input_int(c, 0, &axis);
    SF_TRY(sf_require_as(c, !known || n < 0 || (axis >= -n && axis < n), SF_DIAG_AXIS_RANGE,
                         SF_INPUT(0), SF_INPUT(1), "Concat dim is out of range: {0} vs. {1}",
                         SF_INT_ARG(axis), SF_INT_ARG(n)));
    for (int i = 2; i < sf_input_count(c); i++) {
        const int64_t m = sf_common_length(sf_input(c, i));
        SF_TRY(sf_require_as(c, n < 0 || m < 0 || n == m, SF_DIAG_DIM_EQUAL, SF_AXIS(i, 0),
                             SF_AXIS(1, 0), "input {0} should contain {1} elements, but got {2}",
                             SF_INT_ARG(i - 1), SF_INT_ARG(n), SF_INT_ARG(m)));
    }
    return known && n >= 0 ? check_offsets_match(c, axis < 0 ? axis + n : axis) : SF_OK;
}

/* ConcatOffset: where each shape begins in the concatenation. */
static SfStatus infer_concat_offset(SfInfer *c)
{
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_same(c, i, i + 1));
    }
    return SF_OK;
}

static void fold_concat_offset(SfInfer *c)
{
    int64_t axis;
    SfElem total = sf_elem_int(0);
    if (!sf_input_int(c, 0, &axis)) {
        return;
    }
    for (int i = 0; i < sf_output_count(c); i++) {
        int64_t n;
        SfElem *out = sf_fold_begin(c, i, &n);
        const int64_t at = out && axis < 0 ? axis + n : axis;
        if (!out || at < 0 || at >= n) {
            return;
        }
        for (int64_t k = 0; k < n; k++) {
            out[k] = sf_elem_int(0);
        }
        out[at] = total;
        sf_fold_set_output(c, i, out);
        const SfElem size = sf_common_elem(c, i + 1, at);
        total = total.kind == SF_ELEM_UNKNOWN || size.kind == SF_ELEM_UNKNOWN
                    ? sf_elem_unknown()
                    : sf_elem_add(total, size, sf_output_dtype(c, i));
    }
}

static const SfMessage parallel_messages[] = {
    {SF_ON(OP_SHAPE), .text = "update shape doesn't match: {a.shape}"},
    {SF_ON(RUN_REFUSED)},
    {SF_ON(MERGE_DIM), .text = "value and update shape doesn't match {attr shape} vs. {a.shape}"},
    {.text = "value and update shape doesn't match: {attr shape} vs. {a.shape}"},
    {0}};

/* ParallelConcat: slices of one row, with the result's shape declared. TensorFlow's construction
 * refuses what is not known; we wait for the run. */
static SfStatus parallel_kernel(SfInfer *c, const void *data)
{
    const SfDim rows = sf_shape_dim(data, 0);
    return sf_require(
        c, sf_shape_rank(data) < 1 || sf_input_count(c) <= rows || sf_version(c) < SF_VERSION(2, 0),
        SF_ATTR("shape"), "0th dimension of value = {0} must be greater than loc_ = {0}",
        SF_DIM_ARG(rows));
}

static SfStatus infer_parallel_concat(SfInfer *c)
{
    const SfShape *shape = sf_attr_shape(c, "shape");
    SF_TRY(sf_expect(c, sf_shape_is_known(shape), SF_ATTR("shape"),
                     "shape attr must be fully defined."));
    if (sf_shape_rank(shape) == 0) {
        const bool runs = sf_common_runs(c);
        return sf_fail_with(c, runs ? SF_DIAG_RANK_AT_LEAST : SF_DIAG_OP_SHAPE, SF_ATTR("shape"),
                            SF_THE_OP,
                            runs ? "value should be at least rank 1."
                                 : "Out of range dim_index 0 for shape with 0 dimensions");
    }
    sf_kernel_messages(c, parallel_messages);
    for (int i = 0; i < sf_input_count(c); i++) {
        const SfShape *s = sf_input(c, i);
        const SfDim rows = sf_shape_dim(s, 0);
        SF_TRY(sf_require_as(
            c, sf_shape_rank(s) != 0, SF_DIAG_RANK_AT_LEAST, SF_INPUT(i), SF_THE_OP,
            "The rank of all input shapes must be greater than 0, but input {0} had rank 0.",
            SF_INT_ARG(i)));
        SF_TRY(sf_expect(c, sf_shape_rank(s) <= 0 || !sf_dim_never(rows, 1), SF_AXIS(i, 0),
                         "Size of first dimension must be 1."));
        const SfShape *row = sf_shape_replace(shape, 0, 1);
        sf_want_context(c, "\n\tFrom merging shape {0} with other shapes.", i);
        SF_TRY(sf_want_merge(c, SF_INPUT(i), s, SF_ATTR("shape"), row, NULL));
        sf_want_context(c, NULL, 0);
    }
    SF_TRY(sf_kernel_check(c, parallel_kernel, shape));
    return sf_set_output_shape(c, 0, shape);
}

/* Pack, Unpack */

/* The attr axis against a rank: "Invalid axis: 5; must be in [-3,3)". */
static SfStatus want_pack_axis(SfInfer *c, int rank, int *axis)
{
    const int64_t given = sf_attr_int(c, "axis");
    SF_TRY(sf_require_as(c, given >= -rank && given < rank, SF_DIAG_AXIS_RANGE, SF_ATTR("axis"),
                         SF_INPUT(0),
                         sf_common_runs(c) ? "axis = {attr axis} not in [{0}, {1})"
                                           : "Invalid axis: {attr axis}; must be in [{0},{1})",
                         SF_INT_ARG(-rank), SF_INT_ARG(rank)));
    *axis = (int)(given < 0 ? given + rank : given);
    return SF_OK;
}

static const SfMessage pack_messages[] = {
    {SF_ON(AXIS_RANGE)},
    {.args = sf_common_first_misfit,
     .text =
         "Shapes of all inputs must match: values[0].shape = {shape 0} != values[{0}].shape = {1}"},
    {0}};

/* Pack (tf.stack): tensors of one shape along a new axis. */
static SfStatus infer_pack(SfInfer *c)
{
    const SfShape *each;
    int axis;
    if (sf_common_runs(c) && sf_shape_is_ranked(sf_input(c, 0))) {
        SF_TRY(want_pack_axis(c, sf_shape_rank(sf_input(c, 0)) + 1, &axis));
    }
    sf_kernel_messages(c, pack_messages);
    SF_TRY(sf_want_merge_inputs(c, 0, sf_input_count(c), &each));
    if (!sf_shape_is_ranked(each)) {
        return sf_set_output_unknown(c, 0);
    }
    SF_TRY(want_pack_axis(c, sf_shape_rank(each) + 1, &axis));
    return sf_set_output_shape(c, 0, sf_shape_insert(each, axis, sf_input_count(c)));
}

static void fold_pack(SfInfer *c)
{
    const SfShape *shape = sf_output(c, 0);
    const int rank = sf_shape_rank(shape);
    int64_t axis = sf_attr_int(c, "axis");
    int64_t n;
    SfElem *out = rank > SF_FOLD_RANK ? NULL : sf_fold_begin(c, 0, &n);
    if (!out) {
        return;
    }
    axis += axis < 0 ? rank : 0;
    const SfShape *block = sf_shape_replace(shape, (int)axis, 1);
    for (int i = 0; block && i < sf_input_count(c); i++) {
        if (!place(c, i, block, (int)axis, i, out)) {
            return;
        }
    }
    sf_fold_set_output(c, 0, out);
}

static const SfMessage unpack_messages[] = {
    {SF_ON(DIM_VALUE), .text = "Input shape axis {a.axis} must equal {0}, got shape {shape 0}"},
    {0}};

/* Unpack (tf.unstack): the slices along an axis. */
static SfStatus infer_unpack(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    int axis;
    if (!sf_shape_is_ranked(x)) {
        return sf_infer_unknown(c);
    }
    if (sf_common_runs(c) && sf_output_count(c) == 0) {
        return SF_OK; /* the kernel has nothing to do */
    }
    sf_kernel_messages(c, unpack_messages);
    SF_TRY(want_pack_axis(c, sf_shape_rank(x), &axis));
    SF_TRY(sf_want_dim(c, SF_AXIS(0, axis), sf_output_count(c)));
    const SfShape *slice = sf_shape_remove(x, axis);
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_shape(c, i, slice));
    }
    return SF_OK;
}

static void fold_unpack(SfInfer *c)
{
    const SfValue *v = sf_input_value(c, 0);
    if (!v) {
        return;
    }
    const int rank = sf_shape_rank(sf_value_shape(v));
    int64_t axis = sf_attr_int(c, "axis");
    axis += axis < 0 ? rank : 0;
    const SfShape *block = sf_shape_replace(sf_value_shape(v), (int)axis, 1);
    for (int i = 0; block && i < sf_output_count(c); i++) {
        sf_fold_take(c, 0, i, block, (int)axis, i);
    }
}

/* rows */

/* clang-format off */
static const SfOpDef ops[] = {
    SF_MOVE(Concat, .inputs = "concat_dim: int32, values: N * T", .outputs = "output: T",
            .attrs = "N: int >= 2, T: type", .infer = infer_concat, .fold = fold_concat,
            .role = SF_ROLE_LENGTHEN, .folds = SF_FOLDS_ALWAYS, SF_PARTS(sf_range_concat)),
    SF_MOVE(ConcatV2, .inputs = "values: N * T, axis: Tidx", .outputs = "output: T",
            .attrs = "N: int >= 2, T: type, Tidx: " SF_INDEX " = int32", .infer = infer_concat,
            .fold = fold_concat, .role = SF_ROLE_LENGTHEN, .folds = SF_FOLDS_ALWAYS,
            SF_PARTS(sf_range_concat)),
    SF_MOVE(QuantizedConcat,
            .inputs = "concat_dim: int32, values: N * T, input_mins: N * float, "
                      "input_maxes: N * float",
            .outputs = "output: T, output_min: float, output_max: float",
            .attrs = "N: int >= 2, T: type", .infer = infer_quantized_concat,
            .grad = SF_GRAD_MISSING, .variant = QUANTIZED),
    SF_MOVE(ConcatOffset, .inputs = "concat_dim: int32, shape: N * shape_type",
            .outputs = "offset: N * shape_type",
            .attrs = "N: int >= 2, shape_type: " SF_INDEX " = int32", .infer = infer_concat_offset,
            .kernel = check_concat_offset,
            .fold = fold_concat_offset, .grad = SF_GRAD_NONE),
    SF_MOVE(ParallelConcat, .inputs = "values: N * T", .outputs = "output: T",
            .attrs = "N: int >= 1, T: type, shape: shape", .infer = infer_parallel_concat,
            .grad = SF_GRAD_MISSING, .range = sf_range_move_all),
    SF_MOVE(Pack, .inputs = "values: N * T", .outputs = "output: T",
            .attrs = "N: int >= 1, T: type, axis: int = 0", .infer = infer_pack, .fold = fold_pack,
            .role = SF_ROLE_PACK, .folds = SF_FOLDS_ALWAYS, SF_PARTS(sf_range_pack)),
    SF_MOVE(Unpack, .inputs = "value: T", .outputs = "output: num * T",
            .attrs = "num: int >= 0, T: type, axis: int = 0", .infer = infer_unpack,
            .fold = fold_unpack, SF_PARTS(sf_range_unpack)),
};
/* clang-format on */
const SfOpTable sf_ops_array_join = {ops, SF_ARRAY_LEN(ops), "array_join"};
