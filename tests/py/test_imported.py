"""Acting on modules as a script imports them."""
import copy
import importlib
import importlib.util
import pickle
import sys

import pytest

from shapeflow._imported import act_on


@pytest.fixture
def names(tmp_path, monkeypatch):
    """Two modules that nobody has imported."""
    monkeypatch.setattr(sys, "meta_path", [f for f in sys.meta_path if not hasattr(f, "wanted")])
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("sf_first", "sf_second"):
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    importlib.invalidate_caches()
    yield "sf_first", "sf_second"
    for name in ("sf_first", "sf_second"):
        sys.modules.pop(name, None)


def test_after_the_import_and_after_each(names):
    seen = []
    act_on("a", {"sf_first": lambda module: seen.append(module.x)})
    assert seen == []
    module = importlib.import_module("sf_first")
    importlib.import_module("sf_second")
    assert seen == [1]
    importlib.reload(module)
    assert seen == [1, 1]
    del sys.modules["sf_first"]
    importlib.import_module("sf_first")
    assert seen == [1, 1, 1]


def test_at_once_on_what_is_there(names):
    seen = []
    module = importlib.import_module("sf_first")
    act_on("a", {"sf_first": seen.append})
    assert seen == [module]


def test_all_who_want_to_in_their_order(names):
    seen = []
    for who in ("a", "b", "c"):
        act_on(who, {"sf_first": lambda module, who=who: seen.append(who)})
    importlib.import_module("sf_first")
    assert seen == ["a", "b", "c"]
    assert sum(hasattr(finder, "wanted") for finder in sys.meta_path) == 1


def test_who_asks_again_wants_nothing_else(names):
    seen = []
    act_on("a", {name: lambda module: seen.append("old") for name in names})
    act_on("a", {"sf_second": lambda module: seen.append("new")})
    for name in names:
        importlib.import_module(name)
    assert seen == ["new"]


def test_the_loader_of_many_modules_is_left_alone(names):
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

    sys.meta_path.insert(0, Finder)
    seen, before = [], dict(vars(Loader))
    act_on("a", {"sf_first": seen.append})
    assert copy.deepcopy(importlib.util.find_spec("sf_first").loader).create_module(None) is None
    first, second = map(importlib.import_module, names)
    assert seen == [first] and first.x == second.x == 2
    assert first.__loader__ is first.__spec__.loader is Loader and dict(vars(Loader)) == before


def test_a_loader_with_slots_and_one_without_exec_module(names):
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

    sys.meta_path.insert(0, Finder)
    seen = []
    act_on("a", dict.fromkeys(names, seen.append))
    first = importlib.import_module("sf_first")
    assert seen == [first] and type(first.__loader__) is Slots
    if sys.version_info < (3, 12):  # later ones refuse it by themselves
        importlib.import_module("sf_second")
    assert seen == [first]


def test_a_script_may_keep_the_loader(names):
    seen = []
    act_on("a", {"sf_first": seen.append})
    spec = importlib.util.find_spec("sf_first")
    assert spec.origin.endswith("sf_first.py") and seen == []
    loader = spec.loader
    assert {type(pickle.loads(pickle.dumps(loader))), type(copy.deepcopy(loader))} == {type(loader)}
    module = importlib.import_module("sf_first")
    assert seen == [module]
    assert type(pickle.loads(pickle.dumps(module.__loader__))) is type(module.__loader__)
    assert "exec_module" not in vars(copy.copy(module.__loader__))


def test_what_is_not_there_stays_so(names):
    act_on("a", {"sf_third": lambda module: None})
    with pytest.raises(ImportError):
        importlib.import_module("sf_third")
