"""A model with layers of one's own is saved as .keras, loaded, exported and served; configs go round."""
import os
import tempfile

import keras
import numpy as np
import tensorflow as tf


@keras.saving.register_keras_serializable(package="mine", name="Linear")
class Linear(keras.layers.Layer):
    def __init__(self, units=32, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.activation = keras.activations.get(activation)

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="random_normal", name="w")
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", name="b")

    def call(self, inputs):
        return self.activation(keras.ops.matmul(inputs, self.w) + self.b)

    def compute_output_shape(self, input_shape):
        return (*input_shape[:-1], self.units)

    def get_config(self):
        config = super().get_config()
        config.update(units=self.units, activation=keras.activations.serialize(self.activation))
        return config


folder = tempfile.mkdtemp()
inputs = keras.Input((6,), name="features")
hidden = Linear(12, "relu")(inputs)
model = keras.Model(inputs, Linear(3)(hidden) + keras.layers.Dense(3)(inputs))
model.compile("adam", "mse")
x = np.random.rand(20, 6).astype("float32")
model.fit(x, np.random.rand(20, 3), verbose=0)
path = os.path.join(folder, "model.keras")
model.save(path)
loaded = keras.models.load_model(path)
print([w.shape for w in loaded.weights], loaded.get_config().keys() == model.get_config().keys())
np.testing.assert_allclose(loaded.predict(x, verbose=0).shape, (20, 3))
twin = keras.models.model_from_json(model.to_json())
twin.set_weights(model.get_weights())
model.export(os.path.join(folder, "served"), verbose=False)
served = tf.saved_model.load(os.path.join(folder, "served"))
# wrong: print(loaded(x[:, :4]).shape)  # E: SF106
print(served.serve(tf.constant(x)).shape)
print(twin(x).shape, twin.layers[1].units)
