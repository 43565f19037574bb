#!/usr/bin/env python3
"""Programs that train in a loop, with few and with many turns: findings, seconds, side by side.

    benchmarks/loops.py [--turns 1000000] [--only TEXT] [--every-batch] [--empty] [--cost]

Each program of loop_programs.py is checked by `shapeflow check` in a process of its own with 10 turns and
with --turns. Said of each: whether the findings and the status are the same, the seconds of processor time of
both and of the clock of the second; with --every-batch also the seconds without leaving any. A turn that is
wrong (777,777 of a million) must be found. --empty measures what watching costs an empty turn; --cost what it
costs a check without long loops, by valgrind, of the example and of 300 lines of tests/programs.
"""
from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, List, Tuple

import loop_programs

FEW = 10


def check(folder: Path, source: str, turns: int, *options: str) -> Tuple[Any, float, float, int]:
    """(report, seconds of the clock, seconds of processor time, exit status)."""
    script = folder / "train.py"
    script.write_text(f"TURNS = {turns}\n{source}")
    before, began = os.times(), time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "shapeflow", "check", "--format", "json", "--no-cache", "--no-suggestions",
         *options, "train.py"], cwd=folder, capture_output=True, text=True, check=False)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(done.stdout or "[]"), time.monotonic() - began, spent, done.returncode


def findings(report: Any) -> List[Any]:
    """What must be the same with any number of turns."""
    report = report[0] if isinstance(report, list) and report else report
    found = report.get("findings", []) if isinstance(report, dict) else []
    return sorted((item["code"], item["primary"]["line"] if item["primary"] else 0) for item in found
                  if item["severity"] != "note")


def compare(folder: Path, name: str, source: str, options: argparse.Namespace) -> bool:
    few, _, few_cpu, few_status = check(folder, source, FEW)
    many, many_wall, many_cpu, many_status = check(folder, source, options.turns)
    same = findings(few) == findings(many) and few_status == many_status
    words = f"{name:20} {'same' if same else 'DIFFERENT':10}{few_cpu:8.2f}{many_cpu:8.2f}{many_wall:8.2f}" \
        f"  +{many_cpu - few_cpu:.2f}"
    if options.every_batch:
        _, wall, cpu, _ = check(folder, source, options.turns, "--every-batch")
        words += f"{cpu:10.2f}{wall:8.2f}"
    print(words, flush=True)
    if not same:
        print(f"    {findings(few)} ({few_status}) and {findings(many)} ({many_status})")
    return same


EMPTY = """
import time
def best(function):
    return min(function() for _ in range(7))
def plain():
    began = time.perf_counter()
    for i in range(1_000_000):
        pass
    return time.perf_counter() - began
"""


def empty() -> None:
    """What a turn of an empty loop costs more when it is watched."""
    import builtins

    from shapeflow import _core
    from shapeflow.checker.loops import instrument

    for name, call in instrument.CALLS.items():
        setattr(builtins, name, call)
    plain: Any = {}
    exec(compile(EMPTY, "empty.py", "exec"), plain)
    watched: Any = {}
    tree: Any = instrument.marked(EMPTY, "empty.py")
    exec(compile(tree, "empty.py", "exec"), watched)
    _core.watch_loops(lambda loop: True, 1e9, 3)
    fast, slow = plain["best"](plain["plain"]), watched["best"](watched["plain"])
    _core.watch_loops(None)
    print(f"an empty turn: {fast * 1e3:.1f} ns, watched {slow * 1e3:.1f} ns: "
          f"{(slow - fast) * 1e3:.1f} ns more")


# No loop of theirs is long, but for valgrind they all are.
WITHOUT_LOOKING = """
import sys
from shapeflow import _core
watch = _core.watch_loops
_core.watch_loops = lambda decide, seconds=0, quiet=0: watch(decide, seconds * 1e6, quiet)
from shapeflow.cli import main
sys.exit(main(sys.argv[1:]))
"""
ROOT = Path(__file__).resolve().parent.parent
RIGHT = ("batch_matmul_rank_rule_115", "broadcast_that_is_meant", "ctc_speech", "dataset_epochs_end",
         "lstm_over_rows", "queue_epochs_end", "raw_rnn_decoder", "rnn_last_step", "sentences_batched_padded",
         "seq2seq_attention", "smoke_run_of_whole_batches")


def instructions(script: Path, *options: str) -> int:
    """Of a check, in all its processes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={folder}/out.%p",
             sys.executable, "-c", WITHOUT_LOOKING, "check", "--no-cache", "--no-suggestions", *options,
             script.name], cwd=script.parent, env=dict(os.environ, PYTHONHASHSEED="0"), capture_output=True,
            check=False)
        totals = [int(re.findall(r"^totals: (\d+)", path.read_text(), re.M)[0])
                  for path in Path(folder).glob("out.*")]
    # What is forked goes on with the counts of what it was forked from.
    return sum(totals) - (len(totals) - 1) * min(totals)


def cost() -> None:
    """What watching costs where nothing is left out."""
    import compileall

    import shapeflow

    compileall.compile_dir(str(Path(shapeflow.__file__).parent), quiet=1)  # a sandbox writes no .pyc
    with tempfile.TemporaryDirectory() as scratch:
        example, joined = Path(scratch) / "mnist_cnn.py", Path(scratch) / "programs.py"
        example.write_text((ROOT / "examples" / "mnist_cnn.py").read_text())
        joined.write_text("\ntf.reset_default_graph()\n".join(
            (ROOT / "tests" / "programs" / "cases" / f"{name}.py").read_text() for name in RIGHT))
        for script in (example, joined):
            watched, plain = instructions(script), instructions(script, "--every-batch")
            lines = len(script.read_text().splitlines())
            print(f"{script.name:16}{lines:4} lines {watched:14,} instructions, --every-batch {plain:14,}: "
                  f"{(watched / plain - 1) * 100:+.2f} %", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--turns", type=int, default=1_000_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--every-batch", action="store_true")
    parser.add_argument("--empty", action="store_true")
    parser.add_argument("--cost", action="store_true")
    options = parser.parse_args()
    if options.empty or options.cost:
        (empty if options.empty else cost)()
        return 0
    sources = {name: text for name, text in loop_programs.programs().items() if options.only in name}
    print(f"{'':20} {'findings':10}{FEW:>8}{options.turns:>8}{'clock':>8}" +
          (f"{'every batch':>12}" if options.every_batch else ""))
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, source in sources.items():
            if not compare(Path(scratch), name, source, options):
                wrong.append(name)
        for name, source in loop_programs.late("777_777").items():
            if options.only in name and options.turns > 777_777:
                report, wall, cpu, _ = check(Path(scratch), source, options.turns)
                print(f"{name:20} {findings(report)} {cpu:8.2f}{wall:8.2f}", flush=True)
                if not findings(report):
                    wrong.append(name)
    print(f"{len(sources) - len(wrong)} of {len(sources)} the same" +
          (f"; not: {', '.join(wrong)}" if wrong else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
