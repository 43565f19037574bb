"""The program in real TensorFlow: its graph, its variables with the values that its own initialisation
gives them, and its training step."""
from __future__ import annotations

from . import graph_import
from .externals import bounds_of
from .graph_import import GRADIENT, Imported, ImportFailed, ancestors
from .runs import Runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Set, Tuple

    import numpy as np

    Feeds = Dict[str, np.ndarray]
    Drawn = Dict[str, Tuple[Any, Any]]  # of a variable: its initial value, what is drawn at random for it

_SEEDS_OF_RANGES = 3  # initialisations that say where the initial value of a variable may lie
# A number in, a number out, and no second way from the number that is drawn.
_AFFINE = ("Identity", "Cast", "Reshape", "Neg", "Mul", "Add", "AddV2", "Sub", "RealDiv")
_OPEN = 8  # rows, where nothing says how many


class Run:
    """A call of session.run of the program: names of what it fetched and what it was fed."""

    def __init__(self, fetches: List[str], feeds: Feeds, made_up: List[str], needs: Set[str]) -> None:
        self.fetches = fetches
        self.feeds = feeds
        self.made_up = made_up  # of the feeds: their content is not the script's
        self.needs = needs  # nodes of the exported graph


class Program:
    def __init__(self, tf: Any, graph_def: Any, outputs: Any, runs: List[Tuple[List[str], Feeds, List[str]]],
                 suspects: List[str], seed: int) -> None:
        import numpy as np

        self.tf = tf
        self.random = np.random.RandomState(seed)
        self.notes: List[str] = []
        self.imported = Imported(tf, graph_def, outputs, seed + 1)
        self.failures: Dict[str, str] = {}  # of suspects that could not be imported
        nodes = self.imported.nodes
        self.runs = [Run(fetches, self._filled(feeds, made_up), made_up, ancestors(nodes, fetches))
                     for fetches, feeds, made_up in runs]
        writes = {name for name, node in nodes.items() if _writes(node.op)}
        first = len(self.runs)
        for i, run in enumerate(self.runs):
            if any(nodes[name].op == GRADIENT for name in run.needs) and run.needs & writes:
                first = min(first, i)
        self.initial = [run for run in self.runs[:first] if run.needs & writes]
        self.training: List[Run] = []
        for run in self.runs[first:]:
            if run.needs & writes and all(run.fetches != known.fetches for known in self.training):
                self.training.append(run)
        if not self.training:
            self._take_training_from_graph()
        for name in suspects:
            try:
                self.imported.add([name])
            except ImportFailed as error:
                self.failures[name] = str(error)
        self._import_steps()
        for run in self.training:  # without what the program reads of its step, such as summaries
            run.fetches = [name for name in run.fetches if ancestors(nodes, [name]) & writes]
        with self.imported.graph.as_default():
            tf.set_random_seed(seed + 1)
            # Each set of fetches is compiled at its first run, which takes most of the time of few steps:
            # without rewriting; a witness is replayed with it. Steps of a small program are over before a
            # second thread has begun; kernels still have theirs. In no thread of its own (-1) subnormal
            # numbers would not be zero, as they are elsewhere.
            config = tf.ConfigProto(inter_op_parallelism_threads=1)
            config.graph_options.rewrite_options.disable_meta_optimizer = True
            config.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
            self.session = tf.Session(config=config)
            self.runs_again = Runs(tf, self.session)
            self._find_variables()
        self._initialize()
        self.start = self.values()
        self._ranges: Dict[str, Tuple[Any, Any]] = {}

    def _take_training_from_graph(self) -> None:
        """Of a program whose run ended before its training step."""
        nodes = self.imported.nodes
        steps = [name for name, node in nodes.items() if "Apply" in node.op
                 and any(nodes[needed].op == GRADIENT for needed in ancestors(nodes, [name]))]
        feeds: Feeds = {}
        for run in reversed(self.runs):
            feeds.update(run.feeds)
        if steps:
            self.training.append(Run(steps, feeds, [], ancestors(nodes, steps)))

    def _filled(self, feeds: Feeds, made_up: List[str]) -> Feeds:
        """Where the content is not the script's: numbers between 0 and 1, and rows of labels, of which one is
        1, in a matrix beside something larger."""
        import numpy as np

        largest = max((value.size for value in feeds.values()), default=0)
        made = dict(feeds)
        for name in made_up:
            value = feeds[name]
            if value.dtype.kind != "f":
                continue
            if value.ndim == 2 and value.shape[1] > 1 and value.size < largest:
                classes = self.random.randint(value.shape[1], size=len(value))
                made[name] = np.eye(value.shape[1], dtype=value.dtype)[classes]
            else:
                made[name] = self.random.uniform(size=value.shape).astype(value.dtype)
        return made

    def is_made_up(self, name: str) -> bool:
        return any(name in run.made_up for run in self.runs)

    def _import_steps(self) -> None:
        """What initialises and trains; without what TensorFlow does not take."""
        for group, what in ((self.initial, "initialisation"), (self.training, "training step")):
            for run in list(group):
                try:
                    self.imported.add(run.fetches)
                    self._feed_the_rest(run)
                except ImportFailed as error:
                    group.remove(run)
                    self.notes.append(f"the program's {what} could not be used: {error}")

    def _feed_the_rest(self, run: Run) -> None:
        """Of placeholders for which the program's values are not known. They are filled together, and in the
        order of the graph: what counts as labels depends on the others, and a set has another order in each
        process."""
        rows = next((len(value) for value in run.feeds.values() if value.ndim), None)
        unknown = []
        for name in self.imported.order:
            tensor = self.imported.fetch(name + ":0") if name in run.needs else None
            if tensor is not None and tensor.op.type == "Placeholder" and name + ":0" not in run.feeds:
                run.feeds[name + ":0"] = self.made_up(tensor, rows)
                unknown.append(name + ":0")
        run.feeds = self._filled(run.feeds, unknown)

    def losses_of(self, suspect: str) -> List[Any]:
        """What the program derives, of which this node is a part."""
        found: Dict[str, Any] = {}
        nodes = self.imported.nodes
        for node in nodes.values():
            if node.op == GRADIENT:
                for y in node.input[1:]:
                    if y not in found and suspect in ancestors(nodes, [y]):
                        try:
                            self.imported.add([y])
                            found[y] = self.imported.tensor(y)
                        except (ImportFailed, KeyError):
                            continue
        return list(found.values())

    # variables
    def _find_variables(self) -> None:
        tf = self.tf
        self._variables: Dict[str, Tuple[Any, Any, Any]] = {}  # name: what reads, what is fed, what writes
        for operation in list(self.imported.graph.get_operations()):
            if operation.type not in graph_import.VARIABLES:
                continue
            dtype = tf.as_dtype(operation.get_attr("dtype"))
            given = tf.placeholder(dtype)
            handle = operation.outputs[0]
            if operation.type == "VarHandleOp":
                read = tf.raw_ops.ReadVariableOp(resource=handle, dtype=dtype)
                write = tf.raw_ops.AssignVariableOp(resource=handle, value=given)
            else:
                read = handle
                write = tf.raw_ops.Assign(ref=handle, value=given, validate_shape=False, use_locking=True)
            self._variables[operation.name] = read, given, write

    def _other_seeds(self) -> Feeds:
        """Of random operations without state, which would draw the same again."""
        made: Feeds = {}
        for operation in self.imported.graph.get_operations():
            definition = operation.op_def if operation.type.startswith("Stateless") else None
            names = [argument.name for argument in definition.input_arg] if definition is not None else []
            if "seed" in names:
                seed = operation.inputs[names.index("seed")]
                made[seed.name] = self.random.randint(1 << 30, size=2).astype(seed.dtype.as_numpy_dtype)
        return made

    def _initialize(self, seeds: Optional[Feeds] = None) -> None:
        """By the program's own runs; what they leave by its own initialiser, else by small numbers."""
        for run in self.initial:
            self._try(run.fetches, {**run.feeds, **(seeds or {})})
        for name, value in self.values().items():
            if value is None and self._value(name) is None and not self._by_initializer(name):
                self._by_numbers(name)

    def _try(self, fetches: List[str], feeds: Feeds) -> bool:
        wanted = [self.imported.fetch(name) for name in fetches]
        try:
            self.session.run([item for item in wanted if item is not None], self.feed(feeds))
        except Exception as error:
            self.notes.append(f"{', '.join(fetches)[:80]}: {type(error).__name__}: {str(error)[:200]}")
            return False
        return True

    def _by_initializer(self, name: str) -> bool:
        for node in self.imported.nodes.values():
            if node.op in ("Assign", "AssignVariableOp") and graph_import.node_of(node.input[0]) == name:
                try:
                    self.imported.add([node.name])
                except ImportFailed:
                    return False
                return self._try([node.name], {}) and self._value(name) is not None
        return False

    def _by_numbers(self, name: str) -> None:
        import numpy as np

        shape = [size or 1 for size in (self.imported.outputs.get(name) or [("", None)])[0][1] or ()]
        operation = self.imported.graph.get_operation_by_name(name)
        dims = self.tf.TensorShape(operation.get_attr("shape"))
        if dims.is_fully_defined():
            shape = dims.as_list()
        dtype = self._variables[name][1].dtype
        if dtype.as_numpy_dtype is object:
            return
        value = (self.random.standard_normal(shape) * 0.1 if dtype.is_floating else np.zeros(shape))
        _, given, write = self._variables[name]
        self.session.run(write, {given: value.astype(dtype.as_numpy_dtype)})
        self.notes.append(f"the initial value of {name} is not known; small random numbers stand for it")

    def _value(self, name: str) -> Any:
        try:
            return self.session.run(self._variables[name][0])
        except self.tf.errors.FailedPreconditionError:
            return None

    def values(self) -> Dict[str, Any]:
        try:
            found: Dict[str, Any] = self.session.run({name: read for name, (read, *_) in
                                                      self._variables.items()})
        except self.tf.errors.FailedPreconditionError:  # some have none
            found = {name: self._value(name) for name in self._variables}
        return found

    def restore(self, values: Dict[str, Any]) -> None:
        """In one run: of a program with an optimizer there are many."""
        known = [(self._variables[name], value) for name, value in values.items() if value is not None]
        self.session.run([getattr(write, "op", write) for (_, _, write), _ in known],
                         {given: value for (_, given, _), value in known})

    def initial_range(self, name: str) -> Optional[Tuple[Any, Any]]:
        """Where the program's initialisation puts the elements of a variable; None: always at the same."""
        if not self._ranges and self._variables:
            drawn, is_all = self._drawn_for_initial_values()
            seen = [self.start, *self._ends_of(drawn)]
            if not is_all:
                now = self.values()
                for _ in range(_SEEDS_OF_RANGES):
                    self._initialize(self._other_seeds())
                    seen.append(self.values())
                self.restore(now)
            for variable in self._variables:
                values = [sample[variable] for sample in seen if sample.get(variable) is not None]
                if values and values[0].dtype.kind == "f" and values[0].size:
                    if any((value != values[0]).any() for value in values if value.shape == values[0].shape):
                        self._ranges[variable] = min(v.min() for v in values), max(v.max() for v in values)
            self._ranges.setdefault("", (0, 0))
        return self._ranges.get(name)

    def _drawn_for_initial_values(self) -> Tuple[Drawn, bool]:
        """Of those whose elements are each computed from one number that is drawn; has each other one always
        the same initial value?"""
        made: Drawn = {}
        needs = set().union(*(run.needs for run in self.initial))
        known = set()
        for operation in self.imported.graph.get_operations():
            if operation.type not in ("Assign", "AssignVariableOp") or operation.name not in needs:
                continue
            name, first = operation.inputs[0].op.name, operation.inputs[1]
            tensor = first
            while tensor.op.type in _AFFINE:
                varying = [x for x in tensor.op.inputs if x.dtype.is_floating and not _is_constant(x)]
                if len(varying) != 1:
                    break
                tensor = varying[0]
            if name in self._variables and bounds_of(tensor) is not None:
                made[name] = first, tensor
            elif not _is_constant(first):
                made.pop(name, None)
                known.discard(name)
                continue
            known.add(name)
        return made, known >= set(self._variables)

    def _ends_of(self, drawn: Drawn) -> List[Feeds]:
        """The initial values where all that is drawn is at one end of its range, and at the other."""
        import numpy as np

        if not drawn:
            return []
        feeds: Dict[object, np.ndarray] = {}
        for run in self.initial:
            feeds.update(self.feed(run.feeds))
        first = {name: value for name, (value, _) in drawn.items()}
        tensors = {tensor.name: tensor for _, tensor in drawn.values()}
        shapes = {name: tensor.shape.as_list() for name, tensor in tensors.items()
                  if tensor.shape.is_fully_defined()}
        open_ones = {name: tensor for name, tensor in tensors.items() if name not in shapes}
        if open_ones:
            shapes.update({name: value.shape for name, value in self.session.run(open_ones, feeds).items()})
        found = []
        for end in (0, 1):
            for name, tensor in tensors.items():
                feeds[tensor] = np.full(shapes[name], (bounds_of(tensor) or (0, 0))[end],
                                        tensor.dtype.as_numpy_dtype)
            values: Feeds = self.session.run(first, feeds)
            found.append({name: value for name, value in values.items() if np.isfinite(value).all()})
        return found

    # data
    def feed(self, feeds: Feeds) -> Dict[Any, Any]:
        """Of those that are in the graph."""
        made = {}
        for name, value in feeds.items():
            try:
                made[self.imported.tensor(name)] = value
            except (KeyError, IndexError):
                continue
        return made

    def data_for(self, suspect: str) -> List[Feeds]:
        """What the program fed when it computed this node; else all that it fed."""
        found = [run.feeds for run in self.runs if suspect in run.needs and run.feeds]
        if found:
            names = set(found[0])
            return [feeds for feeds in found if set(feeds) == names]
        merged: Feeds = {}
        for run in self.runs:
            for name, value in run.feeds.items():
                merged.setdefault(name, value)
        return [merged] if merged else []

    def made_up(self, tensor: Any, batch: Optional[int]) -> np.ndarray:
        """A value for a placeholder that nothing is known of. Of unknown rank is what is declared without a
        shape: a rate, a number."""
        import numpy as np

        shape = tensor.shape.as_list() if tensor.shape.ndims is not None else []
        sizes = [size if size is not None else (batch or _OPEN) if i == 0 else _OPEN
                 for i, size in enumerate(shape)]
        dtype = tensor.dtype.base_dtype
        if dtype.is_floating:
            return self.random.uniform(size=sizes).astype(dtype.as_numpy_dtype)
        if dtype.name == "string":
            return np.full(sizes, b"", object)
        return np.zeros(sizes, dtype.as_numpy_dtype)


def _writes(op: str) -> bool:
    return "Apply" in op or op.startswith(("Assign", "ScatterUpdate", "ScatterAdd", "ScatterSub"))


def _is_constant(tensor: Any) -> bool:
    """Is it computed from constants alone?"""
    rest, seen = [tensor.op], set()
    while rest:
        operation = rest.pop()
        if operation.name in seen:
            continue
        seen.add(operation.name)
        is_leaf = not operation.inputs and operation.type != "Const"
        if is_leaf or any(bounds_of(x) is not None for x in operation.outputs):
            return False
        rest += [x.op for x in operation.inputs]
    return True
