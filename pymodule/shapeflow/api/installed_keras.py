"""Which Keras a program has: the package that the user has installed, run unmodified on our TensorFlow.

TensorFlow from 2.16 on has Keras 3; before that, or where TF_USE_LEGACY_KERAS asks for it, Keras 2, which is
the package tf_keras. Where Keras 2 is not installed Keras 3 stands for it, and what that lacks is unknown.
Without any of them Keras is unknown. TensorFlow 1 has a Keras of its own (tensorflow/keras).

These packages import `tensorflow`, which must be ours by then: in a check it is (checker/import_hook.py),
otherwise it becomes ours here, unless the process has the real one.
"""
from __future__ import annotations

import importlib
import os
import sys
import types

from shapeflow.api import names
from shapeflow.module_finder import FINDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import Any, Callable, Dict, List, Optional, Tuple

KERAS_3, KERAS_2, UNKNOWN = "keras", "tf_keras", ""
_KERAS_3_SINCE = (2, 16)  # of TensorFlow
_LEGACY = "TF_USE_LEGACY_KERAS"
_TF_KERAS = {KERAS_3: "keras._tf_keras.keras", KERAS_2: "tf_keras.api._v2.keras"}  # what tf.keras is
# Modules of Keras 2 whose names Keras 3 has in another one.
MOVED = {
    **dict.fromkeys((".layers.experimental.preprocessing", ".layers.experimental", ".layers.preprocessing",
                     ".layers.core", ".layers.convolutional", ".layers.pooling", ".layers.recurrent",
                     ".layers.embeddings", ".layers.normalization", ".layers.merge", ".layers.wrappers",
                     ".layers.advanced_activations", ".layers.noise", ".layers.legacy",
                     ".engine.topology", ".engine.base_layer", ".engine.input_layer"), ".layers"),
    **dict.fromkeys((".utils.np_utils", ".utils.vis_utils", ".utils.generic_utils", ".utils.data_utils",
                     ".utils.layer_utils"), ".utils"),
    **dict.fromkeys((".engine", ".engine.training", ".engine.sequential"), ".models"),
    **dict.fromkeys((".optimizers.legacy", ".optimizers.experimental", ".optimizer_v2"), ".optimizers"),
}
_INSTALL = "pip install keras; with shapeflow, in its checkout: pip install '.[keras]'"
_serving = [0]  # scopes in which `tensorflow` is ours for everybody
_versions: Dict[str, Tuple[int, ...]] = {}
_noted: List[str] = []  # codes of what was said
_unknown: Dict[str, types.ModuleType] = {}
# A check adds what is to be done before something of Keras is unknown.
before_unknown: List[Callable[[], None]] = []


def serve(more: int) -> None:
    """1: a scope begins in which `import tensorflow` gives ours; -1: it ends."""
    _serving[-1] += more
    _noted.clear()
    _unknown.clear()


# --- which one ------------------------------------------------------------------------------------
def package(root: str = "tf.keras") -> Optional[str]:
    """The package that `tf.keras`, or the module `keras`, is: KERAS_3, KERAS_2 or UNKNOWN; None: it is the
    one of TensorFlow 1."""
    emulated = names.emulated()
    if emulated < (2, 0):
        return None
    if not _serving[-1] and not _serve_process():
        return UNKNOWN
    is_legacy = root != "keras" and os.environ.get(_LEGACY, "").lower() in ("1", "true")
    has_3 = version(KERAS_3) >= (3,)
    if emulated >= _KERAS_3_SINCE and not is_legacy:
        return KERAS_3 if has_3 else UNKNOWN
    if version(KERAS_2):
        return KERAS_2
    return KERAS_3 if has_3 and not is_legacy else UNKNOWN


def is_stand_in() -> bool:
    """Does Keras 3 stand for Keras 2?"""
    return names.emulated() < _KERAS_3_SINCE and package() == KERAS_3


def version(of: str = KERAS_3) -> Tuple[int, ...]:
    """That of an installed package, which need not be imported for it; () for none."""
    if of not in _versions:
        _versions[of] = _found_version(of)
    return _versions[of]


def _found_version(of: str) -> Tuple[int, ...]:
    from importlib.machinery import PathFinder, SourceFileLoader

    spec = PathFinder.find_spec(of)
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        for path in (os.path.join(folder, "src", "version.py"), os.path.join(folder, "__init__.py")):
            try:  # `open` is the program's: in a check a file that is absent may be made up
                lines = SourceFileLoader(of, path).get_data(path).decode("utf-8").splitlines()
            except OSError:
                continue
            for line in lines:
                name, _, value = line.partition("=")
                if name.strip() == "__version__" and value.strip()[:1] in "\"'":
                    return tuple(int(n) for n in value.strip(" \"'").split(".")[:2] if n.isdigit())
    return ()


def forget() -> None:
    """The search path changed, or the interpreter."""
    _versions.clear()


def loaded() -> bool:
    """Has the program imported Keras 3?"""
    return bool(_serving[-1]) and "keras.src" in sys.modules


# --- without a check ------------------------------------------------------------------------------
def _is_tensorflow(name: str) -> bool:
    """Of `tensorflow` for the Keras of a program that imports shapeflow itself."""
    return name.partition(".")[0] == "tensorflow"


def _find_tensorflow(name: str) -> Optional[ModuleSpec]:
    found: Optional[ModuleSpec] = importlib.import_module("shapeflow.api.modules").spec(name)
    return found


def _serve_process() -> bool:
    """Makes `tensorflow` ours for the whole process; False: it has the real one."""
    if "tensorflow" in sys.modules or "keras" in sys.modules:
        return False
    FINDER.add("TensorFlow in a process", _is_tensorflow, _find_tensorflow)
    _serving[-1] += 1
    return True


# --- what it has ----------------------------------------------------------------------------------
def find(dotted: str) -> Any:
    """What Keras has under a public name of TensorFlow; raises AttributeError."""
    of = package()
    if not of:
        return _unknown_name(dotted)
    parts = dotted.split(".")[1:]
    found: Any = importlib.import_module(_TF_KERAS[of])
    for part in parts[parts[0] == "keras":]:
        found = getattr(found, part)
    return found


def module(name: str) -> Optional[types.ModuleType]:
    """`tensorflow.keras.layers` or `keras.layers`, as Keras has it; None: Keras has no such module."""
    root = "keras" if name.partition(".")[0] == "keras" else "tf.keras"
    of = package(root)
    if not of:
        return unknown_module(name)
    rest = name[len("keras" if root == "keras" else "tensorflow.keras"):]
    if is_stand_in():
        found = _TF_KERAS[of] + MOVED.get(rest, rest)
    else:
        found = (of if root == "keras" else _TF_KERAS[of]) + rest
    try:
        return importlib.import_module(found)
    except ModuleNotFoundError as error:
        if not error.name or not found.startswith(error.name):
            raise
    if root == "keras" and of == KERAS_2 and not rest.startswith(".src"):
        return _inner(rest)
    return unknown_module(name) if is_stand_in() else None


def _inner(rest: str) -> Optional[types.ModuleType]:
    """`keras.engine` and its like, which Keras 2 has had below `src` since 2.13; None: no such one."""
    try:
        return importlib.import_module(KERAS_2 + ".src" + rest)
    except ModuleNotFoundError:
        return None


def moved(module_name: str, name: str) -> Optional[types.ModuleType]:
    """What a module of Keras 2 is in the Keras 3 that stands for it; None: nothing is known of it."""
    tree = _TF_KERAS[KERAS_3]
    rest = module_name[len(tree if module_name.startswith(tree) else "keras"):]
    return module("tensorflow.keras" + rest + "." + name) if rest + "." + name in MOVED else None


# --- what nobody has ------------------------------------------------------------------------------
def unknown_module(name: str) -> types.ModuleType:
    """A module of Keras that is not installed."""
    if name not in _unknown:
        from shapeflow.api.unknown_package import UnknownModule

        if not is_stand_in():
            note("SF910", "Keras is not installed: what comes of it is unknown (%s)" % _INSTALL)
        for act in before_unknown:
            act()
        made = _unknown[name] = UnknownModule(name)
        made.__path__ = []
    return _unknown[name]


def _unknown_name(dotted: str) -> object:
    found: Any = unknown_module("tensorflow." + dotted.split(".")[1])
    for part in dotted.split(".")[2:]:
        found = getattr(found, part)
    return found


def note(code: str, text: str) -> None:
    """Said once."""
    from shapeflow import _core

    if code not in _noted:
        _noted.append(code)
        _core.report(code, text)
