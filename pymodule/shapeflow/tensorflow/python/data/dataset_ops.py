"""tf.data.Dataset: what its elements look like, and how many there are.

A dataset is a structure and a function from an environment (data_trace.Env) to runs of elements.
Assumed where nobody can know: a predicate of `filter` on unknown content keeps the element; an
unknown number of records is 1000, without a short last batch; `shuffle` keeps the order.
Source: tensorflow/python/data/ops/dataset_ops.py.
"""
import types
from typing import Any, Callable, Iterator, List, Optional

from shapeflow import _core
from shapeflow.api.registry import put
from shapeflow.api.unmodelled import Opaque, is_unmodelled, tensors_in
from shapeflow.api.unmodelled_members import Later
from shapeflow.tensorflow.python.data import batching, element_runs, element_shapes, unknown_elements
from shapeflow.tensorflow.python.data.dataset_kinds import name_what_they_make
from shapeflow.tensorflow.python.data.element_runs import ASSUMED, Run, array_of, content, is_true
from shapeflow.tensorflow.python.data.structure import (
    Leaf,
    Nestable,
    NestedLeaf,
    RaggedLeaf,
    SparseLeaf,
    Structure,
    flatten,
    of_specs,
    shapes_like,
    without_none,
    without_unknown_keys,
)
from shapeflow.tensorflow.python.data.traced_function import Env, Function, FunctionEnv
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.trackable.base import Trackable

INFINITE, UNKNOWN = -1, -2
Runs = Callable[[Env], Iterator[Run]]


def _times(cardinality: int, count: Optional[int]) -> int:
    if count is None or cardinality == 0 or count == 0:
        return UNKNOWN if count is None else 0
    if count < 0 or cardinality == INFINITE:
        return INFINITE
    return cardinality * count if cardinality >= 0 else UNKNOWN


def _static(value: Any) -> Optional[int]:
    """An argument as a Python int when it is one, or a constant tensor."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, _core.Tensor):
        value = _core.constant_value(value)
    try:
        return None if value is None else int(value)
    except (TypeError, ValueError):
        return None


def _positive(size: Optional[int]) -> Optional[int]:
    if size is not None and size <= 0:
        from shapeflow.tensorflow.python.framework.errors import InvalidArgumentError

        raise fail("SF129", "Batch size must be greater than zero.",
                   error=lambda text: InvalidArgumentError(None, None, text))
    return size


def _batch_size(given: Any) -> Optional[int]:
    """The static size of a batch; a bad one is found when the op runs: at once in eager mode."""
    size = _static(given)
    return _positive(size) if _core.executing_eagerly() else size


class DatasetV2(Nestable, Trackable):
    """tf.data.Dataset of TensorFlow 2; version 1 adds iterators and output_shapes."""

    _sf_unmodelled_class: object = None  # what stands for one that is not modelled
    _sf_options: object = None  # what with_options was given
    _sf_kind = ""  # its class in TensorFlow 2
    _sf_rows: object = None  # arrays of all whose rows this one consists, in some order

    def __init__(self, variant_tensor: Any = None) -> None:
        self._structure = Structure(0, [Leaf("float32", None)])
        self._runs: Runs = lambda env: iter([((self._structure.leaves[0].unknown(),), ASSUMED)])
        self._size = UNKNOWN

    def _set(self, structure: Structure, runs: Runs, size: int) -> "DatasetV2":
        self._structure, self._runs, self._size = structure, runs, size
        return self

    def _like(self, structure: Structure, runs: Runs, size: int) -> Any:
        return _new(DatasetV1 if isinstance(self, DatasetV1) else DatasetV2, structure, runs, size)

    def _same(self, *args: object, **kwargs: object) -> Any:
        """A transformation that changes neither elements nor, as assumed here, their order."""
        return self._with_rows(self._like(self._structure, self._runs, self._size))

    def _with_rows(self, made: Any) -> Any:
        made._sf_rows, made._sf_options = self._sf_rows, self._sf_options
        return made

    def _nested(self) -> NestedLeaf:
        return NestedLeaf(self._structure, lambda runs, structure: self._like(structure, runs, UNKNOWN))

    # --- sources
    @classmethod
    def _make(cls, structure: Structure, runs: Runs, size: int) -> Any:
        return _new(DatasetV1 if issubclass(cls, DatasetV1) else DatasetV2, structure, runs, size)

    @classmethod
    def from_tensors(cls, tensors: object, name: Optional[str] = None) -> Any:
        tensors = without_unknown_keys(tensors)
        with framework_lib.name_scope("tensors"):
            structure = Structure.of(tensors)
        values = structure.tensors

        def runs(env: Env) -> Iterator[Run]:
            yield tuple(_component(env, t, leaf) for t, leaf in zip(values, structure.leaves)), 1

        return cls._make(structure, runs, 1)

    @classmethod
    def from_tensor_slices(cls, tensors: object, name: Optional[str] = None) -> Any:
        tensors = without_unknown_keys(tensors)
        with framework_lib.name_scope("tensors"):
            whole = Structure.of(tensors)
        given = flatten(without_none(tensors))
        structure = whole.map(element_shapes.row)
        size = element_shapes.common_rows(whole)
        values = whole.tensors

        def runs(env: Env) -> Iterator[Run]:
            known = [_component(env, t, leaf) for t, leaf in zip(values, whole.leaves)]
            counts = [s[0] for s in map(element_runs.dims, known) if s]
            count = next((n for n in counts if n is not None), None)
            arrays = [array_of(g, k) for g, k in zip(given, known)]
            return batching.slices(known, arrays, count)

        made = cls._make(structure, runs, UNKNOWN if size is None else size)
        made._sf_rows = tensors
        return made

    @classmethod
    def from_sparse_tensor_slices(cls, sparse_tensor: Any) -> Any:
        structure = Structure((0, 0, 0), [Leaf("int64", [None, None]),
                                          Leaf(sparse_tensor.dtype, [None]), Leaf("int64", [None])])
        return cls._make(structure, lambda env: iter(
            [(tuple(leaf.unknown() for leaf in structure.leaves), ASSUMED)]), UNKNOWN)

    @classmethod
    def from_generator(cls, generator: object, output_types: object = None, output_shapes: object = None,
                       args: object = None, output_signature: object = None,
                       name: Optional[str] = None) -> Any:
        from shapeflow.tensorflow.python.data import from_generator as data_generator

        structure, runs = data_generator.dataset(generator, output_types, output_shapes, args,
                                                 output_signature)
        return cls._make(structure, runs, UNKNOWN)

    @classmethod
    def range(cls, *args: Any, output_type: Any = "int64", name: Any = None) -> Any:
        if not 1 <= len(args) <= 3:
            raise ValueError("Invalid `args`. The length of `args` should be between 1 and 3 but was "
                             "%d." % len(args))
        dtype = _core.as_dtype(output_type)

        def bounds(values: List[Optional[int]]) -> Optional[range]:
            return None if None in values else range(*values)  # type: ignore[arg-type]

        def runs(env: Env) -> Iterator[Run]:
            numbers = bounds([env.integer(a) for a in args])
            leaf = Leaf(dtype, [])
            if numbers is None or len(numbers) > element_runs.DISTINCT:
                yield (leaf.unknown(),), ASSUMED if numbers is None else len(numbers)
                return
            for i in numbers:
                yield (element_runs.component(dtype, [], i),), 1

        known = bounds([_static(a) for a in args])
        return cls._make(Structure(0, [Leaf(dtype, [])]), runs,
                         UNKNOWN if known is None else len(known))

    @classmethod
    def counter(cls, start: object = 0, step: object = 1, dtype: object = "int64",
                name: Optional[str] = None) -> Any:
        structure = Structure(0, [Leaf(dtype, [])])

        def runs(env: Env) -> Iterator[Run]:
            first, by = env.integer(start) or 0, env.integer(step) or 1
            for i in range(element_runs.DISTINCT):
                yield (element_runs.component(dtype, [], first + i * by),), 1
            yield (structure.leaves[0].unknown(),), None

        return cls._make(structure, runs, INFINITE)

    @classmethod
    def random(cls, seed: object = None, *args: object, **kwargs: object) -> Any:
        structure = Structure(0, [Leaf("int64", [])])
        return cls._make(structure, lambda env: iter([((structure.leaves[0].unknown(),), None)]),
                         INFINITE)

    @staticmethod
    def sample_from_datasets(datasets: Any, weights: object = None, seed: object = None, *args: object,
                             **kwargs: object) -> Any:
        """Which data set comes next is random: they follow each other here."""
        return joined(list(datasets), "sample_from_datasets")

    @staticmethod
    def choose_from_datasets(datasets: Any, choice_dataset: object, *args: object, **kwargs: object) -> Any:
        return joined(list(datasets), "choose_from_datasets")

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: Any = None) -> Any:
        form = datasets if datasets is not None else args[0] if len(args) == 1 else args
        parts = flatten(form)
        if any(is_unmodelled(part) for part in parts):
            return unmodelled("tf.data.Dataset.zip()", parts)
        for part in parts:
            if not isinstance(part, DatasetV2):
                raise TypeError("The argument to `Dataset.zip()` must be a nested structure of "
                                "`Dataset` objects." if not isinstance(form, list) else
                                "The argument to `Dataset.zip()` must be a nested structure of "
                                "`Dataset` objects. Nested structures do not support Python lists; "
                                "please use a tuple instead.")
        from shapeflow.tensorflow.python.data import structure as data_spec

        structure = Structure(data_spec.pack(form, [p._structure.form for p in parts]),
                              [leaf for p in parts for leaf in p._structure.leaves])
        sizes = [p._size for p in parts]
        finite = [s for s in sizes if s != INFINITE]
        size = INFINITE if not finite else UNKNOWN if UNKNOWN in finite else min(finite)
        return parts[0]._like(structure, lambda env: element_runs.zipped([p._runs(env) for p in parts]),
                              size)

    @staticmethod
    def list_files(file_pattern: object, shuffle: object = None, seed: object = None,
                   name: Optional[str] = None) -> Any:
        from shapeflow.tensorflow.python.data import file_names

        made = _new(DatasetV1 if is_version_1() else DatasetV2, *file_names.listed(file_pattern))
        made._sf_kind = "_ShuffleDataset" if shuffle is None or shuffle else "_TensorSliceDataset"
        return made

    # --- transformations of counts
    def concatenate(self, dataset: "DatasetV2", name: object = None) -> Any:
        if is_unmodelled(dataset):
            return unmodelled("tf.data.Dataset.concatenate()", [self, dataset])
        mine, its = self._structure, dataset._structure
        if [leaf.signature() for leaf in mine.leaves] != [leaf.signature() for leaf in its.leaves]:
            raise fail("SF202", "Two datasets to concatenate have different types {text} and {text}",
                       mine.types(), its.types(), error=TypeError)
        leaves = [a.with_shape(element_shapes.either(a.shape, b.shape))
                  for a, b in zip(mine.leaves, its.leaves)]

        def runs(env: Env) -> Iterator[Run]:
            yield from self._runs(env)
            yield from dataset._runs(env)

        sizes = (self._size, dataset._size)
        size = INFINITE if INFINITE in sizes else UNKNOWN if UNKNOWN in sizes else sum(sizes)
        return self._like(Structure(mine.form, leaves), runs, size)

    def repeat(self, count: object = None, name: Optional[str] = None) -> Any:
        def runs(env: Env) -> Iterator[Run]:
            times = None if count is None else env.integer(count)
            times = None if times is not None and times < 0 else times
            return element_runs.repeat(lambda: iter(self._runs(env)), times)

        return self._like(self._structure, runs,
                          _times(self._size, -1 if count is None else _static(count)))

    def take(self, count: object, name: Optional[str] = None) -> Any:
        def runs(env: Env) -> Iterator[Run]:
            n = env.integer(count)
            return element_runs.take(self._runs(env), None if n is None or n < 0 else n)

        n, size = _static(count), self._size
        left = UNKNOWN if n is None else size if n < 0 else n if size == INFINITE else \
            size if size < 0 else min(n, size)
        return self._like(self._structure, runs, left)

    def skip(self, count: object, name: Optional[str] = None) -> Any:
        def runs(env: Env) -> Iterator[Run]:
            n = env.integer(count)
            return iter(()) if n is not None and n < 0 else element_runs.skip(self._runs(env), n or 0)

        n, size = _static(count), self._size
        left = UNKNOWN if n is None else 0 if n < 0 else size if size < 0 else max(0, size - n)
        return self._like(self._structure, runs, left)

    def shard(self, num_shards: object, index: object, name: Optional[str] = None) -> Any:
        number, at = _static(num_shards), _static(index)
        if number is not None and number < 1:
            raise ValueError("num_shards must be >= 1; got %s" % number)
        if at is not None and number is not None and at >= number:
            raise ValueError("index must be <= num_shards; %s is not < %s" % (at, number))

        def runs(env: Env) -> Iterator[Run]:
            n, i = env.integer(num_shards), env.integer(index)
            return element_runs.shard(self._runs(env), n or 1, i or 0)

        size = self._size if self._size < 0 else UNKNOWN if number is None or at is None else \
            max(0, (self._size - at + number - 1) // number)
        return self._like(self._structure, runs, size)

    def prefetch(self, buffer_size: object = None, name: Optional[str] = None) -> Any:
        return self._same()

    def cache(self, filename: object = "", name: Optional[str] = None) -> Any:
        return self._same()

    def shuffle(self, buffer_size: object, seed: object = None, reshuffle_each_iteration: object = None,
                name: Optional[str] = None) -> Any:
        return self._same()

    def with_options(self, options: object, name: Optional[str] = None) -> Any:
        made = self._same()
        made._sf_options = self.options().merge(options)
        return made

    def snapshot(self, *args: object, **kwargs: object) -> Any:
        return self._same()

    def options(self) -> Any:
        from shapeflow.tensorflow.python.data.options import Options

        return Options() if self._sf_options is None else self._sf_options

    # --- batches
    def batch(self, batch_size: Any, drop_remainder: Any = False, *args: Any, **kwargs: Any) -> Any:
        size = _batch_size(batch_size)

        def runs(env: Env) -> Iterator[Run]:
            n = _positive(env.integer(batch_size))
            return batching.batched(_without_rows(self._structure, self._runs(env)), 1 if n is None else n,
                                      bool(env.value(drop_remainder)))

        head = size if is_true(drop_remainder) else None
        batch = element_shapes.batch
        made = self._like(self._structure.map(lambda leaf: leaf.with_shape(batch(head, leaf.shape))),
                          runs, self._batches(size, drop_remainder))
        return made if is_true(drop_remainder) else self._with_rows(made)

    def _batches(self, size: Optional[int], drop: object) -> int:
        if self._size < 0 or not size:
            return self._size if self._size < 0 else UNKNOWN
        return self._size // size if is_true(drop) else -(-self._size // size)

    def padded_batch(self, batch_size: object, padded_shapes: object = None, padding_values: object = None,
                     drop_remainder: bool = False, name: Optional[str] = None) -> Any:
        size = _batch_size(batch_size)
        leaves = self._structure.leaves
        if padded_shapes is None:
            wants = [leaf.shape for leaf in leaves]
            if any(w.ndims is None for w in wants):
                raise ValueError("You must provide `padded_shapes` argument because component 0 has "
                                 "unknown rank.")
        else:
            wants = [element_shapes.pad_shape(s) for s in shapes_like(
                self._structure.form, element_shapes.listed(padded_shapes))]
        for want, leaf in zip(wants, leaves):
            element_shapes.check_padding(want, leaf.shape)

        def runs(env: Env) -> Iterator[Run]:
            n = _positive(env.integer(batch_size))
            return batching.padded(self._runs(env), 1 if n is None else n,
                                     [None if w.ndims is None else w.as_list() for w in wants],
                                     bool(env.value(drop_remainder)))

        head = size if is_true(drop_remainder) else None
        return self._like(Structure(self._structure.form, [
            leaf.with_shape(element_shapes.batch(head, w)) for leaf, w in zip(leaves, wants)]), runs,
            self._batches(size, drop_remainder))

    def ragged_batch(self, batch_size: object, drop_remainder: bool = False,
                     row_splits_dtype: object = "int64", name: Optional[str] = None) -> Any:
        """Batches in which what has open axes is ragged."""
        ragged = self._structure.map(lambda leaf: RaggedLeaf(
            leaf.dtype, leaf.shape,
            getattr(leaf, "ragged_rank", 0) or element_shapes.open_axes(leaf.shape) - 1,
            row_splits_dtype)
            if element_shapes.open_axes(leaf.shape) else leaf)
        return self._like(ragged, self._runs, self._size).batch(batch_size, drop_remainder)

    def rebatch(self, batch_size: object, drop_remainder: bool = False, name: Optional[str] = None) -> Any:
        sizes = batch_size if isinstance(batch_size, (list, tuple)) else [batch_size]
        made = self.unbatch().batch(sizes[0], drop_remainder)
        return made if len(sizes) == 1 else made._like(made._structure.map(
            lambda leaf: leaf.with_shape(element_shapes.batch(None, leaf.shape[1:]))), made._runs, UNKNOWN)

    def unbatch(self, name: Optional[str] = None) -> Any:
        size = element_shapes.common_rows(self._structure)
        return self._like(self._structure.map(element_shapes.row),
                          lambda env: batching.rows(self._runs(env)),
                          self._size * size if size is not None and self._size >= 0 else
                          self._size if self._size == INFINITE else UNKNOWN)

    def window(self, size: object, shift: object = None, stride: object = 1, drop_remainder: bool = False,
               name: Optional[str] = None) -> Any:
        leaves: List[Leaf] = []
        for leaf in self._structure.leaves:
            inner = self._like(Structure(0, [leaf]), self._runs, UNKNOWN)
            leaves.append(inner._nested())

        def runs(env: Env) -> Iterator[Run]:
            n = env.integer(size) or 1
            return batching.windows(self._runs(env), n, env.integer(shift) or n,
                                      env.integer(stride) or 1, bool(env.value(drop_remainder)))

        return self._like(Structure(self._structure.form, leaves), runs, UNKNOWN)

    # --- functions
    def map(self, map_func: Any, num_parallel_calls: object = None, *args: object, **kwargs: object) -> Any:
        function = Function(map_func, self._structure)
        structure = function.structure("Dataset.map()")
        return self._like(structure, lambda env: _mapped(self._runs(env), function, env), self._size)

    def map_with_legacy_function(self, map_func: object, num_parallel_calls: object = None,
                                 deterministic: object = None) -> Any:
        return self.map(map_func)

    def filter(self, predicate: Any, name: Optional[str] = None) -> Any:
        function = Function(predicate, self._structure)
        result = function.structure("Dataset.filter()")
        leaf = result.leaves[0] if len(result.leaves) == 1 else None
        if leaf is None or leaf.dtype != _core.as_dtype("bool") or leaf.shape.ndims not in (0, None):
            raise fail("SF201", "`predicate` return type must be convertible to a scalar boolean tensor. "
                       "Was {text}.", result.specs())

        def runs(env: Env) -> Iterator[Run]:
            bound = function.bind(env)
            for element, n in self._runs(env):
                keep = content(function.run(element, bound)[0])
                if keep is None or keep:
                    yield element, n
                elif n is None:
                    return

        return self._like(self._structure, runs, UNKNOWN)

    filter_with_legacy_function = filter

    def flat_map(self, map_func: object, name: Optional[str] = None) -> Any:
        return self._inner(map_func, "flat_map", 1, 1)

    def interleave(self, map_func: object, cycle_length: object = None, block_length: object = 1,
                   *args: object, **kwargs: object) -> Any:
        return self._inner(map_func, "interleave", cycle_length, block_length)

    def _inner(self, map_func: Any, what: str, cycle: object, block: object) -> Any:
        function = Function(map_func, self._structure)
        made = function.result
        if is_unmodelled(made):
            return unmodelled("tf.data.Dataset.%s()" % what, [self, made])
        if not isinstance(made, DatasetV2):
            raise TypeError("`map_func` must return a `Dataset` object." if
                            _core.get_version()[0] == "1" else
                            "The `map_func` argument must return a `Dataset` object. Got %r instead."
                            % type(made))

        def inner(env: Env) -> Iterator[Any]:
            bound = function.bind(env)
            for element, n in self._runs(env):
                if n is None:
                    yield element_runs.repeat(lambda: iter(made._runs(
                        FunctionEnv(function, element, bound, env))), None)  # noqa: B023 then it returns
                    return
                if what == "flat_map":
                    yield element_runs.repeat(lambda: iter(made._runs(  # consumed before the next turn
                        FunctionEnv(function, element, bound, env))), n)  # noqa: B023
                else:
                    yield made._runs(FunctionEnv(function, element, bound, env))
                for _ in range(n - 1 if what != "flat_map" else 0):
                    yield made._runs(FunctionEnv(function, element, bound, env))

        def runs(env: Env) -> Iterator[Run]:
            if what == "flat_map":
                for one in inner(env):
                    yield from one
                return
            length = env.integer(cycle)
            yield from element_runs.interleaved(inner(env), 16 if length is None or length < 1 else
                                             length, env.integer(block) or 1)

        return self._like(made._structure, runs, UNKNOWN)

    def apply(self, transformation_func: Any) -> Any:
        dataset = transformation_func(self)
        if not isinstance(dataset, DatasetV2) and not is_unmodelled(dataset):
            raise TypeError("`transformation_func` must return a Dataset." if
                            _core.get_version()[0] == "1" else "`transformation_func` must return a "
                            "`tf.data.Dataset` object. Got %s." % type(dataset))
        return dataset

    def enumerate(self, start: Any = 0, name: Any = None) -> Any:
        return DatasetV2.zip((type(self).counter(start), self))

    def scan(self, initial_state: Any, scan_func: Any, name: Optional[str] = None) -> Any:
        state = Structure.of(initial_state)
        pair = Structure((state.form, self._structure.form), state.leaves + self._structure.leaves)
        function = Function(scan_func, pair)
        kept = len(state.leaves)
        new_state, out = function.result
        flat = flatten(new_state)  # else nobody knows which leaf is whose
        follows = len(flat) == kept and not any(is_unmodelled(part) for part in [*flat, *flatten(out)])
        function.result = (new_state, out) if follows else out
        structure = function.structure("scan")
        if follows:
            structure = Structure(structure.form[1], structure.leaves[kept:])

        def runs(env: Env) -> Iterator[Run]:
            bound = function.bind(env)
            unknown = tuple(leaf.unknown() for leaf in state.leaves)
            now = tuple(_component(env, t, leaf) for t, leaf in zip(state.tensors, state.leaves)) \
                if follows else unknown
            steps = 0
            for element, n in self._runs(env):
                while n is None or n > 0:
                    made = function.run(now + element, bound)
                    if not follows or all(element_runs.content(part) is None for part in now):
                        yield made[kept if follows else 0:], n
                        break
                    steps += 1
                    now = made[:kept] if steps < element_runs.STATES and all(
                        isinstance(a, _core.Tensor) and a.dtype == b.dtype and
                        element_runs.dims(a) == element_runs.dims(b)
                        for a, b in zip(made, unknown)) else unknown
                    yield made[kept:], 1
                    n = None if n is None else n - 1

        return self._like(structure, runs, self._size)

    def take_while(self, predicate: Any, name: Optional[str] = None) -> Any:
        function = Function(predicate, self._structure)
        function.structure("take_while")

        def runs(env: Env) -> Iterator[Run]:
            bound = function.bind(env)
            for element, n in self._runs(env):
                keep = content(function.run(element, bound)[0])
                if keep is not None and not keep:
                    return
                yield element, n

        return self._like(self._structure, runs, UNKNOWN)

    def unique(self, name: Optional[str] = None) -> Any:
        def runs(env: Env) -> Iterator[Run]:
            seen = set()
            for element, n in self._runs(env):
                value = content(element[0])
                if value is None:
                    yield element, n
                elif value.tobytes() not in seen:
                    seen.add(value.tobytes())
                    yield element, 1

        return self._like(self._structure, runs, UNKNOWN)

    def reduce(self, initial_state: object, reduce_func: object, name: Optional[str] = None) -> Any:
        from shapeflow.tensorflow.python.data.reduction import reduced

        return reduced(self, initial_state, reduce_func)

    def _dense_to_sparse_batch(self, batch_size: object, row_shape: object) -> Any:
        wanted = _core.TensorShape(row_shape)
        batches = self.padded_batch(batch_size, wanted)
        head = SparseLeaf(self._structure.leaves[0].dtype, element_shapes.batch(None, wanted))
        return self._like(Structure(0, [head]), batches._runs, batches._size)

    # --- TensorFlow 2
    element_spec = property(lambda self: self._structure.specs())

    def sparse_batch(self, batch_size: object, row_shape: object, name: Optional[str] = None) -> Any:
        return self._dense_to_sparse_batch(batch_size, row_shape)

    @staticmethod
    def load(path: object, element_spec: object = None, compression: object = None,
             reader_func: object = None, wait: bool = False, wait_timeout: object = None,
             name: Optional[str] = None) -> Any:
        """What this program has saved; what another one has may be anything of `element_spec`."""
        from shapeflow.tensorflow.python.data.saved_datasets import saved_by_this_program

        mine = saved_by_this_program(path)
        return stored(element_spec, "tf.data.Dataset.load()") if mine is None else mine

    def save(self, path: Any, compression: Any = None, shard_func: Any = None,
             checkpoint_args: Any = None) -> None:
        from shapeflow.tensorflow.python.data import saved_datasets

        saved_datasets.save(self, path)

    def cardinality(self, name: Any = None) -> Any:
        return framework_lib.convert_to_tensor(self._size, _core.as_dtype("int64"))

    def __len__(self) -> int:
        if not _core.executing_eagerly():
            raise TypeError("`tf.data.Dataset` only supports `len` in eager mode. Use "
                            "`tf.data.Dataset.cardinality()` instead.")
        if self._size == INFINITE:
            raise TypeError("The dataset is infinite.")
        if self._size == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return self._size

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Any:
        if not _core.executing_eagerly():
            raise RuntimeError("__iter__() is only supported inside of tf.function or when eager "
                               "execution is enabled.")
        from shapeflow.tensorflow.python.data.iterator_ops import EagerIterator

        return EagerIterator(self)

    def as_numpy_iterator(self) -> Any:
        if not _core.executing_eagerly():
            raise RuntimeError("`tf.data.Dataset.as_numpy_iterator()` is only supported in eager "
                               "mode.")
        from shapeflow.tensorflow.python.data.iterator_ops import NumpyIterator

        return NumpyIterator(self)

    def get_single_element(self, name: Optional[str] = None) -> Any:
        from shapeflow.tensorflow.python.data.iterator_ops import get_single_element

        return get_single_element(self)

    def __repr__(self) -> str:
        name = type(self).__name__
        if isinstance(self, DatasetV1):
            return "<%s shapes: %s, types: %s>" % ("DatasetV1Adapter", self._structure.shapes(),
                                                   self._structure.types())
        return "<%s element_spec=%s>" % (self._sf_kind or ("_" + name if name == "DatasetV2" else name),
                                         self.element_spec)


name_what_they_make(DatasetV2)
for _name in ("rejection_resample", "ignore_errors"):
    setattr(DatasetV2, _name, Later("tensorflow.python.data.experimental", _name))
for _name in ("bucket_by_sequence_length", "group_by_window"):
    setattr(DatasetV2, _name, Later("tensorflow.python.data.grouping", _name))


class DatasetV1(DatasetV2):
    """tf.data.Dataset of TensorFlow 1."""

    output_shapes = property(lambda self: self._structure.shapes())
    output_types = property(lambda self: self._structure.types())
    output_classes = property(lambda self: self._structure.classes())

    def make_one_shot_iterator(self) -> Any:
        from shapeflow.tensorflow.python.data import iterator_ops

        return iterator_ops.one_shot(self)

    def make_initializable_iterator(self, shared_name: object = None) -> Any:
        from shapeflow.tensorflow.python.data import iterator_ops

        return iterator_ops.initializable(self, shared_name)

    # tf.contrib.data.Dataset only
    def dense_to_sparse_batch(self, batch_size: object, row_shape: object) -> Any:
        return self._dense_to_sparse_batch(batch_size, row_shape)


def is_version_1() -> bool:
    return _core.get_version()[0] != "2" or not _core.executing_eagerly()


def _new(cls: Any, structure: Structure, runs: Runs, size: int) -> Any:
    return cls.__new__(cls)._set(structure, runs, size)


def _mapped(upstream: Iterator[Run], function: Function, env: Env) -> Iterator[Run]:
    bound = function.bind(env)
    for element, n in upstream:
        yield function.run(element, bound), n


# --- datasets that are not modelled ------------------------------------------------------------------
class UnmodelledDataset(Opaque, DatasetV2):
    """A dataset of TensorFlow 2 of which nobody knows the elements; what is made of it is another one."""

    def _more(self, suffix: str, *arguments: object) -> Any:
        if suffix[1:-2] not in _TRANSFORMATIONS:
            return super()._more(suffix, *arguments)
        kind = UnmodelledDatasetV1 if isinstance(self, DatasetV1) else UnmodelledDataset
        return kind(self._sf_name + suffix, tensors_in(arguments, list(self._sf_inputs)))


class UnmodelledDatasetV1(UnmodelledDataset, DatasetV1):
    """The same of TensorFlow 1."""


def _unknown_method(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return self._more(".%s()" % name, args, kwargs)

    method.__name__ = name
    return method


def _unknown_property(name: str) -> property:
    return property(lambda self: self._more("." + name))


def _unknown_members(of: type, kind: type) -> None:
    """What instances of `of` have is unknown of those of `kind`: it would ask for their elements."""
    for name, value in vars(of).items():
        if name[0] != "_" and isinstance(value, (types.FunctionType, Later)):
            setattr(kind, name, _unknown_method(name))
        elif isinstance(value, property):
            setattr(kind, name, _unknown_property(name))


def _map(self: UnmodelledDataset, map_func: Callable[..., object], *args: object, **kwargs: object) -> object:
    found = unknown_elements.mapped(map_func)
    if found is None:
        return self._more(".map()", (map_func, args), kwargs)
    structure, runs = found
    kind = DatasetV1 if isinstance(self, DatasetV1) else DatasetV2
    return _new(kind, structure, lambda env: runs(), UNKNOWN)


_unknown_members(DatasetV2, UnmodelledDataset)
UnmodelledDataset.map = _map  # type: ignore[method-assign, assignment]
_unknown_members(DatasetV1, UnmodelledDatasetV1)
_TRANSFORMATIONS = {name for name, value in vars(DatasetV2).items()
                    if name[0] != "_" and isinstance(value, (types.FunctionType, Later))} - {
    "as_numpy_iterator", "cardinality", "get_single_element", "options", "reduce", "save"}
DatasetV2._sf_unmodelled_class, DatasetV1._sf_unmodelled_class = UnmodelledDataset, UnmodelledDatasetV1


def stored(element_spec: object, name: str) -> Any:
    """A dataset that is nowhere here, of elements of that spec."""
    if element_spec is None:
        _core.notice_unmodelled(name)
        return (UnmodelledDatasetV1 if is_version_1() else UnmodelledDataset)(name)
    structure = of_specs(element_spec)
    element = tuple(leaf.unknown() for leaf in structure.leaves)
    return _new(DatasetV1 if is_version_1() else DatasetV2, structure,
                lambda env: iter([(element, ASSUMED)]), UNKNOWN)


def unmodelled(name: str, given: Any = ()) -> UnmodelledDataset:
    """What becomes of datasets of which one is not modelled; a source of elements that nobody knows."""
    is_old = any(isinstance(d, DatasetV1) for d in given) if given else is_version_1()
    kind = UnmodelledDatasetV1 if is_old else UnmodelledDataset
    return kind(name, tensors_in(given, []))


# --- shapes of elements -----------------------------------------------------------------------------
def joined(datasets: List[Any], name: str) -> Any:
    """All elements, of which nobody knows the order."""
    if not datasets:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    if any(is_unmodelled(one) for one in datasets):
        return unmodelled("tf.data.Dataset.%s()" % name, datasets)
    made = datasets[0]
    for one in datasets[1:]:
        if one._structure.types() != made._structure.types():
            raise TypeError("Invalid `datasets`. `datasets` must have compatible element specs.")
        made = made.concatenate(one)
    return made._like(made._structure, made._runs, INFINITE if made._size == INFINITE else UNKNOWN)


def _without_rows(structure: Structure, runs: Iterator[Run]) -> Iterator[Run]:
    """Elements whose ragged parts have no lengths, so that they fit together."""
    if not any(isinstance(leaf, RaggedLeaf) for leaf in structure.leaves):
        return runs
    return ((tuple(leaf.unknown() if isinstance(leaf, RaggedLeaf) else part
                   for leaf, part in zip(structure.leaves, element)), n) for element, n in runs)


def _component(env: Env, tensor: Any, leaf: Leaf) -> Any:
    if isinstance(leaf, NestedLeaf):
        return list(tensor._runs(env))
    if isinstance(leaf, SparseLeaf):
        return leaf.unknown()
    return env.get(tensor)


put(DatasetV1, "tf.data.Dataset", "tf.contrib.data.Dataset")
put(DatasetV2, "tf.data.Dataset", v1=False, v2=True)
put(-1, "tf.data.INFINITE_CARDINALITY", "tf.data.experimental.INFINITE_CARDINALITY", v2=True)
put(-2, "tf.data.UNKNOWN_CARDINALITY", "tf.data.experimental.UNKNOWN_CARDINALITY", v2=True)
put(-1, "tf.data.AUTOTUNE", "tf.data.experimental.AUTOTUNE", "tf.contrib.data.AUTOTUNE", v2=True)
