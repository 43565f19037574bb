"""What is nobody's program: the standard library and installed packages. A finding blames the innermost
line that is the user's, also when a package called back or made the op."""
from __future__ import annotations

import os
import sys

from shapeflow import _core

_PACKAGES = ("site-packages", "dist-packages")


def hide(script: str = "") -> None:
    """Keeps their frames out of findings; not those of the folder that holds `script` itself."""
    folders = [os.path.dirname(os.path.abspath(os.__file__))]
    folders += [os.path.abspath(path) for path in sys.path if os.path.basename(path) in _PACKAGES]
    for folder in dict.fromkeys(folders):
        prefix = folder + os.sep
        if not script.startswith(prefix):
            _core.register_library_path(prefix)
