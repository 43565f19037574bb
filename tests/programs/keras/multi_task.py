"""A shared trunk with three heads: losses, weights and metrics by name, targets as a dict, saved and loaded."""
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, Model, layers

rng = np.random.RandomState(0)
n = 72
faces = rng.rand(n, 48, 48, 3).astype("float32")
targets = {
    "age": rng.uniform(1, 90, (n, 1)).astype("float32"),
    "gender": rng.randint(0, 2, (n, 1)).astype("float32"),
    # wrong: "race": tf.one_hot(rng.randint(0, 5, n), 6).numpy(),
    "race": tf.one_hot(rng.randint(0, 5, n), 5).numpy(),
}


class MultiTask:
    """Builds each branch by a method of its own."""

    def trunk(self, inputs):
        x = inputs
        for filters in (8, 16, 16):
            x = layers.Conv2D(filters, (3, 3), padding="same")(x)
            x = layers.Activation("relu")(x)
            x = layers.BatchNormalization(axis=-1)(x)
            x = layers.MaxPooling2D(pool_size=(2, 2))(x)
            x = layers.Dropout(0.25)(x)
        return x

    def branch(self, x, name, units, activation):
        x = layers.Flatten()(x)
        x = layers.Dense(32)(x)
        x = layers.Activation("relu")(x)
        x = layers.Dense(units)(x)
        return layers.Activation(activation, name=name)(x)

    def assemble(self, width, height):
        inputs = Input(shape=(height, width, 3))
        x = self.trunk(inputs)
        return Model(inputs, [self.branch(x, "age", 1, "linear"), self.branch(x, "race", 5, "softmax"),
                              self.branch(x, "gender", 1, "sigmoid")], name="face_net")


model = MultiTask().assemble(48, 48)
model.compile(optimizer=tf.keras.optimizers.Adam(4e-4),
              loss={"age": "mse", "race": "categorical_crossentropy", "gender": "binary_crossentropy"},
              loss_weights={"age": 4.0, "race": 1.5, "gender": 0.1},
              metrics={"age": "mae", "race": "accuracy", "gender": "accuracy"})
train = tf.data.Dataset.from_tensor_slices((faces[:60], {k: v[:60] for k, v in targets.items()})).batch(12)
valid = tf.data.Dataset.from_tensor_slices((faces[60:], {k: v[60:] for k, v in targets.items()})).batch(12)
history = model.fit(train, epochs=2, validation_data=valid, verbose=0)  # E: SF108
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "faces.keras")
    model.save(path)
    again = tf.keras.models.load_model(path)
age, race, gender = again.predict(faces[:3], verbose=0)
print(age.shape, race.argmax(axis=-1), np.round(gender).astype(int).ravel())
