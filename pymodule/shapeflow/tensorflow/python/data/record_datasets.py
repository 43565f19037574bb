"""Datasets of tables and of parsed records: CsvDataset, make_csv_dataset, make_batched_features_dataset.

What a table that is there says of its columns (names, dtypes) is read from it, as TensorFlow does.
Source: tensorflow/python/data/experimental/ops/readers.py.
"""
from __future__ import annotations

import collections
import csv
import glob
import gzip
import io
import os
import zlib

from shapeflow import _core
from shapeflow.api import outside
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.data import readers
from shapeflow.tensorflow.python.data.dataset_ops import (
    INFINITE,
    UNKNOWN,
    DatasetV1,
    DatasetV2,
    is_version_1,
    stored,
)
from shapeflow.tensorflow.python.data.element_runs import ASSUMED, DISTINCT, Run, component
from shapeflow.tensorflow.python.data.structure import Leaf, Structure
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.lib import tf_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, List, Optional, Sequence, Union

_KINDS = ("int32", "int64", "float32", "float64", "string")  # from the least to the most permissive


def _dtype_of(default: object) -> Any:
    """Of one of record_defaults: a dtype, or a value to take where a field is empty."""
    if isinstance(default, (_core.DType, type)):
        return _core.as_dtype(default)
    return framework_lib.convert_to_tensor(default).dtype.base_dtype


def _value_of(field: str, dtype: Any) -> Optional[Union[int, float, bytes]]:
    """What a field holds, or None: nobody knows."""
    try:
        if dtype == _core.as_dtype("string"):
            return field.encode()
        return int(field) if dtype.is_integer else float(field) if dtype.is_floating else None
    except ValueError:
        return None  # of an empty field, which takes the default


class _Csv:
    """tf.data.experimental.CsvDataset: a tuple of scalars for each row."""

    def __init__(self, filenames: Any, record_defaults: Any, compression_type: Any = None,
                 buffer_size: Any = None, header: Any = False, field_delim: str = ",",
                 use_quote_delim: Any = True, na_value: str = "", select_cols: Any = None,
                 exclude_cols: Any = None) -> None:
        leaves = [Leaf(_dtype_of(default), []) for default in record_defaults]
        self._set(  # type: ignore[attr-defined]
            Structure((0,) * len(leaves), leaves),
            readers.records(filenames, compression_type, lambda name, compression: _rows(
                name, compression, leaves, bool(header), field_delim, select_cols, exclude_cols),
                lambda: _unknown_row(leaves)), UNKNOWN)


def _unknown_row(leaves: Sequence[Leaf]) -> Any:
    return tuple(component(leaf.dtype, []) for leaf in leaves)


def _rows(name: str, compression: str, leaves: List[Leaf], header: bool, delimiter: str, selected: Any,
          excluded: Any) -> Iterator[Run]:
    if outside.stands_in(name):
        yield _unknown_row(leaves), ASSUMED
        return
    count = readers.count_lines(name, compression) - header
    if compression or count > DISTINCT:
        yield _unknown_row(leaves), count
        return
    with open(name, newline="", encoding="utf-8", errors="replace") as file:
        for number, row in enumerate(csv.reader(file, delimiter=delimiter)):
            if not row or header and not number:
                continue
            columns = selected if selected is not None else [
                i for i in range(len(row)) if i not in (excluded or ())]
            fields = [row[i] if i < len(row) else "" for i in columns]
            yield tuple(component(leaf.dtype, [], _value_of(field, leaf.dtype))
                        for field, leaf in zip(fields, leaves)), 1


_versions = [type("CsvDataset", (_Csv, base), {"__doc__": _Csv.__doc__}) for base in (DatasetV1, DatasetV2)]
put(_versions[0], "tf.data.experimental.CsvDataset", "tf.contrib.data.CsvDataset")
put(_versions[1], "tf.data.experimental.CsvDataset", v1=False, v2=True)


def _files(pattern: Any) -> Optional[List[str]]:
    """The files of a pattern, or of several; None: they are not there, and something stands in for them."""
    patterns = [os.fsdecode(one) for one in (pattern if isinstance(pattern, (list, tuple)) else [pattern])]
    found = sorted(name for one in patterns for name in (
        [one] if tf_record.written_to(one) is not None else glob.glob(one)))
    if not found and any(outside.stands_in(one) or outside.matching(one) for one in patterns):
        return None
    if not found:
        raise ValueError("No files match `file_pattern` %s." % (pattern,))
    return found


def _head(name: str, compression: object, delimiter: str, rows: int) -> List[List[str]]:
    with open(name, "rb") as file:
        data = file.read()
    data = gzip.decompress(data) if compression == "GZIP" else zlib.decompress(data) if compression else data
    text = io.StringIO(data.decode("utf-8", "replace"), newline="")
    return [row for _, row in zip(range(rows), csv.reader(text, delimiter=delimiter))]


def _fits(field: str, kind: str) -> bool:
    try:
        if kind in ("int32", "int64"):
            return -2 ** (31 if kind == "int32" else 63) <= int(field) < 2 ** (31 if kind == "int32" else 63)
        return kind == "string" or kind == "float64" and bool(float(field) or True) or (
            kind == "float32" and abs(float(field)) <= 3.4028235e38)
    except ValueError:
        return False


def _inferred(rows: Sequence[Sequence[str]], column: int, na_value: str) -> str:
    """The least permissive dtype that takes each field of a column."""
    at = -1
    for row in rows:
        field = row[column] if column < len(row) else ""
        if field not in ("", na_value):
            at = max(at, next(i for i, kind in enumerate(_KINDS) if _fits(field, kind)))
    return _KINDS[at]


def _endless(dataset: Any, num_epochs: Any) -> Any:
    """The epochs that were asked for; without a number they do not end."""
    return dataset.repeat(num_epochs) if num_epochs != 1 else dataset


@export("tf.data.experimental.make_csv_dataset", "tf.contrib.data.make_csv_dataset", v2=True)
def make_csv_dataset(file_pattern: object, batch_size: object, column_names: Any = None,
                     column_defaults: Any = None, label_name: object = None, select_columns: Any = None,
                     field_delim: str = ",", use_quote_delim: bool = True, na_value: str = "",
                     header: bool = True, num_epochs: object = None, shuffle: bool = True,
                     shuffle_buffer_size: object = 10000, shuffle_seed: object = None,
                     prefetch_buffer_size: object = None, num_parallel_reads: object = None,
                     sloppy: bool = False, num_rows_for_inference: Any = 100, compression_type: Any = None,
                     ignore_errors: bool = False, encoding: object = "utf-8", comment: object = None,
                     num_parallel_parser_calls: object = 2, default_float_type: object = "float32") -> Any:
    """Batches of columns by name, and the label's apart.

    Raises ValueError for a pattern without files, doubled names, a label or a selection that is no column."""
    files = _files(file_pattern)
    if files is None and (column_names is None or column_defaults is None):
        return stored(None, "tf.data.experimental.make_csv_dataset()")
    rows = _head(files[0], compression_type, field_delim, 1 + (num_rows_for_inference or 1 << 20)) \
        if files is not None and (column_names is None or column_defaults is None) else []
    if column_names is None:
        if not header:
            raise ValueError("Expected `column_names` or `header` arguments; neither is provided.")
        column_names = rows[0]
    if len(column_names) != len(set(column_names)):
        raise ValueError("Either `column_names` argument or CSV header row contains duplicate column "
                         "names: %s." % {name for name in column_names if list(column_names).count(name) > 1})
    chosen = list(range(len(column_names))) if select_columns is None else [
        _column(column, column_names) for column in sorted(
            select_columns, key=lambda c: _column(c, column_names))]
    names = [column_names[i] for i in chosen]
    defaults = list(column_defaults) if column_defaults is not None else [
        _core.as_dtype(_inferred(rows[bool(header):], i, na_value)) for i in chosen]
    if label_name is not None and label_name not in names:
        raise ValueError("`label_name` provided must be one of the columns: %s. Received: %s."
                         % (names, label_name))
    made = _versions[not is_version_1()](
        file_pattern if files is None else files, defaults, compression_type, header=header,
        field_delim=field_delim, na_value=na_value, select_cols=None if select_columns is None else chosen)
    batches = _endless(made, num_epochs).batch(batch_size, drop_remainder=num_epochs is None)

    def packed(*columns: object) -> Any:
        features = collections.OrderedDict(zip(names, columns))
        return features if label_name is None else (features, features.pop(label_name))

    return _of_size(batches.map(packed), num_epochs)


def _column(column: Any, names: Sequence[str]) -> int:
    if isinstance(column, int):
        return column
    if column not in names:
        raise ValueError("Column %s specified in `select_columns` must be of one of the columns: %s."
                         % (column, dict.fromkeys(names).keys()))
    return list(names).index(column)


def _of_size(dataset: Any, num_epochs: Any) -> Any:
    return dataset._like(dataset._structure, dataset._runs, INFINITE if num_epochs is None else UNKNOWN)


@export("tf.data.experimental.make_batched_features_dataset", "tf.contrib.data.make_batched_features_dataset",
        v2=True)
def make_batched_features_dataset(file_pattern: object, batch_size: object, features: Any, reader: Any = None,
                                  label_key: Any = None, reader_args: Any = None, num_epochs: object = None,
                                  shuffle: bool = True, shuffle_buffer_size: object = 10000,
                                  shuffle_seed: object = None, prefetch_buffer_size: object = None,
                                  reader_num_threads: object = None, parser_num_threads: object = None,
                                  sloppy_ordering: bool = False, drop_final_batch: bool = False) -> Any:
    """Batches of parsed tf.train.Example records; the feature of `label_key` apart.

    Raises ValueError for a pattern without files and for a label that is no feature."""
    from shapeflow.tensorflow.python.ops import parsing_ops

    files = _files(file_pattern)
    if label_key is not None and label_key not in features:
        raise ValueError("The `label_key` provided (%r) must be one of the `features` keys." % (label_key,))
    names = file_pattern if files is None else files
    version = 0 if is_version_1() else 1
    reader = readers.TF_RECORD_DATASETS[version] if reader is None else reader
    made = reader(names, *(reader_args or ()))
    if not isinstance(made, DatasetV2):  # a reader of TensorFlow 1 is a class of queues
        return stored(None, "tf.data.experimental.make_batched_features_dataset()")
    batches = _endless(made, num_epochs).batch(
        batch_size, drop_remainder=drop_final_batch or num_epochs is None)

    def parsed(*records: object) -> Any:
        found = parsing_ops.parse_example(records[-1], features)  # behind its key, if it has one
        return found if label_key is None else (found, found.pop(label_key))

    return _of_size(batches.map(parsed), num_epochs)
