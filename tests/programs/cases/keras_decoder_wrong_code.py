import numpy as np
import keras
from keras import layers, Model, Input

inp = Input(shape=(784,))
encoded = layers.Dense(128, activation="relu", kernel_regularizer=keras.regularizers.l2(1e-4))(inp)
encoded = layers.Dense(32, activation="relu")(encoded)
decoded = layers.Dense(128, activation="relu")(encoded)
decoded = layers.Dense(784, activation="sigmoid")(decoded)
autoencoder = Model(inp, decoded)
encoder = Model(inp, encoded)
dec_in = Input(shape=(64,))
x = autoencoder.layers[-2](dec_in)  # E: SF106
decoder = Model(dec_in, autoencoder.layers[-1](x))
autoencoder.compile(optimizer=keras.optimizers.Adam(learning_rate=0.01), loss="binary_crossentropy")
data = np.random.rand(120, 784).astype("float32")
autoencoder.fit(data, data, epochs=1, batch_size=50, shuffle=True, validation_data=(data[:20], data[:20]), verbose=0)
codes = encoder.predict(data, verbose=0)
images = decoder.predict(codes, verbose=0)
print(codes.shape, images.reshape(-1, 28, 28).shape)
