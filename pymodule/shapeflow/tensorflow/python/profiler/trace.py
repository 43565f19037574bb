"""tf.profiler.experimental.Trace: nothing is timed. Source: tensorflow/python/profiler/trace.py."""
from __future__ import annotations

from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@export("tf.profiler.experimental.Trace", v1=False, v2=True)
class Trace:
    """A context whose body would be timed."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        pass

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def set_metadata(self, **kwargs: object) -> None:
        pass
