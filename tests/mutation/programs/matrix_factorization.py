"""Recommendations: user and item embeddings, their dot product and biases, a subclassed model."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

num_users, num_movies, embedding_size = 12, 17, 5


class RecommenderNet(keras.Model):
    def __init__(self, num_users, num_movies, embedding_size):
        super().__init__()
        self.user_embedding = layers.Embedding(num_users, embedding_size)
        self.user_bias = layers.Embedding(num_users, 1)
        self.movie_embedding = layers.Embedding(num_movies, embedding_size)
        self.movie_bias = layers.Embedding(num_movies, 1)

    def call(self, inputs):
        user_vector = self.user_embedding(inputs[:, 0])
        user_bias = self.user_bias(inputs[:, 0])
        movie_vector = self.movie_embedding(inputs[:, 1])
        movie_bias = self.movie_bias(inputs[:, 1])
        dot = tf.reduce_sum(user_vector * movie_vector, axis=1, keepdims=True)
        return tf.nn.sigmoid(dot + user_bias + movie_bias)


users = np.random.randint(0, num_users, 50)
movies = np.random.randint(0, num_movies, 50)
ratings = np.random.rand(50).astype("float32")
x = np.stack([users, movies], axis=1)
y = ratings.reshape(-1, 1)

model = RecommenderNet(num_users, num_movies, embedding_size)
model.compile(loss="binary_crossentropy", optimizer=keras.optimizers.Adam(0.001))
model.fit(x=x[:40], y=y[:40], batch_size=20, epochs=1, verbose=0, validation_data=(x[40:], y[40:]))

unseen = np.setdiff1d(np.arange(num_movies), movies[users == 0])[:5]
pairs = np.hstack((np.zeros((len(unseen), 1), dtype=int), unseen[:, None]))
scores = model.predict(pairs, verbose=0).flatten()
print(unseen[scores.argsort()[-3:][::-1]])
