#!/usr/bin/env python3
"""What a check pays for packages and data that might not be there, where all are there.

    benchmarks/nothing_missing.py

Instructions of a whole `shapeflow check`, all its processes, by valgrind, of programs that lack nothing: as
it is, and with what stands in for absent packages and absent data left out. Exit status 1: more than 1 %.
What follows the files that a check reads is there in both: the cache, which is off here, needs it.
"""
from __future__ import annotations

import compileall
import os
import sys
import tempfile
from pathlib import Path

import loops

import shapeflow

# As the command; the processes that it starts are forks or run the same code. The cyclic collector is off:
# whether one whole collection more falls into a run is chance, and costs as much as 1 %.
BOTH = """
import gc
gc.disable()
gc.enable = lambda: None
import shapeflow.checker.check as check
import shapeflow.checker.dependency_tracker
"""
PLAIN = BOTH + loops.WITHOUT_LOOKING
LEFT_OUT = BOTH + """
check.Checker._complete_imports = lambda self: None
check.Checker._complete_data = lambda self: None
""" + loops.WITHOUT_LOOKING

READS = """
import csv, json, os
import numpy as np
import tensorflow as tf
tf = tf.compat.v1
tf.disable_v2_behavior()
images = np.load("images.npy")
with open("names.json") as file:
    names = json.load(file)
with open("rows.csv") as file:
    rows = [[float(word) for word in row] for row in csv.reader(file)]
x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int64, [None])
logits = tf.matmul(x, tf.Variable(tf.zeros([784, len(names)])))
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(0, len(images), 32):
        labels = np.array([row[0] for row in rows[i:i + 32]], int)
        session.run([train, loss], {x: images[i:i + 32], y: labels})
"""


def write_data(folder: Path) -> None:
    import numpy as np

    np.save(folder / "images.npy", np.zeros([320, 784], np.float32))
    (folder / "names.json").write_text("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]")
    (folder / "rows.csv").write_text("1,2,3\n" * 320)


def main() -> int:
    compileall.compile_dir(str(Path(shapeflow.__file__).parent), quiet=1)  # a sandbox writes no .pyc
    worst = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_data(folder)
        scripts = {"mnist_cnn.py": (loops.ROOT / "examples" / "mnist_cnn.py").read_text(), "reads.py": READS,
                   "empty.py": "import tensorflow as tf\nprint(tf.zeros([2, 3]))\n"}
        for name, text in scripts.items():
            (folder / name).write_text(text)
            loops.WITHOUT_LOOKING = PLAIN
            whole = loops.instructions(folder / name)
            loops.WITHOUT_LOOKING = LEFT_OUT
            bare = loops.instructions(folder / name)
            worst = max(worst, whole / bare - 1)
            print(f"{name:14} {whole:14,} instructions, without stand-ins {bare:14,}: "
                  f"{(whole / bare - 1) * 100:+.2f} %", flush=True)
    return int(worst > 0.01)


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
