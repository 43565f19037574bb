"""`shapeflow summary SCRIPT`: the variables of a script by scope: how many, their parameters and bytes."""
from __future__ import annotations

import sys

from shapeflow.cmdline import Command, Option, parse, run_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence

COMMAND = Command("summary", "the variables of a script by scope, with shapes and sizes", [
    Option("--json", help="every variable, as one JSON document"),
    *run_options(),
], ("SCRIPT", "+", "one script"), "shapeflow summary [options] SCRIPT [-- ARGS]",
    "Runs the script with shapes only, and lists the variables that it leaves.")


def variables_of(items: Sequence[Any]) -> List[Dict[str, Any]]:
    """Each variable once: name, shape, dtype, parameters (None: unknown), bytes, is it trained."""
    found: Dict[Any, Dict[str, Any]] = {}
    for item in items:
        try:
            name = str(item.name).split(":")[0]
            shape, dtype = item.shape, item.dtype.base_dtype
        except (AttributeError, TypeError, ValueError):
            continue  # a part of something else, or not yet made
        count = shape.num_elements()
        tensor = getattr(item, "_tensor", None)
        key = (name, id(getattr(tensor, "op", item)) if hasattr(tensor, "graph") else id(item))
        found[key] = {
            "name": name, "shape": str(shape), "dtype": dtype.name, "parameters": count,
            "bytes": None if count is None else count * max(dtype.size, 1),
            "trainable": bool(getattr(item, "trainable", True)),
        }
    return sorted(found.values(), key=lambda variable: variable["name"])


def _sum(values: Sequence[Optional[int]]) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known):,}" + ("" if len(known) == len(values) else " + ?")


def _size(values: Sequence[Optional[int]]) -> str:
    total = float(sum(value or 0 for value in values))
    for unit in ("B", "KiB", "MiB", "GiB"):
        if total < 1024 or unit == "GiB":
            return f"{total:.0f} {unit}" if unit == "B" else f"{total:.1f} {unit}"
        total /= 1024
    return ""


def table(variables: Sequence[Dict[str, Any]]) -> str:
    scopes: Dict[str, List[Dict[str, Any]]] = {}
    for variable in variables:
        scopes.setdefault(variable["name"].rpartition("/")[0] or "(none)", []).append(variable)
    width = max([len(scope) for scope in scopes] + [len("scope")])
    lines = [f"{'scope':<{width}}  {'variables':>9}  {'parameters':>14}  {'size':>10}  shapes"]
    for scope, inside in [*scopes.items(), ("all", list(variables))]:
        shapes = ", ".join(f"{v['name'].rpartition('/')[2]} {v['shape']}" for v in inside[:4])
        if len(inside) > 4:
            shapes += f", and {len(inside) - 4} more"
        parameters, size = [v["parameters"] for v in inside], [v["bytes"] for v in inside]
        line = f"{scope:<{width}}  {len(inside):>9}  {_sum(parameters):>14}  {_size(size):>10}"
        lines.append(line if scope == "all" else f"{line}  {shapes}")
    return "\n".join(lines)


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    if len(arguments.paths) != 1:
        from shapeflow.cmdline import fail

        return fail("shapeflow summary", "one script at a time")
    import shapeflow.commands._taken as taken

    status, variables = taken.take(arguments.paths[0], rest, arguments,
                                   lambda taker: variables_of(taker.variables))
    if variables is None:
        return status
    if arguments.json:
        import json

        print(json.dumps({"version": 1, "script": arguments.paths[0], "variables": variables}, indent=1))
    elif variables:
        print(table(variables))
    else:
        print("shapeflow: the script left no variables", file=sys.stderr)
    return status
