"""A learned threshold that only a comparison reads: no gradient gets there."""
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 6])
y = tf.placeholder(tf.float32, [None, 1])
threshold = tf.get_variable("threshold", [6], initializer=tf.zeros_initializer())
w = tf.get_variable("w", [6, 1])
active = tf.cast(tf.greater(x, threshold), tf.float32)  # W: SF507
loss = tf.reduce_mean(tf.square(tf.matmul(active, w) - y))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        sess.run(train, {x: np.random.rand(16, 6), y: np.zeros([16, 1])})
