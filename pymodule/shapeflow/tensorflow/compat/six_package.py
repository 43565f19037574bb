"""six where it is not installed: TensorFlow used to install it. What scripts use of it, in Python 3."""
from __future__ import annotations

import builtins
import collections
import functools
import io
import itertools
import os
import pickle
import queue
import shlex
import sys
import urllib
from importlib import import_module, reload
from importlib.machinery import ModuleSpec
from types import MethodType, ModuleType

from shapeflow.checker.import_hook import Loader, make_missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Callable, Optional

    from shapeflow.checker.patches import Patcher


def fill(six: ModuleType, by: Patcher) -> None:
    """The part of six that scripts use; TensorFlow used to install the real one."""
    moves = ModuleType("six.moves")
    moves.__path__ = []
    for name, value in {
        "xrange": range, "range": range, "zip": zip, "map": map, "filter": filter,
        "input": builtins.input, "reduce": functools.reduce, "cPickle": pickle, "queue": queue,
        "zip_longest": itertools.zip_longest, "StringIO": io.StringIO, "builtins": builtins,
        "urllib": urllib, "cStringIO": io.StringIO, "intern": sys.intern, "getcwd": os.getcwd,
        "filterfalse": itertools.filterfalse, "shlex_quote": shlex.quote, "reload_module": reload,
        "UserDict": collections.UserDict, "UserList": collections.UserList,
    }.items():
        setattr(moves, name, value)
    for name in ("urllib.request", "urllib.parse", "urllib.error"):
        import_module(name)
        by.item(sys.modules, "six.moves." + name, sys.modules[name])
    by.item(sys.modules, "six.moves", moves)
    by.item(sys.modules, "six.moves.urllib", urllib)
    by.item(sys.modules, "six.moves.cPickle", pickle)
    make_missing(by, {"six.moves." + name: _make_moved for name in _MOVED})
    moves.__getattr__ = _moved  # type: ignore[method-assign]
    for name, value in {
        "moves": moves, "PY2": False, "PY3": True, "PY34": True, "string_types": (str,),
        "integer_types": (int,), "class_types": (type,), "text_type": str, "binary_type": bytes,
        "MAXSIZE": sys.maxsize,
        "iteritems": lambda d, **kw: iter(d.items(**kw)),
        "iterkeys": lambda d, **kw: iter(d.keys(**kw)),
        "itervalues": lambda d, **kw: iter(d.values(**kw)),
        "viewitems": dict.items, "viewkeys": dict.keys, "viewvalues": dict.values,
        "ensure_str": _as_text, "ensure_text": _as_text,
        "ensure_binary": lambda s, *_: s.encode() if isinstance(s, str) else s,
        "b": lambda s: s.encode("latin-1"), "u": lambda s: s, "next": next, "advance_iterator": next,
        "unichr": chr, "int2byte": lambda n: bytes((n,)), "byte2int": lambda b: b[0],
        "indexbytes": lambda b, i: b[i], "iterbytes": iter, "callable": callable,
        "StringIO": io.StringIO, "BytesIO": io.BytesIO, "add_metaclass": _add_metaclass,
        "with_metaclass": lambda meta, *bases: meta("temporary_class", bases or (object,), {}),
        "wraps": functools.wraps, "python_2_unicode_compatible": lambda cls: cls, "print_": print,
        "exec_": exec, "reraise": _reraise, "raise_from": _raise_from, "Iterator": object,
        "get_function_code": lambda f: f.__code__, "get_function_defaults": lambda f: f.__defaults__,
        "get_function_globals": lambda f: f.__globals__, "get_unbound_function": lambda f: f,
        "get_method_function": lambda m: m.__func__, "get_method_self": lambda m: m.__self__,
        "create_bound_method": MethodType,
    }.items():
        setattr(six, name, value)


# six.moves has it: its module in Python 3.
_MOVED = {"BaseHTTPServer": "http.server", "_thread": "_thread", "configparser": "configparser",
          "copyreg": "copyreg", "html_entities": "html.entities", "html_parser": "html.parser",
          "http_client": "http.client", "http_cookiejar": "http.cookiejar", "http_cookies": "http.cookies",
          "reprlib": "reprlib", "socketserver": "socketserver", "urllib_error": "urllib.error",
          "urllib_parse": "urllib.parse", "urllib_request": "urllib.request",
          "urllib_robotparser": "urllib.robotparser", "xmlrpc_client": "xmlrpc.client"}


def _moved(name: str) -> ModuleType:
    if name not in _MOVED:
        raise AttributeError(f"module 'six.moves' has no attribute {name!r}")
    return import_module("six.moves." + name)


def _make_moved(name: str) -> ModuleSpec:
    def fill_one(made: ModuleType) -> None:
        found = import_module(_MOVED[name.rpartition(".")[2]])
        vars(made).update({key: value for key, value in vars(found).items() if not key.startswith("__")})

    return ModuleSpec(name, Loader(fill=fill_one))


def _as_text(text: object, *_: object) -> Any:
    return text.decode() if isinstance(text, bytes) else text


def _reraise(kind: type, value: Optional[BaseException], traceback: Optional[TracebackType] = None) -> None:
    error: BaseException = kind() if value is None else value
    raise error.with_traceback(traceback)


def _raise_from(value: BaseException, from_value: Optional[BaseException]) -> None:
    raise value from from_value


def _add_metaclass(metaclass: type) -> Callable[[type], type]:
    def wrap(cls: type) -> type:
        body = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
        made: type = metaclass(cls.__name__, cls.__bases__, body)
        return made

    return wrap
