"""A train_step of its own, with a loss tracker and a test_step."""
import keras
import numpy as np
import tensorflow as tf


class Model(keras.Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.mae = keras.metrics.MeanAbsoluteError(name="mae")

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            predicted = self(x, training=True)
            # wrong: loss = tf.reduce_mean(tf.square(y - tf.matmul(predicted, tf.ones((5, 1)))))
            loss = tf.reduce_mean(tf.square(y - tf.matmul(predicted, tf.ones((4, 1)))))  # E: SF101
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        self.mae.update_state(y, tf.reduce_sum(predicted, axis=1, keepdims=True))
        return {metric.name: metric.result() for metric in self.metrics}

    def test_step(self, data):
        x, y = data
        self.mae.update_state(y, tf.reduce_sum(self(x, training=False), axis=1, keepdims=True))
        return {"mae": self.mae.result()}

    @property
    def metrics(self):
        return [self.loss_tracker, self.mae]


inputs = keras.Input((8,))
model = Model(inputs, keras.layers.Dense(4)(keras.layers.Dense(16, activation="tanh")(inputs)))
model.compile(optimizer="rmsprop")
x, y = np.random.random((90, 8)), np.random.random((90, 1))
model.fit(x, y, epochs=2, batch_size=30, verbose=0)
print(model.evaluate(x, y, return_dict=True, verbose=0).keys())
