"""Augmentation in the data set and in the model."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

augment = keras.Sequential([layers.RandomFlip("horizontal"), layers.RandomRotation(0.1),
                            layers.RandomZoom(0.1), layers.RandomContrast(0.2),
                            layers.RandomTranslation(0.1, 0.1)])


def prepare(image, label):
    image = tf.image.resize(tf.cast(image, tf.float32), (40, 40))
    image = tf.image.random_flip_left_right(image)
    # wrong: image = tf.image.random_crop(image, (36, 36, 3))
    image = tf.image.random_crop(image, (32, 32, 3))
    return image / 255.0, tf.one_hot(label, 6)


images = np.random.randint(0, 256, (48, 50, 60, 3)).astype("uint8")
labels = np.random.randint(0, 6, 48)
data = tf.data.Dataset.from_tensor_slices((images, labels)).map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
data = data.shuffle(48).batch(16).map(lambda x, y: (augment(x, training=True), y)).prefetch(tf.data.AUTOTUNE)
model = keras.Sequential([
    keras.Input((32, 32, 3)), layers.RandomBrightness(0.1, value_range=(0, 1)),
    layers.SeparableConv2D(16, 3, activation="relu"), layers.MaxPooling2D(),
    layers.Flatten(), layers.Dense(6, activation="softmax")])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(data, epochs=1, verbose=0)  # E: SF106
