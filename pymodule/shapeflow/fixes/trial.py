"""Trials: the program with another text, run in a process of its own.

`python -m shapeflow.fixes.trial` reads jobs, one JSON object a line, and forks for each, so that a
trial pays for neither the interpreter's start nor numpy's. A trial ends at its first finding that is
not among those `allowed`; it says how often the expressions to be watched were run and whether they
gave a tensor that is known, which tells a fix from an edit that merely keeps the guilty line from
running. A scout, the unchanged program, also says what the names in the frames of each finding stood
for.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import os
import subprocess
import sys
import time

import shapeflow.checker.check as check
import shapeflow.checker.exception_handlers as handlers
import shapeflow.checker.import_hook as hook
import shapeflow.checker.options as checker_options
import shapeflow.sandbox.channel as channel
from shapeflow import _core
from shapeflow.checker import source_loading
from shapeflow.checker.findings import Report, UniqueFindings, record_of
from shapeflow.checker.library_frames import is_library
from shapeflow.checker.patches import PROCESS
from shapeflow.fixes import checkpoints, points
from shapeflow.sandbox import Policy
from shapeflow.sandbox.child import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

    from shapeflow._core import Finding
    from shapeflow.checker.patches import Patcher
    from shapeflow.fixes.checkpoints import Checkpoints
    from shapeflow.sandbox.channel import Sender

    Place = Tuple[str, int, int, int, int]

_SEEN = "__shapeflow_ran__"
_STOPPED = "stopped at a finding"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_NAMES = 400  # of one frame
_FRAMES = 8
_SCOUTED = 12  # findings
_NOT_THE_SCRIPTS = ("shapeflow", "tensorflow", "builtins")  # files of classes that nobody asks


# --- what names stand for -----------------------------------------------------------------------
def _shape_of(value: object) -> Optional[List[Optional[int]]]:
    """[None] for an unknown rank would be a lie: then None."""
    shape = getattr(value, "shape", None)
    if shape is None or isinstance(value, type):
        return None
    try:
        if isinstance(shape, tuple):
            return [int(n) for n in shape]
        dims: List[Optional[int]] = shape.as_list()
        return dims
    except (TypeError, ValueError, AttributeError):
        return None


def _dtype_of(value: object) -> str:
    dtype = getattr(value, "dtype", None)
    return str(getattr(dtype, "name", dtype) or "")


def _describe(value: object) -> Optional[Dict[str, object]]:
    """What a name stands for, as JSON; None when it is of no use for shapes."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return {"int": value}
    if isinstance(value, (list, tuple)):
        if 0 < len(value) <= 8 and all(type(n) is int or n is None for n in value):
            return {"ints": list(value), "list": len(value)}
        return {"list": len(value)}
    kind = type(value)
    if kind.__module__ == "numpy":
        shape = _shape_of(value)
        return {"array": shape, "dtype": _dtype_of(value)} if shape is not None else None
    if isinstance(value, _core.Tensor) or isinstance(value, _core.VariableBase):
        try:
            return {"tensor": _shape_of(value), "dtype": _dtype_of(value)}
        except Exception:
            return None
    return None


def _members(name: str, value: object, found: Dict[str, Any]) -> None:
    """One level below a name: `self.x`, `weights['h1']`."""
    if isinstance(value, dict):
        items = [
            (f"{name}[{key!r}]", item) for key, item in list(value.items())[:40] if isinstance(key, str)
        ]
    else:
        inner = getattr(value, "__dict__", None)
        if not isinstance(inner, dict) or isinstance(value, type) or type(value).__module__ == "builtins":
            return
        items = [
            (f"{name}.{key}", item)
            for key, item in list(inner.items())[:80]
            if isinstance(key, str) and not key.startswith("__")
        ]
    for key, item in items:
        said = _describe(item)
        if said is not None:
            found[key] = said


def _names(scope: Mapping[str, object]) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for name, value in list(scope.items())[:_NAMES]:
        if name.startswith("__"):
            continue
        said = _describe(value)
        if said is not None:
            found[name] = said
        elif isinstance(value, dict) or not type(value).__module__.startswith(_NOT_THE_SCRIPTS):
            _members(name, value, found)
    return found


def _frames(frame: Optional[FrameType], script: str) -> List[Dict[str, object]]:
    """The user's frames of the running thread, innermost first."""
    found: List[Dict[str, Any]] = []
    while frame is not None and len(found) < _FRAMES:
        path = frame.f_code.co_filename
        if path == _PACKAGE + os.path.join("checker", "check.py"):
            break
        if not path.startswith("<") and not is_library(path, script):
            scope = dict(frame.f_globals)
            scope.update(frame.f_locals)
            found.append(
                {
                    "path": os.path.abspath(path),
                    "line": frame.f_lineno,
                    "function": frame.f_code.co_name,
                    "names": _names(scope),
                }
            )
        frame = frame.f_back
    return found


# --- what was run -------------------------------------------------------------------------------
class _Wrap(ast.NodeTransformer):
    """`E` -> `seen(number, E)` for the expressions at the places, keeping every position."""

    def __init__(self, places: Dict[Tuple[int, int, int, int], int]) -> None:
        self.places = places

    def visit(self, node: ast.AST) -> Union[ast.Call, ast.expr, ast.AST]:
        node = super().generic_visit(node)
        if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            return node
        key = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
        number = self.places.pop(key, None)
        if number is None:
            return node
        name = ast.copy_location(ast.Name(_SEEN, ast.Load()), node)
        index = ast.copy_location(ast.Constant(number), node)
        return ast.copy_location(ast.Call(name, [index, node], []), node)


def _places(watch: List[Any]) -> List[Place]:
    return [(p[0], p[1], p[2], p[3], p[4]) for p in watch]


def _wrapped(source: Any, path: str, watch: List[Place]) -> Any:
    """`source` as a tree with the places of `path` wrapped, or as it is when there are none."""
    places = {(p[1], p[2], p[3], p[4]): i for i, p in enumerate(watch) if p[0] == path and p[2] >= 0}
    if not places:
        return source
    return _Wrap(places).visit(source if isinstance(source, ast.AST) else ast.parse(source))


class Seen:
    """How often each watched expression ended, and how often its tensor was of unknown rank."""

    def __init__(self, watch: List[Place]) -> None:
        self.watch = watch
        self.counts = [0] * len(watch)
        self.unknown = [0] * len(watch)

    def __call__(self, number: int, value: object) -> object:
        self.counts[number] += 1
        if isinstance(value, (_core.Tensor, _core.VariableBase)) and _shape_of(value) is None:
            self.unknown[number] += 1
        return value

    def install(self, by: Patcher) -> None:
        # It stays: what was compiled with the calls may run after the check.
        PROCESS.by(by.owner, by.reason).set(builtins, _SEEN, self)
        paths = {place[0] for place in self.watch}
        source_loading.change_sources(by, lambda path: path in paths,
                                      lambda source, path: _wrapped(source, path, self.watch))


# --- one trial ----------------------------------------------------------------------------------
class TrialChecker(check.Checker):
    """A check that ends at the first finding that decides, and sends what it saw."""

    def __init__(self, options: checker_options.CheckOptions, job: Dict[str, Any], sender: Sender) -> None:
        super().__init__(options, lambda report, out, err: 0)  # emit stands for it
        self._sender = sender
        self.collector = UniqueFindings(launcher=os.path.abspath(sys.argv[0]))
        self._job = job
        self._allowed = {tuple(item) for item in job["allowed"]}
        self._scouted: List[Dict[str, object]] = []
        self._seen = Seen(_places(job["watch"]))
        self._before: List[Tuple[Any, ...]] = []  # errors that were made before a trial began
        self.checkpoints: Optional[Checkpoints] = None  # of a program that waits for trials on its way

    def compile(self, source: Any, path: str, flags: int = 0) -> Any:
        self._watch()
        return super().compile(_wrapped(source, path, self._seen.watch), path, flags)

    def _watch(self) -> None:
        self._seen.install(self.scope.by("fixes.trial", "expressions tell that they were run"))
        _core.set_finding_hook(self._met)

    def _met(self, finding: Finding) -> None:
        if self.checkpoints is not None and not self.checkpoints.is_trial and not self._reporter and \
                not handlers.is_no_failure(finding):
            self._another.met(finding)
        self._found(finding)

    def _program(self, source: bytes, path: str) -> Callable[[Dict[str, object]], None]:
        if self.checkpoints is None:
            return super()._program(source, path)
        if self.must_mark(source):
            self._mark_modules(path)
        self._watch()
        self.define(checkpoints.AT, self.checkpoints)
        self.checkpoints.start(source.decode())
        return self.checkpoints.run

    def wrapped(self, source: str) -> ast.Module:
        """The script with another text, as it is run."""
        path = os.path.abspath(self.options.script)
        tree: ast.Module = _wrapped(ast.parse(source), path, self._seen.watch)
        return tree

    def marked(self, tree: ast.Module) -> ast.Module:
        """The tree, which this changes, marked as the program is."""
        if not self._marks_modules:
            return tree
        from shapeflow.checker.loops import instrument

        marked: ast.Module = instrument.marked(tree, os.path.abspath(self.options.script))
        return marked

    def go_on(self) -> None:
        """This process, which was forked from the program's, runs the rest of it."""
        self._start_loops()

    def define(self, name: str, value: object) -> None:
        """What a changed script calls."""
        PROCESS.by("fixes.trial", "an edited program goes on").set(builtins, name, value, regardless=True)

    def begin(self, job: Dict[str, Any]) -> None:
        """This process, which has run a program so far, goes on as the trial of an edited one."""
        self._pid = os.getpid()
        self._job = job
        self._allowed = {tuple(item) for item in job["allowed"]}
        self._seen.watch[:] = _places(job["watch"])
        hook.override_more(self.options.overrides, job["texts"])
        for path in job["texts"]:
            handlers.forget(path)
        self._started = time.monotonic()
        self.options.time_limit = float(job["time_limit"])
        self._start_watchdog()
        if any(key not in self._allowed for key in self._before):
            self._stop()

    def _stop(self) -> None:
        self.ended = _STOPPED
        self.emit()
        os._exit(0)

    def _found(self, finding: Finding) -> None:
        if not _core.is_shape_finding(finding.code):
            return
        if self.checkpoints is not None and not self.checkpoints.is_trial:
            if finding.severity == "error":
                self._before.append(tuple(identity(record_of(finding))))
            return
        if self._job["scout"]:
            if len(self._scouted) < _SCOUTED:
                self._scouted.append(
                    {"key": identity(record_of(finding)),
                     "frames": _frames(sys._getframe(1), os.path.abspath(self.options.script))}
                )
        elif finding.severity == "error" and tuple(identity(record_of(finding))) not in self._allowed:
            self._stop()

    def emit(self) -> int:
        """The report with what was seen, once."""
        if self.checkpoints is not None and not self.checkpoints.is_trial:
            self.checkpoints.refuse()
        if not self._reported.acquire(blocking=False):
            return 0
        self._drain()
        if self.ended != _STOPPED:
            self._look_back()
        report = Report(
            self.options.script,
            self.collector.records,
            self._status(),
            self.ended,
            self.failure,
            time.monotonic() - self._started,
        )
        data = {
            "report": report.to_json(),
            "seen": self._seen.counts,
            "unknown": self._seen.unknown,
            "scouted": self._scouted,
            "heavy": _heavy() if self._job["scout"] else [],
            "seconds": report.seconds,
            "touched": self.checkpoints is not None and self.checkpoints.has_touched(),
        }
        self._sender.send(channel.TRIAL, data)
        return 0

    _report = emit


# Libraries that take long to import and do nothing else by it: not matplotlib, which writes a cache.
_HEAVY = ("numpy", "scipy", "sklearn", "pandas", "PIL", "cv2", "h5py")


def _heavy() -> List[str]:
    """Their modules that the program has imported, in its order."""
    found = []
    for name, module in list(sys.modules.items()):
        origin = getattr(getattr(module, "__spec__", None), "origin", None) or ""
        if name.partition(".")[0] in _HEAVY and "-packages" in origin:
            found.append(name)
    return found


def identity(record: Any) -> List[Optional[str]]:
    """What a finding keeps when lines move: code, op, the text of its line."""
    at = record.primary
    return [record.code, record.op_type, at.path if at else "", at.text.strip() if at else ""]


def _checker(job: Dict[str, Any], sender: Sender) -> TrialChecker:
    """For one job, in the script's process."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # the server's jobs are not for the script to read
    os.chdir(job["cwd"])
    options = checker_options.CheckOptions(
        script=job["script"],
        args=job["args"],
        tf_version=job["tf_version"],
        mode=job["mode"],
        module=job["module"],
        time_limit=job["time_limit"],
        overrides=job["overrides"],
        data=job["data"],
        root=job["root"],
        missing_imports=job["missing_imports"],
        patience=int(not job["every_batch"] and bool(job["policy"]["layers"])),
    )
    options.lend(job["lent"])
    return TrialChecker(options, job, sender)


class Held:
    """A program that is run up to where trials begin, and the way to it, in the server. It stays as long as
    jobs for it come."""

    def __init__(self, job: Dict[str, Any]) -> None:
        self._answer: Optional[Dict[str, object]] = None  # of the job that is being done
        self._number = -1
        self._rest = b""
        jobs, self._writing = os.pipe()
        self._child = Child(
            lambda sender: _hold(job, sender, jobs), Policy.from_plain(job["policy"]),
            os.path.join(job["cwd"], job["script"]), job["time_limit"], False, False, job["cwd"], reads=jobs)
        os.close(jobs)

    def run(self) -> bytes:
        """The first line that is no job for it."""
        self._hand_on()
        self._child.wait(self._take)
        self._child.close()
        if self._answer is not None:
            respond({"lost": True})
        return self._rest or sys.stdin.buffer.readline()

    def _take(self, kind: int, value: object) -> None:
        if kind != channel.TRIAL or not isinstance(value, dict) or self._answer is None:
            return
        self._answer.update(value)
        if value.get("ended") == self._number:
            respond(self._answer)
            self._answer = None
            self._hand_on()

    def _hand_on(self) -> None:
        """Waits for the next job: all processes of the program wait, too."""
        line = sys.stdin.buffer.readline()
        job = json.loads(line) if line else {}
        if "point" not in job:
            self._rest = line
            os.close(self._writing)
            return
        self._answer, self._number = {}, job["number"]
        try:
            while line:
                line = line[os.write(self._writing, line):]
        except OSError:
            pass  # it has ended, which child.wait() says


def _hold(job: Dict[str, Any], sender: Sender, jobs: int) -> int:
    """In the script's process."""
    checker = _checker({**job, "time_limit": 0}, sender)  # no thread watches: the server does
    wanted = {points.from_json(point) for point in job["points"]}
    checker.checkpoints = checkpoints.Checkpoints(checker, jobs, sender, os.path.abspath(job["script"]),
                                                  wanted)
    return checker.run()


def respond(answer: Dict[str, object]) -> None:
    data = json.dumps(answer).encode("utf-8", "surrogatepass")
    sys.stdout.buffer.write(data + b"\n")
    sys.stdout.buffer.flush()


def _one(job: Dict[str, Any]) -> Dict[str, object]:
    """The answer to a job, from a process of its own; empty when that died or took too long."""
    answer: Dict[str, Any] = {}

    def take(kind: int, value: object) -> None:
        if kind == channel.TRIAL and isinstance(value, dict):
            answer.update(value)

    policy = Policy.from_plain(job["policy"])
    child = Child(lambda sender: _checker(job, sender).run(), policy,
                            os.path.join(job["cwd"], job["script"]), job["time_limit"], False, False,
                            job["cwd"])
    child.wait(take)
    child.close()
    return answer


def serve() -> int:
    """Jobs from standard input, answers of one line each to standard output."""
    import numpy  # noqa: F401  # once for all trials

    line = sys.stdin.buffer.readline()
    while line:
        job = json.loads(line)
        if "points" in job:
            respond({})
            line = Held(job).run()
            continue
        for name in job.get("preload", ()):
            try:
                importlib.import_module(name)
            except Exception:
                break
        respond({"lost": True} if "point" in job else _one(job) if "script" in job else {})
        line = sys.stdin.buffer.readline()
    return 0


class Server:
    """The other end: `with Server() as server: server.run(job)`."""

    def __enter__(self) -> Server:
        from shapeflow.checker.runner import environment

        variables = dict(environment(), OPENBLAS_NUM_THREADS="1")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "shapeflow.fixes.trial"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=variables,
        )
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.close()
        except OSError:
            pass
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()

    def has_ended(self) -> bool:
        """Is nobody there to run anything?"""
        return self._process.poll() is not None

    def preload(self, names: List[str]) -> None:
        """Imports libraries once, for all trials to come."""
        if names:
            self.run({"preload": names})

    def run(self, job: Dict[str, Any]) -> Dict[str, Any]:
        """The answer to a job; empty when there is none."""
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(json.dumps(job).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            return {}
        answer: Dict[str, Any] = json.loads(line) if line.strip() else {}
        return answer


if __name__ == "__main__":
    sys.exit(serve())
