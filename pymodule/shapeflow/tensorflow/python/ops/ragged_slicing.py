"""Items and slices of ragged tensors.

Source: tensorflow/python/ops/ragged/ragged_getitem.py.
"""
from __future__ import annotations

from typing import Any, List, Optional

from shapeflow import _core
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor, known


def item(ragged: RaggedTensor, key: Any) -> Any:
    """`ragged[key]`."""
    keys = list(key) if isinstance(key, (tuple, list)) else [key]
    if Ellipsis in [k for k in keys if k is Ellipsis]:
        at = next(i for i, k in enumerate(keys) if k is Ellipsis)
        rank = ragged.shape.ndims
        if rank is None:
            return RaggedTensor.made(ragged.dtype, None, ragged._sf_inputs)
        taken = sum(1 for k in keys if k is not None and k is not Ellipsis)
        keys[at:at + 1] = [slice(None)] * (rank - taken)
    return _item(ragged, keys)


def _item(value: Any, keys: List[Any]) -> Any:
    if not keys:
        return value
    if not isinstance(value, RaggedTensor):
        return value[tuple(keys)]
    first, rest = keys[0], keys[1:]
    if first is None:
        inner = _item(value, rest)
        from shapeflow.tensorflow.python.ops import ragged_dispatch

        return ragged_dispatch.expand_dims(inner, 0) if isinstance(inner, RaggedTensor) else inner[None]
    if isinstance(first, slice):
        return _inner(_rows(value, first), rest)
    return _item(_row(value, first), rest)


def _row(value: RaggedTensor, index: object) -> Any:
    """One row."""
    number = index if isinstance(index, int) else known(framework_lib.convert_to_tensor(index))
    rows = value.shape.as_list()[0] if value.shape.ndims else None
    if number is not None and rows is not None and not -rows <= number < rows:
        raise IndexError("slice index %d of dimension 0 out of bounds." % number)
    splits = known(value.row_splits)
    if splits is not None and number is not None:
        number %= len(splits) - 1
        return value.values[splits[number]:splits[number + 1]]
    if value._uniform is not None:
        return value.values[0:value._uniform]
    return _some(value.values, None)


def _some(values: Any, count: Optional[int]) -> Any:
    """`count` of the values (None: nobody knows how many)."""
    dims = values.shape
    shape = None if dims.ndims is None else [count, *dims.as_list()[1:]]
    if isinstance(values, RaggedTensor):
        return RaggedTensor.made(values.dtype, shape, values._sf_inputs, values.ragged_rank)
    return op_builders.unknown(values.dtype, shape, None, [values], trusted=True)


def _rows(value: RaggedTensor, part: slice) -> RaggedTensor:
    """Some of the rows."""
    if part == slice(None):
        return value
    splits = known(value.row_splits)
    bounds = [b if b is None or isinstance(b, int) else known(framework_lib.convert_to_tensor(b))
              for b in (part.start, part.stop, part.step)]
    unknown_bounds = any(b is None and given is not None
                         for b, given in zip(bounds, (part.start, part.stop, part.step)))
    rows = value.shape.as_list()[0] if value.shape.ndims else None
    if unknown_bounds or rows is None:
        return RaggedTensor.made(value.dtype, _with_rows(value, None), value._sf_inputs, value.ragged_rank)
    chosen = range(rows)[slice(*bounds)]
    if splits is None:
        return RaggedTensor.made(value.dtype, _with_rows(value, len(chosen)),
                                 value._sf_inputs, value.ragged_rank)
    lengths = [splits[i + 1] - splits[i] for i in chosen]
    if chosen.step == 1:
        values = value.values[splits[chosen.start] if chosen else 0:splits[chosen.stop] if chosen else 0]
    else:
        values = _some(value.values, sum(lengths))
    made = RaggedTensor.from_row_lengths(values, framework_lib.convert_to_tensor(lengths,
                                                                                 value.row_splits.dtype),
                                         validate=False)
    return RaggedTensor.of(made.values, made.row_splits, value._uniform)


def _with_rows(value: RaggedTensor, rows: Optional[int]) -> Any:
    dims = value.shape
    return None if dims.ndims is None else [rows, *dims.as_list()[1:]]


def _inner(value: RaggedTensor, keys: List[Any]) -> Any:
    """Each row with `keys`."""
    if not keys:
        return value
    first, rest = keys[0], keys[1:]
    if isinstance(first, slice) and first == slice(None):
        if not rest:
            return value
        inner = value.values
        changed = _inner(inner, rest) if isinstance(
            inner, RaggedTensor) else inner[tuple([slice(None), *rest])]
        return value.with_values(changed)
    splits = known(value.row_splits)
    if isinstance(first, slice) and all(b is None or isinstance(b, int)
                                        for b in (first.start, first.stop,
                                                  first.step)) and splits is not None:
        lengths = [len(range(b - a)[first]) for a, b in zip(splits, splits[1:])]
        cut = RaggedTensor.from_row_lengths(_some(value.values, sum(lengths)),
                                            framework_lib.convert_to_tensor(
            lengths, _core.as_dtype("int64")), validate=False)
        return _inner(cut, [slice(None), *rest]) if rest else cut
    if isinstance(first, slice):
        cut = RaggedTensor.made(value.dtype, value.shape, value._sf_inputs, value.ragged_rank)
        return _inner(cut, [slice(None), *rest]) if rest else cut
    if first is None:
        from shapeflow.tensorflow.python.ops import ragged_dispatch

        wider = ragged_dispatch.expand_dims(value, 1)
        return _inner(wider, [slice(None), slice(None), *rest]) if rest else wider
    rows = value.shape.as_list()[0] if value.shape.ndims else None
    if value._uniform is None and isinstance(first, int):
        raise ValueError("Cannot index into an inner ragged dimension.")
    return _item(_some(value.values, rows), [slice(None), *rest])
