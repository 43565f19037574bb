"""A VAE whose KL term is a loss added by a layer; the reconstruction is compiled; the decoder is used alone."""
import keras
import numpy as np
from keras import layers, ops


class Sampling(layers.Layer):
    def __init__(self, weight=1.0, **kwargs):
        super().__init__(**kwargs)
        self.weight = weight
        self.seed_generator = keras.random.SeedGenerator(7)

    def call(self, inputs):
        mean, log_var = inputs
        kl = -0.5 * ops.sum(1 + log_var - ops.square(mean) - ops.exp(log_var), axis=1)  # E: SF101
        self.add_loss(self.weight * ops.mean(kl))
        noise = keras.random.normal(ops.shape(mean), seed=self.seed_generator)
        return mean + ops.exp(0.5 * log_var) * noise

    def get_config(self):
        return {**super().get_config(), "weight": self.weight}


inputs = keras.Input((28, 28, 1))
x = layers.Conv2D(16, 3, strides=2, padding="same", activation="relu")(inputs)
x = layers.Conv2D(32, 3, strides=2, padding="same", activation="relu")(x)
shape = x.shape[1:]
x = layers.Dense(16, activation="relu")(layers.Flatten()(x))
# wrong: mean, log_var = layers.Dense(4, name="mean")(x), layers.Dense(8, name="log_var")(x)
mean, log_var = layers.Dense(4, name="mean")(x), layers.Dense(4, name="log_var")(x)
z = Sampling(0.1)([mean, log_var])
encoder = keras.Model(inputs, [mean, log_var, z], name="encoder")
latent = keras.Input((4,))
x = layers.Dense(int(np.prod(shape)), activation="relu")(latent)
x = layers.Reshape(shape)(x)
x = layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(x)
x = layers.Conv2DTranspose(16, 3, strides=2, padding="same", activation="relu")(x)
decoder = keras.Model(latent, layers.Conv2DTranspose(1, 3, padding="same", activation="sigmoid")(x), name="decoder")
vae = keras.Model(inputs, decoder(encoder(inputs)[2]))
vae.compile("adam", loss="binary_crossentropy")
pictures = np.random.rand(64, 28, 28, 1).astype("float32")
vae.fit(pictures, pictures, batch_size=16, epochs=1, verbose=0)
print(len(vae.losses), decoder.predict(np.random.normal(size=(9, 4)), verbose=0).shape)
grid = np.zeros((28 * 3, 28 * 3))
for i, digit in enumerate(decoder.predict(np.zeros((9, 4)), verbose=0)):
    grid[i // 3 * 28:i // 3 * 28 + 28, i % 3 * 28:i % 3 * 28 + 28] = digit.reshape(28, 28)
