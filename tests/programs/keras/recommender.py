"""Matrix factorization: embeddings of users and films, dot product, biases."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

USERS, FILMS, SIZE = 40, 60, 12


class Recommender(keras.Model):
    def __init__(self, users, films, size, **kwargs):
        super().__init__(**kwargs)
        self.user = layers.Embedding(users, size, embeddings_initializer="he_normal",
                                     embeddings_regularizer=keras.regularizers.l2(1e-6))
        self.user_bias = layers.Embedding(users, 1)
        # wrong: self.film = layers.Embedding(films, size + 4)
        self.film = layers.Embedding(films, size)
        self.film_bias = layers.Embedding(films, 1)

    def call(self, inputs):
        user, film = self.user(inputs[:, 0]), self.film(inputs[:, 1])
        dot = tf.reduce_sum(user * film, axis=1, keepdims=True)  # E: SF101
        return tf.nn.sigmoid(dot + self.user_bias(inputs[:, 0]) + self.film_bias(inputs[:, 1]))


model = Recommender(USERS, FILMS, SIZE)
model.compile(loss=keras.losses.BinaryCrossentropy(), optimizer=keras.optimizers.Adam(0.001))
pairs = np.stack([np.random.randint(0, USERS, 200), np.random.randint(0, FILMS, 200)], axis=1)
ratings = np.random.rand(200)
history = model.fit(pairs[:180], ratings[:180], batch_size=64, epochs=2, verbose=0,
                    validation_data=(pairs[180:], ratings[180:]))
scores = model.predict(np.hstack(([[3]] * 10, np.arange(10)[:, None])), verbose=0).flatten()
print(scores.argsort()[-3:][::-1].shape, list(history.history))
