/* Data sets made of data sets, O to Z. See dataset_transform.c. */
#include "apis/ops/shared/common.h"
#include "apis/ops/data/dataset.h"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(ParallelFilterDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments, num_parallel_calls: "
                    "int64",
          .outputs = "handle: variant",
          .attrs = "predicate: func, deterministic: string = 'default', Targuments: list(type) "
                   ">= 0, output_types: list(type) >= 1, output_shapes: list(shape) >= 1, "
                   "metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ParallelInterleaveDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments, cycle_length: int64, "
                    "block_length: int64, sloppy: bool, buffer_output_elements: int64, "
                    "prefetch_input_elements: int64",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ParallelInterleaveDatasetV2,
          .inputs = "input_dataset: variant, other_arguments: Targuments, cycle_length: int64, "
                    "block_length: int64, num_parallel_calls: int64",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, sloppy: bool = false, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ParallelInterleaveDatasetV3,
          .inputs = "input_dataset: variant, other_arguments: Targuments, cycle_length: int64, "
                    "block_length: int64, num_parallel_calls: int64",
          .outputs = "handle: variant",
          .attrs = "f: func, deterministic: string = 'default', Targuments: list(type) >= 0, "
                   "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ParallelInterleaveDatasetV4,
          .inputs = "input_dataset: variant, other_arguments: Targuments, cycle_length: int64, "
                    "block_length: int64, buffer_output_elements: int64, prefetch_input_elements: "
                    "int64, num_parallel_calls: int64",
          .outputs = "handle: variant",
          .attrs = "f: func, deterministic: string = 'default', Targuments: list(type) >= 0, "
                   "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ParallelMapDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments, num_parallel_calls: "
                    "int32",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, use_inter_op_parallelism: bool = true, "
                   "sloppy: bool = false, preserve_cardinality: bool = false, metadata: string = "
                   "''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ParallelMapDatasetV2,
          .inputs = "input_dataset: variant, other_arguments: Targuments, num_parallel_calls: "
                    "int64",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, use_inter_op_parallelism: bool = true, "
                   "deterministic: string = 'default', preserve_cardinality: bool = false, "
                   "use_unbounded_threadpool: bool = false, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ParseExampleDataset,
          .inputs = "input_dataset: variant, num_parallel_calls: int64, dense_defaults: Tdense",
          .outputs = "handle: variant",
          .attrs = "sparse_keys: list(string) >= 0, dense_keys: list(string) >= 0, sparse_types: "
                   "list({float, int64, string}) >= 0, Tdense: list({float, int64, string}) >= "
                   "0, dense_shapes: list(shape) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, sloppy: bool = false, ragged_keys: "
                   "list(string) >= 0 = [], ragged_value_types: list({float, int64, string}) >= "
                   "0 = [], ragged_split_types: list({int32, int64}) >= 0 = []",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ParseExampleDatasetV2,
          .inputs = "input_dataset: variant, num_parallel_calls: int64, dense_defaults: Tdense",
          .outputs = "handle: variant",
          .attrs = "sparse_keys: list(string) >= 0, dense_keys: list(string) >= 0, sparse_types: "
                   "list({float, int64, string}) >= 0, Tdense: list({float, int64, string}) >= "
                   "0, dense_shapes: list(shape) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, deterministic: string = 'default', "
                   "ragged_keys: list(string) >= 0 = [], ragged_value_types: list({float, int64, "
                   "string}) >= 0 = [], ragged_split_types: list({int32, int64}) >= 0 = []",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(PrefetchDataset,
          .inputs = "input_dataset: variant, buffer_size: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, "
                   "slack_period: int = 0, legacy_autotune: bool = true, buffer_size_min: int = "
                   "0, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(PrivateThreadPoolDataset,
          .inputs = "input_dataset: variant, num_threads: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(RebatchDataset,
          .inputs = "input_dataset: variant, num_replicas: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, "
                   "use_fallback: bool = true",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(RebatchDatasetV2,
          .inputs = "input_dataset: variant, batch_sizes: int64, drop_remainder: bool",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ReduceDataset,
          .inputs = "input_dataset: variant, initial_state: Tstate, other_arguments: Targuments",
          .outputs = "components: output_types",
          .attrs = "f: func, Tstate: list(type) >= 1, Targuments: list(type) >= 0, output_types: "
                   "list(type) >= 1, output_shapes: list(shape) >= 1, use_inter_op_parallelism: "
                   "bool = true, metadata: string = ''",
          .infer = sf_dataset_infer_components, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_NONE),
    SF_OP(RegisterDataset,
          .inputs = "dataset: variant, address: string, protocol: string",
          .outputs = "dataset_id: int64",
          .attrs = "external_state_policy: int, element_spec: string = '', metadata: string = ''",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(RegisterDatasetV2,
          .inputs = "dataset: variant, address: string, protocol: string",
          .outputs = "dataset_id: string",
          .attrs = "external_state_policy: int, element_spec: string = '', requested_dataset_id: "
                   "string = '', metadata: string = ''",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(RepeatDataset,
          .inputs = "input_dataset: variant, count: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(RewriteDataset,
          .inputs = "input_dataset: variant, rewrite_name: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(SamplingDataset,
          .inputs = "input_dataset: variant, rate: float, seed: int64, seed2: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(SaveDataset,
          .inputs = "input_dataset: variant, path: string, shard_func_other_args: "
                    "Tshard_func_args",
          .outputs = "",
          .attrs = "compression: string = '', shard_func: func, use_shard_func: bool = true, "
                   "Tshard_func_args: list(type) >= 0",
          .infer = sf_dataset_infer_save, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(SaveDatasetV2,
          .inputs = "input_dataset: variant, path: string, shard_func_other_args: "
                    "Tshard_func_args",
          .outputs = "handle: variant",
          .attrs = "compression: string = '', shard_func: func, use_shard_func: bool = true, "
                   "Tshard_func_args: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ScanDataset,
          .inputs = "input_dataset: variant, initial_state: Tstate, other_arguments: Targuments",
          .outputs = "handle: variant",
          .attrs = "f: func, Tstate: list(type) >= 1, Targuments: list(type) >= 0, output_types: "
                   "list(type) >= 1, output_shapes: list(shape) >= 1, preserve_cardinality: bool "
                   "= false, use_default_device: bool = true, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(SetStatsAggregatorDataset,
          .inputs = "input_dataset: variant, stats_aggregator: resource, tag: string, "
                    "counter_prefix: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ShardDataset,
          .inputs = "input_dataset: variant, num_shards: int64, index: int64",
          .outputs = "handle: variant",
          .attrs = "require_non_empty: bool = false, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ShuffleAndRepeatDataset,
          .inputs = "input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, "
                    "count: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, "
                   "reshuffle_each_iteration: bool = true, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ShuffleAndRepeatDatasetV2,
          .inputs = "input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, "
                    "count: int64, seed_generator: resource",
          .outputs = "handle: variant",
          .attrs = "reshuffle_each_iteration: bool = true, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ShuffleDataset,
          .inputs = "input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64",
          .outputs = "handle: variant",
          .attrs = "reshuffle_each_iteration: bool = true, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ShuffleDatasetV2,
          .inputs = "input_dataset: variant, buffer_size: int64, seed_generator: resource",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ShuffleDatasetV3,
          .inputs = "input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, "
                    "seed_generator: resource",
          .outputs = "handle: variant",
          .attrs = "reshuffle_each_iteration: bool = true, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(SkipDataset,
          .inputs = "input_dataset: variant, count: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(SleepDataset,
          .inputs = "input_dataset: variant, sleep_microseconds: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(SlidingWindowDataset,
          .inputs = "input_dataset: variant, window_size: int64, window_shift: int64, "
                    "window_stride: int64",
          .outputs = "handle: variant",
          .attrs = "drop_remainder: bool = true, output_types: list(type) >= 1, output_shapes: "
                   "list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(SnapshotDataset,
          .inputs = "input_dataset: variant, path: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, compression: "
                   "string = '', reader_path_prefix: string = '', writer_path_prefix: string = "
                   "'', shard_size_bytes: int = 10737418240, pending_snapshot_expiry_seconds: "
                   "int = 86400, num_reader_threads: int = 1, reader_buffer_size: int = 1, "
                   "num_writer_threads: int = 1, writer_buffer_size: int = 1, shuffle_on_read: "
                   "bool = false, seed: int = 0, seed2: int = 0, mode: string = 'auto', "
                   "snapshot_name: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(SnapshotDatasetV2,
          .inputs = "input_dataset: variant, path: string, reader_func_other_args: "
                    "Treader_func_args, shard_func_other_args: Tshard_func_args",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, compression: "
                   "string = '', reader_prefix: string = '', writer_prefix: string = '', "
                   "hash_valid: bool = false, hash: int = 0, reader_func: func, shard_func: "
                   "func, Treader_func_args: list(type) >= 0, Tshard_func_args: list(type) >= 0, "
                   "metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(SnapshotNestedDatasetReader,
          .inputs = "inputs: N * variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, N: int >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(TakeDataset,
          .inputs = "input_dataset: variant, count: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(TakeWhileDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments",
          .outputs = "handle: variant",
          .attrs = "predicate: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ThreadPoolDataset,
          .inputs = "input_dataset: variant, thread_pool: resource",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(UnbatchDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(UniqueDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(UnwrapDatasetVariant,
          .inputs = "input_handle: variant",
          .outputs = "output_handle: variant",
          .attrs = "",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(WeightedFlatMapDataset,
          .inputs = "input_datasets: N * variant, weights: M * double",
          .outputs = "handle: variant",
          .attrs = "N: int >= 2, M: int >= 2, output_types: list(type) >= 1, output_shapes: "
                   "list(shape) >= 1, metadata: string = ''",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(WindowDataset,
          .inputs = "input_dataset: variant, size: int64, shift: int64, stride: int64, "
                    "drop_remainder: bool",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(WrapDatasetVariant,
          .inputs = "input_handle: variant",
          .outputs = "output_handle: variant",
          .attrs = "",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ZipDataset,
          .inputs = "input_datasets: N * variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, N: int >= 1, "
                   "metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_dataset_transform_more = {ops, SF_ARRAY_LEN(ops), "dataset_transform_more"};
