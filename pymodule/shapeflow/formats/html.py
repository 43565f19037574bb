"""One page that needs nothing else: findings with their source, light or dark as the reader's system is."""
from __future__ import annotations

from html import escape

import shapeflow.formats.afterword as afterword
import shapeflow.formats.snippet as snippet
import shapeflow.formats.view as view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence

    from shapeflow.checker.findings import Record, Report
    from shapeflow.formats import RenderOptions

_STYLE = """
:root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --code: #f6f8fa; --error: #b3261e; --warning: #8a5a00; --note: #0a5ca8; --help: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --back: #0f1419; --text: #dfe5ec; --soft: #9aa5b1;
  --line: #30363d; --code: #171d24; --error: #ff8a80; --warning: #ffc46b; --note: #7cc0ff;
  --help: #7ee2a0; } }
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif;
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
article { border: 1px solid var(--line); border-left: 4px solid var(--error); border-radius: 6px;
  padding: .8rem 1rem; margin: 1rem 0; }
article.warning { border-left-color: var(--warning); }
article.error, article.warning { color: var(--text); }
pre, code, .place { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font-size: .86rem; }
pre { background: var(--code); border-radius: 4px; padding: .6rem; overflow-x: auto; line-height: 1.35; }
.gutter, .place, .soft, .plain { color: var(--soft); }
.error, .primary { color: var(--error); } .warning { color: var(--warning); }
.operand, .note { color: var(--note); } .help { color: var(--help); } .kind { font-weight: 600; }
article.warning .primary { color: var(--warning); }
ul { list-style: none; padding: 0; margin: .4rem 0; } li { overflow-wrap: anywhere; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .2rem 1rem .2rem 0; }
del { color: var(--error); text-decoration: none; } ins { color: var(--help); text-decoration: none; }
figure { margin: .6rem 0; overflow-x: auto; } figure svg { max-width: 100%; height: auto; }
"""


def _span(style: str, text: str) -> str:
    return f'<span class="{style}">{escape(text)}</span>' if text else ""


def _snippet(record: Record, options: RenderOptions) -> str:
    lines = snippet.layout(view.marks(record), options.width, record.primary)
    gutter = max((len(str(line.number)) for line in lines if line.number is not None), default=0)
    out = []
    for line in lines:
        number = "" if line.number is None else str(line.number)
        pieces = "".join(_span(style, text) for style, text in line.pieces)
        out.append(f'<span class="gutter">{number.rjust(gutter)} |</span> {pieces}')
    return f"<pre>{chr(10).join(out)}</pre>" if out else ""


def _note(note: view.Note) -> str:
    style = {"note": "note", "help": "help"}.get(note.kind, "soft")
    text = f'<span class="kind {style}">{escape(note.kind)}:</span> '
    if "\n" in note.text:
        return f"<li>{text}<pre>{escape(note.text)}</pre></li>"
    text += escape(note.text)
    if note.span is not None:
        text += (f' <span class="place">{escape(view.location(note.span))}</span> '
                 f"<code>{escape(view.source_of(note.span))}</code>")
    return f"<li>{text}</li>"


def _diff(text: str) -> str:
    lines = []
    for line in text.splitlines():
        tag = {"+": "ins", "-": "del"}.get(line[:1])
        lines.append(f"<{tag}>{escape(line)}</{tag}>" if tag else escape(line))
    return f"<pre>{chr(10).join(lines)}</pre>"


def _picture(record: Record, number: int) -> str:
    """The neighbourhood of the failing op."""
    if not record.nearby:
        return ""
    import shapeflow.pictures.neighbourhood as neighbourhood

    try:
        drawn = neighbourhood.render(record, number, style=False)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        return ""  # a finding without its picture is still one
    return f"<figure>{drawn}</figure>"


def _picture_style(reports: Sequence[Report]) -> str:
    if not any(record.nearby for report in reports for record in view.shown(report)):
        return ""
    import shapeflow.pictures.drawing as drawing

    return drawing.STYLE


def _article(record: Record, options: RenderOptions, number: int) -> str:
    operands = "".join(f"<li><code>{escape(line)}</code></li>" for line in view.operand_lines(record))
    notes = "".join(_note(note) for note in view.notes(record))
    fixes = "".join(_diff(fix["diff"]) for fix in record.fixes if fix["diff"])
    return "\n".join([
        f'<article class="{record.severity}">',
        f'<h3><span class="{record.severity}">{record.severity}[{escape(record.code)}]</span> '
        f"{escape(view.title(record))}</h3>",
        f'<div class="place">{escape(view.place(record))}</div>',
        _snippet(record, options), _picture(record, number), f"<ul>{operands}{notes}</ul>", fixes,
        "</article>",
    ])


def _section(report: Report, options: RenderOptions, first: int) -> List[str]:
    parts = [f"<h2>{escape(report.script)}</h2>",
             f'<p class="soft">{escape(afterword.summary(report).partition(": ")[2])}</p>']
    parts += [f'<p class="warning">{escape(line)}</p>' for line in afterword.endings(report)]
    return parts + [_article(record, options, first + place)
                    for place, record in enumerate(view.shown(report))]


def _totals(reports: Sequence[Report]) -> str:
    rows = "".join(
        f"<tr><td>{escape(report.script)}</td><td>{len(report.of('error'))}</td>"
        f"<td>{len(report.of('warning'))}</td><td>{escape(report.ended)}</td></tr>"
        for report in reports)
    return ("<table><thead><tr><th>script</th><th>errors</th><th>warnings</th><th>ended</th></tr>"
            f"</thead><tbody>{rows}</tbody></table>")


def render(reports: Sequence[Report], options: RenderOptions) -> str:
    from shapeflow._version import __version__

    notices = "".join(f"<li>{escape(line.partition(': ')[2])}</li>"
                      for line in afterword.notices(reports))
    parts = ["<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
             '<meta name="viewport" content="width=device-width, initial-scale=1">',
             "<title>ShapeFlow report</title>", f"<style>{_STYLE}{_picture_style(reports)}</style>",
             "</head>", "<body>",
             "<h1>ShapeFlow report</h1>", _totals(reports)]
    number = 0
    for report in reports:
        parts += _section(report, options, number)
        number += len(view.shown(report))
    if notices:
        parts.append(f"<h2>Assumed</h2><ul>{notices}</ul>")
    parts += [f'<p class="soft">shapeflow {escape(__version__)}</p>', "</body>", "</html>"]
    return "\n".join(parts) + "\n"
