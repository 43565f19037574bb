"""What a spec of raw ops is written with: tests/oracle/specs/*.py import op, t, v and out from here.

    @op("MatMul")                     # or several names; the function then tells them by `name`
    def matmul(r, name):              # r: cases.Draw, a seeded random.Random with dim, shape, axis, flag
        m, k, n = r.dim(), r.dim(), r.dim()
        return dict(a=t("float32", [m, k]), b=t("float32", [k, n]), transpose_b=False)

It gives the keyword arguments of tf.raw_ops.MatMul for one valid concrete call, new ones each time.
"""
import importlib
import sys
from pathlib import Path

SPECS = {}  # op -> (function, family)


def op(*names):
    """Registers a function as the spec of these raw ops; a later one replaces an earlier one."""
    def register(function):
        for name in names:
            SPECS[name] = function, function.__module__.rpartition(".")[2]
        return function
    return register


def t(dtype, shape, low=None, high=None):
    """A tensor of random content in [low, high)."""
    return {"t": dtype, "shape": [int(d) for d in shape], "low": low, "high": high}


def v(dtype, value, shape=None):
    """A tensor whose content is part of the case. `shape` where the nesting cannot tell (empty)."""
    arg = {"v": dtype, "value": _plain(value)}
    if shape is not None:
        arg["shape"] = [int(d) for d in shape]
    return arg


class Out:
    """Output `index` of a call of another raw op. The same object is the same call."""

    def __init__(self, op_name, index, kwargs):
        self.op, self.index, self.kwargs = op_name, index, kwargs
        self.call = self

    def output(self, index):
        """Another output of the same call."""
        other = Out(self.op, index, self.kwargs)
        other.call = self.call
        return other


def out(case_op, output=0, /, **kwargs):
    """Positional only: ops have arguments called index."""
    return Out(case_op, output, kwargs)


def _plain(value):
    """JSON for nested lists; bytes become {"hex": ...}."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return value


def freeze(op_name, kwargs):
    """The case as JSON: {"op", "args", "nodes": [[op, args]...], "do": [number of node...]}."""
    nodes, numbers = [], {}

    def arg(value):
        if isinstance(value, Out):
            if id(value.call) not in numbers:
                made = [value.op, {k: arg(x) for k, x in value.call.kwargs.items()}]
                numbers[id(value.call)] = len(nodes)
                nodes.append(made)
            return {"node": numbers[id(value.call)], "index": value.index}
        if isinstance(value, dict):
            return dict(value)
        if isinstance(value, (list, tuple)):
            return [arg(item) for item in value]
        return _plain(value)

    kwargs = dict(kwargs)
    do = kwargs.pop("do", [])
    args = {k: arg(x) for k, x in kwargs.items()}
    return {"op": op_name, "args": args, "do": [arg(item)["node"] for item in do], "nodes": nodes}


def load():
    """Imports every spec once; {op: (function, family)}."""
    folder = Path(__file__).with_name("specs")
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    for path in sorted(folder.glob("*.py")):
        importlib.import_module(path.stem)
    return SPECS
