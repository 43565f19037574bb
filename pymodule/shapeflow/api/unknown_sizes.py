"""Sizes of tensors that nobody knows: lists of dims of which some are unknown, and shapes of unknown rank."""
from __future__ import annotations

import sys

from shapeflow.api import unknown_uses
from shapeflow.api.unknown_conditions import is_held
from shapeflow.api.unknown_package import Unknown, assumed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Union

_RANKS = 4, 3  # that are made up, in two runs


class _Compared(Unknown):
    """Whether a size that nobody knows is this one. A first run takes the first branch that asks, the second
    the one after it, so that what only one of them finds is not reported."""

    def __bool__(self) -> bool:
        frame = sys._getframe(1)
        wanted = unknown_uses.wanted_condition(frame)
        if wanted is not None:
            return wanted
        return assumed.takes(frame) and is_held(frame)


class UnknownSize(Unknown):
    """A rank, or the size of a dimension."""

    __hash__ = Unknown.__hash__


def _comparing(name: str) -> object:
    def compare(self: UnknownSize, other: object) -> Union[Unknown, bool]:
        is_same = self is other
        if name in _EQUALITY and (is_same or unknown_uses.user_frame() is None):
            return is_same == (name == "__eq__")
        return self._more("." + name) if other is None else _Compared(self._sf_name + "." + name)

    return compare


_EQUALITY = ("__eq__", "__ne__")
for _name in "__eq__ __ne__ __lt__ __le__ __gt__ __ge__".split():
    setattr(UnknownSize, _name, _comparing(_name))


class DimsUnknown(list):  # type: ignore[type-arg]
    """A shape of known rank."""

    def __init__(self, shape: Any) -> None:
        super().__init__(UnknownSize("tensor.shape[%d]" % axis) if dim is None else dim
                         for axis, dim in enumerate(shape.as_list()))

    @property
    def rank(self) -> int:
        return len(self)

    ndims = rank

    @property
    def dims(self) -> List[Any]:
        return list(self)

    def as_list(self) -> List[Any]:
        return list(self)

    def is_fully_defined(self) -> bool:
        return True

    def num_elements(self) -> object:
        count: Any = 1
        for dim in self:
            count = count * dim
        return count

    def __hash__(self) -> int:  # type: ignore[override]
        return len(self)

    def __eq__(self, other: object) -> Any:
        return Unknown("tensor.shape").__eq__(other)

    def __ne__(self, other: object) -> Any:
        return Unknown("tensor.shape").__ne__(other)

    def __getattr__(self, name: str) -> Unknown:
        if name.startswith("_"):
            raise AttributeError(name)
        return Unknown("tensor.shape." + name)


class RankUnknown(Unknown):
    """A shape of unknown rank."""

    def __len__(self) -> int:
        assumed.numbers += 1
        return _RANKS[assumed.variant]

    def _rows(self) -> Optional[int]:
        return None

    @property
    def rank(self) -> UnknownSize:
        return UnknownSize(self._sf_name + ".rank")

    ndims = rank

    def as_list(self) -> Any:
        return RankUnknown(self._sf_name)
