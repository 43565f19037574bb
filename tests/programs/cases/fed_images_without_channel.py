"""Grey images as (n, 28, 28), fed to a network that wants their channel."""
import numpy as np
import tensorflow as tf

images = np.random.rand(500, 28, 28).astype(np.float32)
labels = np.eye(10, dtype=np.float32)[np.random.randint(0, 10, 500)]

x = tf.placeholder(tf.float32, [None, 28, 28, 1], name="x")
y = tf.placeholder(tf.float32, [None, 10], name="y")
conv = tf.layers.conv2d(x, 16, 5, padding="same", activation=tf.nn.relu)
pool = tf.layers.max_pooling2d(conv, 2, 2)
logits = tf.layers.dense(tf.layers.flatten(pool), 10)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for start in range(0, 500, 50):
        batch = slice(start, start + 50)
        sess.run(train, feed_dict={x: images[batch], y: labels[batch]})  # E: SF301
