# What was found before os._exit is not lost.
import os
import tensorflow as tf

try:
    tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))  # E: SF114
except tf.errors.InvalidArgumentError:
    os._exit(0)
