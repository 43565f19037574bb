"""Correct but unusual programs, all of which TensorFlow 2.21 runs: no finding, no AttributeError."""
import numpy as np
import pytest

from command import shapeflow
from shapeflow import _core


def _silent():
    return not [f for f in _core.findings() if f.severity == "error"]


def test_labels_that_a_loss_ignores(tf2):
    loss = tf2.keras.losses.SparseCategoricalCrossentropy
    labels, scores = tf2.constant([1, -1, 2]), tf2.zeros([3, 4])
    assert loss(from_logits=True, ignore_class=-1)(labels, scores).shape == []
    assert loss(True, -1)(labels, scores).shape == []
    assert tf2.keras.losses.sparse_categorical_crossentropy(labels, scores, True, -1).shape.ndims == 1
    with pytest.raises(Exception, match="label value of -1"):
        loss(from_logits=True)(labels, scores)


def test_numbers_of_eager_variables(tf2):
    step = tf2.Variable(3)
    assert int(step) == 3 and float(step) == 3.0 and complex(step) == 3
    with pytest.raises(TypeError):
        int(tf2.Variable([1.0, 2.0]))


def test_variables_of_graphs_are_no_numbers(tf):
    with pytest.raises(TypeError):
        int(tf.get_variable("v", []))


def test_a_layer_after_one_that_is_not_modelled(tf2):
    words, numbers = tf2.keras.Input((), dtype="string"), tf2.keras.Input((10,))
    hot = tf2.keras.layers.StringLookup(vocabulary=["a"], output_mode="one_hot")(words)
    cast = tf2.keras.layers.Lambda(lambda t: tf2.cast(t, "float32"))(hot)
    for part in (hot, cast):
        both = tf2.keras.layers.concatenate([tf2.keras.layers.Dense(4)(numbers), part])
        model = tf2.keras.Model([words, numbers], tf2.keras.layers.Dense(5)(both))
        assert model.output_shape == (None, 5)
    assert _silent()


def test_a_model_keeps_its_shape_when_it_is_fitted(tf2):
    class Doubled(tf2.keras.layers.Layer):
        def call(self, x):
            return x * 2

    x = tf2.keras.Input((30,))
    model = tf2.keras.Model(x, tf2.keras.layers.Dense(2)(Doubled()(x)))
    model.compile("sgd", "mse")
    model.fit(np.zeros((20, 30)), np.zeros((20, 2)), batch_size=8)
    assert model.output_shape == (None, 2) and model.layers[1].output.shape == (None, 30)


def test_steps_that_call_those_of_keras(tf2):
    seen = []

    class Mine(tf2.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf2.keras.layers.Dense(2)

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            x, y = data
            with tf2.GradientTape() as tape:
                loss = self.compute_loss(x=x, y=y, y_pred=self(x))
            grads = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply(grads, self.trainable_variables)
            seen.append(x.shape.as_list()[0])
            return {"loss": loss, "own": loss}

        def test_step(self, data):
            return super().test_step(data)

    model = Mine()
    model.compile("sgd", tf2.keras.losses.MeanSquaredError())
    history = model.fit(np.zeros((10, 3)), np.zeros((10, 2)), batch_size=4, validation_split=0.2)
    assert set(seen) == {4} and {"loss", "own", "val_loss"} <= set(history.history)
    assert sorted(model.evaluate(np.zeros((4, 3)), np.zeros((4, 2)), return_dict=True)) == ["loss"]
    model = Mine()
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="5 and 2"):
        model.fit(np.zeros((4, 3)), np.zeros((4, 5)))
    model = Mine()
    model.compile("sgd", "mse", metrics=["mae"])  # which its own step never updates
    with pytest.raises(ValueError, match="metric has not yet been built"):
        model.fit(np.zeros((4, 3)), np.zeros((4, 2)))


def test_weighted_metrics_are_results(tf2):
    model = tf2.keras.Sequential([tf2.keras.Input((3,)), tf2.keras.layers.Dense(2)])
    model.compile("sgd", "mse", weighted_metrics=["mae"])
    assert len(model.evaluate(np.zeros((4, 3)), np.zeros((4, 2)))) == 2
    assert np.shape(model.train_on_batch(np.zeros((4, 3)), np.zeros((4, 2)))[0]) == ()


def test_predictions_for_all_batches_of_a_data_set(tf2):
    model = tf2.keras.Sequential([tf2.keras.Input((3,)), tf2.keras.layers.Dense(2)])
    data = tf2.data.Dataset.from_tensor_slices(np.zeros((1000, 3), "f")).batch(7)
    assert model.predict(data).shape == (1000, 2)
    assert model.predict(data.repeat(), steps=3).shape == (21, 2)


def test_rates_and_counts_of_an_optimizer(tf2):
    optimizer = tf2.keras.optimizers.Adam(0.01)
    variable = tf2.Variable([1.0])
    while optimizer.iterations < 3:
        optimizer.apply_gradients([(variable, variable)])
    assert optimizer.iterations.numpy() == 3
    optimizer.learning_rate.assign(0.5)
    assert float(optimizer.learning_rate) == 0.5
    optimizer.learning_rate = 0.25
    assert float(optimizer.learning_rate) == 0.25 and optimizer.get_config()["learning_rate"] == 0.25


def test_ragged_tensors_are_unknown(tf2):
    ragged = tf2.ragged.constant([[1, 2], [3], []])
    for row in tf2.data.Dataset.from_tensor_slices(ragged).batch(2):
        assert row.to_tensor() is not None
        break
    tf2.ragged.stack([tf2.zeros([2]), tf2.zeros([3])])
    tf2.map_fn(tf2.range, tf2.constant([1, 3]), fn_output_signature=tf2.RaggedTensorSpec([None], tf2.int32))
    assert _silent()


def test_members_that_are_not_modelled(tf2):
    data = tf2.data.Dataset.range(6)
    data.group_by_window(lambda x: x % 2, lambda k, d: d.batch(2), window_size=2)
    data.apply(tf2.data.experimental.dense_to_ragged_batch(2))
    assert float(tf2.keras.optimizers.Adam().beta_1) is not None
    assert tf2.keras.layers.Dense(2).dtype_policy is not None
    assert not hasattr(data, "no_such_member")


def test_members_of_later_versions(tf):
    assert not hasattr(tf.data.Dataset.range(6), "group_by_window")


def test_the_graph_takes_nodes_after_a_monitored_session(tf):
    x = tf.get_variable("x", [])
    step = tf.train.get_or_create_global_step()
    with tf.train.MonitoredTrainingSession() as session:
        session.run([x, step])
        with pytest.raises(RuntimeError, match="finalized"):
            tf.zeros([2])
    assert tf.zeros([2]).shape == [2]
    graph = tf.get_default_graph()
    graph.finalize()
    graph._unsafe_unfinalize()
    assert tf.zeros([3]).shape == [3]


def test_functions_for_one_signature(tf2):
    class Net(tf2.Module):
        def __init__(self):
            super().__init__()
            self.parts = [tf2.Module(), tf2.Module()]

        @tf2.function(input_signature=[tf2.TensorSpec([None, 6], tf2.float32)])
        def __call__(self, x):
            return tf2.reduce_sum(x, 1)

    net = Net()
    assert len(net.submodules) == 2 and net(tf2.ones([2, 6])).shape == [2]
    concrete = net.__call__.get_concrete_function()
    assert concrete.structured_outputs.shape.as_list() == [None]
    assert concrete.outputs[0].dtype == tf2.float32 and concrete.inputs[0].shape.as_list() == [None, 6]


def test_functions_with_names_that_are_bound_later(tf2):
    @tf2.function
    def twice(x, more=False):
        return late(x) if more else x * 2  # noqa: F821

    concrete = twice.get_concrete_function(tf2.TensorSpec([2, 3]))
    assert concrete(tf2.ones([2, 3])).shape == [2, 3]
    late = tf2.identity
    assert concrete(late(tf2.ones([2, 3]))).shape == [2, 3]
    again = twice.get_concrete_function(tf2.TensorSpec([2, 3]))
    del late
    assert again(tf2.ones([2, 3])).shape == [2, 3]


def test_jacobians_of_batches(tf2):
    with tf2.GradientTape() as tape:
        x = tf2.ones([4, 3])
        tape.watch(x)
        y = tf2.einsum("bi,bj->bij", x, x)
    assert tape.batch_jacobian(y, x).shape == [4, 3, 3, 3]


def test_sparse_tensors_by_dense_ones(tf2):
    sparse = tf2.SparseTensor([[0, 0]], [1.0], [2, 2])
    assert (sparse * 2.0).shape == [2, 2] and sparse.with_values([3.0]).values.shape == [1]


def test_a_string_of_one_tensor(tf2):
    assert tf2.strings.format("a {}", tf2.constant(3)).shape == []
    assert tf2.strings.format("{} {}", (tf2.constant(3), tf2.zeros([2]))).shape == []
    with pytest.raises(ValueError, match="placeholder"):
        tf2.strings.format("{} {}", tf2.constant(3))


def test_dot_that_normalizes(tf):
    dot = tf.keras.layers.dot
    a, b = tf.keras.Input((4, 3)), tf.keras.Input((5, 3))
    assert dot([a, b], 2, True).shape.as_list() == [None, 4, 5]


def test_the_number_of_axes_of_symbolic_tensors(tf2):
    assert tf2.keras.Input((4, 5)).ndim == 3


FAILS = """import tensorflow as tf
x = tf.placeholder(tf.float32, [2, 3])
y = tf.matmul(x, x)
%s
"""


@pytest.mark.parametrize(
    "last", ["assert not x", "raise KeyError('')", "{}['x']", "assert False, 'Dimensions'"])
def test_a_failure_of_the_script_is_said_beside_findings(tmp_path, last):
    (tmp_path / "a.py").write_text(FAILS % last)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "a.py")
    assert done.returncode == 1 and "a.py:4:" in done.stderr and "to its end" in done.stderr


def test_a_finding_that_ends_the_script_is_no_failure(tmp_path):
    (tmp_path / "a.py").write_text(
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, [2, 3])\n"
        "try:\n    y = tf.matmul(x, x)\nexcept ValueError as error:\n    raise RuntimeError(str(error))\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "a.py")
    assert done.returncode == 1 and "to its end" not in done.stderr


def test_parts_of_variables_are_assigned_to(tf2):
    variable = tf2.Variable(tf2.zeros([2, 3]))
    for value in (5.0, [1.0], [1.0, 2.0, 3.0], [[1.0, 2.0, 3.0]]):
        variable[0].assign(value)
    assert variable[:, 1].assign([1.0, 2.0]).shape == [2, 3]
    with pytest.raises(tf2.errors.InvalidArgumentError, match="Cannot broadcast"):
        variable[0].assign([1.0, 2.0])


def test_what_a_signature_does_not_take(tf2):
    @tf2.function(input_signature=[tf2.TensorSpec([None, 4], tf2.float32), tf2.TensorSpec([], tf2.int32)])
    def total(x, n):
        return tf2.reduce_sum(x, 1)

    assert total(tf2.ones([2, 4]), 1).shape == [2]
    assert total([[1.0, 2.0, 3.0, 4.0]], n=2).shape == [1]
    assert total(tf2.Variable(tf2.ones([2, 4])), tf2.Variable(1)).shape == [2]
    assert not _core.findings()
    for wrong in ([2, 5], [4]):
        with pytest.raises(TypeError, match="Binding inputs to tf.function failed"):
            total(tf2.ones(wrong), 1)
    assert [f.code for f in _core.findings()] == ["SF106"] * 2
