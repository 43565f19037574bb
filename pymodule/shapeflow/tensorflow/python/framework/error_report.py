"""Findings made by Python code: recorded for `shapeflow check`, then raised as TensorFlow does."""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

    from shapeflow.api.typed_messages import Argument

_about: List[Sequence[Tuple[str, object]]] = []


class about:
    """While it holds, what fails is about these: (name, tensor) each. A finding tells their shapes, and
    where they were made."""

    def __init__(self, *operands: Tuple[str, Any]) -> None:
        self._operands = operands

    def __enter__(self) -> None:
        _about.append(self._operands)

    def __exit__(self, *exc: object) -> None:
        _about.pop()


_during: Dict[int, Tuple[object, str]] = {}  # by id; the finding itself keeps the id taken


class during:
    """Findings made while it holds belong to one step of a training that is not the script's own loop:
    "batch 4, the last of the epoch: 16 of 32 samples"."""

    def __init__(self, step: str) -> None:
        self._step = step

    def __enter__(self) -> None:
        self._known = {id(finding) for finding in _core.findings()}

    def __exit__(self, *exc: object) -> None:
        for finding in _core.findings():
            if id(finding) not in self._known:
                _during[id(finding)] = (finding, self._step)


def belongs_to(finding: object, step: str) -> None:
    """As `during`, of a finding that was made already."""
    _during[id(finding)] = (finding, step)


def step_of(finding: object) -> str:
    return _during.get(id(finding), (None, ""))[1]


def fail(code: str, text: str, *args: Any, error: Callable[[str], Exception] = ValueError,
         axis: Optional[int] = None) -> Exception:
    """Records a finding and gives the exception to raise:
    `raise fail("SF101", "Dimensions {dim} and {dim} are not compatible", a, b)`.

    `text` is TensorFlow's, with a field for each argument that says what the argument is: see
    api/typed_messages.py. axis: which one of the tensors that it is about."""
    from shapeflow.api.typed_messages import worded

    message, typed = worded(text, args)
    return _report(code, message, typed, error, axis)


def _report(code: str, message: str, args: Sequence[Argument], error: Callable[[str], Exception],
            axis: Optional[int]) -> Exception:
    operands = _about[-1] if _about else ()
    _core.report(code, message, operands=operands, axis=axis, args=args)
    return error(message)
