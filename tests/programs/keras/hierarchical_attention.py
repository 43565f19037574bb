"""Hierarchical attention: words of sentences, sentences of documents, each pooled by learned attention."""

import keras
import numpy as np
from keras import layers, ops

SENTENCES, WORDS, VOCABULARY = 5, 12, 300


class Pool(layers.Layer):
    """The mean of the steps, weighed by how near they are to a learned context; masked ones do not count."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.units = units

    def build(self, shape):
        self.dense = layers.Dense(self.units, activation="tanh")
        self.dense.build(shape)
        # wrong: self.context = self.add_weight(shape=(shape[-1], 1), name="context")
        self.context = self.add_weight(shape=(self.units, 1), name="context")

    def call(self, x, mask=None):
        scores = ops.squeeze(ops.matmul(self.dense(x), self.context), -1)  # E: SF101
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        weights = ops.softmax(scores)
        return ops.einsum("bt,btd->bd", weights, x)

    def compute_mask(self, inputs, mask=None):
        return None

    def compute_output_shape(self, shape):
        return shape[0], shape[2]


words = keras.Input((WORDS,), dtype="int32")
x = layers.Embedding(VOCABULARY, 24, mask_zero=True)(words)
x = layers.Bidirectional(layers.GRU(16, return_sequences=True))(x)
sentence = keras.Model(words, Pool(20)(x), name="sentence")

document = keras.Input((SENTENCES, WORDS), dtype="int32")
y = layers.TimeDistributed(sentence)(document)
y = layers.Bidirectional(layers.GRU(10, return_sequences=True))(y)
model = keras.Model(document, layers.Dense(4, activation="softmax")(Pool(16)(y)))
model.compile("adam", "categorical_crossentropy", metrics=[keras.metrics.TopKCategoricalAccuracy(2)])

texts = np.random.randint(1, VOCABULARY, (30, SENTENCES, WORDS))
texts[:, :, 8:] = 0
model.fit(texts, keras.utils.to_categorical(np.random.randint(0, 4, 30), 4), batch_size=10, verbose=0)
assert model.predict(texts[:2], verbose=0).shape == (2, 4)
assert sentence.predict(texts[0], verbose=0).shape == (SENTENCES, 32)
