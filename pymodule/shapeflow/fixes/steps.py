"""Candidates that undo a step, make a shape static, or answer a warning in its own way."""

from __future__ import annotations

import ast

from shapeflow.fixes.context import Candidate
from shapeflow.fixes.source import last_name, simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Optional

    from shapeflow.fixes.context import Context

_STEPS = frozenset(
    (
        "transpose expand_dims squeeze reshape swapaxes flatten one_hot argmax to_categorical reduce_mean "
        "reduce_sum"
    ).split()
)


def undone(context: Context) -> Iterator[Candidate]:
    """An operand as it was before it was transposed, squeezed, reshaped or encoded."""
    for argument in context.arguments:
        node = argument.node
        step: Optional[ast.expr] = node
        if isinstance(node, ast.Name):
            made = context.source.definitions(node.id, node)
            step = made[0].value if made else None
        if not isinstance(step, ast.Call) or last_name(step.func) not in _STEPS:
            continue
        inner = _inner(context, step)
        if inner is not None:
            yield Candidate(
                f"leave out `{last_name(step.func)}` of `{context.source.segment(inner)}`",
                [context.source.replace(step, context.source.segment(inner))],
                1,
                "undo",
            )


def _inner(context: Context, step: ast.Call) -> Optional[ast.expr]:
    """What a step was made from: the object of a method, else the first argument."""
    if isinstance(step.func, ast.Attribute) and not isinstance(step.func.value, ast.Name):
        owner = context.source.segment(step.func.value)
        if not owner.startswith((context.tf + ".", (context.np or "?") + ".")):
            return step.func.value
    elif (
        isinstance(step.func, ast.Attribute)
        and isinstance(step.func.value, ast.Name)
        and step.func.value.id not in (context.tf, context.np, "K", "keras", "np", "tf")
    ):
        return step.func.value
    return step.args[0] if step.args else None


def static_shapes(context: Context) -> Iterator[Candidate]:
    """`tf.shape(x)[1]` -> `int(x.get_shape()[1])` where a shape must be known beforehand."""
    if context.record.code not in ("SF204", "SF132", "SF128"):
        return
    source = context.source
    edits = []
    for node in source.definitions_made(context.statement.lineno if context.statement is not None else 0):
        for part in ast.walk(node):
            if (
                isinstance(part, ast.Subscript)
                and isinstance(part.value, ast.Call)
                and last_name(part.value.func) == "shape"
                and part.value.args
            ):
                index = source.text[source.range(part.value)[1] : source.range(part)[1]]
                inner = part.value.args[0]
                text = source.segment(inner)
                text = text if simple(inner) else f"({text})"
                edits.append(source.replace(part, f"int({text}.get_shape(){index})"))
    for edit in edits if len(edits) > 1 else ():
        yield Candidate(f"take the static shape: `{edit.text}`", [edit], 0, "static")
    if edits:
        yield Candidate(f"take the static shape: `{'`, `'.join(e.text for e in edits)}`", edits, 0, "static")


def unvalidated(context: Context) -> Iterator[Candidate]:
    """validate_shape=False where a variable takes another shape on purpose."""
    if context.record.code not in ("SF125",) or context.call is None:
        return
    if (
        last_name(context.call.func) in ("assign", "Variable")
        and context.keyword(context.call, "validate_shape") is None
    ):
        yield Candidate(
            "let the variable change its shape: validate_shape=False",
            [context.source.add_keyword(context.call, "validate_shape=False")],
            2,
            "assign",
        )


def thresholds(context: Context) -> Iterator[Candidate]:
    """argmax over one column compares nothing: a single output is decided by a threshold."""
    call = context.call
    if context.record.code != "SF502" or call is None or context.statement is None:
        return
    if last_name(call.func) not in ("argmax", "arg_max"):
        return
    edits, texts = [], []
    for other in context.source.calls(context.statement):
        if last_name(other.func) == last_name(call.func) and other.args:
            text = f"{context.tf}.greater({context.source.segment(other.args[0])}, 0.5)"
            edits.append(context.source.replace(other, text))
            texts.append(text)
    yield Candidate(
        f"compare with a threshold, as there is one output: `{texts[0]}`", edits, 0, "threshold"
    )


def reused(context: Context) -> Iterator[Candidate]:
    """get_variable of another shape: the shape that the shared variable has."""
    if context.record.code != "SF205" or context.call is None:
        return
    shapes = [shape for shape in context.shapes if shape is not None]
    if len(shapes) < 2 or any(not isinstance(d, int) for d in shapes[1]):
        return
    for node in [*context.call.args, *[k.value for k in context.call.keywords]]:
        value = context.value(node)
        if isinstance(node, (ast.List, ast.Tuple)) and value is not None and value.ints == shapes[0]:
            if len(shapes[0]) == len(shapes[1]):
                edits = [
                    context.source.replace(item, str(dim))
                    for item, old, dim in zip(node.elts, shapes[0], shapes[1])
                    if old != dim
                ]
            else:
                edits = [context.source.replace(node, str(shapes[1]))]
            yield Candidate(f"ask for the shape that the variable has, {shapes[1]}", edits, 0, "reuse")
