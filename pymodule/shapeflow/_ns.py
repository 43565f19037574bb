"""Namespaces that look like TensorFlow's modules and resolve their names when first touched (PEP 562: a
`__getattr__` in the module's dictionary; one of the class would make every name that is there already
four times as slow)."""
from __future__ import annotations

import functools
import types

from shapeflow import _boot, _core
from shapeflow._impl import registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

_MISSING = registry.MISSING
_cache: Dict[Tuple[str, int], "Namespace"] = {}
# The real dictionary of a module: scripts that ask a namespace for `__dict__` get it filled first.
_dict_of = vars(types.ModuleType)["__dict__"].__get__
_ALIASES = {"tf.compat.v1": ("tf", 1), "tf.compat.v2": ("tf", 2)}


class Namespace(types.ModuleType):
    """The module `tensorflow` (or a submodule) of one API version.

    A name is looked up as: Python implementation, C row, sub-namespace, then what real TensorFlow
    has and we do not model; anything else is an AttributeError in Python's words.
    """

    __path__: List[str] = []  # makes `import tensorflow.nn` legal to the import system

    def __init__(self, dotted: str, version: int, name: Optional[str] = None) -> None:
        super().__init__(name or _module_name(dotted, version))
        _dict_of(self).update(_sf_dotted=dotted, _sf_version=version,
                              __getattr__=functools.partial(_public_name, self))

    def __dir__(self) -> List[str]:
        from shapeflow import _names

        names = set(_names.below(self._sf_dotted, self._sf_version))
        return sorted(names | registry.names_below(self._sf_dotted, self._sf_version))

    @property
    def __dict__(self) -> Dict[str, Any]:  # type: ignore[override]
        """Every name, resolved: `tf.contrib.rnn.__dict__["BasicLSTMCell"]` is what scripts write."""
        names = _dict_of(self)
        for name in dir(self):
            if name not in names:
                try:
                    getattr(self, name)
                except AttributeError:
                    continue
        return names

    def __repr__(self) -> str:
        return "<module '%s' (shapeflow)>" % self.__name__


class PrivateModule(types.ModuleType):
    """A `tensorflow.python.*` file: its names are those of the public namespaces it defines."""

    __path__: List[str] = []

    def __init__(self, name: str, places: Sequence[str], version: int) -> None:
        super().__init__(name)
        _dict_of(self).update(_sf_places=tuple(places), _sf_version=version,
                              __getattr__=functools.partial(_private_name, self))


def _public_name(space: Namespace, attr: str) -> Any:
    """The `__getattr__` of a namespace."""
    value = resolve(space._sf_dotted + "." + attr, space._sf_version)
    if value is _MISSING:
        if attr in ("__file__", "__cached__"):
            return __file__
        raise AttributeError("module '%s' has no attribute '%s'" % (space.__name__, attr))
    if not attr.startswith("__"):  # __version__ and its like must follow a change of version
        _dict_of(space)[attr] = value
    return value


def _private_name(module: PrivateModule, attr: str) -> Any:
    """The `__getattr__` of a private module."""
    if attr.startswith("__"):
        raise AttributeError(attr)
    from shapeflow import _modules

    value: Any = _modules.file_in_folder(module.__name__, attr)
    if value is not None:
        _dict_of(module)[attr] = value
        return value
    value = _MISSING
    for place in module._sf_places:
        value = find(place + "." + attr, module._sf_version)
        if value is not _MISSING:
            break
    else:
        for place in module._sf_places:
            value = resolve(place + "." + attr, module._sf_version)
            if value is not _MISSING:
                break
    if value is _MISSING:
        value = _modules.private_submodule(module.__name__ + "." + attr)
    if value is None:
        from shapeflow._unmodelled import unmodelled

        value = unmodelled(module.__name__ + "." + attr, "c" if attr[:1].isupper() else "f")
    _dict_of(module)[attr] = value
    return value


def _module_name(dotted: str, version: int) -> str:
    """`tf.nn` -> "tensorflow.nn"; version 1 names below a 2.x look like compat.v1's."""
    rest = dotted[2:]
    if version == 1 and not _core.get_version().startswith(("0.", "1.")):
        return "tensorflow.compat.v1" + rest
    return "tensorflow" + rest


def namespace(dotted: str, version: int) -> Namespace:
    """The one namespace object of a dotted name and version."""
    _boot.prepare()
    dotted, version = _ALIASES.get(dotted, (dotted, version))
    key = (dotted, version)
    found = _cache.get(key)
    if found is None:
        found = _cache[key] = Namespace(dotted, version)
    return found


def forget() -> None:
    """Drops cached answers: the emulated version changed, and what it calls its modules."""
    for (dotted, version), space in _cache.items():
        space.__name__ = _module_name(dotted, version)
        for name in [n for n in _dict_of(space) if not n.startswith(("_sf_", "__"))]:
            del _dict_of(space)[name]


# What TensorFlow 2 takes from Keras, under both names.
_KERAS = ("tf.initializers.", "tf.losses.", "tf.metrics.", "tf.optimizers.")


def find(dotted: str, version: int) -> Any:
    """What is modelled: Python first, then a row of the C core; MISSING otherwise."""
    before_1 = version == 1 and _core.get_version()[:2] == "0."
    if before_1:
        value = registry.find("tf0" + dotted[2:], 1)
        if value is not _MISSING:
            return value
    value = registry.find(dotted, version)
    if value is _MISSING and version == 2 and dotted.startswith(_KERAS):
        value = registry.find("tf.keras" + dotted[2:], 2)
    if value is _MISSING:
        value = _core.api_function(dotted, version)
        if value is None:
            return registry.find("old" + dotted[2:], 1) if before_1 else _MISSING
    return value


def resolve(dotted: str, version: int) -> Any:
    """Any public name: modelled, a namespace, or the unmodelled rest; MISSING: no such name."""
    if dotted in _ALIASES:
        return namespace(dotted, version)
    value = find(dotted, version)
    if value is not _MISSING:
        return value
    if dotted.startswith("tf.raw_ops."):
        raw = _core.raw_op(dotted[11:])
        if raw is not None:
            return raw
    if dotted.startswith("tf.python.") or dotted in ("tf.python", "tf.core", "tf.tools"):
        from shapeflow._modules import private_submodule

        return private_submodule("tensorflow" + dotted[2:]) or _MISSING
    if registry.has_prefix(dotted, version):
        return namespace(dotted, version)
    last = dotted[dotted.rfind(".") + 1:]
    if last.startswith("__"):
        return _MISSING
    from shapeflow import _names

    kind = _names.kind(dotted, version)
    if kind == "m":
        return namespace(dotted, version)
    if kind:
        from shapeflow._unmodelled import unmodelled

        return unmodelled(dotted, kind)
    return _MISSING
