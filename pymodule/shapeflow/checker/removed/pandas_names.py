"""pandas: methods and arguments that 1.0, 2.0 and 3.0 dropped."""
from __future__ import annotations

from importlib import import_module

from shapeflow.checker.removed.changes import all_of, positional, renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, Optional, Sequence

    from shapeflow.checker.removed.restore import Removed


class _Mixed:
    """`frame.ix[...]`: by label, and by place where there is no such label."""

    def __init__(self, of: Any) -> None:
        self._of = of

    def __getitem__(self, key: Any) -> Any:
        try:
            return self._of.loc[key]
        except (KeyError, TypeError, IndexError, ValueError):
            pass
        try:
            return self._of.iloc[key]
        except (IndexError, TypeError, ValueError):
            rows, columns = key
            return self._of.iloc[rows][columns]

    def __setitem__(self, key: Any, value: Any) -> None:
        try:
            self._of.loc[key] = value
        except (KeyError, TypeError):
            self._of.iloc[key] = value


def _append(self: object, other: object, ignore_index: bool = False, verify_integrity: bool = False,
            sort: bool = False) -> object:
    pandas = import_module("pandas")
    if isinstance(other, dict):
        other = pandas.Series(other)
    if isinstance(other, pandas.Series) and not isinstance(self, pandas.Series):
        other = other.to_frame().T
    others = list(other) if isinstance(other, (list, tuple)) else [other]
    if others and isinstance(others[0], dict):
        others = [pandas.DataFrame(others)]
    return pandas.concat([self, *others], ignore_index=ignore_index)


def _as_matrix(self: Any, columns: Any = None) -> object:
    return (self if columns is None else self[columns]).values


def _sorted(self: Any, columns: Any = None, axis: object = 0, ascending: object = True,
            inplace: bool = False) -> object:
    return self.sort_index(ascending=ascending, inplace=inplace) if columns is None else \
        self.sort_values(columns, ascending=ascending, inplace=inplace)


def _of_series_sorted(self: Any, na_last: object = None, ascending: bool = True, **kwargs: object) -> object:
    return self.sort_values(ascending=ascending)


def _set_value(self: Any, index: Any, column: Any, value: Any) -> object:
    self.at[index, column] = value
    return self


_METHODS: Dict[str, object] = {
    "append": _append, "as_matrix": _as_matrix, "iteritems": lambda self: self.items(),
    "ix": property(_Mixed), "get_value": lambda self, index, column: self.at[index, column],
    "set_value": _set_value, "sort": _sorted, "applymap": lambda self, func, **kw: self.map(func, **kw),
    "pad": lambda self, **kw: self.ffill(**kw), "backfill": lambda self, **kw: self.bfill(**kw)}
_OF_SERIES = ("append", "iteritems", "ix", "as_matrix", "pad", "backfill")


def _filled(args: Sequence[object], kwargs: Dict[str, Any]) -> Optional[str]:
    """fillna(method="ffill"): what follows is filled by what precedes it; here nothing says how."""
    if "method" not in kwargs:
        return None
    kwargs.pop("method")
    if len(args) < 2 and "value" not in kwargs:
        kwargs["value"] = 0
    return "argument method="


def _spaces(args: object, kwargs: Dict[str, object]) -> Optional[str]:
    """delim_whitespace=True."""
    if "delim_whitespace" not in kwargs:
        return None
    if kwargs.pop("delim_whitespace"):
        kwargs["sep"] = r"\s+"
    return "argument delim_whitespace="


_OF_READERS = all_of(_spaces, *(renamed(name, None) for name in (
    "error_bad_lines", "warn_bad_lines", "squeeze", "mangle_dupe_cols", "prefix", "date_parser",
    "infer_datetime_format", "keep_date_col", "verbose", "tupleize_cols", "as_recarray", "compact_ints",
    "buffer_lines", "skip_footer")))


def _rolling(how: str) -> Callable[..., Any]:
    def rolling(arg: Any, window: Any, min_periods: Any = None, center: bool = False,
                **kwargs: object) -> object:
        return getattr(arg.rolling(window, min_periods=min_periods, center=center), how)()

    return rolling


def _complete(pandas: ModuleType, removed: Removed) -> None:
    frame, series = pandas.DataFrame, pandas.Series
    for name, method in _METHODS.items():
        removed.add(frame, name, method, "pandas")
        if name in _OF_SERIES:
            removed.add(series, name, method, "pandas")
    removed.add(series, "order", _of_series_sorted, "pandas")
    for cls in (frame, series):
        removed.retry(cls, "drop", positional("axis", "index", "columns"), "pandas")
        removed.retry(cls, "fillna", _filled, "pandas")
    for name in ("dropna", "any", "all"):
        removed.retry(frame, name, _axis_alone, "pandas")
    removed.retry(frame, "sort_values", positional("axis", "ascending"), "pandas")
    removed.retry(pandas, "concat", _concatenated, "pandas")
    for name in ("read_csv", "read_table", "read_excel"):
        removed.retry(pandas, name, _OF_READERS, "pandas")
    removed.retry(pandas, "to_datetime", renamed("infer_datetime_format", None), "pandas")


def _axis_alone(args: Any, kwargs: Dict[str, Any]) -> Optional[str]:
    """`frame.dropna(1)`."""
    if len(args) != 2 or "axis" in kwargs:
        return None
    kwargs["axis"] = args.pop()
    return "positional axis"


def _concatenated(args: Any, kwargs: Dict[str, Any]) -> Optional[str]:
    """`pd.concat([a, b], 1)`, and keywords that are gone."""
    gone = renamed("join_axes", None)(args, kwargs)
    return _axis_alone(args, kwargs) or gone


MODULES: Dict[str, Dict[str, Callable[[], object]]] = {"pandas": {
    "np": lambda: import_module("numpy"), "datetime": lambda: import_module("datetime").datetime,
    **{name: lambda: import_module("pandas").Index for name in ("Int64Index", "Float64Index", "UInt64Index")},
    "TimeGrouper": lambda: import_module("pandas").Grouper,
    "scatter_matrix": lambda: import_module("pandas.plotting").scatter_matrix,
    **{"rolling_" + how: (lambda how=how: _rolling(how))  # type: ignore[misc]
       for how in ("mean", "std", "sum", "max", "min", "median", "var")},
}}
PATCHES: Dict[str, Callable[[ModuleType, Removed], None]] = {"pandas": _complete}
