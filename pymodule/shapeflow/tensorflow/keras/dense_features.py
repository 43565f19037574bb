"""tf.keras.layers.DenseFeatures: the columns of a table as one matrix.

Source: tensorflow/python/feature_column/dense_features.py (1.15).
"""
from __future__ import annotations

from typing import Any, Dict, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.keras.base_layer import KerasLayer
from shapeflow.tensorflow.python.feature_column import feature_column
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.variable_scope import variable_scope


@export("tf.keras.layers.DenseFeatures")
class DenseFeatures(KerasLayer):
    """Its variables are those of the embeddings among the columns, made at the first call."""

    def __init__(self, feature_columns: Any, trainable: bool = True, name: Any = None, **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._feature_columns = feature_column.dense_columns(feature_columns)
        self._made: Dict[str, Any] = {}  # name -> variable: eager code keeps none by its name

    def _variable(self, getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        if name not in self._made:
            self._made[name] = getter(name, *args, **kwargs)
        return self._made[name]

    def build(self, input_shape: Any) -> None:
        self.built = True

    def call(self, features: Any, cols_to_output_tensors: Optional[Dict[Any, Any]] = None) -> Any:
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: ", features)
        with variable_scope(self.name, custom_getter=self._variable):
            rows = feature_column.dense_rows(
                features, self._feature_columns, self.trainable, cols_to_output_tensors)
            made = tf.concat(rows, -1) if len(rows) > 1 else rows[0]
        weights = self._trainable_weights if self.trainable else self._non_trainable_weights
        weights[:] = self._made.values()
        self._width = made.shape[-1]
        return made

    _width: object = None  # not known before the first call

    def compute_output_shape(self, input_shape: Any) -> _core.TensorShape:
        return _core.TensorShape([input_shape[0], self._width])
