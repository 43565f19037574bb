"""A failing expression in TensorSensor's manner: its source with the operands underlined, each operand as a
box as wide and high as its dimensions make it, the clash in red.

Source: Parr, TensorSensor (the idea; no code of it).
"""
from __future__ import annotations

import math

from shapeflow.pictures import drawing
from shapeflow.pictures.drawing import clean, rect, shortened, text, width
from shapeflow.pictures.layout import spread
from shapeflow.pictures.neighbourhood import dims_of, shape_spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    from shapeflow.checker.findings import Operand, Record, Span

_MARGIN = 14.0
_FONT = 14.0
_STEP = 8.4  # of a column: the text is told to keep to it
_COLUMNS = 104
_OPERANDS = 6
_NAME = 28


class _Box:
    """An operand. `middle`: of what stands for it in the source, None: nothing does."""

    def __init__(self, operand: Operand, axes: Sequence[Optional[int]], middle: Optional[float]) -> None:
        self.operand, self.axes, self.middle = operand, axes, middle
        self.value = operand.value if operand.value is not None and not any(
            axis is not None for axis in axes) else None
        dims = dims_of(operand.shape) if self.value is None else []
        self.dims = [shortened(dim, 18) for dim in dims or []]
        self.dtype = shortened(operand.dtype, 20)
        self.caption = shortened(f"= {self.value}" if self.value is not None else operand.shape, 40)
        self.name = shortened(_written(operand) or operand.name or "operand", _NAME)
        self.across, self.down = self._extent()

    def _extent(self) -> Tuple[float, float]:
        """The drawn rectangle: the last dim across, the one before it down; on a logarithmic scale."""
        dims = self.dims
        if self.value is not None or not dims:
            return 14.0, 14.0
        return _length(dims[-1]), 12.0 if len(dims) == 1 else _length(dims[-2])

    @property
    def layers(self) -> int:
        """How many rectangles behind the first stand for further dims."""
        return min(max(len(self.dims) - 2, 0), 3)

    @property
    def side(self) -> float:
        """The room of the number left of the rectangle."""
        dims = self.dims
        return width(dims[-2], 12, True) + 8 if len(dims) > 1 else 0.0

    def room(self) -> float:
        """How wide all of it is."""
        drawn = self.side + self.across + 7 * self.layers + self.lead()
        words = [width(self.caption, 11, True), width(self.name, 12, True),
                 width(self.dtype, 10.5)]
        return max(drawn, *words) + 8

    def lead(self) -> float:
        """The room of the dims before the last two, right of the rectangle."""
        return width(" × ".join(self.dims[:-2]), 12, True) + 8 if self.layers else 0.0

    def is_blamed(self, axis: int) -> bool:
        rank = len(self.dims)
        return any(known is None or known % rank == axis % rank for known in self.axes
                   if known is None or -rank <= known < rank) if rank else False


def _length(dim: str) -> float:
    """Of a side of a box: what is not known is neither short nor long."""
    if not dim.isdigit():
        return 56.0
    number = int(dim)
    return 14.0 + min(13.0 * math.log2(1 + number), 120.0)


def _written(operand: Operand) -> str:
    """The operand as it stands in the source."""
    at = operand.at
    if at is None or at.line != at.end_line or at.column < 0:
        return ""
    return at.text.encode("utf-8")[at.column:at.end_column].decode("utf-8", "replace").strip()


# --- the source line ------------------------------------------------------------------------------
class _Line:
    """The guilty line, cut to what fits around its marks; where columns are, from its left end."""

    def __init__(self, record: Record) -> None:
        from shapeflow.formats.snippet import columns
        from shapeflow.formats.view import character_column

        self.span = record.primary
        plain = self.span.text if self.span is not None else ""
        shown, starts = columns(plain)
        self._starts, self._character = starts, character_column
        marks = [extent for extent in map(self.extent, _spans(record)) if extent is not None]
        indent = len(shown) - len(shown.lstrip())
        first = int(min([start for start, _ in marks], default=indent))
        self.shift = indent if len(shown.rstrip()) - indent <= _COLUMNS else max(indent, first - 12)
        cut = shown[self.shift:self.shift + _COLUMNS]
        self.text = cut.rstrip() + ("…" if len(shown.rstrip()) > self.shift + _COLUMNS else "")

    def extent(self, span: Optional[Span]) -> Optional[Tuple[float, float]]:
        """The display columns of a piece of the line."""
        if span is None or self.span is None or not span.same_place(self.span) or span.column < 0:
            return None
        last = len(self._starts) - 1
        start = self._starts[min(self._character(span, span.column), last)]
        stop = self._starts[min(self._character(span, span.end_column), last)] \
            if span.end_line == span.line else self._starts[last]
        return float(start), float(max(stop, start + 1))

    def place(self, span: Optional[Span]) -> Optional[Tuple[float, float]]:
        """Where it is drawn, from the left of the text; None where it is cut off."""
        found = self.extent(span)
        if found is None:
            return None
        start, stop = found[0] - self.shift, min(found[1] - self.shift, _COLUMNS)
        return (start * _STEP, stop * _STEP) if 0 <= start < stop else None


def _spans(record: Record) -> List[Optional[Span]]:
    return [record.focus, *(operand.at for operand in record.operands)]


# --- the picture ----------------------------------------------------------------------------------
def _boxes(record: Record, line: _Line) -> List[_Box]:
    """The operands, in the order of the source; without many that nobody blames."""
    from shapeflow.formats.view import blamed_axes

    found = []
    for index, operand in enumerate(record.operands):
        where = line.place(operand.at)
        found.append(_Box(operand, blamed_axes(record, index), sum(where) / 2 if where else None))
    if len(found) > _OPERANDS:
        guilty = [box for box in found if box.axes]
        found = (guilty or found)[:_OPERANDS]
    return sorted(found, key=lambda box: (box.middle is None, box.middle or 0.0))


def _drawn(box: _Box, left: float, top: float) -> List[str]:
    """One operand with its numbers, the upper left corner of its rectangle at (left, top)."""
    dims = box.dims
    made: List[str] = []
    guilty = bool(box.axes)
    kind = "sf-guilty" if guilty and (None in box.axes) else "sf-box"
    for layer in range(box.layers, -1, -1):
        made.append(rect(left + 7 * layer, top - 5 * layer, box.across, box.down, kind, 2))
    if box.value is not None:
        return made
    for axis, x, y, anchor in (
            (-1, left + box.across / 2, top + box.down + 13, "middle"),
            (-2, left - 6, top + box.down / 2 + 4, "end")):
        if len(dims) >= -axis:
            style = "sf-mono sf-error sf-strong" if box.is_blamed(axis) else "sf-mono sf-text"
            made.append(text(dims[axis], x, y, 12, style, anchor))
            if box.is_blamed(axis):  # the side itself
                side = f"M{left:.1f} {top + box.down:.1f}h{box.across:.1f}" if axis == -1 else \
                    f"M{left:.1f} {top:.1f}v{box.down:.1f}"
                made.append(f'<path class="sf-under-guilty" d="{side}"/>')
    if box.layers:
        spans = "".join(
            ("<tspan> × </tspan>" if place else "") +
            f'<tspan class="{"sf-error sf-strong" if box.is_blamed(place) else ""}">'
            f"{clean(dim)}</tspan>" for place, dim in enumerate(dims[:-2]))
        x = left + box.across + 7 * box.layers + 6
        made.append(f'<text class="sf-mono sf-text" x="{x:.1f}" y="{top + box.down / 2:.1f}" '
                    f'font-size="12">{spans}</text>')
    return made


def _captions(box: _Box, x: float, y: float) -> List[str]:
    """Below the drawing: the operand, its shape, its dtype."""
    spans = shape_spans(box.caption, box.axes)
    shape = "".join(f'<tspan class="{"sf-error sf-strong" if guilty else ""}">{clean(words)}</tspan>'
                    for words, guilty in spans)
    return [text(box.name, x, y, 12, "sf-mono sf-text sf-strong", "middle"),
            f'<text class="sf-mono sf-soft" x="{x:.1f}" y="{y + 15:.1f}" font-size="11" text-anchor="middle" '
            f'xml:space="preserve">{shape}</text>',
            text(box.dtype, x, y + 29, 10.5, "sf-soft", "middle")]


def render(record: Record, number: int = 0, style: bool = True) -> str:
    """The picture; "" of a finding that has neither a source line nor operands."""
    from shapeflow.formats import view

    line = _Line(record)
    boxes = _boxes(record, line)
    if not boxes or record.primary is None or not line.text:
        return ""
    body: List[str] = []
    y = _MARGIN + 14
    said = drawing.wrapped(f"{record.code}  {view.title(record)}", 96, 3)
    for words in said:
        body.append(text(words, _MARGIN, y, 12.5, "sf-error sf-strong" if record.severity == "error" else
                         "sf-warning sf-strong"))
        y += 17
    y += 12
    long = max(len(line.text), 1) * _STEP
    body.append(f'<text class="sf-mono sf-text" x="{_MARGIN:g}" y="{y:.1f}" font-size="{_FONT:g}" '
                f'textLength="{long:.1f}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">'
                f"{clean(view.printable(line.text))}</text>")
    body += _underlines(record, line, boxes, y + 6)
    rooms = [box.room() for box in boxes]
    wanted, x = [], 0.0
    for box, room in zip(boxes, rooms):
        wanted.append(box.middle if box.middle is not None else x + room)
        x = wanted[-1]
    apart = [0.0] + [(a + b) / 2 + 26 for a, b in zip(rooms, rooms[1:])]
    middles = spread(wanted, [1.0] * len(boxes), apart)
    left = min(0.0, min(middle - room / 2 for middle, room in zip(middles, rooms)))
    middles = [middle - left + _MARGIN for middle in middles]
    tallest = max(box.down + 5 * box.layers for box in boxes)
    top = y + 44
    for box, middle in zip(boxes, middles):
        drawn = box.side + box.across + 7 * box.layers + box.lead()
        corner = middle - drawn / 2 + box.side
        low = top + (tallest - box.down + 5 * box.layers) / 2
        if box.middle is not None:
            end = low - 5 * box.layers - 3
            points = [(_MARGIN + box.middle, y + 9), (corner + box.across / 2 + 7 * box.layers, end)]
            kind = "sf-edge-guilty" if box.axes else "sf-edge"
            body.append(f'<path class="{kind}" stroke-width="1" d="{drawing.curve(points)}"/>')
        body += ["<g>", drawing.title(_told(box)), *_drawn(box, corner, low),
                 *_captions(box, middle, top + tallest + 36), "</g>"]
    wide = max([_MARGIN * 2 + long, *(m + r / 2 + _MARGIN for m, r in zip(middles, rooms)),
                *(2 * _MARGIN + 1.15 * width(words, 12.5) for words in said)])
    high = top + tallest + 36 + 29 + 24
    body.append(text(shortened(view.place(record), 90), _MARGIN, high - 8, 10.5, "sf-soft"))
    what = f"{record.code} at {record.op_type or 'an operation'}"
    about = "; ".join(f"{box.name}: {box.caption}" for box in boxes)
    return drawing.picture([rect(0, 0, wide, high, "sf-back", 6), *body], wide, high, what,
                           f"{view.bare_message(record)} Operands: {about}", number, style)


def _underlines(record: Record, line: _Line, boxes: Sequence[_Box], y: float) -> List[str]:
    made = []
    for box in boxes:
        where = line.place(box.operand.at)
        if where is not None:
            kind = "sf-under-guilty" if box.axes else "sf-under"
            start, stop = _MARGIN + where[0], _MARGIN + where[1]
            made.append(f'<path class="{kind}" d="M{start:.1f} {y:.1f}H{stop:.1f}"/>')
    return made


def _told(box: _Box) -> str:
    made = box.operand.call or box.operand.made_at
    where = "" if made is None else f"\nmade at {made.path}:{made.line}    {made.text.strip()}"
    return f"{box.operand.name}: {box.operand.dtype} {box.operand.shape}{where}"


class Expression:
    """A finding as notebooks show it: this picture, or the text that `shapeflow check` prints."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def __repr__(self) -> str:
        from shapeflow.formats import record_text

        return record_text(self.record)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        """What Jupyter asks for."""
        made = {"text/plain": repr(self), "image/svg+xml": render(self.record)}
        return {kind: value for kind, value in made.items()
                if value and (not include or kind in include) and (not exclude or kind not in exclude)}
