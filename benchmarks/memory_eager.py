"""Peak memory of eager code and of tf.function: ours against what TensorFlow's CPU allocator was asked for.

    python benchmarks/memory_eager.py --tensorflow PYTHON      prints the table of docs/memory.md

With oneDNN on, which it is by default, TensorFlow's CPU allocator (MklCPUAllocator) is a BFC allocator, as
that of a GPU is, and tf.profiler records each of its allocations and deallocations: the bytes that a kernel
asked for, and those of the chunk that it got, which is up to twice as large. The sum of what was asked for
over one step, its peak, beside the variables and data from before the step, is compared with ours. Buffers
below 256 KiB come from another allocator, of which only the peak is known
(tf.config.experimental.get_memory_info of both, less the chunks): it is added. With TF_ENABLE_ONEDNN_OPTS=0
there are no such statistics.
"""
from __future__ import annotations

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from memory_table import main, print_table

BATCHES = (32, 256)
TRACES = 5
HEAD = """import numpy as np
import tensorflow as tf
def weights(*shapes):
    return [tf.Variable(tf.zeros(shape)) for shape in shapes]
"""
# `w`: what is trained; `x`: a batch; loss(x).
MODELS = {
    "MLP": """
w = weights([784, 1024], [1024, 1024], [1024, 10]); x = tf.zeros([BATCH, 784])
def loss(x):
    h = tf.nn.relu(tf.matmul(x, w[0])); h = tf.nn.relu(tf.matmul(h, w[1]))
    return tf.reduce_mean(tf.square(tf.matmul(h, w[2])))
""",
    "deep MLP": """
w = weights(*[[512, 512]] * 12); x = tf.zeros([BATCH * 8, 512])
def loss(x):
    for v in w: x = tf.tanh(tf.matmul(x, v))
    return tf.reduce_mean(x)
""",
    "autoencoder": """
w = weights([784, 256], [256, 32], [32, 256], [256, 784]); x = tf.zeros([BATCH * 4, 784])
def loss(x):
    h = x
    for v in w: h = tf.sigmoid(tf.matmul(h, v))
    return tf.reduce_mean(tf.square(h - x))
""",
    "attention": """
w = weights(*[[64, 64]] * 6); x = tf.zeros([BATCH, 64, 64])
def loss(x):
    for i in (0, 3):
        q, k, v = (tf.einsum('bsd,de->bse', x, w[i + j]) for j in range(3))
        x = x + tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True)), v)
    return tf.reduce_mean(x)
""",
    "residual blocks": """
w = weights(*[[256, 256]] * 8); x = tf.zeros([BATCH * 8, 256])
def loss(x):
    for i in range(0, 8, 2):
        x = x + tf.matmul(tf.nn.relu(tf.matmul(x, w[i])), w[i + 1])
    return tf.reduce_mean(tf.square(x))
""",
    "embedding": """
w = weights([20000, 64], [64, 64]); x = tf.zeros([BATCH, 40], tf.int32)
def loss(x):
    return tf.reduce_mean(tf.tanh(tf.matmul(tf.reduce_mean(tf.gather(w[0], x), 1), w[1])))
""",
}
STEPS = {
    "forward": "def step(x):\n    return loss(x)\n",
    "tape": """
def step(x):
    with tf.GradientTape() as tape:
        value = loss(x)
    for v, g in zip(w, tape.gradient(value, w)):
        v.assign_sub(0.01 * tf.convert_to_tensor(g))
""",
}
STEPS["tf.function"] = STEPS["tape"].replace("def step", "@tf.function\ndef step")
RUN = "for _ in range(3):\n    step(x)\n"


def texts():
    return {f"{name}|{kind}|{batch}": HEAD + model.replace("BATCH", str(batch)) + step + RUN
            for name, model in MODELS.items() for kind, step in STEPS.items() for batch in BATCHES}


def memory_events(folder):
    """(bytes asked for, bytes of the chunk) of each allocation in order; negative: given back, also what was
    there before."""
    from tensorflow.tsl.profiler.protobuf import xplane_pb2

    space = xplane_pb2.XSpace()
    [path] = pathlib.Path(folder).glob("**/*.xplane.pb")
    space.ParseFromString(path.read_bytes())
    events = []
    for plane in space.planes:
        for line in plane.lines:
            for event in line.events:
                kind = plane.event_metadata[event.metadata_id].name
                if kind in ("MemoryAllocation", "MemoryDeallocation"):
                    stats = {plane.stat_metadata[stat.metadata_id].name: stat for stat in event.stats}
                    sign = 1 if kind == "MemoryAllocation" else -1
                    asked, chunk = (sign * (stats[name].int64_value or stats[name].uint64_value)
                                    for name in ("requested_bytes", "allocation_bytes"))
                    events.append((line.timestamp_ns * 1000 + event.offset_ps, asked, chunk))
    return [event[1:] for event in sorted(events)]


def peaks(events):
    """The most bytes asked for, and the most bytes of chunks, since the first event."""
    return [max((0, *itertools.accumulate(sizes))) for sizes in zip(*events)] or [0, 0]


def real(path, models):
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="1")
    import gc

    import tensorflow as tf

    tf.config.threading.set_inter_op_parallelism_threads(1)

    def measure(text):
        names = {}
        exec(text, names)  # the steps before, in which a tf.function is traced
        gc.collect()
        tf.config.experimental.reset_memory_stats("CPU:0")
        before = tf.config.experimental.get_memory_info("CPU:0")["current"]
        with tempfile.TemporaryDirectory() as folder:
            tf.profiler.experimental.start(folder)
            names["step"](names["x"])
            tf.profiler.experimental.stop()
            asked, chunks = peaks(memory_events(folder))
        small = tf.config.experimental.get_memory_info("CPU:0")["peak"] - before - chunks
        kept = sum(int(tf.size(one)) * one.dtype.size for one in (*names["w"], names["x"]))
        return kept + asked + max(0, small)

    found = {}
    for key, text in texts().items():
        # TensorFlow takes the kernels of a function in another order from trace to trace: the middle one.
        times = TRACES if "|tf.function|" in key else 1
        found[key] = sorted(measure(text) for _ in range(times))[times // 2]
    with open(path, "w") as out:
        json.dump(found, out)


def ours(folder):
    found = {}
    for key, text in texts().items():
        script = os.path.join(folder, "train.py")
        with open(script, "w") as out:
            out.write(text)
        command = [sys.executable, "-m", "shapeflow", "memory", "--json", "--tf-version", "2.21.0", script]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{key}: {done.stderr}")
        found[key] = json.loads(done.stdout)["peak"]
    return found


def show(told, measured):
    rows = {(name, how): [f"{name}|{how}|{batch}" for batch in BATCHES] for name in MODELS for how in STEPS}
    print_table(rows, told, measured)


if __name__ == "__main__":
    main(__doc__, "--tensorflow", real, ours, show, list(MODELS))
