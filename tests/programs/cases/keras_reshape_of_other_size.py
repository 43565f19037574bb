"""A generator whose dense layer was halved, but not its Reshape."""
import numpy as np
import tensorflow as tf

layers = tf.keras.layers
generator = tf.keras.Sequential([  # E: SF104
    tf.keras.Input([100]),
    layers.Dense(7 * 7 * 32),
    layers.Reshape([7, 7, 64]),
    layers.Conv2DTranspose(32, 5, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(1, 5, strides=2, padding="same", activation="tanh"),
])
print(generator.predict(np.zeros([2, 100])).shape)
