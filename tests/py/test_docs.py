"""What the docs show is valid: workflows parse, configurations load, commands exist."""
import re
import sys
from pathlib import Path

import pytest

import shapeflow.configuration as configuration
from shapeflow.cli import COMMANDS
from shapeflow.commands import check as check_command

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not (ROOT / "docs").exists(), reason="no checkout")


def blocks(name, language):
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_workflows_are_yaml():
    yaml = pytest.importorskip("yaml")
    precommit, actions, gitlab = (yaml.safe_load(block) for block in blocks("ci.md", "yaml"))
    assert [hook["id"] for hook in precommit["repos"][0]["hooks"]] == ["shapeflow"]
    steps = actions["jobs"]["shapeflow"]["steps"]
    assert sum("shapeflow check" in step.get("run", "") for step in steps) == 2
    assert set(actions) == {"name", True, "permissions", "jobs"}  # YAML 1.1 reads `on` as true
    assert gitlab["shapeflow"]["script"] == ["shapeflow check --format concise ."]
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in hooks] == ["shapeflow", "shapeflow-all"]


def test_commands_and_options_in_the_docs_exist():
    known = {name for option in check_command.OPTIONS for name in option.names}
    for name in ("ci.md", "configuration.md"):
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
    assert len(found) == 2
    for block in found:
        (tmp_path / "pyproject.toml").write_text(block)
        settings = configuration.load(start=str(tmp_path))
        assert settings.data
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs" / "configuration.md").read_text(), re.M))
    keys = {key.replace("_", "-") for key in vars(settings)} - {"root", "path"}
    assert listed == keys, listed ^ keys
