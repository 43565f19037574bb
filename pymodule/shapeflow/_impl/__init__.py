"""What TensorFlow has in Python: one small file per concept, loaded when first touched."""
