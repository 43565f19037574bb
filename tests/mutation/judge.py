"""Verdicts on mutants: real TensorFlow's, ours, and what the two together say.

TensorFlow's are kept in verdicts.json under the mutant's text, so that a mutant is run there once.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterable, NamedTuple, Optional, Sequence, Set

from mutate import PROGRAMS, Mutant

HERE = Path(__file__).parent
KEPT = HERE / "verdicts.json"

FOUND, MISSED, FALSE, SILENT = "found", "missed", "false alarm", "silence"
SAME = "same exit"  # no finding, but the script ends with an exception at TensorFlow's line: exit 3
VALUES = "values"  # missed, and no shape tells: TensorFlow's words are one of these
_OF_VALUES = re.compile(
    r"indices\[.*\] = -?\d+ is not in \[0, \d+\)"  # the content of an embedding's ids
    r"|segment_ids\[.*\] = -?\d+ is out of range \[0, \d+\)"
    r"|Received a label value of -?\d+ which is outside the valid range"
)

Verdict = Dict[str, Any]


class TensorFlow:
    """The real one, in a process of its own."""

    def __init__(self, python: str) -> None:
        self._child = subprocess.Popen(
            [python, str(HERE / "tf_judge.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __call__(self, mutant: Mutant) -> Verdict:
        assert self._child.stdin is not None and self._child.stdout is not None
        question = {"name": mutant.program + ".py", "source": mutant.source}
        self._child.stdin.write(json.dumps(question) + "\n")
        self._child.stdin.flush()
        answer = self._child.stdout.readline()
        if not answer:
            raise RuntimeError("tf_judge.py ended")
        return json.loads(answer)

    def close(self) -> None:
        self._child.communicate()


class Verdicts:
    """TensorFlow's verdicts: the kept ones, and new ones where `python` has it."""

    def __init__(self, python: Optional[str] = None, path: Path = KEPT, fresh: bool = False) -> None:
        self._path = path
        self._python = python
        self._fresh = fresh  # asks again, whatever is kept
        self._live: Optional[TensorFlow] = None
        self.kept: Dict[str, Verdict] = json.loads(path.read_text()) if path.exists() else {}
        self.new = 0

    def __call__(self, mutant: Mutant) -> Optional[Verdict]:
        """None: not kept, and nobody to ask."""
        if mutant.key in self.kept and not self._fresh:
            return self.kept[mutant.key]
        if self._python is None:
            return None
        if self._live is None:
            self._live = TensorFlow(self._python)
        self.kept[mutant.key] = answer = self._live(mutant)
        self.new += 1
        if self.new % 20 == 0 and self._path != KEPT:
            self.save()
        return answer

    def save(self, only: Optional[Iterable[str]] = None, path: Optional[Path] = None) -> None:
        """Writes what is known, or of it `only` these keys, in a fixed order; elsewhere than it was read."""
        keys = sorted(self.kept if only is None else set(only) & set(self.kept))
        rows = [f"{json.dumps(key)}: {json.dumps(self.kept[key], sort_keys=True)}" for key in keys]
        (path or self._path).write_text("{\n" + ",\n".join(rows) + "\n}\n")

    def close(self) -> None:
        if self._live is not None:
            self._live.close()


def ours(mutant: Mutant) -> Verdict:
    """What `shapeflow check` says of the mutant, in a process of its own."""
    import shapeflow.checker.runner as runner

    path = str(PROGRAMS / (mutant.program + ".py"))
    report = runner.run(path, source_override=mutant.source, time_limit=60.0, cwd=str(PROGRAMS))
    errors = []
    for record in report.of("error"):
        spans = [record.primary, record.raised, *record.chain]
        errors.append(
            {
                "code": record.code,
                "message": record.message.strip()[:400],
                "op": record.op_type,
                "lines": [span.line if span else None for span in spans],
            }
        )
    return {"errors": errors, "failure": report.failure, "status": report.status, "ended": report.ended}


class Case(NamedTuple):
    mutant: Mutant
    theirs: Verdict
    ours: Verdict

    @property
    def places(self) -> Set[int]:
        """TensorFlow's lines: where the error surfaced, and where the failing node was made."""
        return {self.theirs["line"], self.theirs["node_line"]} - {None}

    @property
    def verdict(self) -> str:
        reported, failed = bool(self.ours["errors"]), self.ours["failure"] is not None
        if not self.theirs["fails"]:
            return FALSE if reported or failed else SILENT
        if reported:
            return FOUND
        if failed and any(f":{line}:" in self.ours["failure"] for line in self.places):
            return SAME
        return VALUES if _OF_VALUES.search(self.theirs["message"]) else MISSED

    @property
    def line(self) -> str:
        """right: the first finding is at TensorFlow's line (where the node was made, or where the error
        surfaced). planted: it is not, but at the line of the bug itself. forward: it is the op whose gradient
        TensorFlow blames. later: a further finding is.
        values: TensorFlow stopped before that at the content of a tensor."""
        if self.verdict == SAME:
            return "right"
        first, *rest = self.ours["errors"]
        if first["lines"][0] in self.places:
            return "right"
        if first["lines"][0] == self.mutant.line:
            return "planted"
        if first["lines"][1] in self.places and re.search(r"gradients/\S*_grad/", self.theirs["message"]):
            return "forward"
        if any(error["lines"][0] in self.places for error in rest):
            return "later"
        if _OF_VALUES.search(self.theirs["message"]):
            return "values"
        return "raised" if first["lines"][1] in self.places else "wrong"


def table(cases: Sequence[Case]) -> str:
    """Verdicts by kind of bug, and lines."""
    verdicts = (FOUND, SAME, MISSED, VALUES, FALSE, SILENT)
    rows: Dict[str, Counter] = {}
    for case in cases:
        rows.setdefault(case.mutant.kind, Counter())[case.verdict] += 1
    total: Counter = sum(rows.values(), Counter())
    lines = [f"{'kind':20}" + "".join(f"{v:>15}" for v in verdicts)]
    for name, counts in [*sorted(rows.items()), ("all", total)]:
        lines.append(f"{name:20}" + "".join(f"{counts[v]:>15}" for v in verdicts))
    where = Counter(case.line for case in cases if case.verdict in (FOUND, SAME))
    known = sum(where.values())
    lines.append("")
    lines.append(
        f"{len(cases)} mutants of {len({c.mutant.program for c in cases})} programs; "
        f"TensorFlow fails {total[FOUND] + total[SAME] + total[MISSED] + total[VALUES]}"
    )
    if known:
        good = where["right"] + where["planted"] + where["forward"]
        lines.append(
            f"line: {good} of {known} right ({100 * good / known:.1f} %): "
            + ", ".join(f"{name} {count}" for name, count in where.most_common())
        )
    return "\n".join(lines)


def describe(case: Case) -> str:
    """One case for whoever is to mend it."""
    said = [
        f"{e['code']} at {e['lines']}: {e['message'].splitlines()[0] if e['message'] else ''}"
        for e in case.ours["errors"]
    ]
    theirs = case.theirs
    words = (
        "runs"
        if theirs["fails"] is False
        else f"{theirs['class']} at {theirs['line']} (node {theirs['node_line']}): {theirs['message'][:300]}"
    )
    head = case.verdict
    if case.verdict in (FOUND, SAME):
        head += ", line " + case.line
    return "\n   ".join(
        [
            f"{head}: {case.mutant.title}  [{case.mutant.key}]",
            "tensorflow: " + words,
            *["ours: " + s for s in said or [case.ours["failure"] or "nothing"]],
        ]
    )


def is_bad(case: Case) -> bool:
    """A bug of ours: what depends on the content of tensors is not."""
    if case.verdict in (FOUND, SAME):
        return case.line in ("wrong", "raised")
    return case.verdict in (MISSED, FALSE)


def is_listed(case: Case) -> bool:
    """Is it to be told one by one?"""
    return is_bad(case) or case.verdict == VALUES or case.verdict == FOUND and case.line == "values"
