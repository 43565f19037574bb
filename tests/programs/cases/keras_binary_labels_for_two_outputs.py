"""Labels 0 and 1 for a layer of two sigmoids."""
import numpy as np
import tensorflow as tf

x = np.random.rand(64, 30).astype("float32")
y = np.random.randint(0, 2, (64, 1)).astype("float32")
model = tf.keras.Sequential([
    tf.keras.Input([30]),
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(2, activation="sigmoid"),
])
model.compile("adam", tf.keras.losses.BinaryCrossentropy())
model.fit(x, y, verbose=0)  # E: SF108
