"""A table with numbers and words: StringLookup, IntegerLookup, Discretization, Hashing, Normalization."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

rows = 120
table = {
    "age": np.random.randint(18, 90, rows).astype("int64"),
    "trestbps": np.random.rand(rows).astype("float32") * 100,
    "thal": np.random.choice(["normal", "fixed", "reversible"], rows),
    "city": np.random.choice(["Rome", "Oslo", "Lima", "Kyiv"], rows),
    "cp": np.random.randint(0, 5, rows).astype("int64"),
}
target = np.random.randint(0, 2, rows)


def to_dataset(shuffle=True, batch=32):
    data = tf.data.Dataset.from_tensor_slices((table, target))
    if shuffle:
        data = data.shuffle(rows)
    data = data.map(lambda features, label: ({name: value[..., None] for name, value in features.items()}, label))
    return data.batch(batch)


train = to_dataset()
inputs, encoded = {}, []
for name in ("trestbps",):
    inputs[name] = keras.Input((1,), name=name)
    scale = layers.Normalization()
    scale.adapt(train.map(lambda features, _: features[name]))
    encoded.append(scale(inputs[name]))
inputs["age"] = keras.Input((1,), name="age", dtype="int64")
buckets = layers.Discretization(bin_boundaries=[30, 45, 60])
encoded.append(layers.CategoryEncoding(num_tokens=4, output_mode="one_hot")(buckets(inputs["age"])))
inputs["thal"] = keras.Input((1,), name="thal", dtype="string")
lookup = layers.StringLookup(output_mode="multi_hot")
lookup.adapt(train.map(lambda features, _: features["thal"]))
encoded.append(lookup(inputs["thal"]))
inputs["cp"] = keras.Input((1,), name="cp", dtype="int64")
number = layers.IntegerLookup(vocabulary=[0, 1, 2, 3, 4], output_mode="int")
embedded = layers.Embedding(6, 3)(number(inputs["cp"]))
# wrong: encoded.append(embedded)
encoded.append(layers.Flatten()(embedded))
inputs["city"] = keras.Input((1,), name="city", dtype="string")
encoded.append(layers.Hashing(num_bins=8, output_mode="one_hot")(inputs["city"]))
features = layers.concatenate(encoded)  # E: SF108
x = layers.Dropout(0.5)(layers.Dense(32, activation="relu")(features))
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=2, verbose=0)
sample = {"age": 60, "trestbps": 145.0, "thal": "fixed", "city": "Oslo", "cp": 1}
print(model.predict({name: tf.convert_to_tensor([[value]]) for name, value in sample.items()}, verbose=0).shape)
