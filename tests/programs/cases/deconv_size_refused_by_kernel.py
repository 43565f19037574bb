# The output shape asked of a transposed convolution does not fit: only the kernel says so.
import tensorflow as tf

small = tf.constant(0.1, shape=[2, 16, 16, 4])
w = tf.constant(0.1, shape=[5, 5, 8, 4])
up = tf.nn.conv2d_transpose(small, w, output_shape=[2, 8, 8, 8], strides=[1, 2, 2, 1])  # E: SF121
sess = tf.Session()
sess.run(up)  # R
