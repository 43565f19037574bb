"""`decorator` and `wrapt`, of which only how a decorator calls what it decorates is certain: both hand the
function to a caller of the program's own, with the arguments of the call.
(https://github.com/micheles/decorator, https://wrapt.readthedocs.io)
"""
from __future__ import annotations

import contextlib
import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional, Tuple


def decorate(func: Callable[..., object], caller: Callable[..., object], extras: Tuple[object, ...] = (),
             kwsyntax: bool = False) -> Callable[..., Any]:
    """`decorator.decorate`: each call goes to caller(func, *extras, *arguments)."""
    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        return caller(func, *extras, *args, **kwargs)
    return call


def decorator(caller: Callable[..., object], _func: Optional[Callable[..., object]] = None,
              kwsyntax: bool = False) -> Callable[..., Any]:
    """`decorator.decorator`: makes a decorator of a caller, which may take arguments of its own after the
    function."""
    if _func is not None:
        return decorate(_func, caller)

    @functools.wraps(caller)
    def made(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and callable(args[0]):
            return decorate(args[0], caller)
        return lambda func: decorate(func, lambda f, *a, **k: caller(f, *args, *a, **dict(k, **kwargs)))
    return made


class _Wrapped:
    """What `@wrapt.decorator` leaves in the place of a function: it binds as a method does."""

    def __init__(self, wrapped: Callable[..., Any], wrapper: Callable[..., Any],
                 instance: Any = None) -> None:
        functools.update_wrapper(self, wrapped)
        self._self_wrapper, self._self_instance = wrapper, instance

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self._self_wrapper(self.__wrapped__, self._self_instance, args, kwargs)

    def __get__(self, instance: object, owner: object = None) -> _Wrapped:
        wrapped: object = self.__wrapped__
        if not hasattr(wrapped, "__get__"):
            return self
        return _Wrapped(wrapped.__get__(instance, owner), self._self_wrapper, instance)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["__wrapped__"], name)


def wrapt_decorator(wrapper: Optional[Callable[..., Any]] = None, **options: Any) -> object:
    """`wrapt.decorator`: wrapper(wrapped, instance, args, kwargs) is called in the place of the function."""
    if wrapper is None:
        return functools.partial(wrapt_decorator, **options)
    made = wrapper

    def decorate_with(wrapped: Callable[..., object]) -> _Wrapped:
        return _Wrapped(wrapped, made)
    return functools.wraps(made)(decorate_with)


MODULES: Dict[str, Dict[str, object]] = {
    "decorator": {"decorator": decorator, "decorate": decorate, "contextmanager": contextlib.contextmanager},
    "wrapt": {"decorator": wrapt_decorator},
}
