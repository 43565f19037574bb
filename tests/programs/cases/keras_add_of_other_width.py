import numpy as np
from tensorflow.keras.layers import Input, Dense, Embedding, LSTM, concatenate, Bidirectional, Add, GlobalAveragePooling1D
from tensorflow.keras.models import Model

words = Input(shape=(20,), dtype="int32", name="words")
extra = Input(shape=(5,), name="extra")
h = Embedding(1000, 32)(words)
h = Bidirectional(LSTM(16, return_sequences=True))(h)
pooled = GlobalAveragePooling1D()(h)
both = concatenate([pooled, extra])
d = Dense(36, activation="relu")(both)
d = Add()([d, both])  # E: SF107
out = Dense(1, activation="sigmoid", name="out")(d)
aux = Dense(3, name="aux")(pooled)
model = Model(inputs=[words, extra], outputs=[out, aux])
model.compile("rmsprop", loss={"out": "binary_crossentropy", "aux": "mse"}, loss_weights={"out": 1.0, "aux": 0.2})
w = np.random.randint(0, 1000, (50, 20))
e = np.random.rand(50, 5)
model.fit({"words": w, "extra": e}, {"out": np.random.rand(50, 1), "aux": np.random.rand(50, 3)}, epochs=1, batch_size=16, verbose=0)
a, b = model.predict([w, e], verbose=0)
print(a.shape, b.shape, model.output_shape, model.count_params())
