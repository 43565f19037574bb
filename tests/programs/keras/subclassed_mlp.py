"""Subclassed: a model whose layers are made in the constructor, with a call that asks for training."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Classifier(keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.hidden = [keras.layers.Dense(width, activation="gelu") for width in (64, 32)]
        self.drop = keras.layers.Dropout(0.3)
        # wrong: self.scale = self.add_weight(shape=(64,), initializer="ones", name="scale")
        self.scale = self.add_weight(shape=(32,), initializer="ones", name="scale")
        self.out = keras.layers.Dense(classes)

    def call(self, inputs, training=False):
        x = inputs
        for layer in self.hidden:
            x = layer(x)
        x = self.drop(x, training=training) * self.scale  # E: SF101
        return self.out(x)


model = Classifier(5)
model.compile(keras.optimizers.AdamW(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True),
              metrics=[keras.metrics.SparseTopKCategoricalAccuracy(k=2)])
data = tf.data.Dataset.from_tensor_slices((np.random.rand(100, 12).astype("float32"),
                                           np.random.randint(0, 5, 100)))
history = model.fit(data.shuffle(100).batch(20).prefetch(1), epochs=2, verbose=0)
print(sorted(history.history))
print(model.predict(np.random.rand(7, 12), verbose=0).argmax(-1).shape)
