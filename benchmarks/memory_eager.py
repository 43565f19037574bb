"""Peak memory of eager code and of tf.function: ours against what TensorFlow's CPU allocator was asked for.

    python benchmarks/memory_eager.py --tensorflow PYTHON      prints the table of docs/memory.md

With oneDNN on, which it is by default, TensorFlow's CPU allocator (MklCPUAllocator) is a BFC allocator, as
that of a GPU is, and tf.profiler records each of its allocations and deallocations: the bytes that a kernel
asked for, and those of the chunk that it got, which is up to twice as large. The sum of what was asked for
over one step, its peak, beside the variables and data from before the step, is compared with ours. Buffers
below 256 KiB come from another allocator, of which only the peak is known
(tf.config.experimental.get_memory_info of both, less the chunks): it is added. So are the constants that a
tf.function keeps from its first call on (the gradient of a mean, where the batch is known): what that call
asked for and did not give back. With TF_ENABLE_ONEDNN_OPTS=0 there are no such statistics.
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
RUN = "for _ in range(3):\n    step(x)\n"  # in which a tf.function is traced


def texts(run=RUN):
    return {f"{name}|{kind}|{batch}": HEAD + model.replace("BATCH", str(batch)) + step + run
            for name, model in MODELS.items() for kind, step in STEPS.items() for batch in BATCHES}


def memory_events(folder):
    """(address, op, bytes asked for, bytes of the chunk) of each allocation in order; negative: given back,
    also what was there before."""
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
                    address = stats["addr"].uint64_value or stats["addr"].int64_value
                    op = stats.get("tf_op")
                    name = plane.stat_metadata[op.ref_value].name if op is not None else ""
                    events.append((line.timestamp_ns * 1000 + event.offset_ps, address, name, asked, chunk))
    return sorted(events)


def peak_of(sizes):
    """The most of their sums since the first one."""
    return max((0, *itertools.accumulate(sizes)))


def asked_by(events, begins):
    """Bytes asked for and given back, in order, by ops whose names begin so."""
    owner = {}
    for _, address, name, asked, _ in events:
        if asked > 0:
            owner[address] = name
        if owner.get(address, begins).startswith(begins):  # what was there before is no pipeline's
            yield asked
        if asked < 0:
            owner.pop(address, None)


def recorded(run):
    """The events of what `run` does."""
    import gc

    import tensorflow as tf

    with tempfile.TemporaryDirectory() as folder:
        tf.profiler.experimental.start(folder)
        run()
        gc.collect()
        tf.profiler.experimental.stop()
        return memory_events(folder)


def measured_peak(text, kept, begins="", warming=""):
    """Bytes at the peak of `step(x)` of a program, with what kept(its names) holds from before, of ops whose
    names begin so. `warming`: the calls before, of which nothing is kept but what TensorFlow keeps."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="1")
    import gc

    import tensorflow as tf

    if tf.config.threading.get_inter_op_parallelism_threads() != 1:
        tf.config.threading.set_inter_op_parallelism_threads(1)
    names = {}
    exec(text, names)
    gc.collect()
    constants = sum(event[3] for event in recorded(lambda: exec(warming, names))) if warming else 0
    tf.config.experimental.reset_memory_stats("CPU:0")
    before = tf.config.experimental.get_memory_info("CPU:0")["current"]
    events = recorded(lambda: names["step"](names["x"]))
    asked, chunks = peak_of(asked_by(events, begins)), peak_of(event[4] for event in events)
    small = tf.config.experimental.get_memory_info("CPU:0")["peak"] - before - chunks
    return sum(one.nbytes if hasattr(one, 'nbytes') else int(tf.size(one)) * one.dtype.size
               for one in kept(names)) + asked + max(0, small) + max(0, constants)


def real(path, models):
    found = {}
    for key, text in texts("").items():
        # TensorFlow takes the kernels of a function in another order from trace to trace: the middle one.
        times = TRACES if "|tf.function|" in key else 1
        all_ = sorted(measured_peak(text, lambda names: (*names["w"], names["x"]), warming=RUN)
                      for _ in range(times))
        found[key] = all_[times // 2]
    with open(path, "w") as out:
        json.dump(found, out)


def ours_of(folder, programs, *options):
    found = {}
    for key, text in programs.items():
        script = os.path.join(folder, "train.py")
        with open(script, "w") as out:
            out.write(text)
        command = [sys.executable, "-m", "shapeflow", "memory", "--json", "--tf-version", "2.21.0", *options,
                   script]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{key}: {done.stderr}")
        found[key] = json.loads(done.stdout)["peak"]
    return found


def ours(folder):
    return ours_of(folder, texts())


def show(told, measured):
    rows = {(name, how): [f"{name}|{how}|{batch}" for batch in BATCHES] for name in MODELS for how in STEPS}
    print_table(rows, told, measured)


if __name__ == "__main__":
    main(__doc__, "--tensorflow", real, ours, show, list(MODELS))
