# From 1.14 on it does.
import tensorflow as tf

assert tf.__version__ == "1.15.0"
batch = tf.placeholder(tf.float32, [None, 22, 22])
w = tf.Variable(tf.truncated_normal([22, 22]))
y = tf.matmul(batch, w)
assert y.shape.as_list() == [None, 22, 22]
