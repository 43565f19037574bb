"""Graph mode: a GRU-like cell in tf.while_loop over a TensorArray, lengths masked."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

steps, batch, features, units = 7, 4, 3, 5

inputs = tf.placeholder(tf.float32, [None, steps, features])
lengths = tf.placeholder(tf.int32, [None])
targets = tf.placeholder(tf.float32, [None, 1])

kernel = tf.get_variable("kernel", [features + units, 2 * units])
candidate = tf.get_variable("candidate", [features + units, units])


def cell(x, h):
    gates = tf.sigmoid(tf.matmul(tf.concat([x, h], axis=1), kernel))
    update, reset = tf.split(gates, 2, axis=1)
    proposal = tf.tanh(tf.matmul(tf.concat([x, reset * h], axis=1), candidate))
    return update * h + (1.0 - update) * proposal


by_time = tf.transpose(inputs, [1, 0, 2])
source = tf.TensorArray(tf.float32, size=steps).unstack(by_time)


def body(t, state):
    new_state = cell(source.read(t), state)
    active = tf.cast(tf.expand_dims(t < lengths, 1), tf.float32)
    return t + 1, active * new_state + (1.0 - active) * state


start = tf.zeros([tf.shape(inputs)[0], units])
_, last = tf.while_loop(lambda t, _: t < steps, body, [tf.constant(0), start],
                        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, units])])
readout = tf.get_variable("readout", [units, 1])
prediction = tf.matmul(last, readout)
loss = tf.losses.mean_squared_error(targets, prediction)
train = tf.train.AdamOptimizer(0.01).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    data = np.random.rand(3 * batch, steps, features)
    wanted = data.sum(axis=(1, 2), keepdims=False).reshape(-1, 1)
    for i in range(0, len(data), batch):
        feed = {inputs: data[i:i + batch], targets: wanted[i:i + batch],
                lengths: np.random.randint(1, steps, batch)}
        print(sess.run([loss, train], feed)[0])
