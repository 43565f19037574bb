#!/usr/bin/env python3
"""The end of tests/run.sh: a line for each step, the slowest tests, and the sum: summary.py FOLDER

FOLDER has steps.tsv, and for a step ID what its tests wrote: ID.xml is pytest's, ID.ctest is CTest's. A step
without them counts as one test. The exit status is 1 when anything failed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

SLOWEST = 20
SKIPPED = "77"


class Counts(NamedTuple):
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def plus(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self, other)))


def cpu_seconds(times: str) -> float:
    """Of what bash's `times` said before and after a step: user and system time of the children."""
    numbers = [int(m) * 60 + float(s) for m, s in re.findall(r"(\d+)m([\d.]+)s", times.replace(",", "."))]
    return numbers[6] + numbers[7] - numbers[2] - numbers[3]


def of_pytest(path: Path) -> tuple[Counts, list[tuple[float, str]]]:
    counts, slow = Counts(), []
    for case in ElementTree.parse(path).iter("testcase"):
        kinds = {child.tag for child in case}
        failed = bool(kinds & {"failure", "error"})
        skipped = not failed and "skipped" in kinds
        counts = counts.plus(Counts(not failed and not skipped, failed, skipped))
        slow.append((float(case.get("time", 0)), f"{case.get('classname')}::{case.get('name')}"))
    return counts, slow


def of_ctest(path: Path) -> tuple[Counts, list[tuple[float, str]]]:
    """Each case is Criterion's program, whose synthesis counts its tests, or one test."""
    counts, slow = Counts(), []
    for case in re.split(r"^\d+/\d+ Testing: ", path.read_text(errors="replace"), flags=re.M)[1:]:
        case = re.sub(r"\x1b\[[\d;]*m", "", case)  # colours
        found = re.search(r"Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+)", case)
        # "Pass Reason" stands where a case passes by PASS_REGULAR_EXPRESSION.
        good = re.search(r"^Test Pass(ed\.| Reason:)", case, re.M) is not None
        if found:
            tested, passed, failing, crashing = map(int, found.groups())
            counts = counts.plus(Counts(passed, failing + crashing, tested - passed - failing - crashing))
            if not good and not failing + crashing:
                counts = counts.plus(Counts(failed=1))
        else:
            counts = counts.plus(Counts(good, not good))
        seconds = re.search(r"Test time =\s*([\d.]+) sec", case)
        slow.append((float(seconds[1]) if seconds else 0.0, f"ctest {case.splitlines()[0]}"))
    return counts, slow


def main(folder: Path) -> int:
    total, slow, wall, cpu = Counts(), [], 0, 0.0
    print(f"\n=== summary\n{'passed':>6} {'failed':>6} {'skipped':>7} {'seconds':>8} {'CPU-s':>6}  step")
    for line in (folder / "steps.tsv").read_text().splitlines():
        name, title, status, began, ended, times = line.split("\t")
        counts, note = Counts(), ""
        for suffix, read in ((".xml", of_pytest), (".ctest", of_ctest)):
            if (folder / (name + suffix)).exists():
                found, tests = read(folder / (name + suffix))
                counts = counts.plus(found)
                slow += [(seconds, f"{test}  ({name})") for seconds, test in tests]
        if status.startswith("not run"):
            counts, note = Counts(skipped=1), f" ({status})"
        elif status == SKIPPED:
            counts = counts.plus(Counts(skipped=1))
        elif status != "0" and not counts.failed:  # it crashed, or a sanitizer complained
            counts, note = counts.plus(Counts(failed=1)), f" (exit status {status})"
        elif status == "0" and counts == Counts():
            counts = Counts(passed=1)
        total = total.plus(counts)
        seconds, processor = int(ended) - int(began), cpu_seconds(times)
        wall, cpu = wall + seconds, cpu + processor
        numbers = f"{counts.passed:6} {counts.failed:6} {counts.skipped:7} {seconds:8} {processor:6.0f}"
        print(f"{numbers}  {title}{note}")
    print(f"{'':6} {'':6} {'':7} {wall:8} {cpu:6.0f}  together")
    print(f"\n=== the {SLOWEST} slowest tests, in seconds")
    for seconds, test in sorted(slow, reverse=True)[:SLOWEST]:
        print(f"{seconds:8.1f}  {test}")
    print(f"\n{total.passed} passed, {total.failed} failed, {total.skipped} skipped")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
