"""Functions of tf.keras.backend under TensorFlow 1: shapes and dtypes are what TensorFlow 1.15 says."""
import numpy as np
import pytest

# What is called, and what it gives: shape and dtype of each part.
CASES = [
    ("K.var(seq, 1)", "(?, 4) float32"),
    ("K.std(seq)", "() float32"),
    ("K.std(seq, -1, True)", "(?, 5, 1) float32"),
    ("K.cumsum(seq, 1)", "(?, 5, 4) float32"),
    ("K.cumprod(seq)", "(?, 5, 4) float32"),
    ("K.hard_sigmoid(seq)", "(?, 5, 4) float32"),
    ("K.reverse(seq, 1)", "(?, 5, 4) float32"),
    ("K.one_hot(P(b, dtype=tf.int32), 7)", "(?, 7) float32"),
    ("K.repeat(mat, 3)", "(?, 3, 4) float32"),
    ("K.arange(5)", "(5,) int32"),
    ("K.arange(2, 9, 2, 'float32')", "(4,) float32"),
    ("K.eye(3)", "(3, 3) float32"),
    ("K.batch_dot(seq, P(b, 4, 7))", "(?, 5, 7) float32"),
    ("K.batch_dot(seq, P(b, 7, 4), axes=2)", "(?, 5, 7) float32"),
    ("K.batch_dot(seq, P(b, 5, 7), axes=(1, 1))", "(?, 4, 7) float32"),
    ("K.batch_dot(mat, P(b, 4), axes=1)", "(?, 1) float32"),
    ("K.batch_dot(P(b, 20), P(b, 30, 20), axes=(1, 2))", "(?, 30) float32"),
    ("K.batch_dot(seq, P(b, 4), axes=(2, 1))", "(?, 5) float32"),
    ("K.batch_dot(seq, P(b, 5), axes=1)", "(?, 4) float32"),
    ("K.batch_dot(P(b, 2, 5, 4), P(b, 2, 4, 3))", "(?, 2, 5, 3) float32"),
    ("K.conv1d(seq, P(3, 4, 9))", "(?, 3, 9) float32"),
    ("K.conv1d(seq, P(3, 4, 9), padding='causal', dilation_rate=2)", "(?, 5, 9) float32"),
    ("K.conv2d(img, P(3, 3, 3, 9), (2, 2), 'same')", "(?, 4, 3, 9) float32"),
    ("K.conv2d(P(b, 3, 8, 6), P(3, 3, 3, 9), data_format='channels_first')", "(?, 9, 6, 4) float32"),
    ("K.conv3d(P(b, 5, 6, 7, 2), P(2, 2, 2, 2, 9))", "(?, 4, 5, 6, 9) float32"),
    ("K.conv2d_transpose(img, P(3, 3, 5, 3), (None, 16, 12, 5), (2, 2), 'same')", "(?, 16, 12, 5) float32"),
    ("K.separable_conv2d(img, P(3, 3, 3, 2), P(1, 1, 6, 8))", "(?, 6, 4, 8) float32"),
    ("K.pool2d(img, (2, 2), (2, 2))", "(?, 4, 3, 3) float32"),
    ("K.pool2d(img, (2, 2), (2, 2), 'same', pool_mode='avg')", "(?, 4, 3, 3) float32"),
    ("K.pool3d(P(b, 5, 6, 7, 2), (2, 2, 2))", "(?, 4, 5, 6, 2) float32"),
    ("K.local_conv1d(seq, P(3, 12, 9), (3,), (1,))", "(?, 3, 9) float32"),
    ("K.local_conv2d(img, P(24, 27, 9), (3, 3), (1, 1), (6, 4))", "(?, 6, 4, 9) float32"),
    ("K.bias_add(img, P(3))", "(?, 8, 6, 3) float32"),
    ("K.bias_add(img, P(8, 6, 3))", "(?, 8, 6, 3) float32"),
    ("K.bias_add(P(b, 3, 8, 6), P(3), 'channels_first')", "(?, 3, 8, 6) float32"),
    ("K.temporal_padding(seq, (2, 1))", "(?, 8, 4) float32"),
    ("K.spatial_2d_padding(img)", "(?, 10, 8, 3) float32"),
    ("K.spatial_3d_padding(P(b, 5, 6, 7, 2))", "(?, 7, 8, 9, 2) float32"),
    ("K.resize_images(img, 2, 3, 'channels_last')", "(?, 16, 18, 3) float32"),
    ("K.resize_images(img, 2, 2, 'channels_last', interpolation='bilinear')", "(?, 16, 12, 3) float32"),
    ("K.resize_volumes(P(b, 5, 6, 7, 2), 2, 2, 2, 'channels_last')", "(?, 10, 12, 14, 2) float32"),
    ("K.dropout(seq, 0.3)", "(?, 5, 4) float32"),
    ("K.batch_normalization(img, P(3), P(3), P(3), P(3))", "(?, 8, 6, 3) float32"),
    ("K.normalize_batch_in_training(img, P(3), P(3), [0, 1,"
     " 2])", "((?, 8, 6, 3) float32, (3,) float32, (3,) float32)"),
    ("K.categorical_crossentropy(mat, mat)", "(?,) float32"),
    ("K.categorical_crossentropy(seq, seq, True)", "(?, 5) float32"),
    ("K.sparse_categorical_crossentropy(P(b, dtype=tf.int32), mat)", "(?,) float32"),
    ("K.sparse_categorical_crossentropy(P(b, 5, dtype=tf.int32), seq)", "(?, 5) float32"),
    ("K.ctc_batch_cost(P(b, 7), P(b, 20, 11), P(b, 1, dtype=tf.int64), P(b, 1,"
     " dtype=tf.int64))", "(?, 1) float32"),
    ("K.ctc_decode(P(b, 20, 11), P(b, dtype=tf.int32))[1]", "(?, 1) float32"),
    ("K.ctc_decode(P(b, 20, 11), P(b, dtype=tf.int32), False, 10, 2)[0][1]", "(?, ?) int64"),
    ("K.switch(P(dtype=tf.bool), seq, seq)", "(?, 5, 4) float32"),
    ("K.switch(P(b, dtype=tf.bool), mat, mat)", "(?, 4) float32"),
    ("K.switch(P(b, 5, dtype=tf.bool), seq, seq)", "(?, 5, 4) float32"),
    ("K.switch(P(b, 5, dtype=tf.bool), mat, mat)", "(?, 4) float32"),
    ("K.in_train_phase(seq, seq)", "(?, 5, 4) float32"),
    ("K.in_test_phase(lambda: mat, lambda: mat)", "(?, 4) float32"),
    ("K.in_train_phase(seq, mat, training=True)", "(?, 5, 4) float32"),
    ("K.rnn(lambda x, s: (x + s[0][:, :4], [s[0]]), seq, [P(b,"
     " 4)])", "((?, 4) float32, (?, 5, 4) float32, ((?, 4) float32))"),
    ("K.rnn(lambda x, s: (tf.matmul(x, tf.zeros([4, 9])), s), seq, [P(b, 4)])[1]", "(?, 5, 9) float32"),
    ("K.map_fn(lambda x: x[0], seq)", "(?, 4) float32"),
    ("K.foldl(lambda a, x: a + x, seq)", "(5, 4) float32"),
    ("K.update_add(K.variable(np.zeros([3])), np.ones([3]))", "(3,) float32"),
    ("K.moving_average_update(K.variable(np.zeros([3])), np.ones([3]), 0.9)", "(3,) float32"),
    ("K.gradients(tf.reduce_sum(mat * 2), [mat])[0]", "(?, 4) float32"),
    ("K.truncated_normal([3, 4])", "(3, 4) float32"),
    ("K.random_binomial((3, 4), 0.3)", "(3, 4) float32"),
    ("K.random_normal_variable((2, 3), 0., 1.)", "(2, 3) float32"),
    ("K.random_uniform_variable((2, 3), 0., 1.)", "(2, 3) float32"),
    ("K.in_top_k(mat, P(b, dtype=tf.int32), 2)", "(?,) bool"),
    ("K.print_tensor(mat, 'x')", "(?, 4) float32"),
    ("K.to_dense(mat)", "(?, 4) float32"),
    ("K.dot(seq, P(4, 9))", "(?, 5, 9) float32"),
    ("K.binary_crossentropy(mat, mat)", "(?, 4) float32"),
    ("K.l2_normalize(mat, 1)", "(?, 4) float32"),
    ("K.softmax(mat)", "(?, 4) float32"),
    ("K.concatenate([mat, mat])", "(?, 8) float32"),
    ("K.permute_dimensions(seq, (0, 2, 1))", "(?, 4, 5) float32"),
    ("K.repeat_elements(seq, 2, 1)", "(?, 10, 4) float32"),
    ("K.argmax(mat)", "(?,) int64"),
    ("K.relu(mat, 0.1)", "(?, 4) float32"),
    ("K.gather(mat, [0, 1])", "(2, 4) float32"),
    ("K.squeeze(P(b, 1), 1)", "(?,) float32"),
    ("K.stack([mat, mat], 1)", "(?, 2, 4) float32"),
    ("K.flatten(seq)", "(?,) float32"),
    ("K.clip(mat, 0, 1)", "(?, 4) float32"),
    ("K.cast(mat, 'int32')", "(?, 4) int32"),
    ("K.random_normal((2, 3))", "(2, 3) float32"),
    ("K.placeholder((None, 3))", "(?, 3) float32"),
    ("K.zeros((2, 3))", "(2, 3) float32"),
    ("K.variable(np.zeros([2, 3]))", "(2, 3) float32"),
]


def _text(made):
    if isinstance(made, (list, tuple)):
        return "(" + ", ".join(_text(one) for one in made) + ")"
    return f"{made.shape} {made.dtype.base_dtype.name}"


@pytest.mark.parametrize("call, expected", CASES)
def test_shapes(tf, call, expected):
    def place(*shape, dtype=tf.float32):
        return tf.placeholder(dtype, shape)

    names = {"tf": tf, "np": np, "K": tf.keras.backend, "P": place, "b": None, "img": place(None, 8, 6, 3),
             "seq": place(None, 5, 4), "mat": place(None, 4)}
    assert _text(eval(call, names)).replace("Dimension", "") == expected


def test_what_does_not_fit_is_refused_in_tensorflows_words(tf):
    K = tf.keras.backend
    x = tf.placeholder(tf.float32, [None, 5, 4])
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 4 and 3"):
        K.batch_dot(x, tf.zeros([2, 3, 7]))
    with pytest.raises(ValueError, match="Unexpected bias dimensions 2, expect to be 1 or 4 dimensions"):
        K.bias_add(tf.zeros([2, 8, 6, 3]), tf.zeros([6, 3]))
    with pytest.raises(ValueError, match="Rank of `condition` should be less than or equal to rank"):
        K.switch(tf.zeros([2, 5, 4]) > 0, tf.zeros([2, 5]), tf.zeros([2, 5]))
    with pytest.raises(ValueError, match="Invalid padding: full"):
        K.conv2d(tf.zeros([2, 8, 6, 3]), tf.zeros([3, 3, 3, 4]), padding="full")


def test_functions_run_on_arrays(tf):
    K = tf.keras.backend
    x = tf.placeholder(tf.float32, [None, 4])
    count = K.variable(np.zeros([3]))
    run = K.function([x, K.learning_phase()], [x * 2, tf.reduce_sum(x)], [(count, count + 1)])
    doubled, total = run([np.zeros([6, 4]), 0])
    assert doubled.shape == (6, 4) and total.shape == () and count.dtype.base_dtype == tf.float32
    assert K.eval(count).shape == (3,) and K.count_params(count) == 3
    assert (K.get_uid("a"), K.get_uid("a"), K.get_uid("b")) == (1, 2, 1)
    with K.learning_phase_scope(1):
        assert K.learning_phase() == 1
