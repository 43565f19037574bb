"""A text classifier: token and position embedding, a transformer block."""
import numpy as np
import keras
from keras import layers, ops


class TransformerBlock(layers.Layer):
    def __init__(self, width, heads, inner, rate=0.1):
        super().__init__()
        self.attention = layers.MultiHeadAttention(num_heads=heads, key_dim=width)
        # wrong: self.inner = keras.Sequential([layers.Dense(width, activation="relu"), layers.Dense(inner)])
        self.inner = keras.Sequential([layers.Dense(inner, activation="relu"), layers.Dense(width)])
        self.norm1 = layers.LayerNormalization(epsilon=1e-6)
        self.norm2 = layers.LayerNormalization(epsilon=1e-6)
        self.drop1, self.drop2 = layers.Dropout(rate), layers.Dropout(rate)

    def call(self, inputs):
        attended = self.drop1(self.attention(inputs, inputs))
        first = self.norm1(inputs + attended)
        return self.norm2(first + self.drop2(self.inner(first)))  # E: SF101


class TokenAndPosition(layers.Layer):
    def __init__(self, length, words, width):
        super().__init__()
        self.tokens = layers.Embedding(words, width)
        self.positions = layers.Embedding(length, width)

    def call(self, x):
        return self.tokens(x) + self.positions(ops.arange(0, ops.shape(x)[-1], 1))


inputs = keras.Input((40,))
x = TokenAndPosition(40, 1000, 32)(inputs)
x = TransformerBlock(32, 2, 48)(x)
x = layers.Dropout(0.1)(layers.GlobalAveragePooling1D()(x))
model = keras.Model(inputs, layers.Dense(2, activation="softmax")(layers.Dense(20, activation="relu")(x)))
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(np.random.randint(0, 1000, (60, 40)), np.random.randint(0, 2, 60), batch_size=20, verbose=0)
