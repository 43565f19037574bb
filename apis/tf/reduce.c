/* Reductions and scans: tf.reduce_*, argmax, cumsum. */
#include "apis/apis.h"
#include "apis/lint.h"
#include "apis/tf/compose.h"
#include "core/graph/trace.h"

#include <string.h>

enum { ARGS_MAX = 12 };

/* The arguments of this call, to change some of them. */
static bool copy_args(const SfCall *c, SfArg *args)
{
    if (c->sig->nparams > ARGS_MAX) {
        return false;
    }
    memcpy(args, c->args, sizeof *args * (size_t)c->sig->nparams);
    return true;
}

static bool keeps_dims(const SfCall *c)
{
    const SfArg *now = sf_api_arg(c, "keepdims"), *old = sf_api_arg(c, "keep_dims");
    return (now->kind == SF_ARG_BOOL && now->u.b) || (old->kind == SF_ARG_BOOL && old->u.b);
}

/* An unknown number of axes, all of them: the result is a scalar all the same. */
static SfStatus whole_is_scalar(SfCall *c, SfTensor x, bool keep, SfTensor *out)
{
    return sf_tensor_rank(x) < 0 && !keep ? sf_compose_set_shape(c, out, sf_shape_scalar()) : SF_OK;
}

/* tf.reduce_sum(x): an axis of None means all of them, as a constant beside the op. */
static SfStatus api_reduce(SfCall *c)
{
    const int axis = c->sig->input_param[1];
    const SfArg *given = &c->args[axis];
    for (int i = 0; i < c->sig->nparams && c->sig->naliases > 0; i++) {
        if (c->sig->alias_of[i] == axis && !sf_arg_is_none(&c->args[i])) {
            given = &c->args[i];
        }
    }
    SfArg args[ARGS_MAX];
    if (!sf_arg_is_none(given) || !copy_args(c, args)) {
        return sf_api_apply(c, c->args);
    }
    SfTensor x, axes;
    SF_TRY(sf_api_tensor(c, &c->args[0], SF_DT_INVALID, &x));
    SF_TRY(sf_compose_reduction_dims(c, x, given, &axes));
    args[0] = (SfArg){.kind = SF_ARG_TENSOR, .u.tensor = x};
    args[axis] = (SfArg){.kind = SF_ARG_TENSOR, .u.tensor = axes};
    SF_TRY(sf_api_apply(c, args));
    return whole_is_scalar(c, x, keeps_dims(c), &c->results[0]);
}

/* A mean or a sum, which may be a metric. */
static SfStatus api_average(SfCall *c)
{
    int output;
    SF_TRY(api_reduce(c));
    const SfTensor *out = &c->results[0];
    const SfNode *n = out->node ? out->node : sf_trace_find(c->b->trace, out, &output);
    if (n) {
        sf_lint_metric(n, !out->node, c->b->sink);
    }
    return SF_OK;
}

/* axis=None is 0. */
static SfStatus api_argmax(SfCall *c)
{
    const int axis = c->sig->input_param[1];
    SfArg args[ARGS_MAX];
    for (int i = 0; i < c->sig->nparams; i++) {
        const bool names_axis = i == axis || (c->sig->naliases > 0 && c->sig->alias_of[i] == axis);
        if (names_axis && !sf_arg_is_none(&c->args[i])) {
            return sf_api_apply(c, c->args);
        }
    }
    if (!copy_args(c, args)) {
        return sf_api_apply(c, c->args);
    }
    args[axis] = (SfArg){.kind = SF_ARG_INT, .u.i = 0};
    return sf_api_apply(c, args);
}

/* compositions over a reduction */
typedef struct Reduction {
    SfTensor x, axes;
    bool keep, all; /* all: the axis is None */
} Reduction;

static SfStatus reduce(SfCall *c, const char *op, const Reduction *r, SfTensor x, SfTensor *out)
{
    SF_TRY(sf_compose_reduce(c, op, NULL, x, r->axes, r->keep, out));
    return r->all ? whole_is_scalar(c, r->x, r->keep, out) : SF_OK;
}

/* Reads input, axis and keepdims under any of their names. */
static SfStatus read_reduction(SfCall *c, const char *input, Reduction *r)
{
    const SfArg *axis, *keep;
    const bool v1 = sf_api_arg(c, "keep_dims") != sf_api_arg(c, "no such parameter");
    r->keep = false;
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, input), SF_DT_INVALID, input, &r->x));
    SF_TRY(sf_api_either(c, "axis", "reduction_indices", &axis));
    SF_TRY(sf_api_either(c, "keepdims", "keep_dims", &keep));
    SF_TRY(sf_api_bool(c, v1 && keep == sf_api_arg(c, "keep_dims") ? "keep_dims" : "keepdims",
                       &r->keep));
    r->all = sf_arg_is_none(axis);
    return sf_compose_reduction_dims(c, r->x, axis, &r->axes);
}

/* log(sum(exp(x - max))) + max, where no gradient flows through the maximum. */
static SfStatus body_logsumexp(SfCall *c, const char *scope, SfTensor *out)
{
    Reduction r;
    SfTensor max, zeros, finite, sum;
    SF_TRY(read_reduction(c, "input_tensor", &r));
    SF_TRY(sf_compose_reduce(c, "Max", NULL, r.x, r.axes, true, &max));
    SF_TRY(sf_compose_unary(c, "IsFinite", NULL, max, &finite));
    SF_TRY(sf_compose_unary(c, "ZerosLike", "zeros_like", max, &zeros));
    const SfTensor in[] = {finite, max, zeros};
    SF_TRY(sf_api_op(c, "Select", NULL, in, 3, NULL, 0, &max));
    SF_TRY(sf_compose_unary(c, "StopGradient", NULL, max, &max));
    SF_TRY(sf_compose_binary(c, "Sub", NULL, r.x, max, &sum));
    SF_TRY(sf_compose_unary(c, "Exp", NULL, sum, &sum));
    SF_TRY(reduce(c, "Sum", &r, sum, &sum));
    SF_TRY(sf_compose_unary(c, "Log", NULL, sum, &sum));
    if (!r.keep) {
        SF_TRY(reduce(c, "Max", &r, max, &max));
    }
    const int version = sf_api_version(c);
    const char *name = version < SF_VERSION(1, 9)   ? "add"
                       : version < SF_VERSION(2, 0) ? "Add"
                                                    : scope;
    return sf_compose_binary(c, version < SF_VERSION(2, 0) ? "Add" : "AddV2", name, sum, max, out);
}

static SfStatus variance(SfCall *c, const char *name, SfTensor *out)
{
    Reduction r;
    SfTensor mean, diff;
    SF_TRY(read_reduction(c, "input_tensor", &r));
    if (sf_dtype_is_integer(sf_tensor_dtype(r.x))) {
        return sf_api_type_error(c,
                                 "Input must be either real or complex. Received integer type "
                                 "<dtype: '%s'>.",
                                 sf_dtype_name(r.x.dtype));
    }
    SF_TRY(sf_compose_reduce(c, "Mean", NULL, r.x, r.axes, true, &mean));
    SF_TRY(sf_compose_binary(c, "Sub", "sub", r.x, mean, &diff));
    SF_TRY(sf_compose_unary(c, "Square", NULL, diff, &diff));
    SF_TRY(sf_compose_reduce(c, "Mean", name, diff, r.axes, r.keep, out));
    return r.all ? whole_is_scalar(c, r.x, r.keep, out) : SF_OK;
}

static SfStatus body_variance(SfCall *c, const char *scope, SfTensor *out)
{
    return variance(c, NULL, out);
}

static SfStatus body_std(SfCall *c, const char *scope, SfTensor *out)
{
    SF_TRY(variance(c, NULL, out));
    return sf_compose_unary(c, "Sqrt", NULL, *out, out);
}

static SfStatus count_nonzero(SfCall *c, const char *input, SfTensor *out)
{
    Reduction r;
    SfTensor zero, hits;
    SfDtype dtype = SF_DT_INT64;
    SF_TRY(sf_api_dtype(c, "dtype", &dtype));
    SF_TRY(read_reduction(c, input, &r));
    SF_TRY(sf_compose_scalar(c, 0, r.x.dtype, "zeros", &zero));
    SF_TRY(sf_compose_binary(c, "NotEqual", NULL, r.x, zero, &hits));
    SF_TRY(sf_compose_cast(c, hits, SF_DT_INT64, "ToInt64", &hits));
    SF_TRY(reduce(c, "Sum", &r, hits, out));
    return sf_compose_cast(c, *out, dtype, "ToInt", out);
}

static SfStatus body_count_nonzero(SfCall *c, const char *scope, SfTensor *out)
{
    const bool by_input = sf_arg_is_none(sf_api_arg(c, "input_tensor"));
    return count_nonzero(c, by_input ? "input" : "input_tensor", out);
}

#define RENAME_V2 "input_tensor=input axis=reduction_indices keepdims=keep_dims"
#define RENAME_V1 RENAME_V2 " reduction_indices=reduction_indices keep_dims=keep_dims"

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.reduce_sum tf.math.reduce_sum", SF_TF1,
     "input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None",
     .op = "Sum", .call = api_average, .rename = RENAME_V1},
    {"tf.reduce_sum tf.math.reduce_sum", SF_TF2,
     "input_tensor, axis=None, keepdims=False, name=None",
     .op = "Sum", .call = api_average, .rename = RENAME_V2},
    {"tf.reduce_mean tf.math.reduce_mean", SF_TF1,
     "input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None",
     .op = "Mean", .call = api_average, .rename = RENAME_V1},
    {"tf.reduce_mean tf.math.reduce_mean", SF_TF2,
     "input_tensor, axis=None, keepdims=False, name=None",
     .op = "Mean", .call = api_average, .rename = RENAME_V2},
    {"tf.reduce_prod tf.math.reduce_prod", SF_TF1,
     "input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None",
     .op = "Prod", .call = api_reduce, .rename = RENAME_V1},
    {"tf.reduce_prod tf.math.reduce_prod", SF_TF2,
     "input_tensor, axis=None, keepdims=False, name=None",
     .op = "Prod", .call = api_reduce, .rename = RENAME_V2},
    {"tf.reduce_max tf.math.reduce_max", SF_TF1,
     "input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None",
     .op = "Max", .call = api_reduce, .rename = RENAME_V1},
    {"tf.reduce_max tf.math.reduce_max", SF_TF2,
     "input_tensor, axis=None, keepdims=False, name=None",
     .op = "Max", .call = api_reduce, .rename = RENAME_V2},
    {"tf.reduce_min tf.math.reduce_min", SF_TF1,
     "input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None",
     .op = "Min", .call = api_reduce, .rename = RENAME_V1},
    {"tf.reduce_min tf.math.reduce_min", SF_TF2,
     "input_tensor, axis=None, keepdims=False, name=None",
     .op = "Min", .call = api_reduce, .rename = RENAME_V2},
    {"tf.reduce_all tf.math.reduce_all", SF_TF1,
     "input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None",
     .op = "All", .call = api_reduce, .rename = RENAME_V1},
    {"tf.reduce_all tf.math.reduce_all", SF_TF2,
     "input_tensor, axis=None, keepdims=False, name=None",
     .op = "All", .call = api_reduce, .rename = RENAME_V2},
    {"tf.reduce_any tf.math.reduce_any", SF_TF1,
     "input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None",
     .op = "Any", .call = api_reduce, .rename = RENAME_V1},
    {"tf.reduce_any tf.math.reduce_any", SF_TF2,
     "input_tensor, axis=None, keepdims=False, name=None",
     .op = "Any", .call = api_reduce, .rename = RENAME_V2},
    {"tf.math.reduce_euclidean_norm", SF_TF12,
     "input_tensor, axis=None, keepdims=False, name=None",
     .op = "EuclideanNorm", .call = api_reduce, .rename = RENAME_V2},
    {"tf.reduce_logsumexp tf.math.reduce_logsumexp", SF_TF1,
     "input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None",
     SF_SCOPED("ReduceLogSumExp", body_logsumexp)},
    {"tf.reduce_logsumexp tf.math.reduce_logsumexp", SF_TF2,
     "input_tensor, axis=None, keepdims=False, name=None",
     SF_SCOPED("ReduceLogSumExp", body_logsumexp)},
    {"tf.math.reduce_variance", SF_TF12, "input_tensor, axis=None, keepdims=False, name=None",
     SF_SCOPED("reduce_variance", body_variance)},
    {"tf.math.reduce_std", SF_TF12, "input_tensor, axis=None, keepdims=False, name=None",
     SF_SCOPED("reduce_std", body_std)},
    {"tf.count_nonzero tf.math.count_nonzero", SF_TF1,
     "input_tensor=None, axis=None, keepdims=None, dtype=tf.int64, name=None, "
     "reduction_indices=None, keep_dims=None, input=None",
     SF_SCOPED("count_nonzero", body_count_nonzero)},
    {"tf.math.count_nonzero", SF_TF2, "input, axis=None, keepdims=None, dtype=tf.int64, name=None",
     SF_SCOPED("count_nonzero", body_count_nonzero)},
    {"tf.argmax tf.math.argmax", SF_TF1,
     "input, axis=None, name=None, dimension=None, output_type=tf.int64",
     .op = "ArgMax", .call = api_argmax, .rename = "axis=dimension dimension=dimension"},
    {"tf.argmax tf.math.argmax", SF_TF2, "input, axis=None, output_type=tf.int64, name=None",
     .op = "ArgMax", .call = api_argmax, .rename = "axis=dimension"},
    {"tf.argmin tf.math.argmin", SF_TF1,
     "input, axis=None, name=None, dimension=None, output_type=tf.int64",
     .op = "ArgMin", .call = api_argmax, .rename = "axis=dimension dimension=dimension"},
    {"tf.argmin tf.math.argmin", SF_TF2, "input, axis=None, output_type=tf.int64, name=None",
     .op = "ArgMin", .call = api_argmax, .rename = "axis=dimension"},
    {"tf.arg_max", SF_TF1, "input, dimension, output_type=tf.int64, name=None", .op = "ArgMax"},
    {"tf.arg_min", SF_TF1, "input, dimension, output_type=tf.int64, name=None", .op = "ArgMin"},
    {"tf.cumsum tf.math.cumsum", SF_TF12, "x, axis=0, exclusive=False, reverse=False, name=None",
     .op = "Cumsum"},
    {"tf.math.cumprod", SF_TF12, "x, axis=0, exclusive=False, reverse=False, name=None",
     .op = "Cumprod"},
    {"tf.cumprod", SF_TF1, "x, axis=0, exclusive=False, reverse=False, name=None", .op = "Cumprod"},
    {"tf.math.cumulative_logsumexp", SF_TF12,
     "x, axis=0, exclusive=False, reverse=False, name=None", .op = "CumulativeLogsumexp"},
};
/* clang-format on */
const SfApiTable sf_api_reduce = {rows, SF_ARRAY_LEN(rows), "reduce"};
