"""Slot variables of optimizers and moving averages ("w/Adam", "w/ExponentialMovingAverage").

Source: tensorflow/python/training/slot_creator.py.
"""
from __future__ import annotations

import contextlib

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops import init_ops, variable_scope
from shapeflow.tensorflow.python.ops.variables import Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ContextManager


def _prefix(primary: Any) -> str:
    return primary._shared_name if _core.executing_eagerly() else primary.op.name


def _slot(primary: object, value: object, validate_shape: bool, shape: object, dtype: object) -> Any:
    return variable_scope.get_variable(
        "", initializer=value, trainable=False, shape=shape if callable(value) else None,
        dtype=dtype, validate_shape=validate_shape,
        use_resource=getattr(primary, "_kind", "ref") == "resource")


def _beside(primary: object, is_wanted: bool) -> ContextManager[object]:
    """Within, variables are on the device of that one, whatever the scopes around say."""
    return framework_lib.colocate_with(primary) if is_wanted else contextlib.nullcontext()


def _slot_before_1(primary: object, name: str, value: object) -> Variable:
    """In 0.12 a slot was no variable of tf.get_variable: nothing of its scope, such as reuse, was asked."""
    with framework_lib.name_scope(_prefix(primary) + "/" + name) as scope, _beside(primary, True):
        return Variable(value() if callable(value) else value, name=scope, trainable=False)


@export("tensorflow.python.training.slot_creator.create_slot")
def create_slot(primary: Any, val: Any, name: str, colocate_with_primary: bool = True) -> Any:
    if names.emulated() < (1, 0):
        return _slot_before_1(primary, name, val)
    with variable_scope.variable_scope(None, _prefix(primary) + "/" + name), \
            _beside(primary, colocate_with_primary):
        return _slot(primary, val, val.get_shape().is_fully_defined(), None, None)


@export("tensorflow.python.training.slot_creator.create_slot_with_initializer")
def create_slot_with_initializer(primary: Any, initializer: Any, shape: Any, dtype: Any, name: str,
                                 colocate_with_primary: bool = True) -> Any:
    if names.emulated() < (1, 0):
        return _slot_before_1(primary, name, lambda: initializer(shape.as_list(), dtype))
    with variable_scope.variable_scope(None, _prefix(primary) + "/" + name), \
            _beside(primary, colocate_with_primary):
        return _slot(primary, initializer, shape.is_fully_defined(), shape, dtype)


@export("tensorflow.python.training.slot_creator.create_zeros_slot")
def create_zeros_slot(primary: Any, name: str, dtype: Any = None,
                      colocate_with_primary: bool = True) -> Any:
    dtype = (dtype or primary.dtype).base_dtype
    shape = primary.get_shape()
    if shape.is_fully_defined():
        return create_slot_with_initializer(primary, init_ops.Zeros(), shape, dtype, name,
                                            colocate_with_primary)
    value = tf.zeros(tf.shape(primary.initialized_value()), dtype=dtype)
    return create_slot(primary, value, name, colocate_with_primary)
