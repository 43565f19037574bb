"""The document of `shapeflow summary` as text for a terminal, as Markdown, and as a page of HTML."""
from __future__ import annotations

from html import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    Plain = Dict[str, Any]

_NAME = 46
_OUTPUT = 44
HEADS = ("layer", "output shape", "parameters", "%", "not trained", "FLOPs", "%", "activations",
         "at the peak")
_GRAPH_HEADS = ("scope", *HEADS[1:])
_RIGHT = (False, False, True, True, True, True, True, True, True)


# --- words ----------------------------------------------------------------------------------------
def number(value: Optional[float]) -> str:
    return "?" if value is None else f"{int(value):,}"


def magnitude(value: Optional[float]) -> str:
    """1234567 is 1.23 M: three digits are what anybody compares."""
    if value is None:
        return "?"
    for factor, unit in ((1e15, " P"), (1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= factor * 0.9995:
            scaled = value / factor
            return f"{scaled:.3g}{unit}" if scaled < 999.5 else f"{scaled:.0f}{unit}"
    return f"{value:.0f}"


def size(value: Optional[float]) -> str:
    if value is None:
        return "?"
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            return f"{value:.0f} B" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return ""


def share(value: Optional[float]) -> str:
    return "" if value is None else f"{value * 100:.1f}"


def shapes(outputs: Sequence[str]) -> str:
    more = len(outputs) - 2
    return ", ".join(outputs[:2]) + (f" and {more} more" if more > 0 else "")


def _name(item: Plain) -> str:
    return f"{item['name']} ({item['kind']})" if item["kind"] else str(item["name"])


def _shortened(text: str, most: int) -> str:
    """Without what moves a cursor; the middle of what is too long is left out."""
    from shapeflow.formats.view import printable

    text = printable(text)
    return text if len(text) <= most else text[:most - 13] + "…" + text[-12:]


def cells(item: Plain) -> Tuple[str, ...]:
    """One row. What a nested layer has is in its model's row as well: no shares of it."""
    known = item["parameters"] is None or item["parameters"] > 0
    unasked = item["flops"] is None and item["depth"] > 0
    return (_name(item), shapes(item["outputs"]), number(item["parameters"]),
            share(item["share"]) if known and item["depth"] == 0 else "",
            number(item["not_trainable"]) if item["not_trainable"] != 0 else "",
            "" if unasked else magnitude(item["flops"]),
            share(item["flops_share"]) if item["flops"] and item["depth"] == 0 else "",
            "" if unasked else size(item["bytes"]) if item["bytes"] != 0 else "",
            *_held(item))


def _held(item: Plain) -> Tuple[str, ...]:
    """The last column, which is only there where it was asked for."""
    return () if item["held"] is None else (size(item["held"]),)


def _at_least(table: Plain, key: str, show: Any) -> str:
    """The total; where a part of it is not known the rest, and a question mark."""
    if table["total"][key] is not None:
        return str(show(table["total"][key]))
    known = sum(item[key] or 0 for item in table["rows"] if item["depth"] == 0)
    return f"{show(known)} + ?" if known else "?"


def total_cells(table: Plain) -> Tuple[str, ...]:
    return ("total", "", _at_least(table, "parameters", number), "",
            _at_least(table, "not_trainable", number), _at_least(table, "flops", magnitude), "",
            _at_least(table, "bytes", size), *_held(table["total"]))


def heads(table: Plain) -> Tuple[str, ...]:
    found = _GRAPH_HEADS if table["kind"] in ("graph", "variables") else HEADS
    return found[:-1] if table["total"]["held"] is None else found


def sentence(table: Plain) -> str:
    total = table["total"]
    if total["parameters"] is None:
        text = f"{_at_least(table, 'parameters', number)} parameters: not all shapes are known"
    else:
        text = (f"{number(total['parameters'])} parameters ({size(total['parameter_bytes'])}): "
                f"{number(total['trainable'])} trainable, {number(total['not_trainable'])} not")
    if total["optimizer_parameters"]:
        text += f"; {number(total['optimizer_parameters'])} more of the optimizer"
    return text


def footnote(document: Plain) -> str:
    """What the numbers mean; nothing where there are none."""
    if all(table["total"]["flops"] is None for table in document["tables"]):
        return ""
    return ("FLOPs and activations: one forward pass of one example (each dim that is not known is taken as "
            f"{document['assumed']}); a multiply-add is two FLOPs; activations are the bytes of the outputs.")


_HOLDS = {"session.run": "A scope holds its variables, slots, activations and gradients",
          "eager code": "A layer holds its activations and gradients"}


def memory(document: Plain) -> List[str]:
    """What the largest step holds, and a line for each GPU that was asked about."""
    import shapeflow.pictures.memory_text as memory_text

    found = document["memory"]
    if found is None:
        return []
    parts = ", ".join(f"{name} {size(count)}" for name, count in found["parts"].items() if count)
    return [f"The largest step ({found['of']}) holds {'at least ' if found['at_least'] else ''}"
            f"{size(found['peak'])} at its peak: {parts}. {_HOLDS[found['of']]}.",
            *map(_plain, memory_text.fits(found))]


def _plain(text: str) -> str:
    return _shortened(text, 400)


def left_out(document: Plain) -> str:
    more = document["tables_left_out"]
    return f"and {more} more table{'s' * (more > 1)}" if more else ""


# --- a terminal -----------------------------------------------------------------------------------
def _drop_empty(rows: List[Tuple[str, ...]], right: Sequence[bool]
                ) -> Tuple[List[Tuple[str, ...]], List[bool]]:
    """Without columns that say nothing: a graph's variables have no FLOPs."""
    kept = [i for i in range(len(rows[0])) if i < 3 or any(row[i] not in ("", "?") for row in rows[1:])]
    return [tuple(row[i] for i in kept) for row in rows], [right[i] for i in kept]


def lines_of(table: Plain) -> Tuple[List[Tuple[str, ...]], List[bool]]:
    """Heads, rows and totals as short cells, and which columns stand to the right."""
    found = [heads(table)]
    for item in table["rows"]:
        first, second, *rest = cells(item)
        indent = "  " * item["depth"]
        found.append((indent + _shortened(first, _NAME - len(indent)), _shortened(second, _OUTPUT), *rest))
    return _drop_empty([*found, total_cells(table)], _RIGHT)


def _fitted(rows: List[Tuple[str, ...]], right: List[bool], width: int
            ) -> Tuple[List[Tuple[str, ...]], List[bool], List[int]]:
    """Without the columns that matter least, until `width` holds the rest; with the columns' widths."""
    def widths() -> List[int]:
        return [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]

    for least in ("%", "%", "activations", "not trained"):
        if sum(widths()) + 2 * len(rows[0]) - 2 <= width or least not in rows[0]:
            continue
        last = max(i for i, head in enumerate(rows[0]) if head == least)
        rows = [row[:last] + row[last + 1:] for row in rows]
        right = right[:last] + right[last + 1:]
    return rows, right, widths()


def text(document: Plain, width: int = 120, colour: bool = False) -> str:
    """For a terminal of that width."""
    bold, dim, plain = ("\x1b[1m", "\x1b[2m", "\x1b[0m") if colour else ("", "", "")
    parts = []
    for table in document["tables"]:
        rows, right, widths = _fitted(*lines_of(table), width)
        rule = dim + "─" * (sum(widths) + 2 * len(widths) - 2) + plain
        printed = ["  ".join(cell.rjust(wide) if on else cell.ljust(wide)
                             for cell, wide, on in zip(row, widths, right)).rstrip() for row in rows]
        parts.append("\n".join([bold + _shortened(_title(table), 100) + plain, printed[0], rule,
                                *printed[1:-1], rule, bold + printed[-1] + plain, sentence(table)]))
    import textwrap

    parts += [textwrap.fill(words, max(width, 40))
              for words in (left_out(document), *memory(document), footnote(document))]
    return "\n\n".join(filter(None, parts))


def _title(table: Plain) -> str:
    return f"Model: {table['name']}" if table["kind"] == "model" else table["name"][:1].upper() + \
        table["name"][1:]


# --- Markdown -------------------------------------------------------------------------------------
def _escaped(text: str, most: int = 200) -> str:
    """As plain text in a cell: nothing of it is markup."""
    text = escape(_shortened(text, most), quote=False)
    for sign in "\\`*_[]|~#":
        text = text.replace(sign, "\\" + sign)
    return text


def markdown(document: Plain) -> str:
    parts = [f"# Summary of {_escaped(document['script'])}"]
    for table in document["tables"]:
        found = [heads(table)]
        for item in table["rows"]:
            first, *rest = cells(item)
            found.append(("↳ " * item["depth"] + first, *rest))
        rows, right = _drop_empty([*found, total_cells(table)], _RIGHT)
        lines = ["| " + " | ".join(map(_escaped, row)) + " |" for row in rows]
        lines[-1] = "| " + " | ".join(f"**{_escaped(c)}**" if c else "" for c in rows[-1]) + " |"
        rule = "|" + "|".join("---:" if on else ":---" for on in right) + "|"
        parts += [f"## {_escaped(_title(table))}", "\n".join([lines[0], rule, *lines[1:]]),
                  _escaped(sentence(table)) + "."]
    parts += [words for words in (left_out(document), *(_escaped(line, 400) for line in memory(document)),
                                  footnote(document)) if words]
    return "\n\n".join(parts)


# --- HTML -----------------------------------------------------------------------------------------
_STYLE = """
:root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --bar: #dbe9f9; --head: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --back: #0f1419; --text: #dfe5ec; --soft: #9aa5b1;
  --line: #30363d; --bar: #1d3557; --head: #171d24; } }
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif;
  max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.2rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { background: var(--head); font-weight: 600; border-bottom: 2px solid var(--line); }
th, td { text-align: left; padding: .3rem .7rem; white-space: nowrap; }
td { border-bottom: 1px solid var(--line); } tfoot td { font-weight: 600; border-bottom: 0; }
td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; }
td.shape { white-space: normal; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font-size: .86rem; }
.right { text-align: right; } .soft { color: var(--soft); } .kind { color: var(--soft); }
.bar { background: linear-gradient(to left, var(--bar) var(--part), transparent var(--part)); }
"""


def _html_row(item: Plain) -> str:
    first, shape, *rest = cells(item)
    kind = f' <span class="kind">{escape(item["kind"])}</span>' if item["kind"] else ""
    indent = f' style="padding-left: {0.7 + 1.4 * item["depth"]:.1f}rem"' if item["depth"] else ""
    out = [f"<td{indent}>{escape(item['name'])}{kind}</td>", f'<td class="shape">{escape(shape)}</td>']
    for place, cell in enumerate(rest, 2):
        part = {3: item["share"], 6: item["flops_share"]}.get(place) if cell else None
        bar = f' bar" style="--part: {min(part, 1) * 100:.1f}%' if part else ""
        out.append(f'<td class="right{bar}">{escape(cell)}</td>')
    return f"<tr>{''.join(out)}</tr>"


def html(document: Plain) -> str:
    parts = ["<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
             '<meta name="viewport" content="width=device-width, initial-scale=1">',
             f"<title>Summary of {escape(document['script'])}</title>", f"<style>{_STYLE}</style>",
             "</head>", "<body>", f"<h1>Summary of {escape(document['script'])}</h1>"]
    for table in document["tables"]:
        head = "".join(f'<th scope="col"{" class=right" if on else ""}>{escape(words)}</th>'
                       for words, on in zip(heads(table), _RIGHT))
        foot = "".join(f'<td{" class=right" if on else ""}>{escape(words)}</td>'
                       for words, on in zip(total_cells(table), _RIGHT))
        parts += [f"<h2>{escape(_title(table))}</h2>", '<div class="scroll"><table>',
                  f"<thead><tr>{head}</tr></thead>", "<tbody>", *map(_html_row, table["rows"]), "</tbody>",
                  f"<tfoot><tr>{foot}</tr></tfoot>", "</table></div>",
                  f'<p class="soft">{escape(sentence(table))}.</p>']
    parts += [f'<p class="soft">{escape(words)}</p>'
              for words in (left_out(document), *memory(document), footnote(document)) if words]
    parts += [f'<p class="soft">shapeflow {escape(document["shapeflow"])}</p>', "</body>", "</html>"]
    return "\n".join(parts)
