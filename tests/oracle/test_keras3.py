"""Keras 3's layers, losses, metrics and ops on random shapes: what they give, and what they refuse.

As test_oracle.py, but eagerly on zeros and with TensorFlow 2's names. An error is an error, whatever its
class: Keras wraps what its backend raises.
"""

import os
import random

import pytest
from evaluate import evaluate_eagerly
from test_oracle import PYTHON, Oracle

import shapeflow
from shapeflow import _core
from shapeflow.checker import import_hook
from shapeflow.checker.patches import Scope
from shapeflow.tensorflow.compat import version_detection

CASES = int(os.environ.get("SHAPEFLOW_ORACLE_CASES") or 800)

pytestmark = pytest.mark.skipif(
    not PYTHON, reason="SKIPPED ALOUD: no oracle tests, SHAPEFLOW_ORACLE names no Python with TensorFlow"
)

UNARY = ("abs square exp relu softmax sigmoid tanh log1p sqrt sign logical_not gelu leaky_relu "
         "zeros_like".split())
BINARY = (
    "add subtract multiply divide maximum minimum power equal greater logical_and mod floor_divide".split()
)
REDUCED = "sum mean max min prod any all var std logsumexp argmax argmin count_nonzero".split()
LOSSES = (
    "mse mae mape msle hinge squared_hinge poisson kld huber categorical_crossentropy "
    "sparse_categorical_crossentropy binary_crossentropy".split()
)
LOSS_CLASSES = (
    "MeanSquaredError MeanAbsoluteError BinaryCrossentropy CategoricalCrossentropy "
    "SparseCategoricalCrossentropy Huber KLDivergence Hinge".split()
)
METRICS = (
    "Accuracy BinaryAccuracy CategoricalAccuracy SparseCategoricalAccuracy Precision Recall AUC "
    "MeanSquaredError MeanAbsoluteError BinaryCrossentropy CategoricalCrossentropy "
    "TopKCategoricalAccuracy SparseTopKCategoricalAccuracy".split()
)
FUNCTIONS = "binary_accuracy categorical_accuracy sparse_categorical_accuracy".split()
LAYERS = (
    "Dense(3)",
    "Flatten()",
    "Reshape((2, -1))",
    "Reshape((6,))",
    "Permute((2, 1))",
    "RepeatVector(2)",
    "Conv1D(4, 2)",
    "Conv1D(4, 3, strides=2, padding='same')",
    "Conv2D(4, 2)",
    "Conv2D(2, 3, padding='same')",
    "Conv2DTranspose(2, 3, strides=2)",
    "MaxPooling1D(2)",
    "MaxPooling2D(2)",
    "AveragePooling2D(3, 1, 'same')",
    "GlobalAveragePooling1D()",
    "GlobalMaxPooling2D()",
    "LSTM(3)",
    "GRU(2, return_sequences=True)",
    "SimpleRNN(2)",
    "Bidirectional(tf.keras.layers.LSTM(2))",
    "BatchNormalization()",
    "LayerNormalization()",
    "Dropout(0.5)",
    "UpSampling1D(2)",
    "UpSampling2D(2)",
    "ZeroPadding2D(1)",
    "Cropping1D(1)",
    "Embedding(5, 3)",
    "TimeDistributed(tf.keras.layers.Dense(2))",
    "EinsumDense('abc,cde->abde', (None, 4, 2), bias_axes='de')",
    "EinsumDense('...x,xy->...y', 4)",
    "Softmax()",
    "PReLU()",
    "SeparableConv2D(3, 2)",
    "DepthwiseConv2D(2)",
    "GlobalAveragePooling2D(keepdims=True)",
    "Activation('relu')",
    "LeakyReLU()",
)
MERGES = (
    "Add() Multiply() Subtract() Average() Maximum() Concatenate() Concatenate(axis=1) Dot(axes=1)".split()
)


def _shape(r, low=0, high=4):
    return [r.choice((1, 2, 3, 4, 6)) for _ in range(r.randint(low, high))]


def _near(r, shape):
    """A shape that goes with `shape`, or nearly so."""
    made = list(shape)
    kind = r.random()
    if made and kind < 0.25:
        made[r.randrange(len(made))] = r.choice((1, 2, 3))
    elif made and kind < 0.4:
        made.pop(r.choice((0, -1)))
    elif kind < 0.5:
        made.insert(r.choice((0, len(made))), 1)
    return made


def _case(r):
    a = _shape(r)
    b = _near(r, a)
    kind = lambda: r.choice(("float32", "float32", "int32", "bool"))  # noqa: E731
    inputs = {"a": ["float32", a], "b": ["float32", b]}
    axis = r.randint(-2, 2)
    drawn = r.randrange(11)
    if drawn == 0:
        return {"a": [kind(), a]}, "tf.keras.ops.%s(a)" % r.choice(UNARY)
    if drawn == 1:
        return {"a": [kind(), a], "b": [kind(), b]}, "tf.keras.ops.%s(a, %s)" % (
            r.choice(BINARY),
            r.choice(("b", "b", "b", "2", "0.5")),
        )
    if drawn == 2:
        return {"a": [kind(), a]}, "tf.keras.ops.%s(a%s)" % (
            r.choice(REDUCED),
            r.choice(("", ", axis=%d" % axis)),
        )
    if drawn == 3:
        return inputs, r.choice(
            (
                "tf.keras.ops.matmul(a, b)",
                "tf.keras.ops.dot(a, b)",
                "tf.keras.ops.concatenate([a, b], axis=%d)" % axis,
                "tf.keras.ops.stack([a, b], axis=%d)" % axis,
                "tf.keras.ops.expand_dims(a, %d)" % axis,
                "tf.keras.ops.squeeze(a, %d)" % axis,
                "tf.keras.ops.swapaxes(a, 0, %d)" % axis,
                "tf.keras.ops.moveaxis(a, 0, -1)",
                "tf.keras.ops.transpose(a)",
                "tf.keras.ops.reshape(a, (2, -1))",
                "tf.keras.ops.where(a, a, b)",
                "tf.keras.ops.repeat(a, 2, axis=%d)" % axis,
                "tf.keras.ops.tile(a, 2)",
                "tf.keras.ops.split(a, 2, axis=%d)" % axis,
                "tf.keras.ops.take(a, [0, 0], axis=%d)" % axis,
                "tf.keras.ops.one_hot(tf.cast(a, 'int32'), 3)",
                "tf.keras.ops.norm(a, axis=%d)" % axis,
                "tf.keras.ops.clip(a, 0, 1)",
                "tf.keras.ops.ravel(a)",
                "tf.keras.ops.outer(a, b)",
                "tf.keras.ops.tensordot(a, b, axes=1)",
                "tf.keras.ops.categorical_crossentropy(a, b)",
                "tf.keras.ops.binary_crossentropy(a, b)",
                "tf.keras.ops.broadcast_to(a, (2, 3))",
                "tf.keras.ops.flip(a, axis=%d)" % axis,
                "tf.keras.ops.pad(a, 1)",
                "tf.keras.ops.hstack([a, b])",
            )
        )
    if drawn == 4:
        return inputs, "tf.keras.losses.%s(a, b)" % r.choice(LOSSES)
    if drawn == 5:
        return inputs, "tf.keras.losses.%s()(a, b%s)" % (
            r.choice(LOSS_CLASSES),
            r.choice(("", "", ", sample_weight=tf.zeros(a.shape[:1])", ", sample_weight=b")),
        )
    if drawn == 6:
        # the result alone: update_state is judged by whether it goes through
        return inputs, "tf.keras.metrics.%s()(a, b%s)" % (
            r.choice(METRICS),
            r.choice(("", "", ", sample_weight=tf.zeros(a.shape[:1])")),
        )
    if drawn == 7:
        return inputs, "tf.keras.metrics.%s(a, b)" % r.choice(FUNCTIONS)
    if drawn == 8:
        return inputs, "tf.keras.layers.%s([a, b])" % r.choice(MERGES)
    if drawn == 9:
        query, value = _shape(r, 3, 3), _shape(r, 3, 3)
        value[0] = query[0]
        value = _near(r, value) if r.random() < 0.3 else value
        layer = r.choice(
            (
                "MultiHeadAttention(2, 3)(a, b)",
                "MultiHeadAttention(1, 2, output_shape=5)(a, b, b)",
                "Attention()([a, b])",
                "AdditiveAttention()([a, b])",
            )
        )
        return {"a": ["float32", query], "b": ["float32", value]}, "tf.keras.layers." + layer
    return {"a": ["float32", _shape(r, 2, 4)]}, "tf.keras.layers.%s(a)" % r.choice(LAYERS)


def _cases(count, seed):
    r = random.Random(seed)
    for _ in range(count):
        inputs, text = _case(r)
        yield {"inputs": inputs, "text": text}


def _differs(theirs, ours):
    if "error" in theirs or "error" in ours:
        return ("error" in theirs) != ("error" in ours)
    return any(a != b and b[1] is not None for a, b in zip(theirs["outputs"], ours["outputs"])) or len(
        theirs["outputs"]
    ) != len(ours["outputs"])


@pytest.fixture
def ours_alone():
    """Other tests of the process import the real TensorFlow; the Keras that is installed runs on ours."""
    with Scope("oracle") as scope:
        import_hook.replace_tensorflow(scope.by("checker.import_hook", "tensorflow and keras are ShapeFlow"))
        yield


def test_keras(ours_alone, seed=3):
    oracle = Oracle()
    before = _core.get_version(), "eager" if _core.executing_eagerly() else "graph"
    version_detection.activate(oracle.version, "eager")
    try:
        cases = list(_cases(CASES, seed))
        answers = oracle.ask(keras=cases)
        wrong = []
        for case, theirs in zip(cases, answers):
            ours = evaluate_eagerly(
                shapeflow, case, lambda dtype, shape, name: shapeflow.zeros(shape, dtype)
            )
            if _differs(theirs, ours):
                wrong.append(
                    "%s\n   %s\n   theirs %s\n   ours   %s"
                    % (case["text"], case["inputs"], str(theirs)[:300], str(ours)[:300])
                )
        assert any("error" in a for a in answers) and any("outputs" in a for a in answers)
        assert not wrong, "%d of %d\n" % (len(wrong), len(cases)) + "\n".join(wrong)
    finally:
        oracle.close()
        _core.clear_findings()
        version_detection.activate(*before)
