"""A small picture round one finding: the failing op, what made its operands two steps back, shapes on the
edges with the clashing dims in red, and the nodes that fixed those dims numbered. Drawn of Record.nearby."""
from __future__ import annotations

from shapeflow.checker.findings import Span
from shapeflow.pictures import drawing, layout
from shapeflow.pictures.drawing import rect, shortened, text, width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

    from shapeflow.checker.findings import Record

    Plain = Dict[str, Any]

_MARGIN = 12.0
_CODE = 46
_SHAPE = 40
_LINE = 15.0
_QUIET = frozenset({"Const", "NoOp"})  # NoOp: a value that no op made
_SIZE = 11.0


class _Box:
    """A node of the picture, or an operand that nobody made. `number`: how many steps back it is."""

    def __init__(self, lines: List[Tuple[str, float, str]], kind: str, tooltip: str,
                 more: bool = False) -> None:
        self.lines, self.kind, self.tooltip, self.more = lines, kind, tooltip, more
        self.number: Optional[int] = None

    def size(self) -> Tuple[float, float]:
        wide = max(drawing.drawn_width(*line) for line in self.lines)
        return max(wide + 20, 56.0), 9 + _LINE * len(self.lines) + 3


def dims_of(shape: str) -> Optional[List[str]]:
    """["batch", "784"] of "[batch, 784]"; None without a rank."""
    if not (shape.startswith("[") and shape.endswith("]")):
        return None
    return shape[1:-1].split(", ") if len(shape) > 2 else []


def shape_spans(shape: str, axes: Sequence[Optional[int]]) -> List[Tuple[str, bool]]:
    """The text of a shape in pieces: is each of them to blame? An axis of None blames all."""
    dims = dims_of(shape)
    if dims is None or None in axes:
        return [(shortened(shape, _SHAPE), bool(axes))]
    rank = len(dims)
    blamed = {axis % rank for axis in axes if axis is not None and -rank <= axis < rank}
    if not blamed or len(shape) > _SHAPE:
        return [(shortened(shape, _SHAPE), bool(blamed))]
    pieces: List[Tuple[str, bool]] = [("[", False)]
    for place, dim in enumerate(dims):
        pieces += [(", ", False)] * bool(place) + [(dim, place in blamed)]
    return [*pieces, ("]", False)]


def _label(shape: str, axes: Sequence[Optional[int]], x: float, y: float) -> str:
    """A shape below a node, the blamed dims in red."""
    return drawing.spans_text(shape_spans(shape, axes), x, y, _SIZE)


def _place_of(at: Optional[Plain]) -> Tuple[str, str]:
    """(`train.py:12`, its code)."""
    if at is None:
        return "", ""
    import os

    span = Span.of(at)
    name = span.path if span.path.startswith("In [") else os.path.basename(span.path)
    return f"{shortened(name, 40)}:{span.line}", span.text.strip()


class _Picture:
    def __init__(self, record: Record) -> None:
        self.record = record
        self.nodes: List[Plain] = record.nearby["nodes"]
        self.chains = self._telling()
        self.numbers = self._numbers()
        self.fixes = self._fixes()
        self.boxes: List[_Box] = []
        self.places: Dict[int, int] = {}  # of a node in Record.nearby
        # producer, consumer, input, (output, shape), blamed axes, "guilty", "chain" or "", dashed
        self.edges: List[Tuple[int, int, int, Tuple[int, str], List[Optional[int]], str, bool]] = []
        self._collect()

    def _telling(self) -> List[Plain]:
        """The chains of dims that are themselves wrong; not those of a rank, nor of the length of a shape
        argument."""
        import shapeflow.formats.view as view

        record, found = self.record, []
        for chain in record.nearby["chains"]:
            value = record.operands[chain["operand"]].value
            whole = chain["axis"] not in view.blamed_axes(record, chain["operand"])
            if not whole or record.code not in view.RANK_CODES and value is None:
                found.append(chain)
        return found

    def _numbers(self) -> Dict[int, int]:
        """How many steps back a node of a chain is."""
        found: Dict[int, int] = {}
        for chain in self.chains:
            for steps, node in enumerate(chain["nodes"], 1):
                more = chain["skipped"] if node == chain["nodes"][-1] else 0
                found.setdefault(node, steps + more)
        return found

    def _fixes(self) -> Dict[int, List[str]]:
        """What a node has to do with the dims that it fixed."""
        declared = {(origin.operand, origin.axis): origin.declared for origin in self.record.origins}
        found: Dict[int, List[str]] = {}
        for chain in self.chains:
            dim = chain["dim"]
            was = declared.get((chain["operand"], chain["axis"])) or dim
            said = f"fixed {dim}" if was == dim else f"fixed {was}, of which {dim} is made" \
                if was.isdigit() else f"brings {dim}"
            notes = found.setdefault(chain["nodes"][-1], [])
            if said not in notes:
                notes.append(said)
        return found

    def _blamed(self, operand: int) -> List[Optional[int]]:
        return [axis for index, axis in self.record.blamed if index == operand]

    def _value(self, operand: int) -> Optional[str]:
        """The content of an operand where it, not the shape, is what matters."""
        if operand >= len(self.record.operands) or any(axis is not None for axis in self._blamed(operand)):
            return None
        return self.record.operands[operand].value

    def _is_shown(self, node: int) -> bool:
        """Shape arguments and the like say nothing here, unless they fixed a dim."""
        known = self.nodes[node]
        return known["steps"] < 2 or node in self.numbers or known["op_type"] not in _QUIET

    def _collect(self) -> None:
        for number in range(len(self.nodes)):
            if self._is_shown(number):
                self._box(number)
        ways: Set[Tuple[int, int]] = set()
        for chain in self.chains:
            on_way = [0, *chain["nodes"]]
            ways |= set(zip(on_way[1:], on_way))
        drawn: Set[Tuple[int, int]] = set()
        for number in list(self.places):
            for place, (producer, output, shape) in enumerate(self.nodes[number]["inputs"]):
                axes = self._blamed(place) if number == 0 else []
                if producer < 0 and number == 0:
                    box = self._operand(place)
                elif producer in self.places:
                    box = self.places[producer]
                    drawn.add((producer, number))
                else:
                    self.boxes[self.places[number]].more = True
                    continue
                value = self._value(place) if number == 0 else None
                shape = f"= {value}" if value is not None else shape
                kind = "guilty" if axes else "chain" if (producer, number) in ways else ""
                self.edges.append((box, self.places[number], place, (output, shape or "?"), axes, kind,
                                   False))
        for chain in self.chains:  # what lies between is not shown
            for before, node in zip([0, *chain["nodes"]], chain["nodes"]):
                if (node, before) not in drawn and node in self.places and before in self.places:
                    drawn.add((node, before))
                    shape = (self.nodes[node]["outputs"] or ["?"])[0]
                    self.edges.append((self.places[node], self.places[before], 0, (0, shape or "?"), [],
                                       "chain", True))

    def _box(self, number: int) -> None:
        node = self.nodes[number]
        where, code = _place_of(node["at"])
        op = "value" if node["op_type"] == "NoOp" and number else str(node["op_type"] or "operation")
        lines = [(shortened(op, 34), 12.5, "sf-text sf-strong")]
        name = str(node["name"] or "")
        if where:
            lines.append((where, 10.5, "sf-soft"))
        elif name and name != node["op_type"]:
            lines.append((shortened(name, 40), 10.5, "sf-soft"))
        if code:
            lines.append((shortened(code, _CODE), 10.5, "sf-mono sf-soft"))
        if number in self.fixes:
            lines.append((shortened(", ".join(self.fixes[number]), 46), 11, "sf-badge sf-strong"))
        tooltip = "\n".join(filter(None, [name, op, f"{where}    {code}".strip(),
                                       shortened(self.record.message, 300) if number == 0 else ""]))
        kind = "sf-guilty" if number == 0 else "sf-chain" if number in self.numbers else "sf-node"
        self.places[number] = len(self.boxes)
        self.boxes.append(_Box(lines, kind, tooltip))
        self.boxes[-1].number = self.numbers.get(number)

    def _operand(self, place: int) -> int:
        """A box for an operand of which nobody knows where it was made."""
        operands = self.record.operands
        known = operands[place] if place < len(operands) else None
        name = (known.name if known is not None else "") or "operand"
        where, code = _place_of(known.made_at.to_json() if known is not None and known.made_at else None)
        lines = [(shortened(name, 34), 12.5, "sf-text sf-strong")]
        lines += [(where, 10.5, "sf-soft")] if where else []
        lines += [(shortened(code, _CODE), 10.5, "sf-mono sf-soft")] if code else []
        self.boxes.append(_Box(lines, "sf-node", f"{name}\n{where}    {code}".strip()))
        return len(self.boxes) - 1

    # --- drawing
    def ports(self) -> Tuple[List[float], List[float], List[Tuple[float, float]], List[List[Any]]]:
        """Where edges begin and end, from the middles of their boxes; the boxes' sizes; the labels of each:
        (shape, blamed axes, where)."""
        sizes = [box.size() for box in self.boxes]
        labels: List[List[Any]] = [[] for _ in self.boxes]
        counts = [0] * len(self.boxes)
        for first, last, _, (output, shape), axes, _, _ in self.edges:
            counts[last] += 1
            # The same value that is right for one reader may be what the other blames.
            if not any(label[0] == output and label[2] == axes for label in labels[first]):
                labels[first].append([output, shape, axes, 0.0])
        for number, found in enumerate(labels):
            wide = [width(shortened(shape, _SHAPE), _SIZE, True) + 16 for _, shape, _, _ in found]
            at = -sum(wide) / 2
            for label, part in zip(found, wide):
                label[3] = at + part / 2
                at += part
            sizes[number] = max(sizes[number][0], sum(wide)), sizes[number][1]
        starts, ends = [], []
        met = [0] * len(self.boxes)
        for first, last, _, (output, _), axes, _, _ in self.edges:
            starts.append(next(label[3] for label in labels[first]
                               if label[0] == output and label[2] == axes))
            step = min(26.0, (sizes[last][0] - 16) / counts[last])
            ends.append((met[last] - (counts[last] - 1) / 2) * step)
            met[last] += 1
        return starts, ends, sizes, labels

    def render(self, number: int, style: bool) -> str:
        starts, ends, sizes, labels = self.ports()
        plain = {"nodes": [{"group": None} for _ in self.boxes], "groups": [],
                 "edges": [{"from": first, "to": last, "output": place}
                           for place, (first, last, *_) in enumerate(self.edges)]}
        placed = layout.place(plain, sizes, starts, ends, [])
        body = [f'<g transform="translate({_MARGIN:g} {_MARGIN + 8:g})">']
        for points, (*_, kind, dashed) in zip(placed.edges, self.edges):
            body += self._edge(points, kind, dashed)
        for box, (x, y, wide, high), below in zip(self.boxes, placed.nodes, labels):
            body += self._drawn(box, x, y, wide, high)
            body += [_label(shape, axes, x + wide / 2 + at, y + high + 16) for _, shape, axes, at in below]
        body.append("</g>")
        wide, high = placed.width + 2 * _MARGIN, placed.height + 2 * _MARGIN + 8
        what = f"{self.record.code} at {self.record.op_type or 'an operation'}"
        return drawing.picture([rect(0, 0, wide, high, "sf-back", 6), *body], wide, high, what,
                               f"The operands of {what} and what made them. {self.record.message}", number,
                               style)

    @staticmethod
    def _edge(points: Sequence[Tuple[float, float]], kind: str, dashed: bool) -> List[str]:
        if len(points) < 2:
            return []
        (x, y), last = points[0], f"-{kind}" if kind else ""
        if points[1][1] - y > 36:  # from below its label
            points = [(x, y + 21), *points[1:]]
        dash = ' stroke-dasharray="2 5"' if dashed else ""
        thick = 2.2 if kind else 1.3
        return [f'<path class="sf-edge{last}" stroke-width="{thick}"{dash} d="{drawing.curve(points)}"/>',
                drawing.head(points, f"sf-head{last}")]

    @staticmethod
    def _drawn(box: _Box, x: float, y: float, wide: float, high: float) -> List[str]:
        made = ["<g>", drawing.title(box.tooltip), rect(x, y, wide, high, box.kind)]
        at = y + 17
        for words, size, style in box.lines:
            made.append(text(words, x + wide / 2, at, size, style, "middle"))
            at += _LINE
        if box.more:
            made.append(text("⋮", x + wide / 2, y - 4, 12, "sf-soft", "middle"))
        if box.number is not None:
            made.append(drawing.badge(box.number, x + 1, y + 1))
        return [*made, "</g>"]


def render(record: Record, number: int = 0, style: bool = True) -> str:
    """The picture as an SVG element; "" of a finding that concerns no op. `number`: which one of its page;
    without `style` the page has drawing.STYLE."""
    return _Picture(record).render(number, style) if record.nearby else ""
