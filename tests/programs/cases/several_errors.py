# Errors that have nothing to do with each other are all reported in one run; what follows from one is not,
# and an error that the script catches reaches it as from TensorFlow.
import numpy as np
import tensorflow as tf

images = tf.placeholder(tf.float32, [None, 784], name="images")
hidden = tf.Variable(tf.zeros([748, 64]), name="hidden")
scores = tf.matmul(images, hidden)  # E: SF101
scores = tf.layers.dense(scores, 10)
scores = tf.nn.relu(scores + tf.ones([3]))
table = tf.reshape(tf.range(20), [3, 7])  # E: SF104
best = tf.reduce_max(tf.gather(table, [0, 1]), axis=1)
loss = tf.reduce_mean(scores)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
other = tf.placeholder(tf.float32, [None, 3])
mixed = tf.reduce_sum(tf.concat([other, other * 2.0], axis=1) + tf.reshape(other, [-1, 2, 3]))  # E: SF101
rows = tf.reshape(other, [5, -1])  # E: SF109
columns = tf.reduce_sum(tf.reshape(rows, [7, -1]))

caught = False
try:
    tf.concat([images, tf.zeros([4])], 1)  # E: SF102
except ValueError:
    caught = True
assert caught

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(3):
        session.run(train, {images: np.zeros([5, 784])})
        session.run([best, mixed, columns], {other: np.zeros([4, 3])})  # R
