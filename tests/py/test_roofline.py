"""FLOPs, bytes moved and the least time on a device of the catalogue, against sums made by hand here."""
import json

import pytest

from command import shapeflow

T4_FLOPS, T4_BYTES = 8.1e12, 320e9  # a second, by the data sheet
A100_FLOPS, A100_BYTES = 19.5e12, 2039e9

# a[m,k] x b[k,n]: m*n*k products and sums; both are read and the product is written.
PRODUCT = """\
import tensorflow as tf
a = tf.zeros([1024, 1024])
b = tf.Variable(tf.zeros([1024, 512]))
@tf.function
def step():
    return tf.matmul(a, b)
step()
"""
PRODUCT_FLOPS = 2 * 1024 * 512 * 1024
PRODUCT_BYTES = 4 * (1024 * 1024 + 1024 * 512 + 1024 * 512)
# Each of the outputs is a sum of 3*3*8 products; the gradient of the kernel is as much again, of the output's
# gradient and of the input.
CONVOLUTION = """\
import tensorflow as tf
x = tf.zeros([32, 16, 16, 8])
k = tf.Variable(tf.zeros([3, 3, 8, 16]))
@tf.function
def step():
    with tf.GradientTape() as tape:
        y = tf.nn.conv2d(x, k, 1, 'SAME')
    return tape.gradient(y, k)
step()
"""
CONVOLUTION_FLOPS = 2 * (2 * 32 * 16 * 16 * 16 * (3 * 3 * 8))
CONVOLUTION_BYTES = 2 * 4 * (32 * 16 * 16 * 8 + 3 * 3 * 8 * 16 + 32 * 16 * 16 * 16)


@pytest.mark.parametrize("text, line, flops, moved", [
    (PRODUCT, 6, PRODUCT_FLOPS, PRODUCT_BYTES), (CONVOLUTION, 7, CONVOLUTION_FLOPS, CONVOLUTION_BYTES)])
@pytest.mark.parametrize("device, per_second, bandwidth", [
    ("t4", T4_FLOPS, T4_BYTES), ("a100-80gb", A100_FLOPS, A100_BYTES)])
def test_cost_and_least_time_are_those_of_the_sums(tmp_path, text, line, flops, moved, device, per_second,
                                                   bandwidth):
    (tmp_path / "train.py").write_text(text)
    done = shapeflow(tmp_path, "memory", "--json", "--tf-version", "2.21.0", "--device", device, "train.py")
    made = json.loads(done.stdout)
    assert (made["flops"], made["moved"]) == (flops, moved)
    arithmetic, copying = flops / per_second, moved / bandwidth
    [told] = made["devices"]
    assert told["seconds_at_least"] == pytest.approx(max(arithmetic, copying), rel=1e-12)
    assert told["bound_by"] == ("arithmetic" if arithmetic > copying else "memory")
    [row] = [row for row in made["lines"] if row["flops"]]
    assert row["name"].endswith(f"train.py:{line}") and row["intensity"] == flops / moved
