"""What two runs of one script say together, where it had numbers that nobody knows.

Something unknown that must be a number is made up, and so a finding may be there only because of that number.
A second run makes up others: what it finds as well, of the same dims, does not depend on them.
"""
from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence, Tuple

    from shapeflow.checker.findings import Record, Report

    Place = Tuple[str, int]

# What any made-up data may show that are few: one word in a vocabulary, one class, no whole batch.
_OF_SMALL_SIZES = ("SF502", "SF506")
_DIMS = re.compile(r"[\[(](?:\d+|None|\?)(?:,\s*(?:\d+|None|\?))*,?[\])]")  # one shape
_OF_RANK = re.compile(r"same rank|\bndim\b")  # a message that says of two shapes that their ranks differ
_OF_BROADCAST = re.compile(r"Incompatible shapes|operands could not be broadcast together")
_OF_FEED = "Cannot feed value of shape"  # not a message of ranks alone
_SHAPE = re.compile(r"shapes?:? ([\[(][^\])]*)")  # in a message


def together(first: Report, second: Report, passed_over: Sequence[Place] = ()) -> Report:
    """The report of both, which passed over these places."""
    both = [record for record in first.records
            if record.severity == "note" or not _is_of_few(record) and
            any(_is_same(record, other) for other in second.records)]
    dropped = [record for record in first.of("error", "warning") if record not in both]
    if first.is_failed and not second.is_failed and second.failure is None or \
            _ended_by_finding(first) and any(not _is_at(record, passed_over) for record in dropped):
        # What ended the first run depends on what nobody knows.
        first.ended, first.failure, first.failed_at = second.ended, second.failure, second.failed_at
        lost = [record for record in second.of("error") if not any(_is_same(record, other) for other in both)]
        if _ended_by_finding(second) and lost:
            first.failure = _described(lost[-1])
    first.records = both
    errors = bool(first.of("error"))
    first.status = 1 if errors else 3 if first.failure else 0
    return first


def _is_of_few(record: Record) -> bool:
    """May it be there because what was made up is so little that the program has left nothing of it?"""
    # A message that is whole when it comes, as one of Keras, has no arguments; a list of shapes is a text.
    shapes = [operand.shape for operand in record.operands if operand.shape] + (
        [str(value) for kind, value in record.arguments if kind == "shape"]
        or _SHAPE.findall(record.message))
    return record.code in _OF_SMALL_SIZES or \
        any("0" in re.split(r"[\s,]+", shape.strip("[]()")) for shape in shapes)


def ends_differ(first: Report, second: Report, passed_over: Sequence[Place]) -> bool:
    """Did each end by a finding that the other does not have? Not counted: what was passed over."""
    if not _ended_by_finding(first) or not _ended_by_finding(second):
        return False
    lost = (record for record in first.of("error")
            if not any(_is_same(record, other) for other in second.records))
    return any(not _is_at(record, passed_over) for record in lost)


def _ended_by_finding(report: Report) -> bool:
    """Did an exception end it of which a finding tells?"""
    return report.ended.startswith("by ") and not report.ended.startswith("by sys.exit") and \
        report.failure is None


def _is_at(record: Record, places: Sequence[Place]) -> bool:
    return any(span is not None and (span.path, span.line) in places
               for span in (record.primary, *record.chain))


def _is_same(one: Record, other: Record) -> bool:
    if one.key() != other.key() or one.code != other.code:
        return False
    # The shapes in the message may hold a number that was made up, beside the dims that do not fit.
    dims = [value for kind, value in one.arguments if kind == "dim"]
    if one.message == other.message:
        return any(map(str.isdigit, one.message)) or _shapes_of(one) == _shapes_of(other)
    return len(dims) > 1 and one.arguments == other.arguments or \
        _is_same_conflict(one, other)


def _shapes_of(record: Record) -> List[str]:
    """Those of its operands, in symbols."""
    return [operand.shape for operand in record.operands]


def _is_same_conflict(one: Record, other: Record) -> bool:
    """Do the shapes that the messages name, which hold numbers that were made up, not fit for others?"""
    text, shapes = _shapes_in(one.message)
    other_text, other_shapes = _shapes_in(other.message)
    ranks = {len(shape) for shape in shapes + other_shapes}
    if text != other_text or len(shapes) != len(other_shapes):
        return False
    if list(map(len, shapes)) == list(map(len, other_shapes)) and (
            _OF_RANK.search(text) or text.startswith(_OF_FEED) and len(ranks) == len(shapes) == 2):
        return True  # whatever the dims are
    shapes, other_shapes = _aligned(text, shapes), _aligned(text, other_shapes)
    ranks = {len(shape) for shape in shapes + other_shapes}
    if len(ranks) != 1:
        return False
    known, other_known = dict(one.arguments), dict(other.arguments)
    if len(shapes) == 1 and "axis" in known and "dim" in known:
        axis, rank = int(known["axis"]), len(shapes[0])
        return known["dim"] == other_known.get("dim") and -rank <= axis < rank and \
            shapes[0][axis] == other_shapes[0][axis]
    anything = {"None", "?", "1"} if _OF_BROADCAST.match(text) else {"None", "?"}
    differing = [axis for axis in range(ranks.pop())
                 if len({shape[axis] for shape in shapes} - anything) > 1]
    return bool(differing) and all(shape[axis] == other_shape[axis] for axis in differing
                                   for shape, other_shape in zip(shapes, other_shapes))


def _aligned(text: str, shapes: List[List[str]]) -> List[List[str]]:
    """The axes that a message compares: of what is broadcast all, counted from the last."""
    if _OF_BROADCAST.match(text):
        most = max(map(len, shapes), default=0)
        return [["1"] * (most - len(shape)) + shape for shape in shapes]
    return shapes


def _shapes_in(message: str) -> Tuple[str, List[List[str]]]:
    """The message without the shapes in it, and those."""
    shapes = [re.split(r"[\s,]+", found.strip("()[] ,")) for found in _DIMS.findall(message)]
    return _DIMS.sub("()", message), shapes


def _described(record: Record) -> str:
    at = record.primary
    if at is None:
        return f"{record.message} (it depends on what nobody knows)"
    from shapeflow.checker.findings import display_path

    return f"{display_path(at.path)}:{at.line}: {record.message} (it depends on what nobody knows)"
