/* Recurrent kernels: the fused LSTM and GRU cells, whole sequences, and cuDNN's.
 * Source: rnn_ops.cc, cudnn_rnn_ops.cc and the checks of lstm_ops.cc, gru_ops.cc,
 * cudnn_rnn_ops.cc of the kernels. */
#include "core/op/infer.h"

#include <string.h>

#include "apis/ops/shared/op_types.h"

#define SF_2_0 SF_VERSION(2, 0)

/* A dim that two places tell: the first that is known, for kernels that refuse any other. */
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

/* A comparison of two sizes, as a kernel words it. */
static SfStatus cell_check(SfInfer *c, int input, int axis, SfDim want, const char *message)
{
    const SfShape *s = sf_input(c, input);
    if (axis >= sf_shape_rank(s)) {
        return SF_OK; /* its rank is another check's */
    }
    const SfDim is = sf_shape_dim(s, axis);
    if (!sf_dim_differs(is, want)) {
        return SF_OK;
    }
    return sf_fail_with(c, SF_DIAG_DIM_EQUAL, SF_AXIS(input, axis), SF_THE_OP, "{0}: {1} vs. {2}",
                        SF_TEXT_ARG(message), SF_INT_ARG(is), SF_INT_ARG(want));
}

typedef struct Cell {
    int x; /* input number of x; the states and weights follow */
    SfDim batch, depth, size;
} Cell;

/* [batch, size], "<name><dims>(0) != batch_size". */
static SfStatus state_check(SfInfer *c, const Cell *k, int input, const char *rows,
                            const char *cols)
{
    SF_TRY(cell_check(c, input, 0, k->batch, rows));
    return cell_check(c, input, 1, k->size, cols);
}

static const SfMessage lstm_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0)},
    {SF_ON(RANK_EXACT), SF_OF(1)},
    {SF_ON(RANK_EXACT), .text = "{a.name}_tensor must be rank {0} but is rank {1}."},
    {0}};

static SfStatus lstm_check(SfInfer *c, const void *data)
{
    const Cell *k = data;
    SF_TRY(cell_check(c, 1, 0, k->batch, "cs_prev.dims(0) != batch_size"));
    SF_TRY(state_check(c, k, 2, "h_prev.dims(0) != batch_size", "h_prev.dims(1) != cell_size"));
    SF_TRY(cell_check(c, 3, 0, sf_dim_add(k->depth, k->size),
                      "w.dim_size(0) != input_size + cell_size"));
    SF_TRY(cell_check(c, 3, 1, times(k->size, 4), "w.dim_size(1) != cell_size * 4"));
    SF_TRY(cell_check(c, 7, 0, times(k->size, 4), "b.dim_size(0) != cell_size * 4"));
    for (int i = 2; i <= 7 && sf_output_count(c) == 7; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), i < 4 ? 2 : 1, NULL));
    }
    return SF_OK;
}

static SfStatus lstm_grad_check(SfInfer *c, const void *data)
{
    static const char *const sizes[][2] = {
        {"i.dim_size(0) != batch_size", "i.dim_size(1) != cell_size"},
        {"cs.dim_size(0) != batch_size", "cs.dim_size(1) != cell_size"},
        {"f.dim_size(0) != batch_size", "i.dim_size(1) != cell_size"}, /* so the kernel says */
        {"o.dim_size(0) != batch_size", "o.dim_size(1) != cell_size"},
        {"ci.dim_size(0) != batch_size", "ci.dim_size(1) != cell_size"},
        {"co.dim_size(0) != batch_size", "co.dim_size(1) != cell_size"},
        {"cs_grad_tensor.dims(0) != batch_size", "cs_grad_tensor.dims(1) != cell_size"},
        {"h_grad_tensor.dims(0) != batch_size", "h_grad_tensor.dims(1) != cell_size"},
    };
    SF_TRY(lstm_check(c, data));
    for (int i = 0; i < SF_ARRAY_LEN(sizes); i++) {
        SF_TRY(state_check(c, data, 8 + i, sizes[i][0], sizes[i][1]));
    }
    return SF_OK;
}

static const SfMessage block_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "`seq_len_max_tensor` must be rank 0 but is rank {1}"},
    {SF_ON(RANK_EXACT), .text = "{a.name} must be {0}D"},
    {0}};

/* BlockLSTM looks at its inputs one by one. */
static SfStatus block_check(SfInfer *c, const void *data)
{
    static const char *const peepholes[] = {"wci.dim_size(0) != cell_size",
                                            "wcf.dim_size(0) != cell_size",
                                            "wco.dim_size(0) != cell_size"};
    const Cell *k = data;
    if (sf_version(c) >= SF_2_0) {
        SF_TRY(sf_want_rank(c, SF_INPUT(0), 0, NULL));
    }
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 2, NULL));
    SF_TRY(cell_check(c, 2, 0, k->batch, "cs_prev.dims(0) != batch_size"));
    SF_TRY(sf_want_rank(c, SF_INPUT(3), 2, NULL));
    SF_TRY(state_check(c, k, 3, "h_prev.dims(0) != batch_size", "h_prev.dims(1) != cell_size"));
    SF_TRY(sf_want_rank(c, SF_INPUT(4), 2, NULL));
    SF_TRY(cell_check(c, 4, 0, sf_dim_add(k->depth, k->size),
                      "w.dim_size(0) != input_size + cell_size"));
    SF_TRY(cell_check(c, 4, 1, times(k->size, 4), "w.dim_size(1) != cell_size * 4"));
    for (int i = 0; i < 3; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(5 + i), 1, NULL));
        SF_TRY(cell_check(c, 5 + i, 0, k->size, peepholes[i]));
    }
    return cell_check(c, 8, 0, times(k->size, 4), "b.dim_size(0) != cell_size * 4");
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

static SfStatus gru_check(SfInfer *c, const void *data)
{
    static const int ranks[] = {2, 2, 2, 2, 1, 1, 2, 2, 2, 2};
    static const char *const sizes[][2] = {
        {"r.dims(0) != batch_size", "r.dims(1) != cell_size"},
        {"u.dims(0) != batch_size", "u.dims(1) != cell_size"},
        {"c.dims(0) != batch_size", "c.dims(1) != cell_size"},
        {"d_h.dims(0) != batch_size", "d_h.dims(1) != cell_size"},
    };
    const Cell *k = data;
    const SfDim both = sf_dim_add(k->depth, k->size), gates = times(k->size, 2);
    for (int i = 0; i < sf_input_count(c); i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), ranks[i], NULL));
    }
    SF_TRY(cell_check(c, 1, 0, k->batch, "h_prev.dims(0) != batch_size"));
    SF_TRY(cell_check(c, 2, 0, both, "w_ru.dim_size(0) != input_size + cell_size"));
    SF_TRY(cell_check(c, 2, 1, gates, "w_ru.dim_size(1) != cell_size * 2"));
    SF_TRY(cell_check(c, 3, 0, both, "w_c.dim_size(0) != input_size + cell_size"));
    SF_TRY(cell_check(c, 3, 1, k->size, "w_c.dim_size(1) != cell_size"));
    SF_TRY(cell_check(c, 4, 0, gates, "b_ru.dim_size(0) != cell_size * 2"));
    SF_TRY(cell_check(c, 5, 0, k->size, "b_c.dim_size(0) != cell_size"));
    for (int i = 6; i < sf_input_count(c); i++) {
        SF_TRY(state_check(c, k, i, sizes[i - 6][0], sizes[i - 6][1]));
    }
    return SF_OK;
}

/* the fused cells */

/* x[b,i] and the states after it, [b,c]: what one does not say another may. */
static SfStatus cell_of(SfInfer *c, int states, Cell *k)
{
    const SfShape *x;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &x));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, NULL));
    *k = (Cell){0, sf_shape_dim(x, 0), sf_shape_dim(x, 1), sf_input_dim(c, 1, 1)};
    for (int i = 1; i <= states; i++) {
        if (sf_shape_rank(sf_input(c, i)) == 2) {
            k->batch = either(k->batch, sf_input_dim(c, i, 0));
            k->size = either(k->size, sf_input_dim(c, i, 1));
        }
    }
    return SF_OK;
}

/* LSTMBlockCell: x[b,i], cs_prev[b,c]; seven outputs [b,c]. */
static SfStatus infer_lstm_cell(SfInfer *c)
{
    Cell k;
    sf_kernel_messages(c, lstm_messages);
    SF_TRY(cell_of(c, 2, &k));
    SF_TRY(sf_kernel_check(c, lstm_check, &k));
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_matrix(c, i, k.batch, k.size));
    }
    return SF_OK;
}

/* Its gradient: cs_prev_grad[b,c], dicfo[b,4c] and the three peepholes. */
static SfStatus infer_lstm_cell_grad(SfInfer *c)
{
    Cell k;
    SF_TRY(cell_of(c, 2, &k));
    SF_TRY(sf_kernel_check(c, lstm_grad_check, &k));
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
    Cell k = {1, sf_shape_dim(x, 1), sf_shape_dim(x, 2), SF_DIM_UNKNOWN};
    for (int i = 2; i <= 3; i++) {
        if (sf_shape_rank(sf_input(c, i)) == 2) {
            k.batch = either(k.batch, sf_input_dim(c, i, 0));
            k.size = either(k.size, sf_input_dim(c, i, 1));
        }
    }
    SF_TRY(sf_kernel_check(c, block_check, &k));
    size = either(size == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : size, k.size);
    const SfDim dims[] = {sf_shape_dim(x, 0), k.batch, size};
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_shape(c, i, sf_shape_make(3, dims)));
    }
    return SF_OK;
}

static bool is_sequence(SfInfer *c, const SfFinding *f)
{
    (void)c;
    return f->a.index > 8;
}

static const SfMessage block_grad_messages[] = {
    {SF_ON(RANK_EXACT), SF_OF(0), .text = "`seq_len_max_tensor` must be rank {0} but is rank {1}"},
    {SF_ON(RANK_EXACT), .when = is_sequence, .text = "{a.name} must be rank 3. Received: {1}"},
    {SF_ON(RANK_EXACT), .text = "{a.name} must be rank {0} but is rank {1}"},
    {0}};

/* The cell's size is a fourth of w's columns, rounded down. */
static SfStatus block_grad_check(SfInfer *c, const void *data)
{
    const SfShape *x, *w, *b;
    (void)data;
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
                         "w matrix rows don't match: {0} vs. {1}", SF_INT_ARG(wanted),
                         SF_INT_ARG(rows)));
    SF_TRY(sf_require_as(
        c, !sf_dim_is_known(size) || !sf_dim_is_known(biases) || biases / 4 == size,
        SF_DIAG_DIM_EQUAL, SF_AXIS(8, 0), SF_AXIS(4, 1),
        "w and b cell_size don't match: {0} vs. {1}", SF_INT_ARG(size), SF_INT_ARG(biases)));
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
    return sf_version(c) >= SF_2_0 ? sf_kernel_check(c, block_grad_check, NULL) : SF_OK;
}

/* GRUBlockCell: x[b,i], h_prev[b,c]; r, u, c, h are [b,c]. */
static SfStatus infer_gru_cell(SfInfer *c)
{
    Cell k;
    sf_kernel_messages(c, gru_messages);
    SF_TRY(cell_of(c, 1, &k));
    SF_TRY(sf_kernel_check(c, gru_check, &k));
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_matrix(c, i, k.batch, k.size));
    }
    return SF_OK;
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
                         SF_INT_ARG(batch)));
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

/* Its gradient: one for each of the first four inputs. */
static SfStatus infer_cudnn_grad(SfInfer *c)
{
    for (int i = 0; i < 4; i++) {
        SF_TRY(sf_set_output_same(c, i, i));
    }
    return SF_OK;
}

static SfStatus infer_cudnn_size(SfInfer *c)
{
    for (int i = 0; i < 3; i++) {
        SF_TRY(sf_want_scalar(c, SF_INPUT(i)));
    }
    return sf_set_output_vector(c, 0, 1);
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

static SfStatus infer_cudnn_params(SfInfer *c)
{
    return sf_set_output_vector(c, 0, SF_DIM_UNKNOWN);
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
    SF_OP(BlockLSTMGrad,
          .inputs = "seq_len_max: int64, " LSTM_IN ", " LSTM_OUT ", cs_grad: T, h_grad: T",
          .outputs = LSTM_GRADS, .attrs = "use_peephole: bool, T: {half, float}",
          .infer = infer_block_lstm_grad, .grad = SF_GRAD_MISSING),
    SF_OP(BlockLSTMGradV2,
          .inputs = "seq_len_max: int64, " LSTM_IN ", " LSTM_OUT ", cs_grad: T, h_grad: T",
          .outputs = LSTM_GRADS, .attrs = "use_peephole: bool, T: {half, float}",
          .infer = infer_block_lstm_grad, .grad = SF_GRAD_MISSING),
    SF_OP(GRUBlockCell, .inputs = GRU_IN, .outputs = "r: T, u: T, c: T, h: T",
          .attrs = "T: {float}", .infer = infer_gru_cell),
    SF_OP(GRUBlockCellGrad, .inputs = GRU_IN ", r: T, u: T, c: T, d_h: T",
          .outputs = "d_x: T, d_h_prev: T, d_c_bar: T, d_r_bar_u_bar: T", .attrs = "T: {float}",
          .infer = infer_gru_cell_grad, .grad = SF_GRAD_MISSING),
    SF_OP(CudnnRNNParamsSize, .inputs = CUDNN_SIZES, .outputs = "params_size: S",
          .attrs = CUDNN_T "S: {int32, int64}, " CUDNN ", num_proj: int = 0",
          .infer = infer_cudnn_size, .grad = SF_GRAD_MISSING),
    SF_OP(CudnnRNN, .inputs = CUDNN_IN, .outputs = CUDNN_OUT,
          .attrs = CUDNN_T CUDNN ", is_training: bool = true", .infer = infer_cudnn,
          .flags = SF_OP_STATEFUL, .grad = SF_GRAD_INPUTS(15u)),
    SF_OP(CudnnRNNV2, .inputs = CUDNN_IN, .outputs = CUDNN_OUT ", host_reserved: int8",
          .attrs = CUDNN_T CUDNN ", is_training: bool = true", .infer = infer_cudnn,
          .flags = SF_OP_STATEFUL, .grad = SF_GRAD_INPUTS(15u)),
    SF_OP(CudnnRNNV3, .inputs = CUDNN_IN ", sequence_lengths: int32",
          .outputs = CUDNN_OUT ", host_reserved: int8",
          .attrs = CUDNN_T CUDNN ", num_proj: int = 0, is_training: bool = true, " TIME_MAJOR,
          .infer = infer_cudnn, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_INPUTS(15u)),
    SF_OP(CudnnRNNBackprop, .inputs = CUDNN_IN ", " CUDNN_BACK, .outputs = CUDNN_GRADS,
          .attrs = CUDNN_T CUDNN, .infer = infer_cudnn_grad, .flags = SF_OP_STATEFUL,
          .grad = SF_GRAD_MISSING),
    SF_OP(CudnnRNNBackpropV2, .inputs = CUDNN_IN ", " CUDNN_BACK ", host_reserved: int8",
          .outputs = CUDNN_GRADS, .attrs = CUDNN_T CUDNN, .infer = infer_cudnn_grad,
          .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(CudnnRNNBackpropV3,
          .inputs = CUDNN_IN ", sequence_lengths: int32, " CUDNN_BACK ", host_reserved: int8",
          .outputs = CUDNN_GRADS, .attrs = CUDNN_T CUDNN ", num_proj: int = 0, " TIME_MAJOR,
          .infer = infer_cudnn_grad, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
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
          .infer = infer_cudnn_params, .grad = SF_GRAD_MISSING),
    SF_OP(CudnnRNNCanonicalToParamsV2,
          .inputs = CUDNN_SIZES ", weights: num_params_weights * T, biases: num_params_biases * T",
          .outputs = "params: T", .attrs = CUDNN_T CUDNN_COUNTS CUDNN ", num_proj: int = 0",
          .infer = infer_cudnn_params, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_rnn = {ops, SF_ARRAY_LEN(ops), "rnn"};
