"""What a translated program of Python 2 needs as it runs: meanings that depend on the values at hand, names
that no fixer of lib2to3 replaces, and functions and modules of Python 2's library.

Only the program's own files ask for it (python2_source rewrites them); what installed packages see of Python
is as before, but for `hashlib` and `base64`, which take strings besides what they take.
"""
from __future__ import annotations

import builtins
import functools
import io
import itertools
import operator
import sys
from numbers import Integral
from types import ModuleType

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Callable, Dict, Iterable, Iterator, List, Tuple, Union

    from shapeflow.checker.patches import Patcher

NAMES = frozenset("cmp coerce file buffer open round".split())  # builtins that are others than Python 3's
METHODS = frozenset("decode encode sort tostring translate".split())  # of strings, lists, arrays, the same
READERS = frozenset(("reader", "DictReader"))                   # of csv
_INTEGERS = (Integral, _core.Dimension)  # numpy's too
_CODES = ("hex", "base64", "zlib", "bz2", "rot13", "rot_13")


# --- operators --------------------------------------------------------------------------------------------
def _of_integers(value: object) -> bool:
    dtype = getattr(value, "dtype", None)  # numpy's or TensorFlow's
    return getattr(dtype, "kind", "") in ("i", "u", "b") or getattr(dtype, "is_integer", False) is True or \
        isinstance(value, _INTEGERS)


def divide(a: Any, b: Any) -> object:
    """`a / b` as Python 2 has it: of integers an integer, else by __div__ where a class has it."""
    if _of_integers(a) and _of_integers(b):
        return operator.floordiv(a, b)
    if hasattr(type(a), "__div__"):
        made: object = a.__div__(b)
        if made is not NotImplemented:
            return made
    elif hasattr(type(b), "__rdiv__") and not hasattr(type(b), "__rtruediv__"):
        return b.__rdiv__(a)
    return operator.truediv(a, b)


def divide_in_place(a: Any, b: Any) -> object:
    """The value of `a` after `a /= b`."""
    if _of_integers(a) and _of_integers(b):
        a //= b
        return a
    if hasattr(type(a), "__idiv__"):
        return a.__idiv__(b)
    if hasattr(type(a), "__div__"):
        return divide(a, b)
    a /= b
    return a


# --- builtins ---------------------------------------------------------------------------------------------
def cmp(a: Any, b: Any) -> int:
    return int(a > b) - int(a < b)


def coerce(a: Any, b: Any) -> Tuple[object, object]:
    total = type(a + b)
    return total(a), total(b)


def buffer(of: Union[str, bytes], offset: int = 0, size: int = -1) -> memoryview:
    data = memoryview(of.encode("latin-1") if isinstance(of, str) else of)
    return data[offset:] if size < 0 else data[offset:offset + size]


def round(number: float, digits: int = 0) -> object:
    """A float, also of an integer."""
    made = builtins.round(number, digits) if digits else builtins.round(number)
    return float(made) if isinstance(made, int) else made


class _Written:
    """A file that is open for bytes and takes strings too."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, text: object) -> object:
        return self._file.write(text.encode() if isinstance(text, str) else text)  # type: ignore[call-overload]

    def writelines(self, lines: Iterable[object]) -> None:
        for line in lines:
            self.write(line)

    def __enter__(self) -> _Written:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[object]:
        return iter(self._file)


def open(name: str, mode: str = "r", *more: Any, **named: Any) -> object:
    """Python 3's; what is opened for writing bytes takes strings too, and "U" is what it does anyhow."""
    mode = mode.replace("U", "") or "r" if isinstance(mode, str) else mode
    file = builtins.open(name, mode, *more, **named)
    return _Written(file) if mode in ("wb", "ab", "wb+", "ab+", "w+b", "a+b") else file


class _FileType(type):
    def __call__(cls, *args: Any, **named: Any) -> object:
        return open(*args, **named)

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, (io.IOBase, _Written))


class file(metaclass=_FileType):
    """The type of files, whose call opens one."""


def sorted(values: Iterable[Any], *by: object, **named: Any) -> List[object]:
    """sorted(values, cmp, key, reverse)."""
    for name, value in zip(("cmp", "key", "reverse"), by):
        named[name] = value
    return builtins.sorted(values, **_keyed(named))


def _keyed(named: Dict[str, Any]) -> Dict[str, Any]:
    """The arguments of Python 3's sort, of which `key` says what `cmp` did."""
    cmp, key = named.pop("cmp", None), named.get("key")
    if cmp is not None:
        ordered = functools.cmp_to_key(cmp)
        named["key"] = ordered if key is None else lambda value: ordered(key(value))
    return named


def map_none(*rows: Iterable[object]) -> List[object]:
    """map(None, ...): the rows side by side, of one row a list."""
    return list(rows[0]) if len(rows) == 1 else list(itertools.zip_longest(*rows))


def message(error: BaseException) -> object:
    """`error.message`, which exceptions had."""
    said = error.args[0] if len(error.args) == 1 else ""
    return getattr(error, "message", said)


# --- methods ----------------------------------------------------------------------------------------------
def method(owner: object, name: str, *args: Any, **named: Any) -> object:
    """A call of one of METHODS or READERS: a string is text and bytes at once, a list sorts by `cmp`, and csv
    reads files of bytes."""
    if isinstance(owner, str):
        if name in ("decode", "encode"):
            return _coded(owner, name, *args, **named)
        if name == "translate" and (len(args) == 2 or args and isinstance(args[0], (str, type(None)))):
            return _translated(owner, *args)
    elif name in READERS:
        if owner is sys.modules.get("csv") and args and type(args[0]) in (io.BufferedReader, io.BytesIO):
            args = (_texts(args[0]), *args[1:])
    elif isinstance(owner, list) and name == "sort":
        for key, value in zip(("cmp", "key", "reverse"), args):
            named[key] = value
        owner.sort(**_keyed(named))
        return None
    elif name == "tostring" and not hasattr(owner, name):  # of numpy's arrays, before 2.3
        name = "tobytes"
    return getattr(owner, name)(*args, **named)


def _coded(text: str, name: str, encoding: str = "ascii", errors: str = "strict") -> str:
    code = encoding.replace("-", "_").lower()
    if code not in _CODES:
        return text
    import codecs

    if code.startswith("rot"):
        return codecs.encode(text, "rot13")
    made: bytes = getattr(codecs, name)(text.encode("latin-1"), code)
    return made.decode("latin-1")


def _translated(text: str, table: Union[str, Dict[int, str], None], deleted: str = "") -> str:
    text = text.translate({ord(c): None for c in deleted})
    if isinstance(table, str):  # of 256 characters, by maketrans
        table = {i: c for i, c in enumerate(table)}
    return text if table is None else text.translate(table)


# --- modules ----------------------------------------------------------------------------------------------
def _of_string() -> Dict[str, object]:
    import string

    found: Dict[str, object] = {
        "letters": string.ascii_letters, "lowercase": string.ascii_lowercase,
        "uppercase": string.ascii_uppercase, "atoi": int, "atol": int, "atof": float,
        "join": lambda words, by=" ": by.join(words), "joinfields": lambda words, by=" ": by.join(words),
        "splitfields": str.split, "maketrans": _maketrans}
    for name in ("split rsplit lower upper strip lstrip rstrip replace find rfind index rindex count zfill "
                 "ljust rjust center capitalize swapcase expandtabs translate").split():
        found[name] = _translated if name == "translate" else getattr(str, name)
    return found


def _of_types() -> Dict[str, object]:
    return {"StringType": str, "UnicodeType": str, "StringTypes": (str,), "IntType": int, "LongType": int,
            "FloatType": float, "ComplexType": complex, "BooleanType": bool, "NoneType": type(None),
            "ListType": list, "TupleType": tuple, "DictType": dict, "DictionaryType": dict,
            "SliceType": slice, "ObjectType": object, "TypeType": type, "ClassType": type,
            "InstanceType": object,
            "XRangeType": range, "EllipsisType": type(...), "UnboundMethodType": type(_maketrans),
            "FileType": file}


def _maketrans(of: str, to: str) -> str:
    table = [chr(i) for i in range(256)]
    for a, b in zip(of, to):
        table[ord(a)] = b
    return "".join(table)


def _takes_strings(function: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(function)
    def hashed(data: object = b"", *more: object, **named: object) -> object:
        made = function(data.encode() if isinstance(data, str) else data, *more, **named)
        return made.decode("latin-1") if isinstance(data, str) and isinstance(made, bytes) else made

    return hashed


def _texts(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        yield line.decode("latin-1")


class _Sets(ModuleType):
    Set, ImmutableSet = set, frozenset


class _Md5(ModuleType):
    @staticmethod
    def new(text: object = b"") -> object:
        import hashlib

        return hashlib.md5(text)  # type: ignore[arg-type]  # see _takes_strings

    md5 = new


class _Sha(ModuleType):
    @staticmethod
    def new(text: object = b"") -> object:
        import hashlib

        return hashlib.sha1(text)  # type: ignore[arg-type]

    sha = new


def install(by: Patcher) -> None:
    """What the library had, until the check ends. What is there stays as it is."""
    import base64
    import hashlib
    import string
    import types

    from shapeflow.tensorflow.python.framework import message as messages

    by.set(messages, "TEXT_IS_BYTES", True)
    by.set(builtins, "__shapeflow_python2__", sys.modules[__name__])
    for module, names in ((string, _of_string()), (types, _of_types())):
        for name, value in names.items():
            if not hasattr(module, name):
                by.set(module, name, value)
    for module, functions in ((hashlib, ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")),
                              (base64, ("b64encode", "urlsafe_b64encode"))):
        for name in functions:
            by.set(module, name, _takes_strings(getattr(module, name)))
    by.set(sys, "setdefaultencoding", lambda name: None)
    by.set(sys, "maxint", sys.maxsize)
    for name in ("exc_type", "exc_value", "exc_traceback"):
        by.set(sys, name, None)
    by.set(sys, "exc_clear", lambda: None)
    for module_type in (_Sets, _Md5, _Sha):
        name = module_type.__name__[1:].lower()
        if name not in sys.modules:
            by.item(sys.modules, name, module_type(name))
