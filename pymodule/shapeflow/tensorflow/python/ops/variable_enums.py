"""tf.VariableSynchronization, tf.VariableAggregation: how the replicas of a variable go together.

Apart from variables.py, which many programs touch first: `enum` costs a millisecond.
Source: tensorflow/python/ops/variables.py (1.15).
"""
from __future__ import annotations

import enum

from shapeflow.api.registry import export


@export("tf.VariableSynchronization", v2=True)
class VariableSynchronization(enum.Enum):
    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@export("tf.VariableAggregation", v2=True)
class VariableAggregation(enum.Enum):
    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3
