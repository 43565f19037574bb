"""`shapeflow graph SCRIPT`: the shape graph that a script leaves, as JSON or dot."""
from __future__ import annotations

import sys

from shapeflow.cmdline import Command, Option, parse, run_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence

COMMAND = Command("graph", "the graph of a script, with shapes, as JSON or dot", [
    Option("--format", "text", "json (default) or dot", choices=("json", "dot"), default="json"),
    Option("--output", "text", "write to FILE instead of standard output", "FILE"),
    *run_options(),
], ("SCRIPT", "+", "one script"), "shapeflow graph [options] SCRIPT [-- ARGS]",
    "Runs the script with shapes only, and writes the largest graph that it made.")


def nodes_of(graph: Any) -> List[Dict[str, Any]]:
    """Each node: name, type, inputs, control inputs, and shape and dtype of its outputs."""
    return [{
        "name": op.name, "op": op.type,
        "inputs": [tensor.name for tensor in op.inputs],
        "control_inputs": [other.name for other in op.control_inputs],
        "outputs": [{"shape": str(tensor.get_shape()), "dtype": tensor.dtype.name}
                    for tensor in op.outputs],
    } for op in graph.get_operations()]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def as_dot(nodes: Sequence[Dict[str, Any]]) -> str:
    lines = ["digraph shapeflow {", "  rankdir=TB;", "  node [shape=box, fontsize=10];"]
    for node in nodes:
        shapes = ", ".join(output["shape"] for output in node["outputs"])
        label = "\\n".join(part.replace("\\", "\\\\").replace('"', '\\"')
                           for part in (node["name"], f"{node['op']} {shapes}".strip()))
        lines.append(f'  {_quoted(node["name"])} [label="{label}"];')
        for name in node["inputs"]:
            lines.append(f"  {_quoted(name.split(':')[0])} -> {_quoted(node['name'])};")
        for name in node["control_inputs"]:
            lines.append(f"  {_quoted(name)} -> {_quoted(node['name'])} [style=dashed];")
    return "\n".join([*lines, "}"])


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    if len(arguments.paths) != 1:
        from shapeflow.cmdline import fail

        return fail("shapeflow graph", "one script at a time")
    import shapeflow.commands._taken as taken

    status, nodes = taken.take(arguments.paths[0], rest, arguments,
                               lambda taker: nodes_of(taker.graphs[0]) if taker.graphs else [])
    if nodes is None:
        return status
    if not nodes:
        print("shapeflow: the script made no graph (an eager program has none outside of tf.function)",
              file=sys.stderr)
    if arguments.format == "dot":
        text = as_dot(nodes)
    else:
        import json

        text = json.dumps({"version": 1, "script": arguments.paths[0], "nodes": nodes}, indent=1)
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as stream:
            stream.write(text + "\n")
    else:
        print(text)
    return status
