"""The twin of keras_class_numbers_for_categorical."""
import numpy as np
import tensorflow as tf

x = np.random.rand(192, 20).astype("float32")
y = np.random.randint(0, 5, 192)
model = tf.keras.Sequential([
    tf.keras.Input([20]),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(5, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=2, verbose=0)
