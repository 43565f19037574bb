"""A metric written inside the loop makes its ops anew in every step."""
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 6])
y = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(x, 3)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {x: np.random.rand(16, 6), y: np.zeros([16])}
    for step in range(100):
        sess.run(train, feed)
        hits = tf.equal(tf.argmax(logits, 1), y)  # W: SF508
        print(sess.run(tf.reduce_mean(tf.cast(hits, tf.float32)), feed))
