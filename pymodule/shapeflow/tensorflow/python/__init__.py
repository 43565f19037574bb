"""tensorflow/python: the folders below are those of TensorFlow's sources."""
