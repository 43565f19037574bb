"""Layers of tf.keras that change pictures by chance: what is in them, not their shape.

Source: keras/src/layers/preprocessing/image_preprocessing (3), tensorflow/python/keras/layers/preprocessing
(2).
"""

from __future__ import annotations

from typing import Any, Optional

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.keras import mixed_precision
from shapeflow.tensorflow.keras.base_layer import KerasLayer
from shapeflow.tensorflow.keras.scaling import CenterCrop, Normalization, Rescaling, Resizing, _Sized
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf, unknown

_EXPERIMENTAL = "tf.keras.layers.experimental.preprocessing."


class _Augmented(KerasLayer):
    """Takes pictures, or a dict with them as `images`, and gives them in the layer's dtype."""

    _keeps_integers = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        of_layers = ("name", "dtype", "trainable", "input_shape")
        super().__init__(**{key: kwargs[key] for key in of_layers if key in kwargs})

    def call(self, inputs: Any, training: Any = None) -> Any:
        if isinstance(inputs, dict):
            return {key: self._picture(value) if key == "images" else self._beside(value)
                    for key, value in inputs.items()}
        return self._picture(inputs)

    def _picture(self, image: Any) -> Any:
        image = framework_lib.convert_to_tensor(image)
        if self._keeps_integers and not image.dtype.is_floating:
            return tf.identity(image)
        return tf.cast(tf.identity(image), _core.as_dtype(self.dtype or mixed_precision.floatx()))

    def _beside(self, value: Any) -> Any:
        """Labels, boxes, masks."""
        return value


class _Mixed(_Augmented):
    """Pictures of two, with labels of both."""

    def _beside(self, value: Any) -> Any:
        return self._picture(value) if isinstance(value, _core.Tensor) else value


for _name in ("RandomFlip", "RandomRotation", "RandomZoom", "RandomTranslation", "RandomContrast"):
    put(type(_name, (_Augmented,), {"__module__": __name__}),
        "tf.keras.layers." + _name, _EXPERIMENTAL + _name, v2=True)
for _name in ("RandomShear", "RandomHue", "RandomSaturation", "RandomColorJitter", "RandomInvert",
              "RandomPosterization", "RandomColorDegeneration", "RandomSharpness", "RandomGaussianBlur",
              "RandomPerspective", "RandomElasticTransform", "RandomErasing", "AutoContrast", "Solarization",
              "Equalization", "RandAugment", "AugMix"):
    put(type(_name, (_Augmented,), {"__module__": __name__}), "tf.keras.layers." + _name, v2=True)
for _name in ("RandomBrightness", "RandomGrayscale"):
    put(type(_name, (_Augmented,), {"__module__": __name__, "_keeps_integers": True}),
        "tf.keras.layers." + _name, v2=True)
for _name in ("MixUp", "CutMix"):
    put(type(_name, (_Mixed,), {"__module__": __name__}), "tf.keras.layers." + _name, v2=True)
for _layer in (Rescaling, Resizing, CenterCrop, Normalization):
    put(_layer, _EXPERIMENTAL + _layer.__name__, v2=True)


@export("tf.keras.layers.RandomCrop", _EXPERIMENTAL + "RandomCrop", v2=True)
class RandomCrop(_Sized):
    """tf.keras.layers.RandomCrop"""

    def __init__(self, height: int, width: int, seed: Any = None, data_format: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(height, width, data_format, **kwargs)


class _OtherSize(KerasLayer):
    """Keras 2: as long along one axis as chance says."""

    _axis = -3

    def __init__(self, factor: Any = None, interpolation: Optional[str] = None, seed: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def call(self, inputs: Any, training: Any = None) -> Any:
        shape = inputs.get_shape()
        dims = None if shape.ndims is None else shape.as_list()
        if dims is not None and len(dims) >= 3:
            dims[self._axis] = None
        return unknown(self.dtype or mixed_precision.floatx(), dims, None, [inputs], trusted=True)


for _name, _at in (("RandomHeight", -3), ("RandomWidth", -2)):
    put(type(_name, (_OtherSize,), {"__module__": __name__, "_axis": _at}),
        "tf.keras.layers." + _name, _EXPERIMENTAL + _name, v2=True)
