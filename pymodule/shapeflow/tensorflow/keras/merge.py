"""tf.keras.layers that take several inputs: Add, Concatenate, Dot...

Source: tensorflow/python/keras/layers/merge.py (1.15).
"""

from __future__ import annotations

from typing import Any, List, Optional

from shapeflow.api.registry import export, put
from shapeflow.tensorflow.keras.base_layer import KerasLayer
from shapeflow.tensorflow.python.framework import op_builders
from shapeflow.tensorflow.python.framework.error_report import about, fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.util import nest


def _shapes(inputs: Any) -> List[Any]:
    return [i.get_shape() for i in inputs]


def _broadcast(a: List[Optional[int]], b: List[Optional[int]]) -> List[Optional[int]]:
    """Shapes without the batch, joined from the right, as keras does it."""
    if len(a) < len(b):
        a, b = b, a
    if not b:
        return a
    result = a[:len(a) - len(b)]
    for i, j in zip(a[len(a) - len(b):], b):
        if i is None or j is None:
            result.append(None)
        elif i == 1:
            result.append(j)
        elif j == 1 or i == j:
            result.append(i)
        else:
            raise fail("SF107", "Operands could not be broadcast together with shapes {shape} {shape}",
                       tuple(a), tuple(b))
    return result


class Merge(KerasLayer):
    """What Add, Multiply... share."""

    word = "add"

    def build(self, input_shape: Any) -> None:
        self.built = True

    def _check(self, inputs: Any) -> None:
        if not isinstance(inputs, (list, tuple)):
            raise fail("SF201", "A merge layer should be called on a list of inputs.")
        if len(inputs) < 2:
            raise fail("SF201", "A merge layer should be called on a list of at least 2 inputs. "
                       "Got {int} inputs.", len(inputs))
        shapes = _shapes(inputs)
        if any(s.ndims is None for s in shapes):
            return
        batches = {s.as_list()[0] for s in shapes if s.ndims} - {None}
        if len(batches) > 1:
            raise fail("SF101", "Can not merge tensors with different batch sizes. Got tensors with "
                       "shapes : {text}", [tuple(s.as_list()) for s in shapes])
        rest = shapes[0].as_list()[1:]
        for shape in shapes[1:]:
            rest = _broadcast(rest, shape.as_list()[1:])

    def _pair(self, a: Any, b: Any) -> Any:
        return {"add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b,
                "max": lambda: tf.maximum(a, b), "min": lambda: tf.minimum(a, b)}[self.word]()

    def call(self, inputs: Any) -> Any:
        with about(*((f"inputs[{i}]", x) for i, x in enumerate(nest.flatten(inputs)))):
            self._check(inputs)
        ranks = {s.ndims for s in _shapes(inputs)}
        if None in ranks:
            return op_builders.like_shape(list(inputs), inputs[0].dtype, None)
        most = max(ranks)
        inputs = list(inputs)
        for i, x in enumerate(inputs):  # missing axes go after the batch
            for _ in range(most - x.get_shape().ndims):
                x = tf.expand_dims(x, 1)
            inputs[i] = x
        result = inputs[0]
        for x in inputs[1:]:
            result = self._pair(result, x)
        return result


def _merge(name: str, word: str, function: str) -> None:
    cls = type(name, (Merge,), {"word": word, "__module__": __name__})
    put(cls, "tf.keras.layers." + name)

    def merged(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        if args and function == "subtract":
            inputs = (inputs,) + args
        return cls(**kwargs)(inputs)

    put(merged, "tf.keras.layers." + function)


_merge("Add", "add", "add")
_merge("Subtract", "sub", "subtract")
_merge("Multiply", "mul", "multiply")
_merge("Average", "add", "average")
_merge("Maximum", "max", "maximum")
_merge("Minimum", "min", "minimum")


@export("tf.keras.layers.Concatenate")
class Concatenate(Merge):
    """Inputs side by side along `axis`."""

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def _check(self, inputs: Any) -> None:
        if not isinstance(inputs, (list, tuple)) or len(inputs) < 2:
            raise fail("SF201", "A `Concatenate` layer should be called on a list of at least 2 inputs")
        shapes = _shapes(inputs)
        if any(s.ndims is None for s in shapes):
            return
        dims = [s.as_list() for s in shapes]
        rests = []
        for d in dims:
            d = list(d)
            if -len(d) <= self.axis < len(d):
                del d[self.axis]
            rests.append(d)
        ranks = {len(r) for r in rests}
        clash = len(ranks) > 1 or any(
            len({r[i] for r in rests} - {None}) > 1 for i in range(min(ranks)))
        if clash:
            raise fail("SF108", "A `Concatenate` layer requires inputs with matching shapes except for the "
                       "concat axis. Got inputs shapes: {text}", [tuple(d) for d in dims])

    def call(self, inputs: Any) -> Any:
        with about(*((f"inputs[{i}]", x) for i, x in enumerate(nest.flatten(inputs)))):
            self._check(inputs)
        return tf.concat(list(inputs), self.axis) if len(inputs) > 1 else tf.identity(inputs[0])


@export("tf.keras.layers.concatenate")
def concatenate(inputs: Any, axis: int = -1, **kwargs: Any) -> Any:
    return Concatenate(axis=axis, **kwargs)(inputs)


@export("tf.keras.layers.Dot")
class Dot(KerasLayer):
    """Sums of products along one axis of each of two inputs."""

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axes = axes

    def build(self, input_shape: Any) -> None:
        self.built = True

    def call(self, inputs: Any) -> Any:
        a, b = inputs
        if a.get_shape().ndims is None or b.get_shape().ndims is None:
            return op_builders.like_shape([a, b], a.dtype, None)
        left, right = a.get_shape().as_list(), b.get_shape().as_list()
        axes = [self.axes, self.axes] if isinstance(self.axes, int) else list(self.axes)
        if any(not -len(dims) <= axis < len(dims) for axis, dims in zip(axes, (left, right))):
            raise fail("SF111", "tuple index out of range", error=IndexError)
        i, j = axes[0] % len(left), axes[1] % len(right)
        if left[i] != right[j] and None not in (left[i], right[j]):
            raise fail("SF101", "Dimension incompatible input shapes: axis values {dim} (at axis {axis}) != "
                       "{dim} (at axis {axis}). Full input shapes: {shape}, {shape}",
                       left[i], i, right[j], j, tuple(left), tuple(right))
        rest = [d for n, d in enumerate(left) if n != i] + [
            d for n, d in enumerate(right) if n not in (0, j)]
        if len(rest) == 1:
            rest.append(1)
        return op_builders.like_shape([a, b], a.dtype, rest)


@export("tf.keras.layers.dot")
def dot(inputs: Any, axes: Any = -1, *args: Any, **kwargs: Any) -> Any:
    return Dot(axes, *args, **kwargs)(inputs)

