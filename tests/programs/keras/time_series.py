"""Forecasting: windows by timeseries_dataset_from_array, a convolution and a GRU."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

PAST, FUTURE, FEATURES = 24, 6, 5
series = np.random.rand(400, FEATURES).astype("float32")
mean, std = series.mean(axis=0), series.std(axis=0)
series = (series - mean) / std
windows = keras.utils.timeseries_dataset_from_array(series[:-FUTURE], targets=None, sequence_length=PAST,
                                                    sequence_stride=3, batch_size=32)
targets = keras.utils.timeseries_dataset_from_array(series[PAST:, :1], targets=None, sequence_length=FUTURE,
                                                    sequence_stride=3, batch_size=32)
data = tf.data.Dataset.zip((windows, targets)).map(lambda x, y: (x, tf.squeeze(y, -1)))
model = keras.Sequential([
    keras.Input((PAST, FEATURES)),
    layers.Conv1D(16, 3, padding="causal", activation="relu"),
    layers.Bidirectional(layers.GRU(16)),
    # wrong: layers.Dense(FUTURE - 1)])
    layers.Dense(FUTURE)])
model.compile("adam", "mae")
stop = keras.callbacks.EarlyStopping(monitor="loss", patience=1)
model.fit(data, epochs=2, verbose=0, callbacks=[stop])  # E: SF101
for x, y in data.take(1):
    print(model.predict(x, verbose=0).shape, y.shape)
