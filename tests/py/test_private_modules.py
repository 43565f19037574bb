"""TensorFlow's own files: `import tensorflow.python.ops.math_ops` and its like, in each version."""
import importlib
import importlib.util
import inspect
import os
import pickle
import random
import subprocess
import sys
import threading
import types

import numpy as np
import pytest

from command import shapeflow, write
from shapeflow.api import modules, snapshot, sources
from shapeflow.tensorflow.compat import requirements

ROOTS = ("tensorflow", "tensorflow_core", "tensorflow_estimator")
VERSIONS = {"0.12.1": "graph", "1.8.0": "graph", "1.15.0": "graph", "2.21.0": "eager"}


def is_tensorflow(name):
    return name.partition(".")[0] in ROOTS


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return modules.spec(name) if is_tensorflow(name) else None


@pytest.fixture
def hooked(version):
    """`version`, with `import tensorflow` leading to ours."""
    def forget():
        return {name: sys.modules.pop(name) for name in list(sys.modules) if is_tensorflow(name)}

    before = forget()
    sys.meta_path.insert(0, Finder)

    def switch(number):
        forget()
        return version(number, VERSIONS.get(number, "graph"))

    yield switch
    sys.meta_path.remove(Finder)
    forget()
    sys.modules.update(before)


def source_paths(number):
    return snapshot.of(tuple(int(part) for part in number.split(".")[:2])).sources()


@pytest.mark.parametrize("number", VERSIONS)
def test_every_source_imports_and_a_sample_of_its_names_is_there(hooked, number):
    hooked(number)
    paths = source_paths(number)
    chosen = random.Random(3)
    for path in paths:
        module = importlib.import_module(path)
        assert module is sys.modules[path]
        if module.__name__ == path and isinstance(module, sources.SourceModule):
            assert module.__spec__.name == path and module.__package__ == (
                path if hasattr(module, "__path__") else path.rpartition(".")[0])
    for path in chosen.sample(paths, 150):
        module = modules.resolve_module(path)
        names = sorted(dir(module))
        for name in chosen.sample(names, min(6, len(names))):
            getattr(module, name)


def test_names_are_the_public_objects(hooked):
    tf = hooked("2.21.0")
    from tensorflow.python.eager import context, def_function
    from tensorflow.python.framework import dtypes, ops, tensor_shape
    from tensorflow.python.ops import array_ops, math_ops, nn_ops, variable_scope
    from tensorflow.python.ops.linalg import linear_operator
    from tensorflow.python.training import moving_averages

    assert ops.Graph is tf.Graph and ops.device is tf.compat.v1.device
    assert math_ops.matmul is tf.matmul and math_ops.argmax is tf.compat.v1.argmax
    assert array_ops.zeros is tf.zeros and array_ops.placeholder is tf.compat.v1.placeholder
    assert dtypes.float32 is tf.float32 and tensor_shape.TensorShape is tf.TensorShape
    assert context.executing_eagerly is tf.executing_eagerly and def_function.function is tf.function
    assert variable_scope.get_variable is tf.compat.v1.get_variable
    assert linear_operator.LinearOperator is tf.linalg.LinearOperator
    assert moving_averages.ExponentialMovingAverage is tf.train.ExponentialMovingAverage
    assert math_ops.ops is ops and nn_ops.math_ops is math_ops  # as the files import each other
    assert nn_ops.gen_nn_ops is importlib.import_module("tensorflow.python.ops.gen_nn_ops")
    assert math_ops.np is np and ops.threading is threading


def test_names_of_the_versions_before(hooked):
    tf = hooked("1.15.0")
    from tensorflow.contrib.layers.python.layers import layers
    from tensorflow.core.framework.graph_pb2 import GraphDef
    from tensorflow.python.keras.layers import Dense
    from tensorflow.python.ops import rnn_cell_impl
    from tensorflow.python.ops.control_flow_ops import with_dependencies
    from tensorflow_core.python.ops import math_ops as core_math_ops
    from tensorflow_estimator.python.estimator.estimator import Estimator

    assert layers.conv2d is tf.contrib.layers.conv2d and GraphDef is tf.GraphDef
    assert Dense is tf.keras.layers.Dense and rnn_cell_impl.LSTMCell is tf.nn.rnn_cell.LSTMCell
    assert core_math_ops is importlib.import_module("tensorflow.python.ops.math_ops")
    assert core_math_ops.__spec__.name == "tensorflow.python.ops.math_ops"
    assert inspect.isclass(Estimator) and callable(with_dependencies)
    assert tf.contrib.keras.layers.Dense is tf.keras.layers.Dense

    tf = hooked("0.12.1")
    from tensorflow.python.framework import ops
    from tensorflow.python.ops.rnn_cell import BasicLSTMCell

    assert ops.convert_to_tensor is tf.convert_to_tensor
    assert BasicLSTMCell is tf.nn.rnn_cell.BasicLSTMCell


def test_a_file_copied_from_keras_is_what_it_was(hooked):
    tf = hooked("2.21.0")
    from tensorflow.python.keras import backend
    from tensorflow.python.keras.layers import LSTM, Dense  # 2.21 has no LSTM there any more

    assert Dense is tf.keras.layers.Dense and backend.mean is tf.keras.backend.mean
    assert LSTM is tf.keras.layers.LSTM


@pytest.mark.parametrize("number", ["1.15.0", "2.21.0"])
def test_what_is_not_there_is_said_in_pythons_words(hooked, number):
    hooked(number)
    from tensorflow.python.ops import math_ops

    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'tensorflow\.python\.ops\.nope'$"):
        importlib.import_module("tensorflow.python.ops.nope")
    with pytest.raises(ModuleNotFoundError, match=(
            r"^No module named 'tensorflow\.python\.ops\.math_ops\.x'; "
            r"'tensorflow\.python\.ops\.math_ops' is not a package$")):
        importlib.import_module("tensorflow.python.ops.math_ops.x")
    with pytest.raises(ImportError, match=(
            r"^cannot import name 'nope' from 'tensorflow\.python\.ops\.math_ops' "
            r"\(.*tensorflow/python/ops/math_ops\.py\)$")):
        from tensorflow.python.ops.math_ops import nope  # noqa: F401
    with pytest.raises(AttributeError, match=(
            r"^module 'tensorflow\.python\.ops\.math_ops' has no attribute 'nope'$")):
        math_ops.nope
    with pytest.raises(AttributeError):
        math_ops.__wrapped__
    assert importlib.util.find_spec("tensorflow.python.ops.nope") is None


def test_modules_of_another_version_are_not_there(hooked):
    hooked("2.21.0")
    with pytest.raises(ModuleNotFoundError, match="^No module named 'tensorflow.contrib'$"):
        importlib.import_module("tensorflow.contrib.slim.python.slim.nets.vgg")
    assert importlib.util.find_spec("tensorflow_core") is None
    hooked("1.15.0")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("tensorflow.python.trackable.base")
    assert importlib.import_module("tensorflow.contrib.slim.python.slim.nets.vgg").vgg_16
    hooked("1.4.0")  # between two lists: what either has, and nothing else is known to be missing
    from tensorflow.python.ops import math_ops
    from tensorflow.python.ops.rnn_cell_impl import _linear

    assert callable(math_ops.there_for_a_while) and callable(_linear)


def test_a_module_is_a_real_one(hooked):
    hooked("2.21.0")
    import tensorflow.python.ops.linalg as package
    import tensorflow.python.ops.linalg.linalg_impl as module

    assert isinstance(module, types.ModuleType) and package.linalg_impl is module
    spec = importlib.util.find_spec("tensorflow.python.ops.linalg.linalg_impl")
    assert spec.name == module.__name__ == "tensorflow.python.ops.linalg.linalg_impl"
    assert module.__package__ == package.__name__ == "tensorflow.python.ops.linalg"
    assert module.__file__ == spec.origin and module.__file__.endswith("/linalg/linalg_impl.py")
    assert package.__file__.endswith("/linalg/__init__.py")
    assert package.__path__ == ["shapeflow:tensorflow.python.ops.linalg"]
    assert repr(module) == "<module '%s' from '%s'>" % (module.__name__, module.__file__)
    assert "eigh_tridiagonal" in dir(module) and "eigh_tridiagonal" in vars(module)
    star = {}
    exec("from tensorflow.python.ops.linalg.linalg_impl import *", star)
    assert star["eigh_tridiagonal"] is module.eigh_tridiagonal
    with pytest.raises(AttributeError):
        module.__path__


def test_constants_and_kinds(hooked):
    hooked("2.21.0")
    from tensorflow.core.framework import types_pb2
    from tensorflow.python.eager import context
    from tensorflow.python.ops import gen_math_ops
    from tensorflow.python.saved_model import signature_constants, tag_constants

    assert context.GRAPH_MODE == 0 and context.EAGER_MODE == 1 and types_pb2.DT_FLOAT == 1
    assert tag_constants.SERVING == "serve"
    assert signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY == "serving_default"
    pair = gen_math_ops._RequantizationRangeOutput(1, output_max=2)
    assert pair == (1, 2) and pair.output_max == 2

    class Mine(context.Context):  # a class that is not modelled can be subclassed
        pass

    assert issubclass(Mine, context.Context)
    from tensorflow.python.framework import errors_impl

    assert issubclass(errors_impl.OpError, Exception)


def test_generated_functions_are_the_raw_ops(hooked):
    tf = hooked("2.21.0")
    from tensorflow.python.ops import gen_array_ops, gen_math_ops, gen_nn_ops

    a, b = tf.ones([2, 3]), tf.ones([4, 3])
    assert gen_math_ops.mat_mul(a, b, False, True).shape == (2, 4)
    assert gen_math_ops._max(a, 0).shape == (3,)
    assert gen_nn_ops.conv2d(tf.ones([1, 8, 8, 3]), tf.ones([3, 3, 3, 5]), [1, 2, 2, 1],
                             "SAME").shape == (1, 4, 4, 5)
    assert gen_array_ops.concat_v2([a, a], 1).shape == (2, 6)
    assert gen_math_ops.MatMul is tf.raw_ops.MatMul
    assert str(inspect.signature(gen_math_ops.mat_mul)).startswith("(a, b, transpose_a=False")
    assert pickle.loads(pickle.dumps(gen_math_ops.mat_mul)) is gen_math_ops.mat_mul
    with pytest.raises(TypeError, match=r"mat_mul\(\) missing 1 required positional argument: 'b'"):
        gen_math_ops.mat_mul(a)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Matrix size-incompatible"):
        gen_math_ops.mat_mul(a, a)


def test_generated_functions_take_their_old_parameters(hooked):
    tf = hooked("0.12.1")
    from tensorflow.python.ops import gen_array_ops, gen_math_ops, gen_nn_ops

    x = tf.placeholder(tf.float32, [2, 3])
    assert gen_math_ops._sum(x, reduction_indices=1).get_shape().as_list() == [2]
    assert gen_math_ops._mat_mul(x, x, transpose_b=True).get_shape().as_list() == [2, 2]
    assert gen_array_ops._concat(1, [x, x]).get_shape().as_list() == [2, 6]
    assert gen_nn_ops._max_pool(tf.zeros([1, 8, 8, 2]), [1, 2, 2, 1], [1, 2, 2, 1],
                                "VALID").get_shape().as_list() == [1, 4, 4, 2]


def test_most_generated_functions_lead_to_an_op(hooked):
    """In 2.21: what is no op of ours is a stand-in that gives something unknown."""
    hooked("2.21.0")
    seen = led = 0
    for path in source_paths("2.21.0"):
        if not path.rpartition(".")[2].startswith("gen_") or not path.startswith("tensorflow.python.ops."):
            continue
        module = importlib.import_module(path)
        block = snapshot.of((2, 21)).block(path)
        for name in block.lines:
            entry = snapshot.of((2, 21)).entry(path + "." + name)
            if entry.kind == "f" and entry.home in ("", path) and name.islower() and name[0] != "_":
                seen += 1
                led += not getattr(getattr(module, name), "_sf_unmodelled", False)
    assert seen > 1000 and led >= 0.95 * seen, (led, seen)


def test_old_linear_is_a_class(hooked):
    tf = hooked("1.8.0")
    from tensorflow.contrib.rnn.python.ops.core_rnn_cell import _Linear

    x = tf.placeholder(tf.float32, [5, 3])
    with tf.variable_scope("cell"):
        linear = _Linear([x, x], 4, True)
    assert linear([x, x]).get_shape().as_list() == [5, 4]
    assert [(v.name, v.get_shape().as_list()) for v in tf.global_variables()] == [
        ("cell/kernel:0", [6, 4]), ("cell/bias:0", [4])]


def test_switching_the_version_changes_the_modules(hooked):
    tf = hooked("1.15.0")
    math_ops = importlib.import_module("tensorflow.python.ops.math_ops")
    assert math_ops.matmul is tf.matmul and hasattr(math_ops, "bessel_i0e")
    tf = hooked("2.21.0")
    assert math_ops.matmul is tf.matmul
    assert math_ops is importlib.import_module("tensorflow.python.ops.math_ops")


def test_what_packages_above_tensorflow_ask_for(hooked):
    """What Keras 3 and tf_keras import of the files and of tf.__internal__."""
    tf = hooked("2.21.0")
    from tensorflow.compiler.tf2xla.python import xla
    from tensorflow.python.eager import context
    from tensorflow.python.framework import tensor_util, type_spec_registry
    from tensorflow.python.framework.config import disable_op_determinism, enable_op_determinism
    from tensorflow.python.trackable.data_structures import ListWrapper, _DictWrapper

    inner = tf.__internal__
    assert callable(xla.dynamic_update_slice) and callable(type_spec_registry.get_name)
    assert tensor_util.is_tf_type is tf.is_tensor or callable(tensor_util.is_tf_type)
    assert callable(enable_op_determinism) and callable(disable_op_determinism)
    assert context.context().executing_eagerly() and inner.tf2.enabled()
    one = tf.ones([2, 3])
    assert isinstance(one, inner.EagerTensor) and not isinstance(one, inner.SymbolicTensor)
    assert isinstance(one, inner.types.Tensor) and isinstance(tf.Variable(1.0), inner.types.Tensor)
    assert isinstance(tf.sparse.SparseTensor([[0]], [1.0], [3]), inner.CompositeTensor)
    assert not isinstance(one, inner.CompositeTensor)
    with inner.FuncGraph("scratch").as_default() as graph:
        assert tf.matmul(one, tf.zeros([3, 4])).shape == (2, 4)  # a tensor from outside
        assert isinstance(tf.ones([2]), inner.SymbolicTensor) and not context.context().executing_eagerly()
        with inner.eager_context.eager_mode():
            assert tf.executing_eagerly()
    assert isinstance(graph, tf.Graph) and tf.executing_eagerly()
    assert inner.smart_cond.smart_cond(True, lambda: 1, lambda: 2) == 1
    assert inner.distribute.strategy_supports_no_merge_call()
    assert inner.distribute.interim.maybe_merge_call(lambda strategy, x: x + 1, None, 2) == 3

    class Layer(inner.tracking.AutoTrackable):
        @inner.tracking.no_automatic_dependency_tracking
        def quiet(self):
            self.plain = [1]

    layer = Layer()
    layer.names, layer.by_name = ["a"], {"a": 1}
    layer.quiet()
    assert type(layer.names) is ListWrapper and layer.names == ["a"] and type(layer.plain) is list
    assert isinstance(layer.by_name, _DictWrapper) and layer.by_name == {"a": 1}
    with pytest.raises(AttributeError):
        layer.no_such_thing


@pytest.mark.parametrize("number", ["1.15.0", "2.21.0"])
def test_decorators_of_the_files(hooked, number):
    hooked(number)
    from tensorflow.python.ops import math_ops
    from tensorflow.python.util import deprecation, tf_contextlib, tf_decorator, tf_inspect
    from tensorflow.python.util.tf_export import keras_export, tf_export

    @tf_export("mine.add", v1=[])
    @keras_export("keras.mine.add")
    @deprecation.deprecated(None, "Use other.")
    @deprecation.deprecated_args(None, "Use c.", "b")
    def add(a, b=2):
        return a + b

    assert add(1) == 3 and add.__name__ == "add" and callable(math_ops.tf_export)
    assert tf_inspect.getfullargspec(add).args == ["a", "b"]

    def around(*args):
        return add(*args) + 1

    made = tf_decorator.make_decorator(add, around)
    assert made(1) == 4 and made.__name__ == "add" and tf_decorator.unwrap(made)[1] is add

    @tf_contextlib.contextmanager
    def scope():
        yield 5

    with scope() as five:
        assert five == 5
    assert deprecation.deprecated_argument_lookup("new", None, "old", 3) == 3
    with pytest.raises(ValueError, match="Cannot specify both 'old' and 'new'."):
        deprecation.deprecated_argument_lookup("new", 1, "old", 3)


def stand_in_for(name):
    spec = requirements.MAKERS[name](name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_absl_where_it_is_missing(tf, caplog):
    flags, app, logging = (stand_in_for("absl." + name) for name in ("flags", "app", "logging"))
    assert stand_in_for("absl").__path__ == []
    flags.DEFINE_integer("private_modules_steps", 3, "How many.")
    seen = []
    with pytest.raises(SystemExit) as ended:
        app.run(lambda argv: seen.append((argv, flags.FLAGS.private_modules_steps)),
                argv=["main.py", "--private_modules_steps=5", "rest"])
    assert ended.value.code is None and seen == [(["main.py", "rest"], 5)]
    delattr(flags.FLAGS, "private_modules_steps")
    logging.set_verbosity(logging.INFO)
    with caplog.at_level("INFO", "absl"):
        logging.info("seen %d", 4)
        logging.log(logging.WARNING, "and %s", "this")
    assert caplog.messages == ["seen 4", "and this"] and logging.get_verbosity() == 0
    logging.set_verbosity("warning")
    assert flags.DEFINE_multi_enum_class("what", None, None, "") is not None  # unknown, not an error
    with pytest.raises(AttributeError):
        flags.__no_such__


LISTING = """
import importlib, os, pkgutil
import tensorflow as tf
import tensorflow.python.ops as ops

listed = {module.name: module.ispkg for module in pkgutil.iter_modules(tf.__path__)}
assert {"python", "core", "nn", "keras"} <= set(listed) and listed["python"], listed
assert ("contrib" in listed, "mlir" in listed) == (tf.__version__[0] == "1", tf.__version__[0] == "2")
below = {module.name: module.ispkg for module in pkgutil.iter_modules(ops.__path__)}
assert len(below) > 150 and not below["math_ops"] and below["linalg"], below
walked = [module.name for module in pkgutil.walk_packages(ops.linalg.__path__, ops.linalg.__name__ + ".")]
assert "tensorflow.python.ops.linalg.linear_operator" in walked, walked
assert all(importlib.import_module(name).__name__ == name for name in walked)
assert list(pkgutil.iter_modules([os.path.join(os.sep, "no", "such")])) == []
try:
    import tensorflow.python.ops.no_such
except ModuleNotFoundError:
    print(len(walked), "walked")
"""


@pytest.mark.parametrize("version", ["1.15.0", "2.21.0"])
def test_pkgutil_lists_the_modules_of_packages(tmp_path, version):
    (tmp_path / "train.py").write_text(LISTING)
    done = subprocess.run([sys.executable, "-m", "shapeflow", "check", "--no-sandbox", "--show-output",
                           "--tf-version", version, "--no-cache", str(tmp_path / "train.py")],
                          capture_output=True, text=True)
    assert " walked" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


def test_a_finding_in_a_generated_function_is_at_the_line_that_calls_it(tmp_path):
    (tmp_path / "train.py").write_text(
        "import tensorflow as tf\nfrom tensorflow.python.ops import gen_math_ops\n"
        "gen_math_ops.mat_mul(tf.ones([2, 3]), tf.ones([4, 4]))\n")
    done = subprocess.run([sys.executable, "-m", "shapeflow", "check", "--format", "concise", "--no-cache",
                           "--no-suggestions", "train.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.startswith("train.py:3:1: ") and "MatMul" in done.stdout, done.stdout


@pytest.mark.parametrize("number", ["1.8.0", "1.15.0", "2.21.0"])
def test_a_module_in_a_file_is_the_one_that_its_list_says(hooked, number):
    """tensorflow.contrib.framework.python.ops.variables was tensorflow.python.ops.variables, which a file of
    a star import holds."""
    hooked(number)
    lists = snapshot.of(tuple(int(part) for part in number.split(".")[:2]))
    seen = 0
    for path in lists.sources():
        block = lists.block(path)
        for bound, where in sources._modules_in(block.modules if block is not None and block.special else []):
            wanted = sources.module(lists.full_path(where))
            if wanted is not None and bound not in block.lines:
                assert sources.lookup(path, bound) is wanted, (path, bound)
                seen += 1
    assert seen > 10


HELPERS = """
import tensorflow as tf
from tensorflow.python.framework import tensor_shape
from tensorflow.python.keras.utils import conv_utils
from tensorflow.python.ops.init_ops import _compute_fans
from tensorflow.python.util import nest, object_identity

assert conv_utils.normalize_tuple(3, 2, "k") == (3, 3) and conv_utils.normalize_padding("SAME") == "same"
lengths = [conv_utils.conv_output_length(10, 3, padding, 2) for padding in ("valid", "same", "full")]
assert lengths == [4, 5, 6] and conv_utils.conv_output_length(10, 3, "valid", 1, dilation=2) == 6
assert conv_utils.conv_input_length(5, 3, "same", 2) == 9 and conv_utils.convert_data_format(
    "channels_first", 4) == "NCHW" and conv_utils.conv_output_length(None, 3, "same", 2) is None
assert [conv_utils.deconv_output_length(5, 3, *rest) for rest in (
    ("valid", None, 2), ("full", None, 2), ("same", 1, 2))] == [11, 7, 10]
try:
    conv_utils.convert_data_format("channels_first", 7)
except ValueError as error:
    assert error.args == ("Input rank not supported:", 7), error
assert tuple(_compute_fans([3, 3, 4, 8])) == (36, 72) and _compute_fans([]) == (1, 1)
if tf.__version__ == "1.15.0":
    assert tensor_shape.vector(3).as_list() == [3] and tensor_shape.matrix(None, 2).as_list() == [None, 2]
assert nest.flatten_dict_items({(4, 5, (6, 8)): ("a", "b", ("c", "d")), 1: 2}) == {
    4: "a", 5: "b", 6: "c", 8: "d", 1: 2}
try:
    nest.flatten_dict_items({(4, 5): 1})
except ValueError as error:
    assert str(error).startswith("Could not flatten dictionary. Key had 2 elements, but value had 1"), error

one, other = [1], [1]
some = object_identity.ObjectIdentitySet([one])
some.add(one)
assert len(some) == 1 and one in some and other not in some and list(some)[0] is one
assert list(some.difference([other]))[0] is one and not some.difference([one]) and some.intersection([one])
table = object_identity.ObjectIdentityDictionary()
table[one], table[other] = "one", "other"
assert (table[one], table[other], len(table)) == ("one", "other", 2) and table.get([1]) is None
kept = tf.Variable([1.0])
weak = object_identity.ObjectIdentityWeakKeyDictionary()
weak[kept] = 3
assert weak[kept] == 3 and kept in weak and len(weak) == 1
weak_set = object_identity.ObjectIdentityWeakSet([kept])
assert kept in weak_set and len(weak_set) == 1
assert object_identity.Reference(one) == object_identity.Reference(one) != object_identity.Reference(other)
assert object_identity.Reference(one).deref() is one
print("all")
"""
OF_CONTRIB = """
import tensorflow as tf
from tensorflow.contrib.layers.python.layers import utils
from tensorflow.python.layers import utils as of_layers

assert utils.two_element_tuple(3) == utils.two_element_tuple([3, 3]) == (3, 3)
assert utils.channel_dimension(tf.TensorShape([1, 2, 3]), "channels_first") == 2
assert utils.last_dimension(tf.TensorShape([1, 5]), 2) == 5 and utils.n_positive_integers(2, 3) == (3, 3)
assert utils.n_positive_integers(2, [3, 4]) == (3, 4)
assert utils.static_cond(True, lambda: "y", lambda: "n") == "y"
for wrong in (lambda: utils.two_element_tuple([1]), lambda: utils.two_element_tuple("a"),
              lambda: utils.last_dimension(tf.TensorShape([1, None])),
              lambda: utils.last_dimension(tf.TensorShape(None)), lambda: utils.n_positive_integers(2, 0),
              lambda: utils.last_dimension(tf.TensorShape([3]), 2),
              lambda: utils.n_positive_integers(2, [1])):
    try:
        wrong()
    except ValueError:
        continue
    raise AssertionError
assert of_layers.deconv_output_length(5, 3, "valid", 2) == 11 and of_layers.static_shape(
    tf.ones([2, 3])) == (2, 3) and of_layers.convert_data_format("channels_last", 5) == "NDHWC"
print("all")
"""


@pytest.mark.parametrize("program, version", [
    (HELPERS, "2.21.0"), (HELPERS, "1.15.0"), (OF_CONTRIB, "1.15.0")])
def test_helpers_of_private_modules_give_what_tensorflows_give(tmp_path, program, version):
    """The programs were run under TensorFlow 2.21 and 1.15."""
    (tmp_path / "train.py").write_text(program)
    done = subprocess.run([sys.executable, "-m", "shapeflow", "check", "--no-sandbox", "--show-output",
                           "--tf-version", version, "--no-cache", str(tmp_path / "train.py")],
                          capture_output=True, text=True)
    assert done.stdout.startswith("all\n"), done.stdout + done.stderr


def test_a_spec_with_bounds_is_tensorflows(hooked):
    """tf_agents describes actions by it: what it made was unknown, and the example of the package ended. The
    answers are those of TensorFlow 2.21."""
    tf = hooked("2.21.0")
    from tensorflow.python.framework.tensor_spec import BoundedTensorSpec

    spec = BoundedTensorSpec([3], tf.int32, 0, (5, 5, 4))
    assert repr(spec) == "BoundedTensorSpec(shape=(3,), dtype=tf.int32, name=None, " \
        "minimum=array(0, dtype=int32), maximum=array([5, 5, 4], dtype=int32))"
    assert spec == BoundedTensorSpec([3], tf.int32, 0, (5, 5, 4)) and isinstance(spec, tf.TensorSpec)
    assert spec != BoundedTensorSpec([3], tf.int32, 1, (5, 5, 4)) and spec != tf.TensorSpec([3], tf.int32)
    assert not spec.is_compatible_with(tf.zeros([4], tf.int32)) and not spec.maximum.flags.writeable
    assert repr(BoundedTensorSpec.from_spec(tf.TensorSpec([8, 3], tf.int32, "x"))) == \
        "BoundedTensorSpec(shape=(8, 3), dtype=tf.int32, name='x', " \
        "minimum=array(-2147483648, dtype=int32), maximum=array(2147483647, dtype=int32))"
    with pytest.raises(ValueError, match="`minimum` .* is not compatible with shape"):
        BoundedTensorSpec([2], tf.int32, (1, 2, 3), 5)
    with pytest.raises(ValueError, match="`maximum` can not be None"):
        BoundedTensorSpec([2], tf.int32, 0, None)


# --- the root ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("number, there, absent", [
    ("2.21.0", {"_major_api_version": 2, "_tf_uses_legacy_keras": False, "_os": os}, "_LazyLoader"),
    ("2.15.0", {"_major_api_version": 2}, "_LazyLoader"),
    ("1.15.0", {"_root_estimator": False, "_tfmw_has_lite": False, "_sys": sys}, "_major_api_version"),
    ("1.8.0", {}, "_api"), ("0.12.1", {}, "_api")])
def test_private_names_of_the_root_are_those_of_the_version(hooked, number, there, absent):
    """As the real ones: `tf._major_api_version` is what packages above ask for."""
    hooked(number)
    tf = importlib.import_module("tensorflow")
    assert {name: getattr(tf, name) for name in there} == there
    for name in (absent, "_no_such", "_ipython_display_", "_repr_html_"):
        with pytest.raises(AttributeError, match=f"module 'tensorflow' has no attribute '{name}'"):
            getattr(tf, name)


def test_the_api_is_laid_out_as_in_the_package(hooked):
    hooked("2.21.0")
    tf = importlib.import_module("tensorflow")
    assert tf._api.v2.nn.relu is tf.nn.relu and importlib.import_module("tensorflow._api.v2.nn") is tf.nn
    assert not hasattr(tf._api, "v1") and not hasattr(tf.nn, "_api")
    hooked("1.15.0")
    tf = importlib.import_module("tensorflow")
    assert tf._api.v1.placeholder is tf.placeholder


# The folders of the sources that `import tensorflow as tf` leaves as attributes of the root, really.
@pytest.mark.parametrize("number, folders", [
    ("0.12.1", "core python"), ("1.8.0", "tools"), ("1.15.0", "compiler core python tools"),
    ("2.21.0", "dtensor security tools")])
def test_folders_of_the_sources_at_the_root(hooked, number, folders):
    tf = hooked(number)
    for name in folders.split():
        assert getattr(tf, name).__name__ == "tensorflow." + name, name
    for name in {"dtensor", "security", "compiler"} - set(folders.split()):
        assert not hasattr(tf, name), name
    lists = snapshot.of(tuple(int(part) for part in number.split(".")[:2]))
    listed = {name for name in lists.block("tf").lines
              if lists.entry("tf." + name).dotted == "tensorflow." + name}
    assert listed == set(folders.split())


def test_private_functions_take_tensorflows_parameters(hooked):
    hooked("2.21.0")
    from tensorflow.python.training import moving_averages, slot_creator
    from tensorflow.python.util import deprecation, tf_export, tf_inspect

    wanted = {
        tf_export.tf_export: "(*args, api_name='tensorflow', v1=None, allow_multiple_exports=True)",
        deprecation.deprecated: "(date, instructions, warn_once=True)",
        slot_creator.create_zeros_slot:
            "(primary, name, dtype=None, colocate_with_primary=True, *, copy_xla_sharding=False)",
        moving_averages.weighted_moving_average:
            "(value, decay, weight, truediv=True, collections=None, name=None)",
        tf_inspect.getfullargspec: "(obj)"}
    assert {found: str(inspect.signature(found)) for found in wanted} == wanted
    with pytest.raises(TypeError, match="unexpected keyword argument 'dat'"):
        deprecation.deprecated(dat=None, instructions="Use other.")


def test_members_of_private_classes(hooked):
    hooked("2.21.0")
    from tensorflow.python.eager import context
    from tensorflow.python.feature_column import feature_column
    from tensorflow.python.layers import core
    from tensorflow.python.ops import variables

    assert callable(context.Context.is_custom_device) and callable(core.Dense.add_metric)
    assert context.context().is_custom_device("CPU:0") is not True  # unknown, and no AttributeError
    assert hasattr(feature_column._BucketizedColumn, "IdWeightPair")
    assert issubclass(variables.VariableMetaclass, type) and callable(variables.VariableMetaclass.register)
    assert list(inspect.signature(variables.PartitionedVariable).parameters) == [
        "name", "shape", "dtype", "variable_list", "partitions"]
    with pytest.raises(AttributeError):
        context.Context.no_such_member


def test_file_io_asks_for_a_mode_and_gfile_reads(hooked, tmp_path):
    hooked("2.21.0")
    from tensorflow.python.lib.io import file_io
    from tensorflow.python.platform import gfile

    (tmp_path / "a.txt").write_text("one")
    assert issubclass(gfile.GFile, file_io.FileIO) and gfile.GFile(str(tmp_path / "a.txt")).read() == "one"
    with pytest.raises(TypeError, match="mode"):
        file_io.FileIO(str(tmp_path / "a.txt"))


def test_a_table_has_two_names_in_1_15(hooked):
    tf = hooked("1.15.0")
    table = tf.contrib.lookup.MutableDenseHashTable
    assert table is tf.lookup.experimental.DenseHashTable
    assert issubclass(table, tf.contrib.lookup.LookupInterface)


def test_a_gradient_of_0_12_takes_a_filter(hooked):
    tf = hooked("0.12.1")
    image, kernel = tf.zeros([2, 8, 8, 8, 3]), tf.zeros([3, 3, 3, 3, 4])
    out = tf.nn.conv3d_backprop_filter(image, kernel, tf.zeros([2, 8, 8, 8, 4]), [1, 1, 1, 1, 1], "SAME")
    assert out.get_shape().as_list() == [3, 3, 3, 3, 4]
    parameters = list(inspect.signature(tf.Variable).parameters)
    assert parameters[:3] == ["initial_value", "trainable", "collections"]


def test_a_method_that_is_not_modelled_has_the_parameters_of_each_version(hooked):
    def stop(number):
        return list(inspect.signature(hooked(number).train.Supervisor.Stop).parameters)

    assert "ignore_live_threads" not in stop("0.12.1")
    assert "ignore_live_threads" in stop("1.15.0") and "ignore_live_threads" not in stop("0.12.1")


def test_a_resource_variable_of_0_12_has_its_name_second(hooked):
    tf = hooked("0.12.1")
    kind = tf.nn.resource_variable_ops.ResourceVariable
    assert list(inspect.signature(kind).parameters) == [
        "initial_value", "name", "trainable", "collections", "dtype", "shape"]
    made = kind([[1.0, 2.0]], "weights", False)
    assert made.name == "weights:0" and made.get_shape().as_list() == [1, 2]
    assert made not in tf.trainable_variables()


@pytest.mark.skipif(not importlib.util.find_spec("keras"), reason="Keras is not installed")
def test_a_private_copy_of_keras_leaves_the_installed_one_as_it_is(tmp_path):
    """Keras looks at the parameters of its layers: those of the copy ended every layer of a user."""
    write(tmp_path, train="""import tensorflow as tf
import keras
from tensorflow.python.keras.engine.base_layer import Layer
class Doubled(keras.layers.Layer):
    def call(self, x):
        return x * 2
assert Doubled()(tf.zeros([2, 3])).shape == (2, 3) and Layer
""")
    done = shapeflow(tmp_path, "check", "--no-cache", "train.py")
    assert done.returncode == 0, done.stderr
