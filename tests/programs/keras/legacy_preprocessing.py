"""What older tutorials use: ImageDataGenerator.flow, Tokenizer, TimeseriesGenerator, one_hot and skipgrams."""
import numpy as np
from tensorflow.keras.layers import Conv2D, Dense, Embedding, Flatten, GlobalAveragePooling1D, LSTM, MaxPooling2D
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.image import ImageDataGenerator
from tensorflow.keras.preprocessing.sequence import TimeseriesGenerator, pad_sequences
from tensorflow.keras.preprocessing.text import Tokenizer
from tensorflow.keras.utils import to_categorical

corpus = ["the cat sat on the mat", "the dog ate my homework", "a cat and a dog"]
tokenizer = Tokenizer(num_words=50, oov_token="<OOV>")
tokenizer.fit_on_texts(corpus)
sequences = pad_sequences(tokenizer.texts_to_sequences(corpus), maxlen=8, padding="post", truncating="post")
print(sequences.shape, len(tokenizer.word_index))
model = Sequential([Embedding(50, 8), GlobalAveragePooling1D(), Dense(6, activation="relu"), Dense(1, activation="sigmoid")])
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(sequences, np.array([1, 0, 1]), epochs=3, verbose=0)

values = np.arange(100, dtype="float32").reshape(50, 2)
generator = TimeseriesGenerator(values, values[:, 0], length=5, batch_size=9)
x, y = generator[0]
print(x.shape, y.shape, len(generator))
# wrong: forecast = Sequential([LSTM(8, activation="relu", input_shape=(5, 1)), Dense(1)])
forecast = Sequential([LSTM(8, activation="relu", input_shape=(5, 2)), Dense(1)])
forecast.compile("adam", "mse")
forecast.fit(generator, epochs=1, verbose=0)  # E: SF101

images, labels = np.random.rand(30, 24, 24, 3), to_categorical(np.random.randint(0, 2, 30))
flow = ImageDataGenerator(rotation_range=0, horizontal_flip=True, rescale=1.0 / 255, validation_split=0.2)
train = flow.flow(images, labels, batch_size=8, subset="training")
cnn = Sequential([Conv2D(8, (3, 3), activation="relu", input_shape=(24, 24, 3)), MaxPooling2D((2, 2)), Flatten(),
                  Dense(2, activation="softmax")])
cnn.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
cnn.fit(train, epochs=1, steps_per_epoch=len(train), verbose=0)
print(cnn.evaluate(flow.flow(images, labels, batch_size=8, subset="validation"), verbose=0)[0] >= 0)
