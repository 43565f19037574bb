"""`Dataset.map` where nobody knows the elements: the function is traced with unknown arguments, so that what
is wrong in it is found, and what it gives is known as far as the function itself says it.
"""
from __future__ import annotations

import inspect

from shapeflow import _core
from shapeflow.tensorflow.python.data.element_runs import ASSUMED, Run
from shapeflow.tensorflow.python.data.structure import OpaqueLeaf, Structure
from shapeflow.tensorflow.python.data.traced_function import Function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterator, Optional, Tuple

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _components(function: Callable[..., object]) -> int:
    """Of how many components an element is that `function` takes; 0: it does not say."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return 0
    if any(one.kind == one.VAR_POSITIONAL for one in parameters):
        return 0
    return sum(one.kind in _POSITIONAL and one.default is one.empty for one in parameters)


def mapped(function: Callable[..., object]) -> Optional[Tuple[Structure, Callable[[], Iterator[Run]]]]:
    """What the elements are that `function` makes, and runs of them; None: nobody knows, since it failed
    where the arguments lacked something."""
    count = _components(function)
    if not count:
        return None
    leaves = [OpaqueLeaf("variant", None) for _ in range(count)]
    known = len(_core.findings())
    try:
        traced = Function(function, Structure(0 if count == 1 else (0,) * count, leaves))  # type: ignore[arg-type]
        structure = traced.structure("Dataset.map()")
    except Exception:
        if len(_core.findings()) > known:
            raise
        return None
    element = tuple(leaf.unknown() for leaf in structure.leaves)
    return structure, lambda: iter([(element, ASSUMED)])
