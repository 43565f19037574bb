"""GraphDef, as scripts see it: read, edited, written.

One that is only handed on stays the bytes that it was read from; the C core reads those.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.tensorflow.python.framework.message import Message, decode_error, is_of_absent_file
from shapeflow.tensorflow.python.framework.message_table import Field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class GraphDef(Message):
    """Its nodes are read when they are first looked at."""

    name_in_table = "GraphDef"
    __module__ = "tensorflow.core.framework.graph_pb2"
    __slots__ = ("_raw",)

    def __init__(self, **fields: Any) -> None:
        object.__setattr__(self, "_raw", None)
        super().__init__(**fields)

    def _read(self) -> None:
        raw = self._raw
        object.__setattr__(self, "_raw", None)
        if raw is not None:
            super().MergeFromString(raw)

    def __getattr__(self, name: str) -> Any:
        if self._raw is not None and name in type(self).fields():
            self._read()
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: object) -> None:
        self._read()
        super().__setattr__(name, value)

    def MergeFromString(self, data: Any) -> int:
        if is_of_absent_file(data):
            return super().MergeFromString(data)
        data = bytes(data)
        try:
            _core.model_parts(data, "meta")  # any message: only its form is looked at
        except ValueError as error:
            raise decode_error(type(self), ": Wire format was corrupt") from error
        if self._raw is None and self._is_untouched():
            object.__setattr__(self, "_raw", data)
            return len(data)
        self._read()
        return super().MergeFromString(data)

    def MergeFrom(self, other: object) -> None:
        if isinstance(other, GraphDef) and other._raw is not None:
            self.SetInParent()
            self.MergeFromString(other._raw)
        else:
            self._read()
            super().MergeFrom(other)

    def Clear(self) -> None:
        object.__setattr__(self, "_raw", None)
        super().Clear()

    def SerializeToString(self, deterministic: object = None) -> bytes:
        return self._raw if self._raw is not None else super().SerializeToString(deterministic)

    def _is_set(self, field: Field) -> bool:
        self._read()
        return super()._is_set(field)

    def _is_untouched(self) -> bool:
        return self._raw is None and super()._is_untouched()

    def ListFields(self) -> Any:
        self._read()
        return super().ListFields()
