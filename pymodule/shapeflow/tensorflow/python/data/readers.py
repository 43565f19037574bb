"""Datasets of files: the files are really looked at, for how many records they hold.

Records of TFRecord files are counted by their length headers and never read; lines of small text
files are given exactly. Source: tensorflow/python/data/ops/readers.py, core/lib/io/record_reader.cc.
"""
from __future__ import annotations

import gzip
import os
import struct
import zlib

from shapeflow import _core
from shapeflow.api import outside
from shapeflow.api.registry import put
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.data.dataset_ops import UNKNOWN, DatasetV1, DatasetV2
from shapeflow.tensorflow.python.data.element_runs import ASSUMED, DISTINCT, Run, component
from shapeflow.tensorflow.python.data.file_names import names_of
from shapeflow.tensorflow.python.data.structure import Leaf, Structure
from shapeflow.tensorflow.python.data.traced_function import Env
from shapeflow.tensorflow.python.framework import errors, framework_lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, Callable, Iterator, List, Optional, Tuple

_SMALL = 1 << 20  # bytes of a text file whose lines are given exactly


def _opened(name: str, compression: str) -> BinaryIO:
    try:
        if os.path.isdir(name):
            raise errors.FailedPreconditionError(None, None, "%s; Is a directory" % name)
        if compression == "GZIP":
            return gzip.open(name, "rb")  # type: ignore[return-value]
        return open(name, "rb")
    except OSError as e:
        kind = errors.NotFoundError if isinstance(e, FileNotFoundError) else \
            errors.PermissionDeniedError
        raise kind(None, None, "%s; %s" % (name, os.strerror(e.errno or 2))) from None


def count_records(name: str, compression: str = "") -> int:
    """Records of a TFRecord file, by their length headers; of one that nobody knows some."""
    from shapeflow.tensorflow.python.lib.tf_record import written_to

    mine = written_to(name)
    if mine is not None:
        return mine.count
    if outside.stands_in(name):
        return ASSUMED
    with _opened(name, compression) as file:
        if compression == "ZLIB":
            import io

            file = io.BytesIO(zlib.decompress(file.read()))
        count = 0
        size = os.path.getsize(name) if not compression else None
        at = 0
        while True:
            header = file.read(12)
            if not header:
                return count
            if len(header) < 12:
                raise errors.DataLossError(None, None, "truncated record at %d" % at)
            length = struct.unpack("<Q", header[:8])[0]
            at += 16 + length
            if size is not None and at > size:
                raise errors.DataLossError(None, None, "truncated record at %d" % (at - 16 - length))
            file.seek(length + 4, 1)
            count += 1


def count_fixed(name: str, record: int, head: int, foot: int) -> int:
    with _opened(name, "") as file:
        return max(0, file.seek(0, 2) - head - foot) // record


def count_lines(name: str, compression: str = "") -> int:
    with _opened(name, compression) as file:
        count, last = 0, b"\n"
        while True:
            block = file.read(1 << 20)
            if not block:
                return count + (last != b"\n")
            count += block.count(b"\n")
            last = block[-1:]


def _line_runs(name: str, compression: str) -> Iterator[Run]:
    if outside.stands_in(name):
        yield (component("string", []),), ASSUMED
        return
    with _opened(name, compression) as file:
        data = file.read(_SMALL + 1)
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    if len(data) > _SMALL or len(lines) > DISTINCT:
        yield (component("string", []),), count_lines(name, compression)
        return
    for line in lines:
        yield (component("string", [], line.rstrip(b"\r")),), 1


def _record_runs(name: str, compression: str) -> Iterator[Run]:
    yield (component("string", []),), count_records(name, compression)


def records(filenames: object, compression: Any, one: Callable[[str, str], Iterator[Run]],
            unknown: Callable[[], Any] = lambda: (component("string", []),)) -> Any:
    """What a dataset's runs are, where `one` gives those of one file, by its name and compression."""
    def runs(env: Env) -> Iterator[Run]:
        if isinstance(filenames, DatasetV2) and not is_unmodelled(filenames):
            for element, n in filenames._runs(env):
                for _ in range(1 if n is None else n):
                    yield from read(names_of(env, element[0]))
            return
        yield from read(names_of(env, filenames))

    def read(names: Optional[List[str]]) -> Iterator[Run]:
        if names is None:
            yield unknown(), ASSUMED
            return
        for name in names:
            for element, n in one(name, compression or ""):
                if n != 0:
                    yield element, n

    return runs


def _check_names(filenames: object) -> Any:
    if isinstance(filenames, (DatasetV2, list, tuple)) and not is_unmodelled(filenames):
        if isinstance(filenames, DatasetV2) or not filenames or not all(
                isinstance(f, (str, bytes)) for f in filenames):
            return filenames
    tensor = framework_lib.convert_to_tensor(filenames, _core.as_dtype("string"), "filenames")
    return filenames if not isinstance(filenames, _core.Tensor) else tensor


_STRINGS = Structure(0, [Leaf("string", [])])


class _TFRecord:
    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None,
                 num_parallel_reads: Any = None, name: Any = None) -> None:
        filenames = _check_names(filenames)
        self._set(_STRINGS, records(filenames, compression_type, _record_runs),  # type: ignore
                  UNKNOWN)


class _TextLine:
    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None,
                 num_parallel_reads: Any = None, name: Any = None) -> None:
        filenames = _check_names(filenames)
        self._set(_STRINGS, records(filenames, compression_type, _line_runs),  # type: ignore
                  UNKNOWN)


class _FixedLength:
    def __init__(self, filenames: Any, record_bytes: Any, header_bytes: Any = None,
                 footer_bytes: Any = None, buffer_size: Any = None, compression_type: Any = None,
                 num_parallel_reads: Any = None, name: Any = None) -> None:
        filenames = _check_names(filenames)

        def one(file_name: str, compression: str) -> Iterator[Run]:
            if outside.stands_in(file_name):
                yield (component("string", []),), ASSUMED
                return
            with _opened(file_name, compression) as file:
                size = file.seek(0, 2) if not compression else len(file.read())
            env = Env()
            record = env.integer(record_bytes) or 1
            head, foot = env.integer(header_bytes) or 0, env.integer(footer_bytes) or 0
            body = size - head - foot
            if body % record:
                raise errors.InvalidArgumentError(
                    None, None, "Excluding the header (%d bytes) and footer (%d bytes), input file "
                    "\"%s\" has body length %d bytes, which is not an exact multiple of the record "
                    "length (%d bytes)." % (head, foot, file_name, body, record))
            yield (component("string", []),), body // record

        self._set(_STRINGS, records(filenames, compression_type, one), UNKNOWN)  # type: ignore


def _define(name: str, base: type) -> Tuple[type, type]:
    """The dataset of TensorFlow 1, and that of TensorFlow 2."""
    v2 = type(name, (base, DatasetV2), {"__doc__": "tf.data." + name})
    v1 = type(name, (base, DatasetV1), {"__doc__": "tf.data." + name})
    put(v1, "tf.data." + name, "tf.contrib.data." + name)
    put(v2, "tf.data." + name, v1=False, v2=True)
    return v1, v2


TF_RECORD_DATASETS = _define("TFRecordDataset", _TFRecord)
_define("TextLineDataset", _TextLine)
_define("FixedLengthRecordDataset", _FixedLength)
