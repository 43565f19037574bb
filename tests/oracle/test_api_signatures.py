"""Kind and parameters of each name of the package are those of the installed TensorFlow."""
import inspect
import json
import subprocess
import sys

import pytest

from shapeflow.api import coverage, names, snapshot

tf = pytest.importorskip("tensorflow")
OURS = """
import inspect, json, sys, warnings
warnings.simplefilter("ignore")
import shapeflow as tf
from shapeflow.api import coverage
out = {}
for name in json.load(sys.stdin):
    value = tf
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    try:
        out[name] = [coverage.kind_of(value), coverage.shown(inspect.signature(value))]
    except (TypeError, ValueError):
        out[name] = [coverage.kind_of(value), None]
print(json.dumps(out))
"""


@pytest.mark.skipif(not tf.__version__.startswith("%d.%d." % snapshot.NEWEST),
                    reason="no snapshot of this TensorFlow")
def test_kinds_and_parameters_of_every_name():
    # Keras's names are those of the Keras that is installed; __internal__ has some of its own making.
    without = ("tf.keras", "tf.compat", "tf.__", *names.OF_KERAS)
    every = [name for name, entry in snapshot.of(snapshot.NEWEST).public_names()
             if entry.kind in "cf" and not name.startswith(without)]
    done = subprocess.run([sys.executable, "-c", OURS], input=json.dumps(every), capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    ours = json.loads(done.stdout)
    differ = []
    for name in every:
        value = tf
        for part in name.split(".")[1:]:
            value = getattr(value, part)
        try:
            real = [coverage.kind_of(value), [list(p) for p in coverage.shown(inspect.signature(value))]]
        except (TypeError, ValueError):
            real = [coverage.kind_of(value), None]
        if ours[name] != real and not (real[1] is None and ours[name][0] == real[0]):
            differ.append((name, real, ours[name]))
    assert not differ, "%d differ: %s" % (len(differ), differ[:20])
