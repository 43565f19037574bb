"""Our modules that are asked only where something has imported them."""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Optional


def loaded(name: str) -> Optional[ModuleType]:
    """The module; None: nothing has imported it, or a thread of the program is about to."""
    module = sys.modules.get(name)
    return None if getattr(getattr(module, "__spec__", None), "_initializing", False) else module
