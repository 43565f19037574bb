/* Conv, of any number of batch axes, and convolutions fused with what comes before them.
 * Source: ConvShape of common_shape_fns.cc, CommonFusedConvCalculations of nn_ops.cc, the kernels
 * conv_ops_impl.h and conv_ops_fused_image_transform.cc. */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/nn/conv.h"
#include "apis/ops/shared/op_types.h"

/* Conv */

/* The axes from the last batch axis on. */
static SfLayout conv_layout(int nspatial, bool channels_first)
{
    SfLayout l = {.rank = nspatial + 2, .nspatial = nspatial, .inner = -1};
    l.channel = channels_first ? 1 : nspatial + 1;
    for (int i = 0; i < nspatial; i++) {
        l.spatial[i] = i + (channels_first ? 2 : 1);
    }
    return l;
}

typedef struct Depths {
    SfPlace pin, pfilter;
    SfDim in, filter, out;
} Depths;

static SfStatus conv_depths(SfInfer *c, const Depths *d, int64_t groups)
{
    SF_TRY(sf_require_as(c, !sf_dim_is_known(d->in) || d->in % groups == 0, SF_DIAG_CONV_DEPTH,
                         d->pin, SF_ATTR("groups"), "Number of groups should divide input depth"));
    SF_TRY(sf_require_as(c, !sf_dim_is_known(d->out) || d->out % groups == 0, SF_DIAG_CONV_DEPTH,
                         SF_INPUT(1), SF_ATTR("groups"),
                         "Number of groups should divide output depth"));
    if (!sf_dim_is_known(d->in) || !sf_dim_is_known(d->filter)) {
        return SF_OK;
    }
    SF_TRY(sf_require_as(c, d->filter != 0 && d->in % d->filter == 0, SF_DIAG_CONV_DEPTH, d->pin,
                         d->pfilter,
                         "Depth of input ({0}) is not a multiple of input depth of filter ({1})",
                         SF_DIM_ARG(d->in), SF_DIM_ARG(d->filter)));
    return sf_require_as(
        c, d->in / d->filter == groups, SF_DIAG_CONV_DEPTH, d->pin, d->pfilter,
        "Input depth divided by filter input depth does not match with groups parameter ({0})",
        SF_INT_ARG(groups));
}

static SfStatus conv_kernel(SfInfer *c, const void *data)
{
    const SfConvAttrs *a = data;
    SF_TRY(sf_require(c, sf_shape_count(sf_input(c, 1)) != 0, SF_INPUT(1),
                      "filter must not have zero elements (i.e. all dimensions must be non-zero)"));
    const int batch = a->layout.batch, channel = a->layout.channel;
    SF_TRY(sf_require(
        c, a->strides[batch] == 1 && a->strides[channel] == 1, SF_ATTR("strides"),
        "Current implementation does not support strides in the batch and depth dimensions."));
    return sf_require(c, a->dilations[batch] == 1 && a->dilations[channel] == 1,
                      SF_ATTR("dilations"),
                      "Current implementation does not support dilation rates in the batch and "
                      "depth dimensions.");
}

static SfStatus conv_ranks(SfInfer *c, int rank)
{
    const int filter = sf_shape_rank(sf_input(c, 1));
    if (sf_phase(c) != SF_PHASE_BUILD) {
        const int spatial = rank - 2;
        SF_TRY(sf_require_as(
            c, spatial >= 2 && spatial <= 3, SF_DIAG_RANK_EXACT, SF_INPUT(0), SF_ATTR("batch_dims"),
            "The input must have 2 or 3 spatial dimensions but got {0}", SF_INT_ARG(spatial)));
        return sf_require_as(c, filter == rank, SF_DIAG_RANK_EXACT, SF_INPUT(1), SF_INPUT(0),
                             "The filter must be rank 4 or 5 but got {0}", SF_INT_ARG(filter));
    }
    SF_TRY(sf_require_as(
        c, rank >= 4 && rank <= 5, SF_DIAG_RANK_EXACT, SF_INPUT(0), SF_ATTR("batch_dims"),
        "Input tensor must be rank 4 or 5, excluding extra batch dimensions, but got: {0}",
        SF_INT_ARG(rank)));
    return sf_require_as(c, filter == rank, SF_DIAG_RANK_EXACT, SF_INPUT(1), SF_INPUT(0),
                         filter == 4 || filter == 5
                             ? "Input tensor rank must be the same as filter rank."
                             : "Filter tensor must be rank 4 or 5, but got: {0}",
                         SF_INT_ARG(rank));
}

/* Conv: input[batch..., spatial..., i] * filter[spatial..., i/groups, o], 2 or 3 spatial axes. Of
 * an unknown rank nothing follows. Source: tf.raw_ops.Conv. */
static SfStatus infer_conv(SfInfer *c)
{
    static const int64_t ones[] = {1, 1, 1, 1, 1};
    const SfShape *in = sf_input(c, 0), *filter = sf_input(c, 1);
    const int64_t batch_dims = sf_attr_int(c, "batch_dims"), groups = sf_attr_int(c, "groups");
    SF_TRY(
        sf_expect(c, batch_dims >= 0, SF_ATTR("batch_dims"), "Batch dims must be non-negative."));
    SF_TRY(sf_expect(c, groups > 0, SF_ATTR("groups"),
                     "Groups attribute should be a positive integer"));
    if (!sf_shape_is_ranked(in) || !sf_shape_is_ranked(filter)) {
        return sf_set_output_unknown(c, 0);
    }
    const int shift = (int)batch_dims - 1, rank = sf_shape_rank(in) - shift;
    SF_TRY(conv_ranks(c, rank));
    const bool first = strcmp(sf_attr_string(c, "data_format"), "CHANNELS_FIRST") == 0;
    SfConvAttrs a = {.layout = conv_layout(rank - 2, first), .padding = sf_padding_of(c)};
    const int n = sf_attr_ints(c, "strides", &a.strides);
    SF_TRY(sf_expect(c, n == rank, SF_ATTR("strides"),
                     "Stride attribute should contain {0} values, but got: {1}", SF_INT_ARG(rank),
                     SF_INT_ARG(n)));
    if (sf_attr_ints(c, "dilations", &a.dilations) == 0) {
        a.dilations = ones;
    } else {
        SF_TRY(sf_window_attr(c, "dilations", (SfWindowText){"Conv", "dilation", false}, rank,
                              &a.dilations));
    }
    const int channel = a.layout.channel + shift;
    const Depths d = {SF_AXIS(0, channel), SF_AXIS(1, rank - 2), sf_shape_dim(in, channel),
                      sf_shape_dim(filter, rank - 2), sf_shape_dim(filter, rank - 1)};
    SF_TRY(conv_depths(c, &d, groups));
    SF_TRY(sf_require_as(
        c, rank != 5 || a.padding != SF_PADDING_EXPLICIT || sf_phase(c) != SF_PHASE_BUILD,
        SF_DIAG_OP_SHAPE, SF_ATTR("padding"), SF_INPUT(0),
        "Explicit padding not supported for 3D Convolution"));
    SF_TRY(sf_padding_check(c, a.padding, &a.layout, &a.pads));
    SF_TRY(sf_kernel_check(c, conv_kernel, &a));
    const SfShape *out = sf_shape_replace(in, channel, d.out);
    for (int i = 0; i < a.layout.nspatial; i++) {
        const int axis = a.layout.spatial[i];
        SfDim size;
        SfWindow w =
            sf_conv_window(&a, i, 0, 1, sf_shape_slice(in, shift, sf_shape_rank(in)), filter);
        w.in = SF_AXIS(0, axis + shift);
        w.input = sf_shape_dim(in, axis + shift);
        SF_TRY(sf_window_output(c, &w, &size));
        out = sf_shape_replace(out, axis + shift, size);
    }
    return sf_set_output_shape(c, 0, out);
}

/* fused with padding */

static bool is_filter(SfInfer *c, const SfFinding *f)
{
    return f->a.index == sf_input_count(c) - 1;
}

static const SfMessage fused_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "input must be 4-dimensional{a.shape}"},
    {SF_ON(RANK_EXACT), .when = is_filter, .text = "filter must be 4-dimensional: {a.shape}"},
    {SF_ON(DIM_EQUAL), .known = true,
     .text = "input and filter must have the same depth: {0} vs {1}"},
    {0}};

static bool fused_negative(SfInfer *c, int paddings, int i)
{
    return sf_common_below(sf_common_elem(c, paddings, 2 * i), 0) ||
           sf_common_below(sf_common_elem(c, paddings, 2 * i + 1), 0);
}

/* What is mirrored must be there, and lie in space. */
static SfStatus mirror_kernel(SfInfer *c, const void *data)
{
    const SfShape *in = data;
    const int paddings = sf_input_count(c) - 2;
    const bool reflect = strcmp(sf_attr_string(c, "mode"), "REFLECT") == 0;
    for (int i = 0; i < 4; i++) {
        const SfDim d = sf_shape_dim(in, i);
        int64_t before, after;
        if (!sf_common_pair(c, paddings, i, &before, &after)) {
            continue;
        }
        SF_TRY(sf_require(c, before >= 0 && after >= 0, SF_INPUT(paddings),
                          "paddings must be non-negative: {0} {1}", SF_INT_ARG(before),
                          SF_INT_ARG(after)));
        SF_TRY(sf_require_as(
            c, !sf_dim_is_known(d) || (before <= d - reflect && after <= d - reflect),
            SF_DIAG_RUN_REFUSED, SF_INPUT(paddings), SF_AXIS(0, i),
            reflect
                ? "paddings must be less than the dimension size: {0}, {1} not less than {2}"
                : "paddings must be no greater than the dimension size: {0}, {1} greater than {2}",
            SF_INT_ARG(before), SF_INT_ARG(after), SF_DIM_ARG(d)));
        SF_TRY(sf_require(c, (i != 0 && i != 3) || (after == 0 && before == 0), SF_INPUT(paddings),
                          "Fused mirror padding only support spatial padding, not batches"));
    }
    return SF_OK;
}

static SfStatus output_kernel(SfInfer *c, const void *data)
{
    return sf_require_as(c, sf_shape_count(data) != 0, SF_DIAG_RUN_REFUSED, SF_INPUT(0),
                         SF_INPUT(sf_input_count(c) - 1), "Output tensor can't be empty");
}

/* input[b,h,w,i], as resized, mirrored by paddings[4,2], then Conv2D. */
static SfStatus fused_conv(SfInfer *c, const SfShape *in)
{
    const int paddings = sf_input_count(c) - 2, last = paddings + 1;
    SfConvAttrs a = {.layout = sf_layout_of(c, 2), .padding = sf_padding_of(c)};
    static const int64_t ones[] = {1, 1, 1, 1};
    const SfShape *filter;
    SfDim dims[4];
    SF_TRY(sf_want_rank(c, SF_INPUT(paddings), 2, NULL));
    SF_TRY(sf_want_dim(c, SF_AXIS(paddings, 0), 4));
    SF_TRY(sf_want_dim(c, SF_AXIS(paddings, 1), 2));
    for (int i = 0; i < 4; i++) {
        SF_TRY(sf_expect(c, sf_phase(c) != SF_PHASE_BUILD || !fused_negative(c, paddings, i),
                         SF_INPUT(paddings), "Paddings must be non-negative"));
        const SfDim before = sf_elem_as_dim(sf_common_elem(c, paddings, 2 * i));
        const SfDim after = sf_elem_as_dim(sf_common_elem(c, paddings, 2 * i + 1));
        dims[i] = sf_dim_add(sf_dim_add(sf_shape_dim(in, i), before), after);
    }
    const SfShape *padded = sf_shape_make(4, dims);
    SF_TRY(sf_kernel_check(c, mirror_kernel, in));
    SF_TRY(sf_want_rank(c, SF_INPUT(last), 4, &filter));
    SF_TRY(
        sf_window_attr(c, "strides", (SfWindowText){"Operation", "stride", false}, 4, &a.strides));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 3), sf_shape_dim(padded, 3), SF_AXIS(last, 2),
                         sf_shape_dim(filter, 2), NULL));
    a.dilations = ones;
    dims[3] = sf_shape_dim(filter, 3);
    SF_TRY(sf_kernel_check(c, sf_conv_plain, &a));
    for (int i = 0; i < 2; i++) {
        const SfWindow w = sf_conv_window(&a, i, 0, last, padded, filter);
        SF_TRY(sf_window_output(c, &w, &dims[i + 1]));
    }
    const SfShape *out = sf_shape_make(4, dims);
    SF_TRY(sf_kernel_check(c, output_kernel, out));
    return sf_set_output_shape(c, 0, out);
}

static SfStatus infer_fused_pad(SfInfer *c)
{
    const SfShape *in;
    sf_kernel_messages(c, fused_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    return fused_conv(c, in);
}

static SfStatus resize_kernel(SfInfer *c, const void *data)
{
    for (int i = 0; i < 2; i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        SF_TRY(sf_require(c, e.kind != SF_ELEM_INT || e.u.i > 0, SF_INPUT(1),
                          "output dimensions must be positive"));
    }
    return sf_require(c, sf_shape_count(data) != 0, SF_INPUT(0), "Input tensor can't be empty");
}

static SfStatus infer_fused_resize(SfInfer *c)
{
    const SfShape *in;
    sf_kernel_messages(c, fused_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 4, &in));
    SF_TRY(sf_want_vector(c, SF_INPUT(1)));
    SF_TRY(sf_want_dim(c, SF_AXIS(1, 0), 2));
    for (int i = 0; i < 2 && !sf_common_runs(c); i++) {
        const SfElem e = sf_common_elem(c, 1, i);
        SF_TRY(sf_require_as(c, !sf_common_below(e, -1), SF_DIAG_SHAPE_ENTRY, SF_INPUT(1),
                             SF_THE_OP, "Dimension {0} must be >= 0", SF_INT_ARG(e.u.i)));
    }
    SF_TRY(sf_kernel_check(c, resize_kernel, in));
    for (int i = 0; i < 2; i++) {
        in = sf_shape_replace(in, i + 1, sf_elem_as_dim(sf_common_elem(c, 1, i)));
    }
    return in ? fused_conv(c, in) : SF_NOMEM;
}

/* table */

/* clang-format off */
#define MIRROR "mode: {'REFLECT', 'SYMMETRIC'}, strides: list(int), padding: {'SAME', 'VALID'}"

static const SfOpDef ops[] = {
    SF_OP(Conv, .inputs = "input: T, filter: T", .outputs = "output: T",
          .attrs = "T: {half, bfloat16, float, double, int32}, strides: list(int), "
                   "padding: {'SAME', 'VALID', 'EXPLICIT'}, explicit_paddings: list(int) = [], "
                   "data_format: {'CHANNELS_FIRST', 'CHANNELS_LAST'} = 'CHANNELS_LAST', "
                   "dilations: list(int) = [], batch_dims: int = 1, groups: int = 1",
          .infer = infer_conv, .grad = SF_GRAD_MISSING, .variant = SF_CONV_MODERN),
    SF_OP(FusedPadConv2D, .inputs = "input: T, paddings: int32, filter: T", .outputs = "output: T",
          .attrs = "T: {half, bfloat16, float, double}, " MIRROR, .infer = infer_fused_pad,
          .grad = SF_GRAD_MISSING),
    SF_OP(FusedResizeAndPadConv2D,
          .inputs = "input: T, size: int32, paddings: int32, filter: T", .outputs = "output: T",
          .attrs = "T: {half, float, double}, resize_align_corners: bool = false, " MIRROR,
          .infer = infer_fused_resize, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_conv_fused = {ops, SF_ARRAY_LEN(ops), "conv_fused"};
