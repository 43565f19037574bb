"""A dense layer cannot be made for inputs whose width nobody knows."""
import numpy as np
import tensorflow as tf

words = tf.placeholder(tf.float32, [None, None], name="bag_of_words")
hidden = tf.layers.dense(words, 64, activation=tf.nn.relu)  # E: SF128
logits = tf.layers.dense(hidden, 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(logits, {words: np.zeros([2, 500])}).shape)
