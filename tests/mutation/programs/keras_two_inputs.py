"""Functional model: a title as word numbers and numeric facts, joined, with two outputs."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

VOCABULARY = 50
TITLE_LENGTH = 7
FACTS = 3
DEPARTMENTS = 4

title = keras.Input(shape=(TITLE_LENGTH,), dtype="int32", name="title")
facts = keras.Input(shape=(FACTS,), name="facts")

words = layers.Embedding(VOCABULARY, 8)(title)
text = layers.LSTM(6)(words)
numbers = layers.Dense(6, activation="relu")(facts)
both = layers.concatenate([text, numbers], axis=-1)
both = layers.Dense(12, activation="relu")(both)
priority = layers.Dense(1, activation="sigmoid", name="priority")(both)
department = layers.Dense(DEPARTMENTS, name="department")(both)

model = keras.Model(inputs=[title, facts], outputs=[priority, department])
model.compile(
    optimizer=keras.optimizers.Adam(1e-3),
    loss=[
        keras.losses.BinaryCrossentropy(),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    ],
    loss_weights=[1.0, 0.2],
)

count = 20
titles = np.random.randint(0, VOCABULARY, size=(count, TITLE_LENGTH))
numeric = np.random.rand(count, FACTS).astype("float32")
urgent = np.random.randint(0, 2, size=(count, 1)).astype("float32")
where = np.random.randint(0, DEPARTMENTS, size=(count,))
model.fit([titles, numeric], [urgent, where], epochs=1, batch_size=10, verbose=0)
print(model.predict([titles[:2], numeric[:2]], verbose=0)[1].shape)
