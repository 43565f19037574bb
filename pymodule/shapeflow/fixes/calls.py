"""Candidates that exchange arguments, or change one of a call's own: order, transposition, axis,
padding."""

from __future__ import annotations

import ast
import itertools

from shapeflow.fixes.context import Candidate, fits
from shapeflow.fixes.source import last_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Tuple

    from shapeflow.fixes.context import Context
    from shapeflow.fixes.source import Edit, Source

_MATMULS = frozenset("MatMul BatchMatMul BatchMatMulV2 BatchMatMulV3 SparseMatMul".split())
_AXES = frozenset(
    (
        "axis dim dimension concat_dim split_dim squeeze_dims reduction_indices axes batch_dim seq_dim "
        "time_major"
    ).split()
)
_AXIS_CALLS = frozenset(
    (
        "concat stack unstack pack unpack split argmax argmin expand_dims squeeze reduce_sum reduce_mean "
        "reduce_max reduce_min reduce_prod reduce_any reduce_all softmax log_softmax cumsum concatenate "
        "vstack hstack sum mean max min gather reverse Concatenate Softmax reduce_std l2_normalize sort "
        "argsort repeat"
    ).split()
)

_LAYERS = frozenset("Dot dot Concatenate concatenate Softmax".split())  # of Keras: axis 0 is the batch

_MOVES = frozenset(("transpose", "Permute", "permute"))
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
_SURE = -4  # tokens: what fits exactly by its numbers was meant before another size
_VALUES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


def _made_by(context: Context, number: int) -> str:
    """The name of the call that made an operand."""
    span = context.record.operands[number].made_at
    source = context.sources.get(span.path) if span is not None else None
    node = source.expression(span) if source is not None and span is not None else None
    return last_name(node.func) if isinstance(node, ast.Call) else ""


def _weights_last(context: Context) -> bool:
    """Data times weights: in that order they are meant, whatever fits in the other."""
    made = ("Variable", "get_variable")
    return (
        context.record.op_type == "MatMul"
        and len(context.record.operands) == 2
        and _made_by(context, 0) not in made
        and _made_by(context, 1) in made
    )


def swapped(context: Context) -> Iterator[Candidate]:
    """Two arguments in each other's place: of the guilty call, then of the calls that led to it."""
    for source, call in _calls_of(context):
        own = call is context.node
        if last_name(call.func) in ("placeholder", "Variable", "get_variable", "run", "eval"):
            continue
        positional = [a for a in call.args if isinstance(a, _VALUES)]
        for a, b in zip(positional, positional[1:]):
            if own and _alike(context, a, b):
                continue
            yield Candidate(
                f"swap `{_short(source, a)}` and `{_short(source, b)}`",
                source.swap(a, b),
                (_open(context, a, b) + 4 * _weights_last(context) if own else 1),
                "swap",
            )
        values = [k for k in call.keywords if k.arg and not isinstance(k.value, ast.Constant)]
        for i, one in enumerate(values):
            for other in values[i + 1 :]:
                left, right = context.value(one.value), context.value(other.value)
                tensors = left is not None and right is not None and left.kind == right.kind == "tensor"
                if tensors or {one.arg, other.arg} in ({"labels", "logits"}, {"a", "b"}, {"x", "y"}):
                    yield Candidate(
                        f"swap the values of {one.arg} and {other.arg}",
                        source.swap(one.value, other.value),
                        0,
                        "swap",
                    )
    node = context.node
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.MatMult, ast.Sub, ast.Div)):
        if isinstance(node.op, ast.MatMult):
            yield Candidate("swap the operands", context.source.swap(node.left, node.right), 0, "swap")


def _open(context: Context, a: ast.expr, b: ast.expr) -> float:
    """What it costs that two operands would fit in each other's place only because a size is not known."""
    shapes = [arg.shape for arg in context.arguments if arg.node is a or arg.node is b]
    known = all(shape is not None and all(isinstance(dim, int) for dim in shape) for shape in shapes)
    return 0 if known or context.record.op_type not in _MATMULS else 3


def _alike(context: Context, a: ast.expr, b: ast.expr) -> bool:
    """Would swapping change nothing?"""
    shapes = [arg.shape for arg in context.arguments if arg.node is a or arg.node is b]
    return len(shapes) == 2 and shapes[0] is not None and shapes[0] == shapes[1]


def _calls_of(context: Context) -> Iterator[Tuple[Source, ast.Call]]:
    """The guilty call and the user's calls on the way to it."""
    if context.call is not None:
        yield context.source, context.call
    for span in [*context.record.chain, context.record.raised]:
        if span is None or span.path not in context.sources:
            continue
        source = context.sources[span.path]
        node = source.expression(span)
        if isinstance(node, ast.Call) and node is not context.call:
            yield source, node


def _short(source: Source, node: ast.AST, limit: int = 40) -> str:
    text = " ".join(source.segment(node).split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


# --- matrix products ----------------------------------------------------------------------------
def matmul(context: Context) -> Iterator[Candidate]:
    """transpose_a, transpose_b, and tensordot where one operand has more axes than the other."""
    if context.record.op_type not in _MATMULS or len(context.operands) < 2:
        return
    a, b = context.argument(0), context.argument(1)
    if a is None or b is None:
        return
    call = context.call
    left, right = context.operands[0], context.operands[1]
    if call is not None and last_name(call.func) == "matmul":
        for name, axis in (("transpose_b", (-1, -1)), ("transpose_a", (-2, -2))):
            given = context.keyword(call, name)
            if given is not None:
                yield Candidate(f"leave out {name}", [_without(context.source, call, given)], 0, "transpose")
            elif left and right and len(left) > 1 and len(right) > 1 and fits(left[axis[0]], right[axis[1]]):
                sure = isinstance(left[axis[0]], int) and isinstance(right[axis[1]], int)
                yield Candidate(
                    f"add {name}=True",
                    [context.source.add_keyword(call, f"{name}=True")],
                    _SURE if sure and left[axis[0]] != 1 else 3,
                    "transpose",
                )
    if left is None or right is None or len(left) == len(right):
        return
    if left and right and fits(left[-1], right[0]) and context.node is not None:
        operands = ", ".join(context.source.segment(side.node) for side in (a, b))
        text = f"{context.tf}.tensordot({operands}, axes=1)"
        if (
            call is not None
            and context.keyword(call, "transpose_a") is None
            and context.keyword(call, "transpose_b") is None
        ):
            yield Candidate(
                f"write `{text}`: the last axis of {_short(context.source, a.node)} with the first of "
                f"{_short(context.source, b.node)}",
                [context.source.replace(context.node, text)],
                0.5,
                "tensordot",
            )


def _without(source: Source, call: ast.Call, keyword: ast.keyword) -> Edit:
    """A call without one of its keywords, and without the comma before it."""
    start, end = source.offset(keyword.lineno, keyword.col_offset), source.range(keyword.value)[1]
    head = source.text[:start].rstrip()
    if head.endswith(","):
        start = len(head) - 1
    from shapeflow.fixes.source import Edit as New

    return New(source.path, start, end, "")


# --- axes ---------------------------------------------------------------------------------------
def axes(context: Context) -> Iterator[Candidate]:
    """Another number where the guilty call, or one that made an operand, says an axis."""
    if context.record.code == "SF501":
        return  # another axis is of another length: shapes that do not warn, not those that were meant
    rank = max([len(shape) for shape in context.operands if shape is not None] or [3])
    for source, call, near in _axis_calls(context):
        name = last_name(call.func)
        for node in _axis_arguments(call, name):
            inner = node.elts[0] if isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) == 1 else node
            now = context.number(inner)
            if now is None or not isinstance(inner, (ast.Constant, ast.UnaryOp)):
                continue
            last = rank - 1 if context.operands else None
            of_batches = context.record.op_type is None and name in _LAYERS
            for axis in [*range(min(rank + 1, 5)), -1]:
                if axis == now or now == -1 and axis == rank - 1 or axis == 0 and of_batches:
                    continue
                if axis == -1 and now > rank - 1 and last is not None:
                    continue  # the same as the last axis
                yield Candidate(
                    f"write axis {axis} instead of {now} in `{name}`",
                    [source.replace(inner, str(axis))],
                    (0.5 if near else 1.5) - 0.3 * (now > axis == last) + 2 * of_batches
                    - (near and name == "expand_dims"),
                    "axis",
                )
        if not any(True for _ in _axis_arguments(call, name)) and name.startswith("reduce_"):
            for axis in range(min(rank, 4)):
                yield Candidate(
                    f"reduce axis {axis} alone: add `axis={axis}`",
                    [source.add_keyword(call, f"axis={axis}")],
                    2,
                    "axis",
                )


def axes_too_far(context: Context) -> Iterator[Candidate]:
    """Of several axes those that the tensor has: `axis=(1, 2, 3)` of three axes -> `axis=(1, 2)`."""
    rank = len(context.operands[0]) if context.operands and context.operands[0] else 0
    if context.record.code != "SF112" or not rank:
        return
    for source, call, near in _axis_calls(context):
        for node in _axis_arguments(call, last_name(call.func)):
            if not near or not isinstance(node, (ast.List, ast.Tuple)) or len(node.elts) < 2:
                continue
            numbers = [context.number(inner) for inner in node.elts]
            kept = [number for number in numbers if number is not None and -rank <= number < rank]
            if None in numbers or not 0 < len(kept) < len(numbers):
                continue
            text = ", ".join(map(str, kept)) + ("," if len(kept) == 1 and isinstance(node, ast.Tuple) else "")
            text = f"[{text}]" if isinstance(node, ast.List) else f"({text})"
            yield Candidate(f"write the axes {text} in `{last_name(call.func)}`",
                            [source.replace(node, text)], _SURE, "axis")


def orders(context: Context) -> Iterator[Candidate]:
    """Two axes the other way round in a transposition of which an operand was made."""
    for span in context.spans():
        source = context.sources[span.path]
        statement = source.statement_at(span.line)
        for call in source.calls(statement) if isinstance(statement, _SIMPLE) else ():
            given = [*call.args, *(k.value for k in call.keywords if k.arg in ("perm", "axes", "dims"))]
            for node in given if last_name(call.func) in _MOVES else ():
                if not isinstance(node, (ast.List, ast.Tuple)):
                    continue
                texts = [source.segment(inner) for inner in node.elts]
                if not 3 <= len(texts) <= 5 or not all(text.isdigit() for text in texts):
                    continue
                for i, j in itertools.combinations(range(len(texts)), 2):
                    new = list(texts)
                    new[i], new[j] = new[j], new[i]
                    text = ", ".join(new)
                    text = f"[{text}]" if isinstance(node, ast.List) else f"({text})"
                    yield Candidate(f"write {text} in the {last_name(call.func)} on line {call.lineno}",
                                    [source.replace(node, text)], -0.5 + (i == 0), "axis")


def _axis_arguments(call: ast.Call, name: str) -> Iterator[ast.expr]:
    """What a call is given as its axis."""
    for keyword in call.keywords:
        if keyword.arg in _AXES:
            yield keyword.value
    if name in _AXIS_CALLS:
        for argument in call.args:
            if isinstance(argument, (ast.Constant, ast.UnaryOp)) or (
                isinstance(argument, (ast.List, ast.Tuple))
                and len(argument.elts) == 1
                and isinstance(argument.elts[0], (ast.Constant, ast.UnaryOp))
            ):
                yield argument


def _axis_calls(context: Context) -> Iterator[Tuple[Source, ast.Call, bool]]:
    """Calls with an axis: in the guilty statement, then in those that made the operands."""
    done = set()
    for span in context.spans():
        source = context.sources[span.path]
        statement = source.statement_at(span.line)
        if statement is None or isinstance(
            statement, (ast.FunctionDef, ast.ClassDef, ast.For, ast.While, ast.With)
        ):
            continue
        for call in source.calls(statement):
            if call not in done and (
                last_name(call.func) in _AXIS_CALLS or any(k.arg in _AXES for k in call.keywords)
            ):
                done.add(call)
                yield source, call, statement is context.statement


# --- padding ------------------------------------------------------------------------------------
_WINDOWS = ("conv", "pool", "Conv", "Pool")


def padding(context: Context) -> Iterator[Candidate]:
    """'VALID' <-> 'SAME' in a convolution or pooling of the program; padding='same' where keras has
    none."""
    # Only a window that is to fit exactly asks for less.
    shrinking = context.record.code in ("SF110", "SF121") or "Conv" in (context.record.op_type or "")
    for source in context.sources.values():
        named = []
        for call in source.calls():
            if not any(word in last_name(call.func) for word in _WINDOWS):
                continue
            said = [k.value for k in call.keywords if k.arg == "padding"] + list(call.args)
            texts = [
                n
                for n in said
                if isinstance(n, ast.Constant)
                and isinstance(n.value, str)
                and n.value.upper() in ("VALID", "SAME")
            ]
            for node in texts:
                assert isinstance(node.value, str)
                now = node.value
                if now.upper() == "SAME" and not shrinking:
                    continue
                other = "SAME" if now.upper() == "VALID" else "VALID"
                other = other if now.isupper() else other.lower()
                named.append((node, now))
                quoted = source.segment(node).replace(now, other)
                yield Candidate(
                    f"write padding {quoted} in `{last_name(call.func)}`",
                    [source.replace(node, quoted)],
                    0.5,
                    "padding",
                )
            name = last_name(call.func)
            if not texts and name[0].isupper() and ("Conv" in name or "Pool" in name):
                yield Candidate(
                    f"add padding='same' to `{name}`",
                    [source.add_keyword(call, "padding='same'")],
                    0.5,
                    "padding",
                )
        valid = [node for node, now in named if now.upper() == "VALID"]
        if len(valid) > 1:
            quotes = [
                (node, source.segment(node).replace("VALID", "SAME").replace("valid", "same"))
                for node in valid
            ]
            yield Candidate(
                "write padding 'SAME' wherever it is 'VALID'",
                [source.replace(node, text) for node, text in quotes],
                1,
                "padding",
            )
