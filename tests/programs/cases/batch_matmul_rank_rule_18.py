# Under 1.8 a matrix does not broadcast over a batch of matrices.
import tensorflow as tf

assert tf.__version__ == "1.8.0"
batch = tf.placeholder(tf.float32, [None, 22, 22])
w = tf.Variable(tf.truncated_normal([22, 22]))
y = tf.matmul(batch, w)  # E: SF102
