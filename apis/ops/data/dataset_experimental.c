/* Data sets under their Experimental names: as in dataset_transform.c.
 * Source: experimental_dataset_ops.cc. */
#include "apis/ops/shared/common.h"
#include "apis/ops/data/dataset.h"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(ExperimentalAssertNextDataset,
          .inputs = "input_dataset: variant, transformations: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalAutoShardDataset,
          .inputs = "input_dataset: variant, num_workers: int64, index: int64",
          .outputs = "handle: variant",
          .attrs = "auto_shard_policy: int = 0, output_types: list(type) >= 1, output_shapes: "
                   "list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalBytesProducedStatsDataset,
          .inputs = "input_dataset: variant, tag: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalCSVDataset,
          .inputs = "filenames: string, compression_type: string, buffer_size: int64, header: "
                    "bool, field_delim: string, use_quote_delim: bool, na_value: string, "
                    "select_cols: int64, record_defaults: output_types",
          .outputs = "handle: variant",
          .attrs = "output_types: list({float, double, int32, int64, string}) >= 1, "
                   "output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalChooseFastestDataset,
          .inputs = "input_datasets: N * variant",
          .outputs = "handle: variant",
          .attrs = "N: int >= 2, num_experiments: int, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalDatasetCardinality,
          .inputs = "input_dataset: variant",
          .outputs = "cardinality: int64",
          .attrs = "",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalDatasetToTFRecord,
          .inputs = "input_dataset: variant, filename: string, compression_type: string",
          .outputs = "",
          .attrs = "",
          .infer = sf_infer_no_output, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalDenseToSparseBatchDataset,
          .inputs = "input_dataset: variant, batch_size: int64, row_shape: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalDirectedInterleaveDataset,
          .inputs = "selector_input_dataset: variant, data_input_datasets: N * variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, N: int >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalGroupByReducerDataset,
          .inputs = "input_dataset: variant, key_func_other_arguments: Tkey_func_other_arguments, "
                    "init_func_other_arguments: Tinit_func_other_arguments, "
                    "reduce_func_other_arguments: Treduce_func_other_arguments, "
                    "finalize_func_other_arguments: Tfinalize_func_other_arguments",
          .outputs = "handle: variant",
          .attrs = "key_func: func, init_func: func, reduce_func: func, finalize_func: func, "
                   "Tkey_func_other_arguments: list(type) >= 0, Tinit_func_other_arguments: "
                   "list(type) >= 0, Treduce_func_other_arguments: list(type) >= 0, "
                   "Tfinalize_func_other_arguments: list(type) >= 0, output_types: list(type) >= "
                   "1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalGroupByWindowDataset,
          .inputs = "input_dataset: variant, key_func_other_arguments: Tkey_func_other_arguments, "
                    "reduce_func_other_arguments: Treduce_func_other_arguments, "
                    "window_size_func_other_arguments: Twindow_size_func_other_arguments",
          .outputs = "handle: variant",
          .attrs = "key_func: func, reduce_func: func, window_size_func: func, "
                   "Tkey_func_other_arguments: list(type) >= 0, Treduce_func_other_arguments: "
                   "list(type) >= 0, Twindow_size_func_other_arguments: list(type) >= 0, "
                   "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalIgnoreErrorsDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, log_warning: "
                   "bool = false",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalLMDBDataset,
          .inputs = "filenames: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalLatencyStatsDataset,
          .inputs = "input_dataset: variant, tag: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalMapAndBatchDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments, batch_size: int64, "
                    "num_parallel_calls: int64, drop_remainder: bool",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, preserve_cardinality: bool = false",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalMapDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, use_inter_op_parallelism: bool = true, "
                   "preserve_cardinality: bool = false, force_synchronous: bool = false",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalMatchingFilesDataset,
          .inputs = "patterns: string",
          .outputs = "handle: variant",
          .attrs = "",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalMaxIntraOpParallelismDataset,
          .inputs = "input_dataset: variant, max_intra_op_parallelism: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalNonSerializableDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalParallelInterleaveDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments, cycle_length: int64, "
                    "block_length: int64, sloppy: bool, buffer_output_elements: int64, "
                    "prefetch_input_elements: int64",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalParseExampleDataset,
          .inputs = "input_dataset: variant, num_parallel_calls: int64, dense_defaults: Tdense",
          .outputs = "handle: variant",
          .attrs = "sparse_keys: list(string) >= 0, dense_keys: list(string) >= 0, sparse_types: "
                   "list({float, int64, string}) >= 0, Tdense: list({float, int64, string}) >= "
                   "0, dense_shapes: list(shape) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, sloppy: bool = false",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalPrivateThreadPoolDataset,
          .inputs = "input_dataset: variant, num_threads: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalRandomDataset,
          .inputs = "seed: int64, seed2: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalRebatchDataset,
          .inputs = "input_dataset: variant, num_replicas: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, "
                   "use_fallback: bool = true",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalScanDataset,
          .inputs = "input_dataset: variant, initial_state: Tstate, other_arguments: Targuments",
          .outputs = "handle: variant",
          .attrs = "f: func, Tstate: list(type) >= 1, Targuments: list(type) >= 0, output_types: "
                   "list(type) >= 1, output_shapes: list(shape) >= 1, preserve_cardinality: bool "
                   "= false",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalSetStatsAggregatorDataset,
          .inputs = "input_dataset: variant, stats_aggregator: resource, tag: string, "
                    "counter_prefix: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalSleepDataset,
          .inputs = "input_dataset: variant, sleep_microseconds: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalSlidingWindowDataset,
          .inputs = "input_dataset: variant, window_size: int64, window_shift: int64, "
                    "window_stride: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalSqlDataset,
          .inputs = "driver_name: string, data_source_name: string, query: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalTakeWhileDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments",
          .outputs = "handle: variant",
          .attrs = "predicate: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalThreadPoolDataset,
          .inputs = "input_dataset: variant, thread_pool: resource",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalUnbatchDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ExperimentalUniqueDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_dataset_experimental = {ops, SF_ARRAY_LEN(ops), "dataset_experimental"};
