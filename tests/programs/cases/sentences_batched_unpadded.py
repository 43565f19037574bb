"""Sentences of different lengths in one batch."""
import numpy as np
import tensorflow as tf

sentences = [[4, 8, 15], [16, 23], [42, 4, 8, 15], [16]]
dataset = tf.data.Dataset.from_generator(lambda: iter(sentences), tf.int32, tf.TensorShape([None]))
ids = dataset.repeat().batch(2).make_one_shot_iterator().get_next()
embedding = tf.get_variable("embedding", [50, 8])
mean = tf.reduce_mean(tf.nn.embedding_lookup(embedding, ids), 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(mean))  # E: SF129
