"""What a newcomer types in the first minutes: exit statuses, words beside the findings, totals."""
import json
import platform
import re
import subprocess
import sys
import urllib.parse

import pytest

from command import RIGHT, WRONG, command, environment, shapeflow, write
from sandbox_process import every_layer, namespaces
from terminal import on_a_terminal

MISSING = "import sys\nprint('last words', file=sys.stderr)\nimport no_such_module\n"
# By default it would be unknown, with a note, and the check would go on.
STRICT = "--missing-imports=error"


def piped(folder, *arguments, also_stderr=True):
    """The exit status of the command whose reader takes the first line and goes, and that line."""
    child = subprocess.Popen(command(*arguments), cwd=folder, stdout=subprocess.PIPE, env=environment(),
                             stderr=subprocess.STDOUT if also_stderr else subprocess.DEVNULL, bufsize=0)
    child.stdout.close()
    return child.wait(60)


# --- exit statuses --------------------------------------------------------------------------------
@pytest.mark.parametrize("also_stderr", [True, False])
@pytest.mark.parametrize("options", [(), ("--format", "json"), ("--no-sandbox",), ("wrong.py", "right.py")])
def test_the_status_is_the_same_when_the_reader_goes_away(tmp_path, options, also_stderr):
    write(tmp_path, wrong=WRONG, right=RIGHT)
    assert piped(tmp_path, "check", "wrong.py", *options, also_stderr=also_stderr) == 1
    assert piped(tmp_path, "check", "right.py", "--no-cache", also_stderr=also_stderr) == 0


def test_the_status_of_a_graph_is_the_same_when_the_reader_goes_away(tmp_path):
    write(tmp_path, wrong=WRONG)
    assert piped(tmp_path, "graph", "--no-suggestions", "wrong.py") == 1
    assert piped(tmp_path, "summary", "wrong.py") == 1
    assert piped(tmp_path, "ops") == 0


# --- why the status is 3 ----------------------------------------------------------------------------
@pytest.mark.parametrize("format", ["full", "concise", "json", "github"])
def test_quiet_says_why_the_status_is_3(tmp_path, format):
    write(tmp_path, a=MISSING, right=RIGHT)
    done = shapeflow(tmp_path, "check", STRICT, "-q", "--format", format, "a.py", "right.py")
    assert done.returncode == 3
    said, = [line for line in done.stderr.splitlines() if line.startswith("shapeflow:")]
    assert "No module named 'no_such_module'" in said and f"installed for {sys.executable}" in said
    assert "additional_dependencies" not in said
    done = shapeflow(tmp_path, "check", STRICT, "-q", "a.py", env=environment(PRE_COMMIT="1"))
    assert "under additional_dependencies of the hook" in done.stderr


def test_a_module_that_a_package_lacks_is_no_question_of_installing(tmp_path):
    write(tmp_path, a="import email.no_such\n")
    done = shapeflow(tmp_path, "check", "a.py")
    assert done.returncode == 3 and "'email.no_such'" in done.stderr and "installed" not in done.stderr


def test_what_was_not_run_to_its_end_has_no_count_of_nothing(tmp_path):
    write(tmp_path, a=MISSING, b=WRONG + "raise RuntimeError('mine')\n")
    said = shapeflow(tmp_path, "check", STRICT, "a.py").stderr
    assert "0 errors" not in said and re.search(r"a.py: nothing found before that, in \d", said)
    done = shapeflow(tmp_path, "check", "--no-suggestions", "b.py")
    assert done.returncode == 1
    assert re.search(r"b.py: 1 error, 0 warnings before that, in \d", done.stderr)


# --- totals -----------------------------------------------------------------------------------------
def test_scripts_that_are_clean_are_counted_and_not_listed(tmp_path):
    noted = "open('x.txt', 'w').close()\n" + RIGHT
    write(tmp_path, a=RIGHT, b=noted, c=WRONG, d="import no_such_module\n")
    options = ("check", STRICT, "--format", "concise", "--no-cache", "a.py", "b.py")
    done = shapeflow(tmp_path, *options)
    assert done.stdout == "" and re.fullmatch(r"shapeflow: 2 checked, 0 with findings, notes of 1 not shown "
                                              r"\(--verbose\) in [\d.]+ s\n", done.stderr)
    done = shapeflow(tmp_path, *options, "--verbose")
    listed = [line.split(": ")[1].split(" in ")[0] for line in done.stderr.splitlines()]
    assert listed == ["a.py", "a.py", "b.py", "note[SF903]", "b.py", "2 checked, 0 with findings"]
    done = shapeflow(tmp_path, *options, "c.py", "d.py")
    listed = [line.split(": ")[1].split(",")[0] for line in done.stderr.splitlines()]
    assert listed == ["c.py", "d.py could not be run to its end", "d.py", "4 checked"]
    assert "4 checked, 1 with findings (1 error, 0 warnings), 1 could not be run to the end" in done.stderr
    assert shapeflow(tmp_path, *options, "-q").stderr == ""


def test_the_findings_go_to_a_file(tmp_path):
    write(tmp_path, a=WRONG)
    done = shapeflow(tmp_path, "check", "--format", "concise", "--output-file", "found.txt", "a.py")
    assert (done.returncode, done.stdout) == (1, "")
    assert (tmp_path / "found.txt").read_text().startswith("a.py:3:")


# --- doctor -----------------------------------------------------------------------------------------
def test_doctor_lists_each_thing_under_its_heading(tmp_path):
    text = shapeflow(tmp_path, "doctor", env=environment(SHAPEFLOW_NO_SUGGESTIONS="1")).stdout
    under, heading = {}, ""
    for line in text.splitlines():
        if line.startswith("  "):
            under.setdefault(heading, []).append(line.split())
        else:
            heading = line.split()[0]
    assert under["sandbox"][0][0] == "layer"
    assert {words[0] for words in under["extras"]} >= {"rich", "pygls", "h5py"}
    assert ["SHAPEFLOW_NO_SUGGESTIONS", "1"] in under["environment"]


# --- what the sandbox kept from happening -----------------------------------------------------------
def noted(folder, layer, text):
    write(folder, a=text)
    done = shapeflow(folder, "check", "--no-cache", "a.py", env=environment(SHAPEFLOW_SANDBOX=layer))
    return [line for line in done.stderr.splitlines() if "note[SF903]" in line]


@every_layer
@pytest.mark.parametrize("call", [
    "urllib.request.urlopen('http://example.com/x')", "socket.gethostbyname('example.com')",
    "http.client.HTTPConnection('example.com').connect()"])
def test_a_network_that_was_not_reached_is_told_of_with_its_option(tmp_path, layer, call):
    said, = noted(tmp_path, layer, "import http.client, socket, urllib.request\ntry:\n    " + call +
                  "\nexcept OSError:\n    pass\n")
    assert "1 address not reached: blocked in a check: " in said and "example.com" in said
    assert "(a.py:3)" in said and said.endswith("--allow-net permits it")


@namespaces
def test_a_server_of_the_scripts_own_is_no_network(tmp_path, layer):
    assert noted(tmp_path, layer, """import socket
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname())
socket.gethostbyname("localhost")
""") == []


@every_layer
def test_a_folder_that_was_made_is_told_of_with_its_option(tmp_path, layer):
    said, = noted(tmp_path, layer, "import os\nos.makedirs('runs/1')\n")
    assert "1 folder made in a scratch copy that is gone now: runs (a.py:2); --allow-write FOLDER" in said
    assert not (tmp_path / "runs").exists()


@namespaces
def test_what_another_program_removed_is_told_of(tmp_path, layer):
    (tmp_path / "runs" / "1").mkdir(parents=True)
    (tmp_path / "runs" / "1" / "log").write_text("x")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "odd\nexit 0").write_text("x")
    (tmp_path / "kept" / "file").write_text("x")
    said, = noted(tmp_path, layer, "import os\nos.system('rm -rf runs; rm kept/*')\n")
    assert "removed or renamed in a scratch copy that is gone now: " in said and "--allow-write" in said
    assert set(re.split(", |; |: ", said)) >= {"runs", "kept/file"}
    assert (tmp_path / "runs" / "1" / "log").exists() and (tmp_path / "kept" / "file").exists()
    said, = noted(tmp_path, layer, "import os, shutil\nshutil.rmtree('runs')\n")
    assert "(a.py:2)" in said  # once, with its line
    assert noted(tmp_path, layer, "import subprocess\nsubprocess.call(['true'])\n") == []


# --- documentation ----------------------------------------------------------------------------------
def explained(link):
    """The page that a link leads to, which is a file of this machine."""
    found = urllib.parse.urlsplit(link)
    assert found.scheme == "file" and found.netloc in ("", platform.node())
    with open(urllib.parse.unquote(found.path), encoding="utf-8") as stream:
        return stream.read()


def test_codes_lead_to_what_explains_them(tmp_path):
    write(tmp_path, a=WRONG)
    for format in ("full", "concise"):
        options = ("check", "--format", format, "--no-suggestions", "a.py")
        shown = on_a_terminal(tmp_path, *options)
        link, text = re.search(r"\x1b]8;;(\S*?)\x1b\\(.*?)\x1b]8;;\x1b\\", shown).groups()
        assert "error[SF101]" in text and explained(link).startswith("Two dimensions")
        for env in (environment(TERM="dumb"), environment(TERM="linux"), environment(NO_COLOR="1")):
            assert "\x1b]8" not in on_a_terminal(tmp_path, *options, env=env)
        assert "\x1b]8" not in shapeflow(tmp_path, *options, env=environment(FORCE_COLOR="1")).stdout
    found = json.loads(shapeflow(tmp_path, "check", "--format", "sarif", "--no-suggestions", "a.py").stdout)
    rules = found["runs"][0]["tool"]["driver"]["rules"]
    assert all(explained(rule["helpUri"]) for rule in rules)


# --- what a script says -----------------------------------------------------------------------------
@pytest.mark.parametrize("options", [(), ("-q",)])
def test_what_a_script_asks_at_a_terminal_is_shown(tmp_path, options):
    write(tmp_path, a="import time\nprint('not shown')\ntime.sleep(1.5)\nname = input('how wide? ')\n"
                      "assert name == '12', name\nassert input() == 'x'\n")
    shown = on_a_terminal(tmp_path, "check", *options, "a.py", answer=("how wide? ", "12\nx\n"))
    assert shown.count("how wide? ") == 1 and "not shown" not in shown and "not checked" not in shown
    assert "could not be run" not in shown


def test_the_last_words_of_a_script_that_failed(tmp_path):
    write(tmp_path, a="import sys, subprocess\nfor i in range(99999):\n"
                      "    print('line', i, file=sys.stderr)\n"
                      "print('not shown')\nsubprocess.call('echo a child says >&2', shell=True)\n"
                      "print('\\x1b[2J', file=sys.stderr)\nsys.exit(4)\n", b=MISSING, c=RIGHT)
    done = shapeflow(tmp_path, "check", "--every-batch", "a.py")
    assert done.returncode == 3 and done.stdout == ""
    before, _, said = done.stderr.partition("(--show-output shows all that it prints):\n")
    assert "a.py could not be run to its end: the script exited with status 4" in before
    lines = said.splitlines()
    assert lines[:-3] == [f"    line {i}" for i in range(99991, 99999)] and lines[-3] == "    a child says"
    assert "\x1b" not in said and "not shown" not in done.stderr and "nothing found" in lines[-1]
    for _ in range(2):  # from the cache, too
        assert "    last words\n" in shapeflow(tmp_path, "check", STRICT, "b.py", "c.py").stderr
    assert "last words" not in shapeflow(tmp_path, "check", STRICT, "-q", "b.py").stderr
    assert "line 5\n" in shapeflow(tmp_path, "check", "--every-batch", "--show-output", "a.py").stderr
