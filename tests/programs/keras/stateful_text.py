"""Text generation with a stateful LSTM: training windows by tf.data, a second model with batch one."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

text = "the quick brown fox jumps over the lazy dog. " * 40
letters = sorted(set(text))
ids = tf.keras.layers.StringLookup(vocabulary=letters, mask_token=None)
chars = tf.keras.layers.StringLookup(vocabulary=ids.get_vocabulary(), invert=True, mask_token=None)
all_ids = ids(tf.strings.unicode_split(text, "UTF-8"))
BATCH, LENGTH = 8, 20
sequences = tf.data.Dataset.from_tensor_slices(all_ids).batch(LENGTH + 1, drop_remainder=True)
dataset = sequences.map(lambda chunk: (chunk[:-1], chunk[1:])).shuffle(100).batch(BATCH, drop_remainder=True)


def build(batch):
    return tf.keras.Sequential([
        tf.keras.Input(batch_shape=(batch, None)),
        layers.Embedding(len(ids.get_vocabulary()), 16),
        layers.LSTM(32, return_sequences=True, stateful=True),
        layers.Dense(len(ids.get_vocabulary())),
    ])


model = build(BATCH)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(dataset, epochs=2, verbose=0)
single = build(1)
single.set_weights(model.get_weights())
# wrong: feed = ids(tf.strings.unicode_split(["the ", "fox "], "UTF-8")).to_tensor()
feed = ids(tf.strings.unicode_split(["the "], "UTF-8")).to_tensor()
out = []
for _ in range(10):
    logits = single(feed)[:, -1]  # E: SF106
    feed = tf.random.categorical(logits / 0.8, 1)
    out.append(chars(feed[0, 0]))
print(len(out), tf.strings.join(out).shape)
single.layers[1].reset_states()
print(np.shape(single.predict(feed, verbose=0)))
