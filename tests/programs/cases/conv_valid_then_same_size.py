# VALID padding changes the flattened size; static shapes cannot say so, the first run does.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 28, 28, 1])
w = tf.Variable(tf.truncated_normal([5, 5, 1, 8]))
h = tf.nn.max_pool(tf.nn.conv2d(x, w, [1, 1, 1, 1], "VALID"), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
flat = tf.reshape(h, [-1, 14 * 14 * 8])  # E: SF109
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(flat, {x: np.zeros([50, 28, 28, 1])})  # R
