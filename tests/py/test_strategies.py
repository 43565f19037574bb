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


def two():
    return tf.distribute.MirroredStrategy(["gpu:0", "gpu:1"])


def replica():
    return tf.distribute.get_replica_context()


@pytest.mark.parametrize("replicas, batch, count, expected", [
    (4, 8, 13, [[2, 2, 2, 2], [2, 2, 1, 0]]), (4, 9, 22, [[3, 3, 3, 0], [3, 3, 3, 0], [1, 1, 1, 1]]),
    (2, 8, 13, [[4, 4], [3, 2]]), (4, 3, 3, [[1, 1, 1, 0]]), (4, 8, 9, [[2, 2, 2, 2], [1, 0, 0, 0]])])
def test_each_replica_gets_its_part_of_a_batch(replicas, batch, count, expected):
    strategy = tf.distribute.MirroredStrategy(["gpu:%d" % i for i in range(replicas)])
    data = tf.data.Dataset.range(count).batch(batch)
    parts = list(strategy.experimental_distribute_dataset(data))
    assert [[t.shape[0] for t in part.values] for part in parts] == expected
    assert [sum((t.numpy().tolist() for t in part.values), []) for part in parts] == [
        list(range(at, min(at + batch, count))) for at in range(0, count, batch)]
    for part, sizes in zip(parts, expected):
        assert strategy.gather(part, 0).shape == [sum(sizes)]
        made = strategy.run(lambda x: tf.zeros([3]) + tf.reduce_sum(tf.cast(x, "float32")), args=(part,))
        assert strategy.reduce("SUM", made, axis=None).shape == [3]
        assert strategy.reduce("MEAN", made, axis=0).shape == []


def test_what_replicas_give_is_told_apart_and_printed_as_in_tensorflow():
    strategy = two()
    made = strategy.run(lambda: {"a": tf.constant(1), "b": (replica().replica_id_in_sync_group, 3, None)})
    assert str(made["b"][0]) == ("PerReplica:{\n  0: tf.Tensor(0, shape=(), dtype=int32),\n"
                                 "  1: tf.Tensor(1, shape=(), dtype=int32)\n}")
    assert repr(made["a"]) == ("PerReplica:{\n  0: <tf.Tensor: shape=(), dtype=int32, numpy=1>,\n"
                               "  1: <tf.Tensor: shape=(), dtype=int32, numpy=1>\n}")
    assert made["b"][1:] == (3, None) and strategy.experimental_local_results(3) == (3,)
    assert [int(t) for t in strategy.experimental_local_results(made["b"][0])] == [0, 1]
    assert int(strategy.reduce("SUM", made["b"][0], axis=None)) == 1
    assert isinstance(made["a"], tf.distribute.DistributedValues) and not hasattr(made["a"], "shape")
    for value in (tf.constant(2.), 2):
        with pytest.raises(ValueError, match="A non-DistributedValues value .* cannot be reduced with the "
                                             "given reduce op ReduceOp.SUM."):
            strategy.reduce("SUM", value, axis=None)
    with pytest.raises(ValueError, match="'FOO' is not a valid ReduceOp"):
        strategy.reduce("FOO", made["a"], axis=None)
    with pytest.raises(RuntimeError, match="Method requires being in cross-replica context"):
        strategy.run(lambda: strategy.run(lambda: 1))


def test_a_strategy_of_one_device_has_plain_values():
    strategy = tf.distribute.MirroredStrategy(["cpu:0"])
    made = strategy.run(lambda: tf.ones([2, 3]))
    assert made.shape == [2, 3] and strategy.experimental_local_results(made) == (made,)
    assert strategy.reduce("SUM", made, None) is made and strategy.gather(made, 0) is made


def test_merge_calls_run_once_for_all_replicas():
    strategy, seen = two(), []

    def merged(strategy, given, plain):
        seen.append((type(given).__name__, plain, replica(), tf.distribute.in_cross_replica_context()))
        return strategy.reduce("SUM", given, axis=None), given

    def step():
        summed, given = replica().merge_call(merged, args=(tf.ones([2]), 5))
        return summed + 1., given

    plus, given = strategy.run(step)
    assert seen == [("PerReplica", 5, None, True)]
    assert [t.shape for t in plus.values + given.values] == [[2]] * 4


def test_all_reduce_keeps_shapes_and_knows_its_replicas():
    strategy = two()

    def step(x):
        assert replica().num_replicas_in_sync == 2
        return replica().all_reduce(tf.distribute.ReduceOp.SUM, x), replica().all_gather(x, 0)

    summed, gathered = strategy.run(step, args=(tf.zeros([2, 3]),))
    assert [t.shape for t in summed.values] == [[2, 3]] * 2
    assert [t.shape for t in gathered.values] == [[4, 3]] * 2


def test_replicas_of_other_sizes_are_not_taken_for_alike():
    """The last batch: nobody knows how many rows another replica has when the first one gathers."""
    strategy = two()
    (part,) = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensors(tf.zeros([5, 3])))
    made = strategy.run(lambda x: replica().all_gather(x, 0), args=(part,))
    assert [t.shape.as_list() for t in made.values] == [[None, 3]] * 2


@pytest.mark.parametrize("devices", [["gpu:0", "gpu:1"], ["cpu:0"]])
def test_a_variable_of_a_mirroring_strategy_has_a_copy_for_each_device(devices):
    strategy = tf.distribute.MirroredStrategy(devices)
    with strategy.scope():
        made = tf.Variable([1., 2.], name="v")
    inside = []
    strategy.run(lambda: inside.append(tf.Variable(tf.zeros([3]))))
    for variable in (made, inside[0]):
        assert type(variable).__name__ == "MirroredVariable" and isinstance(variable, tf.Variable)
        assert isinstance(variable, tf.distribute.DistributedValues)
        assert len(variable.values) == len(devices)
        assert all(copy.shape == variable.shape for copy in variable.values)
    assert [v.name for v in made.values] == ["v:0", "v/replica_1:0"][:len(devices)]
    made.values[-1].assign_add([1., 1.])
    assert [v.numpy().tolist() for v in made.values] == [[1., 2.], [2., 3.]][2 - len(devices):]
    assert (made * 2.).numpy().tolist() == ([2., 4.] if len(devices) == 2 else [4., 6.])


def variable(**how):
    kinds = {"aggregation": tf.VariableAggregation, "synchronization": tf.VariableSynchronization}
    return tf.Variable(0., **{key: getattr(kinds[key], name) for key, name in how.items()})


@pytest.mark.parametrize("how, value", [
    ({}, 1.), ({"aggregation": "MEAN"}, 1.), ({"aggregation": "ONLY_FIRST_REPLICA"}, 1.),
    ({"aggregation": "SUM", "synchronization": "ON_READ"}, 2.),
    ({"aggregation": "MEAN", "synchronization": "ON_READ"}, 1.)])
def test_what_replicas_write_into_a_variable(how, value):
    strategy = two()
    with strategy.scope():
        made = variable(**how)
    strategy.run(lambda: made.assign_add(1.))
    assert made.numpy() == value and [v.numpy() for v in made.values] == [1., 1.]
    made.assign(8.)
    assert [v.numpy() for v in made.values] == [4. if value == 2. else 8.] * 2
    assert [float(t) for t in strategy.run(lambda: made + 1.).values] == [5. if value == 2. else 9.] * 2


def test_a_number_that_replicas_write_into_a_sum_is_refused_as_in_tensorflow():
    strategy = two()
    with strategy.scope():
        made = variable(aggregation="SUM")
    with pytest.raises(ValueError, match="A non-DistributedValues value 1.0 cannot be reduced"):
        strategy.run(lambda: made.assign_add(1.))
    strategy.run(lambda: made.assign_add(tf.constant(1.)))


def test_functions_over_parts_of_batches_are_traced_once_for_each_kind():
    strategy, runs = two(), []

    @tf.function
    def step(x):
        runs.append(x)
        return strategy.reduce("SUM", strategy.run(tf.reduce_sum, args=(x,)), axis=None)

    data = tf.data.Dataset.from_tensor_slices(tf.random.normal([4096, 64])).batch(1024)
    assert [step(x).shape for x in strategy.experimental_distribute_dataset(data)] == [[]] * 4
    assert len(runs) == 1 and type(runs[0]).__name__ == "PerReplica"


def test_batches_and_values_of_functions():
    strategy = two()
    data = strategy.distribute_datasets_from_function(
        lambda c: tf.data.Dataset.range(6).batch(c.get_per_replica_batch_size(4)))
    assert [[t.numpy().tolist() for t in x.values] for x in data] == [[[0, 1], [2, 3]], [[4, 5], []]]
    made = strategy.experimental_distribute_values_from_function(lambda c: c.replica_id_in_sync_group)
    assert made.values == (0, 1)


def test_devices_that_are_named_twice_or_wrongly():
    with pytest.raises(AssertionError, match="No duplicates allowed in `devices` argument"):
        tf.distribute.MirroredStrategy(["cpu:0", "CPU:0"])
    with pytest.raises(ValueError, match="Unknown attribute 'foo' is encountered"):
        tf.distribute.MirroredStrategy(["foo"])


def test_other_variables_have_no_copies():
    with tf.distribute.OneDeviceStrategy("cpu:0").scope():
        placed = tf.Variable(1.)
    with tf.distribute.MirroredStrategy(["gpu:0", "gpu:1"]).scope():
        with tf.distribute.OneDeviceStrategy("cpu:0").scope():
            inner = tf.Variable(1.)
    for variable in (placed, inner, tf.Variable(1.)):
        assert type(variable).__name__ != "MirroredVariable" and not hasattr(variable, "values")
