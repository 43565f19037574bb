"""What would make an operation safe. A fix is said only when the graph, analysed with the operand kept as the
fix keeps it, no longer has the suspect, and no other one more."""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, List, Sequence, Tuple

    from shapeflow.numeric.feeds import Fact
    from shapeflow.numeric.suspects import Fix, Suspect

    # title, kind, what the operand is then: lo, hi, may be zero
    Idea = Tuple[str, str, float, float, bool]

_INF = float("inf")
# Large enough to stay above zero, and to change 1 - x where x is 1, in each dtype.
EPSILON = {"float16": 1e-3, "bfloat16": 1e-2, "float32": 1e-7, "float64": 1e-12}
# Of x, so that exp(x), sinh(x) and cosh(x) are finite.
LARGEST_EXPONENT = {"float16": 11.0, "bfloat16": 88.0, "float32": 88.0, "float64": 709.0}


def tried(graph: Any, facts: List[Fact], suspect: Suspect, rows: Sequence[Sequence[object]]) -> List[Fix]:
    before = {(row[0], row[2], row[3], row[4]) for row in rows}
    mine = suspect["node"], suspect["input"], suspect["condition"], suspect["in_gradient"]
    made: List[Fix] = []
    for title, kind, lo, hi, zero in _ideas(suspect, rows):
        after, _, _ = _core.numeric(graph, facts, (suspect["node"], suspect["input"], lo, hi, zero))
        left = {(row[0], row[2], row[3], row[4]) for row in after}
        if mine not in left and left <= before:
            made.append({"title": title, "kind": kind})
    return made


def _ideas(suspect: Suspect, rows: Sequence[Sequence[object]]) -> Iterator[Idea]:
    op, condition, dtype = suspect["op"], suspect["condition"], suspect["dtype"]
    lo, hi = suspect["interval"]
    eps = EPSILON.get(dtype, 1e-7)
    least = f"{eps:g}"
    of = next((source["op"] for source in suspect["sources"][:1]), "")
    if op in ("Log", "Xlogy") and of == "Softmax":
        yield ("tf.nn.log_softmax(logits) instead of the logarithm of tf.nn.softmax(logits)", "log_softmax",
               eps, hi, False)
        yield ("tf.nn.softmax_cross_entropy_with_logits(labels=..., logits=...) for the whole loss",
               "softmax_cross_entropy_with_logits", eps, hi, False)
    elif op in ("Log", "Xlogy") and of == "Sigmoid":
        yield ("tf.nn.sigmoid_cross_entropy_with_logits(labels=..., logits=...) for the whole loss",
               "sigmoid_cross_entropy_with_logits", eps, hi, False)
    if op in ("Div", "RealDiv", "Xdivy") and condition == "zero":
        yield "tf.math.divide_no_nan(x, y)", "divide_no_nan", lo, hi, False
        if lo >= 0:
            yield f"+ {least} in the divisor", "epsilon", lo + eps, hi + eps, False
    elif op == "Ndtri":
        yield f"tf.clip_by_value(x, {least}, {1 - eps!r})", "clip", max(lo, eps), min(hi, 1 - eps), False
    elif condition == "overflow":
        most = LARGEST_EXPONENT.get(dtype, 88.0)
        yield f"tf.minimum(x, {most:g})", "clip", max(lo, -most), min(hi, most), True
    elif condition in ("out_of_unit_interval", "at_unit_boundary"):
        edge = 1 - eps
        yield f"tf.clip_by_value(x, {-edge!r}, {edge!r})", "clip", max(lo, -edge), min(hi, edge), True
    elif condition in ("nonpositive", "negative", "pole", "zero") and op != "Acosh":
        at = 1 if op in ("Log1p", "Xlog1py") else 0
        if lo >= -at:
            yield f"+ {least}", "epsilon", lo + eps, hi + eps, False
        if 0 <= lo and hi <= 1:
            yield f"tf.clip_by_value(x, {least}, 1.0)", "clip", eps, hi, False
        else:
            yield f"tf.maximum(x, {eps - at:.13g})", "clip", eps - at, hi, False
