"""tf.autograph: functions run as they are, on values that are known or assumed, so nothing is converted.

Source: tensorflow/python/autograph/impl/api.py, core/ag_ctx.py.
"""
from __future__ import annotations

import enum

from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@export("tf.autograph.experimental.do_not_convert", v2=True)
def do_not_convert(func: object = None) -> Any:
    """The function."""
    return do_not_convert if func is None else func


@export("tf.autograph.to_graph")
def to_graph_v1(entity: object, recursive: bool = True, arg_values: object = None, arg_types: object = None,
                experimental_optional_features: object = None) -> Any:
    """The function."""
    return entity


@export("tf.autograph.to_graph", v1=False, v2=True)
def to_graph(entity: object, recursive: bool = True, experimental_optional_features: object = None) -> Any:
    """The function."""
    return entity


@export("tf.__internal__.autograph.tf_convert", v2=True)
def tf_convert(f: object, ctx: object, convert_by_default: bool = True, user_requested: bool = False) -> Any:
    """The function."""
    return f


class Status(enum.Enum):
    """Whether functions are converted."""

    UNSPECIFIED = 0
    ENABLED = 1
    DISABLED = 2


class ControlStatusCtx:
    """Within, functions are converted or not."""

    def __init__(self, status: Status = Status.UNSPECIFIED, options: Any = None) -> None:
        self.status, self.options = status, options

    def __enter__(self) -> ControlStatusCtx:
        return self

    def __exit__(self, *exc: object) -> None:
        pass


@export("tf.__internal__.autograph.control_status_ctx", v2=True)
def control_status_ctx() -> ControlStatusCtx:
    """The innermost one."""
    return ControlStatusCtx()
