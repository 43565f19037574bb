"""The search: candidates in order of their size, each tried on the whole program, the first few that
hold kept."""

from __future__ import annotations

import difflib
import os
import re
import time

from shapeflow.checker.library_frames import is_library
from shapeflow.checker.source_lines import is_plain
from shapeflow.fixes import batches, calls, examples, feeds, labels, layers, operands, sizes, steps
from shapeflow.fixes.begun import Begun
from shapeflow.fixes.context import Candidate, Context
from shapeflow.fixes.source import Edit, Source, apply_edits, moved
from shapeflow.fixes.trial import Server, identity
from shapeflow.sandbox import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

    from shapeflow.checker.findings import Record, Report

    Texts = Dict[str, str]  # by absolute path
    Generator = Callable[[Context], Iterator[Candidate]]

GENERATORS: Tuple[Generator, ...] = (
    calls.swapped,
    feeds.swapped,
    calls.matmul,
    feeds.fed,
    feeds.class_numbers,
    feeds.without_colours,
    operands.reformed,
    sizes.reshape,
    sizes.rows,
    sizes.swapped,
    sizes.changed,
    sizes.scaled,
    steps.thresholds,
    steps.reused,
    steps.static_shapes,
    steps.unvalidated,
    steps.undone,
    labels.losses,
    layers.flatten,
    layers.sequences,
    layers.inputs,
    examples.one_example,
    examples.unbatched,
    examples.channels,
    examples.without_channels,
    calls.padding,
    calls.axes,
    calls.axes_too_far,
    calls.orders,
    batches.open_batch,
    batches.batched_later,
    batches.whole_batches,
)


TRIALS = 60  # 2 s, where a trial takes the usual 0.03 s
SECONDS = 30.0


class SearchOptions:
    """How a search is bounded and how the program is run.

    trials: for all findings of a script (SHAPEFLOW_SUGGEST_TRIALS, else TRIALS), so that a busy machine finds
    what an idle one does; seconds: after which a search is cut short nevertheless, for programs that are slow
    themselves (SHAPEFLOW_SUGGEST_SECONDS, else 30); candidates: for one finding; wanted: fixes shown for one.
    tell: called with the trials made and those that are planned, before each."""

    def __init__(
        self,
        args: Sequence[str] = (),
        tf_version: Optional[str] = None,
        mode: Optional[str] = None,
        overrides: Optional[Dict[str, str]] = None,
        cwd: Optional[str] = None,
        seconds: Optional[float] = None,
        candidates: int = 60,
        wanted: int = 3,
        findings: int = 4,
        data: Optional[Dict[str, Any]] = None,
        root: str = ".",
        policy: Optional[Policy] = None,
        missing_imports: Optional[Dict[str, str]] = None,
        trials: Optional[int] = None,
        tell: Optional[Callable[[int, int], None]] = None,
        module: str = "",
        every_batch: bool = False,
        lent: Optional[Dict[str, Any]] = None,
    ) -> None:
        self.lent = lent or {}  # what the run was lent that made the findings: CheckOptions.lent
        self.every_batch = every_batch  # of the loops: in the trials too
        self.missing_imports = missing_imports
        self.args = list(args)
        self.tf_version = tf_version
        self.mode = mode
        self.overrides = dict(overrides or {})
        self.cwd = cwd
        if seconds is None:
            seconds = float(os.environ.get("SHAPEFLOW_SUGGEST_SECONDS") or SECONDS)
        if trials is None:
            trials = int(os.environ.get("SHAPEFLOW_SUGGEST_TRIALS") or TRIALS)
        self.seconds = seconds
        self.trials = trials
        self.tell = tell
        self.module = module
        self.candidates = candidates
        self.wanted = wanted
        self.findings = findings
        self.data = data or {}  # as check.CheckOptions has them
        self.root = root
        self.policy = policy or Policy.default()  # what a trial may do


_ACCIDENT = 8  # tokens: after what may be meant
# A trial has no machine and follows no numbers: any edit would seem to mend these, and one that makes an
# operation would seem to mend that nothing was checked.
_NOT_TRIED = ("SF309", "SF310", "SF601", "SF602", "SF603", "SF905", "SF907")


def candidates(context: Context) -> List[Candidate]:
    """All candidates for one finding, each once, the smallest edit first."""

    def each() -> Iterator[Candidate]:
        for generator in GENERATORS:
            try:
                yield from generator(context)
            except (LookupError, ValueError, TypeError, AttributeError, RecursionError):
                if os.environ.get("SHAPEFLOW_FIXES_DEBUG"):
                    raise
                continue  # an odd program: one kind of candidate less

    found = context.unique(each())
    short = batches.short_batch(context) and any(candidate.kind == "drop" for candidate in found)
    other_loss = any(candidate.kind == "labels" for candidate in found)
    for candidate in found:
        candidate.measure(context.sources, context.record.primary)
        if other_loss and candidate.kind == "size" and any(edit.text == "1" for edit in candidate.edits):
            candidate.weight += _ACCIDENT  # a model of one class fits class numbers, and is no model
        if short and candidate.kind == "size":
            candidate.weight += _ACCIDENT  # a batch size that happens to divide the data
    found.sort(key=Candidate.rank)
    return found


class Search:
    """Tries candidates for the findings of one report. `cut`: why it ended before its budget did."""

    def __init__(self, report: Report, options: SearchOptions) -> None:
        self.options = options
        self.cwd = options.cwd or os.getcwd()
        self.script = report.script
        self.report = report
        self.deadline = time.monotonic() + options.seconds
        self.limit = options.seconds  # of one trial
        self.trials = 0
        self.planned = 0
        self.cut = ""
        self.server: Any = None
        self.base = report
        self.begun: Optional[Begun] = None  # trials of the finding that is being mended
        self.targets: List[Record] = []

    # --- running ------------------------------------------------------------------------------
    def left(self) -> float:
        return self.deadline - time.monotonic()

    def _run(
        self, texts: Texts, watch: Sequence[Any], allowed: Sequence[Any], scout: bool = False
    ) -> Dict[str, Any]:
        answer: Dict[str, Any] = self.server.run(self.job(texts, watch, allowed, scout))
        if not answer and self.server.has_ended():
            self.cut = self.cut or "early: the process of its trials ended"
        return answer

    def job(
        self, texts: Texts, watch: Sequence[object], allowed: Sequence[object], scout: bool = False
    ) -> Dict[str, Any]:
        """What the server takes: a run of the whole program with other texts."""
        return {
            "script": self.script,
            "args": self.options.args,
            "tf_version": self.options.tf_version,
            "mode": self.options.mode,
            "module": self.options.module,
            "overrides": {**self.options.overrides, **texts},
            "cwd": self.cwd,
            "time_limit": max(0.5, min(self.limit, self.left())),
            "watch": list(watch),
            "allowed": list(allowed),
            "scout": scout,
            "data": self.options.data,
            "root": self.options.root,
            "missing_imports": self.options.missing_imports,
            "every_batch": self.options.every_batch,
            "lent": self.options.lent,
            "policy": self.options.policy.to_plain(),
        }

    def _load(self, records: Sequence[Record], texts: Texts) -> Dict[str, Source]:
        """The files that the findings name and that may be edited: those below the script's folder."""
        script = os.path.abspath(os.path.join(self.cwd, self.script))
        root = os.path.dirname(script) + os.sep
        paths = {script}
        for record in records:
            spans = [record.primary, record.raised, *record.chain, *[o.made_at for o in record.operands]]
            for origin in record.origins:
                spans += [*origin.path, *getattr(origin, "chain", ())]
            paths |= {span.path for span in spans if span is not None}
        found = {}
        for path in paths:
            full = os.path.normpath(os.path.join(self.cwd, path))
            if not full.startswith(root) or is_library(full, script):
                continue
            try:
                text = texts.get(full, self.options.overrides.get(full))
                if text is None:
                    if not is_plain(full):
                        continue
                    with open(full, encoding="utf-8", newline="") as stream:
                        text = stream.read()
                found[path] = Source(path, text)
            except (OSError, SyntaxError, ValueError, RecursionError):
                continue
        return found

    # --- the search ---------------------------------------------------------------------------
    def run(self) -> None:
        """Fills Record.fixes of the report's errors and warnings."""
        found = self.report.of("error") + self.report.of("warning")
        self.targets = [r for r in found if r.primary is not None and r.code not in _NOT_TRIED][
            : self.options.findings
        ]
        if not self.targets:
            return
        with Server() as self.server:
            sources = self._load(self.targets, {})
            judges = [Judge(record, sources) for record in self.targets]
            scout = self._run({}, [p for judge in judges for p in judge.watch(())], [], scout=True)
            if "report" not in scout:
                self._is_over(0)
                return
            from shapeflow.checker.findings import Report as New

            self.base = New.from_json(scout["report"])
            self.server.preload(scout["heavy"])
            counts, unknown = iter(scout["seen"]), iter(scout["unknown"])
            for judge in judges:
                judge.base = self.base
                judge.before = [next(counts) for _ in judge.places]
                judge.vague = [bool(next(unknown)) for _ in judge.places]
            self.limit = max(_LEAST, _SLOWER * float(scout["seconds"]))
            sought = []
            for judge in judges:
                made_up = self._candidates(judge.record, sources, frames_of(judge.record, scout))
                sought.append((judge, made_up))
                judge.record.tried = 0
            self.planned = min(self.options.trials, sum(len(made_up) for _, made_up in sought))
            for i, (judge, made_up) in enumerate(sought):
                share = (self.options.trials - self.trials) // (len(sought) - i)
                self._one(judge, sources, made_up, self.trials + share)
        for record in self.targets:
            record.fixes.sort(key=lambda fix: not fix["clean"])
            del record.fixes[self.options.wanted :]

    def _candidates(
        self, record: Record, sources: Dict[str, Source], frames: List[Any]
    ) -> List[Candidate]:
        try:
            return candidates(Context(record, sources, frames))[: self.options.candidates]
        except LookupError:
            return []

    def _one(
        self, judge: Judge, sources: Dict[str, Source], found: List[Candidate], until: int
    ) -> None:
        """The candidates for one finding; when none holds, those that lead to another finding, mended too.
        `until`: the trials that may have been made then."""
        record, steps, beyond = judge.record, [], 0
        kept: Set[Tuple[Any, ...]] = set()
        self.begun = Begun(self, judge, self._texts(sources, found[: until - self.trials]))
        for candidate in self._bounded(found, until):
            enough = len(record.fixes) >= self.options.wanted
            clean = sum(fix["clean"] for fix in record.fixes)
            beyond += enough
            if clean >= self.options.wanted or (enough and (clean or beyond > _BEYOND)):
                break
            step = Step(sources, candidate)
            if not step.texts or _said(candidate) in kept:
                continue
            answer = self._try(judge, [step])
            if judge.holds(answer, [candidate]):
                self._keep(record, [step], answer)
                kept.add(_said(candidate))
            elif judge.moves_on(answer):
                steps.append(step)
        if not record.fixes:
            for step in steps[:_STEPS]:
                self._two(judge, step, until)

    def _texts(self, sources: Dict[str, Source], found: Sequence[Candidate]) -> List[str]:
        """What the candidates make of the script, as far as they edit nothing else."""
        script = os.path.abspath(os.path.join(self.cwd, self.script))
        texts = []
        for candidate in found:
            paths = {edit.path for edit in candidate.edits}
            if {os.path.abspath(path) for path in paths} == {script}:
                try:
                    texts.append(apply_edits(sources[paths.pop()].text, candidate.edits))
                except ValueError:
                    continue  # Step says so
        return texts

    def _two(self, judge: Judge, first: Step, until: int) -> None:
        """What the first edit led to is a finding of its own: candidates for that one on top."""
        if self._is_over(until):
            return
        scout = self._run(first.texts, [], [], scout=True)
        if "report" not in scout:
            return
        from shapeflow.checker.findings import Report as New

        later = judge.new(New.from_json(scout["report"]))
        if len(later) != 1 or later[0].primary is None:
            return
        sources = self._load([*later, judge.record], first.texts)
        found = self._candidates(later[0], sources, frames_of(later[0], scout))
        self.begun = Begun(self, judge, self._texts(sources, found[:_SECOND]))
        for candidate in self._bounded(found[:_SECOND], until):
            if len(judge.record.fixes) >= self.options.wanted:
                return
            step = Step(sources, candidate)
            if step.texts:
                answer = self._try(judge, [first, step])
                if judge.holds(answer, [first.candidate, candidate]):
                    self._keep(judge.record, [first, step], answer)

    def _is_over(self, until: int) -> bool:
        if self.left() <= 0:
            self.cut = f"after {self.options.seconds:g} s (SHAPEFLOW_SUGGEST_SECONDS)"
        return bool(self.cut) or self.trials >= until

    def _bounded(self, found: List[Candidate], until: int) -> Iterator[Candidate]:
        for candidate in found:
            if self._is_over(until):
                return
            yield candidate

    def _try(self, judge: Judge, steps: Sequence[Step]) -> Dict[str, object]:
        self.trials += 1
        judge.record.tried = (judge.record.tried or 0) + 1
        if self.options.tell is not None:
            self.options.tell(self.trials, max(self.trials, self.planned))
        texts: Texts = {}
        for step in steps:
            texts.update(step.texts)
        watch = judge.watch([step.candidate.edits for step in steps])
        answer = self.begun.run(texts, watch) if self.begun is not None else None
        return answer if answer is not None else self._run(texts, watch, judge.allowed())

    def _keep(self, record: Record, steps: Sequence[Step], answer: Dict[str, Any]) -> None:
        """A fix that holds; one that mends everything is one for every finding."""
        from shapeflow.checker.findings import Report as New

        report = New.from_json(answer["report"])
        clean = report.failure is None and not report.of("error", "warning")
        fix = made(steps, self.cwd)
        fix["clean"] = clean
        for target in self.targets if clean else [record]:
            if all(fix["edits"] != known["edits"] for known in target.fixes):
                target.fixes.append(dict(fix))


_BEYOND = 12  # candidates tried for one that mends everything, when there are others
_STEPS = 4  # first edits on which a second is tried
_SECOND = 12  # second edits
# A trial may take so many times what the program takes, and so long in any case: then it hangs.
_SLOWER = 10.0
_LEAST = 5.0  # seconds


class Step:
    """A candidate with the texts it makes: {absolute path: text}, empty when they are no program."""

    def __init__(self, sources: Dict[str, Source], candidate: Candidate) -> None:
        self.sources = sources
        self.candidate = candidate
        self.texts: Texts = {}
        for path in {edit.path for edit in candidate.edits}:
            try:
                text = apply_edits(sources[path].text, [e for e in candidate.edits if e.path == path])
                compile(text, path, "exec", dont_inherit=True)
            except (SyntaxError, ValueError):
                self.texts = {}
                return
            self.texts[os.path.abspath(path)] = text


def _said(candidate: Candidate) -> Tuple[Any, ...]:
    """What is done, and where: one call of TensorFlow and one of numpy may do the same."""
    return candidate.description.partition(": `")[0], *(
        (edit.path, edit.start, edit.end) for edit in candidate.edits)


def frames_of(record: Record, scout: Dict[str, Any]) -> List[Any]:
    """The frames that a scout saw at a finding."""
    key = identity(record)
    return next((item["frames"] for item in scout["scouted"] if item["key"] == key), [])


def made(steps: Sequence[Step], cwd: str) -> Dict[str, Any]:
    """A fix as data: description, diff, and the edits in lines and columns of the files as they are."""
    description = "; ".join(step.candidate.description for step in steps)
    old: Dict[str, Source] = {}
    new: Texts = {}
    for step in steps:
        for edit in step.candidate.edits:
            old.setdefault(edit.path, step.sources[edit.path])
            new[edit.path] = step.texts[os.path.abspath(edit.path)]
    edits = list(steps[0].candidate.edits) if len(steps) == 1 else _between(old, new)
    diff = "".join(unified(path, old[path].text, new[path], cwd) for path in sorted(new))
    return {
        "description": description,
        "diff": diff,
        "edits": [_placed(edit, old[edit.path]) for edit in sorted(edits, key=lambda e: (e.path, e.start))],
        "kind": steps[0].candidate.kind,
    }


def _placed(edit: Edit, source: Source) -> Dict[str, object]:
    line, column = source.place(edit.start)
    end_line, end_column = source.place(edit.end)
    return {
        "path": edit.path,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "old": source.text[edit.start : edit.end],
        "whole": source.line(line),
        "text": edit.text,
    }


def _between(old: Dict[str, Source], new: Texts) -> List[Edit]:
    """Edits by whole lines that make one text of another."""
    edits = []
    for path, source in old.items():
        lines, other = source.text.splitlines(True), new[path].splitlines(True)
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line))
        for kind, a, b, c, d in difflib.SequenceMatcher(None, lines, other, False).get_opcodes():
            if kind != "equal":
                edits.append(Edit(path, starts[a], starts[b], "".join(other[c:d])))
    return edits


def unified(path: str, old: str, new: str, cwd: str) -> str:
    """A unified diff that `patch -p0` takes, also of a file without an end of line at its end."""
    name = os.path.relpath(os.path.join(cwd, path), cwd)
    name = path if name.startswith("..") else name
    lines = []
    for line in difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, name):
        lines.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(lines)


# What is only looked for when a program has run to its end without an error: nobody knows if it is new.
_AT_END = ("SF506", "SF507", "SF508")


class Judge:
    """Says whether a trial mends one finding and does no harm: the finding is gone, no other has come,
    nothing is less known than before, the program ends as well as before, and the guilty expression
    still runs."""

    def __init__(self, record: Record, sources: Dict[str, Source]) -> None:
        self.record = record
        self.base: Any = None  # the report of the program as it is
        self.sources = sources
        self.places: List[Tuple[str, int, int]] = []
        for span in (record.primary, record.raised):
            if span is not None and span.path in sources:
                node = sources[span.path].expression(span)
                if node is not None:
                    self.places.append((span.path, *sources[span.path].range(node)))
        self.before: List[int] = []  # how often these ran
        self.vague: List[bool] = []  # whether they gave a tensor of unknown rank then

    def allowed(self) -> List[Any]:
        """Findings that were there before and are not to be mended here."""
        own = identity(self.record)
        found = [identity(record) for record in self.base.of("error", "warning")]
        return [key for key in found if key[1:] != own[1:]]

    def watch(self, stages: Sequence[Sequence[Edit]]) -> List[Tuple[str, int, int, int, int]]:
        """Where the guilty expression and the run lie after the edits."""
        found = []
        for path, start, end in self.places:
            source = self.sources[path]
            for edits in stages:
                own = [e for e in edits if e.path == path]
                if own:
                    start, end = moved((start, end), own)
                    source = Source(path, apply_edits(source.text, own))
                    start, end = source.expression_within((start, end))
            line, column = source.place(start)
            end_line, end_column = source.place(end)
            found.append((os.path.abspath(path), line, column, end_line, end_column))
        return found

    def new(self, report: Report) -> List[Record]:
        """The errors and warnings that are the finding itself or have come since."""
        allowed = self.allowed()
        late = _AT_END if self.base.of("error") else ()
        return [
            r for r in report.of("error", "warning") if identity(r) not in allowed and r.code not in late
        ]

    def holds(self, answer: Dict[str, Any], candidates: Sequence[Candidate]) -> bool:
        if "report" not in answer:
            return False
        from shapeflow.checker.findings import Report as New

        report = New.from_json(answer["report"])
        edits = [edit for candidate in candidates for edit in candidate.edits]
        if self.new(report) or not self._ended(report) or _lacks_name(report, edits):
            return False
        notes = {r.message for r in self.base.of("note")}
        cut_short = self.base.ended != "normally"
        if not cut_short and any(r.message not in notes for r in report.of("note")):
            return False
        return self._ran(answer, any(candidate.kind == "batching" for candidate in candidates))

    def _ran(self, answer: Dict[str, Any], batched: bool) -> bool:
        """Did what is watched run, about as often as before, with results of a known rank? Where data are
        batched it runs for each batch."""
        return all(
            count > 0 and (vague or not unknown) and (batched or count >= before // 2)
            for count, unknown, before, vague in zip(
                answer["seen"], answer["unknown"], self.before, self.vague
            )
        )

    def moves_on(self, answer: Dict[str, Any]) -> bool:
        """Is the finding gone, and another there that did not show before?"""
        if "report" not in answer:
            return False
        from shapeflow.checker.findings import Report as New

        new = self.new(New.from_json(answer["report"]))
        own = identity(self.record)
        at = self.record.primary
        return (
            len(new) == 1
            and identity(new[0])[1:] != own[1:]
            and (not answer["seen"] or answer["seen"][0] > 0 and not answer["unknown"][0])
            and at is not None
            and new[0].primary is not None
            and not new[0].primary.same_place(at)
        )

    def _ended(self, report: Report) -> bool:
        """Not cut off, and no failure that was not there before; but where the finding ended the program,
        what it now reaches may be missing a file or a module of its own."""
        if report.ended.startswith("stopped"):
            return False
        if report.failure is None:
            return report.ended in ("normally", "by sys.exit") or report.ended == self.base.ended
        before = self.base.failure
        if before is not None:
            return bool(report.failure.rsplit(":", 1)[-1] == before.rsplit(":", 1)[-1])
        return self.base.ended != "normally" and any(f": {name}: " in report.failure for name in _OWN)


# What a program fails with that was not written for this machine.
_OWN = ("NameError", "ImportError", "ModuleNotFoundError", "FileNotFoundError")


def _lacks_name(report: Report, edits: Sequence[Edit]) -> bool:
    """Does the program fail for want of a name that an edit has brought to where it stands for nothing?"""
    parts = (report.failure or "").split("'")
    return "NameError: name '" in (report.failure or "") and any(
        parts[1] in re.findall(r"\w+", edit.text) for edit in edits)


def find(report: Report, options: SearchOptions) -> Search:
    search = Search(report, options)
    search.run()
    return search
