"""Whole programs that use Keras 2 (tf_keras, TF_USE_LEGACY_KERAS), each right and with one shape wrong.

They are written as those of Keras 3 are (test_keras_programs.py); real TensorFlow 2.21 with tf_keras 2.21
runs the right ones to their end, and stops the wrong ones.
"""
import importlib.util
from pathlib import Path

import pytest
from test_keras_programs import check

PROGRAMS = sorted((Path(__file__).parent / "keras_2").glob("*.py"))
HAS_KERAS_2 = importlib.util.find_spec("tf_keras") is not None


@pytest.mark.skipif(not HAS_KERAS_2, reason="tf_keras is not installed")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_findings(path, tmp_path):
    check(path, tmp_path)
