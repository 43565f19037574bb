"""numpy's makers of arrays, of unknown values and sizes: an array would have to be of some shape, so it is
unknown instead. Only in a check of a program that uses a package that is not installed.
"""
from __future__ import annotations

import functools
import sys

from shapeflow.api.unknown_package import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Sequence

    from shapeflow.checker.patches import Patcher

_MAKERS = ("array asarray asanyarray ascontiguousarray asfarray zeros ones empty full eye identity arange "
           "linspace logspace fromiter frombuffer fromstring isfinite loadtxt genfromtxt load save "
           "savez savetxt savez_compressed").split()
_RANDOM = ("rand randn randint random random_sample normal uniform choice permutation standard_normal "
           "binomial beta poisson multivariate_normal truncated_normal").split()


def unknown_in(values: Sequence[Any], strict: bool = True, depth: int = 0) -> Any:
    """The first unknown value among arguments. Not `strict`: text that was made up is none."""
    text = sys.modules.get("shapeflow.api.unknown_text")
    kinds = text.KINDS if text is not None and strict else (Unknown,)
    for value in values:
        if isinstance(value, kinds):
            return value
        if depth < 3 and type(value) in (list, tuple) and len(value) <= 1000:
            found = unknown_in(value, strict, depth + 1)
            if found is not None:
                return found
    return None


def _around(maker: Callable[..., Any], name: str) -> Callable[..., Any]:
    @functools.wraps(maker)
    def make(*args: Any, **kwargs: Any) -> Any:
        unknown = unknown_in([*args, *kwargs.values()])
        if unknown is None:
            return maker(*args, **kwargs)
        return unknown._more(".%s()" % name) if isinstance(unknown, Unknown) else Unknown("np.%s()" % name)

    return make


def _change(module: ModuleType, by: Patcher, names: Sequence[str]) -> None:
    for name in names:
        maker = vars(module).get(name)
        if callable(maker):
            by.set(module, name, _around(maker, name))


def change(numpy: ModuleType, by: Patcher) -> None:
    """The module numpy."""
    _change(numpy, by, _MAKERS)


def change_random(random: ModuleType, by: Patcher) -> None:
    """The module numpy.random."""
    _change(random, by, _RANDOM)
