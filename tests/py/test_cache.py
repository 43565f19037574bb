"""The cache: a hit skips the run, and everything that a script reads makes a miss when it changes."""
import os
import subprocess
import time

import pytest

from command import WRONG, command, environment, shapeflow, write
from sandbox_process import every_layer

# Leaves a trace outside of what is recorded and of the sandbox: a file that it only appends to.
MARK = "open('../marks/ran.log', 'a').write('x')\n"
CHECK = ("check", "--allow-write", "../marks")


@pytest.fixture
def project(tmp_path):
    """check(...) of main.py; runs() counts the runs."""
    for name in ("project", "marks"):
        (tmp_path / name).mkdir()

    class Project:
        folder = tmp_path / "project"

        @staticmethod
        def check(*options, **changes):
            env = environment(**changes)
            env.pop("SHAPEFLOW_NO_CACHE", None)
            return shapeflow(Project.folder, *CHECK, *options, "main.py", env=env)

        @staticmethod
        def runs():
            log = tmp_path / "marks" / "ran.log"
            return len(log.read_text()) if log.exists() else 0

    return Project


def hit(project, *options, **changes):
    before = project.runs()
    project.done = project.check(*options, **changes)
    return project.runs() == before


def test_a_hit_runs_nothing_and_says_the_same(project):
    write(project.folder, main=MARK + WRONG)
    first = project.check()
    second = project.check()
    assert project.runs() == 1
    assert (first.returncode, first.stdout) == (second.returncode, second.stdout) and first.returncode == 1
    assert "unchanged since it was checked" in second.stderr
    made = {path.name for path in (project.folder / ".shapeflow_cache").iterdir()}
    assert {".gitignore", "CACHEDIR.TAG"} < made and len(made) == 3
    assert hit(project, "--format", "concise")  # how it is shown is no matter
    assert hit(project, "--ignore", "SF101") and project.done.returncode == 0
    assert not hit(project, "--no-cache")
    assert not hit(project, "--tf-version", "1.8.0")
    assert not hit(project, "--mode", "eager", "--tf-version", "2.21.0")
    assert hit(project)
    assert hit(project, "--cache-dir", ".shapeflow_cache") and not hit(project, "--cache-dir", "elsewhere")


def test_several_scripts_share_it(project):
    write(project.folder, main=MARK + WRONG, other=MARK + WRONG)
    env = environment()
    env.pop("SHAPEFLOW_NO_CACHE")
    for _ in range(2):
        done = shapeflow(project.folder, *CHECK, "main.py", "other.py", env=env)
        assert done.returncode == 1 and project.runs() == 2
    assert "2 unchanged since they were checked" in done.stderr and done.stdout.count("error[SF101]") == 2
    assert hit(project)


@pytest.mark.parametrize("body, change", [
    ("", lambda f: write(f, main=MARK + "pass\n")),
    ("import lib\n", lambda f: write(f, lib="y = 2\n")),
    ("import package.inner\n", lambda f: write(f, package__inner="y = 2\n")),
    ("open('data.txt').read()\n", lambda f: (f / "data.txt").write_text("b")),
    ("import io\nio.open('data.txt', 'rb').read()\n", lambda f: (f / "data.txt").write_text("b")),
    ("import os\nos.open('data.txt', os.O_RDONLY)\n", lambda f: (f / "data.txt").write_text("b")),
    ("import numpy as np\nnp.load('x.npy')\n", lambda f: os.truncate(f / "x.npy", 128)),
    ("open('data.txt').read()\n", lambda f: (f / "data.txt").unlink()),
    ("try:\n    open('none.txt')\nexcept OSError:\n    pass\n",
     lambda f: (f / "none.txt").write_text("now")),
    ("import os\nos.path.exists('none.txt')\n", lambda f: (f / "none.txt").write_text("now")),
    ("import pathlib\npathlib.Path('none.txt').exists()\n", lambda f: (f / "none.txt").write_text("now")),
    ("import os\nos.listdir('folder')\n", lambda f: (f / "folder" / "b").write_text("")),
    ("import glob\nglob.glob('folder/*')\n", lambda f: (f / "folder" / "b").write_text("")),
    ("try:\n    import later\nexcept ImportError:\n    pass\n", lambda f: write(f, later="")),
    ("import tensorflow as tf\ntf.gfile.Exists('none.txt')\n",
     lambda f: (f / "none.txt").write_text("now")),
])
def test_what_was_read_and_changes_is_a_miss(project, body, change):
    folder = project.folder
    write(folder, main=MARK + body, lib="y = 1\n", package____init__="", package__inner="y = 1\n",
          unrelated="")
    (folder / "data.txt").write_text("a")
    (folder / "folder").mkdir()
    (folder / "folder" / "a").write_text("")
    import numpy as np

    np.save(folder / "x.npy", np.zeros([40]))
    assert not hit(project)
    assert hit(project), project.done.stderr
    write(folder, unrelated="changed = 1\n", new="")
    assert hit(project)
    change(folder)
    assert not hit(project)


def test_touched_but_equal_is_a_hit(project):
    write(project.folder, main=MARK + "import lib\n", lib="y = 1\n")
    assert not hit(project)
    os.utime(project.folder / "lib.py", (time.time() + 5, time.time() + 5))
    assert hit(project)


def test_the_environment_that_was_asked_for(project):
    write(project.folder, main=MARK + "import os\nos.environ.get('MY_SIZE')\n'MY_FLAG' in os.environ\n"
                                      "os.environ['SET'] = '1'\nos.getenv('SET')\n")
    assert not hit(project)
    assert hit(project) and hit(project, UNRELATED="1")
    assert not hit(project, MY_SIZE="3")
    assert hit(project, MY_SIZE="3")
    assert not hit(project, MY_SIZE="3", MY_FLAG="1")


@pytest.mark.parametrize("body", [
    "import subprocess, sys\nsubprocess.run([sys.executable, '-c', ''])\n",
    "import os\nos.system('true')\n",
    "import os\npid = os.fork()\nif not pid:\n    os._exit(0)\nos.waitpid(pid, 0)\n",
    "import sqlite3\nsqlite3.connect('x.db')\n",
    "import socket\ns = socket.socket()\ntry:\n    s.connect(('127.0.0.1', 9))\nexcept OSError:\n    pass\n",
])
@every_layer
def test_what_cannot_be_seen_is_never_kept(project, body, layer):
    write(project.folder, main=MARK + body)
    for _ in range(2):
        assert not hit(project, SHAPEFLOW_SANDBOX=layer)


@pytest.mark.parametrize("read", [
    "input()", "sys.stdin.read()", "next(sys.stdin)", "sys.stdin.buffer.read()", "os.read(0, 9)",
    "open('/dev/stdin').read()", "open(0).read()"])
@pytest.mark.parametrize("from_file", [False, True])
def test_what_comes_from_standard_input_is_never_kept(tmp_path, read, from_file):
    write(tmp_path, main="import os, sys\nimport tensorflow as tf\nn = int(" + read + ")\n"
                         "tf.matmul(tf.zeros([2, n]), tf.zeros([4, 5]))\n")
    env = environment()
    env.pop("SHAPEFLOW_NO_CACHE", None)
    for said, status in (("4\n", 0), ("3\n", 1)):
        (tmp_path / "answer").write_text(said)
        with open(tmp_path / "answer") as file:
            given = {"stdin": file} if from_file else {"input": said}
            done = subprocess.run(command("check", "main.py"), cwd=tmp_path, capture_output=True, text=True,
                                  env=env, timeout=60, **given)
        assert done.returncode == status and "unchanged" not in done.stderr, done.stderr


def test_a_standard_input_that_is_not_read_does_not_matter(project):
    write(project.folder, main=MARK + "import sys\nsys.stdin.fileno()\nsys.stdin.encoding\n")
    assert not hit(project) and hit(project)


def test_a_question_for_the_terminal_is_asked_again_in_another_place(tmp_path):
    write(tmp_path, main="import sys\nimport tensorflow as tf\nn = 4 if sys.stdin.isatty() else 3\n"
                         "tf.matmul(tf.zeros([2, n]), tf.zeros([4, 5]))\n")
    env = environment()
    env.pop("SHAPEFLOW_NO_CACHE", None)
    ours, theirs = os.openpty()
    statuses = [subprocess.run(command("check", "main.py"), cwd=tmp_path, capture_output=True, env=env,
                               timeout=60, stdin=stdin).returncode
                for stdin in (theirs, subprocess.DEVNULL, theirs)]
    os.close(ours)
    os.close(theirs)
    assert statuses == [0, 1, 0]


def test_a_stopped_run_is_not_kept(project):
    write(project.folder, main=MARK + "while True:\n    pass\n")
    options = "--every-batch", "--time-limit", "1"
    assert not hit(project, *options) and not hit(project, *options)


def test_its_own_output_does_not_matter(project):
    write(project.folder, main=MARK + "open('out.txt', 'w').write('1')\nopen('out.txt').read()\n")
    assert not hit(project)
    (project.folder / "out.txt").write_text("other")
    assert hit(project)


def test_broken_entries_are_no_entries(project):
    write(project.folder, main=MARK)
    assert not hit(project)
    (entry,) = [p for p in (project.folder / ".shapeflow_cache").iterdir() if len(p.name) == 32]
    good = entry.read_bytes()
    for bad in (b"", b"x", good[:-1], good[:40] + b"?" + good[41:], b"0" * 32 + good[32:]):
        entry.write_bytes(bad)
        assert not hit(project)
    assert hit(project)


def test_a_folder_that_cannot_be_written(project):
    write(project.folder, main=MARK)
    (project.folder / "file").write_text("")
    assert project.check("--cache-dir", "file").returncode == 0


def test_stat_and_environ_look_as_ever(project):
    write(project.folder, main="""
import os, shutil, stat, tempfile
assert os.stat in os.supports_follow_symlinks and os.stat in os.supports_dir_fd
assert stat.S_ISDIR(os.stat(".").st_mode) and os.stat(0)
try:
    os.stat("nothing here")
except FileNotFoundError as error:
    assert error.filename == "nothing here"
else:
    raise AssertionError
folder = tempfile.mkdtemp()
shutil.copytree(folder, folder + "2")
shutil.rmtree(folder)
shutil.rmtree(folder + "2")
assert dict(os.environ) == {k: os.environ[k] for k in os.environ} and "PATH" in os.environ.copy()
""")
    assert project.check().returncode == 0


QUESTIONS = {
    "lstat": "os.lstat('data/flag')", "access": "assert os.access('data/flag', os.R_OK)",
    "islink": "os.stat('data/flag', follow_symlinks=False)", "readlink": "os.readlink('data/flag')",
    "folder": "fd = os.open('data', os.O_RDONLY); assert 'flag' in os.listdir(fd)",
    "below": "fd = os.open('data', os.O_RDONLY); os.stat('flag', dir_fd=fd)",
    "entry": "assert any(e.is_symlink() for e in os.scandir('data'))",
    "size": "assert any(e.stat().st_size > 3 for e in os.scandir('data') if e.name == 'other')",
    "bytes": "os.environb[b'SF_TEST_FLAG']",
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_whatever_the_script_asked_of_files_is_asked_again(tmp_path, question):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "other").write_text("hi\n")
    (tmp_path / "a.py").write_text(
        "import os\nimport tensorflow as tf\nn = 5\ntry:\n    %s\n"
        "except (OSError, AssertionError, KeyError):\n    n = 4\n"
        "tf.matmul(tf.zeros([3, 4]), tf.zeros([n, 2]))\n" % question)
    plain, flagged = environment(), environment(SF_TEST_FLAG="1")
    for env in (plain, flagged):
        env.pop("SHAPEFLOW_NO_CACHE", None)
    ways = ("check", "--no-suggestions", "--cache-dir", "kept", "--tf-version", "1.15.0", "a.py")
    assert shapeflow(tmp_path, *ways, env=plain).returncode == 0
    assert len(list((tmp_path / "kept").iterdir())) == 3  # it is kept
    (tmp_path / "data" / "flag").symlink_to("other")
    (tmp_path / "data" / "other").write_text("hello\n")
    assert shapeflow(tmp_path, *ways, env=flagged).returncode == 1
