"""A Model with its own train_step and test_step, metrics that it updates itself."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

FEATURES, CLASSES = 7, 4


class Classifier(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(9, activation="relu")
        self.out = keras.layers.Dense(CLASSES)
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.accuracy = keras.metrics.SparseCategoricalAccuracy(name="accuracy")

    def call(self, x):
        return self.out(self.hidden(x))

    def compute_losses(self, y, logits):
        return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            logits = self(x, training=True)
            loss = tf.reduce_mean(self.compute_losses(y, logits))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        self.accuracy.update_state(y, logits)
        return {m.name: m.result() for m in self.metrics}

    def test_step(self, data):
        x, y = data
        logits = self(x, training=False)
        self.loss_tracker.update_state(self.compute_losses(y, logits))
        self.accuracy.update_state(y, logits)
        return {m.name: m.result() for m in self.metrics}

    @property
    def metrics(self):
        return [self.loss_tracker, self.accuracy]


x = np.random.rand(24, FEATURES).astype("float32")
y = np.random.randint(0, CLASSES, 24)
model = Classifier()
model.compile(optimizer="adam")
model.fit(x[:16], y[:16], epochs=1, batch_size=8, verbose=0)
model.evaluate(x[16:], y[16:], verbose=0)
predicted = tf.argmax(model(x), axis=1)
table = tf.math.confusion_matrix(y, predicted, num_classes=CLASSES)
precision = tf.linalg.diag_part(table) / tf.reduce_sum(table, axis=0)
print(table.shape, precision.shape)
