"""What is modelled under a public name: an object that Python registered, then a row of the C core."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api import names, registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# In tf.compat.v2 of TensorFlow 1 these are of its Keras.
_KERAS_OF_V2 = ("tf.keras.", *names.OF_KERAS)


def find(dotted: str, version: int) -> Any:
    """The object of a name in API 1 or 2; registry.MISSING where it is not modelled."""
    before_1 = version == 1 and _core.get_version()[:2] == "0."
    if before_1:
        value = registry.find("tf0" + dotted[2:], 1)
        if value is not registry.MISSING:
            return value
    value = registry.find(dotted, version)
    if value is registry.MISSING and version == 2 and dotted.startswith(_KERAS_OF_V2):
        value = registry.find(dotted if dotted.startswith("tf.keras.") else "tf.keras" + dotted[2:], 1)
    if value is registry.MISSING:
        value = _core.api_function(dotted, version)
        if value is None:
            return registry.find("old" + dotted[2:], 1) if before_1 else registry.MISSING
    return value
