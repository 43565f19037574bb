"""A denoising autoencoder of images, with callbacks, and its encoder used alone."""
import numpy as np
from tensorflow.keras.callbacks import EarlyStopping, ModelCheckpoint, ReduceLROnPlateau
from tensorflow.keras.layers import Conv2D, Conv2DTranspose, Dense, Flatten, Input, Reshape
from tensorflow.keras.models import Model

x_train = np.random.rand(80, 28, 28).astype("float32")
x_train = np.expand_dims(x_train, -1)
noisy = np.clip(x_train + 0.3 * np.random.normal(size=x_train.shape), 0.0, 1.0)

inp = Input(shape=(28, 28, 1), name="image")
x = Conv2D(16, (3, 3), activation="relu", padding="same", strides=2)(inp)
x = Conv2D(32, (3, 3), activation="relu", padding="same", strides=2)(x)
shape_before = x.shape[1:]
code = Dense(32, activation="relu", name="code")(Flatten()(x))
# wrong: x = Dense(7 * 7 * 16, activation="relu")(code)
x = Dense(int(np.prod(shape_before)), activation="relu")(code)
x = Reshape(shape_before)(x)  # E: SF104
x = Conv2DTranspose(16, (3, 3), activation="relu", padding="same", strides=2)(x)
out = Conv2DTranspose(1, (3, 3), activation="sigmoid", padding="same", strides=2)(x)

autoencoder = Model(inp, out)
encoder = Model(inp, autoencoder.get_layer("code").output)
autoencoder.compile(optimizer="adam", loss="binary_crossentropy")
autoencoder.fit(noisy, x_train, epochs=2, batch_size=20, shuffle=True, verbose=0,
                validation_split=0.25,
                callbacks=[EarlyStopping(patience=3), ReduceLROnPlateau(patience=2),
                           ModelCheckpoint("best.keras", save_best_only=True)])
codes = encoder.predict(x_train[:10], verbose=0)
assert codes.shape == (10, 32)
