/* Rows of ops of TPU programs: apis/ops/device/tpu.c.
 * As TensorFlow 2.21 constructs them. */
#include "tests/c/support/op_rows.h"

static const SfOpCase configure_tpu_embedding[] = {
    ROW("config='a'", "", ""),
};
SF_OP_TEST(ConfigureTPUEmbedding, configure_tpu_embedding)

static const SfOpCase dynamic_enqueue_tpu_embedding_arbitrary_tensor_batch[] = {
    ROW("", "( [] ) ( [] ) ( [] ) [] []", ""),
    ROW("", "( [?] ) ( [] ) ( [] ) [] []", ""),
    ROW("", "( ? ) ( ? ) ( ? ) ? ?", ""),
};
SF_OP_TEST(DynamicEnqueueTPUEmbeddingArbitraryTensorBatch,
           dynamic_enqueue_tpu_embedding_arbitrary_tensor_batch)

static const SfOpCase dynamic_enqueue_tpu_embedding_ragged_tensor_batch[] = {
    ROW("table_ids=[1]", "( [] ) ( [] ) ( [] ) [] []", ""),
    ROW("table_ids=[1]", "( [?] ) ( [] ) ( [] ) [] []", ""),
    ROW("table_ids=[1]", "( ? ) ( ? ) ( ? ) ? ?", ""),
};
SF_OP_TEST(DynamicEnqueueTPUEmbeddingRaggedTensorBatch,
           dynamic_enqueue_tpu_embedding_ragged_tensor_batch)

static const SfOpCase enqueue_tpu_embedding_arbitrary_tensor_batch[] = {
    ROW("", "( [] ) ( [] ) ( [] ) []", ""),
    ROW("", "( [?] ) ( [] ) ( [] ) []", ""),
    ROW("", "( ? ) ( ? ) ( ? ) ?", ""),
};
SF_OP_TEST(EnqueueTPUEmbeddingArbitraryTensorBatch, enqueue_tpu_embedding_arbitrary_tensor_batch)

static const SfOpCase enqueue_tpu_embedding_integer_batch[] = {
    ROW("", "[] []", ""),
    ROW("", "[?] []", ""),
    ROW("", "? ?", ""),
};
SF_OP_TEST(EnqueueTPUEmbeddingIntegerBatch, enqueue_tpu_embedding_integer_batch)

static const SfOpCase enqueue_tpu_embedding_ragged_tensor_batch[] = {
    ROW("table_ids=[1]", "( [] ) ( [] ) ( [] ) []", ""),
    ROW("table_ids=[1]", "( [?] ) ( [] ) ( [] ) []", ""),
    ROW("table_ids=[1]", "( ? ) ( ? ) ( ? ) ?", ""),
};
SF_OPS_TEST(enqueue_tpu_embedding_ragged_tensor_batch_rows,
            enqueue_tpu_embedding_ragged_tensor_batch, "EnqueueTPUEmbeddingRaggedTensorBatch",
            "EnqueueTPUEmbeddingSparseTensorBatch")

static const SfOpCase enqueue_tpu_embedding_sparse_batch[] = {
    ROW("combiners=[]", "( [5] ) ( [5] ) ( [5] ) 'unspecified'", ""),
    ROW("combiners=[]", "( [?] ) ( [5] ) ( [5] ) 'unspecified'", ""),
    ROW("combiners=[]", "( ? ) ( ? ) ( ? ) ?", ""),
};
SF_OP_TEST(EnqueueTPUEmbeddingSparseBatch, enqueue_tpu_embedding_sparse_batch)

static const SfOpCase infeed_dequeue[] = {
    ROW("dtype=float32,shape=[4,1,3]", "", "[4,1,3]"),
};
SF_OPS_TEST(infeed_dequeue_rows, infeed_dequeue, "InfeedDequeue", "OutfeedDequeue", "TPUDummyInput")

static const SfOpCase infeed_dequeue_tuple[] = {
    ROW("dtypes=[float32,int32],shapes=[[1,3,5],[4,3,4]]", "", "[1,3,5] [4,3,4]"),
};
SF_OPS_TEST(infeed_dequeue_tuple_rows, infeed_dequeue_tuple, "InfeedDequeueTuple",
            "OutfeedDequeueTuple")

static const SfOpCase infeed_enqueue[] = {
    ROW("", "[]", ""),
    ROW("", "[?]", ""),
    ROW("", "?", ""),
};
SF_OPS_TEST(infeed_enqueue_rows, infeed_enqueue, "InfeedEnqueue",
            "InfeedEnqueuePrelinearizedBuffer", "OutfeedEnqueue")

static const SfOpCase infeed_enqueue_tuple[] = {
    ROW("shapes=[[2,3]]", "( [] )", ""),
    ROW("shapes=[[2,3]]", "( [?] )", ""),
    ROW("shapes=[[2,3]]", "( ? )", ""),
};
SF_OP_TEST(InfeedEnqueueTuple, infeed_enqueue_tuple)

static const SfOpCase is_tpu_embedding_initialized[] = {
    ROW("", "", "[]"),
};
SF_OPS_TEST(is_tpu_embedding_initialized_rows, is_tpu_embedding_initialized,
            "IsTPUEmbeddingInitialized", "TPUCompilationResult")

#define ADAM_PARAMETERS_ATTRS "table_name='a',num_shards=1,shard_id=0"
static const SfOpCase adam_parameters[] = {
    ROW(ADAM_PARAMETERS_ATTRS, "[4,4] [4,4] [4,4]", ""),
    ROW(ADAM_PARAMETERS_ATTRS, "[?,4] [4,4] [4,4]", ""),
    ROW(ADAM_PARAMETERS_ATTRS, "? ? ?", ""),
    ROW(ADAM_PARAMETERS_ATTRS, "[5,4] [4,4] [4,4]", "SF107 a.0 b.0"),
    ROW(ADAM_PARAMETERS_ATTRS, "[4,4] [5,4] [4,4]", "SF107 a.0 b.0"),
    ROW(ADAM_PARAMETERS_ATTRS, "[4,4] [4,4] [5,4]", "SF107 a.0 c.0"),
};
SF_OPS_TEST(adam_parameters_rows, adam_parameters, "LoadTPUEmbeddingADAMParameters",
            "LoadTPUEmbeddingAdadeltaParameters", "LoadTPUEmbeddingAdagradMomentumParameters",
            "LoadTPUEmbeddingFTRLParameters", "LoadTPUEmbeddingProximalYogiParameters",
            "LoadTPUEmbeddingRMSPropParameters")

static const SfOpCase adagrad_parameters[] = {
    ROW("table_id=0,num_shards=1,shard_id=0", "[2,3] [2,3]", ""),
    ROW("table_id=0,num_shards=1,shard_id=0", "[?,3] [2,3]", ""),
    ROW("table_id=0,num_shards=1,shard_id=0", "? ?", ""),
    ROW("table_id=0,num_shards=1,shard_id=0", "[3,3] [2,3]", "SF107 a.0 b.0"),
    ROW("table_id=0,num_shards=1,shard_id=0", "[2,3] [3,3]", "SF107 a.0 b.0"),
};
SF_OPS_TEST(adagrad_parameters_rows, adagrad_parameters, "LoadTPUEmbeddingAdagradParameters",
            "LoadTPUEmbeddingFrequencyEstimatorParameters",
            "LoadTPUEmbeddingProximalAdagradParameters")

static const SfOpCase centered_rms_prop_parameters[] = {
    ROW(ADAM_PARAMETERS_ATTRS, "[4,4] [4,4] [4,4] [4,4]", ""),
    ROW(ADAM_PARAMETERS_ATTRS, "[?,4] [4,4] [4,4] [4,4]", ""),
    ROW(ADAM_PARAMETERS_ATTRS, "? ? ? ?", ""),
    ROW(ADAM_PARAMETERS_ATTRS, "[5,4] [4,4] [4,4] [4,4]", "SF107 a.0 b.0"),
    ROW(ADAM_PARAMETERS_ATTRS, "[4,4] [5,4] [4,4] [4,4]", "SF107 a.0 b.0"),
    ROW(ADAM_PARAMETERS_ATTRS, "[4,4] [4,4] [5,4] [4,4]", "SF107 a.0 c.0"),
};
SF_OPS_TEST(centered_rms_prop_parameters_rows, centered_rms_prop_parameters,
            "LoadTPUEmbeddingCenteredRMSPropParameters",
            "LoadTPUEmbeddingMDLAdagradLightParameters")

static const SfOpCase stochastic_gradient_descent_parameters[] = {
    ROW(ADAM_PARAMETERS_ATTRS, "[4,4]", ""),
    ROW(ADAM_PARAMETERS_ATTRS, "[?,4]", ""),
    ROW(ADAM_PARAMETERS_ATTRS, "?", ""),
    ROW(ADAM_PARAMETERS_ATTRS, "[4]", "SF102 a"),
};
SF_OP_TEST(LoadTPUEmbeddingStochasticGradientDescentParameters,
           stochastic_gradient_descent_parameters)

/* construction refuses an unknown rank as well: c->Rank(device_ordinal) != 0 */
static const SfOpCase outfeed_tuple[] = {
    ROW("@weak=no,dtypes=[float,int32],shapes=[[1,3],[4]]", "0", "[1,3] [4]:int32"),
    ROW("dtypes=[float,int32],shapes=[[1,3],[4]]", "?",
        "SF102 a 'device ordinal must be a scalar'"),
    ROW("dtypes=[float,int32],shapes=[[1,3],[4]]", "[2]", "SF102 a"),
};
SF_OP_TEST(OutfeedDequeueTupleV2, outfeed_tuple)

static const SfOpCase outfeed_dequeue_v2[] = {
    ROW("dtype=float32,shape=[4,1,3]", "0", "[4,1,3]"),
    ROW("dtype=float32,shape=[4,1,3]", "[?]", "[4,1,3]"),
    ROW("dtype=float32,shape=[4,1,3]", "?", "[4,1,3]"),
};
SF_OP_TEST(OutfeedDequeueV2, outfeed_dequeue_v2)

static const SfOpCase outfeed_enqueue_tuple[] = {
    ROW("", "( [2] [3]:int32 )", ""),
    ROW("", "( [?] [3]:int32 )", ""),
    ROW("", "( ? ?:int32 )", ""),
};
SF_OP_TEST(OutfeedEnqueueTuple, outfeed_enqueue_tuple)

static const SfOpCase prelinearize[] = {
    ROW("", "[2,3]", "[]"),
    ROW("", "[?,3]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(Prelinearize, prelinearize)

static const SfOpCase prelinearize_tuple[] = {
    ROW("shapes=[[2,3]]", "( [] )", "[]"),
    ROW("shapes=[[2,3]]", "( [?] )", "[]"),
    ROW("shapes=[[2,3]]", "( ? )", "[]"),
};
SF_OP_TEST(PrelinearizeTuple, prelinearize_tuple)

static const SfOpCase adam_parameters_op[] = {
    ROW("table_id=4,num_shards=4,shard_id=0", "", "[?,?] [?,?] [?,?]"),
};
SF_OPS_TEST(adam_parameters_op_rows, adam_parameters_op, "RetrieveTPUEmbeddingADAMParameters",
            "RetrieveTPUEmbeddingAdadeltaParameters",
            "RetrieveTPUEmbeddingAdagradMomentumParameters", "RetrieveTPUEmbeddingFTRLParameters",
            "RetrieveTPUEmbeddingProximalYogiParameters", "RetrieveTPUEmbeddingRMSPropParameters")

static const SfOpCase adagrad_parameters_op[] = {
    ROW("table_id=4,num_shards=4,shard_id=0", "", "[?,?] [?,?]"),
};
SF_OPS_TEST(adagrad_parameters_op_rows, adagrad_parameters_op,
            "RetrieveTPUEmbeddingAdagradParameters",
            "RetrieveTPUEmbeddingFrequencyEstimatorParameters",
            "RetrieveTPUEmbeddingMomentumParameters",
            "RetrieveTPUEmbeddingProximalAdagradParameters")

static const SfOpCase centered_rms_prop_parameters_op[] = {
    ROW("table_id=4,num_shards=4,shard_id=0", "", "[?,?] [?,?] [?,?] [?,?]"),
};
SF_OPS_TEST(centered_rms_prop_parameters_op_rows, centered_rms_prop_parameters_op,
            "RetrieveTPUEmbeddingCenteredRMSPropParameters",
            "RetrieveTPUEmbeddingMDLAdagradLightParameters")

static const SfOpCase stochastic_gradient_descent_parameters_op[] = {
    ROW("table_id=4,num_shards=4,shard_id=0", "", "[?,?]"),
};
SF_OP_TEST(RetrieveTPUEmbeddingStochasticGradientDescentParameters,
           stochastic_gradient_descent_parameters_op)

static const SfOpCase send_tpu_embedding_gradients[] = {
    ROW("config=''", "( [1,3] ) ( )", ""),
    ROW("config=''", "( [?,3] ) ( )", ""),
    ROW("config=''", "( ? ) ( )", ""),
};
SF_OP_TEST(SendTPUEmbeddingGradients, send_tpu_embedding_gradients)

static const SfOpCase shutdown_distributed_tpu[] = {
    ROW("", "", ""),
};
SF_OP_TEST(ShutdownDistributedTPU, shutdown_distributed_tpu)

static const SfOpCase tpu_annotate_tensors_with_dynamic_shape[] = {
    ROW("", "( [] )", "[]"),
    ROW("", "( [?] )", "[?]"),
    ROW("", "( ? )", "?"),
};
SF_OPS_TEST(tpu_annotate_tensors_with_dynamic_shape_rows, tpu_annotate_tensors_with_dynamic_shape,
            "TPUAnnotateTensorsWithDynamicShape", "TPUReplicatedInput")

static const SfOpCase tpu_copy_with_dynamic_shape[] = {
    ROW("", "( [] ) ( )", "[]"),
    ROW("", "( [?] ) ( )", "[?]"),
    ROW("", "( ? ) ( )", "?"),
};
SF_OP_TEST(TPUCopyWithDynamicShape, tpu_copy_with_dynamic_shape)

static const SfOpCase tpu_embedding_activations[] = {
    ROW("table_id=1,lookup_id=2", "[5] [3]", "[3]"),
    ROW("table_id=1,lookup_id=2", "[?] [3]", "[3]"),
    ROW("table_id=1,lookup_id=2", "? ?", "?"),
};
SF_OP_TEST(TPUEmbeddingActivations, tpu_embedding_activations)

static const SfOpCase tpu_ordinal_selector[] = {
    ROW("", "", "[?]"),
};
SF_OP_TEST(TPUOrdinalSelector, tpu_ordinal_selector)

#define TPU_PARTITIONED_INPUT_V2_ATTRS "partition_dims=[1,1],is_packed=true"
static const SfOpCase tpu_partitioned_input_v2[] = {
    ROW(TPU_PARTITIONED_INPUT_V2_ATTRS, "( [5] )", "[5]"),
    ROW(TPU_PARTITIONED_INPUT_V2_ATTRS, "( [?] )", "[?]"),
    ROW(TPU_PARTITIONED_INPUT_V2_ATTRS, "( ? )", "?"),
    ROW(TPU_PARTITIONED_INPUT_V2_ATTRS, "( [2,3,4] )", "SF128 @partition_dims a"),
    ROW("partition_dims=[4294967296],is_packed=true", "( [4294967296] )", "deferred SF122 / [?]"),
};
SF_OP_TEST(TPUPartitionedInputV2, tpu_partitioned_input_v2)

static const SfOpCase tpu_partitioned_output_v2[] = {
    ROW("num_splits=1,partition_dims=[1,1]", "[5]", "[5]"),
    ROW("num_splits=1,partition_dims=[1,1]", "[?]", "[?]"),
    ROW("num_splits=1,partition_dims=[1,1]", "?", "?"),
    ROW("num_splits=1,partition_dims=[1,1]", "[2,3,4]", "SF128 @partition_dims a"),
};
SF_OP_TEST(TPUPartitionedOutputV2, tpu_partitioned_output_v2)

static const SfOpCase tpu_replicate_metadata[] = {
    ROW("num_replicas=1", "", ""),
};
SF_OP_TEST(TPUReplicateMetadata, tpu_replicate_metadata)

static const SfOpCase tpu_replicated_output[] = {
    ROW("num_replicas=1", "[5]", "[5]"),
    ROW("num_replicas=1", "[?]", "[?]"),
    ROW("num_replicas=1", "?", "?"),
};
SF_OP_TEST(TPUReplicatedOutput, tpu_replicated_output)
