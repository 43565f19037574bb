# Figure 2's pattern: the weights were made for another input width.
import numpy as np
import tensorflow as tf

assert tf.__version__ == "1.8.0"

x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.float32, [None, 10])
w = tf.Variable(tf.zeros([512, 10]))
b = tf.Variable(tf.zeros([10]))
logits = tf.matmul(x, w) + b  # E: SF101
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(step, {x: np.zeros([64, 784]), y: np.zeros([64, 10])})
