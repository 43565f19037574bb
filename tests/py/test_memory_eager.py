"""`shapeflow memory` of eager code: what Python, tapes and functions hold, and when."""
import json

import pytest

from command import shapeflow

SIZE = 1024 * 256 * 4  # bytes of each large tensor below
HEAD = "import numpy as np\nimport tensorflow as tf\nx = tf.constant(np.zeros([1024, 256], 'f'))\n"


def peak(tmp_path, text, *options):
    (tmp_path / "train.py").write_text(HEAD + text)
    done = shapeflow(tmp_path, "memory", "--json", "--tf-version", "2.21.0", *options, "train.py")
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def large(made):
    """How many of the large tensors are held at the peak, x included."""
    return made["peak"] / SIZE


@pytest.mark.parametrize("text, expected", [
    ("y = x + 1.\nz = y + 1.\n", 3),  # both names keep theirs
    ("y = x + 1.\ny = y + 1.\ny = y + 1.\n", 3),  # the old one goes when the name is bound anew
    ("kept = [x + float(i) for i in range(5)]\n", 6),
    ("def f():\n    y = x + 1.\n    return tf.reduce_sum(y + 1.)\nf()\nf()\n", 3),
    ("y = tf.reshape(x, [256, 1024])\n", 1),  # a view
    ("@tf.function\ndef f(x):\n    a = x + 1.\n    b = a + 1.\n    c = b + 1.\n    return c\ny = f(x)\n", 2),
])
def test_what_names_hold(tmp_path, text, expected):
    assert large(peak(tmp_path, text)) == pytest.approx(expected, abs=0.01)


CALLED = """
w = [tf.Variable(tf.zeros([512, 512]))]; x = tf.zeros([1024, 512])
@tf.function
def f(x):
    return tf.tanh(tf.matmul(x, w[0]))
def step(x):
    {step}
step(x)
"""


@pytest.mark.parametrize("step, allocated", [
    ("return [f(x) for _ in range(4)]", 11534336),
    ("for _ in range(4):\n        x = f(x)", 7340032),
    ("for _ in range(4):\n        f(x)", 5242880),
    ("return tf.reduce_mean(tf.stack([f(x) for _ in range(4)]))", 19922944),
])
def test_each_call_of_a_function_gives_tensors_of_its_own(tmp_path, step, allocated):
    """Bytes that TensorFlow 2.21 allocated (measured_peak of benchmarks/memory_eager.py)."""
    assert peak(tmp_path, CALLED.format(step=step))["peak"] == pytest.approx(allocated, rel=0.01)


def test_calls_of_a_function_are_counted_until_there_are_many(tmp_path):
    text = "@tf.function\ndef f(x):\n    return x + 1.\nkept = [f(x) for _ in range(200)]\n"
    assert 60 <= large(peak(tmp_path, text, "--every-batch")) <= 201


LAYERS = """
w = [tf.Variable(tf.zeros([256, 256])) for _ in range(6)]
{decorator}
def block(h, a, b):
    return tf.tanh(tf.matmul(tf.tanh(tf.matmul(h, a)), b))
def step():
    with tf.GradientTape() as tape:
        h = x
        for i in range(0, 6, 2):
            h = block(h, w[i], w[i + 1])
        loss = tf.reduce_mean(h)
    return tape.gradient(loss, w)
for _ in range(2):
    step()
"""


def test_a_tape_keeps_what_the_gradients_read(tmp_path):
    made = peak(tmp_path, LAYERS.format(decorator=""))
    # TensorFlow 2.21's allocator was asked for 8.25 beside x: six results of tanh (whose gradient reads
    # them), two gradients on the way, and that of a weight.
    assert large(made) - made["parts"]["variables"] / SIZE == pytest.approx(9.25, abs=0.01)
    assert made["parts"]["variables"] == 6 * 256 * 256 * 4


def test_a_recomputed_block_keeps_its_argument_only(tmp_path):
    made = peak(tmp_path, LAYERS.format(decorator="@tf.recompute_grad"))
    # As TensorFlow 2.21: of a block that is computed again all is held, with the gradient that arrived,
    # until its gradients are there. Three blocks are too few to save anything, twelve are not.
    assert large(made) - made["parts"]["variables"] / SIZE == pytest.approx(9.75, rel=0.03)
    longer = LAYERS.replace("range(6)", "range(24)").replace("range(0, 6", "range(0, 24")
    plain, less = (peak(tmp_path, longer.format(decorator=how)) for how in ("", "@tf.recompute_grad"))
    assert large(plain) - large(less) >= 8


def test_the_gradients_of_a_step_go_with_their_names(tmp_path):
    made = peak(tmp_path, LAYERS.format(decorator="") + "for _ in range(5):\n    step()\n")
    assert large(made) == pytest.approx(large(peak(tmp_path, LAYERS.format(decorator=""))), abs=0.01)


def test_half_precision_halves_activations(tmp_path):
    text = "h = tf.cast(x, {})\nfor _ in range(3):\n    h = tf.tanh(h)\n"
    single, half = (peak(tmp_path, text.format(kind))["parts"]["activations"]
                    for kind in ("tf.float32", "tf.float16"))
    assert single == 2 * SIZE and half == SIZE  # the old h and the new one


def test_the_batch_is_that_of_the_data(tmp_path):
    made = peak(tmp_path, "y = tf.tanh(tf.matmul(x, tf.zeros([256, 64])))\n", "--device", "t4")
    line = made["batch"]
    assert line["size"] == 1024
    assert line["each"] * 1024 + line["fixed"] == pytest.approx(made["peak"])
    other = peak(tmp_path, "y = tf.tanh(tf.matmul(x, tf.zeros([256, 64])))\n", "--batch", "4096")
    assert other["peak"] == pytest.approx(line["each"] * 4096 + line["fixed"], rel=0.01)
    assert made["devices"][0]["largest_batch"] > 1_000_000


@pytest.mark.parametrize("text", [
    "y = tf.reshape(x, [1024, 16, 16])\n",  # what Python reads of a shape is in the trace as numbers
    "y = tf.reshape(x, [x.shape[0] * 16, 16]) @ tf.zeros([16, 64])\n",
    "y = tf.reshape(tf.reshape(x, [1024 * 256]), [1024, -1]) @ tf.zeros([256, 64])\n",
    "y = tf.where(tf.random.uniform([1024, 256]) < .5, x, 0.)\n",
    "y = x + tf.cast(tf.random.uniform([1024, 256]) < .5, tf.float32) * 2.\n",
    "y = tf.concat([x, tf.broadcast_to(tf.zeros([1, 8]), [1024, 8])], 1)\n",
])
def test_numbers_of_the_program_follow_the_batch(tmp_path, text):
    made = peak(tmp_path, text)
    line = made["batch"]
    assert line["size"] == 1024 and line["each"] >= 1024, line
    other = peak(tmp_path, text, "--batch", "512")
    assert other["peak"] == pytest.approx(made["peak"] / 2, rel=0.2)


def test_a_batch_that_a_variable_fixes_is_no_function(tmp_path):
    assert peak(tmp_path, "v = tf.Variable(tf.zeros([1024, 1]))\ny = x * v\n")["batch"] is None


STEPS = """\
w = tf.Variable(tf.zeros([256, 256]))
def step(x):
    with tf.GradientTape() as tape:
        h = x
        for _ in range(16):
            h = tf.tanh(h @ w)
        loss = tf.reduce_mean(h)
    w.assign_sub(tape.gradient(loss, w))
    return loss
{}
for _ in range({}):
    step(x)
"""


@pytest.mark.parametrize("function", ["", "step = tf.function(step)"])
def test_the_cost_is_that_of_one_step(tmp_path, function):
    one, five = (peak(tmp_path, STEPS.format(function, n)) for n in (1, 5))
    product = 2 * 1024 * 256 * 256
    assert one["flops"] == pytest.approx(product * 16 * 3, rel=0.1)
    assert five["flops"] == pytest.approx(one["flops"], rel=0.01)


def test_updates_of_a_function_follow_their_gradients(tmp_path):
    """The gradients of weights go one by one; a weight that the other gradient of its product still reads is
    copied by its update (TensorFlow 2.21 allocates so)."""
    text = ("w = [tf.Variable(tf.zeros([2048, 2048])) for _ in range(8)]\n"
            "@tf.function\ndef step(h):\n    with tf.GradientTape() as tape:\n"
            "        for v in w:\n            h = tf.tanh(h @ v)\n        loss = tf.reduce_sum(h)\n"
            "    for v, g in zip(w, tape.gradient(loss, w)):\n        v.assign_sub(0.1 * g)\n"
            "for _ in range(2):\n    step(tf.zeros([4, 2048]))\n")
    weight = 2048 * 2048 * 4
    assert peak(tmp_path, text)["peak"] == pytest.approx((8 + 2) * weight, rel=0.05)


ADAM = """\
w = [tf.Variable(tf.zeros([1024, 1024])) for _ in range(8)]
m, s = ([tf.Variable(tf.zeros([1024, 1024])) for _ in range(8)] for _ in range(2))
@tf.function
def step(h):
    with tf.GradientTape() as tape:
        for v in w:
            h = tf.tanh(h @ v)
        loss = tf.reduce_sum(h)
    for v, a, b, g in zip(w, m, s, tape.gradient(loss, w)):
        a.assign_add((g - a) * 0.1)
        b.assign_add((tf.square(g) - b) * 0.1)
        v.assign_sub(a / (tf.sqrt(b) + 1e-7))
for _ in range(2):
    step(tf.zeros([4, 1024]))
"""


def test_what_reads_a_slot_waits_for_its_write(tmp_path):
    """An update of many ops follows its gradient too: no update waits for all gradients."""
    weight = 1024 * 1024 * 4
    assert peak(tmp_path, ADAM)["peak"] <= (3 * 8 + 3) * weight * 1.02


@pytest.mark.parametrize("text, kept", [
    ("h = h * 2.", 0), ("h = 2. * h", 0), ("h = h / 2.", 0), ("h = h * tf.stop_gradient(x)", 0),
    ("h = h * h", 1), ("h = 2. / h", 1),
])
def test_what_is_multiplied_by_a_constant_is_not_kept(tmp_path, text, kept):
    made = peak(tmp_path, "w = tf.Variable(tf.zeros([256]))\n"
                "@tf.function\ndef step(x):\n    with tf.GradientTape() as tape:\n        h = x + w\n"
                f"        for _ in range(16):\n            {text}\n"
                "        loss = tf.reduce_sum(tf.square(h))\n"
                "    w.assign_sub(tape.gradient(loss, w))\nstep(x)\n")
    assert large(made) >= 16 if kept else large(made) <= 4, large(made)


def test_an_update_copies_a_table_that_is_read_by_indices(tmp_path):
    text = ("w = tf.Variable(tf.zeros([100000, 16]))\n"
            "@tf.function\ndef step(i):\n    with tf.GradientTape() as tape:\n"
            "        loss = tf.reduce_sum(tf.tanh(tf.gather(w, i)))\n"
            "    w.assign_sub(tf.convert_to_tensor(tape.gradient(loss, w)))\n"
            "step(tf.zeros([4], tf.int32))\n")
    assert peak(tmp_path, text)["peak"] == pytest.approx(3 * 100000 * 16 * 4, rel=0.05)


def test_the_rows_of_an_embeddings_gradient_have_a_size(tmp_path):
    made = peak(tmp_path, "w = tf.Variable(tf.zeros([1000, 16]))\n"
                "with tf.GradientTape() as tape:\n"
                "    loss = tf.reduce_sum(tf.gather(w, tf.cast(x[:, 0], tf.int32)))\n"
                "g = tape.gradient(loss, w)\n")
    assert made["at_least"] is False


def test_the_line_of_what_is_largest(tmp_path):
    rows = peak(tmp_path, "a = tf.tanh(x)\nb = tf.concat([a, a], 0)\n")["largest"]
    assert rows[0]["op"] == "ConcatV2" and rows[0]["line"][1] == 5
    assert {"data", "Tanh"} <= {row["node"] for row in rows}


def test_a_variable_is_counted_once(tmp_path):
    made = peak(tmp_path, "v = tf.Variable(tf.zeros([1024, 256]))\nv.assign(x + 1.)\nv.assign_add(x)\n"
                          "y = tf.reduce_sum(v)\n")
    assert made["parts"]["variables"] == SIZE and large(made) <= 3.01


def test_what_a_tape_of_nothing_gives(tmp_path):
    made = peak(tmp_path, "with tf.GradientTape() as tape:\n    y = tf.reduce_sum(x)\n"
                          "print(tape.gradient(y, tf.Variable(1.)))\n")
    assert large(made) == pytest.approx(1, abs=0.01)


def held(made):
    """How many of the large tensors each GPU holds at its own peak."""
    return [row["peak"] / SIZE for row in made["placed"] if "GPU" in row["device"]]


@pytest.mark.parametrize("text, expected", [
    ("y = x + 1.\n", [2, 0]),  # what nobody places is on the first GPU
    ("with tf.device('/gpu:1'):\n    y = x + 1.\n    z = y * 2.\n", [0, 3]),  # x is copied to its reader
    ("with tf.device('/GPU:1'):\n    y = x + 1.\n    with tf.device('gpu:0'):\n        z = y * 2.\n", [1, 2]),
    ("with tf.device('/gpu:1'):\n    with tf.device(None):\n        y = x + 1.\n", [2, 0]),
    ("with tf.device('/gpu:1'):\n    v = tf.Variable(x)\n", [0, 1]),
    ("with tf.device('/cpu:0'):\n    y = x + 1.\n", [0, 0]),
])
def test_eager_code_is_on_the_devices_that_it_says(tmp_path, text, expected):
    assert held(peak(tmp_path, text, "--devices", "t4*2")) == pytest.approx(expected, abs=0.01)


REPLICAS = """
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    w = tf.Variable(tf.zeros([1024, 256]))
def step(batch):
    return batch + 1.
data = tf.data.Dataset.from_tensors(np.zeros([2048, 256], "f")).unbatch().batch(2048)
for batch in strategy.experimental_distribute_dataset(data):
    kept = strategy.run(step, (batch,))
"""


def test_replicas_hold_the_same_each(tmp_path):
    """The variable, their half of the batch, and what they make of it."""
    made = peak(tmp_path, REPLICAS, "--devices", "t4*2")
    assert held(made) == pytest.approx([3, 3], abs=0.01)


def test_a_gpu_that_is_too_small_for_anything_has_nothing_to_use(tmp_path):
    (tmp_path / "train.py").write_text(HEAD + "y = x + 1.\n")
    done = shapeflow(tmp_path, "check", "--tf-version", "2.21.0", "--device", "g{memory=20MiB;capability=75}",
                     "train.py")
    assert "of 0.0 MiB that TensorFlow may use" in done.stdout, done.stdout + done.stderr
