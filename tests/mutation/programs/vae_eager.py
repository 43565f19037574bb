"""A variational autoencoder: mean and log-variance split from one layer, losses by hand."""
import numpy as np
import tensorflow as tf

LATENT = 2
WIDTH = 6


class VAE(tf.keras.Model):
    def __init__(self, latent_dim):
        super().__init__()
        self.deferred_dim = latent_dim
        self.encoder = tf.keras.Sequential([
            tf.keras.layers.InputLayer(shape=(WIDTH, WIDTH, 1)),
            tf.keras.layers.Conv2D(4, 3, strides=(2, 2), activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(latent_dim + latent_dim),
        ])
        self.decoder = tf.keras.Sequential([
            tf.keras.layers.InputLayer(shape=(latent_dim,)),
            tf.keras.layers.Dense(3 * 3 * 4, activation="relu"),
            tf.keras.layers.Reshape(target_shape=(3, 3, 4)),
            tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
        ])

    def encode(self, x):
        mean, logvar = tf.split(self.encoder(x), num_or_size_splits=2, axis=1)
        return mean, logvar

    def reparameterize(self, mean, logvar):
        eps = tf.random.normal(shape=mean.shape)
        return eps * tf.exp(logvar * 0.5) + mean


def log_normal_pdf(sample, mean, logvar, raxis=1):
    log2pi = tf.math.log(2.0 * np.pi)
    inner = -0.5 * ((sample - mean) ** 2.0 * tf.exp(-logvar) + logvar + log2pi)
    return tf.reduce_sum(inner, axis=raxis)


def compute_loss(model, x):
    mean, logvar = model.encode(x)
    z = model.reparameterize(mean, logvar)
    x_logit = model.decoder(z)
    cross_ent = tf.nn.sigmoid_cross_entropy_with_logits(logits=x_logit, labels=x)
    logpx_z = -tf.reduce_sum(cross_ent, axis=[1, 2, 3])
    logpz = log_normal_pdf(z, 0.0, 0.0)
    logqz_x = log_normal_pdf(z, mean, logvar)
    return -tf.reduce_mean(logpx_z + logpz - logqz_x)


images = np.random.rand(12, WIDTH, WIDTH, 1).astype("float32")
model = VAE(LATENT)
optimizer = tf.keras.optimizers.Adam(1e-3)
for batch in tf.data.Dataset.from_tensor_slices(images).batch(6):
    with tf.GradientTape() as tape:
        loss = compute_loss(model, batch)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
print("elbo", -float(loss))
