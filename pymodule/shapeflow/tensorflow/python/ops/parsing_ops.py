"""parse_example and its kin: features become dense and sparse tensors.

Source: tensorflow/python/ops/parsing_ops.py (1.15), parsing_config.py (2).
"""

from __future__ import annotations

import collections

from shapeflow import _core
from shapeflow.api.names import emulated
from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import outputs, tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, List, Optional, Tuple


class VarLenFeature(collections.namedtuple("VarLenFeature", ["dtype"])):
    """Any number of values: a SparseTensor."""


class FixedLenFeature(collections.namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"])):
    """A dense tensor of one shape."""

    def __new__(cls, shape: object, dtype: object, default_value: object = None) -> Any:
        return super().__new__(cls, shape, dtype, default_value)


class FixedLenSequenceFeature(collections.namedtuple(
        "FixedLenSequenceFeature", ["shape", "dtype", "allow_missing", "default_value"])):
    """A dense tensor with a first axis of any length, padded in a batch."""

    def __new__(cls, shape: object, dtype: object, allow_missing: bool = False,
                default_value: object = None) -> Any:
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


class SparseFeature(collections.namedtuple(
        "SparseFeature", ["index_key", "value_key", "dtype", "size", "already_sorted"])):
    """A SparseTensor whose indices are a feature of their own."""

    def __new__(cls, index_key: object, value_key: object, dtype: object, size: object,
                already_sorted: bool = False) -> Any:
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


class RaggedFeature(collections.namedtuple(
        "RaggedFeature", ["dtype", "value_key", "partitions", "row_splits_dtype", "validate"])):
    """A row of values for each example, cut further where partitions are given."""

    RowSplits = collections.namedtuple("RowSplits", ["key"])
    RowLengths = collections.namedtuple("RowLengths", ["key"])
    RowStarts = collections.namedtuple("RowStarts", ["key"])
    RowLimits = collections.namedtuple("RowLimits", ["key"])
    ValueRowIds = collections.namedtuple("ValueRowIds", ["key"])
    UniformRowLength = collections.namedtuple("UniformRowLength", ["length"])

    def __new__(cls, dtype: object, value_key: Optional[str] = None, partitions: object = (),
                row_splits_dtype: object = "int32", validate: bool = False) -> Any:
        if value_key is not None and not isinstance(value_key, str):
            raise ValueError("Argument `value_key` must be a string; got %s" % (value_key,))
        if value_key == "":
            raise ValueError("Argument `value_key` must not be empty")
        dtype, row_splits_dtype = _core.as_dtype(dtype), _core.as_dtype(row_splits_dtype)
        if dtype.name not in ("int64", "float32", "string"):
            raise ValueError("Argument `dtype` must be int64, float32, or bytes; got %r" % dtype)
        if row_splits_dtype.name not in ("int32", "int64"):
            raise ValueError("Argument `row_splits_dtype` must be int32 or int64; got%r" % row_splits_dtype)
        if not isinstance(partitions, (list, tuple)):
            raise TypeError("Argument `partitions` must be a list or tuple. Receivedpartitions=%s of type "
                            "%s." % (partitions, type(partitions).__name__))
        kinds = (cls.RowSplits, cls.RowLengths, cls.RowStarts, cls.RowLimits, cls.ValueRowIds,
                 cls.UniformRowLength)
        for partition in partitions:
            if not isinstance(partition, kinds):
                raise TypeError(
                    "Argument `partitions` cannot be cast to any of the partition types in %s; got: %r "
                    "with type %s" % (kinds, partition, type(partition)))
        if not isinstance(validate, bool):
            raise TypeError("Argument `validate` must be a bool; got %r" % (validate,))
        return super().__new__(cls, dtype, value_key, tuple(partitions), row_splits_dtype, validate)


for _kind in (VarLenFeature, FixedLenFeature, FixedLenSequenceFeature, SparseFeature, RaggedFeature):
    put(_kind, "tf." + _kind.__name__, "tf.io." + _kind.__name__, v2=True)


class _Plan:
    """The attrs and inputs that a dictionary of features asks for."""

    def __init__(self, features: Any, kinds: Tuple[Any, ...]) -> None:
        self.sparse: Dict[str, Any] = {}                    # key: dtype
        self.dense: Dict[str, Tuple[Any, Any, Any]] = {}    # key: dtype, shape, default
        self.open: List[str] = []                           # not modelled
        self.may_miss: List[str] = []
        for key in sorted(features or {}):
            self._add(key, features[key], kinds)

    def _add(self, key: str, feature: object, kinds: Tuple[Any, ...]) -> None:
        received = " Received feature=%s." % (feature,) if emulated() >= (2, 4) else ""
        if is_unmodelled(feature) or isinstance(feature, RaggedFeature):
            self.open.append(key)
            return
        if not isinstance(feature, kinds):
            known = isinstance(feature, (VarLenFeature, SparseFeature, FixedLenFeature,
                                         FixedLenSequenceFeature))
            raise fail("SF201", "Unsupported {name} {text}.", type(feature).__name__, feature) if known \
                else fail("SF201", "Invalid feature {name}:{text}.", key, feature)
        if not feature.dtype:
            raise fail("SF201", "Missing type for feature {name}.{text}", key, received)
        dtype = _core.as_dtype(feature.dtype)
        if isinstance(feature, VarLenFeature):
            self._sparse(key, dtype)
        elif isinstance(feature, SparseFeature):
            if not feature.index_key:
                raise fail("SF201", "Missing index_key for SparseFeature {text}.", feature)
            if not feature.value_key:
                raise fail("SF201", "Missing value_key for SparseFeature {text}.", feature)
            keys = feature.index_key if isinstance(feature.index_key, (list, tuple)) \
                else [feature.index_key]
            for index_key in sorted(keys):
                self._sparse(index_key, _core.as_dtype("int64"))
            self._sparse(feature.value_key, dtype)
        else:
            if feature.shape is None:
                raise fail("SF201", "Missing shape for feature {name}.{text}", key, received)
            shape = _core.TensorShape(feature.shape)
            sequence = isinstance(feature, FixedLenSequenceFeature)
            if not sequence and shape.ndims and shape.as_list()[0] is None:
                raise fail("SF128", "First dimension of shape for feature {name} unknown. Consider using "
                           "FixedLenSequenceFeature.{text}", key, received)
            if sequence and feature.allow_missing:
                self.may_miss.append(key)
            self.dense[key] = dtype, shape, feature

    def _sparse(self, key: str, dtype: Any) -> None:
        known = self.sparse.get(key)
        if known is not None and known != dtype:
            raise fail("SF201", "Conflicting type {dtype} vs {dtype} for feature {name}.", known.name,
                       dtype.name, key)
        self.sparse[key] = dtype

    def shapes(self, sequences: bool) -> List[Any]:
        """The shape attrs; a sequence has a first axis of its own where `sequences` says so."""
        return [_core.TensorShape([None]).concatenate(shape) if sequences and isinstance(
            feature, FixedLenSequenceFeature) else shape for _, shape, feature in self.dense.values()]

    def defaults(self) -> List[Any]:
        made = []
        for key, (dtype, shape, feature) in self.dense.items():
            default = feature.default_value
            if isinstance(feature, FixedLenSequenceFeature):
                if not feature.allow_missing:
                    raise fail("SF201", "Unsupported: FixedLenSequenceFeature requires allow_missing to "
                               "be True.")
                value = tf.constant("" if dtype.name == "string" else 0, dtype=dtype) \
                    if default is None else framework_lib.convert_to_tensor(default, dtype)
                made.append(tf.reshape(value, []) if value.get_shape().ndims is None else value)
            elif default is None:
                made.append(tf.constant([], dtype=dtype))
            else:
                value = framework_lib.convert_to_tensor(default, dtype, "key_" + key)
                made.append(tf.reshape(value, shape.as_list()) if shape.is_fully_defined() else value)
        return made


_EXAMPLE = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


def _sparse_tensors(plan: _Plan, made: List[object]) -> Dict[str, Any]:
    n = len(plan.sparse)
    return {key: framework_lib.SparseTensor(made[i], made[n + i], made[2 * n + i])
            for i, key in enumerate(plan.sparse)}


def _results(features: Any, plan: _Plan, made: List[object], serialized: object,
             sequences: bool = False) -> Dict[str, Any]:
    """One tensor for each feature, from the flat outputs of the op; `sequences`: they are of steps."""
    sparse = _sparse_tensors(plan, made)
    found = dict(zip(plan.dense, made[3 * len(plan.sparse):]))
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, VarLenFeature):
            found[key] = sparse[key]
        elif isinstance(feature, SparseFeature):
            found[key] = _merged(feature, sparse[feature.value_key])
        elif key in plan.open:
            found[key] = _ragged(feature, serialized, sequences)
    return {key: found[key] for key in sorted(features)}


def _ragged(feature: Any, serialized: Any, sequences: bool = False) -> Any:
    """The values of one example, or a row of them for each, of each step where these are `sequences`;
    partitions of rows are not modelled."""
    from shapeflow.api.unmodelled import Opaque
    from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor

    shape = serialized.get_shape()
    if is_unmodelled(feature) or feature.partitions or shape.ndims is None:
        return Opaque("tf.io.RaggedFeature", [serialized])
    dims = [*shape.as_list(), None, *[None] * sequences]
    if len(dims) == 1:
        return op_builders.unknown(feature.dtype, dims, None, [serialized], trusted=True)
    return RaggedTensor.made(feature.dtype, dims, [serialized], len(dims) - 1, feature.row_splits_dtype.name)


def _merged(feature: SparseFeature, values: Any) -> framework_lib.SparseTensor:
    """The values at the indices that the other features name."""
    sizes = list(feature.size) if isinstance(feature.size, (list, tuple)) else [feature.size]
    rank = values.indices.get_shape().as_list()[1]
    batch = [] if rank == 1 else [op_builders.unknown("int64", [], None, [values.dense_shape], trusted=True)]
    dims = [framework_lib.convert_to_tensor(d, _core.as_dtype("int64")) for d in sizes]
    total = len(batch) + len(sizes)
    parts = [values.indices, values.values]
    return framework_lib.SparseTensor(
        op_builders.unknown("int64", [None, total], None, parts, trusted=True),
        op_builders.unknown(values.dtype, [None], None, parts, trusted=True), tf.stack(batch + dims))


def _need_features(features: object) -> None:
    if features is None or not features:
        raise fail("SF201", "Invalid argument: features cannot be {text}."
                   if emulated() >= (2, 4) else "Missing features.",
                   "None" if features is None else "empty")


def _parse(serialized: object, features: object, name: Optional[str], names: object,
           default_name: str) -> Any:
    _need_features(features)
    plan = _Plan(features, _EXAMPLE)
    with framework_lib.name_scope(name, default_name, [serialized]):
        defaults = plan.defaults()
        names = framework_lib.convert_to_tensor([] if names is None else names, _core.as_dtype("string"))
        attrs: Dict[str, object] = {"dense_shapes": plan.shapes(True),
                                 "sparse_types": list(plan.sparse.values())}
        if emulated() >= (2, 0):
            attrs.update(num_sparse=len(plan.sparse), ragged_value_types=[], ragged_split_types=[])
            strings = _core.as_dtype("string")
            made = outputs("ParseExampleV2", [
                serialized, names, tf.constant(list(plan.sparse), dtype=strings, shape=[
                    len(plan.sparse)]), tf.constant(list(plan.dense), dtype=strings, shape=[
                        len(plan.dense)]), tf.constant([], dtype=strings), defaults], attrs, "ParseExampleV2")
        else:
            attrs.update(Nsparse=len(plan.sparse), Ndense=len(plan.dense))
            made = outputs("ParseExample", [serialized, names, list(plan.sparse), list(plan.dense),
                                            defaults], attrs, "ParseExample")
        return _results(features, plan, made, serialized)


@export("tf.parse_example", "tf.io.parse_example")
def parse_example(serialized: object, features: object, name: Optional[str] = None,
                  example_names: object = None) -> Any:
    return _parse(framework_lib.convert_to_tensor(serialized), features, name, example_names, "ParseExample")


@export("tf.io.parse_example", v1=False, v2=True)
def parse_example_v2(serialized: object, features: object, example_names: object = None,
                     name: Optional[str] = None) -> Any:
    return parse_example(serialized, features, name, example_names)


@export("tf.parse_single_example", "tf.io.parse_single_example")
def parse_single_example(serialized: Any, features: object, name: Optional[str] = None,
                         example_names: object = None) -> Any:
    _need_features(features)
    serialized = framework_lib.convert_to_tensor(serialized, None, "serialized")
    if emulated() >= (2, 0) or example_names is not None:
        with framework_lib.name_scope(name, "ParseSingleExample", [serialized]):
            if serialized.get_shape().ndims not in (0, None):
                raise fail("SF102", "Input serialized must be a scalar")
            return _parse(serialized, features, None, None, "ParseExample")
    plan = _Plan(features, _EXAMPLE)
    with framework_lib.name_scope(name, "ParseSingleExample", [serialized]):
        made = outputs("ParseSingleExample", [serialized, plan.defaults()], {
            "num_sparse": len(plan.sparse), "sparse_keys": list(plan.sparse),
            "dense_keys": list(plan.dense), "sparse_types": list(plan.sparse.values()),
            "dense_shapes": plan.shapes(True)},
            "ParseSingleExample")
        return _results(features, plan, made, serialized)


@export("tf.io.parse_single_example", v1=False, v2=True)
def parse_single_example_v2(serialized: object, features: object, example_names: object = None,
                            name: Optional[str] = None) -> Any:
    return parse_single_example(serialized, features, name, example_names)


def _sequence_plans(context_features: object, sequence_features: object) -> Tuple[_Plan, _Plan]:
    if not context_features and not sequence_features:
        raise fail("SF201", "Missing features." if emulated() < (2, 4) else
                   "Both `context_features` and `sequence_features` arguments are None, but at least one "
                   "should have values.")
    return (_Plan(context_features, (VarLenFeature, FixedLenFeature)),
            _Plan(sequence_features, (VarLenFeature, FixedLenSequenceFeature)))


@export("tf.io.parse_sequence_example", v2=True)
def parse_sequence_example(serialized: object, context_features: object = None,
                           sequence_features: object = None, example_names: object = None,
                           name: Optional[str] = None) -> Tuple[Dict[str, object], ...]:
    """A vector of SequenceExamples: context and lists of features, each with a first axis of examples, and
    the length [batch] of each dense list."""
    context, lists = _sequence_plans(context_features, sequence_features)
    serialized = framework_lib.convert_to_tensor(serialized, None, "serialized")
    strings = _core.as_dtype("string")

    def keys(of: Iterable[str]) -> object:
        named = list(of)
        return tf.constant(named, dtype=strings, shape=[len(named)])

    with framework_lib.name_scope(name, "ParseSequenceExample", [serialized]):
        names = framework_lib.convert_to_tensor([] if example_names is None else example_names, strings)
        attrs: Dict[str, object] = {
            "Ncontext_sparse": len(context.sparse), "context_sparse_types": list(context.sparse.values()),
            "context_dense_shapes": context.shapes(False),
            "Nfeature_list_sparse": len(lists.sparse), "Nfeature_list_dense": len(lists.dense),
            "feature_list_sparse_types": list(lists.sparse.values()),
            "feature_list_dense_types": [d for d, _, _ in lists.dense.values()],
            "feature_list_dense_shapes": lists.shapes(False)}
        if emulated() >= (2, 0):
            missing = tf.constant([key in lists.may_miss for key in lists.dense],
                                  dtype=_core.as_dtype("bool"), shape=[len(lists.dense)])
            made = outputs("ParseSequenceExampleV2", [
                serialized, names, keys(context.sparse), keys(context.dense), keys([]), keys(lists.sparse),
                keys(lists.dense), keys([]), missing, context.defaults()], attrs, "ParseSequenceExampleV2")
        else:
            attrs.update(Ncontext_dense=len(context.dense), context_sparse_keys=list(context.sparse),
                         context_dense_keys=list(context.dense), feature_list_sparse_keys=list(lists.sparse),
                         feature_list_dense_keys=list(lists.dense),
                         feature_list_dense_missing_assumed_empty=list(lists.may_miss))
            made = outputs("ParseSequenceExample", [serialized, names, context.defaults()], attrs,
                           "ParseSequenceExample")
        end = 3 * len(context.sparse) + len(context.dense)
        lengths = end + 3 * len(lists.sparse) + len(lists.dense)
        return (_results(context_features or {}, context, made[:end], serialized),
                _results(sequence_features or {}, lists, made[end:lengths], serialized, True),
                dict(zip(lists.dense, made[lengths:])))


@export("tf.parse_single_sequence_example", "tf.io.parse_single_sequence_example", v2=True)
def parse_single_sequence_example(serialized: object, context_features: object = None,
                                  sequence_features: object = None, example_name: object = None,
                                  name: Optional[str] = None) -> Tuple[Any, Any]:
    context, lists = _sequence_plans(context_features, sequence_features)
    serialized = framework_lib.convert_to_tensor(serialized, None, "serialized")
    strings = _core.as_dtype("string")
    with framework_lib.name_scope(name, "ParseSingleSequenceExample", [serialized]):
        made = outputs("ParseSingleSequenceExample", [
            serialized, tf.constant(lists.may_miss, dtype=strings, shape=[len(lists.may_miss)]),
            list(context.sparse), list(context.dense), list(lists.sparse), list(lists.dense),
            context.defaults(), framework_lib.convert_to_tensor(example_name or "", strings)], {
            "context_sparse_types": list(context.sparse.values()),
            "context_dense_shapes": context.shapes(False),
            "feature_list_sparse_types": list(lists.sparse.values()),
            "feature_list_dense_types": [d for d, _, _ in lists.dense.values()],
            "feature_list_dense_shapes": lists.shapes(False)}, "ParseSingleSequenceExample")
        end = 3 * len(context.sparse) + len(context.dense)
        return (_results(context_features or {}, context, made[:end], serialized),
                _results(sequence_features or {}, lists, made[end:], serialized, True))
