"""Files of records (tf.io.TFRecordWriter and its like).

Source: tensorflow/python/lib/io/{tf_record,python_io}.py.
"""
from __future__ import annotations

import os

from shapeflow.api import outside
from shapeflow.api.registry import put
from shapeflow.tensorflow.python.framework import errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional

_KEPT = 64  # records of a written file whose bytes are kept


class Written:
    """The records that this program wrote to a file."""

    def __init__(self) -> None:
        self.count = 0
        self.first: List[bytes] = []


written: Dict[str, Written] = {}


def written_to(path: Any) -> Optional[Written]:
    return written.get(os.path.abspath(os.fsdecode(path)))


class TFRecordWriter:
    """tf.python_io.TFRecordWriter: keeps what it is given for this program's readers. In a sandbox a file is
    written as well, whose checksums are zeros."""

    def __init__(self, path: Any, options: Any = None) -> None:
        self.path = path
        self._written = written[os.path.abspath(os.fsdecode(path))] = Written()
        self._stream: Any = None
        if outside.sandbox.holds:
            try:
                self._stream = open(path, "wb")
            except OSError:
                raise errors.NotFoundError(None, None, "%s; No such file or directory" % os.fsdecode(path))

    def write(self, record: Any) -> None:
        self._written.count += 1
        if len(self._written.first) < _KEPT and isinstance(record, bytes):
            self._written.first.append(record)
        if self._stream is not None and isinstance(record, bytes):
            self._stream.write(len(record).to_bytes(8, "little") + bytes(4) + record + bytes(4))

    def flush(self) -> None:
        if self._stream is not None:
            self._stream.flush()

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()

    def __enter__(self) -> "TFRecordWriter":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


put(TFRecordWriter, "tf.python_io.TFRecordWriter", "tf.io.TFRecordWriter", v2=True)


class TFRecordOptions:
    """Compression options of record files."""

    def __init__(self, compression_type: Any = None, **options: Any) -> None:
        self.compression_type = compression_type
        vars(self).update(options)


class TFRecordCompressionType:
    NONE, ZLIB, GZIP = 0, 1, 2


put(TFRecordOptions, "tf.python_io.TFRecordOptions", "tf.io.TFRecordOptions", v2=True)
put(TFRecordCompressionType, "tf.python_io.TFRecordCompressionType")


def tf_record_iterator(path: Any, options: object = None) -> Any:
    """Records of a file: read for real when it exists (length-delimited, checksums ignored)."""
    import struct

    mine = written_to(path)
    if mine is not None:
        for i in range(mine.count):
            yield mine.first[i] if i < len(mine.first) else b""
        return
    if outside.stands_in(path):
        from shapeflow.api.unknown_text import UnknownBytes

        yield from (UnknownBytes(b"\1"), UnknownBytes(b"\1"))
        return
    with open(path, "rb") as f:
        while True:
            head = f.read(12)
            if len(head) < 12:
                return
            size, _ = struct.unpack("<QI", head)
            yield f.read(size)
            f.read(4)


put(tf_record_iterator, "tf.python_io.tf_record_iterator", "tf.io.tf_record_iterator")
