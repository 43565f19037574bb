"""`shapeflow backends generate`: the generator against an engine of tables, the store, reduction, scripts."""
import ast
import json
import random
import sqlite3

import numpy as np
import pytest

from command import need, shapeflow
from shapeflow.backends import (
    comparing,
    configs,
    genetic,
    job,
    known_differences,
    layer_tables,
    models,
    reduce,
    rendering,
    results,
    store,
)
from shapeflow.backends.configs import sources_of
from shapeflow.backends.coverage import Coverage
from shapeflow.backends.engine import Engine
from shapeflow.backends.generator import Generator, Stuck, solved
from shapeflow.worker_process import KERNELS

SIGNATURES = {
    "Dense": [["units", None, False], ["activation", None, True], ["use_bias", True, True]],
    "Flatten": [["data_format", None, True]], "Rescaling": [["scale", None, False], ["offset", 0.0, True]],
    "Embedding": [["input_dim", None, False], ["output_dim", None, False]],
    "LSTM": [["units", None, False], ["return_state", False, True]],
    "MultiHeadAttention": [["num_heads", None, False], ["key_dim", None, False]],
    "Hashing": [["num_bins", None, False]],
    "EinsumDense": [["equation", None, False], ["output_shape", None, False]],
    "Reshape": [["target_shape", None, False]],
    "Add": [], "Concatenate": [["axis", -1, True]],
    "Conv2D": [["filters", None, False], ["kernel_size", None, False], ["padding", "valid", True]],
    "Normalization": [["axis", -1, True], ["mean", None, True], ["variance", None, True]],
    "RandomFlip": [["mode", "horizontal", True]], "Lambda": [["function", None, False]],
    "Novel": [["never_heard_of", None, False]],
}


def engine(layers):
    """Shapes by hand, and refusals."""
    return [
        answer(layer["config"]["class_name"], layer["config"]["config"], layer["inputs"]) for layer in layers
    ]


def answer(name, config, inputs):
    shape = inputs[0][0]
    count = int(np.prod(shape[1:]))
    if name == "Dense":
        shape = [*shape[:-1], config["units"]]
    elif name == "Flatten":
        shape = [None, count]
    elif name == "Reshape":
        if int(np.prod(config["target_shape"])) != count:
            return {"reason": "ValueError: total size must be unchanged"}
        shape = [None, *config["target_shape"]]
    elif name == "Conv2D":
        size = config["kernel_size"]
        if len(shape) != 4 or config.get("padding") != "same" and size > min(shape[1:3]):
            return {"reason": "ValueError: negative"}
        less = 0 if config.get("padding") == "same" else size - 1
        shape = [None, shape[1] - less, shape[2] - less, config["filters"]]
    elif name == "Embedding":
        assert inputs[0][1].startswith("int")
        shape = [*shape, config["output_dim"]]
    elif name == "EinsumDense":
        sizes = dict(zip(config["equation"], shape))
        taken, made = config["equation"].partition(",")[2].split("->")
        assert {*taken[:-1]}.isdisjoint(made) and len(made) - 1 == len(config["output_shape"])
        assert all(letter == "z" or sizes[letter] == size
                   for letter, size in zip(made[1:], config["output_shape"]))
        shape = [None, *config["output_shape"]]
    elif name == "LSTM":
        state = [[None, config["units"]], "float32"]
        return {"outputs": [state] * 3} if config.get("return_state") else {"outputs": [state]}
    elif name == "MultiHeadAttention":
        assert len(inputs) == 2 and inputs[0][0][:1] == [None]
    elif name == "Hashing":
        return {"outputs": [[shape, "int32"]]}
    elif name in ("Add", "Concatenate"):
        if inputs[0][0] != inputs[1][0]:
            return {"reason": "ValueError: shapes"}
        shape = list(shape)
        if name == "Concatenate":
            shape[config.get("axis", -1)] *= 2
    return {"outputs": [[shape, "float32"]]}


def generator():
    known, _ = layer_tables.of_signatures(SIGNATURES)
    return Generator(known, engine, Coverage())


def test_layers_are_read_from_signatures():
    known, unknown = layer_tables.of_signatures(SIGNATURES)
    assert set(known) == {"Dense", "Flatten", "Reshape", "Add", "Concatenate", "Conv2D", "Normalization",
                          "RandomFlip", "Rescaling", "Embedding", "LSTM", "MultiHeadAttention", "Hashing",
                          "EinsumDense"}
    assert unknown == ["Novel"]  # said, not left out in silence
    assert known["Conv2D"].required == ("filters", "kernel_size")
    assert known["Normalization"].required == ("mean", "variance")
    assert known["Dense"].values["use_bias"] == [True, False]
    assert "bfloat16" in known["Dense"].values["dtype"]  # every layer has a policy


@pytest.mark.parametrize("name, ranks", [
    ("Conv2D", (4,)), ("Conv1DTranspose", (3,)), ("ConvLSTM2D", (5,)), ("LSTM", (3,)), ("RepeatVector", (2,)),
    ("Dense", (2, 3, 4, 5)), ("GlobalMaxPooling3D", (5,)), ("ConvLSTM3D", (6,)), ("Embedding", (2, 3)),
    ("MultiHeadAttention", (3,)), ("RandomFlip", (4,))])
def test_ranks(name, ranks):
    assert layer_tables.ranks(name) == ranks


def test_flags_that_exclude_each_other_are_not_both_set():
    chance = random.Random(0)
    both = {"height": 3, "crop_to_aspect_ratio": True, "pad_to_aspect_ratio": True}
    made = [solved("Resizing", both, [None, 4, 4, 3], chance) for _ in range(20)]
    assert all(one["height"] == 3 for one in made)
    assert all(one["crop_to_aspect_ratio"] != one["pad_to_aspect_ratio"] for one in made)
    assert {one["pad_to_aspect_ratio"] for one in made} == {True, False}
    assert solved("Resizing", {"pad_to_aspect_ratio": True}, [], chance) == {
        "pad_to_aspect_ratio": True}


def test_factors_multiply_to_the_count():
    chance = random.Random(0)
    for count in (1, 7, 12, 97, 240):
        for parts in (1, 2, 3, 4):
            sizes = layer_tables.factors(count, parts, chance.choice)
            assert len(sizes) == parts and int(np.prod(sizes)) == count


def shapes_of(config):
    """Runs the engine over a model again: what each layer gives."""
    shapes = {}
    for row in config["config"]["layers"]:
        if row["class_name"] == "InputLayer":
            shapes[row["name"], 0] = row["config"]["batch_shape"], row["config"]["dtype"]
            continue
        inputs = [shapes[source] for source in configs.tensors_of(row)]
        given = {key: value for key, value in row["config"].items() if key != "name"}
        made = answer(row["class_name"], given, inputs)
        assert "outputs" in made, (row, made)
        shapes.update({(row["name"], i): output for i, output in enumerate(made["outputs"])})
    return shapes


def test_every_model_is_valid_and_states_its_shapes():
    made = generator()
    kinds, several = set(), {"inputs": 0, "outputs": 0, "states": 0}
    for seed in range(60):
        config = made.model(seed, 8)
        shapes = shapes_of(config)
        for row in config["config"]["layers"]:
            kinds.add(row["class_name"])
            for node in row["inbound_nodes"]:
                for item in configs.walk(node):
                    if item["class_name"] == "__keras_tensor__":
                        name, _, index = item["config"]["keras_history"]
                        assert [item["config"]["shape"], item["config"]["dtype"]] == list(shapes[name, index])
        used = {source for row in config["config"]["layers"] for source in sources_of(row)}
        ends = config["config"]["output_layers"]
        assert used | {end[0] for end in ends} == {row["name"] for row in config["config"]["layers"]}
        assert len({tuple(end) for end in ends}) == len(ends)
        assert all("float" in shapes[layer, index][1] for layer, _, index in ends)
        several["inputs"] += len(config["config"]["input_layers"]) > 1
        several["outputs"] += len(ends) > 1
        several["states"] += any(layer.startswith("lstm") and index for layer, _, index in ends)
    assert kinds >= {*layer_tables.of_signatures(SIGNATURES)[0], "InputLayer"}
    assert all(several.values()), several
    assert made.refused > 0  # the engine was of use


def test_what_gives_another_shape_than_keras_says_is_an_output_that_nothing_takes():
    """A Reshape of what RandomCrop gives, which does not crop in inference, made a model that nobody runs."""
    known, _ = layer_tables.of_signatures(SIGNATURES)

    def infer(layers):
        """Flatten, and one Dense that would be put between, are not what Keras says."""
        rows = [(one["config"], made) for one, made in zip(layers, engine(layers))]
        return [{**made, "apart": "words"} if one["class_name"] == "Flatten" or one["config"] == {"units": 24}
                else made for one, made in rows]

    made, seen, all_apart = Generator(known, infer, Coverage()), set(), 0
    for seed in range(60):
        config = made.model(seed, 8)
        shapes_of(config)
        taken = {source for row in config["config"]["layers"] for source in sources_of(row)}
        ends = {end[0] for end in config["config"]["output_layers"]}
        kinds = configs.classes_of(config)
        assert made.apart == {name: "words" for name in made.apart}
        assert set(made.apart) <= ends and not taken & set(made.apart)
        assert set(made.apart) >= {name for name, kind in kinds.items() if kind == "Flatten"}
        assert not ends & set(config["config"]["input_layers"][0][:1])
        seen |= {kinds[name] for name in made.apart}
        all_apart += ends == set(made.apart)
    assert seen >= {"Flatten"} and all_apart < 60
    only = Generator({"Flatten": known["Flatten"]}, infer, Coverage()).model(1, 3)
    assert {kind for kind in configs.classes_of(only).values()} == {"Functional", "InputLayer", "Flatten"}


def test_a_seed_is_a_model():
    one, other = generator(), generator()
    assert [one.model(seed) for seed in range(5)] == [other.model(seed) for seed in range(5)]


def test_what_was_seldom_used_comes_first():
    coverage, chance = Coverage(), random.Random(0)
    coverage.layers.update(Dense=50)
    drawn = [
        coverage.seldom(chance, ["Dense", "Add"], lambda name: coverage.layers.get(name, 0))
        for _ in range(99)
    ]
    assert drawn.count("Add") > 95


def test_phases_that_are_missing_weigh_more():
    coverage, chance = Coverage(), random.Random(0)
    for phase in ("forward", "loss", "backward"):
        coverage.ran("Dense", {}, phase)
    drawn = [coverage.seldom(chance, ["Dense", "Add"], lambda name: 3, coverage.phases_left)
             for _ in range(400)]
    assert 240 < drawn.count("Add") < 360  # 4 to 1


def test_what_is_inside_of_a_layer_counts():
    coverage = Coverage()
    cells = [configs.layer_config(name, {"units": 3, "name": "c"}) for name in ("LSTMCell", "GRUCell")]
    config = {"cell": configs.layer_config("StackedRNNCells", {"cells": cells})}
    coverage.add("RNN", config)
    coverage.ran("RNN", config, "loss")
    assert set(coverage.layers) == {"RNN", "StackedRNNCells", "LSTMCell", "GRUCell"}
    assert coverage.cells["GRUCell", "units", "3", "loss"] == 1
    known = {"RNN": layer_tables.Layer({"unroll": [True]}, ())}
    assert coverage.reached(known, ["loss"]) == [1, 2]
    assert coverage.phases_of(["RNN", "LSTMCell", "Dense"]) == {"forward": 0, "loss": 2, "backward": 0}


def test_an_engine_that_takes_nothing_ends_the_model():
    known, _ = layer_tables.of_signatures(SIGNATURES)
    stuck = Generator(known, lambda layers: [{"reason": "no"}] * len(layers), Coverage())
    with pytest.raises(Stuck):
        stuck.model(0)


# --- what is kept ---------------------------------------------------------------------------------------
FINDING = {
    "code": "SF701",
    "kind": "inconsistent",
    "phase": "forward",
    "layer": "conv_1",
    "class": "Conv2D",
    "backends": ["torch"],
    "against": ["jax"],
    "distance": 1.0,
    "message": 'a "b"\\c',
    "parameters": {},
}


def test_a_finding_that_is_there_is_counted(tmp_path):
    path = str(tmp_path / "c.sqlite")
    kept = store.Store(path)
    assert kept.next_number() == 0
    assert kept.put_finding(0, FINDING) and not kept.put_finding(
        1, {**FINDING, "layer": "conv_7", "distance": 2}
    )
    assert kept.put_finding(2, {**FINDING, "phase": "backward"})
    assert kept.put_finding(2, {**FINDING, "blame": ["padding='valid'"]})
    # Of outputs alone the pattern of their distances says whether it is the same.
    apart = {**FINDING, "pattern": ["mad", 3, 5]}
    assert kept.put_finding(3, apart) and not kept.put_finding(3, {**apart, "class": "Dense"})
    assert kept.put_finding(3, {**apart, "pattern": ["mad", 4, 4]})
    kept.put_model(4, "ok", 3, 1.5)
    kept.add_seconds(1.0)
    kept.add_seconds(0.5)
    coverage = Coverage()
    coverage.add("Dense", {"units": 3})
    coverage.ran("Dense", {"units": 3}, "loss")
    with kept:
        kept.save(coverage)
    with pytest.raises(KeyboardInterrupt), kept:
        kept.put_model(5, "ok", 3, 1.5)
        raise KeyboardInterrupt  # what was begun is not kept
    kept.close()
    again, read = store.Store(path), Coverage()
    again.load(read)
    assert again.next_number() == 5 and [row["times"] for row in again.findings()] == [2, 1, 1, 2, 1]
    assert (read.layers, read.values, read.cells) == (coverage.layers, coverage.values, coverage.cells)
    assert again.counts() == {"ok": 1} and again.seconds() == 1.5
    again.close()


def test_a_store_that_cannot_be_written_stops_the_campaign(tmp_path):
    kept = store.Store(str(tmp_path / "c.sqlite"))
    kept._base.execute("pragma query_only = on")  # as on a full disk
    with pytest.raises(sqlite3.Error):
        kept.put_model(0, "ok", 1, 1.0)
    kept.close()


@pytest.mark.parametrize("changes, is_known", [
    ({}, False), ({"class": "MaxPooling2D", "phase": "backward"}, True), ({"class": "MaxPooling2D"}, False),
    ({"class": "MaxPooling2D", "phase": "backward", "kind": "nan"}, False),
    ({"class": "Conv2DTranspose", "kind": "raises", "backends": ["tensorflow"],
      "parameters": {"dilation_rate": 2}}, True),
    ({"class": "Conv2DTranspose", "kind": "raises", "parameters": {"dilation_rate": 2}}, False),
    ({"class": "Conv2DTranspose", "kind": "raises", "backends": ["tensorflow"],
      "parameters": {"dilation_rate": [1, 1]}}, False),
    ({"class": "UpSampling2D", "parameters": {"interpolation": "bicubic"}}, True),
    ({"class": "UpSampling2D", "parameters": {"interpolation": "bilinear"}}, False),
    ({"class": "UpSampling2D", "parameters": {"interpolation": "bicubic"}, "backends": ["numpy"]}, False),
    ({"class": "Resizing", "parameters": {"interpolation": "bicubic", "antialias": True}}, False),
    ({"class": "SVD", "parameters": {"compute_uv": True}}, True), ({"class": "Qr"}, True),
    ({"class": "SVD", "parameters": {"compute_uv": False}}, False), ({"class": "SVD", "kind": "nan"}, False),
    ({"class": "LeakyReLU", "phase": "backward", "parameters": {"negative_slope": 0.1}}, True),
    ({"class": "ReLU", "phase": "backward", "parameters": {"negative_slope": 0.0}}, False),
    ({"class": "LeakyReLU", "parameters": {"negative_slope": 0.1}}, False),
    ({"class": "Dense", "phase": "backward", "parameters": {"activation": "leaky_relu"}}, True),
    ({"class": "Dense", "phase": "backward", "parameters": {"activation": "relu"}}, False),
    ({"class": "Dense", "phase": "backward", "against": ["tensorflow"],
      "parameters": {"activation": "leaky_relu"}}, False)])
def test_known_differences_have_reasons(changes, is_known):
    assert bool(known_differences.reason({**FINDING, **changes})) == is_known


def case_of(tmp_path):
    made = models.Case(str(tmp_path / "case"), generator().model(3), "m")
    made.inputs = [np.ones([2, 6], "f4")]
    made.labels = [np.ones([2, 1], "f4")]
    made.weights = [np.ones([1], "f4")]
    made.write()
    return made


@pytest.mark.parametrize("phase", comparing.PHASES)
@pytest.mark.parametrize("backend", ["tensorflow", "jax", "torch", "numpy", "openvino"])
def test_scripts_that_replay_are_python(tmp_path, backend, phase):
    case = case_of(tmp_path)
    text = results.script(case, {**FINDING, "phase": phase, "message": "two\nlines"}, backend,
                          {backend: {"keras": "3.0", backend: "1"}})
    ast.parse(text)
    assert len(text.splitlines()) <= 10 and text.startswith("import os  # two lines\n")
    before_keras = text.partition("import keras")[0]  # TensorFlow's kernels differ with and without oneDNN
    wanted = ast.parse(before_keras).body[-1].value.keywords
    assert {one.arg: one.value.value for one in wanted} == {"KERAS_BACKEND": backend, **KERNELS}


def test_a_script_of_a_model_with_code_reads_it_where_it_was_trusted(tmp_path):
    """Keras raised there: the script had no call that lets it read code."""
    case = case_of(tmp_path)
    call = "keras.config.enable_unsafe_deserialization(); model = "
    for case.trusted in (False, True):
        for phase in comparing.PHASES:
            text = results.script(case, {**FINDING, "phase": phase}, "jax", {})
            ast.parse(text)
            assert (call in text) is case.trusted and len(text.splitlines()) <= 10


def test_a_finding_is_a_folder(tmp_path):
    document = {"title": "m", "versions": {}, "refused": {}, "findings": [FINDING], "pairs": [], "maps": {},
                "nodes": [], "backends": ["jax", "torch"]}
    folder = results.write(str(tmp_path / "f"), results.files(case_of(tmp_path), FINDING, document))
    names = {path.name for path in (tmp_path / "f").iterdir()}
    assert names == {"model.json", "inputs.npz", "weights.npz", "report.txt", "report.json", "report.html",
                     "replay_jax.py", "replay_torch.py"}
    assert json.loads((tmp_path / "f" / "report.json").read_text())["findings"][0]["code"] == "SF701"
    assert folder == str(tmp_path / "f")


# --- one layer alone --------------------------------------------------------------------------------------
class Pretended:
    """A backend on which Conv2D is off as long as its padding is "same", by as much as the largest input."""

    def __init__(self, label, is_off):
        self.label, self.name, self.is_off, self.versions = label, label, is_off, {}

    def ask(self, task):
        with open(task["folder"] + "/model.json") as stream:
            config = json.load(stream)
        if task["do"] == "shapes":
            return {"status": "ok", "weights": [], "ends": [[None, 4, 4, 2]]}
        data = np.load(task["folder"] + "/inputs.npz")
        arrays, nodes, before = {}, [], "input 0"
        for row in config["config"]["layers"]:
            if row["class_name"] == "InputLayer":
                continue
            off = self.is_off and row["class_name"] == "Conv2D" and row["config"].get("padding") == "same"
            arrays[f"f/{row['name']}/0"] = data["x0"] * 0 + (data["x0"].max() if off else 0)
            nodes.append(
                {
                    "key": row["name"],
                    "layer": row["name"],
                    "class": row["class_name"],
                    "inputs": [before],
                    "indices": [0],
                    "precision": "float32", "input_precisions": ["float32"],
                    "outputs": [[list(data["x0"].shape), "float32"]],
                    "weights": [],
                    "is_output": False,
                }
            )
            before = row["name"]
        with open(task["out"], "wb") as stream:
            np.savez(stream, **arrays)
        return {"status": "ok", "nodes": nodes, "skipped": {}}


def row(name, kind, source, **config):
    reference = {"class_name": "__keras_tensor__", "config": {"shape": [None, 4, 4, 2], "dtype": "float32",
                                                              "keras_history": [source, 0, 0]}}
    return {"module": "keras.layers", "class_name": kind, "registered_name": None, "name": name,
            "config": {"name": name, **config}, "inbound_nodes": [{"args": [reference], "kwargs": {}}]}


def test_a_finding_is_reduced_to_its_layer_one_sample_and_the_parameter_to_blame(tmp_path):
    first = {"module": "keras.layers", "class_name": "InputLayer", "registered_name": None, "name": "x",
             "config": {"name": "x", "batch_shape": [None, 4, 4, 2], "dtype": "float32"}, "inbound_nodes": []}
    config = {"class_name": "Functional", "config": {
        "layers": [first, row("a", "ReLU", "x"),
                   row("c", "Conv2D", "a", padding="same", use_bias=False, filters=2)],
        "input_layers": [["x", 0, 0]], "output_layers": [["c", 0, 0]]}}
    case = models.Case(str(tmp_path / "whole"), config, "whole")
    case.inputs = [np.ones([3, 4, 4, 2], "f4")]
    case.labels = [np.ones([3, 4, 4, 2], "f4")]
    case.write()
    backends = [Pretended("jax", False), Pretended("torch", True), Pretended("tensorflow", False)]
    document = comparing.compare(case, backends, comparing.Settings())
    (finding,) = document["findings"]
    assert (finding["class"], finding["backends"]) == ("Conv2D", ["torch"])
    # The reference gives the layer zeros: with those nothing is off, and the whole stays.
    small = reduce.reduced(
        case, finding, document, backends, comparing.Settings(), {}, str(tmp_path / "zero")
    )
    assert small["case"] is case
    with open(case.folder + "/jax.npz", "wb") as stream:
        np.savez(stream, **{"f/a/0": np.ones([3, 4, 4, 2], "f4")})
    defaults = {"Conv2D": {"padding": "valid", "use_bias": True}}
    small = reduce.reduced(
        case, finding, document, backends, comparing.Settings(), defaults, str(tmp_path / "small")
    )
    assert small["blame"] == ["padding='valid'"]
    layers = small["case"].config["config"]["layers"]
    assert [layer["class_name"] for layer in layers] == ["InputLayer", "Conv2D"]
    assert layers[1]["config"]["use_bias"] is True  # it had no part in it
    assert len(small["case"].inputs[0]) == 1


def test_shapes_that_differ_are_findings():
    case = models.Case("", {"config": {"layers": [row("a", "ReLU", "x", max_value=1)]}}, "m")

    class There:
        label = "jax"

    ours = {"shapes": {"a": [[None, 4]]}, "dtypes": {"a": ["float32"]}, "parameters": 3}
    assert job.shape_findings(case, ours, ours, There) == []
    other = {**ours, "shapes": {"a": [[None, 5]]}}
    (found,) = job.shape_findings(case, ours, other, There)
    assert (found["code"], found["layer"], found["class"]) == ("SF706", "a", "ReLU")
    (found,) = job.shape_findings(case, ours, {**ours, "parameters": 4}, There)
    assert found["message"] == "3 parameters here, 4 on jax"


def test_the_summary_says_what_was_reached():
    text = rendering.campaign_text({
        "models": {"ok": 3, "refused": 1}, "refused": ["ValueError: no"], "seconds": 60.0, "versions": {},
        "layers": [2, 5], "parameters": 4, "phases": {"forward": 2, "loss": 1}, "cells": [3, 12],
        "not_used": ["Add"],
        "apart": [["RandomCrop", "(None, 2) by Keras's word, (2, 3) when it runs", 1]],
        "localised": {"findings": 2, "pairs": 3, "marked": 8, "wrong": 2},
        "findings": [{**FINDING, "times": 2, "blame": ["padding='valid'"], "folder": "r/0"}]})
    assert "3 ran (75.0% of those generated), 4.0 models a minute" in text and "1 refused by Keras" in text
    assert "by phase: forward 2, loss 1; 3 of 12 (layer, value of a parameter, phase) reached, 25.0%" in text
    assert "3 (layer, parameter) pairs are named for 2 differences of a layer, 1.50 each" in text
    assert "the rate of change marks 8 layers of those models; 2 of them (25.0%) do not differ by" in text
    assert "RandomCrop gives another shape than it should, and is an output of the 1 model that" in text
    assert "2 of 5 layers" in text and "(2 times)" in text and "gone with padding='valid'" in text


def test_the_engine_runs_layers_whose_shape_keras_computes_by_a_formula():
    """TensorFlow pads no 7 elements by 8 reflected ones, and Keras asks for that when the layer runs."""
    need("keras")
    engine = Engine()
    config = {"class_name": "MelSpectrogram", "module": "keras.layers", "registered_name": None,
              "config": {"name": "mel", "fft_length": 16, "sequence_stride": 4, "sampling_rate": 100,
                         "num_mel_bins": 4, "min_freq": 5.0}}
    try:
        short, long = engine.infer([{"config": config, "inputs": [[[None, size], "float32"]]}
                                    for size in (7, 9)])
    finally:
        engine.close()
    assert "paddings must be less than the dimension size" in short["reason"]
    assert long["outputs"] == [[[None, 4, 3], "float32"]]


def test_generate_takes_no_model(tmp_path):
    done = shapeflow(tmp_path, "backends", "generate", "m.keras")
    assert done.returncode == 2 and "generate takes no model" in done.stderr


def test_models_are_generated_and_their_shapes_are_those_of_keras(tmp_path):
    """With the real engine, Keras on our TensorFlow, and a real backend."""
    need("keras")
    import importlib.util

    name = next((n for n in ("tensorflow", "jax", "torch") if importlib.util.find_spec(n)), None)
    if name is None:
        pytest.skip("no framework that Keras 3 runs on is installed here")
    done = shapeflow(tmp_path, "backends", "generate", "--check-shapes", "5", "--backends", name, "--json")
    assert done.returncode == 0, done.stderr + done.stdout
    made = json.loads(done.stdout)
    assert made["models"]["ok"] >= 4 and made["findings"] == [] and made["refused"] == []
    again = shapeflow(tmp_path, "backends", "generate", "--check-shapes", "2", "--backends", name, "--json")
    assert sum(json.loads(again.stdout)["models"].values()) == 7  # it goes on where it was


# --- the search ---------------------------------------------------------------------------------------------
def test_numbers_mutate_and_stay_finite():
    chance = np.random.RandomState(0)
    array = np.full([10, 10], 3, "f2")
    made = genetic.mutated_array(array, chance)
    assert 0 < (made != array).sum() < 40 and made.dtype == array.dtype and np.isfinite(made).all()
    assert (genetic.mutated_array(np.array([1]), chance) == [1]).all()  # whole numbers stay
    assert (genetic.mutated_array(np.array([0.], "f4"), chance) != 0).all()


def test_crossover_takes_of_both_and_keeps_what_does_not_fit():
    one, other = [np.zeros([50]), np.zeros([2])], [np.ones([50]), np.ones([3])]
    made = genetic.crossed_arrays(one, other, np.random.RandomState(0))
    assert 0 < made[0].sum() < 50 and made[1].tolist() == [0, 0]


def test_one_parameter_changes():
    config = {"config": {"layers": [row("c", "Conv2D", "x", padding="same", filters=2)]}}
    seen = set()
    for seed in range(40):
        made = genetic.changed_parameter(config, random.Random(seed))
        changed = {k: v for k, v in made["config"]["layers"][0]["config"].items()
                   if v != config["config"]["layers"][0]["config"][k]}
        assert len(changed) == 1
        seen.update(changed)
    assert seen == {"padding", "filters"}
    assert (
        genetic.changed_parameter({"config": {"layers": [row("f", "Flatten", "x")]}}, random.Random(0))
        is None
    )


def test_a_changed_layer_may_give_another_shape_than_the_next_one_was_built_for():
    """Keras refused each such variant of a model that was read from a file, so that it was never tried."""
    dense = {**row("d", "Dense", "c", units=3), "build_config": {"input_shape": [None, 4]}}
    config = {"config": {"layers": [row("c", "AveragePooling2D", "x", padding="valid"), dense]}}
    for seed in range(8):
        made = genetic.changed_parameter(config, random.Random(seed))
        assert not any("build_config" in layer for layer in made["config"]["layers"])
    assert dense["build_config"] == {"input_shape": [None, 4]}


def test_the_search_climbs_to_what_differs(tmp_path):
    """Backends that differ where an input is above 6: far from the first inputs."""
    case = models.Case(str(tmp_path), {"config": {"layers": [row("r", "Flatten", "x")]}}, "m")
    case.inputs, case.weights = [np.zeros([2, 3], "f4")], []

    def judge(variant):
        largest = float(variant.inputs[0].max())
        return largest, [{"message": "off"}] if largest > 6 else [], {}

    found = []
    search = genetic.Search(case, ["input"], judge, lambda variant: True, seed=1)
    search.run(20, lambda variant, finding, document: found.append(variant.inputs[0].max()))
    assert found and min(found) > 6 and search.best > 6 and search.tried == 1 + 20 * 6


@pytest.mark.parametrize(
    "document, goal, fitness",
    [
        ({"distance": 0.5, "spread": 99}, "differ", 0.5),
        ({"distance": 0.5, "spread": 99}, "nan", 2),
        ({}, "differ", 0),
        ({"distance": float("inf")}, "differ", 1e30),
    ],
)
def test_fitness(document, goal, fitness):
    assert genetic.fitness(document, goal) == fitness
