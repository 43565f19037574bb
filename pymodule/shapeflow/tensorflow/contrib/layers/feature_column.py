"""tf.contrib.layers' columns of features: those of tf.feature_column under their first names.

Source: tensorflow/contrib/layers/python/layers/{feature_column,feature_column_ops}.py.
"""

from __future__ import annotations

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.feature_column import feature_column as fc
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional, Tuple

_LAYERS = "tf.contrib.layers."


class RealValuedColumn(fc.NumericColumn):
    """Its dimension is that of parsed examples alone: a tensor that is given is taken as wide as it is."""

    def rows(self, features: Any, trainable: bool) -> Any:
        value = self.dense(features, trainable)
        rank = value.get_shape().ndims
        if rank is None or rank == 2:
            return value
        size = value.get_shape()[1:].num_elements()
        return tf.reshape(value, tf.stack([tf.shape(value)[0], -1 if size is None else size]))


@export(_LAYERS + "real_valued_column")
def real_valued_column(
    column_name: Any,
    dimension: object = 1,
    default_value: Any = None,
    dtype: Any = "float32",
    normalizer: Any = None,
) -> Any:
    wanted = 1 if dimension is None else dimension
    return RealValuedColumn(*fc.numeric_column(column_name, wanted, default_value, dtype, normalizer))


@export(_LAYERS + "sparse_column_with_hash_bucket")
def sparse_column_with_hash_bucket(
    column_name: Any,
    hash_bucket_size: int,
    combiner: str = "sum",
    dtype: Any = "string",
    hash_keys: object = None,
) -> Any:
    return fc.categorical_column_with_hash_bucket(column_name, hash_bucket_size, dtype)


@export(_LAYERS + "sparse_column_with_keys")
def sparse_column_with_keys(
    column_name: Any, keys: Any, default_value: Any = -1, combiner: str = "sum", dtype: Any = "string"
) -> Any:
    return fc.categorical_column_with_vocabulary_list(column_name, keys, dtype, default_value)


@export(_LAYERS + "sparse_column_with_integerized_feature")
def sparse_column_with_integerized_feature(
    column_name: Any, bucket_size: int, combiner: str = "sum", dtype: object = "int64"
) -> Any:
    return fc.categorical_column_with_identity(column_name, bucket_size)


@export(_LAYERS + "sparse_column_with_vocabulary_file")
def sparse_column_with_vocabulary_file(
    column_name: Any,
    vocabulary_file: object,
    num_oov_buckets: int = 0,
    vocab_size: Any = None,
    default_value: object = -1,
    combiner: str = "sum",
    dtype: object = "string",
) -> Any:
    return fc.categorical_column_with_vocabulary_file(
        column_name,
        vocabulary_file,
        vocab_size,
        num_oov_buckets,
        None if num_oov_buckets else default_value,
        dtype,
    )


@export(_LAYERS + "weighted_sparse_column")
def weighted_sparse_column(sparse_id_column: Any, weight_column_name: Any, dtype: Any = "float32") -> Any:
    return fc.weighted_categorical_column(sparse_id_column, weight_column_name, dtype)


@export(_LAYERS + "bucketized_column")
def bucketized_column(source_column: Any, boundaries: Any) -> Any:
    return fc.bucketized_column(source_column, sorted(set(boundaries)))


@export(_LAYERS + "crossed_column")
def crossed_column(
    columns: Any,
    hash_bucket_size: int,
    combiner: str = "sum",
    ckpt_to_load_from: object = None,
    tensor_name_in_ckpt: object = None,
    hash_key: Any = None,
) -> Any:
    return fc.CrossedColumn(
        tuple(columns), hash_bucket_size, hash_key
    )  # hashed columns may be crossed here


@export(_LAYERS + "one_hot_column")
def one_hot_column(sparse_id_column: object) -> Any:
    return fc.indicator_column(sparse_id_column)


@export(_LAYERS + "embedding_column")
def embedding_column(sparse_id_column: Any, dimension: int, **options: Any) -> Any:
    return fc.embedding_column(sparse_id_column, dimension, **options)


@export(_LAYERS + "shared_embedding_columns")
def shared_embedding_columns(sparse_id_columns: Any, dimension: int, **options: Any) -> Any:
    return fc.shared_embedding_columns(sparse_id_columns, dimension, **options)


@export(_LAYERS + "create_feature_spec_for_parsing")
def create_feature_spec_for_parsing(feature_columns: object) -> Dict[str, Any]:
    return fc.make_parse_example_spec(feature_columns)


@export(_LAYERS + "input_from_feature_columns")
def input_from_feature_columns(
    columns_to_tensors: object,
    feature_columns: object,
    weight_collections: object = None,
    trainable: bool = True,
    scope: Optional[str] = None,
    cols_to_outs: object = None,
) -> Any:
    with framework_lib.name_scope(scope, "input_from_feature_columns"):
        return fc.input_layer(columns_to_tensors, feature_columns, weight_collections, trainable)


@export(_LAYERS + "weighted_sum_from_feature_columns", _LAYERS + "joint_weighted_sum_from_feature_columns")
def weighted_sum_from_feature_columns(
    columns_to_tensors: object,
    feature_columns: object,
    num_outputs: int,
    weight_collections: object = None,
    trainable: bool = True,
    scope: Optional[str] = None,
) -> Tuple[Any, Dict[Any, Any], Any]:
    with framework_lib.name_scope(scope, "weighted_sum_from_feature_columns"):
        variables: Dict[Any, Any] = {}
        predictions = fc.linear_model(
            columns_to_tensors, feature_columns, num_outputs, trainable=trainable, cols_to_vars=variables
        )
        bias = variables.pop("bias")[0]
        return predictions, variables, bias
