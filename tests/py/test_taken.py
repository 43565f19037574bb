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
