"""Helpers of the tests of shapeflow._core: a mode for one test, and the op that all of them need."""
import contextlib

from shapeflow import _core
from shapeflow.api import core_setup

core_setup.prepare()  # the error classes


@contextlib.contextmanager
def mode(version, eager, v2_shapes=None):
    """The core as it is under one emulated version, put back afterwards."""
    before = _core.get_version(), _core.executing_eagerly()
    _core.set_version(version)
    _core.set_eager(eager)
    _core.set_v2_shapes(eager if v2_shapes is None else v2_shapes)
    _core.reset_default_graph()
    _core.clear_findings()
    try:
        yield _core
    finally:
        _core.set_version(before[0])
        _core.set_eager(before[1])
        _core.set_v2_shapes(before[1])
        _core.reset_default_graph()
        _core.clear_findings()


def placeholder(shape, name="x", dtype="float32"):
    return _core.raw_op("Placeholder")(dtype=_core.as_dtype(dtype), shape=shape, name=name)


def api(name, version=1):
    function = _core.api_function(name, version)
    assert function is not None, name
    return function


def names(graph=None):
    return [op.name for op in (graph or _core.default_graph()).get_operations()]
