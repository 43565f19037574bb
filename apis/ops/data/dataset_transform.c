/* Data sets made of data sets, also under their Experimental names: signatures of tf.raw_ops,
 * written by tests/tools/op_rows.py. The transfer functions are in dataset.c.
 * Source: dataset_ops.cc, experimental_dataset_ops.cc. */
#include "apis/ops/data/dataset.h"

/* clang-format off */
#define EXAMPLE "sparse_keys: list(string) >= 0, dense_keys: list(string) >= 0, " \
    "sparse_types: list({float, int64, string}) >= 0, " \
    "Tdense: list({float, int64, string}) >= 0, dense_shapes: list(shape) >= 0, "
#define RAGGED "ragged_keys: list(string) >= 0 = [], " \
    "ragged_value_types: list({float, int64, string}) >= 0 = [], " \
    "ragged_split_types: list({int32, int64}) >= 0 = []"
#define COMPONENTS "Toutput_types: list(type) >= 1, output_shapes: list(shape) >= 1, "

static const SfOpDef ops[] = {
    SF_CHECKED_OF(AssertCardinalityDataset, ", cardinality: int64", SF_DATASET_TYPES),
    SF_BOTH(SF_CHECKED_OF, AssertNextDataset, ", transformations: string", SF_DATASET_TYPES),
    SF_CHECKED_OF(AssertPrevDataset, ", transformations: string", SF_DATASET_TYPES),
    SF_DATASET_OF(AutoShardDataset, ", num_workers: int64, index: int64",
                  "auto_shard_policy: int = 0, " SF_DATASET_TYPES ", num_replicas: int = 0"),
    SF_CHECKED_OF(BatchDataset, ", batch_size: int64", SF_DATASET_ATTRS),
    SF_CHECKED_OF(BatchDatasetV2, ", batch_size: int64, drop_remainder: bool",
                  "parallel_copy: bool = false, " SF_DATASET_ATTRS),
    SF_BOTH(SF_CHECKED_OF, BytesProducedStatsDataset, ", tag: string", SF_DATASET_TYPES),
    SF_CHECKED_OF(CacheDataset, ", filename: string", SF_DATASET_ATTRS),
    SF_CHECKED_SOURCE(CacheDatasetV2, "input_dataset: variant, filename: string, cache: resource",
                      SF_DATASET_ATTRS),
    SF_DATASET_OF(ChooseFastestBranchDataset, ", ratio_numerator: int64, "
                  "ratio_denominator: int64, other_arguments: Targuments",
                  "Targuments: list(type) >= 0, num_elements_per_branch: int >= 1, "
                  "branches: list(func) >= 1, other_arguments_lengths: list(int) >= 1, "
                  SF_DATASET_TYPES),
    SF_BOTH(SF_PLAIN_OP, ChooseFastestDataset, "input_datasets: N * variant", "handle: variant",
            "N: int >= 2, num_experiments: int, " SF_DATASET_TYPES, sf_infer_scalar),
    SF_DATASET_OF(ConcatenateDataset, ", another_dataset: variant", SF_DATASET_ATTRS),
    SF_PLAIN_OP(DatasetCardinality, "input_dataset: variant", "cardinality: int64",
                "cardinality_options: string = ''", sf_infer_scalar),
    SF_PLAIN_OP(DatasetFingerprint, "input_dataset: variant", "fingerprint: uint64", "",
                sf_infer_scalar),
    SF_PLAIN_OP(DatasetToGraph, "input_dataset: variant", "graph: string",
                "stateful_whitelist: list(string) >= 0 = [], allow_stateful: bool = false, "
                "strip_device_assignment: bool = false", sf_infer_scalar),
    SF_PLAIN_OP(DatasetToGraphV2, "input_dataset: variant", "graph: string",
                "external_state_policy: int = 0, strip_device_assignment: bool = false",
                sf_infer_scalar),
    SF_STATEFUL_OP(DatasetToSingleElement, "dataset: variant", "components: output_types",
                   SF_DATASET_ATTRS, sf_dataset_infer_components),
    SF_BOTH(SF_STATEFUL_OP, DatasetToTFRecord, "input_dataset: variant, filename: string, "
            "compression_type: string", "", "", sf_infer_no_output),
    SF_BOTH(SF_CHECKED_OF, DenseToSparseBatchDataset, ", batch_size: int64, row_shape: int64",
            SF_DATASET_TYPES),
    SF_DATASET(DirectedInterleaveDataset, "selector_input_dataset: variant, "
               "data_input_datasets: N * variant", SF_DATASET_TYPES
               ", N: int >= 1, stop_on_empty_dataset: bool = false"),
    SF_PLAIN_OP(FilterByLastComponentDataset, "input_dataset: variant", "output: variant",
                SF_DATASET_TYPES, sf_dataset_infer),
    SF_DATASET_OF(FilterDataset, ", other_arguments: Targuments", SF_PREDICATE SF_DATASET_ATTRS),
    SF_DATASET_OF(FinalizeDataset, "", "has_captured_ref: bool = false, " SF_DATASET_TYPES),
    SF_DATASET_OF(FlatMapDataset, ", other_arguments: Targuments", SF_F SF_DATASET_ATTRS),
    SF_CHECKED_SOURCE(GlobalShuffleDataset, "input_dataset: variant, seed: int64, seed2: int64, "
                      "seed_generator: resource", "reshuffle_each_iteration: bool = true, "
                      SF_DATASET_ATTRS),
    SF_BOTH(SF_SOURCE, GroupByReducerDataset, "input_dataset: variant, "
            "key_func_other_arguments: Tkey_func_other_arguments, "
            "init_func_other_arguments: Tinit_func_other_arguments, "
            "reduce_func_other_arguments: Treduce_func_other_arguments, "
            "finalize_func_other_arguments: Tfinalize_func_other_arguments",
            "key_func: func, init_func: func, reduce_func: func, finalize_func: func, "
            "Tkey_func_other_arguments: list(type) >= 0, "
            "Tinit_func_other_arguments: list(type) >= 0, "
            "Treduce_func_other_arguments: list(type) >= 0, "
            "Tfinalize_func_other_arguments: list(type) >= 0, " SF_DATASET_TYPES),
    SF_DATASET_OF(GroupByWindowDataset, ", key_func_other_arguments: Tkey_func_other_arguments, "
                  "reduce_func_other_arguments: Treduce_func_other_arguments, "
                  "window_size_func_other_arguments: Twindow_size_func_other_arguments",
                  "key_func: func, reduce_func: func, window_size_func: func, "
                  "Tkey_func_other_arguments: list(type) >= 0, "
                  "Treduce_func_other_arguments: list(type) >= 0, "
                  "Twindow_size_func_other_arguments: list(type) >= 0, " SF_DATASET_ATTRS),
    SF_BOTH(SF_DATASET_OF, IgnoreErrorsDataset, "", SF_DATASET_TYPES
            ", log_warning: bool = false"),
    SF_DATASET_OF(IndexFlatMapDataset, ", map_func_other_args: Tmap_func_args, "
                  "index_map_func_other_args: Tindex_map_func_args, output_cardinality: int64",
                  "map_func: func, index_map_func: func, Tmap_func_args: list(type) >= 0, "
                  "Tindex_map_func_args: list(type) >= 0, " SF_DATASET_ATTRS),
    SF_DATASET_OF(InterleaveDataset, ", other_arguments: Targuments, cycle_length: int64, "
                  "block_length: int64", SF_F SF_DATASET_ATTRS),
    SF_BOTH(SF_CHECKED_OF, LatencyStatsDataset, ", tag: string", SF_DATASET_TYPES),
    SF_DATASET_OF(LegacyParallelInterleaveDatasetV2, ", other_arguments: Targuments, "
                  "cycle_length: int64, block_length: int64, buffer_output_elements: int64, "
                  "prefetch_input_elements: int64", "f: func, deterministic: string = 'default', "
                  SF_ARGUMENTS SF_DATASET_ATTRS),
    SF_CHECKED_OF(MapAndBatchDataset, ", other_arguments: Targuments, batch_size: int64, "
                  "num_parallel_calls: int64, drop_remainder: bool", SF_F SF_DATASET_TYPES
                  ", preserve_cardinality: bool = false, " SF_DATASET_METADATA),
    SF_DATASET_OF(MapDataset, ", other_arguments: Targuments", SF_F SF_DATASET_TYPES
                  ", use_inter_op_parallelism: bool = true, preserve_cardinality: bool = false, "
                  "force_synchronous: bool = false, " SF_DATASET_METADATA),
    SF_BOTH(SF_DATASET_OF, MaxIntraOpParallelismDataset, ", max_intra_op_parallelism: int64",
            SF_DATASET_TYPES),
    SF_DATASET_OF(ModelDataset, "", "algorithm: int = 0, cpu_budget: int = 0, "
                  "ram_budget: int = 0, " SF_DATASET_TYPES),
    SF_BOTH(SF_DATASET_OF, NonSerializableDataset, "", SF_DATASET_TYPES),
    SF_DATASET_OF(OptimizeDataset, ", optimizations: string", SF_DATASET_TYPES
                  ", optimization_configs: list(string) = []"),
    SF_DATASET_OF(OptimizeDatasetV2, ", optimizations_enabled: string, "
                  "optimizations_disabled: string, optimizations_default: string", SF_DATASET_TYPES
                  ", optimization_configs: list(string) = []"),
    SF_DATASET_OF(OptionsDataset, "", "serialized_options: string, " SF_DATASET_ATTRS),
    SF_CHECKED_OF(PaddedBatchDataset, ", batch_size: int64, padded_shapes: N * int64, "
                  "padding_values: Toutput_types", COMPONENTS "N: int >= 1, "
                  SF_DATASET_METADATA, .variant = SF_DATA_PADDED),
    SF_CHECKED_OF(PaddedBatchDatasetV2, ", batch_size: int64, padded_shapes: N * int64, "
                  "padding_values: Toutput_types, drop_remainder: bool",
                  "parallel_copy: bool = false, Toutput_types: list(type) >= 1, "
                  "output_shapes: list(shape) >= 1, N: int >= 1, " SF_DATASET_METADATA,
                  .variant = SF_DATA_PADDED),
    SF_CHECKED_OF(ParallelBatchDataset, ", batch_size: int64, num_parallel_calls: int64, "
                  "drop_remainder: bool", "parallel_copy: bool = false, " SF_DATASET_TYPES
                  ", deterministic: string = 'default', " SF_DATASET_METADATA),
    SF_DATASET_OF(ParallelFilterDataset, ", other_arguments: Targuments, "
                  "num_parallel_calls: int64",
                  "predicate: func, deterministic: string = 'default', " SF_ARGUMENTS
                  SF_DATASET_ATTRS),
    SF_DATASET_OF(ParallelInterleaveDataset, ", other_arguments: Targuments, "
                  "cycle_length: int64, block_length: int64, sloppy: bool, "
                  "buffer_output_elements: int64, prefetch_input_elements: int64", SF_F
                  SF_DATASET_ATTRS),
    SF_DATASET_OF(ParallelInterleaveDatasetV2, ", other_arguments: Targuments, "
                  "cycle_length: int64, block_length: int64, num_parallel_calls: int64", SF_F
                  SF_DATASET_TYPES ", sloppy: bool = false, " SF_DATASET_METADATA),
    SF_DATASET_OF(ParallelInterleaveDatasetV3, ", other_arguments: Targuments, "
                  "cycle_length: int64, block_length: int64, num_parallel_calls: int64",
                  "f: func, deterministic: string = 'default', " SF_ARGUMENTS SF_DATASET_ATTRS),
    SF_DATASET_OF(ParallelInterleaveDatasetV4, ", other_arguments: Targuments, "
                  "cycle_length: int64, block_length: int64, buffer_output_elements: int64, "
                  "prefetch_input_elements: int64, num_parallel_calls: int64",
                  "f: func, deterministic: string = 'default', " SF_ARGUMENTS SF_DATASET_ATTRS),
    SF_DATASET_OF(ParallelMapDataset, ", other_arguments: Targuments, num_parallel_calls: int32",
                  SF_F SF_DATASET_TYPES ", use_inter_op_parallelism: bool = true, "
                  "sloppy: bool = false, preserve_cardinality: bool = false, "
                  SF_DATASET_METADATA),
    SF_DATASET_OF(ParallelMapDatasetV2, ", other_arguments: Targuments, num_parallel_calls: int64",
                  SF_F SF_DATASET_TYPES ", use_inter_op_parallelism: bool = true, "
                  "deterministic: string = 'default', preserve_cardinality: bool = false, "
                  "use_unbounded_threadpool: bool = false, " SF_DATASET_METADATA),
    SF_DATASET_OF(ParseExampleDataset, ", num_parallel_calls: int64, dense_defaults: Tdense",
                  EXAMPLE SF_DATASET_TYPES ", sloppy: bool = false, " RAGGED),
    SF_DATASET_OF(ParseExampleDatasetV2, ", num_parallel_calls: int64, dense_defaults: Tdense",
                  EXAMPLE SF_DATASET_TYPES ", deterministic: string = 'default', "
                  RAGGED),
    SF_CHECKED_OF(PrefetchDataset, ", buffer_size: int64", SF_DATASET_TYPES
                  ", slack_period: int = 0, legacy_autotune: bool = true, "
                  "buffer_size_min: int = 0, " SF_DATASET_METADATA, .variant = SF_DATA_PREFETCH),
    SF_BOTH(SF_DATASET_OF, PrivateThreadPoolDataset, ", num_threads: int64", SF_DATASET_TYPES),
    SF_BOTH(SF_DATASET_OF, RebatchDataset, ", num_replicas: int64", SF_DATASET_TYPES
            ", use_fallback: bool = true"),
    SF_DATASET_OF(RebatchDatasetV2, ", batch_sizes: int64, drop_remainder: bool",
                  SF_DATASET_TYPES),
    SF_OP(ReduceDataset,
          .inputs = "input_dataset: variant, initial_state: Tstate, other_arguments: Targuments",
          .outputs = "components: output_types",
          .attrs = "f: func, Tstate: list(type) >= 1, "
           SF_ARGUMENTS SF_DATASET_TYPES ", "
          "use_inter_op_parallelism: bool = true, " SF_DATASET_METADATA,
          .infer = sf_dataset_infer_components, .cost = sf_common_cost_none,
          .traits = SF_OP_STATEFUL, .grad = SF_GRAD_NONE),
    SF_PLAIN_OP(RegisterDataset, "dataset: variant, address: string, protocol: string",
                "dataset_id: int64", "external_state_policy: int, element_spec: string = '', "
                SF_DATASET_METADATA, sf_infer_scalar),
    SF_PLAIN_OP(RegisterDatasetV2, "dataset: variant, address: string, protocol: string",
                "dataset_id: string", "external_state_policy: int, element_spec: string = '', "
                "requested_dataset_id: string = '', " SF_DATASET_METADATA, sf_infer_scalar),
    SF_CHECKED_OF(RepeatDataset, ", count: int64", SF_DATASET_ATTRS),
    SF_DATASET_OF(RewriteDataset, ", rewrite_name: string", SF_DATASET_TYPES),
    SF_CHECKED_OF(SamplingDataset, ", rate: float, seed: int64, seed2: int64", SF_DATASET_TYPES),
    SF_STATEFUL_OP(SaveDataset, "input_dataset: variant, path: string, "
                   "shard_func_other_args: Tshard_func_args", "", "compression: string = '', "
                   "shard_func: func, use_shard_func: bool = true, "
                   "Tshard_func_args: list(type) >= 0", sf_dataset_infer_save),
    SF_CHECKED_SOURCE(SaveDatasetV2, "input_dataset: variant, path: string, "
                      "shard_func_other_args: Tshard_func_args", "compression: string = '', "
                      "shard_func: func, use_shard_func: bool = true, "
                      "Tshard_func_args: list(type) >= 0, " SF_DATASET_TYPES),
    SF_DATASET_OF(ScanDataset, ", initial_state: Tstate, other_arguments: Targuments",
                  "f: func, Tstate: list(type) >= 1, " SF_ARGUMENTS SF_DATASET_TYPES
                  ", preserve_cardinality: bool = false, use_default_device: bool = true, "
                  SF_DATASET_METADATA),
    SF_BOTH(SF_SOURCE, SetStatsAggregatorDataset, "input_dataset: variant, "
            "stats_aggregator: resource, tag: string, counter_prefix: string", SF_DATASET_TYPES),
    SF_CHECKED_OF(ShardDataset, ", num_shards: int64, index: int64",
                  "require_non_empty: bool = false, " SF_DATASET_ATTRS, .variant = SF_DATA_SHARD),
    SF_CHECKED_OF(ShuffleAndRepeatDataset, ", buffer_size: int64, seed: int64, seed2: int64, "
                  "count: int64", SF_DATASET_TYPES ", reshuffle_each_iteration: bool = true, "
                  SF_DATASET_METADATA, .variant = SF_DATA_SHUFFLE),
    SF_CHECKED_SOURCE(ShuffleAndRepeatDatasetV2, "input_dataset: variant, buffer_size: int64, "
                      "seed: int64, seed2: int64, count: int64, seed_generator: resource",
                      "reshuffle_each_iteration: bool = true, " SF_DATASET_ATTRS,
                      .variant = SF_DATA_SHUFFLE),
    SF_CHECKED_OF(ShuffleDataset, ", buffer_size: int64, seed: int64, seed2: int64",
                  "reshuffle_each_iteration: bool = true, " SF_DATASET_ATTRS,
                  .variant = SF_DATA_SHUFFLE),
    SF_CHECKED_SOURCE(ShuffleDatasetV2, "input_dataset: variant, buffer_size: int64, "
                      "seed_generator: resource", SF_DATASET_ATTRS, .variant = SF_DATA_SHUFFLE),
    SF_CHECKED_SOURCE(ShuffleDatasetV3, "input_dataset: variant, buffer_size: int64, "
                      "seed: int64, seed2: int64, seed_generator: resource",
                      "reshuffle_each_iteration: bool = true, " SF_DATASET_ATTRS,
                      .variant = SF_DATA_SHUFFLE),
    SF_CHECKED_OF(SkipDataset, ", count: int64", SF_DATASET_ATTRS),
    SF_BOTH(SF_CHECKED_OF, SleepDataset, ", sleep_microseconds: int64", SF_DATASET_TYPES,
            .variant = SF_DATA_SLEEP),
    SF_CHECKED_OF(SlidingWindowDataset, ", window_size: int64, window_shift: int64, "
                  "window_stride: int64", "drop_remainder: bool = true, " SF_DATASET_TYPES),
    SF_CHECKED_OF(SnapshotDataset, ", path: string", SF_DATASET_TYPES
                  ", compression: string = '', reader_path_prefix: string = '', "
                  "writer_path_prefix: string = '', shard_size_bytes: int = 10737418240, "
                  "pending_snapshot_expiry_seconds: int = 86400, num_reader_threads: int = 1, "
                  "reader_buffer_size: int = 1, num_writer_threads: int = 1, "
                  "writer_buffer_size: int = 1, shuffle_on_read: bool = false, seed: int = 0, "
                  "seed2: int = 0, mode: string = 'auto', snapshot_name: string = ''"),
    SF_CHECKED_OF(SnapshotDatasetV2, ", path: string, reader_func_other_args: Treader_func_args, "
                  "shard_func_other_args: Tshard_func_args", SF_DATASET_TYPES
                  ", compression: string = '', reader_prefix: string = '', "
                  "writer_prefix: string = '', hash_valid: bool = false, hash: int = 0, "
                  "reader_func: func, shard_func: func, Treader_func_args: list(type) >= 0, "
                  "Tshard_func_args: list(type) >= 0, " SF_DATASET_METADATA),
    SF_DATASET(SnapshotNestedDatasetReader, "inputs: N * variant", SF_DATASET_TYPES
               ", N: int >= 1"),
    SF_CHECKED_OF(TakeDataset, ", count: int64", SF_DATASET_ATTRS),
    SF_DATASET_OF(TakeWhileDataset, ", other_arguments: Targuments", SF_PREDICATE
                  SF_DATASET_ATTRS),
    SF_BOTH(SF_SOURCE, ThreadPoolDataset, "input_dataset: variant, thread_pool: resource",
            SF_DATASET_TYPES),
    SF_DATASET_OF(UnbatchDataset, "", SF_DATASET_ATTRS),
    SF_DATASET_OF(UniqueDataset, "", SF_DATASET_ATTRS),
    SF_PLAIN_OP(UnwrapDatasetVariant, "input_handle: variant", "output_handle: variant", "",
                sf_dataset_infer),
    SF_PLAIN_OP(WeightedFlatMapDataset, "input_datasets: N * variant, weights: M * double",
                "handle: variant", "N: int >= 2, M: int >= 2, " SF_DATASET_ATTRS, sf_infer_scalar),
    SF_CHECKED_OF(WindowDataset, ", size: int64, shift: int64, stride: int64, "
                  "drop_remainder: bool", SF_DATASET_ATTRS),
    SF_PLAIN_OP(WrapDatasetVariant, "input_handle: variant", "output_handle: variant", "",
                sf_dataset_infer),
    SF_DATASET(ZipDataset, "input_datasets: N * variant", SF_DATASET_TYPES ", N: int >= 1, "
               SF_DATASET_METADATA),
    SF_DATASET_OF(ExperimentalAutoShardDataset, ", num_workers: int64, index: int64",
                  "auto_shard_policy: int = 0, " SF_DATASET_TYPES),
    SF_PLAIN_OP(ExperimentalDatasetCardinality, "input_dataset: variant", "cardinality: int64", "",
                sf_infer_scalar),
    SF_DATASET(ExperimentalDirectedInterleaveDataset, "selector_input_dataset: variant, "
               "data_input_datasets: N * variant", SF_DATASET_TYPES ", N: int >= 1"),
    SF_DATASET_OF(ExperimentalGroupByWindowDataset, ", key_func_other_arguments: "
                  "Tkey_func_other_arguments, "
                  "reduce_func_other_arguments: Treduce_func_other_arguments, "
                  "window_size_func_other_arguments: Twindow_size_func_other_arguments",
                  "key_func: func, reduce_func: func, window_size_func: func, "
                  "Tkey_func_other_arguments: list(type) >= 0, "
                  "Treduce_func_other_arguments: list(type) >= 0, "
                  "Twindow_size_func_other_arguments: list(type) >= 0, " SF_DATASET_TYPES),
    SF_CHECKED_OF(ExperimentalMapAndBatchDataset, ", other_arguments: Targuments, "
                  "batch_size: int64, num_parallel_calls: int64, drop_remainder: bool", SF_F
                  SF_DATASET_TYPES ", preserve_cardinality: bool = false"),
    SF_DATASET_OF(ExperimentalMapDataset, ", other_arguments: Targuments", SF_F SF_DATASET_TYPES
                  ", use_inter_op_parallelism: bool = true, preserve_cardinality: bool = false, "
                  "force_synchronous: bool = false"),
    SF_DATASET_OF(ExperimentalParallelInterleaveDataset, ", other_arguments: Targuments, "
                  "cycle_length: int64, block_length: int64, sloppy: bool, "
                  "buffer_output_elements: int64, prefetch_input_elements: int64", SF_F
                  SF_DATASET_TYPES),
    SF_DATASET_OF(ExperimentalParseExampleDataset,
                  ", num_parallel_calls: int64, dense_defaults: Tdense", EXAMPLE
                  SF_DATASET_TYPES ", sloppy: bool = false"),
    SF_DATASET_OF(ExperimentalScanDataset, ", initial_state: Tstate, other_arguments: Targuments",
                  "f: func, Tstate: list(type) >= 1, " SF_ARGUMENTS SF_DATASET_TYPES
                  ", preserve_cardinality: bool = false"),
    SF_CHECKED_OF(ExperimentalSlidingWindowDataset, ", window_size: int64, window_shift: int64, "
                  "window_stride: int64", SF_DATASET_TYPES),
    SF_DATASET_OF(ExperimentalTakeWhileDataset, ", other_arguments: Targuments", SF_PREDICATE
                  SF_DATASET_TYPES),
    SF_DATASET_OF(ExperimentalUnbatchDataset, "", SF_DATASET_TYPES),
    SF_DATASET_OF(ExperimentalUniqueDataset, "", SF_DATASET_TYPES),
};
/* clang-format on */
const SfOpTable sf_ops_dataset_transform = {ops, SF_ARRAY_LEN(ops), "dataset_transform"};
