"""Tables of pandas that are not there: what is certain of their shapes is used, and nothing else."""
import importlib.util

import pytest

from command import report_of, shapeflow, write

needs_keras = pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")
HEAD = """import numpy as np
import pandas as pd
import tensorflow as tf
df = pd.read_csv("absent.csv")
"""


def assert_reported(folder, text, *options):
    """The lines that end with `# wrong`, and no other."""
    write(folder, train=text)
    report, done = report_of(folder, *options)
    assert report["scripts"][0]["failure"] is None, done.stderr
    passed = [f["primary"]["line"] for f in report["findings"] if f["code"] == "SF908"]
    errors = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
    wanted = [at for at, line in enumerate(text.splitlines(), 1) if line.endswith("# wrong")]
    assert (errors, passed) == (wanted, []), done.stdout + done.stderr


SHAPES = [
    ("df.values", (None, None)), ("df.to_numpy()", (None, None)), ("df['a']", (None,)), ("df.a", (None,)),
    ("df[['a', 'b']]", (None, 2)), ("df[['a', 'b']].values", (None, 2)), ("df[df.a > 3]", (None, None)),
    ("df[['a', 'b']][df.a.isin([1])]", (None, 2)), ("df[['a', 'b']][5:]", (None, 2)),
    ("df[['a', 'b']].sample(frac=1).reset_index(drop=True)", (None, 2)),
    ("df[['a', 'b']].reset_index()", (None, None)), ("df[['a', 'b', 'c']].drop('c', axis=1)", (None, 2)),
    ("df[['a', 'b']].drop([1, 2])", (None, 2)), ("df[['a', 'b']].dropna(axis=1)", (None, None)),
    ("df.iloc[:, 1:].values", (None, None)), ("df.iloc[:, -1]", (None,)), ("df.iloc[3]", (None,)),
    ("df.loc[:, ['a', 'b']]", (None, 2)), ("df.columns", (None,)), ("df.describe()", None),
    ("df.groupby('a').mean()", (None, None)), ("df.values[:, 0]", (None,)),
    ("df.values[:, 0:2]", (None, None)),
    ("df.values[..., None]", (None, None, 1)), ("df[['a', 'b']].values.T", (2, None)),
    ("df[['a', 'b']].values.flatten()", (None,)), ("df.a.values.reshape(-1, 1)", (None, 1)),
    ("(df[['a', 'b']] - df.mean()) / df.std()", (None, 2)), ("df.a.map({1: 2}).astype(int)", (None,)),
    ("df.a.unique()", (None,)), ("df.a.apply(pd.Series)", None),
    ("df.loc(axis=0)[:, 'a']", (None,)),
    ("df.drop('a', 1, None)", (None, None)), ("nobody.layers.flatten(df, name='flat')", None),
    ("df.a.tolist()", None), ("df[nobody]", None),
    ("pd.concat([df[['a']], df[['b', 'c']]], axis=1)", (None, 3)),
    ("pd.concat([df[['a']], df[['b']]])", (None, 1)), ("pd.concat([df.a, df.b])", (None,)),
    ("pd.get_dummies(df.a)", (None, None)), ("pd.read_csv('b', names=['x', 'y'])", (None, 2)),
    ("pd.read_csv('b', names=['x', 'y'], index_col=0)", (None, None)),
    ("pd.read_csv('b', header=[0, 1])", None), ("pd.read_csv('b', chunksize=9)", None),
    ("pd.read_excel('b', sheet_name=None)", None), ("train_test_split(df[['a', 'b']], df.y)[0]", (None, 2)),
    ("train_test_split(df[['a', 'b']], df.y)[3]", (None,)),
    ("StandardScaler().fit_transform(df[['a', 'b']])", (None, 2)), ("changed", (None, 3)),
    ("df.resample('h').mean().fillna(0)[['a', 'b']]", (None, 2)), ("df.rolling(3).sum()", (None, None)),
    ("df.groupby('a')[['b', 'c']].max()", (None, None)), ("df.groupby('a')['b'].max()", None),
    ("df.a.rolling(3).mean()", (None,)), ("df.groupby('a').size()", None),
    ("((df[['a', 'b']] - 1) / 2)[['b']]", (None, 1)), ("(df - df.mean()) / df.std()", (None, None)),
    ("1 - df.a", (None,)), ("df[['a']] + df[['a', 'b']]", (None, None)),
    ("df[['a', 'b']] * df[['a', 'b']]", (None, 2))]


def test_shapes(tmp_path):
    write(tmp_path, train=HEAD + """import nobody
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
changed = df[["a", "b"]]
changed["c"] = changed.a * 2
def shape(x):
    return getattr(x, "_sf_shape", None)
def is_(x):
    return [k for k in (pd.DataFrame, pd.Series, dict) if isinstance(x, k)]
failed = []
""" + "".join(f"if shape({text}) != {shape!r}:\n    failed.append(({text!r}, shape({text})))\n"
              for text, shape in SHAPES) + """
print(failed, len(is_(df)), len(is_(df.a)), is_(df)[0] is pd.DataFrame)
""")


    done = shapeflow(tmp_path, "check", "--no-cache", "--show-output", "train.py")
    assert done.stdout.splitlines()[0] == "[] 1 1 True", done.stdout + done.stderr


def test_an_unknown_dtype_fits_wherever_another_one_is_wanted(tmp_path):
    """A known shape made it float32 in eager code: tf.gather ended the statement."""
    assert_reported(tmp_path, HEAD + """v, w = df.a.values, df.b.values.reshape(2, 3)
for x in (v, w, w + 1):
    tf.gather(tf.zeros([5, 4]), x)
    tf.one_hot(x, 3)
    x + tf.zeros([2, 3], tf.int64) if x is not v else tf.strings.lower(x)
rows = tf.where(tf.zeros([3, 2]) > 0)
tf.matmul(tf.cast(df[["a", "b"]].values, tf.float32), tf.zeros([3, 4]))  # wrong
""")


@needs_keras
def test_keras_is_given_tables(tmp_path):
    assert_reported(tmp_path, HEAD + """from tensorflow import keras
from tensorflow.keras import Sequential, layers
words = layers.TextVectorization(max_tokens=1000, output_sequence_length=20)
words.adapt(df["text"].values)
words.adapt(tf.data.Dataset.from_tensor_slices(df["text"].tolist()))
m = Sequential([words, layers.Embedding(1000, 16), layers.GlobalAveragePooling1D(), layers.Dense(1)])
m.compile("adam", "mse")
m.fit(df["text"], df["y"], epochs=2)
class Rows(keras.Model):
    def __init__(self, depth):
        super().__init__()
        self.users, self.out, self.depth = layers.Embedding(10, 8), layers.Dense(1), depth
        self.weights_of = self.add_weight(shape=(50, 8))
    def call(self, x):
        a = self.users(x[:, 0]) * tf.nn.embedding_lookup(self.weights_of, x[:, 1])
        c = tf.one_hot(x[:, 1], self.depth)
        return self.out(a + c)  # wrong
for depth in (8, 7):
    rows = Rows(depth)
    rows.compile("adam", "mse")
    rows.fit(df[["u", "v"]].values, df["y"].values)
n = Sequential([layers.Dense(4), layers.BatchNormalization(), layers.Dense(2)])
n.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
n.fit(df.drop("y", axis=1), df["y"], validation_split=.2)
n.evaluate(df.drop("y", axis=1).values, df.y.values)
z = Sequential([Sequential([layers.Dense(4)]), layers.Dense(3)])(tf.cast(df.values, tf.float32))
tf.matmul(z, tf.zeros([4, 2]))  # wrong
s = Sequential([layers.Dense(3, activation="softmax")])
s.compile("adam", "categorical_crossentropy")
s.fit(df.values, keras.utils.to_categorical(df.y, 4))  # wrong
s = Sequential([layers.Dense(3, activation="softmax")])
s.compile("adam", "categorical_crossentropy")
s.fit(df.values, pd.get_dummies(df.y).values)
""")


NAMES = """import pandas as pd
import tensorflow as tf
df = pd.read_csv("absent.csv", names=["a", "b", "c"])
assert list(df.columns) == ["a", "b", "c"] == df.columns.tolist() and [n for n in df] == ["a", "b", "c"]
assert "a" in df.columns and list(df[["c", "a"]].copy().columns) == ["c", "a"]
df["d"] = df["a"] * 2
df["a"] = 1
assert list(df.columns) == ["a", "b", "c", "d"] and list(df.drop(columns=["a"]).columns) == ["b", "c", "d"]
df.pop("d")
del df["b"]
df.drop("c", axis=1, inplace=True)
assert list(df.columns) == ["a"] and list(df[df.a > 3].fillna(0).columns) == ["a"]
df.columns = ["x"]
assert list(df.columns) == ["x"] and list(df.reset_index(drop=True)) == ["x"]
assert not hasattr(df["x"], "columns") and hasattr(df, "columns")
df.columns.difference(["x"]).sort_values()
many = pd.read_csv("absent.csv", names=["a", "b", "c"])
assert many.columns[0] == "a" and list(many.columns[1:]) == ["b", "c"] == list(many[many.columns[1:]].columns)
for left in (many[many.columns[many.columns != "c"]], many.loc[:, many.columns != "c"]):
    tf.matmul(tf.zeros([4, 2]), tf.transpose(tf.cast(left, tf.float32)))
many.columns - ["a"], many.columns + "_x", many.columns[many.isnull().any()]
many.columns = many.columns.str.strip()
tf.matmul(tf.zeros([4, 2]), tf.transpose(tf.cast(many.values, tf.float32)))  # wrong
other = pd.read_csv("absent.csv")
other["d"] = 3
assert len(other.columns) >= 0 and other.columns.str.lower() is not None
tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 2]))
"""


def test_names_of_columns(tmp_path):
    assert_reported(tmp_path, NAMES)


ESTIMATOR = """import pandas as pd
import tensorflow as tf
df = pd.read_csv("absent.csv")
feature_columns = [tf.feature_column.numeric_column("age"), tf.feature_column.numeric_column("hours")]
def model_fn(features, labels, mode):
    net = tf.layers.dense(tf.feature_column.input_layer(features, feature_columns), 16)
    logits = tf.matmul(net, tf.get_variable("w", [32, 1]))  # wrong
    loss = tf.losses.sigmoid_cross_entropy(labels, tf.squeeze(logits, 1))
    train = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)
tf.estimator.Estimator(model_fn, "model").train(tf.estimator.inputs.pandas_input_fn(
    df[["age", "hours"]], df["label"], batch_size=32, num_epochs=1, shuffle=True))
"""


def test_an_estimator_reads_the_columns_that_the_program_names(tmp_path):
    assert_reported(tmp_path, ESTIMATOR)


COLUMNS = """\
import numpy as np
import pandas as pd
import tensorflow as tf
table = pd.read_csv("weather.csv")
table = (table - table.mean()) / table.std()
index = {name: i for i, name in enumerate(table.columns)}
print(len(index))
print(index["T (degC)"], index["p (mbar)"])
tf.matmul(tf.zeros([2, 3]), tf.zeros([%d, 4]))
"""


@pytest.mark.parametrize("rows, errors", [(3, []), (5, ["SF114"])])
def test_columns_that_are_looked_up_in_vain_are_there(tmp_path, rows, errors):
    write(tmp_path, train=COLUMNS % rows)
    report, done = report_of(tmp_path)
    assert [f["code"] for f in report["findings"] if f["severity"] == "error"] == errors, done.stdout
    assert not [f for f in report["findings"] if f["code"] == "SF908"], report["findings"]
    assert report["scripts"][0]["failure"] is None


def test_a_key_of_another_mapping_is_still_missing(tmp_path):
    write(tmp_path, train="import tensorflow as tf\ntf.zeros([2])\nprint({}['T (degC)'])\n")
    report, done = report_of(tmp_path)
    assert "KeyError: 'T (degC)'" in report["scripts"][0]["failure"], done.stdout
