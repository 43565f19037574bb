"""Elements stacked into batches, padded batches, and taken apart again.

Source: tensorflow/core/kernels/data/{batch,padded_batch}_dataset_op.cc.
"""
from __future__ import annotations

from shapeflow.tensorflow.python.data.element_runs import (
    ASSUMED,
    CONTENT,
    Element,
    Run,
    bounds_of,
    component,
    content,
    dims,
    groups,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, List, Optional

    from shapeflow._core import Tensor


def _refuse(text: str, *args: object, kind: str = "InvalidArgumentError") -> Exception:
    from shapeflow.tensorflow.python.framework import errors
    from shapeflow.tensorflow.python.framework.error_report import fail

    return fail("SF129", text, *args, error=lambda message: getattr(errors, kind)(None, None, message))


def _same(index: int, group: List[Run]) -> Optional[List[Optional[int]]]:
    """The one shape of component `index`; elements of different shapes do not fit together."""
    merged = dims(group[0][0][index])
    first = merged
    position = 0
    for element, count in group:
        shape = dims(element[index])
        if merged is None or shape is None:
            merged = shape if merged is None else merged
            continue
        if len(shape) != len(merged) or any(
                a is not None and b is not None and a != b for a, b in zip(shape, merged)):
            raise _refuse("Cannot batch tensors with different shapes in component {int}. First element "
                          "had shape {shape:brackets} and element {int} had shape {shape:brackets}.", index,
                          first or [], position, shape)
        merged = [b if a is None else a for a, b in zip(merged, shape)]
        position += count or 0
    return merged


def _stacked(index: int, group: List[Run], size: int) -> Tensor:
    head = group[0][0][index]
    if isinstance(head, list):
        raise _refuse("Batching of nested datasets is not supported")
    shape = _same(index, group)
    if shape is not None and None not in shape:
        elements = size
        for d in shape:
            elements *= d or 0
        if 0 < elements <= CONTENT:
            values = [(content(element[index]), count) for element, count in group]
            if all(v is not None for v, _ in values):
                import numpy as np

                return component(head.dtype, None, np.stack(
                    [v for v, count in values for _ in range(count or 0)]))
    return component(head.dtype, None if shape is None else [size] + shape,
                     bounds=bounds_of(element[index] for element, _ in group))


def batched(runs: Iterable[Run], size: int, drop: bool) -> Iterator[Run]:
    last: Any = None
    for group, count in groups(runs, size, not drop):
        key = [(id(element), n) for element, n in group]
        if last is None or last[0] != key:
            n = sum(c or 0 for _, c in group)
            made = tuple(_stacked(i, group, n) for i in range(len(group[0][0])))
            last = key, made, group  # the group keeps the ids from being used again
        yield last[1], count


def _padded(index: int, group: List[Run], size: int, want: Optional[List[Optional[int]]]) -> Tensor:
    head = group[0][0][index]
    shapes = [dims(element[index]) for element, _ in group]
    if any(s is None for s in shapes):
        return component(head.dtype, None if want is None else [size] + list(want))
    if want is None:
        want = [None] * len(shapes[0] or [])
    out: List[Optional[int]] = []
    for shape in shapes:
        if len(shape or []) != len(want):
            raise _refuse("All elements in a batch must have the same rank as the padded shape for "
                          "component{int}: expected rank {rank} got element with rank {rank}", index,
                          len(want), len(shape or []))
    for axis, d in enumerate(want):
        sizes = [s[axis] for s in shapes if s is not None]
        known = [s for s in sizes if s is not None]
        if d is None:
            out.append(max(known) if len(known) == len(sizes) else None)
            continue
        if known and max(known) > d:
            raise _refuse("Attempted to pad to a smaller size than the input element.",
                          kind="DataLossError")
        out.append(d)
    return component(head.dtype, [size] + out)


def padded(runs: Iterable[Run], size: int, wants: List[Any], drop: bool) -> Iterator[Run]:
    for group, count in groups(runs, size, not drop):
        n = sum(c or 0 for _, c in group)
        yield tuple(_padded(i, group, n, want) for i, want in enumerate(wants)), count


def windows(runs: Iterable[Run], size: int, shift: int, stride: int, drop: bool) -> Iterator[Run]:
    """Each element is, for every component, a list of runs: a dataset."""
    def made(group: List[Run]) -> Element:
        return tuple([((element[i],), n) for element, n in group] for i in range(len(group[0][0])))

    if shift == size and stride == 1:
        for group, count in groups(runs, size, not drop):
            yield made(group), count
        return
    held: List[Run] = []
    span = (size - 1) * stride + 1
    skip = 0
    for element, n in runs:
        left = ASSUMED if n is None else n
        for _ in range(left):
            if skip:
                skip -= 1
                continue
            held.append((element, 1))
            if len(held) == span:
                yield made(held[::stride]), 1
                skip = max(0, shift - span)
                held = held[shift:]
    while held and not drop:
        yield made(held[::stride]), 1
        held = held[shift:]


def rows(runs: Iterable[Run]) -> Iterator[Run]:
    """unbatch."""
    for element, n in runs:
        shapes = [dims(c) for c in element]
        size = next((s[0] for s in shapes if s), None)
        for s in shapes:
            if s and s[0] is not None and size is not None and s[0] != size:
                raise _refuse("Mismatched dimension 0: {dim} vs. {dim}", size, s[0])
        values = [content(c) for c in element]
        if size is not None and size <= CONTENT and any(v is not None for v in values):
            for _ in range(1 if n is None else n):
                for i in range(size):
                    yield tuple(component(c.dtype, s[1:] if s else None, None if v is None else v[i])
                                for c, s, v in zip(element, shapes, values)), 1
            continue
        row = tuple(component(c.dtype, None if s is None else s[1:], bounds=bounds_of([c]))
                    for c, s in zip(element, shapes))
        if size is None:
            yield row, (None if n is None else ASSUMED)
        elif size:
            yield row, (None if n is None else n * size)


def slices(leaves: List[Any], arrays: List[Any], count: Optional[int]) -> Iterator[Run]:
    """The rows of whole tensors; `arrays[i]` is the content of leaf i or None."""
    from shapeflow.tensorflow.python.data.element_runs import DISTINCT, DISTINCT_FLOATS

    plain = []
    valued = False
    keep: List[Any] = []
    for leaf, array in zip(leaves, arrays):
        shape = dims(leaf)
        plain.append(component(leaf.dtype, None if shape is None else shape[1:], bounds=bounds_of([leaf])))
        limit = DISTINCT_FLOATS if leaf.dtype.is_floating else DISTINCT
        fits = array is not None and count is not None and count <= limit and \
            array.ndim and array.size <= CONTENT * count
        keep.append(array if fits else None)
        valued = valued or fits
    if not valued:
        yield tuple(plain), ASSUMED if count is None else count
        return
    for i in range(count or 0):
        yield tuple(p if a is None else component(p.dtype, None, a[i])
                    for p, a in zip(plain, keep)), 1
