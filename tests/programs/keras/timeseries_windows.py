"""Weather-like forecasting: windows by timeseries_dataset_from_array, three models compared."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

series = np.random.rand(1000, 7).astype("float32")
past, future, step = 48, 6, 2
mean, std = series[:700].mean(axis=0), series[:700].std(axis=0)
series = (series - mean) / std


def windows(data, shuffle):
    return keras.utils.timeseries_dataset_from_array(
        data[:-future], data[past + future - 1:, 1], sequence_length=past // step, sampling_rate=step,
        batch_size=32, shuffle=shuffle)


train, valid = windows(series[:700], True), windows(series[700:], False)
for inputs, targets in train.take(1):
    print(inputs.shape, targets.shape)


def convolutional(pool):
    model = keras.Sequential([keras.Input((past // step, 7)), layers.Conv1D(8, 5, activation="relu")])
    model.add(layers.MaxPooling1D(pool))
    model.add(layers.Conv1D(8, 3, activation="relu"))  # E: SF110
    model.add(layers.GlobalAveragePooling1D())
    model.add(layers.Dense(1))
    return model


candidates = {
    "dense": keras.Sequential([keras.Input((past // step, 7)), layers.Flatten(), layers.Dense(16, "relu"),
                               layers.Dense(1)]),
    # wrong: "conv": convolutional(12),
    "conv": convolutional(2),
    "lstm": keras.Sequential([keras.Input((past // step, 7)), layers.LSTM(16, recurrent_dropout=0.25), layers.Dense(1)]),
}
for name, model in candidates.items():
    model.compile(optimizer="rmsprop", loss="mse", metrics=["mae"])
    model.fit(train, epochs=2, validation_data=valid, verbose=0)
    print(name, model.evaluate(valid, verbose=0)[1] >= 0)
print(tf.concat([y for _, y in valid], axis=0).shape)
