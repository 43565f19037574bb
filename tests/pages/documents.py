"""Graph documents for the page's tests, made by the contract of pictures/graph.schema.json."""

from __future__ import annotations


class Graph:
    """Builds a document node by node; groups come from the names' scopes."""

    def __init__(self, script="train.py"):
        self.doc = {
            "version": 2,
            "shapeflow": "0.1.0",
            "script": script,
            "title": script,
            "collapsed": False,
            "files": [{"path": script, "lines": {}}],
            "groups": [],
            "nodes": [],
            "edges": [],
            "findings": [],
            "runs": [],
        }
        self.paths = {}

    def group(self, path, kind="scope"):
        if path == "":
            return None
        if path not in self.paths:
            parent, _, name = path.rpartition("/")
            above = self.group(parent)
            self.paths[path] = len(self.doc["groups"])
            self.doc["groups"].append({"name": name, "path": path, "parent": above, "kind": kind})
        return self.paths[path]

    def node(
        self, name, op, *inputs, shape=None, dtype="float32", size=None, line=None, code="", after=(), **more
    ):
        index = len(self.doc["nodes"])
        source = None
        if line is not None:
            self.doc["files"][0]["lines"].setdefault(str(line), code)
            source = {"file": 0, "line": line, "column": 4}
        shapes = [shape] if isinstance(shape, str) else shape or []
        self.doc["nodes"].append(
            {
                "name": name,
                "op": op,
                "group": self.group(name.rpartition("/")[0]),
                "outputs": [{"shape": one, "dtype": dtype, "bytes": size} for one in shapes],
                "parameters": more.get("parameters"),
                "flops": more.get("flops"),
                "device": more.get("device", ""),
                "source": source,
            }
        )
        if more.get("parameters") is not None:
            self.doc["nodes"][-1]["trainable"] = more.get("trainable", True)
        for k, given in enumerate(inputs):
            node, output = given if isinstance(given, tuple) else (given, 0)
            self.doc["edges"].append({"from": node, "output": output, "to": index, "input": k})
        for node in after:
            self.doc["edges"].append({"from": node, "to": index, "control": True})
        return index

    def edge(self, start, end, slot):
        self.doc["edges"].append({"from": start, "output": 0, "to": end, "input": slot})


def _dense(g, scope, given, rows, columns, batch, line, device):
    declared = {"line": line, "code": f"w = tf.Variable(tf.zeros([{rows}, {columns}]))", "device": device}
    w = g.node(
        f"{scope}/weights",
        "VarHandleOp",
        shape="()",
        dtype="resource",
        parameters=rows * columns,
        **declared,
    )
    r = g.node(
        f"{scope}/weights/Read",
        "ReadVariableOp",
        w,
        shape=f"({rows}, {columns})",
        size=4 * rows * columns,
        **declared,
    )
    b = g.node(
        f"{scope}/bias",
        "VariableV2",
        shape=f"({columns},)",
        dtype="float32_ref",
        parameters=columns,
        size=4 * columns,
        trainable=False,
        device=device,
    )
    m = g.node(
        f"{scope}/MatMul",
        "MatMul",
        given,
        r,
        shape=f"({batch}, {columns})",
        line=line + 1,
        code="y = tf.matmul(x, w)",
        flops=2.0 * rows * columns * 128,
        device=device,
    )
    a = g.node(
        f"{scope}/BiasAdd",
        "BiasAdd",
        m,
        b,
        shape=f"({batch}, {columns})",
        line=line + 2,
        code="y = y + b",
        flops=128.0 * columns,
        device=device,
    )
    return g.node(
        f"{scope}/Relu",
        "Relu",
        a,
        shape=f"({batch}, {columns})",
        line=line + 3,
        code="y = tf.nn.relu(y)",
        device=device,
    )


def failing():
    """Two layers, a while loop, a cond and a function; MatMul fails, with two chains, a fix and two runs."""
    g = Graph()
    x = g.node(
        "x", "Placeholder", shape="(n, 784)", line=4, code="x = tf.placeholder(tf.float32, [None, 784])"
    )
    labels = g.node(
        "labels",
        "Placeholder",
        shape="(n,)",
        dtype="int64",
        line=5,
        code="labels = tf.placeholder(tf.int64, [None])",
    )
    one = _dense(g, "net/layer1", x, 784, 256, "n", 10, "/device:GPU:0")
    g.group("net/repeat", "while")
    i = g.node("net/repeat/i", "Const", shape="()", dtype="int32", size=4)
    merge = g.node(
        "net/repeat/Merge",
        "Merge",
        one,
        shape=["(n, 256)", "()"],
        line=20,
        code="y = tf.while_loop(lambda i, y: i < 3, step, [0, y])",
    )
    less = g.node("net/repeat/Less", "Less", i, shape="()", dtype="bool", size=1)
    switch = g.node("net/repeat/Switch", "Switch", merge, less, shape=["(n, 256)", "(n, 256)"])
    body = g.node(
        "net/repeat/body/Tanh",
        "Tanh",
        (switch, 1),
        shape="(n, 256)",
        line=18,
        code="    return i + 1, tf.tanh(y)",
    )
    again = g.node("net/repeat/NextIteration", "NextIteration", body, shape="(n, 256)")
    g.edge(again, merge, 1)
    leave = g.node("net/repeat/Exit", "Exit", switch, shape="(n, 256)")
    g.group("net/choice", "cond")
    flag = g.node("training", "Placeholder", shape="()", dtype="bool", size=1)
    drop = g.node(
        "net/choice/Dropout",
        "Mul",
        leave,
        shape="(n, 256)",
        after=[flag],
        line=23,
        code="y = tf.cond(training, drop, keep)",
    )
    keep = g.node("net/choice/Identity", "Identity", leave, shape="(n, 256)", after=[flag])
    chosen = g.node("net/choice/Merge", "Merge", drop, keep, shape=["(n, 256)", "()"])
    g.group("net/scale_fn", "function")
    mean = g.node(
        "net/scale_fn/Mean",
        "Mean",
        chosen,
        shape="(n, 1)",
        line=27,
        code="    m = tf.reduce_mean(y, 1, keepdims=True)",
    )
    scaled = g.node(
        "net/scale_fn/Sub", "Sub", chosen, mean, shape="(n, 256)", line=28, code="    return y - m"
    )
    flat = g.node(
        "net/Reshape", "Reshape", scaled, shape="(m, 128)", line=31, code="y = tf.reshape(y, [-1, 128])"
    )
    w2 = g.node(
        "net/layer2/weights",
        "VariableV2",
        shape="(256, 10)",
        dtype="float32_ref",
        parameters=2560,
        size=10240,
        line=33,
        code="w2 = tf.Variable(tf.zeros([256, 10]))",
        device="/device:CPU:0",
    )
    cast = g.node(
        "net/layer2/Identity",
        "Identity",
        w2,
        shape="(256, 10)",
        size=10240,
        line=34,
        code="w2 = tf.identity(w2)",
        device="/device:CPU:0",
    )
    bad = g.node(
        "net/layer2/MatMul",
        "MatMul",
        flat,
        cast,
        line=35,
        code="logits = tf.matmul(y, w2)",
        device="/device:GPU:0",
    )
    loss = g.node(
        "loss/Mean",
        "Mean",
        labels,
        shape="()",
        size=4,
        line=40,
        code="loss = tf.reduce_mean(labels)",
        flops=128.0,
    )
    g.node("init", "NoOp", after=[w2, loss])
    g.doc["findings"].append(
        {
            "node": bad,
            "code": "SF101",
            "error": True,
            "message": "Dimensions must be equal, but are 128 and 256 for 'net/layer2/MatMul' (op: 'MatMul') "
            "with input shapes: [?,128], [256,10].",
            "place": {"file": 0, "line": 35, "column": 0},
            "operands": [
                {"name": "y", "shape": "(m, 128)", "input": 0, "node": flat},
                {"name": "w2", "shape": "(256, 10)", "input": 1, "node": cast},
            ],
            "chains": [
                {"operand": 0, "axis": 1, "dim": "128", "nodes": [bad, flat]},
                {"operand": 1, "axis": 0, "dim": "256", "nodes": [bad, cast, w2]},
            ],
            "fix": {
                "title": "reshape to 256 columns",
                "diff": "--- a/train.py\n+++ b/train.py\n@@ -31 +31 @@\n"
                "-y = tf.reshape(y, [-1, 128])\n+y = tf.reshape(y, [-1, 256])\n",
            },
        }
    )
    g.doc["findings"].append(
        {
            "node": loss,
            "code": "SF301",
            "error": False,
            "message": "The mean of integers is rounded down.",
            "place": {"file": 0, "line": 40, "column": 0},
            "operands": [],
            "chains": [],
            "fix": None,
        }
    )
    layer = {node["name"]: k for k, node in enumerate(g.doc["nodes"])}
    for first, count, batch in ((0, 468, 128), (468, 1, 96)):
        shapes = {
            str(layer[name]): [f"({batch}, {n})"]
            for name, n in (
                ("x", 784),
                ("net/layer1/MatMul", 256),
                ("net/layer1/BiasAdd", 256),
                ("net/layer1/Relu", 256),
            )
        }
        shapes[str(labels)] = [f"({batch},)"]
        g.doc["runs"].append(
            {
                "first": first,
                "count": count,
                "feeds": {"x": f"({batch}, 784)", "labels": f"({batch},)"},
                "fetches": ["loss/Mean:0"],
                "shapes": shapes,
            }
        )
    return g.doc


def clean():
    """A small network without a finding: opens whole."""
    g = Graph("mlp.py")
    y = g.node("x", "Placeholder", shape="(n, 64)", line=3, code="x = tf.placeholder(tf.float32, [None, 64])")
    for k in range(3):
        y = _dense(g, f"layer{k + 1}", y, 64, 64, "n", 10 * k + 10, "")
    g.node("softmax", "Softmax", y, shape="(n, 64)", line=50, code="p = tf.nn.softmax(y)")
    return g.doc


def hostile():
    """Names that try to be markup, to end the script, to reorder text, and to be endless."""
    names = [
        "</script><script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "\"'`${alert(1)}",
        "\u2028\u2029\u0000\n",
        "\u202egnp.exe",
        "\u5f62\u72b6/\u6d41\u308c",
        "\U0001f600" * 40,
        "__proto__",
        "constructor",
        "\ud800",
        "&lt;b&gt;",
        "x" * 10_000,
        "/" * 200,
        "",
        "@DOCUMENT@@SCRIPT@",
        "<!--<script>",
    ]
    g = Graph("<b>'\"</title><script>alert(1)</script>.py")
    before = None
    for k, name in enumerate(names):
        inputs = [] if before is None else [before]
        before = g.node(
            f"scope{k % 3}/{name}",
            name or "op",
            *inputs,
            shape=name[:400] or "()",
            dtype=name[:40],
            line=k + 1,
            code=name,
            device=name[:300] if k < 4 else "",
        )
    for group in g.doc["groups"]:
        group["kind"] = "__proto__" if group["name"] == "scope1" else group["kind"]
    g.doc["files"][0]["path"] = names[1]
    g.doc["nodes"][3]["flops"] = float("inf")
    g.doc["nodes"][4]["flops"] = float("nan")
    g.doc["edges"].append({"from": 10_000, "output": 0, "to": -1, "input": 0})
    for k, name in enumerate(names):
        g.doc["findings"].append(
            {
                "node": k,
                "code": name[:50],
                "error": k % 2 == 0,
                "message": name,
                "place": None,
                "operands": [{"name": name, "shape": name[:400], "input": 0, "node": None}],
                "chains": [{"operand": 7, "axis": 1, "dim": name[:400], "nodes": [k, max(0, k - 1)]}],
                "fix": {"title": name, "diff": name},
            }
        )
    g.doc["runs"] = [
        {
            "first": 0,
            "count": 2,
            "feeds": {name: name for name in names},
            "fetches": names,
            "shapes": {"0": [names[0]], "__proto__": ["x"], "999999": ["y"]},
        }
    ]
    return g.doc


def big(count=20_000):
    """Blocks of layers in scopes, with skip connections; one flat scope for a tenth of the nodes."""
    g = Graph("big.py")
    flat = count // 10
    before = g.node("input", "Placeholder", shape="(n, 512)")
    ends = [before]
    k = 0
    while len(g.doc["nodes"]) < count - flat:
        scope = f"stage{k // 300}/block{k // 20}/layer{k}"
        w = g.node(
            f"{scope}/w",
            "VariableV2",
            shape="(512, 512)",
            size=1 << 20,
            parameters=1 << 18,
            line=k % 90 + 1,
            code="w = var()",
        )
        m = g.node(
            f"{scope}/MatMul",
            "MatMul",
            before,
            w,
            shape="(n, 512)",
            line=k % 90 + 1,
            code="y = tf.matmul(x, w)",
        )
        b = g.node(f"{scope}/bias", "VariableV2", shape="(512,)", size=2048, parameters=512)
        a = g.node(f"{scope}/add", "BiasAdd", m, b, shape="(n, 512)")
        s = g.node(f"{scope}/skip", "AddV2", a, ends[max(0, k - 3)], shape="(n, 512)")
        before = g.node(f"{scope}/Relu", "Relu", s, shape="(n, 512)", device=f"/device:GPU:{k // 900}")
        ends.append(before)
        k += 1
    variables = [i for i, node in enumerate(g.doc["nodes"]) if node["parameters"] is not None]
    while len(g.doc["nodes"]) < count:
        i = len(g.doc["nodes"])
        g.node(
            f"train/update{i}",
            "ApplyAdam",
            variables[i % len(variables)],
            before,
            shape="(512, 512)",
            size=1 << 20,
        )
    g.doc["collapsed"] = count > 20_000
    return g.doc


def flat(count=20_000):
    """One scope for everything: no names to group by."""
    g = Graph("flat.py")
    for i in range(count):
        inputs = [i - 1] if i else []
        if i > 9:
            inputs.append(i - 2 - i * 7919 % 8)
        g.node(f"op{i}", "AddV2", *inputs, shape="(n, 8)")
    return g.doc


def deep(levels=2_000):
    """One name of as many scopes as fit in it: nothing may recurse over them."""
    g = Graph("deep.py")
    path, before = "a", g.node("x", "Placeholder", shape="(n,)")
    for k in range(levels):
        g.paths[path] = len(g.doc["groups"])
        g.doc["groups"].append({"name": "a", "path": path, "parent": k - 1 if k else None, "kind": "scope"})
        if k % 200 == 199:
            before = g.node(f"{path}/Relu", "Relu", before, shape="(n,)")
        path += "/a"
    bad = len(g.doc["nodes"]) - 1
    g.doc["findings"].append(
        {
            "node": bad,
            "code": "SF101",
            "error": True,
            "message": "no fit",
            "place": None,
            "operands": [],
            "chains": [],
            "fix": None,
        }
    )
    return g.doc
