"""Iterators: get_next ops whose elements a run takes from here, and TensorFlow 2's eager ones.

The position of an iterator belongs to a session. A get_next op is a source (`_core.set_source`):
its handler is asked once a run. Source: tensorflow/python/data/ops/iterator_ops.py,
tensorflow/core/kernels/data/iterator_ops.cc.
"""
from __future__ import annotations

import weakref

from shapeflow import _core
from shapeflow.api.positions import register
from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import Opaque, tensors_in
from shapeflow.tensorflow.python.data.element_runs import ASSUMED, Stream
from shapeflow.tensorflow.python.data.optional_ops import Optional as OptionalValue
from shapeflow.tensorflow.python.data.structure import (
    NestedLeaf,
    OpaqueLeaf,
    RaggedLeaf,
    SparseLeaf,
    Structure,
    declared,
    flatten,
    pack,
)
from shapeflow.tensorflow.python.data.traced_function import Env
from shapeflow.tensorflow.python.eager import function_trace
from shapeflow.tensorflow.python.framework import errors, framework_lib
from shapeflow.tensorflow.python.framework.op_builders import known_op, op, outputs, unknown
from shapeflow.tensorflow.python.trackable.base import Trackable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple, Union

_HANDLE = "sf_iterator_%d"
_by_handle: Dict[Any, Any] = {}
_ANY = "variant"


def _positions(session: Any) -> Dict[Any, Stream]:
    found = session.__dict__.get("_sf_streams")
    if found is None:
        found = session.__dict__["_sf_streams"] = weakref.WeakKeyDictionary()
    return found


def node_error(kind: Any, node: Any, text: str) -> Exception:
    return kind(None, node, "%s\n\t [[%s]]" % (text, "{{node %s}}" % node.name))


class _Resource:
    """What stands behind an iterator: in each session a stream."""

    def __init__(self, dataset: Any = None) -> None:
        self.dataset = dataset  # of a one-shot iterator: it starts by itself
        self.left_out = False   # the program has stopped right before a short last batch: it knows of it
        self.handle = (_HANDLE % id(self)).encode()

    def stream(self, session: Any, feed_dict: Any, node: Any) -> Stream:
        positions = _positions(session)
        stream = positions.get(self)
        if stream is None:
            if self.dataset is None:
                raise node_error(errors.FailedPreconditionError, node, "GetNext() failed because the "
                                 "iterator has not been initialized. Ensure that you have run the "
                                 "initializer operation for this iterator before getting the next "
                                 "element.")
            stream = positions[self] = Stream(self.dataset._runs(Env(session)))
            register(stream)
        return stream

    def start(self, session: Any, feed_dict: Any, dataset: Any) -> None:
        feed_dict = dict(feed_dict) if feed_dict else None
        old = _positions(session).get(self)
        self.left_out = self.left_out or old is not None and stops_before_short(old)
        stream = _positions(session)[self] = Stream(dataset._runs(Env(session, feed_dict)))
        register(stream)


def _is_short(element: Any, full: Any) -> bool:
    """A batch of fewer samples: the same shapes but for a smaller first dim."""
    def dims(c: Any) -> Any:
        return None if isinstance(c, list) or c.shape.ndims is None else c.shape.as_list()

    pairs = [(dims(a), dims(b)) for a, b in zip(element, full)]
    return bool(pairs) and all(a and b and None not in a + b and 0 < a[0] < b[0] and a[1:] == b[1:]
                               for a, b in pairs)


def _has_open_batch(structure: Structure) -> bool:
    """Does the graph of a function not know the size of the batches?"""
    shapes = [getattr(leaf, "shape", None) for leaf in structure.leaves]
    return any(shape is not None and shape.ndims and shape.as_list()[0] is None for shape in shapes)


def _batch_size(element: Any) -> int:
    """0 where it has none that is known."""
    for component in element:
        shape = getattr(component, "shape", None)
        if shape is not None and shape.ndims and shape.as_list()[0] is not None:
            return int(shape.as_list()[0])
    return 0


def stops_before_short(stream: Stream) -> bool:
    """Would the very next element be the short one? The stream is not used again."""
    if stream.shown is None or stream.pushed or stream.left != 0:
        return False
    run = stream.peek()
    return run is not None and _is_short(run[0], stream.shown)


def _short_one(stream: Stream) -> Any:
    """The short batch among the next few kinds of elements, or None."""
    for _ in range(4):
        run = stream.peek()
        if stream.shown is None or run is None:
            return None
        if _is_short(run[0], stream.shown):
            return run[0]
        if run[1] is None or _is_short(stream.shown, run[0]):
            return None  # endless, or the short one has been seen
        stream.left = 0
    return None


def short_batches(session: Any) -> Any:
    """(resource, element, full) of the streams of a session that would have come to a short batch, had the
    program gone on; their next elements from now on are that batch."""
    for resource, stream in list(_positions(session).items()):
        try:
            short = None if resource.left_out or stops_before_short(stream) else _short_one(stream)
        except Exception:  # whatever stops the stream stops the search
            continue
        if short is not None:
            _positions(session)[resource] = Stream([(short, None)])
            yield resource, short, stream.shown


class _Next:
    """The source of a get_next op."""

    def __init__(self, resource: Any, node: Any, structure: Structure) -> None:
        self.resource, self.node = resource, node
        self.sparse = structure.leaves if any(
            isinstance(leaf, SparseLeaf) for leaf in structure.leaves) else None
        self.last: Any = None

    def __call__(self, session: Any, feed_dict: Any) -> Any:
        stream = self.resource.stream(session, feed_dict, self.node)
        self.last = stream
        try:
            element = stream.next()
        except errors.OpError as e:
            # The stream is finished by what it raised; the op that asked is the one that failed.
            raise type(e)(None, self.node, "%s\n\t [[{{node %s}}]]" % (e.message, self.node.name)) \
                from None
        if element is None:
            raise node_error(errors.OutOfRangeError, self.node, "End of sequence")
        if self.sparse is not None:
            return tuple(part for leaf, c in zip(self.sparse, element) for part in leaf.flat(c))
        return element

    def undo(self, session: Any) -> None:
        if self.last is not None:
            self.last.back()


class _Start:
    """The source of an initializer: it gives nothing, it starts the stream."""

    def __init__(self, resource: Any, dataset: Any) -> None:
        self.resource, self.dataset = resource, dataset

    def __call__(self, session: Any, feed_dict: Any) -> Any:
        self.resource.start(session, feed_dict, self.dataset)
        return ()

    def undo(self, session: Any) -> None:
        _positions(session).pop(self.resource, None)


class _ByHandle:
    """The iterator that a string handle names, known when the run feeds it."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle

    def stream(self, session: Any, feed_dict: Any, node: Any) -> Stream:
        value = _core.constant_value(session.evaluate([self.handle], feed_dict)[0])
        name = None if value is None else value.item() if hasattr(value, "item") else value
        name = name.encode() if isinstance(name, str) else name
        resource = _by_handle.get(name)
        if resource is None:
            raise node_error(errors.InvalidArgumentError, node, "The iterator handle does not name "
                             "an iterator of this session.")
        return resource.stream(session, feed_dict, node)


class _OfUnknown:
    """What an iterator of that structure takes from a dataset that is not modelled."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure

    def _runs(self, env: Env) -> Any:
        return iter([(tuple(leaf.unknown() for leaf in self._structure.leaves), ASSUMED)])


@export("tf.data.Iterator", "tf.contrib.data.Iterator")
class Iterator(Trackable):
    """tf.data.Iterator of TensorFlow 1."""

    def __init__(self, iterator_resource: Any, initializer: Any, output_types: Any = None,
                 output_shapes: Any = None, output_classes: Any = None, *args: Any,
                 structure: Any = None, source: Any = None) -> None:
        self._iterator_resource = iterator_resource
        self._initializer = initializer
        self._structure = structure or declared(output_types, output_shapes, output_classes)
        self._source = source or _Resource()
        self._calls = 0

    @staticmethod
    def from_structure(output_types: Any, output_shapes: Any = None, shared_name: Any = None,
                       output_classes: Any = None) -> "Iterator":
        structure = declared(output_types, output_shapes, output_classes)
        return Iterator(_iterator_node("IteratorV2", structure, shared_name, "Iterator"), None,
                        structure=structure)

    @staticmethod
    def from_string_handle(string_handle: Any, output_types: Any, output_shapes: Any = None,
                           output_classes: Any = None) -> "Iterator":
        structure = declared(output_types, output_shapes, output_classes)
        handle = framework_lib.convert_to_tensor(string_handle, _core.as_dtype("string"))
        types, shapes = _ports(structure)
        node = op("IteratorFromStringHandle", [handle], {"output_types": types,
                                                         "output_shapes": shapes},
                  "IteratorFromStringHandle")
        return Iterator(node, None, structure=structure, source=_ByHandle(handle))

    @property
    def initializer(self) -> Any:
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer." if isinstance(
                self._source, _Resource) and self._source.dataset is not None else
                "Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset: Any, name: Optional[str] = None) -> _core.Operation:
        if isinstance(dataset, Opaque):
            dataset = _OfUnknown(self._structure)
        _check_compatible(self._structure, dataset._structure)
        return _initializer(self._iterator_resource, self._source, dataset, name)

    def get_next(self, name: Optional[str] = None) -> Any:
        self._calls += 1
        if self._calls == 33:
            import warnings

            warnings.warn("An unusually high number of `Iterator.get_next()` calls was detected. "
                          "This often indicates that `Iterator.get_next()` is being called inside a "
                          "training loop, which will cause gradual slowdown and eventual resource "
                          "exhaustion. If this is the case, restructure your code to call "
                          "`next_element = iterator.get_next()` once outside the loop, and use "
                          "`next_element` as the input to some computation that is invoked inside "
                          "the loop.")
        types, shapes = _ports(self._structure)
        made = outputs("IteratorGetNext", [self._iterator_resource],
                       {"output_types": types, "output_shapes": shapes}, name or "IteratorGetNext")
        node = made[0].op
        _core.set_source(node, _Next(self._source, node, self._structure))
        items: List[Any] = []
        for leaf in self._structure.leaves:
            count = len(leaf.ports())
            items.append(leaf.build(made[:count]))
            del made[:count]
        return self._structure.pack(items)

    def string_handle(self, name: Optional[str] = None) -> Any:
        handle = getattr(self._source, "handle", b"")
        _by_handle[handle] = self._source
        return framework_lib.convert_to_tensor(handle, _core.as_dtype("string"),
                                           name or "IteratorToStringHandle")

    output_types = property(lambda self: self._structure.types())
    output_shapes = property(lambda self: self._structure.shapes())
    output_classes = property(lambda self: self._structure.classes())
    element_spec = property(lambda self: self._structure.specs())


def _ports(structure: Structure) -> Tuple[List[_core.DType], List[_core.TensorShape]]:
    ports = [p for leaf in structure.leaves for p in leaf.ports()]
    return [_core.as_dtype(t) for t, _ in ports], [
        s if isinstance(s, _core.TensorShape) else _core.TensorShape(s) for _, s in ports]


def _iterator_node(kind: str, structure: Structure, shared_name: Any, name: str) -> Any:
    types, shapes = _ports(structure)
    kind = kind if known_op(kind) else "Iterator"
    return op(kind, [], {"shared_name": shared_name or "", "container": "", "output_types": types,
                         "output_shapes": shapes}, name)


def _initializer(resource: Any, source: Any, dataset: Any, name: Optional[str]) -> _core.Operation:
    with framework_lib.name_scope(name, "make_initializer") as scope:
        variant = unknown(_ANY, [], "dataset")
        node = _core.make_op("MakeIterator", [variant, resource], None, scope)
    _core.set_source(node, _Start(source, dataset))
    return node


def _check_compatible(want: Structure, got: Structure) -> None:
    for a, b in zip(want.leaves, got.leaves):
        if a.dtype != b.dtype:
            raise TypeError("Expected output types %r but got dataset with output types %r."
                            % (want.types(), got.types()))
        if not _is_refined(a.shape, b.shape):
            raise TypeError("Expected output shapes compatible with %r but got dataset with output "
                            "shapes %r." % (want.shapes(), got.shapes()))
    if len(want.leaves) != len(got.leaves):
        raise ValueError("The two structures don't have the same number of elements. First "
                         "structure: %s. Second structure: %s" % (want.types(), got.types()))


def _is_refined(general: Any, special: Any) -> bool:
    """True when `general` is what both shapes have in common."""
    if general.ndims is None:
        return True
    return special.ndims == general.ndims and all(
        g is None or g == s for g, s in zip(general.as_list(), special.as_list()))


def one_shot(dataset: Any) -> Union[Iterator, EagerIterator, Opaque]:
    """make_one_shot_iterator; in eager mode an eager iterator."""
    if isinstance(dataset, Opaque):
        return Opaque("tf.data.Iterator", tensors_in([dataset], []))
    if _core.executing_eagerly():
        return EagerIterator(dataset)
    structure = dataset._structure
    node = _iterator_node("IteratorV2", structure, None, "OneShotIterator")
    return Iterator(node, None, structure=structure, source=_Resource(dataset))


def initializable(dataset: Any, shared_name: Any = None) -> Union[Iterator, Opaque]:
    if isinstance(dataset, Opaque):
        return Opaque("tf.data.Iterator", tensors_in([dataset], []))
    if _core.executing_eagerly():
        raise RuntimeError("dataset.make_initializable_iterator is not supported when eager "
                           "execution is enabled. Use `for element in dataset` instead.")
    structure = dataset._structure
    source = _Resource()
    node = _iterator_node("IteratorV2", structure, shared_name, "IteratorV2")
    return Iterator(node, _initializer(node, source, dataset, None), structure=structure,
                    source=source)


@export("tf.data.make_one_shot_iterator", "tf.compat.v1.data.make_one_shot_iterator")
def make_one_shot_iterator(dataset: Any) -> Union[Iterator, EagerIterator, Opaque]:
    return one_shot(dataset)


@export("tf.data.make_initializable_iterator", "tf.compat.v1.data.make_initializable_iterator")
def make_initializable_iterator(dataset: Any, shared_name: Any = None) -> Union[Iterator, Opaque]:
    return initializable(dataset, shared_name)


@export("tf.data.get_output_types")
def get_output_types(dataset_or_iterator: Any) -> Any:
    return dataset_or_iterator.output_types if isinstance(dataset_or_iterator, Opaque) else \
        dataset_or_iterator._structure.types()


@export("tf.data.get_output_shapes")
def get_output_shapes(dataset_or_iterator: Any) -> Any:
    return dataset_or_iterator.output_shapes if isinstance(dataset_or_iterator, Opaque) else \
        dataset_or_iterator._structure.shapes()


@export("tf.data.get_output_classes")
def get_output_classes(dataset_or_iterator: Any) -> Any:
    return dataset_or_iterator.output_classes if isinstance(dataset_or_iterator, Opaque) else \
        dataset_or_iterator._structure.classes()


# --- eager ------------------------------------------------------------------------------------------------
class EagerIterator(Trackable, function_trace.Elements):
    """`iter(dataset)`: eager tensors of exact shapes."""

    def __init__(self, dataset: Any) -> None:
        self._structure = dataset._structure
        self._stream = Stream(dataset._runs(Env()))
        register(self._stream)
        self._dataset = dataset
        self._eager = [self._item(leaf) for leaf in self._structure.leaves]
        self._plain = all(e is None for e in self._eager)
        self._batched = _has_open_batch(self._structure)

    @staticmethod
    def _item(leaf: Any) -> Any:
        if isinstance(leaf, NestedLeaf):
            return lambda runs: leaf.make(lambda env: iter(runs), leaf.structure)
        if isinstance(leaf, (SparseLeaf, RaggedLeaf, OpaqueLeaf)):
            return lambda c: leaf.build(list(leaf.flat(c)))
        return None

    def __iter__(self) -> "EagerIterator":
        return self

    def __next__(self) -> Any:
        element = self._sf_pass()
        if element is None:
            raise StopIteration
        if not self._plain:
            element = [c if make is None else make(c) for make, c in zip(self._eager, element)]
        return self._structure.pack(element)

    next = __next__

    def _sf_pass(self) -> Optional[List[object]]:
        function_trace.takes(self)
        element = self._stream.next()
        if element is not None and self._batched:
            _core.set_batch(_batch_size(element))
        return element

    def _sf_ahead(self) -> Optional[List[object]]:
        if not self._plain:
            return None
        element = self._stream.next()
        if element is not None:
            self._stream.back()
        return element

    def get_next(self, name: object = None) -> Any:
        try:
            return self.__next__()
        except StopIteration:
            raise errors.OutOfRangeError(None, None, "End of sequence [Op:IteratorGetNext]") from None

    def get_next_as_optional(self) -> Any:
        try:
            return OptionalValue(self.__next__(), self._structure)
        except StopIteration:
            return OptionalValue(None, self._structure)

    element_spec = property(lambda self: self._structure.specs())
    output_types = property(lambda self: self._structure.types())
    output_shapes = property(lambda self: self._structure.shapes())
    output_classes = property(lambda self: self._structure.classes())
    _sf_position = property(lambda self: self._stream)


put(EagerIterator, "tf.data.Iterator", v1=False, v2=True)
put(EagerIterator, "tf.contrib.eager.Iterator")


class NumpyIterator(Trackable):
    """dataset.as_numpy_iterator()."""

    def __init__(self, dataset: Any) -> None:
        self._iterator = EagerIterator(dataset)

    _sf_position = property(lambda self: self._iterator._stream)

    def __iter__(self) -> "NumpyIterator":
        return self

    def __next__(self) -> Any:
        value = next(self._iterator)
        return pack(value, [v.numpy() if hasattr(v, "numpy") else v for v in flatten(value)])

    next = __next__


put(NumpyIterator, "tf.data.NumpyIterator", v1=False, v2=True)


@export("tf.data.experimental.get_single_element", "tf.contrib.data.get_single_element", v2=True)
def get_single_element(dataset: Any) -> Any:
    if isinstance(dataset, Opaque):
        return dataset.get_single_element()
    if not _core.executing_eagerly():
        return one_shot(dataset).get_next()
    elements = EagerIterator(dataset)
    found = next(elements, None)
    if found is None:
        raise errors.InvalidArgumentError(None, None, "Dataset was empty.")
    if next(elements, None) is not None:
        raise errors.InvalidArgumentError(None, None, "Dataset had more than one element.")
    return found
