"""Streams of elements as runs: (element, how often). Most elements of a dataset look the same.

An element is a tuple of components, one for each leaf of the dataset's structure; a component is an
eager tensor, or, where the leaf is a dataset (`window`), a list of runs. A count of None is endless;
a `Soft` count is assumed, because nobody knows it here. Order is kept where TensorFlow shuffles:
that is one of the orders that could happen.
"""
from __future__ import annotations

from typing import Any, Iterable, Iterator, List, Optional, Tuple

from shapeflow import _core

Element = Tuple[Any, ...]
Run = Tuple[Element, Optional[int]]

CONTENT = 16        # components of up to so many elements keep their content, as feeds do
DISTINCT = 4096     # a source of more elements than that gives them without content
STATES = 256        # so many states of a scan are told apart, then one stands for all
DISTINCT_FLOATS = 256
ZERO, INTEGERS, NO_MINUS_ZERO = 8, 16, 32  # flags of lattice/interval.h


class Soft(int):
    """A number of elements that is assumed: it never makes a short last batch."""


ASSUMED = Soft(1000)


def like(count: Optional[int], value: int) -> int:
    return Soft(value) if isinstance(count, Soft) else value


def component(dtype: Any, shape: Any, value: Any = None, bounds: Any = None) -> _core.Tensor:
    return _core.eager_tensor(dtype, shape, value, bounds)


def bounds_of(components: Iterable[object]) -> Any:
    """Between what the elements of all of them lie, for `shapeflow numeric`; None: nobody knows."""
    if not _core.notes_numbers():
        return None
    found = [_core.bounds_of(c) for c in components]
    known = [one for one in found if one is not None]
    return joined(known) if known and len(known) == len(found) else None


def joined(known: List[Any]) -> Any:
    """Bounds that hold for all that is finite: what is not is said where it came from."""
    flags = 0
    for _, _, more in known:
        flags |= more & ZERO
    for kept in (INTEGERS, NO_MINUS_ZERO):
        flags |= kept if all(one[2] & kept for one in known) else 0
    return min(one[0] for one in known), max(one[1] for one in known), flags


def dims(tensor: Any) -> Optional[List[Optional[int]]]:
    shape = tensor.shape
    return None if shape.ndims is None else shape.as_list()


def content(tensor: object) -> Any:
    """The known content of a component as an array, or None."""
    return None if isinstance(tensor, list) else _core.constant_value(tensor)


class Stream:
    """The elements of some runs one by one; the newest can be taken back once."""

    __slots__ = ("runs", "element", "left", "pushed", "shown", "__weakref__")

    def __init__(self, runs: Iterable[Run]) -> None:
        self.runs = iter(runs)
        self.element: Any = None
        self.left: Optional[int] = 0
        self.pushed = False
        self.shown: Any = None

    def next(self) -> Any:
        """The next element, or None at the end."""
        if self.pushed:
            self.pushed = False
            return self.shown
        if self.left is not None:
            while self.left == 0:
                run = next(self.runs, None)
                if run is None:
                    return None
                self.element, self.left = run
                if self.left is None:
                    break
            else:
                self.left -= 1
        self.shown = self.element
        return self.element

    def back(self) -> None:
        self.pushed = True

    def peek(self) -> Optional[Run]:
        """The current run, as far as it is left."""
        while self.left == 0:
            run = next(self.runs, None)
            if run is None:
                return None
            self.element, self.left = run
        return self.element, self.left

    def drop(self, count: int) -> None:
        if self.left is not None:
            self.left = like(self.left, self.left - count)


def smallest(counts: Iterable[Optional[int]]) -> Optional[int]:
    known = [c for c in counts if c is not None]
    return min(known) if known else None


# --- what transformations do to runs ---------------------------------------------------------------
def take(runs: Iterable[Run], count: Optional[int]) -> Iterator[Run]:
    for element, n in runs:
        if count is not None:
            if count <= 0:
                return
            n = count if n is None or n > count else n
            count -= n
        yield element, n


def skip(runs: Iterable[Run], count: int) -> Iterator[Run]:
    for element, n in runs:
        if n is None:
            count = 0
        elif count:
            gone = min(count, n)
            count -= gone
            n = like(n, n - gone)
        if n != 0:
            yield element, n


def shard(runs: Iterable[Run], number: int, index: int) -> Iterator[Run]:
    position = 0
    for element, n in runs:
        if n is None:
            yield element, None
            return
        first = (index - position) % number
        if first < n:
            yield element, like(n, (n - first + number - 1) // number)
        position += n


def repeat(again: Any, count: Optional[int]) -> Iterator[Run]:
    """`again()` gives the runs anew."""
    done = 0
    while count is None or done < count:
        runs = again()
        first = next(runs, None)
        if first is None:
            return
        second = next(runs, None)
        element, n = first
        if second is None and not done:
            # One run only, so every epoch is that run.
            if n is None or count is None:
                yield element, None
            else:
                yield element, like(n, n * count)
            return
        yield first
        if second is not None:
            yield second
        yield from runs
        done += 1


def zipped(many: List[Iterable[Run]]) -> Iterator[Run]:
    streams = [Stream(runs) for runs in many]
    while True:
        heads = []
        for stream in streams:
            head = stream.peek()
            if head is None:
                return
            heads.append(head)
        count = smallest(n for _, n in heads)
        yield tuple(c for element, _ in heads for c in element), count
        if count is None:
            return
        for stream in streams:
            stream.drop(count)


def groups(runs: Iterable[Run], size: int, keep_rest: bool) -> Iterator[Tuple[List[Run], Optional[int]]]:
    """Runs of groups of `size` elements; a group is a list of runs."""
    held: List[Run] = []
    missing = size
    soft = False
    for element, n in runs:
        soft = isinstance(n, Soft)
        while n is None or n > 0:
            if not held and (n is None or n >= size):
                if n is None:
                    yield [(element, size)], None
                    return
                whole = n // size
                yield [(element, size)], like(n, whole)
                n = like(n, n - whole * size)
                continue
            part = missing if n is None else min(missing, n)
            held.append((element, int(part)))
            missing -= part
            n = n if n is None else like(n, n - part)
            if not missing:
                yield held, 1
                held, missing = [], size
    if held and keep_rest and not soft:
        yield held, 1


def interleaved(inner: Iterator[Iterator[Run]], cycle: int, block: int) -> Iterator[Run]:
    """Blocks of `block` elements from `cycle` streams in turn."""
    slots: List[Optional[Stream]] = []
    for runs in inner:
        slots.append(Stream(runs))
        if len(slots) == cycle:
            break
    at, taken = 0, 0
    while slots:
        stream = slots[at]
        head = None if stream is None else stream.peek()
        if head is None:
            following = next(inner, None)
            if following is not None:
                slots[at] = Stream(following)
                taken = 0
                continue
            slots.pop(at)
            at, taken = (at % len(slots) if slots else 0), 0
            continue
        element, n = head
        if all(content(c) is None for c in element):
            # Nothing tells these elements apart, nor their order from the real one.
            yield head
            if n is None:
                return
            stream.drop(n)  # type: ignore[union-attr]
            continue
        yield element, 1
        stream.drop(1)  # type: ignore[union-attr]
        taken += 1
        if taken == block:
            at, taken = (at + 1) % len(slots), 0


def is_true(flag: object) -> bool:
    if isinstance(flag, _core.Tensor):
        flag = _core.constant_value(flag)
    return bool(flag) if flag is not None else False


def array_of(given: object, known: Any) -> Any:
    """The content that rows are cut from: the user's own array, or what is known of the tensor."""
    if type(given).__module__ == "numpy" and getattr(given, "ndim", False):
        dtype = known.dtype
        return given if dtype.is_integer or dtype.is_floating or dtype.is_bool or \
            dtype == _core.as_dtype("string") else None
    if isinstance(given, list):
        import numpy as np

        array = np.asarray(given)
        return None if array.dtype == object else array
    return content(known)
