"""Peak memory of a step: ours against TensorFlow's own record of its allocations, on a CPU.

    python benchmarks/memory.py --tf115 PYTHON [MODEL...]      prints the table of docs/memory.md

TensorFlow runs each model in a process of its own with FULL_TRACE; the allocation records of RunMetadata, in
the order of their times, give the highest sum of what the step holds beside variables and feeds. Which of
several branches runs first is not the same in each session there: small models run in five, of which the
median counts.
"""
from __future__ import annotations

import json
import os
import sys

from memory_models import LARGE, MODELS, batches_of, built, feeds_of
from memory_table import main, print_table

SESSIONS = 5


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


def real(path, models):
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    found = {}
    for name in models:
        for _ in range(1 if name in LARGE else SESSIONS):
            with tf.Graph().as_default() as graph:
                ops = built(tf, name)
                config = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
                with tf.Session(config=config) as session:
                    session.run(tf.global_variables_initializer())
                    for op, kind in zip(ops, ("forward", "training")):
                        for batch in batches_of(name):
                            metadata = tf.RunMetadata()
                            session.run(op, feeds_of(graph, batch), tf.RunOptions(trace_level=3), metadata)
                            found.setdefault(f"{name}|{kind}|{batch}", []).append(_held(metadata))
    with open(path, "w") as out:
        json.dump({key: sorted(peaks)[len(peaks) // 2] for key, peaks in found.items()}, out)


def ours(models):
    import shapeflow as tf
    from shapeflow.tensorflow.compat import version_detection

    version_detection.activate("1.15.0", "graph")
    found = {}
    for name in models:
        with tf.Graph().as_default() as graph:
            ops = built(tf, name)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                for op, kind in zip(ops, ("forward", "training")):
                    for batch in batches_of(name):
                        memory = session.memory(op, feeds_of(graph, batch))
                        parts = memory["parts"]
                        found[f"{name}|{kind}|{batch}"] = parts["activations"] + parts["gradients"]
    return found


def show(told, measured):
    keys = [key.split("|") for key in told]
    rows = {(name, kind): [f"{name}|{kind}|{batch}" for batch in batches_of(name)] for name, kind, _ in keys}
    print_table(rows, told, measured)


if __name__ == "__main__":
    chosen = [name for name in sys.argv[1:] if name in MODELS]
    main(__doc__, "--tf115", real, lambda folder: ours(chosen or MODELS), show, chosen or list(MODELS))
