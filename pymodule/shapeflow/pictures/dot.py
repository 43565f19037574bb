"""A document as Graphviz reads it: groups as clusters, edges as thick as the bytes they carry."""
from __future__ import annotations

from shapeflow.pictures.drawing import attr_lines, lines_of_finding, operand_lines, thickness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional

    Plain = Dict[str, Any]

_BOXES = {"scope": ("#f6f7f9", "solid"), "while": ("#fdf3e1", "dashed"), "cond": ("#eaf4ea", "dashed"),
          "function": ("#e9effa", "solid")}
_DEVICES = ("#ffffff", "#dbe9ff", "#e2f4dd", "#fdeacc", "#efe2fb", "#d9f2f2")
_GUILTY, _CHAIN = "#c62828", "#ef6c00"
_LABEL, _TOOLTIP = 60, 1000  # characters of a name
_MESSAGE, _FINDINGS = 120, 6


def quoted(text: str, most: int = _LABEL) -> str:
    """A string of Graphviz that shows `text`: no escapes, entities or control characters of its own."""
    if len(text) > most:
        text = text[:most - most // 3 - 3] + "..." + text[-(most // 3):]
    made = []
    for char in text:
        if char in '"\\':
            made.append("\\" + char)
        elif char == "&":
            made.append("&amp;")
        elif char == "\n":
            made.append("\\n")
        elif char < " " or "\x7f" <= char < "\xa0" or "\ud800" <= char < "\ue000":
            made.append("\N{REPLACEMENT CHARACTER}")
        else:
            made.append(char)
    return '"' + "".join(made) + '"'


class _Writer:
    def __init__(self, document: Plain) -> None:
        self.document = document
        self.lines: List[str] = []
        self.members: Dict[Optional[int], List[int]] = {}
        self.children: Dict[Optional[int], List[int]] = {}
        for number, node in enumerate(document["nodes"]):
            self.members.setdefault(node["group"], []).append(number)
        for number, group in enumerate(document["groups"]):
            self.children.setdefault(group["parent"], []).append(number)
        self.guilty = {f["node"]: f for f in document["findings"] if f["node"] is not None}
        self.chained = {n for f in document["findings"] for chain in f["chains"] for n in chain["nodes"]}
        self.devices: Dict[str, str] = {"": _DEVICES[0]}

    def write(self) -> str:
        self.lines += ["digraph shapeflow {", f"  label={self._told()}; labelloc=t; labeljust=l;",
                       '  graph [rankdir=TB, fontname="sans-serif", fontsize=12, labeljust=l];',
                       '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", '
                       'fontname="sans-serif", fontsize=10];',
                       '  edge [fontname="sans-serif", fontsize=8, color="#667085"];']
        self._group(None, "  ")
        for edge in self.document["edges"]:
            self._edge(edge)
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"

    def _told(self) -> str:
        """The title, and what is wrong."""
        found = [f"{'error' if f['error'] else 'warning'}[{f['code']}]: {f['message']}"
                 for f in self.document["findings"][:_FINDINGS]]
        lines = [self.document["title"], *found, *lines_of_finding(self.document)]
        return '"' + "\\l".join(quoted(line, _MESSAGE)[1:-1] for line in lines) + '\\l"'

    def _group(self, number: Optional[int], indent: str) -> None:
        for member in self.members.get(number, ()):
            self._node(member, indent)
        for child in self.children.get(number, ()):
            group = self.document["groups"][child]
            fill, style = _BOXES[group["kind"]]
            kind = "" if group["kind"] == "scope" else group["kind"] + " "
            self.lines.append(f"{indent}subgraph cluster_{child} {{")
            self.lines.append(f"{indent}  label={quoted(kind + group['name'])}; "
                              f"tooltip={quoted(group['path'], _TOOLTIP)}; bgcolor=\"{fill}\"; "
                              f"style=\"{style}\"; color=\"#98a2b3\";")
            self._group(child, indent + "  ")
            self.lines.append(indent + "}")

    def _node(self, number: int, indent: str) -> None:
        node = self.document["nodes"][number]
        shapes = ", ".join(output["shape"] for output in node["outputs"])
        shown = node["name"]
        if node["group"] is not None:
            shown = shown.rpartition("/")[2] or shown
        label = f"{quoted(shown)[:-1]}\\n{quoted((node['op'] + ' ' + shapes).strip(), 90)[1:]}"
        operands = operand_lines(self.guilty[number]) if number in self.guilty else []
        for line in operands + attr_lines(node):
            label = f"{label[:-1]}\\n{quoted(line)[1:]}"
        attrs = [f"label={label}", f"tooltip={quoted(node['name'] + self._place(node), _TOOLTIP)}"]
        if node["device"]:
            color = self.devices.setdefault(
                node["device"], _DEVICES[1 + (len(self.devices) - 1) % (len(_DEVICES) - 1)])
            attrs.append(f'fillcolor="{color}"')
        if number in self.guilty:
            attrs.append(f'color="{_GUILTY}", fontcolor="{_GUILTY}", penwidth=3')
            attrs[1] = f"tooltip={quoted(self.guilty[number]['message'], _TOOLTIP)}"
        elif number in self.chained:
            attrs.append(f'color="{_CHAIN}", penwidth=2')
        self.lines.append(f"{indent}n{number} [{', '.join(attrs)}];")

    def _place(self, node: Plain) -> str:
        source = node["source"]
        if source is None:
            return ""
        return f"\n{self.document['files'][source['file']]['path']}:{source['line']}"

    def _edge(self, edge: Plain) -> None:
        ends = f"  n{edge['from']} -> n{edge['to']}"
        if edge.get("skipped") is not None:
            label = f"{edge['skipped']} steps between"
            self.lines.append(f'{ends} [style=dashed, color="{_CHAIN}", label={quoted(label)}];')
            return
        if edge.get("control"):
            self.lines.append(ends + ' [style=dashed, arrowsize=0.6, color="#98a2b3"];')
            return
        output = self.document["nodes"][edge["from"]]["outputs"][edge["output"]]
        self.lines.append(f"{ends} [label={quoted(output['shape'])}, "
                          f"penwidth={thickness(output['bytes']):.2f}];")


def render(document: Plain) -> str:
    """The text of a .dot file."""
    return _Writer(document).write()
