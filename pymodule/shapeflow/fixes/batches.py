"""Candidates for a batch size that is written down where batches differ, and for the last, short batch."""

from __future__ import annotations

import ast

from shapeflow.fixes.context import Candidate, parse_shape
from shapeflow.fixes.feeds import shape_argument
from shapeflow.fixes.source import Edit, last_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Sequence

    from shapeflow.fixes.context import Context
    from shapeflow.fixes.source import Source


def whole_batches(context: Context) -> Iterator[Candidate]:
    """The last short batch left out: by the data set, or by the bound of the loop."""
    if not _may_be_batch(context):
        return
    for source in context.sources.values():
        for call in source.calls():
            name = last_name(call.func)
            if (
                name in ("batch", "padded_batch")
                and isinstance(call.func, ast.Attribute)
                and (call.args or call.keywords)
                and context.keyword(call, "drop_remainder") is None
            ):
                yield Candidate(
                    f"leave out the last short batch: `{name}(..., drop_remainder=True)`",
                    [source.add_keyword(call, "drop_remainder=True")],
                    0.5,
                    "drop",
                )
        for node in ast.walk(source.tree):
            if isinstance(node, ast.For):
                yield from _bound(context, source, node)


def short_batch(context: Context) -> bool:
    """Is it the first axis that differs, by a batch that is shorter than the others?"""
    if context.record.run:
        for _, now, before in context.record.run.get("feeds") or ():
            if before and now and before != now:
                return True
    if any(axis not in (0, None) for _, axis in context.record.blamed):
        return False
    firsts = {shape[0] for shape in context.operands if shape and isinstance(shape[0], int)}
    rests = {tuple(shape[1:]) for shape in context.operands if shape}
    return len(firsts) == 2 and len(rests) == 1


def _may_be_batch(context: Context) -> bool:
    """Could the first axis of something be to blame?"""
    record = context.record
    axes = [axis for _, axis in record.blamed]
    return not axes or None in axes or 0 in axes


def _bound(context: Context, source: Source, loop: ast.For) -> Iterator[Candidate]:
    call = loop.iter
    if not (isinstance(call, ast.Call) and last_name(call.func) in ("range", "xrange") and call.args):
        return
    description = "leave out the last short batch: "
    if len(call.args) == 3:
        stop, step = source.segment(call.args[1]), source.segment(call.args[2])
        text = f"{stop} - {step} + 1"
        yield Candidate(
            f"{description}`range({source.segment(call.args[0])}, {text}, {step})`",
            [source.replace(call.args[1], text)],
            0.5,
            "drop",
        )
        return
    stop_node = call.args[-1]
    for node in ast.walk(stop_node):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Add)
            and isinstance(node.right, ast.Constant)
            and node.right.value == 1
        ):
            yield Candidate(
                f"{description}`{source.segment(node.left)}` without `+ 1`",
                [source.replace(node, source.segment(node.left))],
                0,
                "drop",
            )
        if (
            isinstance(node, ast.Call)
            and last_name(node.func) == "ceil"
            and len(node.args) == 1
            and isinstance(node.args[0], ast.BinOp)
            and isinstance(node.args[0].op, ast.Div)
        ):
            division = node.args[0]
            text = f"{source.segment(division.left)} // {source.segment(division.right)}"
            yield Candidate(f"{description}`{text}`", [source.replace(node, text)], 0, "drop")


def batched_later(context: Context) -> Iterator[Candidate]:
    """`data.batch(n).map(f)` -> `data.map(f).batch(n)`: f is written for one example."""
    for source in context.sources.values():
        for call in source.calls():
            inner = call.func.value if isinstance(call.func, ast.Attribute) else None
            if (
                last_name(call.func) == "map"
                and isinstance(inner, ast.Call)
                and isinstance(inner.func, ast.Attribute)
                and inner.func.attr in ("batch", "padded_batch")
            ):
                head = source.range(inner.func.value)[1]
                middle, end = source.range(inner)[1], source.range(call)[1]
                batch, mapped = source.text[head:middle], source.text[middle:end]
                yield Candidate(
                    f"map single examples, then batch: `{mapped.strip()}{batch.strip()}`",
                    [Edit(source.path, head, end, mapped + batch)],
                    -4,
                    "batch",
                )


def open_batch(context: Context) -> Iterator[Candidate]:
    """None where a placeholder, -1 where a reshape has the batch size as a number."""
    sizes = _batch_sizes(context)
    yield from _open_placeholders(context)
    for span in context.spans():
        source = context.sources[span.path]
        statement = source.statement_at(span.line)
        if statement is None or not isinstance(statement, (ast.Assign, ast.Expr, ast.Return, ast.AugAssign)):
            continue
        names = context.names_at(span)
        for call in source.calls(statement):
            node = shape_argument(call)
            if (
                isinstance(node, (ast.List, ast.Tuple))
                and node.elts
                and last_name(call.func) == "placeholder"
            ):
                if context.number(node.elts[0], names) is not None:
                    yield Candidate(
                        f"declare {source.segment(node)} with None for the batch",
                        [source.replace(node.elts[0], "None")],
                        0.5,
                        "batch",
                    )
            if "eshape" in last_name(call.func):
                for listed in [*call.args, *[k.value for k in call.keywords]]:
                    if isinstance(listed, (ast.List, ast.Tuple)) and listed.elts:
                        number = context.number(listed.elts[0], names)
                        numbers = [context.number(item, names) for item in listed.elts]
                        if number in sizes and -1 not in numbers:
                            yield Candidate(
                                f"write -1 for the batch in {source.segment(listed)}",
                                [source.replace(listed.elts[0], "-1")],
                                0.5,
                                "batch",
                            )
            yield from _dynamic(context, source, call, sizes, names)


def _open_placeholders(context: Context) -> Iterator[Candidate]:
    """None in all placeholders that were declared for batches of one size."""
    if context.record.code != "SF301" and not short_batch(context):
        return
    source = context.source
    found: Dict[str, List[Edit]] = {}
    for call in source.calls():
        node = shape_argument(call)
        if last_name(call.func) == "placeholder" and isinstance(node, (ast.List, ast.Tuple)) and node.elts:
            first = node.elts[0]
            if isinstance(first, (ast.Name, ast.Attribute, ast.Constant)):
                found.setdefault(source.segment(first), []).append(source.replace(first, "None"))
    for text, edits in found.items():
        if text not in ("None", "-1", "1") and len(edits) > 1:
            yield Candidate(
                f"declare all {len(edits)} placeholders of {text} with None for the batch", edits, -1, "batch"
            )


def _batch_sizes(context: Context) -> List[int]:
    """Numbers that stood in the first axis of an operand, now or in the runs before."""
    found: List[int] = []
    for shape in context.operands:
        if shape and isinstance(shape[0], int):
            found.append(shape[0])
    for origin in context.record.origins:
        if origin.axis == 0 and origin.dim.isdigit():
            found.append(int(origin.dim))
    if context.record.run:
        for _, now, before in context.record.run.get("feeds") or ():
            for shape in (parse_shape(now or ""), parse_shape(before or "")):
                if shape and isinstance(shape[0], int):
                    found.append(shape[0])
    return found


def _dynamic(
    context: Context, source: Source, call: ast.Call, sizes: Sequence[int], names: Dict[str, object]
) -> Iterator[Candidate]:
    """`[128, n]` -> `[tf.shape(x)[0], n]`, and zero_state of the batch that is there."""
    name = last_name(call.func)
    others = [
        a
        for a in context.arguments
        if a.shape and a.kind == "tensor" and not isinstance(a.node, ast.Constant)
    ]
    texts = (
        list(
            dict.fromkeys(
                source.segment(a.node) for a in others if "\n" not in context.source.segment(a.node)
            )
        )
        if source is context.source
        else []
    )
    for listed in [*call.args, *[k.value for k in call.keywords]]:
        first: Optional[ast.expr] = None
        if isinstance(listed, (ast.List, ast.Tuple)) and listed.elts:
            first = listed.elts[0]
        elif name == "zero_state":
            first = listed
        if first is None or context.number(first, names) not in sizes:
            continue
        for text in [*texts, *_placeholders(context, names)][:6]:
            dynamic = f"{context.tf}.shape({text})[0]"
            yield Candidate(
                f"take the batch from `{text}`: `{dynamic}` instead of {source.segment(first)}",
                [source.replace(first, dynamic)],
                1,
                "batch",
            )


def _placeholders(context: Context, names: Any) -> List[str]:
    """Tensors of the scope that have an open first axis."""
    return [
        name
        for name, said in names.items()
        if isinstance(said.get("tensor"), list) and len(said["tensor"]) > 1 and said["tensor"][0] is None
    ][:4]
