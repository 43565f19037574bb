"""tf.data.Options: nothing of it changes a shape.

Source: tensorflow/python/data/ops/options.py.
"""
from __future__ import annotations

from shapeflow.api.registry import put_subclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

_GROUPS = ("autotune", "experimental_distribute", "experimental_optimization", "experimental_threading",
           "service", "threading")


class Options:
    """tf.data.Options and what it holds: any attribute may be set; one that was not is None."""

    def __getattr__(self, name: str) -> Optional[Options]:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self.__dict__[name] = Options() if name in _GROUPS else None
        return value

    def merge(self, options: object) -> Options:
        """These, and what the others say."""
        made = Options()
        for each in (self, options):
            for name, value in vars(each).items():
                mine = vars(made).get(name)
                if isinstance(value, Options) and isinstance(mine, Options):
                    made.__dict__[name] = mine.merge(value)
                elif value is not None:
                    made.__dict__[name] = value
        return made


put_subclass(Options, "tf.data.Options", v2=True)
put_subclass(Options, "tf.data.ThreadingOptions", "tf.data.experimental.ThreadingOptions", v2=True)
for _name in ("AutotuneOptions", "DistributeOptions", "OptimizationOptions"):
    put_subclass(Options, "tf.data.experimental." + _name, v2=True)
