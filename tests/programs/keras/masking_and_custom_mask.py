"""Padded sequences: Masking, Embedding(mask_zero), a layer of one's own that makes and passes a mask."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.preprocessing.sequence import pad_sequences


class TemporalSplit(layers.Layer):
    """Splits the sequence in two halves, and its mask."""

    def call(self, inputs):
        return keras.ops.split(inputs, 2, axis=1)

    def compute_mask(self, inputs, mask=None):
        if mask is None:
            return None
        return keras.ops.split(mask, 2, axis=1)


class MaskedMean(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, x, mask=None):
        if mask is None:
            return keras.ops.mean(x, axis=1)
        weights = keras.ops.cast(mask, x.dtype)[..., None]
        return keras.ops.sum(x * weights, axis=1) / keras.ops.sum(weights, axis=1)

    def compute_mask(self, x, mask=None):
        return None


raw = [[711, 632, 71], [73, 8, 3215, 55, 927], [83, 91, 1, 645, 1253, 927, 12]]
padded = pad_sequences(raw, maxlen=10, padding="post")
embedding = layers.Embedding(input_dim=5000, output_dim=16, mask_zero=True)
print(embedding(padded)._keras_mask.shape)
inputs = keras.Input(shape=(10,), dtype="int32")
first, second = TemporalSplit()(embedding(inputs))
a = layers.LSTM(32)(first)
# wrong: b = MaskedMean()(layers.GRU(32)(second))
b = MaskedMean()(layers.GRU(32, return_sequences=True)(second))
outputs = layers.Dense(1, activation="sigmoid")(layers.concatenate([a, b]))  # E: SF108
model = keras.Model(inputs, outputs)
model.compile("adam", "binary_crossentropy")
model.fit(padded, np.array([0, 1, 0]), verbose=0)

features = np.random.rand(4, 6, 3).astype("float32")
features[:, 4:] = 0.0
masked = keras.Sequential([layers.Masking(), layers.Bidirectional(layers.LSTM(5, return_sequences=True)),
                           layers.TimeDistributed(layers.Dense(2))])
print(masked(features).shape)
