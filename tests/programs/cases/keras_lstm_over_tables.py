"""A recurrent layer over rows without time."""
import numpy as np
import tensorflow as tf

x = np.random.rand(300, 7).astype("float32")
y = np.random.rand(300, 1).astype("float32")
model = tf.keras.Sequential()
model.add(tf.keras.Input([7]))
model.add(tf.keras.layers.LSTM(16))  # E: SF102
model.add(tf.keras.layers.Dense(1))
model.compile("adam", "mse")
model.fit(x, y, epochs=2, verbose=0)
