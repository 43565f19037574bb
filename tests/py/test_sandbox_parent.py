"""What the process imports that only waits for the script's: its cost is that of every check. To measure it:
benchmarks/sandbox.py."""
import os
import re
import subprocess
import sys

SCRIPT = """import tensorflow as tf
x = tf.ones([4, 3])
for _ in range(3):
    y = tf.matmul(x, tf.ones([3, 2]))
"""
WRONG = SCRIPT + "tf.matmul(x, x)\n"

OURS = {
    "shapeflow", "shapeflow.cli", "shapeflow.process", "shapeflow.checker", "shapeflow.checker.configuration",
    "shapeflow.checker.findings", "shapeflow.checker.options", "shapeflow.checker.reports",
    "shapeflow.checker.selection", "shapeflow.checker.targets", "shapeflow.commands",
    "shapeflow.commands.check", "shapeflow.commands.option_tables", "shapeflow.formats",
    "shapeflow.formats.afterword", "shapeflow.formats.colours", "shapeflow.formats.output",
    "shapeflow.module_finder",
    "shapeflow.sandbox", "shapeflow.sandbox.channel", "shapeflow.sandbox.child", "shapeflow.sandbox.inside",
    "shapeflow.sandbox.reporting",
    "shapeflow.sandbox.supervise", "shapeflow.sandbox.wait_child", "shapeflow._sandbox",
}
# Of the standard library: each costs a millisecond or more. What Python needs to start is its own affair.
DEAR = {"argparse", "ast", "dataclasses", "enum", "inspect", "json", "numpy", "pathlib", "re", "shutil",
        "signal", "subprocess", "tempfile", "threading", "tomllib", "traceback", "typing"}


def imported(tmp_path, source):
    """Modules that `shapeflow check` imports in its own process: what the script's process says on standard
    error of its own imports is not shown."""
    (tmp_path / "script.py").write_text(source)
    variables = {**os.environ, "PYTHONHASHSEED": "0"}
    variables.pop("SHAPEFLOW_SANDBOX", None)
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "shapeflow", "check", "-q", "--no-cache", "--isolated",
         "--no-suggestions", "script.py"], cwd=tmp_path, env=variables, capture_output=True, text=True)
    names = set(re.findall(r"^import time: .*\| +(\S+)$", done.stderr, re.MULTILINE))
    assert "shapeflow.sandbox.supervise" in names, done.stderr
    return names, done


def test_the_parent_of_a_check_imports_only_what_it_needs(tmp_path):
    names, done = imported(tmp_path, SCRIPT)
    assert done.returncode == 0, done.stdout
    assert {name for name in names if name.startswith("shapeflow")} - OURS == set()
    assert names & DEAR == set()


def test_a_finding_adds_only_what_shows_it(tmp_path):
    names, done = imported(tmp_path, WRONG)
    assert done.returncode == 1 and "SF114" in done.stdout
    assert "shapeflow._core" not in names and "numpy" not in names
    shown = {name for name in names if name.startswith("shapeflow")} - OURS
    assert all(name.startswith(("shapeflow.formats", "shapeflow.commands._as_found", "shapeflow.checker"))
               for name in shown), shown
