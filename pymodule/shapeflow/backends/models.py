"""What backends run: a model as Keras's JSON, its weights, its inputs and labels, in a folder.

A file of Keras is read by a worker. Of a script the model is that which the script leaves on our
TensorFlow: it has shapes and no weights, which are then drawn, as for models that are made up.
"""
from __future__ import annotations

import json
import os

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

    Plain = Dict[str, Any]

ROWS = 8  # of inputs that are made up
_LARGEST = 1 << 26  # bytes of a config
# What a config can hold that runs code when it is read.
_CODE = ("Lambda", "__lambda__", "TorchModuleWrapper", "JaxLayer", "FlaxLayer", "TFSMLayer")


class Unusable(ValueError):
    """Why a model or its data cannot be used, in words for the user. `code`: of the finding."""

    def __init__(self, words: str, code: str = "") -> None:
        super().__init__(words)
        self.code = code


class Input:
    """A tensor that the model takes. `shape` with the batch, None for what is free."""

    def __init__(self, name: str, shape: Sequence[Optional[int]], dtype: str) -> None:
        self.name, self.shape, self.dtype = name, list(shape), dtype


def walk(config: Any) -> Iterator[Plain]:
    """All objects with a class in a config, from outside to inside."""
    if isinstance(config, dict):
        if isinstance(config.get("class_name"), str):
            yield config
        for value in config.values():
            yield from walk(value)
    elif isinstance(config, list):
        for value in config:
            yield from walk(value)


def code_in(config: Any) -> List[str]:
    """The objects of a config that run code of a stranger's."""
    return sorted({item["class_name"] for item in walk(config) if item["class_name"] in _CODE})


def refuse_code(config: Any, shown: str, trust: bool) -> None:
    found = code_in(config)
    if found and not trust:
        raise Unusable(f"{shown} has code of its own ({', '.join(found)}): --trust runs it")


def layers_of(config: Plain) -> List[Plain]:
    inner = config.get("config")
    layers = inner.get("layers") if isinstance(inner, dict) else None
    if not isinstance(layers, list):
        raise Unusable(
            "it is no Functional or Sequential model: a class of its own cannot be sent to workers"
        )
    return layers


def inputs_of(config: Plain) -> List[Input]:
    """In the order in which the model takes them."""
    found = {}
    for layer in layers_of(config):
        inner = layer.get("config") or {}
        if layer.get("class_name") == "InputLayer":
            shape = inner.get("batch_shape") or inner.get("batch_input_shape")
            if shape:
                found[inner.get("name", "")] = Input(
                    inner.get("name", ""), shape, str(inner.get("dtype") or "float32")
                )
    if not found:
        raise Unusable("the shapes of the model's inputs are not known: it has not been built")
    wanted = config["config"].get("input_layers")
    names = [row[0] for row in _rows(wanted)] if wanted else list(found)
    return [found[name] for name in names if name in found]


def _rows(nested: Any) -> List[Any]:
    """[name, node, tensor] of lists of them."""
    if isinstance(nested, list) and nested and isinstance(nested[0], str):
        return [nested]
    if isinstance(nested, dict):
        nested = list(nested.values())
    return [row for item in nested or () for row in _rows(item)]


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
    sizes = [item["config"].get("input_dim") or item["config"].get("num_tokens") for item in walk(config)
             if isinstance(item.get("config"), dict)]
    largest = min((size for size in sizes if isinstance(size, int) and size > 0), default=10)
    embeds = {
        name
        for layer in layers_of(config)
        if layer.get("class_name") in ("Embedding", "ReversibleEmbedding")
        for name in _sources(layer)
    }
    made = []
    for item in inputs_of(config):
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


def _sources(layer: Plain) -> List[str]:
    """Names of the layers whose outputs it takes."""
    return [item["config"]["keras_history"][0] for item in walk(layer.get("inbound_nodes") or [])
            if item["class_name"] == "__keras_tensor__"]


def draw_labels(shapes: Sequence[Sequence[Optional[int]]], rows: int, seed: int) -> List[Any]:
    random = np.random.RandomState(seed + 1)
    return [random.uniform(size=[rows, *[size or 6 for size in shape[1:]]]).astype("float32")
            for shape in shapes]


def read_data(path: str, inputs: Sequence[Input]) -> Tuple[List[Any], List[Any]]:
    """(inputs, labels) of a .npz with x0, x1..., y0... (or x and y, or arrays in order) or a .npy.
    Raises Unusable, also for shapes that the model does not take: no framework need start for that."""
    try:
        loaded = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise Unusable(f"{path}: no .npz or .npy that can be read ({error})") from None
    if isinstance(loaded, np.ndarray):
        arrays = {"x0": loaded}
    else:
        with loaded:
            try:
                arrays = {name: loaded[name] for name in loaded.files}
            except ValueError as error:
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
    rows = {len(array) for array in [*first, *labels]}
    if len(rows) > 1:
        raise Unusable(f"{path}: arrays of {', '.join(map(str, sorted(rows)))} samples", "SF707")
    return ([array.astype(wanted.dtype) if wanted.dtype != "bfloat16" else array
             for array, wanted in zip(first, inputs)], labels)


def _split(arrays: Dict[str, Any]) -> Tuple[List[Any], List[Any]]:
    def numbered(letter: str) -> List[Any]:
        if letter in arrays:
            return [arrays[letter]]
        return [arrays[f"{letter}{i}"] for i in range(len(arrays)) if f"{letter}{i}" in arrays]

    first, labels = numbered("x"), numbered("y")
    return (first, labels) if first else (list(arrays.values()), [])


def read_config(path: str) -> Plain:
    """Of a .keras or .h5 file, or Keras's JSON. Raises Unusable."""
    import shapeflow.checker.keras_file as keras_file

    try:
        if path.endswith(".json"):
            if os.path.getsize(path) > _LARGEST:
                raise Unusable(f"{path}: its config is too large")
            with open(path, encoding="utf-8") as stream:
                config = json.load(stream)
        else:
            config = keras_file.config_of(path)
    except keras_file.NotReadable as error:
        raise Unusable(f"{path}: {error}") from None
    except (OSError, ValueError, LookupError, AttributeError, TypeError, RuntimeError) as error:
        raise Unusable(f"{path} is no model that Keras saved ({error})") from None
    if not isinstance(config, dict) or not isinstance(config.get("config"), dict):
        raise Unusable(f"{path} is no model that Keras saved")
    return config
