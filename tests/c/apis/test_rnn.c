/* Rows of cuDNN's recurrent kernels, and of what the fused cells' kernels check; expectations asked
 * of TensorFlow 2.21. The cells' shapes are in test_nn.c. */
#include "tests/c/support/op_rows.h"

#define V2    "@version=2.21,"
#define EAGER V2 "@phase=eager,"
#define GRU   "rnn_mode='gru',"
#define BI    "direction='bidirectional',"

static const SfOpCase cudnn[] = {
    ROW(V2, "[5,3,4] [1,3,6] [1,3,6] [99]", "[5,3,6] [1,3,6] [1,3,6] ?"),
    ROW(V2 BI, "[t,n,4] [2,n,6] [2,n,6] [99]", "[t,n,12] [2,n,6] [2,n,6] ?"),
    ROW(V2 GRU, "[5,3,4] [1,3,6] [] [99]", "[5,3,6] [1,3,6] [] ?"),
    ROW(V2, "? ? ? ?", "[?,?,?] [?,?,?] [?,?,?] ?"),
    ROW(V2, "! [1,3,6] ? ?", "! ! ! !"),
    ROW(V2, "[5,4] ? ? ?", "SF102 a"),
    ROW(V2, "? [5,4] ? ?", "SF102 b"),
    ROW(V2, "? ? ? [5,4]", "SF102 d"),
    ROW(V2, "[5,3,4] [1,2,6] [1,2,6] [99]", "deferred SF101 b.1 a.1 / [5,3,6] [1,2,6] [1,2,6] ?"),
    ROW(V2, "[5,3,4] [1,3,6] [1,3,7] [99]", "deferred SF129 c b / [5,3,6] [1,3,6] [1,3,6] ?"),
};
SF_OP_TEST(CudnnRNN, cudnn)

static const SfOpCase cudnn_v2[] = {
    ROW(V2, "[5,3,4] [1,3,6] [1,3,6] [99]", "[5,3,6] [1,3,6] [1,3,6] ? ?:int8"),
    ROW(V2, "[t,?,4] ? ? ?", "[t,a.1,?] [?,?,?] [?,?,?] ? ?:int8"),
    ROW(V2, "[5,4] ? ? ?", "SF102 a"),
};
SF_OP_TEST(CudnnRNNV2, cudnn_v2)

static const SfOpCase cudnn_v3[] = {
    ROW(V2, "[5,3,4] [1,3,6] [1,3,6] [99] [3]", "[5,3,6] [1,3,6] [1,3,6] ? ?:int8"),
    ROW(V2 "num_proj=2," BI, "[5,3,4] [2,3,2] [2,3,6] [99] [3]",
        "[5,3,4] [2,3,2] [2,3,6] ? ?:int8"),
    ROW(V2 "time_major=false", "[n,5,4] [n,1,6] [n,1,6] [99] [n]",
        "[n,5,6] [n,1,6] [n,1,6] ? ?:int8"),
    ROW(V2 GRU, "? ? ? ? ?", "[?,?,?] [?,?,?] [] ? ?:int8"),
    ROW(V2 GRU, "? ? [5,4] ? ?", "[?,?,?] [?,?,?] [] ? ?:int8"),
    ROW(V2, "? ? [5,4] ? ?", "SF102 c"),
    ROW(V2, "? ? ? ? [3,3]", "SF102 e"),
};
SF_OP_TEST(CudnnRNNV3, cudnn_v3)

static const SfOpCase cudnn_grad[] = {
    ROW(V2, "[5,3,4] [1,3,6] [1,3,6] [99] ? ? ? ? ? ? ?", "[5,3,4] [1,3,6] [1,3,6] [99]"),
    ROW(V2, "[t,n,4] ? ? [?] ? ? ? ? ? ? ?", "[t,n,4] ? ? [d.0]"),
    ROW(V2, "! ? ? ? ? ? ? ? ? ? ?", "! ! ! !"),
};
SF_OP_TEST(CudnnRNNBackprop, cudnn_grad)

static const SfOpCase cudnn_grad_v2[] = {
    ROW(V2, "[5,3,4] [1,3,6] [1,3,6] [99] ? ? ? ? ? ? ? ?", "[5,3,4] [1,3,6] [1,3,6] [99]"),
    ROW(V2, "? [1,?,6] ? ? ? ? ? ? ? ? ? ?", "? [1,b.1,6] ? ?"),
};
SF_OP_TEST(CudnnRNNBackpropV2, cudnn_grad_v2)

static const SfOpCase cudnn_grad_v3[] = {
    ROW(V2, "[5,3,4] [1,3,6] [1,3,6] [99] [3] ? ? ? ? ? ? ? ?", "[5,3,4] [1,3,6] [1,3,6] [99]"),
    ROW(V2, "? [1,?,6] ? ? ? ? ? ? ? ? ? ? ?", "? [1,b.1,6] ? ?"),
};
SF_OP_TEST(CudnnRNNBackpropV3, cudnn_grad_v3)

static const SfOpCase size[] = {
    ROW(V2 "T=float,S=int32", "2 4 3", "[1]:int32"),
    ROW(V2 "T=half,S=int64", "? ? ?", "[1]:int64"),
    ROW(V2 "T=float,S=int32", "[1] 4 3", "SF102 a"),
};
SF_OP_TEST(CudnnRNNParamsSize, size)

static const SfOpCase canonical[] = {
    ROW(V2 "num_params=2", "2 4 3 [99]", "[?,?] [?,?] [?] [?]"),
    ROW(V2 "num_params=2", "2 4 3 [?]", "[?,?] [?,?] [?] [?]"),
    ROW(V2 "num_params=1", "[2] ? ? ?", "[?,?] [?]"),
    ROW(V2 "num_params=1", "2 4 3 [9,9]", "SF102 d"),
};
SF_OP_TEST(CudnnRNNParamsToCanonical, canonical)

static const SfOpCase canonical_v2[] = {
    ROW(V2 "num_params_weights=2,num_params_biases=3", "2 4 3 [99]", "[?,?] [?,?] [?] [?] [?]"),
    ROW(V2 "num_params_weights=2,num_params_biases=3", "2 4 3 [?]", "[?,?] [?,?] [?] [?] [?]"),
    ROW(V2 "num_params_weights=1,num_params_biases=1", "? ? ? ?", "[?,?] [?]"),
    ROW(V2 "num_params_weights=1,num_params_biases=1", "2 4 3 [9,9]", "SF102 d"),
};
SF_OP_TEST(CudnnRNNParamsToCanonicalV2, canonical_v2)

static const SfOpCase params[] = {
    ROW(V2, "2 4 3 ( [2,3] [4] ) ( [2] [3,3] )", "[?]"),
    ROW(V2, "2 4 3 ( [?,3] [4] ) ( [2] [3,3] )", "[?]"),
    ROW(V2, "? ? ? ( ? ) ( ? )", "[?]"),
    ROW(V2, "! ? ? ( ? ) ( ? )", "!"),
};
SF_OPS_TEST(cudnn_params, params, "CudnnRNNCanonicalToParams", "CudnnRNNCanonicalToParamsV2")

#define LSTM "[4] [4] [4] [16]"
#define PEEP "use_peephole=true"
static const SfOpCase lstm[] = {
    ROW(V2, "[?,3] [2,?] [2,4] [7,16] " LSTM, "[2,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4]"),
    ROW(EAGER PEEP, "[2,3] [2,4] [2,4] [7,16] [1,4] [4] [4] [16]",
        "SF102 e 'wci_tensor must be rank 1 but is rank 2.'"),
    ROW(EAGER PEEP, "[2,3] [2,4] [2,4] [7,16] [9] [4] [4] [16]",
        "[2,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4]"),
};
SF_OP_TEST(LSTMBlockCell, lstm)

static const SfOpCase lstm_grad[] = {
    ROW(V2 PEEP,
        "[2,3] [2,4] [2,4] [7,16] " LSTM " [2,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,5] [2,4]",
        "deferred SF101 o.1 'cs_grad_tensor.dims(1) != cell_size: 5 vs. 4' / [2,4] [2,16] [4] [4] "
        "[4]"),
    ROW(EAGER PEEP,
        "[2,3] [2,4] [2,4] [7,16] " LSTM " [3,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4] [2,4]",
        "SF101 i.0 'i.dim_size(0) != batch_size: 3 vs. 2'"),
};
SF_OP_TEST(LSTMBlockCellGrad, lstm_grad)

static const SfOpCase block[] = {
    ROW(V2, "[] [7,2,3] ? [2,4] ? ? ? ? [?]",
        "[7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4]"),
    ROW(V2, "[1] [7,2,3] [2,4] [2,4] [7,16] " LSTM,
        "deferred SF102 a '`seq_len_max_tensor` must be rank 0 but is rank 1' / [7,2,4] [7,2,4] "
        "[7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4]"),
    ROW(EAGER, "[] [7,2,3] [2,4] [2,4] [7,16] [5] [4] [4] [16]",
        "SF101 f.0 'wci.dim_size(0) != cell_size: 5 vs. 4'"),
    ROW(EAGER, "[] [2,3] [2,4] [2,4] [7,16] " LSTM, "SF102 b 'x must be 3D'"),
    ROW(EAGER, "[] [7,2,3] [2,4] [2,4] [7,16] [4] [4] [4] [15]",
        "SF101 i.0 'b.dim_size(0) != cell_size * 4: 15 vs. 16'"),
};
SF_OPS_TEST(block_kernel, block, "BlockLSTM", "BlockLSTMV2")

#define SEQ " [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4] [7,2,4]"
static const SfOpCase block_grad[] = {
    ROW(V2 PEEP, "[] [7,2,5] [2,4] [2,4] [7,16] " LSTM SEQ,
        "deferred SF101 e.0 b.2 'w matrix rows don't match: 9 vs. 7' / [7,2,5] [2,4] [2,4] [7,16] "
        "[4] "
        "[4] [4] [16]"),
    ROW(EAGER PEEP, "[] [7,2,3] [2,4] [2,4] [7,16] [4] [4] [4] [12]" SEQ,
        "SF101 i.0 e.1 'w and b cell_size don't match: 4 vs. 12'"),
    ROW(EAGER PEEP, "[1] [7,2,3] [2,4] [2,4] [7,16] " LSTM SEQ,
        "SF102 a '`seq_len_max_tensor` must be rank 0 but is rank 1'"),
};
SF_OPS_TEST(block_grad_kernel, block_grad, "BlockLSTMGrad", "BlockLSTMGradV2")

static const SfOpCase gru[] = {
    ROW(V2, "[2,3] [2,4] [7,8] [7,4] [8] [5]",
        "deferred SF101 f.0 'b_c.dim_size(0) != cell_size: 5 vs. 4' / [2,4] [2,4] [2,4] [2,4]"),
    ROW(EAGER, "[2,3] [2,4] [8] [7,4] [8] [4]", "SF102 c 'Rank of w_ru_ must be 2, got 1'"),
    ROW(EAGER, "[2,3] [4] [7,8] [7,4] [8] [4]", "SF102 b 'Rank of h_prev must be 2, got 1'"),
};
SF_OP_TEST(GRUBlockCell, gru)

static const SfOpCase gru_grad[] = {
    ROW(V2, "[2,3] [2,4] [7,8] [7,4] [8] [4] [2,4] [2,4] [3,4] [2,4]",
        "deferred SF101 i.0 'c.dims(0) != batch_size: 3 vs. 2' / [2,3] [2,4] [2,4] [2,8]"),
    ROW(EAGER, "[2,3] [2,4] [7,8] [7,4] [8] [4] [2,4] [2,4] [4] [2,4]",
        "SF102 i 'Rank of w_c must be 2, got 1'"),
};
SF_OP_TEST(GRUBlockCellGrad, gru_grad)

#define CUDNN_RNN_BACKPROP_ATTRS "rnn_mode='rnn_relu',direction='bidirectional'"
static const SfOpCase cudnn_rnn_backprop[] = {
    ROW(CUDNN_RNN_BACKPROP_ATTRS,
        "[4,4,1] [4,4,3] [] [40] [4,4,6] [4,4,3] [] [4,4,6] [4,4,3] [] [3]",
        "[4,4,1] [4,4,3] [] [40]"),
    ROW(CUDNN_RNN_BACKPROP_ATTRS,
        "[?,4,1] [4,4,3] [] [40] [4,4,6] [4,4,3] [] [4,4,6] [4,4,3] [] [3]",
        "[?,4,1] [4,4,3] [] [40]"),
    ROW(CUDNN_RNN_BACKPROP_ATTRS, "? ? ? ? ? ? ? ? ? ? ?", "? ? ? ?"),
};
SF_OP_TEST(CudnnRNNBackprop, cudnn_rnn_backprop)

static const SfOpCase cudnn_rnn_backprop_v2[] = {
    ROW(CUDNN_RNN_BACKPROP_ATTRS,
        "[4,4,1] [4,4,3] [] [40] [4,4,6] [4,4,3] [] [4,4,6] [4,4,3] [] [3] [0]",
        "[4,4,1] [4,4,3] [] [40]"),
    ROW(CUDNN_RNN_BACKPROP_ATTRS,
        "[?,4,1] [4,4,3] [] [40] [4,4,6] [4,4,3] [] [4,4,6] [4,4,3] [] [3] [0]",
        "[?,4,1] [4,4,3] [] [40]"),
    ROW(CUDNN_RNN_BACKPROP_ATTRS, "? ? ? ? ? ? ? ? ? ? ? ?", "? ? ? ?"),
};
SF_OP_TEST(CudnnRNNBackpropV2, cudnn_rnn_backprop_v2)

static const SfOpCase cudnn_rnn_backprop_v3[] = {
    ROW(CUDNN_RNN_BACKPROP_ATTRS,
        "[4,4,1] [4,4,3] [4,4,3] [40] [4] [4,4,6] [4,4,3] [4,4,3] [4,4,6] [4,4,3] [4,4,3] [3] [0]",
        "[4,4,1] [4,4,3] [4,4,3] [40]"),
    ROW(CUDNN_RNN_BACKPROP_ATTRS,
        "[?,4,1] [4,4,3] [4,4,3] [40] [4] [4,4,6] [4,4,3] [4,4,3] [4,4,6] [4,4,3] [4,4,3] [3] [0]",
        "[?,4,1] [4,4,3] [4,4,3] [40]"),
    ROW(CUDNN_RNN_BACKPROP_ATTRS, "? ? ? ? ? ? ? ? ? ? ? ? ?", "? ? ? ?"),
};
SF_OP_TEST(CudnnRNNBackpropV3, cudnn_rnn_backprop_v3)
