"""Every name that is not modelled, of each version: called as its signature says, every member touched and
called, subclassed. Nothing of it may fail: what is not modelled is unknown."""
import json
import subprocess
import sys

import pytest

EVERY = r"""
import inspect, json, sys, warnings
warnings.simplefilter("ignore")
from shapeflow.api import names, namespace, snapshot
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.compat import version_detection

version = tuple(map(int, sys.argv[1].split(".")))
version_detection.activate(sys.argv[1] + ".0", "graph" if version < (2, 0) else "eager")
import shapeflow as tf

count, failed = 0, []


def call(what, function):
    "With a tensor for each argument that must be given."
    parameters = inspect.signature(function).parameters.values()
    needed = [p for p in parameters
              if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    args = [tf.zeros([2, 3]) for p in needed if p.kind is not p.KEYWORD_ONLY]
    return attempt(what, lambda: function(*args, **{
        p.name: tf.zeros([2]) for p in needed if p.kind is p.KEYWORD_ONLY}))


def attempt(what, do):
    try:
        return do()
    except Exception as error:
        # Of some classes inspect shows less than the constructor takes, as TensorFlow does.
        if "__init__() missing" not in str(error):
            failed.append("%s: %s: %s" % (what, type(error).__name__, error))


def look(name, cls):
    made = call(name, cls)
    if made is None:
        return
    members = [member for member in dir(cls) if not member.startswith("_")]
    for member in members:
        value = attempt(name + "." + member, lambda: getattr(made, member))
        if inspect.ismethod(value):
            call(name + "." + member, value)

    class Mine(cls):
        def __init__(self):
            self.mine = 1

    mine = Mine()
    for member in members:
        attempt("subclass of %s.%s" % (name, member), lambda: getattr(mine, member))
    assert mine.mine == 1 and isinstance(mine, cls) and list(mine) and repr(mine)


for name, entry in snapshot.of(version).public_names():
    if entry.kind not in "cf" or name.startswith("tf.keras") or name.endswith(".RaggedTensor"):
        continue
    value = namespace.resolve(*names.place(name, 1))
    if isinstance(value, type) and issubclass(value, Opaque):
        count += 1
        look(name, value)
    elif inspect.isfunction(value) and hasattr(value, "_sf_unmodelled"):
        count += 1
        call(name, value)
print(json.dumps([count, failed]))
"""


@pytest.mark.parametrize("version", ["0.12", "1.8", "1.15", "2.21"])
def test_nothing_that_is_not_modelled_fails(version):
    done = subprocess.run([sys.executable, "-c", EVERY, version], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    count, failed = json.loads(done.stdout.splitlines()[-1])
    assert count > 200 and not failed, (count, failed[:20])
