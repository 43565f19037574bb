"""The script's side of trials that begin where an edited program parts from the one that is run.

The process runs the program, statement by statement, up to the first point at which a trial is to begin, and
waits there for jobs. For each job it forks: the child takes the edited text and goes on with it. For a job
that begins at a later point it forks a runner, once, which goes on with the program to that point and waits
there in turn. What processes share is kept apart: offsets of files are put back after each trial, and a trial
that wrote, deleted or started something says so (`touched`), because the next one would see it. Where a fork
is no copy (threads, pipes, files open for writing, shared memory, children) no job is served there.
"""
from __future__ import annotations
import __future__

import ast
import copy
import gc
import json
import os
import select
import stat
import sys
from types import FunctionType

import shapeflow.sandbox.channel as channel
from shapeflow.checker.loops.places import ENTER
from shapeflow.fixes import points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any, Callable, Dict, List, NoReturn, Optional, Set, Tuple

    from shapeflow.fixes.points import Point
    from shapeflow.fixes.trial import TrialChecker
    from shapeflow.sandbox.channel import Sender

AT = "__shapeflow_at__"
_LOCALS = "__shapeflow_locals__"
_GENERATOR = 0x20 | 0x80 | 0x200  # a generator, a coroutine, an asynchronous generator
_GRACE = 3.0  # seconds beyond a trial's time limit: then it hangs in C


class Unfit(Exception):
    """A trial cannot begin here."""


class Jobs:
    """Lines from a pipe."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._rest = b""

    def read(self) -> bytes:
        """The next one; b"" when nobody writes any more."""
        while b"\n" not in self._rest:
            part = os.read(self.fd, 1 << 16)
            if not part:
                return b""
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        return line


class Checkpoints:
    """Runs a program for a checker, and serves trials of edited copies of it."""

    def __init__(self, checker: TrialChecker, jobs: int, sender: Sender, path: str,
                 wanted: Set[Point]) -> None:
        self.is_trial = False
        self._checker = checker
        self._jobs = Jobs(jobs)
        self._pending = b""  # the job for which a runner was started
        self._sender = sender
        self._path = path  # of the script
        self._text = ""  # what it holds
        self._wanted = set(wanted)
        self._numbers = sorted(wanted)  # of the points inside functions, for the calls that reach them
        self._chunks: List[Optional[CodeType]] = []
        self._offsets: Dict[int, int] = {}
        self._own = _open_files()
        self._shared = _shared_memory()
        self._events = 0
        self._rest: Optional[Callable[[], object]] = None  # of the call that a trial began in
        self._result: Any = None

    # --- the program --------------------------------------------------------------------------
    def instrumented(self, tree: ast.Module) -> ast.Module:
        """`tree` with a call before each point that lies in a function."""
        for number, (path, at) in sorted(enumerate(self._numbers), key=lambda item: item[1], reverse=True):
            body = points.body_at(tree, path).body if path else []
            if not path or at >= len(body):
                continue
            reach = ast.parse(f"if {AT}({number}):\n return {AT}.result()").body[0]
            for node in ast.walk(reach):
                ast.copy_location(node, body[at])
            body.insert(at, reach)
        return tree

    def start(self, text: str) -> None:
        """With the program as it is."""
        self._text = text
        self.load(self.instrumented(self._checker.wrapped(text)))

    def load(self, tree: ast.Module) -> None:
        """The module's statements, each compiled alone."""
        flags = 0
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                for alias in node.names:
                    flags |= getattr(__future__, alias.name).compiler_flag
        self._chunks = []
        for number, group in enumerate(_statements(self._checker.marked(tree))):
            is_text = isinstance(group[0], ast.Expr) and isinstance(group[0].value, ast.Constant)
            self._chunks.append(None if is_text and number else compile(
                ast.Module(group, []), self._path, "exec", flags, dont_inherit=True))

    def run(self, names: Dict[str, Any]) -> None:
        number = 0
        while number < len(self._chunks):
            self._reach(((), number), None)
            chunk = self._chunks[number]
            if chunk is not None:
                exec(chunk, names)
            number += 1
        self._reach(((), number), None)
        while number < len(self._chunks):  # of a trial that adds to the end
            chunk = self._chunks[number]
            if chunk is not None:
                exec(chunk, names)
            number += 1

    def __call__(self, number: int) -> bool:
        """What the program calls before a point in a function. True: a trial has run the rest of it."""
        self._reach(self._numbers[number], sys._getframe(1))
        if self._rest is None:
            return False
        rest, self._rest = self._rest, None
        self._result = (rest(),)
        return True

    def result(self) -> Any:
        result, self._result = self._result, None
        return result[0]

    # --- serving ------------------------------------------------------------------------------
    def _reach(self, point: Point, frame: Optional[FrameType]) -> None:
        """Returns in processes that go on: at once, as a runner, as a trial."""
        if self.is_trial or point not in self._wanted:
            return
        self._wanted.discard(point)  # only the first time: later it has been passed
        if frame is not None and frame.f_code.co_flags & _GENERATOR or \
                frame is not None and frame.f_code.co_cellvars or not self._is_alone():
            return
        self._offsets = {fd: os.lseek(fd, 0, os.SEEK_CUR) for fd in _regular_files()}
        self._events = _events()
        later: Optional[Runner] = None
        number = -1  # of the job that the runner has
        while True:
            line, self._pending = self._pending or self._next(later, number), b""
            if not line:
                if later is not None:
                    later.close()
                os._exit(0)
            job = json.loads(line)
            number = job["number"]
            if points.from_json(job["point"]) == point:
                if self._try(job, frame):
                    return
            elif later is None:
                later = Runner()
                if later.pid == 0:
                    self._jobs, self._pending = Jobs(later.jobs), line
                    self._own |= _open_files()
                    self._sender.adopt()
                    self._checker.go_on()
                    return
            elif not later.send(line):
                self._sender.send(channel.TRIAL, {"ended": number, "refused": True})

    def _next(self, later: Optional[Runner], number: int) -> bytes:
        """The next job. Should the runner die over the one that it has, that one is refused."""
        while later is not None and later.is_alive:
            ready = select.select([self._jobs.fd, later.alive], [], [])[0]
            if self._jobs.fd in ready:
                break
            later.is_alive = False
            self._sender.send(channel.TRIAL, {"ended": number, "refused": True})
        return self._jobs.read()

    def refuse(self) -> NoReturn:
        """The program has ended, and no job can begin any more."""
        while True:
            line, self._pending = self._pending or self._jobs.read(), b""
            if not line:
                os._exit(0)
            self._sender.send(channel.TRIAL, {"ended": json.loads(line)["number"], "refused": True})

    def _try(self, job: Dict[str, Any], frame: Optional[FrameType]) -> bool:
        """A trial in a process of its own. True in that one, from where it goes on."""
        for fd, offset in self._offsets.items():
            os.lseek(fd, offset, os.SEEK_SET)
        random = sys.modules.get("random")
        state = random.getstate() if random is not None else None
        alive, ours = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(alive)
            if random is not None:
                random.setstate(state)
            self.is_trial = True
            self._sender.adopt()
            self._checker.go_on()
            try:
                self._begin(job, frame)
            except (Unfit, SyntaxError, ValueError):
                self._sender.send(channel.TRIAL, {"refused": True})
                os._exit(0)
            return True
        os.close(ours)
        if not select.select([alive], [], [], float(job["time_limit"]) + _GRACE)[0]:
            os.kill(pid, 9)
        os.close(alive)
        os.waitpid(pid, 0)
        self._sender.send(channel.TRIAL, {"ended": job["number"]})
        return False

    def has_touched(self) -> bool:
        """Did this trial leave anything behind?"""
        return _events() != self._events

    # --- beginning ----------------------------------------------------------------------------
    def _begin(self, job: Dict[str, Any], frame: Optional[FrameType]) -> None:
        """From here on the program is the edited one."""
        text = job["texts"][self._path]
        path, at = points.from_json(job["point"])
        is_as_long = text.count("\n") == self._text.count("\n")
        there, number = points.parting(ast.parse(self._text), ast.parse(text), is_as_long)
        if frame is not None and (there != path or number < at) or \
                frame is None and (*there, number)[0] < at:
            raise Unfit
        self._checker.begin(job)
        self.load(self._checker.wrapped(text))
        if frame is None:
            return
        functions = [f for f in gc.get_referrers(frame.f_code)
                     if isinstance(f, FunctionType) and f.__code__ is frame.f_code]
        tree = self._checker.wrapped(text)
        node = points.body_at(tree, path)
        marked = self._checker.marked(copy.deepcopy(tree))
        whole = points.code_of(compile(marked, self._path, "exec", dont_inherit=True), node)
        known = {name: value for name, value in frame.f_locals.items()
                 if name not in frame.f_code.co_freevars}
        continued = self._checker.marked(_continued(tree, node, at, known))
        rest = points.code_of(compile(continued, self._path, "exec", dont_inherit=True), node)
        if not functions or whole is None or rest is None or not (
                whole.co_freevars == rest.co_freevars == frame.f_code.co_freevars):
            raise Unfit
        closure = functions[0].__closure__
        if any(f.__closure__ is not closure for f in functions) and closure:
            raise Unfit
        for function in functions:
            function.__code__ = whole
        self._checker.define(_LOCALS, known)
        count = rest.co_argcount
        names = rest.co_varnames[count : count + rest.co_kwonlyargcount]
        call = FunctionType(rest, frame.f_globals, node.name, None, closure)
        self._rest = lambda: call(*map(known.get, rest.co_varnames[:count]), **dict.fromkeys(names))

    def _is_alone(self) -> bool:
        """Is a fork of this process a copy of it, but for what is put back?"""
        try:
            if len(os.listdir("/proc/self/task")) != 1 or _shared_memory() - self._shared:
                return False
            for fd, name in (_open_files() - self._own):
                mode = os.fstat(fd).st_mode
                flags = _flags(fd)
                if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or name in _HARMLESS) or \
                        stat.S_ISREG(mode) and flags & os.O_ACCMODE != os.O_RDONLY:
                    return False
        except OSError:
            return False
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return True
        return False


_HARMLESS = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


def _statements(tree: ast.Module) -> List[List[ast.stmt]]:
    """The statements of a module whose loops are marked, as they were: the mark of a `while` is one before
    it."""
    groups: List[List[ast.stmt]] = [[]]
    for node in tree.body:
        groups[-1].append(node)
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
                and isinstance(node.value.func, ast.Name) and node.value.func.id == ENTER):
            groups.append([])
    return groups[:-1]


class Runner:
    """A process that goes on with the program, and the pipes to it. `pid` 0: this is it."""

    def __init__(self) -> None:
        self.jobs, self._writing = os.pipe()
        self.alive, ours = os.pipe()  # at its end when the process is
        self.is_alive = True
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._writing)
            os.close(self.alive)
            return
        os.close(self.jobs)
        os.close(ours)

    def send(self, line: bytes) -> bool:
        """It answers by itself. False: it is not there any more."""
        line += b"\n"
        try:
            while line and self.is_alive:
                line = line[os.write(self._writing, line):]
        except OSError:
            self.is_alive = False
        return self.is_alive

    def close(self) -> None:
        os.close(self._writing)
        os.waitpid(self.pid, 0)


def _continued(tree: ast.Module, node: ast.FunctionDef, at: int, known: Dict[str, object]) -> ast.Module:
    """The function goes on from its statement `at`, with the names that it had. What it binds is local to it,
    as before: what is passed over stands where it is never run."""
    arguments = node.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    names += [a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None]
    passed = ast.parse("if 0:\n pass").body[0]
    assert isinstance(passed, ast.If)
    passed.body += node.body[:at]
    lines = [f"{name} = {_LOCALS}[{name!r}]" for name in known if name.isidentifier()]
    lines += [f"del {name}" for name in names if name not in known]
    given = ast.parse("\n".join(lines)).body
    for statement in (passed, *given):
        for inner in ast.walk(statement):
            if not hasattr(inner, "lineno") or statement is not passed:
                ast.copy_location(inner, node.body[at])
    node.body = [passed, *given, *node.body[at:]]
    arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
    return ast.fix_missing_locations(tree)


# --- what a process has ---------------------------------------------------------------------------
def _open_files() -> Set[Tuple[int, str]]:
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            found.add((int(name), os.readlink(f"/proc/self/fd/{name}")))
        except OSError:
            continue  # the one by which the folder was read
    return found


def _regular_files() -> List[int]:
    found = []
    for fd, _ in _open_files():
        try:
            if stat.S_ISREG(os.fstat(fd).st_mode):
                found.append(fd)
        except OSError:
            continue
    return found


def _flags(fd: int) -> int:
    import fcntl

    return fcntl.fcntl(fd, fcntl.F_GETFL)


def _shared_memory() -> Set[str]:
    """Mappings that may be written to and that a fork shares."""
    with open("/proc/self/maps") as stream:
        return {line.split()[0] for line in stream if line.split()[1].startswith("rw-s")
                or line.split()[1] == "rwxs"}


def _events() -> int:
    """What the sandbox has noted so far."""
    from shapeflow import _sandbox

    return sum(event[5] for event in _sandbox.events())
