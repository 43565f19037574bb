"""TensorFlow's parameters, members and kinds for what is implemented in Python or not modelled."""
import abc
import enum
import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import shapeflow as tf
from shapeflow import _core
from shapeflow.api import argument_mapping, parameters, signatures


def test_a_signature_is_parsed():
    found = parameters.parse("(a, b=(1, ','), *args, c, d={'k': [1, 2]}, **more)")
    assert found == [("a", "", ""), ("b", "", "(1, ',')"), ("args", "*", ""), ("c", "k", ""),
                     ("d", "k", "{'k': [1, 2]}"), ("more", "**", "")]
    assert parameters.parse("()") == [] and parameters.parse("(*, a)") == [("a", "k", "")]


def test_the_parameters_of_a_function_of_ours():
    def ours(a, b=1, *rest, c, d=2, **more):
        pass

    assert argument_mapping.of_code(ours) == [
        ("a", "", ""), ("b", "", "="), ("rest", "*", ""), ("c", "k", ""), ("d", "k", "="),
        ("more", "**", "")]


def test_a_default_that_nobody_knows_is_shown_as_dots():
    check = signatures.make("f", "(a, b=tf.no_such_name, *, c=...)", 2)
    assert str(inspect.signature(check)) == "(a, b=Ellipsis, *, c=Ellipsis)"


@pytest.mark.parametrize("call, message", [
    (lambda tf: tf.train.AdamOptimizer(beta_3=1),
     r"AdamOptimizer.__init__\(\) got an unexpected keyword argument 'beta_3'"),
    (lambda tf: tf.layers.dense(1), r"dense\(\) missing 1 required positional argument: 'units'"),
    (lambda tf: tf.train.exponential_decay(1, 2, 3, 4, 5, 6, 7, 8),
     r"exponential_decay.* takes from 4 to 6 positional arguments but 8 were given"),
    (lambda tf: tf.contrib.layers.recompute_grad(), r"recompute_grad\(\) missing 1 required positional"),
])
def test_what_does_not_fit_fails_in_the_words_of_python(tf, call, message):
    with pytest.raises(TypeError, match=message):
        call(tf)


def test_a_version_between_two_snapshots_is_not_judged():
    code = """import shapeflow.api.names as names, shapeflow as tf
from shapeflow.tensorflow.compat import version_detection
version_detection.activate("1.12.0", "graph")
check = tf.contrib.layers.recompute_grad(no_such_parameter=1)  # not modelled: unknown, as ever
version_detection.activate("1.15.0", "graph")
try:
    tf.contrib.layers.recompute_grad(no_such_parameter=1)
except TypeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "got an unexpected keyword argument 'no_such_parameter'" in done.stdout, done.stderr


def test_inspect_shows_the_parameters_of_tensorflow(tf):
    shown = inspect.signature(tf.train.AdamOptimizer)
    assert list(shown.parameters) == ["learning_rate", "beta1", "beta2", "epsilon", "use_locking", "name"]
    assert shown.parameters["beta2"].default == 0.999

    class Mine(tf.train.AdamOptimizer):
        def __init__(self, depth):
            super().__init__(0.1)

    assert list(inspect.signature(Mine).parameters) == ["depth"]
    Mine(3)


def test_one_function_under_two_names_is_one(tf):
    assert tf.train.get_global_step is tf.train.get_global_step
    assert tf.contrib.layers.fully_connected is tf.contrib.layers.fully_connected
    assert tf.nn.sigmoid is tf.sigmoid and tf.math.abs is tf.abs and tf.linalg.matmul is tf.matmul
    assert tf.math.sign is not tf.math.abs and tf.dtypes.cast is tf.cast


def test_what_is_not_modelled_is_typed_as_the_real_one(tf2):
    assert tf2.saved_model.SERVING == "serve" and tf2.saved_model.SAVED_MODEL_SCHEMA_VERSION == 1
    error = tf2.__internal__.distribute.multi_process_runner.SubprocessTimeoutError
    assert issubclass(error, RuntimeError) and error("late", mpr_result=3).mpr_result == 3
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'mpr_result'"):
        error("late")
    assert issubclass(tf2.lite.OpsSet, enum.Enum) and tf2.lite.OpsSet.SELECT_TF_OPS.value == "SELECT_TF_OPS"

    @tf2.autograph.experimental.do_not_convert
    def decorated(x):
        return x + 1

    assert decorated(1) == 2

    class Reader(tf2.distribute.cluster_resolver.ClusterResolver):
        def master(self):
            return "here"

    assert Reader().master() == "here"
    with pytest.raises(AttributeError):
        tf2.lite.TFLiteConverter.no_such_member


def test_a_class_that_is_not_modelled_has_its_bases_and_members(tf2):
    resolvers = tf2.distribute.cluster_resolver
    resolver = resolvers.TFConfigClusterResolver
    assert issubclass(resolver, resolvers.ClusterResolver)
    assert not issubclass(resolvers.ClusterResolver, resolver)
    assert {"master", "num_accelerators", "environment", "task_type"} <= set(dir(resolver))
    assert list(inspect.signature(resolver.master).parameters) == [
        "self", "task_type", "task_id", "rpc_layer"]
    assert isinstance(inspect.getattr_static(resolver, "task_type"), property)
    made = resolver()
    assert isinstance(made, resolvers.ClusterResolver)
    with pytest.raises(TypeError, match="unexpected keyword argument 'no_such'"):
        made.master(no_such=1)
    made.task_type = "chief"
    assert made.task_type == "chief"


def test_a_class_that_is_not_modelled_has_bases_that_are(tf):
    rnn = tf.contrib.rnn
    cell = rnn.PhasedLSTMCell(3)
    assert isinstance(cell, tf.nn.rnn_cell.RNNCell) and issubclass(rnn.PhasedLSTMCell, tf.layers.Layer)
    outputs, state = tf.nn.dynamic_rnn(cell, tf.zeros([2, 5, 4]), dtype=tf.float32)
    assert outputs.shape.ndims in (None, 3)
    stacked = tf.nn.rnn_cell.MultiRNNCell([cell, tf.nn.rnn_cell.BasicLSTMCell(3)])
    assert stacked.zero_state(2, tf.float32) is not None
    assert issubclass(tf.contrib.opt.AdamWOptimizer, tf.train.Optimizer)
    x = tf.get_variable("x", [3])
    loss = tf.reduce_sum(x)
    adam = tf.contrib.opt.AdamWOptimizer
    for optimizer in (adam(0.1), lambda rate: adam(0.1, rate)):
        tf.contrib.layers.optimize_loss(loss, tf.train.get_or_create_global_step(), 0.1, optimizer)
    step = tf.contrib.opt.AdamWOptimizer(0.1).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(step)
    arcsinh = tf.contrib.distributions.SinhArcsinh(3.0, 2.0)
    assert isinstance(arcsinh, tf.distributions.Distribution)
    tf.distributions.kl_divergence(arcsinh, tf.distributions.Normal(0.0, 1.0))
    tf.matmul(arcsinh.sample([4]), tf.zeros([3, 4]))
    assert [f.message for f in _core.findings() if f.severity == "error"] == []


def test_a_class_that_is_not_modelled_may_have_abstract_methods_in_a_program(tf2):
    class Base(tf2.linalg.LinearOperator, abc.ABC):
        @abc.abstractmethod
        def width(self): ...

    class Made(Base):
        def width(self):
            return 3

    assert Made(tf2.float32).width() == 3
    with pytest.raises(TypeError, match="abstract"):
        Base(tf2.float32)


def test_members_of_an_enumeration_have_their_order(tf2):
    assert [m.name for m in tf2.data.experimental.AutoShardPolicy] == ["OFF", "AUTO", "FILE", "DATA", "HINT"]
    assert [m.name for m in tf2.UnconnectedGradients] == ["NONE", "ZERO"]


def test_one_class_of_ours_is_two_of_tensorflow(tf):
    train = tf.train
    assert not issubclass(train.ChiefSessionCreator, train.WorkerSessionCreator)
    assert issubclass(train.WorkerSessionCreator, train.SessionCreator)
    assert "max_wait_secs" in inspect.signature(train.WorkerSessionCreator).parameters
    assert "max_wait_secs" not in inspect.signature(train.ChiefSessionCreator).parameters
    helper = tf.contrib.seq2seq.ScheduledEmbeddingTrainingHelper(
        tf.zeros([3, 2, 4]), [3, 3], lambda ids: ids, 0.5, True)  # time comes first
    assert helper.next_inputs(0, None, None, None)[1].shape.as_list() == [2, 4]


def test_what_may_not_be_given_for_unconnected_gradients(tf):
    x = tf.zeros([3])
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients: 'nothing'"):
        tf.gradients(x, [x], unconnected_gradients="nothing")


def test_members_that_are_not_modelled_are_there(tf2):
    assert list(inspect.signature(tf2.Variable.scatter_min).parameters)[:2] == ["self", "sparse_delta"]
    assert hasattr(tf2.data.Dataset, "rejection_resample")
    assert hasattr(tf2.data.Dataset, "rejection_resample") and not hasattr(tf2.data.Dataset, "no_such_member")


def test_summary_writers_of_tensorflow_2(tf2):
    writer = tf2.summary.create_file_writer("logs", flush_millis=10)
    assert isinstance(writer, tf2.summary.SummaryWriter) and isinstance(tf2.summary.create_noop_writer(),
                                                                        tf2.summary.SummaryWriter)
    with writer.as_default(step=1), tf2.summary.record_if(True):
        tf2.summary.scalar("loss", 1.0, step=1)


@pytest.mark.source
def test_the_table_of_the_docs_is_true():
    code = "from shapeflow.api import coverage; print(coverage.text(), end='')"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    doc = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    assert done.stdout == doc, "run: python -m shapeflow.api.coverage"


@pytest.mark.parametrize("name, number, low, high", [
    ("float8_e5m2", 24, -57344, 57344), ("float8_e4m3fn", 25, -448, 448), ("float8_e4m3fnuz", 26, -240, 240),
    ("float8_e4m3b11fnuz", 27, -30, 30), ("float8_e5m2fnuz", 28, -57344, 57344), ("int4", 29, -8, 7),
    ("uint4", 30, 0, 15), ("int2", 31, -2, 1), ("uint2", 32, 0, 3), ("float4_e2m1fn", 33, -6, 6)])
def test_small_dtypes_are_dtypes(tf2, name, number, low, high):
    """Their numbers and limits are those of TensorFlow 2.21; a cast keeps the shape."""
    small = getattr(tf2.dtypes.experimental, name)
    assert isinstance(small, tf2.DType) and small is getattr(tf2.experimental, name)
    assert (small.name, small.as_datatype_enum, small.size) == (name, number, 1)
    assert (small.min, small.max) == (low, high) and tf2.as_dtype(name) is small
    there = tf2.cast(tf2.zeros([2, 3]), small)
    assert there.dtype is small and there.shape == [2, 3]
    back = tf2.cast(there, tf2.float32)
    assert back.dtype is tf2.float32 and back.shape == [2, 3]


def test_numbers_of_ml_dtypes_have_their_dtype(tf2):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    assert tf2.as_dtype(ml_dtypes.bfloat16) is tf2.bfloat16
    assert tf2.as_dtype(ml_dtypes.float8_e4m3fn) is tf2.experimental.float8_e4m3fn
    assert tf2.constant(np.zeros([2], ml_dtypes.int4)).dtype is tf2.experimental.int4


def test_functions_say_the_file_that_defines_them():
    """As TensorFlow's own do, whether they are C rows, raw ops or Python."""
    assert tf.squeeze.__module__ == "tensorflow.python.ops.array_ops"
    assert tf.nn.relu.__module__ == "tensorflow.python.ops.gen_nn_ops"
    assert tf.raw_ops.Add.__module__ == "tensorflow.python.ops.gen_math_ops"
    assert tf.function.__module__.startswith("tensorflow.python.eager")


def test_classes_say_the_file_that_defines_them(tf):
    """As TensorFlow's: of C, of Python, exceptions and named tuples; a program's own say its file."""
    assert repr(tf.Tensor) == "<class 'tensorflow.python.framework.ops.Tensor'>"
    assert repr(tf.train.AdamOptimizer) == "<class 'tensorflow.python.training.adam.AdamOptimizer'>"
    assert tf.errors.OpError.__module__ == "tensorflow.python.framework.errors_impl"
    assert tf.FixedLenFeature.__module__ == "tensorflow.python.ops.parsing_ops"

    class Mine(tf.train.AdamOptimizer):
        pass

    assert Mine.__module__ == __name__
    assert tf.TensorShape.__module__ == "tensorflow.python.framework.tensor_shape"


def test_methods_of_the_core_show_tensorflows_parameters(tf):
    shown = {(tf.Tensor, "set_shape"): ["self", "shape"],
             (tf.Tensor, "eval"): ["self", "feed_dict", "session"],
             (tf.Session, "run"): ["self", "fetches", "feed_dict", "options", "run_metadata"],
             (tf.Graph, "as_graph_element"): ["self", "obj", "allow_tensor", "allow_operation"],
             (tf.TensorShape, "merge_with"): ["self", "other"], (tf.Operation, "values"): ["self"]}
    for (cls, name), wanted in shown.items():
        assert list(inspect.signature(getattr(cls, name)).parameters) == wanted
    op = tf.constant(1).op
    with op.graph.colocate_with(op, ignore_existing=True):
        pass
    assert inspect.isroutine(tf.raw_ops.Abs) and inspect.isroutine(tf.matmul)


def test_methods_of_ours_take_tensorflows_parameters():
    """Also those whose own are named otherwise, static ones, and methods made of functions. In a new process:
    a class of ours that is two of TensorFlow's, once both were looked at, takes what either does."""
    code = """
import inspect
import shapeflow as tf
from shapeflow.tensorflow.compat import version_detection
version_detection.activate("1.15.0", "graph")
assert list(inspect.signature(tf.gfile.GFile.write).parameters) == ["self", "file_content"]
assert list(inspect.signature(tf.train.Saver.recover_last_checkpoints).parameters) == [
    "self", "checkpoint_paths"]
assert str(inspect.signature(tf.data.Dataset.from_tensors)) == "(tensors)"
try:
    tf.data.Dataset.from_tensors(1, name="n")
except TypeError as error:
    assert "unexpected keyword argument 'name'" in str(error)
else:
    raise AssertionError
tf.train.Saver([tf.get_variable("v", [2])]).recover_last_checkpoints(checkpoint_paths=[])
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_inspect_shows_tensorflows_defaults(tf2):
    shown = inspect.signature(tf2.signal.hann_window).parameters["dtype"].default
    assert shown is tf2.float32 and tf2.signal.hann_window(4).dtype == tf2.float32
    assert inspect.signature(tf2.switch_case).parameters["name"].default == "switch_case"
    assert inspect.signature(tf2.RaggedTensor.from_sparse).parameters["row_splits_dtype"].default is tf2.int64


def test_properties_that_are_not_modelled_are_properties(tf2):
    """A program may set them all the same, and gets back what it has set."""
    member = inspect.getattr_static(tf2.Graph, "operations")
    assert isinstance(member, property)

    class Mine(tf2.Graph):
        pass

    graph = Mine()
    assert graph.operations is not None
    graph.operations = 3
    assert graph.operations == 3
    del graph.operations
    assert graph.operations != 3


def test_a_function_that_another_made_has_its_own_name_in_type_errors():
    with pytest.raises(TypeError, match=r"^global_variables\(\) got an unexpected keyword argument 'skope'"):
        tf.compat.v1.global_variables(skope=None)


def test_methods_that_take_anything_take_tensorflows_parameters():
    data = tf.data.Dataset.range(10)
    for wrong in (lambda: data.map(lambda x: x, num_paralel_calls=3), lambda: data.batch(2, drop=True),
                  lambda: data.snapshot(pth="x"), lambda: tf.data.Dataset.interleave(data, None, cycle=2)):
        with pytest.raises(TypeError, match="got an unexpected keyword argument"):
            wrong()
    made = data.map(lambda x: x, tf.data.AUTOTUNE, deterministic=True, name="m").batch(2, True, 3, False, "n")
    assert made.element_spec.shape.as_list() == [2]
    shown = inspect.signature(tf.data.Dataset.batch)
    assert list(shown.parameters) == ["self", "batch_size", "drop_remainder", "num_parallel_calls",
                                      "deterministic", "name"]


def test_a_subclass_of_a_program_has_methods_of_its_own():
    class Tape(tf.GradientTape):
        def jacobian(self, target, sources, mine=None, **more):
            return mine or super().jacobian(target, sources, **more)

    with Tape() as tape:
        x = tf.constant([1.0, 2.0])
        tape.watch(x)
        y = x * x
    assert tape.jacobian(y, x, mine="m") == "m"
    with pytest.raises(TypeError, match="unexpected keyword argument 'parallel'"):
        tape.jacobian(y, x, parallel=3)
