/* Ops of TPU programs: feeds, embedding tables on the device, replicated and partitioned values.
 * Invariant: configurations are serialised messages; they are not read.
 * Owner: nothing. Source: tpu_*_ops.cc, tpu_embedding_ops.cc,
 * tpu_embedding_load_retrieve_ops.cc. */
#include "apis/ops/shared/common.h"

/* feeds */

enum { INFEED = 1 }; /* variant */

/* TPUDummyInput: an attr of unknown rank stands for a scalar. */
static SfStatus infer_dummy(SfInfer *c)
{
    const SfShape *s = sf_attr_shape(c, "shape");
    if (!sf_shape_is_ranked(s)) {
        return sf_set_output_scalar(c, 0);
    }
    return sf_shape_is_known(s) ? sf_set_output_shape(c, 0, s)
                                : sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_ATTR("shape"), SF_THE_OP,
                                               "Shape {0} is not fully defined", SF_SHAPE_ARG(s));
}

/* Of what comes out every shape must be given; of what goes in those that are. */
static SfStatus infer_tuple(SfInfer *c)
{
    const SfShape *const *shapes;
    const int n = sf_attr_shapes(c, "shapes", &shapes);
    SF_TRY(sf_expect(c, sf_op_variant(c) == INFEED || n == sf_output_count(c), SF_ATTR("shapes"),
                     "Incorrect number of output shapes specified"));
    for (int i = 0; i < n && i < sf_output_count(c); i++) {
        SF_TRY(sf_set_output_shape(c, i, shapes[i]));
    }
    return SF_OK;
}

static SfStatus infer_outfeed_tuple_v2(SfInfer *c)
{
    SF_TRY(sf_require_as(c, sf_shape_rank(sf_input(c, 0)) == 0, SF_DIAG_RANK_EXACT, SF_INPUT(0),
                         SF_THE_OP, "device ordinal must be a scalar.")); /* of unknown rank, too */
    return infer_tuple(c);
}

/* embedding tables */
static SfStatus want_one_table(SfInfer *c)
{
    const bool by_id = sf_attr_int(c, "table_id") >= 0;
    const bool by_name = sf_attr_string(c, "table_name")[0] != '\0';
    return sf_require_as(c, by_id != by_name, SF_DIAG_OP_SHAPE, SF_ATTR("table_id"),
                         SF_ATTR("table_name"),
                         "exactly one of table_id or table_name must be non-default");
}

/* Load and Retrieve: the parameters and their slots are matrices; of one shape when they are given,
 * each as the first. */
static SfStatus infer_table(SfInfer *c)
{
    const SfShape *first, *s;
    SF_TRY(want_one_table(c));
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 2, &first));
    for (int i = 1; i < sf_input_count(c); i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(i), 2, &s));
        SF_TRY(sf_want_merge(c, SF_INPUT(0), first, SF_INPUT(i), s, NULL));
    }
    return sf_set_outputs(c, sf_shape_matrix(SF_DIM_UNKNOWN, SF_DIM_UNKNOWN));
}

static SfStatus infer_enqueue_sparse(SfInfer *c)
{
    const int n = sf_attr(c, "combiners")->u.list.n;
    const int64_t want = sf_attr_int(c, "N");
    return sf_expect(c, n == 0 || n == want, SF_ATTR("combiners"),
                     "Invalid length of combiners. Have {0} but expected 0 or {1}", SF_INT_ARG(n),
                     SF_INT_ARG(want));
}

/* -1: the whole is replicated. */
static SfStatus want_partition_dim(SfInfer *c, const SfShape *s, int64_t *dim)
{
    *dim = sf_attr_int(c, "partition_dim");
    const int rank = sf_shape_rank(s);
    return sf_require_as(c, rank < 0 || (*dim >= -1 && *dim < rank), SF_DIAG_AXIS_RANGE,
                         SF_ATTR("partition_dim"), SF_INPUT(0),
                         "Cannot partition dim {0} of rank {1} tensor.", SF_INT_ARG(*dim),
                         SF_INT_ARG(rank));
}

static SfStatus infer_partitioned_input(SfInfer *c)
{
    const SfShape *s;
    int64_t dim;
    if (sf_attr_type(c, "T") == SF_DT_RESOURCE) {
        return sf_set_output_same(c, 0, 0);
    }
    SF_TRY(sf_want_merge_inputs(c, 0, sf_input_count(c), &s));
    SF_TRY(want_partition_dim(c, s, &dim));
    if (dim < 0 || !sf_shape_is_ranked(s)) {
        return sf_set_output_shape(c, 0, s);
    }
    return sf_common_set_output_grown(c, s, (int)dim, sf_common_attr_dim(c, "N"));
}

static SfStatus split_axis(SfInfer *c, const SfShape *s, int axis, int64_t parts,
                           const SfShape **out)
{
    const SfDim d = sf_shape_dim(s, axis);
    SF_TRY(sf_expect(c, !sf_dim_is_known(d) || (parts >= 1 && d % parts == 0), SF_AXIS(0, axis),
                     "Dimension size must be evenly divisible by {0} but is {1}\n\tNumber of ways "
                     "to split should evenly divide the split dimension",
                     SF_INT_ARG(parts), SF_DIM_ARG(d)));
    *out = sf_shape_replace(s, axis,
                            sf_dim_is_known(d) ? d / parts
                            : parts == 1       ? d
                                               : SF_DIM_UNKNOWN);
    return !*out ? SF_NOMEM : SF_OK;
}

static SfStatus infer_partitioned_output(SfInfer *c)
{
    const SfShape *s = sf_input(c, 0);
    int64_t dim;
    if (!sf_shape_is_ranked(s)) {
        return sf_set_outputs(c, s);
    }
    SF_TRY(want_partition_dim(c, s, &dim));
    if (dim >= 0) {
        SF_TRY(split_axis(c, s, (int)dim, sf_attr_int(c, "num_splits"), &s));
    }
    return sf_set_outputs(c, s);
}

/* How many parts `partition_dims` stands for. */
static int64_t parts_of(const int64_t *dims, int n)
{
    int64_t parts = 1;
    for (int i = 0; i < n; i++) {
        if (__builtin_mul_overflow(parts, dims[i], &parts)) {
            return -1;
        }
    }
    return parts;
}

/* The parts may be split along more axes than there are: the rest are replicas. */
static SfStatus infer_partitioned_input_v2(SfInfer *c)
{
    const SfShape *s = sf_input(c, 0);
    const int64_t *dims;
    const int n = sf_attr_ints(c, "partition_dims", &dims);
    const int64_t want = sf_attr_bool(c, "is_packed") ? 1
                         : n == 0                     ? sf_attr_int(c, "N")
                                                      : parts_of(dims, n);
    SF_TRY(sf_require_as(c, want == sf_attr_int(c, "N"), SF_DIAG_OP_SHAPE, SF_INPUT(0),
                         SF_ATTR("partition_dims"), "Expected {0} inputs, got {attr N}.",
                         SF_INT_ARG(want)));
    const int rank = sf_shape_rank(s);
    SF_TRY(sf_require_as(c, rank < 0 || n <= 0 || n >= rank, SF_DIAG_OP_SHAPE,
                         SF_ATTR("partition_dims"), SF_INPUT(0),
                         "Need at least {0} partition dimensions.", SF_INT_ARG(rank)));
    if (rank < 0) {
        return sf_set_output_unknown(c, 0);
    }
    SfDim grown[SF_RANK_MAX];
    for (int i = 0; i < rank; i++) {
        const SfDim parts = i >= n ? 1 : dims[i] < 0 ? SF_DIM_UNKNOWN : dims[i];
        grown[i] = sf_dim_mul(sf_shape_dim(s, i), parts);
    }
    return sf_set_output_dims(c, 0, rank, grown);
}

static SfStatus infer_partitioned_output_v2(SfInfer *c)
{
    const SfShape *s = sf_input(c, 0);
    const int64_t *dims;
    const int n = sf_attr_ints(c, "partition_dims", &dims);
    const int64_t parts = parts_of(dims, n);
    SF_TRY(sf_require_as(c, parts == sf_attr_int(c, "num_splits"), SF_DIAG_OP_SHAPE,
                         SF_ATTR("num_splits"), SF_ATTR("partition_dims"), "Expected {0} splits.",
                         SF_INT_ARG(parts)));
    const int rank = sf_shape_rank(s);
    SF_TRY(sf_require_as(c, rank <= n, SF_DIAG_OP_SHAPE, SF_ATTR("partition_dims"), SF_INPUT(0),
                         "Expected at least {0} partition dimensions.", SF_INT_ARG(rank)));
    for (int i = 0; i < rank; i++) {
        SF_TRY(split_axis(c, s, i, dims[i], &s));
    }
    return sf_set_outputs(c, s);
}

/* clang-format off */
#define BATCH "embedding_indices: N * T2, aggregation_weights: N * T3, mode_override: string"
#define BATCH_TYPES \
    "T1: {int32, int64} = int32, T2: {int32, int64} = int32, T3: {float, double} = float, " \
    "N: int >= 1"
#define TABLES \
    "combiners: list(string) = [], table_ids: list(int), max_sequence_lengths: list(int) = [], " \
    "num_features: list(int) = []"
#define TABLE_ATTRS \
    "table_id: int = -1, table_name: string = '', num_shards: int, shard_id: int, " \
    "config: string = ''"
/* The parameters and slots of an optimizer. */
#define OPTIMIZER(name, slots) \
    SF_STATEFUL_OP(LoadTPUEmbedding##name##Parameters, "parameters: float" slots, "", \
        TABLE_ATTRS, infer_table), \
    SF_STATEFUL_OP(RetrieveTPUEmbedding##name##Parameters, "", "parameters: float" slots, \
        TABLE_ATTRS, infer_table)

static const SfOpDef ops[] = {
    SF_STATEFUL_OP(ConfigureDistributedTPU, "", "topology: string",
                   "embedding_config: string = '', tpu_embedding_config: string = '', "
                   "is_global_init: bool = false, enable_whole_mesh_compilations: bool = false, "
                   "compilation_failure_closes_chips: bool = true, "
                   "tpu_cancellation_closes_chips: int = 0", sf_infer_unknown),
    SF_STATEFUL_OP(ConfigureTPUEmbedding, "", "", "config: string", sf_infer_no_output),
    SF_STATEFUL_OP(DynamicEnqueueTPUEmbeddingArbitraryTensorBatch,
                   "sample_indices_or_row_splits: N * T1, " BATCH ", device_ordinal: int32", "",
                   BATCH_TYPES ", combiners: list(string) = []", sf_infer_no_output),
    SF_STATEFUL_OP(DynamicEnqueueTPUEmbeddingRaggedTensorBatch,
                   "sample_splits: N * T1, " BATCH ", device_ordinal: int32", "",
                   BATCH_TYPES ", " TABLES, sf_infer_no_output),
    SF_STATEFUL_OP(EnqueueTPUEmbeddingArbitraryTensorBatch,
                   "sample_indices_or_row_splits: N * T1, " BATCH, "",
                   BATCH_TYPES ", device_ordinal: int = -1, combiners: list(string) = []",
                   sf_infer_no_output),
    SF_STATEFUL_OP(EnqueueTPUEmbeddingIntegerBatch, "batch: N * int32, mode_override: string", "",
                   "N: int >= 1, device_ordinal: int = -1", sf_infer_no_output),
    SF_STATEFUL_OP(EnqueueTPUEmbeddingRaggedTensorBatch, "sample_splits: N * T1, " BATCH, "",
                   BATCH_TYPES ", device_ordinal: int = -1, " TABLES, sf_infer_no_output),
    SF_STATEFUL_OP(EnqueueTPUEmbeddingSparseBatch, "sample_indices: N * T1, " BATCH, "",
                   BATCH_TYPES ", device_ordinal: int = -1, combiners: list(string) = []",
                   infer_enqueue_sparse),
    SF_STATEFUL_OP(EnqueueTPUEmbeddingSparseTensorBatch, "sample_indices: N * T1, " BATCH, "",
                   BATCH_TYPES ", device_ordinal: int = -1, " TABLES, sf_infer_no_output),
    SF_STATEFUL_OP(InfeedDequeue, "", "output: dtype", "dtype: type, shape: shape",
                   SF_SHAPES("-> {shape}")),
    SF_STATEFUL_OP(InfeedDequeueTuple, "", "outputs: dtypes",
                   "dtypes: list(type) >= 1, shapes: list(shape)", infer_tuple, .variant = INFEED),
    SF_STATEFUL_OP(InfeedEnqueue, "input: dtype", "", "dtype: type, shape: shape = [], "
                   "layout: list(int) = [], device_ordinal: int = -1", sf_infer_no_output),
    SF_PLAIN_OP(InfeedEnqueuePrelinearizedBuffer, "input: variant", "", "device_ordinal: int = -1",
                sf_infer_no_output),
    SF_STATEFUL_OP(InfeedEnqueueTuple, "inputs: dtypes", "", "dtypes: list(type) >= 1, "
                   "shapes: list(shape), layouts: list(int) = [], device_ordinal: int = -1",
                   sf_infer_no_output),
    SF_STATEFUL_OP(IsTPUEmbeddingInitialized, "", "is_tpu_embedding_initialized: bool",
                   "config: string = ''", sf_infer_scalar),
    OPTIMIZER(ADAM, ", momenta: float, velocities: float"),
    OPTIMIZER(Adadelta, ", accumulators: float, updates: float"),
    OPTIMIZER(AdagradMomentum, ", accumulators: float, momenta: float"),
    OPTIMIZER(Adagrad, ", accumulators: float"),
    OPTIMIZER(CenteredRMSProp, ", ms: float, mom: float, mg: float"),
    OPTIMIZER(FTRL, ", accumulators: float, linears: float"),
    OPTIMIZER(FrequencyEstimator, ", last_hit_step: float"),
    OPTIMIZER(MDLAdagradLight, ", accumulators: float, weights: float, benefits: float"),
    OPTIMIZER(Momentum, ", momenta: float"),
    OPTIMIZER(ProximalAdagrad, ", accumulators: float"),
    OPTIMIZER(ProximalYogi, ", v: float, m: float"),
    OPTIMIZER(RMSProp, ", ms: float, mom: float"),
    OPTIMIZER(StochasticGradientDescent, ""),
    SF_STATEFUL_OP(OutfeedDequeue, "", "output: dtype",
                   "dtype: type, shape: shape, device_ordinal: int = -1", SF_SHAPES("-> {shape}")),
    SF_STATEFUL_OP(OutfeedDequeueTuple, "", "outputs: dtypes",
                   "dtypes: list(type) >= 1, shapes: list(shape), device_ordinal: int = -1",
                   infer_tuple),
    SF_STATEFUL_OP(OutfeedDequeueTupleV2, "device_ordinal: int32", "outputs: dtypes",
                   "dtypes: list(type) >= 1, shapes: list(shape)", infer_outfeed_tuple_v2),
    SF_STATEFUL_OP(OutfeedDequeueV2, "device_ordinal: int32", "output: dtype",
                   "dtype: type, shape: shape", SF_SHAPES("-> {shape}")),
    SF_STATEFUL_OP(OutfeedEnqueue, "input: dtype", "", "dtype: type", sf_infer_no_output),
    SF_STATEFUL_OP(OutfeedEnqueueTuple, "inputs: dtypes", "", "dtypes: list(type) >= 1",
                   sf_infer_no_output),
    SF_PLAIN_OP(Prelinearize, "input: dtype", "output: variant",
                "dtype: type, shape: shape = [], layout: list(int) = []", sf_infer_scalar),
    SF_PLAIN_OP(PrelinearizeTuple, "inputs: dtypes", "output: variant",
                "dtypes: list(type) >= 1, shapes: list(shape), layouts: list(int) = []",
                sf_infer_scalar),
    SF_STATEFUL_OP(RecvTPUEmbeddingActivations, "", "outputs: num_outputs * float",
                   "num_outputs: int >= 1, config: string", sf_infer_unknown),
    SF_STATEFUL_OP(SendTPUEmbeddingGradients, "inputs: N * float, learning_rates: NN * float", "",
                   "N: int >= 1, NN: int >= 0 = 0, config: string", SF_SHAPES("? [] ->")),
    SF_STATEFUL_OP(ShutdownDistributedTPU, "", "", "", sf_infer_no_output),
    SF_STATEFUL_OP(TPUAnnotateTensorsWithDynamicShape, "tensors: T", "tpu_tensors: T",
                   "T: list(type) >= 1", sf_infer_each),
    SF_PLAIN_OP(TPUCompilationResult, "", "output: string", "", sf_infer_scalar),
    SF_STATEFUL_OP(TPUCopyWithDynamicShape, "tensors: T, unpadded_sizes: N * int32",
                   "tpu_tensors: T", "N: int >= 0, T: list(type) >= 1", sf_infer_each),
    SF_STATEFUL_OP(TPUDummyInput, "", "output: dtype", "dtype: {float, bfloat16}, shape: shape",
                   infer_dummy),
    SF_OP(TPUEmbeddingActivations, .inputs = "embedding_variable: float, sliced_activations: float",
          .outputs = "output: float", .attrs = "table_id: int >= 0, lookup_id: int >= 0",
          .infer = SF_SHAPES("? ? -> =1"), .cost = sf_common_cost_none),
    SF_STATEFUL_OP(TPUOrdinalSelector, "", "device_ordinals: int32", "", SF_SHAPES("-> [?]")),
    SF_PLAIN_OP(TPUPartitionedCall, "args: Tin, device_ordinal: int32", "output: Tout",
                "Tin: list(type) >= 0, Tout: list(type) >= 0, f: func, autotuner_thresh: int = 0",
                sf_infer_unknown),
    SF_PLAIN_OP(TPUPartitionedInput, "inputs: N * T", "output: T",
                "N: int >= 1, T: type, partition_dim: int = 0", infer_partitioned_input),
    SF_PLAIN_OP(TPUPartitionedInputV2, "inputs: N * T", "output: T",
                "N: int >= 1, T: type, partition_dims: list(int), is_packed: bool = false",
                infer_partitioned_input_v2),
    SF_PLAIN_OP(TPUPartitionedOutput, "inputs: T", "output: num_splits * T",
                "T: type, num_splits: int >= 1, partition_dim: int = 0", infer_partitioned_output),
    SF_PLAIN_OP(TPUPartitionedOutputV2, "inputs: T", "output: num_splits * T",
                "T: type, num_splits: int >= 1, partition_dims: list(int)",
                infer_partitioned_output_v2),
    SF_PLAIN_OP(TPUReplicateMetadata, "", "", "num_replicas: int >= 0, "
                "num_cores_per_replica: int = 1, topology: string = '', use_tpu: bool = true, "
                "device_assignment: list(int) = [], computation_shape: list(int) = [], "
                "host_compute_core: list(string) = [], padding_map: list(string) = [], "
                "step_marker_location: string = 'STEP_MARK_AT_ENTRY', "
                "allow_soft_placement: bool = false, use_spmd_for_xla_partitioning: bool = false, "
                "use_shardy_partitioner: bool = false, tpu_compile_options_proto: string = ''",
                sf_infer_no_output),
    SF_OP(TPUReplicatedInput, .inputs = "inputs: N * T", .outputs = "output: T",
          .attrs = "N: int >= 1, T: type, is_mirrored_variable: bool = false, index: int = -1, "
          "is_packed: bool = false", .infer = sf_infer_merge_all, .cost = sf_common_cost_none,
          .grad = SF_GRAD_NONE),
    SF_PLAIN_OP(TPUReplicatedOutput, "input: T", "outputs: num_replicas * T",
                "num_replicas: int >= 1, T: type", sf_infer_unchanged),
};
/* clang-format on */
const SfOpTable sf_ops_tpu = {ops, SF_ARRAY_LEN(ops), "tpu"};
