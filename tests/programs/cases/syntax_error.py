# exit: 3
import tensorflow as tf
x = = tf.zeros([2])
