"""Weights are saved in an .h5 file, and loaded by a second model that must be built alike."""
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras


def build(units=64, classes=10):
    model = keras.Sequential([
        keras.Input(shape=(28, 28)),
        keras.layers.Flatten(),
        keras.layers.Dense(units, activation="relu", name="hidden"),
        keras.layers.Dropout(0.2),
        keras.layers.Dense(classes, activation="softmax", name="out"),
    ])
    model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy"])
    return model


images = np.random.rand(100, 28, 28).astype("float32")
labels = tf.keras.utils.to_categorical(np.random.randint(10, size=100), 10)
model = build()
model.fit(images, labels, epochs=1, batch_size=25, verbose=0)
path = os.path.join(tempfile.mkdtemp(), "mnist.weights.h5")
model.save_weights(path)

# wrong: again = build(units=128)
again = build(units=64)
again.load_weights(path)  # E: SF125
loss, accuracy = again.evaluate(images, labels, verbose=0)
print("restored", again.count_params())
