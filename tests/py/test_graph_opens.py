"""`shapeflow graph SCRIPT` in a terminal: the page is opened in the browser, or it is said where it is."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command import RIGHT, WRONG, command, environment, shapeflow, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a terminal is a pty")
_ALL = ("CI", "GITHUB_ACTIONS", "BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION")


def in_a_terminal(folder, *arguments, **variables):
    """(exit status, what the terminal shows)."""
    plain = {name: value for name, value in environment().items() if name not in _ALL}
    ours, theirs = os.openpty()
    with subprocess.Popen(command(*arguments), cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
                          env={**plain, "TMPDIR": str(folder), **variables}) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                read = os.read(ours, 4096)
            except OSError:
                read = b""
            if not read:
                break
            shown += read
        os.close(ours)
        return process.wait(timeout=60), shown.decode()


def browser(folder):
    """One that writes down what it is to show."""
    program = folder / "browser"
    program.write_text(f"#!/bin/sh\necho \"$1\" > {folder}/opened\n")
    program.chmod(0o755)
    return f"{program} %s"


def test_the_page_is_opened_in_the_browser(tmp_path):
    write(tmp_path, model=WRONG)
    status, shown = in_a_terminal(tmp_path, "graph", "--no-suggestions", "model.py",
                                  BROWSER=browser(tmp_path))
    url = (tmp_path / "opened").read_text().strip()
    page = Path(url.partition("file://")[2])
    assert status == 1 and page.name == "model.py.html" and f"opened {page} in the browser" in shown
    assert "<!doctype html>" in page.read_text()[:200].lower() and '"findings"' in page.read_text()


@pytest.mark.parametrize("variables", [{}, {"CI": "true", "DISPLAY": ":0"},
                                       {"SSH_CONNECTION": "1.2.3.4 5 6.7.8.9 22"}])
def test_it_says_where_the_page_is(tmp_path, variables):
    write(tmp_path, model=RIGHT)
    if "CI" in variables:
        variables = {**variables, "BROWSER": browser(tmp_path)}
    status, shown = in_a_terminal(tmp_path, "graph", "model.py", **variables)
    found = re.search(r"the page is (\S+\.html)", shown)
    assert status == 0 and found and Path(found[1]).read_text().lower().startswith("<!doctype html>")
    assert not (tmp_path / "opened").exists()


def test_a_pipe_and_a_file_get_no_browser(tmp_path):
    write(tmp_path, model=RIGHT)
    with_one = environment(BROWSER=browser(tmp_path))
    assert json.loads(shapeflow(tmp_path, "graph", "model.py", env=with_one).stdout)["nodes"]
    status, shown = in_a_terminal(tmp_path, "graph", "model.py", "-o", "g.svg", BROWSER=browser(tmp_path))
    assert status == 0 and "page" not in shown and (tmp_path / "g.svg").exists()
    status, shown = in_a_terminal(tmp_path, "graph", "model.py", "--format", "dot", BROWSER=browser(tmp_path))
    assert status == 0 and "digraph" in shown
    assert not (tmp_path / "opened").exists()
