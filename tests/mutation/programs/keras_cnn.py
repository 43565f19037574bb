"""A small convolutional classifier with keras.Sequential and fit."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

num_classes = 4
input_shape = (12, 12, 1)

x_train = np.random.rand(24, 12, 12).astype("float32")
y_train = np.random.randint(0, num_classes, 24)
x_test = np.random.rand(8, 12, 12).astype("float32")
y_test = np.random.randint(0, num_classes, 8)

x_train = np.expand_dims(x_train, -1)
x_test = np.expand_dims(x_test, -1)
y_train = keras.utils.to_categorical(y_train, num_classes)
y_test = keras.utils.to_categorical(y_test, num_classes)

model = keras.Sequential([
    keras.Input(shape=input_shape),
    layers.Conv2D(8, kernel_size=(3, 3), activation="relu"),
    layers.MaxPooling2D(pool_size=(2, 2)),
    layers.Conv2D(8, kernel_size=(3, 3), activation="relu"),
    layers.MaxPooling2D(pool_size=(2, 2)),
    layers.Flatten(),
    layers.Dropout(0.5),
    layers.Dense(num_classes, activation="softmax"),
])
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x_train, y_train, batch_size=8, epochs=1, validation_split=0.25, verbose=0)
score = model.evaluate(x_test, y_test, verbose=0)
print("test loss", score[0])
