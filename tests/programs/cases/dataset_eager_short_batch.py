# TensorFlow 2: the state of an RNN has the batch size; the last batch is smaller.
import numpy as np
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(np.zeros((10, 3), np.float32)).batch(4)
state = tf.zeros([4, 3])
for step, x in enumerate(data):
    state = state + x  # E: SF113
