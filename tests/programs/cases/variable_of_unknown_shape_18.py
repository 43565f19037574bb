# Under 1.8 a shape computed from two tensors' shapes is not known when the variable is made.
import tensorflow as tf

assert tf.__version__ == "1.8.0"
x = tf.placeholder(tf.float32, [None, 12])
y = tf.placeholder(tf.int32, [None, 5])
shape = tf.stack([tf.shape(x)[1], tf.shape(y)[1]])
w = tf.Variable(tf.truncated_normal(shape))  # E: SF204
