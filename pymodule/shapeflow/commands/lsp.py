"""`shapeflow lsp`: serves an editor over standard input and output."""
from __future__ import annotations

from shapeflow.commands.option_tables import Command, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence

COMMAND = Command("lsp", "serve an editor (language server over stdio)", [], None,
                  "shapeflow lsp")


def run(argv: Sequence[str], rest: List[str]) -> int:
    parse("shapeflow", COMMAND, argv)
    from shapeflow.lsp import main

    return main()
