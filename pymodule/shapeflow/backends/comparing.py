"""One model on all backends: what differs, and which layer, phase and backend it is.

Each backend runs the whole model. Where results differ each layer is run again by itself, on the inputs,
and with the gradients, that one of them (of the majority, where there is one) has there: a layer that then
differs differs by itself. The map of the rates of change (CRADLE's R_l) is kept beside it, for the page.
"""
from __future__ import annotations

import os

import numpy as np

from shapeflow.backends import configs, distances, known_differences, models
from shapeflow.backends.process import WITH_GRADIENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

    from shapeflow.backends.models import Case
    from shapeflow.backends.process import Backend

    Plain = Dict[str, Any]
    Arrays = Dict[str, Any]

PHASES = ("forward", "loss", "backward")
_ORDER = ("build", *PHASES)
CODES = {
    "forward": "SF701",
    "loss": "SF702",
    "backward": "SF702",
    "nan": "SF703",
    "crash": "SF704",
    "raises": "SF705",
    "shape": "SF706",
}


class Settings:
    """`threshold`: of a layer by itself, relative to the size of its results; the others are CRADLE's."""

    def __init__(
        self,
        phases: Sequence[str] = PHASES,
        threshold: float = 1e-4,
        k: int = distances.K,
        class_threshold: float = distances.CLASS_THRESHOLD,
        mad_threshold: float = distances.MAD_THRESHOLD,
        share: float = 0.0,
        always_local: bool = False,
        patience: int = 1,
    ) -> None:
        self.arguments: Plain = {
            "phases": list(phases), "threshold": threshold, "k": k, "class_threshold": class_threshold,
            "mad_threshold": mad_threshold, "share": share, "always_local": always_local,
            "patience": patience}
        self.phases = tuple(phases)
        self.threshold = threshold
        self.k, self.class_threshold, self.mad_threshold, self.share = (
            k,
            class_threshold,
            mad_threshold,
            share,
        )
        self.always_local = always_local  # run the layers by themselves even where outputs agree
        self.patience = patience  # one that had no more time is asked once more, with so much more of it


class Results:
    """Of one backend: its answer and arrays."""

    def __init__(self, backend: Backend, answer: Plain, arrays: Arrays, at: str) -> None:
        self.backend, self.answer, self.arrays, self.at = backend, answer, arrays, at

    @property
    def is_whole(self) -> bool:
        """It has all of the forward phase."""
        return self.answer["status"] == "ok" or (
            self.answer.get("phase") in ("loss", "backward") and bool(self.arrays))


def file_of(label: str, local: bool = False) -> str:
    """The name of a backend's results in the folder of a case."""
    return f"{label.replace(':', '_').replace('/', '_')}{'_local' * local}.npz"


def run_on(backend: Backend, case: Case, settings: Settings, reference: str = "") -> Results:
    """Raises OSError: results cannot be written."""
    out = os.path.join(case.folder, file_of(backend.label, bool(reference)))
    for path in (out, out + ".at"):
        if os.path.exists(path):
            os.unlink(path)
    wanted = [phase for phase in settings.phases if phase != "backward" or backend.name in WITH_GRADIENTS]
    task = case.task(out, wanted, reference)
    answer = backend.ask(task)
    if answer.get("late") and settings.patience > 1:  # on a machine with other work all is late
        answer = backend.ask(task, settings.patience * backend.seconds)
    if answer["status"] == "unwritten":
        raise OSError(answer["reason"])
    arrays: Arrays = {}
    try:
        with np.load(out, allow_pickle=False) as data:
            arrays = {key: data[key] for key in data.files}
    except models.NOT_READABLE:
        pass  # it ended before it wrote them
    at = ""
    try:
        with open(out + ".at", encoding="utf-8") as stream:
            at = stream.readline().rstrip("\n")
    except OSError:
        pass
    return Results(backend, answer, arrays, at)


def compare(case: Case, backends: Sequence[Backend], settings: Settings) -> Plain:
    """The document of the comparison, as plain data."""
    runs = {backend.label: run_on(backend, case, settings) for backend in backends}
    _refuse_what_is_not_read(runs)
    whole = {label: run for label, run in runs.items() if run.is_whole}
    findings = _ended_findings(runs, case) + _misfit_findings(runs, case)
    document: Plain = {
        "title": case.title, "backends": list(runs), "compared": list(whole),
        "versions": {label: run.backend.versions for label, run in runs.items()},
        "nodes": next((run.answer["nodes"] for run in runs.values() if "nodes" in run.answer), []),
        "loss": {label: run.answer["loss"] for label, run in runs.items() if "loss" in run.answer},
        "refused": {label: run.answer["reason"] for label, run in runs.items()
                    if run.answer["status"] == "refused"},
        "failed": {label: run.answer["reason"] for label, run in runs.items()
                   if run.answer["status"] == "failed"},
        "inputs": [[list(array.shape), str(array.dtype)] for array in case.inputs],
        "ends": [key[2:].rpartition("/")[0] for key in _ends(whole)],  # the layers of the outputs
        "maps": {}, "pairs": [], "findings": findings}
    if len(whole) > 1:
        reference = _reference(whole, _thresholds(document["nodes"], settings))
        document["reference"] = reference
        document["maps"] = {label: deviation_map(whole[reference].arrays, run.arrays, document["nodes"])
                            for label, run in whole.items() if label != reference}
        document["pairs"] = pairs(case, whole, settings)
        document["distance"], document["spread"] = _reach(whole, reference)
        if settings.always_local or _differs(whole, reference, document["nodes"], settings.threshold):
            findings += _local_findings(case, whole, reference, document["nodes"], settings)
        if not findings:
            findings += _overall_findings(document, whole, settings)
    document["marked"] = marked(document)
    for finding in findings:
        finding["parameters"] = configs.parameters_of(case.config, finding["layer"])
        reason = known_differences.reason(finding)
        if reason:
            finding["known"] = reason
    return document


def _refuse_what_is_not_read(runs: Dict[str, Results]) -> None:
    """A release of Keras may not read what another one wrote: on no backend of it is there a model then, and
    that is no difference between backends."""
    built = {run.backend.versions.get("keras") for run in runs.values()
             if run.answer["status"] != "failed" or run.answer.get("phase") != "build"}
    for run in runs.values():
        if built and run.backend.versions.get("keras") not in built:
            run.answer["status"] = "refused"


def _finding(kind: str, phase: str, layer: str, classes: Dict[str, str], off: Sequence[str],
             against: Sequence[str], distance: Optional[float], words: str) -> Plain:
    code = CODES.get(kind) or CODES[phase]
    return {"code": code, "kind": kind, "phase": phase, "layer": layer.partition("#")[0],
            "class": classes.get(layer, "loss" if phase == "loss" else ""), "backends": sorted(off),
            "against": sorted(against), "distance": distance, "message": words}


def _classes(nodes: Sequence[Plain]) -> Dict[str, str]:
    return {node["key"]: node["class"] for node in nodes}


def _ended_findings(runs: Dict[str, Results], case: Case) -> List[Plain]:
    """Of those that crashed or raised, unless none comes further: then the model is at fault, or its labels.
    A layer that raises of what has another shape than Keras says is not: the one that gives it is a
    finding."""
    found = []
    classes = configs.classes_of(case.config)
    for label, run in runs.items():
        status = run.answer["status"]
        fine = [other for other, one in runs.items() if _comes_further(one, run)]
        if status == "lost":
            phase, _, layer = run.at.partition(" ")
            does = "hangs" if run.answer.get("late") else "crashes"
            found.append(_finding("crash", phase or "build", layer, classes, [label], fine, None,
                                  f"{label} {does}{_where(classes, layer, phase)}: {run.answer['reason']}"))
        elif status == "failed" and fine:
            layer, phase = run.answer.get("layer", ""), run.answer.get("phase", "")
            if _takes_of(case.config, layer, run.answer.get("misfits", ())):
                continue
            words = f"{label}{' alone' * (len(fine) > 1)} raises {run.answer['reason']}"
            if run.answer.get("no_memory"):
                limit = run.backend.memory
                most = f" (limited to {limit / (1 << 20):.4g} MiB)" if limit else ""
                words = (f"{label} has no memory left{most}{_where(classes, layer, phase)}: "
                         f"{run.answer['reason']}")
            found.append(_finding("raises", phase, layer, classes, [label], fine, None, words))
    return found


def _comes_further(run: Results, other: Results) -> bool:
    """Is it through the phase in which the other one ended?"""
    if run.answer["status"] not in ("failed", "refused"):
        return bool(run.answer["status"] == "ok")
    if other.answer["status"] not in ("failed", "refused"):
        return False
    mine, its = (_ORDER.index(one.answer.get("phase") or "build") for one in (run, other))
    return mine > its


def _where(classes: Mapping[str, str], layer: str, phase: str) -> str:
    """" in Dense 'out' (forward)"."""
    return f" in {classes.get(layer.partition('#')[0], 'layer')} {layer!r} ({phase})" if layer else ""


def _takes_of(config: Plain, layer: str, keys: Iterable[str]) -> bool:
    """Does the layer take, also through others, what one of these nodes gives?"""
    wanted = {key.partition("#")[0] for key in keys}
    sources = configs.sources(config) if wanted else {}
    found: Set[str] = set()
    todo = [layer.partition("#")[0]]
    while todo:
        new = {*sources.get(todo.pop(), ())} - found
        found |= new
        todo += new
    return bool(found & wanted)


def _misfit_findings(runs: Dict[str, Results], case: Case) -> List[Plain]:
    """Layers that give another shape than Keras says of them."""
    classes = configs.classes_of(case.config)
    by_layer: Dict[Tuple[str, str], List[str]] = {}
    for label, run in runs.items():
        for key, words in run.answer.get("misfits", {}).items():
            by_layer.setdefault((key, words), []).append(label)
    found = []
    for (key, words), labels in by_layer.items():
        others = [label for label in runs if label not in labels]
        name = classes.get(key.partition("#")[0], "")
        found.append(_finding("shape", "forward", key, {key: name}, labels, others, None,
                              f"{name} {key!r} is {words} on {', '.join(labels)}"))
    return found


# --- the whole model --------------------------------------------------------------------------------
def _far(a: Arrays, b: Arrays, keys: Sequence[str],
         floors: Optional[Mapping[str, float]] = None) -> Tuple[float, str]:
    """(the largest relative distance, the kind of it). A gradient that one of them lacks is zero. `floors`:
    how large what they are compared with is at least, where that is not 1."""
    worst, kind = 0.0, "inconsistent"
    for key in keys:
        first, second = a.get(key), b.get(key)
        if first is None and second is None:
            continue
        if first is None or second is None:
            if key.startswith("f/"):
                continue
            there = first if first is not None else second
            first = np.zeros_like(there) if first is None else first
            second = np.zeros_like(there) if second is None else second
        assert first is not None and second is not None
        gap = distances.relative(first, second, (floors or {}).get(key, 1.0))
        if gap > worst:
            worst = gap
            if gap == float("inf"):
                kind = "shape" if first.shape != second.shape else "nan"
    return worst, kind


def _are_near(a: Arrays, b: Arrays, keys: Sequence[str], threshold: Callable[[str], float],
              floors: Optional[Mapping[str, float]] = None) -> bool:
    """Each by its own threshold."""
    return all(_far(a, b, [key], floors)[0] <= threshold(key) for key in keys)


def _thresholds(nodes: Sequence[Plain], settings: Settings) -> Callable[[str], float]:
    """Of what layers give in the whole model: by the coarsest precision on the way to each."""
    reaching: Dict[str, str] = {}
    for node in nodes:  # in the order in which they run
        before = [reaching.get(source, "float32") for source in node["inputs"]]
        reaching[node["key"]] = distances.coarsest([node["precision"], *before])
    return lambda key: distances.tolerance(
        settings.threshold, reaching.get(key[2:].rpartition("/")[0], "float32"))


def _keys(*arrays: Arrays) -> List[str]:
    return list(dict.fromkeys(key for table in arrays for key in table))


def _shared(a: Results, b: Results, keys: Sequence[str]) -> List[str]:
    """Without gradients and losses where one of them has none at all."""
    families = {_family(key) for key in a.arrays} & {_family(key) for key in b.arrays}
    return [key for key in keys if _family(key) in families]


def _family(key: str) -> str:
    """Of a result: gradients by inputs, weights and layers are one."""
    start = key.partition("/")[0]
    return "g" if start in ("gx", "gw", "gu") else start


def _reference(whole: Dict[str, Results], threshold: Callable[[str], float]) -> str:
    """One of the largest group; with gradients, if any has them."""
    def near(a: str, b: str) -> bool:
        keys = [key for key in _keys(whole[a].arrays, whole[b].arrays) if key.startswith("f/")]
        return _are_near(whole[a].arrays, whole[b].arrays, keys, lambda key: 10 * threshold(key))

    group = distances.groups_that_agree(list(whole), near)[0]
    with_gradients = [label for label in group if any(key.startswith("g/") for key in whole[label].arrays)]
    return (with_gradients or group)[0]


def _reach(whole: Dict[str, Results], reference: str) -> Tuple[float, float]:
    """How far the model's outputs are from the reference's, at most; and how far the numbers in those
    reach."""
    base = whole[reference].arrays
    keys = _ends(whole)
    far = max((_far(base, run.arrays, keys)[0] for run in whole.values()), default=0.0)
    reach = 0.0
    for array in (base[key] for key in keys if key in base):
        numbers = array[np.isfinite(array)].astype("float64") if array.dtype.kind in "fiu" else array[:0]
        reach = max(reach, float(np.ptp(numbers)) if numbers.size else 0.0)
    return far, reach


def _ends(whole: Dict[str, Results]) -> List[str]:
    """The keys of the model's outputs."""
    ends: List[str] = next((run.answer["ends"] for run in whole.values() if "ends" in run.answer), [])
    return ends


def _differs(whole: Dict[str, Results], reference: str, nodes: Sequence[Plain], threshold: float) -> bool:
    """As float32, whatever is on the way: the layers by themselves tell rounding of half precision from a
    bug that it hides here."""
    base = whole[reference]
    floors = _gradient_floors(base.arrays, nodes)
    for label, run in whole.items():
        if run.answer["status"] != "ok":
            return True
        keys = _shared(base, run, _keys(base.arrays, run.arrays))
        if label != reference and _far(base.arrays, run.arrays, keys, floors)[0] > threshold:
            return True
    return False


def _gradient_floors(arrays: Arrays, nodes: Sequence[Plain]) -> Dict[str, float]:
    """{key: how large it counts at least} of what comes back through each node: a loss that is the mean of
    many numbers has small gradients everywhere."""
    found: Dict[str, float] = {}
    for node in nodes:
        floor = _floor(node, arrays)
        keys = [f"gw/{i}" for i in node.get("weights", ())]
        for place, (source, index) in enumerate(zip(node["inputs"], node["indices"])):
            own = f"gu/{node['key']}/{place}"
            whole = f"gx/{source.split()[1]}" if source.startswith("input ") else f"g/{source}/{index}"
            keys.append(own if own in arrays else whole)
        found.update({key: max(found.get(key, 0.0), floor) for key in keys})
    return found


def _floor(node: Plain, arrays: Arrays) -> float:
    """Of the gradients of a node. Small numbers of half precision have few digits: of those it is 1."""
    incoming = [distances.largest(arrays[f"g/{node['key']}/{i}"]) for i in range(len(node["outputs"]))
                if f"g/{node['key']}/{i}" in arrays]
    if not incoming or distances.coarsest([node["precision"], *node["input_precisions"]]) != "float32":
        return 1.0
    return distances.gradient_floor(max(incoming))


def deviation_map(base: Arrays, other: Arrays, nodes: Sequence[Plain]) -> Dict[str, Plain]:
    """{layer: {"deviation", "rate", "high"}} of the forward phase."""
    deviations = {}
    for node in nodes:
        keys = [key for key in base if key.startswith(f"f/{node['key']}/") and key in other]
        if keys:
            deviations[node["key"]] = max(distances.mean_deviation(base[key], other[key]) for key in keys)
    rates = distances.rates_of_change(deviations, {node["key"]: node["inputs"] for node in nodes})
    limit = distances.third_quantile(rates)
    return {key: {"deviation": min(value, distances.LARGEST_FINITE), "rate": rates[key],
                  "high": rates[key] >= limit and rates[key] > 0} for key, value in deviations.items()}


def suspected(document: Plain) -> List[str]:
    """Backends whose map tells something: those that are off; where that is the reference, the others."""
    off = {label for finding in document["findings"] for label in finding["backends"]}
    if document.get("reference") in off:
        off |= {label for finding in document["findings"] for label in finding["against"]}
    return [label for label in document["maps"] if label in off]


def marked(document: Plain) -> Plain:
    """How good CRADLE's marks are: {"marked": layers in the highest quarter, "wrong": those of them that do
    not differ by themselves}. Only of what a map is about, that is, of numbers of the forward phase."""
    guilty = {finding["layer"] for finding in document["findings"] if "pattern" not in finding
              and (finding["kind"], finding["phase"]) == ("inconsistent", "forward")}
    high = {key.partition("#")[0] for label in suspected(document)
            for key, row in document["maps"][label].items() if row["high"]} if guilty else set()
    return {"marked": len(high), "wrong": len(high - guilty)}


def pairs(case: Case, whole: Dict[str, Results], settings: Settings) -> List[Plain]:
    """CRADLE's distances of each two backends over the samples, output by output."""
    labels = list(whole)
    made = []
    for place, end in enumerate(_ends(whole)):
        truth = case.labels[place] if place < len(case.labels) else None
        for i, one in enumerate(labels):
            for other in labels[i + 1:]:
                if any(end not in whole[label].arrays for label in (one, other)):
                    continue
                a, b = (np.asarray(whole[label].arrays[end]) for label in (one, other))
                row = _pair(a, b, truth, settings)
                if row is not None:
                    made.append({"pair": [one, other], "output": place, **row})
    return made


def _pair(a: Any, b: Any, truth: Any, settings: Settings) -> Optional[Plain]:
    """None: no distance of CRADLE's applies."""
    if a.shape != b.shape or a.dtype.kind not in "fiu" or not a.ndim:
        return None
    classes = _classes_of(truth, a)
    if classes is not None:
        gaps, limit, metric = distances.d_class(a, b, classes, settings.k), settings.class_threshold, "class"
        highest = 1 << settings.k - 1
        pattern = distances.pattern(gaps, highest, highest)
    elif truth is not None and truth.shape == a.shape:
        gaps, limit, metric = distances.d_mad(a, b, truth), settings.mad_threshold, "mad"
        pattern = distances.pattern(gaps, 1.0)
    else:
        return None
    share = distances.share_reaching(gaps, limit)
    return {"metric": metric, "pattern": pattern,
            "largest": float(gaps.max()) if len(gaps) else 0.0, "share": share,
            "inconsistent": share > settings.share}


def _classes_of(truth: Any, scores: Any) -> Any:
    """The right class of each sample, where labels are classes or rows with one 1."""
    if truth is None or scores.ndim != 2 or scores.shape[1] < 2:
        return None
    if truth.shape == scores.shape and set(np.unique(truth)) <= {0, 1} and (truth.sum(1) == 1).all():
        return truth.argmax(1)
    flat = truth.reshape(-1)
    if (
        truth.dtype.kind in "iu"
        and len(flat) == len(scores)
        and flat.min() >= 0
        and flat.max() < scores.shape[1]
    ):
        return flat
    return None


def _overall_findings(document: Plain, whole: Dict[str, Results], settings: Settings) -> List[Plain]:
    """Outputs that are apart though no layer is by itself: rounding that grows, layer by layer. Pairs whose
    distances have one pattern are one inconsistency (CRADLE's unique ones). Its layer is that of the highest
    rate of change between the two themselves: the reference may be one that is off elsewhere."""
    unique: Dict[Tuple[Any, ...], List[Plain]] = {}
    for row in document["pairs"]:
        if row["inconsistent"]:
            unique.setdefault((row["output"], row["metric"], row["pattern"]), []).append(row)
    found = []
    classes = _classes(document["nodes"])
    for (_, metric, pattern), rows in unique.items():
        one, other = rows[0]["pair"]
        chart = deviation_map(whole[one].arrays, whole[other].arrays, document["nodes"])
        worst = max(chart, key=lambda key: chart[key]["rate"], default="")
        highest = f"; the rate of change is highest at {classes.get(worst, '')} {worst!r}" if worst else ""
        name = "D_class" if metric == "class" else "D_MAD"
        largest, share = rows[0]["largest"], rows[0]["share"]
        shown = " and ".join(f"{a} from {b}" for a, b in (row["pair"] for row in rows))
        made = _finding("inconsistent", "forward", worst, classes, [],
                        sorted({label for row in rows for label in row["pair"]}), largest,
                        f"{shown}: outputs are apart by {name} = {largest:.3g} for {share:.0%} "
                        f"of the samples, and no layer by itself{highest}")
        # A label that all of the pairs share is the one that is off.
        common = set.intersection(*({*row["pair"]} for row in rows)) if len(rows) > 1 else set()
        made["backends"] = sorted(common) or made["against"]
        made["against"] = [label for label in made["against"] if label not in common] if common else []
        found.append({**made, "pattern": [metric, *pattern]})
    return found


# --- layers by themselves -----------------------------------------------------------------------------
def _local_findings(case: Case, whole: Dict[str, Results], reference: str, nodes: Sequence[Plain],
                    settings: Settings) -> List[Plain]:
    path = os.path.join(case.folder, file_of(reference))
    local = {label: run_on(run.backend, case, settings, path) for label, run in whole.items()}
    found = []
    classes = _classes(nodes)
    for label, run in local.items():
        if run.answer["status"] == "lost":
            phase, _, layer = run.at.partition(" ")
            found.append(_finding("crash", phase, layer, classes, [label], [reference], None,
                                  f"{label}: {run.answer['reason']}"))
    local = {label: run for label, run in local.items() if run.answer["status"] == "ok"}
    for node in nodes:
        key = node["key"]
        found += _failed_alone(key, local, classes)
        forward = [name for name in _keys(*(run.arrays for run in local.values()))
                   if name.startswith(f"f/{key}/")]
        backward = [name for name in _keys(*(run.arrays for run in local.values()))
                    if name.startswith((f"b/{key}/", f"bw/{key}/"))]
        threshold = _local_thresholds(node, settings)
        floors = dict.fromkeys(backward, _floor(node, whole[reference].arrays))
        off = _off(key, "forward", forward, local, classes, threshold)
        found += off or _off(key, "backward", backward, local, classes, threshold, floors)
    coarsest = distances.coarsest(node["precision"] for node in nodes if node["is_output"])

    def threshold_of_loss(name: str) -> float:
        return distances.tolerance(settings.threshold, coarsest)

    # No loss is taken of an output of another shape than Keras says: where that is so, it is another sum.
    apart = whole[reference].answer.get("misfits", {}).keys()
    alike = {label: run for label, run in local.items()
             if whole[label].answer.get("misfits", {}).keys() == apart}
    losses = _off("", "loss", ["loss"], alike, classes, threshold_of_loss)
    slopes = [name for name in _keys(*(run.arrays for run in alike.values())) if name.startswith("gl/")]
    # The mean over so many numbers has gradients of one over that.
    count = max((np.size(array) for array in case.labels), default=1)
    floors = dict.fromkeys(slopes, distances.gradient_floor(1 / max(1, count)))
    found += losses or _off("", "backward", slopes, alike, {"": "loss"}, threshold_of_loss,
                            floors if coarsest == "float32" else None)
    for finding in found:
        if finding["class"] == "loss":
            finding["layer"] = case.loss
    return found


def _local_thresholds(node: Plain, settings: Settings) -> Callable[[str], float]:
    """Of a layer by itself: by the precision in which it computes. What it takes is the same everywhere, so
    its type counts only for the gradient by it, which has that type."""
    def threshold(name: str) -> float:
        precision = node["precision"]
        if name.startswith("b/"):
            taken = node["input_precisions"][int(name.rpartition("/")[2])]
            precision = distances.coarsest([precision, taken])
        return distances.tolerance(settings.threshold, precision)

    return threshold


def _failed_alone(key: str, local: Dict[str, Results], classes: Dict[str, str]) -> List[Plain]:
    failed = {label: run.answer["skipped"][key] for label, run in local.items()
              if key in run.answer.get("skipped", {})}
    fine = [label for label in local if label not in failed]
    failed = {label: reason for label, reason in failed.items()
              if key not in local[label].answer.get("unsupported", ())}
    found = []
    for label, reason in failed.items() if fine else ():
        phase, _, words = reason.partition(": ")
        found.append(_finding("raises", phase, key, classes, [label], fine, None, f"{label} raises {words}"))
    return found


def _off(key: str, phase: str, names: Sequence[str], local: Dict[str, Results], classes: Dict[str, str],
         threshold: Callable[[str], float], floors: Optional[Mapping[str, float]] = None) -> List[Plain]:
    """What the backends that compute it disagree about. One that has gradients, and none of this layer, says
    that they are zero."""
    def computes(run: Results) -> bool:
        is_zero = (phase == "backward" and f"f/{key}/0" in run.arrays
                   and any(name.startswith(("b/", "bw/")) for name in run.arrays))
        return is_zero or any(name in run.arrays for name in names)

    those = [label for label, run in local.items()
             if computes(run) and key not in run.answer.get("skipped", {})] if names else []
    if len(those) < 2:
        return []

    def gap(a: str, b: str) -> Tuple[float, str]:
        return _far(local[a].arrays, local[b].arrays, names, floors)

    groups = distances.groups_that_agree(
        those, lambda a, b: _are_near(local[a].arrays, local[b].arrays, names, threshold, floors))
    if len(groups) < 2:
        return []
    off = distances.majority(groups)
    against = groups[0] if off else [those[0]]
    off = off or [label for label in those if label not in groups_of(groups, those[0])]
    worst, kind = max((gap(a, b) for a in off for b in against), key=lambda pair: pair[0])
    if kind == "nan":
        bad = [label for label in those if any(distances.has_bad(local[label].arrays[name])
                                               for name in names if name in local[label].arrays)]
        if bad and len(bad) < len(those):
            off, against = bad, [label for label in those if label not in bad]
    words = {
        "nan": "gives NaN or infinity in {}, not in {}",
        "shape": "gives another shape in {} than in {}",
    }.get(kind, "differs by {:.3g} between {} and {}")
    names_off, names_against = ", ".join(sorted(off)), ", ".join(sorted(against))
    told = words.format(names_off, names_against) if kind in ("nan", "shape") else words.format(
        worst, names_off, names_against)
    what = classes.get(key) or "the loss"
    return [_finding(kind, phase, key, classes, off, against, None if worst == float("inf") else worst,
                     f"{what}{f' {key!r}' if key else ''} {told} ({phase})")]


def groups_of(groups: Sequence[Sequence[str]], label: str) -> Sequence[str]:
    return next(group for group in groups if label in group)
