# Broadcasting of the usual kinds: bias, column weights, scalars; no warning is due.
import tensorflow as tf

x = tf.placeholder(tf.float32, [3, 4])
bias = tf.Variable(tf.zeros([4]))
column = tf.Variable(tf.ones([3, 1]))
target = tf.placeholder(tf.float32, [3, 1])
y = (x + bias) * column / 2.0
error = tf.reduce_mean(tf.square(tf.reduce_sum(y, 1, keepdims=True) - target))
step = tf.train.GradientDescentOptimizer(0.1).minimize(error)
