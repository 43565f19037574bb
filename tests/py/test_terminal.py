"""What a user sees: pictures of a terminal (tests/terminal/NAME.txt; --update rewrites them), the order in
which things are said, and colours."""
import importlib.util
import re
import sys
import threading
from pathlib import Path

import pytest

from command import environment, shapeflow, write
from screen import recorded, without_times
from shapeflow.formats import RenderOptions, full
from shapeflow.formats.progress import Line

PICTURES = Path(__file__).resolve().parent.parent / "terminal"
WRONG = """import tensorflow as tf
images = tf.zeros([32, 784])
weights = tf.Variable(tf.zeros([512, 10]))
scores = tf.matmul(images, weights)
"""
RIGHT = WRONG.replace("512", "784")
SLOW = """import time
import tensorflow as tf
x = tf.Variable(0.0)
open("begun", "w").close()
while True:
    x.assign_add(1.0)
    time.sleep(0.01)
"""
columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="pictures have the columns of 3.11+")


@pytest.fixture(autouse=True)
def as_users_have_it(monkeypatch):
    monkeypatch.delenv("SHAPEFLOW_NO_SUGGESTIONS", raising=False)
    monkeypatch.delenv("SHAPEFLOW_NO_CACHE", raising=False)


def is_picture(name, text, request):
    path = PICTURES / f"{name}.txt"
    text = without_times(text)
    if request.config.getoption("--update"):
        path.write_text(text)
    assert text == path.read_text()


@columns
def test_a_finding_with_fixes(tmp_path, request):
    write(tmp_path, train=WRONG)
    seen = recorded(tmp_path, "check", "--no-cache", "train.py")
    assert seen.status == 1
    is_picture("finding_with_fixes", seen.screen, request)
    tried = [line for line in seen.passing if line.startswith("trying fixes: ")]
    assert tried and all(re.fullmatch(r"trying fixes: \d+ of \d+", line) for line in tried)
    first, search = seen.raw.index("MatMul: Matrix size-incompatible"), seen.raw.index("trying fixes")
    assert first < search < seen.raw.index("help:")


@columns
def test_without_a_fix_it_is_said(tmp_path, request):
    write(tmp_path, train="import tensorflow as tf\nx = tf.zeros([len('abc'), len('ab')])\n"
                          "tf.linalg.inv(x)\n")
    seen = recorded(tmp_path, "check", "--no-cache", "train.py")
    assert seen.status == 1
    is_picture("no_fix", seen.screen, request)


def test_a_clean_folder(tmp_path, request):
    write(tmp_path, a=RIGHT, b=RIGHT)
    seen = recorded(tmp_path, "check", "--no-cache", ".")
    assert seen.status == 0
    is_picture("clean_folder", seen.screen, request)


def test_a_script_that_fails(tmp_path, request):
    write(tmp_path, train="import tensorflow as tf\nx = tf.zeros([2, 3])\nx.shape[0] / 0\n")
    seen = recorded(tmp_path, "check", "--no-cache", "train.py")
    assert seen.status == 3
    is_picture("status_3", seen.screen, request)


def test_ctrl_c(tmp_path, request):
    write(tmp_path, train=SLOW)
    seen = recorded(tmp_path, "check", "--no-cache", "--every-batch", "train.py", keys=b"\x03",
                    when=lambda written: (tmp_path / "begun").exists() or b" s" in written)
    assert seen.status == 130
    screen = re.sub(r"after .* \(interrupted\)", "after N (interrupted)", seen.screen)
    is_picture("ctrl_c", re.sub(r"\d+ operations", "N operations", screen), request)


def test_the_line_of_progress_is_gone_when_its_thread_was_about_to_write():
    """Ctrl-C in the moment in which another thread draws the line: it is wiped all the same, and not drawn
    again."""
    is_writing, goes_on, written = threading.Event(), threading.Event(), []

    class Slow:
        def write(self, text):
            is_writing.set()
            goes_on.wait(0.2)
            written.append(text)

        def flush(self):
            pass

    line = Line(Slow())
    watch = threading.Thread(target=line.show, args=("train.py: 1 s",))
    watch.start()
    is_writing.wait()
    line.hold(True)
    goes_on.set()
    watch.join()
    line.show("train.py: 2 s")
    assert written == ["\rtrain.py: 1 s", "\r" + " " * len("train.py: 1 s") + "\r"]


# --- the search for fixes -----------------------------------------------------------------------
def test_ctrl_c_ends_the_search_and_keeps_the_findings(tmp_path):
    write(tmp_path, train="import time\ntime.sleep(0.5)\n" + WRONG)
    seen = recorded(tmp_path, "check", "train.py", keys=b"\x03", when=lambda raw: b"trying fixes: 2" in raw)
    assert seen.status == 1 and "error[SF114]" in seen.screen
    assert "the search for fixes was stopped by Ctrl-C" in seen.screen
    again = shapeflow(tmp_path, "check", "train.py")  # what half a search found is not kept as the answer
    assert "unchanged since" in again.stderr and again.stdout.count(" help: ") == 2
    last = shapeflow(tmp_path, "check", "train.py")  # this one is
    assert last.stdout == again.stdout and "stopped" not in last.stderr


def test_a_search_is_bounded_by_trials(tmp_path):
    """The same on a busy machine: a program that takes longer has as many fixes tried."""
    write(tmp_path, quick=WRONG, slow="import time\ntime.sleep(0.4)\n" + WRONG)
    said = {}
    for name in ("quick", "slow"):
        done = shapeflow(tmp_path, "check", "--no-cache", f"{name}.py",
                         env=environment(SHAPEFLOW_SUGGEST_TRIALS="4"))
        said[name] = re.findall(r"help: (\S+ \d+ instead of \d+)", done.stdout)
    assert said["quick"] == said["slow"] == ["write 784 instead of 512"]


def test_a_search_that_takes_too_long_is_cut_short(tmp_path):
    write(tmp_path, slow="import time\ntime.sleep(0.3)\n" + WRONG)
    done = shapeflow(tmp_path, "check", "slow.py", env=environment(SHAPEFLOW_SUGGEST_SECONDS="0.5"))
    assert "stopped after 0.5 s (SHAPEFLOW_SUGGEST_SECONDS); the next check looks again" in done.stderr
    again = shapeflow(tmp_path, "check", "slow.py")
    assert "unchanged since" in again.stderr and "help: write 784 instead of 512 on line 5" in again.stdout


def test_several_scripts_say_the_same(tmp_path):
    write(tmp_path, a=WRONG, b=RIGHT)
    together = shapeflow(tmp_path, "check", "--no-cache", "a.py", "b.py").stdout
    assert together == shapeflow(tmp_path, "check", "--no-cache", "a.py").stdout and " help: " in together
    assert recorded(tmp_path, "check", "--no-cache", "--color", "never", "a.py", "b.py").screen.startswith(
        together.rstrip("\n"))


@pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="needs keras")
def test_what_keeps_the_meaning_comes_first(tmp_path):
    """Class numbers and a loss for one-hot rows: the other loss, not a model of a single class."""
    write(tmp_path, train="""import numpy as np
from tensorflow import keras
model = keras.Sequential([keras.layers.Dense(10, activation='softmax', input_shape=(784,))])
model.compile(optimizer='adam', loss='categorical_crossentropy')
model.fit(np.zeros((1000, 784)), np.zeros((1000, 1), dtype='int32'), batch_size=32)
""")
    shown = shapeflow(tmp_path, "check", "--no-cache", "train.py").stdout
    fixes = re.findall(r" help: (.*)  \(tried", shown)
    assert fixes[0] == "use `sparse_categorical_crossentropy` instead of `categorical_crossentropy` on line 4"


# --- colours ------------------------------------------------------------------------------------
def luminance(number):
    """Of one of the 256 colours, as WCAG has it."""
    if number >= 232:
        levels = [8 + 10 * (number - 232)] * 3
    else:
        steps = (0, 95, 135, 175, 215, 255)
        levels = [steps[(number - 16) // divisor % 6] for divisor in (36, 6, 1)]
    red, green, blue = (level / 255 / 12.92 if level / 255 <= 0.03928 else
                        ((level / 255 + 0.055) / 1.055) ** 2.4 for level in levels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("style", ["operand", "gutter", "dim"])
def test_shapes_are_legible_on_black_and_on_white(style):
    number = int(re.fullmatch("\x1b\\[38;5;(\\d+)m", full._STYLES[style]).group(1))
    assert (luminance(number) + 0.05) / 0.05 >= 4.5 and 1.05 / (luminance(number) + 0.05) >= 4.5


def test_brackets_that_nobody_closes_take_no_time():
    paint = full.Painter(RenderOptions(color=True))
    assert full._operand("x: [2, 3] float32", paint) == f"x: {full._STYLES['operand']}[2, 3]\x1b[0m float32"
    for text in ("(made at a_long_name_of_a_script_without_an_end.py:8:11)", "[" + "a, " * 20000):
        assert full._operand(text, paint) == text


def test_shapes_have_that_colour(tmp_path):
    write(tmp_path, train=WRONG)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--color", "always", "train.py")
    assert full._STYLES["operand"] + "- [512, 10], axis 0 is 512\x1b[0m" in done.stdout \
        or "[512, 10], axis 0 is 512\x1b[0m" in done.stdout
