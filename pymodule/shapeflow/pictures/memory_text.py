"""The document of `shapeflow memory` as text, Markdown, JSON and a page with the time line."""
from __future__ import annotations

from html import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence

    Plain = Dict[str, Any]

WIDTH, HEIGHT = 900, 220  # of the time line
_MOST_SHARES = 10  # lines, and scopes, that are shown


def size(count: float) -> str:
    """1,536 as "1.5 KiB"."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(count) < 1024 or unit == "GiB":
            return f"{count:,.0f} {unit}" if unit == "B" else f"{count:,.1f} {unit}"
        count /= 1024
    return ""


def _amount(value: float, unit: str) -> str:
    for prefix, factor in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= factor:
            return f"{value / factor:,.1f} {prefix}{unit}"
    return f"{value:,.0f} {unit}"


def _place(line: Any) -> str:
    return f"{line[0]}:{line[1]}" if line else ""


def _least(document: Plain) -> str:
    """Before a number of bytes: something may have no known size."""
    return "at least " if document["at_least"] else ""


def _head(document: Plain) -> str:
    at = document["at"]
    what = f"the gradient of {at['node']}" if at["backward"] else at["node"]
    return (f"peak {_least(document)}{size(document['peak'])} while {what} is computed "
            f"(moment {at['moment'] + 1} of {at['of']})")


def fits(document: Plain) -> List[str]:
    """A line for each GPU: whether the step fits, its largest batch, the least time."""
    lines = []
    is_bound = document["at_least"]
    for device in document["devices"]:
        words = "DOES NOT FIT" if not device["fits"] else "fits as far as is known" if is_bound else "fits"
        line = (f"{device['title']}: {words}, {_least(document)}{size(device['needed'])} of "
                f"{size(device['usable'])} that TensorFlow may use (workspace of convolutions included, an "
                "estimate)")
        if device["largest_batch"] is not None:
            line += f"; largest batch {'at most ' if is_bound else ''}{device['largest_batch']:,}"
        line += (f"; a step takes {device['seconds_at_least'] * 1e3:,.2f} ms or more, "
                 f"bound by {device['bound_by']} (roofline of the data sheet, an estimate)")
        lines.append(line)
    return lines


def _facts(document: Plain) -> List[str]:
    batch, flops, moved = document["batch"], document["flops"], document["moved"]
    lines = []
    if batch is None:
        lines.append("batch: no axis of the feeds is open, or another size does not go through")
    else:
        lines.append(f"batch {batch['size']:,}: peak = {_least(document)}{batch['each']:,.0f} * batch + "
                     f"{batch['fixed']:,.0f} bytes")
    if document["workspace"]:
        lines.append(f"workspace of convolutions: {size(document['workspace'])}, an estimate, "
                     "not in the peak")
    intensity = f"{flops / moved:,.1f} FLOP/byte" if moved else "nothing moved"
    lines.append(f"cost of the step: {_least(document)}{_amount(flops, 'FLOP')}, {size(moved)} "
                 f"moved, {intensity}")
    return lines + fits(document)


def _share_rows(document: Plain, kind: str) -> List[List[str]]:
    """Of lines or scopes, those that cost most."""
    rows = []
    for row in document[kind][:_MOST_SHARES]:
        time = f"{row['seconds_at_least'] * 1e3:,.3f} ms" if "seconds_at_least" in row else ""
        rows.append([size(row["held"]), _amount(row["flops"], "FLOP"), size(row["moved"]),
                     f"{row['intensity']:,.1f} FLOP/byte", time, row["name"]])
    return rows


def _share_heads(document: Plain) -> List[str]:
    time = f"roofline, {document['devices'][0]['title']} (estimate)" if document["devices"] else ""
    return ["at the peak", "arithmetic", "moved", "intensity", time]


def _placed_rows(document: Plain) -> List[List[str]]:
    return [[row["device"], _least(row) + size(row["peak"]),
             ", ".join(f"{name} {size(count)}" for name, count in row["parts"].items() if count)]
            for row in document["placed"]]


def _copy_rows(document: Plain) -> List[List[str]]:
    return [[size(row["bytes"]), size(row["gradient"]), row["tensor"],
             f"{row['from'].rpartition('device:')[2]} -> {row['to'].rpartition('device:')[2]}", row["line"]]
            for row in document["copies"]]


def _copied(document: Plain) -> str:
    most = document["copy_lines"][0]
    return (f"copies between devices: {size(document['copied'])} a step, most of {most[0]} "
            f"({size(most[1])})")


_COPY_HEADS = ["bytes", "gradient back", "tensor", "from, to", "line"]


def text(document: Plain) -> str:
    lines = [f"{document['script']}: {_head(document)}", ""]
    lines += [f"  {name:<16}{size(count):>12}" for name, count in document["parts"].items() if count]
    lines += ["", "  the largest tensors at the peak:"]
    lines += [f"  {size(row['bytes']):>12}  {row['kind']:<16}{row['node']}:{row['output']}  "
              f"{_place(row['line'])}" for row in document["largest"]]
    for kind in ("lines", "scopes"):
        heads = [*_share_heads(document), kind]
        rows = [[*heads[:4], "estimate" if heads[4] else "", kind], *_share_rows(document, kind)]
        lines += ["", *("  " + "".join(f"{cell:>18}" for cell in row[:4]) + f"{row[4]:>14}  {row[5]}".rstrip()
                        for row in rows)]
    if document["placed"]:
        lines += ["", "  on each device, at its own peak:"]
        lines += [f"  {held:>12}  {name}  {parts}".rstrip() for name, held, parts in _placed_rows(document)]
    if document["copies"]:
        lines += ["", f"  {_copied(document)}"]
        lines += ["  " + "".join(f"{cell:>14}" for cell in row[:2]) + "  " + "  ".join(row[2:])
                  for row in [_COPY_HEADS, *_copy_rows(document)]]
    return "\n".join([*lines, "", *("  " + line for line in _facts(document))])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> List[str]:
    return ["| " + " | ".join(row) + " |" for row in (heads, ["---"] * len(heads), *rows)]


def _rows(document: Plain) -> List[List[str]]:
    return [[size(row["bytes"]), row["kind"], f"{row['node']}:{row['output']}", _place(row["line"])]
            for row in document["largest"]]


def markdown(document: Plain) -> str:
    parts = [[name, size(count)] for name, count in document["parts"].items() if count]
    return "\n".join([
        f"# Memory of {document['script']}", "", _head(document), "", *_table(["part", "bytes"], parts), "",
        *_table(["bytes", "kind", "tensor", "line"], _rows(document)), "",
        *(row for kind in ("lines", "scopes")
          for row in [*_table([*_share_heads(document), kind], _share_rows(document, kind)), ""]),
        *([*_table(["device", "peak", "parts"], _placed_rows(document)), ""] if document["placed"] else []),
        *([_copied(document), "", *_table(_COPY_HEADS, _copy_rows(document)), ""]
          if document["copies"] else []),
        *(f"- {line}" for line in _facts(document))])


_COLOURS = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#9d755d", "#e45756", "#72b7b2", "#eeca3b", "#ff9da6",
            "#bab0ac")
_LEGEND = 170  # pixels right of the time line


def _layer(name: str, colour: str, below: List[int], held: List[int], peak: int) -> str:
    """A scope's share as a staircase on top of those below it."""
    step = WIDTH / max(len(held), 1)

    def edge(columns: Sequence[int], heights: List[int]) -> List[str]:
        return [f"{x * step:.1f},{HEIGHT - HEIGHT * heights[i] / peak:.1f}"
                for i in columns for x in ((i, i + 1) if columns[0] == 0 else (i + 1, i))]

    top = [a + b for a, b in zip(below, held)]
    points = " ".join(edge(range(len(held)), top) + edge(range(len(held) - 1, -1, -1), below))
    return f'<polygon points="{points}" fill="{colour}"><title>{escape(name)}</title></polygon>'


def timeline(document: Plain) -> str:
    """The moments of the step as an SVG, stacked by scope, the peak marked."""
    peak = max(document["peak"], 1)
    step = WIDTH / max(len(document["moments"]), 1)
    at = (document["at"]["moment"] // document["width"] + 0.5) * step
    below, layers, legend = [0] * len(document["moments"]), "", ""
    shown = [(name or "(no scope)", held) for name, held in document["stack"].items() if any(held)]
    for i, (name, held) in enumerate(shown):
        layers += _layer(name, _COLOURS[i % len(_COLOURS)], below, held, peak)
        below = [a + b for a, b in zip(below, held)]
        legend += (f'<rect x="{WIDTH + 12}" y="{20 * i}" width="12" height="12" '
                   f'fill="{_COLOURS[i % len(_COLOURS)]}"/><text x="{WIDTH + 30}" y="{20 * i + 11}" '
                   f'font-size="12" fill="currentColor">{escape(name[:20])}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -20 {WIDTH + _LEGEND} {HEIGHT + 24}" '
            f'role="img" aria-label="{escape(_head(document), quote=True)}">{layers}{legend}'
            f'<line x1="{at:.1f}" y1="0" x2="{at:.1f}" y2="{HEIGHT}" stroke="#c0392b"/>'
            f'<text x="{min(at + 4, WIDTH - 120):.1f}" y="-6" font-size="12" fill="#c0392b">'
            f'{escape(size(document["peak"]))}</text></svg>')


def html(document: Plain) -> str:
    def table(rows: Sequence[Sequence[str]]) -> str:
        return "<table>" + "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
                                   for row in rows) + "</table>"

    parts = [[name, size(count)] for name, count in document["parts"].items() if count]
    facts = "".join(f"<li>{escape(line)}</li>" for line in _facts(document))
    name = escape(document["script"])
    return (f"<!doctype html><html lang='en'><meta charset='utf-8'><title>Memory of {name}"
            "</title><style>body{font:14px system-ui;margin:2em;max-width:60em}td{padding:2px 12px 2px 0}"
            f"</style><h1>Memory of {name}</h1><p>{escape(_head(document))}</p>"
            f"{timeline(document)}{table(parts)}<h2>The largest tensors at the peak</h2>"
            f"{table(_rows(document))}"
            f"<h2>By line</h2>{table([[*_share_heads(document), 'line'], *_share_rows(document, 'lines')])}"
            f"<h2>By scope</h2>"
            f"{table([[*_share_heads(document), 'scope'], *_share_rows(document, 'scopes')])}"
            + (f"<h2>By device</h2>{table(_placed_rows(document))}" if document["placed"] else "")
            + (f"<h2>Copies</h2><p>{escape(_copied(document))}</p>"
               f"{table([_COPY_HEADS, *_copy_rows(document)])}" if document["copies"] else "")
            + f"<ul>{facts}</ul></html>")


def rendered(document: Plain, format: str) -> str:
    if format == "json":
        import json

        return json.dumps(document, indent=1)
    return {"md": markdown, "html": html, "text": text}[format](document)
