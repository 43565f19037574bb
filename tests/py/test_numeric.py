"""`shapeflow numeric`: which operations are suspects, which are not, and what is said of them."""
import json
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from shapeflow.numeric import feeds

HEAD = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 3])
W = tf.Variable(tf.zeros([4, 3]))
logits = tf.matmul(x, W)
p = tf.nn.softmax(logits)
"""
TAIL = """
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    s.run(train, {x: FED, y: np.eye(3, dtype="float32")})
"""


def numeric(tmp_path, program, *options):
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "shapeflow", "numeric", *options, str(path)], cwd=tmp_path,
                          capture_output=True, text=True)
    return done


def suspects(tmp_path, lines, fed="np.random.rand(3, 4) + 0.5"):
    program = HEAD + textwrap.dedent(lines) + TAIL.replace("FED", fed)
    done = numeric(tmp_path, program, "--json")
    document = json.loads(done.stdout)
    assert done.returncode == int(bool(document["suspects"])), done.stderr
    return document["suspects"]


def told(found):
    return [(s["op"], s["condition"], s["in_gradient"]) for s in found]


@pytest.mark.parametrize("lines, expected", [
    ("loss = -tf.reduce_sum(y * tf.log(p))", [("Log", "nonpositive", False)]),
    ("loss = tf.reduce_sum(tf.exp(logits))", [("Exp", "overflow", False)]),
    ("loss = tf.reduce_mean(1 / logits)", [("RealDiv", "zero", False)]),
    ("loss = tf.sqrt(tf.reduce_sum(logits))", [("Sqrt", "negative", False)]),
    ("loss = tf.sqrt(tf.reduce_sum(tf.square(W)))", [("Sqrt", "zero", True)]),
    ("loss = tf.reduce_sum(tf.acos(p))", [("Acos", "at_unit_boundary", True)]),
    ("loss = tf.reduce_sum(tf.log1p(-p))", [("Log1p", "nonpositive", False)]),
    ("loss = tf.reduce_sum(tf.rsqrt(p))", [("Rsqrt", "nonpositive", False)]),
    ("loss = tf.reduce_sum(tf.pow(p, 0.5))", [("Pow", "zero", True)]),
    ("loss = tf.reduce_sum(tf.pow(p, -0.5))", [("Pow", "zero", False)]),
    ("loss = tf.reduce_sum(tf.log(p + 1e-50))", [("Log", "nonpositive", False)]),  # 1e-50 is 0 in float32
    # Kernels flush what is subnormal to zero: the real one gives -inf and inf here.
    ("loss = tf.reduce_sum(tf.log(p + 1e-40))", [("Log", "nonpositive", False)]),
    ("loss = tf.reduce_sum(tf.log(tf.maximum(p, 1e-40)))", [("Log", "nonpositive", False)]),
    ("loss = tf.reduce_sum(tf.log(tf.clip_by_value(p, 1e-42, 1.0)))", [("Log", "nonpositive", False)]),
    ("loss = tf.reduce_sum(1 / (tf.abs(W) + 1e-39))", [("RealDiv", "zero", False)]),
    ("loss = tf.reduce_sum(1 / (1e-40 + tf.nn.relu(tf.cast(W, tf.bfloat16))))", [("RealDiv", "zero", False)]),
    ("loss = tf.reduce_sum(tf.log(tf.maximum(tf.cast(p, tf.float64), 1e-310)))",
     [("Log", "nonpositive", False)]),
    ("loss = tf.reduce_sum(tf.log(tf.random_uniform([], 1e-40, 1.0)) * tf.reduce_sum(W))",
     [("Log", "nonpositive", False)]),
    ("loss = tf.reduce_sum(W) + tf.cast(tf.log(tf.cast(tf.constant(1e-40), tf.float64)), tf.float32)",
     [("Log", "nonpositive", False)]),
    ("loss = tf.reduce_sum(tf.log(1 - tf.sigmoid(logits)))", [("Log", "nonpositive", False)]),
    ("loss = tf.reduce_sum(tf.log((1 - 1e-8) - p))", [("Log", "nonpositive", False)]),
    ("loss = tf.reduce_sum(tf.matrix_inverse(tf.matmul(W, W, transpose_b=True)))",
     [("MatrixInverse", "singular", False)]),
    ("loss = tf.reduce_sum(tf.reduce_mean(logits) / (tf.reduce_max(logits) - tf.reduce_min(logits)))",
     [("RealDiv", "zero", False)]),
    ("loss = tf.reduce_sum(tf.sqrt(tf.reduce_max(tf.matmul(W, W, True), 0) - tf.reduce_min(W, 1) + 1e-6))",
     [("Sqrt", "negative", False)]),  # of different groups
])
def test_what_may_break_is_a_suspect(tmp_path, lines, expected):
    assert told(suspects(tmp_path, lines)) == expected


@pytest.mark.parametrize("value, breaks", [
    ("1e-30", False), ("1e-40", True), ("1e-50", True), ("np.float32(1e-40)", True)])
@pytest.mark.parametrize("others", ["[1.0]", "[-1.0, 1.0]"])
def test_subnormal_data_may_be_zero(tmp_path, value, breaks, others):
    found = suspects(tmp_path, "loss = tf.reduce_sum(W) * tf.reduce_sum(1 / x)",
                     f"np.array({others} * 6)[:4].reshape(1, 4) * [1, 1, 1, {value}]")
    assert told(found) == [("RealDiv", "zero", False)] * breaks


@pytest.mark.parametrize("lines", [
    "loss = -tf.reduce_sum(y * tf.log(tf.clip_by_value(p, 1e-10, 1.0)))",
    "loss = -tf.reduce_sum(y * tf.log(p + 1e-10))",
    "loss = -tf.reduce_sum(y * tf.log(tf.maximum(p, 1.2e-38)))",  # the least normal number is 1.18e-38
    "loss = tf.reduce_sum(1 / tf.maximum(tf.cast(p, tf.float16), 1e-4))",
    "loss = tf.reduce_sum(tf.log(tf.maximum(tf.cast(p, tf.float16), 1e-7)))",  # float16 keeps it
    "loss = tf.reduce_sum(tf.log(tf.maximum(tf.cast(p, tf.float64), 1e-300)))",
    "loss = tf.reduce_sum(tf.log(p * 1.0 + 1e-37))",
    "loss = -tf.reduce_sum(y * tf.nn.log_softmax(logits))",
    "loss = tf.reduce_sum(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))",
    "loss = tf.reduce_sum(tf.sqrt(tf.reduce_sum(tf.square(W), 1) + 1e-12))",
    "loss = tf.reduce_mean(logits / (1e-6 + tf.reduce_sum(tf.abs(logits), 1, keepdims=True)))",
    "loss = tf.reduce_mean(tf.log(x) * tf.reduce_sum(W))",  # the data are above 0
    "loss = tf.reduce_mean(tf.div_no_nan(x, tf.reduce_sum(W)))",
    """
    z = logits - tf.reduce_max(logits, 1, keepdims=True)
    loss = tf.reduce_mean(tf.log(tf.reduce_sum(tf.exp(z), 1)))
    """,
    """
    z = tf.exp(logits - tf.reduce_max(logits, axis=1, keepdims=True))
    q = z / tf.reduce_sum(z, 1, keepdims=True)
    loss = tf.reduce_sum(tf.log(q + 1e-6) + tf.log(1.1 - q))
    """,
    """
    mean, variance = tf.nn.moments(logits, [0])
    loss = tf.reduce_mean(tf.nn.batch_normalization(logits, mean, variance, None, None, 1e-3))
    """,
    "loss = tf.reduce_mean(tf.layers.batch_normalization(logits, training=True))",
    "loss = tf.reduce_mean(tf.acos(0.999 * tf.nn.l2_normalize(logits, 1)))",
    "loss = tf.reduce_sum(tf.log(tf.nn.softplus(logits) + 0.1))",
    "loss = tf.reduce_sum(tf.pow(logits, 2)) + tf.reduce_sum(logits ** 3)",
    "loss = tf.reduce_sum(logits) / tf.cast(tf.shape(W)[0], tf.float32)",
    "loss = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))",
    "loss = tf.reduce_sum(tf.clip_by_norm(logits, 1.0))",
    "loss = tf.reduce_sum(tf.log(logits - tf.reduce_min(logits, 1, keepdims=True) + 1e-3))",
    "loss = tf.reduce_mean(logits) / (tf.reduce_max(logits) - tf.reduce_min(logits) + 1e-6)",
    "loss = tf.reduce_sum(tf.sqrt(tf.reduce_max(logits, 0) - tf.reduce_min(logits, 0) + 1e-6))",
])
def test_what_cannot_break_is_none(tmp_path, lines):
    assert told(suspects(tmp_path, lines)) == []


@pytest.mark.parametrize("updates, expected", [
    ("tf.square(rows)", []),  # added to zeros any number of times
    ("rows", [("Sqrt", "negative", False)]),
])
def test_what_is_added_to_rows_of_a_variable(tmp_path, updates, expected):
    lines = f"""
    rows = tf.gather(W, [0, 0])
    v = tf.Variable(tf.zeros([4, 3]), trainable=False)
    added = tf.scatter_add(v, [0, 0], {updates})
    loss = tf.reduce_sum(logits) + tf.stop_gradient(tf.reduce_sum(tf.sqrt(added)))
    """
    assert told(suspects(tmp_path, lines)) == expected


def test_adam_on_rows_takes_no_root_below_zero(tmp_path):
    program = HEAD + """
rows = tf.nn.embedding_lookup(tf.Variable(tf.zeros([9, 3])), [1, 1])
step = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(rows))
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    s.run(step)
"""
    assert told(json.loads(numeric(tmp_path, program, "--json").stdout)["suspects"]) == []


def test_real_data_bound_what_is_fed(tmp_path):
    loss = "loss = tf.reduce_mean(tf.exp(x) * tf.reduce_sum(W))"
    assert told(suspects(tmp_path, loss)) == []
    assert told(suspects(tmp_path, loss, "1000 * np.random.rand(3, 4)")) == [("Exp", "overflow", False)]


def test_probabilities_that_come_back_are_no_data(tmp_path):
    """A softmax that was fetched is made up: 1/3 each."""
    loss = "loss = tf.reduce_mean(tf.reduce_sum(W) / x)"
    assert told(suspects(tmp_path, loss, "np.full((3, 4), 1 / 3)")) == [("RealDiv", "zero", False)]
    assert told(suspects(tmp_path, loss, "np.full((3, 4), 0.9)")) == []


def test_nan_in_the_data_is_said_as_that(tmp_path):
    found = suspects(tmp_path, "loss = tf.reduce_sum(logits)", "np.full((3, 4), np.nan)")
    assert [(s["condition"], s["code"]) for s in found] == [("nan_in_data", "SF603")]
    assert found[0]["line"] > 0


@pytest.mark.parametrize("line, is_said", [
    ("c = tf.constant(np.array([1.0, np.nan], 'float32')); loss = tf.reduce_sum(W) * tf.reduce_sum(c)", True),
    ("c = tf.constant(np.array([1.0, np.nan], 'float32')); "
     "loss = tf.reduce_sum(W) * tf.reduce_sum(tf.where(tf.is_nan(c), tf.ones_like(c), c))", False),
    ("c = tf.constant(np.nan); loss = tf.reduce_sum(tf.where(W > 9, W * 0 + c, W))", False),  # is meant so
])
def test_nan_in_a_constant_is_said_as_that(tmp_path, line, is_said):
    found = suspects(tmp_path, line)
    assert [s["line"] for s in found if s["code"] == "SF603"] == [8] * is_said


def test_a_suspect_has_its_line_what_bounds_it_and_a_fix_that_was_tried(tmp_path):
    found, = suspects(tmp_path, "loss = -tf.reduce_sum(y * tf.log(p))")
    assert (found["line"], found["column"], found["code"], found["dtype"]) == (8, 27, "SF601", "float32")
    assert found["interval"] == [0, 1]
    assert found["sources"][0]["op"] == "Softmax"
    assert found["sources"][-1]["why"].startswith("a variable that is trained")
    assert {"log_softmax", "clip"} <= {fix["kind"] for fix in found["fixes"]}


@pytest.mark.parametrize("lines, expected", [
    ("loss = tf.reduce_sum(logits) + tf.log(tf.random_normal([]) + 3)", 0.00135),
    ("loss = tf.reduce_sum(logits) + tf.log1p(tf.random_normal([], stddev=0.5))", 0.0228),
    ("loss = tf.reduce_sum(logits) + tf.acos(tf.random_normal([], stddev=0.5))", 0.0455),
    ("loss = tf.reduce_sum(logits) + tf.log(tf.get_variable('a', [], trainable=False,"
     "    initializer=tf.random_normal_initializer(3., 1.)))", 0.00135),
    ("loss = tf.reduce_sum(logits) + tf.log(tf.random_normal([]) * tf.random_normal([]))", None),
    ("loss = tf.reduce_sum(logits) + 1 / tf.random_normal([])", None),
    ("loss = tf.reduce_sum(logits) + tf.log(tf.get_variable('a', [],"
     "    initializer=tf.random_normal_initializer(3., 1.)))", None),  # trained: any number
])
def test_where_a_normal_number_breaks_it_its_probability_is_said(tmp_path, lines, expected):
    [suspect] = suspects(tmp_path, lines)
    assert suspect["chance"] == (expected if expected is None else pytest.approx(expected, rel=0.01))


def test_a_variable_that_is_not_trained_has_the_interval_of_its_initial_value(tmp_path):
    [suspect] = suspects(tmp_path, """\
        a = tf.get_variable("a", [], trainable=False, use_resource=True,
                            initializer=tf.random_uniform_initializer(-3., 1.))
        loss = tf.reduce_sum(logits) + tf.log(a)
        """)
    assert [(s["op"], s["why"]) for s in suspect["sources"]][:1] == [("VarHandleOp", "[-3, 1]")]


def test_a_bound_next_to_minus_one_is_said_in_full(tmp_path):
    [suspect] = suspects(tmp_path, "loss = tf.reduce_sum(tf.log1p(logits))")
    assert "tf.maximum(x, -0.9999999)" in [fix["title"] for fix in suspect["fixes"]]


def test_the_epsilon_is_of_the_dtype(tmp_path):
    lines = "loss = tf.cast(tf.reduce_sum(tf.log(tf.cast(p, tf.float16) + 1e-8)), tf.float32)"
    found, = suspects(tmp_path, lines)  # 1e-8 is 0 in float16
    assert (found["op"], found["dtype"]) == ("Log", "float16")
    assert any("0.001" in fix["title"] for fix in found["fixes"])


def test_text_and_markdown(tmp_path):
    program = HEAD + "loss = -tf.reduce_sum(y * tf.log(p))" + TAIL.replace("FED", "np.ones((3, 4))")
    text = numeric(tmp_path, program).stdout
    assert "program.py:8: operand 0 of Log may be zero: it is in [0, 1] [SF601]" in text
    assert "1 suspect on 1 line" in text
    assert "### `program.py:8`: SF601" in numeric(tmp_path, program, "--format", "md").stdout


def test_a_script_with_findings_is_analysed_as_far_as_it_is(tmp_path):
    program = HEAD + "loss = tf.log(p)" + TAIL.replace("FED", "np.ones((3, 4))") + "tf.matmul(y, W)\n"
    done = numeric(tmp_path, program, "--json")
    assert done.returncode == 1
    assert told(json.loads(done.stdout)["suspects"]) == [("Log", "nonpositive", False)]


@pytest.mark.parametrize("program, expected", [
    ("import tensorflow as tf\nx = (1\n", []),
    ("import tensorflow as tf\ny = tf.log(tf.placeholder(tf.float32, [3]))\nraise RuntimeError('no')\n",
     [("Log", "nonpositive", False)]),
])
def test_a_script_that_cannot_be_run_to_its_end_has_the_suspects_before_it(tmp_path, program, expected):
    done = numeric(tmp_path, program, "--json")
    assert told(json.loads(done.stdout)["suspects"]) == expected
    assert done.returncode == 3 and "could not be run to its end" in done.stderr
    if not expected:  # nothing was seen is not that nothing breaks
        text = numeric(tmp_path, program).stdout
        assert text == "no operation was seen: nothing is known of its numbers\n"


def test_complex_numbers_integers_and_text_have_no_suspects_but_what_comes_of_them(tmp_path):
    program = """
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.complex64, [None, 3])
whole = tf.placeholder(tf.int32, [3])
words = tf.string_join([tf.placeholder(tf.string, [2]), "a"])
out = [tf.log(x) / x, tf.fft(x), 7 // whole,
       tf.log(tf.abs(x)),
       tf.log(tf.string_to_number(words)),
       tf.log(tf.to_float(whole))]
with tf.Session() as session:
    session.run([*out[:2], out[3]], {x: np.full([2, 3], 1 + 1j)})
"""
    found = json.loads(numeric(tmp_path, program, "--json").stdout)["suspects"]
    assert [(s["line"], s["op"]) for s in found] == [(8, "Log"), (9, "Log"), (10, "Log")]


def test_a_script_goes_on_without_its_data(tmp_path):
    program = """
with open("images.bin", "rb") as stream:
    magic = int.from_bytes(stream.read(4), "big")
if magic != 2051:
    raise ValueError("Invalid magic number %d" % magic)
""" + HEAD + "loss = tf.log(p)" + TAIL.replace("FED", "np.random.rand(3, 4)")
    done = numeric(tmp_path, program, "--json")
    assert told(json.loads(done.stdout)["suspects"]) == [("Log", "nonpositive", False)], done.stderr
    assert done.returncode == 1


def check(tmp_path, program, *options):
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    return subprocess.run([sys.executable, "-m", "shapeflow", "check", "--format", "concise", *options,
                           "program.py"], cwd=tmp_path, capture_output=True, text=True)


def test_check_warns_when_it_is_asked_to(tmp_path):
    program = HEAD + "loss = -tf.reduce_sum(y * tf.log(p))" + TAIL.replace("FED", "np.random.rand(3, 4)")
    assert "SF601" not in check(tmp_path, program).stdout
    done = check(tmp_path, program, "--numeric")
    assert "program.py:8:27" in done.stdout and "SF601" in done.stdout and done.returncode == 0
    assert check(tmp_path, program, "--numeric", "--strict").returncode == 1
    (tmp_path / "pyproject.toml").write_text("[tool.shapeflow]\nnumeric = true\n", encoding="utf-8")
    assert "SF601" in check(tmp_path, program).stdout
    assert "SF601" not in check(tmp_path, program.replace("tf.log(p)", "tf.nn.log_softmax(p)")).stdout


def test_no_edit_is_tried_for_a_suspect(tmp_path):
    program = HEAD + "loss = -tf.reduce_sum(y * tf.log(p))" + TAIL.replace("FED", "np.random.rand(3, 4)")
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "shapeflow", "check", "--numeric", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "SF601" in done.stdout and "tried" not in done.stdout  # a trial follows no numbers


def test_a_tensor_and_its_copy_of_another_unknown_shape_are_not_one(tmp_path):
    program = """
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32)
turned = tf.reshape(x, tf.placeholder_with_default([3, 1], None))
one = tf.log(0.5 + (x - x))
other = tf.log(0.5 + (x - turned))
with tf.Session() as s:
    s.run([one, other], {x: np.array([[0.1, 0.5, 0.9]])})
"""
    found = json.loads(numeric(tmp_path, program, "--json").stdout)["suspects"]
    assert [(s["line"], s["op"]) for s in found] == [(7, "Log")]


def test_infinite_bounds_are_texts_in_json(tmp_path):
    found, = suspects(tmp_path, "loss = tf.reduce_sum(tf.exp(logits))")
    assert found["interval"] == ["-inf", "inf"]


@pytest.mark.parametrize("array, bounds", [
    ([0.5, 2.0], (0.5, 2, 0)), ([-1.0, 2.0], (-1, 2, feeds.INTEGERS)),
    ([0.0, 2.5], (0, 2.5, feeds.ZERO)), ([-1.5, 0.0, 2.0], (-1.5, 2, feeds.ZERO)),
    ([float("nan"), 1.5], (1.5, 1.5, feeds.NAN)),
    ([float("inf"), -1.5, 0], (-1.5, 0, feeds.PINF | feeds.ZERO)),
    ([float("-inf"), 3.0], (3, 3, feeds.NINF | feeds.INTEGERS)), ([[1.0] * 70 + [1.5]], (1, 1.5, 0)),
    ([-2, 0, 7], (-2, 7, feeds.INTEGERS | feeds.ZERO)), ([float("nan")], None),
])
def test_bounds_of_what_is_fed(array, bounds):
    assert feeds.bounds(np.array(array)) == bounds


@pytest.mark.parametrize("dtype", [None, "float32_ref", "float32", "float16", "int32", "longdouble"])
def test_a_zero_among_what_is_fed_is_seen_whatever_the_dtype(dtype):
    from shapeflow import _core

    fed = feeds._Fed(None if dtype in (None, "longdouble") else _core.as_dtype(dtype))
    fed.add(np.array([-1, 0, 1], "longdouble" if dtype == "longdouble" else "float64"))
    assert fed.flags & feeds.ZERO
