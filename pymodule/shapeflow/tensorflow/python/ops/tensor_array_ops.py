"""tf.TensorArray: all elements have one shape, so one of them stands for all.

`flow` is that representative element; it travels through while loops like any loop variable. A
stack is the element tiled by the array's size: shapes, symbols and gradients all stay exact.
Source: tensorflow/python/ops/tensor_array_ops.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import as_dtype, outputs, tf, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional


# SfArrayPart of core/op/node.h: how memory is counted.
_NEW, _WRITE, _READ, _SCATTER, _GATHER = 1, 2, 3, 4, 5


def _is_in_graph(tensor: object) -> bool:
    """Is it of a graph that sessions run?"""
    return not _core.executing_eagerly() and not framework_lib.inside_function() and \
        isinstance(tensor, _core.Tensor) and _core.node_key(tensor) is not None


def _marked(tensor: _core.Tensor, part: int) -> _core.Tensor:
    if part and _is_in_graph(tensor):
        _core.mark_array(tensor, part)
    return tensor


def repeat(element: Any, count: object, name: Optional[str] = None) -> Any:
    """`count` copies of `element` along a new first axis."""
    row = tf.expand_dims(element, 0)
    shape = element.get_shape()
    if isinstance(count, int) or _core.constant_value(count) is not None:
        count = int(count if isinstance(count, int) else _core.constant_value(count))
        head: Any = [count]
    else:
        head = tf.reshape(tf.cast(count, _core.as_dtype("int32")), [1])
    if shape.ndims is not None:
        ones = [1] * shape.ndims
        multiples = head + ones if isinstance(head, list) else tf.concat([head, ones], 0) \
            if ones else head
    else:
        multiples = tf.concat([head, tf.ones([tf.rank(element)], _core.as_dtype("int32"))], 0)
    return tf.tile(row, multiples, name=name)


def _same(a: Any, b: Any) -> bool:
    return bool(a.ndims == b.ndims and (a.ndims is None or a.as_list() == b.as_list()))


def _known(size: object) -> Optional[int]:
    """The number that an eager tensor is."""
    value = _core.constant_value(size) if hasattr(size, "numpy") else None
    return None if value is None or value.size != 1 else int(value)


def _first_part(value: _core.Tensor, lengths: object, shape: object) -> _core.Tensor:
    """The element that stands for the parts of `value`: the first where all are as long as that, else one of
    which nobody knows how long it is."""
    known = lengths if isinstance(lengths, (list, tuple)) else _core.constant_value(lengths)
    items = known if isinstance(known, (list, tuple)) else known.tolist() if known is not None else []
    first = items[0] if isinstance(items, (list, tuple)) and items else None
    if first is not None and all(n is first or isinstance(n, int) and n == first for n in items):
        return _marked(tf.strided_slice(value, [0], [first]), _SCATTER)
    return _marked(unknown(value.dtype, shape, None, [value], trusted=True), _SCATTER)


class TensorArray:
    """A list of tensors of one dtype and, unless infer_shape=False, one shape."""

    def __init__(self, dtype: Any, size: Any = None, dynamic_size: Optional[bool] = None,
                 clear_after_read: Any = None, tensor_array_name: Optional[str] = None,
                 handle: Any = None, flow: Any = None, infer_shape: bool = True,
                 element_shape: Any = None, colocate_with_first_write_call: bool = True,
                 name: Optional[str] = None) -> None:
        if handle is not None and tensor_array_name:
            raise ValueError("Cannot construct with both handle and tensor_array_name")
        if handle is None and size is None:
            raise ValueError("Size must be provided if handle is not provided")
        self._dtype = _core.as_dtype(dtype).base_dtype
        self._dynamic = bool(dynamic_size)
        self._infer = bool(infer_shape) or element_shape is not None
        self._element_shape = _core.TensorShape(element_shape)
        self._size = size
        self._whole: object = None  # what it was split from, while nothing else is written
        self._written: List[Any] = []  # infer_shape=False: what all writes so far agree on, if any
        # How many rows an eager array that grows has: all its copies share it; None: not known.
        self._rows: List[Optional[int]] = [size if isinstance(size, int) else _known(size)]
        if flow is None:
            flow = _marked(unknown(self._dtype, None, name or "TensorArray", trusted=True), _NEW)
        self._flow = flow

    # --- what it is
    dtype = property(lambda self: self._dtype)
    flow = property(lambda self: self._flow)
    handle = property(lambda self: self._flow)
    dynamic_size = property(lambda self: self._dynamic)
    element_shape = property(lambda self: self._element_shape)
    _infer_shape = property(lambda self: self._infer)

    def _next(self, flow: object, shape: Any = None, size: object = None) -> "TensorArray":
        """The array after a write: TensorFlow's arrays are immutable values too."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._flow = flow
        made._whole = None
        if shape is not None and self._infer:
            made._element_shape = shape
        if size is not None:
            made._size = size
        return made

    def _merged(self, shape: Any) -> _core.TensorShape:
        """The element shape once an element of `shape` was written."""
        if not self._infer:
            self._written[:] = [self._written[0].most_specific_compatible_shape(shape)
                                if self._written else shape]
            return self._element_shape
        if not self._element_shape.is_compatible_with(shape):
            raise fail("SF132", "Inconsistent shapes: saw {shape} but expected {shape} (and "
                       "infer_shape=True)", shape, self._element_shape)
        return self._element_shape.merge_with(shape)

    def _element(self, name: Optional[str] = None, part: int = 0) -> Any:
        element = _marked(tf.identity(self._flow, name=name), part)
        if self._infer:
            element.set_shape(self._element_shape)
        elif self._written and element.get_shape().is_compatible_with(self._written[0]):
            element.set_shape(self._written[0])  # TensorFlow learns it when it runs
        return element

    def identity(self) -> "TensorArray":
        return self._next(tf.identity(self._flow))

    def grad(self, source: object, flow: object = None, name: Optional[str] = None) -> "TensorArray":
        return self._next(tf.identity(self._flow))

    # --- elements
    def read(self, index: object, name: Optional[str] = None) -> Any:
        return self._element(name, _READ)

    def write(self, index: Any, value: Any, name: Optional[str] = None) -> "TensorArray":
        value = framework_lib.convert_to_tensor(value, None, "value", preferred_dtype=self._dtype)
        value = as_dtype(value, self._dtype)
        if value.dtype.base_dtype != self._dtype:
            raise fail("SF202", "TensorArray dtype is {dtype} but Op is trying to write dtype {dtype}.",
                       self._dtype.name, value.dtype.name, error=TypeError)
        shape = self._merged(value.get_shape())
        flow = value
        if self._written and not _same(self._written[0], value.get_shape()):
            flow = unknown(self._dtype, self._written[0], None, [value, self._flow], trusted=True)
        elif _is_in_graph(value) and _is_in_graph(self._flow) and self._flow.graph is value.graph:
            # of what was written before, too: gradients go to all elements
            flow = _marked(outputs("IdentityN", [[value, self._flow]], None, "TensorArrayWrite")[0], _WRITE)
        self._count(index)
        return self._next(flow, shape)

    def _count(self, index: Any) -> None:
        """Grows with a row that is written by a number. Nothing is known where a tensor says which: it may be
        that of a loop of TensorFlow's, whose turns are not counted, and in a function."""
        if self._rows[0] is None or not isinstance(index, int) or not _core.executing_eagerly() or \
                framework_lib.inside_function():
            self._rows[0] = None
        else:
            self._rows[0] = max(index + 1, self._rows[0])

    def stack(self, name: Optional[str] = None) -> Any:
        return self._stacked(self.size(), name)

    def gather(self, indices: object, name: Optional[str] = None) -> Any:
        indices = framework_lib.convert_to_tensor(indices)
        return self._stacked(tf.size(indices), name)

    def _stacked(self, count: object, name: Optional[str]) -> Any:
        return _marked(repeat(self._element(), count, name), _GATHER)

    pack = stack

    def concat(self, name: Optional[str] = None) -> Any:
        if self._whole is not None:  # nothing was written since it was split
            return tf.identity(self._whole, name=name)
        element = self._element()
        shape = element.get_shape()
        if shape.ndims is None:
            return unknown(self._dtype, None, name or "TensorArrayConcat", [element], trusted=True)
        total = _marked(repeat(element, self.size()), _GATHER)
        rest = tf.shape(element)[1:]
        result = tf.reshape(total, tf.concat([[-1], rest], 0), name=name)
        result.set_shape([None] + shape.as_list()[1:])
        return result

    def unstack(self, value: Any, name: Optional[str] = None) -> "TensorArray":
        value = framework_lib.convert_to_tensor(value, self._dtype)
        shape = value.get_shape()
        element = _marked(value[0], _SCATTER)
        if shape.ndims is not None:
            element_shape = self._merged(_core.TensorShape(shape.as_list()[1:]))
        else:
            element_shape = self._element_shape
        size = shape.as_list()[0] if shape.ndims else None
        self._rows[0] = size
        return self._next(element, element_shape, tf.shape(value)[0] if size is None else size)

    unpack = unstack

    def scatter(self, indices: object, value: Any, name: Optional[str] = None) -> "TensorArray":
        value = framework_lib.convert_to_tensor(value, self._dtype)
        shape = value.get_shape()
        element = self._merged(_core.TensorShape(shape.as_list()[1:])) if shape.ndims else \
            self._element_shape
        self._rows[0] = None
        return self._next(_marked(value[0], _SCATTER), element)

    def split(self, value: Any, lengths: Any, name: Optional[str] = None) -> "TensorArray":
        value = framework_lib.convert_to_tensor(value, self._dtype)
        shape = value.get_shape()
        rest = _core.TensorShape([None] + shape.as_list()[1:]) if shape.ndims else self._element_shape
        made = self._next(_first_part(value, lengths, rest), self._merged(rest))
        made._whole = value
        sizes = framework_lib.convert_to_tensor(lengths).get_shape()
        self._rows[0] = sizes.as_list()[0] if sizes.ndims == 1 else None
        return made

    def size(self, name: Optional[str] = None) -> Any:
        int32 = _core.as_dtype("int32")
        if self._dynamic and self._rows[0] is not None and _core.executing_eagerly():
            return framework_lib.convert_to_tensor(self._rows[0], int32, name)
        if self._dynamic or self._size is None:
            return unknown(int32, [], name or "TensorArraySize", [self._flow], trusted=True)
        return framework_lib.convert_to_tensor(self._size, int32, name)

    def close(self, name: Optional[str] = None) -> Any:
        return tf.no_op(name=name or "TensorArrayClose")


put(TensorArray, "tf.TensorArray", v2=True)
