"""A convolutional net on MNIST, as many tutorials of TensorFlow 1 had it, with one mistake: the
first convolution was changed to VALID padding, and the flattened size was not. TensorFlow finds
out only when the first batch has been loaded and run: the reshape folds four images' worth of
features into a wrong number of rows."""
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("MNIST_data/", one_hot=True)

images = tf.placeholder(tf.float32, [None, 784])
labels = tf.placeholder(tf.float32, [None, 10])


def weight(shape):
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1))


def conv_pool(x, filters, channels, padding):
    w = weight([5, 5, channels, filters])
    y = tf.nn.relu(tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding=padding))
    return tf.nn.max_pool(y, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


net = tf.reshape(images, [-1, 28, 28, 1])
net = conv_pool(net, 32, 1, "VALID")
net = conv_pool(net, 64, 32, "SAME")
flat = tf.reshape(net, [-1, 7 * 7 * 64])
hidden = tf.nn.relu(tf.matmul(flat, weight([7 * 7 * 64, 1024])))
logits = tf.matmul(hidden, weight([1024, 10]))
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits))
step = tf.train.AdamOptimizer(1e-4).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(1000):
        x, y = mnist.train.next_batch(50)
        sess.run(step, feed_dict={images: x, labels: y})
