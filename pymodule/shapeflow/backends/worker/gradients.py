"""Gradients, as each framework gives them."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List


def differentiate(backend: str, function: Callable[[List[Any]], Any], given: List[Any]) -> List[Any]:
    """Of a number by each of the tensors; None where it does not depend on it. Raises NotImplementedError."""
    made = _WAYS.get(backend)
    if made is None:
        raise NotImplementedError(f"the backend {backend} has no gradients")
    return made(function, given)


def _tensorflow(function: Callable[[List[object]], object], given: List[object]) -> List[Any]:
    import tensorflow as tf

    given = [tf.convert_to_tensor(tensor) for tensor in given]
    with tf.GradientTape() as tape:
        tape.watch(given)
        result = function(given)
    slopes = tape.gradient(result, given)
    return [tf.convert_to_tensor(slope) if isinstance(slope, tf.IndexedSlices) else slope for slope in slopes]


def _torch(function: Callable[[List[Any]], Any], given: List[Any]) -> List[Any]:
    import torch

    given = [tensor.detach().clone().requires_grad_(True) for tensor in given]
    with torch.enable_grad():
        result = function(given)
        if not result.requires_grad:  # it depends on none of them
            return [None] * len(given)
        slopes = torch.autograd.grad(result, given, allow_unused=True)
    return [None if slope is None else slope.detach() for slope in slopes]


def _jax(function: Callable[[List[object]], object], given: List[object]) -> List[Any]:
    import jax

    slopes: List[Any] = jax.grad(function)(given)
    return slopes


_WAYS = {"tensorflow": _tensorflow, "torch": _torch, "jax": _jax}
