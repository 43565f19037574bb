"""Differences that are documented, or are no bug: they are shown with their reason, and do not count.

A row says of which layer class, phase and parameters, and of which backends (one of them is off, or is what
others are compared with). Rows are tried in order.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional, Tuple

    Plain = Dict[str, Any]
    Row = Tuple[Tuple[str, ...], Tuple[str, ...], Tuple[str, ...], Callable[[Plain], bool], str]


def _always(parameters: Plain) -> bool:
    return True


# (classes, phases, backends; () for all of them), parameters, why.
_ROWS: Tuple[Row, ...] = (
    (("MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "GlobalMaxPooling1D", "GlobalMaxPooling2D",
      "GlobalMaxPooling3D", "Maximum", "Minimum", "AdaptiveMaxPooling1D", "AdaptiveMaxPooling2D",
      "AdaptiveMaxPooling3D"), ("backward",), (), _always,
     "where several elements are the largest, frameworks divide the gradient among them or give it to one"),
)


def reason(finding: Plain) -> Optional[str]:
    involved = {name.partition(":")[0] for name in [*finding["backends"], *finding["against"]]}
    for classes, phases, backends, holds, why in _ROWS:
        if finding["class"] in classes and (not phases or finding["phase"] in phases) and (
                not backends or involved & set(backends)) and finding["kind"] == "inconsistent" and \
                holds(finding.get("parameters", {})):
            return why
    return None
