/* Elementwise ops of many operands, and those that keep a shape beside a condition: AddN, Select,
 * ClipByValue, BiasAdd, the running sums. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"
#include "apis/ops/shared/fold.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

enum { BY_ROWS = 1 }; /* variant: Select, whose condition may be a vector of rows */

/* AddN */

static const SfMessage add_n_messages[] = {
    {.args = sf_common_first_misfit,
     .text = "Inputs to operation {op} of type {op} must have the same size and shape.  "
             "Input 0: {shape 0} != input {0}: {1}"},
    {0}};

static void fold_add_n(SfInfer *c)
{
    int64_t n;
    SfElem *out = sf_fold_begin(c, 0, &n);
    const SfDtype t = sf_output_dtype(c, 0);
    for (int k = 0; out && k < sf_input_count(c); k++) {
        const SfValue *v = sf_input_value(c, k);
        if (!v || sf_value_count(v) != n) {
            return;
        }
        for (int64_t i = 0; i < n; i++) {
            const SfElem e = sf_value_elem(v, i);
            out[i] = k == 0 ? e : sf_elem_add(out[i], e, t);
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* AccumulateNV2: the same, with the shape declared. */
static SfStatus infer_accumulate(SfInfer *c)
{
    return sf_set_output_shape(c, 0, sf_attr_shape(c, "shape"));
}

/* Select */

static bool picks_scalars(SfInfer *c, const SfFinding *f)
{
    return sf_shape_rank(sf_input(c, 0)) == 1 && sf_shape_rank(sf_input(c, 1)) == 0;
}

static bool picks_rows(SfInfer *c, const SfFinding *f)
{
    return sf_shape_rank(sf_input(c, 0)) == 1 && sf_shape_rank(sf_input(c, 1)) > 1;
}

static const SfMessage select_messages[] = {
    {SF_OF(1), SF_WITH(2),
     .text = "'then' and 'else' must have the same size.  but received: {shape 1} vs. {shape 2}"},
    {.when = picks_scalars, .text = "'then' must be at least a vector, but saw shape: []"},
    {.when = picks_rows,
     .text = "Number of batches of 'then' must match size of 'cond', but saw: {dim 1 0} vs. {dim 0 "
             "0}"},
    SF_SAME_SHAPE_MESSAGES,
    {0}};

/* Select: cond is a scalar, has the shape of the branches, or is a vector that chooses rows.
 * Source: tf.raw_ops.Select (tf.where of TensorFlow 1). */
static SfStatus infer_select(SfInfer *c)
{
    const SfShape *cond = sf_input(c, 0);
    const SfShape *data;
    sf_kernel_messages(c, select_messages);
    SF_TRY(sf_want_merge(c, SF_INPUT(1), sf_input(c, 1), SF_INPUT(2), sf_input(c, 2), &data));
    if (!sf_shape_is_ranked(cond) || !sf_shape_is_ranked(data) || sf_shape_rank(cond) == 0) {
        return sf_set_output_shape(c, 0, data);
    }
    if (sf_shape_rank(cond) == 1 && sf_shape_rank(data) > 0) {
        SF_TRY(sf_want_merge(c, SF_INPUT(0), cond, SF_INPUT(1),
                             sf_shape_vector(sf_shape_dim(data, 0)), &cond));
        return sf_set_output_shape(c, 0, sf_shape_replace(data, 0, sf_shape_dim(cond, 0)));
    }
    SF_TRY(sf_want_merge(c, SF_INPUT(1), data, SF_INPUT(0), cond, &data));
    return sf_set_output_shape(c, 0, data);
}

static const SfMessage select_v2_messages[] = {
    {.text = "condition {shape 0}, then {shape 1}, and else {shape 2} must be broadcastable"}, {0}};

/* SelectV2: all three broadcast. */
static SfStatus infer_select_v2(SfInfer *c)
{
    const SfShape *out;
    sf_kernel_messages(c, select_v2_messages);
    SF_TRY(sf_common_broadcast(c, 1, sf_input(c, 1), 2, sf_input(c, 2), 0, &out));
    SF_TRY(sf_common_broadcast(c, 0, sf_input(c, 0), 1, out, 0, &out));
    return sf_set_output_shape(c, 0, out);
}

/* Either branch where the condition is not known, provided that they agree. */
static SfElem choose(int truth, SfElem then, SfElem other)
{
    bool same;
    if (truth >= 0) {
        return truth ? then : other;
    }
    return sf_elem_same(then, other, &same) && same ? then : sf_elem_unknown();
}

static SfElem element_at(const SfValue *v, const SfShape *shape, int64_t at)
{
    return !v ? sf_elem_unknown()
              : sf_value_elem(v, sf_fold_broadcast_index(sf_value_shape(v), shape, at));
}

static void fold_select(SfInfer *c)
{
    const SfValue *cond = sf_input_value(c, 0);
    const SfValue *then = sf_input_value(c, 1);
    const SfValue *other = sf_input_value(c, 2);
    const SfShape *shape = sf_output(c, 0);
    int64_t n;
    SfElem *out = !then && !other ? NULL : sf_fold_begin(c, 0, &n);
    if (!out) {
        return;
    }
    const bool rows = sf_op_variant(c) == BY_ROWS && cond &&
                      sf_shape_rank(sf_value_shape(cond)) == 1 && sf_shape_rank(shape) > 1;
    const int64_t row = rows && sf_shape_dim(shape, 0) > 0 ? n / sf_shape_dim(shape, 0) : 1;
    for (int64_t i = 0; i < n; i++) {
        const SfElem e = rows ? sf_value_elem(cond, i / row) : element_at(cond, shape, i);
        out[i] = choose(sf_elem_truth(e), element_at(then, shape, i), element_at(other, shape, i));
    }
    sf_fold_set_output(c, 0, out);
}

/* ClipByValue */

static bool clips(const SfShape *t, const SfShape *limit)
{
    return !sf_shape_is_ranked(limit) || sf_shape_rank(limit) == 0 || sf_shape_compatible(t, limit);
}

/* ClipByValue: limits are scalars or of the tensor's shape; only the kernel looks. */
static SfStatus clip_kernel(SfInfer *c)
{
    const SfShape *t = sf_input(c, 0);
    const bool low = clips(t, sf_input(c, 1)), high = clips(t, sf_input(c, 2));
    return sf_require_as(
        c, low && high, SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_INPUT(low ? 2 : 1),
        "clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. "
        "input shape: {shape 0}clip_value_min shape: {shape 1}clip_value_max shape: {shape 2}");
}

static void fold_clip(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfValue *low = sf_input_value(c, 1);
    const SfValue *high = sf_input_value(c, 2);
    const SfShape *shape = sf_output(c, 0);
    const SfDtype t = sf_output_dtype(c, 0);
    int64_t n;
    SfElem *out = !x || !clips(shape, sf_input(c, 1)) || !clips(shape, sf_input(c, 2))
                      ? NULL /* no kernel runs */
                      : sf_fold_begin(c, 0, &n);
    for (int64_t i = 0; out && i < n; i++) {
        const SfElem l = element_at(low, shape, i);
        const SfElem h = element_at(high, shape, i);
        if (l.kind != SF_ELEM_UNKNOWN && h.kind != SF_ELEM_UNKNOWN) {
            out[i] = sf_elem_max(sf_elem_min(sf_value_elem(x, i), h, t), l, t);
        }
    }
    sf_fold_set_output(c, 0, out);
}

/* BiasAdd */

static bool channels_first(SfInfer *c)
{
    return sf_op_attr_index(sf_op_sig(c), "data_format") >= 0 &&
           strcmp(sf_attr_string(c, "data_format"), "NCHW") == 0;
}

static bool is_channels_first(SfInfer *c, const SfFinding *f)
{
    return channels_first(c);
}

static const SfMessage bias_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "Input tensor must be at least 2D: {shape 0}"},
    {SF_ON(RANK_EXACT), .text = "Biases must be 1D: {shape 1}"},
    {.before = SF_VERSION(2, 0),
     .when = is_channels_first,
     .text = "Must provide as many biases as the channel dimension of the input tensor: {shape 1} "
             "vs. {dim 0 1} in {shape 0}"},
    {.text = "Must provide as many biases as the last dimension of the input tensor: {shape 1} vs. "
             "{shape 0}"},
    {0}};

/* BiasAdd: a vector along the channels. */
static SfStatus infer_bias_add(SfInfer *c)
{
    const bool first = channels_first(c);
    /* 1.8 counts the channels from the end, as [..., C, H, W]. */
    const int axis = !first ? -1 : sf_version(c) < SF_VERSION(1, 9) && !sf_common_runs(c) ? -3 : 1;
    const SfShape *value, *bias;
    SfDim channels;
    sf_kernel_messages(c, bias_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), first && !sf_common_runs(c) ? 3 : 2, &value));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &bias));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, axis), sf_shape_dim(value, axis), SF_AXIS(1, 0),
                         sf_shape_dim(bias, 0), &channels));
    return sf_set_output_shape(c, 0, sf_shape_replace(value, axis, channels));
}

static const SfMessage bias_grad_messages[] = {
    {.text = "Input tensor must be at least 2D: {shape 0}"}, {0}};

static SfStatus infer_bias_add_grad(SfInfer *c)
{
    const bool first = channels_first(c);
    sf_kernel_messages(c, bias_grad_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), first && !sf_common_runs(c) ? 3 : 2, NULL));
    return sf_set_output_vector(c, 0, sf_input_dim(c, 0, first ? 1 : -1));
}

/* Betainc */

/* The kernel compares the operands in pairs. Returns how many arguments its message for a
 * failing pair has. */
static int inconsistent_pair(SfInfer *c, const SfFinding *f, SfDiagArg out[])
{
    static const int pairs[][2] = {{0, 1}, {0, 2}, {1, 2}};
    static const char *const names[] = {"a", "b", "x"};
    for (int i = 0; i < SF_ARRAY_LEN(pairs); i++) {
        const SfShape *x = sf_input(c, pairs[i][0]);
        const SfShape *y = sf_input(c, pairs[i][1]);
        if (sf_shape_rank(x) != 0 && sf_shape_rank(y) != 0 && !sf_shape_compatible(x, y)) {
            out[0] = SF_TEXT_ARG(names[pairs[i][0]]);
            out[1] = SF_TEXT_ARG(names[pairs[i][1]]);
            out[2] = SF_SHAPE_ARG(x);
            out[3] = SF_SHAPE_ARG(y);
            return 4;
        }
    }
    return 0;
}

static bool has_inconsistent_pair(SfInfer *c, const SfFinding *f)
{
    SfDiagArg args[SF_MESSAGE_ARGS_MAX];
    return inconsistent_pair(c, f, args) > 0;
}

static const SfMessage betainc_messages[] = {
    {.when = has_inconsistent_pair,
     .args = inconsistent_pair,
     .text = "Shapes of {0} and {1} are inconsistent: {2} vs. {3}"},
    {0}};

/* Betainc: operands of one shape, scalars apart. */
static SfStatus infer_betainc(SfInfer *c)
{
    const SfShape *out = sf_shape_unknown();
    int from = 0;
    int scalars = 0;
    int other = 0;
    for (int i = 0; i < 3; i++) {
        const SfShape *s = sf_input(c, i);
        if (sf_shape_rank(s) == 0) {
            scalars++;
            continue;
        }
        other = i;
        if (sf_shape_is_ranked(s)) {
            SF_TRY(sf_want_merge(c, SF_INPUT(from), out, SF_INPUT(i), s, &out));
            from = i;
        }
    }
    if (scalars == 2 && !sf_shape_is_ranked(out)) {
        out = sf_input(c, other);
    }
    return scalars == 3 ? sf_set_output_scalar(c, 0) : sf_set_output_shape(c, 0, out);
}

/* running sums */

/* Cumsum, Cumprod: along one axis; only the kernel looks at it. */
static SfStatus scan_kernel(SfInfer *c)
{
    const int rank = sf_shape_rank(sf_input(c, 0));
    int64_t at;
    SF_TRY(sf_expect(c, sf_shape_may_have_rank(sf_input(c, 1), 0), SF_INPUT(1),
                     "ScanOp: axis must be a scalar, not {a.shape}"));
    return sf_require_as(c, rank < 0 || !sf_input_int(c, 1, &at) || (at >= -rank && at < rank),
                         SF_DIAG_AXIS_RANGE, SF_INPUT(1), SF_INPUT(0),
                         "ScanOp: Expected scan axis in the range [{0}, {1}), but got {2}",
                         SF_INT_ARG(-rank), SF_INT_ARG(rank), SF_INT_ARG(at));
}

/* One line of the scan: elements `step` apart. */
static void scan(const SfValue *x, SfElem *out, int64_t at, int64_t step, int64_t n, SfElemBinary f,
                 SfElem start, bool exclusive, SfDtype t)
{
    SfElem total = start;
    for (int64_t i = 0; i < n; i++, at += step) {
        const SfElem e = sf_value_elem(x, at);
        const SfElem next = total.kind == SF_ELEM_UNKNOWN || e.kind == SF_ELEM_UNKNOWN
                                ? sf_elem_unknown()
                                : f(total, e, t);
        out[at] = exclusive ? total : next;
        total = next;
    }
}

static void fold_scan(SfInfer *c, SfElemBinary f, int64_t neutral)
{
    const SfValue *x = sf_input_value(c, 0);
    const SfShape *shape = sf_output(c, 0);
    const SfDtype t = sf_output_dtype(c, 0);
    const int rank = sf_shape_rank(shape);
    int64_t axis;
    int64_t n;
    int64_t steps[SF_FOLD_RANK];
    SfElem *out = !x || !sf_input_int(c, 1, &axis) ? NULL : sf_fold_begin(c, 0, &n);
    if (!out || axis < -rank || axis >= rank || !sf_fold_strides(shape, steps)) {
        return;
    }
    axis += axis < 0 ? rank : 0;
    const int64_t step = steps[axis];
    const int64_t length = sf_shape_dim(shape, (int)axis);
    const bool reverse = sf_attr_bool(c, "reverse");
    const SfElem start =
        sf_dtype_is_integer(t) ? sf_elem_int(neutral) : sf_elem_float((double)neutral);
    for (int64_t i = 0; i < n; i++) {
        if (i / step % length == 0) { /* where a line begins */
            scan(x, out, reverse ? i + step * (length - 1) : i, reverse ? -step : step, length, f,
                 start, sf_attr_bool(c, "exclusive"), t);
        }
    }
    sf_fold_set_output(c, 0, out);
}

static void fold_cumsum(SfInfer *c)
{
    fold_scan(c, sf_elem_add, 0);
}

static void fold_cumprod(SfInfer *c)
{
    fold_scan(c, sf_elem_mul, 1);
}

static void fold_l2_loss(SfInfer *c)
{
    const SfValue *x = sf_input_value(c, 0);
    double sum = 0;
    for (int64_t i = 0; x && i < sf_value_count(x); i++) {
        const SfElem e = sf_value_elem(x, i);
        if (e.kind != SF_ELEM_FLOAT) {
            return;
        }
        sum += e.u.f * e.u.f / 2;
    }
    if (x) {
        sf_fold_set_output_value(c, 0, sf_value_float(sf_output_dtype(c, 0), sum));
    }
}

/* rows */

#define BIAS(name, attrs_, ...)                                                                    \
    SF_OP(name, .inputs = "value: T, bias: T", .outputs = "output: T", .attrs = (attrs_),          \
          .infer = infer_bias_add, .traits = SF_OP_IN_PLACE, __VA_ARGS__)
#define SCAN(name, types, ...)                                                                     \
    SF_OP(name, .inputs = "x: T, axis: Tidx", .outputs = "out: T",                                 \
          .attrs = "exclusive: bool = false, reverse: bool = false, T: " types ", Tidx: " SF_INDEX \
                   " = int32",                                                                     \
          .infer = sf_infer_unchanged, .kernel = scan_kernel, __VA_ARGS__)
#define CHECK_NUMERICS(name, ...)                                                                  \
    SF_OP(name, .inputs = "tensor: T", .outputs = "output: T",                                     \
          .attrs = "T: " SF_FLOATS ", message: string", .infer = sf_infer_unchanged,               \
          .traits = SF_OP_STATEFUL | SF_OP_ELEMENTWISE, __VA_ARGS__)
#define DATA_FORMAT "data_format: {'NHWC', 'NCHW'} = 'NHWC'"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(AddN, .inputs = "inputs: N * T", .outputs = "sum: T",
          .attrs = "N: int >= 1, T: {float, double, int32, uint8, int16, int8, complex64, int64, "
                   "qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, "
                   "uint32, uint64, variant}",
          .infer = sf_infer_merge_all, .messages = add_n_messages, .fold = fold_add_n,
          .traits = SF_OP_ELEMENTWISE | SF_OP_PASSES_GRADIENT,
          .arithmetic = SF_ARITHMETIC_SUM, .range = sf_range_add_n),
    SF_OP(AccumulateNV2, .inputs = "inputs: N * T", .outputs = "sum: T",
          .attrs = "N: int >= 1, T: " SF_NUMBERTYPE ", shape: shape", .infer = infer_accumulate,
          .fold = fold_add_n, .traits = SF_OP_ELEMENTWISE, .arithmetic = SF_ARITHMETIC_SUM,
          .range = sf_range_add_n),
    SF_OP(Select, .inputs = "condition: bool, t: T, e: T", .outputs = "output: T",
          .attrs = "T: type", .infer = infer_select, .fold = fold_select,
          .traits = SF_OP_ELEMENTWISE, .variant = BY_ROWS,
          SF_RENAMED({"x", "t"}, {"y", "e"}), .range = sf_range_select),
    SF_OP(SelectV2, .inputs = "condition: bool, t: T, e: T", .outputs = "output: T",
          .attrs = "T: type", .infer = infer_select_v2, .fold = fold_select,
          .traits = SF_OP_ELEMENTWISE, .range = sf_range_select),
    SF_OP(ClipByValue, .inputs = "t: T, clip_value_min: T, clip_value_max: T",
          .outputs = "output: T", .attrs = "T: " SF_NUMBERTYPE, .infer = sf_infer_unchanged,
          .kernel = clip_kernel, .fold = fold_clip, .traits = SF_OP_ELEMENTWISE,
          .range = sf_range_clip),
    BIAS(BiasAdd,   "T: " SF_NUMBERTYPE ", " DATA_FORMAT, .range = sf_range_add),
    BIAS(BiasAddV1, "T: " SF_NUMBERTYPE, .range = sf_range_add),
    SF_OP(BiasAddGrad, .inputs = "out_backprop: T", .outputs = "output: T",
          .attrs = "T: " SF_NUMBERTYPE ", " DATA_FORMAT, .infer = infer_bias_add_grad,
          .cost = sf_common_cost_input),
    SF_OP(Betainc, .inputs = "a: T, b: T, x: T", .outputs = "z: T", .attrs = "T: {float, double}",
          .infer = infer_betainc, .messages = betainc_messages,
          .traits = SF_OP_ELEMENTWISE, .grad = SF_GRAD_INPUTS(4), .range = sf_range_share),
    SCAN(Cumsum,  SF_NUMBERTYPE, .fold = fold_cumsum, .range = sf_range_scan_sum),
    SCAN(Cumprod, SF_NUMBERTYPE, .fold = fold_cumprod, .range = sf_range_scan_prod),
    SCAN(CumulativeLogsumexp, SF_FLOATS, .fold = NULL),
    CHECK_NUMERICS(CheckNumerics, .range = sf_range_move),
    CHECK_NUMERICS(CheckNumericsV2, .range = sf_range_move),
    SF_OP(L2Loss, .inputs = "t: T", .outputs = "output: T", .attrs = "T: " SF_NN_FLOATS,
          .infer = sf_infer_scalar, .fold = fold_l2_loss, .cost = sf_common_cost_input,
          .arithmetic = SF_ARITHMETIC_REDUCTION, .range = sf_range_l2_loss),
};
/* clang-format on */
const SfOpTable sf_ops_elementwise_many = {ops, SF_ARRAY_LEN(ops), "elementwise_many"};
