"""Denoising diffusion: a small U-Net with the time embedded, an average of its weights, and sampling."""
import math

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

SIZE, WIDTHS, DEPTH, EMBEDDING = 16, [16, 24, 32], 2, 16


@keras.utils.register_keras_serializable()
def sinusoidal_embedding(x):
    frequencies = tf.exp(tf.linspace(math.log(1.0), math.log(1000.0), EMBEDDING // 2))
    angular = tf.cast(2.0 * math.pi * frequencies, "float32")
    return tf.concat([tf.sin(angular * x), tf.cos(angular * x)], axis=3)


def residual(width):
    def apply(x):
        skip = x if x.shape[3] == width else layers.Conv2D(width, kernel_size=1)(x)
        x = layers.BatchNormalization(center=False, scale=False)(x)
        x = layers.Conv2D(width, kernel_size=3, padding="same", activation="swish")(x)
        x = layers.Conv2D(width, kernel_size=3, padding="same")(x)
        return layers.Add()([x, skip])
    return apply


def down(width, depth):
    def apply(given):
        x, skips = given
        for _ in range(depth):
            x = residual(width)(x)
            skips.append(x)
        # wrong: return layers.AveragePooling2D(pool_size=4)(x)
        return layers.AveragePooling2D(pool_size=2)(x)
    return apply


def up(width, depth):
    def apply(given):
        x, skips = given
        x = layers.UpSampling2D(size=2, interpolation="bilinear")(x)
        for _ in range(depth):
            x = layers.Concatenate()([x, skips.pop()])  # E: SF108
            x = residual(width)(x)
        return x
    return apply


def get_network():
    noisy = keras.Input(shape=(SIZE, SIZE, 3))
    variances = keras.Input(shape=(1, 1, 1))
    e = layers.Lambda(sinusoidal_embedding, output_shape=(1, 1, EMBEDDING))(variances)
    e = layers.UpSampling2D(size=SIZE, interpolation="nearest")(e)
    x = layers.Concatenate()([layers.Conv2D(WIDTHS[0], kernel_size=1)(noisy), e])
    skips = []
    for width in WIDTHS[:-1]:
        x = down(width, DEPTH)([x, skips])
    for _ in range(DEPTH):
        x = residual(WIDTHS[-1])(x)
    for width in reversed(WIDTHS[:-1]):
        x = up(width, DEPTH)([x, skips])
    return keras.Model([noisy, variances], layers.Conv2D(3, 1, kernel_initializer="zeros")(x), name="unet")


class DiffusionModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.normalizer = layers.Normalization()
        self.network = get_network()
        self.ema_network = keras.models.clone_model(self.network)

    def compile(self, **kwargs):
        super().compile(**kwargs)
        self.noise_tracker = keras.metrics.Mean(name="n_loss")

    @property
    def metrics(self):
        return [self.noise_tracker]

    def schedule(self, times):
        start, end = tf.acos(0.95), tf.acos(0.02)
        angles = start + times * (end - start)
        return tf.sin(angles), tf.cos(angles)

    def denoise(self, noisy, noise_rates, signal_rates, training):
        network = self.network if training else self.ema_network
        noises = network([noisy, noise_rates ** 2], training=training)
        return noises, (noisy - noise_rates * noises) / signal_rates

    def generate(self, count, steps):
        images = tf.random.normal(shape=(count, SIZE, SIZE, 3))
        for step in range(steps):
            times = tf.ones((count, 1, 1, 1)) - step / steps
            noise_rates, signal_rates = self.schedule(times)
            noises, images = self.denoise(images, noise_rates, signal_rates, training=False)
        return tf.clip_by_value(self.normalizer.mean + images * self.normalizer.variance ** 0.5, 0.0, 1.0)

    def train_step(self, images):
        images = self.normalizer(images, training=True)
        size = tf.shape(images)[0]
        noises = tf.random.normal(shape=tf.shape(images))
        noise_rates, signal_rates = self.schedule(tf.random.uniform(shape=(size, 1, 1, 1)))
        noisy = signal_rates * images + noise_rates * noises
        with tf.GradientTape() as tape:
            predicted, _ = self.denoise(noisy, noise_rates, signal_rates, training=True)
            loss = self.loss(noises, predicted)
        gradients = tape.gradient(loss, self.network.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.network.trainable_weights))
        self.noise_tracker.update_state(loss)
        for weight, ema in zip(self.network.weights, self.ema_network.weights):
            ema.assign(0.999 * ema + 0.001 * weight)
        return {m.name: m.result() for m in self.metrics}


images = np.random.rand(48, SIZE, SIZE, 3).astype("float32")
model = DiffusionModel()
model.compile(optimizer=keras.optimizers.AdamW(1e-3, weight_decay=1e-4), loss=keras.losses.MeanAbsoluteError())
model.normalizer.adapt(images)
model.fit(tf.data.Dataset.from_tensor_slices(images).batch(16, drop_remainder=True), epochs=1, verbose=0)
print(model.generate(4, 3).shape)
