"""Candidates for what a model of Keras is given: one example without its batch, a data set that is not
batched, images with their channels on another axis or without an axis for them."""

from __future__ import annotations

import ast

from shapeflow.fixes.context import Candidate, shape_fits
from shapeflow.fixes.source import dotted, last_name, simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, List, Tuple

    from shapeflow.fixes.context import Context, Dim
    from shapeflow.fixes.source import Source

_PREDICTS = frozenset(("predict", "predict_on_batch", "predict_classes", "predict_proba"))
_STEPS = frozenset(("fit", "evaluate", "predict"))
_WRAPPERS = frozenset(("enumerate", "tqdm", "iter", "trange"))
_BATCH = 32  # that of Keras
_BATCHED = 4  # tokens, of what is added: no size was meant
_CHANNELS = 12  # tokens, of a transposition that fits: sizes of data were not meant
_ORDERS = ((0, 2, 3, 1), (0, 3, 1, 2))
_NO_ARRAYS = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Starred)


def _given(context: Context, names: frozenset[str]) -> Iterator[Tuple[Source, ast.Call, ast.expr]]:
    """The data of the guilty calls of methods with such names."""
    for source, call in context.run_calls():
        if not isinstance(call.func, ast.Attribute) or last_name(call.func) not in names:
            continue
        data = next((k.value for k in call.keywords if k.arg in ("x", "inputs")), None) or (
            call.args[0] if call.args else None)
        if data is not None and not isinstance(data, _NO_ARRAYS):
            yield source, call, data


def one_example(context: Context) -> Iterator[Candidate]:
    """`model.predict(image)` -> `model.predict(np.expand_dims(image, 0))`."""
    for source, _, data in _given(context, _PREDICTS):
        value = context.value(data) if source is context.source else None
        if value is not None and value.kind not in ("array", "tensor"):
            continue
        text = source.segment(data)
        new = f"{context.np}.expand_dims({text}, 0)" if context.np else \
            f"{text if simple(data) else '(' + text + ')'}[None]"
        yield Candidate(f"give `predict` a batch of one example: `{new}`" if len(new) <= 80 else
                        "give `predict` a batch of one example", [source.replace(data, new)], -2, "batch")


def unbatched(context: Context) -> Iterator[Candidate]:
    """`model.fit(data)` -> `model.fit(data.batch(32))`, where no batch is made of the data."""
    given = [(source, data) for source, call, data in _given(context, _STEPS)
             if len(call.args) == 1 and not any(k.arg == "y" for k in call.keywords)]
    for source, data in [*given, *_looped(context)]:
        made = [data, *(statement.value for statement in source.definitions_of(data, 6)
                        if isinstance(statement, ast.Assign))]
        if isinstance(data, ast.Name):  # each is made of the one before
            made += [statement.value for statement in source.definitions(data.id, data)]
        names = {dotted(inner.func) for one in made for inner in source.calls(one)}
        last = {name.rpartition(".")[2] for name in names}
        if last & {"batch", "padded_batch", "ragged_batch"} or not any(
                "Dataset." in name or name.endswith("tfds.load") for name in names):
            continue
        text = source.segment(data)
        new = f"{text if simple(data) else '(' + text + ')'}.batch({_BATCH})"
        yield Candidate(f"batch the data: `{new}`" if len(new) <= 80 else "batch the data",
                        [source.replace(data, new)], -_BATCHED, "batching")


def _looped(context: Context) -> Iterator[Tuple[Source, ast.expr]]:
    """What the loops around the guilty calls run over."""
    for source, call in context.run_calls():
        at = source.parent.get(call)
        while at is not None and not isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            if isinstance(at, ast.For):
                over = at.iter
                while isinstance(over, ast.Call) and over.args and last_name(over.func) in _WRAPPERS:
                    over = over.args[0]
                yield source, over
            at = source.parent.get(at)


def without_channels(context: Context) -> Iterator[Candidate]:
    """Images of one channel that have no axis for it: `fit(x)` -> `fit(np.expand_dims(x, -1))`."""
    shapes = context.shapes
    if len(shapes) != 2 or None in shapes or not context.np:
        return
    short, long = sorted(shapes, key=lambda shape: len(shape or ()))
    if not short or not long or long[-1] != 1 or not shape_fits(short, long[:-1]):
        return
    for source, _, data in _given(context, _STEPS):
        new = f"{context.np}.expand_dims({source.segment(data)}, -1)"
        yield Candidate(f"give the data an axis of one channel: `{new}`" if len(new) <= 80 else
                        "give the data an axis of one channel", [source.replace(data, new)], -2, "form")


def channels(context: Context) -> Iterator[Candidate]:
    """Images whose channels are on the axis where the model has none: transposed where they are made, or
    here."""
    if context.record.code != "SF106" or not context.np:
        return
    for source, _, data in _given(context, _STEPS):
        value = context.value(data) if source is context.source else None
        shape = value.shape if value is not None and value.kind == "array" else None
        if not shape or len(shape) != 4:
            continue
        order = next((order for order in _ORDERS if _is_wanted(context, [shape[i] for i in order])), None)
        if order is None:
            continue
        places = [data]
        if isinstance(data, ast.Name):
            places = [made.value for made in source.definitions(data.id, data)[:1]] + places
        for weight, node in enumerate(places):
            new = f"{context.np}.transpose({source.segment(node)}, {order})"
            where = "" if node is data else f" on line {node.lineno}"
            yield Candidate(f"move the channels of `{source.segment(data)}`{where}: `{new}`"
                            if len(new) <= 80 else f"move the channels of `{source.segment(data)}`{where}",
                            [source.replace(node, new)], weight * 0.5 - _CHANNELS, "form")


def _is_wanted(context: Context, shape: List[Dim]) -> bool:
    """Would the layer take it? It has said the size of an axis, or the whole shape."""
    if context.axes and context.dims and -4 <= context.axes[0] < 4:
        return shape[context.axes[0]] == context.dims[0]
    return len(context.shapes) > 1 and shape_fits(shape, context.shapes[0])
