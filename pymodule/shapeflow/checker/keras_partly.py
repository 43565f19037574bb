"""Steps of Keras (fit, evaluate, predict) whose data are known in part.

Of samples that nobody knows the number may be known that one sample has, of labels all. The model and its
loss are given a batch of what is known, so that their shapes are checked; what else is unknown stays so.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api import made_up_layers, unknown_tensor
from shapeflow.api.unmodelled import Opaque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence

_SAMPLES = 32  # of a batch, where the program does not say so


def run(step: str, model: Any, given: Dict[str, Any]) -> None:
    """Raises what Keras raises where the known part is wrong."""
    x, y = given.get("x"), given.get("y")
    elements = None if isinstance(x, Opaque) else getattr(x, "element_spec", None)
    if elements is not None:  # of a data set: they have both
        from keras.src.trainers.data_adapters.data_adapter_utils import unpack_x_y_sample_weight

        x, y, _ = unpack_x_y_sample_weight(elements)
    if x is None or y is None and not step.startswith("predict"):
        return
    from keras.src import tree

    leaves, targets = tree.flatten(x), tree.flatten(y)
    size = given.get("batch_size")
    counts = [count for count in map(_count, [*leaves, *targets]) if count is not None]
    size = min([size if isinstance(size, int) and size > 0 else _SAMPLES, *counts])
    inputs = getattr(model, "inputs", None) or []
    wanted = [list(one.shape) for one in inputs]
    if wanted and len(wanted) != len(leaves):
        return
    made = [_tensor(one, size, wanted[i] if wanted else None) for i, one in enumerate(leaves)]
    if elements is None:
        made = [leaf if one is None else one for leaf, one in zip(leaves, made)]
    elif any(one is None for one in made):
        return
    batch: Sequence[object] = made
    if not model.built:
        batch = made_up_layers.with_sizes(made)[0]
    training = step in ("fit", "train_on_batch")
    outputs = model(tree.pack_sequence_as(x, batch), training=training)
    labels = [_tensor(one, size, None) for one in targets]
    if y is not None and all(one is not None for one in labels) and _takes_loss(model, outputs):
        model.compute_loss(x=None, y=tree.pack_sequence_as(y, labels), y_pred=outputs)


def _takes_loss(model: object, outputs: object) -> bool:
    from keras.src import tree

    return getattr(model, "_compile_loss", None) is not None and not any(
        isinstance(one, Opaque) for one in tree.flatten(outputs))


def _tensor(value: Any, size: int, wanted: Optional[List[Optional[int]]]) -> Optional[_core.Tensor]:
    """A batch of it; None: its shape is unknown, or it is no array. `wanted` is the shape of a model's input:
    what is unknown has that."""
    shape: Any = getattr(value, "_sf_shape", None) if isinstance(value, Opaque) else _shape(value)
    if isinstance(value, Opaque):
        dtype = getattr(value, "_sf_dtype", None)
    elif hasattr(value, "dtype"):
        dtype = getattr(value.dtype, "name", None) or str(value.dtype)
    else:
        return None
    if shape is None:
        shape = wanted
    elif wanted is not None and len(wanted) == len(shape):
        shape = [own if own is not None else dim for own, dim in zip(shape, wanted)]
    if shape is None or not len(shape) or dtype is not None and dtype not in _DTYPES:
        return None
    if dtype is None:  # it fits where another dtype is wanted, text too
        made: _core.Tensor = unknown_tensor.unknown(None, [value, *shape[1:]])
        return made
    return _core.eager_tensor(dtype, [size, *shape[1:]])


_DTYPES = frozenset("float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool".split())


def _shape(value: Any) -> Optional[List[Optional[int]]]:
    try:
        return [None if dim is None else int(dim) for dim in value.shape] if hasattr(value, "dtype") else None
    except (TypeError, ValueError, AttributeError):
        return None


def _count(value: Any) -> Optional[int]:
    shape = None if isinstance(value, Opaque) else _shape(value)
    return shape[0] if shape else None
