"""A checkpoint of 64 units, restored into a model of 128."""
import os
import tempfile

import numpy as np
import tensorflow as tf

path = os.path.join(tempfile.mkdtemp(), "model")


def model(units):
    x = tf.placeholder(tf.float32, [None, 20])
    hidden = tf.layers.dense(x, units, tf.nn.relu, name="hidden")
    return x, tf.layers.dense(hidden, 2, name="out")


with tf.Graph().as_default(), tf.Session() as sess:
    x, out = model(64)
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, path)

with tf.Graph().as_default(), tf.Session() as sess:
    x, out = model(128)
    tf.train.Saver().restore(sess, path)  # E: SF305
    print(sess.run(out, {x: np.zeros([3, 20])}).shape)
