"""VGG16 and VGG19: Simonyan and Zisserman, Very Deep Convolutional Networks (2014)."""
from __future__ import annotations

from shapeflow.tensorflow.keras.applications import building
from shapeflow.tensorflow.keras.applications.building import layer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence


def _body(counts: Sequence[int]) -> Callable[[Any], Any]:
    def build(x: Any) -> Any:
        for block, (count, filters) in enumerate(zip(counts, (64, 128, 256, 512, 512)), 1):
            for place in range(1, count + 1):
                x = building.conv(x, filters, 3, f"block{block}_conv{place}", activation="relu",
                                  padding="same")
            x = layer("MaxPooling2D", 2, strides=2, name=f"block{block}_pool")(x)
        return x

    return build


def _top(x: object, classes: int) -> Any:
    x = layer("Flatten", name="flatten")(x)
    x = layer("Dense", 4096, activation="relu", name="fc1")(x)
    x = layer("Dense", 4096, activation="relu", name="fc2")(x)
    return layer("Dense", classes, activation="softmax", name="predictions")(x)


for _name, _counts in (("VGG16", (2, 2, 3, 3, 3)), ("VGG19", (2, 2, 4, 4, 4))):
    building.publish(_name.lower(), **{_name: building.function(_name, building.Network(
        _name.lower(), 224, 32, _body(_counts), top=_top))})
