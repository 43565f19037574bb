"""tf.CriticalSection: what its function makes, at once and in one piece.

Source: tensorflow/python/ops/critical_section_ops.py. Deadlocks, which depend on threads, are not looked for.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import op, tf
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional


@export("tf.CriticalSection", v2=True)
class CriticalSection:
    def __init__(self, name: Optional[str] = None, shared_name: Optional[str] = None,
                 critical_section_def: Any = None, import_scope: Optional[str] = None) -> None:
        if critical_section_def and name is not None:
            raise ValueError(f"Arguments critical_section_def={critical_section_def} and "
                             f"shared_name={shared_name} are mutually exclusive. Please only specify one.")
        if critical_section_def:
            raise ValueError("Argument `critical_section_def` is not supported.")
        with framework_lib.name_scope(name, "CriticalSection", []) as scope:
            shared = "" if _core.executing_eagerly() else shared_name or scope
            self._handle = op("MutexV2", [], {"shared_name": shared, "container": ""}, scope or None)
        self._name = name or "CriticalSection"

    @property
    def name(self) -> str:
        return self._name if _core.executing_eagerly() else str(self._handle.op.name)

    def execute(self, fn: Callable[[], object], exclusive_resource_access: bool = True,
                name: Optional[str] = None) -> Any:
        """What `fn` returns, as tensors of the same shapes that come together."""
        with framework_lib.name_scope(name, "critical_section_execute", []):
            lock = op("MutexLock", [self._handle], None, "MutexLock")
            with framework_lib.control_dependencies([lock]):
                result = fn()
            flat = [tf.identity(item) if isinstance(item, (_core.Tensor, _core.VariableBase)) else item
                    for item in nest.flatten(result)]
            made = [item for item in flat if isinstance(item, _core.Tensor)]
            with framework_lib.control_dependencies(made):
                held = op("ConsumeMutexLock", [lock], None, "ConsumeMutexLock")
            with framework_lib.control_dependencies([] if _core.executing_eagerly() else [held]):
                flat = [tf.identity(item) if isinstance(item, _core.Tensor) else item for item in flat]
            return nest.pack_sequence_as(result, flat)
