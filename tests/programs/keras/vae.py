"""A variational autoencoder: sampling layer, two outputs of the encoder, KL loss."""
import numpy as np
import tensorflow as tf
import keras
from keras import layers, ops


class Sampling(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seed = keras.random.SeedGenerator(3)

    def call(self, inputs):
        mean, log_var = inputs
        epsilon = keras.random.normal(shape=ops.shape(mean), seed=self.seed)
        return mean + ops.exp(0.5 * log_var) * epsilon


encoder_inputs = keras.Input((28, 28, 1))
x = layers.Conv2D(32, 3, activation="relu", strides=2, padding="same")(encoder_inputs)
x = layers.Conv2D(64, 3, activation="relu", strides=2, padding="same")(x)
x = layers.Dense(16, activation="relu")(layers.Flatten()(x))
mean, log_var = layers.Dense(2, name="mean")(x), layers.Dense(2, name="log_var")(x)
encoder = keras.Model(encoder_inputs, [mean, log_var, Sampling()([mean, log_var])], name="encoder")
latent = keras.Input((2,))
# wrong: x = layers.Dense(7 * 7 * 32, activation="relu")(latent)
x = layers.Dense(7 * 7 * 64, activation="relu")(latent)
x = layers.Reshape((7, 7, 64))(x)  # E: SF104
x = layers.Conv2DTranspose(64, 3, activation="relu", strides=2, padding="same")(x)
x = layers.Conv2DTranspose(32, 3, activation="relu", strides=2, padding="same")(x)
decoder = keras.Model(latent, layers.Conv2DTranspose(1, 3, activation="sigmoid", padding="same")(x))


class VAE(keras.Model):
    def __init__(self, encoder, decoder, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.decoder = encoder, decoder
        self.total = keras.metrics.Mean(name="total_loss")

    @property
    def metrics(self):
        return [self.total]

    def train_step(self, data):
        with tf.GradientTape() as tape:
            mean, log_var, z = self.encoder(data)
            rebuilt = self.decoder(z)
            each = ops.sum(keras.losses.binary_crossentropy(data, rebuilt), axis=(1, 2))
            kl = -0.5 * (1 + log_var - ops.square(mean) - ops.exp(log_var))
            loss = ops.mean(each) + ops.mean(ops.sum(kl, axis=1))
        grads = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.total.update_state(loss)
        return {"loss": self.total.result()}


vae = VAE(encoder, decoder)
vae.compile(optimizer=keras.optimizers.Adam())
vae.fit(np.random.rand(64, 28, 28, 1).astype("float32"), epochs=1, batch_size=32, verbose=0)
print(vae.decoder.predict(np.array([[0.1, 0.2]]), verbose=0)[0].shape)
