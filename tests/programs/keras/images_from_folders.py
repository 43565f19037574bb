"""Pictures are written to folders, read by image_dataset_from_directory, augmented, and classified."""
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

root = tempfile.mkdtemp()
for kind in ("cats", "dogs"):
    os.makedirs(os.path.join(root, kind))
    for i in range(8):
        picture = np.random.randint(0, 255, (40, 50, 3)).astype("uint8")
        encoded = tf.io.encode_jpeg(picture)
        tf.io.write_file(os.path.join(root, kind, f"{i}.jpg"), encoded)
tf.io.write_file(os.path.join(root, "labels.txt"), "cats,dogs")
labels = open(os.path.join(root, "labels.txt")).read().split(",")
train, valid = keras.utils.image_dataset_from_directory(
    root, validation_split=0.25, subset="both", seed=123, class_names=labels, image_size=(32, 32), batch_size=4, verbose=False)
print(train.class_names, train.element_spec[0].shape)
augmentation = keras.Sequential([layers.RandomFlip("horizontal"), layers.RandomContrast(0.2), layers.RandomTranslation(0.1, 0.1)])
train = train.map(lambda x, y: (augmentation(x, training=True), y), num_parallel_calls=tf.data.AUTOTUNE)
train = train.cache().prefetch(tf.data.AUTOTUNE)


def block(x, filters):
    skip = layers.Conv2D(filters, 1, strides=2, padding="same")(x)
    x = layers.SeparableConv2D(filters, 3, padding="same", activation="relu")(x)
    x = layers.BatchNormalization()(x)
    # wrong: x = layers.MaxPooling2D(3, strides=2)(x)
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
    return layers.add([x, skip])  # E: SF107


inputs = keras.Input((32, 32, 3))
x = layers.Rescaling(1.0 / 255)(inputs)
for filters in (16, 32):
    x = block(x, filters)
x = layers.Dropout(0.25)(layers.GlobalAveragePooling2D()(x))
model = keras.Model(inputs, layers.Dense(1)(x))
model.compile(keras.optimizers.Adam(3e-4), keras.losses.BinaryCrossentropy(from_logits=True),
              metrics=[keras.metrics.BinaryAccuracy(name="acc")])
model.fit(train, epochs=1, validation_data=valid, verbose=0)
image = keras.utils.load_img(os.path.join(root, "cats", "0.jpg"), target_size=(32, 32)) if False else np.zeros((32, 32, 3))
array = keras.ops.expand_dims(image, 0)
score = float(keras.ops.sigmoid(model.predict(array, verbose=0)[0][0]))
print(0 <= score <= 1)
