"""Regularizers, constraints and initializers of one's own, weights set by hand, LoRA, and quantized layers."""
import keras
import numpy as np
from keras import layers, ops


class Orthogonal(keras.regularizers.Regularizer):
    def __init__(self, features, weight=0.001):
        self.features, self.weight = features, weight
        self.identity = ops.eye(features)

    def __call__(self, x):
        x = ops.reshape(x, (-1, self.features, self.features))  # E: SF109
        product = ops.tensordot(x, x, axes=(2, 2))
        product = ops.reshape(product, (-1, self.features, self.features))
        return ops.sum(self.weight * ops.square(product - self.identity))


class UnitRows(keras.constraints.Constraint):
    def __call__(self, w):
        return w / (keras.backend.epsilon() + ops.sqrt(ops.sum(ops.square(w), axis=1, keepdims=True)))


def fan_uniform(shape, dtype=None):
    return keras.random.uniform(shape, -1.0 / shape[0], 1.0 / shape[0], dtype=dtype)


points = keras.Input((None, 3))
x = layers.Conv1D(16, 1, kernel_initializer=fan_uniform)(points)
x = layers.Dense(16, kernel_constraint=UnitRows())(layers.GlobalMaxPooling1D()(x))
# wrong: x = layers.Dense(8, activity_regularizer=Orthogonal(3))(x)
x = layers.Dense(9, activity_regularizer=Orthogonal(3))(x)
x = layers.Dense(9, bias_initializer=keras.initializers.Constant(np.eye(3).flatten()))(x)
transformed = layers.Dot(axes=(2, 1))([points, layers.Reshape((3, 3))(x)])
model = keras.Model(points, layers.Dense(4)(layers.GlobalAveragePooling1D()(transformed)))
model.compile(keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True, clipnorm=1.0), "mse")
model.fit(np.random.rand(12, 50, 3), np.zeros((12, 4)), batch_size=4, verbose=0)
dense = model.layers[-1]
kernel, bias = dense.get_weights()
dense.set_weights([kernel * 2, bias])
dense.enable_lora(rank=2)
print(len(dense.trainable_variables), dense.kernel.shape)
model.compile("adam", "mse")
model.fit(np.random.rand(12, 50, 3), np.zeros((12, 4)), batch_size=4, verbose=0)
