"""A prototypical network: episodes, class means, and a distance matrix as logits, in a custom loop."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

WAYS, SHOTS, QUERIES = 5, 3, 4
encoder = keras.Sequential([keras.Input((20, 20, 1))])
for _ in range(3):
    encoder.add(layers.Conv2D(16, 3, padding="same"))
    encoder.add(layers.BatchNormalization())
    encoder.add(layers.ReLU())
    encoder.add(layers.MaxPooling2D(2))
encoder.add(layers.Flatten())
optimizer = keras.optimizers.Adam(1e-3)
accuracy = keras.metrics.SparseCategoricalAccuracy()


def episode(pictures):
    picked = np.random.choice(len(pictures), WAYS, replace=False)
    shots = np.stack([pictures[c][:SHOTS] for c in picked])
    queries = np.stack([pictures[c][SHOTS:SHOTS + QUERIES] for c in picked])
    return shots.astype("float32"), queries.astype("float32")


@tf.function
def train_step(shots, queries):
    labels = ops.repeat(ops.arange(WAYS), QUERIES)
    with tf.GradientTape() as tape:
        flat = ops.reshape(shots, (WAYS * SHOTS, 20, 20, 1))
        prototypes = ops.mean(ops.reshape(encoder(flat, training=True), (WAYS, SHOTS, -1)), axis=1)
        embedded = encoder(ops.reshape(queries, (WAYS * QUERIES, 20, 20, 1)), training=True)
        # wrong: differences = embedded - prototypes  # E: SF101
        differences = embedded[:, None, :] - prototypes[None, :, :]
        distances = ops.sum(ops.square(differences), axis=-1)
        loss = ops.mean(keras.losses.sparse_categorical_crossentropy(labels, -distances, from_logits=True))
    gradients = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(gradients, encoder.trainable_variables))
    accuracy.update_state(labels, -distances)
    return loss


images = np.random.rand(12, 10, 20, 20, 1)
for number in range(10):
    shots, queries = episode(images)
    loss = train_step(shots, queries)
    if number % 5 == 0:
        print(number, loss.shape, accuracy.result().shape)
        accuracy.reset_state()
