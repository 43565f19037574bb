"""tf.estimator.export: receivers of serving inputs, outputs, exporters.

Source: tensorflow_estimator/python/estimator/{export/export.py,exporter.py}.
"""

from __future__ import annotations

import collections

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional


@export("tf.estimator.export.ServingInputReceiver", v2=True)
class ServingInputReceiver(
    collections.namedtuple(
        "ServingInputReceiver", ["features", "receiver_tensors", "receiver_tensors_alternatives"]
    )
):
    def __new__(
        cls, features: object, receiver_tensors: object, receiver_tensors_alternatives: object = None
    ) -> ServingInputReceiver:
        tensors = receiver_tensors if isinstance(receiver_tensors, dict) else {"input": receiver_tensors}
        return super().__new__(cls, features, tensors, receiver_tensors_alternatives)


@export("tf.estimator.export.TensorServingInputReceiver", v2=True)
class TensorServingInputReceiver(ServingInputReceiver):
    """One tensor as the features."""


@export("tf.estimator.export.build_raw_serving_input_receiver_fn", v2=True)
def build_raw_serving_input_receiver_fn(
    features: Dict[str, Any], default_batch_size: Optional[int] = None
) -> Callable[[], Any]:
    def receiver_fn() -> ServingInputReceiver:
        made = {}
        for name, value in features.items():
            shape = value.get_shape().as_list() if hasattr(value, "get_shape") else list(value.shape)
            made[name] = tf.placeholder(value.dtype, [default_batch_size, *shape[1:]], name=name)
        return ServingInputReceiver(made, dict(made))

    return receiver_fn


@export("tf.estimator.export.build_parsing_serving_input_receiver_fn", v2=True)
def build_parsing_serving_input_receiver_fn(
    feature_spec: Dict[str, object], default_batch_size: Optional[int] = None
) -> Callable[[], Any]:
    def receiver_fn() -> ServingInputReceiver:
        serialized = tf.placeholder(
            _core.as_dtype("string"), [default_batch_size], name="input_example_tensor"
        )
        return ServingInputReceiver(tf.parse_example(serialized, feature_spec), {"examples": serialized})

    return receiver_fn


@export("tf.estimator.export.ExportOutput", v2=True)
class ExportOutput:
    """What a signature of an exported model gives."""


@export("tf.estimator.export.PredictOutput", v2=True)
class PredictOutput(ExportOutput):
    def __init__(self, outputs: Any) -> None:
        self.outputs = outputs if isinstance(outputs, dict) else {"output": outputs}


@export("tf.estimator.export.ClassificationOutput", v2=True)
class ClassificationOutput(ExportOutput):
    def __init__(self, scores: Any = None, classes: Any = None) -> None:
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self.scores, self.classes = scores, classes


@export("tf.estimator.export.RegressionOutput", v2=True)
class RegressionOutput(ExportOutput):
    def __init__(self, value: Any) -> None:
        self.value = value


@export("tf.estimator.Exporter", v2=True)
class Exporter:
    """Exports a model after an evaluation."""

    name: Any = None

    def export(
        self,
        estimator: Any,
        export_path: Any,
        checkpoint_path: Any,
        eval_result: Any,
        is_the_final_export: bool,
    ) -> Any:
        raise NotImplementedError


class _ModelExporter(Exporter):
    """Exports by the receiver function that it was given."""

    def __init__(self, name: Any, serving_input_receiver_fn: Any, *args: Any, **kwargs: Any) -> None:
        self.name, self._receiver = name, serving_input_receiver_fn

    def export(
        self,
        estimator: Any,
        export_path: Any,
        checkpoint_path: Any,
        eval_result: Any,
        is_the_final_export: bool,
    ) -> Any:
        return estimator.export_saved_model(export_path, self._receiver, checkpoint_path=checkpoint_path)


@export("tf.estimator.FinalExporter", v2=True)
class FinalExporter(_ModelExporter):
    def __init__(
        self, name: Any, serving_input_receiver_fn: Any, assets_extra: Any = None, as_text: bool = False
    ) -> None:
        super().__init__(name, serving_input_receiver_fn)


@export("tf.estimator.LatestExporter", v2=True)
class LatestExporter(_ModelExporter):
    def __init__(
        self,
        name: Any,
        serving_input_receiver_fn: Any,
        assets_extra: Any = None,
        as_text: bool = False,
        exports_to_keep: Any = 5,
    ) -> None:
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError("`exports_to_keep`, if provided, must be positive number")
        super().__init__(name, serving_input_receiver_fn)


@export("tf.estimator.BestExporter", v2=True)
class BestExporter(_ModelExporter):
    def __init__(
        self,
        name: Any = "best_exporter",
        serving_input_receiver_fn: Any = None,
        event_file_pattern: Any = None,
        compare_fn: Any = None,
        assets_extra: Any = None,
        as_text: bool = False,
        exports_to_keep: Any = 5,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn)
