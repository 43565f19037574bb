"""What a concrete function says of its arguments: names and kinds, as text, and how a call binds to them.

Source: tensorflow/core/function/polymorphism/{function_type,function_type_utils}.py,
tensorflow/core/function/trace_type.
"""

from __future__ import annotations

import re
import weakref
from inspect import Parameter, Signature, signature
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from shapeflow import _core
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.type_spec import TensorSpec, TypeSpec
from shapeflow.tensorflow.python.util import nest

_PLAIN = (int, float, bool, str, bytes, complex, type(None))
_PLACED = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class Text:
    """An annotation that is shown as it is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


_DEFAULT = Text("<captured_default_value>")


def kind_text(given: object) -> str:
    """As TensorFlow's TraceTypes show themselves."""
    if isinstance(given, TypeSpec):
        return repr(given)
    if isinstance(given, _core.VariableBase):
        variable: Any = given
        return "VariableSpec(shape=%s, dtype=%r, trainable=%r, alias_id=0)" % (
            variable.shape,
            variable.dtype,
            getattr(variable, "trainable", True),
        )
    if isinstance(given, _core.Tensor):
        return repr(TensorSpec(given.shape, given.dtype.base_dtype))
    if isinstance(given, Mapping):
        return "Dict[%s]" % ", ".join("[%r, %s]" % (key, kind_text(given[key])) for key in given)
    if isinstance(given, (list, tuple)):
        return "%s[%s]" % ("List" if isinstance(given, list) else "Tuple", ", ".join(map(kind_text, given)))
    if isinstance(given, _PLAIN):
        return "Literal[%r]" % (given,)
    spec = getattr(given, "_type_spec", None)
    if isinstance(spec, TypeSpec):
        return repr(spec)
    try:
        return "Weakref[%r])" % weakref.ref(given)
    except TypeError:
        return "Literal[%r]" % (given,)


class Named(NamedTuple):
    """One parameter of a concrete function."""

    name: str
    kind: Any  # of inspect
    value: object  # specs, and what is no tensor by itself


def signature_of(function: Any) -> Optional[Signature]:
    try:
        return signature(function)
    except (TypeError, ValueError):
        return None


def parameters(
    function: object, args: Sequence[object], kwargs: Mapping[str, object]
) -> Optional[List[Named]]:
    """Each with what was given for it, or its default; None where Python does not say what it takes."""
    found = signature_of(function)
    if found is None:
        return None
    try:
        bound = found.bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    made: List[Named] = []
    takes_more = any(one.kind is Parameter.VAR_POSITIONAL for one in found.parameters.values())
    for name, value in bound.arguments.items():
        kind = found.parameters[name].kind
        if kind is Parameter.VAR_POSITIONAL:
            made += [
                Named("%s_%d" % (name, i), Parameter.POSITIONAL_ONLY, item) for i, item in enumerate(value)
            ]
        elif kind is Parameter.VAR_KEYWORD:
            made += [Named(key, Parameter.KEYWORD_ONLY, item) for key, item in value.items()]
        else:
            if takes_more and kind is Parameter.POSITIONAL_OR_KEYWORD:
                kind = Parameter.POSITIONAL_ONLY
            made.append(Named(name, kind, value))
    return made


class FunctionType(Signature):
    """The parameters with their kinds, and the kind of what is returned."""

    def __init__(self, named: Sequence[Named], returns: str, captures: Mapping[int, TensorSpec]) -> None:
        made = [Parameter(one.name, one.kind, annotation=Text(kind_text(one.value))) for one in named]
        super().__init__(made, return_annotation=Text(returns))
        self._captures = captures

    captures = property(lambda self: self._captures)

    def __repr__(self) -> str:
        lines = ["Input Parameters:"]
        lines += [
            "  %s (%s): %r" % (one.name, one.kind.name, one.annotation) for one in self.parameters.values()
        ]
        lines += ["Output Type:", "  %r" % self.return_annotation, "Captures:"]
        lines += ["  %d: %r" % pair for pair in self._captures.items()] or ["  None"]
        return "\n".join(lines)


def named_specs(named: Sequence[Named]) -> Tuple[Tuple[object, ...], Dict[str, object]]:
    """(those that have a place, those that have a name), each spec with its placeholder's name."""
    placed = tuple(_with_names(one.value, one.name) for one in named if one.kind in _PLACED)
    return placed, {one.name: _with_names(one.value, one.name) for one in named if one.kind not in _PLACED}


def placed(named: Sequence[Named]) -> Tuple[Tuple[object, ...], Dict[str, object]]:
    """(what has a place, what has a name), to call the function with."""
    return (
        tuple(one.value for one in named if one.kind in _PLACED),
        {one.name: one.value for one in named if one.kind not in _PLACED},
    )


def _with_names(given: Any, path: str) -> object:
    if type(given) is TensorSpec:
        return given if given.name else TensorSpec(given.shape, given.dtype, re.sub(r"\W", "_", path))
    if type(given) in (list, tuple):
        return type(given)(_with_names(item, "%s_%d" % (path, i)) for i, item in enumerate(given))
    if type(given) is dict:
        return {key: _with_names(item, "%s_%s" % (path, key)) for key, item in given.items()}
    return given


# --- a call ------------------------------------------------------------------------------------------
def refused(why: object, args: Sequence[object], kwargs: Mapping[str, object], takes: object) -> str:
    return (
        "Binding inputs to tf.function failed due to `%s`. Received args: %s and kwargs: %s for signature: "
        "%s." % (why, tuple(args), dict(kwargs), takes)
    )


def why_not(
    function: object,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    specs: Optional[Sequence[object]] = None,
) -> Optional[TypeError]:
    """What TensorFlow says of arguments that the function does not take; None where it takes them."""
    found = signature_of(function)
    if found is None:
        return None
    try:
        found.bind(*args, **kwargs)
        return None
    except TypeError as error:
        kinds = {} if specs is None else dict(zip(found.parameters, specs))
        takes = found.replace(
            return_annotation=Signature.empty,
            parameters=[
                one.replace(
                    default=one.default if one.default is Parameter.empty else _DEFAULT,
                    annotation=Text(kind_text(kinds[one.name])) if one.name in kinds else Parameter.empty,
                )
                for one in found.parameters.values()
            ],
        )
        return TypeError(refused(error, args, kwargs, takes))


class Flat(NamedTuple):
    """A tensor among the arguments of a concrete function, in the order of its inputs."""

    spec: TensorSpec
    keyword: str


def flat_inputs(named: Sequence[Named]) -> Optional[List[Flat]]:
    """None: there are others than plain tensors."""
    found: List[Flat] = []
    for one in named:
        for leaf in nest.flatten(one.value):
            if (
                isinstance(leaf, _core.VariableBase)
                or isinstance(leaf, TypeSpec)
                and type(leaf) is not TensorSpec
            ):
                return None
            if type(leaf) is TensorSpec:
                found.append(Flat(leaf, leaf.name or one.name))
    return found


def bound(
    named: Sequence[Named],
    takes: Callable[[], object],
    name: str,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> List[Named]:
    """The parameters with what a call gives for them: by its structure, or tensor by tensor. `takes`: the
    signature, for what is refused."""
    try:
        given = Signature([Parameter(one.name, one.kind) for one in named]).bind(*args, **kwargs).arguments
        return [Named(one.name, one.kind, _cast(one.value, given[one.name])) for one in named]
    except TypeError as error:
        flat = flat_inputs(named)
        why = "it takes other than tensors" if flat is None else _mismatch(flat, args, kwargs)
        if flat is None or why is not None:
            raise TypeError(
                refused(error, args, kwargs, takes()) + "\nFallback to flat signature also failed due "
                "to: %s(%s)%s." % (name, ", ".join(one.keyword for one in flat or ()), why)
            ) from None
        tensors = iter([*args, *(kwargs[one.keyword] for one in flat[len(args) :])])
        return [
            Named(
                one.name,
                one.kind,
                nest.map_structure(
                    lambda leaf: next(tensors) if isinstance(leaf, TypeSpec) else leaf, one.value
                ),
            )
            for one in named
        ]


def _mismatch(flat: Sequence[Flat], args: Sequence[object], kwargs: Mapping[str, object]) -> Optional[str]:
    if len(args) > len(flat):
        return " takes %d positional arguments, got %d" % (len(flat), len(args))
    for number, given in enumerate(args):
        if not isinstance(given, (_core.Tensor, _core.VariableBase)) and not hasattr(
            type(given), "__array__"
        ):
            return ": expected argument #%d(zero-based) to be a Tensor; got %s (%s)" % (
                number,
                type(given).__name__,
                given,
            )
    missing = [one.keyword for one in flat[len(args) :] if one.keyword not in kwargs]
    if missing:
        return " missing required arguments: %s" % ", ".join(missing)
    extra = [key for key in kwargs if key not in {one.keyword for one in flat[len(args) :]}]
    return " got unexpected keyword arguments: %s" % ", ".join(sorted(extra)) if extra else None


def _cast(spec: object, given: object) -> object:
    """What was given, in the structure that the function was traced with."""

    def one(leaf: object, value: object) -> object:
        if type(leaf) is not TensorSpec:
            if isinstance(leaf, _PLAIN) and type(value) is type(leaf) and value != leaf:
                raise TypeError("Can not cast %r to Literal[%r]" % (value, leaf))
            return leaf if isinstance(leaf, _PLAIN) else value
        if isinstance(value, (_core.Tensor, _core.VariableBase)) or _core.is_unmodelled(value):
            return value
        if (
            isinstance(value, (*_PLAIN, list, tuple))
            and value is not None
            or type(value).__module__ == "numpy"
        ):
            return framework_lib.convert_to_tensor(value, leaf.dtype)
        return value

    try:
        return nest.map_structure_up_to(spec, one, spec, given)
    except ValueError as error:
        raise TypeError(str(error)) from None
