"""Softmax regression by hand: eager TensorFlow, variables, a tape, mini-batches cut from arrays."""
import numpy as np
import tensorflow as tf

SAMPLES, FEATURES, CLASSES, BATCH = 60, 12, 5, 20

rng = np.random.RandomState(0)
features = rng.rand(SAMPLES, FEATURES).astype("float32")
labels = rng.randint(0, CLASSES, SAMPLES)

weights = tf.Variable(tf.zeros([FEATURES, CLASSES]))
bias = tf.Variable(tf.zeros([CLASSES]))


def predict(x):
    return tf.matmul(x, weights) + bias


def loss_of(x, y):
    one_hot = tf.one_hot(y, CLASSES)
    losses = tf.nn.softmax_cross_entropy_with_logits(labels=one_hot, logits=predict(x))
    return tf.reduce_mean(losses)


optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(2):
    for start in range(0, SAMPLES, BATCH):
        x = tf.constant(features[start:start + BATCH])
        y = tf.constant(labels[start:start + BATCH])
        with tf.GradientTape() as tape:
            loss = loss_of(x, y)
        grads = tape.gradient(loss, [weights, bias])
        optimizer.apply_gradients(zip(grads, [weights, bias]))

guesses = tf.argmax(predict(features), axis=1)
hits = tf.cast(tf.equal(guesses, labels), tf.float32)
print("accuracy", float(tf.reduce_mean(hits)))
