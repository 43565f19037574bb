"""Candidates for what a placeholder is fed: another value, another form of it, another declared shape."""

from __future__ import annotations

import ast

from shapeflow.fixes.context import Candidate, shape_fits
from shapeflow.fixes.operands import array_forms
from shapeflow.fixes.source import last_name, simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Iterator, List, Optional, Sequence, Tuple

    from shapeflow.fixes.context import Context, Dim, Shape
    from shapeflow.fixes.source import Source

    Feed = Tuple[Source, ast.Dict, int]  # one entry of a feed_dict
    Form = Tuple[str, List[Dim], str, float]


# --- where feeds are ------------------------------------------------------------------------------
def feed_dicts(context: Context) -> Iterator[Tuple[Source, ast.Dict]]:
    """The dict displays that the run was fed from: of the call, or of a name that it was given."""
    done = set()
    for source, call in context.run_calls():
        given = [k.value for k in call.keywords if k.arg in ("feed_dict", "feed")]
        given += [a for a in call.args if isinstance(a, (ast.Dict, ast.Name))]
        given += [call] if last_name(call.func) == "dict" else []
        for node in given:
            values = (
                [d.value for d in source.definitions(node.id, node)]
                if isinstance(node, ast.Name)
                else [node]
            )
            for value in values:
                if isinstance(value, ast.Dict) and value not in done:
                    done.add(value)
                    yield source, value


def _placeholder(context: Context) -> Tuple[str, Optional[Tuple[Source, ast.Assign]]]:
    """The name under which the refused placeholder is kept, and the statement that makes it."""
    for operand in context.record.operands:
        made = operand.made_at
        if made is None or made.path not in context.sources:
            continue
        source = context.sources[made.path]
        statement = source.statement_at(made.line)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            return last_name(statement.targets[0]), (source, statement)
    return "", None


def entries(context: Context, name: str) -> List[Feed]:
    """The entries for `name` in the run's own feed_dict."""
    found = []
    for source, feed in feed_dicts(context):
        for i, key in enumerate(feed.keys):
            if key is not None and (
                last_name(key) == name
                or (isinstance(key, ast.Constant) and str(key.value).split(":")[0] == name)
            ):
                found.append((source, feed, i))
    return found


def everywhere(context: Context, name: str) -> List[Feed]:
    """All entries for `name` in dicts of the program."""
    found = []
    for source in context.sources.values():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Dict):
                for i, key in enumerate(node.keys):
                    if key is not None and last_name(key) == name and name:
                        found.append((source, node, i))
    return found


# --- candidates -----------------------------------------------------------------------------------
def swapped(context: Context) -> Iterator[Candidate]:
    """Two values of a feed_dict in each other's place."""
    for source, feed in feed_dicts(context):
        pairs = [
            (k, v)
            for k, v in zip(feed.keys, feed.values)
            if k is not None and not isinstance(v, ast.Constant)
        ]
        for i, (key, value) in enumerate(pairs):
            for other_key, other in pairs[i + 1 :]:
                yield Candidate(
                    f"swap what {source.segment(key)} and {source.segment(other_key)} are fed",
                    source.swap(value, other),
                    0,
                    "swap",
                )


def fed(context: Context) -> Iterator[Candidate]:
    """What SF301 refused: the value in another form, another value, the placeholder declared otherwise."""
    if context.record.code != "SF301":
        return
    shape, declared = context.shapes[:2] if len(context.shapes) > 1 else (None, None)
    if shape is None or declared is None:
        return
    name, made = _placeholder(context)
    feeds = entries(context, name) or entries(
        context, context.record.operands[0].name if context.record.operands else ""
    )
    for source, feed, i in feeds:
        value = feed.values[i]
        yield from _other_forms(context, source, feed, i, shape, declared, name)
        yield from _other_names(context, source, value, declared)
        yield from _before_it(context, source, value)
    if made is not None:
        yield from declarations(context, made[0], made[1], shape, declared)


def _other_forms(
    context: Context, source: Source, feed: ast.Dict, i: int, shape: Shape, declared: Shape, name: str
) -> Iterator[Candidate]:
    """The fed value reshaped: here, and wherever this placeholder is fed."""
    assert shape is not None and declared is not None
    alike = [f for f in everywhere(context, name)]
    value = feed.values[i]
    np = context.np
    own = list(array_forms("{}", shape, np, True)) + list(_encodings(context, value, shape, declared))
    for new, form, description, weight in own:
        if form == shape or not shape_fits(form, declared):
            continue
        text = source.segment(value)
        yield Candidate(
            f"{description.replace('{}', text)}: `{_put(new, text, value)}`",
            [source.replace(value, _put(new, text, value))],
            weight,
            "feed",
        )
        if len(alike) > 1:
            edits = [
                s.replace(f.values[j], _put(new, s.segment(f.values[j]), f.values[j])) for s, f, j in alike
            ]
            yield Candidate(
                f"{description.replace('{}', text)}, wherever {name} is fed: `{_put(new, text, value)}`",
                edits,
                weight,
                "feed",
            )
    count = 1
    for dim in shape:
        count = count * dim if isinstance(dim, int) else 0
    wanted = [d if isinstance(d, int) else -1 for d in declared]
    known = 1
    for dim in wanted:
        known *= dim if dim > 0 else 1
    if (
        count
        and wanted.count(-1) <= 1
        and known
        and count % known == 0
        and (-1 in wanted or count == known)
    ):
        text = source.segment(value)
        inner = text if simple(value) else f"({text})"
        new = f"{inner}.reshape({', '.join(map(str, wanted))})"
        yield Candidate(f"reshape what {name} is fed: `{new}`", [source.replace(value, new)], 1.5, "feed")


def _put(form: str, text: str, node: ast.AST) -> str:
    if form.startswith("{}") and not simple(node):
        text = f"({text})"
    return form.replace("{}", text)


def _encodings(context: Context, value: ast.expr, shape: Shape, declared: Shape) -> Iterator[Form]:
    """Class numbers where one-hot rows are wanted, and the other way round."""
    assert shape is not None and declared is not None
    if not context.np:
        return
    np, classes = context.np, declared[-1] if declared else None
    said = context.value(value)
    whole = said is not None and said.dtype.startswith(("int", "uint"))
    number = "{}" if whole else f"{np}.asarray({{}}, int)"
    if isinstance(classes, int) and classes > 1:
        if len(declared) == len(shape) + 1:
            yield f"{np}.eye({classes})[{number}]", [*shape, classes], "one-hot encode `{}`", 0
        elif len(declared) == len(shape) > 1 and shape[-1] == 1:
            flat = f"{np}.ravel({number})"
            yield f"{np}.eye({classes})[{flat}]", [shape[0], classes], "one-hot encode `{}`", 0
    if len(declared) == len(shape) - 1 and len(shape) > 1:
        last = len(shape) - 1
        yield f"{np}.argmax({{}}, {last})", list(shape[:-1]), "give the class numbers of `{}`", 0


def class_numbers(context: Context) -> Iterator[Candidate]:
    """A placeholder of one-hot rows that is fed class numbers: encoded in the graph instead."""
    if context.record.code != "SF301":
        return
    shape, declared = context.shapes
    name, made = _placeholder(context)
    if made is None or shape is None or declared is None or len(declared) != len(shape) + 1:
        return
    source, statement = made
    target, call = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(call, ast.Call) or not declared:
        return
    node = shape_argument(call)
    if not isinstance(declared[-1], int) or not isinstance(node, (ast.List, ast.Tuple)) or not call.args:
        return
    used = {n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name)}
    ends = ("class", "number", "sparse", "fed", "fed_")
    fresh = next(n for n in (f"{name.rstrip('_')}_{end}" for end in ends) if n not in used)
    classes = source.segment(node.elts[-1])
    kept = _written([None] * len(shape), node, {i: source.segment(n) for i, n in enumerate(node.elts[:-1])})
    edits = [
        source.replace(target, fresh),
        source.replace(call.args[0], f"{context.tf}.int32"),
        source.replace(node, kept),
        source.line_after(statement, f"{name} = {context.tf}.one_hot({fresh}, {classes})"),
    ]
    keys = [f.keys[i] for s, f, i in everywhere(context, name) if s is source]
    edits += [source.replace(key, fresh) for key in keys if isinstance(key, ast.Name)]
    yield Candidate(
        f"feed class numbers, encoded in the graph: `{name} = {context.tf}.one_hot({fresh}, {classes})`",
        edits,
        -4,
        "labels",
    )


def without_colours(context: Context) -> Iterator[Candidate]:
    """A picture that is read with its colours where one channel is wanted."""
    if context.record.code != "SF301":
        return
    shape, declared = context.shapes
    if not shape or declared is None or shape[-1] != 3 or (len(declared) == len(shape) and declared[-1] != 1):
        return
    for source, feed in feed_dicts(context):
        for value in feed.values:
            for statement in source.definitions_of(value, 4):
                for call in source.calls(statement):
                    if last_name(call.func) == "imread" and len(call.args) == 1 and not call.keywords:
                        yield Candidate(
                            f"read the picture without colours: `{source.segment(call)[:-1]}, 0)`",
                            [source.add_keyword(call, "0")],
                            0,
                            "feed",
                        )


def _other_names(context: Context, source: Source, value: ast.expr, declared: Shape) -> Iterator[Candidate]:
    """What the fed array was made from, or what was made from it, when that fits."""
    if not isinstance(value, ast.Name):
        return
    kin = {
        n.id
        for made in source.definitions_of(value, 4)
        for n in ast.walk(made)
        if isinstance(n, ast.Name)
    }
    for name, said in list(context.names.items()):
        if name == value.id or not isinstance(said.get("array"), list):
            continue
        if name in kin or name.startswith(value.id) or value.id.startswith(name):
            if len(said["array"]) > 0 and shape_fits(said["array"], declared):
                yield Candidate(
                    f"feed `{name}` instead of `{value.id}`", [source.replace(value, name)], 0, "name"
                )


def _before_it(context: Context, source: Source, value: ast.expr) -> Iterator[Candidate]:
    """What a transposed or reshaped value was made from."""
    if not isinstance(value, ast.Name):
        return
    for made in source.definitions(value.id, value)[:2]:
        step = made.value
        if isinstance(step, ast.Call) and last_name(step.func) in _STEPS and step.args:
            first = (
                step.args[0]
                if not (isinstance(step.func, ast.Attribute) and last_name(step.func.value) != context.np)
                else step.func.value
            )
            yield Candidate(
                f"leave out `{last_name(step.func)}` of `{value.id}`",
                [source.replace(step, source.segment(first))],
                0,
                "undo",
            )


_STEPS = frozenset(
    {"transpose", "expand_dims", "squeeze", "reshape", "swapaxes", "moveaxis", "flatten", "ravel"}
)


# --- the placeholder's own shape --------------------------------------------------------------------
def shape_argument(call: ast.Call) -> Optional[ast.expr]:
    """The shape that `placeholder(dtype, shape)` is given."""
    for keyword in call.keywords:
        if keyword.arg == "shape":
            return keyword.value
    if last_name(call.func) == "placeholder" and len(call.args) > 1:
        return call.args[1]
    return None


def _written(dims: Sequence[object], like: ast.expr, texts: Dict[int, str]) -> str:
    parts = [texts.get(i, str(dim)) for i, dim in enumerate(dims)]
    if isinstance(like, ast.Tuple):
        return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
    return "[" + ", ".join(parts) + "]"


def declarations(
    context: Context, source: Source, statement: ast.stmt, fed_shape: Shape, declared: Shape
) -> Iterator[Candidate]:
    """The declared shape with None, 1 or the fed number where they differ, or of the fed rank."""
    assert fed_shape is not None and declared is not None
    for call in source.calls(statement):
        node = shape_argument(call)
        if not isinstance(node, (ast.List, ast.Tuple)):
            continue
        name = (
            source.segment(statement.targets[0]) if isinstance(statement, ast.Assign) else "the placeholder"
        )
        texts = {i: source.segment(item) for i, item in enumerate(node.elts)}
        if len(fed_shape) == len(declared) == len(node.elts):
            differ = [
                i for i, (a, b) in enumerate(zip(fed_shape, declared)) if isinstance(b, int) and a != b
            ]
            if differ == [0]:
                yield Candidate(
                    f"declare {name} with None for the batch",
                    [source.replace(node.elts[0], "None")],
                    0,
                    "placeholder",
                )
            edits = [source.replace(node.elts[i], str(fed_shape[i])) for i in differ]
            kept = {i: text for i, text in texts.items() if i not in differ}
            yield Candidate(
                f"declare {name} {_written(fed_shape, node, kept)}",
                edits,
                1,
                "placeholder",
            )
            continue
        if len(fed_shape) == len(declared) + 1:
            for i in range(len(fed_shape)):
                rest = [*fed_shape[:i], *fed_shape[i + 1 :]]
                if shape_fits(rest, declared):
                    extra = "None" if i == 0 and fed_shape[0] != 1 else str(fed_shape[i])
                    for text in dict.fromkeys([extra, "None"] if i == 0 else [extra]):
                        parts = [texts.get(j, "") for j in range(len(node.elts))]
                        parts.insert(i, text)
                        new = _written([None] * len(parts), node, dict(enumerate(parts)))
                        yield Candidate(
                            f"declare {name} {new}", [source.replace(node, new)], 0.5, "placeholder"
                        )
        dims = ["None", *map(str, fed_shape[1:])]
        new = _written(dims, node, {})
        yield Candidate(f"declare {name} {new}", [source.replace(node, new)], 1.5, "placeholder")
