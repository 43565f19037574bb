"""The end of queue pipelines: how many elements a queue will have held when its input is used up.

Nothing is enqueued here. A producer with `num_epochs` has an end; so has a reader of its files, and
a batch queue fed from either. Dequeues of such a queue are sources (pymodule/ext/source.c) that
count down in each session and then raise what TensorFlow raises. Without `num_epochs` there is no
end, and nothing here applies. Source: tensorflow/core/kernels/queue_base.cc, training/input.py.
"""
from __future__ import annotations

import weakref
from typing import Any, Callable, Dict, List, Optional

from shapeflow import _core
from shapeflow.api import positions
from shapeflow.tensorflow.python.data import file_names, readers
from shapeflow.tensorflow.python.data.element_runs import component
from shapeflow.tensorflow.python.framework import errors

Count = Callable[[], Optional[int]]  # None: not known, so no end


def set_end(op: Any, count: Optional[Count]) -> None:
    """Runs of `op` end after `count()` times; remembered for what is computed from it."""
    if count is not None:
        op.graph.__dict__.setdefault("_sf_ends", {})[op._id] = count


def end_of(tensors: List[Any]) -> Optional[Count]:
    """When what computes `tensors` ends: with the first of the ends that it depends on."""
    graph = next((t.graph for t in tensors if isinstance(t, _core.Tensor)), None)
    ends: Dict[int, Count] = {} if graph is None else graph.__dict__.get("_sf_ends", {})
    if not ends:
        return None
    found: List[Count] = []
    seen = set()
    stack = [t.op for t in tensors]
    while stack:
        op = stack.pop()
        if op._id in seen:
            continue
        seen.add(op._id)
        if op._id in ends:
            found.append(ends[op._id])
            continue
        stack.extend(t.op for t in op.inputs)
        stack.extend(op.control_inputs)
    if not found:
        return None

    def count() -> Optional[int]:
        known = [c for c in (one() for one in found) if c is not None]
        return min(known) if known else None

    return count


def produced(tensor: Any, num_epochs: Optional[int]) -> Optional[Count]:
    """Elements of an input producer over the rows of `tensor`."""
    if num_epochs is None:
        return None
    shape = tensor.get_shape()
    rows = shape.as_list()[0] if shape.ndims else None
    return None if rows is None else lambda: rows * num_epochs


def times(count: Optional[Count], tensor: Any) -> Optional[Count]:
    """enqueue_many: each run adds the rows of `tensor`."""
    shape = tensor.get_shape()
    rows = shape.as_list()[0] if shape.ndims else None
    if count is None or rows is None:
        return None
    known = count
    return lambda: None if known() is None else known() * rows


class _Countdown:
    """The source of a dequeue or a read."""

    def __init__(self, op: Any, owner: Any, count: Count, size: int, batched: bool, smaller: bool,
                 template: str) -> None:
        self.op, self.owner, self.count, self.size = op, owner, count, size
        self.smaller, self.template = smaller, template
        self.batched = batched
        self.full = self._element(size)
        self.total: Optional[int] = None
        self.newest = 0

    def _element(self, n: int) -> Any:
        made = []
        for t in self.op.outputs:
            shape = t.get_shape()
            if self.batched and shape.ndims:
                shape = _core.TensorShape([n] + shape.as_list()[1:])
            made.append(component(t.dtype.base_dtype, shape))
        return tuple(made)

    def __call__(self, session: Any, feed_dict: object) -> Any:
        if self.total is None:
            total = self.count()
            self.total = -1 if total is None else total
        used = session.__dict__.setdefault("_sf_dequeued", weakref.WeakKeyDictionary())
        if self.owner not in used:
            session.__dict__.setdefault("_sf_left", []).append(_Left(used, self))
        done = used.get(self.owner, 0)
        self.newest = self.size
        if self.total >= 0:
            self.newest = min(self.size, self.total - done)
            if self.newest < self.size and not (self.smaller and self.newest > 0):
                # A queue in order has handed out what there was before it finds its end.
                text = self.template % ((self.size, self.newest) if self.template.startswith("Random")
                                     else (self.size - self.newest, 0))
                raise errors.OutOfRangeError(None, self.op, "%s\n\t [[{{node %s}}]]"
                                             % (text, self.op.name))
        used[self.owner] = done + self.newest
        return self.full if self.newest == self.size else self._element(self.newest)

    def undo(self, session: object) -> None:
        session.__dict__["_sf_dequeued"][self.owner] -= self.newest


class _Left:
    """The position of an owner's elements in a session: how many times as many as one op takes are left."""

    def __init__(self, used: Any, source: _Countdown) -> None:
        self._used, self._owner = used, source.owner
        self._total, self._size = source.total, max(1, source.size)
        positions.register(self)

    @property
    def left(self) -> Optional[int]:
        if self._total is None or self._total < 0:
            return None
        return max(0, self._total - self._used.get(self._owner, 0)) // self._size

    @left.setter
    def left(self, count: int) -> None:
        now = self.left
        if now is not None:
            self._used[self._owner] += (now - count) * self._size


class Owner:
    """Whose elements several ops share; counted in each session."""


def count_down(op: Any, owner: Any, count: Optional[Count], size: int, batched: bool, smaller: bool,
               template: str) -> None:
    if _core.executing_eagerly() or (count is None and not smaller):
        return
    if count is None:  # nobody knows of an end: the batches are full
        _core.set_source(op, _Countdown(op, owner, lambda: None, size, batched, smaller, template))
        return
    op.graph.__dict__["_sf_has_end"] = True
    _core.set_source(op, _Countdown(op, owner, count, size, batched, smaller, template))
    if not batched:
        set_end(op, count)


# --- readers ---------------------------------------------------------------------------------------------
def _lines(name: str, skip: int) -> int:
    return max(0, readers.count_lines(name) - skip)


def records(kind: str, queue: object, options: Dict[str, Any]) -> Optional[Count]:
    """Records that a reader finds in all files of a queue of names."""
    count, names = getattr(queue, "_end", None), getattr(queue, "_rows", None)
    if count is None or names is None:
        return None
    one: Dict[str, Callable[[str], int]] = {
        "WholeFileReader": lambda name: 1,
        "IdentityReader": lambda name: 1,
        "TextLineReader": lambda name: _lines(name, options.get("skip_header_lines") or 0),
        "TFRecordReader": readers.count_records,
        "FixedLengthRecordReader": lambda name: readers.count_fixed(
            name, options.get("record_bytes") or 1, options.get("header_bytes") or 0,
            options.get("footer_bytes") or 0)}
    if kind not in one:
        return None

    def total() -> Optional[int]:
        values = _core.constant_value(names)
        runs = count()
        if values is None or runs is None or not values.size:
            return None
        found = 0
        for name in values.reshape(-1):
            try:
                found += one[kind](file_names.text_of(name))
            except errors.OpError:
                # The thread that reads dies of it and closes the queue behind it.
                return found
        return found * (runs // values.size)

    return total
