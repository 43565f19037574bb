"""Encoder and decoder LSTMs that hand over their states, trained with teacher forcing."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

num_samples = 12
num_encoder_tokens, num_decoder_tokens = 7, 9
max_encoder_length, max_decoder_length = 5, 6
latent_dim = 8

encoder_data = np.zeros((num_samples, max_encoder_length, num_encoder_tokens), dtype="float32")
decoder_data = np.zeros((num_samples, max_decoder_length, num_decoder_tokens), dtype="float32")
target_data = np.zeros((num_samples, max_decoder_length, num_decoder_tokens), dtype="float32")
for i in range(num_samples):
    for t in range(max_encoder_length):
        encoder_data[i, t, (i + t) % num_encoder_tokens] = 1.0
    for t in range(max_decoder_length):
        decoder_data[i, t, (i + t) % num_decoder_tokens] = 1.0
        if t > 0:
            target_data[i, t - 1, (i + t) % num_decoder_tokens] = 1.0

encoder_inputs = keras.Input(shape=(None, num_encoder_tokens))
encoder = layers.LSTM(latent_dim, return_state=True)
encoder_outputs, state_h, state_c = encoder(encoder_inputs)
encoder_states = [state_h, state_c]

decoder_inputs = keras.Input(shape=(None, num_decoder_tokens))
decoder_lstm = layers.LSTM(latent_dim, return_sequences=True, return_state=True)
decoder_outputs, _, _ = decoder_lstm(decoder_inputs, initial_state=encoder_states)
decoder_dense = layers.Dense(num_decoder_tokens, activation="softmax")
decoder_outputs = decoder_dense(decoder_outputs)

model = keras.Model([encoder_inputs, decoder_inputs], decoder_outputs)
model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy"])
model.fit([encoder_data, decoder_data], target_data, batch_size=6, epochs=1, verbose=0)

encoder_model = keras.Model(encoder_inputs, encoder_states)
states = encoder_model.predict(encoder_data[:1], verbose=0)
start = np.zeros((1, 1, num_decoder_tokens))
start[0, 0, 2] = 1.0
print(len(states), start.shape)
