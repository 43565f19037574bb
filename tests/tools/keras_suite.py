"""Keras's own test suite on our TensorFlow: what passes, and why the rest does not, for each of its folders.

    python tests/tools/keras_suite.py [--quick] [--list] [--write FILE] [FOLDER ...]

The tests are those that lie in the installed package (pip install keras pytest), beside its modules;
FOLDER is one of keras/src, all without. A test that compares computed numbers tells nothing here, where
nothing is computed: those are counted apart, by what their text asks (assertAllClose and its like) and by
what its assertions were given as it ran (a tensor, an array or a number of numpy). Each
file runs in a process of its own, for at most TIME seconds. --list names every test that failed without
comparing numbers. --write puts the rows of the folders that were run, and what failed there, into a page
(docs/keras_suite.md) beside the rows that are there.
"""
import argparse
import ast
import collections
import functools
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest

TIME = 1800  # ops/numpy_test.py has 5,427 tests, most of computed numbers: about eleven minutes
QUICK = ("layers/merging", "layers/regularization", "layers/activations")
WANTED = 0.95  # of the tests that compare no number
# assertLess and its like compare losses and errors of quantization; sizes are compared by assertEqual.
NUMBERS = {"assertLess", "assertLessEqual", "assertGreater", "assertGreaterEqual",
           "assertAllClose", "assertAllEqual", "assertAlmostEqual", "assertNotAllClose", "assert_allclose",
           "assert_array_equal", "assert_array_almost_equal", "assertAllLessEqual", "assertAllGreaterEqual"}


# --- in the process of one file: a plugin of pytest ---------------------------------------------------------
def pytest_configure(config):
    import pytest

    from shapeflow.checker import import_hook
    from shapeflow.checker.patches import Scope
    from shapeflow.tensorflow.compat import version_detection

    version_detection.activate("2.21.0", "eager")
    config.shapeflow_scope = Scope("script")
    by = config.shapeflow_scope.by("checker.import_hook", "tensorflow is ShapeFlow")
    import_hook.replace_tensorflow(by)
    sys.modules["conftest"] = conftest = types.ModuleType("conftest")  # Keras's own is in no package
    conftest.skip_if_backend = functools.partial(skip_if_backend, pytest.mark.skipif)
    try:
        import ml_dtypes  # noqa: F401, as TensorFlow does: some files name its dtypes to numpy as they are imported
    except ImportError:
        pass
    watch_assertions()


def skip_if_backend(mark, backend, reason):
    return mark(backend == "tensorflow", reason=reason)


compared = []  # of the test that runs: names of assertions that were given a computed number


def watch_assertions():
    import numpy

    def watched(fn, judge):
        @functools.wraps(fn)
        def assertion(*args, **kwargs):
            if judge(args):
                compared.append(fn.__name__)
            return fn(*args, **kwargs)
        return assertion

    for name in ("assertEqual", "assertNotEqual", "assertTrue", "assertFalse", "assertIn", "assertListEqual"):
        setattr(unittest.TestCase, name, watched(getattr(unittest.TestCase, name), is_computed))
    for module, names in ((numpy.testing, dir(numpy.testing)),
                          (numpy, ("allclose", "array_equal", "isclose"))):
        for name in names:
            fn = getattr(module, name)
            if module is numpy or name.startswith("assert_") and name not in ("assert_raises", "assert_"):
                setattr(module, name, watched(fn, lambda args: True))


def is_computed(given):
    """Is a tensor, an array or a number of numpy in it?"""
    if isinstance(given, (list, tuple)):
        return any(map(is_computed, given))
    kind = type(given)
    return kind.__name__ in ("Tensor", "EagerTensor") or \
        kind.__module__ == "numpy" and kind.__name__ != "dtype"


def pytest_runtest_setup():
    del compared[:]


def pytest_runtest_logreport(report):
    if report.when != "call" and report.outcome == "passed" or "SUITE_RESULTS" not in os.environ:
        return
    crash = getattr(report.longrepr, "reprcrash", None)
    why = crash.message.strip().splitlines()[0][:200] if crash is not None and crash.message.strip() else ""
    with open(os.environ["SUITE_RESULTS"], "a", encoding="utf-8") as file:
        print(json.dumps([report.nodeid.partition("::")[2], report.outcome, why, bool(compared)]), file=file)


# --- outside ------------------------------------------------------------------------------------------------
def compares_numbers(path):
    """The names of the tests of a file that compare computed numbers, by themselves or through a helper."""
    functions = {node.name: {child.func.attr for child in ast.walk(node) if isinstance(child, ast.Call)
                             and isinstance(child.func, ast.Attribute)}
                 for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                 if isinstance(node, ast.FunctionDef)}
    found = {name for name, calls in functions.items() if calls & NUMBERS}
    while True:
        more = {name for name, calls in functions.items() if calls & found} - found
        if not more:
            return found
        found |= more


def run(path):
    """[(test, outcome, why, compared a number)] of one file."""
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results"
        environment = {**os.environ, "SUITE_RESULTS": str(results),
                       "KERAS_BACKEND": "tensorflow", "KERAS_HOME": folder, "OPENBLAS_NUM_THREADS": "1",
                       "PYTHONPATH": str(pathlib.Path(__file__).parent)}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "keras_suite", "-p", "no:cacheprovider",
                   "--import-mode=append", "--rootdir", folder, str(path)]
        try:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True,
                                  timeout=TIME)
            last = (done.stdout.strip().splitlines() or [done.stderr.strip()[-200:]])[-1]
            failed = done.returncode not in (0, 1, 5)
            absent = re.search("ModuleNotFoundError: No module named '(jax|torch|grain|orbax)", done.stdout)
            if failed and absent:
                return [["(the file)", "skipped", "needs " + absent.group(1), False]]
        except subprocess.TimeoutExpired:
            last, failed = "took longer than %d s" % TIME, True
        found = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    for one in found:
        if re.match("ModuleNotFoundError: No module named '(jax|torch|grain|orbax)", one[2]):
            one[1] = "skipped"
    return found + [["(the file)", "failed", last, False]] * failed


def is_about_numbers(test, numbers):
    name = test.rpartition("::")[2].partition("[")[0]
    return name in numbers or any(name.startswith(one) for one in numbers if one.startswith("test"))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folders", nargs="*")
    options.add_argument("--quick", action="store_true",
                         help="a few folders; fails when fewer than 95 %% pass")
    options.add_argument("--write", metavar="FILE", help="a page whose rows are replaced")
    options.add_argument("--list", action="store_true", help="name what failed")
    options = options.parse_args()
    found = importlib.util.find_spec("keras")
    if found is None:
        print("SKIPPED ALOUD: Keras is not installed")
        return 0
    source = pathlib.Path(found.submodule_search_locations[0]) / "src"
    folders = options.folders or (QUICK if options.quick else ["."])
    paths = sorted({path for folder in folders for path in (
        [source / folder] if folder.endswith(".py") else (source / folder).rglob("*_test.py"))})
    if not paths:
        print("no tests below " + ", ".join(str(source / folder) for folder in folders))
        return 2
    totals = collections.defaultdict(collections.Counter)
    reasons, failures = collections.Counter(), []
    print("%-36s %6s %10s %7s %7s %8s" % ("folder", "tests", "no numbers", "passed", "failed", "skipped"))
    for path in paths:
        folder = str(path.parent.relative_to(source))
        numbers = compares_numbers(path)
        for test, outcome, why, compares in run(path):
            of = totals[folder]
            of["tests"] += 1
            if (compares or is_about_numbers(test, numbers)) and outcome != "skipped":
                of["numbers"] += 1
                of["numbers passed"] += outcome == "passed"
                continue
            of[outcome] += 1
            if outcome == "failed":
                reasons[why] += 1
                failures.append("%s/%s::%s: %s" % (folder, path.name, test, why))
    for folder, of in sorted(totals.items()):
        row = of["tests"], of["passed"] + of["failed"], of["passed"], of["failed"], of["skipped"]
        print("%-36s %6d %10d %7d %7d %8d" % (folder, *row))
    whole = sum(totals.values(), collections.Counter())
    judged = whole["passed"] + whole["failed"]
    print("all: %d tests; %d compare no number, of which %d passed (%.1f %%); of %d that do %d passed; "
          "%d skipped" % (whole["tests"], judged, whole["passed"], 100 * whole["passed"] / max(judged, 1),
                          whole["numbers"], whole["numbers passed"], whole["skipped"]))
    print("why, of those that compare no number:")
    for why, count in reasons.most_common(40):
        print("%5d  %s" % (count, why))
    for line in failures if options.list else ():
        print(line)
    if options.write:
        write(pathlib.Path(options.write), totals, failures)
    return 1 if options.quick and whole["passed"] < WANTED * judged else 0


PAGE = """\
# Keras's own tests on ShapeFlow

What `python tests/tools/keras_suite.py --write docs/keras_suite.md FOLDER...` writes, with the Keras that is
installed: for each folder of `keras/src` its tests, how many of them compare no computed number, and how
many of these pass. A test that compares computed numbers tells nothing here, where nothing is computed; it
is known by its assertions, in its text and as it runs. Skipped are those that Keras itself skips and those
that need jax or torch.

| folder | tests | skipped | compare no number | of these pass |
|---|---|---|---|---|
%s

What fails of the tests that compare no number:

%s
"""


def write(page, totals, failures):
    """Replaces the rows and the failures of the folders that were run."""
    rows, failed = {}, []
    for line in page.read_text(encoding="utf-8").splitlines() if page.exists() else ():
        row = re.match(r"\| ([a-z][\w/]*) \|(?: \d+ \|){3} \d+ \(", line)
        failure = re.match("- `([^`]*)::", line)
        if row:
            rows[row[1]] = line
        elif failure and failure[1].rpartition("/")[0] not in totals:
            failed.append(line)
    for folder, of in totals.items():
        judged = of["passed"] + of["failed"]
        rows[folder] = "| %s | %d | %d | %d | %d (%.1f %%) |" % (
            folder, of["tests"], of["skipped"], judged, of["passed"], 100 * of["passed"] / max(judged, 1))
    for line in failures:
        test, _, why = line.partition(": ")
        failed.append("- `%s`: `%s`" % (test, why.replace("`", "'")[:100].strip()))
    page.write_text(PAGE % ("\n".join(rows[folder] for folder in sorted(rows)), "\n".join(sorted(failed))),
                    encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
