"""`shapeflow backends` with the frameworks that are installed: what is planted in one is found, and nothing
else; without any these tests are skipped."""
import importlib.util
import json
import re
import subprocess
import sys

import numpy as np
import pytest

from shapeflow import worker_process
from shapeflow.backends import comparing, configs, genetic, opening, process, reduce, results
from test_backends import functional, told


def installed(name):
    return importlib.util.find_spec("keras") is not None and importlib.util.find_spec(name) is not None


PLANTS = """
import os
ops, layers = keras.ops, keras.layers
pool = layers.AveragePooling2D.call
def padded(self, x):  # the last column is of the padding
    made = pool(self, x)
    last = ops.arange(made.shape[2])[:, None] == made.shape[2] - 1
    return made * ops.where(last, 0.5, 1.0) if self.padding == "same" else made
layers.AveragePooling2D.call = padded
old_init = layers.BatchNormalization.__init__
def init(self, **given):
    old_init(self, **{**given, "epsilon": 0.1})
layers.BatchNormalization.__init__ = init
from keras.src.layers.rnn.simple_rnn import SimpleRNNCell
step = SimpleRNNCell.call
def call(self, sequence, states, training=False):
    if not hasattr(self, "_was"):
        self._was = True
        self.recurrent_kernel.assign(ops.transpose(self.recurrent_kernel))
    return step(self, sequence, states, training=training)
SimpleRNNCell.call = call
largest = layers.GlobalMaxPooling2D.call
layers.GlobalMaxPooling2D.call = lambda self, x: largest(self, x) * float("nan")
# The gradient at 0 is 1; what is computed is the same.
layers.ReLU.call = lambda self, x: ops.where(x >= 0, x, ops.zeros_like(x))
# These two are seen of large numbers alone, and where a parameter is not at its default.
elu, slopes = layers.ELU.call, layers.PReLU.call
layers.ELU.call = lambda self, x: elu(self, ops.clip(x, -9.0, 9.0) if self.alpha != 1 else x)
def prelu(self, x):
    if self.shared_axes is None:
        return slopes(self, x)
    return ops.maximum(x, 0.0) + ops.clip(self.alpha, -4.0, 4.0) * ops.minimum(x, 0.0)
layers.PReLU.call = prelu
layers.Permute.call = lambda self, x: os.abort()
layers.RepeatVector.call = lambda self, x: ops.repeat(x[:, None], self.n + 1, axis=1)
entropy = keras.losses.binary_crossentropy
keras.losses.BinaryCrossentropy.call = lambda self, y, p: entropy(y, ops.clip(p, 0.2, 0.8))
"""


IMAGE = [None, 4, 4, 2]
PLANTED = [  # what is planted, the layers, the loss; kind, phase and layer that must be named
    ("padding", [("AveragePooling2D", {"pool_size": 2, "strides": 1, "padding": "same"}), ("Flatten", {}),
                 ("Dense", {"units": 3})], IMAGE, "mse", ("inconsistent", "forward", "averagepooling2d")),
    ("epsilon", [("BatchNormalization", {"epsilon": 0.001}), ("Flatten", {})], IMAGE, "mse",
     ("inconsistent", "forward", "batchnormalization")),
    ("epsilon behind bfloat16", [("Activation", {"activation": "tanh", "dtype": "bfloat16"}),
                                 ("BatchNormalization", {"epsilon": 0.001})], IMAGE, "mse",
     ("inconsistent", "forward", "batchnormalization")),
    ("transposed", [("SimpleRNN", {"units": 3}), ("Dense", {"units": 2})], [None, 4, 3], "mse",
     ("inconsistent", "forward", "simplernn")),
    ("nan", [("GlobalMaxPooling2D", {}), ("Dense", {"units": 2})], IMAGE, "mse",
     ("nan", "forward", "globalmaxpooling2d")),
    ("slope", [("ZeroPadding2D", {}), ("ReLU", {}), ("Flatten", {}), ("Dense", {"units": 2})], IMAGE, "mse",
     ("inconsistent", "backward", "relu")),
    ("slope of a mean of many", [("ZeroPadding2D", {}), ("ReLU", {})], [None, 16, 16, 8], "mse",
     ("inconsistent", "backward", "relu")),
    ("crash", [("Conv2D", {"filters": 2, "kernel_size": 2}), ("Permute", {"dims": [2, 1, 3]})], IMAGE, "mse",
     ("crash", "forward", "permute")),
    ("clip", [("Dense", {"units": 2, "activation": "sigmoid"})], [None, 3], "BinaryCrossentropy",
     ("inconsistent", "loss", "BinaryCrossentropy")),
]


@pytest.fixture(scope="module")
def real_backends():
    """A backend that is installed, from which others with something planted are made; it stays warm. JAX
    is the last choice: it compiles each operation of a new shape, which takes three times as long."""
    name = next((name for name in ("tensorflow", "torch", "jax") if installed(name)), None)
    if name is None:
        pytest.skip("no framework that Keras 3 runs on with gradients is installed here")
    backend = process.Backend(name, sys.executable, seconds=120)
    if not backend.is_there():
        pytest.skip(backend.missing)
    yield backend
    backend.close()


@pytest.fixture(scope="module")
def planted(real_backends, tmp_path_factory):
    """The same framework with all of PLANTS: one process, and one more after the crash."""
    first = tmp_path_factory.mktemp("plants") / "plants.py"
    first.write_text(PLANTS)
    backend = process.Backend(real_backends.name + ":planted", sys.executable, seconds=120, first=str(first))
    yield backend
    backend.close()


def opened(tmp_path, config, backend, loss=None):
    path = tmp_path / "m.json"
    path.write_text(json.dumps(config))
    return opening.case_of(str(path), config, str(tmp_path / "case"), [backend], False, 0, None, loss)


@pytest.mark.parametrize("layers, inputs, loss, expected", [row[1:] for row in PLANTED],
                         ids=[row[0] for row in PLANTED])
def test_what_is_planted_in_a_backend_is_found(
    tmp_path, real_backends, planted, layers, inputs, loss, expected
):
    """And nothing of what else is planted: the layers after it are right."""
    one = opened(tmp_path, functional(layers, inputs), real_backends, loss)
    document = comparing.compare(one, [real_backends, planted], comparing.Settings())
    assert [row[:3] for row in told(document)] == [expected], document["findings"]
    assert planted.label in document["findings"][0]["backends"]


def test_a_far_larger_gradient_of_another_path_hides_nothing(tmp_path, real_backends, planted):
    """ReLU's is 1 at 0 there; what comes back to the padding before it is 1e10 times as large."""
    given = [configs.tensor("pad", [None, 6, 6, 2], "float32")]
    rows = [configs.input_row("x", IMAGE, "float32"),
            configs.called(configs.layer_config("ZeroPadding2D", {"name": "pad"}),
                           [configs.tensor("x", IMAGE, "float32")]),
            configs.called(configs.layer_config("ReLU", {"name": "relu"}), given),
            configs.called(configs.layer_config("Rescaling", {"name": "large", "scale": 1e6,
                                                             "offset": 0.0}), given)]
    config = configs.functional("m", rows, ["x"], [("relu", 0), ("large", 0)])
    document = comparing.compare(opened(tmp_path, config, real_backends), [real_backends, planted],
                                 comparing.Settings())
    assert [row[:3] for row in told(document)] == [("inconsistent", "backward", "relu")]
    with np.load(tmp_path / "case" / f"{real_backends.label}.npz") as data:
        both = data["gu/relu/0"].astype("f8") + data["gu/large/0"]
        assert np.allclose(both, data["g/pad/0"], rtol=1e-5)
        assert np.abs(data["gu/large/0"]).max() > 1e8 * np.abs(data["gu/relu/0"]).max() > 0


def test_the_parameter_of_what_is_planted_is_named_and_scripts_replay_it(tmp_path, real_backends, planted):
    name, layers, inputs, loss, _ = PLANTED[0]
    both = [real_backends, planted]
    one = opened(tmp_path, functional(layers, inputs), real_backends, loss)
    document = comparing.compare(one, both, comparing.Settings())
    defaults = {"AveragePooling2D": {"pool_size": None, "strides": None, "padding": "valid"}}
    (finding,) = document["findings"]
    small = reduce.reduced(one, finding, document, both, comparing.Settings(), defaults, str(tmp_path / "s"))
    assert small["blame"] == ["padding='valid'"]
    folder = tmp_path / "finding"
    results.write(str(folder), results.files(small["case"], small["finding"], small["document"]))
    script = folder / f"replay_{real_backends.name}.py"
    for phase in comparing.PHASES:  # one start for the three
        text = results.script(small["case"], {**finding, "phase": phase}, real_backends.name, {})
        (folder / f"{phase}.py").write_text(text)
    code = "import runpy, sys; [runpy.run_path(path) for path in sys.argv[1:]]"
    files = [script, *(folder / f"{phase}.py" for phase in comparing.PHASES)]
    done = subprocess.run([sys.executable, "-c", code, *map(str, files)], capture_output=True, text=True,
                          env=worker_process.environment())
    assert done.returncode == 0, done.stderr
    with np.load(small["case"].folder + f"/{real_backends.label}.npz") as data:
        outputs, slope = data["f/averagepooling2d/0"], data["gx/0"]
    sums = [float(word) for word in re.findall(r"float32 sum (\S+)", done.stdout)]
    assert sums == pytest.approx([float(outputs.sum())] * 2, rel=1e-4)
    backward = done.stdout.rpartition("loss ")[2]
    numbers = [float(word) for word in re.findall(r"-?\d+\.\d+(?:e[-+]\d+)?", backward)]
    assert min(abs(number - float(slope.reshape(-1)[0])) for number in numbers[1:]) < 1e-5

SEARCHED = [  # what changes, a layer that is right at first, the inputs; the parameter that must be named
    ("network", ("AveragePooling2D", {"pool_size": 2, "strides": 1, "padding": "valid"}), IMAGE,
     "padding='valid'"),
    ("input", ("ELU", {"alpha": 0.5}), [None, 6], "alpha=1.0"),
    ("weight", ("PReLU", {"shared_axes": [1]}), [None, 4, 6], "shared_axes=None"),
    ("both", ("PReLU", {"shared_axes": [1]}), [None, 4, 6], "shared_axes=None"),
    ("both", ("ELU", {"alpha": 0.5}), [None, 6], "alpha=1.0"),
]


@pytest.mark.parametrize("change, layer, inputs, blamed", SEARCHED)
def test_the_search_finds_what_is_planted_and_names_its_parameter(
    tmp_path, real_backends, planted, change, layer, inputs, blamed
):
    """In a model that shows nothing before its parameters, inputs or weights change."""
    both = [real_backends, planted]
    one = opened(tmp_path, functional([layer, ("Flatten", {})], inputs), real_backends)
    settings = comparing.Settings(["forward"])
    assert comparing.compare(one, both, settings)["findings"] == []
    defaults = {"AveragePooling2D": {"padding": "valid"}, "ELU": {"alpha": 1.0},
                "PReLU": {"shared_axes": None}}

    class Found(Exception):
        """The first is enough."""

    def judge(variant):
        document = comparing.compare(variant, both, settings)
        return genetic.fitness(document, "differ"), document["findings"], document

    def found(variant, finding, document):
        small = reduce.reduced(variant, finding, document, both, settings, defaults, str(tmp_path / "small"))
        raise Found(small["finding"]["class"], small["blame"])

    search = genetic.Search(
        one, [change], judge, lambda variant: reduce.with_new_sizes(variant, both), seed=3)
    with pytest.raises(Found) as raised:
        search.run(12, found)
    assert raised.value.args == (layer[0], [blamed])


def test_an_output_that_depends_on_no_input_has_no_gradient(tmp_path):
    """Torch raises for those; the others give None or zeros."""
    if not installed("torch"):
        pytest.skip("torch is not installed here")
    import torch

    from shapeflow.backends.worker import gradients

    given = [torch.ones(2)]
    assert gradients.differentiate("torch", lambda tensors: torch.ones(3).sum(), given) == [None]


def test_losses_of_outputs_of_several_types_are_added():
    """TensorFlow adds no float16 to a float32."""
    import types

    from shapeflow.backends.worker import running

    run = running._Runner.__new__(running._Runner)
    run.labels, run.loss_name = [np.ones([2, 3], "f4")] * 2, "mse"
    run.ends, run._apart = [1, 2], set()
    run.keras = types.SimpleNamespace(
        ops=types.SimpleNamespace(mean=np.mean, cast=np.asarray, convert_to_tensor=np.asarray),
        losses=types.SimpleNamespace(get=lambda name: lambda label, output: output - label.astype("f2")))
    total = run._loss([np.full([2, 3], 3, "f2"), np.full([2, 3], 2, "f2")])
    assert (total, total.dtype) == (3, "float32")
    run._apart = {2}  # of another shape than its label
    assert run._loss([np.full([2, 3], 3, "f2"), np.full([9], 2, "f2")]) == 2


def test_a_scalar_that_numpy_does_not_read_is_cast_first():
    """`np.array(tf.constant(1.0, tf.bfloat16))` raises, which was called TensorFlow's finding."""
    import types

    from shapeflow.backends.worker import running

    def to_numpy(tensor):
        if tensor.dtype == "bfloat16":
            raise ValueError("object __array__ method not producing an array")
        return np.float32(2)

    run = running._Runner.__new__(running._Runner)
    run.keras = types.SimpleNamespace(ops=types.SimpleNamespace(
        convert_to_numpy=to_numpy, cast=lambda tensor, dtype: types.SimpleNamespace(dtype=dtype)))
    made = run._numpy(types.SimpleNamespace(dtype="bfloat16"))
    assert (made, made.dtype) == (2, "float32")


def test_what_only_takes_another_shape_is_not_the_one_that_gives_it():
    """The layer after a RandomCrop that does not crop has another shape than Keras says because of it."""
    import types

    from shapeflow.backends.worker import running

    def node(key, taken):
        made = types.SimpleNamespace(shape=(None, 2))
        return types.SimpleNamespace(key=key, inputs=[id(taken)], outputs=[id(made)],
                                     node=types.SimpleNamespace(outputs=[made]))

    run = running._Runner.__new__(running._Runner)
    run.results, run.misfits, run._apart, run._numpy = {}, {}, set(), np.asarray
    rows = [node("crop", None)]
    rows.append(node("after", rows[0].node.outputs[0]))
    rows.append(node("again", None))
    for row in rows:
        run._keep(row, [np.ones([8, 3])])
    assert sorted(run.misfits) == ["again", "crop"]
    assert run.misfits["crop"] == "(None, 2) by Keras's word, (8, 3) when it runs"


def test_a_layer_that_gives_another_shape_than_keras_says_is_seen_when_it_runs(
    tmp_path, real_backends, planted
):
    """By itself, before a model has it; and as an output of a model, which runs: no loss is taken of it."""
    row = configs.layer_config("RepeatVector", {"name": "again", "n": 2})
    task = {"do": "infer", "run": True, "layers": [{"config": row, "inputs": [[[None, 3], "float32"]]}]}
    (told_by,) = planted.ask(task)["layers"]
    assert told_by["outputs"] == [[[None, 2, 3], "float32"]]
    assert told_by["apart"] == "(None, 2, 3) by Keras's word, (2, 3, 3) when it runs"
    assert "apart" not in real_backends.ask(task)["layers"][0]
    given = [configs.tensor("x", [None, 3], "float32")]
    dense = configs.layer_config("Dense", {"name": "d", "units": 2})
    config = configs.functional(
        "m", [configs.input_row("x", [None, 3], "float32"), configs.called(row, given),
              configs.called(dense, given)], ["x"], [("again", 0), ("d", 0)])
    document = comparing.compare(opened(tmp_path, config, real_backends), [real_backends, planted],
                                 comparing.Settings())
    assert ("shape", "forward", "again") in [found[:3] for found in told(document)]
    # And nothing else: the loss is another one there, without that output.
    assert {found[2] for found in told(document)} == {"again"}
    assert document["failed"] == {} and planted.label in document["loss"]


@pytest.fixture(scope="module")
def same(real_backends):
    backend = process.Backend(real_backends.name + ":same", sys.executable, seconds=120)
    yield backend
    backend.close()


@pytest.mark.parametrize("policy", ["float32", "bfloat16"])
def test_a_backend_agrees_with_itself_in_all_phases(tmp_path, real_backends, same, policy):
    """numpy has no bfloat16: what is read back is cast to it again."""
    config = functional([("Conv2D", {"filters": 3, "kernel_size": 2, "activation": "relu", "dtype": policy}),
                         ("BatchNormalization", {}), ("Flatten", {"dtype": policy}), ("Dense", {"units": 2})],
                        IMAGE)
    one = opened(tmp_path, config, real_backends)
    document = comparing.compare(one, [real_backends, same], comparing.Settings(always_local=True))
    assert document["findings"] == [] and len(document["loss"]) == 2
    with np.load(tmp_path / "case" / f"{real_backends.label}.npz") as data:
        assert {"gx/0", "gw/0", "g/dense/0", "loss"} <= set(data.files)
    with np.load(tmp_path / "case" / f"{real_backends.label}_local.npz") as data:
        assert {"b/dense/0", "bw/conv2d/0", "loss", "gl/0"} <= set(data.files)


def test_a_normalization_computes_with_the_weights_that_it_is_given(tmp_path, real_backends):
    """It divided by 1e-7, and what other layers did was lost beside numbers of 3e7."""
    one = opened(tmp_path, functional([("Normalization", {"axis": -1}), ("Dense", {"units": 2})], [None, 3]),
                 real_backends)
    run = comparing.run_on(real_backends, one, comparing.Settings(["forward"]))
    mean, variance = one.weights[:2]
    wanted = (one.inputs[0] - mean) / np.sqrt(variance)
    assert np.allclose(run.arrays["f/normalization/0"], wanted, atol=1e-5)
    text = results.script(one, {"phase": "forward", "message": "m"}, real_backends.name, {})
    script = tmp_path / "case" / "replay.py"
    script.write_text(text)
    assert len(text.splitlines()) <= 10 and "finalize_state" in text
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True,
                          env=worker_process.environment())
    assert float(re.search(r"sum (\S+)", done.stdout)[1]) == pytest.approx(
        float(run.arrays["f/dense/0"].sum()), rel=1e-3), done.stderr
