"""tf.test: TestCase and what goes with it.

Source: tensorflow/python/framework/test_util.py, absl/testing/absltest.py.
"""
from __future__ import annotations

import contextlib
import random
import re
import unittest

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List

_SEED = 87654321  # TensorFlow's own


@export("tf.test.TestCase", v2=True)
class TestCase(unittest.TestCase):
    """tf.test.TestCase. What is not computed cannot be compared: assertions about values compare shapes."""

    def setUp(self) -> None:
        super().setUp()
        self._sessions: Dict[int, object] = {}
        random.seed(_SEED)
        np.random.seed(_SEED)
        if not _core.executing_eagerly():
            _core.reset_default_graph()

    def get_temp_dir(self) -> str:
        import tempfile

        return tempfile.mkdtemp()

    # --- sessions --------------------------------------------------------------------------------------
    def session(self, graph: Any = None, config: Any = None, use_gpu: bool = False,
                force_gpu: bool = False) -> Any:
        from shapeflow.tensorflow.python.client.session import Session

        return Session(graph=graph or _core.default_graph(), config=config)

    @contextlib.contextmanager
    def cached_session(self, graph: object = None, config: object = None, use_gpu: bool = False,
                       force_gpu: bool = False) -> Iterator[Any]:
        """One session for each graph of a test."""
        wanted = graph or _core.default_graph()
        held = self.__dict__.setdefault("_sessions", {})
        if id(wanted) not in held:
            held[id(wanted)] = self.session(wanted, config)
        with held[id(wanted)].graph.as_default(), held[id(wanted)].as_default():
            yield held[id(wanted)]

    def test_session(self, graph: object = None, config: object = None, use_gpu: bool = False,
                     force_gpu: bool = False) -> Any:
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        return self.session(graph, config) if graph is not None else self.cached_session(graph, config)

    def evaluate(self, tensors: Any) -> Any:
        if _core.executing_eagerly():
            from shapeflow.tensorflow.python.util import nest

            return nest.map_structure(lambda t: t.numpy() if hasattr(t, "numpy") else t, tensors)
        session = _core.default_session()
        if session is not None:
            return session.run(tensors)
        with self.cached_session() as session:
            return session.run(tensors)

    # --- values ----------------------------------------------------------------------------------------
    def _array(self, value: object) -> Any:
        return self.evaluate(value) if isinstance(value, (_core.Tensor, _core.VariableBase)) else value

    def _same_shape(self, a: Any, b: Any, *args: object, **kwargs: object) -> None:
        a, b = self._array(a), self._array(b)
        if isinstance(a, dict) and isinstance(b, dict):
            self.assertEqual(set(a), set(b))
            for key in a:
                self._same_shape(a[key], b[key])
        elif not is_unmodelled(a) and not is_unmodelled(b):
            self.assertEqual(np.shape(a), np.shape(b))

    assertAllClose = assertAllEqual = assertNear = assertNDArrayNear = _same_shape
    assertAllCloseAccordingToType = assertArrayNear = _same_shape

    def _about_values(self, *args: object, **kwargs: object) -> None:
        """Whether it holds depends on values that nobody computed."""

    assertNotAllClose = assertNotAllEqual = assertAllGreater = assertAllGreaterEqual = _about_values
    assertAllLess = assertAllLessEqual = assertAllInRange = assertAllInSet = _about_values

    def assertShapeEqual(self, np_array: Any, tf_tensor: Any, msg: Any = None) -> None:
        if not isinstance(np_array, (np.ndarray, np.generic)):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        self.assertEqual(list(np_array.shape), tf_tensor.get_shape().as_list(), msg)

    def assertDTypeEqual(self, target: object, expected_dtype: object) -> None:
        self.assertEqual(_core.as_dtype(self._array(target).dtype), _core.as_dtype(expected_dtype))

    def assertDeviceEqual(self, device1: object, device2: object, msg: object = None) -> None:
        self.assertEqual(_canonical(device1), _canonical(device2), msg)

    # --- errors ----------------------------------------------------------------------------------------
    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type: Any, expected: Any) -> Iterator[None]:
        """`expected`: a pattern of the message, or a function of the exception."""
        try:
            yield
        except exception_type as error:
            matches = expected(error) if callable(expected) else \
                not expected or re.search(expected, _whole_message(error)) is not None
            if not matches:
                raise AssertionError("Exception of type %s: %s" % (type(error), error)) from error
        else:
            self.fail("%s not raised" % getattr(exception_type, "__name__", exception_type))

    def assertRaisesOpError(self, expected: object) -> Any:
        from shapeflow.tensorflow.python.framework.errors import OpError

        return self.assertRaisesWithPredicateMatch(OpError, expected)

    def assertRaisesWithLiteralMatch(self, expected_exception: Any, expected_exception_message: str,
                                     callable_obj: object = None, *args: object, **kwargs: object) -> Any:
        return self.assertRaisesRegex(expected_exception, "^%s$" % re.escape(expected_exception_message),
                                      *([callable_obj, *args] if callable_obj is not None else []), **kwargs)

    # --- of absl.testing -------------------------------------------------------------------------------
    def assertItemsEqual(self, first: Any, second: Any, msg: Any = None) -> None:
        self.assertCountEqual(first, second, msg)

    def assertSameElements(self, expected_seq: Any, actual_seq: Any, msg: Any = None) -> None:
        self.assertEqual(set(expected_seq), set(actual_seq), msg)

    def assertLen(self, container: Any, expected_len: int, msg: object = None) -> None:
        if len(container) != expected_len:
            self.fail("%r has length of %d, expected %d." % (container, len(container), expected_len))

    def assertEmpty(self, container: object, msg: object = None) -> None:
        self.assertLen(container, 0, msg)

    def assertNotEmpty(self, container: Any, msg: object = None) -> None:
        if not len(container):
            self.fail("%r has length of 0." % (container,))

    def assertBetween(self, value: Any, minv: Any, maxv: Any, msg: Any = None) -> None:
        words = "%r unexpectedly not between %r and %r" % (value, minv, maxv)
        self.assertTrue(minv <= value <= maxv, msg or words)

    def assertStartsWith(self, actual: Any, expected_start: Any, msg: object = None) -> None:
        if not actual.startswith(expected_start):
            self.fail("%r does not start with %r" % (actual, expected_start))

    def assertEndsWith(self, actual: Any, expected_end: Any, msg: object = None) -> None:
        if not actual.endswith(expected_end):
            self.fail("%r does not end with %r" % (actual, expected_end))

    def assertContainsSubset(self, expected_subset: Any, actual_set: Any, msg: object = None) -> None:
        missing = set(expected_subset) - set(actual_set)
        if missing:
            self.fail("Missing elements %s\nExpected: %s\nActual: %s" % (
                missing, expected_subset, actual_set))

    def create_tempfile(self, file_path: Any = None, content: Any = None, **kwargs: object) -> _TempFile:
        import pathlib
        import tempfile

        folder = pathlib.Path(tempfile.mkdtemp())
        path = folder / (file_path or "file")
        path.write_bytes(content) if isinstance(content, bytes) else path.write_text(content or "")
        return _TempFile(str(path))


def _canonical(device: Any) -> List[str]:
    """The parts of a device's name in one spelling: "/cpu:0" is "/device:CPU:0"."""
    text = device.to_string() if hasattr(device, "to_string") else device or ""
    short = re.compile(r"^(?:device:)?(cpu|gpu|tpu):", re.I)
    return sorted(short.sub(lambda found: "device:%s:" % found[1].upper(), part)
                  for part in text.split("/") if part)


def _whole_message(error: object) -> str:
    """The message with the op that it is about, as TensorFlow's own assertions look at it."""
    op = getattr(error, "op", None)
    return str(getattr(error, "message", error)) + ("\nCaused by op: %r" % op.name if op is not None else "")


class _TempFile(str):
    """absl's: a path that is an object."""

    full_path = property(str)

    def read_text(self) -> str:
        with open(self, encoding="utf-8") as stream:
            return stream.read()


@export("tf.test.main", v2=True)
def main(argv: object = None) -> None:
    unittest.main()


@export("tf.test.is_gpu_available", "tf.test.is_built_with_cuda", "tf.test.is_built_with_gpu_support",
        "tf.test.is_built_with_rocm", "tf.test.is_built_with_xla", v2=True)
def is_gpu_available(*args: object, **kwargs: object) -> bool:
    return False


@export("tf.test.gpu_device_name", v2=True)
def gpu_device_name() -> str:
    return ""


@export("tf.test.get_temp_dir")
def get_temp_dir() -> str:
    import tempfile

    return tempfile.gettempdir()


@export("tf.test.compute_gradient_error")
def compute_gradient_error(*args: object, **kwargs: object) -> float:
    return 0.0
