"""Class numbers read from a csv keep their column; the sparse loss wants a row."""
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.int32, [None, 1])
h = tf.layers.dense(x, 10, activation=tf.nn.relu)
logits = tf.layers.dense(h, 3)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))  # E: SF132
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
table = np.column_stack([np.random.rand(150, 4), np.random.randint(0, 3, 150)])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {x: table[:, :4], y: table[:, 4:]})
