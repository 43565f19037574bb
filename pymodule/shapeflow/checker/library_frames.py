"""What is nobody's program: the standard library, installed packages and ShapeFlow itself. A finding blames
the innermost line that is the user's, also when a package called back or made the op.

This is the one definition. The extension has its folders (hide), because it asks for each op that is made.
"""
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

_STANDARD = os.path.join(os.path.dirname(os.path.abspath(os.__file__)), "")
_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_PACKAGES = ("site-packages", "dist-packages")
_IN_PACKAGES = tuple(f"{os.sep}{name}{os.sep}" for name in _PACKAGES)
_BUILT = (_STANDARD, _OURS)
_COMPILED = (".pyx", ".pxd", ".pxi")


def installed(path: str) -> Tuple[str, ...]:
    """The folders of a PYTHONPATH that packages were installed into (`pip install --target`): those with what
    pip notes of them. A project that is installed from where it is written has no such note beside it."""
    found = []
    for folder in path.split(os.pathsep):
        try:
            names = os.listdir(folder) if folder and os.path.basename(folder) not in _PACKAGES else []
        except OSError:
            continue
        if any(name.endswith(".dist-info") for name in names):
            found.append(os.path.join(os.path.abspath(folder), ""))
    return tuple(found)


_INSTALLED = installed(os.environ.get("PYTHONPATH", ""))


def is_library(path: str, script: str = "") -> bool:
    """Is the code of this file nobody's? Not files beside a `script` that lies among installed packages."""
    for part in _IN_PACKAGES:
        head, found, _ = path.rpartition(part)
        if found:
            return path.startswith(_OURS) or not script.startswith(head + part)
    if path.startswith(_INSTALLED):
        return any(path.startswith(folder) and not script.startswith(folder) for folder in _INSTALLED)
    return path.startswith(_BUILT) or path.endswith(_COMPILED)  # compiled: names the file it was made from


def folders(script: str = "") -> Tuple[str, ...]:
    """Those that hold nothing but libraries; not one that holds `script` itself."""
    found = [_STANDARD, *_INSTALLED]
    found += [os.path.join(os.path.abspath(path), "") for path in sys.path
              if os.path.basename(path) in _PACKAGES]
    return tuple(folder for folder in dict.fromkeys(found) if not script.startswith(folder))


def hide(script: str = "") -> None:
    """Keeps their frames out of findings; not those of the folder that holds `script` itself."""
    from shapeflow import _core

    for folder in folders(script):
        _core.register_library_path(folder)
