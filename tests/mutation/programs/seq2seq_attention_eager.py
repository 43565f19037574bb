"""Encoder, additive attention and decoder as keras models, one decoder step at a time."""
import numpy as np
import tensorflow as tf

VOCAB, EMBEDDING, UNITS = 20, 6, 8
BATCH, INPUT_LENGTH, TARGET_LENGTH = 4, 7, 5


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(VOCAB, EMBEDDING)
        self.gru = tf.keras.layers.GRU(UNITS, return_sequences=True, return_state=True)

    def call(self, x, hidden):
        output, state = self.gru(self.embedding(x), initial_state=hidden)
        return output, state


class BahdanauAttention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.W1 = tf.keras.layers.Dense(units)
        self.W2 = tf.keras.layers.Dense(units)
        self.V = tf.keras.layers.Dense(1)

    def call(self, query, values):
        query_with_time = tf.expand_dims(query, 1)
        score = self.V(tf.nn.tanh(self.W1(query_with_time) + self.W2(values)))
        weights = tf.nn.softmax(score, axis=1)
        context = tf.reduce_sum(weights * values, axis=1)
        return context, weights


class Decoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(VOCAB, EMBEDDING)
        self.gru = tf.keras.layers.GRU(UNITS, return_sequences=True, return_state=True)
        self.fc = tf.keras.layers.Dense(VOCAB)
        self.attention = BahdanauAttention(UNITS)

    def call(self, x, hidden, enc_output):
        context, weights = self.attention(hidden, enc_output)
        x = self.embedding(x)
        x = tf.concat([tf.expand_dims(context, 1), x], axis=-1)
        output, state = self.gru(x)
        output = tf.reshape(output, (-1, output.shape[2]))
        return self.fc(output), state, weights


def loss_function(real, pred):
    mask = tf.cast(tf.math.not_equal(real, 0), tf.float32)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=real, logits=pred)
    return tf.reduce_mean(losses * mask)


encoder, decoder = Encoder(), Decoder()
inputs = tf.constant(np.random.randint(1, VOCAB, (BATCH, INPUT_LENGTH)))
targets = tf.constant(np.random.randint(0, VOCAB, (BATCH, TARGET_LENGTH)))
with tf.GradientTape() as tape:
    enc_output, dec_hidden = encoder(inputs, tf.zeros((BATCH, UNITS)))
    dec_input = tf.expand_dims([1] * BATCH, 1)
    loss = 0.0
    for t in range(1, TARGET_LENGTH):
        predictions, dec_hidden, attention = decoder(dec_input, dec_hidden, enc_output)
        loss += loss_function(targets[:, t], predictions)
        dec_input = tf.expand_dims(targets[:, t], 1)
variables = encoder.trainable_variables + decoder.trainable_variables
tf.keras.optimizers.Adam().apply_gradients(zip(tape.gradient(loss, variables), variables))
print(float(loss) / TARGET_LENGTH, attention.shape)
