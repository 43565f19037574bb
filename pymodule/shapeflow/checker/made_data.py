"""What a reader gives in the place of data that are not there: of the declared kind, or unknown."""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Tuple


def unknown(kind: str, name: str, path: Any, options: Dict[str, Any]) -> Any:
    """Of content that nobody knows."""
    from shapeflow.api import unknown_images, unknown_package, unknown_text

    text = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else str(path)
    dotted = "%s(%s)" % (name, os.path.basename(str.__str__(text)) or text)
    if kind == "file":
        mode = options.get("mode", "rb" if name in ("gzip.open", "bz2.open", "lzma.open") else "r")
        return unknown_text.opened(text, mode)
    if kind == "image":
        return unknown_images.UnknownImage(dotted)
    if kind == "address":
        return unknown_text.UnknownResponse(dotted)
    if name in ("zipfile.ZipFile", "tarfile.open"):
        return unknown_text.UnknownArchive(dotted)
    if kind == "table" and not name.endswith(("pickle", "json", "hdf", "html")):
        from shapeflow.api import unknown_tables

        return unknown_tables.read(dotted, options)
    return unknown_package.Unknown(dotted)


def declared(kind: str, known: Dict[str, object], args: Tuple[object, ...], kwargs: Dict[str, object],
             name: str) -> Any:
    """As [tool.shapeflow.data] has it, for a reader that gives `kind`. Numbers are zeros."""
    if kind == "file":
        mode = kwargs.get("mode", args[1] if len(args) > 1 else "r")
        return _file(known, mode if isinstance(mode, str) else "r")
    if kind == "image":
        return _image(known)
    if kind == "table":
        return _table(known, kwargs)
    if kind == "thing" and "arrays" not in known and "shape" in known and name.startswith("scipy.io.wavfile"):
        return 16000, _array(known)
    made = _array(known)
    if kind == "array" and kwargs.get("unpack"):
        made = made.T
    return made


def _array(known: Dict[str, Any]) -> Any:
    import numpy

    if "arrays" in known:
        return Archive({name: _array(item) for name, item in known["arrays"].items()})
    if "shape" in known:
        return numpy.zeros(known["shape"], known.get("dtype", "float32"))
    if "columns" in known:
        return numpy.zeros((known.get("rows", 1000), len(known["columns"])))
    return numpy.zeros(known.get("lines", 1000))


def _image(known: Dict[str, Any]) -> object:
    from PIL import Image

    height, width, *channels = known.get("shape") or [224, 224, 3]
    mode = {1: "L", 3: "RGB", 4: "RGBA"}.get(channels[0] if channels else 1, "RGB")
    return Image.new(mode, (width, height))


def _dtypes(columns: Any) -> Dict[str, str]:
    return dict(columns) if isinstance(columns, dict) else {name: "float64" for name in columns}


def _table(known: Dict[str, Any], kwargs: Dict[str, object]) -> object:
    import numpy
    import pandas

    if "columns" not in known:
        made = _array(known)
        return pandas.DataFrame(made, columns=kwargs.get("names") or [str(i) for i in range(made.shape[-1])])
    rows = known.get("rows", 1000)
    columns = {}
    for name, dtype in _dtypes(known["columns"]).items():
        is_text = dtype in ("str", "object")
        columns[name] = numpy.full(rows, "a", object) if is_text else numpy.zeros(rows, dtype)
    return pandas.DataFrame(columns)


def _file(known: Dict[str, Any], mode: str) -> object:
    import io

    if "columns" in known:
        dtypes = _dtypes(known["columns"])
        row = ",".join("a" if dtype in ("str", "object") else "0" for dtype in dtypes.values()) + "\n"
        text = ",".join(dtypes) + "\n" + row * known.get("rows", 1000)
    elif "lines" in known:
        text = (known.get("text", "a b c") + "\n") * known["lines"]
    else:
        size = 1
        for dim in known.get("shape", ()):
            size *= dim
        text = "\0" * size
    return io.BytesIO(text.encode()) if "b" in mode else io.StringIO(text)


def catalogued(name: str, args: Tuple[object, ...], kwargs: Dict[str, object]) -> object:
    """A data set that everybody knows; None: it is none."""
    if not name.startswith("sklearn."):
        return None
    from sklearn.utils import Bunch

    from shapeflow.api import known_data

    return known_data.sklearn(name.rpartition(".")[2], args, kwargs, Bunch)


class Archive(dict):  # type: ignore[type-arg]
    """What np.load gives for an .npz, and h5py and scipy for their files: a mapping that is also a context
    manager with `files` and `f`."""

    @property
    def files(self) -> Any:
        return list(self)

    @property
    def f(self) -> Archive:
        return self

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def close(self) -> None:
        pass
