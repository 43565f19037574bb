"""Raw resources and lists: what an op keeps beside a handle."""
import pytest


def make(tf, rows, shape, given):
    return tf.raw_ops.TensorListFromTensor(tensor=tf.zeros([rows] + shape), element_shape=given)


def test_a_list_remembers_its_elements(tf2):
    tf, raw = tf2, tf2.raw_ops
    made = make(tf, 3, [2], [2])
    assert raw.TensorListStack(input_handle=made, element_shape=[-1], element_dtype="float32").shape == [3, 2]
    more = raw.TensorListPushBack(input_handle=made, tensor=tf.zeros([2]))
    assert int(raw.TensorListLength(input_handle=more)) == 4
    lengths = raw.TensorListConcatV2(input_handle=more, element_shape=[-1], leading_dims=[],
                                     element_dtype="float32")
    assert lengths.tensor.shape == [8] and lengths.lengths.shape == [4]
    assert tf.get_static_value(made) is None and "numpy=0" in repr(made)  # no number of ours is seen


@pytest.mark.parametrize("words, call", [
    ("Trying to access element 7 in a list with 3 elements.",
     lambda raw, made: raw.TensorListGetItem(input_handle=made, index=7, element_shape=[2],
                                             element_dtype="float32")),
    ("Invalid data types; op elements int32 but list elements float",
     lambda raw, made: raw.TensorListStack(input_handle=made, element_shape=[2], element_dtype="int32")),
    ("PartialTensorShape: Incompatible shapes during merge: [3] vs. [2]",
     lambda raw, made: raw.TensorListStack(input_handle=made, element_shape=[3], element_dtype="float32")),
    ("Operation expected a list with 7 elements but got a list with 3 elements.",
     lambda raw, made: raw.TensorListStack(input_handle=made, element_shape=[2], element_dtype="float32",
                                           num_elements=7)),
    ("Index 5 out o range; list only has 3 elements.",
     lambda raw, made: raw.TensorListGather(input_handle=made, indices=[5], element_shape=[2],
                                            element_dtype="float32")),
])
def test_kernels_words(tf2, words, call):
    with pytest.raises(tf2.errors.InvalidArgumentError) as error:
        call(tf2.raw_ops, make(tf2, 3, [2], [2]))
    assert words in str(error.value)


def test_construction_words(tf2):
    with tf2.Graph().as_default():
        made = make(tf2, 3, [2], [2])
        with pytest.raises(ValueError, match="List has type float but expected type int32"):
            tf2.raw_ops.TensorListStack(input_handle=made, element_shape=[2], element_dtype="int32")


def test_an_eager_variable_by_raw_ops(tf2):
    raw = tf2.raw_ops
    handle = raw.VarHandleOp(dtype="float32", shape=[2, 3])
    raw.AssignVariableOp(resource=handle, value=tf2.zeros([2, 3]))
    assert raw.ReadVariableOp(resource=handle, dtype="float32").shape == [2, 3]
    with pytest.raises(tf2.errors.InvalidArgumentError, match="do not have the same shape"):
        raw.ResourceApplyGradientDescent(var=handle, alpha=0.1, delta=tf2.zeros([3, 2]))


def test_a_concatenation_does_not_look_at_the_first_dim_of_its_attr(tf2):
    tf, raw = tf2, tf2.raw_ops
    made = raw.TensorListReserve(element_shape=[-1], num_elements=1, element_dtype="float32")
    made = raw.TensorListSetItem(input_handle=made, index=0, item=tf.zeros([5]))
    joined = raw.TensorListConcat(input_handle=made, element_dtype="float32", element_shape=[1])
    assert joined.tensor.shape.is_compatible_with([5]) and joined.lengths.shape == [1]


def test_a_concatenation_believes_its_attr_of_a_list_that_declares_a_known_shape(tf2):
    """Real TensorFlow: [6, 0] of elements [6], and the error once the list declares [-1]."""
    tf, raw = tf2, tf2.raw_ops
    known = raw.TensorListFromTensor(tensor=tf.zeros([1, 6]), element_shape=[6])
    joined = raw.TensorListConcat(input_handle=known, element_dtype="float32", element_shape=[1, 0])
    assert joined.tensor.shape == [6, 0] and joined.lengths.shape == [1]
    part = raw.TensorListFromTensor(tensor=tf.zeros([1, 6]), element_shape=[-1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible ranks during merge: 1 vs. 0"):
        raw.TensorListConcat(input_handle=part, element_dtype="float32", element_shape=[1, 0])
