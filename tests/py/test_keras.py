"""tf.keras: names, shapes, history, training data. Expectations are TensorFlow 1.15's and 2.21's."""
import numpy as np
import pytest

from shapeflow import _core


def dims(tensor):
    """Of a tensor, and of a KerasTensor, whose shape is a tuple."""
    return list(tensor.shape) if isinstance(tensor.shape, tuple) else tensor.shape.as_list()


def codes():
    return [f.code for f in _core.findings() if f.severity == "error"]


LAYERS = [
    ("Dense(5)", [None, 4, 3], [None, 4, 5], 20), ("Flatten()", [None, 4, 3], [None, 12], 0),
    ("Conv1D(6, 3)", [None, 9, 2], [None, 7, 6], 42),
    ("Conv2D(6, 3, strides=2, padding='same')", [None, 9, 9, 2], [None, 5, 5, 6], 114),
    ("Conv2DTranspose(6, 3, strides=2)", [None, 4, 4, 2], [None, 9, 9, 6], 114),
    ("Conv2DTranspose(6, 3, strides=2, output_padding=1)", [None, 8, 8, 4], [None, 18, 18, 6], 222),
    ("Conv2DTranspose(6, 3, 2, 'same', (0, 1))", [None, 8, 7, 4], [None, 15, 14, 6], 222),
    ("Conv2DTranspose(6, 3, dilation_rate=2)", [None, None, 7, 4], [None, None, 11, 6], 222),
    ("Conv3DTranspose(6, 3, 2, output_padding=1)", [None, 4, 8, 7, 4], [None, 10, 18, 16, 6], 654),
    ("SeparableConv2D(6, 3)", [None, 9, 9, 2], [None, 7, 7, 6], 36),
    ("DepthwiseConv2D(3, depth_multiplier=2)", [None, 9, 9, 2], [None, 7, 7, 4], 40),
    ("MaxPooling2D()", [None, 9, 9, 2], [None, 4, 4, 2], 0),
    ("AveragePooling1D(3)", [None, 9, 2], [None, 3, 2], 0),
    ("GlobalAveragePooling2D()", [None, 9, 9, 2], [None, 2], 0),
    ("GlobalMaxPooling1D()", [None, 9, 2], [None, 2], 0),
    ("ZeroPadding2D((1, 2))", [None, 9, 9, 2], [None, 11, 13, 2], 0),
    ("Cropping2D(((1, 2), (3, 0)))", [None, 9, 9, 2], [None, 6, 6, 2], 0),
    ("UpSampling2D((2, 3))", [None, 9, 9, 2], [None, 18, 27, 2], 0),
    ("Reshape((3, -1))", [None, 4, 3], [None, 3, 4], 0), ("Permute((2, 1))", [None, 4, 3], [None, 3, 4], 0),
    ("RepeatVector(7)", [None, 3], [None, 7, 3], 0), ("Embedding(11, 5)", [None, 6], [None, 6, 5], 55),
    ("BatchNormalization()", [None, 9, 9, 2], [None, 9, 9, 2], 8),
    ("LayerNormalization()", [None, 9, 2], [None, 9, 2], 4), ("PReLU()", [None, 9], [None, 9], 9),
    ("LSTM(5)", [None, 6, 3], [None, 5], 180), ("LSTM(5, return_sequences=True)", [None, None, 3],
                                                 [None, None, 5], 180),
    ("SimpleRNN(5)", [None, 6, 3], [None, 5], 45),
    ("Bidirectional(LSTM(5, return_sequences=True))", [None, 6, 3], [None, 6, 10], 360),
    ("TimeDistributed(Dense(2))", [None, 6, 3], [None, 6, 2], 8),
    ("Activation('softmax')", [None, 4], [None, 4], 0),
    ("Lambda(lambda x: x[:, :2])", [None, 4], [None, 2], 0),
]


@pytest.mark.parametrize("text,given,wanted,params", LAYERS, ids=[case[0] for case in LAYERS])
@pytest.mark.parametrize("version", [1, 2])
def test_layer_shapes_and_parameters(request, version, text, given, wanted, params):
    tf = request.getfixturevalue("tf" if version == 1 else "tf2")
    layer = eval(text, dict(vars(tf.keras.layers)))
    output = layer(tf.keras.layers.Input(batch_shape=given))
    assert dims(output) == wanted
    assert layer.count_params() == params
    assert codes() == []


TRANSPOSED = [
    ("Conv1DTranspose(6, 3, 2)", [None, 8, 4], [17, 6]),
    ("Conv1DTranspose(6, 3, 2)", [None, None, 4], [None, 6]),
    ("Conv1DTranspose(6, 3, 2, 'same', output_padding=1)", [None, 8, 4], [16, 6]),
    ("Conv1DTranspose(6, 3, dilation_rate=2, activation='relu')", [None, 8, 4], [12, 6])]


@pytest.mark.parametrize("text,given,wanted", TRANSPOSED)
def test_transposed_convolutions_of_sequences(tf2, text, given, wanted):
    layer = eval(text, dict(vars(tf2.keras.layers)))
    assert dims(layer(tf2.keras.Input(batch_shape=given))) == [None] + wanted
    full = [5 if d is None else d for d in given]
    assert dims(layer(tf2.zeros(full))) == [5] + [11 if d is None else d for d in wanted]
    assert layer.count_params() == 78 and codes() == []


SCALED = [
    ("GroupNormalization(4)", [None, 8, 5, 8], [None, 8, 5, 8], 16),
    ("GroupNormalization(-1, scale=False)", [None, 8], [None, 8], 8),
    ("UnitNormalization()", [None, 8], [None, 8], 0), ("Rescaling(1./255)", [None, 8, 3], [None, 8, 3], 0),
    ("Rescaling([.1, .2, .3], offset=[0, 1, 2])", [None, 8, 3], [None, 8, 3], 0),
    ("Resizing(5, 6)", [None, 8, 8, 3], [None, 5, 6, 3], 0), ("Resizing(5, 6)", [8, 8, 3], [5, 6, 3], 0),
    ("CenterCrop(5, 6)", [None, 4, None, 3], [None, 5, 6, 3], 0)]


@pytest.mark.parametrize("text,given,wanted,params", SCALED)
def test_layers_that_scale(tf2, text, given, wanted, params):
    layer = eval(text, dict(vars(tf2.keras.layers)))
    output = layer(tf2.keras.Input(batch_shape=given))
    assert dims(output) == wanted and output.dtype == tf2.float32
    assert layer.count_params() == params and codes() == []


def test_names_of_layers_and_variables(tf):
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,)), tf.keras.layers.Dense(2)])
    assert [v.name for v in model.weights] == ["dense/kernel:0", "dense/bias:0", "dense_1/kernel:0",
                                               "dense_1/bias:0"]
    assert model.input_names == ["dense_input"] and model.output_names == ["dense_1"]
    assert model.output_shape == (None, 2)


def test_lstm_states_of_an_encoder_go_into_a_decoder(tf2):
    layers = tf2.keras.layers
    encoder_in, decoder_in = layers.Input((None, 7)), layers.Input((None, 9))
    _, h, c = layers.LSTM(16, return_state=True)(encoder_in)
    out, _, _ = layers.LSTM(16, return_sequences=True, return_state=True)(decoder_in, initial_state=[h, c])
    model = tf2.keras.Model([encoder_in, decoder_in], layers.Dense(9)(out))
    assert dims(model(([tf2.zeros([3, 5, 7]), tf2.zeros([3, 4, 9])]))) == [3, 4, 9]
    with pytest.raises(Exception):  # Keras asks only for shapes before there are data
        layers.LSTM(15)(tf2.zeros([3, 4, 9]), initial_state=[tf2.zeros([3, 16]), tf2.zeros([3, 16])])


def test_a_model_is_a_layer(tf2):
    base = tf2.keras.Sequential([tf2.keras.layers.Conv2D(4, 3, input_shape=(8, 8, 3))])
    inputs = tf2.keras.Input((8, 8, 3))
    x = base(inputs) * 2.0 + 1.0
    model = tf2.keras.Model(inputs, tf2.keras.layers.Flatten()(x))
    assert dims(model(tf2.zeros([5, 8, 8, 3]))) == [5, 144]
    base.trainable = False
    assert model.trainable_weights == [] and len(model.weights) == 2
    middle = tf2.keras.Model(base.inputs, base.layers[0].output)
    assert dims(middle(tf2.zeros([2, 8, 8, 3]))) == [2, 6, 6, 4]


def test_the_short_last_batch_is_looked_at(tf2):
    class Fixed(tf2.keras.Model):
        def call(self, x):
            return tf2.reshape(x, [32, 4])

    model = Fixed()
    model.compile("sgd", "mse")
    model.fit(np.zeros((64, 4)), np.zeros((64, 4)), verbose=0)
    assert codes() == []
    with pytest.raises(Exception, match="reshape"):
        model.fit(np.zeros((70, 4)), np.zeros((70, 4)), verbose=0)


def test_predictions_have_their_shape(tf):
    a = tf.keras.Input((4,))
    model = tf.keras.Model(a, [tf.keras.layers.Dense(3)(a), tf.keras.layers.Dense(2)(a)])
    first, second = model.predict(np.zeros((7, 4)))
    assert first.shape == (7, 3) and second.shape == (7, 2)


def test_callbacks_run(tf2):
    seen = []

    class Mine(tf2.keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            seen.append((epoch, logs["val_loss"]))
            self.model.stop_training = epoch == 1

    model = tf2.keras.Sequential([tf2.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    made = model.fit(np.zeros((4, 2)), np.zeros((4, 1)), epochs=9, callbacks=[Mine()], verbose=0,
                     validation_data=(np.zeros((4, 2)), np.zeros((4, 1))))
    assert [e for e, _ in seen] == [0, 1] and len(made.history["loss"]) == 2


def test_a_data_set_is_looked_at_batch_by_batch(tf2):
    model = tf2.keras.Sequential([tf2.keras.layers.Dense(3, input_shape=(4,))])
    model.compile("sgd", tf2.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    labels = np.zeros((9,), "int64")
    good = tf2.data.Dataset.from_tensor_slices((np.zeros((9, 4), "float32"), labels)).batch(4)
    model.fit(good, verbose=0)
    assert codes() == []
    wrong = tf2.data.Dataset.from_tensor_slices((np.zeros((9, 5), "float32"), labels)).batch(4)
    with pytest.raises(ValueError, match="expected axis -1 of input shape to have value 4"):
        model.evaluate(wrong, verbose=0)
    with pytest.raises(Exception, match="expected axis -1 of input shape to have value 4|size-incompatible"):
        model.fit(wrong, verbose=0)


def test_unmodelled_layers_between_modelled_ones(tf2):
    model = tf2.keras.Sequential([
        tf2.keras.layers.Dense(3, input_shape=(4,)), tf2.keras.layers.UnitNormalization(),
        tf2.keras.layers.Dense(2)])
    model.compile("sgd", "mse")
    model.fit(np.zeros((4, 4)), np.zeros((4, 2)), verbose=0)
    assert codes() == []


@pytest.mark.xfail(strict=True, reason="a function is traced for each signature: none is relaxed")
def test_evaluate_on_data_of_another_rank_than_the_validation_data_has_no_rank(tf2):
    """Keras traces its test function once; for another rank TensorFlow relaxes the shape to unknown."""
    model = tf2.keras.Sequential([tf2.keras.Input((4, 1)), tf2.keras.layers.Flatten()])
    model.compile(loss="mse")
    images, labels = np.zeros((6, 4, 1), "float32"), np.zeros((6, 4), "float32")
    model.evaluate(images[..., 0], labels)  # the first one is free: a last dim of one is added
    with pytest.raises(ValueError, match="Cannot take the length of shape with unknown rank"):
        model.evaluate(images, labels)


def test_a_functional_model_looks_at_its_inputs_as_a_whole(tf2):
    inputs = tf2.keras.Input((5, 3))
    model = tf2.keras.Model(inputs, tf2.keras.layers.GlobalAveragePooling1D()(inputs))
    assert model(np.zeros((2, 5, 3), "float32")).shape == (2, 3)
    with pytest.raises(ValueError, match=r"expected shape=\(None, 5, 3\), found shape=\(2, 4, 3\)"):
        model(np.zeros((2, 4, 3), "float32"))


def test_a_sequential_model_is_built_for_the_rank_of_its_first_input(tf2):
    model = tf2.keras.Sequential([tf2.keras.layers.Flatten(), tf2.keras.layers.Dense(2)])
    assert model(np.zeros((2, 5, 3), "float32")).shape == (2, 2)
    with pytest.raises(ValueError, match="Invalid input shape for input"):
        model(np.zeros((2, 5, 3, 1, 1), "float32"))


def test_training_is_kept_from_who_does_not_ask(tf2):
    class Plain(tf2.keras.Model):
        def call(self, x):
            return x + 1.0

    assert Plain()(np.zeros((2, 3), "float32"), training=True).shape == (2, 3)


def test_a_single_number_as_labels(tf2):
    model = tf2.keras.Sequential([tf2.keras.layers.Dense(2)])
    model.compile(loss="mse")
    with pytest.raises(IndexError, match="tuple index out of range"):
        model.fit(np.zeros((4, 3)), np.zeros((4,))[2])


def test_wrong_arguments_of_layers(tf2):
    with pytest.raises(ValueError, match="Received an invalid value for `units`"):
        tf2.keras.layers.Dense((3, 4))
    with pytest.raises(ValueError, match="Unrecognized keyword arguments passed to Add: {'axis': -1}"):
        tf2.keras.layers.Add(axis=-1)


def test_multi_head_attention(tf2):
    layer = tf2.keras.layers.MultiHeadAttention(num_heads=2, key_dim=3)
    query, value = np.zeros((4, 5, 8), "float32"), np.zeros((4, 7, 6), "float32")
    outputs, scores = layer(query=query, value=value, return_attention_scores=True)
    assert outputs.shape == (4, 5, 8) and scores.shape == (4, 2, 5, 7)
    assert sum(int(np.prod(w.shape)) for w in layer.weights) == 8 * 6 + 6 + 2 * (6 * 6 + 6) + 6 * 8 + 8
    with pytest.raises(Exception, match="requires a multiple of 5"):
        layer(query, value[..., :5])
    with pytest.raises(Exception):
        layer(query, value, attention_mask=np.ones((4, 5, 6)))


def test_attention_layers(tf2):
    query, value = tf2.zeros((4, 5, 8)), tf2.zeros((4, 7, 8))
    assert tf2.keras.layers.Attention()([query, value]).shape == (4, 5, 8)
    assert tf2.keras.layers.AdditiveAttention()([query, value]).shape == (4, 5, 8)
    with pytest.raises(Exception):
        tf2.keras.layers.Attention()([query, value[..., :6]])
    with pytest.raises(ValueError, match="must be called on a list of inputs"):
        tf2.keras.layers.Attention()(query)


def test_keras_ops(tf2):
    ops = tf2.keras.ops
    x, n = tf2.zeros((2, 3)), tf2.zeros((3,), "int32")
    assert ops.mean(n).dtype == "float32" and ops.add(x, n).dtype == "float32"
    assert ops.sum(x, axis=(0, 1), keepdims=True).shape == (1, 1)
    assert ops.matmul(x, n).shape == (2,) and ops.dot(x, x[0]).shape == (2,)
    assert ops.moveaxis(tf2.zeros((2, 3, 4)), 0, -1).shape == (3, 4, 2)
    assert [p.shape[1] for p in ops.split(x, [1], axis=1)] == [1, 2]
    assert ops.maximum(1.0 - x, 0.0).shape == (2, 3)
    assert ops.shape(x) == (2, 3) and ops.take(x, [0, 0, 1], axis=0).shape == (3, 3)
    with pytest.raises(Exception):
        ops.subtract(x, tf2.zeros((2, 4)))
    with pytest.raises(ValueError, match="must have the same shape"):
        ops.binary_crossentropy(x, tf2.zeros((2, 4)))


def test_metrics_of_a_compiled_model_look_at_its_labels(tf2):
    """Labels that the loss takes, and the metric does not."""
    model = tf2.keras.Sequential([tf2.keras.Input((3,)), tf2.keras.layers.Dense(4)])
    x, one_hot = np.zeros((6, 3), "float32"), np.zeros((6, 4), "float32")
    model.compile(loss="mse", metrics=["accuracy", "mae"])
    model.fit(x, one_hot, verbose=0)
    model.compile(loss="mse", metrics=["sparse_categorical_accuracy"])
    with pytest.raises(Exception, match="4|6"):
        model.fit(x, one_hot, verbose=0)
    assert codes() != []


def test_metrics_outside_of_models(tf2):
    metric = tf2.keras.metrics.SparseCategoricalAccuracy()
    metric.update_state(np.zeros(6), np.zeros((6, 4), "float32"))
    metric.update_state(np.zeros((6, 1)), np.zeros((6, 4), "float32"), sample_weight=np.zeros(6))
    with pytest.raises(Exception):
        metric.update_state(np.zeros((6, 4)), np.zeros((6, 4), "float32"))
    with pytest.raises(Exception):
        tf2.keras.metrics.Mean().update_state(np.zeros((6, 2)), sample_weight=np.zeros(5))
    with pytest.raises(Exception):
        tf2.keras.metrics.Precision()(np.zeros((6,)), np.zeros((6, 2), "float32"))


def test_losses_of_keras_3_squeeze_only_where_keras_does(tf2):
    losses, y = tf2.keras.losses, np.zeros((6, 1), "float32")
    assert losses.mse(y[:, 0], y).shape == (6,)
    assert losses.CategoricalCrossentropy(reduction="none")(y[:, 0], y).shape == (6,)
    with pytest.raises(ValueError, match="must have the same rank"):
        losses.categorical_crossentropy(y[:, 0], y)
    with pytest.raises(Exception):
        losses.MeanSquaredError()(np.zeros((6, 4, 3)), np.zeros((6, 4, 3)), sample_weight=np.zeros(6))


def test_a_model_called_on_a_keras_tensor_of_other_channels(tf2):
    """Keras asks the layers inside only for their shapes; with data they look at what they get."""
    layers = tf2.keras.layers
    inner = tf2.keras.Input((6, 6, 1))
    net = tf2.keras.Model(inner, layers.Flatten()(layers.Conv2D(2, 3)(layers.BatchNormalization()(inner))))
    outer = tf2.keras.Input((6, 6, 2))
    twin = tf2.keras.Model(outer, net(outer))
    assert twin(np.zeros((3, 6, 6, 1), "float32")).shape == (3, 32)
    with pytest.raises(ValueError, match="expected axis -1 of input shape to have value 1"):
        net(np.zeros((3, 6, 6, 2), "float32"))


def test_the_declared_output_shape_of_a_lambda_is_believed(tf2):
    inputs = tf2.keras.Input((5, 3))
    total = tf2.keras.layers.Lambda(lambda x: tf2.reduce_sum(x, axis=1), output_shape=(7,))(inputs)
    assert total.shape == (None, 7)
    assert tf2.keras.Model(inputs, total)(np.zeros((2, 5, 3), "float32")).shape == (2, 3)


@pytest.mark.xfail(strict=True, reason="a function that takes from an empty iterator is not traced")
def test_no_samples_at_all_are_traced_all_the_same(tf2):
    model = tf2.keras.Sequential([tf2.keras.Input((4, 3)), tf2.keras.layers.Flatten()])
    model.compile(loss="mse")
    with pytest.raises(ValueError, match="Invalid input shape"):
        model.fit(np.zeros((0,)), np.zeros((0,)), batch_size=12)


def test_labels_that_are_known_to_be_no_class(tf2):
    with pytest.raises(Exception, match="label value of 1 which is outside the valid range"):
        tf2.keras.losses.SparseCategoricalCrossentropy(from_logits=True)(tf2.ones((4, 1)), tf2.zeros((4, 1)))


def test_convolutions_without_an_output_are_not_built(tf2):
    layers = tf2.keras.layers
    for layer in (layers.Conv2D(2, 3), layers.SeparableConv2D(2, 3), layers.DepthwiseConv2D(3)):
        with pytest.raises(ValueError, match="Computed output size would be zero or negative"):
            layer(np.zeros((1, 2, 5, 1), "float32"))
    assert layers.Conv2D(2, 3, padding="same")(np.zeros((1, 2, 5, 1), "float32")).shape == (1, 2, 5, 2)


def test_labels_and_word_numbers_within_what_there_is(tf2):
    layers, words = tf2.keras.layers, np.arange(12).reshape(4, 3)
    model = tf2.keras.Sequential([tf2.keras.Input((3,), dtype="int32"), layers.Embedding(12, 2),
                                  layers.Flatten(), layers.Dense(4)])
    model.compile(loss=tf2.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(words, np.arange(4), verbose=0)
    assert codes() == []
    model.compile(loss=tf2.keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=-1))
    model.fit(words, np.arange(4) - 1, verbose=0)


def test_the_second_api_of_version_1_has_the_keras_of_version_1(tf):
    keras = tf.compat.v2.keras
    assert keras.layers.Dense is tf.keras.layers.Dense and keras.Sequential is tf.keras.Sequential
    assert tf.compat.v2.losses.MeanSquaredError is tf.keras.losses.MeanSquaredError
    assert not hasattr(tf.keras, "ops")  # only Keras 3 has them
