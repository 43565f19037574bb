"""Where eager tensors are: what a machine that was said, and what a program configures, makes of tf.device.
Against TensorFlow itself: tests/oracle/test_placement_eager.py."""
import pytest

import shapeflow as tf
from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection
from shapeflow.tensorflow.python.framework import config, eager_devices

TASK = "/job:localhost/replica:0/task:0/device:"


@pytest.fixture(autouse=True)
def eager():
    version_detection.activate("2.21.0", "eager")
    yield
    _core.set_machine(None)
    eager_devices.forget()


def short(*tensors):
    return [t.device.replace(TASK, "") for t in tensors]


def four_cpus():
    eager_devices.set_logical([("%sCPU:%d" % (TASK, i), "CPU") for i in range(4)])


def test_the_innermost_scope_else_the_first_device():
    four_cpus()
    a = tf.ones([2])
    with tf.device("CPU:1"):
        v = tf.Variable([1., 2.])
        with tf.device("CPU:2"):
            made = [a + a, v, v.value(), v.read_value(), v.assign([3., 4.]), v.value(), a]
            with tf.device(None):
                made.append(a + a)
        made.append(a + a)
    made.append(a + a)
    assert "".join(short(*made)).split("CPU:")[1:] == list("2112110010")


def test_what_a_function_gives_is_where_the_call_is():
    four_cpus()
    told = []

    @tf.function
    def f(x):
        with tf.device("CPU:3"):
            y = x + 1
        told.extend([x.device, y.device])
        return y, x

    with tf.device("CPU:1"):
        a = tf.ones([2])
    made = f(a)
    with tf.device("CPU:2"):
        made += f(a)
    assert told[:2] == ["", "/device:CPU:3"]
    assert short(*made, a) == ["CPU:0", "CPU:0", "CPU:2", "CPU:2", "CPU:1"]


def test_a_variable_that_is_given_a_tensor_of_elsewhere_stays_where_it_is():
    four_cpus()
    with tf.device("CPU:1"):
        v = tf.Variable([1., 2.])
    w = tf.ones([2])
    v.assign(w)
    assert short(v, v.value(), w) == ["CPU:1", "CPU:1", "CPU:0"]


@pytest.mark.parametrize("machine, made", [
    ("cpu,gpu:2", ["GPU:0", "GPU:1", "CPU:0", "GPU:0"]), ("cpu:2", ["CPU:0", "CPU:0", "CPU:0", "CPU:0"]),
    (None, ["CPU:0", "CPU:0", "CPU:0", "CPU:0"])])
def test_what_nobody_places_is_on_the_first_gpu_of_the_machine(machine, made):
    _core.set_machine(machine)
    tensors = [tf.ones([1])]
    for name in ("gpu:1", "cpu:0"):
        with tf.device(name):
            tensors.append(tf.ones([1]))
    assert short(*tensors, tensors[1] + 1) == made
    assert tf.constant("text").device == TASK + "CPU:0"
    gpus = tf.config.list_physical_devices("GPU")
    assert [d.name for d in tf.config.list_logical_devices("GPU")] == [
        d.name.replace("physical_device", "device") for d in gpus]
    assert len(gpus) == (2 if machine == "cpu,gpu:2" else 0)


def test_without_soft_placement_what_is_not_there_is_refused_where_the_machine_is_known():
    a = tf.ones([1])
    tf.config.set_soft_device_placement(False)
    with tf.device("gpu:1"):
        assert short(a + a) == ["CPU:0"]  # nobody knows the machine
    _core.set_machine("cpu,gpu:1")
    words = "Could not satisfy device spec.*:GPU:1'. enable_soft_placement=0. Supported device types .GPU, "
    with tf.device("gpu:1"), pytest.raises(tf.errors.InvalidArgumentError, match=words):
        a + a
    assert short(a + a) == ["GPU:0"]


def test_of_a_cluster_nobody_knows_the_devices():
    four_cpus()
    a = tf.ones([1])
    with tf.device("/job:worker/task:3"), pytest.raises(tf.errors.InvalidArgumentError, match="job:worker"):
        a + a
    tf.config.experimental_connect_to_cluster("any")
    with tf.device("/job:worker/task:3"):
        assert (a + a).shape == [1]


def test_devices_are_as_the_program_configures_them(monkeypatch):
    monkeypatch.setattr(config, "_split", {})
    monkeypatch.setattr(config, "_visible", None)
    monkeypatch.setattr(config, "_were_asked_for", [False])
    monkeypatch.setattr(_core, "counters", lambda: {"ops": 0})
    _core.set_machine("cpu,gpu:2")
    gpus = tf.config.list_physical_devices("GPU")
    limit = tf.config.LogicalDeviceConfiguration(memory_limit=1024)
    tf.config.set_logical_device_configuration(gpus[0], [limit, limit])
    tf.config.set_visible_devices(gpus[0], "GPU")
    assert tf.config.get_logical_device_configuration(gpus[0]) == [limit, limit]
    assert [d.name for d in tf.config.list_logical_devices()] == [
        "/device:CPU:0", "/device:GPU:0", "/device:GPU:1"]
    with pytest.raises(RuntimeError, match="Visible devices cannot be modified after being initialized"):
        tf.config.set_visible_devices([], "GPU")
    with pytest.raises(RuntimeError, match="Virtual devices cannot be modified"):
        tf.config.set_logical_device_configuration(gpus[1], [limit])


@pytest.mark.parametrize("given, error, words", [
    (lambda op: "cpu:0", RuntimeError, "tf.device does not support functions."),
    (3, ValueError, "Expecting a string device name. Got <class 'int'>(3)"),
    ("foo", ValueError, "Unknown attribute 'foo' is encountered while parsing the device spec: 'foo'.")])
def test_what_is_no_device(given, error, words):
    with pytest.raises(error) as caught:
        with tf.device(given):
            pass
    assert str(caught.value) == words


def test_copies_of_a_mirrored_variable_are_on_their_devices():
    four_cpus()
    strategy = tf.distribute.MirroredStrategy(["cpu:1", "cpu:2"])
    with strategy.scope():
        v = tf.Variable([1.])
    assert short(v, *v.values) == ["CPU:1", "CPU:1", "CPU:2"]
    made = strategy.run(lambda x: v * x, args=(tf.ones([1]),))
    v.assign([2.])
    assert short(*made.values, *v.values) == ["CPU:1", "CPU:2", "CPU:1", "CPU:2"]


def test_only_version_one_takes_a_function():
    with tf.Graph().as_default():
        with tf.compat.v1.device(lambda op: "/cpu:1"):
            placed = tf.compat.v1.placeholder(tf.float32)
        assert placed.device.upper().endswith("CPU:1")
        with pytest.raises(RuntimeError, match="tf.device does not support functions."):
            tf.device(lambda op: "/cpu:1")
    with pytest.raises(RuntimeError, match="when eager execution is enabled"):
        tf.compat.v1.device(lambda op: "/cpu:1")
