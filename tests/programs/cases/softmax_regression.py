# Figure 2's pattern, right: two epochs over MNIST, the last batch short.
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("no-such-folder", one_hot=True)
x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.float32, [None, 10])
w = tf.Variable(tf.zeros([784, 10]))
b = tf.Variable(tf.zeros([10]))
logits = tf.matmul(x, w) + b
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))
step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
right = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(2 * mnist.train.num_examples // 100):
        xs, ys = mnist.train.next_batch(100)
        _, value = sess.run([step, loss], feed_dict={x: xs, y: ys})
    print("accuracy %.3f" % sess.run(accuracy, {x: mnist.test.images, y: mnist.test.labels}))
