"""An encoder and a decoder that feeds on its own predictions, with tf.nn.raw_rnn."""
import numpy as np
import tensorflow as tf

PAD, EOS, VOCAB, EMBED, HIDDEN = 0, 1, 12, 16, 20

encoder_inputs = tf.placeholder(tf.int32, [None, None], name="encoder_inputs")
encoder_lengths = tf.placeholder(tf.int32, [None], name="encoder_lengths")
decoder_targets = tf.placeholder(tf.int32, [None, None], name="decoder_targets")

embeddings = tf.Variable(tf.random_uniform([VOCAB, EMBED], -1.0, 1.0))
embedded = tf.nn.embedding_lookup(embeddings, encoder_inputs)

(fw_out, bw_out), (fw_state, bw_state) = tf.nn.bidirectional_dynamic_rnn(
    tf.contrib.rnn.LSTMCell(HIDDEN), tf.contrib.rnn.LSTMCell(HIDDEN), embedded,
    sequence_length=encoder_lengths, dtype=tf.float32, time_major=True)
start_state = tf.contrib.rnn.LSTMStateTuple(
    c=tf.concat((fw_state.c, bw_state.c), 1), h=tf.concat((fw_state.h, bw_state.h), 1))

cell = tf.contrib.rnn.LSTMCell(2 * HIDDEN)
max_time, batch_size = tf.unstack(tf.shape(encoder_inputs))
decoder_lengths = encoder_lengths + 3

W = tf.Variable(tf.random_uniform([2 * HIDDEN, VOCAB], -1, 1))
b = tf.Variable(tf.zeros([VOCAB]))

eos_step = tf.nn.embedding_lookup(embeddings, tf.ones([batch_size], tf.int32))
pad_step = tf.nn.embedding_lookup(embeddings, tf.zeros([batch_size], tf.int32))


def loop_fn(time, previous_output, previous_state, previous_loop_state):
    if previous_state is None:
        return 0 >= decoder_lengths, eos_step, start_state, None, None
    finished = time >= decoder_lengths
    everyone = tf.reduce_all(finished)

    def following():
        logits = tf.add(tf.matmul(previous_output, W), b)
        return tf.nn.embedding_lookup(embeddings, tf.argmax(logits, axis=1))

    return (finished, tf.cond(everyone, lambda: pad_step, following), previous_state,
            previous_output, None)


outputs_ta, final_state, _ = tf.nn.raw_rnn(cell, loop_fn)
outputs = outputs_ta.stack()
steps, batch, dim = tf.unstack(tf.shape(outputs))
logits = tf.reshape(tf.matmul(tf.reshape(outputs, (-1, dim)), W) + b, (steps, batch, VOCAB))
print(outputs.shape, logits.shape, final_state)
prediction = tf.argmax(logits, 2)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(
    labels=tf.one_hot(decoder_targets, depth=VOCAB, dtype=tf.float32), logits=logits))
train = tf.train.AdamOptimizer().minimize(loss)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        feed = {encoder_inputs: np.random.randint(2, VOCAB, (6, 4)),
                encoder_lengths: np.array([6, 5, 4, 6]),
                decoder_targets: np.random.randint(2, VOCAB, (9, 4))}
        _, l = session.run([train, loss], feed)
        print(session.run(prediction, feed).shape)
