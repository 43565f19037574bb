"""tf.float32 and its family, tf.DType, tf.TensorShape, version constants."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAMES = ("float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool "
          "string complex64 complex128 qint8 qint16 qint32 quint8 quint16 resource variant").split()
for _name in _NAMES:
    _dtype = _core.as_dtype(_name)
    put(_dtype, "tf." + _name, "tf.dtypes." + _name, v2=True)
for _name in ("float8_e5m2 float8_e4m3fn float8_e4m3fnuz float8_e4m3b11fnuz float8_e5m2fnuz float4_e2m1fn "
              "int4 uint4 int2 uint2").split():
    put(_core.as_dtype(_name), "tf.experimental." + _name, "tf.dtypes.experimental." + _name, v1=False,
        v2=True)
put(_core.as_dtype("float16"), "tf.half", "tf.dtypes.half", v2=True)
put(_core.as_dtype("float64"), "tf.double", "tf.dtypes.double", v2=True)
for _name in ("float32", "float64", "int32", "int64", "uint8", "bool", "string"):
    put(_core.as_dtype(_name + "_ref"), "tensorflow.python.framework.dtypes.%s_ref" % _name)

put(_core.DType, "tf.DType", "tf.dtypes.DType", v2=True)
put(_core.TensorShape, "tf.TensorShape", v2=True)
put(_core.Dimension, "tf.Dimension", "tf.compat.Dimension")
put(None, "tf.newaxis", v2=True)
put(frozenset(_core.as_dtype(n) for n in ("qint8", "quint8", "qint16", "quint16", "qint32")),
    "tf.QUANTIZED_DTYPES", "tf.dtypes.QUANTIZED_DTYPES", v2=True)


@export("tf.as_dtype", "tf.dtypes.as_dtype", v2=True)
def as_dtype(type_value: Any) -> _core.DType:
    return _core.as_dtype(type_value)


@export("tensorflow.python.framework.tensor_shape.as_shape")
def as_shape(shape: object) -> _core.TensorShape:
    return shape if isinstance(shape, _core.TensorShape) else _core.TensorShape(shape)


@export("tensorflow.python.framework.tensor_shape.unknown_shape")
def unknown_shape(ndims: Any = None) -> _core.TensorShape:
    return _core.TensorShape(None if ndims is None else [None] * ndims)


@export("tensorflow.python.framework.tensor_shape.scalar")
def scalar() -> _core.TensorShape:
    return _core.TensorShape([])


@export("tensorflow.python.framework.tensor_shape.vector")
def vector(length: object) -> _core.TensorShape:
    return _core.TensorShape([length])


@export("tensorflow.python.framework.tensor_shape.matrix")
def matrix(rows: object, cols: object) -> _core.TensorShape:
    return _core.TensorShape([rows, cols])


@export("tensorflow.python.framework.tensor_shape.as_dimension")
def as_dimension(value: object) -> _core.Dimension:
    return value if isinstance(value, _core.Dimension) else _core.Dimension(value)


@export("tf.dimension_value", "tf.compat.dimension_value", v2=True)
def dimension_value(dimension: object) -> Any:
    return dimension.value if isinstance(dimension, _core.Dimension) else dimension


@export("tf.dimension_at_index", "tf.compat.dimension_at_index", v2=True)
def dimension_at_index(shape: Any, index: int) -> _core.Dimension:
    return _core.Dimension(None if shape.ndims is None else shape.as_list()[index])
