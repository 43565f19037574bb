"""tf.name_scope objects that are entered more than once; and what watching a script leaves as it is."""
import pytest
import shapeflow.compat.v1 as v1

from command import shapeflow, write

# One object, entered within itself and again later: the names are real TensorFlow's (1.8, 1.15, 2.21).
AGAIN = """import tensorflow as tf
v1 = tf.compat.v1 if hasattr(tf, "compat") and hasattr(tf.compat, "v1") else tf
def names(scope, make):
    with scope as outer:
        with scope as inner:
            found = [make()]
        found += [make()]
    found += [make()]
    with scope as last:
        pass
    return [outer, inner, last, *found, make()]
"""
GRAPH = AGAIN + """with tf.Graph().as_default():
    assert names(%s("a"), lambda: v1.placeholder(tf.float32, [], name="p").name) == %r
"""
EAGER = AGAIN + """v1.enable_eager_execution()
assert names(%s("a"), lambda: tf.compat.v2.Variable(1.).name) == %r
"""
OTHERS = """import tensorflow as tf
def p():
    return tf.placeholder(tf.float32, [], name="p").name
b, c = tf.name_scope("b"), tf.name_scope("c")
try:
    with b:
        with b:
            raise KeyError(3)
except KeyError:
    pass
found = [p()]
with c:
    with b:
        with c:
            found += [p()]
        found += [p()]
    found += [p()]
assert found + [p()] == ["p:0", "c_1/p:0", "p_1:0", "c/p:0", "c/p_1:0"], found
"""
IN_1 = ["a/", "a_1/", "a_2/", "a_1/p:0", "p:0", "p_1:0", "p_2:0"]
IN_2 = ["a/", "a/a/", "a_1/", "a/a/p:0", "a/p:0", "p:0", "p_1:0"]
EAGER_1 = ["a/", "a/a/", "a/a/", "a/a/Variable:0", "a/Variable:0", "a/Variable:0", "a/Variable:0"]
EAGER_2 = ["a/", "a/a/", "a/", "a/a/Variable:0", "a/Variable:0", "Variable:0", "Variable:0"]


@pytest.mark.parametrize("version, program", [
    ("1.8.0", GRAPH % ("tf.name_scope", IN_1)), ("1.15.0", GRAPH % ("tf.name_scope", IN_1)),
    ("1.15.0", GRAPH % ("tf.compat.v2.name_scope", IN_2)), ("2.21.0", GRAPH % ("v1.name_scope", IN_1)),
    ("2.21.0", GRAPH % ("tf.name_scope", IN_2)), ("1.15.0", EAGER % ("tf.name_scope", EAGER_1)),
    ("1.15.0", EAGER % ("tf.compat.v2.name_scope", EAGER_2)), ("2.21.0", EAGER % ("tf.name_scope", EAGER_2)),
    ("2.21.0", EAGER % ("v1.name_scope", EAGER_2)), ("1.15.0", OTHERS), ("1.8.0", OTHERS),
])
def test_a_name_scope_that_is_entered_within_itself(tmp_path, version, program):
    write(tmp_path, program=program)
    done = shapeflow(tmp_path, "check", "--no-cache", "--tf-version", version, "program.py")
    assert done.returncode == 0, done.stdout + done.stderr


WATCHED = {
    "variables go": """x = tf.Variable(1.)
r = weakref.ref(x)
x = x.assign_add(1.)
del x
gc.collect()
assert r() is None
""",
    "names of callables": """class C:
    __name__ = 3
    def __call__(self, x):
        return x + 1
assert tf.function(C())(tf.ones([3])).shape == (3,)
tf.data.Dataset.from_tensor_slices(tf.ones([4, 2])).map(C())
""",
    "scopes": """s = tf.name_scope("a")
with s:
    with s:
        pass
assert tf.Variable(1.).name == "Variable:0"
""",
}


@pytest.mark.parametrize("command", [("check", "--no-cache"), ("graph", "--no-suggestions"), ("summary",)])
def test_who_watches_changes_nothing(tmp_path, command):
    for name, program in WATCHED.items():
        write(tmp_path, program="import gc, weakref\nimport tensorflow as tf\n" + program)
        done = shapeflow(tmp_path, *command, "program.py")
        assert done.returncode == 0, (name, done.stdout + done.stderr)


def test_a_variable_that_went_is_told_of(tmp_path):
    write(tmp_path, program="""import gc
import tensorflow as tf
def main():
    w = tf.Variable(tf.ones([3, 4]), name="w", trainable=False)
    @tf.function
    def g(x):
        return tf.matmul(x, w)
    g(tf.ones([2, 3]))
main()
gc.collect()
""")
    import json

    made = json.loads(shapeflow(tmp_path, "graph", "program.py").stdout)
    node, = [node for node in made["nodes"] if node["op"] == "Variable"]
    assert (node["name"], node["parameters"], node["trainable"]) == ("w", 12, False)
    made = json.loads(shapeflow(tmp_path, "summary", "--json", "program.py").stdout)
    variable, = made["variables"]
    assert (variable["name"], variable["parameters"], variable["trainable"]) == ("w", 12, False)


# --- templates ------------------------------------------------------------------------------------
def test_a_template_shares_its_variables_and_tells_of_them():
    """As TensorFlow 1.15: names of ops, scopes and variables."""
    with v1.Graph().as_default():
        def dense(x, units):
            return v1.matmul(x, v1.get_variable("w", [int(x.shape[1]), units]), name="y")

        made = v1.make_template("net", dense, units=3)
        assert made.var_scope is None and made.variables == [] and made.name == "net"
        first, second = made(v1.zeros([2, 4])), made(v1.zeros([5, 4]))
        assert (first.op.name, second.op.name) == ("net/y", "net_1/y")
        assert made.var_scope.name == "net" and made.variable_scope_name == "net/"
        assert [v.op.name for v in made.trainable_variables] == ["net/w"]
        assert made.non_trainable_variables == [] and made.weights == made.variables
        again = v1.make_template("net", dense, create_scope_now_=True, units=3)
        assert again.var_scope.name == "net_1"
        with pytest.raises(ValueError, match="name cannot be None"):
            v1.make_template(None, dense)


def test_a_template_refuses_a_variable_of_a_later_call():
    with v1.Graph().as_default():
        made = v1.make_template("net", lambda: v1.Variable(1.0))
        made()
        with pytest.raises(ValueError, match="Trainable variable created when calling a template"):
            made()


@pytest.mark.parametrize("call", [
    lambda x: x.set_shape(shape=[2, 3]), lambda x: x.get_shape().assert_has_rank(rank=2),
    lambda x: x.get_shape().merge_with(other=[2, 3]), lambda x: x.get_shape().with_rank(rank=2),
    lambda x: x.graph.get_tensor_by_name(name="x:0"), lambda x: x.graph.get_operation_by_name(name="x"),
    lambda x: x.op.get_attr(name="dtype"), lambda x: x.dtype.is_compatible_with(other=v1.float32),
    lambda x: x.graph.device(device_name_or_function="/cpu:0"), lambda x: x.graph.name_scope(name="a"),
    lambda x: x.graph.control_dependencies(control_inputs=[x]),
])
def test_methods_of_one_argument_take_it_by_its_name(call):
    with v1.Graph().as_default():
        call(v1.placeholder(v1.float32, [2, None], name="x"))


def test_a_wrong_name_of_the_one_argument_is_refused():
    shape = v1.TensorShape([2])
    for call in (lambda: shape.with_rank(size=1), shape.with_rank, lambda: shape.with_rank(1, rank=1)):
        with pytest.raises(TypeError):
            call()
