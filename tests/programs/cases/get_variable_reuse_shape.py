# A shared variable asked for with another shape.
import tensorflow as tf

with tf.variable_scope("net"):
    a = tf.get_variable("w", [3, 4])
with tf.variable_scope("net", reuse=True):
    b = tf.get_variable("w", [3, 4])
    assert a is b
    tf.get_variable("w", [3, 5])  # E: SF205
