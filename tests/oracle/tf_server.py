"""Answers for real TensorFlow: reads one JSON request a line, writes one JSON answer a line.

    {"evaluate": [case, ...]}             ->  [result, ...]
    {"eager": [case, ...]}                ->  [result, ...]; "content": true when other content has no error
    {"keras": [case, ...]}                ->  [result, ...] of TensorFlow 2's names, eagerly, on zeros
    {"signatures": [name, ...], "version": 1 or 2}  ->  {name: parameters, None, or "missing"}
"""
import json
import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever TensorFlow prints is no answer

import numpy as np  # noqa: E402
import tensorflow  # noqa: E402
from evaluate import evaluate, evaluate_eagerly, lookup, signature  # noqa: E402

tensorflow.get_logger().setLevel("ERROR")


def _eagerly(case):
    random = np.random.default_rng(1)

    def drawn(dtype, shape, name):
        return tensorflow.cast(random.uniform(0, 3 if "int" in dtype else 1, shape) > 0.5
                               if dtype == "bool" else random.uniform(0, 3, shape), dtype)

    def zeros(dtype, shape, name):
        return tensorflow.zeros(shape, dtype)

    found = evaluate_eagerly(tensorflow.compat.v1, case, drawn)
    if "error" in found:
        other = evaluate_eagerly(tensorflow.compat.v1, case, zeros)
        found["content"] = other.get("message") != found["message"]
    return found


def answer(request):
    if "eager" in request:
        return [_eagerly(case) for case in request["eager"]]
    if "keras" in request:
        return [evaluate_eagerly(tensorflow, case, lambda dtype, shape, name: tensorflow.zeros(shape, dtype))
                for case in request["keras"]]
    if "evaluate" in request:
        return [evaluate(tensorflow.compat.v1, case) for case in request["evaluate"]]
    root = tensorflow.compat.v1 if request["version"] == 1 else tensorflow
    found = {}
    for name in request["signatures"]:
        try:
            found[name] = signature(lookup(root, name))
        except AttributeError:
            found[name] = "missing"
    return found


print(json.dumps({"version": tensorflow.__version__}), file=answers, flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), file=answers, flush=True)
