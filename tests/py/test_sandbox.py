"""The sandbox as a check uses it: the channel, what survives which end, options, reproducible runs.

What each layer holds is tests/escape; the C of it is test_sandbox_kernel.py.
"""
import json
import os
import subprocess
import sys

import pytest

from command import command, environment, processes_with, shapeflow
from sandbox_process import every_layer
from shapeflow import _sandbox
from shapeflow.sandbox import Policy, channel, shown_size, size_of
from shapeflow.sandbox.child import Child, NoSandbox

WRONG = """import tensorflow as tf
x = tf.ones([2, 3])
y = tf.matmul(x, x)
"""


def write(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    return name


# --- the channel --------------------------------------------------------------------------------
def test_messages_are_read_whole():
    messages = [(channel.FINDING, {"a": 1, "b": [None, True, False, -1.5, 2**70], "": {}}),
                (channel.USAGE, "x" * 5000), (channel.REPORT, {"odd": "\udcff é\0\n"}), (channel.TAKEN, None),
                (channel.COMPILED, [])]
    data = sent(*messages)
    for size in (1, 7, len(data)):
        receiver = channel.Receiver()
        parts = [data[at:at + size] for at in range(0, len(data), size)]
        assert [message for part in parts for message in receiver.receive(part)] == messages
    for cut in range(len(data)):  # what was cut off is not read
        got = list(channel.Receiver().receive(data[:cut]))
        assert got == messages[:len(got)] and len(got) < len(messages)


def sent(*messages):
    """The bytes of these."""
    reading, writing = os.pipe()
    sender = channel.Sender(writing)
    for message in messages:
        sender.send(*message)
    os.close(writing)
    with open(reading, "rb") as stream:
        return stream.read()


def test_what_json_does_not_have():
    odd = {"a": (1, 2), "nan": float("nan"), 3: -float("inf"), "path": channel.Broken("x")}
    data = sent((channel.REPORT, odd))
    assert list(channel.Receiver().receive(data)) == [
        (channel.REPORT, {"a": [1, 2], "nan": None, "3": None, "path": "x"})]


def message(text, kind=channel.REPORT):
    return bytes((kind,)) + len(text).to_bytes(8, "big") + text


@pytest.mark.parametrize("data", [
    b"\xff" * 9, b"\0" * 9, message(b"{}", kind=99), message(b"{]"), message(b""), message(b"\xff\xfe{"),
    message(b"{}{}"), message(b"{} "), message(b"{1: 2}"), message(b"nul"), message(b'"\n"'),
    message(b'{"a":'), b"\2" + (1 << 40).to_bytes(8, "big"), message(b"[" * 200000), message(b"9" * 5000)])
def test_what_is_no_message_is_broken(data):
    with pytest.raises(channel.Broken):
        list(channel.Receiver().receive(data))


def test_endless_messages_are_broken(monkeypatch):
    monkeypatch.setattr(channel, "_MOST", 1000)
    receiver = channel.Receiver()
    with pytest.raises(channel.Broken):
        for _ in range(100):
            list(receiver.receive(message(b"[]")))


def test_nobody_listens():
    reading, writing = os.pipe()
    os.close(reading)
    channel.Sender(writing).send(channel.USAGE, "words")
    os.close(writing)


# --- sizes and policies ---------------------------------------------------------------------------
@pytest.mark.parametrize("text, size", [
    ("0", 0), ("512M", 512 << 20), ("2G", 2 << 30), ("1.5 GiB", 3 << 29), ("10kb", 10 << 10), ("7", 7)])
def test_sizes(text, size):
    assert size_of(text) == size


@pytest.mark.parametrize("text", ["", "G", "-1", "1X", "1e400", "nan"])
def test_no_sizes(text):
    with pytest.raises((ValueError, OverflowError)):
        size_of(text)


def test_shown_sizes():
    shown = [shown_size(n) for n in (12, 2048, 3 << 20, 5 << 40)]
    assert shown == ["12 B", "2.0 KiB", "3.0 MiB", "5120.0 GiB"]


def test_a_policy_goes_to_a_child_and_back():
    policy = Policy(["/a"], True, ["/b"], 5, ["audit"])
    assert Policy.from_plain(json.loads(json.dumps(policy.to_plain()))).to_plain() == policy.to_plain()


def test_options_are_checked(tmp_path):
    script = write(tmp_path, "a.py", "x = 1\n")
    for options, words in ((["--max-memory", "lots"], "must be a size"),
                           (["--allow-write", "nowhere"], "no folder")):
        done = shapeflow(tmp_path, "check", *options, script)
        assert done.returncode == 2 and words in done.stderr


@pytest.mark.skipif(sys.version_info < (3, 11), reason="TOML needs tomli on older Pythons")
def test_configuration_lets_a_script_write(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.shapeflow]\nallow-write = ["out"]\nmax-memory = "1G"\n')
    write(tmp_path, "a.py", "open('out/kept.txt', 'w').write('1')\nopen('gone.txt', 'w').write('1')\n")
    done = shapeflow(tmp_path, "check", "a.py")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/kept.txt").exists() and not (tmp_path / "gone.txt").exists()
    assert "gone.txt (a.py:2)" in done.stderr and "kept.txt" not in done.stderr


# --- ends -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("end, words", [
    ("import os\nos._exit(0)\n", ""),
    ("import os\nos.kill(os.getpid(), 11)\n", "SIGSEGV"),
    ("import ctypes\nctypes.string_at(0)\n", "SIGSEGV"),
    ("import ctypes\nctypes.CDLL(None)._exit(7)\n", "status 7"),
    ("import sys\nsys.exit(5)\n", "status 5"),
    ("raise KeyError('mine')\n", "KeyError"),
])
def test_a_finding_survives_every_end(tmp_path, end, words):
    if words == "SIGSEGV" and os.environ.get("SHAPEFLOW_UNDER_ASAN"):
        pytest.skip("AddressSanitizer takes the signal")
    caught = WRONG.replace("y = tf.matmul(x, x)", "try:\n    tf.matmul(x, x)\nexcept Exception:\n    pass")
    done = shapeflow(tmp_path, "check", write(tmp_path, "found.py", caught + end))
    assert done.returncode == 1 and "error[SF114]" in done.stdout, done.stderr
    assert words in done.stderr
    done = shapeflow(tmp_path, "check", write(tmp_path, "clean.py", "import tensorflow as tf\n" + end))
    assert done.returncode == (3 if words else 0) and words in done.stderr


def test_memory_is_bounded(tmp_path):
    text = "parts = []\nwhile True:\n    parts.append(b'x' * (16 << 20))\n"
    done = shapeflow(tmp_path, "check", "--every-batch", "--max-memory", "300M",
                     write(tmp_path, "hog.py", text))
    assert done.returncode == 3 and "300.0 MiB of memory (--max-memory)" in done.stderr


def test_a_hang_in_c_ends(tmp_path):
    text = "import re\nre.match('(a+)+$', 'a' * 64 + 'b')\n"
    done = shapeflow(tmp_path, "check", "--every-batch", "--time-limit", "1",
                     write(tmp_path, "hang.py", WRONG + text))
    assert done.returncode == 1 and "error[SF114]" in done.stdout
    assert "stopped after" in done.stderr


def test_a_script_that_is_stuck_is_no_clean_one(tmp_path):
    write(tmp_path, "a.py", "while True:\n    pass\n")
    done = shapeflow(tmp_path, "check", "--every-batch", "--time-limit", "1", "a.py")
    assert done.returncode == 3 and "stopped after 1 s (--time-limit)" in done.stderr
    text = """import tensorflow as tf
w = tf.Variable(1.0)
optimizer = tf.keras.optimizers.SGD()
while True:
    with tf.GradientTape() as tape:
        loss = w * w
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
"""
    write(tmp_path, "b.py", text)
    done = shapeflow(tmp_path, "check", "--every-batch", "--time-limit", "5", "b.py")  # it has to get there
    assert done.returncode == 0 and "iterations (--time-limit: 5 s)" in done.stderr, done.stderr


def test_no_children_are_left(tmp_path):
    text = ("import subprocess, sys\n"
            "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(50)', %r],"
            " start_new_session=True)\n")
    mark = f"mark-{os.getpid()}"
    shapeflow(tmp_path, "check", write(tmp_path, "a.py", text % mark))
    assert processes_with(mark) == 0


# --- the same twice -------------------------------------------------------------------------------
def test_two_runs_see_the_same_numbers(tmp_path):
    text = """import random, sys
import numpy as np
print(random.random(), np.random.rand(), np.random.default_rng().random(), {"a", "b", "c", "d"}, hash("x"))
"""
    script = write(tmp_path, "a.py", text)
    first, second = (shapeflow(tmp_path, "check", "--show-output", script).stdout for _ in range(2))
    assert first == second and first.count("0.") >= 3


def test_a_script_s_own_seed_is_its_own(tmp_path):
    text = "import random\nrandom.seed(7)\nprint(random.random())\n"
    done = shapeflow(tmp_path, "check", "--show-output", write(tmp_path, "a.py", text))
    import random

    assert str(random.Random(7).random()) in done.stdout


# --- interplay ------------------------------------------------------------------------------------
def test_the_script_reads_standard_input(tmp_path):
    write(tmp_path, "a.py", "assert input() == 'yes'\n")
    done = subprocess.run(command("check", "a.py"), cwd=tmp_path, input="yes\n", text=True,
                          capture_output=True, env=environment())
    assert done.returncode == 0, done.stderr


def test_ctrl_c_twice_ends_a_script_that_will_not(tmp_path):
    import signal
    import time

    write(tmp_path, "a.py", "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
                            "print('ready', flush=True)\nwhile True:\n    time.sleep(1)\n")
    child = subprocess.Popen(command("check", "--show-output", "a.py"), cwd=tmp_path, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    said = child.communicate(timeout=20)[1]
    assert child.returncode == 130 and "interrupted" in said


def test_no_layer_leaves_no_descriptors(monkeypatch, tmp_path):
    def refused(policy):
        raise OSError(38, "no layer could be had")

    monkeypatch.setattr(_sandbox, "spawn", refused)
    before = sorted(os.listdir("/dev/fd"))
    for shown in (False, True):
        with pytest.raises(NoSandbox):
            Child(lambda sender: 0, Policy(), str(tmp_path / "s.py"), 1.0, shown, False)
    assert sorted(os.listdir("/dev/fd")) == before


def test_output_is_shown_and_bounded(tmp_path):
    done = shapeflow(tmp_path, "check", "--show-output", write(tmp_path, "a.py", "print('hello')\n"))
    assert "hello" in done.stdout and done.returncode == 0


def test_no_sandbox_is_one(tmp_path):
    write(tmp_path, "a.py", "open('made.txt', 'w').write('1')\n")
    shapeflow(tmp_path, "check", "--no-sandbox", "a.py")
    assert (tmp_path / "made.txt").exists()


@every_layer
def test_what_only_the_script_imports_is_compiled_once(tmp_path, layer):
    write(tmp_path, "s.py", WRONG)
    compiled = tmp_path / "compiled"
    variables = {k: v for k, v in environment().items() if k != "PYTHONDONTWRITEBYTECODE"}
    variables.update(PYTHONPYCACHEPREFIX=str(compiled), SHAPEFLOW_SANDBOX=layer)
    before = None
    for _ in range(2):
        done = subprocess.run(command("check", "--no-cache", "s.py"), cwd=tmp_path, env=variables)
        assert done.returncode == 1
        times = {path.name.split(".")[0]: path.stat().st_mtime_ns for path in compiled.rglob("*.pyc")
                 if "shapeflow" in str(path.parent)}
        assert {"check", "reproducible", "inside", "import_hook", "notices"} <= set(times)
        assert not [name for name in times if name == "s"]
        before = before or times
        assert times == before  # the second one had nothing to do


def test_a_worker_that_is_a_program_has_our_tensorflow(tmp_path):
    write(tmp_path, "s.py", """import multiprocessing
import tensorflow as tf
def rows(count):
    return int(tf.ones([count, 3]).shape[0])
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print("rows", pool.map(rows, [2, 5]))
""")
    for option in ([], ["--no-sandbox"]):
        done = shapeflow(tmp_path, "check", "--show-output", "--no-cache", "--time-limit", "30", *option,
                         "s.py")
        assert (done.returncode, "rows [2, 5]" in done.stdout) == (0, True), done.stderr


def test_what_a_script_gave_to_atexit_finds_what_the_script_found(tmp_path):
    write(tmp_path, "s.py", """import atexit
import numpy as np
import tensorflow as tf
tf.placeholder(tf.float32, [2])
def last():
    import tensorflow.contrib.layers as layers
    print("last", np.float, tf.zeros([2]).shape, layers.xavier_initializer.__name__)
atexit.register(last)
""")
    done = shapeflow(tmp_path, "check", "--show-output", "--no-cache", "s.py")
    assert (done.returncode, "last <class 'float'> (2,) xavier" in done.stdout) == (0, True), done.stderr


def test_two_scripts_of_one_process_import_what_is_acted_on(tmp_path):
    write(tmp_path, "a.py", "import tensorflow as tf\n")
    write(tmp_path, "b.py", """import tensorflow as tf
import copy, importlib.util, pickle
loader = importlib.util.find_spec("multiprocessing.util").loader
pickle.loads(pickle.dumps(loader)), copy.deepcopy(loader)
import multiprocessing.pool
import random
print(type(loader).__name__, "exec_module" in vars(multiprocessing.util.__spec__.loader))
""")
    done = shapeflow(tmp_path, "check", "--show-output", "--no-cache", "--no-sandbox", "a.py", "b.py")
    assert (done.returncode, "SourceFileLoader False" in done.stdout) == (0, True), done.stdout + done.stderr


def test_importing_never_starts_a_process_again(tmp_path):
    program = "import os\nos.execve = os._exit = None\nimport shapeflow as tf\nprint(tf.ones([2]).shape)\n"
    variables = {k: v for k, v in environment().items() if k != "PYTHONHASHSEED"}
    for name in ("s.py", "shapeflow"):  # the command's own name is no exception
        write(tmp_path, name, program)
        done = subprocess.run([sys.executable, name], cwd=tmp_path, env=variables, capture_output=True,
                              text=True)
        assert (done.returncode, done.stdout) == (0, "(2,)\n"), done.stderr
