"""Sentiment of padded word sequences: Embedding, two LSTMs, a Dense of one."""
import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.sequence import pad_sequences

vocabulary_size = 40
max_length = 9

texts = [list(np.random.randint(1, vocabulary_size, 3 + i % 8)) for i in range(22)]
sentiments = np.array([i % 2 for i in range(22)])
sequences = pad_sequences(texts, maxlen=max_length, padding="post")

model = keras.Sequential()
model.add(keras.Input(shape=(max_length,)))
model.add(keras.layers.Embedding(vocabulary_size, 8))
model.add(keras.layers.LSTM(6, return_sequences=True))
model.add(keras.layers.LSTM(4))
model.add(keras.layers.Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="rmsprop", metrics=["accuracy"])

split = 16
x_train, x_test = sequences[:split], sequences[split:]
y_train, y_test = sentiments[:split], sentiments[split:]
model.fit(x_train, y_train, epochs=1, batch_size=8, verbose=0)
loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
predictions = model.predict(x_test, verbose=0)
wrong = np.sum((predictions[:, 0] > 0.5) != (y_test > 0))
print(loss, accuracy, wrong)
