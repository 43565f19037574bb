"""Segmentation with a small U-Net: down, up, skip connections by concatenation."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SIZE = 16
CLASSES = 3


def down(x, filters):
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return x, layers.MaxPooling2D(2)(x)


def up(x, skip, filters):
    x = layers.Conv2DTranspose(filters, 2, strides=2, padding="same")(x)
    x = layers.Concatenate(axis=-1)([x, skip])
    return layers.Conv2D(filters, 3, padding="same", activation="relu")(x)


inputs = layers.Input((SIZE, SIZE, 3))
skip1, x = down(inputs, 4)
skip2, x = down(x, 6)
x = layers.Conv2D(8, 3, padding="same", activation="relu")(x)
x = up(x, skip2, 6)
x = up(x, skip1, 4)
outputs = layers.Conv2D(CLASSES, 1)(x)
model = tf.keras.Model(inputs, outputs)
model.compile(
    optimizer="adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)

images = np.random.rand(8, SIZE, SIZE, 3).astype("float32")
masks = np.random.randint(0, CLASSES, (8, SIZE, SIZE, 1))
model.fit(images, masks, batch_size=4, epochs=1, verbose=0)
mask = tf.argmax(model.predict(images[:2], verbose=0), axis=-1)[..., tf.newaxis]
print(mask.shape, np.mean(mask.numpy() == masks[:2]))
