"""Candidates that put an operand into another form: transposed, with an axis more or less, flattened,
summed.

Most operands have few forms that fit the other operands; the rest are not even tried.
"""

from __future__ import annotations

import ast

from shapeflow.fixes.context import Candidate, fits, product
from shapeflow.fixes.source import simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, List, Optional, Sequence, Tuple

    from shapeflow.fixes.context import Argument, Context, Dim, Shape

_ELEMENTWISE = frozenset(
    (
        "Add AddV2 Sub Mul Div RealDiv FloorDiv TruncateDiv Maximum Minimum Equal NotEqual Less LessEqual "
        "Greater GreaterEqual SquaredDifference Pow LogicalAnd LogicalOr FloorMod Mod BiasAdd"
    ).split()
)
_SAME_SHAPE = frozenset("SoftmaxCrossEntropyWithLogits SigmoidCrossEntropyWithLogits".split())

Form = "Tuple[str, List[Dim], str, float]"


def _moves(rank: int) -> List[Tuple[int, ...]]:
    """The permutations that move one axis: NCHW to NHWC and their like."""
    found = []
    for start in range(rank):
        rest = [i for i in range(rank) if i != start]
        for end in range(rank):
            order = (*rest[:end], start, *rest[end:])
            if end != start and order not in found:
                found.append(order)
    return found


def array_forms(
    text: str, shape: Sequence[Dim], np: str, bare: bool
) -> Iterator[Tuple[str, List[Dim], str, float]]:
    """Forms of a numpy array: (text, shape, what was done, weight)."""
    dims = list(shape)
    rank = len(dims)
    inner = text if bare else f"({text})"
    if rank == 2:
        yield f"{inner}.T", dims[::-1], f"transpose `{text}`", 0
    if rank >= 3:
        for order in _moves(rank):
            listed = ", ".join(map(str, order))
            yield (
                f"{inner}.transpose({listed})",
                [dims[i] for i in order],
                f"transpose `{text}` to ({listed})",
                1,
            )
    yield f"[{text}]", [1, *dims], f"add the batch axis to `{text}`", 0
    if np:
        for axis in range(1, rank + 1):
            yield (
                f"{np}.expand_dims({text}, {axis})",
                [*dims[:axis], 1, *dims[axis:]],
                f"give `{text}` an axis {axis} of size 1",
                0.5,
            )
    for axis, dim in enumerate(dims):
        if dim == 1:
            yield (
                f"{inner}.squeeze({axis})",
                [*dims[:axis], *dims[axis + 1 :]],
                f"take axis {axis} of size 1 from `{text}`",
                0.5,
            )
    rest = product(dims[1:])
    if rank >= 3 and rest:
        yield f"{inner}.reshape(-1, {rest})", [dims[0], rest], f"flatten `{text}`", 0.5
    if rank >= 2 and product(dims) is not None:
        yield f"{inner}.ravel()", [product(dims)], f"flatten `{text}`", 1


def tensor_forms(text: str, shape: Shape, tf: str) -> Iterator[Tuple[str, List[Dim], str, float]]:
    """Forms of a tensor, in names that every version of TensorFlow has."""
    if shape is None:
        return
    dims = list(shape)
    rank = len(dims)
    if rank == 2:
        yield f"{tf}.transpose({text})", dims[::-1], f"transpose `{text}`", 0
    if 3 <= rank <= 5:
        for order in _moves(rank):
            listed = ", ".join(map(str, order))
            yield (
                f"{tf}.transpose({text}, [{listed}])",
                [dims[i] for i in order],
                f"transpose `{text}` to [{listed}]",
                1,
            )
    for axis in range(rank + 1):
        yield (
            f"{tf}.expand_dims({text}, {axis})",
            [*dims[:axis], 1, *dims[axis:]],
            f"give `{text}` an axis {axis} of size 1",
            0,
        )
    for axis, dim in enumerate(dims):
        if dim == 1:
            yield (
                f"{tf}.squeeze({text}, [{axis}])",
                [*dims[:axis], *dims[axis + 1 :]],
                f"take axis {axis} of size 1 from `{text}`",
                0,
            )
    rest = product(dims[1:])
    if rank >= 3 and rest:
        yield f"{tf}.reshape({text}, [-1, {rest}])", [dims[0], rest], f"flatten `{text}`", 0
        last = dims[-1]
        if isinstance(last, int):
            yield f"{tf}.reshape({text}, [-1, {last}])", [None, last], f"fold the first axes of `{text}`", 1
    if rank == 2 and rest == 1:
        yield f"{tf}.reshape({text}, [-1])", [dims[0]], f"flatten `{text}`", 1


def reduced_forms(text: str, shape: Shape, tf: str) -> Iterator[Tuple[str, List[Dim], str, float]]:
    """A tensor with one axis fewer, where several entries become one."""
    if shape is None or len(shape) < 2:
        return
    for axis in range(1, len(shape)):
        if shape[axis] == 1:
            continue  # tensor_forms takes it away
        left = [*shape[:axis], *shape[axis + 1 :]]
        yield f"{tf}.reduce_sum({text}, {axis})", left, f"sum `{text}` over axis {axis}", 1
        yield f"{tf}.reduce_mean({text}, {axis})", left, f"average `{text}` over axis {axis}", 1.5
        if axis == 1 and len(shape) == 3:
            yield (
                f"{text}[:, -1]" if text.isidentifier() else f"({text})[:, -1]",
                left,
                f"take the last step of `{text}`",
                2.5,
            )


# --- does a form fit? ---------------------------------------------------------------------------
def _broadcasts(a: Sequence[Dim], b: Sequence[Dim]) -> bool:
    return all(fits(x, y) or x == 1 or y == 1 for x, y in zip(reversed(a), reversed(b)))


def _crosses(a: Sequence[Dim], b: Sequence[Dim]) -> bool:
    """Would each be spread over an axis of the other? [5,1] and [3] give a table that nobody asked for."""
    pairs = list(zip(reversed(a), reversed(b)))
    left = any(x == 1 and y != 1 for x, y in pairs) or len(b) > len(a)
    right = any(y == 1 and x != 1 for x, y in pairs) or len(a) > len(b)
    return left and right


def suits(context: Context, operand: int, form: List[Dim]) -> Optional[bool]:
    """May the op take `form` for one operand, with the others as they are? None when we cannot tell."""
    kind = context.record.op_type or ""
    shapes: List[Shape] = list(context.operands)
    if operand < 0 or operand >= len(shapes):
        return None
    shapes[operand] = form
    if len(shapes) < 2 or shapes[0] is None or shapes[1] is None:
        return None
    a, b = shapes[0], shapes[1]
    if kind == "MatMul" or (kind.startswith("BatchMatMul") and len(a) == len(b) == 2):
        ta, tb = _transposed(context)
        return len(a) == len(b) == 2 and fits(a[-2 if ta else -1], b[-1 if tb else -2])
    if kind.startswith("BatchMatMul"):
        ta, tb = _transposed(context)
        return len(a) > 1 and len(b) > 1 and fits(a[-2 if ta else -1], b[-1 if tb else -2])
    if context.record.code == "SF501":
        return len(a) == len(b) and all(fits(x, y) for x, y in zip(a, b))
    if kind in _ELEMENTWISE:
        return _broadcasts(a, b) and not _crosses(a, b)
    if kind in _SAME_SHAPE:
        return len(a) == len(b) and _broadcasts(a, b)
    if kind == "SparseSoftmaxCrossEntropyWithLogits":
        return len(b) == len(a) - 1 and all(fits(x, y) for x, y in zip(a, b))
    if kind in ("Conv2D", "DepthwiseConv2dNative"):
        return len(a) == len(b) == 4 and (
            not isinstance(a[3], int) or not isinstance(b[2], int) or b[2] == 0 or a[3] % b[2] == 0
        )
    if kind in ("Concat", "ConcatV2", "Pack"):
        ranks = {len(s) for s in shapes if s is not None and len(s) > 0}
        return len(ranks) == 1 or any(operand.name == "axis" for operand in context.record.operands)
    if context.record.code in ("SF102", "SF103", "SF105"):
        return not context.ranks or len(form) == context.ranks[0]
    return None


def _is_sure(context: Context, form: Sequence[Dim]) -> bool:
    """Does a transposed operand of a product fit by numbers that are known?"""
    return "MatMul" in (context.record.op_type or "") and all(isinstance(dim, int) for dim in form)


def _transposed(context: Context) -> Tuple[bool, bool]:
    def said(name: str) -> bool:
        given = context.keyword(context.call, name) if context.call is not None else None
        return given is not None and isinstance(given.value, ast.Constant) and bool(given.value.value)

    return said("transpose_a") or said("adjoint_a"), said("transpose_b") or said("adjoint_b")


# --- candidates ---------------------------------------------------------------------------------
def reformed(context: Context) -> Iterator[Candidate]:
    """Each argument of the guilty call in each form that may fit."""
    blamed = {operand for operand, _ in context.record.blamed}
    for argument in context.arguments:
        if (
            context.runs()
            or argument.kind not in ("tensor", "array")
            or isinstance(argument.node, ast.Constant)
        ):
            continue
        if argument.shape is None:
            continue
        text = context.source.segment(argument.node)
        for form in _forms(context, argument, text):
            new, shape, description, weight = form
            fit = suits(context, argument.operand, shape)
            if shape == argument.shape or fit is False:
                continue
            moved = len(shape) == len(argument.shape) > 2  # then nothing should still have to be spread
            if moved and context.record.op_type in _ELEMENTWISE and shape not in context.operands:
                continue
            if fit is None and (len(shape) == len(argument.shape) or not _about_rank(context)):
                continue
            if blamed and argument.operand not in blamed:
                weight += 1
            if "CrossEntropy" in (context.record.op_type or "") and argument.operand == 0:
                weight += 0.5  # labels are brought into the form of the logits
            if fit and len(shape) == 2 and shape == argument.shape[::-1] and _is_sure(context, shape):
                weight -= 1  # before a layer of one unit, behind another size
            edit = context.source.replace(argument.node, new)
            yield Candidate(_say(description, new), [edit], weight, "form")
    yield from _both(context)
    yield from _result(context)


_RANKS = frozenset("SF102 SF103 SF105 SF107 SF108 SF111 SF112 SF132".split())


def _about_rank(context: Context) -> bool:
    return context.record.code in _RANKS or bool(context.ranks)


def _say(description: str, new: str) -> str:
    return f"{description}: `{new}`" if len(new) <= 80 and "\n" not in new else description


def _forms(context: Context, argument: Argument, text: str) -> Iterator[Tuple[str, List[Dim], str, float]]:
    shape = argument.shape
    assert shape is not None
    if argument.kind == "array":
        yield from array_forms(text, shape, context.np, simple(argument.node))
        if context.record.op_type is None:
            return
    yield from tensor_forms(text, shape, context.tf)
    others = [s for i, s in enumerate(context.operands) if s is not None and i != argument.operand]
    yield from _like_another(text, shape, others, context.tf)
    if others and len(shape) > min(map(len, others)):
        for form in reduced_forms(text, shape, context.tf):
            # what then still has to be spread over the other was not meant
            if context.record.op_type not in _ELEMENTWISE or form[1] in others:
                yield form


def _like_another(
    text: str, shape: Sequence[Dim], others: Sequence[Sequence[Dim]], tf: str
) -> Iterator[Tuple[str, List[Dim], str, float]]:
    """Rows of numbers in the form of another operand that has as many: [16, 784] beside [16, 28, 28]."""
    for other in others:
        rest = product(other[1:])
        if len(shape) == 2 and len(other) > 2 and rest and rest == shape[1]:
            dims = ", ".join(map(str, other[1:]))
            yield f"{tf}.reshape({text}, [-1, {dims}])", [shape[0], *other[1:]], f"reshape `{text}`", 0


def _both(context: Context) -> Iterator[Candidate]:
    """A squeeze of the one that broadcasts silently, said at the end of its own definition."""
    if context.record.code != "SF501":
        return
    for argument in context.arguments:
        if isinstance(argument.node, ast.Name) and argument.shape is not None:
            definitions = context.source.definitions(argument.node.id, argument.node)
            if not definitions or argument.operand < 0:
                continue
            value = definitions[0].value
            text = context.source.segment(value)
            for new, shape, description, weight in tensor_forms(text, argument.shape, context.tf):
                if suits(context, argument.operand, shape) is not False and "\n" not in text:
                    name = argument.node.id
                    description = description.replace(f"`{text}`", f"`{name}`")
                    edit = context.source.replace(value, new)
                    yield Candidate(f"{description} where it is made", [edit], weight + 1, "form")


def _result(context: Context) -> Iterator[Candidate]:
    """The guilty call refused a shape that a method could give: set_shape -> reshape."""
    call = context.call
    if (
        call is None
        or not isinstance(call.func, ast.Attribute)
        or call.func.attr != "set_shape"
        or not call.args
    ):
        return
    target = context.source.segment(call.func.value)
    shape = context.source.segment(call.args[0])
    if isinstance(call.func.value, (ast.Name, ast.Attribute)) and isinstance(context.statement, ast.Expr):
        text = f"{target} = {context.tf}.reshape({target}, {shape})"
        yield Candidate(
            f"reshape instead of set_shape, which only adds knowledge: `{text}`",
            [context.source.replace(context.statement, text)],
            1,
            "reshape",
        )
