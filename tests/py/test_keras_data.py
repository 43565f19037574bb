"""Data and weights that the installed Keras would fetch, and programs of an older Keras."""
import pytest

from shapeflow.api import installed_keras
from shapeflow.checker import runner

pytestmark = pytest.mark.skipif(installed_keras.version() < (3,), reason="Keras 3 is not installed")

TF = "import numpy as np\nimport tensorflow as tf\n"
BUG = "tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 5]))  # E\n"
MODEL = """layers = tf.keras.layers
model = tf.keras.Sequential([tf.keras.Input({shape}), layers.Flatten(), layers.Dense(3)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
"""
PROGRAMS = {
    "pictures of a data set": """
(x, y), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
assert x.shape == (60000, 28, 28) and y_test.shape == (10000,)
(x, y), _ = tf.keras.datasets.cifar100.load_data(label_mode="coarse")
assert x.shape == (50000, 32, 32, 3) and y.max() == 19
(x, y), _ = tf.keras.datasets.california_housing.load_data()
assert x.shape[1] == 8
""" + BUG,
    "texts of a data set": """
(x, y), _ = tf.keras.datasets.imdb.load_data(num_words=100)
assert x.shape == (25000,) and max(map(max, x)) < 100
words = tf.keras.datasets.imdb.get_word_index()
assert tf.keras.utils.pad_sequences(x, maxlen=50).shape == (25000, 50)
""" + BUG,
    "words that nobody knows fill a vocabulary": """
layers = tf.keras.layers
texts = tf.keras.utils.text_dataset_from_directory("train", batch_size=8)
words = layers.TextVectorization(max_tokens=200, output_mode="multi_hot", ngrams=2)
words.adapt(texts.map(lambda x, y: x))
assert len(words.get_vocabulary()) == 200
model = tf.keras.Sequential([tf.keras.Input((200,)), layers.Dense(1)])
model.compile("adam", "binary_crossentropy")
model.fit(texts.map(lambda x, y: (words(x), y)), verbose=0)
""" + BUG,
    "a loss is saved by its name": """
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mean_squared_error")
model.save("model.h5")
tf.matmul(tf.keras.models.load_model("model.h5")(tf.zeros([2, 4])), tf.zeros([2, 5]))  # E
""",
    "weights that are fetched": """
net = tf.keras.applications.MobileNetV2(input_shape=(96, 96, 3), weights="imagenet")
found = tf.keras.applications.mobilenet_v2.decode_predictions(np.zeros((2, 1000)), top=2)
assert len(found) == 2 and len(found[0]) == 2
tf.matmul(net(tf.zeros([2, 96, 96, 3])), tf.zeros([10, 3]))  # E
""",
    "a folder of images": MODEL.format(shape="(32, 32, 3)") + """
train = tf.keras.utils.image_dataset_from_directory("train", image_size=(32, 32), batch_size=4)
assert train.class_names
model.fit(train.cache().prefetch(1), epochs=2)
for x, y in train.take(1):
    tf.matmul(model(x), tf.zeros([5, 1]))  # E
""",
    "a folder of texts": """
train = tf.keras.utils.text_dataset_from_directory("train", batch_size=4)
layer = tf.keras.layers.TextVectorization(max_tokens=50, output_sequence_length=7)
layer.adapt(train.map(lambda x, y: x))
for x, y in train.take(1):
    tf.reshape(layer(x), [4, 8])  # E
""",
    "batches of a folder": MODEL.format(shape="(32, 32, 3)") + """
flow = tf.keras.preprocessing.image.ImageDataGenerator(rescale=1 / 255.).flow_from_directory(
    "train", target_size=(32, 32), batch_size=4, class_mode="sparse")
model.fit(flow, steps_per_epoch=flow.samples // 4, epochs=1)
x, y = next(flow)
assert len(flow) and flow.class_indices
tf.matmul(model(x), tf.zeros([5, 1]))  # E
""",
    "an image": """
image = tf.keras.utils.load_img("x.jpg", target_size=(24, 32))
x = np.expand_dims(tf.keras.utils.img_to_array(image), 0)
other = tf.keras.utils.img_to_array(tf.keras.utils.load_img("y.jpg")) / 255.
tf.reshape(x, [24, 32, 4])  # E
""",
    "a model and weights": MODEL.format(shape="(4,)") + """
model.load_weights("a.weights.h5")
other = tf.keras.models.load_model("b.keras")
other.summary()
other.predict(np.zeros((2, 4)))
model.save("c.keras")
tf.matmul(tf.keras.models.load_model("c.keras")(tf.zeros([2, 4])), tf.zeros([5, 1]))  # E
""",
    "a package that is not there comes first": "import absent\n" + TF + MODEL.format(shape="(4,)") + """
size = absent.make("x").space.shape[0]
net = tf.keras.Sequential([tf.keras.layers.Dense(8, input_dim=size), tf.keras.layers.Dense(2)])
""" + BUG,
}
OLDER = {
    "a module that is gone": (
        "from keras.utils import np_utils\nfrom keras.layers.core import Dense\n", "1.15.0"),
    "a method that is gone": ("from keras.models import Sequential\nfrom keras.layers import Dense\n"
                              "m = Sequential([Dense(3, input_dim=2)])\nm.compile('sgd', 'mse')\n"
                              "pairs = ((np.zeros((4, 2)), np.zeros((4, 3))) for _ in range(3))\n"
                              "m.fit_generator(pairs, 2)\n", "1.15.0"),
    "an argument that is gone": ("import tensorflow as tf\ntf.function\n"
                                 "tf.keras.optimizers.Adam(lr=0.1)\n", "2.15.0"),
    "a module that moved": ("import tensorflow as tf\n"
                            "from tensorflow.keras.layers.experimental import preprocessing\n"
                            "assert preprocessing.Rescaling(0.5)(tf.zeros([2, 3])).shape == (2, 3)\n"
                            "tf.keras.optimizers.legacy.Adam(0.1)\n", "2.15.0"),
    "a function of TensorFlow in a functional model": (
        "import tensorflow as tf\nx = tf.keras.Input([8])\nx = tf.nn.relu(tf.keras.layers.Dense(4)(x))\n"
        "x = tf.concat([x, x], -1)\nassert tf.keras.layers.Dense(2)(x).shape.as_list() == [None, 2]\n",
        "2.15.0"),
}


def check(tmp_path, text, *options):
    script = tmp_path / "program.py"
    script.write_text(text)
    return runner.run(str(script), ["--no-cache", *options])


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_stands_for_what_is_not_there(name, tmp_path):
    text = PROGRAMS[name] if name.startswith("a package") else TF + PROGRAMS[name]
    report = check(tmp_path, text, "--tf-version", "2.21.0")
    wanted = {number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# E")}
    assert report.failure is None
    assert {record.primary.line for record in report.of("error")} == wanted


@pytest.mark.parametrize("name", OLDER)
def test_a_program_of_an_older_keras_is_checked_as_one(name, tmp_path):
    text, version = OLDER[name]
    report = check(tmp_path, "import numpy as np\n" + text)
    assert (report.status, report.failure) == (0, None)
    assert report.emulated[0] == version
