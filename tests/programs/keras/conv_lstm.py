"""Next frames: ConvLSTM2D, Conv3D, TimeDistributed."""
import numpy as np
import keras
from keras import layers

movies = np.random.rand(8, 12, 32, 32, 1).astype("float32")
# wrong: past, future = movies[:, :-1], movies[:, 1:, ::2]
past, future = movies[:, :-1], movies[:, 1:]
inputs = layers.Input(shape=(None, *past.shape[2:]))
x = layers.ConvLSTM2D(8, 5, padding="same", return_sequences=True, activation="relu")(inputs)
x = layers.BatchNormalization()(x)
x = layers.ConvLSTM2D(8, 3, padding="same", return_sequences=True, activation="relu")(x)
x = layers.TimeDistributed(layers.Conv2D(8, 1))(x)
outputs = layers.Conv3D(1, 3, activation="sigmoid", padding="same")(x)
model = keras.models.Model(inputs, outputs)
model.compile(loss=keras.losses.BinaryCrossentropy(), optimizer=keras.optimizers.Adam())
model.fit(past, future, batch_size=4, epochs=1, verbose=0)  # E: SF108
new = model.predict(np.expand_dims(past[0][:5], 0), verbose=0)
print(np.squeeze(new, axis=0)[-1, ...].shape)
