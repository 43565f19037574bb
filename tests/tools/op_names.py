#!/usr/bin/env python3
"""Checks that what an op is stands in its row: nobody asks for its name.

    op_names.py [root]       list violations in the tree, exit 1 if there is one
    op_names.py --self-test  plant one violation of each kind and see that it is found
    op_names.py --list       the names of the registered ops

Rules: no string in core/ is the name of an op of apis/ops; nothing in core/, apis/ or pymodule/ext
compares, searches or indexes the type of an op, or compares a string with the name of one (a row
has .role, .traits, .arithmetic and .variant for that).
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

STRING = r'"(?:\\.|[^"\\\n])*"'
NOISE = re.compile(rf"/\*.*?\*/|//[^\n]*|({STRING}|'(?:\\.|[^'\\\n])*')", re.DOTALL)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?((?:\\\n|[^\n])*)", re.MULTILINE)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[^\n]*", re.MULTILINE)
WORD_OR_STRING = re.compile(rf"{STRING}|\w+")
ROW = "SF_OP"
REGISTRY = "core/op/op.c"  # finds ops by the names that it is given

Macro = tuple[list[str], str]  # parameters, body

# The type of an op, as an expression or as a variable that holds it.
OP_TYPE = r"(?:sf_op_type\s*\([^()]*\)|\bdef\s*->\s*name\b)"
HOLDS = re.compile(rf"(\w+)\s*=\s*([^=;,]*?){OP_TYPE}\s*[;,]")
LOOKS = re.compile(r"\b((?:strn?(?:case)?cmp|strstr|strr?chr|strc?spn|strpbrk|memcmp|sf_span_is)\s*)\(")
OTHER_NAME = re.compile(r"(?<!def)->\s*name\b")


def without_comments(text: str) -> str:
    """Keeps strings and the numbers of lines."""
    return NOISE.sub(lambda m: m.group(1) or "\n" * m.group().count("\n") or " ", text)


def arguments(text: str, start: int) -> tuple[list[str], int]:
    """The arguments of a call whose parenthesis opens before `start`, and where it ends."""
    found, depth, begin, at = [], 1, start, start
    token = re.compile(rf"{STRING}|[(),]", re.DOTALL)
    while depth:
        match = token.search(text, at)
        if match is None:
            return [], len(text)
        at = match.end()
        sign = match.group()
        depth += (sign == "(") - (sign == ")")
        if (sign == "," and depth == 1) or depth == 0:
            found.append(text[begin : match.start()].strip())
            begin = at
    return found, at


def expanded(macro: Macro, given: list[str]) -> str:
    parameters, body = macro
    values = dict(zip(parameters, given, strict=False))
    values["__VA_ARGS__"] = ", ".join(given[len([p for p in parameters if p != "..."]) :])
    text = WORD_OR_STRING.sub(lambda m: values.get(m.group(), m.group()), body)
    return re.sub(r"\s*##\s*", "", text)


def rows(text: str, macros: dict[str, Macro]) -> Iterator[str]:
    """The names of the rows in the text, those that a macro of the file writes included."""
    calls = re.compile(rf"\b({'|'.join([ROW, *macros])})\s*\(")
    for call in calls.finditer(text):
        given, _ = arguments(text, call.end())
        if call.group(1) == ROW:
            yield given[0]
        else:
            yield from rows(expanded(macros[call.group(1)], given), macros)


def row_macros(text: str) -> dict[str, Macro]:
    """The macros that write rows, by themselves or through another one."""
    every = {
        m.group(1): ([p.strip() for p in m.group(2).split(",")], m.group(3).replace("\\\n", " "))
        for m in DEFINE.finditer(text)
        if m.group(2) is not None
    }
    writing: dict[str, Macro] = {}
    while True:
        known = re.compile(rf"\b({'|'.join([ROW, *writing])})\s*\(")
        more = {n: m for n, m in every.items() if n not in writing and known.search(m[1])}
        if not more:
            return writing
        writing |= more


def registered_ops(root: Path) -> set[str]:
    """A file's macros are its own and those of all headers."""

    def read(paths: Iterator[Path]) -> dict[Path, str]:
        return {path: without_comments(path.read_text(encoding="utf-8")) for path in paths}

    headers = "".join(read((root / "apis" / "ops").rglob("*.h")).values())
    names: set[str] = set()
    for text in read((root / "apis" / "ops").rglob("*.c")).values():
        names.update(rows(DEFINE.sub("", text), row_macros(headers + text)))
    return names


def line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def check_strings(path: str, text: str, ops: set[str]) -> Iterator[str]:
    for match in re.finditer(STRING, INCLUDE.sub("", text)):
        if match.group()[1:-1] in ops:
            where = f"{path}:{line_of(INCLUDE.sub('', text), match.start())}"
            yield f"{where}: core names the op {match.group()}; its row says what it is (.role, .traits)"


def functions(text: str) -> Iterator[tuple[int, str]]:
    """What stands between two closing braces at the start of a line, and where it begins."""
    start = 0
    for match in re.finditer(r"^\}", text, re.MULTILINE):
        yield start, text[start : match.end()]
        start = match.end()


def check_looks(path: str, text: str, ops: set[str]) -> Iterator[str]:
    for start, body in functions(text):
        # `name ? name : def->name` is the name of a node.
        held = {m.group(1) for m in HOLDS.finditer(body) if not OTHER_NAME.search(m.group(2))}
        holders = "|".join(sorted(held))
        op_type = re.compile(rf"{OP_TYPE}|\b(?:{holders})\b" if holders else OP_TYPE)
        for call in LOOKS.finditer(body):
            given, _ = arguments(body, call.end())
            named = [a for a in given if a[1:-1] in ops and a == f'"{a[1:-1]}"']
            if named:
                where = f"{path}:{line_of(text, start + call.start())}"
                yield f"{where}: {call.group(1)} with the op {named[0]}; its row says what it is (.role)"
                continue
            asked = [a for a in given if op_type.search(a)]
            if asked and not any(OTHER_NAME.search(a) for a in given if a not in asked):
                where = f"{path}:{line_of(text, start + call.start())}"
                yield f"{where}: {call.group(1)} on the type of an op; its row says what it is (.variant)"
        for index in re.finditer(rf"(?:{op_type.pattern})\s*\[", body):
            where = f"{path}:{line_of(text, start + index.start())}"
            yield f"{where}: an index into the type of an op; its row says what it is (.variant)"


def check(root: Path) -> list[str]:
    ops = registered_ops(root)
    found = []
    folders = [root / "core", root / "apis", root / "pymodule" / "ext"]
    for path in sorted(path for folder in folders for path in folder.rglob("*.[ch]")):
        name = path.relative_to(root).as_posix()
        text = without_comments(path.read_text(encoding="utf-8"))
        if name.startswith("core/"):
            found += check_strings(name, text, ops)
        if name != REGISTRY:
            found += check_looks(name, text, ops)
    return found


CLEAN = {
    "apis/ops/rows.h": "#define SHARED(name, ...) SF_OP(Shared##name, .infer = __VA_ARGS__)\n",
    "apis/ops/a.c": (
        "#define TWO(name, in_, ...) SF_OP(name, .inputs = in_, __VA_ARGS__), \\\n"
        "    SF_OP(Ref##name, .inputs = in_)\n"
        '#define LISTED(name) TWO(name##V2, "x: T, (y", .role = SF_ROLE_NONE)\n'
        "#define OTHER(name) name(1)\n"
        "static const SfOpDef ops[] = {\n"
        '    SF_OP(Plain, .inputs = "x: T"), TWO(Pair, "x: T"), LISTED(Wrapped),\n'
        "    SHARED(Row, infer),\n};\n"
        "/* SF_OP(Commented) */\n"
        "static int infer(SfInfer *c)\n{\n    const char *type = sf_op_type(c);\n"
        '    return fail(c, "%s is wrong", type) + (strcmp(type_attr(c), "x") == 0);\n}\n'
        'static int infer_other(SfInfer *c, const char *type)\n{\n    return strcmp(type, "x");\n}\n'
    ),
    "apis/tf/t.c": (
        'static SfStatus api(SfCall *c)\n{\n    return strcmp(mode(c), "plain") == 0\n'
        '               ? sf_api_op(c, "Plain", c->sig->row->op) : SF_OK;\n}\n'
    ),
    "pymodule/ext/e.c": (
        "bool sfpy_is(const char *given, const SfNode *n)\n{\n    return strcmp(given, n->name) == 0;\n}\n"
    ),
    "core/op/node.c": (
        '#include "Plain"\n/* "Plain" */\n'
        "bool sf_same(const SfNode *n, size_t len)\n{\n"
        '    const char *text = "plain", *more = "Plain op", *comma = "RefOther";\n'
        "    const char *name = n->name ? n->name : n->sig->def->name;\n"
        "    return name[0] && strcmp(n->name + len, n->sig->def->name) == 0;\n}\n"
    ),
}
FUNCTION = "static int more(SfInfer *c)\n{{\n    {}\n}}\n"
PLANTED = [  # file, what is added to it, the line, what must be said about it
    ("core/op/node.c", 'const char *sf_a = "Plain";\n', 9, 'core names the op "Plain"'),
    ("core/op/node.c", 'const char *sf_a = "RefPair";\n', 9, 'core names the op "RefPair"'),
    ("core/op/node.c", 'const char *sf_a = "RefWrappedV2";\n', 9, 'core names the op "RefWrappedV2"'),
    ("core/op/node.c", FUNCTION.format("return strcmp(n->sig->def->name, ops[i]);"), 11, "strcmp on"),
    ("core/op/node.c", FUNCTION.format("return n->sig->def->name[0] == 86;"), 11, "an index into"),
    ("apis/ops/a.c", FUNCTION.format('return strstr(sf_op_type(c), "V2") != NULL;'), 21, "strstr on"),
    ("apis/tf/t.c", FUNCTION.format('return strcmp(op, "Pair") == 0;'), 8, "strcmp with the op"),
    ("apis/lint.c", FUNCTION.format("return strcmp(n->sig->def->name, x);"), 3, "strcmp on"),
    ("pymodule/ext/e.c", FUNCTION.format("return strcmp(r[i].op, sig->def->name);"), 7, "strcmp on"),
    (
        "apis/ops/a.c",
        FUNCTION.format('const char *t = sf_op_type(c);\n    return strncmp(t, "Ref", 3);'),
        22,
        "strncmp on",
    ),
    (
        "apis/ops/a.c",
        FUNCTION.format("const char *t = c->sig->def->name, *u = t;\n    return t[0] == 82;"),
        22,
        "an index into",
    ),
]


def write_tree(root: Path, tree: dict[str, str]) -> None:
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def self_test() -> list[str]:
    """Returns what went wrong: a violation that was missed, or a false alarm."""
    wrong = []
    for name, added, line, expected in [("", "", 0, ""), *PLANTED]:
        with tempfile.TemporaryDirectory() as folder:
            tree = dict(CLEAN)
            if name:
                tree[name] = tree.get(name, "") + added
            write_tree(Path(folder), tree)
            found = check(Path(folder))
            ops = registered_ops(Path(folder))
        if ops != {"Plain", "Pair", "RefPair", "WrappedV2", "RefWrappedV2", "SharedRow"}:
            wrong.append(f"the ops are {sorted(ops)}")
        if not name:
            wrong += [f"false alarm: {violation}" for violation in found]
        elif len(found) != 1 or not found[0].startswith(f"{name}:{line}: {expected}"):
            wrong.append(f"planted {added[:60]!r} in {name}: found {found}")
    return wrong


def main(argv: list[str]) -> int:
    if argv[1:] == ["--self-test"]:
        failures = self_test()
        print("\n".join(failures) or f"{len(PLANTED)} planted violations found")
        return bool(failures)
    here = Path(__file__).resolve().parents[2]
    if argv[1:] == ["--list"]:
        print("\n".join(sorted(registered_ops(here))))
        return 0
    violations = check(Path(argv[1]) if len(argv) > 1 else here)
    print("\n".join(violations) or "no op is known by its name")
    return bool(violations)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
