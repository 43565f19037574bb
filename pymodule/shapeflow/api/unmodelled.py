"""What real TensorFlow has and ShapeFlow does not model: unknown, one notice each, never an error."""
from __future__ import annotations

import dis
import sys
import types
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from shapeflow import _core
from shapeflow.api import parameters, snapshot

_UNPACK = dis.opmap["UNPACK_SEQUENCE"]
_cache: Dict[str, Any] = {}


def _tensors(values: Any, found: List[Any], depth: int = 0) -> List[Any]:
    """The tensors among arguments: what an unknown result may depend on."""
    for value in values:
        if isinstance(value, (_core.Tensor, _core.VariableBase)):
            found.append(value)
        elif isinstance(value, Opaque):
            found.extend(value._sf_inputs)
        elif isinstance(value, (list, tuple)) and depth < 4:
            _tensors(value, found, depth + 1)
        elif isinstance(value, dict) and depth < 4:
            _tensors(value.values(), found, depth + 1)
    return found


class Opaque:
    """The result of something unmodelled: any attribute, call, item or conversion is unknown.

    As a tensor it is `__sf_tensor__()`, which the core asks for wherever a tensor is taken."""

    def __init__(self, dotted: str, inputs: Sequence[Any] = ()) -> None:
        self.__dict__["_sf_name"] = dotted
        self.__dict__["_sf_tensor"] = None
        self.__dict__["_sf_inputs"] = list(inputs)

    def __sf_tensor__(self) -> Any:
        if self._sf_tensor is None:
            from shapeflow.api import unmodelled_members
            from shapeflow.tensorflow.python.framework import op_builders

            unmodelled_members.expect_composites()

            inputs = self._sf_inputs
            # In eager mode only symbolic tensors of keras have a graph.
            graph = next((g for g in (getattr(t, "graph", None) for t in inputs) if g is not None), None) \
                if _core.executing_eagerly() else _core.default_graph()
            if graph is None:
                self.__dict__["_sf_tensor"] = op_builders.unknown(inputs=inputs)
                return self._sf_tensor
            graph.__dict__["_sf_opaque"] = True  # gradients may flow where nobody sees
            inputs = [t for t in inputs if getattr(t, "graph", None) is graph]
            with graph.as_default():
                self.__dict__["_sf_tensor"] = op_builders.unknown(inputs=inputs)
        return self._sf_tensor

    def _more(self, suffix: str, *arguments: Any) -> "Opaque":
        return Opaque(self._sf_name + suffix, _tensors(arguments, list(self._sf_inputs)))

    def __getattr__(self, attr: str) -> Any:
        if attr.startswith("_"):
            raise AttributeError(attr)
        if attr in ("shape", "dtype", "op", "graph", "get_shape", "set_shape", "eval"):
            return getattr(self.__sf_tensor__(), attr)
        value = self._more("." + attr)
        self.__dict__[attr] = value
        return value

    def _sf_fetch(self) -> Any:
        return self.__sf_tensor__()

    def _sf_feed(self, value: Any) -> Any:
        return []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and isinstance(args[0], types.FunctionType) and \
                self._sf_name.endswith("()"):  # what a maker of decorators gave decorates
            return args[0]
        return self._more("()", args, kwargs)

    def __getitem__(self, key: Any) -> "Opaque":
        return self._more("[]")

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Iterator["Opaque"]:
        # `a, b = unknown()` must find as many as it wants; a `for` runs its body once.
        frame = sys._getframe(1)
        code = frame.f_code.co_code
        at = frame.f_lasti
        count = code[at + 1] if 0 <= at < len(code) and code[at] == _UNPACK else 1
        return iter([self._more("[%d]" % i) for i in range(count)])

    def __len__(self) -> int:
        return 1

    def __bool__(self) -> bool:
        return True

    def __int__(self) -> int:
        return 1

    __index__ = __int__

    def __float__(self) -> float:
        return 1.0

    def __contains__(self, item: Any) -> bool:
        return False

    # numpy: what is computed from the unknown is unknown. An array that must exist holds the
    # object itself, so that a feed of it is known to be unknown (the C core asks for the mark).
    _sf_unmodelled = True

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> "Opaque":
        return self._more("." + ufunc.__name__, inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> "Opaque":
        return self._more("." + function.__name__, args, kwargs)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy as np

        array = np.empty((), object)
        array[()] = self
        return array

    def __enter__(self) -> "Opaque":
        return self

    def __exit__(self, *exc: Any) -> None:
        return None

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: Any) -> bool:
        return self is other

    def __repr__(self) -> str:
        return "<unmodelled %s>" % self._sf_name


def _forward(name: str) -> Any:
    def operator(self: Any, *args: Any) -> Any:
        # With a tensor it is a tensor; alone it may as well be an array of the script's.
        if any(isinstance(a, (_core.Tensor, _core.VariableBase)) for a in args):
            return getattr(self.__sf_tensor__(), name)(*args)
        return self._more("." + name, args)

    operator.__name__ = name
    return operator


for _name in ("add sub mul truediv floordiv mod pow matmul and or xor".split()):
    for _side in ("__%s__", "__r%s__"):
        setattr(Opaque, _side % _name, _forward(_side % _name))
for _name in ("__neg__", "__abs__", "__invert__", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(Opaque, _name, _forward(_name))


def _mark_graph() -> bool:
    """Something in this graph is not modelled: it may have made variables and gradients.

    True when the graph takes new nodes."""
    if _core.executing_eagerly():
        return False
    graph = _core.default_graph()
    graph.__dict__["_sf_opaque"] = True
    return not graph.finalized


class _UnmodelledFunction:
    """Callable stand-in of a function or constant."""

    def __init__(self, dotted: str) -> None:
        self._sf_name = dotted
        self.__name__ = dotted.rsplit(".", 1)[-1]
        self.__qualname__ = self.__name__
        self.__doc__ = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        _core.notice_unmodelled(self._sf_name)
        result = Opaque(self._sf_name, _tensors((args, kwargs), []))
        if _mark_graph():
            result.__sf_tensor__()  # the real one would have added nodes as well
        return result

    def __getattr__(self, attr: str) -> Any:
        if attr.startswith("__"):
            raise AttributeError(attr)
        _core.notice_unmodelled(self._sf_name)
        return Opaque("%s.%s" % (self._sf_name, attr))

    def __repr__(self) -> str:
        return "<unmodelled function %s>" % self._sf_name


def _function(dotted: str, entry: snapshot.Entry, api: int) -> Any:
    """A function that is not modelled: it takes what TensorFlow's takes, and gives something unknown."""
    from shapeflow.api import signatures

    check = signatures.make(entry.dotted.rpartition(".")[2], entry.signature, api)
    wanted = parameters.parse(entry.signature)
    decorates = bool(wanted) and wanted[0][0] in _DECORATED

    def unmodelled_function(*args: Any, **kwargs: Any) -> Any:
        signatures.fit(check, args, kwargs)
        _core.notice_unmodelled(dotted)
        if decorates and len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type)):
            return args[0]
        result = Opaque(dotted, _tensors((args, kwargs), []))
        if _mark_graph():
            result.__sf_tensor__()  # the real one would have added nodes as well
        return result

    unmodelled_function.__name__ = unmodelled_function.__qualname__ = check.__name__
    unmodelled_function.__module__ = entry.home or "tensorflow"
    vars(unmodelled_function).update(__wrapped__=check, _sf_unmodelled=True, _sf_name=dotted)
    return unmodelled_function


# First parameters of functions that are used as decorators: what they decorate goes on as it is.
_DECORATED = frozenset("func fn function f cls klass python_function wrapped method obj target".split())


class _UnmodelledMeta(type):
    """Class attributes and methods of an unmodelled class are unknown too."""

    def __getattr__(cls, attr: str) -> Any:
        if attr.startswith("__") or not cls._sf_has(attr):
            raise AttributeError("type object '%s' has no attribute '%s'" % (cls.__name__, attr))
        return _UnmodelledFunction("%s.%s" % (cls._sf_dotted, attr))

    def _sf_has(cls, attr: str) -> bool:
        """Does TensorFlow's class have it, as far as anybody knows?"""
        return cls._sf_members is None or attr in cls._sf_members or attr.startswith("_")


def _class(dotted: str, entry: Optional[snapshot.Entry], api: int) -> type:
    from shapeflow.api import signatures

    members, check = _members(entry, api)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if check is not None:
            signatures.fit(check, (self, *args), kwargs)
        _core.notice_unmodelled(dotted)
        _mark_graph()
        Opaque.__init__(self, dotted, _tensors((args, kwargs), []))

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        method = getattr(type(self), "call", None)
        if callable(method) and not isinstance(method, _UnmodelledFunction):
            return self.call(*args, **kwargs)
        return self._more("()", args, kwargs)

    def __setattr__(self: Any, name: str, value: Any) -> None:
        self.__dict__[name] = value

    if check is not None:
        vars(__init__)["__wrapped__"] = check
    body = {
        "__init__": __init__, "__call__": __call__, "__setattr__": __setattr__,
        "_sf_dotted": dotted, "_sf_name": dotted, "_sf_tensor": None, "_sf_inputs": (),
        "_sf_members": members and frozenset(members),
        "__module__": entry and entry.home or "tensorflow"}
    if entry is not None and entry.signature:
        body["__signature__"] = signatures.Shown(entry.signature, api)
    for name, value in (members or {}).items():
        if value is not None:
            body[name] = value[0]
    return _UnmodelledMeta(dotted.rsplit(".", 1)[-1], (Opaque,), body)


def _members(entry: Optional[snapshot.Entry], api: int) -> Tuple[Optional[Dict[str, Any]], Any]:
    """The members of a class, constants as a tuple of their value, and the check of its constructor."""
    from shapeflow.api import names, signatures

    lists = names.source_of(entry) if entry is not None else None
    if entry is None or lists is None:
        return None, None
    members: Dict[str, Any] = {}
    init, owner = "", ""
    for name, member, kind, rest in lists.members(entry.dotted):
        if not init and name != owner:
            owner, block, found = name, lists.block(name), lists.entry(name)
            init = signatures.constructor(block, found) if block is not None and found is not None else ""
        if member != "__init__":
            members.setdefault(member, snapshot.literal(rest) if kind == "v" else None)
    name = entry.dotted.rpartition(".")[2]
    return members, signatures.make(name + ".__init__", init, api) if init else None


def _real_bases(entry: snapshot.Entry, api: int) -> Tuple[type, ...]:
    """The bases of an exception or an enumeration, real classes; () for another class."""
    import builtins
    import enum

    from shapeflow.api import names

    found: List[type] = []
    for base in entry.bases:
        kind = getattr(builtins, base, None) or getattr(enum, base.rpartition(".")[2], None) \
            if not base.startswith("tf.") else None
        if base.startswith("tf."):
            from shapeflow.api import namespace

            kind = namespace.resolve(*names.place(base, api))
        if isinstance(kind, type) and issubclass(kind, (BaseException, enum.Enum)):
            found.append(kind)
        elif isinstance(kind, type) and issubclass(kind, (int, str)) and found:
            found.append(kind)
    return tuple(found)


def _real_class(dotted: str, entry: snapshot.Entry, bases: Tuple[type, ...], api: int) -> type:
    import enum

    name = dotted.rpartition(".")[2]
    if issubclass(bases[0], enum.Enum):
        members = (_members(entry, api)[0] or {}).items()
        values = {member: value[0] for member, value in members if value is not None}
        made: Any = bases[0](name, values) if values else type(name, (), {})  # type: ignore[call-arg]
        made.__module__ = entry.home or "tensorflow"
        return made  # type: ignore[no-any-return]
    return _exception(name, entry, bases, api)


def _exception(name: str, entry: snapshot.Entry, bases: Tuple[type, ...], api: int) -> type:
    from shapeflow.api import signatures

    check = _members(entry, api)[1]

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if check is not None:
            signatures.fit(check, (self, *args), kwargs)
        vars(self).update(kwargs)
        BaseException.__init__(self, *args, *kwargs.values())

    body: Dict[str, Any] = {"__module__": entry.home or "tensorflow", "__init__": __init__}
    if entry.signature:
        body["__signature__"] = signatures.Shown(entry.signature, api)
    return type(name, bases, body)


def stand_in(dotted: str, entry: snapshot.Entry, api: int) -> Any:
    """What stands for a name that is not modelled, typed as the real one: a constant is its value, an
    exception and an enumeration are ones, a class can be subclassed, a function takes TensorFlow's
    arguments."""
    key = "%s %s %d" % (dotted, entry.rest, api)
    if key in _cache:
        return _cache[key]
    made: Any = None
    if entry.kind == "v":
        value = snapshot.literal(entry.rest)
        if value is not None:
            _cache[key] = value[0]
            return value[0]
    if entry.kind == "c":
        bases = _real_bases(entry, api)
        made = _real_class(dotted, entry, bases, api) if bases else _class(dotted, entry, api)
    elif entry.kind == "f" and entry.signature:
        made = _function(dotted, entry, api)
    else:
        made = unmodelled(dotted, entry.kind)
    _cache[key] = made
    return made


def unmodelled(dotted: str, kind: str) -> Any:
    """The stand-in of a name of which only the kind is known: a class, or a callable for anything else."""
    found = _cache.get(dotted)
    if found is None:
        found = _class(dotted, None, 1) if kind == "c" else _UnmodelledFunction(dotted)
        _cache[dotted] = found
    return found
