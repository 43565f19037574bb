"""Candidates for models made of layers: a Flatten that is missing, return_sequences, an input without
channels."""

from __future__ import annotations

import ast

from shapeflow.fixes.context import Candidate
from shapeflow.fixes.feeds import shape_argument
from shapeflow.fixes.source import dotted, last_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import FrozenSet, Iterator, Tuple, Union

    from shapeflow.fixes.context import Context
    from shapeflow.fixes.source import Source

_RECURRENT = frozenset("LSTM GRU SimpleRNN RNN Bidirectional ConvLSTM2D CuDNNLSTM CuDNNGRU".split())


def _layer_calls(source: Source, names: Union[Tuple[str], FrozenSet[str]]) -> Iterator[ast.Call]:
    for call in source.calls():
        if last_name(call.func) in names:
            yield call


def _named_like(source: Source, call: ast.Call, name: str) -> str:
    """`layers.Dense` -> `layers.Flatten`; what a file that imports single layers must import is not our
    guess, so that is only done where the name is known."""
    text = dotted(call.func)
    head = text.rpartition(".")[0]
    if head:
        return f"{head}.{name}"
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and any(item.name in (name, "*") for item in node.names):
            return name
        if isinstance(node, ast.Import):
            for item in node.names:
                if item.name == "tensorflow":
                    return f"{item.asname or 'tensorflow'}.keras.layers.{name}"
    return ""


def flatten(context: Context) -> Iterator[Candidate]:
    """Flatten() before a Dense: in a list of layers, by model.add, and in the functional style."""
    for source in context.sources.values():
        for call in _layer_calls(source, ("Dense",)):
            name = _named_like(source, call, "Flatten")
            if not name:
                continue
            parent = source.parent.get(call)
            if isinstance(parent, ast.List):
                start = source.range(call)[0]
                line = source.line(call.lineno)
                lead = line[: len(line) - len(line.lstrip())]
                own_line = line.lstrip().startswith(source.segment(call).split("\n")[0])
                text = f"{name}()," + (source.newline() + lead if own_line else " ")
                yield Candidate(
                    f"add `{name}()` before the Dense on line {call.lineno}",
                    [source.insert(start, text)],
                    0,
                    "flatten",
                )
            elif (
                isinstance(parent, ast.Call)
                and last_name(parent.func) == "add"
                and isinstance(parent.func, ast.Attribute)
            ):
                statement = source.statement(parent)
                if statement is not None:
                    text = f"{source.segment(parent.func)}({name}())"
                    yield Candidate(
                        f"add `{text}` before line {statement.lineno}",
                        [source.line_before(statement, text)],
                        0,
                        "flatten",
                    )
            elif isinstance(parent, ast.Call) and parent.func is call and len(parent.args) == 1:
                text = f"{name}()({source.segment(parent.args[0])})"
                yield Candidate(
                    f"flatten before the Dense on line {call.lineno}: `{text}`",
                    [source.replace(parent.args[0], text)],
                    0,
                    "flatten",
                )
    yield from _functional(context)


def _functional(context: Context) -> Iterator[Candidate]:
    """tf.layers.dense(x, n) of an x that still has height and width."""
    for span in context.spans():
        source = context.sources[span.path]
        for node in list(source.definitions_made(span.line)):
            for call in source.calls(node):
                if last_name(call.func) in ("dense", "fully_connected") and call.args:
                    text = source.segment(call.args[0])
                    layers = (
                        f"{context.tf}.contrib.layers"
                        if "contrib" in dotted(call.func)
                        else f"{context.tf}.layers"
                    )
                    yield Candidate(
                        f"flatten `{text}` on line {call.lineno}: `{layers}.flatten({text})`",
                        [source.replace(call.args[0], f"{layers}.flatten({text})")],
                        0.5,
                        "flatten",
                    )


def sequences(context: Context) -> Iterator[Candidate]:
    """return_sequences=True where the next layer wants steps, none where it wants the last."""
    for source in context.sources.values():
        for call in _layer_calls(source, _RECURRENT):
            given = context.keyword(call, "return_sequences")
            name = last_name(call.func)
            if name == "Bidirectional":
                continue
            if given is None:
                yield Candidate(
                    f"add return_sequences=True to the {name} on line {call.lineno}",
                    [source.add_keyword(call, "return_sequences=True")],
                    0.5,
                    "sequences",
                )
            elif isinstance(given.value, ast.Constant) and isinstance(given.value.value, bool):
                other = str(not given.value.value)
                yield Candidate(
                    f"write return_sequences={other} in the {name} on line {call.lineno}",
                    [source.replace(given.value, other)],
                    0.5,
                    "sequences",
                )


def inputs(context: Context) -> Iterator[Candidate]:
    """input_shape with the channel, without the batch."""
    for source in context.sources.values():
        for call in source.calls():
            node = next(
                (k.value for k in call.keywords if k.arg in ("input_shape", "batch_input_shape")), None
            )
            if last_name(call.func) == "Input":
                node = shape_argument(call) or (call.args[0] if call.args else None)
            if not isinstance(node, (ast.Tuple, ast.List)) or not node.elts:
                continue
            text = source.segment(node)
            end = source.range(node.elts[-1])[1]
            if len(node.elts) in (2, 3):
                yield Candidate(
                    f"give the channel in {text}: add 1", [source.insert(end, ", 1")], 0.5, "input"
                )
            if len(node.elts) > 1:
                start, after = source.range(node.elts[0])[0], source.range(node.elts[1])[0]
                from shapeflow.fixes.source import Edit

                closing = "," if isinstance(node, ast.Tuple) and len(node.elts) == 2 else ""
                edits = [Edit(source.path, start, after, "")]
                edits += [source.insert(end, ",")] if closing else []
                yield Candidate(
                    f"leave the first number out of {text}: keras adds the batch", edits, 0.5, "input"
                )
            for i, one in enumerate(node.elts):
                for other in node.elts[i + 1 :]:
                    yield Candidate(
                        f"swap {source.segment(one)} and {source.segment(other)} in {text}",
                        source.swap(one, other),
                        0.5,
                        "input",
                    )
