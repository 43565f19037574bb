"""map_fn, scan, foldl, foldr: the function is traced once, on one element.

The result is that element repeated: every iteration has the same shapes, so shapes, symbols and
gradients are those of the loop. Also py_func, Print, Assert. Source: map_fn.py, functional_ops.py.
"""
from __future__ import annotations

import contextlib
import functools
import sys

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import Opaque, is_unmodelled
from shapeflow.tensorflow.python.eager import function_trace
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import as_dtype, op, tf, unknown
from shapeflow.tensorflow.python.framework.type_spec import RaggedTensorSpec, TensorSpec, TypeSpec
from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor, any_row, known
from shapeflow.tensorflow.python.ops.tensor_array_ops import repeat
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional, Sequence, Union

_PARALLEL = 10  # elements at once, as map_fn says for graphs


def _elements(elems: object) -> Any:
    """(structure of first elements, number of elements as an int or a tensor)."""
    composite = (RaggedTensor, framework_lib.SparseTensor)
    if any(isinstance(e, Opaque) for e in nest.flatten(elems)):
        # The first of what is not modelled has all that a program asks of it, as a tensor would not.
        rows = nest.map_structure(lambda e: e[0], elems)
        return rows, unknown("int32", [], None)
    flat = [e if isinstance(e, composite) else framework_lib.convert_to_tensor(e, None, "elem")
            for e in nest.flatten(elems)]
    for e in flat:
        if e.get_shape().ndims == 0:
            raise fail("SF132", "elems must be a 1+ dimensional Tensor, not a scalar" if len(
                flat) == 1 else "elements in elems must be 1+ dimensional Tensors, not scalars")
    sizes = [e.get_shape().as_list()[0] for e in flat if e.get_shape().ndims]
    size = next((s for s in sizes if s is not None), None)
    for s in sizes:
        if s is not None and s != size:
            raise fail("SF132", "Dimensions {dim} and {dim} are not compatible", size, s)
    count = size if size is not None else flat[0].nrows() if isinstance(flat[0], RaggedTensor) else \
        flat[0].dense_shape[0] if isinstance(flat[0], framework_lib.SparseTensor) else tf.shape(flat[0])[0]
    # There is no first of no elements, yet TensorFlow's graph of the loop is made of one.
    firsts = [any_row(e) if isinstance(e, RaggedTensor) else
              _any_sparse_row(e) if isinstance(e, framework_lib.SparseTensor) else
              unknown(e.dtype, e.get_shape()[1:], None, [e]) if size == 0 else e[0] for e in flat]
    return nest.pack_sequence_as(elems, firsts) if nest.is_nested(elems) else firsts[0], count


def _any_sparse_row(sparse: Any) -> framework_lib.SparseTensor:
    """What a function gets of a sparse tensor: as many values as nobody knows, one axis less."""
    rank = sparse.shape.ndims
    indices = unknown("int64", [None, None if rank is None else rank - 1], None, [sparse.indices])
    row = framework_lib.SparseTensor(indices, unknown(sparse.dtype, [None], None, [sparse.values]),
                                     sparse.dense_shape[1:])
    row.set_shape(sparse.shape[1:])
    return row


def _each(first: object, parallel_iterations: object) -> Any:
    """In it what the loop does with each element is made once. Source: core/op/node.h."""
    tensors = [t for t in nest.flatten(first) if isinstance(t, _core.Tensor)]
    if _core.executing_eagerly() or not tensors or _core.node_key(tensors[0]) is None:
        return contextlib.nullcontext()
    parallel = parallel_iterations if type(parallel_iterations) is int and 0 < parallel_iterations < 1 << 20 \
        else _PARALLEL
    return tensors[0].graph._sf_each_step(tensors[0], parallel)


def _tensors(structure: object) -> Any:
    return nest.map_structure(framework_lib.convert_to_tensor, structure)


def _stacked(structure: object, count: object) -> Any:
    return nest.map_structure(lambda t: repeat(t, count), structure)


def map_fn(fn: Callable[..., object], elems: Any, dtype: object = None, parallel_iterations: object = None,
           back_prop: bool = True, swap_memory: bool = False, infer_shape: bool = True,
           name: Optional[str] = None, fn_output_signature: object = None) -> Any:
    if not callable(fn):
        raise TypeError("fn must be callable.")
    if isinstance(elems, framework_lib.SparseTensor) and names.emulated() < (2, 3):
        raise TypeError("To perform a map on the values of a sparse tensor use either  SparseTensor("
                        "input.indices, fn(input.values), input.dense_shape) or  SparseTensor("
                        "input.indices, map_fn(fn, input.values), input.dense_shape)")
    with framework_lib.name_scope(name, "map"):
        if hasattr(type(elems), "_sf_parts"):  # an ExtensionType: a row of each of its tensors
            rows, count = _elements(tuple(elems._sf_components()))
            first = elems._sf_of_components(list(rows))
        else:
            first, count = _elements(elems)
        with _each(first, parallel_iterations):
            result = fn(first)
        wanted = dtype if dtype is not None else fn_output_signature
        if isinstance(wanted, TypeSpec) and not isinstance(wanted, TensorSpec):
            return _of_spec(wanted, result, count)
        if any(is_unmodelled(item) and not isinstance(item, RaggedTensor)
               for item in nest.flatten([elems, wanted])):
            return Opaque("tf.map_fn()", [t for t in nest.flatten(result) if isinstance(t, _core.Tensor)])
        nest.assert_same_structure(wanted if wanted is not None else elems, result, check_types=False)
        result = _tensors(result)
        if wanted is None:
            wanted = nest.map_structure(lambda e: e.dtype, first)
        result = _check_dtypes(wanted, result)
        return _stacked(result, count)


def _of_spec(spec: object, result: object, count: object) -> Union[RaggedTensor, Opaque]:
    """Rows of a ragged or sparse spec, one below the other."""
    rows = count if isinstance(count, int) else known(framework_lib.convert_to_tensor(count))
    if not isinstance(spec, RaggedTensorSpec) or spec.shape.ndims is None:
        return Opaque("tf.map_fn()", [t for t in nest.flatten(result) if isinstance(t, _core.Tensor)])
    inputs = result._sf_inputs if isinstance(result, RaggedTensor) else [
                                             framework_lib.convert_to_tensor(result)]
    return RaggedTensor.made(spec.dtype, [rows, *spec.shape.as_list()], inputs, spec.ragged_rank + 1)


def _check_dtypes(wanted: object, result: object) -> Any:
    made: List[Any] = []
    for want, got in zip(nest.flatten(wanted), nest.flatten(result)):
        want = getattr(want, "dtype", want)
        got = as_dtype(got, want)
        made.append(got)
        if _core.as_dtype(want).base_dtype != got.dtype.base_dtype:
            raise fail("SF202", "TensorArray dtype is {dtype} but Op is trying to write dtype {dtype}.",
                       _core.as_dtype(want).name, got.dtype.name, error=TypeError)
    return nest.pack_sequence_as(result, made) if nest.is_nested(result) else made[0]


export("tf.map_fn", v2=True)(map_fn)


def _initial(initializer: object, first: object) -> Any:
    return first if initializer is None else _tensors(initializer)


def _step(fn: Callable[..., Any], start: Any, element: Any) -> Any:
    """One application, its structure and shapes checked against the accumulator's."""
    result = fn(start, element)
    nest.assert_same_structure(start, result, check_types=False)
    return _tensors(result)


def scan(fn: Callable[..., object], elems: object, initializer: object = None, parallel_iterations: int = 10,
         back_prop: bool = True, swap_memory: bool = False, infer_shape: bool = True,
         reverse: bool = False, name: Optional[str] = None) -> Any:
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with framework_lib.name_scope(name, "scan"):
        first, count = _elements(elems)
        start = _initial(initializer, first)
        with _each(first, parallel_iterations):
            result = _step(fn, start, first)
        if infer_shape:
            for a, r in zip(nest.flatten(start), nest.flatten(result)):
                if a.get_shape().is_compatible_with(r.get_shape()):
                    continue
                if _core.executing_eagerly():
                    said = "Incompatible shape for value ({shape}), expected ({shape})"
                    if _core.inside_function():
                        said = "Inconsistent shapes: saw {shape} but expected {shape}"
                    raise fail("SF132", said, r.get_shape(), a.get_shape())
                raise fail("SF132", "Input tensor '{name}' enters the loop with shape {shape}, but "
                           "has shape {shape} after one iteration. To allow the shape to vary across "
                           "iterations, use the `shape_invariants` argument of tf.while_loop to "
                           "specify a less-specific shape.", a.name, a.get_shape(), r.get_shape())
        return _stacked(result, count)


export("tf.scan", v2=True)(scan)


def foldl(fn: Callable[..., object], elems: object, initializer: object = None, parallel_iterations: int = 10,
          back_prop: bool = True, swap_memory: bool = False, name: Optional[str] = None) -> Any:
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with framework_lib.name_scope(name, "foldl"):
        first, _ = _elements(elems)
        start = _initial(initializer, first)
        with _each(first, parallel_iterations):
            return _step(fn, start, first)


export("tf.foldl", "tf.foldr", v2=True)(foldl)


@export("tf.vectorized_map", v2=True)
def vectorized_map(fn: Callable[..., object], elems: object, *args: object, **kwargs: object) -> Any:
    first, count = _elements(elems)
    return _stacked(_tensors(fn(first)), count)


# --- Python inside the graph -------------------------------------------------------------------------------
@export("tf.py_func", "tf.contrib.eager.py_func")
def py_func(func: object, inp: object, Tout: object, stateful: bool = True,
            name: Optional[str] = None) -> Any:
    """Called where the contents that it gets are known; else its results have only their dtypes."""
    return _py_func(func, inp, Tout, name, True)


def _py_func(func: object, inp: Any, Tout: object, name: Optional[str], of_arrays: bool) -> Any:
    inputs = [framework_lib.convert_to_tensor(i) for i in inp or ()]
    several = isinstance(Tout, (list, tuple))
    wanted = [_core.as_dtype(t) for t in (Tout if isinstance(Tout, (list, tuple)) else [Tout])]
    made: Optional[Sequence[object]] = None
    if callable(func) and _core.executing_eagerly() and all(hasattr(i, "numpy") for i in inputs):
        made = _called(func, inputs, wanted, of_arrays)
    if made is None:
        made = [unknown(t, None, name or "PyFunc", inputs, trusted=True) for t in wanted]
    if several:
        return made
    return made[0] if made else None


def _called(func: Callable[..., object], inputs: Sequence[_core.Tensor], wanted: Sequence[object],
            of_arrays: bool) -> Optional[Sequence[object]]:
    """What it gives for contents that are known; None: that is not known. In the body of a function it is
    called by each run, of which only the dtypes of its results are known."""
    if any(_core.constant_value(i) is None for i in inputs):
        return None  # it may do anything with numbers that nobody knows
    given: List[object] = [i.numpy() for i in inputs] if of_arrays else [*inputs]
    if _core.inside_function():
        function_trace.shows(lambda: (_results(func, given, wanted), None)[1])
        return None
    return _results(func, given, wanted)


def _results(func: Callable[..., object], given: Sequence[object],
             wanted: Sequence[object]) -> Optional[Sequence[object]]:
    """None: it failed, or gives something else."""
    with _core.mute():
        try:
            made = func(*given)
            results = list(made) if isinstance(made, (list, tuple)) and len(wanted) != 1 else [made]
            found = [framework_lib.convert_to_tensor(result) for result in results if wanted]
        except Exception:
            return None
    same = len(found) == len(wanted) and all(a.dtype.base_dtype == b for a, b in zip(found, wanted))
    return [unknown(a.dtype, a.get_shape()) for a in found] if same else None


def _called_or_decorates(own_name: str, func: object, inp: object, Tout: object, name: Optional[str]) -> Any:
    """The results of a call, or without a function a decorator. Source: script_ops.py."""
    of_arrays = own_name == "tf.numpy_function"
    if Tout is None:
        raise TypeError("Missing required argument: 'Tout'\n  If using %s as a decorator, set `Tout`\n"
                        "  **by name** above the function:\n  `@%s(Tout=tout)`" % (own_name, own_name))
    if func is None:
        if inp is not None:
            raise TypeError("Don't set the `inp` argument when using %s as a decorator (`func=None`)."
                            % own_name)
        return lambda function: functools.wraps(function)(
            lambda *args: _py_func(function, args, Tout, name, of_arrays))
    if inp is None:
        raise TypeError("Missing argument `inp`:\n  You must set the `inp` argument (the list of arguments "
                        "to the\n  function), unless you use `%s` as a decorator(`func=None`)."
                        % own_name)
    return _py_func(func, inp, Tout, name, of_arrays)


@export("tf.py_function", v2=True)
def py_function(func: object = None, inp: object = None, Tout: object = None,
                name: Optional[str] = None) -> Any:
    return _called_or_decorates("tf.py_function", func, inp, Tout, name)


@export("tf.numpy_function", v2=True)
def numpy_function(func: object = None, inp: object = None, Tout: object = None, stateful: bool = True,
                   name: Optional[str] = None) -> Any:
    return _called_or_decorates("tf.numpy_function", func, inp, Tout, name)


@export("tf.Print")
def Print(input_: object, data: Any, message: Optional[str] = None, first_n: object = None,
          summarize: object = None, name: Optional[str] = None) -> Any:
    input_ = framework_lib.convert_to_tensor(input_)
    data = [framework_lib.convert_to_tensor(d) for d in data]
    return op("Print", [input_, data], {"message": message or ""}, name)


@export("tf.print", v2=True)
def print_v2(*inputs: object, **kwargs: Any) -> Any:
    """Printing is an effect of the run; the inputs are what it depends on."""
    if _core.executing_eagerly():
        _print(inputs, kwargs.get("output_stream"))
        return None
    tensors = [i for i in nest.flatten(list(inputs)) if isinstance(
        i, (_core.Tensor, _core.VariableBase))]
    with framework_lib.control_dependencies([framework_lib.convert_to_tensor(t) for t in tensors]):
        return framework_lib.no_op(kwargs.get("name") or "PrintV2")


def _print(inputs: Sequence[object], where: object) -> None:
    """Shown by each run of a function, also by those in which Python sees nothing of its body."""
    text = " ".join(str(i.numpy() if hasattr(i, "numpy") else i) for i in inputs)
    of_logging = not isinstance(where, str) and hasattr(where, "__self__")  # tf.compat.v1.logging.info...

    def show() -> None:
        from shapeflow.tensorflow.python.eager.python_effects import stream

        if of_logging and callable(where):
            where(text)
        elif where is None or isinstance(where, str) or where is sys.stderr:
            print(text, file=stream("stderr"))
        else:
            print(text, file=stream("stdout"))

    function_trace.shows(show)


@export("tf.Assert", "tf.debugging.Assert", v2=True)
def Assert(condition: object, data: Any, summarize: object = None, name: Optional[str] = None) -> Any:
    condition = framework_lib.convert_to_tensor(condition, _core.as_dtype("bool"))
    data = [framework_lib.convert_to_tensor(d) for d in data]
    if _core.executing_eagerly():
        value = _core.constant_value(condition)
        if value is not None and not value.all():
            from shapeflow.tensorflow.python.framework.errors import InvalidArgumentError

            raise InvalidArgumentError(None, None, "Expected '%s' to be true. Summarized data: %s" % (
                condition, "\n".join(str(d.numpy()) for d in data)))
        return None
    if data:
        return _core.make_op("Assert", [condition, data], None, name or "Assert/Assert")
    with framework_lib.control_dependencies([condition]):
        return framework_lib.no_op(name or "Assert")


@export("tf.strings.format", v2=True)
def string_format(template: str, inputs: object, placeholder: str = "{}", summarize: int = 3,
                  name: Optional[str] = None) -> Any:
    """One string; `inputs` is a list, a tuple or a single tensor. Source: ops/string_ops.py."""
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if template.count(placeholder) != len(given):
        raise ValueError("%d placeholder(s) in template does not match %d tensor(s) provided as input"
                         % (template.count(placeholder), len(given)))
    return op("StringFormat", [[framework_lib.convert_to_tensor(i) for i in given]],
              {"template": template, "placeholder": placeholder, "summarize": summarize}, name)
