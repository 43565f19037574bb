/* Ops of the TPUs' SparseCore: embedding tables as sparse products and their updates.
 * Invariant: buffers have the sizes that the attrs say; what is in use of them is known in a run.
 * Owner: nothing. Source: sparse_core_ops.cc. */
#include "apis/ops/shared/common.h"

#include <string.h>

/* Every output "updated_x" has the shape of the input "x". */
static SfStatus infer_updated(SfInfer *c)
{
    static const char prefix[] = "updated_";
    const SfOpSig *sig = sf_op_sig(c);
    for (int i = 0; i < sig->nout; i++) {
        int to, from;
        const int n = sf_output_range(c, sig->out[i].name, &to);
        (void)sf_input_range(c, sig->out[i].name + sizeof prefix - 1, &from);
        for (int k = 0; k < n; k++) {
            SF_TRY(sf_set_output_same(c, to + k, from + k));
        }
    }
    return SF_OK;
}

/* An axis of an input, unknown where the input lacks it: construction does not check the rank. */
static SfDim dim_or_unknown(const SfInfer *c, int input, int axis)
{
    const SfShape *s = sf_input(c, input);
    return axis < sf_shape_rank(s) ? sf_shape_dim(s, axis) : SF_DIM_UNKNOWN;
}

/* The gradient of a combiner on the TensorCore: what the forward step kept is of one batch, the
 * weights of num_weights. */
static SfStatus infer_combiner_grad(SfInfer *c)
{
    enum { WEIGHTS = 5, VALENCIES, VECTORS, KEPT_WEIGHTS, ACTIVATIONS };
    const SfDim num_weights = sf_common_attr_dim(c, "num_weights");
    const SfDim batch = dim_or_unknown(c, ACTIVATIONS, 0);
    int table, last;
    if (sf_input_range(c, "embedding_table", &table) == 0) {
        (void)sf_input_range(c, "tables", &table);
    }
    const SfDim vectors[] = {batch, sf_common_attr_dim(c, "max_valency"),
                             dim_or_unknown(c, table, 1)};
    const SfShape *of_weights = sf_shape_make(1, &num_weights),
                  *of_batch = sf_shape_make(1, &batch);
    const struct {
        int input;
        const SfShape *want;
        SfPlace from;
    } merged[] = {{VALENCIES, of_batch, SF_AXIS(ACTIVATIONS, 0)},
                  {VECTORS, sf_shape_make(3, vectors), SF_INPUT(ACTIVATIONS)},
                  {KEPT_WEIGHTS, of_weights, SF_ATTR("num_weights")},
                  {WEIGHTS, of_weights, SF_ATTR("num_weights")}};
    for (int i = 0; i < SF_ARRAY_LEN(merged); i++) {
        const int k = merged[i].input;
        SF_TRY(sf_want_merge(c, SF_INPUT(k), sf_input(c, k), merged[i].from, merged[i].want, NULL));
    }
    (void)sf_output_range(c, "updated_weights", &last);
    for (int i = 0; i < last; i++) { /* slots get the table's shape too, whatever theirs is */
        SF_TRY(sf_set_output_same(c, i, table));
    }
    return sf_set_output_shape(c, last, of_weights);
}

/* Row pointers are padded to 8 for each core and minibatch; `ids` is the room for ids. */
static SfStatus set_output_csr(SfInfer *c, SfDim ids)
{
    const SfDim cores = sf_common_attr_dim(c, "num_sc_per_chip");
    const SfDim all = sf_dim_mul(cores, sf_common_attr_dim(c, "num_replica"));
    const SfDim padded = sf_dim_is_known(all) && all <= INT64_MAX - 7 ? (all + 7) / 8 * 8 : all;
    const SfDim batches = sf_common_attr_dim(c, "max_minibatches_per_sc");
    SF_TRY(sf_infer_scalar(c));
    SF_TRY(sf_set_output_vector(c, 0, sf_dim_mul(sf_dim_mul(cores, padded), batches)));
    for (int i = 1; i <= 3; i++) {
        SF_TRY(sf_set_output_vector(c, i, ids));
    }
    return SF_OK;
}

static SfStatus infer_minibatches_in_csr(SfInfer *c)
{
    for (int i = 0; i < 6; i++) {
        SF_TRY(sf_want_vector(c, SF_INPUT(i)));
    }
    return set_output_csr(c, sf_dim_mul(sf_common_attr_dim(c, "max_ids_per_chip_per_sample"),
                                        sf_common_attr_dim(c, "sample_count")));
}

static SfStatus infer_wrapped_coo(SfInfer *c)
{
    const SfDim samples = sf_dim_mul(sf_common_attr_dim(c, "num_sc_per_chip"),
                                     sf_common_attr_dim(c, "sample_count_per_sc"));
    return set_output_csr(
        c, sf_dim_mul(samples, sf_common_attr_dim(c, "max_ids_per_chip_per_sample")));
}

static SfStatus infer_sort_coo(SfInfer *c)
{
    static const char *const lists[] = {"sample_count_list", "col_offset_list"};
    const int64_t want = sf_attr_int(c, "N");
    for (int i = 0; i < 2; i++) {
        const int64_t *items;
        const int n = sf_attr_ints(c, lists[i], &items);
        SF_TRY(sf_require_as(
            c, n == want, SF_DIAG_OP_SHAPE, SF_ATTR(lists[i]), SF_INPUT(0),
            "{0} must have the same size as number of feature inputs, but got {1} vs {2}",
            SF_TEXT_ARG(lists[i]), SF_INT_ARG(n), SF_INT_ARG(want)));
    }
    return sf_set_outputs(c, sf_shape_vector(SF_DIM_UNKNOWN));
}

enum { CSR_INPUT = 1 }; /* variant: row pointers come before the ids, and a number at the end */

/* Ids and gains are vectors of one length, which TensorFlow holds against the first alone. */
static SfStatus infer_matmul(SfInfer *c)
{
    static const int ranks[][6] = {{1, 1, 1, 0, 2}, [CSR_INPUT] = {1, 1, 1, 1, 2, 0}};
    const int variant = sf_op_variant(c), first = variant == CSR_INPUT;
    const SfShape *s[6];
    for (int i = 0; i < sf_input_count(c); i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), ranks[variant][i], &s[i]));
    }
    for (int i = first + 1; i < first + 3; i++) {
        SF_TRY(sf_want_merge(c, SF_INPUT(i), s[i], SF_INPUT(first), s[first], NULL));
    }
    SF_TRY(sf_set_outputs(c, sf_shape_vector(SF_DIM_UNKNOWN)));
    return sf_shape_is_ranked(sf_input(c, 4))
               ? sf_set_output_matrix(c, 0, sf_common_attr_dim(c, "input_size"),
                                      sf_input_dim(c, 4, 1))
               : sf_set_output_unknown(c, 0);
}

/* clang-format off */
#define TABLE "table_name: string, num_sparsecores_per_device: int = -1"
#define QUANTIZATION \
    "quantization_config_low: float, quantization_config_high: float, " \
    "quantization_config_num_buckets: int >= 0"
#define COMBINER \
    "max_valency: int >= 0, num_weights: int >= 0, combiner_table_vjp_computation: func, " \
    "combiner_weights_vjp_computation: func"
#define STATIC_IDS "max_ids_per_sparse_core: int >= 1, max_unique_ids_per_sparse_core: int >= 1"
#define FTRL \
    "multiply_linear_by_learning_rate: bool, beta: float, learning_rate_power: float, " \
    "l1_regularization_strength: float, l2_regularization_strength: float"
#define MOMENTUM "use_nesterov: bool, exponent: float, beta1: float, beta2: float, epsilon: float"
#define ADAM "use_sum_inside_sqrt: bool, beta1: float, beta2: float, epsilon: float"
#define CLIP "clip_weight_min: float = -Infinity, clip_weight_max: float = Infinity"
#define MINIBATCHES "num_minibatches_per_physical_sparse_core: int32"
#define RATES "learning_rate: float, combiner_weights_learning_rate: float, embedding_table: float"
#define CSR "row_pointers: int32, sorted_sample_ids: int32, sorted_token_ids: int32"
#define GRAD_IN CSR ", sorted_gains: float, activation_gradients: float"
#define CUSTOM_IN \
    CSR ", sorted_pos_ids: int32, sorted_gains: float, weights: float, " \
    "preserved_valencies: int32, preserved_vectors: float, preserved_weights: float, " \
    "activation_gradients: float"

static const SfOpDef ops[] = {
    SF_STATEFUL_OP(ConvertToCooTensor,
                   "indices_or_row_splits: int32, values: int32, weights: float",
                   "row_ids: int32, col_ids: int32, gains: float",
                   "sample_count: int >= 1, combiner: string", SF_SHAPES("-> [?]")),
    SF_PLAIN_OP(ConvertToListOfSparseCoreCooTensors,
                "indices_or_row_splits: int32, values: int32, weights: float",
                "row_ids_list: num_sc_per_chip * int32, col_ids_list: num_sc_per_chip * int32, "
                "gains_list: num_sc_per_chip * float", "sample_count: int >= 1, "
                "num_sc_per_chip: int >= 1, row_offset: int >= 0, col_offset: int >= 0, "
                "col_shift: int >= 0, num_sc_shards: int >= 1, "
                "stacked_table_sample_count: int >= 1, combiner: string", SF_SHAPES("-> [?]")),
    SF_PLAIN_OP(ConvertToSparseCoreCsrWrappedCooTensor,
                "sorted_row_ids_list: num_sc_per_chip * int32, "
                "sorted_col_ids_list: num_sc_per_chip * int32, "
                "sorted_gains_list: num_sc_per_chip * float, "
                "id_counts_list: num_sc_per_chip * int32, splits: int64", CSR ", "
                "sorted_gains: float, row_pointers_unpadded_size: int32, ids_unpadded_size: int32, "
                "num_minibatches_per_sc: int32", "sample_count_per_sc: int >= 1, "
                "num_replica: int >= 1, max_minibatches_per_sc: int >= 1, "
                "max_ids_per_chip_per_sample: int >= 1, table_vocab_size: int >= 1, "
                "feature_width: int >= 1, num_sc_per_chip: int >= 1, table_name: string, "
                "allow_id_dropping: bool", infer_wrapped_coo),
    SF_STATEFUL_OP(GetMinibatchSplitsWithPhysicalReplica,
                   "program_key: string, row_ids: int32, col_ids: int32, gains: float",
                   "sorted_row_ids: int32, sorted_col_ids: int32, sorted_gains: float, "
                   "splits: int64, id_counts: int32, max_ids: int32, max_uniques: int32",
                   "sample_count: int >= 1, num_replica: int >= 1, table_vocab_size: int >= 1, "
                   "feature_width: int >= 1, num_sc_per_chip: int >= 1, table_name: string, "
                   "mini_batch_splits: string", SF_SHAPES("-> [?] [?] [?] [] [?] []")),
    SF_STATEFUL_OP(GetMinibatchesInCsrWithPhysicalReplica, "program_key: string, row_ids: int32, "
                   "col_ids: int32, gains: float, splits: int64, id_counts: int32", CSR ", "
                   "sorted_gains: float, row_pointers_unpadded_size: int32, "
                   "ids_unpadded_size: int32, " MINIBATCHES, "sample_count: int >= 1, "
                   "num_replica: int >= 1, max_minibatches_per_sc: int >= 1, "
                   "max_ids_per_chip_per_sample: int >= 1, table_vocab_size: int >= 1, "
                   "feature_width: int >= 1, num_sc_per_chip: int >= 1, table_name: string, "
                   "mini_batch_in_csr: string", infer_minibatches_in_csr),
    SF_PLAIN_OP(GetStatsFromListOfSparseCoreCooTensors,
                "row_ids_list: N * int32, col_ids_list: N * int32, gains_list: N * float",
                "max_ids_per_sparse_core: int32, max_unique_ids_per_sparse_core: int32",
                "sample_count_list: list(int), col_offset_list: list(int), num_replica: int >= 1, "
                "table_vocab_size: int >= 1, feature_width: int >= 1, num_sc_per_chip: int >= 1, "
                "table_name: string, N: int >= 1", sf_infer_scalar),
    SF_STATEFUL_OP(GlobalIterId, "", "iter_id: int64", "", sf_infer_scalar),
    SF_PLAIN_OP(SortListOfSparseCoreCooTensors,
                "row_ids_list: N * int32, col_ids_list: N * int32, gains_list: N * float",
                "sorted_row_ids: int32, sorted_col_ids: int32, sorted_gains: float, "
                "id_counts: int32", "sample_count_list: list(int), col_offset_list: list(int), "
                "num_replica: int >= 1, table_vocab_size: int >= 1, feature_width: int >= 1, "
                "num_sc_per_chip: int >= 1, " STATIC_IDS ", table_name: string, N: int >= 1",
                infer_sort_coo),
    SF_STATEFUL_OP(StoreMinibatchStatisticsInFdo,
                   "program_key: string, max_ids: int32, max_uniques: int32", "",
                   "sample_count: int >= 1, num_replica: int >= 1, feature_width: int >= 1, "
                   "num_sc_per_chip: int >= 1, table_name: string, mini_batch_splits: string",
                   sf_infer_no_output),
    SF_STATEFUL_OP(XlaSparseCoreAdagrad, "indices: int32, gradient: float, learning_rate: float, "
                   "accumulator: float, embedding_table: float",
                   "updated_embedding_table: float, updated_accumulator: float",
                   "feature_width: int", infer_updated),
    SF_STATEFUL_OP(XlaSparseCoreAdagradMomentum, "indices: int32, gradient: float, "
                   "learning_rate: float, beta_1: float, epsilon: float, accumulator: float, "
                   "momentum: float, embedding_table: float", "updated_embedding_table: float, "
                   "updated_accumulator: float, updated_momentum: float",
                   "feature_width: int, use_nesterov: bool, beta_2: float, exponent: float",
                   infer_updated),
    SF_STATEFUL_OP(XlaSparseCoreAdam, "embedding_table: float, indices: int32, gradient: float, "
                   "learning_rate: float, momentum: float, velocity: float, beta_1: float, "
                   "beta_2: float, epsilon: float", "updated_embedding_table: float, "
                   "updated_velocity: float, updated_momentum: float",
                   "feature_width: int, use_sum_inside_sqrt: bool", infer_updated),
    SF_STATEFUL_OP(XlaSparseCoreFtrl, "embedding_table: float, accumulator: float, linear: float, "
                   "learning_rate: float, indices: int32, gradient: float, beta: float, "
                   "learning_rate_power: float, l2_regularization_strength: float",
                   "updated_embedding_table: float, updated_accumulator: float, "
                   "updated_linear: float", "feature_width: int, "
                   "multiply_linear_by_learning_rate: bool, l1_regularization_strength: float",
                   infer_updated),
    SF_STATEFUL_OP(XlaSparseCoreSgd,
                   "indices: int32, gradient: float, learning_rate: float, embedding_table: float",
                   "updated_embedding_table: float", "feature_width: int", infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmul, "row_ids: int32, col_ids: uint32, values: float, "
                "offsets: uint32, embedding_table: float", "activations: float, "
                "row_pointers: int32, sorted_embedding_ids: int32, sorted_sample_ids: int32, "
                "sorted_gains: float", "max_ids_per_partition: int >= 0, "
                "max_unique_ids_per_partition: int >= 0, input_size: int >= 0", infer_matmul),
    SF_PLAIN_OP(XlaSparseDenseMatmulCustomCombinerOnTcGradWithAdagradAndCsrInput,
                CUSTOM_IN ", " RATES ", accumulator: float", "updated_embedding_table: float, "
                "updated_accumulator: float, updated_weights: float", CLIP ", " COMBINER ", " TABLE,
                infer_combiner_grad),
    SF_PLAIN_OP(XlaSparseDenseMatmulCustomCombinerOnTcGradWithAdagradMomentumAndCsrInput,
                CUSTOM_IN ", " RATES ", accumulator: float, momenta: float",
                "updated_embedding_table: float, updated_accumulator: float, "
                "updated_momenta: float, updated_weights: float",
                MOMENTUM ", " CLIP ", " COMBINER ", " TABLE, infer_combiner_grad),
    SF_PLAIN_OP(XlaSparseDenseMatmulCustomCombinerOnTcGradWithAdamAndCsrInput,
                CUSTOM_IN ", " RATES ", momenta: float, velocity: float",
                "updated_embedding_table: float, updated_momenta: float, updated_velocity: float, "
                "updated_weights: float", ADAM ", " CLIP ", " COMBINER ", " TABLE,
                infer_combiner_grad),
    SF_PLAIN_OP(XlaSparseDenseMatmulCustomCombinerOnTcGradWithCsrInput, CUSTOM_IN ", "
                "tables: N * float, hyperparameters: M * float, "
                "combiner_weights_learning_rate: float",
                "updated_tables: N * float, updated_weights: float", "N: int >= 1, M: int >= 1, "
                COMBINER ", optimizer_custom_computation: func, " TABLE, infer_combiner_grad),
    SF_PLAIN_OP(XlaSparseDenseMatmulCustomCombinerOnTcGradWithFtrlAndCsrInput,
                CUSTOM_IN ", " RATES ", accumulator: float, linear: float",
                "updated_embedding_table: float, updated_accumulator: float, "
                "updated_linear: float, updated_weights: float",
                FTRL ", " CLIP ", " COMBINER ", " TABLE, infer_combiner_grad),
    SF_PLAIN_OP(XlaSparseDenseMatmulCustomCombinerOnTcGradWithSgdAndCsrInput, CUSTOM_IN ", " RATES,
                "updated_embedding_table: float, updated_weights: float",
                CLIP ", " COMBINER ", " TABLE, infer_combiner_grad),
    SF_PLAIN_OP(XlaSparseDenseMatmulCustomCombinerOnTcWithCsrInput, CSR ", sorted_pos_ids: int32, "
                "sorted_gains: float, embedding_table: float, weights: float",
                "activations: float, preserved_valencies: int32, preserved_vectors: float",
                "input_size: int >= 0, max_valency: int >= 0, num_weights: int >= 0, "
                "combiner_computation: func, " QUANTIZATION ", " TABLE, sf_infer_unknown),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithAdagradAndCsrInput, GRAD_IN ", learning_rate: float, "
                "embedding_table: float, accumulator: float, " MINIBATCHES,
                "updated_embedding_table: float, updated_accumulator: float", CLIP ", " TABLE,
                infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithAdagradAndStaticBufferSize, GRAD_IN ", "
                "learning_rate: float, embedding_table: float, accumulator: float, " MINIBATCHES,
                "updated_embedding_table: float, updated_accumulator: float",
                CLIP ", " STATIC_IDS ", " TABLE, infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithAdagradMomentumAndCsrInput, GRAD_IN ", "
                "learning_rate: float, embedding_table: float, accumulator: float, momenta: float, "
                MINIBATCHES, "updated_embedding_table: float, updated_accumulator: float, "
                "updated_momenta: float", MOMENTUM ", " CLIP ", " TABLE, infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithAdagradMomentumAndStaticBufferSize, GRAD_IN ", "
                "learning_rate: float, embedding_table: float, accumulator: float, momenta: float, "
                MINIBATCHES, "updated_embedding_table: float, updated_accumulator: float, "
                "updated_momenta: float", MOMENTUM ", " CLIP ", " STATIC_IDS ", " TABLE,
                infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithAdamAndCsrInput, GRAD_IN ", learning_rate: float, "
                "embedding_table: float, momenta: float, velocity: float, " MINIBATCHES,
                "updated_embedding_table: float, updated_momenta: float, updated_velocity: float",
                ADAM ", " CLIP ", " TABLE, infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithAdamAndStaticBufferSize, GRAD_IN ", "
                "learning_rate: float, embedding_table: float, momenta: float, velocity: float, "
                MINIBATCHES,
                "updated_embedding_table: float, updated_momenta: float, updated_velocity: float",
                ADAM ", " CLIP ", " STATIC_IDS ", " TABLE, infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithCsrInput,
                GRAD_IN ", tables: N * T, hyperparameters: M * float, " MINIBATCHES,
                "updated_tables: N * T", "N: int >= 1, M: int >= 1, custom_computation: func, "
                TABLE ", T: {int32, float} = float", infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithFtrlAndCsrInput, GRAD_IN ", learning_rate: float, "
                "embedding_table: float, accumulator: float, linear: float, " MINIBATCHES,
                "updated_embedding_table: float, updated_accumulator: float, updated_linear: float",
                FTRL ", " CLIP ", " TABLE, infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithFtrlAndStaticBufferSize, GRAD_IN ", "
                "learning_rate: float, embedding_table: float, accumulator: float, linear: float, "
                MINIBATCHES,
                "updated_embedding_table: float, updated_accumulator: float, updated_linear: float",
                FTRL ", " CLIP ", " STATIC_IDS ", " TABLE, infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithSgdAndCsrInput,
                GRAD_IN ", learning_rate: float, embedding_table: float, " MINIBATCHES,
                "updated_embedding_table: float", CLIP ", " TABLE, infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulGradWithSgdAndStaticBufferSize,
                GRAD_IN ", learning_rate: float, embedding_table: float, " MINIBATCHES,
                "updated_embedding_table: float", CLIP ", " STATIC_IDS ", " TABLE, infer_updated),
    SF_PLAIN_OP(XlaSparseDenseMatmulWithCsrInput,
                CSR ", sorted_gains: float, embedding_table: T, " MINIBATCHES, "activations: T",
                "input_size: int >= 0, " QUANTIZATION ", " TABLE ", T: {int32, float} = float",
                infer_matmul, .variant = CSR_INPUT),
    SF_PLAIN_OP(XlaSparseDenseMatmulWithStaticBufferSize,
                CSR ", sorted_gains: float, embedding_table: float, " MINIBATCHES,
                "activations: float",
                "input_size: int >= 0, " QUANTIZATION ", " STATIC_IDS ", " TABLE,
                infer_matmul, .variant = CSR_INPUT),
};
/* clang-format on */
const SfOpTable sf_ops_sparse_core = {ops, SF_ARRAY_LEN(ops), "sparse_core"};
