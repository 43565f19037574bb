"""Numbers that are made up where Python wants one of something unknown, and what may come of them."""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Tuple

    from shapeflow._core import Finding
    from shapeflow.checker.options import CheckOptions


def begin(options: CheckOptions) -> None:
    """Of two runs of a script this one makes numbers up in that way, lines of so many parts, and these
    columns."""
    from shapeflow.api.made_up_numbers import assumed

    assumed.variant, assumed.columns = options.variant or 0, tuple(options.columns)
    assumed.parts = {(path, line): count for path, line, count in options.parts}


def count() -> int:
    """How many numbers were made up."""
    made = sys.modules.get("shapeflow.api.made_up_numbers")
    return 0 if made is None else int(made.assumed.numbers)


def size() -> int:
    """That sizes of layers were given; 0: none was."""
    made = sys.modules.get("shapeflow.api.made_up_numbers")
    return 0 if made is None else int(made.assumed.size_used)


def counters() -> Dict[str, int]:
    """For the report: what was made up, whether a function met the first unknown value that had been
    looked up before there was one (unknown_values), and whether a table's unknown columns were listed."""
    made = sys.modules.get("shapeflow.api.made_up_numbers")
    is_late = made is not None and made.assumed.is_late
    lists_columns = made is not None and made.assumed.lists_columns
    return {"assumed": count(), "made_up_size": size(), "late_for_unknown": int(is_late),
            "unknown_columns": int(lists_columns)}


def splits() -> List[Tuple[str, int]]:
    """Where lines of a text that is not there were split, and gone through: files and lines."""
    made = sys.modules.get("shapeflow.api.made_up_numbers")
    return [] if made is None else sorted(made.assumed.split_at)


def may_be_cause(finding: Finding) -> bool:
    """May a finding be there only because something unknown had to be a number? Such a number is one,
    and what is one, nothing or a scalar may come of it. Asked where there is no second run to tell."""
    shapes = [str(operand["shape"] or "") for operand in finding.operands]
    shapes += [str(value) for kind, value in finding.args if kind != "text"]
    return any(_has_small(shape) for shape in shapes)


def _has_small(shape: str) -> bool:
    parts = shape.strip("[]() ").replace(" ", "").split(",")
    return shape.strip() in ("[]", "()") or any(
        part in ("0", "1") or part.startswith("-") for part in parts)
