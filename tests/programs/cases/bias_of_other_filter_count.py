"""A second convolution was given more filters, its bias was not."""
import numpy as np
import tensorflow as tf



def weight(name, shape):
    return tf.get_variable(name, shape, initializer=tf.truncated_normal_initializer(stddev=0.1))


x = tf.placeholder(tf.float32, [None, 32, 32, 3])
y = tf.placeholder(tf.int64, [None])
h = tf.nn.relu(tf.nn.conv2d(x, weight("w1", [5, 5, 3, 32]), [1, 1, 1, 1], "SAME") + weight("b1", [32]))
h = tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
h = tf.nn.conv2d(h, weight("w2", [5, 5, 32, 64]), [1, 1, 1, 1], "SAME")
h = tf.nn.relu(tf.nn.bias_add(h, weight("b2", [32])))  # E: SF101
logits = tf.layers.dense(tf.layers.flatten(h), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {x: np.zeros([8, 32, 32, 3]), y: np.zeros([8])})
