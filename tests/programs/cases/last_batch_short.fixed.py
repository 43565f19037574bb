# Figure 6's pattern: the batch size is written into a reshape; the last batch of the epoch is short.
import numpy as np
import tensorflow as tf

data = np.zeros([1000, 28 * 28], np.float32)
batch_size = 64
x = tf.placeholder(tf.float32, [None, 784])
images = tf.reshape(x, [-1, 28, 28, 1])  # E: SF126
pooled = tf.nn.max_pool(images, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
total = tf.reduce_sum(pooled)
with tf.Session() as sess:
    for start in range(0, len(data), batch_size):
        sess.run(total, feed_dict={x: data[start:start + batch_size]})  # R
