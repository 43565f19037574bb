/* Data sets made of data sets, A to O: signatures of tf.raw_ops, written by
 * tests/tools/op_rows.py. The transfer functions are in dataset.c. Source: dataset_ops.cc,
 * experimental_dataset_ops.cc. */
#include "apis/ops/shared/common.h"
#include "apis/ops/data/dataset.h"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(AssertCardinalityDataset,
          .inputs = "input_dataset: variant, cardinality: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(AssertNextDataset,
          .inputs = "input_dataset: variant, transformations: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(AssertPrevDataset,
          .inputs = "input_dataset: variant, transformations: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(AutoShardDataset,
          .inputs = "input_dataset: variant, num_workers: int64, index: int64",
          .outputs = "handle: variant",
          .attrs = "auto_shard_policy: int = 0, output_types: list(type) >= 1, output_shapes: "
                   "list(shape) >= 1, num_replicas: int = 0",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(BatchDataset,
          .inputs = "input_dataset: variant, batch_size: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(BatchDatasetV2,
          .inputs = "input_dataset: variant, batch_size: int64, drop_remainder: bool",
          .outputs = "handle: variant",
          .attrs = "parallel_copy: bool = false, output_types: list(type) >= 1, output_shapes: "
                   "list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(BytesProducedStatsDataset,
          .inputs = "input_dataset: variant, tag: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(CacheDataset,
          .inputs = "input_dataset: variant, filename: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(CacheDatasetV2,
          .inputs = "input_dataset: variant, filename: string, cache: resource",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ChooseFastestBranchDataset,
          .inputs = "input_dataset: variant, ratio_numerator: int64, ratio_denominator: int64, "
                    "other_arguments: Targuments",
          .outputs = "handle: variant",
          .attrs = "Targuments: list(type) >= 0, num_elements_per_branch: int >= 1, branches: "
                   "list(func) >= 1, other_arguments_lengths: list(int) >= 1, output_types: "
                   "list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ChooseFastestDataset,
          .inputs = "input_datasets: N * variant",
          .outputs = "handle: variant",
          .attrs = "N: int >= 2, num_experiments: int, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ConcatenateDataset,
          .inputs = "input_dataset: variant, another_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(DatasetCardinality,
          .inputs = "input_dataset: variant",
          .outputs = "cardinality: int64",
          .attrs = "cardinality_options: string = ''",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(DatasetFingerprint,
          .inputs = "input_dataset: variant",
          .outputs = "fingerprint: uint64",
          .attrs = "",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(DatasetToGraph,
          .inputs = "input_dataset: variant",
          .outputs = "graph: string",
          .attrs = "stateful_whitelist: list(string) >= 0 = [], allow_stateful: bool = false, "
                   "strip_device_assignment: bool = false",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(DatasetToGraphV2,
          .inputs = "input_dataset: variant",
          .outputs = "graph: string",
          .attrs = "external_state_policy: int = 0, strip_device_assignment: bool = false",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(DatasetToSingleElement,
          .inputs = "dataset: variant",
          .outputs = "components: output_types",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer_components, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(DatasetToTFRecord,
          .inputs = "input_dataset: variant, filename: string, compression_type: string",
          .outputs = "",
          .attrs = "",
          .infer = sf_infer_no_output, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(DenseToSparseBatchDataset,
          .inputs = "input_dataset: variant, batch_size: int64, row_shape: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(DirectedInterleaveDataset,
          .inputs = "selector_input_dataset: variant, data_input_datasets: N * variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, N: int >= 1, "
                   "stop_on_empty_dataset: bool = false",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(FilterByLastComponentDataset,
          .inputs = "input_dataset: variant",
          .outputs = "output: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(FilterDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments",
          .outputs = "handle: variant",
          .attrs = "predicate: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(FinalizeDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "has_captured_ref: bool = false, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(FlatMapDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(GlobalShuffleDataset,
          .inputs = "input_dataset: variant, seed: int64, seed2: int64, seed_generator: resource",
          .outputs = "handle: variant",
          .attrs = "reshuffle_each_iteration: bool = true, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(GroupByReducerDataset,
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
    SF_OP(GroupByWindowDataset,
          .inputs = "input_dataset: variant, key_func_other_arguments: Tkey_func_other_arguments, "
                    "reduce_func_other_arguments: Treduce_func_other_arguments, "
                    "window_size_func_other_arguments: Twindow_size_func_other_arguments",
          .outputs = "handle: variant",
          .attrs = "key_func: func, reduce_func: func, window_size_func: func, "
                   "Tkey_func_other_arguments: list(type) >= 0, Treduce_func_other_arguments: "
                   "list(type) >= 0, Twindow_size_func_other_arguments: list(type) >= 0, "
                   "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(IgnoreErrorsDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, log_warning: "
                   "bool = false",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(IndexFlatMapDataset,
          .inputs = "input_dataset: variant, map_func_other_args: Tmap_func_args, "
                    "index_map_func_other_args: Tindex_map_func_args, output_cardinality: int64",
          .outputs = "handle: variant",
          .attrs = "map_func: func, index_map_func: func, Tmap_func_args: list(type) >= 0, "
                   "Tindex_map_func_args: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(InterleaveDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments, cycle_length: int64, "
                    "block_length: int64",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(LatencyStatsDataset,
          .inputs = "input_dataset: variant, tag: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(LegacyParallelInterleaveDatasetV2,
          .inputs = "input_dataset: variant, other_arguments: Targuments, cycle_length: int64, "
                    "block_length: int64, buffer_output_elements: int64, prefetch_input_elements: "
                    "int64",
          .outputs = "handle: variant",
          .attrs = "f: func, deterministic: string = 'default', Targuments: list(type) >= 0, "
                   "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(MapAndBatchDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments, batch_size: int64, "
                    "num_parallel_calls: int64, drop_remainder: bool",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, preserve_cardinality: bool = false, "
                   "metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(MapDataset,
          .inputs = "input_dataset: variant, other_arguments: Targuments",
          .outputs = "handle: variant",
          .attrs = "f: func, Targuments: list(type) >= 0, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, use_inter_op_parallelism: bool = true, "
                   "preserve_cardinality: bool = false, force_synchronous: bool = false, "
                   "metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(MaxIntraOpParallelismDataset,
          .inputs = "input_dataset: variant, max_intra_op_parallelism: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ModelDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "algorithm: int = 0, cpu_budget: int = 0, ram_budget: int = 0, output_types: "
                   "list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(NonSerializableDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(OptimizeDataset,
          .inputs = "input_dataset: variant, optimizations: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, "
                   "optimization_configs: list(string) = []",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(OptimizeDatasetV2,
          .inputs = "input_dataset: variant, optimizations_enabled: string, "
                    "optimizations_disabled: string, optimizations_default: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, "
                   "optimization_configs: list(string) = []",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(OptionsDataset,
          .inputs = "input_dataset: variant",
          .outputs = "handle: variant",
          .attrs = "serialized_options: string, output_types: list(type) >= 1, output_shapes: "
                   "list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(PaddedBatchDataset,
          .inputs = "input_dataset: variant, batch_size: int64, padded_shapes: N * int64, "
                    "padding_values: Toutput_types",
          .outputs = "handle: variant",
          .attrs = "Toutput_types: list(type) >= 1, output_shapes: list(shape) >= 1, N: int >= "
                   "1, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(PaddedBatchDatasetV2,
          .inputs = "input_dataset: variant, batch_size: int64, padded_shapes: N * int64, "
                    "padding_values: Toutput_types, drop_remainder: bool",
          .outputs = "handle: variant",
          .attrs = "parallel_copy: bool = false, Toutput_types: list(type) >= 1, output_shapes: "
                   "list(shape) >= 1, N: int >= 1, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(ParallelBatchDataset,
          .inputs = "input_dataset: variant, batch_size: int64, num_parallel_calls: int64, "
                    "drop_remainder: bool",
          .outputs = "handle: variant",
          .attrs = "parallel_copy: bool = false, output_types: list(type) >= 1, output_shapes: "
                   "list(shape) >= 1, deterministic: string = 'default', metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_dataset_transform = {ops, SF_ARRAY_LEN(ops), "dataset_transform"};
