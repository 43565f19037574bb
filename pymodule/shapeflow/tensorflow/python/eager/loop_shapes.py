"""Loops in the bodies of tf.functions: TensorFlow has a graph of one turn, so that what a turn takes over
from the one before keeps its static shape.

A body runs here on what is known, which may be more than its graph knows: a size that comes from the content
of a tensor is none there. So a variable of a loop that changed its shape is only a suspect. The function is
then made into a graph, of what the kinds of its arguments say; where the graph has the same change, the body
runs once more, and fails where it is made. What the graph cannot be made of is no error.
Source: tensorflow/python/autograph/operators/control_flow.py, tensorflow/python/ops/while_v2.py.
"""
from __future__ import annotations

import sys
from _weakrefset import WeakSet

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.data.traced_function import FunctionGraph, Input, Undecided, placeholder
from shapeflow.tensorflow.python.eager import function_body, function_trace
from shapeflow.tensorflow.python.eager.python_effects import FirstRun
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import unknown
from shapeflow.tensorflow.python.framework.type_spec import TensorSpec
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Callable, Collection, Dict, List, Mapping, Optional, Sequence, Set, Tuple

    Key = Tuple[str, int, object]  # file, line, and which variable
    Asked = Tuple[object, Callable[[], bool]]

_LOOKS = 3  # graphs that are made for one suspect, which fits in all of them
_certain: Set[Key] = set()  # they fail where they are met
_sketches: List[Sketch] = []  # that are being made
_varied: WeakSet[CodeType] = WeakSet()  # whose loops say which shapes they have
_AUTOGRAPH = ("'{text}' has shape {shape} before the loop, but shape {shape} after one iteration. Use "
              "tf.autograph.experimental.set_loop_options to set shape invariants.")
_WHILE = ("Input tensor `loop_vars[{int}]` enters the loop with shape {shape}, but has shape {shape} after "
          "one iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument "
          "of tf.while_loop to specify a less-specific shape.")


class _Varies(BaseException):
    """The graph has the change."""

    def __init__(self, key: Key) -> None:
        super().__init__()
        self.key = key


def _differ(before: _core.TensorShape, after: _core.TensorShape) -> bool:
    """Is there an axis whose sizes are known, and differ?"""
    if before.ndims is None or after.ndims is None:
        return False
    return before.ndims != after.ndims or any(
        a is not None and b is not None and a != b for a, b in zip(before.as_list(), after.as_list()))


def _tensors(frame: FrameType) -> Dict[str, _core.Tensor]:
    return {name: value for name, value in frame.f_locals.items() if isinstance(value, _core.Tensor)}


# --- the body runs ----------------------------------------------------------------------------------
def begins(names: Callable[[], Collection[str]], own: Collection[int], iterable: object,
           frame: FrameType) -> Optional[Asked]:
    """A loop of the user's begins in a body. `names`: the variables that its source takes over from turn to
    turn; `own`: the conditions of a while loop. Gives what is iterated over, if not that, and what to call at
    the head of each turn until it gives False."""
    if _sketches:
        return _sketches[-1].begins(names, iterable, frame)
    body = function_body.outermost()
    if body is None or not body.is_converted or _is_in_package(frame):
        return None
    before = {name: tensor.shape for name, tensor in _tensors(frame).items()}
    turns = 0

    def head() -> bool:
        nonlocal turns
        turns += 1
        if turns == 1:
            return True
        frame = sys._getframe(1)
        if frame.f_code in _varied or iterable is None and not any(map(_core.branch_of_tensor, own)):
            return False
        found = {name: tensor for name, tensor in _tensors(frame).items()
                 if name in before and _differ(before[name], tensor.shape)}
        for name in names() if found else ():
            if name in found:
                _suspect((frame.f_code.co_filename, frame.f_code.co_firstlineno, name), found[name],
                         _AUTOGRAPH, name, before[name], found[name].shape)
        return False

    return (None, head) if before else None


def _is_in_package(frame: Optional[FrameType]) -> bool:
    """Is the loop reached through a package? Some of them are not converted."""
    while frame is not None:
        path = frame.f_code.co_filename
        if ("site-packages" in path or "dist-packages" in path) and not function_body.is_ours(path):
            return True
        frame = frame.f_back
    return False


def while_turn(loop_vars: object, values: object) -> None:
    """A tf.while_loop in a body has made one turn, which its shape_invariants do not speak of."""
    if function_body.outermost() is None:
        return
    entered, left = nest.flatten(loop_vars), nest.flatten(values)
    for number, (before, after) in enumerate(zip(entered, left)):
        if isinstance(before, _core.Tensor) and isinstance(after, _core.Tensor) and \
                _differ(before.shape, after.shape):
            _suspect(_while_key(number), after, _WHILE, number, before.shape, after.shape)


def _while_key(number: int) -> Key:
    path, line = _core.user_frames()[0][:2]
    return path, line, number


def _suspect(key: Key, after: object, text: str, *args: object) -> None:
    body = function_body.outermost()
    if key in _certain:
        raise fail("SF132", text, *args)
    if body is not None and not _core.is_unmodelled(after):
        body.suspects.add(key)


@export("tf.autograph.experimental.set_loop_options", v2=True)
def set_loop_options(parallel_iterations: object = None, swap_memory: object = None,
                     maximum_iterations: object = None, shape_invariants: object = None,
                     **kwargs: object) -> None:
    """Which shapes there may be. What else a loop in a graph would want changes nothing."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None and function_body.is_ours(frame.f_code.co_filename):
        frame = frame.f_back  # what checks the arguments
    if shape_invariants is not None and frame is not None:
        _varied.add(frame.f_code)


# --- a graph of it ----------------------------------------------------------------------------------
def look_again(function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object],
               specs: Sequence[object], suspects: Collection[Key], looks: Dict[Key, int]) -> None:
    """Raises what TensorFlow does where one of them varies in the graph, too. `specs`: the signature;
    `looks`: how often each of the function's was looked for."""
    wanted = {key for key in suspects if looks.get(key, 0) < _LOOKS}
    for key in wanted:
        looks[key] = looks.get(key, 0) + 1
    found = _found_in_graph(function, args, kwargs, specs, wanted) if wanted else None
    if found is None:
        return
    _certain.add(found)
    try:
        with function_body.running(function), function_trace.anew():
            FirstRun(function).again(lambda: function(*args, **kwargs), (args, kwargs))
    finally:
        _certain.discard(found)


def _found_in_graph(function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object],
                    specs: Sequence[object], wanted: Collection[Key]) -> Optional[Key]:
    sketch, run = Sketch(wanted), function_trace.Trace()
    try:
        with sketch.as_default(), _core.mute(), function_trace.recorded(run):
            _sketches.append(sketch)
            try:
                given = _arguments(args, kwargs, specs)
                FirstRun(function).again(lambda: function(*given[0], **given[1]), (args, kwargs))
            finally:
                _sketches.pop()
                run.undo()
    except _Varies as found:
        return found.key
    except (Undecided, Exception):
        pass  # it is not known how TensorFlow would make the graph
    return None


def _arguments(args: Sequence[object], kwargs: Mapping[str, object],
               specs: Sequence[object]) -> Tuple[Sequence[object], Mapping[str, object]]:
    """Placeholders for tensors and arrays, of the shapes that the signature says, if there is one."""
    wanted = iter(nest.flatten(specs))

    def one(value: object) -> object:
        spec = next(wanted, None)
        if isinstance(value, _core.Tensor) or type(value).__module__ == "numpy" and hasattr(value, "shape"):
            shape = spec.shape if isinstance(spec, TensorSpec) else value.shape
            dtype = _core.as_dtype(getattr(value, "dtype", None)).base_dtype
            return placeholder(dtype, shape, "arg", Input())
        if hasattr(value, "_sf_parts") or hasattr(value, "_sf_inputs") or hasattr(value, "dense_shape") or \
                hasattr(type(value), "__next__"):
            raise Undecided
        return value

    return nest.map_structure(one, (args, kwargs))


def while_varies(number: int, entering: _core.Tensor, before: _core.TensorShape,
                 after: _core.TensorShape) -> None:
    """A tf.while_loop in a graph has a variable of another shape after one turn."""
    if _sketches:
        _sketches[-1].varies(_while_key(number), entering, before, after)


class Sketch(FunctionGraph):
    """The graph of a function, of which no more is known than TensorFlow knows."""

    def __init__(self, wanted: Collection[Key]) -> None:
        super().__init__()
        self._wanted = wanted
        # Frame, turn and line of the test that comes next.
        self._awaited: Optional[Tuple[FrameType, int, int]] = None
        self._sf_branch = self._decide

    def capture(self, tensor: _core.Tensor, name: Optional[str] = None) -> object:
        """No content: it may be that of a variable."""
        found = self.captured.get(id(tensor))
        if found is None:
            with self.as_default(), self.control_dependencies(None):
                inside = unknown(None if _core.is_unmodelled(tensor, True) else tensor.dtype.base_dtype,
                                 tensor.get_shape()) if _core.is_unmodelled(tensor) else placeholder(
                    tensor.dtype.base_dtype, tensor.get_shape(), "Placeholder", Input())
            found = self.captured[id(tensor)] = tensor, inside, None
        return found[1]

    def _sf_seal(self, made: object) -> object:
        """What a function in the function gives: the graph around it knows the shapes, not the contents."""
        return nest.map_structure(
            lambda value: placeholder(value.dtype.base_dtype, value.shape, "called", Input())
            if isinstance(value, _core.Tensor) else value, made)

    def _decide(self, tensor: object) -> bool:
        """The test of a while loop: one turn is made. Both ways of other conditions are in the graph."""
        awaited, self._awaited = self._awaited, None
        frame = sys._getframe(1)
        if awaited is None or awaited[0] is not frame or frame.f_lineno != awaited[2]:
            raise Undecided
        return awaited[1] == 1

    def begins(self, names: Callable[[], Collection[str]], iterable: object, frame: FrameType) -> Asked:
        before, turns, line = _tensors(frame), 0, frame.f_lineno
        items = iter([self._row(iterable)]) if isinstance(iterable, _core.Tensor) else None

        def head() -> bool:
            nonlocal turns
            turns += 1
            here = sys._getframe(1)
            is_of_tensor = iterable is not None or turns == 2 and self._awaited is None
            if turns == 2 and is_of_tensor:
                self._compare(names(), before, here)
            self._awaited = (here, turns, line) if iterable is None and (turns == 1 or is_of_tensor) else None
            return turns == 1

        return items, head

    def _row(self, iterable: _core.Tensor) -> object:
        shape = None if iterable.shape.ndims is None else iterable.shape.as_list()[1:]
        return placeholder(iterable.dtype.base_dtype, shape, "row", Input())

    def _compare(self, names: Collection[str], before: Mapping[str, _core.Tensor], frame: FrameType) -> None:
        now = _tensors(frame)
        for name in sorted(before.keys() & now.keys(), key=lambda name: name not in names):
            key = frame.f_code.co_filename, frame.f_code.co_firstlineno, name if name in names else None
            self.varies(key, before[name], before[name].shape, now[name].shape)

    def varies(self, key: Key, entering: _core.Tensor, before: _core.TensorShape,
               after: _core.TensorShape) -> None:
        if _differ(before, after) and key in self._wanted and _is_known_in_graphs(entering):
            raise _Varies(key)
        if before.ndims != after.ndims or before.ndims and before.as_list() != after.as_list():
            raise Undecided  # TensorFlow's variable has the first shape from here on


def _is_known_in_graphs(tensor: _core.Tensor) -> bool:
    """Is its shape that of TensorFlow's own shape functions, all the way?"""
    seen, waiting = set(), [tensor.op]
    while waiting:
        op = waiting.pop()
        if op.name in seen:
            continue
        seen.add(op.name)
        if op.type.startswith(("Sf", "TensorArray", "TensorList")):
            return False
        waiting.extend(source.op for source in op.inputs)
    return True
