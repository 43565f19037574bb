/* Cross entropies and CTC. Source: nn_ops.cc, ctc_ops.cc and the checks of xent_op.cc,
 * sparse_xent_op.cc, ctc_loss_op.cc. */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/common.h"
#include "apis/ops/shared/op_types.h"
#include "apis/ops/shared/range.h"

#define SF_1_9 SF_VERSION(1, 9)

/* softmax cross entropy */

static const SfMessage xent_messages[] = {
    {SF_ON(DIM_EQUAL), SF_AS(LABELS_LOGITS),
     .text = "logits and labels must be broadcastable: logits_size={shape 0} labels_size={shape "
             "1}"},
    /* The letters stand so in the source of 1.8. */
    {.before = SF_1_9,
     .text = "logits and labels must be beither 2-dimensional, or roadcasted to 2-dimensional"},
    {.text = "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional"},
    {0}};

/* A shape as it takes part in the broadcast: an unknown rank stands for [?,?]. */
static const SfShape *xent_operand(const SfInfer *c, int i)
{
    const SfShape *s = sf_input(c, i);
    return sf_shape_is_ranked(s) ? s : sf_shape_of_rank(2);
}

/* The first axis, from the left, that cannot be broadcast. */
static SfStatus xent_fail(SfInfer *c, const SfShape *a, const SfShape *b)
{
    const int ra = sf_shape_rank(a), rb = sf_shape_rank(b);
    int back = ra < rb ? ra : rb;
    for (; back > 1; back--) {
        const SfShape *both = sf_shape_broadcast(sf_shape_vector(sf_shape_dim(a, -back)),
                                                 sf_shape_vector(sf_shape_dim(b, -back)), NULL);
        if (both && sf_shape_is_bottom(both)) {
            break;
        }
    }
    return sf_fail(c, SF_DIAG_DIM_EQUAL, SF_AXIS(0, ra - back), SF_AXIS(1, rb - back),
                   SF_DIM_ARG(sf_shape_dim(a, -back)), SF_DIM_ARG(sf_shape_dim(b, -back)));
}

/* SoftmaxCrossEntropyWithLogits: features and labels broadcast to [b,k]; loss [b], backprop [b,k].
 * TensorFlow merges [?,k] with [1,k] to [1,k] while it builds a graph, although a run may
 * broadcast; here the dim stays unknown. */
static SfStatus infer_xent(SfInfer *c)
{
    const SfShape *a = xent_operand(c, 0), *b = xent_operand(c, 1);
    sf_kernel_messages(c, xent_messages);
    const SfShape *out = sf_shape_broadcast(a, b, NULL);
    SF_TRY_ALLOC(out);
    if (sf_shape_is_bottom(out)) {
        return xent_fail(c, a, b);
    }
    if (sf_shape_rank(out) != 2) {
        SF_TRY(sf_require_as(
            c, !sf_shape_is_ranked(sf_input(c, 0)) || !sf_shape_is_ranked(sf_input(c, 1)),
            SF_DIAG_RANK_EXACT, SF_INPUT(0), SF_INPUT(1),
            "Shape must be broadcasted with rank 2, but is rank {0}",
            SF_INT_ARG(sf_shape_rank(out))));
        out = sf_shape_of_rank(2);
    }
    sf_common_warn_labels(c);
    sf_common_warn_axis_of_one(c, "softmax_cross_entropy", -1);
    SF_TRY(sf_set_output_vector(c, 0, sf_shape_dim(out, 0)));
    return sf_set_output_shape(c, 1, out);
}

static const SfMessage sparse_xent_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "logits must be 2-D, but got shape {shape 0}"},
    {SF_ON(RANK_EXACT), .text = "labels must be 1-D, but got shape {shape 1}"},
    {SF_ON(DIM_EQUAL),
     .text = "logits and labels must have the same first dimension, got logits shape {shape 0} and "
             "labels shape {shape 1}"},
    {0}};

/* The kernel wants a class, and on the CPU refuses labels outside [0, classes). */
static SfStatus sparse_xent_check(SfInfer *c, const void *data)
{
    const SfShape *features = data;
    const SfDim classes = sf_shape_dim(features, 1);
    const SfValue *v = sf_input_value(c, 1);
    SF_TRY(sf_expect(c, classes != 0, SF_AXIS(0, 1),
                     "Must have at least one class, but got logits shape {0}",
                     SF_SHAPE_ARG(features)));
    if (!v || !sf_value_is_exact(v) || !sf_dim_is_known(classes)) {
        return SF_OK;
    }
    for (int64_t i = 0; i < sf_value_count(v); i++) {
        const int64_t label = sf_value_elem(v, i).u.i;
        SF_TRY(sf_require_as(
            c, label >= 0 && label < classes, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_AXIS(0, 1),
            "Received a label value of {0} which is outside the valid range of [0, {1}).  Label "
            "values: {2}",
            SF_INT_ARG(label), SF_DIM_ARG(classes),
            SF_TEXT_ARG(sf_common_list_text(c, sf_value_elems(v), sf_value_count(v), " "))));
    }
    return SF_OK;
}

/* SparseSoftmaxCrossEntropyWithLogits: features[b,k], labels[b]; loss [b], backprop [b,k]. */
static SfStatus infer_sparse_xent(SfInfer *c)
{
    const SfShape *features, *labels;
    SfDim batch;
    sf_kernel_messages(c, sparse_xent_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &features));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &labels));
    SF_TRY(sf_want_equal(c, SF_AXIS(0, 0), sf_shape_dim(features, 0), SF_AXIS(1, 0),
                         sf_shape_dim(labels, 0), &batch));
    SF_TRY(sf_kernel_check(c, sparse_xent_check, features));
    sf_common_warn_axis_of_one(c, "sparse_softmax_cross_entropy", -1);
    SF_TRY(sf_set_output_vector(c, 0, batch));
    return sf_set_output_matrix(c, 1, batch, sf_shape_dim(features, 1));
}

/* CTC */

/* clang-format off */
#define BATCH_MESSAGE                                                                              \
    {SF_ON(DIM_EQUAL), .known = true,                                                              \
     .text = "len(sequence_length) != batch_size.  len(sequence_length):  {1} batch_size: {0}"}
static const SfMessage ctc_loss_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "inputs is not a 3-Tensor"},
    {SF_ON(RANK_EXACT), SF_OF(1), .text = "labels_indices is not a matrix"},
    {SF_ON(RANK_EXACT), SF_OF(2), .text = "labels_values is not a vector"},
    {SF_ON(RANK_EXACT), SF_OF(3), .text = "sequence_length is not a vector"},
    {SF_ON(DIM_EQUAL), SF_OF(1),
     .text = "labels_indices and labels_values must contain the same number of rows, but saw "
     "shapes: "
             "{shape 1} vs. {shape 2}"},
    BATCH_MESSAGE, {0}};
static const SfMessage ctc_decoder_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "inputs is not a 3-Tensor"},
    {SF_ON(RANK_EXACT), .text = "sequence_length is not a vector"},
    BATCH_MESSAGE, {0}};
/* clang-format on */

static SfStatus ctc_batch(SfInfer *c, const SfShape *inputs, int lengths, SfDim *batch)
{
    const SfShape *s;
    SF_TRY(sf_want_rank(c, SF_INPUT(lengths), 1, &s));
    return sf_want_equal(c, SF_AXIS(0, 1), sf_shape_dim(inputs, 1), SF_AXIS(lengths, 0),
                         sf_shape_dim(s, 0), batch);
}

/* No sequence is longer than there is time. */
static SfStatus ctc_lengths(SfInfer *c, const void *data)
{
    const SfDim time = sf_shape_dim(data, 0);
    const SfValue *v = sf_input_value(c, 3);
    for (int64_t i = 0; v && sf_dim_is_known(time) && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        SF_TRY(sf_require(c, e.kind != SF_ELEM_INT || e.u.i >= 0, SF_INPUT(3), "seq_len({0}) < 0",
                          SF_INT_ARG(i)));
        SF_TRY(sf_require_as(c, e.kind != SF_ELEM_INT || e.u.i <= time, SF_DIAG_RUN_REFUSED,
                             SF_INPUT(3), SF_AXIS(0, 0), "sequence_length({0}) <= {1}",
                             SF_INT_ARG(i), SF_DIM_ARG(time)));
    }
    return SF_OK;
}

/* CTCLoss: inputs[t,b,k], sparse labels, sequence_length[b]; loss [b], gradient [t,b,k]. */
static SfStatus infer_ctc_loss(SfInfer *c)
{
    const SfShape *inputs, *indices, *values, *lengths;
    SfDim batch;
    sf_kernel_messages(c, ctc_loss_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 3, &inputs));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, &indices));
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 1, &values));
    SF_TRY(sf_want_rank(c, SF_INPUT(3), 1, &lengths));
    SF_TRY(sf_want_equal(c, SF_AXIS(1, 0), sf_shape_dim(indices, 0), SF_AXIS(2, 0),
                         sf_shape_dim(values, 0), NULL));
    SF_TRY(ctc_batch(c, inputs, 3, &batch));
    SF_TRY(sf_kernel_check(c, ctc_lengths, inputs));
    SF_TRY(sf_set_output_vector(c, 0, batch));
    return sf_set_output_shape(c, 1, sf_shape_replace(inputs, 1, batch));
}

/* From 2.5 on kernels want something to decode; of another rank they say that first. */
static SfStatus ctc_empty(SfInfer *c, const void *data)
{
    return sf_require(c,
                      sf_version(c) < SF_VERSION(2, 5) || sf_shape_rank(sf_input(c, 0)) != 3 ||
                          sf_shape_count(sf_input(c, 0)) != 0,
                      SF_INPUT(0), "inputs must not be empty");
}

/* The decoders: `paths` sparse tensors of unknown length, then log_probability[b, paths]. */
static SfStatus ctc_decoder(SfInfer *c, int paths)
{
    const SfShape *inputs;
    SfDim batch;
    sf_kernel_messages(c, ctc_decoder_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 3, &inputs));
    SF_TRY(sf_common_kernel_first(c, ctc_empty, NULL));
    SF_TRY(ctc_batch(c, inputs, 1, &batch));
    SF_TRY(sf_common_kernel_last(c, ctc_empty, NULL));
    for (int i = 0; i < paths; i++) {
        SF_TRY(sf_set_output_matrix(c, i, SF_DIM_UNKNOWN, 2));
        SF_TRY(sf_set_output_vector(c, paths + i, SF_DIM_UNKNOWN));
        SF_TRY(sf_set_output_vector(c, 2 * paths + i, 2));
    }
    return sf_set_output_matrix(c, 3 * paths, batch, paths);
}

/* The blank is a class, counted from either end. */
static SfStatus blank_kernel(SfInfer *c)
{
    const SfDim classes = sf_input_dim(c, 0, 2);
    const int64_t blank = sf_attr_int(c, "blank_index");
    return sf_require_as(c,
                         sf_shape_rank(sf_input(c, 0)) != 3 || !sf_dim_is_known(classes) ||
                             (blank >= -classes && blank < classes),
                         SF_DIAG_RUN_REFUSED, SF_ATTR("blank_index"), SF_AXIS(0, 2),
                         "blank_index expected to be between {0} and {1} but was {2}",
                         SF_INT_ARG((int64_t)-classes), SF_INT_ARG((int64_t)classes - 1),
                         SF_INT_ARG(blank));
}

static SfStatus infer_ctc_greedy(SfInfer *c)
{
    SF_TRY(ctc_decoder(c, 1));
    return sf_version(c) >= SF_VERSION(2, 0) ? sf_ask_kernel(c, blank_kernel) : SF_OK;
}

static SfStatus beam_kernel(SfInfer *c)
{
    return sf_require_as(c, sf_attr_int(c, "top_paths") <= sf_attr_int(c, "beam_width"),
                         SF_DIAG_RUN_REFUSED, SF_ATTR("top_paths"), SF_ATTR("beam_width"),
                         "requested more paths than the beam width.");
}

static SfStatus infer_ctc_beam(SfInfer *c)
{
    SF_TRY(ctc_decoder(c, (int)sf_attr_int(c, "top_paths")));
    return sf_ask_kernel(c, beam_kernel);
}

/* table */

/* clang-format off */
#define CTC_IN "labels_indices: int64, labels_values: int32, sequence_length: int32"
#define CTC_ATTRS "preprocess_collapse_repeated: bool = false, ctc_merge_repeated: bool = true, " \
    "ignore_longer_outputs_than_inputs: bool = false"
#define CTC_T "T: {float, double} = float"

static const SfOpDef ops[] = {
    SF_OP(SoftmaxCrossEntropyWithLogits, .inputs = "features: T, labels: T",
          .outputs = "loss: T, backprop: T", .attrs = "T: " SF_NN_FLOATS, .infer = infer_xent,
          .traits = SF_OP_IN_PLACE, .range = sf_range_cross_entropy),
    SF_OP(SparseSoftmaxCrossEntropyWithLogits, .inputs = "features: T, labels: Tlabels",
          .outputs = "loss: T, backprop: T",
          .attrs = "T: " SF_NN_FLOATS ", Tlabels: {int32, int64} = int64",
          .infer = infer_sparse_xent, .traits = SF_OP_IN_PLACE, .range = sf_range_cross_entropy),
    SF_OP(CTCLoss, .inputs = "inputs: T, " CTC_IN, .outputs = "loss: T, gradient: T",
          .attrs = CTC_ATTRS ", " CTC_T, .infer = infer_ctc_loss),
    SF_OP(CTCLossV2, .inputs = "inputs: float, " CTC_IN, .outputs = "loss: float, gradient: float",
          .attrs = CTC_ATTRS, .infer = infer_ctc_loss),
    SF_OP(CTCGreedyDecoder, .inputs = "inputs: T, sequence_length: int32",
          .outputs = "decoded_indices: int64, decoded_values: int64, decoded_shape: int64, "
                     "log_probability: T",
          .attrs = "merge_repeated: bool = false, blank_index: int = -1, " CTC_T,
          .infer = infer_ctc_greedy, .grad = SF_GRAD_NONE),
    SF_OP(CTCBeamSearchDecoder, .inputs = "inputs: T, sequence_length: int32",
          .outputs = "decoded_indices: top_paths * int64, decoded_values: top_paths * int64, "
                     "decoded_shape: top_paths * int64, log_probability: T",
          .attrs = "beam_width: int >= 1, top_paths: int >= 1, merge_repeated: bool = true, " CTC_T,
          .infer = infer_ctc_beam, .grad = SF_GRAD_NONE),
};
/* clang-format on */
const SfOpTable sf_ops_loss = {ops, SF_ARRAY_LEN(ops), "loss"};
