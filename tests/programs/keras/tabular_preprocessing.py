"""Tables: Normalization, StringLookup, IntegerLookup, Discretization, CategoryEncoding, HashedCrossing."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

ROWS = 60
ages = np.random.randint(20, 80, (ROWS, 1)).astype("float32")
colours = np.random.choice(["red", "green", "blue"], (ROWS, 1))
codes = np.random.choice([10, 20, 30, 40], (ROWS, 1))
normalize = layers.Normalization(axis=-1)
normalize.adapt(ages)
lookup = layers.StringLookup(vocabulary=["red", "green", "blue"], output_mode="one_hot")
numbers = layers.IntegerLookup(vocabulary=[10, 20, 30, 40], output_mode="int")
buckets = layers.Discretization(bin_boundaries=[30.0, 40.0, 50.0], output_mode="one_hot")
inputs = {"age": keras.Input((1,), name="age"), "colour": keras.Input((1,), dtype="string", name="colour"),
          "code": keras.Input((1,), dtype="int64", name="code")}
encoded = layers.CategoryEncoding(num_tokens=5, output_mode="one_hot")(numbers(inputs["code"]))
joined = layers.Concatenate()([normalize(inputs["age"]), lookup(inputs["colour"]), encoded,
                               buckets(inputs["age"])])
# wrong: weights = tf.Variable(tf.random.normal((13, 8)))
weights = tf.Variable(tf.random.normal((14, 8)))
print(joined.shape)
x = layers.Lambda(lambda rows: tf.matmul(rows, weights), output_shape=(8,))(joined)  # E: SF101
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy", metrics=[keras.metrics.AUC()])
data = tf.data.Dataset.from_tensor_slices(
    ({"age": ages, "colour": colours, "code": codes}, np.random.randint(0, 2, (ROWS, 1))))
model.fit(data.batch(20), epochs=1, verbose=0)
