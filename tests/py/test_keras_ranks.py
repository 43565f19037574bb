"""Layers of Keras that are given what is of unknown rank, as batches of a data set that is not there."""
import pytest

from command import need, report_of, write


@pytest.fixture(autouse=True)
def keras():
    need("keras")


HEAD = """\
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
L = tf.keras.layers
data = tfds.load("own/pictures", split="train", as_supervised=True).batch(4)
x, y = next(iter(data))
"""
# A layer, an input that it takes, and the dims of its output that are known whatever the input is.
LAYERS = {
    "L.Conv1D(8, 3)": ((2, 9, 3), "??8"), "L.Conv2D(8, 3, strides=2)": ((2, 9, 9, 3), "???8"),
    "L.Conv3D(4, 2)": ((2, 5, 5, 5, 1), "????4"), "L.Conv2DTranspose(8, 3)": ((2, 9, 9, 3), "???8"),
    "L.SeparableConv2D(8, 3)": ((2, 9, 9, 3), "???8"), "L.DepthwiseConv1D(3)": ((2, 9, 3), "???"),
    "L.MaxPool2D()": ((2, 8, 8, 3), "????"), "L.AveragePooling1D(2)": ((2, 8, 3), "???"),
    "L.GlobalAveragePooling2D()": ((2, 8, 8, 3), "??"),
    "L.GlobalMaxPool1D(keepdims=True)": ((2, 8, 3), "?1?"),
    "L.LSTM(5)": ((2, 7, 3), "?5"), "L.GRU(5, return_sequences=True)": ((2, 7, 3), "??5"),
    "L.SimpleRNN(6)": ((2, 7, 3), "?6"), "L.Bidirectional(L.LSTM(4))": ((2, 7, 3), "?8"),
    "L.Flatten()": ((2, 3, 4), "??"), "L.Reshape((3, 4))": ((2, 12), "?34"),
    "L.Reshape((-1, 4))": ((2, 12), "??4"), "L.UpSampling2D()": ((2, 3, 3, 1), "????"),
    "L.ZeroPadding2D()": ((2, 3, 3, 1), "????"), "L.RepeatVector(6)": ((2, 3), "?6?"),
    "L.Permute((2, 1))": ((2, 3, 4), "???"),
    "tf.keras.Sequential([L.Conv2D(8, 3), L.MaxPool2D(), L.Flatten(), L.Dense(5)])": ((2, 9, 9, 3), "?5"),
    "tf.keras.Sequential([L.Input((9, 3)), L.Dense(5)])": ((2, 9, 3), "?95"),
    "tf.keras.Model(*(lambda i: (i, L.Dense(5)(i)))(L.Input((9, 3))))": ((2, 9, 3), "?95"),
}
COMPARED = HEAD + """
def known(made):
    return [str(dim) if isinstance(dim, int) else "?" for dim in tf.convert_to_tensor(made).shape]
for text, (shape, wanted) in %r.items():
    told, real = known(eval(text)(x)), known(eval(text)(tf.zeros(shape)))
    if told != list(wanted) or len(real) != len(told) or any(b not in (a, "?") for a, b in zip(real, told)):
        raise SystemExit("%%s makes %%s of something unknown, and %%s of %%s" %% (text, told, real, shape))
"""


def test_layers_say_what_they_make_of_any_rank(tmp_path):
    """As much of it as follows from the layer, and it is what the layer makes of an input that it takes."""
    write(tmp_path, train=COMPARED % LAYERS)
    report, done = report_of(tmp_path)
    assert done.returncode == 0
    assert [f["message"] for f in report["findings"] if f["code"] != "SF904"] == []


NET = HEAD + """
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.second = L.Conv2D(8, 3), L.BatchNormalization(), L.Conv2D(16, 3)
        self.mean, self.flat, self.dense, self.out = (
            L.GlobalAveragePooling2D(), L.Flatten(), L.Dense(32), L.Dense(10))
    def call(self, pictures):
        hidden = self.second(self.norm(self.first(pictures)))
        if %s:
            return self.out(self.dense(self.flat(hidden)))
        return self.out(self.mean(hidden))
net = Net()
tf.matmul(net(x), tf.zeros([%d, 2]))
tf.matmul(net(tf.zeros([2, 28, 28, 3])), tf.zeros([%d, 2]))
"""


@pytest.mark.parametrize("flattens", [True, False])
def test_a_model_of_the_program_is_checked_behind_its_first_layer(tmp_path, flattens):
    """Its layers are not built for sizes that nobody knows, so that they take known ones after that."""
    for first, second, lines in ((10, 10, []), (11, 10, [20]), (10, 11, [21])):
        folder = tmp_path / f"{first} {second}"
        folder.mkdir()
        write(folder, train=NET % (flattens, first, second))
        report, done = report_of(folder)
        found = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
        assert found == lines, (done.stdout, done.stderr)
        assert "SF908" not in [f["code"] for f in report["findings"]], done.stdout


@pytest.mark.parametrize("layer", ["L.Dense(3)", "L.BatchNormalization()", "L.Embedding(9, 4)", "L.Add()",
                                   "L.TimeDistributed(L.Dense(3))", "L.RNN(L.LSTMCell(4))"])
def test_of_others_nobody_knows(tmp_path, layer):
    write(tmp_path, train=HEAD + f"made = {layer}(x)\nmade + tf.zeros([5, 6, 7])\nmade + tf.zeros([3, 2])\n")
    report, done = report_of(tmp_path)
    assert not [f for f in report["findings"] if f["severity"] == "error"], done.stdout


ADAPTED = """\
import glob
import tensorflow as tf
L = tf.keras.layers
def spectrogram(path):
    sound = tf.squeeze(tf.audio.decode_wav(tf.io.read_file(path))[0], -1)
    return tf.abs(tf.signal.stft(sound, 255, 128))[..., tf.newaxis]
sounds = tf.data.Dataset.from_tensor_slices(glob.glob("speech/*.wav")).map(spectrogram)
norm = L.Normalization()
norm.adapt(sounds)
net = tf.keras.Sequential([L.Input((None, 129, 1)), L.Resizing(32, 32), norm, L.Flatten(), L.Dense(4)])
tf.matmul(net(tf.zeros([2, 50, 129, 1])), tf.zeros([%d, 3]))
"""


@pytest.mark.parametrize("size, lines", [(4, []), (5, [11])])
def test_normalization_of_data_of_which_nobody_knows_the_count(tmp_path, size, lines):
    write(tmp_path, train=ADAPTED % size)
    report, done = report_of(tmp_path)
    found = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
    assert found == lines and "SF908" not in [f["code"] for f in report["findings"]], done.stdout


NESTED = HEAD + """
i = L.Input((9,))
net = tf.keras.Model(i, {"a": L.Dense(3)(i), "b": [L.Dense(4)(i), L.Dense(5)(i)]})
tf.matmul(net(x)["a"], tf.zeros([3, 2]))
tf.matmul(net(x)["b"][1], tf.zeros([%d, 2]))
tf.matmul(net.predict(x)["b"][0], tf.zeros([%d, 2]))
tf.one_hot(L.Flatten()(x), 7)
tf.nn.embedding_lookup(tf.zeros([9, 4]), L.Reshape((3,))(x))
"""


@pytest.mark.parametrize("sizes, lines", [((5, 4), []), ((6, 4), [11]), ((5, 3), [12])])
def test_outputs_are_nested_as_the_model_has_them(tmp_path, sizes, lines):
    """And layers that only move what they are given make no floats of numbers of words."""
    write(tmp_path, train=NESTED % sizes)
    report, done = report_of(tmp_path)
    found = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
    assert found == lines, done.stdout
    assert "SF908" not in [f["code"] for f in report["findings"]], done.stdout
