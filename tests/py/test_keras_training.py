"""What fit, evaluate and a model's own steps are given and say. Expectations are TensorFlow 2.21's."""
import numpy as np
import pytest

from shapeflow import _core


def codes():
    return [f.code for f in _core.findings() if f.severity == "error"]


def kind(data):
    if type(data) in (tuple, list):
        return "%s(%s)" % (type(data).__name__, ", ".join(map(kind, data)))
    return "dict" if isinstance(data, dict) else "None" if data is None else "tensor"


@pytest.fixture
def steps(tf2):
    """A model that notes what its own steps are given."""
    seen = []

    class Noting(tf2.keras.Model):
        def train_step(self, data):
            seen.append(kind(data))
            return {"loss": tf2.constant(0.0)}

        def test_step(self, data):
            seen.append("test " + kind(data))
            return {"loss": tf2.constant(0.0)}

    model = Noting()
    model.compile("adam")
    return model, seen


z, v = np.zeros((4, 3), "f"), np.zeros((4,), "f")
GIVEN = [
    ((z,), {}, "tensor"), (({"a": z},), {}, "dict"), (([z, z],), {}, "tuple(tuple(tensor, tensor))"),
    (((z, z),), {}, "tuple(tuple(tensor, tensor))"), ((z, v), {}, "tuple(tensor, tensor)"),
    ((z, [v, v]), {}, "tuple(tensor, tuple(tensor, tensor))"), (({"a": z}, v), {}, "tuple(dict, tensor)"),
    ((z, v), {"sample_weight": v}, "tuple(tensor, tensor, tensor)"), ((z,), {"sample_weight": v}, "tensor"),
]


@pytest.mark.parametrize("args,kwargs,wanted", GIVEN, ids=[str(i) for i in range(len(GIVEN))])
def test_what_a_step_is_given_of_arrays(steps, args, kwargs, wanted):
    model, seen = steps
    model.fit(*args, batch_size=4, verbose=0, **kwargs)
    model.evaluate(*args, batch_size=4, verbose=0, **kwargs)
    assert seen == [wanted, "test " + wanted]


@pytest.mark.parametrize("make,wanted", [
    (lambda: z, "tensor"), (lambda: (z,), "tuple(tensor)"), (lambda: (z, z), "tuple(tensor, tensor)"),
    (lambda: {"a": z}, "dict"), (lambda: ((z, z),), "tuple(tuple(tensor, tensor))"),
    (lambda: ((z, z), v), "tuple(tuple(tensor, tensor), tensor)")])
def test_what_a_step_is_given_of_a_data_set(tf2, steps, make, wanted):
    model, seen = steps
    data = tf2.data.Dataset.from_tensor_slices(make()).batch(4)
    model.fit(data, verbose=0)
    assert seen == [wanted]


@pytest.mark.parametrize("args,wanted", [
    ((z,), "tuple(tensor, None, None)"), ((z, v), "tuple(tensor, tensor, None)"),
    (([z, z],), "tuple(list(tensor, tensor), None, None)"), (({"a": z},), "tuple(dict, None, None)")])
def test_what_a_step_is_given_of_one_batch(steps, args, wanted):
    model, seen = steps
    model.train_on_batch(*args)
    model.test_on_batch(*args)
    assert seen == [wanted, "test " + wanted]


VECTORS = [
    ("Precision(thresholds=[.1, .5])", [2]), ("Recall([.1, .5, .6])", [3]), ("TruePositives([.5])", []),
    ("FalseNegatives(.5)", []), ("Precision(top_k=2)", []), ("F1Score()", [3]),
    ("F1Score(average='micro')", []),
    ("FBetaScore(None, 2., .5)", [3]),
    ("R2Score()", []), ("R2Score(class_aggregation=None)", [3]),
    ("PrecisionAtRecall(.5)", []), ("OneHotIoU(3, [0])", [])]


@pytest.mark.parametrize("text,wanted", VECTORS)
def test_metrics_that_give_more_than_one_number(tf2, text, wanted):
    metric = eval(text, dict(vars(tf2.keras.metrics)))
    metric.update_state(np.zeros((4, 3), "f"), np.zeros((4, 3), "f"))
    assert metric.result().shape.as_list() == wanted and codes() == []


def named(tf2, compiled, outputs=2):
    layers = tf2.keras.layers
    x = tf2.keras.Input((4,))
    made = [layers.Dense(1, name="p")(x), layers.Dense(3, name="q")(x)][:outputs]
    model = tf2.keras.Model(x, made if outputs > 1 else made[0])
    model.compile("sgd", **compiled)
    y = [np.zeros((4, 1)), np.zeros((4, 3))][:outputs]
    y = y if outputs > 1 else y[0]
    told = model.fit(np.zeros((4, 4)), y, verbose=0).history
    return sorted(told), model.evaluate(np.zeros((4, 4)), y, verbose=0), told


@pytest.mark.parametrize("compiled,wanted", [
    ({"loss": "mse"}, "loss p_loss q_loss"), ({"loss": [None, "mse"]}, "loss"),
    ({"loss": ["mse", "mae"], "metrics": [["mae"], ["mse"]]}, "loss p_loss p_mae q_loss q_mse"),
    ({"loss": {"p": "mse", "q": "mse"}, "metrics": {"q": ["mae"]}}, "loss p_loss q_loss q_mae")])
def test_the_numbers_of_several_outputs(tf2, compiled, wanted):
    names, numbers, _ = named(tf2, compiled)
    assert names == wanted.split() and np.size(numbers) == len(names) and codes() == []


def test_the_numbers_of_one_output(tf2):
    names, numbers, _ = named(tf2, {"loss": "mse", "metrics": ["mae"], "weighted_metrics": ["mae"]}, 1)
    assert names == ["loss", "mae", "weighted_mae"] and len(numbers) == 4
    recall = tf2.keras.metrics.Recall(thresholds=[0.1, 0.5], name="r")
    names, numbers, told = named(tf2, {"loss": "mse", "metrics": [recall]}, 1)
    assert np.shape(numbers[1]) == (2,) and np.shape(told["r"]) == (1, 2)


def test_the_numbers_of_outputs_with_keys(tf2):
    x = tf2.keras.Input((4,))
    model = tf2.keras.Model(x, {"a": tf2.keras.layers.Dense(1)(x), "b": tf2.keras.layers.Dense(3)(x)})
    model.compile("sgd", {"a": "mse", "b": "mse"}, metrics={"b": ["mae"]})
    y = {"a": np.zeros((4, 1)), "b": np.zeros((4, 3))}
    assert sorted(model.fit(np.zeros((4, 4)), y, verbose=0).history) == ["a_loss", "b_loss", "b_mae", "loss"]
    assert len(model.evaluate(np.zeros((4, 4)), y, verbose=0)) == 4
    assert model.metrics_names == ["loss", "compile_metrics", "a_loss", "b_loss"] and codes() == []


@pytest.mark.parametrize("text,wanted", [
    ("x[:, -1]", (2, 3)), ("ops.transpose(x, (0, 2, 1))", (2, 3, 4)), ("ops.sum(x, 1)", (2, 3)),
    ("ops.sum(x, 1) / 3.", (2, 3)), ("ops.reshape(x, (-1, 12))", (2, 12)),
    ("ops.concatenate([x, x], -1)", (2, 4, 6))])
def test_predictions_of_a_model_of_plain_operations(tf2, text, wanted):
    x = tf2.keras.Input((4, 3))
    model = tf2.keras.Model(x, eval(text, {"x": x, "ops": tf2.keras.ops}))
    given = np.zeros((2, 4, 3), "f")
    assert model.predict(given, verbose=0).shape == wanted == tuple(model(given).shape)


def test_losses_are_those_of_the_last_call(tf2):
    class Own(tf2.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.dense = tf2.keras.layers.Dense(3, kernel_regularizer=tf2.keras.regularizers.L2(0.1))

        def call(self, x):
            self.add_loss(tf2.reduce_mean(x))
            return self.dense(x)

    own = Own()
    for _ in range(2):
        own(tf2.zeros([2, 4]))
        assert len(own.losses) == 2
    x = tf2.keras.Input((4,))
    model = tf2.keras.Model(x, own(x))
    assert len(model.losses) == 1
    model.compile("sgd", "mse")
    model.fit(np.zeros((5, 4)), np.zeros((5, 3)), batch_size=2, verbose=0)
    model.predict(np.zeros((5, 4)), verbose=0)
    assert len(model.losses) == 2


def test_a_loss_of_the_user_gets_targets_as_tensorflow_1_makes_their_placeholders(tf):
    """Expectations are TensorFlow 1.15's, where compile() makes a placeholder of the output's dtype."""
    seen = []

    def loss(y_true, y_pred):
        seen.append(y_true.dtype)
        return tf.reduce_mean(y_true * tf.square(y_pred))

    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile("sgd", loss)
    model.fit(np.zeros((8, 4)), np.array([0, 1] * 4))
    assert set(seen) == {tf.float32} and not codes()

    def of_classes(y_true, y_pred):
        return tf.keras.backend.sparse_categorical_crossentropy(y_true, y_pred)

    model = tf.keras.Sequential([tf.keras.layers.Dense(5, activation="softmax", input_shape=(4,))])
    model.compile("sgd", of_classes)
    model.fit(np.zeros((8, 4)), np.array([0, 1] * 4))
    assert not codes()
