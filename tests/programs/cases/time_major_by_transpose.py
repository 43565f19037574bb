"""The twin of time_major_by_reshape."""
import numpy as np
import tensorflow as tf

STEPS, INPUTS, UNITS = 28, 28, 32
x = tf.placeholder(tf.float32, [None, STEPS, INPUTS])
y = tf.placeholder(tf.int64, [None])
time_major = tf.transpose(x, [1, 0, 2])
outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(UNITS), time_major, dtype=tf.float32, time_major=True)
logits = tf.layers.dense(outputs[-1], 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        sess.run(train, {x: np.random.rand(64, STEPS, INPUTS), y: np.zeros([64])})
