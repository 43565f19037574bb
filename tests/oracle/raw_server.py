"""Real TensorFlow's answers to raw cases: a JSON request a line, JSON answers a line each.

    {"opdefs": true}     ->  {op: signature}
    {"cases": [[case, eager?]...]}  ->  for each case {"graph": answer, "eager": answer or null}

TensorFlow may abort or hang on a case: each batch is evaluated in a forked child, and a new one goes
on behind the case that killed it. That answer is {"skip": "TensorFlow died"}.
"""
import inspect
import json
import os
import re
import resource
import select
import signal
import sys
import time

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0",
                  TF_NUM_INTRAOP_THREADS="1", TF_NUM_INTEROP_THREADS="1", OMP_NUM_THREADS="1")
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from raw_evaluate import _NUMPY, Evaluation, Graph, Skip, graph, value_of  # noqa: E402
from tensorflow.python.framework import op_def_registry  # noqa: E402

tf.get_logger().setLevel("ERROR")
PATIENCE = 4.0  # seconds for one evaluation
ROOM = 6 << 30  # bytes of address space that a child may take besides what TensorFlow has
# They wait for somebody else: in eager mode only when the case says what to run first.
WAITS = (
    "Unstage", "OrderedMapUnstage", "OrderedMapUnstageNoKey", "MapUnstage", "MapUnstageNoKey",
    "StagePeek", "OrderedMapPeek", "MapPeek", "Recv", "CollectiveBcastRecv", "CollectiveBcastRecvV2",
    "Barrier", "QueueDequeue", "QueueDequeueV2", "QueueDequeueMany", "QueueDequeueManyV2",
    "InfeedDequeue", "InfeedDequeueTuple", "CollectiveReduce", "CollectiveGather",
    "CollectiveBcastSend", "CollectiveBcastSendV2", "ReaderRead", "ReaderReadV2", "BarrierTakeMany",
    "Batch", "Unbatch",
    "CollectiveReduceV2", "CollectiveReduceScatterV2", "CollectiveGatherV2", "CollectiveAllToAllV2",
    "CollectiveReduceV3", "CollectiveAllToAllV3", "CollectiveInitializeCommunicator")
# Their kernels are oneDNN's; without it TensorFlow registers placeholders that do nothing.
PLACEHOLDERS = re.compile("Quantized(Conv2D.|DepthwiseConv2D|MatMulWithBias)")
CONTENTS = ("random", "zeros", "ones", "count", "eye")

# No verdict: this TensorFlow cannot run the op, which says nothing of its arguments.
NOT_HERE = ("Could not find device for node", "No OpKernel was registered", "no registered", "No registered",
            "not supported on CPU", "only supports", "only supported", "does not support eager",
            "has been removed in version", "is not available in GraphDef", "not implemented",
            "UnimplementedError", "is not supported", "not yet supported", "not supported for",
            "requires GPU", "TPU", "Unsupported", "not compiled", "unsupported",
            "must be placed on", "Resource localhost", "does not exist", "No unary variant",
            "colocat", "is only available", "No algorithm worked", "was not found",
            "Could not find callback", "Failed to parse tensor name", "You must feed a value", "not pinned",
            "Invalid  rendezvous key", "OpKernel '", "Signature mismatch", "Error parsing metadata",
            "Don't know how to convert", "Not yet implemented", "got an unexpected keyword",
            "is neither a type of a primitive",
            "currently only")
NO_GRAPH = ("has been removed in version", "got an unexpected keyword argument",
            "required positional argument", "required keyword-only argument")
NO_ERROR = ("NotFoundError", "UnimplementedError", "FailedPreconditionError", "InternalError",
            "ResourceExhaustedError", "AbortedError", "CancelledError", "UnavailableError",
            "DeadlineExceededError", "PermissionDeniedError", "UnknownError", "OutOfRangeError",
            "RuntimeError", "MemoryError", "NotImplementedError", "DataLossError", "AlreadyExistsError")


def _dtype(number):
    return tf.as_dtype(number).name


def _default(attr):
    if not attr.HasField("default_value"):
        return None
    value, kind = attr.default_value, attr.type
    if kind == "int":
        return value.i
    if kind == "float":
        return value.f
    if kind == "bool":
        return value.b
    if kind == "string":
        return value.s.decode("latin-1")
    if kind == "type":
        return _dtype(value.type)
    if kind == "shape":
        return None if value.shape.unknown_rank else [None if d.size < 0 else d.size for d in value.shape.dim]
    if kind.startswith("list("):
        inner = value.list
        if kind == "list(type)":
            return [_dtype(x) for x in inner.type]
        if kind == "list(shape)":
            return [None if x.unknown_rank else [None if d.size < 0 else d.size for d in x.dim]
                    for x in inner.shape]
        if kind == "list(string)":
            return [x.decode("latin-1") for x in inner.s]
        return list({"list(int)": inner.i, "list(float)": inner.f, "list(bool)": inner.b}.get(kind, []))
    return None


def opdefs():
    found = {}
    for name in dir(tf.raw_ops):
        d = None if name.startswith("_") else op_def_registry.get(name)
        if d is None:
            continue
        # tf.raw_ops renames some arguments (reduction_indices: axis), and keeps their order.
        taken = [x for x in inspect.signature(getattr(tf.raw_ops, name)).parameters if x != "name"]
        inferred = {x for p in d.input_arg for x in (p.type_attr, p.number_attr, p.type_list_attr)}
        own = [p.name for p in d.input_arg] + [a.name for a in d.attr if a.name not in inferred]
        names = dict(zip([x for x in own if x not in taken], [x for x in taken if x not in own]))
        attrs = []
        for a in d.attr:
            allowed = a.allowed_values.list
            attrs.append({
                "name": names.get(a.name, a.name), "type": a.type, "default": _default(a),
                "inferred": a.name in inferred, "has_default": a.HasField("default_value"),
                "minimum": a.minimum if a.has_minimum else None,
                "allowed": [_dtype(x) for x in allowed.type] + [x.decode() for x in allowed.s]})
        found[name] = {
            "inputs": [{"name": names.get(p.name, p.name), "is_ref": p.is_ref,
                        "dtype": _dtype(p.type) if p.type else None,
                        "type_attr": p.type_attr, "number_attr": p.number_attr,
                        "type_list_attr": p.type_list_attr} for p in d.input_arg],
            "outputs": len(d.output_arg), "attrs": attrs, "stateful": d.is_stateful,
            "deprecated": d.HasField("deprecation")}
    return found


OPDEFS = opdefs()
ATTRS = {name: [a["name"] for a in d["attrs"]] for name, d in OPDEFS.items()}


def _proto(value):
    return tf.make_tensor_proto(value_of(value), value["v"])


class RealGraph(Graph):
    def attr(self, value):
        return _proto(value)


class Eager(Evaluation):
    """With concrete content on the CPU kernels; `content`: which kind."""

    def __init__(self, case, content):
        super().__init__(tf.raw_ops, case, ATTRS)
        self.content, self.random = content, np.random.default_rng(case["seed"])
        self.drawn = 0  # elements of random content

    def attr(self, value):
        return _proto(value)

    def tensor(self, arg):
        if "v" in arg:
            return tf.constant(value_of(arg), arg["v"])
        dtype, shape = arg["t"], arg["shape"]
        if dtype in ("resource", "variant"):
            raise Skip("no such tensor")
        count = int(np.prod(shape)) if shape else 1
        self.drawn += count
        if dtype == "string":
            # Strings are files, records, numbers...: whether an op likes them is the content's doing.
            words = np.array([b"a", b"1", b"bc", b"23 x"], object)
            return tf.constant(words[self.random.integers(0, 4, shape)], shape=shape)
        if dtype == "bool":
            return tf.constant(self._numbers(shape, 0, 2) > 0.5)
        low = arg["low"] if arg["low"] is not None else 0 if "int" in dtype else -1
        high = arg["high"] if arg["high"] is not None else 3 if "int" in dtype else 1
        numbers = self._numbers(shape, low, high)
        if "int" in dtype:
            numbers = np.floor(numbers)
        if dtype.startswith("q"):
            return tf.bitcast(tf.constant(numbers.astype(dtype[1:])), dtype)
        if dtype in _NUMPY:
            return tf.constant(numbers.astype(_NUMPY[dtype]))
        return tf.cast(tf.constant(numbers, tf.float32), dtype)

    def _numbers(self, shape, low, high):
        if self.content == "random":
            return np.asarray(self.random.random(shape) * (high - low) + low)
        if self.content == "ones":
            return np.ones(shape)
        numbers = np.zeros(shape)
        if self.content == "count" and shape:
            numbers += np.arange(shape[-1])
        if self.content == "eye" and len(shape) > 1:
            numbers += np.eye(shape[-2], shape[-1])
        return numbers

    def node(self, number):
        op, args = self.case["nodes"][number]
        # A resource of its own for each case.
        for attr in ATTRS[op]:
            if attr == "shared_name" and not args.get(attr):
                args = {**args, attr: "%d_%d" % (self.case["seed"], number)}
        function, kwargs = self._call(op, args)
        self.made[number] = [x for x in _flat(function(**kwargs))]


def _flat(value):
    if isinstance(value, (list, tuple)):
        return [x for item in value for x in _flat(item)]
    return [value]


def _unable(answer):
    return "error" in answer and (answer["error"] in NO_ERROR or
                                  any(words in answer["message"] for words in NOT_HERE))


def eager(case):
    if PLACEHOLDERS.match(case["op"]) or (case["op"] in WAITS and not case["do"]):
        return {"skip": "waits"}
    run = Eager(case, "random")
    answer = run.run(do=True)
    if any(a.get("t") in ("resource", "variant") for a in _args(case)):
        return {"skip": "no such tensor"}
    if _unable(answer):
        return {"skip": "%s: %s" % (answer["error"], answer["message"][:200])}
    if "error" in answer and run.drawn:
        # An error that other content does not make is the content's.
        for content in CONTENTS[1:]:
            other = Eager(case, content).run(do=True)
            if other.get("message") != answer["message"]:
                answer["content"] = True
                break
        strings = [a for a in _args(case) if a.get("t") == "string"]
        if strings:
            answer["content"] = True
    return answer


def in_graph(case):
    answer = graph(tf.compat.v1, case, ATTRS, kind=RealGraph)
    if "error" in answer and any(words in answer["message"] for words in NO_GRAPH):
        return {"skip": "%s: %s" % (answer["error"], answer["message"][:200])}
    return answer


def _args(case):
    for args in [args for _, args in case["nodes"]] + [case["args"]]:
        for value in args.values():
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, dict):
                    yield item


def child(cases, at, out, start):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open("/proc/self/statm") as f:
        room = int(f.read().split()[0]) * resource.getpagesize() + ROOM
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    for number in range(at, len(cases)):
        case, wants_eager = cases[number]
        parts = [p for p in ("graph", "eager") if p == "graph" or wants_eager]
        for part in parts:
            if (number, part) == (start[0], "graph") and start[1] == "eager":
                continue
            try:
                answer = in_graph(case) if part == "graph" else eager(case)
            except BaseException as error:
                answer = {"skip": "%s: %s" % (type(error).__name__, error)}
            os.write(out, (json.dumps([number, part, answer]) + "\n").encode())


def evaluate(cases):
    """Answers in order, whatever happens to the child that works on them."""
    found = [{"graph": None, "eager": None} for _ in cases]
    todo = [(n, p) for n, (_, wants) in enumerate(cases) for p in ("graph", "eager")[:2 if wants else 1]]
    at, deaths = 0, {}
    while at < len(todo):
        number, part = todo[at]
        op = cases[number][0]["op"]
        if deaths.get((op, part), 0) >= 3:
            found[number][part] = {"skip": "TensorFlow died: three times before, not tried again"}
            at += 1
            continue
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            try:
                child(cases, number, write, (number, part))
            finally:
                os._exit(0)
        os.close(write)
        at, why = _collect(read, todo, at, found)
        os.close(read)
        if at < len(todo):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        status = os.waitpid(pid, 0)[1]
        if at < len(todo):
            number, part = todo[at]
            op = cases[number][0]["op"]
            deaths[op, part] = deaths.get((op, part), 0) + 1
            found[number][part] = {"skip": "TensorFlow died: %s, status %d" % (why, status)}
            at += 1
    return found


def _collect(read, todo, at, found):
    """Reads answers until the child is done, dead or hangs; the number of the first without one."""
    rest, last = b"", time.monotonic()
    patience = PATIENCE + 4  # it sets TensorFlow up first
    while at < len(todo):
        if not select.select([read], [], [], max(0.0, last + patience - time.monotonic()))[0]:
            return at, "hangs"
        data = os.read(read, 1 << 16)
        if not data:
            return at, "crashes"
        lines = (rest + data).split(b"\n")
        rest = lines.pop()
        for line in lines:
            number, part, answer = json.loads(line)
            assert (number, part) == todo[at]
            found[number][part] = answer
            at += 1
        last, patience = time.monotonic(), PATIENCE
    return at, ""


print(json.dumps({"version": tf.__version__}), file=answers, flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if "opdefs" in request:
        print(json.dumps(OPDEFS), file=answers, flush=True)
    else:
        print(json.dumps(evaluate(request["cases"])), file=answers, flush=True)
