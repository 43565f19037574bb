"""A crop larger than its image: an assertion, which fails where TensorFlow's does."""
import numpy as np
import pytest

import shapeflow as tf
from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection

v1 = tf.compat.v1


@pytest.fixture
def graph():
    before = _core.get_version(), "eager" if _core.executing_eagerly() else "graph"
    version_detection.activate("1.15.0", "graph")
    _core.clear_findings()
    with v1.Graph().as_default() as g:
        yield g
    _core.clear_findings()
    version_detection.activate(*before)


def test_nodes_are_those_of_tensorflow(graph):
    v1.random_crop(v1.placeholder(tf.float32, [None, None, 3]), [2, 2, 3])
    assert [op.name for op in graph.get_operations()] == ["Placeholder"] + ["random_crop" + x for x in (
        "/size", "/Shape", "/GreaterEqual", "/Const", "/All", "/Assert/Const", "/Assert/Assert/data_0",
        "/Assert/Assert", "/control_dependency", "/sub", "/add/y", "/add", "/Shape_1",
        "/random_uniform/min", "/random_uniform/max", "/random_uniform", "/mod", "")]
    assert not _core.findings()


@pytest.mark.parametrize("size", [[5, 2, 3], [4, 4, 4], [9, 9, 9]])
def test_a_crop_beyond_the_image_fails_when_it_runs(graph, size):
    crop = v1.random_crop(tf.zeros([4, 4, 3]), size)
    found = [f for f in _core.findings() if f.severity == "error"]
    assert [f.deferred for f in found] == [True]
    with v1.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(crop)
    assert "assertion failed: [Need value.shape >= size, got ] [4 4 3] %s" % str(size).replace(
        ",", "") in str(raised.value)


def test_an_image_of_unknown_size_is_judged_when_it_is_fed(graph):
    image = v1.placeholder(tf.float32, [None, None, 3])
    crop = v1.random_crop(image, [6, 6, 3])
    assert not _core.findings()
    with v1.Session() as session:
        assert session.run(crop, {image: np.zeros([6, 7, 3])}).shape == (6, 6, 3)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Need value.shape >= size"):
            session.run(crop, {image: np.zeros([5, 7, 3])})


def test_eager_words():
    before = _core.get_version(), "eager" if _core.executing_eagerly() else "graph"
    version_detection.activate("2.21.0", "eager")
    try:
        assert tf.image.random_crop(tf.zeros([4, 4, 3]), [4, 4, 3]).shape == (4, 4, 3)
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            tf.image.random_crop(tf.zeros([4, 4, 3]), [6, 2, 3])
        assert raised.value.message == (
            "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: "
            "b'Need value.shape >= size, got '\n4, 4, 3\n6, 2, 3")
    finally:
        _core.clear_findings()
        version_detection.activate(*before)
