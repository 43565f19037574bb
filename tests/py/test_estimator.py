"""tf.estimator: what is built and run for each mode, and TensorFlow 1.15's words for what does not fit (seen
under it)."""

import numpy as np
import pytest

from command import lines, shapeflow, write


def columns(tf):
    return [tf.feature_column.numeric_column("a"), tf.feature_column.numeric_column("b", shape=[2])]


def data(tf, count=10, label_dimension=None, repeat=1):
    def input_fn():
        shape = (count,) if label_dimension is None else (count, label_dimension)
        features = {"a": np.zeros(count, np.float32), "b": np.zeros((count, 2), np.float32)}
        slices = tf.data.Dataset.from_tensor_slices((features, np.zeros(shape, np.int32)))
        return slices.repeat(repeat).batch(4)

    return input_fn


def model(tf):
    def model_fn(features, labels, mode, params):
        logits = tf.layers.dense(features["b"], params["classes"])
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(
                mode, predictions={"p": tf.nn.softmax(logits), "k": tf.argmax(logits, 1)}
            )
        loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        step = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(
            mode,
            loss=loss,
            train_op=step,
            eval_metric_ops={"acc": tf.metrics.accuracy(labels, tf.argmax(logits, 1))},
        )

    return model_fn


def shapes(prediction):
    return sorted((key, list(np.shape(value))) for key, value in prediction.items())


def test_a_model_is_trained_evaluated_and_predicts(tf, tmp_path):
    estimator = tf.estimator.Estimator(model(tf), str(tmp_path), params={"classes": 3})
    result = estimator.train(data(tf, repeat=3)).evaluate(data(tf))
    assert sorted(result) == ["acc", "global_step", "loss"] and int(result["global_step"]) == 8
    predictions = list(estimator.predict(data(tf)))
    assert len(predictions) == 10 and shapes(predictions[0]) == [("k", []), ("p", [3])]
    assert list(next(iter(estimator.predict(data(tf), predict_keys=["k"])))) == ["k"]
    assert estimator.get_variable_names()


def test_steps_are_counted_from_the_checkpoint(tf, tmp_path):
    estimator = tf.estimator.Estimator(model(tf), str(tmp_path), params={"classes": 3})
    for bound in (dict(steps=2), dict(max_steps=3), dict(max_steps=3)):
        estimator.train(data(tf), **bound)
    assert int(estimator.evaluate(data(tf))["global_step"]) == 3


def test_hooks_run_at_each_step(tf):
    class Count(tf.train.SessionRunHook):
        runs = 0

        def after_run(self, run_context, run_values):
            Count.runs += 1

    tf.estimator.Estimator(model(tf), params={"classes": 3}).train(data(tf), hooks=[Count()], steps=2)
    assert Count.runs == 2


def test_training_and_evaluation_in_one_call(tf, tmp_path):
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"b": tf.placeholder(tf.float32, [None, 2])}
    )
    estimator = tf.estimator.Estimator(model(tf), str(tmp_path), params={"classes": 3})
    result, exported = tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(data(tf, repeat=5), max_steps=4),
        tf.estimator.EvalSpec(data(tf), steps=1, exporters=tf.estimator.FinalExporter("last", receiver)),
    )
    assert sorted(result) == ["acc", "global_step", "loss"] and exported[0].startswith(str(tmp_path).encode())


@pytest.mark.parametrize(
    "made, metrics, predictions",
    [
        (
            lambda tf: tf.estimator.DNNClassifier([10, 5], columns(tf), n_classes=3),
            ["accuracy", "average_loss", "global_step", "loss"],
            [
                ("all_class_ids", [3]),
                ("all_classes", [3]),
                ("class_ids", [1]),
                ("classes", [1]),
                ("logits", [3]),
                ("probabilities", [3]),
            ],
        ),
        (
            lambda tf: tf.estimator.DNNClassifier([10], columns(tf)),
            [
                "accuracy",
                "accuracy_baseline",
                "auc",
                "auc_precision_recall",
                "average_loss",
                "global_step",
                "label/mean",
                "loss",
                "precision",
                "prediction/mean",
                "recall",
            ],
            [
                ("all_class_ids", [2]),
                ("all_classes", [2]),
                ("class_ids", [1]),
                ("classes", [1]),
                ("logistic", [1]),
                ("logits", [1]),
                ("probabilities", [2]),
            ],
        ),
        (
            lambda tf: tf.estimator.LinearRegressor(columns(tf)),
            ["average_loss", "global_step", "label/mean", "loss", "prediction/mean"],
            [("predictions", [1])],
        ),
        (
            lambda tf: tf.estimator.DNNLinearCombinedRegressor(
                linear_feature_columns=columns(tf), dnn_feature_columns=columns(tf), dnn_hidden_units=[4]
            ),
            ["average_loss", "global_step", "label/mean", "loss", "prediction/mean"],
            [("predictions", [1])],
        ),
    ],
    ids=["deep", "binary", "linear", "both"],
)
def test_models_that_come_with_tensorflow(tf, made, metrics, predictions):
    estimator = made(tf).train(data(tf), steps=2)
    assert sorted(estimator.evaluate(data(tf))) == metrics
    assert shapes(next(iter(estimator.predict(data(tf))))) == predictions


@pytest.mark.parametrize(
    "call, error, message",
    [
        (
            lambda tf, E: E.DNNRegressor([4], columns(tf), label_dimension=2).train(
                data(tf, label_dimension=3)
            ),
            ValueError,
            "Mismatched label shape. Expected labels dimension=2.  Received 3.",
        ),
        (
            lambda tf, E: E.DNNClassifier([4], columns(tf), n_classes=3).train(data(tf, label_dimension=3)),
            ValueError,
            "Mismatched label shape. Expected labels dimension=1.  Received 3.",
        ),
        (
            lambda tf, E: E.Estimator(lambda features, labels, mode: E.EstimatorSpec(mode)).train(data(tf)),
            ValueError,
            "Missing train_op.",
        ),
        (
            lambda tf, E: E.Estimator(lambda features, labels, mode: 3).train(data(tf)),
            ValueError,
            "model_fn should return an EstimatorSpec.",
        ),
        (
            lambda tf, E: E.Estimator(lambda features, mode: 3).train(data(tf)),
            ValueError,
            "model_fn does not take labels, but input_fn returns labels.",
        ),
        (
            lambda tf, E: E.Estimator(lambda features, foo: 3),
            ValueError,
            r"has following not expected args: \['foo'\]",
        ),
        (lambda tf, E: E.Estimator(lambda x: 3), ValueError, "must include features argument"),
        (
            lambda tf, E: E.Estimator(lambda features: 3, params={"a": 1}),
            ValueError,
            "does not include params argument",
        ),
        (
            lambda tf, E: E.Estimator(model(tf)).train(data(tf), steps=1, max_steps=2),
            ValueError,
            "Can not provide both steps and max_steps.",
        ),
        (
            lambda tf, E: E.Estimator(model(tf)).train(data(tf), hooks=[3]),
            TypeError,
            "Hooks must be a SessionRunHook, given: 3",
        ),
        (
            lambda tf, E: E.train_and_evaluate(3, E.TrainSpec(data(tf)), E.EvalSpec(data(tf))),
            TypeError,
            "`estimator` must have type `tf.estimator.Estimator`. Got: <class 'int'>",
        ),
        (
            lambda tf, E: E.RunConfig(save_checkpoints_steps=5, save_checkpoints_secs=4),
            ValueError,
            "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set.",
        ),
        (
            lambda tf, E: E.inputs.numpy_input_fn({"b": np.zeros((10, 2))}, None),
            ValueError,
            "shuffle must be provided and explicitly set as boolean",
        ),
        (
            lambda tf, E: E.inputs.numpy_input_fn({"b": np.zeros((10, 2))}, np.zeros(9), shuffle=False)(),
            ValueError,
            "Length of tensors in x and y is mismatched.",
        ),
        (
            lambda tf, E: E.inputs.numpy_input_fn(3, shuffle=False)(),
            TypeError,
            "x must be a dict or array; got int",
        ),
    ],
)
def test_what_does_not_fit_is_refused(tf, call, error, message):
    with pytest.raises(error, match=message):
        call(tf, tf.estimator)


def test_a_loss_that_is_no_scalar(tf):
    def model_fn(features, labels, mode):
        return tf.estimator.EstimatorSpec(
            mode, loss=tf.reduce_mean(tf.layers.dense(features["b"], 2), 0), train_op=tf.no_op()
        )

    with pytest.raises(ValueError, match="Loss must be scalar, given: Tensor"):
        tf.estimator.Estimator(model_fn).train(data(tf))


def test_batches_of_arrays(tf):
    def batch(epochs):
        features, labels = tf.estimator.inputs.numpy_input_fn(
            {"b": np.zeros((10, 2), np.float32)}, np.zeros(10), batch_size=4, num_epochs=epochs, shuffle=False
        )()
        return features["b"].shape.as_list(), labels.shape.as_list()

    assert batch(None) == ([4, 2], [4]) and batch(2) == ([None, 2], [None])


def test_a_checkpoint_of_another_model(tf, tmp_path):
    for classes, good in ((3, True), (4, False)):
        estimator = tf.estimator.Estimator(model(tf), str(tmp_path), params={"classes": classes})
        if good:
            estimator.train(data(tf), steps=1)
        else:
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=r"lhs shape= \[2,4\] rhs shape= \[2,3\]"
            ):
                estimator.train(data(tf), steps=1)


def test_a_wrong_layer_is_found_in_the_model_function(tmp_path):
    write(
        tmp_path,
        script="""import numpy as np, tensorflow as tf
def model_fn(features, labels, mode):
    x = tf.reshape(features["x"], [-1, 7])
    return tf.estimator.EstimatorSpec(mode, predictions=tf.layers.dense(x, 2))
fn = tf.estimator.inputs.numpy_input_fn({"x": np.zeros((10, 6), np.float32)}, shuffle=False, batch_size=4)
print(list(tf.estimator.Estimator(model_fn).predict(fn)))
""",
    )
    done = shapeflow(tmp_path, "check", "--no-cache", "--format", "concise", "script.py")
    assert [line for _, line, _ in lines(done)] == [3], done.stdout + done.stderr


@pytest.mark.parametrize("unmodelled", ["the inputs", "the features"])
def test_inputs_that_are_not_modelled_are_no_error(tf, unmodelled):
    def input_fn():
        made = tf.contrib.image.compose_transforms([1.0])
        return made if unmodelled == "the inputs" else (made, tf.zeros([4], tf.int32))

    c = tf.feature_column
    wide = [c.numeric_column("a"), c.indicator_column(c.categorical_column_with_identity("i", 5)),
            c.embedding_column(c.categorical_column_with_hash_bucket("s", 9), 2)]
    tf.estimator.DNNClassifier([4], wide, n_classes=3).train(input_fn, steps=1)


TPU_PROGRAM = """import tensorflow as tf
tpu = tf.contrib.tpu
def input_fn(params):
    data = tf.data.Dataset.from_tensors((tf.zeros([6]), 1)).repeat()
    return data.apply(tf.contrib.data.batch_and_drop_remainder(params["batch_size"]))
def metrics(labels, logits):
    return {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))}
def model_fn(features, labels, mode, params):
    assert features.shape.as_list() == [params["batch_size"], 6]
    logits = tf.layers.dense(features, 3)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    optimizer = tpu.CrossShardOptimizer(tf.train.AdamOptimizer(0.1))
    train = optimizer.minimize(loss, tf.train.get_global_step())
    call = lambda values: [tf.identity(values)]
    return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train, eval_metrics=(metrics, [labels, logits]),
                                host_call=(call, [tf.reshape(loss, [1])]))
config = tpu.RunConfig(model_dir="model", tpu_config=tpu.TPUConfig(iterations_per_loop=2, num_shards=8),
                       cluster=tf.contrib.cluster_resolver.TPUClusterResolver("name") if False else None)
estimator = tpu.TPUEstimator(model_fn, config=config, use_tpu=False, train_batch_size=16, eval_batch_size=4)
estimator.train(input_fn, max_steps=2)
assert set(estimator.evaluate(input_fn, steps=1)) == {"accuracy", "loss", "global_step"}
"""


def test_an_estimator_for_tpus(tmp_path):
    write(tmp_path, right=TPU_PROGRAM, wrong=TPU_PROGRAM.replace(
        "    logits = tf.layers.dense(features, 3)\n",
        "    logits = tf.layers.dense(tf.reshape(features, [16, 6, 1]), 3)\n"))
    done = shapeflow(tmp_path, "check", "--no-cache", "--format", "concise", "right.py")
    assert done.returncode == 0 and not done.stdout and "not modelled" not in done.stderr, done.stderr
    done = shapeflow(tmp_path, "check", "--no-cache", "--format", "concise", "wrong.py")
    assert [line for _, line, _ in lines(done)] == [11], done.stdout + done.stderr


@pytest.mark.parametrize("wrong, error", [
    ("tpu.TPUEstimator(fn, config=tf.estimator.RunConfig(), train_batch_size=8)",
     "`config` must be provided with type `tpu_config.RunConfig`"),
    ("tpu.TPUEstimator(fn, config=tpu.RunConfig())", "`train_batch_size` cannot be `None`"),
    ("tpu.TPUEstimator(fn, config=tpu.RunConfig(), train_batch_size=0)",
     "train_batch_size must be positive, got 0"),
    ("tpu.TPUEstimator(fn, config=tpu.RunConfig(), train_batch_size=8, params={'batch_size': 3})",
     "are reserved keys but existed in params"),
    ("tpu.TPUConfig(num_cores_per_replica=3)", "num_cores_per_replica must be 1, 2, 4, 8"),
    ("tpu.TPUEstimatorSpec('eval', loss=1, eval_metrics=3)", "eval_metrics should be tuple or list"),
    ("tpu.TPUEstimatorSpec('eval', loss=1, host_call=(3, []))", "should be callable"),
    ("tpu.CrossShardOptimizer(tf.train.AdamOptimizer(), reduction='most')", "Unsupported reduction: most."),
])
def test_what_an_estimator_for_tpus_refuses(tf, wrong, error):
    def fn(features, labels, mode, params):
        pass

    with pytest.raises((ValueError, TypeError)) as caught:
        eval(wrong, {"tf": tf, "tpu": tf.contrib.tpu, "fn": fn})
    assert error in str(caught.value)


@pytest.mark.parametrize("params", ["hparams", "a dict", "unknown"])
def test_params_of_an_estimator_for_tpus(tf, params):
    given = {"hparams": lambda: tf.contrib.training.HParams(units=3), "a dict": lambda: {"units": 3},
             "unknown": lambda: tf.contrib.image.compose_transforms([1.0])}[params]()
    seen = []

    def input_fn(params):
        return tf.zeros([4, 6]), tf.zeros([4], tf.int32)

    def model_fn(features, labels, mode, params):
        seen.append(params)
        loss = tf.reduce_mean(tf.layers.dense(features, 3))
        train = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
        return tf.contrib.tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train)

    tf.contrib.tpu.TPUEstimator(model_fn, config=tf.contrib.tpu.RunConfig(), train_batch_size=4,
                                params=given).train(input_fn, max_steps=1)
    assert params == "unknown" or (
        seen[0]["batch_size"] if params == "a dict" else seen[0].batch_size) == 4
