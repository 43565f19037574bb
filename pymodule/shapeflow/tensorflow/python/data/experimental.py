"""tf.contrib.data, tf.data.experimental, and the smaller parts of tf.data.

Source: tensorflow/contrib/data/python/ops, tensorflow/python/data/experimental/ops.
"""
from __future__ import annotations

from typing import Any, Callable

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.data.dataset_ops import (
    UNKNOWN,
    DatasetV1,
    DatasetV2,
    _static,
    joined,
    stored,
)
from shapeflow.tensorflow.python.data.structure import Leaf, Structure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from shapeflow.api.registry import Decorator

Apply = Callable[[Any], Any]


def _both(name: str) -> "Decorator":
    return export("tf.contrib.data." + name, "tf.data.experimental." + name, v2=True)


@_both("batch_and_drop_remainder")
def batch_and_drop_remainder(batch_size: object) -> Apply:
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


@_both("padded_batch_and_drop_remainder")
def padded_batch_and_drop_remainder(batch_size: object, padded_shapes: object,
                                    padding_values: object = None) -> Apply:
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values,
                                                drop_remainder=True)


@_both("map_and_batch")
def map_and_batch(map_func: object, batch_size: object, num_parallel_batches: object = None,
                  drop_remainder: bool = False, num_parallel_calls: object = None) -> Apply:
    return lambda dataset: dataset.map(map_func).batch(batch_size, drop_remainder=drop_remainder)


@_both("shuffle_and_repeat")
def shuffle_and_repeat(buffer_size: object, count: object = None, seed: object = None) -> Apply:
    return lambda dataset: dataset.shuffle(buffer_size).repeat(count)


@_both("unbatch")
def unbatch() -> Apply:
    return lambda dataset: dataset.unbatch()


@_both("enumerate_dataset")
def enumerate_dataset(start: object = 0) -> Apply:
    return lambda dataset: dataset.enumerate(start)


@_both("parallel_interleave")
def parallel_interleave(map_func: object, cycle_length: object, block_length: object = 1,
                        *args: object, **kwargs: object) -> Apply:
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length)


@_both("sloppy_interleave")
def sloppy_interleave(map_func: object, cycle_length: object, block_length: object = 1) -> Apply:
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length)


@_both("prefetch_to_device")
def prefetch_to_device(device: object, buffer_size: object = None) -> Apply:
    return lambda dataset: dataset.prefetch(buffer_size)


@_both("copy_to_device")
def copy_to_device(target_device: object, source_device: object = "/cpu:0") -> Apply:
    return lambda dataset: dataset


@_both("ignore_errors")
def ignore_errors(log_warning: bool = False) -> Apply:
    return lambda dataset: dataset


@_both("snapshot")
def snapshot(*args: object, **kwargs: object) -> Apply:
    return lambda dataset: dataset


@_both("scan")
def scan(initial_state: object, scan_func: object) -> Apply:
    return lambda dataset: dataset.scan(initial_state, scan_func)


@_both("take_while")
def take_while(predicate: object) -> Apply:
    return lambda dataset: dataset.take_while(predicate)


@_both("unique")
def unique() -> Apply:
    return lambda dataset: dataset.unique()


@_both("assert_cardinality")
def assert_cardinality(expected_cardinality: object) -> Apply:
    return lambda dataset: dataset._like(dataset._structure, dataset._runs,
                                         _static(expected_cardinality) or UNKNOWN)


@_both("cardinality")
def cardinality(dataset: Any) -> Any:
    return dataset.cardinality()


@_both("Counter")
def Counter(start: object = 0, step: object = 1, dtype: object = "int64") -> Any:
    return (DatasetV2 if _core.executing_eagerly() else DatasetV1).counter(start, step, dtype)


@_both("sample_from_datasets")
def sample_from_datasets(datasets: Any, weights: object = None, seed: object = None,
                         *args: object, **kwargs: object) -> Any:
    """Which dataset comes next is random: they follow each other here."""
    return joined(list(datasets), "sample_from_datasets")


@_both("choose_from_datasets")
def choose_from_datasets(datasets: Any, choice_dataset: object, *args: object, **kwargs: object) -> Any:
    return joined(list(datasets), "choose_from_datasets")


@export("tf.data.experimental.load", v2=True)
def load(path: object, element_spec: object = None, compression: object = None,
         reader_func: object = None) -> Any:
    return DatasetV2.load(path, element_spec)


@export("tf.data.experimental.save", v2=True)
def save(dataset: Any, path: Any, compression: Any = None, shard_func: Any = None,
         checkpoint_args: Any = None) -> None:
    dataset.save(path, compression, shard_func, checkpoint_args)


@export("tf.data.experimental.from_list", v2=True)
def from_list(elements: object, name: Optional[str] = None) -> Any:
    """A dataset of the elements of a list, which may differ in their open dims.

    Raises ValueError for an empty list, TypeError for elements of different structures."""
    if not isinstance(elements, list):
        raise TypeError("`elements` must be a list.")
    if not elements:
        raise ValueError("`elements` must not be empty.")
    parts = [DatasetV2.from_tensors(element) for element in elements]
    made = parts[0]
    for part in parts[1:]:
        made = made.concatenate(part)
    return made


@export("tf.data.experimental.service.distribute", v2=True)
def distribute(processing_mode: object, service: object, job_name: object = None,
               consumer_index: object = None, num_consumers: object = None,
               max_outstanding_requests: object = None, data_transfer_protocol: object = None,
               compression: object = "AUTO", cross_trainer_cache: object = None,
               target_workers: object = "AUTO") -> Apply:
    """Workers make the elements: the same ones, in some order."""
    return lambda dataset: dataset._like(dataset._structure, dataset._runs, UNKNOWN)


@export("tf.data.experimental.service.from_dataset_id", v2=True)
def from_dataset_id(processing_mode: object, service: object, dataset_id: object, element_spec: object = None,
                    job_name: object = None, consumer_index: object = None, num_consumers: object = None,
                    max_outstanding_requests: object = None, data_transfer_protocol: object = None,
                    cross_trainer_cache: object = None, target_workers: object = "AUTO") -> Any:
    return stored(element_spec, "tf.data.experimental.service.from_dataset_id()")


@export("tf.data.experimental.from_variant", v2=True)
def from_variant(variant: object, structure: object) -> Any:
    return stored(structure, "tf.data.experimental.from_variant()")


@_both("dense_to_ragged_batch")
def dense_to_ragged_batch(batch_size: object, drop_remainder: bool = False,
                          row_splits_dtype: object = "int64") -> Apply:
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)


@_both("get_structure")
def get_structure(dataset_or_iterator: Any) -> Any:
    return dataset_or_iterator.element_spec


class RandomDatasetV2(DatasetV2):
    """Random numbers without an end."""

    def __init__(self, seed: Any = None, rerandomize_each_iteration: Any = None, name: Any = None) -> None:
        drawn = DatasetV2.random(seed)
        self._set(drawn._structure, drawn._runs, drawn._size)


put(RandomDatasetV2, "tf.data.experimental.RandomDataset", v1=False, v2=True)


@export("tf.data.experimental.Reducer", v2=True)
class Reducer:
    """The three functions of a reduction."""

    def __init__(self, init_func: Any, reduce_func: Any, finalize_func: Any) -> None:
        self.init_func, self.reduce_func, self.finalize_func = init_func, reduce_func, finalize_func


@_both("group_by_reducer")
def group_by_reducer(key_func: object, reducer: Reducer) -> Apply:
    """What the functions make of the elements of a key: how many keys there are is not known."""
    def apply(dataset: Any) -> Any:
        key = _core.convert_to_tensor(0, _core.as_dtype("int64"))

        def turn(*element: Any) -> Any:
            given = element[0] if len(element) == 1 else element
            return reducer.finalize_func(reducer.reduce_func(reducer.init_func(key), given))

        made = dataset.map(turn)
        return made._like(made._structure, made._runs, UNKNOWN)

    return apply


@_both("dense_to_sparse_batch")
def dense_to_sparse_batch(batch_size: object, row_shape: object) -> Apply:
    return lambda dataset: dataset._dense_to_sparse_batch(batch_size, row_shape)


@_both("rejection_resample")
def rejection_resample(class_func: object, target_dist: object, initial_dist: object = None,
                       seed: object = None) -> Apply:
    def apply(dataset: Any) -> Any:
        structure = Structure((0, dataset._structure.form),
                              [Leaf("int32", [])] + dataset._structure.leaves)
        key = (structure.leaves[0].unknown(),)
        return dataset._like(structure, lambda env: ((key + e, n) for e, n in dataset._runs(env)),
                             UNKNOWN)

    return apply


@_both("assert_element_shape")
def assert_element_shape(expected_shapes: object) -> Apply:
    from shapeflow.tensorflow.python.data.structure import flatten

    def check(*args: object) -> Any:
        for tensor, shape in zip(flatten(args), flatten(expected_shapes)):
            tensor.set_shape(shape)
        return args[0] if len(args) == 1 else args

    return lambda dataset: dataset.map(check)
