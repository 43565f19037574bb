"""A variable of a strategy of several devices: a copy for each of its replicas.

In a replica the variable is that replica's copy, outside of them the first one or, of a variable that is
synchronized when it is read, what the copies are together. Copies that nobody told apart are one tensor.
Source: tensorflow/python/distribute/{values,ps_values}.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.tensorflow.python.distribute.values import DistributedValues
from shapeflow.tensorflow.python.framework import eager_devices
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.variable_enums import VariableAggregation, VariableSynchronization
from shapeflow.tensorflow.python.ops.variables import Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple, TypeVar

    _T = TypeVar("_T")


class MirroredVariable(Variable, DistributedValues):
    """A variable that has a copy on each device of its strategy."""

    _strategy: Any
    _each: List[Any]  # the copies, while `_shown` is what the variable is outside of replicas
    _shown: object
    _components: Optional[Tuple[_Component, ...]] = None

    def start(self, strategy: Any) -> None:
        """Its copies are its initial value each."""
        self._strategy = strategy
        self._each = self._copies_of(self._tensor)
        self.leave(None)

    def _copies_of(self, content: _T) -> List[_T]:
        return [eager_devices.on(content, device) for device in self._strategy._devices]

    @property
    def _is_read_together(self) -> bool:
        return self._synchronization is VariableSynchronization.ON_READ

    def _spread(self) -> None:
        """All copies have what was written outside of replicas."""
        if self._tensor is not self._shown:
            share = self._tensor
            if self._is_read_together and self._aggregation is VariableAggregation.SUM:
                share = _core.eager_like(tf.cast(share / len(self._each), share.dtype), share)
            self._each = self._copies_of(share)
            self._shown = self._tensor

    def enter(self, replica: int) -> None:
        """From here on it is that replica's copy."""
        self._spread()
        self._tensor = self._each[replica]

    def leave(self, replica: Optional[int]) -> None:
        """From here on it is what all have together; `replica`: whose copy it was."""
        if replica is not None:
            self._each[replica] = self._tensor
        together = self._each[0]
        if self._is_read_together and len(self._each) > 1:
            if self._aggregation is VariableAggregation.SUM:
                together = tf.add_n(self._each)
            elif self._aggregation is VariableAggregation.MEAN:
                together = tf.cast(tf.add_n(self._each) / len(self._each), together.dtype)
        self._shown = self._tensor = _core.eager_like(together, self._each[0]) if together is not \
            self._each[0] else together
        if self._components is not None:
            for component, content in zip(self._components, self._each):
                component._tensor = content

    @property
    def values(self) -> Tuple[Any, ...]:
        """The copies."""
        self._spread()
        if self._components is None:
            self._components = tuple(_Component.of(self, i) for i in range(len(self._each)))
        for component, content in zip(self._components, self._each):
            component._tensor = content
        return self._components

    _values = values

    def put(self, replica: int, content: object) -> None:
        """A copy was written to by itself."""
        self._spread()
        self._each[replica] = content
        self.leave(None)

    def _write(self, ref_op: str, resource_op: str, value: object, name: Optional[str],
               read_value: bool = True, **attrs: object) -> Any:
        context = self._strategy.replica_of_this()
        if context is None or self._is_read_together or self._aggregation is VariableAggregation.NONE:
            return super()._write(ref_op, resource_op, value, name, read_value, **attrs)

        def agreed(strategy: Any, given: Any) -> None:
            if self._aggregation in (VariableAggregation.SUM, VariableAggregation.MEAN):
                given = strategy.reduce(self._aggregation.name, given, None)
            elif hasattr(given, "values"):
                given = given.values[0]
            Variable._write(self, ref_op, resource_op, given, name, read_value, **attrs)

        context.merge_call(agreed, (value,))
        return self

    def _kind_of(self) -> str:
        return "SyncOnReadVariable" if self._is_read_together else "MirroredVariable"

    def __repr__(self) -> str:
        return self._text(repr)

    def __str__(self) -> str:
        return self._text(str)


class _Component(Variable):
    """One copy."""

    _of: MirroredVariable
    _replica: int

    @staticmethod
    def of(variable: MirroredVariable, replica: int) -> _Component:
        made = _Component.__new__(_Component)
        made.__dict__.update({key: value for key, value in variable.__dict__.items()
                              if key not in ("_each", "_shown", "_components", "_strategy")})
        made._of, made._replica = variable, replica
        if replica:
            made._eager_name = "%s/replica_%d:0" % (variable.name.rpartition(":")[0], replica)
        return made

    def _write(self, ref_op: str, resource_op: str, value: object, name: Optional[str],
               read_value: bool = True, **attrs: object) -> _Component:
        super()._write(ref_op, resource_op, value, name, read_value, **attrs)
        self._of.put(self._replica, self._tensor)
        return self
