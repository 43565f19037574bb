"""MLP-Mixer: patches by a custom layer, tokens and channels mixed in turn, EMA of weights by a callback."""

import keras
import numpy as np
from keras import layers, ops

IMAGE, PATCH, WIDTH = 32, 8, 48
TOKENS = (IMAGE // PATCH) ** 2


class Patches(layers.Layer):
    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)
        self.size = size

    def call(self, images):
        patches = ops.image.extract_patches(images, self.size)
        batch, rows, columns, depth = ops.shape(patches)
        return ops.reshape(patches, (batch, rows * columns, depth))

    def get_config(self):
        return {**super().get_config(), "size": self.size}


class Mixer(layers.Layer):
    def __init__(self, tokens, width, **kwargs):
        super().__init__(**kwargs)
        self.tokens, self.width = tokens, width
        self.mix_tokens = keras.Sequential([layers.Dense(tokens, "gelu"), layers.Dense(tokens)])
        # wrong: self.mix_channels = keras.Sequential([layers.Dense(2 * width, "gelu"), layers.Dense(tokens)])
        self.mix_channels = keras.Sequential([layers.Dense(2 * width, "gelu"), layers.Dense(width)])
        self.first, self.second = layers.LayerNormalization(), layers.LayerNormalization()

    def build(self, shape):
        self.first.build(shape)
        self.second.build(shape)
        self.mix_tokens.build((shape[0], shape[2], shape[1]))
        self.mix_channels.build(shape)

    def call(self, x):
        y = ops.transpose(self.first(x), (0, 2, 1))
        x = x + ops.transpose(self.mix_tokens(y), (0, 2, 1))
        return x + self.mix_channels(self.second(x))  # E: SF101

    def get_config(self):
        return {**super().get_config(), "tokens": self.tokens, "width": self.width}


class Average(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.kept = [np.array(w) for w in self.model.get_weights()]

    def on_epoch_end(self, epoch, logs=None):
        self.kept = [0.9 * a + 0.1 * b for a, b in zip(self.kept, self.model.get_weights())]


images = keras.Input((IMAGE, IMAGE, 3))
x = layers.Dense(WIDTH)(Patches(PATCH)(images))
for _ in range(2):
    x = Mixer(TOKENS, WIDTH)(x)
x = layers.GlobalAveragePooling1D()(layers.LayerNormalization()(x))
model = keras.Model(images, layers.Dense(10)(layers.Dropout(0.1)(x)))
model.compile("adamw", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
data, labels = np.random.rand(64, IMAGE, IMAGE, 3), np.random.randint(0, 10, 64)
average = Average()
model.fit(data, labels, batch_size=16, epochs=2, verbose=0, callbacks=[average])
model.set_weights(average.kept)
again = keras.Model.from_config(model.get_config(), custom_objects={"Patches": Patches, "Mixer": Mixer})
again.set_weights(model.get_weights())
assert again.predict(data[:3], verbose=0).shape == (3, 10)
