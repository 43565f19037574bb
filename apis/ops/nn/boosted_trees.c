/* Boosted trees, and SDCA: estimators of TensorFlow 1 (2.21 builds the ops of the trees, but has no
 * kernels for them any more). Oddities of the shape functions are kept where programs could see
 * them: the batch is that of the last feature, and stats have one bucket more than num_buckets.
 * Source: boosted_trees_ops.cc, sdca_ops.cc. */
#include <string.h>

#include "apis/apis.h"
#include "apis/ops/shared/common.h"

/* Inputs from `first` on have the ranks of the digits: "1400"; `?` may be anything. */
static SfStatus want_ranks(SfInfer *c, int first, const char *ranks)
{
    for (int i = 0; ranks[i]; i++) {
        if (ranks[i] != '?') {
            SF_TRY(sf_want_rank(c, SF_INPUT(first + i), ranks[i] - '0', NULL));
        }
    }
    return SF_OK;
}

static SfStatus want_list_rank(SfInfer *c, const char *name, int rank)
{
    int first;
    const int n = sf_input_range(c, name, &first);
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_want_rank(c, SF_INPUT(first + i), rank, NULL));
    }
    return SF_OK;
}

/* splits */

/* node_id_range: the first node, and the one after the last. */
static SfStatus want_range(SfInfer *c)
{
    const SfShape *s;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 1, &s));
    return sf_want_merge(c, SF_INPUT(0), s, SF_INPUT(0), sf_shape_vector(2), NULL);
}

/* Vectors with an entry for each node that is split; contributions have one for each class. */
static SfStatus set_output_splits(SfInfer *c)
{
    const SfDim classes = sf_attr_int(c, "logits_dimension");
    int left, right;
    sf_output_range(c, "left_node_contribs", &left);
    sf_output_range(c, "right_node_contribs", &right);
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(i == left || i == right ? sf_set_output_matrix(c, i, SF_DIM_UNKNOWN, classes)
                                       : sf_set_output_vector(c, i, SF_DIM_UNKNOWN));
    }
    return SF_OK;
}

static SfStatus infer_best_split(SfInfer *c)
{
    SF_TRY(want_range(c));
    SF_TRY(want_ranks(c, 1, "40000"));
    return set_output_splits(c);
}

static SfStatus infer_best_split_v2(SfInfer *c)
{
    int first;
    const int n = sf_input_range(c, "stats_summaries_list", &first);
    const SfShape *base;
    SF_TRY(want_range(c));
    SF_TRY(sf_want_rank(c, SF_INPUT(first), 4, &base));
    for (int i = 1; i < n; i++) {
        const SfShape *s;
        SF_TRY(sf_want_rank(c, SF_INPUT(first + i), 4, &s));
        SF_TRY(sf_want_merge(c, SF_INPUT(first), base, SF_INPUT(first + i), s, NULL));
    }
    SF_TRY(want_ranks(c, first + n, "110000"));
    return set_output_splits(c);
}

static SfStatus infer_best_split_sparse(SfInfer *c)
{
    SF_TRY(want_range(c));
    SF_TRY(want_ranks(c, 1, "2110000"));
    return set_output_splits(c);
}

static SfStatus infer_best_gains(SfInfer *c)
{
    const int n = (int)sf_attr_int(c, "num_features");
    const SfDim dims[] = {sf_attr_int(c, "max_splits"), SF_DIM_UNKNOWN, 2};
    const SfShape *base;
    SF_TRY(want_range(c));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 3, &base));
    SF_TRY(sf_want_merge(c, SF_INPUT(1), base, SF_INPUT(1), sf_shape_make(3, dims), NULL));
    for (int i = 1; i < n; i++) {
        const SfShape *s;
        SF_TRY(sf_want_rank(c, SF_INPUT(1 + i), 3, &s));
        SF_TRY(sf_want_merge(c, SF_INPUT(1), base, SF_INPUT(1 + i), s, NULL));
    }
    SF_TRY(want_ranks(c, n + 1, "000"));
    for (int i = 0; i < sf_output_count(c); i++) {
        SF_TRY(i < 3 * n ? sf_set_output_vector(c, i, SF_DIM_UNKNOWN)
                         : sf_set_output_matrix(c, i, SF_DIM_UNKNOWN, 1));
    }
    return SF_OK;
}

/* statistics */

/* Inputs `first` and those after it have the rows of input 0. */
static SfStatus want_rows(SfInfer *c, int first, int end)
{
    for (int i = first; i < end; i++) {
        SF_TRY(sf_want_equal(c, SF_AXIS(i, 0), sf_input_dim(c, i, 0), SF_AXIS(0, 0),
                             sf_input_dim(c, 0, 0), NULL));
    }
    return SF_OK;
}

static SfDim stats_dim(SfInfer *c)
{
    return sf_dim_add(sf_input_dim(c, 1, 1), sf_input_dim(c, 2, 1));
}

static SfStatus infer_stats(SfInfer *c)
{
    SF_TRY(want_ranks(c, 0, "1222"));
    SF_TRY(want_rows(c, 1, 4));
    const SfDim dims[] = {sf_attr_int(c, "max_splits"), sf_input_dim(c, 3, 1),
                          sf_dim_add(sf_attr_int(c, "num_buckets"), 1), stats_dim(c)};
    return sf_set_output_dims(c, 0, 4, dims);
}

static SfStatus infer_sparse_stats(SfInfer *c)
{
    SF_TRY(want_ranks(c, 0, "122211"));
    SF_TRY(want_rows(c, 1, 3));
    SF_TRY(sf_want_same_dim(c, SF_AXIS(3, 0), SF_AXIS(4, 0), NULL));
    SF_TRY(sf_want_dim(c, SF_AXIS(5, 0), 2));
    SF_TRY(sf_set_output_matrix(c, 0, SF_DIM_UNKNOWN, 4));
    SF_TRY(sf_set_output_vector(c, 1, SF_DIM_UNKNOWN));
    return sf_set_output_vector(c, 2, 4);
}

static SfStatus infer_make_stats(SfInfer *c)
{
    const SfShape *gradients, *hessians;
    SF_TRY(sf_want_rank(c, SF_INPUT(0), 1, NULL));
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, &gradients));
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 2, &hessians));
    SF_TRY(sf_want_same_dim(c, SF_AXIS(0, 0), SF_AXIS(1, 0), NULL));
    SF_TRY(sf_want_merge(c, SF_INPUT(1), gradients, SF_INPUT(2), hessians, NULL));
    for (int i = 3; i < sf_input_count(c); i++) {
        SF_TRY(sf_want_vector(c, SF_INPUT(i)));
        SF_TRY(sf_want_same_dim(c, SF_AXIS(0, 0), SF_AXIS(i, 0), NULL));
    }
    const SfDim dims[] = {sf_attr_int(c, "num_features"), sf_attr_int(c, "max_splits"),
                          sf_attr_int(c, "num_buckets"), 2};
    return sf_set_output_shape(c, 0, sf_shape_make(4, dims));
}

/* the ensemble */

/* Features of one batch, from input `first` on; the last one says which. */
static SfStatus want_features(SfInfer *c, int first, bool equal, SfDim *batch)
{
    *batch = SF_DIM_UNKNOWN;
    for (int i = first; i < sf_input_count(c); i++) {
        SF_TRY(sf_want_rank_at_most(c, SF_INPUT(i), 2, NULL));
        if (equal) {
            SF_TRY(sf_want_same_dim(c, SF_AXIS(first, 0), SF_AXIS(i, 0), NULL));
        }
        *batch = sf_input_dim(c, i, 0);
    }
    return SF_OK;
}

static SfStatus set_output_logits(SfInfer *c, SfDim batch)
{
    const int64_t classes = sf_attr_int(c, "logits_dimension");
    SF_TRY(sf_expect(c, classes >= -1, SF_ATTR("logits_dimension"), "Dimension {0} must be >= -1",
                     SF_INT_ARG(classes)));
    return sf_set_output_matrix(c, 0, batch, classes >= 0 ? classes : SF_DIM_UNKNOWN);
}

static SfStatus infer_predict(SfInfer *c)
{
    SfDim batch;
    SF_TRY(want_features(c, 1, true, &batch));
    return set_output_logits(c, batch);
}

static SfStatus infer_debug_outputs(SfInfer *c)
{
    SfDim batch;
    SF_TRY(want_features(c, 1, true, &batch));
    return sf_set_output_vector(c, 0, batch);
}

static SfStatus infer_training_predict(SfInfer *c)
{
    SfDim batch;
    SF_TRY(want_features(c, 3, false, &batch));
    SF_TRY(want_ranks(c, 1, "11"));
    SF_TRY(sf_want_same_dim(c, SF_AXIS(1, 0), SF_AXIS(2, 0), NULL));
    SF_TRY(set_output_logits(c, batch));
    SF_TRY(sf_set_output_vector(c, 1, batch));
    return sf_set_output_vector(c, 2, batch);
}

/* The lists of node ids, gains, thresholds and contributions: feature i of each agree. */
static SfStatus infer_update(SfInfer *c)
{
    const int n = (int)sf_attr_int(c, "num_features");
    const SfShape *ids;
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 1, &ids));
    SF_TRY(sf_want_merge(c, SF_INPUT(1), ids, SF_INPUT(1), sf_shape_vector(n), NULL));
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_want_vector(c, SF_INPUT(2 + i)));
        const SfDim nodes = sf_input_dim(c, 2 + i, 0);
        for (int list = 1; list < 5; list++) {
            const int at = 2 + list * n + i;
            const SfShape *s;
            SF_TRY(sf_want_rank(c, SF_INPUT(at), list < 3 ? 1 : 2, &s));
            SF_TRY(sf_want_merge(c, SF_INPUT(at), s, SF_INPUT(2 + i),
                                 list < 3 ? sf_shape_vector(nodes) : sf_shape_matrix(nodes, 1),
                                 NULL));
        }
    }
    return SF_OK;
}

/* Lists of what is known of each feature's nodes; feature_ids says how many there are. With
 * several features or groups TensorFlow counts from wrong places, so only the last feature of a
 * single group is checked (2.21 has no kernel to compare with). */
static SfStatus infer_update_v2(SfInfer *c)
{
    static const char *const lists[] = {"gains", "thresholds", "left_node_contribs",
                                        "right_node_contribs", "split_types"};
    const int features = (int)sf_attr_int(c, "num_features");
    const int64_t classes = sf_attr_int(c, "logits_dimension");
    int ids, first;
    SF_TRY(want_list_rank(c, "feature_ids", 1));
    sf_input_range(c, "feature_ids", &ids);
    const SfDim nodes = sf_input_dim(c, ids, 0);
    for (int i = features - 1; i >= 0 && i == features - 1 && sf_attr_int(c, "num_groups") == 1;
         i--) {
        sf_input_range(c, "dimension_ids", &first);
        SF_TRY(sf_want_vector(c, SF_INPUT(first + i)));
        sf_input_range(c, "node_ids", &first);
        SF_TRY(sf_want_vector(c, SF_INPUT(first + i)));
        for (int k = 0; k < SF_ARRAY_LEN(lists); k++) {
            const bool matrix = strstr(lists[k], "contribs");
            const SfShape *s;
            sf_input_range(c, lists[k], &first);
            SF_TRY(sf_want_rank(c, SF_INPUT(first + i), matrix ? 2 : 1, &s));
            SF_TRY(sf_want_merge(c, SF_INPUT(first + i), s, SF_INPUT(ids),
                                 matrix ? sf_shape_matrix(nodes, classes) : sf_shape_vector(nodes),
                                 NULL));
        }
    }
    return SF_OK;
}

static SfStatus infer_center_bias(SfInfer *c)
{
    const SfShape *gradients, *hessians;
    SF_TRY(sf_want_rank(c, SF_INPUT(1), 2, &gradients));
    SF_TRY(sf_want_rank(c, SF_INPUT(2), 2, &hessians));
    SF_TRY(sf_want_merge(c, SF_INPUT(1), gradients, SF_INPUT(2), hessians, NULL));
    SF_TRY(want_ranks(c, 3, "00"));
    return sf_set_output_scalar(c, 0);
}

/* quantiles */

static SfStatus infer_summaries(SfInfer *c)
{
    const int n = (int)sf_attr_int(c, "num_features");
    SF_TRY(sf_want_vector(c, SF_INPUT(n)));
    SF_TRY(want_list_rank(c, "float_values", 1));
    SF_TRY(sf_want_scalar(c, SF_INPUT(n + 1)));
    /* Columns: value, weight, least rank, greatest rank. */
    return sf_set_outputs(c, sf_shape_matrix(SF_DIM_UNKNOWN, 4));
}

static SfStatus infer_deserialize(SfInfer *c)
{
    return want_ranks(c, 0, "00");
}

static SfStatus infer_bucketize(SfInfer *c)
{
    const int n = sf_output_count(c);
    for (int i = 0; i < n; i++) {
        SF_TRY(sf_want_vector(c, SF_INPUT(i)));
        SF_TRY(sf_want_same_dim(c, SF_AXIS(i, 0), SF_AXIS(0, 0), NULL));
        SF_TRY(sf_set_output_vector(c, i, sf_input_dim(c, i, 0)));
    }
    return SF_OK;
}

/* SDCA */

/* SdcaOptimizer: new weights as the old ones; four numbers are kept of each example. */
static SfStatus sdca_kernel(SfInfer *c)
{
    const int last = sf_input_count(c) - 1;
    int weights, labels, rows, columns, dense, parameters;
    sf_input_range(c, "example_weights", &weights);
    sf_input_range(c, "example_labels", &labels);
    const int nsparse = sf_input_range(c, "sparse_example_indices", &rows);
    const int ndense = sf_input_range(c, "dense_features", &dense);
    sf_input_range(c, "sparse_feature_indices", &columns);
    sf_input_range(c, "dense_weights", &parameters);
    const SfDim examples = sf_shape_count(sf_input(c, weights)),
                n = sf_shape_count(sf_input(c, labels));
    const SfShape *state = sf_input(c, last);
    SF_TRY(sf_require(c, nsparse != 0 || ndense != 0, SF_THE_OP,
                      "Requires at least one feature to train."));
    SF_TRY(sf_require_as(c, !sf_dim_differs(examples, n), SF_DIAG_RUN_REFUSED, SF_INPUT(labels),
                         SF_INPUT(weights), "Expected {0} example labels but got {1}",
                         SF_DIM_ARG(examples), SF_DIM_ARG(n)));
    for (int i = 0; i < nsparse; i++) {
        /* The numbers of elements are compared, not the shapes. */
        SF_TRY(sf_require_as(c,
                             sf_dim_compatible(sf_shape_count(sf_input(c, rows + i)),
                                               sf_shape_count(sf_input(c, columns + i))),
                             SF_DIAG_RUN_REFUSED, SF_INPUT(rows + i), SF_INPUT(columns + i),
                             "Found mismatched example_indices and feature_indices"));
    }
    for (int i = 0; i < ndense; i++) {
        SF_TRY(sf_require(c, sf_shape_may_have_rank(sf_input(c, dense + i), 2), SF_INPUT(dense + i),
                          "Dense features at index {0} must be rank 2 but is rank {a.rank}",
                          SF_INT_ARG(i)));
        const SfDim wide = sf_input_dim(c, dense + i, 1),
                    room = sf_shape_count(sf_input(c, parameters + i));
        SF_TRY(sf_require_as(
            c, !sf_dim_is_known(wide) || !sf_dim_is_known(room) || (wide <= room && wide != 0),
            SF_DIAG_RUN_REFUSED, SF_AXIS(dense + i, 1), SF_INPUT(parameters + i),
            "More dense features than we have parameters for: {0}", SF_DIM_ARG(wide)));
    }
    SF_TRY(sf_require(c, sf_shape_may_have_rank(state, 2), SF_INPUT(last),
                      "example_state_data must be rank 2 but is rank {a.rank}"));
    return sf_require_as(
        c, !sf_dim_is_known(examples) || sf_shape_compatible(state, sf_shape_matrix(examples, 4)),
        SF_DIAG_RUN_REFUSED, SF_INPUT(last), SF_INPUT(weights),
        "Expected shape [{0},4] for example_state_data, got {1}", SF_DIM_ARG(examples),
        SF_SHAPE_ARG(state));
}

static SfStatus infer_sdca(SfInfer *c)
{
    SF_TRY(sf_ask_kernel(c, sdca_kernel));
    int sparse, dense, out;
    const int nsparse = sf_input_range(c, "sparse_weights", &sparse);
    const int ndense = sf_input_range(c, "dense_weights", &dense);
    const SfShape *state = sf_input(c, sf_input_count(c) - 1);
    SF_TRY(sf_set_output_matrix(
        c, 0, sf_shape_rank(state) == 2 ? sf_shape_dim(state, 0) : SF_DIM_UNKNOWN, 4));
    sf_output_range(c, "out_delta_sparse_weights", &out);
    for (int i = 0; i < nsparse; i++) {
        SF_TRY(sf_set_output_same(c, out + i, sparse + i));
    }
    sf_output_range(c, "out_delta_dense_weights", &out);
    for (int i = 0; i < ndense; i++) {
        SF_TRY(sf_set_output_same(c, out + i, dense + i));
    }
    return SF_OK;
}

/* table */

/* clang-format off */
#define TREES(name, in_, out_, attrs_, infer_) \
    SF_OP(BoostedTrees##name, .inputs = in_, .outputs = out_, .attrs = attrs_, .infer = infer_, \
          .cost = sf_common_cost_none, .grad = SF_GRAD_MISSING)
#define HELD(name, in_, out_, attrs_, ...) \
    SF_OP(name, .inputs = in_, .outputs = out_, .attrs = attrs_, .infer = __VA_ARGS__, \
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING)
#define OWNER(name) \
    SF_OP(name, .outputs = "resource: resource", \
          .attrs = "container: string = '', shared_name: string = ''", .infer = sf_infer_scalar, \
          .cost = sf_common_cost_none, .traits = SF_OP_STATEFUL | SF_OP_STATE, \
          .grad = SF_GRAD_MISSING)
#define ENSEMBLE "tree_ensemble_handle: resource"
#define STREAM "quantile_stream_resource_handle: resource"
#define SERIALIZED ENSEMBLE ", stamp_token: int64, tree_ensemble_serialized: string"
#define PENALTIES "l1: float, l2: float, tree_complexity: float, min_node_weight: float"
#define SPLITS "gains: float, feature_dimensions: int32, thresholds: int32, " SPLITS_END
#define SPLITS_END \
    "left_node_contribs: float, right_node_contribs: float, split_with_default_directions: string"
#define FEATURES "num_features: int >= 0"
#define BUCKETIZED ", bucketized_features: num_bucketized_features * int32"
#define NBUCKETIZED "num_bucketized_features: int >= 1, logits_dimension: int"
#define UPDATED "node_ids: num_features * int32, gains: num_features * float, " \
    "thresholds: num_features * int32, left_node_contribs: num_features * float, " \
    "right_node_contribs: num_features * float"
#define SDCA(name, adaptive_) \
    SF_OP(name, \
          .inputs = "sparse_example_indices: num_sparse_features * int64, " \
                    "sparse_feature_indices: num_sparse_features * int64, " \
                    "sparse_feature_values: num_sparse_features_with_values * float, " \
                    "dense_features: num_dense_features * float, example_weights: float, " \
                    "example_labels: float, sparse_indices: num_sparse_features * int64, " \
                    "sparse_weights: num_sparse_features * float, " \
                    "dense_weights: num_dense_features * float, example_state_data: float", \
          .outputs = "out_example_state_data: float, " \
                     "out_delta_sparse_weights: num_sparse_features * float, " \
                     "out_delta_dense_weights: num_dense_features * float", \
          .attrs = "loss_type: {'logistic_loss', 'squared_loss', 'hinge_loss', " \
                   "'smooth_hinge_loss', 'poisson_loss'}, " adaptive_ ": bool = false, " \
                   "num_sparse_features: int >= 0, num_sparse_features_with_values: int >= 0, " \
                   "num_dense_features: int >= 0, l1: float, l2: float, " \
                   "num_loss_partitions: int >= 1, num_inner_iterations: int >= 1", \
          .infer = infer_sdca, .grad = SF_GRAD_NONE)

static const SfOpDef ops[] = {
    OWNER(BoostedTreesEnsembleResourceHandleOp),
    OWNER(BoostedTreesQuantileStreamResourceHandleOp),
    HELD(IsBoostedTreesEnsembleInitialized, ENSEMBLE, "is_initialized: bool", "",
         SF_SHAPES("[] -> []")),
    HELD(IsBoostedTreesQuantileStreamResourceInitialized, STREAM, "is_initialized: bool",
        "", SF_SHAPES("[] -> []")),
    TREES(CalculateBestFeatureSplit, "node_id_range: int32, stats_summary: float, " PENALTIES,
          "node_ids: int32, " SPLITS,
          "logits_dimension: int >= 1, split_type: {'inequality', 'equality'} = 'inequality'",
          infer_best_split),
    TREES(CalculateBestFeatureSplitV2,
          "node_id_range: int32, stats_summaries_list: num_features * float, split_types: string, "
          "candidate_feature_ids: int32, " PENALTIES,
          "node_ids: int32, gains: float, feature_ids: int32, feature_dimensions: int32, "
          "thresholds: int32, " SPLITS_END,
          "num_features: int >= 1, logits_dimension: int >= 1", infer_best_split_v2),
    TREES(SparseCalculateBestFeatureSplit,
          "node_id_range: int32, stats_summary_indices: int32, stats_summary_values: float, "
          "stats_summary_shape: int32, " PENALTIES, "node_ids: int32, " SPLITS,
          "logits_dimension: int >= 1, split_type: {'inequality'} = 'inequality'",
          infer_best_split_sparse),
    TREES(CalculateBestGainsPerFeature,
          "node_id_range: int32, stats_summary_list: num_features * float, " PENALTIES,
          "node_ids_list: num_features * int32, gains_list: num_features * float, "
          "thresholds_list: num_features * int32, left_node_contribs_list: num_features * float, "
          "right_node_contribs_list: num_features * float",
          "max_splits: int >= 1, num_features: int >= 1", infer_best_gains),
    TREES(AggregateStats, "node_ids: int32, gradients: float, hessians: float, feature: int32",
          "stats_summary: float", "max_splits: int >= 1, num_buckets: int >= 1", infer_stats),
    TREES(SparseAggregateStats,
          "node_ids: int32, gradients: float, hessians: float, feature_indices: int32, "
          "feature_values: int32, feature_shape: int32",
          "stats_summary_indices: int32, stats_summary_values: float, stats_summary_shape: int32",
          "max_splits: int >= 1, num_buckets: int >= 1", infer_sparse_stats),
    TREES(MakeStatsSummary,
          "node_ids: int32, gradients: float, hessians: float, "
          "bucketized_features_list: num_features * int32", "stats_summary: float",
          "max_splits: int >= 1, num_buckets: int >= 1, num_features: int >= 1", infer_make_stats),
    TREES(MakeQuantileSummaries,
          "float_values: num_features * float, example_weights: float, epsilon: float",
          "summaries: num_features * float", FEATURES, infer_summaries),
    TREES(Bucketize, "float_values: num_features * float, bucket_boundaries: num_features * float",
          "buckets: num_features * int32", FEATURES, infer_bucketize),
    HELD(BoostedTreesCreateEnsemble, SERIALIZED, "", "", SF_SHAPES("[] [] [] ->")),
    HELD(BoostedTreesDeserializeEnsemble, SERIALIZED, "", "", SF_SHAPES("[] [] [] ->")),
    HELD(BoostedTreesSerializeEnsemble, ENSEMBLE,
         "stamp_token: int64, tree_ensemble_serialized: string", "", SF_SHAPES("[] -> []")),
    HELD(BoostedTreesGetEnsembleStates, ENSEMBLE,
         "stamp_token: int64, num_trees: int32, num_finalized_trees: int32, "
         "num_attempted_layers: int32, last_layer_nodes_range: int32", "",
         SF_SHAPES("[] -> [] [] [] [] [2]")),
    HELD(BoostedTreesPredict, ENSEMBLE BUCKETIZED, "logits: float", NBUCKETIZED, infer_predict),
    HELD(BoostedTreesExampleDebugOutputs, ENSEMBLE BUCKETIZED,
         "examples_debug_outputs_serialized: string", NBUCKETIZED, infer_debug_outputs),
    HELD(BoostedTreesTrainingPredict,
         ENSEMBLE ", cached_tree_ids: int32, cached_node_ids: int32" BUCKETIZED,
         "partial_logits: float, tree_ids: int32, node_ids: int32", NBUCKETIZED,
         infer_training_predict),
    HELD(BoostedTreesUpdateEnsemble,
         ENSEMBLE ", feature_ids: int32, " UPDATED ", max_depth: int32, learning_rate: float", "",
         "pruning_mode: int >= 0, " FEATURES, infer_update),
    HELD(BoostedTreesUpdateEnsembleV2,
         ENSEMBLE ", feature_ids: num_groups * int32, dimension_ids: num_features * int32, " UPDATED
         ", split_types: num_features * string, max_depth: int32, learning_rate: float, "
         "pruning_mode: int32", "",
         FEATURES ", logits_dimension: int = 1, num_groups: int >= 1 = 1", infer_update_v2),
    HELD(BoostedTreesCenterBias,
         ENSEMBLE ", mean_gradients: float, mean_hessians: float, l1: float, l2: float",
         "continue_centering: bool", "", infer_center_bias),
    HELD(BoostedTreesCreateQuantileStreamResource, STREAM ", epsilon: float, num_streams: int64",
         "", "max_elements: int = 1099511627776", SF_SHAPES("[] [] [] ->")),
    HELD(BoostedTreesFlushQuantileSummaries, STREAM, "summaries: num_features * float", FEATURES,
         SF_SHAPES("? -> [?,4]")),
    HELD(BoostedTreesQuantileStreamResourceAddSummaries, STREAM ", summaries: num_features * float",
         "", FEATURES, SF_SHAPES("[] [?,?] ->")),
    HELD(BoostedTreesQuantileStreamResourceDeserialize,
         STREAM ", bucket_boundaries: num_streams * float", "", "num_streams: int >= 1",
         infer_deserialize),
    HELD(BoostedTreesQuantileStreamResourceFlush, STREAM ", num_buckets: int64", "",
         "generate_quantiles: bool = false", SF_SHAPES("[] [] ->")),
    HELD(BoostedTreesQuantileStreamResourceGetBucketBoundaries, STREAM,
         "bucket_boundaries: num_features * float", FEATURES, SF_SHAPES("[] -> [?]")),
    SDCA(SdcaOptimizer, "adaptative"),
    SDCA(SdcaOptimizerV2, "adaptive"),
    SF_OP(SdcaShrinkL1, .inputs = "weights: Ref(num_features * float)",
          .attrs = FEATURES ", l1: float, l2: float", .infer = sf_infer_no_output,
          .traits = SF_OP_STATEFUL | SF_OP_WRITES, .grad = SF_GRAD_NONE),
};
/* clang-format on */
const SfOpTable sf_ops_boosted_trees = {ops, SF_ARRAY_LEN(ops), "boosted_trees"};
