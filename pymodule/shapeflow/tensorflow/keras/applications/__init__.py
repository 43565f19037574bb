"""tf.keras.applications of TensorFlow 1: the networks, without their trained weights."""
