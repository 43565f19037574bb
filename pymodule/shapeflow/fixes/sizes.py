"""Candidates that change a number: a layer's size, a dimension of a variable, placeholder, reshape or
constant.

A dimension `have` should have been `want`; the places are the guilty line and those that fixed the
dimensions. There, a literal, a name or a product that stands for `have` is given the other value, by a
name that has it where there is one.
"""

from __future__ import annotations

import ast

from shapeflow.fixes.context import Candidate, product
from shapeflow.fixes.feeds import feed_dicts
from shapeflow.fixes.source import dotted, last_name, simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Set, Tuple, Union

    from shapeflow.fixes.context import Context
    from shapeflow.fixes.source import Source

_NUMBERS = 12  # pairs


def pairs(context: Context) -> List[Tuple[int, int]]:
    """(have, want), the likeliest first: blamed axes against each other, then dims that the finding
    names."""
    found: List[Tuple[int, int]] = []

    def add(a: Any, b: Any) -> None:
        if isinstance(a, int) and isinstance(b, int) and a != b and a >= 0 and b > 0:
            if (a, b) not in found:
                found.append((a, b))

    dims = []
    for operand, axis in context.record.blamed:
        shape = context.operands[operand] if 0 <= operand < len(context.operands) else None
        if axis is not None and shape is not None and -len(shape) <= axis < len(shape):
            dims.append(shape[axis])
    for i, a in enumerate(dims):
        for b in dims[i + 1 :]:
            add(a, b)
            add(b, a)
    said = list(context.dims[:4])
    for axis, shape in zip(context.axes, context.shapes):  # what it has, what it should
        said += [shape[axis]] if shape and -len(shape) <= axis < len(shape) else []
    for i, a in enumerate(said):
        for b in said[i + 1 :]:
            add(a, b)
            add(b, a)
    shapes = [s for s in (*context.shapes, *context.operands) if s]
    for i, one in enumerate(shapes[:6]):
        for other in shapes[i + 1 : 6]:
            if one is None or other is None:
                continue
            if len(one) == len(other):
                for a, b in zip(one, other):
                    add(a, b)
                    add(b, a)
            if one and other:
                add(one[-1], other[-1])
                add(other[-1], one[-1])
                if len(one) != len(other) and (
                    context.record.op_type is None or len(one) > 2 or len(other) > 2
                ):
                    rest, flat = product(one[1:]), product(other[1:])
                    add(rest, other[-1])
                    add(flat, one[-1])
                    add(other[-1], rest)
                    add(one[-1], flat)
    return found[:_NUMBERS]


def changed(context: Context) -> Iterator[Candidate]:
    """Every place that says `have`, saying `want`."""
    if context.record.code.startswith("SF5"):
        return  # a warning is about how things are combined
    for have, want in pairs(context):
        for source, statement, names, near in _places(context):
            for node in _saying(context, statement, have, names):
                yield from _said(context, source, statement, node, have, want, names, near)


def _places(context: Context) -> Iterator[Tuple[Source, ast.stmt, Dict[str, object], float]]:
    """Statements to look at, with what names stand for there; functions that were called, by their
    defaults."""
    done: Set[ast.AST] = set()
    for number, span in enumerate(context.spans()):
        source = context.sources[span.path]
        statement = source.statement_at(span.line)
        if statement is None or statement in done or number > 14:
            continue
        done.add(statement)
        yield source, statement, context.names_at(span), 0.0
        near = [statement]
        for name in ast.walk(statement):
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load):
                # `shape = [5, 5, 1, 32]` on a line of its own, and lists of layers
                for made in source.definitions(name.id, name, unpacked=True)[:1]:
                    if (
                        made not in done
                        and isinstance(made.value, (ast.List, ast.Tuple, ast.Dict, ast.Call))
                        and abs(made.lineno - span.line) < 60
                    ):
                        done.add(made)
                        near.append(made)
                        yield source, made, context.names_at(span), 1.0
        for inner in [inner for one in near for inner in _mapped(source, one)]:
            if inner not in done:
                done.add(inner)
                yield source, inner, context.names_at(span), 1.0
    for source, feed in feed_dicts(context):
        for value in feed.values:
            for step in source.definitions_of(value, 3):
                if step not in done:
                    done.add(step)
                    yield source, step, context.names, 1.0
    if context.inside_a_model():
        yield from _layers(context, done)


def _mapped(source: Source, statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements of the functions that map a data set."""
    names = {argument.id for call in source.calls(statement) if last_name(call.func) == "map"
             for argument in call.args[:1] if isinstance(argument, ast.Name)}
    for node in source.tree.body if names else ():
        if isinstance(node, ast.FunctionDef) and node.name in names:
            yield from node.body


def _layers(context: Context,
            done: Set[ast.AST]) -> Iterator[Tuple[Source, ast.stmt, Dict[str, object], float]]:
    """Where the finding names no operand (keras): the statements that make layers."""
    for source in context.sources.values():
        for call in source.calls():
            if last_name(call.func) in _LAYERS:
                statement = source.statement(call)
                if statement is not None and statement not in done:
                    done.add(statement)
                    yield source, statement, context.names, 1.0


_LAYERS = frozenset(
    (
        "Dense Input InputLayer Reshape Conv2D Conv1D Embedding LSTM GRU SimpleRNN RepeatVector "
        "to_categorical Flatten"
    ).split()
)


def _saying(context: Context, statement: ast.stmt, number: int,
            names: Dict[str, object]) -> Iterator[ast.expr]:
    """The outermost expressions of a statement that stand for `number` (itself or as one of their
    parts)."""
    heads = _heads(statement)
    while heads:
        node = heads.pop(0)
        if (
            isinstance(node, (ast.Constant, ast.Name, ast.Attribute, ast.BinOp, ast.Subscript))
            and context.number(node, names) == number
            and not isinstance(getattr(node, "ctx", None), ast.Store)
        ):
            if not isinstance(node, ast.Constant) or type(node.value) is int:
                yield node
                if not isinstance(node, ast.BinOp):
                    continue
        for child in ast.iter_child_nodes(node):
            heads.append(child)


def _heads(statement: ast.stmt) -> List[ast.AST]:
    """What of a statement runs on its own line: not the body of a loop or a function."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return [*statement.args.defaults, *[d for d in statement.args.kw_defaults if d is not None]]
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return [statement.iter]
    if isinstance(statement, (ast.While, ast.If)):
        return [statement.test]
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in statement.items]
    if isinstance(statement, (ast.Try, ast.ClassDef)):
        return []
    return [statement]


def _names_of(names: Dict[str, Any], number: int, node: ast.expr) -> List[str]:
    """Names that have a value, of the same kind as `node`; short lists only: many say nothing."""
    owner = dotted(node.value) + "." if isinstance(node, ast.Attribute) else ""
    found = [
        name
        for name, said in names.items()
        if said.get("int") == number
        and "[" not in name
        and (name.startswith(owner) and name.count(".") == owner.count(".") if owner else "." not in name)
    ]
    return found if number > 3 and len(found) <= 3 else []


def _said(
    context: Context,
    source: Source,
    statement: ast.stmt,
    node: ast.expr,
    have: int,
    want: int,
    names: Dict[str, Any],
    far: float,
) -> Iterator[Candidate]:
    where = (
        f" on line {node.lineno}"
        if node.lineno != (context.record.primary.line if context.record.primary else 0)
        else ""
    )
    old = source.segment(node)
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        far += _of_data(context, source, statement.targets[0].id) if statement.value is node else 0
    far += (3 if context.is_data(source, node) else 0) + (1.5 if 1 in (have, want) else 0)
    if isinstance(node, ast.Constant) or not simple(node):
        yield Candidate(
            f"write {want} instead of {old}{where}", [source.replace(node, str(want))], far, "size"
        )
    for name in _names_of(names, want, node):
        yield Candidate(
            f"write `{name}` instead of {old}{where}", [source.replace(node, name)], far + 0.2, "size"
        )
    if isinstance(node, ast.Constant):
        parent = source.parent.get(node)
        if isinstance(parent, (ast.List, ast.Tuple)):
            twins = [n for n in parent.elts if isinstance(n, ast.Constant) and n.value == node.value]
            if len(twins) > 1:
                edits = [source.replace(n, str(want)) for n in twins]
                text = source.segment(parent)
                yield Candidate(f"write {want} instead of each {have} in {text}{where}", edits, far, "size")
        return
    if isinstance(node, ast.Name):
        yield Candidate(
            f"write {want} instead of `{old}`{where}", [source.replace(node, str(want))], far + 0.5, "size"
        )
        for candidate in _definition(context, source, node, have, want):
            candidate.weight += far
            yield candidate
    if isinstance(node, ast.Attribute):
        yield from _attribute(context, source, node, have, want, names)
    if isinstance(node, ast.BinOp) or isinstance(node, ast.Name):
        yield from _alike(context, source, node, want, where)


def _of_data(context: Context, source: Source, name: str) -> float:
    """What it costs to change a number that made-up data has its size from."""
    uses = [n for n in ast.walk(source.tree) if isinstance(n, ast.Name) and n.id == name]
    return 2 if any(context.is_data(source, n) for n in uses) else 0


def _definition(
    context: Context, source: Source, node: ast.Name, have: int, want: int
) -> Iterator[Candidate]:
    """The literal that a name was set to: by assignment, as a default, or by the caller."""
    data = _of_data(context, source, node.id)
    for made in source.definitions(node.id, node)[:1]:
        if isinstance(made.value, ast.Constant) and made.value.value == have:
            yield Candidate(
                f"set `{node.id} = {want}` on line {made.lineno}",
                [source.replace(made.value, str(want))],
                0.3 + data,
                "size",
            )
    function = source.function(node)
    if function is None:
        return
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    index = next((i for i, a in enumerate(positional) if a.arg == node.id), None)
    if index is None:
        return
    default = index - (len(positional) - len(arguments.defaults))
    if default >= 0:
        literal = arguments.defaults[default]
        if isinstance(literal, ast.Constant) and literal.value == have:
            yield Candidate(
                f"make the default of `{node.id}` {want}", [source.replace(literal, str(want))], 0.5, "size"
            )
    called = getattr(function, "name", "")
    for other in context.sources.values():
        for call in other.calls():
            name = last_name(call.func)
            if name != called and not (called == "__init__" and name == _class_of(source, function)):
                continue
            skip = 1 if positional and positional[0].arg in ("self", "cls") else 0
            given = [k.value for k in call.keywords if k.arg == node.id]
            if not given and 0 <= index - skip < len(call.args):
                given = [call.args[index - skip]]
            for value in given:
                if isinstance(value, ast.Constant) and value.value == have:
                    yield Candidate(
                        f"give `{node.id}` {want} on line {value.lineno}",
                        [other.replace(value, str(want))],
                        0.5,
                        "size",
                    )


def _attribute(
    context: Context, source: Source, node: ast.Attribute, have: int, want: int, names: Dict[str, Any]
) -> Iterator[Candidate]:
    """`self.n = n` where it is set: a literal, or what another attribute was set to."""
    made: Dict[str, ast.Assign] = {}
    for statement in ast.walk(source.tree):
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Attribute):
                made.setdefault(dotted(target), statement)
    own = made.get(dotted(node))
    if own is None:
        return
    if isinstance(own.value, ast.Constant) and own.value.value == have:
        yield Candidate(
            f"set `{dotted(node)} = {want}` on line {own.lineno}",
            [source.replace(own.value, str(want))],
            0.5,
            "size",
        )
    for name in _names_of(names, want, node):
        other = made.get(name)
        if other is not None and source.function(other) is source.function(own):
            yield Candidate(
                f"set `{dotted(node)} = {source.segment(other.value)}` on line {own.lineno}",
                [source.replace(own.value, source.segment(other.value))],
                0.2,
                "size",
            )
    if isinstance(own.value, ast.Name):
        yield from _definition(context, source, own.value, have, want)


def _class_of(source: Source, function: Any) -> str:
    parent = source.parent.get(function)
    return parent.name if isinstance(parent, ast.ClassDef) else ""


def _alike(context: Context, source: Source, node: ast.expr, want: int, where: str) -> Iterator[Candidate]:
    """The same product wherever it is written: `7 * 7 * 64` -> `4 * 4 * 64`."""
    old = source.segment(node)
    texts = {str(want): 0.0}
    for text, weight in _factored(context, node, want):
        texts.setdefault(text, weight)
    twins = [
        n
        for n in ast.walk(source.tree)
        if isinstance(n, type(node))
        and source.segment(n) == old
        and not isinstance(source.parent.get(n), type(node))
        and not isinstance(getattr(n, "ctx", None), ast.Store)
    ]
    for text, weight in texts.items():
        if text != str(want):
            yield Candidate(
                f"write `{text}` instead of `{old}`{where}", [source.replace(node, text)], weight, "size"
            )
        if len(twins) > 1 and isinstance(node, ast.BinOp):
            edits = [source.replace(n, text) for n in twins]
            yield Candidate(
                f"write `{text}` instead of `{old}`, in all {len(edits)} places", edits, weight, "size"
            )


def _factors(node: ast.expr) -> Optional[List[ast.expr]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        left, right = _factors(node.left), _factors(node.right)
        return left + right if left and right else None
    return [node]


def _factored(context: Context, node: ast.expr, want: int) -> Iterator[Tuple[str, float]]:
    """`want` written as the product was, with a weight: from the dims of an operand, or with equal factors
    changed alike."""
    factors = _factors(node)
    if not factors or len(factors) < 2:
        return
    numbers = [context.number(factor) for factor in factors]
    if any(n is None for n in numbers):
        return
    texts = [
        ast.unparse(factor) if hasattr(ast, "unparse") else str(n) for factor, n in zip(factors, numbers)
    ]
    for shape in context.operands:
        dims = list(shape[1:]) if shape else []
        if len(dims) == len(factors) and product(dims) == want:
            yield " * ".join(text if n == d else str(d) for text, n, d in zip(texts, numbers, dims)), -0.9
    for n in dict.fromkeys(numbers):
        equal = [i for i, m in enumerate(numbers) if m == n]
        rest = 1
        for i, m in enumerate(numbers):
            if i not in equal and m is not None:
                rest *= m
        root = round((want / rest) ** (1 / len(equal))) if rest and want % rest == 0 else 0
        if root > 0 and rest * root ** len(equal) == want:
            yield " * ".join(str(root) if i in equal else text for i, text in enumerate(texts)), 0.5


# --- what makes axes longer and shorter -----------------------------------------------------------
_GROWING = frozenset("UpSampling1D UpSampling2D UpSampling3D Conv1DTranspose Conv2DTranspose Conv3DTranspose "
                     "repeat tile RepeatVector".split())
_SHRINKING = frozenset("MaxPooling1D MaxPooling2D MaxPooling3D AveragePooling1D AveragePooling2D MaxPool1D "
                       "AveragePooling3D MaxPool2D MaxPool3D AvgPool2D Conv1D Conv2D Conv3D SeparableConv2D "
                       "max_pool avg_pool max_pool2d conv2d max_pooling2d average_pooling2d".split())


_FACTOR = 8  # above it a size is meant


def scaled(context: Context) -> Iterator[Candidate]:
    """A factor in a layer that made an operand: UpSampling2D(4) where twice the size is wanted."""
    if context.record.code.startswith("SF5"):
        return
    for have, want in pairs(context):
        for source, statement, _, far in _places(context):
            for call in source.calls(statement):
                name = last_name(call.func)
                if name not in _GROWING and name not in _SHRINKING:
                    continue
                for node in [node for argument in _factors_of(call, name) for node in ast.walk(argument)]:
                    number = node.value if isinstance(node, ast.Constant) else None
                    if type(number) is not int or number < 1:
                        continue
                    top, bottom = (want, have) if name in _GROWING else (have, want)
                    if not bottom or number * top % bottom or number * top // bottom == number:
                        continue
                    new = number * top // bottom
                    if new > _FACTOR:
                        continue
                    yield Candidate(
                        f"write {new} instead of {number} in the {name} on line {call.lineno}",
                        [source.replace(node, str(new))],
                        far + 0.5 + (new == 1),
                        "size",
                    )


def _factors_of(call: ast.Call, name: str) -> List[ast.expr]:
    """What a layer is given as its factor: a convolution's strides, not its filters and kernel."""
    if "onv" not in name:
        return [*call.args, *(k.value for k in call.keywords)]
    return [*call.args[2:3], *(k.value for k in call.keywords if k.arg == "strides")]


# --- reshape ------------------------------------------------------------------------------------
def reshape(context: Context) -> Iterator[Candidate]:
    """The shape that a reshape was given: another number, another order, -1 for the batch."""
    node, count = _reshape_list(context), _count(context)
    if node is None:
        return
    source = context.source
    numbers = [context.number(item) for item in node.elts]
    if node.elts and numbers[0] != -1 and -1 not in numbers:
        yield Candidate(
            f"write -1 for the batch instead of {source.segment(node.elts[0])}",
            [source.replace(node.elts[0], "-1")],
            -1.5 if context.record.run and context.record.run["number"] > 1 else 0,
            "reshape",
        )
    tensor = context.operands[0] if context.operands else None
    if context.record.op_type is None and context.record.code == "SF104":
        tensor = context.shapes[0]  # of one example
    available = product(tensor) if tensor else count
    per_example = product(tensor[1:]) if tensor and len(tensor) > 1 else None
    for total in dict.fromkeys([per_example if -1 in numbers else available, available, count]):
        if total:
            yield from _to_total(context, source, node, numbers, total)
    for i in range(len(node.elts)):
        for j in range(i + 1, len(node.elts)):
            if numbers[i] != numbers[j]:
                yield Candidate(
                    f"swap {source.segment(node.elts[i])} and {source.segment(node.elts[j])} in "
                    f"{source.segment(node)}",
                    source.swap(node.elts[i], node.elts[j]),
                    0.5,
                    "reshape",
                )


def _to_total(
    context: Context, source: Source, node: Union[ast.List, ast.Tuple], numbers: List[Optional[int]],
    total: int
) -> Iterator[Candidate]:
    """One number of a shape, or equal ones alike, so that it has `total` elements."""
    if any(number is None for number in numbers):
        return
    for i, (item, number) in enumerate(zip(node.elts, numbers)):
        if number is None or number <= 0:
            continue
        rest = 1
        for j, other in enumerate(numbers):
            if j != i and other is not None and other > 0:
                rest *= other
        want = total // rest
        if total % rest or want == number:
            continue
        old = source.segment(item)
        yield Candidate(
            f"write {want} instead of {old} in {source.segment(node)}",
            [source.replace(item, str(want))],
            0,
            "reshape",
        )
        if isinstance(item, ast.BinOp):
            yield from _alike(context, source, item, want, "")
        if isinstance(item, ast.Name):
            yield from _definition(context, source, item, number, want)
    yield from _square(context, node, numbers, total)


def rows(context: Context) -> Iterator[Candidate]:
    """`reshape(x, [-1, n])` on the way to an operand, where the rows of x have another size than n: one
    example became several there, and the batch is what does not fit in the end."""
    if not any(axis in (0, None) for _, axis in context.record.blamed):
        return
    source, roots = context.source, [argument.node for argument in context.arguments]
    if context.statement is not None:
        roots.append(context.statement)  # type: ignore[arg-type]
    done = set()
    for root in roots:
        for statement in [*source.definitions_of(root, 20)]:
            for call in source.calls(statement):
                if call in done or last_name(call.func) != "reshape" or len(call.args) != 2:
                    continue
                done.add(call)
                node, value = call.args[1], context.value(call.args[0])
                if not isinstance(node, (ast.List, ast.Tuple)) or value is None or not value.shape:
                    continue
                numbers = [context.number(item) for item in node.elts]
                total = product(value.shape[1:])
                if not numbers or numbers[0] != -1 or None in numbers[1:] or not total:
                    continue
                if product(numbers[1:]) != total:
                    of_it = _At(context, value.shape)
                    yield from _to_total(of_it, source, node, numbers, total)  # type: ignore[arg-type]


def swapped(context: Context) -> Iterator[Candidate]:
    """Two numbers in the shape of a reshape that made an operand, in each other's place."""
    done = set()
    for span in context.spans():
        source = context.sources[span.path]
        for call in source.calls(source.statement_at(span.line) or ast.Pass()):
            listed = [node for node in call.args[1:] if isinstance(node, (ast.List, ast.Tuple))]
            if call is context.call or call in done or last_name(call.func) != "reshape" or not listed:
                continue
            done.add(call)
            items = listed[0].elts
            for a, b in zip(items, items[1:]):
                if isinstance(a, ast.UnaryOp) or source.segment(a) == source.segment(b):
                    continue
                yield Candidate(
                    f"swap {source.segment(a)} and {source.segment(b)} in {source.segment(listed[0])}"
                    f" on line {call.lineno}",
                    source.swap(a, b),
                    1,
                    "reshape",
                )


class _At:
    """A context whose one operand is that of another reshape."""

    def __init__(self, context: Context, shape: List[Optional[Union[int, str]]]) -> None:
        self._context = context
        self.operands = [shape]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)


def _square(context: Context, node: Any, numbers: List[Optional[int]], total: int) -> Iterator[Candidate]:
    """Equal numbers changed alike: [-1, 28, 28, 1] -> [-1, 32, 32, 1]."""
    for n in {n for n in numbers if n is not None and n > 1 and numbers.count(n) > 1}:
        rest = 1
        for other in numbers:
            if other is not None and other > 0 and other != n:
                rest *= other
        power = numbers.count(n)
        root = round((total / rest) ** (1 / power))
        if root != n and root > 0 and rest * root**power == total:
            edits = [context.source.replace(item, str(root)) for item, m in zip(node.elts, numbers) if m == n]
            yield Candidate(
                f"write {root} instead of each {n} in {context.source.segment(node)}", edits, 0, "reshape"
            )


def _count(context: Context) -> Optional[int]:
    """The number of elements that there are."""
    return next((count for count in context.counts[:1] if isinstance(count, int)), None)


def _reshape_list(context: Context) -> Optional[Union[ast.List, ast.Tuple]]:
    """The list of numbers of the guilty reshape."""
    call = context.call
    if context.record.op_type is None and context.record.code == "SF104":
        call = _reshape_layer(context)
    if call is None or "eshape" not in last_name(call.func):
        return None
    given = [k.value for k in call.keywords if k.arg in ("shape", "newshape", "target_shape")]
    given += [*call.args]
    for node in given:
        if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
            return node
        if isinstance(node, ast.Name):
            for made in context.source.definitions(node.id, node)[:1]:
                if isinstance(made.value, (ast.List, ast.Tuple)):
                    return made.value
    return None


def _reshape_layer(context: Context) -> Optional[ast.Call]:
    """The layer of the guilty statement that has the shape which the finding names."""
    target = context.shapes[1] if len(context.shapes) > 1 else None
    for call in context.source.calls(context.statement) if context.statement is not None else ():
        if last_name(call.func) == "Reshape":
            node = next((k.value for k in call.keywords if k.arg == "target_shape"), None) or (
                call.args[0] if call.args else None)
            value = context.value(node) if node is not None else None
            if value is not None and value.ints == target:
                return call
    return None
