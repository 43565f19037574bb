"""A Siamese network on triplets: a DistanceLayer, a custom train_step and test_step, cosine similarity."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers, losses, metrics, optimizers

target = (40, 40)
embedding = tf.keras.Sequential([
    tf.keras.Input(target + (3,)),
    layers.Conv2D(16, 5, strides=2, activation="relu"), layers.Conv2D(32, 5, strides=2, activation="relu"),
    layers.Flatten(), layers.Dense(64, activation="relu"), layers.BatchNormalization(), layers.Dense(32)],
    name="embedding")


class DistanceLayer(layers.Layer):
    def call(self, anchor, positive, negative):
        near = tf.reduce_sum(tf.square(anchor - positive), -1)
        far = tf.reduce_sum(tf.square(anchor - negative), -1)
        return near, far


class SiameseModel(Model):
    def __init__(self, siamese, margin=0.5):
        super().__init__()
        self.siamese, self.margin = siamese, margin
        self.loss_tracker = metrics.Mean(name="loss")

    def call(self, inputs):
        return self.siamese(inputs)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self._loss(data)
        gradients = tape.gradient(loss, self.siamese.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.siamese.trainable_weights))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    def test_step(self, data):
        self.loss_tracker.update_state(self._loss(data))
        return {"loss": self.loss_tracker.result()}

    def _loss(self, data):
        near, far = self.siamese(data)  # E: SF106
        return tf.maximum(near - far + self.margin, 0.0)

    @property
    def metrics(self):
        return [self.loss_tracker]


anchor, positive, negative = (layers.Input(name=name, shape=target + (3,)) for name in ("a", "p", "n"))
distances = DistanceLayer()(embedding(anchor), embedding(positive), embedding(negative))
model = SiameseModel(Model(inputs=[anchor, positive, negative], outputs=distances))
model.compile(optimizer=optimizers.Adam(0.0001), weighted_metrics=[])


def load(seed):
    # wrong: picture = tf.random.stateless_uniform([*target, 1], [seed, 1])
    picture = tf.random.stateless_uniform([*target, 3], [seed, 1])
    return tf.image.convert_image_dtype(picture, tf.float32)


names = tf.data.Dataset.range(40)
triplets = tf.data.Dataset.zip((names, names.shuffle(40), names.shuffle(40)))
triplets = triplets.map(lambda a, b, c: (load(tf.cast(a, tf.int32)), load(tf.cast(b, tf.int32)), load(tf.cast(c, tf.int32))))
train, valid = triplets.take(32).batch(8), triplets.skip(32).batch(8)
model.fit(train, epochs=1, validation_data=valid, verbose=0)
a, b, _ = next(iter(train))
print(metrics.CosineSimilarity()(embedding(a), embedding(b)).shape, losses.cosine_similarity(embedding(a), embedding(b)).shape)
