"""Modules that are not installed, and all that comes of them: unknown, whatever a program does with it.

A name of such a module may be a function, a class, a decorator, a context manager, an exception or a value;
nobody knows. Unknown is all of them at once. As a tensor it is unknown (unmodelled.Opaque). Where Python
insists on a number, a place gets one, and `assumed` says so: findings that hold such numbers do not count.
"""
from __future__ import annotations

import functools
import os
import re
import sys
from abc import ABCMeta
from types import FunctionType, ModuleType

from shapeflow import _core
from shapeflow.api import asking_frames, known_packages, unknown_offsets, unknown_shapes
from shapeflow.api import unknown_runners as runners
from shapeflow.api import unknown_uses as uses
from shapeflow.api.made_up_numbers import assumed as assumed
from shapeflow.api.unknown_conditions import is_held, times_asked
from shapeflow.api.unmodelled import Opaque, forwarding_operator, mark_graph, tensors_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Type, Union

    import numpy

    from shapeflow.api import unknown_numpy

# len() of something unknown, of an item of it, of an item of that: larger than the batches and windows that
# programs count with, and small where loops are nested.
_LENGTHS = 1000, 12, 2
MANY = 1000  # a number that is compared with a lower limit
_MOST_INPUTS = 32
_MOST_WRITTEN = 1000
_MOST_KEPT_ITEMS = 16
_DEEPEST = 6  # items of items
_LONGEST = 120  # of a name: a loop that goes on with its own result must not make it longer for ever
_TURNS_OF_RANGE = 2  # of `range(1, n)`, so that there are some
_EXCEPTIONS = ("Error", "Exception", "Warning", "Timeout", "Interrupt", "Exit", "Failure")

_COMPARISONS = "__lt__", "__le__", "__gt__", "__ge__"
_DTYPES = frozenset("float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool "
                    "complex64 complex128".split())
_ITEM = re.compile(r"\[\d")  # in a name
_MADE = re.compile(r"(\w+\.)*[A-Z]\w*\(\)")  # by calling a class
_exceptions: Dict[str, type] = {}
_bases: Dict[Tuple[str, bool], type] = {}
# Paths that something unknown was given: it may have written there.
written: Dict[str, None] = {}
_OF_MATRIX = re.compile(r"\.to(array|dense)$")  # scipy's sparse matrices, as a whole
_LOADS = re.compile(r"(load|restore|import|build|create|make|init|model|net|graph)", re.I)
_WRITES = re.compile(r"(save|write|export|dump|plot|render|to_|download|extract)", re.I)


def _name_allowed(attr: str) -> bool:
    """May a name without a value of ours be an unknown one? Protocols ask for names with underscores."""
    if not attr.startswith("_"):
        return True
    return not attr.startswith(("__", "_sf", "_repr_", "_ipython", "_keras")) and \
        uses.user_frame(2) is not None


class Version(str):
    """`__version__` of what is not there: newer than any that is asked for, and equal to each."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str)

    def __ne__(self, other: object) -> bool:
        return not isinstance(other, str)

    __hash__ = str.__hash__




class Unknown(Opaque):
    """Anything of a package that is not installed."""

    _sf_is_plain = True  # of this class, which none that is derived from it says of itself
    _sf_is_array = True
    _sf_length: Optional[int] = None
    _sf_class = ""  # of which it is an object, where that is known
    # `_sf_told_rows` of an instance is what len() said, though nobody knows: its slices end there, too.
    __bases__: Tuple[type, ...] = ()  # issubclass(unknown, C) is asked of it

    def __init__(self, dotted: Any = "", *more: Any, **kwargs: Any) -> None:
        if "_sf_name" not in self.__dict__:  # else a subclass calls it: `absent.Base.__init__(self, size)`
            super().__init__(dotted, *more)

    def _more(self, suffix: str, *arguments: object) -> Unknown:
        name = self._sf_name + suffix
        if len(name) > _LONGEST:
            name = name[:_LONGEST // 2] + "..." + suffix[-_LONGEST // 4:]
        inputs = tensors_in(arguments, list(self._sf_inputs))
        if len(inputs) > 1:
            inputs = list({id(item): item for item in inputs}.values())[-_MOST_INPUTS:]
        if inputs:
            mark_graph()
        made = Unknown(name, inputs)
        depth = self.__dict__.get("_sf_depth", 0)
        if depth:
            made.__dict__["_sf_depth"] = depth
        return made

    def _item(self, number: int) -> Unknown:
        """One of those that somebody goes over."""
        made = self._more("[%d]" % number)
        made.__dict__["_sf_depth"] = made.__dict__.get("_sf_depth", 0) + 1
        return made

    def _shaped(self, shape: object, dtype: Optional[str] = None) -> Unknown:
        """With what is known of it as an array."""
        self.__dict__.update(_sf_shape=shape, _sf_dtype=dtype)
        return self

    def __sf_tensor__(self) -> object:
        mark_graph()
        _expect_members()
        return super().__sf_tensor__()

    # --- names --------------------------------------------------------------------------------
    def __getattr__(self, attr: str) -> Any:
        if attr in ("__name__", "__qualname__"):
            return self._sf_name.rpartition(".")[2]
        if attr == "__version__":
            return Version("9999.0.0")
        if not _name_allowed(attr):
            raise AttributeError(attr)
        if attr == "shape" and self._sf_shape is not None:
            return tuple(Unknown("%s.shape[%d]" % (self._sf_name, i))._shaped((), "int32") if dim is None
                         else dim for i, dim in enumerate(self._sf_shape))
        if attr == "dtype" and self._sf_name.endswith(".dtype"):  # numpy asks: np.zeros(shape, x.dtype)
            import numpy

            return numpy.dtype("float32" if assumed.number() > 1 else "float64")
        if attr == "T" and self._sf_shape is not None:
            return self._more(".T")._shaped(self._sf_shape[::-1], self._sf_dtype)
        if attr == "ndim" and self._sf_shape is not None:
            return len(self._sf_shape)
        if self._sf_shape is not None and type(self) is Unknown:
            from shapeflow.api import unknown_numpy

            if unknown_numpy.is_method(attr):
                return functools.partial(_call_method, self, attr)
        if attr in ("op", "graph", "set_shape", "eval"):
            return getattr(self.__sf_tensor__(), attr)
        value = part(self._sf_name, attr, self._sf_inputs)
        self.__dict__[attr] = value
        return value

    def __delattr__(self, attr: str) -> None:
        self.__dict__.pop(attr, None)

    # --- calls, decorators, metaclasses -------------------------------------------------------
    def __call__(self, *args: object, **kwargs: object) -> object:
        if len(args) == 3 and not kwargs and type(args[0]) is str and type(args[1]) is tuple and \
                type(args[2]) is dict:  # metaclass=
            return type(args[0], args[1], args[2])
        if len(args) == 1 and not kwargs:
            frame = uses.user_frame()
            call = None
            if frame is not None:
                call = uses.of(frame.f_code.co_filename).decorates(frame.f_lineno)
            made = self._sf_name.endswith("()")
            if call is not None and (made or not call):
                return _decorated(args[0], self._sf_name)
            if made and isinstance(args[0], FunctionType):
                return args[0]
        runners.run(self._sf_name, args, kwargs, _decorated)
        if _WRITES.search(self._sf_name):
            _note_written((*args, *kwargs.values()))
        if _LOADS.search(self._sf_name) and not _core.executing_eagerly():
            _core.default_graph().__dict__["_sf_has_more"] = True  # nodes of which nobody knows
        made = self._more("()", args, kwargs)
        return made._shaped((None, None)) if _OF_MATRIX.search(self._sf_name) else made

    # --- items and iteration ------------------------------------------------------------------
    def __getitem__(self, key: object) -> Unknown:
        rows = self.__dict__.get("_sf_told_rows")
        made = self._more("[0]" if type(key) is int else "[]")._shaped(
            unknown_shapes.item(self._sf_shape, key, rows), self._sf_dtype)
        if rows is not None and type(key) is slice and made._rows() is None:
            made.__dict__["_sf_told_rows"] = unknown_shapes.rows_of_slice(rows, key)
        return made

    def __delitem__(self, key: object) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        frame = sys._getframe(1)
        count = asking_frames.unpacked(frame)
        if count is None:
            count = self._rows()
        elif asking_frames.has_star(frame):
            count += assumed.turns
        if count is None and self.__dict__.get("_sf_depth", 0) < _DEEPEST:
            told = self.__dict__.get("_sf_told_rows")
            count = assumed.turns if told is None else min(told, assumed.turns)
        elif count is None:  # items of items of items: a tree that is walked comes to its leaves
            count = 0
        inner = self._sf_shape[1:] if self._sf_shape else None
        if count > _MOST_KEPT_ITEMS:
            return iter([self._item(i)._shaped(inner, self._sf_dtype) for i in range(count)])
        # The same ones each time: what `{c: i for i, c in enumerate(set(labels))}` has, a second turn asks.
        kept: List[Unknown] = self.__dict__.setdefault("_sf_items", [])
        kept += [self._item(i)._shaped(inner, self._sf_dtype) for i in range(len(kept), count)]
        return iter(kept[:count])

    def __next__(self) -> Unknown:
        turns = self.__dict__.get("_sf_turns", 0)
        if turns >= assumed.turns and _stop_is_expected(sys._getframe(1)):
            self.__dict__["_sf_turns"] = 0
            raise StopIteration
        self.__dict__["_sf_turns"] = turns + 1
        return self._more("[%d]" % min(turns, assumed.turns))

    def __reversed__(self) -> Iterator[object]:
        return iter([self._more("[%d]" % i) for i in range(assumed.turns)])

    def keys(self) -> Any:
        """Of a mapping: where it is taken as a whole, those for which the program asks."""
        import shapeflow.api.asked_names as asked_names

        frame = sys._getframe(1)
        found = asked_names.of_keys(frame, self)
        if found is None:
            return [] if asking_frames.is_merge(frame) else self._more(".keys()")
        return found

    def items(self) -> Any:
        import shapeflow.api.asked_names as asked_names

        found = asked_names.pairs(sys._getframe(1), self)
        return self._more(".items()") if found is None else found

    def _rows(self) -> Optional[int]:
        """How many items it is known to have; None: nobody knows."""
        return self._sf_shape[0] if self._sf_shape else self._sf_length

    # --- arrays -------------------------------------------------------------------------------
    def _is_indices(self, frame: FrameType) -> bool:
        """Is it more than one number: rows of a data set, as `train` of KFold().split(x)? Where nobody knows,
        the two runs take it for one number and for several."""
        is_mask = self._sf_dtype == "bool"
        if not is_mask and (self._sf_shape is not None or unknown_shapes.INDICES.search(self._sf_name)):
            return self._sf_shape != ()
        if not assumed.variant or not asking_frames.is_item_read(frame):
            return False
        import shapeflow.api.asked_names as asked_names

        return asked_names.indexes_array(frame)

    @property
    def __array__(self) -> Any:
        """Of numpy, for `x[rows]` of a real array; whatever else it makes of an unknown is unknown."""
        frame = sys._getframe(1)
        is_index = asking_frames.is_subscript(frame) and self._is_indices(frame)
        return self._as_indices if is_index else super().__array__

    def _as_indices(self, *args: object, **kwargs: object) -> object:
        import numpy

        rows = len(self)
        dims = None if self._sf_dtype == "bool" else self._sf_shape
        return numpy.zeros([rows if dim is None else dim for dim in dims or (None,)], numpy.intp)

    def reshape(self, *shape: Any, **kwargs: Any) -> Unknown:
        return self._more(".reshape()")._shaped(unknown_shapes.reshaped(shape), self._sf_dtype)

    def astype(self, dtype: object = None, *args: object, **kwargs: object) -> Unknown:
        return self._more(".astype()")._shaped(self._sf_shape, _dtype_name(dtype))

    def flatten(self, *args: object, **kwargs: object) -> Unknown:
        """Of an array; of what may as well be a module it is any function."""
        if self._sf_shape is None:
            return self._more(".flatten()", args, kwargs)
        return self._more(".flatten()")._shaped((unknown_shapes.count(self._sf_shape),), self._sf_dtype)

    ravel = flatten

    def __array_function__(self, function: Callable[..., object], types: object, args: Tuple[object, ...],
                           kwargs: Dict[str, object]) -> Any:
        name = function.__name__
        made = self._more("." + name, args, kwargs)._shaped(unknown_shapes.of_function(name, args, kwargs))
        return made if made._sf_shape is not None else with_facts(made, name, function, args, kwargs)

    def __array_ufunc__(self, ufunc: numpy.ufunc, method: str, *inputs: object, **kwargs: object) -> Any:
        made = super().__array_ufunc__(ufunc, method, *inputs, **kwargs)
        if method != "__call__" or ufunc.nout != 1:
            return made
        if ufunc.signature is not None:
            return with_facts(made, ufunc.__name__, ufunc, inputs, {})
        _elementwise(made, inputs)
        is_bool = all(kinds.endswith("->?") for kinds in ufunc.types if "O" not in kinds)
        return made._shaped(made._sf_shape, "bool" if is_bool else None)

    # --- async --------------------------------------------------------------------------------
    def __await__(self) -> Any:
        return self
        yield  # a generator, that gives its result at once

    def __aiter__(self) -> _AsyncTurns:
        return _AsyncTurns(self)

    async def __aenter__(self) -> Unknown:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None

    # --- classes ------------------------------------------------------------------------------
    def __mro_entries__(self, bases: Tuple[object, ...]) -> Tuple[type, ...]:
        frame = uses.user_frame()
        plain = frame is None or uses.of(frame.f_code.co_filename).names_metaclass(frame.f_lineno)
        others = {type(base) for base in bases if isinstance(base, type)}
        return (_base(self._sf_name, plain or not others <= {type, ABCMeta, _BaseMeta}),)

    def __instancecheck__(self, instance: object) -> bool:
        known = [vars(kind).get("_sf_class") for kind in type(instance).__mro__]
        if any(known):
            return any(name and self._sf_name.endswith("." + name) for name in known)
        if type(instance) is Unknown:
            if _MADE.fullmatch(instance._sf_name):
                return bool(instance._sf_name == self._sf_name + "()")
            frame = sys._getframe(1)  # what came otherwise may be of any class
            wanted = uses.wanted_condition(frame)
            return assumed.takes(frame) if wanted is None else wanted
        return self.__subclasscheck__(type(instance))

    def __subclasscheck__(self, cls: object) -> bool:
        return any(vars(kind).get("_sf_stands_for") == self._sf_name
                   for kind in getattr(cls, "__mro__", ()))

    # --- what Python wants to be of one kind ---------------------------------------------------
    def __bool__(self) -> bool:
        frame = sys._getframe(1)
        wanted = uses.wanted_condition(frame)
        if wanted is not None:
            return wanted
        if self.__dict__.get("_sf_told_rows") == 0:
            return False
        return is_held(frame)

    def __int__(self) -> int:
        number = assumed.number()
        frame = sys._getframe(1)
        wanted = MANY if uses.is_over_a_limit(frame) else uses.wanted_number(frame)
        return number if wanted is None else wanted

    __trunc__ = __int__

    def __len__(self) -> int:
        known = self._rows()
        if known is not None:
            return known
        assumed.numbers += 1
        told = self.__dict__.get("_sf_told_rows")
        if told is None:
            depth = len(_ITEM.findall(self._sf_name))
            told = self.__dict__["_sf_told_rows"] = \
                _LENGTHS[min(depth, len(_LENGTHS) - 1)] + assumed.variant
        return told

    def __index__(self) -> int:
        number = assumed.number()
        frame = sys._getframe(1)
        if not asking_frames.is_subscript(frame) or asking_frames.is_slice(frame):
            return number + self._before_turns(frame) if asking_frames.may_end_range(frame) else number
        if self._is_indices(frame):
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        asking_frames.note_index(frame)
        return 0  # an index of something real is taken to be in its range

    @staticmethod
    def _before_turns(frame: FrameType) -> int:
        from shapeflow.api import unknown_ranges

        return unknown_ranges.first_number(frame) + _TURNS_OF_RANGE

    def __float__(self) -> float:
        number = assumed.number()
        return float(MANY if uses.is_over_a_limit(sys._getframe(1)) else number)

    def __complex__(self) -> complex:
        return complex(float(self))

    def __round__(self, digits: object = None) -> Unknown:
        return self._more(".__round__()")

    def __repr__(self) -> str:
        return "<unknown %s>" % self._sf_name

    def __str__(self) -> str:
        """One that may be a name of a layer or a file."""
        return "unknown_" + re.sub(r"\W", "_", self._sf_name)

    def __format__(self, spec: str) -> str:
        return str(self)

    def __bytes__(self) -> bytes:
        return b"\1"

    def __fspath__(self) -> str:
        return "%s.unknown" % "".join(c if c.isalnum() or c == "." else "_" for c in self._sf_name)

    def __eq__(self, other: object) -> Any:
        if self is other or uses.user_frame() is None:
            return self is other
        return self._more(".__eq__")

    def __ne__(self, other: object) -> Any:
        if self is other or uses.user_frame() is None:
            return self is not other
        return self._more(".__ne__")

    def __hash__(self) -> int:
        return id(self)

    def __contains__(self, item: object) -> bool:
        """Every second time that a place of the program asks, so that it sees both."""
        frame = sys._getframe(1)
        if uses.is_library(frame.f_code.co_filename):
            return False
        wanted = uses.wanted_containment(frame)
        if wanted is not None:
            return wanted
        place = frame.f_code, frame.f_lasti
        return times_asked(place) % 2 == 1

    # --- copies -------------------------------------------------------------------------------
    def __copy__(self) -> Unknown:
        return self

    def __deepcopy__(self, memo: object) -> Unknown:
        return self

    def __reduce__(self) -> Any:
        return Unknown, (self._sf_name,)


def _note_written(values: Sequence[object]) -> None:
    """Of the arguments of a call that seems to write, what seems to be a path."""
    for value in values:
        if isinstance(value, (str, os.PathLike)) and not isinstance(value, Unknown) and \
                len(written) < _MOST_WRITTEN and os.path.splitext(os.fspath(value))[1]:
            written[os.path.abspath(os.fspath(value))] = None


def with_facts(made: Opaque, name: str, function: Callable[..., object], args: Sequence[object],
                kwargs: Dict[str, object]) -> object:
    """`made` with what is known of the array that a function of numpy gives; a list, where it gives one."""
    from shapeflow.api import unknown_numpy

    facts = unknown_numpy.of_call(name, function, args, kwargs)
    return made if facts is None or not isinstance(made, Unknown) else _told(made, facts)


def _told(made: Unknown, facts: unknown_numpy.Facts) -> object:
    if isinstance(facts, list):
        return [_told(made._more("[%d]" % number), one) for number, one in enumerate(facts)]
    shape, dtype = facts
    return made._shaped(shape, dtype if dtype in _DTYPES else None)


def _call_method(self: Unknown, name: str, /, *args: object, **kwargs: object) -> object:
    """Of an array: x.mean(axis=0)."""
    import numpy

    return with_facts(self._more("." + name)._more("()", args, kwargs), name, getattr(numpy.ndarray, name),
                       (self, *args), kwargs)


def _elementwise(made: object, inputs: Sequence[object]) -> object:
    """`made` with the shape of what is computed of these element by element. `x.mean()` of nobody knows what
    leaves a shape as it is."""
    if isinstance(made, Unknown):
        from shapeflow.api import unknown_numpy

        known = [unknown_shapes.of_value(one) for one in inputs if not unknown_shapes.is_statistic(one)]
        shape = unknown_numpy.broadcast(known) if known else None
        dtypes = {getattr(one, "_sf_dtype", None) for one in inputs if not unknown_shapes.is_number(one)}
        dtype = dtypes.pop() if len(dtypes) == 1 else None
        made._shaped(shape, dtype if dtype is not None and dtype.startswith("float") else None)
    return made


def _product(name: str) -> object:
    """`x @ y`."""
    forward = forwarding_operator(name)

    def operator(self: Unknown, *args: object) -> object:
        import numpy

        sides = (self, *args) if name == "__matmul__" else (*args, self)
        return with_facts(forward(self, *args), "matmul", numpy.matmul, sides, {})

    operator.__name__ = name
    return operator


def _elementwise_operator(name: str) -> object:
    forward = forwarding_operator(name)

    def operator(self: Unknown, *args: object) -> object:
        made: object = forward(self, *args)
        if not isinstance(made, Unknown):
            return made
        if name in unknown_offsets.OPERATORS and args:
            unknown_offsets.note(made, name, self, args[0])
        if self._sf_shape is None:
            return made
        _elementwise(made, (self, *args))
        return made if name not in _COMPARISONS else made._shaped(made._sf_shape, "bool")

    operator.__name__ = name
    return operator


for _name in "add sub mul truediv floordiv mod pow".split():
    for _side in ("__%s__", "__r%s__"):
        setattr(Unknown, _side % _name, _elementwise_operator(_side % _name))
for _name in ("__neg__", "__abs__", *_COMPARISONS):
    setattr(Unknown, _name, _elementwise_operator(_name))
for _name in "__matmul__", "__rmatmul__":
    setattr(Unknown, _name, _product(_name))
for _name in ("__divmod__", "__rdivmod__", "__lshift__", "__rshift__", "__rlshift__", "__rrshift__",
              "__pos__"):
    setattr(Unknown, _name, forwarding_operator(_name))


def _dtype_name(dtype: Any) -> Optional[str]:
    """What TensorFlow calls a dtype of numpy's; None: nobody knows."""
    import numpy

    try:
        name = numpy.dtype(dtype).name if dtype is not None else ""
    except TypeError:
        return None
    return name if name in _DTYPES else None


class _AsyncTurns:
    """The turns of an `async for`."""

    def __init__(self, of: Unknown) -> None:
        self._left: List[object] = [of._more("[%d]" % i) for i in range(assumed.turns)]

    async def __anext__(self) -> object:
        if not self._left:
            raise StopAsyncIteration
        return self._left.pop(0)


def _stop_is_expected(frame: FrameType) -> bool:
    """Does the file that asks for the next one catch StopIteration, or is it no next() of the user's?"""
    path = frame.f_code.co_filename
    return uses.is_library(path) or "StopIteration" in uses.of(path).exceptions


def result(dims: object, dtype: str) -> Unknown:
    """A result of TensorFlow's whose size depends on something unknown."""
    return Unknown("tensor.numpy()")._shaped(dims, dtype if dtype in _DTYPES else None)


@functools.lru_cache(maxsize=None)
def _expect_members() -> None:
    """From now on a tensor of unknown rank may be an object of a package that is not installed: a
    distribution, the result of a model. What TensorFlow's tensors lack is unknown of it."""

    def __getattr__(self: Any, attr: str) -> Unknown:
        if attr.startswith("_") or self.shape.ndims is not None or uses.user_frame() is None:
            raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, attr))
        return Unknown("tensor." + attr, [self])

    _core.Tensor.__getattr__ = __getattr__  # type: ignore[attr-defined]


# --- decorated ------------------------------------------------------------------------------------
def _decorated(thing: object, by: str) -> object:
    """What an unknown decorator decorates goes on as it is, but that its arguments may be filled in by
    somebody unknown: click, hydra and gin give arguments, attrs and pydantic write constructors."""
    if isinstance(thing, FunctionType):
        code = thing.__code__
        have = thing.__defaults__ or ()
        names = code.co_varnames[:code.co_argcount]
        lacking = names[:len(names) - len(have)]
        keep = 1 if lacking and lacking[0] in ("self", "cls") else 0
        if len(lacking) > keep:
            thing.__defaults__ = (*(Unknown("%s(%s)" % (by, name)) for name in lacking[keep:]), *have)
        for name in code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]:
            given = thing.__kwdefaults__ = dict(thing.__kwdefaults__ or {})
            given.setdefault(name, Unknown("%s(%s)" % (by, name)))
        for attr in uses.of(code.co_filename).attributes.get(thing.__name__, ()):
            if not hasattr(thing, attr):
                setattr(thing, attr, Unknown("%s.%s" % (thing.__name__, attr)))
        return runners.decorated(thing, by)
    elif isinstance(thing, type) and thing.__init__ is object.__init__:  # type: ignore[misc]
        fields = [name for name in vars(thing).get("__annotations__", ())] or [
            name for name, value in vars(thing).items() if isinstance(value, Unknown)]

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            vars(self).update(zip(fields, args))
            vars(self).update(kwargs)

        def __getattr__(self: object, attr: str) -> Unknown:
            if not _name_allowed(attr):
                raise AttributeError(attr)
            return Unknown("%s.%s" % (thing.__name__, attr))

        thing.__init__ = __init__  # type: ignore[misc]
        if "__getattr__" not in vars(thing):
            thing.__getattr__ = __getattr__  # type: ignore[attr-defined]
    return thing


# --- classes and exceptions ------------------------------------------------------------------------
class _BaseMeta(ABCMeta):
    """Class attributes that nobody in the program has are the unknown base's."""

    def __getattr__(cls, attr: str) -> Unknown:
        if not _name_allowed(attr):
            raise AttributeError("type object '%s' has no attribute '%s'" % (cls.__name__, attr))
        return Unknown("%s.%s" % (cls.__name__, attr))


class _FromBase:
    """A name that super() is asked for."""

    def __init__(self, dotted: str) -> None:
        self._dotted = dotted

    def __get__(self, instance: object, owner: object = None) -> Unknown:
        return Unknown(self._dotted)


def _init(self: object, *args: object, **kwargs: object) -> None:
    declared = {name for kind in type(self).__mro__ for name in vars(kind).get("__annotations__", ())}
    vars(self).update({name: value for name, value in kwargs.items() if name in declared})


def _call(self: Any, *args: Any, **kwargs: Any) -> Unknown:
    """An instance that is called: a layer has a `call`, whose operations are checked. What the base makes
    of its result is unknown."""
    method = getattr(type(self), "call", None)
    result = method(self, *args, **kwargs) if isinstance(method, FunctionType) else None
    return Unknown(type(self).__name__ + "()")._more("", args, kwargs, result)


def _instance_attribute(self: object, attr: str) -> Unknown:
    if not _name_allowed(attr):
        raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, attr))
    return Unknown("%s.%s" % (type(self).__name__, attr))


def _base(dotted: str, plain: bool) -> type:
    """The class that a subclass of something unknown has for it. `plain`: of the metaclass `type`, because
    the class has one of its own."""
    found = _bases.get((dotted, plain))
    if found is not None:
        return found

    def __init_subclass__(cls: object, **kwargs: object) -> None:
        try:
            super(made, cls).__init_subclass__(**kwargs)
        except TypeError:  # nobody knows whose keywords they are
            super(made, cls).__init_subclass__()
        _answer_super(made, cls, dotted)

    def unknown_item(self: object, key: object) -> Unknown:
        return Unknown(dotted + "()[]")

    def nothing(self: object, *args: object) -> None:
        return None

    def itself(self: object) -> object:
        return self

    def turns(self: object) -> Iterator[Unknown]:
        return iter([Unknown(dotted + "()[%d]" % i) for i in range(assumed.turns)])

    body = {
        "__init_subclass__": __init_subclass__, "__init__": _init, "__call__": _call,
        "__getattr__": _instance_attribute, "_sf_stands_for": dotted, "__getitem__": unknown_item,
        "__setitem__": nothing, "__enter__": itself, "__exit__": nothing, "__iter__": turns,
        "__module__": dotted.rpartition(".")[0],
    }
    made: Any = (type if plain else _BaseMeta)(dotted.rpartition(".")[2] or dotted, (), body)
    _bases[dotted, plain] = made
    return made  # type: ignore[no-any-return]


def _answer_super(base: object, cls: Any, dotted: str) -> None:
    """super() does not ask __getattr__: what methods of `cls` want of it must be in the class."""
    for function in list(vars(cls).values()):
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        if code is None or "super" not in code.co_names:
            continue
        for name in code.co_names:
            if name != "super" and not name.startswith("__") and \
                    not any(name in vars(kind) for kind in cls.__mro__[1:]):
                setattr(base, name, _FromBase("%s.%s" % (dotted, name)))


class _ErrorMeta(type):
    def __getattr__(cls, attr: str) -> Unknown:
        if not _name_allowed(attr):
            raise AttributeError("type object '%s' has no attribute '%s'" % (cls.__name__, attr))
        return Unknown("%s.%s" % (cls.__name__, attr))


def _exception(dotted: str) -> type:
    found = _exceptions.get(dotted)
    if found is None:
        bases: Tuple[Type[Exception], ...] = (Warning,) if dotted.endswith("Warning") else (Exception,)
        found = _exceptions[dotted] = _ErrorMeta(
            dotted.rpartition(".")[2], bases,
            {"__module__": dotted.rpartition(".")[0], "_sf_stands_for": dotted,
             "__init__": lambda self, *args, **kwargs: Exception.__init__(self, *args),
             "__getattr__": _instance_attribute})
    return found


def _asking(frame: Optional[FrameType]) -> Any:
    """The frame of the user's that an import, or we, work for."""
    while frame is not None and (frame.f_code.co_filename.startswith("<frozen")
                                 or uses.is_library(frame.f_code.co_filename)):
        frame = frame.f_back
    return frame


def part(dotted: str, attr: str, inputs: Sequence[Any] = ()) -> Union[type, Unknown]:
    """What `attr` of something unknown is: an exception where its name or the program says so, since only
    classes of exceptions can be caught and raised."""
    name = "%s.%s" % (dotted, attr)
    wanted = attr[:1].isupper() and attr.endswith(_EXCEPTIONS)
    if not wanted and attr[:1].isupper() and not dotted.endswith((")", "]")):
        frame = _asking(sys._getframe(1))
        wanted = frame is not None and attr in uses.of(frame.f_code.co_filename).exceptions
    return _exception(name) if wanted else Unknown(name, inputs)


# --- modules --------------------------------------------------------------------------------------
class UnknownModule(ModuleType):
    """A module that is not installed."""

    _sf_unmodelled = True

    def __getattr__(self, attr: str) -> Any:
        name = self.__name__
        if attr == "__all__":
            return _starred()
        if attr == "__version__":
            return Version("9999.0.0")
        if attr == "__file__" and uses.user_frame() is not None:
            import sysconfig

            return os.path.join(sysconfig.get_path("purelib"), *name.split("."), "__init__.py")
        if not _name_allowed(attr):
            raise AttributeError("module %r has no attribute %r" % (name, attr))
        value = known_packages.lookup(name, attr)
        if value is known_packages.MISSING:
            value = part(name, attr)
        elif value is known_packages.MODULE:
            value = UnknownModule(f"{name}.{attr}")
        self.__dict__[attr] = value
        return value

    def __call__(self, *args: object, **kwargs: object) -> object:  # tqdm, pprint...: modules that are called
        return Unknown(self.__name__)(*args, **kwargs)

    def __dir__(self) -> List[str]:
        return []

    def __repr__(self) -> str:
        return "<module %r (not installed)>" % self.__name__


def _starred() -> List[str]:
    """What `from unknown import *` brings: the names that the importing module reads and has from nowhere."""
    frame = _asking(sys._getframe(1))
    if frame is None:
        return []
    free = uses.of(frame.f_code.co_filename).free
    return sorted(name for name in free if name not in frame.f_globals)
