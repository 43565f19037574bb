"""LocallyConnected1D and 2D, Wrapper and AbstractRNNCell of TensorFlow 1's Keras. Expectations are what
TensorFlow 1.15 gave, or said, for them."""
import pytest

# Layer, dims of the inputs, of what it gives, of its weights.
LAYERS = [
    ("LocallyConnected1D(8, 3)", [None, 10, 4], [None, 8, 8], [(8, 12, 8), (8, 8)]),
    ("LocallyConnected1D(8, 3, strides=2, use_bias=False)", [None, 10, 4], [None, 4, 8], [(4, 12, 8)]),
    ("LocallyConnected1D(8, 3, data_format='channels_first')", [None, 4, 10], [None, 8, 8],
     [(8, 12, 8), (8, 8)]),
    ("LocallyConnected1D(8, 3, padding='same', implementation=2)", [None, 10, 4], [None, 10, 8],
     [(10, 4, 10, 8), (10, 8)]),
    ("LocallyConnected2D(8, 3)", [None, 10, 12, 4], [None, 8, 10, 8], [(80, 36, 8), (8, 10, 8)]),
    ("LocallyConnected2D(8, (3, 2), strides=(2, 1))", [None, 10, 12, 4], [None, 4, 11, 8],
     [(44, 24, 8), (4, 11, 8)]),
    ("LocallyConnected2D(8, (3, 2), implementation=2)", [None, 10, 12, 4], [None, 8, 11, 8],
     [(10, 12, 4, 8, 11, 8), (8, 11, 8)]),
    ("LocallyConnected2D(8, (3, 2), implementation=3)", [None, 10, 12, 4], [None, 8, 11, 8],
     [(16896,), (8, 11, 8)]),
]
REFUSED = [
    ("LocallyConnected2D(8, 3)", [None, None, 12, 4], ValueError,
     "should be fully-defined, but layer received the inputs shape \\(None, None, 12, 4\\)"),
    ("LocallyConnected1D(8, 3)", [None, None, 4], TypeError, "unsupported operand type"),
    ("LocallyConnected1D(8, 3)", [None, 10, None], ValueError, "Axis 2 of input should be fully-defined"),
    ("LocallyConnected1D(8, 3)", [2, 10, 4, 1], ValueError, "expected ndim=3, found ndim=4"),
    ("LocallyConnected2D(8, 11)", [None, 10, 12, 4], ValueError, "to 'SparseConcat' Op with length 0"),
    ("LocallyConnected2D(8, 3, implementation=7)", [None, 10, 12, 4], ValueError, "implementation mode: 7"),
    ("LocallyConnected2D(8, 3, padding='same')", [None, 10, 12, 4], ValueError,
     "Invalid border mode for LocallyConnected2D .only \"valid\" is supported if implementation is 1.: same"),
]


def made(tf, words):
    return eval("tf.keras.layers." + words, {"tf": tf})


@pytest.mark.parametrize("words, dims, out, weights", LAYERS)
def test_what_a_layer_gives_and_has(tf, words, dims, out, weights):
    layer = made(tf, words)
    assert layer(tf.placeholder(tf.float32, dims)).shape.as_list() == out
    assert [tuple(weight.shape.as_list()) for weight in layer.weights] == weights
    assert all(gradient is not None for gradient in tf.gradients(
        tf.reduce_sum(layer(tf.placeholder(tf.float32, dims))), layer.weights))


@pytest.mark.parametrize("words, dims, error, message", REFUSED)
def test_what_it_refuses(tf, words, dims, error, message):
    with pytest.raises(error, match=message):
        made(tf, words)(tf.placeholder(tf.float32, dims))


def test_a_cell_of_the_programs_own(tf):
    layers = tf.keras.layers

    class Cell(layers.AbstractRNNCell):
        def __init__(self, units, **kwargs):
            self.units = units
            super().__init__(**kwargs)

        state_size = property(lambda self: self.units)

        def build(self, shape):
            self.kernel = self.add_weight("kernel", (int(shape[-1]), self.units))

        def call(self, inputs, states):
            out = tf.matmul(inputs, self.kernel) + states[0]
            return out, [out]

    assert Cell(4).get_initial_state(batch_size=3, dtype=tf.float32).shape == [3, 4]
    assert layers.RNN(Cell(4))(tf.zeros([2, 5, 6])).shape == [2, 4]
    for missing in ("state_size", "output_size"):
        with pytest.raises(NotImplementedError, match="Abstract method"):
            getattr(layers.AbstractRNNCell(), missing)
    with pytest.raises(ValueError, match="cannot be None while constructing"):
        Cell(4).get_initial_state()


def test_a_wrapper_builds_its_layer_and_has_its_weights(tf):
    layers = tf.keras.layers

    class Twice(layers.Wrapper):
        def call(self, inputs):
            return self.layer(self.layer(inputs))

    twice = Twice(layers.Dense(4))
    assert twice(tf.zeros([2, 4])).shape == [2, 4]
    assert [tuple(weight.shape.as_list()) for weight in twice.trainable_weights] == [(4, 4), (4,)]
    assert issubclass(layers.TimeDistributed, layers.Wrapper)
    assert issubclass(layers.Bidirectional, layers.Wrapper)
