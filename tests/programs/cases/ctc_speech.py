import numpy as np
import tensorflow as tf

CLASSES = 6
inputs = tf.placeholder(tf.float32, [None, None, 13])
targets = tf.sparse_placeholder(tf.int32)
lengths = tf.placeholder(tf.int32, [None])
cell = tf.contrib.rnn.LSTMCell(20)
outputs, _ = tf.nn.dynamic_rnn(cell, inputs, lengths, dtype=tf.float32)
shape = tf.shape(inputs)
flat = tf.reshape(outputs, [-1, 20])
W = tf.Variable(tf.truncated_normal([20, CLASSES], stddev=0.1))
b = tf.Variable(tf.constant(0., shape=[CLASSES]))
logits = tf.reshape(tf.matmul(flat, W) + b, [shape[0], -1, CLASSES])
logits = tf.transpose(logits, (1, 0, 2))
cost = tf.reduce_mean(tf.nn.ctc_loss(targets, logits, lengths))
train = tf.train.MomentumOptimizer(1e-2, 0.9).minimize(cost)
decoded, log_prob = tf.nn.ctc_greedy_decoder(logits, lengths)
beam, beam_prob = tf.nn.ctc_beam_search_decoder(logits, lengths, beam_width=5, top_paths=2)
ler = tf.reduce_mean(tf.edit_distance(tf.cast(decoded[0], tf.int32), targets))
dense = tf.sparse_tensor_to_dense(decoded[0], default_value=-1)
print(log_prob.shape, beam_prob.shape, dense.shape, len(beam))


def sparse(seqs):
    indices = [(i, j) for i, s in enumerate(seqs) for j in range(len(s))]
    values = [v for s in seqs for v in s]
    return np.array(indices, np.int64), np.array(values, np.int32), np.array([len(seqs), max(map(len, seqs))], np.int64)


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {inputs: np.zeros((2, 9, 13)), targets: sparse([[0, 1, 2], [3, 4]]), lengths: [9, 9]}
    print(sess.run([cost, train], feed)[0] > 0)
    print(sess.run([ler, dense], feed)[1].ndim)
    d = sess.run(decoded[0], feed)
    print(d.indices.shape[1])
