#!/usr/bin/env python3
"""Checks the layers: lattice <- core <- apis <- pymodule, and the rooms (folders) inside them.

    layers.py [root]       list violations in the tree, exit 1 if there is one
    layers.py --self-test  plant one violation of each kind and see that it is found

Rules: no include of a higher layer; quoted includes name their layer; no Python.h below pymodule;
what a layer exports is called sf_... (pymodule: sfpy_..., sfsb_... or PyInit_...); no file over 800 lines,
and no line of its C over 100 columns; the multipliers of hashes are lattice/hash.h's. A file that a comment
of the C names (x.c, "See x.h") is there.
A room of core includes only itself and the rooms below it. No circle of files, where x.c, x.h and
x_impl.h are one, and none of the rooms of apis.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

LAYERS = ("lattice", "core", "apis", "pymodule")
HASH_MULTIPLIER = re.compile(r"0x9e3779b9|0xd6e8feb8|1099511628211|0x100000001b3|16777619", re.IGNORECASE)
PREFIXES = {layer: ("sf_",) for layer in LAYERS} | {"pymodule": ("sfpy_", "sfsb_", "PyInit_")}
# What each room of core may include besides itself; graphdef/ and analysis/ know nothing of each other.
ROOMS = {
    "base": (),
    "op": ("base",),
    "graph": ("base", "op"),
    "graphdef": ("base", "op", "graph"),
    "device": ("base", "op", "graph"),
    "session": ("base", "op", "graph", "device"),
    "analysis": ("base", "op", "graph", "device", "session"),
}
FILE_IN_COMMENT = re.compile(r"(?<!\w)(?:See )?((?<=See )\w+\.h|\w+\.c)\b")
FOREIGN_FILES = frozenset({"ceval.c", "lstring.c", "_queuemodule.c"})  # of CPython and Lua
MAX_LINES = 800
MAX_COLUMNS = 100  # of the C of the layers
SOURCES = (".c", ".h", ".py")
SKIPPED = re.compile(r"^(\..*|build.*|dist|__pycache__|.*\.egg-info|node_modules)$")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
STRING = r'"(?:\\.|[^"\\\n])*"'
COMMENT_OR_STRING = re.compile(rf"/\*.*?\*/|//[^\n]*|{STRING}", re.DOTALL)
# What is not code: comments, strings, characters, preprocessor lines.
NOISE = re.compile(
    rf"/\*.*?\*/|//[^\n]*|{STRING}"
    r"|'(?:\\.|[^'\\\n])*'"
    r"|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)|\b_Alignas\s*\([^)]*\)", re.DOTALL)
NAME_OF_FUNCTION = re.compile(r"([A-Za-z_]\w*)\s*\(")
NAME_OF_OBJECT = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*=?\s*$")


def blank(match: re.Match[str]) -> str:
    """Keeps line numbers right: what is removed leaves its newlines."""
    return "\n" * match.group().count("\n") or " "


def without_comments(text: str) -> str:
    """Keeps strings, which may hold what looks like a comment, and includes, which look like them."""
    return COMMENT_OR_STRING.sub(lambda m: m.group() if m.group()[0] == '"' else blank(m), text)


def top_level(text: str) -> Iterator[tuple[int, str, str]]:
    """Yields (line, head, end) of each top-level declaration; end is what closed it: `{` or `;`."""
    depth = 0
    start = 0
    for match in re.finditer(r"[{};]", text):
        sign = match.group()
        if sign == "}":
            depth = max(depth - 1, 0)
            if depth == 0:
                start = match.end()
        elif depth == 0:
            head = text[start : match.start()]
            line = text.count("\n", 0, start + len(head) - len(head.lstrip())) + 1
            yield line, head.strip(), sign
            start = match.end()
        if sign == "{":
            depth += 1


def exported_name(head: str, end: str) -> str | None:
    """The name that this declaration defines for the linker, None when it defines none."""
    head = ATTRIBUTE.sub(" ", head)
    words = set(re.findall(r"\w+", head.split("(", 1)[0]))
    if words & {"static", "typedef", "extern", "_Static_assert"} or not words:
        return None
    assigns = re.search(r"(?<![=!<>])=(?!=)", head)
    declarator, is_initialised = head[: assigns.start()] if assigns else head, assigns is not None
    if not is_initialised and end == "{":
        function = NAME_OF_FUNCTION.search(declarator)
        name = function.group(1) if function else ""  # none: struct, enum, union
        return name if name and not name.isupper() else None  # FOLD(add) {: a macro's own affair
    if "(" in declarator and not is_initialised:
        return None  # a prototype, or a macro that expands to a declaration
    if not is_initialised and words & {"struct", "enum", "union"} and len(words) < 3:
        return None  # struct SfX;
    obj = NAME_OF_OBJECT.search(declarator.strip())
    return obj.group(1) if obj and len(re.findall(r"\w+", declarator)) > 1 else None


def check_includes(path: str, layer: str, text: str) -> Iterator[str]:
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    for match in INCLUDE.finditer(text):
        bracket, included = match.groups()
        where = f"{path}:{text.count(chr(10), 0, match.start(1)) + 1}"
        first = included.split("/", 1)[0]
        if first in LAYERS and first not in allowed:
            yield f"{where}: {layer} must not include {included}"
        elif bracket == '"' and first not in LAYERS:
            yield f"{where}: write the include of {included} from the root of the repository"
        elif included.split("/")[-1] == "Python.h" and layer != "pymodule":
            yield f"{where}: Python.h below pymodule"


def layer_of(path: str) -> str:
    return path.split("/", 1)[0]


def room_of(path: str) -> str:
    """The folder of a file inside its layer: core/op, apis/ops/math; the layer itself for lattice."""
    return path.rpartition("/")[0]


def check_room(path: str, text: str) -> Iterator[str]:
    """Core's rooms stand on one another."""
    room = path.split("/")[1]
    if path.count("/") < 2 or room not in ROOMS:
        yield f"{path}: core has the rooms {', '.join(ROOMS)} and no files beside them"
        return
    for match in INCLUDE.finditer(text):
        included = match.group(2).split("/")
        if included[0] == "core" and included[1] not in (room, *ROOMS[room]):
            line = text.count("\n", 0, match.start(1)) + 1
            yield f"{path}:{line}: {room}/ must not include {match.group(2)}"


def unit_of(path: str) -> str:
    """x.c, x.h and x_impl.h are one unit: one interface and what stands behind it."""
    return path.rpartition(".")[0].removesuffix("_impl")


Graph = dict[str, dict[str, str]]  # unit -> unit it includes -> the file that does


def circles(graph: Graph) -> Iterator[list[str]]:
    """One circle for each knot of the graph, as the names along it; the first name comes again."""
    free: set[str] = set()  # what is known to lead into no circle, or into one that was told
    for start in sorted(graph):
        path: list[str] = []
        todo = [iter([start])]
        while todo:
            name = next(todo[-1], None)
            if name is None:
                todo.pop()
                if path:
                    free.add(path.pop())
            elif name in path:
                yield [*path[path.index(name) :], name]
                free.update(path)
            elif name not in free:
                path.append(name)
                todo.append(iter(sorted(graph.get(name, {}))))


def check_circles(texts: dict[str, str]) -> Iterator[str]:
    units: Graph = {}
    rooms: Graph = {}
    for path, text in texts.items():
        for match in INCLUDE.finditer(text):
            included = match.group(2)
            if included not in texts or layer_of(path) != layer_of(included):
                continue
            if unit_of(path) != unit_of(included):
                units.setdefault(unit_of(path), {})[unit_of(included)] = path
            of, to = room_of(path), room_of(included)
            if of != to and layer_of(path) == "apis":
                rooms.setdefault(of, {})[to] = path
    for what, graph in (("files", units), ("rooms", rooms)):
        for circle in circles(graph):
            where = graph[circle[0]][circle[1]]
            yield f"{where}: a circle of {what}: {' -> '.join(circle)}"


def check_names(path: str, layer: str, text: str) -> Iterator[str]:
    prefixes = PREFIXES[layer]
    for line, head, end in top_level(NOISE.sub(blank, text)):
        name = exported_name(head, end)
        if name is not None and name != "main" and not name.startswith(prefixes):
            yield f"{path}:{line}: {name} is exported without the prefix {' or '.join(prefixes)}"


def is_c_of_a_layer(path: str) -> bool:
    return layer_of(path) in LAYERS and path.endswith((".c", ".h"))


def check_file(relative: str, text: str) -> Iterator[str]:
    lines = text.count("\n")
    if lines > MAX_LINES:
        yield f"{relative}: {lines} lines, more than {MAX_LINES}; split it by concept"
    if relative.split("/", 1)[0] in LAYERS and relative.endswith((".c", ".h")):
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > MAX_COLUMNS:
                yield f"{relative}:{number}: a line of {len(line)} columns"
    layer = layer_of(relative)
    if is_c_of_a_layer(relative):
        code = without_comments(text)
        if relative != "lattice/hash.h" and HASH_MULTIPLIER.search(code):
            yield f"{relative}: a hash of its own; lattice/hash.h has one for all tables"
        yield from check_includes(relative, layer, code)
        if layer == "core":
            yield from check_room(relative, code)
        if relative.endswith(".c"):
            yield from check_names(relative, layer, text)


def check_comments(relative: str, text: str, names: set[str]) -> Iterator[str]:
    for match in COMMENT_OR_STRING.finditer(text):
        comment = match.group()
        if comment.startswith('"'):
            continue
        for name in FILE_IN_COMMENT.findall(comment):
            if name not in names and name not in FOREIGN_FILES:
                yield f"{relative}: a comment names {name}, which is not there"


def source_files(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not SKIPPED.match(name))
        for name in sorted(files):
            if name.endswith(SOURCES):
                yield Path(folder, name)


def check(root: Path) -> list[str]:
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in source_files(root)
    }
    found = [violation for item in texts.items() for violation in check_file(*item)]
    names = {path.rsplit("/", 1)[-1] for path in texts}
    for path, text in texts.items():
        if is_c_of_a_layer(path):
            found += check_comments(path, text, names)
    layered = {path: without_comments(text) for path, text in texts.items() if is_c_of_a_layer(path)}
    return found + list(check_circles(layered))


CLEAN = {
    "lattice/dim.h": "int sf_dim(void);\n",
    "lattice/dim.c": (
        '#include "lattice/dim.h"\n#include <stdio.h>\nDEFINE(helper_of_a_macro)\n{\n}\n'
        '/* #include "core/op/op.h" in a comment. See dim.h; shape.h of TensorFlow; ceval.c. */\n'
        "typedef struct Local { int x; } Local;\n"
        "struct Opaque;\n"
        "extern int elsewhere;\n"
        "static int helper(void)\n{\n    if (1) { return 2; }\n    return 1;\n}\n"
        "static const Local table[] = {{1}, {2}};\n"
        "const Local sf_table[] = {{1}};\n"
        'int sf_dim(void)\n{\n    puts("}{");\n    return helper();\n}\n'
    ),
    "lattice/shape.h": "",
    "lattice/shape_text.h": '#include "lattice/shape.h"\n',
    "core/base/arena.h": "",
    "core/op/op.h": '#include "core/base/arena.h"\n',
    "core/op/op_impl.h": '#include "core/op/op.h"\n',
    "core/op/op.c": (
        '#include "core/op/op_impl.h"\n#include "lattice/dim.h"\nint sf_op(void)\n{\n    return 0;\n}\n'
    ),
    "core/op/infer.h": '#include "core/op/op.h"\n',
    "core/graph/graph.h": '#include "core/op/op.h"\n',
    "core/graphdef/read.h": '#include "core/graph/graph.h"\n',
    "core/session/session.h": '#include "core/graph/graph.h"\n',
    "core/analysis/usage.h": '#include "core/session/session.h"\n',
    "apis/api.h": '#include "core/session/session.h"\n',
    "apis/ops/math/a.c": '#include "core/op/op.h"\n#include "apis/api.h"\n#include "apis/ops/nn/b.h"\n',
    "apis/ops/nn/b.h": '#include "apis/ops/nn/c.h"\n',
    "apis/ops/nn/c.h": "",
    "apis/ops/math/e.h": "",
    "pymodule/ext/module.c": (
        '#include <Python.h>\n#include "apis/api.h"\n'
        "PyMODINIT_FUNC PyInit__ext(void)\n{\n    return NULL;\n}\n"
    ),
    "tests/py/short.py": "pass\n",
}
PLANTED = [  # file, what is added to it, what must be said about it
    ("lattice/dim.c", '#include "core/op/op.h"\n', "lattice must not include core/op/op.h"),
    ("lattice/dim.h", "#include <apis/api.h>\n", "lattice must not include apis/api.h"),
    ("core/op/op.c", '  #  include "apis/api.h"\n', "core must not include apis/api.h"),
    ("apis/ops/math/a.c", '#include "pymodule/ext/x.h"\n', "apis must not include pymodule/ext/x.h"),
    ("apis/ops/math/a.c", "#include <Python.h>\n", "Python.h below pymodule"),
    ("core/op/op.c", '#include "op.h"\n', "from the root"),
    ("core/op/op.c", "int op_make(int a)\n{\n    return a;\n}\n", "op_make is exported"),
    ("core/op/op.c", "int op_count;\n", "op_count is exported"),
    ("core/op/op.c", "const int op_sizes[2] = {1, 2};\n", "op_sizes is exported"),
    ("pymodule/ext/module.c", "int sf_tensor(void)\n{\n    return 0;\n}\n", "sf_tensor is exported"),
    ("tests/py/short.py", "pass\n" * 800, "801 lines"),
    ("lattice/dim.c", "/* " + "x" * 100 + " */\n", "a line of 106 columns"),
    (
        "lattice/dim.c",
        "static unsigned f(unsigned h)\n{\n    return h * 16777619u;\n}\n",
        "a hash of its own",
    ),
    ("lattice/dim.c", "/* The text is in text.c. */\n", "a comment names text.c"),
    ("core/op/op.c", "/* The registry. See registry.h. */\n", "a comment names registry.h"),
    ("core/base/x.c", '#include "core/analysis/usage.h"\n', "base/ must not include"),
    ("core/op/x.c", '#include "core/graph/graph.h"\n', "op/ must not include core/graph/graph.h"),
    ("core/op/x.c", '#include "core/session/session.h"\n', "op/ must not include"),
    ("core/graph/x.c", '#include "core/graphdef/read.h"\n', "graph/ must not include"),
    ("core/session/x.c", '#include "core/analysis/usage.h"\n', "session/ must not include"),
    ("core/graphdef/x.c", '#include "core/session/session.h"\n', "graphdef/ must not include"),
    ("core/analysis/x.c", '#include "core/graphdef/read.h"\n', "analysis/ must not include"),
    ("core/op.h", "", "core has the rooms"),
    ("core/attic/op.h", "", "core has the rooms"),
    ("core/op/op.c", '#include "core/op/infer.h"\n', "core/op/infer -> core/op/op"),
    ("core/op/op_impl.h", '#include "core/op/infer.h"\n', "core/op/infer -> core/op/op"),
    ("lattice/shape.h", '#include "lattice/shape_text.h"\n', "a circle of files"),
    ("apis/ops/nn/c.h", '#include "apis/ops/nn/b.h"\n', "apis/ops/nn/b -> apis/ops/nn/c"),
    ("apis/ops/nn/d.c", '#include "apis/ops/math/e.h"\n', "apis/ops/math -> apis/ops/nn"),
]


def write_tree(root: Path, tree: dict[str, str]) -> None:
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def is_about(name: str, violation: str) -> bool:
    return violation.startswith(name) or "a circle of" in violation  # told at any file of it


def self_test() -> list[str]:
    """Returns what went wrong: a violation that was missed, or a false alarm."""
    wrong = []
    for name, added, expected in [("", "", ""), *PLANTED]:
        with tempfile.TemporaryDirectory() as folder:
            tree = dict(CLEAN)
            if name:
                tree[name] = tree.get(name, "") + added
            write_tree(Path(folder), tree)
            found = check(Path(folder))
        if not name:
            wrong += [f"false alarm: {violation}" for violation in found]
        elif len(found) != 1 or expected not in found[0] or not is_about(name, found[0]):
            wrong.append(f"planted {added[:60]!r} in {name}: found {found}")
    return wrong


def main(argv: list[str]) -> int:
    if argv[1:] == ["--self-test"]:
        failures = self_test()
        print("\n".join(failures) or f"{len(PLANTED)} planted violations found")
        return bool(failures)
    root = Path(argv[1]) if len(argv) > 1 else Path(__file__).resolve().parents[2]
    violations = check(root)
    print("\n".join(violations) or "layers are clean")
    return bool(violations)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
