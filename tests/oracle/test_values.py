"""Folded values against TensorFlow's kernels: constants in, the value out, bit by bit.

Needs $SHAPEFLOW_ORACLE; $SHAPEFLOW_ORACLE_VALUES says how many cases (default 4000),
$SHAPEFLOW_ORACLE_SEED which.
"""
import json
import math
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from values import cases, run

import shapeflow
from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection

PYTHON = os.environ.get("SHAPEFLOW_ORACLE", "")
CASES = int(os.environ.get("SHAPEFLOW_ORACLE_VALUES") or 4000)
SEED = int(os.environ.get("SHAPEFLOW_ORACLE_SEED") or 20)
LEAST_FOLDED = 0.8  # the rest: subnormal numbers, which are not told

pytestmark = pytest.mark.skipif(
    not PYTHON, reason="SKIPPED ALOUD: no oracle tests, SHAPEFLOW_ORACLE names no Python with TensorFlow")

# Rounded by C's libm here and by Eigen there: neither claims the last bit.
NEARLY = set("Sqrt Rsqrt Exp Expm1 Log Log1p Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh "
             "Sigmoid Erf Erfc Lgamma Softplus Softsign Elu Selu Pow Xlogy Xlog1py Atan2 L2Loss LinSpace "
             "Cumsum Cumprod Mul Range SquaredDifference Reciprocal Inv AddN".split())


class Kernels:
    """TensorFlow in a process of its own; a case that kills it is answered by None."""

    def __init__(self):
        self._process = None

    def __call__(self, case):
        if self._process is None or self._process.poll() is not None:
            environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
            self._process = subprocess.Popen(
                [PYTHON, str(Path(__file__).with_name("values.py"))], env=environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        print(json.dumps(case), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            self._process.wait(60)
        return json.loads(line) if line else None

    def close(self):
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait(60)


@pytest.fixture(scope="module")
def kernels():
    server = Kernels()
    yield server
    server.close()


@pytest.fixture
def ours():
    before = _core.get_version(), "eager" if _core.executing_eagerly() else "graph"
    version_detection.activate("2.21.0", "eager")
    yield shapeflow
    _core.clear_findings()
    version_detection.activate(*before)


def _same_number(op, dtype, a, b):
    if a == b:
        return True
    if isinstance(a, list):
        return all(_same_number(op, dtype, x, y) for x, y in zip(a, b, strict=True))
    if not isinstance(a, str) or dtype == "string":
        return False
    x, y = float.fromhex(a), float.fromhex(b)
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    digits = {"float16": 1e-3, "bfloat16": 1e-2, "float32": 1e-6, "complex64": 1e-6}.get(dtype, 1e-14)
    return op in NEARLY and math.isclose(x, y, rel_tol=2 * digits, abs_tol=digits)


def _differs(case, mine, theirs):
    """What is wrong with our answer, or None."""
    if isinstance(mine, dict) or isinstance(theirs, dict):
        if not isinstance(mine, dict) or not isinstance(theirs, dict):
            return "one of them fails"
        same = mine["error"] == theirs["error"] and \
            mine["message"].split("} ")[-1] == theirs["message"].split("} ")[-1]
        return None if same else "they fail differently"
    for (dtype, shape, known), (dtype_, shape_, known_) in zip(mine, theirs, strict=True):
        if dtype != dtype_ or shape != shape_:
            return "dtype or shape"
        if known is not None and not all(
                _same_number(case["op"], dtype, a, b) for a, b in zip(known, known_, strict=True)):
            return "value"
    return None


def test_folded_values_are_what_the_kernels_compute(kernels, ours):
    wrong, asked, folded = [], Counter(), Counter()
    for case in cases(SEED, CASES):
        theirs = kernels(case)
        if theirs is None:
            continue  # the kernel crashed: it says nothing
        mine = run(ours, case)
        why = _differs(case, mine, theirs)
        if why:
            wrong.append("%s: %s\n   %s\n   ours   %s\n   theirs %s" % (
                case["op"], why, json.dumps(case["inputs"]), mine, theirs))
        asked[case["op"]] += 1
        folded[case["op"]] += isinstance(mine, dict) or all(out[2] is not None for out in mine)
    assert not wrong, "%d of %d differ:\n%s" % (len(wrong), CASES, "\n".join(wrong[:40]))
    lazy = {op: "%d of %d" % (folded[op], n) for op, n in asked.items() if folded[op] < LEAST_FOLDED * n}
    assert not lazy, "hardly folded: %s" % lazy
