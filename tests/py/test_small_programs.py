"""Small programs as users write them, of several versions: they run to their end, as in real TensorFlow."""
import pytest

from command import shapeflow, write

PROGRAMS = {
    "the keys of a history of TensorFlow 1": ("1.15.0", """\
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile("sgd", "mse", metrics=["accuracy", "mae"])
history = model.fit(np.zeros((4, 3)), np.zeros((4, 1)), verbose=0, validation_split=0.5).history
assert sorted(history) == ["acc", "loss", "mean_absolute_error", "val_acc", "val_loss",
                           "val_mean_absolute_error"], sorted(history)
"""),
    "the session of Keras has values for its variables": ("1.15.0", """\
import tensorflow as tf
from tensorflow.keras import backend as K
layer = tf.keras.layers.Dense(4)
layer(tf.keras.Input((3,)))
assert K.get_session().run(layer.kernel).shape == (3, 4)
"""),
    "steps of an optimizer that count, in eager TensorFlow 1": ("1.8.0", """\
import tensorflow as tf
tf.enable_eager_execution()
weight = tf.contrib.eager.Variable([1.0, 2.0])
optimizer = tf.train.AdamOptimizer()
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(weight * weight)
    gradients = tape.gradient(loss, [weight])
    optimizer.apply_gradients(zip(gradients, [weight]), global_step=tf.train.get_or_create_global_step())
assert tf.train.get_or_create_global_step() is tf.train.get_global_step()
assert tf.train.get_global_step().numpy().shape == ()
"""),
    "shapes that do not fit are different for == and !=": ("2.21.0", """\
import tensorflow as tf
two, three = tf.constant([1, 2]), tf.constant([1, 2, 3])
for same in two == three, two == [1, 2, 3], tf.Variable(two) == three, tf.zeros([2, 3]) == tf.zeros([3, 2]):
    assert same.shape == () and same.dtype == tf.bool and not same
assert two != three and (two != three).shape == ()
assert not tf.function(lambda x, y: x == y)(two, three)
assert (two == two).numpy().tolist() == [True, True] and (tf.zeros([4, 1]) == tf.zeros([3])).shape == (4, 3)
noise = tf.random.normal([2, 3])
assert (noise == tf.zeros([3, 2])).shape == () and (noise == noise).shape == (2, 3)
"""),
    "the type of a sparse and a ragged tensor": ("2.21.0", """\
import tensorflow as tf
sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 2])
tf.debugging.assert_type(sparse, tf.float32)
tf.debugging.assert_type(tf.ragged.constant([[1], []]), tf.int32)
tf.debugging.assert_type(tf.zeros([2]), tf.float32)
for wrong in (sparse, tf.zeros([2])):
    try:
        tf.debugging.assert_type(wrong, tf.int32)
    except TypeError:
        continue
    raise AssertionError("it has another type")
"""),
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_it_runs_to_its_end(tmp_path, what):
    version, text = PROGRAMS[what]
    write(tmp_path, program=text + "print('done')\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--show-output", "--tf-version", version, "program.py")
    assert done.returncode == 0 and done.stdout.startswith("done"), done.stdout + done.stderr
