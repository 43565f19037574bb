"""Layers with a build, compute_output_shape and get_config of their own."""
import numpy as np
import keras
from keras import ops


@keras.saving.register_keras_serializable()
class Linear(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        # wrong: self.kernel = self.add_weight(shape=(input_shape[0] or 16, self.units))
        self.kernel = self.add_weight(shape=(input_shape[-1], self.units))
        self.bias = self.add_weight(shape=(self.units,), initializer="zeros")

    def call(self, inputs):
        return ops.matmul(inputs, self.kernel) + self.bias  # E: SF101

    def compute_output_shape(self, input_shape):
        return (*input_shape[:-1], self.units)

    def get_config(self):
        return {**super().get_config(), "units": self.units}


class Gate(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.value, self.gate = Linear(12), Linear(12)

    def call(self, inputs):
        return self.value(inputs) * ops.sigmoid(self.gate(inputs))


model = keras.Sequential([keras.Input((6,)), Gate(), Linear(12),
                          keras.layers.LayerNormalization(), Linear(1)])
model.compile("sgd", "mse")
model.fit(np.ones((40, 6)), np.ones((40, 1)), epochs=1, verbose=0)
copy = keras.models.Sequential.from_config(keras.Sequential([keras.Input((6,)), Linear(3)]).get_config())
print(copy.output_shape, [weight.shape for weight in copy.weights], model.count_params())
