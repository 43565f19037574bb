"""Datasets that are not modelled: they are datasets, also together with those that are."""
import pytest

import shapeflow as tf
from command import shapeflow, write
from shapeflow.tensorflow.compat import version_detection


@pytest.fixture(autouse=True)
def newest():
    """Other tests leave the version that they have taken."""
    version_detection.activate("2.21.0", "eager")


@pytest.fixture
def sql():
    return tf.data.experimental.SqlDataset("sqlite", "no_such.db", "SELECT x FROM y", (tf.float32,))


@pytest.fixture
def known():
    return tf.data.Dataset.range(3)


def test_an_unmodelled_dataset_is_a_dataset(sql):
    assert issubclass(tf.data.experimental.SqlDataset, tf.data.Dataset)
    assert isinstance(sql, tf.data.Dataset)
    assert isinstance(sql, tf.data.experimental.SqlDataset)
    assert isinstance(tf.data.Dataset.load("no_such"), tf.data.Dataset)


@pytest.mark.parametrize("change", [
    lambda d: d.map(lambda *columns: columns[0]), lambda d: d.shuffle(3).batch(2).prefetch(1),
    lambda d: d.padded_batch(2), lambda d: d.apply(tf.data.experimental.unbatch()),
    lambda d: d.with_options(tf.data.Options()), lambda d: d.group_by_window(None, None, 2),
])
def test_what_is_made_of_it_is_a_dataset(sql, change):
    made = change(sql)
    assert isinstance(made, tf.data.Dataset) and hasattr(type(made), "_sf_unmodelled")


def shapes(dataset):
    return [spec.shape.as_list() for spec in tf.nest.flatten(dataset.element_spec)]


def test_what_a_function_makes_of_unknown_elements_is_known_as_far_as_it_says():
    sql = tf.data.Dataset.load("no_such")
    one = sql.map(lambda x: tf.reshape(tf.cast(x, tf.float32), [4, 3]))
    assert shapes(one) == [[4, 3]] and shapes(one.batch(2, drop_remainder=True)) == [[2, 4, 3]]
    assert [x.shape.as_list()[1:] for x in one.batch(2).take(1)] == [[4, 3]]
    several = sql.map(lambda image, label: {"x": tf.image.resize(image["a"], (8, 6)), "y": tf.zeros(2)})
    assert sorted(several.element_spec) == ["x", "y"] and several.element_spec["y"].shape == (2,)
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 5"):
        sql.map(lambda x: tf.matmul(tf.reshape(x, [4, 3]), tf.zeros([5, 6])))


def test_a_function_that_fails_for_want_of_elements_makes_unknown_ones():
    sql = tf.data.Dataset.load("no_such")
    for function in (lambda x: {"a": 1}[x], lambda x: {}["b"], lambda x: None):
        assert hasattr(type(sql.map(function)), "_sf_unmodelled")


@pytest.mark.parametrize("together", [
    lambda known, sql: tf.data.Dataset.zip((known, sql)),
    lambda known, sql: tf.data.Dataset.zip({"a": sql, "b": known}),
    lambda known, sql: known.concatenate(sql),
    lambda known, sql: sql.concatenate(known),
    lambda known, sql: known.flat_map(lambda x: sql),
    lambda known, sql: known.interleave(lambda x: sql, cycle_length=2),
    lambda known, sql: known.apply(lambda d: sql),
    lambda known, sql: tf.data.Dataset.sample_from_datasets([known, sql]),
    lambda known, sql: tf.data.Dataset.choose_from_datasets([sql, known], known),
    lambda known, sql: tf.data.experimental.sample_from_datasets([sql, known]),
])
def test_together_with_a_modelled_one_it_is_unknown(known, sql, together):
    """Each was a TypeError or an AttributeError in a right program."""
    made = together(known, sql)
    assert isinstance(made, tf.data.Dataset)
    for features, labels in made.take(1):
        tf.matmul(features, labels)


def test_what_a_dataset_says_of_itself_is_unknown(sql):
    assert int(sql.cardinality()) == 1
    assert sql.element_spec["column"].dtype
    tf.data.experimental.get_single_element(sql)
    assert not isinstance(sql.reduce(0, lambda a, b: a), tf.data.Dataset)
    assert not isinstance(sql.options(), tf.data.Dataset)


def test_a_stored_dataset_has_the_elements_that_the_program_says():
    spec = (tf.TensorSpec([28, 28], tf.float32), tf.TensorSpec([], tf.int64))
    for dataset in (tf.data.Dataset.load("no_such", spec), tf.data.experimental.load("no_such", spec)):
        images, labels = next(iter(dataset.batch(5)))
        assert images.shape == (5, 28, 28) and labels.dtype == tf.int64
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.matmul(images, tf.ones([5, 27, 3]))


def test_sparse_batch_is_a_method():
    made = tf.data.Dataset.from_tensors(tf.ones([3])).sparse_batch(2, [4])
    assert made.element_spec.shape.as_list() == [None, 4]


def test_iterators_of_version_1_take_unmodelled_datasets(tmp_path):
    write(tmp_path, main="""import tensorflow as tf
data = tf.contrib.data.SqlDataset("sqlite", "no_such.db", "SELECT x FROM y", (tf.float32, tf.int32))
assert isinstance(data, tf.data.Dataset) and isinstance(data.batch(3), tf.data.Dataset)
features, labels = data.batch(3).make_one_shot_iterator().get_next()
other, _ = tf.compat.v1.data.make_initializable_iterator(data).get_next()
iterator = tf.data.Iterator.from_structure((tf.float32, tf.int32), ([None, 4], [None]))
start = iterator.make_initializer(data.batch(3))
x, y = iterator.get_next()
product = tf.matmul(x, tf.ones([4, 2]))
with tf.Session() as session:
    session.run(start)
    session.run([features, other, product, y])
    tf.matmul(x, tf.ones([5, 2]))
""")
    done = shapeflow(tmp_path, "check", "--tf-version", "1.15.0", "main.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "main.py:13" in done.stdout and done.stdout.count("error[") == 1
