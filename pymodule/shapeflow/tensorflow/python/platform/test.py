"""tf.test: TestCase and what goes with it."""
import unittest
from typing import Any

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import export


@export("tf.test.TestCase", v2=True)
class TestCase(unittest.TestCase):
    """tf.test.TestCase: comparisons of values that are not computed check shapes."""

    def get_temp_dir(self) -> str:
        import tempfile

        return tempfile.mkdtemp()

    def test_session(self, graph: Any = None, config: Any = None, **kwargs: Any) -> Any:
        from shapeflow.tensorflow.python.client.session import Session

        return Session(graph=graph or _core.default_graph(), config=config)

    session = cached_session = test_session

    def evaluate(self, tensors: Any) -> Any:
        from shapeflow.tensorflow.python.client.session import the_session

        return the_session(None, "eval").run(tensors)

    def _same_shape(self, a: Any, b: Any, *args: Any, **kwargs: Any) -> None:
        self.assertEqual(np.shape(a), np.shape(b))

    assertAllClose = assertAllEqual = assertNear = assertNDArrayNear = _same_shape
    assertAllCloseAccordingToType = assertArrayNear = _same_shape

    def assertShapeEqual(self, np_array: Any, tf_tensor: Any, msg: Any = None) -> None:
        self.assertEqual(list(np_array.shape), tf_tensor.get_shape().as_list())


@export("tf.test.main", v2=True)
def main(argv: Any = None) -> None:
    unittest.main()


@export("tf.test.is_gpu_available", "tf.test.is_built_with_cuda", "tf.test.is_built_with_gpu_support",
        "tf.test.is_built_with_rocm", "tf.test.is_built_with_xla", v2=True)
def is_gpu_available(*args: Any, **kwargs: Any) -> bool:
    return False


@export("tf.test.gpu_device_name", v2=True)
def gpu_device_name() -> str:
    return ""


@export("tf.test.get_temp_dir")
def get_temp_dir() -> str:
    import tempfile

    return tempfile.gettempdir()


@export("tf.test.compute_gradient_error")
def compute_gradient_error(*args: Any, **kwargs: Any) -> float:
    return 0.0
