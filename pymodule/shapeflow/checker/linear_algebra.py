"""numpy's inverse and its like, of a matrix that a session gave. What nobody computed is seen as zeros there,
of which there is no inverse: the identity stands for them, once a session was run.
"""
from __future__ import annotations

import functools

from shapeflow import _core
from shapeflow.checker.reports import iterations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable

    from shapeflow.checker.patches import Patcher

_FUNCTIONS = ("inv", "solve", "cholesky")


def of_numpy(linalg: ModuleType, by: Patcher) -> None:
    """The module numpy.linalg."""
    for name in _FUNCTIONS:
        by.set(linalg, name, _of_zeros_too(vars(linalg)[name], vars(linalg)["LinAlgError"]))


def _of_zeros_too(function: Callable[..., Any], refusal: Any) -> Callable[..., Any]:
    @functools.wraps(function)
    def called(a: Any, *args: Any, **kwargs: Any) -> object:
        try:
            return function(a, *args, **kwargs)
        except refusal:
            import numpy

            matrix = numpy.asarray(a)
            is_square = matrix.ndim > 1 and matrix.shape[-1] == matrix.shape[-2]
            if not iterations(_core.counters()) or not is_square or matrix.any():
                raise
            identity = numpy.broadcast_to(numpy.eye(matrix.shape[-1], dtype=matrix.dtype), matrix.shape)
            return function(identity, *args, **kwargs)

    return called
