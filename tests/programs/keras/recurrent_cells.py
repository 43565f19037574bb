"""A cell of its own in an RNN, stacked cells, masks and initial states."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Minimal(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units, self.state_size, self.output_size = units, units, units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[-1], self.units), name="kernel")
        # wrong: self.recurrent = self.add_weight(shape=(input_shape[-1], self.units), name="recurrent")
        self.recurrent = self.add_weight(shape=(self.units, self.units), name="recurrent")

    def call(self, inputs, states):
        output = tf.matmul(inputs, self.kernel) + tf.matmul(states[0], self.recurrent)  # E: SF101
        return output, [output]


inputs = keras.Input((None, 5))
x = layers.Masking(mask_value=0.0)(inputs)
x = layers.RNN([layers.GRUCell(8), layers.LSTMCell(6)], return_sequences=True)(x)
x, state = layers.RNN(Minimal(7), return_sequences=True, return_state=True)(x)
x = layers.concatenate([layers.GlobalMaxPooling1D()(x), state])
model = keras.Model(inputs, layers.Dense(1)(x))
model.compile("adagrad", "mse", metrics=["mae"])
model.fit(np.random.rand(12, 9, 5), np.random.rand(12, 1), batch_size=6, verbose=0)
print(x.shape, model.predict(np.zeros((2, 4, 5)), verbose=0).shape)
