"""Sentiment: a standardization of one's own, TextVectorization, Embedding, Conv1D; an end-to-end model for strings."""
import re
import string

import keras
import numpy as np
import tensorflow as tf
from keras import layers

sentences = np.array(["a great film<br />", "terrible, a waste of time", "I loved it!", "so so", "not good at all"] * 12)
labels = np.array([1, 0, 1, 0, 0] * 12)


def standardize(text):
    lower = tf.strings.lower(text)
    plain = tf.strings.regex_replace(lower, "<br />", " ")
    return tf.strings.regex_replace(plain, f"[{re.escape(string.punctuation)}]", "")


vectorize = layers.TextVectorization(standardize=standardize, max_tokens=500, output_mode="int", output_sequence_length=40)
raw = tf.data.Dataset.from_tensor_slices((sentences, labels)).batch(12)
vectorize.adapt(raw.map(lambda text, label: text))
train = raw.map(lambda text, label: (vectorize(tf.expand_dims(text, -1)), label)).cache().prefetch(4)
inputs = keras.Input((None,), dtype="int64")
x = layers.Embedding(500, 24)(inputs)
x = layers.SpatialDropout1D(0.3)(x)
x = layers.Conv1D(32, 7, padding="valid", activation="relu", strides=3)(x)
# wrong: x = layers.Conv1D(32, 7, padding="valid", activation="relu", strides=3)(layers.GlobalMaxPooling1D()(x))  # E: SF103
x = layers.GlobalMaxPooling1D()(layers.Conv1D(32, 7, padding="valid", activation="relu", strides=3)(x))
x = layers.Dense(32, activation="relu")(x)
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid", name="predictions")(x))
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(train, epochs=2, verbose=0)
strings = keras.Input((1,), dtype="string")
end_to_end = keras.Model(strings, model(vectorize(strings)))
end_to_end.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
print(end_to_end.predict(tf.constant([["a great day"], ["awful"]]), verbose=0).shape, len(vectorize.get_vocabulary()) > 5)
bag = layers.TextVectorization(output_mode="tf_idf", ngrams=2, max_tokens=60, pad_to_max_tokens=True)
bag.adapt(sentences)
print(bag(sentences[:3]).shape)
