"""Images as arrays that are not known, read and changed by OpenCV, scipy and scikit-image: of what shape they
are, where the program says it. `cv2.resize(cv2.imread(f), (64, 32))` has the shape (32, 64, 3).

Sources: the documentation of cv2.imread, cv2.resize, cv2.cvtColor, skimage.transform.resize, scipy.misc.
"""
from __future__ import annotations

import sys

from shapeflow.api.unknown_package import Unknown
from shapeflow.api.unknown_shapes import of_dims, of_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, Optional, Tuple

    from shapeflow.api.unknown_shapes import Shape

    Arguments = Dict[str, object]

_COLORS, _GRAY = (None, None, 3), (None, None)


def _size(value: object) -> Shape:
    """Of numbers that the program gives, None for one that is not known."""
    return of_dims(value) if isinstance(value, (tuple, list)) else None


def _name(value: object) -> str:
    """Of a constant of a module that is not installed: "COLOR_BGR2GRAY"."""
    return value._sf_name.rpartition(".")[2] if isinstance(value, Unknown) else ""


# --- OpenCV ---------------------------------------------------------------------------------------
def _cv2_imread(given: Arguments) -> Shape:
    flags = given.get("flags", 1)
    if _name(flags) == "IMREAD_COLOR" or type(flags) is int and flags == 1:
        return _COLORS
    return _GRAY if _name(flags) == "IMREAD_GRAYSCALE" or type(flags) is int and flags == 0 else None


def _with_size(shape: Shape, size: object) -> Shape:
    """Of an image of a (width, height); OpenCV leaves out an axis of one channel."""
    numbers = _size(size)
    if numbers is None or len(numbers) != 2 or shape is None or len(shape) not in (2, 3) or \
            len(shape) == 3 and shape[2] is None:
        return None
    return (numbers[1], numbers[0], *(channels for channels in shape[2:] if channels != 1))


def _cv2_resize(given: Arguments) -> Shape:
    return _with_size(of_value(given.get("src")), given.get("dsize"))


_CHANNELS = {"GRAY": 0, "BGRA": 4, "RGBA": 4,
             **dict.fromkeys(("BGR", "RGB", "HSV", "HLS", "LAB", "Lab", "YCrCb", "YCR_CB", "YUV", "XYZ"), 3)}


def _conversion(code: object) -> str:
    """The name of one of OpenCV's conversions of colors: "COLOR_BGR2GRAY"."""
    if isinstance(code, Unknown):
        return _name(code)
    names = vars(sys.modules["cv2"]) if "cv2" in sys.modules else {}
    return next((name for name, value in names.items() if name.startswith("COLOR_") and value == code), "")


def _cv2_convert(given: Arguments) -> Shape:
    channels = _CHANNELS.get(_conversion(given.get("code")).rpartition("2")[2])
    size = (of_value(given.get("src")) or _GRAY)[:2]
    if channels is None or len(size) != 2:
        return None
    return size if not channels else (*size, channels)


def _same(given: Arguments) -> Shape:
    return of_value(given.get("src"))


def _first_two(given: Arguments) -> Shape:
    shape = of_value(given.get("src"))
    return None if shape is None else shape[:2]


# --- scipy and scikit-image -----------------------------------------------------------------------
def _scipy_imread(given: Arguments) -> Shape:
    if given.get("flatten") is True or given.get("mode") in ("L", "F"):
        return _GRAY
    return _COLORS if given.get("mode") == "RGB" else None


def _rows_and_columns(given: Arguments) -> Shape:
    """Of an image of (rows, columns[, channels])."""
    numbers, shape = _size(given.get("size")), of_value(given.get("src"))
    if numbers is None or len(numbers) < 2:
        return None
    if len(numbers) > 2:
        return numbers
    return None if shape is None else (*numbers, *shape[2:])


def _scipy_imresize(given: Arguments) -> Shape:
    """The third of three numbers is passed over."""
    numbers = _size(given.get("size"))
    return _rows_and_columns({**given, "size": None if numbers is None else numbers[:2]})


# By name: the function's parameters, what shape it makes, and its dtype ("": that of `src`).
_SOURCE = ("src",)
FUNCTIONS: Dict[str, Tuple[Tuple[str, ...], Callable[[Arguments], Shape], Optional[str]]] = {
    "cv2.imread": (("filename", "flags"), _cv2_imread, "uint8"),
    "cv2.resize": (("src", "dsize"), _cv2_resize, ""),
    "cv2.warpAffine": (("src", "M", "dsize"), _cv2_resize, ""),
    "cv2.warpPerspective": (("src", "M", "dsize"), _cv2_resize, ""),
    "cv2.cvtColor": (("src", "code"), _cv2_convert, ""),
    "cv2.Canny": (_SOURCE, _first_two, "uint8"),
    **{"cv2." + name: (_SOURCE, _same, "") for name in (
        "GaussianBlur", "blur", "medianBlur", "bilateralFilter", "erode", "dilate", "equalizeHist", "flip",
        "addWeighted", "convertScaleAbs", "fastNlMeansDenoising")},
    "scipy.misc.imread": (("name", "flatten", "mode"), _scipy_imread, None),
    "scipy.misc.imresize": (("src", "size"), _scipy_imresize, "uint8"),
    "skimage.transform.resize": (("src", "size"), _rows_and_columns, None),
    "skimage.color.rgb2gray": (_SOURCE, _first_two, None),
}
_SYNONYMS = {"image": "src", "output_shape": "size", "arr": "src", "img": "src", "rgb": "src"}


def facts(name: str, args: Tuple[object, ...], kwargs: Dict[str, object]) -> Tuple[Shape, Optional[str]]:
    """Shape and dtype of what a function makes of something unknown; both None: nobody knows."""
    found = FUNCTIONS.get(name)
    if found is None:
        return None, None
    parameters, shape_of, dtype = found
    given = dict(zip(parameters, args))
    given.update((_SYNONYMS.get(key, key), value) for key, value in kwargs.items())
    source = given.get("src")
    if dtype == "":
        dtype = getattr(source, "_sf_dtype", None) if isinstance(source, Unknown) else \
            str(getattr(source, "dtype", "")) or None
    return shape_of(given), dtype
