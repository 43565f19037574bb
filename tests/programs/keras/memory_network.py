"""Questions about stories: a memory network with dots of embeddings, Permute and an LSTM."""
import numpy as np
from keras.layers import LSTM, Activation, Dense, Dropout, Embedding, Input, Permute, add, concatenate, dot
from keras.models import Model, Sequential

vocab_size, story_maxlen, query_maxlen = 30, 18, 5
stories = np.random.randint(1, vocab_size, (64, story_maxlen))
queries = np.random.randint(1, vocab_size, (64, query_maxlen))
answers = np.random.randint(0, vocab_size, 64)

input_sequence = Input((story_maxlen,))
question = Input((query_maxlen,))

input_encoder_m = Sequential([Input((story_maxlen,)), Embedding(vocab_size, 16), Dropout(0.3)])
# wrong: input_encoder_c = Sequential([Input((story_maxlen,)), Embedding(vocab_size, story_maxlen), Dropout(0.3)])
input_encoder_c = Sequential([Input((story_maxlen,)), Embedding(vocab_size, query_maxlen), Dropout(0.3)])
question_encoder = Sequential([Input((query_maxlen,)), Embedding(vocab_size, 16), Dropout(0.3)])

input_encoded_m = input_encoder_m(input_sequence)
input_encoded_c = input_encoder_c(input_sequence)
question_encoded = question_encoder(question)

match = dot([input_encoded_m, question_encoded], axes=(2, 2))
match = Activation("softmax")(match)
response = add([match, input_encoded_c])  # E: SF107
response = Permute((2, 1))(response)

answer = concatenate([response, question_encoded])
answer = LSTM(16)(answer)
answer = Dropout(0.3)(answer)
answer = Activation("softmax")(Dense(vocab_size)(answer))

model = Model([input_sequence, question], answer)
model.compile(optimizer="rmsprop", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit([stories, queries], answers, batch_size=16, epochs=2, verbose=0,
          validation_data=([stories, queries], answers))
