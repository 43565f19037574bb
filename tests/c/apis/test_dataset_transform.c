/* Rows of data sets made of data sets: apis/ops/dataset_{transform,transform_more,experimental}.c.
 * Construction as TensorFlow 2.21 does it; what kernels want of values is in test_dataset.c. */
#include "tests/c/support/op_rows.h"

#define OF "output_types=[int64],output_shapes=[[]]"

static const SfOpCase assert_cardinality_dataset[] = {
    ROW(OF, "[] []", "[]"),
    ROW(OF, "[?] []", "[]"),
    ROW(OF, "? ?", "[]"),
    ROW(OF, "[] [2]", "SF102 b"),
};
SF_OPS_TEST(assert_cardinality_dataset_rows, assert_cardinality_dataset, "AssertCardinalityDataset",
            "BatchDataset", "BytesProducedStatsDataset", "CacheDataset", "LatencyStatsDataset",
            "PrefetchDataset", "RepeatDataset", "SkipDataset", "SnapshotDataset", "TakeDataset",
            "ExperimentalBytesProducedStatsDataset", "ExperimentalLatencyStatsDataset")

static const SfOpCase assert_next_dataset[] = {
    ROW(OF, "[] [2]", "[]"),
    ROW(OF, "[] [?]", "[]"),
    ROW(OF, "? ?", "[]"),
    ROW(OF, "[] []", "SF102 b"),
};
SF_OPS_TEST(assert_next_dataset_rows, assert_next_dataset, "AssertNextDataset", "AssertPrevDataset",
            "ExperimentalAssertNextDataset")

static const SfOpCase auto_shard_dataset[] = {
    ROW(OF, "[] [] []", "[]"),
    ROW(OF, "[?] [] []", "[]"),
    ROW(OF, "? ? ?", "[]"),
};
SF_OPS_TEST(auto_shard_dataset_rows, auto_shard_dataset, "AutoShardDataset", "RebatchDatasetV2",
            "ExperimentalAutoShardDataset")

static const SfOpCase cache_dataset_v2[] = {
    ROW(OF, "[] [] []", "[]"),       ROW(OF, "[?] [] []", "[]"),      ROW(OF, "? ? ?", "[]"),
    ROW(OF, "[] [2] []", "SF102 b"), ROW(OF, "[] [] [2]", "SF102 c"),
};
SF_OPS_TEST(cache_dataset_v2_rows, cache_dataset_v2, "CacheDatasetV2", "ShuffleDatasetV2")

static const SfOpCase choose_fastest_branch_dataset[] = {
    ROW("num_elements_per_branch=1,branches=[f],other_arguments_lengths=[1]," OF, "[] [] [] ( [] )",
        "[]"),
    ROW("num_elements_per_branch=1,branches=[f],other_arguments_lengths=[1]," OF,
        "[?] [] [] ( [] )", "[]"),
    ROW("num_elements_per_branch=1,branches=[f],other_arguments_lengths=[1]," OF, "? ? ? ( ? )",
        "[]"),
};
SF_OP_TEST(ChooseFastestBranchDataset, choose_fastest_branch_dataset)

static const SfOpCase choose_fastest_dataset[] = {
    ROW("num_experiments=1," OF, "( [] [] )", "[]"),
    ROW("num_experiments=1," OF, "( [?] [] )", "[]"),
    ROW("num_experiments=1," OF, "( ? ? )", "[]"),
};
SF_OPS_TEST(choose_fastest_dataset_rows, choose_fastest_dataset, "ChooseFastestDataset",
            "ExperimentalChooseFastestDataset")

static const SfOpCase concatenate_dataset[] = {
    ROW(OF, "[] []", "[]"),
    ROW(OF, "[?] []", "[]"),
    ROW(OF, "? ?", "[]"),
};
SF_OPS_TEST(concatenate_dataset_rows, concatenate_dataset, "ConcatenateDataset",
            "MaxIntraOpParallelismDataset", "OptimizeDataset", "PrivateThreadPoolDataset",
            "RebatchDataset", "RewriteDataset", "ThreadPoolDataset",
            "ExperimentalMaxIntraOpParallelismDataset", "ExperimentalPrivateThreadPoolDataset",
            "ExperimentalRebatchDataset", "ExperimentalThreadPoolDataset")

static const SfOpCase dataset_cardinality[] = {
    ROW("", "[]", "[]"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
};
SF_OPS_TEST(dataset_cardinality_rows, dataset_cardinality, "DatasetCardinality",
            "DatasetFingerprint", "DatasetToGraph", "DatasetToGraphV2", "UnwrapDatasetVariant",
            "WrapDatasetVariant", "ExperimentalDatasetCardinality")

static const SfOpCase dataset_to_tf_record[] = {
    ROW("", "[] [] []", ""),
    ROW("", "[?] [] []", ""),
    ROW("", "? ? ?", ""),
};
SF_OPS_TEST(dataset_to_tf_record_rows, dataset_to_tf_record, "DatasetToTFRecord",
            "ExperimentalDatasetToTFRecord")

static const SfOpCase dense_to_sparse_batch_dataset[] = {
    ROW(OF, "[] [] [2]", "[]"),       ROW(OF, "[] [] [?]", "[]"),     ROW(OF, "? ? ?", "[]"),
    ROW(OF, "[] [2] [2]", "SF102 b"), ROW(OF, "[] [] []", "SF102 c"),
};
SF_OPS_TEST(dense_to_sparse_batch_dataset_rows, dense_to_sparse_batch_dataset,
            "DenseToSparseBatchDataset", "ExperimentalDenseToSparseBatchDataset")

static const SfOpCase directed_interleave_dataset[] = {
    ROW(OF, "[] ( [] )", "[]"),
    ROW(OF, "[?] ( [] )", "[]"),
    ROW(OF, "? ( ? )", "[]"),
};
SF_OPS_TEST(directed_interleave_dataset_rows, directed_interleave_dataset,
            "DirectedInterleaveDataset", "ExperimentalDirectedInterleaveDataset")

static const SfOpCase filter_by_last_component_dataset[] = {
    ROW(OF, "[]", "[]"),
    ROW(OF, "[?]", "[]"),
    ROW(OF, "?", "[]"),
};
SF_OPS_TEST(filter_by_last_component_dataset_rows, filter_by_last_component_dataset,
            "FilterByLastComponentDataset", "FinalizeDataset", "IgnoreErrorsDataset",
            "ModelDataset", "NonSerializableDataset", "UnbatchDataset", "UniqueDataset",
            "ExperimentalIgnoreErrorsDataset", "ExperimentalLMDBDataset",
            "ExperimentalNonSerializableDataset", "ExperimentalUnbatchDataset",
            "ExperimentalUniqueDataset")

static const SfOpCase filter_dataset[] = {
    ROW("predicate=f," OF, "[] ( [] )", "[]"),
    ROW("predicate=f," OF, "[?] ( [] )", "[]"),
    ROW("predicate=f," OF, "? ( ? )", "[]"),
};
SF_OPS_TEST(filter_dataset_rows, filter_dataset, "FilterDataset", "TakeWhileDataset",
            "ExperimentalTakeWhileDataset")

static const SfOpCase flat_map_dataset[] = {
    ROW("f=f," OF, "[] ( [] )", "[]"),
    ROW("f=f," OF, "[?] ( [] )", "[]"),
    ROW("f=f," OF, "? ( ? )", "[]"),
};
SF_OPS_TEST(flat_map_dataset_rows, flat_map_dataset, "FlatMapDataset", "MapDataset",
            "ExperimentalMapDataset")

static const SfOpCase global_shuffle_dataset[] = {
    ROW(OF, "[] [] [] []", "[]"),       ROW(OF, "[?] [] [] []", "[]"),
    ROW(OF, "? ? ? ?", "[]"),           ROW(OF, "[] [2] [] []", "SF102 b"),
    ROW(OF, "[] [] [2] []", "SF102 c"), ROW(OF, "[] [] [] [2]", "SF102 d"),
};
SF_OPS_TEST(global_shuffle_dataset_rows, global_shuffle_dataset, "GlobalShuffleDataset",
            "ParallelBatchDataset", "SamplingDataset", "ShuffleDataset", "SlidingWindowDataset",
            "ExperimentalSlidingWindowDataset")

static const SfOpCase group_by_reducer_dataset[] = {
    ROW("key_func=f,init_func=f,reduce_func=f,finalize_func=f," OF,
        "[] ( [] ) ( [] ) ( [] ) ( [] )", "[]"),
    ROW("key_func=f,init_func=f,reduce_func=f,finalize_func=f," OF,
        "[?] ( [] ) ( [] ) ( [] ) ( [] )", "[]"),
    ROW("key_func=f,init_func=f,reduce_func=f,finalize_func=f," OF, "? ( ? ) ( ? ) ( ? ) ( ? )",
        "[]"),
};
SF_OPS_TEST(group_by_reducer_dataset_rows, group_by_reducer_dataset, "GroupByReducerDataset",
            "ExperimentalGroupByReducerDataset")

static const SfOpCase group_by_window_dataset[] = {
    ROW("key_func=f,reduce_func=f,window_size_func=f," OF, "[] ( [] ) ( [] ) ( [] )", "[]"),
    ROW("key_func=f,reduce_func=f,window_size_func=f," OF, "[?] ( [] ) ( [] ) ( [] )", "[]"),
    ROW("key_func=f,reduce_func=f,window_size_func=f," OF, "? ( ? ) ( ? ) ( ? )", "[]"),
};
SF_OPS_TEST(group_by_window_dataset_rows, group_by_window_dataset, "GroupByWindowDataset",
            "ExperimentalGroupByWindowDataset")

static const SfOpCase index_flat_map_dataset[] = {
    ROW("map_func=f,index_map_func=f," OF, "[] ( [] ) ( [] ) []", "[]"),
    ROW("map_func=f,index_map_func=f," OF, "[?] ( [] ) ( [] ) []", "[]"),
    ROW("map_func=f,index_map_func=f," OF, "? ( ? ) ( ? ) ?", "[]"),
};
SF_OP_TEST(IndexFlatMapDataset, index_flat_map_dataset)

static const SfOpCase interleave_dataset[] = {
    ROW("f=f," OF, "[] ( [] ) [] []", "[]"),
    ROW("f=f," OF, "[?] ( [] ) [] []", "[]"),
    ROW("f=f," OF, "? ( ? ) ? ?", "[]"),
};
SF_OP_TEST(InterleaveDataset, interleave_dataset)

static const SfOpCase legacy_parallel_interleave_dataset_v2[] = {
    ROW("f=f," OF, "[] ( [] ) [] [] [] []", "[]"),
    ROW("f=f," OF, "[?] ( [] ) [] [] [] []", "[]"),
    ROW("f=f," OF, "? ( ? ) ? ? ? ?", "[]"),
};
SF_OP_TEST(LegacyParallelInterleaveDatasetV2, legacy_parallel_interleave_dataset_v2)

static const SfOpCase map_and_batch_dataset[] = {
    ROW("f=f," OF, "[] ( [] ) [] [] []", "[]"),
    ROW("f=f," OF, "[?] ( [] ) [] [] []", "[]"),
    ROW("f=f," OF, "? ( ? ) ? ? ?", "[]"),
    ROW("f=f," OF, "[] ( [] ) [2] [] []", "SF102 c"),
    ROW("f=f," OF, "[] ( [] ) [] [2] []", "SF102 d"),
    ROW("f=f," OF, "[] ( [] ) [] [] [2]", "SF102 e"),
};
SF_OPS_TEST(map_and_batch_dataset_rows, map_and_batch_dataset, "MapAndBatchDataset",
            "ExperimentalMapAndBatchDataset")

static const SfOpCase optimize_dataset_v2[] = {
    ROW(OF, "[] [] [] []", "[]"),
    ROW(OF, "[?] [] [] []", "[]"),
    ROW(OF, "? ? ? ?", "[]"),
};
SF_OPS_TEST(optimize_dataset_v2_rows, optimize_dataset_v2, "OptimizeDatasetV2",
            "SetStatsAggregatorDataset", "ExperimentalSetStatsAggregatorDataset")

static const SfOpCase options_dataset[] = {
    ROW("serialized_options='a'," OF, "[]", "[]"),
    ROW("serialized_options='a'," OF, "[?]", "[]"),
    ROW("serialized_options='a'," OF, "?", "[]"),
};
SF_OP_TEST(OptionsDataset, options_dataset)

static const SfOpCase padded_batch_dataset[] = {
    ROW("output_shapes=[[]]", "[] [] ( [2] ) ( [] )", "[]"),
    ROW("output_shapes=[[]]", "[] [] ( [?] ) ( [] )", "[]"),
    ROW("output_shapes=[[]]", "? ? ( ? ) ( ? )", "[]"),
    ROW("output_shapes=[[]]", "[] [2] ( [2] ) ( [] )", "SF102 b"),
};
SF_OP_TEST(PaddedBatchDataset, padded_batch_dataset)

static const SfOpCase padded_batch_dataset_v2[] = {
    ROW("output_shapes=[[]]", "[] [] ( [2] ) ( [] ) []", "[]"),
    ROW("output_shapes=[[]]", "[] [] ( [?] ) ( [] ) []", "[]"),
    ROW("output_shapes=[[]]", "? ? ( ? ) ( ? ) ?", "[]"),
    ROW("output_shapes=[[]]", "[] [2] ( [2] ) ( [] ) []", "SF102 b"),
    ROW("output_shapes=[[]]", "[] [] ( [2] ) ( [] ) [2]", "SF102 e"),
};
SF_OP_TEST(PaddedBatchDatasetV2, padded_batch_dataset_v2)

static const SfOpCase parallel_filter_dataset[] = {
    ROW("predicate=f," OF, "[] ( [] ) []", "[]"),
    ROW("predicate=f," OF, "[?] ( [] ) []", "[]"),
    ROW("predicate=f," OF, "? ( ? ) ?", "[]"),
};
SF_OP_TEST(ParallelFilterDataset, parallel_filter_dataset)

static const SfOpCase parallel_interleave_dataset[] = {
    ROW("f=f," OF, "[] ( [] ) [] [] [] [] []", "[]"),
    ROW("f=f," OF, "[?] ( [] ) [] [] [] [] []", "[]"),
    ROW("f=f," OF, "? ( ? ) ? ? ? ? ?", "[]"),
};
SF_OPS_TEST(parallel_interleave_dataset_rows, parallel_interleave_dataset,
            "ParallelInterleaveDataset", "ParallelInterleaveDatasetV4",
            "ExperimentalParallelInterleaveDataset")

static const SfOpCase parallel_interleave_dataset_v2[] = {
    ROW("f=f," OF, "[] ( [] ) [] [] []", "[]"),
    ROW("f=f," OF, "[?] ( [] ) [] [] []", "[]"),
    ROW("f=f," OF, "? ( ? ) ? ? ?", "[]"),
};
SF_OPS_TEST(parallel_interleave_dataset_v2_rows, parallel_interleave_dataset_v2,
            "ParallelInterleaveDatasetV2", "ParallelInterleaveDatasetV3")

static const SfOpCase parallel_map_dataset[] = {
    ROW("f=f," OF, "[] ( [] ) []", "[]"),
    ROW("f=f," OF, "[?] ( [] ) []", "[]"),
    ROW("f=f," OF, "? ( ? ) ?", "[]"),
};
SF_OPS_TEST(parallel_map_dataset_rows, parallel_map_dataset, "ParallelMapDataset",
            "ParallelMapDatasetV2")

static const SfOpCase parse_example_dataset[] = {
    ROW("sparse_keys=['a'],dense_keys=['a'],sparse_types=[float],dense_shapes=[[2,3]]," OF,
        "[] [] ( [] )", "[]"),
    ROW("sparse_keys=['a'],dense_keys=['a'],sparse_types=[float],dense_shapes=[[2,3]]," OF,
        "[?] [] ( [] )", "[]"),
    ROW("sparse_keys=['a'],dense_keys=['a'],sparse_types=[float],dense_shapes=[[2,3]]," OF,
        "? ? ( ? )", "[]"),
};
SF_OPS_TEST(parse_example_dataset_rows, parse_example_dataset, "ParseExampleDataset",
            "ParseExampleDatasetV2", "ExperimentalParseExampleDataset")

static const SfOpCase reduce_dataset[] = {
    ROW("f=f," OF, "[] ( [] ) ( [] )", "[]"),
    ROW("f=f," OF, "[] ( [?] ) ( [] )", "[]"),
    ROW("f=f," OF, "? ( ? ) ( ? )", "[]"),
    ROW("f=f," OF, "[2] ( [] ) ( [] )", "SF102 a"),
};
SF_OP_TEST(ReduceDataset, reduce_dataset)

static const SfOpCase register_dataset[] = {
    ROW("external_state_policy=1", "[] [] []", "[]"),
    ROW("external_state_policy=1", "[?] [] []", "[]"),
    ROW("external_state_policy=1", "? ? ?", "[]"),
};
SF_OPS_TEST(register_dataset_rows, register_dataset, "RegisterDataset", "RegisterDatasetV2")

static const SfOpCase save_dataset[] = {
    ROW("shard_func=f", "[] [] ( [] )", ""),
    ROW("shard_func=f", "[?] [] ( [] )", ""),
    ROW("shard_func=f", "? ? ( ? )", ""),
    ROW("shard_func=f", "[] [2] ( [] )", "SF102 b"),
};
SF_OP_TEST(SaveDataset, save_dataset)

static const SfOpCase save_dataset_v2[] = {
    ROW("shard_func=f," OF, "[] [] ( [] )", "[]"),
    ROW("shard_func=f," OF, "[?] [] ( [] )", "[]"),
    ROW("shard_func=f," OF, "? ? ( ? )", "[]"),
    ROW("shard_func=f," OF, "[] [2] ( [] )", "SF102 b"),
};
SF_OP_TEST(SaveDatasetV2, save_dataset_v2)

static const SfOpCase scan_dataset[] = {
    ROW("f=f," OF, "[] ( [] ) ( [] )", "[]"),
    ROW("f=f," OF, "[?] ( [] ) ( [] )", "[]"),
    ROW("f=f," OF, "? ( ? ) ( ? )", "[]"),
};
SF_OPS_TEST(scan_dataset_rows, scan_dataset, "ScanDataset", "ExperimentalScanDataset")

static const SfOpCase shuffle_and_repeat_dataset[] = {
    ROW(OF, "[] [] [] [] []", "[]"),
    ROW(OF, "[?] [] [] [] []", "[]"),
    ROW(OF, "? ? ? ? ?", "[]"),
    ROW(OF, "[] [2] [] [] []", "SF102 b"),
    ROW(OF, "[] [] [2] [] []", "SF102 c"),
    ROW(OF, "[] [] [] [2] []", "SF102 d"),
};
SF_OPS_TEST(shuffle_and_repeat_dataset_rows, shuffle_and_repeat_dataset, "ShuffleAndRepeatDataset",
            "ShuffleDatasetV3", "WindowDataset")

static const SfOpCase shuffle_and_repeat_dataset_v2[] = {
    ROW(OF, "[] [] [] [] [] []", "[]"),
    ROW(OF, "[?] [] [] [] [] []", "[]"),
    ROW(OF, "? ? ? ? ? ?", "[]"),
    ROW(OF, "[] [2] [] [] [] []", "SF102 b"),
    ROW(OF, "[] [] [2] [] [] []", "SF102 c"),
    ROW(OF, "[] [] [] [2] [] []", "SF102 d"),
};
SF_OP_TEST(ShuffleAndRepeatDatasetV2, shuffle_and_repeat_dataset_v2)

static const SfOpCase sleep_dataset[] = {
    ROW(OF, "[] []", "[]"),
    ROW(OF, "? ?", "[]"),
    ROW(OF, "[2] []", "SF105 a"),
    ROW(OF, "[] [2]", "SF105 b"),
};
SF_OPS_TEST(sleep_dataset_rows, sleep_dataset, "SleepDataset", "ExperimentalSleepDataset")

static const SfOpCase snapshot_dataset_v2[] = {
    ROW(OF ",reader_func=f,shard_func=f", "[] [] ( [] ) ( [] )", "[]"),
    ROW(OF ",reader_func=f,shard_func=f", "[?] [] ( [] ) ( [] )", "[]"),
    ROW(OF ",reader_func=f,shard_func=f", "? ? ( ? ) ( ? )", "[]"),
    ROW(OF ",reader_func=f,shard_func=f", "[] [2] ( [] ) ( [] )", "SF102 b"),
};
SF_OP_TEST(SnapshotDatasetV2, snapshot_dataset_v2)

static const SfOpCase snapshot_nested_dataset_reader[] = {
    ROW(OF, "( [] )", "[]"),
    ROW(OF, "( [?] )", "[]"),
    ROW(OF, "( ? )", "[]"),
};
SF_OPS_TEST(snapshot_nested_dataset_reader_rows, snapshot_nested_dataset_reader,
            "SnapshotNestedDatasetReader", "ZipDataset")

static const SfOpCase weighted_flat_map_dataset[] = {
    ROW(OF, "( [] [] ) ( [] [] )", "[]"),
    ROW(OF, "( [?] [] ) ( [] [] )", "[]"),
    ROW(OF, "( ? ? ) ( ? ? )", "[]"),
};
SF_OP_TEST(WeightedFlatMapDataset, weighted_flat_map_dataset)

static const SfOpCase csv_dataset[] = {
    ROW("output_shapes=[[]]", "[] [] [] [] [] [] [] [2] ( [] )", "[]"),
    ROW("output_shapes=[[]]", "[] [] [] [] [] [] [] [?] ( [] )", "[]"),
    ROW("output_shapes=[[]]", "? ? ? ? ? ? ? ? ( ? )", "[]"),
    ROW("output_shapes=[[]]", "[2,3] [] [] [] [] [] [] [2] ( [] )", "SF105 a"),
    ROW("output_shapes=[[]]", "[] [2] [] [] [] [] [] [2] ( [] )", "SF102 b"),
    ROW("output_shapes=[[]]", "[] [] [2] [] [] [] [] [2] ( [] )", "SF102 c"),
};
SF_OP_TEST(ExperimentalCSVDataset, csv_dataset)

static const SfOpCase matching_files_dataset[] = {
    ROW("", "[]", "[]"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
    ROW("", "[2,3]", "SF105 a"),
};
SF_OP_TEST(ExperimentalMatchingFilesDataset, matching_files_dataset)

static const SfOpCase random_dataset[] = {
    ROW(OF, "[] []", "[]"),
    ROW(OF, "? ?", "[]"),
    ROW(OF, "[2] []", "SF102 a"),
    ROW(OF, "[] [2]", "SF102 b"),
};
SF_OP_TEST(ExperimentalRandomDataset, random_dataset)

static const SfOpCase sql_dataset[] = {
    ROW(OF, "[] [] []", "[]"),       ROW(OF, "? ? ?", "[]"),
    ROW(OF, "[2] [] []", "SF102 a"), ROW(OF, "[] [2] []", "SF102 b"),
    ROW(OF, "[] [] [2]", "SF102 c"),
};
SF_OP_TEST(ExperimentalSqlDataset, sql_dataset)
