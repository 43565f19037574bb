"""A VQ-VAE: a codebook with a straight-through gradient, losses added by a layer."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class VectorQuantizer(layers.Layer):
    def __init__(self, num_embeddings, embedding_dim, beta=0.25, **kwargs):
        super().__init__(**kwargs)
        self.embedding_dim, self.num_embeddings, self.beta = embedding_dim, num_embeddings, beta
        w_init = tf.random_uniform_initializer()
        self.embeddings = tf.Variable(
            initial_value=w_init(shape=(embedding_dim, num_embeddings), dtype="float32"),
            trainable=True, name="embeddings_vqvae")

    def call(self, x):
        input_shape = tf.shape(x)
        flattened = tf.reshape(x, [-1, self.embedding_dim])
        encoding_indices = self.get_code_indices(flattened)
        encodings = tf.one_hot(encoding_indices, self.num_embeddings)
        quantized = tf.matmul(encodings, self.embeddings, transpose_b=True)
        quantized = tf.reshape(quantized, input_shape)
        commitment = tf.reduce_mean((tf.stop_gradient(quantized) - x) ** 2)
        codebook = tf.reduce_mean((quantized - tf.stop_gradient(x)) ** 2)
        self.add_loss(self.beta * commitment + codebook)
        return x + tf.stop_gradient(quantized - x)

    def get_code_indices(self, flattened):
        # wrong: similarity = tf.matmul(flattened, self.embeddings, transpose_b=True)  # E: SF101
        similarity = tf.matmul(flattened, self.embeddings)
        distances = (tf.reduce_sum(flattened ** 2, axis=1, keepdims=True)
                     + tf.reduce_sum(self.embeddings ** 2, axis=0) - 2 * similarity)
        return tf.argmin(distances, axis=1)


def get_encoder(latent_dim=16):
    inputs = keras.Input(shape=(28, 28, 1))
    x = layers.Conv2D(32, 3, activation="relu", strides=2, padding="same")(inputs)
    x = layers.Conv2D(64, 3, activation="relu", strides=2, padding="same")(x)
    return keras.Model(inputs, layers.Conv2D(latent_dim, 1, padding="same")(x), name="encoder")


def get_decoder(latent_dim=16):
    latent = keras.Input(shape=get_encoder(latent_dim).output.shape[1:])
    x = layers.Conv2DTranspose(64, 3, activation="relu", strides=2, padding="same")(latent)
    x = layers.Conv2DTranspose(32, 3, activation="relu", strides=2, padding="same")(x)
    return keras.Model(latent, layers.Conv2DTranspose(1, 3, padding="same")(x), name="decoder")


class VQVAETrainer(keras.models.Model):
    def __init__(self, train_variance, latent_dim=16, num_embeddings=24):
        super().__init__()
        self.train_variance = train_variance
        inputs = keras.Input(shape=(28, 28, 1))
        quantizer = VectorQuantizer(num_embeddings, latent_dim, name="vector_quantizer")
        outputs = get_decoder(latent_dim)(quantizer(get_encoder(latent_dim)(inputs)))
        self.vqvae = keras.Model(inputs, outputs, name="vq_vae")
        self.total = keras.metrics.Mean(name="total_loss")

    @property
    def metrics(self):
        return [self.total]

    def train_step(self, x):
        with tf.GradientTape() as tape:
            reconstructions = self.vqvae(x)
            reconstruction_loss = tf.reduce_mean((x - reconstructions) ** 2) / self.train_variance
            total = reconstruction_loss + sum(self.vqvae.losses)
        grads = tape.gradient(total, self.vqvae.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.vqvae.trainable_variables))
        self.total.update_state(total)
        return {"loss": self.total.result()}


x_train = (np.random.randint(0, 255, (64, 28, 28, 1)) / 255.0).astype("float32") - 0.5
trainer = VQVAETrainer(np.var(x_train))
trainer.compile(optimizer=keras.optimizers.Adam())
trainer.fit(x_train, epochs=1, batch_size=32, verbose=0)
codes = trainer.vqvae.get_layer("vector_quantizer").get_code_indices(tf.zeros((49, 16)))
