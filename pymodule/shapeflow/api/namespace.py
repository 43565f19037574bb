"""Namespaces that look like TensorFlow's modules and resolve their names when first touched (PEP 562: a
`__getattr__` in the module's dictionary; one of the class would make every name that is there already
four times as slow)."""
from __future__ import annotations

import sys
import types
from _functools import partial

from shapeflow import _core
from shapeflow.api import core_setup, modelled, names, registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from shapeflow.api.snapshot import Entry
    from shapeflow.api.sources import SourceModule

_MISSING = MISSING = registry.MISSING
_cache: Dict[Tuple[str, int], "Namespace"] = {}
# The real dictionary of a module: scripts that ask a namespace for `__dict__` get it filled first.
_dict_of = vars(types.ModuleType)["__dict__"].__get__
_ALIASES = {"tf.compat.v1": ("tf", 1), "tf.compat.v2": ("tf", 2),
            "tf._api.v1": ("tf", 1), "tf._api.v2": ("tf", 2)}
# Namespaces of 1.0 and 1.1, between two snapshots, whose names have moved.
_UNTIL_1_1 = {"tf.contrib.rnn.core_rnn_cell": "tf.contrib.rnn"}


class Namespace(types.ModuleType):
    """The module `tensorflow` (or a submodule) of one API version.

    A name is looked up as: Python implementation, C row, sub-namespace, then what real TensorFlow
    has and we do not model; anything else is an AttributeError in Python's words.
    """

    def __init__(self, dotted: str, version: int, name: Optional[str] = None) -> None:
        super().__init__(name or _module_name(dotted, version))
        # With a `__path__` `import tensorflow.nn` is legal to the import system.
        _dict_of(self).update(_sf_dotted=dotted, _sf_version=version,
                              __path__=[registry.SEARCH_PATH + _module_name(dotted, version)],
                              __getattr__=partial(_public_name, self))

    def __dir__(self) -> List[str]:
        public = set(names.below(self._sf_dotted, self._sf_version))
        return sorted(public | registry.names_below(self._sf_dotted, self._sf_version))

    @property
    def __dict__(self) -> Dict[str, object]:  # type: ignore[override]
        """Every name, resolved: `tf.contrib.rnn.__dict__["BasicLSTMCell"]` is what scripts write."""
        names: Dict[str, Any] = _dict_of(self)
        for name in dir(self):
            if name not in names:
                try:
                    getattr(self, name)
                except AttributeError:
                    continue
        return names

    def __repr__(self) -> str:
        return "<module '%s' (shapeflow)>" % self.__name__


def _folder_in(path: str) -> object:
    """A folder of TensorFlow's files in one that is a public module as well: tensorflow.lite.python."""
    from shapeflow.api import modules, snapshot

    if not path.startswith("tensorflow.") or not snapshot.of(names.emulated()).has_below(path):
        return _MISSING
    found = modules.resolve_module(path)
    return _MISSING if found is None else found


def _public_name(space: Namespace, attr: str) -> object:
    """The `__getattr__` of a namespace."""
    value = resolve(space._sf_dotted + "." + attr, space._sf_version)
    if value is _MISSING and attr.startswith("_") and space.__name__ == "tensorflow":
        from shapeflow.api import sources

        value = sources.of_root(attr)
    elif value is _MISSING and space.__name__.count(".") and not attr.startswith("_"):
        value = _folder_in(space.__name__ + "." + attr)
    if value is _MISSING:
        if attr in ("__file__", "__cached__"):
            return __file__
        raise AttributeError("module '%s' has no attribute '%s'" % (space.__name__, attr))
    if lent is not None:
        value = lent(value, space._sf_dotted + "." + attr, space._sf_version)
    if not attr.startswith("__") or attr == "__internal__":  # __version__ and its like follow the version
        _dict_of(space)[attr] = value
    return value


# What a public function is wrapped in: set once somebody dispatches calls (util/dispatch.py).
lent: Optional[Callable[[object, str, int], object]] = None


def lend_again() -> None:
    """Wraps what was asked for before."""
    for (dotted, version), space in _cache.items():
        for name, value in list(_dict_of(space).items()):
            if lent is not None and not name.startswith(("_sf_", "__")):
                _dict_of(space)[name] = lent(value, dotted + "." + name, version)
    root = sys.modules["shapeflow"]
    root._forget()


def _module_name(dotted: str, version: int) -> str:
    """`tf.nn` -> "tensorflow.nn"; version 1 names below a 2.x look like compat.v1's."""
    rest = dotted[2:]
    if version == 1 and not _core.get_version().startswith(("0.", "1.")):
        return "tensorflow.compat.v1" + rest
    return "tensorflow" + rest


def namespace(dotted: str, version: int) -> Namespace:
    """The one namespace object of a dotted name and version."""
    core_setup.prepare()
    dotted, version = _ALIASES.get(dotted, (dotted, version))
    key = (dotted, version)
    found = _cache.get(key)
    if found is None:
        found = _cache[key] = Namespace(dotted, version)
    return found


def forget() -> None:
    """Drops cached answers: the emulated version changed, and what it calls its modules."""
    sources = sys.modules.get("shapeflow.api.sources")
    if sources is not None:
        sources.forget()
    for (dotted, version), space in _cache.items():
        space.__name__ = _module_name(dotted, version)
        for name in [n for n in _dict_of(space) if not n.startswith(("_sf_", "__"))]:
            del _dict_of(space)[name]


# What needs no parameters from a snapshot: Keras's are those of the user's version of it.
_OWN_PARAMETERS = ("tf.keras.", "tf0.", "old.")


def _as_tensorflow(value: Any, dotted: str, version: int) -> object:
    """What is implemented in Python, with TensorFlow's parameters and members."""
    is_class = isinstance(value, type)
    if not is_class and not isinstance(value, types.FunctionType) or \
            dotted.startswith(_OWN_PARAMETERS) or version == 2 and dotted.startswith(names.OF_KERAS):
        return value
    entry = names.entry(dotted, version)
    if entry is None or entry.kind not in ("c", "f"):
        return value
    from shapeflow.api import binding

    if is_class and entry.kind == "f":
        return binding.function_of_class(value, dotted, entry, version)
    if is_class:
        binding.prepare_class(value, entry, version)
        return value
    return binding.function(value, dotted, entry, version)


def _is_laid_out(dotted: str) -> bool:
    """Has the package that folder of its own API?"""
    if dotted == "tf._api.v1":
        return (1, 13) <= names.emulated() < (2, 0)
    return names.emulated() >= (1, 13) and dotted in ("tf._api", "tf._api.v2")


_RAW_OPS = ("tf.raw_ops.", "tf.compat.v1.raw_ops.", "tf.compat.v2.raw_ops.")


def resolve(dotted: str, version: int) -> object:
    """Any public name: modelled, a namespace, or the unmodelled rest; MISSING: no such name."""
    if dotted.startswith("tf._api") and not _is_laid_out(dotted):
        return _MISSING
    if dotted == "tf._api":
        return namespace(dotted, version)
    if dotted in _ALIASES:
        return namespace(dotted, version)
    if dotted in _UNTIL_1_1 and (1, 0) <= names.emulated() < (1, 2):
        return namespace(_UNTIL_1_1[dotted], version)
    if names.is_of_keras(dotted) and names.emulated() >= (2, 0) and (
            version == 2 or dotted.startswith("tf.keras")):
        from shapeflow.api import installed_keras

        try:
            return installed_keras.find(dotted)
        except AttributeError:
            return _MISSING
    value = modelled.find(dotted, version)
    if value is not _MISSING:
        if not names.exists(dotted, version):
            return _MISSING
        first = _first_name(dotted, version) if type(value) is _core.ApiFunction else None
        if first is not None:  # one function, whatever it is called
            value = modelled.find(*first)
        return _as_tensorflow(value, dotted, version)
    if dotted.startswith(_RAW_OPS):
        raw = _core.raw_op(dotted[dotted.rfind(".") + 1:])
        if raw is not None:
            return raw
    if registry.has_prefix(dotted, version) and names.exists(dotted, version):
        return namespace(dotted, version)
    entry = names.entry(dotted, version)
    if entry is None:
        if dotted.startswith("tf.keras.") and "keras" in sys.modules:
            return registry.find("keras_1" + dotted[len("tf.keras"):], 1)
        return _in_sources(dotted)
    if entry.kind == "m":
        return _source_of(entry) or namespace(dotted, version)
    place = names.place(entry.dotted, version)
    if place != (dotted, version) and modelled.find(*place) is not _MISSING:
        return resolve(*place)  # the same object under another name
    from shapeflow.api import sources

    value = sources.defined(entry)
    if value is not _MISSING:
        return _as_tensorflow(value, dotted, version)
    from shapeflow.api import unmodelled_names

    return unmodelled_names.make(dotted, entry, version, resolve)


def _first_name(dotted: str, version: int) -> Optional[Tuple[str, int]]:
    """The name and API under which TensorFlow has the same function first; None where that is this name, or
    has nothing of ours."""
    entry = names.entry(dotted, version) if names.emulated() >= (1, 0) else None
    if entry is None or entry.kind != "f":
        return None
    place = names.place(entry.dotted, version)
    if place == (dotted, version) or modelled.find(*place) is _MISSING:
        return None
    return place


def _source_of(entry: Entry) -> Optional[SourceModule]:
    """The file of TensorFlow's sources that a public namespace is, None when it is one of its own."""
    if not entry.dotted.startswith("tensorflow"):
        return None
    from shapeflow.api import sources

    return sources.module(entry.dotted)


def _in_sources(dotted: str) -> object:
    """What is not public: `tf.python.ops`, `tf.contrib.rnn._linear`."""
    if not dotted.startswith(("tf.python", "tf.core", "tf.tools", "tf.contrib", "tf.examples")):
        return _MISSING
    from shapeflow.api import sources

    return sources.of_dotted("tensorflow" + dotted[2:])
