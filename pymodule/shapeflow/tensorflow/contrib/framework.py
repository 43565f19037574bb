"""tf.contrib.framework: argument scopes, variable helpers.

Source: tensorflow/contrib/framework/python/ops/{arg_scope,variables}.py,
python/framework/tensor_util.py (1.15).
"""

from __future__ import annotations

import contextlib
import functools
import re

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.variable_scope import VariableScope, get_variable, get_variable_scope
from shapeflow.tensorflow.python.ops.variables import Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from shapeflow.api.registry import Decorator

_PLACES = ("tf.contrib.framework.", "tf.contrib.slim.")


def _both(name: str) -> "Decorator":
    return export(*[p + name for p in _PLACES])


# --- argument scopes --------------------------------------------------------------------------------
_stack: List[Dict[Any, Dict[str, Any]]] = [{}]
_decorated: Dict[object, object] = {}


def _is_unmodelled(op: object) -> bool:
    return "_sf_name" in getattr(op, "__dict__", {})


@export("tf.contrib.framework.arg_scope_func_key", "tf.contrib.slim.arg_scope_func_key")
def arg_scope_func_key(op: object) -> Any:
    return getattr(op, "_key_op", str(op))


@_both("current_arg_scope")
def current_arg_scope() -> Dict[Any, Dict[str, Any]]:
    return _stack[-1]


@_both("has_arg_scope")
def has_arg_scope(func: object) -> bool:
    return _is_unmodelled(func) or arg_scope_func_key(func) in _decorated


@_both("arg_scoped_arguments")
def arg_scoped_arguments(func: object) -> Any:
    assert has_arg_scope(func)
    return _decorated[arg_scope_func_key(func)]


class _ArgScope(contextlib.ContextDecorator):
    """The context manager that arg_scope gives; its errors rise when it is entered."""

    def __init__(self, ops: Any, given: Dict[str, Any]) -> None:
        self._ops, self._given = ops, given

    def __enter__(self) -> Dict[Any, Dict[str, Any]]:
        if isinstance(self._ops, dict):
            if self._given:
                raise ValueError("When attempting to re-use a scope by suppling a dictionary, kwargs "
                                 "must be empty.")
            _stack.append(self._ops.copy())
            return _stack[-1]
        if _is_unmodelled(self._ops):
            _stack.append(current_arg_scope().copy())
            return _stack[-1]
        if not isinstance(self._ops, (list, tuple)):
            raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. "
                            "dict)")
        scope = current_arg_scope().copy()
        for op in self._ops:
            if _is_unmodelled(op):
                continue
            if not has_arg_scope(op):
                raise ValueError("%s is not decorated with @add_arg_scope",
                                 (op.__module__, op.__name__))
            key = arg_scope_func_key(op)
            scope[key] = dict(scope.get(key, {}), **self._given)
        _stack.append(scope)
        return scope

    def __exit__(self, *exc: object) -> None:
        _stack.pop()


@_both("arg_scope")
def arg_scope(list_ops_or_scope: object, **kwargs: object) -> _ArgScope:
    return _ArgScope(list_ops_or_scope, kwargs)


@_both("add_arg_scope")
def add_arg_scope(func: Callable[..., Any]) -> Callable[..., Any]:
    """Makes a function take defaults from the argument scopes around its calls."""
    key = arg_scope_func_key(func)

    def around(func: Callable[..., object]) -> Callable[..., Any]:
        @functools.wraps(func)
        def func_with_args(*args: object, **kwargs: object) -> Any:
            given = current_arg_scope().get(key)
            if given:
                kwargs = dict(given, **kwargs)
            return func(*args, **kwargs)

        return func_with_args

    func_with_args: Any = around(func)
    func_with_args._sf_around = around  # what checks the arguments comes after the scopes' defaults
    defaults = getattr(func, "__defaults__", None) or ()
    code = getattr(func, "__code__", None)
    _decorated[key] = code.co_varnames[code.co_argcount - len(defaults):code.co_argcount] \
        if code is not None else ()
    func_with_args._key_op = key
    return func_with_args


# --- variables ----------------------------------------------------------------------------------------
@_both("variable")
@add_arg_scope
def variable(name: str, shape: Any = None, dtype: Any = None, initializer: Any = None,
             regularizer: Any = None, trainable: bool = True, collections: Any = None,
             caching_device: Any = None, device: Any = None, partitioner: Any = None,
             custom_getter: Any = None, use_resource: Any = None, synchronization: Any = None,
             aggregation: Any = None) -> Any:
    keys = [] if collections is None else list(collections)
    collections = sorted(set(keys), key=str) if collections is not None else [
        GraphKeys.GLOBAL_VARIABLES]
    getter: Any = get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=get_variable_scope().reuse)
    with framework_lib.device(device or ""):
        return getter(name, shape=shape, dtype=dtype, initializer=initializer,
                      regularizer=regularizer, trainable=trainable, collections=collections,
                      caching_device=caching_device, partitioner=partitioner,
                      use_resource=use_resource, synchronization=synchronization,
                      aggregation=aggregation)


@_both("model_variable")
@add_arg_scope
def model_variable(name: str, shape: object = None, dtype: object = "float32", initializer: object = None,
                   regularizer: object = None, trainable: bool = True, collections: Any = None,
                   caching_device: object = None, device: object = None, partitioner: object = None,
                   custom_getter: object = None, use_resource: object = None, synchronization: object = None,
                   aggregation: object = None) -> Any:
    collections = list(collections or []) + [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    return variable(name, shape=shape, dtype=dtype, initializer=initializer,
                    regularizer=regularizer, trainable=trainable, collections=collections,
                    caching_device=caching_device, device=device, partitioner=partitioner,
                    custom_getter=custom_getter, use_resource=use_resource,
                    synchronization=synchronization, aggregation=aggregation)


@_both("local_variable")
def local_variable(initial_value: object, validate_shape: bool = True, name: Optional[str] = None,
                   use_resource: Any = None) -> Variable:
    return Variable(initial_value, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
                    validate_shape=validate_shape, name=name, use_resource=use_resource)


@_both("global_variable")
def global_variable(initial_value: object, validate_shape: bool = True, name: Optional[str] = None,
                    use_resource: Any = None) -> Variable:
    return Variable(initial_value, trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES],
                    validate_shape=validate_shape, name=name, use_resource=use_resource)


@_both("add_model_variable")
def add_model_variable(var: object) -> None:
    graph = get_default_graph()
    if not any(v is var for v in graph.get_collection(GraphKeys.MODEL_VARIABLES)):
        graph.add_to_collection(GraphKeys.MODEL_VARIABLES, var)


@_both("get_variables")
def get_variables(scope: Optional[str] = None, suffix: Optional[str] = None,
                  collection: str = GraphKeys.GLOBAL_VARIABLES) -> List[Any]:
    if isinstance(scope, VariableScope):
        scope = scope.name
    if suffix is not None:
        if ":" not in suffix:
            suffix += ":"
        scope = (scope or "") + ".*" + suffix
    return get_default_graph().get_collection(collection, scope)


def _getter_of(collection: str, name: str) -> Any:
    def getter(scope: Optional[str] = None, suffix: Optional[str] = None) -> List[Any]:
        return get_variables(scope, suffix, collection)

    getter.__name__ = name
    put(getter, *[p + name for p in _PLACES])
    return getter


get_model_variables = _getter_of(GraphKeys.MODEL_VARIABLES, "get_model_variables")
get_local_variables = _getter_of(GraphKeys.LOCAL_VARIABLES, "get_local_variables")
get_trainable_variables = _getter_of(GraphKeys.TRAINABLE_VARIABLES, "get_trainable_variables")


@_both("get_variables_to_restore")
def get_variables_to_restore(include: object = None, exclude: object = None) -> List[Any]:
    if include is None:
        chosen = get_variables()
    else:
        if not isinstance(include, (list, tuple)):
            raise TypeError("include is provided but is not a list or a tuple.")
        chosen = [v for scope in include for v in get_variables(scope)]
    left_out: set[object] = set()
    if exclude is not None:
        if not isinstance(exclude, (list, tuple)):
            raise TypeError("exclude is provided but is not a list or a tuple.")
        left_out = {id(v) for scope in exclude for v in get_variables(scope)}
    return [v for v in chosen if id(v) not in left_out]


@_both("get_variables_by_suffix")
def get_variables_by_suffix(suffix: str, scope: Optional[str] = None) -> List[Any]:
    return get_variables(scope=scope, suffix=suffix)


@_both("get_variables_by_name")
def get_variables_by_name(given_name: str, scope: Optional[str] = None) -> List[Any]:
    return get_variables(scope=scope, suffix="/" + given_name + ":|^" + given_name + ":")


@_both("get_unique_variable")
def get_unique_variable(var_op_name: str) -> Any:
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError("Couldn't find variable %s" % var_op_name)
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError("Variable %s does not uniquely identify a variable" % var_op_name)


@_both("get_variable_full_name")
def get_variable_full_name(var: Any) -> str:
    return var.op.name


@_both("filter_variables")
def filter_variables(var_list: Any, include_patterns: Any = None, exclude_patterns: Any = None,
                     reg_search: bool = True) -> List[Any]:
    matches = re.search if reg_search else re.match
    chosen = [v for v in var_list if include_patterns is None
              or any(matches(p, v.name) for p in include_patterns)]
    return [v for v in chosen if exclude_patterns is None
            or not any(matches(p, v.name) for p in exclude_patterns)]


@_both("assign_from_values")
def assign_from_values(var_names_to_values: Dict[str, Any]) -> Any:
    feed_dict, assigns = {}, []
    for name, value in var_names_to_values.items():
        found = get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, name)
        if not found:
            raise ValueError("Variable %s wasn't found" % name)
        exact = [v for v in found if v.op.name == name] if len(found) > 1 else found
        if not exact:
            raise ValueError("Variable %s doesn't uniquely identify a variable" % name)
        var = exact[0]
        fed = tf.placeholder(var.dtype.base_dtype, var.get_shape(), "placeholder/" + var.op.name)
        assigns.append(var.assign(fed))
        feed_dict[fed] = value.reshape(var.get_shape().as_list())
    return tf.group(*assigns), feed_dict


@_both("assign_from_values_fn")
def assign_from_values_fn(var_names_to_values: Dict[str, object]) -> Any:
    assign_op, feed_dict = assign_from_values(var_names_to_values)

    def callback(session: Any) -> Any:
        return session.run(assign_op, feed_dict)

    return callback


def _by_name(var_list: Any) -> Dict[str, Any]:
    return dict(var_list) if isinstance(var_list, dict) else {v.op.name: v for v in var_list}


@_both("assign_from_checkpoint")
def assign_from_checkpoint(model_path: object, var_list: object, ignore_missing_vars: bool = False) -> Any:
    """Initialises the variables: what a checkpoint holds is not read."""
    variables: List[Any] = []
    for value in _by_name(var_list).values():
        variables += value if isinstance(value, (list, tuple)) else [value]
    return tf.group(*[v.initializer for v in variables]), {}


@_both("assign_from_checkpoint_fn")
def assign_from_checkpoint_fn(model_path: object, var_list: object, ignore_missing_vars: bool = False,
                              reshape_variables: bool = False) -> Any:
    if not var_list:
        raise ValueError("var_list cannot be empty")
    assign_op, _ = assign_from_checkpoint(model_path, var_list, ignore_missing_vars)

    def callback(session: Any) -> None:
        session.run(assign_op)

    return callback


@_both("init_from_checkpoint")
@export("tf.train.init_from_checkpoint")
def init_from_checkpoint(ckpt_dir_or_file: object, assignment_map: object) -> None:
    """The variables' initialisers already give them their shapes."""


@_both("VariableDeviceChooser")
class VariableDeviceChooser:
    """Gives each variable the next parameter server."""

    def __init__(self, num_tasks: int = 0, job_name: str = "ps", device_type: str = "CPU",
                 device_index: int = 0, replica: Any = None) -> None:
        self._job, self._type, self._index = job_name, device_type, device_index
        self._num_tasks, self._next = num_tasks, 0

    def __call__(self, op: object) -> str:
        if not self._num_tasks:
            return "/device:%s:%d" % (self._type, self._index)
        task, self._next = self._next, (self._next + 1) % self._num_tasks
        return "/job:%s/task:%d/device:%s:%d" % (self._job, task, self._type, self._index)


@_both("assert_or_get_global_step")
def assert_or_get_global_step(graph: object = None, global_step_tensor: object = None) -> Any:
    return global_step_tensor if global_step_tensor is not None else tf.train.get_global_step(graph)


# --- tensors ------------------------------------------------------------------------------------------
@export("tf.contrib.framework.with_shape")
def with_shape(expected_shape: object, tensor: Any) -> Any:
    tensor = framework_lib.convert_to_tensor(tensor)
    if isinstance(expected_shape, (list, tuple, _core.TensorShape)):
        want = _core.TensorShape(expected_shape)
        if not tensor.get_shape().is_compatible_with(want):
            raise fail("SF124", "Shapes {shape} and {shape} are incompatible", tensor.get_shape(), want)
        tensor.set_shape(want)
    return tensor


@export("tf.contrib.framework.with_same_shape")
def with_same_shape(expected_tensor: object, tensor: object) -> Any:
    return with_shape(framework_lib.convert_to_tensor(expected_tensor).get_shape(), tensor)


@export("tf.contrib.framework.remove_squeezable_dimensions")
def remove_squeezable_dimensions(predictions: object, labels: object,
                                 name: Optional[str] = None) -> Tuple[object, object]:
    from shapeflow.tensorflow.python.ops.losses import remove_squeezable_dimensions as remove

    labels, predictions = remove(labels, predictions, name=name)
    return predictions, labels


@export("tf.contrib.framework.reduce_sum_n")
def reduce_sum_n(tensors: Any, name: Optional[str] = None) -> Any:
    if not tensors:
        raise ValueError("No tensors provided.")
    with framework_lib.name_scope(name, "reduce_sum_n", tensors) as scope:
        summed = [t if t.get_shape().ndims == 0 else tf.reduce_sum(t) for t in tensors]
        return summed[0] if len(summed) == 1 else tf.add_n(summed, name=scope)


@export("tf.contrib.framework.get_name_scope")
def get_name_scope() -> str:
    return get_default_graph().get_name_scope()


@export("tf.contrib.framework.prepend_name_scope")
def prepend_name_scope(name: str, import_scope: Any) -> str:
    return import_scope + "/" + name if import_scope else name


@export("tf.contrib.framework.strip_name_scope")
def strip_name_scope(name: str, export_scope: Any) -> str:
    return re.sub(r"^" + export_scope.rstrip("/") + "/", "", name) if export_scope else name


@export("tf.contrib.framework.sort", "tf.sort")
def sort(values: object, axis: int = -1, direction: str = "ASCENDING",
         name: Optional[str] = None) -> Any:
    _need_direction(direction)
    with framework_lib.name_scope(name, "sort"):
        values = framework_lib.convert_to_tensor(values)
        return _sorted(values, axis, 0)


@export("tf.contrib.framework.argsort", "tf.argsort")
def argsort(values: object, axis: int = -1, direction: str = "ASCENDING", stable: bool = False,
            name: Optional[str] = None) -> Any:
    _need_direction(direction)
    with framework_lib.name_scope(name, "argsort"):
        values = framework_lib.convert_to_tensor(values)
        return _sorted(values, axis, 1)


def _need_direction(direction: str) -> None:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError("%s should be one of ASCENDING, DESCENDING. Got %s."
                         % ("direction", direction))


def _sorted(values: Any, axis: int, which: int) -> Any:
    """The values or the indices of a sort: of the shape of `values`."""
    rank = values.get_shape().ndims
    if rank is not None and not -rank <= axis < rank:
        raise fail("SF111", "axis {axis} is not in [-{rank}, {rank})", axis, rank, rank)
    if rank is None or axis in (-1, rank - 1):
        return tf.nn.top_k(values, tf.shape(values)[-1])[which]
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    moved = tf.transpose(values, order)
    return tf.transpose(tf.nn.top_k(moved, tf.shape(moved)[-1])[which], order)


@export("tf.contrib.framework.get_placeholders")
def get_placeholders(graph: Any) -> List[Any]:
    return [op.outputs[0] for op in graph.get_operations()
            if op.type in ("Placeholder", "PlaceholderV2")]
