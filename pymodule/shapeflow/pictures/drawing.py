"""What all our pictures share: text that XML can hold, how wide it is, colours for light and dark, curves."""
from __future__ import annotations

import math
import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    Point = Tuple[float, float]

LONGEST_TITLE = 1000
_OPERANDS, _OPERAND = 4, 48  # that a box shows, and characters of each
_NOTES = 4
_ATTRS = 36  # characters of attributes in a line
_WIDE, _NARROW = frozenset("mwMW@%—"), frozenset("iljtfrI.,:;'|!()[]{}/\\ ")

# Classes begin with sf-, so that a picture inside a page changes nothing of the page.
STYLE = """
.sf-picture { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
.sf-mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.sf-back { fill: #ffffff; } .sf-text { fill: #1b1f24; } .sf-soft { fill: #57606a; }
.sf-strong { font-weight: 600; }
.sf-node { fill: #ffffff; stroke: #8c959f; stroke-width: 1; } .sf-variable { fill: #eaf2fd; stroke: #6a9bd8; }
.sf-guilty { fill: #ffebe9; stroke: #c62828; stroke-width: 2.5; }
.sf-chain { fill: #fff4e5; stroke: #d9730d; stroke-width: 1.8; }
.sf-error { fill: #b3261e; } .sf-warning { fill: #8a5a00; } .sf-badge { fill: #d9730d; }
.sf-badge-text { fill: #ffffff; font-weight: 600; }
.sf-edge { fill: none; stroke: #8c959f; } .sf-control { stroke-dasharray: 4 3; }
.sf-edge-chain { fill: none; stroke: #d9730d; } .sf-edge-guilty { fill: none; stroke: #c62828; }
.sf-head { fill: #8c959f; } .sf-head-chain { fill: #d9730d; } .sf-head-guilty { fill: #c62828; }
.sf-scope { fill: #f3f5f8; stroke: #c5ccd4; } .sf-function { fill: #e8effb; stroke: #8fb0e0; }
.sf-while { fill: #fdf2de; stroke: #d9ab55; stroke-dasharray: 6 4; }
.sf-cond { fill: #e8f4e8; stroke: #7fb685; stroke-dasharray: 6 4; }
.sf-device-0 { fill: #3b82c4; } .sf-device-1 { fill: #4a9c5d; } .sf-device-2 { fill: #c98a1b; }
.sf-device-3 { fill: #8a5cc2; } .sf-device-4 { fill: #2a9d9d; } .sf-device-5 { fill: #a85a6b; }
.sf-box { fill: #f6f8fa; stroke: #8c959f; } .sf-under { stroke: #57606a; stroke-width: 1.5; fill: none; }
.sf-under-guilty { stroke: #c62828; stroke-width: 2.5; fill: none; }
@media (prefers-color-scheme: dark) {
.sf-back { fill: #0f1419; } .sf-text { fill: #dfe5ec; } .sf-soft { fill: #9aa5b1; }
.sf-node { fill: #1a212a; stroke: #566170; } .sf-variable { fill: #16283d; stroke: #4f7fb8; }
.sf-guilty { fill: #3d1a1a; stroke: #ff8a80; } .sf-chain { fill: #35260f; stroke: #f0a04b; }
.sf-error { fill: #ff8a80; } .sf-warning { fill: #ffc46b; } .sf-badge { fill: #f0a04b; }
.sf-badge-text { fill: #0f1419; }
.sf-edge { stroke: #6b7683; } .sf-edge-chain { stroke: #f0a04b; } .sf-edge-guilty { stroke: #ff8a80; }
.sf-head { fill: #6b7683; } .sf-head-chain { fill: #f0a04b; } .sf-head-guilty { fill: #ff8a80; }
.sf-scope { fill: #151b22; stroke: #333d48; } .sf-function { fill: #14202f; stroke: #3d5a82; }
.sf-while { fill: #261f12; stroke: #8a6d33; } .sf-cond { fill: #14231a; stroke: #47724d; }
.sf-box { fill: #1a212a; stroke: #566170; } .sf-under { stroke: #9aa5b1; }
.sf-under-guilty { stroke: #ff8a80; } }
"""


def clean(text: str) -> str:
    """Text of an element or attribute: nothing of it is markup, nothing that XML forbids."""
    made = []
    for char in text:
        code = ord(char)
        if char == "&":
            made.append("&amp;")
        elif char == "<":
            made.append("&lt;")
        elif char == ">":
            made.append("&gt;")
        elif char == '"':
            made.append("&quot;")
        elif code < 32 and char not in "\t\n" or 127 <= code < 160 or 0xD800 <= code < 0xE000 \
                or code & 0xFFFE == 0xFFFE or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069:
            made.append("\N{REPLACEMENT CHARACTER}")
        else:
            made.append(char)
    return "".join(made)


def shortened(text: str, most: int) -> str:
    """On one line; of what is too long the middle goes."""
    text = " ".join(text[:4 * most].split()) + text[4 * most:]
    if len(text) <= most:
        return text
    tail = most // 3
    return text[:most - tail - 1] + "…" + text[-tail:]


def width(text: str, size: float, mono: bool = False) -> float:
    """About how wide a text of that font size is: no font is at hand."""
    total = 0.0
    for char in text:
        if ord(char) > 0x2E7F or unicodedata.combining(char):
            total += 0.0 if unicodedata.combining(char) else 1.0
        elif mono:
            total += 0.61
        else:
            total += 0.36 if char in _NARROW else 0.92 if char in _WIDE else 0.68 if char.isupper() else 0.59
    return total * size


def drawn_width(words: str, size: float, kind: str) -> float:
    """Of text of that class: strong and monospaced letters are wider."""
    return width(words, size, "sf-mono" in kind) * (1.1 if "sf-strong" in kind else 1.0)


def operand_spans(finding: Dict[str, Any]) -> List[List[Tuple[str, bool]]]:
    """`shape (2,) = [-1, 3136]`: what the operation that fails was given, for its box; a line in pieces, with
    whether they are dims that are wrong."""
    found = []
    for operand in finding["operands"][:_OPERANDS]:
        value = f" = {operand['value']}" if operand.get("value") else ""
        name = operand.get("expression") or operand["name"]
        shape, axes = operand["shape"], operand.get("axes", ())
        line = f"{name} {shape}{value}"
        if not axes or len(line) > _OPERAND or not shape.startswith("("):
            found.append([(shortened(line, _OPERAND), False)])
            continue
        dims = shape.strip("(),").split(", ")
        wrong = {axis % len(dims) for axis in axes}
        spans = [(f"{name} (", False)]
        for place, dim in enumerate(dims):
            spans += [(", ", False)] * bool(place) + [(dim, place in wrong)]
        found.append([*spans, (("," if len(dims) == 1 else "") + ")" + value, False)])
    return found


def operand_lines(finding: Dict[str, object]) -> List[str]:
    return ["".join(words for words, _ in spans) for spans in operand_spans(finding)]


def spans_text(spans: Sequence[Tuple[str, bool]], x: float, y: float, size: float) -> str:
    """A line round `x`, of which some pieces are red."""
    made = "".join(f'<tspan class="sf-error sf-strong">{clean(words)}</tspan>' if guilty else
                   f"<tspan>{clean(words)}</tspan>" for words, guilty in spans)
    return f'<text class="sf-mono sf-text" x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" ' \
        f'text-anchor="middle" xml:space="preserve">{made}</text>'


def attr_lines(node: Dict[str, Any]) -> List[str]:
    """`padding VALID  strides [1, 2, 2, 1]`, in few lines."""
    found: List[str] = []
    for name, value in node.get("attrs", {}).items():
        words = shortened(f"{name} {value}", _ATTRS)
        if found and len(found[-1]) + 3 + len(words) <= _ATTRS:
            found[-1] += "   " + words
        elif len(found) < 2:
            found.append(words)
    return found


def source(document: Dict[str, Any], place: Optional[Dict[str, Any]]) -> str:
    """`train.py:12` and the line itself."""
    if place is None:
        return ""
    file = document["files"][place["file"]]
    code = file["lines"].get(str(place["line"]), "").strip()
    return f"{file['path']}:{place['line']}" + (f"    {code}" if code else "")


def lines_of_finding(document: Dict[str, Any]) -> List[str]:
    """Where the first finding is, and where its sizes came from."""
    first = next(iter(document["findings"]), None)
    if first is None or first["place"] is None:
        return []
    notes = [note for note in first.get("notes", ()) if note["place"] is not None][:_NOTES]
    places = [("at", first["place"]), *((note["text"], note["place"]) for note in notes)]
    return [f"{words} {source(document, place)}" for words, place in places]


def wrapped(text: str, most: int, lines: int) -> List[str]:
    """At most so many lines of so many characters; the last ends in an ellipsis when there is more."""
    import textwrap

    text = " ".join(text[:most * (lines + 2)].split())
    found = textwrap.wrap(text, most) or [""]
    if len(found) > lines:
        found = [*found[:lines - 1], shortened(found[lines - 1] + "…", most)]
    return found


def text(words: str, x: float, y: float, size: float, kind: str = "sf-text", anchor: str = "start") -> str:
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" font-size="{size:g}"{where}>{clean(words)}</text>'


def rect(x: float, y: float, wide: float, high: float, kind: str, round: float = 5.0) -> str:
    return (f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" '
            f'rx="{round:g}"/>')


def title(words: str) -> str:
    return f"<title>{clean(words if len(words) <= LONGEST_TITLE else words[:LONGEST_TITLE] + '…')}</title>"


def badge(number: int, x: float, y: float) -> str:
    return (f'<circle class="sf-badge" cx="{x:.1f}" cy="{y:.1f}" r="9"/>'
            + text(str(number), x, y + 3.8, 11, "sf-badge-text", "middle"))


def thickness(size: Optional[float]) -> float:
    """Of an edge that carries so many bytes: twice as many is a little thicker."""
    return 1.1 if not size else min(6.0, 1.1 + math.log2(1 + size / 1024) / 4)


def curve(points: Sequence[Point]) -> str:
    """A smooth line through the points that leaves and enters each vertically."""
    (x, y), rest = points[0], points[1:]
    parts = [f"M{x:.1f} {y:.1f}"]
    for to_x, to_y in rest:
        if abs(to_x - x) < 0.5:
            parts.append(f"L{to_x:.1f} {to_y:.1f}")
        else:
            middle = (y + to_y) / 2
            parts.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    return "".join(parts)


def head(points: Sequence[Point], kind: str) -> str:
    """The tip of an arrow at the last point."""
    x, y = points[-1]
    up = -7.0 if len(points) > 1 and points[-2][1] > y else 7.0
    return f'<path class="{kind}" d="M{x:.1f} {y:.1f}l-3.6 {-up:g}h7.2z"/>'


def picture(body: Sequence[str], wide: float, high: float, name: str, about: str, number: int = 0,
            style: bool = True) -> str:
    """One SVG document. `number` tells pictures of one page apart; one of them brings the style."""
    ids = f"sf-title-{number} sf-about-{number}"
    first, second = ids.split()
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sf-picture" role="img" aria-labelledby="{ids}" '
        f'width="{wide:.0f}" height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}">',
        f'<title id="{first}">{clean(shortened(name, 200))}</title>',
        f'<desc id="{second}">{clean(shortened(about, LONGEST_TITLE))}</desc>',
        f"<style>{STYLE}</style>" if style else "", *body, "</svg>", ""])
