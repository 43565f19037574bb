"""What the Python of a traced body does: TensorFlow lets it run once for each kind of arguments.

Here a body runs again where the content of small tensors may decide shapes. Such a run stands for one of the
graph: what it prints is not shown, the names, lists and objects that it changed are as they were before, and
the names that it reads and random numbers that it draws are those of the first run.
Source: tensorflow/python/eager/polymorphic_function.
"""
from __future__ import annotations

import collections
import functools
import io
import sys
import types
from typing import (
    Callable,
    Dict,
    List,
    MutableSequence,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    TextIO,
    Tuple,
    TypeVar,
)

_MOST = 400  # objects that are looked into
_LONG = 2000  # items of one that are looked at
_TABLES = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
_OURS = ("shapeflow", "tensorflow", "keras", "tf_keras", "numpy")


# --- names ------------------------------------------------------------------------------------------
class Name(NamedTuple):
    """What code finds by name: in a cell of its closure, or among globals."""

    holder: object
    text: str
    value: object


def names_of(function: object) -> List[Name]:
    """Those of its code, with the objects of now."""
    function = _innermost(function)
    if not isinstance(function, types.FunctionType):
        return []
    cells = [Name(cell, "cell_contents", _look(cell, "cell_contents")) for cell in function.__closure__ or ()]
    found = [name for name in cells if name.value is not _look]
    names, waiting = function.__globals__, [function.__code__]
    while waiting:
        code = waiting.pop()
        found.extend(Name(names, text, names[text]) for text in code.co_names if text in names)
        waiting.extend(part for part in code.co_consts if isinstance(part, types.CodeType))
    return found


def _innermost(function: object) -> object:
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif "_python_function" in getattr(function, "__dict__", ()):
            function = getattr(function, "_python_function", None)
        else:
            return getattr(function, "__func__", function)


def _look(holder: object, name: str) -> object:
    """The object; _look itself where there is none."""
    if isinstance(holder, dict):
        return holder.get(name, _look)
    try:
        return getattr(holder, name)
    except ValueError:  # of a name that is bound later, or is no more
        return _look


def _put(holder: object, name: str, value: object) -> None:
    if isinstance(holder, dict):
        holder.pop(name, None) if value is _look else holder.update({name: value})
    elif value is _look:
        delattr(holder, name)
    else:
        setattr(holder, name, value)


class as_then:
    """While it holds, names stand for what they stood for; what is bound to them meanwhile is forgotten."""

    def __init__(self, named: List[Name]) -> None:
        self._named = named

    def __enter__(self) -> None:
        self._before: List[Name] = []
        for holder, name, then in self._named:
            now = _look(holder, name)
            self._before.append(Name(holder, name, now))
            if now is not then:
                _put(holder, name, then)

    def __exit__(self, *exc: object) -> None:
        for holder, name, before in self._before:
            if _look(holder, name) is not before:
                _put(holder, name, before)


# --- objects ----------------------------------------------------------------------------------------
class _AsBefore:
    """The lists, tables and objects that can be reached from `roots` become what they are now."""

    def __init__(self, roots: Sequence[object]) -> None:
        self._lists: List[Tuple[MutableSequence[object], List[object]]] = []
        self._sets: List[Tuple[Set[object], Set[object]]] = []
        self._tables: List[Tuple[Dict[object, object], Dict[object, object]]] = []
        self.names: List[Name] = []  # of the program's own functions that were met
        seen: Set[int] = set()
        waiting = collections.deque(roots)
        while waiting and len(seen) < _MOST:
            one = waiting.popleft()
            if id(one) in seen:
                continue
            inside = self._parts(one)
            if inside is not None:
                seen.add(id(one))
                waiting.extend(inside)

    def _parts(self, one: object) -> Optional[Sequence[object]]:
        """What it holds; None: nothing that a body might change."""
        kind = type(one)
        if isinstance(one, (list, collections.deque)) and kind in (list, collections.deque):
            self._lists.append((one, list(one)))
            return list(one) if len(one) <= _LONG else ()
        if isinstance(one, set) and kind is set:
            self._sets.append((one, set(one)))
            return ()
        if isinstance(one, dict) and kind in _TABLES:
            return self._table(one)
        if isinstance(one, tuple):
            return one[:_LONG]
        if isinstance(one, functools.partial):
            return (one.func, *one.args)
        if isinstance(one, types.MethodType):
            return (one.__self__, one.__func__)
        if isinstance(one, types.FunctionType):
            if _is_of_packages(one.__module__ or ""):
                return None
            names = names_of(one)
            self.names.extend(names)
            return [name.value for name in names]
        held: object = getattr(one, "__dict__", None)
        if not isinstance(held, dict):
            return None
        if "_python_function" in held:
            return (held["_python_function"],)
        if isinstance(one, (type, types.ModuleType)) or _is_of_packages(kind.__module__):
            return None
        return self._table(held)

    def _table(self, one: Dict[object, object]) -> Sequence[object]:
        self._tables.append((one, dict(one)))
        return list(one.values()) if len(one) <= _LONG else ()

    def restore(self) -> None:
        for one, items in self._lists:
            if len(one) != len(items) or any(a is not b for a, b in zip(one, items)):
                one.clear()
                one.extend(items)
        for some, members in self._sets:
            if some != members:
                some.clear()
                some.update(members)
        for table, rows in self._tables:
            if not _same_items(table, rows):
                table.clear()
                table.update(rows)


def _is_of_packages(module: str) -> bool:
    return module.partition(".")[0] in _OURS


def _same_items(one: Dict[object, object], other: Dict[object, object]) -> bool:
    return len(one) == len(other) and all(a is b and one[a] is other[b] for a, b in zip(one, other))


# --- random numbers -----------------------------------------------------------------------------------
_RandomState = List[Tuple[Callable[[object], object], object]]


def _random_state() -> _RandomState:
    """(what sets it, the state) of Python's and of numpy's random numbers, as far as they are loaded."""
    found: _RandomState = []
    for name, get, put in (("random", "getstate", "setstate"), ("numpy.random", "get_state", "set_state")):
        module = sys.modules.get(name)
        if hasattr(module, get) and hasattr(module, put):
            found.append((getattr(module, put), getattr(module, get)()))
    return found


def _drew_nothing(before: _RandomState) -> bool:
    """Are the states of random numbers what they were?"""
    now = _random_state()
    return len(now) == len(before) and all(_words(one[1]) == _words(other[1])
                                           for one, other in zip(before, now))


def _words(state: object) -> object:
    """A state of numpy's has an array in it."""
    to_bytes = getattr(state, "tobytes", None)
    if to_bytes is not None:
        return to_bytes()
    return [_words(item) for item in state] if isinstance(state, tuple) and len(state) < _LONG else state


_LONG = 100  # words of a state of Python's


def _set_random(state: _RandomState) -> None:
    for put, value in state:
        put(value)


# --- what is shown --------------------------------------------------------------------------------------
class _Nowhere(io.StringIO):
    """A stream of which nothing is seen."""

    def write(self, text: str) -> int:
        return len(text)


_hidden: List[Tuple[TextIO, TextIO]] = []  # the streams behind those of hidden runs, the outermost first


class _Silent:
    """Nothing is printed or logged while it holds."""

    def __enter__(self) -> None:
        self._streams = sys.stdout, sys.stderr
        _hidden.append(self._streams)
        sys.stdout, sys.stderr = _Nowhere(), _Nowhere()
        self._manager: object = getattr(getattr(sys.modules.get("logging"), "root", None), "manager", None)
        if self._manager is not None:
            self._level: object = getattr(self._manager, "disable", 0)
            setattr(self._manager, "disable", 100)  # noqa: B010

    def __exit__(self, *exc: object) -> None:
        sys.stdout, sys.stderr = self._streams
        _hidden.pop()
        if self._manager is not None:
            setattr(self._manager, "disable", self._level)  # noqa: B010


def is_hidden() -> bool:
    """Does a body run of which Python sees nothing?"""
    return bool(_hidden)


def stream(name: str) -> TextIO:
    """sys.stdout or sys.stderr, as the program has it: what an op prints is printed by each run."""
    if _hidden:
        return _hidden[0][name == "stderr"]
    return sys.stderr if name == "stderr" else sys.stdout


_Result = TypeVar("_Result")


class FirstRun:
    """The run of a body that TensorFlow would make: what Python found then."""

    def __init__(self, function: object) -> None:
        self._function = function
        self._names = names_of(function)
        self._random = _random_state()

    def ended(self) -> None:
        """The run is over: of a body that drew no random numbers a later run draws none, and the states, of
        thousands of bytes, need not be kept each time."""
        if self._random and _drew_nothing(self._random):
            self._random = []

    def again(self, body: Callable[[], _Result], given: object) -> _Result:
        """What the body gives in a run of which Python sees nothing."""
        now = _random_state() if self._random else []
        before = _AsBefore([self._function, given])
        with _Silent(), as_then(before.names), as_then(self._names):
            _set_random(self._random)
            try:
                return body()
            finally:
                before.restore()
                _set_random(now)
