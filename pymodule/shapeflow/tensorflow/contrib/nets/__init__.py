"""The networks that came with tf.contrib.slim."""
