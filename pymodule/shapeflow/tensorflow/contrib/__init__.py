"""tf.contrib of TensorFlow 1."""
