"""What backends run: a model as Keras's JSON, its weights, its inputs and labels, in a folder.

A file of Keras is read by a worker. Of a script the model is that which the script leaves on our
TensorFlow: it has shapes and no weights, which are then drawn, as for models that are made up.
"""
from __future__ import annotations

import json
import os
import zipfile

import numpy as np

from shapeflow.backends import configs
from shapeflow.backends.configs import Unusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

    Plain = Dict[str, Any]

ROWS = 8  # of inputs that are made up
# What numpy.load raises for a file that it cannot read, or that ends too early.
NOT_READABLE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile)

class Case:
    """A model with numbers, in a folder: see worker/running.py for its files."""

    def __init__(self, folder: str, config: Plain, title: str) -> None:
        self.folder, self.config, self.title = folder, config, title
        self.inputs: List[Any] = []
        self.labels: List[Any] = []
        self.weights: List[Any] = []
        self.loss = "mse"
        self.training = False
        self.trusted = False
        self.has_labels = False  # they are the user's

    def write(self) -> None:
        os.makedirs(self.folder, exist_ok=True)
        with open(os.path.join(self.folder, "model.json"), "w", encoding="utf-8") as stream:
            json.dump(self.config, stream)
        if self.trusted:
            with open(os.path.join(self.folder, "trusted"), "w", encoding="utf-8"):
                pass
        self.write_numbers()

    def write_numbers(self) -> None:
        data = {f"x{i}": array for i, array in enumerate(self.inputs)}
        data.update({f"y{i}": array for i, array in enumerate(self.labels)})
        np.savez(os.path.join(self.folder, "inputs.npz"), **data)
        np.savez(os.path.join(self.folder, "weights.npz"),
                 **{f"w{i}": array for i, array in enumerate(self.weights)})

    def task(self, out: str, phases: Sequence[str], reference: str = "") -> Plain:
        made: Plain = {"do": "run", "folder": self.folder, "out": out, "phases": list(phases),
                       "loss": self.loss, "training": self.training, "seed": 0}
        return {**made, "reference": reference} if reference else made


def draw_weights(rows: Sequence[Sequence[Any]], seed: int) -> List[Any]:
    """For [name, shape, dtype] of each weight: numbers as after a training, that is, no zeros and ones."""
    random = np.random.RandomState(seed)
    made = []
    for name, shape, dtype in rows:
        last = str(name).rpartition("/")[2]
        if "int" in dtype:
            value = np.zeros(shape)  # seeds of random generators, counters
        elif "variance" in last or last in ("gamma", "scale"):
            value = random.uniform(0.5, 1.5, shape)
        elif len(shape) >= 2:
            value = random.standard_normal(shape) / np.sqrt(max(1, int(np.prod(shape[:-1]))))
        else:
            value = random.standard_normal(shape) * 0.3
        made.append(np.asarray(value, dtype if dtype != "bfloat16" else "float32"))
    return made


def draw_inputs(config: Plain, seed: int, rows: int = ROWS) -> List[Any]:
    """Normal numbers; where whole numbers are wanted, those that every Embedding of the model takes."""
    random = np.random.RandomState(seed)
    inner = [item["config"] for item in configs.walk(config) if isinstance(item.get("config"), dict)]
    sizes = [one.get("input_dim") or one.get("num_tokens") for one in inner]
    largest = min((size for size in sizes if isinstance(size, int) and size > 0), default=10)
    sources = configs.sources(config)
    embeds = {
        name
        for layer in configs.layers_of(config)
        if layer.get("class_name") in ("Embedding", "ReversibleEmbedding")
        for name in sources.get(layer["config"].get("name", ""), ())
    }
    made = []
    for item in configs.inputs_of(config):
        shape = [rows if size is None else size for size in item.shape[:1]]
        shape += [size or 6 for size in item.shape[1:]]
        if "int" in item.dtype or item.name in embeds:
            dtype = item.dtype if "int" in item.dtype else "float32"
            made.append(random.randint(0, largest, shape).astype(dtype))
        elif item.dtype == "bool":
            made.append(random.uniform(size=shape) < 0.5)
        else:
            made.append(
                random.standard_normal(shape).astype(item.dtype if item.dtype != "bfloat16" else "float32")
            )
    return made


def draw_labels(shapes: Sequence[Sequence[Optional[int]]], rows: int, seed: int) -> List[Any]:
    random = np.random.RandomState(seed + 1)
    return [random.uniform(size=[rows, *[size or 6 for size in shape[1:]]]).astype("float32")
            for shape in shapes]


def read_data(path: str, inputs: Sequence[configs.Input]) -> Tuple[List[Any], List[Any]]:
    """(inputs, labels) of a .npz with x0, x1..., y0... (or x and y, or arrays in order) or a .npy.
    Raises Unusable, also for shapes that the model does not take: no framework need start for that."""
    try:
        loaded = np.load(path, allow_pickle=False)
    except NOT_READABLE as error:
        raise Unusable(f"{path}: no .npz or .npy that can be read ({error})") from None
    if isinstance(loaded, np.ndarray):
        arrays = {"x0": loaded}
    else:
        with loaded:
            try:
                arrays = {name: loaded[name] for name in loaded.files}
            except NOT_READABLE as error:
                raise Unusable(f"{path}: {error}") from None
    first, labels = _split(arrays)
    if len(first) != len(inputs):
        raise Unusable(f"{path} has {len(first)} inputs, the model takes {len(inputs)}: "
                       "they are x0, x1... in it", "SF707")
    for array, wanted in zip(first, inputs):
        fits = array.ndim == len(wanted.shape) and all(
            size is None or size == given for size, given in zip(wanted.shape, array.shape))
        if not fits:
            shown = tuple(wanted.shape)
            raise Unusable(f"{path}: input {wanted.name!r} is {shown}, the data are {array.shape}", "SF707")
        if array.dtype.kind not in "biuf":
            raise Unusable(
                f"{path}: input {wanted.name!r} is {wanted.dtype}, the data are {array.dtype}", "SF707")
    rows = {len(array) if array.ndim else 0 for array in [*first, *labels]}
    if rows == {0}:
        raise Unusable(f"{path} has no samples", "SF707")
    if len(rows) > 1:
        raise Unusable(f"{path}: arrays of {', '.join(map(str, sorted(rows)))} samples", "SF707")
    return ([array.astype(wanted.dtype) if wanted.dtype != "bfloat16" else array
             for array, wanted in zip(first, inputs)], labels)


def check_labels(path: str, labels: Sequence[Any], ends: Sequence[Sequence[Optional[int]]],
                 loss: str) -> None:
    """Against the model's outputs. Raises Unusable. Labels of another rank are the loss's to judge."""
    if len(labels) != len(ends):
        raise Unusable(f"{path} has {len(labels)} labels, the model has {len(ends)} outputs: "
                       "they are y0, y1... in it", "SF707")
    for place, (array, end) in enumerate(zip(labels, ends)):
        fits = array.ndim != len(end) or "sparse" in loss.lower() or all(
            size is None or size == given or 1 in (size, given)
            for size, given in zip(end[1:], array.shape[1:]))
        if not fits:
            raise Unusable(f"{path}: output {place} is {tuple(end)}, its labels are {array.shape}", "SF707")


def _split(arrays: Mapping[str, object]) -> Tuple[List[Any], List[Any]]:
    def numbered(letter: str) -> List[Any]:
        if letter in arrays:
            return [arrays[letter]]
        return [arrays[f"{letter}{i}"] for i in range(len(arrays)) if f"{letter}{i}" in arrays]

    first, labels = numbered("x"), numbered("y")
    return (first, labels) if first else (list(arrays.values()), [])
