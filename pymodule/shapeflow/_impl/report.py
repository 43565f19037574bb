"""Findings made by Python code: recorded for `shapeflow check`, then raised as TensorFlow does."""
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from shapeflow import _core

_about: List[Sequence[Tuple[str, Any]]] = []


class about:
    """While it holds, what fails is about these: (name, tensor) each. A finding tells their shapes, and
    where they were made."""

    def __init__(self, *operands: Tuple[str, Any]) -> None:
        self._operands = operands

    def __enter__(self) -> None:
        _about.append(self._operands)

    def __exit__(self, *exc: Any) -> None:
        _about.pop()


_during: Dict[int, Tuple[Any, str]] = {}  # by id; the finding itself keeps the id taken


class during:
    """Findings made while it holds belong to one step of a training that is not the script's own loop:
    "batch 4, the last of the epoch: 16 of 32 samples"."""

    def __init__(self, step: str) -> None:
        self._step = step

    def __enter__(self) -> None:
        self._known = {id(finding) for finding in _core.findings()}

    def __exit__(self, *exc: Any) -> None:
        for finding in _core.findings():
            if id(finding) not in self._known:
                _during[id(finding)] = (finding, self._step)


def step_of(finding: Any) -> str:
    return _during.get(id(finding), (None, ""))[1]


def fail(code: str, message: str, error: Callable[[str], Any] = ValueError,
         axis: Optional[int] = None) -> Any:
    """Records a finding and gives the exception to raise: `raise fail("SF204", ...)`. axis: which one of
    the tensors that it is about."""
    operands = _about[-1] if _about else ()
    _core.report(code, message, operands=operands, axis=axis)
    return error(message)
