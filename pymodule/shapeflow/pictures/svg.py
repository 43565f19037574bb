"""A document as one picture: nodes in the boxes of their groups, shapes on the edges, what is wrong in red
and the way of the guilty dimension numbered. Light or dark as the reader's system is."""
from __future__ import annotations

from shapeflow.pictures import drawing, focus, folding, layout
from shapeflow.pictures.drawing import rect, shortened, text, width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Set, Tuple

    Plain = Dict[str, Any]

MOST_NODES = 3000  # more are folded into their groups: nobody could read them
_MARGIN = 24.0
_NAME = 30
_SHAPE = 34
_LINE = 15.0
_COLUMN = 108  # characters of a message in a line
_FINDINGS = 6
WIDEST, HIGHEST = 1600.0, 1200.0  # of a picture that can be read without moving about in it
_BUDGETS = (focus.SMALL, 28, 20, 14, 9, 6)  # boxes round an error, tried in turn until it is no larger


class Sizes:
    """How large nodes are and where their edges begin and end."""

    def __init__(self, document: Plain) -> None:
        self.document = document
        nodes, edges = document["nodes"], document["edges"]
        used: List[Dict[int, None]] = [{} for _ in nodes]
        incoming: List[List[int]] = [[] for _ in nodes]
        for number, edge in enumerate(edges):
            if edge.get("control"):
                continue
            used[edge["from"]][edge["output"]] = None
            incoming[edge["to"]].append(number)
        self.used = [sorted(outputs) for outputs in used]  # outputs with edges
        self.labels: List[List[str]] = []
        self.places: List[List[float]] = []  # where they leave a node, from its middle
        self.lines: List[List[Tuple[str, float, str]]] = []
        self.boxes: List[Tuple[float, float]] = []
        self.failing: Dict[int, Plain] = {
            f["node"]: f for f in reversed(document["findings"]) if f["node"] is not None}
        self.first_operand: Dict[int, int] = {}  # of what fails: which line of its box
        for number, node in enumerate(nodes):
            self._measure(number, node)
        starts = [dict(zip(outputs, places)) for outputs, places in zip(self.used, self.places)]
        self.starts = [0.0 if edge.get("control") else starts[edge["from"]][edge["output"]] for edge in edges]
        self.ends = [0.0] * len(edges)
        for number, found in enumerate(incoming):
            found.sort(key=lambda edge: int(edges[edge].get("input") or 0))
            step = min(16.0, (self.boxes[number][0] - 16) / max(len(found), 1))
            for place, edge in enumerate(found):
                self.ends[edge] = (place - (len(found) - 1) / 2) * step

    def _measure(self, number: int, node: Plain) -> None:
        shown = node["name"]
        if node["group"] is not None:
            shown = shown.rpartition("/")[2] or shown
        lines = [(shortened(node["op"], _NAME), 12.5, "sf-text sf-strong")]
        if shortened(shown, _NAME) != lines[0][0]:
            lines.append((shortened(shown, _NAME), 11, "sf-soft"))
        if node.get("folded") and not node.get("variable"):
            lines = [(shortened(shown, _NAME), 12.5, "sf-text sf-strong"),
                     (f"{node['folded']:,} node{'s' * (node['folded'] > 1)}", 11, "sf-soft")]
        if number in self.failing:
            self.first_operand[number] = len(lines)
            lines += [(line, 10.5, "sf-mono sf-text") for line in drawing.operand_lines(self.failing[number])]
        elif node["outputs"] and node["outputs"][0].get("value"):
            lines.append((shortened(f"= {node['outputs'][0]['value']}", _SHAPE), 10.5, "sf-mono sf-text"))
        lines += [(line, 10.5, "sf-soft") for line in drawing.attr_lines(node)]
        if node["parameters"] is not None:
            lines.append((f"{node['parameters']:,} parameters", 11, "sf-soft"))
        labels = [shortened(node["outputs"][output]["shape"], _SHAPE) for output in self.used[number]]
        most = max([drawing.drawn_width(*line) for line in lines] + [34.0]) + 22
        wide = [width(label, 10.5, True) + 14 for label in labels]
        places, at = [], -sum(wide) / 2
        for part in wide:
            places.append(at + part / 2)
            at += part
        self.labels.append(labels)
        self.places.append(places)
        self.lines.append(lines)
        self.boxes.append((max(most, sum(wide)), 10 + _LINE * len(lines) + 3))


class _Marks:
    """What findings say of nodes and edges."""

    def __init__(self, document: Plain) -> None:
        findings = document["findings"]
        self.guilty: Dict[int, Plain] = {f["node"]: f for f in reversed(findings) if f["node"] is not None}
        self.numbers: Dict[int, int] = {}  # of a node in a chain: how many steps back
        self.ways: Set[Tuple[int, int]] = set()
        self.blamed: Set[Tuple[int, int]] = set()  # node and input
        for finding in findings:
            for operand in finding["operands"]:
                if finding["node"] is not None and operand["input"] is not None and any(
                        finding["operands"][chain["operand"]] is operand for chain in finding["chains"]):
                    self.blamed.add((finding["node"], operand["input"]))
            for chain in focus.telling(finding):
                nodes = chain["nodes"]
                self.ways |= set(zip(nodes[1:], nodes))
                for step, node in zip(chain.get("steps", range(len(nodes))), nodes):
                    if step:
                        self.numbers.setdefault(node, step)

    def edge(self, edge: Plain) -> str:
        """What the class of an edge ends in."""
        if edge.get("control"):
            return ""
        if (edge["to"], edge.get("input")) in self.blamed:
            return "-guilty"
        return "-chain" if (edge["from"], edge["to"]) in self.ways else ""


class _Drawing:
    def __init__(self, document: Plain, sizes: Sizes, placed: layout.Placed) -> None:
        self.document, self.sizes, self.placed = document, sizes, placed
        self.marks = _Marks(document)
        devices = sorted({node["device"] for node in document["nodes"] if node["device"]})
        self.devices = {name: place % 6 for place, name in enumerate(devices)}

    def source(self, node: Plain) -> str:
        """`train.py:12` and the line itself."""
        return drawing.source(self.document, node["source"])

    def tooltip(self, number: int) -> str:
        """All of a node, for whoever points at it."""
        node = self.document["nodes"][number]
        parts = [node["name"], node["op"]]
        parts += [f"output {k}: {output['dtype']} {output['shape']}"
                  for k, output in enumerate(node["outputs"][:8])]
        if node["flops"]:
            parts.append(f"{node['flops']:,.0f} FLOPs")
        finding = self.marks.guilty.get(number)
        more = [node["device"], self.source(node)]
        if finding is not None:
            more.append(f"{finding['code']}: {finding['message']}")
        return "\n".join(part if len(part) < 400 else shortened(part, 400) for part in parts + more if part)

    def group(self, number: int) -> List[str]:
        box = self.placed.groups[number]
        if box is None:
            return []
        group = self.document["groups"][number]
        kind = "" if group["kind"] in ("scope", group["name"]) else group["kind"] + " "
        return ["<g>", drawing.title(kind + group["path"]), rect(*box, f"sf-{group['kind']}", 8),
                text(kind + shortened(group["name"], 40), box[0] + 10, box[1] + 17, 11.5,
                     "sf-soft sf-strong"), "</g>"]

    def node(self, number: int) -> List[str]:
        node, (x, y, wide, high) = self.document["nodes"][number], self.placed.nodes[number]
        kind = "sf-guilty" if number in self.marks.guilty else \
            "sf-chain" if number in self.marks.numbers else \
            "sf-variable" if node["parameters"] is not None else "sf-node"
        made = ["<g>", drawing.title(self.tooltip(number)), rect(x, y, wide, high, kind)]
        if node["device"]:
            made.append(rect(x + 3, y + 5, 3.5, high - 10, f"sf-device-{self.devices[node['device']]}", 1.5))
        at = y + 17
        spans = drawing.operand_spans(self.marks.guilty[number]) if number in self.marks.guilty else []
        for place, (words, size, style) in enumerate(self.sizes.lines[number],
                                                     -self.sizes.first_operand.get(number, 0)):
            if 0 <= place < len(spans):
                made.append(drawing.spans_text(spans[place], x + wide / 2, at, size))
            else:
                made.append(text(words, x + wide / 2, at, size, style, "middle"))
            at += _LINE
        if number in self.marks.numbers and number not in self.marks.guilty:
            made.append(drawing.badge(self.marks.numbers[number], x, y))
        return [*made, "</g>"]

    def edge(self, number: int) -> List[str]:
        edge, points = self.document["edges"][number], self.placed.edges[number]
        if len(points) < 2:
            return []
        x, y = points[0]
        if points[1][1] - y > 36 and not edge.get("control"):  # from below its label
            points = [(x, y + 20.0), *points[1:]]
        mark = self.marks.edge(edge)
        if edge.get("skipped") is not None:
            return [f'<path class="sf-edge-chain sf-control" stroke-width="2" d="{drawing.curve(points)}"/>',
                    drawing.head(points, "sf-head-chain"), *self.steps_between(edge["skipped"], points)]
        if edge.get("control"):
            return [f'<path class="sf-edge sf-control" stroke-width="1" d="{drawing.curve(points)}"/>',
                    drawing.head(points, "sf-head")]
        size = self.document["nodes"][edge["from"]]["outputs"][edge["output"]]["bytes"]
        thick = max(drawing.thickness(size), 2.2 if mark else 0)
        return [f'<path class="sf-edge{mark}" stroke-width="{thick:.1f}" d="{drawing.curve(points)}"/>',
                drawing.head(points, f"sf-head{mark}")]

    @staticmethod
    def steps_between(count: int, points: List[Tuple[float, float]]) -> List[str]:
        if not count:
            return []
        (x, y), (to_x, to_y) = max(zip(points, points[1:]), key=lambda ends: abs(ends[1][1] - ends[0][1]))
        words = f"{count} step{'s' * (count > 1)} between"
        return [text(words, (x + to_x) / 2 + 6, (y + to_y) / 2, 10.5, "sf-soft")]

    def labels(self, number: int) -> List[str]:
        """The shapes below a node, each where its edges begin."""
        x, y, wide, high = self.placed.nodes[number]
        made = []
        for label, at in zip(self.sizes.labels[number], self.sizes.places[number]):
            made.append(text(label, x + wide / 2 + at, y + high + 15, 10.5, "sf-mono sf-soft", "middle"))
        return made

    def messages(self) -> Tuple[List[str], float, float]:
        """What was found, above the graph: (elements, width, height)."""
        made: List[str] = []
        y, wide = _MARGIN + 16, 0.0
        title = shortened(self.document["title"], 90)
        made.append(text(title, _MARGIN, y, 16, "sf-text sf-strong"))
        wide = max(wide, width(title, 16) * 1.05)
        for finding in self.document["findings"][:_FINDINGS]:
            kind = "sf-error" if finding["error"] else "sf-warning"
            words = f"{'error' if finding['error'] else 'warning'}[{finding['code']}]: {finding['message']}"
            y += 8
            for line in drawing.wrapped(words, _COLUMN, 4):
                y += 16
                made.append(text(line, _MARGIN, y, 12.5, kind))
                wide = max(wide, width(line, 12.5))
        for line in self.lines_of_first():
            y += 17
            made.append(text(line, _MARGIN, y, 11.5, "sf-mono sf-text"))
            wide = max(wide, width(line, 11.5, True))
        more = len(self.document["findings"]) - _FINDINGS
        notes = [f"and {more} more findings"] if more > 0 else []
        if self.document.get("left_out"):
            notes.append(f"{self.document['left_out']:,} more nodes are not shown: -o FILE.html or --whole "
                         "shows all")
        for note in notes:
            y += 20
            made.append(text(note, _MARGIN, y, 12.5, "sf-soft"))
        return made, wide, y + 18

    def lines_of_first(self) -> List[str]:
        """The lines of the first finding: where it is, and where its sizes came from."""
        return [shortened(line, _COLUMN) for line in drawing.lines_of_finding(self.document)]

    def legend(self, y: float) -> Tuple[List[str], float, float]:
        made: List[str] = []
        x = _MARGIN
        for device, place in self.devices.items():
            name = shortened(device, 60)
            made += [rect(x, y - 10, 11, 11, f"sf-device-{place}", 2), text(name, x + 16, y, 11, "sf-soft")]
            x += width(name, 11) + 44
        return made, x, 26.0 if made else 0.0


def placed(document: Plain, sizes: Sizes) -> layout.Placed:
    heads = [width(shortened(group["name"], 40), 11.5) * 1.1 + width(group["kind"], 11.5) + 8
             for group in document["groups"]]
    return layout.place(document, sizes.boxes, sizes.starts, sizes.ends, heads)


def legible(document: Plain) -> Plain:
    """The part of a document of which a picture can be read: the whole of a small one, else what is near the
    first finding."""
    shown = document
    for budget in _BUDGETS:
        shown = focus.focused(document, budget)
        boxes = placed(shown, Sizes(shown))
        if boxes.width <= WIDEST and boxes.height <= HIGHEST:
            break
    return shown


def _centred(document: Plain, boxes: layout.Placed) -> Tuple[float, float]:
    """(room at the left, width) with which what fails first is in the middle, if that is not too wide."""
    failing = next((f["node"] for f in document["findings"] if f["node"] is not None), None)
    if failing is None:
        return 0.0, boxes.width
    x, _, wide, _ = boxes.nodes[failing]
    middle = x + wide / 2
    half = max(middle, boxes.width - middle)
    return (half - middle, 2 * half) if 2 * half <= WIDEST else (0.0, boxes.width)


def render(document: Plain, most: int = MOST_NODES, number: int = 0, style: bool = True) -> str:
    """The picture of the whole document, folded where it has more than `most` nodes, as an SVG document."""
    shown = folding.folded(document, most)
    sizes = Sizes(shown)
    boxes = placed(shown, sizes)
    drawn = _Drawing(shown, sizes, boxes)
    above, wide, top = drawn.messages()
    left, extent = _centred(shown, boxes)
    wide = max(wide, extent)
    legend, legend_wide, legend_high = drawn.legend(top + boxes.height + 40)
    # Groups come before what is in them, edges before the nodes that they touch.
    body = [f'<g transform="translate({_MARGIN + (wide - extent) / 2 + left:.1f} {top:.1f})">']
    for count, draw in ((len(shown["groups"]), drawn.group), (len(shown["edges"]), drawn.edge),
                        (len(shown["nodes"]), drawn.labels), (len(shown["nodes"]), drawn.node)):
        for each in range(count):
            body += draw(each)
    body.append("</g>")
    wide = max(wide, legend_wide) + 2 * _MARGIN
    high = top + boxes.height + _MARGIN + legend_high
    about = f"The shape graph of {shown['title']}: {len(document['nodes'])} nodes, " \
            f"{len(document['edges'])} edges, {len(document['findings'])} findings."
    return drawing.picture([rect(0, 0, wide, high, "sf-back", 0), *above, *body, *legend], wide, high,
                           f"Shape graph of {shown['title']}", about, number, style)
