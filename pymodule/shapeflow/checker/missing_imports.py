"""Packages that a script imports and that are not installed: unknown modules, with one note each.

The last finder of modules: what is installed always wins, and a program that lacks nothing pays nothing. An
import that the script guards fails as in Python (where the script then gives up, a second run takes the
package to be there: `unguarded`), as do those of libraries, of the standard library, and of modules of the
project itself, whose error names the folders that were searched.
"""
from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder

import shapeflow.api.source_roots as source_roots
import shapeflow.checker.dependency_tracker as reads
import shapeflow.checker.exception_handlers as handlers
import shapeflow.checker.python2_source as python2_source
from shapeflow.api.loaded_modules import loaded
from shapeflow.checker.findings import Record, Span, assumed, display_path, told
from shapeflow.checker.import_hook import Loader
from shapeflow.checker.library_frames import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, ModuleType
    from typing import Dict, Iterable, List, Optional, Sequence, Tuple

    from shapeflow.checker.patches import Patcher

CODE, NAME = "SF904", "NOT_INSTALLED"

# Module -> package, where pip has another name for it; or the same, and that is sure.
_PIP = {
    "Bio": "biopython", "Crypto": "pycryptodome", "IPython": "ipython", "MySQLdb": "mysqlclient",
    "OpenGL": "PyOpenGL", "PIL": "Pillow", "absl": "absl-py", "albumentations": "albumentations",
    "attr": "attrs", "bs4": "beautifulsoup4", "cairo": "pycairo", "click": "click", "cv2": "opencv-python",
    "dateutil": "python-dateutil", "docx": "python-docx", "dotenv": "python-dotenv",
    "easydict": "easydict", "fitz": "PyMuPDF", "git": "GitPython", "google.cloud": "google-cloud",
    "gym": "gym", "gymnasium": "gymnasium", "h5py": "h5py", "hydra": "hydra-core",
    "imageio": "imageio", "imblearn": "imbalanced-learn", "imgaug": "imgaug", "jose": "python-jose",
    "keras_contrib": "keras-contrib", "keras_cv": "keras-cv", "keras_hub": "keras-hub",
    "keras_nlp": "keras-nlp", "keras_tuner": "keras-tuner", "kerastuner": "keras-tuner",
    "librosa": "librosa", "lightgbm": "lightgbm", "lxml": "lxml", "magic": "python-magic",
    "matplotlib": "matplotlib", "mpl_toolkits": "matplotlib", "nltk": "nltk", "numba": "numba",
    "omegaconf": "omegaconf", "pandas": "pandas", "parameterized": "parameterized",
    "psycopg2": "psycopg2-binary", "pydub": "pydub", "pylab": "matplotlib", "pyximport": "Cython",
    "requests": "requests", "scipy": "scipy", "seaborn": "seaborn", "serial": "pyserial",
    "skimage": "scikit-image", "sklearn": "scikit-learn", "skopt": "scikit-optimize",
    "slugify": "python-slugify", "snappy": "python-snappy", "soundfile": "soundfile", "spacy": "spacy",
    "tabulate": "tabulate", "tensorboardX": "tensorboardX",
    "tensorflow_addons": "tensorflow-addons", "tensorflow_datasets": "tensorflow-datasets",
    "tensorflow_graphics": "tensorflow-graphics", "tensorflow_hub": "tensorflow-hub",
    "tensorflow_io": "tensorflow-io", "tensorflow_model_optimization": "tensorflow-model-optimization",
    "tensorflow_probability": "tensorflow-probability", "tensorflow_text": "tensorflow-text",
    "tensorflow_transform": "tensorflow-transform", "tf_agents": "tf-agents", "tf_slim": "tf-slim",
    "tokenizers": "tokenizers", "torch": "torch", "torchvision": "torchvision", "tqdm": "tqdm",
    "transformers": "transformers", "typeguard": "typeguard", "umap": "umap-learn",
    "usb": "pyusb", "wandb": "wandb", "wx": "wxPython", "xgboost": "xgboost", "yaml": "PyYAML",
    "zmq": "pyzmq",
}
OF_VERSIONS = frozenset("tensorflow keras tf_keras tensorflow_estimator shapeflow".split())
_GENERATED = ("_pb2", "_pb2_grpc")  # by protoc, from files of a project that was never built
# Of Python's library before 3.10, and in none since.
_GONE = frozenset("asynchat asyncore binhex distutils formatter imp lib2to3 parser smtpd symbol".split())


def answer(name: str, rules: Dict[str, str]) -> str:
    """ "unknown" or "error": what the longest pattern says that names the module; "*" is the default."""
    from fnmatch import fnmatchcase

    best, found = -1, rules.get("*", "unknown")
    for pattern, choice in rules.items():
        stem = pattern[:-2] if pattern.endswith(".*") else pattern  # as mypy: `a.*` is `a` as well
        if (fnmatchcase(name, pattern) or name == stem or name.startswith(stem + ".")) and \
                len(pattern) > best and pattern != "*":
            best, found = len(pattern), choice
    return found


class MissingImports:
    """What one check does about modules that no other finder has, and its notes."""

    def __init__(self, script: str, root: str, rules: Dict[str, str], unguarded: Sequence[str],
                 by: Patcher) -> None:
        self._by = by
        self._unguarded = unguarded  # packages that are unknown also where the script guards their import
        self.guarded: List[str] = []  # packages for whose want the script has an answer, in their order
        self._script, self._root, self._rules = os.path.abspath(script), os.path.abspath(root), rules
        self._first: Dict[str, Optional[Span]] = {}  # by package: where it is imported
        self._parts: Dict[str, Optional[Span]] = {}  # modules that an installed package lacks
        self._unbuilt: Dict[str, Tuple[str, Optional[Span]]] = {}  # extensions of the project: sources
        self._roots: Dict[str, Tuple[str, Optional[Span]]] = {}  # by folder: the module that it was found for

    # --- an import that fails -------------------------------------------------------------------
    def find(self, name: str, frame: FrameType) -> Optional[ModuleSpec]:
        """For import_hook.find_last."""
        reads.looked_for(name)
        parent = sys.modules.get(name.rpartition(".")[0])
        is_standard = parent is None and not name.endswith(_GENERATED) and _is_standard(name)
        if is_standard:  # no file is parsed for a module of Python's
            return None
        if name.partition(".")[0] not in self._unguarded and handlers.import_is_guarded(frame):
            if "." not in name and name not in OF_VERSIONS and name not in self.guarded:
                self.guarded.append(name)
            return None
        if name.endswith(_GENERATED):
            return None if answer(name, self._rules) == "error" else self._unknown(name, frame)
        source = _extension_of(name, getattr(parent, "__path__", ()) if parent is not None else sys.path)
        if source is not None and answer(name, self._rules) != "error":
            self._unbuilt.setdefault(name, (source, _span(frame)))
            return self._unknown(name, frame)
        if parent is None:
            spec = self._own(name, frame)
            if spec is not None:
                return spec
        elif _is_of_keras_2(name):
            return self._unknown(name, frame)
        elif _is_of_no_version(name):
            if not any(name.startswith(part + ".") for part in self._parts):
                self._parts[name] = _span(frame)
        elif not _is_unknown(parent):
            self._refuse_part(name, parent)
            if name.partition(".")[0] in OF_VERSIONS or _is_standard(name):
                return None  # what TensorFlow and Keras lack tells the version that a program is for
            if not _is_open(parent):  # an older package had it, or a newer one has
                self._parts.setdefault(name, _span(frame))
        if answer(name, self._rules) == "error":
            return None
        return self._unknown(name, frame)

    def _unknown(self, name: str, frame: FrameType) -> ModuleSpec:
        from shapeflow.checker import unknown_values

        unknown_values.start(self._by, self._script)
        package = name.partition(".")[0]
        if any(name == part or name.startswith(part + ".") for part in (*self._parts, *self._unbuilt)):
            return _spec(name)
        if package in sys.modules and not _is_unknown(sys.modules[package]):
            package = ".".join(name.split(".")[:2])  # of a namespace that is there: google.cloud
        if package not in self._first and not _is_of_keras_2(name):  # which has a note
            self._first[package] = _span(frame)
        return _spec(name)

    # --- the project's own -----------------------------------------------------------------------
    def _own(self, name: str, frame: FrameType) -> Optional[ModuleSpec]:
        """The project's module that lies above or beside the program, where Python alone does not look; what
        lies below it raises ModuleNotFoundError that says so."""
        importer = frame.f_code.co_filename
        starts = [os.path.dirname(self._script), os.path.dirname(os.path.abspath(importer))]
        below = source_roots.found_below(name, starts)
        if below is not None:
            raise ModuleNotFoundError(
                f"No module named {name!r}: the project has {display_path(below)}, which was not looked at; "
                f"looked for in {_folders(sys.path)}", name=name)
        folder = source_roots.found_above(name, starts, self._root)
        if folder is None or answer(name, self._rules) == "error" or \
                source_roots.lacks(os.path.join(folder, name), _taken_of(name, frame)):
            return None
        spec = PathFinder.find_spec(name, [folder])
        if spec is not None and folder not in self._roots:
            self._roots[folder] = (name, _span(frame))
            sys.path.append(folder)  # what else lies there is found as well
            self._by.also(f"{folder} in sys.path", lambda: _remove(sys.path, folder))
        return spec

    @staticmethod
    def _refuse_part(name: str, parent: ModuleType) -> None:
        places = [str(place) for place in getattr(parent, "__path__", ())]
        if places and not any(is_library(os.path.join(place, "")) for place in places):
            raise ModuleNotFoundError(f"No module named {name!r}: looked for in {_folders(places)}",
                                      name=name)

    # --- afterwards ------------------------------------------------------------------------------
    def records(self) -> List[Record]:
        """A note for each package, and for each folder that had to be found."""
        found = [assumed("{name} was found in {text}: Python looks there when PYTHONPATH names that folder",
                         name, display_path(folder), primary=at)
                 for folder, (name, at) in self._roots.items()]
        found += [_lacking(name, at) for name, at in self._parts.items()]
        found += [_unbuilt(name, source, at) for name, (source, at) in self._unbuilt.items()]
        text = "{name} is not installed: what comes of it is unknown ({text})"
        return found + [told(CODE, NAME, "note", text, name, _remedy(name), primary=at)
                        for name, at in self._first.items()]


def _taken_of(name: str, frame: FrameType) -> Sequence[str]:
    """`a` and `b` of the statement `from name import a, b` at which a frame is; of another nothing."""
    import dis

    before = None
    for instruction in dis.get_instructions(frame.f_code):
        if instruction.offset == frame.f_lasti:
            is_whole = instruction.opname == "IMPORT_NAME" and instruction.argval == name
            return before.argval if is_whole and before is not None and before.argval else ()
        if instruction.opname != "CACHE":
            before = instruction
    return ()


def _extension_of(name: str, places: Iterable[str]) -> Optional[str]:
    """The source of a compiled module, where that module would be if it had been built."""
    folders = (place or "." for place in places)
    found = (source_roots.unbuilt_in(folder, name.rpartition(".")[2]) for folder in folders
             if not is_library(os.path.join(os.path.abspath(folder), "")))
    return next((source for source in found if source is not None), None)


def _unbuilt(name: str, source: str, at: Optional[Span]) -> Record:
    if source_roots.is_of_other_python(source):
        return assumed("{name} was built for another Python ({text}): what comes of it is unknown", name,
                       display_path(source), primary=at)
    return assumed("{name} is not built ({text} is its source): what comes of it is unknown", name,
                   display_path(source), primary=at)


def _lacking(name: str, at: Optional[Span]) -> Record:
    package = name.partition(".")[0]
    version = getattr(sys.modules.get(package), "__version__", "")
    return assumed("{name} {text} has no {name}: what comes of it is unknown, a run with this version ends "
                   "there", package, version, name, primary=at)


def _spec(name: str) -> ModuleSpec:
    from shapeflow.api import unknown_package

    spec = ModuleSpec(name, Loader(unknown_package.UnknownModule(name)), is_package=True)
    spec.submodule_search_locations = []
    return spec


def _span(frame: FrameType) -> Optional[Span]:
    at = frame.f_code.co_filename
    return None if at.startswith("<") else Span(at, frame.f_lineno)


def _remove(paths: List[str], folder: str) -> None:
    if folder in paths:
        paths.remove(folder)


def _is_of_keras_2(name: str) -> bool:
    """A module of Keras that Keras 3, which stands for Keras 2, has no more."""
    from shapeflow.api import installed_keras

    return name.partition(".")[0] == "keras" and installed_keras.is_stand_in()


def _is_of_no_version(name: str) -> bool:
    """A file of TensorFlow's that none of the releases we have lists of has: of one between them, perhaps, as
    contrib.keras.python of 1.3. A public name that none has is a mistake."""
    from shapeflow.api import snapshot

    is_private = name.startswith("tensorflow.") and snapshot.private_in(name)
    if not is_private and not name.startswith("tensorflow.contrib."):  # which was never promised
        return False
    return not any(source.block(name) is not None or source.has_below(name) or source.is_imported(name)
                   for source in map(snapshot.of, snapshot.VERSIONS))


def _is_unknown(module: object) -> bool:
    made_by = loaded("shapeflow.api.unknown_package")
    return made_by is not None and isinstance(module, made_by.UnknownModule)


def _is_open(parent: ModuleType) -> bool:
    """A namespace, to which every package may add."""
    return getattr(parent, "__file__", None) is None and hasattr(parent, "__path__")


def _is_standard(name: str) -> bool:
    top = name.partition(".")[0]
    if top in python2_source.MODULES or top in _GONE or top in sys.builtin_module_names:
        return True
    return top in getattr(sys, "stdlib_module_names", ())


def _folders(paths: Sequence[str]) -> str:
    shown = [display_path(path or ".") for path in dict.fromkeys(paths)
             if not is_library(os.path.join(os.path.abspath(path or "."), "")) and not path.endswith(".zip")]
    return ", ".join(shown) or "installed packages"


def pip_name(package: str) -> Tuple[str, bool]:
    """What to give to pip, and is that sure?"""
    known = _PIP.get(package) or _PIP.get(package.partition(".")[0])
    return known or package.replace(".", "-"), known is not None


def _remedy(package: str) -> str:
    name, sure = pip_name(package)
    # A guessed name may be another's package: it is not offered as a command.
    return f"pip install {name}" if sure else "if it is no module of the project, install its package"
