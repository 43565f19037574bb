"""Batches by keras.utils.PyDataset, by a generator function and by Dataset.from_generator."""
import math

import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Batches(keras.utils.PyDataset):
    def __init__(self, x, y, size, **kwargs):
        super().__init__(**kwargs)
        self.x, self.y, self.size = x, y, size

    def __len__(self):
        return math.ceil(len(self.x) / self.size)

    def __getitem__(self, index):
        low, high = index * self.size, min((index + 1) * self.size, len(self.x))
        # wrong: return self.x[low:high, ..., 0], self.y[low:high]
        return self.x[low:high], self.y[low:high]

    def on_epoch_end(self):
        order = np.random.permutation(len(self.x))
        self.x, self.y = self.x[order], self.y[order]


x, y = np.random.rand(70, 12, 12, 2).astype("float32"), np.random.randint(0, 3, (70,))
model = keras.Sequential([layers.Conv2D(4, 3, activation="relu"), layers.DepthwiseConv2D(3),
                          layers.GlobalAveragePooling2D(), layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(Batches(x, y, 16, workers=1), epochs=2, verbose=0)  # E: SF103


def forever():
    while True:
        picked = np.random.randint(0, len(x), 8)
        yield x[picked], y[picked]


model.fit(forever(), steps_per_epoch=4, epochs=2, validation_data=forever(), validation_steps=2, verbose=0)


def once():
    for picture, label in zip(x, y):
        yield picture, label


data = tf.data.Dataset.from_generator(once, output_signature=(
    tf.TensorSpec((12, 12, 2), tf.float32), tf.TensorSpec((), tf.int32))).batch(10)
print(data.element_spec)
print(model.evaluate(data, verbose=0, return_dict=True).keys(), model.predict(data, verbose=0).shape)
