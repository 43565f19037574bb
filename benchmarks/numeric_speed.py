"""What `shapeflow numeric` costs more than `shapeflow check`, of large training graphs, in processor time.

python benchmarks/numeric_speed.py [--runs 5] [--limit 0.3] [resnet50 bert]

The graphs are made by the programs below, of nobody's data: ResNet-50 (batch norm, weight decay, Adam) and
BERT-base (12 layers, clipped gradients, Adam), ten steps each. Both commands run in turn, without a cache; of
each the least counts. Ends with 1 when a graph has a suspect, or costs more than the limit.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

RESNET50 = """\
import numpy as np
import tensorflow as tf

def normed(x):
    return tf.layers.batch_normalization(x, training=True, momentum=0.9, epsilon=1e-5)

def conv(x, filters, size, stride=1):
    return normed(tf.layers.conv2d(x, filters, size, stride, padding="same", use_bias=False))

def block(x, filters, stride):
    wide = 4 * filters
    short = conv(x, wide, 1, stride) if stride != 1 or x.shape[-1] != wide else x
    y = tf.nn.relu(conv(x, filters, 1, stride))
    y = tf.nn.relu(conv(y, filters, 3))
    return tf.nn.relu(conv(y, wide, 1) + short)

x = tf.placeholder(tf.float32, [None, 224, 224, 3])
labels = tf.placeholder(tf.int64, [None])
h = tf.layers.max_pooling2d(tf.nn.relu(conv(x, 64, 7, 2)), 3, 2, padding="same")
for filters, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
    for i in range(count):
        h = block(h, filters, stride if i == 0 else 1)
logits = tf.layers.dense(tf.reduce_mean(h, [1, 2]), 1000)
decay = 1e-4 * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits) + decay
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(10):
        session.run([train, loss], {x: np.random.rand(8, 224, 224, 3), labels: np.random.randint(0, 1000, 8)})
"""
BERT = """\
import math
import numpy as np
import tensorflow as tf
LAYERS, WIDTH, HEADS, WORDS, LENGTH, BATCH = 12, 768, 12, 30522, 128, 8
init = tf.truncated_normal_initializer(stddev=0.02)

def dense(x, n, name, activation=None):
    return tf.layers.dense(x, n, activation=activation, kernel_initializer=init, name=name)

def gelu(x):
    return x * 0.5 * (1.0 + tf.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * tf.pow(x, 3))))

def norm(x, name):
    with tf.variable_scope(name):
        scale = tf.get_variable("gamma", [WIDTH], initializer=tf.ones_initializer())
        offset = tf.get_variable("beta", [WIDTH], initializer=tf.zeros_initializer())
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-12)

def heads(x):
    return tf.transpose(tf.reshape(x, [BATCH, LENGTH, HEADS, WIDTH // HEADS]), [0, 2, 1, 3])

ids = tf.placeholder(tf.int32, [BATCH, LENGTH])
mask = tf.placeholder(tf.float32, [BATCH, LENGTH])
labels = tf.placeholder(tf.int32, [BATCH])
h = tf.nn.embedding_lookup(tf.get_variable("words", [WORDS, WIDTH], initializer=init), ids)
h = tf.nn.dropout(norm(h + tf.get_variable("places", [LENGTH, WIDTH], initializer=init), "embedding"), 0.9)
bias = (1.0 - tf.reshape(mask, [BATCH, 1, 1, LENGTH])) * -10000.0
for i in range(LAYERS):
    with tf.variable_scope("layer%d" % i):
        q, k, v = (heads(dense(h, WIDTH, name)) for name in "qkv")
        scores = tf.matmul(q, k, transpose_b=True) / math.sqrt(WIDTH // HEADS) + bias
        c = tf.matmul(tf.nn.dropout(tf.nn.softmax(scores), 0.9), v)
        c = tf.reshape(tf.transpose(c, [0, 2, 1, 3]), [BATCH, LENGTH, WIDTH])
        h = norm(h + tf.nn.dropout(dense(c, WIDTH, "output"), 0.9), "first")
        h = norm(h + tf.nn.dropout(dense(dense(h, 4 * WIDTH, "inner", gelu), WIDTH, "outer"), 0.9), "second")
logits = dense(tf.tanh(dense(h[:, 0], WIDTH, "pool")), 2, "class")
loss = tf.reduce_mean(-tf.reduce_sum(tf.one_hot(labels, 2) * tf.nn.log_softmax(logits), -1))
variables = tf.trainable_variables()
gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 1.0)
train = tf.train.AdamOptimizer(2e-5).apply_gradients(zip(gradients, variables))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(10):
        session.run([train, loss], {ids: np.random.randint(0, WORDS, (BATCH, LENGTH)),
                                    mask: np.ones((BATCH, LENGTH)), labels: np.random.randint(0, 2, BATCH)})
"""
PROGRAMS = {"resnet50": RESNET50, "bert": BERT}


def seconds(path, *command):
    """(of processor time, what was printed)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", "shapeflow", *command, path.name], cwd=path.parent,
                          stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=0.3)
    parser.add_argument("programs", nargs="*", help=f"of {', '.join(PROGRAMS)}; all")
    given = parser.parse_args()
    fails = False
    with tempfile.TemporaryDirectory() as folder:
        for name in given.programs or PROGRAMS:
            path = Path(folder, name + ".py")
            path.write_text(PROGRAMS[name])
            checks, analyses = [], []
            for _ in range(given.runs):
                checks.append(seconds(path, "check", "--no-cache")[0])
                spent, said = seconds(path, "numeric", "--json")
                analyses.append(spent)
            suspects = len(json.loads(said)["suspects"])
            more = min(analyses) - min(checks)
            fails |= bool(suspects) or more > given.limit
            print(f"{name}: check {min(checks):.2f} s, numeric {min(analyses):.2f} s, {more:.2f} s more, "
                  f"{suspects} suspects", flush=True)
    sys.exit(fails)


if __name__ == "__main__":
    main()
