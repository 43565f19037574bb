/* Recurrent kernels: the fused LSTM and GRU cells, whole sequences, and cuDNN's.
 * Source: rnn_ops.cc, cudnn_rnn_ops.cc and the checks of lstm_ops.cc, gru_ops.cc,
 * cudnn_rnn_ops.cc of the kernels. */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/op_types.h"

#define SF_2_0 SF_VERSION(2, 0)

/* The dim that two places should agree on: the first that is known, for kernels that refuse a
 * difference. */
static SfDim either(SfDim a, SfDim b)
{
    return a == SF_DIM_UNKNOWN ? b : a;
}

/* Four times, or two; what overflows is unknown. */
static SfDim times(SfDim d, int64_t n)
{
    const SfDim product = sf_dim_mul(d, n);
    return product == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : product;
}

/* checks of the fused cells */

typedef struct Cell {
    SfDim batch, depth, size;
} Cell;

/* What a dim of an input is compared with. */
typedef enum What { BATCH, SIZE, TWICE_SIZE, GATES, DEPTH_AND_SIZE, RANK } What;

/* One comparison and the message of its kernel; RANK: the input has `axis` axes. A table ends with
 * {0}. */
typedef struct SizeCheck {
    int input, axis;
    What what;
    const char *text;
} SizeCheck;

/* [batch, size]: a state of the cell. */
/* clang-format off */
#define STATE(input, name)                                                                         \
    {input, 0, BATCH, name "(0) != batch_size"}, {input, 1, SIZE, name "(1) != cell_size"}
/* clang-format on */

static SfStatus check_sizes(SfInfer *c, const Cell *k, const SizeCheck *table)
{
    const SfDim sizes[] = {k->batch, k->size, times(k->size, 2), times(k->size, 4),
                           sf_dim_add(k->depth, k->size)};
    for (const SizeCheck *row = table; row->text && sf_has_input(c, row->input); row++) {
        if (row->what == RANK) {
            SF_TRY(sf_want_rank(c, SF_INPUT(row->input), row->axis, NULL));
        } else if (row->axis < sf_shape_rank(sf_input(c, row->input))) {
            const SfDim is = sf_input_dim(c, row->input, row->axis), want = sizes[row->what];
            SF_TRY(sf_require_as(c, !sf_dim_differs(is, want), SF_DIAG_DIM_EQUAL,
                                 SF_AXIS(row->input, row->axis), SF_THE_OP, "{0}: {1} vs. {2}",
                                 SF_TEXT_ARG(row->text), SF_DIM_ARG(is), SF_DIM_ARG(want)));
        }
    }
    return SF_OK;
}

static const SfMessage lstm_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0)},
    {SF_ON(RANK_EXACT), SF_OF(1)},
    {SF_ON(RANK_EXACT), .text = "{a.name}_tensor must be rank {0} but is rank {1}."},
    {0}};

/* clang-format off */
#define WEIGHTS(w)                                                                                 \
    {w, 0, DEPTH_AND_SIZE, "w.dim_size(0) != input_size + cell_size"},                             \
    {w, 1, GATES, "w.dim_size(1) != cell_size * 4"}
static const SizeCheck lstm_sizes[] = {
    {1, 0, BATCH, "cs_prev.dims(0) != batch_size"}, STATE(2, "h_prev.dims"), WEIGHTS(3),
    {7, 0, GATES, "b.dim_size(0) != cell_size * 4"},
    {0}};
static const SizeCheck lstm_ranks[] = { /* of the cell, behind its sizes */
    {2, 2, RANK, ""}, {3, 2, RANK, ""}, {4, 1, RANK, ""}, {5, 1, RANK, ""}, {6, 1, RANK, ""},
    {7, 1, RANK, ""},
    {0}};
static const SizeCheck lstm_grad_sizes[] = {
    STATE(8, "i.dim_size"), STATE(9, "cs.dim_size"),
    {10, 0, BATCH, "f.dim_size(0) != batch_size"},
    {10, 1, SIZE, "i.dim_size(1) != cell_size"}, /* the kernel's own wording */
    STATE(11, "o.dim_size"), STATE(12, "ci.dim_size"), STATE(13, "co.dim_size"),
    STATE(14, "cs_grad_tensor.dims"), STATE(15, "h_grad_tensor.dims"),
    {0}};
/* clang-format on */

static SfStatus lstm_check(SfInfer *c, const void *data)
{
    SF_TRY(check_sizes(c, data, lstm_sizes));
    return check_sizes(c, data, sf_output_count(c) == 7 ? lstm_ranks : lstm_grad_sizes);
}

static const SfMessage block_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "`seq_len_max_tensor` must be rank 0 but is rank {1}"},
    {SF_ON(RANK_EXACT), .text = "{a.name} must be {0}D"},
    {0}};

/* BlockLSTM looks at its inputs one by one. */
/* clang-format off */
static const SizeCheck block_sizes[] = {
    {2, 2, RANK, ""}, {2, 0, BATCH, "cs_prev.dims(0) != batch_size"},
    {3, 2, RANK, ""}, STATE(3, "h_prev.dims"),
    {4, 2, RANK, ""}, WEIGHTS(4),
    {5, 1, RANK, ""}, {5, 0, SIZE, "wci.dim_size(0) != cell_size"},
    {6, 1, RANK, ""}, {6, 0, SIZE, "wcf.dim_size(0) != cell_size"},
    {7, 1, RANK, ""}, {7, 0, SIZE, "wco.dim_size(0) != cell_size"},
    {8, 0, GATES, "b.dim_size(0) != cell_size * 4"},
    {0}};
/* clang-format on */

static SfStatus block_check(SfInfer *c, const void *data)
{
    SF_TRY(sf_version(c) < SF_2_0 ? SF_OK : sf_want_rank(c, SF_INPUT(0), 0, NULL));
    return check_sizes(c, data, block_sizes);
}

/* clang-format off */
static const SfMessage gru_messages[] = {
    /* The names are the kernel's own. */
#define GRU_MESSAGE(i, name)                                                                       \
    {SF_ON(RANK_EXACT), SF_OF(i), .text = "Rank of " name " must be {0}, got {1}"}
    GRU_MESSAGE(0, "x"), GRU_MESSAGE(1, "h_prev"), GRU_MESSAGE(2, "w_ru_"),
    GRU_MESSAGE(3, "w_c"), GRU_MESSAGE(4, "b_ru"), GRU_MESSAGE(5, "b_c"),
    GRU_MESSAGE(6, "r"), GRU_MESSAGE(7, "u"), GRU_MESSAGE(8, "w_c"),
    GRU_MESSAGE(9, "d_h"),
    {0}};
/* clang-format on */

/* clang-format off */
static const SizeCheck gru_sizes[] = {
    {1, 0, BATCH, "h_prev.dims(0) != batch_size"},
    {2, 0, DEPTH_AND_SIZE, "w_ru.dim_size(0) != input_size + cell_size"},
    {2, 1, TWICE_SIZE, "w_ru.dim_size(1) != cell_size * 2"},
    {3, 0, DEPTH_AND_SIZE, "w_c.dim_size(0) != input_size + cell_size"},
    {3, 1, SIZE, "w_c.dim_size(1) != cell_size"},
    {4, 0, TWICE_SIZE, "b_ru.dim_size(0) != cell_size * 2"},
    {5, 0, SIZE, "b_c.dim_size(0) != cell_size"},
    STATE(6, "r.dims"), STATE(7, "u.dims"), STATE(8, "c.dims"), STATE(9, "d_h.dims"), /* gradient */
    {0}};
/* clang-format on */

static SfStatus gru_check(SfInfer *c, const void *data)
{
    for (int i = 0; i < sf_input_count(c); i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), i == 4 || i == 5 ? 1 : 2, NULL));
    }
    return check_sizes(c, data, gru_sizes);
}

/* the fused cells */

/* The states [first, last] are all [b,c]; what is unknown of one is completed from another. */
static void read_states(SfInfer *c, Cell *k, int first, int last)
{
    for (int i = first; i <= last; i++) {
        if (sf_shape_rank(sf_input(c, i)) == 2) {
            k->batch = either(k->batch, sf_input_dim(c, i, 0));
            k->size = either(k->size, sf_input_dim(c, i, 1));
        }
    }
}

/* x[b,i] and the states after it. */
static SfStatus cell_of(SfInfer *c, int states, Cell *k)
{
    const SfShape *x;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &x));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, NULL));
    *k = (Cell){sf_shape_dim(x, 0), sf_shape_dim(x, 1), sf_input_dim(c, 1, 1)};
    read_states(c, k, 1, states);
    return SF_OK;
}

/* LSTMBlockCell: x[b,i], cs_prev[b,c]; seven outputs [b,c]. */
static SfStatus infer_lstm_cell(SfInfer *c)
{
    Cell k;
    sf_kernel_messages(c, lstm_messages);
    SF_TRY(cell_of(c, 2, &k));
    SF_TRY(sf_kernel_check(c, lstm_check, &k));
    return sf_set_outputs(c, sf_shape_matrix(k.batch, k.size));
}

/* Its gradient: cs_prev_grad[b,c], dicfo[b,4c] and the three peepholes. */
static SfStatus infer_lstm_cell_grad(SfInfer *c)
{
    Cell k;
    SF_TRY(cell_of(c, 2, &k));
    SF_TRY(sf_kernel_check(c, lstm_check, &k));
    SF_TRY(sf_set_output_matrix(c, 0, k.batch, k.size));
    SF_TRY(sf_set_output_matrix(c, 1, k.batch, times(k.size, 4)));
    const SfDim declared =
        sf_shape_rank(sf_input(c, 1)) == 2 ? sf_input_dim(c, 1, 1) : SF_DIM_UNKNOWN;
    for (int i = 0; i < 3; i++) { /* the kernel's are as long as the peepholes, which it trusts */
        const SfShape *peephole = sf_input(c, 4 + i);
        const SfDim size =
            sf_shape_rank(peephole) == 1 ? sf_shape_dim(peephole, 0) : SF_DIM_UNKNOWN;
        SF_TRY(sf_set_output_vector(c, 2 + i, sf_dim_is_known(size) ? size : declared));
    }
    return SF_OK;
}

/* BlockLSTM: x[t,b,i]; seven outputs [t,b,c], where the bias b has 4*c entries. */
static SfStatus infer_block_lstm(SfInfer *c)
{
    const SfShape *x, *bias;
    sf_kernel_messages(c, block_messages);
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 3, &x));
    SF_TRY(sf_want_rank(c, SF_INPUT(8), 1, &bias));
    const SfDim gates = sf_shape_dim(bias, 0);
    SfDim size = sf_dim_div_exact(gates, 4);
    if (size == SF_DIM_BOTTOM && sf_phase(c) == SF_PHASE_BUILD) {
        return sf_fail(c, SF_DIAG_RESHAPE_DIVIDE, SF_AXIS(8, 0), SF_THE_OP, SF_INT_ARG(4),
                       SF_DIM_ARG(gates));
    }
    Cell k = {sf_shape_dim(x, 1), sf_shape_dim(x, 2), SF_DIM_UNKNOWN};
    read_states(c, &k, 2, 3);
    SF_TRY(sf_kernel_check(c, block_check, &k));
    size = either(size == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : size, k.size);
    const SfDim dims[] = {sf_shape_dim(x, 0), k.batch, size};
    return sf_set_outputs(c, sf_shape_make(3, dims));
}

static bool is_sequence(SfInfer *c, const SfFinding *f)
{
    return f->a.index > 8;
}

static const SfMessage block_grad_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "`seq_len_max_tensor` must be rank {0} but is rank {1}"},
    {SF_ON(RANK_EXACT), .when = is_sequence, .text = "{a.name} must be rank 3. Received: {1}"},
    {SF_ON(RANK_EXACT), .text = "{a.name} must be rank {0} but is rank {1}"},
    {0}};

/* The cell's size is a fourth of w's columns, rounded down. */
static SfStatus block_grad_check(SfInfer *c)
{
    const SfShape *x, *w, *b;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 0, NULL));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 3, &x));
    SF_TRY(sf_want_rank(c, SF_INPUT(4), 2, &w));
    SF_TRY(sf_want_rank(c, SF_INPUT(8), 1, &b));
    const SfDim rows = sf_shape_dim(w, 0), biases = sf_shape_dim(b, 0), depth = sf_shape_dim(x, 2);
    const SfDim size =
        sf_dim_is_known(sf_shape_dim(w, 1)) ? sf_shape_dim(w, 1) / 4 : SF_DIM_UNKNOWN;
    const SfDim wanted = sf_dim_add(depth, size);
    SF_TRY(sf_require_as(c,
                         !sf_dim_is_known(size) || !sf_dim_is_known(depth) ||
                             !sf_dim_is_known(rows) || wanted == rows,
                         SF_DIAG_DIM_EQUAL, SF_AXIS(4, 0), SF_AXIS(1, 2),
                         "w matrix rows don't match: {0} vs. {1}", SF_DIM_ARG(wanted),
                         SF_DIM_ARG(rows)));
    SF_TRY(sf_require_as(
        c, !sf_dim_is_known(size) || !sf_dim_is_known(biases) || biases / 4 == size,
        SF_DIAG_DIM_EQUAL, SF_AXIS(8, 0), SF_AXIS(4, 1),
        "w and b cell_size don't match: {0} vs. {1}", SF_DIM_ARG(size), SF_DIM_ARG(biases)));
    int64_t steps;
    for (int i = 9; i < sf_input_count(c); i++) {
        if (i >= 16 && !(sf_input_int(c, 0, &steps) && steps > 0)) {
            break; /* looked at in the loop */
        }
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 3, NULL));
    }
    return SF_OK;
}

/* Its gradient: one for each of the eight inputs from x on. */
static SfStatus infer_block_lstm_grad(SfInfer *c)
{
    static const int ranks[] = {3, 2, 2, 2, 1, 1, 1, 1};
    sf_kernel_messages(c, block_grad_messages);
    for (int i = 0; i < SF_ARRAY_LEN(ranks); i++) {
        const SfShape *s;
        SF_TRY(sf_want_rank(c, SF_INPUT(1 + i), ranks[i], &s));
        SF_TRY(sf_set_output_shape(c, i, s));
    }
    return sf_version(c) >= SF_2_0 ? sf_ask_kernel(c, block_grad_check) : SF_OK;
}

/* GRUBlockCell: x[b,i], h_prev[b,c]; r, u, c, h are [b,c]. */
static SfStatus infer_gru_cell(SfInfer *c)
{
    Cell k;
    sf_kernel_messages(c, gru_messages);
    SF_TRY(cell_of(c, 1, &k));
    SF_TRY(sf_kernel_check(c, gru_check, &k));
    return sf_set_outputs(c, sf_shape_matrix(k.batch, k.size));
}

/* Its gradient: d_x[b,i], d_h_prev[b,c], d_c_bar[b,c], d_r_bar_u_bar[b,2c]. */
static SfStatus infer_gru_cell_grad(SfInfer *c)
{
    Cell k;
    sf_kernel_messages(c, gru_messages);
    SF_TRY(cell_of(c, 1, &k));
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 2, NULL));
    SF_TRY(sf_kernel_check(c, gru_check, &k));
    SF_TRY(sf_set_output_matrix(c, 0, k.batch, k.depth));
    SF_TRY(sf_set_output_matrix(c, 1, k.batch, k.size));
    SF_TRY(sf_set_output_matrix(c, 2, k.batch, k.size));
    return sf_set_output_matrix(c, 3, k.batch, either(sf_input_dim(c, 2, 1), times(k.size, 2)));
}

/* cuDNN */

/* The kernel wants one initial state for each row of the batch, and both of one shape. */
static SfStatus cudnn_check(SfInfer *c, const void *data)
{
    const SfShape *in = data, *h = sf_input(c, 1), *cell = sf_input(c, 2);
    const bool lstm = strcmp(sf_attr_string(c, "rnn_mode"), "lstm") == 0;
    const bool v3 = sf_op_attr_index(sf_op_sig(c), "num_proj") >= 0;
    const int axis = v3 && !sf_attr_bool(c, "time_major") ? 0 : 1;
    const SfDim batch = sf_shape_dim(in, axis), rows = sf_shape_dim(h, axis);
    SF_TRY(sf_require_as(c, !sf_shape_is_ranked(h) || !sf_dim_differs(batch, rows),
                         SF_DIAG_DIM_EQUAL, SF_AXIS(1, axis), SF_AXIS(0, axis),
                         "Invalid input_h shape: {0}: the batch is {1}", SF_SHAPE_ARG(h),
                         SF_DIM_ARG(batch)));
    return sf_require_as(
        c, !lstm || (v3 && sf_attr_int(c, "num_proj") != 0) || sf_shape_compatible(h, cell),
        SF_DIAG_RUN_REFUSED, SF_INPUT(2), SF_INPUT(1), "Invalid input_c shape: {0} {1}",
        SF_SHAPE_ARG(cell), SF_SHAPE_ARG(h));
}

/* CudnnRNN: input[t,b,i], input_h[layers,b,units]; output [t,b,units * directions]. What the
 * backward pass needs is kept in a form of cuDNN's own. Source: tf.raw_ops.CudnnRNNV3. */
static SfStatus infer_cudnn(SfInfer *c)
{
    const bool v3 = sf_input_count(c) == 5;
    const bool lstm = strcmp(sf_attr_string(c, "rnn_mode"), "lstm") == 0;
    const bool both = strcmp(sf_attr_string(c, "direction"), "bidirectional") == 0;
    const SfShape *in, *h, *cell = NULL;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 3, &in));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 3, &h));
    if (v3 && lstm) {
        SF_TRY(sf_want_rank(c, SF_INPUT(2), 3, &cell));
    }
    if (v3) {
        SF_TRY(sf_want_rank(c, SF_INPUT(4), 1, NULL));
    }
    SF_TRY(sf_want_rank(c, SF_INPUT(3), 1, NULL));
    SF_TRY(sf_kernel_check(c, cudnn_check, in));
    const SfDim dims[] = {sf_shape_dim(in, 0), sf_shape_dim(in, 1),
                          times(sf_shape_dim(h, 2), both ? 2 : 1)};
    SF_TRY(sf_set_output_shape(c, 0, sf_shape_make(3, dims)));
    SF_TRY(sf_set_output_shape(c, 1, h));
    SF_TRY(lstm ? sf_set_output_shape(c, 2, v3 ? cell : h) : sf_set_output_scalar(c, 2));
    for (int i = 3; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_unknown(c, i));
    }
    return SF_OK;
}

/* The opaque vector as matrices and vectors, whose sizes only cuDNN tells. */
static SfStatus infer_cudnn_canonical(SfInfer *c)
{
    int first;
    const int weights = sf_output_range(c, "weights", &first);
    SF_TRY(sf_want_rank(c, SF_INPUT(3), 1, NULL));
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(i < weights ? sf_set_output_matrix(c, i, SF_DIM_UNKNOWN, SF_DIM_UNKNOWN)
                           : sf_set_output_vector(c, i, SF_DIM_UNKNOWN));
    }
    return SF_OK;
}

/* table */

/* clang-format off */
#define LSTM_IN "x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T"
#define LSTM_OUT "i: T, cs: T, f: T, o: T, ci: T, co: T, h: T"
#define LSTM_GRADS \
    "x_grad: T, cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, " \
    "wco_grad: T, b_grad: T"
#define LSTM_ATTRS \
    "forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = false, T: {half, float}"
#define GRU_IN "x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T"
#define CUDNN_T "T: " SF_FLOATS ", "
#define CUDNN "rnn_mode: {'rnn_relu', 'rnn_tanh', 'lstm', 'gru'} = 'lstm', " \
    "input_mode: {'linear_input', 'skip_input', 'auto_select'} = 'linear_input', " \
    "direction: {'unidirectional', 'bidirectional'} = 'unidirectional', dropout: float = 0.0, " \
    "seed: int = 0, seed2: int = 0"
#define CUDNN_COUNTS "num_params_weights: int >= 1, num_params_biases: int >= 1, "
#define TIME_MAJOR "time_major: bool = true"
#define CUDNN_SIZES "num_layers: int32, num_units: int32, input_size: int32"
#define CUDNN_IN "input: T, input_h: T, input_c: T, params: T"
#define CUDNN_OUT "output: T, output_h: T, output_c: T, reserve_space: T"
#define CUDNN_BACK "output: T, output_h: T, output_c: T, output_backprop: T, " \
    "output_h_backprop: T, output_c_backprop: T, reserve_space: T"
#define CUDNN_GRADS \
    "input_backprop: T, input_h_backprop: T, input_c_backprop: T, params_backprop: T"

static const SfOpDef ops[] = {
#define BLOCK_GRAD(name) \
    SF_OP(name, .inputs = "seq_len_max: int64, " LSTM_IN ", " LSTM_OUT ", cs_grad: T, h_grad: T", \
          .outputs = LSTM_GRADS, .attrs = "use_peephole: bool, T: {half, float}", \
          .infer = infer_block_lstm_grad, .grad = SF_GRAD_MISSING)
#define CUDNN_OP(name, in, out, attrs_, infer_, grad_) \
    SF_OP(name, .inputs = in, .outputs = out, .attrs = CUDNN_T CUDNN attrs_, .infer = infer_, \
          .traits = SF_OP_STATEFUL, .grad = grad_)
    SF_OP(LSTMBlockCell, .inputs = LSTM_IN, .outputs = LSTM_OUT, .attrs = LSTM_ATTRS,
          .infer = infer_lstm_cell),
    SF_OP(LSTMBlockCellGrad,
          .inputs = LSTM_IN ", i: T, cs: T, f: T, o: T, ci: T, co: T, cs_grad: T, h_grad: T",
          .outputs = "cs_prev_grad: T, dicfo: T, wci_grad: T, wcf_grad: T, wco_grad: T",
          .attrs = "use_peephole: bool, T: {half, float}", .infer = infer_lstm_cell_grad,
          .grad = SF_GRAD_MISSING),
    SF_OP(BlockLSTM, .inputs = "seq_len_max: int64, " LSTM_IN, .outputs = LSTM_OUT,
          .attrs = LSTM_ATTRS, .infer = infer_block_lstm),
    SF_OP(BlockLSTMV2, .inputs = "seq_len_max: int64, " LSTM_IN, .outputs = LSTM_OUT,
          .attrs = "cell_clip: float = 0.0, use_peephole: bool = false, T: {half, float}",
          .infer = infer_block_lstm),
    BLOCK_GRAD(BlockLSTMGrad),
    BLOCK_GRAD(BlockLSTMGradV2),
    SF_OP(GRUBlockCell, .inputs = GRU_IN, .outputs = "r: T, u: T, c: T, h: T",
          .attrs = "T: {float}", .infer = infer_gru_cell),
    SF_OP(GRUBlockCellGrad, .inputs = GRU_IN ", r: T, u: T, c: T, d_h: T",
          .outputs = "d_x: T, d_h_prev: T, d_c_bar: T, d_r_bar_u_bar: T", .attrs = "T: {float}",
          .infer = infer_gru_cell_grad, .grad = SF_GRAD_MISSING),
    SF_OP(CudnnRNNParamsSize, .inputs = CUDNN_SIZES, .outputs = "params_size: S",
          .attrs = CUDNN_T "S: {int32, int64}, " CUDNN ", num_proj: int = 0",
          .infer = SF_SHAPES("[] [] [] -> [1]"), .grad = SF_GRAD_MISSING),
    CUDNN_OP(CudnnRNN, CUDNN_IN, CUDNN_OUT, ", is_training: bool = true", infer_cudnn,
             SF_GRAD_INPUTS(15u)),
    CUDNN_OP(CudnnRNNV2, CUDNN_IN, CUDNN_OUT ", host_reserved: int8", ", is_training: bool = true",
             infer_cudnn, SF_GRAD_INPUTS(15u)),
    CUDNN_OP(CudnnRNNV3, CUDNN_IN ", sequence_lengths: int32", CUDNN_OUT ", host_reserved: int8",
             ", num_proj: int = 0, is_training: bool = true, " TIME_MAJOR, infer_cudnn,
             SF_GRAD_INPUTS(15u)),
    CUDNN_OP(CudnnRNNBackprop, CUDNN_IN ", " CUDNN_BACK, CUDNN_GRADS, "", sf_infer_each,
             SF_GRAD_MISSING),
    CUDNN_OP(CudnnRNNBackpropV2, CUDNN_IN ", " CUDNN_BACK ", host_reserved: int8", CUDNN_GRADS, "",
             sf_infer_each, SF_GRAD_MISSING),
    CUDNN_OP(CudnnRNNBackpropV3,
             CUDNN_IN ", sequence_lengths: int32, " CUDNN_BACK ", host_reserved: int8", CUDNN_GRADS,
             ", num_proj: int = 0, " TIME_MAJOR, sf_infer_each, SF_GRAD_MISSING),
    SF_OP(CudnnRNNParamsToCanonical, .inputs = CUDNN_SIZES ", params: T",
          .outputs = "weights: num_params * T, biases: num_params * T",
          .attrs = CUDNN_T "num_params: int >= 1, " CUDNN, .infer = infer_cudnn_canonical,
          .grad = SF_GRAD_MISSING),
    SF_OP(CudnnRNNParamsToCanonicalV2, .inputs = CUDNN_SIZES ", params: T",
          .outputs = "weights: num_params_weights * T, biases: num_params_biases * T",
          .attrs = CUDNN_T CUDNN_COUNTS CUDNN ", num_proj: int = 0",
          .infer = infer_cudnn_canonical, .grad = SF_GRAD_MISSING),
    SF_OP(CudnnRNNCanonicalToParams,
          .inputs = CUDNN_SIZES ", weights: num_params * T, biases: num_params * T",
          .outputs = "params: T", .attrs = CUDNN_T "num_params: int >= 1, " CUDNN,
          .infer = SF_SHAPES("? ? ? ? ? -> [?]"), .grad = SF_GRAD_MISSING),
    SF_OP(CudnnRNNCanonicalToParamsV2,
          .inputs = CUDNN_SIZES ", weights: num_params_weights * T, biases: num_params_biases * T",
          .outputs = "params: T", .attrs = CUDNN_T CUDNN_COUNTS CUDNN ", num_proj: int = 0",
          .infer = SF_SHAPES("? ? ? ? ? -> [?]"), .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_rnn = {ops, SF_ARRAY_LEN(ops), "rnn"};
