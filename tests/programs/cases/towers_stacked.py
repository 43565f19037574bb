"""Outputs of three towers, one of them of another width, stacked."""
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 100])
towers = []
for i, units in enumerate([64, 64, 32]):
    with tf.variable_scope("tower%d" % i):
        towers.append(tf.layers.dense(x, units, tf.nn.relu))
mixed = tf.reduce_mean(tf.stack(towers), 0)  # E: SF107
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(mixed, {x: np.zeros([2, 100])}).shape)
