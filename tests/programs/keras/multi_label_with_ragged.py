"""Tags of papers: ragged labels made multi-hot, text as tf-idf, a shallow MLP, the inverse of the encoding."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

texts = ["graph networks", "convex optimization methods", "language models", "robot learning", "vision models"] * 10
tags = tf.ragged.constant([["cs.LG", "stat.ML"], ["math.OC"], ["cs.CL", "cs.LG"], ["cs.RO"], ["cs.CV", "cs.LG"]] * 10)
lookup = layers.StringLookup(output_mode="multi_hot")
lookup.adapt(tags)
vocabulary = lookup.get_vocabulary()
print(len(vocabulary))


def invert(row):
    return np.take(vocabulary, np.argwhere(np.asarray(row) == 1)[..., 0])


def dataset(train=True):
    data = tf.data.Dataset.from_tensor_slices((texts, lookup(tags)))
    return (data.shuffle(50) if train else data).batch(10)


vectorizer = layers.TextVectorization(max_tokens=100, ngrams=2, output_mode="tf_idf")
vectorizer.adapt(dataset().map(lambda text, label: text))
train = dataset().map(lambda text, label: (vectorizer(text), label)).prefetch(2)
model = keras.Sequential([
    layers.Dense(64, activation="relu"), layers.Dense(32, activation="relu"),
    # wrong: layers.Dense(len(vocabulary) + 1, activation="sigmoid")])
    layers.Dense(len(vocabulary), activation="sigmoid")])
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["binary_accuracy"])
model.fit(train, epochs=2, verbose=0)  # E: SF108
serving = keras.Sequential([vectorizer, model])
for text, label in dataset(False).take(1):
    chances = serving.predict(text, verbose=0)
    for i in range(3):
        best = sorted(zip(chances[i], vocabulary), reverse=True)[:2]
        print(len(best), len(invert(label[i])) >= 0)
