# A sequence of embeddings is rank 3: under 1.8 its product with a matrix is refused.
import tensorflow as tf

assert tf.__version__ == "1.8.0"
words = tf.placeholder(tf.int32, [None, 30])
table = tf.Variable(tf.random_uniform([100, 16], -1.0, 1.0))
vectors = tf.nn.embedding_lookup(table, words)
assert vectors.shape.as_list() == [None, 30, 16]
hidden = tf.matmul(vectors, tf.random_uniform([16, 8]))  # E: SF102
