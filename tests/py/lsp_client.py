"""A language client over stdio, as small as the tests need: JSON-RPC, a queue of what the server says."""
import json
import queue
import subprocess
import sys
import threading
import time


class Client:
    """Starts `shapeflow lsp`, speaks to it, keeps the newest diagnostics of each URI."""

    def __init__(self, folder, options=None, encodings=None, refresh=False):
        self.folder = folder
        self.process = subprocess.Popen([sys.executable, "-m", "shapeflow", "lsp"], cwd=folder,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._id = 0
        self._answers = {}
        self.notifications = queue.Queue()
        self.requests = []
        self.seen = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._errors = threading.Thread(target=self._drain, daemon=True)
        self.stderr = []
        self._errors.start()
        general = {"positionEncodings": encodings} if encodings else {}
        workspace = {"inlayHint": {"refreshSupport": True}} if refresh else {}
        self.server = self.request("initialize", {
            "processId": None, "rootUri": folder.as_uri(), "initializationOptions": options,
            "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}],
            "capabilities": {"general": general, "workspace": workspace,
                             "textDocument": {"codeAction": {"codeActionLiteralSupport": {
                                 "codeActionKind": {"valueSet": ["quickfix"]}}}}}})
        self.notify("initialized", {})

    def _drain(self):
        for line in self.process.stderr:
            self.stderr.append(line.decode())

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    return
                if line.strip() == b"":
                    break
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            message = json.loads(stream.read(length))
            if "method" in message and "id" in message:
                self.requests.append(message["method"])
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            elif "method" in message:
                self.seen.append(message)
                self.notifications.put(message)
            else:
                self._answers.pop(message["id"]).put(message)

    def _send(self, message):
        data = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def request(self, method, params):
        self._id += 1
        box = self._answers[self._id] = queue.Queue()
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        answer = box.get(timeout=30)
        assert "error" not in answer, answer
        return answer["result"]

    def notify(self, method, params):
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    # --- documents --------------------------------------------------------------------------------
    def open(self, path, text=None):
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": path.as_uri(), "languageId": "python", "version": 1,
            "text": path.read_text() if text is None else text}})

    def change(self, path, text, version=2):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": path.as_uri(), "version": version}, "contentChanges": [{"text": text}]})

    def diagnostics(self, path, timeout=60):
        """What is published next for the file."""
        return self.published(path.as_uri(), timeout)

    def at(self, method, path, line, character):
        return self.request(method, {"textDocument": {"uri": path.as_uri()},
                                     "position": {"line": line, "character": character}})

    def open_notebook(self, path, uris, texts):
        """`texts` by kind: a cell that begins with "#" and a space is a text cell."""
        kinds = [1 if text.startswith("# ") else 2 for text in texts]
        cells = [{"kind": kind, "document": uri} for kind, uri in zip(kinds, uris)]
        self.notify("notebookDocument/didOpen", {
            "notebookDocument": {"uri": path.as_uri(), "notebookType": "jupyter-notebook", "version": 1,
                                 "cells": cells},
            "cellTextDocuments": [{"uri": uri, "languageId": "python" if kind == 2 else "markdown",
                                   "version": 1, "text": text}
                                  for kind, uri, text in zip(kinds, uris, texts)]})

    def published(self, uri, timeout=60):
        """What is published next for a URI."""
        end = time.monotonic() + timeout
        while True:
            message = self.notifications.get(timeout=max(0.1, end - time.monotonic()))
            if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return message["params"]["diagnostics"]

    def hints(self, path, first=0, last=1000):
        found = self.request("textDocument/inlayHint", {
            "textDocument": {"uri": path.as_uri()},
            "range": {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}})
        return {(h["position"]["line"], h["position"]["character"]): h["label"] for h in found or ()}

    def actions(self, path, diagnostic):
        return self.request("textDocument/codeAction", {
            "textDocument": {"uri": path.as_uri()}, "range": diagnostic["range"],
            "context": {"diagnostics": [diagnostic]}})

    def close(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=20)
