"""Newsgroups by averaged embeddings: sparse labels, a small validation set."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

topics, words, length = 5, 60, 11
rng = np.random.RandomState(3)
documents = rng.randint(0, words, (30, length))
labels = rng.randint(0, topics, (30,))
held_out = rng.randint(0, words, (6, length)), rng.randint(0, topics, (6,))

model = tf.keras.Sequential([
    layers.Embedding(words, 12),
    layers.GlobalAveragePooling1D(),
    layers.Dense(16, activation="relu"),
    layers.Dropout(0.2),
    layers.Dense(topics),
])
model.compile(
    optimizer="adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=[tf.keras.metrics.SparseCategoricalAccuracy()],
)
history = model.fit(documents, labels, validation_data=held_out, epochs=1, batch_size=10, verbose=0)
logits = model.predict(documents[:4], verbose=0)
probabilities = tf.nn.softmax(logits, axis=1)
best = tf.math.top_k(probabilities, k=2)
print(best.indices.shape, tf.reduce_sum(probabilities, axis=1).shape)
