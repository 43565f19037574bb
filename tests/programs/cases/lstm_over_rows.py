# An LSTM over the rows of an image, right.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 28, 28])
y = tf.placeholder(tf.int32, [None])
cell = tf.nn.rnn_cell.BasicLSTMCell(64)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
assert outputs.shape.as_list() == [None, 28, 64]
logits = tf.layers.dense(outputs[:, -1, :], 10)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
step = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for n in (32, 32, 7):
        sess.run([step, loss], {x: np.zeros([n, 28, 28]), y: np.zeros([n])})
