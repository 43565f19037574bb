"""`--device auto` and `doctor`, with a libcudart of ours: GPUs that are not there, and every failure."""
import shutil
import subprocess
from pathlib import Path

import pytest

from command import environment, lines, shapeflow
from shapeflow import _core

SOURCE = Path(__file__).resolve().parents[1] / "c" / "fake" / "cudart.c"
TWO_GPUS = """\
import tensorflow as tf
with tf.device('/gpu:1'):
    y = tf.nn.relu(tf.random_uniform([2, 3]))
with tf.Session() as session:
    session.run(y)
"""


def _has_headers():
    try:
        _core.cuda_gpus(["no-library.so"])
    except ValueError as error:
        return "without the headers" not in str(error)
    return True


needs_headers = pytest.mark.skipif(not _has_headers(), reason="built without the headers of the CUDA runtime")


@pytest.fixture(scope="session")
def fake(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    path = tmp_path_factory.mktemp("cuda") / "libcudart.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", path, SOURCE], check=True)
    return str(path)


def run(tmp_path, fake, told, *command):
    (tmp_path / "train.py").write_text(TWO_GPUS)
    return shapeflow(tmp_path, *command, env=environment(SHAPEFLOW_CUDART=fake, FAKE_CUDART=told))


def check(tmp_path, fake, told, *options):
    return run(tmp_path, fake, told, "check", "--no-cache", "--no-suggestions", "--format", "concise",
               "--tf-version", "1.15.0", "--device", "auto", *options, "train.py")


@needs_headers
def test_auto_is_the_gpus_that_are_here(tmp_path, fake):
    assert check(tmp_path, fake, "gpus=2").returncode == 0
    done = check(tmp_path, fake, "gpus=1")
    assert done.returncode == 1
    assert lines(done) == [("train.py", 2, "SF309")]


@needs_headers
@pytest.mark.parametrize("told, words", [
    ("driver=0", "--device: no NVIDIA driver is loaded"),
    ("gpus=0", "has no NVIDIA GPU that CUDA can use"),
    ("runtime=10020", "11 to 13 are understood"),
    ("driver=11040", "the NVIDIA driver is for CUDA 11.4, too old for"),
    ("cudaGetDeviceCount=3", "cudaGetDeviceCount failed: some error (error 3)"),
    ("crash=1", "the CUDA runtime ended its process without an answer"),
])
def test_what_keeps_auto_from_working_is_told(tmp_path, fake, told, words):
    done = check(tmp_path, fake, told)
    assert done.returncode == 2 and words in done.stderr, done.stderr


@needs_headers
def test_memory_counts_what_others_leave_of_a_gpu(tmp_path, fake):
    (tmp_path / "pyproject.toml").write_text("")
    done = run(tmp_path, fake, "gpus=1 a10=1", "memory", "--json", "--tf-version", "1.15.0", "--device",
               "auto", "train.py")
    import json

    device = json.loads(done.stdout)["devices"][0]
    assert device["title"] == "NVIDIA A10"
    assert device["memory"] == 24 << 30
    assert device["usable"] == (23 << 30) - (1536 << 20)  # one GiB is taken, and CUDA's own


@needs_headers
def test_doctor_tells_of_each_gpu(tmp_path, fake):
    shown = run(tmp_path, fake, "gpus=2", "doctor").stdout
    assert "GPU 1" in shown and "NVIDIA Fake 1, 24.0 GiB, 22.0 GiB free, 72 SMs, compute capability 8.6, " \
        "1.70 GHz, 384 bits, reads the memory of GPU 0" in shown
    assert "no NVIDIA driver is loaded" in run(tmp_path, fake, "driver=0", "doctor").stdout
    assert "cudaMemGetInfo failed: out of memory" in run(tmp_path, fake, "cudaMemGetInfo=2", "doctor").stdout


@needs_headers
def test_no_check_opens_the_runtime_unless_asked(tmp_path, fake):
    done = run(tmp_path, fake, "crash=1", "check", "--no-cache", "--tf-version", "1.15.0", "--device", "t4*2",
               "train.py")
    assert done.returncode == 0, done.stderr


@needs_headers
def test_a_configuration_may_say_auto(tmp_path, fake):
    (tmp_path / "pyproject.toml").write_text('[tool.shapeflow]\ndevice = "auto"\n')
    done = run(tmp_path, fake, "gpus=1", "check", "--no-cache", "--no-suggestions", "--tf-version", "1.15.0",
               "train.py")
    assert done.returncode == 1 and "SF309" in done.stdout
