"""Graph mode: convolutions and pooling written with tf.nn, dropout by a placeholder."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

image_size = 8
num_channels = 1
num_labels = 3
batch_size = 6

images = np.random.rand(18, image_size * image_size).astype(np.float32)
labels = np.eye(num_labels, dtype=np.float32)[np.arange(18) % num_labels]


def conv2d(x, w):
    return tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME")


def max_pool_2x2(x):
    return tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


x = tf.placeholder(tf.float32, shape=[None, image_size * image_size])
y_ = tf.placeholder(tf.float32, shape=[None, num_labels])
keep_prob = tf.placeholder(tf.float32)

x_image = tf.reshape(x, [-1, image_size, image_size, num_channels])
w_conv1 = tf.Variable(tf.truncated_normal([3, 3, num_channels, 4], stddev=0.1))
h_conv1 = tf.nn.relu(conv2d(x_image, w_conv1) + tf.Variable(tf.constant(0.1, shape=[4])))
h_pool1 = max_pool_2x2(h_conv1)
w_conv2 = tf.Variable(tf.truncated_normal([3, 3, 4, 8], stddev=0.1))
h_conv2 = tf.nn.relu(conv2d(h_pool1, w_conv2) + tf.Variable(tf.constant(0.1, shape=[8])))
h_pool2 = max_pool_2x2(h_conv2)

w_fc1 = tf.Variable(tf.truncated_normal([2 * 2 * 8, 16], stddev=0.1))
h_flat = tf.reshape(h_pool2, [-1, 2 * 2 * 8])
h_fc1 = tf.nn.relu(tf.matmul(h_flat, w_fc1) + tf.Variable(tf.constant(0.1, shape=[16])))
h_drop = tf.nn.dropout(h_fc1, rate=1 - keep_prob)
w_fc2 = tf.Variable(tf.truncated_normal([16, num_labels], stddev=0.1))
y_conv = tf.matmul(h_drop, w_fc2) + tf.Variable(tf.constant(0.1, shape=[num_labels]))

loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=y_conv))
train_step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
correct_prediction = tf.equal(tf.argmax(y_conv, 1), tf.argmax(y_, 1))
accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))

sess = tf.InteractiveSession()
sess.run(tf.global_variables_initializer())
for step in range(3):
    batch = slice(step * batch_size, (step + 1) * batch_size)
    feed = {x: images[batch], y_: labels[batch], keep_prob: 0.5}
    train_step.run(feed_dict=feed)
print(accuracy.eval(feed_dict={x: images, y_: labels, keep_prob: 1.0}))
