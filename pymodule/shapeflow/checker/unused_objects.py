"""What a program made and never used: asked once, when it has ended."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api import use_log
from shapeflow.checker.findings import Record, record_of

TYPE_CHECKING = False  # loaded in every check: re and typing would be most of its time
if TYPE_CHECKING:
    from typing import Any, List

_CALLS = {"Placeholder": r"\bplaceholder(_with_default)?\s*\(",
          "Variable": r"\b(Variable|get_variable)\s*\("}


def _is_users(op_type: str, frames: Any) -> bool:
    """Did the program's own line ask for the node? A layer's variables are the layer's."""
    if not frames:
        return False
    import linecache
    import re

    path, line, column, end_line, end = frames[0][:5]
    text = linecache.getline(path, line)
    if column >= 0:  # other calls may stand in that line
        text = text.encode()[column:end if end_line == line else None].decode(errors="replace")
    kind = "Placeholder" if op_type.startswith("Placeholder") else "Variable"
    return re.search(_CALLS[kind], text) is not None


def finish() -> None:
    """The program has run to its end: what it never used, and what it never trained."""
    graphs = {id(session.graph): session.graph for session in use_log.sessions}
    for graph in graphs.values():
        if "_sf_opaque" not in graph.__dict__:
            _core.warn_unused(graph, _is_users)
    for loss, variable in use_log.untrained:
        if "_sf_opaque" not in loss.graph.__dict__:
            _core.warn_untrained(loss, variable)
    use_log.untrained.clear()


def try_short_batches() -> List[Record]:
    """Runs of data sets once more with the short last batch that the program never came to: a warning for
    what fails then, with the same facts. Nothing of the program runs after this."""
    failed: List[Record] = []
    sessions = [s for s in use_log.sessions if getattr(s, "_sf_replays", None)]
    if sessions:
        from shapeflow.tensorflow.python.data import from_generator, iterator_ops

        from_generator.end(True)
        for session in sessions:
            for _, element, full in iterator_ops.short_batches(session):
                words = "the last batch of the data has %s samples, not %s: " % (
                    element[0].shape.as_list()[0], full[0].shape.as_list()[0])
                for fetches, feed_dict in session._sf_replays:
                    _core.clear_findings()
                    try:
                        session.replay(fetches, feed_dict)
                    except Exception:  # what it is, is among the findings
                        pass
                    failed += [_as_warning(f, words) for f in _core.findings() if f.severity == "error"]
    _core.clear_findings()
    use_log.sessions.clear()
    return failed


def _as_warning(finding: object, words: str) -> Record:
    record = record_of(finding)
    record.code, record.name, record.severity = "SF505", "FIXED_BATCH", "warning"
    record.message = words + record.message
    return record

