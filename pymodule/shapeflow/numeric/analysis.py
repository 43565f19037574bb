"""The suspects of a program's graphs: asked of the core, with lines, messages, and fixes that were tried."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.typed_messages import worded
from shapeflow.numeric import chance, fixes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    from shapeflow.numeric.feeds import Fact, Recorder
    from shapeflow.numeric.suspects import Condition, Document, Graph, Said, Source, Suspect

    Frames = Dict[int, List[Tuple[str, int, int, int, int, str]]]

VALUE, DERIVATIVE, DATA = "SF601", "SF602", "SF603"
MOST_SOURCES = 6  # that are kept of the way from an operand back
_MOST = 500  # suspects of a program

_WORDS = {
    "zero": "may be zero", "negative": "may be negative", "nonpositive": "may be zero or negative",
    "overflow": "may be so large that the result is infinite", "singular": "may be singular",
    "out_of_unit_interval": "may be outside [-1, 1]", "at_unit_boundary": "may be -1 or 1",
    "pole": "may be zero or a negative integer",
}
_NAMES = {"Snapshot": "variable", "NoOp": "constant"}  # of records of eager code
# An op that only passes on what bounds its operand says nothing to a reader.
_PASSES = frozenset(["Identity", "ReadVariableOp", "Reshape", "ExpandDims", "Squeeze", "Cast", "StopGradient",
                     "Transpose", "StridedSlice", "Enter", "Exit", "Switch", "NextIteration"])

_DRAWN = ("RandomUniform", "RandomUniformV2", "RandomNormal", "RandomNormalV2", "RandomStandardNormal",
          "TruncatedNormal", "TruncatedNormalV2")
_TRAINED = "a variable that is trained: any number"


def document(graphs: Sequence[Any], recorder: Recorder, analysed: Optional[List[Any]] = None) -> Document:
    """Of all graphs of a program, and of its eager code, which comes last. `analysed` gets the graphs by the
    numbers that the document gives them."""
    found: List[Suspect] = []
    kinds: List[Graph] = []
    operations = trivial = 0
    for graph in [*graphs, None]:
        facts = [] if graph is None else [*recorder.facts(graph), *_element_facts(graph)]
        rows, looked_at, unknown = _core.numeric(graph, facts)
        if not looked_at:
            continue
        number = len(kinds)
        if analysed is not None:
            analysed.append(graph)
        kinds.append({"kind": "eager" if graph is None else "graph", "nodes": looked_at})
        operations, trivial = operations + looked_at, trivial + unknown
        found += _broken_data(graph, recorder, number) if graph is not None else _broken_content(None, number)
        found += _suspects(graph, facts, rows, number)
    return {"graphs": kinds, "suspects": found[:_MOST], "operations": operations, "trivial": trivial}


def of_functions(graphs: Sequence[Any]) -> List[Any]:
    """Those that functions of data sets were traced to in eager code."""
    return [graph for graph in graphs if getattr(graph, "is_traced", False) and graph.building_function]


def _element_facts(graph: object) -> List[Fact]:
    """What is known of the elements that a function of a data set was given."""
    given = getattr(graph, "facts", {})
    return [(name, 0, *bounds) for name, bounds in given.items() if bounds is not None]


def received(document: Document) -> Document:
    """As it was before it came as JSON, which has no infinities."""
    for suspect in document["suspects"]:
        for item in (suspect, *suspect["sources"]):
            lo, hi = item["interval"]
            item["interval"] = [float("-inf") if lo is None else lo, float("inf") if hi is None else hi]
    return document


def _suspects(graph: Optional[_core.Graph], facts: List[Fact], rows: Sequence[Sequence[Any]],
              number: int) -> List[Suspect]:
    locations = {row[8] for row in rows} | {source[5] for row in rows for source in row[9]}
    frames = _core.frames_of_locations({location for location in locations if location})
    made: List[Suspect] = []
    seen: Dict[Any, int] = {}
    for row in rows:
        node, op, operand, condition, in_gradient, lo, hi, dtype, location, _ = row
        at = frames.get(location)
        key = (at[0][:3] if at else node, op, operand, condition, in_gradient)
        if key not in seen:  # a line in a loop makes many of a kind: that of the widest operand is said
            seen[key] = len(made)
            made.append(_suspect(row, frames, number))
        elif hi - lo > made[seen[key]]["interval"][1] - made[seen[key]]["interval"][0]:
            made[seen[key]] = _suspect(row, frames, number)
    for suspect in made:
        suspect["fixes"] = fixes.tried(graph, facts, suspect, rows)
        if not any(source["why"] == _TRAINED for source in suspect["sources"]):
            suspect["chance"] = chance.of(graph, suspect)
    return made


def _suspect(row: Sequence[Any], frames: Frames, number: int) -> Suspect:
    node, op, operand, condition, in_gradient, lo, hi, dtype, location, _ = row
    at = frames.get(location)
    file, line, column, _, end, _ = at[0] if at else ("", 0, 0, 0, 0, "")
    return {
        "node": node, "op": op, "input": operand, "condition": condition, "in_gradient": in_gradient,
        "interval": [lo, hi], "dtype": dtype, "file": file, "line": line, "column": column + 1,
        "end_column": end + 1, **_said(op, operand, condition, in_gradient, lo, hi),
        "sources": _sources(row, frames), "fixes": [], "code": DERIVATIVE if in_gradient else VALUE,
        "graph": number, "chance": None,
    }


def _said(op: str, operand: int, condition: Condition, in_gradient: bool, lo: float, hi: float) -> Said:
    words = _WORDS["zero" if condition == "nonpositive" and lo >= 0 else condition]
    what = "operand {int} of {name} %s: it is in [{float:g}, {float:g}]" % words
    if in_gradient:
        return _message("the derivative of {name} is not finite where " + what, op, operand, op, lo, hi)
    return _message(what, operand, op, lo, hi)


def _message(text: str, *values: object) -> Said:
    """What a suspect says of itself."""
    message, arguments = worded(text, values)
    return {"message": message, "arguments": arguments}


def interval(lo: float, hi: float) -> str:
    return f"[{lo:g}, {hi:g}]"


def _sources(row: Sequence[Any], frames: Frames) -> List[Source]:
    made: List[Source] = []
    read = row[5], row[6]
    for name, op, lo, hi, is_trained, location in row[9]:
        if op in _PASSES:
            read = lo, hi
            continue
        if op == "VarHandleOp" and not is_trained:
            lo, hi = read  # of the handle itself nothing is known
        if made and not is_trained and (made[-1]["why"] == _TRAINED or made[-1]["op"].endswith(_DRAWN)):
            break  # its initial value, and the shape or the seed, say nothing of its bounds
        op = _NAMES.get(op, op)
        at = frames.get(location)
        made.append({"node": name, "op": op, "interval": [lo, hi], "why": _why(op, lo, hi, is_trained),
                     "file": at[0][0] if at else "", "line": at[0][1] if at else 0})
    return made if len(made) <= MOST_SOURCES else [*made[:MOST_SOURCES - 1], made[-1]]


def _why(op: str, lo: float, hi: float, is_trained: bool) -> str:
    is_open = lo == float("-inf") and hi == float("inf")
    if is_trained:
        return _TRAINED
    if op == "Placeholder":
        return "fed, content unknown: any number" if is_open else f"fed: {interval(lo, hi)}"
    return "any number" if is_open else interval(lo, hi)


def _broken_data(graph: Any, recorder: Recorder, number: int) -> List[Suspect]:
    broken = recorder.broken(graph)
    places = {name: _core.node_location(graph, name) for name, _ in broken}
    frames = _core.frames_of_locations(set(places.values()) - {0})
    return [_broken(name, graph.get_operation_by_name(name).outputs[0].dtype.base_dtype.name,
                    _message("the data that are fed for {name} hold {text}", name, what),
                    frames.get(places[name]), number)
            for name, what in broken] + _broken_content(graph, number)


def _broken_content(graph: Optional[_core.Graph], number: int) -> List[Suspect]:
    """Of constants, or of eager code: the first, as what is made of its rows holds NaN as well."""
    rows = [row for row in _core.nan_content(graph) if row[1]][:1]
    frames = _core.frames_of_locations({location for _, location in rows})
    said = _message("the data that are given here hold NaN")
    return [_broken(name, "float32", said, frames.get(location), number)
            for name, location in rows]


def _broken(name: str, dtype: str, said: Said, at: Optional[Any], number: int) -> Suspect:
    file, line, column, _, end, _ = at[0] if at else ("", 0, 0, 0, 0, "")
    return {
        "node": name, "op": "Placeholder", "input": 0, "condition": "nan_in_data", "in_gradient": False,
        "interval": [float("-inf"), float("inf")], "dtype": dtype, "file": file, "line": line,
        "column": column + 1, "end_column": end + 1, **said, "sources": [], "fixes": [],
        "code": DATA, "graph": number, "chance": None}
