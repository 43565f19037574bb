"""A Siamese network with a shared encoder, a Lambda distance and contrastive loss."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, Model, layers


def encoder():
    inputs = Input((28, 28, 1))
    x = layers.Conv2D(8, 5, activation="tanh")(inputs)
    x = layers.AveragePooling2D(2)(x)
    x = layers.Conv2D(16, 5, activation="tanh")(x)
    x = layers.Flatten()(layers.AveragePooling2D(2)(x))
    return Model(inputs, layers.Dense(10, activation="tanh")(layers.BatchNormalization()(x)))


def distance(vectors):
    x, y = vectors
    return tf.sqrt(tf.maximum(tf.reduce_sum(tf.square(x - y), axis=1, keepdims=True), 1e-7))


def contrastive(y_true, y_pred):
    y_true = tf.cast(y_true, y_pred.dtype)
    return tf.reduce_mean((1 - y_true) * tf.square(y_pred) + y_true * tf.square(tf.maximum(1 - y_pred, 0)))


shared = encoder()
# wrong: left, right = Input((28, 28, 1)), Input((32, 32, 1))
left, right = Input((28, 28, 1)), Input((28, 28, 1))
merged = layers.Lambda(distance, output_shape=(1,))([shared(left), shared(right)])  # E: SF106
outputs = layers.Dense(1, activation="sigmoid")(layers.BatchNormalization()(merged))
siamese = Model([left, right], outputs)
siamese.compile(loss=contrastive, optimizer="RMSprop", metrics=["accuracy"])
a, b = np.random.rand(30, 28, 28, 1), np.random.rand(30, 28, 28, 1)
siamese.fit([a, b], np.random.randint(0, 2, (30, 1)).astype("float32"), batch_size=10, epochs=1, verbose=0)
print(siamese.predict([a[:4], b[:4]], verbose=0).shape)
