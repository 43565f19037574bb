"""Tables, parsed records, groups by a key, saved data sets, scans. Expectations are TensorFlow 2.21's."""
import numpy as np
import pytest

from command import shapeflow, write

TABLE = "a,b,name,y\n1,2.5,x,0\n2,3.5,y,1\n3,,z,1\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(TABLE)
    return str(path)


def specs(tf, *dtypes, shape=()):
    return tuple(tf.TensorSpec(shape, dtype) for dtype in dtypes)


def test_rows_of_a_table(tf2, table):
    rows = tf2.data.experimental.CsvDataset(
        table, [tf2.int32, tf2.constant([1.]), tf2.string, tf2.int64], header=True)
    assert rows.element_spec == specs(tf2, tf2.int32, tf2.float32, tf2.string, tf2.int64)
    assert [(int(a), int(y)) for a, _, _, y in rows] == [(1, 0), (2, 1), (3, 1)]


def test_tables_that_are_not_there_have_the_columns_that_the_program_says(tmp_path):
    write(tmp_path, main="""import tensorflow as tf
rows = tf.data.experimental.make_csv_dataset(
    "data/*.csv", 32, column_names=["a", "b", "c", "y"], column_defaults=[0., [1.], tf.float32, 0],
    label_name="y", num_epochs=1)
weights = tf.Variable(tf.zeros([4, 2]))
for x, y in rows.map(lambda features, label: (tf.stack(list(features.values()), axis=-1), label)):
    tf.matmul(x, weights)
""")
    done = shapeflow(tmp_path, "check", "main.py")
    assert "main.py:7:5: error[SF114]" in done.stdout, done.stdout + done.stderr


def test_some_columns_of_a_table(tf2, table):
    rows = tf2.data.experimental.CsvDataset(table, [tf2.int64], header=True, select_cols=[3])
    assert [int(y) for y, in rows] == [0, 1, 1]


def test_batches_of_columns_have_the_dtypes_of_the_file(tf2, table):
    batches = tf2.data.experimental.make_csv_dataset(table, 2, label_name="y", num_epochs=1, shuffle=False)
    features, label = batches.element_spec
    assert {name: spec.dtype for name, spec in features.items()} == {
        "a": tf2.int32, "b": tf2.float32, "name": tf2.string}
    assert label == tf2.TensorSpec([None], tf2.int32)
    assert [(len(f["a"]), len(y)) for f, y in batches] == [(2, 2), (1, 1)]


def test_batches_without_end_are_whole(tf2, table):
    batches = tf2.data.experimental.make_csv_dataset(table, 2, select_columns=["a", "y"])
    assert list(batches.element_spec) == ["a", "y"]
    assert batches.element_spec["a"].shape == [2]
    assert int(batches.cardinality()) == tf2.data.INFINITE_CARDINALITY


@pytest.mark.parametrize("given, words", [
    ({"label_name": "q"}, r"`label_name` provided must be one of the columns: \['a', 'b', 'name', 'y'\]"),
    ({"select_columns": ["q"]}, "Column q specified in `select_columns` must be of one of the columns"),
    ({"column_names": ["a", "a"]}, "contains duplicate column names: {'a'}"),
    ({"file_pattern": "nothing/*.csv"}, "No files match `file_pattern` nothing/.*csv"),
])
def test_tables_refused(tf2, table, given, words):
    with pytest.raises(ValueError, match=words):
        tf2.data.experimental.make_csv_dataset(**{"file_pattern": table, "batch_size": 2, **given})


def test_batches_of_parsed_records(tf2, tmp_path):
    path = str(tmp_path / "records")
    with tf2.io.TFRecordWriter(path) as writer:
        for _ in range(5):
            writer.write(tf2.train.Example().SerializeToString())
    features = {"x": tf2.io.FixedLenFeature([], tf2.int64), "l": tf2.io.FixedLenFeature([2], tf2.float32)}
    batches = tf2.data.experimental.make_batched_features_dataset(
        path, 2, features, label_key="x", num_epochs=1)
    assert batches.element_spec == ({"l": tf2.TensorSpec([None, 2], tf2.float32)},
                                    tf2.TensorSpec([None], tf2.int64))
    assert [(f["l"].shape, x.shape) for f, x in batches] == [
        ([2, 2], [2]), ([2, 2], [2]), ([1, 2], [1])]
    with pytest.raises(ValueError, match="label_key"):
        tf2.data.experimental.make_batched_features_dataset(path, 2, features, label_key="q")


def test_a_list_of_elements(tf2):
    made = tf2.data.experimental.from_list([(1, "a"), (2, "b")])
    assert made.element_spec == specs(tf2, tf2.int32, tf2.string)
    assert int(made.cardinality()) == 2
    with pytest.raises(ValueError, match="must not be empty"):
        tf2.data.experimental.from_list([])


def test_windows_of_one_key(tf2):
    windows = tf2.data.Dataset.range(10).group_by_window(
        key_func=lambda x: x % 2, reduce_func=lambda key, window: window.batch(5), window_size=5)
    assert [w.tolist() for w in windows.as_numpy_iterator()] == [[0, 2, 4, 6, 8], [1, 3, 5, 7, 9]]


def test_windows_of_keys_that_nobody_knows_have_no_content(tf2):
    images = tf2.data.Dataset.from_tensor_slices(tf2.random.uniform([10, 3]))
    windows = images.group_by_window(lambda x: tf2.cast(x[0], tf2.int64), lambda key, w: w.batch(4), 4)
    assert [w.shape.as_list() for w in windows] == [[4, 3], [4, 3], [2, 3]]


LENGTHS = [[0], [1, 2, 3, 4], [5, 6, 7], [7, 8, 9, 10, 11], [13, 14, 15, 16, 19, 20], [21, 22]]


@pytest.mark.parametrize("sizes, given, shapes", [
    ([[3, 5], [2, 2, 2]], {}, [[2, 4], [2, 6], [2, 2]]),
    ([[3, 5, 10], [3, 2, 2, 1]], {"pad_to_bucket_boundary": True, "drop_remainder": True},
     [[2, 4], [2, 9]]),
])
def test_buckets_of_lengths(tf2, sizes, given, shapes):
    elements = tf2.data.Dataset.from_generator(lambda: LENGTHS, tf2.int64, output_shapes=[None])
    batches = elements.bucket_by_sequence_length(lambda e: tf2.shape(e)[0], *sizes, **given)
    assert batches.element_spec == tf2.TensorSpec([None, None], tf2.int64)
    assert [b.shape for b in batches] == shapes


def test_what_was_saved_is_loaded(tf2, tmp_path):
    pairs = tf2.data.Dataset.range(4).map(lambda i: (i, tf2.ones([3])))
    assert pairs.save(str(tmp_path / "s")) is None
    found = tf2.data.Dataset.load(str(tmp_path / "s"))
    assert found.element_spec == pairs.element_spec
    assert len(list(found)) == 4
    tf2.data.experimental.save(pairs, str(tmp_path / "t"))
    assert tf2.data.experimental.load(str(tmp_path / "t")).element_spec == pairs.element_spec


def test_options_are_kept(tf2):
    options = tf2.data.Options()
    assert options.deterministic is None
    options.deterministic = False
    options.threading.private_threadpool_size = 3
    found = tf2.data.Dataset.range(4).with_options(options).shuffle(3).options()
    assert found.deterministic is False
    assert found.threading.private_threadpool_size == 3


def test_a_filter_leaves_a_number_that_nobody_knows(tf2):
    kept = tf2.data.Dataset.range(4).repeat().filter(lambda x: x > 2)
    assert int(kept.cardinality()) == tf2.data.UNKNOWN_CARDINALITY


def test_an_optional_holds_tensors(tf2):
    assert tf2.experimental.Optional.from_value(42).get_value().dtype == tf2.int32


# --- eager TensorFlow beside data ---------------------------------------------------------------------------
def test_a_concrete_function_is_traced_when_it_is_made(tf2):
    @tf2.function
    def product(a, b):
        return tf2.matmul(a, b)

    with pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 4"):
        product.get_concrete_function(tf2.TensorSpec([None, 3]), tf2.TensorSpec([4, 5]))
    made = product.get_concrete_function(tf2.TensorSpec([None, 3]), tf2.TensorSpec([3, 5]))
    assert made.structured_outputs.shape.as_list() == [None, 5]


def test_tensors_of_one_kind_are_one_trace(tf2):
    @tf2.function
    def double(a):
        return a + a

    counts = []
    for given in (tf2.constant(1), tf2.constant(2), tf2.constant("a"), 1, 2):
        double(given)
        counts.append(double.experimental_get_tracing_count())
    assert counts == [1, 1, 2, 3, 4]


def test_eager_get_variable_makes_each_anew(tf2):
    v1 = tf2.compat.v1
    assert v1.get_variable("v", [1]).shape == [1]
    assert v1.get_variable("v", [2]).shape == [2]
    with v1.variable_scope("foo", reuse=True):
        assert v1.get_variable("w", [3]).shape == [3]


def test_a_placeholder_is_of_graphs_alone(tf2):
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        tf2.compat.v1.placeholder(tf2.float32)


def test_ragged_rows_that_differ_are_not_equal(tf2):
    one, other = tf2.ragged.constant([[1, 2], [3]]), tf2.ragged.constant([[1, 2], [3, 3]])
    assert (one == other) is False
    assert (one != other) is True
    assert (one == None) is False  # noqa: E711
    assert (one == one).shape.as_list() == [2, None]
    with pytest.raises(tf2.errors.InvalidArgumentError):
        one + other
    whole = tf2.ragged.constant([[1], [2]])
    assert (other + whole).shape.as_list() == [2, None]


def test_composites_are_taken_apart(tf2):
    sparse, ragged = tf2.SparseTensor([[0, 0]], [1], [1, 2]), tf2.ragged.constant([[1., 2.], [3.]])
    given = {"s": sparse, "r": ragged, "x": 3}
    flat = tf2.nest.flatten(given, expand_composites=True)
    assert [getattr(part, "shape", None) for part in flat] == [[3], [3], [1, 2], [1], [2], None]
    again = tf2.nest.pack_sequence_as(given, flat, expand_composites=True)
    assert again["r"].shape.as_list() == [2, None]
    assert again["s"].shape.as_list() == [1, 2]
    assert tf2.nest.is_nested({"a": 1}.keys())
    doubled = tf2.nest.map_structure(lambda t: t, given, expand_composites=True)
    assert doubled["s"].values.shape == [1]


@pytest.mark.parametrize("dtype, to, values", [
    ("int8", "int16", [256, 32512]), ("int8", "uint8", [2, 254]), ("uint16", "uint8", [0, 0]),
])
def test_images_fill_the_range_of_their_dtype(tf2, dtype, to, values):
    image = tf2.constant(np.array([[[1]], [[127]]]), dtype)
    assert tf2.image.convert_image_dtype(image, to).numpy().ravel().tolist() == values


@pytest.mark.parametrize("scanned, wanted", [  # real answers of TensorFlow 2.21
    (lambda tf, D: D.range(5).scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s + x)),
     [[0], [1], [3], [6], [10]]),
    (lambda tf, D: D.range(3).scan((tf.constant(0), tf.constant([1, 2])), lambda s, x: (
        (s[0] + 1, s[1] * 2), (s[0], {"a": s[1]}))), [[0, [1, 2]], [1, [2, 4]], [2, [4, 8]]]),
    (lambda tf, D: D.from_tensors(1).repeat(4).scan(0, lambda s, x: (s + 1, s)), [[0], [1], [2], [3]]),
    (lambda tf, D: D.from_tensors(1).repeat().scan(0, lambda s, x: (s + 1, s)).take(3), [[0], [1], [2]]),
    (lambda tf, D: D.range(4).scan(0, lambda s, x: (s + 1, (s, tf.zeros([2])))).batch(2),
     [[[0, 1], [[0, 0]] * 2], [[2, 3], [[0, 0]] * 2]]),
])
def test_a_scan_carries_its_state(tf2, scanned, wanted):
    found = scanned(tf2, tf2.data.Dataset)
    assert [[part.numpy().tolist() for part in tf2.nest.flatten(element)] for element in found] == wanted


def test_a_scan_of_many_elements_forgets_its_state(tf2):
    many = tf2.data.Dataset.from_tensors(1).repeat(10 ** 9).scan(
        0, lambda s, x: (s + 1, tf2.zeros([3]) + tf2.cast(s, tf2.float32)))
    assert many.element_spec.shape == [3] and next(iter(many.skip(10 ** 8).batch(7))).shape == [7, 3]
