"""`shapeflow lsp`: a language server over standard input and output.

    texts.py    positions of the protocol, and places of a checked text in an edited one
    places.py   which scripts are checked for a file
    checks.py   checks in processes of their own: delayed, superseded, given up
    answers.py  a Report as diagnostics, hover texts, inlay hints and quick fixes
    server.py   the handlers, on pygls (the extra `lsp`)
"""
from __future__ import annotations

import sys

_MISSING = """shapeflow lsp needs pygls, which is not installed for this Python ({python}):
    {python} -m pip install 'pygls>=2.1'"""


def main() -> int:
    """Serves until the client says exit; the exit status of the command."""
    try:
        import pygls.lsp.server  # noqa: F401
    except ImportError:
        print(_MISSING.format(python=sys.executable), file=sys.stderr)
        return 2
    from shapeflow.lsp.server import serve

    serve()
    return 0
