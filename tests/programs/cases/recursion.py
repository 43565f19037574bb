# exit: 3
import tensorflow as tf


def deeper(x):
    return deeper(x + 1)


deeper(tf.zeros([1]))
