# TensorFlow 2: the same dispatcher, at once.
import tensorflow as tf

a = tf.ones([2, 3])
b = tf.ones([4, 5])
assert tf.executing_eagerly()
tf.matmul(a, b)  # E: SF114
