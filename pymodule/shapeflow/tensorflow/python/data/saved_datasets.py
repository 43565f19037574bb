"""Dataset.save and Dataset.load: what this program saved it finds again; the files hold nothing.

Source: tensorflow/python/data/ops/{save,load}_op.py.
"""
from __future__ import annotations

import os

from shapeflow.api import outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

_saved: Dict[str, Any] = {}  # datasets, by their absolute paths


def _place(path: object) -> Optional[str]:
    return os.path.abspath(os.fsdecode(path)) if isinstance(path, (str, bytes, os.PathLike)) else None


def save(dataset: Any, path: Any) -> None:
    place = _place(path)
    if place is None:
        return
    _saved[place] = dataset
    if outside.sandbox.holds:
        os.makedirs(place, exist_ok=True)


def saved_by_this_program(path: object) -> Any:
    """The dataset that was saved there, or None."""
    return _saved.get(_place(path) or "")
