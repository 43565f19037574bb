"""A normalizing flow: couplings with masks, the logarithm of the determinant, a density as the loss."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers, regularizers


def moons(n):
    angle = np.random.rand(n) * np.pi
    upper = np.stack([np.cos(angle), np.sin(angle)], 1)
    lower = np.stack([1 - np.cos(angle), 0.5 - np.sin(angle)], 1)
    return np.concatenate([upper[: n // 2], lower[n // 2:]]).astype("float32")


norm = layers.Normalization()
data = moons(240)
norm.adapt(data)
normalized = norm(data)


def coupling(input_shape, width=32):
    inputs = layers.Input(shape=(input_shape,))

    def branch(activation):
        x = inputs
        for _ in range(2):
            x = layers.Dense(width, activation="relu", kernel_regularizer=regularizers.l2(0.01))(x)
        # wrong: return layers.Dense(width, activation=activation)(x)
        return layers.Dense(input_shape, activation=activation, kernel_regularizer=regularizers.l2(0.01))(x)

    return keras.Model(inputs=inputs, outputs=[branch("tanh"), branch("linear")])


class RealNVP(keras.Model):
    def __init__(self, num_coupling_layers):
        super().__init__()
        self.num_coupling_layers = num_coupling_layers
        self.masks = np.array([[0, 1], [1, 0]] * (num_coupling_layers // 2), dtype="float32")
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.layers_list = [coupling(2) for _ in range(num_coupling_layers)]

    @property
    def metrics(self):
        return [self.loss_tracker]

    def call(self, x, training=True):
        log_det_inv = 0
        direction = -1 if training else 1
        for i in range(self.num_coupling_layers)[::direction]:
            x_masked = x * self.masks[i]
            reversed_mask = 1 - self.masks[i]
            s, t = self.layers_list[i](x_masked)
            s *= reversed_mask  # E: SF101
            t *= reversed_mask
            gate = (direction - 1) / 2
            x = reversed_mask * (x * tf.exp(direction * s) + direction * t * tf.exp(gate * s)) + x_masked
            log_det_inv += gate * tf.reduce_sum(s, [1])
        return x, log_det_inv

    def log_loss(self, x):
        y, logdet = self(x)
        log_prob = -0.5 * tf.reduce_sum(tf.square(y), axis=1) - np.log(2 * np.pi)
        return -tf.reduce_mean(log_prob + logdet)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self.log_loss(data)
        g = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(g, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    def test_step(self, data):
        self.loss_tracker.update_state(self.log_loss(data))
        return {"loss": self.loss_tracker.result()}


model = RealNVP(num_coupling_layers=4)
model.compile(optimizer=keras.optimizers.Adam(1e-3))
history = model.fit(np.asarray(normalized), batch_size=60, epochs=2, verbose=0, validation_split=0.2)
samples, _ = model(np.random.normal(size=(10, 2)).astype("float32"), training=False)
print(samples.shape, sorted(history.history))
