# The script's own handlers see TensorFlow's classes and act on them.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 3])
total = x + y  # E: SF113
seen = []
try:
    tf.matmul(x, tf.zeros([4, 5]))  # E: SF101
except ValueError as error:
    seen.append(str(error))
with tf.Session() as sess:
    try:
        sess.run(total, {x: np.zeros([2, 3]), y: np.zeros([4, 3])})
    except tf.errors.InvalidArgumentError as error:
        seen.append(error.message)
assert len(seen) == 2, seen
assert "Dimensions must be equal" in seen[0], seen
assert "Incompatible shapes: [2,3] vs. [4,3]" in seen[1], seen
