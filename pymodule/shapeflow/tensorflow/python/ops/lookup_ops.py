"""tf.lookup: a lookup has the shape of its keys and the dtype of the table's values.

Source: tensorflow/python/ops/lookup_ops.py.
"""
from __future__ import annotations

import collections

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor
from shapeflow.tensorflow.python.trackable.base import Trackable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Union


@export("tf.lookup.KeyValueTensorInitializer", v2=True)
class KeyValueTensorInitializer(Trackable):
    def __init__(self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None,
                 name: Optional[str] = None) -> None:
        self._keys = framework_lib.convert_to_tensor(keys, key_dtype, "keys")
        self._values = framework_lib.convert_to_tensor(values, value_dtype, "values")
        self._keys.get_shape().assert_is_compatible_with(self._values.get_shape())
        self.key_dtype = self._keys.dtype.base_dtype
        self.value_dtype = self._values.dtype.base_dtype


@export("tf.lookup.TextFileInitializer", v2=True)
class TextFileInitializer(Trackable):
    def __init__(self, filename: Any, key_dtype: Any, key_index: Any, value_dtype: Any,
                 value_index: Any, vocab_size: Any = None, delimiter: str = "\t",
                 name: Optional[str] = None, value_index_offset: int = 0) -> None:
        self.key_dtype, self.value_dtype = _core.as_dtype(key_dtype), _core.as_dtype(value_dtype)


@export("tf.data.experimental.DatasetInitializer", v2=True)
class DatasetInitializer(Trackable):
    """Keys and values from a dataset of pairs."""

    def __init__(self, dataset: Any) -> None:
        spec = getattr(dataset, "element_spec", None)
        pair = spec if isinstance(spec, tuple) and len(spec) == 2 else (None, None)
        # Of a dataset that is not modelled nobody knows; strings and counts are the most usual.
        self.key_dtype = _core.as_dtype(getattr(pair[0], "dtype", "string"))
        self.value_dtype = _core.as_dtype(getattr(pair[1], "dtype", "int64"))


HasherSpec = collections.namedtuple("HasherSpec", ["hasher", "key"])
FastHashSpec = HasherSpec("fasthash", None)
_STRING = _core.as_dtype("string")


@export("tf.data.experimental.table_from_dataset", v2=True)
def table_from_dataset(dataset: object = None, num_oov_buckets: int = 0, vocab_size: object = None,
                       default_value: object = None, hasher_spec: object = FastHashSpec,
                       key_dtype: object = _STRING,
                       name: Optional[str] = None) -> Union[StaticHashTable, StaticVocabularyTable]:
    initializer = DatasetInitializer(dataset)
    if num_oov_buckets:
        return StaticVocabularyTable(initializer, num_oov_buckets, key_dtype, name)
    if default_value is None:
        default_value = "" if initializer.value_dtype.name == "string" else -1
    return StaticHashTable(initializer, default_value, name)


@export("tf.data.experimental.index_table_from_dataset", v2=True)
def index_table_from_dataset(dataset: object = None, num_oov_buckets: int = 0, vocab_size: object = None,
                             default_value: object = -1, hasher_spec: object = FastHashSpec,
                             key_dtype: object = _STRING,
                             name: Optional[str] = None) -> Union[StaticHashTable, StaticVocabularyTable]:
    """The keys alone: each is found as its place among them."""
    initializer = DatasetInitializer(None)
    initializer.key_dtype = _core.as_dtype(key_dtype)
    if num_oov_buckets:
        return StaticVocabularyTable(initializer, num_oov_buckets, key_dtype, name)
    return StaticHashTable(initializer, default_value, name)


@export("tf.lookup.TextFileIndex", v2=True)
class TextFileIndex:
    WHOLE_LINE = -2
    LINE_NUMBER = -1


@export("tf.tables_initializer", "tf.initialize_all_tables")
def tables_initializer(name: str = "init_all_tables") -> Any:
    return framework_lib.no_op(name)


def _plain(key: object) -> Any:
    return key.encode() if isinstance(key, str) else key


class _Table(Trackable):
    """What all tables share; `_value`: the shape of one value, `_key_rank`: how many axes a key has."""

    _value: Any = ()
    _key_rank: Optional[int] = 0

    def __init__(self, key_dtype: Any, value_dtype: Any, name: Optional[str]) -> None:
        self._key_dtype, self._value_dtype = _core.as_dtype(key_dtype), _core.as_dtype(value_dtype)
        self._name = name or "table"

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)
    name = property(lambda self: self._name)
    init = initializer = property(lambda self: framework_lib.no_op(self._name + "_init"))

    def __getitem__(self, keys: object) -> Any:
        return self._found(keys, None)

    def _found(self, keys: Any, name: Optional[str]) -> Any:
        if isinstance(keys, framework_lib.SparseTensor):
            return framework_lib.SparseTensor(keys.indices, self._found(keys.values, name), keys.dense_shape)
        if isinstance(keys, RaggedTensor):
            return keys.with_flat_values(self.lookup(keys.flat_values))
        if isinstance(keys, Opaque):  # it may be ragged
            return Opaque("tf.lookup.lookup", keys._sf_inputs)
        dtype = None if isinstance(keys, (_core.Tensor, _core.VariableBase)) else self._key_dtype
        keys = op_builders.as_dtype(framework_lib.convert_to_tensor(keys, dtype, "keys"), self._key_dtype)
        if not self._takes(keys.dtype.base_dtype):
            raise fail("SF202", "Signature mismatch. Keys must be dtype {dtype!r}, got {dtype!r}.",
                       self._key_dtype, keys.dtype.base_dtype, error=TypeError)
        shape = keys.get_shape()
        if self._key_rank != 0:
            known = self._key_rank is not None and shape.ndims is not None and shape.ndims >= self._key_rank
            shape = _core.TensorShape(shape.as_list()[:shape.ndims - self._key_rank] if known else None)
        return op_builders.unknown(self._value_dtype, shape.concatenate(self._value),
                             name or self._name + "_Lookup", [keys], trusted=not _core.is_unmodelled(keys))

    def lookup(self, keys: object, name: Optional[str] = None) -> Any:
        return self._found(keys, name)

    def _takes(self, dtype: Any) -> bool:
        return bool(dtype == self._key_dtype)

    def size(self, name: Optional[str] = None) -> Any:
        """As a number it would be seen as 0: nothing may be reported of what has that many rows."""
        if _core.executing_eagerly():
            return Opaque("tf.lookup.size")
        return op_builders.unknown("int64", [], name or self._name + "_Size", trusted=True)


@export("tf.lookup.StaticHashTable", v2=True)
class StaticHashTable(_Table):
    def __init__(self, initializer: Any, default_value: Any, name: Optional[str] = None,
                 experimental_is_anonymous: bool = False) -> None:
        super().__init__(initializer.key_dtype, initializer.value_dtype, name or "hash_table")
        self._default = framework_lib.convert_to_tensor(default_value, self._value_dtype)
        self._initializer = initializer

    def lookup(self, keys: object, name: Optional[str] = None) -> Any:
        found = self._found(keys, name)
        return self._known(keys, found) if _core.executing_eagerly() else found

    def _known(self, keys: object, found: object) -> Any:
        """With the values, where all is known."""
        if not hasattr(self._initializer, "_keys") or not isinstance(keys, _core.Tensor):
            return found
        asked, default = _core.constant_value(keys), _core.constant_value(self._default)
        known = _core.constant_value(self._initializer._keys)
        values = _core.constant_value(self._initializer._values)
        if asked is None or default is None or known is None or values is None:
            return found
        table = dict(zip(known.ravel().tolist(), values.ravel().tolist()))
        made = [table.get(key, default.item()) for key in asked.ravel().tolist()]
        return tf.reshape(framework_lib.convert_to_tensor(made, self._value_dtype), list(asked.shape))

    def size(self, name: Optional[str] = None) -> Any:
        keys = getattr(self._initializer, "_keys", None)
        count = None if keys is None else keys.get_shape().num_elements()
        return super().size(name) if count is None else framework_lib.convert_to_tensor(count, "int64")

    def export(self, name: Optional[str] = None) -> Any:
        """Keys and values, as many as there are."""
        if hasattr(self._initializer, "_keys"):
            return self._initializer._keys, self._initializer._values
        return (op_builders.unknown(self._key_dtype, [None], None, trusted=True),
                op_builders.unknown(self._value_dtype, [None], None, trusted=True))


@export("tf.lookup.StaticVocabularyTable", v2=True)
class StaticVocabularyTable(_Table):
    def __init__(self, initializer: Any, num_oov_buckets: Any, lookup_key_dtype: Any = None,
                 name: Optional[str] = None, experimental_is_anonymous: bool = False) -> None:
        if num_oov_buckets is not None and not isinstance(num_oov_buckets, _core.Tensor) and \
                num_oov_buckets <= 0:
            raise ValueError("`num_oov_buckets` must be > 0; use StaticHashTable.")
        key = lookup_key_dtype or (initializer.key_dtype if initializer is not None else "string")
        super().__init__(key, "int64", name or "string_to_index")
        self._initializer, self._buckets = initializer, num_oov_buckets

    def _takes(self, dtype: Any) -> bool:
        return bool(dtype == self._key_dtype or dtype.is_integer and self._key_dtype.is_integer)

    def size(self, name: Optional[str] = None) -> Any:
        keys = getattr(self._initializer, "_keys", None)
        count = 0 if self._initializer is None else None if keys is None else keys.get_shape().num_elements()
        if count is None or not isinstance(self._buckets, int):
            return super().size(name)
        return framework_lib.convert_to_tensor(count + self._buckets, "int64")


class _Mutable(_Table):
    """A table that is filled as the program runs; eagerly it holds the keys and values that are known."""

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any,
                 name: Optional[str]) -> None:
        super().__init__(key_dtype, value_dtype, name)
        self._default = framework_lib.convert_to_tensor(default_value, self._value_dtype, "default_value")
        self._value = self._default.get_shape()
        self._content: Optional[Dict[Any, Any]] = {} if _core.executing_eagerly() else None
        self._exported: Any = None  # the keys of an export after which nothing was inserted

    # The parameters are TensorFlow's.
    def lookup(self, keys: object, dynamic_default_values: object = None,  # type: ignore[override]
               name: Optional[str] = None) -> Any:
        found = self._found(keys, name)
        asked, default = self._known_rows(keys), _core.constant_value(self._default)
        if self._content is None or asked is None or default is None or \
                dynamic_default_values is not None or not isinstance(found, _core.Tensor):
            return found
        made = [self._content.get(key, default.tolist()) for key in asked]
        dims = [*framework_lib.convert_to_tensor(keys).get_shape().as_list(), *default.shape]
        return tf.reshape(framework_lib.convert_to_tensor(made, self._value_dtype), dims)

    def _known_rows(self, keys: object) -> Optional[List[Any]]:
        """The keys one by one, where all of them are known as the program runs."""
        if self._key_rank != 0 or not _core.executing_eagerly() or \
                not isinstance(keys, (_core.Tensor, list, tuple)):
            return None
        known = _core.constant_value(framework_lib.convert_to_tensor(keys, self._key_dtype))
        return None if known is None else [_plain(key) for key in known.ravel().tolist()]

    def assume(self, count: int) -> None:
        """Where nobody knows what was inserted, that many keys were."""
        if not self._content:
            is_text = self._key_dtype.name == "string"
            self._content = {b"word%d" % i if is_text else i: 1 for i in range(count)}

    def insert(self, keys: object, values: object, name: Optional[str] = None) -> Any:
        framework_lib.convert_to_tensor(keys, self._key_dtype, "keys")
        held = _core.constant_value(framework_lib.convert_to_tensor(values, self._value_dtype, "values"))
        rows = self._known_rows(keys)
        self._exported = None
        if self._content is None or rows is None or held is None:
            self._content = None
        else:
            self._content.update(zip(rows, held.reshape([len(rows), *self._value.as_list()]).tolist()))
        return framework_lib.no_op(name or self._name + "_insert")

    def remove(self, keys: object, name: Optional[str] = None) -> Any:
        rows = self._known_rows(keys)
        if keys is self._exported and keys is not None and _core.executing_eagerly():
            self._content = {}
        elif self._content is not None and rows is not None:
            for key in rows:
                self._content.pop(key, None)
        else:
            self._content = None
        return framework_lib.no_op(name or self._name + "_remove")

    erase = remove

    def size(self, name: Optional[str] = None) -> Any:
        if self._content is None or not _core.executing_eagerly():
            return super().size(name)
        return framework_lib.convert_to_tensor(len(self._content), "int64")

    def export(self, name: Optional[str] = None) -> Any:
        rows = _core.TensorShape([None])
        if self._content is not None and _core.executing_eagerly() and self._value.is_fully_defined():
            count = len(self._content)
            keys = framework_lib.convert_to_tensor(list(self._content), self._key_dtype)
            values = framework_lib.convert_to_tensor(list(self._content.values()), self._value_dtype)
            self._exported = keys
            return keys, tf.reshape(values, [count, *self._value.as_list()])
        shape = rows if self._key_rank == 0 else _core.TensorShape(None)
        self._exported = op_builders.unknown(self._key_dtype, shape, None, trusted=True)
        return self._exported, op_builders.unknown(
            self._value_dtype, rows.concatenate(self._value), None, trusted=True)


@export("tf.lookup.experimental.MutableHashTable", v2=True)
class MutableHashTable(_Mutable):
    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any,
                 name: str = "MutableHashTable", checkpoint: bool = True,
                 experimental_is_anonymous: bool = False) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)


@export("tf.lookup.experimental.DenseHashTable", "tf.contrib.lookup.MutableDenseHashTable", v2=True)
class DenseHashTable(_Mutable):
    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any,
                 deleted_key: Any = None, initial_num_buckets: Any = None,
                 name: str = "MutableDenseHashTable", checkpoint: bool = True,
                 experimental_is_anonymous: bool = False, shared_name: Optional[str] = None) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)
        key = framework_lib.convert_to_tensor(empty_key, self._key_dtype, "empty_key")
        self._key_rank = key.get_shape().ndims
