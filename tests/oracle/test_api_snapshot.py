"""What the package says of TensorFlow's API is what the installed TensorFlow says."""
import subprocess
import sys
from pathlib import Path

import pytest

from shapeflow.api import snapshot

tf = pytest.importorskip("tensorflow")


@pytest.mark.skipif(not tf.__version__.startswith("%d.%d." % snapshot.NEWEST) or
                    sys.version_info[:2] != (3, 11),
                    reason="the snapshot is that of another TensorFlow, on Python 3.11")
def test_the_snapshot_is_that_of_tensorflow():
    tool = Path(__file__).parents[1] / "tools" / "api_snapshot.py"
    command = [sys.executable, str(tool), sys.executable, "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_the_messages_are_those_of_tensorflow():
    tool = Path(__file__).parents[1] / "tools" / "api_messages.py"
    command = [sys.executable, str(tool), sys.executable, "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
