/* Neural network ops on quantised tensors: each input comes with the range that its integers stand
 * for, as two scalars, and so does the output. Shapes are those of the op without "Quantized".
 * Source: nn_ops.cc, math_ops.cc, image_ops.cc and the quantized_*_op.cc kernels. */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/nn/conv.h"
#include "apis/ops/image/image.h"
#include "apis/ops/shared/op_types.h"

/* Variants: QuantizedMul; QuantizedConv2D; QuantizedConv2DAndRequantize. None is a bit of conv.h,
 * for functions of convolutions run for these ops too; poolings have their own. */
enum { MULTIPLIES = 1 << 8, REFERENCE = 1 << 9, SCALAR_RANGES = 1 << 10 };

/* ranges */

static const char *input_name(const SfInfer *c, int i)
{
    return i < sf_op_sig(c)->nin ? sf_op_sig(c)->in[i].name : "?";
}

#define RANGE_MESSAGE                                                                              \
    {                                                                                              \
        SF_ON(RANK_EXACT), .text = "`{a.name}` must be rank 0 but is rank {1}"                     \
    }

/* A known range must have a width; `message` is the kernel's. */
static SfStatus want_width(SfInfer *c, int low, const char *message)
{
    const SfElem a = sf_common_elem(c, low, 0), b = sf_common_elem(c, low + 1, 0);
    return sf_require_as(c, a.kind != SF_ELEM_FLOAT || b.kind != SF_ELEM_FLOAT || b.u.f > a.u.f,
                         SF_DIAG_RUN_REFUSED, SF_INPUT(low + 1), SF_INPUT(low), "{0}",
                         SF_TEXT_ARG(message));
}

/* elementwise */

static const SfMessage add_messages[] = {RANGE_MESSAGE, {0}};
static const SfMessage mul_messages[] = {{SF_ON(RANK_EXACT), .text = "{a.name} must be a scalar"},
                                         {0}};

/* Which side an axis (counted from the back) is repeated on: 0 none, 1 or 2; -1 when not known. */
static int repeated(const SfShape *x, const SfShape *y, int back)
{
    const SfDim a = back <= sf_shape_rank(x) ? sf_shape_dim(x, -back) : 1;
    const SfDim b = back <= sf_shape_rank(y) ? sf_shape_dim(y, -back) : 1;
    if (!sf_dim_is_known(a) || !sf_dim_is_known(b)) {
        return -1;
    }
    return a == b ? (a == 1 ? 3 : 0) : a == 1 ? 1 : 2;
}

/* The kernel broadcasts over two blocks of axes at most. */
static SfStatus blocks_check(SfInfer *c)
{
    const SfShape *x = sf_input(c, 0), *y = sf_input(c, 1);
    const int rx = sf_shape_rank(x), ry = sf_shape_rank(y);
    int blocks = 0, last = -1;
    bool repeats = false;
    const bool mul = sf_op_variant(c) == MULTIPLIES;
    if (mul) {
        SF_TRY(sf_common_want_scalars(c, 2, 6));
    }
    SF_TRY(want_width(
        c, 2, mul ? "max_x must be larger than min_a." : "max_x must be larger than min_x."));
    SF_TRY(want_width(
        c, 4, mul ? "max_x must be larger than min_b." : "max_y must be larger than min_y."));
    for (int back = 1; rx >= 0 && ry >= 0 && (back <= rx || back <= ry); back++) {
        const int now = repeated(x, y, back);
        if (now < 0) {
            return SF_OK;
        }
        blocks += now != 3 && now != last; /* 1 against 1 joins any block */
        last = now != 3 ? now : last;
        repeats = repeats || now == 1 || now == 2;
    }
    SF_TRY(sf_require_as(c, blocks <= 2, SF_DIAG_NOT_IMPLEMENTED, SF_INPUT(0), SF_INPUT(1),
                         "Broadcast between {0} and {1} is not supported yet.", SF_SHAPE_ARG(x),
                         SF_SHAPE_ARG(y)));
    const SfDim nx = sf_shape_count(x), ny = sf_shape_count(y);
    if (sf_version(c) < SF_VERSION(2, 0) || !repeats || rx < 0 || ry < 0 || nx == 1 || ny == 1 ||
        (nx != 0 && ny != 0)) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(0), SF_INPUT(1),
                        mul ? "vector must have at least 1 element"
                            : "Must have some elements to add");
}

/* QuantizedAdd, QuantizedMul: z = x op y, broadcast. Only the first one's ranges are checked before
 * a run. */
static SfStatus infer_quantized_binary(SfInfer *c)
{
    SF_TRY(sf_infer_broadcast(c));
    const bool add = sf_op_variant(c) != MULTIPLIES;
    sf_kernel_messages(c, add ? add_messages : mul_messages);
    if (add) {
        SF_TRY(sf_common_want_scalars(c, 2, 6));
    }
    SF_TRY(sf_ask_kernel(c, blocks_check));
    return sf_common_set_output_scalars(c, 1, 3);
}

static const SfMessage relu_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "`min_input` must be rank 0 but is rank {1}"},
    {SF_ON(RANK_EXACT), .text = "`max_input` must be rank 0 but is rank {1}"},
    {0}};

static SfStatus infer_quantized_relu(SfInfer *c)
{
    sf_kernel_messages(c, relu_messages);
    SF_TRY(sf_common_want_scalars(c, 1, sf_input_count(c)));
    SF_TRY(sf_set_output_same(c, 0, 0));
    return sf_common_set_output_scalars(c, 1, 3);
}

static const SfMessage bias_messages[] = {
    {SF_ON(RANK_AT_LEAST), .text = "Input tensor must be at least 2D: {shape 0}"},
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "Biases must be 1D: {shape 1}"},
    RANGE_MESSAGE,
    {SF_ON(DIM_EQUAL),
     .text = "Must provide as many biases as the last dimension of the input tensor: {shape 1} vs. "
             "{shape 0}"},
    {0}};

/* QuantizedBiasAdd: a vector along the last axis. */
static SfStatus infer_quantized_bias(SfInfer *c)
{
    const SfShape *value, *bias;
    SfDim channels;
    sf_kernel_messages(c, bias_messages);
    SF_TRY(sf_want_rank_at_least(c, SF_INPUT(0), 2, &value));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &bias));
    if (sf_shape_is_ranked(value)) {
        SF_TRY(sf_want_equal(c, SF_AXIS(0, -1), sf_shape_dim(value, -1), SF_AXIS(1, 0),
                             sf_shape_dim(bias, 0), &channels));
        value = sf_shape_replace(value, sf_shape_rank(value) - 1, channels);
    }
    SF_TRY(sf_common_want_scalars(c, 2, 6));
    SF_TRY(sf_set_output_shape(c, 0, value));
    return sf_common_set_output_scalars(c, 1, 3);
}

/* normalisation */

static const SfMessage norm_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "input must be 4-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(3), .text = "mean must be 1-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(6), .text = "var must be 1-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(9), .text = "beta must be 1-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), .text = "gamma must be 1-dimensional{a.shape}"},
    {SF_ON(DIM_EQUAL), SF_WITH(3),
     .text = "Must provide as many means as the last dimension of the input tensor: {shape 3} vs. "
             "{shape 0}"},
    {SF_ON(DIM_EQUAL), SF_WITH(6),
     .text = "Mean and variance tensors must have the same shape: {shape 3} vs. {b.shape}"},
    {SF_ON(DIM_EQUAL), SF_WITH(9),
     .text = "Mean and beta tensors must have the same shape: {shape 3} vs. {b.shape}"},
    {SF_ON(DIM_EQUAL),
     .text = "Mean and gamma tensors must have the same shape: {shape 3} vs. {b.shape}"},
    {0}};

static SfStatus means_kernel(SfInfer *c, const void *data)
{
    const SfShape *means = sf_input(c, 3);
    const SfDim n = sf_shape_dim(means, 0);
    return sf_require(c, sf_shape_rank(means) != 1 || !sf_dim_is_known(n) || n > 1, SF_INPUT(3),
                      "Must have at least a mean value{0}", SF_SHAPE_ARG(means));
}

/* QuantizedBatchNormWithGlobalNormalization: t[b,h,w,c] and four vectors of c, each followed by its
 * range, which nobody looks at. */
static SfStatus infer_quantized_norm(SfInfer *c)
{
    const SfShape *t, *v;
    sf_kernel_messages(c, norm_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &t));
    SfDim channels = sf_shape_dim(t, 3);
    for (int i = 3; i <= 12; i += 3) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 1, &v));
        SF_TRY(i == 3 ? sf_common_kernel_first(c, means_kernel, NULL) : SF_OK);
        SF_TRY(sf_want_equal(c, SF_AXIS(0, 3), channels, SF_AXIS(i, 0), sf_shape_dim(v, 0),
                             &channels));
    }
    SF_TRY(sf_common_kernel_last(c, means_kernel, NULL));
    SF_TRY(sf_set_output_shape(c, 0, sf_shape_replace(t, 3, channels)));
    return sf_common_set_output_scalars(c, 1, 3);
}

/* pooling, resizing */

static const SfMessage pool_range_messages[] = {
    {SF_ON(RANK_EXACT),
     .text = "{a.name} shape must be rank 0 but is rank {1}, received shape: {a.shape}"},
    {0}};

static SfStatus infer_quantized_pool(SfInfer *c)
{
    SF_TRY(sf_infer_pool(c));
    sf_kernel_messages(c, pool_range_messages);
    SF_TRY(sf_common_want_scalars(c, 1, 3));
    return sf_common_set_output_scalars(c, 1, 3);
}

static const SfMessage resize_messages[] = {
    {SF_ON(RANK_EXACT), .text = "{a.name} must be a scalar"}, {0}};

static SfStatus resize_kernel(SfInfer *c)
{
    return sf_require(c,
                      sf_shape_rank(sf_input(c, 0)) != 4 || sf_input_dim(c, 0, 3) != 0 ||
                          sf_version(c) < SF_VERSION(2, 0),
                      SF_AXIS(0, 3), "image must have at least one channel");
}

static SfStatus infer_quantized_resize(SfInfer *c)
{
    SF_TRY(sf_infer_resize(c));
    sf_kernel_messages(c, resize_messages);
    SF_TRY(sf_common_want_scalars(c, 2, 4));
    return sf_common_set_output_scalars(c, 1, 3);
}

/* products */

static bool is_range(SfInfer *c, const SfFinding *f)
{
    return f->a.index >= 2 && f->args[0].u.i == 0;
}

static const SfMessage matmul_messages[] = {
    {SF_ON(DIM_EQUAL), SF_AS(MATMUL_SIZE),
     .text = "Matrix size-incompatible: In[0]: {shape 0}, In[1]: {shape 1}"},
    {SF_ON(RANK_EXACT), .when = is_range,
     .text = "{a.name} must be a scalar, but got shape{a.shape}"},
    {0}};

static SfStatus matmul_kernel(SfInfer *c)
{
    SF_TRY(want_width(c, 2, "max_a must be larger than min_a."));
    return want_width(c, 4, "max_b must be larger than min_b.");
}

/* QuantizedMatMul, and fused with a bias: a[m,k] x b[k,n] -> [m,n]. */
static SfStatus infer_quantized_matmul(SfInfer *c)
{
    const int ta = sf_attr_bool(c, "transpose_a"), tb = sf_attr_bool(c, "transpose_b");
    const bool biased = strcmp(input_name(c, 2), "bias") == 0;
    const SfShape *a, *b;
    sf_kernel_messages(c, matmul_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &a));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, &b));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 1 - ta), sf_shape_dim(a, 1 - ta), SF_AXIS(1, tb),
                         sf_shape_dim(b, tb), NULL));
    if (biased) {
        SF_TRY(sf_want_rank(c, SF_INPUT(2), 1, NULL));
    }
    /* Kernels want one element of every range but the first, whatever its rank. */
    for (int i = 3; sf_in_kernel(c) && !biased && i <= 5; i++) {
        SF_TRY(sf_common_want_scalar(c, SF_INPUT(i)));
    }
    const bool all = biased || !sf_in_kernel(c);
    SF_TRY(sf_common_want_scalars(c, biased ? 3 : 2, all ? sf_input_count(c) : 3));
    if (!biased) {
        SF_TRY(sf_ask_kernel(c, matmul_kernel));
    }
    SF_TRY(sf_set_output_matrix(c, 0, sf_shape_dim(a, ta), sf_shape_dim(b, 1 - tb)));
    return sf_output_count(c) > 1 ? sf_common_set_output_scalars(c, 1, 3) : SF_OK;
}

static const SfMessage conv_messages[] = {
    {SF_ON(RANK_EXACT), .text = "{a.name} must be rank {0} but is rank {1}"},
    {SF_ON(CONV_DEPTH),
     .text = "input and filter must have the same depth: {dim 0 3} vs {dim 1 2}"},
    {0}};

/* The reference kernel of QuantizedConv2D: no groups, no dilation, square strides. */
static SfStatus reference_conv(SfInfer *c)
{
    const int64_t *strides, *dilations;
    const SfDim in = sf_input_dim(c, 0, 3), depth = sf_input_dim(c, 1, 2);
    sf_attr_ints(c, "strides", &strides);
    sf_attr_ints(c, "dilations", &dilations);
    SF_TRY(sf_require(c, strides[1] == strides[2], SF_ATTR("strides"),
                      "Current implementation only supports equal length strides in the row and "
                      "column dimensions."));
    SF_TRY(sf_require(c, dilations[1] == 1 && dilations[2] == 1, SF_ATTR("dilations"),
                      "Current implementation only supports dilated rate as 1 in the row and "
                      "column dimensions."));
    return sf_require_as(c, !sf_dim_differs(in, depth), SF_DIAG_CONV_DEPTH, SF_AXIS(0, 3),
                         SF_AXIS(1, 2), "input and filter must have the same depth: {0} vs {1}",
                         SF_DIM_ARG(in), SF_DIM_ARG(depth));
}

/* QuantizedConv2D and its fusions. A filter's range may be given for each channel: a vector, that
 * the output's range follows unless it is frozen. Source: QuantizedConv2DV2 and friends. */
static SfStatus infer_quantized_conv(SfInfer *c)
{
    const bool reference = sf_op_variant(c) == REFERENCE;
    int at;
    const bool frozen = sf_input_range(c, "min_freezed_output", &at) == 1;
    const bool scalar = reference || sf_op_variant(c) == SCALAR_RANGES;
    const bool biased = strcmp(input_name(c, 2), "bias") == 0;
    const int first = biased ? 3 : 2;
    const SfShape *range;
    SF_TRY(sf_infer_conv2d(c, conv_messages));
    if (biased) {
        SF_TRY(sf_want_rank(c, SF_INPUT(2), 1, NULL));
    }
    SF_TRY(sf_common_want_scalars(c, first, first + 2));
    for (int i = first + 2; i <= first + 3; i++) {
        SF_TRY(scalar ? sf_want_rank(c, SF_INPUT(i), 0, NULL)
                      : sf_want_rank_at_most(c, SF_INPUT(i), 1, NULL));
    }
    if (frozen) {
        SF_TRY(sf_common_want_scalars(c, first + 4, first + 6));
    }
    if (reference) {
        SF_TRY(sf_ask_kernel(c, reference_conv));
    }
    range = frozen || scalar ? sf_shape_scalar() : sf_input(c, first + 3);
    SF_TRY(sf_set_output_shape(c, 1, range));
    return sf_set_output_shape(c, 2, range);
}

/* QuantizedDepthwiseConv2D...: TensorFlow says nothing of the range. */
static SfStatus infer_quantized_depthwise(SfInfer *c)
{
    SF_TRY(sf_infer_depthwise(c));
    SF_TRY(sf_set_output_unknown(c, 1));
    return sf_set_output_unknown(c, 2);
}

/* table */

/* clang-format off */
#define Q "{qint8, quint8, qint32, qint16, quint16}"
#define T_IN "Tinput: " Q ", "
#define T_PAIR "T1: " Q ", T2: " Q ", "
#define T_CONV "Tinput: " Q ", Tfilter: " Q ", "
#define OUT_32 "out_type: " Q " = qint32, "
#define OUT_U8 "out_type: " Q " = quint8, "
#define OUT_8 "out_type: " Q " = qint8, "
#define WINDOW "strides: list(int), padding: {'SAME', 'VALID'}"
#define CONV WINDOW ", dilations: list(int) = [1, 1, 1, 1]"
#define CONV_PADS CONV ", padding_list: list(int) = []"
#define CONV_IN "input: Tinput, filter: Tfilter, "
#define CONV_RANGES "min_input: float, max_input: float, min_filter: float, max_filter: float"
#define FROZEN ", min_freezed_output: float, max_freezed_output: float"
#define SUMMAND ", summand: Tsummand, min_summand: float, max_summand: float"
#define CONV_OUT "output: out_type, min_output: float, max_output: float"
#define T_BIAS "Tbias: {float, qint32}, "
#define MATMUL_RANGES "min_a: float, max_a: float, min_b: float, max_b: float"
#define MATMUL_OUT "out: Toutput, min_out: float, max_out: float"
#define TRANSPOSES "transpose_a: bool = false, transpose_b: bool = false, "
#define QUANT_MODE "input_quant_mode: {'MIN_FIRST', 'SCALED'} = 'MIN_FIRST'"
#define RELU_IN "min_features: float, max_features: float"
#define RELU_OUT "activations: out_type, min_activations: float, max_activations: float"
#define RELU_T T_IN "out_type: " Q " = quint8"
#define POOL_IN "input: T, min_input: float, max_input: float"
#define POOL_OUT "output: T, min_output: float, max_output: float"
#define POOL_T "T: " Q ", ksize: list(int), " WINDOW
#define RANGED(x, t) x ": " t ", " x "_min: float, " x "_max: float"
#define BINARY_IN "x: T1, y: T2, min_x: float, max_x: float, min_y: float, max_y: float"
#define IO(in, out) .inputs = in, .outputs = out

static const SfOpDef ops[] = {
    SF_OP(QuantizedAdd, IO(BINARY_IN, "z: Toutput, min_z: float, max_z: float"),
          .attrs = T_PAIR "Toutput: " Q " = qint32", .infer = infer_quantized_binary,
          .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedMul, IO(BINARY_IN, "z: Toutput, min_z: float, max_z: float"),
          .attrs = T_PAIR "Toutput: " Q " = qint32", .infer = infer_quantized_binary,
          .grad = SF_GRAD_MISSING, .variant = MULTIPLIES),
    SF_OP(QuantizedRelu, IO("features: Tinput, " RELU_IN, RELU_OUT), .attrs = RELU_T,
          .infer = infer_quantized_relu, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedRelu6, IO("features: Tinput, " RELU_IN, RELU_OUT), .attrs = RELU_T,
          .infer = infer_quantized_relu, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedReluX, IO("features: Tinput, max_value: float, " RELU_IN, RELU_OUT),
          .attrs = RELU_T, .infer = infer_quantized_relu, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedBiasAdd,
          IO("input: T1, bias: T2, min_input: float, max_input: float, min_bias: float, "
             "max_bias: float",
             "output: out_type, min_out: float, max_out: float"),
          .attrs = T_PAIR "out_type: " Q, .infer = infer_quantized_bias, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedBatchNormWithGlobalNormalization,
          IO(RANGED("t", "Tinput") ", " RANGED("m", "Tinput") ", " RANGED("v", "Tinput") ", "
             RANGED("beta", "Tinput") ", " RANGED("gamma", "Tinput"),
             RANGED("result", "out_type")),
          .attrs = T_IN "out_type: " Q ", variance_epsilon: float, scale_after_normalization: bool",
          .infer = infer_quantized_norm, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedAvgPool, IO(POOL_IN, POOL_OUT), .attrs = POOL_T,
          .infer = infer_quantized_pool, .grad = SF_GRAD_MISSING, .variant = SF_POOL_AVERAGE),
    SF_OP(QuantizedMaxPool, IO(POOL_IN, POOL_OUT), .attrs = POOL_T,
          .infer = infer_quantized_pool, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedResizeBilinear,
          IO("images: T, size: int32, min: float, max: float",
             "resized_images: T, out_min: float, out_max: float"),
          .attrs = "T: {quint8, qint32, float}, align_corners: bool = false, "
                   "half_pixel_centers: bool = false",
          .infer = infer_quantized_resize, .kernel = resize_kernel, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedMatMul, IO("a: T1, b: T2, " MATMUL_RANGES, MATMUL_OUT),
          .attrs = T_PAIR "Toutput: " Q " = qint32, " TRANSPOSES "Tactivation: " Q " = quint8",
          .infer = infer_quantized_matmul, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedMatMulWithBias, IO("a: T1, b: T2, bias: Tbias, " MATMUL_RANGES, MATMUL_OUT),
          .attrs = T_PAIR T_BIAS "Toutput: " Q " = qint32, " TRANSPOSES QUANT_MODE,
          .infer = infer_quantized_matmul, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedMatMulWithBiasAndRelu,
          IO("a: T1, b: T2, bias: float, " MATMUL_RANGES, MATMUL_OUT),
          .attrs = T_PAIR "Toutput: " Q " = qint32, " TRANSPOSES QUANT_MODE,
          .infer = infer_quantized_matmul, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedMatMulWithBiasAndDequantize,
          IO("a: T1, b: T2, bias: Tbias, " MATMUL_RANGES FROZEN, "out: Toutput"),
          .attrs = T_PAIR T_BIAS "Toutput: {float}, " TRANSPOSES QUANT_MODE,
          .infer = infer_quantized_matmul, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedMatMulWithBiasAndRequantize,
          IO("a: T1, b: T2, bias: Tbias, " MATMUL_RANGES FROZEN, MATMUL_OUT),
          .attrs = T_PAIR T_BIAS "Toutput: " Q " = quint8, " TRANSPOSES QUANT_MODE,
          .infer = infer_quantized_matmul, .grad = SF_GRAD_MISSING),
    SF_OP(QuantizedMatMulWithBiasAndReluAndRequantize,
          IO("a: T1, b: T2, bias: Tbias, " MATMUL_RANGES FROZEN, MATMUL_OUT),
          .attrs = T_PAIR T_BIAS "Toutput: " Q " = quint8, " TRANSPOSES QUANT_MODE,
          .infer = infer_quantized_matmul, .grad = SF_GRAD_MISSING),
#define CONV_OP_AS(opname, in, at, variant_)                                                       \
    SF_OP(opname, IO(in, CONV_OUT), .attrs = T_CONV at, .infer = infer_quantized_conv,             \
          .grad = SF_GRAD_MISSING, .variant = (variant_))
#define CONV_OP(opname, in, at) CONV_OP_AS(opname, in, at, 0)
    CONV_OP_AS(QuantizedConv2D, CONV_IN CONV_RANGES, OUT_32 CONV, REFERENCE),
    CONV_OP(QuantizedConv2DPerChannel, CONV_IN CONV_RANGES, OUT_32 CONV),
    CONV_OP(QuantizedConv2DAndRelu, CONV_IN CONV_RANGES, OUT_32 CONV_PADS),
    CONV_OP_AS(QuantizedConv2DAndRequantize, CONV_IN CONV_RANGES FROZEN, OUT_8 CONV_PADS,
               SCALAR_RANGES),
    CONV_OP(QuantizedConv2DAndReluAndRequantize, CONV_IN CONV_RANGES FROZEN, OUT_U8 CONV_PADS),
    CONV_OP(QuantizedConv2DWithBias, CONV_IN "bias: float, " CONV_RANGES, OUT_32 CONV_PADS),
    CONV_OP(QuantizedConv2DWithBiasAndRelu, CONV_IN "bias: float, " CONV_RANGES, OUT_32 CONV_PADS),
    CONV_OP(QuantizedConv2DWithBiasAndRequantize, CONV_IN "bias: Tbias, " CONV_RANGES FROZEN,
            T_BIAS OUT_8 CONV_PADS),
    CONV_OP(QuantizedConv2DWithBiasAndReluAndRequantize, CONV_IN "bias: Tbias, " CONV_RANGES FROZEN,
            T_BIAS OUT_U8 CONV_PADS),
    CONV_OP(QuantizedConv2DWithBiasSumAndRelu,
            CONV_IN "bias: float, " CONV_RANGES ", summand: float", OUT_32 CONV_PADS),
    CONV_OP(QuantizedConv2DWithBiasSumAndReluAndRequantize,
            CONV_IN "bias: Tbias, " CONV_RANGES FROZEN SUMMAND,
            T_BIAS "Tsummand: " Q ", " OUT_U8 CONV_PADS),
    CONV_OP(QuantizedConv2DWithBiasSignedSumAndReluAndRequantize,
            CONV_IN "bias: Tbias, " CONV_RANGES FROZEN SUMMAND,
            T_BIAS "Tsummand: " Q ", " OUT_U8 CONV_PADS),
#define DEPTHWISE_OP(opname, in, at) \
    SF_OP(opname, IO(in, CONV_OUT), .attrs = T_CONV at, .infer = infer_quantized_depthwise,        \
          .grad = SF_GRAD_MISSING)
    DEPTHWISE_OP(QuantizedDepthwiseConv2D, CONV_IN CONV_RANGES, OUT_32 CONV),
    DEPTHWISE_OP(QuantizedDepthwiseConv2DWithBias, CONV_IN "bias: float, " CONV_RANGES,
        OUT_32 CONV),
    DEPTHWISE_OP(QuantizedDepthwiseConv2DWithBiasAndRelu, CONV_IN "bias: float, " CONV_RANGES,
                 OUT_32 CONV_PADS),
    DEPTHWISE_OP(QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize,
                 CONV_IN "bias: Tbias, " CONV_RANGES FROZEN, T_BIAS OUT_U8 CONV_PADS),
};
/* clang-format on */
const SfOpTable sf_ops_quantized_nn = {ops, SF_ARRAY_LEN(ops), "quantized_nn"};
