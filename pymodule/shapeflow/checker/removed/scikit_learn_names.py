"""scikit-learn: modules, classes and arguments that 0.20 to 1.6 dropped."""
from __future__ import annotations

from importlib import import_module

from shapeflow.checker.removed.changes import of, renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict

    from shapeflow.checker.removed.restore import Removed


def _boston(return_X_y: bool = False) -> object:  # noqa: N803
    """The houses of Boston: their shapes."""
    import numpy as np

    data, target = np.zeros((506, 13)), np.zeros(506)
    names = np.array("CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT".split())
    bunch = import_module("sklearn.utils").Bunch
    return (data, target) if return_X_y else bunch(data=data, target=target, feature_names=names, DESCR="",
                                                   filename="")


def _names(self: Any) -> Any:
    return list(self.get_feature_names_out())


def _complete_text(module: ModuleType, removed: Removed) -> None:
    for cls in (module.CountVectorizer, module.TfidfVectorizer):
        removed.add(cls, "get_feature_names", _names, "sklearn")


def _complete_encoders(module: ModuleType, removed: Removed) -> None:
    removed.retry(module.OneHotEncoder, "__init__", renamed("sparse", "sparse_output"), "sklearn")


def _complete_metrics(module: ModuleType, removed: Removed) -> None:
    before = module.mean_squared_error

    def mean_squared_error(*args: object, **kwargs: object) -> object:
        if not removed.by.on or "squared" not in kwargs:
            return before(*args, **kwargs)
        squared = kwargs.pop("squared")
        removed.use("sklearn", "argument squared=")
        found = before(*args, **kwargs)
        return found if squared else found ** 0.5

    removed.by.set(module, "mean_squared_error", mean_squared_error)


def _from(module: str, *more: str) -> Callable[[ModuleType], None]:
    """A module that has the names of others."""
    def fill(made: ModuleType) -> None:
        for one in (module, *more):
            found = import_module(one)
            for name in dir(found):
                if not name.startswith("_"):
                    setattr(made, name, getattr(found, name))

    return fill


def _fill_externals(made: ModuleType) -> None:
    made.__dict__["joblib"] = import_module("joblib")


MODULES: Dict[str, Dict[str, Callable[[], object]]] = {
    "sklearn.preprocessing": {"Imputer": of("sklearn.impute", "SimpleImputer")},
    "sklearn.datasets": {"load_boston": lambda: _boston},
    "sklearn.metrics": {"jaccard_similarity_score": of("sklearn.metrics", "jaccard_score")},
}
PATCHES: Dict[str, Callable[[ModuleType, Removed], None]] = {
    "sklearn.feature_extraction.text": _complete_text, "sklearn.preprocessing": _complete_encoders,
    "sklearn.metrics": _complete_metrics}
GONE: Dict[str, Callable[[ModuleType], None]] = {
    "sklearn.cross_validation": _from("sklearn.model_selection"),
    "sklearn.grid_search": _from("sklearn.model_selection"),
    "sklearn.learning_curve": _from("sklearn.model_selection"),
    "sklearn.externals": _fill_externals, "sklearn.externals.joblib": _from("joblib"),
    "sklearn.utils.testing": _from("sklearn.utils._testing")}
