/* Rows of the TPU SparseCore: apis/ops/device/sparse_core.c.
 * As TensorFlow 2.21 constructs them. */
#include "tests/c/support/op_rows.h"

static const SfOpCase convert_to_coo_tensor[] = {
    ROW("sample_count=1,combiner='a'", "[] [] []", "[?] [?] [?]"),
    ROW("sample_count=1,combiner='a'", "[?] [] []", "[?] [?] [?]"),
    ROW("sample_count=1,combiner='a'", "? ? ?", "[?] [?] [?]"),
};
SF_OP_TEST(ConvertToCooTensor, convert_to_coo_tensor)

#define CONVERT_TO_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS                                           \
    "sample_count=1,num_sc_per_chip=1,row_offset=1,col_offset=1,col_shift=1,num_sc_shards=1,"      \
    "stacked_table_sample_count=1,combiner='a'"
static const SfOpCase convert_to_list_of_sparse_core_coo_tensors[] = {
    ROW(CONVERT_TO_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS, "[] [] []", "[?] [?] [?]"),
    ROW(CONVERT_TO_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS, "[?] [] []", "[?] [?] [?]"),
    ROW(CONVERT_TO_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS, "? ? ?", "[?] [?] [?]"),
};
SF_OP_TEST(ConvertToListOfSparseCoreCooTensors, convert_to_list_of_sparse_core_coo_tensors)

#define CONVERT_TO_SPARSE_CORE_CSR_WRAPPED_COO_TENSOR_ATTRS                                        \
    "sample_count_per_sc=1,num_replica=1,max_minibatches_per_sc=1,max_ids_per_chip_per_sample=1,"  \
    "table_vocab_size=1,feature_width=1,table_name='a',allow_id_dropping=false"
static const SfOpCase convert_to_sparse_core_csr_wrapped_coo_tensor[] = {
    ROW(CONVERT_TO_SPARSE_CORE_CSR_WRAPPED_COO_TENSOR_ATTRS, "( [] ) ( [] ) ( [] ) ( [] ) []",
        "[8] [1] [1] [1] [] [] []"),
    ROW(CONVERT_TO_SPARSE_CORE_CSR_WRAPPED_COO_TENSOR_ATTRS, "( [?] ) ( [] ) ( [] ) ( [] ) []",
        "[8] [1] [1] [1] [] [] []"),
    ROW(CONVERT_TO_SPARSE_CORE_CSR_WRAPPED_COO_TENSOR_ATTRS, "( ? ) ( ? ) ( ? ) ( ? ) ?",
        "[8] [1] [1] [1] [] [] []"),
};
SF_OP_TEST(ConvertToSparseCoreCsrWrappedCooTensor, convert_to_sparse_core_csr_wrapped_coo_tensor)

#define GET_MINIBATCH_SPLITS_WITH_PHYSICAL_REPLICA_ATTRS                                           \
    "sample_count=1,num_replica=1,table_vocab_size=1,feature_width=1,num_sc_per_chip=1,table_"     \
    "name='a',mini_batch_splits='a'"
static const SfOpCase get_minibatch_splits_with_physical_replica[] = {
    ROW(GET_MINIBATCH_SPLITS_WITH_PHYSICAL_REPLICA_ATTRS, "[] [] [] []",
        "[?] [?] [?] [] [?] [] []"),
    ROW(GET_MINIBATCH_SPLITS_WITH_PHYSICAL_REPLICA_ATTRS, "[?] [] [] []",
        "[?] [?] [?] [] [?] [] []"),
    ROW(GET_MINIBATCH_SPLITS_WITH_PHYSICAL_REPLICA_ATTRS, "? ? ? ?", "[?] [?] [?] [] [?] [] []"),
};
SF_OP_TEST(GetMinibatchSplitsWithPhysicalReplica, get_minibatch_splits_with_physical_replica)

#define GET_MINIBATCHES_IN_CSR_WITH_PHYSICAL_REPLICA_ATTRS                                         \
    "sample_count=1,num_replica=4,max_minibatches_per_sc=3,max_ids_per_chip_per_sample=5,table_"   \
    "vocab_size=9,feature_width=4,num_sc_per_chip=3,table_name='a',mini_batch_in_csr='a'"
static const SfOpCase get_minibatches_in_csr_with_physical_replica[] = {
    ROW(GET_MINIBATCHES_IN_CSR_WITH_PHYSICAL_REPLICA_ATTRS, "[1] [4] [4] [4] [1] [4]",
        "[144] [5] [5] [5] [] [] []"),
    ROW(GET_MINIBATCHES_IN_CSR_WITH_PHYSICAL_REPLICA_ATTRS, "[?] [4] [4] [4] [1] [4]",
        "[144] [5] [5] [5] [] [] []"),
    ROW(GET_MINIBATCHES_IN_CSR_WITH_PHYSICAL_REPLICA_ATTRS, "? ? ? ? ? ?",
        "[144] [5] [5] [5] [] [] []"),
    ROW(GET_MINIBATCHES_IN_CSR_WITH_PHYSICAL_REPLICA_ATTRS, "[] [4] [4] [4] [1] [4]", "SF102 a"),
    ROW(GET_MINIBATCHES_IN_CSR_WITH_PHYSICAL_REPLICA_ATTRS, "[1] [] [4] [4] [1] [4]", "SF102 b"),
    ROW(GET_MINIBATCHES_IN_CSR_WITH_PHYSICAL_REPLICA_ATTRS, "[1] [4] [] [4] [1] [4]", "SF102 c"),
};
SF_OP_TEST(GetMinibatchesInCsrWithPhysicalReplica, get_minibatches_in_csr_with_physical_replica)

#define GET_STATS_FROM_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS                                       \
    "sample_count_list=[2],col_offset_list=[1],num_replica=1,table_vocab_size=9,feature_width=3,"  \
    "num_sc_per_chip=1,table_name='a'"
static const SfOpCase get_stats_from_list_of_sparse_core_coo_tensors[] = {
    ROW(GET_STATS_FROM_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS, "( [5] ) ( [5] ) ( [5] )", "[] []"),
    ROW(GET_STATS_FROM_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS, "( [?] ) ( [5] ) ( [5] )", "[] []"),
    ROW(GET_STATS_FROM_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS, "( ? ) ( ? ) ( ? )", "[] []"),
};
SF_OP_TEST(GetStatsFromListOfSparseCoreCooTensors, get_stats_from_list_of_sparse_core_coo_tensors)

static const SfOpCase global_iter_id[] = {
    ROW("", "", "[]"),
};
SF_OP_TEST(GlobalIterId, global_iter_id)

#define SORT_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS                                                 \
    "sample_count_list=[2],col_offset_list=[1],num_replica=1,table_vocab_size=9,feature_width=3,"  \
    "num_sc_per_chip=1,max_ids_per_sparse_core=2,max_unique_ids_per_sparse_core=2,table_name='a'"
static const SfOpCase sort_list_of_sparse_core_coo_tensors[] = {
    ROW(SORT_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS, "( [5] ) ( [5] ) ( [5] )", "[?] [?] [?] [?]"),
    ROW(SORT_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS, "( [?] ) ( [5] ) ( [5] )", "[?] [?] [?] [?]"),
    ROW(SORT_LIST_OF_SPARSE_CORE_COO_TENSORS_ATTRS, "( ? ) ( ? ) ( ? )", "[?] [?] [?] [?]"),
};
SF_OP_TEST(SortListOfSparseCoreCooTensors, sort_list_of_sparse_core_coo_tensors)

#define STORE_MINIBATCH_STATISTICS_IN_FDO_ATTRS                                                    \
    "sample_count=1,num_replica=1,feature_width=1,num_sc_per_chip=1,table_name='a',mini_batch_"    \
    "splits='a'"
static const SfOpCase store_minibatch_statistics_in_fdo[] = {
    ROW(STORE_MINIBATCH_STATISTICS_IN_FDO_ATTRS, "[] [] []", ""),
    ROW(STORE_MINIBATCH_STATISTICS_IN_FDO_ATTRS, "[?] [] []", ""),
    ROW(STORE_MINIBATCH_STATISTICS_IN_FDO_ATTRS, "? ? ?", ""),
};
SF_OP_TEST(StoreMinibatchStatisticsInFdo, store_minibatch_statistics_in_fdo)

static const SfOpCase xla_sparse_core_adagrad[] = {
    ROW("feature_width=1", "[2,7] [3,7] [4,7] [5,7] [6,7]", "[6,7] [5,7]"),
    ROW("feature_width=1", "[?,7] [3,7] [4,7] [5,7] [6,7]", "[6,7] [5,7]"),
    ROW("feature_width=1", "? ? ? ? ?", "? ?"),
};
SF_OP_TEST(XlaSparseCoreAdagrad, xla_sparse_core_adagrad)

#define XLA_SPARSE_CORE_ADAGRAD_MOMENTUM_ATTRS                                                     \
    "feature_width=1,use_nesterov=false,beta_2=1.0,exponent=1.0"
static const SfOpCase xla_sparse_core_adagrad_momentum[] = {
    ROW(XLA_SPARSE_CORE_ADAGRAD_MOMENTUM_ATTRS, "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7]",
        "[9,7] [7,7] [8,7]"),
    ROW(XLA_SPARSE_CORE_ADAGRAD_MOMENTUM_ATTRS, "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7]",
        "[9,7] [7,7] [8,7]"),
    ROW(XLA_SPARSE_CORE_ADAGRAD_MOMENTUM_ATTRS, "? ? ? ? ? ? ? ?", "? ? ?"),
};
SF_OP_TEST(XlaSparseCoreAdagradMomentum, xla_sparse_core_adagrad_momentum)

#define XLA_SPARSE_CORE_ADAM_ATTRS "feature_width=1,use_sum_inside_sqrt=false"
static const SfOpCase xla_sparse_core_adam[] = {
    ROW(XLA_SPARSE_CORE_ADAM_ATTRS, "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7]",
        "[2,7] [7,7] [6,7]"),
    ROW(XLA_SPARSE_CORE_ADAM_ATTRS, "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7]",
        "[?,7] [7,7] [6,7]"),
    ROW(XLA_SPARSE_CORE_ADAM_ATTRS, "? ? ? ? ? ? ? ? ?", "? ? ?"),
};
SF_OP_TEST(XlaSparseCoreAdam, xla_sparse_core_adam)

#define XLA_SPARSE_CORE_FTRL_ATTRS                                                                 \
    "feature_width=1,multiply_linear_by_learning_rate=false,l1_regularization_strength=1.0"
static const SfOpCase xla_sparse_core_ftrl[] = {
    ROW(XLA_SPARSE_CORE_FTRL_ATTRS, "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7]",
        "[2,7] [3,7] [4,7]"),
    ROW(XLA_SPARSE_CORE_FTRL_ATTRS, "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7]",
        "[?,7] [3,7] [4,7]"),
    ROW(XLA_SPARSE_CORE_FTRL_ATTRS, "? ? ? ? ? ? ? ? ?", "? ? ?"),
};
SF_OP_TEST(XlaSparseCoreFtrl, xla_sparse_core_ftrl)

static const SfOpCase xla_sparse_core_sgd[] = {
    ROW("feature_width=1", "[2,7] [3,7] [4,7] [5,7]", "[5,7]"),
    ROW("feature_width=1", "[?,7] [3,7] [4,7] [5,7]", "[5,7]"),
    ROW("feature_width=1", "? ? ? ?", "?"),
};
SF_OP_TEST(XlaSparseCoreSgd, xla_sparse_core_sgd)

#define XLA_SPARSE_DENSE_MATMUL_ATTRS                                                              \
    "max_ids_per_partition=3,max_unique_ids_per_partition=5,input_size=4"
static const SfOpCase xla_sparse_dense_matmul[] = {
    ROW(XLA_SPARSE_DENSE_MATMUL_ATTRS, "[4] [4] [4] [] [4,1]", "[4,1] [?] [?] [?] [?]"),
    ROW(XLA_SPARSE_DENSE_MATMUL_ATTRS, "[?] [4] [4] [] [4,1]", "[4,1] [?] [?] [?] [?]"),
    ROW(XLA_SPARSE_DENSE_MATMUL_ATTRS, "? [4] [5] [] [4,1]", "[4,1] [?] [?] [?] [?]"),
    ROW(XLA_SPARSE_DENSE_MATMUL_ATTRS, "? ? ? ? ?", "? [?] [?] [?] [?]"),
    ROW(XLA_SPARSE_DENSE_MATMUL_ATTRS, "[5] [4] [4] [] [4,1]", "SF107 b.0 a.0"),
    ROW(XLA_SPARSE_DENSE_MATMUL_ATTRS, "[4] [5] [4] [] [4,1]", "SF107 b.0 a.0"),
    ROW(XLA_SPARSE_DENSE_MATMUL_ATTRS, "[4] [4] [5] [] [4,1]", "SF107 c.0 a.0"),
};
SF_OP_TEST(XlaSparseDenseMatmul, xla_sparse_dense_matmul)

static const SfOpCase grad_with_adagrad_and_csr_input[] = {
    ROW("table_name='a'", "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7]", "[8,7] [9,7]"),
    ROW("table_name='a'", "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7]", "[8,7] [9,7]"),
    ROW("table_name='a'", "? ? ? ? ? ? ? ? ?", "? ?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithAdagradAndCsrInput, grad_with_adagrad_and_csr_input)

#define GRAD_WITH_ADAGRAD_AND_STATIC_BUFFER_SIZE_ATTRS                                             \
    "max_ids_per_sparse_core=1,max_unique_ids_per_sparse_core=1,table_name='a'"
static const SfOpCase grad_with_adagrad_and_static_buffer_size[] = {
    ROW(GRAD_WITH_ADAGRAD_AND_STATIC_BUFFER_SIZE_ATTRS,
        "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7]", "[8,7] [9,7]"),
    ROW(GRAD_WITH_ADAGRAD_AND_STATIC_BUFFER_SIZE_ATTRS,
        "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7]", "[8,7] [9,7]"),
    ROW(GRAD_WITH_ADAGRAD_AND_STATIC_BUFFER_SIZE_ATTRS, "? ? ? ? ? ? ? ? ?", "? ?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithAdagradAndStaticBufferSize,
           grad_with_adagrad_and_static_buffer_size)

#define GRAD_WITH_ADAGRAD_MOMENTUM_AND_CSR_INPUT_ATTRS                                             \
    "use_nesterov=false,exponent=1.0,beta1=1.0,beta2=1.0,epsilon=1.0,table_name='a'"
static const SfOpCase grad_with_adagrad_momentum_and_csr_input[] = {
    ROW(GRAD_WITH_ADAGRAD_MOMENTUM_AND_CSR_INPUT_ATTRS,
        "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_ADAGRAD_MOMENTUM_AND_CSR_INPUT_ATTRS,
        "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_ADAGRAD_MOMENTUM_AND_CSR_INPUT_ATTRS, "? ? ? ? ? ? ? ? ? ?", "? ? ?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithAdagradMomentumAndCsrInput,
           grad_with_adagrad_momentum_and_csr_input)

#define GRAD_WITH_ADAGRAD_MOMENTUM_AND_STATIC_BUFFER_SIZE_ATTRS                                    \
    "use_nesterov=false,exponent=1.0,beta1=1.0,beta2=1.0,epsilon=1.0,max_ids_per_sparse_core=1,"   \
    "max_unique_ids_per_sparse_core=1,table_name='a'"
static const SfOpCase grad_with_adagrad_momentum_and_static_buffer_size[] = {
    ROW(GRAD_WITH_ADAGRAD_MOMENTUM_AND_STATIC_BUFFER_SIZE_ATTRS,
        "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_ADAGRAD_MOMENTUM_AND_STATIC_BUFFER_SIZE_ATTRS,
        "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_ADAGRAD_MOMENTUM_AND_STATIC_BUFFER_SIZE_ATTRS, "? ? ? ? ? ? ? ? ? ?", "? ? ?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithAdagradMomentumAndStaticBufferSize,
           grad_with_adagrad_momentum_and_static_buffer_size)

#define GRAD_WITH_ADAM_AND_CSR_INPUT_ATTRS                                                         \
    "use_sum_inside_sqrt=false,beta1=1.0,beta2=1.0,epsilon=1.0,table_name='a'"
static const SfOpCase grad_with_adam_and_csr_input[] = {
    ROW(GRAD_WITH_ADAM_AND_CSR_INPUT_ATTRS,
        "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_ADAM_AND_CSR_INPUT_ATTRS,
        "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_ADAM_AND_CSR_INPUT_ATTRS, "? ? ? ? ? ? ? ? ? ?", "? ? ?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithAdamAndCsrInput, grad_with_adam_and_csr_input)

#define GRAD_WITH_ADAM_AND_STATIC_BUFFER_SIZE_ATTRS                                                \
    "use_sum_inside_sqrt=false,beta1=1.0,beta2=1.0,epsilon=1.0,max_ids_per_sparse_core=1,max_"     \
    "unique_ids_per_sparse_core=1,table_name='a'"
static const SfOpCase grad_with_adam_and_static_buffer_size[] = {
    ROW(GRAD_WITH_ADAM_AND_STATIC_BUFFER_SIZE_ATTRS,
        "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_ADAM_AND_STATIC_BUFFER_SIZE_ATTRS,
        "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_ADAM_AND_STATIC_BUFFER_SIZE_ATTRS, "? ? ? ? ? ? ? ? ? ?", "? ? ?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithAdamAndStaticBufferSize,
           grad_with_adam_and_static_buffer_size)

#define GRAD_WITH_CSR_INPUT_ATTRS "custom_computation=f,table_name='a'"
static const SfOpCase grad_with_csr_input[] = {
    ROW(GRAD_WITH_CSR_INPUT_ATTRS, "[2,7] [3,7] [4,7] [5,7] [6,7] ( [7,7] ) ( [8,7] ) [9,7]",
        "[7,7]"),
    ROW(GRAD_WITH_CSR_INPUT_ATTRS, "[?,7] [3,7] [4,7] [5,7] [6,7] ( [7,7] ) ( [8,7] ) [9,7]",
        "[7,7]"),
    ROW(GRAD_WITH_CSR_INPUT_ATTRS, "? ? ? ? ? ( ? ) ( ? ) ?", "?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithCsrInput, grad_with_csr_input)

#define GRAD_WITH_FTRL_AND_CSR_INPUT_ATTRS                                                         \
    "multiply_linear_by_learning_rate=false,beta=1.0,learning_rate_power=1.0,l1_regularization_"   \
    "strength=1.0,l2_regularization_strength=1.0,table_name='a'"
static const SfOpCase grad_with_ftrl_and_csr_input[] = {
    ROW(GRAD_WITH_FTRL_AND_CSR_INPUT_ATTRS,
        "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_FTRL_AND_CSR_INPUT_ATTRS,
        "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_FTRL_AND_CSR_INPUT_ATTRS, "? ? ? ? ? ? ? ? ? ?", "? ? ?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithFtrlAndCsrInput, grad_with_ftrl_and_csr_input)

#define GRAD_WITH_FTRL_AND_STATIC_BUFFER_SIZE_ATTRS                                                \
    "multiply_linear_by_learning_rate=false,beta=1.0,learning_rate_power=1.0,l1_regularization_"   \
    "strength=1.0,l2_regularization_strength=1.0,max_ids_per_sparse_core=1,max_unique_ids_per_"    \
    "sparse_core=1,table_name='a'"
static const SfOpCase grad_with_ftrl_and_static_buffer_size[] = {
    ROW(GRAD_WITH_FTRL_AND_STATIC_BUFFER_SIZE_ATTRS,
        "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_FTRL_AND_STATIC_BUFFER_SIZE_ATTRS,
        "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7] [10,7] [11,7]", "[8,7] [9,7] [10,7]"),
    ROW(GRAD_WITH_FTRL_AND_STATIC_BUFFER_SIZE_ATTRS, "? ? ? ? ? ? ? ? ? ?", "? ? ?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithFtrlAndStaticBufferSize,
           grad_with_ftrl_and_static_buffer_size)

static const SfOpCase grad_with_sgd_and_csr_input[] = {
    ROW("table_name='a'", "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7]", "[8,7]"),
    ROW("table_name='a'", "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7]", "[8,7]"),
    ROW("table_name='a'", "? ? ? ? ? ? ? ?", "?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithSgdAndCsrInput, grad_with_sgd_and_csr_input)

static const SfOpCase grad_with_sgd_and_static_buffer_size[] = {
    ROW(GRAD_WITH_ADAGRAD_AND_STATIC_BUFFER_SIZE_ATTRS,
        "[2,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7]", "[8,7]"),
    ROW(GRAD_WITH_ADAGRAD_AND_STATIC_BUFFER_SIZE_ATTRS,
        "[?,7] [3,7] [4,7] [5,7] [6,7] [7,7] [8,7] [9,7]", "[8,7]"),
    ROW(GRAD_WITH_ADAGRAD_AND_STATIC_BUFFER_SIZE_ATTRS, "? ? ? ? ? ? ? ?", "?"),
};
SF_OP_TEST(XlaSparseDenseMatmulGradWithSgdAndStaticBufferSize, grad_with_sgd_and_static_buffer_size)

#define WITH_STATIC_BUFFER_SIZE_ATTRS                                                              \
    "input_size=5,quantization_config_low=0.0,quantization_config_high=1.0,quantization_config_"   \
    "num_buckets=0,max_ids_per_sparse_core=2,max_unique_ids_per_sparse_core=2,table_name='a'"
static const SfOpCase with_static_buffer_size[] = {
    ROW(WITH_STATIC_BUFFER_SIZE_ATTRS, "[4] [4] [4] [4] [1,3] []", "[5,3]"),
    ROW(WITH_STATIC_BUFFER_SIZE_ATTRS, "[?] [4] [4] [4] [1,3] []", "[5,3]"),
    ROW(WITH_STATIC_BUFFER_SIZE_ATTRS, "? ? ? ? ? ?", "?"),
    ROW(WITH_STATIC_BUFFER_SIZE_ATTRS, "[] [4] [4] [4] [1,3] []", "SF102 a"),
    ROW(WITH_STATIC_BUFFER_SIZE_ATTRS, "[4] [5] [4] [4] [1,3] []", "SF107 c.0 b.0"),
    ROW(WITH_STATIC_BUFFER_SIZE_ATTRS, "[4] [4] [5] [4] [1,3] []", "SF107 c.0 b.0"),
};
SF_OP_TEST(XlaSparseDenseMatmulWithStaticBufferSize, with_static_buffer_size)

#define CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS                                    \
    "max_valency=4,num_weights=2,combiner_table_vjp_computation=f,combiner_weights_vjp_"           \
    "computation=f,table_name='a'"
static const SfOpCase custom_combiner_on_tc_grad_with_sgd_and_csr_input[] = {
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [2] [5,7] [] [] [8,7]", "[8,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [?] [5,?,7] [2] [?,7] [] [] [?,7]", "[?,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS, "? ? ? ? ? ? ? ? ? ? ? ? ?",
        "? [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [3] [5] [5,4,7] [2] [5,7] [] [] [8,7]", "SF107 f.0 @num_weights"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [6] [5,4,7] [2] [5,7] [] [] [8,7]", "SF107 g.0 j.0"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [2] [5,7] [] [] [8,6]", "SF107 h.2 j.2"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5] [2] [5,7] [] [] [8,7]", "SF108 h j"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [3] [5,7] [] [] [8,7]", "SF107 i.0 @num_weights"),
};
SF_OP_TEST(XlaSparseDenseMatmulCustomCombinerOnTcGradWithSgdAndCsrInput,
           custom_combiner_on_tc_grad_with_sgd_and_csr_input)

static const SfOpCase custom_combiner_on_tc_grad_with_adagrad_and_csr_input[] = {
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [2] [5,7] [] [] [8,7] [8,7]", "[8,7] [8,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [?] [5,?,7] [2] [?,7] [] [] [?,7] [8,7]", "[?,7] [?,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS, "? ? ? ? ? ? ? ? ? ? ? ? ? ?",
        "? ? [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_SGD_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [2] [5,7] [] [] [8,6] [8,7]", "SF107 h.2 j.2"),
};
SF_OP_TEST(XlaSparseDenseMatmulCustomCombinerOnTcGradWithAdagradAndCsrInput,
           custom_combiner_on_tc_grad_with_adagrad_and_csr_input)

#define CUSTOM_COMBINER_ON_TC_GRAD_WITH_ADAM_AND_CSR_INPUT_ATTRS                                   \
    "max_valency=4,num_weights=2,combiner_table_vjp_computation=f,combiner_weights_vjp_"           \
    "computation=f,table_name='a',use_sum_inside_sqrt=false,beta1=1.0,beta2=1.0,epsilon=1.0"
static const SfOpCase custom_combiner_on_tc_grad_with_adam_and_csr_input[] = {
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_ADAM_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [2] [5,7] [] [] [8,7] [8,7] [9,7]",
        "[8,7] [8,7] [8,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_ADAM_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [?] [5,?,7] [2] [?,7] [] [] [?,7] [8,7] [9,7]",
        "[?,7] [?,7] [?,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_ADAM_AND_CSR_INPUT_ATTRS, "? ? ? ? ? ? ? ? ? ? ? ? ? ? ?",
        "? ? ? [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_ADAM_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [3] [5,7] [] [] [8,7] [8,7] [9,7]",
        "SF107 i.0 @num_weights"),
};
SF_OP_TEST(XlaSparseDenseMatmulCustomCombinerOnTcGradWithAdamAndCsrInput,
           custom_combiner_on_tc_grad_with_adam_and_csr_input)

#define CUSTOM_COMBINER_ON_TC_GRAD_WITH_ADAGRAD_MOMENTUM_AND_CSR_INPUT_ATTRS                       \
    "max_valency=4,num_weights=2,combiner_table_vjp_computation=f,combiner_weights_vjp_"           \
    "computation=f,table_name='a',use_nesterov=false,exponent=1.0,beta1=1.0,beta2=1.0,epsilon=1.0"
static const SfOpCase custom_combiner_on_tc_grad_with_adagrad_momentum_and_csr_input[] = {
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_ADAGRAD_MOMENTUM_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [2] [5,7] [] [] [8,7] [8,7] [9,7]",
        "[8,7] [8,7] [8,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_ADAGRAD_MOMENTUM_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [?] [5,?,7] [2] [?,7] [] [] [?,7] [8,7] [9,7]",
        "[?,7] [?,7] [?,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_ADAGRAD_MOMENTUM_AND_CSR_INPUT_ATTRS,
        "? ? ? ? ? ? ? ? ? ? ? ? ? ? ?", "? ? ? [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_ADAGRAD_MOMENTUM_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [3] [5,7] [] [] [8,7] [8,7] [9,7]",
        "SF107 i.0 @num_weights"),
};
SF_OP_TEST(XlaSparseDenseMatmulCustomCombinerOnTcGradWithAdagradMomentumAndCsrInput,
           custom_combiner_on_tc_grad_with_adagrad_momentum_and_csr_input)

#define CUSTOM_COMBINER_ON_TC_GRAD_WITH_FTRL_AND_CSR_INPUT_ATTRS                                   \
    "max_valency=4,num_weights=2,combiner_table_vjp_computation=f,combiner_weights_vjp_"           \
    "computation=f,table_name='a',multiply_linear_by_learning_rate=false,beta=1.0,learning_rate_"  \
    "power=1.0,l1_regularization_strength=1.0,l2_regularization_strength=1.0"
static const SfOpCase custom_combiner_on_tc_grad_with_ftrl_and_csr_input[] = {
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_FTRL_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [2] [5,7] [] [] [8,7] [8,7] [9,7]",
        "[8,7] [8,7] [8,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_FTRL_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [?] [5,?,7] [2] [?,7] [] [] [?,7] [8,7] [9,7]",
        "[?,7] [?,7] [?,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_FTRL_AND_CSR_INPUT_ATTRS, "? ? ? ? ? ? ? ? ? ? ? ? ? ? ?",
        "? ? ? [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_FTRL_AND_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [3] [5,7] [] [] [8,7] [8,7] [9,7]",
        "SF107 i.0 @num_weights"),
};
SF_OP_TEST(XlaSparseDenseMatmulCustomCombinerOnTcGradWithFtrlAndCsrInput,
           custom_combiner_on_tc_grad_with_ftrl_and_csr_input)

#define CUSTOM_COMBINER_ON_TC_GRAD_WITH_CSR_INPUT_ATTRS                                            \
    "max_valency=4,num_weights=2,combiner_table_vjp_computation=f,combiner_weights_vjp_"           \
    "computation=f,table_name='a',optimizer_custom_computation=f"
static const SfOpCase custom_combiner_on_tc_grad_with_csr_input[] = {
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [2] [5,7] ( [8,7] [9,7] ) ( [] ) []",
        "[8,7] [8,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [?] [5,?,7] [2] [?,7] ( [?,7] [9,7] ) ( [] ) []",
        "[?,7] [?,7] [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_CSR_INPUT_ATTRS, "? ? ? ? ? ? ? ? ? ? ( ? ? ) ( ? ) ?",
        "? ? [2]"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [2] [5,7] ( [8,6] [9,7] ) ( [] ) []", "SF107 h.2 j.2"),
    ROW(CUSTOM_COMBINER_ON_TC_GRAD_WITH_CSR_INPUT_ATTRS,
        "[2] [3] [3] [3] [3] [2] [5] [5,4,7] [2] [5,7] ( [8,7] [9,6] ) ( [] ) []",
        "[8,7] [8,7] [2]"),
};
SF_OP_TEST(XlaSparseDenseMatmulCustomCombinerOnTcGradWithCsrInput,
           custom_combiner_on_tc_grad_with_csr_input)
