"""What a training, an evaluation or a prediction that runs was given: a finding tells where a size of a batch
comes from, which is where the array was made."""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

    Dims = Sequence[Optional[int]]

_PARAMETERS = ("x", "y", "sample_weight", "validation_data")
_TARGETS = ("y_true", "target", "labels")
_given: List[Dict[str, Any]] = []
_of: Dict[int, Tuple[Any, List[Tuple[str, Dims]]]] = {}  # by the id of a finding, which is kept with it


class given:
    """While it holds, one runs that was given these, by the names of its parameters."""

    def __init__(self, arguments: Dict[str, Any]) -> None:
        self._arguments = {name: arguments[name] for name in _PARAMETERS if arguments.get(name) is not None}

    def __enter__(self) -> None:
        self._known = len(_core.findings())
        _given.append(self._arguments)

    def __exit__(self, *exc: object) -> None:
        _given.pop()
        for finding in _core.findings()[self._known:]:
            _of.setdefault(id(finding), (finding, list(_leaves(self._arguments))))


def parameter_of(finding: object, operand: str, axis: int, dims: Dims) -> str:
    """By which parameter the data came whose batch has these dims; "" for none, or where nobody can tell.
    `axis` is the one that is asked about: the first is the size of the batch, which is no array's."""
    if axis < 1:
        return ""
    leaves = _of[id(finding)][1] if id(finding) in _of else _leaves(_given[-1]) if _given else ()
    found = dict.fromkeys(name for name, leaf in leaves if _fits(leaf, dims))
    wanted = "y" if operand in _TARGETS else "x"
    return wanted if wanted in found else next(iter(found)) if len(found) == 1 else ""


def _fits(leaf: Dims, dims: Dims) -> bool:
    rest = list(leaf[1:])
    return rest == list(dims[1:]) or not rest and list(dims[1:]) == [1]  # Keras makes columns of vectors


def _leaves(arguments: Mapping[str, object]) -> Iterator[Tuple[str, Dims]]:
    for name, value in arguments.items():
        spec = getattr(value, "element_spec", None)
        for leaf in _flat(value if spec is None else spec):
            dims = _dims(leaf)
            if dims:
                yield name, dims


def _flat(value: Any, depth: int = 0) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)) and depth < 4 and not (value and isinstance(value[0], (int, float))):
        for item in value[:64]:
            yield from _flat(item, depth + 1)
    else:
        yield value


def _dims(leaf: Any) -> Optional[Dims]:
    try:
        return [None if d is None else int(d) for d in leaf.shape]
    except (AttributeError, TypeError, ValueError):
        return None
