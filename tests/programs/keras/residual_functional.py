"""Functional: convolutions with a skip connection of another width."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def block(x, filters):
    # wrong: shortcut = layers.Conv2D(filters // 2, 1, padding="same")(x)
    shortcut = layers.Conv2D(filters, 1, padding="same")(x)
    y = layers.Conv2D(filters, 3, padding="same")(x)
    y = layers.BatchNormalization()(y)
    y = layers.ReLU()(y)
    y = layers.Conv2D(filters, 3, padding="same")(y)
    return layers.ReLU()(layers.Add()([shortcut, y]))  # E: SF107


inputs = keras.Input((32, 32, 3))
x = layers.Rescaling(1.0 / 255)(inputs)
x = block(x, 16)
x = layers.MaxPooling2D()(x)
x = layers.GlobalAveragePooling2D()(x)
outputs = layers.Dense(10, activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
images = np.random.randint(0, 255, (64, 32, 32, 3)).astype("float32")
labels = np.random.randint(0, 10, 64)
model.fit(images, labels, batch_size=16, epochs=2, validation_split=0.25, verbose=0)
print(model.evaluate(images, labels, verbose=0))
