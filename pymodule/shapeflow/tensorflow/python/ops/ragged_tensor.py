"""tf.RaggedTensor: values, and where each row of them begins and ends.

What is known of the row splits is exact, so that rows of known lengths are known; all else is None. A member
that is not here is unknown. Source: tensorflow/python/ops/ragged/ragged_tensor.py.
"""
from __future__ import annotations

import importlib

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Iterator, List, Optional

_convert = framework_lib.convert_to_tensor


def known(tensor: object) -> Any:
    """A tensor's numbers as a list, None when they are not all known."""
    value = _core.constant_value(tensor)
    return None if value is None else value.tolist()


def _later(module: str) -> ModuleType:
    """A module that is made of this one, loaded when it is first needed."""
    return importlib.import_module("shapeflow.tensorflow.python.ops." + module)


def as_splits(splits: object) -> Any:
    """Row splits as a tensor of whole numbers."""
    if isinstance(splits, (_core.Tensor, _core.VariableBase)):
        return _convert(splits)
    dtype = getattr(splits, "dtype", None)
    return _convert(splits, _core.as_dtype(
        "int32" if dtype is not None and str(dtype) == "int32" else "int64"))


def as_values(values: object) -> Any:
    return values if isinstance(values, RaggedTensor) else _convert(values)


def _invalid(text: str) -> Exception:
    from shapeflow.tensorflow.python.framework import errors

    return errors.InvalidArgumentError(None, None, text)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional


@export("tf.RaggedTensor", v2=True)
class RaggedTensor(Opaque):
    """A tensor whose rows have lengths of their own."""

    _sf_is_ragged = True

    def __init__(self, values: Any, row_partition: Any = None, internal: bool = False, **kwargs: Any) -> None:
        """For TensorFlow's own code; of() for ours."""
        raise ValueError("RaggedTensor constructor is private; please use one of the factory methods instead "
                         "(e.g., RaggedTensor.from_row_lengths())")

    @classmethod
    def of(cls, values: Any, splits: Any, uniform: Optional[int] = None) -> RaggedTensor:
        """Of values (a tensor or a ragged one) and row splits; `uniform`: the length of every row."""
        ragged = cls.__new__(cls)
        Opaque.__init__(ragged, "tf.RaggedTensor", [
            *(values._sf_inputs if isinstance(values, RaggedTensor) else [values]), splits])
        vars(ragged).update(_values=values, _splits=splits, _uniform=uniform, dtype=values.dtype)
        return ragged

    @classmethod
    def made(cls, dtype: Any, shape: Any, inputs: Any = (), ragged_rank: Optional[int] = None,
             splits_dtype: Any = "int64") -> RaggedTensor:
        """Of a shape alone: what is ragged in it is not known."""
        shape = _core.TensorShape(shape)
        dims = [None, None] if shape.ndims is None else shape.as_list()
        deep = ragged_rank if ragged_rank is not None else 1 + max(
            (i - 1 for i, d in enumerate(dims) if i > 0 and d is None), default=0)
        inner = None if shape.ndims is None else [None, *dims[deep + 1:]]
        values = op_builders.unknown(dtype, inner, None, list(inputs), trusted=True)
        for axis in range(deep - 1, -1, -1):
            rows = dims[0] if axis == 0 else None
            splits = op_builders.unknown(splits_dtype, [None if rows is None else rows + 1], None,
                                         list(inputs),
                                         trusted=True)
            values = cls.of(values, splits, dims[axis + 1])
        return values

    # --- factories
    @classmethod
    def from_row_splits(cls, values: object, row_splits: object, name: Optional[str] = None,
                        validate: bool = True) -> RaggedTensor:
        values, splits = as_values(values), as_splits(row_splits)
        rows = splits.get_shape()
        if rows.ndims == 1 and rows.as_list()[0] == 0:
            raise ValueError("row_splits tensor may not be empty.")
        if rows.ndims not in (1, None):
            raise ValueError("Shape %s must have rank 1" % rows)
        numbers, count = known(splits), _rows_of(values)
        if validate and numbers:
            if numbers[0] != 0:
                raise _invalid("Arguments to from_row_splits do not form a valid RaggedTensor")
            if any(a > b for a, b in zip(numbers, numbers[1:])) or count is not None and numbers[-1] != count:
                raise _invalid("Arguments to from_row_splits do not form a valid RaggedTensor")
        return cls.of(values, splits)

    @classmethod
    def from_row_lengths(cls, values: object, row_lengths: object, name: Optional[str] = None,
                         validate: bool = True) -> RaggedTensor:
        lengths = as_splits(row_lengths)
        if lengths.get_shape().ndims not in (1, None):
            raise ValueError("Shape %s must have rank 1" % lengths.get_shape())
        splits = tf.concat([tf.zeros([1], lengths.dtype), tf.cumsum(lengths)], 0)
        numbers = known(lengths)
        if numbers is not None:
            total = [0]
            for number in numbers:
                total.append(total[-1] + number)
            splits = _convert(total, lengths.dtype)
        return cls.from_row_splits(values, splits, None, validate)

    @classmethod
    def from_value_rowids(cls, values: object, value_rowids: object, nrows: object = None,
                          name: Optional[str] = None, validate: bool = True) -> RaggedTensor:
        values, rowids = as_values(values), as_splits(value_rowids)
        numbers = known(rowids)
        count = nrows if nrows is None or isinstance(nrows, int) else known(_convert(nrows))
        if numbers is None or nrows is not None and count is None:
            size = None if count is None else count + 1
            return cls.of(values, op_builders.unknown(rowids.dtype, [size], None, [rowids], trusted=True))
        if validate and (any(a > b for a, b in zip(numbers, numbers[1:])) or _rows_of(values) not in (
                None, len(numbers))):
            raise _invalid("Arguments to from_value_rowids do not form a valid RaggedTensor")
        if count is None:
            count = numbers[-1] + 1 if numbers else 0
        if count < 0:
            raise ValueError("Expected nrows >= 0; got %d" % count)
        splits = [sum(1 for n in numbers if n < row) for row in range(count + 1)]
        return cls.of(values, _convert(splits, rowids.dtype))

    @classmethod
    def from_row_starts(cls, values: object, row_starts: object, name: Optional[str] = None,
                        validate: bool = True) -> RaggedTensor:
        values, starts = as_values(values), as_splits(row_starts)
        return cls.from_row_splits(values, tf.concat([starts, [tf.cast(_size_of(values), starts.dtype)]], 0),
                                   None,
                                   validate)

    @classmethod
    def from_row_limits(cls, values: object, row_limits: object, name: Optional[str] = None,
                        validate: bool = True) -> RaggedTensor:
        limits = as_splits(row_limits)
        return cls.from_row_splits(values, tf.concat(
            [tf.zeros([1], limits.dtype), limits], 0), None, validate)

    @classmethod
    def from_uniform_row_length(cls, values: object, uniform_row_length: object, nrows: object = None,
                                validate: bool = True, name: Optional[str] = None) -> RaggedTensor:
        values = as_values(values)
        length = uniform_row_length if isinstance(
    uniform_row_length, int) else known(
        _convert(uniform_row_length))
        count = _rows_of(values)
        rows = nrows if isinstance(nrows, int) else None
        if rows is None and count is not None and length:
            rows = count // length
        whole = None if rows is None or length is None else rows * length
        if validate and None not in (count, whole) and count != whole:
            raise _invalid("Arguments to from_uniform_row_length do not form a valid RaggedTensor")
        splits = op_builders.unknown("int64", [None],
                                     trusted=True) if rows is None or length is None else _convert(
            [length * i for i in range(rows + 1)], _core.as_dtype("int64"))
        return cls.of(values, splits, length)

    def _sf_components(self) -> List[Any]:
        return [self.flat_values, *reversed(self.nested_row_splits)]

    def _sf_of_components(self, parts: Any) -> RaggedTensor:
        return RaggedTensor.from_nested_row_splits(parts[0], parts[:0:-1], validate=False)

    @classmethod
    def from_nested_row_splits(cls, flat_values: object, nested_row_splits: object,
                               name: Optional[str] = None, validate: bool = True) -> RaggedTensor:
        return _nest(cls.from_row_splits, flat_values, nested_row_splits, validate)

    @classmethod
    def from_nested_row_lengths(cls, flat_values: object, nested_row_lengths: object,
                                name: Optional[str] = None, validate: bool = True) -> RaggedTensor:
        return _nest(cls.from_row_lengths, flat_values, nested_row_lengths, validate)

    @classmethod
    def from_nested_value_rowids(cls, flat_values: object, nested_value_rowids: object,
                                 nested_nrows: object = None, name: Optional[str] = None,
                                 validate: bool = True) -> RaggedTensor:
        return _nest(cls.from_value_rowids, flat_values, nested_value_rowids, validate)

    @classmethod
    def from_tensor(cls, tensor: Any, lengths: object = None, padding: object = None, ragged_rank: int = 1,
                    name: Optional[str] = None, row_splits_dtype: Any = "int64") -> RaggedTensor:
        """Rows of a dense tensor: whole, of `lengths`, or without what fills them up."""
        if lengths is not None and padding is not None:
            raise ValueError("Specify lengths or padding, but not both")
        tensor = _convert(tensor)
        dims = tensor.get_shape()
        if dims.ndims is not None and dims.ndims <= ragged_rank:
            raise ValueError("Shape %s must have rank at least %d" % (dims, ragged_rank + 1))
        if ragged_rank != 1 or isinstance(lengths, (list, tuple)) and lengths and isinstance(
                lengths[0], (list, tuple, _core.Tensor)) or dims.ndims is None:
            shape = None if dims.ndims is None else [
                None if 0 < i <= ragged_rank and (lengths is not None or padding is not None) else d
                for i, d in enumerate(dims.as_list())]
            return cls.made(tensor.dtype, shape, [tensor], ragged_rank)
        rows, columns, *inner = dims.as_list()
        if lengths is None and padding is None:
            flat = tf.reshape(tensor, tf.concat([[-1], tf.shape(tensor)[2:]], 0))
            if rows is None or columns is None:
                return cls.made(tensor.dtype, [rows, columns, *inner], [tensor], 1, row_splits_dtype)
            return cls.from_uniform_row_length(flat, columns, rows)
        if lengths is not None:
            sizes = as_splits(lengths)
            numbers = known(sizes)
            if numbers is not None and columns is not None:
                numbers = [min(max(n, 0), columns) for n in numbers]
                values = op_builders.unknown(
    tensor.dtype, [
        sum(numbers), *inner], None, [tensor], trusted=True)
                return cls.from_row_lengths(values, _convert(numbers, sizes.dtype))
        return cls.made(tensor.dtype, [rows, None, *inner], [tensor], 1, row_splits_dtype)

    @classmethod
    def from_sparse(cls, st_input: object, name: Optional[str] = None,
                    row_splits_dtype: object = "int64") -> RaggedTensor:
        if not isinstance(st_input, framework_lib.SparseTensor):
            raise TypeError("Expected SparseTensor, got %s" % type(st_input).__name__)
        dims = st_input.shape
        if dims.ndims not in (2, None):
            raise ValueError("rank(st_input) must be 2.")
        rows = dims.as_list()[0] if dims.ndims else None
        splits = op_builders.unknown(row_splits_dtype, [None if rows is None else rows + 1], None,
                                     [st_input.indices], trusted=True)
        return cls.of(st_input.values, splits)

    # --- parts
    values = property(lambda self: self._values)
    row_splits = property(lambda self: self._splits)
    uniform_row_length = property(lambda self: None if self._uniform is None else _convert(
        self._uniform, _core.as_dtype("int64")))

    @property
    def flat_values(self) -> Any:
        """All values, one row after the other."""
        values = self._values
        return values.flat_values if isinstance(values, RaggedTensor) else values

    @property
    def ragged_rank(self) -> int:
        return 1 + (self._values.ragged_rank if isinstance(self._values, RaggedTensor) else 0)

    @property
    def nested_row_splits(self) -> Any:
        values = self._values
        return (self._splits, *(values.nested_row_splits if isinstance(values, RaggedTensor) else ()))

    @property
    def shape(self) -> Any:
        rows = self._splits.get_shape()
        count = rows.as_list()[0] if rows.ndims == 1 else None
        inner = self._values.shape
        if inner.ndims is None:
            return _core.TensorShape(None)
        return _core.TensorShape([None if count is None else count - 1, self._uniform, *inner.as_list()[1:]])

    def get_shape(self) -> Any:
        return self.shape

    def _set_shape(self, shape: object) -> None:
        """As an iterator over a data set says it."""

    def with_values(self, new_values: object) -> RaggedTensor:
        return RaggedTensor.of(as_values(new_values), self._splits, self._uniform)

    def with_flat_values(self, new_values: object) -> RaggedTensor:
        inner = self._values
        return self.with_values(inner.with_flat_values(new_values) if isinstance(inner, RaggedTensor)
                                else new_values)

    def with_row_splits_dtype(self, dtype: object) -> RaggedTensor:
        dtype = _core.as_dtype(dtype)
        values = self._values
        if isinstance(values, RaggedTensor):
            values = values.with_row_splits_dtype(dtype)
        return RaggedTensor.of(values, tf.cast(self._splits, dtype), self._uniform)

    def row_lengths(self, axis: int = 1, name: Optional[str] = None) -> Any:
        if axis == 0:
            return self.nrows()
        if axis > 1 and isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.row_lengths(axis - 1))
        numbers = known(self._splits)
        if numbers is not None:
            return _convert([b - a for a, b in zip(numbers, numbers[1:])], self._splits.dtype)
        return tf.subtract(self._splits[1:], self._splits[:-1], name=name)

    def nested_row_lengths(self, name: Optional[str] = None) -> Any:
        inner = self._values
        return (self.row_lengths(), *(inner.nested_row_lengths() if isinstance(inner, RaggedTensor) else ()))

    def value_rowids(self, name: Optional[str] = None) -> Any:
        numbers = known(self._splits)
        if numbers is not None:
            return _convert([row for row, (a, b) in enumerate(zip(numbers,
                                                                  numbers[1:])) for _ in range(b - a)],
                            self._splits.dtype)
        return op_builders.unknown(self._splits.dtype, [_rows_of(
            self._values)], None, [self._splits], trusted=True)

    def nested_value_rowids(self, name: Optional[str] = None) -> Any:
        inner = self._values
        return (self.value_rowids(), *(inner.nested_value_rowids() if isinstance(inner, RaggedTensor)
                                       else ()))

    def row_starts(self, name: Optional[str] = None) -> Any:
        return self._splits[:-1]

    def row_limits(self, name: Optional[str] = None) -> Any:
        return self._splits[1:]

    def nrows(self, out_type: object = None, name: Optional[str] = None) -> Any:
        return tf.cast(tf.shape(self._splits)[0] - 1, _core.as_dtype(out_type or self._splits.dtype))

    def bounding_shape(self, axis: object = None, name: Optional[str] = None, out_type: object = None) -> Any:
        out_type = _core.as_dtype(out_type or self._splits.dtype)
        sizes = [self.nrows(), self._longest()]
        inner = self._values
        if isinstance(inner, RaggedTensor):
            rest: Any = inner.bounding_shape()[1:]
        else:
            rest = tf.shape(inner, out_type=_core.as_dtype("int64"))[1:]
        whole = tf.cast(tf.concat([tf.cast(tf.stack(sizes), "int64"), tf.cast(rest, "int64")], 0), out_type)
        return whole if axis is None else tf.gather(whole, axis)

    def _longest(self) -> Any:
        if self._uniform is not None:
            return _convert(self._uniform, self._splits.dtype)
        numbers = known(self._splits)
        if numbers is not None:
            return _convert(max((b - a for a, b in zip(numbers, numbers[1:])), default=0), self._splits.dtype)
        return op_builders.unknown(self._splits.dtype, [], None, [self._splits], trusted=True)

    def longest_dims(self) -> Any:
        """The shape that all rows fit into, as far as it is known; None for no rank."""
        dims = self.shape
        if dims.ndims is None:
            return None
        sizes = dims.as_list()
        at, part = 1, self
        while isinstance(part, RaggedTensor):
            if sizes[at] is None:
                found = known(part._longest())
                sizes[at] = found
            at, part = at + 1, part._values
        return sizes

    def to_tensor(self, default_value: object = None, name: Optional[str] = None,
                  shape: object = None) -> Any:
        """Rows of one length: the longest's, or that of `shape` where it says one."""
        sizes = self.longest_dims()
        if isinstance(shape, _core.Tensor):
            shape = _core.constant_value_as_shape(shape)
        if shape is not None and sizes is not None:
            wanted = _core.TensorShape(shape)
            if wanted.ndims is not None:
                if wanted.ndims != len(sizes):
                    raise ValueError("Shape %s is incompatible with a RaggedTensor of shape %s" % (
                        wanted, self.shape))
                sizes = [d if w is None else w for w, d in zip(wanted.as_list(), sizes)]
        if default_value is not None:
            default = _convert(default_value, None if isinstance(default_value, _core.Tensor) else self.dtype)
            if default.dtype.base_dtype != self.dtype:
                raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s" % (
                    self.dtype.name, default.dtype.name))
        return op_builders.unknown(self.dtype, sizes, name, self._sf_inputs, trusted=True)

    def to_sparse(self, name: Optional[str] = None) -> framework_lib.SparseTensor:
        values = self.flat_values
        rank = self.shape.ndims
        dense = op_builders.unknown("int64", [rank], None, self._sf_inputs, trusted=True)
        sizes = self.longest_dims()
        if sizes is not None and None not in sizes:
            dense = _convert(sizes, _core.as_dtype("int64"))
        if values.get_shape().ndims not in (1, None):
            values = tf.reshape(values, [-1])
        count = _rows_of(values)
        indices = op_builders.unknown("int64", [count, rank], None, self._sf_inputs, trusted=True)
        return framework_lib.SparseTensor(indices, values, dense)

    def to_list(self) -> List[Any]:
        """Nested lists: numbers that are not known are zeros."""
        if not _core.executing_eagerly():
            raise ValueError("to_list can only be used in eager mode.")
        inner = self._values.to_list() if isinstance(self._values,
                                                     RaggedTensor) else self._values.numpy().tolist()
        numbers = known(self._splits) or [0, len(inner)]
        return [inner[a:b] for a, b in zip(numbers, numbers[1:])]

    def numpy(self) -> Any:
        import numpy as np

        rows = [np.asarray(row) for row in self.to_list()]
        if len({row.shape for row in rows}) == 1:
            return np.stack(rows)
        array = np.empty(len(rows), object)
        array[:] = rows
        return array

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        rank = self.shape.ndims
        if rank is not None:
            outer_axis, inner_axis = outer_axis % rank, inner_axis % rank
        if outer_axis > inner_axis:
            raise ValueError("Expected outer_axis (%d) to be less than or equal to inner_axis (%d)" % (
                outer_axis, inner_axis))
        if outer_axis == inner_axis:
            return self
        if outer_axis > 0:
            inner = self._values
            if isinstance(inner, RaggedTensor):
                return self.with_values(inner.merge_dims(outer_axis - 1, inner_axis - 1))
            return RaggedTensor.made(self.dtype, None, self._sf_inputs)
        part: Any = self
        for _ in range(inner_axis):
            if not isinstance(part, RaggedTensor):
                return tf.reshape(part, tf.concat([[-1], tf.shape(part)[2:]], 0))
            part = part._values
        return part

    def consumers(self) -> Any:
        return self.flat_values.consumers()

    # --- rows
    def __getitem__(self, key: object) -> Any:
        return _later("ragged_slicing").item(self, key)

    def __iter__(self) -> Iterator[Any]:
        rows = self.shape.as_list()[0] if self.shape.ndims else None
        if rows is None:
            return Opaque.__iter__(self)
        return (self[i] for i in range(rows))

    def __len__(self) -> int:
        rows = self.shape.as_list()[0] if self.shape.ndims else None
        return 1 if rows is None else rows

    def __sf_dispatch__(self, dotted: str, function: Callable[..., object], args: object,
                        kwargs: object) -> Any:
        """What a function of TensorFlow makes of it: the core asks."""
        return _later("ragged_dispatch").call(dotted, function, args, kwargs)

    def _sf_fetch(self) -> Any:
        return [self.flat_values, * \
            self.nested_row_splits], lambda got: RaggedTensorValue.nested(got[0], got[1:])

    def __repr__(self) -> str:
        return "<tf.RaggedTensor shape=%s dtype=%s>" % (self.shape, self.dtype.name)


@export("tf.compat.v1.ragged.RaggedTensorValue", "tf.ragged.RaggedTensorValue")
class RaggedTensorValue:
    """What a session gives of a ragged tensor."""

    def __init__(self, values: Any, row_splits: Any) -> None:
        self.values, self.row_splits = values, row_splits

    @classmethod
    def nested(cls, values: object, splits: Any) -> Any:
        for one in reversed(splits):
            values = cls(values, one)
        return values

    flat_values = property(lambda self: getattr(self.values, "flat_values", self.values))
    dtype = property(lambda self: self.values.dtype)
    ragged_rank = property(lambda self: 1 + getattr(self.values, "ragged_rank", 0))
    shape = property(lambda self: (len(self.row_splits) - 1, None, *self.values.shape[1:]))


def any_row(ragged: RaggedTensor) -> Any:
    """A row of which only the kind is known: its length is that of no row in particular."""
    dims = ragged.shape
    shape = None if dims.ndims is None else dims.as_list()[1:]
    if ragged.ragged_rank > 1:
        return RaggedTensor.made(ragged.dtype, shape, ragged._sf_inputs, ragged.ragged_rank - 1)
    return op_builders.unknown(ragged.dtype, shape, None, ragged._sf_inputs, trusted=True)


def _rows_of(values: Any) -> Any:
    dims = values.shape
    return dims.as_list()[0] if dims.ndims else None


def _size_of(values: object) -> Any:
    return values.nrows() if isinstance(values, RaggedTensor) else tf.shape(values)[0]


def _nest(make: Any, flat_values: object, nested: Any, validate: bool) -> RaggedTensor:
    if isinstance(nested, _core.Tensor):
        raise TypeError("Argument `nested_row_splits` must be a list of Tensors. Received %s." % nested)
    made = flat_values
    for one in reversed(list(nested)):
        made = make(made, one, validate=validate)
    return as_values(made)


def _function(name: str) -> Any:
    return _core.api_function("tf." + name, 2)


def _operator(name: str, function: str, reflected: bool) -> Any:
    def operator(self: object, *others: object) -> Any:
        if function in ("equal", "not_equal") and (
                others[0] is None or _later("ragged_dispatch").differ(self, others[0])):
            return function == "not_equal"  # what does not broadcast is not equal
        operands = (*others, self) if reflected else (self, *others)
        return _later("ragged_dispatch").elementwise(_function(function), operands, {})

    operator.__name__ = name
    return operator


for _name, _word in (("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide"),
                         ("floordiv", "math.floordiv"), ("mod", "math.floormod"), ("pow", "pow"),
                         ("and", "logical_and"), ("or", "logical_or"), ("xor", "math.logical_xor")):
    setattr(RaggedTensor, "__%s__" % _name, _operator("__%s__" % _name, _word, False))
    setattr(RaggedTensor, "__r%s__" % _name, _operator("__r%s__" % _name, _word, True))
for _name, _word in (("lt", "less"), ("le", "less_equal"), ("gt", "greater"), ("ge", "greater_equal"),
                         ("eq", "equal"), ("ne", "not_equal"), ("neg", "negative"), ("abs", "abs"),
                         ("invert", "logical_not")):
    setattr(RaggedTensor, "__%s__" % _name, _operator("__%s__" % _name, _word, False))
