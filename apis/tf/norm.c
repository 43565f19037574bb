/* Normalisation in tf.nn: moments, batch_normalization, l2_normalize. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

/* l2_normalize */
static SfStatus body_l2_normalize(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, axes, sum;
    const SfArg *axis;
    double epsilon = 1e-12;
    SF_TRY(sf_api_either(c, "axis", "dim", &axis));
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_api_float(c, "epsilon", &epsilon));
    SF_TRY(sf_compose_unary(c, "Square", NULL, x, &sum));
    SF_TRY(sf_compose_reduction_dims(c, x, axis, &axes));
    SF_TRY(sf_compose_reduce(c, "Sum", NULL, sum, axes, true, &sum));
    SF_TRY(sf_compose_binary_const(c, "Maximum", NULL, sum, epsilon, &sum));
    SF_TRY(sf_compose_unary(c, "Rsqrt", NULL, sum, &sum));
    return sf_compose_binary(c, "Mul", scope, x, sum, out);
}

/* moments */
static SfStatus read_keep(SfCall *c, bool *keep)
{
    const SfArg *a;
    SF_TRY(sf_api_either(c, "keepdims", "keep_dims", &a));
    const bool old = a == sf_api_arg(c, "keep_dims") && a != sf_api_arg(c, "keepdims");
    return sf_api_bool(c, old ? "keep_dims" : "keepdims", keep);
}

/* Drops the reduced axes of two tensors that kept them. */
static SfStatus drop_axes(SfCall *c, const SfArg *axes, SfTensor *mean, SfTensor *variance)
{
    int64_t *items = NULL;
    int n = 0;
    if (axes->kind == SF_ARG_TENSOR) {
        return SF_OK;
    }
    SF_TRY(sf_api_ints(c, "axes", &items, &n));
    SF_TRY(sf_compose_squeeze(c, *mean, items, n, NULL, mean));
    return sf_compose_squeeze(c, *variance, items, n, NULL, variance);
}

static SfStatus moments(SfCall *c, SfTensor *out)
{
    SfTensor x, y, axes, mean, diff;
    bool keep = false;
    const SfArg *axes_arg = sf_api_arg(c, "axes");
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(read_keep(c, &keep));
    const SfDtype dtype = sf_tensor_dtype(x);
    const bool half = dtype == SF_DT_HALF || dtype == SF_DT_BFLOAT16;
    SF_TRY(sf_compose_cast(c, x, half ? SF_DT_FLOAT : dtype, NULL, &y));
    SF_TRY(sf_compose_reduction_dims(c, y, axes_arg, &axes));
    SF_TRY(sf_compose_reduce(c, "Mean", "mean", y, axes, true, &mean));
    SF_TRY(sf_compose_unary(c, "StopGradient", NULL, mean, &diff));
    SF_TRY(sf_compose_binary(c, "SquaredDifference", NULL, y, diff, &diff));
    out[0] = mean;
    SF_TRY(sf_compose_reduce(c, "Mean", "variance", diff, axes, true, &out[1]));
    if (!keep) {
        SF_TRY(drop_axes(c, axes_arg, &out[0], &out[1]));
    }
    SF_TRY(sf_compose_cast(c, out[0], dtype, NULL, &out[0]));
    return sf_compose_cast(c, out[1], dtype, NULL, &out[1]);
}

typedef SfStatus (*TupleBody)(SfCall *c, SfTensor *out);

/* A composition with `n` results in a scope. */
static SfStatus scoped_tuple(SfCall *c, const char *fallback, TupleBody body, int n)
{
    SfTensor out[4];
    SfScope scope;
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c), fallback, &scope));
    const SfStatus st = body(c, out);
    sf_api_scope_exit(c, &scope);
    if (st == SF_OK) {
        sf_compose_return(c, out, n);
    }
    return st;
}

static SfStatus api_moments(SfCall *c)
{
    return scoped_tuple(c, "moments", moments, 2);
}

/* Weighted: sums of w * x and w * x^2 over the sum of the weights. */
static SfStatus weighted_moments(SfCall *c, SfTensor *out)
{
    SfTensor x, w, axes, total, mean, square;
    bool keep = false;
    const SfArg *axes_arg = sf_api_arg(c, "axes");
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_compose_arg_hint(c, "frequency_weights", x.dtype, &w));
    SF_TRY(sf_compose_cast(c, w, x.dtype, NULL, &w));
    SF_TRY(read_keep(c, &keep));
    SF_TRY(sf_compose_reduction_dims(c, x, axes_arg, &axes));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, w, x, &mean));
    SF_TRY(sf_compose_unary(c, "ZerosLike", NULL, x, &total));
    SF_TRY(sf_compose_binary(c, "AddV2", NULL, total, w, &total));
    SF_TRY(sf_compose_reduce(c, "Sum", NULL, total, axes, true, &total));
    SF_TRY(sf_compose_reduce(c, "Sum", NULL, mean, axes, true, &mean));
    SF_TRY(sf_compose_binary(c, "RealDiv", NULL, mean, total, &mean));
    SF_TRY(sf_compose_binary(c, "SquaredDifference", NULL, x, mean, &square));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, w, square, &square));
    SF_TRY(sf_compose_reduce(c, "Sum", NULL, square, axes, true, &square));
    out[0] = mean;
    SF_TRY(sf_compose_binary(c, "RealDiv", NULL, square, total, &out[1]));
    return keep ? SF_OK : drop_axes(c, axes_arg, &out[0], &out[1]);
}

static SfStatus api_weighted_moments(SfCall *c)
{
    return scoped_tuple(c, "weighted_moments", weighted_moments, 2);
}

/* counts, sum, sum of squares, shift */
static SfStatus sufficient_statistics(SfCall *c, SfTensor *out)
{
    SfTensor x, shape, axes, dims, zero, gather[3], square;
    bool keep = false;
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(read_keep(c, &keep));
    SF_TRY(sf_compose_reduction_dims(c, x, sf_api_arg(c, "axes"), &axes));
    SF_TRY(sf_compose_shape(c, x, SF_DT_INT32, NULL, &shape));
    SF_TRY(sf_compose_cast(c, shape, x.dtype, NULL, &dims));
    SF_TRY(sf_api_const_int(c, 0, SF_DT_INT32, NULL, &zero));
    gather[0] = dims;
    gather[1] = axes;
    gather[2] = zero;
    SF_TRY(sf_api_op(c, "GatherV2", NULL, gather, 3, NULL, 0, &dims));
    SF_TRY(sf_compose_reduce_all(c, "Prod", "count", dims, &out[0]));
    SF_TRY(sf_compose_unary(c, "Square", NULL, x, &square));
    SF_TRY(sf_compose_reduce(c, "Sum", "mean_ss", x, axes, keep, &out[1]));
    return sf_compose_reduce(c, "Sum", "var_ss", square, axes, keep, &out[2]);
}

static SfStatus api_sufficient_statistics(SfCall *c)
{
    SfTensor out[4];
    const SfArg *shift = sf_api_arg(c, "shift");
    SfScope scope;
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c), "sufficient_statistics", &scope));
    SfStatus st = sufficient_statistics(c, out);
    if (st == SF_OK && !sf_arg_is_none(shift)) {
        st = sf_api_tensor_named(c, shift, sf_tensor_dtype(out[1]), "shift", &out[3]);
    }
    sf_api_scope_exit(c, &scope);
    if (st == SF_OK) { /* without a shift the fourth is None: three results */
        sf_compose_return(c, out, sf_arg_is_none(shift) ? 3 : 4);
    }
    return st;
}

static SfStatus normalize_moments(SfCall *c, SfTensor *out)
{
    SfTensor counts, mean_ss, var_ss, shift, square;
    SF_TRY(sf_compose_arg(c, "counts", &counts));
    SF_TRY(sf_compose_arg(c, "mean_ss", &mean_ss));
    SF_TRY(sf_compose_arg(c, "variance_ss", &var_ss));
    SF_TRY(sf_compose_unary(c, "Reciprocal", "divisor", counts, &counts));
    SF_TRY(sf_compose_binary(c, "Mul", "mean", mean_ss, counts, &out[0]));
    SF_TRY(sf_compose_unary(c, "Square", NULL, out[0], &square));
    if (!sf_arg_is_none(sf_api_arg(c, "shift"))) {
        SF_TRY(sf_compose_arg(c, "shift", &shift));
        SF_TRY(sf_compose_binary(c, "AddV2", "mean", out[0], shift, &out[0]));
    }
    SF_TRY(sf_compose_binary(c, "Mul", NULL, var_ss, counts, &var_ss));
    return sf_compose_binary(c, "Sub", "variance", var_ss, square, &out[1]);
}

static SfStatus api_normalize_moments(SfCall *c)
{
    return scoped_tuple(c, "normalize", normalize_moments, 2);
}

/* batch normalisation */
typedef struct Norm {
    SfTensor x, mean, variance, offset, scale;
    bool has_offset, has_scale;
    const SfArg *epsilon;
} Norm;

/* x * inv + (offset - mean * inv), inv = rsqrt(variance + epsilon) * scale */
static SfStatus normalize(SfCall *c, const Norm *n, SfTensor *out)
{
    SfTensor inv, epsilon, shift;
    const char *add = sf_api_version(c) < SF_VERSION(1, 15) ? "Add" : "AddV2";
    SF_TRY(sf_api_tensor_named(c, n->epsilon, sf_tensor_dtype(n->variance), "add/y", &epsilon));
    SF_TRY(sf_compose_binary(c, add, "add", n->variance, epsilon, &inv));
    SF_TRY(sf_compose_unary(c, "Rsqrt", NULL, inv, &inv));
    if (n->has_scale) {
        SF_TRY(sf_compose_binary(c, "Mul", "mul", inv, n->scale, &inv));
    }
    SF_TRY(sf_compose_cast(c, inv, n->x.dtype, NULL, &shift));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", n->x, shift, out));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", n->mean, inv, &shift));
    if (n->has_offset) {
        SF_TRY(sf_compose_binary(c, "Sub", "sub", n->offset, shift, &shift));
    } else {
        SF_TRY(sf_compose_unary(c, "Neg", NULL, shift, &shift));
    }
    SF_TRY(sf_compose_cast(c, shift, n->x.dtype, NULL, &shift));
    return sf_compose_binary(c, add, "add", *out, shift, out);
}

static SfStatus read_optional(SfCall *c, const char *param, SfTensor *out, bool *has)
{
    *has = !sf_arg_is_none(sf_api_arg(c, param));
    return *has ? sf_compose_arg(c, param, out) : SF_OK;
}

static SfStatus body_batch_norm(SfCall *c, const char *scope, SfTensor *out)
{
    Norm n = {.epsilon = sf_api_arg(c, "variance_epsilon")};
    SF_TRY(sf_compose_arg(c, "x", &n.x));
    SF_TRY(sf_compose_arg(c, "mean", &n.mean));
    SF_TRY(sf_compose_arg(c, "variance", &n.variance));
    SF_TRY(read_optional(c, "offset", &n.offset, &n.has_offset));
    SF_TRY(read_optional(c, "scale", &n.scale, &n.has_scale));
    return normalize(c, &n, out);
}

static SfStatus body_batch_norm_global(SfCall *c, const char *scope, SfTensor *out)
{
    Norm n = {.epsilon = sf_api_arg(c, "variance_epsilon"), .has_offset = true};
    const SfArg *x, *mean, *variance;
    SF_TRY(sf_api_either(c, "input", "t", &x));
    SF_TRY(sf_api_either(c, "mean", "m", &mean));
    SF_TRY(sf_api_either(c, "variance", "v", &variance));
    SF_TRY(sf_api_tensor(c, x, SF_DT_INVALID, &n.x));
    SF_TRY(sf_api_tensor(c, mean, SF_DT_INVALID, &n.mean));
    SF_TRY(sf_api_tensor(c, variance, SF_DT_INVALID, &n.variance));
    SF_TRY(sf_compose_arg(c, "beta", &n.offset));
    SF_TRY(sf_api_bool(c, "scale_after_normalization", &n.has_scale));
    if (n.has_scale) {
        SF_TRY(sf_compose_arg(c, "gamma", &n.scale));
    }
    return normalize(c, &n, out);
}

/* fused_batch_norm: y, batch_mean, batch_variance; without statistics they are empty tensors. */
static SfStatus statistics(SfCall *c, const char *param, SfTensor *out)
{
    if (!sf_arg_is_none(sf_api_arg(c, param))) {
        return sf_compose_arg(c, param, out);
    }
    const SfShape *empty = sf_shape_vector(0);
    return !empty ? SF_NOMEM
                  : sf_convert_const(c, SF_DT_FLOAT, empty,
                                     sf_value_fill(SF_DT_FLOAT, empty, sf_elem_float(0)), "Const",
                                     out);
}

static SfStatus api_fused_batch_norm(SfCall *c)
{
    enum { OUTPUTS = 6 };
    SfTensor in[5], out[OUTPUTS];
    bool training = true;
    double epsilon = 0.001;
    const char *format = "NHWC";
    int nout = 0;
    SF_TRY(sf_api_bool(c, "is_training", &training));
    SF_TRY(sf_api_float(c, "epsilon", &epsilon));
    SF_TRY(sf_api_string(c, "data_format", &format));
    const bool given =
        !sf_arg_is_none(sf_api_arg(c, "mean")) || !sf_arg_is_none(sf_api_arg(c, "variance"));
    if (training && given && !sf_api_is_v2(c)) {
        return sf_api_value_error(c, "Both 'mean' and 'variance' must be None if is_training is "
                                     "True.");
    }
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "x"), SF_DT_INVALID, "input", &in[0]));
    SF_TRY(sf_compose_arg(c, "scale", &in[1]));
    SF_TRY(sf_compose_arg(c, "offset", &in[2]));
    SF_TRY(statistics(c, "mean", &in[3]));
    SF_TRY(statistics(c, "variance", &in[4]));
    const SfAttrArg attrs[] = {
        SF_AFLOAT("epsilon", epsilon > 1.001e-5 ? epsilon : 1.001e-5),
        SF_ABOOL("is_training", training),
        {.name = "data_format", .value = sf_attr_make_string(format)},
    };
    const char *op = sf_api_version(c) < SF_VERSION(1, 9) ? "FusedBatchNorm" : "FusedBatchNormV3";
    SF_TRY(sf_api_op_multi(c, op, sf_api_name(c), in, 5, NULL, attrs, SF_ARRAY_LEN(attrs), out,
                           OUTPUTS, &nout));
    sf_compose_return(c, out, 3);
    return SF_OK;
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.linalg.l2_normalize tf.math.l2_normalize tf.nn.l2_normalize", SF_TF12,
     "x, axis=None, epsilon=1e-12, name=None, dim=None",
     SF_SCOPED("l2_normalize", body_l2_normalize)},
    {"tf.nn.moments", SF_TF1, "x, axes, shift=None, name=None, keep_dims=None, keepdims=None",
     .call = api_moments},
    {"tf.nn.moments", SF_TF2, "x, axes, shift=None, keepdims=False, name=None",
     .call = api_moments},
    {"tf.nn.weighted_moments", SF_TF1,
     "x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None",
     .call = api_weighted_moments},
    {"tf.nn.weighted_moments", SF_TF2, "x, axes, frequency_weights, keepdims=False, name=None",
     .call = api_weighted_moments},
    {"tf.nn.sufficient_statistics", SF_TF1,
     "x, axes, shift=None, keep_dims=None, name=None, keepdims=None",
     .call = api_sufficient_statistics},
    {"tf.nn.sufficient_statistics", SF_TF2, "x, axes, shift=None, keepdims=False, name=None",
     .call = api_sufficient_statistics},
    {"tf.nn.normalize_moments", SF_TF12, "counts, mean_ss, variance_ss, shift, name=None",
     .call = api_normalize_moments},
    {"tf.nn.batch_normalization", SF_TF12,
     "x, mean, variance, offset, scale, variance_epsilon, name=None",
     SF_SCOPED("batchnorm", body_batch_norm)},
    {"tf.nn.batch_norm_with_global_normalization", SF_TF1,
     "t=None, m=None, v=None, beta=None, gamma=None, variance_epsilon=None, "
     "scale_after_normalization=None, name=None, input=None, mean=None, variance=None",
     SF_SCOPED("batchnorm", body_batch_norm_global)},
    {"tf.nn.batch_norm_with_global_normalization", SF_TF2,
     "input, mean, variance, beta, gamma, variance_epsilon, scale_after_normalization, name=None",
     SF_SCOPED("batchnorm", body_batch_norm_global)},
    {"tf.nn.fused_batch_norm", SF_TF1,
     "x, scale, offset, mean=None, variance=None, epsilon=0.001, data_format='NHWC', "
     "is_training=True, name=None, exponential_avg_factor=1.0", .call = api_fused_batch_norm},
};
/* clang-format on */
const SfApiTable sf_api_norm = {rows, SF_ARRAY_LEN(rows), "norm"};
