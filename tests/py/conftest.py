"""Each test gets a fresh TensorFlow 1.15 in graph mode, unless it asks for another version."""
import pytest

import shapeflow
from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection


def emulate(version, mode="graph"):
    """The namespace of `version`, with an empty default graph."""
    version_detection.activate(version, mode)
    if mode == "graph":
        _core.reset_default_graph()
    _core.clear_findings()
    return shapeflow


@pytest.fixture
def tf():
    module = emulate("1.15.0")
    yield module
    while _core.default_session() is not None:
        _core.pop_session(_core.default_session())


@pytest.fixture
def tf2():
    return emulate("2.21.0", "eager")


@pytest.fixture
def eager():
    """TensorFlow 2.21 for a test of a module that has imported ours, and then what was before."""
    before = _core.get_version(), "eager" if _core.executing_eagerly() else "graph"
    emulate("2.21.0", "eager")
    yield
    _core.clear_findings()
    version_detection.activate(*before)


@pytest.fixture
def version():
    """A function that switches: version("0.12.1")."""
    yield emulate
    emulate("1.15.0")
