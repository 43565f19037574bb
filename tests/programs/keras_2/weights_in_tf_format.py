"""TF_USE_LEGACY_KERAS: weights in TensorFlow's own format, loaded by a model that must have the same shapes."""
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import tempfile

import numpy as np
import tensorflow as tf


def create_model(units=32):
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(units, activation="relu", input_shape=(20,)),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(3),
    ])
    model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=[tf.keras.metrics.SparseCategoricalAccuracy()])
    return model


x, y = np.random.rand(60, 20).astype("float32"), np.random.randint(0, 3, 60)
path = os.path.join(tempfile.mkdtemp(), "cp.ckpt")
model = create_model()
model.fit(x, y, epochs=2, verbose=0,
          callbacks=[tf.keras.callbacks.ModelCheckpoint(filepath=path, save_weights_only=True, verbose=0)])
# wrong: again = create_model(48)
again = create_model(32)
again.load_weights(path)  # E: SF125
print(again.evaluate(x, y, verbose=0)[1] >= 0)
