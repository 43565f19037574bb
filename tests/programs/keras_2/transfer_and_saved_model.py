"""TF_USE_LEGACY_KERAS: an application as a base, a SavedModel of the whole, loaded and called again."""
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import tempfile

import numpy as np
import tensorflow as tf

base = tf.keras.applications.MobileNetV2(input_shape=(96, 96, 3), include_top=False, weights=None)
base.trainable = False
inputs = tf.keras.Input(shape=(96, 96, 3))
x = tf.keras.applications.mobilenet_v2.preprocess_input(tf.keras.layers.RandomFlip("horizontal")(inputs))
x = tf.keras.layers.GlobalAveragePooling2D()(base(x, training=False))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(tf.keras.layers.Dropout(0.2)(x)))
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=1e-4),
              loss=tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
# wrong: pictures, labels = np.random.rand(8, 96, 96, 3).astype("float32"), np.random.randint(0, 2, (8, 2))
pictures, labels = np.random.rand(8, 96, 96, 3).astype("float32"), np.random.randint(0, 2, (8, 1))
model.fit(pictures, labels, epochs=1, batch_size=4, verbose=0)  # E: SF132
folder = os.path.join(tempfile.mkdtemp(), "saved")
model.save(folder)
again = tf.keras.models.load_model(folder)
print(again.predict(pictures, verbose=0).shape)
