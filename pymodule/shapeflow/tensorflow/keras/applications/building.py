"""What all networks share: their input, their end, and the errors of wrong arguments.

Source: keras_applications 1.0.8 (imagenet_utils.py and one file a network), which is tf.keras.applications in
TensorFlow 1.15.
"""
from __future__ import annotations

import os

import numpy as np

from shapeflow.api.registry import put
from shapeflow.tensorflow.keras import image_format
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional, Tuple

    Build = Callable[..., Any]


def layer(kind: str, *args: Any, **kwargs: Any) -> Any:
    """A layer of tf.keras.layers."""
    return getattr(tf.keras.layers, kind)(*args, **kwargs)


def axis() -> int:
    """That of the channels."""
    return 1 if image_format.current() == "channels_first" else 3


def conv(x: object, filters: int, size: object, name: Optional[str] = None, **kwargs: object) -> Any:
    return layer("Conv2D", filters, size, name=name, **kwargs)(x)


def norm(x: object, name: Optional[str] = None, **kwargs: object) -> Any:
    return layer("BatchNormalization", axis=axis(), name=name, **kwargs)(x)


def relu(x: object, name: Optional[str] = None) -> Any:
    return layer("Activation", "relu", name=name)(x)


class Network:
    """A network: its sizes, and what makes it of its input. `classes_name` is the name of its last layer."""

    def __init__(self, name: str, size: int, smallest: int, build: Build, classes_name: str = "predictions",
                 average_name: Optional[str] = "avg_pool", top: Optional[Build] = None) -> None:
        self._name, self._size, self._smallest, self._build = name, size, smallest, build
        self._classes_name, self._average_name, self._top = classes_name, average_name, top

    def __call__(self, include_top: bool = True, weights: object = "imagenet", input_tensor: object = None,
                 input_shape: object = None, pooling: Optional[str] = None, classes: int = 1000,
                 **kwargs: object) -> Any:
        check_weights(weights, include_top, classes)
        shape = input_shape_of(input_shape, self._size, self._smallest, include_top, weights)
        entry, given = input_of(input_tensor, shape)
        x = self._build(entry)
        if not include_top:
            x = pooled(x, pooling)
        elif self._top is not None:
            x = self._top(x, classes)
        else:
            x = layer("GlobalAveragePooling2D", name=self._average_name)(x)
            x = layer("Dense", classes, activation="softmax", name=self._classes_name)(x)
        return tf.keras.Model(given, x, name=self._name)


def check_weights(weights: Any, include_top: bool, classes: int) -> None:
    if weights not in ("imagenet", None) and not os.path.exists(weights):
        raise ValueError("The `weights` argument should be either `None` (random initialization), `imagenet` "
                         "(pre-training on ImageNet), or the path to the weights file to be loaded.")
    if weights == "imagenet" and include_top and classes != 1000:
        raise ValueError('If using `weights` as `"imagenet"` with `include_top` as true, `classes` should be '
                         '1000')


def input_shape_of(given: Any, size: int, smallest: int, include_top: bool, weights: Any) -> Tuple[Any, ...]:
    """The shape of an input without its batch. Raises ValueError for one that the network does not take."""
    first = image_format.current() == "channels_first"
    channels = 3
    if weights != "imagenet" and given and len(given) == 3:
        channels = given[0 if first else -1]
    usual: Tuple[object, ...] = (channels, size, size) if first else (size, size, channels)
    if weights == "imagenet" and include_top:
        if given is not None and tuple(given) != usual:
            raise ValueError("When setting `include_top=True` and loading `imagenet` weights, `input_shape` "
                             f"should be {usual}.")
        return usual
    if given:
        _check_shape(given, smallest, weights, first)
        shape = tuple(given)
    else:
        shape = usual if include_top else (3, None, None) if first else (None, None, 3)
    if include_top and None in shape:
        raise ValueError("If `include_top` is True, you should specify a static `input_shape`. Got "
                         f"`input_shape={shape}`")
    return shape


def _check_shape(given: Any, smallest: int, weights: Any, first: bool) -> None:
    if len(given) != 3:
        raise ValueError("`input_shape` must be a tuple of three integers.")
    if given[0 if first else -1] != 3 and weights == "imagenet":
        raise ValueError(f"The input must have 3 channels; got `input_shape={given}`")
    if any(side is not None and side < smallest for side in (given[1:] if first else given[:-1])):
        raise ValueError(f"Input size must be at least {smallest}x{smallest}; got `input_shape={given}`")


def input_of(input_tensor: object, shape: object) -> Tuple[Any, Any]:
    """What the first layer takes, and what the model is made of."""
    entry = input_tensor
    if entry is None or not hasattr(entry, "_keras_history"):
        entry = tf.keras.Input(shape=shape, **({} if entry is None else {"tensor": entry}))
    return entry, entry


def pooled(x: object, pooling: Optional[str]) -> Any:
    if pooling not in ("avg", "max"):
        return x
    return layer("GlobalAveragePooling2D" if pooling == "avg" else "GlobalMaxPooling2D")(x)


# --- around the networks --------------------------------------------------------------------------
def preprocess_input(x: Any, data_format: object = None, **kwargs: object) -> Any:
    """What the network was trained on: of the same shape, floats."""
    if isinstance(x, np.ndarray):
        return x.astype("float32") if not issubclass(x.dtype.type, np.floating) else x
    return x * 1.0


def decode_predictions(preds: Any, top: int = 5, **kwargs: object) -> Any:
    """The names of the likeliest classes, which nobody knows here."""
    if len(preds.shape) != 2 or preds.shape[1] != 1000:
        raise ValueError("`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape "
                         f"(samples, 1000)). Found array with shape: {tuple(preds.shape)}")
    likeliest = [("n%08d" % place, "class_%d" % place, 0.0) for place in range(top)]
    return [list(likeliest) for _ in range(preds.shape[0])]


def publish(module: str, **networks: object) -> None:
    """tf.keras.applications.VGG16, and its module."""
    for name, network in networks.items():
        put(network, f"tf.keras.applications.{name}", f"tf.keras.applications.{module}.{name}")
    put(preprocess_input, f"tf.keras.applications.{module}.preprocess_input")
    put(decode_predictions, f"tf.keras.applications.{module}.decode_predictions")


def function(name: str, network: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the network's name, as users look at it."""
    def build(include_top: bool = True, weights: Any = "imagenet", input_tensor: Any = None,
              input_shape: Any = None, pooling: Optional[str] = None, classes: int = 1000,
              **kwargs: Any) -> Any:
        return network(include_top, weights, input_tensor, input_shape, pooling, classes, **kwargs)

    build.__name__ = build.__qualname__ = name
    return build
