"""TensorFlow's own files as modules: `tensorflow.python.ops.math_ops` and its like, from the snapshots.

A name is looked up when it is first touched. It is, best first: the public object that it is (`ops.Graph` is
`tf.Graph`), where that is modelled; what a module of ours registered under the name of the file that
defines it (`put(f, "tensorflow.python.training.slot_creator.create_slot")`); a raw op, in the files that
TensorFlow's build generates; another module; the constant; else something unknown of its kind.
"""
from __future__ import annotations

import functools
import importlib
import os
import types
from importlib.machinery import ModuleSpec

from shapeflow import _core
from shapeflow.api import modelled, names, namespace, parameters, registry, snapshot, unmodelled_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.abc import Loader
    from typing import Any, Dict, Iterator, List, Optional, Set, Tuple
else:
    Loader = object  # importlib.abc is not worth its import time

MISSING = registry.MISSING
_ROOTS = ("tensorflow.", "tensorflow_estimator.")
_FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The private copy of what became a package. For years it was what tf.keras is, and many programs import it;
# 2.21 has a rest of it. Since a program seldom says which TensorFlow 2 it is for, what 1.15 has is found in
# all of them, and is what it was: the public object.
_COPIES = "tensorflow.python.keras"
# A file of ours: what a finding points at is the line that calls such a function.
_GENERATED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "<functions>")

_dict_of = vars(types.ModuleType)["__dict__"].__get__
_made: Dict[str, "SourceModule"] = {}
_values: Dict[str, Any] = {}


# --- which modules there are ----------------------------------------------------------------------
def _snapshots(path: str) -> List[snapshot.Snapshot]:
    """The snapshots that say whether the emulated version has a file, the closest first."""
    version = names.emulated()
    if (2, 0) <= version < (2, 16) or version >= (2, 0) and path.startswith(_COPIES):
        return [snapshot.of(snapshot.NEWEST), snapshot.of((1, 15))]
    return snapshot.nearest(version)


def _has(source: snapshot.Snapshot, path: str) -> bool:
    version = names.emulated()
    if source.version < (2, 0) <= version and not snapshot.was_kept(path):
        return False
    return source.block(path) is not None or source.has_below(path)


@functools.lru_cache(maxsize=4096)
def _is_native(path: str, version: Tuple[int, int]) -> bool:
    """Is it a module that is no Python (`_pywrap_tfe`), of which only the name is known?"""
    return path.count(".") > 1 and not any(_has(source, path) for source in _snapshots(path)) and any(
        source.is_imported(path) for source in _snapshots(path))


def exists(path: str) -> bool:
    """Does the emulated TensorFlow have that file or folder?"""
    if not (path + ".").startswith(_ROOTS):
        return False
    if any(_has(source, path) for source in _snapshots(path)) or _is_native(path, names.emulated()):
        return True
    # What came and went between two snapshots, and ours has.
    return names.emulated() < (2, 0) and registry.has_prefix(path, 1)


def module(path: str) -> Optional[SourceModule]:
    """The one module object of a path of the sources, None when the emulated version has no such file."""
    found = _made.get(path)
    if found is None and exists(path):
        found = _made[path] = SourceModule(path)
        _describe(found)
    return found


def forget() -> None:
    """Drops what was looked up: the emulated version changed."""
    _values.clear()
    for path, made in list(_made.items()):
        table = _dict_of(made)
        for name in [n for n in table if not n.startswith("__")]:
            del table[name]
        if exists(path):
            _describe(made)
        else:
            del _made[path]


class SourceModule(types.ModuleType):
    """A file or folder of TensorFlow's sources, empty until its names are touched."""

    def __dir__(self) -> List[str]:
        found = {name for name in _dict_of(self) if name != "__getattr__"}
        return sorted(found.union(_names(self.__name__)))

    @property
    def __dict__(self) -> Dict[str, object]:  # type: ignore[override]
        """Every name, resolved: `vars(module)`."""
        table: Dict[str, Any] = _dict_of(self)
        for name in _names(self.__name__):
            if name not in table:
                table[name] = getattr(self, name)
        return table


class _Loader(Loader):
    """Hands the import system the module that exists, and gives it its own spec back: one module may have
    several names (`tensorflow_core.python` is `tensorflow.python`)."""

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        made = module(spec.loader_state)
        if made is None:
            raise ModuleNotFoundError("No module named %r" % spec.name, name=spec.name)
        return made

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing to run: its names are looked up when they are touched."""
        if module.__spec__ is not None and module.__spec__.name != module.__name__:
            _describe(module)

    def is_package(self, name: str) -> bool:
        return any(source.has_below(name) for source in _snapshots(name))

    def get_source(self, name: str) -> None:
        return None

    def get_code(self, name: str) -> None:
        return None


_LOADER = _Loader()


def spec(path: str, name: Optional[str] = None) -> Optional[ModuleSpec]:
    """An import spec of a path of the sources, under another name if need be; None: no such file."""
    if not exists(path):
        return None
    is_package = any(source.has_below(path) for source in _snapshots(path))
    file = os.path.join(_FOLDER, *path.split("."), *["__init__"] * is_package) + ".py"
    made = ModuleSpec(name or path, _LOADER, origin=file, loader_state=path, is_package=is_package)
    made.has_location = True
    if is_package:
        made.submodule_search_locations = [registry.SEARCH_PATH + path]
    return made


def _describe(made: types.ModuleType) -> None:
    """Gives a module what the import system would have given it."""
    of = spec(made.__name__)
    assert of is not None
    table = _dict_of(made)
    table.update(__spec__=of, __loader__=of.loader, __package__=of.parent, __file__=of.origin,
                 __getattr__=functools.partial(_touched, made))
    table.pop("__path__", None)
    if of.submodule_search_locations is not None:
        table["__path__"] = of.submodule_search_locations


# --- the names of a module ------------------------------------------------------------------------
def _names(path: str) -> Set[str]:
    """All names of a module, those of its star imports too."""
    found: Set[str] = set()
    for source in _snapshots(path):
        block = source.block(path) if _has(source, path) else None
        if block is not None:
            found.update(block.lines)
            found.update(name for name, _ in _modules_in(block.modules + block.outside))
            for star in block.special:
                found |= _names(star)
    return found


def _modules_in(items: List[str]) -> Iterator[Tuple[str, str]]:
    """(name, path) of the modules that a module imports: "PATH" binds its last part, "PATH:NAME" NAME."""
    for item in items:
        path, _, bound = item.partition(":")
        yield bound or path.rpartition(".")[2], path


def _touched(made: types.ModuleType, name: str) -> object:
    """The `__getattr__` of a module."""
    path = made.__name__
    if name == "__all__":
        return sorted(n for n in _names(path) if not n.startswith("_"))
    value = MISSING if name.startswith("__") else lookup(path, name)
    if value is MISSING:
        raise AttributeError("module '%s' has no attribute '%s'" % (path, name))
    _dict_of(made)[name] = value
    return value


def lookup(path: str, name: str) -> object:
    """A name of a module of the sources; MISSING when the emulated version's does not have it."""
    for source in _snapshots(path):
        if _has(source, path):
            value = _in_snapshot(source, path, name)
            if value is not MISSING:
                return value
    below = module(path + "." + name)
    if below is not None:
        return below
    value = registry.find(path + "." + name, 1) if names.emulated() < (2, 0) else MISSING
    if value is MISSING and (names.emulated() not in snapshot.VERSIONS or _is_native(path, names.emulated())):
        # No list says what it has: nothing is known to be missing.
        return _unmodelled(snapshot.Entry(path + "." + name, "c" if name[:1].isupper() else "f", ""))
    return value


def of_root(name: str) -> object:
    """A private name of the package itself, such as `_major_api_version`; MISSING: there is none."""
    for source in snapshot.nearest(names.emulated()):
        value = _in_snapshot(source, "tensorflow", name)
        if value is not MISSING:
            return value
    return MISSING


def of_dotted(dotted: str) -> object:
    """What "tensorflow.python.ops.math_ops.add" or a module's own name leads to; MISSING: nothing."""
    made = module(dotted)
    if made is not None:
        return made
    path, _, name = dotted.rpartition(".")
    return lookup(path, name) if exists(path) else MISSING


def _in_snapshot(source: snapshot.Snapshot, path: str, name: str) -> object:
    block = source.block(path)
    if block is None:
        return MISSING
    if name in block.lines:
        entry = source.entry(path + "." + name)
        return MISSING if entry is None else _value(source, path + "." + name, entry)
    for bound, where in _modules_in(block.modules):
        if bound == name:
            full = source.full_path(where)
            return module(full) or _namespace(full)
    for bound, where in _modules_in(block.outside):
        if bound == name:
            return outside(where)
    for star in block.special:  # after its own: a file of a star import may hold another module of that name
        value = _in_snapshot(source, star, name)
        if value is not MISSING:
            return value
    return MISSING


def _value(source: snapshot.Snapshot, asked: str, entry: snapshot.Entry) -> Any:
    """The object of an entry; `asked` is the name under which a module has it."""
    last = asked.rpartition(".")[2]
    own = entry.dotted.rpartition(".")[2]
    if entry.dotted.startswith("tf.") and (modelled.find(*_api_of(entry.dotted)) is not MISSING
                                           or defined(entry) is not MISSING):
        return _public(entry.dotted)
    for place in (asked, entry.dotted, entry.home and entry.home + "." + own):
        value = _registered(place) if place and place.startswith(_ROOTS) else MISSING
        if value is not MISSING:
            return _as_tensorflow(value, entry)
    if entry.dotted in _values:
        return _values[entry.dotted]
    value = _of_kind(source, last, entry)
    _values[entry.dotted] = value
    return value


def _of_kind(source: snapshot.Snapshot, last: str, entry: snapshot.Entry) -> object:
    if entry.kind == "x":
        where, _, name = entry.dotted.rpartition(".")
        return _of_other_package(where, name)
    if entry.kind == "m":
        return module(entry.dotted) or _namespace(entry.dotted.replace("tf", "tensorflow", 1)
                                                  if entry.dotted.startswith("tf.") else entry.dotted)
    if entry.dotted.startswith("tf."):
        value = raw_function(entry) if not entry.dotted.startswith("tf.raw_ops.") else MISSING
        return value if value is not MISSING else _public(entry.dotted)
    if entry.kind == "v":
        return _constant(entry.rest)
    value = raw_function(entry)
    if value is MISSING and entry.dotted.startswith(_COPIES):
        value = _what_it_was(entry)
    if value is MISSING and source.version < (2, 0):
        value = _of_version_2(entry)
    return value if value is not MISSING else _unmodelled(entry)


def _of_version_2(entry: snapshot.Entry) -> object:
    """A function that TensorFlow 1 had already and made public as TensorFlow 2's alone
    (`math_ops.reduce_sum`, where tf.reduce_sum is `reduce_sum_v1`); MISSING for any other."""
    later = snapshot.of(snapshot.NEWEST).entry(entry.dotted)
    if later is None or entry.kind != "f" or later.kind != "f" or not later.dotted.startswith("tf.") or \
            later.dotted.startswith("tf.compat.") or not entry.signature or \
            [*_parameters(entry.signature)] != [*_parameters(later.signature)]:
        return MISSING
    value = modelled.find(later.dotted, 2)
    if value is MISSING or isinstance(value, type):
        return MISSING
    from shapeflow.api import binding

    return binding.function(value, entry.dotted, entry, 2)


def defined(entry: snapshot.Entry) -> Any:
    """What ours has in the place of the file that defines a public name which is not modelled as such."""
    if not entry.home:
        return MISSING
    value = _registered(entry.home + "." + entry.dotted.rpartition(".")[2])
    if value is MISSING and entry.home.endswith("_pb2"):  # a message whose public name is another
        lists = names.source_of(entry)
        home = lists.block(entry.home) if lists is not None else None
        for name, rest in home.lines.items() if home is not None else ():
            if rest == "= " + entry.dotted:
                return _registered(entry.home + "." + name)
    return value if value is not MISSING or ".gen_" not in entry.home else raw_function(entry)


def _registered(dotted: str) -> object:
    """What a module of ours registered under a path of the sources, for either API."""
    value = registry.find(dotted, 2 if names.emulated() >= (2, 0) else 1)
    return value if value is not MISSING else registry.find(dotted, 1 if names.emulated() >= (2, 0) else 2)


def _as_tensorflow(value: Any, entry: snapshot.Entry) -> object:
    """A private function or class of ours, with TensorFlow's parameters and members."""
    is_class = isinstance(value, type)
    if entry.kind not in ("c", "f") or not is_class and not isinstance(value, types.FunctionType):
        return value
    from shapeflow.api import binding

    api = 2 if names.emulated() >= (2, 0) else 1
    if not is_class:
        return binding.function(value, entry.dotted, entry, api)
    if entry.kind == "f":
        return binding.function_of_class(value, entry.dotted, entry, api)
    # A class that is a public one as well has the parameters of that.
    if not any(name.startswith("tf.") and names.exists(name, api) for name in registry.names_of(value)):
        binding.prepare_class(value, entry, api)
    return value


def _api_of(dotted: str) -> Tuple[str, int]:
    """A public name of a snapshot as our tables know it: its name and the API that it is of."""
    if dotted.startswith("tf.compat.v2."):
        return "tf" + dotted[len("tf.compat.v2"):], 2
    return names.place(dotted, 1)


def _public(dotted: str) -> object:
    """A public object, a member of a public class too."""
    asked, api = _api_of(dotted)
    value = namespace.resolve(asked, api)
    if value is MISSING and "." in asked:
        owner, _, name = asked.rpartition(".")
        held = namespace.resolve(owner, api)
        value = getattr(held, name, MISSING) if held is not MISSING else MISSING
    return value if value is not MISSING else _unmodelled(snapshot.Entry(dotted, "f", ""))


def _namespace(path: str) -> object:
    """A module that is a public namespace and no file: `import tensorflow as tf` within the sources."""
    from shapeflow.api import modules

    found = modules.resolve_module(path)
    return found if found is not None else _unmodelled(snapshot.Entry(path, "f", ""))


def _what_it_was(entry: snapshot.Entry) -> object:
    """The public object that a private copy once was: 1.15's file says which."""
    before = snapshot.of((1, 15)).entry(entry.dotted)
    if before is None or not before.dotted.startswith("tf."):
        return MISSING
    if modelled.find(*_api_of(before.dotted)) is MISSING:
        return MISSING
    value = _public(before.dotted)
    if isinstance(value, type) and before.kind == "c":  # no list of TensorFlow 2 says what it has
        from shapeflow.api import binding

        binding.prepare_class(value, before, 1)
    return value


# --- objects that are not ours --------------------------------------------------------------------
def outside(name: str) -> types.ModuleType:
    """A module of another package; unknown where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        made = types.ModuleType(name)
        vars(made)["__getattr__"] = lambda attr: _of_missing_module(name, attr)
        return made


def _of_missing_module(where: str, name: str) -> object:
    if name.startswith("__"):
        raise AttributeError("module '%s' has no attribute '%s'" % (where, name))
    return _unknown(where + "." + name)


def _unknown(dotted: str) -> Any:
    """What is of another package that is not here: a class, by its name, or anything else."""
    return _unmodelled(snapshot.Entry(dotted, "c" if dotted.rpartition(".")[2][:1].isupper() else "f", ""))


def _of_other_package(where: str, name: str) -> object:
    try:
        value = getattr(importlib.import_module(where), name, MISSING)
    except ImportError:
        value = MISSING
    if value is MISSING and where == "collections":  # they moved in Python 3.3, and left in 3.10
        value = getattr(importlib.import_module("collections.abc"), name, MISSING)
    return value if value is not MISSING else _unknown(where + "." + name)


def _constant(text: str) -> object:
    value = snapshot.literal(text)
    return value[0] if value is not None else "..."  # too long to be written down: a text for people


def _unmodelled(entry: snapshot.Entry) -> object:
    """What is not modelled: unknown, but of its kind."""
    api = 2 if names.emulated() >= (2, 0) else 1
    return unmodelled_names.make(entry.dotted, entry, api, namespace.resolve)


# --- the files that TensorFlow's build generates --------------------------------------------------
def _parameters(signature: str) -> Dict[str, str]:
    """The parameters of a signature and the texts of their defaults, "" for none."""
    return {name: default for name, _, default in parameters.parse(signature)}


def _lower_case(op: str) -> str:
    """The name of an op's function: MatMul -> mat_mul, as TensorFlow's python_op_gen.cc writes it."""
    out = []
    for at, letter in enumerate(op):
        if letter.isupper() and at and (op[at - 1].islower() or op[at + 1:at + 2].islower()):
            out.append("_")
        out.append(letter.lower())
    return "".join(out)


@functools.lru_cache(maxsize=None)
def _ops_by_function() -> Dict[str, str]:
    return {_lower_case(op): op for op in _core.raw_op_names()}


def raw_function(entry: snapshot.Entry) -> object:
    """The function of an op that a generated file (gen_math_ops...) defines; MISSING for any other name.

    It takes what TensorFlow's takes, in its order, and gives it to the raw op."""
    dotted = entry.dotted
    home = entry.home or dotted.rpartition(".")[0]
    last = home.rpartition(".")[2]
    if entry.kind != "f" or not last.startswith("gen_") or not entry.signature:
        return MISSING
    name = dotted.rpartition(".")[2]
    op = _ops_by_function().get(name.lstrip("_"))
    raw = None if op is None else _core.raw_op(op)
    return MISSING if raw is None else _function_of(name, home, raw, entry.signature)


@functools.lru_cache(maxsize=None)
def _function_of(name: str, home: str, raw: Any, signature: str) -> object:
    texts = _parameters(signature)
    defaults = {p: _default(text) for p, text in texts.items() if text}
    word: Dict[str, str] = {}  # the raw op's name of each parameter

    def call(values: Dict[str, Any]) -> Any:
        if not word:
            import inspect

            # Old versions called some by another name: those are the ones at the same place.
            taken = list(inspect.signature(raw).parameters)
            word.update({p: p for p in texts if p in taken})
            word.update(zip([p for p in texts if p not in taken], [p for p in taken if p not in texts]))
        return raw(**{word[p]: value for p, value in values.items() if p in word and not (
            p in defaults and (value is None or value is defaults[p]))})

    head = ", ".join(p + ("=_defaults[%r]" % p if text else "") for p, text in texts.items())
    scope: Dict[str, Any] = {"_defaults": defaults, "_call": call, "__name__": home}
    text = "def %s(%s):\n    return _call(locals())" % (name, head)  # from our own list of names
    exec(compile(text, _GENERATED, "exec"), scope)
    made = scope[name]
    made.__doc__ = "The op %s of TensorFlow." % raw.__name__
    return made


def _default(text: str) -> object:
    if text == "...":
        return None
    if text.startswith("tf."):
        return _public(text)
    return _constant(text)
