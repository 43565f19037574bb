"""spawn() for tests: functions as the script, one layer at a time."""
import errno
import os
import subprocess
import sys

import pytest

from shapeflow import _sandbox


class Outcome:
    """What became of a script's process: its answer, the lines of its status, the layer and its notes."""

    def __init__(self, answer, lines, layer, notes):
        self.answer, self.lines, self.layer, self.notes = answer, lines, layer, notes


def read_all(fd):
    with open(fd, "rb") as pipe:
        return pipe.read()


def answer_of(work):
    """What work() gives, or the name of its OSError's errno."""
    try:
        return repr(work()), 0
    except OSError as error:
        return repr(errno.errorcode[error.errno]), 0
    except BaseException as error:
        return repr(f"{type(error).__name__}: {error}"), 1


def start(work, layer, keep=(), **policy):
    """spawn(), with work() as the script; returns (pid, status_fd, answer_fd, notes)."""
    answer, to_answer = os.pipe()
    pid, status, name, notes = _sandbox.spawn({"layers": [layer], "keep_fds": [to_answer, *keep],
                                               "max_memory": 1 << 30, "scratch_size": 64 << 20,
                                               **policy})
    if pid == 0:
        code = 125
        try:
            said, code = answer_of(work)
            os.write(to_answer, said.encode())
        finally:
            os._exit(code)  # pytest must not go on in this process
    os.close(to_answer)
    assert name == layer
    return pid, status, answer, notes


def finish(pid, status, answer, layer, notes):
    said = read_all(answer).decode()
    lines = read_all(status).decode().splitlines()
    assert os.waitpid(pid, 0) == (pid, 0)
    return Outcome(eval(said) if said else None, lines, layer, notes)


def run(work, layer, **policy):
    pid, status, answer, notes = start(work, layer, **policy)
    return finish(pid, status, answer, layer, notes)


def run_alone(source, layer, **policy):
    """run() of `work` in this source, out of an interpreter that is small: a script's process begins with
    the memory of the one that it is forked from, and pytest has a lot. Gives (answer, lines)."""
    code = (f"import sys\nsys.path.insert(0, {os.path.dirname(__file__)!r})\n"
            f"from sandbox_process import run\n{source}\n"
            f"out = run(work, {layer!r}, **{policy!r})\nprint(repr((out.answer, out.lines)))\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return eval(done.stdout)


def has(layer):
    try:
        run(int, layer)
        return True
    except OSError:
        return False


HAD = {layer: has(layer) for layer in ("namespaces", "landlock", "audit")} if sys.platform == "linux" else {}


def layers(*names):
    marks = [pytest.param(name, marks=pytest.mark.skipif(not HAD.get(name), reason=f"no {name} here"))
             for name in names]
    return pytest.mark.parametrize("layer", marks)


every_layer = layers("namespaces", "landlock", "audit")
kernel_layers = layers("namespaces", "landlock")
namespaces = layers("namespaces")
