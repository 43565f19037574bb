"""Sizes that nobody knows, as programs calculate with them; and other ways in which programs meet what is not
there. Whole programs: tests/programs/without_data."""

import pytest

from command import need, report_of, shapeflow, write

HEAD = "import os\nimport numpy as np\nimport tensorflow as tf\n"
WRONG = "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))\n"


def assert_only_the_last_line_is_wrong(folder, text, *options):
    """Of a program that runs to its end."""
    write(folder, train=text)
    report, done = report_of(folder, *options)
    assert report["scripts"][0]["failure"] is None
    errors = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
    assert errors == [len(text.splitlines())]


def test_programs_calculate_with_the_sizes_of_eager_tensors(tmp_path):
    text = HEAD + """x = tf.constant(np.load('x.npy'))
n = x.shape[0] * 2 // 3
a, b = x.shape
rows = [i for i in range(x.shape[0])]
assert len(x.shape) in (2, 3, 4) and x.ndim and len(x) and x.shape.as_list()
flat = tf.reshape(x, [x.shape[0], -1])
y = np.zeros((x.shape[0], 3))
print('%d of %s' % (x.shape[0], x.shape), x.shape.rank, tuple(x.shape), -x.shape[1], x.shape[0] > 2)
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_a_size_that_depends_on_the_content_is_a_number(tmp_path):
    text = HEAD + """kept = tf.boolean_mask(tf.random.normal([8, 3]), tf.random.uniform([8]) > 0.5)
for i in range(kept.shape[0] // 2):
    pass
assert kept.shape[1] == 3
tf.matmul(kept, tf.zeros([4, 5]))
"""
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_a_symbolic_size_is_none_as_ever(tmp_path):
    text = """import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
assert x.shape[0].value is None and x.get_shape().as_list() == [None, 3]
assert tf.placeholder(tf.float32).shape.ndims is None
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text, "--tf-version", "1.15")


@pytest.mark.parametrize("made", ["tf.io.decode_raw(tf.io.read_file('a'), tf.float32)",
                                  "tf.constant(np.load('a.npy'))"])
def test_slices_of_a_shape_are_a_shape(tmp_path, made):
    text = HEAD + f"x = {made}\ny = tf.zeros([4, *x.shape[1:]])\n"
    assert_only_the_last_line_is_wrong(tmp_path, text + WRONG)


def test_pictures_that_something_unknown_has_written_are_found(tmp_path):
    text = HEAD + """import glob
import no_such_plots as plt
for i in range(2):
    plt.savefig('image_%d.png' % i)
names = sorted(glob.glob('image_*.png'))
assert names == ['image_0.png', 'image_1.png'] and os.path.exists(names[0])
for name in names:
    last = name
print(last)
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_folders_by_scandir_and_pathlib(tmp_path):
    text = HEAD + """import pathlib
folder = pathlib.Path('photos')
print(len(list(folder.glob('*/*.jpg'))), [item.name for item in folder.glob('*')])
print([item.name for item in folder.iterdir()])
with os.scandir('photos') as entries:
    print([entry.name for entry in entries if entry.is_dir()])
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_annotations_in_xml(tmp_path):
    text = HEAD + """import xml.etree.ElementTree as ET
for name in os.listdir('Annotations'):
    root = ET.parse(os.path.join('Annotations', name)).getroot()
    width = int(root.find('size/width').text)
    for item in root.findall('object'):
        print(item.find('name').text, width)
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_an_archive_that_was_downloaded(tmp_path):
    text = HEAD + """import gzip
import urllib.request
with open('x.gz', 'wb') as f:
    f.write(urllib.request.urlopen('http://example.org/x.gz').read())
with gzip.open('x.gz') as f:
    f.read(16)
    data = np.frombuffer(f.read(28 * 28 * 10), np.uint8).reshape(10, 28, 28, 1)
tf.reshape(data, [10, 785])
"""
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_parts_of_a_line_are_as_many_as_a_slice_wants(tmp_path):
    text = HEAD + """pairs = [[word for word in line.split('\\t')[:2]] for line in open('pairs.txt')]
left, right = zip(*pairs)
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_a_data_set_of_the_columns_of_an_unknown_table(tmp_path):
    text = HEAD + """import no_such_tables as pd
table = pd.read_csv('t.csv')
labels = table.pop('y')
data = tf.data.Dataset.from_tensor_slices((dict(table), labels)).batch(4)
for features, label in data.take(1):
    print(features['age'], list(features.keys()))
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_a_finding_beside_a_number_that_was_made_up_counts(tmp_path):
    text = HEAD + """n = len(set(open('words.txt').read()))
tf.matmul(tf.zeros([4, n]), tf.zeros([16, 2]))
tf.matmul(tf.zeros([4, 15]), tf.zeros([16, n]))
"""
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_arguments_are_not_made_up_for_unittest(tmp_path):
    text = """import tensorflow as tf
class T(tf.test.TestCase):
    def test(self):
        tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
    def test_other(self):
        raise KeyError('a')
if __name__ == '__main__':
    tf.test.main()
"""
    write(tmp_path, train=text)
    done = shapeflow(tmp_path, "check", "--no-suggestions", "--no-cache", "train.py")
    assert "no attribute 'tests'" not in done.stdout + done.stderr and "KeyError" in done.stdout + done.stderr


@pytest.mark.parametrize("before", ["", "import random\nnp.random.choice(3)\n"])
def test_draws_of_and_beside_something_unknown(before, tmp_path):
    text = HEAD + before + """x = np.load('x.npy')
import random
print(random.choices(x, k=2), random.choices([1, 2], weights=x, k=2))
print(np.random.choice(x), np.random.choice(3))
p = tf.nn.softmax(tf.zeros([3])).numpy()
print(np.random.choice(3, p=p), np.random.choice(3, p=x), random.sample(range(4), 2))
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_a_saver_beside_an_unknown_net(tmp_path):
    text = """import tensorflow as tf
import no_such_net as net
x = tf.placeholder(tf.float32, [None, 3])
y = net.inference(x)
loss = tf.reduce_mean(y)
saver = tf.train.Saver(tf.trainable_variables(), max_to_keep=3)
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text, "--tf-version", "1.15")


def test_lists_of_unknown_states_are_fed(tmp_path):
    text = """import gym_that_is_not_there as gym
import numpy as np
import tensorflow as tf
env = gym.make("CartPole-v0")
x = tf.placeholder(tf.float32, [None, 4])
y = tf.identity(x)
state = env.reset()
after, reward, done, _ = env.step(1)
with tf.Session() as sess:
    for states in ([state], [state, after], [[state, after]], np.array([state, after]), (state, np.zeros(4))):
        sess.run(y, {x: states})
        y.eval(feed_dict={x: states})
    sess.run(y, {x: [[1.0, 2.0, 3.0]]})
"""
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_an_input_function_of_arrays_that_are_not_there(tmp_path):
    text = """import numpy as np
import tensorflow as tf
data = np.load('mnist.npz')
images, labels = data['x'].astype(np.float32), data['y'].astype(np.int32)
read = tf.estimator.inputs.numpy_input_fn({'x': images}, labels, batch_size=8, num_epochs=None, shuffle=True)
features, label = read()
tf.reshape(features['x'], [-1, 28, 28, 1])
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text, "--tf-version", "1.15")


def test_something_unknown_has_a_tensor_in_each_graph(tmp_path):
    text = """import numpy as np
import tensorflow as tf
x = np.load('x.npy')
for _ in range(2):
    with tf.Graph().as_default():
        y = tf.data.Dataset.from_tensor_slices(x).batch(2).make_one_shot_iterator().get_next()
        z = tf.constant(x) + 1
        with tf.Session() as sess:
            sess.run([y, z])
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text, "--tf-version", "1.15")


def test_the_rank_of_what_nobody_models_in_a_graph(tmp_path):
    text = """import tensorflow as tf
import no_such_net as net
x = tf.placeholder(tf.float32, [None, 3])
y = tf.identity(net.inference(x))
size = y.get_shape().as_list()[1]
print(len(y.get_shape()), size, [d.value for d in y.shape])
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text, "--tf-version", "1.15")


@pytest.mark.parametrize("text", [
    ("x = np.array(df.values)\nlayer = tf.keras.layers.Normalization()\nlayer.adapt(x)\n"
     "print(layer.mean.numpy())\n"),
    ("print(tf.keras.applications.vgg16.preprocess_input(tf.constant(df.values)))\n"),
    ("print(tf.keras.utils.to_categorical(df.values, 3).shape[0] * 2)\n"),
    ("import collections\nq = collections.deque([df.values, df.values])\nprint(np.array(q).mean(axis=0))\n"),
])
def test_functions_of_keras_and_numpy_of_something_unknown(tmp_path, text):
    need("keras")
    head = HEAD + "import no_such_tables as pd\ndf = pd.read_csv('t.csv')\n"
    assert_only_the_last_line_is_wrong(tmp_path, head + text + WRONG)


def test_what_a_model_predicts_of_something_unknown_has_its_shape(tmp_path):
    need("keras")
    text = HEAD + """model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])
y = model.predict(np.load('x.npy'))
tf.matmul(y, tf.zeros([3, 2]))
tf.matmul(y, tf.zeros([4, 2]))
"""
    assert_only_the_last_line_is_wrong(tmp_path, text)


def test_labels_of_folders_whose_number_nobody_knows_fit_any_layer(tmp_path):
    need("keras")
    text = HEAD + """images = tf.keras.preprocessing.image.ImageDataGenerator()
train = images.flow_from_directory('train', target_size=(8, 8), batch_size=2, class_mode='categorical')
model = tf.keras.Sequential([tf.keras.Input((8, 8, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(5)])
model.compile('adam', 'categorical_crossentropy')
model.fit(train, epochs=1)
""" + WRONG
    assert_only_the_last_line_is_wrong(tmp_path, text)


@pytest.mark.parametrize("made", ["np.array([x, x])", "np.array([x, x], dtype='float32')", "np.stack([x, x])",
                                  "np.expand_dims(np.array(x), 0)", "np.array(x)[None]"])
def test_an_array_of_a_tensor_of_unknown_rank_is_unknown(tmp_path, made):
    text = HEAD + f"""from tensorflow import keras
x = tf.io.decode_image(tf.py_function(lambda: b'', [], tf.string))
model = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Conv2D(3, 3)])
print(model.predict({made}).shape)
"""
    assert_only_the_last_line_is_wrong(tmp_path, text + WRONG)


def test_what_follows_from_a_guess_of_a_rank_alone_is_no_finding(tmp_path):
    """Whichever branch a first run takes, the second takes the other one."""
    text = """import tensorflow.compat.v1 as tf
import tensorflow_gone as gone
tf.disable_v2_behavior()
reward = tf.convert_to_tensor(gone.sample([4]), tf.float32)
if reward.shape.rank is None or reward.shape.rank > 1:
    raise ValueError("no scalar or vector")
shape = [] if reward.shape.rank == 0 else [reward.shape[0]]
step = tf.get_variable("step", [4], tf.float32, use_resource=True)
step.assign(tf.fill(shape, 2.0))
turns = 0
while reward.shape.rank > turns and reward.shape[0] > 0:
    turns += 1
"""
    assert_only_the_last_line_is_wrong(tmp_path, text + WRONG)


def test_a_matrix_that_a_session_gave_has_an_inverse(tmp_path):
    """Nobody computed it, so that numpy sees zeros."""
    text = """import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.random_normal([2, 3, 3])
try:
    np.linalg.inv(np.zeros([2, 2]))  # the program's own: no session gave anything yet
    raise RuntimeError
except np.linalg.LinAlgError:
    pass
with tf.Session() as sess:
    a = sess.run(tf.matmul(x, x, transpose_b=True))
assert np.linalg.cholesky(a).shape == np.linalg.inv(a).shape == (2, 3, 3)
assert np.linalg.solve(a[0], np.ones([3, 2])).shape == (3, 2)
try:
    np.linalg.inv(np.ones([2, 2]))
except np.linalg.LinAlgError:
    refused = True
assert refused
"""
    assert_only_the_last_line_is_wrong(tmp_path, text + WRONG)


def test_an_unknown_part_of_a_list_has_another_length_in_each_run(tmp_path):
    text = """import gone
import tensorflow as tf
logits = gone.logits()
tf.reshape(tf.zeros([2]), [2, 3, 1][:gone.rank(logits) - 1])
tf.reshape(tf.zeros([6]), [2, 3, 1][:gone.rank(logits) - 1])
"""
    assert_only_the_last_line_is_wrong(tmp_path, text + WRONG)


def test_a_guess_of_a_class_is_another_one_in_the_second_run(tmp_path):
    text = """import gym
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
env = gym.make("Ant-v2")
if isinstance(env.observation_space, gym.spaces.Discrete):
    seen = tf.placeholder(tf.int32, [None])
elif isinstance(env.observation_space, gym.spaces.Box):
    seen = tf.placeholder(tf.float32, [None, 17])
else:
    raise NotImplementedError
with tf.Session() as sess:
    sess.run(seen, {seen: np.zeros([1, 17])})
"""
    assert_only_the_last_line_is_wrong(tmp_path, text + WRONG)


def test_pictures_that_nobody_knows_are_augmented(tmp_path):
    text = """import gone
import numpy as np
import tensorflow as tf
images, labels = gone.load()
made = tf.keras.preprocessing.image.ImageDataGenerator(featurewise_center=True)
made.fit(images.astype("float32"))
for x, y in made.flow(images, np.zeros([50]), batch_size=4):
    break
made.flow(np.zeros([50, 8, 8, 3]), labels)
tf.keras.preprocessing.sequence.pad_sequences([images, [1, 2, 3]], 5)
"""
    wrong = "made.fit(np.zeros([2, 3]))\n"
    assert_only_the_last_line_is_wrong(tmp_path, text + wrong, "--tf-version", "1.15.0")
