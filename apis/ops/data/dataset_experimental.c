/* Data sets under their Experimental names: as in dataset_transform.c.
 * Source: experimental_dataset_ops.cc. */
#include "apis/ops/data/dataset.h"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_DATASET_OF(ExperimentalAssertNextDataset, ", transformations: string", SF_DATASET_TYPES,
                  sf_dataset_infer_checked),
    SF_DATASET_OF(ExperimentalAutoShardDataset, ", num_workers: int64, index: int64",
                  "auto_shard_policy: int = 0, " SF_DATASET_TYPES, sf_dataset_infer),
    SF_DATASET_OF(ExperimentalBytesProducedStatsDataset, ", tag: string", SF_DATASET_TYPES,
                  sf_dataset_infer_checked),
    SF_STATEFUL_OP(ExperimentalCSVDataset, "filenames: string, compression_type: string, "
                   "buffer_size: int64, header: bool, field_delim: string, use_quote_delim: bool, "
                   "na_value: string, select_cols: int64, record_defaults: output_types",
                   "handle: variant", "output_types: list({float, double, int32, int64, "
                   "string}) >= 1, output_shapes: list(shape) >= 1", sf_dataset_infer_checked,
                   .variant = SF_DATA_CSV),
    SF_DATASET(ExperimentalChooseFastestDataset, "input_datasets: N * variant",
               "N: int >= 2, num_experiments: int, " SF_DATASET_TYPES, sf_infer_scalar),
    SF_PLAIN_OP(ExperimentalDatasetCardinality, "input_dataset: variant", "cardinality: int64", "",
                sf_infer_scalar),
    SF_STATEFUL_OP(ExperimentalDatasetToTFRecord,
                   "input_dataset: variant, filename: string, compression_type: string", "", "",
                   sf_infer_no_output),
    SF_DATASET_OF(ExperimentalDenseToSparseBatchDataset, ", batch_size: int64, row_shape: int64",
                  SF_DATASET_TYPES, sf_dataset_infer_checked),
    SF_DATASET(ExperimentalDirectedInterleaveDataset,
               "selector_input_dataset: variant, data_input_datasets: N * variant",
               SF_DATASET_TYPES ", N: int >= 1", sf_dataset_infer),
    SF_STATEFUL_OP(ExperimentalGroupByReducerDataset, "input_dataset: variant, "
                   "key_func_other_arguments: Tkey_func_other_arguments, "
                   "init_func_other_arguments: Tinit_func_other_arguments, "
                   "reduce_func_other_arguments: Treduce_func_other_arguments, "
                   "finalize_func_other_arguments: Tfinalize_func_other_arguments",
                   "handle: variant", "key_func: func, init_func: func, reduce_func: func, "
                   "finalize_func: func, Tkey_func_other_arguments: list(type) >= 0, "
                   "Tinit_func_other_arguments: list(type) >= 0, "
                   "Treduce_func_other_arguments: list(type) >= 0, "
                   "Tfinalize_func_other_arguments: list(type) >= 0, " SF_DATASET_TYPES,
                   sf_dataset_infer),
    SF_DATASET_OF(ExperimentalGroupByWindowDataset, ", "
                  "key_func_other_arguments: Tkey_func_other_arguments, "
                  "reduce_func_other_arguments: Treduce_func_other_arguments, "
                  "window_size_func_other_arguments: Twindow_size_func_other_arguments",
                  "key_func: func, reduce_func: func, window_size_func: func, "
                  "Tkey_func_other_arguments: list(type) >= 0, "
                  "Treduce_func_other_arguments: list(type) >= 0, "
                  "Twindow_size_func_other_arguments: list(type) >= 0, " SF_DATASET_TYPES,
                  sf_dataset_infer),
    SF_DATASET_OF(ExperimentalIgnoreErrorsDataset, "",
                  SF_DATASET_TYPES ", log_warning: bool = false", sf_dataset_infer),
    SF_STATEFUL_OP(ExperimentalLMDBDataset, "filenames: string", "handle: variant",
                   SF_DATASET_TYPES, sf_dataset_infer),
    SF_DATASET_OF(ExperimentalLatencyStatsDataset, ", tag: string", SF_DATASET_TYPES,
                  sf_dataset_infer_checked),
    SF_DATASET_OF(ExperimentalMapAndBatchDataset, ", other_arguments: Targuments, "
                  "batch_size: int64, num_parallel_calls: int64, drop_remainder: bool", "f: func, "
                  "Targuments: list(type) >= 0, " SF_DATASET_TYPES ", "
                  "preserve_cardinality: bool = false", sf_dataset_infer_checked),
    SF_DATASET_OF(ExperimentalMapDataset, ", other_arguments: Targuments", "f: func, "
                  "Targuments: list(type) >= 0, " SF_DATASET_TYPES ", "
                  "use_inter_op_parallelism: bool = true, preserve_cardinality: bool = false, "
                  "force_synchronous: bool = false", sf_dataset_infer),
    SF_STATEFUL_OP(ExperimentalMatchingFilesDataset, "patterns: string", "handle: variant", "",
                   sf_dataset_infer_checked),
    SF_DATASET_OF(ExperimentalMaxIntraOpParallelismDataset, ", max_intra_op_parallelism: int64",
                  SF_DATASET_TYPES, sf_dataset_infer),
    SF_DATASET_OF(ExperimentalNonSerializableDataset, "", SF_DATASET_TYPES, sf_dataset_infer),
    SF_DATASET_OF(ExperimentalParallelInterleaveDataset, ", other_arguments: Targuments, "
                  "cycle_length: int64, block_length: int64, sloppy: bool, "
                  "buffer_output_elements: int64, prefetch_input_elements: int64",
                  "f: func, Targuments: list(type) >= 0, " SF_DATASET_TYPES, sf_dataset_infer),
    SF_DATASET_OF(ExperimentalParseExampleDataset,
                  ", num_parallel_calls: int64, dense_defaults: Tdense",
                  "sparse_keys: list(string) >= 0, dense_keys: list(string) >= 0, "
                  "sparse_types: list({float, int64, string}) >= 0, Tdense: list({float, int64, "
                  "string}) >= 0, dense_shapes: list(shape) >= 0, " SF_DATASET_TYPES ", "
                  "sloppy: bool = false", sf_dataset_infer),
    SF_DATASET_OF(ExperimentalPrivateThreadPoolDataset, ", num_threads: int64", SF_DATASET_TYPES,
                  sf_dataset_infer),
    SF_STATEFUL_OP(ExperimentalRandomDataset, "seed: int64, seed2: int64", "handle: variant",
                   SF_DATASET_TYPES, sf_dataset_infer_checked),
    SF_DATASET_OF(ExperimentalRebatchDataset, ", num_replicas: int64",
                  SF_DATASET_TYPES ", use_fallback: bool = true", sf_dataset_infer),
    SF_DATASET_OF(ExperimentalScanDataset, ", initial_state: Tstate, other_arguments: Targuments",
                  "f: func, Tstate: list(type) >= 1, Targuments: list(type) >= 0, " SF_DATASET_TYPES
                  ", preserve_cardinality: bool = false", sf_dataset_infer),
    SF_STATEFUL_OP(ExperimentalSetStatsAggregatorDataset, "input_dataset: variant, "
                   "stats_aggregator: resource, tag: string, counter_prefix: string",
                   "handle: variant", SF_DATASET_TYPES, sf_dataset_infer),
    SF_DATASET_OF(ExperimentalSleepDataset, ", sleep_microseconds: int64", SF_DATASET_TYPES,
                  sf_dataset_infer_checked, .variant = SF_DATA_SLEEP),
    SF_DATASET_OF(ExperimentalSlidingWindowDataset,
                  ", window_size: int64, window_shift: int64, window_stride: int64",
                  SF_DATASET_TYPES, sf_dataset_infer_checked),
    SF_STATEFUL_OP(ExperimentalSqlDataset,
                   "driver_name: string, data_source_name: string, query: string",
                   "handle: variant", SF_DATASET_TYPES, sf_dataset_infer_checked),
    SF_DATASET_OF(ExperimentalTakeWhileDataset, ", other_arguments: Targuments",
                  "predicate: func, Targuments: list(type) >= 0, " SF_DATASET_TYPES,
                  sf_dataset_infer),
    SF_STATEFUL_OP(ExperimentalThreadPoolDataset, "input_dataset: variant, thread_pool: resource",
                   "handle: variant", SF_DATASET_TYPES, sf_dataset_infer),
    SF_DATASET_OF(ExperimentalUnbatchDataset, "", SF_DATASET_TYPES, sf_dataset_infer),
    SF_DATASET_OF(ExperimentalUniqueDataset, "", SF_DATASET_TYPES, sf_dataset_infer),
};
/* clang-format on */
const SfOpTable sf_ops_dataset_experimental = {ops, SF_ARRAY_LEN(ops), "dataset_experimental"};
