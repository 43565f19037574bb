/* Data sets made of files, tensors and ranges: signatures of tf.raw_ops, written by
 * tests/tools/op_rows.py. The transfer functions are in dataset.c. Source: dataset_ops.cc. */
#include "apis/ops/data/dataset.h"

/* clang-format off */
static const SfOpDef ops[] = {
    SF_STATEFUL_OP(CSVDataset, "filenames: string, compression_type: string, buffer_size: int64, "
                   "header: bool, field_delim: string, use_quote_delim: bool, na_value: string, "
                   "select_cols: int64, record_defaults: output_types", "handle: variant",
                   "output_types: list({float, double, int32, int64, string}) >= 1, "
                   "output_shapes: list(shape) >= 1", sf_dataset_infer_checked,
                   .variant = SF_DATA_CSV),
    SF_STATEFUL_OP(CSVDatasetV2, "filenames: string, compression_type: string, buffer_size: int64, "
                   "header: bool, field_delim: string, use_quote_delim: bool, na_value: string, "
                   "select_cols: int64, record_defaults: output_types, exclude_cols: int64",
                   "handle: variant", "output_types: list({float, double, int32, int64, "
                   "string}) >= 1, output_shapes: list(shape) >= 1", sf_dataset_infer_checked,
                   .variant = SF_DATA_CSV),
    SF_STATEFUL_OP(DataServiceDataset, "dataset_id: int64, processing_mode: string, "
                   "address: string, protocol: string, job_name: string, "
                   "max_outstanding_requests: int64, iteration_counter: resource",
                   "handle: variant", "task_refresh_interval_hint_ms: int = -1, " SF_DATASET_TYPES
                   ", data_transfer_protocol: string = '', target_workers: string = 'AUTO', "
                   "cross_trainer_cache_options: string = ''", sf_dataset_infer),
    SF_STATEFUL_OP(DataServiceDatasetV2, "dataset_id: int64, processing_mode: string, "
                   "address: string, protocol: string, job_name: string, consumer_index: int64, "
                   "num_consumers: int64, max_outstanding_requests: int64, "
                   "iteration_counter: resource", "handle: variant",
                   "task_refresh_interval_hint_ms: int = -1, " SF_DATASET_TYPES ", "
                   "data_transfer_protocol: string = '', target_workers: string = 'AUTO', "
                   "cross_trainer_cache_options: string = ''", sf_dataset_infer),
    SF_STATEFUL_OP(DataServiceDatasetV3, "dataset_id: int64, processing_mode: string, "
                   "address: string, protocol: string, job_name: string, consumer_index: int64, "
                   "num_consumers: int64, max_outstanding_requests: int64, "
                   "iteration_counter: resource", "handle: variant",
                   "task_refresh_interval_hint_ms: int = -1, " SF_DATASET_TYPES ", "
                   "data_transfer_protocol: string = '', target_workers: string = 'AUTO', "
                   "uncompress: bool = false, uncompress_fn: func, "
                   "cross_trainer_cache_options: string = ''", sf_dataset_infer),
    SF_STATEFUL_OP(DataServiceDatasetV4, "dataset_id: string, processing_mode: string, "
                   "address: string, protocol: string, job_name: string, consumer_index: int64, "
                   "num_consumers: int64, max_outstanding_requests: int64, "
                   "iteration_counter: resource", "handle: variant",
                   "task_refresh_interval_hint_ms: int = -1, " SF_DATASET_TYPES ", "
                   "data_transfer_protocol: string = '', target_workers: string = 'AUTO', "
                   "uncompress: bool = false, uncompress_fn: func, "
                   "cross_trainer_cache_options: string = ''", sf_dataset_infer),
    SF_DATASET(DatasetFromGraph, "graph_def: string", "", sf_dataset_infer),
    SF_STATEFUL_OP(FixedLengthRecordDataset, "filenames: string, header_bytes: int64, "
                   "record_bytes: int64, footer_bytes: int64, buffer_size: int64",
                   "handle: variant", SF_DATASET_METADATA, sf_dataset_infer_checked,
                   .variant = SF_DATA_FIXED_LENGTH),
    SF_STATEFUL_OP(FixedLengthRecordDatasetV2, "filenames: string, header_bytes: int64, "
                   "record_bytes: int64, footer_bytes: int64, buffer_size: int64, "
                   "compression_type: string", "handle: variant", SF_DATASET_METADATA,
                   sf_dataset_infer_checked, .variant = SF_DATA_FIXED_LENGTH),
    SF_STATEFUL_OP(GeneratorDataset, "init_func_other_args: Tinit_func_args, "
                   "next_func_other_args: Tnext_func_args, "
                   "finalize_func_other_args: Tfinalize_func_args", "handle: variant",
                   "init_func: func, next_func: func, finalize_func: func, "
                   "Tinit_func_args: list(type) >= 0, Tnext_func_args: list(type) >= 0, "
                   "Tfinalize_func_args: list(type) >= 0, " SF_DATASET_TYPES ", "
                   SF_DATASET_METADATA, sf_dataset_infer),
    SF_STATEFUL_OP(LMDBDataset, "filenames: string", "handle: variant", SF_DATASET_TYPES,
                   sf_dataset_infer),
    SF_STATEFUL_OP(ListDataset, "tensors: Tinput_types", "handle: variant",
                   "Tinput_types: list(type) >= 1, " SF_DATASET_TYPES ", " SF_DATASET_METADATA,
                   sf_dataset_infer),
    SF_STATEFUL_OP(ListSnapshotChunksDataset, "snapshot_path: string", "handle: variant",
                   SF_DATASET_TYPES, sf_dataset_infer_checked),
    SF_STATEFUL_OP(LoadDataset, "path: string, reader_func_other_args: Treader_func_args",
                   "handle: variant", SF_DATASET_TYPES ", compression: string = '', "
                   "reader_func: func, Treader_func_args: list(type) >= 0",
                   sf_dataset_infer_checked),
    SF_STATEFUL_OP(MatchingFilesDataset, "patterns: string", "handle: variant", "",
                   sf_dataset_infer_checked),
    SF_STATEFUL_OP(RandomDataset, "seed: int64, seed2: int64", "handle: variant",
                   SF_DATASET_TYPES ", " SF_DATASET_METADATA, sf_dataset_infer_checked),
    SF_STATEFUL_OP(RandomDatasetV2, "seed: int64, seed2: int64, seed_generator: resource",
                   "handle: variant", "rerandomize_each_iteration: bool = false, " SF_DATASET_TYPES
                   ", " SF_DATASET_METADATA, sf_dataset_infer_checked),
    SF_STATEFUL_OP(RangeDataset, "start: int64, stop: int64, step: int64", "handle: variant",
                   SF_DATASET_TYPES ", " SF_DATASET_METADATA ", replicate_on_split: bool = false",
                   sf_dataset_infer_checked),
    SF_DATASET(SnapshotChunkDataset, "chunk_file: string",
               SF_DATASET_TYPES ", compression: string = ''", sf_dataset_infer_checked),
    SF_DATASET(SnapshotDatasetReader, "shard_dir: string, start_index: int64",
               SF_DATASET_TYPES ", compression: string = '', version: int",
               sf_dataset_infer_checked),
    SF_STATEFUL_OP(SparseTensorSliceDataset, "indices: int64, values: Tvalues, dense_shape: int64",
                   "handle: variant", "Tvalues: type", sf_dataset_infer,
                   .variant = SF_DATA_SPARSE_SLICES),
    SF_STATEFUL_OP(SqlDataset, "driver_name: string, data_source_name: string, query: string",
                   "handle: variant", SF_DATASET_TYPES, sf_dataset_infer_checked),
    SF_STATEFUL_OP(TFRecordDataset,
                   "filenames: string, compression_type: string, buffer_size: int64",
                   "handle: variant", SF_DATASET_METADATA, sf_dataset_infer_checked,
                   .variant = SF_DATA_RECORDS),
    SF_STATEFUL_OP(TFRecordDatasetV2, "filenames: string, compression_type: string, "
                   "buffer_size: int64, byte_offsets: int64", "handle: variant",
                   SF_DATASET_METADATA, sf_dataset_infer_checked, .variant = SF_DATA_RECORDS),
    SF_STATEFUL_OP(TensorDataset, "components: Toutput_types", "handle: variant",
                   "Toutput_types: list(type) >= 1, output_shapes: list(shape) >= 1, "
                   SF_DATASET_METADATA, sf_dataset_infer, .variant = SF_DATA_TENSORS),
    SF_STATEFUL_OP(TensorSliceDataset, "components: Toutput_types", "handle: variant",
                   "Toutput_types: list(type) >= 1, output_shapes: list(shape) >= 1, "
                   "is_files: bool = false, " SF_DATASET_METADATA ", "
                   "replicate_on_split: bool = false", sf_dataset_infer,
                   .variant = SF_DATA_SLICES),
    SF_STATEFUL_OP(TextLineDataset,
                   "filenames: string, compression_type: string, buffer_size: int64",
                   "handle: variant", SF_DATASET_METADATA, sf_dataset_infer_checked,
                   .variant = SF_DATA_TEXT_LINES),
};
/* clang-format on */
const SfOpTable sf_ops_dataset_source = {ops, SF_ARRAY_LEN(ops), "dataset_source"};
