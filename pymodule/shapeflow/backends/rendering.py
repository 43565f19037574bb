"""A comparison as text, JSON, SARIF and a page; findings of a campaign as text."""
from __future__ import annotations

import math
import re

from shapeflow.backends.comparing import suspected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence

    Plain = Dict[str, Any]

FORMATS = ("text", "json", "html", "sarif")


def rendered(document: Plain, format: str) -> str:
    if format == "json":
        return as_json(document)
    if format == "html":
        import shapeflow.pictures.page as page

        return page.render(graph(document))
    if format == "sarif":
        return _sarif([document])
    return text(document)


def as_json(document: object) -> str:
    import json

    return json.dumps(finite(document), indent=1)


def finite(value: object) -> Any:
    """JSON has no infinity: it is the text "inf"."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(part) for part in value]
    return value


def versions_line(versions: Dict[str, Dict[str, str]]) -> str:
    parts = []
    for label, table in versions.items():
        name = label.partition(":")[0]
        own = table.get(name, "")
        parts.append(f"{label} {own} (Keras {table.get('keras', '?')})".replace("  ", " "))
    return ", ".join(parts)


def counted(findings: Sequence[Plain]) -> List[Plain]:
    """Without what is known."""
    return [finding for finding in findings if "known" not in finding]


def _parameters(finding: Plain) -> str:
    shown = [f"{key}={value!r}" for key, value in finding.get("parameters", {}).items()
             if value is not None and value != "linear"]
    return ", ".join(shown[:12])


def finding_lines(finding: Plain) -> List[str]:
    lines = [f"{finding['message']} [{finding['code']}]"]
    parameters = _parameters(finding)
    if parameters:
        lines.append(f"  {parameters}")
    lines += [f"  {line}" for line in _reasons(finding)]
    if finding.get("folder"):
        lines.append(f"  {finding['folder']}")
    return lines


def _reasons(finding: Plain) -> List[str]:
    """Which parameters are to blame, and why it is known."""
    lines = []
    if finding.get("blame"):
        lines.append("gone with " + ", or ".join(finding["blame"]))
    if "known" in finding:
        lines.append(f"known: {finding['known']}")
    return lines


def text(document: Plain) -> str:
    lines = [f"{document['title']}: {versions_line(document['versions'])}"]
    for label, reason in document["refused"].items():
        lines.append(f"  {label} does not take it: {reason}")
    named = {label for finding in document["findings"] for label in finding["backends"]}
    lines += [f"  {label} raises {reason}" for label, reason in document.get("failed", {}).items()
              if label not in named]
    for finding in document["findings"]:
        lines += ["  " + line for line in finding_lines(finding)]
    for row in document["pairs"]:
        lines.append(f"  {row['pair'][0]} and {row['pair'][1]}: {_metric(row)} {_distance(row)}")
    for label in suspected(document):
        chart = document["maps"][label]
        worst = sorted((key for key in chart if chart[key]["high"]), key=lambda key: -chart[key]["rate"])[:3]
        if worst:
            told = ", ".join(f"{key} ({chart[key]['rate']:.3g})" for key in worst)
            lines.append(
                f"  {label} against {document['reference']}: the rate of change is highest at {told}"
            )
    count = len(counted(document["findings"]))
    known = len(document["findings"]) - count
    last = f"{count} difference{'s' * (count != 1)}" if count else "no difference"
    if not count and nothing_compared(document):
        last = "nothing was compared: fewer than two backends run the model"
    lines.append(f"  {last}" + (f", {known} known" if known else ""))
    return "\n".join(lines)


def nothing_compared(document: Plain) -> bool:
    """Fewer than two backends run the model."""
    compared = document["compared"] if "compared" in document else document["backends"]
    return len(compared) < 2


def campaign_text(summary: Plain) -> str:
    counts = summary["models"]
    total = sum(counts.values())
    run = counts.get("ok", 0)
    lines = [f"{total} models on {versions_line(summary['versions'])}",
             f"  {run} ran ({run / max(1, total - counts.get('stuck', 0)):.1%} of those generated), "
             f"{60 * total / max(1e-9, summary['seconds']):.1f} models a minute"]
    for status, words in (
        ("refused", "refused by Keras"),
        ("engine refuses", "refused by the shape engine as a whole"),
        ("stuck", "not finished by the generator"),
    ):
        if counts.get(status):
            lines.append(f"  {counts[status]} {words}")
    lines += [f"    {reason}" for reason in summary["refused"][:20]]
    for layer, words, times in summary.get("apart", ()):
        lines.append(f"  {layer} gives another shape than it should, and is an output of the {times} "
                     f"model{'s' * (times != 1)} that it is in: {words}")
    if "variants" in summary:
        lines.append(f"  {summary['variants']} variants were tried, fitness {summary['best']:.3g} at most")
    used, known = summary["layers"]
    if used:
        lines.append(f"  {used} of {known} layers, {summary['parameters']} values of parameters")
    if summary["phases"]:
        phases = ", ".join(f"{name} {count}" for name, count in summary["phases"].items())
        reached, cells = summary["cells"]
        lines.append(f"  layers that ran, by phase: {phases}; {reached} of {cells} "
                     f"(layer, value of a parameter, phase) reached, {reached / max(1, cells):.1%}")
    if used and summary["not_used"]:
        lines.append("  not used yet: " + ", ".join(summary["not_used"]))
    for finding in summary["findings"]:
        first, *rest = finding_lines(finding)
        lines.append(f"  {first} ({finding['times']} time{'s' * (finding['times'] != 1)})")
        lines += ["  " + line for line in rest]
    new = len(counted(summary["findings"]))
    lines += _localised(summary.get("localised", {}))
    lines.append(f"  {new} distinct difference{'s' * (new != 1)}, {len(summary['findings']) - new} known")
    return "\n".join(lines)


def _localised(told: Plain) -> List[str]:
    """How sharp the localisation is, in the words of Audee and CRADLE."""
    lines = []
    if told.get("findings"):
        each = told["pairs"] / told["findings"]
        lines.append(f"  {told['pairs']} (layer, parameter) pairs are named for {told['findings']} "
                     f"differences of a layer, {each:.2f} each")
    if told.get("marked"):
        lines.append(f"  the rate of change marks {told['marked']} layers of those models; {told['wrong']} "
                     f"of them ({told['wrong'] / told['marked']:.1%}) do not differ by themselves")
    return lines


# --- SARIF ---------------------------------------------------------------------------------------------
def _sarif(documents: Sequence[Plain]) -> str:
    """Through the records and the renderer of `shapeflow check`."""
    import shapeflow.formats as formats
    from shapeflow.checker.findings import Record, Report

    reports = []
    for document in documents:
        records = []
        for finding in counted(document["findings"]):
            record = Record(finding["code"], name_of(finding["code"]), "warning", finding["message"])
            record.place = f"{document['title']}: layer '{finding['layer']}'"
            records.append(record)
        reports.append(Report(document["title"], records, int(bool(records))))
    return formats.render("sarif", reports, formats.RenderOptions()).rstrip("\n")


def name_of(code: str) -> str:
    from shapeflow import _core

    return next((name for number, name, *_ in _core.codes() if number == code), code)


# --- the page --------------------------------------------------------------------------------------------
def graph(document: Plain) -> Plain:
    """The model as a graph document (pictures/document.py): differences are its findings, and so are the
    layers whose rate of change is in the highest quarter."""
    from shapeflow._version import __version__

    nodes: List[Plain] = []
    numbers: Dict[str, int] = {}
    edges: List[Plain] = []

    def add(key: str, op: str, outputs: Sequence[Any]) -> None:
        numbers[key] = len(nodes)
        nodes.append({"name": key, "op": op, "group": None, "outputs": [_output(*item) for item in outputs],
                      "parameters": None, "flops": None, "device": "", "source": None,
                      "attrs": _attributes(document, key)})

    for node in document["nodes"]:
        for source in node["inputs"]:
            if source.startswith("input ") and source not in numbers:
                place = int(source.partition(" ")[2])
                given = document.get("inputs", [])
                add(source, "Input", [given[place] if place < len(given) else [[], ""]])
    for node in document["nodes"]:
        add(node["key"], node["class"], node["outputs"])
    for node in document["nodes"]:
        for place, source in enumerate(node["inputs"]):
            if source in numbers:
                edges.append({"from": numbers[source], "output": node["indices"][place],
                              "to": numbers[node["key"]], "input": place})
    high = _highest(document)
    findings = []
    for finding in document["findings"]:
        lines = [finding["message"], *(line.strip() for line in _reasons(finding))]
        if finding["layer"] in high:
            lines.append(high.pop(finding["layer"]))
        findings.append(_shown(numbers.get(finding["layer"]), finding["code"], "known" not in finding,
                               "\n".join(lines)))
    findings += [_shown(numbers.get(key), "SF708", False, words) for key, words in high.items()]
    return {"version": 2, "shapeflow": __version__, "script": document["title"], "title": document["title"],
            "collapsed": False, "files": [], "groups": [], "nodes": nodes, "edges": edges,
            "findings": findings, "runs": []}


def _output(shape: Sequence[int], dtype: str) -> Plain:
    words = f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
    width = re.search(r"\d+$", dtype)
    size = math.prod(shape) * int(width[0]) // 8 if width else None
    return {"shape": words if dtype else "<unknown>", "dtype": dtype, "bytes": size}


def _highest(document: Plain) -> Dict[str, str]:
    """{layer: what its rate of change is}, of the layers in the highest quarter."""
    made: Dict[str, str] = {}
    for label in suspected(document):
        for key, row in document["maps"][label].items():
            if row["high"]:
                words = f"in the highest quarter for {label} against {document['reference']}: " \
                    f"R = {row['rate']:.3g}"
                made[key] = f"{made[key]}; {words}" if key in made else words
    return made


def _attributes(document: Plain, key: str) -> Dict[str, str]:
    """Of a layer: a card shows the first ones, the panel all."""
    rows = {label: chart[key] for label, chart in document["maps"].items() if key in chart}
    made = {f"R {label}": f"{row['rate']:.3g}" for label, row in rows.items()}
    made.update({f"deviation {label} from {document['reference']}": f"{row['deviation']:.3g}"
                 for label, row in rows.items()})
    for pair in document["pairs"]:
        if document["ends"][pair["output"]] == key:
            made[f"{_metric(pair)} {pair['pair'][0]}, {pair['pair'][1]}"] = _distance(pair)
    return made


def _metric(pair: Plain) -> str:
    return "D_class" if pair["metric"] == "class" else "D_MAD"


def _distance(pair: Plain) -> str:
    """With the histogram over the samples, where any is not in its first bin: its pattern."""
    told = f"{pair['largest']:.3g} at most, {pair['share']:.0%} of the samples at the threshold or above"
    if any(pair["pattern"][1:]):
        told += f", histogram {' '.join(map(str, pair['pattern']))}"
    return told


def _shown(node: object, code: str, is_error: bool, message: str) -> Plain:
    return {"node": node, "code": code, "error": is_error, "message": message, "place": None,
            "operands": [], "chains": [], "fix": None}
