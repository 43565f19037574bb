"""The twin of state_of_the_training_batch: the state of one is made for the run that writes."""
import numpy as np
import tensorflow as tf

BATCH, STEPS, VOCABULARY, UNITS = 64, 50, 65, 128
ids = tf.placeholder(tf.int32, [None, None])
targets = tf.placeholder(tf.int32, [None, None])
cell = tf.nn.rnn_cell.GRUCell(UNITS)
initial = cell.zero_state(tf.shape(ids)[0], tf.float32)
outputs, last = tf.nn.dynamic_rnn(cell, tf.one_hot(ids, VOCABULARY), initial_state=initial)
logits = tf.layers.dense(outputs, VOCABULARY)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits))
train = tf.train.AdamOptimizer().minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(100):
        text = np.random.randint(0, VOCABULARY, (BATCH, STEPS + 1))
        sess.run(train, {ids: text[:, :-1], targets: text[:, 1:]})
    state, word = None, 0
    for _ in range(20):
        feed = {ids: [[word]]}
        if state is not None:
            feed[initial] = state
        probabilities, state = sess.run([logits, last], feed)
        word = int(np.argmax(probabilities[0, -1]))
