import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [10, 20, 8])
y = tf.placeholder(tf.int32, [10, 19])
lengths = tf.placeholder(tf.int32, [10])
w = tf.get_variable("w", [8, 5])
unary = tf.reshape(tf.matmul(tf.reshape(x, [-1, 8]), w), [10, 20, 5])
ll, transition = tf.contrib.crf.crf_log_likelihood(unary, y, lengths)  # E: SF101
best, score = tf.contrib.crf.crf_decode(unary, transition, lengths)
loss = tf.reduce_mean(-ll)
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
print(ll.shape, transition.shape, best.shape, score.shape)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {x: np.zeros((10, 20, 8)), y: np.zeros((10, 19)), lengths: [20] * 10}
    u, t, _ = sess.run([unary, transition, train], feed)
    for one in u:
        path, s = tf.contrib.crf.viterbi_decode(one, t)
        assert len(path) == 20
