"""Barlow Twins: two augmented views, the cross correlation of their embeddings is to be the identity."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

WIDTH = 64
augment = keras.Sequential([
    layers.RandomFlip("horizontal"), layers.RandomTranslation(0.1, 0.1), layers.RandomContrast(0.2)])


def encoder():
    inputs = keras.Input((32, 32, 3))
    x = layers.Rescaling(1 / 127.5, offset=-1)(inputs)
    for filters in (16, 32):
        x = layers.Conv2D(filters, 3, strides=2, padding="same", use_bias=False)(x)
        x = layers.ReLU()(layers.BatchNormalization()(x))
    x = layers.GlobalAveragePooling2D()(x)
    for units in (WIDTH, WIDTH):
        x = layers.Dense(units)(layers.BatchNormalization()(x))
    return keras.Model(inputs, x)


class Twins(keras.Model):
    def __init__(self, net, weight=0.005, **kwargs):
        super().__init__(**kwargs)
        self.net, self.weight = net, weight
        self.tracker = keras.metrics.Mean("loss")

    @property
    def metrics(self):
        return [self.tracker]

    def compute(self, one, two):
        one = (one - tf.reduce_mean(one, 0)) / tf.math.reduce_std(one, 0)
        two = (two - tf.reduce_mean(two, 0)) / tf.math.reduce_std(two, 0)
        count = tf.cast(tf.shape(one)[0], tf.float32)
        # wrong: correlation = tf.matmul(one, two, transpose_b=True) / count
        correlation = tf.matmul(one, two, transpose_a=True) / count
        on = tf.reduce_sum(tf.square(1 - tf.linalg.diag_part(correlation)))
        off = tf.reduce_sum(tf.square(tf.linalg.set_diag(correlation, tf.zeros(WIDTH))))  # E: SF128
        return on + self.weight * off

    def train_step(self, data):
        one, two = data
        with tf.GradientTape() as tape:
            loss = self.compute(self.net(one, training=True), self.net(two, training=True))
        gradients = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))
        self.tracker.update_state(loss)
        return {m.name: m.result() for m in self.metrics}


images = tf.data.Dataset.from_tensor_slices(np.random.rand(60, 32, 32, 3).astype("float32") * 255)
pairs = images.batch(20, drop_remainder=True).map(lambda x: (augment(x, training=True), augment(x, training=True)))
twins = Twins(encoder())
twins.compile(keras.optimizers.SGD(keras.optimizers.schedules.CosineDecay(0.1, 100), momentum=0.9))
twins.fit(pairs, epochs=2, verbose=0)
probe = keras.Sequential([twins.net, layers.Dense(5, activation="softmax")])
twins.net.trainable = False
probe.compile("adam", "sparse_categorical_crossentropy")
probe.fit(np.random.rand(20, 32, 32, 3), np.random.randint(0, 5, 20), verbose=0)
