"""Weighs what a program shows of the TensorFlow that it was written for (see version_detection.py)."""
from __future__ import annotations

import os
import sys
from _functools import partial

from shapeflow.tensorflow.compat import stated_versions, version_fit
from shapeflow.tensorflow.compat.programs import Program, canonical, folders_up
from shapeflow.tensorflow.compat.version_decision import BETWEEN, CANDIDATES, DEFAULT_V2, NOTHING, Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Sequence, Tuple

    from shapeflow.tensorflow.compat.evidence import FileEvidence, Use
    from shapeflow.tensorflow.compat.stated_versions import Stated

_RELEASES = [(2, n) for n in range(21, -1, -1)] + [(1, n) for n in range(15, -1, -1)]
_FULL = {(0, 12): "0.12.1"}  # of "0.12" the last release is meant
_TO_GRAPH = ("disable_v2_behavior", "disable_eager_execution")
_TO_EAGER = ("enable_eager_execution", "enable_v2_behavior")
_SESSIONS = ("Session", "InteractiveSession", "placeholder", "train.MonitoredTrainingSession")


class Fact:
    """A use of a name: what it may stand for, what it is given, where it is first seen."""

    __slots__ = ("meanings", "shape", "path", "line")

    def __init__(self, meanings: Tuple[str, ...], shape: Any, path: str, line: int) -> None:
        self.meanings, self.shape, self.path, self.line = meanings, shape, path, line

    def misfit(self, version: Tuple[int, int], eras: version_fit.Eras) -> str:
        """"" where one of its meanings fits, else why the first does not."""
        first = ""
        for dotted in self.meanings:
            why = version_fit.misfit(dotted, self.shape, version, eras)
            if not why:
                return ""
            first = first or why
        return first

    def described(self, why: str, version: str) -> str:
        """`tf.mul (net/model.py:12) is not in 1.0`."""
        name, where = self.meanings[0], place(self.path, self.line)
        short = version.rpartition(".")[0]
        if why.startswith("keyword"):
            return f"argument {why[8:]} of {name} ({where}) is not in {short}"
        if why == "arguments":
            return f"the arguments of {name} ({where}) are not those of {short}"
        if why == "mode":
            return f"{name} ({where}) does not go with the mode of {short}"
        return f"{name} ({where}) is not in {short}"


def place(path: str, line: int) -> str:
    """`net/model.py:12`; of a notebook's cells, which are read as one, only the file; `line 12` of a text."""
    if not os.path.isabs(path):
        return f"line {line}"
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        relative = ".."
    shown = path if relative.startswith("..") else relative
    return shown + ("" if path.endswith(".ipynb") else f":{line}")


def pair(version: str) -> Tuple[int, int]:
    found = (*stated_versions.numbers(version), 0, 0)
    return found[0], found[1]


class Judgement:
    """The evidence of one program, collected once, and each candidate measured by it."""

    __slots__ = ("_program", "facts", "names", "to_graph", "to_eager", "_eras", "_known")

    def __init__(self, program: Program) -> None:
        self._program = program
        self.facts: List[Fact] = []
        self.names: set[str] = set()  # everything of TensorFlow's that is named, guarded too
        self.to_graph = self.to_eager = False
        self._collect()
        graph_words = any(name[3:].replace("compat.v1.", "") in _SESSIONS for name in self.names)
        own_graph = any(file.own_graph for file in program.files.values())
        self._eras = version_fit.Eras(not self.to_graph and not own_graph and not self.to_eager,
                                      self.to_eager or graph_words)
        self._known: Dict[int, bool] = {}

    def _collect(self) -> None:
        seen: Dict[Any, Fact] = {}
        files = self._program.files.values()
        own = {name for file in files for names in file.assigned
               for name in self._program.resolve(file, *names)}
        for file in files:
            for use in file.uses:
                meanings = tuple(self._program.resolve(file, use.root, use.suffix))
                if not meanings:
                    continue
                self._note(meanings, use, file)
                guarded = use.guarded or use.flags and self._program.says_version(file, use.flags)
                if not guarded and own.isdisjoint(meanings) and not (
                        use.root in file.bound and use.root in file.bindings and "." not in use.suffix):
                    shape = version_fit.shape_of(use.call, file) if use.call is not None else None
                    key = meanings, shape
                    if key not in seen:
                        seen[key] = Fact(meanings, shape, file.path, use.line)
            for module, level, imported, line, guarded, flags in file.imports:
                dotted = canonical(module) if not level else None
                if dotted is None:
                    continue
                guarded = guarded or self._program.says_version(file, flags)
                if module.startswith("shapeflow.compat.v1"):
                    self.to_graph = True
                for name in imported or ("",):
                    full = dotted + "." + name if name and name != "*" else dotted
                    self.names.add(full)
                    if not guarded and ((full,), None) not in seen and full != "tf":
                        seen[(full,), None] = Fact((full,), None, file.path, line)
        self.facts = list(seen.values())

    def _note(self, meanings: Tuple[str, ...], use: Use, file: FileEvidence) -> None:
        self.names.update(meanings)
        if use.call is not None or not file.is_tree:
            for name in meanings:
                if name.endswith(_TO_GRAPH):
                    self.to_graph = True
                elif name.endswith(_TO_EAGER):
                    self.to_eager = True

    def forget(self) -> None:
        """Lets go of the syntax trees: the facts are enough for a second question."""
        self._program = Program(version_fit.is_public)

    def mode(self, version: str) -> str:
        return "graph" if self.to_graph or pair(version) < (2, 0) else "eager"

    def why_not(self, dotted: str, shape: Any, version: str) -> str:
        """"" where a version takes a call of that shape, else as version_fit.misfit."""
        return version_fit.misfit(dotted, shape, pair(version), self._eras)

    def misfits(self, version: str, most: int = sys.maxsize) -> List[Tuple[Fact, str]]:
        """What a version does not take and another does; no more of them than `most`."""
        found = []
        numbers = pair(version)
        for at, fact in enumerate(self.facts):
            why = fact.misfit(numbers, self._eras)
            if why and self._is_known(at, fact):
                found.append((fact, why))
                if len(found) >= most:
                    break
        return found

    def _is_known(self, at: int, fact: Fact) -> bool:
        """Does any version take it? What none does is a mistake of the program's, and says nothing."""
        if at not in self._known:
            self._known[at] = any(not fact.misfit(pair(version), self._eras)
                                  for version in (*CANDIDATES, *BETWEEN))
        return self._known[at]

    # --- what is asserted ---------------------------------------------------------------------------
    def tests(self) -> Iterator[Tuple[FileEvidence, Any, bool, int]]:
        for file in self._program.files.values():
            for test, wanted, line in file.version_tests:
                yield file, test, wanted, line

    def asserted(self, versions: Sequence[str]) -> Tuple[List[str], Tuple[str, int]]:
        """The versions that all assertions allow, and where the first one stands that forbids any."""
        where = ("", 0)
        for file, test, wanted, line in self.tests():
            def meaning(name: str, file: FileEvidence = file) -> str:
                known = self._program.resolve(file, name, "")
                return "tf.__version__" if "tf.__version__" in known else \
                    "tf" if any(dotted in ("tf", "tf.compat.v1", "tf.compat.v2") for dotted in known) else ""

            allowed = [v for v in versions if stated_versions.holds(test, v, meaning) in (wanted, None)]
            if allowed and len(allowed) < len(versions):
                where = where if where[0] else (file.path, line)
                versions = allowed
        return list(versions), where

    def mentioned(self) -> List[str]:
        """Versions that assertions name."""
        found = []
        for _, test, _, _ in self.tests():
            for text in stated_versions.mentioned(test):
                found.append(full(stated_versions.numbers(text)))
        return found

    @property
    def legacy_keras(self) -> bool:
        return any(file.legacy_keras for file in self._program.files.values())

    @property
    def python2(self) -> Tuple[str, int]:
        """Where a file of it is Python 2 and no Python 3; ("", 0): nowhere."""
        return next(((file.path, file.python2_line) for file in self._program.files.values()
                     if file.python2_line), ("", 0))

    @property
    def is_for_2(self) -> bool:
        """Does it take TensorFlow 1's API from a TensorFlow 2?"""
        return self.to_graph or any(name.startswith("tf.compat.v1") for name in self.names)


def full(version: Sequence[int]) -> str:
    """"1.4.0" of (1, 4)."""
    known = _FULL.get(tuple(version))  # type: ignore[arg-type]
    return known or ".".join(str(n) for n in (*version, 0, 0)[:3])


def newest_first(versions: Sequence[str]) -> List[str]:
    return sorted(dict.fromkeys(versions), key=stated_versions.numbers, reverse=True)


def decide(scripts: Sequence[Tuple[str, Any]], stated: List[Stated], overrides: Dict[str, str]) -> Decision:
    """The version and the mode that the files of a program show, and why."""
    program = Program(version_fit.is_public)
    looked: List[str] = []
    for path, _ in scripts:
        if os.path.isabs(path):
            above = folders_up(os.path.dirname(path))
            program.folders += [above[0], above[-1], os.path.join(above[-1], "src")]
            stated += stated_versions.requirements(above, looked)
    program.folders = list(dict.fromkeys(program.folders))
    for path, text in scripts:
        program.add(path, text, overrides)
    judgement = Judgement(program)
    decision = weigh(judgement, stated)
    judgement.forget()
    decision.judgement, decision.is_stated = judgement, bool(stated)
    decision.trees = {path: file.parsed for path, file in program.files.items() if file.parsed is not None}
    decision.looked = [*program.read, *looked]
    return decision


def weigh(found: Judgement, stated: Sequence[Stated]) -> Decision:
    """The newest version that fits all, else the one that most of the names fit."""
    versions = newest_first([*CANDIDATES, *found.mentioned()])
    versions, asserting = found.asserted(versions)
    if not asserting[0]:
        versions = list(CANDIDATES)
    elif any(version in CANDIDATES for version in versions):
        versions = [v for v in versions if v in CANDIDATES or found.mentioned() == [v]]
    if found.legacy_keras and any(pair(v) >= (2, 0) for v in versions):
        versions = [v for v in versions if pair(v) >= (2, 0)]
    if asserting[0] and len(versions) == 1:
        return Decision(versions[0], found.mode(versions[0]), lambda: place(*asserting) + " asserts it")
    if found.python2[0] and not stated and not asserting[0]:  # TensorFlow 2.2 is for Python 3 only
        for version in versions:
            if pair(version) < (2, 0) and not found.misfits(version, 1):
                return Decision(version, found.mode(version), partial(
                    lambda at: place(*at) + " is Python 2", found.python2))
    if found.is_for_2:
        versions = newest_first([*versions, BETWEEN[0]]) if pair(versions[0]) >= (2, 0) else versions
    pins = [full(one.pin) for one in stated if one.pin is not None]
    allowed = newest_first([*pins, *(v for v in versions if _is_stated(v, stated))])
    if stated and not allowed:
        allowed = [v for v in map(full, _RELEASES) if _is_stated(v, stated)][:1]
    between = [v for v in newest_first([*versions, *BETWEEN]) if v not in versions]
    if asserting[0] or found.legacy_keras:
        between = []
    for order in (allowed if stated else versions, [v for v in between if _is_stated(v, stated)],
                  versions, between):
        for version in order:
            if not found.misfits(version, 1):
                return Decision(version, found.mode(version),
                                partial(_reason, found, version, versions, stated, asserting))
    all_versions = newest_first([*versions, *(allowed if stated else ())])
    version = min(all_versions, key=lambda v: (len({fact.meanings for fact, _ in found.misfits(v)}),
                                               v not in allowed))  # the newest of equals
    return Decision(version, found.mode(version), partial(_most, found, version, versions, stated, asserting))


def _is_stated(version: str, stated: Sequence[Stated]) -> bool:
    return not stated or any(one.allows(stated_versions.numbers(version)) for one in stated)


def _most(found: Judgement, version: str, versions: Sequence[str], stated: Sequence[Stated],
          asserting: Tuple[str, int]) -> str:
    """Why a version is the best, though something is not in it."""
    fact, why = found.misfits(version, 1)[0]
    return "%s; most of its names are in %s, though %s" % (
        _reason(found, version, versions, stated, asserting), version.rpartition(".")[0],
        fact.described(why, version))


def _reason(found: Judgement, version: str, versions: Sequence[str], stated: Sequence[Stated],
            asserting: Tuple[str, int]) -> str:
    """Why none of the newer ones."""
    newer = [v for v in versions if stated_versions.numbers(v) > stated_versions.numbers(version)]
    if newer:
        misfits = found.misfits(newer[-1], 1)
        if misfits:
            return misfits[0][0].described(misfits[0][1], newer[-1])
    speaking = [one for one in stated if one.allows(stated_versions.numbers(version))]
    if speaking:
        return f"{speaking[0].where} says {speaking[0].text}"
    if asserting[0]:
        return place(*asserting) + " asserts it"
    return NOTHING if version == DEFAULT_V2 and not found.facts else "the newest that has all that it uses"
