"""A small BERT: a masked language model, then a classifier upon its encoder."""
import keras
import numpy as np
from keras import layers, ops

VOCAB, LENGTH, WIDTH, HEADS, DEPTH = 200, 24, 32, 4, 2


def position_encoding(length, depth):
    positions = np.arange(length)[:, None]
    rates = 1 / (10000 ** (np.arange(depth // 2)[None] * 2 / depth))
    return np.concatenate([np.sin(positions * rates), np.cos(positions * rates)], -1).astype("float32")


class MLMModel(keras.Model):
    loss_fn = keras.losses.SparseCategoricalCrossentropy(reduction=None)
    loss_tracker = keras.metrics.Mean(name="loss")

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        value = self.loss_fn(y, y_pred, sample_weight)
        self.loss_tracker.update_state(value, sample_weight=sample_weight)
        return ops.sum(value)

    def compute_metrics(self, x, y, y_pred, sample_weight):
        return {"loss": self.loss_tracker.result()}

    @property
    def metrics(self):
        return [self.loss_tracker]


def block(query, key, value, i):
    attended = layers.MultiHeadAttention(HEADS, WIDTH // HEADS, name=f"att_{i}")(query, key, value)
    attended = layers.Dropout(0.1)(attended)
    attended = layers.LayerNormalization(epsilon=1e-6)(query + attended)
    # wrong: ffn = keras.Sequential([layers.Dense(64, activation="relu"), layers.Dense(LENGTH)])
    ffn = keras.Sequential([layers.Dense(64, activation="relu"), layers.Dense(WIDTH)])
    return layers.LayerNormalization(epsilon=1e-6)(attended + ffn(attended))  # E: SF107


inputs = layers.Input((LENGTH,), dtype="int64")
x = layers.Embedding(VOCAB, WIDTH, name="word")(inputs)
x = x + position_encoding(LENGTH, WIDTH)
for i in range(DEPTH):
    x = block(x, x, x, i)
encoder = keras.Model(inputs, x, name="encoder")
mlm = MLMModel(inputs, layers.Dense(VOCAB, activation="softmax", name="mlm_cls")(encoder(inputs)))
mlm.compile(optimizer=keras.optimizers.Adam(1e-3))

tokens = np.random.randint(3, VOCAB - 1, (48, LENGTH))
masked = np.where(np.random.rand(*tokens.shape) < 0.15, VOCAB - 1, tokens)
weights = (masked != tokens).astype("float32")
mlm.fit(masked, tokens, sample_weight=weights, batch_size=16, epochs=1, verbose=0)

encoder.trainable = False
head = layers.Dense(64, activation="relu")(layers.GlobalMaxPooling1D()(encoder(inputs)))
classifier = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(head))
classifier.compile("adam", "binary_crossentropy", metrics=["accuracy"])
classifier.fit(tokens, np.random.randint(0, 2, 48), batch_size=16, verbose=0)
