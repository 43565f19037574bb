"""python/saved_model of TensorFlow's sources, as far as it is modelled in Python."""
