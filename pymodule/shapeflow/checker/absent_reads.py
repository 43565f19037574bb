"""What a reader gives that has failed, as its data are not there, or are of unknown content."""
from __future__ import annotations

import os
import sys

import shapeflow.checker.made_data as made_data
from shapeflow.api.loaded_modules import loaded
from shapeflow.checker.data_paths import is_ours
from shapeflow.checker.read_arguments import given, is_writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Dict, Optional, Tuple

    from shapeflow.checker.data_files import DataFiles


def of_stream(kind: str, name: str, stream: Any) -> Optional[Tuple[object]]:
    """What a reader makes of an open file of which the content is not known; None: it is another file."""
    unknown = loaded("shapeflow.api.unknown_text")
    if unknown is None or not isinstance(stream, unknown.KINDS) and not (
            type(stream).__name__ == "BytesIO" and unknown.is_sample(stream.getvalue()[:64])):
        return None
    if kind == "rows":
        return (unknown.rows(stream),) if hasattr(stream, "__next__") else None
    return (made_data.unknown(kind, name, getattr(stream, "name", "unknown"), {}),)


def instead(kind: str, data: DataFiles, name: str, args: Tuple[object, ...],
            kwargs: Dict[str, object]) -> Optional[Tuple[object]]:
    """What a reader that has failed gives; None: its failure."""
    if not data.on or kind == "file" and is_writing(args, kwargs):
        return None
    path = name if name.startswith("sklearn.") else given(args, kwargs)
    declared = data.declared(path) if path is not None else None
    if declared is not None:
        return (made_data.declared(kind, declared, args, kwargs, name),)
    if kind == "address" and isinstance(path, str) and name.endswith((".post", ".request")):
        path = next((item for item in (*args, kwargs.get("url")) if "://" in str(item)), path)
    if not isinstance(path, (str, bytes, os.PathLike)) or not name.startswith("sklearn.") and \
            not data.may_stand_in(path):
        return None
    known = made_data.catalogued(name, args, kwargs)
    if known is None:
        data.note(path)
    if kind == "fetch":
        target = args[1] if len(args) > 1 else kwargs.get("filename", kwargs.get("out"))
        target = target or os.path.basename(os.fsdecode(path))
        data.download(target)
        headers = made_data.unknown("thing", name, path, kwargs)
        return (target if name == "wget.download" else (target, headers),)
    if known is not None:
        return (known,)
    made = made_data.unknown(kind, name, path, kwargs)
    if kind == "pixels":
        from shapeflow.api import unknown_pixels

        made._shaped(*unknown_pixels.facts(name, args, kwargs))
    elif name in ("numpy.memmap", "numpy.fromfile"):
        from shapeflow.api import unknown_array_files

        made._shaped(*unknown_array_files.facts(name, args, kwargs))
    elif name in ("librosa.load", "librosa.core.audio.load"):
        from shapeflow.api import unknown_sounds

        return (unknown_sounds.load(*args, **kwargs),)
    return (made,)


def constructed(data: DataFiles, gives: str, name: str, args: Tuple[object, ...],
                kwargs: Dict[str, object]) -> Optional[Tuple[object]]:
    """What stands for an object of a class that reads when it is made; None: it is made."""
    stream = kwargs.get("fileobj", args[3] if len(args) > 3 else None)
    if stream is not None and data.on:
        found = of_stream("file", "gzip.open", stream)
        inner = getattr(stream, "name", None)
        if found is None and isinstance(inner, str) and (
                data.has_unknown_content(inner) or data.appears(inner) is not None):
            found = (made_data.unknown("file", "gzip.open", inner, {}),)
        elif found is None and isinstance(inner, str) and _opens_late(stream) and data.is_absent(inner):
            found = instead(gives, data, name, (inner,), {})
        if found is not None:
            return found
    path = given(args, kwargs)
    if isinstance(path, (str, os.PathLike)) and not is_writing(args, kwargs, name) and data.on and \
            data.is_absent(path):
        return instead(gives, data, name, args, kwargs)
    return None


def _opens_late(stream: object) -> bool:
    """Is it a file of tf.gfile to be read, which is opened when somebody reads, maybe a library?"""
    mode = str(getattr(stream, "mode", ""))
    return type(stream).__module__.endswith(".platform.gfile") and mode.startswith("r")


def opened(data: DataFiles, file: object, mode: object) -> Optional[Tuple[object]]:
    """What `open` gives; None: its failure. Of a library that opens it, and of codecs, which makes text of
    it, the caller gets the stand-in."""
    if isinstance(file, int) or not isinstance(mode, str) or any(letter in mode for letter in "wax+") or \
            not data.on or _is_for_text(sys._getframe(1)) or not data.is_asked_by_script():
        return None
    found = data.declared(file)
    if found is not None:
        return (made_data.declared("file", found, (file, mode), {}, "open"),)
    if not data.may_stand_in(file):
        return None
    data.note(file)
    return (made_data.unknown("file", "open", file, {"mode": mode}),)


def _is_for_text(frame: Optional[FrameType]) -> bool:
    """Is it codecs that opens a file of bytes?"""
    while frame is not None and is_ours(frame):
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") == "codecs"
