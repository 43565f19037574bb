"""Candidates for labels that are encoded otherwise than the loss expects: class numbers or one-hot rows."""

from __future__ import annotations

import ast

from shapeflow.fixes.context import Candidate
from shapeflow.fixes.source import last_name, simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Optional, Tuple

    from shapeflow.fixes.context import Context
    from shapeflow.fixes.source import Edit, Source

# Losses and metrics by how they want labels: one-hot rows on the left, class numbers on the right.
_TWINS = (
    ("softmax_cross_entropy_with_logits_v2", "sparse_softmax_cross_entropy_with_logits"),
    ("softmax_cross_entropy_with_logits", "sparse_softmax_cross_entropy_with_logits"),
    ("softmax_cross_entropy", "sparse_softmax_cross_entropy"),
    ("categorical_crossentropy", "sparse_categorical_crossentropy"),
    ("CategoricalCrossentropy", "SparseCategoricalCrossentropy"),
    ("categorical_accuracy", "sparse_categorical_accuracy"),
    ("CategoricalAccuracy", "SparseCategoricalAccuracy"),
)
_ONE_HOT = {dense: sparse for dense, sparse in _TWINS}
_NUMBERS = {sparse: dense for dense, sparse in reversed(_TWINS)}


def twin(name: str) -> Optional[str]:
    return _ONE_HOT.get(name) or _NUMBERS.get(name)


def losses(context: Context) -> Iterator[Candidate]:
    """The other loss, or the labels the other way, at the guilty call or where a keras model is
    compiled."""
    sources = [context.source, *[s for s in context.sources.values() if s is not context.source]]
    for source in sources:
        found = [
            node
            for node in ast.walk(source.tree)
            if _named(node) is not None and not isinstance(source.parent.get(node), ast.Expr)
        ]
        own = [node for node in found if source is context.source and context.holds(node)]
        for node in own or (found if context.inside_a_model() else []):
            edit = _renamed(source, node)
            if edit is not None:
                yield Candidate(f"use {edit[1]}", [edit[0]], 1, "labels")
        if len(found) > 1 and context.inside_a_model():
            edits = [e for e in (_renamed(source, node) for node in found) if e is not None]
            if edits:
                yield Candidate(f"use {edits[0][1]}, and its like", [e[0] for e in edits], 1, "labels")
    yield from _encoded(context)
    yield from _fitted(context)


def _named(node: ast.AST) -> Optional[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return twin(node.value) and node.value
    if isinstance(node, ast.Attribute):
        return twin(node.attr) and node.attr
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return twin(node.id) and node.id
    return None


def _renamed(source: Source, node: ast.AST) -> Optional[Tuple[Edit, str]]:
    now = _named(node)
    other = twin(now) if now else None
    if now is None or other is None:
        return None
    text = source.segment(node)
    at = text.rindex(now)
    return source.replace(node, text[:at] + other + text[at + len(now) :]), f"`{other}` instead of `{now}`"


def _encoded(context: Context) -> Iterator[Candidate]:
    """tf.one_hot and tf.argmax of the labels of the guilty call."""
    call = context.call
    kind = context.record.op_type or ""
    if call is None or not (_named(call.func) or "CrossEntropy" in kind):
        return
    labels = next((a for a in context.arguments if a.keyword in ("labels", "onehot_labels")), None)
    if labels is None:
        return
    text = context.source.segment(labels.node)
    classes = _classes(context)
    if classes:
        for new in (
            f"{context.tf}.one_hot({text}, {classes})",
            f"{context.tf}.one_hot({context.tf}.cast({text}, {context.tf}.int32), {classes})",
            f"{context.tf}.one_hot({context.tf}.reshape({text}, [-1]), {classes})",
        ):
            yield Candidate(
                f"one-hot encode the labels: `{new}`",
                [context.source.replace(labels.node, new)],
                0.5,
                "labels",
            )
    if labels.shape is None or len(labels.shape) == 2:
        new = f"{context.tf}.argmax({text}, 1)"
        yield Candidate(
            f"give class numbers: `{new}`", [context.source.replace(labels.node, new)], 0.5, "labels"
        )


def _classes(context: Context) -> Optional[int]:
    for shape in [*context.operands[:1], *context.shapes]:
        if shape and len(shape) > 1 and isinstance(shape[-1], int):
            return shape[-1]
    return None


def _fitted(context: Context) -> Iterator[Candidate]:
    """What model.fit and its like are given as labels."""
    call = context.call
    if call is None or last_name(call.func) not in ("fit", "evaluate", "train_on_batch", "test_on_batch"):
        return
    labels = next((k.value for k in call.keywords if k.arg == "y"), None) or (
        call.args[1] if len(call.args) > 1 else None
    )
    classes = _classes(context)
    if labels is None or isinstance(labels, ast.Constant):
        return
    text = context.source.segment(labels)
    inner = text if simple(labels) else f"({text})"
    value = context.value(labels)
    rank = len(value.shape) if value is not None and value.shape is not None else None
    if classes and rank in (1, None):
        new = f"{context.tf}.keras.utils.to_categorical({text}, {classes})"
        yield Candidate(
            f"one-hot encode the labels: `{new}`", [context.source.replace(labels, new)], 1, "labels"
        )
    if rank in (2, None):
        new = f"{inner}.argmax(1)"
        yield Candidate(f"give class numbers: `{new}`", [context.source.replace(labels, new)], 1, "labels")
