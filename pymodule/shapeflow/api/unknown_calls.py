"""Functions and classes of installed packages that are given something unknown, and cannot say what they make
of it: what they make is unknown as well.
"""
from __future__ import annotations

import functools
from types import BuiltinFunctionType, FunctionType

from shapeflow.api.unknown_arrays import unknown_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable

    from shapeflow.checker.patches import Patcher

_SKLEARN = ("preprocessing model_selection metrics decomposition linear_model cluster svm ensemble "
            "neighbors utils manifold feature_extraction feature_extraction.text pipeline impute "
            "feature_selection tree naive_bayes compose mixture").split()
MODULES = ("pandas", "cv2", "PIL.Image", "PIL.ImageDraw", "matplotlib.pyplot", "matplotlib.image",
           "matplotlib.axes", "seaborn", "scipy.signal", "scipy.ndimage", "scipy.sparse", "scipy.stats",
           "scipy.io", "scipy.io.wavfile", "scipy.spatial.distance", "scipy.linalg", "scipy.fftpack",
           "scipy.fft",
           "skimage.transform", "skimage.color", "skimage.io", "skimage.util", "imageio", "librosa",
           "librosa.core.audio", "librosa.core.spectrum", "librosa.feature", "librosa.feature.spectral",
           "librosa.feature.utils", "librosa.effects", "librosa.util", "librosa.util.utils",
           "nltk",
           "json", "pickle", "struct", "re", "random", "math", "yaml", "h5py", "csv",
           "zipfile", "tarfile", "ast", "statistics", "shutil",
           *("sklearn." + name for name in _SKLEARN))
# Of the standard library only what insists on real text or numbers; the others do without us.
_ONLY = {
    "json": ("loads", "load"), "pickle": ("loads", "load"), "struct": ("unpack", "unpack_from"),
    "re": ("sub", "findall", "split", "match", "search", "fullmatch", "finditer"),
    "shutil": ("unpack_archive",),
    "random": ("sample", "shuffle", "choice", "choices"), "csv": ("reader", "DictReader"),
    "math": ("sqrt", "log", "exp", "pow", "sin", "cos", "isnan", "isinf", "log2", "log10"),
    "ast": ("literal_eval",), "zipfile": ("ZipFile",), "tarfile": ("open",),
    "statistics": ("mean", "median", "stdev"), "PIL.Image": ("fromarray", "frombuffer", "blend", "composite"),
    "h5py": ("File",), "yaml": ("load", "safe_load", "full_load", "load_all"),
}
# Text that a check has made up is as good as any other for these.
_TEXT_IS_FINE = ("re", "random", "math")
_METHODS = ("fit transform fit_transform predict predict_proba score fit_predict inverse_transform "
            "partial_fit decision_function kneighbors split").split()
_TABLE = ("DataFrame", "Series")
_FLAG = "_sf_saw_unknown"


def _made(name: str, unknown: object) -> Any:
    from shapeflow.api.unknown_package import Unknown

    return unknown._more(".%s()" % name) if isinstance(unknown, Unknown) else Unknown(name + "()")


def _around(function: Callable[..., object], module: str, name: str, strict: bool) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        unknown = unknown_in([*args, *kwargs.values()], strict)
        if unknown is None:
            return function(*args, **kwargs)
        if name == "shuffle":
            return None
        if name == "unpack" and type(args[0]) in (str, bytes):
            import struct

            count = len(struct.unpack(args[0], bytes(struct.calcsize(args[0]))))
            return tuple(_made(name, unknown) for _ in range(count))
        if name in ("reader",) and hasattr(args[0], "__next__"):
            from shapeflow.api.unknown_text import rows

            return rows(args[0])
        made = _made(name, unknown)
        if module == "cv2" or module.startswith(("skimage.", "scipy.")):
            from shapeflow.api import unknown_pixels

            made._shaped(*unknown_pixels.facts(f"{module}.{name}", args, kwargs))
        elif module.startswith("librosa"):
            from shapeflow.api import unknown_sounds

            if name == "load":
                return unknown_sounds.load(*args, **kwargs)
            made._shaped(*unknown_sounds.facts(f"{module}.{name}", args, kwargs))
        return made

    return call


def _method(function: Callable[..., object], name: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not vars(self).get(_FLAG):
            unknown = unknown_in([*args, *kwargs.values()])
            if unknown is None:
                return function(self, *args, **kwargs)
            self.__dict__[_FLAG] = True
        if name in ("fit", "partial_fit"):
            return self
        return _made("%s.%s" % (type(self).__name__, name), None)

    return call


def _table_method(function: Callable[..., object], name: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        unknown = unknown_in([*args, *kwargs.values()])
        if unknown is None:
            return function(self, *args, **kwargs)
        return None if name == "__setitem__" else _made(name, unknown)

    return call


def _construct(kind: Any) -> object:
    before = kind.__new__

    def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
        unknown = unknown_in([*args, *kwargs.values()])
        if unknown is not None and cls is kind:
            return _made(kind.__name__, unknown)
        return before(cls) if before is object.__new__ else before(cls, *args, **kwargs)

    return __new__


def change(module: ModuleType, by: Patcher) -> None:
    """One of MODULES."""
    dotted = module.__name__
    only = _ONLY.get(dotted)
    if dotted == "re":
        from shapeflow.api import unknown_patterns

        unknown_patterns.change(module, by)
    strict = dotted not in _TEXT_IS_FINE
    for name, value in list(vars(module).items()):
        if name.startswith("_") or only is not None and name not in only:
            continue
        if isinstance(value, (FunctionType, BuiltinFunctionType)):
            by.set(module, name, _around(value, dotted, name, strict))
        elif isinstance(value, type) and name in _ONLY.get(dotted, ()):
            by.set(value, "__new__", _construct(value))
        elif isinstance(value, type) and dotted == "pandas" and name in _TABLE:
            by.set(value, "__new__", _construct(value))
            for own in [n for kind in value.__mro__[:-1] for n in vars(kind)]:
                function = getattr(value, own, None)
                if isinstance(function, FunctionType) and (not own.startswith("_") or own == "__setitem__") \
                        and not isinstance(vars(value).get(own), (staticmethod, classmethod)):
                    by.set(value, own, _table_method(function, own))
        elif isinstance(value, type) and dotted.startswith("sklearn."):
            for own in _METHODS:
                function = getattr(value, own, None)
                if isinstance(function, FunctionType):
                    by.set(value, own, _method(function, own))
