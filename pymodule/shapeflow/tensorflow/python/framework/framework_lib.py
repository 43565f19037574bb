"""Scopes, modes, conversions and the small odds and ends of `tensorflow/python/framework`."""
from __future__ import annotations

import contextlib
import sys
from _thread import _local  # what threading.local is: importing threading costs half a millisecond

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.compat import version_detection
from shapeflow.tensorflow.python.framework.graph import get_default_graph, session_or_default

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, ContextManager, Dict, Iterator, List, Optional, Tuple

    from shapeflow.tensorflow.python.eager.function_body import making_variables

_eager_scope = _local()


class name_scope:
    """tf.name_scope(name, default_name=None, values=None): gives the scope with its slash."""

    _stacked = False  # has a way out for each time that it is entered

    def __init__(self, name: Optional[str], default_name: Optional[str] = None,
                 values: Any = None) -> None:
        if name is not None and not isinstance(name, str):
            raise TypeError("Expected string for `name`, got %s." % type(name))
        self._name = default_name if name is None else name
        self._given = name
        self._values = values
        self._exits: List[Callable[..., object]] = []  # of each time that it was entered

    @property
    def name(self) -> Optional[str]:
        return self._name

    def __enter__(self) -> Any:
        if not _core.executing_eagerly():
            return self._enter_graph()
        self._enter_again(False)
        old = getattr(_eager_scope, "name", "")
        if not self._name:
            scope = ""
        elif self._name.endswith("/"):
            scope = self._name
        else:
            scope = old + self._name + "/"
        self._exits.append(lambda *exc: setattr(_eager_scope, "name", old))
        _eager_scope.name = scope
        return scope

    def _enter_graph(self) -> Any:
        if self._name is None and self._values is not None:
            raise ValueError("At least one of name (%s) and default_name (%s) must be provided."
                             % (self._given, None))
        context = get_default_graph().name_scope(self._name)
        self._enter_again(True)
        scope = context.__enter__()
        self._exits.append(context.__exit__)
        return scope

    def _enter_again(self, ended: bool) -> None:
        """The scopes of version 1 keep one way out: one that is entered within itself forgets the outer one,
        which in a graph ends there (its generator is freed). In eager mode only TensorFlow 1 does."""
        if not self._exits or self._stacked:
            return
        if ended:
            self._exits.pop()(None, None, None)
        elif api_version() == 1:
            self._exits.pop()

    def __exit__(self, *exc: object) -> Any:
        return self._exits.pop()(*exc) if self._exits else None

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        import functools

        @functools.wraps(function)
        def inner(*args: object, **kwargs: object) -> Any:
            with type(self)(self._given, self._name, self._values):
                return function(*args, **kwargs)

        return inner


class name_scope_v2(name_scope):
    """tf.name_scope(name) of version 2."""

    _stacked = True


put(name_scope, "tf.name_scope", "tf.keras.backend.name_scope",
    "tensorflow.python.framework.ops.name_scope", v2=True)
put(name_scope_v2, "tf.name_scope", v1=False, v2=True)


@export("tf.get_current_name_scope", "tf.__internal__.get_name_scope", v1=False, v2=True)
def get_current_name_scope() -> str:
    """The name scopes that are entered, without the last slash."""
    if not _core.executing_eagerly():
        return str(_core.default_graph().get_name_scope())
    return str(getattr(_eager_scope, "name", "")).rstrip("/")


@export("tf.op_scope")
@contextlib.contextmanager
def op_scope(values: object, name: Optional[str], default_name: Optional[str] = None) -> Iterator[str]:
    with name_scope(name, default_name, values) as scope:
        yield scope


@export("tf0.name_scope")
def name_scope_0(name: Optional[str], default_name: Any = None, values: Any = None) -> name_scope:
    return name_scope(name, default_name, values)


@export("tf.device")
def device(device_name_or_function: Any) -> Any:
    name = device_name_or_function
    if _core.executing_eagerly():
        if callable(name):
            raise RuntimeError("tf.device does not support functions when eager execution is enabled.")
        from shapeflow.tensorflow.python.framework import eager_devices

        name = name.to_string() if hasattr(name, "to_string") else name
        if name is not None and not isinstance(name, str):
            raise ValueError("Expecting a string device name. Got %s(%s)" % (type(name), name))
        return eager_devices.Scope(name)
    return get_default_graph().device(device_name_or_function)


@export("tf.device", v1=False, v2=True)
def device_v2(device_name: object) -> ContextManager[object]:
    if callable(device_name):
        raise RuntimeError("tf.device does not support functions.")
    scope: ContextManager[object] = device(device_name)
    return scope


@export("tf.control_dependencies", v2=True)
def control_dependencies(control_inputs: Any) -> Any:
    if _core.executing_eagerly():
        return contextlib.nullcontext()
    if control_inputs is not None:
        control_inputs = [found for found in map(_as_control, control_inputs) if found is not None]
    return get_default_graph().control_dependencies(control_inputs)


def _as_control(item: object) -> Any:
    """What a graph can wait for; None for what was computed eagerly, which is there before it runs."""
    if isinstance(item, IndexedSlices):
        item = item.values
    elif isinstance(item, _core.VariableBase) and getattr(item, "handle", None) is not None:
        item = item.handle
    if isinstance(item, _core.Tensor):
        return getattr(item, "op", None)
    return item


@export("tf.colocate_with", "tensorflow.python.framework.ops.colocate_with")
def colocate_with(op: object, ignore_existing: bool = False) -> Any:
    if _core.executing_eagerly():
        return contextlib.nullcontext()
    return get_default_graph().colocate_with(op, ignore_existing)


@export("tf.container", v1=True)
def container(container_name: str) -> Any:
    return get_default_graph().container(container_name)


# Who counts the variables that the bodies of tf.function make, the innermost last; None: out of all of them.
variable_makers: List[Optional[making_variables]] = []


@export("tf.init_scope", v2=True)
@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Out of the functions that are traced; the name scope stays."""
    scope = get_current_name_scope()
    if variable_makers:
        variable_makers.append(None)
    try:
        with _core.init_scope():
            if scope and get_current_name_scope() != scope:
                with name_scope(scope + "/"):
                    yield
            else:
                yield
    finally:
        if variable_makers:
            variable_makers.pop()


@export("tf.set_random_seed", "tf.random.set_random_seed")
def set_random_seed(seed: object) -> None:
    get_default_graph().seed = seed


@export("tf.random.set_seed", v1=False, v2=True)
def set_seed(seed: object) -> None:
    get_default_graph().seed = seed


_SEED_OF_GRAPH, _SEED_FOR_ZEROS = 87654321, 2 ** 31 - 1


@export("tf.get_seed", "tf.random.get_seed", "tensorflow.python.framework.random_seed.get_seed")
def get_seed(op_seed: Optional[int]) -> Tuple[Optional[int], Optional[int]]:
    graph = get_default_graph()
    seed = graph.seed
    if seed is None and hasattr(graph, "outer_graph"):  # a function has that of the program
        with _core.init_scope():
            seed = get_default_graph().seed
    if seed is None:
        return (None, None) if op_seed is None else (_SEED_OF_GRAPH, op_seed)
    if op_seed is None:
        op_seed = graph.version
    return (seed, op_seed) if seed or op_seed else (0, _SEED_FOR_ZEROS)


# --- conversion ---------------------------------------------------------------------------------
_conversions: List[Tuple[int, Any, Callable[..., object]]] = []


@export("tf.register_tensor_conversion_function", v2=True)
def register_tensor_conversion_function(base_type: object, conversion_func: Callable[..., object],
                                        priority: int = 100) -> None:
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    _conversions.append((priority, base_type, conversion_func))
    _conversions.sort(key=lambda c: c[0])
    for kind in base_type if isinstance(base_type, tuple) else (base_type,):
        try:  # what C code asks of an argument that it does not know
            kind.__sf_tensor__ = lambda self: _converted(self, None, None, False)
        except (AttributeError, TypeError):
            pass  # a built-in type converts as ever


def _converted(value: object, dtype: object, name: Optional[str], as_ref: bool) -> Any:
    for _, base_type, function in _conversions:
        if isinstance(value, base_type):
            result = function(value, dtype=dtype, name=name, as_ref=as_ref)
            if result is not NotImplemented:
                return result
    return value


@export("tf.convert_to_tensor", "tensorflow.python.framework.ops.convert_to_tensor")
def convert_to_tensor(value: Any, dtype: Any = None, name: Optional[str] = None,
                      preferred_dtype: Any = None, dtype_hint: Any = None, as_ref: bool = False) -> Any:
    if isinstance(value, _SPARSE):
        if isinstance(value, IndexedSlices):
            return value._sf_dense(name)
        raise TypeError("Failed to convert object of type %s to Tensor. Contents: %s. Consider "
                        "casting elements to a supported type." % (type(value), value))
    if _conversions:
        value = _converted(value, dtype, name, False)
    return _core.convert_to_tensor(value, dtype, name, preferred_dtype or dtype_hint)


@export("tf.convert_to_tensor", v1=False, v2=True)
def convert_to_tensor_v2(value: object, dtype: object = None, dtype_hint: object = None,
                         name: Optional[str] = None) -> Any:
    return convert_to_tensor(value, dtype, name, dtype_hint)


@export("tensorflow.python.framework.ops.convert_n_to_tensor")
def convert_n_to_tensor(values: Any, dtype: Any = None, name: Optional[str] = None,
                        preferred_dtype: Any = None, as_ref: bool = False) -> List[Any]:
    return [convert_to_tensor(v, dtype, name, preferred_dtype) for v in values]


def is_maker(initial_value: object) -> bool:
    """Does it make a value when it is called, and is none of which nobody knows more than that?"""
    if not callable(initial_value):
        return False
    from shapeflow.api.unmodelled import is_unmodelled

    return not is_unmodelled(initial_value)


@export("tf.convert_to_tensor_or_indexed_slices")
def convert_to_tensor_or_indexed_slices(value: object, dtype: object = None,
                                        name: Optional[str] = None, as_ref: bool = False) -> Any:
    return value if isinstance(value, (IndexedSlices, SparseTensor)) else \
        convert_to_tensor(value, dtype, name)


@export("tf.convert_to_tensor_or_sparse_tensor")
def convert_to_tensor_or_sparse_tensor(value: object, dtype: object = None,
                                       name: Optional[str] = None) -> Any:
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    return convert_to_tensor_or_indexed_slices(value, dtype, name)


@export("tf.contrib.util.constant_value", "tf.get_static_value",
        "tensorflow.python.framework.tensor_util.constant_value",
        v2=True)
def constant_value(tensor: Any, partial: bool = False) -> Any:
    return _core.constant_value(tensor)


@export("tensorflow.python.framework.tensor_util.constant_value_as_shape")
def constant_value_as_shape(tensor: object) -> _core.TensorShape:
    return _core.constant_value_as_shape(tensor)


_NO_TENSORS = frozenset((bool, bytes, dict, float, int, list, str, tuple, type(None)))


@export("tf.is_tensor", "tf.contrib.framework.is_tensor",
        "tensorflow.python.framework.tensor_util.is_tensor", v2=True)
def is_tensor(x: object) -> bool:
    kind = type(x)
    if kind is _core.EagerTensor:
        return True
    if kind in _NO_TENSORS:
        return False
    if isinstance(x, (_core.Tensor, SparseTensor, IndexedSlices, _core.VariableBase)) or \
            kind.__name__ == "RaggedTensor":
        return True
    types = sys.modules.get("shapeflow.tensorflow.python.types.core")
    return types is not None and isinstance(x, types.Tensor)  # Keras's variables derive from it


def _broadcast_dim(x: Optional[int], y: Optional[int]) -> Optional[int]:
    if x == y or y == 1:
        return x
    if x == 1:
        return y
    if x is None or y is None:
        return x if y is None else y
    raise ValueError


@export("tf.broadcast_static_shape", v2=True)
def broadcast_static_shape(shape_x: Any, shape_y: Any) -> _core.TensorShape:
    """The shape of what two static shapes broadcast to."""
    if shape_x.ndims is None or shape_y.ndims is None:
        return _core.TensorShape(None)
    x, y = shape_x.as_list(), shape_y.as_list()
    rank = max(len(x), len(y))
    try:
        return _core.TensorShape([_broadcast_dim(*pair) for pair in zip(
            [1] * (rank - len(x)) + x, [1] * (rank - len(y)) + y)])
    except ValueError:
        raise ValueError("Incompatible shapes for broadcasting. Two shapes are compatible if for each "
                         "dimension pair they are either equal or one of them is 1. Received: %s and %s."
                         % (shape_x, shape_y))


@export("tf.broadcast_dynamic_shape", v2=True)
def broadcast_dynamic_shape(shape_x: object, shape_y: object) -> Any:
    from shapeflow.tensorflow.python.framework.op_builders import op

    return op("BroadcastArgs", [shape_x, shape_y])


# --- composite tensors ---------------------------------------------------------------------------
@export("tf.IndexedSlices", v2=True)
class IndexedSlices:
    """A sparse gradient: `values` at `indices` of a tensor of shape `dense_shape`."""

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    def _sf_components(self) -> List[Any]:
        found = [self._values, self._indices]
        return found if self._dense_shape is None else [*found, self._dense_shape]

    def _sf_of_components(self, parts: Any) -> IndexedSlices:
        return IndexedSlices(*parts)

    values = property(lambda self: self._values)
    indices = property(lambda self: self._indices)
    dense_shape = property(lambda self: self._dense_shape)
    dtype = property(lambda self: self._values.dtype)
    name = property(lambda self: self._values.name)
    op = property(lambda self: self._values.op)
    graph = property(lambda self: self._values.graph)
    device = property(lambda self: self._values.device)

    @property
    def shape(self) -> Any:
        if self._dense_shape is None:
            return _core.TensorShape(None)
        return _core.constant_value_as_shape(self._dense_shape)

    def consumers(self) -> Any:
        return [] if _core.executing_eagerly() else self._values.consumers()

    def _sf_dense(self, name: Optional[str] = None) -> Any:
        if self._dense_shape is None:
            raise ValueError("Tensor conversion requested for IndexedSlices without dense_shape: %s"
                             % str(self))
        shape = _core.constant_value_as_shape(self._dense_shape)
        from shapeflow.tensorflow.python.framework import op_builders

        indices = convert_to_tensor(self._indices)
        if shape.rank and self._values.shape.rank is not None and indices.shape.rank == 1:
            return op_builders.tf.unsorted_segment_sum(self._values, indices, self._dense_shape[0], name=name)
        return op_builders.like_shape([self._values, indices], self._values.dtype, shape,
                                      name or "UnsortedSegmentSum")

    def __sf_tensor__(self) -> Any:
        return self._sf_dense()

    def _sf_fetch(self) -> Any:
        parts = [self._values, self._indices]
        if self._dense_shape is not None:
            parts.append(self._dense_shape)
        return parts, lambda got: IndexedSlicesValue(got[0], got[1],
                                                     got[2] if len(got) > 2 else None)

    def __sf_dispatch__(self, dotted: str, function: Any, args: Any, kwargs: Any) -> Any:
        """What TensorFlow does to the values alone; anything else takes the dense tensor."""
        name = dotted.rpartition(".")[2]
        if name == "scalar_mul" and len(args) > 1 and args[1] is self:
            values = function(args[0], self._values, *args[2:], **kwargs)
        elif name in ("identity", "cast", "clip_by_value") and args and args[0] is self:
            values = function(self._values, *args[1:], **kwargs)
        else:
            return NotImplemented
        return IndexedSlices(values, self._indices, self._dense_shape)

    def __neg__(self) -> "IndexedSlices":
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __str__(self) -> str:
        return "IndexedSlices(indices=%s, values=%s)" % (self._indices, self._values)


def _value_types() -> Tuple[type, type]:
    import collections

    return (collections.namedtuple("SparseTensorValue", ["indices", "values", "dense_shape"]),
            collections.namedtuple("IndexedSlicesValue", ["values", "indices", "dense_shape"]))


SparseTensorValue, IndexedSlicesValue = _value_types()
put(SparseTensorValue, "tf.SparseTensorValue")


_OF_EACH_VALUE = frozenset((
    "abs acos acosh asin asinh atan atanh cast ceil conj cos cosh digamma elu erf erfc exp expm1 floor "
    "gelu imag is_finite is_inf is_nan leaky_relu lgamma log log1p log_sigmoid negative real reciprocal "
    "relu relu6 round rsqrt selu sigmoid sign silu sin sinh softplus softsign sqrt square swish tan tanh "
    "zeros_like ones_like").split())


def _shape_of(sparse: SparseTensor, *args: object, out_type: object = None, name: object = None) -> Any:
    """tf.shape: TensorFlow 1 has `name` second, TensorFlow 2 `out_type`."""
    from shapeflow.tensorflow.python.framework.op_builders import tf

    given = [one for one in args if one in ("int32", "int64")]
    return tf.cast(sparse.dense_shape, out_type or (given[0] if given else "int32"))


def _size_of(sparse: SparseTensor, *args: object, **kwargs: object) -> Any:
    from shapeflow.tensorflow.python.framework.op_builders import tf

    return tf.reduce_prod(_shape_of(sparse, *args, **kwargs))


def _rank_of(sparse: SparseTensor, name: Optional[str] = None) -> Any:
    from shapeflow.tensorflow.python.framework.op_builders import tf

    return tf.size(sparse.dense_shape)


_OF_SHAPE = {"shape": _shape_of, "size": _size_of, "rank": _rank_of}


@export("tf.SparseTensor", "tf.sparse.SparseTensor", v2=True)
class SparseTensor:
    """tf.SparseTensor: three tensors and the static shape that they imply."""

    _static: object = None  # what set_shape said

    def _sf_components(self) -> List[Any]:
        return [self._indices, self._values, self._dense_shape]

    def _sf_of_components(self, parts: Any) -> SparseTensor:
        return SparseTensor(*parts)

    def __init__(self, indices: Any, values: Any, dense_shape: Any = None,
                 shape: Any = None) -> None:
        if dense_shape is None:
            dense_shape = shape
        int64 = _core.as_dtype("int64")
        with name_scope(None, "SparseTensor", [indices, values, dense_shape]):
            self._indices = convert_to_tensor(indices, int64, "indices")
            self._values = convert_to_tensor(values, None, "values")
            self._dense_shape = convert_to_tensor(dense_shape, int64, "dense_shape")
        indices_shape = self._indices.get_shape().with_rank(2)
        values_shape = self._values.get_shape().with_rank(1)
        dense_shape_shape = self._dense_shape.get_shape().with_rank(1)
        _core.TensorShape([indices_shape.as_list()[0]]).merge_with(values_shape)
        _core.TensorShape([indices_shape.as_list()[1]]).merge_with(dense_shape_shape)

    @classmethod
    def from_value(cls, value: Any) -> "SparseTensor":
        if isinstance(value, SparseTensor):
            return value
        return cls(value.indices, value.values, value.dense_shape)

    indices = property(lambda self: self._indices)
    values = property(lambda self: self._values)
    dense_shape = property(lambda self: self._dense_shape)
    dtype = property(lambda self: self._values.dtype)
    op = property(lambda self: self._values.op)
    graph = property(lambda self: self._indices.graph)

    def with_values(self, new_values: object) -> "SparseTensor":
        return SparseTensor(self._indices, new_values, self._dense_shape)

    def _scaled(self, other: object) -> "SparseTensor":
        """Times or over a dense tensor that is broadcast to it: other values at the same indices."""
        from shapeflow.tensorflow.python.framework.op_builders import unknown

        values = [self._values, convert_to_tensor(other, self.dtype)]
        return self.with_values(unknown(self.dtype, self._values.get_shape(), None, values))

    __mul__ = __truediv__ = __div__ = _scaled

    @property
    def shape(self) -> Any:
        known = _core.constant_value_as_shape(self._dense_shape)
        return known if self._static is None else known.merge_with(self._static)

    def get_shape(self) -> Any:
        return self.shape

    def set_shape(self, shape: object) -> None:
        self._static = self.shape.merge_with(shape)

    def eval(self, feed_dict: object = None, session: object = None) -> Any:
        return session_or_default(session, "eval").run(self, feed_dict)

    def __sf_dispatch__(self, dotted: str, function: Any, args: Any, kwargs: Any) -> Any:
        """What works on each value alone does so on the values; the core asks."""
        of_shape = _OF_SHAPE.get(dotted.rpartition(".")[2])
        if of_shape is not None and args and args[0] is self:
            return of_shape(self, *args[1:], **kwargs)
        if dotted == "tf.math.bincount" and args and args[0] is self:
            from shapeflow.tensorflow.python.framework.op_builders import unknown

            return function(unknown(self.dtype, self.shape, None, [self._values]), *args[1:], **kwargs)
        if dotted.rpartition(".")[2] not in _OF_EACH_VALUE or not args or args[0] is not self:
            return NotImplemented
        return self.with_values(function(self._values, *args[1:], **kwargs))

    def _sf_fetch(self) -> Any:
        return ([self._indices, self._values, self._dense_shape],
                lambda got: SparseTensorValue(got[0], got[1], got[2]))

    def _sf_feed(self, value: Any) -> Any:
        return list(zip((self._indices, self._values, self._dense_shape), value))

    def __str__(self) -> str:
        return "SparseTensor(indices=%s, values=%s, dense_shape=%s)" % (
            self._indices, self._values, self._dense_shape)

    __repr__ = __str__


# --- modes ---------------------------------------------------------------------------------------
@export("tf.executing_eagerly", v2=True)
def executing_eagerly() -> bool:
    """What a script sees. The body of a tf.function runs eagerly here, and is a graph in TensorFlow."""
    return _core.executing_eagerly() and not _core.inside_function()


@export("tf.executing_eagerly_outside_functions")
def executing_eagerly_outside_functions() -> bool:
    with _core.init_scope():
        return _core.executing_eagerly()


@export("tf.inside_function", "tensorflow.python.framework.ops.inside_function", v2=True)
def inside_function() -> bool:
    return _core.inside_function()


@export("tf.is_symbolic_tensor", "tensorflow.python.framework.tensor_util.is_symbolic_tensor",
        "tensorflow.python.framework.ops.is_symbolic_tensor", v2=True)
def is_symbolic_tensor(tensor: object) -> bool:
    """Is it one of a graph? Those that a body of a tf.function works on are."""
    return isinstance(tensor, _core.Tensor) and (not hasattr(tensor, "numpy") or _core.inside_function())


@export("tf.enable_eager_execution", "tf.contrib.eager.enable_eager_execution")
def enable_eager_execution(config: object = None, device_policy: object = None,
                           execution_mode: object = None) -> None:
    _core.set_eager(True)


@export("tf.disable_eager_execution")
def disable_eager_execution() -> None:
    _core.set_eager(False)


@export("tf.disable_v2_behavior")
def disable_v2_behavior() -> None:
    _core.set_eager(False)
    _core.set_v2_shapes(False)
    _switches["resource_variables"] = False
    _switches["control_flow_v2"] = False


@export("tf.enable_v2_behavior")
def enable_v2_behavior() -> None:
    _core.set_eager(True)
    _core.set_v2_shapes(True)
    _switches["resource_variables"] = True
    _switches["control_flow_v2"] = True


# None: as the emulated version has it.
_switches: Dict[str, Optional[bool]] = {"resource_variables": False, "control_flow_v2": None}


@export("tf.enable_resource_variables")
def enable_resource_variables() -> None:
    _switches["resource_variables"] = True


@export("tf.disable_resource_variables")
def disable_resource_variables() -> None:
    _switches["resource_variables"] = False


@export("tf.resource_variables_enabled")
def resource_variables_enabled() -> bool:
    return bool(_switches["resource_variables"])


@export("tf.enable_v2_tensorshape")
def enable_v2_tensorshape() -> None:
    _core.set_v2_shapes(True)


@export("tf.disable_v2_tensorshape")
def disable_v2_tensorshape() -> None:
    _core.set_v2_shapes(False)


@export("tf.enable_tensor_equality", "tf.disable_tensor_equality")
def accept_switch() -> None:
    """A switch of TensorFlow 2 that changes no shape."""


@export("tf.enable_control_flow_v2")
def enable_control_flow_v2() -> None:
    _switches["control_flow_v2"] = True


@export("tf.disable_control_flow_v2")
def disable_control_flow_v2() -> None:
    _switches["control_flow_v2"] = False


@export("tf.control_flow_v2_enabled")
def control_flow_v2_enabled() -> bool:
    switch = _switches["control_flow_v2"]
    return api_version() == 2 if switch is None else switch


@export("tf.no_op", v2=True)
def no_op(name: Optional[str] = None) -> Any:
    return None if _core.executing_eagerly() else _core.make_op("NoOp", [], None, name or "NoOp")


def api_version() -> int:
    """1 or 2: the major version that is emulated."""
    return version_detection.api_version()


def _registering_decorator(kind: str) -> Any:
    class Register:
        """Decorator that accepts a registration and keeps the function as it is."""

        def __init__(self, op_type: str, statistic_type: Any = None) -> None:
            self._op_type = op_type

        def __call__(self, function: object) -> Any:
            return function

    Register.__name__ = kind
    return Register


put(_registering_decorator("RegisterGradient"), "tf.RegisterGradient",
    v2=True)
put(_registering_decorator("RegisterShape"),
    "tensorflow.python.framework.ops.RegisterShape", "tf.RegisterShape")
put(_registering_decorator("RegisterStatistics"), "tensorflow.python.framework.ops.RegisterStatistics")


@export("tf.NoGradient", "tf.NotDifferentiable", "tf.no_gradient", v2=True)
def no_gradient(op_type: str) -> None:
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")


@export("tf.load_op_library", "tf.load_file_system_library", v2=True)
def load_op_library(library_filename: str) -> Any:
    from shapeflow.api.unmodelled import Opaque

    _core.notice_unmodelled("tf.load_op_library")
    return Opaque(library_filename)


@export("tf.load_library", v2=True)
def load_library(library_location: str) -> None:
    _core.notice_unmodelled("tf.load_library")


_SPARSE = (IndexedSlices, SparseTensor)
