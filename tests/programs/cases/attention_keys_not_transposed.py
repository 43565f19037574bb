"""Scores of queries and keys need the keys transposed."""
import tensorflow as tf

assert tf.__version__ >= "2"


class Attention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.q, self.k, self.v = (tf.keras.layers.Dense(units) for _ in range(3))

    def call(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = tf.matmul(q, k) / 8.0  # E: SF114
        return tf.matmul(tf.nn.softmax(scores), v)


out = Attention(64)(tf.random.normal([2, 10, 32]))
print(out.shape)
