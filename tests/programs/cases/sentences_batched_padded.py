"""The twin of sentences_batched_unpadded."""
import numpy as np
import tensorflow as tf

sentences = [[4, 8, 15], [16, 23], [42, 4, 8, 15], [16]]
dataset = tf.data.Dataset.from_generator(lambda: iter(sentences), tf.int32, tf.TensorShape([None]))
ids = dataset.repeat().padded_batch(2, [None]).make_one_shot_iterator().get_next()
embedding = tf.get_variable("embedding", [50, 8])
mean = tf.reduce_mean(tf.nn.embedding_lookup(embedding, ids), 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(mean))
