"""Sizes of tensors that nobody knows: lists of dims of which some are unknown, and shapes of unknown rank."""
from __future__ import annotations

from shapeflow.api.unknown_package import Unknown, assumed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional

_RANKS = 4, 3  # that are made up, in two runs


class DimsUnknown(list):  # type: ignore[type-arg]
    """A shape of known rank."""

    def __init__(self, shape: Any) -> None:
        super().__init__(Unknown("tensor.shape[%d]" % axis) if dim is None else dim
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

    def num_elements(self) -> Any:
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

    def __getattr__(self, name: str) -> Any:
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

    def as_list(self) -> Any:
        return RankUnknown(self._sf_name)
