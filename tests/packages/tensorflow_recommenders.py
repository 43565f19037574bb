# tensorflow-recommenders
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"  # it refuses Keras 3

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
import tensorflow_recommenders as tfrs  # noqa: E402


class Ranking(tfrs.Model):
    def __init__(self):
        super().__init__()
        self.users = tf.keras.layers.Embedding(100, 16)
        self.rating = tf.keras.layers.Dense(1)
        self.task = tfrs.tasks.Ranking(loss=tf.keras.losses.MeanSquaredError(), metrics=[])

    def call(self, features):
        return self.rating(self.users(features["user"]))

    def compute_loss(self, features, training=False):
        return self.task(labels=features["rating"], predictions=self(features))


model = Ranking()
model.compile(optimizer="adam")
data = tf.data.Dataset.from_tensor_slices({"user": np.arange(20), "rating": np.zeros([20, 1], "float32")})
model.fit(data.batch(8), verbose=0)
print("SHAPE", model({"user": tf.constant([1, 2, 3])}).shape)
