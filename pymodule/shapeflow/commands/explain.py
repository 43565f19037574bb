"""`shapeflow explain SF101`: what a code means, with a wrong and a right example."""
from __future__ import annotations

import sys

from shapeflow.commands.option_tables import Command, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence

COMMAND = Command("explain", "what a code such as SF101 means, with an example", [],
                  ("CODE", "*", "codes or their names (default: a list of all)"),
                  "shapeflow explain [CODE ...]")


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    import shapeflow.checker.explanations as explain

    if not arguments.paths:
        for each in explain.codes():
            print(f"{each.code}  {each.severity:<8} {each.title}")
        return 0
    found = []
    for name in arguments.paths:
        code = explain.find(name)
        if code is None:
            from shapeflow.checker.configuration import nearest

            known = [each.code for each in explain.codes()]
            near = nearest(name.upper(), known)
            print(f"shapeflow: no code {name!r}{near if near.startswith('; did') else ''} "
                  "(`shapeflow explain` lists them)", file=sys.stderr)
            return 2
        found.append(code)
    print("\n".join(explain.plain(code) for code in found), end="")
    return 0
