"""The protocol buffer messages and enums of TensorFlow's sources, by the names of their modules.

Public names (tf.ConfigProto) are found by these: the snapshots say where they are defined, and what the
values of enums are.
"""
from __future__ import annotations

from shapeflow.tensorflow.python.framework import graph_def
from shapeflow.tensorflow.python.framework.message import Enum, message_class
from shapeflow.tensorflow.python.framework.message_table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

GRAPH_DEF = graph_def.GraphDef  # the class of that message is there before it is asked for
_by_path: Dict[str, str] = {}  # "tensorflow.core.protobuf.config_pb2.ConfigProto": its name in the table
_enums: Dict[str, Enum] = {}


def find(path: str, missing: Any) -> Any:
    """The class of the message, or the enum, that a module of messages has under a name."""
    if not _by_path:
        _by_path.update((module + "." + own, name) for name, (module, own) in table().places.items())
    name = _by_path.get(path)
    if name is not None:
        return message_class(name)
    if path + "!" not in _by_path:
        return missing
    if path not in _enums:
        _enums[path] = Enum(_by_path[path + "!"])
    return _enums[path]
