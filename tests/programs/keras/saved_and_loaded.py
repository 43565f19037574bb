"""Weights, .keras and .h5 files, a clone, and a checkpoint callback."""
import os
import tempfile
import numpy as np
import keras
from keras import layers


def build(width):
    model = keras.Sequential([keras.Input((10,)), layers.Dense(width, activation="selu", name="hidden"),
                              layers.Dense(2, name="out")])
    model.compile("nadam", "mse")
    return model


folder = tempfile.mkdtemp()
x, y = np.random.rand(30, 10), np.random.rand(30, 2)
model = build(16)
best = os.path.join(folder, "best.keras")
keep = keras.callbacks.ModelCheckpoint(best, save_best_only=True, monitor="loss")
slower = keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.9)
model.fit(x, y, verbose=0, epochs=2,
          callbacks=[keep, slower, keras.callbacks.ReduceLROnPlateau(monitor="loss")])
model.save(os.path.join(folder, "whole.keras"))
model.save_weights(os.path.join(folder, "only.weights.h5"))
again = keras.models.load_model(os.path.join(folder, "whole.keras"))
print(again.predict(x[:3], verbose=0).shape, again.count_params() == model.count_params())
# wrong: other = build(12)
other = build(16)
other.load_weights(os.path.join(folder, "only.weights.h5"))  # E: SF125
copy = keras.models.clone_model(other)
copy.set_weights(other.get_weights())
print(len(copy.layers), copy.get_layer("hidden").kernel.shape)
