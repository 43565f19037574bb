/* tf.nn: activations, softmax, dropout, embeddings, top_k. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

/* activations */
/* LeakyRelu is an op from 1.13 on; before, it is max(alpha * x, x). */
static SfStatus body_leaky_relu(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, scaled, alpha;
    double slope = 0.2;
    const SfArg *a = sf_api_arg(c, "alpha");
    SF_TRY(sf_compose_arg(c, "features", &x));
    if (sf_dtype_is_integer(sf_tensor_dtype(x))) {
        SF_TRY(sf_compose_cast(c, x, SF_DT_FLOAT, "ToFloat", &x));
    }
    if (a->kind != SF_ARG_TENSOR && sf_api_version(c) >= SF_VERSION(1, 13)) {
        SF_TRY(sf_api_float(c, "alpha", &slope));
        const SfAttrArg attrs[] = {SF_AFLOAT("alpha", slope)};
        return sf_api_op(c, "LeakyRelu", scope, &x, 1, attrs, 1, out);
    }
    SF_TRY(sf_api_tensor_named(c, a, sf_tensor_dtype(x), "alpha", &alpha));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", alpha, x, &scaled));
    return sf_compose_binary(c, "Maximum", NULL, scaled, x, out);
}

static SfStatus body_crelu(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor both[2];
    int64_t axis = -1;
    SF_TRY(sf_compose_arg(c, "features", &both[0]));
    SF_TRY(sf_api_int(c, "axis", &axis));
    SF_TRY(sf_compose_unary(c, "Neg", NULL, both[0], &both[1]));
    SF_TRY(sf_compose_concat(c, both, 2, axis, scope, out));
    return sf_compose_unary(c, "Relu", NULL, *out, out);
}

static SfStatus body_swish(SfCall *c, const char *name, SfTensor *out)
{
    SfTensor x, gate, beta;
    const SfArg *b = sf_api_arg(c, "beta");
    SF_TRY(sf_compose_arg(c, "features", &x));
    gate = x;
    if (b->kind == SF_ARG_TENSOR || (b->kind == SF_ARG_FLOAT && b->u.f != 1)) {
        SF_TRY(sf_api_tensor_named(c, b, sf_tensor_dtype(x), "beta", &beta));
        SF_TRY(sf_compose_binary(c, "Mul", "mul", beta, x, &gate));
    }
    SF_TRY(sf_compose_unary(c, "Sigmoid", NULL, gate, &gate));
    return sf_compose_binary(c, "Mul", "mul", x, gate, out);
}

static SfStatus body_gelu(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, half, gate;
    bool approximate = false;
    SF_TRY(sf_compose_arg(c, "features", &x));
    SF_TRY(sf_api_bool(c, "approximate", &approximate));
    SF_TRY(sf_compose_const_binary(c, "Mul", "mul", 0.5, x, &half));
    SF_TRY(sf_compose_binary_const(c, "RealDiv", "truediv", x, 1.4142135623730951, &gate));
    SF_TRY(sf_compose_unary(c, approximate ? "Tanh" : "Erf", NULL, gate, &gate));
    SF_TRY(sf_compose_const_binary(c, "AddV2", "add", 1, gate, &gate));
    return sf_compose_binary(c, "Mul", "mul_1", half, gate, out);
}

/* softmax */
/* The op over the last axis. The first kernels want a matrix, which the function makes of anything
 * but a matrix that came as one. */
static SfStatus softmax_last(SfCall *c, const char *name, SfTensor x, bool matrix, SfTensor *out)
{
    const char *op = c->sig->row->data;
    SfTensor dims;
    if (sf_api_version(c) >= SF_VERSION(1, 9) || matrix) {
        return sf_compose_unary(c, op, name, x, out);
    }
    SF_TRY(sf_compose_shape(c, x, SF_DT_INT32, NULL, &dims));
    SF_TRY(sf_compose_flatten_outer(c, x, &x));
    SF_TRY(sf_compose_unary(c, op, NULL, x, &x));
    return sf_compose_binary(c, "Reshape", name, x, dims, out);
}

/* Another axis changes places with the last one, there and back. */
static SfStatus body_softmax(SfCall *c, const char *name, SfTensor *out)
{
    const SfArg *axis_arg;
    SfTensor x;
    int64_t axis = -1;
    SF_TRY(sf_api_either(c, "axis", "dim", &axis_arg));
    SF_TRY(sf_compose_arg(c, "logits", &x));
    if (!sf_arg_is_none(axis_arg) && !sf_arg_as_int(axis_arg, &axis)) {
        axis = -1;
    }
    const int rank = sf_tensor_rank(x);
    if (rank < 0 || axis == -1 || axis == rank - 1) {
        return softmax_last(c, name, x, rank == 2, out);
    }
    if (axis < -rank || axis >= rank) {
        return sf_api_shape_error(c,
                                  "`axis` must be in the range [%d, %d) where %d is the number of "
                                  "dimensions in the input. Received: axis=%lld",
                                  -rank, rank, rank, (long long)axis);
    }
    const int64_t at = axis < 0 ? axis + rank : axis;
    int64_t *perm = sf_arena_alloc(c->arena, sizeof *perm * (size_t)rank);
    SF_TRY_ALLOC(perm);
    for (int i = 0; i < rank; i++) {
        perm[i] = i == at ? rank - 1 : i == rank - 1 ? at : i;
    }
    const SfShape *shape = x.shape;
    SF_TRY(sf_compose_transpose(c, x, perm, rank, "transpose", &x));
    SF_TRY(softmax_last(c, NULL, x, false, &x));
    SF_TRY(sf_compose_transpose(c, x, perm, rank, name ? name : "transpose", out));
    return sf_compose_set_shape(c, out, shape);
}

/* dropout */
/* The shape of the mask: x's own, or the argument with x's dims where it says None. */
static SfStatus noise_shape(SfCall *c, SfTensor x, SfTensor *out)
{
    const SfArg *a = sf_api_arg(c, "noise_shape");
    const int rank = sf_tensor_rank(x);
    if (sf_arg_is_none(a)) {
        return sf_compose_shape(c, x, SF_DT_INT32, "Shape", out);
    }
    if (a->kind != SF_ARG_LIST || a->u.list.n != rank || sf_arg_has_tensor(a)) {
        return sf_api_tensor_named(c, a, SF_DT_INT32, "noise_shape", out);
    }
    SfArg *items = sf_arena_alloc(c->arena, sizeof *items * (size_t)(rank + 1));
    SF_TRY_ALLOC(items);
    for (int i = 0; i < rank; i++) {
        const SfDim d = sf_shape_dim(x.shape, i);
        items[i] = a->u.list.items[i];
        if (sf_arg_is_none(&items[i]) && sf_dim_is_known(d)) {
            items[i] = (SfArg){.kind = SF_ARG_INT, .u.i = d};
        }
    }
    const SfArg filled = {.kind = SF_ARG_LIST, .u.list = {rank, items}};
    return sf_api_tensor_named(c, &filled, SF_DT_INT32, "noise_shape", out);
}

static SfStatus check_dropout_input(SfCall *c, SfTensor x)
{
    if (sf_dtype_is_floating(sf_tensor_dtype(x)) || sf_tensor_dtype(x) == SF_DT_INVALID) {
        return SF_OK;
    }
    if (sf_api_is_v2(c)) {
        return sf_api_value_error(
            c,
            "`x.dtype` must be a floating point tensor as `x` will be scaled. "
            "Received: x_dtype=<dtype: '%s'>",
            sf_dtype_name(x.dtype));
    }
    return sf_api_value_error(c,
                              "x has to be a floating point tensor since it's going to be scaled. "
                              "Got a <dtype: '%s'> tensor instead.",
                              sf_dtype_name(x.dtype));
}

/* TensorFlow 1.8: div(x, keep_prob) * floor(keep_prob + uniform). */
static SfStatus dropout_keep(SfCall *c, SfTensor x, SfTensor *out)
{
    SfTensor keep, shape, noise;
    const SfShape *same = x.shape; /* a keep_prob of unknown rank does not change the shape */
    double p = 0.5;
    const SfArg *a = sf_api_arg(c, "keep_prob");
    if (sf_arg_is_none(a)) {
        return sf_api_type_error(c,
                                 "dropout() missing 1 required positional argument: 'keep_prob'");
    }
    if (a->kind == SF_ARG_FLOAT || a->kind == SF_ARG_INT) {
        SF_TRY(sf_api_float(c, "keep_prob", &p));
        if (!(p > 0 && p <= 1)) {
            return sf_api_value_error(c,
                                      "keep_prob must be a scalar tensor or a float in the range "
                                      "(0, 1], got %g",
                                      p);
        }
    }
    SF_TRY(sf_compose_arg_as(c, "keep_prob", x.dtype, &keep));
    if (sf_tensor_rank(keep) > 0) {
        return sf_api_shape_error(c, "Shape %s must have rank 0",
                                  sf_shape_tuple_text(c, keep.shape));
    }
    if (p == 1 && a->kind != SF_ARG_TENSOR) {
        *out = x;
        return SF_OK;
    }
    SF_TRY(noise_shape(c, x, &shape));
    SF_TRY(sf_compose_random(c, shape, x.dtype, &noise));
    SF_TRY(sf_compose_binary(c, "Add", "add", keep, noise, &noise));
    SF_TRY(sf_compose_unary(c, "Floor", NULL, noise, &noise));
    SF_TRY(sf_compose_binary(c, "RealDiv", "div", x, keep, &x));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", x, noise, out));
    return sf_compose_set_shape(c, out, same);
}

/* From 1.13 on: x * scale * (uniform >= rate). */
static SfStatus dropout_rate(SfCall *c, SfTensor x, SfTensor rate, SfTensor *out)
{
    SfTensor shape, noise, keep;
    const SfShape *same = x.shape; /* a rate of unknown rank does not change the shape */
    if (sf_tensor_rank(rate) > 0) {
        return sf_api_shape_error(c, "Shape %s must have rank 0",
                                  sf_shape_tuple_text(c, rate.shape));
    }
    SF_TRY(noise_shape(c, x, &shape));
    SF_TRY(sf_compose_random(c, shape, x.dtype, &noise));
    SF_TRY(sf_compose_const_binary(c, "Sub", "sub", 1, rate, &keep));
    SF_TRY(sf_compose_const_binary(c, "RealDiv", "truediv", 1, keep, &keep));
    SF_TRY(sf_compose_binary(c, "GreaterEqual", NULL, noise, rate, &noise));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", x, keep, &x));
    if (sf_api_is_v2(c)) {
        SfTensor in[3] = {noise, x};
        SF_TRY(sf_compose_scalar(c, 0, x.dtype, "Const", &in[2]));
        SF_TRY(sf_api_op(c, "SelectV2", NULL, in, 3, NULL, 0, out));
        return sf_compose_set_shape(c, out, same);
    }
    SF_TRY(sf_compose_cast(c, noise, x.dtype, NULL, &noise));
    SF_TRY(sf_compose_binary(c, "Mul", "mul_1", x, noise, out));
    return sf_compose_set_shape(c, out, same);
}

static SfStatus rate_out_of_range(SfCall *c, double rate)
{
    return sf_api_is_v2(c)
               ? sf_api_value_error(c,
                                    "`rate` must be a scalar tensor or a float in the range [0, "
                                    "1). Received: rate=%s",
                                    sf_arg_repr(c, &(SfArg){.kind = SF_ARG_FLOAT, .u.f = rate}))
               : sf_api_value_error(c,
                                    "rate must be a scalar tensor or a float in the range [0, 1), "
                                    "got %g",
                                    rate);
}

static SfStatus body_dropout(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, rate;
    const SfArg *given = sf_api_arg(c, "rate"), *keep = sf_api_arg(c, "keep_prob");
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(check_dropout_input(c, x));
    if (sf_api_version(c) < SF_VERSION(1, 13)) {
        return dropout_keep(c, x, out);
    }
    if (sf_arg_is_none(given) && sf_arg_is_none(keep)) {
        return sf_api_value_error(c, sf_api_is_v2(c) ? "`rate` must be provided."
                                                     : "You must provide a rate to dropout.");
    }
    if (!sf_arg_is_none(given) && !sf_arg_is_none(keep)) {
        return sf_api_value_error(c, "Cannot specify both 'keep_prob' and 'rate'%s",
                                  sf_api_is_v2(c) ? "." : "");
    }
    const bool by_keep = sf_arg_is_none(given);
    const SfArg *a = by_keep ? keep : given;
    double p = 0;
    if (a->kind == SF_ARG_FLOAT || a->kind == SF_ARG_INT) {
        SF_TRY(sf_api_float(c, by_keep ? "keep_prob" : "rate", &p));
        p = by_keep ? 1 - p : p;
        if (!(p >= 0 && p < 1)) {
            return rate_out_of_range(c, p);
        }
        if (p == 0) {
            *out = x;
            return SF_OK;
        }
        SF_TRY(sf_compose_scalar(c, p, x.dtype, "rate", &rate));
        return dropout_rate(c, x, rate, out);
    }
    SF_TRY(sf_api_tensor_named(c, a, sf_tensor_dtype(x), "rate", &rate));
    if (by_keep) {
        SF_TRY(sf_compose_const_binary(c, "Sub", "sub", 1, rate, &rate));
    }
    return dropout_rate(c, x, rate, out);
}

/* bias and dense layers */
static SfStatus body_bias_add(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor in[2];
    const char *format = "NHWC";
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "value"), SF_DT_INVALID, "input", &in[0]));
    SF_TRY(sf_api_tensor_named(c, sf_api_arg(c, "bias"), sf_tensor_dtype(in[0]), "bias", &in[1]));
    SF_TRY(sf_api_string(c, "data_format", &format));
    const bool first = strncmp(format, "NC", 2) == 0;
    if (!first && format[0] != 'N' && format[0] != 'C') {
        return sf_api_is_v2(c)
                   ? sf_api_value_error(c,
                                        "`data_format` must be of the form `N...C` or `NC...`. "
                                        "Received: data_format=%s",
                                        format)
                   : sf_api_value_error(c, "data_format must be of the form `N...C` or `NC...`");
    }
    const SfAttrArg attrs[] = {{.name = "data_format", .value = sf_attr_make_string("NCHW")}};
    return sf_api_op(c, "BiasAdd", scope, in, 2, attrs, first, out);
}

/* In eager mode the kernel checks dtypes, not a conversion. */
static SfStatus api_bias_add(SfCall *c)
{
    if (sf_api_eager(c) && c->args[0].kind == SF_ARG_TENSOR && c->args[1].kind == SF_ARG_TENSOR &&
        sf_arg_is_none(&c->args[2])) {
        return sf_api_apply(c, c->args);
    }
    return sf_compose_scoped(c, "BiasAdd", body_bias_add);
}

/* x * weights + biases; relu_layer then clips it. */
static SfStatus body_dense(SfCall *c, const char *scope, SfTensor *out)
{
    const bool relu = strcmp(c->sig->row->data, "relu_layer") == 0;
    SfTensor x, weights, biases;
    SF_TRY(sf_compose_arg(c, "x", &x));
    SF_TRY(sf_compose_arg(c, "weights", &weights));
    SF_TRY(sf_compose_arg(c, "biases", &biases));
    SF_TRY(sf_compose_matmul(c, x, weights, false, false, NULL, &x));
    SF_TRY(sf_compose_binary(c, "BiasAdd", relu ? NULL : scope, x, biases, out));
    return relu ? sf_compose_unary(c, "Relu", scope, *out, out) : SF_OK;
}

/* embeddings and ranking */
static SfStatus look_up(SfCall *c, const char *scope, SfTensor table, SfTensor ids, SfTensor *out)
{
    SfTensor in[3] = {table, ids};
    SF_TRY(sf_api_const_int(c, 0, SF_DT_INT32, "axis", &in[2]));
    return sf_api_op(c, "GatherV2", scope, in, 3, NULL, 0, out);
}

/* The rows of a table in a graph: looked up where the table is, whatever device is asked for
 * around. Source: _embedding_lookup_and_transform of embedding_ops.py. */
static SfStatus look_up_beside(SfCall *c, const char *scope, SfTensor table, SfTensor ids,
                               SfTensor *out)
{
    SfBuilder *b = c->b, around = *b;
    const bool is_resource = table.node->nin > 0 && table.node->inputs[0].node &&
                             table.node->inputs[0].dtype == SF_DT_RESOURCE;
    const size_t n = (size_t)b->ncolocation;
    SfNode **beside = sf_arena_alloc(c->arena, (n + 1) * sizeof(SfNode *));
    SF_TRY_ALLOC(beside);
    for (size_t i = 0; i < n; i++) {
        beside[i] = b->colocation[i];
    }
    beside[n] = is_resource ? table.node->inputs[0].node : table.node;
    b->colocation = beside;
    b->ncolocation++;
    b->device = NULL;
    SfStatus status = look_up(c, scope, table, ids, out);
    if (status == SF_OK && is_resource && sf_api_version(c) < SF_VERSION(2, 0)) {
        status = sf_compose_unary(c, "Identity", NULL, *out, out);
    }
    b->colocation = around.colocation;
    b->ncolocation = around.ncolocation;
    b->device = around.device;
    return status;
}

/* Several shards hold the rows of one table: the result is that of the whole. */
static SfStatus body_embedding(SfCall *c, const char *scope, SfTensor *out)
{
    const SfArg *params = sf_api_arg(c, "params");
    SfTensor *shards = NULL, ids, table;
    int n = 0;
    if (sf_arg_is_none(params) || (params->kind == SF_ARG_LIST && params->u.list.n == 0)) {
        return sf_api_value_error(c, sf_api_is_v2(c) ? "params must be specified."
                                                     : "Need at least one param");
    }
    SF_TRY(sf_compose_list(c, params, true, "params", &shards, &n));
    SF_TRY(sf_api_tensor_hint(c, sf_api_arg(c, "ids"), SF_DT_INT32, "ids", &ids));
    table = shards[0];
    if (n > 1) {
        SF_TRY(sf_compose_concat(c, shards, n, 0, NULL, &table));
    }
    const bool is_beside = n == 1 && c->b->graph && table.node && table.node->graph == c->b->graph;
    SF_TRY(is_beside ? look_up_beside(c, scope, table, ids, out)
                     : look_up(c, scope, table, ids, out));
    const bool plain = sf_api_version(c) < SF_VERSION(1, 9);
    return plain ? SF_OK : sf_compose_unary(c, "Identity", NULL, *out, out);
}

static SfStatus body_zero_fraction(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, zero;
    SF_TRY(sf_compose_arg(c, "value", &x));
    SF_TRY(sf_compose_scalar(c, 0, x.dtype, "zero", &zero));
    SF_TRY(sf_compose_binary(c, "Equal", NULL, x, zero, &x));
    SF_TRY(sf_compose_cast(c, x, SF_DT_FLOAT, NULL, &x));
    SF_TRY(sf_compose_reduce_all(c, "Mean", NULL, x, out));
    const bool plain = sf_api_version(c) < SF_VERSION(1, 13);
    return plain ? SF_OK : sf_compose_unary(c, "Identity", "fraction", *out, out);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.nn.elu", SF_TF12, "features, name=None", .op = "Elu"},
    {"tf.nn.l2_loss", SF_TF12, "t, name=None", .op = "L2Loss"},
    {"tf.nn.local_response_normalization tf.nn.lrn", SF_TF12,
     "input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None", .op = "LRN"},
    {"tf.nn.relu", SF_TF12, "features, name=None", .op = "Relu"},
    {"tf.nn.selu", SF_TF12, "features, name=None", .op = "Selu"},
    {"tf.math.softsign tf.nn.softsign", SF_TF12, "features, name=None", .op = "Softsign"},
    {"tf.nn.relu6", SF_TF12, "features, name=None", .op = "Relu6"},
    {"tf.nn.leaky_relu", SF_TF12, "features, alpha=0.2, name=None",
     SF_SCOPED("LeakyRelu", body_leaky_relu)},
    {"tf.nn.crelu", SF_TF1, "features, name=None, axis=-1", SF_SCOPED("CRelu", body_crelu)},
    {"tf.nn.crelu", SF_TF2, "features, axis=-1, name=None", SF_SCOPED("CRelu", body_crelu)},
    {"tf.nn.silu tf.nn.swish", SF_TF12, "features, beta=1.0", SF_PLAIN(body_swish)},
    {"tf.nn.gelu", SF_TF2, "features, approximate=False, name=None", SF_SCOPED("Gelu", body_gelu)},
    {"tf.math.softmax tf.nn.softmax", SF_TF1, "logits, axis=None, name=None, dim=None",
     SF_PLAIN(body_softmax), .data = "Softmax"},
    {"tf.math.softmax tf.nn.softmax", SF_TF2, "logits, axis=None, name=None",
     SF_PLAIN(body_softmax), .data = "Softmax"},
    {"tf.math.log_softmax tf.nn.log_softmax", SF_TF1, "logits, axis=None, name=None, dim=None",
     SF_PLAIN(body_softmax), .data = "LogSoftmax"},
    {"tf.math.log_softmax tf.nn.log_softmax", SF_TF2, "logits, axis=None, name=None",
     SF_PLAIN(body_softmax), .data = "LogSoftmax"},
    {"tf.nn.dropout", SF_TF1,
     "x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None",
     SF_SCOPED("dropout", body_dropout)},
    {"tf.nn.dropout", SF_TF2, "x, rate, noise_shape=None, seed=None, name=None",
     SF_SCOPED("dropout", body_dropout)},
    {"tf.nn.bias_add", SF_TF12, "value, bias, data_format=None, name=None",
     .op = "BiasAdd", .call = api_bias_add},
    {"tf.nn.xw_plus_b", SF_TF1, "x, weights, biases, name=None",
     SF_SCOPED("xw_plus_b", body_dense), .data = "xw_plus_b"},
    {"tf.nn.relu_layer", SF_TF1, "x, weights, biases, name=None",
     SF_SCOPED("relu_layer", body_dense), .data = "relu_layer"},
    {"tf.nn.embedding_lookup", SF_TF1,
     "params, ids, partition_strategy='mod', name=None, validate_indices=True, max_norm=None",
     SF_SCOPED("embedding_lookup", body_embedding)},
    {"tf.nn.embedding_lookup", SF_TF2, "params, ids, max_norm=None, name=None",
     SF_SCOPED("embedding_lookup", body_embedding)},
    {"tf.math.top_k tf.nn.top_k", SF_TF12,
     "input, k=1, sorted=True, index_type=tf.int32, name=None",
     .op = "TopKV2", .rename = "index_type="},
    {"tf.math.in_top_k tf.nn.in_top_k", SF_TF1, "predictions, targets, k, name=None",
     .op = "InTopKV2", .data = "in_top_k/InTopKV2"},
    {"tf.math.in_top_k tf.nn.in_top_k", SF_TF2, "targets, predictions, k, name=None",
     .op = "InTopKV2", .data = "in_top_k/InTopKV2"},
    {"tf.math.zero_fraction tf.nn.zero_fraction", SF_TF12, "value, name=None",
     SF_SCOPED("zero_fraction", body_zero_fraction)},
};
/* clang-format on */
const SfApiTable sf_api_nn = {rows, SF_ARRAY_LEN(rows), "nn"};
