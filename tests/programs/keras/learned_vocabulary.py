"""Reviews as bags of word pairs: the model takes as many numbers as the vocabulary has words."""
import re
import string

import numpy as np
import tensorflow as tf
import keras
from keras import layers

texts = ["the cat sat on the mat", "dogs are <br />great!", "I love this movie", "terrible, terrible film"]
labels = [0, 1, 1, 0]
raw = tf.data.Dataset.from_tensor_slices((texts, labels)).batch(2)


def cleaned(text):
    text = tf.strings.regex_replace(tf.strings.lower(text), "<br />", " ")
    return tf.strings.regex_replace(text, f"[{re.escape(string.punctuation)}]", "")


words = layers.TextVectorization(standardize=cleaned, ngrams=2, output_mode="multi_hot")
words.adapt(raw.map(lambda text, label: text))
assert words.get_vocabulary()[:2] == ["[UNK]", "the"], words.get_vocabulary()
# wrong: size = len(words.get_vocabulary(include_special_tokens=False))
size = words.vocabulary_size()
inputs = keras.Input(shape=(size,))
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(layers.Dropout(0.5)(inputs)))
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
bags = raw.map(lambda text, label: (words(text), label))
model.fit(bags, epochs=2, verbose=0)  # E: SF106
classes = layers.StringLookup(output_mode="one_hot")
classes.adapt(np.array(["fixed", "normal", "normal", "reversible"]))
assert classes(np.array(["normal", "none"])).shape == (2, 4)
