"""Data that are not there, as a user meets them: notes, declarations, ways out. Whole programs:
tests/programs/without_data."""
import sys

import pytest

from command import report_of, shapeflow, write

HEAD = "import os\nimport numpy as np\nimport tensorflow as tf\n"


def test_each_path_has_one_note(tmp_path):
    write(tmp_path, train=HEAD + "for _ in range(3):\n    x = np.load('data/x.npy')\ntf.square([2.0])\n")
    report, done = report_of(tmp_path)
    assert [f["message"] for f in report["findings"]] == [
        "data/x.npy is not there: what is read from it is unknown"]
    assert report["findings"][0]["primary"]["line"] == 5 and done.returncode == 0


def test_a_file_that_exists_is_read(tmp_path):
    import numpy as np

    np.save(tmp_path / "x.npy", np.zeros([4, 6], np.float32))
    write(tmp_path, train=HEAD + "x = np.load('x.npy')\ntf.matmul(x, tf.zeros([5, 3]))\n")
    report, _ = report_of(tmp_path)
    assert [(f["code"], f["primary"]["line"]) for f in report["findings"]] == [("SF114", 5)]


def test_what_depends_on_a_made_up_number_is_not_reported(tmp_path):
    write(tmp_path, train=HEAD + """
n = len(os.listdir('classes'))
logits = tf.keras.layers.Dense(n)(tf.zeros([4, 8]))
tf.zeros([4, 10]) * tf.tile(logits, [1, 2])
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
""")
    report, _ = report_of(tmp_path)
    assert [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"] == [8]


def test_unknown_names_are_joined_and_text_fills_batches(tmp_path):
    write(tmp_path, train=HEAD + """
folder = open('where.txt').readline().strip()
assert os.path.join(folder, 'train.txt').endswith('/train.txt')
sentences = open('sentences.txt').read().splitlines()
full = [sentences[i:i + 128] for i in range(0, len(sentences), 128) if len(sentences[i:i + 128]) == 128]
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5])) if len(full) > 2 else None
""")
    report, done = report_of(tmp_path)
    assert "SF114" in [f["code"] for f in report["findings"]], done.stderr


@pytest.mark.parametrize("pattern", ["records/train.tfrecord", "records/*.tfrecord", "here/*.tfrecord"])
def test_files_that_a_data_set_lists_may_be_absent(tmp_path, pattern):
    (tmp_path / "here").mkdir()  # a folder of which a checkout has only a README, say
    (tmp_path / "here" / "README").write_text("records come here")
    write(tmp_path, train=HEAD + f"""
for record in tf.data.Dataset.list_files({pattern!r}).flat_map(tf.data.TFRecordDataset):
    tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
""")
    report, done = report_of(tmp_path)
    assert [(f["code"], f["primary"]["line"]) for f in report["findings"] if f["severity"] == "error"] == \
        [("SF114", 6)], done.stderr
    assert "SF906" in [f["code"] for f in report["findings"]]


def test_images_of_absent_packages_and_files_are_unknown(tmp_path):
    write(tmp_path, train=HEAD + """
import glob, scipy.misc
from sklearn.externals import joblib
x = tf.placeholder(tf.float32, [None, 4])
for path in glob.glob('images/*.jpg'):
    image = scipy.misc.imresize(scipy.misc.imread(path, mode='RGB').astype(np.float32), [8, 8])
tf.matmul(x, tf.zeros([5, 3]))
""")
    report, done = report_of(tmp_path)
    assert [(f["code"], f["primary"]["line"]) for f in report["findings"] if f["severity"] == "error"] == \
        [("SF101", 10)], done.stderr
    assert "SF908" not in [f["code"] for f in report["findings"]]


def test_a_list_of_unknown_rows_is_scaled_back(tmp_path):
    write(tmp_path, train=HEAD + """
from sklearn.preprocessing import MinMaxScaler
import pandas as pd
scaler = MinMaxScaler()
rows = scaler.fit_transform(pd.read_csv('stock.csv')[['close']])
print(scaler.inverse_transform([rows[-1], rows[-2]]), scaler.transform([rows[0]]))
""")
    report, done = report_of(tmp_path)
    assert {f["code"] for f in report["findings"]} <= {"SF904", "SF906", "SF907"}, report["findings"]


def test_parts_of_a_line_that_nobody_knows_are_as_many_as_nobody_knows(tmp_path):
    write(tmp_path, train=HEAD + """
with open('anchors.txt') as f:
    anchors = np.array([float(x) for x in f.readline().split(',')]).reshape(-1, 2)
    first, second = f.readline().strip().split(sep='\t')
tf.square(anchors)
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
""")
    report, done = report_of(tmp_path)
    assert [(f["code"], f["primary"]["line"]) for f in report["findings"] if f["severity"] == "error"] == \
        [("SF114", 9)]


def test_a_folder_that_is_not_there_is_removed(tmp_path):
    write(tmp_path, train=HEAD + """
import shutil
shutil.rmtree('old_model', ignore_errors=True)
for entry in os.scandir('old_model'):
    print(entry.is_symlink(), entry.is_dir(), entry.name)
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
""")
    report, _ = report_of(tmp_path)
    assert [(f["code"], f["primary"]["line"]) for f in report["findings"] if f["code"] != "SF906"] == \
        [("SF114", 9)]


def test_what_is_declared_is_checked(tmp_path):
    write(tmp_path, train=HEAD + """
from PIL import Image
names = sorted(os.listdir('photos'))
files = os.listdir(os.path.join('photos', names[0]))
assert names == ['cat', 'dog'] and len(files) == 10 and files[0].endswith('.png')
assert os.path.isdir('photos/cat') and not os.path.isdir(os.path.join('photos', 'cat', files[0]))
image = np.array(Image.open(os.path.join('photos', 'cat', files[0])))
rows = [line.split(',') for line in open('t.csv')]
assert rows[0] == ['a', 'b\\n'] and len(rows) == 6
assert sum(1 for line in open('words.txt')) == 7
tf.reshape(image, [20, 31, 3])
""")
    (tmp_path / "pyproject.toml").write_text("""[tool.shapeflow.data]
"photos" = { files = 20, classes = ["cat", "dog"], suffix = ".png", shape = [20, 30, 3] }
"t.csv" = { rows = 5, columns = ["a", "b"] }
"words.txt" = { lines = 7, text = "x y" }
""")
    pytest.importorskip("PIL")
    report, done = report_of(tmp_path)
    assert [(f["severity"], f["primary"]["line"]) for f in report["findings"]] == [("error", 14)], done.stderr


def test_the_way_out_can_be_pasted(tmp_path):
    write(tmp_path, train=HEAD + "x = np.load('x.npy')\nraise RuntimeError('no')\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "train.py")
    assert done.returncode == 0 and "note[SF908]: train.py:5 was passed over" in done.stderr
    line = '"x.npy" = { shape = [1000, 10], dtype = "float32" }'
    assert "[tool.shapeflow.data]\n    " + line in done.stderr
    shapeflow(tmp_path, "check", "--no-cache", "--write-data-stubs", "train.py")
    assert (tmp_path / "pyproject.toml").read_text() == "[tool.shapeflow.data]\n" + line + "\n"
    again = shapeflow(tmp_path, "check", "--no-cache", "--write-data-stubs", "train.py")
    assert "is not there" not in again.stderr
    assert (tmp_path / "pyproject.toml").read_text().count(line) == 1


def test_the_cache_knows_when_the_file_comes(tmp_path):
    import numpy as np

    write(tmp_path, train=HEAD + "x = np.load('x.npy')\ntf.matmul(x, tf.zeros([5, 3]))\n")
    assert shapeflow(tmp_path, "check", "train.py").returncode == 0
    np.save(tmp_path / "x.npy", np.zeros([4, 6], np.float32))
    assert shapeflow(tmp_path, "check", "train.py").returncode == 1


def test_nothing_checked_is_said(tmp_path):
    write(tmp_path, train=HEAD + "def main():\n    return tf.zeros([2])\n")
    report, done = report_of(tmp_path)
    assert [(f["code"], f["severity"]) for f in report["findings"]] == [("SF907", "warning")]
    assert done.returncode == 0
    assert report_of(tmp_path, "--strict")[1].returncode == 1
    done = shapeflow(tmp_path, "check", "--no-cache", "train.py")
    assert "tried" not in done.stdout, "an edit that makes operations mends nothing"


def test_require_checked(tmp_path):
    write(tmp_path, train=HEAD + "x = tf.square(np.load('x.npy'))\ny = tf.square(tf.zeros([2]))\n")
    assert report_of(tmp_path, "--require-checked", "10")[1].returncode == 0
    report, done = report_of(tmp_path, "--require-checked", "99")
    assert done.returncode == 1
    assert [f["code"] for f in report["findings"] if f["severity"] == "error"] == ["SF907"]


def test_a_condition_that_only_raises_does_not_end_the_check(tmp_path):
    write(tmp_path, train=HEAD + """
x, y = np.load('x.npy'), np.load('y.npy')
assert not np.any(np.isnan(x)), "nan"
assert x.ndim == 2 and x.shape[0] == y.shape[0]
if x.shape[0] != y.shape[0]:
    raise ValueError("other lengths")
if not x.shape[0]:
    raise ValueError("empty")
tf.zeros([2])
""")
    assert report_of(tmp_path)[1].returncode == 0


def test_outputs_of_an_op_whose_inputs_are_unknown(tmp_path):
    """Their number was taken from the op that stood for it: a crash."""
    write(tmp_path, train=HEAD + """
labels = tf.reshape(np.load('l.npy'), [-1])
logits = tf.cast(np.load('x.npy'), tf.float32)
found = tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=logits, labels=labels)
assert found.backprop.dtype == tf.float32 and repr(found)
tf.nn.sparse_softmax_cross_entropy_with_logits(labels=np.load('l.npy'), logits=logits)
""")
    assert report_of(tmp_path)[1].returncode == 0


def test_a_thread_that_fails_is_told_of(tmp_path):
    write(tmp_path, train=HEAD + """
import threading
def work():
    raise ValueError("in there")
thread = threading.Thread(target=work)
thread.start()
thread.join()
tf.zeros([2])
""")
    report, done = report_of(tmp_path)
    assert done.returncode == 3
    assert report["scripts"][0]["failure"] == "train.py:7:5: in a thread: ValueError: in there"


def test_a_program_of_python_2_is_translated(tmp_path):
    if sys.version_info >= (3, 13):
        pytest.importorskip("fissix")
    helper = "def half(n):\n    print 'half', n\n    return n / 2\n"
    write(tmp_path, helper=helper, train="""import tensorflow as tf
from helper import half
print "begin"
n = half(9)
for i in xrange(2):
    x = tf.zeros([n, 10 / 4])
try:
    raise ValueError, "x"
except ValueError, e:
    print e
tf.matmul(x, tf.zeros([3, 2]))
""")
    report, done = report_of(tmp_path)
    assert [(f["primary"]["line"], f["code"]) for f in report["findings"] if f["severity"] == "error"] == [
        (11, "SF101")], done.stderr
    assert [f["message"] for f in report["findings"] if f["code"] == "SF902"] == [
        "train.py is Python 2: it was translated", "helper.py is Python 2: it was translated"]


def test_an_error_that_a_test_waits_for_is_no_finding(tmp_path):
    write(tmp_path, train="""import unittest
import tensorflow as tf
class Shapes(unittest.TestCase):
    def test_matmul(self):
        with self.assertRaises(Exception):
            tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
    def test_add(self):
        tf.zeros([2, 3]) + tf.zeros([4, 5])
unittest.main()
""")
    report, done = report_of(tmp_path)
    assert [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"] == [8], done.stderr


@pytest.mark.parametrize("made", [
    "tf.data.TextLineDataset(path)", "tf.data.TFRecordDataset([path])",
    "tf.data.FixedLengthRecordDataset([path], 9)",
    "tf.data.Dataset.from_tensor_slices(list(tf.python_io.tf_record_iterator(path)))"])
def test_a_file_that_the_program_was_told_to_have_has_no_content(made, tmp_path):
    """It asks first, and would end: it is told that the file is there. Its lines are unknown all the same."""
    write(tmp_path, train=HEAD + f"""path = 'data/adult.data'
assert tf.gfile.Exists(path), 'no data'
data = {made}.map(lambda line: tf.decode_csv(line, [[''], [0]])).batch(2)
element = data.make_one_shot_iterator().get_next()
with tf.Session() as session:
    session.run(element)
""")
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    assert done.returncode == 0, done.stdout
    assert "SF906" in {f["code"] for f in report["findings"]}


def test_what_is_not_there_is_removed_renamed_and_written_beside(tmp_path):
    write(tmp_path, train="""
import os
import shutil
import numpy as np
import tensorflow as tf
for name in os.listdir("data/train"):
    os.rename(os.path.join("data/train", name), os.path.join("data/train", "x_" + name))
    assert os.path.exists(os.path.join("data/train", "x_" + name))
shutil.rmtree("data/train/unsup")
os.remove("data/train/list.txt")
for name in os.listdir("raw"):
    shutil.copyfile(os.path.join("raw", name), os.path.join("raw", "b_" + name))
shutil.move("data/other", "data/train/other")
np.save("data/train/x.npy", np.ones([3, 5]))
assert np.load("data/train/x.npy").shape == (3, 5)
os.mkdir("logs/run")
with open("results/out.txt", "w") as stream:
    stream.write("a")
tf.zeros([2]) + tf.zeros([3])
""")
    report, done = report_of(tmp_path)
    codes = [finding["code"] for finding in report["findings"]]
    assert "SF908" not in codes and codes.count("SF113") == 1, done.stdout
    assert not (tmp_path / "data").exists() and not (tmp_path / "results").exists()


def test_a_program_that_expects_no_folder_gets_the_error(tmp_path):
    write(tmp_path, train="""
import os
import shutil
import tensorflow as tf
caught = 0
for act in (lambda: os.remove("a.txt"), lambda: shutil.rmtree("logs"), lambda: open("b/c.txt", "w")):
    try:
        act()
    except OSError:
        caught += 1
assert caught == 3
tf.zeros([2]) + tf.zeros([3])
""")
    report, done = report_of(tmp_path)
    codes = [finding["code"] for finding in report["findings"]]
    assert "SF908" not in codes and codes.count("SF113") == 1, done.stdout


def test_all_files_below_a_folder_that_is_not_there(tmp_path):
    write(tmp_path, train="""
import glob
import os
import tensorflow as tf
print(sorted(os.listdir("clean")))
paths = [path for path in glob.glob("{}/**".format("clean"), recursive=True) if ".wav" in path]
tf.zeros([2]) + tf.zeros([3])
""")
    report, done = report_of(tmp_path, "--time-limit", "20")
    codes = [finding["code"] for finding in report["findings"]]
    assert codes.count("SF113") == 1 and done.returncode == 1, done.stdout


def test_a_config_parser_that_found_no_file(tmp_path):
    write(tmp_path, train="""
import configparser
import tensorflow as tf
settings = configparser.ConfigParser()
settings.read("config.ini")
train = settings["train"]
units = [int(n) for n in settings.get("net", "units").split(",")]
print(float(train["rate"]), train.getboolean("bn"), settings.getint("train", "epochs"))
assert settings.get("a", "b", fallback=3) == 3
own = configparser.ConfigParser()
own.read_string("[a]\\nb = 1\\n")
try:
    own["c"]
except KeyError:
    tf.zeros([2]) + tf.zeros([3])
""")
    report, done = report_of(tmp_path)
    codes = [finding["code"] for finding in report["findings"]]
    assert codes.count("SF113") == 1 and codes.count("SF906") == 1 and "SF908" not in codes, done.stdout


def test_a_vocabulary_of_made_up_words_is_no_single_class(tmp_path):
    write(tmp_path, train=HEAD + """
words = sorted(set(w for w in open('captions.txt').read().split() if len(w) > 30)) or ['only']
logits = tf.keras.layers.Dense(len(words))(tf.zeros([4, len(open('captions.txt').read()) % 2 + 8]))
tf.nn.softmax(logits)
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
""")
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["severity"] != "note"] == ["SF114"], done.stderr


def test_slices_of_a_list_end_where_its_length_says(tmp_path):
    (tmp_path / "absent.txt").write_text("")
    write(tmp_path, train=HEAD + """
import json
rows = json.load(open('rows.json'))['rows']
labels = [1] * len(rows)
count, at = 0, 0
batch = rows[at:at + 300]
while len(batch) > 0:
    count += len(batch)
    at += 300
    assert len(batch) == len(labels[at - 300:at])
    batch = rows[at:at + 300]
assert count == len(labels) and not batch and [row for row in batch] == []
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
""")
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["code"] != "SF906"] == ["SF114"], done.stderr


@pytest.mark.parametrize("condition", ["int(line.split()[1]) >= limit", "limit < int(line.split()[1])",
                                       "float(line.split()[1]) > self.limit", "counts['x'] > limit"])
def test_a_limit_leaves_something(condition, tmp_path):
    write(tmp_path, train=HEAD + f"""
import json
class self: limit = 7.5
limit, counts = 20, {{'x': int(json.load(open('counts.json')))}}
lines = open('vocabulary.txt').read().splitlines()
kept = [line for line in lines if {condition}]
assert len(kept) == len(lines) or counts['x'] < 5
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
""")
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["code"] != "SF906"] == ["SF114"], done.stderr


def test_what_was_made_up_and_left_nothing_is_not_reported(tmp_path):
    write(tmp_path, train=HEAD + """
words = [word for word in open('words.txt').read().split() if len(word) > 30]
tf.argmax(tf.zeros([4, len(words)]), 1)
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
""")
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["code"] != "SF906"] == ["SF114"], done.stderr


def test_a_file_of_text_by_codecs_and_one_of_numbers_by_its_stream(tmp_path):
    write(tmp_path, train=HEAD + """
import codecs
lines = codecs.open('words.tsv', 'r', 'utf-8').read().splitlines()
words = [line.split('\\t')[0] for line in codecs.open('words.tsv', encoding='utf-8') if line.split('\\t')[3]]
images = np.fromfile(file=open('images-idx3-ubyte'), dtype=np.uint8)[16:].reshape((60000, 28, 28, 1))
tf.matmul(tf.zeros([60000, 2]), tf.reshape(images.astype(np.float32) / 255., [60000, -1]))
""")
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["code"] != "SF906"] == ["SF114"], done.stderr


def test_files_below_folders_that_a_pattern_has_found(tmp_path):
    write(tmp_path, train=HEAD + """
import glob
found = []
for folder in glob.glob('meshes/[!README]*'):
    name = os.path.basename(folder)
    found += glob.glob(os.path.join(folder, 'train/*')) + glob.glob(f'{folder}/*/{name}_*.off')
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5])) if len(found) > 100 else None
""")
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["code"] != "SF906"] == ["SF114"], done.stderr


FROZEN = """
graph = tf.Graph()
with graph.as_default(), tf.Session() as sess:
    definition = tf.GraphDef()
    with tf.gfile.FastGFile('frozen.pb', 'rb') as f:
        definition.ParseFromString(f.read())
    pool, = tf.import_graph_def(definition, name='', return_elements=['pool_3/_reshape:0'])
    boxes = sess.run(graph.get_tensor_by_name('boxes:0'), {'image:0': np.zeros([1, 30, 30, 3])})
    top = np.squeeze(boxes).argsort()[-5:][::-1]
    assert graph.get_operation_by_name('softmax').outputs[0].name == 'softmax:0'
    sess.run(['a:0', pool], {'DecodeJpeg/contents:0': b'bytes', 'text:0': ['a', 'b'], 'n:0': 3})
"""
FILLED = """
import facenet
with tf.Graph().as_default() as graph, tf.Session() as sess:
    facenet.load_model('20180402-114759')
    found = graph.get_tensor_by_name('embeddings:0')
    rows = np.zeros((10, found.get_shape()[1]))
    rows[:5] = sess.run(found, {graph.get_tensor_by_name('input:0'): np.zeros([5, 160, 160, 3]),
                                graph.get_tensor_by_name('phase_train:0'): False})
"""


RESTORED = """
with tf.Graph().as_default() as graph, tf.Session() as sess:
    saver = tf.train.import_meta_graph('model/my-model-1000.meta')
    saver.restore(sess, tf.train.latest_checkpoint('model/'))
    y = graph.get_tensor_by_name('y:0')
    assert len(sess.run(y, {'x:0': np.zeros([1, 30])})) > 0
with tf.Graph().as_default(), tf.Session() as sess:
    w = tf.get_variable('w', [3])
    state = tf.train.get_checkpoint_state('logs')
    tf.train.Saver().restore(sess, state.model_checkpoint_path)
    assert int(state.model_checkpoint_path.split('-')[-1]) == 0 and sess.run(w).shape == (3,)
"""


@pytest.mark.parametrize("text", [FROZEN, FILLED, RESTORED], ids=["frozen", "filled", "restored"])
def test_nodes_of_a_graph_that_is_not_there_are_unknown(text, tmp_path):
    write(tmp_path, train=HEAD + text + "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))\n")
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["code"] not in ("SF904", "SF906")] == ["SF101"], \
        done.stdout


def test_a_node_that_a_whole_graph_lacks_is_missing(tmp_path):
    write(tmp_path, train=HEAD + "tf.placeholder(tf.float32, name='x')\n"
                                 "tf.get_default_graph().get_tensor_by_name('y:0')\n")
    report, done = report_of(tmp_path)
    assert done.returncode == 3 and "refers to a Tensor which does not exist" in done.stderr


def test_a_placeholder_of_steps_that_no_made_up_batch_reached(tmp_path):
    write(tmp_path, train="import tensorflow as tf\n" + """
x = tf.placeholder(tf.float32, [None, 3])
label = tf.placeholder(tf.float32, [None, 1])
y = tf.layers.dense(x, 1)
loss = tf.reduce_mean(tf.square(y - label))
rows = open('rows.txt').read().split()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(len(rows) // 10 ** 6):
        sess.run(loss, {x: [[1, 2, 3]], label: [[1]]})
    sess.run(y, {x: [[1, 2, 3]], label: [[1]]})
""")
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["code"] != "SF906"] == [], done.stderr


def test_a_variable_of_unknown_content_is_saved(tmp_path):
    write(tmp_path, train="import tensorflow as tf\n" + """
import json
step = tf.Variable(0, name='global_step', trainable=False)
weights = tf.get_variable('weights', json.load(open('size.json'))['shape'])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, 'model.ckpt', global_step=step)
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
""")
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["severity"] != "note"] == ["SF101"], done.stderr
    assert "SF908" not in [f["code"] for f in report["findings"]]


@pytest.mark.parametrize("kept", [
    "len(line.split('\\t')) == 2", "not len(line.split(',')) != 3", "len(line.split('\\t')[0]) > 1",
    "len(line.strip().split('|')) >= 3"])
def test_lines_have_the_fields_that_are_wanted(tmp_path, kept):
    write(tmp_path, train=HEAD + f"""
rows = [line for line in open('pairs.tsv') if {kept}]
text = rows[0]
while len(text) > 1:  # ends
    text = text[1:]
if not len(rows[0].split('-')) == 5:
    rows = []
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5])) if len(rows) > 100 else None
""")
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["code"] != "SF906"] == ["SF114"], done.stderr


@pytest.mark.parametrize("fields, found", [(13, []), (12, ["SF114"])])
def test_fields_are_as_many_as_their_number_was_said_to_be(tmp_path, fields, found):
    """A row of another length would be a false alarm, or hide the true one."""
    write(tmp_path, train=HEAD + """
rows = []
for line in open('housing.data'):
    values = line.split()
    if len(values) != 13:
        continue
    rows.append([float(value) for value in values])
tf.matmul(np.array(rows, np.float32), tf.zeros([%d, 4]))
""" % fields)
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["code"] != "SF906"] == found, done.stderr


@pytest.mark.parametrize("options", [(), ("--every-batch",), ("--no-sandbox",)])
def test_what_is_unknown_joins_and_is_asserted_also_where_every_turn_is_run(tmp_path, options):
    write(tmp_path, train=HEAD + """
names = np.load('names.npy')
print(''.join(names[[0, 1]]), ' '.join(names))
assert names[0] == 'x'
for i in range(300):
    loss = tf.reduce_sum(tf.zeros([2, 3]))
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
""")
    report, done = report_of(tmp_path, *options)
    assert [f["code"] for f in report["findings"] if f["code"] != "SF906"] == ["SF114"], done.stderr
