"""TensorFlow's API as names: which there are, what stands behind each, and what is not modelled."""
