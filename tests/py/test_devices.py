"""Devices as a user meets them: --devices, device of the configuration, names that tf.device refuses."""
import pytest

import shapeflow as tf
from command import lines, shapeflow
from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection

GPU_1 = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
with tf.device('/gpu:1'):
    w = tf.get_variable('w', [3, 2])
    y = tf.matmul(x, w)
with tf.Session({config}) as session:
    session.run(tf.global_variables_initializer())
    session.run(y, {{x: [[1., 2., 3.]]}})
"""


def check(tmp_path, text, *options):
    (tmp_path / "train.py").write_text(text)
    return shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--format", "concise",
                     "--tf-version",
                     "1.15.0", *options, "train.py")


def test_a_device_that_is_not_there_is_told_at_its_with(tmp_path):
    done = check(tmp_path, GPU_1.format(config=""), "--devices", "cpu,gpu:1")
    assert done.returncode == 1
    assert lines(done) == [("train.py", 3, "SF309")]
    assert "w was explicitly assigned to /device:GPU:1" in done.stdout.replace("{{node w}}", "w")


@pytest.mark.parametrize("devices", [(), ("--devices", "cpu,gpu:2"), ("--devices", "a100-80gb*2")])
def test_no_word_where_it_is_there_or_no_machine_is_named(tmp_path, devices):
    done = check(tmp_path, GPU_1.format(config=""), *devices)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["/job:ps/task:1", "/job:localhost/task:7/cpu:0", "/device:TPU:0",
                                  "/gpu:300",
                                  "/device:NOTHING:0"])
def test_jobs_tasks_kinds_and_numbers_that_are_not_there(tmp_path, name):
    done = check(tmp_path, GPU_1.format(config="").replace("/gpu:1", name), "--devices", "cpu,gpu:2")
    assert lines(done) == [("train.py", 3, "SF309")]
    assert "was explicitly assigned to" in done.stdout and "available devices are" in done.stdout


def test_soft_placement_takes_another(tmp_path):
    text = GPU_1.format(config="config=tf.ConfigProto(allow_soft_placement=True)")
    assert check(tmp_path, text, "--devices", "cpu").returncode == 0


def test_the_configuration_names_the_machine(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.shapeflow]\ndevice = "t4"\n')
    assert check(tmp_path, GPU_1.format(config="")).returncode == 1
    (tmp_path / "pyproject.toml").write_text('[tool.shapeflow]\ndevice = "t5"\n')
    done = check(tmp_path, GPU_1.format(config=""))
    assert done.returncode == 2 and "'t5' is no device" in done.stderr and "t4" in done.stderr


@pytest.mark.parametrize("devices, words", [
    ("a100", "nearest: a100-40gb, a100-80gb"), ("gpu:x", "has no number of devices"),
    (",", "no device is named")])
def test_a_machine_that_is_none(tmp_path, devices, words):
    done = check(tmp_path, "import tensorflow as tf\n", "--devices", devices)
    assert done.returncode == 2 and words in done.stderr and "--devices: " in done.stderr


def test_the_option_that_was_given_is_named(tmp_path):
    done = check(tmp_path, "import tensorflow as tf\n", "--device=a1")
    assert done.returncode == 2 and "--device: 'a1' is no device" in done.stderr


def test_malformed_names_are_tensorflows_value_error(tmp_path):
    done = check(tmp_path, """\
import tensorflow as tf
for name in ('/foo:0', '/cpu:x', '/cpu:0/gpu:1'):
    try:
        with tf.device(name):
            pass
        raise SystemExit(name)
    except ValueError as error:
        print(error)
with tf.device('/job:a/task:1/device:GPU:3'), tf.device(tf.DeviceSpec(job='b')):
    assert tf.constant(1.).device == '/job:b/task:1/device:GPU:3', tf.constant(1.).device
with tf.colocate_with(tf.get_default_graph().get_operations()[0]):
    assert tf.constant(1.).device == '/job:b/task:1/device:GPU:3'
assert tf.constant(1.).device == ''
""")
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_op_without_a_kernel_for_gpus(tmp_path):
    text = """\
import tensorflow as tf
with tf.device('/gpu:0'):
    s = tf.as_string(tf.random_uniform([2]))
with tf.Session() as session:
    session.run(s)
"""
    done = check(tmp_path, text, "--devices", "t4")
    assert lines(done) == [("train.py", 2, "SF309")]
    assert "no supported kernel for GPU devices is available" in done.stdout


def test_slots_averages_and_sizes_are_beside_what_they_are_of():
    """Whatever the scopes around the optimizer say: no two devices are asked for one variable."""
    version_detection.activate("1.15.0", "graph")
    _core.set_machine("cpu:3")
    try:
        with tf.Graph().as_default() as graph:
            with tf.device("/cpu:2"):
                v = tf.get_variable("v", [2])
                queue = tf.FIFOQueue(4, [tf.float32], shapes=[[2]], name="queue")
            with tf.device("/cpu:1"):
                tf.train.AdamOptimizer().minimize(tf.reduce_sum(v))
                tf.train.ExponentialMovingAverage(.9).apply([v])
                queue.size()
            with tf.Session(graph=graph) as session:
                session.run(tf.global_variables_initializer())
                found = {name: device[-1] for name, device in session.placement().items()}
    finally:
        _core.set_machine(None)
    names = ("v/Adam", "v/Adam_1", "beta1_power", "Adam/update_v/ApplyAdam", "v/ExponentialMovingAverage",
             "ExponentialMovingAverage", "queue_Size", "Adam", "Sum")
    assert "".join(found[name] for name in names) == "222222221"
    assert graph.get_operation_by_name("v/Adam").colocation_groups() == [b"loc:@v"]


def test_who_takes_a_reference_or_is_beside_a_resource_is_in_the_variable_s_group():
    version_detection.activate("1.15.0", "graph")
    with tf.Graph().as_default() as graph:
        v, r = tf.get_variable("v", [2, 3]), tf.get_variable("r", [2], use_resource=True)
        tf.assign_add(v, v * 2., name="add")
        tf.scatter_update(v, [0], [[1., 2., 3.]], name="scatter")
        tf.nn.embedding_lookup(v, [0], name="rows")
        tf.train.AdamOptimizer().minimize(tf.reduce_sum(r))
        with tf.colocate_with(r):
            tf.constant(1., name="c")
        r.assign_add([1., 1.], name="own")
    group = {name: graph.get_operation_by_name(name).colocation_groups() for name in (
        "v", "v/Assign", "add", "scatter", "rows", "r/Adam", "r/Adam/Assign", "c", "r/Assign", "own")}
    assert [group.pop(name) for name in ("r/Assign", "own")] == [[b"loc:@r/Assign"], [b"loc:@own"]]
    assert {name: found[0].decode()[-2:] for name, found in group.items()} == {
        name: "@v" if name in ("v", "v/Assign", "add", "scatter", "rows") else "@r" for name in group}


@pytest.mark.parametrize("version, devices", [("1.15.0", "0"), ("2.21.0", "2")])
def test_colocation_that_cannot_be_is_ignored_where_placement_is_soft(version, devices):
    version_detection.activate(version, "graph")
    api = tf.compat.v1 if version[0] == "2" else tf
    _core.set_machine("cpu:3")
    try:
        with api.Graph().as_default() as graph:
            with tf.device("/cpu:1"):
                a = tf.identity([1.])
            with tf.device("/cpu:2"):
                b = tf.identity([2.])
            with api.colocate_with(a), api.colocate_with(b):
                tf.add(a, b, name="sum")
            with api.Session(graph=graph, config=api.ConfigProto(allow_soft_placement=True)) as session:
                session.run("sum:0")
                assert session.placement()["sum"][-1] == devices
    finally:
        _core.set_machine(None)
        version_detection.activate("1.15.0", "graph")


def test_a_device_that_a_function_gives_is_told_as_it_gives_it():
    """As TensorFlow 1.15; what is merged is written in full."""
    version_detection.activate("1.15.0", "graph")
    found = []
    with tf.Graph().as_default():
        for outer, inner in [
                (lambda op: "/cpu:1", None), ("/job:worker", lambda op: "/cpu:1"),
                (lambda op: "/cpu:1", "/job:worker"), (lambda op: op.device + "/gpu:2", "/task:1"),
                (lambda op: tf.DeviceSpec.from_string("/cpu:1"), None), ("/cpu:1", None)]:
            with tf.device(outer), tf.device(inner or ""):
                found.append(tf.constant(1.).device)
    assert found == ["/cpu:1", "/job:worker/device:CPU:1", "/cpu:1", "/task:1/gpu:2", "/device:CPU:1",
                     "/device:CPU:1"]
