"""Queues, queue runners and coordinators.

A queue holds no elements: what is dequeued has the dtypes and shapes that were declared or
enqueued, and a dequeue never blocks; where it ends is counted (data_queues). Runners start no
threads. Source: data_flow_ops.py,
queue_runner_impl.py, coordinator.py.
"""
from __future__ import annotations

import contextlib
import threading

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import known_op, op, outputs, tf, unknown
from shapeflow.tensorflow.python.training import queue_lengths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional


def _as_shapes(shapes: Any, count: int) -> List[Any]:
    if shapes is None:
        return [_core.TensorShape(None)] * count
    if isinstance(shapes, _core.TensorShape) or (
            count == 1 and isinstance(shapes, (list, tuple))
            and all(isinstance(d, (int, type(None))) for d in shapes)):
        return [_core.TensorShape(shapes)] * count
    return [_core.TensorShape(s) for s in shapes]


@export("tf.QueueBase", "tf.queue.QueueBase")
class QueueBase:
    """What all queues share."""

    _op = "FIFOQueueV2"
    _scope = "fifo_queue"

    def __init__(self, dtypes: Any, shapes: Any, names: Any, name: Optional[str], capacity: Any = None,
                 attrs: Any = None) -> None:
        self._dtypes = [_core.as_dtype(d) for d in (
            dtypes if isinstance(dtypes, (list, tuple)) else [dtypes])]
        self._given_shapes = shapes is not None
        self._shapes = _as_shapes(shapes, len(self._dtypes))
        if len(self._shapes) != len(self._dtypes):
            raise ValueError("Queue shapes must have the same length as dtypes")
        self._names = list(names) if isinstance(names, (list, tuple)) else [names] if names else None
        self._capacity = capacity
        self._end: Any = None   # how many elements it will have held, when it has an end
        self._rows: Any = None  # a producer: the tensor whose rows it holds
        self.queue_ref: Any = None
        options: Dict[str, Any] = {"component_types": self._dtypes, "shared_name": ""}
        if self._given_shapes:
            options["shapes"] = self._shapes
        if isinstance(capacity, int):
            options["capacity"] = capacity
        options.update(attrs or {})
        if known_op(self._op) and not _core.executing_eagerly():
            self.queue_ref = op(self._op, [], options, name or self._scope)
            self._name = self.queue_ref.op.name
        else:
            self._name = name or self._scope

    name = property(lambda self: self._name)
    names = property(lambda self: self._names)
    dtypes = property(lambda self: list(self._dtypes))
    shapes = property(lambda self: list(self._shapes))

    @classmethod
    def from_list(cls, index: object, queues: List[object]) -> Any:
        return queues[0]

    # --- enqueue
    def _values(self, vals: object) -> List[Any]:
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            vals = [vals[n] for n in self._names]
        elif not isinstance(vals, (list, tuple)):
            vals = [vals]
        if len(vals) != len(self._dtypes):
            raise fail("SF201", "Expected {int} values, got {int}", len(self._dtypes), len(vals))
        return [framework_lib.convert_to_tensor(v, d, "component_%d" % i)
                for i, (v, d) in enumerate(zip(vals, self._dtypes))]

    def enqueue(self, vals: object, name: Optional[str] = None) -> Any:
        with framework_lib.name_scope(name, "%s_enqueue" % self._name.rsplit("/", 1)[-1]) as scope:
            values = self._values(vals)
            for i, (value, shape) in enumerate(zip(values, self._shapes)):
                self._fit(i, value.get_shape(), shape, 0)
            return self._node("QueueEnqueueV2", [values], scope)

    def enqueue_many(self, vals: object, name: Optional[str] = None) -> Any:
        with framework_lib.name_scope(name, "%s_EnqueueMany" % self._name.rsplit("/", 1)[-1]) as scope:
            values = self._values(vals)
            for i, (value, shape) in enumerate(zip(values, self._shapes)):
                got = value.get_shape().with_rank_at_least(1)
                self._fit(i, got, shape, 1)
            return self._node("QueueEnqueueManyV2", [values], scope)

    def _fit(self, i: int, got: Any, want: Any, skip: int) -> None:
        """Declared shapes are checked; undeclared ones are learnt from what is enqueued."""
        element = _core.TensorShape(got.as_list()[skip:]) if got.ndims is not None else got
        if self._given_shapes:
            if not element.is_compatible_with(want):
                raise fail("SF132", "Shapes {shape} and {shape} are incompatible", element, want)
        elif want.ndims is None:
            self._shapes[i] = element
        elif not want.is_compatible_with(element):
            self._shapes[i] = _core.TensorShape(None)
        else:
            self._shapes[i] = want.merge_with(element) if want.is_fully_defined() else want

    def _node(self, op_type: str, inputs: List[object], name: str) -> Any:
        if self.queue_ref is not None and known_op(op_type):
            return _core.make_op(op_type, [self.queue_ref] + inputs, None, name)
        with framework_lib.control_dependencies([v for group in inputs for v in (
                group if isinstance(group, list) else [group])]):
            return framework_lib.no_op(name)

    # --- dequeue
    def _packed(self, tensors: List[object]) -> Any:
        if self._names:
            return dict(zip(self._names, tensors))
        return tensors[0] if len(tensors) == 1 else tensors

    def _closed_message(self) -> str:
        return "%s '_0_%s' is closed and has insufficient elements (requested %%d, current size %%d)" \
            % (type(self).__name__, self._name)

    def _dequeued(self, op_type: str, inputs: List[Any], heads: Any, name: str,
                  size: Optional[int] = 1, smaller: bool = False) -> Any:
        shapes = [s if heads is None else _core.TensorShape([heads]).concatenate(s)
                  for s in self._shapes]
        if self.queue_ref is not None and known_op(op_type):
            made = outputs(op_type, [self.queue_ref] + inputs,
                           {"component_types": self._dtypes}, name)
            for tensor, shape in zip(made, shapes):
                tensor.set_shape(shape)
            if size is not None:
                queue_lengths.count_down(made[0].op, self, self._end, size,
                                       op_type != "QueueDequeueV2", smaller, self._closed_message())
        else:
            made = [unknown(d, s, name) for d, s in zip(self._dtypes, shapes)]
        return self._packed(made)

    def dequeue(self, name: Optional[str] = None) -> Any:
        return self._dequeued("QueueDequeueV2", [], None,
                              name or "%s_Dequeue" % self._name.rsplit("/", 1)[-1])

    def dequeue_many(self, n: object, name: Optional[str] = None) -> Any:
        n = framework_lib.convert_to_tensor(n, _core.as_dtype("int32"), "n")
        known = _core.constant_value(n)
        if known is None:
            return self._some(n, name, None, False)
        return self._dequeued("QueueDequeueManyV2", [n], int(known),
                              name or "%s_DequeueMany" % self._name.rsplit("/", 1)[-1], int(known))

    def _some(self, n: object, name: Optional[str], size: Optional[int], smaller: bool) -> Any:
        """A number of elements that the graph does not fix."""
        kept = self._shapes
        kind = "UpTo" if smaller and not _core.executing_eagerly() else "Many"
        try:
            self._shapes = [_core.TensorShape([None]).concatenate(s) for s in kept]
            return self._dequeued("QueueDequeue%sV2" % kind, [n], None, name or "%s_Dequeue%s" % (
                self._name.rsplit("/", 1)[-1], kind), size, smaller)
        finally:
            self._shapes = kept

    def dequeue_up_to(self, n: object, name: Optional[str] = None) -> Any:
        n = framework_lib.convert_to_tensor(n, _core.as_dtype("int32"), "n")
        known = _core.constant_value(n)
        return self._some(n, name, None if known is None else int(known), True)

    # --- the rest
    def close(self, cancel_pending_enqueues: bool = False, name: Optional[str] = None) -> Any:
        return framework_lib.no_op(name or "%s_Close" % self._name.rsplit("/", 1)[-1])

    def size(self, name: Optional[str] = None) -> Any:
        beside = contextlib.nullcontext() if self.queue_ref is None else \
            framework_lib.colocate_with(self.queue_ref)
        with beside:
            return unknown("int32", [], name or "%s_Size" % self._name.rsplit("/", 1)[-1])

    def is_closed(self, name: Optional[str] = None) -> Any:
        return tf.constant(False, name=name or "is_closed")


@export("tf.FIFOQueue", "tf.queue.FIFOQueue", v2=True)
class FIFOQueue(QueueBase):
    def __init__(self, capacity: Any, dtypes: Any, shapes: Any = None, names: Any = None,
                 shared_name: Any = None, name: str = "fifo_queue") -> None:
        super().__init__(dtypes, shapes, names, name, capacity)


@export("tf.PaddingFIFOQueue", "tf.queue.PaddingFIFOQueue", v2=True)
class PaddingFIFOQueue(QueueBase):
    _op = "PaddingFIFOQueueV2"

    def __init__(self, capacity: Any, dtypes: Any, shapes: Any, names: Any = None,
                 shared_name: Any = None, name: str = "padding_fifo_queue") -> None:
        super().__init__(dtypes, shapes, names, name, capacity)


@export("tf.RandomShuffleQueue", "tf.queue.RandomShuffleQueue", v2=True)
class RandomShuffleQueue(QueueBase):
    _op = "RandomShuffleQueueV2"

    def __init__(self, capacity: Any, min_after_dequeue: Any, dtypes: Any, shapes: Any = None,
                 names: Any = None, seed: Any = None, shared_name: Any = None,
                 name: str = "random_shuffle_queue") -> None:
        super().__init__(dtypes, shapes, names, name, capacity)


@export("tf.PriorityQueue", "tf.queue.PriorityQueue", v2=True)
class PriorityQueue(QueueBase):
    _op = "PriorityQueueV2"

    def __init__(self, capacity: Any, types: Any, shapes: Any = None, names: Any = None,
                 shared_name: Any = None, name: str = "priority_queue") -> None:
        super().__init__(types, shapes, names, name, capacity)


# --- runners and coordinators -----------------------------------------------------------------------
@export("tf.train.QueueRunner", "tf.train.queue_runner.QueueRunner")
class QueueRunner:
    """Kept in its collection; its threads are never started."""

    def __init__(self, queue: Any = None, enqueue_ops: Any = None, close_op: Any = None,
                 cancel_op: Any = None, queue_closed_exception_types: Any = None,
                 queue_runner_def: Any = None, import_scope: Any = None) -> None:
        self._queue = queue
        self._enqueue_ops = list(enqueue_ops or ())

    queue = property(lambda self: self._queue)
    enqueue_ops = property(lambda self: self._enqueue_ops)
    name = property(lambda self: getattr(self._queue, "name", "queue"))
    exceptions_raised = property(lambda self: [])

    def create_threads(self, sess: object, coord: object = None, daemon: bool = False,
                       start: bool = False) -> List[Any]:
        return []


@export("tf.train.add_queue_runner", "tf.train.queue_runner.add_queue_runner")
def add_queue_runner(qr: object, collection: object = GraphKeys.QUEUE_RUNNERS) -> None:
    get_default_graph().add_to_collection(collection, qr)


@export("tf.train.start_queue_runners", "tf.train.queue_runner.start_queue_runners")
def start_queue_runners(sess: object = None, coord: object = None, daemon: bool = True, start: bool = True,
                        collection: object = GraphKeys.QUEUE_RUNNERS) -> List[Any]:
    if sess is None and _core.default_session() is None:
        raise ValueError("Cannot start queue runners: No default session is registered. Use `with "
                         "sess.as_default()` or pass an explicit session to "
                         "tf.start_queue_runners(sess=sess)")
    return []


# A script that loops `while not coord.should_stop():` waits for the end of its input, which no
# queue here reaches: after so many questions the answer is yes.
_QUESTIONS = 1000


def _has_end() -> bool:
    """Some queue of the graph has an end: a loop will meet it."""
    return not _core.executing_eagerly() and "_sf_has_end" in get_default_graph().__dict__


@export("tf.train.Coordinator")
class Coordinator:
    """tf.train.Coordinator; `should_stop` becomes true after a bounded number of questions."""

    def __init__(self, clean_stop_exception_types: Any = None) -> None:
        self._stop = threading.Event()
        self._asked = 0
        self._clean = tuple(clean_stop_exception_types or ())
        self._error: Optional[BaseException] = None

    def should_stop(self) -> bool:
        self._asked += 1
        if self._asked > _QUESTIONS and not _has_end() and not self._stop.is_set():
            _core.notice_unmodelled("tf.train.Coordinator.should_stop (stopped after %d steps)"
                                    % _QUESTIONS)
            self._stop.set()
        return self._stop.is_set()

    def request_stop(self, ex: object = None) -> None:
        if isinstance(ex, tuple):
            ex = ex[1]
        from shapeflow.tensorflow.python.framework.errors import OutOfRangeError

        if isinstance(ex, BaseException) and not isinstance(
                ex, (OutOfRangeError, StopIteration) + self._clean):
            self._error = ex
        self._stop.set()

    def clear_stop(self) -> None:
        self._stop.clear()

    def wait_for_stop(self, timeout: object = None) -> bool:
        return True

    def register_thread(self, thread: object) -> None:
        pass

    def join(self, threads: Any = None, stop_grace_period_secs: float = 120,
             ignore_live_threads: bool = False) -> None:
        error, self._error = self._error, None
        if error is not None:
            raise error

    joined = property(lambda self: True)

    def raise_requested_exception(self) -> None:
        self.join()

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        try:
            yield
        except Exception as e:
            self.request_stop(e)


@export("tf.train.LooperThread")
class LooperThread(threading.Thread):
    """A thread that calls run_loop until its coordinator stops."""

    def __init__(self, coord: Any, timer_interval_secs: Any = None, target: Any = None,
                 args: Any = None, kwargs: Any = None) -> None:
        super().__init__(daemon=True)
        self._coord, self._call = coord, (target, args or (), kwargs or {})

    def run(self) -> None:
        target, args, kwargs = self._call
        if target is not None:
            target(*args, **kwargs)


