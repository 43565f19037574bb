"""tf.tpu and tf.contrib.tpu: what programs for TPUs use on any machine."""
