"""TF_USE_LEGACY_KERAS: StringLookup, Normalization and Discretization in a functional model over tf.data."""
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

colours = np.random.choice(["red", "green", "blue"], 80)
lengths = np.random.rand(80, 2).astype("float32")
ages = np.random.randint(0, 90, (80, 1)).astype("float32")
lookup = layers.StringLookup(output_mode="one_hot")
lookup.adapt(colours)
scale = layers.Normalization()
scale.adapt(lengths)
inputs = {"colour": tf.keras.Input((1,), dtype="string", name="colour"), "length": tf.keras.Input((2,), name="length"),
          "age": tf.keras.Input((1,), name="age")}
parts = [lookup(inputs["colour"]), scale(inputs["length"]),
         layers.CategoryEncoding(3, output_mode="one_hot")(layers.Discretization([20.0, 60.0])(inputs["age"]))]
x = layers.concatenate(parts)
print(x.shape)
model = tf.keras.Model(inputs, layers.Dense(1, activation="sigmoid")(layers.Dense(8, activation="relu")(x)))
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
rows = {"colour": colours[:, None], "length": lengths, "age": ages}
# wrong: data = tf.data.Dataset.from_tensor_slices((rows, np.random.randint(0, 2, (80, 2)))).batch(16)
data = tf.data.Dataset.from_tensor_slices((rows, np.random.randint(0, 2, (80, 1)))).batch(16)
model.fit(data, epochs=1, verbose=0)  # E: SF132
print(model.predict(data, verbose=0).shape)
