"""The shapes of a dataset's elements: of batches, of rows, of what two datasets have in common."""
from __future__ import annotations

from typing import Any, Optional

from shapeflow import _core
from shapeflow.tensorflow.python.data.structure import Leaf, Structure
from shapeflow.tensorflow.python.framework.error_report import fail


def open_axes(shape: Any) -> int:
    """One more than the last axis whose size is not known; 0 when all are."""
    return 0 if shape.ndims is None else max(
        (i + 1 for i, d in enumerate(shape.as_list()) if d is None), default=0)


def batch(head: Optional[int], shape: Any) -> _core.TensorShape:
    return _core.TensorShape([head]).concatenate(shape)


def row(leaf: Leaf) -> Leaf:
    shape = leaf.shape
    if shape.ndims is None:
        return leaf.with_shape(None)
    if shape.ndims == 0:
        raise fail("SF132", "Unbatching a tensor is only supported for rank >= {rank}" if
                   _core.get_version()[0] == "2" else "Value has insufficient rank for batching.", 1)
    return leaf.with_shape(shape.as_list()[1:])


def common_rows(structure: Structure) -> Optional[int]:
    known = None
    for leaf in structure.leaves:
        if not leaf.shape.ndims:
            continue
        size = leaf.shape.as_list()[0]
        if size is not None and known is not None and size != known:
            raise fail("SF132", "Dimensions {dim} and {dim} are not compatible", known, size)
        known = size if known is None else known
    return known


def either(a: Any, b: Any) -> _core.TensorShape:
    """most_specific_compatible_shape: what holds of both."""
    if a.ndims is None or b.ndims is None or a.ndims != b.ndims:
        return _core.TensorShape(None)
    return _core.TensorShape([x if x == y else None for x, y in zip(a.as_list(), b.as_list())])


def listed(shapes: object) -> Any:
    return tuple(shapes) if isinstance(shapes, list) and any(isinstance(
        s, (list, tuple, _core.TensorShape)) for s in shapes) else shapes


def pad_shape(shape: Any) -> Any:
    if shape.ndims is None:
        return shape
    return _core.TensorShape([None if d is None or d < 0 else d for d in shape.as_list()])


def check_padding(want: Any, shape: Any) -> None:
    if want.ndims is None or shape.ndims is None:
        return
    text = ("The padded shape {shape} is not compatible with the shape {shape} of the corresponding input "
            "component." if _core.get_version()[0] == "2" else "The padded shape {shape} is not compatible "
            "with the corresponding input component shape {shape}.")
    if want.ndims != shape.ndims:
        raise fail("SF132", text, want, shape)
    for w, d in zip(want.as_list(), shape.as_list()):
        if w is not None and d is not None and d > w:
            raise fail("SF132", text, want, shape)
