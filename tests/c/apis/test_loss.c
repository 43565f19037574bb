/* Rows of cross entropies and CTC; asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define V8  "@version=1.8,"
#define RUN "@phase=run,"

static const SfOpCase xent[] = {
    ROW("", "[2,3] [2,3]", "[2] [2,3]"),
    ROW("", "[2,3] [1,3]", "[2] [2,3]"),
    ROW("", "[2,3] [3]", "[2] [2,3]"),
    ROW("", "[n,3] [n,3]", "[n] [n,3]"),
    ROW("", "[2,?] [?,3]", "[2] [2,3]"),
    ROW("", "[?,1] [5,3]", "warns SF502 a.1 / [5] [5,3]"),
    ROW("", "? [5,3]", "[5] [5,3]"),
    ROW("", "[?,3] [1,3]", "[a.0] [a.0,3]"),
    ROW("", "? ?", "[?] [?,?]"),
    ROW("", "! [2,3]", "! !"),
    ROW("", "[500,2] [1,500]", "SF101 a.1 b.1 'Dimensions must be equal, but are 2 and 500'"),
    ROW("", "[2,3] [3,4]", "SF101 a.0 b.0 'are 2 and 3'"),
    ROW("", "[4] [2,3]", "SF101 a.0 b.1 'are 4 and 3'"),
    ROW("", "[3] [3]", "SF102 a b 'Shape must be broadcasted with rank 2, but is rank 1'"),
    ROW("", "[2,3,4] [2,3,4]", "SF102 a b 'but is rank 3'"),
    ROW(RUN, "[500,2] [1,500]",
        "SF119 a.1 b.1 'logits and labels must be broadcastable: logits_size=[500,2] "
        "labels_size=[1,500]'"),
    ROW(RUN, "[5,2] [1,2]", "[5] [5,2]"),
    ROW(RUN, "[5] [5]",
        "SF102 a b 'logits and labels must be either 2-dimensional, or broadcasted to be "
        "2-dimensional'"),
    ROW(RUN V8, "[5] [5]", "SF102 a b 'must be beither 2-dimensional, or roadcasted'"),
};
SF_OP_TEST(SoftmaxCrossEntropyWithLogits, xent)

static const SfOpCase sparse_xent[] = {
    ROW("", "[2,10] [2]", "[2] [2,10]"),
    ROW("Tlabels=int32", "[n,10] [n]", "[n] [n,10]"),
    ROW("", "[?,10] [2]", "[2] [2,10]"),
    ROW("", "? [4]", "[4] [4,?]"),
    ROW("", "? ?", "[?] [?,?]"),
    ROW("", "[2,3] {1,2}", "[2] [2,3]"),
    ROW("", "[2,3] {1,3}", "deferred SF128 b a.1 / [2] [2,3]"),
    ROW("", "[2,10] [3]", "SF101 a.0 b.0"),
    ROW("", "[2,10] [2,10]", "SF102 b"),
    ROW("", "[2,3,10] [2,3]", "SF102 a"),
    ROW(RUN, "[2,10] [3]",
        "SF101 a.0 b.0 'logits and labels must have the same first dimension, got logits shape "
        "[2,10] and labels shape [3]'"),
    ROW(RUN, "[2,10] [2,1]", "SF102 b 'labels must be 1-D, but got shape [2,1]'"),
    ROW(RUN, "[2] [2]", "SF102 a 'logits must be 2-D, but got shape [2]'"),
    ROW(RUN, "[2,0] [2]", "SF128 a.1 'Must have at least one class, but got logits shape [2,0]'"),
    ROW(RUN, "[2,3] {1,3}",
        "SF128 b a.1 'Received a label value of 3 which is outside the valid range of [0, 3).  "
        "Label values: 1 3'"),
    ROW(RUN, "[2,3] {-1,2}", "SF128 b a.1 'Label values: -1 2'"),
};
SF_OP_TEST(SparseSoftmaxCrossEntropyWithLogits, sparse_xent)

static const SfOpCase ctc_loss[] = {
    ROW("", "[7,2,5] [4,2] [4] [2]", "[2] [7,2,5]"),
    ROW("", "[7,?,5] [4,2] [4] [2]", "[2] [7,2,5]"),
    ROW("", "[t,n,5] [?,2] ? ?", "[n] [t,n,5]"),
    ROW("", "? ? ? ?", "[?] [?,?,?]"),
    ROW("", "[7,2,5] [4,2] [5] [2]", "SF101 b.0 c.0"),
    ROW("", "[7,2,5] [4,2] [4] [3]", "SF101 a.1 d.0"),
    ROW("", "[7,2] [4,2] [4] [2]", "SF102 a"),
    ROW(RUN, "[7,2] [4,2] [4] [2]", "SF102 a 'inputs is not a 3-Tensor'"),
    ROW(RUN, "[7,2,5] [4] [4] [2]", "SF102 b 'labels_indices is not a matrix'"),
    ROW(RUN, "[7,2,5] [4,2] [5] [2]",
        "SF101 b.0 c.0 'labels_indices and labels_values must contain the same number of rows, "
        "but saw shapes: [4,2] vs. [5]'"),
    ROW(RUN, "[7,2,5] [4,2] [4] [3]",
        "SF101 a.1 d.0 'len(sequence_length) != batch_size.  len(sequence_length):  3 "
        "batch_size: 2'"),
    ROW("", "[7,2,5] [4,2] [4] {3,-1}", "deferred SF129 d 'seq_len(1) < 0' / [2] [7,2,5]"),
};
SF_OPS_TEST(ctc_loss, ctc_loss, "CTCLoss", "CTCLossV2")

static const SfOpCase ctc_greedy[] = {
    ROW("", "[7,2,5] [2]", "[?,2] [?] [2] [2,1]"),
    ROW("", "[t,n,5] ?", "[?,2] [?] [2] [n,1]"),
    ROW("", "? ?", "[?,2] [?] [2] [?,1]"),
    ROW("", "[7,2,5] [3]", "SF101 a.1 b.0"),
    ROW("", "[7,2] [3]", "SF102 a"),
    ROW(RUN, "[7,2,5] [3]", "SF101 a.1 b.0 'len(sequence_length) != batch_size.'"),
};
SF_OP_TEST(CTCGreedyDecoder, ctc_greedy)

static const SfOpCase ctc_beam[] = {
    ROW("beam_width=10,top_paths=2", "[7,2,5] [2]", "[?,2] [?,2] [?] [?] [2] [2] [2,2]"),
    ROW("beam_width=10,top_paths=2", "[?,2,5] [2]", "[?,2] [?,2] [?] [?] [2] [2] [2,2]"),
    ROW("beam_width=10,top_paths=1", "? ?", "[?,2] [?] [2] [?,1]"),
    ROW("beam_width=10,top_paths=1", "[7,2,5] [3]", "SF101 a.1 b.0"),
};
SF_OP_TEST(CTCBeamSearchDecoder, ctc_beam)
