/* Losses of tf.nn: cross entropies and their relatives. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

/* arguments */
/* nn_ops._ensure_xent_args: labels and logits by name, both given. */
static SfStatus check_xent_args(SfCall *c, const char *function)
{
    if (!sf_arg_is_none(sf_api_arg(c, "_sentinel"))) {
        return sf_api_value_error(c,
                                  "Only call `%s` with named arguments (labels=..., logits=..., "
                                  "...)",
                                  function);
    }
    if (sf_arg_is_none(sf_api_arg(c, "labels")) || sf_arg_is_none(sf_api_arg(c, "logits"))) {
        const char *missing = sf_arg_is_none(sf_api_arg(c, "labels")) ? "labels" : "logits";
        return sf_api_is_v2(c) ? sf_api_value_error(c, "Argument `%s` must not be None.", missing)
                               : sf_api_value_error(c, "Both labels and logits must be provided.");
    }
    return SF_OK;
}

/* Half precision is summed in float32. */
static SfStatus precise(SfCall *c, SfTensor logits, SfTensor *out)
{
    const SfDtype t = sf_tensor_dtype(logits);
    const bool half = t == SF_DT_HALF || t == SF_DT_BFLOAT16;
    return sf_compose_cast(c, logits, half ? SF_DT_FLOAT : t, NULL, out);
}

static SfStatus xent_op(SfCall *c, const char *op, const char *name, SfTensor logits,
                        SfTensor labels, SfTensor *out)
{
    const SfTensor in[] = {logits, labels};
    SfTensor outs[2];
    int n = 0;
    SF_TRY(sf_api_op_multi(c, op, name, in, 2, NULL, NULL, 0, outs, 2, &n));
    *out = outs[0];
    return SF_OK;
}

/* softmax cross entropy */
/* The class axis becomes the last one. */
static SfStatus move_last(SfCall *c, SfTensor x, int64_t axis, SfTensor *out)
{
    const int rank = sf_tensor_rank(x);
    const int64_t at = axis < 0 ? axis + rank : axis;
    *out = x;
    if (rank < 0 || at == rank - 1 || at < 0 || at >= rank) {
        return SF_OK;
    }
    int64_t *perm = sf_arena_alloc(c->arena, sizeof *perm * (size_t)rank);
    SF_TRY_ALLOC(perm);
    for (int i = 0, next = 0; i < rank; i++) {
        next += next == at;
        perm[i] = i == rank - 1 ? at : next++;
    }
    return sf_compose_transpose(c, x, perm, rank, "transpose", out);
}

static SfStatus softmax_xent(SfCall *c, const char *scope, SfTensor labels, SfTensor logits,
                             SfTensor *out)
{
    const SfArg *axis_arg;
    int64_t axis = -1;
    SfTensor sharp, shape;
    SF_TRY(sf_api_either(c, "axis", "dim", &axis_arg));
    sf_arg_as_int(axis_arg, &axis);
    SF_TRY(precise(c, logits, &sharp));
    SF_TRY(sf_compose_cast(c, labels, sharp.dtype, NULL, &labels));
    const int rank = sf_tensor_rank(sharp);
    SF_TRY(move_last(c, sharp, axis, &sharp));
    SF_TRY(move_last(c, labels, axis, &labels));
    SF_TRY(sf_compose_shape(c, sharp, SF_DT_INT32, "Shape", &shape));
    SF_TRY(sf_compose_flatten_outer(c, sharp, &sharp));
    SF_TRY(sf_compose_flatten_outer(c, labels, &labels));
    SF_TRY(xent_op(c, "SoftmaxCrossEntropyWithLogits", scope, sharp, labels, out));
    if (!(rank == 2 && sf_api_eager(c))) {
        SF_TRY(sf_compose_vector_slice(c, shape, 0, -1, "Slice", &shape));
        SF_TRY(sf_compose_binary(c, "Reshape", NULL, *out, shape, out));
        SF_TRY(rank < 0 ? SF_OK
                        : sf_compose_set_shape(
                              c, out,
                              sf_shape_remove(logits.shape, (int)(axis < 0 ? axis + rank : axis))));
    }
    return sf_compose_cast(c, *out, logits.dtype, NULL, out);
}

static SfStatus body_softmax_xent(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor logits, labels;
    SF_TRY(sf_compose_arg(c, "logits", &logits));
    SF_TRY(sf_compose_arg_hint(c, "labels", logits.dtype, &labels));
    return softmax_xent(c, scope, labels, logits, out);
}

static SfStatus api_softmax_xent(SfCall *c)
{
    SF_TRY(check_xent_args(c, "softmax_cross_entropy_with_logits"));
    return sf_compose_scoped(c, "softmax_cross_entropy_with_logits", body_softmax_xent);
}

/* The first version stops gradients at the labels; the scope of the second version is inside its
 * own. */
static SfStatus body_softmax_xent_v1(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor logits, labels;
    SfScope inner;
    SF_TRY(sf_compose_arg(c, "labels", &labels));
    SF_TRY(sf_compose_unary(c, "StopGradient", "labels_stop_gradient", labels, &labels));
    SF_TRY(sf_compose_arg(c, "logits", &logits));
    SF_TRY(sf_api_scope_enter(c, scope, NULL, &inner));
    const SfStatus st = softmax_xent(c, inner.scope, labels, logits, out);
    sf_api_scope_exit(c, &inner);
    return st;
}

static SfStatus api_softmax_xent_v1(SfCall *c)
{
    SF_TRY(check_xent_args(c, "softmax_cross_entropy_with_logits"));
    const bool sg = sf_api_version(c) >= SF_VERSION(1, 5);
    return sf_compose_scoped(
        c, sg ? "softmax_cross_entropy_with_logits_sg" : "softmax_cross_entropy_with_logits",
        sg ? body_softmax_xent_v1 : body_softmax_xent);
}

/* sparse softmax cross entropy */
static SfStatus check_sparse_shapes(SfCall *c, SfTensor labels, SfTensor logits)
{
    const int nl = sf_tensor_rank(labels), n = sf_tensor_rank(logits);
    if (n == 0) {
        return sf_api_shape_error(c,
                                  sf_api_is_v2(c)
                                      ? "`logits` cannot be a scalar. Received logits=%s`"
                                      : "Logits cannot be scalars - received shape %s.",
                                  sf_shape_tuple_text(c, logits.shape));
    }
    if (n > 0 && nl >= 0 && nl != n - 1) {
        return sf_api_is_v2(c)
                   ? sf_api_shape_error(c,
                                        "`labels.shape.rank` must equal `logits.shape.rank - 1`. "
                                        "Received: labels.shape=%s of rank %d and logits.shape=%s "
                                        "of rank %d",
                                        sf_shape_tuple_text(c, labels.shape), nl,
                                        sf_shape_tuple_text(c, logits.shape), n)
                   : sf_api_shape_error(c,
                                        "Rank mismatch: Rank of labels (received %d) should equal "
                                        "rank of logits minus 1 (received %d).",
                                        nl, n);
    }
    const SfShape *want = sf_shape_slice(logits.shape, 0, n - 1);
    SF_TRY_ALLOC(want);
    /* A tensor of eager mode has all of its dims, of which some may not be known here. */
    const bool compared =
        sf_api_eager(c) || (sf_shape_is_known(labels.shape) && sf_shape_is_known(logits.shape));
    if (compared && !sf_shape_compatible(want, labels.shape)) {
        return sf_api_is_v2(c)
                   ? sf_api_shape_error(c,
                                        "`labels.shape` must equal `logits.shape` except for the "
                                        "last dimension. Received: labels.shape=%s and "
                                        "logits.shape=%s",
                                        sf_shape_tuple_text(c, labels.shape),
                                        sf_shape_tuple_text(c, logits.shape))
                   : sf_api_shape_error(c,
                                        "Shape mismatch: The shape of labels (received %s) should "
                                        "equal the shape of logits except for the last dimension "
                                        "(received %s).",
                                        sf_shape_tuple_text(c, labels.shape),
                                        sf_shape_tuple_text(c, logits.shape));
    }
    return SF_OK;
}

static SfStatus body_sparse_xent(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor labels, logits, sharp, shape;
    const int64_t flat = -1;
    SF_TRY(sf_compose_arg(c, "labels", &labels));
    SF_TRY(sf_compose_arg(c, "logits", &logits));
    SF_TRY(precise(c, logits, &sharp));
    if (!sf_dtype_is_integer(sf_dtype_base(labels.dtype)) &&
        /* checked before a reshape hides the shape */
        sf_tensor_is_unmodelled(&labels, SF_UNMODELLED_DTYPE)) {
        SF_TRY(sf_build_retyped(c->b, &labels, SF_DT_INT64, &labels));
    }
    SF_TRY(sf_compose_shape(c, labels, SF_DT_INT32, "Shape", &shape));
    SF_TRY(check_sparse_shapes(c, labels, logits));
    const char *op = "SparseSoftmaxCrossEntropyWithLogits", *name = sf_api_name(c);
    if (sf_tensor_rank(logits) == 2) {
        SF_TRY(xent_op(c, op, name, sharp, labels, out));
        return sf_compose_cast(c, *out, logits.dtype, NULL, out);
    }
    SF_TRY(sf_compose_flatten_outer(c, sharp, &sharp));
    SF_TRY(sf_compose_reshape(c, labels, &flat, 1, NULL, &labels));
    SF_TRY(xent_op(c, op, name, sharp, labels, out));
    SF_TRY(sf_compose_binary(c, "Reshape", NULL, *out, shape, out));
    return sf_compose_cast(c, *out, logits.dtype, NULL, out);
}

static SfStatus api_sparse_xent(SfCall *c)
{
    SF_TRY(check_xent_args(c, "sparse_softmax_cross_entropy_with_logits"));
    return sf_compose_scoped(c, "SparseSoftmaxCrossEntropyWithLogits", body_sparse_xent);
}

/* logistic losses */
static SfStatus check_same_shape(SfCall *c, SfTensor a, SfTensor b, const char *one,
                                 const char *two)
{
    if (!sf_shape_is_ranked(a.shape) || !sf_shape_is_ranked(b.shape) ||
        sf_shape_compatible(a.shape, b.shape)) {
        return SF_OK;
    }
    const char *left = sf_shape_tuple_text(c, a.shape), *right = sf_shape_tuple_text(c, b.shape);
    if (sf_api_is_v2(c)) {
        return sf_api_shape_error(c, "`%s` and `%s` must have the same shape, received (%s vs %s).",
                                  one, two, left, right);
    }
    return sf_api_shape_error(c, "%s and %s must have the same shape (%s vs %s)", one, two, left,
                              right);
}

/* max(x, 0) - x * z + log(1 + exp(-|x|)) */
static SfStatus body_sigmoid_xent(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, z, zeros, positive, relu, negative, in[3];
    SF_TRY(sf_compose_arg(c, "logits", &x));
    SF_TRY(sf_compose_arg_hint(c, "labels", x.dtype, &z));
    SF_TRY(check_same_shape(c, x, z, "logits", "labels"));
    SF_TRY(sf_compose_unary(c, "ZerosLike", "zeros_like", x, &zeros));
    SF_TRY(sf_compose_binary(c, "GreaterEqual", NULL, x, zeros, &positive));
    in[0] = positive;
    in[1] = x;
    in[2] = zeros;
    SF_TRY(sf_api_op(c, "Select", NULL, in, 3, NULL, 0, &relu));
    SF_TRY(sf_compose_unary(c, "Neg", NULL, x, &in[1]));
    in[2] = x;
    SF_TRY(sf_api_op(c, "Select", NULL, in, 3, NULL, 0, &negative));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", x, z, &z));
    SF_TRY(sf_compose_binary(c, "Sub", "sub", relu, z, &relu));
    SF_TRY(sf_compose_unary(c, "Exp", NULL, negative, &negative));
    SF_TRY(sf_compose_unary(c, "Log1p", NULL, negative, &negative));
    return sf_compose_binary(c, "Add", scope, relu, negative, out);
}

static SfStatus api_sigmoid_xent(SfCall *c)
{
    SF_TRY(check_xent_args(c, "sigmoid_cross_entropy_with_logits"));
    return sf_compose_scoped(c, "logistic_loss", body_sigmoid_xent);
}

/* Before 1.0: logits, targets. */
static SfStatus body_sigmoid_xent_old(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, z, soft;
    SF_TRY(sf_compose_arg(c, "logits", &x));
    SF_TRY(sf_compose_arg_hint(c, "targets", x.dtype, &z));
    SF_TRY(check_same_shape(c, x, z, "logits", "targets"));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", x, z, &z));
    SF_TRY(sf_compose_unary(c, "Softplus", NULL, x, &soft));
    return sf_compose_binary(c, "Sub", scope, soft, z, out);
}

/* (1 - z) * x + (1 + (q - 1) * z) * (log(1 + exp(-|x|)) + max(-x, 0)) */
static SfStatus body_weighted_xent(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, z, q, weight, soft, relu;
    const SfArg *labels;
    SF_TRY(sf_api_either(c, "labels", "targets", &labels));
    SF_TRY(sf_compose_arg(c, "logits", &x));
    SF_TRY(sf_api_tensor_hint(c, labels, x.dtype, "labels", &z));
    SF_TRY(sf_compose_arg_hint(c, "pos_weight", x.dtype, &q));
    SF_TRY(check_same_shape(c, x, z, "logits",
                            sf_api_version(c) < SF_VERSION(1, 14) ? "targets" : "labels"));
    SF_TRY(sf_compose_binary_const(c, "Sub", "sub", q, 1, &weight));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", weight, z, &weight));
    SF_TRY(sf_compose_const_binary(c, "Add", "add", 1, weight, &weight));
    SF_TRY(sf_compose_const_binary(c, "Sub", "sub", 1, z, &z));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", z, x, &z));
    SF_TRY(sf_compose_unary(c, "Abs", NULL, x, &soft));
    SF_TRY(sf_compose_unary(c, "Neg", NULL, soft, &soft));
    SF_TRY(sf_compose_unary(c, "Exp", NULL, soft, &soft));
    SF_TRY(sf_compose_unary(c, "Log1p", NULL, soft, &soft));
    SF_TRY(sf_compose_unary(c, "Neg", NULL, x, &relu));
    SF_TRY(sf_compose_unary(c, "Relu", NULL, relu, &relu));
    SF_TRY(sf_compose_binary(c, "Add", "add", soft, relu, &soft));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", weight, soft, &soft));
    return sf_compose_binary(c, "Add", scope, z, soft, out);
}

static SfStatus body_log_poisson(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, z, product;
    SF_TRY(sf_compose_arg(c, "log_input", &x));
    SF_TRY(sf_compose_arg_hint(c, "targets", x.dtype, &z));
    SF_TRY(check_same_shape(c, x, z, "log_input", "targets"));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", x, z, &product));
    SF_TRY(sf_compose_unary(c, "Exp", NULL, x, &x));
    return sf_compose_binary(c, "Sub", "sub", x, product, out);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.nn.softmax_cross_entropy_with_logits", SF_TF1, "logits, labels, dim=-1, name=None",
     .call = api_softmax_xent, .until = SF_VERSION(1, 0)},
    {"tf.nn.softmax_cross_entropy_with_logits", SF_TF1,
     "_sentinel=None, labels=None, logits=None, dim=-1, name=None, axis=None",
     .call = api_softmax_xent_v1, .since = SF_VERSION(1, 0), .until = SF_VERSION(2, 0)},
    {"tf.nn.softmax_cross_entropy_with_logits", SF_TF1,
     "labels=None, logits=None, dim=-1, name=None, axis=None",
     .call = api_softmax_xent_v1, .since = SF_VERSION(2, 0)},
    {"tf.nn.softmax_cross_entropy_with_logits_v2", SF_TF1,
     "_sentinel=None, labels=None, logits=None, dim=None, name=None, axis=None",
     .call = api_softmax_xent, .since = SF_VERSION(1, 5), .until = SF_VERSION(1, 9)},
    {"tf.nn.softmax_cross_entropy_with_logits_v2", SF_TF1,
     "labels, logits, axis=None, name=None, dim=None",
     .call = api_softmax_xent, .since = SF_VERSION(1, 9)},
    {"tf.nn.softmax_cross_entropy_with_logits", SF_TF2, "labels, logits, axis=-1, name=None",
     .call = api_softmax_xent},
    {"tf.nn.sparse_softmax_cross_entropy_with_logits", SF_TF1, "logits, labels, name=None",
     .call = api_sparse_xent, .until = SF_VERSION(1, 0)},
    {"tf.nn.sparse_softmax_cross_entropy_with_logits", SF_TF1,
     "_sentinel=None, labels=None, logits=None, name=None",
     .call = api_sparse_xent, .since = SF_VERSION(1, 0), .until = SF_VERSION(2, 0)},
    {"tf.nn.sparse_softmax_cross_entropy_with_logits", SF_TF1,
     "labels=None, logits=None, name=None", .call = api_sparse_xent, .since = SF_VERSION(2, 0)},
    {"tf.nn.sparse_softmax_cross_entropy_with_logits", SF_TF2, "labels, logits, name=None",
     .call = api_sparse_xent},
    {"tf.nn.sigmoid_cross_entropy_with_logits", SF_TF1, "logits, targets, name=None",
     SF_SCOPED("logistic_loss", body_sigmoid_xent_old), .until = SF_VERSION(1, 0)},
    {"tf.nn.sigmoid_cross_entropy_with_logits", SF_TF1,
     "_sentinel=None, labels=None, logits=None, name=None",
     .call = api_sigmoid_xent, .since = SF_VERSION(1, 0), .until = SF_VERSION(2, 0)},
    {"tf.nn.sigmoid_cross_entropy_with_logits", SF_TF1, "labels=None, logits=None, name=None",
     .call = api_sigmoid_xent, .since = SF_VERSION(2, 0)},
    {"tf.nn.sigmoid_cross_entropy_with_logits", SF_TF2, "labels=None, logits=None, name=None",
     .call = api_sigmoid_xent},
    {"tf.nn.weighted_cross_entropy_with_logits", SF_TF1, "logits, targets, pos_weight, name=None",
     SF_SCOPED("logistic_loss", body_weighted_xent), .until = SF_VERSION(1, 0)},
    {"tf.nn.weighted_cross_entropy_with_logits", SF_TF1, "targets, logits, pos_weight, name=None",
     SF_SCOPED("logistic_loss", body_weighted_xent),
     .since = SF_VERSION(1, 0), .until = SF_VERSION(1, 14)},
    {"tf.nn.weighted_cross_entropy_with_logits", SF_TF1,
     "labels=None, logits=None, pos_weight=None, name=None, targets=None",
     SF_SCOPED("logistic_loss", body_weighted_xent), .since = SF_VERSION(1, 14)},
    {"tf.nn.weighted_cross_entropy_with_logits", SF_TF2, "labels, logits, pos_weight, name=None",
     SF_SCOPED("logistic_loss", body_weighted_xent)},
    {"tf.nn.log_poisson_loss", SF_TF12, "targets, log_input, compute_full_loss=False, name=None",
     SF_SCOPED("log_poisson_loss", body_log_poisson)},
};
/* clang-format on */
const SfApiTable sf_api_loss = {rows, SF_ARRAY_LEN(rows), "loss"};
