"""Our answers to raw cases, in the form of raw_evaluate's."""
from raw_evaluate import Evaluation, graph, value_of

import shapeflow
from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection


class _Eager(Evaluation):
    def __init__(self, case):
        super().__init__(shapeflow.raw_ops, case, ATTRS)

    def tensor(self, arg):
        if "v" in arg:
            value = value_of(arg)
            return _core.eager_tensor(arg["v"], list(value.shape), value)
        return _core.eager_tensor(arg["t"], arg["shape"])


OPS = frozenset(_core.raw_op_names())
ATTRS = {op: [a["name"] for a in _core.op_info(op)["attrs"]] for op in OPS}


def _has(case):
    return all(op in OPS for op in [case["op"]] + [op for op, _ in case["nodes"]])


def _deferred():
    return "; ".join(f.message for f in _core.findings() if f.severity == "error" and f.deferred)


def eager(case):
    """Needs the eager mode; see `mode`."""
    if not _has(case):
        return {"skip": "no op"}
    _core.clear_findings()
    return _Eager(case).run(do=True)


def in_graph(case):
    """The same in graph mode, with the deferred findings of the op itself."""
    if not _has(case):
        return {"skip": "no op"}
    _core.clear_findings()
    answer = graph(shapeflow.compat.v1, case, ATTRS, ready=_core.clear_findings)
    if "outputs" in answer:
        answer["deferred"] = _deferred()
    _core.clear_findings()
    return answer


class mode:
    """`with mode("eager"):` 2.21 in that mode, and what was before afterwards."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.before = _core.get_version(), "eager" if _core.executing_eagerly() else "graph"
        version_detection.activate("2.21.0", self.name)

    def __exit__(self, *error):
        _core.clear_findings()
        version_detection.activate(*self.before)
