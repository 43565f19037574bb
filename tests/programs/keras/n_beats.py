"""N-BEATS: doubly residual stacks that forecast and look back, windows by tf.data, MASE as a loss."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

WINDOW, HORIZON = 14, 3


class Block(layers.Layer):
    def __init__(self, input_size, theta_size, horizon, units, count, **kwargs):
        super().__init__(**kwargs)
        self.input_size, self.horizon = input_size, horizon
        self.hidden = [layers.Dense(units, activation="relu") for _ in range(count)]
        self.theta = layers.Dense(theta_size, name="theta")

    def call(self, x):
        for layer in self.hidden:
            x = layer(x)
        theta = self.theta(x)
        return theta[:, : self.input_size], theta[:, -self.horizon :]


series = np.sin(np.arange(400) / 7).astype("float32")
windows = tf.data.Dataset.from_tensor_slices(series).window(WINDOW + HORIZON, shift=1, drop_remainder=True)
windows = windows.flat_map(lambda w: w.batch(WINDOW + HORIZON)).map(lambda w: (w[:WINDOW], w[WINDOW:]))
train = windows.shuffle(100).batch(64).cache().prefetch(1)

stack_input = keras.Input((WINDOW,), name="stack_input")
# wrong: backcast, forecast = Block(WINDOW - 1, WINDOW + HORIZON, HORIZON, 32, 2, name="first")(stack_input)
backcast, forecast = Block(WINDOW, WINDOW + HORIZON, HORIZON, 32, 2, name="first")(stack_input)
residuals = layers.subtract([stack_input, backcast], name="subtract_00")  # E: SF107
for i in range(3):
    backcast, more = Block(WINDOW, WINDOW + HORIZON, HORIZON, 32, 2, name="block_%d" % i)(residuals)
    residuals = layers.subtract([residuals, backcast], name="subtract_%d" % i)
    forecast = layers.add([forecast, more], name="add_%d" % i)
model = keras.Model(stack_input, forecast)


def mase(y_true, y_pred):
    return tf.reduce_mean(tf.abs(y_true - y_pred)) / tf.reduce_mean(tf.abs(y_true[:, 1:] - y_true[:, :-1]))


model.compile(loss=mase, optimizer=keras.optimizers.Adam(0.001), metrics=["mae", "mse"])
model.fit(
    train,
    epochs=3,
    verbose=0,
    callbacks=[
        keras.callbacks.EarlyStopping("loss", patience=20, restore_best_weights=True),
        keras.callbacks.ReduceLROnPlateau("loss", patience=1),
    ],
)
ensemble = np.stack([model.predict(train.take(1), verbose=0) for _ in range(3)])
assert np.median(ensemble, axis=0).shape == (64, HORIZON)
