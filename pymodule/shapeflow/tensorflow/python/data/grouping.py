"""Elements put together by a key: group_by_window and bucket_by_sequence_length.

Where the key of an element is not known, all have one key: the windows are of neighbours then, and their
content is unknown. Source: tensorflow/python/data/experimental/ops/grouping.py.
"""
from __future__ import annotations

import bisect

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.data import batching, element_runs, element_shapes
from shapeflow.tensorflow.python.data.dataset_ops import UNKNOWN
from shapeflow.tensorflow.python.data.element_runs import Run, content
from shapeflow.tensorflow.python.data.structure import Leaf, Structure, shapes_like
from shapeflow.tensorflow.python.data.traced_function import Function
from shapeflow.tensorflow.python.framework import framework_lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional

    from shapeflow.api.registry import Decorator
    from shapeflow.tensorflow.python.data.traced_function import Env

    Apply = Callable[[Any], Any]
    Window = Callable[[Env, Optional[int]], int]


def _windows(dataset: Any, key_func: Any, size_of: Window, bucket_of: Callable[[int], int] = int,
             keep_rest: bool = True) -> Any:
    """A dataset of pairs: a key (what `bucket_of` makes of the function's), and a dataset of its elements."""
    function = Function(key_func, dataset._structure)
    function.structure("group_by_window")
    key = Leaf("int64", [])

    def runs(env: Env) -> Iterator[Run]:
        bound = function.bind(env)
        held: Dict[int, List[Run]] = {}
        soft = False
        elements = dataset._runs(env)
        for element, n in elements:
            found = content(function.run(element, bound)[0])
            if found is None or n is None:
                # Nobody knows which elements are neighbours of this one in its window.
                for group, times in element_runs.groups(
                        _content_unknown(element, n, elements), size_of(env, None), keep_rest):
                    yield (key.unknown(), group), times
                break
            at = bucket_of(int(found))
            size = size_of(env, at)
            soft = isinstance(n, element_runs.Soft)
            while n > 0:
                window = held.setdefault(at, [])
                part = min(n, size - sum(int(k or 0) for _, k in window))
                window.append((element, part))
                n -= part
                if sum(int(k or 0) for _, k in window) == size:
                    yield (element_runs.component("int64", [], at), held.pop(at)), 1
        for at, window in held.items() if keep_rest and not soft else ():
            yield (element_runs.component("int64", [], at), window), 1

    return dataset._like(Structure((0, 0), [key, dataset._nested()]), runs, UNKNOWN)


def _content_unknown(element: Any, count: Optional[int], rest: Iterator[Run]) -> Iterator[Run]:
    """The elements from here on, of their shapes alone."""
    def one(element: Any) -> Any:
        return tuple(part if isinstance(part, list) or not hasattr(part, "dtype") else element_runs.component(
            part.dtype, part.shape) for part in element)

    yield one(element), count
    for other, n in rest:
        yield one(other), n


def _both(name: str) -> Decorator:
    return export("tf.contrib.data." + name, "tf.data.experimental." + name, v2=True)


@_both("group_by_window")
def group_by_window(key_func: object, reduce_func: object, window_size: object = None,
                    window_size_func: Any = None) -> Apply:
    """Windows of elements of one key, each reduced to a dataset."""
    if window_size is not None and window_size_func or not (window_size is not None or window_size_func):
        raise ValueError("Either the `window_size` argument or the `window_size_func` argument must be "
                         "specified.")

    def size_of(env: Env, key: Optional[int]) -> int:
        size = window_size
        if size is None:
            size = window_size_func(framework_lib.convert_to_tensor(key or 0, _core.as_dtype("int64")))
        return env.integer(size) or 1

    return lambda dataset: _windows(dataset, key_func, size_of).flat_map(reduce_func)


@_both("bucket_by_sequence_length")
def bucket_by_sequence_length(element_length_func: object, bucket_boundaries: Any, bucket_batch_sizes: Any,
                              padded_shapes: Any = None, padding_values: object = None,
                              pad_to_bucket_boundary: bool = False, no_padding: bool = False,
                              drop_remainder: bool = False) -> Apply:
    """Batches of elements of like lengths. Raises ValueError where sizes are not one more than boundaries."""
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError("`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but "
                         "`len(bucket_batch_sizes)=%d` and `len(bucket_boundaries)=%d`."
                         % (len(bucket_batch_sizes), len(bucket_boundaries)))

    def size_of(env: Env, bucket: Optional[int]) -> int:
        return int(bucket_batch_sizes[bucket or 0])

    def apply(dataset: Any) -> Any:
        shapes = dataset._structure.shapes() if padded_shapes is None else padded_shapes
        wants = [element_shapes.pad_shape(shape) for shape in shapes_like(
            dataset._structure.form, element_shapes.listed(shapes))]
        windows = _windows(dataset, element_length_func, size_of,
                           lambda length: bisect.bisect_right(bucket_boundaries, length), not drop_remainder)

        def runs(env: Env) -> Iterator[Run]:
            for (bucket, window), n in windows._runs(env):
                dims = [None if want.ndims is None else want.as_list() for want in wants]
                at = content(bucket)
                if pad_to_bucket_boundary and at is not None and at < len(bucket_boundaries):
                    dims = [None if d is None else [bucket_boundaries[at] - 1 if n is None else n for n in d]
                            for d in dims]
                size = sum(int(k or 0) for _, k in window)
                for batch, _ in batching.padded(iter(window), size, dims, False):
                    yield batch, n

        head = bucket_batch_sizes[0] if drop_remainder and len(set(bucket_batch_sizes)) == 1 else None
        leaves = [leaf.with_shape(element_shapes.batch(head, want))
                  for leaf, want in zip(dataset._structure.leaves, wants)]
        return dataset._like(Structure(dataset._structure.form, leaves), runs, UNKNOWN)

    return apply
