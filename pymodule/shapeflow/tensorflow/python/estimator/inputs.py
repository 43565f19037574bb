"""tf.estimator.inputs: input functions of arrays and tables, with the batches of their queues.

Without an end each batch is full; of a number of epochs the last one is what is left, and no size is known.
Source: tensorflow_estimator/python/estimator/inputs/{numpy_io,pandas_io}.py.
"""

from __future__ import annotations

import collections

import numpy as np

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.error_report import fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional


def _check_shuffle(shuffle: object) -> None:
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it as "
            "True for training); got {}".format(shuffle)
        )


def _batches(arrays: Dict[Any, Any], batch_size: int, num_epochs: Optional[int]) -> Dict[Any, Any]:
    """The next batch of arrays of one length, as tensors of the default graph."""
    from shapeflow.tensorflow.python.data import dataset_ops

    names = {"f%d" % at: key for at, key in enumerate(arrays)}
    dataset = dataset_ops.DatasetV1.from_tensor_slices({name: arrays[key] for name, key in names.items()})
    dataset = dataset.repeat(num_epochs).batch(batch_size, drop_remainder=num_epochs is None)
    batch = dataset.make_one_shot_iterator().get_next()
    return {key: batch[name] for name, key in names.items()}


@export("tf.estimator.inputs.numpy_input_fn")
def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: Optional[int] = 1,
    shuffle: object = None,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    _check_shuffle(shuffle)

    def input_fn() -> Any:
        if not isinstance(x, (dict, np.ndarray)) and not hasattr(x, "_sf_unmodelled"):
            raise TypeError("x must be a dict or array; got {}".format(type(x).__name__))
        if isinstance(x, dict) and not x:
            raise ValueError("x cannot be an empty dict")
        if isinstance(y, dict) and not y:
            raise ValueError("y cannot be empty dict, use None instead.")
        features = (
            {key: np.asarray(x[key]) for key in sorted(x)} if isinstance(x, dict) else {"__direct__": x}
        )
        labels = {} if y is None else dict(y) if isinstance(y, dict) else {"__target_key__": y}
        if features.keys() & labels.keys():
            both = features.keys() & labels.keys()
            raise ValueError("{} duplicate keys are found in both x and y: {}".format(len(both), both))
        arrays: Dict[Any, Any] = collections.OrderedDict(features)
        arrays.update(labels)
        if len({np.shape(v)[0] for v in arrays.values() if not hasattr(v, "_sf_unmodelled")}) > 1:
            shapes = {key: np.shape(features[key]) for key in features}
            of_y = (
                None
                if y is None
                else np.shape(y)
                if not isinstance(y, dict)
                else {k: np.shape(y[k]) for k in y}
            )
            raise fail(
                "SF102",
                "Length of tensors in x and y is mismatched. All elements in x and y must have the "
                "same length.\nShapes in x: {text}\nShapes in y: {text}\n",
                shapes,
                of_y,
            )
        batch = _batches(arrays, batch_size, num_epochs)
        found = {key: batch[key] for key in features} if isinstance(x, dict) else batch["__direct__"]
        if y is None:
            return found
        return found, {key: batch[key] for key in labels} if isinstance(y, dict) else batch[
            "__target_key__"
        ]

    return input_fn


@export("tf.estimator.inputs.pandas_input_fn")
def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: Optional[int] = 1,
    shuffle: object = None,
    queue_capacity: int = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable[[], Any]:
    _check_shuffle(shuffle)
    table = x.copy()
    columns = [str(name) for name in table.columns]
    targets = []
    if y is not None:
        if not np.array_equal(table.index, y.index):
            raise ValueError(
                "Index for x and y are mismatched.\nIndex for x: %s\nIndex for y: %s\n"
                % (table.index, y.index)
            )
        targets = [str(name) for name in y.columns] if hasattr(y, "columns") else [target_column]

    def input_fn() -> Any:
        arrays = {name: _column(table[key]) for name, key in zip(columns, table.columns)}
        labels = {"y:" + name: _column(y[name] if hasattr(y, "columns") else y) for name in targets}
        batch = _batches({**arrays, **labels}, batch_size, num_epochs)
        features = {name: batch[name] for name in columns}
        if y is None:
            return features
        found = {name: batch["y:" + name] for name in targets}
        return features, found if hasattr(y, "columns") else found[target_column]

    return input_fn


def _column(values: object) -> Any:
    found = np.asarray(values)
    return found.astype(str) if found.dtype == object else found
