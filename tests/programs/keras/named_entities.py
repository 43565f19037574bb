"""Tags of words: a bidirectional LSTM over padded sentences, with masks and TimeDistributed."""
import numpy as np
from keras.layers import LSTM, Bidirectional, Dense, Dropout, Embedding, Input, TimeDistributed
from keras.models import Model
from keras.utils import pad_sequences, to_categorical

rng = np.random.default_rng(0)
sentences = [[(f"word{rng.integers(50)}", f"TAG{rng.integers(5)}") for _ in range(rng.integers(4, 18))]
             for _ in range(60)]
words = sorted({w for s in sentences for w, _ in s})
tags = sorted({t for s in sentences for _, t in s})
word2idx = {w: i + 2 for i, w in enumerate(words)}
word2idx["PAD"], word2idx["UNK"] = 0, 1
tag2idx = {t: i for i, t in enumerate(tags)}
max_len = 20

X = pad_sequences([[word2idx[w] for w, _ in s] for s in sentences], maxlen=max_len, padding="post", value=0)
y = pad_sequences([[tag2idx[t] for _, t in s] for s in sentences], maxlen=max_len, padding="post",
                  value=tag2idx[tags[0]])
# wrong: y = np.array([to_categorical(i, num_classes=len(tags) + 1) for i in y])
y = np.array([to_categorical(i, num_classes=len(tags)) for i in y])

inputs = Input(shape=(max_len,))
model = Embedding(input_dim=len(word2idx), output_dim=24, mask_zero=True)(inputs)
model = Dropout(0.1)(model)
model = Bidirectional(LSTM(units=16, return_sequences=True, recurrent_dropout=0.1))(model)
out = TimeDistributed(Dense(len(tags), activation="softmax"))(model)
model = Model(inputs, out)
model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy"])
history = model.fit(X[:48], y[:48], batch_size=16, epochs=1, validation_split=0.1, verbose=0)  # E: SF108
predicted = np.argmax(model.predict(X[48:], verbose=0), axis=-1)
print([tags[i] for i in predicted[0][:5]], predicted.shape)
