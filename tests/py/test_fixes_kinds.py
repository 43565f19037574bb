"""Each kind of candidate: a small program that is wrong, the fix that is found, and the silence after it."""
import pytest

from shapeflow import fixes
from shapeflow.checker import runner
from shapeflow.fixes.search import SearchOptions

HEAD = "import numpy as np\nimport tensorflow as tf\n"
RUN = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"


def headed(program, part):
    return HEAD + program, part


def keras(program, part):
    return HEAD + "from tensorflow.keras import layers, models\n" + program, part


CASES = {
    "tensordot": headed(
        "assert tf.__version__ == '1.8.0'\nx = tf.placeholder(tf.float32, [None, 30, 16])\n"
        "w = tf.Variable(tf.zeros([16, 8]))\n"
        "y = tf.nn.bias_add(tf.matmul(x, w), tf.zeros([8]))\nz = y + tf.zeros([30, 8])\n" + RUN +
        "sess.run(z, {x: np.zeros([2, 30, 16])})\n",
        "y = tf.nn.bias_add(tf.tensordot(x, w, axes=1), tf.zeros([8]))"),
    "product in all places": headed(
        "x = tf.placeholder(tf.float32, [50, 4, 4, 64])\nw = tf.Variable(tf.zeros([7 * 7 * 64, 10]))\n"
        "y = tf.matmul(tf.reshape(x, [-1, 7 * 7 * 64]), w)\n" + RUN +
        "sess.run(y, {x: np.zeros([50, 4, 4, 64])})\n", "tf.reshape(x, [-1, 4 * 4 * 64]), w)"),
    "equal numbers of a list": headed(
        "small = tf.zeros([2, 16, 16, 4])\nw = tf.zeros([5, 5, 8, 4])\n"
        "x = tf.placeholder(tf.float32, [2, 8, 8, 8])\n"
        "up = tf.nn.conv2d_transpose(small, w, [2, 8, 8, 8], strides=[1, 2, 2, 1]) + x\n",
        "small = tf.zeros([2, 4, 4, 4])"),
    "axis": headed(
        "a = tf.placeholder(tf.float32, [None, 3])\nb = tf.placeholder(tf.float32, [None, 5])\n"
        "c = tf.matmul(tf.concat([a, b], 0), tf.zeros([8, 2]))\n", "tf.concat([a, b], 1)"),
    "reshape with its numbers swapped": headed(
        "x = tf.placeholder(tf.float32, [None, 12])\ny = tf.reshape(x, [-1, 4, 3])\n"
        "z = tf.matmul(y, tf.zeros([7, 4, 2]))\n" + RUN + "sess.run(z, {x: np.zeros([7, 12])})\n",
        "y = tf.reshape(x, [-1, 3, 4])"),
    "drop_remainder": headed(
        "data = tf.data.Dataset.from_tensor_slices(np.zeros([10, 3], np.float32)).batch(4)\n"
        "state = tf.zeros([4, 3])\nfor x in data:\n    state = state + x\n",
        ".batch(4, drop_remainder=True)"),
    "bound of a loop": headed(
        "data = np.zeros([100, 6])\nx = tf.placeholder(tf.float32, [32, 6])\n"
        "y = tf.reduce_sum(x * tf.ones([32, 1]))\n" + RUN +
        "for i in range(0, 100, 32):\n    sess.run(y, {x: data[i:i + 32]})\n",
        "for i in range(0, 100 - 32 + 1, 32):"),
    "placeholder for any batch": headed(
        "data = np.zeros([100, 6])\nx = tf.placeholder(tf.float32, [32, 6])\n"
        "y = tf.reduce_sum(x, 1)\n" + RUN +
        "for i in range(0, 100, 32):\n    sess.run(y, {x: data[i:i + 32]})\n",
        "x = tf.placeholder(tf.float32, [None, 6])"),
    "batch of a noise": headed(
        "def noisy(x):\n    noise = tf.random_normal([64, 5])\n    return x + noise\n"
        "x = tf.placeholder(tf.float32, [None, 5])\ny = noisy(x)\n" + RUN +
        "sess.run(y, {x: np.zeros([64, 5])})\nsess.run(y, {x: np.zeros([10, 5])})\n",
        "noise = tf.random_normal([tf.shape(x)[0], 5])"),
    "class numbers, by numpy": headed(
        "x = tf.placeholder(tf.float32, [None, 20])\ny = tf.placeholder(tf.float32, [None, 5])\n"
        "out = tf.layers.dense(x, 5)\n"
        "loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=out))\n" + RUN +
        "numbers = np.arange(7) % 5\nsess.run(loss, {x: np.zeros([7, 20]), y: numbers})\n",
        "y: np.eye(5)[numbers]"),
    "class numbers, in the graph": (
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 2])\n"
        "y = tf.placeholder(tf.float32, [None, 5])\nout = tf.layers.dense(x, 5)\n"
        "loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=out))\n" + RUN +
        "sess.run(loss, {x: [[1.0, 2.0]], y: [3]})\n", "y = tf.one_hot(y_class, 5)"),
    "labels of a loss": headed(
        "y = tf.placeholder(tf.int32, [None])\nout = tf.layers.dense(tf.zeros([7, 20]), 5)\n"
        "loss = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=out)\n" + RUN +
        "sess.run(loss, {y: np.arange(7) % 5})\n", "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y"),
    "silent broadcast": headed(
        "x = tf.constant([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]])\ntarget = tf.constant([1.0, 2.0, 3.0])\n"
        "guess = tf.matmul(x, tf.Variable(tf.zeros([2, 1])))\n"
        "error = tf.reduce_mean(tf.square(target - guess))\n"
        "step = tf.train.AdamOptimizer(1e-3).minimize(error)\n" + RUN + "sess.run(step)\n",
        "tf.square(tf.expand_dims(target, 1) - guess)"),
    "argmax over one column": headed(
        "y = tf.placeholder(tf.float32, [None, 1])\nout = tf.layers.dense(y, 1)\n"
        "right = tf.equal(tf.argmax(out, 1), tf.argmax(y, 1))\n" + RUN +
        "sess.run(right, {y: np.zeros([4, 1])})\n",
        "right = tf.equal(tf.greater(out, 0.5), tf.greater(y, 0.5))"),
    "shared variable": headed(
        "with tf.variable_scope('net'):\n    a = tf.get_variable('w', [3, 4])\n"
        "with tf.variable_scope('net', reuse=True):\n    b = tf.get_variable('w', [3, 5])\n"
        "c = a + b\n" + RUN + "sess.run(c)\n", "b = tf.get_variable('w', [3, 4])"),
    "static shape": (
        "import tensorflow as tf\nassert tf.__version__ == '1.8.0'\n"
        "x = tf.placeholder(tf.float32, [None, 20])\n"
        "w = tf.Variable(tf.truncated_normal([tf.shape(x)[1], 5]))\ny = tf.matmul(x, w)\n",
        "tf.truncated_normal([int(x.get_shape()[1]), 5])"),
    "attribute of a model": headed(
        "class Model:\n    def __init__(self, batch, many=64):\n        self.batch = batch\n"
        "        self.many = many\n        self.x = tf.placeholder(tf.float32, [self.batch, 3])\n\n"
        "    def run(self, sess, data):\n        some = data[0:self.many]\n"
        "        return sess.run(tf.reduce_sum(self.x), {self.x: some})\n\n"
        "model = Model(10)\nsess = tf.Session()\nmodel.run(sess, np.zeros([100, 3]))\n",
        "data[0:self.batch]"),
    "default of a parameter": headed(
        "def layer(x, n=128):\n    w = tf.Variable(tf.zeros([n, 10]))\n    return tf.matmul(x, w)\n\n"
        "x = tf.placeholder(tf.float32, [None, 300])\ny = layer(x)\n" + RUN +
        "sess.run(y, {x: np.zeros([5, 300])})\n", "def layer(x, n=300):"),
    "a step too many": headed(
        "def network(pictures):\n    return tf.reduce_mean(pictures, [1, 2])\n\n"
        "x = tf.placeholder(tf.float32, [None, 8, 8, 3])\ny = network(x)\n"
        "picture = np.zeros([8, 8, 3])\nbatch = np.expand_dims(picture, 0)\n"
        "turned = np.transpose(batch, [0, 3, 1, 2])\n" + RUN + "sess.run(y, {x: turned})\n",
        "sess.run(y, {x: batch})"),
    "arguments of a function": headed(
        "def product(a, b):\n    return tf.matmul(a, b)\n\n"
        "x = tf.placeholder(tf.float32, [None, 7])\nw = tf.Variable(tf.zeros([7, 2]))\n"
        "y = product(w, x)\n" + RUN + "sess.run(y, {x: np.zeros([5, 7])})\n", "product(x, w)"),
    "two edits": headed(
        "x = tf.placeholder(tf.float32, [None, 6])\nh = tf.reshape(x, [-1, 2, 3])\n"
        "y = tf.matmul(h, tf.zeros([3, 4]))\nz = tf.matmul(y, tf.zeros([2, 4]))\n" + RUN +
        "sess.run(z, {x: np.zeros([5, 6])})\n", "tf.zeros([3, 4])"),
    "keras: Flatten": keras(
        "model = models.Sequential([\n    layers.Conv2D(8, 3, input_shape=(12, 12, 1)),\n"
        "    layers.Dense(10, activation='softmax'),\n])\n"
        "model.compile('adam', 'sparse_categorical_crossentropy')\n"
        "model.fit(np.zeros([64, 12, 12, 1]), np.zeros([64], int), verbose=0)\n",
        "    layers.Flatten(),\n    layers.Dense(10"),
    "keras: loss": keras(
        "model = models.Sequential([layers.Dense(10, activation='softmax', input_shape=(4,))])\n"
        "model.compile('adam', 'categorical_crossentropy')\n"
        "model.fit(np.zeros([64, 4]), np.zeros([64], int), verbose=0)\n",
        "'sparse_categorical_crossentropy'"),
    "keras: return_sequences": keras(
        "model = models.Sequential([\n    layers.LSTM(8, input_shape=(10, 4)),\n    layers.LSTM(8),\n"
        "    layers.Dense(1),\n])\nmodel.compile('adam', 'mse')\n"
        "model.fit(np.zeros([64, 10, 4]), np.zeros([64, 1]), verbose=0)\n",
        "layers.LSTM(8, input_shape=(10, 4), return_sequences=True)"),
    "batched before it is parsed": headed(
        "def rows(one):\n    return tf.ensure_shape(one, [3])\n\n"
        "data = tf.data.Dataset.from_tensor_slices(np.zeros([8, 3], np.float32)).batch(4).map(rows)\n"
        "for row in data:\n    total = tf.reduce_sum(row)\n", ".map(rows).batch(4)"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_fix_is_found(name, tmp_path):
    program, part = CASES[name]
    path = tmp_path / "script.py"
    path.write_text(program)
    report = runner.run(str(path))
    found = report.of("error") or report.of("warning")
    assert found, "nothing is wrong with it"
    fixes.find(report, SearchOptions(seconds=60))
    shown = found[0].fixes
    texts = [fixes.apply(found[0], number)[str(path)] for number in range(len(shown))]
    assert any(part in text for text in texts), [fix["description"] for fix in shown]
    number = next(i for i, text in enumerate(texts) if part in text)
    path.write_text(texts[number])
    after = runner.run(str(path))
    assert after.of("error", "warning") == [] and after.failure is None
    assert shown[number]["clean"]


# Programs for which every candidate is wrong: it does not help, or only by not running what failed.
HOPELESS = {
    "sizes of data": headed(
        "few = tf.constant([float(len(word)) for word in 'a bc d'.split()])\n"
        "many = tf.constant([float(len(word)) for word in 'a bc d ef g'.split()])\nboth = few + many\n", ""),
    "a loop that would not run": headed(
        "rows = np.zeros([len('abc'), 3], np.float32)\n"
        "data = tf.data.Dataset.from_tensor_slices(rows).batch(len('abcde'))\n"
        "state = tf.zeros([len('abcde'), 3])\nfor x in data:\n    state = state + x\n", ""),
    "a model that fits nothing": headed(
        "def sizes():\n    return [len('ab'), len('abc')]\n\n"
        "a = tf.zeros(sizes())\nb = tf.zeros([len('abcde') + n for n in sizes()])\n"
        "c = tf.matmul(a, b)\n", ""),
    "its own exception comes after": headed(
        "a = tf.zeros([2, 3])\nb = tf.matmul(a, tf.zeros([4, 5]))\n"
        "if int(b.shape[0]) == 2:\n    raise RuntimeError('never mended')\n", ""),
}


@pytest.mark.parametrize("name", HOPELESS)
def test_nothing_is_shown_when_nothing_helps(name, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(HOPELESS[name][0])
    report = runner.run(str(path))
    found = report.of("error", "warning")
    assert found, "nothing is wrong with it"
    fixes.find(report, SearchOptions(seconds=60))
    assert [fix["description"] for record in found for fix in record.fixes] == []
