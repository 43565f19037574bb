"""The twin of rnn_last_step_is_last_sample: the last step of every sample."""
import numpy as np
import tensorflow as tf

STEPS, INPUTS, UNITS, CLASSES = 28, 28, 64, 10
x = tf.placeholder(tf.float32, [None, STEPS, INPUTS])
y = tf.placeholder(tf.float32, [None, CLASSES])
cell = tf.nn.rnn_cell.BasicLSTMCell(UNITS)
outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
w = tf.Variable(tf.random_normal([UNITS, CLASSES]))
b = tf.Variable(tf.zeros([CLASSES]))
logits = tf.matmul(outputs[:, -1], w) + b
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=y))
train = tf.train.AdamOptimizer(0.001).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        sess.run(train, {x: np.random.rand(128, STEPS, INPUTS), y: np.zeros([128, CLASSES])})
