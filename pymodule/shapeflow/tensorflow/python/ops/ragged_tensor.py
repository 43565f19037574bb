"""tf.RaggedTensor: its dtype and its shape, None where it is ragged; the rest of it is unknown.

Source: tensorflow/python/ops/ragged/{ragged_tensor,ragged_functional_ops,ragged_string_ops}.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.framework import framework_lib, op_builders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional


@export("tf.RaggedTensor", v2=True)
class RaggedTensor(Opaque):
    """A tensor whose rows have lengths of their own."""

    def __init__(self, values: Any, row_partition: Any = None, internal: bool = False, **kwargs: Any) -> None:
        """For TensorFlow's own code; made() for ours."""
        raise ValueError("RaggedTensor constructor is private; please use one of the factory methods instead "
                         "(e.g., RaggedTensor.from_row_lengths())")

    @classmethod
    def made(cls, dtype: Any, shape: Any, inputs: Any = ()) -> RaggedTensor:
        ragged = cls.__new__(cls)
        Opaque.__init__(ragged, "tf.RaggedTensor", inputs)
        vars(ragged).update(dtype=_core.as_dtype(dtype), shape=_core.TensorShape(shape))
        return ragged

    @classmethod
    def from_row_splits(cls, values: Any, row_splits: Any, name: Optional[str] = None,
                        validate: bool = True) -> RaggedTensor:
        splits = framework_lib.convert_to_tensor(row_splits).get_shape()
        rows = splits.as_list()[0] if splits.ndims else None
        return _of(values, None if rows is None else rows - 1)

    @classmethod
    def from_row_lengths(cls, values: Any, row_lengths: Any, name: Optional[str] = None,
                         validate: bool = True) -> RaggedTensor:
        lengths = framework_lib.convert_to_tensor(row_lengths).get_shape()
        return _of(values, lengths.as_list()[0] if lengths.ndims else None)

    @classmethod
    def from_tensor(cls, tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1,
                    name: Optional[str] = None, row_splits_dtype: Any = "int64") -> RaggedTensor:
        tensor = framework_lib.convert_to_tensor(tensor)
        dims = tensor.get_shape()
        shape = None if dims.ndims is None else [
            None if 0 < i <= ragged_rank else d for i, d in enumerate(dims.as_list())]
        return cls.made(tensor.dtype, shape, [tensor])

    def get_shape(self) -> Any:
        return self.shape

    @property
    def flat_values(self) -> Any:
        """All values, one row after the other, where the rows are ragged in one axis."""
        dims = self.shape
        inner = None if dims.ndims is None else [None, *dims.as_list()[2:]]
        return op_builders.unknown(self.dtype, inner, None, self._sf_inputs, trusted=True)

    def bounding_shape(self, axis: Any = None, name: Optional[str] = None, out_type: Any = None) -> Any:
        whole = [] if axis is not None and not isinstance(axis, (list, tuple)) else [self.shape.ndims]
        return op_builders.unknown(out_type or "int64", whole, trusted=True)

    def nrows(self, out_type: Any = None, name: Optional[str] = None) -> Any:
        return op_builders.unknown(out_type or "int64", [], trusted=True)

    def to_tensor(self, default_value: Any = None, name: Optional[str] = None, shape: Any = None) -> Any:
        """Rows of one length: that of `shape` where it says one."""
        dims = self.shape
        if shape is not None and not isinstance(shape, _core.Tensor) and dims.ndims is not None:
            wanted = _core.TensorShape(shape).as_list()
            dims = _core.TensorShape([w if w is not None else d for w, d in zip(wanted, dims.as_list())])
        return op_builders.unknown(self.dtype, dims, None, self._sf_inputs, trusted=True)

    def __repr__(self) -> str:
        return "<tf.RaggedTensor shape=%s dtype=%s>" % (self.shape, self.dtype.name)


def _of(values: Any, rows: Optional[int]) -> RaggedTensor:
    values = framework_lib.convert_to_tensor(values)
    tail = values.get_shape()
    shape = None if tail.ndims is None else [rows, None, *tail.as_list()[1:]]
    return RaggedTensor.made(values.dtype, shape, [values])


def _depth_shape(given: Any) -> List[Optional[int]]:
    """The shape of nested lists; None where lengths differ, and below the first."""
    if not isinstance(given, (list, tuple)):
        return []
    parts = [_depth_shape(part) for part in given]
    return [len(given), *(None for _ in max(parts, key=len, default=[]))]


@export("tf.ragged.constant", v2=True)
def constant(pylist: Any, dtype: Any = None, ragged_rank: Optional[int] = None, inner_shape: Any = None,
             name: Optional[str] = None, row_splits_dtype: Any = "int64") -> Any:
    """Of nested lists; of a number a plain tensor."""
    shape = _depth_shape(pylist)
    leaf = pylist
    while isinstance(leaf, (list, tuple)):
        leaf = next((part for part in leaf if not isinstance(part, (list, tuple)) or part), None)
    if not shape:
        return framework_lib.convert_to_tensor(pylist, dtype)
    if len(shape) == 1:
        return framework_lib.convert_to_tensor(pylist, dtype)
    kind = dtype or ("float32" if leaf is None else framework_lib.convert_to_tensor(leaf).dtype)
    return RaggedTensor.made(kind, shape if ragged_rank is None and inner_shape is None else None)


@export("tf.ragged.map_flat_values", v2=True)
def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What the function makes of all values, in rows as before; its result has their dtype and shape."""
    ragged = next((one for one in (*args, *kwargs.values()) if isinstance(one, RaggedTensor)), None)
    if ragged is None:
        return op(*args, **kwargs)

    def flat(one: Any) -> Any:
        return one.flat_values if isinstance(one, RaggedTensor) else one

    made = framework_lib.convert_to_tensor(op(*map(flat, args), **{k: flat(v) for k, v in kwargs.items()}))
    tail, dims = made.get_shape(), ragged.shape
    known = tail.ndims is not None and dims.ndims is not None
    shape = [*dims.as_list()[:2], *tail.as_list()[1:]] if known else None
    return RaggedTensor.made(made.dtype, shape, [made])


@export("tf.strings.split", v1=False, v2=True)
def split(input: Any, sep: Any = None, maxsplit: int = -1, name: Optional[str] = None) -> Any:
    """The words of each string: of one string a vector."""
    text = framework_lib.convert_to_tensor(input, "string")
    dims = text.get_shape()
    if dims.ndims == 0:
        return op_builders.unknown("string", [None], None, [text], trusted=True)
    return RaggedTensor.made("string", None if dims.ndims is None else [*dims.as_list(), None], [text])


@export("tf.strings.unicode_split", v1=False, v2=True)
def unicode_split(input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 65533,
                  name: Optional[str] = None) -> Any:
    """The characters of each string."""
    return split(input)
