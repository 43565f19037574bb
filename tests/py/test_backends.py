"""`shapeflow backends`: workers, models and data, and comparisons of results that are made up."""
import ast
import importlib
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from command import environment, need, shapeflow
from shapeflow import worker_process
from shapeflow.backends import (
    comparing,
    configs,
    models,
    opening,
    process,
    rendering,
)

backends_command = importlib.import_module("shapeflow.commands.backends")
WORKER = Path(process.__file__).parent / "worker"
INF = float("inf")
NAN = float("nan")


# --- workers -----------------------------------------------------------------------------------------
def test_a_worker_is_of_no_package_and_python_3_9_reads_it():
    for path in WORKER.glob("*.py"):
        tree = ast.parse(path.read_text(), feature_version=(3, 8))
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else \
                    [node.module or ""] if not node.level else []
                assert path.name == "serve.py" or "shapeflow" not in names, path


def test_nothing_of_it_is_imported_by_the_core_and_no_framework_by_it():
    code = ("import sys, shapeflow; import shapeflow.cli; assert not [n for n in sys.modules if "
            "n.startswith('shapeflow.backends')]; import shapeflow.commands.backends, "
            "shapeflow.backends.comparing, shapeflow.backends.rendering, shapeflow.backends.opening; "
            "print([n for n in ('keras', 'tensorflow', 'torch', 'jax', 'openvino') if n in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert done.stdout == "[]\n", done.stderr


def stand_in(tmp_path, body, name="python"):
    """An executable that stands for a Python with a backend."""
    path = tmp_path / name
    path.write_text("#!/bin/sh\n" + body)
    path.chmod(0o755)
    return str(path)


READY = """echo '{"ready": true, "versions": {"keras": "3.0"}}'\n"""


def test_a_backend_that_is_not_installed_is_left_out(tmp_path):
    python = stand_in(tmp_path, """echo '{"ready": false, "reason": "ModuleNotFoundError: no jax"}'\n""")
    with process.Fleet(["jax", "torch"], {"jax": python, "torch": str(tmp_path / "nowhere")}) as fleet:
        assert fleet.start() == []
        assert fleet.notes == [
            f"jax is left out: {python} has no Keras with jax that can be used: ModuleNotFoundError: no jax",
            f"torch is left out: {tmp_path}/nowhere cannot be started: No such file or directory"]


@pytest.mark.parametrize("asked, least, status, said", [
    (["torch", "jax"], 2, 0, ["torch is left out"]), ([], 2, 0, []), (["jax"], 1, 0, []),
    (["torch"], 1, 3, ["torch is left out",
      "nothing to compare: fewer than 1 of the backends can be started"]),
    (["torch", "x"], 2, 3, ["torch is left out",
      "nothing to compare: fewer than 2 of the backends can be started"])])
def test_what_is_left_out_is_said_where_it_was_asked_for(capsys, asked, least, status, said):
    """`generate` said nothing of it where two others were there."""
    import types

    there = ["jax", "numpy"] if "jax" in asked or not asked else []
    fleet = types.SimpleNamespace(start=lambda: there, notes=["torch is left out"] * ("jax" not in asked[:1]))
    assert backends_command.started(fleet, types.SimpleNamespace(backends=asked), least) == status
    assert capsys.readouterr().err.splitlines() == [f"shapeflow: {line}" for line in said]


def test_a_crash_is_an_answer_and_the_next_task_has_a_new_process(tmp_path):
    python = stand_in(tmp_path, READY + """read task
case "$task" in *boom*) echo 'terminate called' >&2; kill -ABRT $$;; esac
echo '{"status": "ok"}'
read task
""")
    backend = process.Backend("torch", python)
    try:
        assert backend.ask({"do": "boom"}) == {
            "status": "lost", "reason": "the worker was ended by SIGABRT: terminate called",
            "late": False}
        assert backend.ask({"do": "run"}) == {"status": "ok"} and backend.starts == 2
    finally:
        backend.close()


def test_a_worker_that_hangs_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_process, "_GRACE", 0.1)
    backend = process.Backend("jax", stand_in(tmp_path, READY + "sleep 100\n"), seconds=0.1)
    answer = backend.ask({"do": "run"})
    backend.close()
    assert answer == {"status": "lost", "reason": "it did not end within 0 s", "late": True}


@pytest.mark.parametrize("body, is_late", [
    ("until(0.2)", False), ("time.sleep(100)", True), ("while True: pass", True)])
def test_a_start_that_gets_some_of_a_cpu_goes_on(tmp_path, monkeypatch, body, is_late):
    """A busy machine's slow start was called a crash. One that waits, or computes for ever, is ended."""
    monkeypatch.setattr(worker_process, "START", 0.7)
    path = tmp_path / "python"
    path.write_text(f"""#!{sys.executable} -IS
import time
def until(used):  # slower than the limit, with a little of a CPU all the time
    end = time.monotonic() + 1.5
    while time.process_time() < used or time.monotonic() < end:
        sum(range(100000))
        time.sleep(0.01)
{body}
print('{{"ready": true, "versions": {{}}}}', flush=True)
time.sleep(100)
""")
    path.chmod(0o755)
    backend = process.Backend("jax", str(path))
    try:
        assert backend.is_there() is not is_late, backend.missing
        assert not is_late or "did not end within 1 s" in backend.missing
    finally:
        backend.close()


def test_a_backend_that_starts_is_ended_with_the_others(tmp_path):
    """Ctrl-C waited until its framework was loaded."""
    backend = process.Backend("jax", stand_in(tmp_path, "exec sleep 100\n"))
    thread = threading.Thread(target=backend.is_there, daemon=True)
    thread.start()
    end = time.monotonic() + 20
    while backend._starting is None and time.monotonic() < end:
        time.sleep(0.01)
    backend.close()
    thread.join(10)
    assert not thread.is_alive() and backend.missing == "it was ended"
    assert not backend.is_there()


# --- models and data ---------------------------------------------------------------------------------
def dense_config(units=4, sizes=(None, 3), name="x"):
    return {
        "class_name": "Functional",
        "config": {
            "name": "m",
            "layers": [
                {
                    "class_name": "InputLayer",
                    "config": {"name": name, "batch_shape": list(sizes), "dtype": "float32"},
                },
                {"class_name": "Dense", "config": {"name": "d", "units": units}},
            ],
            "input_layers": [[name, 0, 0]],
            "output_layers": [["d", 0, 0]],
        },
    }


def functional(keras_layers, inputs):
    """Keras's JSON of a chain: [(class, config)]."""
    rows = [{"class_name": "InputLayer", "module": "keras.layers", "registered_name": None,
             "config": {"batch_shape": inputs, "dtype": "float32", "name": "x"}}]
    rows += [{"class_name": name, "module": "keras.layers", "registered_name": None,
              "config": {"name": name.lower(), **config}} for name, config in keras_layers]
    return {"class_name": "Sequential", "module": "keras", "registered_name": None,
            "config": {"name": "chain", "layers": rows}, "build_config": {"input_shape": inputs}}


def test_data_of_the_wrong_shape_are_refused_before_anything_starts(tmp_path):
    path = tmp_path / "d.npz"
    inputs = configs.inputs_of(dense_config())
    np.savez(path, x=np.zeros([5, 4]))
    with pytest.raises(configs.Unusable, match=r"input 'x' is \(None, 3\), the data are \(5, 4\)") as caught:
        models.read_data(str(path), inputs)
    assert caught.value.code == "SF707"
    np.savez(path, x=np.zeros([5, 3]), y=np.zeros([4, 1]))
    with pytest.raises(configs.Unusable, match="arrays of 4, 5 samples"):
        models.read_data(str(path), inputs)
    np.savez(path, x0=np.zeros([5, 3]), x1=np.zeros([5, 3]))
    with pytest.raises(configs.Unusable, match="has 2 inputs, the model takes 1"):
        models.read_data(str(path), inputs)
    for made, said in [(np.array([["a"] * 3]), "input 'x' is float32, the data are <U1"),
                       (np.zeros([0, 3]), "has no samples"), (np.array([object()]), "d.npz: ")]:
        np.savez(path, x=made)
        with pytest.raises(configs.Unusable, match=said):
            models.read_data(str(path), inputs)


@pytest.mark.parametrize("kept", [0, 10, 100, -1])
def test_data_that_end_too_early_are_no_data(tmp_path, kept):
    path = tmp_path / "d.npz"
    np.savez(path, x=np.zeros([5, 3]))
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(configs.Unusable, match="no .npz or .npy that can be read"):
        models.read_data(str(path), configs.inputs_of(dense_config()))


@pytest.mark.parametrize("shape, loss, said", [
    ((5, 4), "mse", None), ((5, 1), "mse", None), ((5,), "mse", None),
    ((5, 1), "SparseCategoricalCrossentropy", None),
    ((5, 7), "mse", r"output 0 is \(None, 4\), its labels are \(5, 7\)")])
def test_labels_of_the_wrong_shape_are_a_finding(shape, loss, said):
    if said is None:
        models.check_labels("d.npz", [np.zeros(shape)], [[None, 4]], loss)
        return
    with pytest.raises(configs.Unusable, match=said) as caught:
        models.check_labels("d.npz", [np.zeros(shape)], [[None, 4]], loss)
    assert caught.value.code == "SF707"
    with pytest.raises(configs.Unusable, match="has 1 labels, the model has 2 outputs"):
        models.check_labels("d.npz", [np.zeros(shape)], [[None, 4], [None, 1]], loss)


class Answers:
    """Stands for the shape engine: a Dense layer of 4, which takes up to 6 rows of 3."""

    def shapes(self, folder):
        with open(folder + "/model.json") as stream:
            shape = configs.inputs_of(json.load(stream))[0].shape
        if (shape[1] or 0) > 6:
            return {"status": "failed", "reason": "ValueError: too many rows"}
        return {"status": "ok", "ends": [[*shape[:2], 4]]}

    def close(self):
        pass


@pytest.mark.parametrize("x, y, said", [
    ([5, 6, 3], None, None), ([5, 6, 3], [5, 6, 4], None),
    ([5, 7, 3], None, r"the model does not take data of \(5, 7, 3\): ValueError: too many rows"),
    ([5, 6, 3], [5, 5, 4], r"output 0 is \(None, 6, 4\), its labels are \(5, 5, 4\)"),
    ([5, 6, 3], [5, 6, 2], r"output 0 is \(None, 6, 4\), its labels are \(5, 6, 2\)")])
def test_data_are_judged_by_the_shape_engine(tmp_path, monkeypatch, x, y, said):
    monkeypatch.setattr(opening, "Engine", Answers)
    path = str(tmp_path / "d.npz")
    np.savez(path, x=np.zeros(x), **({} if y is None else {"y": np.zeros(y)}))
    config = dense_config(sizes=(None, None, 3))
    if said is None:
        opening.judge_data(config, path, False, None)
        return
    with pytest.raises(configs.Unusable, match=said) as caught:
        opening.judge_data(config, path, False, None)
    assert caught.value.code == "SF707"
    assert configs.inputs_of(config)[0].shape == [None, None, 3]  # as it was


def test_labels_of_the_wrong_shape_are_found_before_a_framework_starts(tmp_path, capsys, monkeypatch):
    """With the real engine, and a Python of the backends that says whether it was started."""
    need("keras")
    from shapeflow.commands import backends

    monkeypatch.chdir(tmp_path)
    python = stand_in(tmp_path, f"touch {tmp_path}/started\nexit 1\n")
    (tmp_path / "m.json").write_text(json.dumps(functional([("Dense", {"units": 4})], [None, 3])))
    np.savez("d.npz", x=np.zeros([5, 3]), y=np.zeros([5, 7]))
    words = ["m.json", "--data", "d.npz", "--backends", "jax,torch", "--python", f"jax={python}",
             "--python", f"torch={python}"]
    for action in ("compare", "search"):
        assert backends.run([action, *words], []) == 1
        assert "output 0 is (None, 4), its labels are (5, 7) [SF707]" in capsys.readouterr().err
        assert not (tmp_path / "started").exists()
    np.savez("d.npz", x=np.zeros([5, 3]), y=np.zeros([5, 4]))
    assert backends.run(["compare", *words], []) == 3 and (tmp_path / "started").exists()


def test_code_in_a_model_is_refused_unless_it_is_trusted():
    config = dense_config()
    config["config"]["layers"].append(
        {"class_name": "Lambda", "config": {"function": {"class_name": "__lambda__"}}}
    )
    with pytest.raises(configs.Unusable, match=r"m.keras has code of its own \(Lambda, __lambda__\): --tr"):
        configs.refuse_code(config, "m.keras", False)
    configs.refuse_code(config, "m.keras", True)
    config = dense_config()
    config["config"]["layers"][1]["config"]["activation"] = {
        "class_name": "function", "module": "os", "config": "system", "registered_name": "system"}
    with pytest.raises(configs.Unusable, match=r"m.keras has code of its own \(os.function\): --trust runs"):
        configs.refuse_code(config, "m.keras", False)
    config["config"]["layers"][1]["config"]["activation"]["module"] = "keras.activations"
    configs.refuse_code(config, "m.keras", False)


def test_weights_are_drawn_as_after_a_training():
    made = models.draw_weights([["d/kernel", [3, 4], "float32"], ["bn/moving_variance", [4], "float32"],
                                ["seed", [2], "uint32"], ["d/bias", [4], "float16"]], 0)
    assert [a.shape for a in made] == [(3, 4), (4,), (2,), (4,)]
    assert [str(a.dtype) for a in made] == ["float32", "float32", "uint32", "float16"]
    assert made[1].min() >= .5 and made[0].std() > 0 and (made[3] != 0).all()
    assert all((a == b).all() for a, b in zip(made, models.draw_weights(
        [["d/kernel", [3, 4], "float32"], ["bn/moving_variance", [4], "float32"], ["seed", [2], "uint32"],
         ["d/bias", [4], "float16"]], 0)))


TEXT = json.dumps(dense_config()).replace("float32", "string").encode()
UNBUILT = json.dumps({"class_name": "Sequential", "config": {"layers": [
    {"class_name": "Dense", "config": {"name": "d", "units": 4}}]}}).encode()


@pytest.mark.parametrize("name, content, said", [
    ("nowhere.keras", None, "no such file"), ("m.keras", b"text", "it is no .keras file"),
    ("m.json", b"[1]", "no model that Keras saved"), ("m.json", b"{", "no model that Keras saved"),
    ("m.txt", b"", "is no model: those are .keras"),
    ("m.json", TEXT, "input 'x' is string: only numbers are compared"),
    ("m.json", UNBUILT, "the shapes of the model's inputs are not known")])
def test_a_file_that_is_no_model(tmp_path, name, content, said):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = shapeflow(tmp_path, "backends", "compare", name)
    assert done.returncode == 3 and said in done.stderr and "Traceback" not in done.stderr


def test_mistakes_in_the_command_line(tmp_path):
    for words, said in [
        (["compare"], "one model at a time"),
        (["contrast", "m.keras"], "no action 'contrast'"),
        (["compare", "m.keras", "--phases", "sideways"], "no phase 'sideways'"),
        (["compare", "m.json", "--backends", "theano"], "no backend 'theano'"),
        (["compare", "m.json", "--top", "0"], "--top is at least 1"),
        (["generate", "--workers", "0"], "--workers is at least 1"),
        (["compare", "m.json", "--share", "2"], "--share is between 0 and 1"),
        (["compare", "m.json", "--python", "torch"], "'torch' is not NAME=PATH"),
    ]:
        (tmp_path / "m.json").write_text(json.dumps(dense_config()))
        done = shapeflow(tmp_path, "backends", *words)
        assert done.returncode == 2 and said in done.stderr, done.stderr


def test_layers_that_are_asked_run_as_in_inference():
    """RandomCrop crops by default, and not in the models of a campaign."""
    import types

    from shapeflow.backends.worker import describing

    class Crop:
        _call_has_training_arg = True

        def __call__(self, x, training=True):
            return np.zeros([2, 3] if training else x.shape, "f4")

        def count_params(self):
            return 0

    def made(batch_shape, dtype):
        return types.SimpleNamespace(shape=[2 if size is None else size for size in batch_shape])

    keras = types.SimpleNamespace(Input=made, ops=types.SimpleNamespace(ones=np.ones),
                                  layers=types.SimpleNamespace(deserialize=lambda config: Crop()))
    task = {"layers": [{"config": {}, "inputs": [[[None, 5], "float32"]]}]}
    (row,) = describing.infer(keras, task)["layers"]
    assert row == {"outputs": [[[2, 3], "float32"]], "parameters": 0}
    (row,) = describing.infer(keras, {**task, "run": True})["layers"]
    assert row["apart"] == "(2, 3) by Keras's word, (2, 5) when it runs"


# --- findings, of results that are made up -------------------------------------------------------------
class Told:
    """A backend whose results are given."""

    def __init__(self, label, whole, local=None, status="ok", **answer):
        self.label, self.name, self.versions = label, label, {"keras": "3.0", label: "1"}
        self.whole, self.local = whole, local or whole
        self.answer = {"status": status, "nodes": NODES, "skipped": {}, "ends": ["f/out/0"], **answer}

    def ask(self, task):
        with open(task["out"], "wb") as stream:
            np.savez(stream, **(self.local if "reference" in task else self.whole))
        return self.answer


NODES = [
    {
        "key": "pool",
        "layer": "pool",
        "class": "AveragePooling2D",
        "inputs": ["input 0"],
        "indices": [0],
        "precision": "float32",
        "input_precisions": ["float32"],
        "outputs": [[[2, 2], "float32"]],
        "is_output": False,
    },
    {
        "key": "out",
        "layer": "out",
        "class": "Dense",
        "inputs": ["pool"],
        "indices": [0],
        "precision": "float32",
        "input_precisions": ["float32"],
        "outputs": [[[2, 2], "float32"]],
        "is_output": True,
    },
]


def numbers(pool=0., out=0., **more):
    return {"f/pool/0": np.full([2, 2], pool, "f4"), "f/out/0": np.full([2, 2], out, "f4"), **more}


def case(tmp_path):
    made = models.Case(str(tmp_path), dense_config(), "m")
    made.labels = [np.ones([2, 2], "f4")]
    return made


def told(document):
    return [(f["kind"], f["phase"], f["layer"], f["backends"]) for f in document["findings"]]


def test_the_layer_that_differs_by_itself_is_named_and_not_those_after_it(tmp_path):
    off = Told("jax", numbers(1, 7), numbers(1, 0))
    document = comparing.compare(
        case(tmp_path), [Told("tensorflow", numbers()), off, Told("torch", numbers())], comparing.Settings()
    )
    assert told(document) == [("inconsistent", "forward", "pool", ["jax"])]
    assert document["findings"][0]["code"] == "SF701"
    assert document["findings"][0]["distance"] == 1
    assert document["maps"]["jax"]["pool"]["rate"] == pytest.approx(1e7)
    assert [row["pair"] for row in document["pairs"] if row["inconsistent"]] == [
        ["tensorflow", "jax"], ["jax", "torch"]]
    assert document["marked"] == {"marked": 1, "wrong": 0}
    text = rendering.text(document)
    assert "AveragePooling2D 'pool' differs by 1 between jax and tensorflow, torch (forward) [SF701]" in text


@pytest.mark.parametrize("precision, found", [("float32", True), ("float16", True), ("bfloat16", False)])
def test_half_precision_is_compared_by_its_own_rounding(tmp_path, precision, found):
    """They are apart by 0.1: 100 steps of float16, 12 of bfloat16."""
    rough = [{**node, "precision": precision} for node in NODES]
    document = comparing.compare(
        case(tmp_path),
        [Told("tensorflow", numbers(), nodes=rough), Told("jax", numbers(0.1), nodes=rough)],
        comparing.Settings(always_local=True))
    assert bool(document["findings"]) == found


ROUGH = [{**NODES[0], "precision": "bfloat16"}, {**NODES[1], "input_precisions": ["bfloat16"]}]


def test_half_precision_elsewhere_does_not_hide_what_a_layer_of_float32_does(tmp_path):
    """They are apart by 0.01, which is 1.3 steps of bfloat16: of the first layer, and of all after it."""
    whole, alone = numbers(0.01, 0.01), numbers(0.01, 0.005)
    document = comparing.compare(
        case(tmp_path),
        [Told("tensorflow", numbers(), nodes=ROUGH), Told("torch", numbers(), nodes=ROUGH),
         Told("jax", whole, alone, nodes=ROUGH)], comparing.Settings())
    assert told(document) == [("inconsistent", "forward", "out", ["jax"])]


@pytest.mark.parametrize("name, gap, found", [("b/out/0", 0.05, False), ("b/out/0", 0.5, True),
                                              ("bw/out/0", 0.05, True)])
def test_a_gradient_by_half_precision_is_of_that_precision(tmp_path, name, gap, found):
    """By what the layer takes, not by its weights, which are float32."""
    slopes = {"g/out/0": np.ones([2, 2], "f4"), "b/out/0": np.ones([2, 2], "f4")}
    backends = [Told("tensorflow", numbers(**{**slopes, name: np.ones([2, 2], "f4")}), nodes=ROUGH),
                Told("jax", numbers(**{**slopes, name: np.full([2, 2], 1 - gap, "f4")}), nodes=ROUGH)]
    document = comparing.compare(case(tmp_path), backends, comparing.Settings(always_local=True))
    assert told(document) == [("inconsistent", "backward", "out", ["jax"])] * found


def test_pairs_of_one_pattern_are_one_inconsistency(tmp_path):
    """Rounding that grew: outputs are apart, no layer is by itself."""
    fine = {"f/pool/0": np.zeros([2, 2], "f4")}
    near, off = {**fine, "f/out/0": np.zeros([2, 2], "f4")}, {**fine, "f/out/0": np.full([2, 2], 9, "f4")}
    document = comparing.compare(
        case(tmp_path),
        [Told("tensorflow", near, fine), Told("jax", off, fine), Told("torch", near, fine)],
        comparing.Settings())
    assert sum(row["inconsistent"] for row in document["pairs"]) == 2
    (finding,) = document["findings"]
    assert (finding["backends"], finding["against"]) == (["jax"], ["tensorflow", "torch"])
    assert finding["pattern"][0] == "mad" and sum(finding["pattern"][1:]) == 2
    assert finding["message"].startswith("tensorflow from jax and jax from torch: outputs are apart by D_MAD")


def test_two_inconsistencies_of_one_output_are_told_apart_each_with_its_layer(tmp_path):
    """With so high a threshold that nothing is looked at by itself, so the first one is the reference, which
    is off in its pool; the last one is off after it, and right there."""
    document = comparing.compare(
        case(tmp_path),
        [Told("torch", numbers(1, 0.5)), Told("numpy", numbers()), Told("jax", numbers()),
         Told("tensorflow", numbers(0, 9))], comparing.Settings(threshold=10))
    layers = {tuple(finding["backends"]): finding["layer"] for finding in document["findings"]}
    assert layers == {("torch",): "pool", ("tensorflow",): "out", ("tensorflow", "torch"): "pool"}
    assert len({tuple(finding["pattern"]) for finding in document["findings"]}) == 3
    (message,) = [finding["message"] for finding in document["findings"] if finding["layer"] == "out"]
    assert message.endswith("the rate of change is highest at Dense 'out'")


def test_a_layer_that_gives_another_shape_than_keras_says_is_a_finding(tmp_path):
    """Also where every backend does: the model then ends at a later layer on all of them."""
    words = "(None, 4) by Keras's word, (2, 3) when it runs"
    backends = [Told(label, {}, status="failed", reason="ValueError: size", layer="d", phase="forward",
                     misfits={"d": words}) for label in ("jax", "torch")]
    document = comparing.compare(case(tmp_path), backends, comparing.Settings())
    assert told(document) == [("shape", "forward", "d", ["jax", "torch"])]
    assert document["findings"][0]["message"] == f"Dense 'd' is {words} on jax, torch"


@pytest.mark.parametrize("slope, found", [(1, [("inconsistent", "backward", "pool", ["jax"])]), (0, [])])
def test_a_layer_that_has_no_gradient_on_one_backend_has_zero_there(tmp_path, slope, found):
    """The first layer of a model: nothing before it shows that its gradient is gone."""
    common = {"g/out/0": np.ones([2, 2], "f4"), "b/out/0": np.ones([2, 2], "f4")}
    full = {**common, "gx/0": np.full([2, 2], slope, "f4"), "b/pool/0": np.full([2, 2], slope, "f4")}
    backends = [Told("tensorflow", numbers(**full)), Told("torch", numbers(**full)),
                Told("jax", numbers(**common)), Told("numpy", numbers())]
    document = comparing.compare(case(tmp_path), backends, comparing.Settings())
    assert told(document) == found


def rows(size):
    return np.full([2, 2], size, "f4")


@pytest.mark.parametrize("precision, found", [("float32", True), ("bfloat16", False)])
def test_small_gradients_are_compared_by_the_size_of_what_comes_in(tmp_path, monkeypatch, precision, found):
    """Those of a loss that is the mean of many numbers are small everywhere."""
    monkeypatch.setitem(NODES[1], "precision", precision)
    common = {"g/out/0": rows(1e-5), "b/out/0": rows(1e-5)}
    backends = [Told(label, numbers(**common, **{"gx/0": rows(size), "g/pool/0": rows(size)}),
                     numbers(**{**common, "b/out/0": rows(size)}))
                for label, size in (("jax", 1e-5), ("torch", 2e-5), ("tensorflow", 1e-5))]
    document = comparing.compare(case(tmp_path), backends, comparing.Settings())
    assert told(document) == [("inconsistent", "backward", "out", ["torch"])] * found


@pytest.mark.parametrize("noise", [1e-9, -1e-9, 0])
def test_rounding_of_gradients_that_cancel_is_no_difference(tmp_path, noise):
    common = {"g/out/0": rows(1e-3), "g/pool/0": rows(0)}
    backends = [Told(label, numbers(**{**common, "b/out/0": rows(size)}))
                for label, size in (("jax", 0), ("torch", noise))]
    assert told(comparing.compare(case(tmp_path), backends, comparing.Settings(always_local=True))) == []


def test_what_a_layer_raises_of_another_shape_is_of_the_layer_that_gives_it(tmp_path):
    config = functional([("RepeatVector", {"n": 2}), ("Flatten", {}), ("Dense", {"units": 2})], [None, 3])
    model = models.Case(str(tmp_path), config, "m")
    failing = Told("torch", {}, status="failed", reason="ValueError: size", layer="dense", phase="forward",
                   misfits={"repeatvector": "(None, 2, 3) by Keras's word, (8, 3, 3) when it runs"})
    document = comparing.compare(model, [Told("jax", numbers()), failing], comparing.Settings(["forward"]))
    assert told(document) == [("shape", "forward", "repeatvector", ["torch"])]
    failing.answer["layer"] = "repeatvector"
    document = comparing.compare(model, [Told("jax", numbers()), failing], comparing.Settings(["forward"]))
    assert ("raises", "forward", "repeatvector", ["torch"]) in told(document)


def test_an_embedding_of_a_sequential_model_gets_whole_numbers():
    config = functional([("Embedding", {"input_dim": 3, "output_dim": 2})], [None, 5])
    (array,) = models.draw_inputs(config, 0)
    assert array.dtype == "float32" and set(array.reshape(-1)) == {0, 1, 2}


@pytest.mark.parametrize("others_misfits, is_compared", [({}, False), ({"pool": "x"}, True)])
def test_losses_of_other_outputs_are_not_compared(tmp_path, others_misfits, is_compared):
    """No loss is taken of an output of another shape than Keras says: what has one was called off."""
    slopes = {"gl/0": np.ones([2, 2], "f4")}
    backends = [Told("jax", numbers(loss=np.float32(3), **slopes), misfits={"pool": "x"}),
                Told("torch", numbers(loss=np.float32(5), **slopes), misfits=others_misfits)]
    document = comparing.compare(case(tmp_path), backends, comparing.Settings(always_local=True))
    losses = [row[1] for row in told(document) if row[0] == "inconsistent"]
    assert losses == ["loss"] * is_compared and ("shape", "forward", "pool") in [
        row[:3] for row in told(document)]


class Slow(Told):
    """Has no answer in its first so many tries."""

    def __init__(self, label, tries):
        super().__init__(label, numbers())
        self.tries, self.given, self.seconds = tries, [], 5

    def ask(self, task, seconds=None):
        self.given.append(seconds)
        if len(self.given) <= self.tries:
            return {"status": "lost", "reason": "it did not end within 5 s", "late": True}
        return super().ask(task)


@pytest.mark.parametrize("tries, found", [(1, []), (2, [("crash", "build", "", ["jax"])])])
def test_one_that_had_no_more_time_is_asked_once_more_with_more_of_it(tmp_path, tries, found):
    slow = Slow("jax", tries)
    document = comparing.compare(case(tmp_path), [Told("torch", numbers()), slow],
                                 comparing.Settings(["forward"], patience=2))
    assert told(document) == found and slow.given == [None, 10]


def test_one_that_hangs_or_crashes_says_in_which_layer(tmp_path):
    class Ended(Told):
        def ask(self, task, seconds=None):
            with open(task["out"] + ".at", "w") as stream:
                stream.write("backward d\n")
            return {"status": "lost", "reason": "it did not end within 5 s", "late": True}

    backends = [Told("jax", numbers()), Ended("torch", {})]
    (finding,) = comparing.compare(case(tmp_path), backends, comparing.Settings())["findings"]
    assert (finding["kind"], finding["phase"], finding["layer"]) == ("crash", "backward", "d")
    assert finding["message"] == "torch hangs in Dense 'd' (backward): it did not end within 5 s"


@pytest.mark.parametrize("raised, said, is_short", [
    (np._core._exceptions._ArrayMemoryError((1 << 30,), np.dtype("float64")),
     "MemoryError: Unable to allocate 8.00 GiB for an array with shape (1073741824,) and data type float64",
     True),
    (RuntimeError("\n\n\x1b[1mDefaultCPUAllocator: can't allocate memory: you tried to allocate 8.\x1b[0m"),
     "RuntimeError: DefaultCPUAllocator: can't allocate memory: you tried to allocate 8.", True),
    (MemoryError(), "MemoryError: it says no more", True),
    (ValueError((1073741824,)), "RuntimeError: Exception encountered when calling call(). (1073741824,)",
     False),
])
def test_too_little_memory_is_said_though_keras_hides_it(raised, said, is_short):
    """Keras raised another error, of which "(1073741824,)" was all that was left."""
    from shapeflow.backends.worker import running

    try:
        try:
            raise raised
        except Exception:
            text = raised.args[0] if raised.args else ""
            raise RuntimeError(f"Exception encountered when calling call().\n\n{text}") from None
    except RuntimeError as error:
        answer = running._failure("out", "forward", error)
    assert answer["reason"] == said and answer["no_memory"] is is_short


@pytest.mark.parametrize("limit, most", [(6 << 30, " (limited to 6144 MiB)"), (None, "")])
def test_a_backend_without_memory_says_in_which_layer(tmp_path, limit, most):
    short = Told("torch", {}, status="failed", reason="MemoryError: Unable to allocate 8.00 GiB", layer="d",
                 phase="forward", no_memory=True)
    short.memory = limit
    (finding,) = comparing.compare(case(tmp_path), [Told("jax", numbers()), short, Told("numpy", numbers())],
                                   comparing.Settings())["findings"]
    assert (finding["kind"], finding["layer"], finding["backends"]) == ("raises", "d", ["torch"])
    assert finding["message"] == (
        f"torch has no memory left{most} in Dense 'd' (forward): MemoryError: Unable to allocate 8.00 GiB")


def test_nan_is_of_the_backend_that_has_it(tmp_path):
    document = comparing.compare(case(tmp_path), [Told("tensorflow", numbers(NAN)), Told("jax", numbers())],
                                 comparing.Settings())
    assert told(document) == [("nan", "forward", "pool", ["tensorflow"])]


def test_a_gradient_that_one_of_them_lacks_is_zero(tmp_path):
    with_zero = numbers(
        **{"b/pool/0": np.zeros([2], "f4"), "b/out/0": np.ones([2], "f4"), "g/out/0": np.ones(2)}
    )
    without = numbers(**{"b/out/0": np.full([2], 3, "f4"), "g/out/0": np.full(2, 2)})
    document = comparing.compare(case(tmp_path), [Told("jax", with_zero), Told("torch", without)],
                                 comparing.Settings())
    assert told(document) == [("inconsistent", "backward", "out", ["torch"])]
    assert document["findings"][0]["code"] == "SF702"


def test_the_loss_is_a_phase_of_its_own(tmp_path):
    first, second = numbers(loss=np.array(1.)), numbers(loss=np.array(2.))
    document = comparing.compare(
        case(tmp_path),
        [Told("jax", first), Told("torch", second), Told("tensorflow", first)],
        comparing.Settings(),
    )
    assert told(document) == [("inconsistent", "loss", "mse", ["torch"])]


def test_what_one_does_not_support_is_said_and_no_finding(tmp_path):
    refusing = Told("numpy", {}, status="refused", reason="NotImplementedError: no", phase="forward")
    document = comparing.compare(case(tmp_path), [Told("jax", numbers()), refusing, Told("torch", numbers())],
                                 comparing.Settings())
    assert document["findings"] == [] and document["refused"] == {"numpy": "NotImplementedError: no"}
    assert "numpy does not take it" in rendering.text(document)


def test_a_layer_that_one_does_not_support_by_itself_is_no_finding(tmp_path):
    """As a kernel that is not there for a type; what is another exception is one."""
    for unsupported, count in ((["pool"], 0), ([], 1)):
        lacking = Told("jax", numbers(), skipped={"pool": "backward: NotFoundError: no kernel"},
                       unsupported=unsupported)
        document = comparing.compare(
            case(tmp_path), [Told("tensorflow", numbers()), lacking], comparing.Settings(always_local=True))
        assert len(document["findings"]) == count


def test_what_one_alone_raises_is_a_finding(tmp_path):
    raising = Told("torch", {}, status="failed", reason="RuntimeError: size", layer="d", phase="forward")
    document = comparing.compare(
        case(tmp_path), [Told("jax", numbers()), raising, Told("tensorflow", numbers())], comparing.Settings()
    )
    assert told(document) == [("raises", "forward", "d", ["torch"])]
    assert document["findings"][0]["parameters"] == {"units": 4}


def test_what_one_raises_is_a_finding_also_where_the_others_raise_later(tmp_path):
    """Labels that no loss takes: what torch alone does not run before that is its own."""
    later = [Told(label, numbers(), status="failed", reason="ValueError: (8,) and (8, 5)", phase="loss")
             for label in ("jax", "numpy")]
    raising = Told("torch", {}, status="failed", reason="RuntimeError: size", layer="d", phase="forward")
    document = comparing.compare(case(tmp_path), [raising, *later], comparing.Settings())
    assert told(document) == [("raises", "forward", "d", ["torch"])]
    assert document["findings"][0]["against"] == ["jax", "numpy"]
    text = rendering.text(document)
    assert "torch alone raises RuntimeError: size" in text and "jax raises ValueError: (8,)" in text
    raising.answer["phase"] = "loss"
    assert comparing.compare(case(tmp_path), [raising, *later], comparing.Settings())["findings"] == []


def of_release(release, label, *given, **answer):
    made = Told(label, *given, **answer)
    made.versions = {"keras": release}
    return made


@pytest.mark.parametrize("other, is_finding", [("3.8.0", True), ("3.15.1", False)])
def test_a_model_that_another_release_of_keras_does_not_read_is_no_difference(tmp_path, other, is_finding):
    """Where a backend of that release reads it, it is one."""
    old = of_release("3.8.0", "torch:old", {}, status="failed", reason="TypeError: no", phase="build")
    backends = [of_release("3.15.1", "torch", numbers()), of_release(other, "jax", numbers()), old]
    document = comparing.compare(case(tmp_path), backends, comparing.Settings())
    assert told(document) == [("raises", "build", "", ["torch:old"])] * is_finding
    assert ("torch:old does not take it: TypeError: no" in rendering.text(document)) is not is_finding


def test_the_oldest_release_that_reads_a_file_writes_the_model_for_all(tmp_path, monkeypatch):
    """3.10 is newer than 3.9; what the newest writes older ones do not read."""
    asked = []

    def opened(made, path, backend):
        asked.append(backend.versions["keras"])
        return {"status": "ok" if len(asked) > 1 else "failed", "reason": "ValueError: no"}

    monkeypatch.setattr(opening, "_open", opened)
    backends = [of_release(release, "torch:" + release, {}, weights=[], ends=[[None, 4]])
                for release in ("3.15.1", "3.10.0", "3.9.2")]
    for backend in backends:
        monkeypatch.setattr(backend, "ask", lambda task, answer=backend.answer: answer)
    opening.case_of("m.keras", dense_config(), str(tmp_path), backends, False, 0)
    assert asked == ["3.9.2", "3.10.0"]


def test_the_page_and_sarif_have_the_findings(tmp_path):
    from shapeflow.pictures import document as graph_document

    document = comparing.compare(
        case(tmp_path),
        [Told("tensorflow", numbers()), Told("jax", numbers(1, 7), numbers(1))],
        comparing.Settings(),
    )
    graph = rendering.graph(document)
    assert graph_document.misfit(graph) is None and graph_document.broken(graph) is None
    assert [node["op"] for node in graph["nodes"]] == ["Input", "AveragePooling2D", "Dense"]
    assert graph["findings"][0]["node"] == 1
    attrs = graph["nodes"][1]["attrs"]
    assert (attrs["R jax"], attrs["deviation jax from tensorflow"]) == ("1e+07", "1")
    assert graph["nodes"][2]["outputs"] == [{"shape": "(2, 2)", "dtype": "float32", "bytes": 16}]
    assert graph["nodes"][2]["attrs"]["D_MAD tensorflow, jax"].endswith("histogram 0 0 0 0 0 2 0 0")
    assert "AveragePooling2D" in rendering.rendered(document, "html")
    sarif = json.loads(rendering.rendered(document, "sarif"))
    assert sarif["runs"][0]["results"][0]["ruleId"] == "SF701"
    json.loads(rendering.rendered(document, "json"))


def test_the_highest_quarter_is_marked_of_the_backend_that_is_off_alone(tmp_path):
    """torch is apart by rounding, and its highest rates say nothing."""
    rounded = numbers(0, 1e-7)
    document = comparing.compare(
        case(tmp_path),
        [Told("tensorflow", numbers()), Told("jax", numbers(0, 7), numbers()), Told("torch", rounded)],
        comparing.Settings(),
    )
    assert document["maps"]["torch"]["out"]["high"] and told(document) == [
        ("inconsistent", "forward", "out", ["jax"])]
    one, = rendering.graph(document)["findings"]
    assert one["message"].endswith("in the highest quarter for jax against tensorflow: R = 7e+07")
    document["findings"][0]["layer"] = "pool"  # then the layer has a mark of its own
    marks = rendering.graph(document)["findings"]
    assert [(mark["code"], mark["error"], mark["node"]) for mark in marks] == [
        ("SF701", True, 1), ("SF708", False, 2)]
    assert "torch against" not in rendering.text(document)


def test_where_all_raise_nothing_was_compared(tmp_path):
    raising = [Told(label, {}, status="failed", reason="ValueError: size", layer="d", phase="forward")
               for label in ("jax", "torch")]
    document = comparing.compare(case(tmp_path), raising, comparing.Settings())
    text = rendering.text(document)
    assert document["findings"] == [] and rendering.nothing_compared(document)
    assert "jax raises ValueError: size" in text and "nothing was compared" in text
