"""What compares us with a real GPU: without one each says that it is skipped, and its other parts work."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def comparison(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import memory_gpu

    return memory_gpu


def facts(tmp_path, listed):
    """gpu_facts.sh where nvidia-smi lists so much; None: there is none."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "dirname", "grep"):
        (tools / name).symlink_to(next(p for folder in ("/bin", "/usr/bin")
                                       if (p := Path(folder, name)).exists()))
    if listed is not None:
        (tools / "nvidia-smi").write_text(f"#!/bin/bash\n{listed}\n")
        (tools / "nvidia-smi").chmod(0o755)
    return subprocess.run(["bash", str(ROOT / "tests/tools/gpu_facts.sh")], capture_output=True, text=True,
                          env={"PATH": str(tools)}, timeout=60)


@pytest.mark.skipif(os.name != "posix", reason="a script of a shell")
@pytest.mark.parametrize("listed", [None, "echo 'No devices were found'", "echo failed >&2; exit 9"])
def test_facts_are_skipped_aloud_without_a_gpu(tmp_path, listed):
    done = facts(tmp_path, listed)
    assert done.returncode == 0 and done.stdout.startswith("SKIPPED ALOUD: no NVIDIA GPU"), done.stderr


@pytest.mark.skipif(os.name != "posix", reason="a script of a shell")
def test_facts_are_not_skipped_with_one(tmp_path):
    assert "SKIPPED" not in facts(tmp_path, "echo 'GPU 0: NVIDIA T4 (UUID: GPU-1)'").stdout


def test_the_comparison_is_skipped_aloud_without_a_gpu(comparison, capsys):
    def told(measured):
        raise AssertionError("there is nothing to compare with")

    comparison.show(told, {})
    assert capsys.readouterr().out == "SKIPPED ALOUD: TensorFlow sees no GPU:0: nothing is compared with it\n"


def test_the_comparison_tells_how_much_ours_differ(comparison, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(comparison, "BATCHES", (32,))
    # 12 weights, the data, and of a layer what it reads, its product and the tanh of that.
    counted = 4 * (12 * 512 * 512 + 256 * 512 + 3 * 256 * 512)
    comparison.show(comparison.ours(str(tmp_path)), {"deep MLP|forward|32": counted})
    assert f"| deep MLP | forward | 32 | {counted:,} | {counted:,} | +0.0% |" in capsys.readouterr().out


def test_it_says_what_it_lacks():
    done = subprocess.run([sys.executable, str(ROOT / "benchmarks/memory_gpu.py")], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 1 and "SKIPPED ALOUD: --tensorflow names no Python" in done.stderr
