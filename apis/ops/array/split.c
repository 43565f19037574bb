/* Split, SplitV: parts of a tensor along an axis. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

enum { SIZED = 1 }; /* variant: SplitV */

/* The axis of Split and SplitV. Where TensorFlow does not know it: a vector has only one. */
static SfStatus want_split_axis(SfInfer *c, int input, const SfShape *x, int64_t *axis, bool *known)
{
    const int rank = sf_shape_rank(sf_input(c, input));
    const bool sized = sf_op_variant(c) == SIZED;
    SF_TRY(sf_require_as(c, !sf_common_runs(c) || sized || rank <= 0, SF_DIAG_RANK_EXACT,
                         SF_INPUT(input), SF_THE_OP, "split_dim must be a scalar but has rank {0}",
                         SF_INT_ARG(rank)));
    if (sf_common_runs(c) && sized && rank > 0 && sf_input_int(c, input, axis)) {
        *known = true; /* its kernel takes one element of any rank */
        const int of = sf_shape_rank(x);
        SF_TRY(sf_expect(c, of < 0 || (*axis >= -of && *axis < of), SF_INPUT(input), "axis"));
        *axis += *axis < 0 && of >= 0 ? of : 0;
        *known = *axis >= 0;
        return SF_OK;
    }
    SF_TRY(sf_common_axis_value(c, input, x, axis, known));
    if (!*known && sf_shape_rank(x) == 1) {
        *axis = 0;
        *known = true;
    }
    return SF_OK;
}

/* {0}: the axis that is asked for; {1}: the rank. */
static int split_args(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    const bool sized = sf_op_variant(c) == SIZED;
    const int rank = sf_shape_rank(sf_input(c, sized ? 0 : 1));
    int64_t axis = 0;
    (void)sf_input_int(c, sized ? 2 : 0, &axis);
    out[0] = SF_INT_ARG(axis);
    out[1] = SF_INT_ARG(rank);
    return 2;
}

static const SfMessage split_messages[] = {
    {SF_ON(SPLIT), .args = split_args,
     .text = "Number of ways to split should evenly divide the split dimension, but got split_dim "
             "{0} (size = {a.dim}) and num_split {attr num_split}"},
    {SF_ON(OP_SHAPE), .args = split_args,
     .text = "-input rank(-{1}) <= split_dim < input rank ({1}), but got {0}"},
    {0}};

static SfStatus refuse_parts(SfInfer *c, int axis)
{
    return sf_fail(c, SF_DIAG_SPLIT, SF_AXIS(1, axis), SF_ATTR("num_split"),
                   SF_INT_ARG(sf_output_count(c)), SF_DIM_ARG(sf_shape_dim(sf_input(c, 1), axis)));
}

static SfStatus refuse_vector(SfInfer *c)
{
    return refuse_parts(c, 0);
}

/* Split: equal parts. */
static SfStatus infer_split(SfInfer *c)
{
    const SfShape *x = sf_input(c, 1);
    const int64_t ways = sf_output_count(c);
    int64_t axis, given;
    bool known;
    sf_kernel_messages(c, split_messages);
    SF_TRY(want_split_axis(c, 0, x, &axis, &known));
    const SfShape *part = x;
    if (!known) {
        part = sf_shape_of_rank(sf_shape_rank(x));
    } else if (sf_shape_is_ranked(x)) {
        SfDim each = sf_dim_div_exact(sf_shape_dim(x, (int)axis), ways);
        if (each == SF_DIM_BOTTOM && (sf_common_runs(c) || sf_input_int(c, 0, &given))) {
            return refuse_parts(c, (int)axis);
        }
        if (each == SF_DIM_BOTTOM) { /* TensorFlow does not know that it is the only axis */
            SF_TRY(sf_ask_kernel(c, refuse_vector));
            each = SF_DIM_UNKNOWN;
        }
        part = sf_shape_replace(x, (int)axis, each);
    }
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_shape(c, i, part));
    }
    return SF_OK;
}

static void fold_split(SfInfer *c)
{
    int64_t axis;
    const SfShape *part = sf_output(c, 0);
    if (!sf_input_int(c, 0, &axis) || !sf_shape_is_known(part)) {
        return;
    }
    axis += axis < 0 ? sf_shape_rank(part) : 0;
    for (int i = 0; i < sf_output_count(c); i++) {
        sf_fold_take(c, 1, i, part, (int)axis, i * sf_shape_dim(part, (int)axis));
    }
}

/* The sizes of SplitV against the dim they divide; the one -1 is solved for in place. */
static SfStatus solve_sizes(SfInfer *c, int axis, SfDim whole, const int64_t *sizes, SfDim *parts)
{
    const int n = sf_output_count(c);
    int64_t total = 0;
    int open = -1;
    for (int i = 0; i < n; i++) {
        if (sizes[i] == -1) {
            SF_TRY(sf_expect(c, open < 0, SF_INPUT(1),
                             sf_common_runs(c) ? "There can only be one -1 in the input."
                                               : "size_splits can only have one -1"));
            open = i;
        } else {
            total = (int64_t)((uint64_t)total + (uint64_t)sizes[i]);
        }
        parts[i] = sizes[i] < 0 ? SF_DIM_UNKNOWN : sizes[i];
    }
    if (open >= 0 && total >= 0) {
        parts[open] = sf_dim_sub(whole, total);
    }
    const bool wrong = open >= 0 ? parts[open] == SF_DIM_BOTTOM : sf_dim_never(whole, total);
    for (int i = 0; i < n; i++) {
        const bool negative = sizes[i] < -1 || (i == open && wrong && !sf_common_runs(c) &&
                                                sf_version(c) >= SF_VERSION(2, 0));
        SF_TRY(sf_require_as(c, !negative, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_AXIS(0, axis),
                             "Split size at index {0} must be >= 0. Got: {1}", SF_INT_ARG(i),
                             SF_INT_ARG(i != open                ? sizes[i]
                                        : sf_dim_is_known(whole) ? (int64_t)whole - total
                                                                 : -1)));
    }
    const bool single = n == 1 && sf_common_runs(c); /* for which -1 stands for itself */
    SF_TRY(sf_require_as(c, !single || (!wrong && (open != 0 || sf_version(c) < SF_VERSION(2, 0))),
                         SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_AXIS(0, axis),
                         "If there is only one output, it must have the same size as the input. "
                         "Input size: {0} output size: {1}",
                         SF_DIM_ARG(whole), SF_INT_ARG(open == 0 ? -1 : total)));
    SF_TRY(sf_require_as(c, !wrong || !sf_common_runs(c), SF_DIAG_OP_SHAPE, SF_INPUT(1),
                         SF_AXIS(0, axis),
                         "Determined shape must either match input shape along split_dim exactly "
                         "if fully specified, or be less than the size of the input along "
                         "split_dim if not fully specified.  Got: {0}",
                         SF_INT_ARG(total)));
    return sf_require_as(c, !wrong, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_AXIS(0, axis),
                         "can't split axis of size {0} into pieces of size [{1}]",
                         SF_DIM_ARG(whole), SF_TEXT_ARG(sf_common_joined_ints(c, 1)));
}

/* What SplitV's kernel looks at first: a vector with a size for each output. */
static SfStatus check_sizes(SfInfer *c)
{
    const SfShape *s = sf_input(c, 1);
    const SfDim count = sf_shape_count(s);
    if (!sf_common_runs(c) || !sf_shape_is_ranked(s) ||
        (sf_shape_rank(s) == 1 && (!sf_dim_is_known(count) || count == sf_output_count(c)))) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_ATTR("num_split"),
                        "size of the split_tensor must be 1-D and have the same elements as "
                        "outputs got {0} -D and {1} elements",
                        SF_INT_ARG(sf_shape_rank(s)), SF_DIM_ARG(count));
}

/* SplitV: parts of given sizes. */
static SfStatus infer_split_v(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0);
    const int n = sf_output_count(c);
    const int64_t *sizes;
    int64_t axis;
    bool known;
    int count;
    SF_TRY(check_sizes(c));
    SF_TRY(sf_expect(c, sf_shape_rank(x) != 0 || sf_common_runs(c), SF_INPUT(0),
                     "Can't split scalars"));
    sf_kernel_messages(c, split_messages);
    SF_TRY(want_split_axis(c, 2, x, &axis, &known));
    sf_kernel_messages(c, NULL);
    if (!sf_shape_is_ranked(x)) {
        return sf_infer_unknown(c);
    }
    SfDim *parts = sf_scratch(c, (size_t)n * sizeof *parts);
    SF_TRY_ALLOC(parts);
    if (sf_common_ints(c, 1, &sizes, &count)) {
        SF_TRY(sf_require_as(c, count == n, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_ATTR("num_split"),
                             "Length of size_splits should be equal to num_outputs"));
        if (known) {
            SF_TRY(solve_sizes(c, (int)axis, sf_shape_dim(x, (int)axis), sizes, parts));
        }
    } else {
        for (int i = 0; i < n; i++) {
            parts[i] = sf_elem_as_dim(sf_common_elem(c, 1, i));
        }
    }
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_set_output_shape(c, i,
                                   known ? sf_shape_replace(x, (int)axis, parts[i])
                                         : sf_shape_of_rank(sf_shape_rank(x))));
    }
    return SF_OK;
}

static void fold_split_v(SfInfer *c)
{
    int64_t axis;
    int64_t offset = 0;
    if (!sf_input_int(c, 2, &axis)) {
        return;
    }
    const int rank = sf_shape_rank(sf_input(c, 0));
    axis += axis < 0 && rank > 0 ? rank : 0;
    for (int i = 0; i < sf_output_count(c); i++) {
        const SfShape *part = sf_output(c, i);
        if (!sf_shape_is_known(part)) {
            return;
        }
        sf_fold_take(c, 0, i, part, (int)axis, offset);
        offset += sf_shape_dim(part, (int)axis);
    }
}

/* rows */

/* clang-format off */
static const SfOpDef ops[] = {
    SF_MOVE(Split, .inputs = "split_dim: int32, value: T", .outputs = "output: num_split * T",
            .attrs = "num_split: int >= 1, T: type", .infer = infer_split, .fold = fold_split,
            SF_RENAMED({"axis", "split_dim"}), SF_PARTS(sf_range_split)),
    SF_MOVE(SplitV, .inputs = "value: T, size_splits: Tlen, split_dim: int32",
            .outputs = "output: num_split * T",
            .attrs = "num_split: int >= 1, T: type, Tlen: {int8, int32, int64} = int64",
            .infer = infer_split_v, .fold = fold_split_v, .variant = SIZED,
            SF_RENAMED({"axis", "split_dim"}), SF_PARTS(sf_range_split_v)),
};
/* clang-format on */
const SfOpTable sf_ops_array_split = {ops, SF_ARRAY_LEN(ops), "array_split"};
