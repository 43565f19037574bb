"""Where an offending dim comes from: the line that fixed it, the line that computed it, through helpers."""
import textwrap

import pytest

from shapeflow.checker import runner


@pytest.fixture
def origins(tmp_path):
    """{(operand, axis): (dim, line computed, line of the origin, op type, declared)} of the one finding."""

    def check(source, *options):
        path = tmp_path / "program.py"
        path.write_text(textwrap.dedent(source))
        report = runner.run("program.py", options, cwd=str(tmp_path))
        (record,) = report.of("error")

        def line(span):
            return None if span is None else span.line

        return {(o.operand, o.axis): (o.dim, line(o.computed), line(o.call or o.place), o.op_type, o.declared)
                for o in record.origins}

    return check


def test_a_dim_is_followed_to_what_declared_it(origins):
    found = origins("""\
        import tensorflow as tf
        x = tf.placeholder(tf.float32, [None, 784])
        w = tf.Variable(tf.zeros([512, 10]))
        h = tf.nn.relu(tf.identity(x))
        y = tf.matmul(h, w)
        """)
    assert found == {(0, 1): ("784", None, 2, "Placeholder", "784"),
                     (1, 0): ("512", None, 3, "VariableV2", "512")}


def test_strides_compute_and_the_filter_is_not_to_blame(origins):
    """The mark divides by the stride; before, the filter's variable answered for the picture's height."""
    found = origins("""\
        import tensorflow as tf
        x = tf.placeholder(tf.float32, [8, 256, 256, 1])
        w = tf.Variable(tf.truncated_normal([3, 3, 1, 32]))
        h = tf.nn.conv2d(x, w, [1, 2, 2, 1], padding="SAME")
        h = tf.nn.relu(h)
        y = h + tf.zeros([8, 100, 128, 32])
        """)
    assert found[0, 1] == ("128", 4, 2, "Placeholder", "256")
    assert found[1, 1][:3] == ("100", None, 6)


def test_windows_and_poolings_compute(origins):
    found = origins("""\
        import tensorflow as tf
        x = tf.placeholder(tf.float32, [8, 28, 28, 1])
        h = tf.layers.conv2d(x, 4, 5)
        h = tf.layers.max_pooling2d(h, 2, 2)
        y = tf.reshape(h, [8, 7 * 7 * 4])
        """)
    assert found[0, 1] == ("12", 4, 2, "Placeholder", "28")


def test_a_reshape_that_makes_more_rows_is_named(origins):
    found = origins("""\
        import numpy as np
        import tensorflow as tf
        x = tf.placeholder(tf.float32, [None, 28, 28])
        y = tf.placeholder(tf.float32, [None, 10])
        flat = tf.reshape(x, [-1, 14 * 14])
        out = tf.layers.dense(flat, 10)
        same = tf.equal(tf.argmax(out, 1), tf.argmax(y, 1))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(same, {x: np.zeros([10, 28, 28]), y: np.zeros([10, 10])})
        """)
    assert found[0, 0][:4] == ("40", 5, 3, "Placeholder")
    assert found[1, 0][:4] == ("10", None, 4, "Placeholder")


def test_what_set_shape_told_is_walked_through(origins):
    """A dropout by a rate of unknown rank has its input's shape by set_shape, which inference cannot see."""
    found = origins("""\
        import numpy as np
        import tensorflow as tf
        assert tf.__version__ == "1.8.0"
        x = tf.placeholder(tf.float32, [None, 784])
        keep = tf.placeholder(tf.float32)
        h = tf.nn.dropout(x, keep)
        y = h + tf.zeros([7, 784])
        with tf.Session() as session:
            session.run(y, {x: np.zeros([5, 784]), keep: 0.5})
        """)
    assert found[0, 0][:4] == ("5", None, 4, "Placeholder")


def test_unknown_ranks_are_walked_through(origins):
    found = origins("""\
        import numpy as np
        import tensorflow as tf
        x = tf.placeholder("float")
        y = tf.nn.relu(tf.negative(x)) + tf.zeros([7, 3])
        with tf.Session() as session:
            session.run(y, {x: np.zeros([5, 3])})
        """)
    assert found[0, 0] == ("5", None, 3, "Placeholder", "?")


def test_a_tile_computes(origins):
    found = origins("""\
        import tensorflow as tf
        x = tf.placeholder(tf.float32, [None, 6, 4])
        wide = tf.tile(x, [1, 3, 1])
        y = tf.squeeze(wide, [1])
        """)
    assert found[0, 1] == ("18", 3, 2, "Placeholder", "6")


def test_what_a_helper_made_is_told_by_its_call(origins):
    found = origins("""\
        import tensorflow as tf


        def weight(shape):
            start = tf.truncated_normal(shape)
            return tf.Variable(start)


        x = tf.placeholder(tf.float32, [None, 784])
        w = weight([512, 10])
        y = tf.matmul(x, w)
        """)
    assert found[1, 0] == ("512", None, 10, "VariableV2", "512")


def test_what_a_method_made_is_told_by_its_own_line(origins):
    found = origins("""\
        import tensorflow as tf


        class Model:
            def __init__(self):
                self.w = tf.Variable(tf.zeros([512, 10]))

            def __call__(self, x):
                return tf.matmul(x, self.w)


        model = Model()
        model(tf.placeholder(tf.float32, [None, 784]))
        """)
    assert found[1, 0][2] == 6
    assert found[0, 1][2] == 13


def test_variables_that_are_resources(origins):
    found = origins("""\
        import tensorflow as tf
        x = tf.placeholder(tf.float32, [None, 784])
        w = tf.get_variable("w", [512, 10], use_resource=True)
        y = tf.matmul(x, w)
        """)
    assert found[1, 0] == ("512", None, 3, "VarHandleOp", "512")


def test_eager_code_has_origins_too(origins):
    found = origins("""\
        import tensorflow as tf
        x = tf.ones([8, 28, 28])
        flat = tf.reshape(x, [8, -1])
        w = tf.Variable(tf.zeros([512, 10]))
        y = tf.nn.relu(flat) @ w
        """)
    assert found[0, 1][:3] == ("784", 3, 2)
    assert found[1, 0][2] == 4


CAPTURES = {
    "function": "@tf.function\ndef step(x, y):\n    return tf.matmul(x, w) - y\n"
                "step(tf.zeros([32, 784]), tf.zeros([32, 7]))\n",
    "dataset": "data = tf.data.Dataset.from_tensor_slices(tf.zeros([64, 784])).batch(32)\n"
               "for row in data.map(lambda x: tf.matmul(x, w) - tf.zeros([32, 7])):\n    pass\n",
}


@pytest.mark.parametrize("name", CAPTURES)
def test_what_a_function_captures_was_fixed_outside_of_it(origins, name):
    head = "import tensorflow as tf\nw = tf.Variable(tf.random.normal([784, 10]))\n"
    found = origins(head + CAPTURES[name])
    assert found[0, 1][:3] == ("10", None, 2)


FIT = """\
    import numpy as np
    from tensorflow import keras
    model = keras.Sequential([keras.layers.Input((20,))])
    model.add(keras.layers.Dense(10, name="predictions"))
    model.compile(loss="{}")
    model.fit(np.zeros((100, 20)), np.zeros((100, 7)), batch_size=32)
    """


@pytest.mark.parametrize("loss", ["mse", "categorical_crossentropy"])
def test_what_fit_refuses_has_the_line_of_the_layer(origins, loss):
    found = origins(FIT.format(loss))
    assert [line for dim, _, line, _, _ in found.values() if dim == "10"] == [4]
