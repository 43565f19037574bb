"""Runs one escape script under `shapeflow check` in one layer, and judges it from the outside.

A script is a file of attempts/, works/, limits/ or same/. Its first line says what it tries; further comment
lines `# key: value` say how it is run and judged:
  needs      linux, x86_64, or a module or program that must be here
  options    further options of `shapeflow check`
  deny       what `deny-read` of the configuration names
  done       `not held`: what is tried cannot be seen outside; that the script comes to its end is the harm
  expect     exit statuses that are right (default: 0 and 3; `any`)
  says       words that the check must say; findings: how many there must be
  allowed    a path that must appear outside; visited: a socket that must be visited
  inherit    descriptors are left open to the check; terminal: it has a terminal
  format     how the check reports (default: json)
  knock      somebody knocks at the port ESCAPE_LISTEN while it runs; send: a signal to the check

`python tests/escape/harness.py [--layer LAYER] [NAME...]` runs scripts by hand and shows what came of them.
"""
from __future__ import annotations

import importlib.util
import json
import os
import platform
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import place  # noqa: E402

HERE = Path(__file__).resolve().parent
LAYERS = ("namespaces", "landlock", "audit")
HANG = 40.0  # seconds after which a check is taken for one that never ends
KEPT_OUTPUT = 1 << 20
JOBS = max(3, min(4, os.cpu_count() or 3))  # many a script only waits for its limit
KEYS = ("needs", "options", "deny", "done", "expect", "says", "findings", "allowed", "visited", "inherit",
        "terminal", "knock", "send", "format")


class Script:
    """One file and what its head says."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        lines = self.text.splitlines()
        self.title = lines[0].lstrip("# ")
        self.head: dict[str, str] = {}
        for line in lines[1:]:
            found = re.match(r"# (\w+): (.*)", line)
            if not found:
                break
            if found[1] not in KEYS:
                raise ValueError(f"{path}: no key {found[1]!r}")
            self.head[found[1]] = found[2]
        parts = path.relative_to(HERE).with_suffix("").parts
        self.kind, self.name = parts[0], "/".join(parts[1:])
        self.id = "/".join(parts)

    def lacks(self) -> str | None:
        """What is not here and is needed."""
        for need in self.head.get("needs", "").split():
            if need == "linux":
                there = sys.platform == "linux"
            elif need == "x86_64":
                there = platform.machine() == "x86_64"
            else:
                there = importlib.util.find_spec(need) is not None or shutil.which(need) is not None
            if not there:
                return need
        return None

    def expected(self) -> set[int] | None:
        words = self.head.get("expect", "0 3")  # what a script that must work may do is the table's to say
        return None if words == "any" else {int(word) for word in words.split()}


def scripts(kind: str | None = None) -> list[Script]:
    kinds = [kind] if kind else ["attempts", "works", "limits", "same"]
    return [Script(path) for name in kinds for path in sorted((HERE / name).rglob("*.py"))]


class Result:
    """What came of one run. `harms`: what happened outside; `wrong`: what else is not as it must be."""

    def __init__(self, script: Script, layer: str) -> None:
        self.script, self.layer = script, layer
        self.status: int | None = None
        self.harms: list[str] = []
        self.wrong: list[str] = []
        self.out = self.err = ""
        self.report: dict = {}
        self.seconds = 0.0

    @property
    def failure(self) -> str:
        runs = self.report.get("scripts") or [{}]
        return str(runs[0].get("failure") or "")

    @property
    def word(self) -> str:
        """As docs/safety.md says it."""
        if self.harms:
            return "not held"
        if self.script.kind == "works":
            return "works" if self.status == 0 else "stopped"
        if "expect" in self.script.head and self.script.expected() == {1}:
            return "finding kept"
        if self.status == 0:
            return "overlaid"
        refused = re.search(r"(\d+) of (\d+) refused", self.failure)
        return "overlaid or stopped" if refused and refused[1] != refused[2] else "stopped"

    def __str__(self) -> str:
        lines = [f"{self.script.id} [{self.layer}] {self.word}, status {self.status}, {self.seconds:.2f} s"]
        lines += [f"  harm: {words}" for words in self.harms] + [f"  wrong: {words}" for words in self.wrong]
        if self.failure:
            lines.append(f"  failure: {self.failure[:600]}")
        if self.err.strip():
            lines.append("  said: " + self.err.strip()[-700:].replace("\n", "\n        "))
        return "\n".join(lines)


# --- running --------------------------------------------------------------------------------------
_ON_TERMINAL = ("import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
                "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])")


class _Reader(threading.Thread):
    """Takes what a process prints, so that it never waits; keeps the first part."""

    def __init__(self, stream) -> None:
        super().__init__(daemon=True)
        self._stream, self._parts, self._size = stream, [], 0
        self.start()

    def run(self) -> None:
        while True:
            data = self._stream.read1(1 << 20)
            if not data:
                return
            if self._size < KEPT_OUTPUT:
                self._parts.append(data)
            self._size += len(data)

    def text(self) -> str:
        self.join(5)
        return b"".join(self._parts).decode("utf-8", "replace")


class _Terminal:
    """A terminal for the check, and what a script did to it."""

    def __init__(self) -> None:
        import termios

        self.ours, self.theirs = os.openpty()
        self._before = termios.tcgetattr(self.theirs), os.get_terminal_size(self.theirs)

    def harms(self) -> list[str]:
        import termios

        words = []
        if self._before != (termios.tcgetattr(self.theirs), os.get_terminal_size(self.theirs)):
            words.append("the terminal's settings were changed")
        if select.select([self.theirs], [], [], 0)[0]:
            words.append("a command was typed into the terminal")
        os.close(self.ours)
        os.close(self.theirs)
        return words


class _Inherited:
    """Descriptors that the caller of the check left open to it."""

    def __init__(self, here: place.Place) -> None:
        outside = str(here.tree / "outside")
        self._near, far = socket.socketpair()
        self._far = far
        self.fds = [os.open(outside + "/precious.txt", os.O_RDWR), os.open(outside, os.O_RDONLY),
                    far.fileno()]
        for fd in self.fds:
            os.set_inheritable(fd, True)

    def harms(self) -> list[str]:
        self._near.setblocking(False)
        try:
            heard = self._near.recv(100)
        except OSError:
            heard = b""
        self._near.close()
        self._far.close()
        for fd in self.fds[:2]:
            os.close(fd)
        return ["a connection of the caller's was written to"] if heard else []


def command(script: Script, *options: str) -> list[str]:
    given = shlex.split(script.head.get("options", ""))
    if "--show-output" not in given:
        given += ["--format", script.head.get("format", "json")]
    if "--time-limit" not in given:
        given += ["--time-limit", "20"]
    # An attempt in a loop is made as often as it says: a check leaves a loop that brings nothing new.
    return ["-m", "shapeflow", "check", "--every-batch", *given, *options, "train.py"]


def run(script: Script, layer: str, base: str | None = None) -> Result:
    """One run in a place of its own, judged."""
    result = Result(script, layer)
    head = script.head
    deny = f"[tool.shapeflow]\ndeny-read = [{head['deny']!r}]\n" if "deny" in head else ""
    here = place.Place(script.text, base, deny, tuple(head.get("allowed", "").split()),
                       tuple(head.get("visited", "").split()))
    terminal = _Terminal() if "terminal" in head else None
    inherited = _Inherited(here) if "inherit" in head else None
    try:
        _run(result, here, terminal, inherited)
        for what in (here, terminal, inherited):
            if what is not None:
                result.harms += what.harms()
        if script.head.get("send") == "KILL":  # who is killed cannot tidy up
            result.harms = [words for words in result.harms if not words.startswith("tmp/")]
        _judge(result, here)
    finally:
        here.close()
    return result


def _run(result: Result, here: place.Place, terminal: _Terminal | None, inherited: _Inherited | None) -> None:
    head = result.script.head
    arguments = command(result.script)
    if terminal is not None:
        arguments = ["-c", _ON_TERMINAL, *arguments]
    line = [sys.executable, *arguments]
    if result.layer == "none":  # nothing holds it: the parent that it kills is not to be this process
        line = ["sh", "-c", '"$@"; exit $?', "sh", *line]
    began = time.monotonic()
    process = subprocess.Popen(
        line, cwd=here.project,
        env=here.environment(SHAPEFLOW_SANDBOX=result.layer), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=terminal.theirs if terminal else subprocess.DEVNULL,
        pass_fds=inherited.fds if inherited else (), start_new_session=terminal is None)
    out, err = _Reader(process.stdout), _Reader(process.stderr)
    if "knock" in head and place.knock(here.sockets.free, lambda: process.poll() is not None):
        result.harms.append("a server of the script's was reached from outside")
    if "send" in head:
        time.sleep(1.0)
        process.send_signal(getattr(signal, "SIG" + head["send"]))
        process.wait(HANG)
        end = time.monotonic() + 1.0  # the kernel's own signals need a moment
        while here.processes() and time.monotonic() < end:
            time.sleep(0.02)
    try:
        result.status = process.wait(HANG)
    except subprocess.TimeoutExpired:
        result.harms.append("the check never ended")
        for pid in here.processes():
            os.kill(pid, signal.SIGKILL)
        process.kill()
        result.status = process.wait()
    result.seconds = time.monotonic() - began
    if result.layer == "none" and result.status is not None and result.status > 128:
        result.status = 128 - result.status
    result.out, result.err = out.text(), err.text()
    try:
        result.report = json.loads(result.out)
    except ValueError:
        pass


def _judge(result: Result, here: place.Place) -> None:
    script, head = result.script, result.script.head
    if result.status is not None and result.status < 0 and "send" not in head:
        result.harms.append(f"the check itself was killed by signal {-result.status}")
    if head.get("done") == "not held" and result.status == 0:
        result.harms.append("the script came to its end")
    if "\x1b" in result.out + result.err or "\x9b" in result.out + result.err:
        result.harms.append("escape sequences reach the terminal")
    if "Traceback (most recent call last)" in result.err:
        result.wrong.append("the check itself failed: " + result.err.strip().splitlines()[-1])
    expected = script.expected()
    if script.kind == "limits" and expected == {3} and result.status == 0:
        result.harms.append("the limit did not hold")
    elif expected is not None and result.status not in expected:
        result.wrong.append(f"status {result.status}, expected {sorted(expected)}")
    if "says" in head and head["says"] not in result.out + result.err:
        result.wrong.append(f"does not say {head['says']!r}")
    if "findings" in head and _errors(result) != int(head["findings"]):
        result.wrong.append(f"{_errors(result)} findings")
    if 1 in (expected or ()) and "expect" in head and expected == {1} and not _errors(result):
        result.wrong.append("the finding is lost")
    result.wrong += here.missing()


def _errors(result: Result) -> int:
    return sum(finding["severity"] == "error" for finding in result.report.get("findings", ()))


def printed(script: Script, layer: str, here: place.Place) -> str:
    """What one check prints with --show-output, findings included, without the seconds it took."""
    arguments = ["-m", "shapeflow", "check", "--show-output", "--time-limit", "20", "train.py"]
    done = subprocess.run(
        [sys.executable, *arguments], cwd=here.project, env=here.environment(SHAPEFLOW_SANDBOX=layer),
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=HANG, start_new_session=True)
    if done.returncode not in (script.expected() or {done.returncode}):
        raise AssertionError(f"status {done.returncode}: {done.stderr}")
    return re.sub(r"in \d+\.\d+ s", "in SECONDS", done.stdout + done.stderr)


# --- which layers there are ---------------------------------------------------------------------------
_PROBE = """
import os, sys, tempfile
from shapeflow.sandbox import Policy
from shapeflow import _sandbox
policy = Policy(layers=[sys.argv[1]])
reading, writing = os.pipe()
scratch = tempfile.mkdtemp()
pid, fd, layer, notes = _sandbox.spawn(policy.native([writing], scratch, [os.getcwd()]))
if pid == 0:
    os._exit(0)
os.waitpid(pid, 0)
os.rmdir(scratch)
print(layer)
print("; ".join(notes))
"""


def available(layer: str) -> tuple[bool, str]:
    """Can this machine have the layer? With the words of the reason why not."""
    done = subprocess.run([sys.executable, "-c", _PROBE, layer], capture_output=True, text=True, timeout=60)
    got, _, notes = done.stdout.partition("\n")
    return got == layer, notes.strip() or done.stderr.strip()[-200:]


def main() -> int:
    import argparse

    parser = argparse.ArgumentParser(description="Runs escape scripts by hand.")
    parser.add_argument("--layer", action="append", choices=[*LAYERS, "none"])
    parser.add_argument("--jobs", type=int, default=JOBS)
    parser.add_argument("--bad", action="store_true", help="show only what is not held or wrong")
    parser.add_argument("--base", help="the folder for the places")
    parser.add_argument("names", nargs="*", help="parts of names")
    arguments = parser.parse_args()
    chosen = [script for script in scripts() if script.kind != "same" and not script.lacks()
              and (not arguments.names or any(name in script.id for name in arguments.names))]
    bad = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for layer in arguments.layer or LAYERS:
            pairs = [(script, layer, arguments.base) for script in chosen]
            for result in pool.map(lambda given: run(*given), pairs):
                troubled = bool(result.harms or result.wrong)
                bad += troubled
                if troubled or not arguments.bad:
                    print(result, flush=True)
    print(f"{bad} not held or wrong")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
