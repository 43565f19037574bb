"""What a script leaves, put into a document: its graphs, the functions that were traced, the symbolic graph
of Keras models, and the record of its eager calls.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.pictures import document, groups
from shapeflow.pictures.rows import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, List, Optional, Sequence, Set, Tuple, Union

    from shapeflow.pictures.collect import DocumentBuilder
    from shapeflow.pictures.recorder import Notes
    from shapeflow.pictures.rows import Row

    Key = Tuple[int, int]

EAGER = 20_000  # calls of an eager program that are shown
FOLDED = 2_000  # beyond so many, calls that repeat another at the same place are one
_COMPREHENSIONS = ("<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>", "<module>")


def trainable_keys(variables: Sequence[object]) -> Dict[Key, bool]:
    """Which nodes are variables (of eager ones, what made their value), and whether they are trained."""
    found: Dict[Key, bool] = {}
    for item in variables:
        key = _core.node_key(_node_of(item))
        if key is not None:
            found[key] = bool(getattr(item, "trainable", True))
    return found


def _node_of(variable: object) -> object:
    kind = getattr(variable, "_kind", "")
    return getattr(variable, "_tensor", None) if kind == "eager" else getattr(variable, "op", None)


def add_all(made: DocumentBuilder, taker: Any, notes: Notes, notices: List[str]) -> None:
    """Everything of a script, in the order: its graphs, its eager calls, its models, its functions."""
    from shapeflow.tensorflow.keras import base_layer
    from shapeflow.tensorflow.python.data import traced_function
    from shapeflow.tensorflow.python.framework import object_log

    found = {id(graph): graph for graph in [*taker.graphs, *notes.graphs]
             if graph.version and not isinstance(graph, traced_function.FunctionGraph)}
    plain = sorted(found.values(), key=lambda graph: -graph.version)
    for number, graph in enumerate(plain):
        made.add(graph, None if number == 0 else made.groups.fresh(None, f"graph_{number + 1}", "scope"))
    variables = _Variables(taker.variables, notes)
    if _core.executing_eagerly():
        _add_eager(made, notes, notices, bool(plain))
    models = base_layer._state["graph"] if object_log.models is None else object_log.models
    if models is not None and models.version:
        _add_models(made, Rows(models, document.LARGEST), models, variables)
    wanted = _graphs_of_findings(taker.collector)
    seen: Dict[object, Tuple[int, Rows]] = {}
    for label, graph in notes.functions:
        if graph is models or not graph.version:
            continue
        rows = Rows(graph, max(0, document.LARGEST - len(made.nodes)))
        if not label and rows.key not in wanted:
            continue
        signature = (label, tuple((row.name, row.op, len(row.outputs)) for row in rows.rows))
        if signature in seen:
            _add_variant(made, rows, *seen[signature], variables=variables, graph=graph)
            continue
        seen[signature] = len(made.nodes), rows
        root = made.groups.fresh(None, label or "function", "function")
        _add_function(made, rows, graph, root, variables)


def _graphs_of_findings(collector: Any) -> Set[int]:
    """The graphs that findings are about."""
    found: Set[int] = set()
    for raw in collector.raw.values():
        keys = [raw.node] + [operand.get("node") for operand in raw.operands]
        found.update(key[0] for key in keys if key is not None)
    return found


# --- functions ------------------------------------------------------------------------------------
class _Variables:
    """Variables by the tensor that holds their value: what a function captures."""

    def __init__(self, variables: Sequence[Any], notes: Notes) -> None:
        self._notes = notes
        self._known = {id(getattr(item, "_tensor", None)): item for item in variables}

    def _of(self, outside: object) -> object:
        """(what tells it from others, the variable) or None."""
        key = _core.node_key(outside)
        number = None if key is None else self._notes.values.get(key)
        variable = self._known.get(id(outside))
        if number is None and variable is not None:
            number = self._notes.number_of(variable)
        if number is not None:
            return number, self._notes.variables[number].now()
        return None if variable is None else (variable, variable)

    def captured(self, graph: Any) -> Dict[Key, Tuple[Any, Any]]:
        """By the node inside of a function's graph: (the tensor outside, as _of has it)."""
        found: Dict[Key, Tuple[Any, Any]] = {}
        for outside, inside, _ in graph.captured.values():
            key = _core.node_key(inside)
            if key is not None:
                found[key] = outside, self._of(outside)
        return found


def _add_function(made: DocumentBuilder, rows: Rows, graph: object, root: Optional[int],
                  variables: _Variables) -> None:
    """A traced graph: what it captures of variables is shown as them."""
    for key, (outside, known) in variables.captured(graph).items():
        row = rows.rows[key[1]] if key[1] < len(rows.rows) else None
        if row is None:
            continue
        source = _core.node_key(outside)
        if source is not None:
            row.inputs = [(source, 0)]
        if known is not None:
            row.name = _inside(row.name, str(known[1].name))
            row.op = "Variable"
            _count_variable(made, key, row, *known)
    _unique(rows.rows)
    made.left_out += rows.size - len(rows.rows)
    made.add_rows(rows.key, rows.rows, root)


def _add_models(made: DocumentBuilder, rows: Rows, graph: object, variables: _Variables) -> None:
    """The symbolic graph of Keras models. Of variables that are shown where they were made, no others are."""
    shown: Dict[int, int] = {}
    for key, (outside, known) in variables.captured(graph).items():
        number = made.number_of(_core.node_key(outside))
        if known is not None and number is not None and made.nodes[number]["op"] == "Variable":
            shown[key[1]] = number
    if not shown:
        _add_function(made, rows, graph, None, variables)
        return
    left = [number for number in range(len(rows.rows)) if number not in shown]
    place = {number: at for at, number in enumerate(left)}
    chosen = [rows.rows[number] for number in left]
    for row in chosen:
        row.inputs = [((rows.key, source), output) if isinstance(source, int) else (source, output)
                      for source, output in row.inputs]
        row.controls = [place[source] for source in row.controls if source in place]
    _unique(chosen, (node["name"] for node in made.nodes))
    made.left_out += rows.size - len(rows.rows)
    first = len(made.nodes)
    made.add_rows(-rows.key, chosen)  # numbered anew
    made.alias(rows.key, {**shown, **{number: first + at for number, at in place.items()}}, rows.rows)


def _count_variable(made: DocumentBuilder, key: Key, row: Row, which: object, variable: Any) -> None:
    """A variable counts once, however many functions capture it. `which`: its number in the notes, or the
    variable."""
    counted = ("noted", which) if isinstance(which, int) else ("id", id(which))
    if counted not in made.counted:
        made.counted.add(counted)
        count = variable.shape.num_elements()
        row.parameters = -1 if count is None else count
        made.trainable[key] = bool(variable.trainable)


def _inside(name: str, variable: str) -> str:
    """`dense/kernel` where `dense/Placeholder` stands for the variable `kernel:0`."""
    scope, own = groups.scope_of(name), variable.split(":")[0].rpartition("/")[2]
    return f"{scope}/{own}" if scope else own


def _add_variant(made: DocumentBuilder, rows: Rows, first: int, known: Rows, variables: _Variables,
                 graph: object) -> None:
    """The same function traced for other shapes, of the last and shorter batch mostly: a run."""
    made.alias(rows.key, {number: first + number for number in range(len(rows.rows))})
    shapes: Dict[str, List[str]] = {}
    feeds: Dict[str, str] = {}
    captured = variables.captured(graph)
    for number, (row, other) in enumerate(zip(rows.rows, known.rows)):
        now, before = [o[0] for o in row.outputs], [o[0] for o in other.outputs]
        if row.op == "Placeholder" and (rows.key, number) not in captured:
            feeds[row.name + ":0"] = now[0]
        if now != before:
            shapes[str(first + number)] = now
    if shapes and not any(run["shapes"] == shapes for run in made.runs):
        made.runs.append({"first": len(made.runs), "count": 1, "feeds": feeds, "fetches": [],
                          "shapes": shapes})


def _unique(rows: Sequence[Row], taken: Iterable[str] = ()) -> None:
    """Numbers after names that came before, or are `taken`."""
    used: Dict[str, int] = dict.fromkeys(taken, 0)
    for row in rows:
        wanted = row.name
        while row.name in used:
            used[wanted] += 1
            row.name = f"{wanted}_{used[wanted]}"
        used[row.name] = 0


# --- eager calls ----------------------------------------------------------------------------------
class _Eager:
    """The record of eager calls, as rows of a graph. `same` says which call stands for each: what is called
    again at the same place, with the same tensors and values of the same variables, is one."""

    def __init__(self, notes: Notes) -> None:
        found = Rows(None, document.LARGEST)
        self.key, self.size, self.rows = found.key, found.size, found.rows
        self.variable = {key[1]: number for key, number in notes.values.items() if key[0] == found.key}
        self._first: Dict[int, int] = {}  # by variable: its first value
        for number in sorted(self.variable):
            self._first.setdefault(self.variable[number], number)
        self.same = self._fold(False)
        if sum(number == at for number, at in enumerate(self.same)) > FOLDED:
            self.same = self._fold(True)

    def _fold(self, by_shape: bool) -> List[int]:
        """`by_shape`: with tensors of the same shapes, that is, also turns of a loop."""
        first: Dict[Any, int] = {}
        same: List[int] = []
        for number, row in enumerate(self.rows):
            at = self._first[self.variable[number]] if number in self.variable else -1
            if at < 0:
                inputs = tuple((self._shape(source, output) if by_shape else same[source], output)
                               if isinstance(source, int) and source >= 0 else (-1, output)
                               for source, output in row.inputs)
                at = first.setdefault((row.name, row.location, tuple(row.outputs), inputs), number)
            same.append(at)
        return same

    def _shape(self, source: int, output: int) -> Union[Tuple[str, str], str]:
        outputs = self.rows[source].outputs
        return outputs[output][:2] if output < len(outputs) else ""


def _add_eager(made: DocumentBuilder, notes: Notes, notices: List[str], beside: bool) -> None:
    """`beside` a graph: in a group of their own."""
    eager = _Eager(notes)
    rows, same = eager.rows, eager.same
    shown = [number for number, at in enumerate(same) if number == at]
    if len(shown) > EAGER:
        notices.append(f"of {len(shown):,} eager calls the first {EAGER:,} are shown")
        del shown[EAGER:]
    if not shown:
        return
    place = {number: at for at, number in enumerate(shown)}
    chosen = [rows[number] for number in shown]
    key = -eager.key  # rows are numbered anew
    for number, row in zip(shown, chosen):
        row.inputs = [(place.get(same[source], -1) if isinstance(source, int) and source >= 0 else source,
                       output) for source, output in row.inputs]
        if number in eager.variable:
            which = eager.variable[number]
            row.name, row.op = notes.name_of(which), "Variable"
            _count_variable(made, (key, place[number]), row, which, notes.variables[which].now())
        elif row.op == "VarHandleOp":
            row.parameters = None  # an eager variable counts by its value, not by its handle as well
        elif row.op == "NoOp" and row.outputs:  # a tensor from elsewhere: of a data set, an array, a constant
            row.name, row.op = f"{groups.scope_of(row.name)}/Const".lstrip("/"), "Const"
    for number, at in enumerate(same):
        if number != at and number in eager.variable and at in place:  # what it is set to later
            row = rows[at]
            row.controls = [*row.controls, *{place[same[source]] for source, _ in rows[number].inputs
                                             if isinstance(source, int) and same[source] in place}]
    for row in chosen:
        row.controls = sorted(set(row.controls))
    _unique(chosen)
    first = len(made.nodes)
    root = made.groups.fresh(None, "eager", "scope") if beside else None
    made.add_rows(key, chosen, root, _Callers(made, root).group)
    made.alias(eager.key, {old: first + place[at] for old, at in enumerate(same) if at in place})
    paths = {group["path"]: group for group in made.groups.rows}
    above = "" if root is None else made.groups.rows[root]["path"] + "/"
    for scope in notes.function_scopes:
        if above + scope in paths:
            paths[above + scope]["kind"] = "function"


class _Callers:
    """Groups for eager calls: their scope where they have one, else the functions that they were made in."""

    def __init__(self, made: DocumentBuilder, root: Optional[int]) -> None:
        self._made, self._root = made, root
        self._known: Dict[Any, int] = {}

    def group(self, row: Row, frames: Sequence[Any]) -> Optional[int]:
        scope = groups.scope_of(row.name)
        if scope:
            return self._made.groups.at(self._root, scope)
        group = self._root
        called_at: Any = None
        for frame in reversed(frames):  # the outermost first
            if frame[5] not in _COMPREHENSIONS:
                key = group, called_at, frame[0], frame[5]
                if key not in self._known:
                    self._known[key] = self._made.groups.fresh(group, frame[5], "function")
                group = self._known[key]
            called_at = tuple(frame[:3])
        return group
