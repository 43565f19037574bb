"""python/profiler of TensorFlow's sources, as far as it is modelled in Python."""
