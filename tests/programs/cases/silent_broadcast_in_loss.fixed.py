# [3] minus [3,1] is [3,3]: no TensorFlow complains, the loss is wrong.
import tensorflow as tf

x = tf.constant([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]])
target = tf.constant([1.0, 2.0, 3.0])
w = tf.Variable(tf.zeros([2, 1]))
guess = tf.matmul(x, w)
error = tf.reduce_mean(tf.square(tf.expand_dims(target, 1) - guess))  # W: SF501
step = tf.train.AdamOptimizer(1e-3).minimize(error)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(step)
