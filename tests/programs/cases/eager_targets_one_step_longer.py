"""A translation model is taught with targets that still have their start symbol."""
import tensorflow as tf

BATCH, STEPS, VOCABULARY = 16, 9, 40
decoder_in = tf.random.uniform([BATCH, STEPS], maxval=VOCABULARY, dtype=tf.int32)
targets = tf.random.uniform([BATCH, STEPS + 1], maxval=VOCABULARY, dtype=tf.int32)
embedding = tf.keras.layers.Embedding(VOCABULARY, 24)
gru = tf.keras.layers.GRU(32, return_sequences=True)
project = tf.keras.layers.Dense(VOCABULARY)
with tf.GradientTape() as tape:
    logits = project(gru(embedding(decoder_in)))
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)  # E: SF132
    mask = tf.cast(targets != 0, tf.float32)
    loss = tf.reduce_sum(losses * mask) / tf.reduce_sum(mask)
