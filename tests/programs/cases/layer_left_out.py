"""A hidden layer whose output nothing reads: its weights are never trained."""
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 30])
y = tf.placeholder(tf.float32, [None, 10])
w1, b1 = tf.Variable(tf.random_normal([30, 64])), tf.Variable(tf.zeros([64]))
w2 = tf.Variable(tf.random_normal([64, 64]), name="w2")  # W: SF506
w3, b3 = tf.Variable(tf.random_normal([64, 10])), tf.Variable(tf.zeros([10]))
h1 = tf.nn.relu(tf.matmul(x, w1) + b1)
h2 = tf.nn.relu(tf.matmul(h1, w2))
logits = tf.matmul(h1, w3) + b3
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        sess.run(train, {x: np.zeros([16, 30]), y: np.zeros([16, 10])})
