# As many time steps as the batch has rows: the labels belong to the wrong axis.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 28, 28])
y = tf.placeholder(tf.int32, [None])
outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(16), x, dtype=tf.float32)
logits = tf.layers.dense(tf.reshape(outputs, [-1, 16]), 10)
loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)  # E: SF101
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(loss, {x: np.zeros([4, 28, 28]), y: np.zeros([4])})  # R
