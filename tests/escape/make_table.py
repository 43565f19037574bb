"""Writes the table of docs/safety.md: what comes of each escape script in each layer, from running them all.

`python tests/escape/make_table.py [--layer LAYER] [NAME...]` needs a machine that has the layers, and root
(to whom more is possible). What is not run is kept as the page has it.
"""
from __future__ import annotations

import argparse
import functools
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness  # noqa: E402

PAGE = Path(__file__).resolve().parents[2] / "docs" / "safety.md"
BEGIN, END = "<!-- table: tests/escape/make_table.py -->", "<!-- end of the table -->"
_ROW = re.compile(r"\| \[\w+\]\(\.\./tests/escape/([\w/]+)\.py\): .* \| (.*) \| (.*) \| (.*) \|$")
HEADS = {
    "attempts/files": "Files", "attempts/processes": "Processes", "attempts/network": "Network",
    "attempts/kernel": "Below Python: the C library and the kernel",
    "attempts/python": "Against Python's own means", "attempts/deferred": "At a later time",
    "attempts/tensorflow": "What TensorFlow writes", "works": "What must work", "limits": "Limits",
}


def table(words: dict[tuple[str, str], str]) -> str:
    """Markdown; the script's name is a link to it."""
    lines = []
    listed = [script for script in harness.scripts() if script.kind != "same"]
    for head, heading in HEADS.items():
        lines += [f"### {heading}", "", "| script | " + " | ".join(harness.LAYERS) + " |",
                  "|---" * (1 + len(harness.LAYERS)) + "|"]
        for script in listed:
            if script.id.rpartition("/")[0] == head:
                title = script.title.replace("|", "\\|")
                cells = [f"[{script.id.rpartition('/')[2]}](../tests/escape/{script.id}.py): {title}"]
                for layer in harness.LAYERS:
                    word = words.get((script.id, layer), "?")
                    cells.append(f"**{word}**" if word == "not held" else word)
                lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


@functools.lru_cache(maxsize=None)
def documented() -> dict[tuple[str, str], str]:
    """(script, layer) = word, as the page has it."""
    words = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        found = _ROW.match(line)
        if found:
            for layer, word in zip(harness.LAYERS, found.groups()[1:]):
                words[found[1], layer] = word.strip("*")
    return words


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes the table of docs/safety.md.")
    parser.add_argument("--layer", action="append", choices=harness.LAYERS)
    parser.add_argument("names", nargs="*", help="parts of names")
    arguments = parser.parse_args()
    layers = []
    for layer in arguments.layer or harness.LAYERS:
        there, why = harness.available(layer)
        layers += [layer] if there else []
        if not there:
            print(f"not here, and kept as it was: {layer}: {why}")
    asked = []
    for script in harness.scripts():
        lacks = script.lacks()
        if lacks:
            print(f"not here, and kept as it was: {script.id} needs {lacks}")
        elif script.kind != "same" and (not arguments.names
                                        or any(name in script.id for name in arguments.names)):
            asked.append(script)
    words = dict(documented())
    wrong = 0
    pairs = [(script, layer) for layer in layers for script in asked]
    with ThreadPoolExecutor(harness.JOBS) as pool:
        for result in pool.map(lambda pair: harness.run(*pair), pairs):
            words[result.script.id, result.layer] = result.word
            if result.wrong or result.harms and result.layer == "namespaces":
                wrong += 1
                print(result)
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{table(words)}\n{END}{after}", encoding="utf-8")
    print(f"{len(pairs)} runs, {wrong} of them wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
