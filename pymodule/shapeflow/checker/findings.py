"""Findings as plain data: what the renderers read and what the JSON output holds.

The C core makes the records (`_core.Finding`); here they are resolved against source files and
reduced to what a report needs, so that a report can outlive the interpreter state it came from.
"""
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

    from shapeflow._core import Finding
    from shapeflow.checker.operands import Match, Place

    FrameTuple = Tuple[str, int, int, int, int, str]
    Argument = Tuple[str, Any]  # (kind, value), as of a `_core.Finding`

NEARBY_MOST = 48  # nodes of a picture of a finding: twice what the extension gives (nearby.c)
# Codes whose guilty operand is what the caller hands over (a feed, a static shape), not the node.
CALLER_CODES = frozenset({"SF301", "SF124"})


class Span:
    """A piece of source. Lines from 1, columns from 0, -1 where Python keeps none (< 3.11)."""

    __slots__ = ("path", "line", "column", "end_line", "end_column", "function")

    def __init__(self, path: str, line: int, column: int = -1, end_line: int = -1,
                 end_column: int = -1, function: str = "<module>") -> None:
        self.path = path
        self.line = line
        self.column = column
        self.end_line = end_line
        self.end_column = end_column
        self.function = function

    @property
    def text(self) -> str:
        """The source line, without its end of line."""
        from shapeflow.checker.source_lines import line_of

        return line_of(self.path, self.line)

    def frame(self) -> FrameTuple:
        return (self.path, self.line, self.column, self.end_line, self.end_column, self.function)

    def same_place(self, other: Span) -> bool:
        return self.path == other.path and self.line == other.line

    def to_json(self) -> Dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def of(cls, data: Dict[str, Any]) -> Span:
        """Raises TypeError for what is none: it may be a script that says it."""
        made = cls(**data)
        if type(made.path) is not str or type(made.function) is not str or not all(
                type(n) is int for n in (made.line, made.column, made.end_line, made.end_column)):
            raise TypeError("a place in a source is a name and numbers")
        return made

    @classmethod
    def from_json(cls, data: Optional[Dict[str, Any]]) -> Optional[Span]:
        return cls.of(data) if data else None


class Operand:
    """One input of the failing op: its name in the op, its shape in symbols, where it was made; `at` the
    expression in the primary one that it is, `value` its content when that is a few integers. Where a helper
    function made it, `call` is the call of that, in the failing code's own function."""

    def __init__(self, name: str, shape: str, dtype: str, made_at: Optional[Span]) -> None:
        self.name = name
        self.shape = shape
        self.dtype = dtype
        self.made_at = made_at
        self.at: Optional[Span] = None
        self.call: Optional[Span] = None
        self.value: Optional[str] = None
        self.producer: Optional[str] = None  # the node, where there is no source line

    def to_json(self) -> Dict[str, Any]:
        made = self.made_at.to_json() if self.made_at else None
        return {"name": self.name, "shape": self.shape, "dtype": self.dtype, "value": self.value,
                "at": self.at.to_json() if self.at else None, "made_at": made,
                "call": self.call.to_json() if self.call else None,
                "producer": self.producer}

    @classmethod
    def from_json(cls, data: Dict[str, Any]) -> Operand:
        operand = cls(data["name"], data["shape"], data["dtype"], Span.from_json(data["made_at"]))
        operand.at = Span.from_json(data["at"])
        operand.call = Span.from_json(data["call"])
        operand.value = data["value"]
        operand.producer = data["producer"]
        return operand


class Origin:
    """Where one dim of an operand comes from: `path` leads from the operand back to the op that fixed it
    (`op_type`, `node_name`), innermost user frame of each op, each place once. `declared` is the dim as
    that op has it: `None` of a placeholder where `dim` was brought by a feed. `computed` is the op on the
    way that made this number of another one (a stride, a flatten, a concatenation); `chain` the calls that
    led to `place`, `call` the one of them in the failing code's own function when a helper made it."""

    def __init__(self, operand: int, axis: int, dim: str, path: Sequence[Span], op_type: str,
                 node_name: str, declared: str = "") -> None:
        self.operand = operand
        self.axis = axis
        self.dim = dim
        self.path = list(path)
        self.op_type = op_type
        self.node_name = node_name
        self.declared = declared or dim
        self.computed: Optional[Span] = None
        self.chain: List[Span] = []
        self.call: Optional[Span] = None
        self.layer = ""  # whose weight fixed it
        self.parameter = ""  # of fit and its kin, by which the data came that have it

    @property
    def place(self) -> Optional[Span]:
        return self.path[-1] if self.path else None

    def to_json(self) -> Dict[str, Any]:
        return {"operand": self.operand, "axis": self.axis, "dim": self.dim, "op_type": self.op_type,
                "node_name": self.node_name, "declared": self.declared,
                "computed": self.computed.to_json() if self.computed else None,
                "call": self.call.to_json() if self.call else None,
                "layer": self.layer, "parameter": self.parameter,
                "chain": [span.to_json() for span in self.chain],
                "path": [span.to_json() for span in self.path]}

    @classmethod
    def from_json(cls, data: Dict[str, Any]) -> Origin:
        path = [Span.of(span) for span in data["path"]]
        origin = cls(data["operand"], data["axis"], data["dim"], path, data["op_type"],
                     data["node_name"], data["declared"])
        origin.computed = Span.from_json(data["computed"])
        origin.call = Span.from_json(data["call"])
        origin.layer = str(data["layer"])
        origin.parameter = str(data["parameter"])
        origin.chain = [Span.of(span) for span in data["chain"]]
        return origin


def _origin_of(item: Dict[str, Any], launcher: str, known: Sequence[Span], finding: object) -> Origin:
    """known: the failing expression and the calls that led to it."""
    path: List[Span] = []
    chain: List[Span] = []
    computed: Optional[Span] = None
    for step in item["steps"]:
        spans = [Span(*frame) for frame in step["frames"] if not is_file(frame[0], launcher)]
        if spans:
            if step["computed"] and computed is None and not spans[0].same_place(known[0]):
                computed = _outer_call(spans, known) or spans[0]
            if not path or not spans[0].same_place(path[-1]):
                path.append(spans[0])
            chain = spans[1:]
    last = item["steps"][-1]
    origin = Origin(item["operand"], item["axis"], item["dim"], path, last["op_type"],
                    last["node_name"], last["dim"])
    origin.computed = computed
    origin.chain = chain
    origin.call = _outer_call([*path[-1:], *chain], known)
    if path:
        from shapeflow.api import layer_places  # not in the process that only shows what was found

        origin.layer = layer_places.name_at(path[-1].frame())
        _follow_data(origin, last, finding)
    return origin


def _data_origins(record: Record, finding: Finding) -> List[Origin]:
    """Of what a training was given and no op made."""
    found = []
    for index, axis in record.blamed:
        if axis is None or record.primary is None or \
                any(origin.operand == index for origin in record.origins):
            continue
        dims = finding.operands[index]["shape"].strip("[]").split(", ")
        axis += len(dims) if axis < 0 else 0
        origin = Origin(index, axis, dims[axis], [record.primary], "", "")
        origin.chain = record.chain
        _follow_data(origin, {"shape": finding.operands[index]["shape"], "axis": axis}, finding)
        if origin.parameter:
            found.append(origin)
    return found


def _follow_data(origin: Origin, last: Dict[str, Any], finding: Any) -> None:
    """Of a size that fit (or its kin) brought the line that made the data."""
    import shapeflow.checker.operands as arguments
    from shapeflow.api import training_data

    dims = [int(dim) if dim.isdigit() else None for dim in str(last["shape"]).strip("[]").split(", ")]
    name = finding.operands[origin.operand]["name"]
    parameter = training_data.parameter_of(finding, name, last["axis"], dims)
    frames = [span.frame() for span in [*origin.path[-1:], *origin.chain]]
    found = arguments.training_argument(frames, parameter) if parameter else None
    if found is not None:
        frame, place = found
        origin.path.append(Span(frame[0], *place, frame[5]))
        origin.parameter, origin.chain, origin.call = parameter, [], None


def _outer_call(spans: Sequence[Span], known: Sequence[Span]) -> Optional[Span]:
    """Where a helper function made something (spans[0]), the call of it in a function that the failing
    expression is in too: what is to be changed mostly stands there."""
    import shapeflow.checker.operands as arguments

    scopes = {(span.path, span.function) for span in known}
    if not spans or (spans[0].path, spans[0].function) in scopes:
        return None
    if not arguments.in_plain_function(spans[0].frame()):
        return None
    found = [span for span in spans[1:] if (span.path, span.function) in scopes]
    if not found or any(found[0].same_place(span) for span in known):
        return None
    return found[0]


class Record:
    """One finding. `primary` is the guilty expression, `focus` the part of it that is the operation (or
    the value fed) where the operands have marks of their own, `label` what is said of it; `raised` where
    the error surfaced, `chain` the calls that led to `primary`; `blamed` the guilty operands: number, and
    axis or None for all; `run` says which session.run it was and what was fed."""

    def __init__(
        self, code: str, name: str, severity: str, message: str, phase: str = "api",
        op_type: Optional[str] = None, node_name: Optional[str] = None,
        primary: Optional[Span] = None, raised: Optional[Span] = None,
        chain: Sequence[Span] = (), operands: Sequence[Operand] = (),
        blamed: Sequence[Tuple[int, Optional[int]]] = (),
        origins: Sequence[Origin] = (), run: Optional[Dict[str, Any]] = None,
    ) -> None:
        self.code = code
        self.name = name
        self.severity = severity
        self.message = message
        self.phase = phase
        self.op_type = op_type
        self.node_name = node_name
        self.primary = primary
        self.focus: Optional[Span] = None
        self.label = ""
        self.raised = raised
        self.chain = list(chain)
        self.operands = list(operands)
        self.blamed = list(blamed)
        self.origins = list(origins)
        self.run = run
        self.arguments: List[Argument] = []  # what the message was made of
        self.nearby: Dict[str, Any] = {}  # the nodes round the failing op, for a picture: see _nearby_of
        self.count = 1
        self.step = ""  # which batch of a training that is no loop of the script's
        self.place: Optional[str] = None  # of a graph file, instead of `primary`
        self.fixes: List[Dict[str, Any]] = []  # tried: {description, diff, edits}, the smallest first
        self.tried: Optional[int] = None  # edits that were tried for it; None: no fix was looked for

    def key(self) -> Tuple[Any, ...]:
        """Two findings with the same key are one, however many iterations show it."""
        at = self.primary
        place = (at.path, at.line, at.column) if at else None
        if self.severity == "error" and self.op_type and at and at.column >= 0:
            # The kernel has words, and a code, of its own for what construction found inevitable.
            return (self.op_type, place)
        if self.code == "SF506":  # a helper makes many variables at one line
            return (self.code, place, tuple((s.path, s.line, s.column) for s in self.chain))
        return (self.code, self.op_type, place)

    def _repr_html_(self) -> str:
        from shapeflow.api import notebook_html

        return notebook_html.of_finding(self)

    def to_json(self) -> Dict[str, Any]:
        data = {
            "code": self.code, "name": self.name, "severity": self.severity,
            "message": self.message, "phase": self.phase, "op_type": self.op_type,
            "node_name": self.node_name,
            "primary": self.primary.to_json() if self.primary else None,
            "focus": self.focus.to_json() if self.focus else None,
            "label": self.label,
            "raised": self.raised.to_json() if self.raised else None,
            "chain": [span.to_json() for span in self.chain],
            "operands": [operand.to_json() for operand in self.operands],
            "blamed": [{"operand": index, "axis": axis} for index, axis in self.blamed],
            "origins": [origin.to_json() for origin in self.origins],
            "arguments": [{"kind": kind, "value": value} for kind, value in self.arguments],
            "run": self.run,
            "step": self.step,
            "count": self.count,
            "place": self.place,
            "fixes": self.fixes,
        }
        return {**data, "nearby": self.nearby} if self.nearby else data

    @classmethod
    def from_json(cls, data: Dict[str, Any]) -> Record:
        record = cls(
            data["code"], data["name"], data["severity"], data["message"], data["phase"],
            data["op_type"], data["node_name"], Span.from_json(data["primary"]),
            Span.from_json(data["raised"]), [Span.of(span) for span in data["chain"]],
            [Operand.from_json(item) for item in data["operands"]],
            [(item["operand"], item["axis"]) for item in data["blamed"]],
            [Origin.from_json(item) for item in data["origins"]], data["run"],
        )
        record.arguments = [(str(item["kind"]), item["value"]) for item in data["arguments"]]
        record.focus = Span.from_json(data["focus"])
        record.label = data["label"]
        record.step = data["step"]
        record.count = data["count"]
        record.place = data["place"]
        record.fixes = data["fixes"]
        record.nearby = _nearby_from(data.get("nearby"))
        return record


def told(code: str, name: str, severity: str, text: str, *values: object, primary: Optional[Span] = None,
         phase: str = "api") -> Record:
    """A finding of the checker's own: `text` has a field for each of `values`, which says what it is
    (api/typed_messages.py)."""
    from shapeflow.api.typed_messages import worded

    message, arguments = worded(text, values)
    record = Record(code, name, severity, message, phase, primary=primary)
    record.arguments = arguments
    return record


def assumed(text: str, *values: object, primary: Optional[Span] = None) -> Record:
    """A note that the check went on as if something were so."""
    return told("SF902", "ASSUMED", "note", text, *values, primary=primary)


def listed(names: Sequence[str], most: int) -> str:
    """The first of them."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


INTERRUPTED = "interrupted"  # the failure of a run that Ctrl-C ended


class Report:
    """What one check says of one script or model: its findings and how the run ended.

    `ended` says how, `failure` why it could not be run to its end (None: it could), `seconds` how long
    it took, `status` is the exit status that it deserves."""

    def __init__(self, script: str, records: Sequence[Record], status: int, ended: str = "normally",
                 failure: Optional[str] = None, seconds: float = 0.0) -> None:
        self.script = script
        self.records = list(records)
        self.status = status
        self.ended = ended
        self.failure = failure
        self.failed_at: List[Any] = []  # of an exception of the script's own: file, line and words of it
        self.seconds = seconds
        self.shapes: List[Dict[str, Any]] = []  # of expressions, when asked for: _seen.collected()
        self.counters: Dict[str, int] = {}  # what was run: see _core.counters
        self.loops: Dict[str, Any] = {}  # how often loops were left: see checker/loops/watch.py
        self.reads: Optional[Dict[str, Any]] = None  # what was read: see reads.py, when asked for
        self.emulated: Sequence[str] = ()  # version, mode, and why these
        self.old_messages = False  # protobuf refused a module of an old protoc
        self.python2 = False  # it failed as programs of Python 2 do
        self.lent: Dict[str, Any] = {}  # what the run was lent: CheckOptions.lent
        self.guarded: List[str] = []  # packages that are not there, and whose import has an `except`
        self.lacking: List[str] = []  # arguments that could be made up (missing_arguments)
        # Where it failed, if that may be for want of something unknown: files and lines, innermost first, of
        # the exception that ended it, or of each test that failed.
        self.passable: List[List[Tuple[str, int]]] = []
        self.split_at: List[Tuple[str, int]] = []  # where it splits lines of texts that are not there
        self.again = ""  # the version that has what this run lacked
        self.again_because = ""  # what it lacked, and why it was run as the version that it was
        # Where that version is only tried: the file, first and last line of a call that must succeed there.
        self.again_tried = "", 0, 0
        self.stubs: List[str] = []  # paths for which something unknown stood, as a declaration names them
        self.wanted: List[str] = []  # paths that a script which failed had asked for, and which are not there
        self.said: List[str] = []  # the last lines on standard error of a script with a failure
        self.cached = False  # no run: the last one still holds
        self.searched = False  # fixes were looked for, to the end of the search's budget
        self.search_stopped = ""  # why the search ended before that
        self.wall: Optional[float] = None  # seconds of run and search together, where they were measured

    def of(self, *severities: str) -> List[Record]:
        return [record for record in self.records if record.severity in severities]

    @property
    def is_failed(self) -> bool:
        """Did an exception of the script's own end it?"""
        return self.failure is not None and self.ended.startswith("by ")

    @property
    def depends_on_made_up(self) -> bool:
        """Is there anything that could depend on a number that was made up?"""
        made_up = self.counters.get("assumed", 0) + self.counters.get("stand_ins", 0)
        return bool(made_up and (self.of("error", "warning") or self.is_failed))

    def view(self) -> Report:
        """A report of its own with the same records, to be judged while the raw one stays whole."""
        twin = Report(self.script, self.records, self.status, self.ended, self.failure, self.seconds)
        twin.__dict__.update({**self.__dict__, "records": list(self.records)})
        return twin

    def to_json(self) -> Dict[str, Any]:
        data = {"version": 1, "script": self.script, "exit_status": self.status, "ended": self.ended,
                "failure": self.failure, "findings": [record.to_json() for record in self.records]}
        if self.shapes:
            data["shapes"] = self.shapes
        return data

    @classmethod
    def from_json(cls, data: Dict[str, Any]) -> Report:
        report = cls(data["script"], [Record.from_json(item) for item in data["findings"]],
                     data["exit_status"], data["ended"], data["failure"])
        report.shapes = data.get("shapes", [])
        return report


def is_file(path: str, absolute: str) -> bool:
    """Frames name a file as it was started, which may be relative."""
    return path == absolute or os.path.basename(path) == os.path.basename(absolute) and \
        os.path.abspath(path) == absolute


def record_of(finding: Any, launcher: str = "") -> Record:
    """A Record from the extension's Finding. Frames of the file `launcher` (the console script that
    started the check) are nobody's program."""
    made = [Span(*frame) for frame in finding.frames if not is_file(frame[0], launcher)]
    raised = [Span(*frame) for frame in finding.raised_frames
              if not is_file(frame[0], launcher)]
    primary: Optional[Span]
    surfaced: Optional[Span]
    if finding.code in CALLER_CODES and raised:
        # The value handed in is guilty; the tensor only says what was asked for.
        primary, chain, surfaced = raised[0], raised[1:], (made[0] if made else None)
    elif made:
        primary, chain = made[0], made[1:]
        surfaced = raised[0] if raised else None
    else:
        primary, chain, surfaced = (raised[0] if raised else None), raised[1:], None
    known = [primary or Span("", 0), *chain]
    if surfaced is not None and any(surfaced.same_place(one) for one in known):
        surfaced = None
    operands = []
    for item in finding.operands:
        frames = item.get("frames") or ()
        operand = Operand(item["name"], item["shape"] or "?", item["dtype"],
                          Span(*frames[0]) if frames else None)
        operand.value = item["value"]
        operands.append(operand)
        operand.call = _outer_call([Span(*frame) for frame in frames], known)
    blamed: List[Tuple[int, Optional[int]]] = []
    for place in finding.places:
        if place["kind"] == "axis":
            blamed.append((place["index"], place["axis"]))
        elif place["kind"] == "input":
            blamed.append((place["index"], None))
    record = Record(
        finding.code, finding.name, finding.severity, finding.message, finding.phase,
        finding.op_type, finding.node_name, primary, surfaced, chain, operands, blamed,
        [_origin_of(item, launcher, known, finding)
         for item in finding.origins or () if item["steps"]],
        finding.run,
    )
    record.origins += _data_origins(record, finding)
    record.arguments = list(finding.args)
    record.nearby = _nearby_of(finding, launcher)
    # Loaded where anything uses it.
    made_by = sys.modules.get("shapeflow.tensorflow.python.framework.error_report")
    record.step = made_by.step_of(finding) if made_by is not None else ""
    return record


def _nearby_of(finding: Finding, launcher: str) -> Dict[str, object]:
    """{"nodes": the failing op and those up to two steps before it, "chains": for each dim that was followed
    the nodes on its way, by their places, from the operand back}. A chain's last node, which fixed the dim,
    is there however far it is; `skipped` counts the nodes before it that are not."""
    nodes: List[Dict[str, Any]] = []
    places: Dict[Any, int] = {}  # by key of the node

    def add(item: Dict[str, Any], steps: int, inputs: Sequence[Any], outputs: Sequence[str]) -> int:
        frames = [frame for frame in item["frames"] or () if not is_file(frame[0], launcher)]
        nodes.append({"name": item.get("name", item.get("node_name")), "op_type": item["op_type"],
                      "steps": steps, "inputs": [list(known) for known in inputs], "outputs": list(outputs),
                      "at": Span(*frames[0]).to_json() if frames else None})
        return len(nodes) - 1

    for item in finding.nearby or ():
        places.setdefault(item["node"], add(item, item["steps"], item["inputs"], item["outputs"]))
    chains: List[Dict[str, object]] = []
    for origin in finding.origins or () if nodes else ():
        steps = origin["steps"]
        if not steps:
            continue
        inside = [places[step["node"]] for step in steps if step["node"] in places]
        last = steps[-1]
        if last["node"] not in places:
            places[last["node"]] = add(last, 3, (), [last["shape"] or "?"])
        on_way = list(dict.fromkeys([*inside, places[last["node"]]]))
        passed = len({step["node"] for step in steps}) - len(on_way)
        chains.append({"operand": origin["operand"], "axis": origin["axis"], "dim": origin["dim"],
                       "nodes": on_way, "skipped": passed})
    return {"nodes": nodes, "chains": chains} if nodes else {}


def _nearby_from(data: Any) -> Dict[str, object]:
    """What _nearby_of made, or {} of what it cannot have made: a finding without a picture is still one."""
    try:
        nodes, chains = data["nodes"], data["chains"]
        kept = 0 < len(nodes) <= NEARBY_MOST and len(chains) <= NEARBY_MOST and \
            sum(len(node["inputs"]) for node in nodes) <= 8 * NEARBY_MOST and \
            all(len(chain["nodes"]) <= NEARBY_MOST for chain in chains)
        for node in nodes if kept else ():
            Span.from_json(node["at"])
    except (LookupError, TypeError):
        return {}
    return {"nodes": nodes, "chains": chains} if kept else {}


def part(span: Span, place: Optional[Place]) -> Optional[Span]:
    """A part of `span`'s expression."""
    if place is None:
        return None
    line, column, end_line, end_column = place
    return Span(span.path, line, column, end_line, end_column, span.function)


def mark_operands(record: Record, finding: Any, launcher: str = "") -> None:
    """Fills in which part of the primary expression each operand is."""
    import shapeflow.checker.operands as arguments

    if record.primary is None or record.primary.column < 0:
        return
    if not finding.operands:
        return
    if finding.code == "SF204":
        _mark_initial_value(record)
        return
    frames = [frame for frame in finding.frames if not is_file(frame[0], launcher)]
    if finding.code == "SF301":
        raised = [frame for frame in finding.raised_frames if not is_file(frame[0], launcher)]
        _mark_fed(record, finding, arguments.fed_value(raised, frames))
    elif finding.code == "SF124":
        record.operands[0].at = part(record.primary, arguments.receiver(record.primary.frame()))
    else:
        mark(record, arguments.match(frames, finding.operands))


def mark(record: Record, found: Optional[Match]) -> None:
    if found is None or record.primary is None:
        return
    record.focus = part(record.primary, found.focus)
    for operand, place in zip(record.operands, found.operands):
        operand.at = part(record.primary, place)


def _mark_fed(record: Record, finding: Finding, fed: Optional[Tuple[Place, Place]]) -> None:
    """The placeholder in the feed_dict, and as a second operand the value beside it."""
    import shapeflow.checker.operands as arguments

    if fed is None or record.primary is None:
        return
    record.operands[0].at = part(record.primary, fed[0])
    record.focus = part(record.primary, fed[1])
    shape = str(finding.args[0][1])
    record.label = f"{_as_tuple(shape)} is fed"
    made = arguments.assignment(record.primary.frame(), fed[1])
    value = Operand("value", shape, "", part(record.primary, made) or record.focus)
    value.at = record.focus
    record.operands.append(value)
    record.blamed.append((1, None))


def _as_tuple(shape: str) -> str:
    """As numpy says it: "[50]" is (50,)."""
    return "(" + shape[1:-1] + (",)" if shape != "[]" and "," not in shape else ")")


def _mark_initial_value(record: Record) -> None:
    """Which argument of the call the refused value is."""
    import shapeflow.checker.operands as arguments

    assert record.primary is not None
    found = arguments.argument(record.primary.frame(), "initial_value")
    if found is None:
        return
    made = arguments.assignment(record.primary.frame(), found[1])
    for value in record.operands:
        value.at, record.focus = part(record.primary, found[1]), part(record.primary, found[0])
        value.made_at = part(record.primary, made) or value.made_at
    record.origins = []  # they tell of the dims that are known; an open one is the matter here


class UniqueFindings:
    """Findings of one run, each once, in the order in which they were made."""

    def __init__(self, launcher: str = "") -> None:
        self.launcher = launcher
        self.records: List[Record] = []
        self._seen: Dict[Tuple[object, ...], Record] = {}
        self._newest: Dict[Tuple[object, ...], str] = {}  # what was said when one was seen last
        self._expressions: Dict[str, Set[object]] = {"error": set(), "warning": set()}  # by severity

    def add(self, record: Record) -> None:
        expression = _expression(record)
        if record.severity == "warning" and expression in self._expressions["error"]:
            return  # an error says it all: what is only suspicious about the same op is not news
        known = self._seen.get(record.key())
        if known is not None:
            known.count += 1
            self._newest[record.key()] = record.message
            known.raised = known.raised or record.raised  # first seen as inevitable, then in a run
            return
        self._seen[record.key()] = record
        if record.severity == "error" and expression in self._expressions["warning"]:
            self.records = [r for r in self.records
                            if r.severity != "warning" or _expression(r) != expression]
        if expression is not None:
            self._expressions.setdefault(record.severity, set()).add(expression)
        self.records.append(record)

    def extend(self, findings: Sequence[Any]) -> None:
        for finding in findings:
            record = record_of(finding, self.launcher)
            if record.key() not in self._seen:  # an error in a loop is looked at once
                try:
                    mark_operands(record, finding, self.launcher)
                except (RecursionError, ValueError, LookupError, AttributeError):
                    pass  # sources of any kind are parsed: a finding without marks is still one
            self.add(record)

    def keep(self, finding: object) -> None:
        """What the newest record was made of, for a collector that has use for it."""

    def of(self, *severities: str) -> List[Record]:
        return [record for record in self.records if record.severity in severities]

    def messages(self) -> List[str]:
        """Of the errors: what was said first, and last."""
        errors = self.of("error")
        return [record.message for record in errors] + \
            [self._newest[record.key()] for record in errors if record.key() in self._newest]


def _expression(record: Record) -> Optional[Tuple[Optional[str], str, int, int]]:
    """Which op of which expression of a source it is about."""
    at = record.primary
    return (record.op_type, at.path, at.line, at.column) if at is not None else None


def display_path(path: str) -> str:
    """Relative to the working directory when below it, as compilers print paths."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return path
    return path if relative.startswith("..") else relative
