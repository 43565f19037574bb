"""TF_USE_LEGACY_KERAS: an encoder and a decoder with attention, masks, teacher forcing in a tf.function."""
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import numpy as np
import tensorflow as tf

SIZE, UNITS = 50, 24


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(SIZE, 16, mask_zero=True)
        self.gru = tf.keras.layers.GRU(UNITS, return_sequences=True, return_state=True,
                                       recurrent_initializer="glorot_uniform")

    def call(self, x, hidden):
        return self.gru(self.embedding(x), initial_state=hidden)


class BahdanauAttention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.W1, self.W2, self.V = (tf.keras.layers.Dense(n) for n in (units, units, 1))

    def call(self, query, values):
        # wrong: score = self.V(tf.nn.tanh(self.W1(query) + self.W2(values)))  # E: SF101
        score = self.V(tf.nn.tanh(self.W1(tf.expand_dims(query, 1)) + self.W2(values)))
        weights = tf.nn.softmax(score, axis=1)
        return tf.reduce_sum(weights * values, axis=1), weights


class Decoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(SIZE, 16)
        self.gru = tf.keras.layers.GRU(UNITS, return_sequences=True, return_state=True)
        self.fc = tf.keras.layers.Dense(SIZE)
        self.attention = BahdanauAttention(UNITS)

    def call(self, x, hidden, enc_output):
        context, weights = self.attention(hidden, enc_output)
        x = tf.concat([tf.expand_dims(context, 1), self.embedding(x)], axis=-1)
        output, state = self.gru(x)
        return self.fc(tf.reshape(output, (-1, output.shape[2]))), state, weights


encoder, decoder, optimizer = Encoder(), Decoder(), tf.keras.optimizers.Adam()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def loss_function(real, pred):
    mask = tf.cast(tf.math.logical_not(tf.math.equal(real, 0)), tf.float32)
    return tf.reduce_mean(loss_object(real, pred) * mask)


@tf.function
def train_step(inp, targ, hidden):
    loss = 0.0
    with tf.GradientTape() as tape:
        enc_output, enc_hidden = encoder(inp, hidden)
        dec_hidden, dec_input = enc_hidden, tf.expand_dims([1] * 8, 1)
        for t in range(1, targ.shape[1]):
            predictions, dec_hidden, _ = decoder(dec_input, dec_hidden, enc_output)
            loss += loss_function(targ[:, t], predictions)
            dec_input = tf.expand_dims(targ[:, t], 1)
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss / int(targ.shape[1])


data = tf.data.Dataset.from_tensor_slices((np.random.randint(0, SIZE, (32, 9)), np.random.randint(0, SIZE, (32, 6))))
for source, target in data.batch(8, drop_remainder=True):
    print(train_step(tf.cast(source, tf.int32), tf.cast(target, tf.int32), tf.zeros((8, UNITS))).shape)
