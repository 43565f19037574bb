"""A conditional GAN as a Model with two optimizers, an image size that must match, and generated samples."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

LATENT, CLASSES, SIZE = 16, 10, 28
discriminator = keras.Sequential([
    keras.Input((SIZE, SIZE, 1 + CLASSES)),
    layers.Conv2D(16, 3, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    layers.Conv2D(32, 3, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    layers.GlobalMaxPooling2D(), layers.Dense(1)], name="discriminator")
generator = keras.Sequential([
    keras.Input((LATENT + CLASSES,)),
    layers.Dense(7 * 7 * 26), layers.LeakyReLU(negative_slope=0.2), layers.Reshape((7, 7, 26)),
    layers.Conv2DTranspose(32, 4, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    # wrong: layers.Conv2DTranspose(16, 4, strides=2), layers.LeakyReLU(negative_slope=0.2),
    layers.Conv2DTranspose(16, 4, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    layers.Conv2D(1, 7, padding="same", activation="sigmoid")], name="generator")


class ConditionalGAN(keras.Model):
    def __init__(self, discriminator, generator):
        super().__init__()
        self.discriminator, self.generator = discriminator, generator
        self.seed_generator = keras.random.SeedGenerator(1337)
        self.gen_loss, self.disc_loss = keras.metrics.Mean(name="g_loss"), keras.metrics.Mean(name="d_loss")

    @property
    def metrics(self):
        return [self.gen_loss, self.disc_loss]

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer, self.g_optimizer, self.loss_fn = d_optimizer, g_optimizer, loss_fn

    def train_step(self, data):
        images, labels = data
        hot = labels[:, :, None, None]
        planes = ops.reshape(ops.repeat(hot, repeats=[SIZE * SIZE]), (-1, SIZE, SIZE, CLASSES))
        batch = ops.shape(images)[0]
        noise = keras.random.normal((batch, LATENT), seed=self.seed_generator)
        fakes = self.generator(ops.concatenate([noise, labels], axis=1))
        fake_planes = ops.concatenate([fakes, planes], -1)  # E: SF107
        real_planes = ops.concatenate([images, planes], -1)
        both = ops.concatenate([fake_planes, real_planes], axis=0)
        truth = ops.concatenate([ops.ones((batch, 1)), ops.zeros((batch, 1))], axis=0)
        with tf.GradientTape() as tape:
            d_loss = self.loss_fn(truth, self.discriminator(both))
        grads = tape.gradient(d_loss, self.discriminator.trainable_weights)
        self.d_optimizer.apply_gradients(zip(grads, self.discriminator.trainable_weights))
        noise = keras.random.normal((batch, LATENT), seed=self.seed_generator)
        with tf.GradientTape() as tape:
            fakes = self.generator(ops.concatenate([noise, labels], axis=1))
            guesses = self.discriminator(ops.concatenate([fakes, planes], -1))
            g_loss = self.loss_fn(ops.zeros((batch, 1)), guesses)
        grads = tape.gradient(g_loss, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_weights))
        self.gen_loss.update_state(g_loss)
        self.disc_loss.update_state(d_loss)
        return {"g_loss": self.gen_loss.result(), "d_loss": self.disc_loss.result()}


digits = np.random.rand(64, SIZE, SIZE, 1).astype("float32")
labels = keras.utils.to_categorical(np.random.randint(0, 10, 64), 10)
dataset = tf.data.Dataset.from_tensor_slices((digits, labels)).shuffle(64).batch(16)
gan = ConditionalGAN(discriminator, generator)
gan.compile(keras.optimizers.Adam(3e-4), keras.optimizers.Adam(3e-4), keras.losses.BinaryCrossentropy(from_logits=True))
gan.fit(dataset, epochs=1, verbose=0)
first, second = keras.utils.to_categorical([5], CLASSES), keras.utils.to_categorical([6], CLASSES)
mixes = first * np.linspace(1, 0, 5)[:, None] + second * np.linspace(0, 1, 5)[:, None]
print(generator.predict(np.concatenate([np.random.normal(size=(5, LATENT)), mixes], axis=1), verbose=0).shape)
