/* Backward convolutions: which of the three tensors has which size, as kernels check it.
 * Source: nn_ops.cc, ConvBackpropComputeDimensionsV2 of the kernels. */
#include "core/op/infer.h"

#include "apis/ops/nn/conv.h"
#include "apis/ops/shared/op_types.h"

#define SF_1_13 SF_VERSION(1, 13)
#define SF_2_0  SF_VERSION(2, 0)

/* The three shapes of a backward convolution, whichever of them the op computes. */
typedef struct Backprop {
    const char *label; /* of the CPU kernel */
    int nspatial;
    bool depthwise;
    int input, filter, grad, sizes; /* input numbers; `sizes` is the one that holds sizes */
    const SfShape *in, *window, *out;
} Backprop;

static SfStatus backprop_axis(SfInfer *c, const SfConvAttrs *a, const Backprop *b, int i)
{
    const int axis = a->layout.spatial[i];
    SfWindow w = sf_conv_window(a, i, b->input, b->filter, b->in, b->window);
    const SfDim actual = sf_shape_dim(b->out, axis);
    if (!sf_dim_is_known(w.input) || !sf_dim_is_known(w.size) || !sf_dim_is_known(actual)) {
        return SF_OK;
    }
    SfDim computed;
    w.as_kernel = true;
    SF_TRY(sf_window_output(c, &w, &computed));
    if (!sf_dim_is_known(computed) || computed == actual) {
        return SF_OK;
    }
    const SfPlace grad = SF_AXIS(b->grad, axis), other = SF_INPUT(b->sizes);
    if (b->depthwise || (a->layout.nspatial == 3 && sf_version(c) < SF_1_13)) {
        static const char *const names[] = {"planes", "rows", "cols"};
        return sf_fail_with(c, SF_DIAG_CONV_BACKPROP, grad, other,
                            "{0}: Number of {1} of out_backprop doesn't match computed: actual = "
                            "{2}, computed = {3}",
                            SF_TEXT_ARG(b->label),
                            SF_TEXT_ARG(names[i + SF_SPATIAL_MAX - a->layout.nspatial]),
                            SF_DIM_ARG(actual), SF_DIM_ARG(computed));
    }
    const SfDiagArg args[] = {SF_TEXT_ARG(b->label), SF_DIM_ARG(actual),   SF_DIM_ARG(computed),
                              SF_INT_ARG(axis),      SF_DIM_ARG(w.input),  SF_DIM_ARG(w.size),
                              SF_DIM_ARG(actual),    SF_INT_ARG(w.stride), SF_INT_ARG(w.dilation)};
    return sf_version(c) >= SF_1_13
               ? sf_fail_args(c, SF_DIAG_CONV_BACKPROP, grad, other, args, SF_ARRAY_LEN(args))
               : sf_fail_template(
                     c, SF_DIAG_CONV_BACKPROP, grad, other,
                     "{0}: Size of out_backprop doesn't match computed: actual = {1}, computed = "
                     "{2}spatial_dim: {3} input: {4} filter: {5} output: {6} stride: {7} dilation: "
                     "{8}",
                     args, SF_ARRAY_LEN(args));
}

static SfStatus backprop_batch(SfInfer *c, const SfConvAttrs *a, const Backprop *b)
{
    const int axis = a->layout.batch;
    const SfDim in = sf_shape_dim(b->in, axis), out = sf_shape_dim(b->out, axis);
    const SfPlace grad = SF_AXIS(b->grad, axis), input = SF_INPUT(b->input);
    if (!sf_dim_differs(in, out)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, !b->depthwise, SF_DIAG_CONV_BACKPROP, grad, input,
                         "{0}: input and out_backprop must have the same batch size",
                         SF_TEXT_ARG(b->label)));
    return sf_fail_with(c, SF_DIAG_CONV_BACKPROP, grad, input,
                        sf_version(c) >= SF_2_0
                            ? "{0}: input and out_backprop must have the same batch size. Input "
                              "batch: {1}, outbackprop batch: {2}, batch_dim: {3}"
                            : "{0}: input and out_backprop must have the same batch sizeinput "
                              "batch: {1}outbackprop batch: {2} batch_dim: {3}",
                        SF_TEXT_ARG(b->label), SF_DIM_ARG(in), SF_DIM_ARG(out), SF_INT_ARG(axis));
}

/* 2.x, three spatial axes: no groups, and another message. */
static SfStatus backprop_channels(SfInfer *c, const Backprop *b, const SfDim d[4])
{
    static const char *const names[] = {"input", "out_backprop"};
    for (int i = 0; i < 2; i++) {
        const SfDim tensor = d[2 * i], filter = d[2 * i + 1];
        SF_TRY(sf_require_as(c, !sf_dim_differs(tensor, filter), SF_DIAG_CONV_BACKPROP,
                             SF_INPUT(i == 0 ? b->input : b->grad), SF_INPUT(b->filter),
                             "{0} and filter_sizes must have the same number of channels. Got {1} "
                             "for {0} and {2} for filter_sizes",
                             SF_TEXT_ARG(names[i]), SF_DIM_ARG(tensor), SF_DIM_ARG(filter)));
    }
    return SF_OK;
}

static SfStatus backprop_depth(SfInfer *c, const SfConvAttrs *a, const Backprop *b)
{
    const int n = a->layout.nspatial, channel = a->layout.channel;
    const SfDim in = sf_shape_dim(b->in, channel), out = sf_shape_dim(b->out, channel);
    const SfDim fin = sf_shape_dim(b->window, n), fout = sf_shape_dim(b->window, n + 1);
    const SfPlace pin = SF_INPUT(b->input), pfilter = SF_INPUT(b->filter);
    const SfPlace pgrad = SF_AXIS(b->grad, channel);
    const bool depthwise = b->depthwise;
    const bool fits = depthwise ? sf_dim_compatible(in, fin)
                                : !sf_dim_differs(in, fin) || (fin > 0 && in % fin == 0);
    if (n == 3 && sf_version(c) >= SF_2_0) {
        return backprop_channels(c, b, (const SfDim[]){in, fin, out, fout});
    }
    SF_TRY(sf_require_as(c, depthwise || fin != 0 || sf_version(c) < SF_2_0, SF_DIAG_CONV_BACKPROP,
                         pfilter, SF_THE_OP, "{0}: filter depth must be strictly greated than zero",
                         SF_TEXT_ARG(b->label)));
    SF_TRY(sf_require_as(c, fits, SF_DIAG_CONV_BACKPROP, pin, pfilter,
                         depthwise ? "{0}: input and filter must have the same in_depth"
                                   : "{0}: input depth must be evenly divisible by filter depth",
                         SF_TEXT_ARG(b->label)));
    if (!sf_dim_compatible(depthwise ? sf_dim_mul(in, fout) : fout, out)) {
        return sf_fail_with(c, SF_DIAG_CONV_BACKPROP, pgrad, pfilter,
                            depthwise ? "{0}: depth_multiplier * in_depth not equal to out_depth"
                                      : "{0}: filter and out_backprop must have the same out_depth",
                            SF_TEXT_ARG(b->label));
    }
    return SF_OK;
}

/* An attr with one entry for each axis, as kernels word it. */
static SfStatus backprop_entries(SfInfer *c, const char *attr, const char *message, int rank,
                                 const int64_t **items)
{
    return sf_require(c, sf_attr_ints(c, attr, items) == rank, SF_ATTR(attr),
                      "{0} field must specify {1} dimensions", SF_TEXT_ARG(message),
                      SF_INT_ARG(rank));
}

/* Checks strides, dilations and pads, which the shape functions of backward convolutions ignore.
 * Depthwise kernels ignore dilations. */
static SfStatus backprop_attrs(SfInfer *c, SfConvAttrs *a, const Backprop *b)
{
    static const int64_t ones[] = {1, 1, 1, 1, 1};
    const int n = a->layout.nspatial, rank = n + 2;
    const int *spatial = a->layout.spatial;
    SF_TRY(backprop_entries(c, "strides", "Sliding window strides", rank, &a->strides));
    if (b->depthwise) {
        a->dilations = ones;
        SF_TRY(sf_require(c, a->strides[spatial[0]] == a->strides[spatial[1]], SF_ATTR("strides"),
                          "Current implementation only supports equal length strides in the row "
                          "and column dimensions."));
    } else {
        SF_TRY(backprop_entries(c, "dilations",
                                n == 2 ? "Sliding window dilations" : "Dilation rates", rank,
                                &a->dilations));
    }
    SF_TRY(sf_conv_plain(c, a));
    for (int i = 0; i < n && n == 2 && !b->depthwise; i++) {
        SF_TRY(sf_require(c, a->strides[spatial[i]] > 0, SF_ATTR("strides"),
                          "Row and column strides should be larger than 0."));
    }
    return sf_padding_check(c, a->padding, &a->layout, &a->pads);
}

/* The sizes that input `sizes` holds must not be negative. */
static SfStatus backprop_sizes_kernel(SfInfer *c, const Backprop *b)
{
    return sf_require_ints(c, b->sizes, 0, SF_DIM_MAX, SF_DIAG_SHAPE_ENTRY, SF_THE_OP,
                           b->depthwise ? "Dimension {0} of {a.name} must be >= 0"
                                        : "Dimension {1} must be >= 0");
}

/* The rank of a tensor input, as the kernel words it. */
static SfStatus backprop_rank_kernel(SfInfer *c, const Backprop *b, int input, int rank)
{
    const SfShape *s = sf_input(c, input);
    const bool grad = input == b->grad;
    const char *name = grad ? "out_backprop" : input == b->filter ? "filter" : "input";
    if (input == b->sizes || !sf_shape_is_ranked(s) || sf_shape_rank(s) == rank) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, rank != 5 || sf_version(c) < SF_2_0, SF_DIAG_RANK_EXACT,
                         SF_INPUT(input), SF_THE_OP, "{0} tensor must have 5 dimensions",
                         SF_TEXT_ARG(input == b->filter ? "filter_sizes" : name)));
    SF_TRY(sf_require_as(c, b->sizes != 0 || !grad || b->depthwise || sf_version(c) < SF_2_0,
                         SF_DIAG_RANK_EXACT, SF_INPUT(input), SF_THE_OP,
                         "input_sizes must be 4-dimensional, got: {0}",
                         SF_INT_ARG(sf_shape_rank(s))));
    return sf_fail_with(c, SF_DIAG_RANK_EXACT, SF_INPUT(input), SF_THE_OP,
                        "{0}: {1} must be {2}-dimensional", SF_TEXT_ARG(b->label),
                        SF_TEXT_ARG(name), SF_INT_ARG(rank));
}

/* What the kernels check of a backward convolution; its shape function does not. */
static SfStatus backprop_kernel(SfInfer *c, const void *data)
{
    const Backprop *b = data;
    SfConvAttrs a = {.layout = sf_layout_of(c, b->nspatial), .padding = sf_padding_of(c)};
    sf_kernel_messages(c, NULL);
    SF_TRY(backprop_attrs(c, &a, b));
    SF_TRY(backprop_sizes_kernel(c, b));
    for (int i = 0; i < 3; i++) {
        SF_TRY(backprop_rank_kernel(c, b, i, b->nspatial + 2));
    }
    if (b->nspatial == 3 && sf_version(c) >= SF_2_0) {
        SF_TRY(backprop_depth(c, &a, b));
    }
    SF_TRY(backprop_batch(c, &a, b));
    SF_TRY(backprop_depth(c, &a, b));
    for (int i = 0; i < b->nspatial; i++) {
        SF_TRY(backprop_axis(c, &a, b, i));
    }
    return SF_OK;
}

/* How kernels word sizes that are no vector, or one of the wrong length. */
static bool is_no_vector(SfInfer *c, const SfFinding *f)
{
    return f->args[0].u.i == 1;
}

/* clang-format off */
#define SIZES_MESSAGES(input, filter, name)                                                        \
    {SF_ON(RANK_EXACT), SF_OF(0), .when = is_no_vector,                                            \
     .text = "Conv2DBackpropInput: input_sizes input must be 1-dim, not {1}"},                     \
    {SF_ON(RANK_EXACT), .when = is_no_vector,                                                      \
     .text = filter ": filter_sizes input must be 1-dim, not {1}"},                                \
    {SF_ON(RANK_EXACT), SF_OF(0), .text = input ": input must be 4-dimensional"},                  \
    {SF_ON(RANK_EXACT), .text = name ": filter must be 4-dimensional"}, {0}
static const SfMessage conv2d_sizes[] = {SIZES_MESSAGES(
    "Conv2DCustomBackpropInput", "Conv2DCustomBackpropFilter", "Conv2DCustomBackpropFilter")};
static const SfMessage depthwise_sizes[] = {SIZES_MESSAGES(
    "DepthwiseConv2DBackpropInput", "Conv2DBackpropFilter", "DepthwiseConv2DBackpropFilter")};
static const SfMessage conv3d_sizes[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .when = is_no_vector,
     .text = "shape must be a vector of {int32,int64}, got shape {shape 0}"},
    {SF_ON(RANK_EXACT), .when = is_no_vector,
     .text = "filter_sizes shape must be rank 1 but is rank {1}"},
    {SF_ON(RANK_EXACT), SF_OF(0), .since = SF_2_0, .text = "input tensor must have 5 dimensions"},
    {SF_ON(RANK_EXACT), .since = SF_2_0, .text = "filter_sizes tensor must have 5 dimensions"},
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "Conv3DBackpropInputOp: input must be 5-dimensional"},
    {SF_ON(RANK_EXACT), .text = "Conv3DBackpropFilterOp: filter must be 5-dimensional"},
    {0}};
/* clang-format on */

/* An input of another rank than the op's is the kernel's to refuse. */
static const SfShape *backprop_shape(const SfInfer *c, int input, int rank)
{
    const SfShape *s = sf_input(c, input);
    return sf_shape_rank(s) == rank ? s : sf_shape_of_rank(rank);
}

/* Which gradient it is. */
static Backprop backprop_of(const SfInfer *c)
{
    static const char *const labels[][2] = {
        {"Conv2DCustomBackpropFilter", "Conv2DCustomBackpropInput"},
        {"DepthwiseConv2DBackpropFilter", "DepthwiseConv2DBackpropInput"},
        {"Conv3DBackpropFilterOp", "Conv3DBackpropInputOp"},
        {"Conv3DBackpropFilter", "Conv3DBackpropInput"}};
    const int variant = sf_op_variant(c);
    const bool of_input = variant & SF_CONV_INPUT, depthwise = variant & SF_CONV_DEPTHWISE;
    const bool planes = variant & SF_CONV_3D;
    const int kind = depthwise ? 1 : !planes ? 0 : sf_version(c) < SF_1_13 ? 3 : 2;
    return (Backprop){.label = labels[kind][of_input],
                      .nspatial = planes ? 3 : 2,
                      .depthwise = depthwise,
                      .filter = 1,
                      .grad = 2,
                      .sizes = of_input ? 0 : 1};
}

/* 2.x: input_sizes may give the spatial dims alone, and batch and depth are checked at once. */
static SfStatus conv2d_input_v2(SfInfer *c, const SfLayout *l, const SfShape **out)
{
    const SfShape *filter = backprop_shape(c, 1, 4), *grad = backprop_shape(c, 2, 4), *sizes;
    const bool build = sf_phase(c) == SF_PHASE_BUILD;
    const int channel = l->channel;
    if (build) {
        SF_TRY(sf_want_rank(c, SF_INPUT(2), 4, &grad));
        SF_TRY(sf_want_rank(c, SF_INPUT(1), 4, &filter));
        SF_TRY(sf_want_equal(c, SF_AXIS(2, channel), sf_shape_dim(grad, channel), SF_AXIS(1, 3),
                             sf_shape_dim(filter, 3), NULL));
    }
    SF_TRY(sf_want_shape_value(c, SF_INPUT(0), &sizes));
    const int rank = sf_shape_rank(sizes);
    SfDim dims[4] = {SF_DIM_UNKNOWN, SF_DIM_UNKNOWN, SF_DIM_UNKNOWN, SF_DIM_UNKNOWN};
    if (rank == 2) {
        dims[channel] = sf_shape_dim(filter, 2);
        dims[l->spatial[0]] = sf_shape_dim(sizes, 0);
        dims[l->spatial[1]] = sf_shape_dim(sizes, 1);
    } else if (rank == 4) {
        for (int i = 0; i < 4; i++) {
            dims[i] = sf_shape_dim(sizes, i);
        }
    } else if (rank >= 0) {
        return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(0), SF_THE_OP,
                            "Conv2DBackpropInput requires input_sizes to contain 4 values or 2 "
                            "values, but got: {0}",
                            SF_INT_ARG(rank));
    }
    if (build) {
        SF_TRY(sf_want_equal(c, SF_INPUT(0), dims[0], SF_AXIS(2, 0), sf_shape_dim(grad, 0), NULL));
    }
    if (rank == 2 || rank < 0 || build) {
        dims[0] = sf_shape_dim(grad, 0); /* even where input_sizes knows more */
    }
    *out = sf_shape_make(4, dims);
    return *out ? SF_OK : SF_NOMEM;
}

/* Conv2DBackpropInput: the shape that input_sizes holds (tf.nn.conv2d_transpose). */
static SfStatus infer_conv2d_input(SfInfer *c)
{
    const SfLayout layout = sf_layout_of(c, 2);
    Backprop b = backprop_of(c);
    b.window = backprop_shape(c, 1, 4);
    b.out = backprop_shape(c, 2, 4);
    if (sf_version(c) >= SF_2_0) {
        SF_TRY(conv2d_input_v2(c, &layout, &b.in));
    } else {
        SF_TRY(sf_want_sizes(c, 0, 4, &b.in));
    }
    SF_TRY(sf_kernel_check(c, backprop_kernel, &b));
    return sf_set_output_shape(c, 0, b.in);
}

/* The other backward ops: input 0 or 1 holds the output's shape, the rest is the kernel's. */
static SfStatus infer_sizes(SfInfer *c)
{
    Backprop b = backprop_of(c);
    const int rank = b.nspatial + 2;
    const bool of_input = b.sizes == 0;
    const SfShape *out;
    SF_TRY(sf_want_sizes(c, b.sizes, rank, &out));
    b.in = of_input ? out : backprop_shape(c, 0, rank);
    b.window = of_input ? backprop_shape(c, 1, rank) : out;
    b.out = backprop_shape(c, 2, rank);
    SF_TRY(sf_kernel_check(c, backprop_kernel, &b));
    return sf_set_output_shape(c, 0, out);
}

/* table */

/* clang-format off */
#define T_CONV "T: " SF_NN_FLOATS ", "
#define T_CONV2D "T: {half, bfloat16, float, double, int32}, "
#define T_CONV3D_V1 "T: {half, float, double}, "
#define PAD2 "padding: {'SAME', 'VALID'}"
#define PAD3 "padding: {'SAME', 'VALID', 'EXPLICIT'}, explicit_paddings: list(int) = []"
#define FORMAT2 "data_format: {'NHWC', 'NCHW'} = 'NHWC', dilations: list(int) = [1, 1, 1, 1]"
#define DILATIONS5 ", dilations: list(int) = [1, 1, 1, 1, 1]"
#define FORMAT3 "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'" DILATIONS5
#define CUDNN "strides: list(int), use_cudnn_on_gpu: bool = true, "
#define STRIDES5 "strides: list(int) >= 5, "

#define INPUT(sizes) "input_sizes: " sizes ", filter: T, out_backprop: T"
#define FILTER "input: T, filter_sizes: int32, out_backprop: T"
#define TENSORS "input: T, filter: T, out_backprop: T"
#define GRADIENT(name, in, attrs_, infer_, ...) \
    SF_OP(name, .inputs = in, .outputs = "output: T", .attrs = attrs_, .infer = infer_, \
          .cost = sf_conv_cost, .traits = SF_OP_PRODUCT, __VA_ARGS__)
/* These take the tensor itself, not its sizes, and have no kernels to ask. */
#define WITHOUT_SIZES(name, attrs_, shapes_, variant_) \
    GRADIENT(name, TENSORS, attrs_, SF_SHAPES(shapes_), .grad = SF_GRAD_MISSING, \
             .variant = (variant_))

static const SfOpDef ops[] = {
    GRADIENT(Conv2DBackpropInput, INPUT("int32"), T_CONV2D CUDNN PAD3 ", " FORMAT2,
             infer_conv2d_input, .messages = conv2d_sizes,
             .variant = SF_CONV_MODERN | SF_CONV_INPUT),
    GRADIENT(Conv2DBackpropFilter, FILTER, T_CONV CUDNN PAD3 ", " FORMAT2, infer_sizes,
             .messages = conv2d_sizes),
    WITHOUT_SIZES(Conv2DBackpropInputV2, T_CONV2D CUDNN PAD3 ", " FORMAT2,
                  "[b,h,w,i] ? ? -> [b,h,w,i]", SF_CONV_INPUT),
    WITHOUT_SIZES(Conv2DBackpropFilterV2, T_CONV CUDNN PAD3 ", " FORMAT2,
                  "? [y,x,i,o] ? -> [y,x,i,o]", 0),
    GRADIENT(Conv3DBackpropInputV2, INPUT("Tshape"),
             T_CONV STRIDES5 PAD2 ", " FORMAT3 ", Tshape: {int32, int64} = int32", infer_sizes,
             .messages = conv3d_sizes, .variant = SF_CONV_INPUT | SF_CONV_3D),
    GRADIENT(Conv3DBackpropFilterV2, FILTER, T_CONV STRIDES5 PAD2 ", " FORMAT3, infer_sizes,
             .messages = conv3d_sizes, .variant = SF_CONV_3D),
    WITHOUT_SIZES(Conv3DBackpropInput, T_CONV3D_V1 STRIDES5 PAD2 DILATIONS5,
                  "[b,d,h,w,i] ? ? -> [b,d,h,w,i]", SF_CONV_INPUT | SF_CONV_3D),
    WITHOUT_SIZES(Conv3DBackpropFilter, T_CONV3D_V1 STRIDES5 PAD2 DILATIONS5,
                  "? [z,y,x,i,o] ? -> [z,y,x,i,o]", SF_CONV_3D),
    GRADIENT(DepthwiseConv2dNativeBackpropInput, INPUT("int32"),
             T_CONV "strides: list(int), " PAD3 ", " FORMAT2, infer_sizes,
             .messages = depthwise_sizes, .variant = SF_CONV_INPUT | SF_CONV_DEPTHWISE),
    GRADIENT(DepthwiseConv2dNativeBackpropFilter, FILTER,
             T_CONV "strides: list(int), " PAD3 ", " FORMAT2, infer_sizes,
             .messages = depthwise_sizes, .variant = SF_CONV_DEPTHWISE),
};
/* clang-format on */
const SfOpTable sf_ops_conv_grad = {ops, SF_ARRAY_LEN(ops), "conv_grad"};
