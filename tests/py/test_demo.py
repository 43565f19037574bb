"""examples/demo.sh and tests/tools/packages.sh on a machine that has nothing yet, played by small scripts: no
system's package is installed and nothing is fetched. tests/run.sh runs the real demo."""
import os
import pty
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.source,
              pytest.mark.skipif(not (ROOT / "examples").exists(), reason="no checkout")]

TOOLS = "bash sh cat chmod cut dirname env grep id mkdir mktemp readlink rm sleep tail touch cp".split()
PYTHON = """#!/bin/sh
case "$*" in
  "-c"*) exit {old} ;;
  "-m venv"*)
    mkdir -p "$3/bin"
    cp "$0" "$3/bin/python"
    printf '#!/bin/sh\\necho "pip $*" >>"$LOG"\\n{pip}' >"$3/bin/pip"
    printf '#!/bin/sh\\necho "shapeflow $* in $PWD" >>"$LOG"\\nexit ${{STATUS-1}}\\n' >"$3/bin/shapeflow"
    chmod +x "$3/bin/pip" "$3/bin/shapeflow" ;;
esac
"""


@pytest.fixture
def machine(tmp_path):
    """A folder of programs; apt-get there makes python3."""
    bin = tmp_path / "bin"
    bin.mkdir()
    for name in TOOLS:
        (bin / name).symlink_to(shutil.which(name))

    class Machine:
        log = tmp_path / "log"
        checkout = tmp_path / "a clone"
        elsewhere = tmp_path / "elsewhere"

        @staticmethod
        def program(name, text):
            (bin / name).write_text(text)
            (bin / name).chmod(0o755)

        @staticmethod
        def variables(**changes):
            return {"PATH": str(bin), "LOG": str(Machine.log), "HOME": str(tmp_path), **changes}

        @staticmethod
        def demo(*arguments, **changes):
            demo = Machine.checkout / "examples/demo.sh"
            return subprocess.run([str(bin / "bash"), str(demo), *arguments], cwd=Machine.elsewhere,
                                  env=Machine.variables(**changes), capture_output=True, text=True,
                                  timeout=60)

    Machine.elsewhere.mkdir()
    for name in ("examples/demo.sh", "tests/tools/packages.sh"):
        (Machine.checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, Machine.checkout / name)
    Machine.log.touch()
    python = PYTHON.format(old=0, pip="exit 0\\n")
    (tmp_path / "python3").write_text(python)
    Machine.program("dpkg-query", "#!/bin/sh\nexit 1\n")
    Machine.program("sudo", '#!/bin/sh\nexec "$@"\n')
    Machine.program("apt-get", f'#!/bin/sh\necho "apt-get $*" >>"$LOG"\n[ "$1" = update ] || '
                               f'cp {tmp_path}/python3 {bin}/python3\nchmod +x {bin}/python3 || true\n')
    return Machine


def test_a_bare_machine(machine):
    done = machine.demo()
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert [line.rsplit(" ...", 1)[0].split(":")[0].split(" /")[0] for line in said] == [
        "the system's list of packages (apt-get update)", "installing from the system's packages",
        "making the environment", "the newest pip",
        "compiling and installing ShapeFlow, the first time half a minute on two idle cores",
        "$ shapeflow check examples/mnist_cnn.py"]
    assert all(line.endswith(" s") for line in said[:-1]), said
    log = machine.log.read_text()
    assert "python3 python3-dev python3-venv" in log
    assert f"shapeflow check examples/mnist_cnn.py in {machine.checkout}\n" in log


def test_a_script_of_another_folder_is_found_from_there(machine):
    (machine.elsewhere / "mine.py").touch()
    assert machine.demo("mine.py", "--", "--steps", "3").returncode == 0
    assert f"shapeflow check mine.py -- --steps 3 in {machine.elsewhere}\n" in machine.log.read_text()


@pytest.mark.parametrize("status, expected", [("0", 0), ("2", 2), ("3", 3)])
def test_the_status_of_the_check(machine, status, expected):
    assert machine.demo(STATUS=status).returncode == expected


def test_a_python_that_is_too_old_is_told_after_the_packages(machine):
    python = PYTHON.format(old=1, pip="exit 0\\n")
    machine.program("python3", python)
    (machine.log.parent / "python3").write_text(python)
    done = machine.demo()
    assert done.returncode == 1 and done.stderr.count("needs Python 3.9 or newer") == 1
    assert "install" in machine.log.read_text() and "check" not in done.stdout


def test_what_a_step_that_failed_said_is_shown(machine):
    (machine.log.parent / "python3").write_text(PYTHON.format(old=0, pip="echo no network; exit 7\\n"))
    done = machine.demo()
    assert done.returncode == 7 and "no network" in done.stderr and "failed (exit status 7)" in done.stderr
    assert "shapeflow check" not in done.stdout


def test_in_a_terminal_the_seconds_are_counted(machine):
    ours, theirs = pty.openpty()
    commands = f". '{ROOT}/tests/tools/packages.sh'; sf_step 'a long one' sleep 2.5"
    done = subprocess.Popen(["bash", "-euc", commands], stdout=theirs, stderr=theirs,
                            env=machine.variables(), close_fds=True)
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 1000)
        except OSError:  # Linux: nobody has the other end any more
            break
        if not part:
            break
        said += part
    os.close(ours)
    assert done.wait() == 0
    words = rb"a long one \.\.\."
    assert re.fullmatch(words + rb"(\r" + words + rb" \d+ s)+\r" + words + rb" \d+ s\r\n", said), said
