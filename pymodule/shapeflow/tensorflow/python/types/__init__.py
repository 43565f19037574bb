"""python/types of TensorFlow's sources, as far as it is modelled in Python."""
