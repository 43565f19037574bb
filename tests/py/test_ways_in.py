"""Ways to name what is checked: a file without a command, a module, standard input; and the interpreter of a
project."""
import importlib.util
import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from command import WRONG, command, environment, lines, shapeflow, write

CONCISE = ("--no-cache", "--format", "concise")


def piped(folder, text, *arguments, **changes):
    return subprocess.run(command(*arguments), cwd=folder, input=text, capture_output=True, text=True,
                          timeout=180, env=environment(**changes))


# --- a file without a command -------------------------------------------------------------------
def test_a_file_is_checked(tmp_path):
    write(tmp_path, wrong=WRONG)
    done = shapeflow(tmp_path, "wrong.py", *CONCISE)
    assert done.returncode == 1 and lines(done) == [("wrong.py", 3, "SF101")]
    assert lines(shapeflow(tmp_path, *CONCISE, "wrong.py")) == lines(done)
    assert shapeflow(tmp_path, "gone.py").stderr.startswith("shapeflow: cannot read gone.py")
    done = shapeflow(tmp_path, "chek", "wrong.py")
    assert done.returncode == 2 and "did you mean 'check'" in done.stderr
    done = shapeflow(tmp_path, "--frob", "wrong.py")
    assert done.returncode == 2 and "no command '--frob'" in done.stderr


def test_a_command_wins_over_a_file_of_its_name(tmp_path):
    write(tmp_path, wrong=WRONG)
    (tmp_path / "check").mkdir()
    assert lines(shapeflow(tmp_path, "check", *CONCISE, "wrong.py")) == [("wrong.py", 3, "SF101")]


# --- a module -----------------------------------------------------------------------------------
TRAIN = """import sys
import tensorflow as tf
from . import sizes
from .deep.down import HEIGHT
assert __name__ == "__main__" and __package__ == "pkg" and __spec__.name == "pkg.train"
assert sys.argv == [__file__, "--steps", "3"] and sys.path[0] != __file__.rpartition("/")[0]
tf.matmul(tf.zeros([HEIGHT, 784]), tf.zeros([sizes.WIDTH, 10]))
"""


def test_a_module_of_a_package(tmp_path):
    write(tmp_path, pkg__train=TRAIN, pkg__sizes="WIDTH = 512\n", pkg____init="print('imported')\n",
          pkg__deep__down="HEIGHT = 32\n", loose="from pkg import sizes\nassert __package__ == ''\n")
    (tmp_path / "pkg" / "__init__.py").write_text("STARTED = True\n")
    done = shapeflow(tmp_path, "check", *CONCISE, "-m", "pkg.train", "--", "--steps", "3")
    assert lines(done) == [("pkg/train.py", 7, "SF114")], done.stderr
    done = shapeflow(tmp_path, *CONCISE, "-m", "loose")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    both = shapeflow(tmp_path, "check", "-m", "pkg.train", "loose.py")
    assert both.returncode == 2 and "no PATH beside it" in both.stderr


RUN_AS = "pkg/train.py was run as the module pkg.train, as python -m does"


def test_a_file_that_imports_relative_to_its_package_is_run_as_a_module(tmp_path):
    write(tmp_path, pkg__train=TRAIN, pkg__sizes="WIDTH = 512\n", pkg__deep__down="HEIGHT = 32\n",
          pkg__deep__up="from ..sizes import WIDTH\nassert __spec__.name == 'pkg.deep.up'\n")
    (tmp_path / "pkg" / "__init__.py").write_text("")
    done = shapeflow(tmp_path, "check", *CONCISE, "pkg/train.py", "--", "--steps", "3")
    assert lines(done) == [("pkg/train.py", 7, "SF114")], done.stderr
    assert RUN_AS in done.stderr
    done = shapeflow(tmp_path / "pkg" / "deep", *CONCISE, "up.py")  # two folders up, one without an __init__
    assert done.returncode == 0 and "module pkg.deep.up" in done.stderr, done.stderr


def test_a_file_that_can_do_without_its_package_is_a_script(tmp_path):
    write(tmp_path, pkg__train="import tensorflow as tf\n"
                               "try:\n    from .sizes import WIDTH\n"
                               "except ImportError:\n    from sizes import WIDTH\n"
                               "if __package__:\n    from .gone import NOTHING\n"
                               "tf.matmul(tf.zeros([2, 3]), tf.zeros([WIDTH, 10]))\n",
          pkg__sizes="WIDTH = 4\n", loose="def later():\n    from . import sizes\n")
    done = shapeflow(tmp_path, "check", *CONCISE, "pkg/train.py")
    assert lines(done) == [("pkg/train.py", 8, "SF114")], done.stderr
    assert "was run as" not in done.stderr + shapeflow(tmp_path, *CONCISE, "loose.py").stderr


def test_a_package_is_its_main(tmp_path):
    write(tmp_path, pkg__sub__other="WIDTH = 3\n")
    (tmp_path / "pkg" / "sub" / "__main__.py").write_text(
        "from .other import WIDTH\nimport tensorflow as tf\n"
        "tf.matmul(tf.zeros([2, WIDTH]), tf.zeros([4, 2]))\n")
    done = shapeflow(tmp_path, *CONCISE, "-m", "pkg.sub")
    assert lines(done) == [("pkg/sub/__main__.py", 3, "SF114")], done.stderr


def test_fixes_of_a_module_are_tried_as_a_module(tmp_path):
    write(tmp_path, pkg__train="from . import sizes\nimport tensorflow as tf\n"
                               "tf.matmul(tf.zeros([32, 784]), tf.zeros([512, 10]))\n", pkg__sizes="")
    env = {k: v for k, v in environment().items() if k != "SHAPEFLOW_NO_SUGGESTIONS"}
    done = shapeflow(tmp_path, "check", "--no-cache", "-m", "pkg.train", env=env)
    assert "help: write 784 instead of 512 on line 3" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("name, words", [
    ("gone", "no module named gone"), ("pkg.gone", "no module named pkg.gone"),
    ("gone.train", "no module named gone (of gone.train)"), ("pkg", "no module named pkg.__main__"),
    ("zlib", "zlib is no module with a source"), ("sys", "sys is no module with a source"),
    ("pkg.one.two", "pkg.one.two is no module with a source"),
])
def test_a_module_that_cannot_be_run(name, words, tmp_path):
    write(tmp_path, pkg__one="")
    done = shapeflow(tmp_path, "check", "-m", name)
    assert done.returncode == 2 and words in done.stderr


def test_a_package_is_not_imported_by_the_command_itself(tmp_path):
    """Only within the sandbox."""
    write(tmp_path, pkg__train="")
    (tmp_path / "pkg" / "__init__.py").write_text("open('touched', 'w').close()\n")
    done = shapeflow(tmp_path, "check", "-m", "pkg.train")
    assert done.returncode == 0 and not (tmp_path / "touched").exists()


# --- standard input -----------------------------------------------------------------------------
def test_a_script_on_standard_input(tmp_path):
    write(tmp_path, sizes="WIDTH = 512\n")
    script = ("import sys\nfrom sizes import WIDTH\nimport tensorflow as tf\nassert sys.argv == ['-', 'x']\n"
              "assert sys.stdin.read() == ''\ntf.matmul(tf.zeros([2, 784]), tf.zeros([WIDTH, 10]))\n")
    done = piped(tmp_path, script, "check", *CONCISE, "-", "--", "x")
    assert done.returncode == 1 and lines(done) == [("<stdin>", 6, "SF114")], done.stderr
    full = piped(tmp_path, script, "-", "--", "x")
    assert " 6 | tf.matmul(tf.zeros([2, 784])" in full.stdout
    data = json.loads(piped(tmp_path, script, "check", "--format", "json", "-", "--", "x").stdout)
    assert [Path(f["primary"]["path"]).name for f in data["findings"]] == ["<stdin>"]


def test_standard_input_is_not_kept(tmp_path):
    env = {"SHAPEFLOW_NO_CACHE": ""}
    assert piped(tmp_path, WRONG, "check", "--cache-dir", "kept", "-", **env).returncode == 1
    done = piped(tmp_path, "x = 1\n", "check", "--cache-dir", "kept", "-", **env)
    assert done.returncode == 0 and "unchanged" not in done.stderr


def test_what_comes_on_standard_input_is_silenced_and_fixed_as_a_file(tmp_path):
    hushed = WRONG.replace("matmul(x, x)", "matmul(x, x)  # shapeflow: ignore[SF101]")
    assert piped(tmp_path, hushed, "check", *CONCISE, "-").returncode == 0
    done = piped(tmp_path, WRONG.replace("x, x)", "x, tf.zeros([4, 2]))"), "check", "--diff", "-")
    assert done.stdout.startswith("--- <stdin>\n+++ <stdin>\n"), done.stderr
    done = piped(tmp_path, WRONG, "check", "--fix", "-")
    assert done.returncode == 2 and "not for --fix" in done.stderr


# --- the interpreter of a project ---------------------------------------------------------------
@pytest.fixture
def project(tmp_path):
    """A virtual environment with numpy and one package of its own."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    site = Path(subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                               check=True, capture_output=True, text=True).stdout.strip())
    installed = Path(importlib.util.find_spec("numpy").origin).parent.parent
    for name in ("numpy", "numpy.libs"):
        if (installed / name).exists():
            (site / name).symlink_to(installed / name)
    (site / "installed_there.py").write_text("WIDTH = 512\n")
    write(tmp_path, train="import sys\nfrom installed_there import WIDTH\nimport tensorflow as tf\n"
                          f"assert not any({str(installed)!r} == path for path in sys.path), sys.path\n"
                          "tf.matmul(tf.zeros([2, 784]), tf.zeros([WIDTH, 10]))\n")
    return tmp_path


def test_the_packages_of_the_project_are_found(project):
    alone = shapeflow(project, "check", *CONCISE, "train.py")
    assert alone.returncode == 0 and "installed_there is not installed" in alone.stderr
    done = shapeflow(project, "check", *CONCISE, "--python", "env/bin/python", "train.py",
                     env=environment(XDG_CACHE_HOME=str(project / "caches")))
    assert done.returncode == 1 and lines(done) == [("train.py", 5, "SF114")], done.stderr


def stand_in(folder, **said):
    """A program that answers as an interpreter of another kind would."""
    path = folder / "python-of-another-kind"
    path.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps(said)}\nEND\n")
    path.chmod(0o755)
    return f"./{path.name}"


def test_an_interpreter_of_another_version(tmp_path):
    write(tmp_path, train="")
    other = stand_in(tmp_path, version=[3, 5], executable="", error="ImportError: no", folders=[])
    done = shapeflow(tmp_path, "check", "--python", other, "train.py")
    assert done.returncode == 2
    assert f"is Python 3.5, and this shapeflow was built for {sysconfig.get_python_version()}" in done.stderr


def test_an_interpreter_that_the_extension_does_not_fit(project):
    """Its packages are lent to ours."""
    site = str(next((project / "env").glob("lib/python*/site-packages")))
    other = stand_in(project, version=list(sys.version_info[:2]), executable="", error="ImportError: no",
                     folders=[site])
    (project / "train.py").write_text("from installed_there import WIDTH\nprint(WIDTH + '')\n")
    done = shapeflow(project, "check", "--python", other, "train.py")
    assert "TypeError" in done.stderr  # found, and used


@pytest.mark.parametrize("name, words", [
    ("gone", "no program gone"), ("true", "true is no Python that can be used")])
def test_what_is_no_interpreter(name, words, tmp_path):
    write(tmp_path, train="")
    done = shapeflow(tmp_path, "check", "--python", name, "train.py")
    assert done.returncode == 2 and words in done.stderr
