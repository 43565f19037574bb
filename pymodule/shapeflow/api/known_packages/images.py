"""OpenCV, scikit-image and scipy.misc: the shapes of the images that they make (api/unknown_pixels.py)."""
from __future__ import annotations

from shapeflow.api import unknown_pixels
from shapeflow.api.known_packages.shaped import modules

MODULES = modules(("cv2", "scipy", "scipy.misc", "skimage", "skimage.transform", "skimage.color"),
                  unknown_pixels.FUNCTIONS, unknown_pixels.facts)
