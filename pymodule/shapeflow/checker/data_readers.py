"""Which functions read data, and what they give when the data are not there: see data_files.py.

A reader runs first, always. Only when it fails, and what it was to read does not exist, it is asked what is
declared, or else an unknown value is given. A reader that does not fail costs one call more.
"""
from __future__ import annotations

import functools
import os
import sys

import shapeflow.checker.absent_paths as absent_paths
from shapeflow.api.loaded_modules import loaded
from shapeflow.checker.data_files import DataFiles, is_ours
from shapeflow.checker.file_functions import OPEN, asking_frame, take_part
from shapeflow.checker.import_hook import act_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, ModuleType
    from typing import Any, Callable, Dict, Iterator, Optional, TextIO, Tuple

    from shapeflow.checker.patches import Patcher

# By module: reader -> what it gives. "array", "image" (PIL's), "pixels" (an array), "table", "file",
# "thing" (anything), "address" (a response), "fetch" (a file that is fetched), "nothing" on a missing file.
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
    "librosa": {"load": "thing"}, "soundfile": {"read": "thing"}, "joblib": {"load": "thing"},
    "gzip": {"open": "file"}, "bz2": {"open": "file"}, "lzma": {"open": "file"}, "codecs": {"open": "file"},
    "tarfile": {"open": "thing"}, "wave": {"open": "thing"}, "shelve": {"open": "thing"},
    "urllib.request": {"urlopen": "address", "urlretrieve": "fetch"},
    "requests": {name: "address" for name in ("get", "post", "head", "request")},
    "wget": {"download": "fetch"},
    "sklearn.datasets": {"fetch_" + name: "thing" for name in (
        "20newsgroups", "20newsgroups_vectorized", "california_housing", "covtype", "kddcup99", "lfw_pairs",
        "lfw_people", "olivetti_faces", "openml", "rcv1", "species_distributions")},
}
# Classes whose constructor reads.
CLASSES: Dict[str, Dict[str, str]] = {
    "h5py": {"File": "thing"}, "zipfile": {"ZipFile": "thing"}, "pandas": {"ExcelFile": "thing"},
    "requests.sessions": {}, "gzip": {"GzipFile": "file"}, "bz2": {"BZ2File": "file"},
}
PACKAGES = ("tensorflow_datasets.core.dataset_builder", "tensorflow_datasets.core.dataset_info",
            "tensorflow_hub.module_v2", "tensorflow_hub.keras_layer")  # what they would fetch: data_packages
_PATHS = ("file", "fname", "filename", "path", "filepath_or_buffer", "fp", "io", "name", "url", "uri",
          "filepath", "path_or_buf", "imagename", "file_name", "mdict")


def install(by: Patcher, data: DataFiles) -> None:
    """Makes the readers, once they are imported, ours."""
    take_part(by, OPEN, functools.partial(_opening, data))
    acts: Dict[str, Callable[[ModuleType, Patcher], None]] = {
        name: functools.partial(_complete, data) for name in {*READERS, *CLASSES}}
    acts["glob"] = functools.partial(_complete_glob, data)
    acts["configparser"] = functools.partial(_complete_configparser, data)
    acts["pathlib"] = functools.partial(_complete_pathlib, data)
    acts.update(dict.fromkeys(PACKAGES, functools.partial(_complete_package, data)))
    _complete_os(data, by)
    act_on(by, acts)


def _complete_configparser(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    import shapeflow.checker.config_files as config_files

    config_files.complete(data, module, by)


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


def _given(args: Tuple[object, ...], kwargs: Dict[str, object], kind: str) -> object:
    """What is to be read."""
    if args:
        return args[0]
    for name in _PATHS:
        if name in kwargs:
            return kwargs[name]
    return None


def _is_writing(args: Tuple[object, ...], kwargs: Dict[str, object]) -> bool:
    mode = kwargs.get("mode", args[1] if len(args) > 1 else "r")
    return isinstance(mode, str) and not mode.startswith(("r", "U"))


def _around(read: Callable[..., object], kind: str, data: DataFiles, name: str) -> Callable[..., Any]:
    @functools.wraps(read)
    def reader(*args: object, **kwargs: object) -> Any:
        stream = _given(args, kwargs, kind)
        if type(stream).__name__ in _UNKNOWN:
            found = _of_unknown(kind, name, stream)
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


_UNPACKING = ("gzip.open", "bz2.open", "lzma.open")  # they fail when something is read, not at once
# Classes of what stands for a file; by name, since a program without one loads none of them.
_UNKNOWN = ("Unknown", "UnknownFile", "UnknownBinaryFile", "UnknownResponse", "UnknownBytes", "BytesIO")


def _opens_late(stream: TextIO) -> bool:
    """Is it a file of tf.gfile to be read, which is opened when somebody reads, maybe a library?"""
    return type(stream).__module__.endswith(".platform.gfile") and str(stream.mode).startswith("r")


def _of_unknown(kind: str, name: str, stream: Any) -> Optional[Tuple[object]]:
    """What a reader makes of an open file of which the content is not known; None: it is another file."""
    unknown = loaded("shapeflow.api.unknown_text")
    if unknown is None or not isinstance(stream, unknown.KINDS) and not (
            type(stream).__name__ == "BytesIO" and unknown.is_sample(stream.getvalue()[:64])):
        return None
    import shapeflow.checker.made_data as made_data

    return (made_data.unknown(kind, name, getattr(stream, "name", "unknown"), {}),)


def _instead(kind: str, data: DataFiles, name: str, args: Tuple[object, ...],
             kwargs: Dict[str, object]) -> Optional[Tuple[object]]:
    """What a reader that has failed gives; None: its failure."""
    if not data.on or kind == "file" and _is_writing(args, kwargs):
        return None
    path = name if name.startswith("sklearn.") else _given(args, kwargs, kind)
    import shapeflow.checker.made_data as made_data

    declared = data.declared(path) if path is not None else None
    if declared is not None:
        return (made_data.declared(kind, declared, args, kwargs, name),)
    if kind == "address" and isinstance(path, str) and name.endswith((".post", ".request")):
        path = next((item for item in (*args, kwargs.get("url")) if "://" in str(item)), path)
    if not isinstance(path, (str, bytes, os.PathLike)) or not name.startswith("sklearn.") and \
            not data.may_stand_in(path):
        return None
    known = made_data.catalogued(name, args, kwargs)
    if known is None:
        data.note(path)
    if kind == "fetch":
        target = args[1] if len(args) > 1 else kwargs.get("filename", kwargs.get("out"))
        target = target or os.path.basename(os.fsdecode(path))
        data.download(target)
        headers = made_data.unknown("thing", name, path, kwargs)
        return (target if name == "wget.download" else (target, headers),)
    return (made_data.unknown(kind, name, path, kwargs) if known is None else known,)


def _constructing(kind: object, gives: str, data: DataFiles, name: str) -> Callable[..., Any]:
    """A class stays one. Where its file is not there, something unknown is made instead."""
    before = kind.__new__

    def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
        path = _given(args, kwargs, gives)
        stream = kwargs.get("fileobj", args[3] if len(args) > 3 else None)
        if cls is kind and stream is not None and data.on:
            found = _of_unknown("file", "gzip.open", stream)
            inner = getattr(stream, "name", None)
            if found is None and isinstance(inner, str) and (
                    data.has_unknown_content(inner) or data.appears(inner) is not None):
                import shapeflow.checker.made_data as made_data

                found = (made_data.unknown("file", "gzip.open", inner, {}),)
            elif found is None and isinstance(inner, str) and _opens_late(stream) and data.is_absent(inner):
                found = _instead(gives, data, name, (inner,), {})
            if found is not None:
                return found[0]
        if cls is kind and isinstance(path, (str, os.PathLike)) and not _is_writing(args, kwargs) and \
                data.on and data.is_absent(path):
            found = _instead(gives, data, name, args, kwargs)
            if found is not None:
                return found[0]
        return before(cls) if before is object.__new__ else before(cls, *args, **kwargs)

    return __new__


def _is_for_text(frame: Optional[FrameType]) -> bool:
    """Is it codecs that opens a file of bytes?"""
    while frame is not None and is_ours(frame):
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") == "codecs"


# --- open -----------------------------------------------------------------------------------------
def _opening(data: DataFiles, real: Callable[..., object]) -> Callable[..., Any]:
    def open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        try:
            return real(file, mode, *args, **kwargs)
        except FileNotFoundError:
            if isinstance(mode, str) and any(letter in mode for letter in "wax") and \
                    absent_paths.make_folder_of(data, file):
                return real(file, mode, *args, **kwargs)
            # Of a library that opens it, and of codecs, which makes text of it, the caller gets the stand-in.
            if isinstance(file, int) or not isinstance(mode, str) or \
                    any(letter in mode for letter in "wax+") or not data.on or \
                    _is_for_text(sys._getframe(1)) or not data.is_asked_by_script():
                raise
            import shapeflow.checker.made_data as made_data

            found = data.declared(file)
            if found is not None:
                return made_data.declared("file", found, (file, mode), {}, "open")
            if not data.may_stand_in(file):
                raise
            data.note(file)
            return made_data.unknown("file", "open", file, {"mode": mode})

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
            return _walk(data, os.fspath(top), topdown)

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
                return _Entries(data, path)

        return scanning

    take_part(by, "walk", over_walk)
    take_part(by, "scandir", over_scandir)


class _Entries:
    """os.scandir of a folder that is not there."""

    def __init__(self, data: DataFiles, folder: Any) -> None:
        self._entries = iter([_Entry(os.fspath(folder), name) for name in data.names_in(folder)])

    def __iter__(self) -> Iterator[_Entry]:
        return self._entries

    def __next__(self) -> _Entry:
        return next(self._entries)

    def __enter__(self) -> _Entries:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def close(self) -> None:
        pass


class _Entry:
    """os.DirEntry."""

    def __init__(self, folder: str, name: str) -> None:
        self.name, self.path = name, os.path.join(folder, name)

    def is_dir(self, follow_symlinks: bool = True) -> bool:
        return os.path.isdir(self.path)

    def is_file(self, follow_symlinks: bool = True) -> bool:
        return os.path.isfile(self.path)

    def is_symlink(self) -> bool:
        return os.path.islink(self.path)

    is_junction = is_symlink

    def inode(self) -> int:
        return int(os.stat(self.path).st_ino)

    def stat(self, follow_symlinks: bool = True) -> object:
        return os.stat(self.path)

    def __fspath__(self) -> str:
        return self.path


def _walk(data: DataFiles, top: str, topdown: bool) -> object:
    """One folder in one folder, with files in both; of a declared one what it has."""
    known = data.declared(top)
    names = data.names_in(top)
    folders = list(known.get("classes") or ()) if known is not None else names[:1]
    files = [name for name in names if name not in folders] if known is not None else names
    if topdown:
        yield top, folders, files
    for folder in folders:
        inner = os.path.join(top, folder)
        yield inner, [], data.names_in(inner)
    if not topdown:
        yield top, folders, files


def _complete_glob(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    real, real_iter = module.glob, module.iglob

    @functools.wraps(real)
    def glob(pathname: object, *args: object, **kwargs: object) -> object:
        found = real(pathname, *args, **kwargs)
        if not found and data.on and not kwargs.get("root_dir"):
            return data.matching(pathname) or found
        return found

    @functools.wraps(real_iter)
    def iglob(pathname: object, *args: object, **kwargs: object) -> object:
        found = list(real_iter(pathname, *args, **kwargs))
        if not found and data.on and not kwargs.get("root_dir"):
            return iter(data.matching(pathname) or found)
        return iter(found)

    by.set(module, "glob", glob)
    by.set(module, "iglob", iglob)


def _complete_pathlib(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    def over(name: str, deep: bool) -> None:
        real = getattr(module.Path, name)

        @functools.wraps(real)
        def glob(self: Any, pattern: Any, *args: object, **kwargs: object) -> object:
            try:
                found = list(real(self, pattern, *args, **kwargs))
            except FileNotFoundError:  # it seems to be there: something unknown stands for it
                found = []
            if not found and data.on and not data.is_folder_there(self):
                inner = os.path.join(os.fspath(self), "*" if deep else "", os.fspath(pattern))
                return iter([type(self)(str.__str__(one)) for one in data.matching(inner) or ()])
            return iter(found)

        by.set(module.Path, name, glob)

    over("glob", False)
    over("rglob", True)
    real_names = module.Path.iterdir

    @functools.wraps(real_names)
    def iterdir(self: Any) -> object:
        if data.on and not data.is_folder_there(self) and \
                (data.declared(self) is not None or data.may_stand_in(self)):
            return iter([self / str.__str__(name) for name in data.names_in(self)])
        return real_names(self)

    by.set(module.Path, "iterdir", iterdir)
