"""Single layers that older releases of Keras compute otherwise on one backend: each is run with the same
input and weights on every backend, in a process of its own.

    python benchmarks/old_releases.py ~/k3.0.0/bin/python ~/k3.3.3/bin/python ... [--backends torch,numpy]

prints for each release which backends are apart from the majority, by how much, and what was reported; where
there is no majority, as of two, all of them on one line. The rows are the table of docs/backends.md, which
says what was seen, and which change of Keras ended it. Keras 2.3 has rows of its own (`--backends
tensorflow,theano`): the workers of `shapeflow backends` speak Keras 3.
"""
import argparse
import json
import os
import re
import subprocess
import sys

BACKENDS = ("tensorflow", "jax", "numpy", "torch")
# Keras's class, its parameters, the shape of the input, the public report or change. Inputs are such that
# padding is not even, and for a kernel of 1 that what is left over is two elements: less is cut to none.
SAME = {"padding": "same"}
THREE = {"strides": 3, **SAME}
ROWS = (
    ("AveragePooling2D", {"pool_size": 2, **THREE}, (1, 6, 6, 2), "keras #20774"),
    ("AveragePooling3D", {"pool_size": 1, "strides": 2, **SAME}, (1, 4, 4, 4, 2), "keras #20774"),
    ("ConvLSTM1D", {"filters": 4, "kernel_size": 1, **THREE}, (1, 2, 5, 2), "keras #20774"),
    ("ConvLSTM2D", {"filters": 4, "kernel_size": 2, **THREE}, (1, 2, 6, 6, 2), "keras #20774"),
    ("ConvLSTM3D", {"filters": 2, "kernel_size": 1, **THREE}, (1, 2, 5, 5, 5, 2), "keras #20774"),
    ("DepthwiseConv2D", {"kernel_size": 2, **THREE}, (1, 6, 6, 2), "keras #20774"),
    ("AveragePooling2D", {"pool_size": 3, "strides": 2, **SAME}, (1, 6, 5, 4), "keras #19721, #23233"),
    ("AveragePooling3D", {"pool_size": 3, **SAME}, (1, 5, 4, 4, 2), "keras #19721, #23233"),
    ("AveragePooling2D", {"pool_size": 3, **SAME}, (1, 2, 1, 4), "keras #23233"),
    ("AveragePooling3D", {"pool_size": 3, "strides": 1, **SAME}, (1, 2, 2, 2, 2), "keras #18452"),
    ("UpSampling2D", {"interpolation": "bicubic"}, (1, 4, 4, 2), "jax #15768"),
    ("DepthwiseConv2D", {"kernel_size": 2, "data_format": "channels_first"}, (1, 2, 5, 5), "keras #23031"),
    ("AveragePooling3D", {"pool_size": 1, **THREE}, (1, 6, 6, 6, 2), "tensorflow #14601, keras #20774"),
    ("Conv3D", {"filters": 6, "kernel_size": 1, "data_format": "channels_first"}, (1, 2, 3, 3, 6), ""),
    ("Conv2DTranspose", {"filters": 2, "kernel_size": 3, "strides": 2, **SAME}, (1, 3, 3, 2), "keras #22876"),
    ("Conv1DTranspose", {"filters": 2, "kernel_size": 3, "strides": 2, **SAME}, (1, 3, 2), "keras #22876"),
    ("Conv2DTranspose", {"filters": 2, "kernel_size": 2, **SAME}, (1, 3, 3, 2), "keras #20949"),
    ("CategoryEncoding", {"num_tokens": 4, "output_mode": "one_hot"}, (5, 1), "keras #19724"),
    ("Resizing", {"height": 4, "width": 3, "pad_to_aspect_ratio": True}, (1, 5, 2, 3), "keras #20797"),
    ("LayerNormalization", {"axis": [1]}, (1, 2, 3), "keras #23510"),
    ("ContrastLimitedAdaptiveHistogramEqualization", {}, (1, 8, 8, 3), ""),
)
# Of Keras 2.3.1 on TensorFlow 1.15 and Theano 1.0.5 (Python 3.7).
ROWS_2 = (
    ("AveragePooling2D", {"pool_size": 2, "strides": 1, **SAME}, (1, 5, 5, 2), "keras #13841"),
    ("AveragePooling2D", {"pool_size": 3, "strides": 2, **SAME}, (1, 4, 4, 2), "keras #13841"),
    ("MaxPooling2D", {"pool_size": 2, **THREE}, (1, 6, 6, 2), "keras #13841"),
    ("AveragePooling3D", {"pool_size": 2, "strides": 1, **SAME}, (1, 4, 4, 4, 2), "keras #13841"),
    ("Conv2D", {"filters": 2, "kernel_size": 2, "strides": 2, **SAME}, (1, 5, 5, 2), "keras #9629"),
    ("Conv2DTranspose", {"filters": 2, "kernel_size": 3, "strides": 2, **SAME}, (1, 5, 5, 2), ""),
    ("SeparableConv2D", {"filters": 2, "kernel_size": 3}, (1, 5, 5, 2), ""),
    ("DepthwiseConv2D", {"kernel_size": 2, "strides": 2, **SAME}, (1, 5, 5, 2), ""),
    ("BatchNormalization", {"axis": 1}, (1, 5, 5, 2), ""),
    ("UpSampling2D", {"size": 2, "interpolation": "bilinear"}, (1, 3, 3, 2), ""),
    ("LSTM", {"units": 3}, (1, 5, 4), ""),
    ("GRU", {"units": 3, "unroll": True}, (1, 5, 4), ""),
    ("GRU", {"units": 3, "reset_after": True}, (1, 5, 4), ""),
    ("SimpleRNN", {"units": 3, "go_backwards": True}, (1, 5, 4), ""),
    ("ConvLSTM2D", {"filters": 2, "kernel_size": 2, **SAME}, (1, 3, 4, 4, 2), ""),
    ("PReLU", {"shared_axes": [1]}, (1, 4, 3), ""),
    ("Softmax", {"axis": 1}, (1, 4, 3), ""),
    ("Dense", {"units": 3, "activation": "selu"}, (2, 5), ""),
)
WHOLE = ("CategoryEncoding", "ContrastLimitedAdaptiveHistogramEqualization")  # numbers from 0 on


def compute(backend):
    """In the process of a backend: a line of JSON for each row."""
    os.environ.update(KERAS_BACKEND=backend, TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3",
                      CUDA_VISIBLE_DEVICES="")
    import keras
    import numpy as np

    print(json.dumps(keras.__version__), flush=True)
    of_layer, rows = (output_of, ROWS) if keras.__version__ >= "3" else (output_of_2, ROWS_2)
    for name, parameters, shape, _ in rows:
        chance = np.random.RandomState(0)
        array = chance.randn(*shape).astype("float32")
        if name in WHOLE:
            top = 4 if name == "CategoryEncoding" else 256
            array = chance.randint(0, top, shape).astype("int32" if top == 4 else "float32")
        try:
            output = of_layer(keras, getattr(keras.layers, name), parameters, array, chance)
            made = {"shape": list(output.shape), "values": output.reshape(-1).astype(float).tolist()}
        except Exception as error:
            made = {"raises": in_words(error)}
        print(json.dumps(made), flush=True)


def in_words(error):
    """In a line, without the codes that Keras colours it with."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    said = [line.strip() for line in text.splitlines() if line.strip()]
    told = said[1] if len(said) > 1 and said[0].startswith("Exception enc") else (said or [""])[0]
    return f"{type(error).__name__}: {told[:70]}"


def output_of(keras, kind, parameters, array, chance):
    layer = kind(**parameters)
    layer.build(array.shape)
    if layer.weights:
        layer.set_weights([chance.randn(*weight.shape) for weight in layer.weights])
    return keras.ops.convert_to_numpy(layer(array))


def output_of_2(keras, kind, parameters, array, chance):
    model = keras.models.Sequential([kind(batch_input_shape=array.shape, **parameters)])
    model.set_weights([abs(chance.randn(*weight.shape)) for weight in model.get_weights()])
    return model.predict(array, batch_size=len(array))


def results_of(python, backends):
    """The release, and {backend: results of the rows}."""
    release, found = "", {}
    for backend in backends:
        done = subprocess.run([python, os.path.abspath(__file__), "--compute", backend],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line[:1] in '{"']
        if lines:
            release, found[backend] = lines[0], lines[1:]
    return release, found


def distance(one, other):
    """None: they cannot be compared; else relative to the largest number."""
    if "raises" in one or "raises" in other or one["shape"] != other["shape"]:
        return None
    largest = max(1e-30, *map(abs, other["values"]))
    return max(abs(a - b) for a, b in zip(one["values"], other["values"])) / largest


def verdict(rows):
    """{backend: in words} of those that are apart from more than half of what is computed; all together
    where no such half agrees, as of two backends: none of them is the one that is off."""
    def close(one, other):
        gap = distance(one, other)
        return gap is not None and gap < 1e-3

    def agreeing(one):
        return sum(close(one, other) for other in computed.values())

    told = {backend: "raises " + row["raises"] for backend, row in rows.items() if "raises" in row}
    computed = {backend: row for backend, row in rows.items() if backend not in told}
    if not computed:
        return {}
    most = max(computed.values(), key=agreeing)
    shapes = {str(tuple(row["shape"])): None for row in computed.values()}
    if agreeing(most) * 2 <= len(computed):
        gaps = [distance(row, most) for row in computed.values()]
        words = f"shapes {', '.join(shapes)}" if len(shapes) > 1 else f"apart by {max(gaps):.3g}"
        return {**told, ", ".join(computed): f"{words}, without a majority"}
    for backend, row in computed.items():
        if row["shape"] != most["shape"]:
            told[backend] = f"shape {tuple(row['shape'])} for {tuple(most['shape'])}"
        elif not close(row, most):
            told[backend] = f"off by {distance(row, most):.3g}"
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pythons", nargs="*")
    parser.add_argument("--backends", default=",".join(BACKENDS))
    parser.add_argument("--compute", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.compute:
        compute(arguments.compute)
        return
    for python in arguments.pythons:
        release, found = results_of(python, arguments.backends.split(","))
        print(f"Keras {release}, {', '.join(found)}")
        for place, (name, parameters, shape, report) in enumerate(ROWS if release >= "3" else ROWS_2):
            rows = {backend: rows[place] for backend, rows in found.items() if place < len(rows)}
            for backend, words in (verdict(rows) if len(rows) > 1 else {}).items():
                given = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
                print(f"  {name}({given}) of {shape}, {backend}: {words} [{report or 'no report'}]")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
