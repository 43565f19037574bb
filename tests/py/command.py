"""Running the command as users do, for its tests."""
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WRONG = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [2, 3])\ny = tf.matmul(x, x)\n"
RIGHT = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [3, 3])\ny = tf.matmul(x, x)\n"


def command(*arguments):
    return [sys.executable, "-m", "shapeflow", *map(str, arguments)]


def environment(**changes):
    """Ours, without colours of the one who runs the tests."""
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    return {**plain, **changes}


def need(package):
    """Skips where a package is not installed. It is not imported: this process may check programs itself, for
    which Keras is to be on our TensorFlow."""
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")


def shapeflow(folder, *arguments, env=None):
    return subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True, timeout=180,
                          env=env or environment())


def report_of(folder, *options):
    """Of train.py there, as JSON, and the process."""
    done = shapeflow(folder, "check", "--format", "json", "--no-suggestions", "--no-cache", *options,
                     "train.py")
    return json.loads(done.stdout), done


def write(folder, **files):
    """files: name without .py (`__` for a folder) = text."""
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def lines(done):
    """The findings of --format concise, as (file, line, code)."""
    found = []
    for line in done.stdout.splitlines():
        path, number, _, rest = line.split(":", 3)
        found.append((path, int(number), rest[rest.index("[") + 1:rest.index("]")]))
    return found


def processes_with(word):
    """How many processes have it on their command line; only where there is /proc."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += str(word).encode() in path.read_bytes()
        except OSError:
            pass
    return found
