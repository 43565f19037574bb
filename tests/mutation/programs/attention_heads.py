"""Scaled dot-product attention with several heads, all reshapes and transposes by hand."""
import tensorflow as tf

BATCH, LENGTH, MODEL, HEADS = 3, 5, 12, 4
DEPTH = MODEL // HEADS


def split_heads(x):
    x = tf.reshape(x, (BATCH, -1, HEADS, DEPTH))
    return tf.transpose(x, perm=[0, 2, 1, 3])


def attention(q, k, v, mask):
    scores = tf.matmul(q, k, transpose_b=True)
    scores = scores / tf.math.sqrt(tf.cast(tf.shape(k)[-1], tf.float32))
    scores += mask * -1e9
    weights = tf.nn.softmax(scores, axis=-1)
    return tf.matmul(weights, v), weights


class MultiHead(tf.Module):
    def __init__(self):
        super().__init__()
        self.wq = tf.Variable(tf.random.normal([MODEL, MODEL]))
        self.wk = tf.Variable(tf.random.normal([MODEL, MODEL]))
        self.wv = tf.Variable(tf.random.normal([MODEL, MODEL]))
        self.wo = tf.Variable(tf.random.normal([MODEL, MODEL]))

    def __call__(self, x, mask):
        q = split_heads(tf.tensordot(x, self.wq, axes=1))
        k = split_heads(tf.tensordot(x, self.wk, axes=1))
        v = split_heads(tf.tensordot(x, self.wv, axes=1))
        mixed, weights = attention(q, k, v, mask)
        mixed = tf.transpose(mixed, perm=[0, 2, 1, 3])
        joined = tf.reshape(mixed, (BATCH, -1, MODEL))
        return tf.tensordot(joined, self.wo, axes=1), weights


look_ahead = 1 - tf.linalg.band_part(tf.ones((LENGTH, LENGTH)), -1, 0)
padding = tf.zeros((BATCH, 1, 1, LENGTH))
mask = tf.maximum(look_ahead, padding)

layer = MultiHead()
sequence = tf.random.uniform((BATCH, LENGTH, MODEL))
with tf.GradientTape() as tape:
    out, weights = layer(sequence, mask)
    loss = tf.reduce_mean(tf.square(out - sequence))
gradients = tape.gradient(loss, layer.trainable_variables)
print(out.shape, weights.shape, len(gradients))
