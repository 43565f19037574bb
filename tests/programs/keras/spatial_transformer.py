"""A spatial transformer: a localisation net, a sampling grid, bilinear sampling by gathers."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class BilinearSampler(layers.Layer):
    def __init__(self, height, width, **kwargs):
        super().__init__(**kwargs)
        self.height, self.width = height, width

    def get_config(self):
        return {**super().get_config(), "height": self.height, "width": self.width}

    def build(self, input_shape):
        ys, xs = tf.meshgrid(
            tf.linspace(-1.0, 1.0, self.height), tf.linspace(-1.0, 1.0, self.width), indexing="ij"
        )
        self.grid = tf.stack(
            [tf.reshape(xs, [-1]), tf.reshape(ys, [-1]), tf.ones([self.height * self.width])]
        )
        super().build(input_shape)

    def call(self, inputs):
        images, theta = inputs
        batch = tf.shape(images)[0]
        # wrong: theta = tf.reshape(theta, [-1, 3, 2])
        theta = tf.reshape(theta, [-1, 2, 3])
        grid = tf.tile(self.grid[None], [batch, 1, 1])
        points = tf.matmul(theta, grid)  # E: SF101
        h, w = tf.shape(images)[1], tf.shape(images)[2]
        x = (points[:, 0] + 1.0) * tf.cast(w - 1, "float32") / 2
        y = (points[:, 1] + 1.0) * tf.cast(h - 1, "float32") / 2
        x0 = tf.clip_by_value(tf.cast(tf.floor(x), tf.int32), 0, w - 1)
        y0 = tf.clip_by_value(tf.cast(tf.floor(y), tf.int32), 0, h - 1)
        rows = tf.repeat(tf.range(batch)[:, None], self.height * self.width, axis=1)
        sampled = tf.gather_nd(images, tf.stack([rows, y0, x0], axis=-1))
        return tf.reshape(sampled, [batch, self.height, self.width, images.shape[-1]])


image = keras.Input((40, 40, 1))
x = layers.Conv2D(8, 5, strides=2, activation="relu")(image)
x = layers.Conv2D(16, 5, strides=2, activation="relu")(x)
x = layers.GlobalAveragePooling2D()(x)
theta = layers.Dense(
    6,
    kernel_initializer="zeros",
    bias_initializer=lambda shape, dtype=None: tf.constant([1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
)(x)
warped = BilinearSampler(28, 28)([image, theta])
x = layers.Flatten()(layers.Conv2D(8, 3, activation="relu")(warped))
model = keras.Model(image, layers.Dense(10, activation="softmax")(x))
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(
    np.random.rand(48, 40, 40, 1).astype("float32"),
    np.random.randint(0, 10, 48),
    batch_size=16,
    epochs=1,
    verbose=0,
)
assert model.predict(np.zeros((3, 40, 40, 1), "float32"), verbose=0).shape == (3, 10)
