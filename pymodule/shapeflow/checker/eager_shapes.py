"""Shapes of eager tensors that nobody knows, as a program sees them. In TensorFlow each dim of an eager
tensor is a number, with which programs calculate: here it is one that nobody knows, where it would be None.
So is the rank of a graph's tensor, where TensorFlow knows more than we do.

TensorFlow's own code, and Keras, see the shape as it is known.
"""
from __future__ import annotations

import sys

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Optional

    from shapeflow.checker.patches import Patcher


def install(by: Patcher, script: str) -> None:
    """From the first such shape on."""
    _core.set_shape_hook(_Hook(by, script))


class _Hook:
    """What the core calls."""

    def __init__(self, by: Patcher, script: str) -> None:
        self._by, self._script = by, script

    def __call__(self, shape: Any) -> object:
        unknown = self._start()
        if unknown is None:
            return shape
        return unknown.RankUnknown("tensor.shape") if shape.rank is None else unknown.DimsUnknown(shape)

    def rows(self, tensor: Any) -> int:
        """len() of a tensor."""
        unknown = self._start()
        return 0 if unknown is None else len(unknown.Unknown("tensor"))

    def rank(self) -> object:
        """The `ndim` of a tensor of unknown rank."""
        unknown = self._start()
        return None if unknown is None else unknown.Unknown("tensor.ndim")

    def made(self) -> None:
        """An eager tensor of unknown rank: an array of it is unknown from now on."""
        if self._by.on:
            import shapeflow.checker.unknown_values as unknown_values

            unknown_values.start(self._by, self._script)

    def _start(self) -> Optional[ModuleType]:
        """What makes unknown sizes; None where a library asks."""
        import shapeflow.checker.unknown_values as unknown_values
        from shapeflow.api import unknown_uses

        if not self._by.on:
            return None
        unknown_values.start(self._by, self._script)
        frame = sys._getframe(2)
        while frame.f_code.co_name == "__getattr__" and frame.f_back is not None:  # of something unknown
            frame = frame.f_back
        if unknown_uses.is_library(frame.f_code.co_filename):
            return None
        from shapeflow.api import unknown_sizes

        return unknown_sizes
