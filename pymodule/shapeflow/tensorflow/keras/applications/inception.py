"""InceptionV3, Xception and InceptionResNetV2: Szegedy et al. (2015, 2016), Chollet (2016)."""
from __future__ import annotations

from shapeflow.tensorflow.keras.applications import building
from shapeflow.tensorflow.keras.applications.building import conv, layer, norm, relu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Sequence, Tuple


def _unit(x: object, filters: int, rows: int, columns: int, padding: str = "same", stride: int = 1) -> Any:
    x = conv(x, filters, (rows, columns), strides=stride, padding=padding, use_bias=False)
    return relu(norm(x, scale=False))


def _units(x: object, *units: Tuple[int, int, int]) -> Any:
    for filters, rows, columns in units:
        x = _unit(x, filters, rows, columns)
    return x


def _joined(branches: Sequence[object], name: Optional[str] = None) -> Any:
    return layer("Concatenate", axis=building.axis(), name=name)(list(branches))


def _average(x: object) -> Any:
    return layer("AveragePooling2D", 3, strides=1, padding="same")(x)


def _stem(x: object) -> Any:
    x = _unit(x, 32, 3, 3, "valid", 2)
    x = _unit(x, 32, 3, 3, "valid")
    x = _unit(x, 64, 3, 3)
    x = layer("MaxPooling2D", 3, strides=2)(x)
    x = _unit(x, 80, 1, 1, "valid")
    x = _unit(x, 192, 3, 3, "valid")
    return layer("MaxPooling2D", 3, strides=2)(x)


def _first_mixed(x: object, one: int, last: int, name: str) -> Any:
    """Branches of 1, 5 and twice 3, and an average."""
    return _joined([_unit(x, one, 1, 1), _units(x, (48, 1, 1), (64, 5, 5)),
                    _units(x, (64, 1, 1), (96, 3, 3), (96, 3, 3)), _unit(_average(x), last, 1, 1)], name)


def _inception_v3(x: object) -> Any:
    x = _stem(x)
    for place, last in enumerate((32, 64, 64)):
        x = _first_mixed(x, 64, last, "mixed%d" % place)
    three = _unit(x, 384, 3, 3, "valid", 2)
    double = _unit(_units(x, (64, 1, 1), (96, 3, 3)), 96, 3, 3, "valid", 2)
    x = _joined([three, double, layer("MaxPooling2D", 3, strides=2)(x)], "mixed3")
    for place, n in enumerate((128, 160, 160, 192), 4):
        x = _joined([_unit(x, 192, 1, 1), _units(x, (n, 1, 1), (n, 1, 7), (192, 7, 1)),
                     _units(x, (n, 1, 1), (n, 7, 1), (n, 1, 7), (n, 7, 1), (192, 1, 7)),
                     _unit(_average(x), 192, 1, 1)], "mixed%d" % place)
    three = _unit(_unit(x, 192, 1, 1), 320, 3, 3, "valid", 2)
    seven = _unit(_units(x, (192, 1, 1), (192, 1, 7), (192, 7, 1)), 192, 3, 3, "valid", 2)
    x = _joined([three, seven, layer("MaxPooling2D", 3, strides=2)(x)], "mixed8")
    for place in range(2):
        one = _unit(x, 320, 1, 1)
        three = _unit(x, 384, 1, 1)
        three = _joined([_unit(three, 384, 1, 3), _unit(three, 384, 3, 1)], "mixed9_%d" % place)
        double = _units(x, (448, 1, 1), (384, 3, 3))
        double = _joined([_unit(double, 384, 1, 3), _unit(double, 384, 3, 1)])
        x = _joined([one, three, double, _unit(_average(x), 192, 1, 1)], "mixed%d" % (9 + place))
    return x


# --- Xception -------------------------------------------------------------------------------------
def _separable(x: object, filters: int, name: str, active_first: bool = True) -> Any:
    if active_first:
        x = relu(x, name + "_act")
    x = layer("SeparableConv2D", filters, 3, padding="same", use_bias=False, name=name)(x)
    return norm(x, name + "_bn")


def _xception(x: object) -> Any:
    x = conv(x, 32, 3, "block1_conv1", strides=2, use_bias=False)
    x = relu(norm(x, "block1_conv1_bn"), "block1_conv1_act")
    x = relu(norm(conv(x, 64, 3, "block1_conv2", use_bias=False), "block1_conv2_bn"), "block1_conv2_act")
    blocks: List[Tuple[int, ...]] = [(128, 128), (256, 256), (728, 728), *[(728, 728, 728)] * 8, (728, 1024)]
    for block, filters in enumerate(blocks, 2):
        before = x
        if len(filters) == 2:
            before = norm(conv(x, filters[-1], 1, strides=2, padding="same", use_bias=False))
        for place, size in enumerate(filters, 1):
            x = _separable(x, size, f"block{block}_sepconv{place}", block > 2 or place > 1)
        if len(filters) == 2:
            x = layer("MaxPooling2D", 3, strides=2, padding="same", name=f"block{block}_pool")(x)
        x = layer("Add")([x, before])
    for place, size in enumerate((1536, 2048), 1):
        name = f"block14_sepconv{place}"
        x = relu(_separable(x, size, name, False), name + "_act")
    return x


# --- InceptionResNetV2 ----------------------------------------------------------------------------
def _residual(x: Any, kind: str, place: int, scale: float, active: bool = True) -> Any:
    if kind == "block35":
        branches: List[object] = [_unit(x, 32, 1, 1), _units(x, (32, 1, 1), (32, 3, 3)),
                               _units(x, (32, 1, 1), (48, 3, 3), (64, 3, 3))]
    elif kind == "block17":
        branches = [_unit(x, 192, 1, 1), _units(x, (128, 1, 1), (160, 1, 7), (192, 7, 1))]
    else:
        branches = [_unit(x, 192, 1, 1), _units(x, (192, 1, 1), (224, 1, 3), (256, 3, 1))]
    name = f"{kind}_{place}"
    added = conv(_joined(branches, name + "_mixed"), x.shape.as_list()[building.axis()], 1, name + "_conv",
                 padding="same")
    x = layer("Lambda", lambda both: both[0] + both[1] * scale, name=name)([x, added])
    return relu(x, name + "_ac") if active else x


def _inception_resnet_v2(x: object) -> Any:
    x = _stem(x)
    x = _first_mixed(x, 96, 64, "mixed_5b")
    for place in range(1, 11):
        x = _residual(x, "block35", place, 0.17)
    three = _unit(x, 384, 3, 3, "valid", 2)
    double = _unit(_units(x, (256, 1, 1), (256, 3, 3)), 384, 3, 3, "valid", 2)
    x = _joined([three, double, layer("MaxPooling2D", 3, strides=2)(x)], "mixed_6a")
    for place in range(1, 21):
        x = _residual(x, "block17", place, 0.1)
    x = _joined([_unit(_unit(x, 256, 1, 1), 384, 3, 3, "valid", 2),
                 _unit(_unit(x, 256, 1, 1), 288, 3, 3, "valid", 2),
                 _unit(_units(x, (256, 1, 1), (288, 3, 3)), 320, 3, 3, "valid", 2),
                 layer("MaxPooling2D", 3, strides=2)(x)], "mixed_7a")
    for place in range(1, 10):
        x = _residual(x, "block8", place, 0.2)
    x = _residual(x, "block8", 10, 1.0, active=False)
    x = conv(x, 1536, 1, "conv_7b", padding="same", use_bias=False)
    return relu(norm(x, "conv_7b_bn", scale=False), "conv_7b_ac")


for _name, _title, _module, _smallest, _body in (
        ("InceptionV3", "inception_v3", "inception_v3", 75, _inception_v3),
        ("Xception", "xception", "xception", 71, _xception),
        ("InceptionResNetV2", "inception_resnet_v2", "inception_resnet_v2", 75, _inception_resnet_v2)):
    building.publish(_module, **{_name: building.function(_name, building.Network(
        _title, 299, _smallest, _body))})
