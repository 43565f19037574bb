"""Loops in the bodies of tf.functions keep the shapes of their variables: TensorFlow has a graph of one turn.
Each program with the answer of the real 2.21, where `varies` stands for its ValueError."""
import pytest

from command import report_of, write

HEAD = """import tensorflow as tf
x, n, m = tf.zeros([1, 2]), tf.constant(3), tf.Variable(2)
RANGE = "for i in tf.range(n): a = tf.concat([a, a], 0)"
def twice(i, a): return i + 1, tf.concat([a, a], 0)
def loop(a, more=3, **k): return tf.while_loop(lambda i, a: i < more, twice, [tf.constant(0), a], **k)
class Doubles(tf.Module):
    @tf.function
    def grow(self, a):
        for i in tf.range(3): a = tf.concat([a, a], 0)  # varies
        return a
@tf.function
def inner(a, n):
    for i in tf.range(n): a = tf.concat([a, a], 0)  # varies
    return a
@tf.function
def size(): return tf.constant(3)
"""
ANY = "shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])]"
GROWS = "for i in tf.range(n): a = tf.concat([a, a[:1]], 0)"
VARY = """a = tf.zeros([1, 2])
for e in tf.zeros([3, 2]): a = tf.concat([a, e[None]], 0)  # varies
"""
# (arguments of tf.function, the body of f(a, n), the call)
VARIES = (
    ("", GROWS + "  # varies", "f(x, n)"),
    ("", "while tf.shape(a)[0] < n: a = tf.concat([a, a[:1]], 0)  # varies", "f(x, n)"),
    ("", VARY, "f(x, n)"),
    ("", "tf.while_loop(lambda i, a: i < n, twice, [tf.constant(0), a])  # varies", "f(x, n)"),
    ("reduce_retracing=True", GROWS + "  # varies", "f(x, n)"),
    ("", "a = tf.zeros([tf.shape(a)[0], 2])\n" + GROWS + "  # varies", "f(tf.zeros([3, 2]), n)"),
    ("", "a = inner(a, n)", "f(x, n)"),
    ("", "a = Doubles().grow(a)", "f(x, n)"),
    ("input_signature=[tf.TensorSpec([1, 2]), tf.TensorSpec([], tf.int32)]", GROWS + "  # varies", "f(x, n)"),
)
FITS = (
    ("input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([], tf.int32)]", GROWS, "f(x, n)"),
    ("input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([], tf.int32)]",
     "for i in tf.range(n): a = tf.zeros([3, 2])\n" + GROWS, "f(x, n)"),
    ("", "a = tf.zeros([n, 2])\n" + GROWS, "f(x, n)"),
    ("", "a = tf.zeros([m, 2])\n" + GROWS, "f(x, n)"),
    ("", "a = tf.zeros([size(), 2])\n" + GROWS, "f(x, n)"),
    ("", "a = a[:n]\n" + GROWS, "f(x, n)"),
    ("", "a = tf.boolean_mask(a, a[:, 0] >= 0.)\n" + GROWS, "f(x, n)"),
    ("", "a = a if n > 5 else tf.zeros([3, 2])\n" + GROWS, "f(x, n)"),
    ("", "if n > 5: a = tf.zeros([4, 2])\n" + GROWS, "f(x, n)"),
    ("", "a = tf.cond(n > 2, lambda: tf.zeros([1, 2]), lambda: tf.zeros([3, 2]))\n" + GROWS, "f(x, n)"),
    ("", "a = inner(tf.zeros([n, 2]), n)", "f(x, n)"),
    ("", "a = loop(a, n, %s)[1]\n%s" % (ANY, GROWS), "f(x, n)"),
    ("", "a = loop(a, n, %s)[1]\na = loop(a, n)[1]" % ANY, "f(x, n)"),
    ("", "for i in tf.range(n):\n    tf.autograph.experimental.set_loop_options(shape_invariants=[(a, "
     "tf.TensorShape([None, 2]))])\n    a = tf.concat([a, a], 0)\n" + GROWS, "f(x, n)"),
    ("", "for i in range(3): a = tf.concat([a, a], 0)\nfor e in [a, a]: a = tf.concat([a, e], 0)", "f(x, n)"),
    ("", "k = 0\nwhile k < 3: a, k = tf.concat([a, a], 0), k + 1", "f(x, n)"),
    ("", "b = tf.zeros([7])\nfor i in tf.range(n):\n    b = tf.zeros([3])\n    a += tf.reduce_sum(b)",
     "f(x, n)"),
    ("", "for e in tf.data.Dataset.from_tensors(tf.zeros([1, 2])).repeat(3): a = tf.concat([a, e], 0)",
     "f(x, n)"),
    ("autograph=False", "for e in tf.unstack(tf.zeros([3, 2])): a = tf.concat([a, e[None]], 0)", "f(x, n)"),
    ("", GROWS, "f.get_concrete_function(tf.TensorSpec([None, 2]), tf.TensorSpec([], tf.int32))(x, n)"),
)


def program(rows):
    """One function for each, and the lines where it varies."""
    text = HEAD
    for options, body, call in rows:
        body = "".join("    %s\n" % line for line in (*body.splitlines(), "return a"))
        text += "@tf.function(%s)\ndef f(a, n):\n%stry: %s\nexcept ValueError: pass\n" % (options, body, call)
    return text


@pytest.mark.parametrize("rows", [VARIES, FITS], ids=["varies", "fits"])
def test_a_loop_keeps_the_shapes_of_its_variables(tmp_path, rows):
    text = program(rows)
    write(tmp_path, train=text)
    report, done = report_of(tmp_path, "--tf-version", "2.21.0")
    found = sorted({f["primary"]["line"] for f in report["findings"]})
    wanted = [at for at, line in enumerate(text.splitlines(), 1) if "# varies" in line]
    assert found == (wanted if rows is VARIES else []), done.stderr
    assert {f["code"] for f in report["findings"]} <= {"SF132"}


def test_what_a_function_did_is_done_once(tmp_path):
    """The graph that a suspect is looked for in, and the run that fails, leave nothing behind."""
    write(tmp_path, train="""import tensorflow as tf
log, k = [], tf.Variable(0)
@tf.function
def f(n):
    log.append(1), k.assign_add(1), print("traced")
    a = tf.zeros([n, 2])
    for i in tf.range(n): a = tf.concat([a, a], 0)
    return a
assert f(tf.constant(3)).shape == [24, 2] and f(tf.constant(2)).shape == [8, 2]
assert len(log) == 1 and int(k) == 2 and k.numpy() == 2
""")
    report, done = report_of(tmp_path)
    assert report["scripts"][0]["failure"] is None and not report["findings"], done.stderr


def test_scan_keeps_the_shape_of_what_it_accumulates(tf2):
    with pytest.raises(ValueError, match=r"Incompatible shape for value \(\(4,\)\), expected \(\(2,\)\)"):
        tf2.scan(lambda a, e: tf2.concat([a, e], 0), tf2.zeros([3, 2]))
    with pytest.raises(ValueError, match=r"Inconsistent shapes: saw \(4,\) but expected \(2,\)"):
        tf2.function(lambda z: tf2.scan(lambda a, e: tf2.concat([a, e], 0), z))(tf2.zeros([3, 2]))


def test_numbers_are_tensors_in_the_loop_of_a_function(tf2):
    seen = []

    def turn(i, t):
        seen.append((tf2.is_tensor(i), tf2.is_tensor(t)))
        return i + 1, t * 2.0

    def loop():
        return tf2.while_loop(lambda i, t: i < 3, turn, (0, 1.0))

    made = tf2.function(loop)()
    assert set(seen) == {(True, True)} and [one.dtype.name for one in made] == ["int32", "float32"]
    del seen[:]
    loop()
    assert seen[0] == (False, False)  # eager code passes them on
