"""Saved Keras models on the command line: `.keras` and `.h5` are read, others are refused with advice."""
import json
import zipfile

import pytest

from command import environment, shapeflow

MODULE = {"module": "keras.layers", "registered_name": None}


def layer(kind, name, inbound=None, **config):
    made = {**MODULE, "class_name": kind, "name": name, "config": {
        "name": name, "trainable": True,
        "dtype": {"class_name": "DTypePolicy", "config": {"name": "float32"}}, **config}}
    if inbound is not None:
        made["inbound_nodes"] = [inbound] if inbound else []
    return made


def tensor(name, *shape):
    return {"class_name": "__keras_tensor__", "config": {
        "shape": list(shape), "dtype": "float32", "keras_history": [name, 0, 0]}}


def node(*args):
    return {"args": list(args), "kwargs": {"mask": None}}


def sequential(units=10):
    """28 x 28 pictures, as Keras 3.15 writes it."""
    conv = {"filters": 8, "kernel_size": [3, 3], "strides": [1, 1], "padding": "same", "activation": "relu",
            "use_bias": True, "kernel_initializer": {"class_name": "GlorotUniform", "config": {}}}
    return {"class_name": "Sequential", "module": "keras", "config": {"name": "small", "layers": [
        layer("InputLayer", "input_layer", batch_shape=[None, 28, 28, 1]),
        layer("Conv2D", "conv2d", **conv), layer("Flatten", "flatten"),
        layer("Dense", "dense", units=units, activation="softmax", quantization_config=None)]}}


def functional(rows):
    """Two inputs that are added; the second may have another length."""
    return {"class_name": "Functional", "module": "keras.src.models.functional", "config": {
        "name": "two", "input_layers": [["a", 0, 0], ["b", 0, 0]], "output_layers": ["head", 0, 0],
        "layers": [
            layer("InputLayer", "a", [], batch_shape=[None, 10, 4]),
            layer("InputLayer", "b", [], batch_shape=[None, rows, 4]),
            layer("Add", "sum", node([tensor("a", None, 10, 4), tensor("b", None, rows, 4)])),
            layer("LSTM", "lstm", node(tensor("sum", None, 10, 4)), units=6, return_sequences=True),
            layer("Dense", "head", node(tensor("lstm", None, 10, 6)), units=2)]}}


def write_keras(path, config, weights=None):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.json", '{"keras_version": "3.15.1"}')
        archive.writestr("config.json", json.dumps(config))
        if weights is not None:
            archive.write(weights, "model.weights.h5")


def write_weights(path, layers, below="layers"):
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as stream:
        for name, shapes in layers.items():
            for i, shape in enumerate(shapes):
                stream.create_dataset(f"{below}/{name}/vars/{i}", shape, "float32")
    return h5py


def test_a_keras_file_is_checked(tmp_path):
    write_keras(tmp_path / "two.keras", functional(10))
    done = shapeflow(tmp_path, "check", "two.keras")
    assert done.returncode == 0 and "two.keras: 0 errors" in done.stderr
    write_keras(tmp_path / "two.keras", functional(11))
    done = shapeflow(tmp_path, "check", "two.keras")
    assert done.returncode == 1
    assert "two.keras: layer 'sum': error[SF107]: Inputs have incompatible shapes" in done.stdout
    assert "(10, 4) and (11, 4)" in done.stdout


def test_weights_are_compared_with_the_config(tmp_path):
    weights = {"conv2d": [(3, 3, 1, 8), (8,)], "dense": [(28 * 28 * 8, 10), (10,)],
               "dropout/seed_generator": [(2,)]}
    write_weights(tmp_path / "weights.h5", weights)
    write_keras(tmp_path / "small.keras", sequential(), tmp_path / "weights.h5")
    done = shapeflow(tmp_path, "check", "small.keras")
    assert done.returncode == 0, done.stdout
    write_keras(tmp_path / "small.keras", sequential(units=12), tmp_path / "weights.h5")
    done = shapeflow(tmp_path, "check", "small.keras")
    assert done.returncode == 1
    assert "small.keras: layer 'dense': error[SF305]" in done.stdout
    assert "variable.shape=(12,), Received: value.shape=(10,)" in done.stdout


def test_an_h5_file_is_checked(tmp_path):
    h5py = write_weights(tmp_path / "small.h5", {"conv2d": [(3, 3, 1, 8), (8,)],
                                                 "dense": [(28 * 28 * 8, 10), (10,)]}, "model_weights")
    with h5py.File(tmp_path / "small.h5", "a") as stream:
        stream.attrs["model_config"] = json.dumps(sequential())
    assert shapeflow(tmp_path, "check", "small.h5").returncode == 0
    with h5py.File(tmp_path / "small.h5", "a") as stream:
        stream.attrs["model_config"] = json.dumps(sequential(units=7))
    done = shapeflow(tmp_path, "check", "small.h5")
    assert done.returncode == 1 and "small.h5: layer 'dense': error[SF305]" in done.stdout


def test_graph_and_summary_of_a_keras_file(tmp_path):
    write_keras(tmp_path / "small.keras", sequential())
    assert shapeflow(tmp_path, "graph", "small.keras", "-o", "small.json").returncode == 0
    nodes = {found["name"]: found for found in json.loads((tmp_path / "small.json").read_text())["nodes"]}
    assert nodes["conv2d/Relu"]["outputs"][0]["shape"] == "(batch, 28, 28, 8)"
    assert nodes["dense/kernel"]["outputs"][0]["shape"] == f"({28 * 28 * 8}, 10)"
    done = shapeflow(tmp_path, "summary", "small.keras", "--json")
    table, = json.loads(done.stdout)["tables"]
    assert table["total"]["parameters"] == 80 + 28 * 28 * 8 * 10 + 10 and table["name"].startswith("small ")


def test_a_layer_of_somebody_elses_is_what_the_file_says(tmp_path):
    config = sequential()
    config["config"]["layers"].insert(3, {**layer("Mine", "mine", n=3), "module": "mine",
                                          "registered_name": "mine>Mine"})
    config["config"]["layers"][4]["build_config"] = {"input_shape": [None, 5]}
    write_keras(tmp_path / "custom.keras", config)
    done = shapeflow(tmp_path, "check", "custom.keras")
    assert done.returncode == 0 and "layer 'mine' is not modelled" in done.stderr
    tables = json.loads(shapeflow(tmp_path, "summary", "--json", "custom.keras").stdout)["tables"]
    parameters = {row["name"]: row["parameters"] for table in tables for row in table["rows"]}
    assert parameters["dense"] == 5 * 10 + 10


def test_an_operation_with_the_name_of_a_layer_is_none(tmp_path):
    config = functional(10)
    config["config"]["layers"][4]["inbound_nodes"] = [node(tensor("times", None, 10, 6))]
    times = {**layer("Multiply", "times", {"args": [tensor("lstm", None, 10, 6), 2.0], "kwargs": {}}),
             "module": "keras.src.ops.numpy", "registered_name": "Multiply"}
    config["config"]["layers"].append(times)
    write_keras(tmp_path / "times.keras", config)
    done = shapeflow(tmp_path, "check", "times.keras")
    assert done.returncode == 0 and "layer 'times' is not modelled" in done.stderr


@pytest.mark.parametrize("command", ["check", "graph", "summary"])
@pytest.mark.parametrize("name, kind", [("model.tflite", "TensorFlow Lite"), ("model.onnx", "ONNX")])
def test_other_models_are_refused_with_advice(tmp_path, command, name, kind):
    (tmp_path / name).write_bytes(b"\x1c\0\0\0TFL3")
    done = shapeflow(tmp_path, command, name)
    assert done.returncode == 2
    assert f"{name}: models of {kind} are not read: check what it was converted from" in done.stderr


@pytest.mark.parametrize("command", ["check", "graph", "summary"])
@pytest.mark.parametrize("name, words", [
    ("cut.keras", "it is no .keras file"), ("empty.keras", "it is no .keras file"),
    ("cut.h5", "it "), ("weights.pt", "it is no Python source, and no model of a kind that is read")])
def test_what_is_no_model_is_told_in_words_of_its_user(tmp_path, command, name, words):
    (tmp_path / name).write_bytes(b"" if name.startswith("empty") else b"\x89HDF\r\n\x1a\n\0PK\0")
    done = shapeflow(tmp_path, command, name)
    assert done.returncode == 3 and f"{name} could not be run to its end: {words}" in done.stderr
    assert "null bytes" not in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("config", [
    "null", "[]", "{", '{"class_name": "Sequential"}', '{"class_name": "Mine"}',
    '{"class_name": "Functional", "config": {"layers": [{"name": "x"}]}}'])
def test_a_config_of_any_kind_ends_in_words(tmp_path, config):
    with zipfile.ZipFile(tmp_path / "odd.keras", "w") as archive:
        archive.writestr("config.json", config)
    done = shapeflow(tmp_path, "check", "odd.keras")
    assert done.returncode == 3 and "odd.keras could not be run to its end" in done.stderr
    assert "Traceback" not in done.stderr


def test_weights_without_a_model_and_no_h5py(tmp_path):
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "h5py.py").write_text("raise ImportError('not here')")
    (tmp_path / "small.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    without = environment(PYTHONPATH=str(tmp_path / "without"))
    done = shapeflow(tmp_path, "check", "small.h5", env=without)
    assert done.returncode == 3 and "it takes h5py to read it (pip install h5py)" in done.stderr
    write_keras(tmp_path / "two.keras", functional(11))
    assert shapeflow(tmp_path, "check", "two.keras", env=without).returncode == 1  # the config needs none
    write_weights(tmp_path / "only.weights.h5", {"dense": [(3, 4)]})
    done = shapeflow(tmp_path, "check", "only.weights.h5")
    assert done.returncode == 3 and "it holds weights and no model" in done.stderr
