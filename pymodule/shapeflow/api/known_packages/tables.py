"""pandas: what it reads is a table, whatever is in it (api/unknown_tables.py)."""
from __future__ import annotations

from shapeflow.api.unknown_package import Unknown
from shapeflow.api.unknown_tables import column, joined, read, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict

_READERS = "csv table excel parquet feather fwf sas stata orc".split()


def _reader(name: str) -> Callable[..., object]:
    def reader(*args: object, **kwargs: object) -> object:
        return read("pandas.%s()" % name, kwargs)

    reader.__name__ = name
    return reader


def concat(objs: object, *args: object, **kwargs: object) -> object:
    axis = kwargs.get("axis", args[0] if args else 0)
    if isinstance(objs, (list, tuple)) and axis in (0, 1, "index", "columns") and kwargs.get("keys") is None:
        return joined(objs, axis)
    return Unknown("pandas.concat()")


def get_dummies(data: object, *args: object, **kwargs: object) -> object:
    return table(data, ".get_dummies()") if isinstance(data, Unknown) else Unknown("pandas.get_dummies()")


def merge(left: object, *args: object, **kwargs: object) -> object:
    return table(left, ".merge()") if isinstance(left, Unknown) else Unknown("pandas.merge()")


def to_numeric(arg: object, *args: object, **kwargs: object) -> object:
    made = Unknown("pandas.to_numeric()")
    return column(arg, ".to_numeric()") if isinstance(arg, Unknown) and arg._sf_shape == (None,) else made


MODULES: Dict[str, Dict[str, object]] = {
    "pandas": {**{"read_" + name: _reader("read_" + name) for name in _READERS},
               "concat": concat, "get_dummies": get_dummies, "merge": merge, "to_numeric": to_numeric},
}
