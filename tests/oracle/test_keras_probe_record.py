"""tests/probes/keras.json: is the record of what Keras gives on TensorFlow 2.21 still what it gives?"""
import json
import sys
from pathlib import Path

import pytest
from test_oracle import PYTHON

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "py"))

from test_keras_probes import PROBES, answers  # noqa: E402

pytestmark = pytest.mark.skipif(
    not PYTHON, reason="SKIPPED ALOUD: no oracle tests, SHAPEFLOW_ORACLE names no Python with TensorFlow")


def test_the_record_is_that_of_keras_on_tensorflow(tmp_path):
    record = json.loads((PROBES / "keras.json").read_text())
    real = answers(PYTHON, tmp_path)
    assert {name: record.get(name) for name in real} == real
