"""Mixed precision: what each layer gives, reads and keeps, against what TensorFlow 2.21 says."""
import numpy as np
import pytest

from shapeflow import _core


@pytest.fixture
def mixed(tf2):
    tf2.keras.mixed_precision.set_global_policy("mixed_float16")
    yield tf2
    tf2.keras.mixed_precision.set_global_policy("float32")


def names(tf, tensors):
    return [tf.as_dtype(tensor.dtype).name for tensor in tf.nest.flatten(tensors)]


LAYERS = {
    "Dense": (lambda L: L.Dense(3), [2, 8]), "Conv2D": (lambda L: L.Conv2D(4, 3), [2, 8, 8, 3]),
    "BatchNormalization": (lambda L: L.BatchNormalization(), [2, 8, 8, 3]),
    "LayerNormalization": (lambda L: L.LayerNormalization(), [2, 8]),
    "Dropout": (lambda L: L.Dropout(.5), [2, 8]),
    "LSTM": (lambda L: L.LSTM(4, return_state=True), [2, 5, 8]), "GRU": (lambda L: L.GRU(4), [2, 5, 8]),
    "RNN": (lambda L: L.RNN(L.LSTMCell(4, dtype="float32")), [2, 5, 8]),
    "Bidirectional": (lambda L: L.Bidirectional(L.LSTM(4)), [2, 5, 8]),
    "TimeDistributed": (lambda L: L.TimeDistributed(L.Dense(4, dtype="float32")), [2, 5, 8]),
    "Flatten": (lambda L: L.Flatten(), [2, 5]), "MaxPooling2D": (lambda L: L.MaxPooling2D(), [2, 8, 8, 3]),
    "Softmax": (lambda L: L.Softmax(), [2, 8]), "Lambda": (lambda L: L.Lambda(lambda x: x * 2), [2, 8]),
    "Rescaling": (lambda L: L.Rescaling(1 / 255), [2, 8, 8, 3]),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers_compute_in_half(mixed, name):
    make, shape = LAYERS[name]
    layer = make(mixed.keras.layers)
    assert set(names(mixed, layer(mixed.ones(shape)))) == {"float16"}
    assert {*names(mixed, layer.weights)} <= {"float32"}
    assert (layer.compute_dtype, layer.dtype, layer.variable_dtype) == ("float16", "float32", "float32")


def test_a_dtype_of_its_own(mixed):
    layers, x = mixed.keras.layers, mixed.ones([2, 8])
    for dtype, given in (("float32", "float32"), ("float64", "float64"), ("mixed_bfloat16", "bfloat16"),
                         (mixed.keras.mixed_precision.Policy("mixed_bfloat16"), "bfloat16")):
        assert names(mixed, layers.Dense(3, dtype=dtype)(x)) == [given]
    three = mixed.ones([2, 5, 8])
    assert names(mixed, layers.MultiHeadAttention(2, 4, dtype="float32")(three, three)) == ["float32"]
    assert names(mixed, layers.Flatten()(mixed.zeros([2, 3], mixed.int32))) == ["int32"]
    model = mixed.keras.Sequential([layers.Dense(3), layers.Dense(2, dtype="float32")])
    assert names(mixed, model(x)) == ["float32"]
    again = layers.Dense.from_config(layers.Dense(3, dtype="mixed_bfloat16").get_config())
    assert again(x).dtype.name == "bfloat16"


def test_policies_that_are_not_modelled(tf2):
    """Quantized ones compute as what they were made from; of others nothing is known."""
    layers, x = tf2.keras.layers, tf2.ones([2, 8])
    assert names(tf2, layers.Dense(3, dtype="int8_from_mixed_bfloat16")(x)) == ["bfloat16"]
    assert layers.Dense(3, dtype=tf2.keras.dtype_policies.DTypePolicyMap())(x).shape == [2, 3]


def test_a_policy_that_is_set_later(tf2):
    class Own(tf2.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.dtype_policy = "mixed_float16"

        def call(self, x):
            return x * 2

    assert names(tf2, Own()(tf2.ones([2, 8]))) == ["float16"]


def test_a_layer_of_the_script_reads_its_weights_in_half(mixed):
    tf = mixed

    class Own(tf.keras.layers.Layer):
        def build(self, shape):
            self.w = self.add_weight(shape=(8, 4), initializer="zeros")
            self.count = self.add_weight(shape=(), initializer="zeros", trainable=False)
            self.plain = self.add_weight(shape=(4,), initializer="zeros", autocast=False)

        def call(self, x):
            self.count.assign_add(1.0)
            return tf.matmul(x, self.w), x + tf.cast(1.0, self.compute_dtype), self.plain + 1.0

    class More(tf.keras.layers.Dense):
        def call(self, x):
            return super().call(x) * tf.cast(2.0, x.dtype)

    x, own = tf.ones([2, 8]), Own()
    assert names(tf, own(x)) == ["float16", "float16", "float32"]
    assert {*names(tf, own.weights)} == {"float32"}
    assert names(tf, More(4)(x)) == ["float16"]
    own.w.assign(tf.ones([8, 4]))
    with pytest.raises(Exception, match="Matrix size-incompatible"):
        own(tf.ones([2, 7]))
    assert {*names(tf, own.weights)} == {"float32"}


def test_models(mixed):
    tf, layers = mixed, mixed.keras.layers
    i = tf.keras.Input((8,))
    h = layers.Dense(4)(i)
    model = tf.keras.Model(i, h)
    assert names(tf, [i, h, model(tf.ones([2, 8]))]) == ["float32", "float16", "float16"]
    optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.Adam(0.5))
    model.compile(optimizer, "mse", metrics=["mae"])
    assert sorted(model.fit(np.zeros((8, 8)), np.zeros((8, 4)), verbose=0).history) == ["loss", "mae"]
    with pytest.raises(Exception, match="Incompatible shapes|[Dd]imensions must be equal"):
        model.fit(np.zeros((8, 8)), np.zeros((8, 3)), verbose=0)


def test_steps_of_the_script(mixed):
    tf = mixed
    model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(3, activation="softmax")])
    optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(0.25))

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(y, model(x, training=True)))
            scaled = optimizer.scale_loss(loss)
        gradients = tape.gradient(scaled, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss, gradients

    assert names(tf, step(tf.ones([2, 8]), tf.zeros([2], tf.int32))) == ["float16", "float32", "float32"]
    assert optimizer.inner_optimizer is not optimizer and float(optimizer.learning_rate) == 0.25


def test_policies(tf2):
    precision, keras = tf2.keras.mixed_precision, tf2.keras
    assert precision.global_policy().name == "float32"
    policy = precision.Policy("mixed_float16")
    assert (policy.compute_dtype, policy.variable_dtype) == ("float16", "float32")
    assert repr(policy) == '<DTypePolicy "mixed_float16">' and policy == keras.DTypePolicy("mixed_float16")
    with pytest.raises(TypeError):
        precision.Policy(3)
    keras.backend.set_floatx("float64")
    try:
        assert keras.layers.Dense(3)(tf2.ones([2, 3])).dtype == tf2.float32  # the policy was asked for
        assert keras.Input((3,)).dtype == "float64" and keras.backend.floatx() == "float64"
    finally:
        keras.backend.set_floatx("float32")
    with pytest.raises(ValueError, match="Unknown `floatx`"):
        keras.backend.set_floatx("float8")
    assert not _core.findings()


CONFIGURED = {
    "Dense": (lambda L: L.Dense(3, activation="relu"), [2, 8]),
    "Conv2D": (lambda L: L.Conv2D(4, (3, 3), strides=2, padding="same"), [2, 8, 8, 3]),
    "Conv2DTranspose": (lambda L: L.Conv2DTranspose(3, 2, strides=2), [2, 8, 8, 3]),
    "Cropping2D": (lambda L: L.Cropping2D(((1, 1), (2, 2))), [2, 8, 8, 3]),
    "LSTM": (lambda L: L.LSTM(4, return_sequences=True), [2, 5, 8]),
    "MaxPooling2D": (lambda L: L.MaxPooling2D(3, 2), [2, 8, 8, 3]),
    "Bidirectional": (lambda L: L.Bidirectional(L.GRU(4)), [2, 5, 8]),
}


@pytest.mark.parametrize("name", CONFIGURED)
def test_a_layer_is_made_again_of_its_configuration(tf2, name):
    make, shape = CONFIGURED[name]
    layer, x = make(tf2.keras.layers), tf2.ones(shape)
    again = type(layer).from_config(layer.get_config())
    assert again is not layer and again.name == layer.name and again(x).shape == layer(x).shape


def test_the_configuration_of_a_layer_that_is_built_on_ours(tf2):
    class Own(tf2.keras.layers.Dense):
        def __init__(self, units, more=1, **kwargs):
            super().__init__(units, **kwargs)
            self.more = more

        def get_config(self):
            return {**super().get_config(), "more": self.more}

    config = Own(4, more=3, name="own").get_config()
    assert (config["units"], config["more"], config["name"]) == (4, 3, "own")
    assert Own.from_config(config)(tf2.ones([2, 3])).shape == [2, 4]
