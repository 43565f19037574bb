"""TF_USE_LEGACY_KERAS: functions of keras.backend, Lambda layers, K.function, a VAE with add_loss on the model."""
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Dense, Input, Lambda
from tensorflow.keras.losses import binary_crossentropy
from tensorflow.keras.models import Model

original_dim, latent_dim = 784, 2


def sampling(args):
    z_mean, z_log_var = args
    batch, dim = K.shape(z_mean)[0], K.int_shape(z_mean)[1]
    return z_mean + K.exp(0.5 * z_log_var) * K.random_normal(shape=(batch, dim))  # E: SF101


inputs = Input(shape=(original_dim,), name="encoder_input")
x = Dense(64, activation="relu")(inputs)
z_mean = Dense(latent_dim, name="z_mean")(x)
# wrong: z_log_var = Dense(latent_dim + 1, name="z_log_var")(x)
z_log_var = Dense(latent_dim, name="z_log_var")(x)
z = Lambda(sampling, output_shape=(latent_dim,), name="z")([z_mean, z_log_var])
encoder = Model(inputs, [z_mean, z_log_var, z], name="encoder")
latent_inputs = Input(shape=(latent_dim,), name="z_sampling")
decoder = Model(latent_inputs, Dense(original_dim, activation="sigmoid")(Dense(64, activation="relu")(latent_inputs)))
outputs = decoder(encoder(inputs)[2])
vae = Model(inputs, outputs, name="vae_mlp")
reconstruction = binary_crossentropy(inputs, outputs) * original_dim
kl = -0.5 * K.sum(1 + z_log_var - K.square(z_mean) - K.exp(z_log_var), axis=-1)
vae.add_loss(K.mean(reconstruction + kl))
vae.compile(optimizer="adam")
data = np.random.rand(64, original_dim).astype("float32")
vae.fit(data, epochs=1, batch_size=32, validation_data=(data[:8], None), verbose=0)
middle = K.function([vae.input], [vae.layers[1].output])
print(np.shape(middle([data[:4]])[0]), encoder.predict(data[:4], verbose=0)[0].shape)
