"""Parts of arrays that are not there: a window has as many rows as the program says, wherever it begins."""
import pytest

from command import report_of, write

HEAD = """\
import random
import numpy as np
import tensorflow as tf
x = np.load("x.npy").reshape(-1, 4)
i = np.load("positions.npy")[0]
n = x.shape[0]
W = 30
"""
# What makes an array of 30 rows and 4 columns.
RIGHT = {
    "from a number that nobody knows": "part = x[i:i + W]",
    "up to it": "part = x[i - W:i]",
    "of two of them": "part = x[i + 1:i + 1 + W]",
    "by turns": "part = x[i * W:(i + 1) * W]",
    "before it": "j = W - i\npart = x[5 - i:5 + j]",
    "once its length was asked": "parts = [x[k - W:k] for k in range(W, len(x))]\npart = parts[0]",
    "at random, once its length was asked": "k = random.randint(0, len(x) - W)\npart = x[k:k + W]",
    "at random in numpy": "k = np.random.randint(0, n - W + 1)\npart = x[k:k + W]",
    "by numbers of numpy's": "ks = np.random.randint(0, len(x) - W, 8)\n"
                             "part = np.stack([x[k:k + W] for k in ks])[0]",
    "in every turn": "for turn in range(40):\n    parts = x[i + 1:i + 1 + W]\n"
                     "    tf.zeros([30, 4]) + parts.astype('float32')\npart = parts",
    "of rows and columns": "part = x[i:i + W, :]",
    "of columns from a number that nobody knows": "part = x.T[:, i:i + W].T",
}


@pytest.mark.parametrize("window", RIGHT.values(), ids=RIGHT.keys())
def test_a_window_has_its_rows(tmp_path, window):
    for rows, codes in ((30, []), (29, ["SF114"])):
        folder = tmp_path / str(rows)
        folder.mkdir()
        write(folder, train=HEAD + window +
              f"\ntf.matmul(part.T.astype('float32'), tf.zeros([{rows}, 2]))\n")
        report, done = report_of(folder)
        found = [f["code"] for f in report["findings"] if f["severity"] == "error"]
        assert found == codes, (rows, done.stdout, done.stderr)
        assert "SF908" not in [f["code"] for f in report["findings"]], done.stdout


@pytest.mark.parametrize("window", [
    "part = x[i:n]", "part = x[i:2 * i]", "part = x[i:i + int(n)]", "part = x[i:i + W:2]",
    "part = x[i + W:i]",
    "part = x[i:np.load('ends.npy')[0] + W]", "part = x[i / 2:i / 2 + W]", "part = x[i % 7:i + W]",
    "part = x[:i + W]", "part = x[[1, 2, i]][i:]", "part = x[i * i:i + W]"])
def test_of_others_nobody_knows(tmp_path, window):
    write(tmp_path, train=HEAD + window + "\n"
          "tf.matmul(part.T.astype('float32'), tf.zeros([31, 2]))\n")
    report, done = report_of(tmp_path)
    assert not [f for f in report["findings"] if f["severity"] == "error"], done.stdout


@pytest.mark.parametrize("turns", ["range(W, n)", "range(W + 2, n, 2)", "range(own.first, n)",
                                   "range(2 * W - 1, n)"])
def test_a_range_that_ends_nobody_knows_where_has_turns(tmp_path, turns):
    """Whatever number it begins with."""
    for columns, codes in ((4, []), (5, ["SF114"])):
        folder = tmp_path / str(columns)
        folder.mkdir()
        write(folder, train=HEAD + f"""
class Own:
    def __init__(self):
        self.first = 200
own = Own()
parts = []
for k in {turns}:
    parts.append(x[k - W:k].reshape(-1, 4))
tf.matmul(parts[-1].astype("float32"), tf.zeros([{columns}, 2]))
""")
        report, done = report_of(folder)
        found = [f["code"] for f in report["findings"] if f["severity"] == "error"]
        assert found == codes, (columns, done.stdout, done.stderr)
        assert "SF908" not in [f["code"] for f in report["findings"]], done.stdout


# Of `part`, which has 4 columns and nobody knows how many rows: right, and wrong.
APIS = {
    "rank of labels": ("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=%s, logits=part)",
                       "tf.cast(part[:, 0], tf.int32)", "tf.cast(part, tf.int32)"),
    "axis of unstack": ("tf.unstack(part, axis=%s)", "1", "2"),
    "size of unstack": ("tf.unstack(part)[0] + tf.zeros([%s])", "4", None),
    "a mask": ("tf.boolean_mask(part, %s, axis=1)", "[True] * 4", "[True] * 5"),
    "a loss": ("tf.nn.sigmoid_cross_entropy_with_logits(labels=part, logits=tf.zeros([7, %s]))", "4", "3"),
}


@pytest.mark.parametrize("call, right, wrong", APIS.values(), ids=APIS.keys())
def test_what_tensorflow_asks_of_known_dims(tmp_path, call, right, wrong):
    """An array of which nobody knows the rows has a rank and columns, of which its messages tell."""
    for value, codes in ((right, []), (wrong, ["SF132"])):
        if value is None:
            continue
        folder = tmp_path / str(len(codes))
        folder.mkdir()
        write(folder, train=f"""\
import numpy as np
import tensorflow as tf
part = tf.constant(np.load("x.npy").reshape(-1, 4).astype("float32"))
{call % value}
""")
        report, done = report_of(folder)
        found = [f["code"] for f in report["findings"] if f["severity"] == "error"]
        assert found == codes, (value, done.stdout, done.stderr)


BATCHES = """\
import numpy as np
import tensorflow as tf
x = np.load("x.npy").reshape(-1, 4)
fed = tf.placeholder(tf.float32, [32, %d])
with tf.Session() as session:
    for k in range(0, len(x), 32):
        session.run(fed, {fed: x[k:k + 32]})
    session.run(fed, {fed: x[len(x) - 32:]})
    sizes = np.array([x[:500].shape[0], x.shape[0] // 2])
    assert sizes.dtype is not None
    tf.constant(sizes) + tf.constant(np.array([1, 2]))
"""


@pytest.mark.parametrize("columns, lines", [(4, []), (5, [7, 8])])
def test_a_batch_at_an_end_that_is_made_up_is_of_unknown_size(tmp_path, columns, lines):
    """Data may be a whole number of batches. And numbers of Python's have no dtype of numpy's."""
    write(tmp_path, train=BATCHES % columns)
    report, done = report_of(tmp_path)
    found = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
    assert found[:1] == lines[:1] and set(found) <= set(lines), done.stdout
    assert lines or "SF908" not in [f["code"] for f in report["findings"]], done.stdout


ARRAYS = """\
import numpy as np
import tensorflow as tf
words = np.memmap("train.bin", dtype=np.uint16, mode="r")
starts = np.random.randint(0, len(words) - 16, (8,))
x = np.stack([words[i:i + 16].astype(np.int64) for i in starts])
y = np.stack([words[i + 1:i + %d].astype(np.int64) for i in starts])
logits = tf.nn.embedding_lookup(tf.zeros([500, 32]), x) @ tf.zeros([32, 500])
tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
tf.zeros([3, 6]) @ np.memmap("rows.bin", np.float32, "r", 0, (6, 9))
tf.zeros([3, 6]) @ np.memmap("rows.bin", dtype="float32", mode="r", shape=(%d, 9))
raw = np.fromfile("batch.bin", np.uint8).reshape(-1, 3073)
tf.zeros([5, 1, 2]) + np.fromfile("head.bin", dtype="<f4", count=%d)
new = np.memmap("new.bin", "uint8", "w+", 0, (2, 3))
assert new.shape == np.memmap("new.bin", mode="r", shape=(2, 3)).shape and isinstance(new, np.memmap)
"""


@pytest.mark.parametrize("sizes, lines", [
    ((17, 6, 2), []), ((16, 6, 2), [8]), ((17, 7, 2), [10]), ((17, 6, 3), [12])])
def test_arrays_in_files_that_say_nothing(tmp_path, sizes, lines):
    """What np.memmap and np.fromfile give is as long as they are asked for, of the dtype that they are asked
    for; one that is written is a real one."""
    write(tmp_path, train=ARRAYS % sizes)
    report, done = report_of(tmp_path)
    found = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
    assert found == lines, done.stdout
    assert "SF908" not in [f["code"] for f in report["findings"]], done.stdout


IMAGES = """\
import numpy as np
import tensorflow as tf
from PIL import Image
def crop(path, size=64):
    image = np.array(Image.open(path).convert("%s"))
    height, width = image.shape[:2]
    top, left = np.random.randint(0, height - size + 1), np.random.randint(0, width - size + 1)
    return image[top:top + size, left:left + size] / 255.
images = np.array([crop("images/%%d.png" %% i) for i in range(4)], dtype=np.float32)
tf.nn.conv2d(images, tf.zeros([3, 3, 3, 8]), 1, "SAME")

"""


def test_crops_of_images(tmp_path):
    for mode, lines in (("RGB", []), ("L", [10])):
        folder = tmp_path / mode
        folder.mkdir()
        write(folder, train=IMAGES % mode)
        report, done = report_of(folder)
        found = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
        assert found == lines, done.stdout


def test_items_are_the_same_ones_in_each_turn(tmp_path):
    """What is looked up by an item that was a key is found: labels of one hot rows, of numbers."""
    for columns, lines in ((16, []), (17, [11])):
        folder = tmp_path / str(columns)
        folder.mkdir()
        write(folder, train=f"""\
import numpy as np
import scipy.sparse as sparse
import tensorflow as tf
table = np.genfromtxt("cora.content", dtype=str)
labels = table[:, -1]
rows = {{c: np.identity(len(set(labels)))[i] for i, c in enumerate(set(labels))}}
one_hot = np.array(list(map(rows.get, labels)), dtype=np.int32)
assert one_hot.dtype == np.int32 and len(one_hot) == len(rows)
features = sparse.csr_matrix(table[:, 1:-1], dtype=np.float32).todense()
hidden = tf.matmul(tf.constant(features, tf.float32), tf.zeros([1433, 16]))
tf.matmul(hidden, tf.zeros([{columns}, one_hot.shape[1]]))
""")
        report, done = report_of(folder)
        found = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
        assert found == lines and "SF908" not in [f["code"] for f in report["findings"]], done.stdout


ONE_HOT = """\
import numpy as np
import tensorflow as tf
labels = np.load("labels.npy")
number = labels.reshape(-1).astype("int64")[0]
y = tf.placeholder(tf.float32, [None, 5])
rows = [np.eye(5)[np.array(labels)], np.identity(5)[labels.astype(int)], (2 * np.eye(5))[labels],
        {"e": np.eye(5)}["e"][labels], np.eye(5)[labels][np.random.permutation(4)]]
with tf.Session() as session:
    for one in rows:
        session.run(y, {y: one})
    session.run(y, {y: np.eye(%d)[labels.reshape(-1)]})
    session.run(y, {y: np.eye(%d)[number][None]})
    session.run(y, {y: np.eye(5)[[0, 3, 4]] + np.eye(5)[1]})
    assert type(np.eye(5)[1, 1]) is np.float64 and str(np.eye(1)) == "[[1.]]" and isinstance(y, tf.Tensor)
    session.run(y, {y: np.random.rand(9, 5)[labels]})
    session.run(y, {y: np.arange(45).reshape(9, 5)[labels]})
    session.run(y, {y: (np.zeros([9, 5]) + 1)[labels]})
    tables = {"a": np.zeros([9, 5])}
    session.run(y, {y: tables["a"][labels]})
    session.run(y, {y: [np.zeros([1, 5])][number]})
"""


@pytest.mark.parametrize("sizes, lines", [((5, 5), []), ((6, 5), [11]), ((5, 6), [12])])
def test_rows_of_labels_that_nobody_knows(tmp_path, sizes, lines):
    """They may be one number, many or a table of numbers: what does not fit one of these is no finding."""
    write(tmp_path, train=ONE_HOT % sizes)
    report, done = report_of(tmp_path)
    found = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
    assert found == lines, done.stdout
    passed = [f["primary"]["line"] for f in report["findings"] if f["code"] == "SF908"]
    assert lines or passed and min(passed) > 14, done.stdout
