"""A net that solves Burgers' equation: derivatives of derivatives by nested tapes."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

N_boundary, N_collocation = 20, 60
pi = np.pi
t_0 = tf.zeros((N_boundary, 1))
x_0 = tf.random.uniform((N_boundary, 1), -1, 1)
X_0 = tf.concat([t_0, x_0], axis=1)
u_0 = -tf.sin(pi * x_0)
t_b = tf.random.uniform((N_boundary, 1), 0, 1)
x_b = -1 + 2 * tf.keras.backend.cast(tf.random.uniform((N_boundary, 1)) > 0.5, "float32")
X_b, u_b = tf.concat([t_b, x_b], axis=1), tf.zeros((N_boundary, 1))
X_r = tf.concat([tf.random.uniform((N_collocation, 1), 0, 1),
                 tf.random.uniform((N_collocation, 1), -1, 1)], axis=1)
# wrong: u_b = tf.zeros((N_boundary, 2))
u_b = tf.reshape(u_b, (N_boundary, 1))


def init_model(hidden=3, neurons=10):
    model = keras.Sequential()
    model.add(keras.Input((2,)))
    model.add(keras.layers.Lambda(lambda x: 2.0 * (x - [0.0, -1.0]) / ([1.0, 2.0]) - 1.0))
    for _ in range(hidden):
        model.add(keras.layers.Dense(neurons, activation="tanh", kernel_initializer="glorot_normal"))
    model.add(keras.layers.Dense(1))
    return model


def get_r(model, X_r):
    with tf.GradientTape(persistent=True) as tape:
        t, x = X_r[:, 0:1], X_r[:, 1:2]
        tape.watch(t)
        tape.watch(x)
        u = model(tf.stack([t[:, 0], x[:, 0]], axis=1))
        u_x = tape.gradient(u, x)
    u_t = tape.gradient(u, t)
    u_xx = tape.gradient(u_x, x)
    del tape
    return u_t + u * u_x - (0.01 / pi) * u_xx


def compute_loss(model, X_r, X_data, u_data):
    phi_r = tf.reduce_mean(tf.square(get_r(model, X_r)))
    loss = phi_r
    for X, u in zip(X_data, u_data):
        predicted = model(X)
        assert predicted.shape[0] == u.shape[0]
        loss += tf.reduce_mean(tf.square(tf.concat([u - predicted, u], axis=1) @ tf.ones((2, 1))))  # E: SF101
    return loss


model = init_model()
optimizer = keras.optimizers.Adam(keras.optimizers.schedules.PiecewiseConstantDecay([10, 30], [1e-2, 1e-3, 5e-4]))


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        loss = compute_loss(model, X_r, [X_0, X_b], [u_0, u_b])
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for i in range(5):
    loss = train_step()
print(float(loss) >= 0)
