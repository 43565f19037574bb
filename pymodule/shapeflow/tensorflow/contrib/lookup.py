"""tf.contrib.lookup: tables of files and tensors, under their first names.

Source: tensorflow/contrib/lookup/lookup_ops.py, tensorflow/python/ops/lookup_ops.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.ops import lookup_ops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


class _Named(lookup_ops._Table):
    """A table of which only the dtypes matter."""


@export("tf.contrib.lookup.HashTable")
class HashTable(lookup_ops.StaticHashTable):
    def __init__(self, initializer: Any, default_value: Any, shared_name: Any = None,
                 name: Optional[str] = None) -> None:
        super().__init__(initializer, default_value, name)


def _to_index(dtype: object, name: Optional[str]) -> _Named:
    return _Named(dtype, "int64", name or "string_to_index")


@export("tf.contrib.lookup.index_table_from_file", "tf.contrib.lookup.string_to_index_table_from_file")
def index_table_from_file(vocabulary_file: object = None, num_oov_buckets: int = 0, vocab_size: object = None,
                          default_value: object = -1, hasher_spec: object = None,
                          key_dtype: object = "string", name: Optional[str] = None,
                          key_column_index: object = None, value_column_index: object = None,
                          delimiter: str = "\t") -> _Named:
    if vocabulary_file is None or vocabulary_file == "":
        raise ValueError("vocabulary_file must be specified and must not be empty.")
    return _to_index(key_dtype, name)


@export("tf.contrib.lookup.index_table_from_tensor", "tf.contrib.lookup.string_to_index_table_from_tensor")
def index_table_from_tensor(mapping: object, num_oov_buckets: int = 0, default_value: object = -1,
                            hasher_spec: object = None, dtype: object = "string",
                            name: Optional[str] = None) -> _Named:
    if mapping is None:
        raise ValueError("mapping must be specified.")
    keys = framework_lib.convert_to_tensor(mapping)
    return _to_index("int64" if keys.dtype.is_integer else dtype, name)


@export("tf.contrib.lookup.index_to_string_table_from_file")
def index_to_string_table_from_file(vocabulary_file: object, vocab_size: object = None,
                                    default_value: object = "UNK", name: Optional[str] = None,
                                    key_column_index: object = None, value_column_index: object = None,
                                    delimiter: str = "\t") -> _Named:
    return _Named("int64", "string", name or "index_to_string")


@export("tf.contrib.lookup.index_to_string_table_from_tensor")
def index_to_string_table_from_tensor(mapping: object, default_value: object = "UNK",
                                      name: Optional[str] = None) -> _Named:
    framework_lib.convert_to_tensor(mapping)
    return _Named("int64", "string", name or "index_to_string")


@export("tf.contrib.lookup.MutableHashTable")
class MutableHashTable(lookup_ops.MutableHashTable):
    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, shared_name: Any = None,
                 name: str = "MutableHashTable", checkpoint: bool = True) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name, checkpoint)


put(lookup_ops.KeyValueTensorInitializer, "tf.contrib.lookup.KeyValueTensorInitializer")
put(lookup_ops.TextFileInitializer, "tf.contrib.lookup.TextFileInitializer")
put(lookup_ops.TextFileIndex, "tf.contrib.lookup.TextFileIndex")


@export("tf.contrib.lookup.string_to_index")
def string_to_index(tensor: object, mapping: object, default_value: object = -1,
                    name: Optional[str] = None) -> Any:
    return index_table_from_tensor(mapping).lookup(tensor)


@export("tf.contrib.lookup.index_to_string")
def index_to_string(tensor: object, mapping: object, default_value: object = "UNK",
                    name: Optional[str] = None) -> Any:
    return index_to_string_table_from_tensor(mapping).lookup(tensor)


@export("tf.contrib.lookup.IdTableWithHashBuckets")
class IdTableWithHashBuckets(lookup_ops._Table):
    def __init__(self, table: Any, num_oov_buckets: int, hasher_spec: Any = None, name: Any = None,
                 key_dtype: Any = None) -> None:
        known = key_dtype or (table.key_dtype if table is not None else "string")
        super().__init__(_core.as_dtype(known), "int64", name)
