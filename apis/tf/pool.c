/* Pooling of tf.nn. */
#include "apis/apis.h"
#include "apis/tf/compose.h"
#include "apis/tf/window_args.h"

#include <string.h>

static SfStatus pool_input(SfCall *c, SfTensor *out)
{
    const SfArg *input;
    SF_TRY(sf_api_either(c, "input", "value", &input));
    return sf_api_tensor_named(c, input, SF_DT_INVALID, "value", out);
}

/* "MaxPool" or "AvgPool" for two axes, "MaxPool3D" for three. */
static const char *pool_op(const SfCall *c, const char *kind, int spatial)
{
    return spatial == 3 ? sf_arena_printf(c->arena, "%s3D", kind) : kind;
}

static SfStatus pool(SfCall *c, const char *kind, int spatial, const char *name, SfTensor x,
                     SfTensor *out)
{
    SfWindow w = {.spatial = spatial};
    const char *op = pool_op(c, kind, spatial);
    SF_TRY_ALLOC(op);
    SF_TRY(sf_window_format(c, &w));
    SF_TRY(sf_window_add_sequence(c, &w, "ksize", "ksize"));
    SF_TRY(sf_window_add_sequence(c, &w, "strides", "strides"));
    SF_TRY(sf_window_add_padding(c, &w));
    sf_window_add_format(&w, spatial);
    return sf_api_op(c, op, name, &x, 1, w.attrs, w.nattrs, out);
}

/* One axis: pooled as two, the first of one. */
static SfStatus pool1d(SfCall *c, const char *kind, SfTensor x, SfTensor *out)
{
    SfWindow w = {.spatial = 1};
    const char *const params[] = {"ksize", "strides"};
    SF_TRY(sf_window_format(c, &w));
    const int64_t axis = w.first ? 2 : 1;
    SF_TRY(sf_compose_expand_dims(c, x, axis, NULL, &x));
    for (int k = 0; k < 2; k++) {
        int64_t seq[SF_WINDOW_MAX], *v = w.values[w.nattrs];
        SF_TRY(sf_window_sequence(c, &w, params[k], sf_api_arg(c, params[k]), seq));
        for (int i = 0, at = 0; i < 4; i++) {
            v[i] = i == axis ? 1 : seq[at++];
        }
        sf_window_add(&w, (SfAttrArg){.name = params[k], .value = sf_attr_make_ints(v, 4)});
    }
    SF_TRY(sf_window_add_padding(c, &w));
    sf_window_add_format(&w, 2);
    SF_TRY(sf_api_op(c, kind, NULL, &x, 1, w.attrs, w.nattrs, out));
    return sf_compose_squeeze(c, *out, &axis, 1, NULL, out);
}

/* data: "2MaxPool": the number of spatial axes, or 0: by the rank of the input. */
static SfStatus body_pool(SfCall *c, const char *scope, SfTensor *out)
{
    const char *kind = c->sig->row->data + 1;
    int spatial = c->sig->row->data[0] - '0';
    SfTensor x;
    SF_TRY(pool_input(c, &x));
    if (spatial == 0) {
        const char *format = NULL;
        SF_TRY(sf_api_string(c, "data_format", &format));
        spatial = sf_tensor_rank(x) >= 0 ? sf_tensor_rank(x) - 2
                  : format               ? (int)strlen(format) - 2
                                         : 2;
        if (spatial < 1 || spatial > 3) {
            return sf_api_shape_error(c,
                                      "`input.shape.rank` must be 3, 4 or 5. Received: "
                                      "input.shape=%s of rank %d.",
                                      sf_shape_tuple_text(c, x.shape), spatial + 2);
        }
    }
    return spatial == 1 ? pool1d(c, kind, x, out) : pool(c, kind, spatial, scope, x, out);
}

static SfStatus api_pool_op(SfCall *c)
{
    const char *data = c->sig->row->data;
    const bool three = data[0] == '3', max = data[1] == 'M';
    return sf_compose_scoped(
        c, three ? (max ? "MaxPool3D" : "AvgPool3D") : (max ? "MaxPool" : "AvgPool"), body_pool);
}

/* tf.nn.pool: window and dilations over spatial axes; a dilated window covers (w - 1) * d + 1. */
static SfStatus body_any_pool(SfCall *c, const char *scope, SfTensor *out)
{
    const bool old = !sf_arg_is_none(sf_api_arg(c, "dilation_rate"));
    const char *type = "MAX", *dilations = old ? "dilation_rate" : "dilations";
    int64_t *window = NULL, size[SF_WINDOW_MAX], dilation[SF_WINDOW_MAX];
    SfWindow w = {0};
    SfTensor x;
    int n = 0;
    SF_TRY(sf_compose_arg(c, "input", &x));
    SF_TRY(sf_api_string(c, "pooling_type", &type));
    SF_TRY(sf_api_ints(c, "window_shape", &window, &n));
    if (n < 1 || n > 3) {
        return sf_api_value_error(c, "`window_shape` must have 1, 2 or 3 entries, not %d", n);
    }
    if (sf_shape_is_ranked(x.shape) && sf_tensor_rank(x) != n + 2 &&
        sf_api_version(c) >= SF_VERSION(2, 0)) {
        return sf_api_shape_error(c, "Shape %s must have rank %d", sf_shape_tuple_text(c, x.shape),
                                  n + 2);
    }
    w.spatial = n;
    SF_TRY(sf_window_format(c, &w));
    SF_TRY(sf_window_sequence(c, &w, "window_shape", sf_api_arg(c, "window_shape"), size));
    SF_TRY(sf_window_sequence(c, &w, dilations, sf_api_arg(c, dilations), dilation));
    int64_t *ksize = w.values[0], *strides = w.values[1], seq[SF_WINDOW_MAX];
    SF_TRY(sf_window_sequence(c, &w, "strides", sf_api_arg(c, "strides"), seq));
    const int axis = n == 1 ? (w.first ? 2 : 1) : -1; /* where an axis of one is put in */
    const int ndim = n == 1 ? 4 : n + 2;
    for (int i = 0, at = 0; i < ndim; i++) {
        const bool extra = i == axis;
        ksize[i] = extra ? 1 : (size[at] - 1) * dilation[at] + 1;
        strides[i] = extra ? 1 : seq[at];
        at += !extra;
    }
    sf_window_add(&w, (SfAttrArg){.name = "ksize", .value = sf_attr_make_ints(ksize, ndim)});
    sf_window_add(&w, (SfAttrArg){.name = "strides", .value = sf_attr_make_ints(strides, ndim)});
    SF_TRY(sf_window_add_padding(c, &w));
    sf_window_add_format(&w, n == 1 ? 2 : n);
    const char *op = pool_op(c, type[0] == 'M' ? "MaxPool" : "AvgPool", n);
    SF_TRY_ALLOC(op);
    if (n > 1) {
        return sf_api_op(c, op, scope, &x, 1, w.attrs, w.nattrs, out);
    }
    const int64_t back = axis;
    SF_TRY(sf_compose_expand_dims(c, x, axis, NULL, &x));
    SF_TRY(sf_api_op(c, op, NULL, &x, 1, w.attrs, w.nattrs, out));
    return sf_compose_squeeze(c, *out, &back, 1, scope, out);
}

static SfStatus api_any_pool(SfCall *c)
{
    const char *type = "MAX";
    SF_TRY(sf_api_string(c, "pooling_type", &type));
    return sf_compose_scoped(c, type[0] == 'M' ? "max_pool" : "avg_pool", body_any_pool);
}

/* Of TensorFlow 2: windows as max_pool2d takes them. */
static SfStatus api_pool_argmax(SfCall *c)
{
    static const char *const params[] = {"ksize", "strides"};
    SfWindow w = {.spatial = 2};
    SfArg args[12], items[2][SF_WINDOW_MAX];
    const char *format = "NHWC";
    memcpy(args, c->args, sizeof *args * (size_t)c->sig->nparams);
    SF_TRY(sf_api_string(c, "data_format", &format));
    if (strcmp(format, "NHWC") != 0) {
        return sf_api_value_error(c,
                                  "`data_format` values other  than 'NHWC' are not supported. "
                                  "Received: data_format=%s",
                                  format);
    }
    for (int k = 0; k < 2; k++) {
        int64_t seq[SF_WINDOW_MAX];
        SF_TRY(sf_window_sequence(c, &w, params[k], sf_api_arg(c, params[k]), seq));
        for (int i = 0; i < 4; i++) {
            items[k][i] = (SfArg){.kind = SF_ARG_INT, .u.i = seq[i]};
        }
        args[1 + k] = (SfArg){.kind = SF_ARG_LIST, .u.list = {4, items[k]}};
    }
    return sf_api_apply(c, args);
}

/* Fractional pools return the pooled tensor and the two cutting sequences. */
static SfStatus api_fractional_pool(SfCall *c)
{
    SfArg args[12], list[4];
    memcpy(args, c->args, sizeof *args * (size_t)c->sig->nparams);
    if (args[1].kind == SF_ARG_FLOAT || args[1].kind == SF_ARG_INT) {
        list[0] = list[3] = (SfArg){.kind = SF_ARG_FLOAT, .u.f = 1.0};
        list[1] = list[2] = args[1];
        args[1] = (SfArg){.kind = SF_ARG_LIST, .u.list = {4, list}};
    }
    return sf_api_apply(c, args);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.nn.max_pool", SF_TF1,
     "value, ksize, strides, padding, data_format='NHWC', name=None, input=None",
     .call = api_pool_op, .data = "2MaxPool"},
    {"tf.nn.avg_pool tf.nn.avg_pool2d", SF_TF1,
     "value, ksize, strides, padding, data_format='NHWC', name=None, input=None",
     .call = api_pool_op, .data = "2AvgPool"},
    {"tf.nn.max_pool_v2", SF_TF1, "input, ksize, strides, padding, data_format=None, name=None",
     .call = api_pool_op, .data = "0MaxPool"},
    {"tf.nn.max_pool", SF_TF2, "input, ksize, strides, padding, data_format=None, name=None",
     .call = api_pool_op, .data = "0MaxPool"},
    {"tf.nn.avg_pool_v2", SF_TF1, "input, ksize, strides, padding, data_format=None, name=None",
     .call = api_pool_op, .data = "0AvgPool"},
    {"tf.nn.avg_pool", SF_TF2, "input, ksize, strides, padding, data_format=None, name=None",
     .call = api_pool_op, .data = "0AvgPool"},
    {"tf.nn.max_pool2d", SF_TF12, "input, ksize, strides, padding, data_format='NHWC', name=None",
     .call = api_pool_op, .data = "2MaxPool"},
    {"tf.nn.avg_pool2d", SF_TF2, "input, ksize, strides, padding, data_format='NHWC', name=None",
     .call = api_pool_op, .data = "2AvgPool"},
    {"tf.nn.max_pool1d", SF_TF12, "input, ksize, strides, padding, data_format='NWC', name=None",
     .call = api_pool_op, .data = "1MaxPool"},
    {"tf.nn.avg_pool1d", SF_TF12, "input, ksize, strides, padding, data_format='NWC', name=None",
     .call = api_pool_op, .data = "1AvgPool"},
    {"tf.nn.max_pool3d", SF_TF12, "input, ksize, strides, padding, data_format='NDHWC', name=None",
     .call = api_pool_op, .data = "3MaxPool"},
    {"tf.nn.avg_pool3d", SF_TF12, "input, ksize, strides, padding, data_format='NDHWC', name=None",
     .call = api_pool_op, .data = "3AvgPool"},
    {"tf.nn.max_pool_with_argmax", SF_TF1,
     "input, ksize, strides, padding, data_format='NHWC', Targmax=None, name=None, "
     "output_dtype=None, include_batch_in_index=False",
     .op = "MaxPoolWithArgmax", .rename = "output_dtype=Targmax data_format="},
    {"tf.nn.max_pool_with_argmax", SF_TF2,
     "input, ksize, strides, padding, data_format='NHWC', output_dtype=tf.int64, "
     "include_batch_in_index=False, name=None",
     .op = "MaxPoolWithArgmax", .call = api_pool_argmax,
     .rename = "output_dtype=Targmax data_format="},
    {"tf.nn.pool", SF_TF1,
     "input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, "
     "name=None, data_format=None, dilations=None", .call = api_any_pool},
    {"tf.nn.pool", SF_TF2,
     "input, window_shape, pooling_type, strides=None, padding='VALID', data_format=None, "
     "dilations=None, name=None", .call = api_any_pool},
    {"tf.nn.fractional_max_pool", SF_TF1,
     "value, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, "
     "seed=0, seed2=0, name=None", .op = "FractionalMaxPool", .call = api_fractional_pool},
    {"tf.nn.fractional_max_pool", SF_TF2,
     "value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None",
     .op = "FractionalMaxPool", .call = api_fractional_pool},
    {"tf.nn.fractional_avg_pool", SF_TF1,
     "value, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, "
     "seed=0, seed2=0, name=None", .op = "FractionalAvgPool", .call = api_fractional_pool},
    {"tf.nn.fractional_avg_pool", SF_TF2,
     "value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None",
     .op = "FractionalAvgPool", .call = api_fractional_pool},
};
/* clang-format on */
const SfApiTable sf_api_pool = {rows, SF_ARRAY_LEN(rows), "pool"};
