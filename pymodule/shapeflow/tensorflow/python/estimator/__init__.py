"""tf.estimator of TensorFlow 1, and of 2 until 2.15: tensorflow_estimator/python/estimator."""
