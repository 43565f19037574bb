/* Data sets made of files, tensors and ranges: signatures of tf.raw_ops, written by
 * tests/tools/op_rows.py. The transfer functions are in dataset.c. Source: dataset_ops.cc. */
#include "apis/ops/data/dataset.h"

/* clang-format off */
#define COMPONENTS "Toutput_types: list(type) >= 1, output_shapes: list(shape) >= 1, "
#define CSV_IN \
    "filenames: string, compression_type: string, buffer_size: int64, header: bool, " \
    "field_delim: string, use_quote_delim: bool, na_value: string, select_cols: int64, " \
    "record_defaults: output_types"
#define CSV_ATTRS "output_types: list({float, double, int32, int64, string}) >= 1, " \
    "output_shapes: list(shape) >= 1"
#define FIXED_IN \
    "filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: int64, " \
    "buffer_size: int64"
#define SERVICE_IN \
    "address: string, protocol: string, job_name: string, consumer_index: int64, " \
    "num_consumers: int64, max_outstanding_requests: int64, iteration_counter: resource"
#define SERVICE_ATTRS "task_refresh_interval_hint_ms: int = -1, " SF_DATASET_TYPES \
    ", data_transfer_protocol: string = '', target_workers: string = 'AUTO', "

static const SfOpDef ops[] = {
    SF_BOTH(SF_CHECKED_SOURCE, CSVDataset, CSV_IN, CSV_ATTRS, .variant = SF_DATA_CSV),
    SF_CHECKED_SOURCE(CSVDatasetV2, CSV_IN ", exclude_cols: int64", CSV_ATTRS,
                      .variant = SF_DATA_CSV),
    SF_SOURCE(DataServiceDataset, "dataset_id: int64, processing_mode: string, address: string, "
              "protocol: string, job_name: string, max_outstanding_requests: int64, "
              "iteration_counter: resource", SERVICE_ATTRS
              "cross_trainer_cache_options: string = ''"),
    SF_SOURCE(DataServiceDatasetV2, "dataset_id: int64, processing_mode: string, " SERVICE_IN,
              SERVICE_ATTRS "cross_trainer_cache_options: string = ''"),
    SF_SOURCE(DataServiceDatasetV3, "dataset_id: int64, processing_mode: string, " SERVICE_IN,
              SERVICE_ATTRS "uncompress: bool = false, uncompress_fn: func, "
              "cross_trainer_cache_options: string = ''"),
    SF_SOURCE(DataServiceDatasetV4, "dataset_id: string, processing_mode: string, " SERVICE_IN,
              SERVICE_ATTRS "uncompress: bool = false, uncompress_fn: func, "
              "cross_trainer_cache_options: string = ''"),
    SF_DATASET(DatasetFromGraph, "graph_def: string", ""),
    SF_CHECKED_SOURCE(FixedLengthRecordDataset, FIXED_IN, SF_DATASET_METADATA,
                      .variant = SF_DATA_FIXED_LENGTH),
    SF_CHECKED_SOURCE(FixedLengthRecordDatasetV2, FIXED_IN ", compression_type: string",
                      SF_DATASET_METADATA, .variant = SF_DATA_FIXED_LENGTH),
    SF_SOURCE(GeneratorDataset, "init_func_other_args: Tinit_func_args, "
              "next_func_other_args: Tnext_func_args, "
              "finalize_func_other_args: Tfinalize_func_args", "init_func: func, "
              "next_func: func, finalize_func: func, Tinit_func_args: list(type) >= 0, "
              "Tnext_func_args: list(type) >= 0, Tfinalize_func_args: list(type) >= 0, "
              SF_DATASET_ATTRS),
    SF_BOTH(SF_SOURCE, LMDBDataset, "filenames: string", SF_DATASET_TYPES),
    SF_SOURCE(ListDataset, "tensors: Tinput_types", "Tinput_types: list(type) >= 1, "
              SF_DATASET_ATTRS),
    SF_CHECKED_SOURCE(ListSnapshotChunksDataset, "snapshot_path: string", SF_DATASET_TYPES),
    SF_CHECKED_SOURCE(LoadDataset, "path: string, reader_func_other_args: Treader_func_args",
                      SF_DATASET_TYPES ", compression: string = '', reader_func: func, "
                      "Treader_func_args: list(type) >= 0"),
    SF_BOTH(SF_CHECKED_SOURCE, MatchingFilesDataset, "patterns: string", ""),
    SF_CHECKED_SOURCE(RandomDataset, "seed: int64, seed2: int64", SF_DATASET_ATTRS),
    SF_CHECKED_SOURCE(RandomDatasetV2, "seed: int64, seed2: int64, seed_generator: resource",
                      "rerandomize_each_iteration: bool = false, " SF_DATASET_ATTRS),
    SF_CHECKED_SOURCE(RangeDataset, "start: int64, stop: int64, step: int64", SF_DATASET_ATTRS
                      ", replicate_on_split: bool = false"),
    SF_CHECKED_DATASET(SnapshotChunkDataset, "chunk_file: string", SF_DATASET_TYPES
                       ", compression: string = ''"),
    SF_CHECKED_DATASET(SnapshotDatasetReader, "shard_dir: string, start_index: int64",
                       SF_DATASET_TYPES ", compression: string = '', version: int"),
    SF_SOURCE(SparseTensorSliceDataset, "indices: int64, values: Tvalues, dense_shape: int64",
              "Tvalues: type", .variant = SF_DATA_SPARSE_SLICES),
    SF_BOTH(SF_CHECKED_SOURCE, SqlDataset, "driver_name: string, data_source_name: string, "
            "query: string", SF_DATASET_TYPES),
    SF_CHECKED_SOURCE(TFRecordDataset, "filenames: string, compression_type: string, "
                      "buffer_size: int64", SF_DATASET_METADATA, .variant = SF_DATA_RECORDS),
    SF_CHECKED_SOURCE(TFRecordDatasetV2, "filenames: string, compression_type: string, "
                      "buffer_size: int64, byte_offsets: int64", SF_DATASET_METADATA,
                      .variant = SF_DATA_RECORDS),
    SF_SOURCE(TensorDataset, "components: Toutput_types", COMPONENTS SF_DATASET_METADATA,
              .variant = SF_DATA_TENSORS),
    SF_SOURCE(TensorSliceDataset, "components: Toutput_types", COMPONENTS
              "is_files: bool = false, " SF_DATASET_METADATA ", replicate_on_split: bool = false",
              .variant = SF_DATA_SLICES),
    SF_CHECKED_SOURCE(TextLineDataset, "filenames: string, compression_type: string, "
                      "buffer_size: int64", SF_DATASET_METADATA, .variant = SF_DATA_TEXT_LINES),
    SF_CHECKED_SOURCE(ExperimentalRandomDataset, "seed: int64, seed2: int64", SF_DATASET_TYPES),
};
/* clang-format on */
const SfOpTable sf_ops_dataset_source = {ops, SF_ARRAY_LEN(ops), "dataset_source"};
