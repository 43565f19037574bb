"""What TensorFlow's sources decorate their functions with, and packages above it theirs.

Source: tensorflow/python/util/{tf_export,deprecation,tf_decorator,tf_contextlib,dispatch,...}.py.
"""
from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import sys
import types
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from shapeflow.api.registry import export, put

_UTIL = "tensorflow.python.util."


def _as_it_is(target: object = None, *args: object, **kwargs: object) -> Any:
    """A decorator, or what makes one: what is decorated stays as it is."""
    return _as_it_is if target is None else target


put(_as_it_is, _UTIL + "tf_export.kwarg_only", _UTIL + "traceback_utils.filter_traceback",
    _UTIL + "dispatch.add_fallback_dispatch_list", _UTIL + "dispatch.add_type_based_api_dispatcher", v2=True)
put(_as_it_is, "tensorflow.python.framework.test_util.disable_cudnn_autotune", v2=True)
# Those of documentation are found by name, whatever version they are of.
put(_as_it_is, *(_UTIL + "doc_controls." + name for name in (
    "do_not_generate_docs", "do_not_doc_inheritable", "for_subclass_implementers", "do_not_doc_in_subclasses",
    "decorate_all_class_attributes")), "tensorflow.tools.docs.doc_controls.do_not_generate_docs",
    "tensorflow.tools.docs.doc_controls.do_not_doc_inheritable",
    "tensorflow.tools.docs.doc_controls.for_subclass_implementers",
    "tensorflow.tools.docs.doc_controls.doc_in_current_and_subclasses", v2=True)


def _export_constant(*args: object, **kwargs: object) -> None:
    """A constant has a name in an API."""


@export(_UTIL + "tf_export.tf_export", _UTIL + "tf_export.keras_export", _UTIL + "tf_export.estimator_export",
        "tf.pywrap_tensorflow.tf_export", v2=True)
def tf_export(*names: str, **kwargs: object) -> Callable[[Any], Any]:
    """@tf_export("nn.relu"): gives a name in the API; what is decorated stays as it is."""

    def named(decorated: Any) -> Any:
        for name in names:
            _named[name] = decorated
        if names:
            _names[id(decorated)] = names[0]
        return decorated

    vars(named)["export_constant"] = _export_constant
    return named


_named: Dict[str, Any] = {}  # what packages export under names of their own; it keeps them alive
_names: Dict[int, str] = {}


@export(_UTIL + "tf_export.get_canonical_name_for_symbol", v2=True)
def get_canonical_name_for_symbol(symbol: object, api_name: str = "tensorflow",
                                  add_prefix_to_v1_names: bool = False) -> Optional[str]:
    """The first name that the symbol itself was exported under."""
    dispatch = sys.modules.get("shapeflow.tensorflow.python.util.dispatch")
    found = None if dispatch is None or api_name != "tensorflow" else dispatch.symbol_of(symbol)
    return found or _names.get(id(symbol))


@export(_UTIL + "tf_export.get_symbol_from_name", v2=True)
def get_symbol_from_name(name: str) -> Any:
    dispatch = sys.modules.get("shapeflow.tensorflow.python.util.dispatch")
    found = _named.get(name)
    return dispatch.function_of(name) if found is None and dispatch is not None else found


@export(_UTIL + "deprecation.deprecated", _UTIL + "deprecation.deprecated_args",
        _UTIL + "deprecation.deprecated_arg_values", _UTIL + "deprecation.deprecated_endpoints", v2=True)
def deprecated(*args: object, **kwargs: object) -> Callable[[Any], Any]:
    """@deprecated(date, instructions): TensorFlow would warn when the function is called."""
    return _as_it_is


@export(_UTIL + "dispatch.dispatch_for_types", _UTIL + "dispatch.dispatch_for_api",
        "tf.__internal__.dispatch.dispatch_for_types", v2=True)
def dispatch_for_types(op: object, *types: object) -> Callable[[Any], Any]:
    """What an op is to do with operands of these classes: the function stays as it is, and is not asked."""
    return _as_it_is


@export(_UTIL + "deprecation.deprecated_alias", v2=True)
def deprecated_alias(deprecated_name: str, name: str, func_or_class: object, warn_once: bool = True) -> Any:
    """Another name of a function or class."""
    return func_or_class


@export(_UTIL + "deprecation.deprecated_argument_lookup", v2=True)
def deprecated_argument_lookup(new_name: str, new_value: object, old_name: str, old_value: object) -> Any:
    """The value that was given, by its old name or its new one.

    Raises: ValueError when both were."""
    if old_value is not None:
        if new_value is not None:
            raise ValueError("Cannot specify both '%s' and '%s'." % (old_name, new_name))
        return old_value
    return new_value


@export(_UTIL + "deprecation.silence", v2=True)
@contextlib.contextmanager
def silence() -> Any:
    """Within, nothing is said of what is deprecated: nothing is elsewhere either."""
    yield


@export(_UTIL + "tf_decorator.make_decorator", v2=True)
def make_decorator(target: Any, decorator_func: Any, *args: object, **kwargs: object) -> Any:
    """`decorator_func` with the name, the documentation and the signature of `target`."""
    try:
        functools.update_wrapper(decorator_func, target)
    except (AttributeError, TypeError):  # an object that takes no attributes
        pass
    return decorator_func


class TFDecorator:
    """One decorator around a function."""

    decorator_argspec = None

    def __init__(self, decorated: Any) -> None:
        self.decorator_name = getattr(decorated, "__name__", "")
        self.decorated_target = decorated.__wrapped__


@export(_UTIL + "tf_decorator.unwrap", v2=True)
def unwrap(maybe_tf_decorator: Any) -> Tuple[List[TFDecorator], Any]:
    """The decorators around a function, outermost first, and the function."""
    decorators, current = [], maybe_tf_decorator
    while callable(getattr(current, "__wrapped__", None)):
        decorators.append(TFDecorator(current))
        current = current.__wrapped__
    return decorators, current


@export(_UTIL + "tf_decorator.rewrap", v2=True)
def rewrap(decorator_func: object, previous_target: object, new_target: object) -> Any:
    """`decorator_func` around another function."""
    return new_target if decorator_func is previous_target else make_decorator(new_target, decorator_func)


@export(_UTIL + "tf_contextlib.contextmanager", v2=True)
def contextmanager(target: Any) -> Any:
    """contextlib's, whose signature TensorFlow can see."""
    return contextlib.contextmanager(target)


class ArgSpec(NamedTuple):
    """What Python 2's inspect.getargspec gave."""

    args: List[str]
    varargs: Optional[str]
    keywords: Optional[str]
    defaults: Optional[Tuple[Any, ...]]


put(ArgSpec, _UTIL + "tf_inspect.ArgSpec", v2=True)


@export(_UTIL + "tf_inspect.getargspec", v2=True)
def getargspec(obj: object) -> ArgSpec:
    """(args, varargs, keywords, defaults) of a function, as Python 2's inspect gave it."""
    found = inspect.getfullargspec(unwrap(obj)[1])
    return ArgSpec(found.args, found.varargs, found.varkw, found.defaults)


def _of_inspect(name: str) -> Any:
    ours = getattr(inspect, name)

    def function(obj: Any, *args: Any, **kwargs: Any) -> Any:
        return ours(unwrap(obj)[1], *args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = ours.__doc__
    return function


for _name in """getfullargspec getdoc getfile getsource getsourcefile getsourcelines getmodule getmro
        signature isabstract isfunction isclass ismethod ismodule isroutine isgenerator isgeneratorfunction
        getmembers iscoroutinefunction isbuiltin isframe istraceback isdatadescriptor getcallargs""".split():
    if hasattr(inspect, _name):
        put(_of_inspect(_name), _UTIL + "tf_inspect." + _name, v2=True)


@export(_UTIL + "function_utils.fn_args", v2=True)
def fn_args(fn: object) -> Tuple[str, ...]:
    """The names of a function's parameters, without those that are bound already."""
    if isinstance(fn, functools.partial):
        given = fn_args(fn.func)[len(fn.args):]
        return tuple(name for name in given if name not in fn.keywords)
    if not inspect.isroutine(fn) and not inspect.isclass(fn) and callable(fn):
        fn = fn.__call__
    names = inspect.getfullargspec(unwrap(fn)[1]).args
    return tuple(names[1:] if inspect.ismethod(fn) else names)


@export(_UTIL + "function_utils.has_kwargs", v2=True)
def has_kwargs(fn: Any) -> bool:
    """Does a function take any keyword?"""
    if isinstance(fn, functools.partial):
        return has_kwargs(fn.func)
    if not inspect.isroutine(fn) and not inspect.isclass(fn):
        fn = fn.__call__
    return inspect.getfullargspec(unwrap(fn)[1]).varkw is not None


@export(_UTIL + "all_util.remove_undocumented", v2=True)
def remove_undocumented(module_name: str, allowed_exception_list: object = None,
                        doc_string_modules: object = None) -> None:
    """Would take names away from a module; a program's own keeps what it has."""


@export(_UTIL + "lazy_loader.LazyLoader", v2=True)
class LazyLoader(types.ModuleType):
    """A module that is imported when it is first touched."""

    def __init__(self, local_name: str, parent_module_globals: Dict[str, Any], name: str,
                 warning: Any = None) -> None:
        super().__init__(name)
        vars(self).update(_local_name=local_name, _parent_module_globals=parent_module_globals)

    def __getattr__(self, item: str) -> Any:
        if item.startswith("__"):
            raise AttributeError(item)
        module = importlib.import_module(self.__name__)
        self._parent_module_globals[self._local_name] = module
        return getattr(module, item)
