"""Numbers that are made up where Python wants one of something unknown, and what may come of them."""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapeflow._core import Finding


def count() -> int:
    """How many numbers were made up."""
    made = sys.modules.get("shapeflow.api.made_up_numbers")
    return 0 if made is None else int(made.assumed.numbers)


def size() -> int:
    """That sizes of layers were given; 0: none was."""
    made = sys.modules.get("shapeflow.api.made_up_numbers")
    return 0 if made is None else int(made.assumed.size_used)


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
