"""The exported graph inside real TensorFlow.

What real TensorFlow cannot run (operations that it does not have, constants whose content is not known,
elements of data pipelines) becomes a placeholder. Our graph has one node for each gradient; here that is
tf.gradients, so the graph is imported in levels: what needs no gradient, the gradients of that, what needs
those...
Invariant: outside of this module a node is asked for by its name in the exported graph.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, List, Optional, Set, Tuple

    Outputs = Dict[str, List[Tuple[str, Optional[List[Optional[int]]]]]]

GRADIENT = "SfGradient"  # inputs: x, then the tensors that are derived
# What gives an element of the script's data: what its placeholder is fed stands for it.
DATA = ("IteratorGetNext", "IteratorGetNextSync", "IteratorGetNextAsOptional", "OptionalGetValue",
        "QueueDequeueV2", "QueueDequeueManyV2", "QueueDequeueUpToV2", "ReaderReadV2")
VARIABLES = ("VariableV2", "Variable", "VarHandleOp")


class ImportFailed(Exception):
    """Real TensorFlow does not take the graph."""


def node_of(name: str) -> str:
    """Of an input or a tensor's name: the node."""
    return name.lstrip("^").split(":")[0]


def ancestors(nodes: Dict[str, Any], targets: Iterable[str], control: bool = True,
              stop: Optional[Set[str]] = None) -> Set[str]:
    """The nodes that the targets need, themselves included; nothing above a node of `stop`."""
    seen: Set[str] = set()
    rest = [node_of(name) for name in targets]
    while rest:
        name = rest.pop()
        if name in seen or name not in nodes:
            continue
        seen.add(name)
        if stop and name in stop:
            continue
        rest += [node_of(source) for source in nodes[name].input if control or not source.startswith("^")]
    return seen


class Imported:
    """A graph of TensorFlow. `cut`: nodes that became placeholders, {name of the tensor: why}."""

    def __init__(self, tf: Any, graph_def: Any, outputs: Outputs, seed: int = 1) -> None:
        self.tf = tf
        self.seed = seed  # of random operations that the program gives none
        self.nodes = {node.name: node for node in graph_def.node}
        self.order = [node.name for node in graph_def.node]
        self.versions = graph_def.versions
        self.outputs = outputs
        self.graph = tf.Graph()
        self.cut: Dict[str, str] = {}
        # As the exported graph names them; TensorFlow may have to name them otherwise.
        self._tensors: Dict[str, Any] = {}  # "name:i" of placeholders and gradients
        self._operations: Dict[str, Any] = {}

    def add(self, targets: Iterable[str]) -> None:
        """Imports what the targets need. Raises ImportFailed."""
        wanted = ancestors(self.nodes, targets, stop={name for name in self.nodes if self._why_cut(name)})
        try:
            with self.graph.as_default():
                self._import(wanted)
        except Exception as error:
            raise ImportFailed(f"{type(error).__name__}: {str(error)[:300]}") from None

    def tensor(self, name: str) -> Any:
        """Raises KeyError: it was not imported."""
        full = name if ":" in name else name + ":0"
        found = self._tensors.get(full)
        if found is None:
            node, _, index = full.partition(":")
            found = self._operations[node].outputs[int(index)]
        return found

    def fetch(self, name: str) -> Any:
        """An operation or tensor to fetch; None: it was not imported."""
        if name in self._operations:
            return self._operations[name]
        try:
            return self.tensor(name)
        except (KeyError, IndexError):
            return None

    def operation(self, name: str) -> Any:
        """None: it was not imported, or is a placeholder or a gradient now."""
        return self._operations.get(name)

    def _why_cut(self, name: str) -> str:
        """Why this node has to be a placeholder; "": it need not."""
        node = self.nodes[name]
        if node.op == GRADIENT or node.op in VARIABLES:
            return ""
        if node.op in DATA:
            return "an element of the script's data"
        definition = op_definition(self.tf, node.op)
        if definition is None:
            return f"{node.op} is not known to TensorFlow {self.tf.__version__}"
        if node.op == "Const":
            return "" if has_content(self.tf, node) else "a constant whose content is not known"
        if any(value.HasField("func") for value in node.attr.values()):
            return f"{node.op} calls a function of Python"
        return ""

    def _import(self, wanted: Set[str]) -> None:
        names = [name for name in self.order if name in wanted and not self._is_there(name)]
        for name in names:
            why = self._why_cut(name)
            if why:
                self._cut(name, why)
        names = [name for name in names if not self._is_there(name)]
        for level in self._levels(names):
            gradients = [name for name in level if self.nodes[name].op == GRADIENT]
            self._import_nodes([name for name in level if self.nodes[name].op != GRADIENT])
            self._derive(gradients)

    def _is_there(self, name: str) -> bool:
        return name in self._operations or name + ":0" in self._tensors

    def _levels(self, names: List[str]) -> List[List[str]]:
        """A node is one level above each gradient that it reads, and otherwise as high as what it reads. A
        loop reads what comes after it, which is on its own level."""
        known: Dict[str, int] = {}
        levels: List[List[str]] = []
        for name in names:
            level = 0
            for source in map(node_of, self.nodes[name].input):
                if source in known:
                    level = max(level, known[source] + (self.nodes[source].op == GRADIENT))
            known[name] = level
            while len(levels) <= level:
                levels.append([])
            levels[level].append(name)
        return levels

    def _cut(self, name: str, why: str) -> None:
        for i, (dtype, shape) in enumerate(self.outputs.get(name) or [("float32", None)]):
            made = self.tf.placeholder(dtype, shape, name=name if i == 0 else f"{name}_output_{i}")
            self._tensors[f"{name}:{i}"] = made
            self.cut[made.name] = why

    def _import_nodes(self, names: List[str]) -> None:
        part = self.tf.GraphDef()
        part.versions.CopyFrom(self.versions)
        here = set(names)
        mapped: Dict[str, Any] = {}
        for name in names:
            node = part.node.add()
            node.CopyFrom(self.nodes[name])
            node.device = ""
            definition = op_definition(self.tf, node.op)
            known = {attr.name for attr in definition.attr}
            for attr in [attr for attr in node.attr if attr not in known and not attr.startswith("_")]:
                del node.attr[attr]
            if "seed" in known and "seed2" in known and not (node.attr["seed"].i or node.attr["seed2"].i):
                node.attr["seed"].i, node.attr["seed2"].i = self.seed, len(self.graph.get_operations()) + 1
            del node.input[:]
            for source in self.nodes[name].input:
                from_name = node_of(source)
                if from_name in here:
                    node.input.append(source)
                elif source.startswith("^"):
                    if self._is_there(from_name):
                        node.input.append(source)
                        mapped[source] = self._waited_for(from_name)
                else:
                    full = source if ":" in source else source + ":0"
                    node.input.append(source)
                    mapped[full] = self.tensor(full)
        if names:
            made = self.tf.import_graph_def(part, input_map=mapped or None, return_elements=names, name="")
            self._operations.update(zip(names, made))

    def _waited_for(self, name: str) -> object:
        """What stands for a node of another level that is waited for: a tensor, which is made where the node
        gives none."""
        found = self.fetch(name)
        operation = getattr(found, "op", found)
        if operation.outputs:
            return operation.outputs[0]
        with self.tf.control_dependencies([operation]):
            return self.tf.constant(0)

    def _derive(self, names: List[str]) -> None:
        """One tf.gradients for all gradients of the same tensors."""
        groups: Dict[Tuple[str, ...], List[str]] = {}
        for name in names:
            groups.setdefault(tuple(self.nodes[name].input[1:]), []).append(name)
        for of, members in groups.items():
            ys = [self.tensor(y) for y in of if not y.startswith("^")]
            like = [self.tensor(self.nodes[name].input[0]) for name in members]
            found = self.tf.gradients(ys, [differentiable(self.tf, x) for x in like])
            for name, x, made in zip(members, like, found):
                dense = self.tf.zeros_like(x) if made is None else self.tf.convert_to_tensor(made)
                self._tensors[name + ":0"] = dense


def differentiable(tf: object, tensor: Any) -> Any:
    """What TensorFlow derives by in place of a value read from a variable: all reads of it count."""
    source = tensor.op.inputs[0] if len(tensor.op.inputs) else None
    if tensor.op.type == "ReadVariableOp" and source is not None:
        return source
    if tensor.op.type == "Identity" and source is not None and source.op.type in VARIABLES:
        return source
    return tensor


def op_definition(tf: object, op: str) -> Any:
    """Its OpDef; None: TensorFlow has none."""
    from tensorflow.python.framework import op_def_registry

    if hasattr(op_def_registry, "get"):
        return op_def_registry.get(op)
    return op_def_registry.get_registered_ops().get(op)


def has_content(tf: Any, node: Any) -> bool:
    """Is the content of this constant written? The exporter writes one that no reader takes where it is not
    known."""
    tensor = node.attr["value"].tensor
    if not tensor.tensor_content:
        return True
    if any(dim.size < 0 for dim in tensor.tensor_shape.dim) or tensor.tensor_shape.unknown_rank:
        return False
    count = 1
    for dim in tensor.tensor_shape.dim:
        count *= dim.size
    try:
        size: int = tf.as_dtype(tensor.dtype).size
        return len(tensor.tensor_content) == count * size
    except (TypeError, ValueError):
        return False
