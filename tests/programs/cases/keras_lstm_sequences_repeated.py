import numpy as np
import tensorflow as tf
from tensorflow.python.keras.models import Sequential
from tensorflow.python.keras.layers import LSTM, Dense, TimeDistributed, RepeatVector, Activation, GRU, BatchNormalization

model = Sequential()
model.add(LSTM(24, input_shape=(10, 6), return_sequences=True))
model.add(RepeatVector(5))  # E: SF102
model.add(GRU(24, return_sequences=True))
model.add(BatchNormalization())
model.add(TimeDistributed(Dense(3)))
model.add(Activation("softmax"))
model.compile("adam", "categorical_crossentropy", metrics=["acc"])
model.summary()
x = np.zeros((33, 10, 6))
y = np.zeros((33, 5, 3))
model.fit(x, y, batch_size=8, epochs=1, verbose=0)
print(model.predict(x).shape, [w.name for w in model.weights][:3], model.count_params())
