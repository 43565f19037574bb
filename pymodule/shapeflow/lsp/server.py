"""The language server: pygls' events turned into checks and their answers.

Options of the client (initializationOptions): `onChange` (true: check unsaved text while typing),
`delay` (seconds after the last key, 0.4), `timeLimit` (seconds a script, 30; an entry of the
configuration may have its own), `fixes` (true: look for quick fixes), `inlayHints` (true)."""
from __future__ import annotations

import os

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import shapeflow.checker.configuration as configuration
import shapeflow.notebook.ipynb as ipynb
from shapeflow._version import __version__
from shapeflow.checker.findings import Report
from shapeflow.lsp import answers, places
from shapeflow.lsp.checks import Checked, Checks, kill_all
from shapeflow.lsp.documents import Documents, file_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, List, Optional, Set, Tuple

_DEFAULTS = {"onChange": True, "delay": 0.4, "timeLimit": 30.0, "fixes": True, "inlayHints": True}


class Server(LanguageServer):
    """What is known of the client's files, and the last report of each entry."""

    def __init__(self) -> None:
        notebooks = types.NotebookDocumentFilterWithNotebook(
            types.NotebookDocumentFilterNotebookType("jupyter-notebook"))
        super().__init__("shapeflow", __version__,
                         notebook_document_sync=types.NotebookDocumentSyncOptions([notebooks], save=True))
        self.options: Dict[str, Any] = dict(_DEFAULTS)
        self.imports = places.Imports(self.text_of)
        self.checks = Checks(self.texts_of, self.publish)
        self.results: Dict[Tuple[Any, ...], Checked] = {}
        self.said: Set[str] = set()
        self.shown: Dict[Tuple[object, ...], Dict[str, List[types.Diagnostic]]] = {}

    # --- files --------------------------------------------------------------------------------------
    @property
    def documents(self) -> Documents:
        return Documents(self.workspace)

    def text_of(self, path: str) -> Optional[str]:
        return self.documents.text_of(path)

    def texts_of(self, entry: places.Entry) -> Dict[str, str]:
        """The files of an entry that are open."""
        files = self.imports.closure(entry.script)
        found = {path: self.text_of(path) for path in self.documents.open() if path in files}
        return {path: text for path, text in found.items() if text is not None}

    def entries_of(self, path: str) -> List[places.Entry]:
        roots = [file_of(folder) for folder in self.workspace.folders]
        return places.entries_for(path, self.imports, [root for root in roots if root],
                                  self.settings_of(path))

    def settings_of(self, path: str) -> configuration.Settings:
        """The configuration above a file; a wrong one is said once, and the defaults hold."""
        folder = os.path.dirname(path)
        try:
            return configuration.load(start=folder)
        except configuration.ConfigError as error:
            if str(error) not in self.said:
                self.said.add(str(error))
                self.window_show_message(types.ShowMessageParams(types.MessageType.Error,
                                                                 f"shapeflow: {error}"))
            return configuration.Settings(folder)

    # --- checks -------------------------------------------------------------------------------------
    def check(self, uri: str, delay: float = 0.0) -> None:
        path = file_of(uri)
        for entry in self.entries_of(path) if path else ():
            self.checks.schedule(entry, delay)

    def forget(self) -> None:
        """Entries of which no file is open any more: nothing is shown of them."""
        opened = self.documents.open()
        for key, checked in list(self.results.items()):
            if not any(path in opened for path in self.imports.closure(checked.entry.script)):
                self.checks.drop(key)
                del self.results[key]
                self._publish(self.shown.pop(key, {}))

    def page_of(self, checked: Checked, path: str) -> Optional[answers.Page]:
        now = self.text_of(path)
        if now is None:
            return None
        encoding = self.workspace.position_encoding  # the enum's member, or its value
        return answers.Page(path, checked.texts.get(path, now), now,
                            getattr(encoding, "value", encoding) or "utf-16")

    def pages(self, checked: Checked) -> answers.Pages:
        return answers.Pages(lambda path: self.page_of(checked, path), self.documents.uri_of)

    def publish(self, checked: Checked) -> None:
        """Shows a report: its diagnostics, and none where its predecessor had some."""
        key = checked.entry.key
        known = self.results.get(key)
        self.results[key] = checked
        if known is not None and known is checked:
            return  # its fixes were found; diagnostics stay
        before = self.shown.get(key, {})
        now = self.shown[key] = answers.diagnostics(checked, self.pages(checked))
        own = [path for path in checked.texts if ipynb.split(path)[1]] or [checked.entry.script]
        self._publish({*before, *now, *own})
        self._tell(checked.entry, checked.report)
        workspace = self.client_capabilities.workspace
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def _publish(self, paths: Iterable[str]) -> None:
        """The diagnostics of all reports for these files, each once."""
        for path in paths:
            merged = [item for shown in self.shown.values() for item in shown.get(path, ())]
            unique = {(str(d.range), d.code, d.message): d for d in merged}
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(self.documents.uri_of(path), list(unique.values())))

    def _tell(self, entry: places.Entry, report: Report) -> None:
        words = f"{os.path.basename(entry.script)}: {len(report.of('error'))} errors, " \
                f"{len(report.of('warning'))} warnings"
        for more in (report.failure, None if report.ended == "normally" else report.ended):
            words += f"; {more}" if more else ""
        self.window_log_message(types.LogMessageParams(types.MessageType.Log, words))

    def results_for(self, uri: str) -> List[Tuple[Checked, answers.Page]]:
        """The reports that may say something of a document, with its page."""
        path = self.documents.path_of(uri)
        found = []
        for checked in self.results.values() if path else ():
            page = self.page_of(checked, path or "")
            if page is not None:
                found.append((checked, page))
        return found


server = Server()


@server.feature(types.INITIALIZE)
def initialize(ls: Server, params: types.InitializeParams) -> None:
    given = params.initialization_options
    for name in _DEFAULTS:
        value = given.get(name) if isinstance(given, dict) else getattr(given, name, None)
        if value is not None:
            ls.options[name] = value
    ls.checks.time_limit = float(ls.options["timeLimit"])
    ls.checks.fixes = bool(ls.options["fixes"])


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
async def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    ls.check(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
async def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    ls.check(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
async def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    if ls.options["onChange"]:
        ls.check(params.text_document.uri, float(ls.options["delay"]))


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
async def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.forget()


@server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
async def notebook_did_open(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    ls.check(params.notebook_document.uri)


@server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
async def notebook_did_save(ls: Server, params: types.DidSaveNotebookDocumentParams) -> None:
    ls.check(params.notebook_document.uri)


@server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
async def notebook_did_change(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    if ls.options["onChange"]:
        ls.check(params.notebook_document.uri, float(ls.options["delay"]))


@server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
async def notebook_did_close(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    ls.forget()


@server.feature(types.INITIALIZED)
async def initialized(ls: Server, params: types.InitializedParams) -> None:
    """Asks to be told of modules and configurations that change outside of the editor."""
    workspace = ls.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace else None
    if watched and watched.dynamic_registration:
        patterns = [types.FileSystemWatcher("**/*.py"), types.FileSystemWatcher("**/pyproject.toml")]
        ls.client_register_capability(types.RegistrationParams([types.Registration(
            "shapeflow-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            types.DidChangeWatchedFilesRegistrationOptions(patterns))]))


@server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
async def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    paths = {file_of(change.uri) or "" for change in params.changes}
    opened = ls.documents.open()
    if any(path.endswith(".toml") for path in paths):
        for uri in opened.values():
            ls.check(uri, 0.2)
        return
    changed = paths - set(opened)  # an open file speaks for itself
    for checked in list(ls.results.values()):
        if changed & ls.imports.closure(checked.entry.script):
            ls.checks.schedule(checked.entry, 0.2)


@server.feature(types.TEXT_DOCUMENT_HOVER)
async def hover(ls: Server, params: types.HoverParams) -> Optional[types.Hover]:
    found = (answers.hover(checked, page, params.position)
             for checked, page in ls.results_for(params.text_document.uri))
    return next(filter(None, found), None)


@server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
async def inlay_hints(ls: Server, params: types.InlayHintParams) -> List[types.InlayHint]:
    if not ls.options["inlayHints"]:
        return []
    hints: List[types.InlayHint] = []
    taken: Set[Tuple[int, int]] = set()  # two entries may run the same lines: the first answers
    for checked, page in ls.results_for(params.text_document.uri):
        found = answers.inlay_hints(checked, page, params.range)
        hints += [h for h in found if (h.position.line, h.position.character) not in taken]
        taken.update((h.position.line, h.position.character) for h in found)
    return hints


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION,
                types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]))
async def code_action(ls: Server, params: types.CodeActionParams) -> List[types.CodeAction]:
    wanted = params.context.only
    if wanted and not any(kind in ("", "quickfix") for kind in wanted):
        return []
    return [action for checked, page in ls.results_for(params.text_document.uri)
            for action in answers.code_actions(checked, ls.pages(checked), page, params.range,
                                             ls.documents.uri_of)]


@server.feature(types.SHUTDOWN)
def shutdown(ls: Server, params: object) -> None:
    ls.checks.stop()
    kill_all()


def serve() -> None:
    try:
        server.start_io()
    finally:
        kill_all()
