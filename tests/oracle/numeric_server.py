"""Run by real TensorFlow: graphs of numeric_graphs.py on random content that keeps to what is claimed of it.

Reads a list of graphs a line (JSON), runs each `runs` times, answers with what lies outside of its claims.
"""
import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

NAN, PINF, NINF, ZERO, INTEGERS, NO_MINUS_ZERO = 1, 2, 4, 8, 16, 32


def content(np, rng, item):
    """Elements of [lo, hi], its ends often, and what else the flags allow."""
    lo, hi, flags, shape = item["lo"], item["hi"], item["flags"], item["shape"]
    dtype = DTYPES[item["dtype"]].as_numpy_dtype
    way = rng.random()
    x = rng.uniform(lo, hi, shape) if abs(hi - lo) < 1e300 else rng.choice([lo, hi], shape)
    if way < 0.3:
        x = rng.choice([lo, hi], shape)
    elif way < 0.5:  # of all magnitudes
        x = np.where(rng.random(shape) < 0.5, lo, hi) * 2.0 ** -rng.integers(0, 30, shape)
    x = np.asarray(x, "float64")
    if flags & INTEGERS:
        x = np.rint(x)
    if flags & ZERO and rng.random() < 0.4:
        x = np.where(rng.random(shape) < 0.4, 0.0, x)
    with np.errstate(all="ignore"):
        x = np.clip(np.asarray(np.asarray(x).astype(dtype), "float64"), lo, hi)
    if not flags & ZERO:
        is_small = abs(x) < LEAST[item["dtype"]] if LEAST[item["dtype"]] else x == 0
        x = np.where(is_small & ((x == 0) | ((x != lo) & (x != hi))), hi if hi else lo, x)
    for flag, value in ((NAN, np.nan), (PINF, np.inf), (NINF, -np.inf)):
        if flags & flag and rng.random() < 0.5:
            x = np.where(rng.random(shape) < 0.3, value, x)
    return np.asarray(x).astype(dtype)


def outside(np, values, claim):
    """The first element that the claim leaves out, as text; None: there is none."""
    lo, hi, flags = claim
    if values.dtype == bool:
        values = values.astype("float64")
    if values.dtype.kind in "iu":
        x, finite = values.astype("float64"), np.ones(values.shape, bool)
    elif values.dtype.kind == "f" or values.dtype.name == "bfloat16":
        x = values.astype("float64")
        finite = np.isfinite(x)
    else:
        return None
    if finite.dtype == bool and flags & ZERO and lo <= 0 <= hi and values.dtype.kind not in "iu":
        x = np.where(finite & (abs(x) < LEAST[values.dtype.name]), 0.0, x)  # subnormals: kept, or flushed
    bad = [("NaN", np.isnan(x) & (not flags & NAN)), ("inf", np.isposinf(x) & (not flags & PINF)),
           ("-inf", np.isneginf(x) & (not flags & NINF)), (None, finite & ((x < lo) | (x > hi))),
           ("0", (x == 0) & (not flags & ZERO)),
           ("-0", (x == 0) & np.signbit(x) & bool(flags & NO_MINUS_ZERO)),
           (None, finite & (x != np.rint(np.where(finite, x, 0))) & bool(flags & INTEGERS))]
    for name, mask in bad:
        if mask.any():
            return name or repr(float(x[mask].flat[0]))
    return None


def run(tf, np, graph, rng, refused):
    """(operations run, violation or None)."""
    tensors, done = [], 0
    for item in graph["items"]:
        if "op" not in item:
            value = item["constant"] if "constant" in item else content(np, rng, item)
            tensors.append(tf.constant(value, DTYPES[item["dtype"]], shape=item["shape"]))
            continue
        given = {k: [tensors[i] for i in v] if isinstance(v, list) else tensors[v]
                 for k, v in item["args"].items()}
        flat = [t for v in given.values() for t in (v if isinstance(v, list) else [v])]
        if any(t is not None and 0 in t.shape for t in flat):
            return done, None  # numbers that are computed of none are not claimed
        made = None
        if all(t is not None for t in flat):
            attrs = {k: DTYPES.get(v, v) if k == "DstT" else v for k, v in item["attrs"].items()}
            try:
                made = getattr(tf.raw_ops, item["op"])(**given, **attrs)
            except Exception as error:  # no kernel of the dtype, or another graph than was meant
                refused[item["op"]] = str(error).partition("\n")[0][:120]
        made = [None] * item["outputs"] if made is None else \
            list(made) if isinstance(made, (list, tuple)) else [made]
        done += made[0] is not None
        tensors += made
        if item["op"] == "MaxPool" and made[0] is not None and not np.isfinite(given["input"].numpy()).all():
            return done, None  # of a window of NaN or -inf alone the kernel gives the least number
        for k, (tensor, claim) in enumerate(zip(made, item["claims"])):
            found = outside(np, tensor.numpy(), claim) if tensor is not None else None
            if found is not None:
                return done, {"seed": graph["seed"], "op": item["op"], "output": k, "value": found,
                              "dtype": tensor.dtype.name, "claim": claim,
                              "inputs": [f"{t.dtype.name}{t.shape.as_list()} {t.numpy().tolist()}"[:200]
                                         for t in flat]}
    return done, None


def main():
    import numpy as np
    import tensorflow as tf

    DTYPES.update({name: getattr(tf, name) for name in (
        "float16", "bfloat16", "float32", "float64", "int32", "int64", "bool")})
    print(json.dumps({"version": tf.__version__}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        violations, operations, refused = [], 0, {}
        for graph in request["graphs"]:
            for k in range(request["runs"]):
                with np.errstate(all="ignore"):
                    done, found = run(tf, np, graph, np.random.default_rng([graph["seed"], k]), refused)
                operations += done
                if found is not None:
                    violations.append(dict(found, run=k))
                    break
        print(json.dumps({"violations": violations, "operations": operations, "refused": refused}),
              flush=True)


DTYPES = {}
LEAST = {"bool": 0, "float16": 0, "float32": 2.0 ** -126, "bfloat16": 2.0 ** -126, "float64": 2.0 ** -1022}

if __name__ == "__main__":
    main()
