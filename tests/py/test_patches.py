"""What is changed in the interpreter is changed by patches.py, and is undone."""
import ast
import inspect
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import pytest

import shapeflow
from command import RIGHT, WRONG, environment, write
from shapeflow.checker import cache, file_functions, library_frames, patches, source_loading, worker_starts
from shapeflow.checker.patches import OWNERS, PROCESS, PatchError, Scope

HERE = Path(__file__).parent
PACKAGE = Path(shapeflow.__file__).parent
BY = "checker.check"


class Thing:
    x = 1


def run(tmp_path, source, *arguments, **variables):
    """What a program prints that can compare states of its interpreter; in an interpreter of its own."""
    code = f"import sys\nsys.path.insert(0, {str(HERE)!r})\nfrom interpreter_state import *\n{source}"
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=tmp_path, capture_output=True,
                          text=True, timeout=120, env=environment(**variables))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


# --- the stack ------------------------------------------------------------------------------------
def test_patches_are_undone_newest_first():
    mapping, group, thing, told = {"a": 1}, {1}, Thing(), []
    before = patches.stack()
    with Scope("test") as scope:
        by = scope.by(BY, "a test")
        by.item(mapping, "a", 2)
        by.item(mapping, "a", 3)
        by.item(mapping, "b", 4)
        by.set(Thing, "x", 5)
        by.set(thing, "x", 6)
        by.add(group, 1)
        by.add(group, 2)
        by.also("words", lambda: told.append((mapping["a"], thing.x)))
        assert (mapping, group, Thing.x, thing.x) == ({"a": 3, "b": 4}, {1, 2}, 5, 6) and by.on
        assert len(patches.stack()) == len(before) + 7
        assert "Thing.x (checker.check: a test)" in [repr(patch) for patch in patches.stack()]
    assert (mapping, group, Thing.x, vars(thing), told) == ({"a": 1}, {1}, 1, {}, [(3, 6)])
    assert patches.stack() == before and not by.on


@pytest.mark.parametrize("own", [False, True])
def test_a_constructor_works_as_before(own):
    """Deleting __new__ of a class leaves it refusing arguments, in Python."""
    class Above:
        def __new__(cls, *args):
            made = object.__new__(cls)
            made.seen = args
            return made

    class Kind(*([Above] if own else [])):
        def __init__(self, value):
            self.value = value

    class Below(Kind):
        pass

    for _ in range(2):  # the second time there is one of its own
        with patches.Scope("a check") as scope:
            scope.by("checker.check", "a test").set(Kind, "__new__", staticmethod(lambda cls, *args: None))
            assert Kind(3) is None
        for kind in (Kind, Below):
            made = kind(3)
            assert type(made) is kind and made.value == 3 and getattr(made, "seen", (3,)) == (3,)


def test_scopes_closed_out_of_order_say_so():
    mapping = {}
    outer = Scope("outer")
    outer.by(BY, "a test").item(mapping, "a", 1)
    inner = Scope("inner")
    inner.by(BY, "a test").item(mapping, "a", 2)
    with pytest.raises(PatchError, match="'outer' cannot be closed before 'inner'"):
        outer.close()
    assert mapping == {"a": 2}
    assert inner.close() == outer.close() == [] and mapping == {}
    for use in (outer.close, lambda: outer.by(BY, "a test")):
        with pytest.raises(PatchError, match="'outer' is closed"):
            use()
    with pytest.raises(PatchError, match="end with it"):
        PROCESS.close()


def test_a_patch_for_a_scope_that_is_closed_is_refused():
    mapping = {}
    with Scope("test") as scope:
        by = scope.by(BY, "a test")
    with pytest.raises(PatchError, match="'test' is closed"):
        by.item(mapping, "a", 1)
    assert mapping == {}


def test_over_one_name_the_owners_keep_their_order():
    mapping = {"a": 0}
    with Scope("outer") as outer, Scope("inner") as inner:
        inner.by(OWNERS[3], "a test").item(mapping, "a", 1)
        with pytest.raises(PatchError, match="would lie over"):
            outer.by(OWNERS[2], "a test").item(mapping, "a", 2)
        outer.by(OWNERS[2], "a test").item(mapping, "b", 2)
        inner.by(OWNERS[4], "a test").item(mapping, "a", 3)
        assert mapping == {"a": 3, "b": 2}
    assert mapping == {"a": 0}
    with pytest.raises(PatchError, match="not an owner"):
        PROCESS.by("checker.nobody", "a test")


def test_a_module_that_is_loaded_anew_is_patched_anew():
    """Then the patch of an inner owner is gone, and the outer one's comes first again."""
    mapping = {"a": "old"}
    with Scope("outer") as outer:
        by_outer = outer.by(OWNERS[2], "a test")
        by_outer.item(mapping, "a", 1)
        with Scope("inner") as inner:
            by_inner = inner.by(OWNERS[3], "a test")
            by_inner.item(mapping, "a", 2)
            mapping["a"] = "new"
            by_outer.item(mapping, "a", 1)
            by_inner.item(mapping, "a", 2)
        assert mapping == {"a": 1}
    assert mapping == {"a": "new"}


def test_what_others_put_on_top_stays_and_is_told():
    mapping, thing = {"a": 1, "b": 1, "c": 1}, Thing()
    scope = Scope("test")
    by = scope.by(BY, "a test")
    for name in "abc":
        by.item(mapping, name, 2)
    by.set(thing, "x", 2)
    by.set(thing, "y", 2, regardless=True)
    mapping["a"] = 3  # on top
    mapping["b"] = 1  # taken out by somebody else
    thing.x, thing.y = 3, 3
    left = scope.close()
    assert mapping == {"a": 3, "b": 1, "c": 1} and vars(thing) == {"x": 3}
    assert [repr(patch) for patch in left] == [f"Thing.x ({BY}: a test)", f"a dict.a ({BY}: a test)"]


def test_an_undo_that_fails_keeps_no_other_from_being_undone():
    mapping = {}

    def fail():
        raise ValueError("broken")

    scope = Scope("test")
    by = scope.by(BY, "a test")
    by.item(mapping, "a", 1)
    by.also("words", fail)
    with pytest.raises(ValueError, match="broken"):
        scope.close()
    assert mapping == {}
    with Scope("after"):
        pass


def test_what_several_change_is_changed_for_the_first_and_undone_with_the_last():
    """Whatever the order in which their scopes end, and what somebody has kept of it passes on."""
    class Kind:
        def twice(self, x):
            return 2 * x

    def changes(turn):
        before = Kind.twice
        return [(Kind, "twice", lambda self, x: before(self, x + 100 * turn.on)), (Kind, "new", 1)]

    shared, real = patches.Shared("a test", changes), Kind.twice
    for _ in range(2):
        with Scope("outer") as outer:
            inner = Scope("inner")
            shared.join(inner.by(BY, "a test"))
            kept = Kind.twice
            shared.join(outer.by(BY, "a test"))
            assert Kind.twice is kept
            inner.close()
            assert Kind().twice(1) == 202 and Kind.new == 1
        assert Kind.twice is real and not hasattr(Kind, "new") and kept(Kind(), 1) == 2
    with Scope("test") as scope:
        shared.join(scope.by(BY, "a test"))
        ours = Kind.twice
        Kind.twice = theirs = lambda self, x: ours(self, x) + 1
    assert Kind.twice is theirs and Kind().twice(1) == 3
    with Scope("test") as scope:
        shared.join(scope.by(BY, "a test"))
        assert Kind().twice(1) == 203
    assert Kind().twice(1) == 3


# --- the loader of modules, and what starts workers --------------------------------------------------
@pytest.fixture
def load(tmp_path):
    """Imports a module with that text, in a loader of Python's own."""
    from importlib.machinery import SourceFileLoader

    def loaded(text, name="loaded"):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        names = {}
        exec(SourceFileLoader(name, str(path)).get_code(name), names)
        return names["x"]

    return loaded


def compiled(tmp_path):
    return list(tmp_path.glob("__pycache__/*"))


def test_a_source_passes_from_the_script_to_the_interpreter(load, tmp_path):
    """In the order of OWNERS, whoever comes first."""
    def adding(what):
        return lambda source, path: source + f"\nx += '{what}'".encode()

    def is_ours(path):
        return path.startswith(str(tmp_path))

    owners = ["fixes.trial", "checker.loops.instrument", "checker.python2_source"]
    for order in (owners, owners[::-1]):
        with Scope("test") as scope:
            for owner in order:
                source_loading.change_sources(scope.by(owner, "a test"), is_ours, adding(owner[-1]))
            assert load("x = ''") == "lte"
        assert load("x = 'as it is'") == "as it is"
    with Scope("test") as scope:  # before all of them, another text; after them what Python refuses
        source_loading.give_texts(scope.by("checker.import_hook", "a test"),
                                  {str(tmp_path / "loaded.py"): "x = 't'"})
        source_loading.change_sources(scope.by(owners[0], "a test"), is_ours, adding("1"))
        assert load("x = 'file'") == "t1"
        source_loading.change_sources(scope.by(owners[2], "a test"), is_ours,
                                      lambda source, path: source + b"\nx x")
        with pytest.raises(SyntaxError):
            load("x = 'file'")
        source_loading.compile_refused(scope.by(owners[2], "a test"), is_ours,
                                       lambda source, path: compile("x = 'refused'", path, "exec"))
        assert load("x = 'file'") == "refused"
        source_loading.compile_whole(scope.by("checker.shape_recorder", "a test"), is_ours,
                                     lambda source, path: compile(source + b"*2", path, "exec"))
        assert load("x = 'file'") == "tt"
    assert load("x = 'as it is'") == "as it is"


def test_no_compiled_file_is_written_of_a_changed_source(load, tmp_path, monkeypatch):
    """A Python of its own would run it, without us."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    kept = []

    def is_ours(path):
        return path.startswith(str(tmp_path))

    with Scope("test") as scope:
        by = scope.by("checker.python2_source", "a test")
        source_loading.compile_refused(by, is_ours, lambda source, path: compile("x = 3", path, "exec"))
        assert load("x = 0777", "refused") == 3 and compiled(tmp_path) == []
        assert load("x = 1", "right") == 1 and len(compiled(tmp_path)) == 1
        source_loading.change_sources(by, is_ours, lambda source, path: b"x = 2")
        assert load("x = 1", "changed") == 2 and len(compiled(tmp_path)) == 1
    with Scope("test") as scope:
        source_loading.keep_compiled(scope.by("sandbox.inside", "a test"),
                                     lambda path: bool(kept.append(path)))
        assert load("x = 1", "not_kept") == 1 and len(compiled(tmp_path)) == 1
        assert kept == [str(tmp_path / "not_kept.py")]
    assert load("x = 1", "again") == 1 and len(compiled(tmp_path)) == 2


def test_a_worker_enters_the_sandbox_before_it_is_ours():
    class Util:
        @staticmethod
        def spawnv_passfds(path, args, passfds):
            started.append(args)
            return 7

    started, real = [], Util.spawnv_passfds
    with Scope("test") as scope:
        def told(words):
            return lambda path, args, at: words if "now" in args[at] else ""

        for owner, around in (("checker.worker_programs", None),
                              ("sandbox.patching", lambda start: (started.append("in"), start())[1])):
            worker_starts.run_first(Util, scope.by(owner, "a test"), told(owner), around)
        assert Util.spawnv_passfds is not real
        others = [["python", b"-c", "later"], ["python", "file.py"], ["python", "-c"]]
        for args in (["python", "-c", "now"], *others):
            assert Util.spawnv_passfds("python", args, []) == 7
    assert Util.spawnv_passfds is real
    assert started[0] == "in" and started[2:] == others
    (_, _, words), order = started[1], ["sys.path[:] = [", "sandbox.patching", "checker.worker_programs",
                                        "sys.path[:] = found", "now"]
    assert sorted(order, key=words.index) == order


@pytest.mark.source
def test_one_module_changes_how_modules_are_loaded_and_one_how_workers_start():
    """All others say there what they want."""
    changed = {"get_data", "get_code", "path_stats", "source_to_code", "_cache_bytecode", "spawnv_passfds"}
    found = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.Call, ast.Tuple)):
                names = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
                attributes = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
                is_patch = isinstance(node, ast.Tuple) or getattr(node.func, "attr", "") in ("set", "item")
                for name in (names | attributes) & changed if is_patch else ():
                    found.setdefault(path.relative_to(PACKAGE).as_posix(), set()).add(name)
    assert found == {"checker/source_loading.py": changed - {"spawnv_passfds"},
                     "checker/worker_starts.py": {"spawnv_passfds"}}


# --- the functions of os ----------------------------------------------------------------------------
def adding(what, asked):
    def over(before):
        def stat(path, **kwargs):
            asked.append(what)
            return before(path, **kwargs)
        return stat
    return over


def test_one_function_stands_in_for_os_stat_and_asks_all_who_take_part(tmp_path):
    """In the order of OWNERS, whoever came first; what is copied goes on when they have left."""
    owners = ["checker.unknown_paths", "checker.dependency_tracker", "checker.data_files", "sandbox.redirect"]
    real, groups = os.stat, [set(group) for group in file_functions._groups()]
    for order in (owners, owners[::-1]):
        asked = []
        with Scope("test") as scope:
            for owner in order:
                ours = file_functions.take_part(scope.by(owner, "a test"), "stat", adding(owner, asked))
                assert os.stat is ours and ours.real is real
            assert os.path.isdir(tmp_path) and asked == owners
            assert os.stat in os.supports_dir_fd and os.stat in os.supports_follow_symlinks
            assert (repr(os.stat), os.stat.__doc__, inspect.signature(os.stat), pickle.loads(pickle.dumps(
                os.stat))) == (repr(real), real.__doc__, inspect.signature(real), os.stat)
            assert type("Kind", (), {"stat": os.stat})().stat(tmp_path)  # no method
        assert os.stat is real and [set(group) for group in file_functions._groups()] == groups
        asked.clear()
        assert ours(tmp_path) and asked == []


def test_who_takes_part_may_leave_in_any_order_and_a_copy_is_seen_again(tmp_path):
    asked, real = [], os.stat
    with Scope("outer") as outer:
        inner = Scope("inner")
        file_functions.take_part(inner.by("checker.data_files", "a test"), "stat", adding("inner", asked))
        copy = os.stat
        file_functions.take_part(outer.by("checker.dependency_tracker", "a test"), "stat",
                                 adding("outer", asked))
        inner.close()
        assert os.stat is copy and os.stat(tmp_path) and asked == ["outer"]
    assert os.stat is real
    with Scope("again") as scope:
        file_functions.take_part(scope.by("checker.data_files", "a test"), "stat", adding("again", asked))
        assert copy(tmp_path) and asked == ["outer", "again"]
        theirs = os.stat = lambda path: copy(path)
    try:
        assert os.stat is theirs and os.stat(tmp_path) and asked == ["outer", "again"]
        with Scope("over theirs") as scope:
            ours = file_functions.take_part(scope.by("checker.data_files", "a test"), "stat",
                                            adding("over", asked))
            assert ours.real is theirs and ours(tmp_path) and asked == ["outer", "again", "over"]
        assert os.stat is theirs
    finally:
        os.stat = real


@pytest.mark.source
def test_one_module_changes_the_functions_that_look_at_files():
    """All others say there what they want."""
    from shapeflow.sandbox.redirect import replacements

    names, found = {*replacements(None), "open", "walk", "read", "readv", "isatty"}, {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("set", "item") and \
                    getattr(node.args[0] if node.args else None, "id", "") in ("os", "io", "builtins"):
                name = getattr(node.args[1], "value", "any" if node.args[0].id != "builtins" else "")
                if name in {"any", *names}:
                    found.setdefault(path.relative_to(PACKAGE).as_posix(), set()).add(name)
    assert found == {}


# --- the interpreter ------------------------------------------------------------------------------
def test_an_import_leaves_its_finder_and_nothing_else(tmp_path):
    told = run(tmp_path, "before = state()\nimport shapeflow\n"
                         "print(*differences(before), sep='\\n')\n"
                         "print(sys.meta_path[-1].__module__, len(sys.meta_path))\n"
                         "import shapeflow.checker.patches as patches\nprint(patches.stack())")
    (left,), (finder, count, stack) = told[:-2], (*told[-2].split(), told[-1])
    assert (left, finder, stack) == (f"sys.meta_path[{int(count) - 1}]", "shapeflow", "[]")


CHECK = """
import shapeflow.checker.one_check as one_check
from shapeflow.checker.options import CheckOptions
import linecache, random, socket, subprocess, tempfile, multiprocessing.util, numpy, os
def once(script, **options):
    reports = []
    def deliver(report, out, err):
        reports.append(report)
        return report.status
    status = one_check.check(CheckOptions(script, **options), deliver)
    return status, [record.code for report in reports for record in report.records]
once("empty.py")  # imports what a check imports
os.stat_result, os.environ.get("x")
"""
EVERYTHING = """
import os, random, sys, multiprocessing.util, numpy as np
import tensorflow as tf
import helper, beside
os.stat("data/train.npy"), os.access("data/train.npy", os.R_OK), os.getenv("HOME"), np.load("data/train.npy")
np.float, np.bool
sys.path.append("/nowhere"); sys.argv.append("x"); sys.excepthook = print; sys.path_hooks
tf.matmul(tf.zeros([2, 3]), tf.placeholder(tf.float32, [4, 5]))
"""
OPTIONS = ("tf_version='1.15.0', record_reads=True, shapes=True, root='.', time_limit=30,"
           "data={'data/*.npy': {'shape': [3, 4], 'dtype': 'float32'}},"
           "overrides={os.path.abspath('beside.py'): 'y = 2\\n'}")
# What a check may leave: modules that the script has imported, and this name, to which they refer.
LEFT = ["builtins.__shapeflow_seen__"]


@pytest.fixture
def project(tmp_path):
    write(tmp_path, empty="import tensorflow as tf\n", everything=EVERYTHING, helper="x = 1\n",
          beside="y = 1\n", wrong=WRONG, right=RIGHT, broken="def (:\n",
          failing="import tensorflow as tf\n1 / 0\n", leaves="import sys\nsys.exit(3)\n")
    return tmp_path


def test_a_check_in_process_leaves_the_interpreter_as_it_was(project):
    told = run(project, CHECK + "before = state()\n"
               f"print(once('everything.py', {OPTIONS}))\n"
               "print(*differences(before), sep='\\n')")
    assert told[0] == "(1, ['SF101'])" and told[1:] == LEFT


def test_two_checks_see_the_same(project):
    told = run(project, CHECK + "import importlib\nbefore = state()\n"
               "for _ in range(2):\n"
               f"    print(once('everything.py', {OPTIONS}))\n"
               "    for name in 'helper', 'beside':\n        sys.modules.pop(name)\n"
               "print(*differences(before), sep='\\n')")
    assert told[:2] == ["(1, ['SF101'])"] * 2 and told[2:] == LEFT


@pytest.mark.parametrize("script, status", [("broken.py", 3), ("failing.py", 3), ("leaves.py", 3),
                                            ("wrong.py", 1), ("nowhere.py", 2)])
def test_a_check_that_fails_leaves_the_interpreter_as_it_was(project, script, status):
    told = run(project, CHECK + f"before = state()\nprint(once({script!r}, {OPTIONS})[0])\n"
               "print(*differences(before), sep='\\n')")
    assert told[0] == str(status) and told[1:] in ([""], LEFT)


def test_a_check_in_which_we_fail_leaves_the_interpreter_as_it_was(project):
    told = run(project, CHECK + "import shapeflow.api.use_log as usage\n"
               "def broken(): raise RuntimeError('ours')\n"
               "usage.start = broken\nbefore = state()\n"
               f"try:\n    once('right.py', {OPTIONS})\nexcept RuntimeError as error:\n    print(error)\n"
               "print(*differences(before), sep='\\n')")
    assert told[0] == "ours" and told[1:] == LEFT


def test_a_text_of_an_editor_is_forgotten(project):
    told = run(project, CHECK + "path = os.path.abspath('wrong.py')\nlines = linecache.getlines(path)\n"
               "text = open('right.py').read()\n"
               "print(once('wrong.py', overrides={path: text})[0], linecache.getlines(path) == lines)\n"
               "path = os.path.abspath('helper.py')\n"
               "once('right.py', overrides={path: 'y = 3\\n'})\n"
               "sys.path.insert(0, '.')\nimport helper\n"
               "print(path in linecache.cache, vars(helper).get('x'))")
    assert told == ["0 True", "False 1"]


def test_what_a_script_puts_on_top_of_ours_is_not_lost(project):
    """And what it made of ours works on, as if ours were not there."""
    write(project, on_top="""
import os, numpy as np
import tensorflow as tf
before_stat, before_load = os.stat, np.load
def stat(*args, **kwargs):
    return before_stat(*args, **kwargs)
def load(path):
    return before_load(path, allow_pickle=True)
os.stat, np.load = stat, load
from os import access as copied
assert os.path.exists("data/train.npy") and np.load("data/train.npy").shape == (3, 4)
assert copied("data/train.npy", os.R_OK)
""")
    told = run(project, CHECK + f"before = state()\nprint(once('on_top.py', {OPTIONS}))\n"
               "print(*differences(before), sep='\\n')\n"
               "print(os.path.exists('data/train.npy'), os.path.exists('on_top.py'))\n"
               "try:\n    numpy.load('data/train.npy')\nexcept FileNotFoundError:\n    print('missing')\n"
               "numpy.save('on_top.npy', numpy.zeros(2))\nprint(numpy.load('on_top.npy'))")
    told = [line for line in told if not line.endswith("__defaults__")]
    assert told == ["(0, [])", *LEFT, "numpy.load", "os.stat", "False True", "missing", "[0. 0.]"]


def test_a_real_tensorflow_is_back_after_a_check(project):
    (project / "site" / "tensorflow").mkdir(parents=True)
    (project / "site" / "tensorflow" / "__init__.py").write_text("real = True\n")
    told = run(project, "sys.path.insert(0, 'site')\nimport tensorflow\n" + CHECK
               + "print(once('right.py', tf_version='1.15.0'))\n"
               "import tensorflow as again\nprint(again is tensorflow, again.real)")
    assert told == ["(0, [])", "True True"]


NOTEBOOK = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
for cell in "1", "import numpy":
    shell.run_cell(cell)
import shapeflow, shapeflow.notebook.extension, shapeflow.api.modules, shapeflow.notebook.ipynb
import shapeflow.checker.findings
before = state()
for _ in range(2):
    for cell in ("%load_ext shapeflow", "import tensorflow as tf\\nx = tf.placeholder(tf.float32, [2, 3])",
                 "tf.nn.relu(x);", "%unload_ext shapeflow"):
        shell.run_cell(cell)
"""


def test_a_notebook_that_unloads_us_has_its_interpreter_back(tmp_path):
    pytest.importorskip("IPython")
    told = run(tmp_path, NOTEBOOK + "told = [name for name in differences(before)\n"
               "        if name.partition('.')[0] not in ('IPython', 'traitlets', 'site', 'atexit')]\n"
               "print('changed', *told)\nprint('tensorflow' in sys.modules)", IPYTHONDIR=str(tmp_path))
    assert told[-2:] == ["changed", "False"]


def test_a_check_in_a_notebook_that_is_loaded(project):
    """The scopes nest: after the check, the notebook's tensorflow is there again."""
    told = run(project, CHECK + """
import shapeflow.checker.import_hook as hook
from shapeflow.checker.patches import PatchError, Scope
notebook = Scope("notebook")
hook.replace_tensorflow(notebook.by("notebook.extension", "a test"))
import tensorflow
inside = state()
print(once("wrong.py", tf_version="1.15.0"), sys.modules["tensorflow"] is tensorflow)
print(*[name for name in differences(inside) if not name.startswith("tensorflow.")])
with Scope("script"):
    try:
        notebook.close()
    except PatchError as error:
        print(error)
""")
    assert told == ["(1, ['SF101']) True", "",
                    "the scope 'notebook' cannot be closed before 'script', opened after it"]


# --- nobody does it by himself --------------------------------------------------------------------
# Files that change their interpreter without the stack, and what.
ALONE = {
    # the one finder, which an import leaves for `import shapeflow.nn`; a check takes its sources out again
    "__init__.py": {"_sys.meta_path.append"},  # what an import leaves, for `import shapeflow.nn`
    "module_finder.py": {"sys.meta_path.insert", "sys.meta_path.remove"},  # takes its place
    "api/modules.py": {"module.__spec__"},  # what it was, of a module that has a second name
    "cli.py": {"setattr(sys)"},  # the command's own process, which lacks a stream
    "checker/import_hook.py": {"module.__loader__", "module.__spec__.loader"},  # as the import would set them
    # modules of its own making, as the import would set them
    "checker/lazy_imports.py": {"module.__class__", "module.__loader__"},
    "checker/loops/cycles.py": {"warnings.simplefilter"},  # within catch_warnings
    "checker/python2_source.py": {"warnings.simplefilter"},  # within catch_warnings
    "checker/worker_programs.py": {"os.environ.setdefault"},  # of a worker, as in the process that started it
    "backends/worker/serve.py": {
        "os.environ.setdefault",
        "os.environ['KERAS_BACKEND']",
        "warnings.simplefilter",
    },
    "lsp/checks.py": {"warnings.simplefilter"},  # within catch_warnings
    # in processes of real TensorFlow, which run nothing else
    "numeric/worker/replays.py": {"sys.path[:]"},
    "numeric/worker/serve.py": {"os.environ.setdefault", "warnings.simplefilter"},
    "tensorflow/compat/evidence.py": {"warnings.simplefilter"},  # within catch_warnings
    "notebook/extension.py": {"sys.modules[name]"},  # modules of ours, of another version
    "worker_start.py": {"sys.path[:]", "sys.modules[NAME]"},
    # For the time of one run of a body, and put back by the same object.
    "tensorflow/python/eager/python_effects.py": {"sys.stdout", "sys.stderr"},
}
INTERPRETER = {"os", "io", "_io", "posix", "sys", "builtins", "importlib", "subprocess", "multiprocessing",
               "warnings", "threading", "_thread", "time", "random", "numpy", "np", "socket", "signal",
               "tempfile", "shutil", "bootstrap", "SourceFileLoader", "module", "util", "_sys", "_os"}
METHODS = {"insert", "append", "extend", "remove", "pop", "update", "setdefault", "clear"}
SHARED = {"meta_path", "path_hooks", "path_importer_cache", "modules", "environ", "cache"}


def _name(node):
    """`sys` of `sys.path[0]`; of vars(sys) too."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "vars" and node.args:
        return _name(node.args[0])
    return getattr(node, "id", "")


def _undone(tree):
    """Nodes of the functions that tell the stack how to undo what they do."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(
                isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "also"
                for call in ast.walk(node)):
            yield from ast.walk(node)


def _changes(tree):
    """What the code changes of the interpreter, as text, and does not undo through the stack."""
    undone = set(_undone(tree))
    for node in ast.walk(tree):
        if node in undone:
            continue
        targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else \
            [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []
        for target in targets:
            for inner in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(inner, (ast.Attribute, ast.Subscript)) and _name(inner) in INTERPRETER:
                    yield ast.unparse(inner)
        if not isinstance(node, ast.Call):
            continue
        words = ast.unparse(node.func)
        if words in ("setattr", "delattr") and _name(node.args[0]) in INTERPRETER:
            yield f"setattr({ast.unparse(node.args[0])})"
        elif words in ("sys.settrace", "sys.setprofile", "threading.settrace", "sys.setrecursionlimit",
                       "atexit.register", "warnings.simplefilter", "warnings.filterwarnings"):
            yield words
        elif isinstance(node.func, ast.Attribute) and node.func.attr in METHODS and (
                getattr(node.func.value, "attr", "") in SHARED and _name(node.func) in INTERPRETER
                or ast.unparse(node.func.value).startswith("vars(") and _name(node.func) in INTERPRETER):
            yield words


@pytest.mark.source
def test_nobody_patches_by_himself():
    found = {}
    for path in PACKAGE.rglob("*.py"):
        changed = set(_changes(ast.parse(path.read_text())))
        if changed:
            found[path.relative_to(PACKAGE).as_posix()] = changed
    assert found == ALONE


def test_the_search_for_patches_finds_them():
    code = ("os.stat = 1\nsys.modules['x'] = 2\nsys.meta_path.insert(0, 3)\nsys.path[:] = []\n"
            "setattr(os, 'x', 1)\nvars(os).update(x=1)\nvars(os)['x'] = 1\ndel sys.modules['x']\n"
            "os.a, x = 1, 2\nsys.settrace(None)\nx.stat = os.stat\nos.environ.get('x')\n")
    assert len(list(_changes(ast.parse(code)))) == 10


def test_each_owner_is_a_module_that_patches():
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text() for path in PACKAGE.rglob("*.py")}
    for owner in OWNERS:
        assert owner.replace(".", "/") + ".py" in texts, owner
        users = [name for name, text in texts.items() if f'"{owner}"' in text]
        assert set(users) - {"checker/patches.py"}, owner
    assert len(set(OWNERS)) == len(OWNERS)


def test_what_the_sandbox_patches_is_on_the_stack(tmp_path):
    """Each with an owner and a reason, and in order; it is never undone."""
    told = run(tmp_path, "import os\nreal = [os.stat]\nfrom shapeflow.sandbox import redirect, reproducible\n"
               "from shapeflow.checker.patches import OWNERS, stack\n"
               "os.mkdir('scratch')\nreproducible.start()\nredirect.install('scratch')\n"
               "import random, sqlite3, multiprocessing.util\n"
               "print(len({patch.by.owner for patch in stack()} & {'sandbox.redirect', 'sandbox.patching',\n"
               "          'sandbox.reproducible'}), all(patch.by.reason for patch in stack()))\n"
               "patch = next(patch for patch in stack() if 'os.stat ' in repr(patch))\n"
               "print(os.stat.real is real[0], os.stat.is_seen, patch)")
    assert told == ["3 True", "True True os.stat (sandbox.redirect: what is written goes to a scratch "
                    "folder)"]


# --- beside the patches ---------------------------------------------------------------------------
@pytest.mark.source
def test_the_fingerprint_of_the_cache_covers_every_file(tmp_path, monkeypatch):
    import shutil

    copy = tmp_path / "shapeflow"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "_PACKAGE", str(copy))
    known = cache.fingerprint()
    assert cache.fingerprint() == known
    paths = sorted(path for path in copy.rglob("*") if path.is_file())
    assert len(paths) > 250 and {".py", ".so", ".txt"} <= {path.suffix for path in paths}
    for path in paths:
        seen = path.stat()
        os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns + 1))
        now = cache.fingerprint()
        assert now != known, path
        known = now
    (copy / "checker" / "new.py").write_text("")
    assert cache.fingerprint() != known


def test_one_definition_of_library_code():
    standard, ours = os.path.dirname(os.__file__), str(PACKAGE)
    yes = [os.__file__, random.__file__, standard + "/json/decoder.py", ours + "/checker/check.py",
           "/home/me/venv/lib/python3.9/site-packages/numpy/core.py", "/usr/lib/python3/dist-packages/six.py",
           "mtrand.pyx", standard + "/site-packages/x.py"]
    no = ["/home/me/train.py", "/home/me/site-packages.py", standard + "_mine/x.py",
          "/home/me/shapeflow/x.py"]
    assert [path for path in yes if not library_frames.is_library(path)] == []
    assert [path for path in no if library_frames.is_library(path)] == []
    script = "/home/me/site-packages/tool/train.py"
    assert not library_frames.is_library("/home/me/site-packages/other/x.py", script)
    assert library_frames.is_library(os.__file__, script)
    assert library_frames.is_library("/opt/site-packages/x.py", script)
