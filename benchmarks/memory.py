"""Peak memory of a step: ours against TensorFlow's own record of its allocations, on a CPU.

    python benchmarks/memory.py --tf115 PYTHON      prints the table of docs/memory.md

TensorFlow runs each model in a process of its own with FULL_TRACE; the allocation records of RunMetadata, in
the order of their times, give the highest sum of what the step holds beside variables and feeds.
"""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile

BATCHES = (8, 32, 64)
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
}


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


def _held(metadata):
    records = []
    for device in metadata.step_stats.dev_stats:
        for node in device.node_stats:
            end = node.all_start_micros + node.op_end_rel_micros
            for memory in node.memory:
                freed = [-r.alloc_bytes for r in memory.allocation_records
                         if r.alloc_bytes < 0 and r.alloc_micros <= end]
                for r in memory.allocation_records:  # a kernel's own temporaries are no tensors
                    if r.alloc_bytes < 0 and r.alloc_micros <= end:
                        continue
                    if r.alloc_bytes in freed:
                        freed.remove(r.alloc_bytes)
                        continue
                    records.append((r.alloc_micros, r.alloc_bytes < 0, r.alloc_bytes))
    held = peak = 0
    for _, _, count in sorted(records):
        held += count
        peak = max(peak, held)
    return peak


def real(path):
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    found = {}
    for name in MODELS:
        with tf.Graph().as_default() as graph:
            ops = built(tf, name)
            config = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
            with tf.Session(config=config) as session:
                session.run(tf.global_variables_initializer())
                for op, kind in zip(ops, ("forward", "training")):
                    for batch in BATCHES:
                        metadata = tf.RunMetadata()
                        session.run(op, feeds_of(graph, batch), tf.RunOptions(trace_level=3), metadata)
                        found[f"{name}|{kind}|{batch}"] = _held(metadata)
    with open(path, "w") as out:
        json.dump(found, out)


def ours():
    import shapeflow as tf
    from shapeflow.tensorflow.compat import version_detection

    version_detection.activate("1.15.0", "graph")
    found = {}
    for name in MODELS:
        with tf.Graph().as_default() as graph:
            ops = built(tf, name)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                for op, kind in zip(ops, ("forward", "training")):
                    for batch in BATCHES:
                        memory = session.memory(op, feeds_of(graph, batch))
                        parts = memory["parts"]
                        found[f"{name}|{kind}|{batch}"] = parts["activations"] + parts["gradients"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tf115", help="a Python with TensorFlow 1.15")
    parser.add_argument("--real", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.real:
        return real(arguments.real)
    if not arguments.tf115:
        sys.exit("SKIPPED ALOUD: --tf115 names no Python with TensorFlow 1.15")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "real.json")
        subprocess.run([arguments.tf115, os.path.abspath(__file__), "--real", path], check=True,
                       stderr=subprocess.DEVNULL)
        with open(path) as read:
            measured = json.load(read)
    told = ours()
    print("| model | run | " + " | ".join(f"batch {b}: TensorFlow | ours | off" for b in BATCHES) + " |")
    print("|" + "---|" * (2 + 3 * len(BATCHES)))
    errors = []
    for name in MODELS:
        for kind in ("forward", "training"):
            cells = []
            for batch in BATCHES:
                key = f"{name}|{kind}|{batch}"
                error = told[key] / measured[key] - 1
                errors.append(abs(error))
                cells.append(f"{measured[key]:,} | {told[key]:,} | {error:+.1%}")
            print(f"| {name} | {kind} | " + " | ".join(cells) + " |")
    errors.sort()
    print(f"\n{len(errors)} runs: median {errors[len(errors) // 2]:.1%}, worst {errors[-1]:.1%}, "
          f"{sum(e <= 0.15 for e in errors)} within 15 %")


if __name__ == "__main__":
    main()
