"""A model on one backend, node by node: what each layer gives, the loss, and its gradients.

The task's folder has model.json, weights.npz (w0, w1... in the order of model.weights), inputs.npz (x0,
x1...) and, for a loss, y0, y1... in it. `out` gets
  f/KEY/i   output i of a call of a layer; KEY is the layer's name, with #2... for its second call
  loss      the loss
  g/KEY/i   its gradient by that output;   gx/i by input i of the model;   gw/i by weight i
  gu/KEY/i  its gradient by input i of a call of a layer, through this call alone: only where the tensor goes
            elsewhere, too, so that a larger gradient from there does not hide it
With a `reference`, the results of another backend, each node gets *its* inputs and the gradients of *its*
outputs: the differences that a layer has then are its own. There are then b/KEY/i, the gradient by each
input of the node, and bw/KEY/i by each of its weights, instead of the last three; `loss` is that of its
outputs, and gl/i the gradient by them. OUT.at says which node and phase is under way: all that is known
after a crash.
"""
from __future__ import annotations

import os

from . import describing
from .gradients import differentiate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

    Plain = Dict[str, Any]
    Tensors = Dict[int, Any]


class Failed(Exception):
    """A layer raised, in a phase."""

    def __init__(self, layer: str, phase: str, error: Exception) -> None:
        super().__init__(str(error))
        self.layer, self.phase, self.error = layer, phase, error


class Unwritten(Exception):
    """The results cannot be written: no fault of the model's or the backend's."""


class Node:
    """A call of a layer. `inputs`: ids of symbolic tensors."""

    def __init__(self, key: str, node: Any) -> None:
        self.key, self.node = key, node
        self.layer = node.operation
        self.inputs = [id(tensor) for tensor in node.input_tensors]
        self.outputs = [id(tensor) for tensor in node.outputs]

    @property
    def precision(self) -> str:
        """The coarsest type that it, or a layer in it, computes in and gives; what it takes is cast, if need
        be, to the type that it computes in."""
        found = [getattr(tensor, "dtype", "") for tensor in self.node.outputs]
        inside = getattr(self.layer, "_flatten_layers", None)
        for layer in inside() if inside else [self.layer]:
            found.append(getattr(layer, "compute_dtype", ""))
        if not getattr(self.layer, "autocast", False):
            found += [getattr(tensor, "dtype", "") for tensor in self.node.input_tensors]
        return _coarsest(found)

    @property
    def input_precisions(self) -> List[str]:
        return [_coarsest([tensor.dtype]) for tensor in self.node.input_tensors]

    def call(self, tensors: Tensors, training: bool) -> List[Any]:
        args, kwargs = self.node.arguments.fill_in(tensors)
        if getattr(self.layer, "_call_has_training_arg", False):
            kwargs = {**kwargs, "training": training}
        return describing.flat(self.layer(*args, **kwargs))


def _coarsest(dtypes: Sequence[object]) -> str:
    found = set(map(str, dtypes))
    return next((dtype for dtype in ("bfloat16", "float16") if dtype in found), "float32")


def nodes_of(model: Any) -> Tuple[List[Node], List[int]]:
    """In the order in which they run; and the ids of the model's outputs."""
    graph = getattr(model, "_functional", None) or model
    counts: Dict[str, int] = {}
    found = []
    for depth in sorted(graph._nodes_by_depth, reverse=True):
        for node in graph._nodes_by_depth[depth]:
            if node.operation is None or node.is_input:
                continue
            name = node.operation.name
            counts[name] = counts.get(name, 0) + 1
            found.append(Node(name if counts[name] == 1 else f"{name}#{counts[name]}", node))
    return found, [id(tensor) for tensor in describing.flat(graph.outputs)]


def run(keras: Any, backend: str, task: Plain) -> Plain:
    keras.utils.set_random_seed(task.get("seed", 0))
    try:
        model = describing.read_model(keras, task["folder"])
    except Exception as error:
        return _failure("", "build", error)
    data = _arrays(os.path.join(task["folder"], "inputs.npz"))
    stored = _arrays(os.path.join(task["folder"], "weights.npz"))
    try:
        model.set_weights([stored[f"w{i}"] for i in range(len(stored))])
        # A Normalization computes with copies of its weights, which it makes where a file is loaded: without
        # them it divides by 1e-7.
        for layer in model._flatten_layers():
            if isinstance(layer, keras.layers.Normalization):
                layer.finalize_state()
    except Exception as error:
        return _failure("", "build", error)
    try:
        return _answer(_Runner(keras, backend, model, data, task), task)
    except Unwritten as error:
        return {"status": "unwritten", "reason": str(error)}


def _answer(runner: _Runner, task: Plain) -> Plain:
    import numpy as np

    try:
        if task.get("reference"):
            runner.local(_arrays(task["reference"]))
        else:
            runner.whole()
    except Failed as failed:
        _write(task["out"], runner.results)
        return {**_failure(failed.layer, failed.phase, failed.error), "keys": list(runner.results),
                "misfits": runner.misfits}
    except Exception as error:
        _write(task["out"], runner.results)
        return {**_failure("", runner.phase, error), "misfits": runner.misfits}
    _write(task["out"], runner.results)
    answer: Plain = {"status": "ok", "nodes": runner.description(), "skipped": runner.skipped,
                     "unsupported": runner.unsupported, "misfits": runner.misfits,
                     "ends": runner.output_keys(),
                     "weights": [variable.path for variable in runner.model.weights]}
    if "loss" in runner.results:
        loss = float(np.asarray(runner.results["loss"]))
        answer["loss"] = loss if np.isfinite(loss) else repr(loss)
    return answer


def _write(path: str, arrays: Dict[str, Any]) -> None:
    import numpy as np

    # Through a stream: np.savez takes no key "file" as a keyword otherwise, and adds a suffix.
    try:
        with open(path, "wb") as stream:
            np.savez(stream, **arrays)
    except OSError as error:
        raise Unwritten(f"{path}: {error.strerror or error}") from error


def _arrays(path: str) -> Dict[str, Any]:
    import numpy as np

    with np.load(path, allow_pickle=False) as data:
        return {key: data[key] for key in data.files}


def _failure(layer: str, phase: str, error: Exception) -> Plain:
    from . import serve

    text = serve.reason_of(error)
    status = "refused" if _says_unsupported(error, text) else "failed"
    return {"status": status, "reason": text, "layer": layer, "phase": phase,
            "no_memory": serve.memory_shortage(error) is not None}


def _says_unsupported(error: Exception, text: str) -> bool:
    """Keras says NotImplementedError; frameworks also say it in words. A package may be missing."""
    return isinstance(error, (NotImplementedError, ImportError)) or any(
        words in text.lower() for words in (
            "not implemented", "not supported", "unsupported", "does not support", "not yet supported",
            "only supports", "could not find device for node"))  # of a kernel for such a type


class _Runner:
    def __init__(self, keras: Any, backend: str, model: Any, data: Dict[str, Any], task: Plain) -> None:
        self.keras, self.backend, self.model = keras, backend, model
        self.training = bool(task.get("training"))
        self.phases = task["phases"]
        self.loss_name = task.get("loss", "mse")
        self.nodes, self.ends = nodes_of(model)
        self.inputs = [data[f"x{i}"] for i in range(len(model.inputs))]
        self.labels = [data[f"y{i}"] for i in range(len(self.ends)) if f"y{i}" in data]
        self.results: Dict[str, Any] = {}
        self.skipped: Dict[str, str] = {}
        self.unsupported: List[str] = []  # of those skipped
        self.misfits: Dict[str, str] = {}  # what has another shape than it should, and no input that has
        self._apart: Set[int] = set()  # symbolic outputs of another shape
        self.phase = "forward"
        self._progress = open(task["out"] + ".at", "w", encoding="utf-8")

    def _at(self, key: str) -> None:
        self._progress.seek(0)
        self._progress.write(f"{self.phase} {key}\n")
        self._progress.flush()

    def description(self) -> List[Plain]:
        makers = {output: (node.key, i) for node in self.nodes for i, output in enumerate(node.outputs)}
        for i, tensor in enumerate(self.model.inputs):
            makers[id(tensor)] = f"input {i}", 0
        return [{"key": node.key, "layer": node.layer.name, "class": type(node.layer).__name__,
                 "outputs": [self._described(f"f/{node.key}/{i}") for i in range(len(node.outputs))],
                 "weights": [self._index(variable) for variable in getattr(node.layer, "weights", ())],
                 "inputs": [makers.get(ident, ("?", 0))[0] for ident in node.inputs],
                 "indices": [makers.get(ident, ("?", 0))[1] for ident in node.inputs],
                 "precision": node.precision, "input_precisions": node.input_precisions,
                 "is_output": any(output in self.ends for output in node.outputs)} for node in self.nodes]

    def _described(self, key: str) -> List[Any]:
        value = self.results.get(key)
        return [[], ""] if value is None else [list(value.shape), str(value.dtype)]

    # --- the whole model --------------------------------------------------------------------------
    def whole(self) -> None:
        self._forward(self._given(self.inputs), self._keep)
        if self._apart.issuperset(self.ends):
            self.labels = []
        if "loss" in self.phases and self.labels:
            self.phase = "loss"
            outputs = [self._tensor(self.results[key]) for key in self.output_keys()]
            self.results["loss"] = self._numpy(self._loss(outputs))
        if "backward" in self.phases and self.labels:
            self.phase = "backward"
            self._at("")
            self._backward()

    def output_keys(self) -> List[str]:
        by_id = {output: f"f/{node.key}/{i}" for node in self.nodes for i, output in enumerate(node.outputs)}
        return [by_id[end] for end in self.ends]

    def _given(self, arrays: Sequence[object]) -> Tensors:
        return {id(symbolic): self._tensor(array, symbolic.dtype)
                for symbolic, array in zip(self.model.inputs, arrays)}

    def _tensor(self, array: Any, dtype: Optional[str] = None) -> Any:
        return self.keras.ops.convert_to_tensor(array, dtype=dtype)

    def _numpy(self, tensor: Any) -> Any:
        import numpy as np

        if "bfloat16" in str(getattr(tensor, "dtype", "")):
            tensor = self.keras.ops.cast(tensor, "float32")  # numpy reads no scalar of TensorFlow's
        made = np.asarray(self.keras.ops.convert_to_numpy(tensor))
        return made if made.dtype.kind in "biufc" else made.astype("float32")  # bfloat16 and the like

    def _keep(self, node: Node, outputs: List[Any]) -> List[Any]:
        for i, (output, symbolic) in enumerate(zip(outputs, node.node.outputs)):
            self.results[f"f/{node.key}/{i}"] = made = self._numpy(output)
            if not describing.fits(symbolic.shape, made.shape):
                self._apart.add(node.outputs[i])
                if self._apart.intersection(node.inputs):
                    continue
                self.misfits[node.key] = describing.misfit(symbolic.shape, made.shape)
        return outputs

    def _forward(
        self, tensors: Dict[int, object], hook: Callable[[Node, List[object]], List[object]],
        take: Callable[[Node, Dict[int, object]], Dict[int, object]] = lambda node, tensors: tensors,
    ) -> Dict[int, object]:
        """`take`: what a node gets of the tensors; `hook`: what the others get of its outputs."""
        for node in self.nodes:
            self._at(node.key)
            try:
                outputs = hook(node, node.call(take(node, tensors), self.training))
            except Exception as error:
                raise Failed(node.key, self.phase, error) from error
            tensors.update(zip(node.outputs, outputs))
        return tensors

    def _loss(self, outputs: List[Any]) -> Any:
        """Without outputs of another shape than Keras says: their labels are of that."""
        total: Any = 0.0
        for end, label, output in zip(self.ends, self.labels, outputs):
            if end in self._apart:
                continue
            function = self.keras.losses.get(self.loss_name)
            mean = self.keras.ops.mean(function(self._tensor(label), output))
            total = total + self.keras.ops.cast(mean, "float32")  # outputs may be of several types
        return total

    def _backward(self) -> None:
        """Gradients of the loss by inputs, weights and what each layer gives: to that a zero is added."""
        variables = self.model.trainable_weights
        places = [i for i, array in enumerate(self.inputs) if array.dtype.kind == "f"]
        given = [self._tensor(self.inputs[i]) for i in places] + [variable.value for variable in variables]
        keys = [key for key, value in self.results.items()
                if key.startswith("f/") and value.dtype.kind == "f"]
        uses = self._uses(keys)
        given += [self.keras.ops.zeros_like(self._tensor(self.results[key])) for key in keys]
        given += [self.keras.ops.zeros_like(self._tensor(value)) for value in uses.values()]

        def loss(tensors: List[Any]) -> Any:
            fed = self._given(self.inputs)
            for place, tensor in zip(places, tensors):
                fed[id(self.model.inputs[place])] = tensor
            rest = tensors[len(places):]
            added = dict(zip([*keys, *uses], rest[len(variables):]))

            def add(node: Node, outputs: List[Any]) -> List[Any]:
                return [self._plus(output, added.get(f"f/{node.key}/{i}"))
                        for i, output in enumerate(outputs)]

            def take(node: Node, tensors: Tensors) -> Tensors:
                own = {ident: self._plus(tensors[ident], added[f"gu/{node.key}/{i}"])
                       for i, ident in enumerate(node.inputs) if f"gu/{node.key}/{i}" in added}
                return {**tensors, **own} if own else tensors

            with self.keras.StatelessScope(state_mapping=list(zip(variables, rest))):
                made = self._forward(fed, add, take)
                return self._loss([made[end] for end in self.ends])

        slopes = differentiate(self.backend, loss, given)
        names = [f"gx/{i}" for i in places]
        names += [f"gw/{self._index(variable)}" for variable in variables]
        names += ["g/" + key[2:] for key in keys]
        for name, slope in zip([*names, *uses], slopes):
            if slope is not None:
                self.results[name] = self._numpy(slope)

    def _uses(self, keys: Sequence[str]) -> Plain:
        """{gu/KEY/i: the value} of what nodes take and something else does, too. `keys`: of outputs that have
        gradients."""
        values = {id(tensor): array for tensor, array in zip(self.model.inputs, self.inputs)
                  if array.dtype.kind == "f"}
        values.update({output: self.results[f"f/{node.key}/{i}"] for node in self.nodes
                       for i, output in enumerate(node.outputs) if f"f/{node.key}/{i}" in keys})
        takers = [{*node.inputs} for node in self.nodes] + [{*self.ends}]
        return {f"gu/{node.key}/{node.inputs.index(ident)}": values[ident]
                for node in self.nodes for ident in dict.fromkeys(node.inputs)
                if ident in values and sum(ident in taken for taken in takers) > 1}

    def _plus(self, output: Any, more: Any) -> Any:
        if more is None:
            return output
        more = self.keras.ops.cast(more, output.dtype)  # a type that numpy lacks came as another one
        return _masked(output + more, getattr(output, "_keras_mask", None))

    def _index(self, variable: Any) -> int:
        return next(i for i, other in enumerate(self.model.weights) if other is variable)

    # --- each layer by itself -----------------------------------------------------------------------
    def local(self, reference: Dict[str, Any]) -> None:
        symbolic = self._given(self.inputs)
        for node in self.nodes:
            for i, (ident, output) in enumerate(zip(node.outputs, node.node.outputs)):
                if f"f/{node.key}/{i}" in reference:
                    # Its own type: that of the file is another one where numpy has none.
                    symbolic[ident] = self._tensor(reference[f"f/{node.key}/{i}"], output.dtype)
        self._masks(symbolic)
        for node in self.nodes:
            if not all(ident in symbolic for ident in node.inputs):
                continue
            self.phase = "forward"
            self._at(node.key)
            try:
                self._keep(node, node.call(dict(symbolic), self.training))
                if "backward" in self.phases:
                    self.phase = "backward"
                    self._at(node.key)
                    self._slopes_of(node, symbolic, reference)
            except Exception as error:  # the other layers are worth knowing, too
                from . import serve

                reason = serve.reason_of(error)
                self.skipped[node.key] = f"{self.phase}: {reason}"
                if _says_unsupported(error, reason):
                    self.unsupported.append(node.key)
        if self._apart.issuperset(self.ends):
            return
        if "loss" in self.phases and self.labels and all(end in symbolic for end in self.ends):
            self._loss_of([symbolic[end] for end in self.ends])

    def _loss_of(self, outputs: List[Any]) -> None:
        self.phase = "loss"
        self._at("")
        try:
            self.results["loss"] = self._numpy(self._loss(outputs))
            if "backward" in self.phases:
                for i, slope in enumerate(differentiate(self.backend, self._loss, outputs)):
                    if slope is not None:
                        self.results[f"gl/{i}"] = self._numpy(slope)
        except Exception as error:
            from . import serve

            self.skipped[""] = f"{self.phase}: {serve.reason_of(error)}"

    def _masks(self, symbolic: Tensors) -> None:
        """What a layer says of padded steps comes with its tensor."""
        for node in self.nodes:
            compute = getattr(node.layer, "compute_mask", None)
            if not getattr(node.layer, "supports_masking", False) or compute is None or len(node.inputs) != 1:
                continue
            if node.inputs[0] not in symbolic or node.outputs[0] not in symbolic:
                continue
            source = symbolic[node.inputs[0]]
            try:
                mask = compute(source, getattr(source, "_keras_mask", None))
                if mask is not None and not isinstance(mask, (list, tuple)):
                    symbolic[node.outputs[0]]._keras_mask = mask
            except Exception:
                continue  # without a mask the layer runs, too

    def _slopes_of(self, node: Node, symbolic: Tensors, reference: Dict[str, Any]) -> None:
        ends = [(i, reference[f"g/{node.key}/{i}"]) for i in range(len(node.outputs))
                if f"g/{node.key}/{i}" in reference]
        variables = list(getattr(node.layer, "trainable_weights", ()))
        inputs = [ident for ident in dict.fromkeys(node.inputs)
                  if "float" in str(getattr(symbolic[ident], "dtype", ""))]
        if not ends or not (inputs or variables):
            return

        def weighted(tensors: List[Any]) -> Any:
            fed = dict(symbolic)
            for ident, tensor in zip(inputs, tensors):
                mask = getattr(symbolic[ident], "_keras_mask", None)
                fed[ident] = _masked(tensor, mask)
            with self.keras.StatelessScope(state_mapping=list(zip(variables, tensors[len(inputs):]))):
                outputs = node.call(fed, self.training)
                total: Any = 0.0
                for i, slope in ends:
                    total = total + self.keras.ops.sum(outputs[i] * self._tensor(slope, outputs[i].dtype))
                return total

        given = [symbolic[ident] for ident in inputs] + [variable.value for variable in variables]
        slopes = differentiate(self.backend, weighted, given)
        names = [f"b/{node.key}/{node.inputs.index(ident)}" for ident in inputs]
        names += [f"bw/{node.key}/{i}" for i in range(len(variables))]
        for name, slope in zip(names, slopes):
            if slope is not None:
                self.results[name] = self._numpy(slope)


def _masked(tensor: Any, mask: Any) -> Any:
    if mask is not None:
        try:
            tensor._keras_mask = mask
        except AttributeError:
            pass
    return tensor
