"""What ops take as tensors, for programs that ask whether something is one.

Source: tensorflow/python/types/core.py.
"""
from __future__ import annotations

import abc
from typing import Any, Protocol, Union, runtime_checkable

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import export, put


@export("tf.__internal__.types.Tensor", "tensorflow.python.types.core.Tensor", v2=True)
class Tensor(metaclass=abc.ABCMeta):  # noqa: B024 others register
    """What ops take as a tensor without more ado: tensors and variables."""


Tensor.register(_core.Tensor)
Tensor.register(_core.VariableBase)


@export("tensorflow.python.types.core.TensorProtocol", v2=True)
@runtime_checkable
class TensorProtocol(Protocol):
    """What makes a tensor of itself."""

    def __tf_tensor__(self, dtype: object = None, name: Any = None) -> Any: ...


put(Union[Tensor, TensorProtocol, int, float, bool, str, bytes, complex, tuple, list, np.ndarray, np.generic],
    "tf.types.experimental.TensorLike", "tensorflow.python.types.core.TensorLike", v2=True)
