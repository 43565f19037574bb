"""Peak memory of eager code and of tf.function on a real GPU: ours against TensorFlow's allocator there.

    python benchmarks/memory_gpu.py --tensorflow PYTHON      a Python with TensorFlow and CUDA

What tf.config.experimental.get_memory_info says of the step, variables and data included, is compared with
ours, convolutions' workspace aside. Without a GPU it says so and compares nothing. $SHAPEFLOW_MEMORY_ON=CPU:0
has the same done with the CPU's allocator, whose chunks are up to twice as large as what was asked for: that
runs every line of it, and says nothing of a GPU.
"""
from __future__ import annotations

import gc
import json
import os
import sys

from memory_eager import BATCHES, MODELS, ours_of, texts
from memory_table import main, print_table

DEVICE = os.environ.get("SHAPEFLOW_MEMORY_ON", "GPU:0")
SKIPPED = f"SKIPPED ALOUD: TensorFlow sees no {DEVICE}: nothing is compared with it"


def peak_on(text):
    """Bytes that the allocator of DEVICE held at the peak of step(x)."""
    import tensorflow as tf

    names = {}
    with tf.device(DEVICE):
        exec(text, names)  # the steps before, in which a tf.function is traced
        gc.collect()
        tf.config.experimental.reset_memory_stats(DEVICE)
        before = tf.config.experimental.get_memory_info(DEVICE)["current"]
        names["step"](names["x"])
    held = sum(int(tf.size(one)) * one.dtype.size for one in (*names["w"], names["x"]))
    return held + tf.config.experimental.get_memory_info(DEVICE)["peak"] - before


def real(path, models):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    names = [device.name for device in tf.config.list_logical_devices(DEVICE.partition(":")[0])]
    found = {}
    if any(name.endswith(DEVICE) for name in names):
        for gpu in tf.config.list_physical_devices("GPU"):
            details = tf.config.experimental.get_device_details(gpu)
            print("on", details, "TensorFlow", tf.__version__, flush=True)
        found = {key: peak_on(text) for key, text in texts().items() if key.partition("|")[0] in models}
    with open(path, "w") as out:
        json.dump(found, out)


def show(told, measured):
    if not measured:
        print(SKIPPED)
        return
    kinds = dict.fromkeys(key.rpartition("|")[0] for key in measured)
    print_table({tuple(kind.split("|")): [f"{kind}|{batch}" for batch in BATCHES] for kind in kinds},
                told(measured), measured)


def ours(folder):
    """What is asked of us only where there is something to compare with; buffers are rounded as a GPU's."""
    def told(measured):
        every = texts()
        return ours_of(folder, {key: every[key] for key in measured}, "--device", "a100-80gb")
    return told


if __name__ == "__main__":
    chosen = [name for name in sys.argv[1:] if name in MODELS]
    main(__doc__, "--tensorflow", real, ours, show, chosen or list(MODELS))
