"""The rooms of the package: what each may import when it is imported, and that no modules import each other.

What a room may import does not count what is imported inside a function, when it is needed; circles do."""
import ast
from pathlib import Path

import pytest

pytestmark = pytest.mark.source

PACKAGE = Path(__file__).resolve().parents[2] / "pymodule" / "shapeflow"
PYTHON = "tensorflow.python."
# Room -> the other rooms that its modules may import at once. A room that is not here may import none.
ALLOWED = {
    "api": "tensorflow.compat",
    "backends": "checker formats",
    "checker": "api formats",
    "commands": "checker fixes formats tensorflow.python.framework",
    "fixes": "checker sandbox",
    "formats": "checker notebook",
    "lsp": "checker formats notebook",
    "notebook": "checker formats tensorflow.compat",
    "numeric": "api checker commands formats",
    "pictures": "checker commands formats tensorflow.keras tensorflow.python.data tensorflow.python.eager "
                "tensorflow.python.framework tensorflow.python.ops",
    "sandbox": "checker",
    "tensorflow.compat": "api checker tensorflow.python.framework",
    "tensorflow.contrib": "api tensorflow.examples tensorflow.python",
    "tensorflow.examples": "api tensorflow.python.framework",
    "tensorflow.keras": "api tensorflow.compat tensorflow.python",
    # The ground of all that is TensorFlow's: nothing of it may stand on what stands on it.
    "tensorflow.python.framework": "api tensorflow.compat",
    "tensorflow.python.util": "api",
    "tensorflow.python.platform": "api tensorflow.python.framework",
    "tensorflow.python.ops": "api " + " ".join(
        PYTHON + n for n in "eager framework layers module trackable util".split()),
    "tensorflow.python.client": "api tensorflow.python.framework",
    "tensorflow.python.training": "api tensorflow.python",
    "tensorflow.python": "api tensorflow.python",  # the others of it
}


def modules():
    """{dotted name below shapeflow: path}."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path, known, deferred=False):
    """The modules of the package that are loaded when that one is; `deferred`: those that its functions
    import too."""
    found = set()

    def visit(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and not deferred:
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                continue
            if isinstance(child, ast.ImportFrom) and (child.module or "").startswith("shapeflow."):
                below = child.module[len("shapeflow."):]
                found.update(full if (full := below + "." + a.name) in known else below for a in child.names)
            elif isinstance(child, ast.Import):
                found.update(a.name[len("shapeflow."):] for a in child.names
                             if a.name.startswith("shapeflow."))
            else:
                visit(child)

    visit(ast.parse(path.read_text(encoding="utf-8")))
    return found & set(known)


def room(module):
    parts = module.split(".")
    if parts[0] != "tensorflow":
        return parts[0] if len(parts) > 1 or (PACKAGE / parts[0]).is_dir() else ""
    return ".".join(parts[:3] if parts[1:2] == ["python"] else parts[:2])


def may(of, other):
    rooms = ALLOWED.get(of, ALLOWED["tensorflow.python"] if of.startswith(PYTHON) else "").split()
    return any(other == allowed or other.startswith(allowed + ".") for allowed in rooms)


def test_rooms_import_what_they_may():
    known = modules()
    wrong = []
    for module, path in known.items():
        for other in sorted(imported(path, known)):
            if room(module) and room(other) not in ("", room(module)) and not may(room(module), room(other)):
                wrong.append("%s imports %s" % (module, other))
    assert not wrong


def test_no_modules_import_each_other():
    known = modules()
    graph = {module: imported(path, known) - {module} for module, path in known.items()}
    state = {}

    def visit(module, path):
        state[module] = "open"
        for other in sorted(graph[module]):
            assert state.get(other) != "open", "a circle: " + " -> ".join([*path, module, other])
            if other not in state:
                visit(other, [*path, module])
        state[module] = "done"

    for module in graph:
        if module not in state:
            visit(module, [])


# Not even inside a function may modules import each other. What is found by its name in the registry is no
# import: that is how a name of the API is found in whatever module has it. Nor is the package itself, whose
# names are looked up when they are touched.
# A public name may be what a file of TensorFlow's sources has, and that a public name.
ONE_THING = {"api.modules", "api.namespace", "api.sources"}


def circles(graph):
    """Sets of modules that import each other, over others or at once (Tarjan)."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(module):
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in sorted(graph[module]):
            if other not in number:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in stack:
                lowest[module] = min(lowest[module], number[other])
        if lowest[module] == number[module]:
            at = stack.index(module)
            if len(stack) - at > 1:
                found.append(set(stack[at:]))
            del stack[at:]

    for module in graph:
        if module not in number:
            visit(module)
    return found


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_functions_import_what_imports_them():
    known = modules()
    graph = {module: imported(path, known, deferred=True) - {module, ""} for module, path in known.items()
             if module}
    assert [found for found in circles(graph) if found != ONE_THING] == []


def test_no_room_hides_a_name_of_tensorflow():
    """`import shapeflow as tf`: a folder of the package is an attribute of it as soon as it is imported."""
    from shapeflow.api import snapshot

    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    for version in snapshot.VERSIONS:
        assert not folders & set(snapshot.of(version).block("tf").lines), version


def test_no_test_imports_what_our_tensorflow_stands_for():
    """Tests share processes: a Keras that is imported there is on the real TensorFlow for all that follow."""
    tests = Path(__file__).resolve().parents[1]
    words = ("importorskip(\"keras", "importorskip(\"tensorflow", "importorskip(\"tf_keras")
    assert [path.name for folder in ("py", "programs") for path in (tests / folder).glob("*.py")
            if path.name != "test_layout.py" and any(word in path.read_text() for word in words)] == []
