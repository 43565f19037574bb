"""A neural ODE: Euler's and Heun's steps of a learned field in tf.while_loop, gradients through them."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Field(keras.layers.Layer):
    def __init__(self, width, **kwargs):
        super().__init__(**kwargs)
        self.net = keras.Sequential([keras.layers.Dense(20, activation="tanh"), keras.layers.Dense(width)])

    def call(self, t, state):
        time = tf.fill([tf.shape(state)[0], 1], t)
        return self.net(tf.concat([state, time], axis=-1))


class Solve(keras.layers.Layer):
    def __init__(self, width, steps, **kwargs):
        super().__init__(**kwargs)
        # wrong: self.field, self.steps = Field(width + 1), steps
        self.field, self.steps = Field(width), steps

    def call(self, state):
        size = 1.0 / self.steps

        def step(i, t, state):
            slope = self.field(t, state)
            guess = state + size * slope  # E: SF101
            state = state + size / 2 * (slope + self.field(t + size, guess))
            return i + 1, t + size, state

        return tf.while_loop(lambda i, t, state: i < self.steps, step, (0, 0.0, state))[2]


inputs = keras.Input((2,))
model = keras.Model(inputs, Solve(2, 10)(inputs))
model.compile(keras.optimizers.RMSprop(1e-3), "mse")
starts = np.random.randn(40, 2).astype("float32")
turned = starts @ np.array([[0.0, 1.0], [-1.0, 0.0]], "float32")
model.fit(starts, turned, batch_size=8, epochs=2, verbose=0)
assert model.predict(starts[:3], verbose=0).shape == (3, 2)
