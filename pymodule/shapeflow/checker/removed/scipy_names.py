"""SciPy: what moved to numpy, to other modules of its own, or went. Images of scipy.misc:
tensorflow/compat/python2.py."""
from __future__ import annotations

from importlib import import_module

from shapeflow.checker.removed.changes import of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict

    from shapeflow.checker.removed.restore import Removed

_OF_NUMPY = """abs all any append arange arccos arcsin arctan arctan2 array asarray average clip concatenate
    cos cumsum diag dot e exp eye float32 float64 floor hstack inf int32 int64 isnan linspace log log10
    log2 max mean median min nan newaxis ones pi polyfit polyval prod rand randn real reshape round
    sin sqrt std sum tan tanh tile transpose unique var vstack where zeros zeros_like ones_like
    interp mod power sign argsort argmax argmin""".split()
_WINDOWS = """barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine exponential flattop
    gaussian general_gaussian hamming hann kaiser nuttall parzen triang tukey""".split()


def _hanning() -> object:
    return of("scipy.signal.windows", "hann")()


def _item_frequencies(a: Any) -> object:
    import numpy as np

    items, counts = np.unique(a, return_inverse=False, return_counts=True)
    return np.array([items, counts]).T


MODULES: Dict[str, Dict[str, Callable[[], object]]] = {
    "scipy": {name: of("numpy.random" if name in ("rand", "randn") else "numpy", name)
              for name in _OF_NUMPY},
    "scipy.signal": {**{name: of("scipy.signal.windows", name) for name in _WINDOWS}, "hanning": _hanning},
    "scipy.stats": {"itemfreq": lambda: _item_frequencies},
    "scipy.integrate": {"trapz": of("numpy", "trapezoid"), "simps": of("scipy.integrate", "simpson"),
                        "cumtrapz": of("scipy.integrate", "cumulative_trapezoid")},
    "scipy.linalg": {"pinv2": of("scipy.linalg", "pinv"), "tril": of("numpy", "tril"),
                     "triu": of("numpy", "triu")},
    "scipy.misc": {"comb": of("scipy.special", "comb"), "factorial": of("scipy.special", "factorial"),
                   "logsumexp": of("scipy.special", "logsumexp")},
}


def _same_as(module: str) -> Callable[[ModuleType], None]:
    def fill(made: ModuleType) -> None:
        found = import_module(module)
        for name in dir(found):
            if not name.startswith("__"):
                setattr(made, name, getattr(found, name))

    return fill


GONE: Dict[str, Callable[[ModuleType], None]] = {
    **{f"scipy.ndimage.{name}": _same_as("scipy.ndimage")
       for name in ("filters", "interpolation", "measurements", "morphology", "fourier")},
    "scipy.signal.filter_design": _same_as("scipy.signal"),
    "scipy.signal.signaltools": _same_as("scipy.signal"),
    "scipy.sparse.linalg.eigen.arpack": _same_as("scipy.sparse.linalg"),
}


def _is_package(module: ModuleType, removed: Removed) -> None:
    """It had modules of its own."""
    if not hasattr(module, "__path__"):
        removed.by.set(module, "__path__", [])


PATCHES: Dict[str, Callable[[ModuleType, Removed], None]] = {"scipy.sparse.linalg.eigen": _is_package}
