"""One raw case on whichever TensorFlow it is given: the real one in its server, ours in the tests.

The answer is {"outputs": [[dtype, dims or None]...]}, {"error": class, "message": text} or {"skip": why}.
"""
import numpy as np

_NUMPY = {"float32": np.float32, "float64": np.float64, "half": np.float16, "float16": np.float16,
          "int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64, "uint8": np.uint8,
          "uint16": np.uint16, "uint32": np.uint32, "uint64": np.uint64, "bool": np.bool_,
          "complex64": np.complex64, "complex128": np.complex128, "string": object}


class Skip(Exception):
    """No verdict is possible."""


def described(value):
    if value is None:
        return []
    if isinstance(value, dict):
        return [x for key in sorted(value) for x in described(value[key])]
    if isinstance(value, (list, tuple)):
        return [x for item in value for x in described(item)]
    if not hasattr(value, "get_shape"):
        return []
    shape = value.get_shape()
    dims = None if shape.rank is None else [None if d is None else int(d) for d in shape.as_list()]
    return [[value.dtype.base_dtype.name, dims]]


def flat(value):
    if isinstance(value, (list, tuple)):
        return [x for item in value for x in flat(item)]
    return [value]


def _unhex(value):
    if isinstance(value, list):
        return [_unhex(x) for x in value]
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"])
    return value.encode("utf-8") if isinstance(value, str) else value


def value_of(arg):
    """The numpy array of a v; raises Skip when it is ragged or no such dtype."""
    dtype = _NUMPY.get(arg["v"])
    try:
        value = np.array(_unhex(arg["value"]), dtype or np.float32)
        if "shape" in arg:
            value = value.reshape(arg["shape"])
    except (ValueError, TypeError, OverflowError) as error:
        raise Skip("no such constant: %s" % error)
    if arg["v"] == "string" and any(not isinstance(x, bytes) for x in value.reshape(-1)):
        raise Skip("no such constant")
    return value


class Evaluation:
    """How a case's arguments become tensors; `ops` is a tf.raw_ops."""

    def __init__(self, ops, case, attrs):
        self.ops, self.case, self.made, self.attrs = ops, case, [], attrs

    def tensor(self, arg):
        raise NotImplementedError

    def attr(self, value):
        """An attr that is a tensor; a function cannot be."""
        return value_of(value)

    def _arg(self, value):
        if isinstance(value, dict):
            if "node" in value:
                made = self.made[value["node"]]
                if value["index"] >= len(made):
                    raise Skip("no output %d" % value["index"])
                return made[value["index"]]
            return self.tensor(value)
        if isinstance(value, list):
            return [self._arg(x) for x in value]
        return value

    def _call(self, op, args):
        function = getattr(self.ops, op, None)
        if function is None:
            raise Skip("no op " + op)
        attrs = self.attrs[op]
        return function, {k: self.attr(x) if k in attrs and isinstance(x, dict) else self._arg(x)
                          for k, x in args.items()}

    def node(self, number):
        """Runs a node that was put off, and gives its outputs."""
        function, kwargs = self._call(*self.case["nodes"][number])
        self.made[number] = flat(function(**kwargs))

    def _needed(self):
        """The nodes that the op's arguments come from."""
        needed, left = set(), [self.case["args"]]
        while left:
            for value in left.pop().values():
                for item in value if isinstance(value, list) else [value]:
                    if isinstance(item, dict) and item.get("node", -1) >= 0 and item["node"] not in needed:
                        needed.add(item["node"])
                        left.append(self.case["nodes"][item["node"]][1])
        return needed

    def run(self, do=False, ready=lambda: None):
        """`do`: runs what the case says is to be run first, after all the rest."""
        self.made = [None] * len(self.case["nodes"])
        last = self.case["do"] if do else []
        needed = set() if do else self._needed()
        try:
            for number in range(len(self.made)):
                if number not in self.case["do"] or number in needed:
                    self.node(number)
            for number in last:
                self.node(number)
            function, kwargs = self._call(self.case["op"], self.case["args"])
        except Skip as skip:
            return {"skip": str(skip)}
        except Exception as error:
            return {"skip": "an argument fails: %s: %s" % (type(error).__name__, str(error)[:200])}
        ready()
        try:
            return {"outputs": described(function(**kwargs))}
        except Exception as error:
            return {"error": type(error).__name__, "message": str(error)}


class Graph(Evaluation):
    """Graph construction; `tf` is a compat.v1."""

    def __init__(self, tf, case, attrs):
        super().__init__(tf.raw_ops, case, attrs)
        self.tf = tf

    def tensor(self, arg):
        tf = self.tf
        dtype = arg.get("t") or arg["v"]
        seen = arg.get("as", arg["shape"] if "t" in arg else None)
        if seen is None:
            return tf.constant(value_of(arg), dtype)
        if isinstance(seen, dict):
            items = [tf.placeholder(dtype, []) if x is None else tf.constant(x, dtype)
                     for x in seen["elements"]]
            return tf.raw_ops.Pack(values=items, axis=0)
        return tf.placeholder(dtype, None if seen == "?" else seen)


def graph(tf, case, attrs, ready=lambda: None, kind=Graph):
    """`attrs`: the names of the attrs of each op."""
    with tf.Graph().as_default():
        return kind(tf, case, attrs).run(ready=ready)
