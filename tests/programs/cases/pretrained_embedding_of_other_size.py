"""Vectors of 300 numbers for an embedding of 128."""
import numpy as np
import tensorflow as tf

VOCABULARY, SIZE = 5000, 128
glove = np.random.rand(VOCABULARY, 300).astype(np.float32)
embedding = tf.get_variable("embedding", [VOCABULARY, SIZE])
load = embedding.assign(glove)  # E: SF107
words = tf.placeholder(tf.int32, [None, 40])
sentence = tf.reduce_mean(tf.nn.embedding_lookup(embedding, words), 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(load)
    print(sess.run(sentence, {words: np.zeros([2, 40])}).shape)
