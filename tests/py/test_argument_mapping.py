"""Arguments that fit TensorFlow's signature reach functions of ours that have other parameters."""
import json
import subprocess
import sys

import pytest

from command import lines, shapeflow, write
from shapeflow import _core
from shapeflow.api import binding
from shapeflow.api.argument_mapping import Mapping, of_code

# Under every version: each implemented name is called with all parameters, by keyword and by position.
EVERY_CALL = r"""
import inspect, json, sys, warnings
warnings.simplefilter("ignore")
from shapeflow.api import names, namespace, snapshot
from shapeflow import _core
from shapeflow.api import binding
from shapeflow.api.argument_mapping import Mapping, of_code
from shapeflow.tensorflow.compat import version_detection

failed, missing, count = [], {}, 0


def ours_of(value):
    '''(ours, the check of TensorFlow's signature) of what has other parameters than TensorFlow's'''
    if not isinstance(value, type):
        return getattr(value, "_sf_ours", None), getattr(value, "__wrapped__", None)
    init = binding.checked_of(value.__init__)
    return (init.ours, init.check) if init is not None else (None, None)


def arguments(check, by_position):
    args, kwargs = [], {}
    for p in inspect.signature(check).parameters.values():
        value = object() if p.default is p.empty else p.default
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        if p.name == "self" or by_position and p.kind is not p.KEYWORD_ONLY:
            args.append(value)
        else:
            kwargs[p.name] = value
    return tuple(args), kwargs


for version in snapshot.VERSIONS:
    version_detection.activate("%d.%d" % version, "graph" if version < (2, 0) else "eager")
    for name, entry in snapshot.of(version).public_names():
        value = namespace.resolve(*names.place(name, 1)) if entry.kind in "cf" and entry.signature else None
        ours, check = ours_of(value)
        if ours is None or check is None or entry.signature in ("(*args, **kwargs)", "(*args, **kwds)"):
            continue
        count += 1
        mapping = Mapping(check, of_code(check), of_code(ours))
        lacks = [p for p in mapping.missing if p != "name"]
        if lacks:
            missing[name] = " ".join(lacks)
        for by_position in (False, True):
            try:
                taken, named, lost = mapping.apply(*arguments(check, by_position))
                inspect.signature(ours).bind(*taken, **named)
                if lost:
                    raise TypeError("no place for %s" % lost)
            except TypeError as error:
                failed.append("%d.%d %s: %s" % (*version, name, error))
print(json.dumps([count, failed, missing]))
"""


def mapped(theirs, ours, *args, **kwargs):
    return Mapping(theirs, of_code(theirs), of_code(ours)).apply(args, kwargs)


def test_a_required_parameter_may_have_another_name():
    def theirs(sp_a, sp_b, name=None): ...
    def ours(sp_input, sp_other, name=None): ...

    assert mapped(theirs, ours, sp_a=1, sp_b=2) == ((), {"sp_input": 1, "sp_other": 2}, [])
    assert mapped(theirs, ours, 1, 2) == ((), {"sp_input": 1, "sp_other": 2}, [])


def test_optional_parameters_with_other_names_are_no_renames():
    def theirs(x, seed=None): ...
    def ours(x, trainable=True): ...

    assert mapped(theirs, ours, 1, seed=3) == ((), {"x": 1}, ["seed"])
    assert mapped(theirs, ours, 1, None) == ((), {"x": 1}, [])  # TensorFlow's default says nothing


def test_another_order():
    def theirs(x, name=None, axis=None): ...
    def ours(x, axis=None, name=None): ...

    assert mapped(theirs, ours, 1, "n", 0) == ((), {"x": 1, "name": "n", "axis": 0}, [])


def test_what_ours_takes_freely_goes_through():
    def theirs(x, y=1, *rest, **more): ...
    def ours(*args, **kwargs): ...

    assert mapped(theirs, ours, 1, 2, 3, z=4) == ((1, 2, 3), {"z": 4}, [])


def test_more_positional_arguments_than_ours_has():
    def theirs(x, *rest): ...
    def ours(x): ...

    assert mapped(theirs, ours, 1, 2)[2] == ["*args"]


def test_what_tensorflow_takes_freely_may_have_names_in_ours():
    def theirs(self, *args, **kwargs): ...
    def ours(self, cell, keep=1.0): ...

    assert mapped(theirs, ours, 0, "cell", keep=0.5)[1:] == ({"self": 0, "cell": "cell", "keep": 0.5}, [])
    assert mapped(theirs, ours, 0, "cell", other=3) == ((), {"self": 0, "cell": "cell"}, ["other"])


def test_positional_arguments_beyond_the_order_of_ours_go_by_name():
    def theirs(x, y=None, z=None): ...
    def ours(x, **kwargs): ...

    assert mapped(theirs, ours, 1, 2, 3) == ((), {"x": 1, "y": 2, "z": 3}, [])


def test_every_implemented_name_takes_what_tensorflow_takes():
    done = subprocess.run([sys.executable, "-c", EVERY_CALL], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    count, failed, missing = json.loads(done.stdout.splitlines()[-1])
    assert not failed and count > 300, (count, failed)
    assert missing == {}


def checked(folder, code, *arguments):
    write(folder, script="import tensorflow as tf\n" + code)
    return shapeflow(folder, "check", "--no-cache", "--verbose", "--format", "concise", *arguments,
                     "script.py")


@pytest.mark.parametrize("code", [
    'with tf.device("/GPU:0"):\n    tf.constant(1)\n',
    "a = tf.sparse.from_dense([[1.0]])\ntf.sparse.maximum(sp_a=a, sp_b=a)\n",
])
def test_names_of_tensorflow_2(code, tmp_path):
    done = checked(tmp_path, code)
    assert done.returncode == 0 and "not modelled" not in done.stdout + done.stderr, done.stdout + done.stderr


def test_a_parameter_that_a_constructor_lacks_is_said(tf):
    class Ours:
        def __init__(self, rate):
            self.rate = rate

    init, made = binding.Checked(Ours.__init__), Ours.__new__(Ours)
    init.expect("(self, rate, beta=0.0)", "tf.train.Ours", "__init__", 1)
    init.call((made,), {"rate": 0.1, "beta": 0.5})
    assert made.rate == 0.1 and "tf.train.Ours(beta)" in str([f.message for f in _core.findings()])


def test_the_oldest_losses_take_their_oldest_names(tmp_path):
    code = "a, b = tf.zeros([3, 2]), tf.zeros([3, 4])\n" \
        "tf.contrib.losses.mean_squared_error(a, targets=b, weight=2.0)\n"
    done = checked(tmp_path, code, "--tf-version", "0.12.1")
    assert [line for _, line, _ in lines(done)] == [3], done.stdout + done.stderr


def test_a_distribution_of_a_script_is_unknown(tmp_path):
    code = """ds = tf.distributions
class Mine(ds.Distribution):
    def __init__(self):
        super().__init__(dtype=tf.float32, reparameterization_type=ds.NOT_REPARAMETERIZED,
                         validate_args=False, allow_nan_stats=True)
tf.matmul(Mine().sample(), tf.zeros([3, 4]))
"""
    done = checked(tmp_path, code, "--tf-version", "1.15.0")
    assert done.returncode == 0, done.stdout + done.stderr


def test_py_function_is_a_decorator_too(tf2):
    @tf2.py_function(Tout=tf2.float32)
    def halve(x):
        return x / 2

    assert halve(tf2.constant(1.0)).dtype == tf2.float32 and halve.__name__ == "halve"
    with pytest.raises(TypeError, match="Missing required argument: 'Tout'\n  If using tf.numpy_function"):
        tf2.numpy_function(halve, [1])
    with pytest.raises(TypeError, match="set the `inp` argument when using tf.py_function as a decorator"):
        tf2.py_function(inp=[1], Tout=tf2.int32)
    with pytest.raises(TypeError, match="Missing argument `inp`"):
        tf2.py_function(halve, Tout=tf2.int32)
