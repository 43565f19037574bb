"""The tables of `shapeflow summary`: what a script's models, graphs and variables are made of.

Made inside the process of the script, after it; plain data (summary.schema.json says which). One table for
each Keras model, for the layers that are in none, for each graph with variables of its own, and for the
eager variables that are left.
"""
from __future__ import annotations

import re

from shapeflow import _core
from shapeflow.pictures import held, keras_layers
from shapeflow.pictures.judging import (
    AMOUNT_OR_NONE,
    FLAG,
    LIST,
    NUMBER,
    NUMBER_OR_NONE,
    OBJECT,
    OBJECT_OR_NONE,
    TEXT,
    Judge,
    texts,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Set

    from shapeflow.pictures.traced import Cost

    Plain = Dict[str, Any]

VERSION = 2
MOST_TABLES = 32
_KINDS = ("model", "layers", "graph", "variables")
_DEEPEST = 8  # models that are layers of models
_SYMBOL = re.compile(r"\bbatch(?:_\d+)?\b")
_FIRST = re.compile(r"(?<=^\()batch_\d+\b")
_LONG_NAME = 1000  # of what is kept; terminals get less
_OF_THE_SCRIPT = (Exception, SystemExit)  # its classes may override what is asked here: anything may happen


def document(script: str, layers: Sequence[Any], graphs: Sequence[Any], variables: Sequence[Any],
             graph_table: Callable[..., Plain]) -> Plain:
    """`graph_table`: scopes.table, which stands on this file."""
    from shapeflow._version import __version__

    models = [layer for layer in layers if keras_layers.is_model(layer)]
    tables = _safely(_model_tables, models)
    known = {id(variable) for model in models for variable in _all_of(model)}
    loose = _safely(lambda found: _loose_layers(found, models), layers)
    if loose:
        tables += _safely(lambda found: [_layers_table(found)], loose)
        known |= {id(variable) for layer in loose for variable in _weights(layer)}
    rest = [variable for variable in variables if id(variable) not in known]
    for graph in graphs:
        of_graph = [variable for variable in rest if _graph_of(variable) is graph]
        if of_graph:
            others = [v for v in variables if id(v) in known and _graph_of(v) is graph]
            tables += _safely(lambda given: [graph_table(*given)], (graph, of_graph, others))
    eager = [variable for variable in rest if _graph_of(variable) is None and
             not keras_layers.is_seed(name_of(variable))]
    if eager:
        tables += _safely(lambda found: [_variables_table(found)], eager)
    more = len(tables) - MOST_TABLES
    return {"version": VERSION, "shapeflow": __version__, "script": script, "assumed": 1, "memory": None,
            "tables": [_tidy(table) for table in tables[:MOST_TABLES]], "tables_left_out": max(more, 0),
            "variables": [described(variable) for variable in _each_once(variables)]}


_NUMBERS = dict.fromkeys(("parameters", "trainable", "not_trainable"), NUMBER_OR_NONE)
_COSTS = dict.fromkeys(("flops", "bytes"), AMOUNT_OR_NONE)
_JUDGE = Judge({
    "document": {"version": NUMBER, "shapeflow": TEXT, "script": TEXT, "assumed": NUMBER, "tables": LIST,
                 "tables_left_out": NUMBER, "variables": LIST, "memory": OBJECT_OR_NONE},
    "table": {"kind": TEXT, "name": TEXT, "rows": LIST, "total": OBJECT},
    "total": {**_NUMBERS, **_COSTS, "parameter_bytes": AMOUNT_OR_NONE, "optimizer_parameters": NUMBER,
              "variables": NUMBER, "held": NUMBER_OR_NONE},
    "row": {**_NUMBERS, **_COSTS, "name": TEXT, "kind": TEXT, "depth": NUMBER, "outputs": LIST,
            "share": AMOUNT_OR_NONE, "flops_share": AMOUNT_OR_NONE, "held": NUMBER_OR_NONE},
    "variable": {"name": TEXT, "shape": TEXT, "dtype": TEXT, "parameters": NUMBER_OR_NONE,
                 "bytes": AMOUNT_OR_NONE, "trainable": FLAG},
}, {})


def misfit(document: Any) -> Optional[str]:
    """The first thing in a document that summary.schema.json does not allow, or None."""
    wrong = _JUDGE.wrong("document", document)
    if wrong is None:
        tables = document["tables"]
        wrong = _JUDGE.first([("table", tables), ("variable", document["variables"])])
    if wrong is None:
        rows = [row for table in tables for row in table["rows"]]
        wrong = _JUDGE.first([("row", rows), ("total", (table["total"] for table in tables))])
    if wrong is None:
        wrong = held.misfit(document["memory"])
    if wrong is not None:
        return wrong
    if document["version"] != VERSION or any(table["kind"] not in _KINDS for table in tables):
        return "a table of an unknown kind"
    if not all(row["depth"] <= _DEEPEST and texts(row["outputs"]) for row in rows):
        return "a row that is too deep, or has outputs that are no text"
    shares = [row[key] for row in rows for key in ("share", "flops_share")]
    return None if all(share is None or share <= 1 for share in shares) else "a share of more than all"


def _safely(make: Any, items: object) -> List[Any]:
    """[] where what the script left is in no state to be asked."""
    try:
        made: List[Any] = make(items)
        return made
    except _OF_THE_SCRIPT:
        return []


# --- variables ------------------------------------------------------------------------------------
def name_of(variable: Any) -> str:
    return str(variable.name).split(":")[0]


def _graph_of(variable: object) -> object:
    return getattr(getattr(variable, "_tensor", None), "graph", None)


def parameters_of(variable: Any) -> Optional[int]:
    count: Optional[int] = variable.shape.num_elements()
    return count


def described(variable: Any) -> Plain:
    count, dtype = parameters_of(variable), variable.dtype.base_dtype
    return {"name": name_of(variable)[:_LONG_NAME], "shape": shape_text(str(variable.shape)),
            "dtype": dtype.name, "parameters": count,
            "bytes": None if count is None else count * max(dtype.size, 1),
            "trainable": bool(getattr(variable, "trainable", True))}


def _each_once(variables: Sequence[Any]) -> List[Any]:
    """By name; a graph's variable has several objects (values read, parts of slices)."""
    found: Dict[Any, Any] = {}
    for variable in variables:
        try:
            name = name_of(variable)
            described(variable)
        except _OF_THE_SCRIPT:
            continue  # a part of something else, or not yet made
        graph = _graph_of(variable)
        found.setdefault((name, id(graph if graph is not None else variable)), variable)
    return sorted(found.values(), key=name_of)


def counted(variables: Sequence[Any], trained: Optional[Set[int]] = None) -> Plain:
    """Parameters of these variables, each counted once; None where a shape is not known. `trained`: the ids
    of those that are, where their layers say so."""
    each = list({id(variable): variable for variable in variables}.values())
    counts = [(parameters_of(v), bool(getattr(v, "trainable", True)) if trained is None else id(v) in trained,
               v) for v in each]
    sizes = [None if n is None else n * max(v.dtype.base_dtype.size, 1) for n, _, v in counts]
    return {"parameters": _total([n for n, _, _ in counts]),
            "trainable": _total([n for n, on, _ in counts if on]),
            "not_trainable": _total([n for n, on, _ in counts if not on]),
            "parameter_bytes": _total(sizes), "variables": len(each)}


def _total(values: Sequence[Any]) -> object:
    return None if any(value is None for value in values) else sum(values)


# --- shapes ---------------------------------------------------------------------------------------
def shape_text(text: str) -> str:
    """`(batch, 10)` of `[batch, 10]`; `<unknown>` without a rank."""
    if text == "?":
        return "<unknown>"
    if not (text.startswith("[") and text.endswith("]")):
        return text
    inner = text[1:-1]
    return f"({inner},)" if inner and "," not in inner else f"({inner})"


def shapes_of(tensors: Sequence[object]) -> List[str]:
    found = []
    for tensor in tensors:
        known = _core.shape_and_dtype(tensor)
        if known is not None:
            found.append(shape_text(known[0]))
    return found


def _tidy(table: Plain) -> Plain:
    """`batch` for `batch_7` where that is the only symbol of the kind."""
    shapes = [shape for row in table["rows"] for shape in row["outputs"]]
    names = {name for shape in shapes for name in _SYMBOL.findall(shape)}
    # The first dim of a model's tensors is one batch, also where its models were made by themselves.
    symbol = _SYMBOL if len(names) == 1 else _FIRST if table["kind"] == "model" else None
    if symbol is not None:
        for item in table["rows"]:
            item["outputs"] = [symbol.sub("batch", shape) for shape in item["outputs"]]
    return table


# --- rows -----------------------------------------------------------------------------------------
def row(name: str, kind: str, depth: int, outputs: List[str], variables: Sequence[Any],
        flops: Optional[float], size: Optional[float], trained: Optional[Set[int]] = None) -> Plain:
    numbers = counted(variables, trained)
    return {"name": name[:_LONG_NAME], "kind": kind[:_LONG_NAME], "depth": depth, "outputs": outputs[:16],
            "parameters": numbers["parameters"], "trainable": numbers["trainable"],
            "not_trainable": numbers["not_trainable"], "flops": flops, "bytes": size, "share": None,
            "flops_share": None, "held": None}


def finished(kind: str, name: str, rows: List[Plain], variables: Sequence[Any], optimizer: int = 0,
             rest: Optional[float] = 0.0, trained: Optional[Set[int]] = None) -> Plain:
    """A table with its totals and shares. `rest`: the FLOPs of what is in no row."""
    total = counted(variables, trained)
    outer = [item for item in rows if item["depth"] == 0]
    if any(item["parameters"] is None for item in outer):  # a layer that is not modelled
        total.update(dict.fromkeys(("parameters", "trainable", "not_trainable", "parameter_bytes")))
    flops = [item["flops"] for item in outer] + [rest]
    known = [item["bytes"] for item in outer]
    total["flops"] = _total(flops) if rows else None
    total["bytes"] = _total(known) if rows else None
    total["optimizer_parameters"] = optimizer
    total["held"] = None
    for item in rows:
        item["share"] = _share(item["parameters"], total["parameters"])
        item["flops_share"] = _share(item["flops"], total["flops"])
    return {"kind": kind, "name": name[:_LONG_NAME], "rows": rows, "total": total}


def _share(part: Optional[float], whole: Optional[float]) -> Optional[float]:
    return round(part / whole, 6) if part is not None and whole and part <= whole else None


# --- Keras ----------------------------------------------------------------------------------------
def _weights(layer: object) -> List[Any]:
    if hasattr(type(layer), "_sf_unmodelled"):
        return []
    try:
        return keras_layers.weights(layer)
    except _OF_THE_SCRIPT:
        return []  # its constructor did not end


def _all_of(model: object) -> List[object]:
    """Its weights, and the variables that it has for its training."""
    try:
        more = [*keras_layers.others(model), *keras_layers.of_optimizer(model)]
    except _OF_THE_SCRIPT:
        more = []
    return _weights(model) + more


def _below(layer: object) -> Dict[int, object]:
    """All layers inside a layer, at any depth."""
    found: Dict[int, Any] = {}
    todo = [layer]
    while todo:
        try:
            inside = keras_layers.sublayers(todo.pop())
        except _OF_THE_SCRIPT:
            continue
        for item in inside:
            if id(item) not in found and item is not layer:
                found[id(item)] = item
                todo.append(item)
    return found


def _model_tables(models: Sequence[object]) -> List[Plain]:
    inside: Set[int] = set()
    for model in models:
        inside |= set(_below(model))
    tables = []
    for model in models:
        if id(model) not in inside:
            tables += _safely(lambda one: [_model_table(one)] if _weights(one) or one.layers else [], model)
    return tables


def _model_table(model: Any) -> Plain:
    from shapeflow.pictures import traced

    rows = list(model.layers)
    costs, rest = traced.costs(model, rows)
    trained = {id(v) for v in keras_layers.plain(model.trainable_weights)}
    of_layers = {id(v) for layer in rows for v in _weights(layer)}
    own = [v for v in _weights(model) if id(v) not in of_layers]
    lines: List[Plain] = []
    for layer in rows:
        lines += _layer_rows(layer, costs.get(id(layer)), 0, {id(model)}, trained)
    if own:
        lines.append(row("(its own)", "variables", 0, [], own, 0.0, 0.0, trained))
    if rest:
        lines.append(row("(operations)", "outside of layers", 0, [], [], rest, 0.0))
    return finished("model", f"{model.name} ({_class_of(model)})", lines, _weights(model),
                    counted(keras_layers.of_optimizer(model))["parameters"] or 0,
                    rest=0.0 if costs else None, trained=trained)


def _class_of(layer: object) -> str:
    name = type(layer).__name__
    return "Functional" if name == "Model" else name


def _layer_rows(layer: Any, cost: Optional[Cost], depth: int, above: Set[int],
                trained: Set[int]) -> List[Plain]:
    """Its row, and below it those of the layers of a model that is a layer."""
    unmodelled = getattr(type(layer), "_sf_unmodelled", None)
    if unmodelled is not None:
        line = row("(not modelled)", str(layer._sf_name), depth, [], [], None, None)
        return [{**line, "parameters": None, "trainable": None, "not_trainable": None}]
    ends = keras_layers.ends(layer)
    outputs = shapes_of(keras_layers.tensors(ends[1])) if ends is not None else []
    flops, size = (cost.flops, cost.bytes) if cost is not None else (None, None)
    if keras_layers.is_input(layer):
        flops, size = 0.0, 0.0
    rows = [row(layer.name, _class_of(layer), depth, outputs, _weights(layer), flops, size, trained)]
    if keras_layers.is_model(layer) and id(layer) not in above and depth < _DEEPEST:
        for inner in layer.layers:
            rows += _layer_rows(inner, None, depth + 1, above | {id(layer)}, trained)
    return rows


def _loose_layers(layers: Sequence[object], models: Sequence[object]) -> List[object]:
    """Layers with variables that are in no model and in no other layer."""
    inside: Set[int] = {id(model) for model in models}
    for layer in layers:
        inside |= set(_below(layer))
    return [layer for layer in layers if id(layer) not in inside and _weights(layer)]


def _layers_table(layers: Sequence[Any]) -> Plain:
    trained = {id(v) for layer in layers for v in keras_layers.plain(layer.trainable_weights)}
    rows = [line for layer in layers for line in _layer_rows(layer, None, 0, set(), trained)]
    return finished("layers", "layers of no model", rows,
                    [v for layer in layers for v in _weights(layer)], rest=None, trained=trained)


# --- eager variables ------------------------------------------------------------------------------
def _variables_table(variables: Sequence[Any]) -> Plain:
    found: Dict[str, List[Any]] = {}
    for variable in _each_once(variables):
        scope, _, own = name_of(variable).rpartition("/")
        found.setdefault(scope or own, []).append(variable)
    rows = []
    for name, inside in found.items():
        shapes = [shape_text(str(variable.shape)) for variable in inside]
        rows.append(row(name, "variables" if len(inside) > 1 else "variable", 0, shapes, inside, None, None))
    return finished("variables", "variables", rows, [v for inside in found.values() for v in inside],
                    rest=None)
