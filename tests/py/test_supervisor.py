"""The parent of a script's process: what it takes, what it hands on, and what it ends."""
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from command import RIGHT, WRONG, command, environment, processes_with, shapeflow, write
from shapeflow.checker import reports, runner
from shapeflow.sandbox import Policy, channel, supervise, wait_child
from shapeflow.sandbox.child import Child

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

SLEEPS = "import time\ntime.sleep(60)\n"
LAUNCHER = Path(__file__).resolve().parents[2] / "pymodule" / "bin" / "shapeflow"


def in_folder(folder, **changes):
    """Its own TMPDIR, in which nothing may be left."""
    (folder / "tmp").mkdir(exist_ok=True)
    return environment(TMPDIR=str(folder / "tmp"), PYTHONHASHSEED="0", SHAPEFLOW_NO_SUGGESTIONS="1",
                       SHAPEFLOW_NO_CACHE="", **changes)


def check(folder, *options):
    done = shapeflow(folder, "check", "--no-cache", *options, env=in_folder(folder))
    assert os.listdir(folder / "tmp") == [] and "Traceback" not in done.stderr
    return done


def family(pid):
    found = [pid]
    for known in found:
        for task in Path(f"/proc/{known}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def as_at_a_terminal():
    """In the background a shell, or nohup, has them ignored."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def begin(folder, text, prepare=as_at_a_terminal):
    """A check whose script has come to its end, where it sleeps."""
    write(folder, s="print('ready', flush=True)\n" + text)
    child = subprocess.Popen(command("check", "--no-cache", "--show-output", "s.py"), cwd=folder, text=True,
                             env=in_folder(folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             preexec_fn=prepare)
    assert child.stdout.readline() == "ready\n"
    return child


# --- signals -------------------------------------------------------------------------------------
@pytest.mark.parametrize("number, words, status", [
    (signal.SIGTERM, "ended by SIGTERM", 3), (signal.SIGHUP, "ended by SIGHUP", 3),
    (signal.SIGINT, "interrupted", 130)])
def test_a_signal_reaches_who_waits(tmp_path, number, words, status):
    child = begin(tmp_path, SLEEPS)
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert words in err and child.returncode == status and out == ""
    assert os.listdir(tmp_path / "tmp") == []
    assert processes_with(tmp_path) == 0


def test_signals_while_the_script_is_started_are_not_lost(tmp_path):
    """At whatever moment of it: the command ends, and says why, unless Python itself has not begun yet."""
    write(tmp_path, s=SLEEPS)
    for delay in (0.15, 0.2, 0.25, 0.3):
        child = subprocess.Popen(command("check", "--no-cache", "s.py"), cwd=tmp_path, text=True,
                                 env=in_folder(tmp_path), stderr=subprocess.PIPE, preexec_fn=as_at_a_terminal)
        time.sleep(delay)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=30)[1]
        assert child.returncode == -signal.SIGINT or "interrupt" in said.lower() and child.returncode != 0


def test_a_signal_that_is_ignored_stays_so(tmp_path):
    def as_nohup_has_it():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    child = begin(tmp_path, "import time\ntime.sleep(1)\n", as_nohup_has_it)
    child.send_signal(signal.SIGHUP)
    assert "0 errors" in child.communicate(timeout=60)[1] and child.returncode == 0


def test_a_killed_parent_takes_the_script_along(tmp_path):
    child = begin(tmp_path, SLEEPS)
    others = family(child.pid)[1:]
    child.kill()
    child.communicate()
    for _ in range(500):
        left = [pid for pid in others if os.path.exists(f"/proc/{pid}")]
        if not left:
            break
        time.sleep(0.02)
    assert len(others) >= 3 and left == []


def test_the_callers_signals_are_his_again(tmp_path):
    def state():
        return ([signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)],
                signal.pthread_sigmask(signal.SIG_BLOCK, ()), sorted(os.listdir("/dev/fd")))

    before = state()
    outcome(tmp_path, lambda sender: 0)
    assert state() == before


# --- what comes ----------------------------------------------------------------------------------
def outcome(folder, work, take=None, time_limit=20.0, show_output=False):
    """(status, reason, messages) of a script that does this."""
    messages = []
    child = Child(work, Policy(max_memory=0), str(folder / "s.py"), time_limit, show_output, False)
    ending = child.wait(take or (lambda kind, value: messages.append((kind, value))))
    child.close()
    return ending.status, ending.reason, messages


def test_messages_come_when_they_are_made(tmp_path):
    came = []

    def work(sender):
        for number in range(2):
            sender.send(channel.USAGE, number)
            time.sleep(0.5)
        return 7

    assert outcome(tmp_path, work, lambda *message: came.append((time.monotonic(), message))) == (7, None, [])
    assert [message for _, message in came] == [(channel.USAGE, 0), (channel.USAGE, 1)]
    assert came[1][0] - came[0][0] > 0.4


def test_a_thread_waits_as_well(tmp_path):
    found = []
    thread = threading.Thread(target=lambda: found.append(
        outcome(tmp_path, lambda sender: sender.send(channel.TAKEN, [1]) or 5)))
    before = os.listdir("/proc/self/task")
    thread.start()
    thread.join()
    assert found == [(5, None, [(channel.TAKEN, [1])])]
    # join() returns before the system's thread has ended, which holds locks of AddressSanitizer as it
    # does: a process that is forked then (by the next test) may wait for them for ever.
    while set(os.listdir("/proc/self/task")) - set(before):
        time.sleep(0.01)


def test_a_long_message_comes_whole(tmp_path):
    value = ["é\udcff" * 3000] * 200  # 7 MB: a hundred pipes full
    assert outcome(tmp_path, lambda sender: sender.send(channel.TAKEN, value) or 0, time_limit=200.0) == (
        0, None, [(channel.TAKEN, value)])


def test_what_goes_too_far_is_ended(tmp_path, monkeypatch):
    def sleep(sender):
        sender.send(channel.USAGE, "kept")
        time.sleep(60)
        return 0

    def flood(sender):
        while True:
            os.write(1, b"x" * 1000)

    def junk(sender):
        sender.send(channel.USAGE, "kept")
        os.write(sender.fd, b"\xff" * 100000)
        return sleep(sender)

    def leave_never(sender):
        sender.send(channel.REPORT, None)
        return sleep(sender)

    kept = [(channel.USAGE, "kept")]
    monkeypatch.setattr(wait_child, "GRACE", 0.1)
    monkeypatch.setattr(wait_child, "MAX_OUTPUT", 0)
    monkeypatch.setattr(wait_child, "_LEAVING", 0.2)
    assert outcome(tmp_path, sleep, time_limit=0.1)[1:] == ("stopped after 0.1 s (--time-limit)", kept)
    assert outcome(tmp_path, flood, show_output=True)[1:] == ("printed more than 0 B", [])
    assert outcome(tmp_path, junk)[1:] == ("sent what is no report", kept)
    assert outcome(tmp_path, leave_never)[1] is not None


def test_a_script_that_does_not_listen_is_killed(tmp_path, monkeypatch):
    """SIGTERM to the processes around it ends it, whatever it does with signals."""
    def work(sender):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(60)
        return 0

    monkeypatch.setattr(wait_child, "GRACE", 0.1)
    began = time.monotonic()
    status, reason, _ = outcome(tmp_path, work, time_limit=0.1)
    assert status == -signal.SIGKILL and "stopped after" in reason and time.monotonic() - began < 10


# --- the script's word ---------------------------------------------------------------------------
FORGER = """import os
def message(kind, data):
    return bytes((kind,)) + len(data).to_bytes(8, 'big') + data
for fd in map(int, os.listdir('/proc/self/fd')):
    try:
        if fd > 2 and os.readlink('/proc/self/fd/%d' % fd).startswith('pipe:'):
            os.write(fd, {data})
    except OSError:
        pass
import ctypes
ctypes.CDLL(None)._exit(0)
"""
WRONG_LINES = "".join(f"try: {line}\nexcept Exception: pass\n" for line in WRONG.splitlines())


@pytest.mark.parametrize("data", [
    "message(2, b'{}')", "message(2, b'[]')", "message(2, b'{\"findings\": 1}')", "message(9, b'{}')",
    "message(4, b'\"\\\\u001b[31mred\"')", "message(1, b'7')", "message(5, b'7')", "message(6, b'7')",
    "message(2, b'{}')[:-1]", "b'\\xff' * 9", "message(1, b'{}') * 1000"])
def test_a_forged_end_is_not_believed(tmp_path, data):
    write(tmp_path, s=FORGER.replace("{data}", data))
    done = check(tmp_path, "s.py")
    assert done.returncode == 3 and "\x1b" not in done.stderr


def test_a_finding_is_not_taken_back(tmp_path):
    """Not by what the script makes up, neither for this command nor for one that runs many."""
    for data in ("message(2, b'{}')", "b'\\xff' * 99"):
        forged = FORGER.replace("{data}", data)
        write(tmp_path, s=forged.replace("import os\n", "import os\n" + WRONG_LINES, 1))
        done = check(tmp_path, "s.py")
        assert done.returncode == 1 and "error[" in done.stdout
        write(tmp_path, t=WRONG)
        done = check(tmp_path, "s.py", "t.py")
        assert done.returncode == 1 and done.stdout.count("error[") == 2


def test_a_long_message_is_read_soon(tmp_path):
    """Nobody's reader is kept busy for hours: neither by digits nor by length nor by depth."""
    for data in ("b'[' + b'9' * (20 << 20) + b']'", "b'[' + b'0,' * (10 << 20) + b'0]'", "b'[' * (20 << 20)"):
        write(tmp_path, s=FORGER.replace("{data}", f"message(2, {data})"))
        began = time.monotonic()
        assert check(tmp_path, "s.py").returncode == 3 and time.monotonic() - began < 30


def test_fixes_that_a_script_made_up_are_no_fixes(tmp_path):
    """--fix would write them."""
    write(tmp_path, s=WRONG)
    report = reports.pack(runner.run(str(tmp_path / "s.py"), ["--raw", "--record-reads"]))
    report["findings"][0]["fixes"] = [{"description": "x", "diff": "x", "edits": []}]
    assert reports.unpack(report).records[0].fixes
    arrived = supervise.Arrived()
    arrived.take(channel.REPORT, report)
    arrived.take(channel.FINDING, report["findings"][0])
    assert not arrived.report.records[0].fixes and not arrived.findings[0]["fixes"]


# --- the command ---------------------------------------------------------------------------------
def test_a_job_of_its_own_reports_all(tmp_path):
    write(tmp_path, a=RIGHT, b="import time\ntime.sleep(0.5)\n" + WRONG)
    done = check(tmp_path, "--format", "concise", "a.py", "b.py")
    assert done.returncode == 1 and done.stdout.startswith("b.py:5:")
    assert "2 checked, 1 with findings (1 error, 0 warnings)" in done.stderr


@pytest.mark.skipif(not LAUNCHER.exists(), reason="not in a checkout")
def test_the_command_starts_python_with_a_seed(tmp_path):
    (tmp_path / "bin").mkdir()
    shutil.copy(LAUNCHER, tmp_path / "bin")
    other = tmp_path / "bin" / "shapeflow-python"
    other.write_text('#!/bin/sh\necho "$PYTHONHASHSEED" "$#" "$2"\nexit 7\n')
    other.chmod(0o755)
    os.symlink(tmp_path / "bin" / "shapeflow", tmp_path / "link")
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    for path in (tmp_path / "bin" / "shapeflow", tmp_path / "link"):
        for given, seed in (({}, "0"), ({"PYTHONHASHSEED": "random"}, "random")):
            done = subprocess.run([path, "check", "a b"], env={**plain, **given}, capture_output=True,
                                  text=True)
            assert (done.stdout, done.returncode) == (f"{seed} 2 a b\n", 7)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_streams_that_the_caller_closed(tmp_path, closed):
    write(tmp_path, s=WRONG)
    line = " ".join(command("check", "--no-cache", "s.py")) + " " + closed
    assert subprocess.run(["sh", "-c", line], cwd=tmp_path, env=in_folder(tmp_path), capture_output=True,
                          timeout=120).returncode == 1
