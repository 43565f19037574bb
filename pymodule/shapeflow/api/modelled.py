"""What is modelled under a public name: an object that Python registered, then a row of the C core."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api import names, registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def find(dotted: str, version: int) -> Any:
    """The object of a name in API 1 or 2; registry.MISSING where it is not modelled."""
    before_1 = version == 1 and _core.get_version()[:2] == "0."
    if before_1:
        value = registry.find("tf0" + dotted[2:], 1)
        if value is not registry.MISSING:
            return value
    value = registry.find(dotted, version)
    if value is registry.MISSING and version == 2 and dotted.startswith(names.OF_KERAS):
        value = registry.find("tf.keras" + dotted[2:], 2)
    if value is registry.MISSING:
        value = _core.api_function(dotted, version)
        if value is None:
            return registry.find("old" + dotted[2:], 1) if before_1 else registry.MISSING
    return value
