"""Hundreds of small things of the installed Keras: on ShapeFlow they are what they are on TensorFlow.

tests/probes/keras_probes.py asks, tests/probes/keras.json is what Keras 3.15 with TensorFlow 2.21 answered:
`python tests/probes/keras_probes.py > tests/probes/keras.json` with TensorFlow's Python records anew. One in
EVERY is asked; SHAPEFLOW_EVERY=1 asks all.
"""
import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROBES = Path(__file__).resolve().parent.parent / "probes"
RECORDED = "3.15"  # the version of Keras: another one has other texts
EVERY = os.environ.get("SHAPEFLOW_EVERY") or "6"

# Ours is another text: what of it is the same. TensorFlow's eager runtime adds no " name: " where an input
# was a list.
DIFFERENT = {
    "use: layers.Normalization(mean=[1.,2.], variance=[1.,1.])(np.ones((3,4)))":
        "Incompatible shapes: [1,2] vs. [1,4]",
    "use: m=keras.metrics.Mean() ;; m.update_state(np.ones((4,)), sample_weight=np.ones((3,)))":
        "Incompatible shapes: [3] vs. [4]",
    "use: ops.reshape(np.ones((2,3)), (4,2))": "tensor with 6 values, but the requested shape has 8",
    'use: m=keras.Sequential([keras.Input((3,)), layers.Dense(2)]) ;; m.compile("adam", "mse") ;; '
    "m.fit(np.ones((4,3)), validation_split=0.5, verbose=0)": "None",  # the text of a traced function
}


def answers(python, folder, *options):
    done = subprocess.run([python, str(PROBES / "keras_probes.py"), *options], capture_output=True, text=True,
                          cwd=folder, env={**os.environ, "SHAPEFLOW_EVERY": EVERY})
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def ordered(answer):
    """A set that a text prints has another order in each process."""
    if not isinstance(answer, list):
        return answer
    return [re.sub(r"\{'[^{}:]*'\}", lambda found: str(sorted(found[0][1:-1].split(", "))), part)
            if isinstance(part, str) else part for part in answer]


def is_lacking(answer):
    """Does Keras ask for a package that is not installed here?"""
    return isinstance(answer, list) and answer[:2] == ["raises", "ImportError"] and any(
        "requires the %s module" % name in answer[2] and importlib.util.find_spec(name) is None
        for name in ("scipy",))


@pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")
def test_answers_are_those_of_keras_on_tensorflow(tmp_path):
    version = importlib.metadata.version("keras")
    if not version.startswith(RECORDED + "."):
        pytest.skip("SKIPPED ALOUD: the record is of Keras %s, not %s" % (RECORDED, version))
    ours, real = answers(sys.executable, tmp_path, "--ours"), json.loads((PROBES / "keras.json").read_text())
    assert len(ours) * int(EVERY) >= len(real) and len(ours) > 30
    wrong = {name: (real.get(name), answer) for name, answer in ours.items()
             if ordered(answer) != ordered(real.get(name)) and not is_lacking(answer)}
    for name in DIFFERENT.keys() & wrong.keys():
        both = wrong.pop(name)
        assert both[0][:2] == both[1][:2] and all(DIFFERENT[name] in text for _, _, text in both)
    assert not wrong, "\n".join("%s\n    TensorFlow %s\n    ShapeFlow  %s" % (name, *both)
                                for name, both in wrong.items())
