"""What memory.py and memory_eager.py share: the real TensorFlow in a process of its own, and the table."""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile


def print_table(rows, told, measured):
    """rows: {(name, how): the keys of its batches, which end with them}."""
    widest = max(map(len, rows.values()))
    print("| model | how |" + " batch | TensorFlow | ours | off |" * widest)
    print("|" + "---|" * (2 + 4 * widest))
    errors = []
    for (name, how), keys in rows.items():
        cells = []
        for key in keys:
            error = told[key] / measured[key] - 1
            errors.append(abs(error))
            cells.append(f"{key.rpartition('|')[2]} | {measured[key]:,} | {told[key]:,} | {error:+.1%}")
        print(f"| {name} | {how} | " + " | ".join(cells) + " |")
    errors.sort()
    print(f"\n{len(errors)} runs: median {errors[len(errors) // 2]:.1%}, worst {errors[-1]:.1%}, "
          f"{sum(e <= 0.15 for e in errors)} within 15 %")


def main(doc, option, real, ours, show, models):
    """`real(path, models)` runs under the Python that `option` names and writes its answers to `path`;
    `ours(folder)` answers with the same keys."""
    parser = argparse.ArgumentParser(description=doc.partition("\n")[0])
    parser.add_argument(option, dest="python", help="a Python with the real TensorFlow")
    parser.add_argument("--real", help=argparse.SUPPRESS)
    parser.add_argument("models", nargs="*", help="these alone")
    arguments = parser.parse_args()
    if arguments.real:
        return real(arguments.real, models)
    if not arguments.python:
        sys.exit(f"SKIPPED ALOUD: {option} names no Python with TensorFlow")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "real.json")
        script = os.path.abspath(sys.argv[0])
        subprocess.run([arguments.python, script, "--real", path, *arguments.models], check=True,
                       stderr=subprocess.DEVNULL)
        with open(path) as read:
            measured = json.load(read)
        show(ours(folder), measured)
