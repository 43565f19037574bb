"""What is certain of packages that are not installed: a progress bar gives what it is given, a data set of
tensorflow_datasets has its features. Everything else of them is unknown (api/unknown_package.py asks here).

A file of this folder has MODULES: by module its names and what they are.
"""
from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping

MISSING = object()
MODULE = object()
_FILES = {"tqdm": "progress", "PIL": "pillow", "sklearn": "scikit_learn", "tensorflow_datasets": "datasets",
          "pandas": "tables", "cv2": "images", "scipy": "images", "skimage": "images", "librosa": "sounds",
          "gym": "environments", "gymnasium": "environments",
          "decorator": "decorators", "wrapt": "decorators",
          **dict.fromkeys(("easydict", "munch", "addict", "attrdict", "box"), "attribute_dicts")}


def lookup(module: str, attr: str) -> object:
    """What `attr` of a module that is not installed is; MISSING: nobody knows; MODULE: a module."""
    file = _FILES.get(module.partition(".")[0])
    if file is None:
        return MISSING
    modules: Mapping[str, Mapping[str, object]] = importlib.import_module(f"{__name__}.{file}").MODULES
    found = modules.get(module, {}).get(attr, MISSING)
    return MODULE if found is MISSING and f"{module}.{attr}" in modules else found
