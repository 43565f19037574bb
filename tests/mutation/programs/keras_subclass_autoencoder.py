"""An autoencoder as a subclassed Model, with a dense encoder and decoder."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, losses
from tensorflow.keras.models import Model


class Autoencoder(Model):
    def __init__(self, latent_dim, shape):
        super().__init__()
        self.deferred_dim = latent_dim
        self.shape = shape
        self.encoder = tf.keras.Sequential([
            layers.Flatten(),
            layers.Dense(latent_dim, activation="relu"),
        ])
        self.decoder = tf.keras.Sequential([
            layers.Dense(int(tf.math.reduce_prod(shape)), activation="sigmoid"),
            layers.Reshape(shape),
        ])

    def call(self, x):
        encoded = self.encoder(x)
        decoded = self.decoder(encoded)
        return decoded


x_train = np.random.rand(32, 6, 6).astype("float32")
x_test = np.random.rand(8, 6, 6).astype("float32")

autoencoder = Autoencoder(10, x_train.shape[1:])
autoencoder.compile(optimizer="adam", loss=losses.MeanSquaredError())
autoencoder.fit(x_train, x_train, epochs=1, batch_size=16, validation_data=(x_test, x_test), verbose=0)

encoded = autoencoder.encoder(x_test).numpy()
decoded = autoencoder.decoder(encoded).numpy()
difference = np.abs(decoded - x_test).mean(axis=(1, 2))
print(encoded.shape, decoded.shape, difference.shape)
