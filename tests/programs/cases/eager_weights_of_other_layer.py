"""Weights of a smaller model, assigned to a larger one."""
import numpy as np
import tensorflow as tf

assert tf.__version__ >= "2"
saved = np.random.rand(10, 16).astype("float32")
kernel = tf.Variable(tf.random.normal([10, 32]), name="kernel")
bias = tf.Variable(tf.zeros([32]), name="bias")
kernel.assign(saved)  # E: SF125
print((tf.zeros([1, 10]) @ kernel + bias).shape)
