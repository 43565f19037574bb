"""Forecasting: sliding windows cut with numpy, a GRU, the error in the original units."""
import numpy as np
import tensorflow as tf

WINDOW, HORIZON, SERIES = 6, 2, 3

time = np.arange(40)
values = np.stack([np.sin(time / 3.0), np.cos(time / 5.0), time / 40.0], axis=1).astype("float32")
mean, std = values.mean(axis=0), values.std(axis=0)
scaled = (values - mean) / std


def windows(data):
    inputs, targets = [], []
    for start in range(len(data) - WINDOW - HORIZON + 1):
        inputs.append(data[start:start + WINDOW])
        targets.append(data[start + WINDOW:start + WINDOW + HORIZON, 0])
    return np.array(inputs), np.array(targets)


x, y = windows(scaled)
x_train, y_train, x_test, y_test = x[:24], y[:24], x[24:], y[24:]

inputs = tf.keras.Input(shape=(WINDOW, SERIES))
hidden = tf.keras.layers.GRU(5)(inputs)
hidden = tf.keras.layers.Dense(8, activation="relu")(hidden)
outputs = tf.keras.layers.Dense(HORIZON)(hidden)
model = tf.keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="mse", metrics=["mae"])
model.fit(x_train, y_train, epochs=1, batch_size=12, verbose=0)

forecast = model.predict(x_test, verbose=0)
restored = forecast * std[0] + mean[0]
errors = restored - (y_test * std[0] + mean[0])
print("rmse", np.sqrt(np.mean(errors ** 2, axis=0)).shape)
