# Figure 9's pattern: Python control flow is real, so only the layers that are built are checked.
import tensorflow as tf

sizes = [32, 64, 128]
x = tf.placeholder(tf.float32, [None, 16])
net, width = x, 16
for i, size in enumerate(sizes):
    if i == 2:
        width = 63
    w = tf.get_variable("w%d" % i, [width, size])
    net = tf.nn.relu(tf.matmul(net, w))  # E: SF101
    width = size
