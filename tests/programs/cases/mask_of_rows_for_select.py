"""tf.where of TensorFlow 1 does not broadcast: a vector picks rows of two matrices, not of a scalar."""
import numpy as np
import tensorflow as tf

scores = tf.placeholder(tf.float32, [None, 5])
valid = tf.placeholder(tf.bool, [None])
best = tf.where(valid, scores, tf.zeros([5]))  # E: SF108
with tf.Session() as sess:
    print(sess.run(best, {scores: np.zeros([2, 5]), valid: [True, False]}))
