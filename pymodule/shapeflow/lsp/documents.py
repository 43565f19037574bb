"""What the editor has open, by path: files, notebooks (as the text of an .ipynb file) and their cells
(`nb.ipynb:cell 3`, as findings name them)."""
from __future__ import annotations

import json
import os

from lsprotocol import types
from pygls import uris

import shapeflow.notebook.ipynb as ipynb
from shapeflow.lsp import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Optional

    from pygls.workspace import Workspace


def file_of(uri: str) -> Optional[str]:
    """The absolute path of a file's URI; None for what is no file."""
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return os.path.abspath(path) if path else None


class Documents:
    """A view of the workspace: nothing is kept here."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def _notebooks(self) -> Dict[str, types.NotebookDocument]:
        found = {file_of(notebook.uri): notebook for notebook in self._workspace.notebook_documents.values()}
        return {path: notebook for path, notebook in found.items() if path is not None}

    def open(self) -> Dict[str, str]:
        """{path: the client's URI} of open files, notebooks and code cells."""
        found = {}
        for document in self._workspace.text_documents.values():
            path = file_of(document.uri)
            if path is not None:
                found[path] = document.uri
        for path, notebook in self._notebooks().items():
            found[path] = notebook.uri
            for number, cell in enumerate(notebook.cells, 1):
                if cell.kind == types.NotebookCellKind.Code:
                    found[ipynb.cell_path(path, number)] = cell.document
        return found

    def path_of(self, uri: str) -> Optional[str]:
        """Of a file, or of a cell of an open notebook."""
        path = file_of(uri)
        if path is not None:
            return path
        return next((path for path, known in self.open().items() if known == uri), None)

    def uri_of(self, path: str) -> str:
        return self.open().get(path) or uris.from_fs_path(path) or path

    def text_of(self, path: str) -> Optional[str]:
        """What the editor has, else what the disk has."""
        notebook = self._notebooks().get(path)
        if notebook is not None:
            return json.dumps({"nbformat": 4, "cells": [self._cell(cell) for cell in notebook.cells]})
        uri = self.open().get(path)
        if uri is not None:
            return self._workspace.get_text_document(uri).source
        return None if ipynb.split(path)[1] else places.read_file(path)

    def _cell(self, cell: types.NotebookCell) -> Dict[str, object]:
        code = cell.kind == types.NotebookCellKind.Code
        return {"cell_type": "code" if code else "markdown", "metadata": {},
                "source": self._workspace.get_text_document(cell.document).source if code else ""}
