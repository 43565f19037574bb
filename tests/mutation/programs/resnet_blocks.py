"""Residual blocks in the functional style, with a projection where the size changes."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def block(x, filters, stride=1):
    shortcut = x
    if stride != 1 or x.shape[-1] != filters:
        shortcut = layers.Conv2D(filters, 1, strides=stride)(x)
        shortcut = layers.BatchNormalization()(shortcut)
    x = layers.Conv2D(filters, 3, strides=stride, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("relu")(x)
    x = layers.Conv2D(filters, 3, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.Add()([x, shortcut])
    return layers.Activation("relu")(x)


def resnet(input_shape, num_classes):
    inputs = keras.Input(input_shape)
    x = layers.ZeroPadding2D(1)(inputs)
    x = layers.Conv2D(4, 3)(x)
    x = block(x, 4)
    x = block(x, 8, stride=2)
    x = layers.GlobalAveragePooling2D()(x)
    outputs = layers.Dense(num_classes, activation="softmax")(x)
    return keras.Model(inputs, outputs)


model = resnet((8, 8, 3), 5)
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
images = np.random.rand(6, 8, 8, 3)
labels = np.random.randint(0, 5, size=6)
model.fit(images, labels, batch_size=3, epochs=1, verbose=0)
print(model.output_shape, np.argmax(model.predict(images, verbose=0), axis=1).shape)
