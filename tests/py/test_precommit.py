"""The pre-commit hook, run by the real pre-commit on a scratch repository."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRE_COMMIT = Path(sys.executable).with_name("pre-commit")
pytestmark = [
    pytest.mark.skipif(not PRE_COMMIT.exists(), reason="pre-commit is not installed beside this Python"),
    pytest.mark.skipif("SHAPEFLOW_UNDER_ASAN" in os.environ, reason="builds an environment of its own"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout"),
]


def git(folder, *arguments):
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments],
                   cwd=folder, check=True, capture_output=True)


def compiling():
    """The environment in which a build takes what tests/run.sh has compiled already: the layers below the
    extension, which its steps `install` and `wheel` compile as pip does."""
    variables = dict(os.environ, CC="ccache gcc" if shutil.which("ccache") else "gcc")
    if (ROOT / "build" / "libsf_apis.a").exists():
        variables["SHAPEFLOW_BUILT_LAYERS"] = str(ROOT / "build")
    return variables


@pytest.fixture
def hook_repo(tmp_path):
    """A repository of the working tree's tracked and new files, as `rev` needs a commit of them."""
    copy = tmp_path / "shapeflow"
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    git(copy, "init", "-q")
    git(copy, "add", "-A")
    git(copy, "commit", "-qm", "copy")
    return copy


CONFIG = """repos:
  - repo: {repo}
    rev: {rev}
    hooks:
      - id: shapeflow
      - id: shapeflow-all
        stages: [manual]
"""
WRONG = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [2, 3])\ntf.matmul(x, x)\n"
RIGHT = WRONG.replace("[2, 3]", "[3, 3]")
LIBRARY = "import tensorflow as tf\n\ndef weights():\n    return tf.zeros([%d, 2])\n"
USER = ("import tensorflow as tf\nfrom library import weights\n"
        "tf.matmul(tf.placeholder(tf.float32, [None, 4]), weights())\n")


@pytest.fixture
def project(tmp_path):
    """project(configuration): a repository with it; the function that it gives is `pre-commit run`, with the
    files staged that it is given by name."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q")
    variables = dict(compiling(), PRE_COMMIT_HOME=str(tmp_path / "cache"), SHAPEFLOW_NO_SUGGESTIONS="1")
    variables.pop("PYTHONPATH", None)

    def hook(*arguments, **files):
        for name, text in files.items():
            (folder / f"{name}.py").write_text(text)
        git(folder, "add", "-A")
        return subprocess.run([str(PRE_COMMIT), "run", *arguments], cwd=folder, env=variables,
                              capture_output=True, text=True, timeout=900)

    def make(configuration):
        (folder / ".pre-commit-config.yaml").write_text(configuration)
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "configuration")
        return hook

    make.folder = folder
    return make


def test_the_documented_hook_of_a_wheel(tmp_path, hook_repo, project):
    """docs/ci.md's local hook: pre-commit compiles nothing."""
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w",
                    str(tmp_path), str(hook_repo)], check=True, env=compiling(), timeout=900)
    (wheel,) = tmp_path.glob("shapeflow-*.whl")
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```yaml\n([^`]*repo: local\n[^`]*)^```$", text, re.MULTILINE)
    listed = "[/path/to/shapeflow.whl, matplotlib]"
    assert listed in block
    hook = project(block.replace(listed, f"[{wheel}]"))
    done = hook("shapeflow", train=WRONG)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "train.py:3:" in done.stdout and "error[SF101]" in done.stdout
    done = hook("shapeflow", train=RIGHT)
    assert done.returncode == 0 and "Passed" in done.stdout, done.stdout + done.stderr


def test_hooks(hook_repo, project):
    rev = subprocess.run(["git", "rev-parse", "HEAD"], cwd=hook_repo, check=True, capture_output=True,
                         text=True).stdout.strip()
    hook = project(CONFIG.format(repo=hook_repo, rev=rev))
    done = hook("shapeflow", train=WRONG)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "train.py:3:" in done.stdout and "error[SF101]" in done.stdout
    done = hook("shapeflow", train=RIGHT)
    assert done.returncode == 0 and "Passed" in done.stdout, done.stdout + done.stderr

    # A module is no entry script: `shapeflow` passes it over, `shapeflow-all` runs who imports it.
    assert hook("shapeflow", library=LIBRARY % 4, use=USER).returncode == 0
    git(project.folder, "commit", "-qnm", "right")
    done = hook("shapeflow", library=LIBRARY % 5)
    assert done.returncode == 0 and "Passed" in done.stdout, done.stdout
    done = hook("shapeflow-all", "--hook-stage", "manual")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "use.py:3:" in done.stdout and "train.py" not in done.stdout
    done = hook("shapeflow-all", "--hook-stage", "manual", library=LIBRARY % 4)
    assert done.returncode == 0, done.stdout + done.stderr

    # Configured scripts are run whatever they look like, with their arguments.
    if sys.version_info >= (3, 11):
        (project.folder / "pyproject.toml").write_text(
            "[tool.shapeflow]\nscripts = [{ path = 'library.py', args = ['3'] }]\n")
        done = hook("shapeflow", library=LIBRARY % 4 + "\nimport sys\nn = int(sys.argv[1])\n"
                                 "y = weights() + tf.zeros([n, 2])\n")
        assert done.returncode == 1 and "library.py:8:" in done.stdout, done.stdout
    assert not list(project.folder.glob("*.egg-info"))
