"""The rate of dropout is fed, but the next layer reads what was not dropped."""
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 30])
y = tf.placeholder(tf.int64, [None])
keep_prob = tf.placeholder(tf.float32, name="keep_prob")  # W: SF506
h1 = tf.layers.dense(x, 64, tf.nn.relu)
dropped = tf.nn.dropout(h1, keep_prob)
logits = tf.layers.dense(h1, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        sess.run(train, {x: np.zeros([16, 30]), y: np.zeros([16]), keep_prob: 0.5})
