"""Several scripts, time limits, Ctrl-C, progress, colours, --watch."""
import json
import re
import signal
import subprocess
import threading
import time

import pytest

from command import RIGHT, WRONG, command, environment, lines, shapeflow, write
from terminal import on_a_terminal

ENDLESS = """import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
session = tf.Session()
try:
    tf.matmul(x, tf.zeros([3, 3]))
except Exception:
    pass
runs = 0
while True:
    try:
        session.run(x, {x: [[1, 2]]})
        runs += 1
        if runs == 5:
            open(__file__ + ".begun", "w").close()
    except BaseException:
        pass
"""


def heed_ctrl_c():
    """Jobs in the background of a shell are born ignoring it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


CHECK = ("check", "--allow-write", ".")  # of scripts that tell these tests by a file how far they are


def started(folder, *arguments, **kwargs):
    return subprocess.Popen(command(*arguments), cwd=folder, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=kwargs.pop("env", None) or environment(),
                            preexec_fn=heed_ctrl_c, **kwargs)


def wait_for(test, seconds=60.0):
    limit = time.monotonic() + seconds
    while not test():
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.05)


def test_order_is_that_of_the_command_line(tmp_path):
    slow = "import time\ntime.sleep(1)\n" + WRONG
    write(tmp_path, a=slow, b=WRONG, c=RIGHT, d=WRONG)
    done = shapeflow(tmp_path, "check", "--format", "concise", "-j", "4", "a.py", "b.py", "c.py", "d.py")
    assert [path for path, _, _ in lines(done)] == ["a.py", "b.py", "d.py"]
    summaries = [line.split(": ")[1] for line in done.stderr.splitlines()]
    assert summaries == ["a.py", "b.py", "d.py", "4 checked, 3 with findings (3 errors, 0 warnings) in "
                         + done.stderr.rpartition(" in ")[2].rstrip()]


def test_jobs_run_at_the_same_time(tmp_path):
    """Each waits for a file of the other: one at a time would be stopped by the limit."""
    meet = ("import os, time\nopen('{0}', 'w').close()\nwhile not os.path.exists('{1}'):\n"
            "    time.sleep(0.02)\n")
    write(tmp_path, a=meet.format("1", "2"), b=meet.format("2", "1"))
    done = shapeflow(tmp_path, *CHECK, "--jobs", "2", "--time-limit", "60", "a.py", "b.py")
    assert done.returncode == 0 and "stopped" not in done.stderr


def test_worst_status_counts(tmp_path):
    write(tmp_path, right=RIGHT, wrong=WRONG, own="raise RuntimeError('mine')\n", dies=(
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"))
    assert shapeflow(tmp_path, "check", "right.py", "own.py").returncode == 3
    assert shapeflow(tmp_path, "check", "wrong.py", "own.py").returncode == 1
    done = shapeflow(tmp_path, "check", "right.py", "dies.py", "wrong.py")
    assert done.returncode == 1 and "SIGKILL" in done.stderr and "wrong.py:3:" in done.stdout
    done = shapeflow(tmp_path, "check", "--exit-zero", "right.py", "wrong.py")
    assert done.returncode == 0 and "error[SF101]" in done.stdout
    assert shapeflow(tmp_path, "check", "--exit-zero", "wrong.py").returncode == 0
    assert shapeflow(tmp_path, "check", "--exit-zero", "own.py").returncode == 3


def test_one_document_for_all(tmp_path):
    write(tmp_path, a=WRONG, b=WRONG)
    done = shapeflow(tmp_path, "check", "--format", "json", "--output", "report.json", "a.py", "b.py")
    assert done.returncode == 1 and done.stdout == ""
    report = json.loads((tmp_path / "report.json").read_text())
    assert [finding["script"] for finding in report["findings"]] == ["a.py", "b.py"]
    done = shapeflow(tmp_path, "check", "--output", "no/such/folder", "a.py")
    assert done.returncode == 2 and "cannot write no/such/folder" in done.stderr
    for format in ("sarif", "html", "github"):
        assert shapeflow(tmp_path, "check", "--format", format, "a.py", "b.py").stdout.count("SF101") >= 2


@pytest.mark.skipif("sys.version_info[:2] == (3, 10)", reason="its interpreter does not give way there")
def test_time_limit_says_after_how_many_iterations(tmp_path):
    write(tmp_path, loop=ENDLESS, eager="""import tensorflow as tf
v = tf.Variable([1.0])
while True:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(v * 2.0)
    tape.gradient(loss, v)
""")
    done = shapeflow(tmp_path, "check", "--every-batch", "--time-limit", "2", "eager.py")
    assert done.returncode == 0, done.stderr
    assert re.search(r"eager.py stopped after [\d,]{2,} iterations \(--time-limit: 2 s\)", done.stderr)
    done = shapeflow(tmp_path, "check", "--every-batch", "--time-limit", "5", "loop.py", "eager.py")
    assert done.returncode == 1 and "error[SF10" in done.stdout, done.stderr
    assert len(re.findall("stopped after [0-9,]+ iterations", done.stderr)) == 2, done.stderr


@pytest.mark.skipif("sys.version_info[:2] == (3, 10)", reason="its interpreter does not give way there")
def test_ctrl_c_reports_what_was_found(tmp_path):
    write(tmp_path, loop=ENDLESS)
    child = started(tmp_path, *CHECK, "loop.py")
    wait_for((tmp_path / "loop.py.begun").exists)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 1
    assert "error[SF10" in out
    assert re.search(r"loop.py stopped after [\d,]+ iterations \(interrupted\)", err)
    assert "Traceback" not in err


@pytest.mark.skipif("sys.version_info[:2] == (3, 10)", reason="its interpreter does not give way there")
def test_ctrl_c_of_several(tmp_path):
    write(tmp_path, a=WRONG, loop=ENDLESS, b=WRONG, c=WRONG)
    child = started(tmp_path, *CHECK, "-j", "1", "--format", "concise", "a.py", "loop.py", "b.py", "c.py")
    wait_for((tmp_path / "loop.py.begun").exists)
    child.send_signal(signal.SIGINT)  # to the parent alone: it hands it on
    out, err = child.communicate(timeout=60)
    assert child.returncode == 1
    assert [line.split(":")[0] for line in out.splitlines()] == ["a.py", "loop.py"]
    assert "2 of 4 scripts were not checked" in err and "(interrupted)" in err and "Traceback" not in err


def test_ctrl_c_without_findings(tmp_path):
    write(tmp_path, idle="open('begun', 'w').close()\nimport time\ntime.sleep(60)\n")
    child = started(tmp_path, *CHECK, "idle.py")
    wait_for((tmp_path / "begun").exists)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, "") and "(interrupted)" in err and "0 errors" not in err


# --- terminals ----------------------------------------------------------------------------------
def test_colours(tmp_path):
    write(tmp_path, wrong=WRONG)
    assert "\x1b[" in on_a_terminal(tmp_path, "check", "wrong.py")
    assert "\x1b[" not in on_a_terminal(tmp_path, "check", "wrong.py",
                                        env=environment(TERM="xterm", NO_COLOR="1"))
    assert "\x1b[" not in on_a_terminal(tmp_path, "check", "wrong.py", env=environment(TERM="dumb"))
    assert "\x1b[" in on_a_terminal(tmp_path, "check", "--color", "always", "wrong.py",
                                    env=environment(TERM="xterm", NO_COLOR="1"))

    def plain(**env):
        return shapeflow(tmp_path, "check", "wrong.py", env=environment(**env)).stdout

    assert "\x1b[" not in plain()
    coloured = plain(FORCE_COLOR="1")
    assert "\x1b[" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain()
    assert "\x1b[" not in plain(FORCE_COLOR="1", NO_COLOR="1") and "\x1b[" not in plain(FORCE_COLOR="0")
    assert "\x1b[" in shapeflow(tmp_path, "check", "--color", "always", "wrong.py").stdout
    done = shapeflow(tmp_path, "check", "--format", "json", "wrong.py", env=environment(FORCE_COLOR="1"))
    assert "\x1b[" not in done.stdout
    shapeflow(tmp_path, "check", "--output", "o.txt", "wrong.py", env=environment(FORCE_COLOR="1"))
    assert "\x1b[" not in (tmp_path / "o.txt").read_text()


@pytest.mark.skipif("sys.version_info[:2] == (3, 10)", reason="its interpreter does not give way there")
def test_progress_on_a_terminal_only(tmp_path):
    write(tmp_path, loop=ENDLESS, slow="import time\ntime.sleep(2.5)\n")
    shown = on_a_terminal(tmp_path, "check", "--every-batch", "--time-limit", "2.5", "loop.py")
    assert re.search(r"\rloop.py: [\d,]+ iterations, [\d,]+ of them known from before, \d s", shown)
    assert re.search(r"\r +\r", shown)  # wiped before the report
    shown = on_a_terminal(tmp_path, "check", "--jobs", "1", "--every-batch", "--time-limit", "3", "slow.py",
                           "loop.py")
    assert re.search(r"\r0 of 2 done, \d s: slow.py", shown)
    for options in (["-q"], ["--format", "json"]):
        assert "iterations," not in on_a_terminal(tmp_path, "check", "--every-batch", "--time-limit", "2",
                                                     *options, "loop.py")
    done = shapeflow(tmp_path, "check", "--every-batch", "--time-limit", "2", "loop.py")
    assert "\r" not in done.stderr + done.stdout


# --- watch --------------------------------------------------------------------------------------
def test_watch_checks_again_when_a_module_changes(tmp_path):
    write(tmp_path, main="import tensorflow as tf\nimport lib\ntf.zeros([2]) + tf.zeros([lib.n])\n",
          lib="n = 2\n", unrelated="")
    child = started(tmp_path, "check", "--watch", "--format", "concise", "main.py")
    out, err = [], []
    for stream, into in ((child.stdout, out), (child.stderr, err)):
        threading.Thread(target=lambda s=stream, i=into: i.extend(iter(s.readline, "")), daemon=True).start()
    try:
        wait_for(lambda: any("watching" in line for line in err))
        assert not out
        write(tmp_path, unrelated="x = 1\n")
        time.sleep(1.2)
        assert sum("watching" in line for line in err) == 1
        write(tmp_path, lib="n = 34\n")
        wait_for(lambda: sum("watching" in line for line in err) == 2)
        assert [line.split(":")[0] for line in out] == ["main.py"] and "SF113" in out[0]
        assert any("lib.py changed" in line for line in err)
        write(tmp_path, lib="n = 2\n")
        wait_for(lambda: sum("watching" in line for line in err) == 3)
        assert len(out) == 1
    finally:
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=30) == 0
