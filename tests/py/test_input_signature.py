"""Arguments of a tf.function with an input_signature: lists, numbers and arrays are tensors in its body, and
what does not fit is refused in TensorFlow's words. Answers of the real 2.21."""

from command import report_of, write

FITS = """import numpy as np
import tensorflow as tf
vector, number = tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.int32)
@tf.function(input_signature=[vector])
def add(x):
    return x + 1
assert add([1., 2.]).numpy().tolist() == add([1, 2]).numpy().tolist() == [2., 3.]
assert add(np.array([1., 2.])).dtype == tf.float32 and add(x=[1.]).shape == [1]
@tf.function(input_signature=[[vector, number], tf.TensorSpec([], tf.float32), {"a": number}])
def nested(pair, factor, named):
    return pair[0] * factor, pair[1] + named["a"]
assert nested([[1., 2.], 3], 2.0, {"a": 1})[1].numpy() == 4
assert nested(pair=[[1., 2.], 3], factor=2, named={"a": 1})[0].shape == [2]
class Model(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def __call__(self, x):
        return tf.reduce_sum(x)
assert Model()([[1., 2.]]).shape == []
"""


def test_what_fits_is_a_tensor(tmp_path):
    write(tmp_path, train=FITS + "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))\n")
    report, _ = report_of(tmp_path)
    assert report["scripts"][0]["failure"] is None
    assert [f["primary"]["line"] for f in report["findings"]] == [len(FITS.splitlines()) + 1]


def test_what_does_not_fit_is_refused_as_it_was_given(tmp_path):
    write(tmp_path, train=FITS + "add([[1., 2.]])\n")
    report, _ = report_of(tmp_path)
    assert [(f["code"], f["message"]) for f in report["findings"]] == [(
        "SF106", "Binding inputs to tf.function failed due to `Can not cast TensorSpec(shape=(1, 2), "
        "dtype=tf.float32, name=None) to TensorSpec(shape=(None,), dtype=tf.float32, name=None)`. Received "
        "args: ([[1.0, 2.0]],) and kwargs: {} for signature: (x: TensorSpec(shape=(None,), dtype=tf.float32, "
        "name=None)).")]
