/* Rows of normalisations, softmax and recurrent cells; asked of TensorFlow 1.8, 1.15 and 2.21. */
#include "tests/c/support/op_rows.h"

#define V8   "@version=1.8,"
#define V2   "@version=2.21,"
#define RUN  "@phase=run,"
#define EVAL "is_training=false"

static const SfOpCase batch_norm[] = {
    ROW(EVAL, "[2,5,5,3] [3] [3] [3] [3]", "[2,5,5,3] [3] [3] [3] [3]"),
    ROW("", "[2,5,5,3] [3] [3] [0] [0]", "[2,5,5,3] [3] [3] [3] [3]"),
    ROW("", "[2,5,5,3] [3] [3] [3] [4]",
        "deferred SF129 d @is_training / [2,5,5,3] [3] [3] [3] [3]"),
    ROW(V2, "[2,5,5,3] [3] [3] [3] [4]", "[2,5,5,3] [3] [3] [3] [3]"),
    ROW("data_format=NCHW", "[2,3,5,5] [3] [3] [0] [0]", "[2,3,5,5] [3] [3] [3] [3]"),
    ROW(EVAL, "[n,5,5,?] [3] [3] [3] [3]", "[n,5,5,3] [3] [3] [3] [3]"),
    ROW("", "? [3] ? ? ?", "[?,?,?,3] [3] [3] [3] [3]"),
    ROW(EVAL, "? ? ? ? ?", "[?,?,?,?] [?] [?] [?] [?]"),
    ROW(EVAL, "! ? ? ? ?", "! ! ! ! !"),
    ROW(EVAL, "[2,5,5,3] [4] [3] [3] [3]", "SF101 a.3 b.0 'are 3 and 4'"),
    ROW(EVAL, "[2,5,5,3] [3] [3] [3] [4]", "SF101 a.3 e.0"),
    ROW("", "[2,5,3] [3] [3] [3] [4]", "SF102 a"),
    ROW("", "[2,5,5,3] [3,1] [3] [0] [0]", "SF102 b"),
    ROW(RUN EVAL, "[2,5,5,3] [4] [3] [3] [3]", "[2,5,5,3] [4] [4] [4] [4]"),
    ROW(RUN V2 EVAL, "[2,5,5,3] [4] [3] [3] [3]",
        "SF101 a.3 b.0 'scale must have the same number of elements as the channels of x, got 4 "
        "and 3'"),
    ROW(RUN V2 EVAL, "[2,5,5,3] [3] [3] [3] [4]",
        "SF101 a.3 e.0 'When is_training=false, variance must have the same number of elements as "
        "the channels of x, got 4 and 3'"),
    ROW(RUN EVAL, "[2,5,3] [3] [3] [3] [3]", "SF102 a 'input must be 4-dimensional[2,5,3]'"),
    ROW(RUN EVAL, "[2,5,5,3] [3,1] [3] [3] [3]", "SF102 b 'scale must be 1-dimensional[3,1]'"),
};
SF_OPS_TEST(batch_norm, batch_norm, "FusedBatchNorm", "FusedBatchNormV2")

static const SfOpCase batch_norm_v3[] = {
    ROW("", "[2,5,5,3] [3] [3] [0] [0]", "[2,5,5,3] [3] [3] [3] [3] ?"),
    ROW("", "[?,5,5,3] [3] [3] [0] [0]", "[?,5,5,3] [3] [3] [3] [3] ?"),
    ROW("data_format=NDHWC", "[2,5,5,5,3] [3] [3] [0] [0]", "[2,5,5,5,3] [3] [3] [3] [3] ?"),
    ROW("data_format=NCDHW", "? [3] [3] [0] [0]", "[?,3,?,?,?] [3] [3] [3] [3] ?"),
    ROW(EVAL, "[2,5,5,3] [4] [3] [3] [3]", "SF101 a.3 b.0"),
    ROW(RUN V2 EVAL, "[2,5,3] [3] [3] [3] [3]",
        "SF102 a 'input must be 4 or 5-dimensional[2,5,3]'"),
    ROW(RUN V2, "[2,5,5,5,3] [3] [3] [0] [0]", "[2,5,5,5,3] [3] [3] [3] [3] ?"),
    ROW(RUN V2, "? [3] [3] [0] [0]", "? [3] [3] [3] [3] ?"), /* the kernel takes 4 or 5 */
};
SF_OP_TEST(FusedBatchNormV3, batch_norm_v3)

static const SfOpCase batch_norm_grad[] = {
    ROW("", "[2,5,5,3] [2,5,5,3] [3] [3] [3]", "[2,5,5,3] [3] [3] [0] [0]"),
    ROW(EVAL, "[2,5,5,?] [2,5,5,3] [3] [3] [3]", "[2,5,5,3] [3] [3] [3] [3]"),
    ROW(V2 EVAL, "[2,5,5,3] [2,5,5,3] [3] [3] [3]", "[2,5,5,3] [3] [3] [0] [0]"),
    ROW("", "? ? ? ? ?", "[?,?,?,?] [?] [?] [0] [0]"),
    ROW("", "[2,5,5,3] [2,5,5,3] [4] [3] [3]", "SF101 a.3 c.0"),
    ROW("", "[2,5,5,4] [2,5,5,3] [3] [3] [3]", "SF101 a.3 b.3"),
    ROW("", "[2,5,5] [2,5,5,3] [3] [3] [3]", "SF102 a"),
};
SF_OPS_TEST(batch_norm_grad, batch_norm_grad, "FusedBatchNormGrad", "FusedBatchNormGradV2")

static const SfOpCase batch_norm_grad_v3[] = {
    ROW("", "[2,5,5,3] [2,5,5,3] [3] [3] [3] [3]", "[2,5,5,3] [3] [3] [0] [0]"),
    ROW("", "[?,5,5,3] [2,5,5,3] [3] [3] [3] [3]", "[?,5,5,3] [3] [3] [0] [0]"),
    ROW("data_format=NDHWC", "? ? ? ? ? ?", "[?,?,?,?,?] [?] [?] [0] [0]"),
    ROW("", "[2,5,5,4] [2,5,5,3] [3] [3] [3] ?", "SF101 a.3 b.3"),
    ROW(RUN V2, "? [2,5,5,5,3] [3] [3] [3] ?", "[?,?,?,?,3] [3] [3] [0] [0]"),
    ROW(RUN V2, "? ? [3] [3] [3] ?", "? [3] [3] [0] [0]"),
};
SF_OP_TEST(FusedBatchNormGradV3, batch_norm_grad_v3)

#define GLOBAL "variance_epsilon=0.1,scale_after_normalization=true"
static const SfOpCase global_norm[] = {
    ROW(GLOBAL, "[2,5,5,3] [3] [3] [3] [3]", "[2,5,5,3]"),
    ROW(GLOBAL, "[n,5,5,?] [3] [3] [3] [3]", "[n,5,5,3]"),
    ROW(GLOBAL, "? ? ? ? ?", "[?,?,?,?]"),
    ROW(GLOBAL, "[2,5,5,3] [4] [3] [3] [3]", "SF101 a.3 b.0"),
    ROW(GLOBAL, "[2,5,3] [3] [3] [3] [3]", "SF102 a"),
};
SF_OP_TEST(BatchNormWithGlobalNormalization, global_norm)

static const SfOpCase global_norm_grad[] = {
    ROW(GLOBAL, "[2,5,5,3] [3] [3] [3] [2,5,5,3]", "[2,5,5,3] [3] [3] [3] [3]"),
    ROW(GLOBAL, "[?,5,5,3] [3] [3] [3] [2,5,5,3]", "[2,5,5,3] [3] [3] [3] [3]"),
    ROW(GLOBAL, "? ? ? ? ?", "[?,?,?,?] [?] [?] [?] [?]"),
    ROW(GLOBAL, "[2,5,5,3] [3] [3] [3] [2,5,5,4]", "SF101 a.3 e.3"),
};
SF_OP_TEST(BatchNormWithGlobalNormalizationGrad, global_norm_grad)

static const SfOpCase lrn[] = {
    ROW("", "[2,5,5,3]", "[2,5,5,3]"),
    ROW("depth_radius=4,alpha=0.001", "[n,?,5,3]", "[n,a.1,5,3]"),
    ROW("", "?", "[?,?,?,?]"),
    ROW("", "[2,5,3]", "SF102 a"),
    ROW(RUN, "[2,5,3]", "SF102 a 'in must be 4-dimensional'"),
};
SF_OP_TEST(LRN, lrn)

static const SfOpCase lrn_grad[] = {
    ROW("", "[2,5,5,?] [2,5,?,3] [2,?,5,3]", "[2,5,5,3]"),
    ROW("", "? ? ?", "[?,?,?,?]"),
    ROW("", "[2,5,5,3] [2,5,5,4] [2,5,5,3]", "SF107 a.3 b.3"),
    ROW("", "[2,5,3] ? ?", "SF102 a"),
};
SF_OP_TEST(LRNGrad, lrn_grad)

static const SfOpCase softmax[] = {
    ROW("", "[2,3]", "[2,3]"),
    ROW("", "[3]", "[3]"),
    ROW("", "[n,?,4]", "[n,a.1,4]"),
    ROW("", "?", "?"),
    ROW("", "!", "!"),
    ROW("", "[]", "SF103 a"),
    ROW(RUN, "[]", "SF103 a 'logits must have >= 1 dimension, got []'"),
    ROW(RUN, "[2,3,4]", "[2,3,4]"),
    ROW(V8, "[2,3,4]", "[2,3,4]"),
    ROW(RUN V8, "[2,3,4]", "SF102 a 'logits must be 2-dimensional'"),
    ROW("", "[2,3]", "[2,3] cost 30"),
};
SF_OPS_TEST(softmax, softmax, "Softmax", "LogSoftmax")

#define LSTM "[4] [4] [4] [16]"
static const SfOpCase lstm_cell[] = {
    ROW("", "[2,3] [2,4] [2,4] [7,16] " LSTM, "[2,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4]"),
    ROW("", "[n,3] [n,4] [n,4] [7,16] " LSTM, "[n,4] [n,4] [n,4] [n,4] [n,4] [n,4] [n,4]"),
    ROW("", "? ? ? ? " LSTM, "[?,?] [?,?] [?,?] [?,?] [?,?] [?,?] [?,?]"),
    ROW("", "[2,3] [2,4] [2,5] [8,16] " LSTM,
        "deferred SF101 c.1 / [2,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4]"),
    ROW("", "[2] ? ? ? " LSTM, "SF102 a"),
    ROW(RUN, "[2,3] [3,4] [2,4] [7,16] " LSTM,
        "SF101 b.0 'cs_prev.dims(0) != batch_size: 3 vs. 2'"),
    ROW(RUN, "[2,3] [2,4] [2,5] [7,16] " LSTM, "SF101 c.1 'h_prev.dims(1) != cell_size: 5 vs. 4'"),
    ROW(RUN, "[2,3] [2,4] [2,4] [8,16] " LSTM,
        "SF101 d.0 'w.dim_size(0) != input_size + cell_size: 8 vs. 7'"),
    ROW(RUN, "[2,3] [2,4] [2,4] [7,16] [4] [4] [4] [15]",
        "SF101 h.0 'b.dim_size(0) != cell_size * 4: 15 vs. 16'"),
};
SF_OP_TEST(LSTMBlockCell, lstm_cell)

static const SfOpCase lstm_cell_grad[] = {
    ROW("use_peephole=false",
        "[2,3] [2,4] [2,4] [7,16] " LSTM " [2,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4]",
        "[2,4] [2,16] [4] [4] [4]"),
    ROW("use_peephole=false",
        "[2,?] [2,4] [2,4] [7,16] [4] [4] [4] [16] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4]",
        "[2,4] [2,16] [4] [4] [4]"),
    ROW("use_peephole=false", "? ? ? ? ? ? ? ? ? ? ? ? ? ? ? ?", "[?,?] [?,?] [?] [?] [?]"),
    ROW("use_peephole=false", "[2] ? ? ? ? ? ? ? ? ? ? ? ? ? ? ?", "SF102 a"),
};
SF_OP_TEST(LSTMBlockCellGrad, lstm_cell_grad)

static const SfOpCase block_lstm[] = {
    ROW("", "[] [7,2,3] [2,4] [2,4] [7,16] " LSTM,
        "[7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4]"),
    ROW("", "7 [t,n,3] ? ? ? ? ? ? [?]", "[t,n,?] [t,n,?] [t,n,?] [t,n,?] [t,n,?] [t,n,?] [t,n,?]"),
    ROW("", "[] ? ? ? ? ? ? ? ?", "[?,?,?] [?,?,?] [?,?,?] [?,?,?] [?,?,?] [?,?,?] [?,?,?]"),
    ROW("", "[] [7,2] ? ? ? ? ? ? [?]", "SF102 b"),
    ROW("", "[] ? ? ? ? ? ? ? [15]", "SF109 i.0"),
    ROW(RUN, "[] [7,2,3] [2,4] [2,4] [8,16] " LSTM,
        "SF101 e.0 'w.dim_size(0) != input_size + cell_size: 8 vs. 7'"),
};
SF_OPS_TEST(block_lstm, block_lstm, "BlockLSTM", "BlockLSTMV2")

#define SEQ " [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4]"
static const SfOpCase block_lstm_grad[] = {
    ROW("use_peephole=false", "[] [7,2,3] [2,4] [2,4] [7,16] " LSTM SEQ,
        "[7,2,3] [2,4] [2,4] [7,16] [4] [4] [4] [16]"),
    ROW("use_peephole=false",
        "[] [?,2,3] [2,4] [2,4] [7,16] [4] [4] [4] [16] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] "
        "[7,2,4] [7,2,4] [7,2,4] [7,2,4]",
        "[?,2,3] [2,4] [2,4] [7,16] [4] [4] [4] [16]"),
    ROW("use_peephole=false", "[] ? ? ? ? ? ? ? ?" SEQ,
        "[?,?,?] [?,?] [?,?] [?,?] [?] [?] [?] [?]"),
    ROW("use_peephole=false", "[] [7,2] ? ? ? ? ? ? ?" SEQ, "SF102 b"),
};
SF_OPS_TEST(block_lstm_grad, block_lstm_grad, "BlockLSTMGrad", "BlockLSTMGradV2")

static const SfOpCase gru_cell[] = {
    ROW("", "[2,3] [2,4] [7,8] [7,4] [8] [4]", "[2,4] [2,4] [2,4] [2,4]"),
    ROW("", "[n,3] [?,4] ? ? ? ?", "[n,4] [n,4] [n,4] [n,4]"),
    ROW("", "? ? ? ? ? ?", "[?,?] [?,?] [?,?] [?,?]"),
    ROW("", "[2] ? ? ? ? ?", "SF102 a"),
    ROW(RUN, "[2,3] [3,4] [7,8] [7,4] [8] [4]",
        "SF101 b.0 'h_prev.dims(0) != batch_size: 3 vs. 2'"),
    ROW(RUN, "[2,3] [2,4] [8,8] [7,4] [8] [4]",
        "SF101 c.0 'w_ru.dim_size(0) != input_size + cell_size: 8 vs. 7'"),
};
SF_OP_TEST(GRUBlockCell, gru_cell)

static const SfOpCase gru_cell_grad[] = {
    ROW("", "[2,3] [2,4] [7,8] [7,4] [8] [4] [2,4] [2,4] [2,4] [2,4]", "[2,3] [2,4] [2,4] [2,8]"),
    ROW("", "[2,?] [2,4] [7,8] [7,4] [8] [4] [2,4] [2,4] [2,4] [2,4]", "[2,?] [2,4] [2,4] [2,8]"),
    ROW("", "? ? ? ? ? ? ? ? ? ?", "[?,?] [?,?] [?,?] [?,?]"),
    ROW("", "[2] ? ? ? ? ? ? ? ? ?", "SF102 a"),
};
SF_OP_TEST(GRUBlockCellGrad, gru_cell_grad)

static const SfOpCase lrn_grad_op[] = {
    ROW("", "[1,4,4,3] [1,4,4,3] [1,4,4,3]", "[1,4,4,3]"),
    ROW("", "[?,4,4,3] [1,4,4,3] [1,4,4,3]", "[1,4,4,3]"),
    ROW("", "? ? ?", "[?,?,?,?]"),
    ROW("", "[2,4,4,3] [1,4,4,3] [1,4,4,3]", "SF107 a.0 b.0"),
    ROW("", "[1,4,4,3] [2,4,4,3] [1,4,4,3]", "SF107 a.0 b.0"),
    ROW("", "[1,4,4,3] [1,4,4,3] [2,4,4,3]", "SF107 a.0 c.0"),
};
SF_OP_TEST(LRNGrad, lrn_grad_op)
