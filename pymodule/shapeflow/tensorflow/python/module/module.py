"""tf.Module: a tree of variables and other modules."""
from __future__ import annotations

import functools
import re

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.ops import variables
from shapeflow.tensorflow.python.trackable.base import AutoTrackable
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, FrozenSet, Iterator, List, Optional, Tuple

_CAMEL = re.compile(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")

@export("tf.Module", v2=True)
class Module(AutoTrackable):
    """Collects the variables of its attributes."""

    # Attributes that hold no children: a class derived from this one adds to them.
    _TF_MODULE_IGNORED_PROPERTIES: FrozenSet[str] = frozenset()

    def __init__(self, name: Optional[str] = None) -> None:
        self._name = name or _CAMEL.sub(r"_\1", type(self).__name__).lower()
        self._scope_name = self._name + "/"

    name = property(lambda self: self._name)
    name_scope = property(lambda self: framework_lib.name_scope(self._name))

    def _walk(self, seen: set[Any], wanted: Any) -> Iterator[Any]:
        """What is kept in attributes, by their names; then the same of the modules among it."""
        below: List[Any] = []
        for _, held in sorted(vars(self).items()):
            for value in nest.flatten(held):
                if id(value) in seen:
                    continue
                seen.add(id(value))
                if isinstance(value, wanted):
                    yield value
                if isinstance(value, Module):
                    below.append(value)
        for module in below:
            yield from module._walk(seen, wanted)

    @property
    def variables(self) -> Tuple[Any, ...]:
        return tuple(self._walk({id(self)}, variables.Variable))

    @property
    def trainable_variables(self) -> Tuple[Any, ...]:
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> Tuple[Any, ...]:
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> Tuple[Any, ...]:
        return tuple(self._walk({id(self)}, Module))

    @classmethod
    def with_name_scope(cls, method: Any) -> Any:
        @functools.wraps(method)
        def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped
