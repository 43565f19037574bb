"""LSTM encoder and decoder over characters, then the two inference models of the sampling loop."""
import numpy as np
import keras

INPUTS, TARGETS, LATENT = 71, 93, 32
encoder_inputs = keras.Input(shape=(None, INPUTS))
encoder = keras.layers.LSTM(LATENT, return_state=True)
encoder_outputs, state_h, state_c = encoder(encoder_inputs)
decoder_inputs = keras.Input(shape=(None, TARGETS))
decoder_lstm = keras.layers.LSTM(LATENT, return_sequences=True, return_state=True)
decoder_outputs, _, _ = decoder_lstm(decoder_inputs, initial_state=[state_h, state_c])
decoder_dense = keras.layers.Dense(TARGETS, activation="softmax")
model = keras.Model([encoder_inputs, decoder_inputs], decoder_dense(decoder_outputs))
model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy"])
encoded = np.zeros((24, 16, INPUTS), "float32")
decoded = np.zeros((24, 20, TARGETS), "float32")
target = np.zeros((24, 20, TARGETS), "float32")
model.fit([encoded, decoded], target, batch_size=8, epochs=1, validation_split=0.25, verbose=0)

encoder_model = keras.Model(encoder_inputs, [state_h, state_c])
given_h, given_c = keras.Input(shape=(LATENT,)), keras.Input(shape=(LATENT,))
step, h, c = decoder_lstm(decoder_inputs, initial_state=[given_h, given_c])
decoder_model = keras.Model([decoder_inputs, given_h, given_c], [decoder_dense(step), h, c])
states = encoder_model.predict(encoded[:1], verbose=0)
# wrong: one = np.zeros((1, 1, INPUTS))
one = np.zeros((1, 1, TARGETS))
for _ in range(3):
    tokens, h, c = decoder_model.predict([one] + states, verbose=0)  # E: SF106
    states = [h, c]
    one = np.zeros((1, 1, TARGETS))
    one[0, 0, np.argmax(tokens[0, -1, :])] = 1.0
