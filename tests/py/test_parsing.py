"""tf.parse_example and kin, tf.train.Example. Expectations are TensorFlow 1.15's and 2.21's."""
import pytest


def _features(tf):
    return {"a": tf.io.FixedLenFeature([], tf.int64), "b": tf.io.FixedLenFeature([3, 2], tf.float32),
            "c": tf.io.VarLenFeature(tf.string), "e": tf.io.SparseFeature("i", "v", tf.float32, 10),
            "d": tf.io.FixedLenSequenceFeature([4], tf.float32, allow_missing=True)}


def _shapes(found):
    return {k: v.get_shape().as_list() for k, v in found.items()}


def test_shapes_of_parsed_features(tf):
    one = tf.parse_single_example(tf.placeholder(tf.string, []), _features(tf))
    assert _shapes(one) == {"a": [], "b": [3, 2], "c": [None], "d": [None, 4], "e": [10]}
    assert one["a"].name == "ParseSingleExample/ParseSingleExample:9"
    many = tf.parse_example(tf.placeholder(tf.string, [None]), _features(tf))
    assert _shapes(many) == {"a": [None], "b": [None, 3, 2], "c": [None, None], "d": [None, None, 4],
                             "e": [None, 10]}
    assert many["e"].indices.get_shape().as_list() == [None, 2] and many["c"].dtype == tf.string


def test_sequence_features(tf):
    context, lists = tf.parse_single_sequence_example(
        tf.placeholder(tf.string, []), {"l": tf.FixedLenFeature([], tf.int64)},
        {"t": tf.FixedLenSequenceFeature([5], tf.float32), "v": tf.VarLenFeature(tf.int64)})
    assert _shapes(context) == {"l": []} and _shapes(lists) == {"t": [None, 5], "v": [None, None]}


def _sequences(tf, serialized, **more):
    return tf.io.parse_sequence_example(
        serialized, {"l": tf.io.FixedLenFeature([], tf.int64), "s": tf.io.VarLenFeature(tf.string)},
        {"t": tf.io.FixedLenSequenceFeature([3], tf.float32), "v": tf.io.VarLenFeature(tf.int64), **more})


def test_a_batch_of_sequence_examples_in_1_x(tf):
    context, lists, lengths = _sequences(tf, tf.placeholder(tf.string, [5]))
    assert _shapes(context) == {"l": [5], "s": [None, None]}
    assert context["l"].op.type == "ParseSequenceExample"
    assert _shapes(lists) == {"t": [5, None, 3], "v": [None, None, None]}
    assert _shapes(lengths) == {"t": [5]} and lengths["t"].dtype == tf.int64
    with pytest.raises(ValueError, match="Shape must be rank 1 but is rank 0"):
        _sequences(tf, tf.placeholder(tf.string, []))


def test_a_batch_of_sequence_examples(tf2):
    seen = []

    @tf2.function(input_signature=[tf2.TensorSpec([None], tf2.string)])
    def batch(serialized):
        seen.extend(_sequences(tf2, serialized, r=tf2.io.RaggedFeature(tf2.float32)))
        return serialized

    batch.get_concrete_function()
    assert [{k: v.shape.as_list() for k, v in found.items()} for found in seen] == [
        {"l": [None], "s": [None, None]},
        {"t": [None, None, 3], "v": [None, None, None], "r": [None, None, None]}, {"t": [None]}]


def test_a_ragged_list_of_one_sequence_example(tf2):
    _, lists = tf2.io.parse_single_sequence_example(
        tf2.constant(""), None, {"r": tf2.io.RaggedFeature(tf2.float32)})
    assert lists["r"].shape.as_list() == [None, None] and lists["r"].ragged_rank == 1


REFUSED = [
    ("tf.parse_single_example(vector, {'a': tf.FixedLenFeature([], tf.int64)})", ValueError,
     "Shape must be rank 0 but is rank 1"),
    ("tf.parse_example(scalar, {'a': tf.FixedLenFeature([], tf.int64)})", ValueError,
     "Shape must be rank 1 but is rank 0"),
    ("tf.parse_single_example(scalar, {})", ValueError, "Missing features."),
    ("tf.parse_single_example(scalar, {'a': tf.FixedLenFeature([None, 2], tf.float32)})", ValueError,
     "First dimension of shape for feature a unknown. Consider using FixedLenSequenceFeature."),
    ("tf.parse_single_example(scalar, {'a': tf.FixedLenFeature([2], tf.int32)})", TypeError,
     "Value passed to parameter 'dense_defaults' has DataType int32 not in list of allowed values"),
    ("tf.parse_single_example(scalar, {'a': tf.FixedLenFeature([2], tf.float32, [1., 2., 3.])})",
     ValueError, r"Cannot reshape a tensor with 3 elements to shape \[2\] \(2 elements\)"),
    ("tf.parse_single_example(scalar, {'a': tf.FixedLenSequenceFeature([2], tf.float32)})", ValueError,
     "Unsupported: FixedLenSequenceFeature requires allow_missing to be True."),
    ("tf.parse_single_example(scalar, {'a': tf.float32})", ValueError, "Invalid feature a:"),
]


@pytest.mark.parametrize("text,error,words", REFUSED, ids=[case[2][:40] for case in REFUSED])
def test_refused(tf, text, error, words):
    names = {"tf": tf, "scalar": tf.placeholder(tf.string, []), "vector": tf.placeholder(tf.string, [None])}
    with pytest.raises(error, match=words):
        eval(text, names)


def test_examples_keep_their_bytes(tf2):
    def ints(values):
        return tf2.train.Feature(int64_list=tf2.train.Int64List(value=values))

    example = tf2.train.Example(features=tf2.train.Features(feature={
        "a": ints([1, -2, 300]), "b": tf2.train.Feature(bytes_list=tf2.train.BytesList(value=[b"xy"])),
        "f": tf2.train.Feature(float_list=tf2.train.FloatList(value=[1.5, 2]))}))
    again = tf2.train.Example.FromString(example.SerializeToString())
    assert again.features.feature["a"].int64_list.value == [1, -2, 300]
    assert again.features.feature["b"].bytes_list.value == [b"xy"]
    assert again.features.feature["f"].float_list.value == [1.5, 2.0]
    sequence = tf2.train.SequenceExample(feature_lists=tf2.train.FeatureLists(feature_list={
        "t": tf2.train.FeatureList(feature=[ints([3])])}))
    assert b"\n\x01t\x12\x07\n\x05\x1a\x03\n\x01\x03" in sequence.SerializeToString()
    same = tf2.train.SequenceExample.FromString(sequence.SerializeToString())
    assert same.feature_lists.feature_list["t"].feature[0].int64_list.value == [3]


def test_written_records_are_read_back(tf, tmp_path):
    path = str(tmp_path / "x.tfrecords")
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(70):
            writer.write(b"%d" % i)
    assert not (tmp_path / "x.tfrecords").exists()
    assert [r for r in tf.python_io.tf_record_iterator(path)][:2] == [b"0", b"1"]
    assert len(list(tf.python_io.tf_record_iterator(path))) == 70
