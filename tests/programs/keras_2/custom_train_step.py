"""TF_USE_LEGACY_KERAS: train_step with compiled_loss and compiled_metrics, as before Keras 3."""
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import numpy as np
import tensorflow as tf
from tensorflow import keras


class CustomModel(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            # wrong: loss = self.compiled_loss(y[:5], y_pred, regularization_losses=self.losses)  # E: SF101
            loss = self.compiled_loss(y, y_pred, regularization_losses=self.losses)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.compiled_metrics.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}


inputs = keras.Input(shape=(32,))
hidden = keras.layers.Dense(16, activation="relu", kernel_regularizer="l2")(inputs)
model = CustomModel(inputs, keras.layers.Dense(2)(hidden))
model.compile(optimizer="adam", loss="mse", metrics=["mae"])
x, y = np.random.random((100, 32)), np.random.random((100, 2))
print(sorted(model.fit(x, y, epochs=2, batch_size=20, verbose=0).history))
