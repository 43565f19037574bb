"""Names of Keras 1 that the standalone Keras 2 took until 2.3, and tf.keras never had: Merge, merge,
K.set_image_dim_ordering...

Found only when the program imports `keras` itself. Source: keras/legacy/layers.py and
keras/backend/common.py (2.2).
"""
from __future__ import annotations

from shapeflow.api import namespace
from shapeflow.api.registry import export, find, put
from shapeflow.tensorflow.keras.base_layer import KerasLayer
from shapeflow.tensorflow.keras.model import Model
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

_ALIKE = ("sum", "mul", "ave", "cos", "max")  # modes for inputs of one shape
_OF_MODE = {"sum": "Add", "mul": "Multiply", "ave": "Average", "max": "Maximum"}


def _keras(name: str) -> Any:
    return find("tf.keras." + name, 1)


def _check_shapes(mode: str, shapes: List[Tuple[Optional[int], ...]], concat_axis: int) -> None:
    if mode in _ALIKE and len(set(shapes)) > 1:
        raise fail("SF107", "Only layers of same output shape can be merged using {text} mode. Layer shapes: "
                       "{text}", mode, shapes)
    if mode in ("cos", "dot") and len(shapes) > 2:
        raise ValueError(mode + " merge takes exactly 2 layers")
    if mode == "concat":
        rests = {tuple(dim for axis, dim in enumerate(shape) if axis != concat_axis % len(shape))
                 for shape in shapes if shape}
        if len(rests) > 1:
            raise fail("SF108", '"concat" mode can only merge layers with matching output shapes except for '
                       "the concat axis. Layer shapes: {text}", shapes)


class _Merged(KerasLayer):
    """What `Merge(mode=...)` does with its inputs."""

    _base_class_name = "Merge"

    def __init__(self, mode: Any = "sum", concat_axis: int = -1,
                 dot_axes: Union[int, Sequence[int]] = -1, arguments: Optional[Dict[str, Any]] = None,
                 **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.mode, self.concat_axis, self.dot_axes = mode, concat_axis, dot_axes
        self.arguments = arguments or {}

    def call(self, inputs: Any) -> Any:
        if callable(self.mode):
            return self.mode(inputs, **self.arguments)
        shapes = [tensor.get_shape() for tensor in inputs]
        if all(shape.ndims is not None for shape in shapes):
            _check_shapes(self.mode, [tuple(shape.as_list()) for shape in shapes], self.concat_axis)
        if self.mode == "concat":
            return _keras("layers.Concatenate")(axis=self.concat_axis)(inputs)
        if self.mode == "dot":
            return _keras("layers.Dot")(self.dot_axes)(inputs)
        if self.mode == "cos":
            return tf.expand_dims(_keras("layers.Dot")(self.dot_axes, normalize=True)(inputs), 1)
        if self.mode not in _OF_MODE:
            raise ValueError("Invalid merge mode: " + str(self.mode))
        return _keras("layers." + _OF_MODE[self.mode])()(inputs)


def _layer(mode: Any, concat_axis: int, dot_axes: Any, arguments: Any, name: Any) -> _Merged:
    return _Merged(mode, concat_axis, dot_axes, arguments, name=name)


@export("keras_1.layers.merge", "keras_1.legacy.layers.merge")
def merged(inputs: object, mode: object = "sum", concat_axis: int = -1, dot_axes: object = -1,
           output_shape: object = None, output_mask: object = None, arguments: object = None,
           name: object = None) -> Any:
    return _layer(mode, concat_axis, dot_axes, arguments, name)(inputs)


@export("keras_1.layers.Merge", "keras_1.legacy.layers.Merge")
def merge_layer(layers: Any = None, mode: object = "sum", concat_axis: int = -1, dot_axes: object = -1,
                output_shape: object = None, output_mask: object = None, arguments: object = None,
                node_indices: object = None, tensor_indices: object = None,
                name: object = None) -> Union[Model, _Merged]:
    """With layers it is the end of several towers, and the first of a Sequential; else a layer as others."""
    layer = _layer(mode, concat_axis, dot_axes, arguments, name)
    if not layers or not all(isinstance(tower, Model) and tower._functional for tower in layers):
        return layer
    inputs = [tensor for tower in layers for tensor in tower.inputs]
    towers = Model(inputs=inputs, outputs=layer([tower.outputs[0] for tower in layers]))
    towers.begins_with_its_inputs = True
    return towers


@export("keras_1.backend.image_dim_ordering")
def image_dim_ordering() -> str:
    return "th" if _keras("backend.image_data_format")() == "channels_first" else "tf"


@export("keras_1.backend.set_image_dim_ordering")
def set_image_dim_ordering(dim_ordering: str) -> None:
    if dim_ordering not in ("tf", "th"):
        raise ValueError("Unknown dim_ordering:", dim_ordering)
    _keras("backend.set_image_data_format")("channels_first" if dim_ordering == "th" else "channels_last")


@export("keras_1.layers.AtrousConvolution2D")
def atrous_convolution_2d(*args: object, **kwargs: object) -> Any:
    return _keras("layers.Conv2D")(*args, **kwargs)


@export("keras_1.layers.Deconvolution2D")
def deconvolution_2d(nb_filter: int, nb_row: int, nb_col: int, output_shape: object = None,
                     **kwargs: object) -> Any:
    """Keras 2 has no output_shape: it follows from the others."""
    return _keras("layers.Conv2DTranspose")(nb_filter, nb_row, nb_col, **kwargs)


# --- other names for what is there --------------------------------------------------------------------
def _renamed(module: str, name: str) -> Any:
    def function(*args: Any, **kwargs: Any) -> Any:
        return getattr(namespace.namespace("tf.keras." + module, 1), name)(*args, **kwargs)

    return function


put(namespace.namespace("tf.keras.losses", 1), "keras_1.objectives")
for old, now in (("utils.plot", "utils.plot_model"), ("regularizers.l1l2", "regularizers.l1_l2"),
                 ("regularizers.activity_l1", "regularizers.l1"),
                 ("regularizers.activity_l2", "regularizers.l2"),
                 ("regularizers.activity_l1l2", "regularizers.l1_l2")):
    put(_renamed(*now.split(".")), "keras_1." + old)
