"""What comes of what ShapeFlow does not model: unknown, whatever a program does with it, never an error."""
from __future__ import annotations

import functools
import sys
import types

from shapeflow import _core
from shapeflow.api import snapshot, unknown_tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

    from shapeflow._core import Graph

_functions: Dict[str, "UnmodelledFunction"] = {}


def tensors_in(values: Any, found: List[Any], depth: int = 0) -> List[object]:
    """The tensors among arguments: what an unknown result may depend on."""
    for value in values:
        if isinstance(value, (_core.Tensor, _core.VariableBase)):
            found.append(value)
        elif isinstance(value, Opaque):
            found.extend(value._sf_inputs)
        elif isinstance(value, (list, tuple)) and depth < 4:
            tensors_in(value, found, depth + 1)
        elif isinstance(value, dict) and depth < 4:
            tensors_in(value.values(), found, depth + 1)
    return found


def is_unmodelled(value: Any) -> bool:
    """Is a value, or what made it, not modelled? Its class says so: an object may answer any attribute."""
    return hasattr(type(value), "_sf_unmodelled")


def _made_up() -> int:
    """A number that nobody knows: a second run has another one, and what both find does not depend on it."""
    from shapeflow.api.made_up_numbers import assumed  # few programs want a number of something unmodelled

    return assumed.number()


class _open:  # noqa: N801
    """A graph takes nodes, even a finalized one: the real value would not have needed one."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __enter__(self) -> None:
        self._was_finalized = self._graph.finalized
        if self._was_finalized:
            self._graph._unsafe_unfinalize()

    def __exit__(self, *exception: Any) -> None:
        if self._was_finalized:
            self._graph.finalize()


class Opaque:
    """The result of something unmodelled: any attribute, call, item or conversion is unknown.

    As a tensor it is `__sf_tensor__()`, which the core asks for wherever a tensor is taken. A class that is
    derived from this one says itself whether its objects can be called."""

    # As a tensor, where anybody knows; a dim may be None.
    _sf_dtype: Optional[str] = None
    _sf_shape: Optional[Tuple[Optional[int], ...]] = None
    _sf_is_array = False  # of numpy's, where it is not a tensor already
    _sf_is_ragged = False  # a ragged tensor is modelled, and unknown only as an operand of what is not

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return object.__new__(CallableOpaque if cls is Opaque else cls)

    def __init__(self, dotted: str, inputs: Sequence[Any] = ()) -> None:
        self.__dict__["_sf_name"] = dotted
        self.__dict__["_sf_tensor"] = None
        self.__dict__["_sf_inputs"] = list(inputs)

    def __sf_tensor__(self) -> Any:
        if self._sf_tensor is None or self._is_of_another_graph():
            _expect_composites()
            inputs = self._sf_inputs
            known: Tuple[Optional[str], Optional[Sequence[object]]] = self._sf_dtype, self._sf_shape
            # In eager mode only symbolic tensors of keras have a graph.
            graph = next((g for g in (getattr(t, "graph", None) for t in inputs) if g is not None), None) \
                if _core.executing_eagerly() else _core.default_graph()
            if graph is None:
                if self._sf_dtype is None:
                    known = None, self._shape_of_any_dtype()
                self.__dict__["_sf_tensor"] = unknown_tensor.unknown(*known, inputs=inputs)
                return self._sf_tensor
            graph.__dict__["_sf_opaque"] = True  # gradients may flow where nobody sees
            inputs = [t for t in inputs if getattr(t, "graph", None) is graph]
            with graph.as_default(), _open(graph):
                self.__dict__["_sf_tensor"] = unknown_tensor.unknown(
                    *known, inputs=inputs, any_dtype=self._sf_is_array)
        return self._sf_tensor

    def _shape_of_any_dtype(self) -> Optional[List[object]]:
        """In eager mode a tensor of which a dim is not modelled fits where another dtype is wanted."""
        if not self._sf_shape:
            return None
        return [self if dim is None else dim for dim in (None, *self._sf_shape[1:])]

    def _is_of_another_graph(self) -> bool:
        """Is it a value, of which each graph has a tensor of its own, and this one has none yet?"""
        graph = None if self._sf_inputs or _core.executing_eagerly() else _core.default_graph()
        return graph is not None and getattr(self._sf_tensor, "graph", graph) is not graph

    def _more(self, suffix: str, *arguments: Any) -> "Opaque":
        return Opaque(self._sf_name + suffix, tensors_in(arguments, list(self._sf_inputs)))

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

    def __getitem__(self, key: Any) -> "Opaque":
        return self._more("[]")

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Iterator["Opaque"]:
        # `a, b = unknown()` must find as many as it wants; a `for` runs its body once.
        from shapeflow.api import asking_frames  # most programs iterate over nothing unmodelled

        count = asking_frames.unpacked(sys._getframe(1))
        return iter([self._more("[%d]" % i) for i in range(_made_up() if count is None else count)])

    def __len__(self) -> int:
        return _made_up()

    def __bool__(self) -> bool:
        return True

    def __int__(self) -> int:
        return _made_up()

    __index__ = __int__

    def __float__(self) -> float:
        return float(_made_up())

    def __contains__(self, item: Any) -> bool:
        return False

    # numpy: what is computed from the unknown is unknown. An array that must exist holds the
    # object itself, so that a feed of it is known to be unknown (the C core asks for the mark).
    _sf_unmodelled = True

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> "Opaque":
        return self._more("." + ufunc.__name__, inputs)

    def __array_function__(self, function: Callable[..., object], types: Any, args: Tuple[object, ...],
                           kwargs: Dict[str, object]) -> "Opaque":
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


class CallableOpaque(Opaque):
    """What `Opaque(...)` makes: of a result nobody knows that it cannot be called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Union[Opaque, types.FunctionType, type]:
        if len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type)) and (
                self._sf_name.endswith("()") or "_sf_of_call" in self.__dict__):
            # What a maker of decorators gave decorates.
            return args[0]
        return self._more("()", args, kwargs)


def forwarding_operator(name: str) -> Any:
    def operator(self: Any, *args: Any) -> object:
        # With a tensor it is a tensor; alone it may as well be an array of the script's.
        if any(isinstance(a, (_core.Tensor, _core.VariableBase)) for a in args):
            return getattr(self.__sf_tensor__(), name)(*args)
        return self._more("." + name, args)

    operator.__name__ = name
    return operator


for _name in ("add sub mul truediv floordiv mod pow matmul and or xor".split()):
    for _side in ("__%s__", "__r%s__"):
        setattr(Opaque, _side % _name, forwarding_operator(_side % _name))
for _name in ("__neg__", "__abs__", "__invert__", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(Opaque, _name, forwarding_operator(_name))


def mark_graph() -> bool:
    """Something in this graph is not modelled: it may have made variables and gradients.

    True when the graph takes new nodes."""
    if _core.executing_eagerly():
        return False
    graph = _core.default_graph()
    graph.__dict__["_sf_opaque"] = True
    return not graph.finalized


class UnmodelledObject(Opaque):
    """Stands for an object that cannot be called, of which only the name is known."""

    def _more(self, suffix: str, *arguments: Any) -> Opaque:
        _core.notice_unmodelled(self._sf_name)
        return super()._more(suffix, *arguments)

    def __getattr__(self, attr: str) -> Any:
        if attr.startswith(("__", "_sf_", "_repr_", "_ipython_")):
            raise AttributeError(attr)
        return self._more("." + attr) if attr.startswith("_") else super().__getattr__(attr)


class UnmodelledFunction:
    """Stands for a function, or an object that can be called, of which only the name is known."""

    def __init__(self, dotted: str) -> None:
        self._sf_name = dotted
        self.__name__ = dotted.rsplit(".", 1)[-1]
        self.__qualname__ = self.__name__
        self.__doc__ = None

    def __call__(self, *args: Any, **kwargs: Any) -> Opaque:
        _core.notice_unmodelled(self._sf_name)
        result = Opaque(self._sf_name, tensors_in((args, kwargs), []))
        vars(result)["_sf_of_call"] = True
        if mark_graph():
            result.__sf_tensor__()  # the real one would have added nodes as well
        return result

    def __getattr__(self, attr: str) -> Opaque:
        if attr.startswith("__"):
            raise AttributeError(attr)
        _core.notice_unmodelled(self._sf_name)
        return Opaque("%s.%s" % (self._sf_name, attr))

    def __repr__(self) -> str:
        return "<unmodelled function %s>" % self._sf_name


class UnmodelledType(UnmodelledFunction):
    """Stands for a type of the module typing, of which only the name is known: anything may be of it."""

    def __or__(self, other: Any) -> "UnmodelledType":
        return self

    __ror__ = __getitem__ = __or__

    def __instancecheck__(self, instance: Any) -> bool:
        return True


def unmodelled_function(dotted: str) -> UnmodelledFunction:
    """The function of a name of which nothing but the name is known."""
    found = _functions.get(dotted)
    if found is None:
        found = _functions[dotted] = UnmodelledFunction(dotted)
    return found


class _OfComposite:
    """A member of tf.RaggedTensor and its like, asked of a tensor.

    What is computed from something unmodelled is a tensor here, and may be a composite one in TensorFlow. Of
    a tensor whose rank is unknown it is unknown; any other tensor does not have it."""

    def __init__(self, owner: str) -> None:
        self._owner, self._attr = owner, ""

    def __set_name__(self, owner: Any, attr: str) -> None:
        self._attr = attr

    def __get__(self, instance: Any, owner: Any) -> Opaque:
        if instance is None or instance.shape.ndims is not None:
            kind = "type object '%s'" % owner.__name__ if instance is None else "'%s' object" % owner.__name__
            raise AttributeError("%s has no attribute '%s'" % (kind, self._attr))
        return Opaque("%s.%s" % (self._owner, self._attr), [instance])


@functools.lru_cache(maxsize=None)
def _expect_composites() -> None:
    """From now on there may be composite tensors that are tensors here."""
    lists = snapshot.of(snapshot.VERSIONS[-1])
    for owner in ("tf.RaggedTensor", "tf.sparse.SparseTensor"):
        for _, name, _, _ in lists.members(owner):
            if not name.startswith("_") and not hasattr(_core.Tensor, name):
                member = _OfComposite(owner)
                member.__set_name__(_core.Tensor, name)
                setattr(_core.Tensor, name, member)
