"""Real TensorFlow's verdicts: imports it once, then runs each program in a fork of its own.

Run by the Python that has TensorFlow, alone: reads {"name", "source"} as JSON, one a line, and answers
with one line each. No op runs before the fork, so that it is the child that starts TensorFlow's threads.
Each mutant becomes a file, since AutoGraph reads the source of functions from theirs.
"""

import json
import os
import re
import signal
import sys
import tempfile
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")
os.environ.setdefault("TF_NUM_INTEROP_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

LIMIT = 120  # seconds for one mutant


def frames_in(error, path):
    """Lines of `path` in the traceback, innermost last; and is the innermost frame of all the program's?"""
    lines, own = [], False
    for frame in traceback.extract_tb(error.__traceback__):
        own = frame.filename == path
        if own:
            lines.append(frame.lineno)
    return lines, own


def node_lines(error, path):
    """The line of `path` where the failing node of a graph was made, where the error says so."""
    lines = []
    try:
        made = error.op.traceback
    except AttributeError:
        made = None
    for frame in made or ():
        if frame.filename == path:
            lines.append(frame.lineno)
    if not lines:
        text = str(error)
        lines = [int(n) for n in re.findall(r'File "%s", line (\d+)' % re.escape(path), text)]
    return lines


def _told(words, path):
    """The message without the long list of frames, and without the scratch folder."""
    parts = words.split("\n\n")
    if "Detected at node" in words and len(parts) > 1:
        words = (
            parts[0] + " " + " ".join(p for p in parts[1:] if not p.lstrip().startswith(("File", "Detected")))
        )
    return " ".join(words.replace(os.path.dirname(path) + os.sep, "").split())[:240]


def verdict(path, source):
    import numpy

    numpy.random.seed(7)
    space = {"__name__": "__main__", "__file__": path}
    try:
        exec(compile(source, path, "exec", dont_inherit=True), space)
    except SystemExit as stop:
        if stop.code in (None, 0):
            return {"fails": False}
        return {
            "fails": True,
            "class": "SystemExit",
            "message": str(stop.code),
            "line": None,
            "node_line": None,
            "own": True,
        }
    except BaseException as error:
        lines, own = frames_in(error, path)
        nodes = node_lines(error, path)
        words = str(error).strip()
        return {
            "fails": True,
            "class": type(error).__name__,
            "message": _told(words, path),
            "line": lines[-1] if lines else None,
            "node_line": nodes[-1] if nodes else None,
            "own": own,
        }
    return {"fails": False}


def judge(path, source):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(LIMIT)
        sink = os.open(os.devnull, os.O_WRONLY)
        for fd in (1, 2):
            os.dup2(sink, fd)
        answer = verdict(path, source)
        with open(writing, "w", encoding="utf-8") as stream:
            json.dump(answer, stream)
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as stream:
        text = stream.read()
    _, status = os.waitpid(child, 0)
    if text:
        return json.loads(text)
    return {
        "fails": None,
        "class": "died",
        "message": "status %d" % status,
        "line": None,
        "node_line": None,
        "own": False,
    }


def main():
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    import keras  # noqa: F401 (the children want it loaded)
    import numpy  # noqa: F401
    import tensorflow as tf

    tf.keras.Sequential  # the lazy loader's work, once  # noqa: B018
    tf.compat.v1.Session  # noqa: B018
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for line in sys.stdin:
            question = json.loads(line)
            path = os.path.join(folder, question["name"])
            with open(path, "w", encoding="ascii") as stream:
                stream.write(question["source"])
            print(json.dumps(judge(path, question["source"])), file=answers, flush=True)


if __name__ == "__main__":
    main()
