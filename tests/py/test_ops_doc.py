"""docs/ops.md says what the registry holds."""
import inspect
from pathlib import Path

from shapeflow import _core
from shapeflow.api import make_ops


def test_docs_are_up_to_date():
    doc = Path(__file__).parents[2] / "docs" / "ops.md"
    assert make_ops.main([str(doc), "--check"]) == 0, "run: python -m shapeflow.api.make_ops"


def test_every_name_has_one_kind():
    kinds = [make_ops.kind(name) for name in make_ops.names()]
    assert kinds.count(make_ops.PRECISE) >= 900
    assert make_ops.kind("MatMul") == make_ops.PRECISE
    assert make_ops.kind("PyFunc") == make_ops.UNKNOWN
    assert make_ops.kind("NoSuchOp") == make_ops.ABSENT


def test_raw_functions(tf2):
    tf = tf2
    shown = str(inspect.signature(tf.raw_ops.AnonymousMutableDenseHashTable))
    assert shown.endswith("value_shape=[], initial_num_buckets=131072, max_load_factor=0.8, name=None)")
    assert "axis" in inspect.signature(tf.raw_ops.Sum).parameters
    assert tf.raw_ops.Sum(input=tf.zeros([2, 3]), axis=0).shape == [3]
    batch = tf.raw_ops.Batch(in_tensors=[tf.zeros([2, 3]), tf.zeros([2])], num_batch_threads=1,
                             max_batch_size=2, batch_timeout_micros=1, grad_timeout_micros=1)
    assert batch._fields == ("batched_tensors", "batch_index", "id")
    assert [t.shape.rank for t in batch.batched_tensors] == [2, 1] and batch.id.shape == []
    assert tf.raw_ops.NoOp() is None
    assert "MatMul" in dir(tf.raw_ops) and len(dir(tf.raw_ops)) == len(make_ops.names())
    assert _core.op_info("MatMul")["family"] == "linalg"
