# Figure 8's pattern: a variable whose shape changes between two runs of the same fetch.
import numpy as np
import tensorflow as tf

v = tf.Variable(tf.zeros([2, 3]), validate_shape=False)
wide = tf.placeholder(tf.float32, [None, None])
grow = tf.assign(v, wide, validate_shape=False)
other = tf.constant(np.ones([3, 4], np.float32))
product = tf.matmul(v, other)  # E: SF114
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert sess.run(product).shape == (2, 4)
    sess.run(grow, {wide: np.zeros([5, 3])})
    assert sess.run(product).shape == (5, 4)
    sess.run(grow, {wide: np.zeros([5, 2])})
    sess.run(product)  # R
