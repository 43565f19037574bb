"""Encoder, attention decoder with helpers for training and greedy inference."""
import numpy as np
import tensorflow as tf

VOCAB, EMBED, UNITS, BATCH = 30, 16, 24, 8
source = tf.placeholder(tf.int32, [BATCH, None])
source_len = tf.placeholder(tf.int32, [BATCH])
target = tf.placeholder(tf.int32, [BATCH, None])
target_len = tf.placeholder(tf.int32, [BATCH])

embedding = tf.get_variable("embedding", [VOCAB, EMBED])
enc_out, enc_state = tf.nn.dynamic_rnn(tf.contrib.rnn.GRUCell(UNITS), tf.nn.embedding_lookup(embedding, source),
                                       sequence_length=source_len, dtype=tf.float32)
attention = tf.contrib.seq2seq.LuongAttention(UNITS, enc_out, memory_sequence_length=source_len)
cell = tf.contrib.seq2seq.AttentionWrapper(tf.contrib.rnn.GRUCell(UNITS + 1), attention, attention_layer_size=UNITS)
projection = tf.layers.Dense(VOCAB, use_bias=False)
start = cell.zero_state(BATCH, tf.float32).clone(cell_state=enc_state)  # E: SF124

helper = tf.contrib.seq2seq.TrainingHelper(tf.nn.embedding_lookup(embedding, target), target_len)
decoder = tf.contrib.seq2seq.BasicDecoder(cell, helper, start, output_layer=projection)
outputs, state, lengths = tf.contrib.seq2seq.dynamic_decode(decoder)
logits = outputs.rnn_output
print(logits.shape, outputs.sample_id.shape, lengths.shape)
weights = tf.sequence_mask(target_len, tf.shape(logits)[1], dtype=tf.float32)
loss = tf.contrib.seq2seq.sequence_loss(logits, target, weights)
params = tf.trainable_variables()
grads, _ = tf.clip_by_global_norm(tf.gradients(loss, params), 5.0)
train = tf.train.AdamOptimizer().apply_gradients(zip(grads, params))

greedy = tf.contrib.seq2seq.GreedyEmbeddingHelper(embedding, tf.fill([BATCH], 1), 2)
inference = tf.contrib.seq2seq.BasicDecoder(cell, greedy, start, output_layer=projection)
answer, _, _ = tf.contrib.seq2seq.dynamic_decode(inference, maximum_iterations=12)
print(answer.sample_id.shape)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {source: np.random.randint(3, VOCAB, (BATCH, 7)), source_len: [7] * BATCH,
            target: np.random.randint(3, VOCAB, (BATCH, 5)), target_len: [5] * BATCH}
    print(sess.run([loss, train], feed)[0] > 0)
    print(sess.run(answer.sample_id, feed).shape)
