"""A document of a graph by hand, with everything in it that one can hold: docs/graph.md, graph.schema.json.

Pictures are tested with it; test_graph_document.py holds that the schema accepts it.
"""
LONG = "long_" + "x" * 9_995  # a name of 10,000 characters
HOSTILE = [
    "<script>alert(1)</script>", "</script><script>alert(2)</script>", "\"quoted\" 'and' `ticked`",
    "back\\slash", "new\nline", "tab\tand\u2028separator", "größe/层/шар", "<b>&amp;</b>", "]]>", LONG,
    "--><!--", "${x} {{y}} %s", "nul\u0001control",
]
LINES = {
    "1": "import tensorflow as tf", "4": "x = tf.placeholder(tf.float32, [None, 784])",
    "6": "w = tf.get_variable(\"w\", [784, 10])", "7": "h = tf.nn.relu(tf.matmul(x, w))",
    "9": "y = tf.while_loop(lambda i, v: i < 3, body, [0, h])[1]",
    "11": "z = tf.cond(p, lambda: y * 2., lambda: y - 1.)  # </script> & <b>",
    "14": "out = tf.matmul(z, tf.ones([11, 3]))", "20": "@tf.function", "21": "def größe(v): return v @ v",
}


class _Maker:
    def __init__(self):
        self.groups, self.nodes, self.edges = [], [], []

    def group(self, name, parent=None, kind="scope"):
        path = name if parent is None else self.groups[parent]["path"] + "/" + name
        self.groups.append({"name": name, "path": path, "parent": parent, "kind": kind})
        return len(self.groups) - 1

    def node(self, name, op, group, shapes, inputs=(), line=None, control=(), size=None, **more):
        node = {"name": name, "op": op, "group": group,
                "outputs": [{"shape": s, "dtype": "float32", "bytes": size} for s in shapes],
                "parameters": None, "flops": 0.0, "device": "", "source": None, **more}
        if line is not None:
            node["source"] = {"file": 0, "line": line, "column": 4}
        self.nodes.append(node)
        number = len(self.nodes) - 1
        for k, source in enumerate(inputs):
            at, output = source if isinstance(source, tuple) else (source, 0)
            self.edges.append({"from": at, "output": output, "to": number, "input": k})
        self.edges += [{"from": at, "to": number, "control": True} for at in control]
        return number


def example():
    """Nested scopes, a while loop with a back edge, a cond, a function, devices, parameters, an error with
    two chains and a fix, a warning of no node, runs; names that do harm where they are not escaped."""
    m = _Maker()
    net = m.group("net")
    layer = m.group("layer1", net)
    loop = m.group("while", net, "while")
    cond = m.group("cond", None, "cond")
    function = m.group("größe", None, "function")
    odd = m.group("<odd> \"names\"")
    gpu, cpu = "/device:GPU:0", "/device:CPU:0"
    x = m.node("x", "Placeholder", None, ["(batch, 784)"], line=4)
    w = m.node("net/layer1/w", "VariableV2", layer, ["(784, 10)"], line=6, size=31360, device=gpu,
               parameters=7840, trainable=True, held=31488)
    b = m.node("net/layer1/b", "VariableV2", layer, ["(10,)"], line=6, size=40, device=gpu,
               parameters=10, trainable=False)
    product = m.node("net/layer1/MatMul", "MatMul", layer, ["(batch, 10)"], [x, w], 7, device=gpu,
                     flops=None)
    add = m.node("net/layer1/add", "AddV2", layer, ["(batch, 10)"], [product, b], 7, flops=None)
    relu = m.node("net/layer1/Relu", "Relu", layer, ["(batch, 10)"], [add], 7, flops=None)
    counter = m.node("net/zero", "Const", net, ["()"], line=9, size=4)
    enter = [m.node(f"net/while/Enter{k}", "Enter", loop, [s], [source], 9)
             for k, s, source in (("", "()", counter), ("_1", "(batch, 10)", relu))]
    merge = [m.node(f"net/while/Merge{k}", "Merge", loop, [s, "()"], [source], 9)
             for k, s, source in (("", "()", enter[0]), ("_1", "(batch, 10)", enter[1]))]
    three = m.node("net/while/Less/y", "Const", loop, ["()"], line=9, size=4, control=[merge[0]])
    less = m.node("net/while/Less", "Less", loop, ["()"], [merge[0], three], 9, flops=1.0)
    pivot = m.node("net/while/LoopCond", "LoopCond", loop, ["()"], [less], 9)
    switch = m.node("net/while/Switch", "Switch", loop, ["(batch, 10)"] * 2, [merge[1], pivot], 9)
    twice = m.node("net/while/mul", "Mul", loop, ["(batch, 10)"], [(switch, 1), (switch, 1)], 9)
    again = m.node("net/while/NextIteration", "NextIteration", loop, ["(batch, 10)"], [twice], 9)
    m.edges.append({"from": again, "output": 0, "to": merge[1], "input": 1})
    leave = m.node("net/while/Exit", "Exit", loop, ["(batch, 10)"], [(switch, 0)], 9)
    pred = m.node("p", "Placeholder", None, ["()"], line=11, size=1)
    branch = m.node("cond/Switch", "Switch", cond, ["(batch, 10)"] * 2, [leave, pred], 11, device=cpu)
    yes = m.node("cond/mul", "Mul", cond, ["(batch, 10)"], [(branch, 1)], 11, device=cpu)
    no = m.node("cond/sub", "Sub", cond, ["(batch, 10)"], [(branch, 0)], 11, device=cpu)
    joined = m.node("cond/Merge", "Merge", cond, ["(batch, 10)", "()"], [no, yes], 11, device=cpu)
    ones = m.node("ones", "Const", None, ["(11, 3)"], line=14, size=132)
    failing = m.node("MatMul_1", "MatMul", None, ["<unknown>"], [joined, ones], 14, flops=None)
    argument = m.node("v", "Placeholder", function, ["(n, n)"], line=21)
    square = m.node("MatMul", "MatMul", function, ["(n, n)"], [argument, argument], 21, flops=None)
    m.node("result", "Identity", function, ["(n, n)"], [square], 21)
    previous = m.node("odd/start", "Const", odd, ["(2, 3)"], size=24, flops=1.5e12)
    for name in HOSTILE:
        previous = m.node(name, "Identity", odd, ["(2, 3)"], [previous], size=24, device="/<job>:\"a\"/0")
    big = m.node("big", "Fill", odd, ["(65536, 16384)"], [previous], size=4 << 30, flops=1e9)
    m.node("several", "Split", odd, ["(?, 3)", "(2, ?)", "<unknown>", "(n - 1, 2*n)"], [big])
    m.node("alone", "NoOp", None, [], control=[square])
    m.node(LONG + "_2", "NoOp", m.group("y" * 10_000, odd), [])
    diff = ("--- a/train.py\n+++ b/train.py\n@@ -14 +14 @@\n-out = tf.matmul(z, tf.ones([11, 3]))\n"
            "+out = tf.matmul(z, tf.ones([10, 3]))\n")
    return {
        "version": 2, "shapeflow": "0.0.0", "script": "train.py", "title": "train.py", "collapsed": False,
        "files": [{"path": "train.py", "lines": dict(LINES)}],
        "groups": m.groups, "nodes": m.nodes, "edges": m.edges,
        "findings": [
            {"node": failing, "code": "SF101", "error": True,
             "message": "Dimensions must be equal, but are 10 and 11 for 'MatMul_1' (op: 'MatMul') with "
                        "input shapes: [?,10], [11,3].",
             "place": {"file": 0, "line": 14, "column": 6},
             "operands": [{"name": "a", "shape": "(batch, 10)", "input": 0, "node": joined},
                          {"name": "b", "shape": "(11, 3)", "input": 1, "node": ones}],
             "chains": [{"operand": 0, "axis": 1, "dim": "10",
                         "nodes": [failing, joined, yes, branch, leave, switch, merge[1], enter[1], relu,
                                   add, product, w]},
                        {"operand": 1, "axis": 0, "dim": "11", "nodes": [failing, ones]}],
             "fix": {"title": "write 10 instead of 11 </script>", "diff": diff}},
            {"node": None, "code": "SF401", "error": False, "message": "<script>alert(3)</script>",
             "place": None, "operands": [], "chains": [], "fix": None},
        ],
        "runs": [
            {"first": 1, "count": 468, "feeds": {"x:0": "(128, 784)"}, "fetches": ["MatMul_1:0"],
             "shapes": {str(x): ["(128, 784)"], str(product): ["(128, 10)"], str(add): ["(128, 10)"],
                        str(relu): ["(128, 10)"], str(joined): ["(128, 10)", "()"]}},
            {"first": 469, "count": 1, "feeds": {"x:0": "(96, 784)"}, "fetches": ["MatMul_1:0"],
             "shapes": {str(x): ["(96, 784)"], str(product): ["(96, 10)"], str(add): ["(96, 10)"],
                        str(relu): ["(96, 10)"], str(joined): ["(96, 10)", "()"]}},
        ],
    }


def many(count):
    """A document of `count` nodes in layers of scopes: for what must stay quick."""
    m = _Maker()
    per = 20
    previous = None
    for i in range(count):
        if i % (per * 50) == 0:
            block = m.group(f"block{i // (per * 50)}")
        if i % per == 0:
            inner = m.group(f"layer{i // per}", block)
        inputs = [] if previous is None else [previous]
        if i % 7 == 0 and i > 30:
            inputs.append(i - 30)
        previous = m.node(f"{m.groups[inner]['path']}/op{i}", "AddV2" if len(inputs) > 1 else "Relu", inner,
                          ["(n, 64)"], inputs)
    return {"version": 2, "shapeflow": "0.0.0", "script": "many.py", "title": "many.py",
            "collapsed": count > 20_000, "files": [], "groups": m.groups, "nodes": m.nodes,
            "edges": m.edges, "findings": [], "runs": []}
