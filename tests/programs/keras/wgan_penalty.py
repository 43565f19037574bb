"""WGAN-GP: a gradient penalty needs a tape in a tape."""
import numpy as np
import tensorflow as tf
import keras
from keras import layers


class WGAN(keras.Model):
    def __init__(self, critic, generator, latent):
        super().__init__()
        self.critic, self.generator, self.latent = critic, generator, latent

    def compile(self, d_optimizer, g_optimizer):
        super().compile()
        self.d_optimizer, self.g_optimizer = d_optimizer, g_optimizer

    def gradient_penalty(self, size, real, fake):
        # wrong: alpha = tf.random.uniform([size, 3, 1, 1])
        alpha = tf.random.uniform([size, 1, 1, 1])
        between = real + alpha * (fake - real)  # E: SF101
        with tf.GradientTape() as tape:
            tape.watch(between)
            judged = self.critic(between, training=True)
        gradients = tape.gradient(judged, [between])[0]
        norm = tf.sqrt(tf.reduce_sum(tf.square(gradients), axis=[1, 2, 3]))
        return tf.reduce_mean((norm - 1.0) ** 2)

    def train_step(self, real):
        size = tf.shape(real)[0]
        for _ in range(2):
            noise = tf.random.normal((size, self.latent))
            with tf.GradientTape() as tape:
                fake = self.generator(noise, training=True)
                cost = tf.reduce_mean(self.critic(fake)) - tf.reduce_mean(self.critic(real))
                d_loss = cost + 10.0 * self.gradient_penalty(size, real, fake)
            grads = tape.gradient(d_loss, self.critic.trainable_variables)
            self.d_optimizer.apply_gradients(zip(grads, self.critic.trainable_variables))
        with tf.GradientTape() as tape:
            g_loss = -tf.reduce_mean(self.critic(self.generator(tf.random.normal((size, self.latent)))))
        grads = tape.gradient(g_loss, self.generator.trainable_variables)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_variables))
        return {"d_loss": d_loss, "g_loss": g_loss}


critic = keras.Sequential([keras.Input((28, 28, 1)), layers.ZeroPadding2D((2, 2)),
                           layers.Conv2D(16, 5, strides=2, padding="same"), layers.LeakyReLU(),
                           layers.Flatten(), layers.Dropout(0.2), layers.Dense(1)])
generator = keras.Sequential([keras.Input((32,)), layers.Dense(4 * 4 * 16, use_bias=False),
                              layers.BatchNormalization(), layers.Reshape((4, 4, 16)),
                              layers.UpSampling2D(), layers.Conv2D(8, 3, padding="same"),
                              layers.UpSampling2D(), layers.Conv2D(8, 3, padding="same"),
                              layers.UpSampling2D(), layers.Conv2D(1, 3, padding="same", activation="tanh"),
                              layers.Cropping2D((2, 2))])
wgan = WGAN(critic, generator, 32)
wgan.compile(keras.optimizers.Adam(2e-4, beta_1=0.5), keras.optimizers.Adam(2e-4, beta_1=0.5))
wgan.fit(np.random.rand(20, 28, 28, 1).astype("float32"), batch_size=10, epochs=1, verbose=0)
