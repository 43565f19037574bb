/* Rows of boosted trees and SDCA; expectations asked of TensorFlow 2.21, which has no kernels of the former. */
#include "tests/c/support/op_rows.h"

static const SfOpCase owner[] = {
    ROW("", "", "[]:resource"),
};
SF_OPS_TEST(trees_owner, owner, "BoostedTreesEnsembleResourceHandleOp",
            "BoostedTreesQuantileStreamResourceHandleOp")

static const SfOpCase initialized[] = {
    ROW("", "[]", "[]:bool"),
    ROW("", "?", "[]"),
    ROW("", "[1]", "SF102 a"),
};
SF_OPS_TEST(trees_initialized, initialized, "IsBoostedTreesEnsembleInitialized",
            "IsBoostedTreesQuantileStreamResourceInitialized")

static const SfOpCase create[] = {
    ROW("", "[] 0 ''", ""),
    ROW("", "? ? ?", ""),
    ROW("", "[] [1] ''", "SF102 b"),
};
SF_OPS_TEST(trees_create, create, "BoostedTreesCreateEnsemble", "BoostedTreesDeserializeEnsemble")

static const SfOpCase serialize[] = {
    ROW("", "[]", "[]:int64 []:string"),
    ROW("", "?", "[] []"),
    ROW("", "[1]", "SF102 a"),
};
SF_OP_TEST(BoostedTreesSerializeEnsemble, serialize)

static const SfOpCase states[] = {
    ROW("", "[]", "[]:int64 [] [] [] [2]"),
    ROW("", "?", "[] [] [] [] [2]"),
    ROW("", "[1]", "SF102 a"),
};
SF_OP_TEST(BoostedTreesGetEnsembleStates, states)

static const SfOpCase best_split[] = {
    ROW("logits_dimension=2", "{0,2} [3,4,5,4] [] [] [] []",
        "[?] [?] [?] [?] [?,2] [?,2] [?]:string"),
    ROW("logits_dimension=2", "{0,2} [?,4,5,4] [] [] [] []", "[?] [?] [?] [?] [?,2] [?,2] [?]"),
    ROW("logits_dimension=1", "? ? ? ? ? ?", "[?] [?] [?] [?] [?,1] [?,1] [?]"),
    ROW("logits_dimension=1", "[3] [3,4,5,2] [] [] [] []", "SF107 a.0"),
    ROW("logits_dimension=1", "[2] [3,4,5] [] [] [] []", "SF102 b"),
};
SF_OP_TEST(BoostedTreesCalculateBestFeatureSplit, best_split)

static const SfOpCase best_split_v2[] = {
    ROW("logits_dimension=1", "{0,2} ( [3,4,5,2] [3,4,5,2] ) [2] [2] [] [] [] []",
        "[?] [?] [?] [?] [?] [?,1] [?,1] [?]"),
    ROW("logits_dimension=1", "{0,2} ( [?,4,5,2] [3,4,5,2] ) [2] [2] [] [] [] []",
        "[?] [?] [?] [?] [?] [?,1] [?,1] [?]"),
    ROW("logits_dimension=1", "? ( ? ) ? ? ? ? ? ?", "[?] [?] [?] [?] [?] [?,1] [?,1] [?]"),
    ROW("logits_dimension=1", "[2] ( [3,4,5,2] [3,4,6,2] ) [2] [2] [] [] [] []", "SF107"),
};
SF_OP_TEST(BoostedTreesCalculateBestFeatureSplitV2, best_split_v2)

static const SfOpCase best_split_sparse[] = {
    ROW("logits_dimension=2", "{0,2} [n,4]:int32 [n] {2,2,2,2} [] [] [] []",
        "[?] [?] [?] [?] [?,2] [?,2] [?]"),
    ROW("logits_dimension=2", "{0,2} [2,4]:int32 [2] {2,2,2,2} [] [] [] []",
        "[?] [?] [?] [?] [?,2] [?,2] [?]"),
    ROW("logits_dimension=1", "? ? ? ? ? ? ? ?", "[?] [?] [?] [?] [?,1] [?,1] [?]"),
    ROW("logits_dimension=1", "[2] [3]:int32 [3] [4] [] [] [] []", "SF102 b"),
};
SF_OP_TEST(BoostedTreesSparseCalculateBestFeatureSplit, best_split_sparse)

static const SfOpCase best_gains[] = {
    ROW("max_splits=3", "{0,2} ( [3,4,2] ) [] [] [] []", "[?] [?] [?] [?,1] [?,1]"),
    ROW("max_splits=3", "{0,2} ( [?,4,2] ) [] [] [] []", "[?] [?] [?] [?,1] [?,1]"),
    ROW("max_splits=3", "? ( ? ) ? ? ? ?", "[?] [?] [?] [?,1] [?,1]"),
    ROW("max_splits=3", "[2] ( [4,4,2] ) [] [] [] []", "SF107"),
};
SF_OP_TEST(BoostedTreesCalculateBestGainsPerFeature, best_gains)

#define BUCKETS "max_splits=3,num_buckets=4"
static const SfOpCase stats[] = {
    ROW(BUCKETS, "[n]:int32 [n,1] [n,1] [n,2]:int32", "[3,2,5,2]"),
    ROW(BUCKETS, "[2]:int32 [2,1] [2,1] [2,2]:int32", "[3,2,5,2]"),
    ROW(BUCKETS, "? ? ? ?", "[3,?,5,?]"),
    ROW(BUCKETS, "[5]:int32 [4,1] [5,1] [5,2]:int32", "SF101 b.0 a.0"),
    ROW(BUCKETS, "[5]:int32 [5] [5,1] [5,2]:int32", "SF102 b"),
    ROW("max_splits=3,num_buckets=9223372036854775807", "? ? ? ?", "deferred SF122 / [3,?,?,?]"),
};
SF_OP_TEST(BoostedTreesAggregateStats, stats)

static const SfOpCase sparse_stats[] = {
    ROW(BUCKETS, "[n]:int32 [n,1] [n,1] [m,2]:int32 [m]:int32 [2]", "[?,4] [?] [4]"),
    ROW(BUCKETS, "[2]:int32 [2,1] [2,1] [3,2]:int32 [3]:int32 [2]", "[?,4] [?] [4]"),
    ROW(BUCKETS, "? ? ? ? ? ?", "[?,4] [?] [4]"),
    ROW(BUCKETS, "[5]:int32 [5,1] [5,1] [6,2]:int32 [7]:int32 [2]", "SF101 d.0 e.0"),
};
SF_OP_TEST(BoostedTreesSparseAggregateStats, sparse_stats)

static const SfOpCase make_stats[] = {
    ROW(BUCKETS, "[n]:int32 [n,1] [n,1] ( [n] [n] )", "[2,3,4,2]"),
    ROW(BUCKETS, "[2]:int32 [2,1] [2,1] ( [2] [2] )", "[2,3,4,2]"),
    ROW(BUCKETS, "? ? ? ( ? )", "[1,3,4,2]"),
    ROW(BUCKETS, "[5]:int32 [5,1] [5,1] ( [4] )", "SF101 a.0 d.0"),
};
SF_OP_TEST(BoostedTreesMakeStatsSummary, make_stats)

static const SfOpCase summaries[] = {
    ROW("", "( [n] [n] ) [n] []", "[?,4] [?,4]"),
    ROW("", "( [2] [2] ) [2] []", "[?,4] [?,4]"),
    ROW("", "( ? ) ? ?", "[?,4]"),
    ROW("", "( [n] ) [n,1] []", "SF102 b"),
};
SF_OP_TEST(BoostedTreesMakeQuantileSummaries, summaries)

static const SfOpCase bucketize[] = {
    ROW("", "( [n] [n] ) ( [3] [4] )", "[n]:int32 [n]"),
    ROW("", "( [2] [2] ) ( [3] [4] )", "[2] [2]"),
    ROW("", "( [?] ) ( ? )", "[a.0]"),
    ROW("", "( [2] [3] ) ( [3] [4] )", "SF101 b.0 a.0"),
};
SF_OP_TEST(BoostedTreesBucketize, bucketize)

static const SfOpCase predict[] = {
    ROW("logits_dimension=3", "[] ( [n] [n,1] )", "[n,3]"),
    ROW("logits_dimension=3", "[] ( [2] [2,1] )", "[2,3]"),
    ROW("logits_dimension=-1", "? ( ? )", "[?,?]"),
    ROW("logits_dimension=1", "[] ( [2] [3] )", "SF101 b.0 c.0"),
    ROW("logits_dimension=1", "[] ( [2,1,1] )", "SF105 b"),
    ROW("logits_dimension=-2", "[] ( [2] )", "SF128 @logits_dimension"),
};
SF_OP_TEST(BoostedTreesPredict, predict)

static const SfOpCase debug_outputs[] = {
    ROW("logits_dimension=3", "[] ( [n] [n] )", "[n]:string"),
    ROW("logits_dimension=3", "[] ( [2] [2] )", "[2]"),
    ROW("logits_dimension=3", "? ( ? )", "[?]"),
    ROW("logits_dimension=1", "[] ( [2] [3] )", "SF101 b.0 c.0"),
};
SF_OP_TEST(BoostedTreesExampleDebugOutputs, debug_outputs)

static const SfOpCase training_predict[] = {
    ROW("logits_dimension=3", "[] [n]:int32 [n]:int32 ( [n] )", "[n,3] [n]:int32 [n]:int32"),
    ROW("logits_dimension=3", "[] [2]:int32 [2]:int32 ( [2] )", "[2,3] [2] [2]"),
    ROW("logits_dimension=3", "? ? ? ( ? )", "[?,3] [?] [?]"),
    ROW("logits_dimension=1", "[] [2]:int32 [3]:int32 ( [2] )", "SF101 b.0 c.0"),
};
SF_OP_TEST(BoostedTreesTrainingPredict, training_predict)

static const SfOpCase update[] = {
    ROW("pruning_mode=0", "[] {0} ( [3] ) ( [3] ) ( [3] ) ( [3,1] ) ( [3,1] ) 2 0.5", ""),
    ROW("pruning_mode=0", "[] {0} ( [?] ) ( [3] ) ( [3] ) ( [3,1] ) ( [3,1] ) 2 0.5", ""),
    ROW("pruning_mode=0", "? ? ( ? ) ( ? ) ( ? ) ( ? ) ( ? ) ? ?", ""),
    ROW("pruning_mode=0", "[] {0} ( [3] ) ( [2] ) ( [3] ) ( [3,1] ) ( [3,1] ) 2 0.5",
        "SF107 d.0 c.0"),
    ROW("pruning_mode=0", "[] {0,1} ( [3] ) ( [3] ) ( [3] ) ( [3,1] ) ( [3,1] ) 2 0.5",
        "SF107 b.0"),
};
SF_OP_TEST(BoostedTreesUpdateEnsemble, update)

static const SfOpCase update_v2[] = {
    ROW("", "[] ( [3]:int32 ) ( [3] ) ( [3] ) ( [3] ) ( [3] ) ( [3,1] ) ( [3,1] ) ( [3] ) 2 0.5 0",
        ""),
    ROW("", "[] ( [?]:int32 ) ( [3] ) ( [3] ) ( [3] ) ( [3] ) ( [3,1] ) ( [3,1] ) ( [3] ) 2 0.5 0",
        ""),
    ROW("", "? ( ? ) ( ? ) ( ? ) ( ? ) ( ? ) ( ? ) ( ? ) ( ? ) ? ? ?", ""),
    ROW("", "[] ( [3]:int32 ) ( [3] ) ( [3] ) ( [2] ) ( [3] ) ( [3,1] ) ( [3,1] ) ( [3] ) 2 0.5 0",
        "SF107 e.0 b.0"),
    ROW("", "[] ( [3]:int32 ) ( [3] ) ( [3] ) ( [3] ) ( [3] ) ( [3] ) ( [3,1] ) ( [3] ) 2 0.5 0",
        "SF102 g"),
};
SF_OP_TEST(BoostedTreesUpdateEnsembleV2, update_v2)

static const SfOpCase center_bias[] = {
    ROW("", "[] [n,1] [n,1] [] []", "[]:bool"),
    ROW("", "[] [2,1] [2,1] [] []", "[]"),
    ROW("", "? ? ? ? ?", "[]"),
    ROW("", "[] [2,1] [3,1] [] []", "SF107 b.0 c.0"),
};
SF_OP_TEST(BoostedTreesCenterBias, center_bias)

static const SfOpCase create_stream[] = {
    ROW("", "[] 0.1 2", ""),
    ROW("", "? ? ?", ""),
    ROW("", "[] 0.1 [1]", "SF102 c"),
};
SF_OP_TEST(BoostedTreesCreateQuantileStreamResource, create_stream)

static const SfOpCase flush_summaries[] = {
    ROW("num_features=2", "[]", "[?,4] [?,4]"),
    ROW("num_features=2", "[?]", "[?,4] [?,4]"),
    ROW("num_features=1", "?", "[?,4]"),
};
SF_OP_TEST(BoostedTreesFlushQuantileSummaries, flush_summaries)

static const SfOpCase boundaries[] = {
    ROW("num_features=2", "[]", "[?] [?]"),
    ROW("num_features=1", "?", "[?]"),
    ROW("num_features=1", "[1]", "SF102 a"),
};
SF_OP_TEST(BoostedTreesQuantileStreamResourceGetBucketBoundaries, boundaries)

static const SfOpCase add_summaries[] = {
    ROW("", "[] ( [n,4] )", ""),
    ROW("", "[] ( [2,4] )", ""),
    ROW("", "? ( ? )", ""),
    ROW("", "[] ( [4] )", "SF102 b"),
};
SF_OP_TEST(BoostedTreesQuantileStreamResourceAddSummaries, add_summaries)

static const SfOpCase deserialize[] = {
    ROW("", "? ( ? )", ""),
    ROW("", "[1] ( [4] )", "SF102 a"),
};
SF_OP_TEST(BoostedTreesQuantileStreamResourceDeserialize, deserialize)

static const SfOpCase flush[] = {
    ROW("", "[] 4", ""),
    ROW("", "? ?", ""),
    ROW("", "[] [1]", "SF102 b"),
};
SF_OP_TEST(BoostedTreesQuantileStreamResourceFlush, flush)

#define SDCA                                                                                       \
    "loss_type='squared_loss',l1=0.5,l2=1.0,num_loss_partitions=1,num_inner_iterations=1,"         \
    "num_sparse_features=0,num_sparse_features_with_values=0,num_dense_features=1,"
static const SfOpCase sdca[] = {
    ROW(SDCA, "( ) ( ) ( ) ( [5,3] ) [5] [5] ( ) ( ) ( [3] ) [5,4]", "[5,4] [3]"),
    ROW(SDCA, "( ) ( ) ( ) ( ? ) ? ? ( ) ( ) ( [?] ) ?", "[?,4] [?]"),
    ROW(SDCA, "( ) ( ) ( ) ( [5,3] ) [5] [4] ( ) ( ) ( [3] ) [5,4]",
        "deferred SF129 c b 'Expected 5 example labels but got 4' / [5,4] [3]"),
    ROW(SDCA, "( ) ( ) ( ) ( [5,3] ) [5] [5] ( ) ( ) ( [2] ) [5,4]",
        "deferred SF129 'More dense features than we have parameters for: 3' / [5,4] [2]"),
    ROW(SDCA, "( ) ( ) ( ) ( [5,3] ) [5] [5] ( ) ( ) ( [3] ) [5,3]",
        "deferred SF129 'Expected shape [5,4] for example_state_data, got [5,3]' / [5,4] [3]"),
};
SF_OPS_TEST(sdca, sdca, "SdcaOptimizer", "SdcaOptimizerV2")

static const SfOpCase quantile_stream_resource_deserialize[] = {
    ROW("", "[] ( [] )", ""),
    ROW("", "? ( ? )", ""),
    ROW("", "[2] ( [] )", "SF102 a"),
    ROW("", "[] ( [2] )", "SF102 b"),
};
SF_OP_TEST(BoostedTreesQuantileStreamResourceDeserialize, quantile_stream_resource_deserialize)

static const SfOpCase sdca_shrink_l1[] = {
    ROW("l1=1.0,l2=1.0", "( [] )", ""),
    ROW("l1=1.0,l2=1.0", "( [?] )", ""),
    ROW("l1=1.0,l2=1.0", "( ? )", ""),
};
SF_OP_TEST(SdcaShrinkL1, sdca_shrink_l1)
