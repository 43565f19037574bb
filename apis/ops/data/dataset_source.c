/* Data sets made of files, tensors and ranges: signatures of tf.raw_ops, written by
 * tests/tools/op_rows.py. The transfer functions are in dataset.c. Source: dataset_ops.cc. */
#include "apis/ops/shared/common.h"
#include "apis/ops/data/dataset.h"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(CSVDataset,
          .inputs = "filenames: string, compression_type: string, buffer_size: int64, header: "
                    "bool, field_delim: string, use_quote_delim: bool, na_value: string, "
                    "select_cols: int64, record_defaults: output_types",
          .outputs = "handle: variant",
          .attrs = "output_types: list({float, double, int32, int64, string}) >= 1, "
                   "output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(CSVDatasetV2,
          .inputs = "filenames: string, compression_type: string, buffer_size: int64, header: "
                    "bool, field_delim: string, use_quote_delim: bool, na_value: string, "
                    "select_cols: int64, record_defaults: output_types, exclude_cols: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list({float, double, int32, int64, string}) >= 1, "
                   "output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(DataServiceDataset,
          .inputs = "dataset_id: int64, processing_mode: string, address: string, protocol: "
                    "string, job_name: string, max_outstanding_requests: int64, "
                    "iteration_counter: resource",
          .outputs = "handle: variant",
          .attrs = "task_refresh_interval_hint_ms: int = -1, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, data_transfer_protocol: string = '', "
                   "target_workers: string = 'AUTO', cross_trainer_cache_options: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(DataServiceDatasetV2,
          .inputs = "dataset_id: int64, processing_mode: string, address: string, protocol: "
                    "string, job_name: string, consumer_index: int64, num_consumers: int64, "
                    "max_outstanding_requests: int64, iteration_counter: resource",
          .outputs = "handle: variant",
          .attrs = "task_refresh_interval_hint_ms: int = -1, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, data_transfer_protocol: string = '', "
                   "target_workers: string = 'AUTO', cross_trainer_cache_options: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(DataServiceDatasetV3,
          .inputs = "dataset_id: int64, processing_mode: string, address: string, protocol: "
                    "string, job_name: string, consumer_index: int64, num_consumers: int64, "
                    "max_outstanding_requests: int64, iteration_counter: resource",
          .outputs = "handle: variant",
          .attrs = "task_refresh_interval_hint_ms: int = -1, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, data_transfer_protocol: string = '', "
                   "target_workers: string = 'AUTO', uncompress: bool = false, uncompress_fn: "
                   "func, cross_trainer_cache_options: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(DataServiceDatasetV4,
          .inputs = "dataset_id: string, processing_mode: string, address: string, protocol: "
                    "string, job_name: string, consumer_index: int64, num_consumers: int64, "
                    "max_outstanding_requests: int64, iteration_counter: resource",
          .outputs = "handle: variant",
          .attrs = "task_refresh_interval_hint_ms: int = -1, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, data_transfer_protocol: string = '', "
                   "target_workers: string = 'AUTO', uncompress: bool = false, uncompress_fn: "
                   "func, cross_trainer_cache_options: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(DatasetFromGraph,
          .inputs = "graph_def: string",
          .outputs = "handle: variant",
          .attrs = "",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(FixedLengthRecordDataset,
          .inputs = "filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: "
                    "int64, buffer_size: int64",
          .outputs = "handle: variant",
          .attrs = "metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(FixedLengthRecordDatasetV2,
          .inputs = "filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: "
                    "int64, buffer_size: int64, compression_type: string",
          .outputs = "handle: variant",
          .attrs = "metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(GeneratorDataset,
          .inputs = "init_func_other_args: Tinit_func_args, next_func_other_args: "
                    "Tnext_func_args, finalize_func_other_args: Tfinalize_func_args",
          .outputs = "handle: variant",
          .attrs = "init_func: func, next_func: func, finalize_func: func, Tinit_func_args: "
                   "list(type) >= 0, Tnext_func_args: list(type) >= 0, Tfinalize_func_args: "
                   "list(type) >= 0, output_types: list(type) >= 1, output_shapes: list(shape) "
                   ">= 1, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(LMDBDataset,
          .inputs = "filenames: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ListDataset,
          .inputs = "tensors: Tinput_types",
          .outputs = "handle: variant",
          .attrs = "Tinput_types: list(type) >= 1, output_types: list(type) >= 1, output_shapes: "
                   "list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ListSnapshotChunksDataset,
          .inputs = "snapshot_path: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(LoadDataset,
          .inputs = "path: string, reader_func_other_args: Treader_func_args",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, compression: "
                   "string = '', reader_func: func, Treader_func_args: list(type) >= 0",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(MatchingFilesDataset,
          .inputs = "patterns: string",
          .outputs = "handle: variant",
          .attrs = "",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(RandomDataset,
          .inputs = "seed: int64, seed2: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(RandomDatasetV2,
          .inputs = "seed: int64, seed2: int64, seed_generator: resource",
          .outputs = "handle: variant",
          .attrs = "rerandomize_each_iteration: bool = false, output_types: list(type) >= 1, "
                   "output_shapes: list(shape) >= 1, metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(RangeDataset,
          .inputs = "start: int64, stop: int64, step: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = '', replicate_on_split: bool = false",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(SnapshotChunkDataset,
          .inputs = "chunk_file: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, compression: "
                   "string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(SnapshotDatasetReader,
          .inputs = "shard_dir: string, start_index: int64",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1, compression: "
                   "string = '', version: int",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING),
    SF_OP(SparseTensorSliceDataset,
          .inputs = "indices: int64, values: Tvalues, dense_shape: int64",
          .outputs = "handle: variant",
          .attrs = "Tvalues: type",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(SqlDataset,
          .inputs = "driver_name: string, data_source_name: string, query: string",
          .outputs = "handle: variant",
          .attrs = "output_types: list(type) >= 1, output_shapes: list(shape) >= 1",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(TFRecordDataset,
          .inputs = "filenames: string, compression_type: string, buffer_size: int64",
          .outputs = "handle: variant",
          .attrs = "metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(TFRecordDatasetV2,
          .inputs = "filenames: string, compression_type: string, buffer_size: int64, "
                    "byte_offsets: int64",
          .outputs = "handle: variant",
          .attrs = "metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(TensorDataset,
          .inputs = "components: Toutput_types",
          .outputs = "handle: variant",
          .attrs = "Toutput_types: list(type) >= 1, output_shapes: list(shape) >= 1, metadata: "
                   "string = ''",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(TensorSliceDataset,
          .inputs = "components: Toutput_types",
          .outputs = "handle: variant",
          .attrs = "Toutput_types: list(type) >= 1, output_shapes: list(shape) >= 1, is_files: "
                   "bool = false, metadata: string = '', replicate_on_split: bool = false",
          .infer = sf_dataset_infer, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(TextLineDataset,
          .inputs = "filenames: string, compression_type: string, buffer_size: int64",
          .outputs = "handle: variant",
          .attrs = "metadata: string = ''",
          .infer = sf_dataset_infer_checked, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_dataset_source = {ops, SF_ARRAY_LEN(ops), "dataset_source"};
