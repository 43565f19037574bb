"""The models of memory.py: each makes `loss` in a graph of TensorFlow 1."""

PREPARE = """
def image(side, channels):
    return tf.placeholder(tf.float32, [None, side, side, channels], name='x')
def classes(logits):
    labels = tf.placeholder(tf.int64, [None], name='labels')
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
def conv(x, n, k=3, s=1, act=tf.nn.relu):
    return tf.layers.conv2d(x, n, k, s, padding='same', activation=act)
def dense(x, n, act=tf.nn.relu):
    return tf.layers.dense(x, n, activation=act)
def pool(x):
    return tf.layers.max_pooling2d(x, 2, 2)
def flat(x):
    return tf.layers.flatten(x)
"""
MODELS = {
    "recomputed blocks": """
x = tf.placeholder(tf.float32, [None, 256]); h = x
tf.get_variable_scope().set_use_resource(True)
w = [tf.get_variable('w%d' % i, [256, 256]) for i in range(8)]
for i in range(0, 8, 2):
    h = tf.recompute_grad(lambda h, i=i: tf.tanh(tf.matmul(tf.tanh(tf.matmul(h, w[i])), w[i + 1])))(h)
loss = classes(dense(h, 10, None))""",
    "LeNet": """
x = image(28, 1); h = pool(conv(x, 20, 5)); h = pool(conv(h, 50, 5))
loss = classes(dense(dense(flat(h), 500), 10, None))""",
    "wide MLP": """
x = tf.placeholder(tf.float32, [None, 784]); h = x
for n in (2048, 2048, 1024): h = dense(h, n)
loss = classes(dense(h, 10, None))""",
    "VGG (64x64)": """
x = image(64, 3); h = x
for n, times in ((32, 2), (64, 2), (128, 3)):
    for _ in range(times): h = conv(h, n)
    h = pool(h)
loss = classes(dense(dense(flat(h), 256), 10, None))""",
    "ResNet (32x32)": """
x = image(32, 3); h = conv(x, 16)
for n in (16, 32, 64):
    for i in range(2):
        short = h if h.shape[-1] == n else conv(h, n, 1, 2, None)
        y = conv(h, n, 3, 1 if h.shape[-1] == n else 2); y = conv(y, n, 3, 1, None)
        h = tf.nn.relu(y + short)
loss = classes(dense(tf.reduce_mean(h, [1, 2]), 10, None))""",
    "U-Net (32x32)": """
x = image(32, 3); skips = []; h = x
for n in (16, 32): h = conv(conv(h, n), n); skips.append(h); h = pool(h)
h = conv(h, 64)
for n, skip in ((32, skips[1]), (16, skips[0])):
    h = tf.layers.conv2d_transpose(h, n, 2, 2); h = conv(conv(tf.concat([h, skip], 3), n), n)
loss = tf.reduce_mean(tf.square(conv(h, 3, 1, 1, None) - x))""",
    "autoencoder": """
x = tf.placeholder(tf.float32, [None, 784]); h = x
for n in (512, 128, 32, 128, 512): h = dense(h, n, tf.nn.tanh)
loss = tf.reduce_mean(tf.square(dense(h, 784, tf.nn.sigmoid) - x))""",
    "DCGAN generator": """
x = tf.placeholder(tf.float32, [None, 100]); h = tf.reshape(dense(x, 4 * 4 * 128), [-1, 4, 4, 128])
for n in (64, 32): h = tf.nn.relu(tf.layers.conv2d_transpose(h, n, 5, 2, padding='same'))
h = tf.nn.tanh(tf.layers.conv2d_transpose(h, 3, 5, 2, padding='same'))
loss = classes(dense(flat(conv(h, 32, 5, 2, tf.nn.leaky_relu)), 2, None))""",
    "LSTM (unrolled)": """
x = tf.placeholder(tf.float32, [None, 8, 64])
cell = tf.nn.rnn_cell.BasicLSTMCell(128)
outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, 8, 1), dtype=tf.float32)
loss = classes(dense(outputs[-1], 10, None))""",
    "LSTM (dynamic)": """
x = tf.placeholder(tf.float32, [None, 20, 64])
outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(128), x, dtype=tf.float32)
loss = classes(dense(tf.reduce_mean(outputs, 1), 10, None))""",
    "attention": """
x = tf.placeholder(tf.float32, [None, 16, 64]); h = x
for _ in range(2):
    q, k, v = (tf.layers.dense(h, 64) for _ in range(3))
    h = h + tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * 0.125), v)
    h = h + tf.layers.dense(tf.layers.dense(h, 256, activation=tf.nn.relu), 64)
loss = classes(tf.layers.dense(tf.reduce_mean(h, 1), 10))""",
    "two towers": """
x = tf.placeholder(tf.float32, [None, 256])
a = dense(dense(x, 512), 128); b = dense(dense(x, 512, tf.nn.tanh), 128)
loss = tf.reduce_mean(tf.square(tf.reduce_sum(a * b, 1) - 1.))""",
    "VGG-16 (224x224)": """
x = image(224, 3); h = x
for n, times in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
    for _ in range(times): h = conv(h, n)
    h = pool(h)
loss = classes(dense(dense(dense(flat(h), 4096), 4096), 1000, None))""",
    "ResNet-50 (224x224)": """
def normal(x, n, k=1, s=1):
    x = tf.layers.conv2d(x, n, k, s, padding='same', use_bias=False)
    return tf.layers.batch_normalization(x, training=True)
x = image(224, 3)
h = tf.layers.max_pooling2d(tf.nn.relu(normal(x, 64, 7, 2)), 3, 2, 'same')
for n, times, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
    for i in range(times):
        s = stride if i == 0 else 1
        short = normal(h, 4 * n, 1, s) if i == 0 else h
        y = tf.nn.relu(normal(tf.nn.relu(normal(h, n)), n, 3, s))
        h = tf.nn.relu(normal(y, 4 * n) + short)
loss = classes(dense(tf.reduce_mean(h, [1, 2]), 1000, None))""",
    "BERT-base (128 tokens)": """
def norm(x):
    mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
    scale = tf.Variable(tf.ones([768])); offset = tf.Variable(tf.zeros([768]))
    return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-12)
def heads(x):
    return tf.transpose(tf.reshape(x, [-1, 128, 12, 64]), [0, 2, 1, 3])
words = tf.placeholder(tf.int32, [None, 128])
table = tf.Variable(tf.zeros([30522, 768])); places = tf.Variable(tf.zeros([128, 768]))
h = norm(tf.nn.embedding_lookup(table, words) + places); h = tf.reshape(h, [-1, 768])
for _ in range(12):
    q, k, v = (heads(dense(h, 768, None)) for _ in range(3))
    a = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * 0.125)
    a = tf.reshape(tf.transpose(tf.matmul(a, v), [0, 2, 1, 3]), [-1, 768])
    h = norm(h + dense(a, 768, None))
    y = dense(h, 3072, None); y = y * 0.5 * (1.0 + tf.erf(y / 1.41421356))
    h = norm(h + dense(y, 768, None))
first = tf.reshape(h, [-1, 128, 768])[:, 0]
loss = classes(dense(dense(first, 768, tf.tanh), 2, None))""",
    "seq2seq": """
source = tf.placeholder(tf.int32, [None, 12]); target = tf.placeholder(tf.int32, [None, 10])
table = tf.get_variable('table', [2000, 64])
cell = tf.nn.rnn_cell.BasicLSTMCell
with tf.variable_scope('encoder'):
    _, state = tf.nn.static_rnn(cell(128), tf.unstack(tf.nn.embedding_lookup(table, source), 12, 1),
                                dtype=tf.float32)
with tf.variable_scope('decoder'):
    outputs, _ = tf.nn.static_rnn(cell(128), tf.unstack(tf.nn.embedding_lookup(table, target), 10, 1), state)
logits = tf.layers.dense(tf.stack(outputs, 1), 2000)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits))""",
    "embedding": """
words = tf.placeholder(tf.int32, [None, 50]); table = tf.get_variable('table', [10000, 100])
h = tf.reduce_mean(tf.nn.embedding_lookup(table, words), 1)
loss = classes(dense(dense(h, 64), 5, None))""",
}
# The large ones have small batches: real TensorFlow computes them.
SMALL_BATCHES = (1, 2, 4)
LARGE = ("VGG-16 (224x224)", "ResNet-50 (224x224)", "BERT-base (128 tokens)")
BATCHES = (8, 32, 64)
LARGE_BATCHES = (2048, 4096, 8192)  # where activations outweigh the gradients of weights


def batches_of(name):
    if name == "recomputed blocks":
        return LARGE_BATCHES
    return SMALL_BATCHES if name in LARGE else BATCHES


def built(tf, name):
    names = {"tf": tf}
    exec(PREPARE + MODELS[name], names)
    loss = names["loss"]
    return loss, tf.train.AdamOptimizer().minimize(loss)


def feeds_of(graph, batch):
    import numpy as np

    return {op.outputs[0]: np.zeros([batch, *op.outputs[0].shape.as_list()[1:]],
                                    op.outputs[0].dtype.as_numpy_dtype)
            for op in graph.get_operations() if op.type == "Placeholder"}
