"""Two inputs, two named outputs, a loss, weight and metric for each."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

TAGS, WORDS, DEPARTMENTS = 12, 1000, 4
title = keras.Input(shape=(None,), name="title")
body = keras.Input(shape=(None,), name="body")
tags = keras.Input(shape=(TAGS,), name="tags")
x = layers.concatenate([layers.LSTM(16)(layers.Embedding(WORDS, 16)(title)),
                        layers.LSTM(8)(layers.Embedding(WORDS, 16)(body)), tags])
priority = layers.Dense(1, name="priority")(x)
department = layers.Dense(DEPARTMENTS, name="department")(x)
model = keras.Model([title, body, tags], [priority, department])
model.compile(keras.optimizers.RMSprop(1e-3),
              loss={"priority": keras.losses.BinaryCrossentropy(from_logits=True),
                    "department": keras.losses.CategoricalCrossentropy(from_logits=True)},
              metrics={"priority": "accuracy", "department": ["accuracy"]},
              loss_weights={"priority": 1.0, "department": 0.2})
inputs = {"title": np.random.randint(WORDS, size=(32, 10)), "body": np.random.randint(WORDS, size=(32, 30)),
          "tags": np.random.randint(2, size=(32, TAGS)).astype("float32")}
targets = {"priority": np.random.random((32, 1)),
           # wrong: "department": np.random.randint(DEPARTMENTS, size=(32, 3))}
           "department": np.random.randint(2, size=(32, DEPARTMENTS))}
model.fit(inputs, targets, epochs=1, batch_size=8, verbose=0)  # E: SF108
print([out.shape for out in model.predict(inputs, verbose=0)])
