"""Valid convolutions and pools eat a picture of 28 x 28 before the last one."""
import tensorflow as tf

layers = tf.keras.layers
model = tf.keras.Sequential([  # E: SF110
    tf.keras.Input([28, 28, 1]),
    layers.Conv2D(32, 5, activation="relu"),
    layers.MaxPooling2D(2),
    layers.Conv2D(64, 5, activation="relu"),
    layers.MaxPooling2D(2),
    layers.Conv2D(128, 5, activation="relu"),
    layers.Flatten(),
    layers.Dense(10),
])
