"""`shapeflow completion`: what the shells themselves make of it."""
import os
import pty
import select
import shutil
import subprocess
import time

import pytest

from command import shapeflow
from shapeflow.cli import COMMANDS
from shapeflow.commands import check

OPTIONS = [name for option in check.OPTIONS if not option.hidden for name in option.names]


def needs(shell):
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"no {shell}")


@pytest.fixture
def script(tmp_path):
    """script(shell): the file that the command prints, in a folder that also has `train.py`."""
    (tmp_path / "train.py").write_text("")
    (tmp_path / "models").mkdir()

    def make(shell):
        done = shapeflow(tmp_path, "completion", shell)
        assert done.returncode == 0 and done.stderr == ""
        path = tmp_path / f"shapeflow.{shell}"
        path.write_text(done.stdout)
        return path

    return make


CASES = [
    ("", set(COMMANDS)),
    ("ch", {"check"}),
    ("check --", set(name for name in OPTIONS if name.startswith("--"))),
    ("check --format s", {"sarif"}),
    ("check --strict --mode ", {"graph", "eager"}),
    ("explain SF90", {"SF901", "SF902", "SF903", "SF904", "SF905", "SF906", "SF907", "SF908"}),
    ("completion z", {"zsh"}),
    ("graph --layout ", {"ours", "graphviz"}),
    ("check tr", {"train.py"}),
    ("check --strict -- --", None),
]


@needs("bash")
@pytest.mark.parametrize("line, expected", [*CASES, ("check --format = s", {"sarif"}),
                                            ("check --format =", set(check.output.FORMATS))])
def test_bash(script, tmp_path, line, expected):
    words = ["shapeflow", *line.split(" ")]
    ask = f"""
    . {script("bash")}
    COMP_WORDS=({' '.join(repr(word) for word in words)})
    COMP_CWORD={len(words) - 1}
    _shapeflow || exit 9
    [ ${{#COMPREPLY[@]}} != 0 ] || COMPREPLY=($(compgen -f -- "${{COMP_WORDS[COMP_CWORD]}}" || true))
    printf '%s\\n' "${{COMPREPLY[@]}}"
    complete -p shapeflow | grep -q -- '-o default -F _shapeflow' || exit 8
    """
    done = subprocess.run(["bash", "-euc", ask], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    said = set(done.stdout.split())
    assert said >= expected if expected else said == set()
    if expected and not line.endswith("--") and line:
        assert said == expected


@needs("fish")
@pytest.mark.parametrize("line, expected", CASES[:-1])
def test_fish(script, tmp_path, line, expected):
    ask = f'source {script("fish")}; complete -C "shapeflow {line}"'
    done = subprocess.run(["fish", "--no-config", "-c", ask], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "HOME": str(tmp_path)})
    assert (done.returncode, done.stderr) == (0, "")
    said = {line.split("\t")[0] for line in done.stdout.splitlines()}
    assert said >= expected
    if line.endswith(("s", "ch", "SF90", "z")):
        assert said == expected


@needs("zsh")
@pytest.mark.parametrize("line, expected", [("ch", "check "), ("check --no-sug", "--no-suggestions "),
                                            ("check --format sar", "sarif "), ("explain SF90", "SF902"),
                                            ("graph --layout gr", "graphviz "), ("check tr", "train.py ")])
def test_zsh(script, tmp_path, line, expected):
    """In a terminal: the line, a tab, and what zsh makes of it."""
    path = script("zsh")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.environ.update(TERM="dumb", HOME=str(tmp_path), PS1="ready> ", ZDOTDIR=str(tmp_path))
        os.execlp("zsh", "zsh", "-f", "-i")

    def read(until):
        said, limit = "", time.monotonic() + 30
        while until not in said:
            assert time.monotonic() < limit, said
            if select.select([terminal], [], [], 1)[0]:
                said += os.read(terminal, 4096).decode()
        return said

    try:
        read("ready> ")
        os.write(terminal, f"autoload -U compinit; compinit -u -D; . {path}; echo lo''aded\n".encode())
        read("loaded")
        os.write(terminal, f"shapeflow {line}\t\t".encode())
        read(expected)
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(terminal)


def test_every_option_of_every_command_is_there(script):
    import importlib

    texts = {shell: script(shell).read_text() for shell in ("bash", "zsh", "fish")}
    options = [(name, option) for name in COMMANDS
               for option in importlib.import_module(f"shapeflow.commands.{name}").COMMAND.options]
    shown = {flag for _, option in options if not option.hidden for flag in option.names}
    for name, option in options:
        for flag in option.names:
            for shell, text in texts.items():
                if not option.hidden:
                    assert spelled(flag, shell) in text, (shell, name, flag)
                elif flag not in shown:
                    assert f" {flag} " not in text


def spelled(flag, shell):
    if shell != "fish":
        return flag
    return f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"


@pytest.mark.parametrize("arguments", [[], ["tcsh"]])
def test_which_shell_is_asked(tmp_path, arguments):
    done = shapeflow(tmp_path, "completion", *arguments)
    assert done.returncode == 2 and "bash, zsh or fish" in done.stderr and done.stdout == ""
