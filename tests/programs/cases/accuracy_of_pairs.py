"""Class numbers with a column: accuracy counts how often any label is any prediction."""
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None, 1])
logits = tf.layers.dense(x, 5)
loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
train = tf.train.AdamOptimizer().minimize(loss)
right = tf.equal(tf.argmax(logits, 1), y)  # W: SF501
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {x: np.random.rand(50, 20), y: np.zeros([50, 1])}
    for _ in range(10):
        sess.run(train, feed)
    print(sess.run(accuracy, feed))
