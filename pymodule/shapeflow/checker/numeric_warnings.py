"""`check --numeric`: the operations whose numbers may break, as warnings."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.checker.findings import Record, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List

_NAMES = {"SF601": "NUMBER_BREAKS", "SF602": "DERIVATIVE_BREAKS", "SF603": "DATA_BREAK"}


class NumericWarnings:
    """Of one run: watches what is fed, and looks at the graphs when the program has ended."""

    def start(self) -> None:
        import shapeflow.numeric.feeds as feeds

        self._recorder = feeds.Recorder()
        self._recorder.begin()

    def of_run(self) -> List[Record]:
        import gc

        import shapeflow.numeric.analysis as analysis

        _core.set_run_hook(None)
        made = [item for item in gc.get_objects() if isinstance(item, _core.Graph) and item.version > 0]
        graphs = [*(graph for graph in made if not graph.building_function), *analysis.of_functions(made)]
        found = []
        document = analysis.document(graphs, self._recorder)
        for suspect in document["suspects"]:
            code, name = suspect["code"], suspect["node"]
            if document["graphs"][suspect["graph"]]["kind"] == "eager":
                name = suspect["op"]  # the number of its record says nothing, and changes with the program
            span = Span(suspect["file"], suspect["line"], suspect["column"] - 1, suspect["line"],
                        suspect["end_column"] - 1) if suspect["file"] else None
            record = Record(code, _NAMES[code], "warning", suspect["message"], op_type=suspect["op"],
                            node_name=name, primary=span)
            record.arguments = [(kind, value) for kind, value in suspect["arguments"]]
            found.append(record)
        return found
