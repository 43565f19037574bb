/* Rows of data sets that begin with files, tensors and numbers: apis/ops/data/dataset_source.c.
 * Construction as TensorFlow 2.21 does it; what kernels want of values is in test_dataset.c. */
#include "tests/c/support/op_rows.h"

#define OF "output_types=[int64],output_shapes=[[]]"

static const SfOpCase csv_dataset[] = {
    ROW("output_shapes=[[]]", "[] [] [] [] [] [] [] [2] ( [] )", "[]"),
    ROW("output_shapes=[[]]", "[] [] [] [] [] [] [] [?] ( [] )", "[]"),
    ROW("output_shapes=[[]]", "? ? ? ? ? ? ? ? ( ? )", "[]"),
    ROW("output_shapes=[[]]", "[2,3] [] [] [] [] [] [] [2] ( [] )", "SF105 a"),
    ROW("output_shapes=[[]]", "[] [2] [] [] [] [] [] [2] ( [] )", "SF102 b"),
    ROW("output_shapes=[[]]", "[] [] [2] [] [] [] [] [2] ( [] )", "SF102 c"),
};
SF_OP_TEST(CSVDataset, csv_dataset)

static const SfOpCase data_service_dataset[] = {
    ROW(OF, "[] [] [] [] [] [] []", "[]"),
    ROW(OF, "[?] [] [] [] [] [] []", "[]"),
    ROW(OF, "? ? ? ? ? ? ?", "[]"),
};
SF_OP_TEST(DataServiceDataset, data_service_dataset)

static const SfOpCase data_service_dataset_v2[] = {
    ROW(OF, "[] [] [] [] [] [] [] [] []", "[]"),
    ROW(OF, "[?] [] [] [] [] [] [] [] []", "[]"),
    ROW(OF, "? ? ? ? ? ? ? ? ?", "[]"),
};
SF_OP_TEST(DataServiceDatasetV2, data_service_dataset_v2)

static const SfOpCase data_service_dataset_v3[] = {
    ROW(OF ",uncompress_fn=f", "[] [] [] [] [] [] [] [] []", "[]"),
    ROW(OF ",uncompress_fn=f", "[?] [] [] [] [] [] [] [] []", "[]"),
    ROW(OF ",uncompress_fn=f", "? ? ? ? ? ? ? ? ?", "[]"),
};
SF_OPS_TEST(data_service_dataset_v3_rows, data_service_dataset_v3, "DataServiceDatasetV3",
            "DataServiceDatasetV4")

static const SfOpCase dataset_from_graph[] = {
    ROW("", "[]", "[]"),
    ROW("", "[?]", "deferred SF102 a / []"), /* only the kernel looks */
    ROW("", "?", "[]"),
};
SF_OP_TEST(DatasetFromGraph, dataset_from_graph)

static const SfOpCase fixed_length_record_dataset[] = {
    ROW("", "[] [] [] [] []", "[]"),
    ROW("", "[?] [] [] [] []", "[]"),
    ROW("", "? ? ? ? ?", "[]"),
    ROW("", "[2,3] [] [] [] []", "SF105 a"),
    ROW("", "[] [2] [] [] []", "SF102 b"),
    ROW("", "[] [] [2] [] []", "SF102 c"),
};
SF_OP_TEST(FixedLengthRecordDataset, fixed_length_record_dataset)

static const SfOpCase fixed_length_record_dataset_v2[] = {
    ROW("", "[] [] [] [] [] []", "[]"),
    ROW("", "[?] [] [] [] [] []", "[]"),
    ROW("", "? ? ? ? ? ?", "[]"),
    ROW("", "[2,3] [] [] [] [] []", "SF105 a"),
    ROW("", "[] [2] [] [] [] []", "SF102 b"),
    ROW("", "[] [] [2] [] [] []", "SF102 c"),
};
SF_OP_TEST(FixedLengthRecordDatasetV2, fixed_length_record_dataset_v2)

static const SfOpCase generator_dataset[] = {
    ROW("init_func=f,next_func=f,finalize_func=f," OF, "( [] ) ( [] ) ( [] )", "[]"),
    ROW("init_func=f,next_func=f,finalize_func=f," OF, "( [?] ) ( [] ) ( [] )", "[]"),
    ROW("init_func=f,next_func=f,finalize_func=f," OF, "( ? ) ( ? ) ( ? )", "[]"),
};
SF_OP_TEST(GeneratorDataset, generator_dataset)

static const SfOpCase lmdb_dataset[] = {
    ROW(OF, "[]", "[]"),
    ROW(OF, "[?]", "[]"),
    ROW(OF, "?", "[]"),
};
SF_OP_TEST(LMDBDataset, lmdb_dataset)

static const SfOpCase list_dataset[] = {
    ROW(OF, "( [] )", "[]"),
    ROW(OF, "( [?] )", "[]"),
    ROW(OF, "( ? )", "[]"),
};
SF_OP_TEST(ListDataset, list_dataset)

static const SfOpCase list_snapshot_chunks_dataset[] = {
    ROW(OF, "[]", "[]"),
    ROW(OF, "?", "[]"),
    ROW(OF, "[2]", "SF102 a"),
};
SF_OPS_TEST(list_snapshot_chunks_dataset_rows, list_snapshot_chunks_dataset,
            "ListSnapshotChunksDataset", "SnapshotChunkDataset")

static const SfOpCase load_dataset[] = {
    ROW(OF ",reader_func=f", "[] ( [] )", "[]"),
    ROW(OF ",reader_func=f", "[] ( [?] )", "[]"),
    ROW(OF ",reader_func=f", "? ( ? )", "[]"),
    ROW(OF ",reader_func=f", "[2] ( [] )", "SF102 a"),
};
SF_OP_TEST(LoadDataset, load_dataset)

static const SfOpCase matching_files_dataset[] = {
    ROW("", "[]", "[]"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
    ROW("", "[2,3]", "SF105 a"),
};
SF_OP_TEST(MatchingFilesDataset, matching_files_dataset)

static const SfOpCase random_dataset[] = {
    ROW(OF, "[] []", "[]"),
    ROW(OF, "? ?", "[]"),
    ROW(OF, "[2] []", "SF102 a"),
    ROW(OF, "[] [2]", "SF102 b"),
};
SF_OP_TEST(RandomDataset, random_dataset)

static const SfOpCase random_dataset_v2[] = {
    ROW(OF, "[] [] []", "[]"),       ROW(OF, "? ? ?", "[]"),
    ROW(OF, "[2] [] []", "SF102 a"), ROW(OF, "[] [2] []", "SF102 b"),
    ROW(OF, "[] [] [2]", "SF102 c"),
};
SF_OPS_TEST(random_dataset_v2_rows, random_dataset_v2, "RandomDatasetV2", "SqlDataset")

static const SfOpCase snapshot_dataset_reader[] = {
    ROW(OF ",version=1", "[] []", "[]"),
    ROW(OF ",version=1", "? ?", "[]"),
    ROW(OF ",version=1", "[2] []", "SF102 a"),
    ROW(OF ",version=1", "[] [2]", "SF102 b"),
};
SF_OP_TEST(SnapshotDatasetReader, snapshot_dataset_reader)

static const SfOpCase tf_record_dataset[] = {
    ROW("", "[] [] []", "[]"),       ROW("", "[?] [] []", "[]"),
    ROW("", "? ? ?", "[]"),          ROW("", "[2,3] [] []", "SF105 a"),
    ROW("", "[] [2] []", "SF102 b"), ROW("", "[] [] [2]", "SF102 c"),
    ROW("", "[] [] -1", "[]"),       ROW("", "[] [] -2", "deferred SF129 c / []"),
};
SF_OP_TEST(TFRecordDataset, tf_record_dataset)

static const SfOpCase tf_record_dataset_v2[] = {
    ROW("", "[] [] [] []", "[]"),       ROW("", "[?] [] [] []", "[]"),
    ROW("", "? ? ? ?", "[]"),           ROW("", "[2,3] [] [] []", "SF105 a"),
    ROW("", "[] [2] [] []", "SF102 b"), ROW("", "[] [] [2] []", "SF102 c"),
};
SF_OP_TEST(TFRecordDatasetV2, tf_record_dataset_v2)

static const SfOpCase tensor_dataset[] = {
    ROW("output_shapes=[[]]", "( [] )", "[]"),
    ROW("output_shapes=[[2,3]]", "( [?,3] )", "[]"),
    ROW("output_shapes=[[]]", "( ? )", "[]"),
};
SF_OP_TEST(TensorDataset, tensor_dataset)

static const SfOpCase csv_v2[] = {
    ROW("output_shapes=[[]]", "[2] [] [] [] [] [] [] [2] ( [] ) [1]", "[]"),
    ROW("output_shapes=[[]]", "[?] [] [] [] [] [] [] [?] ( [?] ) [?]", "[]"),
    ROW("output_shapes=[[]]", "? ? ? ? ? ? ? ? ( ? ) ?", "[]"),
    ROW("output_shapes=[[]]", "[2,2] [] [] [] [] [] [] [2] ( [] ) [1]", "SF105 a"),
    ROW("output_shapes=[[]]", "[2] [] [] [] [] [] [] [2] ( [] ) []", "SF102 j"),
    ROW("output_shapes=[[]]", "[2] [] [] [] [] [] [] [2] ( [2] ) [1]", "SF128 i.0"),
};
SF_OP_TEST(CSVDatasetV2, csv_v2)

static const SfOpCase sparse_slices[] = {
    ROW("", "[4,2] [4] [2]", "[]"),
    ROW("", "[?,2] [4] [?]", "[]"),
    ROW("", "? ? ?", "[]"),
    ROW("", "[] [4] [2]", "deferred SF102 a / []"),
    ROW("", "[4,2] [4,1] [2]", "deferred SF102 b / []"),
    ROW("", "[4,2] [5] [2]", "deferred SF129 b.0 a.0 / []"),
    ROW("", "[4,2] [4] {3,-1}", "deferred SF129 c / []"),
};
SF_OP_TEST(SparseTensorSliceDataset, sparse_slices)
