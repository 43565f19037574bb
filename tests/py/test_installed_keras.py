"""The Keras 3 that is installed, unmodified on our TensorFlow: what it gives, and its errors as findings."""
import importlib.util
import json

import pytest

from command import environment, lines, shapeflow, write

pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")


def check(folder, text, *options):
    write(folder, train=text)
    return shapeflow(folder, "check", "--no-cache", "--no-suggestions", *options, "train.py")


def printed(folder, text):
    """What a right program prints."""
    done = check(folder, text, "--show-output")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def found(folder, text):
    done = check(folder, text, "--format", "concise")
    return [(line, code) for _, line, code in lines(done)], done


MODEL = """\
import numpy as np
import keras
from keras import layers
model = keras.Sequential([keras.Input((8,)), layers.Dense(16, activation="relu"), layers.Dropout(0.5),
                          layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
x, y = np.zeros((70, 8), "float32"), np.zeros((70,), "int64")
"""


def test_all_names_of_keras_are_the_installed_package(tmp_path):
    assert printed(tmp_path, """\
import keras
import tensorflow as tf
from tensorflow import keras as tf_keras
import tensorflow.keras.layers as below
from tensorflow.keras.models import Sequential
print(keras.layers.Dense is tf.keras.layers.Dense is below.Dense is tf_keras.layers.Dense)
print(Sequential is keras.Sequential, "site-packages" in keras.__file__)
print(tf.losses.MeanSquaredError is keras.losses.MeanSquaredError, tf.keras.__version__ == keras.__version__)
try:
    import tensorflow.keras.nonsense
except ImportError as error:
    print(error.name)
""")[:4] == ["True", "True True", "True True", "tensorflow.keras.nonsense"]


def test_tensorflow_1_has_a_keras_of_its_own(tmp_path):
    done = check(tmp_path, "import tensorflow as tf\nprint(tf.keras.layers.Dense.__module__)\n",
                 "--show-output", "--tf-version", "1.15.0")
    assert done.stdout.startswith("shapeflow.")


def test_fit_evaluate_predict(tmp_path):
    assert printed(tmp_path, MODEL + """\
history = model.fit(x, y, epochs=3, batch_size=32, verbose=0, validation_split=0.2)
print(sorted(history.history), history.params,
      int(model.optimizer.iterations.numpy()))
print(len(model.evaluate(x, y, verbose=0)), model.predict(x, verbose=0).shape)
""")[:2] == ["['accuracy', 'loss', 'val_accuracy', 'val_loss'] {'verbose': 0, 'epochs': 3, 'steps': 2} 6",
             "2 (70, 3)"]


def test_callbacks_see_each_batch(tmp_path):
    assert printed(tmp_path, MODEL + """\
seen = []
class Log(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        seen.append("epoch %d" % epoch)
    def on_train_batch_end(self, batch, logs=None):
        seen.append((batch, sorted(logs)))
model.fit(x, y, epochs=2, batch_size=32, verbose=0, callbacks=[Log()])
print(seen[0], len(seen), seen[3])
""")[0] == "epoch 0 8 (2, ['accuracy', 'loss'])"


def test_masks_weights_and_slopes_are_keras_own(tmp_path):
    assert printed(tmp_path, """\
import numpy as np
import keras
x = keras.layers.Embedding(10, 4, mask_zero=True)(np.array([[1, 2, 0], [3, 0, 0]]))
print(np.array(x._keras_mask).tolist())
print(np.array(keras.layers.LeakyReLU(0.5)(np.array([-2.0, 2.0]))).tolist())
print(float(keras.losses.mean_squared_error(np.array([1.0, 2.0]), np.array([1.0, 4.0]))))
layer = keras.layers.Dense(2)
layer.build((None, 3))
print([(w.path, tuple(w.shape)) for w in layer.weights])
""")[:4] == ["[[True, True, False], [True, False, False]]", "[-1.0, 2.0]", "2.0",
             "[('dense/kernel', (3, 2)), ('dense/bias', (2,))]"]


def test_a_layer_that_refuses_its_input_is_one_finding(tmp_path):
    found_, _ = found(tmp_path, """\
import keras
from keras import layers
a = keras.Input((8,))
b = layers.LSTM(4)(a)
c = layers.Dense(3)(b)
model = keras.Model(a, c)
model.compile("adam", "mse")
""")
    assert found_ == [(4, "SF102")]


def test_independent_errors_are_all_found(tmp_path):
    found_, _ = found(tmp_path, """\
import numpy as np
import keras
from keras import layers
a = keras.Input((8,))
b = layers.Add()([a, keras.Input((9,))])
c = layers.Conv2D(3, 5)(keras.Input((3, 3, 1)))
first = keras.Sequential([keras.Input((8,)), layers.Dense(3)])
first.compile("sgd", "mse")
first.fit(np.zeros((70, 9)), np.zeros((70, 3)), verbose=0)
second = keras.Sequential([keras.Input((8,)), layers.Dense(3)])
second.compile("sgd", "categorical_crossentropy")
second.fit(np.zeros((70, 8)), np.zeros((70, 4)), verbose=0)
print(second.predict(np.zeros((70, 8))).shape)
""")
    assert found_ == [(5, "SF107"), (6, "SF110"), (9, "SF106"), (12, "SF108")]


def test_functions_and_operators_of_symbolic_tensors_are_followed(tmp_path):
    found_, _ = found(tmp_path, """\
import keras
from keras import layers
a = keras.Input((32, 32, 16))
x = layers.Conv2D(16, 3, padding="valid")(a)
y = layers.Conv2D(16, 3, padding="same")(a)
z = x + y
w = keras.ops.matmul(keras.Input((3, 4)), keras.Input((5, 6)))
v = keras.ops.concatenate([x, y], axis=3)
keras.Model(a, layers.Dense(3)(z))
layers.Dense(2)(keras.Input((3,))) + keras.Input((5,))
""")
    assert found_ == [(6, "SF107"), (7, "SF114"), (8, "SF108"), (10, "SF107")]


def test_a_softmax_over_one_class_is_the_layers(tmp_path):
    found_, _ = found(tmp_path, """\
import numpy as np
import keras
from keras import layers
model = keras.Sequential([layers.Dense(1, activation="softmax")])
model.compile("sgd", "mse")
model.fit(np.zeros((8, 4)), np.zeros((8, 1)), epochs=2, verbose=0)
y = layers.Dense(1)(keras.Input((4, 3)))
layers.Softmax()(y)
layers.Activation("log_softmax")(y)
layers.Softmax(axis=1)(y)
layers.Dense(2, activation="softmax")(y)
one = keras.Input((1, 3))
layers.MultiHeadAttention(2, 2)(one, one)
layers.Attention()([one, one])
""")
    assert found_ == [(4, "SF502"), (8, "SF502"), (9, "SF502")]


def test_operands_know_their_lines(tmp_path):
    done = check(tmp_path, """\
import keras
from keras import layers
a = keras.Input((8,))
b = layers.Dense(5)(a)
c = layers.Dense(7)(a)
d = layers.Add()([b, c])
""", "--format", "json")
    finding, = json.loads(done.stdout)["findings"]
    made = [(o["shape"], o["made_at"]["line"]) for o in finding["operands"]]
    assert made == [("[batch, 5]", 4), ("[batch, 7]", 5)]


def test_an_error_that_the_script_catches_is_raised_as_keras_raises_it(tmp_path):
    done = check(tmp_path, """\
import keras
try:
    keras.layers.LSTM(4)(keras.Input((8,)))
except ValueError as error:
    print(str(error)[:60])
""", "--show-output")
    assert "Input 0 with name 'None' of layer 'lstm' is incompatible" in done.stdout


def test_a_users_own_error_is_the_scripts(tmp_path):
    found_, done = found(tmp_path, """\
import keras
class Mine(keras.layers.Layer):
    def call(self, x):
        raise ValueError("the shapes are incompatible, says the user")
Mine()(keras.Input((8,)))
""")
    assert not found_ and done.returncode == 3


def test_functions_run_once_for_each_signature(tmp_path):
    assert printed(tmp_path, """\
import tensorflow as tf
step, w = tf.Variable(0), tf.Variable(tf.zeros([4, 3]))
@tf.function
def f(x):
    print("traced", x.shape)
    w.assign(w + 1.0)
    return tf.matmul(x, w)
for n in (2, 3, 2, 3, 2):
    print(f(tf.zeros([n, 4])).shape)
print(f.experimental_get_tracing_count())
@tf.function
def count():
    step.assign_add(2)
    return step
for _ in range(5):
    count()
step.assign(100)
count()
print(step.numpy())
""")[:8] == ["traced (2, 4)", "(2, 3)", "traced (3, 4)", "(3, 3)", "(2, 3)", "(3, 3)", "(2, 3)", "2"]


def test_arrays_are_told_by_their_form_and_are_tensors_in_a_function(tmp_path):
    assert printed(tmp_path, """\
import numpy as np
import tensorflow as tf
@tf.function
def f(pair, more=None):
    print("traced", tf.is_tensor(pair[0]), tf.is_tensor(more["x"]))
    return tf.matmul(*pair)
for n in (20, 30, 20, 30, 20):
    print(f((np.zeros([n, 14]), np.ones([14, 13])), more={"x": np.zeros([200])}).shape)
""")[:6] == ["traced True True", "(20, 13)", "traced True True", "(30, 13)", "(20, 13)", "(30, 13)"]


def test_counters_in_functions_go_on(tmp_path):
    assert printed(tmp_path, """\
import tensorflow as tf
step = tf.Variable(0)
@tf.function
def count(n):
    step.assign_add(n)
    return tf.zeros([step])
for _ in range(5):
    made = count(2)
step.assign(100)
made = count(2)
print(step.numpy(), made.shape)
data = iter(tf.data.Dataset.range(5).batch(2))
@tf.function
def take():
    return next(data)
print([take().shape[0] for _ in range(3)])
""")[:2] == ["102 (102,)", "[2, 2, 1]"]


def test_strategies(tmp_path):
    assert printed(tmp_path, """\
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy()
print(strategy.num_replicas_in_sync, tf.distribute.has_strategy())
with strategy.scope():
    print(tf.distribute.get_strategy() is strategy, tf.distribute.in_cross_replica_context())
    v = tf.Variable(tf.zeros([2]))
print(strategy.run(lambda x: x + v, args=(tf.ones([3, 2]),)).shape)
two = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
for x in two.experimental_distribute_dataset(tf.data.Dataset.from_tensors(tf.ones([5, 3]))):
    print([part.shape[0] for part in two.experimental_local_results(x)])
print(two.reduce("SUM", tf.ones([4, 2]), axis=0).shape)
""")[:5] == ["1 False", "True True", "(3, 2)", "[3, 2]", "(2,)"]


def test_a_model_of_two_replicas(tmp_path):
    assert printed(tmp_path, """\
import keras
import numpy as np
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    model = keras.Sequential([keras.Input([8]), keras.layers.Dense(16), keras.layers.BatchNormalization(),
                              keras.layers.Dropout(.5), keras.layers.Dense(3)])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("adam", loss, metrics=["accuracy"])
x, y = np.zeros([42, 8], "f"), np.zeros([42], "i")
print(type(model.layers[0].kernel.value).__name__)
history = model.fit(x, y, batch_size=16, epochs=2, verbose=0, validation_data=(x[:10], y[:10]))
print(sorted(history.history), int(model.optimizer.iterations.numpy()))
print(model.predict(x[:21], batch_size=8, verbose=0).shape, len(model.evaluate(x[:22], y[:22], verbose=0)))
""")[:3] == ["MirroredVariable", "['accuracy', 'loss', 'val_accuracy', 'val_loss'] 6", "(21, 3) 2"]


def test_text_and_lookups(tmp_path):
    assert printed(tmp_path, """\
import keras
import numpy as np
from keras import layers
words = layers.TextVectorization(max_tokens=20, output_sequence_length=4)
words.adapt(["a b c", "b c d"])
print(words(["a b", "c"]).shape)
letters = layers.StringLookup(vocabulary=["x", "y"])
print(np.array(letters(["x", "q", "y"])).tolist(), letters.vocabulary_size())
model = keras.Sequential([words, layers.Embedding(20, 8), layers.GlobalAveragePooling1D(), layers.Dense(1)])
print(model(np.array([["a b"], ["c"]])).shape)
""")[:3] == ["(2, 4)", "[1, 0, 2] 3", "(2, 1)"]


def test_steps_per_execution_and_weights_of_other_sizes(tmp_path):
    found_, done = found(tmp_path, MODEL + """\
model.compile("adam", "sparse_categorical_crossentropy", steps_per_execution=2)
model.fit(x, y, batch_size=16, verbose=0)
assert int(model.optimizer.iterations.numpy()) == 5
model.save_weights("w.weights.h5")
other = keras.Sequential([keras.Input((8,)), layers.Dense(17), layers.Dense(3)])
other.load_weights("w.weights.h5")
""")
    assert found_ == [(13, "SF125")] and done.returncode == 1


def test_a_transposed_convolution_of_sequences(tmp_path):
    assert printed(tmp_path, """\
import keras
import numpy as np
print(keras.layers.Conv1DTranspose(3, 4, strides=2)(np.zeros((2, 20, 6), "float32")).shape)
""")[0] == "(2, 42, 3)"


def test_the_first_import_of_keras_in_a_home_is_no_news(tmp_path):
    """Keras makes a folder for its settings then."""
    (tmp_path / "home").mkdir()
    write(tmp_path, train="import keras\nopen('made.txt', 'w').close()\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--verbose", "train.py",
                     env=environment(HOME=str(tmp_path / "home")))
    assert "made.txt" in done.stderr and ".keras" not in done.stderr


def test_a_trial_of_a_layer_without_build_takes_no_finding_away(tmp_path):
    where, _ = found(tmp_path, """\
import keras
class Inner(keras.layers.Layer):
    def build(self, shape):
        self.kernel = self.add_weight(shape=(16, 2))
    def call(self, inputs):
        return keras.ops.matmul(inputs, self.kernel)
class Outer(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
    def call(self, inputs):
        return self.inner(inputs)
keras.Sequential([keras.Input((6,)), Outer(), keras.layers.Dense(1)])
""")
    assert where == [(6, "SF101")]


def test_tensors_of_text_are_data_of_fit(tmp_path):
    assert printed(tmp_path, """\
import keras
import tensorflow as tf
model = keras.Sequential([keras.Input((1,), dtype="string"), keras.layers.StringLookup(vocabulary=["a"]),
                          keras.layers.Embedding(3, 4), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("adam", "mse")
print(sorted(model.fit(tf.constant([["a"], ["b"]]), tf.zeros((2, 1)), verbose=0).history))
print(type(tf.zeros(1)).__module__)
""")[:2] == ["['loss']", "tensorflow.python.framework.ops"]


def test_draws_by_probabilities_that_are_not_known(tmp_path):
    assert printed(tmp_path, """\
import random
import keras
import numpy as np
model = keras.Sequential([keras.layers.Dense(3, activation="softmax")])
chances = np.squeeze(model(np.zeros((1, 4))))
print(np.random.choice(3, p=chances) in (0, 1, 2), np.random.choice(3, 2, True, chances).shape)
print(np.random.default_rng(3).choice(3, p=model.predict(np.zeros((1, 4)), verbose=0)[0]) in (0, 1, 2))
print(len(random.choices("abc", weights=chances, k=4)),
      isinstance(np.random.default_rng(), np.random.Generator))
try:
    np.random.choice(4, p=[0.5, 0.5])
except ValueError as error:
    print(error)
""")[:4] == ["True (2,)", "True", "4 True", "'a' and 'p' must have same size"]


def test_groups_that_do_not_divide_the_channels(tmp_path):
    where, _ = found(tmp_path, """\
import keras
x = keras.layers.GroupNormalization(groups=5)(keras.Input((4, 4, 32)))
print(keras.layers.Dense(3)(x).shape)
""")
    assert where == [(2, "SF101")]


def test_what_fails_only_when_a_batch_comes_is_said_once_and_the_check_goes_on(tmp_path):
    where, done = found(tmp_path, """\
import keras
import numpy as np
import tensorflow as tf
class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(32)
    def train_step(self, x):
        return {"mean": keras.ops.mean(keras.ops.matmul(self.dense(x), self.dense(x)))}
model = Model()
model.compile()
model.fit(tf.data.Dataset.from_tensor_slices(np.zeros((24, 8), "float32")).batch(24), verbose=0)
tf.zeros((2, 3)) + tf.zeros((2, 4))
""")
    assert where == [(9, "SF114"), (13, "SF113")] and "could not be run" not in done.stdout


def test_draws_beside_data_that_are_not_there(tmp_path):
    assert printed(tmp_path, """\
import random
from numpy import random as numbers
import numpy as np
import pandas_that_is_not_there as pd
import tensorflow as tf
rows = pd.read_csv("rows.csv").values
print(type(random.choices("abc", k=2)).__name__, type(numbers.choice(3)).__name__ != "list")
x = tf.constant(rows[:4])
print(numbers.choice(3, p=np.array(tf.nn.softmax(tf.zeros(3)))) in (0, 1, 2), numbers.choice(rows) is None)
""")[:2] == ["list True", "True False"]


def test_a_vocabulary_of_unknown_words_is_unknown(tmp_path):
    assert printed(tmp_path, """\
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
vectorize = layers.TextVectorization(max_tokens=500, output_mode="int", output_sequence_length=7)
vectorize.adapt(tf.data.Dataset.from_tensor_slices(np.array(["a b", "c"])).batch(2))
print(type(vectorize.get_vocabulary()).__name__, vectorize(["a"]).shape)
""")[0] == "list (1, 7)"


def test_layers_of_images_in_a_data_set(tmp_path):
    assert printed(tmp_path, """\
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
data = tf.data.Dataset.from_tensor_slices(np.zeros((2, 16, 16, 3), "float32")).batch(2)
print([batch.shape for batch in data.map(layers.RandomGaussianBlur()).take(1)])
print([batch.shape for batch in data.map(lambda images: layers.RandAugment()(images)).take(1)])
""")[:2] == ["[TensorShape([2, 16, 16, 3])]"] * 2


def test_a_variable_of_keras_is_a_tensor_to_tensorflow(tmp_path):
    assert printed(tmp_path, """\
import keras
import numpy as np
import tensorflow as tf
variable = keras.Variable(np.ones((2, 3), "float32"))
print(tf.is_tensor(variable), tf.is_tensor(3), keras.ops.convert_to_tensor(variable, "float16").dtype.name)
print(keras.layers.RMSNormalization(dtype="float16")(np.ones((2, 3))).dtype.name)
scale = keras.ops.ones((8,), "float16")
print(keras.ops.rms_normalization(keras.ops.ones((2, 8), "bfloat16"), scale).dtype.name)
""")[:3] == ["True False float16", "float16", "bfloat16"]


def test_what_keras_refuses_in_the_programs_own_functions_is_found_at_their_line(tmp_path):
    """fit calls update_state and a loss, which call what raises the error in a file of Keras."""
    where, done = found(tmp_path, MODEL + """\
class Classes(keras.metrics.Metric):
    def __init__(self):
        super().__init__()
        self.sums = self.add_weight(shape=(1,), initializer="zeros", name="sums")
    def update_state(self, y_true, y_pred, sample_weight=None):
        self.sums.assign_add(keras.ops.sum(y_pred, 0))
    def result(self):
        return keras.ops.mean(self.sums)
def loss(y_true, y_pred):
    return keras.losses.categorical_crossentropy(keras.ops.one_hot(y_true, 5), y_pred)
model.compile("adam", "mse", metrics=[Classes()])
model.fit(x, np.zeros((70, 3)), verbose=0)
other = keras.Sequential([keras.Input((8,)), layers.Dense(3)])
other.compile("adam", loss)
other.fit(x, y, verbose=0)
""")
    assert where == [(13, "SF125"), (17, "SF108")], done.stdout
    done = check(tmp_path, (tmp_path / "train.py").read_text())
    assert "called from train.py:19:1" in done.stdout and "raised at" not in done.stdout
