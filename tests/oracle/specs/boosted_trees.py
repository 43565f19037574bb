"""Raw ops of boosted trees and of SDCA. TensorFlow 2.21 only builds those of trees: they have no kernels."""
from rawspec import op, out, t, v


def number(x=0.5):
    return v("float32", x)


def penalties():
    return dict(l1=number(), l2=number(), tree_complexity=number(), min_node_weight=number())


@op("BoostedTreesEnsembleResourceHandleOp", "BoostedTreesQuantileStreamResourceHandleOp")
def make(r, name):
    return dict(container="", shared_name="")


def ensemble():
    return out("BoostedTreesEnsembleResourceHandleOp", container="", shared_name="")


def stream():
    return out("BoostedTreesQuantileStreamResourceHandleOp", container="", shared_name="")


@op("IsBoostedTreesEnsembleInitialized", "BoostedTreesSerializeEnsemble", "BoostedTreesGetEnsembleStates")
def ask(r, name):
    return dict(tree_ensemble_handle=ensemble())


@op("IsBoostedTreesQuantileStreamResourceInitialized")
def ask_stream(r, name):
    return dict(quantile_stream_resource_handle=stream())


@op("BoostedTreesCreateEnsemble", "BoostedTreesDeserializeEnsemble")
def create(r, name):
    return dict(tree_ensemble_handle=ensemble(), stamp_token=v("int64", 0), tree_ensemble_serialized=v("string", ""))


def node_range():
    return v("int32", [0, 2])


@op("BoostedTreesCalculateBestFeatureSplit")
def best_split(r, name):
    classes = r.randint(1, 3)
    return dict(node_id_range=node_range(), stats_summary=t("float32", r.shape(3, 3) + [2 * classes]), **penalties(),
                logits_dimension=classes, split_type=r.choice(["inequality", "equality"]))


@op("BoostedTreesCalculateBestFeatureSplitV2")
def best_split_v2(r, name):
    n, shape, classes = r.randint(1, 3), r.shape(3, 3), r.randint(1, 2)
    return dict(node_id_range=node_range(), stats_summaries_list=[t("float32", shape + [2 * classes]) for _ in range(n)],
                split_types=v("string", ["inequality"] * n), candidate_feature_ids=v("int32", list(range(n))),
                **penalties(), logits_dimension=classes)


@op("BoostedTreesSparseCalculateBestFeatureSplit")
def best_split_sparse(r, name):
    n = r.randint(1, 4)
    return dict(node_id_range=node_range(), stats_summary_indices=t("int32", [n, 4], low=0, high=2),
                stats_summary_values=t("float32", [n]), stats_summary_shape=v("int32", [2, 2, 2, 2]), **penalties(),
                logits_dimension=r.randint(1, 2))


@op("BoostedTreesCalculateBestGainsPerFeature")
def best_gains(r, name):
    n, splits, buckets = r.randint(1, 3), r.randint(1, 3), r.randint(1, 4)
    return dict(node_id_range=node_range(), stats_summary_list=[t("float32", [splits, buckets, 2]) for _ in range(n)],
                **penalties(), max_splits=splits)


def grown(r, n, classes=1):
    return dict(node_ids=t("int32", [n], low=0, high=2), gradients=t("float32", [n, classes]),
                hessians=t("float32", [n, classes if r.random() < 0.6 else classes * classes]))


@op("BoostedTreesAggregateStats")
def stats(r, name):
    n = r.randint(1, 4)
    return dict(**grown(r, n, r.randint(1, 3)), feature=t("int32", [n, r.randint(1, 3)], low=0, high=2),
                max_splits=r.randint(1, 3), num_buckets=r.randint(1, 4))


@op("BoostedTreesSparseAggregateStats")
def sparse_stats(r, name):
    n, m = r.randint(1, 4), r.randint(1, 4)
    return dict(**grown(r, n, r.randint(1, 2)), feature_indices=t("int32", [m, 2], low=0, high=1),
                feature_values=t("int32", [m], low=0, high=2), feature_shape=v("int32", [n, 2]),
                max_splits=r.randint(1, 3), num_buckets=r.randint(1, 4))


@op("BoostedTreesMakeStatsSummary")
def make_stats(r, name):
    n = r.randint(1, 4)
    return dict(node_ids=t("int32", [n], low=0, high=2), gradients=t("float32", [n, 1]), hessians=t("float32", [n, 1]),
                bucketized_features_list=[t("int32", [n], low=0, high=2) for _ in range(r.randint(1, 3))],
                max_splits=r.randint(1, 3), num_buckets=r.randint(1, 4))


@op("BoostedTreesMakeQuantileSummaries")
def quantile_summaries(r, name):
    n = r.randint(1, 4)
    return dict(float_values=[t("float32", [n]) for _ in range(r.randint(1, 3))], example_weights=t("float32", [n]),
                epsilon=number(0.1))


@op("BoostedTreesBucketize")
def bucketize(r, name):
    n, k = r.randint(1, 4), r.randint(1, 3)
    return dict(float_values=[t("float32", [n]) for _ in range(k)],
                bucket_boundaries=[t("float32", [r.randint(1, 4)]) for _ in range(k)])


def bucketized(r, n):
    shape = [n] + ([1] if r.flag() else [])
    return [t("int32", shape, low=0, high=2) for _ in range(r.randint(1, 3))]


@op("BoostedTreesPredict", "BoostedTreesExampleDebugOutputs")
def predict(r, name):
    return dict(tree_ensemble_handle=ensemble(), bucketized_features=bucketized(r, r.randint(1, 4)),
                logits_dimension=r.randint(1, 3))


@op("BoostedTreesTrainingPredict")
def training_predict(r, name):
    n = r.randint(1, 4)
    return dict(tree_ensemble_handle=ensemble(), cached_tree_ids=t("int32", [n], low=0, high=1),
                cached_node_ids=t("int32", [n], low=0, high=1), bucketized_features=bucketized(r, n),
                logits_dimension=r.randint(1, 3))


@op("BoostedTreesUpdateEnsemble")
def update(r, name):
    n = r.randint(1, 3)
    nodes = [r.randint(1, 3) for _ in range(n)]
    return dict(tree_ensemble_handle=ensemble(), feature_ids=v("int32", list(range(n))),
                node_ids=[t("int32", [k], low=0, high=2) for k in nodes], gains=[t("float32", [k]) for k in nodes],
                thresholds=[t("int32", [k], low=0, high=2) for k in nodes],
                left_node_contribs=[t("float32", [k, 1]) for k in nodes],
                right_node_contribs=[t("float32", [k, 1]) for k in nodes], max_depth=v("int32", 2),
                learning_rate=number(), pruning_mode=r.randint(0, 2))


@op("BoostedTreesUpdateEnsembleV2")
def update_v2(r, name):
    n, classes, groups = r.randint(1, 3), r.randint(1, 2), r.randint(1, 2)
    ids = r.randint(1, 3)
    nodes = [ids] * n
    return dict(tree_ensemble_handle=ensemble(), feature_ids=[v("int32", list(range(ids))) for _ in range(groups)],
                dimension_ids=[t("int32", [k], low=0, high=2) for k in nodes],
                node_ids=[t("int32", [k], low=0, high=2) for k in nodes], gains=[t("float32", [k]) for k in nodes],
                thresholds=[t("int32", [k], low=0, high=2) for k in nodes],
                left_node_contribs=[t("float32", [k, classes]) for k in nodes],
                right_node_contribs=[t("float32", [k, classes]) for k in nodes],
                split_types=[v("string", ["inequality"] * k) for k in nodes], max_depth=v("int32", 2),
                learning_rate=number(), pruning_mode=v("int32", 0), logits_dimension=classes)


@op("BoostedTreesCenterBias")
def center_bias(r, name):
    shape = [r.randint(1, 4), r.randint(1, 2)]
    return dict(tree_ensemble_handle=ensemble(), mean_gradients=t("float32", shape), mean_hessians=t("float32", shape),
                l1=number(), l2=number())


@op("BoostedTreesCreateQuantileStreamResource")
def create_stream(r, name):
    return dict(quantile_stream_resource_handle=stream(), epsilon=number(0.1), num_streams=v("int64", 2))


@op("BoostedTreesFlushQuantileSummaries", "BoostedTreesQuantileStreamResourceGetBucketBoundaries")
def flush_summaries(r, name):
    return dict(quantile_stream_resource_handle=stream(), num_features=r.randint(1, 3))


@op("BoostedTreesQuantileStreamResourceAddSummaries")
def add_summaries(r, name):
    return dict(quantile_stream_resource_handle=stream(),
                summaries=[t("float32", [r.randint(1, 4), 4]) for _ in range(r.randint(1, 3))])


@op("BoostedTreesQuantileStreamResourceDeserialize")
def deserialize(r, name):
    return dict(quantile_stream_resource_handle=stream(),
                bucket_boundaries=[t("float32", [r.randint(1, 4)]) for _ in range(r.randint(1, 3))])


@op("BoostedTreesQuantileStreamResourceFlush")
def flush(r, name):
    return dict(quantile_stream_resource_handle=stream(), num_buckets=v("int64", 4), generate_quantiles=r.flag())


# --- SDCA ---------------------------------------------------------------------------------------
@op("SdcaOptimizer", "SdcaOptimizerV2")
def sdca(r, name):
    n, sparse, valued, dense = r.randint(1, 4), r.randint(0, 2), r.randint(0, 1), r.randint(0, 2)
    valued = min(valued, sparse)
    dense += not sparse and not dense
    wide = [r.randint(1, 3) for _ in range(dense)]
    examples = [list(range(n)) for _ in range(sparse)]
    return dict(sparse_example_indices=[v("int64", e) for e in examples],
                sparse_feature_indices=[v("int64", [0] * n) for _ in examples],
                sparse_feature_values=[t("float32", [n]) for _ in range(valued)],
                dense_features=[t("float32", [n, k]) for k in wide], example_weights=t("float32", [n], low=0, high=1),
                example_labels=t("float32", [n], low=0, high=1), sparse_indices=[v("int64", [0, 1]) for _ in examples],
                sparse_weights=[t("float32", [2]) for _ in examples], dense_weights=[t("float32", [k]) for k in wide],
                example_state_data=t("float32", [n, 4]), loss_type="squared_loss", l1=0.5, l2=1.0,
                num_loss_partitions=1, num_inner_iterations=1)
