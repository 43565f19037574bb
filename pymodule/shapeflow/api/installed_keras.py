"""The Keras 3 that the user has installed: it runs, unmodified, where TensorFlow 2.16 or newer is emulated.

It is used while `tensorflow` is ours for everybody (checker/import_hook.py): Keras imports that.
"""
from __future__ import annotations

import importlib
import os
import sys
import types

from shapeflow.api import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Tuple

_SINCE = (2, 16)
_OPTION = "SHAPEFLOW_KERAS"  # "installed": Keras as installed; else our own, as long as there are both
_NAMES = "keras._tf_keras.keras"  # what tf.keras is
# What TensorFlow 2 takes from Keras, under both names.
_TAKEN = ("tf.keras", "tf.initializers", "tf.losses", "tf.metrics", "tf.optimizers")
_serving = [0]  # scopes in which `tensorflow` is ours for everybody
_version: Optional[Tuple[int, ...]] = None


def serve(more: int) -> None:
    """1: a scope begins in which `import tensorflow` gives ours; -1: it ends."""
    _serving[-1] += more


def version() -> Tuple[int, ...]:
    """That of the installed Keras, which need not be imported for it; () for none."""
    global _version
    if _version is None:
        _version = _found_version()
    return _version


def _found_version() -> Tuple[int, ...]:
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("keras")
    if spec is None or not spec.submodule_search_locations:
        return ()
    path = os.path.join(list(spec.submodule_search_locations)[0], "src", "version.py")
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return ()
    for line in text.splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "__version__":
            return tuple(int(n) for n in value.strip(" \"'").split(".")[:2] if n.isdigit())
    return ()


def is_used() -> bool:
    """Is `keras` the installed package?"""
    return bool(_serving[-1] and os.environ.get(_OPTION) == "installed" and names.emulated() >= _SINCE and
                version() >= (3,))


def is_taken(dotted: str) -> bool:
    """Is a public name of TensorFlow one of Keras?"""
    return dotted.startswith(_TAKEN) and (dotted in _TAKEN or dotted.startswith(
        tuple(name + "." for name in _TAKEN)))


def find(dotted: str) -> Any:
    """What Keras has under a public name of TensorFlow; raises AttributeError."""
    parts = dotted.split(".")[1:]
    found: Any = importlib.import_module(_NAMES)
    for part in parts[parts[0] == "keras":]:
        found = getattr(found, part)
    return found


def module(name: str) -> Optional[types.ModuleType]:
    """`tensorflow.keras.layers`, as Keras has it; None: Keras has no such module."""
    found = _NAMES + name[len("tensorflow.keras"):]
    try:
        return importlib.import_module(found)
    except ModuleNotFoundError as error:
        if error.name and found.startswith(error.name):
            return None
        raise


def forget() -> None:
    """The search path changed, or the interpreter."""
    global _version
    _version = None


def loaded() -> bool:
    """Has the program imported it?"""
    return is_used() and "keras.src" in sys.modules
