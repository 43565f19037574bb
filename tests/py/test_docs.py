"""What the docs show is so: each block of shell commands runs or says why it does not, workflows parse and
their commands run, configurations load, options exist, the README's finding is the one that is found."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import shapeflow.checker.configuration as configuration
from command import RIGHT, WRONG, environment
from shapeflow.cli import COMMANDS
from shapeflow.commands import check as check_command

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.source,
              pytest.mark.skipif(not (ROOT / "docs").exists(), reason="no checkout")]


def blocks(name, language):
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")),
             *sorted((ROOT / "tests").glob("*/README.md"))]
SHELL = re.compile(r"^(<!-- not run: (?P<why>[^\n]*) -->\n)?```(?P<language>\w*)\n(?P<code>.*?)^```$",
                   re.MULTILINE | re.DOTALL)


def shell_blocks():
    """(document, number of the line, commands, why they are not run) of each."""
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for found in SHELL.finditer(text):
            if found["language"] in ("sh", "bash", "shell", "console"):
                yield path.name, text.count("\n", 0, found.start()) + 1, found["code"], found["why"]


def run_commands(folder, commands):
    """As a user types them, in a folder; the command is that of this Python."""
    (folder / "bin").mkdir(exist_ok=True)
    command = folder / "bin" / "shapeflow"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m shapeflow "$@"\n')
    command.chmod(0o755)
    env = environment(PATH=f"{folder / 'bin'}:{os.environ['PATH']}", SHAPEFLOW_NO_CACHE="")
    return subprocess.run(["bash", "-euc", commands], cwd=folder, env=env, capture_output=True, text=True,
                          timeout=300)


def test_shell_blocks_are_found():
    assert "ci.md" in [name for name, _, _, why in shell_blocks() if why is None]
    assert {"README.md", "editor.md", "CONTRIBUTING.md"} <= {name for name, *_ in shell_blocks()}


def test_no_shell_block_hides():
    """Every block says its language, none is made by indentation, and a prompt is only in the README, where
    it is compared with what is printed."""
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        fences = re.findall(r"^```(.*)$", text, re.MULTILINE)
        assert all(fences[::2]) and not any(fences[1::2]), path
        outside = re.sub(r"^```\w+\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        assert not re.search(r"\n\n    (\$ |python|bash|pip|shapeflow)", outside), path
        assert path.name == "README.md" and path.parent == ROOT or "\n$ " not in text, path


@pytest.mark.parametrize("name, line, commands, why", [pytest.param(*block, id=f"{block[0]}:{block[1]}")
                                                       for block in shell_blocks()])
def test_shell_blocks_run(tmp_path, name, line, commands, why):
    if why is not None:
        assert len(why) > 10
        pytest.skip(f"the document says: {why}")
    (tmp_path / "train.py").write_text(WRONG)
    (tmp_path / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "mnist_cnn.py", tmp_path / "examples")
    done = run_commands(tmp_path, commands)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no columns before 3.11")
def test_the_finding_of_the_readme_is_what_is_found(tmp_path):
    """Without the fixes, whose search takes long: those are in tests/py/test_fixes*.py."""
    readme = DOCUMENTS[0].read_text(encoding="utf-8")
    shown = re.search(r"^```text\n\$ (shapeflow check [^\n]*)\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    (tmp_path / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "mnist_cnn.py", tmp_path / "examples")
    done = run_commands(tmp_path, shown[1] + " || [ $? = 1 ]")

    def lines(text):
        text = re.sub(r"in \d+\.\d+ s", "in T s", text)
        fix = re.compile(r" help:|   \d+ [-+] ")
        return [line for line in text.splitlines() if line.strip() and not fix.match(line)]

    assert lines(done.stdout + done.stderr) == lines(shown[2])
    assert "help: " in shown[2]


def test_commands_of_workflows_run(tmp_path):
    yaml = pytest.importorskip("yaml")
    (tmp_path / "train.py").write_text(RIGHT)
    run = 0
    for workflow in map(yaml.safe_load, blocks("ci.md", "yaml")):
        steps = workflow.get("jobs", {}).get("shapeflow", {}).get("steps", [])
        commands = [step.get("run", "") for step in steps]
        for command in commands + workflow.get("shapeflow", {}).get("script", []):
            if command.startswith("shapeflow "):  # the rest gets packages from the network
                done = run_commands(tmp_path, command)
                assert done.returncode == 0, done.stdout + done.stderr
                run += 1
    assert run == 3


def test_nothing_is_named_that_is_not_there_yet():
    """No address, release or package of ours is public."""
    for path in [*DOCUMENTS, *ROOT.glob("pymodule/shapeflow/**/*.py")]:
        text = path.read_text(encoding="utf-8")
        for words in ("<you>", "shapeflow[", "rev: v", "pip install shapeflow"):
            assert words not in text, (path, words)


def test_workflows_are_yaml():
    yaml = pytest.importorskip("yaml")
    precommit, wheel, actions, gitlab = (yaml.safe_load(block) for block in blocks("ci.md", "yaml"))
    assert [hook["id"] for hook in precommit["repos"][0]["hooks"]] == ["shapeflow"]
    (local,) = wheel["repos"][0]["hooks"]
    (ours, _) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert all(local[key] == ours[key] for key in ("id", "entry", "language", "types_or", "require_serial"))
    steps = actions["jobs"]["shapeflow"]["steps"]
    assert sum("shapeflow check" in step.get("run", "") for step in steps) == 2
    assert set(actions) == {"name", True, "permissions", "jobs"}  # YAML 1.1 reads `on` as true
    assert gitlab["shapeflow"]["script"] == ["shapeflow check --format concise ."]
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in hooks] == ["shapeflow", "shapeflow-all"]


def test_commands_and_options_in_the_docs_exist():
    known = {name for option in check_command.OPTIONS for name in option.names}
    for name in ("ci.md", "configuration.md", "versions.md"):
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        for command, rest in re.findall(r"\bshapeflow (\w+)([^`\n|]*)", " ".join(
                re.findall(r"`shapeflow [^`]*`|run: shapeflow .*|- shapeflow .*|^shapeflow .*", text, re.M))):
            assert command in COMMANDS, (name, command)
            for option in re.findall(r"--[a-z-]+", rest):
                assert option in known or command != "check", (name, option)


def test_configurations_in_the_docs_load(tmp_path):
    pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")
    for name in ("train.py", "evaluate.py"):
        (tmp_path / name).write_text("")
    found = blocks("configuration.md", "toml")
    assert len(found) == 3
    for block in found:
        (tmp_path / "pyproject.toml").write_text(block)
        settings = configuration.load(start=str(tmp_path))
        assert settings.data or settings.missing_imports
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs" / "configuration.md").read_text(), re.M))
    keys = {key.replace("_", "-") for key in vars(settings)} - {"root", "path"}
    assert listed == keys, listed ^ keys
