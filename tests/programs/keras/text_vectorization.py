"""Text: TextVectorization adapted to what is there, bidirectional LSTM with a mask."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

texts = np.array(["a good film", "a bad film", "what a waste of time", "the best of all"] * 10)
labels = np.array([1, 0, 0, 1] * 10)
vectorize = layers.TextVectorization(max_tokens=500, output_mode="int", output_sequence_length=12)
vectorize.adapt(tf.data.Dataset.from_tensor_slices(texts).batch(8))
inputs = keras.Input((1,), dtype="string")
x = vectorize(inputs)
x = layers.Embedding(500, 24, mask_zero=True)(x)
x = layers.Bidirectional(layers.LSTM(16, return_sequences=True))(x)
# wrong: x = layers.Bidirectional(layers.LSTM(16))(layers.Flatten()(x))
x = layers.Bidirectional(layers.LSTM(16))(x)  # E: SF102
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(tf.constant(texts.reshape(-1, 1)), labels, batch_size=8, epochs=1, verbose=0)
words = vectorize.get_vocabulary()
print(len(words) > 2, vectorize(["a film"]).shape)
print(model.predict(tf.constant([["good"], ["bad"]]), verbose=0).shape)
