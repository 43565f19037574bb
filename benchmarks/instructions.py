"""Instructions of one inference of each of the hundred most used ops, by valgrind's callgrind.

    python benchmarks/instructions.py BUILD/benchmarks/bench_infer            compares with instructions.json
    python benchmarks/instructions.py BUILD/benchmarks/bench_infer --update   writes it anew

Counts do not depend on the machine's load, unlike times: the same binary gives the same counts. Other
compilers and C libraries differ a little, hence the margin. Exit status 1: an op, or the mean, costs more
than its margin allows. An op that became much cheaper is said, so that the file is written anew.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COUNTS = Path(__file__).with_name("instructions.json")
TIMES = 50
MARGIN, MARGIN_OF_MEAN = 0.15, 0.05  # relative
FEW = 100  # instructions that an op may always gain: a check more


def measure(program):
    """{op: instructions of one inference}."""
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=%s/out" % folder,
                        program, str(TIMES)], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        for path in Path(folder).iterdir():
            text = path.read_text()
            op = re.search(r"^desc: Trigger: Client Request: (\w+)$", text, re.M)
            if op:
                total = re.search(r"^totals: (\d+)", text, re.M)
                counts[op[1]] = int(total[1]) // TIMES
    return dict(sorted(counts.items()))


def compare(counts, committed):
    """What is wrong, as lines."""
    wrong = ["%s: not measured" % op for op in committed if op not in counts]
    for op, count in counts.items():
        before = committed.get(op)
        if before is None:
            wrong.append("%s: %d instructions, not in %s" % (op, count, COUNTS.name))
        elif count > before * (1 + MARGIN) + FEW:
            wrong.append("%s: %d instructions, was %d" % (op, count, before))
        elif count < before * (1 - MARGIN) - FEW:
            print("%s: %d instructions, was %d: write the file anew (--update)" % (op, count, before))
    mean, was = sum(counts.values()) / len(counts), sum(committed.values()) / len(committed)
    if mean > was * (1 + MARGIN_OF_MEAN):
        wrong.append("mean: %.0f instructions, was %.0f" % (mean, was))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", help="bench_infer, built with -DSF_BENCHMARKS=ON")
    parser.add_argument("--update", action="store_true", help="write %s anew" % COUNTS.name)
    args = parser.parse_args()
    counts = measure(args.program)
    if not counts:
        sys.exit("%s dumped no counts: was it built where <valgrind/callgrind.h> is?" % args.program)
    print("%d ops, mean %.0f instructions" % (len(counts), sum(counts.values()) / len(counts)))
    if args.update:
        COUNTS.write_text(json.dumps(counts, indent=1) + "\n")
        return
    wrong = compare(counts, json.loads(COUNTS.read_text()))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
