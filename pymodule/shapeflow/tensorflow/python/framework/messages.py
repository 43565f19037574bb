"""The protocol buffer messages and enums of TensorFlow's sources, by the names of their modules.

Public names (tf.ConfigProto) are found by these: the snapshots say where they are defined, and what the
values of enums are.
"""
from __future__ import annotations

from shapeflow.api.registry import put
from shapeflow.tensorflow.python.framework import graph_def
from shapeflow.tensorflow.python.framework.message import Enum, message_class
from shapeflow.tensorflow.python.framework.message_table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

GRAPH_DEF = graph_def.GraphDef  # the class of that message is there before it is asked for
_enums: Dict[str, Enum] = {}


put(message_class("HistogramProto"), "tf.HistogramProto")  # TensorFlow 2.21 has it of another package


def find(path: str, missing: object) -> Any:
    """The class of the message, or the enum, that a module of messages has under a name."""
    paths = table().paths
    name = paths.get(path)
    if name is not None:
        return message_class(name)
    if path + "!" not in paths:
        return missing
    if path not in _enums:
        _enums[path] = Enum(paths[path + "!"])
    return _enums[path]
