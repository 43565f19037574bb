"""Contrastive pretraining: two views, cosine similarities, a linear probe."""
import numpy as np
import tensorflow as tf
import keras
from keras import layers, ops

WIDTH = 32


def augmenter(scale):
    return keras.Sequential([keras.Input((32, 32, 3)), layers.Rescaling(1 / 255),
                             layers.RandomFlip("horizontal"), layers.RandomTranslation(scale, scale),
                             layers.RandomZoom((-scale, 0.0))])


class Contrastive(keras.Model):
    def __init__(self):
        super().__init__()
        self.temperature = 0.1
        self.augment = augmenter(0.2)
        self.encoder = keras.Sequential([keras.Input((32, 32, 3)), layers.Conv2D(WIDTH, 3, strides=4),
                                         layers.Flatten(), layers.Dense(WIDTH, activation="relu")])
        self.projection = keras.Sequential([keras.Input((WIDTH,)), layers.Dense(WIDTH, activation="relu"),
                                            layers.Dense(WIDTH)])
        self.probe = keras.Sequential([layers.Input((WIDTH,)), layers.Dense(10)])
        self.loss_tracker = keras.metrics.Mean(name="c_loss")

    def contrastive_loss(self, one, two):
        one, two = ops.normalize(one, axis=1), ops.normalize(two, axis=1)
        # wrong: similarities = ops.matmul(one, two) / self.temperature
        similarities = ops.matmul(one, ops.transpose(two)) / self.temperature  # E: SF114
        labels = ops.arange(ops.shape(one)[0])
        losses = [keras.losses.sparse_categorical_crossentropy(labels, each, from_logits=True)
                  for each in (similarities, ops.transpose(similarities))]
        return sum(ops.mean(loss) for loss in losses) / 2

    def train_step(self, images):
        with tf.GradientTape() as tape:
            views = [self.projection(self.encoder(self.augment(images, training=True), training=True),
                                     training=True) for _ in range(2)]
            loss = self.contrastive_loss(*views)
        weights = self.encoder.trainable_weights + self.projection.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        self.loss_tracker.update_state(loss)
        return {"c_loss": self.loss_tracker.result()}


model = Contrastive()
model.compile(optimizer=keras.optimizers.Adam())
images = tf.data.Dataset.from_tensor_slices(np.random.randint(0, 255, (48, 32, 32, 3)).astype("uint8"))
model.fit(images.batch(24), epochs=1, verbose=0)
