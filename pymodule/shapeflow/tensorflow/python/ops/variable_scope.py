"""tf.variable_scope and tf.get_variable with TensorFlow's sharing rules and messages.

Source: tensorflow/python/ops/variable_scope.py (1.15).
"""
from __future__ import annotations

import contextlib
import copy
import enum
import functools
import inspect
import traceback

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.ops.variables import Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Union

    from shapeflow.tensorflow.python.ops.init_ops import GlorotUniform, Zeros


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE
put(AUTO_REUSE, "tf.AUTO_REUSE")


class _Store:
    """Variables and open scopes of one graph."""

    def __init__(self) -> None:
        self.vars: Dict[str, Any] = {}
        self.where: Dict[str, Any] = {}
        self.scope = VariableScope(False)
        self.counts: Dict[str, int] = {}

    def open(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    def close_below(self, name: str) -> None:
        for key in self.counts:
            if name is None or key.startswith(name + "/"):
                self.counts[key] = 0

    def unique(self, prefix: str) -> str:
        base = self.scope.name + "/" + prefix if self.scope.name else prefix
        if self.counts.get(base, 0) == 0:
            return prefix
        index = 1
        while self.counts.get("%s_%d" % (base, index), 0) > 0:
            index += 1
        return "%s_%d" % (prefix, index)


_eager_store: List[_Store] = []


def store() -> _Store:
    if _core.executing_eagerly():
        if not _eager_store:
            _eager_store.append(_Store())
        return _eager_store[0]
    graph = get_default_graph()
    found = graph.__dict__.get("_sf_variable_store")
    if found is None:
        found = graph.__dict__["_sf_variable_store"] = _Store()
    return found


_SETTINGS = ("initializer", "regularizer", "caching_device", "partitioner", "custom_getter", "dtype",
             "use_resource", "constraint")


@export("tf.VariableScope")
class VariableScope:
    """What get_variable takes its defaults from."""

    def __init__(self, reuse: Any, name: str = "", initializer: Any = None, regularizer: Any = None,
                 caching_device: Any = None, partitioner: Any = None, custom_getter: Any = None,
                 name_scope: str = "", dtype: Any = None, use_resource: Any = None,
                 constraint: Any = None) -> None:
        self._name = name
        self._reuse = AUTO_REUSE if _core.executing_eagerly() else reuse
        self._name_scope = name_scope or ""
        self._initializer = initializer
        self._regularizer = regularizer
        self._caching_device = caching_device
        self._partitioner = partitioner
        self._custom_getter = custom_getter
        self._dtype = _core.as_dtype(dtype or "float32")
        self._use_resource = use_resource
        self._constraint = constraint

    name = property(lambda self: self._name)
    original_name_scope = property(lambda self: self._name_scope)
    reuse = property(lambda self: self._reuse)
    initializer = property(lambda self: self._initializer)
    regularizer = property(lambda self: self._regularizer)
    caching_device = property(lambda self: self._caching_device)
    partitioner = property(lambda self: self._partitioner)
    custom_getter = property(lambda self: self._custom_getter)
    dtype = property(lambda self: self._dtype)
    use_resource = property(lambda self: self._use_resource)
    constraint = property(lambda self: self._constraint)

    def reuse_variables(self) -> None:
        self._reuse = True

    def set_initializer(self, initializer: object) -> None:
        self._initializer = initializer

    def set_dtype(self, dtype: object) -> None:
        self._dtype = _core.as_dtype(dtype)

    def set_use_resource(self, use_resource: object) -> None:
        self._use_resource = use_resource

    def set_regularizer(self, regularizer: object) -> None:
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: object) -> None:
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: object) -> None:
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: object) -> None:
        self._custom_getter = custom_getter

    def get_collection(self, name: Any) -> List[Any]:
        return get_default_graph().get_collection(name, self._name + "/" if self._name else None)

    def trainable_variables(self) -> List[Any]:
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> List[Any]:
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> List[Any]:
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(self, var_store: Any, name: str, shape: Any = None, dtype: Any = None,
                     initializer: Any = None, regularizer: Any = None, reuse: Any = None,
                     trainable: Any = None, collections: Any = None, caching_device: Any = None,
                     partitioner: Any = None, validate_shape: bool = True, use_resource: Any = None,
                     custom_getter: Any = None, constraint: Any = None, synchronization: Any = None,
                     aggregation: Any = None) -> Any:
        if regularizer is None:
            regularizer = self._regularizer
        if initializer is None:
            initializer = self._initializer
        if custom_getter is None:
            custom_getter = self._custom_getter
        if use_resource is None:
            use_resource = self._use_resource
        if constraint is None:
            constraint = self._constraint
        if reuse is None:
            reuse = self._reuse
        full_name = self.name + "/" + name if self.name else name
        if dtype is None and initializer is not None and isinstance(initializer, _core.Tensor):
            dtype = initializer.dtype.base_dtype
        if dtype is None:
            dtype = self._dtype
        arguments = dict(
            name=full_name, shape=shape, dtype=_core.as_dtype(dtype), initializer=initializer,
            regularizer=regularizer, reuse=reuse, trainable=trainable, collections=collections,
            caching_device=caching_device, partitioner=partitioner or self._partitioner,
            validate_shape=validate_shape, use_resource=use_resource, constraint=constraint,
            synchronization=synchronization, aggregation=aggregation)
        with _root_names():
            if custom_getter is not None:
                return custom_getter(getter=functools.partial(_true_getter, var_store), **arguments)
            return _true_getter(var_store, **arguments)


@contextlib.contextmanager
def _root_names() -> Iterator[None]:
    if _core.executing_eagerly():
        with framework_lib.name_scope(""):
            yield
    else:
        with get_default_graph().name_scope(None):
            yield


def _true_getter(var_store: _Store, name: str, shape: Any = None, dtype: Any = None,
                 initializer: Any = None, regularizer: Any = None, reuse: object = None,
                 trainable: object = None, collections: object = None, caching_device: object = None,
                 partitioner: object = None, validate_shape: bool = True, use_resource: Any = None,
                 constraint: Any = None, synchronization: object = None, aggregation: object = None,
                 **unused: object) -> Any:
    is_value = initializer is not None and (
        not callable(initializer) or shape is None and is_unmodelled(initializer))
    if shape is not None and is_value:
        raise fail("SF201", "If initializer is a constant, do not specify shape.")
    dtype = _core.as_dtype(dtype or "float32")
    of_unknown = is_unmodelled(shape) or isinstance(shape, (list, tuple)) and any(map(is_unmodelled, shape))
    shape = shape if isinstance(shape, _core.TensorShape) else _core.TensorShape(shape)
    if _core.executing_eagerly() and reuse is False:
        reuse = None
    found = var_store.vars.get(name)
    # Eager TensorFlow makes a variable anew at each call: another shape or dtype is no mistake there.
    if found is not None and not (_core.executing_eagerly() and not (
            shape.is_compatible_with(found.get_shape()) and dtype.is_compatible_with(found.dtype))):
        return _shared(var_store, name, found, shape, dtype, reuse)
    if reuse is True and not _core.executing_eagerly():
        raise fail("SF201", "Variable {name} does not exist, or was not created with tf.get_variable(). "
                   "Did you mean to set reuse={text} in VarScope?", name, _reuse_that_makes())
    if initializer is None:
        initializer = _default_initializer(name, dtype)
    hidden = False  # the shape came from something that failed or is not modelled
    with _core.init_scope():
        if is_value:
            value, variable_dtype = initializer, None
        else:
            if inspect.isclass(initializer):
                initializer = initializer()
            if shape.is_fully_defined():
                value = functools.partial(_call_initializer, initializer, shape.as_list(), dtype)
                variable_dtype = dtype.base_dtype
            elif _takes_nothing(initializer):
                value, variable_dtype = initializer, None
            elif of_unknown or op_builders.may_hide_more():
                hidden = True
                value, variable_dtype = op_builders.unknown(dtype, shape), None
                validate_shape = False
            else:
                raise fail("SF132", "Shape of a new variable ({name}) must be fully defined, but instead "
                           "was {shape}.", name, shape)
        variable = Variable(initial_value=value, name=name, trainable=trainable,
                            collections=collections, caching_device=caching_device,
                            dtype=variable_dtype, validate_shape=validate_shape,
                            constraint=constraint, use_resource=use_resource,
                            synchronization=synchronization, aggregation=aggregation)
    if hidden:
        variable.set_shape(shape)
    var_store.vars[name] = variable
    var_store.where[name] = _core.user_frames()
    if regularizer:
        with framework_lib.name_scope(name + "/Regularizer/"):
            loss = regularizer(variable)
        if loss is not None:
            get_default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
    return variable


def _reuse_that_makes() -> str:
    """tf.AUTO_REUSE came with 1.4."""
    return "tf.AUTO_REUSE" if names.emulated() >= (1, 4) else "None"


def _shared(var_store: _Store, name: str, found: Any, shape: Any, dtype: Any, reuse: object) -> Any:
    if reuse is False or reuse is None and not _core.executing_eagerly():
        frames = [traceback.FrameSummary(f[0], f[1], f[5], lookup_line=True)
                  for f in var_store.where.get(name, ())][:5]
        also = " or reuse=tf.AUTO_REUSE" if names.emulated() >= (1, 4) else ""
        raise fail("SF201", "Variable {name} already exists, disallowed. Did you mean to set reuse=True{text}"
                   " in VarScope? Originally defined at:\n\n{text}", name, also,
                   "".join(traceback.format_list(frames)))
    if not shape.is_compatible_with(found.get_shape()):
        raise fail("SF205", "Trying to share variable {name}, but specified shape {shape} and found "
                   "shape {shape}.", name, shape, found.get_shape())
    if not dtype.is_compatible_with(found.dtype):
        raise fail("SF201", "Trying to share variable {name}, but specified dtype {dtype} and found "
                   "dtype {dtype}.", name, dtype.name, found.dtype.name)
    return found


def _call_initializer(initializer: Any, shape: List[int], dtype: Any) -> Any:
    try:
        names: Dict[str, Any] = dict(inspect.signature(initializer).parameters)
    except (TypeError, ValueError):
        names = {"dtype": None}
    if "partition_info" in names:
        return initializer(shape, dtype=dtype, partition_info=None)
    if "dtype" in names or any(p is not None and p.kind is p.VAR_KEYWORD for p in names.values()):
        return initializer(shape, dtype=dtype)
    return initializer(shape)


def _takes_nothing(initializer: Any) -> bool:
    try:
        parameters = inspect.signature(initializer).parameters.values()
    except (TypeError, ValueError):
        return False
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
               for p in parameters)


def _default_initializer(name: str, dtype: Any) -> Union[Zeros, GlorotUniform]:
    from shapeflow.tensorflow.python.ops import init_ops

    if dtype.is_floating:
        return init_ops.GlorotUniform()
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool or dtype.name == "string":
        return init_ops.Zeros()
    raise fail("SF201", "An initializer for variable {name} of {dtype} is required", name, dtype.base_dtype)


@export("tf.get_variable_scope")
def get_variable_scope() -> VariableScope:
    return store().scope


@export("tf.get_variable")
def get_variable(name: str, shape: object = None, dtype: object = None, initializer: object = None,
                 regularizer: object = None, trainable: object = None, collections: object = None,
                 caching_device: object = None, partitioner: object = None, validate_shape: bool = True,
                 use_resource: object = None, custom_getter: object = None, constraint: object = None,
                 synchronization: object = None, aggregation: object = None) -> Any:
    if not isinstance(name, str):
        raise TypeError("must be str, not %s" % type(name).__name__)
    var_store = store()
    return var_store.scope.get_variable(
        var_store, name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
        trainable=trainable, collections=collections, caching_device=caching_device,
        partitioner=partitioner, validate_shape=validate_shape, use_resource=use_resource,
        custom_getter=custom_getter, constraint=constraint, synchronization=synchronization,
        aggregation=aggregation)


@export("tf.get_local_variable")
def get_local_variable(name: str, *args: Any, **kwargs: Any) -> Any:
    kwargs["trainable"] = False
    kwargs["collections"] = list(kwargs.get("collections") or []) + [GraphKeys.LOCAL_VARIABLES]
    return get_variable(name, *args, **kwargs)


def _wrapped_getter(new: Any, old: Any) -> Any:
    if old is None:
        return new

    def wrapped(getter: Any, *args: Any, **kwargs: Any) -> Any:
        return new(functools.partial(old, getter), *args, **kwargs)

    return wrapped


@export("tf.variable_scope")
class variable_scope:
    """Context manager: a variable scope and a name scope."""

    _pure = False  # no name scope

    def __init__(self, name_or_scope: Any, default_name: Optional[str] = None, values: Any = None,
                 initializer: Any = None, regularizer: Any = None, caching_device: Any = None,
                 partitioner: Any = None, custom_getter: Any = None, reuse: Any = None,
                 dtype: Any = None, use_resource: Any = None, constraint: Any = None,
                 auxiliary_name_scope: bool = True) -> None:
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if reuse is False:
            reuse = None
        if reuse not in (True, None, AUTO_REUSE):
            raise ValueError("The reuse parameter must be True or False or None.")
        if name_or_scope is not None and not isinstance(name_or_scope, (VariableScope, str)):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        self._name_or_scope = name_or_scope
        self._default_name = default_name
        self._reuse = reuse
        self._given = dict(initializer=initializer, regularizer=regularizer,
                           caching_device=caching_device, partitioner=partitioner,
                           custom_getter=custom_getter, dtype=dtype, use_resource=use_resource,
                           constraint=constraint)
        self._auxiliary = auxiliary_name_scope
        self._entered: List[Any] = []

    def __enter__(self) -> VariableScope:
        var_store = store()
        old = var_store.scope
        target = self._name_or_scope
        names: Any = None
        name_part: Optional[str] = None
        if target is not None:
            name_part = target if isinstance(target, str) else target.name.split("/")[-1]
        elif self._reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        else:
            name_part = self._default_name
        if not self._auxiliary:
            current = get_default_graph().get_name_scope()
            names = framework_lib.name_scope(current + "/" if current else None, None)
            names = names if current else None
        elif name_part and not self._pure:
            names = framework_lib.name_scope(name_part)
        scope_name = names.__enter__() if names is not None else ""
        try:
            new, subscopes = self._make(var_store, old, target, scope_name)
        except BaseException:
            if names is not None:
                names.__exit__(None, None, None)
            raise
        var_store.scope = new
        self._entered.append((var_store, old, new, names, subscopes))
        return new

    def _make(self, var_store: _Store, old: VariableScope, target: object, scope_name: str) -> Any:
        if isinstance(target, VariableScope):
            new = copy.copy(target)
            new._reuse = self._reuse or target.reuse
            base, subscopes = target, dict(var_store.counts)
            name_scope = target._name_scope
            full = target.name
        else:
            part = var_store.unique(self._default_name or "") if target is None else target
            full = old.name + "/" + part if old.name else part
            new = copy.copy(old)
            new._reuse = self._reuse or old.reuse
            base, subscopes = old, None
            name_scope = scope_name
        new._name, new._name_scope = full, name_scope
        new._constraint = self._given["constraint"] or base._constraint
        for key in _SETTINGS:
            value = self._given[key]
            if value is None:
                continue
            if key == "custom_getter":
                value = _wrapped_getter(value, base._custom_getter)
            if key == "dtype":
                value = _core.as_dtype(value)
            setattr(new, "_" + key, value)
        var_store.open(full)
        return new, subscopes

    def __exit__(self, *exc: object) -> None:
        var_store, old, new, names, subscopes = self._entered.pop()
        if var_store.scope is not new:
            raise RuntimeError("Improper nesting of variable_scope.")
        if subscopes is not None:
            var_store.counts = subscopes
        else:
            var_store.close_below(new.name)
        var_store.scope = old
        if names is not None:
            names.__exit__(*exc)

    def __call__(self, function: Any) -> Any:
        @functools.wraps(function)
        def inner(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return inner


@export("tensorflow.python.ops.variable_scope._pure_variable_scope")
class _pure_variable_scope(variable_scope):
    """A variable scope alone, as Sonnet 1 and other libraries of TensorFlow 1 open it."""

    _pure = True

    def __init__(self, name_or_scope: Any, reuse: Any = None, initializer: Any = None,
                 regularizer: Any = None, caching_device: Any = None, partitioner: Any = None,
                 custom_getter: Any = None, old_name_scope: Optional[str] = None, dtype: Any = None,
                 use_resource: Any = None, constraint: Any = None) -> None:
        super().__init__(name_or_scope, None, None, initializer, regularizer, caching_device, partitioner,
                         custom_getter, reuse, dtype, use_resource, constraint)
        self._name_scope = old_name_scope

    def _make(self, var_store: _Store, old: VariableScope, target: object, scope_name: str) -> Any:
        scope_name = self._name_scope or (target if isinstance(target, str) else "")
        return super()._make(var_store, old, target, scope_name)


@export("tf.variable_op_scope")
@contextlib.contextmanager
def variable_op_scope(values: object, name_or_scope: object, default_name: Optional[str] = None,
                      initializer: object = None, regularizer: object = None, caching_device: object = None,
                      partitioner: object = None, custom_getter: object = None, reuse: object = None,
                      dtype: object = None, use_resource: object = None,
                      constraint: object = None) -> Iterator[VariableScope]:
    with variable_scope(name_or_scope, default_name, values, initializer, regularizer,
                        caching_device, partitioner, custom_getter, reuse, dtype, use_resource,
                        constraint) as scope:
        yield scope


@export("tf.no_regularizer")
def no_regularizer(_: object) -> None:
    return None


@export("tf.variable_creator_scope", v2=True)
@contextlib.contextmanager
def variable_creator_scope(variable_creator: object) -> Iterator[None]:
    yield


@export("tf.fixed_size_partitioner")
def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Any:
    return None


@export("tf.variable_axis_size_partitioner", "tf.min_max_variable_partitioner")
def size_partitioner(*args: object, **kwargs: object) -> Any:
    return None  # partitioned variables keep their whole shape: one variable stands for all parts
