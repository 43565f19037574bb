"""DenseNet: Huang et al., Densely Connected Convolutional Networks (2016)."""
from __future__ import annotations

from shapeflow.tensorflow.keras.applications import building
from shapeflow.tensorflow.keras.applications.building import conv, layer, norm, relu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

_EPSILON = 1.001e-5


def _block(x: object, name: str) -> Any:
    y = relu(norm(x, name + "_0_bn", epsilon=_EPSILON), name + "_0_relu")
    y = conv(y, 128, 1, name + "_1_conv", use_bias=False)
    y = relu(norm(y, name + "_1_bn", epsilon=_EPSILON), name + "_1_relu")
    y = conv(y, 32, 3, name + "_2_conv", padding="same", use_bias=False)
    return layer("Concatenate", axis=building.axis(), name=name + "_concat")([x, y])


def _body(counts: Sequence[int]) -> Callable[[Any], Any]:
    def build(x: Any) -> Any:
        x = layer("ZeroPadding2D", padding=((3, 3), (3, 3)))(x)
        x = conv(x, 64, 7, "conv1/conv", strides=2, use_bias=False)
        x = relu(norm(x, "conv1/bn", epsilon=_EPSILON), "conv1/relu")
        x = layer("ZeroPadding2D", padding=((1, 1), (1, 1)))(x)
        x = layer("MaxPooling2D", 3, strides=2, name="pool1")(x)
        for place, count in enumerate(counts, 2):
            for block in range(1, count + 1):
                x = _block(x, f"conv{place}_block{block}")
            if place < 5:
                name = f"pool{place}"
                x = relu(norm(x, name + "_bn", epsilon=_EPSILON), name + "_relu")
                x = conv(x, int(x.shape.as_list()[building.axis()] * 0.5), 1, name + "_conv", use_bias=False)
                x = layer("AveragePooling2D", 2, strides=2, name=name + "_pool")(x)
        return relu(norm(x, "bn", epsilon=_EPSILON), "relu")

    return build


for _name, _counts in (("DenseNet121", (6, 12, 24, 16)), ("DenseNet169", (6, 12, 32, 32)),
                       ("DenseNet201", (6, 12, 48, 32))):
    building.publish("densenet", **{_name: building.function(_name, building.Network(
        _name.lower(), 224, 32, _body(_counts), "fc1000"))})
