"""Twenty steps of an epoch of 78 and a rest: the state is made for batches of 64, the last one has 8."""
import numpy as np
import tensorflow as tf

BATCH, STEPS, UNITS = 64, 12, 32
x = np.random.rand(5000, STEPS, 6).astype(np.float32)
y = np.random.randint(0, 3, 5000)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(5000).batch(BATCH).repeat()
xs, ys = dataset.make_one_shot_iterator().get_next()
cell = tf.nn.rnn_cell.GRUCell(UNITS)
state = cell.zero_state(BATCH, tf.float32)
outputs, _ = tf.nn.dynamic_rnn(cell, xs, initial_state=state)  # W: SF505
logits = tf.layers.dense(outputs[:, -1], 3)
loss = tf.losses.sparse_softmax_cross_entropy(ys, logits)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(20):
        sess.run(train)
