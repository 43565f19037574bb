"""`shapeflow summary` counts the parameters that real Keras 3 counts."""
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_oracle import PYTHON

MODELS = Path(__file__).with_name("keras_models.py")

pytestmark = pytest.mark.skipif(
    not PYTHON, reason="SKIPPED ALOUD: no oracle tests, SHAPEFLOW_ORACLE names no Python with TensorFlow"
)


RECURRENT = ("LSTM", "GRU", "SimpleRNN", "Bidirectional", "RNN")


def test_parameters_and_shapes_are_those_of_keras(tmp_path):
    done = subprocess.run([PYTHON, MODELS], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    keras = json.loads(done.stdout.splitlines()[-1])
    ours = subprocess.run([sys.executable, "-m", "shapeflow", "summary", "--format", "json", MODELS],
                          capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert ours.returncode == 0, ours.stderr
    tables = {table["name"].partition(" ")[0]: table for table in json.loads(ours.stdout)["tables"]}
    assert set(tables) == set(keras)
    for name, want in keras.items():
        rows = [row for row in tables[name]["rows"] if row["depth"] == 0 and row["name"][0] != "("]
        assert [[row["name"], row["parameters"]] for row in rows] == [w[:2] for w in want["layers"]], name
        total = tables[name]["total"]
        assert {key: total[key] for key in ("trainable", "not_trainable", "parameters")} == {
            key: want[key] for key in ("trainable", "not_trainable", "parameters")}, name
        for row, (layer, _, shape) in zip(rows, want["layers"]):
            if shape is not None:
                assert [re.sub(r"[a-z_]\w*|\?", "None", found) for found in row["outputs"]] == [shape], layer
            # The turns of a loop over time are not multiplied yet.
            assert row["flops"] is not None or row["kind"] in RECURRENT, (name, layer)
            assert row["bytes"] is not None, (name, layer)
