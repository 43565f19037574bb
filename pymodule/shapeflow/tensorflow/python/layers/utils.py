"""Sizes and arguments of layers, for those who write their own.

Source: tensorflow/python/layers/utils.py, tensorflow/python/keras/utils/conv_utils.py.
"""
from __future__ import annotations

from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.layers.base import normalize_data_format, normalize_padding, normalize_tuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

_LAYERS, _KERAS = "tensorflow.python.layers.utils.", "tensorflow.python.keras.utils.conv_utils."

for _function in normalize_data_format, normalize_padding, normalize_tuple:
    put(_function, _LAYERS + _function.__name__, _KERAS + _function.__name__, v2=True)


@export(_LAYERS + "convert_data_format", _KERAS + "convert_data_format", v2=True)
def convert_data_format(data_format: str, ndim: int) -> str:
    known = {3: ("NWC", "NCW"), 4: ("NHWC", "NCHW"), 5: ("NDHWC", "NCDHW")}
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Invalid data_format:", data_format)
    if ndim not in known:
        raise ValueError("Input rank not supported:", ndim)
    return known[ndim][data_format == "channels_first"]


@export(_LAYERS + "conv_output_length", _KERAS + "conv_output_length", v2=True)
def conv_output_length(input_length: Optional[int], filter_size: int, padding: str, stride: int,
                       dilation: int = 1) -> Optional[int]:
    if input_length is None:
        return None
    assert padding in ("same", "valid", "full", "causal")
    extent = (filter_size - 1) * dilation
    length = {"valid": input_length - extent, "full": input_length + extent}.get(padding, input_length)
    return (length + stride - 1) // stride


@export(_LAYERS + "conv_input_length", _KERAS + "conv_input_length", v2=True)
def conv_input_length(output_length: Optional[int], filter_size: int, padding: str,
                      stride: int) -> Optional[int]:
    if output_length is None:
        return None
    assert padding in ("same", "valid", "full")
    return (output_length - 1) * stride - 2 * _padded(filter_size, padding) + filter_size


@export(_LAYERS + "deconv_output_length", v2=True)
def deconv_length_of_layers(input_length: Optional[int], filter_size: int, padding: str,
                            stride: int) -> Optional[int]:
    if input_length is None:
        return None
    more = {"valid": max(filter_size - stride, 0), "full": 2 - stride - filter_size}
    return input_length * stride + more.get(padding, 0)


@export(_KERAS + "deconv_output_length", v2=True)
def deconv_output_length(input_length: Optional[int], filter_size: int, padding: str,
                         output_padding: Optional[int] = None, stride: int = 0,
                         dilation: int = 1) -> Optional[int]:
    assert padding in ("same", "valid", "full")
    filter_size += (filter_size - 1) * (dilation - 1)
    if input_length is None or output_padding is None:
        return deconv_length_of_layers(input_length, filter_size, padding, stride)
    return (input_length - 1) * stride + filter_size - 2 * _padded(filter_size, padding) + output_padding


def _padded(filter_size: int, padding: str) -> int:
    return {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]


@export(_LAYERS + "static_shape")
def static_shape(x: Any) -> Any:
    """The sizes of a tensor as a tuple; None when its rank is unknown."""
    shape = x.get_shape()
    return None if shape.ndims is None else tuple(shape.as_list())
