"""The program that stands in for an interpreter which only waits: shapeflow/_keeper."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command import RIGHT, WRONG, command, environment, processes_with, shapeflow, write
from sandbox_process import every_layer, finish, run, start
from shapeflow import _sandbox, cache, reports, runner
from shapeflow.sandbox import channel, supervise

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

LONG = "import time\ntime.sleep(0.7)\n"  # beyond supervise._SOON_OVER
SLEEPS = "import time\ntime.sleep(60)\n"
LAUNCHER = Path(__file__).resolve().parents[2] / "pymodule" / "bin" / "shapeflow"


def in_folder(folder, **changes):
    """Its own TMPDIR, in which nothing may be left."""
    (folder / "tmp").mkdir(exist_ok=True)
    return environment(TMPDIR=str(folder / "tmp"), PYTHONHASHSEED="0", SHAPEFLOW_NO_SUGGESTIONS="1",
                       SHAPEFLOW_NO_CACHE="", **changes)


def check(folder, *options):
    done = shapeflow(folder, "check", *options, env=in_folder(folder))
    assert os.listdir(folder / "tmp") == [] and "Traceback" not in done.stderr
    return done


def start_with(folder, change):
    """A file that is run as the command is, with a name of supervise.py changed."""
    path = folder / "start.py"
    path.write_text("import shapeflow.sandbox.supervise as s\n"
                    f"s.{change}\nfrom shapeflow.cli import run\nrun()\n")
    return path


def check_with(folder, change, *options):
    return subprocess.run([sys.executable, start_with(folder, change), "check", "--no-cache", *options],
                          cwd=folder, capture_output=True, env=in_folder(folder), text=True, timeout=180)


def name_of(pid):
    return Path(f"/proc/{pid}/comm").read_text().strip()


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


def begin(folder, *options):
    """A check whose parent waits as the keeper."""
    child = subprocess.Popen(command("check", "--no-cache", *options), cwd=folder, env=in_folder(folder),
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             preexec_fn=as_at_a_terminal)
    for _ in range(1500):
        if name_of(child.pid) == "shapeflow":
            return child
        time.sleep(0.02)
    child.kill()
    raise AssertionError("it never became the keeper: " + name_of(child.pid))


# --- who waits -----------------------------------------------------------------------------------
def test_nobody_who_waits_holds_an_interpreter(tmp_path):
    write(tmp_path, s=SLEEPS)
    child = begin(tmp_path, "s.py")
    names = [name_of(pid) for pid in family(child.pid)]
    child.terminate()
    child.communicate()
    assert names[:3] == ["shapeflow"] * 3 and names[3].startswith("python") and len(names) == 4


def test_a_first_finding_keeps_the_interpreter_which_is_needed(tmp_path):
    write(tmp_path, s=WRONG.replace("y = tf", "try:\n    y = tf") + "except ValueError:\n    import time\n"
          "    time.sleep(1.2)\n")
    start = start_with(tmp_path, "_SOON_OVER = 60000")
    child = subprocess.Popen([sys.executable, start, "check", "--no-cache", "s.py"], cwd=tmp_path,
                             env=in_folder(tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    names = set()
    while child.poll() is None:
        names.add(name_of(child.pid))
        time.sleep(0.05)
    assert "shapeflow" not in names and child.returncode == 1


@every_layer
def test_a_supervisor_is_the_program_where_there_is_one(layer):
    for keeper, wanted in ((supervise.KEEPER, "shapeflow"), (None, name_of(os.getpid())), ("/nowhere", None)):
        pid, status, answer, notes = start(lambda: time.sleep(0.5), layer, keeper=keeper)
        time.sleep(0.2)
        name = name_of(pid)
        assert finish(pid, status, answer, layer, notes).lines == ["exit 0"]
        assert wanted is None or name == wanted


@every_layer
def test_a_program_that_cannot_be_run_is_done_without(layer, tmp_path):
    (tmp_path / "broken").write_bytes(b"\x7fELF no program")
    (tmp_path / "broken").chmod(0o755)
    assert run(lambda: 7, layer, keeper=str(tmp_path / "broken")).lines == ["exit 0"]


def test_a_program_that_dies_at_once_is_done_without(tmp_path):
    write(tmp_path, s=LONG + WRONG)
    done = check_with(tmp_path, "KEEPER = '/bin/false'", "s.py")
    assert done.returncode == 1 and "error[" in done.stdout


# --- how it ends ---------------------------------------------------------------------------------
OPTIONS = [("--format", "concise"), ("--format", "json"), ("-q",), ("--show-output",), ("--exit-zero",)]


@pytest.mark.parametrize("text, options", [
    *((text, ()) for text in (RIGHT, WRONG, RIGHT + "1 / 0\n", RIGHT + "open('new.txt', 'w').close()\n",
                              RIGHT + "import os\nos.chdir('/')\n")),
    *((text, options) for text in (RIGHT + "print('said')\n", WRONG) for options in OPTIONS)])
def test_a_long_script_is_reported_as_with_python(tmp_path, text, options):
    write(tmp_path, s=LONG + text)
    kept = check(tmp_path, "--no-cache", *options, "s.py")
    with_python = check_with(tmp_path, "KEEPER = '/nowhere'", *options, "s.py")
    assert (kept.returncode, kept.stdout) == (with_python.returncode, with_python.stdout)
    assert without_times(kept.stderr) == without_times(with_python.stderr)


def without_times(text):
    return [" ".join(word for word in line.split() if not word.replace(".", "").isdigit())
            for line in text.splitlines()]


def test_what_the_keeper_puts_into_the_cache_is_an_entry(tmp_path):
    write(tmp_path, s=LONG + RIGHT)
    assert "0 errors" in check(tmp_path, "s.py").stderr
    entry, = (path for path in (tmp_path / ".shapeflow_cache").iterdir() if len(path.name) == 32)
    assert entry.read_bytes().startswith(b"shapeflow report\n")
    for _ in range(2):
        assert "unchanged since" in check(tmp_path, "s.py").stderr
        assert not entry.read_bytes().startswith(b"shapeflow report\n")
    write(tmp_path, s=LONG + WRONG)
    assert check(tmp_path, "s.py").returncode == 1


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"{s6:reportn}", b"{s6:report{s5:readsn}}", b"J[]",
                                     b"\xff", b'J{"report": {"reads": {"files": 1}}}'])
def test_a_report_in_the_cache_that_is_none_is_not_used(tmp_path, content):
    write(tmp_path, s=LONG + RIGHT)
    check(tmp_path, "s.py")
    entry, = (path for path in (tmp_path / ".shapeflow_cache").iterdir() if len(path.name) == 32)
    entry.write_bytes(b"shapeflow report\n" + content)
    done = check(tmp_path, "s.py")
    assert done.returncode == 0 and "unchanged" not in done.stderr


def test_fixes_that_a_script_made_up_are_no_fixes(tmp_path):
    """Neither in a report that goes on as it is, nor in the cache: --fix would write them."""
    write(tmp_path, s=WRONG)
    report = reports.pack(runner.run(str(tmp_path / "s.py"), ["--raw", "--record-reads"]))
    report["findings"][0]["fixes"] = [{"description": "x", "diff": "x", "edits": []}]
    assert reports.unpack(report).records[0].fixes
    assert not reports.from_script(report).records[0].fixes
    reading, writing = os.pipe()
    channel.Sender(writing).send({"report": report})
    os.close(writing)
    with open(reading, "rb") as stream:
        text = stream.read()[8:]
    kept = cache.Cache(str(tmp_path / "kept"))
    assert kept.prepare()
    Path(kept.path("k" * 32)).write_bytes(b"shapeflow report\n" + text)
    for _ in range(2):
        found = kept.get("k" * 32)
        assert found["findings"] and not found["findings"][0]["fixes"]


def test_a_job_of_its_own_reports_through_the_keeper(tmp_path):
    write(tmp_path, a=LONG + RIGHT, b=LONG + WRONG)
    done = check(tmp_path, "--no-cache", "--format", "concise", "a.py", "b.py")
    assert done.returncode == 1 and done.stdout.startswith("b.py:5:")
    assert "2 scripts: 1 error, 0 warnings" in done.stderr


@pytest.mark.parametrize("number, words", [
    (signal.SIGTERM, "ended by SIGTERM"), (signal.SIGHUP, "ended by SIGHUP"), (signal.SIGINT, "interrupted")])
def test_a_signal_reaches_who_waits(tmp_path, number, words):
    write(tmp_path, s=SLEEPS)
    child = begin(tmp_path, "s.py")
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert words in err and child.returncode == 3 and out == "" and os.listdir(tmp_path / "tmp") == []
    assert processes_with(tmp_path) == 0


def test_a_second_interrupt_ends_a_script_that_does_not_listen(tmp_path):
    write(tmp_path, s="import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\ntime.sleep(60)\n")
    child = begin(tmp_path, "s.py")
    for _ in range(2):
        child.send_signal(signal.SIGINT)
        time.sleep(0.3)
    _, err = child.communicate(timeout=60)
    assert "interrupted" in err and child.returncode == 3


def test_the_limits_are_those_of_the_check(tmp_path):
    write(tmp_path, t="while True:\n    pass\n", m=LONG + "x = bytearray(900 << 20)\ntime.sleep(5)\n")
    done = check(tmp_path, "--no-cache", "--time-limit", "1", "t.py")
    assert done.returncode == 3 and "stopped after 1 s" in done.stderr
    if not os.environ.get("SHAPEFLOW_UNDER_ASAN"):
        done = check(tmp_path, "--no-cache", "--max-memory", "300M", "m.py")
        assert done.returncode == 3 and "more than 300.0 MiB of memory" in done.stderr


def test_a_killed_keeper_takes_the_script_along(tmp_path):
    write(tmp_path, s=SLEEPS)
    child = begin(tmp_path, "s.py")
    others = family(child.pid)[1:]
    child.kill()
    child.communicate()
    for _ in range(500):
        left = [pid for pid in others if os.path.exists(f"/proc/{pid}")]
        if not left:
            break
        time.sleep(0.02)
    assert left == []


def test_words_of_the_environment_that_no_keeper_wrote_are_ignored(tmp_path):
    write(tmp_path, s=WRONG)
    for words in ("", "x", "1 2 3", "99 0 0 0 namespaces 0", "-1 0 99 0 x x ", "0 0 99 0 x 0 "):
        done = shapeflow(tmp_path, "check", "--no-cache", "s.py",
                         env=in_folder(tmp_path, SHAPEFLOW_KEPT=words))
        assert done.returncode == 1 and "error[" in done.stdout


# --- the script's word ---------------------------------------------------------------------------
FORGER = """import os, time
time.sleep(0.7)
def message(data):
    return len(data).to_bytes(8, 'big') + data
def last(words, head=b'F00'):
    parts = [b'', words]
    return message(head + b''.join(len(part).to_bytes(8, 'big') + part for part in parts))
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
    "last(b'no report before it')", "message(b'{}') + last(b'\\x1b[31mred')",
    "message(b'{}') + last(b'\\x9b1m')", "message(b'{}') + last(b'', b'F90')",
    "message(b'{}') + message(b'F')", "message(b'{}') + message(b'F00')",
    "message(b'{}') + message(b'F00' + b'\\xff' * 16)", "message(b'{}') + last(b'x')[:-1]",
    "message(b'{}') + last(b'x') + b'\\0'", "message(b'{}') + last(b'x') + message(b'')", "b'\\xff' * 8",
    "message(b'{}') + message(b'F00' + (0).to_bytes(8, 'big') + (1 << 63).to_bytes(8, 'big'))"])
def test_a_forged_end_is_not_believed(tmp_path, data):
    write(tmp_path, s=FORGER.replace("{data}", data))
    done = check(tmp_path, "--no-cache", "s.py")
    assert done.returncode == 3 and not {"\x1b", "\x9b"} & set(done.stderr) and "red" not in done.stderr


def test_a_finding_is_not_taken_back(tmp_path):
    """Not by an end that the script makes up, neither for this command nor for one that runs many."""
    forged = FORGER.replace("{data}", "message(b'{}') + last(b'all is well\\n')")
    write(tmp_path, s=forged.replace("import ctypes", WRONG_LINES + "import ctypes"),
          t=forged.replace("for fd in", WRONG_LINES + "for fd in", 1))
    for name in ("s.py", "t.py"):
        done = check(tmp_path, "--no-cache", name)
        assert done.returncode == 1 and "error[" in done.stdout and "all is well" not in done.stderr
    done = check(tmp_path, "--no-cache", "s.py", "t.py")
    assert done.returncode == 1 and done.stdout.count("error[") == 2


def test_a_long_message_is_read_soon(tmp_path):
    """80 MB that take Python's reader minutes are refused by their length; as JSON they are read by C."""
    write(tmp_path, s=FORGER.replace("{data}", "message(b'{s6:report[' + b'n' * (20 << 20) + b']}')"),
          j=FORGER.replace("{data}", "message(b'J[' + b'0,' * (10 << 20) + b'0]')"))
    for name in ("s.py", "j.py"):
        assert check(tmp_path, "--no-cache", name).returncode == 3


def test_run_by_hand_it_says_what_it_is():
    for arguments in ((), ("attend",), ("supervise", "1"), ("forward", "x")):
        done = subprocess.run([supervise.KEEPER, *arguments], capture_output=True, text=True)
        assert done.returncode == 2 and "shapeflow check" in done.stderr


# --- attend() in this process --------------------------------------------------------------------
def attend(data, status=b"exit 0\n", limit=0, most=1 << 20, printed=b""):
    """What attend() gives of a process that wrote these and sleeps until it is ended; what it handed on."""
    said, to_said = os.pipe()
    lines, to_lines = os.pipe()
    prints, to_prints = os.pipe()
    mine, to_mine = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        os.write(to_said, data)
        os.write(to_prints, printed)
        os.write(to_lines, status)
        if not status:
            time.sleep(60)
        os._exit(0)
    for fd in (to_said, to_lines, to_prints):
        os.close(fd)
    signals = _sandbox.block_signals()
    try:
        began = int(time.clock_gettime(time.CLOCK_MONOTONIC) * 1000)
        got = _sandbox.attend(child, said, lines, prints, to_mine, -1, -1, began, limit, most, signals)
    finally:
        _sandbox.unblock_signals(signals)
        os.close(lines)
        os.close(to_mine)
        os.waitpid(child, 0)
    with open(mine, "rb") as stream:
        return (*got, stream.read())


def test_attend_gives_what_came():
    data = (2).to_bytes(8, "big") + b"{}"
    assert attend(data, printed=b"hello") == (data, b"exit 0\n", 0, b"hello")
    assert attend(b"", b"limit processes 9\nexit 3\n") == (b"", b"limit processes 9\nexit 3\n", 0, b"")


def test_attend_keeps_no_endless_messages():
    said, to_said = os.pipe()
    lines, to_lines = os.pipe()
    child = os.fork()
    if child == 0:
        message = (16 << 20).to_bytes(8, "big") + bytes(16 << 20)
        while True:
            os.write(to_said, message)
    os.close(to_said)
    os.close(to_lines)
    got = _sandbox.attend(child, said, lines, -1, -1, -1, -1, 0, 0, 1, 0)
    os.close(lines)
    os.waitpid(child, 0)
    assert got[2] == 6 and 300 << 20 < len(got[0]) <= 320 << 20


def test_attend_ends_what_goes_too_far():
    assert attend(b"", b"", limit=100)[2] == 1
    assert attend((1 << 40).to_bytes(8, "big"), b"")[2] == 6
    assert attend(b"", b"", most=4, printed=b"hello")[2:] == (5, b"")


def test_a_long_message_is_json():
    reading, writing = os.pipe()
    if os.fork() == 0:
        channel.Sender(writing).send({"report": ["é\udcff" * 3000] * 100, "x": float("nan")})
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as stream:
        data = stream.read()
    os.wait()
    assert data[8:18] == b'J{"report"' and len(data) > 1 << 20 and json.loads(data[9:])
    assert list(channel.messages(data)) == [{"report": ["é\udcff" * 3000] * 100, "x": None}]


# --- the command ---------------------------------------------------------------------------------
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
    write(tmp_path, s=WRONG, long=LONG + WRONG)
    for name in ("s.py", "long.py"):
        line = " ".join(command("check", "--no-cache", name)) + " " + closed
        assert subprocess.run(["sh", "-c", line], cwd=tmp_path, env=in_folder(tmp_path), capture_output=True,
                              timeout=120).returncode == 1
