"""The state of a custom training loop is made for full batches; the last one has 36 samples."""
import numpy as np
import tensorflow as tf

BATCH = 64
x = np.random.rand(100, 12, 6).astype(np.float32)
y = np.random.randint(0, 2, 100)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH)
w = tf.Variable(tf.random.normal([6 + 16, 16]))
out = tf.Variable(tf.random.normal([16, 2]))
optimizer = tf.keras.optimizers.Adam()


def rnn(steps):
    state = tf.zeros([BATCH, 16])
    for i in range(steps.shape[1]):
        state = tf.tanh(tf.matmul(tf.concat([steps[:, i], state], 1), w))  # E: SF115
    return tf.matmul(state, out)


for xs, ys in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ys, logits=rnn(xs)))
    optimizer.apply_gradients(zip(tape.gradient(loss, [w, out]), [w, out]))
