"""Devices of nodes, and what TensorFlow refuses, against TensorFlow on three virtual CPUs.

Needs $SHAPEFLOW_ORACLE; $SHAPEFLOW_ORACLE_1 may name a Python with TensorFlow 1.15 too.
"""
import json
import os
import subprocess
from pathlib import Path

import pytest
from placement_programs import evaluate, programs

import shapeflow as tf
from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection

PYTHONS = {"2.21.0": os.environ.get("SHAPEFLOW_ORACLE", ""),
           "1.15.0": os.environ.get("SHAPEFLOW_ORACLE_1", "")}
HERE = Path(__file__).resolve().parent


def ours(api, graph, soft):
    with api.Session(graph=graph, config=api.ConfigProto(allow_soft_placement=soft)) as session:
        session.run(api.no_op(name="sf_nothing"))
        return {name: device.rpartition("device:")[2] for name, device in session.placement().items()}


@pytest.mark.parametrize("version", sorted(PYTHONS))
def test_same_devices_and_errors(version, tmp_path):
    python = PYTHONS[version]
    if not python:
        pytest.skip("SKIPPED ALOUD: no Python with TensorFlow " + version)
    answers = tmp_path / "answers.json"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run([python, str(HERE / "placement_programs.py"), str(answers)], check=True, env=environment,
                   stderr=subprocess.DEVNULL, timeout=600)
    real = json.loads(answers.read_text())
    version_detection.activate(version, "graph")
    _core.set_machine("cpu:3")
    wrong, compared, nodes = [], 0, 0
    try:
        for text, answer in zip(programs(), real):
            for soft, told in zip((False, True), answer):
                found = evaluate(tf.compat.v1 if version[0] == "2" else tf, text, soft, ours)
                compared += 1
                if "error" in told or "error" in found:
                    same = told == found
                else:
                    both = told["devices"].keys() & found["devices"].keys()
                    nodes += len(both)
                    told = {name: told["devices"][name] for name in both}
                    found = {name: found["devices"][name] for name in both}
                    same = bool(both) and told == found
                if not same:
                    wrong.append((text, soft, told, found))
    finally:
        _core.set_machine(None)
    for text, soft, told, found in wrong:
        print(f"--- soft={soft}\n{text}\n  TensorFlow: {told}\n  ours:       {found}")
    assert not wrong, f"{len(wrong)} of {compared} differ"
    assert compared >= 220 and nodes > 800
