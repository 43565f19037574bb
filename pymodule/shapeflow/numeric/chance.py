"""How probable it is that an operand is where its operation breaks, where it is a normal number, scaled and
moved: such a number is bounded by nothing but its distribution."""
from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional

    from shapeflow._core import Graph, Operation, Tensor
    from shapeflow.numeric.suspects import Suspect

DEVIATIONS = 10  # that the interval of a normal number has on each side (sf_range_normal)
_NORMAL = ("RandomStandardNormal", "StatelessRandomNormal", "StatelessRandomNormalV2")
_PASSES = ("Identity", "Cast", "Reshape", "ReadVariableOp", "Neg", "StopGradient", "Snapshot")
_LINEAR = ("Add", "AddV2", "Sub", "Mul", "RealDiv", "Div")
_VARIABLES = ("VarHandleOp", "VariableV2", "Variable")
_ASSIGNS = ("Assign", "AssignVariableOp")
_STEPS = 30
_LOG_LARGEST = {"float16": 11.09, "float64": 709.79}  # 88.73 in the others
_EDGES = {"Log1p": -1.0, "Xlog1py": -1.0, "Acosh": 1.0}


def of(graph: Optional[Graph], suspect: Suspect) -> Optional[float]:
    """Of one element. None: it is no normal number, or the condition is a single number, which is met by
    rounding only."""
    op, condition = suspect["op"], suspect["condition"]
    lo, hi = suspect["interval"]
    if graph is None or not math.isfinite(hi - lo) or not lo < hi or \
            not _is_normal(graph, suspect["node"], suspect["input"]):
        return None
    mean, deviation = (lo + hi) / 2, (hi - lo) / (2 * DEVIATIONS)

    def below(x: float) -> float:
        return math.erfc((mean - x) / deviation / math.sqrt(2)) / 2

    def above(x: float) -> float:
        return math.erfc((x - mean) / deviation / math.sqrt(2)) / 2

    if condition in ("negative", "nonpositive"):
        return below(_EDGES.get(op, 0.0))
    if condition == "out_of_unit_interval" or \
            condition == "at_unit_boundary" and op not in ("Acos", "Asin"):
        return below(-1) + above(1)
    if condition == "overflow":
        most = _LOG_LARGEST.get(suspect["dtype"], 88.73)
        return above(most) + (below(-most) if op in ("Sinh", "Cosh") else 0)
    return None


def _is_normal(graph: Graph, node: str, operand: int) -> bool:
    from shapeflow import get_static_value

    tensor = graph.get_operation_by_name(node).inputs[operand]
    for _ in range(_STEPS):
        operation = tensor.op
        kind, inputs = operation.type, list(operation.inputs)
        if kind in _NORMAL:
            return True
        if kind in _VARIABLES:
            inputs = _assigned(graph, operation)
        elif kind in _LINEAR:
            if kind in ("RealDiv", "Div"):
                inputs, divisor = inputs[:1], inputs[1]
                if get_static_value(divisor) is None:
                    return False
            else:
                inputs = [x for x in inputs if get_static_value(x) is None]
        elif kind not in _PASSES:
            return False
        else:
            inputs = inputs[:1]
        if len(inputs) != 1:
            return False
        tensor = inputs[0]
    return False


def _assigned(graph: Graph, variable: Operation) -> List[Tensor]:
    """What is written to it; of one that is written elsewhere too, nothing that tells."""
    users = [user for user in graph.get_operations()
             if any(x.op is variable for x in user.inputs)]
    writers = [user for user in users if user.type in _ASSIGNS]
    is_written = any("Apply" in user.type or user.type.startswith(("Assign", "Scatter")) and
                     user not in writers for user in users)
    return [] if is_written else [writer.inputs[1] for writer in writers]
