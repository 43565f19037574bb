"""The external values of a suspect: what its operation is computed from and nobody computes.

They are where its cone in the graph ends: what is fed, what is drawn at random, what variables hold, what
was cut. A witness is a value for each of them; a legal one is inside the range that the program itself
gives it.
"""
from __future__ import annotations

from . import graph_import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Set, Tuple

    import numpy as np

    Range = Tuple[Any, Any]

_NORMAL = 5.5  # standard deviations that a generator of float32 numbers reaches
_TRUNCATED = 2.0
_SAMPLED = {"RandomStandardNormal": (-_NORMAL, _NORMAL), "TruncatedNormal": (-_TRUNCATED, _TRUNCATED),
            "StatelessRandomNormal": (-_NORMAL, _NORMAL),
            "StatelessTruncatedNormal": (-_TRUNCATED, _TRUNCATED)}
_UNIFORM = ("RandomUniform", "StatelessRandomUniform", "StatelessRandomUniformV2")
# One with a default is an input where it is fed; elsewhere what it passes on may be one.
_PLACEHOLDERS = ("Placeholder", "PlaceholderV2")


class External:
    """kind: "input", "random", "variable" or "state" (whatever else an operation with state gave)."""

    def __init__(self, tensor: Any, kind: str, variable: str = "") -> None:
        self.tensor = tensor
        self.kind = kind
        self.variable = variable  # its name
        self.name: str = tensor.name

    @property
    def node(self) -> str:
        """The name of the placeholder that stands for it in a witness."""
        node, _, index = self.name.partition(":")
        return node if index in ("", "0") else f"{node}_output_{index}"

    def bounds(self) -> Optional[Range]:
        """Of what is drawn at random, as its generator gives it."""
        return bounds_of(self.tensor) if self.kind == "random" else None


def bounds_of(tensor: Any) -> Optional[Range]:
    """Of what a random operation gives; None: it is none, or nothing is known of it."""
    if not tensor.dtype.is_floating:
        return None
    if tensor.op.type in _UNIFORM:
        digits = {"float16": 11, "bfloat16": 8, "float64": 53}.get(tensor.dtype.name, 24)
        return 0.0, 1.0 - 2.0 ** -digits
    return _SAMPLED.get(tensor.op.type)


def externals(targets: List[Any], fed: Set[str]) -> List[External]:
    """Those of tensors, in the order in which they are met. `fed`: names of tensors that the program
    feeds."""
    found: Dict[str, External] = {}
    seen: Set[str] = set()
    rest = list(reversed(targets))
    while rest:
        tensor = rest.pop()
        if tensor.name in seen:
            continue
        seen.add(tensor.name)
        kind = _kind(tensor, fed)
        if kind is None:
            rest += reversed(list(tensor.op.inputs))
        elif tensor.dtype.base_dtype.name not in ("resource", "variant"):
            found[tensor.name] = External(tensor, kind, _variable(tensor) if kind == "variable" else "")
    return list(found.values())


def _variable(tensor: Any) -> str:
    operation = tensor.op
    while len(operation.inputs) and operation.type not in graph_import.VARIABLES:
        operation = operation.inputs[0].op
    name: str = operation.name
    return name


def _kind(tensor: Any, fed: Set[str]) -> Optional[str]:
    operation = tensor.op
    if tensor.name in fed or operation.type in _PLACEHOLDERS:
        return "input"
    if operation.type in graph_import.VARIABLES or operation.type == "ReadVariableOp":
        return "variable"
    if operation.type == "Identity" and operation.inputs[0].op.type in graph_import.VARIABLES:
        return "variable"
    if "Random" in operation.type or operation.type in _SAMPLED or operation.type == "Multinomial":
        return "random"
    definition = operation.op_def
    if definition is not None and definition.is_stateful and len(operation.inputs):
        return "state"
    return None if len(operation.inputs) or not (definition and definition.is_stateful) else "state"


def legal_range(arrays: List[np.ndarray]) -> Optional[Range]:
    """Of what is fed: from the smallest to the largest element of the program's own data. None: it may not be
    changed, as one-hot rows, integers, and what is always the same."""
    import numpy as np

    first = arrays[0]
    if first.dtype.kind != "f" or not first.size:
        return None
    finite = [array[np.isfinite(array)] for array in arrays]
    finite = [array for array in finite if array.size]
    if not finite:
        return None
    low, high = min(array.min() for array in finite), max(array.max() for array in finite)
    if not low < high or _is_one_hot(first):
        return None
    return low, high


def _is_one_hot(array: np.ndarray) -> bool:
    import numpy as np

    return bool(array.ndim >= 2 and array.shape[-1] > 1 and np.isin(array, (0, 1)).all()
                and (array.sum(axis=-1) == 1).all())


def is_whole(arrays: List[np.ndarray]) -> bool:
    """Are all elements whole numbers, as of images that are not scaled? Then they stay so."""
    import numpy as np

    return all(bool((array[np.isfinite(array)] % 1 == 0).all()) for array in arrays)
