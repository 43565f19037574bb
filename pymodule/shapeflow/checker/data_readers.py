"""Which functions read data, and what they give when the data are not there: see data_files.py.

A reader runs first, always. Only when it fails, and what it was to read does not exist, it is asked what is
declared, or else an unknown value is given. A reader that does not fail costs one call more.
"""
from __future__ import annotations

import functools
import os

import shapeflow.checker.absent_paths as absent_paths
from shapeflow.checker.data_paths import is_ours
from shapeflow.checker.file_functions import OPEN, asking_frame, take_part
from shapeflow.checker.import_hook import act_on
from shapeflow.checker.read_arguments import given, is_writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, Optional, Tuple

    from shapeflow.checker.data_files import DataFiles
    from shapeflow.checker.patches import Patcher

# By module: reader -> what it gives. "array", "image" (PIL's), "pixels" (an array), "table", "file",
# "thing" (anything), "rows" (lists of text), "address" (a response), "fetch" (a file that is fetched),
# "nothing" on a missing file.
_PANDAS = ("csv table excel json pickle hdf parquet feather fwf html stata sas spss xml orc").split()
READERS: Dict[str, Dict[str, str]] = {
    "numpy": {name: "array" for name in ("load", "loadtxt", "genfromtxt", "fromfile")},
    "pandas": {"read_" + name: "table" for name in _PANDAS},
    "PIL.Image": {"open": "image"},
    "cv2": {"imread": "pixels", "VideoCapture": "thing"},
    "imageio": {"imread": "pixels", "mimread": "thing", "get_reader": "thing", "volread": "pixels"},
    "imageio.v2": {"imread": "pixels", "mimread": "thing", "get_reader": "thing"},
    "imageio.v3": {"imread": "pixels"},
    "matplotlib.image": {"imread": "pixels"}, "matplotlib.pyplot": {"imread": "pixels"},
    "skimage.io": {"imread": "pixels", "imread_collection": "thing"},
    "scipy.io": {"loadmat": "thing"}, "scipy.io.wavfile": {"read": "thing"},
    "scipy.misc": {"imread": "pixels"}, "scipy.ndimage": {"imread": "pixels"},
    "scipy.sparse": {"load_npz": "thing"},
    "xml.etree.ElementTree": {"parse": "thing"}, "xml.dom.minidom": {"parse": "thing"},
    "lxml.etree": {"parse": "thing"},
    "nibabel": {"load": "thing"}, "nibabel.loadsave": {"load": "thing"}, "pydicom": {"dcmread": "thing"},
    "SimpleITK": {"ReadImage": "thing"}, "tifffile": {"imread": "pixels"}, "torchaudio": {"load": "thing"},
    "librosa": {"load": "thing"}, "librosa.core.audio": {"load": "thing"},
    "soundfile": {"read": "thing"}, "joblib": {"load": "thing"},
    "gzip": {"open": "file"}, "bz2": {"open": "file"}, "lzma": {"open": "file"}, "codecs": {"open": "file"},
    "tarfile": {"open": "thing"}, "wave": {"open": "thing"}, "shelve": {"open": "thing"},
    "pickle": {"load": "thing"}, "csv": {"reader": "rows"},
    "yaml": dict.fromkeys(("load", "safe_load", "full_load", "unsafe_load"), "thing"),
    "urllib.request": {"urlopen": "address", "urlretrieve": "fetch"},
    "requests": {name: "address" for name in ("get", "post", "head", "request")},
    "wget": {"download": "fetch"},
    "sklearn.datasets": {"fetch_" + name: "thing" for name in (
        "20newsgroups", "20newsgroups_vectorized", "california_housing", "covtype", "kddcup99", "lfw_pairs",
        "lfw_people", "olivetti_faces", "openml", "rcv1", "species_distributions")},
}
# Classes whose constructor reads.
CLASSES: Dict[str, Dict[str, str]] = {
    "numpy": {"memmap": "array"}, "h5py": {"File": "thing"}, "zipfile": {"ZipFile": "thing"},
    "pandas": {"ExcelFile": "thing"}, "gzip": {"GzipFile": "file"}, "bz2": {"BZ2File": "file"},
}
PACKAGES = ("tensorflow_datasets.core.dataset_builder", "tensorflow_datasets.core.dataset_info",
            "tensorflow_hub.module_v2", "tensorflow_hub.keras_layer")  # what they would fetch: data_packages


def install(by: Patcher, data: DataFiles) -> None:
    """Makes the readers, once they are imported, ours."""
    take_part(by, OPEN, functools.partial(_opening, data))
    complete: Callable[[ModuleType, Patcher], None] = functools.partial(_complete, data)
    acts = dict.fromkeys((*READERS, *CLASSES), complete)
    acts["configparser"] = functools.partial(_complete_configparser, data)
    acts["glob"] = acts["pathlib"] = functools.partial(_complete_globs, data)
    acts.update(dict.fromkeys(PACKAGES, functools.partial(_complete_package, data)))
    _complete_os(data, by)
    act_on(by, acts)


def _complete_configparser(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    import shapeflow.checker.config_files as config_files

    config_files.complete(data, module, by)


def _complete_globs(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    import shapeflow.checker.absent_globs as absent_globs

    absent_globs.complete(data, module, by)


def _complete_package(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    import shapeflow.checker.data_packages as data_packages

    data_packages.complete(data, module, by)


def _complete(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    names = vars(module)
    for name, kind in READERS.get(module.__name__, {}).items():
        read = names.get(name)
        if isinstance(read, type):
            by.set(read, "__new__", _constructing(read, kind, data, f"{module.__name__}.{name}"))
        elif callable(read):
            by.set(module, name, _around(read, kind, data, f"{module.__name__}.{name}"))
    for name, kind in CLASSES.get(module.__name__, {}).items():
        read = names.get(name)
        if isinstance(read, type):
            by.set(read, "__new__", _constructing(read, kind, data, f"{module.__name__}.{name}"))


def _around(read: Callable[..., object], kind: str, data: DataFiles, name: str) -> Callable[..., Any]:
    @functools.wraps(read)
    def reader(*args: object, **kwargs: object) -> Any:
        stream = given(args, kwargs)
        if type(stream).__name__ in _UNKNOWN:
            import shapeflow.checker.absent_reads as absent_reads

            found = absent_reads.of_stream(kind, name, stream)
            if found is not None:
                return found[0]
        if name in _UNPACKING and data.on and args and data.has_unknown_content(args[0]):
            import shapeflow.checker.made_data as made_data

            return made_data.unknown(kind, name, args[0], kwargs)
        try:
            result = read(*args, **kwargs)
            if result is not None or kind != "pixels":
                return result
        except Exception:
            found = _instead(kind, data, name, args, kwargs)
            if found is None:
                raise
            return found[0]
        found = _instead(kind, data, name, args, kwargs)
        return None if found is None else found[0]

    return reader


def _instead(kind: str, data: DataFiles, name: str, args: Tuple[object, ...],
             kwargs: Dict[str, object]) -> Optional[Tuple[object]]:
    import shapeflow.checker.absent_reads as absent_reads

    return absent_reads.instead(kind, data, name, args, kwargs)


_UNPACKING = ("gzip.open", "bz2.open", "lzma.open")  # they fail when something is read, not at once
# Classes of what stands for a file; by name, since a program without one loads none of them.
_UNKNOWN = ("Unknown", "UnknownFile", "UnknownBinaryFile", "UnknownResponse", "UnknownBytes", "BytesIO")


def _constructing(kind: object, gives: str, data: DataFiles, name: str) -> Callable[..., Any]:
    """A class stays one. Where its file is not there, something unknown is made instead."""
    before = kind.__new__

    def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
        if cls is kind and data.on:
            path = given(args, kwargs)
            stream = kwargs.get("fileobj", args[3] if len(args) > 3 else None)
            if stream is not None or isinstance(path, (str, os.PathLike)) and \
                    not is_writing(args, kwargs, name) and data.is_absent(path):
                import shapeflow.checker.absent_reads as absent_reads

                found = absent_reads.constructed(data, gives, name, args, kwargs)
                if found is not None:
                    return found[0]
        return before(cls) if before is object.__new__ else before(cls, *args, **kwargs)

    return __new__


# --- open -----------------------------------------------------------------------------------------
def _opening(data: DataFiles, real: Callable[..., object]) -> Callable[..., Any]:
    def open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        try:
            return real(file, mode, *args, **kwargs)
        except FileNotFoundError:
            if isinstance(mode, str) and any(letter in mode for letter in "wax") and \
                    absent_paths.make_folder_of(data, file):
                return real(file, mode, *args, **kwargs)
            import shapeflow.checker.absent_reads as absent_reads

            found = absent_reads.opened(data, file, mode)
            if found is None:
                raise
            return found[0]

    return open


# --- folders --------------------------------------------------------------------------------------
def _complete_os(data: DataFiles, by: Patcher) -> None:
    def over_walk(walk: Callable[..., object]) -> Callable[..., Any]:
        def walking(top: object, topdown: bool = True, onerror: object = None,
                    followlinks: bool = False) -> object:
            if onerror is not None or not data.on or not isinstance(top, (str, os.PathLike)) or \
                    os.path.isdir(top) and data.appears(top) is None or \
                    data.declared(top) is None and not data.may_stand_in(top):
                return walk(top, topdown, onerror, followlinks)
            import shapeflow.checker.absent_folders as absent_folders

            return absent_folders.walk(data, os.fspath(top), topdown)

        return walking

    def over_scandir(scandir: Callable[..., object]) -> Callable[..., Any]:
        def scanning(path: object = ".") -> object:
            try:
                return scandir(path)
            except FileNotFoundError:
                frame = asking_frame()
                if not data.on or isinstance(path, int) or frame is None or is_ours(frame) or \
                        frame.f_code.co_name.startswith(("_rmtree", "_iterdir")) or \
                        not data.is_asked_by_script() or \
                        data.declared(path) is None and not data.may_stand_in(path):
                    raise
                import shapeflow.checker.absent_folders as absent_folders

                return absent_folders.Entries(data, path)

        return scanning

    take_part(by, "walk", over_walk)
    take_part(by, "scandir", over_scandir)
