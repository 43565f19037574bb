import tensorflow as tf
from tensorflow.keras import layers

NOISE = 16


def make_generator():
    model = tf.keras.Sequential()
    model.add(layers.Dense(7 * 7 * 32, use_bias=False, input_shape=(NOISE,)))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Reshape((7, 7, 32)))
    assert model.output_shape == (None, 7, 7, 32)
    model.add(layers.Conv2DTranspose(16, (5, 5), strides=(1, 1), padding="same", use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Conv2DTranspose(1, (5, 5), strides=(4, 4), padding="valid", use_bias=False, activation="tanh"))
    pass
    return model


def make_discriminator():
    model = tf.keras.Sequential()
    model.add(layers.Conv2D(16, (5, 5), strides=(2, 2), padding="same", input_shape=[28, 28, 1]))
    model.add(layers.LeakyReLU())
    model.add(layers.Dropout(0.3))
    model.add(layers.Flatten())
    model.add(layers.Dense(1))
    return model


generator, discriminator = make_generator(), make_discriminator()
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
g_opt, d_opt = tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(1e-4)
images = tf.random.normal([50, 28, 28, 1])
dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(50).batch(16)


@tf.function
def step(real):
    noise = tf.random.normal([16, NOISE])
    with tf.GradientTape() as gt, tf.GradientTape() as dt:
        fake = generator(noise, training=True)
        real_out = discriminator(real, training=True)
        fake_out = discriminator(fake, training=True)  # E: SF106
        g_loss = bce(tf.ones_like(fake_out), fake_out)
        d_loss = bce(tf.ones_like(real_out), real_out) + bce(tf.zeros_like(fake_out), fake_out)
    gg = gt.gradient(g_loss, generator.trainable_variables)
    dg = dt.gradient(d_loss, discriminator.trainable_variables)
    g_opt.apply_gradients(zip(gg, generator.trainable_variables))
    d_opt.apply_gradients(zip(dg, discriminator.trainable_variables))
    return g_loss, d_loss


for batch in dataset:
    a, b = step(batch)
print(float(a) > -1e9, len(generator.trainable_variables), generator(tf.zeros([2, NOISE])).shape)
