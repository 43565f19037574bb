"""A mixture density network: the parameters of normal distributions, their likelihood as a loss, samples."""

import math

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

MIXTURES, OUTPUTS = 5, 2
BOTH = MIXTURES * OUTPUTS


class Mixture(layers.Layer):
    def __init__(self, mixtures, outputs, **kwargs):
        super().__init__(**kwargs)
        self.means = layers.Dense(mixtures * outputs, name="means")
        self.scales = layers.Dense(mixtures * outputs, activation="softplus", name="scales")
        self.shares = layers.Dense(mixtures, name="shares")

    def call(self, x):
        return layers.concatenate([self.means(x), self.scales(x) + 1e-3, self.shares(x)])


def parts(parameters):
    # wrong: means, scales, shares = tf.split(parameters, [BOTH, BOTH, OUTPUTS], axis=-1)  # E: SF128
    means, scales, shares = tf.split(parameters, [BOTH, BOTH, MIXTURES], axis=-1)
    shape = [-1, MIXTURES, OUTPUTS]
    return tf.reshape(means, shape), tf.reshape(scales, shape), shares


def negative_likelihood(y_true, parameters):
    means, scales, shares = parts(parameters)
    distance = (y_true[:, None, :] - means) / scales
    log = -0.5 * tf.reduce_sum(distance**2 + 2 * tf.math.log(scales) + math.log(2 * math.pi), axis=-1)
    return -tf.reduce_logsumexp(log + tf.nn.log_softmax(shares), axis=-1)


model = keras.Sequential([
    keras.Input((3,)), layers.Dense(32, activation="swish"), layers.Dense(32, activation="swish"),
    Mixture(MIXTURES, OUTPUTS)])
model.compile(keras.optimizers.Adam(1e-3, clipnorm=1.0), negative_likelihood)
x, y = np.random.randn(90, 3).astype("float32"), np.random.randn(90, OUTPUTS).astype("float32")
model.fit(x, y, batch_size=30, epochs=2, verbose=0)


@tf.function
def sample(inputs):
    means, scales, shares = parts(model(inputs))
    chosen = tf.random.categorical(shares, 1)[:, 0]
    mean, scale = (tf.gather(one, chosen, batch_dims=1) for one in (means, scales))
    return mean + scale * tf.random.normal(tf.shape(mean))


assert sample(x[:7]).shape == (7, OUTPUTS)
