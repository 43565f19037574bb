import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

x_train = np.random.rand(100, 28, 28).astype("float32")
y_train = np.random.randint(0, 10, (90,))
model = keras.Sequential([
    layers.Flatten(input_shape=(28, 28)),
    layers.Dense(64, activation="relu"),
    layers.Dropout(0.2),
    layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, epochs=1, verbose=0, batch_size=32, validation_split=0.1)  # E: SF132
scores = model.evaluate(x_train, y_train)
print(len(scores))
p = model.predict(x_train[:5])
print(p.shape, np.argmax(p, axis=1).shape)
