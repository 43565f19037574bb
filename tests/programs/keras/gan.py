"""A GAN with a train_step, two optimizers and images of 28x28."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LATENT = 64
discriminator = keras.Sequential([
    keras.Input((28, 28, 1)),
    layers.Conv2D(32, 3, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    layers.Conv2D(64, 3, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    layers.GlobalMaxPooling2D(), layers.Dense(1)], name="discriminator")
generator = keras.Sequential([
    keras.Input((LATENT,)),
    layers.Dense(7 * 7 * 32), layers.LeakyReLU(), layers.Reshape((7, 7, 32)),
    layers.Conv2DTranspose(32, 4, strides=2, padding="same"), layers.LeakyReLU(),
    # wrong: layers.Conv2DTranspose(32, 4, strides=1, padding="same"), layers.LeakyReLU(),
    layers.Conv2DTranspose(32, 4, strides=2, padding="same"), layers.LeakyReLU(),
    layers.Conv2D(1, 7, padding="same", activation="sigmoid")], name="generator")


class GAN(keras.Model):
    def __init__(self, discriminator, generator):
        super().__init__()
        self.discriminator, self.generator = discriminator, generator
        self.seed = keras.random.SeedGenerator(1337)
        self.d_loss, self.g_loss = keras.metrics.Mean("d_loss"), keras.metrics.Mean("g_loss")

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer, self.g_optimizer, self.loss_fn = d_optimizer, g_optimizer, loss_fn

    metrics = property(lambda self: [self.d_loss, self.g_loss])

    def train_step(self, real):
        if isinstance(real, tuple):
            real = real[0]
        size = tf.shape(real)[0]
        noise = keras.random.normal((size, LATENT), seed=self.seed)
        images = tf.concat([self.generator(noise), real], axis=0)  # E: SF107
        labels = tf.concat([tf.ones((size, 1)), tf.zeros((size, 1))], axis=0)
        labels += 0.05 * tf.random.uniform(tf.shape(labels))
        with tf.GradientTape() as tape:
            d_loss = self.loss_fn(labels, self.discriminator(images))
        grads = tape.gradient(d_loss, self.discriminator.trainable_weights)
        self.d_optimizer.apply_gradients(zip(grads, self.discriminator.trainable_weights))
        with tf.GradientTape() as tape:
            g_loss = self.loss_fn(tf.zeros((size, 1)), self.discriminator(self.generator(noise)))
        grads = tape.gradient(g_loss, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_weights))
        self.d_loss.update_state(d_loss)
        self.g_loss.update_state(g_loss)
        return {"d_loss": self.d_loss.result(), "g_loss": self.g_loss.result()}


images = np.random.rand(96, 28, 28, 1).astype("float32")
gan = GAN(discriminator, generator)
gan.compile(keras.optimizers.Adam(1e-4), keras.optimizers.Adam(1e-4),
            keras.losses.BinaryCrossentropy(from_logits=True))
gan.fit(tf.data.Dataset.from_tensor_slices(images).shuffle(96).batch(32), epochs=1, verbose=0)
print(generator(tf.zeros((3, LATENT))).shape)
