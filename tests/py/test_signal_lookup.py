"""tf.signal, tf.lookup and the batches of tf.data by length, against what TensorFlow 2.21 says."""
import numpy as np
import pytest

from shapeflow import _core
from shapeflow.api.unmodelled import is_unmodelled


@pytest.mark.parametrize("samples, step, frames, padded", [(100, 5, 19, 20), (102, 4, 24, 26),
                                                           (9, 5, 0, 2)])
def test_frames(tf2, samples, step, frames, padded):
    sound = tf2.zeros([2, samples])
    assert tf2.signal.frame(sound, 10, step).shape == [2, frames, 10]
    assert tf2.signal.frame(sound, 10, step, pad_end=True).shape == [2, padded, 10]
    assert tf2.signal.frame(tf2.transpose(sound), 10, step, axis=0).shape == [frames, 10, 2]
    spectrum = tf2.signal.stft(sound, 10, step)
    assert spectrum.shape == [2, frames, 9] and spectrum.dtype == tf2.complex64
    assert tf2.signal.stft(sound, 10, step, 32, pad_end=True).shape == [2, padded, 17]


def test_sound_and_back(tf2):
    signal = tf2.signal
    assert signal.inverse_stft(tf2.zeros([2, 19, 9], tf2.complex64), 10, 5).shape == [2, 100]
    assert signal.overlap_and_add(tf2.zeros([2, 19, 10]), 5).shape == [2, 100]
    assert signal.hann_window(7, dtype=tf2.float64).dtype == tf2.float64
    assert signal.hamming_window(tf2.constant(5)).shape == [5]
    assert signal.linear_to_mel_weight_matrix(40, 129).shape == [129, 40]
    assert signal.mfccs_from_log_mel_spectrograms(tf2.zeros([2, 19, 40])).shape == [2, 19, 40]
    with pytest.raises(ValueError):
        signal.frame(tf2.zeros([]), 10, 5)


def test_a_frame_of_an_unknown_length(tf):
    sound = tf.placeholder(tf.float32, [None, None])
    assert tf.contrib.signal.frame(sound, 10, 5).shape.as_list() == [None, None, 10]
    assert tf.signal.stft(sound, 10, 5).shape.as_list() == [None, None, 9]
    assert tf.signal.frame(tf.placeholder(tf.float32), 10, 5).shape.ndims is None


def test_lookups(tf2):
    lookup = tf2.lookup
    start = lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    table = lookup.StaticHashTable(start, -1)
    found = table.lookup(tf2.constant([["a", "z"]]))
    assert found.shape == [1, 2] and found.dtype == tf2.int32 and table.key_dtype == tf2.string
    assert table[tf2.constant(["a"])].shape == [1] and table.size().dtype == tf2.int64
    with pytest.raises(TypeError, match="Signature mismatch"):
        table.lookup(tf2.constant([1]))
    words = lookup.StaticVocabularyTable(
        lookup.KeyValueTensorInitializer(["a"], [0], value_dtype=tf2.int64), 1)
    assert words.lookup(tf2.constant(["a", "z", "q"])).dtype == tf2.int64
    pairs = lookup.experimental.DenseHashTable(tf2.string, tf2.float32, [0.0, 0.0], "", "$")
    pairs.insert(tf2.constant(["a"]), [[1.0, 2.0]])
    assert pairs.lookup(tf2.constant(["a", "z", "q"])).shape == [3, 2]
    mapped = tf2.data.Dataset.from_tensor_slices(["a", "b"]).map(table.lookup)
    assert mapped.element_spec == tf2.TensorSpec([], tf2.int32)


def test_batches_by_length(tf2):
    rows = tf2.data.Dataset.from_tensor_slices(tf2.zeros([12, 5]))
    batches = rows.bucket_by_sequence_length(lambda e: tf2.shape(e)[0], [3, 7], [4, 4, 4])
    assert [tuple(b.shape) for b in batches] == [(4, 5)] * 3
    pairs = tf2.data.Dataset.range(10).group_by_window(lambda x: x % 2, lambda k, w: w.batch(5), 5)
    assert [tuple(b.shape) for b in pairs] == [(5,)] * 2
    assert not [f for f in _core.findings() if f.severity == "error"]


def test_keys_that_are_vectors(tf2):
    """Each row of the keys is one."""
    table = tf2.lookup.experimental.DenseHashTable(tf2.int64, tf2.float32, default_value=[0.0, 0.0, 0.0],
                                                   empty_key=[0, 0], deleted_key=[-1, -1])
    table.insert([[1, 2], [3, 4]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert table.lookup([[1, 2], [3, 4], [9, 9]]).shape == [3, 3]
    assert table.export()[1].shape.as_list() == [None, 3]


def test_keys_that_are_no_tensors_take_the_tables_dtype(tf2):
    table = tf2.lookup.experimental.MutableHashTable(tf2.int64, tf2.int64, -1)
    for keys, shape in (([1, 2], [2]), (np.zeros((3, 2), np.int32), [3, 2]), (np.zeros(4), [4])):
        assert table.lookup(keys).shape == shape
    assert table.lookup(tf2.zeros([2, 1], tf2.int64), tf2.ones([2, 1], tf2.int64)).shape == [2, 1]


def test_a_mutable_table_holds_what_is_known(tf2):
    table = tf2.lookup.experimental.MutableHashTable(tf2.string, tf2.int64, -1)
    assert int(table.size()) == 0
    table.insert(tf2.constant(["a", "b"]), tf2.constant([1, 2], tf2.int64))
    table.insert(["b", "c"], [5, 6])
    assert table.lookup(tf2.constant([["a", "b"], ["z", "c"]])).numpy().tolist() == [[1, 5], [-1, 6]]
    keys, values = table.export()
    assert sorted(keys.numpy().tolist()) == [b"a", b"b", b"c"]
    assert sorted(values.numpy().tolist()) == [1, 5, 6]
    table.remove(["a"])
    assert int(table.size()) == 2
    rows = tf2.lookup.experimental.DenseHashTable(tf2.int64, tf2.int64, [-1, -1], -1, -2)
    rows.insert([1, 2], [[1, 2], [3, 4]])
    assert rows.lookup([2, 9]).numpy().tolist() == [[3, 4], [-1, -1]]
    assert rows.export()[1].shape == [2, 2]


def test_a_table_of_what_is_not_known_is_unknown_until_it_is_emptied(tf2):
    table = tf2.lookup.experimental.MutableHashTable(tf2.int64, tf2.int64, 0)
    table.insert(tf2.random.uniform([3], maxval=9, dtype=tf2.int64), tf2.ones([3], tf2.int64))
    assert tf2.get_static_value(table.size()) is None
    assert table.export()[0].shape.as_list() == [None]
    assert tf2.get_static_value(table.lookup(tf2.constant([1], tf2.int64))) is None
    table.remove(table.export()[0])
    assert int(table.size()) == 0


def test_directional_derivatives_have_the_shape_of_what_is_derived(tf2):
    v = tf2.Variable([3.0, 4.0])
    with tf2.autodiff.ForwardAccumulator(v, tf2.constant([1.0, 0.0])) as acc:
        y = tf2.reshape(v, [2, 1]) * 2.0
    assert acc.jvp(y).shape == [2, 1] and acc.jvp({"y": y, "z": y})["z"].dtype == tf2.float32
    with pytest.raises(ValueError, match="same nested structure"):
        tf2.autodiff.ForwardAccumulator(v, [tf2.constant([1.0, 0.0])])


def test_slices_at_computed_places(tf2):
    from shapeflow.tensorflow.python.ops.xla import dynamic_slice, dynamic_update_slice

    whole = tf2.zeros([5, 5])
    assert dynamic_update_slice(whole, tf2.ones([2, 3]), [3, 3]).shape == [5, 5]
    assert dynamic_slice(whole, [1, 1], [2, 3]).shape == [2, 3]
    for part, at, message in (([6, 3], [3, 3], "Update dim size 6 greater than dynamic slice dimension: 5"),
                              ([3], [3, 3], r"same rank, input shape is \[5,5\]; update shape is \[3\]"),
                              ([3, 3], [3], "index must be a vector")):
        with pytest.raises(tf2.errors.InvalidArgumentError, match=message):
            dynamic_update_slice(whole, tf2.ones(part), at)


def test_words_of_known_texts_are_known(tf2):
    strings = tf2.strings
    assert strings.split(["a, b", "c"], ", ").to_list() == [[b"a", b"b"], [b"c"]]
    assert strings.split("a b").numpy().tolist() == [b"a", b"b"]
    assert strings.split([["a b"], ["c"]]).to_list() == [[[b"a", b"b"]], [[b"c"]]]
    assert strings.unicode_decode(["hé"], "UTF-8").to_list() == [[104, 233]]
    assert strings.bytes_split(["ab"]).to_list() == [[b"a", b"b"]]
    assert strings.regex_replace(["a.b!", "c"], r"[^\w]", "").numpy().tolist() == [b"ab", b"c"]
    assert strings.regex_replace("abc abc", "(a)(b)", r"\2\1").numpy() == b"bac bac"
    assert strings.regex_replace("abab", "b", "X", replace_global=False).numpy() == b"aXab"
    assert tf2.get_static_value(strings.regex_replace("a", "[[:alpha:]]", "z")) is None  # RE2's alone
    assert strings.regex_replace(strings.split(["a, b"]), ",", "").to_list() == [[b"a", b"b"]]
    pairs = strings.ngrams(strings.split(["a b c", "d"]), [1, 2])
    assert pairs.to_list() == [[b"a", b"b", b"c", b"a b", b"b c"], [b"d"]]


def test_ragged_keys_are_found_and_ragged_shapes_asked(tf2):
    table = tf2.lookup.StaticHashTable(tf2.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    words = tf2.strings.split(["a z", "b"])
    assert table.lookup(words).to_list() == [[1, -1], [2]]
    shape = tf2.shape(words, out_type="int64")
    assert int(shape[0]) == 2 and shape.rank == 2 and shape[0].dtype == tf2.int64
    with pytest.raises(ValueError, match="not uniform"):
        shape[1]


def test_a_column_of_texts_is_a_tensor(tf2):
    class Column:
        def __array__(self, dtype=None, copy=None):
            return np.array(["a", "b"], object)

    assert tf2.convert_to_tensor(Column()).numpy().tolist() == [b"a", b"b"]
    assert tf2.data.Dataset.from_tensor_slices({"c": Column()}).element_spec["c"].dtype == tf2.string


def test_how_many_words_a_vocabulary_has(tf2):
    """Known, it is a depth or a size of an embedding; unknown, nothing is said of what has so many rows."""
    words = tf2.lookup.KeyValueTensorInitializer(["a", "b"], tf2.constant([0, 1], tf2.int64))
    table = tf2.lookup.StaticVocabularyTable(words, 2)
    assert table.size().numpy() == 4 and table.size().dtype == tf2.int64  # as TensorFlow 2.21
    found = table.lookup(tf2.constant(["a"]))
    assert (tf2.one_hot(found, int(table.size())) @ tf2.zeros([4, 3])).shape == [1, 3]
    with pytest.raises(tf2.errors.InvalidArgumentError):
        tf2.one_hot([0], int(table.size())) @ tf2.zeros([3, 3])
    assert tf2.lookup.StaticVocabularyTable(None, 3, tf2.int64).size().numpy() == 3
    lines = tf2.lookup.TextFileInitializer("vocabulary.txt", tf2.string, 0, tf2.int64, 1)
    for table in tf2.lookup.StaticVocabularyTable(lines, 2), tf2.lookup.StaticHashTable(lines, 0):
        depth = tf2.cast(table.size(), tf2.int32)  # of a file that nobody has read
        tf2.one_hot(found, depth) @ tf2.zeros([4, 3])
        assert is_unmodelled(table.size())  # so that a check knows `int()` of it for a guess
