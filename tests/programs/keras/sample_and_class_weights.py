"""Weights of samples and of classes, through arrays, tf.data and train_on_batch, with weighted metrics."""
import keras
import numpy as np
import tensorflow as tf

x = np.random.normal(size=(200, 12)).astype("float32")
y = (np.random.rand(200) > 0.9).astype("int32")
counts = np.bincount(y, minlength=2) + 1
class_weight = {0: 1.0 / counts[0], 1: 1.0 / counts[1]}
# wrong: sample_weight = np.ones((150,), "float32")
sample_weight = np.ones((200,), "float32")
sample_weight[:20] = 2.0


def make():
    model = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1, activation="sigmoid")])
    model.compile(
        optimizer=keras.optimizers.Adam(1e-2), loss="binary_crossentropy",
        metrics=[keras.metrics.BinaryAccuracy(), keras.metrics.AUC(name="auc")],
        weighted_metrics=[keras.metrics.Precision(name="precision"), keras.metrics.Recall(name="recall")])
    return model


model = make()
model.fit(x, y, class_weight=class_weight, batch_size=50, epochs=1, verbose=0)
model.fit(x, y, sample_weight=sample_weight, batch_size=50, epochs=1, verbose=0)  # E: SF132
dataset = tf.data.Dataset.from_tensor_slices((x, y, np.ones(200))).shuffle(200).batch(64)
model.fit(dataset, epochs=1, validation_data=(x[:50], y[:50], sample_weight[:50]), verbose=0)
for start in range(0, 200, 40):
    part = slice(start, start + 40)
    logs = model.train_on_batch(x[part], y[part], sample_weight=sample_weight[part], return_dict=True)
print(sorted(logs))
