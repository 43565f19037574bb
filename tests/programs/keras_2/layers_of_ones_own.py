"""tf_keras by its own name: layers with build and get_config, add_loss, a model from a config."""
import numpy as np
import tensorflow as tf
import tf_keras as keras


class Linear(keras.layers.Layer):
    def __init__(self, units=32, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        # wrong: self.w = self.add_weight(shape=(input_shape[0], self.units), initializer="random_normal", trainable=True)
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="random_normal", trainable=True)
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", trainable=True)

    def call(self, inputs):
        return tf.matmul(inputs, self.w) + self.b  # E: SF101

    def get_config(self):
        return {**super().get_config(), "units": self.units}


class Activity(keras.layers.Layer):
    def call(self, inputs):
        self.add_loss(1e-2 * tf.reduce_sum(inputs))
        return inputs


model = keras.Sequential([Linear(16), Activity(), keras.layers.LeakyReLU(alpha=0.1), Linear(2)])
model.compile(keras.optimizers.legacy.Adam(1e-3), "mse")
x = np.random.rand(30, 7).astype("float32")
model.fit(x, np.random.rand(30, 2), batch_size=10, verbose=0)
print(len(model.losses), [w.shape for w in model.get_weights()])
again = keras.Sequential.from_config(model.get_config(), custom_objects={"Linear": Linear, "Activity": Activity})
again.build((None, 7))
again.set_weights(model.get_weights())
print(again(x).shape)
