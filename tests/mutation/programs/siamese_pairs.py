"""Two twins share a network; the distance of their embeddings is trained by a contrastive loss."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers, ops

PIXELS = 6
EMBEDDING = 4


def make_pairs(images, labels):
    pairs, same = [], []
    for i in range(len(images)):
        j = (i * 7 + 3) % len(images)
        pairs.append([images[i], images[j]])
        same.append(float(labels[i] != labels[j]))
    return np.array(pairs), np.array(same, dtype="float32")


images = np.random.rand(18, PIXELS, PIXELS).astype("float32")
labels = np.arange(18) % 3
pairs, same = make_pairs(images, labels)
left, right = pairs[:, 0], pairs[:, 1]

base_in = keras.Input((PIXELS, PIXELS, 1))
x = layers.BatchNormalization()(base_in)
x = layers.Conv2D(4, (3, 3), activation="tanh")(x)
x = layers.AveragePooling2D(pool_size=(2, 2))(x)
x = layers.Flatten()(x)
x = layers.Dense(EMBEDDING, activation="tanh")(x)
embedding_network = keras.Model(base_in, x)


def euclidean_distance(vects):
    a, b = vects
    sum_square = ops.sum(ops.square(a - b), axis=1, keepdims=True)
    return ops.sqrt(ops.maximum(sum_square, keras.backend.epsilon()))


def contrastive_loss(y_true, y_pred):
    square_pred = ops.square(y_pred)
    margin_square = ops.square(ops.maximum(1.0 - y_pred, 0.0))
    return ops.mean((1 - y_true) * square_pred + y_true * margin_square)


input_1 = keras.Input((PIXELS, PIXELS, 1))
input_2 = keras.Input((PIXELS, PIXELS, 1))
merged = layers.Lambda(euclidean_distance, output_shape=(1,))(
    [embedding_network(input_1), embedding_network(input_2)])
normal = layers.BatchNormalization()(merged)
out = layers.Dense(1, activation="sigmoid")(normal)
siamese = keras.Model(inputs=[input_1, input_2], outputs=out)
siamese.compile(loss=contrastive_loss, optimizer="RMSprop")
siamese.fit([left[..., None], right[..., None]], same[:, None], batch_size=9, epochs=1, verbose=0)
vectors = embedding_network(tf.expand_dims(images, -1))
print(vectors.shape)
