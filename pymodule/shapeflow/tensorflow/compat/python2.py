"""What scripts of TensorFlow 1's time expect of their surroundings, and today's lack.

A check must run the script as it stands. Scripts of 2015-2019 use `scipy.misc.imread` and friends, and `six`,
which came with TensorFlow. Nothing here replaces what is installed: only what is missing is filled in, and
only in a check, never on a plain import. Names that other packages dropped: checker/removed.
Images are read as shapes: the header says how large, the pixels are not decoded.
"""
from __future__ import annotations

from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.checker.import_hook import Loader, act_on, make_missing
from shapeflow.tensorflow.compat import old_behaviours, protobuf, requirements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, Dict, Optional, Tuple

    from shapeflow.checker.import_hook import Make
    from shapeflow.checker.patches import Patcher


def install(by: Patcher, version: str) -> None:
    """Prepares the process for a script written for TensorFlow `version`: what came with TensorFlow is there,
    and for 0.x and 1.x what scipy.misc had."""
    makers: Dict[str, Make] = {"six": lambda name: _make_six(name, by), **requirements.MAKERS,
                              **protobuf.MAKERS}
    act_on(by, protobuf.ACTS)
    if int(version.partition(".")[0]) < 2:
        act_on(by, {"scipy.misc": _complete_scipy_misc})
        act_on(by, old_behaviours.ACTS)
        makers["scipy.misc"] = lambda name: _make_scipy_misc(name, by)
    make_missing(by, makers)


# --- scipy.misc -------------------------------------------------------------------------------
def _image_size(stream: BinaryIO) -> Optional[Tuple[int, int, int]]:
    """(height, width, channels) from the header of a JPEG, PNG, GIF or BMP file."""
    import struct

    head = stream.read(33)
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) >= 26:
        width, height = struct.unpack(">II", head[16:24])
        return height, width, {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}.get(head[25], 3)
    if head[:6] in (b"GIF87a", b"GIF89a"):
        width, height = struct.unpack("<HH", head[6:10])
        return height, width, 3
    if head[:2] == b"BM" and len(head) >= 30:
        width, height = struct.unpack("<ii", head[18:26])
        return abs(height), width, 3
    if head[:2] != b"\xff\xd8":
        return None
    stream.seek(2)
    while True:  # the frame header (SOFn) of a JPEG, past the segments before it
        marker = stream.read(4)
        if len(marker) < 4 or marker[0] != 0xFF:
            return None
        kind, length = marker[1], struct.unpack(">H", marker[2:])[0]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            frame = stream.read(6)
            if len(frame) < 6:
                return None
            height, width = struct.unpack(">HH", frame[1:5])
            return height, width, frame[5]
        stream.seek(length - 2, 1)


def imread(name: Any, flatten: bool = False, mode: Optional[str] = None) -> Any:
    """scipy.misc.imread of SciPy < 1.2: an array of the image's shape, its content all zero.

    Shapes: [height, width] for grey images or `flatten`, else [height, width, channels].
    Raises: OSError when the file is missing or not an image.
    """
    import numpy as np

    if hasattr(name, "read"):
        size = _image_size(name)
    else:
        with open(name, "rb") as stream:
            size = _image_size(stream)
    if size is None:
        raise OSError(f"cannot identify image file {name!r}")
    height, width, channels = size
    channels = {"L": 1, "F": 1, "I": 1, "RGB": 3, "RGBA": 4, "CMYK": 4}.get(mode or "", channels)
    if flatten:
        return np.zeros((height, width), np.float32)
    return np.zeros((height, width) if channels == 1 else (height, width, channels), np.uint8)


def imresize(arr: Any, size: Any, interp: str = "bilinear", mode: Optional[str] = None) -> Any:
    """scipy.misc.imresize of SciPy < 1.3: zeros of the new shape; `size` a percentage (int), a
    fraction (float) or (height, width).

    Raises: ValueError when `arr` is not an image, in SciPy's words.
    """
    import numpy as np

    if is_unmodelled(arr):
        return arr
    shape = np.shape(arr)
    if len(shape) not in (2, 3) or (len(shape) == 3 and not {3, 4} & set(shape)):
        raise ValueError("'arr' does not have a suitable array shape for any mode.")
    if isinstance(size, (int, np.integer)):
        height, width = int(shape[0] * size / 100.0), int(shape[1] * size / 100.0)
    elif isinstance(size, (float, np.floating)):
        height, width = int(shape[0] * size), int(shape[1] * size)
    else:
        height, width = int(size[0]), int(size[1])
    return np.zeros((height, width, *shape[2:]), np.uint8)


def imsave(name: object, arr: Any, format: Optional[str] = None) -> None:
    """scipy.misc.imsave of SciPy < 1.2: checks the array's shape, writes nothing."""
    import numpy as np

    if not is_unmodelled(arr) and np.ndim(arr) not in (2, 3):
        raise ValueError("'arr' does not have a suitable array shape for any mode.")


def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> Any:
    """scipy.misc.imrotate of SciPy < 1.2: the shape stays."""
    import numpy as np

    return arr if is_unmodelled(arr) else np.zeros(np.shape(arr), np.uint8)


def _complete_scipy_misc(module: ModuleType, by: Patcher) -> None:
    for function in (imread, imresize, imsave, imrotate):
        if not hasattr(module, function.__name__):
            by.set(module, function.__name__, function)


def _make_scipy_misc(name: str, by: Patcher) -> Optional[ModuleSpec]:
    """scipy.misc where SciPy has dropped it altogether; without SciPy there is nothing to add to."""
    try:
        if is_unmodelled(import_module("scipy")):
            return None
    except ImportError:
        return None
    return ModuleSpec(name, Loader(fill=lambda module: _complete_scipy_misc(module, by)))


# --- six --------------------------------------------------------------------------------------
def _make_six(name: str, by: Patcher) -> Optional[ModuleSpec]:
    def fill(module: ModuleType) -> None:
        from shapeflow.tensorflow.compat import six_package

        six_package.fill(module, by)

    spec = ModuleSpec(name, Loader(fill=fill), is_package=True)
    spec.submodule_search_locations = []
    return spec
