"""Callbacks that people write: a learning rate finder, predictions after each epoch, and Keras's own ones."""
import os
import tempfile

import keras
import numpy as np
from keras import layers


class RateFinder(keras.callbacks.Callback):
    def __init__(self, low=1e-5, high=1e-1, steps=20):
        super().__init__()
        self.factor = (high / low) ** (1 / steps)
        self.low, self.rates, self.losses = low, [], []

    def on_train_begin(self, logs=None):
        self.model.optimizer.learning_rate.assign(self.low)

    def on_train_batch_end(self, batch, logs=None):
        rate = float(self.model.optimizer.learning_rate.numpy())
        self.rates.append(rate)
        self.losses.append(logs["loss"])
        self.model.optimizer.learning_rate.assign(rate * self.factor)


class ShowPredictions(keras.callbacks.Callback):
    def __init__(self, examples):
        super().__init__()
        self.examples = examples

    def on_epoch_end(self, epoch, logs=None):
        guesses = self.model.predict(self.examples, verbose=0)  # E: SF132
        print(epoch, sorted(logs), guesses.argmax(axis=-1).shape)


x = np.random.rand(256, 20).astype("float32")
y = np.random.randint(0, 4, 256)
model = keras.Sequential([layers.Dense(32, activation="relu"), layers.BatchNormalization(), layers.Dense(4)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
folder = tempfile.mkdtemp()
callbacks = [
    RateFinder(),
    # wrong: ShowPredictions(x[0]),
    ShowPredictions(x[:8]),
    keras.callbacks.EarlyStopping(monitor="val_loss", patience=2, restore_best_weights=True),
    keras.callbacks.ReduceLROnPlateau(factor=0.5, patience=1),
    keras.callbacks.ModelCheckpoint(os.path.join(folder, "best.keras"), save_best_only=True),
    keras.callbacks.CSVLogger(os.path.join(folder, "log.csv")),
    keras.callbacks.LambdaCallback(on_epoch_begin=lambda epoch, logs: print("epoch", epoch)),
    keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.9),
    keras.callbacks.TerminateOnNaN(),
]
history = model.fit(x, y, validation_split=0.25, epochs=3, batch_size=32, callbacks=callbacks, verbose=2)
print(sorted(history.history), len(history.epoch))
