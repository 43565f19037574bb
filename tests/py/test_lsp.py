"""`shapeflow lsp` as an editor sees it: a server in a process of its own, spoken to over stdio."""
import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("pygls.lsp.server")

from command import processes_with  # noqa: E402
from lsp_client import Client  # noqa: E402

WRONG = """import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 784], "x")
w = tf.Variable(tf.zeros([700, 10]))
é = "ä😀"; logits = tf.matmul(x, w)
loss = tf.reduce_mean(tf.nn.softmax(x))
"""
needs_toml = pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib is of Python 3.11")
COLUMNS = sys.version_info >= (3, 11)


@pytest.fixture
def start(tmp_path):
    clients = []

    def begin(**options):
        clients.append(Client(tmp_path, **options))
        return clients[-1]

    yield begin
    for client in clients:
        if client.process.poll() is None:
            client.process.kill()
        client.process.wait()


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(WRONG)
    return path


def test_a_session_from_open_to_exit(start, script):
    client = start(options={"delay": 0.05}, refresh=True)
    capabilities = client.server["capabilities"]
    assert capabilities["hoverProvider"] and capabilities["inlayHintProvider"]
    assert capabilities["codeActionProvider"]["codeActionKinds"] == ["quickfix"]
    client.open(script)
    (found,) = client.diagnostics(script)
    assert (found["code"], found["severity"], found["source"]) == ("SF101", 1, "shapeflow")
    assert found["codeDescription"]["href"].startswith("file:///")
    assert found["codeDescription"]["href"].endswith("/shapeflow/codes/SF101.txt")
    assert found["message"].splitlines()[0] == "MatMul: Dimensions must be equal, but are 784 and 700"
    assert "a: [batch, 784], axis 1 is 784" in found["message"]
    start_, end = found["range"]["start"], found["range"]["end"]
    # The line holds an emoji, which is two units of UTF-16 and four bytes of UTF-8.
    column = len("é = \"ä😀\"; logits = ") + 1
    assert (start_["line"], end["line"]) == (4, 4)
    assert (start_["character"], end["character"]) == \
        ((column, column + len("tf.matmul(x, w)")) if COLUMNS else (0, len(WRONG.splitlines()[4]) + 1))
    related = {(r["location"]["range"]["start"]["line"], r["message"]) for r in found["relatedInformation"]}
    assert {(line, words.split()[0], words.split()[-1]) for line, words in related} == {
        (2, "784", "here"), (3, "700", "here")}

    hover = client.at("textDocument/hover", script, 4, column + len("tf.matmul("))
    assert hover["contents"]["value"] == "```python\nx\n```\n\n`[batch, 784] float32`"
    assert client.at("textDocument/hover", script, 0, 3) is None
    hints = client.hints(script)
    assert hints[2, 1] == ": [batch, 784] float32" and hints[3, 1] == ": [700, 10] float32"
    assert client.hints(script, 3, 3) == {(3, 1): ": [700, 10] float32"}
    assert "workspace/inlayHint/refresh" in client.requests

    right = WRONG.replace("700", "784")
    client.change(script, right)
    assert client.diagnostics(script) == []
    assert client.hints(script)[4, column - 3] == ": [batch, 10] float32"
    assert client.close() == 0
    assert client.stderr == []


def test_places_move_with_edits_until_the_next_check(start, script):
    client = start(options={"onChange": False})
    client.open(script)
    assert client.diagnostics(script)
    lines = WRONG.splitlines()
    more = [lines[0], "# one more", "# and more", *lines[1:3], "w = 0", *lines[4:], ""]
    client.change(script, "\n".join(more))
    assert client.hints(script) == {(4, 1): ": [batch, 784] float32", (7, 4): ": [] float32",
                                    (6, 17): ": <unknown> float32"}
    assert client.at("textDocument/hover", script, 5, 0) is None  # edited: nothing is known of it
    hover = client.at("textDocument/hover", script, 7, 26)
    assert "tf.nn.softmax(x)" in hover["contents"]["value"]
    assert client.close() == 0


def test_other_encodings_of_positions(start, script):
    client = start(encodings=["utf-32"], options={"onChange": False})
    assert client.server["capabilities"]["positionEncoding"] == "utf-32"
    client.open(script)
    (found,) = client.diagnostics(script)
    if COLUMNS:
        assert found["range"]["start"]["character"] == len("é = \"ä😀\"; logits = ")


def test_only_programs_for_tensorflow_are_run(start, tmp_path):
    other = tmp_path / "other.py"
    other.write_text("open('trace', 'w').close()\n")
    uses = tmp_path / "uses.py"
    uses.write_text("from package.model import x\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    model = tmp_path / "package" / "model.py"
    model.write_text("import tensorflow as tf\nx = tf.zeros([2]) + tf.zeros([3])\n")
    client = start()
    client.open(other)
    client.open(uses)
    (found,) = client.diagnostics(model)  # not open, but it is where the error is
    assert found["code"].startswith("SF") and found["range"]["start"]["line"] == 1
    assert found["relatedInformation"][-1]["location"]["uri"] == uses.as_uri()
    assert not (tmp_path / "trace").exists()
    client.change(uses, "x = 1\n")
    client.change(uses, "from package.model import x  # again\n", 3)
    client.diagnostics(uses)
    assert client.close() == 0


def test_unsaved_text_of_an_imported_module_counts(start, script, tmp_path):
    script.write_text("import tensorflow as tf\nimport sizes\n"
                      "x = tf.zeros([4, sizes.WIDTH]) + tf.zeros([5])\n")
    sizes = tmp_path / "sizes.py"
    sizes.write_text("WIDTH = 5\n")
    client = start()
    client.open(script)
    assert client.diagnostics(script) == []
    client.open(sizes, "WIDTH = 6\n")
    client.notify("textDocument/didSave", {"textDocument": {"uri": script.as_uri()}})
    (found,) = client.diagnostics(script)
    assert found["range"]["start"]["line"] == 2


def test_while_a_line_is_typed_the_last_check_stands(start, script):
    client = start(options={"delay": 0.0})
    client.open(script)
    (found,) = client.diagnostics(script)
    client.change(script, WRONG + "y = tf.zeros([3,\n")
    hints = client.hints(script)
    assert hints[2, 1] == ": [batch, 784] float32"
    client.change(script, WRONG + "y = tf.zeros([3, 4])\n", 3)
    assert client.diagnostics(script)[0]["range"] == found["range"]  # the next that is published
    assert client.hints(script)[6, 1] == ": [3, 4] float32"


def test_files_outside_of_the_editor_and_closed_ones(start, script, tmp_path):
    script.write_text("import tensorflow as tf\nimport sizes\nx = tf.zeros([4, sizes.N]) + tf.zeros([5])\n")
    sizes = tmp_path / "sizes.py"
    sizes.write_text("N = 5\n")
    client = start()
    assert "client/registerCapability" not in client.requests  # it did not say that it can
    client.open(script)
    assert client.diagnostics(script) == []
    sizes.write_text("N = 6\n")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": sizes.as_uri(), "type": 2}]})
    assert client.diagnostics(script)
    client.notify("textDocument/didClose", {"textDocument": {"uri": script.as_uri()}})
    assert client.diagnostics(script) == []
    assert client.hints(script) == {}
    assert client.close() == 0


def test_a_newer_text_gives_up_the_check_of_the_older(start, script):
    client = start(options={"delay": 0.0, "timeLimit": 120})
    script.write_text("import time\nimport tensorflow as tf\ntime.sleep(600)\n")
    client.open(script)
    time.sleep(1.0)
    client.change(script, WRONG)
    began = time.monotonic()
    assert client.diagnostics(script)[0]["code"] == "SF101"
    assert time.monotonic() - began < 60
    assert client.close() == 0


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are seen by /proc")
def test_no_check_outlives_a_server_whose_client_is_gone(start, script):
    script.write_text("import time\nimport tensorflow as tf\ntime.sleep(600)\n")
    client = start(options={"timeLimit": 0})
    client.open(script)
    end = time.monotonic() + 30
    while processes_with(script) < 2:  # the parent and the script's process
        assert time.monotonic() < end
        time.sleep(0.05)
    client.process.stdin.close()
    assert client.process.wait(timeout=20) is not None
    time.sleep(0.2)
    assert processes_with(script) == 0


def test_a_program_that_fails_of_its_own_is_said(start, script):
    script.write_text("import tensorflow as tf\nx = tf.zeros([2])\n{}['not there']\n")
    client = start()
    client.open(script)
    (found,) = client.diagnostics(script)
    assert (found["severity"], found["range"]["start"]["line"]) == (3, 2)
    assert "KeyError" in found["message"]
    assert client.hints(script) == {(1, 1): ": [2] float32"}


@needs_toml
def test_configured_entries_are_run_with_their_arguments(start, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        '[tool.shapeflow]\nignore = ["SF502"]\n[[tool.shapeflow.scripts]]\npath = "jobs/train.py"\n'
        'args = ["--width", "5"]\ntf-version = "1.8.0"\n')
    (tmp_path / "jobs").mkdir()
    train = tmp_path / "jobs" / "train.py"
    train.write_text("import sys, model\nassert sys.argv[1] == '--width'\nmodel.build(int(sys.argv[2]))\n")
    model = tmp_path / "jobs" / "model.py"
    text = ("import os\nimport tensorflow as tf\nassert tf.__version__ == '1.8.0'\n"
            "assert os.path.exists('pyproject.toml')\n\n"
            "def build(width):\n    x = tf.zeros([8, width])\n    tf.argmax(tf.zeros([3, 1]), 1)\n"
            "    return tf.matmul(x, tf.zeros([4, 2]))\n")
    model.write_text(text)
    client = start()
    client.open(model)
    (found,) = client.diagnostics(model)
    assert (found["code"], found["range"]["start"]["line"]) == ("SF101", 8)
    assert client.hints(model)[6, 5] == ": [8, 5] float32"
    client.change(model, text.replace("4, 2]))", "4, 2]))  # shapeflow: ignore[SF101]"))
    assert client.diagnostics(model) == []
    assert client.close() == 0


@needs_toml
def test_a_wrong_configuration_is_said_once(start, script, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.shapeflow]\nmoed = 'graph'\n")
    client = start()
    client.open(script)
    assert client.diagnostics(script)[0]["code"] == "SF101"
    client.notify("textDocument/didSave", {"textDocument": {"uri": script.as_uri()}})
    assert client.diagnostics(script)
    (said,) = [m["params"]["message"] for m in client.seen if m["method"] == "window/showMessage"]
    assert "did you mean 'mode'" in said


def test_a_tried_fix_is_offered_and_heals(start, script):
    client = start(options={"delay": 0.0})
    client.open(script)
    (found,) = client.diagnostics(script)
    actions = []
    end = time.monotonic() + 60
    while not actions and time.monotonic() < end:
        actions = client.actions(script, found)
        time.sleep(0.2)
    action = actions[0]
    assert action["kind"] == "quickfix" and action["isPreferred"] and "tried" in action["title"]
    assert action["diagnostics"][0]["code"] == "SF101"
    lines = WRONG.split("\n")
    for edit in action["edit"]["changes"][script.as_uri()]:
        first, last = edit["range"]["start"], edit["range"]["end"]
        assert first["line"] == last["line"]
        line = lines[first["line"]].encode("utf-16-le")
        head, tail = line[:2 * first["character"]], line[2 * last["character"]:]
        lines[first["line"]] = head.decode("utf-16-le") + edit["newText"] + tail.decode("utf-16-le")
    client.change(script, "\n".join(lines))
    assert client.diagnostics(script) == []
    assert client.actions(script, found) == []
    assert client.close() == 0


def test_notebooks_are_checked_by_their_cells(start, tmp_path):
    (tmp_path / "sizes.py").write_text("N = 700\n")
    path = tmp_path / "digits.ipynb"  # not on the disk: the editor's text counts
    cells = [f"vscode-notebook-cell:{path}#W{i}s" for i in range(4)]
    client = start(options={"delay": 0.0})
    client.open_notebook(path, cells, [
        "%matplotlib inline\nimport tensorflow as tf\nimport sizes",
        "# A picture has 784 pixels",
        "!ls\nx = tf.placeholder(tf.float32, [None, 784])\nw = tf.zeros([sizes.N, 10])",
        "y = tf.matmul(x, w)\n"])
    (found,) = client.published(cells[3])
    assert (found["code"], found["range"]["start"]["line"]) == ("SF101", 0)
    assert {r["location"]["uri"] for r in found["relatedInformation"]} == {cells[2]}
    hints = client.request("textDocument/inlayHint", {"textDocument": {"uri": cells[2]}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}})
    assert [hint["label"] for hint in hints] == [": [batch, 784] float32", ": [700, 10] float32"]
    hover = client.request("textDocument/hover", {"textDocument": {"uri": cells[3]},
                                                  "position": {"line": 0, "character": 15}})
    assert "[batch, 784] float32" in hover["contents"]["value"]
    client.notify("notebookDocument/didChange", {
        "notebookDocument": {"uri": path.as_uri(), "version": 2},
        "change": {"cells": {"textContent": [{"document": {"uri": cells[3], "version": 2}, "changes": [
            {"text": "y = tf.matmul(x, tf.zeros([784, 10]))\n"}]}]}}})
    assert client.published(cells[3]) == []
    assert client.close() == 0


def test_names_of_files_with_spaces_and_signs(start, tmp_path):
    folder = tmp_path / "a b%20ü#1"
    folder.mkdir()
    path = folder / "tr ain.py"
    path.write_text(WRONG)
    client = start()
    client.open(path)
    (found,) = client.diagnostics(path)
    assert found["relatedInformation"][0]["location"]["uri"] == path.as_uri()
    assert client.hints(path)[2, 1] == ": [batch, 784] float32"


def test_another_client_understands_every_answer(script):
    """pygls' own, which reads each message into the protocol's types."""
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

    where = types.TextDocumentIdentifier(script.as_uri())

    async def session():
        client = LanguageClient("test", "1")
        published = asyncio.get_running_loop().create_future()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def keep(params: types.PublishDiagnosticsParams) -> None:
            if not published.done():
                published.set_result(params)

        await client.start_io(sys.executable, "-m", "shapeflow", "lsp")
        made = await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
        client.initialized(types.InitializedParams())
        client.text_document_did_open(types.DidOpenTextDocumentParams(
            types.TextDocumentItem(script.as_uri(), types.LanguageKind.Python, 1, WRONG)))
        params = await asyncio.wait_for(published, 60)
        hover = await client.text_document_hover_async(
            types.HoverParams(where, types.Position(2, 0)))
        whole = types.Range(types.Position(0, 0), types.Position(99, 0))
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(where, whole))
        actions = []
        for _ in range(300):
            if actions:
                break
            await asyncio.sleep(0.2)
            actions = await client.text_document_code_action_async(types.CodeActionParams(
                where, params.diagnostics[0].range, types.CodeActionContext(params.diagnostics)))
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()
        return made, params, hover, hints, actions

    made, params, hover, hints, actions = asyncio.run(session())
    assert made.server_info.name == "shapeflow"
    assert [d.code for d in params.diagnostics] == ["SF101"] and params.uri == script.as_uri()
    assert "[batch, 784] float32" in hover.contents.value
    assert ": [700, 10] float32" in [hint.label for hint in hints]
    assert actions[0].edit.changes[script.as_uri()]


def test_without_pygls_it_says_what_to_install(tmp_path):
    code = "import sys; sys.modules['pygls'] = None; from shapeflow.cli import main; sys.exit(main(['lsp']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'pygls>=2.1'" in done.stderr and "Traceback" not in done.stderr
