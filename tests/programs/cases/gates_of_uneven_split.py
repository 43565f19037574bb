"""A hand-written GRU splits what it projected for two gates into three."""
import numpy as np
import tensorflow as tf

UNITS = 50
x = tf.placeholder(tf.float32, [None, 20])
h = tf.placeholder(tf.float32, [None, UNITS])
w = tf.get_variable("w", [20 + UNITS, 2 * UNITS])
gates = tf.matmul(tf.concat([x, h], 1), w)
r, u, c = tf.split(tf.sigmoid(gates), 3, axis=1)  # E: SF116
new_h = u * h + (1 - u) * tf.tanh(c * r)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(new_h, {x: np.zeros([3, 20]), h: np.zeros([3, UNITS])}).shape)
