"""A transformer block as a layer: MultiHeadAttention, residual sums, layer norms, positions."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.1):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn = keras.Sequential([
            layers.Dense(ff_dim, activation="relu"),
            layers.Dense(embed_dim),
        ])
        self.norm1 = layers.LayerNormalization(epsilon=1e-6)
        self.norm2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout = layers.Dropout(rate)

    def call(self, inputs, training=False):
        attended = self.att(inputs, inputs)
        out1 = self.norm1(inputs + self.dropout(attended, training=training))
        return self.norm2(out1 + self.ffn(out1))


class TokenAndPosition(layers.Layer):
    def __init__(self, maxlen, vocab_size, embed_dim):
        super().__init__()
        self.tokens = layers.Embedding(vocab_size, embed_dim)
        self.positions = layers.Embedding(maxlen, embed_dim)

    def call(self, x):
        positions = self.positions(tf.range(0, tf.shape(x)[-1]))
        return self.tokens(x) + positions


maxlen, vocab_size = 8, 30
embed_dim, num_heads, ff_dim = 6, 2, 10

inputs = layers.Input(shape=(maxlen,), dtype="int32")
x = TokenAndPosition(maxlen, vocab_size, embed_dim)(inputs)
x = TransformerBlock(embed_dim, num_heads, ff_dim)(x)
x = layers.GlobalAveragePooling1D()(x)
x = layers.Dense(10, activation="relu")(x)
outputs = layers.Dense(2, activation="softmax")(x)
model = keras.Model(inputs=inputs, outputs=outputs)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])

x_train = np.random.randint(0, vocab_size, (16, maxlen))
y_train = np.random.randint(0, 2, 16)
model.fit(x_train, y_train, batch_size=8, epochs=1, verbose=0)
