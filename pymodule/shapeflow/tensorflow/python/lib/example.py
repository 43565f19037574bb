"""tf.train.Example and its parts, and files of them, of which nothing reaches the disk.

Source: tensorflow/core/example/{example,feature}.proto.
"""
import os
from typing import Any, Dict, List, Optional

from shapeflow.api.registry import put
from shapeflow.tensorflow.python.framework.config_protos import Message


class _List(Message):
    """BytesList, FloatList, Int64List: `value` is a list."""

    def __init__(self, value: Any = ()) -> None:
        super().__init__()
        if isinstance(value, (str, bytes)):
            value = [value]
        self.value = list(value)


class BytesList(_List):
    pass


class FloatList(_List):
    pass


class Int64List(_List):
    pass


class Feature(Message):
    _DEFAULTS = {"bytes_list": BytesList, "float_list": FloatList, "int64_list": Int64List}


class _Map(dict[str, Any]):
    def __missing__(self, key: Any) -> Any:
        self[key] = Feature()
        return self[key]


class Features(Message):
    def __init__(self, feature: Any = None) -> None:
        super().__init__()
        self.feature = _Map(feature or {})


class FeatureList(Message):
    def __init__(self, feature: Any = ()) -> None:
        super().__init__()
        self.feature = list(feature)


class FeatureLists(Message):
    def __init__(self, feature_list: Any = None) -> None:
        super().__init__()
        self.feature_list = _Map(feature_list or {})


class _Record(Message):
    """What is a record by itself: bytes and back."""

    def SerializeToString(self, *args: Any, **kwargs: Any) -> bytes:
        from shapeflow.tensorflow.python.lib import example_wire

        return example_wire.encode(self)

    def ParseFromString(self, data: bytes) -> int:
        from shapeflow.tensorflow.python.lib import example_wire

        try:
            example_wire.decode(self, data)
        except (ValueError, IndexError, KeyError, AttributeError, TypeError):
            pass  # a record whose content is not known: it has the features that are asked for
        return len(data)

    MergeFromString = ParseFromString

    @classmethod
    def FromString(cls, data: bytes) -> Any:
        made = cls()
        made.ParseFromString(data)
        return made


class Example(_Record):
    _DEFAULTS = {"features": Features}


class SequenceExample(_Record):
    _DEFAULTS = {"context": Features, "feature_lists": FeatureLists}


for _cls in (BytesList, FloatList, Int64List, Feature, Features, FeatureList, FeatureLists, Example,
             SequenceExample):
    put(_cls, "tf.train." + _cls.__name__, v2=True)


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
    """tf.python_io.TFRecordWriter: keeps what it is given for this program's readers; writes nothing."""

    def __init__(self, path: Any, options: Any = None) -> None:
        self.path = path
        self._written = written[os.path.abspath(os.fsdecode(path))] = Written()

    def write(self, record: Any) -> None:
        self._written.count += 1
        if len(self._written.first) < _KEPT and isinstance(record, bytes):
            self._written.first.append(record)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def __enter__(self) -> "TFRecordWriter":
        return self

    def __exit__(self, *exc: Any) -> None:
        pass


put(TFRecordWriter, "tf.python_io.TFRecordWriter", "tf.io.TFRecordWriter", v2=True)


class TFRecordOptions(Message):
    """Compression options of record files."""

    def __init__(self, compression_type: Any = None, **fields: Any) -> None:
        super().__init__(compression_type=compression_type, **fields)


class TFRecordCompressionType:
    NONE, ZLIB, GZIP = 0, 1, 2


put(TFRecordOptions, "tf.python_io.TFRecordOptions", "tf.io.TFRecordOptions", v2=True)
put(TFRecordCompressionType, "tf.python_io.TFRecordCompressionType")


def tf_record_iterator(path: Any, options: Any = None) -> Any:
    """Records of a file: read for real when it exists (length-delimited, checksums ignored)."""
    import struct

    mine = written_to(path)
    if mine is not None:
        for i in range(mine.count):
            yield mine.first[i] if i < len(mine.first) else b""
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
