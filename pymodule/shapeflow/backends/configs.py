"""Keras's config of a model: what is read of it, and a Functional model that is put together."""
from __future__ import annotations

import copy
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

    Plain = Dict[str, Any]

# What a config can hold that runs code when it is read; what it imports of others than _KERAS is code, too.
_CODE = ("Lambda", "__lambda__", "TorchModuleWrapper", "JaxLayer", "FlaxLayer", "TFSMLayer")
_KERAS = ("keras", "tf_keras", "builtins")


class Unusable(ValueError):
    """Why a model or its data cannot be used, in words for the user. `code`: of the finding."""

    def __init__(self, words: str, code: str = "") -> None:
        super().__init__(words)
        self.code = code


class Input:
    """A tensor that the model takes. `shape` with the batch, None for what is free."""

    def __init__(self, name: str, shape: Sequence[Optional[int]], dtype: str) -> None:
        self.name, self.shape, self.dtype = name, list(shape), dtype


# --- reading --------------------------------------------------------------------------------------------
def walk(config: object) -> Iterator[Plain]:
    """All objects with a class in a config, from outside to inside."""
    if isinstance(config, dict):
        if isinstance(config.get("class_name"), str):
            yield config
        for value in config.values():
            yield from walk(value)
    elif isinstance(config, list):
        for value in config:
            yield from walk(value)


def code_in(config: object) -> List[str]:
    """Names of the objects of a config that run code of a stranger's."""
    found = set()
    for item in walk(config):
        module = item.get("module")
        if item["class_name"] in _CODE:
            found.add(item["class_name"])
        elif isinstance(module, str) and module.partition(".")[0] not in _KERAS:
            found.add(f"{module}.{item['class_name']}")
    return sorted(found)


def refuse_code(config: object, shown: str, trust: bool) -> None:
    """Raises Unusable."""
    found = code_in(config)
    if found and not trust:
        raise Unusable(f"{shown} has code of its own ({', '.join(found)}): --trust runs it")


def layers_of(config: Plain) -> List[Plain]:
    """The rows of a model's layers."""
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
    for item in found.values():
        if not re.match(r"(bfloat|float|u?int|bool)(8|16|32|64)?$", item.dtype):
            raise Unusable(f"the model's input {item.name!r} is {item.dtype}: only numbers are compared")
    wanted = config["config"].get("input_layers")
    names = [row[0] for row in _positions(wanted)] if wanted else list(found)
    return [found[name] for name in names if name in found]


def with_sizes(config: Plain, shapes: Sequence[Sequence[int]]) -> Plain:
    """The config for inputs of these shapes: sizes that were open, but the number of samples, are theirs."""
    made: Plain = copy.deepcopy(config)
    sizes = {item.name: shape for item, shape in zip(inputs_of(config), shapes)}
    for layer in layers_of(made):
        inner = layer.get("config") or {}
        shape = sizes.get(inner.get("name", ""))
        key = "batch_shape" if inner.get("batch_shape") else "batch_input_shape"
        if layer.get("class_name") == "InputLayer" and shape and inner.get(key):
            inner[key] = [*inner[key][:1], *shape[1:]]
    return made


def count_outputs(config: Plain) -> int:
    return len(_positions(config["config"].get("output_layers"))) or 1  # a Sequential model does not say


def _positions(nested: Any) -> List[Any]:
    """[name, node, tensor] of lists of them."""
    if isinstance(nested, list) and nested and isinstance(nested[0], str):
        return [nested]
    if isinstance(nested, dict):
        nested = list(nested.values())
    return [row for item in nested or () for row in _positions(item)]


def tensors_of(layer: Plain) -> List[Tuple[str, int]]:
    """(name of a layer, which of its outputs) of what a layer takes."""
    histories = [item["config"]["keras_history"] for item in walk(layer.get("inbound_nodes") or [])
                 if item["class_name"] == "__keras_tensor__"]
    return [(name, index) for name, _, index in histories]


def sources_of(layer: Plain) -> List[str]:
    """Names of the layers whose outputs a layer takes."""
    return [name for name, _ in tensors_of(layer)]


def sources(config: Plain) -> Dict[str, List[str]]:
    """{name of a layer: names of those whose outputs it takes}; in a Sequential model the one before it."""
    rows = layers_of(config)
    names = [row["config"].get("name", "") for row in rows]
    if config.get("class_name") == "Sequential":
        return {name: [before] for before, name in zip(names, names[1:])}
    return {name: sources_of(row) for name, row in zip(names, rows)}


def classes_of(config: Plain) -> Dict[str, str]:
    """{name of a layer: its class}, those of inner models too."""
    return {item["config"]["name"]: item["class_name"] for item in walk(config)
            if isinstance(item.get("config"), dict) and isinstance(item["config"].get("name"), str)}


def parameters_of(config: Plain, layer: str) -> Plain:
    """The arguments of a layer as the model has them."""
    for item in walk(config):
        inner = item.get("config")
        if isinstance(inner, dict) and inner.get("name") == layer and item is not config:
            return {key: value for key, value in inner.items()
                    if key not in ("name", "trainable") and not isinstance(value, dict)
                    and (key, value) != ("dtype", "float32")}
    return {}


# --- writing --------------------------------------------------------------------------------------------
def layer_config(name: str, config: Plain) -> Plain:
    return {"module": "keras.layers", "class_name": name, "registered_name": None, "config": config}


def tensor(layer: str, shape: Sequence[Optional[int]], dtype: str, index: int = 0) -> Plain:
    """An output of a layer, as an argument of another."""
    return {"class_name": "__keras_tensor__", "config": {
        "shape": list(shape), "dtype": dtype, "keras_history": [layer, 0, index]}}


def input_row(name: str, shape: Sequence[Optional[int]], dtype: str) -> Plain:
    return {**layer_config("InputLayer", {"batch_shape": list(shape), "dtype": dtype, "name": name}),
            "name": name, "inbound_nodes": []}


def called(layer: Plain, arguments: Sequence[Plain]) -> Plain:
    """The row of a layer that is called with tensors: one, a list of them, or each by itself."""
    given: Any = arguments[0] if len(arguments) == 1 else list(arguments)
    separate = layer["class_name"] in SEPARATE_ARGUMENTS
    return {**layer, "name": layer["config"]["name"],
            "inbound_nodes": [{"args": list(arguments) if separate else [given], "kwargs": {}}]}


def functional(name: str, rows: Sequence[Plain], inputs: Sequence[str],
               outputs: Sequence[Tuple[str, int]]) -> Plain:
    """`outputs`: names of layers, and which of their outputs."""
    return {
        "module": "keras.src.models.functional",
        "class_name": "Functional",
        "registered_name": "Functional",
        "config": {
            "name": name,
            "trainable": True,
            "layers": list(rows),
            "input_layers": [[source, 0, 0] for source in inputs],
            "output_layers": [[layer, 0, index] for layer, index in outputs],
        },
    }


# Their call takes several tensors, not a list of them.
SEPARATE_ARGUMENTS = ("MultiHeadAttention", "GroupQueryAttention")
