"""Every raw op's signature against real TensorFlow's: what Python shows and what the registry declares.

Needs $SHAPEFLOW_ORACLE, a Python that has TensorFlow 2.21; skipped without it.
"""
import inspect
import json
import os
import subprocess
from pathlib import Path

import pytest

import shapeflow
from shapeflow import _core
from shapeflow.api import make_ops
from shapeflow.tensorflow.compat import version_detection

PYTHON = os.environ.get("SHAPEFLOW_ORACLE", "")
HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(
    not PYTHON, reason="SKIPPED ALOUD: no oracle tests, SHAPEFLOW_ORACLE names no Python with TensorFlow")

# Ours is an array, TensorFlow's a TensorProto; ApiDefs say True where the OpDefs say False, and no shape
# depends on it.
DEFAULTS = {("ImageSummary", "bad_color"), ("SdcaOptimizer", "adaptative"), ("SdcaOptimizerV2", "adaptive")}


@pytest.fixture(scope="module")
def theirs():
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run([PYTHON, str(HERE / "raw_signatures.py")], env=environment, capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def both(theirs):
    """The ops that we have; which those are is test_every_op_is_there's to say."""
    return {name: op for name, op in theirs.items() if _core.raw_op(name) is not None}


@pytest.fixture(scope="module")
def raw_ops():
    before = _core.get_version(), "eager" if _core.executing_eagerly() else "graph"
    version_detection.activate("2.21.0", "eager")
    yield shapeflow.raw_ops
    version_detection.activate(*before)


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, _core.DType):
        return value.name
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return "<%s>" % type(value).__name__


def test_every_op_is_there(theirs, raw_ops):
    assert sorted(theirs) == make_ops.names(), "docs: the list of tf.raw_ops's names is an old one"
    assert [n for n in dir(raw_ops) if n[0].isupper()] == sorted(theirs)
    assert [n for n in theirs if _core.raw_op(n) is None] == []


def test_parameters(both, raw_ops):
    different = []
    for name, op in both.items():
        shown = inspect.signature(getattr(raw_ops, name)).parameters.values()
        ours = [[p.name] if p.default is p.empty else [p.name, plain(p.default)] for p in shown]
        want = [p[:1] + ["?"] if (name, p[0]) in DEFAULTS else p for p in op["parameters"]]
        ours = [p[:1] + ["?"] if (name, p[0]) in DEFAULTS else p for p in ours]
        if ours != want:
            different.append((name, ours, want))
    assert different == []


def ports(found):
    return [dict(p, dtype=None if p["dtype"] is None or p["dtype"].name == "invalid" else p["dtype"].name)
            for p in found]


def test_registry(both):
    different = []
    for name, op in both.items():
        info = _core.op_info(name)
        attrs = [{k: a[k] for k in ("name", "type", "list", "has_default", "minimum", "allowed")}
                 for a in info["attrs"]]
        pairs = {"inputs": ports(info["inputs"]), "outputs": ports(info["outputs"]), "attrs": attrs}
        for key, ours in pairs.items():
            if ours != op[key]:
                for one, other in zip(ours, op[key]):
                    if one != other:
                        different.append((name, key, one, other))
                if len(ours) != len(op[key]):
                    different.append((name, key, len(ours), len(op[key])))
    assert different == []


def test_stateful(both):
    """A stateful op of TensorFlow's must be one of ours: it is never folded. (Ours may be more careful.)"""
    assert [n for n, op in both.items() if op["stateful"] and not _core.op_info(n)["stateful"]] == []
