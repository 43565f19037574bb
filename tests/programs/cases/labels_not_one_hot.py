# Class numbers fed where one-hot rows are wanted.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 5])
logits = tf.layers.dense(x, 5)
loss = tf.losses.softmax_cross_entropy(y, logits)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(loss, {x: np.zeros([7, 20]), y: np.zeros([7])})  # E: SF301
