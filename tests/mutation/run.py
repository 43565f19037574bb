#!/usr/bin/env python3
"""The mutation study: plants bugs into tests/mutation/programs and compares us with TensorFlow.

tests/mutation/run.py --oracle PYTHON                  the long run: 600 mutants, the table, what differs
tests/mutation/run.py --oracle PYTHON --programs a,b   only these; --only KIND, --mutants 50
tests/mutation/run.py --show KEY                       one mutant: its text, both verdicts
tests/mutation/run.py --oracle PYTHON --keep           rewrites verdicts.json for the short run in CI
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import judge  # noqa: E402
import mutate  # noqa: E402
from mutate import LONG, SEED, SHORT  # noqa: E402


def show(mutant: mutate.Mutant, case: judge.Case) -> None:
    before = (mutate.PROGRAMS / (mutant.program + ".py")).read_text().splitlines()
    print("\n".join(difflib.unified_diff(before, mutant.source.splitlines(), lineterm="", n=0)))
    print(judge.describe(case))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--oracle", default=os.environ.get("SHAPEFLOW_ORACLE"), help="a Python with TensorFlow 2.21"
    )
    parser.add_argument("--mutants", type=int, default=LONG)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--programs", help="names, with commas")
    parser.add_argument("--only", help="kinds of bug, with commas")
    parser.add_argument("--fresh", action="store_true", help="ask TensorFlow again, whatever is kept")
    parser.add_argument(
        "--verdicts",
        type=Path,
        default=judge.KEPT,
        help="another file for TensorFlow's verdicts, kept from run to run",
    )
    parser.add_argument("--show", metavar="KEY")
    parser.add_argument(
        "--keep", action="store_true", help=f"keep the verdicts on {SHORT} mutants, and no more"
    )
    parser.add_argument("--quiet", action="store_true", help="the table alone")
    options = parser.parse_args()

    names = options.programs.split(",") if options.programs else None
    mutants = mutate.sample(SHORT if options.keep else options.mutants, options.seed, names)
    if options.show:
        mutants = [m for p in mutate.programs(names) for m in p.mutants() if m.key.startswith(options.show)]
    if options.only:
        mutants = [m for m in mutants if m.kind in options.only.split(",")]
    verdicts = judge.Verdicts(options.oracle, options.verdicts, options.fresh)
    cases, started = [], time.monotonic()
    for number, mutant in enumerate(mutants, 1):
        theirs = verdicts(mutant)
        if theirs is None:
            continue
        case = judge.Case(mutant, theirs, judge.ours(mutant))
        cases.append(case)
        if options.show:
            show(mutant, case)
        elif not options.quiet and judge.is_listed(case):
            print(f"{number}: {judge.describe(case)}", flush=True)
    if options.keep:
        verdicts.save((mutant.key for mutant in mutants), judge.KEPT)
    elif verdicts.new and options.verdicts != judge.KEPT:
        verdicts.save()
    verdicts.close()
    if not options.show:
        print(judge.table(cases))
        print(
            f"{time.monotonic() - started:.0f} s, seed {options.seed}, "
            f"{len(mutants) - len(cases)} without a verdict of TensorFlow"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
