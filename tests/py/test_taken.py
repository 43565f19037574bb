"""What `graph` and `summary` share with `check`: the configuration, and what is found."""
import pytest

from command import WRONG, shapeflow, write

COMMANDS = {"check": ("check", "--no-cache"), "graph": ("graph", "--no-suggestions", "-o", "out.json"),
            "summary": ("summary",)}
IGNORED = WRONG + "# shapeflow: ignore[SF1]\nz = tf.constant(1)  # shapeflow: ignore[SF101]\n"
TF1 = "import tensorflow as tf\nassert tf.__version__ == '1.15.0', tf.__version__\n"
ARGS = "import sys\nassert sys.argv[1:] == ['--deep'], sys.argv\n"
CASES = {
    "nothing": ("", WRONG, 1),
    "ignore": ("ignore = ['SF']", WRONG, 0),
    "select": ("select = ['SF5']", WRONG, 0),
    "per file": ("per-file-ignores = {'program.py' = ['SF101']}", WRONG, 0),
    "unused ignores": ("strict = true\nignore = ['SF101']\nwarn-unused-ignores = true", IGNORED, 1),
    "no unused ignores": ("strict = true\nignore = ['SF101']", IGNORED, 0),
    "version": ("tf-version = '1.15.0'", TF1, 0),
    "entry": ("tf-version = '2.2.0'\nscripts = [{path = 'program.py', tf-version = '1.15.0'}]", TF1, 0),
    "arguments": ("scripts = [{path = 'program.py', args = ['--deep']}]", ARGS, 0),
    "time": ("time-limit = 0.5", "import time\ntime.sleep(30)\n", 3),
    "no baseline": ("baseline = 'missing.json'", WRONG, 2),
    "bad table": ("ignore = 3", WRONG, 2),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("settings, program, status", CASES.values(), ids=CASES)
def test_the_configuration_holds_for_all(tmp_path, command, settings, program, status):
    (tmp_path / "pyproject.toml").write_text("[tool.shapeflow]\n" + settings + "\n")
    write(tmp_path, program=program)
    done = shapeflow(tmp_path, *COMMANDS[command], "program.py")
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


KILLED = """import os
import tensorflow as tf
try:
    tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))
except Exception:
    pass
os.kill(os.getpid(), 9)
"""
WRITTEN = """import tensorflow as tf
with open("written.txt", "w") as stream:
    stream.write("x")
tf.Variable(tf.zeros([3]))
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_that_was_met_is_lost(tmp_path, command):
    write(tmp_path, killed=KILLED, written=WRITTEN)
    done = shapeflow(tmp_path, *COMMANDS[command], "killed.py")
    assert done.returncode == 1 and "1 error" in done.stderr and "SIGKILL" in done.stderr, done.stderr
    done = shapeflow(tmp_path, *COMMANDS[command], "written.py")
    assert done.returncode == 0 and "SF903" in done.stdout + done.stderr, done.stderr
    assert "written.txt (written.py:2)" in done.stdout + done.stderr
    assert not (tmp_path / "written.txt").exists()


# What the command makes of the run fails in the run's own process, or is none at all.
NOT_MADE = {
    "an exception": ("def make(*given):\n    raise MemoryError('too large')\n", "MemoryError: too large"),
    "its end": ("def make(*given):\n    os._exit(7)\n", "its process sent none"),
    "nothing": ("def make(*given):\n    return None\n", "its process sent none"),
}


@pytest.mark.parametrize("command, what", [("graph", "picture"), ("summary", "summary")])
@pytest.mark.parametrize("make, words", NOT_MADE.values(), ids=NOT_MADE)
def test_findings_are_told_where_nothing_can_be_made_of_the_run(tmp_path, command, what, make, words):
    program = f"""import json, os
import shapeflow.pictures.collect as collect
import shapeflow.pictures.tables as tables
import tensorflow as tf
{make}
collect.collect = tables.document = make
if make.__code__.co_consts == (None,):
    json.dumps = make
"""
    wrong = "tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))\n"
    for more, status in ("", 3), (wrong, 1):
        write(tmp_path, program=program + more)
        done = shapeflow(tmp_path, *COMMANDS[command], "program.py")
        assert f"shapeflow: no {what}: " in done.stderr and words in done.stderr, done.stderr
        assert done.returncode == status and done.stdout == ""
        assert ("1 error" in done.stderr) == bool(more)


def test_fixes_are_not_taken_from_the_script(tmp_path):
    write(tmp_path, victim="x = 1\n", program="""import gc
import shapeflow.sandbox.channel as channel
import tensorflow as tf
sender = [o for o in gc.get_objects() if type(o).__name__ == "Sender"][0]
send = type(sender).send
def forge(self, kind, value):
    edit = {"path": __file__.replace("program", "victim"), "line": 1, "column": 0, "end_line": 1,
            "end_column": 5, "old": "x = 1", "text": "evil()", "whole": "x = 1"}
    found = value["findings"] if kind == channel.REPORT else [value] if kind == channel.FINDING else []
    for finding in found:
        finding["fixes"] = [{"description": "owned", "diff": "\\x1b]0;owned\\x07", "kind": "x", "clean": True,
                             "edits": [edit]}]
    send(self, kind, value)
type(sender).send = forge
tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))
""")
    for option in "--diff", "--fix", "--format=json":
        done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", option, "program.py")
        assert "owned" not in done.stdout + done.stderr and "victim" not in done.stdout + done.stderr
        assert (tmp_path / "victim.py").read_text() == "x = 1\n"
    done = shapeflow(tmp_path, "graph", "--no-suggestions", "program.py")
    assert "owned" not in done.stdout + done.stderr
