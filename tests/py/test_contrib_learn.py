"""tf.contrib.learn's estimators: shapes, keys and errors as seen under TensorFlow 1.15."""

import numpy as np
import pytest

X, Y = np.zeros((10, 4), np.float32), np.array([0, 1, 2, 1, 0, 2, 1, 0, 1, 2])


def shapes(prediction):
    return sorted((key, list(np.shape(value))) for key, value in prediction.items())


def model(tf):
    def model_fn(x, y, mode, params):
        logits = tf.contrib.layers.stack(x, tf.contrib.layers.fully_connected, [5, 3])
        loss = tf.losses.sparse_softmax_cross_entropy(y, logits) if mode != "infer" else None
        step = None
        if mode == "train":
            step = tf.contrib.layers.optimize_loss(loss, tf.train.get_global_step(), 0.1, "SGD")
        predictions = {"class": tf.argmax(logits, 1), "prob": tf.nn.softmax(logits)}
        return tf.contrib.learn.ModelFnOps(mode, predictions, loss, step)

    return model_fn


def test_a_classifier_of_arrays(tf):
    learn = tf.contrib.learn
    classifier = learn.DNNClassifier([5], learn.infer_real_valued_columns_from_input(X), n_classes=3)
    assert sorted(classifier.fit(X, Y, steps=2).evaluate(X, Y)) == ["accuracy", "global_step", "loss"]
    assert [np.shape(row) for row in classifier.predict(X)] == [()] * 10
    assert next(iter(classifier.predict_proba(X))).shape == (3,)
    assert classifier.predict(X, as_iterable=False).shape == (10,)
    assert shapes(learn.SKCompat(classifier).predict(X)) == [
        ("classes", [10]),
        ("logits", [10, 3]),
        ("probabilities", [10, 3]),
    ]


def test_a_regressor(tf):
    regressor = tf.contrib.learn.LinearRegressor([tf.contrib.layers.real_valued_column("", dimension=4)])
    regressor.fit(X, Y.astype(np.float32), steps=2, batch_size=3)
    assert sorted(regressor.evaluate(X, Y.astype(np.float32))) == ["global_step", "loss"]
    assert [np.shape(row) for row in regressor.predict(X)] == [()] * 10


def test_a_column_is_as_wide_as_its_tensor(tf):
    columns = [tf.contrib.layers.real_valued_column("", dimension=3)]
    tf.contrib.learn.DNNClassifier([5], columns, n_classes=3).fit(X, Y, steps=1)


def test_a_model_function(tf):
    learn = tf.contrib.learn
    estimator = learn.Estimator(model(tf), params={"a": 1}).fit(X, Y, steps=3, batch_size=4)
    result = estimator.evaluate(
        X,
        Y,
        metrics={
            "old": learn.MetricSpec(tf.contrib.metrics.streaming_accuracy, prediction_key="class"),
            "new": learn.MetricSpec(tf.metrics.accuracy, prediction_key="class"),
        },
    )
    assert sorted(result) == ["global_step", "loss", "new", "old"] and int(result["global_step"]) == 3
    assert shapes(next(iter(estimator.predict(X)))) == [("class", []), ("prob", [3])]


def test_an_experiment(tf, tmp_path):
    def experiment(output_dir):
        estimator = tf.contrib.learn.Estimator(model(tf), model_dir=output_dir, params={})
        return tf.contrib.learn.Experiment(
            estimator,
            lambda: (tf.constant(X), tf.constant(Y)),
            lambda: (tf.constant(X), tf.constant(Y)),
            train_steps=2,
            eval_steps=1,
        )

    result, _ = tf.contrib.learn.learn_runner.run(experiment, output_dir=str(tmp_path))
    assert sorted(result) == ["global_step", "loss"]


def test_columns_of_features(tf):
    layers = tf.contrib.layers
    given = {
        "s": tf.sparse_placeholder(tf.string),
        "t": tf.sparse_placeholder(tf.string),
        "a": tf.placeholder(tf.float32, [None, 2]),
    }
    s, t = [layers.sparse_column_with_hash_bucket(key, 20) for key in "st"]
    total, variables, bias = layers.weighted_sum_from_feature_columns(
        given, [s, t, layers.crossed_column([s, t], 50)], 2
    )
    assert total.shape.as_list() == [None, 2] and bias.shape.as_list() == [2] and len(variables) == 3
    wide = layers.input_from_feature_columns(
        given,
        [
            layers.real_valued_column("a", 2),
            layers.embedding_column(s, 3),
            layers.one_hot_column(layers.sparse_column_with_keys("t", ["x", "y"])),
        ],
    )
    assert wide.shape.as_list() == [None, 7]


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda tf: tf.contrib.learn.ModelFnOps("train"), ValueError, "Missing train_op."),
        (
            lambda tf: tf.contrib.learn.Estimator(lambda x, y: 3).fit(X, Y, steps=1),
            TypeError,
            "has no len()",
        ),
        (
            lambda tf: tf.contrib.learn.Estimator(lambda x, y: (1, 2)).fit(X, Y, steps=1),
            ValueError,
            "please return",
        ),
        (
            lambda tf: tf.contrib.learn.Estimator(model(tf)).fit(X, Y, input_fn=lambda: 1),
            ValueError,
            "Can not provide both input_fn and x or y.",
        ),
        (
            lambda tf: tf.contrib.learn.Estimator(model(tf)).fit(X, Y, steps=1, max_steps=1),
            ValueError,
            "Can not provide both steps and max_steps.",
        ),
    ],
)
def test_what_does_not_fit_is_refused(tf, call, error, message):
    with pytest.raises(error, match=message):
        call(tf)
