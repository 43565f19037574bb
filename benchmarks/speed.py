#!/usr/bin/env python3
"""Speed against real TensorFlow in one run, as ratios.

    benchmarks/speed.py [--tensorflow PYTHON] [--repeat N]

Prints: what `import` adds to a bare interpreter (time, resident memory), microseconds to add an op to
a graph, for an eager op, for a repeated session.run of a training step, and for a whole check from
process start to the finding. With --tensorflow the same work is done by that interpreter's
TensorFlow right after, and the ratio is printed. Medians of N (default 5) fresh processes.
"""
from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict, List, Optional, Tuple

HERE = Path(__file__).resolve().parent
FIGURE_2 = HERE.parent / "tests" / "programs" / "cases" / "softmax_regression_wrong_width.py"

_IMPORT = """
import resource, sys, time
def resident():
    with open('/proc/self/statm') as f:
        return int(f.read().split()[1]) * resource.getpagesize() / 1e6
before, start = resident(), time.perf_counter()
import {module}
print((time.perf_counter() - start) * 1e3, resident() - before)
"""

_GRAPH = """
import time
import {module} as tf
{v1}
n = {n}
a = tf.placeholder(tf.float32, [None, 64]); w = tf.placeholder(tf.float32, [64, 64])
shape = tf.constant([-1, 8, 8])
tf.add(a, a); tf.nn.relu(a); tf.matmul(a, w); tf.reshape(a, shape)
best = []
for work in (lambda: tf.add(a, a), lambda: tf.nn.relu(a), lambda: tf.matmul(a, w),
             lambda: tf.reshape(a, shape)):
    start = time.perf_counter()
    for _ in range(n):
        work()
    best.append((time.perf_counter() - start) / n * 1e6)
print(sum(best) / len(best), *best)
"""

_EAGER = """
import time
import {module} as tf
n = {n}
a = tf.ones([4, 64]); w = tf.ones([64, 64]); shape = tf.constant([-1, 8, 8])
best = []
for work in (lambda: tf.add(a, a), lambda: tf.nn.relu(a), lambda: tf.matmul(a, w),
             lambda: tf.reshape(a, shape)):
    work()
    start = time.perf_counter()
    for _ in range(n):
        work()
    best.append((time.perf_counter() - start) / n * 1e6)
print(sum(best) / len(best), *best)
"""

_RUN = """
import time
import numpy as np
import {module} as tf
{v1}
x = tf.placeholder(tf.float32, [None, 784]); y = tf.placeholder(tf.float32, [None, 10])
w = tf.Variable(tf.zeros([784, 10])); b = tf.Variable(tf.zeros([10]))
logits = tf.matmul(x, w) + b
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))
step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
xs, ys = np.zeros([16, 784], np.float32), np.zeros([16, 10], np.float32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        sess.run([step, loss], {{x: xs, y: ys}})
    start = time.perf_counter()
    for _ in range({n}):
        sess.run([step, loss], {{x: xs, y: ys}})
    print((time.perf_counter() - start) / {n} * 1e6)
"""

_V1 = "tf = tf.compat.v1; tf.disable_v2_behavior()"


def measure(python: str, program: str, repeat: int) -> List[float]:
    """Medians of the numbers that `program` prints, over fresh processes."""
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    rows = []
    for _ in range(repeat):
        done = subprocess.run([python, "-c", program], capture_output=True, text=True, check=True,
                              env=environment)
        rows.append([float(word) for word in done.stdout.split()])
    return [statistics.median(column) for column in zip(*rows)]


def whole_check(python: str, repeat: int) -> float:
    """Seconds from process start to the finding of the figure 2 program."""
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        done = subprocess.run([python, "-m", "shapeflow", "check", "--no-cache",
                               "--no-suggestions", str(FIGURE_2)],
                              capture_output=True, check=False)
        seconds.append(time.perf_counter() - start)
        assert done.returncode == 1, done
    return statistics.median(seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tensorflow", metavar="PYTHON")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    ours, real = sys.executable, options.tensorflow

    def compare(title: str, unit: str, target: float, program: Tuple[str, Dict[str, object]],
                counts: Tuple[int, int], column: int = 0) -> None:
        text, more = program
        mine = measure(ours, text.format(module="shapeflow", n=counts[0], **more), options.repeat)
        row = f"{title:44} {mine[column]:9.2f} {unit:3} (target {target:g})"
        theirs: Optional[List[float]] = None
        if real:
            theirs = measure(real, text.format(module="tensorflow", n=counts[1], **more),
                             max(1, options.repeat // 2))
            ratio = theirs[column] / max(mine[column], 1e-9)
            row += f"   tensorflow {theirs[column]:10.2f}   ratio {ratio:8.1f}"
        print(row, flush=True)

    v1 = {"v1": _V1}
    compare("import, time added", "ms", 10, (_IMPORT, {}), (0, 0))
    compare("import, memory added", "MB", 8, (_IMPORT, {}), (0, 0), column=1)
    compare("graph op (add, relu, matmul, reshape), mean", "us", 1, (_GRAPH, v1), (50000, 300))
    compare("eager op (add, relu, matmul, reshape), mean", "us", 0.6, (_EAGER, {}), (200000, 3000))
    compare("session.run of a training step, repeated", "us", 3, (_RUN, v1), (100000, 2000))
    seconds = whole_check(ours, options.repeat)
    print(f"{'whole check of the figure 2 program':44} {seconds:9.3f} s   (target 0.15)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
