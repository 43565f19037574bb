"""librosa: the shapes of the arrays that it makes of sounds (api/unknown_sounds.py)."""
from __future__ import annotations

from shapeflow.api import unknown_sounds
from shapeflow.api.known_packages.shaped import modules

MODULES = modules(("librosa", "librosa.feature", "librosa.effects", "librosa.util"),
                  unknown_sounds.FUNCTIONS, unknown_sounds.facts)
MODULES["librosa"]["load"] = unknown_sounds.load
