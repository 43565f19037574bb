"""setup.py where a user builds it: which flags a compiler gets, and how often a file."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytest.importorskip("setuptools", minversion="77")
pytest.importorskip("numpy")
pytestmark = [pytest.mark.source,
              pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="no checkout")]

# A compiler that writes down what it is asked for and makes an empty file of it.
COMPILER = """#!/bin/sh
echo "$*" >>"$LOG"
while [ $# -gt 0 ]; do [ "$1" != -o ] || : >"$2"; shift; done
echo done >>"$LOG"
"""


def build(folder, **changes):
    """What the compiler wrote down during `setup.py build_ext`, each line as its words."""
    compiler, log = folder / "cc", folder / "log"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    include = folder / "include"
    include.mkdir()
    (include / "uthash.h").write_text("")
    env = {k: v for k, v in os.environ.items() if not k.startswith("SHAPEFLOW_")}
    env.update(CC=str(compiler), LOG=str(log), UTHASH_INCLUDE=str(include), **changes)
    env.pop("CFLAGS", None)
    done = subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--build-lib", str(folder / "lib"),
                           "--build-temp", str(folder / "temp")], cwd=ROOT, env=env, capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [line.split() for line in log.read_text().splitlines()]


def compiled(folder, **changes):
    """The command lines that compile."""
    return [words for words in build(folder, **changes) if "-c" in words]


def test_no_warning_of_a_users_compiler_fails_the_build(tmp_path):
    lines = compiled(tmp_path)
    assert len(lines) > 100
    for words in lines:
        assert not {"-Werror", "-Wextra", "-Wconversion"} & set(words), words
        assert [word for word in words if word[:2] == "-O"][-1] == "-O2"
        assert [word for word in words if word[:2] == "-g"][-1] == "-g0"
    files = [word for words in lines for word in words if word.endswith(".c")]
    assert len(files) == len(set(files)) == len(lines)


def test_our_own_build_fails_for_a_warning(tmp_path):
    lines = compiled(tmp_path, SHAPEFLOW_WERROR="1")
    assert all("-Werror" in words and "-Wconversion" in words for words in lines)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
                    reason="one core")
def test_files_are_compiled_side_by_side(tmp_path):
    running, most = 0, 0
    for words in build(tmp_path):
        running += -1 if words == ["done"] else 1
        most = max(most, running)
    assert most > 1 and running == 0
