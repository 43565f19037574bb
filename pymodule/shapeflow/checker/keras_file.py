"""Saved Keras models (`.keras`, `.h5`, `.hdf5`) as programs: their layers are made again from the config in
the file and called in order; then the shapes of the weights in the file are compared with the layers'.

Findings are located by layer, since there is no source line. What a layer of another package does is not in
the file: its output has the shape that the file says. Nothing is unpickled, and no weight is read. HDF5 is
read by h5py, where that is installed. Source: keras/src/saving/{saving_lib,serialization_lib}.py and
keras/src/legacy/saving/legacy_h5_format.py.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

    from shapeflow.checker.findings import UniqueFindings

    Plain = Dict[str, Any]
    Shape = Tuple[int, ...]

SUFFIXES = (".keras", ".h5", ".hdf5")
_LARGEST = 1 << 26  # bytes of a config
_MODELS = ("Sequential", "Functional", "Model")
_DEEPEST = 16  # models within models


class NotReadable(ValueError):
    """Why a file is not read, in words for its user."""


def is_keras_file(path: str) -> bool:
    return path.lower().endswith(SUFFIXES)


def reason(error: Exception, source: bytes) -> Optional[str]:
    """Why a file could not be started, where Python's words are about something else than the matter."""
    if isinstance(error, NotReadable):
        return str(error)
    if b"\0" in source:
        return ("it is no Python source, and no model of a kind that is read: those are .keras, .h5, .pb, "
                ".pbtxt, .meta and SavedModels")
    return None


def program(path: str, collector: UniqueFindings) -> Callable[[Plain], None]:
    """A function that makes the model of the file as `model` of a namespace. Raises NotReadable."""
    shown = os.path.basename(path)
    config, shapes = _read(path)
    if not isinstance(config, dict) or config.get("class_name") not in _MODELS:
        raise NotReadable("it holds a model of a class of its own: check the script that makes it")

    def run(names: Plain) -> None:
        made = _Maker(shown, collector)
        try:
            names["model"] = made.model(config, 0)
            made.compare(shapes)
        finally:
            made.collect("")

    return run


def config_of(path: str) -> object:
    """Raises NotReadable."""
    return _read(path)[0]


# --- files --------------------------------------------------------------------------------------
def _read(path: str) -> Tuple[object, List[List[Shape]]]:
    try:
        return _read_archive(path) if path.lower().endswith(".keras") else _read_h5(path)
    except NotReadable:
        raise
    except (OSError, ValueError, LookupError, AttributeError, TypeError, RuntimeError) as error:
        raise NotReadable(f"it is no model that Keras saved ({error})")


def _read_archive(path: str) -> Tuple[object, List[List[Shape]]]:
    import json
    import zipfile

    if not zipfile.is_zipfile(path):
        raise NotReadable("it is no .keras file: those are zip archives")
    with zipfile.ZipFile(path) as archive:
        if archive.getinfo("config.json").file_size > _LARGEST:
            raise NotReadable("its config is too large")
        config = json.loads(archive.read("config.json"))
        if _h5py() is None or "model.weights.h5" not in archive.namelist():
            return config, []
        with archive.open("model.weights.h5") as stream, _h5py().File(stream, "r") as weights:
            return config, _shapes_in(weights.get("layers") or weights.get("_layer_checkpoint_dependencies"))


def _read_h5(path: str) -> Tuple[object, List[List[Shape]]]:
    import json

    if _h5py() is None:
        raise NotReadable("it takes h5py to read it (pip install h5py)")
    with _h5py().File(path, "r") as stream:
        text = stream.attrs.get("model_config")
        if text is None:
            raise NotReadable("it holds weights and no model: check the script that makes the model, or what "
                              "model.save() wrote")
        return json.loads(text), _shapes_in(stream.get("model_weights"))


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        return None
    return h5py


def _shapes_in(group: Any) -> List[List[Shape]]:
    """Of each layer the shapes of its weights, sorted."""
    found: List[List[Shape]] = []
    for name in group or ():
        shapes: List[Shape] = []

        def note(inner: str, item: object, shapes: List[Shape] = shapes) -> None:
            if hasattr(item, "shape") and "seed_generator" not in inner:
                shapes.append(tuple(item.shape))

        if hasattr(group[name], "visititems"):
            group[name].visititems(note)
        if shapes:
            found.append(sorted(shapes))
    return found


# --- layers -------------------------------------------------------------------------------------
class _Maker:
    """Makes layers of what a file states. `whole`: all were made as the file states them."""

    def __init__(self, shown: str, collector: UniqueFindings) -> None:
        import shapeflow

        self.keras = shapeflow.keras
        self.shown = shown
        self.collector = collector
        self.whole = True
        self.layers: List[Any] = []  # those of the outermost model
        self.stated: List[object] = []  # tensors that stand for outputs of layers that are not modelled

    def collect(self, layer: str) -> None:
        """The findings since the last call are this layer's."""
        from shapeflow import _core
        from shapeflow.checker.graph_findings import graph_record

        for finding in _core.findings():
            record = graph_record(finding, self.shown)
            if layer:
                record.place = f"{self.shown}: layer '{layer}'"
            self.collector.add(record)
            self.collector.keep(finding)
        _core.clear_findings()

    def model(self, config: Plain, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("models within models without end")
        inner = config["config"]
        layers = inner["layers"] if isinstance(inner, dict) else inner  # a list: Keras before 2.3
        made = self._sequential(config, layers, depth) if config["class_name"] == "Sequential" else \
            self._functional(inner, layers, depth)
        if isinstance(inner, dict) and isinstance(inner.get("name"), str):
            made.name = inner["name"]
        return made

    def layer(self, config: Plain, depth: int) -> Any:
        """None: it is not modelled."""
        if config["class_name"] in _MODELS:
            made = self.model(config, depth + 1)
        else:
            made = self._plain_layer(config)
        if depth == 0 and made is not None:
            self.layers.append(made)
        return made

    def _plain_layer(self, config: Plain) -> object:
        from shapeflow import _core

        kind = getattr(self.keras.layers, config["class_name"], None)
        module = config.get("module")
        given = _arguments(config["config"])
        if not isinstance(kind, type) or hasattr(kind, "_sf_unmodelled") or given is None or not (
                module is None or ".layers" in str(module)):  # an operation may have the name of a layer
            return None
        for name, value in given.items():
            if isinstance(value, dict):  # of wrappers
                given[name] = self._plain_layer(value)
                if given[name] is None:
                    return None
        try:
            return kind(**given)
        except (TypeError, ValueError):
            if _core.findings():
                raise
            return None  # an argument that is not modelled

    def call(self, layer: Any, name: str, args: Sequence[Any], kwargs: Plain, stated: Any) -> Any:
        """What the layer makes; of one that is not known, or of operands that are not, what the file says."""
        known = layer is not None
        if known and not any(arg is None for arg in args):
            try:
                return layer(*args, **kwargs)
            except TypeError:  # a way to call it that is not modelled
                known = False
            finally:
                self.collect(name)
        if not known:
            from shapeflow.tensorflow.python.framework.error_report import fail

            fail("SF901", "layer {name!r} is not modelled: its output has the shape that the file says", name)
            self.collect(name)
        self.whole = False
        made = self._input({"batch_shape": stated}) if stated is not None else None
        if made is not None:
            self.stated.append(made)
        return made

    def _made_of(self, first: object, last: object, before: int) -> object:
        """The model between tensors. What stands for outputs since `before` are inputs of it as well."""
        stated = self.stated[before:]
        if not stated:
            return self.keras.Model(first, last)
        return self.keras.Model([*(first if isinstance(first, list) else [first]), *stated], last)

    def _input(self, config: Plain) -> object:
        shape = config.get("batch_shape") or config.get("batch_input_shape")
        if not shape:
            return None
        dtype = config.get("dtype")
        return self.keras.Input(batch_shape=tuple(shape), dtype=dtype if isinstance(dtype, str) else None)

    def _sequential(self, config: Plain, layers: Sequence[Plain], depth: int) -> Any:
        first = x = None
        before = len(self.stated)
        for place, item in enumerate(layers):
            inner = item["config"]
            if item["class_name"] == "InputLayer":
                first = x = self._input(inner)
                continue
            if first is None and place == 0:
                first = x = self._input(inner) if inner.get("batch_input_shape") else self._input(
                    {"batch_shape": (item.get("build_config") or {}).get("input_shape")})
            after = layers[place + 1] if place + 1 < len(layers) else {}
            layer = self.layer(item, depth)
            if x is None and layer is None:
                continue
            stated = (after.get("build_config") or {}).get("input_shape")
            x = self.call(layer, inner.get("name", ""), [x], {}, stated)
        if first is None or x is None:
            self.whole = False
            return self.keras.Sequential()
        return self._made_of(first, x, before)

    def _functional(self, inner: Plain, layers: Sequence[Plain], depth: int) -> Any:
        tensors: Dict[Tuple[str, int], Any] = {}  # of a layer's n-th call
        before = len(self.stated)
        stated = {key: shape for item in layers for key, shape in _stated(item.get("inbound_nodes"))}
        made: Dict[str, Any] = {}
        todo = [(item, 0) for item in layers]
        while todo:
            left: List[Tuple[Plain, int]] = []
            for item, done in todo:
                name, nodes = item["name"], item.get("inbound_nodes") or []
                if item["class_name"] == "InputLayer":
                    tensors[name, 0] = self._input(item["config"])
                    continue
                while done < len(nodes) and all(key[:2] in tensors for key in _needs(nodes[done])):
                    if name not in made:
                        made[name] = self.layer(item, depth)
                    args, kwargs = _operands(nodes[done], tensors)
                    tensors[name, done] = self.call(made[name], name, args, kwargs, stated.get((name, done)))
                    done += 1
                if done < len(nodes):
                    left.append((item, done))
            if len(left) == len(todo) and left == todo:
                raise ValueError(f"layer {left[0][0]['name']!r} takes what no layer makes")
            todo = left
        ends = [[_picked(tensors, key) for key in _ends(inner[which])] for which in
                ("input_layers", "output_layers")]
        if any(tensor is None for tensor in ends[0] + ends[1]):
            self.whole = False
            return self.keras.Sequential()
        first, last = (end[0] if len(end) == 1 else end for end in ends)
        return self._made_of(first, last, before)

    # --- weights ----------------------------------------------------------------------------------
    def compare(self, shapes: List[List[Shape]]) -> None:
        """What the file has of each layer, with what the config makes of it. Layers are told apart by their
        weights: how a file names them depends on who wrote it."""
        if not self.whole or not shapes:
            return
        from shapeflow.tensorflow.python.framework.error_report import fail

        mine = []
        for layer in self.layers:
            known = [tuple(w.shape.as_list()) for w in layer.weights]
            if known and not any(None in shape for shape in known):
                mine.append((layer, sorted(known)))
        if len(mine) != len(shapes):
            return
        for _, known in mine[:]:
            if known in shapes:
                shapes.remove(known)
                mine.remove(next(pair for pair in mine if pair[1] == known))
        for layer, known in mine:
            others = [theirs for theirs in shapes if list(map(len, theirs)) == list(map(len, known))]
            if len(others) != 1 or sum(list(map(len, k)) == list(map(len, known)) for _, k in mine) != 1:
                continue  # which of them is meant is not sure
            wanted, there = next(pair for pair in zip(known, others[0]) if pair[0] != pair[1])
            fail("SF305", "The shape of the target variable and the shape of the target value in "
                 "`variable.assign(value)` must match. variable.shape={text}, Received: value.shape={text}. "
                 "Target variable: a weight of layer {name!r}", wanted, there, layer.name)
            self.collect(layer.name)


def _arguments(config: Plain) -> Optional[Plain]:
    """Those of a layer's constructor that say something of shapes. None: it takes what is not in the file, or
    layers in a way that is not known."""
    given: Plain = {}
    for name, value in config.items():
        if name == "dtype" and isinstance(value, dict):
            value = value.get("config", {}).get("name")
        if value is None or name in _OF_NO_SHAPE or name.endswith(_OF_VALUES) or \
                value is False and name == "rms_scaling":
            continue
        if isinstance(value, dict) and name not in _OF_WRAPPERS:
            if "activation" not in name:
                return None
            continue
        if isinstance(value, list):
            if any(isinstance(item, dict) for item in value):
                return None
            value = value[0] if name == "axis" and len(value) == 1 else _tuple(value)
        given[name] = value
    return given


def _tuple(value: object) -> object:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


_OF_VALUES = ("_initializer", "_regularizer", "_constraint")
_OF_WRAPPERS = ("layer", "backward_layer", "cell")
_OF_NO_SHAPE = ("batch_input_shape", "quantization_config", "seed", "autocast", "zero_output_for_mask",
                "ragged", "synchronized", "renorm", "virtual_batch_size", "fused", "implementation")


# --- nodes of a functional model ----------------------------------------------------------------
def _keys(value: object) -> Iterator[Plain]:
    """The tensors in a nest of arguments, as Keras 3 writes it."""
    if isinstance(value, dict):
        if value.get("class_name") == "__keras_tensor__":
            yield value["config"]
        else:
            for inner in value.values():
                yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


def _stated(nodes: object) -> Iterator[Tuple[Tuple[str, int], object]]:
    """(layer, call) and the shape that the file has for its output."""
    for config in _keys(nodes):
        name, node, _ = config["keras_history"]
        yield (name, node), config["shape"]


def _needs(node: object) -> List[Tuple[str, int, int]]:
    if isinstance(node, dict):
        return [tuple(config["keras_history"]) for config in _keys(node)]  # type: ignore[misc]
    return [(name, at, output) for name, at, output, *_ in _before(node)]


def _before(node: Any) -> List[Any]:
    """[name, call, output, keyword arguments] of each operand, as Keras 2 writes it."""
    return [node] if node and isinstance(node[0], str) else list(node)


def _picked(tensors: Dict[Tuple[str, int], Any], key: Sequence[Any]) -> Any:
    made = tensors.get((key[0], key[1]))
    if isinstance(made, (list, tuple)):
        return made[key[2]]
    return made


def _operands(node: Any, tensors: Any) -> Tuple[List[object], Plain]:
    def decoded(value: Any) -> object:
        if isinstance(value, dict) and value.get("class_name") == "__keras_tensor__":
            return _picked(tensors, value["config"]["keras_history"])
        if isinstance(value, dict):
            return {name: decoded(inner) for name, inner in value.items()}
        return [decoded(inner) for inner in value] if isinstance(value, list) else value

    if isinstance(node, dict):
        kwargs = {name: decoded(value) for name, value in node.get("kwargs", {}).items() if value is not None}
        return [decoded(value) for value in node["args"]], kwargs
    operands = [_picked(tensors, key) for key in _before(node)]
    return [operands[0] if len(operands) == 1 else operands], {}


def _ends(value: Any) -> List[Any]:
    """[name, call, output] of each; a single one may stand by itself, and they may have names."""
    if isinstance(value, dict):
        value = list(value.values())
    return [value] if value and isinstance(value[0], str) else list(value)
