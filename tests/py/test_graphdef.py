"""Graph files: the reader of GraphDefs and `shapeflow check model.pb`."""
import json
import subprocess
import sys
import time

import pytest

import shapeflow
from graphdef_bytes import (
    T,
    attr,
    const,
    field,
    func,
    function,
    graph,
    ints,
    meta_graph,
    node,
    placeholder,
    saved_model,
)
from shapeflow import _core
from shapeflow.tensorflow.python.framework.message_errors import DecodeError

F = T("float")


def load(data, **options):
    """({name: shapes}, findings) of a GraphDef."""
    g = _core.Graph()
    _core.clear_findings()
    _core.import_graph_def(data, g, keep_going=True, **options)
    found = [*_core.findings(), *_core.other_findings()]
    _core.clear_findings()
    assert g._verify() is None
    shapes = {op.name: [None if o.shape.rank is None else o.shape.as_list() for o in op.outputs]
              for op in g.get_operations()}
    return shapes, found


def codes(found):
    return [(f.code, f.node_name) for f in found]


def test_nodes_are_inferred_in_topological_order():
    shapes, found = load(graph(
        node("y", "MatMul", "x", "w", T=F),
        node("w", "Relu", "v", T=F), placeholder("v", (784, 10)), placeholder("x", (None, 784)),
    ))
    assert found == []
    assert shapes == {"y": [[None, 10]], "w": [[784, 10]], "v": [[784, 10]], "x": [[None, 784]]}


def test_an_error_is_found_at_its_node_and_the_rest_is_inferred():
    shapes, found = load(graph(
        placeholder("x", (None, 784)), placeholder("w", (512, 10)), placeholder("b", (3, 4)),
        node("dense/MatMul", "MatMul", "x", "w", T=F), node("r", "Relu", "dense/MatMul", T=F),
        node("s", "Add", "b", "v", T=F), placeholder("v", (5,)),
    ))
    assert codes(found) == [("SF101", "dense/MatMul"), ("SF101", "s")]
    assert shapes["dense/MatMul"] == [None] and shapes["r"] == [None]
    assert [o["producer"] for o in found[0].operands] == ["x", "w"]


def test_constants_decide_shapes():
    values = field(7, b"\x02\x03")
    shapes, found = load(graph(
        placeholder("x", (None, 6)),
        const("typed", "int32", (3,), field(7, b"\x02\x03")),  # the last one is repeated
        const("raw", "int32", (2,), field(4, b"\x03\0\0\0\xfe\xff\xff\xff")),
        const("minus", "int64", (2,), field(10, b"\x04"), field(10, 2 ** 64 - 1)),
        const("big", "float", (1000, 1000), field(5, 1.0)),
        node("a", "Fill", "typed", "one", T=F), const("one", "float", (), field(5, 1.0)),
        node("b", "Reshape", "x", "minus", T=F, Tshape=T("int64")),
        node("c", "Transpose", "a", "perm", T=F), ints("perm", 2, 0, 1),
    ))
    assert values and found == []
    assert shapes["a"] == [[2, 3, 3]] and shapes["b"] == [[4, None]] and shapes["c"] == [[3, 2, 3]]
    assert shapes["big"] == [[1000, 1000]] and shapes["raw"] == [[2]]


def test_outputs_by_number_and_control_edges():
    shapes, found = load(graph(
        placeholder("x", (4, 6)), ints("axis1", 1), const("axis", "int32", (), field(7, 1)),
        node("s", "Split", "axis", "x", T=F, num_split=3),
        node("r", "Relu", "s:2", "^x", "^axis1", T=F, device="/cpu:0"),
    ))
    assert found == [] and shapes["s"] == [[4, 2]] * 3 and shapes["r"] == [[4, 2]]


def test_unknown_ops_are_unknown_with_one_notice():
    shapes, found = load(graph(
        placeholder("x", (4, 6)),
        node("m", "MyOp", "x", key=1), node("n", "MyOp", "m:3"), node("t", "Relu", "m:2", T=F),
        node("i", "Cast", "n", SrcT=T("int32"), DstT=F), node("a", "Add", "t", "x", T=F),
        node("k", "Shape", "m:1", T=T("string")),
    ))
    assert [(f.code, f.severity) for f in found] == [("SF901", "note")]
    assert "MyOp" in found[0].message
    assert shapes["m"] == [None] * 4 and shapes["t"] == [None] and shapes["a"] == [None]


def test_attrs_that_are_newer_than_us_are_tolerated():
    shapes, found = load(graph(
        placeholder("x", (4, 6)),
        node("r", "Relu", "x", T=F, _class=["loc:@x"], brand_new=3, _output_shapes=[(4, 6)]),
        node("s", "Relu", "x", T=field(9, "T")),  # a placeholder of a generic function
    ))
    assert found == [] and shapes["r"] == [[4, 6]] and shapes["s"] == [None]


@pytest.mark.parametrize("nuls, rest", [*((n, 0) for n in range(1, 18)), (1, 1), (1, 50_000_000)])
def test_an_attr_with_a_nul_in_its_key_is_another_attr(nuls, rest):
    tail = b"\0" * nuls + b"T" * rest

    def entry(key, value):
        return field(5, field(1, key) + field(2, attr(value)))

    x = node("x", "Placeholder", dtype=F) + entry(b"dtype" + tail, T("int32"))
    y = node("y", "Placeholder") + entry(b"dtype" + tail, F)
    shapes, found = load(graph(x, y, node("r", "Relu", "x", T=F) + entry(b"_output_shapes" + tail, [(3,)])))
    assert codes(found) == [("SF202", "y")] and shapes["r"] == [None]


def test_declared_shapes_refine_and_never_contradict():
    shapes, found = load(graph(
        placeholder("x", None),
        node("r", "Relu", "x", T=F, _output_shapes=[(None, 6)]),
        node("s", "Relu", "r", T=F, _output_shapes=[(4, 7)]),
    ))
    assert found == [] and shapes["r"] == [[None, 6]] and shapes["s"] == [[None, 6]]


def test_a_placeholder_of_an_old_file_says_nothing_with_an_empty_shape():
    assert load(graph(placeholder("x", ()), producer=21))[0]["x"] == [None]
    assert load(graph(placeholder("x", ()), producer=24))[0]["x"] == [[]]


LOOP = [
    const("zero", "int32", (), field(7, 0)), placeholder("h", (None, 3)),
    node("ei", "Enter", "zero", T=T("int32"), frame_name="f"),
    node("eh", "Enter", "h", T=F, frame_name="f"),
    node("mi", "Merge", "ei", "ni", T=T("int32"), N=2),
    node("mh", "Merge", "eh", "nh", T=F, N=2),
    node("n", "Const", "^mi", dtype=T("int32"), value=field(8, field(1, 3) + field(7, 5))),
    node("less", "Less", "mi", "n", T=T("int32")), node("cond", "LoopCond", "less"),
    node("si", "Switch", "mi", "cond", T=T("int32")), node("sh", "Switch", "mh", "cond", T=F),
    node("one", "Const", "^si", dtype=T("int32"), value=field(8, field(1, 3) + field(7, 1))),
    node("ai", "Add", "si:1", "one", T=T("int32")), node("ni", "NextIteration", "ai", T=T("int32")),
    node("th", "Tanh", "sh:1", T=F), node("nh", "NextIteration", "th", T=F),
    node("out", "Exit", "sh", T=F),
]


def test_loops_of_version_1_are_no_cycles():
    shapes, found = load(graph(*LOOP))
    assert found == [] and shapes["mi"] == [None, []] and len(shapes) == len(LOOP)


@pytest.mark.parametrize("nodes, code, name, words", [
    ([node("a", "Relu", "b", T=F), node("b", "Relu", "a", T=F)], "SF304", "a", "a cycle with 2 nodes"),
    ([node("a", "Relu", "nowhere", T=F)], "SF208", "a", "Unknown input node 'nowhere'"),
    ([node("a", "Relu", "x:1", T=F)], "SF208", "a", "invalid output 'x:1'"),
    ([node("a", "Relu", "x", "^gone", T=F)], "SF208", "a", "'^gone'"),
    ([placeholder("x", (1,))], "SF208", "x", "not unique"),
    ([node("a", "Relu", "x", T=T("int32"))], "SF202", "a", "type"),
    ([node("a", "Conv2D", "x", "x", T=F, strides=[1, 1, 1, 1], padding="WRONG")], "SF203", "a",
     "padding"),
])
def test_what_is_wrong_with_a_graph_is_a_finding(nodes, code, name, words):
    shapes, found = load(graph(placeholder("x", (4, 6)), *nodes, node("after", "Relu", "x", T=F)))
    assert [f.code for f in found] == [code], found
    assert found[0].node_name == name and words in found[0].message
    assert shapes["after"] == [[4, 6]]


# --- functions ----------------------------------------------------------------------------------
def body(name="f", op="MatMul"):
    return function(name, {"a": "float", "b": "float"}, {"out": "float"},
                    [node("mul", op, "a", "b", T=F), node("act", "Relu", "mul:product:0", T=F)],
                    {"out": "act:activations:0"})


def call(name, *inputs, f="f"):
    return node(name, "StatefulPartitionedCall", *inputs, Tin=[F] * len(inputs), Tout=[F], f=func(f))


def test_calls_are_inferred_through_the_body():
    shapes, found = load(graph(
        placeholder("x", (None, 784)), placeholder("w", (784, 10)), placeholder("v", (784, 20)),
        call("c", "x", "w"), call("d", "x", "v"), functions=[body()]))
    assert found == [] and shapes["c"] == [[None, 10]] and shapes["d"] == [[None, 20]]


def test_keeping_the_calls_of_many_functions_is_not_quadratic():
    many = range(20000)
    inner = function("g", {"a": "float"}, {"out": "float"}, [node("r", "Relu", "a", T=F)],
                     {"out": "r:activations:0"})
    data = graph(placeholder("x", (2, 3)), *[call(f"c{i}", "x", f=f"f{i}") for i in many], functions=[
        inner, *[function(f"f{i}", {"a": "float"}, {"out": "float"}, [call("in", "a", f="g")],
                          {"out": "in:output:0"}) for i in many]])

    def import_it(calls):
        start = time.process_time()
        made = _core.import_graph_def(data, _core.Graph(), calls=calls)
        return time.process_time() - start, made.get("calls")

    plain, kept = import_it(False), import_it(True)
    assert plain[1] is None and len(kept[1]) == 20001  # the calls of "g" have one body
    assert kept[0] < 3 * plain[0] + .2  # it was 5


def test_an_error_in_a_body_is_at_the_node_that_calls():
    _, found = load(graph(placeholder("x", (None, 784)), placeholder("w", (512, 10)),
                          call("c", "x", "w"), functions=[body()]))
    assert codes(found) == [("SF101", "c/mul")]


def test_recursion_ends():
    rec = function("f", {"a": "float", "b": "float"}, {"out": "float"}, [call("again", "a", "b")],
                   {"out": "again:output:0"})
    shapes, found = load(graph(placeholder("x", (2, 3)), call("c", "x", "x"), functions=[rec]))
    assert found == [] and shapes["c"] == [None]


def test_branches_are_joined_and_what_fails_in_one_may_not_run():
    def branch(name, dims):
        return function(name, {"a": "float"}, {"out": "float"},
                        [ints("s", *dims), const("z", "float", (), field(5, 0.0)),
                         node("fill", "Fill", "s:output:0", "z:output:0", T=F),
                         node("add", "Add", "fill:output:0", "a", T=F)],
                        {"out": "fill:output:0"})
    cond = {"Tcond": T("bool"), "Tin": [F], "Tout": [F], "then_branch": func("t"),
            "else_branch": func("e")}
    parts = [placeholder("p", (), "bool"), placeholder("x", (7,)), node("c", "If", "p", "x", **cond)]
    shapes, found = load(graph(*parts, functions=[branch("t", (3, 2)), branch("e", (4, 2))]))
    assert found == [] and shapes["c"] == [[None, 2]]
    parts[0] = const("p", "bool", (), field(11, True))
    shapes, found = load(graph(*parts, functions=[branch("t", (3, 2)), branch("e", (4, 2))]))
    assert codes(found) == [("SF101", "c/add")] and shapes["c"] == [[3, 2]]


def test_the_shape_of_a_loop_holds_for_every_turn():
    types = {"i": "int32", "h": "float"}
    cond = function("cond", types, {"go": "bool"}, [
        const("n", "int32", (), field(7, 5)), node("less", "Less", "i", "n:output:0", T=T("int32"))],
        {"go": "less:z:0"})
    step = function("step", types, {"j": "int32", "k": "float"}, [
        const("one", "int32", (), field(7, 1)), node("add", "Add", "i", "one:output:0", T=T("int32")),
        const("axis", "int32", (), field(7, 0)),
        node("cat", "ConcatV2", "h", "h", "axis:output:0", T=F, N=2, Tidx=T("int32"))],
        {"j": "add:z:0", "k": "cat:output:0"})
    shapes, found = load(graph(
        const("zero", "int32", (), field(7, 0)), placeholder("h", (2, 3)),
        node("w", "While", "zero", "h", T=[T("int32"), F], cond=func("cond"), body=func("step")),
        functions=[cond, step]))
    assert found == [] and shapes["w"] == [[], [None, 3]]


# --- what is no GraphDef ------------------------------------------------------------------------
GOOD = graph(placeholder("x", (None, 784)), ints("i", 1, 2), call("c", "x", "x"), *LOOP[:1],
             functions=[body()])


def test_every_truncation_is_refused_or_read():
    for cut in range(len(GOOD)):
        try:
            load(GOOD[:cut])
        except ValueError as error:
            assert "not a GraphDef" in str(error)


@pytest.mark.parametrize("data", [
    b"\xff" * 20, b"\x0a\xff\xff\xff\xff\x0f", b"\x0a\x02\x0a\x7f", b"\x0b" * 1000,
    field(1, field(2, "Relu")), field(1, field(1, "a\0b") + field(2, "Relu")), b"\x00\x00",
])
def test_bytes_that_are_no_graphdef(data):
    with pytest.raises(ValueError, match="not a GraphDef"):
        load(data)


def test_a_small_file_may_not_ask_for_millions_of_outputs():
    many = [node("s%d" % i, "Split", "axis", "x", T=F, num_split=1 << 20) for i in range(40)]
    data = graph(placeholder("x", None), const("axis", "int32", (), field(7, 0)), *many)
    with pytest.raises(ValueError, match="more outputs"):
        load(data)


def test_there_is_an_end_to_findings():
    data = graph(placeholder("x", (2, 3)), *[node("n%d" % i, "MatMul", "x", "x", T=F) for i in range(1100)])
    with pytest.raises(ValueError, match="more than 1000 nodes are refused"):
        load(data)
    assert len(_core.findings()) == 1001


# --- the command --------------------------------------------------------------------------------
BAD = graph(placeholder("x", (None, 784)), placeholder("w", (512, 10)),
            node("dense/MatMul", "MatMul", "x", "w", T=F), node("m", "MyOp", "x"))


def check(*arguments):
    return subprocess.run([sys.executable, "-m", "shapeflow", "check", *map(str, arguments)],
                          capture_output=True, text=True, timeout=60)


def test_check_of_a_graph_file(tmp_path):
    path = tmp_path / "model.pb"
    path.write_bytes(BAD)
    done = check(path, "--format", "concise")
    assert done.returncode == 1
    assert done.stdout == (f"{path}: node 'dense/MatMul': error[SF101]: MatMul: "
                           "Dimensions must be equal, but are 784 and 512\n")
    assert "MyOp is not modelled" in done.stderr
    full = check(path).stdout
    assert "a: [batch, 784] float32, axis 1 is 784  (node 'x')" in full
    found = json.loads(check(path, "--format", "json").stdout)
    assert found["exit_status"] == 1 and found["findings"][0]["node_name"] == "dense/MatMul"


def test_exit_codes_of_graph_files(tmp_path):
    files = {"good.pb": (GOOD, 0), "bad.pb": (BAD, 1), "cut.pb": (GOOD[:50], 3),
             "m.meta": (meta_graph(BAD), 1), "empty.pb": (b"", 0)}
    for name, (data, status) in files.items():
        (tmp_path / name).write_bytes(data)
        assert check(tmp_path / name, "-q").returncode == status, name
    assert check(tmp_path / "gone.pb").returncode == 2


def test_check_of_a_saved_model(tmp_path):
    data = saved_model(meta_graph(GOOD), meta_graph(BAD, tags=["serve", "gpu"]))
    (tmp_path / "saved_model.pb").write_bytes(data)
    done = check(tmp_path, "--format", "concise")
    assert done.returncode == 1
    assert f"{tmp_path / 'saved_model.pb'} [serve,gpu]: node 'dense/MatMul': error[SF101]" in done.stdout


# --- the text format ----------------------------------------------------------------------------
TEXT = b"""
# as text_format.MessageToString writes it, and as people do
node {
  name: "x" op: 'Placeholder'
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 784 } } } }
}
node < name: "w" op: "Const"; attr { key: "dtype" value { type: DT_FLOAT } },
  attr: { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 512 } dim { size: 10 } }
      float_val: [-1.5e3, 2f, inf, - 3] } } } >
node { name: "dense/" "MatMul\\x31" op: "Mat\\115ul" input: ["x", "w"]
  experimental { [a.b/c.D] { k: [1, {}] } }
  attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 27 min_consumer: 12 }
"""


def test_the_text_format():
    data = _core.text_to_wire(TEXT, "graph")
    shapes, found = load(data)
    assert codes(found) == [("SF101", "dense/MatMul1")] and shapes["w"] == [[512, 10]]
    assert _core.text_to_wire(GOOD, "graph") is None


@pytest.mark.parametrize("text, words", [
    (b"node {\n name: 3 }", "line 2: 'name' cannot be a word"), (b"node {", "'}' is missing"),
    (b"node { name: \"a }", "does not end"), (b"node { name \"a\" }", "':' is missing"),
    (b"versions { producer: many }", "needs an integer"), (b"node { attr { value { f: x } } }", "a number"),
    (b"node: \"a\"", "is no string"), (b"node { name { } }", "is no message"), (b"= 3", "name of a field"),
    (b"a {" * 1000, "nested too deeply"), (b"node { input: ['a' 3] }", "',' or ']'"),
])
def test_mistakes_in_text_have_a_line(text, words):
    with pytest.raises(ValueError, match="line [0-9]+: ") as error:
        _core.text_to_wire(text, "graph")
    assert words in str(error.value)


def test_check_of_a_text_file(tmp_path):
    (tmp_path / "g.pbtxt").write_bytes(TEXT)
    (tmp_path / "bad.pbtxt").write_bytes(b"node {")
    done = check(tmp_path / "g.pbtxt", "--format", "concise")
    assert done.returncode == 1 and "node 'dense/MatMul1': error[SF101]" in done.stdout
    assert check(tmp_path / "bad.pbtxt").returncode == 3


# --- scripts ------------------------------------------------------------------------------------
@pytest.fixture
def tf():
    from shapeflow.tensorflow.compat import version_detection
    before = _core.get_version(), "eager" if _core.executing_eagerly() else "graph"
    version_detection.activate("1.15.0", "graph")
    yield shapeflow.compat.v1
    _core.clear_findings()
    version_detection.activate(*before)


NET = graph(placeholder("x", (None, 4)), placeholder("w", (4, 5)), node("y", "MatMul", "x", "w", T=F))


def test_import_graph_def(tf):
    with tf.Graph().as_default() as g:
        definition = tf.GraphDef()
        definition.ParseFromString(NET)
        y, x = tf.import_graph_def(definition, return_elements=["y:0", "x"])
        assert (y.name, y.shape.as_list(), x.type) == ("import/y:0", [None, 5], "Placeholder")
        mine = tf.placeholder(tf.float32, [7, 4])
        (z,) = tf.import_graph_def(definition, {"x:0": mine}, ["y:0"], name="net")
        assert z.name == "net/y:0" and z.shape.as_list() == [7, 5] and z.op.inputs[0] is mine
        again, = tf.import_graph_def(definition, return_elements=["y"], name="net")
        assert again.name == "net_1/y"
        tf.import_graph_def(definition, name="")
        assert tf.identity(z, name="y").name == "y_1:0"  # the imported name is taken
        assert g._verify() is None
        with pytest.raises(ValueError, match="already exists"):
            tf.import_graph_def(definition, name="")
        with pytest.raises(ValueError, match="'nope'"):
            tf.import_graph_def(definition, return_elements=["nope"])
        with pytest.raises(ValueError, match="Dimensions must be equal, but are 9 and 4"):
            tf.import_graph_def(definition, {"x:0": tf.zeros([2, 9])}, name="bad")
    with pytest.raises(TypeError, match="must be a GraphDef"):
        tf.import_graph_def("model.pb")


def test_a_graph_def_can_be_edited_and_written(tf):
    definition = tf.GraphDef()
    definition.ParseFromString(NET)
    assert definition.SerializeToString() == NET
    assert [(n.name, n.op, list(n.input)) for n in definition.node] == [
        ("x", "Placeholder", []), ("w", "Placeholder", []), ("y", "MatMul", ["x", "w"])]
    assert definition.node[2].attr["T"].type == 1 and definition.versions.producer == 2474
    definition.node[0].attr["shape"].shape.dim[1].size = 9
    assert load(definition.SerializeToString())[1][0].code == "SF101"
    del definition.node[0].attr["shape"]
    definition.node.add(name="r", op="Relu", input=["y"]).attr["T"].type = 1
    other = tf.GraphDef()
    other.CopyFrom(definition)
    assert other == definition and "name: \"r\"" in str(other)
    assert load(other.SerializeToString())[0]["r"] == [[None, 5]]
    with pytest.raises(DecodeError, match="Error parsing message"):
        other.ParseFromString(NET[:40])


def test_small_floats_are_written_as_they_are(tf):
    numbers = [0.0, -0.0, 1.0, -1.5, 65504.0, 2.0 ** -14, 2.0 ** -15, 3 * 2.0 ** -24, float("inf")]
    with tf.Graph().as_default() as g:
        tf.constant(numbers, tf.float16, name="half")
        tf.constant(numbers[:4] + [2.0 ** 100], tf.bfloat16, name="brain")
    definition = g.as_graph_def()
    bits = {n.name: list(n.attr["value"].tensor.half_val) for n in definition.node}
    assert bits["half"] == [0, 0x8000, 0x3c00, 0xbe00, 0x7bff, 0x0400, 0x0200, 3, 0x7c00]
    assert bits["brain"] == [0, 0x8000, 0x3f80, 0xbfc0, 0x7180]


def test_a_graph_is_written_and_read_again(tf):
    with tf.Graph().as_default() as g:
        x = tf.placeholder(tf.float32, [None, 6], name="x")
        tf.reshape(x, [-1, 2, 3], name="r")
        tf.split(x, 2, axis=1, name="s")
        tf.constant([[1.5, 2.5]] * 40, name="big")
        with tf.control_dependencies([x]):
            tf.one_hot([1, 2], 7, name="h")
    shapes, found = load(g.as_graph_def().SerializeToString())
    assert found == [] and shapes["r"] == [[None, 2, 3]] and shapes["s"] == [[None, 3]] * 2
    assert shapes["big"] == [[40, 2]] and shapes["h"] == [[2, 7]]
    assert set(shapes) == {op.name for op in g.get_operations()}
