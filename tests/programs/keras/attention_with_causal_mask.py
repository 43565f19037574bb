"""A small GPT in keras.ops: causal attention, tied embeddings, top-k sampling in a Python loop."""
import keras
import numpy as np
from keras import layers, ops

VOCAB, LENGTH, WIDTH, HEADS = 200, 24, 32, 4


class TokenAndPosition(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.tokens = layers.Embedding(VOCAB, WIDTH)
        self.places = layers.Embedding(LENGTH, WIDTH)

    def call(self, x):
        positions = ops.arange(0, ops.shape(x)[-1])
        return self.tokens(x) + self.places(positions)


class Block(layers.Layer):
    def __init__(self, rate=0.1, **kwargs):
        super().__init__(**kwargs)
        self.attention = layers.MultiHeadAttention(HEADS, WIDTH // HEADS, dropout=rate)
        # wrong: self.feed = keras.Sequential([layers.Dense(4 * WIDTH, activation="gelu"), layers.Dense(WIDTH // 2)])
        self.feed = keras.Sequential([layers.Dense(4 * WIDTH, activation="gelu"), layers.Dense(WIDTH)])
        self.norm1, self.norm2 = layers.LayerNormalization(epsilon=1e-6), layers.LayerNormalization(epsilon=1e-6)

    def call(self, x, training=False):
        attended = self.attention(x, x, use_causal_mask=True, training=training)
        x = self.norm1(x + attended)
        return self.norm2(x + self.feed(x))  # E: SF101


class Tied(layers.Layer):
    def __init__(self, embedding, **kwargs):
        super().__init__(**kwargs)
        self.embedding = embedding

    def call(self, x):
        return ops.matmul(x, ops.transpose(self.embedding.embeddings))


inputs = keras.Input((LENGTH,), dtype="int32")
embed = TokenAndPosition()
x = embed(inputs)
for _ in range(2):
    x = Block()(x)
model = keras.Model(inputs, Tied(embed.tokens)(x))
model.compile("adamw", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
tokens = np.random.randint(1, VOCAB, (64, LENGTH + 1))
model.fit(tokens[:, :-1], tokens[:, 1:], batch_size=16, epochs=1, verbose=0)
prompt = [1, 2, 3]
while len(prompt) < 8:
    padded = np.array([prompt + [0] * (LENGTH - len(prompt))])
    logits = model.predict(padded, verbose=0)[0][len(prompt) - 1]
    values, indices = ops.top_k(logits, k=5)
    chances = np.asarray(ops.softmax(values)).astype("float64")
    prompt.append(int(np.asarray(indices)[np.argmax(chances)]))
print(len(prompt))
