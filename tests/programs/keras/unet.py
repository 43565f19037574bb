"""Segmentation: a U-Net whose skips are joined, sparse labels for each pixel."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((64, 64, 3))
x = layers.Conv2D(16, 3, padding="same", activation="relu")(inputs)
skips = []
for filters in (16, 32):
    x = layers.SeparableConv2D(filters, 3, padding="same")(x)
    x = layers.Activation("relu")(layers.BatchNormalization()(x))
    skips.append(x)
    # wrong: x = layers.MaxPooling2D(3, strides=2)(x)
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
for filters in (32, 16):
    x = layers.Conv2DTranspose(filters, 3, padding="same")(x)
    x = layers.UpSampling2D(2)(x)
    x = layers.concatenate([x, skips.pop()])  # E: SF108
outputs = layers.Conv2D(3, 3, activation="softmax", padding="same")(x)
model = keras.Model(inputs, outputs)
model.compile("rmsprop", "sparse_categorical_crossentropy",
              metrics=[keras.metrics.MeanIoU(3, sparse_y_pred=False)])
images = np.random.rand(6, 64, 64, 3)
masks = np.random.randint(0, 3, (6, 64, 64, 1))
model.fit(images, masks, batch_size=3, verbose=0)
print(np.argmax(model.predict(images[:2], verbose=0), axis=-1).shape)
