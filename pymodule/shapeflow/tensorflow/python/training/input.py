"""tf.train.batch and its family; readers of files.

Shapes come from the tensors that are batched. Source: tensorflow/python/training/input.py,
tensorflow/python/ops/io_ops.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import op, tf, unknown
from shapeflow.tensorflow.python.training import queue_lengths, queues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional


def _runner(queue: object, enqueue_ops: object) -> None:
    queues.add_queue_runner(queues.QueueRunner(queue, enqueue_ops))


# --- producers ---------------------------------------------------------------------------------------
@export("tf.train.input_producer")
def input_producer(input_tensor: Any, element_shape: object = None, num_epochs: Any = None,
                   shuffle: bool = True, seed: object = None, capacity: int = 32,
                   shared_name: object = None, summary_name: object = None, name: Optional[str] = None,
                   cancel_op: object = None) -> queues.FIFOQueue:
    with framework_lib.name_scope(name, "input_producer", [input_tensor]) as scope:
        input_tensor = framework_lib.convert_to_tensor(input_tensor, None, "input_tensor")
        shape = input_tensor.get_shape()
        if shape.ndims == 0:
            raise fail("SF132", "Shape () must have rank at least {rank}", 1)
        rest = _core.TensorShape(shape.as_list()[1:]) if shape.ndims is not None else \
            _core.TensorShape(element_shape)
        if element_shape is not None:
            rest = rest.merge_with(element_shape)
        if not rest.is_fully_defined():
            raise fail("SF132", "Either `input_tensor` must have a fully defined shape or "
                       "`element_shape` must be specified")
        _epoch_counter(num_epochs)
        queue = queues.FIFOQueue(capacity, [input_tensor.dtype.base_dtype], [rest], name=scope)
        _runner(queue, [queue.enqueue_many([input_tensor])])
        queue._end, queue._rows = queue_lengths.produced(input_tensor, num_epochs), input_tensor
        return queue


def _epoch_counter(num_epochs: Any) -> None:
    """limit_epochs makes a local variable, which scripts must initialise."""
    if num_epochs is None:
        return
    if num_epochs <= 0:
        raise ValueError("num_epochs must be > 0 not %d." % num_epochs)
    from shapeflow.tensorflow.python.ops.variables import Variable

    with framework_lib.name_scope("limit_epochs"):
        Variable(tf.constant(0, dtype=_core.as_dtype("int64")), name="epochs", trainable=False,
                 collections=["local_variables"])


@export("tf.train.limit_epochs")
def limit_epochs(tensor: object, num_epochs: object = None, name: Optional[str] = None) -> Any:
    if num_epochs is None:
        return tensor
    _epoch_counter(num_epochs)
    return tf.identity(tensor, name=name)


@export("tf.train.string_input_producer")
def string_input_producer(string_tensor: Any, num_epochs: object = None, shuffle: bool = True,
                          seed: object = None, capacity: int = 32, shared_name: object = None,
                          name: Optional[str] = None, cancel_op: object = None) -> queues.FIFOQueue:
    if not isinstance(string_tensor, _core.Tensor) and not len(string_tensor):
        raise fail("SF201", "string_input_producer requires a non-null input tensor")
    with framework_lib.name_scope(name, "input_producer", [string_tensor]) as scope:
        string_tensor = framework_lib.convert_to_tensor(string_tensor, _core.as_dtype("string"))
        return input_producer(string_tensor, [], num_epochs, shuffle, seed, capacity, name=scope)


@export("tf.train.range_input_producer")
def range_input_producer(limit: object, num_epochs: object = None, shuffle: bool = True, seed: object = None,
                         capacity: int = 32, shared_name: object = None,
                         name: Optional[str] = None) -> queues.FIFOQueue:
    with framework_lib.name_scope(name, "input_producer", [limit]) as scope:
        return input_producer(tf.range(limit), [], num_epochs, shuffle, seed, capacity, name=scope)


@export("tf.train.slice_input_producer")
def slice_input_producer(tensor_list: Any, num_epochs: object = None, shuffle: bool = True,
                         seed: object = None, capacity: int = 32, shared_name: object = None,
                         name: Optional[str] = None) -> List[Any]:
    with framework_lib.name_scope(name, "input_producer", tensor_list):
        tensors = [framework_lib.convert_to_tensor(t) for t in tensor_list]
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        size = tf.shape(tensors[0])[0]
        queue = range_input_producer(size, num_epochs, shuffle, seed, capacity)
        index = queue.dequeue()
        return [tf.gather(t, index) for t in tensors]


@export("tf.train.match_filenames_once")
def match_filenames_once(pattern: object, name: Optional[str] = None) -> Any:
    from shapeflow.tensorflow.python.ops.variables import Variable

    return Variable(unknown("string", [None]), name=name or "matching_filenames", trainable=False,
                    validate_shape=False, collections=["local_variables"])


# --- batching --------------------------------------------------------------------------------------------
def _flat(tensors: Any) -> Any:
    """(list of tensors, function that gives results in the form of `tensors`)."""
    if isinstance(tensors, dict):
        keys = sorted(tensors)
        return [tensors[k] for k in keys], lambda made: dict(zip(keys, made))
    if isinstance(tensors, (list, tuple)):
        return list(tensors), lambda made: made[0] if len(made) == 1 else made
    return [tensors], lambda made: made[0]


def _is_enough(shape: Any, dynamic_pad: bool) -> bool:
    return shape.ndims is not None if dynamic_pad else bool(shape.is_fully_defined())


def _unknown_batch(value: Any, enqueue_many: bool) -> Any:
    """Batches of something of which TensorFlow knows the shape, and we do not."""
    shape = value.get_shape()
    if shape.ndims is not None:
        shape = _core.TensorShape([None]).concatenate(shape[1:] if enqueue_many else shape)
    dtype = None if _core.is_unmodelled(value, True) else value.dtype.base_dtype
    return unknown(dtype, shape, inputs=[value])


def _batched(tensors: object, batch_size: object, enqueue_many: bool, shapes: Any, dynamic_pad: bool,
             smaller: bool, scope: str, name: Optional[str], count: int = 1) -> Any:
    values, form = _flat(tensors)
    if not values:
        raise ValueError("Expected at least one tensor in %s()." % scope)
    with framework_lib.name_scope(name, scope, values) as full:
        sparse = {i: v for i, v in enumerate(values) if isinstance(v, framework_lib.SparseTensor)}
        values = [_stored(v, enqueue_many) if i in sparse else framework_lib.convert_to_tensor(v)
                  for i, v in enumerate(values)]
        static = []
        if shapes is None and any(_core.is_unmodelled(v) and not _is_enough(v.get_shape(), dynamic_pad)
                                  for v in values):
            return form([_unknown_batch(v, enqueue_many) for v in values])
        for i, v in enumerate(values):
            shape = v.get_shape() if shapes is None else _core.TensorShape(shapes[i])
            if shapes is None and enqueue_many and shape.ndims is not None:
                shape = _core.TensorShape(shape.with_rank_at_least(1).as_list()[1:])
            if not dynamic_pad and not shape.is_fully_defined():
                raise fail("SF132", "All shapes must be fully defined: {text}",
                           [v.get_shape() for v in values])
            static.append(shape)
        dtypes = [v.dtype.base_dtype for v in values]
        queue: object
        if scope.startswith("shuffle"):
            queue = queues.RandomShuffleQueue(32, 0, dtypes, static)
        elif dynamic_pad:
            queue = queues.PaddingFIFOQueue(32, dtypes, static)
        else:
            queue = queues.FIFOQueue(32, dtypes, static)
        _runner(queue, [queue.enqueue_many(values) if enqueue_many else queue.enqueue(values)])
        end = queue_lengths.end_of(values)
        queue._end = queue_lengths.times(end, values[0]) if enqueue_many else end
        take = queue.dequeue_up_to if smaller else queue.dequeue_many
        made = take(batch_size, name=full)
        return form([_taken(one, sparse[i], not enqueue_many) if i in sparse else one
                     for i, one in enumerate(made if isinstance(made, list) else [made])])


def _stored(sparse: framework_lib.SparseTensor, enqueue_many: bool) -> object:
    """What a queue holds instead of a SparseTensor: a number under which it is kept, as TensorFlow does."""
    kind = "AddManySparseToTensorsMap" if enqueue_many else "AddSparseToTensorsMap"
    handle = op(kind, [sparse.indices, sparse.values, sparse.dense_shape])
    return tf.expand_dims(handle, 1 if enqueue_many else 0)


def _taken(handles: object, sparse: framework_lib.SparseTensor,
           is_deeper: bool) -> framework_lib.SparseTensor:
    """A batch of what `_stored` has; is_deeper: those are elements of it, not parts."""
    made = op("TakeManySparseFromTensorsMap", [tf.squeeze(handles, [1])], {"dtype": sparse.dtype})
    indices, values, shape = made.outputs
    rank = sparse.get_shape().ndims
    if rank is not None:
        indices.set_shape([None, rank + is_deeper])
        shape.set_shape([rank + is_deeper])
    return framework_lib.SparseTensor(indices, values, shape)


@export("tf.train.batch")
def batch(tensors: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32,
          enqueue_many: bool = False, shapes: Any = None, dynamic_pad: bool = False,
          allow_smaller_final_batch: bool = False, shared_name: Any = None,
          name: Optional[str] = None) -> Any:
    return _batched(tensors, batch_size, enqueue_many, shapes, dynamic_pad,
                    allow_smaller_final_batch, "batch", name)


@export("tf.train.maybe_batch")
def maybe_batch(tensors: Any, keep_input: object, batch_size: Any, *args: Any, **kwargs: Any) -> Any:
    return batch(tensors, batch_size, *args, **kwargs)


@export("tf.train.shuffle_batch")
def shuffle_batch(tensors: object, batch_size: object, capacity: int, min_after_dequeue: int,
                  num_threads: int = 1, seed: object = None, enqueue_many: bool = False,
                  shapes: object = None, allow_smaller_final_batch: bool = False,
                  shared_name: object = None, name: Optional[str] = None) -> Any:
    if isinstance(capacity, int) and isinstance(min_after_dequeue, int) and \
            capacity <= min_after_dequeue:
        raise fail("SF201", "capacity {int} must be bigger than min_after_dequeue {int}.", capacity,
                   min_after_dequeue)
    return _batched(tensors, batch_size, enqueue_many, shapes, False, allow_smaller_final_batch,
                    "shuffle_batch", name)


@export("tf.train.maybe_shuffle_batch")
def maybe_shuffle_batch(tensors: Any, batch_size: Any, capacity: int, min_after_dequeue: int,
                        keep_input: object, *args: Any, **kwargs: Any) -> Any:
    return shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, *args, **kwargs)


@export("tf.train.batch_join")
def batch_join(tensors_list: Any, batch_size: Any, capacity: int = 32, enqueue_many: bool = False,
               shapes: Any = None, dynamic_pad: bool = False,
               allow_smaller_final_batch: bool = False, shared_name: object = None,
               name: Optional[str] = None) -> Any:
    return _batched(tensors_list[0], batch_size, enqueue_many, shapes, dynamic_pad,
                    allow_smaller_final_batch, "batch_join", name)


@export("tf.train.shuffle_batch_join")
def shuffle_batch_join(tensors_list: Any, batch_size: Any, capacity: int, min_after_dequeue: int,
                       seed: object = None, enqueue_many: bool = False, shapes: Any = None,
                       allow_smaller_final_batch: bool = False, shared_name: object = None,
                       name: Optional[str] = None) -> Any:
    return _batched(tensors_list[0], batch_size, enqueue_many, shapes, False,
                    allow_smaller_final_batch, "shuffle_batch_join", name)


@export("tf.train.maybe_batch_join")
def maybe_batch_join(tensors_list: Any, keep_input: object, batch_size: Any, *args: Any,
                     **kwargs: Any) -> Any:
    return batch_join(tensors_list, batch_size, *args, **kwargs)


@export("tf.train.maybe_shuffle_batch_join")
def maybe_shuffle_batch_join(tensors_list: Any, batch_size: Any, capacity: int,
                             min_after_dequeue: int, keep_input: object, *args: Any,
                             **kwargs: Any) -> Any:
    return shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, *args, **kwargs)


# --- readers -----------------------------------------------------------------------------------------------
@export("tf.ReaderBase")
class ReaderBase:
    """A reader: two scalar strings for each record."""

    def __init__(self, *args: Any, name: Optional[str] = None, **kwargs: Any) -> None:
        self._name = name or type(self).__name__ + "V2"
        names = {"TextLineReader": ["skip_header_lines"],
                 "FixedLengthRecordReader": ["record_bytes", "header_bytes", "footer_bytes"]}
        self._options = {**dict(zip(names.get(type(self).__name__, []), args)), **kwargs}
        self.reader_ref: object = None

    supports_serialize = False

    def read(self, queue: Any, name: Optional[str] = None) -> Any:
        import collections

        ReaderRead = collections.namedtuple("ReaderRead", ["key", "value"])
        with framework_lib.name_scope(name, "ReaderReadV2"):
            made = ReaderRead(unknown("string", [], "key"), unknown("string", [], "value"))
            end = queue_lengths.records(type(self).__name__, queue, self._options)
            for tensor in made if end is not None else ():
                queue_lengths.count_down(tensor.op, queue_lengths.Owner(), end, 1, False, False,
                                       queue._closed_message())
            return made

    def read_up_to(self, queue: object, num_records: object, name: Optional[str] = None) -> Any:
        import collections

        ReaderReadUpTo = collections.namedtuple("ReaderReadUpTo", ["keys", "values"])
        with framework_lib.name_scope(name, "ReaderReadUpToV2"):
            return ReaderReadUpTo(unknown("string", [None], "keys"), unknown("string", [None], "values"))

    def num_records_produced(self, name: Optional[str] = None) -> Any:
        return unknown("int64", [], name or "ReaderNumRecordsProducedV2")

    num_work_units_completed = num_records_produced

    def serialize_state(self, name: Optional[str] = None) -> Any:
        return unknown("string", [], name or "ReaderSerializeStateV2")

    def restore_state(self, state: object, name: Optional[str] = None) -> Any:
        return framework_lib.no_op(name)

    reset = restore_state


for _name in ("WholeFileReader", "TextLineReader", "FixedLengthRecordReader", "TFRecordReader",
              "LMDBReader", "IdentityReader"):
    globals()[_name] = export("tf." + _name)(type(_name, (ReaderBase,), {"__doc__": "tf." + _name}))
