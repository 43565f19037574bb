"""tf.feature_column: what columns make of features, as shapes.

The content of a categorical column (which ids a text has) changes no shape, so that its rows are unknown
tensors of a known shape. Source: tensorflow/python/feature_column/feature_column{,_v2}.py.
"""

from __future__ import annotations

import collections

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf, unknown
from shapeflow.tensorflow.python.ops.parsing_ops import FixedLenFeature, VarLenFeature
from shapeflow.tensorflow.python.ops.variable_scope import AUTO_REUSE, get_variable, variable_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

_TF = "tf.feature_column."
_MANY = 1 << 30  # ids of texts, before they are taken modulo the size of a table


class _Features:
    """The features of one call; each is converted, and each column transformed, once."""

    def __init__(self, features: Dict[Any, Any]) -> None:
        self._features = features if is_unmodelled(features) else dict(features)
        self._made: Dict[Any, Any] = {}

    def tensor(self, key: Any) -> Any:
        """A raw feature with at least two axes, as TensorFlow's builders of columns see it."""
        if key not in self._made:
            if isinstance(self._features, dict) and key not in self._features:
                raise ValueError("Feature {} is not in features dictionary.".format(key))
            value = self._features[key]
            if not isinstance(value, framework_lib.SparseTensor):
                value = framework_lib.convert_to_tensor(value)
                rank = value.get_shape().ndims
                if rank == 0:
                    raise fail(
                        "SF102", "Feature (key: {text}) cannot have rank 0. Given: {text}", key, value
                    )
                value = tf.expand_dims(value, -1) if rank == 1 else value
            self._made[key] = value
        return self._made[key]


def _values(value: object) -> Any:
    return value.values if isinstance(value, framework_lib.SparseTensor) else value


def _rows(value: Any, table: Callable[[Any], Any], width: int) -> Any:
    """[batch, width]: what `table` gives for each of the ids of an example, added up. Which ids a feature has
    is not known; how many examples there are is, also of a run."""
    values = _values(value)
    text = values if values.dtype.name == "string" else tf.as_string(values)
    found = table(tf.string_to_hash_bucket_fast(text, _MANY))
    if isinstance(value, framework_lib.SparseTensor):
        count = tf.cast(value.dense_shape[0], _core.as_dtype("int32"))
        return tf.zeros(tf.stack([count, width])) + tf.reduce_sum(found, 0)
    rank = value.get_shape().ndims
    return (
        unknown("float32", [None, width], None, [found], trusted=True)
        if rank is None
        else tf.reduce_sum(found, list(range(1, rank)))
    )


class _Column:
    @property
    def name(self) -> str:
        raise NotImplementedError

    @property
    def parse_example_spec(self) -> Dict[str, Any]:
        raise NotImplementedError


class _Dense(_Column):
    """A column whose rows are numbers of the shape `variable_shape`."""

    @property
    def variable_shape(self) -> Any:
        raise NotImplementedError

    def dense(self, features: _Features, trainable: bool) -> Any:
        raise NotImplementedError

    def rows(self, features: _Features, trainable: bool) -> Any:
        """One axis for each example."""
        value = self.dense(features, trainable)
        return tf.reshape(value, tf.stack([tf.shape(value)[0], self.variable_shape.num_elements()]))


class _Categorical(_Column):
    """A column whose rows are sets of ids below `num_buckets`."""

    @property
    def num_buckets(self) -> int:
        raise NotImplementedError

    def feature(self, features: _Features) -> Any:
        """The tensor of which the ids are made."""
        raise NotImplementedError


@export(_TF + "numeric_column", v2=True)
def numeric_column(
    key: str,
    shape: Any = (1,),
    default_value: object = None,
    dtype: object = "float32",
    normalizer_fn: Optional[Callable[[Any], Any]] = None,
) -> Any:
    sizes = tuple(int(n) for n in (shape if isinstance(shape, (list, tuple)) else [shape]))
    if any(n < 1 for n in sizes):
        raise ValueError("shape dimensions must be greater than 0. shape: {}, key: {}".format(sizes, key))
    kind = _core.as_dtype(dtype)
    if not (kind.is_integer or kind.is_floating):
        raise ValueError("dtype must be convertible to float. dtype: {}, key: {}".format(dtype, key))
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError("normalizer_fn must be a callable. Given: {}".format(normalizer_fn))
    return NumericColumn(_key(key), sizes, default_value, kind, normalizer_fn)


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError("key must be a string. Got: type {}. Given key: {}.".format(type(key), key))
    return key


class NumericColumn(
    _Dense,
    collections.namedtuple("NumericColumn", ["key", "shape", "default_value", "dtype", "normalizer_fn"]),
):
    @property
    def name(self) -> str:
        return str(self.key)

    @property
    def variable_shape(self) -> _core.TensorShape:
        return _core.TensorShape(list(self.shape))

    @property
    def parse_example_spec(self) -> Dict[str, Any]:
        return {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)}

    def dense(self, features: _Features, trainable: bool) -> Any:
        value = features.tensor(self.key)
        if isinstance(value, framework_lib.SparseTensor):
            raise ValueError(
                "The corresponding Tensor of numerical column must be a Tensor. SparseTensor is "
                "not supported. key: {}".format(self.key)
            )
        if self.normalizer_fn is not None:
            value = self.normalizer_fn(value)
        return tf.cast(value, _core.as_dtype("float32"))


@export(_TF + "bucketized_column", v2=True)
def bucketized_column(source_column: object, boundaries: Sequence[float]) -> Any:
    if not isinstance(source_column, NumericColumn):
        raise ValueError(
            "source_column must be a column generated with numeric_column(). Given: {}".format(
                source_column
            )
        )
    if len(source_column.shape) > 1:
        raise ValueError("source_column must be one-dimensional column. Given: {}".format(source_column))
    if not boundaries:
        raise ValueError("boundaries must not be empty.")
    if not isinstance(boundaries, (list, tuple)) or any(
        low >= high for low, high in zip(boundaries, boundaries[1:])
    ):
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))


class BucketizedColumn(
    _Dense, _Categorical, collections.namedtuple("BucketizedColumn", ["source_column", "boundaries"])
):
    @property
    def name(self) -> str:
        return "{}_bucketized".format(self.source_column.name)

    @property
    def variable_shape(self) -> _core.TensorShape:
        return _core.TensorShape([*self.source_column.shape, len(self.boundaries) + 1])

    @property
    def num_buckets(self) -> int:
        return int((len(self.boundaries) + 1) * self.source_column.shape[0])

    @property
    def parse_example_spec(self) -> Dict[str, Any]:
        return dict(self.source_column.parse_example_spec)

    def dense(self, features: _Features, trainable: bool) -> Any:
        source = self.source_column.dense(features, trainable)
        return tf.one_hot(tf.cast(source, _core.as_dtype("int64")), len(self.boundaries) + 1)

    def feature(self, features: _Features) -> Any:
        return self.source_column.dense(features, True)


class _KeyedCategorical(_Categorical):
    """Ids made of one feature, a text or an integer."""

    key: str
    dtype: Any = _core.as_dtype("string")

    @property
    def name(self) -> str:
        return self.key

    @property
    def parse_example_spec(self) -> Dict[str, Any]:
        return {self.key: VarLenFeature(self.dtype)}

    def feature(self, features: _Features) -> Any:
        value = features.tensor(self.key)
        given, wanted = _values(value).dtype, self.dtype
        # What is not modelled has an unknown rank, and a dtype that nobody knows.
        if value.get_shape().ndims is not None and (given.name == "string") != (wanted.name == "string"):
            raise ValueError(
                "Column dtype and SparseTensors dtype must be compatible. key: {}, column dtype: {}, "
                "tensor dtype: {}".format(self.key, wanted, given)
            )
        return value


class HashedCategoricalColumn(
    _KeyedCategorical,
    collections.namedtuple("HashedCategoricalColumn", ["key", "hash_bucket_size", "dtype"]),
):
    num_buckets = property(lambda self: self.hash_bucket_size)


class IdentityCategoricalColumn(
    _KeyedCategorical,
    collections.namedtuple("IdentityCategoricalColumn", ["key", "number_buckets", "default_value"]),
):
    num_buckets = property(lambda self: self.number_buckets)
    dtype = _core.as_dtype("int64")

    def feature(self, features: _Features) -> Any:
        value = features.tensor(self.key)
        if value.get_shape().ndims is not None and not _values(value).dtype.is_integer:
            raise ValueError(
                "Invalid input, not integer. key: {} dtype: {}".format(self.key, _values(value).dtype)
            )
        return value


class VocabularyListCategoricalColumn(
    _KeyedCategorical,
    collections.namedtuple(
        "VocabularyListCategoricalColumn",
        ["key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"],
    ),
):
    num_buckets = property(lambda self: len(self.vocabulary_list) + self.num_oov_buckets)


class VocabularyFileCategoricalColumn(
    _KeyedCategorical,
    collections.namedtuple(
        "VocabularyFileCategoricalColumn",
        ["key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"],
    ),
):
    num_buckets = property(lambda self: self.vocabulary_size + self.num_oov_buckets)


@export(_TF + "categorical_column_with_hash_bucket", v2=True)
def categorical_column_with_hash_bucket(key: str, hash_bucket_size: int, dtype: object = "string") -> Any:
    if hash_bucket_size is None:
        raise ValueError("hash_bucket_size must be set. key: {}".format(key))
    if hash_bucket_size < 1:
        raise ValueError(
            "hash_bucket_size must be at least 1. hash_bucket_size: {}, key: {}".format(
                hash_bucket_size, key
            )
        )
    return HashedCategoricalColumn(_key(key), hash_bucket_size, _core.as_dtype(dtype))


@export(_TF + "categorical_column_with_identity", v2=True)
def categorical_column_with_identity(key: str, num_buckets: int, default_value: Any = None) -> Any:
    if num_buckets < 1:
        raise ValueError("num_buckets {} < 1, column_name {}".format(num_buckets, key))
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(
            "default_value {} not in range [0, {}), column_name {}".format(default_value, num_buckets, key)
        )
    return IdentityCategoricalColumn(_key(key), num_buckets, default_value)


@export(_TF + "categorical_column_with_vocabulary_list", v2=True)
def categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: object = None, default_value: Any = -1, num_oov_buckets: int = 0
) -> Any:
    import numpy as np

    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(
            "vocabulary_list {} must be non-empty, column_name: {}".format(vocabulary_list, key)
        )
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(
            "Duplicate keys in vocabulary_list {}, column_name: {}".format(vocabulary_list, key)
        )
    _check_buckets(key, num_oov_buckets, None if default_value == -1 else default_value)
    kind = dtype if dtype is not None else _core.as_dtype(np.array(vocabulary_list).dtype)
    return VocabularyListCategoricalColumn(
        _key(key), tuple(vocabulary_list), _core.as_dtype(kind), default_value, num_oov_buckets or 0
    )


def _check_buckets(key: str, num_oov_buckets: Any, default_value: object) -> None:
    if num_oov_buckets:
        if default_value is not None:
            raise ValueError("Can't specify both num_oov_buckets and default_value in {}.".format(key))
        if num_oov_buckets < 0:
            raise ValueError("Invalid num_oov_buckets {} in {}.".format(num_oov_buckets, key))


@export(_TF + "categorical_column_with_vocabulary_file", v1=False, v2=True)
def categorical_column_with_vocabulary_file_v2(
    key: str,
    vocabulary_file: object,
    vocabulary_size: Optional[int] = None,
    dtype: object = "string",
    default_value: object = None,
    num_oov_buckets: int = 0,
    file_format: Optional[str] = None,
) -> Any:
    if vocabulary_size is None and (file_format or "text") != "text":
        _core.notice_unmodelled("the size of a vocabulary file of the format " + str(file_format))
        vocabulary_size = 1
    return categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
    )


@export(_TF + "categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file(
    key: str,
    vocabulary_file: Any,
    vocabulary_size: Optional[int] = None,
    num_oov_buckets: int = 0,
    default_value: object = None,
    dtype: object = "string",
) -> Any:
    if not vocabulary_file:
        raise ValueError("Missing vocabulary_file in {}.".format(key))
    if vocabulary_size is None:
        try:
            with open(vocabulary_file, encoding="utf-8", errors="replace") as lines:
                vocabulary_size = sum(1 for _ in lines)
        except OSError:
            raise ValueError("vocabulary_file in {} does not exist.".format(key)) from None
    if vocabulary_size < 1:
        raise ValueError("Invalid vocabulary_size in {}.".format(key))
    _check_buckets(key, num_oov_buckets, default_value)
    return VocabularyFileCategoricalColumn(
        _key(key),
        vocabulary_file,
        vocabulary_size,
        num_oov_buckets or 0,
        _core.as_dtype(dtype),
        default_value,
    )


@export(_TF + "crossed_column", v2=True)
def crossed_column(keys: Sequence[object], hash_bucket_size: int, hash_key: Optional[int] = None) -> Any:
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError("hash_bucket_size must be > 1. hash_bucket_size: {}".format(hash_bucket_size))
    if not keys or len(keys) < 2:
        raise ValueError("keys must be a list with length > 1. Given: {}".format(keys))
    for key in keys:
        if not isinstance(key, (str, _Categorical)):
            raise ValueError(
                "Unsupported key type. All keys must be either string, or categorical column except "
                "HashedCategoricalColumn. Given: {}".format(key)
            )
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError(
                "categorical_column_with_hash_bucket is not supported for crossing. Hashing before "
                "crossing will increase probability of collision. Instead, use the feature name as a "
                "string. Given: {}".format(key)
            )
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)


class CrossedColumn(
    _Categorical, collections.namedtuple("CrossedColumn", ["keys", "hash_bucket_size", "hash_key"])
):
    num_buckets = property(lambda self: self.hash_bucket_size)

    @property
    def name(self) -> str:
        return "_X_".join(sorted(key if isinstance(key, str) else key.name for key in self.keys))

    @property
    def parse_example_spec(self) -> Dict[str, Any]:
        spec: Dict[str, Any] = {}
        for key in self.keys:
            spec.update(
                {key: VarLenFeature(_core.as_dtype("string"))}
                if isinstance(key, str)
                else key.parse_example_spec
            )
        return spec

    def feature(self, features: _Features) -> Any:
        found = [
            features.tensor(key) if isinstance(key, str) else key.feature(features) for key in self.keys
        ]
        return found[0]


@export(_TF + "weighted_categorical_column", v2=True)
def weighted_categorical_column(
    categorical_column: object, weight_feature_key: str, dtype: object = "float32"
) -> Any:
    kind = _core.as_dtype(dtype)
    if not (kind.is_integer or kind.is_floating):
        raise ValueError("dtype {} is not convertible to float.".format(kind))
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, kind)


class WeightedCategoricalColumn(
    _Categorical,
    collections.namedtuple(
        "WeightedCategoricalColumn", ["categorical_column", "weight_feature_key", "dtype"]
    ),
):
    num_buckets = property(lambda self: self.categorical_column.num_buckets)

    @property
    def name(self) -> str:
        return "{}_weighted_by_{}".format(self.categorical_column.name, self.weight_feature_key)

    @property
    def parse_example_spec(self) -> Dict[str, Any]:
        return {
            **self.categorical_column.parse_example_spec,
            self.weight_feature_key: VarLenFeature(self.dtype),
        }

    def feature(self, features: _Features) -> Any:
        features.tensor(self.weight_feature_key)
        return self.categorical_column.feature(features)


class IndicatorColumn(_Dense, collections.namedtuple("IndicatorColumn", ["categorical_column"])):
    @property
    def name(self) -> str:
        return "{}_indicator".format(self.categorical_column.name)

    @property
    def variable_shape(self) -> _core.TensorShape:
        return _core.TensorShape([1, self.categorical_column.num_buckets])

    @property
    def parse_example_spec(self) -> Dict[str, Any]:
        return dict(self.categorical_column.parse_example_spec)

    def dense(self, features: _Features, trainable: bool) -> Any:
        value = self.categorical_column.feature(features)
        count = self.categorical_column.num_buckets
        return _rows(value, lambda ids: tf.one_hot(ids % count, count), count)


@export(_TF + "indicator_column", v2=True)
def indicator_column(categorical_column: object) -> Any:
    return IndicatorColumn(_categorical(categorical_column))


def _categorical(column: object) -> _Categorical:
    if not isinstance(column, _Categorical):
        raise ValueError(
            "Unsupported input type. Input must be a CategoricalColumn. Given: {}".format(column)
        )
    return column


class EmbeddingColumn(
    _Dense,
    collections.namedtuple(
        "EmbeddingColumn",
        [
            "categorical_column",
            "dimension",
            "combiner",
            "initializer",
            "max_norm",
            "trainable",
            "shared_name",
        ],
    ),
):
    @property
    def name(self) -> str:
        return "{}_{}".format(
            self.categorical_column.name, "shared_embedding" if self.shared_name else "embedding"
        )

    @property
    def variable_shape(self) -> _core.TensorShape:
        return _core.TensorShape([self.dimension])

    @property
    def parse_example_spec(self) -> Dict[str, Any]:
        return dict(self.categorical_column.parse_example_spec)

    def dense(self, features: _Features, trainable: bool) -> Any:
        value = self.categorical_column.feature(features)
        weights = get_variable(
            "embedding_weights",
            [self.categorical_column.num_buckets, self.dimension],
            initializer=self.initializer or tf.truncated_normal_initializer(stddev=self.dimension**-0.5),
            trainable=self.trainable and trainable,
        )
        return _rows(
            value, lambda ids: tf.gather(weights, ids % self.categorical_column.num_buckets), self.dimension
        )


@export(_TF + "embedding_column", v2=True)
def embedding_column(
    categorical_column: Any,
    dimension: int,
    combiner: str = "mean",
    initializer: object = None,
    ckpt_to_load_from: object = None,
    tensor_name_in_ckpt: object = None,
    max_norm: object = None,
    trainable: bool = True,
    use_safe_embedding_lookup: bool = True,
) -> Any:
    _check_embedding(dimension, ckpt_to_load_from, tensor_name_in_ckpt)
    if initializer is not None and not callable(initializer):
        raise ValueError(
            "initializer must be callable if specified. Embedding of column_name: {}".format(
                categorical_column.name
            )
        )
    return EmbeddingColumn(
        _categorical(categorical_column), dimension, combiner, initializer, max_norm, trainable, None
    )


def _check_embedding(dimension: Any, path: object, tensor: object) -> None:
    if dimension is None or dimension < 1:
        raise ValueError("Invalid dimension {}.".format(dimension))
    if (path is None) != (tensor is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")


@export(_TF + "shared_embedding_columns", _TF + "shared_embeddings", v2=True)
def shared_embedding_columns(
    categorical_columns: Sequence[Any],
    dimension: int,
    combiner: str = "mean",
    initializer: object = None,
    shared_embedding_collection_name: Optional[str] = None,
    ckpt_to_load_from: object = None,
    tensor_name_in_ckpt: object = None,
    max_norm: object = None,
    trainable: bool = True,
    use_safe_embedding_lookup: bool = True,
) -> List[Any]:
    _check_embedding(dimension, ckpt_to_load_from, tensor_name_in_ckpt)
    columns = [_categorical(column) for column in categorical_columns]
    first = columns[0]
    for column in columns[1:]:
        if column.num_buckets != first.num_buckets:
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same number of "
                "buckets. Given column: {} with buckets: {} does  not match column: {} with buckets: "
                "{}".format(first, first.num_buckets, column, column.num_buckets)
            )
    name = (
        shared_embedding_collection_name or "_".join(sorted(c.name for c in columns)) + "_shared_embedding"
    )
    return [
        EmbeddingColumn(c, dimension, combiner, initializer, max_norm, trainable, name) for c in columns
    ]


def _in_order(feature_columns: Any, kind: Any, words: str) -> List[Any]:
    """The columns by name, as TensorFlow concatenates them."""
    columns = (
        feature_columns
        if isinstance(feature_columns, (list, tuple, set)) and not hasattr(feature_columns, "_fields")
        else [feature_columns]
    )
    columns = list(columns)
    if not columns:
        raise ValueError("feature_columns must not be empty.")
    names: Dict[str, Any] = {}
    for column in columns:
        if not isinstance(column, kind):
            raise ValueError(words.format(column))
        if column.name in names:
            raise ValueError(
                "Duplicate feature column name found for columns: {} and {}. This usually means that "
                "these columns refer to same base feature. Either one must be discarded or a "
                "duplicated but renamed item must be inserted in features dict.".format(
                    column, names[column.name]
                )
            )
        names[column.name] = column
    return [names[name] for name in sorted(names)]


@export(_TF + "input_layer")
def input_layer(
    features: object,
    feature_columns: object,
    weight_collections: object = None,
    trainable: bool = True,
    cols_to_vars: Optional[Dict[object, object]] = None,
    cols_to_output_tensors: Optional[Dict[object, object]] = None,
) -> Any:
    columns = dense_columns(feature_columns)
    with variable_scope(None, default_name="input_layer"):
        rows = dense_rows(features, columns, trainable, cols_to_output_tensors, cols_to_vars)
        return tf.concat(rows, 1) if len(rows) > 1 else rows[0]


def dense_columns(feature_columns: object) -> List[Any]:
    """Those that make rows of numbers, by name."""
    columns: List[Any] = _in_order(
        feature_columns,
        _Dense,
        "Items of feature_columns must be a _DenseColumn. You can wrap a "
        "categorical column with an embedding_column or indicator_column. Given: {}",
    )
    return columns


def dense_rows(
    features: Any,
    columns: Sequence[Any],
    trainable: bool,
    outputs: Optional[Dict[object, object]] = None,
    variables: Optional[Dict[object, object]] = None,
) -> List[Any]:
    """What each column makes of the features, also in `outputs`; its variables are in `variables`."""
    held = _Features(features)
    rows = []
    for column in columns:
        shared = getattr(column, "shared_name", None)
        with variable_scope(shared, reuse=AUTO_REUSE) if shared else variable_scope(None, column.name):
            before = len(tf.global_variables())
            made = column.rows(held, trainable)
        rows.append(made)
        if variables is not None:
            variables[column] = tf.global_variables()[before:]
        if outputs is not None:
            outputs[column] = made
    return rows


@export(_TF + "linear_model")
def linear_model(
    features: Any,
    feature_columns: object,
    units: int = 1,
    sparse_combiner: str = "sum",
    weight_collections: object = None,
    trainable: bool = True,
    cols_to_vars: Optional[Dict[Any, Any]] = None,
) -> Any:
    columns = _in_order(
        feature_columns,
        (_Dense, _Categorical),
        "Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. Given: {}",
    )
    held = _Features(features)
    sums = []
    with variable_scope(None, default_name="linear_model"):
        for column in columns:
            with variable_scope(None, column.name):
                weights, made = _weighted(column, held, units, trainable)
            sums.append(made)
            if cols_to_vars is not None:
                cols_to_vars[column] = [weights]
        bias = get_variable(
            "bias_weights", [units], initializer=tf.zeros_initializer(), trainable=trainable
        )
        if cols_to_vars is not None:
            cols_to_vars["bias"] = [bias]
        return tf.nn.bias_add(tf.add_n(sums) if len(sums) > 1 else sums[0], bias)


def _weighted(column: Any, features: _Features, units: int, trainable: bool) -> Tuple[Any, Any]:
    """(weights, weighted sum of shape [batch, units]) of one column."""
    zeros = tf.zeros_initializer()
    if isinstance(column, _Categorical):
        value = column.feature(features)
        weights = get_variable(
            "weights", [column.num_buckets, units], initializer=zeros, trainable=trainable
        )
        return weights, _rows(value, lambda ids: tf.gather(weights, ids % column.num_buckets), units)
    rows = column.rows(features, trainable)
    weights = get_variable("weights", [rows.get_shape()[-1], units], initializer=zeros, trainable=trainable)
    return weights, tf.matmul(rows, weights)


@export(_TF + "make_parse_example_spec", v2=True)
def make_parse_example_spec(feature_columns: Any) -> Dict[str, Any]:
    result: Dict[str, Any] = {}
    for column in feature_columns:
        if not isinstance(column, (_Dense, _Categorical)):
            raise ValueError(
                "All feature_columns must be _FeatureColumn instances. Given: {}".format(column)
            )
        for key, value in column.parse_example_spec.items():
            if key in result and result[key] != value:
                raise ValueError(
                    "feature_columns contain different parse_spec for key {}. Given {} and {}".format(
                        key, value, result[key]
                    )
                )
            result[key] = value
    return result
