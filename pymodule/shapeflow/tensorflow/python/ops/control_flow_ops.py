"""Control flow that takes callables: cond, case, while_loop; group, tuple, with_dependencies.

The graph is TensorFlow 1's: Switch/Merge for cond, Enter/Merge/Switch/NextIteration/Exit for loops.
What a branch or body makes hangs on its pivot by a control edge, so the core knows what is dead.
Source: tensorflow/python/ops/control_flow_ops.py (1.15).
"""
from __future__ import annotations

import contextlib

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import op, outputs, tf
from shapeflow.tensorflow.python.ops.tensor_array_ops import TensorArray
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, List, Optional


@export("tf.group", v2=True)
def group(*inputs: Any, **kwargs: Any) -> Any:
    if _core.executing_eagerly():
        return None
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs.keys()))
    with framework_lib.name_scope(name, "group_deps", inputs) as name:
        deps = []
        for item in nest.flatten(inputs):
            if item is None or not hasattr(item, "device") and not hasattr(item, "op"):
                raise TypeError("Expected tf.group() expected Tensor arguments not '%s' with type "
                                "'%s'" % (item, type(item)))
            deps.append(item)
        if not deps:
            return framework_lib.no_op(name)
        by_device: dict[str, List[object]] = {}
        for item in deps:
            by_device.setdefault(item.device or "", []).append(item)
        if len(by_device) > 1:  # a node on each device, and one that waits for them
            deps = [_on_device(device, by_device[device], None) for device in sorted(by_device)]
            by_device = {"": deps}
        (device, deps), = by_device.items()
        return _on_device(device, deps, name)


def _on_device(device: str, deps: List[object], name: Optional[str]) -> Any:
    with framework_lib.control_dependencies(deps), framework_lib.device(device or ""):
        return framework_lib.no_op(name)


def with_dependencies(dependencies: object, output_tensor: object, name: Optional[str] = None) -> Any:
    """`output_tensor`, once `dependencies` ran."""
    if _core.executing_eagerly():
        return output_tensor
    with framework_lib.name_scope(name, "control_dependency") as name:
        with framework_lib.control_dependencies(dependencies):
            if isinstance(output_tensor, framework_lib.IndexedSlices):
                return framework_lib.IndexedSlices(tf.identity(output_tensor.values),
                                               output_tensor.indices, output_tensor.dense_shape)
            return tf.identity(framework_lib.convert_to_tensor(output_tensor), name=name)


put(with_dependencies, "tf.contrib.framework.with_dependencies",
    "tensorflow.python.ops.control_flow_ops.with_dependencies")


@export("tf.tuple")
def tuple_(tensors: Any, name: Optional[str] = None, control_inputs: Any = None) -> List[Any]:
    if _core.executing_eagerly():
        return tensors
    with framework_lib.name_scope(name, "tuple") as name:
        gates: List[object] = []
        for t in tensors:
            if t is not None:
                gates.append(t if isinstance(t, _core.Operation) else getattr(t, "op", t))
        if not gates:
            raise ValueError("Must have at least one Tensor: %s" % tensors)
        gate = group(*(gates + list(control_inputs or ())))
        made: List[Any] = []
        for t in tensors:
            if t is None:
                made.append(None)
            elif isinstance(t, _core.Operation):
                with framework_lib.control_dependencies([gate]):
                    made.append(group(t))
            else:
                made.append(with_dependencies([gate], t))
        return made


@export("tf.tuple", v1=False, v2=True)
def tuple_v2(tensors: object, control_inputs: object = None, name: Optional[str] = None) -> List[Any]:
    return tuple_(tensors, name, control_inputs)


# --- cond ------------------------------------------------------------------------------------------
@contextlib.contextmanager
def _within(pivot: Any) -> Iterator[None]:
    """Ops made here run only when `pivot` is alive; control inputs from outside are dropped."""
    graph = get_default_graph()
    with graph.control_dependencies([pivot.op]):
        yield


def _as_result(item: object) -> Any:
    """What a branch returned as a tensor of this branch (an outer tensor must become dead too)."""
    if isinstance(item, _core.Operation):
        with framework_lib.control_dependencies([item]):
            return tf.constant(True)
    if item is None:
        return tf.constant(True)
    if isinstance(item, TensorArray):
        return tf.identity(item.flow)
    return tf.identity(framework_lib.convert_to_tensor(item))


def _unpack_singleton(result: object) -> Any:
    return result[0] if isinstance(result, (list, tuple)) and len(result) == 1 else result


def _predicate(pred: Any) -> Any:
    """`pred` as a tensor; that of TensorFlow 2's If and While may have any rank with one element."""
    pred = framework_lib.convert_to_tensor(pred)
    if framework_lib.control_flow_v2_enabled() and pred.get_shape().ndims != 0:
        return tf.reshape(pred, [])
    return pred


@export("tf.cond")
def cond(pred: object, true_fn: Optional[Callable[[], Any]] = None,
         false_fn: Optional[Callable[[], Any]] = None, strict: bool = False,
         name: Optional[str] = None, fn1: Any = None, fn2: Any = None) -> Any:
    if fn1 is not None:
        if true_fn is not None:
            raise TypeError("cond(): true_fn and fn1 may not be set simultaneously.")
        true_fn = fn1
    elif true_fn is None:
        raise TypeError("cond(): true_fn argument required")
    if fn2 is not None:
        if false_fn is not None:
            raise TypeError("cond(): false_fn and fn2 may not be set simultaneously.")
        false_fn = fn2
    elif false_fn is None:
        raise TypeError("cond(): false_fn argument required")
    if not callable(true_fn):
        raise TypeError("true_fn must be callable.")
    if not callable(false_fn):
        raise TypeError("false_fn must be callable.")
    if _core.executing_eagerly():
        result = true_fn() if pred else false_fn()
        return result if strict else _unpack_singleton(result)
    with framework_lib.name_scope(name, "cond", [pred]):
        if isinstance(pred, bool):
            raise TypeError("pred must not be a Python bool")
        pred = _predicate(pred)
        switch_f, switch_t = outputs("Switch", [pred, pred], None, "Switch")[:2]
        pivot_t = tf.identity(switch_t, name="switch_t")
        pivot_f = tf.identity(switch_f, name="switch_f")
        tf.identity(pred, name="pred_id")
        original_t, flat_t = _branch(true_fn, pivot_t, strict, "true_fn")
        original_f, flat_f = _branch(false_fn, pivot_f, strict, "false_fn")
        return _merge_branches(original_t, flat_t, original_f, flat_f, strict)


def _branch(function: Callable[[], object], pivot: object, strict: bool, what: str) -> Any:
    with _within(pivot):
        original = function()
        if original is None:
            raise fail("SF201", "{name} must have a return value.", what)
        flat = [_as_result(item) for item in nest.flatten(original)]
    return original if strict else _unpack_singleton(original), flat


def _merge_branches(original_t: object, flat_t: List[Any], original_f: object, flat_f: List[Any],
                    strict: bool) -> Any:
    try:
        nest.assert_same_structure(original_t, original_f)
    except TypeError as e:
        raise fail("SF202", "Incompatible return types of true_fn and false_fn: {text}", e, error=TypeError)
    except ValueError as e:
        raise fail("SF201", "Incompatible return values of true_fn and false_fn: {text}", e)
    if not flat_t:
        raise fail("SF201", "true_fn and false_fn must return at least one result.")
    flat_t = [op_builders.as_dtype(x, y.dtype) for x, y in zip(flat_t, flat_f)]
    flat_f = [op_builders.as_dtype(y, x.dtype) for x, y in zip(flat_t, flat_f)]
    for x, y in zip(flat_t, flat_f):
        if x.dtype.base_dtype != y.dtype.base_dtype:
            raise fail("SF201", "Outputs of true_fn and false_fn must have the same type: {dtype}, "
                       "{dtype}", x.dtype.name, y.dtype.name)
    merged = [outputs("Merge", [[f, t]], None, "Merge")[0] for t, f in zip(flat_t, flat_f)]
    merged = [_rewrap(o, m) for o, m in zip(nest.flatten(original_t), merged)]
    result = nest.pack_sequence_as(original_t, merged)
    return result if strict else _unpack_singleton(result)


def _rewrap(original: object, tensor: object) -> Any:
    return original._next(tensor) if isinstance(original, TensorArray) else tensor


@export("tf.cond", v1=False, v2=True)
def cond_v2(pred: Any, true_fn: Any = None, false_fn: Any = None, name: Optional[str] = None) -> Any:
    if isinstance(pred, bool):
        return (true_fn if pred else false_fn)()
    return cond(pred, true_fn, false_fn, True, name)


@export("tf.contrib.framework.smart_cond", "tf.contrib.layers.smart_cond",
        "tensorflow.python.framework.smart_cond.smart_cond",
        "tensorflow.python.layers.utils.smart_cond")
def smart_cond(pred: object, true_fn: Any = None, false_fn: Any = None, name: Optional[str] = None,
               fn1: object = None, fn2: object = None) -> Any:
    """cond, or just one of the functions when `pred` is known now."""
    true_fn, false_fn = true_fn or fn1, false_fn or fn2
    known = smart_constant_value(pred)
    if known is None:
        return cond(pred, true_fn, false_fn, name=name)
    return true_fn() if known else false_fn()


@export("tf.contrib.framework.smart_constant_value")
def smart_constant_value(pred: object) -> Optional[bool]:
    if isinstance(pred, (bool, int)):
        return bool(pred)
    if hasattr(pred, "dtype") and not isinstance(pred, (_core.Tensor, _core.VariableBase)):
        return bool(pred)
    if isinstance(pred, _core.Tensor):
        value = _core.constant_value(pred)
        return None if value is None else bool(value)
    if isinstance(pred, _core.VariableBase):
        return None
    raise TypeError("`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: %s" % pred)


@export("tf.case", v2=False)
def case(pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, strict: bool = False,
         name: str = "case") -> Any:
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else pred_fn_pairs
    if not isinstance(pairs, (list, tuple)):
        raise TypeError("fns must be a list, tuple, or dict")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple. Received %s." % (pair,))
        if not callable(pair[1]):
            raise TypeError("fn for pred %s must be callable." % (pair[0],))
    if default is not None and not callable(default):
        raise TypeError("default must be callable.")
    with framework_lib.name_scope(name, "case"):
        rest = list(pairs)
        if default is None:
            default = rest.pop()[1]
        result = default
        for pred, function in reversed(rest):
            result = _nested_case(pred, function, result, strict)
        return result()


def _nested_case(pred: Any, function: Any, otherwise: Any, strict: bool) -> Any:
    return lambda: cond(pred, function, otherwise, strict)


@export("tf.case", v1=False, v2=True)
def case_v2(pred_fn_pairs: object, default: object = None, exclusive: bool = False, strict: bool = False,
            name: str = "case") -> Any:
    return case(pred_fn_pairs, default, exclusive, strict, name)


@export("tf.switch_case", v2=True)
def switch_case(branch_index: object, branch_fns: Any, default: object = None,
                name: Optional[str] = None) -> Any:
    functions: Any = branch_fns.items() if isinstance(branch_fns, dict) else enumerate(branch_fns)
    pairs: List[Any] = [f if isinstance(f, tuple) else (i, f) for i, f in functions]
    known = _core.constant_value(framework_lib.convert_to_tensor(branch_index))
    if known is not None:
        return dict(pairs).get(int(known), default or pairs[-1][1])()
    return case([(tf.equal(branch_index, i), f) for i, f in pairs], default, strict=True)


# --- while_loop ------------------------------------------------------------------------------------
@export("tf.while_loop")
def while_loop(cond: object, body: object, loop_vars: object, shape_invariants: object = None,
               parallel_iterations: int = 10, back_prop: bool = True, swap_memory: bool = False,
               name: Optional[str] = None, maximum_iterations: object = None,
               return_same_structure: bool = False) -> Any:
    if not callable(cond):
        raise TypeError("cond must be callable.")
    if not callable(body):
        raise TypeError("body must be callable.")
    if not loop_vars:
        raise ValueError("No loop variables provided")
    if _core.executing_eagerly():
        return _eager_while(cond, body, loop_vars, maximum_iterations, shape_invariants is None)
    with framework_lib.name_scope(name, "while", loop_vars):
        if maximum_iterations is not None:
            return _bounded(cond, body, loop_vars, shape_invariants, maximum_iterations,
                            return_same_structure)
        return _build_loop(cond, body, loop_vars, shape_invariants, return_same_structure)


@export("tf.while_loop", v1=False, v2=True)
def while_loop_v2(cond: object, body: object, loop_vars: object, shape_invariants: object = None,
                  parallel_iterations: int = 10, back_prop: bool = True, swap_memory: bool = False,
                  maximum_iterations: object = None, name: Optional[str] = None) -> Any:
    return while_loop(cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop,
                      swap_memory, name, maximum_iterations, True)


def _bounded(cond: Any, body: Any, loop_vars: Any, shape_invariants: Any, maximum: Any,
             same_structure: bool) -> Any:
    maximum = framework_lib.convert_to_tensor(maximum, None, "maximum_iterations")
    if maximum.get_shape().ndims not in (0, None):
        raise ValueError("maximum_iterations must be a scalar, saw shape: %s" % maximum.get_shape())
    counter = tf.constant(0, dtype=maximum.dtype, name="iteration_counter")
    single = len(loop_vars) == 1 and not same_structure
    inner = loop_vars[0] if single else loop_vars

    def bounded_cond(i: Any, values: Any) -> Any:
        more = cond(values) if single else cond(*values)
        return tf.logical_and(i < maximum, more)

    def bounded_body(i: Any, values: Any) -> Any:
        result = body(values) if single else body(*values)
        if not single and not isinstance(result, (list, tuple)):
            result = (result,)
        if single and isinstance(result, (list, tuple)) and not nest.is_nested(inner):
            result = result[0]
        return i + 1, result if single else _retyped(values, result)

    if shape_invariants is not None:
        invariants = shape_invariants[0] if single else shape_invariants
        shape_invariants = (_core.TensorShape([]), invariants)
    return _build_loop(bounded_cond, bounded_body, (counter, inner), shape_invariants, True)[1]


def _retyped(like: Any, result: Any) -> Any:
    """A list where the loop variables are a tuple (or the other way round) is accepted."""
    return type(like)(result) if type(like) in (list, tuple) and type(result) in (list, tuple) \
        else result


def _eager_while(cond: Any, body: Any, loop_vars: Any, maximum: object, keeps_shapes: bool) -> Any:
    """Runs the loop; a condition that is not known lets the body run once more, then stops."""
    if _core.inside_function():  # there they are tensors from the first turn on
        loop_vars = nest.map_structure(lambda v: framework_lib.convert_to_tensor(v) if _is_number(v) else v,
                                       loop_vars)
    values, packed, count = loop_vars, False, 0
    limit = None if maximum is None else int(_core.constant_value(framework_lib.convert_to_tensor(maximum)))
    while limit is None or count < limit:
        test = cond(*values)
        known = _core.constant_value(test) if isinstance(test, _core.Tensor) else test
        if known is not None and not bool(known):
            break
        values = body(*values)
        if not isinstance(values, (list, tuple)):
            packed, values = True, (values,)
        count += 1
        if count == 1 and keeps_shapes and _core.inside_function():
            from shapeflow.tensorflow.python.eager import loop_shapes

            loop_shapes.while_turn(loop_vars, values)
        if known is None:
            break
    values = nest.map_structure(  # an Optional is none
        lambda v: v if isinstance(v, TensorArray) or hasattr(v, "has_value") else
        framework_lib.convert_to_tensor(v), values)
    return values[0] if packed else values


def _is_number(value: object) -> bool:
    return isinstance(value, (bool, int, float, complex))


def _build_loop(cond: Any, body: Any, loop_vars: object, shape_invariants: object,
                same_structure: bool) -> Any:
    graph = get_default_graph()
    flat = nest.flatten(loop_vars)
    invariants = None
    if shape_invariants is not None:
        invariants = [s if isinstance(s, _core.TensorShape) else _core.TensorShape(s)
                      for s in _flatten_shapes(shape_invariants, loop_vars)]
    tensors = [_loop_tensor(v, i) for i, v in enumerate(flat)]
    frame = graph.unique_name("while_context", True)
    with graph.control_dependencies(None):
        enters = [_enter(t, None if invariants is None else invariants[i], frame,
                         isinstance(flat[i], TensorArray)) for i, t in enumerate(tensors)]
        merges = [outputs("Merge", [[e, e]], None, "Merge")[0] for e in enters]
    with _within(merges[0]):
        packed = nest.pack_sequence_as(loop_vars, [_rewrap(v, m) for v, m in zip(flat, merges)])
        test = _predicate(cond(*packed))
    pivot = op("LoopCond", [test], None, "LoopCond")
    switches = [outputs("Switch", [m, pivot], None, "Switch") for m in merges]
    inside = [tf.identity(s[1]) for s in switches]
    with _within(inside[0]):
        packed = nest.pack_sequence_as(loop_vars, [_rewrap(v, m) for v, m in zip(flat, inside)])
        result = body(*packed)
        if not nest.is_nested(result):
            result = [result]
        _check_structure(list(packed), list(result))
        flat_result = nest.flatten(result)
        next_values = [_as_result(r) for r in flat_result]
    if len(next_values) != len(merges):
        raise fail("SF201", "Number of inputs and outputs of body must match loop_vars: {int}, {int}",
                   len(merges), len(next_values))
    for i, (merge, value) in enumerate(zip(merges, next_values)):
        want = tensors[i].get_shape() if invariants is None else invariants[i]
        _back_edge(merge, value, tensors[i], want, invariants is None, flat[i], i)
    exits = [op("Exit", [s[0]], None, "Exit") for s in switches]
    made = []
    for i, value in enumerate(flat):
        if isinstance(value, TensorArray):
            made.append(flat_result[i]._next(exits[i]))
            continue
        if invariants is None and tensors[i].get_shape().ndims is not None:
            exits[i].set_shape(tensors[i].get_shape())
        made.append(exits[i])
    packed = nest.pack_sequence_as(loop_vars, made)
    if not same_structure and isinstance(packed, (list, tuple)) and len(packed) == 1:
        return packed[0]
    return packed


def _enter(tensor: Any, invariant: object, frame: str, is_array: bool) -> Any:
    """The loop variable at the loop's door, with the static shape that it keeps inside."""
    shape = tensor.get_shape()
    if invariant is not None and not is_array:
        shape.assert_is_compatible_with(invariant)
        if not _shape_leq(invariant, shape):  # known more exactly than the invariant says: forget
            tensor = tf.placeholder_with_default(tensor, invariant)
            shape = invariant
    made = op("Enter", [tensor], {"frame_name": frame, "is_constant": False}, "Enter")
    if not is_array:
        made.set_shape(shape)
    return made


def _loop_tensor(value: object, index: int) -> Any:
    if isinstance(value, TensorArray):
        return value.flow
    return framework_lib.convert_to_tensor(value)


def _check_structure(expected: List[object], result: List[object]) -> None:
    try:
        nest.assert_same_structure(expected, result)
    except (TypeError, ValueError) as e:
        raise fail("SF201", "{text}", e, error=type(e))


def _flatten_shapes(shapes: Any, like: Any) -> List[Any]:
    """Shape invariants in the order of the loop variables; a list of dims is one shape."""
    if not nest.is_nested(like) or isinstance(shapes, _core.TensorShape):
        return [shapes]
    found: List[Any] = []
    values = like.values() if isinstance(like, dict) else like
    given = [shapes[k] for k in like] if isinstance(like, dict) else list(shapes)
    for value, shape in zip(values, given):
        found.extend(_flatten_shapes(shape, value))
    return found


def _back_edge(merge: Any, value: Any, entering: Any, want: Any, from_input: bool,
               original: Any, index: int) -> None:
    value = op_builders.as_dtype(value, merge.dtype)
    if value.dtype.base_dtype != merge.dtype.base_dtype and not _core.is_unmodelled(merge, True):
        raise fail("SF202", "Input {int} of node {name} was passed {dtype} from {name} incompatible with "
                   "expected {dtype}.", 1, merge.op.name, value.dtype.name, value.name, merge.dtype.name)
    if not isinstance(original, TensorArray) and not _shape_leq(value.get_shape(), want) and \
            not _core.is_unmodelled(value):
        if merge.graph.building_function:
            from shapeflow.tensorflow.python.eager import loop_shapes

            loop_shapes.while_varies(index, entering, want, value.get_shape())
        raise _variance(merge, entering, value.get_shape())
    following = op("NextIteration", [value], None, "NextIteration")
    merge.op._update_input(1, following)


def _shape_leq(shape: Any, want: Any) -> bool:
    """True when every shape that `shape` stands for is one that `want` stands for."""
    if want.ndims is None:
        return True
    if shape.ndims != want.ndims:
        return False
    return all(w is None or w == s for s, w in zip(shape.as_list(), want.as_list()))


def _variance(merge: Any, entering: Any, after: Any) -> Exception:
    from shapeflow.api import names

    if names.emulated() >= (1, 13):
        return fail("SF132", "Input tensor '{name}' enters the loop with shape {shape}, but has shape "
                    "{shape} after one iteration. To allow the shape to vary across iterations, use the "
                    "`shape_invariants` argument of tf.while_loop to specify a less-specific shape.",
                    entering.name, entering.get_shape(), after)
    return fail("SF132", "The shape for {name} is not an invariant for the loop. It enters the loop with "
                "shape {shape}, but has shape {shape} after one iteration. Provide shape invariants using "
                "either the `shape_invariants` argument of tf.while_loop or set_shape() on the loop "
                "variables.", merge.name, entering.get_shape(), after)


