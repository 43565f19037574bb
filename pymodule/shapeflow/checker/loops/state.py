"""What the user's program holds at the head of a turn, and what turns that repeat make of it.

A view is a dict from paths to what stands there: numbers and texts by value, arrays by shape and dtype, lists
by length, objects of the user's classes by their attributes, and what is nobody's by its type. It covers the
names of the frame, the globals of the user's modules, cells of closures and frames of generators. From
several views in a row comes a Change: integers that grow by the same step each turn, and lists that grow by
the same number of items. There is none when anything else differs.
"""
from __future__ import annotations

import functools
import sys
from collections import deque
from itertools import cycle
from types import CellType, FrameType, FunctionType, GeneratorType, MethodType, ModuleType, SimpleNamespace

from shapeflow import _core
from shapeflow.api import positions
from shapeflow.api.registry import own_module
from shapeflow.checker.import_hook import is_tensorflow
from shapeflow.checker.lazy_imports import is_deferred
from shapeflow.checker.library_frames import is_library
from shapeflow.checker.loops import cycles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Collection, Dict, List, Optional, Sequence, Set, Tuple

    from shapeflow.checker.loops.places import Place

    Path = Tuple[Any, ...]
    Views = Sequence["View"]

_MOST = 20_000  # places of a view: a program that holds more is not skipped
_ITEMS = 64  # of a list or dict that are looked at
_FILL = 20_000_000  # items that a list is filled up with at the most
_VALUES = (bool, str, bytes, type(None))

_CALLBACKS = "keras.src.callbacks."
POSITION = "position"  # paths of what api/positions.py has begin with it


class TooMuch(Exception):
    """The program holds more than is looked at."""


class View:
    """What stood at each path. `holders` says where an integer or a list is kept, to be set."""

    def __init__(self, is_stepped: bool) -> None:
        self.is_stepped = is_stepped  # the program steps iterators by itself
        self.found: Dict[Path, Any] = {}
        self.holders: Dict[Path, Tuple[Any, Any]] = {}
        self.paths: Dict[Tuple[int, Any], Path] = {}  # by (id of the dictionary, key)
        self.stepped: List[cycles.Stepped] = []  # generators of the user's code, and iterators
        self.positions: Set[Path] = set()  # where these are, and the integers of generators
        self._seen: Set[int] = set()
        self._kept: List[Any] = []  # ids stay theirs

    def add(self, path: Path, holder: Any, key: Any, value: Any) -> None:
        kind = type(value)
        self.paths[id(holder), key] = path
        if kind is int:
            self.found[path] = value
            self.holders[path] = holder, key
            return
        if kind in _VALUES:
            self.found[path] = (value,)
            return
        if kind is float or kind is complex:
            self.found[path] = kind
            return
        if id(value) in self._seen:
            self.found[path] = kind
            return
        self._seen.add(id(value))
        self._kept.append(value)
        if len(self.found) > _MOST:
            raise TooMuch
        self._object(path, value, kind, holder, key)

    def _object(self, path: Path, value: Any, kind: type, holder: object, key: object) -> None:
        if isinstance(value, (list, deque)):
            self.found[path] = Length(len(value), getattr(value, "maxlen", None))
            self.holders[path] = value, None
            self._items(path, value)
        elif isinstance(value, tuple):
            self.found[path] = kind, len(value)
            self._items(path, value)
        elif isinstance(value, dict):
            self.found[path] = kind, len(value)
            self._dict(path, value)
        elif isinstance(value, (set, frozenset, bytearray)):
            self.found[path] = kind, len(value)
        elif kind is FunctionType:
            self.found[path] = kind
            if not is_library(value.__code__.co_filename):
                for number, cell in enumerate(value.__closure__ or ()):
                    self._cell((*path, "cell", number), cell)
                self._dict((*path, "dict"), value.__dict__)
        elif kind is MethodType:
            self.found[path] = kind
            self.add((*path, "self"), None, path, value.__self__)
        elif kind is CellType:
            self._cell(path, value)
        elif kind is GeneratorType:
            self._generator(path, value, holder, key)
        elif kind in cycles.ITERATORS or kind is cycle:
            self._iterator(path, value, holder, key)
        elif kind in cycles.WRAPPERS:
            self.found[path] = kind
            self.add((*path, "of"), None, path, cycles.parts(value))
        elif kind.__module__ == "itertools" and kind.__name__ == "count":
            self.found[path] = kind, repr(value)
        elif hasattr(kind, "__next__") and not own_module(kind).startswith("shapeflow."):
            self.found[path] = object() if self.is_stepped else kind  # nobody sees how far it is
        elif isinstance(value, type):
            self.found[path] = kind
            if is_users(value):
                self._dict((*path, "class"), dict(vars(value)), value)
        elif is_users(kind) or kind is SimpleNamespace or _is_namespace(kind):
            self.found[path] = kind
            self._attributes(path, value)
        else:
            self.found[path] = _outline(value, kind)

    def _items(self, path: Path, items: Any) -> None:
        if len(items) <= _ITEMS:
            for number, item in enumerate(items):
                self.add((*path, number), items, number, item)
                if isinstance(items, tuple):
                    self.holders.pop((*path, number), None)  # nobody can set it

    def _dict(self, path: Path, items: Dict[Any, Any], holder: object = None) -> None:
        if len(items) <= 4 * _ITEMS:
            for key, item in list(items.items()):
                if isinstance(key, (str, int, bool, type(None), tuple)) and not _is_hidden(key):
                    self.add((*path, key), items if holder is None else holder, key, item)

    def _cell(self, path: Path, cell: Any) -> None:
        try:
            self.add(path, cell, "cell_contents", cell.cell_contents)
        except ValueError:  # it is empty
            self.found[path] = CellType

    def _iterator(self, path: Path, value: Any, holder: object, key: Any) -> None:
        position = cycles.position(value)
        if position:
            self.found[path] = type(value), tuple(position)
            self.positions.add(path)
            self.stepped.append(cycles.Stepped(holder, key, value))
        else:
            self.found[path] = object() if self.is_stepped else type(value)

    def _generator(self, path: Path, value: Any, holder: object, key: object) -> None:
        frame = value.gi_frame
        if frame is not None and is_library(frame.f_code.co_filename):
            self.found[path] = object() if self.is_stepped else GeneratorType
            return
        self.found[path] = GeneratorType, None if frame is None else frame.f_lasti
        if frame is not None and not value.gi_running:
            self.stepped.append(cycles.Stepped(holder, key, value))
            self.positions.add(path)
            for name, item in frame.f_locals.items():
                inner = (*path, "local", name)
                self.add(inner, None, (id(frame), name), item)
                self.holders.pop(inner, None)  # nobody can set it
                if type(item) is int:
                    self.positions.add(inner)

    def _attributes(self, path: Path, value: object) -> None:
        own = getattr(value, "__dict__", None)
        if isinstance(own, dict):
            for key, item in list(own.items()):
                self.add((*path, key), own, key, item)
        for kind in type(value).__mro__:
            names = vars(kind).get("__slots__", ())
            for name in (names,) if isinstance(names, str) else names:
                if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                    self.add((*path, name), value, name, getattr(value, name))


class Length:
    """The length of a list, or of a deque with the most that it takes."""

    __slots__ = ("length", "most")

    def __init__(self, length: int, most: Optional[int]) -> None:
        self.length = length
        self.most = most

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Length) and (self.length, self.most) == (other.length, other.most)

    __hash__ = None  # type: ignore[assignment]


def _is_hidden(key: object) -> bool:
    return isinstance(key, str) and key.startswith("__") and key.endswith("__")


def _is_namespace(kind: type) -> bool:
    return kind.__name__ == "Namespace" and kind.__module__ == "argparse"


def is_users(kind: type) -> bool:
    """Is the class one of the user's own, or a callback of the installed Keras, which keeps what each epoch
    brought?"""
    name = kind.__module__
    return name == "__main__" or isinstance(name, str) and (
        name.startswith(_CALLBACKS) or _is_users_module(name))


@functools.lru_cache(maxsize=None)
def _is_users_module(name: str) -> bool:
    module = sys.modules.get(name)
    if not isinstance(module, ModuleType) or is_tensorflow(name) or name == "__main__" or \
            is_deferred(module):
        return False
    path = vars(module).get("__file__")
    return isinstance(path, str) and path.endswith(".py") and not is_library(path)


def _outline(value: object, kind: type) -> Tuple[type, Optional[Tuple[str, str, str]]]:
    """Of what is nobody's: shape and dtype where it has them, and its type."""
    known = _core.shape_and_dtype(value) if own_module(kind) in ("numpy", "shapeflow._core") else None
    return kind, known


def users_modules() -> List[ModuleType]:
    """Those that are imported now, `__main__` among them."""
    names = [name for name in list(sys.modules) if _is_users_module(name)]
    return [sys.modules[name] for name in (*names, "__main__") if name in sys.modules]


def view(frame: FrameType, place: Place, skipped: Sequence[Any]) -> View:
    """All that the program may look at in its next turn. `skipped`: the iterators of the loop itself, which
    go on by themselves. Raises TooMuch."""
    made = View(place.analysis.is_stepping)
    made._seen.update(map(id, skipped))
    inner, fresh = frame.f_locals, place.analysis.fresh
    for name, value in inner.items():
        if name not in fresh and not _is_hidden(name):
            made.add(("local", name), inner, name, value)
    for module in users_modules():
        names = vars(module)
        if names is not inner and names is not frame.f_globals:
            _globals(made, module.__name__, names)
    for position in positions.alive():
        if not any(position is item for item in skipped):
            left = position.left
            made.add((POSITION, id(position)), position, "left", left if left is None else int(left))
    if frame.f_globals is not inner:
        _globals(made, "global", frame.f_globals)
    return made


def _globals(made: View, module: str, names: Dict[str, object]) -> None:
    for name, value in list(names.items()):
        if not _is_hidden(name) and not isinstance(value, ModuleType):
            made.add((module, name), names, name, value)


class Change:
    """What each turn does: integers with their steps, lists with the items that they get."""

    def __init__(self, last: View) -> None:
        self.last = last
        self.steps: Dict[Path, int] = {}
        self.grown: Dict[Path, int] = {}

    def step_of(self, holder: object, key: object) -> int:
        """Of the integer, or of the length of the list, that is kept there."""
        path = self.last.paths.get((id(holder), key))
        if path is None:
            return 0
        return self.steps.get(path, self.grown.get(path, 0))

    def turns_of_data(self) -> Optional[int]:
        """How many turns the data sets and queues have elements for that are alike; None: all."""
        counts = [self.last.found[path] // -step for path, step in self.steps.items()
                  if path[0] == POSITION and step < 0]
        return min(counts) if counts else None

    def grows(self, items: object) -> bool:
        """Is it one of the lists that get items?"""
        return any(self.last.holders[path][0] is items for path in self.grown)

    def is_too_much(self, turns: int) -> bool:
        """Would lists have to be filled with more than can be had?"""
        return any(count * turns > _FILL and self._most(path) is None for path, count in self.grown.items())

    def _most(self, path: Path) -> object:
        return self.last.found[path].most

    def apply(self, frame: FrameType, now: View, turns: int) -> None:
        """As after so many turns more."""
        if turns <= 0:
            return
        is_local = False
        inner = frame.f_locals
        for path, step in self.steps.items():
            if path not in now.holders or type(now.found[path]) is not int:
                continue
            holder, key = now.holders[path]
            value = now.found[path] + step * turns
            if path[0] == "local" and len(path) == 2:
                inner[path[1]] = value
                is_local = True
            elif isinstance(holder, (dict, list, deque)):
                holder[key] = value
            else:
                setattr(holder, key, value)
        if is_local:
            _core.store_locals(frame)
        for path, count in self.grown.items():
            if path in now.holders:
                _fill(now.holders[path][0], count, turns)


def _fill(items: Any, count: int, turns: int) -> None:
    tail = list(items)[-count:] if isinstance(items, deque) else items[-count:]
    most = getattr(items, "maxlen", None)
    if most is not None:
        turns = min(turns, most // count + 1)
    items.extend(tail * turns)


def change_of(views: Views, but: Collection[Path] = ()) -> Optional[Change]:
    """What the turns between the views have in common, but for these paths; None: something else goes on."""
    last = views[-1]
    change = Change(last)
    ours = {path: now for path, now in last.found.items() if path not in but} if but else last.found
    for path, now in ours.items():
        if isinstance(now, Length):
            lengths = [view.found.get(path) for view in views]
            if not all(isinstance(item, Length) for item in lengths):
                return None
            counts = {after.length - before.length  # type: ignore[union-attr]
                      for before, after in zip(lengths, lengths[1:])}
            if len(counts) != 1:
                return None
            count = counts.pop()
            if count < 0:
                return None
            if count:
                change.grown[path] = count
    for path, now in ours.items():
        if type(now) is int:
            series = [view.found.get(path) for view in views]
            if None in series and (_is_below(path, change.grown) or _is_used_up(path, last)):
                continue  # an item that a list got, or what a turn makes for itself
            if any(type(item) is not int for item in series):
                return None
            steps = {after - before for before, after in zip(series, series[1:])}  # type: ignore[operator]
            if len(steps) != 1:
                return None
            step = steps.pop()
            if step and path not in last.holders:
                return None
            if step:
                change.steps[path] = step
    for path in {path for view in views for path in view.found}:
        values = [view.found.get(path) for view in views]
        if path in but or path in change.steps or path in change.grown or \
                _is_below(path, change.grown) or None in values and _is_used_up(path, last):
            continue
        if any(value != values[0] for value in values):
            return None
    return change


def _is_used_up(path: Path, last: View) -> bool:
    """Is it the position of an iterator that is gone, at its end, or among elements alike for ever?"""
    return bool(path[0] == POSITION and last.found.get(path, 0) in (0, (None,)))


def _is_below(path: Path, lists: Dict[Path, int]) -> bool:
    return any(path[:length] in lists for length in range(1, len(path)))
