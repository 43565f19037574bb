"""Tables of pandas whose content nobody knows: a column has one axis, a table two; `table[["a", "b"]]` has
two columns, whatever is in it.

Source: https://pandas.pydata.org/docs/reference/frame.html
"""
from __future__ import annotations

import sys

from shapeflow.api import asking_frames
from shapeflow.api.unknown_package import Unknown, assumed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, List, Optional, Sequence, Tuple

    Names = Optional[Tuple[str, ...]]

# What a table has that is neither a column nor called.
_NO_COLUMNS = frozenset("""
    columns index dtypes T size empty axes at iat style plot attrs flags sparse name names
    """.split())
# Methods that leave the columns as they are.
_KEEP_COLUMNS = """
    abs astype bfill clip copy cumsum diff drop_duplicates dropna ffill fillna head infer_objects interpolate
    mask nlargest nsmallest query replace round sample shift sort_index sort_values tail where""".split()
_KEEP_COLUMN = """
    abs apply astype bfill clip copy cumsum diff drop_duplicates dropna ffill fillna head interpolate isin
    isna isnull map mask notna notnull pct_change replace round sample shift sort_index sort_values tail
    where""".split()
# Methods that take rows together, and what makes a row (of a column: a number) of each group.
_GROUPING = "ewm expanding groupby resample rolling".split()
_OF_A_GROUP = """
    asfreq bfill count ffill first interpolate last max mean median min nearest nunique prod std sum
    var""".split()
# What says of each row whether it is wanted.
_MASKS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__invert__", "__and__", "__or__",
          "isin()", "isna()", "isnull()", "notna()", "notnull()", "duplicated()", "between()", "contains()",
          "startswith()")


def _made(kind: type, of: Unknown, suffix: str, shape: Tuple[Optional[int], ...]) -> Unknown:
    made = of._more(suffix)
    made.__class__ = kind  # as _more() names it and keeps what it comes from
    return made._shaped(shape, None)


def table(of: Unknown, suffix: str, columns: Optional[int] = None, names: Names = None) -> Unknown:
    return _named(_made(UnknownTable, of, suffix, (None, columns)), names)


def _named(made: Unknown, names: Names) -> Unknown:
    """A table of these columns; None: nobody knows their names."""
    if names is not None:
        made.__dict__["_sf_columns"] = names
        made._shaped((None, len(names)))
    return made


def _names(key: object) -> Names:
    """Of a list of columns that the program writes down."""
    plain = isinstance(key, (list, tuple)) and all(type(one) is str for one in key)
    return tuple(key) if plain else None  # type: ignore[arg-type]


def column(of: Unknown, suffix: str) -> Unknown:
    return _made(UnknownColumn, of, suffix, (None,))


def array(of: Unknown, suffix: str, shape: Tuple[Optional[int], ...]) -> Unknown:
    return of._more(suffix)._shaped(shape, None)


def is_mask(key: object) -> bool:
    return isinstance(key, Unknown) and key._sf_name.endswith(_MASKS)


def _width(key: object, columns: Optional[int]) -> Optional[int]:
    """How many columns a list of them, or a slice, takes."""
    if isinstance(key, (list, tuple)) and not any(isinstance(one, (Unknown, bool)) for one in key):
        return len(key)
    if isinstance(key, slice) and key == slice(None):
        return columns
    return None


class UnknownNames(Unknown):
    """A pandas.Index of names that nobody knows: among them are those that the program looked up in vain."""

    __hash__ = Unknown.__hash__

    def __iter__(self) -> Iterator[object]:  # type: ignore[override]
        frame = sys._getframe(1)
        wanted = asking_frames.unpacked(frame)
        if wanted is not None:
            return iter([self._item(i) for i in range(wanted + asking_frames.has_star(frame))])
        assumed.lists_columns = True
        rows = self._rows()
        count = assumed.turns if rows is None else max(0, rows - len(assumed.columns))
        return iter([*(self._item(i) for i in range(count)), *assumed.columns])

    def tolist(self) -> UnknownNames:
        return self

    to_list = tolist

    @property
    def values(self) -> UnknownNames:
        return self


class KnownNames(Unknown):
    """A pandas.Index of names that are known: as a list of them. Whatever else it is asked is unknown."""

    __hash__ = Unknown.__hash__

    @property
    def _all(self) -> Tuple[str, ...]:
        found: Tuple[str, ...] = self.__dict__["_sf_columns"]
        return found

    def tolist(self) -> List[str]:
        return list(self._all)

    to_list = tolist

    @property
    def values(self) -> object:
        import numpy

        return numpy.array(self._all, dtype=object)

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, name: object) -> bool:
        return name in self._all

    def __getitem__(self, key: object) -> object:  # type: ignore[override]
        if type(key) is int and -len(self._all) <= key < len(self._all):
            return self._all[key]
        if isinstance(key, slice) and not any(isinstance(end, Unknown) for end in (key.start, key.stop)):
            return _index(self, self._all[key])
        return super().__getitem__(key)


def _index(of: Unknown, names: Tuple[str, ...]) -> Unknown:
    made = _made(KnownNames, of, ".columns", (len(names),))
    made.__dict__["_sf_columns"] = names
    return made


class UnknownTable(Unknown):
    """A DataFrame."""

    _sf_class = "DataFrame"
    __hash__ = Unknown.__hash__

    @property
    def _columns(self) -> Optional[int]:
        return (self._sf_shape or (None, None))[1]

    def __getitem__(self, key: object) -> Unknown:
        if isinstance(key, str):
            return column(self, "[]")
        if isinstance(key, KnownNames):
            key = key.tolist()
        if isinstance(key, list):
            return table(self, "[]", _width(key, None), _names(key))
        if isinstance(key, slice) or is_mask(key):
            return table(self, "[]", self._columns, self._names)
        return self._more("[]")

    def __setitem__(self, key: object, value: object) -> None:
        names = self._names
        more = None if names is None or type(key) is not str else dict.fromkeys((*names, key))
        self._rename(None if more is None else tuple(more))  # where nobody knows it may be one more

    def __delitem__(self, key: object) -> None:
        self._rename(self._without(key))

    def __iter__(self) -> Iterator[object]:  # type: ignore[override]
        return iter(self.columns)

    @property
    def _names(self) -> Names:
        found: Names = self.__dict__.get("_sf_columns")
        return found

    def _rename(self, names: Names) -> None:
        self._shaped((None, None))
        self.__dict__.pop("_sf_columns", None)
        _named(self, names)

    def _without(self, gone: object) -> Names:
        """The names that are left when one, or a list of them, goes."""
        named = (gone,) if type(gone) is str else _names(gone)
        if self._names is None or named is None:
            return None
        return tuple(name for name in self._names if name not in named)

    @property
    def columns(self) -> Unknown:
        if self._names is None:
            return _made(UnknownNames, self, ".columns", (self._columns,))
        return _index(self, self._names)

    @columns.setter
    def columns(self, names: object) -> None:
        width = self._columns  # which no name changes
        self._rename(_names(names))
        self._shaped((None, width if self._names is None else len(self._names)))

    def __getattr__(self, attr: str) -> object:
        found: object = super().__getattr__(attr)
        if type(found) is Unknown and attr not in _NO_COLUMNS and not attr.startswith("_"):
            found = self.__dict__[attr] = column(self, "." + attr)
        return found

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self._more("()", args, kwargs)

    @property
    def values(self) -> Unknown:
        return array(self, ".values", (None, self._columns))

    def to_numpy(self, *args: object, **kwargs: object) -> Unknown:
        return array(self, ".to_numpy()", (None, self._columns))

    as_matrix = to_numpy

    @property
    def iloc(self) -> Indexed:
        return Indexed(self)

    loc = ix = iloc

    def pop(self, name: object) -> Unknown:
        left = None if self._columns is None else self._columns - 1
        self._rename(self._without(name))
        self._shaped((None, left))
        return column(self, ".pop()")

    def drop(self, labels: object = None, axis: object = 0, *args: object, **kwargs: object
             ) -> Optional[Unknown]:
        """Of rows, or of columns that are named."""
        named = kwargs.get("columns", labels if axis in (1, "columns") else None)
        count = 1 if isinstance(named, str) else _width(named, None)
        left = self._columns
        if named is not None or axis not in (0, 1, "index", "columns"):
            left = None if count is None or left is None else left - count
        names = self._names if named is None else self._without(named)
        if kwargs.get("inplace"):
            self._rename(names)
            self._shaped((None, left))
            return None
        return table(self, ".drop()", left, names)

    def reset_index(self, *args: object, **kwargs: object) -> Optional[Unknown]:
        """Without drop= the index is a column more."""
        is_same = kwargs.get("drop") is True
        left, names = (self._columns, self._names) if is_same else (None, None)
        if kwargs.get("inplace"):
            self._rename(names)
            self._shaped((None, left))
            return None
        return table(self, ".reset_index()", left, names)


class UnknownColumn(Unknown):
    """A Series."""

    _sf_class = "Series"
    __hash__ = Unknown.__hash__

    def __getitem__(self, key: object) -> Unknown:
        if isinstance(key, slice) or is_mask(key):
            return column(self, "[]")
        return self._more("[]")

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self._more("()", args, kwargs)

    @property
    def values(self) -> Unknown:
        return array(self, ".values", (None,))

    def to_numpy(self, *args: object, **kwargs: object) -> Unknown:
        return array(self, ".to_numpy()", (None,))

    def __getattr__(self, attr: str) -> object:
        if attr == "columns":  # hasattr() tells a table from a column
            raise AttributeError("'Series' object has no attribute 'columns'")
        found: object = super().__getattr__(attr)
        return found

    def unique(self) -> Unknown:
        return array(self, ".unique()", (None,))

    @property
    def iloc(self) -> Indexed:
        return Indexed(self)

    loc = iloc


class Grouped(Unknown):
    """Rows of a table, or of a column, that are taken together. Which columns are left depends on the version
    of pandas: those of numbers, or all."""

    _sf_class = "DataFrameGroupBy"

    def __getitem__(self, key: object) -> Unknown:
        made = self._more("[]")
        return _grouped(made, of_table=True) if self._of_table and isinstance(key, list) else made

    @property
    def _of_table(self) -> bool:
        return bool(self.__dict__.get("_sf_of_table"))


def _grouped(made: Unknown, of_table: bool) -> Unknown:
    made.__class__ = Grouped
    made.__dict__["_sf_of_table"] = of_table
    return made


class Indexed:
    """`table.iloc`, `table.loc`."""

    def __init__(self, of: Unknown) -> None:
        self._of = of

    def __getitem__(self, key: object) -> Unknown:
        of = self._of
        columns = of._columns if isinstance(of, UnknownTable) else None
        rows, taken = key if isinstance(key, tuple) and len(key) == 2 else (key, slice(None))
        is_rows = isinstance(rows, (slice, list)) or is_mask(rows)
        if not isinstance(of, UnknownTable):
            return column(of, ".iloc[]") if is_rows and not isinstance(key, tuple) else of._more(".iloc[]")
        if isinstance(taken, (slice, list)):
            if is_rows:
                return table(of, ".iloc[]", _width(taken, columns))
            if type(rows) is int:
                return column(of, ".iloc[]")
        elif is_rows and isinstance(taken, (int, str)):
            return column(of, ".iloc[]")
        return of._more(".iloc[]")

    def __call__(self, *args: object, **kwargs: object) -> Indexed:
        return self  # table.loc(axis=0)[...]

    def __setitem__(self, key: object, value: object) -> None:
        self._of._shaped((None,) * len(self._of._sf_shape or ()))


def _keeping(name: str) -> object:
    def method(self: Unknown, *args: object, **kwargs: object) -> Optional[Unknown]:
        if kwargs.get("inplace"):
            return None
        if name == "apply" and any(isinstance(one, Unknown) for one in (*args, *kwargs.values())):
            return self._more(".apply()", args, kwargs)  # apply(pandas.Series) gives a table
        if name == "dropna" and kwargs.get("axis", args[0] if args else 0) not in (0, "index", "rows"):
            return table(self, ".dropna()")
        kind = UnknownTable if isinstance(self, UnknownTable) else UnknownColumn
        made = _made(kind, self, ".%s()" % name, self._sf_shape or ())
        return _named(made, self._names) if isinstance(self, UnknownTable) else made

    method.__name__ = name
    return method


def _calculating(name: str) -> object:
    plain = getattr(Unknown, name)

    def method(self: Unknown, other: object) -> object:
        made = plain(self, other)
        if type(made) is not Unknown:
            return made
        if isinstance(self, UnknownColumn):
            return made if isinstance(other, UnknownTable) else _made(UnknownColumn, made, "", (None,))
        if isinstance(other, UnknownTable) and (self._names is None or self._names != other._names):
            return table(made, "")  # it has the columns of both
        return _named(_made(UnknownTable, made, "", (None, self._columns)), self._names)

    method.__name__ = name
    return method


def _grouping(name: str) -> object:
    def method(self: Unknown, *args: object, **kwargs: object) -> Unknown:
        return _grouped(self._more(".%s()" % name, args, kwargs), isinstance(self, UnknownTable))

    method.__name__ = name
    return method


def _of_a_group(name: str) -> object:
    def method(self: Grouped, *args: object, **kwargs: object) -> Unknown:
        return (table if self._of_table else column)(self, ".%s()" % name)

    method.__name__ = name
    return method


for _name in "add sub mul truediv floordiv mod pow".split():
    for _method in ("__%s__" % _name, "__r%s__" % _name):
        setattr(UnknownTable, _method, _calculating(_method))
        setattr(UnknownColumn, _method, _calculating(_method))
for _name in _GROUPING:
    setattr(UnknownTable, _name, _grouping(_name))
    setattr(UnknownColumn, _name, _grouping(_name))
for _name in _OF_A_GROUP:
    setattr(Grouped, _name, _of_a_group(_name))
for _name in _KEEP_COLUMNS:
    setattr(UnknownTable, _name, _keeping(_name))
for _name in _KEEP_COLUMN:
    setattr(UnknownColumn, _name, _keeping(_name))


def read(dotted: str, kwargs: object) -> Unknown:
    """What a reader gives; with `chunksize` it is no table, with several headers a name is many columns."""
    given = kwargs if isinstance(kwargs, dict) else {}
    made = Unknown(dotted)
    plain = given.get("chunksize") is None and not given.get("iterator") and not given.get("squeeze") and \
        not isinstance(given.get("header"), (list, tuple)) and \
        isinstance(given.get("sheet_name", 0), (int, str))
    if not plain:
        return made
    names = given.get("usecols", given.get("names"))
    if given.get("index_col") is not None:
        return _as_table(made, None)
    return _named(_as_table(made, _width(names, None)), _names(names))


def _as_table(made: Unknown, columns: Optional[int]) -> Unknown:
    made.__class__ = UnknownTable
    return made._shaped((None, columns))


def joined(parts: Sequence[object], axis: object) -> Unknown:
    """What pandas.concat() makes."""
    made = Unknown("pandas.concat()")
    widths = [part._columns if isinstance(part, UnknownTable) else
              1 if isinstance(part, UnknownColumn) else None for part in parts]
    if axis in (0, "index") and len(parts) and all(isinstance(part, UnknownColumn) for part in parts):
        made.__class__ = UnknownColumn
        return made._shaped((None,))
    if axis in (0, "index"):
        return _as_table(made, widths[0] if len(set(widths)) == 1 else None)
    known = [width for width in widths if width is not None]
    return _as_table(made, sum(known) if len(known) == len(widths) else None)
