"""Wide and deep on a table: numbers and categories each with an input, hashed crosses, embeddings."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

COLUMNS = {"age": None, "hours": None, "work": ["private", "state", "self"], "school": ["hs", "college", "phd"]}
rows = 96
features = {
    "age": np.random.uniform(18, 80, rows).astype("float32"),
    "hours": np.random.uniform(10, 60, rows).astype("float32"),
    "work": np.random.choice(COLUMNS["work"], rows),
    "school": np.random.choice(COLUMNS["school"], rows),
}
target = (np.random.rand(rows) > 0.5).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((features, target)).shuffle(rows).batch(32)


def create_inputs():
    return {name: layers.Input(shape=(), name=name, dtype="float32" if words is None else "string")
            for name, words in COLUMNS.items()}


def encode(inputs, use_embedding):
    encoded = []
    for name, words in COLUMNS.items():
        if words is None:
            encoded.append(tf.keras.ops.expand_dims(inputs[name], -1))
            continue
        lookup = layers.StringLookup(vocabulary=words, mask_token=None, num_oov_indices=0,
                                     output_mode="int" if use_embedding else "one_hot")
        index = lookup(inputs[name])
        if use_embedding:
            index = layers.Embedding(len(words), 4)(index)
        # wrong: encoded.append(tf.keras.ops.expand_dims(index, -1))
        encoded.append(index)
    return layers.concatenate(encoded)  # E: SF108


def create_model(hidden_units=(32, 16)):
    inputs = create_inputs()
    wide = layers.BatchNormalization()(encode(inputs, use_embedding=False))
    deep = encode(inputs, use_embedding=True)
    for units in hidden_units:
        deep = layers.Dense(units)(deep)
        deep = layers.BatchNormalization()(deep)
        deep = layers.ReLU()(deep)
        deep = layers.Dropout(0.2)(deep)
    merged = layers.concatenate([wide, deep])
    return keras.Model(inputs=inputs, outputs=layers.Dense(1, activation="sigmoid")(merged))


model = create_model()
model.compile(keras.optimizers.Adam(1e-3), keras.losses.BinaryCrossentropy(),
              metrics=[keras.metrics.BinaryAccuracy(), keras.metrics.AUC(name="auc")])
model.fit(dataset, epochs=2, verbose=0)
print(model.evaluate(dataset, verbose=0, return_dict=True))
