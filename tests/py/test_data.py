"""tf.data: shapes, counts and ends of pipelines. Expectations are TensorFlow 1.15's and 2.21's."""
import struct

import numpy as np
import pytest

X = np.zeros((10, 3), np.float32)
Y = np.arange(10)


def elements(tf, dataset, feed=None, limit=20):
    """The values of get_next, run until the end."""
    if feed is None:
        iterator = dataset.make_one_shot_iterator()
    else:
        iterator = dataset.make_initializable_iterator()
    following = iterator.get_next()
    found = []
    with tf.Session() as sess:
        if feed is not None:
            sess.run(iterator.initializer, feed)
        with pytest.raises(tf.errors.OutOfRangeError, match="^End of sequence") as end:
            while len(found) < limit:
                found.append(sess.run(following))
        assert end.value.op.type == "IteratorGetNext"
    return found


def shapes(found):
    return [tuple(np.shape(v) for v in e) if isinstance(e, tuple) else np.shape(e) for e in found]


def test_last_batch_is_short(tf):
    dataset = tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)
    assert [s.as_list() for s in dataset.output_shapes] == [[None, 3], [None]]
    assert dataset.output_types == (tf.float32, tf.int64)
    assert shapes(elements(tf, dataset)) == [((4, 3), (4,)), ((4, 3), (4,)), ((2, 3), (2,))]


def test_drop_remainder_fixes_the_batch(tf):
    dataset = tf.data.Dataset.from_tensor_slices({"a": X}).batch(4, drop_remainder=True)
    assert dataset.output_shapes["a"].as_list() == [4, 3]
    assert [e["a"].shape for e in elements(tf, dataset)] == [(4, 3)] * 2


@pytest.mark.parametrize("make, expected", [
    (lambda t, D: D.range(5), [0, 1, 2, 3, 4]),
    (lambda t, D: D.range(2, 10, 3).repeat(2), [2, 5, 8, 2, 5, 8]),
    (lambda t, D: D.range(10).skip(3).take(4), [3, 4, 5, 6]),
    (lambda t, D: D.range(10).shard(3, 1), [1, 4, 7]),
    (lambda t, D: D.range(10).filter(lambda x: t.equal(x % 2, 0)), [0, 2, 4, 6, 8]),
    (lambda t, D: D.range(3).flat_map(lambda x: D.from_tensors(x).repeat(x + 1)),
     [0, 1, 1, 2, 2, 2]),
    (lambda t, D: D.range(1, 4).interleave(lambda x: D.from_tensors(x).repeat(4),
                                           cycle_length=2, block_length=2),
     [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 3, 3]),
    (lambda t, D: D.range(2).concatenate(D.range(3)), [0, 1, 0, 1, 2]),
    (lambda t, D: D.range(4).batch(3).apply(t.contrib.data.unbatch()), [0, 1, 2, 3]),
])
def test_contents_of_small_elements(tf, make, expected):
    assert elements(tf, make(tf, tf.data.Dataset)) == expected


def test_map_is_traced_and_run(tf):
    dataset = tf.data.Dataset.from_tensor_slices((X, Y)).map(
        lambda x, y: (tf.reshape(x, [3, 1]), tf.one_hot(y, 4)), num_parallel_calls=2).batch(3)
    assert [s.as_list() for s in dataset.output_shapes] == [[None, 3, 1], [None, 4]]
    assert shapes(elements(tf, dataset))[-1] == ((1, 3, 1), (1, 4))


def test_map_errors(tf):
    dataset = tf.data.Dataset.from_tensor_slices(X)
    with pytest.raises(ValueError, match="Shape must be rank 2 but is rank 1"):
        dataset.map(lambda x: tf.matmul(x, x))
    with pytest.raises(TypeError, match="Unsupported return value"):
        dataset.map(lambda x: None)
    with pytest.raises(ValueError, match="must be convertible to a scalar boolean"):
        dataset.filter(lambda x: x)


def test_padded_batch(tf):
    rows = tf.data.Dataset.range(1, 6).map(lambda x: tf.fill([tf.cast(x, tf.int32)], x))
    dataset = rows.padded_batch(2, padded_shapes=[None])
    assert dataset.output_shapes.as_list() == [None, None]
    assert shapes(elements(tf, dataset)) == [(2, 2), (2, 4), (1, 5)]
    following = rows.padded_batch(2, padded_shapes=[3]).make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        sess.run(following)
        with pytest.raises(tf.errors.DataLossError, match="Attempted to pad to a smaller size"):
            sess.run(following)


def test_elements_that_do_not_stack(tf):
    rows = tf.data.Dataset.range(1, 6).map(lambda x: tf.fill([tf.cast(x, tf.int32)], x))
    following = rows.batch(2).make_one_shot_iterator().get_next()
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError):
        sess.run(following)


def test_components_of_different_sizes(tf):
    with pytest.raises(ValueError, match="Dimensions 10 and 9 are not compatible"):
        tf.data.Dataset.from_tensor_slices((X, np.arange(9)))
    with pytest.raises(TypeError, match="Two datasets to concatenate have different types"):
        tf.data.Dataset.range(2).concatenate(tf.data.Dataset.from_tensor_slices(X))


def test_generator_really_runs(tf):
    def generator():
        for i in range(3):
            yield np.zeros((i + 1, 2)), i

    make = tf.data.Dataset.from_generator
    dataset = make(generator, (tf.float32, tf.int32), ([None, 2], []))
    assert shapes(elements(tf, dataset)) == [((1, 2), ()), ((2, 2), ()), ((3, 2), ())]
    following = make(generator, (tf.float32, tf.int32), ([1, 2], [])).make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        sess.run(following)
        with pytest.raises(tf.errors.InvalidArgumentError, match="yielded an element of shape"):
            sess.run(following)


def test_fed_initializer(tf):
    x, n = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int64, [])
    dataset = tf.data.Dataset.from_tensor_slices(x).batch(n)
    assert shapes(elements(tf, dataset, {x: X, n: 4})) == [(4, 3), (4, 3), (2, 3)]


def test_reinitializable_iterator(tf):
    iterator = tf.data.Iterator.from_structure(tf.float32, [None, 3])
    following = iterator.get_next()
    with pytest.raises(TypeError, match="Expected output types"):
        iterator.make_initializer(tf.data.Dataset.range(3))
    with pytest.raises(TypeError, match="Expected output shapes compatible with"):
        iterator.make_initializer(tf.data.Dataset.from_tensor_slices(X))
    start = [iterator.make_initializer(tf.data.Dataset.from_tensor_slices(X).batch(n)) for n in (8, 6)]
    with tf.Session() as sess:
        with pytest.raises(tf.errors.FailedPreconditionError, match="has not been initialized"):
            sess.run(following)
        for init, last in zip(start, (2, 4)):
            sess.run(init)
            sess.run(following)
            assert sess.run(following).shape == (last, 3)
            with pytest.raises(tf.errors.OutOfRangeError):
                sess.run(following)


def test_feedable_iterator(tf):
    handle = tf.placeholder(tf.string, [])
    following = tf.data.Iterator.from_string_handle(handle, tf.float32, [None, 3]).get_next()
    one = tf.data.Dataset.from_tensor_slices(X).batch(8).make_one_shot_iterator()
    with tf.Session() as sess:
        feed = {handle: sess.run(one.string_handle())}
        assert [sess.run(following, feed).shape for _ in range(2)] == [(8, 3), (2, 3)]


def test_one_element_a_run(tf):
    a, b = tf.data.Dataset.from_tensor_slices((X, Y)).make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        for i in range(10):
            assert sess.run([b, b + 1, a])[:2] == [i, i + 1]


def test_branch_that_is_not_taken_takes_nothing(tf):
    train, test = (tf.data.Dataset.range(n).make_one_shot_iterator() for n in (3, 1))
    which = tf.placeholder(tf.bool, [])
    x = tf.cond(which, lambda: train.get_next(), lambda: test.get_next())
    with tf.Session() as sess:
        assert sess.run(x, {which: False}) == 0
        for _ in range(3):
            sess.run(x, {which: True})
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(x, {which: True})


def test_short_last_batch_is_found(tf):
    x = tf.data.Dataset.from_tensor_slices(X).batch(4).make_one_shot_iterator().get_next()
    y = tf.reshape(x, [4, 3])
    with tf.Session() as sess:
        assert sess.run(y).shape == sess.run(y).shape == (4, 3)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Input to reshape"):
            sess.run(y)


def test_runs_are_memoised(tf):
    x = tf.data.Dataset.from_tensor_slices(np.zeros((10000, 3))).batch(4).repeat() \
        .make_one_shot_iterator().get_next()
    y = tf.matmul(x, x, transpose_b=True)
    with tf.Session() as sess:
        for _ in range(1000):
            sess.run(y)
        assert sess.stats["inferences"] < 20


def test_files(tf, tmp_path):
    text, records = tmp_path / "a.txt", tmp_path / "a.tfrecord"
    text.write_bytes(b"one\r\ntwo\nthree")
    records.write_bytes(b"".join(struct.pack("<QI", n, 0) + bytes(n) + bytes(4) for n in (3, 0, 70)))
    assert elements(tf, tf.data.TextLineDataset(str(text))) == [b"one", b"two", b"three"]
    assert len(elements(tf, tf.data.TFRecordDataset([str(records)]))) == 3
    assert len(elements(tf, tf.data.FixedLengthRecordDataset(str(text), 7))) == 2
    names = tf.data.Dataset.list_files(str(tmp_path / "*.txt")).flat_map(
        lambda name: tf.data.TextLineDataset(name).skip(1))
    assert elements(tf, names) == [b"two", b"three"]
    missing = tf.data.TFRecordDataset("/nonexistent").make_one_shot_iterator().get_next()
    with tf.Session() as sess, pytest.raises(tf.errors.NotFoundError, match="No such file"):
        sess.run(missing)


def test_contrib(tf):
    dataset = tf.data.Dataset.from_tensor_slices(X)
    batches = dataset.apply(tf.contrib.data.map_and_batch(lambda x: x * 2, 4))
    assert shapes(elements(tf, batches)) == [(4, 3), (4, 3), (2, 3)]
    dropped = dataset.apply(tf.contrib.data.batch_and_drop_remainder(4))
    assert dropped.output_shapes.as_list() == [4, 3] and len(elements(tf, dropped)) == 2
    repeated = dataset.apply(tf.contrib.data.shuffle_and_repeat(10, 2)).batch(7)
    assert shapes(elements(tf, repeated)) == [(7, 3), (7, 3), (6, 3)]


# --- queues ------------------------------------------------------------------------------------------
@pytest.fixture
def lines(tmp_path):
    names = []
    for i, text in enumerate(("1,2\n3,4\n5,6\n", "1,2\n3,4\n")):
        names.append(str(tmp_path / f"{i}.csv"))
        (tmp_path / f"{i}.csv").write_text(text)
    return names


def csv_batch(tf, names, epochs, size, smaller):
    queue = tf.train.string_input_producer(names, num_epochs=epochs)
    _, value = tf.TextLineReader().read(queue)
    row = tf.stack(tf.decode_csv(value, [[0.0], [0.0]]))
    return tf.train.batch([row], size, allow_smaller_final_batch=smaller)


def drain(tf, fetch, limit=100):
    """(shapes of all runs, message of the end or None)."""
    found = []
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        try:
            while not coord.should_stop() and len(found) < limit:
                found.append(np.shape(sess.run(fetch)))
        except tf.errors.OutOfRangeError as e:
            return found, str(e).split("\n")[0]
        finally:
            coord.request_stop()
            coord.join(threads)
    return found, None


@pytest.mark.parametrize("epochs, size, smaller, expected, wanted", [
    (1, 2, False, [(2, 2)] * 2, "requested 1, current size 0"),
    (1, 2, True, [(2, 2)] * 2 + [(1, 2)], "requested 2, current size 0"),
    (3, 4, True, [(4, 2)] * 3 + [(3, 2)], "requested 4, current size 0"),
])
def test_queues_end_with_their_epochs(tf, lines, epochs, size, smaller, expected, wanted):
    found, end = drain(tf, csv_batch(tf, lines, epochs, size, smaller))
    assert found == expected
    assert end.startswith("FIFOQueue '_0_batch/fifo_queue' is closed and has insufficient elements")
    assert wanted in end


def test_queues_without_epochs_have_no_end(tf, lines):
    assert drain(tf, csv_batch(tf, lines, None, 2, False)) == ([(2, 2)] * 100, None)


def test_shuffled_slices_end(tf):
    x = tf.train.slice_input_producer([np.zeros((10, 3)), np.zeros(10)], num_epochs=2)
    found, end = drain(tf, tf.train.shuffle_batch(x, 3, 100, 10)[0])
    assert found == [(3, 3)] * 6
    assert end == "RandomShuffleQueue '_0_shuffle_batch/random_shuffle_queue' is closed and has " \
        "insufficient elements (requested 3, current size 2)"


def test_queue_of_rows_ends(tf):
    x = tf.train.slice_input_producer([np.zeros((10, 5, 3))], num_epochs=1)[0]
    found, end = drain(tf, tf.train.batch([x], 20, enqueue_many=True))
    assert found == [(20, 3)] * 2 and "requested 10, current size 0" in end


def test_sparse_tensors_are_batched(tf):
    """They were a TypeError."""
    sparse = tf.parse_single_example("", {"words": tf.VarLenFeature(tf.int64)})["words"]
    dense, one = tf.train.batch([tf.zeros([3, 4]), sparse], 5)
    named = tf.train.shuffle_batch({"a": tf.zeros([2]), "b": sparse}, 5, 100, 10)
    alone = tf.train.batch([sparse], 5, dynamic_pad=True)
    assert dense.shape == (5, 3, 4) and named["a"].shape == (5, 2)
    for batch in (one, named["b"], alone):
        assert isinstance(batch, tf.SparseTensor) and batch.dtype == tf.int64
        assert batch.indices.shape.as_list() == [None, 2] and batch.dense_shape.shape == (2,)
    parts = tf.train.batch([sparse], 5, enqueue_many=True)
    assert parts.indices.shape.as_list() == [None, 1] and parts.dense_shape.shape == (1,)


# --- TensorFlow 2 ------------------------------------------------------------------------------------
def test_eager_iteration(tf2):
    data = tf2.data.Dataset.from_tensor_slices((X, Y)).shuffle(1).batch(4)
    assert len(data) == 3 and data.element_spec[0].shape.as_list() == [None, 3]
    seen = [(tuple(x.shape), y.numpy().tolist()) for x, y in data]
    assert seen == [((4, 3), [0, 1, 2, 3]), ((4, 3), [4, 5, 6, 7]), ((2, 3), [8, 9])]
    iterator = iter(data.take(1))
    next(iterator)
    with pytest.raises(StopIteration):
        next(iterator)
    assert [int(v) for v in tf2.data.Dataset.range(3).as_numpy_iterator()] == [0, 1, 2]


def test_lists_of_arrays_keep_their_dtype(tf2):
    """As a constant a list of integers is of int32, whatever they are."""
    def dtype(value):
        return tf2.data.Dataset.from_tensor_slices((["a", "b"], value)).element_spec[1].dtype.name

    assert dtype([np.array([1, 2]), np.array([3, 4])]) == "int64"
    assert dtype([[np.array([1, 2])], [np.array([3, 4])]]) == "int64"
    assert dtype([np.array([1], np.int16), np.array([3], np.int16)]) == "int16"
    assert dtype([np.array([1], np.int32), np.array([3])]) == "int32" == dtype([1, 2])
    assert dtype([np.array([1, 2]), [3, 4]]) == "int32" == dtype([np.int64(1), np.int64(2)])
    assert dtype([np.array([1]), np.array([1.5])]) == "float32"


def test_lists_and_arrays_in_one_list(tf2):
    """An array before a list was a ValueError."""
    for value, wanted in (([np.array([1, 2]), [3, 4]], "int32"), ([[3, 4], np.array([1, 2])], "int32"),
                          ([np.array([[1, 2]]), [np.array([3, 4])]], "int32"),
                          ([np.array([1, 2]), (3.5, 4)], "float32"), ([np.array([1., 2]), [3, 4]], "float64"),
                          ([np.array([2**40]), [1]], "int64"), ([np.array([], int)], "float32")):
        assert tf2.constant(value).dtype == wanted, value
    for value in ([np.array([1, 2]), [3]], [np.array([1, 2]), 3], [np.array([1, 2]), [[3], [4]]]):
        with pytest.raises(ValueError, match="Can't convert"):
            tf2.constant(value)


def test_eager_lengths(tf2):
    numbers = tf2.data.Dataset.range(7)
    assert len(numbers.batch(2)) == 4 and numbers.batch(2, drop_remainder=True).cardinality() == 3
    with pytest.raises(TypeError, match="The dataset is infinite."):
        len(numbers.repeat())
    with pytest.raises(TypeError, match="The dataset length is unknown."):
        len(numbers.filter(lambda x: x > 1))


def test_eager_map_that_branches(tf2):
    def absolute(x):
        if x > 1:
            return x
        return -x

    assert [int(v) for v in tf2.data.Dataset.range(4).map(absolute)] == [0, -1, 2, 3]
    window = tf2.data.Dataset.range(5).window(3, shift=1, drop_remainder=True)
    batches = window.flat_map(lambda w: w.batch(3))
    assert [v.numpy().tolist() for v in batches] == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    assert int(tf2.data.Dataset.range(5).reduce(np.int64(0), lambda s, x: s + x)) == 10


def _rows(tf, x):
    rows = tf.TensorArray(tf.float32, size=tf.shape(x)[0], dynamic_size=True)
    for i in range(tf.shape(x)[0]):
        rows = rows.write(i, 2.0 * x[i])
    return rows.stack()


# Functions of Python's own that AutoGraph converts; shapes of the elements as in TensorFlow 2.21.
CONVERTED = {
    "range": (_rows, [(4, 3), (4, 3), (2, 3)]),
    "len": (lambda tf, x: tf.zeros([5]) + tf.cast(len(x), tf.float32), [(5,)] * 3),
    "float": (lambda tf, x: tf.zeros([5]) + float(tf.shape(x)[0]), [(5,)] * 3),
    "int": (lambda tf, x: tf.zeros([5]) + tf.cast(int(x[0][0]), tf.float32), [(5,)] * 3),
}


@pytest.mark.parametrize("name", CONVERTED)
def test_functions_of_a_map_may_use_what_autograph_converts(tf2, name):
    """`for i in range(tf.shape(x)[0])` in a mapped function ended the program."""
    function, expected = CONVERTED[name]
    dataset = tf2.data.Dataset.from_tensor_slices(X).batch(4).map(lambda x: function(tf2, x))
    assert [tuple(one.shape) for one in dataset] == expected


def test_a_map_fails_where_nothing_converts_a_tensor(tf2):
    """numpy takes no tensor of a graph as a size."""
    with pytest.raises(TypeError):
        tf2.data.Dataset.from_tensor_slices(X).batch(4).map(lambda x: np.zeros(tf2.shape(x)[0]) + x)


def test_none_is_an_element_without_components(tf2):
    data, zeros = tf2.data.Dataset, np.zeros((4, 2))
    spec = data.from_tensor_slices({"a": zeros, "b": None}).batch(2).element_spec
    assert spec["a"].shape.as_list() == [None, 2] and repr(spec["b"]) == "NoneTensorSpec()"
    batches = data.from_tensor_slices((zeros, None)).batch(3)
    assert [(a.shape, b) for a, b in batches] == [((3, 2), None), ((1, 2), None)]
    swapped = data.from_tensor_slices((zeros, None, zeros[:, 0]))
    swapped = swapped.shuffle(3).map(lambda x, n, y: (n, (y, n), x))
    assert [[one[0], one[1][1], one[2].shape] for one in swapped.take(1)] == [[None, None, (2,)]]


def test_shapes_of_sparse_tensors(tf2):
    sparse = tf2.sparse.from_dense(np.eye(3, 4, dtype="float32"))
    assert tf2.shape(sparse).numpy().tolist() == [3, 4] and tf2.shape(sparse, "int64").dtype == "int64"
    assert tf2.size(sparse).numpy() == 12 and tf2.rank(sparse).numpy() == 2
    sparse.set_shape((3, 4))
    assert sparse.shape == (3, 4) and tf2.is_tensor(sparse) and tf2.is_tensor(tf2.ragged.constant([[1], []]))
    assert tf2.math.bincount(tf2.cast(sparse, "int32"), axis=-1).shape[0] == 3
    rows = tf2.data.Dataset.from_tensors(sparse).map(lambda s: tf2.zeros(s.shape)).element_spec
    assert rows.shape == (3, 4)
    words = tf2.sparse.from_dense(np.ones((2, 3, 4), "int64"))
    looked = tf2.nn.safe_embedding_lookup_sparse(tf2.zeros((9, 5)), words)
    assert looked.shape == (2, 3, 5)


def test_a_shape_that_a_function_says_of_its_argument_is_that_of_the_elements(tf2):
    """set_shape on what a tf.numpy_function gave, in a `map` of its own: there is no node that says it."""
    def load(path, label):
        return np.zeros((4, 4, 3), np.float32), label

    def said(image, label):
        image.set_shape([4, None, 3])
        label.set_shape([])
        return image, label

    data = tf2.data.Dataset.from_tensor_slices((["a", "b", "c"], [1, 2, 3]))
    data = data.map(lambda path, label: tf2.numpy_function(load, [path, label], [tf2.float32, tf2.int32]))
    assert [image.shape.rank for image, _ in data.take(1)] == [None]
    seen = [(image.shape.as_list(), label.shape.as_list()) for image, label in data.map(said).batch(2)]
    assert seen == [([2, 4, None, 3], [2]), ([1, 4, None, 3], [1])]
