"""Filters of three channels over grey pictures."""
import numpy as np
import tensorflow as tf

pictures = tf.placeholder(tf.float32, [None, 64, 64])
x = tf.expand_dims(pictures, -1)
kernel = tf.Variable(tf.truncated_normal([3, 3, 3, 16], stddev=0.1))
h = tf.nn.relu(tf.nn.conv2d(x, kernel, strides=[1, 1, 1, 1], padding="SAME"))  # E: SF120
out = tf.reduce_mean(h, [1, 2])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(out, {pictures: np.zeros([4, 64, 64])}).shape)
