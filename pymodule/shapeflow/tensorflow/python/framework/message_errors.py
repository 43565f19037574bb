"""The exceptions of google.protobuf.message, and what of a program's values is unknown to messages."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass


class Error(Exception):
    """google.protobuf.message.Error, as the next two are its namesakes there."""


class DecodeError(Error):
    pass


class EncodeError(Error):
    pass


def is_unknown(value: object) -> bool:
    from shapeflow.api.unmodelled import Opaque

    return isinstance(value, Opaque)
