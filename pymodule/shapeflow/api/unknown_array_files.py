"""Arrays of numbers in files that are not there and that say nothing of themselves: what the program says of
their shape and dtype. `np.memmap("train.bin", dtype=np.uint16, mode="r")` is a vector of uint16.

Source: the documentation of numpy.memmap and numpy.fromfile.
"""
from __future__ import annotations

from shapeflow.api.unknown_package import _dtype_name
from shapeflow.api.unknown_shapes import of_dims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Optional, Tuple

    from shapeflow.api.unknown_shapes import Shape

_PARAMETERS = {"numpy.memmap": ("filename", "dtype", "mode", "offset", "shape"),
               "numpy.fromfile": ("file", "dtype", "count")}


def facts(name: str, args: Tuple[object, ...], kwargs: Dict[str, object]) -> Tuple[Shape, Optional[str]]:
    """Shape and dtype; None: nobody knows. Without a size it is all that there is, in one row."""
    said = {**dict(zip(_PARAMETERS[name], args)), **kwargs}
    is_map = name == "numpy.memmap"
    sizes = said.get("shape" if is_map else "count")
    dtype = said.get("dtype", "uint8" if is_map else "float64")
    if isinstance(dtype, list) or getattr(dtype, "subdtype", None) is not None:
        return None, None  # records, or rows
    if sizes is None:
        sizes = (-1,)
    return of_dims(sizes if isinstance(sizes, (tuple, list)) else [sizes]), _dtype_name(dtype)
