"""ResNet: He et al., Deep Residual Learning (2015) and Identity Mappings (2016)."""
from __future__ import annotations

from shapeflow.tensorflow.keras.applications import building
from shapeflow.tensorflow.keras.applications.building import conv, layer, norm, relu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

_EPSILON = 1.001e-5


def _block_1(x: object, filters: int, stride: int, shortcut: bool, name: str) -> Any:
    before = x
    if shortcut:
        before = conv(x, 4 * filters, 1, name + "_0_conv", strides=stride)
        before = norm(before, name + "_0_bn", epsilon=_EPSILON)
    x = relu(norm(conv(x, filters, 1, name + "_1_conv", strides=stride), name + "_1_bn", epsilon=_EPSILON),
             name + "_1_relu")
    x = relu(norm(conv(x, filters, 3, name + "_2_conv", padding="same"), name + "_2_bn", epsilon=_EPSILON),
             name + "_2_relu")
    x = norm(conv(x, 4 * filters, 1, name + "_3_conv"), name + "_3_bn", epsilon=_EPSILON)
    return relu(layer("Add", name=name + "_add")([before, x]), name + "_out")


def _block_2(x: object, filters: int, stride: int, shortcut: bool, name: str) -> Any:
    active = relu(norm(x, name + "_preact_bn", epsilon=_EPSILON), name + "_preact_relu")
    if shortcut:
        before = conv(active, 4 * filters, 1, name + "_0_conv", strides=stride)
    else:
        before = layer("MaxPooling2D", 1, strides=stride)(x) if stride > 1 else x
    x = conv(active, filters, 1, name + "_1_conv", use_bias=False)
    x = relu(norm(x, name + "_1_bn", epsilon=_EPSILON), name + "_1_relu")
    x = layer("ZeroPadding2D", padding=((1, 1), (1, 1)), name=name + "_2_pad")(x)
    x = conv(x, filters, 3, name + "_2_conv", strides=stride, use_bias=False)
    x = relu(norm(x, name + "_2_bn", epsilon=_EPSILON), name + "_2_relu")
    x = conv(x, 4 * filters, 1, name + "_3_conv")
    return layer("Add", name=name + "_out")([before, x])


def _body(counts: Sequence[int], version: int) -> Callable[[Any], Any]:
    def stack(x: object, filters: int, count: int, stride: int, name: str) -> Any:
        for place in range(1, count + 1):
            if version == 1:
                x = _block_1(x, filters, stride if place == 1 else 1, place == 1, f"{name}_block{place}")
            else:
                x = _block_2(x, filters, stride if place == count else 1, place == 1, f"{name}_block{place}")
        return x

    def build(x: Any) -> Any:
        x = layer("ZeroPadding2D", padding=((3, 3), (3, 3)), name="conv1_pad")(x)
        x = conv(x, 64, 7, "conv1_conv", strides=2)
        if version == 1:
            x = relu(norm(x, "conv1_bn", epsilon=_EPSILON), "conv1_relu")
        x = layer("ZeroPadding2D", padding=((1, 1), (1, 1)), name="pool1_pad")(x)
        x = layer("MaxPooling2D", 3, strides=2, name="pool1_pool")(x)
        strides = (1, 2, 2, 2) if version == 1 else (2, 2, 2, 1)
        for place, (filters, count, stride) in enumerate(zip((64, 128, 256, 512), counts, strides), 2):
            x = stack(x, filters, count, stride, f"conv{place}")
        return relu(norm(x, "post_bn", epsilon=_EPSILON), "post_relu") if version == 2 else x

    return build


for _name, _counts in (("ResNet50", (3, 4, 6, 3)), ("ResNet101", (3, 4, 23, 3)),
                       ("ResNet152", (3, 8, 36, 3))):
    for _version in (1, 2):
        _full = _name + "V2" * (_version == 2)
        _network = building.function(_full, building.Network(
            _full.lower(), 224, 32, _body(_counts, _version), "probs"))
        building.publish("resnet_v2" if _version == 2 else "resnet", **{_full: _network})
        if _full == "ResNet50":
            building.publish("resnet50", ResNet50=_network)
