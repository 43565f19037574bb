"""tf.data.Options: nothing of it changes a shape.

Source: tensorflow/python/data/ops/options.py.
"""
from __future__ import annotations

from shapeflow.api.registry import put_subclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Options:
    """tf.data.Options and what it holds: any attribute may be read and set."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = Options()
        self.__dict__[name] = value
        return value

    def merge(self, options: Any) -> Any:
        return self


put_subclass(Options, "tf.data.Options", v2=True)
put_subclass(Options, "tf.data.ThreadingOptions", "tf.data.experimental.ThreadingOptions", v2=True)
for _name in ("AutotuneOptions", "DistributeOptions", "OptimizationOptions"):
    put_subclass(Options, "tf.data.experimental." + _name, v2=True)
