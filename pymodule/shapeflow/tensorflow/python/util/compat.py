"""tf.compat: conversions between bytes and text, and the types of numbers."""
from __future__ import annotations

import numbers
import os

import numpy as np

from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import Opaque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@export("tf.compat.as_bytes", v2=True)
def as_bytes(bytes_or_text: object, encoding: str = "utf-8") -> bytes:
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    return _unknown(bytes_or_text)


@export("tf.compat.as_text", "tf.compat.as_str", v2=True)
def as_text(bytes_or_text: object, encoding: str = "utf-8") -> str:
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    return _unknown(bytes_or_text)


def _unknown(value: object) -> Any:
    """Text that nobody knows stays that."""
    if isinstance(value, Opaque):
        return value
    raise TypeError("Expected binary or unicode string, got %r" % (value,))


@export("tf.compat.as_str_any", v2=True)
def as_str_any(value: object, encoding: str = "utf-8") -> str:
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


@export("tf.compat.path_to_str", v2=True)
def path_to_str(path: object) -> Any:
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path


put((numbers.Integral, np.integer), "tf.compat.integral_types", v2=True)
put((numbers.Real, np.integer, np.floating), "tf.compat.real_types", v2=True)
put((numbers.Complex, np.number), "tf.compat.complex_types", v2=True)
put((bytes, str), "tf.compat.bytes_or_text_types", v2=True)
