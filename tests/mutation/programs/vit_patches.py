"""Patches for a vision transformer, cut by reshape and transpose, with positions and a class token."""
import tensorflow as tf

BATCH, IMAGE, CHANNELS = 2, 8, 3
PATCH = 4
GRID = IMAGE // PATCH
WIDTH = 10
CLASSES = 6


def patchify(images):
    x = tf.reshape(images, [-1, GRID, PATCH, GRID, PATCH, CHANNELS])
    x = tf.transpose(x, [0, 1, 3, 2, 4, 5])
    return tf.reshape(x, [-1, GRID * GRID, PATCH * PATCH * CHANNELS])


def unpatchify(patches):
    x = tf.reshape(patches, [-1, GRID, GRID, PATCH, PATCH, CHANNELS])
    x = tf.transpose(x, [0, 1, 3, 2, 4, 5])
    return tf.reshape(x, [-1, IMAGE, IMAGE, CHANNELS])


projection = tf.Variable(tf.random.normal([PATCH * PATCH * CHANNELS, WIDTH]))
class_token = tf.Variable(tf.zeros([1, 1, WIDTH]))
positions = tf.Variable(tf.random.normal([1, GRID * GRID + 1, WIDTH]))
head = tf.Variable(tf.random.normal([WIDTH, CLASSES]))

images = tf.random.uniform([BATCH, IMAGE, IMAGE, CHANNELS])
patches = patchify(images)
tokens = tf.einsum("bnp,pw->bnw", patches, projection)
tokens = tf.concat([tf.tile(class_token, [BATCH, 1, 1]), tokens], axis=1)
tokens = tokens + positions
mean, variance = tf.nn.moments(tokens, axes=[-1], keepdims=True)
tokens = (tokens - mean) / tf.sqrt(variance + 1e-6)
scores = tf.nn.softmax(tf.matmul(tokens, tokens, transpose_b=True) / WIDTH ** 0.5)
tokens = tokens + tf.matmul(scores, tokens)
logits = tf.matmul(tokens[:, 0], head)
back = unpatchify(patches)
labels = tf.constant([1, 4])
loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
print(loss.shape, float(tf.reduce_max(tf.abs(back - images))))
