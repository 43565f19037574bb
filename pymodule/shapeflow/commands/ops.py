"""`shapeflow ops [NAME ...]`: the op registry as a table, or as JSON for tools."""
from __future__ import annotations

import sys

from shapeflow.commands.option_tables import Command, Option, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence

COMMAND = Command(
    "ops", "the op registry: which raw ops are modelled", [
        Option("--json", help="signatures and flags of every op, as one JSON document"),
        Option("--unmodelled", help="only ops whose shapes are unknown"),
    ], ("NAME", "*", "ops to show with their signature (default: all, names only)"),
    "shapeflow ops [--json] [--unmodelled] [NAME ...]")


def _argument(item: Dict[str, Any]) -> str:
    kind = item["type_attr"] or item["type_list_attr"] or item["dtype"] or "?"
    return f"{item['name']}: {item['number_attr'] + ' * ' if item['number_attr'] else ''}{kind}"


def _attr(item: Dict[str, Any]) -> str:
    kind = f"list({item['type']})" if item["list"] else item["type"]
    if item["allowed"]:
        kind += " in {" + ", ".join(map(str, item["allowed"])) + "}"
    return f"{item['name']}: {kind}" + (f" = {item['default']!r}" if item["has_default"] else "")


def signature(info: Dict[str, Any]) -> str:
    """One op in full, as a paragraph."""
    flags = [name for name in ("stateful", "random") if info[name]]
    known = "modelled" if info["modelled"] else "shapes unknown"
    lines = [f"{info['name']}  ({', '.join([info['family'], known, *flags])})"]
    for head, items, word in (("inputs", info["inputs"], _argument), ("outputs", info["outputs"], _argument),
                              ("attrs", info["attrs"], _attr)):
        lines += [f"  {head if i == 0 else '':<8} {word(item)}" for i, item in enumerate(items)]
    return "\n".join(lines)


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    from shapeflow import _core

    every = sorted(_core.raw_op_names())
    names = arguments.paths or every
    known = set(every)
    for name in names:
        if name not in known:
            from shapeflow.checker.configuration import nearest

            print(f"shapeflow: no op {name!r} in the registry"
                  f"{nearest(name, every) if _near(name, every) else ''}", file=sys.stderr)
            return 2
    infos = [_core.op_info(name) for name in names]
    infos = [info for info in infos if not info["internal"] or arguments.paths]
    if arguments.unmodelled:
        infos = [info for info in infos if not info["modelled"] and info["outputs"]]
    if arguments.json:
        import json

        print(json.dumps({"version": 1, "ops": infos}, indent=1, sort_keys=True, default=str))
        return 0
    if arguments.paths:
        print("\n\n".join(signature(info) for info in infos))
        return 0
    families: Dict[str, List[str]] = {}
    for info in infos:
        mark = "" if info["modelled"] or not info["outputs"] else "?"
        families.setdefault(info["family"], []).append(info["name"] + mark)
    import textwrap

    for family, found in sorted(families.items()):
        print(f"{family} ({len(found)})")
        print(textwrap.fill(" ".join(found), 100, initial_indent="  ", subsequent_indent="  ",
                            break_long_words=False, break_on_hyphens=False))
    unknown = sum(not info["modelled"] and bool(info["outputs"]) for info in infos)
    print(f"\n{len(infos)} ops, {len(infos) - unknown} modelled; of those with a ? only the signature is "
          "known, and their shapes are unknown")
    return 0


def _near(name: str, every: Sequence[str]) -> bool:
    from difflib import get_close_matches

    return bool(get_close_matches(name, every, 1, 0.6))
