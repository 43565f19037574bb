"""Labels and word numbers that a training gives and the model cannot take.

A step of Keras is run on the shapes of a batch, so that nobody sees a label beyond the classes or a word
beyond the vocabulary. Where the smallest or the largest number of the arrays looks wrong, a batch that has
it is given to the model and its loss, and what TensorFlow's kernels say of it is a finding of the step.
"""
from __future__ import annotations

import contextlib
import io

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Tuple

_LOSS = "sparse_categorical_crossentropy"
# What the kernels say of a label and of an index.
_SAID = ("outside the valid range of [0, ", " is not in [0, ")
_ELEMENTS = 4096  # of a tensor, whose content is followed
_STEPS = {"fit": "steps_per_epoch", "evaluate": "steps", "predict": "steps"}


def check(step: str, model: object, given: Dict[str, object]) -> None:
    """Raises what TensorFlow raises in `step` (fit, predict...) of the model for the values that it was
    given, by the names of its parameters; the finding is made by then."""
    if getattr(model, "jit_compile", None) is True or given.get("epochs") == 0:
        return  # XLA reads beyond the end without a word
    if given.get(_STEPS.get(step, "")) is not None:  # who knows which samples it sees
        return
    for x, y, weights in _data(given):
        try:
            batch = _batch(model, x, y, weights, given.get("batch_size"))
        except Exception:  # whatever the program's own classes of models and data raise
            continue
        if batch is not None and _fails(model, batch, step):
            _run(model, batch, step)


def _data(given: Dict[str, object]) -> Iterator[Tuple[Any, Any, Any]]:
    x = given.get("x")
    yield _of_dataset(x) if hasattr(x, "element_spec") else (x, given.get("y"), given.get("sample_weight"))
    held_out = given.get("validation_data")
    if isinstance(held_out, (tuple, list)) and len(held_out) in (2, 3):
        yield held_out[0], held_out[1], held_out[2] if len(held_out) > 2 else None
    elif hasattr(held_out, "element_spec"):
        yield _of_dataset(held_out)


def _of_dataset(data: object) -> Tuple[object, object, object]:
    """The arrays whose rows a data set gives, all of them."""
    rows = getattr(data, "_sf_rows", None)
    if isinstance(rows, tuple) and len(rows) in (2, 3):
        return rows[0], rows[1], rows[2] if len(rows) > 2 else None
    return (None if isinstance(rows, tuple) else rows), None, None


class _Batch:
    def __init__(self, x: Any, y: Any, weights: Any) -> None:
        self.x, self.y, self.weights = x, y, weights


def _batch(model: object, x: object, y: object, weights: object, size: object) -> Optional[_Batch]:
    """Some samples with the smallest and the largest numbers of each array; None: all is as it should be, or
    nobody knows."""
    import numpy as np

    inputs, labels = _arrays(x), _arrays(y)
    count = _rows(inputs + labels)
    if not inputs or not count:
        return None
    suspects = _strays(inputs, *_words(model)) + (_strays(labels, 0, _classes(model))
                                                  if _LOSS in _losses(model) else [])
    if not suspects:
        return None
    fixed = _fixed_size(model)
    if fixed is not None and fixed > count:
        return None
    wanted = fixed or (size if isinstance(size, int) and size > 0 else 32)
    rows = list(dict.fromkeys(suspects))[:wanted]
    largest = max((array.size // count for array in inputs + labels if array.dtype.kind in "iu"), default=1)
    if not fixed:
        wanted = min(wanted, count, max(len(rows), _ELEMENTS // max(largest, 1)))
    rows += [row for row in range(count) if row not in set(rows)][:max(wanted - len(rows), 0)]

    def cut(value: object) -> Any:
        part = _array(value)
        if part is None:
            return value
        part = part[np.asarray(rows)]
        if part.dtype.kind == "f" and part.size <= _ELEMENTS and np.all(part == np.trunc(part)):
            # Only of whole numbers is more than a few followed.
            return _core.eager_tensor("float32", list(part.shape), part.astype("float32"))
        return _core.convert_to_tensor(part)

    from keras.src import tree

    def cut_labels(value: object) -> object:
        """A map of classes without its last axis, which Keras would take away where nothing is followed."""
        part = _array(value)
        return cut(value if part is None or part.ndim < 3 or part.shape[-1] != 1 else part[..., 0])

    only_classes = set(_losses(model)) == {_LOSS}
    return _Batch(tree.map_structure(cut, x), tree.map_structure(cut_labels if only_classes else cut, y),
                  tree.map_structure(cut, weights))


def _array(value: Any) -> Any:
    """An array of known numbers, or None."""
    import numpy as np

    if isinstance(value, _core.Tensor):
        value = _core.constant_value(value)
    known = isinstance(value, np.ndarray) and type(value).__module__ == "numpy"
    return value if known and value.dtype.kind in "iufb" and value.ndim else None


def _arrays(value: object) -> List[Any]:
    """Those of a structure; [] where it has something else."""
    from keras.src import tree

    found = [_array(one) for one in tree.flatten(value)]
    return [] if any(one is None for one in found) else found


def _rows(arrays: List[Any]) -> int:
    counts = {len(array) for array in arrays}
    return counts.pop() if len(counts) == 1 else 0


def _strays(arrays: List[Any], least: float, limit: float) -> List[int]:
    """Samples whose numbers are out of [least, limit)."""
    import numpy as np

    found: List[int] = []
    for array in arrays:
        if not array.size or array.dtype.kind == "b":
            continue
        for at, beyond in ((int(np.argmin(array)), array.min() < least),
                           (int(np.argmax(array)), array.max() >= limit)):
            if beyond:
                found.append(at // (array.size // len(array)))
    return found


def _words(model: Any) -> Tuple[float, float]:
    """The numbers that all embeddings of a model take: Keras counts negative ones from the end."""
    sizes = [layer.input_dim for layer in model._flatten_layers()
             if type(layer).__name__ == "Embedding" and isinstance(layer.input_dim, int)]
    return (-min(sizes), min(sizes)) if sizes else (float("-inf"), float("inf"))


def _losses(model: object) -> List[str]:
    """The names of those that the model was compiled with."""
    found: List[str] = []

    def add(loss: Any) -> None:
        for one in loss.values() if isinstance(loss, dict) else loss if isinstance(loss, list) else [loss]:
            if isinstance(one, (dict, list)):
                add(one)
            else:
                found.append(one if isinstance(one, str) else str(
                    getattr(one, "name", getattr(one, "__name__", ""))))

    add(getattr(model, "loss", None))
    return found


def _classes(model: object) -> float:
    """The least number of classes that an output may have; 0: nobody knows."""
    outputs = getattr(model, "outputs", None) or ()
    sizes = [int(one.shape[-1]) if len(one.shape) and one.shape[-1] else 0 for one in outputs]
    return min(sizes, default=0)


def _fixed_size(model: object) -> Optional[int]:
    """The size of the batch, where the model's inputs have one."""
    for one in getattr(model, "inputs", None) or ():
        if len(one.shape) and isinstance(one.shape[0], int):
            return int(one.shape[0])
    return None


def _run(model: Any, batch: _Batch, step: str) -> None:
    is_training = step in ("fit", "train_on_batch")
    made = model(batch.x, training=is_training)
    if batch.y is not None and not step.startswith("predict"):
        model.compute_loss(x=batch.x, y=batch.y, y_pred=made, sample_weight=batch.weights)


def _fails(model: object, batch: _Batch, step: str) -> bool:
    """Does a kernel refuse a number of it? What else the model makes of these samples is no concern here."""
    try:
        with _core.mute(), contextlib.redirect_stdout(io.StringIO()):
            _run(model, batch, step)
    except Exception as error:
        return any(said in str(error) for said in _SAID)
    return False
