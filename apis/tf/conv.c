/* Convolutions and pooling of tf.nn. */
#include "apis/apis.h"
#include "apis/tf/compose.h"
#include "apis/tf/window_args.h"

#include <string.h>

/* convolution */
static const char *const conv_ops[] = {"Conv2D", "Conv2D", "Conv3D"};

static SfStatus conv_operands(SfCall *c, SfTensor *in)
{
    const SfArg *input, *filter;
    SF_TRY(sf_api_either(c, "input", "value", &input));
    SF_TRY(sf_api_either(c, "filters", "filter", &filter));
    SF_TRY(sf_api_tensor_named(c, input, SF_DT_INVALID, "input", &in[0]));
    return sf_api_tensor_named(c, filter, SF_DT_INVALID, "filter", &in[1]);
}

/* Attrs of a convolution over `spatial` axes; `strides` and `dilations` name the parameters. */
static SfStatus conv_attrs(SfCall *c, SfWindow *w, int spatial, const char *strides,
                           const char *dilations)
{
    w->spatial = spatial;
    SF_TRY(sf_window_format(c, w));
    SF_TRY(sf_window_add_sequence(c, w, strides, "strides"));
    SF_TRY(sf_window_add_padding(c, w));
    SF_TRY(sf_window_add_dilations(c, w, dilations));
    sf_window_add_format(w, spatial);
    return SF_OK;
}

/* More batch axes than one (TensorFlow 2): folded into the first, and unfolded again. */
static SfStatus with_batch_folded(SfCall *c, const char *op, const char *name, SfTensor *in,
                                  SfWindow *w, SfTensor *out)
{
    const int rank = sf_tensor_rank(in[0]), inner = w->spatial + 1;
    if (rank <= w->spatial + 2 || !sf_api_is_v2(c)) {
        return sf_api_op(c, op, name, in, 2, w->attrs, w->nattrs, out);
    }
    SfTensor shape, tail, parts[2], folded;
    SF_TRY(sf_compose_shape(c, in[0], SF_DT_INT32, NULL, &shape));
    SF_TRY(sf_compose_vector_slice(c, shape, rank - inner, INT64_MAX, NULL, &tail));
    const int64_t any = -1;
    SF_TRY(sf_api_const_ints(c, &any, 1, SF_DT_INT32, NULL, &parts[0]));
    parts[1] = tail;
    SF_TRY(sf_compose_concat(c, parts, 2, 0, NULL, &folded));
    SF_TRY(sf_compose_binary(c, "Reshape", NULL, in[0], folded, &in[0]));
    SF_TRY(sf_api_op(c, op, NULL, in, 2, w->attrs, w->nattrs, out));
    SF_TRY(sf_compose_vector_slice(c, shape, 0, rank - inner, NULL, &parts[0]));
    SF_TRY(sf_compose_shape(c, *out, SF_DT_INT32, NULL, &shape));
    SF_TRY(sf_compose_vector_slice(c, shape, 1, INT64_MAX, NULL, &parts[1]));
    SF_TRY(sf_compose_concat(c, parts, 2, 0, NULL, &folded));
    return sf_compose_binary(c, "Reshape", name, *out, folded, out);
}

static SfStatus body_conv(SfCall *c, const char *name, SfTensor *out)
{
    SfWindow w = {0};
    SfTensor in[2];
    const int spatial = c->sig->row->data[0] - '0';
    SF_TRY(conv_operands(c, in));
    SF_TRY(conv_attrs(c, &w, spatial, "strides", "dilations"));
    return with_batch_folded(c, conv_ops[spatial - 1], name, in, &w, out);
}

static SfStatus api_conv(SfCall *c)
{
    const int spatial = c->sig->row->data[0] - '0';
    return sf_compose_scoped(c, conv_ops[spatial - 1], body_conv);
}

/* conv1d is a Conv2D with a height of one. */
static SfStatus conv1d(SfCall *c, const char *strides, const char *dilations, SfTensor *in,
                       SfTensor *out)
{
    SfWindow w = {0};
    w.spatial = 1;
    SF_TRY(sf_window_format(c, &w));
    const int64_t axis = w.first ? 2 : 1;
    const char *const params[] = {strides, dilations};
    const char *const attrs[] = {"strides", "dilations"};
    for (int k = 0; k < 2; k++) {
        int64_t *v = w.values[w.nattrs], seq[SF_WINDOW_MAX];
        SF_TRY(sf_window_sequence(c, &w, params[k], sf_api_arg(c, params[k]), seq));
        v[0] = seq[0];
        for (int i = 1, at = 1; i < 4; i++) {
            v[i] = i == axis ? 1 : seq[at++];
        }
        sf_window_add(&w, (SfAttrArg){.name = attrs[k], .value = sf_attr_make_ints(v, 4)});
    }
    SF_TRY(sf_window_add_padding(c, &w));
    sf_window_add_format(&w, 2);
    SF_TRY(sf_compose_expand_dims(c, in[0], w.first ? -2 : -3, NULL, &in[0]));
    SF_TRY(sf_compose_expand_dims(c, in[1], 0, NULL, &in[1]));
    w.spatial = 2;
    SF_TRY(with_batch_folded(c, "Conv2D", NULL, in, &w, out));
    const int64_t back = w.first ? -2 : -3;
    return sf_compose_squeeze(c, *out, &back, 1, NULL, out);
}

static SfStatus body_conv1d(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[2];
    SF_TRY(conv_operands(c, in));
    return conv1d(c, "stride", "dilations", in, out);
}

/* Numbers as numpy writes a vector of them. */
static const char *spaced(SfCall *c, const int64_t *numbers, int n)
{
    const char *text = "";
    for (int i = 0; i < n; i++) {
        text = sf_arena_printf(c->arena, "%s%s%lld", text, i > 0 ? " " : "", (long long)numbers[i]);
    }
    return text;
}

/* tf.nn.convolution takes strides or dilations, in whatever axes. */
static SfStatus need_one_kind(SfCall *c, int spatial, const char *dilations)
{
    SfWindow w = {.spatial = spatial};
    const char *const params[] = {"strides", dilations};
    int64_t seq[2][SF_WINDOW_MAX];
    bool used[2] = {false, false};
    SF_TRY(sf_window_format(c, &w));
    for (int k = 0; k < 2; k++) {
        SF_TRY(sf_window_sequence(c, &w, params[k], sf_api_arg(c, params[k]), seq[k]));
        for (int i = 0; i < spatial + 2; i++) {
            used[k] = used[k] || seq[k][i] > 1;
        }
    }
    if (!used[0] || !used[1]) {
        return SF_OK;
    }
    if (sf_api_version(c) < SF_VERSION(2, 0)) {
        return sf_api_value_error(c, "strides > 1 not supported in conjunction with "
                                     "dilation_rate > 1");
    }
    const int64_t *of_strides = seq[0] + (w.first ? 2 : 1), *rates = seq[1] + (w.first ? 2 : 1);
    return sf_api_value_error(c,
                              "`strides > 1` not supported in conjunction with `dilation_rate > "
                              "1`. Received: strides=[%s] and dilation_rate=[%s]",
                              spaced(c, of_strides, spatial), spaced(c, rates, spatial));
}

/* tf.nn.convolution: the rank of the filter says how many axes are spatial. */
static SfStatus body_convolution(SfCall *c, const char *scope, SfTensor *out)
{
    SfWindow w = {0};
    SfTensor in[2];
    SF_TRY(conv_operands(c, in));
    const bool old_name = !sf_arg_is_none(sf_api_arg(c, "dilation_rate"));
    const char *dilations = old_name ? "dilation_rate" : "dilations";
    int spatial = sf_tensor_rank(in[1]) - 2;
    if (sf_tensor_rank(in[1]) < 0) {
        spatial = sf_tensor_rank(in[0]) < 0 ? 2 : sf_tensor_rank(in[0]) - 2;
    }
    if (spatial < 1 || spatial > 3) {
        return sf_api_value_error(c,
                                  "`num_spatial_dims` must be 1, 2, or 3. Received: "
                                  "num_spatial_dims=%d.",
                                  spatial);
    }
    SF_TRY(need_one_kind(c, spatial, dilations));
    if (spatial == 1) {
        return conv1d(c, "strides", dilations, in, out);
    }
    SF_TRY(conv_attrs(c, &w, spatial, "strides", dilations));
    return with_batch_folded(c, conv_ops[spatial - 1], scope, in, &w, out);
}

static SfStatus body_atrous(SfCall *c, const char *scope, SfTensor *out)
{
    SfWindow w = {.spatial = 2};
    SfTensor in[2];
    const int64_t ones[] = {1, 1, 1, 1};
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "value"), SF_DT_INVALID, "value", &in[0]));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "filters"), SF_DT_INVALID, "filters", &in[1]));
    sf_window_add(&w, (SfAttrArg){.name = "strides", .value = sf_attr_make_ints(ones, 4)});
    SF_TRY(sf_window_add_padding(c, &w));
    SF_TRY(sf_window_add_dilations(c, &w, "rate"));
    return sf_api_op(c, "Conv2D", scope, in, 2, w.attrs, w.nattrs, out);
}

/* transposed convolution */
/* The checks that TensorFlow 1.8 makes before it builds the op. */
static SfStatus check_transpose(SfCall *c, const SfWindow *w, const SfTensor *in)
{
    const int n = w->spatial, axis = w->first ? 1 : n + 1;
    const SfShape *vector = sf_shape_vector(n + 2), *size = sf_value_as_shape(in[0].value);
    SF_TRY_ALLOC(vector && size);
    const SfDim have = sf_shape_dim(in[2].shape, axis), want = sf_shape_dim(in[1].shape, n + 1);
    if (!sf_dim_compatible(have, want)) {
        return sf_api_value_error(c,
                                  "input channels does not match filter's input channels, %lld != "
                                  "%lld",
                                  (long long)have, (long long)want);
    }
    if (!sf_shape_compatible(in[0].shape, vector)) {
        return sf_api_shape_error(c, "output_shape must have shape (%d,), got %s", n + 2,
                                  sf_shape_tuple_text(c, in[0].shape));
    }
    const SfDim out = sf_shape_dim(size, axis), filter = sf_shape_dim(in[1].shape, n);
    if (sf_shape_is_ranked(size) && !sf_dim_compatible(out, filter)) {
        return sf_api_shape_error(c,
                                  "output_shape does not match filter's output channels, %lld != "
                                  "%lld",
                                  (long long)out, (long long)filter);
    }
    return SF_OK;
}

static SfStatus transpose_operands(SfCall *c, SfTensor *in)
{
    SfTensor pair[2];
    SF_TRY(conv_operands(c, pair));
    SF_TRY(
        sf_api_tensor_hint(c, sf_api_arg(c, "output_shape"), SF_DT_INT32, "input_sizes", &in[0]));
    in[1] = pair[1];
    in[2] = pair[0];
    return SF_OK;
}

static SfStatus body_conv1d_transpose(SfCall *c, const char *scope, SfTensor *out)
{
    SfWindow w = {.spatial = 1};
    SfTensor in[3], parts[3];
    SF_TRY(transpose_operands(c, in));
    SF_TRY(sf_window_format(c, &w));
    const int axis = w.first ? 2 : 1;
    const char *const attrs[] = {"strides", "dilations"};
    for (int k = 0; k < SF_ARRAY_LEN(attrs); k++) {
        int64_t seq[SF_WINDOW_MAX], *v = w.values[k];
        const SfArg *given = sf_api_arg(c, attrs[k]);
        if (given->kind == SF_ARG_NONE) {
            continue;
        }
        SF_TRY(sf_window_sequence(c, &w, attrs[k], given, seq));
        for (int i = 0, at = 0; i < 4; i++) {
            v[i] = i == axis ? 1 : seq[at++];
        }
        sf_window_add(&w, (SfAttrArg){.name = attrs[k], .value = sf_attr_make_ints(v, 4)});
    }
    SF_TRY(sf_window_add_padding(c, &w));
    sf_window_add_format(&w, 2);
    const int64_t one = 1, back = axis;
    SF_TRY(sf_compose_vector_slice(c, in[0], 0, axis, NULL, &parts[0]));
    SF_TRY(sf_api_const_ints(c, &one, 1, in[0].dtype, NULL, &parts[1]));
    SF_TRY(sf_compose_vector_slice(c, in[0], axis, INT64_MAX, NULL, &parts[2]));
    SF_TRY(sf_compose_concat(c, parts, 3, 0, NULL, &in[0]));
    SF_TRY(sf_compose_expand_dims(c, in[1], 0, NULL, &in[1]));
    SF_TRY(sf_compose_expand_dims(c, in[2], axis, NULL, &in[2]));
    SF_TRY(sf_api_op(c, "Conv2DBackpropInput", NULL, in, 3, w.attrs, w.nattrs, out));
    return sf_compose_squeeze(c, *out, &back, 1, NULL, out);
}

static SfStatus body_conv_transpose(SfCall *c, const char *scope, SfTensor *out)
{
    SfWindow w = {0};
    SfTensor in[3];
    int spatial = c->sig->row->data[0] - '0';
    SF_TRY(transpose_operands(c, in));
    if (spatial == 0) { /* conv_transpose: by the rank of the filter */
        if (sf_tensor_rank(in[1]) == 3) {
            return body_conv1d_transpose(c, scope, out);
        }
        spatial = sf_tensor_rank(in[1]) == 5 ? 3 : 2;
    }
    SF_TRY(conv_attrs(c, &w, spatial, "strides", "dilations"));
    if (c->b->version < SF_VERSION(1, 9)) {
        SF_TRY(check_transpose(c, &w, in));
    }
    return sf_api_op(c, spatial == 3 ? "Conv3DBackpropInputV2" : "Conv2DBackpropInput", scope, in,
                     3, w.attrs, w.nattrs, out);
}

static SfStatus api_conv_transpose(SfCall *c)
{
    const char spatial = c->sig->row->data[0];
    return sf_compose_scoped(c,
                             spatial == '2'   ? "conv2d_transpose"
                             : spatial == '3' ? "conv3d_transpose"
                                              : "conv_transpose",
                             body_conv_transpose);
}

static SfStatus body_atrous_transpose(SfCall *c, const char *scope, SfTensor *out)
{
    SfWindow w = {.spatial = 2};
    SfTensor in[3];
    const int64_t ones[] = {1, 1, 1, 1};
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "value"), SF_DT_INVALID, "value", &in[2]));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "filters"), SF_DT_INVALID, "filters", &in[1]));
    SF_TRY(
        sf_api_tensor_hint(c, sf_api_arg(c, "output_shape"), SF_DT_INT32, "output_shape", &in[0]));
    sf_window_add(&w, (SfAttrArg){.name = "strides", .value = sf_attr_make_ints(ones, 4)});
    SF_TRY(sf_window_add_padding(c, &w));
    SF_TRY(sf_window_add_dilations(c, &w, "rate"));
    return sf_api_op(c, "Conv2DBackpropInput", scope, in, 3, w.attrs, w.nattrs, out);
}

/* depthwise */
static const SfAttr *attr_of(const SfWindow *w, const char *name)
{
    for (int i = 0; i < w->nattrs; i++) {
        if (strcmp(w->attrs[i].name, name) == 0) {
            return &w->attrs[i].value;
        }
    }
    return NULL;
}

static void drop_attr(SfWindow *w, const char *name)
{
    for (int i = 0; i < w->nattrs; i++) {
        if (strcmp(w->attrs[i].name, name) == 0) {
            w->attrs[i] = w->attrs[--w->nattrs];
            return;
        }
    }
}

/* TensorFlow gives the op no dilations: it convolves without padding between a SpaceToBatchND and
 * a BatchToSpaceND. Here the input is made smaller by what the dilation covers, which gives the
 * same sizes. With SAME padding nothing is lost. */
static SfStatus crop_by_dilation(SfCall *c, SfWindow *w, const SfShape *filter, SfTensor *in)
{
    const SfAttr *dilations = attr_of(w, "dilations"), *padding = attr_of(w, "padding");
    if (!dilations || !padding || strcmp(padding->u.s->bytes, "SAME") == 0) {
        return SF_OK;
    }
    int64_t begin[4] = {0}, size[4] = {-1, -1, -1, -1};
    bool crops = false;
    for (int i = 0; i < 2; i++) {
        const int axis = w->first ? 2 + i : 1 + i;
        const SfDim k = sf_shape_dim(filter, i);
        if (sf_dim_is_known(k) && k > 0) {
            begin[axis] = (k - 1) * (dilations->u.list.u.i[axis] - 1);
            crops = crops || begin[axis] > 0;
        }
    }
    const SfDim rows = sf_shape_dim(in->shape, w->first ? 2 : 1);
    const SfDim columns = sf_shape_dim(in->shape, w->first ? 3 : 2);
    if (!crops || sf_shape_rank(in->shape) != 4 ||
        (sf_dim_is_known(rows) && rows < begin[w->first ? 2 : 1]) ||
        (sf_dim_is_known(columns) && columns < begin[w->first ? 3 : 2])) {
        return SF_OK;
    }
    SfTensor parts[3] = {*in};
    SF_TRY(sf_api_const_ints(c, begin, 4, SF_DT_INT32, NULL, &parts[1]));
    SF_TRY(sf_api_const_ints(c, size, 4, SF_DT_INT32, NULL, &parts[2]));
    SF_TRY(sf_api_op(c, "Slice", NULL, parts, 3, NULL, 0, in));
    drop_attr(w, "dilations");
    return SF_OK;
}

static SfStatus depthwise(SfCall *c, const char *filter, const char *name, SfTensor *out)
{
    SfWindow w = {.spatial = 2};
    SfTensor in[2];
    const bool rate = !sf_arg_is_none(sf_api_arg(c, "rate"));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "input"), SF_DT_INVALID, "tensor_in", &in[0]));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, filter), SF_DT_INVALID, "filter_in", &in[1]));
    SF_TRY(sf_window_format(c, &w));
    SF_TRY(sf_window_add_sequence(c, &w, "strides", "strides"));
    SF_TRY(sf_window_add_padding(c, &w));
    SF_TRY(sf_window_add_dilations(c, &w, rate ? "rate" : "dilations"));
    SF_TRY(crop_by_dilation(c, &w, in[1].shape, &in[0]));
    sf_window_add_format(&w, 2);
    return sf_api_op(c, "DepthwiseConv2dNative", name, in, 2, w.attrs, w.nattrs, out);
}

static SfStatus body_depthwise(SfCall *c, const char *scope, SfTensor *out)
{
    return depthwise(c, "filter", scope, out);
}

static SfStatus body_separable(SfCall *c, const char *scope, SfTensor *out)
{
    SfWindow w = {.spatial = 2};
    const int64_t ones[] = {1, 1, 1, 1};
    SfTensor in[2];
    SF_TRY(depthwise(c, "depthwise_filter", "depthwise", &in[0]));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "pointwise_filter"), SF_DT_INVALID,
                               "pointwise_filter", &in[1]));
    if (sf_shape_is_ranked(in[1].shape) && sf_shape_rank(in[1].shape) != 4) {
        return sf_api_shape_error(c, "Shape %s must have rank 4",
                                  sf_shape_tuple_text(c, in[1].shape));
    }
    for (int i = 0; i < 2; i++) {
        if (sf_dim_never(sf_shape_dim(in[1].shape, i), 1)) {
            return sf_api_shape_error(c, "Dimension %lld must be 1 in the pointwise filter",
                                      (long long)sf_shape_dim(in[1].shape, i));
        }
    }
    SF_TRY(sf_window_format(c, &w));
    sf_window_add(&w, (SfAttrArg){.name = "strides", .value = sf_attr_make_ints(ones, 4)});
    sf_window_add(&w, (SfAttrArg){.name = "padding", .value = sf_attr_make_string("VALID")});
    sf_window_add_format(&w, 2);
    return sf_api_op(c, "Conv2D", scope, in, 2, w.attrs, w.nattrs, out);
}

/* morphology */
/* Erosion is the dilation of the negative. */
static SfStatus body_erosion(SfCall *c, const char *scope, SfTensor *out)
{
    SfWindow w = {.spatial = 2};
    SfTensor in[2], axes;
    const int64_t both[] = {0, 1};
    const bool v1 = !sf_arg_is_none(sf_api_arg(c, "rates"));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "value"), SF_DT_INVALID, "value", &in[0]));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, v1 ? "kernel" : "filters"), SF_DT_INVALID, "kernel",
                               &in[1]));
    SF_TRY(sf_compose_unary(c, "Neg", NULL, in[0], &in[0]));
    SF_TRY(sf_api_const_ints(c, both, 2, SF_DT_INT32, "axis", &axes));
    SF_TRY(sf_compose_binary(c, "ReverseV2", NULL, in[1], axes, &in[1]));
    SF_TRY(sf_window_add_sequence(c, &w, "strides", "strides"));
    SF_TRY(sf_window_add_sequence(c, &w, v1 ? "rates" : "dilations", "rates"));
    SF_TRY(sf_window_add_padding(c, &w));
    SF_TRY(sf_api_op(c, "Dilation2D", NULL, in, 2, w.attrs, w.nattrs, out));
    return sf_compose_unary(c, "Neg", scope, *out, out);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.nn.conv2d", SF_TF1,
     "input, filter=None, strides=None, padding=None, use_cudnn_on_gpu=True, "
     "data_format='NHWC', dilations=[1, 1, 1, 1], name=None, filters=None",
     .call = api_conv, .data = "2"},
    {"tf.nn.conv2d", SF_TF2,
     "input, filters, strides, padding, data_format='NHWC', dilations=None, name=None",
     .call = api_conv, .data = "2"},
    {"tf.nn.conv3d", SF_TF1,
     "input, filter=None, strides=None, padding=None, data_format='NDHWC', dilations=[1, 1, "
     "1, 1, 1], name=None, filters=None", .call = api_conv, .data = "3"},
    {"tf.nn.conv3d", SF_TF2,
     "input, filters, strides, padding, data_format='NDHWC', dilations=None, name=None",
     .call = api_conv, .data = "3"},
    {"tf.nn.conv1d", SF_TF1,
     "value=None, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None, "
     "data_format=None, name=None, input=None, dilations=None", SF_SCOPED("conv1d", body_conv1d)},
    {"tf.nn.conv1d", SF_TF2,
     "input, filters, stride, padding, data_format='NWC', dilations=None, name=None",
     SF_SCOPED("conv1d", body_conv1d)},
    {"tf.nn.convolution", SF_TF1,
     "input, filter, padding, strides=None, dilation_rate=None, name=None, data_format=None, "
     "filters=None, dilations=None", SF_SCOPED("convolution", body_convolution)},
    {"tf.nn.convolution", SF_TF2,
     "input, filters, strides=None, padding='VALID', data_format=None, dilations=None, name=None",
     SF_SCOPED("convolution", body_convolution)},
    {"tf.nn.atrous_conv2d", SF_TF12, "value, filters, rate, padding, name=None",
     SF_SCOPED("atrous_conv2d", body_atrous)},
    {"tf.nn.atrous_conv2d_transpose", SF_TF12,
     "value, filters, output_shape, rate, padding, name=None",
     SF_SCOPED("atrous_conv2d_transpose", body_atrous_transpose)},
    {"tf.nn.conv2d_transpose", SF_TF1,
     "value=None, filter=None, output_shape=None, strides=None, padding='SAME', "
     "data_format='NHWC', name=None, input=None, filters=None, dilations=None",
     .call = api_conv_transpose, .data = "2"},
    {"tf.nn.conv2d_transpose", SF_TF2,
     "input, filters, output_shape, strides, padding='SAME', data_format='NHWC', "
     "dilations=None, name=None", .call = api_conv_transpose, .data = "2"},
    {"tf.nn.conv3d_transpose", SF_TF1,
     "value, filter=None, output_shape=None, strides=None, padding='SAME', "
     "data_format='NDHWC', name=None, input=None, filters=None, dilations=None",
     .call = api_conv_transpose, .data = "3"},
    {"tf.nn.conv3d_transpose", SF_TF2,
     "input, filters, output_shape, strides, padding='SAME', data_format='NDHWC', "
     "dilations=None, name=None", .call = api_conv_transpose, .data = "3"},
    {"tf.nn.conv_transpose", SF_TF12,
     "input, filters, output_shape, strides, padding='SAME', data_format=None, "
     "dilations=None, name=None", .call = api_conv_transpose, .data = "0"},
    {"tf.nn.conv1d_transpose", SF_TF12,
     "input, filters, output_shape, strides, padding='SAME', data_format='NWC', "
     "dilations=None, name=None", SF_SCOPED("conv1d_transpose", body_conv1d_transpose)},
    {"tf.nn.depthwise_conv2d", SF_TF1,
     "input, filter, strides, padding, rate=None, name=None, data_format=None, dilations=None",
     SF_SCOPED("depthwise", body_depthwise)},
    {"tf.nn.depthwise_conv2d", SF_TF2,
     "input, filter, strides, padding, data_format=None, dilations=None, name=None",
     SF_SCOPED("depthwise", body_depthwise)},
    {"tf.nn.separable_conv2d", SF_TF1,
     "input, depthwise_filter, pointwise_filter, strides, padding, rate=None, name=None, "
     "data_format=None, dilations=None", SF_SCOPED("separable_conv2d", body_separable)},
    {"tf.nn.separable_conv2d", SF_TF2,
     "input, depthwise_filter, pointwise_filter, strides, padding, data_format=None, "
     "dilations=None, name=None", SF_SCOPED("separable_conv2d", body_separable)},
    {"tf.nn.depthwise_conv2d_native", SF_TF1,
     "input, filter, strides, padding, data_format='NHWC', dilations=[1, 1, 1, 1], name=None",
     .op = "DepthwiseConv2dNative"},
    {"tf.nn.conv2d_backprop_input", SF_TF1,
     "input_sizes, filter=None, out_backprop=None, strides=None, padding=None, "
     "use_cudnn_on_gpu=True, data_format='NHWC', dilations=[1, 1, 1, 1], name=None, "
     "filters=None", .op = "Conv2DBackpropInput", .rename = "filter=filter filters=filter"},
    {"tf.nn.conv2d_backprop_filter", SF_TF1,
     "input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=True, "
     "data_format='NHWC', dilations=[1, 1, 1, 1], name=None", .op = "Conv2DBackpropFilter"},
    {"tf.nn.depthwise_conv2d_backprop_input", SF_TF12,
     "input_sizes, filter, out_backprop, strides, padding, data_format='NHWC', dilations=[1, "
     "1, 1, 1], name=None", .op = "DepthwiseConv2dNativeBackpropInput"},
    {"tf.nn.depthwise_conv2d_native_backprop_input", SF_TF1,
     "input_sizes, filter, out_backprop, strides, padding, data_format='NHWC', dilations=[1, "
     "1, 1, 1], name=None", .op = "DepthwiseConv2dNativeBackpropInput"},
    {"tf.nn.depthwise_conv2d_backprop_filter", SF_TF12,
     "input, filter_sizes, out_backprop, strides, padding, data_format='NHWC', dilations=[1, "
     "1, 1, 1], name=None", .op = "DepthwiseConv2dNativeBackpropFilter"},
    {"tf.nn.depthwise_conv2d_native_backprop_filter", SF_TF1,
     "input, filter_sizes, out_backprop, strides, padding, data_format='NHWC', dilations=[1, "
     "1, 1, 1], name=None", .op = "DepthwiseConv2dNativeBackpropFilter"},
    {"tf.nn.dilation2d", SF_TF1,
     "input, filter=None, strides=None, rates=None, padding=None, name=None, filters=None, "
     "dilations=None",
     .op = "Dilation2D", .rename = "filter=filter filters=filter rates=rates dilations=rates"},
    {"tf.nn.dilation2d", SF_TF2,
     "input, filters, strides, padding, data_format, dilations, name=None",
     .op = "Dilation2D", .rename = "filters=filter dilations=rates data_format="},
    {"tf.nn.erosion2d", SF_TF1, "value, kernel, strides, rates, padding, name=None",
     SF_SCOPED("erosion2d", body_erosion)},
    {"tf.nn.erosion2d", SF_TF2,
     "value, filters, strides, padding, data_format, dilations, name=None",
     SF_SCOPED("erosion2d", body_erosion)},
    {"tf.nn.conv3d_backprop_filter tf.nn.conv3d_backprop_filter_v2", SF_TF1,
     "input, filter_sizes, out_backprop, strides, padding, data_format='NDHWC', dilations=[1, "
     "1, 1, 1, 1], name=None", .op = "Conv3DBackpropFilterV2"},
};
/* clang-format on */
const SfApiTable sf_api_conv = {rows, SF_ARRAY_LEN(rows), "conv"};
