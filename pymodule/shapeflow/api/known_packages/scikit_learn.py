"""scikit-learn: what its most used functions make of arrays, and its data sets (api/known_data.py)."""
from __future__ import annotations

import functools
import math

from shapeflow.api import known_data
from shapeflow.api.unknown_package import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Tuple


def _is_known(*values: object) -> bool:
    from shapeflow.api.unknown_arrays import unknown_in

    return unknown_in(values) is None


def _more(of: object, suffix: str) -> Unknown:
    """What is computed from something that is not known, or holds what is not."""
    made: Unknown = of._more(suffix) if isinstance(of, Unknown) else Unknown(suffix[1:])
    return made


def _scaled(of: object) -> Unknown:
    """An array of the shape of another one, or of a table."""
    made = _more(of, ".scaled")
    return made._shaped(of._sf_shape, None) if isinstance(of, Unknown) else made


def some_rows(of: Unknown, suffix: str) -> Unknown:
    """Of an array or a table: its other axes are the same."""
    made = of._more(suffix)
    if of._sf_shape:
        made.__class__ = type(of)
        made._shaped((None, *of._sf_shape[1:]), of._sf_dtype)
    return made


def _rows(of: Any, key: Any) -> Any:
    """Some rows of an array, a table or a list."""
    if hasattr(of, "iloc"):
        return of.iloc[key]
    if isinstance(of, list) and not isinstance(key, slice):
        return [of[i] for i in key]
    return of[key]


# --- sklearn.model_selection ----------------------------------------------------------------------
def train_test_split(*arrays: Any, test_size: object = None, train_size: object = None,
                     random_state: object = None, shuffle: bool = True,
                     stratify: object = None) -> List[object]:
    made: List[Any] = []
    sizes = [len(array) for array in arrays if _is_known(array)]
    if len(sizes) != len(arrays) or len(set(sizes)) != 1 or not _is_known(test_size, train_size):
        for array in arrays:
            known = array if isinstance(array, Unknown) else Unknown("train_test_split()")
            made += [some_rows(known, ".train"), some_rows(known, ".test")]
        return made
    total = sizes[0]
    test, train = _count(test_size, total, math.ceil), _count(train_size, total, math.floor)
    if test is None:
        test = math.ceil(0.25 * total) if train is None else total - train
    train = total - test if train is None else train
    for array in arrays:
        made += [_rows(array, slice(0, train)), _rows(array, slice(train, train + test))]
    return made


def _count(size: Any, total: int, to_integer: Any) -> Optional[int]:
    if size is None:
        return None
    return int(to_integer(size * total)) if isinstance(size, float) else int(size)


class KFold:
    """Also StratifiedKFold and others of one constructor."""

    def __init__(self, n_splits: int = 5, *args: Any, **kwargs: Any) -> None:
        self.n_splits = n_splits

    def get_n_splits(self, *args: object) -> int:
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Tuple[object, object]]:  # noqa: N803
        import numpy

        for fold in range(self.n_splits):
            if not _is_known(X):
                yield _more(X, ".train"), Unknown("test")
                continue
            total = len(X)
            test = numpy.arange(fold * total // self.n_splits, (fold + 1) * total // self.n_splits)
            yield numpy.setdiff1d(numpy.arange(total), test), test


def shuffled(*arrays: object, **kwargs: object) -> object:
    return arrays[0] if len(arrays) == 1 else list(arrays)


# --- sklearn.preprocessing ------------------------------------------------------------------------
class _Scaler:
    """Moves and scales each column."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._moved: object = 0.0
        self._by: object = 1.0

    def _measure(self, values: object) -> None:
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None, **kwargs: Any) -> _Scaler:  # noqa: N803
        import numpy

        if _is_known(X):
            self._measure(numpy.asarray(X, float))
        else:
            self._moved = Unknown(type(self).__name__)
        return self

    partial_fit = fit

    def transform(self, X: object, *args: object) -> object:  # noqa: N803
        import numpy

        return (numpy.asarray(X, float) - self._moved) / self._by if _is_known(X) else _scaled(X)

    def inverse_transform(self, X: object, *args: object) -> object:  # noqa: N803
        import numpy

        return numpy.asarray(X, float) * self._by + self._moved if _is_known(X) else _scaled(X)

    def fit_transform(self, X: object, y: object = None, **kwargs: object) -> object:  # noqa: N803
        return self.fit(X).transform(X)

    def __getattr__(self, attr: str) -> Unknown:
        if attr.startswith("_"):
            raise AttributeError(attr)
        return Unknown("%s.%s" % (type(self).__name__, attr))


class StandardScaler(_Scaler):
    def _measure(self, values: Any) -> None:
        import numpy

        self._moved, by = values.mean(axis=0), values.std(axis=0)
        self._by = numpy.where(by == 0, 1.0, by)


class MinMaxScaler(_Scaler):
    def __init__(self, feature_range: Tuple[float, float] = (0, 1), **kwargs: Any) -> None:
        super().__init__()
        self.feature_range = feature_range

    def _measure(self, values: Any) -> None:
        import numpy

        low, high = values.min(axis=0), values.max(axis=0)
        width = numpy.where(high == low, 1.0, high - low) / (self.feature_range[1] - self.feature_range[0])
        self._by, self._moved = width, low - width * self.feature_range[0]


class LabelEncoder:
    """Numbers for labels, in their order."""

    classes_: Any

    def fit(self, y: Any) -> LabelEncoder:
        import numpy

        self.classes_ = numpy.unique(y) if _is_known(y) else Unknown("LabelEncoder.classes_")
        return self

    def transform(self, y: Any) -> object:
        import numpy

        if not _is_known(y, self.classes_):
            return _scaled(y) if isinstance(y, Unknown) else Unknown("LabelEncoder.transform()")
        return numpy.searchsorted(self.classes_, y)

    def inverse_transform(self, y: object) -> object:
        return self.classes_[y]

    def fit_transform(self, y: object) -> object:
        return self.fit(y).transform(y)


# --- sklearn.datasets -----------------------------------------------------------------------------
class Bunch(dict):  # type: ignore[type-arg]
    """A dictionary whose items are attributes."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        if name.startswith("_"):
            raise AttributeError(name)
        return Unknown("Bunch." + name)


def _fetch(name: str) -> object:
    def fetch(*args: object, **kwargs: object) -> Any:
        found = known_data.sklearn(name, args, kwargs, Bunch)
        return Unknown("sklearn.datasets.%s()" % name) if found is None else found

    fetch.__name__ = name
    return fetch


def _made(columns: int, classes: int, given: str, n_samples: Any = 100, *args: Any, **kwargs: Any) -> Any:
    """What make_... gives: points and what they are."""
    import numpy

    columns = kwargs.get(given, args[0] if args and given else columns)
    if not _is_known(n_samples, columns):
        return Unknown("points"), Unknown("classes")
    total = n_samples if isinstance(n_samples, int) else sum(n_samples)
    points = numpy.random.RandomState(0).rand(total, columns)
    classes = kwargs.get("n_classes", kwargs.get("centers", classes))
    if not classes or not isinstance(classes, int):
        targets = kwargs.get("n_targets", 1)
        return points, numpy.zeros(total if targets == 1 else (total, targets))
    return points, numpy.arange(total) % classes


_SCALERS = {"StandardScaler": StandardScaler, "MinMaxScaler": MinMaxScaler, "LabelEncoder": LabelEncoder}
_MAKERS = {"make_moons": (2, 2, ""), "make_circles": (2, 2, ""), "make_blobs": (2, 3, "n_features"),
           "make_classification": (20, 2, "n_features"), "make_regression": (100, 0, "n_features")}
MODULES: Dict[str, Dict[str, object]] = {
    "sklearn": {},
    "sklearn.model_selection": {"train_test_split": train_test_split, "KFold": KFold,
                                "StratifiedKFold": KFold},
    "sklearn.cross_validation": {"train_test_split": train_test_split},
    "sklearn.preprocessing": dict(_SCALERS), "sklearn.utils": {"shuffle": shuffled, "Bunch": Bunch},
    "sklearn.datasets": {
        **{name: _fetch(name) for name in (*known_data.SKLEARN, "fetch_20newsgroups", "fetch_openml")},
        **{name: functools.partial(_made, *how) for name, how in _MAKERS.items()}},
}
