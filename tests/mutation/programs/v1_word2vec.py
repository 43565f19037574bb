"""Skip-gram with an NCE loss in graph mode, and the nearest words at the end."""
import collections

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

vocabulary_size = 30
embedding_size = 8
batch_size, num_skips, skip_window = 8, 2, 1
num_sampled = 4
data = [int(n) for n in np.random.randint(0, vocabulary_size, 120)]
data_index = 0


def generate_batch():
    global data_index
    batch = np.ndarray(shape=(batch_size,), dtype=np.int32)
    labels = np.ndarray(shape=(batch_size, 1), dtype=np.int32)
    span = 2 * skip_window + 1
    window = collections.deque(data[data_index:data_index + span], maxlen=span)
    for i in range(batch_size // num_skips):
        context = [w for w in range(span) if w != skip_window]
        for j, word in enumerate(context):
            batch[i * num_skips + j] = window[skip_window]
            labels[i * num_skips + j, 0] = window[word]
        data_index = (data_index + 1) % (len(data) - span)
        window.append(data[data_index + span - 1])
    return batch, labels


train_inputs = tf.placeholder(tf.int32, shape=[batch_size])
train_labels = tf.placeholder(tf.int32, shape=[batch_size, 1])
valid_dataset = tf.constant(np.arange(5), dtype=tf.int32)

embeddings = tf.Variable(tf.random_uniform([vocabulary_size, embedding_size], -1.0, 1.0))
embed = tf.nn.embedding_lookup(embeddings, train_inputs)
nce_weights = tf.Variable(tf.truncated_normal([vocabulary_size, embedding_size], stddev=0.3))
nce_biases = tf.Variable(tf.zeros([vocabulary_size]))
loss = tf.reduce_mean(tf.nn.nce_loss(
    weights=nce_weights, biases=nce_biases, labels=train_labels, inputs=embed,
    num_sampled=num_sampled, num_classes=vocabulary_size))
optimizer = tf.train.GradientDescentOptimizer(1.0).minimize(loss)

norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keepdims=True))
normalized = embeddings / norm
valid_embeddings = tf.nn.embedding_lookup(normalized, valid_dataset)
similarity = tf.matmul(valid_embeddings, normalized, transpose_b=True)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(5):
        inputs, labels = generate_batch()
        _, loss_value = session.run([optimizer, loss],
                                    feed_dict={train_inputs: inputs, train_labels: labels})
    sim = similarity.eval()
    nearest = (-sim[0, :]).argsort()[1:4]
print(loss_value, nearest)
