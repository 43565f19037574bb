"""tf.keras over shapes."""
