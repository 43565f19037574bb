"""RNNs with cells of one's own, nested states, initial states, go_backwards and stacked cells."""
import keras
import numpy as np
from keras import layers, ops


class MinimalCell(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.state_size = units
        self.output_size = units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[-1], self.units), initializer="uniform", name="kernel")
        # wrong: self.recurrent = self.add_weight(shape=(input_shape[-1], self.units), initializer="uniform", name="recurrent")
        self.recurrent = self.add_weight(shape=(self.units, self.units), initializer="uniform", name="recurrent")

    def call(self, inputs, states):
        previous = states[0]
        output = ops.tanh(ops.matmul(inputs, self.kernel) + ops.matmul(previous, self.recurrent))  # E: SF101
        return output, [output]

    def get_initial_state(self, batch_size=None):
        return [ops.zeros((batch_size, self.units))]


x = keras.Input((None, 5))
cells = [MinimalCell(32), MinimalCell(64)]
y = layers.RNN(cells, return_sequences=True, return_state=True)(x)
print([t.shape for t in y])
encoder_outputs, h, c = layers.LSTM(24, return_state=True)(x)
decoder_input = keras.Input((None, 3))
decoded, _, _ = layers.LSTM(24, return_sequences=True, return_state=True)(decoder_input, initial_state=[h, c])
backwards = layers.GRU(32, go_backwards=True, reset_after=False)(x)
both = layers.Bidirectional(layers.LSTM(7, return_sequences=True), merge_mode="sum")(x)
attended = layers.AdditiveAttention()([decoded, layers.Dense(24)(both)])
merged = layers.Concatenate()([decoded, attended])
model = keras.Model([x, decoder_input], [layers.Dense(3)(merged), layers.Dense(1)(layers.Add()([backwards, y[1]]))])
model.compile("adam", ["mse", "mae"])
model.fit([np.random.rand(8, 9, 5), np.random.rand(8, 4, 3)], [np.zeros((8, 4, 3)), np.zeros((8, 1))], verbose=0)
print([o.shape for o in model.predict([np.zeros((2, 6, 5)), np.zeros((2, 3, 3))], verbose=0)])
