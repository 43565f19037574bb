"""A custom loop writes checkpoints with tf.train.Checkpoint, and a new model goes on from the last one."""
import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()


class Net(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.first = tf.keras.layers.Dense(units, activation="relu")
        self.second = tf.keras.layers.Dense(1)

    def call(self, inputs):
        return self.second(self.first(inputs))


def train(net, steps):
    optimizer = tf.keras.optimizers.SGD(0.1)
    checkpoint = tf.train.Checkpoint(step=tf.Variable(0), net=net)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=3)
    net(tf.zeros([1, 5]))
    checkpoint.restore(manager.latest_checkpoint)  # E: SF125
    for _ in range(steps):
        x = tf.constant(np.random.rand(16, 5), tf.float32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(x) - tf.reduce_sum(x, axis=1, keepdims=True)))
        grads = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(grads, net.trainable_variables))
        checkpoint.step.assign_add(1)
    print("saved", os.path.basename(manager.save()), int(checkpoint.step))


train(Net(10), 5)
# wrong: train(Net(12), 5)
train(Net(10), 5)
