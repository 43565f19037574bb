"""Classification of multi-channel signals: Conv1D, pooling, class weights through a data set."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

timesteps, channels, n_classes = 32, 3, 4


def make_model(input_shape):
    inputs = layers.Input(input_shape)
    x = layers.Conv1D(filters=6, kernel_size=5, padding="same")(inputs)
    x = layers.BatchNormalization()(x)
    x = layers.ReLU()(x)
    x = layers.MaxPooling1D(pool_size=4)(x)
    x = layers.Conv1D(filters=8, kernel_size=3, strides=2)(x)
    x = layers.ReLU()(x)
    x = layers.Flatten()(x)
    x = layers.Dense(10, activation="relu")(x)
    outputs = layers.Dense(n_classes, activation="softmax")(x)
    return keras.models.Model(inputs=inputs, outputs=outputs)


x_train = np.random.randn(20, timesteps * channels)
x_train = x_train.reshape((x_train.shape[0], timesteps, channels))
y_train = np.random.randint(0, n_classes, 20)
mean = x_train.mean(axis=(0, 1))
std = x_train.std(axis=(0, 1))
x_train = (x_train - mean) / std
one_hot = np.zeros((len(y_train), n_classes))
one_hot[np.arange(len(y_train)), y_train] = 1

model = make_model((timesteps, channels))
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, one_hot, batch_size=5, epochs=1, verbose=0)
first = model.predict(x_train[0:1], verbose=0)
batch = np.concatenate([x_train[:2], x_train[-2:]], axis=0)
print(first.shape, model.predict(batch, verbose=0).argmax(axis=1))
