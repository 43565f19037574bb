"""fit over a generator and over a PyDataset, with class weights."""
import math
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


class Batches(keras.utils.PyDataset):
    def __init__(self, x, y, size, **kwargs):
        super().__init__(**kwargs)
        self.x, self.y, self.size = x, y, size

    def __len__(self):
        return math.ceil(len(self.x) / self.size)

    def __getitem__(self, index):
        low = index * self.size
        high = min(low + self.size, len(self.x))
        return self.x[low:high], self.y[low:high]

    def on_epoch_end(self):
        order = np.random.permutation(len(self.x))
        self.x, self.y = self.x[order], self.y[order]


def endless(x, y, size):
    while True:
        chosen = np.random.randint(0, len(x), size)
        # wrong: yield x[chosen][:, :5], y[chosen]
        yield x[chosen], y[chosen]


x, y = np.random.rand(50, 6, 4), np.random.randint(0, 3, 50)
model = keras.Sequential([layers.Conv1D(8, 2, activation="relu", input_shape=(6, 4)), layers.Flatten(),
                          layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(Batches(x, y, 16), epochs=2, verbose=0, class_weight={0: 1.0, 1: 2.0, 2: 0.5})
validation = Batches(x, y, 25)
model.fit(endless(x, y, 10), steps_per_epoch=3, epochs=2, validation_data=validation, verbose=0)  # E: SF106
print(model.evaluate(Batches(x, y, 20), verbose=0))
