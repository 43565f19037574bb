"""A backbone of keras.applications, frozen, with a head of the program's own."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.applications import MobileNetV2
from tensorflow.keras.applications.mobilenet_v2 import preprocess_input

base = MobileNetV2(input_shape=(96, 96, 3), include_top=False, weights=None)
base.trainable = False
inputs = keras.Input((96, 96, 3))
x = preprocess_input(inputs)
x = base(x, training=False)
x = layers.GlobalAveragePooling2D()(x)
outputs = layers.Dense(5, activation="softmax")(layers.Dropout(0.2)(x))
model = keras.Model(inputs, outputs)
model.compile(keras.optimizers.Adam(), "categorical_crossentropy", metrics=["accuracy"])
# wrong: images, labels = np.random.rand(4, 96, 96, 3), keras.utils.to_categorical([0, 1, 2, 3])
images, labels = np.random.rand(4, 96, 96, 3), keras.utils.to_categorical([0, 1, 2, 3], 5)
print(len(base.layers), len(model.trainable_weights), x.shape)
model.fit(images, labels, epochs=1, verbose=0)  # E: SF108
base.trainable = True
for layer in base.layers[:100]:
    layer.trainable = False
model.compile(keras.optimizers.Adam(1e-5), "categorical_crossentropy")
print(len(model.trainable_weights))
