"""MobileNet and MobileNetV2: Howard et al. (2017), Sandler et al. (2018)."""
from __future__ import annotations

from shapeflow.tensorflow.keras import image_format
from shapeflow.tensorflow.keras.applications import building
from shapeflow.tensorflow.keras.applications.building import conv, layer, norm
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

_MOMENTS = {"epsilon": 1e-3, "momentum": 0.999}


def _relu6(x: object, name: str) -> Any:
    return layer("ReLU", 6.0, name=name)(x)


def _sides(input_shape: Any) -> Any:
    first = image_format.current() == "channels_first"
    return (input_shape[1:] if first else input_shape[:2]) if input_shape else None


def _size(input_shape: Any) -> int:
    """The size that the network's weights were trained for; 224 where it is another one."""
    sides = _sides(input_shape)
    return sides[0] if sides and sides[0] == sides[1] and sides[0] in (96, 128, 160, 192, 224) else 224


def _start(weights: object, include_top: bool, classes: int, input_tensor: object,
           input_shape: object) -> Any:
    building.check_weights(weights, include_top, classes)
    shape = building.input_shape_of(input_shape, _size(input_shape), 32, include_top, weights)
    return building.input_of(input_tensor, shape)


def _named(base: str, alpha: float, input_shape: object, weights: object) -> str:
    sides = _sides(input_shape)
    rows = sides[0] if sides and sides[0] == sides[1] and (
        weights != "imagenet" or sides[0] in (96, 128, 160, 192, 224)) else 224
    return "%s_%0.2f_%s" % (base, alpha, rows)


def mobile_net(input_shape: object = None, alpha: float = 1.0, depth_multiplier: int = 1,
               dropout: float = 1e-3, include_top: bool = True, weights: object = "imagenet",
               input_tensor: object = None, pooling: Optional[str] = None, classes: int = 1000,
               **kwargs: object) -> Any:
    x, given = _start(weights, include_top, classes, input_tensor, input_shape)
    x = layer("ZeroPadding2D", padding=((0, 1), (0, 1)), name="conv1_pad")(x)
    x = conv(x, int(32 * alpha), 3, "conv1", padding="valid", use_bias=False, strides=2)
    x = _relu6(norm(x, "conv1_bn"), "conv1_relu")
    sizes = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1))
    for place, (filters, stride) in enumerate(sizes, 1):
        if stride == 2:
            x = layer("ZeroPadding2D", ((0, 1), (0, 1)), name="conv_pad_%d" % place)(x)
        x = layer("DepthwiseConv2D", 3, padding="same" if stride == 1 else "valid", use_bias=False,
                  strides=stride, depth_multiplier=depth_multiplier, name="conv_dw_%d" % place)(x)
        x = _relu6(norm(x, "conv_dw_%d_bn" % place), "conv_dw_%d_relu" % place)
        x = conv(x, int(filters * alpha), 1, "conv_pw_%d" % place, padding="same", use_bias=False)
        x = _relu6(norm(x, "conv_pw_%d_bn" % place), "conv_pw_%d_relu" % place)
    if include_top:
        last = int(1024 * alpha)
        x = layer("GlobalAveragePooling2D")(x)
        x = layer("Reshape", (last, 1, 1) if building.axis() == 1 else (1, 1, last), name="reshape_1")(x)
        x = layer("Dropout", dropout, name="dropout")(x)
        x = conv(x, classes, 1, "conv_preds", padding="same")
        x = layer("Reshape", (classes,), name="reshape_2")(x)
        x = layer("Activation", "softmax", name="act_softmax")(x)
    else:
        x = building.pooled(x, pooling)
    return tf.keras.Model(given, x, name=_named("mobilenet", alpha, input_shape, weights))


def _divisible(value: float, by: int = 8) -> int:
    """The nearest multiple, not more than 10 % below."""
    made = max(by, int(value + by / 2) // by * by)
    return made + by if made < 0.9 * value else made


def _padding(x: Any, name: str) -> Any:
    """What makes a kernel of 3 with stride 2 begin as TensorFlow's "SAME" would."""
    sides = x.shape.as_list()[2:] if building.axis() == 1 else x.shape.as_list()[1:3]
    ends = [(1 - (1 - side % 2), 1) if side is not None else (0, 1) for side in sides]
    return layer("ZeroPadding2D", padding=tuple(ends), name=name)(x)


def _inverted(x: Any, filters: int, alpha: float, stride: int, expansion: int, block: int) -> Any:
    channels, before = x.shape.as_list()[building.axis()], x
    wanted = _divisible(int(filters * alpha))
    prefix = f"block_{block}_" if block else "expanded_conv_"
    if block:
        x = conv(x, expansion * channels, 1, prefix + "expand", padding="same", use_bias=False)
        x = _relu6(norm(x, prefix + "expand_BN", **_MOMENTS), prefix + "expand_relu")
    if stride == 2:
        x = _padding(x, prefix + "pad")
    x = layer("DepthwiseConv2D", 3, strides=stride, use_bias=False,
              padding="same" if stride == 1 else "valid", name=prefix + "depthwise")(x)
    x = _relu6(norm(x, prefix + "depthwise_BN", **_MOMENTS), prefix + "depthwise_relu")
    x = norm(conv(x, wanted, 1, prefix + "project", padding="same", use_bias=False), prefix + "project_BN",
             **_MOMENTS)
    return layer("Add", name=prefix + "add")([before, x]) if channels == wanted and stride == 1 else x


def mobile_net_v2(input_shape: object = None, alpha: float = 1.0, include_top: bool = True,
                  weights: object = "imagenet", input_tensor: object = None, pooling: Optional[str] = None,
                  classes: int = 1000, **kwargs: object) -> Any:
    x, given = _start(weights, include_top, classes, input_tensor, input_shape)
    x = _padding(x, "Conv1_pad")
    x = conv(x, _divisible(32 * alpha), 3, "Conv1", strides=2, padding="valid", use_bias=False)
    x = _relu6(norm(x, "bn_Conv1", **_MOMENTS), "Conv1_relu")
    block = 0
    for filters, count, stride in ((16, 1, 1), (24, 2, 2), (32, 3, 2), (64, 4, 2), (96, 3, 1), (160, 3, 2),
                                   (320, 1, 1)):
        for place in range(count):
            x = _inverted(x, filters, alpha, stride if place == 0 else 1, 6 if block else 1, block)
            block += 1
    x = conv(x, _divisible(1280 * alpha) if alpha > 1.0 else 1280, 1, "Conv_1", use_bias=False)
    x = _relu6(norm(x, "Conv_1_bn", **_MOMENTS), "out_relu")
    if include_top:
        x = layer("GlobalAveragePooling2D")(x)
        x = layer("Dense", classes, activation="softmax", name="Logits")(x)
    else:
        x = building.pooled(x, pooling)
    return tf.keras.Model(given, x, name=_named("mobilenetv2", alpha, input_shape, weights))


building.publish("mobilenet", MobileNet=mobile_net)
building.publish("mobilenet_v2", MobileNetV2=mobile_net_v2)
