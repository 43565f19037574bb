"""tf.contrib.layers."""
