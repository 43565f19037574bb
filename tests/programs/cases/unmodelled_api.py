# An API that is not modelled gives the unknown, never an error.
import tensorflow as tf

x = tf.placeholder(tf.float32, [4, 4])
y = tf.contrib.image.transform(x, [1.0, 0, 0, 0, 1.0, 0, 0, 0])
z = tf.matmul(y, tf.zeros([4, 9]))
