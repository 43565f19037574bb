"""The finder of a check: acting on modules as a script imports them, and making those that are missing."""
import copy
import importlib
import importlib.util
import pickle
import subprocess
import sys
import types

import pytest

from shapeflow import module_finder
from shapeflow.checker import import_hook
from shapeflow.checker.patches import Scope
from shapeflow.module_finder import FINDER, Finder


@pytest.fixture
def scope():
    with Scope("test") as scope:
        yield scope


@pytest.fixture
def act_on(scope):
    """act_on(acts), of functions that take the module only."""
    def ask(acts):
        by = scope.by("checker.check", "a test")
        import_hook.act_on(by, {name: lambda module, by, act=act: act(module) for name, act in acts.items()})
    return ask


@pytest.fixture
def names(tmp_path, monkeypatch):
    """Two modules that nobody has imported."""
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("sf_first", "sf_second"):
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    importlib.invalidate_caches()
    yield "sf_first", "sf_second"
    for name in ("sf_first", "sf_second"):
        sys.modules.pop(name, None)


def put_in_front(finder):
    """Of all but ours, which other tests of this process may have left in front: Keras stays followed."""
    sys.meta_path.insert(int(sys.meta_path[0] is FINDER), finder)


def test_before_a_package_runs(names, scope):
    by = scope.by("checker.check", "a test")
    seen = []
    import_hook.act_before(by, "sf_first", lambda: seen.append("sf_first" in sys.modules))
    import_hook.act_before(by, "sys", lambda: seen.append("sys"))
    assert seen == ["sys"]
    importlib.import_module("sf_second")
    assert seen == ["sys"]
    module = importlib.import_module("sf_first")
    importlib.reload(module)
    assert seen == ["sys", False]


def test_after_the_import_and_after_each(names, act_on):
    seen = []
    act_on({"sf_first": lambda module: seen.append(module.x)})
    assert seen == []
    module = importlib.import_module("sf_first")
    importlib.import_module("sf_second")
    assert seen == [1]
    importlib.reload(module)
    assert seen == [1, 1]
    del sys.modules["sf_first"]
    importlib.import_module("sf_first")
    assert seen == [1, 1, 1]


def test_at_once_on_what_is_there(names, act_on):
    seen = []
    module = importlib.import_module("sf_first")
    act_on({"sf_first": seen.append})
    assert seen == [module]


def test_all_who_want_to_in_their_order(names, act_on):
    seen = []
    for who in ("a", "b", "c"):
        act_on({"sf_first": lambda module, who=who: seen.append(who)})
    importlib.import_module("sf_first")
    assert seen == ["a", "b", "c"]
    assert [finder for finder in sys.meta_path if isinstance(finder, Finder)] == [FINDER]


def test_who_is_gone_wants_nothing(names, act_on):
    seen = []
    act_on({"sf_first": lambda module: seen.append("outer")})
    with Scope("inner") as inner:
        import_hook.act_on(inner.by("checker.check", "a test"),
                           {name: lambda module, by: seen.append("inner") for name in names})
        importlib.import_module("sf_first")
        assert seen == ["outer", "inner"]
    del sys.modules["sf_first"]
    for name in names:
        importlib.import_module(name)
    assert seen == ["outer", "inner", "outer"]


def test_the_finder_is_in_front_until_the_last_has_gone():
    before = list(sys.meta_path)
    others = [finder for finder in before if finder is not FINDER]
    with Scope("outer") as outer:
        import_hook.replace_tensorflow(outer.by("checker.import_hook", "a test"))
        with Scope("inner") as inner:
            import_hook.act_on(inner.by("checker.check", "a test"), {"sf_first": lambda module, by: None})
            assert sys.meta_path == [FINDER, *others]
        assert sys.meta_path == [FINDER, *others]
    assert sys.meta_path == before


def test_tensorflow_is_ours_for_a_while(monkeypatch):
    real = types.ModuleType("tensorflow")
    monkeypatch.setitem(sys.modules, "tensorflow", real)
    monkeypatch.setitem(sys.modules, "tensorflow_datasets", real)
    for _ in range(2):
        with Scope("outer") as scope:
            import_hook.replace_tensorflow(scope.by("checker.import_hook", "a test"))
            ours = importlib.import_module("tensorflow")
            with Scope("inner") as inner:
                import_hook.replace_tensorflow(inner.by("checker.import_hook", "a test"))
                assert importlib.import_module("tensorflow.nn").__name__.endswith("nn")
            assert ours is not real and sys.modules["tensorflow"] is ours
            assert "tensorflow.nn" not in sys.modules
        assert sys.modules["tensorflow"] is sys.modules["tensorflow_datasets"] is real


def test_what_nobody_finds_is_made(names, scope):
    def make(name):
        loader = import_hook.Loader(fill=lambda module: setattr(module, "x", "made"))
        return importlib.util.spec_from_loader(name, loader, is_package=True)

    with Scope("inner") as inner:
        import_hook.make_missing(inner.by("tensorflow.compat.python2", "a test"),
                                 {"sf_first": make, "sf_third": make, "sf_third.deep": make})
        assert importlib.import_module("sf_first").x == 1  # there is one
        assert importlib.import_module("sf_third.deep").x == importlib.import_module("sf_third").x == "made"
    assert "sf_first" in sys.modules and "sf_third" not in sys.modules and "sf_third.deep" not in sys.modules
    with pytest.raises(ImportError):
        importlib.import_module("sf_third")


def test_the_loader_of_many_modules_is_left_alone(names, act_on):
    """Built-in modules share one, and in some Pythons nearly all of C are built in."""
    class Loader:
        @staticmethod
        def create_module(spec):
            return None

        @staticmethod
        def exec_module(module):
            module.x = 2

    class Finder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            return importlib.util.spec_from_loader(name, Loader) if name in names else None

    put_in_front(Finder)
    seen, before = [], dict(vars(Loader))
    act_on({"sf_first": seen.append})
    assert copy.deepcopy(importlib.util.find_spec("sf_first").loader).create_module(None) is None
    first, second = map(importlib.import_module, names)
    assert seen == [first] and first.x == second.x == 2
    assert first.__loader__ is first.__spec__.loader is Loader and dict(vars(Loader)) == before


def test_a_loader_with_slots_and_one_without_exec_module(names, act_on):
    class Slots:
        __slots__ = ()

        def create_module(self, spec):
            return None

        def exec_module(self, module):
            module.x = 2

    class Old:
        def load_module(self, name):
            return sys.modules.setdefault(name, type(sys)(name))

    class Finder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            loader = {"sf_first": Slots, "sf_second": Old}.get(name)
            return loader and importlib.util.spec_from_loader(name, loader())

    put_in_front(Finder)
    seen = []
    act_on(dict.fromkeys(names, seen.append))
    first = importlib.import_module("sf_first")
    assert seen == [first] and type(first.__loader__) is Slots
    if sys.version_info < (3, 12):  # later ones refuse it by themselves
        importlib.import_module("sf_second")
    assert seen == [first]


def test_a_script_may_keep_the_loader(names, act_on):
    seen = []
    act_on({"sf_first": seen.append})
    spec = importlib.util.find_spec("sf_first")
    assert spec.origin.endswith("sf_first.py") and seen == []
    loader = spec.loader
    assert {type(pickle.loads(pickle.dumps(loader))), type(copy.deepcopy(loader))} == {type(loader)}
    module = importlib.import_module("sf_first")
    assert seen == [module]
    assert type(pickle.loads(pickle.dumps(module.__loader__))) is type(module.__loader__)
    assert "exec_module" not in vars(copy.copy(module.__loader__))


def test_what_is_not_there_stays_so(names, act_on):
    act_on({"sf_third": lambda module: None})
    with pytest.raises(ImportError):
        importlib.import_module("sf_third")


# --- the order of the finder's sources --------------------------------------------------------------
def test_sources_are_asked_in_their_order_whoever_comes_first(monkeypatch):
    """Those of one place in the order in which they came, others' finders between the two groups."""
    asked, finder = [], Finder()

    class Other:
        @staticmethod
        def find_spec(name, path=None, target=None):
            asked.append("others")

    monkeypatch.setattr(sys, "meta_path", [Other])
    removes = [finder.add(source, lambda name: name == "sf_first",
                          lambda name, source=source: asked.append(source))
               for source in (*module_finder.AFTER[::-1], *module_finder.BEFORE[::-1])]
    finder.find_spec("sf_first")
    assert asked == [*module_finder.BEFORE, "others", *module_finder.AFTER]
    asked.clear()
    assert finder.find_spec("sf_second") is None and asked == []
    for remove in removes:
        remove()
    finder.find_spec("sf_first")
    assert asked == []


def test_it_asks_only_the_finders_behind_it_and_steps_back_to_its_place(monkeypatch):
    asked, finder = [], Finder()

    class Other:
        def find_spec(self, name, path=None, target=None):
            asked.append(self)

    front, back, late = Other(), Other(), Other()
    monkeypatch.setattr(sys, "meta_path", [front])
    finder.add("names of shapeflow", lambda name: name == "sf_first", lambda name: None)
    sys.meta_path.append(back)
    finder.find_spec("sf_first")
    assert asked == [back]
    remove = finder.follow(lambda name: True, lambda spec: spec)
    assert sys.meta_path == [finder, front, back]
    sys.meta_path.append(late)
    finder.find_spec("sf_second")
    assert asked == [back, front, back, late]
    remove()
    assert sys.meta_path == [front, finder, back, late]


def test_the_finders_of_a_check_and_of_a_process_are_one(tmp_path):
    done = subprocess.run([sys.executable, "-c", "import sys, shapeflow\n"
                           "from shapeflow.checker import import_hook\n"
                           "from shapeflow.checker.patches import Scope\n"
                           "import shapeflow.api.installed_keras as keras\n"
                           "def ours(): return [at for at, one in enumerate(sys.meta_path)\n"
                           "                    if type(one).__module__.startswith('shapeflow')]\n"
                           "print(ours() == [len(sys.meta_path) - 1])\n"
                           "with Scope('a check') as scope:\n"
                           "    by = scope.by('checker.import_hook', 'a test')\n"
                           "    import_hook.replace_tensorflow(by)\n"
                           "    import_hook.find_last(by, 'a.py', lambda name, frame: None)\n"
                           "    print(ours())\n"
                           "print(ours() == [len(sys.meta_path) - 1])\n"
                           "keras._serve_process()\nprint(ours())\nimport tensorflow"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout.split("\n")[:-1] == ["True", "[0]", "True", "[0]"], done.stderr
