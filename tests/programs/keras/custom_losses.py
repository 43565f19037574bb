"""A loss class, a loss function and a metric class of the program's own."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K


class WeightedHuber(keras.losses.Loss):
    def __init__(self, weights, name="weighted_huber"):
        super().__init__(name=name)
        self.weights = tf.constant(weights, tf.float32)

    def call(self, y_true, y_pred):
        error = tf.abs(tf.cast(y_true, tf.float32) - y_pred)
        small = 0.5 * tf.square(error)
        return tf.reduce_mean(tf.where(error < 1.0, small, error - 0.5) * self.weights, axis=-1)  # E: SF101


def dice(y_true, y_pred):
    overlap = K.sum(K.flatten(y_true) * K.flatten(y_pred))
    return 1 - (2 * overlap + 1) / (K.sum(y_true) + K.sum(y_pred) + 1)


class Bias(keras.metrics.Metric):
    def __init__(self, name="bias", **kwargs):
        super().__init__(name=name, **kwargs)
        self.total = self.add_weight(shape=(3,), name="total", initializer="zeros")
        self.count = self.add_weight(name="count", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.total.assign_add(tf.reduce_sum(y_pred - tf.cast(y_true, y_pred.dtype), axis=0))
        self.count.assign_add(tf.cast(tf.shape(y_pred)[0], tf.float32))

    def result(self):
        return tf.reduce_mean(self.total / self.count)

    def reset_state(self):
        self.total.assign(tf.zeros((3,)))
        self.count.assign(0.0)


model = keras.Sequential([keras.layers.Dense(10, activation="relu", input_shape=(4,)),
                          keras.layers.Dense(3, activation="sigmoid")])
# wrong: model.compile("adam", WeightedHuber([1.0, 2.0, 3.0, 4.0]), metrics=[Bias()])
model.compile("adam", WeightedHuber([1.0, 2.0, 3.0]), metrics=[Bias()])
x, y = np.random.rand(50, 4).astype("float32"), np.random.rand(50, 3).astype("float32")
model.fit(x, y, batch_size=25, verbose=0)
model.compile("adam", dice, metrics=[Bias()])
print(sorted(model.fit(x, y, epochs=2, verbose=0).history))
