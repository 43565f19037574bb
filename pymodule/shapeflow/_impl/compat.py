"""tf.compat: text conversions and types; tf.test; tf.resource_loader; tf.sysconfig."""
import numbers
import os
import unittest
from typing import Any

import numpy as np

from shapeflow import _core
from shapeflow._impl.registry import export, put


@export("tf.compat.as_bytes", v2=True)
def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise TypeError("Expected binary or unicode string, got %r" % (bytes_or_text,))


@export("tf.compat.as_text", "tf.compat.as_str", v2=True)
def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError("Expected binary or unicode string, got %r" % (bytes_or_text,))


@export("tf.compat.as_str_any", v2=True)
def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


@export("tf.compat.path_to_str", v2=True)
def path_to_str(path: Any) -> Any:
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path


put((numbers.Integral, np.integer), "tf.compat.integral_types", v2=True)
put((numbers.Real, np.integer, np.floating), "tf.compat.real_types", v2=True)
put((numbers.Complex, np.number), "tf.compat.complex_types", v2=True)
put((bytes, str), "tf.compat.bytes_or_text_types", v2=True)


@export("tf.test.TestCase", v2=True)
class TestCase(unittest.TestCase):
    """tf.test.TestCase: comparisons of values that are not computed check shapes."""

    def get_temp_dir(self) -> str:
        import tempfile

        return tempfile.mkdtemp()

    def test_session(self, graph: Any = None, config: Any = None, **kwargs: Any) -> Any:
        from shapeflow._impl.session import Session

        return Session(graph=graph or _core.default_graph(), config=config)

    session = cached_session = test_session

    def evaluate(self, tensors: Any) -> Any:
        from shapeflow._impl.session import the_session

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


@export("tf.resource_loader.get_data_files_path", "tf.resource_loader.get_root_dir_with_all_resources")
def get_data_files_path() -> str:
    return os.getcwd()


@export("tf.sysconfig.get_include", "tf.sysconfig.get_lib", v2=True)
def get_include() -> str:
    return os.path.dirname(os.path.abspath(__file__))


@export("tf.sysconfig.get_compile_flags", "tf.sysconfig.get_link_flags", v2=True)
def get_flags() -> list:
    return []
