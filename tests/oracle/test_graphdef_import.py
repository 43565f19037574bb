"""Graph files of real TensorFlow: our shapes of every node against those of its own import."""
import json
import os
import subprocess
from pathlib import Path

import pytest

from shapeflow import _core

PYTHON = os.environ.get("SHAPEFLOW_ORACLE", "")
pytestmark = pytest.mark.skipif(
    not PYTHON, reason="SKIPPED ALOUD: no oracle tests, SHAPEFLOW_ORACLE names no Python with TensorFlow")
NAMES = ["cnn", "cnn_shapes", "rnn1", "rnn1_shapes", "rnn2", "rnn2_shapes", "fn", "fn_shapes", "train",
         "model.meta", "saved"]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """{name: {node: [[dtype, dims or None]]}}, and the folder of the files."""
    folder = tmp_path_factory.mktemp("models")
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run([PYTHON, str(Path(__file__).with_name("tf_models.py")), str(folder)], check=True,
                   env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
    return folder, json.loads((folder / "shapes.json").read_text())


def _load(data, kind):
    shapes = {}
    for _, _, start, size, _, _ in _core.model_parts(data, kind):
        g = _core.Graph()
        _core.clear_findings()
        _core.import_graph_def(data[start:start + size], g, keep_going=True)
        found = [f for f in [*_core.findings(), *_core.other_findings()] if f.severity == "error"]
        _core.clear_findings()
        assert found == [] and g._verify() is None
        for op in g.get_operations():
            shapes[op.name] = [[o.dtype.name, None if o.shape.rank is None else o.shape.as_list()]
                               for o in op.outputs]
    return shapes


def _refines(ours, theirs):
    return ours[0] == theirs[0] and (theirs[1] is None or (
        ours[1] is not None and len(ours[1]) == len(theirs[1]) and
        all(t is None or o == t for o, t in zip(ours[1], theirs[1]))))


@pytest.mark.parametrize("name", NAMES)
def test_every_node_of_a_file(models, name):
    folder, expected = models
    kind = "meta" if name.endswith(".meta") else "saved" if name == "saved" else "graph"
    path = folder / "saved" / "saved_model.pb" if kind == "saved" else \
        folder / (name if kind == "meta" else name + ".pb")
    ours, theirs = _load(path.read_bytes(), kind), expected[name]
    assert set(ours) == set(theirs)
    wrong = {node: (ours[node], outs) for node, outs in theirs.items()
             if len(ours[node]) != len(outs) or not all(map(_refines, ours[node], outs))}
    assert wrong == {}
    if kind == "graph":
        text = _core.text_to_wire(path.with_suffix(".pbtxt").read_bytes(), "graph")
        assert _load(text, "graph") == ours
