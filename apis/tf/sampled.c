/* tf.nn.nce_loss and sampled_softmax_loss: losses over a sample of the classes.
 * Invariant: the ops, their order and their scopes are those of TensorFlow, since its messages name
 * the op that refused.
 * Owner: tensors are values; arrays live in call->arena.
 * Source: tensorflow/python/ops/nn_impl.py, _compute_sampled_logits. */
#include <string.h>

#include "apis/tf/compose.h"

typedef struct Sampled {
    SfTensor logits, labels; /* [batch, num_true + num_sampled] */
} Sampled;

/* What the sampler gives: the classes, and how often the true and those were to be expected. */
enum { CLASSES, TRUE_EXPECTED, SAMPLED_EXPECTED, SAMPLES };

static SfStatus draw(SfCall *c, SfTensor labels, SfTensor *sample)
{
    const SfArg *given = sf_api_arg(c, "sampled_values");
    int64_t num_true = 1, n = 1, classes = 1;
    int made;
    SF_TRY(sf_api_int(c, "num_true", &num_true));
    SF_TRY(sf_api_int(c, "num_sampled", &n));
    SF_TRY(sf_api_int(c, "num_classes", &classes));
    if (given->kind == SF_ARG_LIST && given->u.list.n == SAMPLES) {
        for (int i = 0; i < SAMPLES; i++) {
            SF_TRY(sf_api_tensor(c, &given->u.list.items[i], SF_DT_INVALID, &sample[i]));
        }
    } else {
        const SfAttrArg attrs[] = {SF_AINT("num_true", num_true), SF_AINT("num_sampled", n),
                                   SF_ABOOL("unique", true), SF_AINT("range_max", classes)};
        SF_TRY(sf_api_op_multi(c, "LogUniformCandidateSampler", NULL, &labels, 1, NULL, attrs, 4,
                               sample, SAMPLES, &made));
    }
    for (int i = 0; i < SAMPLES; i++) {
        SF_TRY(sf_compose_unary(c, "StopGradient", NULL, sample[i], &sample[i]));
    }
    return sf_compose_cast(c, sample[CLASSES], SF_DT_INT64, NULL, &sample[CLASSES]);
}

/* The rows of a table, given whole or in shards, in the dtype of `like`. */
static SfStatus rows_of(SfCall *c, const char *param, SfTensor ids, SfTensor like, SfTensor *out)
{
    SfTensor *shards = NULL, in[3];
    int n = 0;
    SF_TRY(sf_compose_list(c, sf_api_arg(c, param), true, param, &shards, &n));
    if (n == 0) {
        return sf_api_value_error(c, "Need at least one param");
    }
    in[0] = shards[0];
    in[1] = ids;
    if (n > 1) {
        SF_TRY(sf_compose_concat(c, shards, n, 0, NULL, &in[0]));
    }
    SF_TRY(sf_api_const_int(c, 0, SF_DT_INT32, "axis", &in[2]));
    SF_TRY(sf_api_op(c, "GatherV2", "embedding_lookup", in, 3, NULL, 0, out));
    return sf_compose_cast(c, *out, sf_tensor_dtype(like), NULL, out);
}

static SfStatus slice(SfCall *c, SfTensor x, SfTensor begin, SfTensor size, SfTensor *out)
{
    const SfTensor in[3] = {x, begin, size};
    return sf_api_op(c, "Slice", NULL, in, 3, NULL, 0, out);
}

/* The first `n` rows of a table (true classes) and those after them (sampled ones). */
static SfStatus part_rows(SfCall *c, SfTensor table, SfTensor n, SfTensor *first, SfTensor *rest)
{
    const int64_t origin[] = {0, 0}, all[] = {-1, -1};
    SfTensor parts[2] = {n}, begin, size;
    SF_TRY(sf_api_const_ints(c, origin, 2, SF_DT_INT32, NULL, &begin));
    SF_TRY(sf_api_const_int(c, -1, SF_DT_INT32, NULL, &parts[1]));
    SF_TRY(sf_compose_pack(c, parts, 2, 0, "stack", &size));
    SF_TRY(slice(c, table, begin, size, first));
    SF_TRY(sf_api_const_int(c, 0, SF_DT_INT32, NULL, &parts[1]));
    SF_TRY(sf_compose_pack(c, parts, 2, 0, "stack", &begin));
    SF_TRY(sf_api_const_ints(c, all, 2, SF_DT_INT32, NULL, &size));
    return slice(c, table, begin, size, rest);
}

/* x times a column of ones, as a vector. */
static SfStatus sum_rows(SfCall *c, SfTensor x, SfTensor *out)
{
    const int64_t flat = -1;
    SfTensor parts[2], ones;
    SF_TRY(sf_compose_shape(c, x, SF_DT_INT32, NULL, &ones));
    SF_TRY(sf_compose_vector_item(c, ones, 1, NULL, &parts[0]));
    SF_TRY(sf_api_const_int(c, 1, SF_DT_INT32, NULL, &parts[1]));
    SF_TRY(sf_compose_pack(c, parts, 2, 0, "stack", &ones));
    SF_TRY(sf_compose_filled(c, ones, 1, sf_tensor_dtype(x), "ones", &ones));
    SF_TRY(sf_compose_matmul(c, x, ones, false, false, NULL, &x));
    return sf_compose_reshape(c, x, &flat, 1, NULL, out);
}

/* The dot product of each input with the weights of its own true classes. */
static SfStatus true_logits(SfCall *c, SfTensor inputs, SfTensor w, SfTensor b, int64_t num_true,
                            SfTensor *out)
{
    const int64_t rows[] = {-1, num_true}, flat = -1;
    SfTensor dim, parts[2], shape;
    SF_TRY(sf_compose_shape(c, w, SF_DT_INT32, NULL, &dim));
    SF_TRY(sf_compose_vector_slice(c, dim, 1, 2, NULL, &dim));
    SF_TRY(sf_api_const_ints(c, rows, 2, SF_DT_INT32, NULL, &parts[0]));
    parts[1] = dim;
    SF_TRY(sf_compose_concat(c, parts, 2, 0, NULL, &shape));
    SF_TRY(sf_compose_expand_dims(c, inputs, 1, NULL, &inputs));
    SF_TRY(sf_compose_binary(c, "Reshape", NULL, w, shape, &w));
    SF_TRY(sf_compose_binary(c, "Mul", NULL, inputs, w, &w));
    SF_TRY(sf_api_const_ints(c, &flat, 1, SF_DT_INT32, NULL, &parts[0]));
    SF_TRY(sf_compose_concat(c, parts, 2, 0, NULL, &shape));
    SF_TRY(sf_compose_binary(c, "Reshape", NULL, w, shape, &w));
    SF_TRY(sum_rows(c, w, &w));
    SF_TRY(sf_compose_reshape(c, w, rows, 2, NULL, &w));
    SF_TRY(sf_compose_reshape(c, b, rows, 2, NULL, &b));
    return sf_compose_binary(c, sf_api_is_v2(c) ? "AddV2" : "Add", "add", w, b, out);
}

/* Without the removal of accidental hits, which adds a matrix of the shape of its operand. */
static SfStatus compute(SfCall *c, Sampled *out)
{
    SfTensor labels, inputs, flat, sample[SAMPLES], ids[2], all, n, w[2], b[2], none, logits[2], p;
    const int64_t minus_one = -1;
    int64_t num_true = 1;
    SF_TRY(sf_api_int(c, "num_true", &num_true));
    SF_TRY(sf_compose_arg(c, "inputs", &inputs));
    SF_TRY(sf_compose_arg(c, "labels", &labels));
    SF_TRY(sf_compose_cast(c, labels, SF_DT_INT64, NULL, &labels));
    SF_TRY(sf_compose_reshape(c, labels, &minus_one, 1, NULL, &flat));
    SF_TRY(draw(c, labels, sample));
    ids[0] = flat;
    ids[1] = sample[CLASSES];
    SF_TRY(sf_compose_concat(c, ids, 2, 0, NULL, &all));
    SF_TRY(rows_of(c, "weights", all, inputs, &w[0]));
    SF_TRY(sf_compose_shape(c, flat, SF_DT_INT32, NULL, &n));
    SF_TRY(sf_compose_vector_item(c, n, 0, NULL, &p));
    SF_TRY(part_rows(c, w[0], p, &w[0], &w[1]));
    SF_TRY(sf_compose_matmul(c, inputs, w[1], false, true, NULL, &logits[1]));
    SF_TRY(rows_of(c, "biases", all, inputs, &b[0]));
    const int64_t zero = 0;
    SF_TRY(sf_api_const_ints(c, &zero, 1, SF_DT_INT32, NULL, &none));
    SF_TRY(sf_api_const_ints(c, &minus_one, 1, SF_DT_INT32, NULL, &p));
    SF_TRY(slice(c, b[0], n, p, &b[1]));
    SF_TRY(slice(c, b[0], none, n, &b[0]));
    SF_TRY(true_logits(c, inputs, w[0], b[0], num_true, &logits[0]));
    SF_TRY(sf_compose_binary(c, sf_api_is_v2(c) ? "AddV2" : "Add", "add", logits[1], b[1],
                             &logits[1]));
    for (int i = 0; i < 2; i++) { /* minus the logarithm of how probable each class was */
        SF_TRY(sf_compose_unary(c, "Log", NULL, sample[TRUE_EXPECTED + i], &p));
        SF_TRY(sf_compose_cast(c, p, sf_tensor_dtype(inputs), NULL, &p));
        SF_TRY(sf_compose_binary(c, "Sub", "sub", logits[i], p, &logits[i]));
    }
    SF_TRY(sf_compose_concat(c, logits, 2, 1, NULL, &out->logits));
    SF_TRY(sf_compose_unary(c, "OnesLike", "ones_like", logits[0], &logits[0]));
    SF_TRY(
        sf_compose_binary_const(c, "RealDiv", "truediv", logits[0], (double)num_true, &logits[0]));
    SF_TRY(sf_compose_unary(c, "ZerosLike", "zeros_like", logits[1], &logits[1]));
    return sf_compose_concat(c, logits, 2, 1, NULL, &out->labels);
}

static SfStatus noise_contrastive(SfCall *c, Sampled s, SfTensor *out)
{
    SfTensor loss;
    SF_TRY(sf_compose_unary(c, "Relu", "sampled_losses/Relu", s.logits, &loss));
    SF_TRY(sf_compose_binary(c, "Mul", "sampled_losses/mul", s.logits, s.labels, &s.labels));
    SF_TRY(sf_compose_binary(c, "Sub", "sampled_losses", loss, s.labels, &loss));
    return sum_rows(c, loss, out);
}

static SfStatus softmax_of(SfCall *c, Sampled s, SfTensor *out)
{
    SfTensor in[2] = {s.logits}, outs[2];
    int n;
    SF_TRY(sf_compose_unary(c, "StopGradient", "labels_stop_gradient", s.labels, &in[1]));
    SF_TRY(sf_api_op_multi(c, "SoftmaxCrossEntropyWithLogits", NULL, in, 2, NULL, NULL, 0, outs, 2,
                           &n));
    *out = outs[0];
    return SF_OK;
}

static SfStatus api_sampled(SfCall *c)
{
    const char *kind = c->sig->row->data;
    Sampled s = {0};
    SfScope scope;
    SfTensor loss = {0};
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c), kind, &scope));
    const SfStatus st = compute(c, &s);
    sf_api_scope_exit(c, &scope);
    SF_TRY(st);
    SF_TRY(strcmp(kind, "nce_loss") == 0 ? noise_contrastive(c, s, &loss)
                                         : softmax_of(c, s, &loss));
    sf_return_tensor(c, loss);
    return SF_OK;
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.nn.nce_loss", SF_TF1,
     "weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, "
     "sampled_values=None, remove_accidental_hits=False, partition_strategy='mod', "
     "name='nce_loss'", .call = api_sampled, .data = "nce_loss"},
    {"tf.nn.nce_loss", SF_TF2,
     "weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, "
     "sampled_values=None, remove_accidental_hits=False, name='nce_loss'",
     .call = api_sampled, .data = "nce_loss"},
    {"tf.nn.sampled_softmax_loss", SF_TF1,
     "weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, "
     "sampled_values=None, remove_accidental_hits=True, partition_strategy='mod', "
     "name='sampled_softmax_loss', seed=None",
     .call = api_sampled, .data = "sampled_softmax_loss"},
    {"tf.nn.sampled_softmax_loss", SF_TF2,
     "weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, "
     "sampled_values=None, remove_accidental_hits=True, seed=None, "
     "name='sampled_softmax_loss'", .call = api_sampled, .data = "sampled_softmax_loss"},
};
/* clang-format on */

const SfApiTable sf_api_sampled = {rows, SF_ARRAY_LEN(rows), "sampled"};
