"""A DCGAN in miniature: generator and discriminator of keras layers, two tapes in one step."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

BATCH_SIZE, NOISE = 4, 10

generator = tf.keras.Sequential([
    layers.Input(shape=(NOISE,)),
    layers.Dense(2 * 2 * 8, use_bias=False),
    layers.LeakyReLU(),
    layers.Reshape((2, 2, 8)),
    layers.Conv2DTranspose(4, (3, 3), strides=(2, 2), padding="same", use_bias=False),
    layers.LeakyReLU(),
    layers.Conv2DTranspose(1, (3, 3), strides=(2, 2), padding="same", activation="tanh"),
])
discriminator = tf.keras.Sequential([
    layers.Input(shape=(8, 8, 1)),
    layers.Conv2D(4, (3, 3), strides=(2, 2), padding="same"),
    layers.LeakyReLU(),
    layers.Conv2D(8, (3, 3), strides=(2, 2), padding="same"),
    layers.Flatten(),
    layers.Dense(1),
])
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_optimizer = tf.keras.optimizers.Adam(1e-4)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-4)


def discriminator_loss(real_output, fake_output):
    real_loss = cross_entropy(tf.ones_like(real_output), real_output)
    fake_loss = cross_entropy(tf.zeros_like(fake_output), fake_output)
    return real_loss + fake_loss


def train_step(images):
    noise = tf.random.normal([BATCH_SIZE, NOISE])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(generated, training=True)
        gen_loss = cross_entropy(tf.ones_like(fake_output), fake_output)
        disc_loss = discriminator_loss(real_output, fake_output)
    gen_gradients = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_gradients = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gen_gradients, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(disc_gradients, discriminator.trainable_variables))
    return generated


train_images = np.random.rand(8, 8, 8, 1).astype("float32") * 2 - 1
train_dataset = tf.data.Dataset.from_tensor_slices(train_images).shuffle(8).batch(BATCH_SIZE)
for image_batch in train_dataset:
    pictures = train_step(image_batch)
both = tf.concat([pictures, image_batch], axis=0)
print(both.shape, float(tf.reduce_mean(pictures)))
