"""How far the results of two backends are apart.

CRADLE: Pham et al., ICSE 2019, section III. Muffin: Gu et al., ICSE 2022, section 3.3. All take and give
numpy arrays and plain numbers; NaN in one of two results alone is infinitely far, in both it is no
difference.
"""
from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, List, Mapping, Sequence, Tuple

    Array = Any

EPSILON = 1e-7  # CRADLE's, of the rate of change
K = 5  # classes that count
CLASS_THRESHOLD = 8.0
MAD_THRESHOLD = 0.2
LARGEST_FINITE = 1e30
_SMALLEST = 1e-30
# How far results are apart by rounding alone: 16 times the smallest step above 1.
_ROUNDING = {"float16": 16 * 2.0 ** -10, "bfloat16": 16 * 2.0 ** -7}


def class_score(scores: Array, labels: Array, k: int = K) -> Array:
    """2^(k - rank) for each sample whose right class is among the first k, else 0; rank 1 is the best."""
    scores, labels = np.asarray(scores), np.asarray(labels)
    own = scores[np.arange(len(scores)), labels][:, None]
    # Of equal scores the class with the smaller number comes first.
    earlier = np.arange(scores.shape[1])[None] < labels[:, None]
    with np.errstate(invalid="ignore"):
        rank = 1 + np.sum((scores > own) | ((scores == own) & earlier), axis=1)
    return np.where(rank <= k, 2.0 ** (k - rank), 0.0)


def d_class(a: Array, b: Array, labels: Array, k: int = K) -> Array:
    return np.abs(class_score(a, labels, k) - class_score(b, labels, k))


def d_mad(a: Array, b: Array, truth: Array) -> Array:
    """In [0, 1] for each sample: how much their distances to the truth differ, relative to their sum."""
    rows = len(truth)
    first, second = (np.mean(np.abs(np.reshape(x, (rows, -1)) - np.reshape(truth, (rows, -1))), axis=1)
                     for x in (a, b))
    total = first + second
    return np.divide(np.abs(first - second), total, out=np.zeros_like(total), where=total > 0)


def share_reaching(distances: Array, threshold: float) -> float:
    """Of the samples: a distance of exactly the threshold counts, as CRADLE's does."""
    return float(np.mean(np.asarray(distances) >= threshold)) if len(distances) else 0.0


def pattern(distances: Array, highest: float, bins: int = 8) -> Tuple[int, ...]:
    """A histogram: inconsistencies of one cause have the same."""
    counts, _ = np.histogram(np.clip(distances, 0, highest), bins, (0, highest))
    return tuple(int(count) for count in counts)


def chebyshev(a: Array, b: Array) -> float:
    """The largest difference of two elements."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return float("inf")
    return float(_gaps(a, b).max()) if a.size else 0.0


def _gaps(a: Array, b: Array) -> Array:
    """Of two arrays of one shape, element by element."""
    a, b = _wide(a), _wide(b)
    with np.errstate(invalid="ignore", over="ignore"):
        gaps = np.abs(a - b)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return np.where(same, 0.0, np.where(np.isnan(gaps), np.inf, gaps))


def relative(a: Array, b: Array, floor: float = 1.0) -> float:
    """chebyshev, by the size of what is compared: `floor` at least."""
    gap = chebyshev(a, b)
    if gap in (0.0, float("inf")):
        return gap
    return gap / max(floor, largest(a), largest(b))


def gradient_floor(incoming: float) -> float:
    """How large gradients count at least that come of one so large: ten times that, for rounding of sums that
    cancel is of its size; and never more than 1."""
    return min(1.0, max(10 * incoming, _SMALLEST))


def largest(a: Array) -> float:
    """Of the finite elements, without their signs."""
    finite = _wide(np.asarray(a))
    finite = np.abs(finite[np.isfinite(finite)])
    return float(finite.max()) if finite.size else 0.0


def _wide(a: Array) -> Array:
    return a if a.dtype.kind == "c" else a.astype("float64")


def tolerance(threshold: float, precision: str) -> float:
    """The threshold, for results that were computed in such numbers."""
    return max(threshold, _ROUNDING.get(precision, 0.0))


def coarsest(precisions: Iterable[str]) -> str:
    return max(precisions, key=lambda one: _ROUNDING.get(one, 0.0), default="float32")


def mean_deviation(a: Array, b: Array) -> float:
    """CRADLE's distance of a layer: the mean of the differences."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return float("inf")
    return float(np.mean(_gaps(a, b))) if a.size else 0.0


def rates_of_change(deviations: Mapping[str, float], inputs: Mapping[str, Sequence[str]]) -> Dict[str, float]:
    """R_l of each layer: how much more it is off than the worst of its inputs, relative to that."""
    rates = {}
    for layer, deviation in deviations.items():
        before = max((deviations.get(source, 0.0) for source in inputs.get(layer, ())), default=0.0)
        if deviation == float("inf"):
            rates[layer] = 0.0 if before == float("inf") else LARGEST_FINITE
        else:
            rates[layer] = 0.0 if before == float("inf") else (deviation - before) / (before + EPSILON)
    return rates


def third_quantile(rates: Mapping[str, float]) -> float:
    return float(np.quantile(list(rates.values()), 0.75)) if rates else 0.0


def has_bad(a: Array) -> bool:
    """NaN or infinity among its elements?"""
    a = np.asarray(a)
    return a.dtype.kind in "fc" and not bool(np.all(np.isfinite(a)))


def groups_that_agree(names: Sequence[str], are_near: Callable[[str, str], bool]) -> List[List[str]]:
    """The largest group first: in a group each has another that is near."""
    left, groups = list(names), []
    while left:
        group = [left.pop(0)]
        for name in group:
            near = [other for other in left if are_near(name, other)]
            left = [other for other in left if other not in near]
            group += near
        groups.append(group)
    return sorted(groups, key=len, reverse=True)


def majority(groups: Sequence[Sequence[str]]) -> List[str]:
    """Those that are off, by vote; [] when nobody has more than half."""
    total = sum(map(len, groups))
    if not groups or 2 * len(groups[0]) <= total:
        return []
    return [name for group in groups[1:] for name in group]
