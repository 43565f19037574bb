"""What every renderer says of a finding: its first line, marks in the source, notes in their order."""
from __future__ import annotations

from shapeflow.checker.findings import display_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    from shapeflow.checker.findings import Operand, Origin, Record, Report, Span

RANK_CODES = frozenset({"SF102", "SF103", "SF105", "SF108", "SF111", "SF112"})
COUNT_CODES = frozenset({"SF104", "SF109", "SF126"})
DTYPE_CODES = frozenset({"SF202", "SF203"})
_BY_NAME = frozenset({"SF301", "SF401"})  # what is told of an array is where its name got it
_PLACEHOLDERS = frozenset({"Placeholder", "PlaceholderV2", "PlaceholderWithDefault"})
_VARIABLES = frozenset({"Variable", "VariableV2", "VarHandleOp", "ResourceVariable"})
_ELEMENTS = frozenset({"IteratorGetNext", "IteratorGetNextSync", "QueueDequeueV2",
                       "QueueDequeueManyV2", "QueueDequeueUpToV2", "OptionalGetValue", "IteratorV2",
                       "OneShotIterator", "Iterator", "MakeIterator"})
_GRAPH_EXECUTION = "Graph execution error:"
_ORIGINS_SHOWN = 4
_CALLS_SHOWN = 3
_OPERANDS_SHOWN = 8
_LINES_JOINED = 8
_QUOTED = 110
_LINES_NAMED = 3


class Mark:
    """A piece of source to underline: "^" what is guilty, "-" an operand."""

    def __init__(self, span: Span, sign: str, label: str = "") -> None:
        self.span = span
        self.sign = sign
        self.label = label


class Note:
    """A line below the source. `kind`: "note", "help", "tensorflow says"; `span` is quoted after it."""

    def __init__(self, kind: str, text: str, span: Optional[Span] = None) -> None:
        self.kind = kind
        self.text = text
        self.span = span


# --- words --------------------------------------------------------------------------------------
def location(span: Optional[Span]) -> str:
    """`path:line:col`, columns counted from 1; column 1 where Python keeps none."""
    if span is None:
        return "<unknown>"
    return f"{display_path(span.path)}:{span.line}:{character_column(span, span.column) + 1}"


def character_column(span: Span, column: int) -> int:
    """The interpreter counts bytes of UTF-8; people and editors count characters. From 0."""
    text = span.text
    if column <= 0 or text.isascii():
        return max(column, 0)
    return len(text.encode("utf-8")[:column].decode("utf-8", "replace"))


def place(record: Record) -> str:
    return record.place or location(record.primary)


def bare_message(record: Record) -> str:
    """TensorFlow's message without the name, the inputs and the device of the node."""
    text = record.message
    if text.startswith(_GRAPH_EXECUTION):
        text = text.rpartition("\n\n")[2]
    text = text.split("\n", 1)[0]
    for tail in (" for '", " [Op:", "{{function_node"):
        position = text.find(tail)
        if position > 0:
            text = text[:position]
    if text.startswith("{{function_node") and "}} " in text:
        text = text.split("}} ", 1)[1]
    return text.strip()


def title(record: Record) -> str:
    """`MatMul: Dimensions must be equal, but are 784 and 512`."""
    op = f"{record.op_type}: " if record.op_type else ""
    return op + bare_message(record)


def source_of(span: Span) -> str:
    """The quoted line of a note; an expression of several lines as one, when that is not long."""
    text = span.text.strip()
    if span.end_line > span.line and span.end_column > 0 and not text.endswith(":"):
        parts = [text]
        for number in range(span.line + 1, min(span.end_line, span.line + _LINES_JOINED) + 1):
            parts.append(type(span)(span.path, number).text.strip())
        joined = " ".join(part for part in parts if part)
        text = joined if len(joined) <= _QUOTED else joined[:_QUOTED - 3] + "..."
    return printable(text)


def printable(text: str) -> str:
    """Without what moves a terminal's cursor or turns the direction of writing."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c == "\t" or c.isprintable() or c == "\u3000" else "\ufffd" for c in text)


def printable_lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def shown(report: Report) -> List[Record]:
    """Errors and warnings, in the order in which they were found."""
    return report.of("error", "warning")


# --- operands -----------------------------------------------------------------------------------
def _dims(shape: str) -> Optional[List[str]]:
    if not (shape.startswith("[") and shape.endswith("]")):
        return None
    return shape[1:-1].split(", ") if len(shape) > 2 else []


def _count(text: str) -> Optional[int]:
    """The number of elements of "[40, 784]"; None when a dim is not known."""
    dims = _dims(text)
    if dims is None or not all(dim.isdigit() for dim in dims):
        return None
    total = 1
    for dim in dims:
        total *= int(dim)
    return total


def blamed_axes(record: Record, index: int) -> List[Optional[int]]:
    return [axis for operand, axis in record.blamed if operand == index]


def operand_text(record: Record, index: int) -> str:
    """`[batch, 784], axis 1 is 784`."""
    operand = record.operands[index]
    axes = blamed_axes(record, index)
    dims = _dims(operand.shape)
    is_value = operand.value is not None and not any(axis is not None for axis in axes)
    text = f"= {operand.value}" if is_value else operand.shape
    if record.code in DTYPE_CODES:
        text = f"{text} {operand.dtype}"
    parts = [text]
    for axis in sorted({axis for axis in axes if axis is not None}):
        if dims is not None and -len(dims) <= axis < len(dims):
            parts.append(f"axis {axis} is {dims[axis]}")
    if None in axes and record.code in RANK_CODES and dims is not None and not is_value and (
            record.op_type or record.code != "SF108"):  # Keras says it of sizes too
        parts.append(f"rank {len(dims)}")
    if None in axes and record.code in COUNT_CODES:
        count = _count(operand.value or "" if is_value else operand.shape)
        if count is not None:
            parts.append(f"{count} elements")
    return ", ".join(parts)


def _is_marked(record: Record, index: int) -> bool:
    operand = record.operands[index]
    return operand.at is not None and (
        bool(blamed_axes(record, index)) or operand.value is None and len(record.operands) <= 4)


def _is_focus(record: Record, operand: Operand) -> bool:
    at, focus = operand.at, record.focus
    return at is not None and focus is not None and (at.line, at.column) == (focus.line, focus.column)


def marks(record: Record) -> List[Mark]:
    """What to underline: the operation with its operands, else the whole guilty expression."""
    if record.primary is None:
        return []
    labels: Dict[Tuple[int, int], Mark] = {}
    for index, operand in enumerate(record.operands):
        if _is_marked(record, index) and operand.at is not None and not _is_focus(record, operand):
            known = labels.get((operand.at.line, operand.at.column))
            text = operand_text(record, index)
            if known is None:
                labels[operand.at.line, operand.at.column] = Mark(operand.at, "-", text)
            elif text not in known.label:
                known.label += " and " + text
    if record.focus is None or not (labels or record.label):
        return [Mark(record.primary, "^"), *labels.values()]
    return [Mark(record.focus, "^", record.label), *labels.values()]


def operand_lines(record: Record) -> List[str]:
    """The operands that have no mark in the source, the guilty ones first when there are many."""
    rest = [i for i in range(len(record.operands)) if not _is_marked(record, i)]
    if len(rest) < len(record.operands):  # the others are told by their marks
        rest = [i for i in rest if blamed_axes(record, i)]
    if len(rest) > _OPERANDS_SHOWN:
        guilty = [i for i in rest if blamed_axes(record, i)]
        rest = (guilty or rest)[:_OPERANDS_SHOWN]
    return [_operand_line(record, i) for i in rest]


def _operand_line(record: Record, index: int) -> str:
    operand = record.operands[index]
    text = operand_text(record, index)
    if record.code not in DTYPE_CODES and not text.startswith("="):
        text = text.replace(operand.shape, f"{operand.shape} {operand.dtype}", 1)
    made = f"  (node '{operand.producer}')" if operand.producer and record.place else ""
    where = operand.call or operand.made_at
    if where is not None and not _is_same_line(where, record.primary):
        made = f"  (made at {location(where)})"
    colon = " " if text.startswith("=") else ": "
    return f"{operand.name or 'tensor'}{colon}{text}{made}"


def _is_same_line(span: Optional[Span], other: Optional[Span]) -> bool:
    return span is not None and other is not None and span.same_place(other)


# --- notes --------------------------------------------------------------------------------------
def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def _maker(origin: Origin) -> str:
    """What a reader knows the op by that fixed a dim: "variable 'w'"; "" where only its line says."""
    if origin.layer:
        return f"layer '{origin.layer}'"
    kind = "placeholder" if origin.op_type in _PLACEHOLDERS else \
        "variable" if origin.op_type in _VARIABLES else ""
    line = origin.place.text if origin.place is not None else ""
    if not kind or kind == "placeholder" and kind not in line:  # Keras puts them between layers
        return ""
    # TensorFlow's own numbering (Placeholder_1) tells nobody anything.
    given = origin.node_name.rpartition("/")[2].rstrip("0123456789").rstrip("_")
    known = not given or given == origin.op_type or given in ("Variable", "Placeholder")
    return f"the {kind}" if known else f"{kind} '{origin.node_name}'"


def _is_fed(record: Record, dim: str) -> bool:
    feeds = record.run["feeds"] if record.run else []
    return any(dim in (_dims(now) or ()) for _, now, _ in feeds)


def _origin_text(record: Record, dims: Sequence[str], origin: Origin, subject: str) -> str:
    """What `origin` has to do with these dims, up to its place. `subject`: the dims, or "it" where the
    line before has named them."""
    one = len(dims) == 1
    was, follows = ("was", "follows") if one else ("were", "follow")
    maker = _maker(origin)
    by = f"by {maker} " if maker else ""
    if origin.parameter:
        return f"{subject} came with `{origin.parameter}`, made at"
    if not all(dim.isdigit() for dim in dims):
        return f"{subject} {'comes' if one else 'come'} from " + \
            (f"{maker} at" if maker else "what was made at")
    if origin.declared.isdigit():
        if origin.declared in dims:
            return f"{subject} {was} fixed {by}at"
        return f"{subject} {follows} from the {origin.declared} fixed {by}at"
    if origin.op_type in _PLACEHOLDERS:  # the run brought it
        if all(_is_fed(record, dim) for dim in dims):
            return f"{subject} {was} fed to {maker} made at"
        return f"{subject} {follows} from what was fed to {maker} made at"
    if origin.op_type in _VARIABLES:
        return f"{subject} {was} assigned to {maker} made at"
    if origin.op_type in _ELEMENTS:
        return f"{subject} {was} brought by the element taken at"
    return f"{subject} {was} first known in this run, at"


def _is_telling(record: Record, origin: Origin) -> bool:
    """Is the dim itself what is wrong? Not where the rank is, nor the length of a shape argument."""
    whole = origin.axis not in blamed_axes(record, origin.operand)
    if whole and not origin.dim.isdigit() and record.code not in COUNT_CODES:
        return False
    if whole and (record.code in RANK_CODES or record.operands[origin.operand].value is not None):
        return False
    return origin.place is not None and (
        not _is_same_line(origin.place, record.primary) or _computed(record, origin) is not None)


def _place_key(span: Optional[Span]) -> Tuple[str, int]:
    return (span.path, span.line) if span is not None else ("", 0)


def _origin_notes(record: Record) -> List[Note]:
    """Each offending dim with the line that fixed it, and the one that made this number of another."""
    groups: Dict[Tuple[object, ...], Tuple[Origin, List[str]]] = {}
    for origin in record.origins:
        if not _is_telling(record, origin):
            continue
        declared = origin.declared == origin.dim or origin.declared.isdigit() and origin.declared
        key = (_place_key(_shown(origin)), _place_key(_computed(record, origin)), declared)
        dims = groups.setdefault(key, (origin, []))[1]
        if origin.dim not in dims:
            dims.append(origin.dim)
    notes: List[Note] = []
    for origin, dims in list(groups.values())[:_ORIGINS_SHOWN]:
        subject = _listed(dims)
        computed = _computed(record, origin)
        if computed is not None:
            was, again = ("was", "it") if len(dims) == 1 else ("were", "they")
            notes.append(Note("note", f"{subject} {was} computed at", computed))
            subject = again
        if not _is_same_line(origin.place, record.primary):
            text = _origin_text(record, dims, origin, subject)
            notes.append(Note("note", text, _shown(origin)))
    return notes


def _shown(origin: Origin) -> Optional[Span]:
    return origin.call or origin.place


def _computed(record: Record, origin: Origin) -> Optional[Span]:
    """The line that made the dim of another one, where that is neither the guilty line nor the origin's."""
    at = origin.computed
    if at is None or _is_same_line(at, record.primary) or _is_same_line(at, _shown(origin)):
        return None
    return at


def expression(operand: Operand) -> str:
    """The operand as the user wrote it, when that is short; else nothing."""
    at = operand.at
    if at is None or at.line != at.end_line:
        return ""
    text = at.text.encode("utf-8")[at.column:at.end_column].decode("utf-8", "replace")
    return printable(text) if len(text) <= 24 else ""


def _name_of(operand: Operand) -> str:
    return expression(operand) or operand.name or "the tensor"


def _made_notes(record: Record, before: Sequence[Note]) -> List[Note]:
    """Where marked operands were made whose dims no other note follows."""
    places = [note.span for note in before if note.span is not None]
    notes = []
    for index, operand in enumerate(record.operands):
        made = operand.call or operand.made_at
        if made is None or not _is_marked(record, index) or not blamed_axes(record, index):
            continue
        if any(origin.operand == index and origin.place is not None
               and _is_telling(record, origin) for origin in record.origins):
            continue
        if _is_same_line(made, record.primary) or any(_is_same_line(made, s) for s in places):
            continue
        verb = "set" if record.code in _BY_NAME else "made"
        notes.append(Note("note", f"`{_name_of(operand)}` was {verb} at", made))
        places.append(made)
    return notes


def _batch_text(now: str, before: str) -> str:
    """"batch 40 of 64" when two shapes differ in their first dim only."""
    a, b = _dims(now), _dims(before)
    if a and b and len(a) == len(b) and a[0] != b[0] and a[1:] == b[1:]:
        return f"batch {a[0]} of {b[0]}"
    return ""


def _run_note(record: Record) -> List[Note]:
    """Which run of a loop it was, when not the first, and what was fed otherwise than before."""
    run = record.run
    if record.step:
        return [Note("note", f"at {record.step}")]
    if run is None or record.phase != "run" or run["number"] <= 1:
        return []
    changed = [(name, now, before) for name, now, before in run["feeds"]
               if before is not None and before != now]
    batches = [_batch_text(now, before) for _, now, before in changed]
    text = f"at run {run['number']} of this session.run"
    if batches and batches[0]:
        text += f": {batches[0]}"
    fed = [f"'{name}' was fed {now}, before {before}" for name, now, before in changed[:3]]
    return [Note("note", "; ".join([text, *fed]))]


def _raised_note(record: Record) -> List[Note]:
    if record.raised is None:
        return []
    verb = "the placeholder was made at" if record.code == "SF301" else \
        "the tensor was made at" if record.code == "SF124" else \
        "raised at" if record.severity == "error" else "noticed at"
    return [Note("note", verb, record.raised)]


def _chain_notes(record: Record) -> List[Note]:
    notes = [Note("note", "called from", span) for span in record.chain[:_CALLS_SHOWN]]
    more = len(record.chain) - len(notes)
    if more > 0:
        notes.append(Note("note", f"and {more} more call{'s' * (more > 1)}"))
    return notes


_TRIED = {True: "the program then runs without findings",
          False: "this finding goes, and no error comes with it"}


def fix_text(record: Record, fix: Dict[str, Any]) -> str:
    """What a fix does, with the line of its edit where the description leaves that to the reader."""
    text: str = fix["description"]
    edits = fix["edits"]
    if edits and not any(word in text for word in (" line ", " lines ")):
        lines = list(dict.fromkeys(str(edit["line"]) for edit in edits))
        text += f" on line{'s' * (len(lines) > 1)} {_listed(lines[:_LINES_NAMED])}"
        if len(lines) > _LINES_NAMED:
            text += " and others"
        path = edits[0]["path"]
        if record.primary is None or path != record.primary.path:
            text += f" of {display_path(path)}"
    return f"{text}  (tried: {_TRIED[bool(fix.get('clean', True))]})"


def _is_default_name(record: Record) -> bool:
    """Is the node's name TensorFlow's own, which tells nobody anything: MatMul, add_1, none at all?"""
    name = record.node_name or ""
    plain = name.rstrip("0123456789").rstrip("_").lower()
    return not plain or "/" not in name and (record.op_type or "").lower().startswith(plain)


def _adds_something(record: Record) -> bool:
    """Is there more in TensorFlow's message than the first line and the marks have said: a name that the user
    gave, lines of its own, or all that is known of operands?"""
    rest = [line for line in record.message.strip().split("\n")[1:]
            if line.strip() and "[[{{node " not in line]
    return bool(rest) or not record.operands or not _is_default_name(record)


def help_notes(record: Record) -> List[Note]:
    """The fixes that hold."""
    return [Note("help", fix_text(record, fix)) for fix in record.fixes]


def _told(message: str) -> str:
    """An error of a graph without the calls that led to its node, which notes tell."""
    if not message.startswith(_GRAPH_EXECUTION):
        return message
    return "\n".join(line for line in message.split("\n")
                     if line.strip() and not line.endswith("(most recent call last):"))


def notes(record: Record, is_with_fixes: bool = True) -> List[Note]:
    """Everything below the source, in the order in which it is read; TensorFlow's own words last."""
    found = _origin_notes(record)
    found += _made_notes(record, found)
    found += _run_note(record) + _raised_note(record) + _chain_notes(record)
    if is_with_fixes:
        found += help_notes(record)
    if record.count > 1:
        found.append(Note("note", f"seen {record.count} times"))
    message = record.message.strip()
    if record.severity == "error" and message != bare_message(record) and _adds_something(record):
        found.append(Note("tensorflow says", _told(message)))
    return found
