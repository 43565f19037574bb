"""What a script feeds its sessions, as intervals: real data by their least and largest element."""
from __future__ import annotations

import math

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

    import numpy as np

    Bounds = Tuple[float, float, int]  # lo, hi, flags
    # Node, output, lo, hi, flags; of some places along the last axis: begin and end.
    Fact = Union[Tuple[str, int, float, float, int], Tuple[str, int, float, float, int, int, int]]

# As in lattice/interval.h.
NAN, PINF, NINF, ZERO, INTEGERS = 1, 2, 4, 8, 16


MOST_COLUMNS = 64  # that are told apart
_FEW = 64  # elements that say of most arrays that they hold no whole numbers


class _Fed:
    """All that was fed for one tensor. `is_known`: nothing of it had made-up content."""

    def __init__(self, dtype: Optional[object] = None) -> None:
        self._dtype = dtype  # of the tensor; None: as that of the array
        self.lo, self.hi = float("inf"), float("-inf")
        self.flags = INTEGERS
        self.is_known = True
        self.columns: Optional[List[_Fed]] = None  # of each place along the last axis
        self.is_new = True

    def add_columns(self, array: Any) -> None:
        """The same for each place along the last axis, where all arrays have as many."""
        few = array.ndim > 1 and 1 < array.shape[-1] <= MOST_COLUMNS
        if self.is_new and few:
            self.columns = [_Fed(self._dtype) for _ in range(array.shape[-1])]
        self.is_new = False
        if not few or self.columns is None or len(self.columns) != array.shape[-1]:
            self.columns = None
            return
        for i, column in enumerate(self.columns):
            column.add(array[..., i])

    def known_columns(self) -> List[_Fed]:
        columns = self.columns or []
        return columns if all(one.lo <= one.hi for one in columns) else []

    def add(self, array: Any) -> None:
        """Looks through large arrays as seldom as it can: they are fed in each step."""
        import numpy as np

        with np.errstate(invalid="ignore"):
            lo, hi = float(array.min()), float(array.max())  # NaN where there is one
        if not (math.isfinite(lo) and math.isfinite(hi)):
            self.flags |= NAN * bool(np.isnan(array).any())
            self.flags |= PINF * bool(np.isposinf(array).any()) | NINF * bool(np.isneginf(array).any())
            array = array[np.isfinite(array)]
            if not array.size:
                return
            lo, hi = float(array.min()), float(array.max())
        self.lo, self.hi = min(self.lo, lo), max(self.hi, hi)
        if not self.flags & ZERO and lo <= 0 <= hi and (lo == 0 or hi == 0 or self._has_zero(array)):
            self.flags |= ZERO
        if array.dtype.kind == "f" and self.flags & INTEGERS and not _is_whole(array):
            self.flags &= ~INTEGERS

    def _has_zero(self, array: np.ndarray) -> bool:
        if array.dtype.kind != "f":
            return bool((array == 0).any())
        return bool((abs(array) < _core.least_normal(self._dtype or array.dtype)).any())


def _is_whole(array: np.ndarray) -> bool:
    import numpy as np

    first = array.flat[:_FEW]
    return bool((first == np.rint(first)).all() and (array == np.rint(array)).all())


class Recorder:
    """Notes what each run of a session is fed, from `begin` on."""

    def __init__(self) -> None:
        self._fed: Dict[Any, Dict[Tuple[str, int], _Fed]] = {}  # by graph
        self._seen: Mapping[int, object] = {}  # arrays that were looked at

    def begin(self, content: Optional[Callable[[object], Optional[Bounds]]] = None) -> None:
        """`content`: who is asked between what the elements of an array of eager code lie."""
        from shapeflow.tensorflow.python.framework import object_log

        object_log.start()
        _core.set_run_hook(self.note)
        _core.start_numbers(content or bounds)

    def note(self, session: Any, fetches: object, feed_dict: object) -> None:
        if not isinstance(feed_dict, dict):
            return
        graph = session.graph
        for target, value in feed_dict.items():
            if isinstance(target, str):
                name, _, number = target.partition(":")
                key, dtype = (name, int(number or 0)), None
            elif isinstance(target, _core.Tensor) and target.graph is graph:
                key, dtype = (target.op.name, target.value_index), target.dtype
            else:
                continue
            self._add(self._fed.setdefault(graph, {}).setdefault(key, _Fed(dtype)), value)

    def _add(self, fed: _Fed, value: object) -> None:
        array = real_array(value)
        if array is None:
            fed.is_known = False
        else:
            fed.add(array)
            fed.add_columns(array)

    def facts(self, graph: object) -> List[Fact]:
        """What is known of the fed tensors of a graph."""
        made: List[Fact] = []
        for (name, output), fed in self._fed.get(graph, {}).items():
            if fed.is_known and fed.lo <= fed.hi:
                made.append((name, output, fed.lo, fed.hi, fed.flags))
                made += [(name, output, one.lo, one.hi, one.flags, i, i + 1)
                         for i, one in enumerate(fed.known_columns())]
        return made

    def broken(self, graph: object) -> List[Tuple[str, str]]:
        """(node, what) of those whose data hold NaN or infinity."""
        return [(name, "NaN" if fed.flags & NAN else "infinity")
                for (name, _), fed in self._fed.get(graph, {}).items()
                if fed.flags & (NAN | PINF | NINF)]


_LARGEST = 1 << 28  # bytes that are looked through


def bounds(value: Any) -> Optional[Bounds]:
    """Between what the elements of an array lie; None: nobody knows."""
    array = real_array(value) if value.nbytes <= _LARGEST else None
    if array is None:
        return None
    fed = _Fed()
    fed.add(array)
    return (fed.lo, fed.hi, fed.flags) if fed.lo <= fed.hi else None


def real_array(value: object) -> Optional[Any]:
    """Real numbers; None: their content is nobody's. An array whose elements are all 0, 1, 1/2... stands, but
    for scalars, for data that are not here, or for what a softmax gave."""
    import numpy as np

    try:
        array = np.asarray(value)
    except Exception:  # whatever an object of the script raises
        return None
    if type(array) is not np.ndarray or array.dtype.kind not in "fiub" or not array.size:
        return None
    if array.dtype.kind == "f" and array.ndim and array.size > 1:
        first = array.flat[0]
        is_made_up = first == 0 or (0 < first <= 1 and abs(1 / first - round(1 / first)) < 1e-3)
        if is_made_up and (array == first).all():
            return None
    return array
