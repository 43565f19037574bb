"""`%load_ext shapeflow`: a notebook whose `import tensorflow` is ours, with findings in place of tracebacks.

    %load_ext shapeflow                  from here on tensorflow and keras are shapes only
    %shapeflow                           the findings of all cells so far, with pictures
    %shapeflow graph                     the picture of the default graph, with what is wrong with it
    %shapeflow --tf-version 1.15         emulate a version (--mode graph|eager likewise)
    %shapeflow off                       as %unload_ext shapeflow
    %%shapeflow                          checks the cells run so far and this one, in a process of its
                                         own, without running it here: also beside a real TensorFlow

Also `_repr_html_` of graphs, tensors and findings: a graph is a picture, and a failing expression is shown
with its operands as boxes. Nothing here imports IPython.
"""
from __future__ import annotations

import html
import linecache
import os
import re
import shlex
import sys

import shapeflow.checker.import_hook as hook
from shapeflow import _core
from shapeflow.checker import library_frames
from shapeflow.checker.patches import Scope
from shapeflow.formats import record_text
from shapeflow.tensorflow.compat import version_detection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

    from shapeflow._core import Tensor
    from shapeflow.checker.findings import Record, Report

_NODES_SHOWN = 200
_NODES_DRAWN = 400  # of a graph: more are folded into their scopes
_FINDINGS_KEPT = 200  # with what the extension knows of them
_LEFT = 'style="text-align: left"'
_CELL_FILE = re.compile(r"<ipython-input-(\d+)-")
_MAGIC = re.compile(r"^\s*(%%shapeflow|%shapeflow|%(un|re)?load_ext\s+shapeflow)\b")

_session: Optional[Session] = None


def load(shell: Any) -> None:
    """What IPython calls for %load_ext."""
    global _session
    if _session is None:
        _session = Session(shell)
        _session.start()


def unload() -> None:
    """What IPython calls for %unload_ext: later imports find the real TensorFlow, if there is one."""
    global _session
    if _session is not None:
        _session.stop()
        _session = None


class Session:
    """One loaded extension: the import hook, the handlers around each cell, what the cells reported."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.records: List[Record] = []
        self._made: List[Tuple[Record, Any]] = []  # with the extension's findings, which know their nodes
        self._texts: List[str] = []
        self._scope: Optional[Scope] = None  # while imports are ours
        self._chosen = False  # by the user: cells are not asked

    # --- on and off -------------------------------------------------------------------------------
    def start(self) -> None:
        library_frames.hide()  # the notebook's machinery too
        magic = self.shell.register_magic_function
        magic(self.line_magic, "line", "shapeflow")
        magic(self.cell_magic, "cell", "shapeflow")
        if _is_real(sys.modules.get("tensorflow")):
            print("shapeflow: tensorflow is already imported in this kernel and stays what it is. Restart "
                  "and load shapeflow first, or check single cells with %%shapeflow.")
            return
        version_detection.activate(*version_detection.choose())
        _core.clear_findings()
        _core.set_go_on_hook(lambda: False)  # findings know where dims come from while a hook is set
        self._scope = Scope("notebook")
        hook.replace_tensorflow(self._scope.by("notebook.extension", "tensorflow and keras are ShapeFlow"))
        self.shell.set_custom_exc((Exception,), self._show_error)
        self.shell.events.register("pre_run_cell", self._before)
        self.shell.events.register("post_run_cell", self._after)

    def stop(self) -> None:
        for magics, name in (("line", "shapeflow"), ("cell", "shapeflow")):
            self.shell.magics_manager.magics[magics].pop(name, None)
        if self._scope is None:
            return
        self._scope.close()
        _core.set_go_on_hook(None)
        self.shell.set_custom_exc((), None)
        self.shell.events.unregister("pre_run_cell", self._before)
        self.shell.events.unregister("post_run_cell", self._after)

    # --- around a cell ----------------------------------------------------------------------------
    def _before(self, info: Any) -> None:
        from shapeflow.notebook.ipynb import as_python

        self._take()
        self._texts.append(as_python(info.raw_cell or ""))
        if not self._chosen:
            self._emulate(*version_detection.choose("\n".join(self._texts), os.getcwd()))

    def _after(self, result: Any) -> None:
        """What did not stop the cell: warnings and notices, below its output."""
        for record in self._take():
            if record.severity == "warning":
                print(record_text(record), file=sys.stderr)
            elif record.severity == "note":
                print(f"shapeflow: note[{record.code}]: {record.message}", file=sys.stderr)

    def _take(self) -> List[Record]:
        """The findings since the last time; each is kept once."""
        import shapeflow.checker.findings as findings

        made = _core.findings()
        _core.clear_findings()
        known = {record.key() for record in self.records}
        found = []
        for finding in made:
            record = findings.record_of(finding)
            findings.mark_operands(record, finding)
            record = self._renamed(record)
            if record.key() not in known:
                known.add(record.key())
                self.records.append(record)
                self._made = [*self._made, (record, finding)][-_FINDINGS_KEPT:]
                found.append(record)
        return found

    def _renamed(self, record: Record) -> Record:
        """With `In [3]` for the file that IPython makes of a cell."""
        names: Dict[str, str] = {}
        numbers = getattr(self.shell.compile, "_filename_map", {})
        data = record.to_json()
        for path in _paths(data):
            number = numbers.get(path)
            match = _CELL_FILE.match(path)
            if number is None and match:
                number = int(match.group(1))
            if number is not None:
                names[path] = f"In [{number}]"
                lines = linecache.getlines(path)
                linecache.cache[names[path]] = (len(lines), None, lines, names[path])
        return type(record).from_json(_replaced(data, names))

    def _show_error(self, shell: Any, kind: type, value: Any, trace: Any, tb_offset: Any = None) -> None:
        """The whole finding instead of a traceback, when that is what went wrong."""
        self._take()
        # A run names the node where a finding has shapes.
        words = str(value).partition("\n\t [[")[0]
        record = next((r for r in reversed(self.records) if r.severity == "error" and words
                       and (words in r.message or r.message in str(value))), None)
        if record is not None:
            text = record_text(record, color=True)
            value._render_traceback_ = lambda: text.split("\n")
        shell.showtraceback((kind, value, trace), tb_offset=tb_offset)
        if record is not None:
            self._show_picture(record)

    def _show_picture(self, record: Record) -> None:
        """Below the text, where the front end draws."""
        if "image/svg+xml" not in getattr(self.shell.display_formatter, "active_types", ()):
            return
        drawn = _expression(record)
        if drawn:
            self.shell.display_pub.publish(data={"text/plain": "", "image/svg+xml": drawn})

    def _graph(self) -> Optional[Picture]:
        """The default graph as a picture."""
        graph = None if _core.executing_eagerly() else _core.default_graph()
        if graph is None or graph.version == 0:
            print("shapeflow: there is no graph here (an eager program has none outside of tf.function)")
            return None
        self._take()
        return Picture(graph_document(graph, self._made))

    # --- which TensorFlow -------------------------------------------------------------------------
    def _emulate(self, version: str, mode: str) -> None:
        if (version, mode) == (_core.get_version(), "eager" if _core.executing_eagerly() else "graph"):
            return
        version_detection.activate(version, mode)
        for name in [n for n in sys.modules if hook.is_tensorflow(n)]:
            del sys.modules[name]
        from shapeflow.api import modules, namespace

        for name, value in list(self.shell.user_ns.items()):
            if isinstance(value, namespace.Namespace):
                module = modules.resolve_module(value.__name__.replace("tensorflow.compat.v1", "tensorflow"))
                if module is not None:
                    self.shell.user_ns[name] = module

    # --- magics -----------------------------------------------------------------------------------
    def line_magic(self, line: str) -> Any:
        """%shapeflow [off | graph] [--tf-version X.Y] [--mode graph|eager]: the findings so far, the picture
        of the default graph, or an option."""
        words = shlex.split(line)
        if words == ["off"]:
            return unload()
        if words == ["graph"]:
            return self._graph()
        if words:
            options = _options(words)
            if options is None:
                print(self.line_magic.__doc__)
                return None
            version = options.get("--tf-version") or _core.get_version()
            mode = options.get("--mode") or ("graph" if version.startswith(("0.", "1.")) else "eager")
            if version.count(".") == 1:
                version += ".0"
            self._chosen = True
            self._emulate(version, mode)
            return None
        self._take()
        return Findings([r for r in self.records if r.severity in ("error", "warning")])

    def cell_magic(self, line: str, cell: str) -> Findings:
        """%%shapeflow [options of shapeflow check]: checks the cells so far and this one; runs nothing
        here."""
        history = list(getattr(self.shell.history_manager, "input_hist_raw", [""]))
        if len(history) > 1 and history[-1].rstrip().endswith(cell.rstrip()):
            history.pop()  # this cell
        return Findings.of_report(check_cells([*history[1:], "\n" + cell], shlex.split(line)))


def _options(words: List[str]) -> Optional[Dict[str, str]]:
    """{"--tf-version": "1.15"}; None for what is not understood."""
    found = {}
    parts = [part for word in words for part in word.split("=", 1)]
    for name, value in zip(parts[::2], parts[1::2]):
        if name not in ("--tf-version", "--mode") or name == "--mode" and value not in ("graph", "eager"):
            return None
        found[name] = value
    return found if len(parts) % 2 == 0 else None


def _is_real(module: Optional[ModuleType]) -> bool:
    return module is not None and not hasattr(module, "_sf_dotted")


# --- checking cells in a process of their own -------------------------------------------------------
def check_cells(cells: List[str], options: List[str]) -> Report:
    """What a notebook of these cells has in its last one, or from there on; paths are `In [3]`."""
    import json

    from shapeflow.checker import runner

    path = os.path.abspath("In.ipynb")
    items = []
    for text in cells[:-1]:
        text = "" if _MAGIC.match(text) else text
        items.append({"cell_type": "code", "source": text, "metadata": {"tags": ["raises-exception"]}})
    items.append({"cell_type": "code", "source": cells[-1], "metadata": {}})
    report = runner.run(path, options, source_override=json.dumps({"nbformat": 4, "cells": items}))
    names = {}
    for i, text in enumerate(cells):
        name = names[f"{path}:cell {i + 1}"] = f"In [{i + 1}]"
        names[f"In.ipynb:cell {i + 1}"] = name
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    last = f"In [{len(cells)}]"
    report = type(report).from_json(_replaced(report.to_json(), names))
    report.records = [r for r in report.records if r.primary is None or last in _paths(r.to_json())]
    if report.failure:
        report.failure = report.failure.replace(f"In.ipynb:cell {len(cells)}", last)
    return report


def _paths(data: Any) -> List[str]:
    """All values of `path` in nested data."""
    if isinstance(data, dict):
        here = [data["path"]] if isinstance(data.get("path"), str) else []
        return here + [path for value in data.values() for path in _paths(value)]
    return [path for item in data for path in _paths(item)] if isinstance(data, list) else []


def _replaced(data: Any, names: Dict[str, str]) -> Any:
    if isinstance(data, dict):
        return {key: names.get(value, value) if key == "path" and isinstance(value, str)
                else _replaced(value, names) for key, value in data.items()}
    return [_replaced(item, names) for item in data] if isinstance(data, list) else data


# --- texts and HTML ---------------------------------------------------------------------------------
class Findings:
    """What a magic shows: findings, and why a check could not be ended."""

    def __init__(self, records: List[Record], failure: Optional[str] = None) -> None:
        self.records = records
        self.failure = failure

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, number: int) -> Any:
        """One of them by its picture: the expression with its operands."""
        from shapeflow.pictures.expression import Expression

        return Expression(self.records[number])

    @classmethod
    def of_report(cls, report: Report) -> Findings:
        return cls(report.of("error", "warning"), report.failure)

    def __repr__(self) -> str:
        parts = [record_text(record) for record in self.records]
        if self.failure:
            parts.append(f"shapeflow: could not be run to its end: {self.failure}")
        return "\n\n".join(parts) or "shapeflow: no findings"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        """What Jupyter asks for."""
        found = {"text/plain": repr(self), "text/html": self._repr_html_()}
        return {kind: value for kind, value in found.items()
                if (not include or kind in include) and (not exclude or kind not in exclude)}

    def _repr_html_(self) -> str:
        parts = [record_html(record) for record in self.records]
        if self.failure:
            parts.append(f"<p>could not be run to its end: {html.escape(self.failure)}</p>")
        return "".join(parts) or "<p>shapeflow: no findings</p>"


_COLOURS = {"error": "#c0392b", "warning": "#b9770e", "note": "#2471a3"}


def _drawn(draw: Any, *given: Any, **options: Any) -> str:
    """A picture, or "" where its data is not what was expected: the text beside it says it all."""
    try:
        return str(draw(*given, **options))
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        if os.environ.get("SHAPEFLOW_DEBUG"):
            raise
        return ""


_pictures = 0


def _next_picture() -> int:
    """Pictures of one page are told apart by numbers."""
    global _pictures
    _pictures += 1
    return _pictures


def _expression(record: Record) -> str:
    from shapeflow.pictures import expression

    return _drawn(expression.render, record, _next_picture())


def _neighbourhood(record: Record) -> str:
    from shapeflow.pictures import neighbourhood

    return _drawn(neighbourhood.render, record, _next_picture())


class Picture:
    """The picture of a document: see docs/graph.md."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.document = document

    def __repr__(self) -> str:
        return f"<graph of {len(self.document['nodes'])} nodes, {len(self.document['findings'])} findings>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        """What Jupyter asks for."""
        drawn = picture_svg(self.document)
        found = {"text/plain": repr(self), "text/html": _boxed(drawn), "image/svg+xml": drawn}
        return {kind: value for kind, value in found.items()
                if value and (not include or kind in include) and (not exclude or kind not in exclude)}


def picture_svg(document: Mapping[str, object]) -> str:
    from shapeflow.pictures import svg

    return _drawn(svg.render, document, _NODES_DRAWN, _next_picture())


def _boxed(drawn: str) -> str:
    """A large picture is scrolled in place."""
    return f'<div style="max-height: 40rem; overflow: auto">{drawn}</div>' if drawn else ""


def graph_document(graph: _core.Graph, found: Sequence[Tuple[Record, Any]] = ()) -> Dict[str, object]:
    """The document of one graph, with the findings that are about its nodes."""
    from shapeflow.pictures.collect import DocumentBuilder

    made = DocumentBuilder(f"Graph of {graph.version} nodes")
    made.add(graph)
    nodes = len(made.nodes)
    made.connect()
    for record, finding in found:
        about = [item["node"] for item in finding.operands] + [finding.node]
        if record.severity != "note" and any(made.number_of(key) is not None for key in about):
            made.add_finding(record, finding)
    document = made.document()
    document["title"] = f"Graph of {nodes:,} nodes"
    return document


def record_html(record: Record) -> str:
    """The full text, its first line in the colour of the severity; the expression with its operands, and what
    made them."""
    first, _, rest = record_text(record).partition("\n")
    colour = _COLOURS.get(record.severity, "inherit")
    pictures = _expression(record)
    around = _neighbourhood(record)
    if around:
        pictures += f"<details><summary>what made the operands</summary>{around}</details>"
    return (f'<pre style="line-height: 1.25"><b style="color: {colour}">{html.escape(first)}</b>\n'
            f"{html.escape(rest)}</pre>{pictures}")


def _shape(tensor: Tensor) -> Tuple[str, str]:
    known = _core.shape_and_dtype(tensor)
    return (known[0], known[1]) if known is not None else ("", "")


def tensor_html(tensor: _core.Tensor) -> str:
    """Shape and dtype; the content only where it is known."""
    shape, dtype = _shape(tensor)
    name = type(tensor).__name__
    text = f"<b>{html.escape(name)}</b> <code>{html.escape(shape)} {html.escape(dtype)}</code>"
    if name != "EagerTensor":
        return text + f" <small>{html.escape(str(tensor.name))}</small>"
    value = _core.constant_value(tensor)
    return text + (f"<pre>{html.escape(str(value))}</pre>" if value is not None
                   else " <small>content unknown</small>")


def graph_html(graph: _core.Graph) -> str:
    """Its picture, and the nodes as a table: name, op, inputs, shapes."""
    nodes = graph.get_operations()
    rows = []
    for node in nodes[:_NODES_SHOWN]:
        shapes = ", ".join(" ".join(_shape(output)) for output in node.outputs)
        inputs = ", ".join(tensor.name for tensor in node.inputs)
        cells = (node.name, node.type, inputs, shapes)
        row = "".join(f"<td {_LEFT}><code>{html.escape(cell)}</code></td>" for cell in cells)
        rows.append(f"<tr>{row}</tr>")
    more = len(nodes) - len(rows)
    tail = f"<p>and {more} more nodes</p>" if more > 0 else ""
    head = "".join(f"<th {_LEFT}>{word}</th>" for word in ("name", "op", "inputs", "outputs"))
    drawn = _drawn(lambda: picture_svg(graph_document(graph)))
    return f"<p>Graph of {len(nodes)} nodes</p>{_boxed(drawn)}" \
        f"<details><summary>as a table</summary><table><tr>{head}</tr>{''.join(rows)}</table>{tail}" \
        "</details>"
