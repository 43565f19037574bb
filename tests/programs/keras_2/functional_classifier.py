"""TF_USE_LEGACY_KERAS: a functional CNN with callbacks, an HDF5 file of weights and a frozen part."""
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input(shape=(32, 32, 3), name="img")
x = layers.Conv2D(16, 3, activation="relu")(inputs)
x = layers.Conv2D(32, 3, activation="relu")(x)
block_1_output = layers.MaxPooling2D(3)(x)
x = layers.Conv2D(32, 3, activation="relu", padding="same")(block_1_output)
# wrong: x = layers.Conv2D(16, 3, activation="relu", padding="same")(x)
x = layers.Conv2D(32, 3, activation="relu", padding="same")(x)
block_2_output = layers.add([x, block_1_output])  # E: SF107
x = layers.GlobalAveragePooling2D()(block_2_output)
outputs = layers.Dense(10)(layers.Dropout(0.5)(layers.Dense(32, activation="relu")(x)))
model = keras.Model(inputs, outputs, name="toy_resnet")
model.compile(optimizer=keras.optimizers.RMSprop(1e-3), loss=keras.losses.CategoricalCrossentropy(from_logits=True),
              metrics=["acc"])
pictures, labels = np.random.rand(40, 32, 32, 3), keras.utils.to_categorical(np.random.randint(0, 10, 40), 10)
history = model.fit(pictures, labels, batch_size=8, epochs=2, validation_split=0.2, verbose=0,
                    callbacks=[keras.callbacks.EarlyStopping(patience=1), keras.callbacks.ReduceLROnPlateau()])
print(sorted(history.history))
path = os.path.join(tempfile.mkdtemp(), "weights.h5")
model.save_weights(path)
model.load_weights(path)
model.layers[1].trainable = False
print(len(model.trainable_weights), model.predict(pictures[:3], verbose=0).shape)
