"""Peak memory of Keras's fit: ours against what TensorFlow's CPU allocator was asked for, as memory_eager.py.

    python benchmarks/memory_fit.py --tensorflow PYTHON      prints the table of docs/memory.md

One epoch of four batches is measured, after one in which the step was traced, with jit_compile=False. On a
CPU what tf.data holds comes from the same allocator: the arrays, which it copies once, and the batches that
it makes ahead. With a GPU it is in the host's memory: only the ops of the step count, and one batch.
"""
from __future__ import annotations

import json

from memory_eager import measured_peak, ours_of
from memory_table import main, print_table

BATCHES = (32, 128)
STEPS = 4
HEAD = """import numpy as np
import tensorflow as tf
import keras
L = keras.layers
"""
MODELS = {
    "MLP": ("[784]", "10", """
model = keras.Sequential([L.Input([784]), L.Dense(1024, activation='relu'), L.Dense(1024, activation='relu'),
                          L.Dense(10)])
"""),
    "convolutions": ("[32, 32, 3]", "10", """
model = keras.Sequential([L.Input([32, 32, 3]), L.Conv2D(32, 3, activation='relu'), L.MaxPooling2D(),
                          L.Conv2D(64, 3, activation='relu'), L.Flatten(), L.Dense(128, activation='relu'),
                          L.Dense(10)])
"""),
    "residual, normalized": ("[16, 16, 16]", "10", """
inputs = h = L.Input([16, 16, 16])
for _ in range(3):
    n = L.BatchNormalization()(L.Conv2D(16, 3, padding="same", use_bias=False)(h))
    h = L.Add()([h, L.Conv2D(16, 3, padding="same")(L.Activation("relu")(n))])
model = keras.Model(inputs, L.Dense(10)(L.GlobalAveragePooling2D()(h)))
"""),
    "autoencoder": ("[784]", "784", """
model = keras.Sequential([L.Input([784]), *(L.Dense(n, activation='sigmoid') for n in (256, 32, 256)),
                          L.Dense(784)])
"""),
    "embedding": ("int 40", "1", """
model = keras.Sequential([L.Input([40], dtype='int32'), L.Embedding(20000, 64), L.GlobalAveragePooling1D(),
                          L.Dense(64, activation='tanh'), L.Dense(1)])
"""),
    "attention": ("[64, 64]", "64", """
inputs = L.Input([64, 64])
h = L.LayerNormalization()(inputs + L.MultiHeadAttention(4, 16)(inputs, inputs))
h = L.LayerNormalization()(h + L.Dense(64)(L.Dense(256, activation='gelu')(h)))
model = keras.Model(inputs, L.GlobalAveragePooling1D()(h))
"""),
    "wide": ("[512]", "512", """
model = keras.Sequential([L.Input([512]), *(L.Dense(512, activation='tanh') for _ in range(8))])
"""),
}
FIT = """
model.compile({optimizer}, 'mse', jit_compile=False)
batch = {batch}
def step(_=None):
    model.fit(x, y, batch_size=batch, epochs=1, verbose=0, shuffle=False)
step()
"""


def texts():
    found = {}
    for name, (shape, targets, model) in MODELS.items():
        for batch in BATCHES:
            rows = batch * STEPS
            data = f"x = np.zeros([{rows}, 40], 'int32')\n" if shape.startswith("int") else \
                f"x = np.zeros([{rows}, *{shape}], 'float32')\n"
            data += f"y = np.zeros([{rows}, {targets}], 'float32')\n"
            found[f"{name}|adam|{batch}"] = HEAD + data + model + FIT.format(optimizer="'adam'", batch=batch)
    return found


def kept(names):
    batch = int(names["batch"])
    return [v.value for v in (*names["model"].variables, *names["model"].optimizer.variables)] + \
        [names["x"][:batch], names["y"][:batch]]


def real(path, models):
    found = {}
    for key, text in texts().items():
        found[key] = measured_peak(text, kept, "StatefulPartitionedCall")
    with open(path, "w") as out:
        json.dump(found, out)


def ours(folder):
    return ours_of(folder, texts())


def show(told, measured):
    rows = {(name, "adam"): [f"{name}|adam|{batch}" for batch in BATCHES] for name in MODELS}
    print_table(rows, told, measured)


if __name__ == "__main__":
    main(__doc__, "--tensorflow", real, ours, show, list(MODELS))
