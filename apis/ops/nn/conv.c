/* Convolutions. Every output dim comes from window.c; depths, groups and the sizes of backward
 * convolutions are judged here. Source: Conv2DShape and friends in common_shape_fns.cc, nn_ops.cc,
 * ConvBackpropComputeDimensionsV2 of the kernels. */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/nn/conv.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"
#include "apis/ops/shared/window.h"

#define SF_1_14 SF_VERSION(1, 14)
#define SF_2_0  SF_VERSION(2, 0)

/* forward */

SfWindow sf_conv_window(const SfConvAttrs *a, int i, int input, int filter, const SfShape *in,
                        const SfShape *window)
{
    const int axis = a->layout.spatial[i];
    return (SfWindow){
        .in = SF_AXIS(input, axis),
        .filter = SF_AXIS(filter, i),
        .input = sf_shape_dim(in, axis),
        .size = sf_shape_dim(window, i),
        .stride = a->strides[axis],
        .dilation = a->dilations[axis],
        .padding = a->padding,
        .before = a->pads ? a->pads[2 * axis] : 0,
        .after = a->pads ? a->pads[2 * axis + 1] : 0,
    };
}

/* How kernels word what the shape functions check. */
/* clang-format off */
#define DEPTH_MESSAGE                                                                              \
    {SF_ON(DIM_EQUAL), .known = true,                                                              \
     .text = "input and filter must have the same depth: {0} vs {1}"}
#define FILTER_MESSAGES                                                                            \
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "input must be 4-dimensional{a.shape}"},                 \
    {SF_ON(RANK_EXACT), .text = "filter must be 4-dimensional: {a.shape}"},                        \
    DEPTH_MESSAGE
static const SfMessage conv2d_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .since = SF_2_0,
     .text = "convolution input must be 4-dimensional: {a.shape}"},
    {SF_ON(RANK_EXACT), .since = SF_2_0,
     .text = "convolution filter must be 4-dimensional: {a.shape}"},
    FILTER_MESSAGES,
    {0}};
/* clang-format on */

static const SfMessage conv3d_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "input must be 5-dimensional"},
    {SF_ON(RANK_EXACT), .text = "filter must be 5-dimensional"},
    {SF_ON(DIM_EQUAL), .text = "input and filter must have the same depth"},
    {SF_ON(CONV_DEPTH), .text = "Input depth must be evenly divisible by filter depth: {0} vs {1}"},
    {0}};

static const SfMessage depthwise_messages[] = {FILTER_MESSAGES, {0}};

/* Groups: the filter sees an in_depth / filter_depth-th part of the input (1.14 and later). */
static SfStatus conv_groups(SfInfer *c, const SfLayout *l, SfDim in, SfDim filter, SfDim out)
{
    const SfPlace pin = SF_AXIS(0, l->channel), pfilter = SF_AXIS(1, l->nspatial);
    if (sf_version(c) < SF_1_14) {
        return sf_want_equal(c, pin, in, pfilter, filter, NULL);
    }
    if (!sf_dim_differs(in, filter)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, filter != 0, SF_DIAG_CONV_DEPTH, pfilter, SF_THE_OP,
                         sf_phase(c) == SF_PHASE_BUILD
                             ? "Depth of filter must not be 0"
                             : "filter depth must be stricly positive, got 0"));
    if (in % filter != 0) {
        return sf_phase(c) == SF_PHASE_BUILD
                   ? sf_fail_with(
                         c, SF_DIAG_CONV_DEPTH, pin, pfilter,
                         "Depth of input ({0}) is not a multiple of input depth of filter ({1})",
                         SF_DIM_ARG(in), SF_DIM_ARG(filter))
                   : sf_fail(c, SF_DIAG_CONV_DEPTH, pin, pfilter, SF_DIM_ARG(in),
                             SF_DIM_ARG(filter));
    }
    const int64_t groups = in / filter;
    SF_TRY(sf_require_as(c, groups != 0, SF_DIAG_CONV_DEPTH, pin, pfilter,
                         "Number of groups must not be 0"));
    /* Since 2.0 the kernel of Conv2D is content when there is nothing to compute. */
    const bool late = l->nspatial == 2 && sf_phase(c) != SF_PHASE_BUILD && sf_version(c) >= SF_2_0;
    return sf_require_as(
        c,
        !sf_dim_is_known(out) || out % groups == 0 ||
            (late && !sf_shape_is_ranked(sf_output(c, 0))),
        SF_DIAG_OP_SHAPE, SF_AXIS(1, l->nspatial + 1), pin,
        sf_phase(c) == SF_PHASE_BUILD
            ? "Depth of output ({0}) is not a multiple of the number of groups ({1})"
            : "output depth must be evenly divisible by number of groups: {0} vs {1}",
        SF_DIM_ARG(out), SF_INT_ARG(groups));
}

/* Kernels only slide along spatial axes. */
SfStatus sf_conv_plain(SfInfer *c, const void *data)
{
    const SfConvAttrs *a = data;
    const int batch = a->layout.batch, channel = a->layout.channel;
    const bool flat = a->layout.nspatial == 2;
    const SfDiagCode code = sf_version(c) >= SF_2_0 && flat && (sf_op_variant(c) & SF_CONV_MODERN)
                                ? SF_DIAG_NOT_IMPLEMENTED
                                : SF_DIAG_RUN_REFUSED;
    SF_TRY(sf_require_as(
        c, a->strides[batch] == 1 && a->strides[channel] == 1, code, SF_ATTR("strides"), SF_THE_OP,
        "Current implementation does not yet support strides in the batch and depth dimensions."));
    return sf_require_as(
        c, a->dilations[batch] == 1 && a->dilations[channel] == 1, code, SF_ATTR("dilations"),
        SF_THE_OP,
        "Current implementation does not yet support {0} in the batch and depth dimensions.",
        SF_TEXT_ARG(flat ? "dilations" : "dilation rates"));
}

static SfStatus conv_set_output(SfInfer *c, const SfConvAttrs *a, const SfShape *in,
                                const SfShape *filter, SfDim depth)
{
    SfDim dims[SF_SPATIAL_MAX + 2];
    SF_TRY(sf_kernel_check(c, sf_conv_plain, a));
    dims[a->layout.batch] = sf_shape_dim(in, a->layout.batch);
    dims[a->layout.channel] = depth;
    for (int i = 0; i < a->layout.nspatial; i++) {
        const SfWindow w = sf_conv_window(a, i, 0, 1, in, filter);
        SF_TRY(sf_window_output(c, &w, &dims[a->layout.spatial[i]]));
    }
    return sf_set_output_shape(c, 0, sf_shape_make(a->layout.rank, dims));
}

/* Conv2D: input[b,h,w,i] * filter[y,x,i/g,o] -> [b,h',w',o], with the axes as data_format orders
 * them. Source: tf.raw_ops.Conv2D. */
SfStatus sf_infer_conv2d(SfInfer *c, const SfMessage *messages)
{
    SfConvAttrs a = {.layout = sf_layout_of(c, 2), .padding = sf_padding_of(c)};
    const SfShape *in, *filter;
    sf_kernel_messages(c, messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 4, &filter));
    SF_TRY(sf_window_attr(c, "dilations", (SfWindowText){"Conv2D", "dilation", false}, 4,
                          &a.dilations));
    SF_TRY(sf_window_attr(c, "strides",
                          (SfWindowText){a.layout.channel == 1 ? "Conv2D on data format NCHW"
                                                               : "Conv2D on data format NHWC",
                                         "stride", false},
                          4, &a.strides));
    const SfDim out = sf_shape_dim(filter, 3);
    SF_TRY(conv_groups(c, &a.layout, sf_shape_dim(in, a.layout.channel), sf_shape_dim(filter, 2),
                       out));
    SF_TRY(sf_padding_check(c, a.padding, &a.layout, &a.pads));
    SF_TRY(sf_padding_list(c, &a.padding, &a.layout, &a.pads));
    SF_TRY(conv_set_output(c, &a, in, filter, out));
    return !sf_dim_never(sf_shape_count(sf_output(c, 0)), 0)
               ? SF_OK
               : conv_groups(c, &a.layout, sf_shape_dim(in, a.layout.channel),
                             sf_shape_dim(filter, 2), out);
}

static SfStatus filter_kernel(SfInfer *c, const void *data)
{
    return sf_require(c, sf_shape_count(sf_input(c, 1)) != 0 || sf_version(c) < SF_VERSION(2, 12),
                      SF_INPUT(1),
                      "filter must not have zero elements (i.e. all dimensions must be non-zero)");
}

/* Kernels get to the filter when there is something to compute; only oneDNN's refuse it before. */
static SfStatus infer_conv2d(SfInfer *c)
{
    SF_TRY(sf_infer_conv2d(c, conv2d_messages));
    const SfDim in = sf_shape_count(sf_input(c, 0)), out = sf_shape_count(sf_output(c, 0));
    return sf_dim_never(in, 0) && sf_dim_never(out, 0) ? sf_kernel_check(c, filter_kernel, NULL)
                                                       : SF_OK;
}

/* Conv3D: the same with planes in front. Source: tf.raw_ops.Conv3D. */
static SfStatus infer_conv3d(SfInfer *c)
{
    SfConvAttrs a = {.layout = sf_layout_of(c, 3), .padding = sf_padding_of(c)};
    const SfShape *in, *filter;
    SF_TRY(sf_common_kernel_first(c, filter_kernel, NULL));
    sf_kernel_messages(c, conv3d_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 5, &in));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 5, &filter));
    SF_TRY(sf_window_attr(c, "dilations", (SfWindowText){"Conv3D", "dilation", false}, 5,
                          &a.dilations));
    SF_TRY(sf_window_attr(c, "strides", (SfWindowText){"Conv3D", "stride", false}, 5, &a.strides));
    const SfDim out = sf_shape_dim(filter, 4);
    SF_TRY(conv_groups(c, &a.layout, sf_shape_dim(in, a.layout.channel), sf_shape_dim(filter, 3),
                       out));
    SF_TRY(sf_common_kernel_last(c, filter_kernel, NULL));
    return conv_set_output(c, &a, in, filter, out);
}

static SfStatus depthwise_square(SfInfer *c, const void *data)
{
    const SfConvAttrs *a = data;
    return sf_require(c, a->strides[a->layout.spatial[0]] == a->strides[a->layout.spatial[1]],
                      SF_ATTR("strides"),
                      "Current implementation only supports equal length strides in the row and "
                      "column dimensions.");
}

/* DepthwiseConv2dNative: filter[y,x,i,m], out depth i*m. Before 2.0 the kernel ignores dilations
 * (tf.nn.depthwise_conv2d went through space_to_batch). */
SfStatus sf_infer_depthwise(SfInfer *c)
{
    static const int64_t none[] = {1, 1, 1, 1};
    SfConvAttrs a = {.layout = sf_layout_of(c, 2), .padding = sf_padding_of(c)};
    const SfShape *in, *filter;
    sf_kernel_messages(c, depthwise_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 4, &filter));
    SF_TRY(sf_window_attr(c, "strides", (SfWindowText){"DepthwiseConv2D", "stride", false}, 4,
                          &a.strides));
    SF_TRY(sf_window_attr(c, "dilations", (SfWindowText){"DepthwiseConv2D", "dilations", false}, 4,
                          &a.dilations));
    if (sf_version(c) < SF_2_0) {
        a.dilations = none;
    }
    SF_TRY(sf_padding_check(c, a.padding, &a.layout, &a.pads));
    SF_TRY(sf_kernel_check(c, depthwise_square, &a));
    const int channel = a.layout.channel;
    SfDim depth = sf_shape_dim(in, channel);
    const SfDim fdepth = sf_shape_dim(filter, 2);
    SF_TRY(sf_want_equal(c, SF_AXIS(0, channel), depth, SF_AXIS(1, 2), fdepth, &depth));
    const SfDim out = sf_dim_mul(depth, sf_shape_dim(filter, 3));
    SF_TRY(sf_require_as(c, out != SF_DIM_BOTTOM, SF_DIAG_OP_SHAPE, SF_AXIS(0, channel),
                         SF_AXIS(1, 3),
                         "Negative dimension size caused by overflow when multiplying {0} and {1}",
                         SF_DIM_ARG(depth), SF_DIM_ARG(sf_shape_dim(filter, 3))));
    return conv_set_output(c, &a, in, filter, out);
}

/* morphological dilation */

static bool dilation_sizes_known(const SfShape *in, const SfShape *filter)
{
    return sf_dim_is_known(sf_shape_dim(in, 1)) && sf_dim_is_known(sf_shape_dim(in, 2)) &&
           sf_dim_is_known(sf_shape_dim(filter, 0)) && sf_dim_is_known(sf_shape_dim(filter, 1));
}

static const SfMessage dilation2d_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "input must be 4-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "filter must be 3-dimensional: {a.shape}"},
    {SF_ON(RANK_EXACT), .text = "out_backprop must be 4-dimensional{a.shape}"},
    DEPTH_MESSAGE,
    {0}};

static SfStatus dilation2d_plain(SfInfer *c, const void *data)
{
    const SfConvAttrs *a = data;
    SF_TRY(sf_require_as(c, a->strides[0] == 1 && a->strides[3] == 1, SF_DIAG_NOT_IMPLEMENTED,
                         SF_ATTR("strides"), SF_THE_OP,
                         "Stride is only supported across spatial dimensions."));
    return sf_require_as(c, a->dilations[0] == 1 && a->dilations[3] == 1, SF_DIAG_NOT_IMPLEMENTED,
                         SF_ATTR("rates"), SF_THE_OP,
                         "Rate is only supported across spatial dimensions.");
}

/* input[b,h,w,d], filter[y,x,d]; `rates` are the dilations. The shape function checks what the
 * kernel checks, and knows both sizes or none: then (`hide`) not even the depths are compared. */
static SfStatus dilation2d(SfInfer *c, bool hide, SfDim dims[4])
{
    SfConvAttrs a = {.layout = sf_layout_of(c, 2), .padding = sf_padding_of(c)};
    const SfShape *in, *filter;
    SF_TRY(
        sf_window_attr(c, "strides", (SfWindowText){"Dilation2D", "stride", true}, 4, &a.strides));
    SF_TRY(
        sf_window_attr(c, "rates", (SfWindowText){"Dilation2D", "rates", false}, 4, &a.dilations));
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 3, &filter));
    SF_TRY(sf_kernel_check(c, dilation2d_plain, &a));
    dims[0] = sf_shape_dim(in, 0);
    dims[3] = sf_shape_dim(filter, 2);
    hide = hide && !sf_in_kernel(c) && !dilation_sizes_known(in, filter);
    if (!hide) {
        SF_TRY(
            sf_want_equal(c, SF_AXIS(0, 3), sf_shape_dim(in, 3), SF_AXIS(1, 2), dims[3], &dims[3]));
    }
    for (int i = 0; i < 2; i++) {
        SfWindow w = sf_conv_window(&a, i, 0, 1, in, filter);
        w.as_kernel = true;
        if (hide && w.stride <= 0) {
            dims[i + 1] = SF_DIM_UNKNOWN;
            continue;
        }
        SF_TRY(sf_window_output(c, &w, &dims[i + 1]));
        dims[i + 1] = hide && sf_dim_is_known(dims[i + 1]) ? SF_DIM_UNKNOWN : dims[i + 1];
    }
    return SF_OK;
}

/* Source: tf.raw_ops.Dilation2D. */
static SfStatus infer_dilation2d(SfInfer *c)
{
    SfDim dims[4];
    sf_kernel_messages(c, dilation2d_messages);
    SF_TRY(dilation2d(c, sf_phase(c) == SF_PHASE_BUILD, dims));
    return sf_set_output_shape(c, 0, sf_shape_make(4, dims));
}

static SfStatus dilation2d_grad_kernel(SfInfer *c)
{
    SfDim dims[4];
    const SfShape *out;
    SF_TRY(dilation2d(c, false, dims));
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 4, &out));
    return sf_require_as(c, sf_shape_compatible(out, sf_shape_make(4, dims)), SF_DIAG_CONV_BACKPROP,
                         SF_INPUT(2), SF_THE_OP, "out_backprop has incompatible size.");
}

/* Dilation2DBackpropInput, Dilation2DBackpropFilter: variant is which of the two the gradient is
 * of. */
static SfStatus infer_dilation2d_grad(SfInfer *c)
{
    sf_kernel_messages(c, dilation2d_messages);
    SF_TRY(sf_ask_kernel(c, dilation2d_grad_kernel));
    return sf_set_output_same(c, 0, sf_op_variant(c) & SF_CONV_INPUT ? 0 : 1);
}

/* cost */

static double known_count(const SfShape *s)
{
    const SfDim n = sf_shape_count(s);
    return sf_dim_is_known(n) ? (double)n : -1.0;
}

double sf_conv_cost(SfInfer *c)
{
    const int variant = sf_op_variant(c), nspatial = variant & SF_CONV_3D ? 3 : 2;
    const bool gradient = sf_input_count(c) == 3;
    const bool of_filter = gradient && !(variant & SF_CONV_INPUT);
    const SfShape *filter = of_filter ? sf_output(c, 0) : sf_input(c, 1);
    const double elements = known_count(gradient ? sf_input(c, 2) : sf_output(c, 0));
    const double taps =
        known_count(sf_shape_slice(filter, 0, nspatial + !(variant & SF_CONV_DEPTHWISE)));
    return elements < 0 || taps < 0 ? -1.0 : 2.0 * elements * taps;
}

/* table */

/* clang-format off */
#define T_CONV "T: " SF_NN_FLOATS ", "
#define T_CONV2D "T: {half, bfloat16, float, double, int32}, "
#define T_REAL "T: " SF_REALTYPE ", "
#define PAD2 "padding: {'SAME', 'VALID'}"
#define PAD3 "padding: {'SAME', 'VALID', 'EXPLICIT'}, explicit_paddings: list(int) = []"
#define FORMAT2 "data_format: {'NHWC', 'NCHW'} = 'NHWC', dilations: list(int) = [1, 1, 1, 1]"
#define FORMAT3 "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC', dilations: list(int) = [1, 1, 1, 1, 1]"
#define CUDNN "strides: list(int), use_cudnn_on_gpu: bool = true, "
#define STRIDES5 "strides: list(int) >= 5, "
#define DILATION "strides: list(int) >= 4, rates: list(int) >= 4, " PAD2

static const SfOpDef ops[] = {
    SF_OP(Conv2D, .inputs = "input: T, filter: T", .outputs = "output: T",
          .attrs = T_CONV2D CUDNN PAD3 ", " FORMAT2, .infer = infer_conv2d, .cost = sf_conv_cost,
          .variant = SF_CONV_MODERN, .traits = SF_OP_PRODUCT, .range = sf_range_conv),
    SF_OP(Conv3D, .inputs = "input: T, filter: T", .outputs = "output: T",
          .attrs = T_CONV STRIDES5 PAD2 ", " FORMAT3, .infer = infer_conv3d, .cost = sf_conv_cost,
          .variant = SF_CONV_3D, .traits = SF_OP_PRODUCT, .range = sf_range_conv),
    SF_OP(DepthwiseConv2dNative, .inputs = "input: T, filter: T", .outputs = "output: T",
          .attrs = T_CONV "strides: list(int), " PAD3 ", " FORMAT2,
          .infer = sf_infer_depthwise, .cost = sf_conv_cost, .variant = SF_CONV_DEPTHWISE,
          .traits = SF_OP_PRODUCT, .range = sf_range_conv),
    SF_OP(Dilation2D, .inputs = "input: T, filter: T", .outputs = "output: T",
          .attrs = T_REAL DILATION, .infer = infer_dilation2d),
    SF_OP(Dilation2DBackpropInput, .inputs = "input: T, filter: T, out_backprop: T",
          .outputs = "in_backprop: T", .attrs = T_REAL DILATION, .infer = infer_dilation2d_grad,
          .grad = SF_GRAD_MISSING, .variant = SF_CONV_INPUT),
    SF_OP(Dilation2DBackpropFilter, .inputs = "input: T, filter: T, out_backprop: T",
          .outputs = "filter_backprop: T", .attrs = T_REAL DILATION,
          .infer = infer_dilation2d_grad, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_conv = {ops, SF_ARRAY_LEN(ops), "conv"};
