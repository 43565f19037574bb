"""Names that packages have dropped, and old programs still use: given back in a check where the installed
package lacks them, and said in a note.

One module for each package says what it had, and is loaded when that package is: MODULES, names of its
modules; PATCHES, what is changed in a module when it is imported (methods, arguments); GONE, whole modules.
Names of modules are there for the program alone: libraries that look whether a name is there see what there
is.
"""
from __future__ import annotations

import functools
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

from shapeflow import _core
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.checker.findings import Record, assumed, listed
from shapeflow.checker.import_hook import Loader, act_on, make_missing
from shapeflow.checker.library_frames import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, List, Optional, Protocol

    from shapeflow.checker.import_hook import Act, Make
    from shapeflow.checker.patches import Patcher

    class Makers(Protocol):
        """Of a module: {name: what gives it}."""

        def get(self, name: str, /) -> Optional[Callable[[], Any]]: ...

    Patch = Callable[[ModuleType, "Removed"], None]

# Modules in which something is given back, and those that are gone, by the file that says what.
_CHANGED = {
    "library_names": "collections inspect time fractions",
    "numpy_names": "numpy numpy.random numpy.lib", "pandas_names": "pandas",
    "scipy_names": "scipy scipy.signal scipy.stats scipy.integrate scipy.linalg scipy.misc "
                   "scipy.sparse.linalg.eigen",
    "scipy_private": "scipy.optimize.optimize scipy.optimize.linesearch scipy.optimize.lbfgsb "
                     "scipy.optimize.minpack scipy.optimize.nonlin scipy.optimize.slsqp scipy.optimize.zeros "
                     "scipy.linalg.basic scipy.linalg.decomp scipy.linalg.matfuncs scipy.linalg.misc "
                     "scipy.linalg.special_matrices scipy.stats.kde scipy.stats.morestats scipy.stats.stats "
                     "scipy.sparse.base scipy.sparse.compressed scipy.sparse.construct scipy.sparse.csc "
                     "scipy.sparse.csr scipy.sparse.coo scipy.sparse.sputils scipy.spatial.ckdtree "
                     "scipy.spatial.kdtree scipy.spatial.qhull scipy.special.basic scipy.special.orthogonal "
                     "scipy.interpolate.fitpack scipy.interpolate.fitpack2 scipy.interpolate.interpolate "
                     "scipy.interpolate.polyint scipy.signal.ltisys scipy.signal.spectral",
    "pillow_names": "PIL.Image PIL.ImageDraw PIL.ImageFont",
    "matplotlib_names": "matplotlib matplotlib.cm matplotlib.pyplot matplotlib.axes matplotlib.figure "
                        "matplotlib.backend_bases matplotlib.style",
    "scikit_learn_names": "sklearn.preprocessing sklearn.datasets sklearn.metrics "
                          "sklearn.feature_extraction.text",
    "librosa_names": "librosa librosa.feature librosa.filters"}
_GONE = {
    "scipy_names": "scipy.ndimage.filters scipy.ndimage.interpolation scipy.ndimage.measurements "
                   "scipy.ndimage.morphology scipy.ndimage.fourier scipy.signal.filter_design "
                   "scipy.signal.signaltools scipy.sparse.linalg.eigen.arpack",
    "scikit_learn_names": "sklearn.cross_validation sklearn.grid_search sklearn.learning_curve "
                          "sklearn.externals sklearn.externals.joblib sklearn.utils.testing",
    "librosa_names": "librosa.output"}
_NAMED_MOST = 6


class Removed:
    """What one check gives back."""

    def __init__(self, by: Patcher, script: str) -> None:
        self.by, self._script = by, script
        self._used: Dict[str, Dict[str, None]] = {}  # {package: names}

    def install(self) -> None:
        acts: Dict[str, Act] = {}
        makers: Dict[str, Make] = {}
        for file, modules in _CHANGED.items():
            acts.update(dict.fromkeys(modules.split(), functools.partial(self._act, file=file)))
        for file, modules in _GONE.items():
            makers.update(dict.fromkeys(modules.split(), functools.partial(self._make, file=file)))
        act_on(self.by, acts)
        make_missing(self.by, makers)

    def use(self, package: str, name: str) -> None:
        """The program uses something that the package has no more."""
        self._used.setdefault(package, {})[name] = None

    def records(self) -> List[Record]:
        """A note for each package."""
        found = []
        for package, names in self._used.items():
            version = getattr(sys.modules.get(package), "__version__", "")
            if package in _CHANGED["library_names"].split():
                package, version = "Python", ".".join(map(str, sys.version_info[:3]))
            found.append(assumed(
                "{name} {text} has no {text}: the check goes on as if it had, a run with this version ends "
                "there", package, version, listed(list(names), _NAMED_MOST)))
        return found

    # --- ways to give back ----------------------------------------------------------------------
    def add(self, holder: Any, name: str, value: Any, package: str, shown: str = "") -> None:
        """A function, method or property that a class or module lacks."""
        if hasattr(holder, name):
            return
        shown = shown or f"{getattr(holder, '__name__', package)}.{name}"
        if isinstance(value, property) and value.fget is not None:
            get = value.fget

            def got(owner: object) -> object:
                self.use(package, shown)
                return get(owner)

            self.by.set(holder, name, property(got))
            return

        @functools.wraps(value)
        def given(*args: Any, **kwargs: Any) -> Any:
            self.use(package, shown)
            return value(*args, **kwargs)

        self.by.set(holder, name, given)

    def lend(self, holder: type, name: str, value: Callable[..., Any], package: str) -> None:
        """A method that a class lacks which Python lets nobody change."""
        @functools.wraps(value)
        def given(*args: object, **kwargs: object) -> Any:
            self.use(package, f"{holder.__name__}.{name}")
            return value(*args, **kwargs)

        _core.lend_method(holder, name, given)
        self.by.also(f"{holder.__name__}.{name}", lambda: _core.lend_method(holder, name, None))

    def retry(self, holder: object, name: str,
              change: Callable[[List[object], Dict[str, object]], Optional[str]], package: str) -> None:
        """What refuses arguments that it used to take is called again with others: `change` makes them of the
        old ones in place, and says what is gone (None: nothing that it knows)."""
        before = getattr(holder, name, None)
        if not callable(before):
            return

        @functools.wraps(before)
        def called(*args: object, **kwargs: object) -> object:
            try:
                return before(*args, **kwargs)
            except (TypeError, AttributeError):
                given = list(args)
                gone = change(given, kwargs) if self.by.on else None
                if gone is None:
                    raise
                result = before(*given, **kwargs)
                self.use(package, gone)
                return result

        self.by.set(holder, name, called)

    def _act(self, module: ModuleType, by: Patcher, file: str) -> None:
        if is_unmodelled(module):  # it stands for a package that is not installed
            return
        said = _said(file)
        names: Optional[Makers] = getattr(said, "MODULES", {}).get(module.__name__)
        if names is not None:
            self._answer(module, names)
        patch: Optional[Patch] = getattr(said, "PATCHES", {}).get(module.__name__)
        if patch is not None:
            patch(module, self)

    def _answer(self, module: ModuleType, names: Makers) -> None:
        """The module's __getattr__ knows the names that it lacks."""
        before = vars(module).get("__getattr__")
        package = module.__name__.partition(".")[0]

        def __getattr__(name: str) -> Any:  # noqa: N807
            make = names.get(name)
            if make is None or not self.by.on or \
                    is_library(sys._getframe(1).f_code.co_filename, self._script):
                if before is None:
                    raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
                return before(name)
            self.use(package, f"{module.__name__}.{name}")
            return make()

        self.by.set(module, "__getattr__", __getattr__)

    def _make(self, name: str, file: str) -> Optional[ModuleSpec]:
        """A module that is gone from a package that is there."""
        package = name.partition(".")[0]
        try:
            if is_unmodelled(import_module(package)):
                return None
        except ImportError:
            return None
        fill: Callable[[ModuleType], None] = _said(file).GONE[name]

        def filled(module: ModuleType) -> None:
            fill(module)
            self.use(package, name)

        spec = ModuleSpec(name, Loader(fill=filled), is_package=True)
        spec.submodule_search_locations = []
        return spec


def _said(file: str) -> ModuleType:
    return import_module(f"shapeflow.checker.removed.{file}")
