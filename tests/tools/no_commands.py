"""A plugin of pytest for runs under the sanitizers and for quick ones: tests that start `shapeflow` in a
process of its own are skipped, as it takes a second to start there and runs in C what the other tests run in
this process. What is marked `sanitized` is run all the same.

Under a sanitizer, tests marked `source` are left out."""
import os
import subprocess

import pytest

_start = subprocess.Popen.__init__
_is_allowed = False


def _starts_us(arguments):
    if not isinstance(arguments, (list, tuple)):
        return False
    words = [str(word) for word in arguments]
    return any(words[at:at + 2] == ["-m", "shapeflow"] for at in range(len(words)))


def _init(self, args, *rest, **options):
    if not _is_allowed and _starts_us(args):
        self.returncode = 0  # nothing is waited for
        self._child_created = False
        pytest.skip("starts the command: left out here")
    _start(self, args, *rest, **options)


def pytest_configure():
    subprocess.Popen.__init__ = _init


def pytest_collection_modifyitems(config, items):
    if "SHAPEFLOW_UNDER_ASAN" not in os.environ:
        return
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("source")])
    items[:] = [item for item in items if not item.get_closest_marker("source")]


def pytest_runtest_setup(item):
    global _is_allowed
    _is_allowed = item.get_closest_marker("sanitized") is not None
