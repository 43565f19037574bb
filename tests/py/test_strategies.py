"""tf.distribute: replicas by the machine that is said, and the part of a batch that each gets, as TensorFlow
2.21 gives with as many logical devices."""
import pytest

import shapeflow as tf
from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection

TASK = "/job:localhost/replica:0/task:0/device:"


@pytest.fixture(autouse=True)
def eager():
    version_detection.activate("2.21.0", "eager")
    yield
    _core.set_machine(None)


@pytest.mark.parametrize("machine, devices", [
    ("cpu,gpu:4", ["GPU:0", "GPU:1", "GPU:2", "GPU:3"]), ("a100-80gb*2", ["GPU:0", "GPU:1"]),
    ("cpu:2", ["CPU:0", "CPU:1"]), ("cpu", ["CPU:0"]), (None, ["CPU:0"])])
def test_a_replica_on_each_gpu_of_the_machine_else_on_its_cpus(machine, devices):
    _core.set_machine(machine)
    strategy = tf.distribute.MirroredStrategy()
    assert strategy.num_replicas_in_sync == len(devices)
    assert strategy.extended.worker_devices == tuple(TASK + name for name in devices)


@pytest.mark.parametrize("names", [["gpu:0", "GPU:1"], ["/gpu:0", "/device:GPU:1"],
                                   [TASK + "GPU:0", TASK + "GPU:1"]])
def test_names_of_devices_are_whole(names):
    strategy = tf.distribute.MirroredStrategy(names)
    assert strategy.extended.worker_devices == (TASK + "GPU:0", TASK + "GPU:1")


@pytest.mark.parametrize("drop", [False, True])
def test_each_replica_gets_its_part_of_a_batch(drop):
    strategy = tf.distribute.MirroredStrategy(["gpu:0", "gpu:1", "gpu:2", "gpu:3"])
    data = tf.data.Dataset.from_tensor_slices(tf.zeros([16, 3])).batch(8, drop_remainder=drop)
    for batch in strategy.experimental_distribute_dataset(data):
        made = strategy.run(lambda x: x * 2., args=(batch,))
        assert [t.shape for t in strategy.experimental_local_results(made)] == [[2, 3]] * 4
        assert strategy.reduce("SUM", made, axis=None).shape == [2, 3]
        assert strategy.reduce("MEAN", made, axis=0).shape == [3]
        assert strategy.gather(made, 0).shape == [8, 3]


def test_all_reduce_keeps_shapes_and_knows_its_replicas():
    strategy = tf.distribute.MirroredStrategy(["gpu:0", "gpu:1"])

    def step(x):
        context = tf.distribute.get_replica_context()
        assert context.num_replicas_in_sync == 2
        return context.all_reduce(tf.distribute.ReduceOp.SUM, x), context.all_gather(x, 0)

    summed, gathered = strategy.run(step, args=(tf.zeros([2, 3]),))
    assert summed.shape == [2, 3] and gathered.shape == [4, 3]


@pytest.mark.parametrize("devices", [["gpu:0", "gpu:1"], ["cpu:0"]])
def test_a_variable_of_a_mirroring_strategy_has_a_copy_for_each_device(devices):
    strategy = tf.distribute.MirroredStrategy(devices)
    with strategy.scope():
        made = tf.Variable([1., 2.])
    inside = []
    strategy.run(lambda: inside.append(tf.Variable(tf.zeros([3]))))
    for variable in (made, inside[0]):
        assert type(variable).__name__ == "MirroredVariable" and isinstance(variable, tf.Variable)
        assert len(variable.values) == len(devices)
        assert all(copy.shape == variable.shape for copy in variable.values)
    made.values[-1].assign_add([1., 1.])
    assert (made * 2.).numpy().tolist() == [4., 6.]


def test_other_variables_have_no_copies():
    with tf.distribute.OneDeviceStrategy("cpu:0").scope():
        placed = tf.Variable(1.)
    with tf.distribute.MirroredStrategy(["gpu:0", "gpu:1"]).scope():
        with tf.distribute.OneDeviceStrategy("cpu:0").scope():
            inner = tf.Variable(1.)
    for variable in (placed, inner, tf.Variable(1.)):
        assert type(variable).__name__ != "MirroredVariable" and not hasattr(variable, "values")
