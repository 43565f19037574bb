"""Real module objects for any `tensorflow.*` and `keras.*` path, also TensorFlow's private files.

`resolve_module("tensorflow.python.ops.array_ops")` is what the import hook of the command line and
`import shapeflow.nn` use. Private files are those of the emulated version's snapshot (sources.py).
"""
from __future__ import annotations

import types
from importlib.machinery import ModuleSpec

from shapeflow.api import installed_keras, names, namespace, registry, snapshot, sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.abc import Loader
    from typing import Dict, Iterator, Optional, Tuple
else:
    Loader = object  # importlib.abc is not worth its import time

# Where a release that no snapshot is of, 1.1 to 1.3, kept the files of Keras.
_MOVED = ("tensorflow.contrib.keras.python.keras", "tensorflow.python.keras")
_COMPAT = (("tf.compat.v1", 1), ("tf.compat.v2", 2), ("tf._api.v1", 1), ("tf._api.v2", 2))


def _public_path(name: str) -> str:
    """The dotted name in our tables of an import path: "tensorflow_core.nn" -> "tf.nn"."""
    root, _, rest = name.partition(".")
    if root == "keras":
        rest = "keras." + rest if rest else "keras"
    return "tf." + rest if rest else "tf"


def source_path(name: str) -> str:
    """The path among TensorFlow's sources of an import path: 1.15 keeps its files in tensorflow_core."""
    root, _, rest = name.partition(".")
    if root == "tensorflow_core" or root == "shapeflow":
        root = "tensorflow"
    return root + "." + rest if rest else root


def resolve_module(name: str) -> Optional[types.ModuleType]:
    """The module object of a dotted import path, or None when TensorFlow has no such module."""
    if name.partition(".")[0] == "tensorflow_estimator":
        return sources.module(name)
    api = 2 if names.emulated() >= (2, 0) else 1
    if name.partition(".")[0] == "tensorflow_core" and api == 2:
        return None
    if (name + ".").startswith(_MOVED[0] + ".") and api == 1:
        name = _MOVED[1] + name[len(_MOVED[0]):]
    dotted = _public_path(name)
    for head, of in _COMPAT:
        if dotted == head or dotted.startswith(head + "."):
            dotted, api = "tf" + dotted[len(head):], of
    if dotted == "tf" or registry.has_prefix(dotted, api):
        return namespace.namespace(dotted, api)
    path = source_path(name)
    if names.kind(dotted, api) != "m" and sources.exists(path):
        return sources.module(path)
    found = namespace.resolve(dotted, api)
    if isinstance(found, sources.SourceModule) and found.__name__ != path and sources.exists(path):
        # `tf.contrib.lite` is a file below the folder of that name, and the folder is what is imported.
        return sources.module(path)
    if isinstance(found, types.ModuleType):
        return found
    found = sources.module(path)
    if found is None and dotted.startswith("tf.keras.") and names.kind(
            ".".join(dotted.split(".")[:3]), api) == "m":
        return namespace.namespace(".".join(dotted.split(".")[:3]), api)
    return found


class _Loader(Loader):
    """Hands the import system a namespace that exists."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return self.module

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing to run: the namespaces fill themselves when touched."""


class _Same(_Loader):
    """Hands over a module that goes on to be what it is, under a second name."""

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        self.spec = self.module.__spec__
        return self.module

    def exec_module(self, module: types.ModuleType) -> None:
        module.__spec__ = self.spec


def spec(name: str) -> Optional[ModuleSpec]:
    """An import spec for `tensorflow.*`, `keras.*` or `shapeflow.*`; None: no such module."""
    root, _, rest = name.partition(".")
    if root != "keras" and (rest + ".").startswith("keras."):
        root, rest = "keras", "tensorflow." + rest
    elif root == "keras":
        rest = name
    if root == "keras" and names.emulated() >= (2, 0):
        found = installed_keras.module(rest)
        return None if found is None else ModuleSpec(name, _Same(found), is_package=True)
    module = resolve_module("tensorflow." + rest if root == "shapeflow" else name)
    if module is None:
        return None
    if isinstance(module, sources.SourceModule):
        return sources.spec(module.__name__, name)
    made = ModuleSpec(name, _Loader(module), is_package=True)
    made.submodule_search_locations = [registry.SEARCH_PATH + name]
    return made


# --- what pkgutil lists ---------------------------------------------------------------------------
class Listing:
    """The path entry finder of our packages: it lists their modules, and finds none, because the finder of
    sys.meta_path has been asked for them."""

    def __init__(self, entry: str) -> None:
        self._path = entry[len(registry.SEARCH_PATH):]

    def find_spec(self, name: str, target: Optional[types.ModuleType] = None) -> None:
        return None

    def iter_modules(self, prefix: str = "") -> Iterator[Tuple[str, bool]]:
        for name, is_package in sorted(_modules_below(self._path).items()):
            yield prefix + name, is_package


def _modules_below(path: str) -> Dict[str, bool]:
    """The modules directly below a package, and whether each is a package itself."""
    found: Dict[str, bool] = {}
    own = source_path(path)
    for source in snapshot.nearest(names.emulated()):
        for header in source.headers():
            name = header[len(own) + 1:].partition(".")[0] if header.startswith(own + ".") else ""
            if name and name not in found and sources.exists(own + "." + name):
                spec_of = sources.spec(own + "." + name)
                found[name] = spec_of is not None and spec_of.submodule_search_locations is not None
    public = _public_path(path)
    api = 2 if names.emulated() >= (2, 0) else 1
    for name in names.below(public, api):
        if names.kind(public + "." + name, api) == "m":
            found.setdefault(name, True)
    return found
