"""ConvLSTM2D of TensorFlow 1's Keras. Expectations are what TensorFlow 1.15 gave, or said, for it."""
import numpy as np
import pytest

from shapeflow import _core

NAMES = ["kernel:0", "recurrent_kernel:0", "bias:0"]
# Arguments, dims of the inputs, of what it gives, and of its weights.
LAYERS = [
    ("4, 3", [2, 5, 9, 8, 3], (2, 7, 6, 4), [(3, 3, 3, 16), (3, 3, 4, 16), (16,)]),
    ("4, (3, 2), return_sequences=True", [None, 5, 9, 8, 3], (None, 5, 7, 7, 4),
     [(3, 2, 3, 16), (3, 2, 4, 16), (16,)]),
    ("4, 3, padding='same', return_sequences=True", [None, None, 9, 8, 3], (None, None, 9, 8, 4),
     [(3, 3, 3, 16), (3, 3, 4, 16), (16,)]),
    ("4, 3, return_sequences=True, return_state=True", [2, 5, None, 8, 3],
     [(2, 5, None, 6, 4), (2, None, 6, 4), (2, None, 6, 4)], [(3, 3, 3, 16), (3, 3, 4, 16), (16,)]),
    ("4, 3, (2, 2), return_state=True", [2, 5, 9, 8, 3], [(2, 4, 3, 4)] * 3,
     [(3, 3, 3, 16), (3, 3, 4, 16), (16,)]),
    ("4, 3, 1, 'SAME', 'channels_first', return_sequences=True", [2, 5, 3, 9, 8], (2, 5, 4, 9, 8),
     [(3, 3, 3, 16), (3, 3, 4, 16), (16,)]),
    ("4, 3, dilation_rate=2", [2, 5, 9, 8, 3], (2, 5, 4, 4), [(3, 3, 3, 16), (3, 3, 4, 16), (16,)]),
    ("4, 3, use_bias=False, go_backwards=True, activation='relu', recurrent_activation='sigmoid'",
     [2, 5, 9, 8, 3], (2, 7, 6, 4), [(3, 3, 3, 16), (3, 3, 4, 16)]),
    ("4, 3, dropout=.2, recurrent_dropout=.3", [2, 5, 9, 8, 3], (2, 7, 6, 4),
     [(3, 3, 3, 16), (3, 3, 4, 16), (16,)]),
    ("4, 3, stateful=True", [2, 5, 9, 8, 3], (2, 7, 6, 4), [(3, 3, 3, 16), (3, 3, 4, 16), (16,)]),
]
REFUSED = [
    ("4, 3", [2, 9, 8, 3], "expected ndim=5, found ndim=4. Full shape received: [2, 9, 8, 3]"),
    ("4, 3", None, "its rank is undefined, but the layer requires a defined rank."),
    ("4, 3", [2, 5, 9, 8, None], "The channel dimension of the inputs should be defined. Found `None`."),
    ("4, 3", [2, 5, 2, 8, 3], "Negative dimension size caused by subtracting 3 from 2 for 'conv_lst_m2d/"
     "convolution' (op: 'Conv2D') with input shapes: [2,2,8,3], [3,3,3,4]."),
    ("4, 3, strides=2, dilation_rate=2", [2, 5, 9, 8, 3],
     "strides > 1 not supported in conjunction with dilation_rate > 1"),
    ("4, 3, padding='full'", [2, 5, 9, 8, 3], "Received: full"),
    ("4, (3, 3, 3)", [2, 5, 9, 8, 3],
     "The `kernel_size` argument must be a tuple of 2 integers. Received: (3, 3, 3)"),
    ("4, 3, stateful=True", [None, 5, 9, 8, 3], "If a RNN is stateful, it needs to know its batch size."),
]


def dims(made):
    return [dims(one) for one in made] if isinstance(made, list) else tuple(
        getattr(made, "shape", made).as_list())


def errors():
    return [f.code for f in _core.findings() if f.severity == "error"]


@pytest.mark.parametrize("arguments, given, wanted, weights", LAYERS, ids=[case[0] for case in LAYERS])
def test_shapes_and_weights(tf, arguments, given, wanted, weights):
    layer = eval(f"make({arguments})", {"make": tf.keras.layers.ConvLSTM2D})
    assert dims(layer(tf.placeholder(tf.float32, given))) == wanted
    assert dims(layer.weights) == weights
    assert [w.name for w in layer.weights] == ["conv_lst_m2d/" + name for name in NAMES[:len(weights)]]
    assert dims(layer.compute_output_shape(given)) == wanted
    assert errors() == []


@pytest.mark.parametrize("arguments, given, said", REFUSED)
def test_what_is_refused(tf, arguments, given, said):
    with pytest.raises(ValueError) as error:
        eval(f"make({arguments})", {"make": tf.keras.layers.ConvLSTM2D})(tf.placeholder(tf.float32, given))
    assert said in str(error.value)


def test_states_that_are_given(tf):
    def made(*states):
        layer = tf.keras.layers.ConvLSTM2D(4, 3)
        return dims(layer(tf.placeholder(tf.float32, [2, 5, 9, 8, 3]),
                          initial_state=[tf.zeros(state) for state in states]))

    assert made([2, 7, 6, 4], [2, 7, 6, 4]) == (2, 7, 6, 4)
    for states in ([[2, 7, 6, 5]] * 2, [[2, 7, 6, 4]]):
        with pytest.raises(ValueError, match="An initial_state was passed that is not compatible"):
            made(*states)
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 7 and 9"):
        made([2, 9, 8, 4], [2, 9, 8, 4])


def test_what_it_has(tf):
    layers = tf.keras.layers
    layer = layers.ConvLSTM2D(4, 3, name="z", activation=tf.nn.relu)
    assert (layer.filters, layer.kernel_size, layer.strides, layer.padding, layer.data_format,
            layer.dilation_rate, layer.use_bias, layer.dropout, layer.recurrent_dropout,
            layer.unit_forget_bias, layer.cell.state_size) == (
                4, (3, 3), (1, 1), "valid", "channels_last", (1, 1), True, 0.0, 0.0, True, (4, 4))
    assert isinstance(layer, layers.RNN) and isinstance(layer.cell, layers.Layer)
    # what TensorFlow has there, but for the function, which is no plain value
    assert sorted(layer.get_config()) == sorted(
        "activity_regularizer bias_constraint bias_initializer bias_regularizer data_format dilation_rate "
        "dropout dtype filters go_backwards kernel_constraint kernel_initializer kernel_regularizer "
        "kernel_size name padding recurrent_activation recurrent_constraint recurrent_dropout "
        "recurrent_initializer recurrent_regularizer return_sequences return_state stateful strides "
        "time_major trainable unit_forget_bias unroll use_bias".split())
    again = layers.ConvLSTM2D.from_config(layer.get_config())
    assert (again.name, again.filters, again.kernel_size) == ("z", 4, (3, 3))
    with pytest.raises(TypeError, match="Unrolling isn't possible with convolutional RNNs."):
        layers.ConvLSTM2D(4, 3, unroll=True)
    with pytest.raises(TypeError, match="units"):
        layers.ConvLSTM2D(4, 3, units=4)
    with pytest.raises(AttributeError, match="Layer must be stateful."):
        layer.reset_states()


def test_a_stateful_one_is_reset(tf):
    layer = tf.keras.layers.ConvLSTM2D(4, 3, stateful=True, batch_input_shape=(2, 5, 9, 8, 3))
    model = tf.keras.Sequential([layer])
    assert model.output_shape == (2, 7, 6, 4) and dims(layer.states) == [(2, 7, 6, 4)] * 2
    assert len(model.weights) == 3
    model.reset_states()
    layer.reset_states([np.zeros((2, 7, 6, 4))] * 2)
    with pytest.raises(ValueError, match="expects 2 states, but it received 1 state values"):
        layer.reset_states([np.zeros((2, 7, 6, 4))])
    with pytest.raises(ValueError, match="State 1 is incompatible with layer"):
        layer.reset_states([np.zeros((2, 7, 6, 4)), np.zeros((2, 7, 6, 5))])


def test_models(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.ConvLSTM2D(8, 3, padding="same", return_sequences=True, input_shape=(None, 16, 12, 1)),
        layers.BatchNormalization(), layers.ConvLSTM2D(6, (3, 2), return_sequences=True, name="second"),
        layers.Conv3D(1, 3, padding="same")])
    assert model.output_shape == (None, None, 14, 11, 1) and model.count_params() == 4859
    assert [(w.name, tuple(w.shape.as_list())) for w in model.layers[2].weights] == [
        ("second/kernel:0", (3, 2, 8, 24)), ("second/recurrent_kernel:0", (3, 2, 6, 24)),
        ("second/bias:0", (24,))]
    both = layers.Bidirectional(layers.ConvLSTM2D(4, 3, return_sequences=True))
    assert dims(both(tf.placeholder(tf.float32, [2, 5, 9, 8, 3]))) == (2, 5, 7, 6, 8)
    once = tf.keras.Sequential([layers.ConvLSTM2D(4, 3, padding="same", input_shape=(5, 9, 8, 3))])
    once.compile("sgd", "mse")
    once.fit(np.zeros((4, 5, 9, 8, 3)), np.zeros((4, 9, 8, 4)), batch_size=2, verbose=0)
    assert once.predict(np.zeros((3, 5, 9, 8, 3))).shape == (3, 9, 8, 4) and errors() == []
    with pytest.raises(ValueError, match=r"A target array with shape \(4, 5, 9, 8, 4\) was passed for"):
        once.fit(np.zeros((4, 5, 9, 8, 3)), np.zeros((4, 5, 9, 8, 4)), verbose=0)


def test_a_run_has_the_steps_that_it_is_fed(tf):
    x = tf.placeholder(tf.float32, [None, None, 9, 8, 3])
    y = tf.keras.layers.ConvLSTM2D(4, 3, return_sequences=True)(x)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [session.run(y, {x: np.zeros(n)}).shape for n in ((2, 5, 9, 8, 3), (1, 3, 9, 8, 3))] == [
            (2, 5, 7, 6, 4), (1, 3, 7, 6, 4)]
    assert errors() == []


@pytest.mark.parametrize("strides, rates, said", [
    (2, 2, "[2 2] and dilation_rate=[2 2]"), ([1, 2], [2, 1], "[1 2] and dilation_rate=[2 1]"),
    (1, 2, (1, 5, 5, 4)), (2, 1, (1, 4, 4, 4))])
def test_a_convolution_has_strides_or_dilations(tf2, strides, rates, said):
    """As TensorFlow 2.21 says it; the words of 1.15 are those of the layer above."""
    def made():
        return tf2.nn.convolution(tf2.zeros([1, 9, 9, 3]), tf2.zeros([3, 3, 3, 4]), strides=strides,
                                  dilations=rates)

    if isinstance(said, tuple):
        assert dims(made()) == said
        return
    with pytest.raises(ValueError) as error:
        made()
    assert str(error.value) == ("`strides > 1` not supported in conjunction with `dilation_rate > 1`. "
                                "Received: strides=" + said)
