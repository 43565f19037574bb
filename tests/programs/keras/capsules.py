"""Capsules with routing by agreement, margin loss and a decoder."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def squash(vectors, axis=-1):
    squared = tf.reduce_sum(tf.square(vectors), axis, keepdims=True)
    return squared / (1 + squared) / tf.sqrt(squared + keras.backend.epsilon()) * vectors


class Capsules(layers.Layer):
    def __init__(self, count, size, routings=3, **kwargs):
        super().__init__(**kwargs)
        self.count, self.size, self.routings = count, size, routings

    def build(self, input_shape):
        self.below, self.below_size = input_shape[1], input_shape[2]
        self.w = self.add_weight(shape=(self.count, self.below, self.size, self.below_size), name="w")

    def call(self, inputs):
        expanded = tf.expand_dims(tf.expand_dims(inputs, 1), -1)
        tiled = tf.tile(expanded, [1, self.count, 1, 1, 1])
        votes = tf.squeeze(tf.map_fn(lambda x: tf.matmul(self.w, x), elems=tiled), axis=-1)
        logits = tf.zeros([tf.shape(inputs)[0], self.count, 1, self.below])
        for i in range(self.routings):
            coupling = tf.nn.softmax(logits, axis=1)
            outputs = squash(tf.matmul(coupling, votes))
            if i < self.routings - 1:
                logits += tf.matmul(outputs, votes, transpose_b=True)
        return tf.squeeze(outputs, axis=2)


def margin_loss(y_true, y_pred):
    loss = y_true * tf.square(tf.maximum(0.0, 0.9 - y_pred)) + 0.5 * (1 - y_true) * tf.square(
        tf.maximum(0.0, y_pred - 0.1)
    )
    return tf.reduce_mean(tf.reduce_sum(loss, 1))


image = keras.Input((28, 28, 1))
x = layers.Conv2D(16, 9, activation="relu")(image)
x = layers.Conv2D(32, 9, strides=2)(x)
# wrong: x = layers.Reshape((-1, 7))(x)  # E: SF104
x = layers.Reshape((-1, 8))(x)
primary = layers.Lambda(squash)(x)
digits = Capsules(10, 16)(primary)
lengths = layers.Lambda(
    lambda z: tf.sqrt(tf.reduce_sum(tf.square(z), -1)), output_shape=(10,), name="lengths"
)(digits)
decoded = layers.Dense(784, activation="sigmoid")(layers.Flatten()(digits))
decoded = layers.Reshape((28, 28, 1), name="decoded")(decoded)
model = keras.Model(image, [lengths, decoded])
model.compile("adam", loss=[margin_loss, "mse"], loss_weights=[1.0, 0.0005], metrics=[["accuracy"], []])
x_train = np.random.rand(32, 28, 28, 1).astype("float32")
y_train = keras.utils.to_categorical(np.random.randint(0, 10, 32), 10)
history = model.fit(x_train, [y_train, x_train], batch_size=16, epochs=1, verbose=0)
assert "lengths_loss" in history.history
