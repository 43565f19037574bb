"""The package as such: cheap import, names that exist and names that do not, modes, modules."""
import importlib
import subprocess
import sys
import types

import pytest

import shapeflow
from shapeflow import _core
from shapeflow.api import index, installed_keras, modules, namespace, registry, snapshot
from shapeflow.tensorflow.compat import version_detection


def test_import_loads_neither_numpy_nor_re():
    code = ("import sys; before = set(sys.modules); import shapeflow; "
            "print(*sorted({'numpy', 're', 'typing'} & (set(sys.modules) - before)))")
    out = subprocess.run([sys.executable, "-S", "-c", "import sys; sys.path[:0] = %r; %s"
                          % (sys.path, code)], capture_output=True, text=True, check=True).stdout
    assert out.split() == []


def test_a_first_name_does_not_load_what_it_does_not_need():
    """Those are more than half of the time of a first name."""
    code = ("import sys; before = set(sys.modules); import shapeflow as tf; tf.Variable; tf.ones([2]) + 1; "
            "unneeded = {'numpy', 're', 'typing', 'inspect', 'shapeflow.checker'}; "
            "print(*sorted(unneeded & (set(sys.modules) - before)))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "\n", done.stdout + done.stderr


def test_index_is_up_to_date():
    code = "from shapeflow.api import make_index; print(make_index.index_text(), end='')"
    made = subprocess.run([sys.executable, "-c", "import sys; sys.path[:0] = %r; %s"
                           % (sys.path, code)], capture_output=True, text=True, check=True).stdout
    with open(index.__file__.replace(".py", ".txt"), encoding="utf-8") as f:
        assert f.read() == made


def test_every_registered_name_resolves(tf):
    for version in (1, 2):
        for name in registry._index(version):
            assert registry.find(name, version) is not registry.MISSING, name


def test_unknown_names_are_attribute_errors(tf):
    with pytest.raises(AttributeError, match="module 'tensorflow' has no attribute 'nosuch'"):
        tf.nosuch
    assert not hasattr(tf, "mul") and not hasattr(tf, "scalar_summary")
    assert hasattr(tf, "initialize_all_variables") and hasattr(tf, "contrib")


def test_a_namespace_is_called_as_the_version_calls_it(version):
    for name in ("2.21.0", "1.15.0", "2.21.0"):
        version(name)
        assert namespace.namespace("tf", 1).__name__ == "tensorflow" + ".compat.v1" * name.startswith("2")


def test_names_of_0_x_exist_then(version):
    tf = version("0.12.1")
    assert tf.__version__ == "0.12.1"
    for name in "mul sub pack unpack scalar_summary merge_all_summaries initialize_all_variables".split():
        assert callable(getattr(tf, name)), name
    x = tf.placeholder(tf.float32, [None, 3])
    assert tf.concat(1, [x, x]).get_shape().as_list() == [None, 6]
    assert [t.get_shape().as_list() for t in tf.split(1, 3, x)] == [[None, 1]] * 3
    tf.scalar_summary("loss", tf.reduce_mean(x))
    assert tf.merge_all_summaries().dtype == tf.string


def test_version_2_hides_version_1(tf2):
    assert tf2.__version__ == "2.21.0"
    for name in "placeholder Session contrib layers get_variable GraphKeys".split():
        assert not hasattr(tf2, name), name
    assert callable(tf2.compat.v1.placeholder)


def test_unmodelled_is_unknown_and_noticed_once(tf):
    made = tf.contrib.bayesflow.monte_carlo.expectation(1, 2)
    a, b = made.anything[3].more()
    assert (tf.constant(1.0) + a).get_shape().ndims is None
    assert (b * 2.0).dtype == tf.float32

    class Mine(tf.contrib.opt.PowerSignOptimizer):
        def __init__(self):
            super(Mine, self).__init__(learning_rate=0.1)
            self.mine = 1

    assert Mine().mine == 1


def test_unmodelled_parts_do_not_cut_gradients(tf):
    w = tf.Variable(tf.zeros([3, 2]))
    hidden = tf.contrib.bayesflow.monte_carlo.expectation(abs, tf.matmul(tf.zeros([4, 3]), w))
    loss = tf.reduce_mean(tf.convert_to_tensor(hidden * 2.0))
    (grad,) = tf.gradients(loss, [w])
    assert grad.get_shape().as_list() == [3, 2]
    assert tf.train.AdamOptimizer().minimize(loss) is not None


@pytest.mark.parametrize("source, expected", [
    ('import tensorflow as tf\nassert tf.__version__ == "1.8.0"\n', ("1.8.0", "graph")),
    ('import tensorflow as tf\nassert tf.__version__[:len("0.12.")] == "0.12."\n', ("0.12.1", "graph")),
    ("import tensorflow as tf\nassert tf.__version__.startswith('1.4')\n", ("1.4.0", "graph")),
    ("import tensorflow as tf\nx = tf.placeholder(tf.float32)\n", ("1.15.0", "graph")),
    ("import tensorflow as tf\ny = tf.mul(a, b)\n", ("0.12.1", "graph")),
    ("import tensorflow as T\nT.Session()\n", ("1.15.0", "graph")),
    ("import tensorflow as tf\nimport requests\nrequests.Session()\n", ("2.21.0", "eager")),
    ("import tensorflow as tf\ntf.Variable(1)\n", ("2.21.0", "eager")),
    ("import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n", ("2.21.0", "graph")),
    ("from tensorflow.examples.tutorials.mnist import input_data\n", ("1.15.0", "graph")),
    ("", ("2.21.0", "eager")),
])
def test_mode_is_read_off_the_source(source, expected):
    assert version_detection.decide(source) == expected


def test_environment_wins(monkeypatch):
    monkeypatch.setenv("SHAPEFLOW_TF_VERSION", "1.4.0")
    assert version_detection.choose("import tensorflow as tf\n") == ("1.4.0", "graph")
    monkeypatch.setenv("SHAPEFLOW_MODE", "eager")
    monkeypatch.delenv("SHAPEFLOW_TF_VERSION")
    assert version_detection.choose("import tensorflow as tf\ntf.placeholder(1)\n") == ("2.21.0", "eager")


@pytest.mark.parametrize("path, name", [
    ("tensorflow.python.framework.ops", "convert_to_tensor"),
    ("tensorflow.python.framework.ops", "reset_default_graph"),
    ("tensorflow.python.ops.variable_scope", "get_variable"),
    ("tensorflow.python.ops.array_ops", "reshape"),
    ("tensorflow.python.ops.nn", "conv2d"),
    ("tensorflow.python.training.moving_averages", "assign_moving_average"),
    ("tensorflow.python.client.device_lib", "list_local_devices"),
    ("tensorflow.contrib.layers", "xavier_initializer"),
    ("tensorflow.compat.v1", "placeholder"),
    ("tensorflow.examples.tutorials.mnist.input_data", "read_data_sets"),
])
def test_private_and_public_paths_are_modules(tf, path, name):
    module = modules.resolve_module(path)
    assert callable(getattr(module, name))


def test_import_of_submodules(tf):
    layers = importlib.import_module("shapeflow.contrib.layers")
    from shapeflow.python.ops import variable_scope as vs

    assert layers.xavier_initializer() is not None
    assert vs.get_variable is shapeflow.get_variable
    with pytest.raises(ImportError):
        importlib.import_module("shapeflow.nonsense")


def test_switching_versions_forgets_names(version):
    tf = version("1.15.0")
    assert tf.Session and tf.__version__ == "1.15.0"
    tf = version("2.21.0", "eager")
    assert not hasattr(tf, "Session") and tf.__version__ == "2.21.0"
    assert _core.executing_eagerly()


@pytest.mark.parametrize("space", ["initializers", "losses", "metrics", "optimizers"])
def test_what_tensorflow_2_takes_from_keras_is_the_same(tf2, space):
    """Both names of all that TensorFlow lists there lead to one object, of the Keras that is installed."""
    if installed_keras.version() < (3,):
        pytest.skip("Keras 3 is not installed")
    ours, keras = getattr(tf2, space), getattr(tf2.keras, space)
    prefix = f"tf.{space}."
    listed = [name[len(prefix):] for name, _ in snapshot.of((2, 21)).public_names()
              if name.startswith(prefix) and "." not in name[len(prefix):]]
    same = [name for name in listed if hasattr(keras, name)]
    assert len(same) > 10 and all(getattr(ours, name) is getattr(keras, name) for name in same)
    classes = [getattr(ours, name) for name in same if isinstance(getattr(ours, name), type)]
    assert len(classes) > 10 and all(kind.__module__.startswith("keras.") for kind in classes)


def test_a_name_that_was_found_is_looked_up_as_in_any_module(tf):
    """A class that defines __getattr__ makes every lookup in its modules four times as slow."""
    assert type(tf.nn).__getattribute__ is types.ModuleType.__getattribute__
    assert not any("__getattr__" in vars(base) for base in type(tf.nn).__mro__)
    before = tf.nn.relu
    assert tf.nn.relu is before
