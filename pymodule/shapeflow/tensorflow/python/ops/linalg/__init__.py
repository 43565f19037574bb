"""tensorflow/python/ops/linalg: linear operators, by shape."""
