"""Errors of Keras about shapes, as findings.

Keras gives no other account of what it refuses than its text: it is read here, once, and by nobody else. An
error that nothing here knows is the program's own affair.
"""
from __future__ import annotations

from shapeflow.api.loaded_modules import loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable, List, Optional, Pattern, Sequence, Tuple

    from shapeflow.checker.findings import Argument

_SHAPE = r"(\([^()]*\)|\[[^\[\]]*\])"
# (code, what Keras says, what its groups are). The first that matches counts. The codes are of findings about
# shapes: no other is kept.
_ROWS: Sequence[Tuple[str, str, str]] = (
    ("SF102", r"expected ndim=(\d+), found ndim=(\d+)", "rank rank"),
    ("SF105", r"expected max_ndim=(\d+), found ndim=(\d+)", "rank rank"),
    ("SF103", r"expected min_ndim=(\d+), found ndim=(\d+)", "rank rank"),
    ("SF106", r"expected axis (-?\d+) of input shape to have value (\d+), but received input with shape "
     + _SHAPE, "axis dim shape"),
    ("SF106", "expected shape=" + _SHAPE + ", found shape=" + _SHAPE, "shape shape"),
    ("SF132", r"expects (\d+) (?:named )?input\(s\)[\s\S]*, but it received (\d+) input tensors",
     "count count"),
    ("SF110", "Computed output size would be (?:zero or )?negative", ""),
    ("SF101", "number of (?:input channels|filters) must be evenly divisible", ""),
    ("SF101", r"Number of groups \(\d+\) (?:cannot be more than|must be a multiple of) the number of "
     "channels", ""),
    ("SF101", r"(?i)(?:number of channels|size on given `axis`|axis size|height|width)(?: \(\d+\))? "
     "must be divisible by", ""),
    ("SF101", "channels of the inputs? (?:must|should) be", ""),
    ("SF104", r"total size of the (?:tensor|array) must be unchanged[^:]*Received: input_shape=" + _SHAPE +
     ", target_shape=" + _SHAPE, "shape shape"),
    ("SF122", "`cropping` parameter of `Cropping", ""),
    ("SF108", r"Arguments `target` and `output` must have the same shape[^:]*: target\.shape=" + _SHAPE +
     r", output\.shape=" + _SHAPE, "shape shape"),
    ("SF108", r"must have (?:the same )?(?:shape|rank).*Received: target\.shape=" + _SHAPE +
     r", output\.shape=" + _SHAPE, "shape shape"),
    ("SF107", "Inputs have incompatible shapes. Received shapes " + _SHAPE + " and " + _SHAPE, "shape shape"),
    ("SF107", r"Cannot broadcast shape, .*Input shapes are: " + _SHAPE + " and " + _SHAPE, "shape shape"),
    ("SF114", "Inner dimensions .*must be equal, but received .*=" + _SHAPE + "`? and .*=" + _SHAPE,
     "shape shape"),
    ("SF108", r"must have the same shape except on the `axis` dim\. But found element of shape " + _SHAPE +
     ", which is different from the first element's shape " + _SHAPE, "shape shape"),
    ("SF108", "A `Concatenate` layer requires inputs with matching (?:shapes|ranks)", ""),
    ("SF132", "A merge layer should be called on", ""),
    ("SF132", r"A `\w+` layer should be called on", ""),
    ("SF132", r"`TimeDistributed` Layer should be passed an `input_shape` with at least", ""),
    ("SF132", r"Invalid input shape for input [\s\S]*Expected shape " + _SHAPE +
     ", but input has incompatible shape " + _SHAPE, "shape shape"),
    ("SF132", r"Data cardinality is ambiguous[\s\S]*'x' sizes: (\d+)[\s\S]*'y' sizes: (\d+)", "dim dim"),
    ("SF132", "Data cardinality is ambiguous", ""),
    ("SF132", "^Shapes used to initialize variables must be fully-defined", ""),
    ("SF204", "weight shape " + _SHAPE + " is not compatible with provided weight shape " + _SHAPE,
     "shape shape"),
    ("SF125", r"target value in `variable\.assign.* variable\.shape=" + _SHAPE + r", Received: value\.shape="
     + _SHAPE, "shape shape"),
    ("SF106", r"batch size of the input sequences must be the same[\s\S]*Expected batch size: (\d+)\D+(\d+)",
     "dim dim"),
    ("SF106", "All dimensions of `value` and `key`, except the last one, must be equal", ""),
    ("SF107", "All `HashedCrossing` inputs should have equal shape", ""),
    ("SF117", "which is outside the valid range of", ""),
    ("SF132", "All `axis` values to be kept must have a known shape", ""),
    ("SF107", "could not be broadcast together with shapes " + _SHAPE + " " + _SHAPE, "shape shape"),
    ("SF132", r"Input size must be at least \d+x\d+", ""),
    ("SF132", "The input must have (?:3|1 or 3) channels", ""),
    ("SF132", r"(?i)\b(?:incompatible|mismatch\w*|unmatched|inconsistent)\b[^.]*"
     r"\b(?:shapes?|dimensions?|ranks?)\b", ""),
    ("SF132", r"(?i)\b(?:shapes?|dimensions?|ranks?|ndim)\b[^.]*"
     r"\b(?:incompatible|mismatch\w*|not match|not compatible|must match|must be equal|same)\b", ""),
    # What is asked of a tensor, and the shape or rank that it has.
    ("SF132", r"(?i)\b(?:must|should|expect(?:s|ed)|requires?|needs?|only (?:supports?|works|be)|cannot|"
     r"invalid|out of bounds|not have enough|resulted in an empty)\b[\s\S]*"
     r"(?:\bshapes?\b(?:[ :=`]|is|of|with|and|at|each|has|receive\w*|\w+\.shape)*" + _SHAPE +
     r"|\b(?:rank|dimensions?)\b(?:[ :]|of|must|be)*[<>=]*\s*\d)", ""),
)
# What says what an argument is to be, not what a tensor is.
_ARGUMENTS = ("must be a tuple of", "data_format", "is symbolic", "to a shape.",
              "direct tensor as initializer")
# What Keras says of a size that it must know: in eager code it is None only where nobody knows it.
_DEFINED = ("should be defined", "fully-defined", "fully defined", "statically", "static", "Cannot infer",
            "cannot contain `None`", "undefined", "concrete",
            "'NoneType' and 'int'", "'int' and 'NoneType'")  # what Python says: `channels % groups`
# What Keras says of shapes that are unknown: nobody knows whether the program is wrong.
_UNKNOWN = ("as_list() is not defined on an unknown TensorShape", "shape with unknown rank",
            "statically known rank", "Undefined shapes are not supported",
            "Cannot iterate over a shape with unknown rank",
            "Cannot take the length of shape with unknown rank",
            "unknown_", "<unknown ")  # what stands for data, as a text
_KERAS = ("keras", "tf_keras")
_VARIABLES = "keras.src.backend.common.variables"
_FUNCTIONAL = "keras.src.models.functional"
_LAYER = "keras.src.layers.layer"
_compiled: List[Tuple[str, Pattern[str], List[str]]] = []


class Refusal:
    """What Keras refused: the code, its text without what was added on its way, the facts in it."""

    def __init__(self, code: str, message: str, arguments: List[Argument], axis: Optional[int]) -> None:
        self.code, self.message, self.arguments, self.axis = code, message, arguments, axis


def original(error: BaseException) -> BaseException:
    """The error as it was raised: Keras tells it again with the arguments of the call."""
    return _told(error)[-1]


def _told(error: BaseException) -> List[BaseException]:
    """The error, and each that it tells again."""
    found = [error]
    while found[-1].__context__ is not None and (
            str(found[-1]).startswith("Exception encountered when calling") or
            "could not automatically infer the" in str(found[-1])):
        found.append(found[-1].__context__)
    return found


def passed_frames(error: BaseException, script: str) -> List[Tuple[object, ...]]:
    """The program's own frames that the error came through before it was caught, innermost first."""
    from shapeflow.checker.script_failures import user_frames

    return [(frame.path, frame.line, frame.column, frame.end_line, frame.end_column, frame.function)
            for one in reversed(_told(error)) for frame in user_frames(one.__traceback__, script)]


def is_about_unknown(error: BaseException) -> bool:
    """Did Keras need a shape that is not known? A size of which it says so may come of a value that nobody
    knows, as in `x[:, :n]`."""
    text = str(original(error))
    return any(said in text for said in _UNKNOWN) or has_unknown_values() and any(
        said in text for said in _DEFINED)


def has_unknown_values() -> bool:
    """Does the program lack packages or data?"""
    return loaded("shapeflow.api.unknown_package") is not None


def refusal(error: BaseException) -> Optional[Refusal]:
    """What the error says of shapes; None: nothing, or not Keras said it."""
    if not isinstance(error, (ValueError, TypeError, IndexError)):
        return None
    error = original(error)
    text = str(error)
    if any(said in text for said in _ARGUMENTS) or is_about_unknown(error) or not _is_raised_by_keras(error):
        return None
    if isinstance(error, IndexError) and text == "tuple index out of range" and _indexes_a_shape(error):
        return Refusal("SF117", "The shape of what it was given has no such axis", [], None)
    if any(said in text for said in _DEFINED) and not _is_symbolic(error):
        return None
    if not _compiled:
        import re

        _compiled.extend((code, re.compile(pattern), kinds.split()) for code, pattern, kinds in _ROWS)
    for code, pattern, kinds in _compiled:
        found = pattern.search(text)
        if found is not None:
            arguments = [(kind, _value(kind, group)) for kind, group in zip(kinds, found.groups())]
            axis = next((int(value) for kind, value in arguments if kind == "axis"), None)
            if axis is None:
                axis = _differing([value for kind, value in arguments if kind == "shape"])
            return Refusal(code, text, arguments, axis)
    return None


def _differing(shapes: Sequence[str]) -> Optional[int]:
    """The one axis in which two shapes of the same rank differ."""
    dims = [shape[1:-1].split(", ") for shape in shapes]
    if len(dims) != 2 or len(dims[0]) != len(dims[1]):
        return None
    found = [axis for axis, pair in enumerate(zip(*dims)) if "?" not in pair and pair[0] != pair[1]]
    return found[0] if len(found) == 1 else None


def _is_raised_by_keras(error: BaseException) -> bool:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and \
        str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0] in _KERAS


def _indexes_a_shape(error: BaseException) -> bool:
    """Does Keras take an axis of a shape where it fails?"""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and any(
        name.endswith("shape") and isinstance(value, (tuple, list))
        for name, value in trace.tb_frame.f_locals.items())


def _is_symbolic(error: BaseException) -> bool:
    """Was a layer called with inputs of a model, whose sizes are None where the program says so?"""
    trace = error.__traceback__
    while trace is not None:
        own = trace.tb_frame.f_locals
        if trace.tb_frame.f_code.co_name == "__call__" and any(
                type(one).__name__ == "KerasTensor" for one in own.get("args", ())):
            return True
        trace = trace.tb_next
    return False


def _value(kind: str, text: str) -> Any:
    if kind != "shape":
        return int(text)
    dims = [dim.strip() for dim in text[1:-1].split(",") if dim.strip()]
    return "[%s]" % ", ".join("?" if dim == "None" else dim for dim in dims)


def compared(error: BaseException) -> List[Tuple[str, object]]:
    """What a loss or a metric compared when it failed: (name, tensor) each."""
    from shapeflow import _core

    found: List[Tuple[str, Any]] = []
    at: Optional[BaseException] = error
    while at is not None:
        trace = at.__traceback__
        while trace is not None:
            own = trace.tb_frame.f_locals
            pairs = [(name, own.get(name)) for name in ("y_true", "y_pred")]
            if all(isinstance(value, _core.Tensor) for _, value in pairs):
                found = pairs
            trace = trace.tb_next
        at = at.__context__
    return found


def assigned(error: BaseException, tensor_of: Callable[[object], object]) -> List[Tuple[str, object]]:
    """A variable and what was to be written to it."""
    frame = _frame_in(error, "assign")
    if frame is not None and frame.f_globals.get("__name__") != _VARIABLES:
        frame = None
    value = frame.f_locals.get("value") if frame is not None else None
    variable = frame.f_locals.get("self") if frame is not None else None
    found = [("variable", getattr(variable, "_value", None)), ("value", tensor_of(value))]
    return [pair for pair in found if pair[1] is not None]


def refused_input(error: BaseException, tensor_of: Callable[[object], object]) -> List[Tuple[str, object]]:
    """What a layer refused, and for a model its own input, which says what it wants."""
    frame = _frame_in(error, "assert_input_compatibility")
    if frame is None:
        return []
    given = frame.f_locals.get("inputs")
    found = [("inputs", tensor_of(one)) for one in (given if isinstance(given, (list, tuple)) else [given])]
    found = [pair for pair in found if pair[1] is not None]
    outer = frame.f_back
    layer = outer.f_locals.get("self") if outer is not None else None
    if len(found) == 1 and layer is not None:
        found += _wanting(layer, tensor_of)
    return found


def refusing_layer(error: BaseException, called: object, tensor_of: Callable[[object], object]
                   ) -> List[Tuple[str, object]]:
    """What the layer that failed was given, where that is a layer within the one that was called."""
    inner: Optional[FrameType] = None
    at: Optional[BaseException] = error
    while at is not None and inner is None:  # the known part of a step fails after the step has
        trace = at.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_name == "__call__" and trace.tb_frame.f_globals.get("__name__") == _LAYER:
                inner = trace.tb_frame
            trace = trace.tb_next
        at = at.__context__
    if inner is None:
        return []
    layer, given = inner.f_locals.get("self"), inner.f_locals.get("args", ())
    if layer is None or layer is called or len(given) != 1:
        return []
    several = given[0] if isinstance(given[0], (list, tuple)) else given
    tensors = [tensor_of(one) for one in several]
    what = f"inputs of layer '{layer.name}'"
    return [(what if len(tensors) == 1 else f"{what}[{i}]", one) for i, one in enumerate(tensors)
            if one is not None]


def given_otherwise(error: BaseException, tensor_of: Callable[[object], object]
                    ) -> List[Tuple[str, object, Optional[int]]]:
    """What the model was given and its input, with the axis that has another size, or of another rank: some
    layer further on has refused what came of it."""
    model: Any = None
    given: Any = []
    at: Optional[BaseException] = error
    while at is not None:
        trace = at.__traceback__
        while trace is not None:
            frame = trace.tb_frame
            if frame.f_code.co_name == "call" and frame.f_globals.get("__name__") == _FUNCTIONAL:
                model, given = frame.f_locals.get("self"), frame.f_locals.get("inputs")
                break
            trace = trace.tb_next
        at = at.__context__
    flat = [given[name] for name in sorted(given)] if isinstance(given, dict) else \
        given if isinstance(given, (list, tuple)) else [given]
    for own, one in zip(getattr(model, "_inputs", None) or (), flat):
        a, b = getattr(own, "shape", None), getattr(one, "shape", None)
        a, b = (None if shape is None or getattr(shape, "rank", 0) is None else list(shape)
                for shape in (a, b))
        if a is None or b is None:
            continue
        differ = [axis for axis, (x, y) in enumerate(zip(a, b)) if axis and None not in (x, y) and x != y]
        if len(a) == len(b) and not differ:
            continue
        axis = differ[0] if len(a) == len(b) else None
        found = [("given", tensor_of(one), axis),
                 (str(own._keras_history.operation.name), tensor_of(own), axis)]
        return found if all(tensor is not None for _, tensor, _ in found) else []
    return []


def _wanting(layer: object, tensor_of: Callable[[object], object]) -> List[Tuple[str, object]]:
    own = [one for one in getattr(layer, "_inputs", None) or () if one is not None]
    if len(own) == 1:
        history = getattr(own[0], "_keras_history", None)
        return [(str((own[0] if history is None else history.operation).name), tensor_of(own[0]))]
    return []


def _frame_in(error: Optional[BaseException], function: str) -> Optional[FrameType]:
    """That of the innermost call of a function of Keras among those that the error passed."""
    found: Optional[FrameType] = None
    while error is not None:
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_name == function:
                found = trace.tb_frame
            trace = trace.tb_next
        error = error.__context__
    return found
