"""What layers of Keras make of inputs of which nobody knows the rank. Most layers take inputs of one rank
(`input_spec`), and say from that what they make: Conv2D(8) makes (None, None, None, 8) of anything. No layer
is built here, since its weights would be of sizes that nobody knows.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.unmodelled import is_unmodelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, List, Optional, Protocol, Sequence, Tuple, Union

    from shapeflow.api.unknown_shapes import Shape

    Dims = Tuple[Optional[int], ...]
    Told = Sequence[Union[None, int, Sequence[Optional[int]]]]

    class Spec(Protocol):
        """keras.InputSpec."""

        ndim: Optional[int]
        axes: Optional[Dict[int, int]]

    class Layer(Protocol):
        """keras.layers.Layer; `rank` of a convolution: its spatial dims."""

        input_spec: Union[None, Spec, List[Spec]]
        compute_dtype: str
        layers: Sequence[Callable[[object], object]]
        rank: int

        def compute_output_shape(self, shape: Dims) -> Told: ...


_OF_ANY_RANK = ("Flatten", "Reshape")  # that make outputs of one rank all the same
_COMPUTING = ("convolutional.", "rnn.", "core.dense")  # modules of layers that have weights
_SIZES = 480, 672
_NOTE = "_sf_is_of_layer"  # in what a layer made of an input that nobody knows


def is_told(given: object) -> bool:
    """Is all that a layer must know of it known, though it comes of what nobody knows? Then it is built."""
    shape = _shape_of(given)
    return shape is not None and (_NOTE not in vars(given) or bool(shape) and shape[-1] is not None)


def output(layer: Layer, inputs: Sequence[object]) -> Optional[List[Tuple[Dims, Optional[str]]]]:
    """Shapes and dtypes of what a layer of Keras's own makes; None: nobody knows. Layers that only move what
    they are given keep its dtype."""
    if len(inputs) != 1 or not type(layer).__module__.startswith("keras.src."):
        return None
    shape = _shape_of(inputs[0])
    if shape is None and not _is_of_unknown_rank(inputs[0]):
        return None
    shape = shape or _rank_wanted(layer)
    if shape is None:
        return None
    found = _computed(layer, shape)
    if not found:  # it wants numbers: what is the same for two of them holds for all
        some, others = (_computed(layer, (shape[0], *(size if dim is None else dim for dim in shape[1:])))
                        for size in _SIZES)
        if list(map(len, some)) != list(map(len, others)):
            return None
        found = [tuple(a if a == b else None for a, b in zip(*pair)) for pair in zip(some, others)]
    is_computed = any(f".layers.{room}" in type(layer).__module__ for room in _COMPUTING)
    return [(one, str(layer.compute_dtype) if is_computed else None) for one in found] or None


def _computed(layer: Layer, shape: Dims) -> List[Dims]:
    try:
        with _core.mute():
            found = layer.compute_output_shape(shape)
        if isinstance(found, dict):
            return []
        dims = [dim for dim in found if dim is None or isinstance(dim, int)]
        if is_one_shape(found):
            return [tuple(dims)]
        return [tuple(one) for one in found if one is not None and not isinstance(one, int)]
    except Exception:  # of what it wants to know more
        return []


def is_one_shape(found: Sequence[object]) -> bool:
    """Not shapes of several outputs. Layers of transposed convolution give a list."""
    return all(dim is None or isinstance(dim, int) for dim in found)


def noted(made: object) -> object:
    vars(made)[_NOTE] = True
    return made


def is_chain(layer: object) -> bool:
    """Is it a Sequential of which nobody has said the input?"""
    return type(layer).__name__ == "Sequential" and not getattr(layer, "outputs", None)


def through(layer: Layer, value: object) -> object:
    """What the layers of a Sequential without an input make of it, one by one; None: nobody knows."""
    try:
        for one in layer.layers:
            value = one(value)
        return value
    except Exception:  # of what is unknown, or found by now
        return None


def _shape_of(given: object) -> Shape:
    found: Shape = getattr(given, "_sf_shape", None) if is_unmodelled(given) else None
    return found


def _is_of_unknown_rank(given: object) -> bool:
    if type(given) is _core.EagerTensor:
        return given.get_shape().ndims is None
    return is_unmodelled(given)


def _rank_wanted(layer: Layer) -> Shape:
    """With the sizes that it was built for."""
    if type(layer).__name__ in _OF_ANY_RANK:
        return None, None
    specs = layer.input_spec
    spec = specs[0] if isinstance(specs, list) else specs
    if spec is None:
        return None
    rank = spec.ndim
    if rank is None and "convolutional" in type(layer).__module__:
        rank = layer.rank + 2
    if rank is None:
        return None
    dims: List[Optional[int]] = [None] * rank
    for axis, size in (spec.axes or {}).items():
        dims[axis] = size
    return tuple(dims)
